/* What is done with a sample, or with many at once: its time, its track, the account. */
#include "base/clock.h"
#include "base/mem.h"
#include "aggregate/vector.h"
#include "aggregate/input_stats_private.h"
#include "aggregate/device_stats_private.h"

#include <string.h>

static struct smi_device_stats *pooled_device(struct smi_input_stats *p)
{
    if (!p->pool && (p->pool = smi_input_stats_new_device(p, false)))
        p->pool->pooled = true;
    return p->pool;
}

int smi_input_stats_reserve_device(struct smi_input_stats *p, int who)
{
    if ((size_t)who < p->tracks)
        return 0;
    if (smi_mem_reserve(&p->track, &p->tracks_cap, (size_t)who + 1, sizeof *p->track))
        return -1;
    p->tracks = (size_t)who + 1;
    return 0;
}

/* The track of a sample, made if it is new; NULL without memory. */
static struct smi_device_stats *find_or_add_device(struct smi_input_stats *p, int who, bool shared)
{
    if (who == SMI_DEVICE_HOST)
        return p->host ? p->host : (p->host = smi_input_stats_new_device(p, false));
    if (who < 0)
        return pooled_device(p);
    if (smi_input_stats_reserve_device(p, who))
        return NULL;
    if (!p->track[who])
        p->track[who] = smi_input_stats_new_device(p, !shared && p->devices.list[who].ordinal < 0);
    return p->track[who];
}

void smi_input_stats_note_time(struct smi_input_stats *p, int64_t t_ms, int64_t ahead_ms)
{
    if (!p->timed)
        p->begin_ms = t_ms;
    if (!p->timed || t_ms < p->first_ms) {
        p->first_ms = t_ms;
        p->ahead_ms = ahead_ms;
    }
    if (!p->timed || t_ms > p->last_ms)
        p->last_ms = t_ms;
    p->timed = true;
}

/* An offset that moves along is a guess, and said once. */
static int warn_clock_step(struct smi_input_stats *p, int64_t t_ms, int64_t stamp_ms, struct smi_err *err)
{
    char at[SMI_CLOCK_TEXT];
    int64_t line = p->account.lines;
    int rc;
    if (p->stepped)
        return 0;
    p->stepped = true;
    smi_clock_write(at, stamp_ms, false);
    p->account.lines = 0; /* about the whole input */
    rc = smi_account_warn(&p->account, SMI_LOG_WARNING_OTHER, err,
                          "the clock is set %s by an hour at %.19s: taken for the %s of summer time",
                          stamp_ms < t_ms ? "back" : "forward", at, stamp_ms < t_ms ? "end" : "beginning");
    p->account.lines = line;
    return rc;
}

size_t smi_input_stats_device_slot(int who)
{
    return who < 0 ? (size_t)(who == SMI_DEVICE_HOST) : (size_t)who + 2;
}

struct smi_local_clock *smi_input_stats_clock_at(struct smi_input_stats *p, size_t at)
{
    if (at >= p->walls) {
        if (smi_mem_reserve(&p->wall, &p->walls_cap, at + 1, sizeof *p->wall))
            return NULL;
        p->walls = at + 1;
    }
    return &p->wall[at];
}

/* The stamp of a row on the clock of the run. Returns 0, or -1 with err. */
static int read_stamp(struct smi_input_stats *p, int who, int64_t *t_ms, struct smi_err *err)
{
    struct smi_local_clock *w = smi_input_stats_clock(p, who);
    int64_t stamp = *t_ms;
    enum smi_stamp_kind what;
    if (!w)
        return smi_err_nomem(err);
    what = smi_local_clock_read(w, &p->wall_opts, t_ms);
    p->unsure |= what != SMI_STAMP_PLAIN;
    p->account.stamps_never += what == SMI_STAMP_SKIPPED_HOUR;
    p->account.stamps_twice += what == SMI_STAMP_FIRST_PASS;
    p->account.stamps_again += what == SMI_STAMP_SECOND_PASS;
    p->by_zone |= p->wall_opts.zone != NULL;
    return what == SMI_STAMP_STEP ? warn_clock_step(p, *t_ms, stamp, err) : 0;
}

static bool uses_local_clock(const struct smi_input_stats *p)
{
    return p->wall_opts.zone || p->wall_opts.steps;
}

/* A row about a process; without one, or with nothing known of it, it only counts. */
static int add_process_row(struct smi_sink *self, const struct smi_sample *s, struct smi_err *err)
{
    struct smi_input_stats *p = (struct smi_input_stats *)self;
    const struct smi_process *q = s->process;
    bool nobody = q->none || (q->pid < 0 && !q->name.n && !s->n);
    enum smi_proc_result what = nobody ? SMI_PROC_KEPT : smi_procs_add(&p->procs, s, err);
    p->account.rows += what == SMI_PROC_KEPT;
    p->account.duplicates += what == SMI_PROC_DUPLICATE;
    return what == SMI_PROC_ERROR ? -1 : 0;
}

/* The rows of each track, in their order: of the k-th device (whos[k]) those from begin[k] to begin[k + 1].
 */
struct lanes {
    unsigned n;
    int who[SMI_ROWS_MAX];
    unsigned begin[SMI_ROWS_MAX + 1];
    uint16_t row[SMI_ROWS_MAX];
};

/* Do the devices come in turn, as in nearly every log? Then the same ones are as far from each other
 * everywhere. */
static bool devices_alternate(struct lanes *l, const struct smi_rows *r)
{
    enum { MOST = 32 };
    unsigned n = 1, place = 0, all;
    uint16_t *row;
    int other = 0;
    while (n < r->n && n < MOST && r->who[n] != r->who[0])
        n++;
    for (unsigned i = n; i < r->n; i++)
        other |= r->who[i] ^ r->who[i - n];
    for (unsigned i = 1; i < n; i++)
        for (unsigned k = 0; k < i; k++)
            other |= r->who[i] == r->who[k];
    if (other || (n < r->n && r->who[n] != r->who[0]))
        return false;
    l->n = n;
    for (unsigned k = 0; k < n; k++) {
        l->who[k] = r->who[k];
        l->begin[k] = place;
        row = l->row + place;
        all = (r->n - k + n - 1) / n;
        for (unsigned i = 0; i < all; i++)
            row[i] = (uint16_t)(k + i * n);
        place += all;
    }
    l->begin[n] = place;
    return true;
}

static void sort_by_device(struct lanes *l, const struct smi_rows *r)
{
    enum { SPECIAL = 3 }; /* SMI_DEVICE_* are -1 to -3 */
    uint16_t count[SMI_DEVICE_MAX + SPECIAL], at[SMI_ROWS_MAX], place = 0;
    int most = -SPECIAL;
    if (devices_alternate(l, r))
        return;
    for (unsigned i = 0; i < r->n; i++)
        most = r->who[i] > most ? r->who[i] : most;
    memset(count, 0, (size_t)(most + SPECIAL + 1) * sizeof *count);
    l->n = 0;
    for (unsigned i = 0; i < r->n; i++)
        if (count[r->who[i] + SPECIAL]++ == 0)
            l->who[l->n++] = r->who[i];
    for (unsigned k = 0; k < l->n; k++) {
        l->begin[k] = at[k] = place;
        place = (uint16_t)(place + count[l->who[k] + SPECIAL]);
        count[l->who[k] + SPECIAL] = (uint16_t)k;
    }
    l->begin[l->n] = place;
    for (unsigned i = 0; i < r->n; i++)
        l->row[at[count[r->who[i] + SPECIAL]]++] = (uint16_t)i;
}

/* The stamps of a block on the clock of the run. */
static int read_block_stamps(struct smi_input_stats *p, const struct smi_rows *r, int64_t *t_ms,
                             struct smi_err *err)
{
    struct smi_local_clock *w = NULL;
    int other = 0;
    for (unsigned i = 1; i < r->n; i++)
        other |= r->who[i] ^ r->who[0];
    if (!other && !(w = smi_input_stats_clock(p, r->who[0])))
        return smi_err_nomem(err);
    if (!other && smi_local_clock_read_plain(w, &p->wall_opts, t_ms, r->n))
        return 0;
    for (unsigned i = 0; i < r->n; i++) {
        struct smi_local_clock own = {0}; /* rows aside come after all others: a step back is none */
        if (r->aside) {
            smi_local_clock_read(&own, &p->wall_opts, &t_ms[i]);
            continue;
        }
        if ((i == 0 || r->who[i] != r->who[i - 1]) && !(w = smi_input_stats_clock(p, r->who[i])))
            return smi_err_nomem(err);
        if (!smi_local_clock_read_next(w, &p->wall_opts, &t_ms[i]) && read_stamp(p, r->who[i], &t_ms[i], err))
            return -1;
    }
    p->by_zone |= p->wall_opts.zone != NULL;
    return 0;
}

/* --interval: a time for the only row of a block. It has none where that does not fit. */
static int assign_step(struct smi_input_stats *p, struct smi_rows *r, int64_t *t_ms, struct smi_err *err)
{
    struct smi_local_clock *w = smi_input_stats_clock(p, r->who[0]);
    int64_t us;
    if (!w)
        return smi_err_nomem(err);
    if (__builtin_mul_overflow(w->untimed++, p->given.step_us, &us) ||
        __builtin_add_overflow(us, p->given.start_us, &us))
        return 0;
    *t_ms = smi_us_to_ms(us);
    r->t_ms = t_ms;
    r->timed = true;
    p->unsure = true; /* counted from the beginning */
    return 0;
}

/* The stamps of a block on the clock of the run, in own, which has room for them, where they change. */
static int read_times(struct smi_input_stats *p, struct smi_rows *r, int64_t *own, struct smi_err *err)
{
    const int64_t *stamp = r->t_ms;
    int64_t date_ms = p->given.how == SMI_TIMES_DATE ? p->given.start_us / 1000 : 0;
    if (!date_ms && !uses_local_clock(p))
        return 0;
    for (unsigned i = 0; i < r->n; i++)
        own[i] = stamp[i] + date_ms;
    r->t_ms = own;
    return uses_local_clock(p) ? read_block_stamps(p, r, own, err) : 0;
}

/* The first row of a block, its earliest and its latest are all that the others could tell. */
static void note_times(struct smi_input_stats *p, const struct smi_rows *r, const int64_t *stamp)
{
    int64_t date_ms = p->given.how == SMI_TIMES_DATE && stamp != r->t_ms ? p->given.start_us / 1000 : 0;
    unsigned earliest = 0, latest = r->n - 1;
    uint64_t back = 0; /* its uppermost bit: one is earlier than the one before it */
    for (unsigned i = 1; i < r->n; i++)
        back |= (uint64_t)r->t_ms[i] - (uint64_t)r->t_ms[i - 1];
    for (unsigned i = 0; i < r->n && back >> 63; i++) {
        earliest = r->t_ms[i] < r->t_ms[earliest] ? i : earliest;
        latest = r->t_ms[i] > r->t_ms[latest] ? i : latest;
    }
    for (int k = 0; k < 3; k++) {
        unsigned i = k == 0 ? 0 : k == 1 ? earliest : latest;
        smi_input_stats_note_time(p, r->t_ms[i], stamp[i] + date_ms - r->t_ms[i]);
    }
    p->has_now = true; /* messages are as late as the last row */
    p->now_ms = r->t_ms[r->n - 1];
    p->now_who = r->who[r->n - 1];
}

/* Rows that are only looked at: of those that were there before, all that is kept is when the last one was.
 */
static int pass_to_callback(struct smi_sink *self, const struct smi_sample *s, struct smi_err *err)
{
    struct smi_input_stats *p = (struct smi_input_stats *)self;
    struct smi_device_stats *t = find_or_add_device(p, s->who, s->shared);
    if (!t)
        return smi_err_nomem(err);
    if (s->aside)
        return p->tap->row(p->tap, p, s, err);
    if (s->timed && smi_device_stats_is_duplicate(t, s->t_ms, s->fine))
        return 0;
    t->last.has = s->timed;
    t->last.t_ms = s->t_ms;
    t->last.fine = s->fine;
    return p->tap->row(p->tap, p, s, err);
}

/* Rows of any devices, sorted by device, into their statistics. */
static int add_to_devices(struct smi_input_stats *p, const struct smi_rows *r, struct smi_add_counts *told,
                          struct smi_err *err)
{
    struct lanes l;
    sort_by_device(&l, r);
    for (unsigned k = 0; k < l.n; k++) {
        struct smi_device_stats *t = find_or_add_device(p, l.who[k], r->shared);
        const uint16_t *at = l.row + l.begin[k];
        unsigned n = l.begin[k + 1] - l.begin[k];
        if (!t)
            return smi_err_nomem(err);
        if (smi_device_stats_add(t, r, at, n, told, err) ||
            (!r->timed && smi_input_stats_spread_rows(p, t, r, l.who[k], at, n, err)))
            return -1;
    }
    return 0;
}

static int add_block(struct smi_input_stats *p, const struct smi_rows *rows, struct smi_err *err)
{
    struct smi_add_counts told = {0};
    struct smi_rows r = *rows;
    int64_t t_ms[SMI_ROWS_MAX], v[SMI_ROWS_COLUMNS];
    if (p->given.how == SMI_TIMES_STEPS && !r.timed && assign_step(p, &r, t_ms, err))
        return -1;
    if (rows->timed && read_times(p, &r, t_ms, err))
        return -1;
    if (r.timed)
        note_times(p, &r, rows->timed ? rows->t_ms : r.t_ms);
    if (r.process || p->tap)
        return smi_rows_each(&r, r.process ? add_process_row : pass_to_callback, &p->sink, err);
    if (add_to_devices(p, &r, &told, err))
        return -1;
    p->account.rows += r.shared ? 0 : told.kept;
    p->account.duplicates += r.shared ? 0 : told.duplicates;
    if (p->tape && !told.duplicates) {
        const struct smi_sample s = smi_rows_sample(&r, 0, v);
        return smi_row_spool_add(p->tape, &s, err);
    }
    return 0;
}

/* Rows that are counted off, or go onto a spool in their order, are taken one by one. */
static int add_rows(struct smi_sink *self, const struct smi_rows *r, struct smi_err *err)
{
    static const int keyless = SMI_DEVICE_KEYLESS;
    struct smi_input_stats *p = (struct smi_input_stats *)self;
    bool steps = p->given.how == SMI_TIMES_STEPS && !r->timed;
    if (r->who && (r->n <= 1 || (!p->tape && !steps)))
        return r->n ? add_block(p, r, err) : 0;
    for (unsigned i = 0; i < r->n; i++) {
        const struct smi_rows one = smi_rows_part(r, i, 1, r->who ? r->who + i : &keyless);
        if (add_block(p, &one, err))
            return -1;
    }
    return 0;
}

/* The stamp of a fault is understood as the next one of its device would be, and teaches nothing. */
static int64_t fault_time(struct smi_input_stats *p, const struct smi_mark *m)
{
    size_t at = smi_input_stats_device_slot(m->who < 0 ? p->now_who : m->who);
    struct smi_local_clock w = at < p->walls ? p->wall[at] : (struct smi_local_clock){0};
    int64_t t_ms = smi_us_to_ms(m->t_us + (p->given.how == SMI_TIMES_DATE ? p->given.start_us : 0));
    if (uses_local_clock(p) && smi_local_clock_read(&w, &p->wall_opts, &t_ms) != SMI_STAMP_PLAIN)
        p->unsure = true;
    return t_ms;
}

static int add_mark(struct smi_sink *self, const struct smi_mark *m, struct smi_err *err)
{
    struct smi_input_stats *p = (struct smi_input_stats *)self;
    if (m->kind == SMI_MARK_BREAK)
        return 0;
    if (m->kind == SMI_MARK_FAULT)
        return smi_faults_add(&p->faults, m, m->timed || p->has_now, m->timed ? fault_time(p, m) : p->now_ms,
                              err);
    if (p->tape && smi_row_spool_add_mark(p->tape, m, err))
        return -1;
    return smi_runlog_add(&p->log, m, err);
}

struct smi_sink smi_input_stats_sink(void)
{
    return (struct smi_sink){.rows = add_rows, .mark = add_mark};
}
