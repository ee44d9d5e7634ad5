/* reread.c - the rows of a run once more, for exports and timelines. */
#include "sweep/reread.h"
#include "aggregate/row_spool.h"
#include "base/pool.h"
#include "summary/summary.h"
#include "sweep/read_run.h"

#include <string.h>

/* ---- rows: those of one log, from its tape ---- */

struct play {
    const struct smi_summary *s;
    const struct smi_input_stats *part;
    const struct smi_input *input; /* the same in the summary; NULL: it knows nothing of the log */
    smi_reread_row_fn *fn;
    void *self;
};

static int hand_row_on(void *self, uint64_t ordinal, const struct smi_rows *r, const int64_t *v,
                       struct smi_err *err)
{
    const struct play *t = self;
    const struct smi_input_stats *p = t->part;
    struct smi_reread_row row = {.input = p->path, .n = r->metrics, .metric = r->metric, .v = v};
    /* Is a time on this base one on that of the summary's start? */
    const bool zoned = t->s->zoned, local = p->base == SMI_TIME_BASE_LOCAL,
               dated = t->s->has_start ? local || (p->base == SMI_TIME_BASE_UTC && zoned)
                                       : p->base >= SMI_TIME_BASE_DAY;
    (void)ordinal;
    row.gpu = smi_summary_place(t->s, t->input, *r->who);
    row.timed = r->timed && dated;
    row.t_ms = row.timed ? *r->t_ms - (local && zoned ? p->opts.shift_us / 1000 : 0) : 0;
    return row.gpu == SMI_PLACE_NONE ? 0 : t->fn(t->self, &row, err);
}

int smi_reread_rows(const struct smi_sweep *s, size_t i, smi_reread_row_fn *fn, void *self,
                    struct smi_err *err)
{
    const struct smi_summary *of = &s->runs[i];
    const struct smi_row_spool_callbacks calls = {.row = hand_row_on, .self = &(struct play){0}};
    struct smi_spill_file scratch = {0};
    struct smi_options o;
    struct smi_run run = {0};
    uint64_t rows = 0;
    int rc;
    if (!s->again || of->place >= s->found.runs)
        return 0;
    if (s->again->d->progress)
        s->again->d->progress(s->again->d->self, i, s->n);
    o = *s->again->o;
    o.scratch = &scratch;
    o.text = NULL;
    o.threads = 1;
    o.skip_series = ~(uint32_t)0;
    smi_read_run(&run, &s->found.run[of->place], &o, NULL);
    rc = scratch.err.code ? smi_err_set(err, scratch.err.code, "%s", scratch.err.text) : 0;
    for (size_t k = 0; k < run.parts && !rc; k++) {
        const struct smi_input_stats *p = run.part[k];
        const struct smi_input *in = of->inputs, *end = in + of->ninputs;
        while (in < end &&
               (strcmp(in->path, p->path) != 0 || strcmp(in->format, smi_format_infos[p->format].name) != 0))
            in++;
        *(struct play *)calls.self = (struct play){of, p, in < end ? in : NULL, fn, self};
        rows += p->tape->rows;
        rc = smi_row_spool_replay(p->tape, &calls, err);
    }
    smi_run_fini(&run);
    smi_spill_file_fini(&scratch);
    return rc ? -1 : rows > 0 || !of->ngpus;
}

/* ---- which runs ---- */

struct rank {
    const struct smi_summary *s;
    size_t at;
    bool named; /* the run is one of the PATHs itself */
    int64_t waste_ms;
};

static int compare_run_rank(const void *x, const void *y)
{
    const struct rank *a = x, *b = y;
    int d = b->named - a->named;
    d = d ? d : (a->waste_ms < b->waste_ms) - (a->waste_ms > b->waste_ms);
    d = d ? d : (a->s->place > b->s->place) - (a->s->place < b->s->place);
    return d ? d : (a->at > b->at) - (a->at < b->at);
}

void smi_reread_choose(const struct smi_sweep *s, const struct smi_reread *how, size_t *order)
{
    struct rank *rank = smi_mem_new(s->n, sizeof *rank);
    for (size_t i = 0; i < s->n; i++) {
        const char *path = s->runs[i].path;
        const size_t n = path ? strlen(path) : 0;
        rank[i] = (struct rank){&s->runs[i], i, false, smi_wasted_ms(&s->runs[i].waste)};
        for (size_t k = 0; how && path && k < how->n; k++)
            rank[i].named |=
                strncmp(path, how->path[k], n) == 0 && !how->path[k][n + strspn(how->path[k] + n, "/")];
    }
    smi_sort(rank, s->n, sizeof *rank, compare_run_rank);
    for (size_t i = 0; i < s->n; i++)
        order[i] = rank[i].at;
    smi_mem_free(rank);
}

/* ---- reading ---- */

struct job {
    struct smi_sweep *s;
    const struct smi_reread *how;
    struct smi_options o;
    const size_t *place; /* in s->runs, of n runs */
    size_t n, next;
    size_t done, all; /* of those that are read */
    size_t points;
    struct smi_pool pool;
};

/* Whether the run is to be read, and can be. */
static bool is_run_chosen(const struct job *j, const struct smi_summary *s)
{
    return !s->timeline && s->place < j->s->found.runs;
}

/* smi_pool_next_fn: the next run to be read. */
static bool next_run(void *self, void *job)
{
    struct job *j = self;
    while (j->next < j->n) {
        struct smi_summary *s = &j->s->runs[j->place[j->next++]];
        if (!is_run_chosen(j, s))
            continue;
        *(struct smi_summary **)job = s;
        return true;
    }
    return false;
}

static void reread_thread(void *self, size_t thread)
{
    struct job *j = self;
    const struct smi_discover_opts *d = j->how->d;
    struct smi_read_buffers room = {0};
    struct smi_err err = {0};
    struct smi_summary *s, fresh;
    (void)thread;
    while (smi_pool_take(&j->pool, next_run, j, &s)) {
        struct smi_run run = {0};
        smi_read_run(&run, &j->s->found.run[s->place], &j->o, &room);
        /* The timeline of what was read, if it is still the run that was summarised. */
        if (smi_run_build(&fresh, &run, &j->o, &err))
            smi_pool_fail(&j->pool, &err);
        else if (fresh.ngpus == s->ngpus && fresh.timeline)
            s->timeline = smi_timeline_copy(fresh.timeline, j->points, &s->arena);
        smi_summary_fini(&fresh);
        smi_run_fini(&run);
        smi_pool_lock(&j->pool);
        j->done++;
        if (d->progress)
            d->progress(d->self, j->done, j->all);
        smi_pool_unlock(&j->pool);
        smi_pool_done(&j->pool);
    }
    smi_read_buffers_fini(&room);
}

/* ---- timelines ---- */

int smi_reread_timelines(struct smi_sweep *s, const struct smi_reread *how, const size_t *place, size_t n,
                         size_t points, struct smi_err *err)
{
    struct job j = {.s = s, .how = how, .o = *how->o, .place = place, .n = n, .points = points};
    bool *chosen = smi_mem_new(s->n, sizeof *chosen);
    int rc;
    for (size_t i = 0; i < n; i++)
        chosen[place[i]] = true;
    for (size_t i = 0; i < s->n; i++) {
        struct smi_summary *run = &s->runs[i];
        if (!chosen[i])
            run->timeline = NULL;
        else if (run->timeline && points && run->timeline->n > points)
            run->timeline = smi_timeline_copy(run->timeline, points, &run->arena);
    }
    smi_mem_free(chosen);
    j.o.timeline = true;
    j.o.skip_series = 0;
    j.o.text = NULL;
    j.o.threads = n ? (unsigned)(how->d->threads / n) : 0;
    for (size_t i = 0; i < n; i++)
        j.all += is_run_chosen(&j, &s->runs[place[i]]);
    smi_pool_init(&j.pool);
    rc = smi_pool_run(&j.pool, how->d->threads < n ? how->d->threads : n, reread_thread, &j, err);
    smi_pool_fini(&j.pool);
    return rc;
}
