/* machine_snapshot.c - a copy of the machine's state, for a screen that is paused. */
#include "live/machine_private.h"

#include <string.h>

static int copy_counts(struct smi_counts **to, const struct smi_counts *from)
{
    if (!from)
        return 0;
    *to = smi_mem_new(1, sizeof **to);
    if (!*to)
        return -1;
    smi_counts_init(*to, from->step);
    return smi_counts_merge(*to, from);
}

/* What machine_statistics.c reads of a GPU's statistics. */
static int copy_track(struct smi_device_stats *to, const struct smi_device_stats *from)
{
    for (int slot = 0; slot < SMI_HISTORY_SLOTS; slot++)
        if (copy_counts(&to->counts[smi_history_metric[slot]], from->counts[smi_history_metric[slot]]))
            return -1;
    for (int i = 0; i < SMI_TIMED_COUNT; i++)
        if (smi_series_merge(&to->timed[i].series, &from->timed[i].series) ||
            smi_time_sum_merge(&to->timed[i].sum, &from->timed[i].sum))
            return -1;
    return smi_time_sum_merge(&to->idle, &from->idle) || smi_time_sum_merge(&to->covered, &from->covered) ||
                   smi_counts_merge(&to->dts, &from->dts) || smi_counts_merge(&to->lengths, &from->lengths)
               ? -1
               : 0;
}

static int new_track(struct smi_device_stats **to, const struct smi_device_stats *from,
                     const struct smi_input_stats *p)
{
    if (!from)
        return 0;
    *to = smi_mem_new(1, sizeof **to);
    if (!*to)
        return -1;
    smi_device_stats_init(*to, &p->opts, from->dedupe);
    return copy_track(*to, from);
}

static struct smi_input_stats *copy_part(const struct smi_input_stats *from, struct smi_err *err)
{
    struct smi_input_stats *p = smi_input_stats_new(from->path, from->format);
    int rc = !p || smi_mem_reserve(&p->track, &p->tracks_cap, from->tracks + 1, sizeof *p->track) ? -1 : 0;
    if (rc == 0) {
        memset(p->track, 0, (from->tracks + 1) * sizeof *p->track);
        p->tracks = from->tracks;
        p->base = from->base;
        p->last_ms = from->last_ms;
        rc = new_track(&p->host, from->host, p);
    }
    for (size_t i = 0; i < from->tracks && rc == 0; i++)
        rc = new_track(&p->track[i], from->track[i], p);
    for (size_t i = 0; i < from->procs.n && rc == 0; i++)
        rc = smi_procs_join(&p->procs, &from->procs.list[i], from->procs.list[i].who, err) == SMI_PROC_ERROR
                 ? -1
                 : 0;
    if (rc == 0)
        return p;
    smi_input_stats_free(p);
    smi_err_nomem(err);
    return NULL;
}

static int copy_rings(struct smi_live_gpu *b)
{
    int rc = 0;
    for (int slot = 0; slot < SMI_HISTORY_SLOTS; slot++) {
        struct smi_history own = {0};
        if (rc == 0)
            rc = smi_history_copy(&own, &b->ring[slot]);
        b->ring[slot] = own;
    }
    return rc;
}

/* The copy of a GPU of n. */
static struct smi_live_gpu *find_copied_gpu(const struct smi_machine *n, struct smi_machine *to,
                                            const struct smi_live_gpu *b)
{
    for (size_t i = 0; i < n->gpus; i++)
        if (n->gpu[i] == b)
            return to->gpu[i];
    return NULL;
}

static int copy_source(const struct smi_machine *n, struct smi_machine *to,
                       const struct smi_live_source *from, struct smi_err *err)
{
    struct smi_live_source *s = smi_mem_new(1, sizeof *s);
    if (!s)
        return smi_err_nomem(err);
    *s = *from;
    s->in = NULL;
    s->head = NULL;
    s->now = to;
    s->part = NULL;
    s->of = NULL;
    s->of_cap = 0;
    s->name = smi_mem_text(from->name, strlen(from->name));
    to->source[to->sources++] = s;
    if (!s->name || (from->nof && smi_mem_reserve(&s->of, &s->of_cap, from->nof, sizeof *s->of))) {
        s->nof = 0;
        return smi_err_nomem(err);
    }
    for (size_t i = 0; i < from->nof; i++)
        s->of[i] = find_copied_gpu(n, to, from->of[i]);
    return !from->part || (s->part = copy_part(from->part, err)) ? 0 : -1;
}

static int copy_all(const struct smi_machine *n, struct smi_machine *to, struct smi_err *err)
{
    if (smi_mem_reserve(&to->gpu, &to->gpus_cap, n->gpus + 1, sizeof *to->gpu) ||
        smi_mem_reserve(&to->source, &to->sources_cap, n->sources + 1, sizeof *to->source) ||
        smi_mem_reserve(&to->alert, &to->alerts_cap, n->alerts + 1, sizeof *to->alert))
        return smi_err_nomem(err);
    if (smi_mem_reserve(&to->run, &to->runs_cap, n->runs + 1, sizeof *to->run))
        return smi_err_nomem(err);
    if (n->runs)
        memcpy(to->run, n->run, n->runs * sizeof *to->run);
    if (n->alerts)
        memcpy(to->alert, n->alert, n->alerts * sizeof *to->alert);
    for (size_t i = 0; i < n->gpus; i++) {
        struct smi_live_gpu *b = smi_mem_new(1, sizeof *b);
        if (!b)
            return smi_err_nomem(err);
        *b = *n->gpu[i];
        to->gpu[to->gpus++] = b;
        if (copy_rings(b))
            return smi_err_nomem(err);
    }
    for (size_t i = 0; i < n->sources; i++)
        if (copy_source(n, to, n->source[i], err))
            return -1;
    return 0;
}

struct smi_machine *smi_machine_snapshot(const struct smi_machine *n, struct smi_err *err)
{
    struct smi_machine *to = smi_mem_new(1, sizeof *to);
    int rc;
    if (!to) {
        smi_err_nomem(err);
        return NULL;
    }
    *to = *n;
    to->gpu = NULL;
    to->gone = NULL;
    to->source = NULL;
    to->alert = NULL;
    to->run = NULL;
    to->runs_cap = 0;
    to->gpus = to->sources = to->gpus_cap = to->sources_cap = to->alerts_cap = 0;
    to->procs[0] = to->procs[1] =
        (struct smi_process_block){0}; /* of the moment only: the screen asks the parts */
    to->arena = (struct smi_arena){0}; /* names are borrowed */
    rc = copy_rings(&to->host) ? smi_err_nomem(err) : copy_all(n, to, err);
    if (rc == 0)
        return to;
    smi_machine_free(to);
    return NULL;
}
