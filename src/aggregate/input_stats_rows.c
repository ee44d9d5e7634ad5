/* What is done with a sample, or with many at once: its time, its track, the account. */
#include "base/clock.h"
#include "base/mem.h"
#include "aggregate/vector.h"
#include "aggregate/input_stats_private.h"
#include "aggregate/device_stats_private.h"

#include <string.h>

static struct smi_track *pool_of(struct smi_part *p)
{
    if (!p->pool && (p->pool = smi_part_track(p, false)))
        p->pool->pooled = true;
    return p->pool;
}

/* The track of a sample, made if it is new; NULL without memory. */
static struct smi_track *track_of(struct smi_part *p, int who, bool shared)
{
    if (who == SMI_WHO_HOST)
        return p->host ? p->host : (p->host = smi_part_track(p, false));
    if (who < 0)
        return pool_of(p);
    if ((size_t)who >= p->tracks) {
        if (smi_mem_reserve(&p->track, &p->tracks_cap, (size_t)who + 1, sizeof *p->track))
            return NULL;
        p->tracks = (size_t)who + 1;
    }
    if (!p->track[who])
        p->track[who] = smi_part_track(p, !shared && p->devices.list[who].ordinal < 0);
    return p->track[who];
}

void smi_part_see(struct smi_part *p, int64_t t_ms, int64_t ahead_ms)
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
static int say_step(struct smi_part *p, int64_t t_ms, int64_t stamp_ms, struct smi_err *err)
{
    char at[SMI_CLOCK_TEXT];
    int64_t line = p->account.lines;
    int rc;
    if (p->stepped)
        return 0;
    p->stepped = true;
    smi_clock_put(at, stamp_ms, false);
    p->account.lines = 0; /* about the whole input */
    rc = smi_account_odd(&p->account, SMI_ODD_OTHER, err,
                         "the clock is set %s by an hour at %.19s: taken for the %s of summer time",
                         stamp_ms < t_ms ? "back" : "forward", at, stamp_ms < t_ms ? "end" : "beginning");
    p->account.lines = line;
    return rc;
}

size_t smi_part_place(int who)
{
    return who < 0 ? (size_t)(who == SMI_WHO_HOST) : (size_t)who + 2;
}

struct smi_wall *smi_part_wall(struct smi_part *p, int who)
{
    size_t at = smi_part_place(who);
    if (at >= p->walls) {
        if (smi_mem_reserve(&p->wall, &p->walls_cap, at + 1, sizeof *p->wall))
            return NULL;
        p->walls = at + 1;
    }
    return &p->wall[at];
}

/* A time for a row that has none, or a date for one that has no date. Returns 0, or -1 with err. */
static int give_time(struct smi_part *p, struct smi_sample *s, struct smi_err *err)
{
    const struct smi_given *g = &p->given;
    struct smi_wall *w;
    int64_t us;
    if (g->how == SMI_GIVEN_DATE && s->timed)
        s->t_ms += g->start_us / 1000;
    if (g->how != SMI_GIVEN_STEPS || s->timed)
        return 0;
    if (!(w = smi_part_wall(p, s->who)))
        return smi_err_nomem(err);
    if (__builtin_mul_overflow(w->untimed++, g->step_us, &us) || __builtin_add_overflow(us, g->start_us, &us))
        return 0;
    s->timed = true;
    s->t_ms = smi_part_ms(us);
    p->unsure = true; /* counted from the beginning */
    return 0;
}

/* The stamp of a row on the clock of the run. Returns 0, or -1 with err. */
static int on_the_clock(struct smi_part *p, int who, int64_t *t_ms, struct smi_err *err)
{
    struct smi_wall *w = smi_part_wall(p, who);
    int64_t stamp = *t_ms;
    enum smi_walled what;
    if (!w)
        return smi_err_nomem(err);
    what = smi_wall_put(w, &p->wall_opts, t_ms);
    p->unsure |= what != SMI_WALL_PLAIN;
    p->account.stamps_never += what == SMI_WALL_NEVER;
    p->account.stamps_twice += what == SMI_WALL_TWICE;
    p->account.stamps_again += what == SMI_WALL_AGAIN;
    p->by_zone |= p->wall_opts.zone != NULL;
    return what == SMI_WALL_STEP ? say_step(p, *t_ms, stamp, err) : 0;
}

static bool walled(const struct smi_part *p)
{
    return p->wall_opts.zone || p->wall_opts.steps;
}

void smi_part_tell(struct smi_account *a, enum smi_taken what)
{
    a->rows += what == SMI_TAKEN_KEPT;
    a->duplicates += what == SMI_TAKEN_DUPLICATE;
}

/* A row about a process; without one, or with nothing known of it, it only counts. */
static int take_process(struct smi_part *p, const struct smi_sample *s, struct smi_err *err)
{
    const struct smi_process *q = s->process;
    bool nobody = q->none || (q->pid < 0 && !q->name.n && !s->n);
    enum smi_proc_taken what = nobody ? SMI_PROC_KEPT : smi_procs_take(&p->procs, s, err);
    p->account.rows += what == SMI_PROC_KEPT;
    p->account.duplicates += what == SMI_PROC_AGAIN;
    return what == SMI_PROC_ERROR ? -1 : 0;
}

/* The last row so far: messages are as late as it is. */
static void now(struct smi_part *p, int64_t t_ms, int who)
{
    p->has_now = true;
    p->now_ms = t_ms;
    p->now_who = who;
}

/* A row that is only looked at: of those that were there before, all that is kept is when the last one was. */
static int show(struct smi_part *p, struct smi_track *t, const struct smi_sample *s, struct smi_err *err)
{
    if (s->timed && smi_track_duplicate(t, s) != SMI_TAKEN_KEPT)
        return 0;
    t->last.has = s->timed;
    t->last.t_ms = s->t_ms;
    t->last.fine = s->fine;
    return p->tap->row(p->tap, p, s, err);
}

static int take(struct smi_sink *self, const struct smi_sample *s, struct smi_err *err)
{
    struct smi_part *p = (struct smi_part *)self;
    struct smi_sample own = *s;
    struct smi_track *t;
    enum smi_taken what;
    int64_t stamp;
    if (p->given.how && give_time(p, &own, err))
        return -1;
    stamp = own.t_ms;
    if (s->timed && walled(p) && on_the_clock(p, s->who, &own.t_ms, err))
        return -1;
    if (own.timed) {
        smi_part_see(p, own.t_ms, stamp - own.t_ms);
        now(p, own.t_ms, s->who);
    }
    if (s->process)
        return take_process(p, &own, err);
    t = track_of(p, s->who, s->shared);
    if (!t)
        return smi_err_nomem(err);
    if (p->tap)
        return show(p, t, &own, err);
    what = smi_track_take(t, &own, err);
    if (!s->shared)
        smi_part_tell(&p->account, what);
    if (what == SMI_TAKEN_ERROR || (p->tape && what != SMI_TAKEN_DUPLICATE && smi_tape_row(p->tape, &own, err)))
        return -1;
    return !own.timed ? smi_part_spread_row(p, t, &own, err) : 0;
}

/* The rows of each track, in their order: of the k-th device (whos[k]) those from begin[k] to begin[k + 1]. */
struct lanes {
    unsigned n;
    int who[SMI_ROWS_MAX];
    unsigned begin[SMI_ROWS_MAX + 1];
    uint16_t row[SMI_ROWS_MAX];
};

/* Of one device are all rows of nearly every log. */
static bool is_one(struct lanes *l, const struct smi_rows *r)
{
    int other = 0;
    for (unsigned i = 1; i < r->n; i++)
        other |= r->who[i] ^ r->who[0];
    for (unsigned i = 0; i < r->n && !other; i++)
        l->row[i] = (uint16_t)i;
    l->n = 1;
    l->who[0] = r->who[0];
    l->begin[0] = 0;
    l->begin[1] = r->n;
    return !other;
}

/* Do the devices come in turn? Then the same ones are as far from each other everywhere. */
static bool in_turn(struct lanes *l, const struct smi_rows *r)
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
    if (other || n == r->n || r->who[n] != r->who[0])
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

static void sort(struct lanes *l, const struct smi_rows *r)
{
    enum { SPECIAL = 3 }; /* SMI_WHO_* are -1 to -3 */
    uint16_t count[SMI_DEVICE_MAX + SPECIAL], at[SMI_ROWS_MAX], place = 0;
    int most = -SPECIAL;
    if (is_one(l, r) || in_turn(l, r))
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
static int block_clock(struct smi_part *p, const struct smi_rows *r, int64_t *t_ms, struct smi_err *err)
{
    struct smi_wall *w = NULL;
    for (unsigned i = 0; i < r->n; i++) {
        if ((i == 0 || r->who[i] != r->who[i - 1]) && !(w = smi_part_wall(p, r->who[i])))
            return smi_err_nomem(err);
        if (!smi_wall_goes_on(w, &p->wall_opts, &t_ms[i]) && on_the_clock(p, r->who[i], &t_ms[i], err))
            return -1;
    }
    p->by_zone |= p->wall_opts.zone != NULL;
    return 0;
}

/* The times of a block, as a row alone would get them, in *t_ms: as they are, or in own, which has room for them. */
static int block_times(struct smi_part *p, const struct smi_rows *r, int64_t *own, const int64_t **t_ms,
                       struct smi_err *err)
{
    int64_t date_ms = p->given.how == SMI_GIVEN_DATE ? p->given.start_us / 1000 : 0, min, max, ahead = 0;
    *t_ms = r->t_ms;
    for (unsigned i = 0; i < r->n && (date_ms || walled(p)); i++)
        own[i] = r->t_ms[i] + date_ms;
    if (date_ms || walled(p))
        *t_ms = own;
    if (walled(p) && block_clock(p, r, own, err))
        return -1;
    smi_loop_time_ends(*t_ms, r->n, &min, &max);
    for (unsigned i = 0; walled(p) && i < r->n; i++)
        if (own[i] == min) {
            ahead = r->t_ms[i] + date_ms - min;
            break;
        }
    smi_part_see(p, **t_ms, r->t_ms[0] + date_ms - **t_ms); /* these three are all that the others could tell */
    smi_part_see(p, min, ahead);
    smi_part_see(p, max, 0);
    return 0;
}

static int one_by_one(struct smi_sink *self, const struct smi_rows *r, struct smi_err *err)
{
    int64_t v[SMI_ROWS_COLUMNS];
    for (unsigned i = 0; i < r->n; i++) {
        struct smi_sample s = smi_rows_sample(r, i, v);
        if (take(self, &s, err))
            return -1;
    }
    return 0;
}

/* The rows at[0 ... n - 1] of the k-th lane into their track. */
static int lane_rows(struct smi_part *p, const struct smi_rows *r, int who, const uint16_t *at, unsigned n,
                     struct smi_told *told, struct smi_err *err)
{
    struct smi_track *t = track_of(p, who, false);
    if (!t)
        return smi_err_nomem(err);
    if (smi_track_rows(t, r, at, n, told, err))
        return -1;
    return r->timed ? 0 : smi_part_spread_rows(p, t, r, who, at, n, err);
}

static int rows(struct smi_sink *self, const struct smi_rows *r, struct smi_err *err)
{
    struct smi_part *p = (struct smi_part *)self;
    struct smi_told told = {0};
    struct smi_rows own = *r;
    struct lanes l;
    int64_t t_ms[SMI_ROWS_MAX];
    if (p->given.how == SMI_GIVEN_STEPS || p->tap || p->tape)
        return one_by_one(self, r, err);
    if (r->timed && block_times(p, r, t_ms, &own.t_ms, err))
        return -1;
    if (r->timed)
        now(p, own.t_ms[r->n - 1], r->who[r->n - 1]);
    sort(&l, r);
    for (unsigned k = 0; k < l.n; k++)
        if (lane_rows(p, &own, l.who[k], l.row + l.begin[k], l.begin[k + 1] - l.begin[k], &told, err))
            return -1;
    p->account.rows += told.kept;
    p->account.duplicates += told.duplicates;
    return 0;
}

/* The stamp of a fault is understood as the next one of its device would be, and teaches nothing. */
static int64_t fault_time(struct smi_part *p, const struct smi_mark *m)
{
    size_t at = smi_part_place(m->who < 0 ? p->now_who : m->who);
    struct smi_wall w = at < p->walls ? p->wall[at] : (struct smi_wall){0};
    int64_t t_ms = smi_part_ms(m->t_us + (p->given.how == SMI_GIVEN_DATE ? p->given.start_us : 0));
    if (walled(p) && smi_wall_put(&w, &p->wall_opts, &t_ms) != SMI_WALL_PLAIN)
        p->unsure = true;
    return t_ms;
}

static int mark(struct smi_sink *self, const struct smi_mark *m, struct smi_err *err)
{
    struct smi_part *p = (struct smi_part *)self;
    if (m->kind == SMI_MARK_BREAK)
        return 0;
    if (m->kind == SMI_MARK_FAULT)
        return smi_faults_take(&p->faults, m, m->timed || p->has_now, m->timed ? fault_time(p, m) : p->now_ms, err);
    if (p->tape && smi_tape_mark(p->tape, m, err))
        return -1;
    return smi_runlog_mark(&p->log, m, err);
}

struct smi_sink smi_part_sink(void)
{
    return (struct smi_sink){.take = take, .mark = mark, .rows = rows};
}
