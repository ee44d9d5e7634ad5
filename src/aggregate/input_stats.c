/* input_stats.c - the statistics of one log: rows of all its devices, spread over time where they have none.
 */
#include "aggregate/input_stats.h"
#include "aggregate/counts.h"
#include "aggregate/device_stats.h"
#include "aggregate/ingest.h"
#include "aggregate/process_stats.h"
#include "base/clock.h"
#include "base/mem.h"

#include <string.h>

static size_t slot_of(int who)
{
    return who < 0 ? (size_t)(who == SMI_DEVICE_HOST) : (size_t)who + 2;
}

/* ---- What is done with a sample, or with many at once: its time, its track, the account ---- */

/* Makes room for the statistics of device `who` >= 0. */
static void reserve_device(struct smi_input_stats *p, int who)
{
    if ((size_t)who < p->tracks)
        return;
    smi_mem_reserve(&p->track, &p->tracks_cap, (size_t)who + 1, sizeof *p->track);
    p->tracks = (size_t)who + 1;
}

/* The track of a sample, made if it is new. */
static struct smi_device_stats *find_or_add_device(struct smi_input_stats *p, int who, bool shared)
{
    const bool host = who == SMI_DEVICE_HOST;
    struct smi_device_stats **t = host ? &p->host : &p->pool;
    if (who >= 0) {
        reserve_device(p, who);
        t = &p->track[who];
    }
    if (!*t) {
        *t = smi_mem_raw(sizeof **t);
        smi_device_stats_init(*t, &p->opts, who >= 0 && !shared && p->devices.list[who].ordinal < 0);
        (*t)->pooled = who < 0 && !host;
    }
    return *t;
}

bool smi_input_stats_count(const struct smi_input_stats *p, struct smi_assigned_times *g)
{
    if (p->timed || !(p->tracks || p->host || p->pool))
        return false;
    g->devices = p->tracks + 2;
    g->rows = smi_mem_new(g->devices, sizeof *g->rows);
    for (size_t i = 0; i < g->devices; i++) {
        const int who = i < p->tracks ? (int)i : i == p->tracks ? SMI_DEVICE_HOST : SMI_DEVICE_POOL;
        g->rows[slot_of(who)] = smi_input_stats_track(p, i) ? smi_input_stats_track(p, i)->rows : 0;
    }
    return true;
}

/* The part has a row at t_ms on the clock of the run, whose stamp is ahead_ms later. */
static void note_time(struct smi_input_stats *p, int64_t t_ms, int64_t ahead_ms)
{
    if (!p->timed)
        p->begin_ms = t_ms;
    if (!p->timed || t_ms < p->first_ms)
        p->ahead_ms = ahead_ms;
    smi_widen(&p->timed, &p->first_ms, &p->last_ms, t_ms, t_ms);
}

/* An offset that moves along is a guess, and said once. */
static void warn_clock_step(struct smi_input_stats *p, int64_t t_ms, int64_t stamp_ms)
{
    char at[SMI_CLOCK_TEXT];
    int64_t line = p->account.lines;
    if (p->stepped)
        return;
    p->stepped = true;
    smi_clock_write(at, stamp_ms, false);
    p->account.lines = 0; /* about the whole input */
    smi_account_warn(&p->account, SMI_LOG_WARNING_OTHER,
                     "the clock is set %s by an hour at %.19s: taken for the %s of summer time",
                     stamp_ms < t_ms ? "back" : "forward", at, stamp_ms < t_ms ? "end" : "beginning");
    p->account.lines = line;
}

/* The clock with this place: slot_of a device, or of SMI_DEVICE_*. */
static struct smi_local_clock *clock_at(struct smi_input_stats *p, size_t at)
{
    if (at >= p->walls) {
        smi_mem_reserve(&p->wall, &p->walls_cap, at + 1, sizeof *p->wall);
        p->walls = at + 1;
    }
    return &p->wall[at];
}

/* The stamp of a row on the clock of the run. */
static void read_stamp(struct smi_input_stats *p, int who, int64_t *t_ms)
{
    struct smi_local_clock *w = clock_at(p, slot_of(who));
    int64_t stamp = *t_ms;
    enum smi_stamp_kind what = smi_local_clock_read(w, &p->wall_opts, t_ms);
    p->unsure |= what != SMI_STAMP_PLAIN;
    p->account.stamps_never += what == SMI_STAMP_SKIPPED_HOUR;
    p->account.stamps_twice += what == SMI_STAMP_FIRST_PASS;
    p->account.stamps_again += what == SMI_STAMP_SECOND_PASS;
    p->by_zone |= p->wall_opts.zone != NULL;
    if (what == SMI_STAMP_STEP)
        warn_clock_step(p, *t_ms, stamp);
}

static bool uses_local_clock(const struct smi_input_stats *p)
{
    return p->wall_opts.zone || p->wall_opts.steps;
}

/* A row about a process; without one, or with nothing known of it, it only counts. */
static void add_process_row(struct smi_input_stats *p, const struct smi_rows *r)
{
    const struct smi_process *q = r->process;
    bool nobody = q->none || (q->pid < 0 && !q->name.n && !r->metrics);
    enum smi_proc_result what = nobody ? SMI_PROC_KEPT : smi_procs_add(&p->procs, r);
    p->account.rows += what == SMI_PROC_KEPT;
    p->account.duplicates += what == SMI_PROC_DUPLICATE;
}

/* The rows of each track, in their order: of the k-th device (whos[k]) those from begin[k] to begin[k + 1].
 */
enum { SPECIAL = 3 /* SMI_DEVICE_* are -1 to -3 */ };
struct lanes {
    unsigned n;
    int who[SMI_ROWS_MAX];
    unsigned begin[SMI_ROWS_MAX + 1];
    uint16_t row[SMI_ROWS_MAX];
    uint16_t count[SMI_DEVICE_MAX + SPECIAL], at[SMI_ROWS_MAX]; /* while they are sorted */
};

/* Do the devices come in turn, as in nearly every log? Then the same ones are as far from each other
 * everywhere. */
static bool devices_alternate(struct lanes *l, const struct smi_rows *r)
{
    enum { MOST = 32 };
    unsigned n = 1, place = 0;
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
        for (unsigned i = k; i < r->n; i += n)
            l->row[place++] = (uint16_t)i;
    }
    l->begin[n] = place;
    return true;
}

static void sort_by_device(struct lanes *l, const struct smi_rows *r)
{
    uint16_t *const count = l->count + SPECIAL, place = 0;
    if (devices_alternate(l, r))
        return;
    memset(l->count, 0, sizeof l->count);
    l->n = 0;
    for (unsigned i = 0; i < r->n; i++)
        if (count[r->who[i]]++ == 0)
            l->who[l->n++] = r->who[i];
    for (unsigned k = 0; k < l->n; k++) {
        l->begin[k] = l->at[k] = place;
        place = (uint16_t)(place + count[l->who[k]]);
        count[l->who[k]] = (uint16_t)k;
    }
    l->begin[l->n] = place;
    for (unsigned i = 0; i < r->n; i++)
        l->row[l->at[count[r->who[i]]]++] = (uint16_t)i;
}

/* The stamps of a block on the clock of the run, stretch by stretch of one device. */
static void read_block_stamps(struct smi_input_stats *p, const struct smi_rows *r, int64_t *t_ms)
{
    for (unsigned i = 0, end; i < r->n; i = end) {
        struct smi_local_clock *w = clock_at(p, slot_of(r->who[i]));
        bool plain;
        for (end = i + 1; end < r->n && r->who[end] == r->who[i];)
            end++;
        plain = !r->aside && smi_local_clock_read_plain(w, &p->wall_opts, t_ms + i, end - i);
        for (; i < end && !plain; i++) {
            struct smi_local_clock own = {0}; /* rows aside come after all others: a step back is none */
            if (r->aside)
                smi_local_clock_read(&own, &p->wall_opts, &t_ms[i]);
            else if (!smi_local_clock_read_plain(w, &p->wall_opts, &t_ms[i], 1))
                read_stamp(p, r->who[i], &t_ms[i]);
        }
    }
    p->by_zone |= p->wall_opts.zone != NULL;
}

/* --interval: times for the rows of a block, up to the first that has none because it does not fit. Returns
 * how many rows that are. */
static unsigned assign_steps(struct smi_input_stats *p, const struct smi_rows *r, int64_t *t_ms)
{
    for (unsigned i = 0; i < r->n; i++) {
        struct smi_local_clock *w = clock_at(p, slot_of(r->who[i]));
        int64_t us;
        if (__builtin_mul_overflow(w->untimed, p->given.step_us, &us) ||
            __builtin_add_overflow(us, p->given.start_us, &us))
            return i;
        w->untimed++;
        t_ms[i] = smi_us_to_ms(us);
    }
    return r->n;
}

/* The stamps of a block on the clock of the run, in own, which has room for them, where they change. */
static void read_times(struct smi_input_stats *p, struct smi_rows *r, int64_t *own)
{
    const int64_t *stamp = r->t_ms;
    int64_t date_ms = p->given.how == SMI_TIMES_DATE ? p->given.start_us / 1000 : 0;
    if (!date_ms && !uses_local_clock(p))
        return;
    for (unsigned i = 0; i < r->n; i++)
        own[i] = stamp[i] + date_ms;
    r->t_ms = own;
    if (uses_local_clock(p))
        read_block_stamps(p, r, own);
}

/* Of rows in the order of time, the first and the last are all that the others could tell. */
static void note_times(struct smi_input_stats *p, const struct smi_rows *r, const int64_t *stamp)
{
    int64_t date_ms = p->given.how == SMI_TIMES_DATE && stamp != r->t_ms ? p->given.start_us / 1000 : 0;
    uint64_t back = 0; /* its uppermost bit: one is earlier than the one before it */
    unsigned step;
    for (unsigned i = 1; i < r->n; i++)
        back |= (uint64_t)r->t_ms[i] - (uint64_t)r->t_ms[i - 1];
    step = back >> 63 || r->n == 1 ? 1 : r->n - 1;
    for (unsigned i = 0; i < r->n; i += step)
        note_time(p, r->t_ms[i], stamp[i] + date_ms - r->t_ms[i]);
    p->has_now = true; /* messages are as late as the last row */
    p->now_ms = r->t_ms[r->n - 1];
    p->now_who = r->who[r->n - 1];
}

/* Rows without times into the phases in which they probably were: those of a device are spread evenly over
 * the time of the logs beside theirs (docs/numbers.md §6). How many there are has to be known for it: they
 * were counted, or are few and kept. */

/* The times of n rows from row k on, of the rows of a device: equal steps, whose rests add up to
 * microseconds. */
static void spread_times(const struct smi_assigned_times *g, int64_t k, size_t n, int64_t rows, int64_t *t_ms)
{
    const int64_t gaps = rows > 1 ? rows - 1 : 1, step = g->span_us / gaps, rest = g->span_us % gaps;
    int64_t us = g->start_us + step * k + (int64_t)((smi_i128)rest * k / gaps);
    int64_t over = (int64_t)((smi_i128)rest * k % gaps);
    for (size_t i = 0; i < n; i++, us += step, over += rest) {
        if (over >= gaps) {
            over -= gaps;
            us++;
        }
        t_ms[i] = smi_us_to_ms(us);
    }
}

/* The rows at[0 ... n - 1] of r, of the device t and without a time, into the phases; where nothing is
 * spread, nothing is done. The file can have grown since they were counted: more rows are in no phase. */
static void spread_rows(struct smi_input_stats *p, struct smi_device_stats *t, const struct smi_rows *r,
                        int who, const uint16_t *at, unsigned n)
{
    const struct smi_assigned_times *g = &p->given;
    const size_t slot = slot_of(who);
    struct smi_local_clock *w;
    int64_t *t_ms, rows;
    unsigned known;
    if (g->how != SMI_TIMES_SPREAD || !g->rows || !p->opts.phases)
        return;
    t_ms = smi_mem_room(SMI_ROOM_SPREAD, n * sizeof *t_ms);
    w = clock_at(p, slot_of(who));
    rows = slot < g->devices ? g->rows[slot] : 0;
    known = w->untimed >= rows ? 0 : rows - w->untimed < n ? (unsigned)(rows - w->untimed) : n;
    spread_times(g, w->untimed, known, rows, t_ms);
    w->untimed += known;
    smi_device_stats_phase_rows(t, r, at, known, t_ms);
}

/* Times for the rows of a block on the clock of the run, in own, which has room for them, where they have
 * others or none. With --interval only the first rows may get one: r is cut to these. */
static void give_times(struct smi_input_stats *p, struct smi_rows *r, int64_t *own)
{
    if (r->timed) {
        read_times(p, r, own);
    } else if (p->given.how == SMI_TIMES_STEPS && r->n) {
        const unsigned n = assign_steps(p, r, own);
        r->n = n ? n : 1; /* one row that has no time */
        r->t_ms = own;
        r->timed = n > 0;
        p->unsure |= n > 0; /* counted from the beginning */
    }
}

/* Rows of any devices, sorted by device, into their statistics. */
static int add_rows(struct smi_sink *self, const struct smi_rows *rows, struct smi_err *err)
{
    struct smi_input_stats *p = (struct smi_input_stats *)self;
    struct lanes *l = smi_mem_room(SMI_ROOM_LANES, sizeof *l);
    int64_t *own = smi_mem_room(SMI_ROOM_TIMES, rows->n * sizeof *own);
    bool again[SMI_ROWS_MAX];
    struct smi_rows r;
    int rc = 0;
    for (unsigned from = 0; from < rows->n && rc == 0; from += r.n) {
        struct smi_add_counts told = {.again = p->tape ? memset(again, 0, sizeof again) : NULL};
        r = smi_rows_part(rows, from, rows->n - from, NULL);
        give_times(p, &r, own);
        if (r.timed)
            note_times(p, &r, rows->timed ? rows->t_ms : own);
        for (unsigned i = 0; i < r.n && r.timed && smi_rows_column(&r, SMI_PROCS) < r.metrics; i++)
            smi_steps_add(&p->polled, (struct smi_step){r.t_ms[i], r.t_ms[i], 1}, SMI_CONDITION_BREAK_MS);
        if (r.process)
            add_process_row(p, &r);
        else
            sort_by_device(l, &r);
        for (unsigned k = 0; !r.process && k < l->n; k++) {
            struct smi_device_stats *t = find_or_add_device(p, l->who[k], r.shared);
            const uint16_t *at = l->row + l->begin[k];
            const unsigned n = l->begin[k + 1] - l->begin[k];
            smi_device_stats_add(t, &r, at, n, &told);
            if (!r.timed)
                spread_rows(p, t, &r, l->who[k], at, n);
        }
        p->account.rows += r.shared ? 0 : told.kept;
        p->account.duplicates += r.shared ? 0 : told.duplicates;
        for (unsigned i = 0; i < r.n && p->tape && !r.process && rc == 0; i++)
            rc = again[i] ? 0 : smi_row_spool_add(p->tape, &r, i, err);
    }
    return rc;
}

/* ---- what went wrong with a GPU, and how often ---- */

static struct smi_fault_count *find_same_fault(const struct smi_fault_list *l,
                                               const struct smi_fault_count *like)
{
    for (size_t i = 0; i < l->n; i++) {
        struct smi_fault_count *f = &l->list[i];
        if (f->id == like->id && f->who == like->who && f->code == like->code &&
            strcmp(f->bus, like->bus) == 0)
            return f;
    }
    return NULL;
}

void smi_faults_join(struct smi_fault_list *l, const struct smi_fault_count *f, int who)
{
    struct smi_fault_count like = *f, *to;
    like.who = who;
    to = find_same_fault(l, &like);
    if (!to && l->n >= SMI_FAULTS_MAX) {
        like = (struct smi_fault_count){.id = f->id, .who = -1};
        to = find_same_fault(l, &like);
    }
    if (!to) {
        to = SMI_MEM_ADD(l->list, l->n, l->cap);
        *to = like;
        to->n = 0;
        to->timed = false;
        to->open = f->open;
    }
    if (!to->timed)
        to->first_ms = f->first_ms;
    if (f->timed)
        to->last_ms = f->last_ms;
    to->timed |= f->timed;
    to->n += f->n;
}

static void add_fault(struct smi_fault_list *l, const struct smi_mark *m, bool timed, int64_t t_ms)
{
    struct smi_fault_count f = {.id = m->fault,
                                .code = m->code,
                                .n = 1,
                                .open = !timed,
                                .timed = timed,
                                .first_ms = t_ms,
                                .last_ms = t_ms};
    size_t n = m->name.n < SMI_FAULT_BUS_MAX ? m->name.n : SMI_FAULT_BUS_MAX - 1;
    if (n)
        memcpy(f.bus, m->name.p, n);
    smi_faults_join(l, &f, m->who < 0 ? -1 : m->who);
}

static void set_open_time(struct smi_fault_list *l, int64_t t_ms)
{
    for (size_t i = 0; i < l->n; i++) {
        struct smi_fault_count *f = &l->list[i];
        if (!f->open)
            continue;
        f->open = false;
        f->first_ms = t_ms;
        if (!f->timed)
            f->last_ms = t_ms;
        f->timed = true;
    }
}

void smi_faults_fini(struct smi_fault_list *l)
{
    smi_mem_free(l->list);
    *l = (struct smi_fault_list){0};
}

/* ---- rows and marks ---- */

/* The stamp of a fault is understood as the next one of its device would be, and teaches nothing. */
static int64_t fault_time(struct smi_input_stats *p, const struct smi_mark *m)
{
    size_t at = slot_of(m->who < 0 ? p->now_who : m->who);
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
    if (m->kind == SMI_MARK_FAULT) {
        add_fault(&p->faults, m, m->timed || p->has_now, m->timed ? fault_time(p, m) : p->now_ms);
        return 0;
    }
    if (p->tape && smi_row_spool_add_mark(p->tape, m, err))
        return -1;
    smi_runlog_add(&p->log, m);
    return 0;
}

/* ---- rows that are few: their readings are still there, in their order ---- */

/* Does every row of the track have a reading of every metric that it has at all, as far as phases want to
 * know? */
static bool has_every_reading(const struct smi_device_stats *t)
{
    if (t->timed_rows || t->rows > SMI_COUNTS_FEW)
        return false;
    for (unsigned m = 0; m < SMI_METRIC_COUNT; m++) {
        const struct smi_counts *c = t->counts[m];
        if (c && smi_headline_slot(m) >= 0 && c->fews != t->rows)
            return false;
    }
    return true;
}

/* Up to SMI_ROWS_MAX rows from row k on, into an empty block with these columns. */
static void fill_block(const struct smi_device_stats *t, int64_t k, struct smi_rows *r, uint16_t *metric,
                       int64_t *scale, int32_t *u)
{
    r->n = t->rows - k < SMI_ROWS_MAX ? (unsigned)(t->rows - k) : SMI_ROWS_MAX;
    for (unsigned m = 0; m < SMI_METRIC_COUNT; m++) {
        const struct smi_counts *c = t->counts[m];
        if (!c || smi_headline_slot(m) < 0)
            continue;
        metric[r->metrics] = (uint16_t)m;
        scale[r->metrics] = c->step;
        memcpy(u + r->metrics * SMI_ROWS_STRIDE, c->few + k, r->n * sizeof *u);
        r->metrics++;
    }
}

static void add_to_phases(const struct smi_input_stats *p, struct smi_device_stats *t)
{
    uint16_t metric[SMI_HEADLINE_METRICS], at[SMI_ROWS_MAX];
    int64_t scale[SMI_HEADLINE_METRICS], *t_ms = smi_mem_room(SMI_ROOM_TIMES, SMI_ROWS_MAX * sizeof *t_ms);
    int32_t *u = smi_mem_room(SMI_ROOM_SPREAD, (size_t)SMI_HEADLINE_METRICS * SMI_ROWS_STRIDE * sizeof *u);
    for (uint16_t i = 0; i < SMI_ROWS_MAX && i < t->rows; i++)
        at[i] = i;
    for (int64_t k = 0; k < t->rows; k += SMI_ROWS_MAX) {
        struct smi_rows r = {.metric = metric, .scale = scale, .u = u, .stride = SMI_ROWS_STRIDE};
        fill_block(t, k, &r, metric, scale, u);
        spread_times(&p->given, k, r.n, t->rows, t_ms);
        smi_device_stats_phase_rows(t, &r, at, r.n, t_ms);
    }
}

int smi_input_stats_spread(struct smi_input_stats *p)
{
    if (p->timed)
        return 0;
    for (size_t i = 0; i < p->tracks + 2; i++)
        if (smi_input_stats_track(p, i) && !has_every_reading(smi_input_stats_track(p, i)))
            return 0;
    for (size_t i = 0; i < p->tracks + 2; i++)
        if (smi_input_stats_track(p, i) && p->opts.phases)
            add_to_phases(p, smi_input_stats_track(p, i));
    return 1;
}

struct smi_input_stats *smi_input_stats_new(const char *path, int format)
{
    struct smi_input_stats *p = smi_mem_new(1, sizeof *p);
    p->sink = (struct smi_sink){.rows = add_rows, .mark = add_mark};
    p->format = format;
    p->path = smi_mem_text(path, strlen(path));
    smi_counts_init(&p->dts, 1);
    return p;
}

static void free_device(struct smi_device_stats *t)
{
    if (t)
        smi_device_stats_fini(t);
    smi_mem_free(t);
}

void smi_input_stats_free(struct smi_input_stats *p)
{
    if (!p)
        return;
    for (size_t i = 0; i < p->tracks + 2; i++)
        free_device(smi_input_stats_track(p, i));
    smi_mem_free(p->track);
    smi_mem_free(p->joined_as);
    smi_account_fini(&p->account);
    smi_devices_fini(&p->devices);
    smi_counts_fini(&p->dts);
    smi_procs_fini(&p->procs);
    smi_mem_free(p->polled.list);
    smi_faults_fini(&p->faults);
    smi_runlog_fini(&p->log);
    smi_row_spool_free(p->tape);
    smi_mem_free(p->wall);
    smi_mem_free(p->given.rows);
    smi_mem_free(p->path);
    smi_mem_free(p->docs);
    smi_mem_free(p);
}

void smi_input_stats_end(struct smi_input_stats *p)
{
    for (size_t i = 0; i < p->tracks + 2; i++)
        if (smi_input_stats_track(p, i))
            smi_counts_merge(&p->dts, &smi_input_stats_track(p, i)->lengths);
}

/* front: everything that comes before b in its stream is in *to. */
static void join_device(struct smi_input_stats *b, struct smi_device_stats **to,
                        struct smi_device_stats **from, const struct smi_device_stats_opts *o, bool front)
{
    struct smi_add_counts head;
    if (!*from)
        return;
    if (front && (!*to || (!(*to)->head.has && !(*to)->first.has))) /* nothing of this device came before */
        b->account.rows += smi_device_stats_close(*from, &b->dts);
    if (!*to) {
        *to = *from;
        (*to)->opts = o;
        *from = NULL;
        return;
    }
    smi_device_stats_join(*to, *from, &head, front ? &b->dts : NULL);
    b->account.rows += head.kept;
    b->account.duplicates += head.duplicates;
    free_device(*from);
    *from = NULL;
}

/* b's device in a's numbering, made if it is new. */
static int map_device(struct smi_input_stats *a, const struct smi_device *d)
{
    const int who = smi_devices_find_like(&a->devices, d, false);
    if (who >= 0 && d->name)
        smi_devices_set_name(&a->devices, who, smi_text_of(d->name));
    return who;
}

/* Would a reader of both have taken the first stamp of b's device for a step? Pieces of one input only. */
static void join_clocks(struct smi_input_stats *a, const struct smi_input_stats *b, size_t to, size_t from)
{
    struct smi_local_clock *clock;
    if (from >= b->walls || !b->wall[from].has)
        return;
    clock = clock_at(a, to);
    a->unsure |= smi_local_clock_steps_between(clock, &b->wall[from], &b->wall_opts);
    *clock = b->wall[from];
}

static int join_devices(struct smi_input_stats *a, struct smi_input_stats *b, bool front, struct smi_err *err)
{
    b->joined_as = smi_mem_new(b->tracks + 1, sizeof *b->joined_as);
    b->joined_to = a;
    for (size_t i = 0; i < b->tracks; i++) {
        const struct smi_device *d = &b->devices.list[i];
        int who = map_device(a, d);
        if (who == SMI_DEVICE_POOL) /* its keys fit several of a: it stays apart, and the run tries again */
            who = smi_devices_find_like(&a->devices, d, true);
        if (who < 0) /* past SMI_DEVICE_MAX: a merge of so many is refused, not bent */
            return smi_err_set(err, SMI_ELIMIT, "%.200s: more than %d devices", a->path, SMI_DEVICE_MAX);
        reserve_device(a, who);
        b->joined_as[i] = who;
        join_clocks(a, b, (size_t)who + 2, i + 2);
        join_device(b, &a->track[who], &b->track[i], &a->opts, front);
    }
    join_clocks(a, b, 0, 0);
    join_clocks(a, b, 1, 1);
    join_device(b, &a->host, &b->host, &a->opts, front);
    join_device(b, &a->pool, &b->pool, &a->opts, front);
    return 0;
}

/* An accounting record that a has already is a duplicate in b's account, as it would have been in one pass.
 */
static void join_procs(struct smi_input_stats *a, struct smi_input_stats *b)
{
    for (size_t i = 0; i < b->procs.n; i++) {
        const struct smi_proc *p = &b->procs.list[i];
        int who = p->who >= 0 ? map_device(a, &b->devices.list[p->who]) : p->who;
        enum smi_proc_result what = smi_procs_join(&a->procs, p, who);
        b->account.rows -= what == SMI_PROC_DUPLICATE;
        b->account.duplicates += what == SMI_PROC_DUPLICATE;
    }
    a->procs.others += b->procs.others;
    smi_procs_fini(&b->procs);
}

/* What b told before its first row is as late as a's last one. */
static void join_faults(struct smi_input_stats *a, struct smi_input_stats *b, bool same_input)
{
    if (a->has_now)
        set_open_time(&b->faults, a->now_ms);
    if (b->has_now) {
        a->has_now = true;
        a->now_ms = b->now_ms;
    }
    for (size_t i = 0; same_input && i < b->faults.n; i++) {
        const struct smi_fault_count *f = &b->faults.list[i];
        int who = f->who < 0 ? -1 : map_device(a, &b->devices.list[f->who]);
        smi_faults_join(&a->faults, f, who < 0 ? -1 : who);
    }
}

int smi_input_stats_join(struct smi_input_stats *a, struct smi_input_stats *b, bool same_input,
                         struct smi_err *err)
{
    if (b->pool) /* what is read later of one input does not look at names */
        smi_devices_join_all(&a->devices, &b->devices, !a->pool, !same_input);
    if (join_devices(a, b, !same_input, err))
        return -1;
    join_procs(a, b);
    for (size_t i = 0; i < b->polled.n; i++)
        smi_steps_add(&a->polled, b->polled.list[i], SMI_CONDITION_BREAK_MS);
    join_faults(a, b, same_input);
    if (b->timed) {
        if (!a->timed)
            note_time(a, b->begin_ms, b->ahead_ms);
        note_time(a, b->first_ms, b->ahead_ms);
        note_time(a, b->last_ms, b->ahead_ms);
    }
    a->unsure |= b->unsure;
    a->by_zone |= b->by_zone;
    if (b->given.how > a->given.how)
        a->given.how = b->given.how;
    a->keyed |= b->keyed;
    if (a->base == SMI_TIME_BASE_NONE)
        a->base = b->base;
    if (same_input)
        smi_account_merge(&a->account, &b->account);
    return 0;
}

void smi_input_stats_close(struct smi_input_stats *p)
{
    for (size_t i = 0; i < p->tracks; i++)
        if (p->track[i])
            p->account.rows += smi_device_stats_close(p->track[i], &p->dts);
}

/* ---- processes ---- */

const uint16_t smi_proc_metric[SMI_PROC_METRICS] = {SMI_FB_USED, SMI_GPU_UTIL, SMI_MEM_UTIL, SMI_ENC_UTIL,
                                                    SMI_DEC_UTIL};

/* One (device, pid, life, name). */
static bool is_process(const void *list, size_t place, const void *key)
{
    const struct smi_proc *p = (const struct smi_proc *)list + place, *k = key;
    return p->who == k->who && p->pid == k->pid && p->life_ms == k->life_ms &&
           strcmp(p->name ? p->name : "", k->name ? k->name : "") == 0;
}

static void raise_peak(struct smi_proc_sum *s, int64_t v, int64_t n)
{
    if (!s->peaks || v > s->max)
        s->max = v;
    s->peaks += n;
}

static void add_sums(struct smi_proc *p, const struct smi_proc *b)
{
    p->types |= b->types;
    p->samples += b->samples;
    if (b->timed)
        smi_widen(&p->timed, &p->first_ms, &p->last_ms, b->first_ms, b->last_ms);
    for (int i = 0; i < SMI_PROC_METRICS; i++) {
        p->of[i].n += b->of[i].n;
        p->of[i].sum += b->of[i].sum;
        if (b->of[i].peaks)
            raise_peak(&p->of[i], b->of[i].max, b->of[i].peaks);
    }
}

void smi_proc_add(struct smi_proc *a, const struct smi_proc *b)
{
    struct smi_proc_sum *to = &a->of[SMI_PROC_MEMORY];
    const struct smi_proc_sum *from = &b->of[SMI_PROC_MEMORY];
    if (a->life_ms < 0) {
        add_sums(a, b);
        return;
    }
    /* the record of a process comes again: the first one stays, but for a memory that has grown */
    if (b->timed)
        smi_widen(&a->timed, &a->first_ms, &a->last_ms, b->first_ms, b->last_ms);
    if (from->peaks && (!to->peaks || from->max > to->max)) {
        to->max = from->max;
        to->peaks = 1;
    }
}

/* b: its name is borrowed. */
static enum smi_proc_result add_process(struct smi_procs *a, const struct smi_proc *b)
{
    const size_t length = b->name ? strlen(b->name) : 0;
    const uint64_t ids =
                       smi_hash_pair(smi_hash_pair((uint64_t)b->who, (uint64_t)b->pid), (uint64_t)b->life_ms),
                   hash = smi_hash_pair(ids, smi_hash_bytes(b->name, length));
    const size_t at = smi_map_find(&a->map, hash, is_process, a->list, b);
    struct smi_proc *p;
    if (at == SMI_MAP_NONE && a->n == SMI_PROCS_MAX) {
        a->others += b->samples;
        return SMI_PROC_KEPT;
    }
    if (at != SMI_MAP_NONE) {
        smi_proc_add(&a->list[at], b);
        return b->life_ms < 0 ? SMI_PROC_KEPT : SMI_PROC_DUPLICATE;
    }
    smi_map_add(&a->map, hash, a->n);
    p = SMI_MEM_ADD(a->list, a->n, a->cap);
    *p = *b;
    p->name = length ? smi_mem_text(b->name, length) : NULL;
    return SMI_PROC_KEPT;
}

enum smi_proc_result smi_procs_add(struct smi_procs *p, const struct smi_rows *r)
{
    char name[SMI_PROC_NAME_MAX + 1]; /* ends at a NUL, as everywhere in the system that it comes from */
    struct smi_proc one = {.who = *r->who,
                           .pid = r->process->pid,
                           .name = name,
                           .types = r->process->types,
                           .life_ms = r->process->life_ms,
                           .samples = 1};
    smi_text_copy(name, sizeof name, r->process->name);
    if (r->timed)
        smi_widen(&one.timed, &one.first_ms, &one.last_ms, *r->t_ms, *r->t_ms);
    for (int at = 0; at < SMI_PROC_METRICS; at++) {
        const unsigned c = smi_rows_column(r, smi_proc_metric[at]);
        if (c == r->metrics)
            continue;
        /* accounting gives the largest memory and the mean use; a sample is both */
        if (one.life_ms < 0 || at != SMI_PROC_MEMORY) {
            one.of[at].n++;
            one.of[at].sum += smi_rows_reading(r, c, 0);
        }
        if (one.life_ms < 0 || at == SMI_PROC_MEMORY)
            raise_peak(&one.of[at], smi_rows_reading(r, c, 0), 1);
    }
    return add_process(p, &one);
}

enum smi_proc_result smi_procs_join(struct smi_procs *a, const struct smi_proc *b, int who)
{
    struct smi_proc moved = *b;
    moved.who = who;
    return add_process(a, &moved);
}

void smi_procs_fini(struct smi_procs *p)
{
    for (size_t i = 0; i < p->n; i++)
        smi_mem_free(p->list[i].name);
    smi_mem_free(p->list);
    smi_map_fini(&p->map);
    *p = (struct smi_procs){0};
}
