#include "sweep/reread_rows.h"

#include "formats/file_group.h"
#include "sweep/match_device.h"
#include "sweep/read_run.h"

#include <string.h>

enum { NOT_LOOKED_UP = SMI_DEVICE_LEFT_OUT - 1 };

struct tap {
    struct smi_row_callback tap;
    const struct smi_summary *s;
    smi_reread_row_fn *fn;
    void *self;
    int64_t rows;
    const struct smi_input_stats *part; /* the one at hand */
    uint64_t changes;                   /* of its devices, when their places were looked up */
    int *place;                         /* in gpus, of each of its devices */
    size_t cap;
    struct smi_err err; /* what fn said: it is not asked again */
};

/* ---- whose row ---- */

static int gpu_place_of(struct tap *t, const struct smi_input_stats *p, int who)
{
    const struct smi_devices *d = &p->devices;
    if (who == SMI_DEVICE_HOST)
        return -1;
    if (who < 0)
        return smi_match_device(t->s, NULL, -1);
    if (t->part != p || t->changes != d->changes) {
        if (smi_mem_reserve(&t->place, &t->cap, d->n, sizeof *t->place))
            return NOT_LOOKED_UP;
        for (size_t i = 0; i < d->n; i++)
            t->place[i] = smi_match_device(t->s, &d->list[i], smi_file_group_gpu_of(p->path, d->list, d->n));
        t->part = p;
        t->changes = d->changes;
    }
    return t->place[who];
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
    row.gpu = gpu_place_of(t, p, s->who);
    if (row.gpu == NOT_LOOKED_UP)
        return smi_err_nomem(err);
    if (row.gpu == SMI_DEVICE_LEFT_OUT)
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
    smi_mem_free(t.place);
    if (t.err.code)
        return smi_err_set(err, t.err.code, "%s", t.err.text);
    if (rc)
        return smi_err_set(err, why.code, "%s", why.text);
    return t.rows > 0 || !of->ngpus;
}
