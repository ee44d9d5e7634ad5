/* reread.c - the rows of a run once more, for exports and timelines. */
#include "sweep/reread.h"
#include "aggregate/row_spool.h"
#include "summary/summary.h"
#include "sweep/read_run.h"

#include <string.h>

/* ---- rows: those of one log, from its tape ---- */

static int hand_row_on(void *self, uint64_t ordinal, const struct smi_rows *r, const int64_t *v,
                       struct smi_err *err)
{
    const struct smi_run_rows *p = self;
    struct smi_run_row row = {
        .ordinal = ordinal,
        .gpu = smi_summary_place(p->of, p->input, *r->who),
        .timed = r->timed && p->timed,
        .input = p->part->path,
        .format = r->aside > SMI_FMT_COUNT ? "other"
                                           : smi_format_infos[r->aside ? r->aside - 1 : p->part->format].name,
        .n = r->metrics,
        .metric = r->metric,
        .v = v};
    row.t_ms = row.timed ? *r->t_ms - p->shift_ms : 0;
    return ordinal < p->from || row.gpu == SMI_PLACE_NONE ? 0 : p->fn(p->self, &row, err);
}

int smi_run_rows_play(const struct smi_run_rows *r, struct smi_err *err)
{
    const struct smi_row_spool_callbacks calls = {.row = hand_row_on, .self = (void *)(uintptr_t)r};
    return r->from < r->part->tape->rows ? smi_row_spool_replay(r->part->tape, &calls, err) : 0;
}

int smi_reread_rows(const struct smi_sweep *s, size_t i, smi_run_row_fn *fn, void *self, struct smi_err *err)
{
    const struct smi_summary *of = &s->runs[i];
    struct smi_spill_file scratch = {0};
    struct smi_options o;
    struct smi_run run = {0};
    const struct smi_input *in = of->inputs, *const end = of->ninputs ? in + of->ninputs : in;
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
        size_t left = of->ninputs; /* mostly in the order of parts: looked for from the last one on */
        for (; left &&
               (strcmp(in->path, p->path) != 0 || strcmp(in->format, smi_format_infos[p->format].name) != 0);
             left--)
            in = in + 1 < end ? in + 1 : of->inputs;
        /* Is a time on this base one on that of the summary's start? */
        const bool zoned = of->zoned, local = p->base == SMI_TIME_BASE_LOCAL,
                   timed = of->has_start ? local || (p->base == SMI_TIME_BASE_UTC && zoned)
                                         : p->base >= SMI_TIME_BASE_DAY;
        rows += p->tape->rows;
        const struct smi_run_rows all = {
            of, left ? in : NULL, p, timed, local && zoned ? p->opts.shift_us / 1000 : 0, 0, fn, self};
        rc = smi_run_rows_play(&all, err);
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

/* ---- timelines ---- */

struct timelines {
    struct smi_sweep *s;
    struct smi_options o;
    size_t *place; /* in s->runs, of those that are read */
};

/* The timeline of what was read, if it is still the run that was summarised. */
static int take_timeline(void *self, size_t k, struct smi_run *run, struct smi_read_buffers *room,
                         struct smi_err *err)
{
    const struct timelines *t = self;
    struct smi_summary *s = &t->s->runs[t->place[k]], fresh;
    struct smi_options o = t->o;
    (void)room;
    o.timeline_room = &s->arena;
    const int rc = smi_run_build(&fresh, run, &o, err);
    if (!rc && fresh.ngpus == s->ngpus)
        s->timeline = fresh.timeline;
    smi_summary_fini(&fresh);
    return rc;
}

int smi_reread_timelines(struct smi_sweep *s, const struct smi_reread *how, const size_t *place, size_t n,
                         size_t points, struct smi_err *err)
{
    struct timelines t = {.s = s, .o = *how->o};
    struct smi_run_reader r = {.found = &s->found, .d = how->d, .o = &t.o, .take = take_timeline, .self = &t};
    size_t *at = smi_mem_new(n, sizeof *at); /* the same in s->found */
    bool *chosen = smi_mem_new(s->n, sizeof *chosen);
    int rc;
    t.place = smi_mem_new(n, sizeof *t.place);
    for (size_t i = 0; i < n; i++)
        chosen[place[i]] = true;
    for (size_t i = 0; i < s->n; i++)
        if (!chosen[i])
            s->runs[i].timeline = NULL;
    for (size_t i = 0; i < n; i++) {
        const struct smi_summary *run = &s->runs[place[i]];
        if (run->timeline || run->place >= s->found.runs)
            continue;
        at[r.n] = run->place;
        t.place[r.n++] = place[i];
    }
    r.place = at;
    t.o.timeline = true;
    t.o.skip_series = 0;
    t.o.text = NULL;
    t.o.threads = 0;
    rc = smi_runs_read(&r, err);
    for (size_t i = 0; i < s->n && points; i++)
        if (s->runs[i].timeline)
            smi_timeline_coarsen((struct smi_timeline *)s->runs[i].timeline, points);
    smi_mem_free(chosen);
    smi_mem_free(t.place);
    smi_mem_free(at);
    return rc;
}
