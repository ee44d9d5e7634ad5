#include "stats/part.h"

#include "stats/track_inner.h"
#include "base/clock.h"
#include "base/mem.h"

#include <string.h>

static struct smi_track *new_track(struct smi_part *p, bool dedupe)
{
    struct smi_track *t = smi_mem_new(1, sizeof *t);
    if (t)
        smi_track_init(t, &p->opts, dedupe);
    return t;
}

static struct smi_track *pool_of(struct smi_part *p)
{
    if (!p->pool && (p->pool = new_track(p, false)))
        p->pool->pooled = true;
    return p->pool;
}

/* The track of a sample, made if it is new; NULL without memory. */
static struct smi_track *track_of(struct smi_part *p, int who, bool shared)
{
    if (who == SMI_WHO_HOST)
        return p->host ? p->host : (p->host = new_track(p, false));
    if (who < 0)
        return pool_of(p);
    if ((size_t)who >= p->tracks) {
        if (smi_mem_reserve(&p->track, &p->tracks_cap, (size_t)who + 1, sizeof *p->track))
            return NULL;
        p->tracks = (size_t)who + 1;
    }
    if (!p->track[who])
        p->track[who] = new_track(p, !shared && p->devices.list[who].ordinal < 0);
    return p->track[who];
}

static void see(struct smi_part *p, int64_t t_ms, int64_t ahead_ms)
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
    rc = smi_account_odd(&p->account, SMI_ODD_OTHER, err, "the clock is set %s by an hour at %.19s: taken for the %s of "
                         "summer time", stamp_ms < t_ms ? "back" : "forward", at, stamp_ms < t_ms ? "end" : "beginning");
    p->account.lines = line;
    return rc;
}

static size_t place_of(int who)
{
    return who < 0 ? (size_t)(who == SMI_WHO_HOST) : (size_t)who + 2;
}

static struct smi_wall *wall_of(struct smi_part *p, int who)
{
    size_t at = place_of(who);
    if (at >= p->walls) {
        if (smi_mem_reserve(&p->wall, &p->walls_cap, at + 1, sizeof *p->wall))
            return NULL;
        p->walls = at + 1;
    }
    return &p->wall[at];
}

static int64_t floor_ms(int64_t us)
{
    return us / 1000 - (us % 1000 < 0);
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
    if (!(w = wall_of(p, s->who)))
        return smi_err_nomem(err);
    if (__builtin_mul_overflow(w->untimed++, g->step_us, &us) || __builtin_add_overflow(us, g->start_us, &us))
        return 0;
    s->timed = true;
    s->t_ms = floor_ms(us);
    p->unsure = true; /* counted from the beginning */
    return 0;
}

/* A row without a time, into the phases in which it probably was. */
static int spread(struct smi_part *p, struct smi_track *t, const struct smi_sample *s, struct smi_err *err)
{
    const struct smi_given *g = &p->given;
    struct smi_wall *w = wall_of(p, s->who);
    struct smi_sample at = *s;
    int64_t rows = place_of(s->who) < g->devices ? g->rows[place_of(s->who)] : 0;
    if (!w)
        return smi_err_nomem(err);
    if (w->untimed >= rows) /* the file has grown since it was counted */
        return 0;
    at.t_ms = floor_ms(g->start_us + (rows > 1 ? (int64_t)((smi_i128)g->span_us * w->untimed / (rows - 1)) : 0));
    w->untimed++;
    return smi_track_tally_row(t, &at) ? smi_err_nomem(err) : 0;
}

/* The stamp of a row on the clock of the run. Returns 0, or -1 with err. */
static int on_the_clock(struct smi_part *p, int who, int64_t *t_ms, struct smi_err *err)
{
    struct smi_wall *w = wall_of(p, who);
    int64_t stamp = *t_ms;
    enum smi_walled what;
    if (!w)
        return smi_err_nomem(err);
    what = smi_wall_put(w, &p->wall_opts, t_ms);
    p->unsure |= what != SMI_WALL_PLAIN;
    p->by_zone |= p->wall_opts.zone != NULL;
    return what == SMI_WALL_STEP ? say_step(p, *t_ms, stamp, err) : 0;
}

static bool walled(const struct smi_part *p)
{
    return p->wall_opts.zone || p->wall_opts.steps;
}

static void tell(struct smi_account *a, enum smi_taken what)
{
    a->rows += what == SMI_TAKEN_KEPT;
    a->duplicates += what == SMI_TAKEN_DUPLICATE || what == SMI_TAKEN_DIFFERS;
    a->duplicates_differ += what == SMI_TAKEN_DIFFERS;
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
    if (own.timed)
        see(p, own.t_ms, stamp - own.t_ms);
    if (s->process)
        return take_process(p, &own, err);
    t = track_of(p, s->who, s->shared);
    if (!t)
        return smi_err_nomem(err);
    what = smi_track_take(t, &own, err);
    if (!s->shared)
        tell(&p->account, what);
    if (what == SMI_TAKEN_ERROR)
        return -1;
    return !own.timed && p->given.how == SMI_GIVEN_SPREAD && p->opts.phases ? spread(p, t, &own, err) : 0;
}

/* The rows of each track, in their order: of the k-th device (whos[k]) those from begin[k] to begin[k + 1]. */
struct lanes {
    unsigned n;
    int who[SMI_ROWS_MAX];
    unsigned begin[SMI_ROWS_MAX + 1];
    uint16_t row[SMI_ROWS_MAX];
};

static void sort(struct lanes *l, const struct smi_rows *r)
{
    enum { SPECIAL = 3 }; /* SMI_WHO_* are -1 to -3 */
    uint16_t count[SMI_DEVICE_MAX + SPECIAL], at[SMI_ROWS_MAX], place = 0;
    int most = -SPECIAL;
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

static int rows(struct smi_sink *self, const struct smi_rows *r, struct smi_err *err)
{
    struct smi_part *p = (struct smi_part *)self;
    struct smi_told told = {0};
    struct smi_rows own = *r;
    struct lanes l;
    int64_t t_ms[SMI_ROWS_MAX];
    sort(&l, r);
    for (unsigned i = 0; r->timed && i < r->n; i++) {
        t_ms[i] = r->t_ms[i];
        if (walled(p) && on_the_clock(p, r->who[i], &t_ms[i], err))
            return -1;
        see(p, t_ms[i], r->t_ms[i] - t_ms[i]);
    }
    if (r->timed)
        own.t_ms = t_ms;
    for (unsigned k = 0; k < l.n; k++) {
        struct smi_track *t = track_of(p, l.who[k], false);
        if (!t)
            return smi_err_nomem(err);
        if (smi_track_rows(t, &own, l.row + l.begin[k], l.begin[k + 1] - l.begin[k], &told, err))
            return -1;
    }
    p->account.rows += told.kept;
    p->account.duplicates += told.duplicates;
    p->account.duplicates_differ += told.differ;
    return 0;
}

static int mark(struct smi_sink *self, const struct smi_mark *m, struct smi_err *err)
{
    struct smi_part *p = (struct smi_part *)self;
    if (m->kind == SMI_MARK_BREAK)
        return 0;
    return smi_runlog_mark(&p->log, m, err);
}

struct smi_part *smi_part_new(const char *path, int format)
{
    struct smi_part *p = smi_mem_new(1, sizeof *p);
    if (!p)
        return NULL;
    p->sink = (struct smi_sink){.take = take, .mark = mark, .rows = rows};
    p->format = format;
    p->path = smi_mem_text(path, strlen(path));
    smi_counts_init(&p->dts, 1);
    if (!p->path) {
        smi_mem_free(p);
        return NULL;
    }
    return p;
}

static void free_track(struct smi_track *t)
{
    if (t)
        smi_track_fini(t);
    smi_mem_free(t);
}

void smi_part_free(struct smi_part *p)
{
    if (!p)
        return;
    for (size_t i = 0; i < p->tracks; i++)
        free_track(p->track[i]);
    smi_mem_free(p->track);
    free_track(p->host);
    free_track(p->pool);
    smi_account_fini(&p->account);
    smi_devices_fini(&p->devices);
    smi_counts_fini(&p->dts);
    smi_procs_fini(&p->procs);
    smi_runlog_fini(&p->log);
    smi_mem_free(p->wall);
    smi_mem_free(p->given.rows);
    smi_mem_free(p->path);
    smi_mem_free(p->docs);
    smi_mem_free(p);
}

/* Intervals that ended inside the part belong to its own account; called before anything joins. */
static int own_dts(struct smi_part *p, struct smi_track *t)
{
    if (!t)
        return 0;
    return smi_counts_merge(&p->dts, &t->dts) || smi_counts_move(&t->lengths, &t->dts) ? -1 : 0;
}

/* Intervals across an edge belong to the input in which they end, and to their track. */
static int own_edge(struct smi_part *p, struct smi_track *t, struct smi_counts *edge, int rc, struct smi_err *err)
{
    if (rc >= 0 && (smi_counts_merge(&p->dts, edge) || smi_counts_merge(&t->lengths, edge)))
        rc = smi_err_nomem(err);
    smi_counts_fini(edge);
    return rc;
}

/* See smi_track_close. */
static int close_track(struct smi_part *p, struct smi_track *t, struct smi_err *err)
{
    struct smi_counts edge;
    smi_counts_init(&edge, 1);
    return own_edge(p, t, &edge, smi_track_close(t, &edge, err), err);
}

static int own_all_dts(struct smi_part *p)
{
    for (size_t i = 0; i < p->tracks; i++)
        if (own_dts(p, p->track[i]))
            return -1;
    return own_dts(p, p->host) || own_dts(p, p->pool) ? -1 : 0;
}

/* Nothing of this device came before: its withheld row is sure now, and counts in b's account. */
static int settle_head(struct smi_part *b, struct smi_track *t, struct smi_err *err)
{
    int rc = close_track(b, t, err);
    b->account.rows += rc > 0;
    return rc < 0 ? -1 : 0;
}

/* front: everything that comes before b in its stream is in *to. */
static int join_track(struct smi_part *b, struct smi_track **to, struct smi_track **from, const struct smi_track_opts *o,
                      bool front, struct smi_err *err)
{
    enum smi_taken head;
    struct smi_counts edge;
    if (!*from)
        return 0;
    if (front && (!*to || (!(*to)->head.has && !(*to)->first.has)) && settle_head(b, *from, err))
        return -1;
    if (!*to) {
        *to = *from;
        (*to)->opts = o;
        *from = NULL;
        return 0;
    }
    smi_counts_init(&edge, 1);
    if (own_edge(b, *to, &edge, smi_track_join(*to, *from, &head, &edge, err), err))
        return -1;
    tell(&b->account, head);
    free_track(*from);
    *from = NULL;
    return 0;
}

bool smi_device_same(const struct smi_device *a, const struct smi_device *b)
{
    static const enum smi_key keys[] = {SMI_KEY_UUID, SMI_KEY_BUS};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (a->key[keys[i]] && b->key[keys[i]])
            return strcmp(a->key[keys[i]], b->key[keys[i]]) == 0;
    return smi_device_index(a) >= 0 && smi_device_index(a) == smi_device_index(b);
}

/* b's device in a's numbering, made if it is new. */
static int number(struct smi_part *a, const struct smi_device *d, struct smi_err *err)
{
    struct smi_text key[SMI_KEY_COUNT] = {{NULL, 0}};
    int who;
    if (d->ordinal >= 0) {
        who = smi_devices_ordinal(&a->devices, d->ordinal, err);
    } else {
        for (int k = 0; k < SMI_KEY_COUNT; k++)
            if (d->key[k])
                key[k] = smi_text_of(d->key[k]);
        who = smi_devices_key(&a->devices, key, err);
    }
    if (who >= 0 && d->name && smi_devices_name(&a->devices, who, smi_text_of(d->name), err))
        return -1;
    return who;
}

/* Would a reader of both have taken the first stamp of b's device for a step? Pieces of one input only. */
static int join_walls(struct smi_part *a, const struct smi_part *b, size_t to, size_t from)
{
    if (from >= b->walls || !b->wall[from].has)
        return 0;
    if (to >= a->walls) {
        if (smi_mem_reserve(&a->wall, &a->walls_cap, to + 1, sizeof *a->wall))
            return -1;
        a->walls = to + 1;
    }
    a->unsure |= smi_wall_breaks(&a->wall[to], &b->wall[from], &b->wall_opts);
    a->wall[to] = b->wall[from];
    return 0;
}

static int join_tracks(struct smi_part *a, struct smi_part *b, bool front, struct smi_err *err)
{
    for (size_t i = 0; i < b->tracks; i++) {
        int who = number(a, &b->devices.list[i], err);
        if (who == -1)
            return -1;
        if (who < 0) /* past SMI_DEVICE_MAX: a merge of so many is refused, not bent */
            return smi_err_set(err, SMI_ELIMIT, "%.200s: more than %d devices", a->path, SMI_DEVICE_MAX);
        if ((size_t)who >= a->tracks) {
            if (smi_mem_reserve(&a->track, &a->tracks_cap, (size_t)who + 1, sizeof *a->track))
                return smi_err_nomem(err);
            a->tracks = (size_t)who + 1;
        }
        if (join_walls(a, b, (size_t)who + 2, i + 2))
            return smi_err_nomem(err);
        if (join_track(b, &a->track[who], &b->track[i], &a->opts, front, err))
            return -1;
    }
    if (join_walls(a, b, 0, 0) || join_walls(a, b, 1, 1))
        return smi_err_nomem(err);
    return join_track(b, &a->host, &b->host, &a->opts, front, err) ||
                   join_track(b, &a->pool, &b->pool, &a->opts, front, err)
               ? -1
               : 0;
}

/* An accounting record that a has already is a duplicate in b's account, as it would have been in one pass. */
static int join_procs(struct smi_part *a, struct smi_part *b, struct smi_err *err)
{
    for (size_t i = 0; i < b->procs.n; i++) {
        const struct smi_proc *p = &b->procs.list[i];
        int who = p->who >= 0 ? number(a, &b->devices.list[p->who], err) : p->who;
        enum smi_proc_taken what = who == -1 ? SMI_PROC_ERROR : smi_procs_join(&a->procs, p, who, err);
        if (what == SMI_PROC_ERROR)
            return -1;
        b->account.rows -= what == SMI_PROC_AGAIN;
        b->account.duplicates += what == SMI_PROC_AGAIN;
    }
    a->procs.others += b->procs.others;
    smi_procs_fini(&b->procs);
    return 0;
}

int smi_part_join(struct smi_part *a, struct smi_part *b, bool same_input, struct smi_err *err)
{
    if (own_all_dts(a) || own_all_dts(b))
        return smi_err_nomem(err);
    if (join_tracks(a, b, !same_input, err) || join_procs(a, b, err))
        return -1;
    if (b->timed) {
        if (!a->timed)
            see(a, b->begin_ms, b->ahead_ms);
        see(a, b->first_ms, b->ahead_ms);
        see(a, b->last_ms, b->ahead_ms);
    }
    a->unsure |= b->unsure;
    a->by_zone |= b->by_zone;
    if (b->given.how > a->given.how)
        a->given.how = b->given.how;
    a->keyed |= b->keyed;
    if (a->base == SMI_BASE_NONE)
        a->base = b->base;
    if (!same_input)
        return 0;
    if (smi_counts_merge(&a->dts, &b->dts))
        return smi_err_nomem(err);
    return smi_account_merge(&a->account, &b->account, err);
}

int smi_part_close(struct smi_part *p, struct smi_err *err)
{
    if (own_all_dts(p))
        return smi_err_nomem(err);
    for (size_t i = 0; i < p->tracks; i++) {
        int rc = p->track[i] ? close_track(p, p->track[i], err) : 0;
        if (rc < 0)
            return -1;
        p->account.rows += rc;
    }
    return own_all_dts(p) ? smi_err_nomem(err) : 0;
}
