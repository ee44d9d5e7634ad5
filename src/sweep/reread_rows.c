#include "sweep/reread_rows.h"

#include "sweep/read_run.h"

#include <string.h>

struct tap {
    struct smi_row_callback tap;
    const struct smi_summary *s;
    smi_reread_row_fn *fn;
    void *self;
    int64_t rows;
    const struct smi_input_stats *part; /* the one at hand */
    const struct smi_input *input;      /* and its input in the summary */
    struct smi_err err;                 /* what fn said: it is not asked again */
};

/* ---- whose row ---- */

/* What the summary knows of the log that is read; NULL: nothing. */
static const struct smi_input *find_input(struct tap *t, const struct smi_input_stats *p)
{
    for (size_t i = 0; t->part != p && i < t->s->ninputs; i++) {
        const struct smi_input *in = &t->s->inputs[i];
        if (strcmp(in->path, p->path) == 0 &&
            (p->format < 0 || strcmp(in->format, smi_format_infos[p->format].name) == 0)) {
            t->part = p;
            t->input = in;
        }
    }
    return t->part == p ? t->input : NULL;
}

/* ---- when ---- */

/* Is a time on this base one on that of the summary's start? *shift_ms is taken off it. */
static bool clock_of(const struct smi_summary *s, const struct smi_input_stats *p, int64_t *shift_ms)
{
    *shift_ms = p->base == SMI_TIME_BASE_LOCAL && s->zoned ? p->opts.shift_us / 1000 : 0;
    if (!s->has_start)
        return p->base >= SMI_TIME_BASE_DAY;
    return p->base == SMI_TIME_BASE_LOCAL || (p->base == SMI_TIME_BASE_UTC && s->zoned);
}

static int hand_row_on(struct smi_row_callback *self, const struct smi_input_stats *p,
                       const struct smi_sample *s, struct smi_err *err)
{
    struct tap *t = (struct tap *)self;
    struct smi_reread_row row = {.input = p->path, .n = s->n, .metric = s->metric, .v = s->v};
    int64_t shift;
    if (t->err.code)
        return -1;
    row.gpu = smi_summary_place(t->s, find_input(t, p), s->who);
    if (row.gpu == SMI_PLACE_NONE)
        return 0;
    row.timed = s->timed && clock_of(t->s, p, &shift);
    row.t_ms = row.timed ? s->t_ms - shift : 0;
    t->rows++;
    return t->fn(t->self, &row, &t->err) ? smi_err_set(err, SMI_EIO, "stopped") : 0;
}

/* ---- the logs ---- */

static bool is_the_run(void *self, const char *name)
{
    const struct tap *t = self;
    return strcmp(t->s->run, name) == 0;
}

int smi_reread_rows(const struct smi_sweep *s, size_t i, smi_reread_row_fn *fn, void *self,
                    struct smi_err *err)
{
    const struct smi_summary *of = &s->runs[i];
    struct tap t = {.tap = {hand_row_on}, .s = of, .fn = fn, .self = self};
    struct smi_err why = {0};
    struct smi_options o;
    struct smi_run run = {0};
    int rc;
    if (!s->again || of->place >= s->found.runs || smi_found_run_is_stream(&s->found.run[of->place]))
        return 0;
    if (s->again->d->progress)
        s->again->d->progress(s->again->d->self, i, s->n);
    o = *s->again->o;
    o.tap = &t.tap;
    o.text = NULL;
    o.threads = 1;
    o.skip_series = ~(uint32_t)0;
    if (s->found.run[of->place].unit)
        rc = smi_reread_archives(s->again, &o, &(struct smi_run_visitor){.wanted = is_the_run, .self = &t},
                                 &why);
    else
        rc = smi_read_run(&run, &s->found.run[of->place], &o, NULL, &why);
    smi_run_fini(&run);
    if (t.err.code)
        return smi_err_set(err, t.err.code, "%s", t.err.text);
    if (rc)
        return smi_err_set(err, why.code, "%s", why.text);
    return t.rows > 0 || !of->ngpus;
}
