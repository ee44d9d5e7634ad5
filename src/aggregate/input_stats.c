#include "base/mem.h"
#include "aggregate/input_stats_private.h"

#include <string.h>

struct smi_input_stats *smi_input_stats_new(const char *path, int format)
{
    struct smi_input_stats *p = smi_mem_new(1, sizeof *p);
    if (!p)
        return NULL;
    p->sink = smi_input_stats_sink();
    p->format = format;
    p->path = smi_mem_text(path, strlen(path));
    smi_counts_init(&p->dts, 1);
    if (!p->path) {
        smi_mem_free(p);
        return NULL;
    }
    return p;
}

static void free_device(struct smi_device_stats *t)
{
    if (t)
        smi_device_stats_fini(t);
    smi_mem_free(t);
}

void smi_free_list_fini(struct smi_free_list *s)
{
    while (s->n)
        free_device(s->list[--s->n].track);
}

/* The end of a track of p. */
static void release_device(struct smi_input_stats *p, struct smi_device_stats *t)
{
    struct smi_free_list *s = p->spares;
    if (t && s && s->n < sizeof s->list / sizeof *s->list)
        s->list[s->n++] = (struct smi_free_device_stats){t, p->format};
    else
        free_device(t);
}

struct smi_device_stats *smi_input_stats_new_device(struct smi_input_stats *p, bool dedupe)
{
    struct smi_device_stats *t = NULL;
    for (size_t i = p->spares ? p->spares->n : 0; i-- > 0 && !t;)
        if (p->spares->list[i].format == p->format) {
            t = p->spares->list[i].track;
            p->spares->list[i] = p->spares->list[--p->spares->n];
        }
    if (t)
        smi_device_stats_reset(t, &p->opts, dedupe);
    else if ((t = smi_mem_new(1, sizeof *t)))
        smi_device_stats_init(t, &p->opts, dedupe);
    return t;
}

void smi_input_stats_free(struct smi_input_stats *p)
{
    if (!p)
        return;
    for (size_t i = 0; i < p->tracks; i++)
        release_device(p, p->track[i]);
    smi_mem_free(p->track);
    smi_mem_free(p->joined_as);
    release_device(p, p->host);
    release_device(p, p->pool);
    smi_account_fini(&p->account);
    smi_devices_fini(&p->devices);
    smi_counts_fini(&p->dts);
    smi_procs_fini(&p->procs);
    smi_faults_fini(&p->faults);
    smi_runlog_fini(&p->log);
    smi_row_spool_free(p->tape);
    smi_mem_free(p->wall);
    smi_mem_free(p->given.rows);
    smi_mem_free(p->path);
    smi_mem_free(p->docs);
    smi_mem_free(p);
}

/* Intervals that ended inside the part belong to its own account; called before anything joins. */
static int count_own_intervals(struct smi_input_stats *p, struct smi_device_stats *t)
{
    if (!t)
        return 0;
    return smi_counts_merge(&p->dts, &t->dts) || smi_counts_move(&t->lengths, &t->dts) ? -1 : 0;
}

/* Intervals across an edge belong to the input in which they end, and to their track. */
static int count_edge_intervals(struct smi_input_stats *p, struct smi_device_stats *t,
                                struct smi_counts *edge, int rc, struct smi_err *err)
{
    if (rc >= 0 && (smi_counts_merge(&p->dts, edge) || smi_counts_merge(&t->lengths, edge)))
        rc = smi_err_nomem(err);
    smi_counts_fini(edge);
    return rc;
}

/* See smi_device_stats_close. */
static int close_device(struct smi_input_stats *p, struct smi_device_stats *t, struct smi_err *err)
{
    struct smi_counts edge;
    smi_counts_init(&edge, 1);
    return count_edge_intervals(p, t, &edge, smi_device_stats_close(t, &edge, err), err);
}

static int count_all_own_intervals(struct smi_input_stats *p)
{
    for (size_t i = 0; i < p->tracks; i++)
        if (count_own_intervals(p, p->track[i]))
            return -1;
    return count_own_intervals(p, p->host) || count_own_intervals(p, p->pool) ? -1 : 0;
}

/* Nothing of this device came before: its withheld row is sure now, and counts in b's account. */
static int keep_withheld_row(struct smi_input_stats *b, struct smi_device_stats *t, struct smi_err *err)
{
    int rc = close_device(b, t, err);
    b->account.rows += rc > 0;
    return rc < 0 ? -1 : 0;
}

/* front: everything that comes before b in its stream is in *to. */
static int join_device(struct smi_input_stats *b, struct smi_device_stats **to,
                       struct smi_device_stats **from, const struct smi_device_stats_opts *o, bool front,
                       struct smi_err *err)
{
    struct smi_add_counts head;
    struct smi_counts edge;
    if (!*from)
        return 0;
    if (front && (!*to || (!(*to)->head.has && !(*to)->first.has)) && keep_withheld_row(b, *from, err))
        return -1;
    if (!*to) {
        *to = *from;
        (*to)->opts = o;
        *from = NULL;
        return 0;
    }
    smi_counts_init(&edge, 1);
    if (count_edge_intervals(b, *to, &edge, smi_device_stats_join(*to, *from, &head, &edge, err), err))
        return -1;
    b->account.rows += head.kept;
    b->account.duplicates += head.duplicates;
    free_device(*from);
    *from = NULL;
    return 0;
}

/* b's device in a's numbering, made if it is new. */
static int map_device(struct smi_input_stats *a, const struct smi_device *d, struct smi_err *err)
{
    struct smi_text key[SMI_DEVICE_KEY_COUNT] = {{NULL, 0}};
    int who;
    if (d->ordinal >= 0) {
        who = smi_devices_find_ordinal(&a->devices, d->ordinal, err);
    } else {
        for (int k = 0; k < SMI_DEVICE_KEY_COUNT; k++)
            if (d->key[k])
                key[k] = smi_text_of(d->key[k]);
        who = smi_devices_find_key(&a->devices, key, err);
    }
    if (who >= 0 && d->name && smi_devices_set_name(&a->devices, who, smi_text_of(d->name), err))
        return -1;
    return who;
}

/* Would a reader of both have taken the first stamp of b's device for a step? Pieces of one input only. */
static int join_clocks(struct smi_input_stats *a, const struct smi_input_stats *b, size_t to, size_t from)
{
    if (from >= b->walls || !b->wall[from].has)
        return 0;
    if (!smi_input_stats_clock_at(a, to))
        return -1;
    a->unsure |= smi_local_clock_steps_between(&a->wall[to], &b->wall[from], &b->wall_opts);
    a->wall[to] = b->wall[from];
    return 0;
}

static int join_devices(struct smi_input_stats *a, struct smi_input_stats *b, bool front, struct smi_err *err)
{
    if (!(b->joined_as = smi_mem_new(b->tracks + 1, sizeof *b->joined_as)))
        return smi_err_nomem(err);
    b->joined_to = a;
    for (size_t i = 0; i < b->tracks; i++) {
        const struct smi_device *d = &b->devices.list[i];
        int who = map_device(a, d, err);
        if (who == SMI_DEVICE_POOL) /* its keys fit several of a: it stays apart, and the run tries again */
            who = smi_devices_copy(&a->devices, d, err);
        if (who == -1)
            return -1;
        if (who < 0) /* past SMI_DEVICE_MAX: a merge of so many is refused, not bent */
            return smi_err_set(err, SMI_ELIMIT, "%.200s: more than %d devices", a->path, SMI_DEVICE_MAX);
        if (smi_input_stats_reserve_device(a, who))
            return smi_err_nomem(err);
        b->joined_as[i] = who;
        if (join_clocks(a, b, (size_t)who + 2, i + 2))
            return smi_err_nomem(err);
        if (join_device(b, &a->track[who], &b->track[i], &a->opts, front, err))
            return -1;
    }
    if (join_clocks(a, b, 0, 0) || join_clocks(a, b, 1, 1))
        return smi_err_nomem(err);
    return join_device(b, &a->host, &b->host, &a->opts, front, err) ||
                   join_device(b, &a->pool, &b->pool, &a->opts, front, err)
               ? -1
               : 0;
}

/* An accounting record that a has already is a duplicate in b's account, as it would have been in one pass.
 */
static int join_procs(struct smi_input_stats *a, struct smi_input_stats *b, struct smi_err *err)
{
    for (size_t i = 0; i < b->procs.n; i++) {
        const struct smi_proc *p = &b->procs.list[i];
        int who = p->who >= 0 ? map_device(a, &b->devices.list[p->who], err) : p->who;
        enum smi_proc_result what = who == -1 ? SMI_PROC_ERROR : smi_procs_join(&a->procs, p, who, err);
        if (what == SMI_PROC_ERROR)
            return -1;
        b->account.rows -= what == SMI_PROC_DUPLICATE;
        b->account.duplicates += what == SMI_PROC_DUPLICATE;
    }
    a->procs.others += b->procs.others;
    smi_procs_fini(&b->procs);
    return 0;
}

/* What b told before its first row is as late as a's last one. */
static int join_faults(struct smi_input_stats *a, struct smi_input_stats *b, bool same_input,
                       struct smi_err *err)
{
    if (a->has_now)
        smi_faults_set_open_time(&b->faults, a->now_ms);
    if (b->has_now) {
        a->has_now = true;
        a->now_ms = b->now_ms;
    }
    for (size_t i = 0; same_input && i < b->faults.n; i++) {
        const struct smi_fault_count *f = &b->faults.list[i];
        int who = f->who < 0 ? -1 : map_device(a, &b->devices.list[f->who], err);
        if (f->who >= 0 && who == -1)
            return -1;
        if (smi_faults_join(&a->faults, f, who < 0 ? -1 : who, err))
            return -1;
    }
    return 0;
}

int smi_input_stats_join(struct smi_input_stats *a, struct smi_input_stats *b, bool same_input,
                         struct smi_err *err)
{
    if (count_all_own_intervals(a) || count_all_own_intervals(b))
        return smi_err_nomem(err);
    if (b->pool) /* what is read later of one input does not look at names */
        smi_devices_join_all(&a->devices, &b->devices, !a->pool, !same_input);
    if (join_devices(a, b, !same_input, err) || join_procs(a, b, err) || join_faults(a, b, same_input, err))
        return -1;
    if (b->timed) {
        if (!a->timed)
            smi_input_stats_note_time(a, b->begin_ms, b->ahead_ms);
        smi_input_stats_note_time(a, b->first_ms, b->ahead_ms);
        smi_input_stats_note_time(a, b->last_ms, b->ahead_ms);
    }
    a->unsure |= b->unsure;
    a->by_zone |= b->by_zone;
    if (b->given.how > a->given.how)
        a->given.how = b->given.how;
    a->keyed |= b->keyed;
    if (a->base == SMI_TIME_BASE_NONE)
        a->base = b->base;
    if (!same_input)
        return 0;
    if (smi_counts_merge(&a->dts, &b->dts))
        return smi_err_nomem(err);
    return smi_account_merge(&a->account, &b->account, err);
}

int smi_input_stats_close(struct smi_input_stats *p, struct smi_err *err)
{
    if (count_all_own_intervals(p))
        return smi_err_nomem(err);
    for (size_t i = 0; i < p->tracks; i++) {
        int rc = p->track[i] ? close_device(p, p->track[i], err) : 0;
        if (rc < 0)
            return -1;
        p->account.rows += rc;
    }
    return count_all_own_intervals(p) ? smi_err_nomem(err) : 0;
}
