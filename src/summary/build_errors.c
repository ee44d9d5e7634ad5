/* What went wrong with the GPUs of a run: faults that cells and messages told, and counters of errors that
 * grew. */
#include "summary/build_private.h"

#include <string.h>
#include <strings.h>

/* While the list is made, its texts are borrowed. */
struct list {
    struct smi_error *e;
    size_t n, cap;
};

/* An error of a GPU of the run, else of one of which a log or, at least, a message ("" says nothing) knows
 * something. */
static struct smi_error new_error(enum smi_fault_id id, const struct smi_run_gpu *body,
                                  const struct smi_device *d, const char *bus)
{
    if (body)
        return (struct smi_error){.id = id, .gpu = body->index, .uuid = body->uuid, .bus = body->bus};
    if (d)
        return (struct smi_error){.id = id,
                                  .gpu = smi_device_index(d),
                                  .uuid = d->key[SMI_DEVICE_KEY_UUID],
                                  .bus = d->key[SMI_DEVICE_KEY_BUS]};
    return (struct smi_error){.id = id, .gpu = -1, .bus = *bus ? bus : NULL};
}

/* By kind, then GPU, then code; of which GPU is not known comes last. */
static int compare_output_order(const void *a, const void *b)
{
    const struct smi_error *x = a, *y = b;
    int c = (int)x->id - (int)y->id;
    if (c == 0 && x->gpu != y->gpu)
        c = (unsigned)x->gpu < (unsigned)y->gpu ? -1 : 1;
    if (c == 0)
        c = smi_device_compare_keys(SMI_DEVICE_KEY_UUID, x->uuid, y->uuid);
    if (c == 0)
        c = smi_device_compare_keys(SMI_DEVICE_KEY_BUS, x->bus, y->bus);
    return c ? c : (x->code > y->code) - (x->code < y->code);
}

/* Widens the times of an error by those of another one. */
static void widen_error(struct smi_error *to, const struct smi_error *e)
{
    if (e->has_first && (!to->has_first || e->first_ms < to->first_ms))
        to->first_ms = e->first_ms;
    if (e->has_last && (!to->has_last || e->last_ms > to->last_ms))
        to->last_ms = e->last_ms;
    to->has_first |= e->has_first;
    to->has_last |= e->has_last;
}

static void append_error(struct list *l, const struct smi_error *e)
{
    for (size_t i = 0; i < l->n; i++) {
        if (compare_output_order(&l->e[i], e))
            continue;
        widen_error(&l->e[i], e);
        l->e[i].n += e->n;
        return;
    }
    smi_mem_reserve(&l->e, &l->cap, l->n + 1, sizeof *l->e);
    l->e[l->n++] = *e;
}

bool smi_build_clock(const struct smi_build *b, enum smi_time_base base, int64_t *shift_ms)
{
    *shift_ms = base == SMI_TIME_BASE_LOCAL && b->out->zoned ? (int64_t)b->r->offset_s * 1000 : 0;
    return base == SMI_TIME_BASE_LOCAL || (base == SMI_TIME_BASE_UTC && b->out->zoned);
}

/* ---- faults ---- */

static const struct smi_run_gpu *gpu_of_fault(const struct smi_build *b, const struct smi_input_stats *p,
                                              const struct smi_fault_count *f)
{
    if (f->who >= 0)
        return smi_run_gpus_find(&b->s, &p->devices.list[f->who], p->devices.n == 1);
    for (size_t i = 0; *f->bus && i < b->s.gpus; i++)
        if (b->s.gpu[i].bus && smi_device_compare_keys(SMI_DEVICE_KEY_BUS, b->s.gpu[i].bus, f->bus) == 0)
            return &b->s.gpu[i];
    return b->s.gpus == 1 && !*f->bus && f->id != SMI_FAULT_NO_DRIVER ? &b->s.gpu[0] : NULL;
}

static void add_faults(struct smi_build *b, const struct smi_input_stats *p, struct list *l)
{
    int64_t shift;
    bool dated = smi_build_clock(b, p->base, &shift);
    for (size_t i = 0; i < p->faults.n; i++) {
        const struct smi_fault_count *f = &p->faults.list[i];
        const struct smi_run_gpu *body = gpu_of_fault(b, p, f);
        struct smi_error e =
            new_error((enum smi_fault_id)f->id, body, f->who >= 0 ? &p->devices.list[f->who] : NULL, f->bus);
        e.code = f->code;
        e.n = f->n;
        e.has_first = dated && f->timed && !f->open;
        e.first_ms = f->first_ms - shift;
        e.has_last = dated && f->timed;
        e.last_ms = f->last_ms - shift;
        if (smi_build_is_chosen(b, body, NULL))
            append_error(l, &e);
    }
}

/* ---- counters that grew ---- */

/* Adds what a metric grew by to *e, and widens its times. Returns whether any log has the metric. */
static bool counter_has_grown(const struct smi_build *b, const struct smi_run_gpu *body, unsigned metric,
                              struct smi_error *e)
{
    int format = smi_metric_source(body, metric);
    int64_t shift;
    SMI_EACH_SOURCE (l, body, format) {
        bool dated = smi_build_clock(b, l->base, &shift) && l->track->timed_rows;
        for (size_t k = 0; k < l->track->counters; k++) {
            const struct smi_counter *c = &l->track->counter[k];
            if (c->metric != metric || c->rises == 0)
                continue;
            e->n += (int64_t)(c->increase / 1000000);
            widen_error(e, &(struct smi_error){.has_first = dated,
                                               .first_ms = c->first_rise - shift,
                                               .has_last = dated,
                                               .last_ms = c->last_rise - shift});
        }
    }
    return format >= 0;
}

/* ECC errors of one kind ("ecc.u.v."): the total, or where that was not asked for its places. */
static void sum_ecc_counters(const struct smi_build *b, const struct smi_run_gpu *body, const char *kind,
                             struct smi_error *e)
{
    size_t n = strlen(kind);
    for (unsigned m = SMI_ECC_FIRST; m <= SMI_ECC_LAST; m++) { /* the total comes first */
        const char *key = smi_metrics[m].key;
        if (smi_metric_source(body, m) >= 0 && strncmp(key, kind, n) == 0 &&
            counter_has_grown(b, body, m, e) && strcmp(key + n, "total") == 0)
            return;
    }
}

/* The same errors are counted since the driver was loaded, and over the GPU's life. */
static void add_ecc(struct smi_build *b, const struct smi_run_gpu *body, enum smi_fault_id id,
                    const char *const kind[2], struct list *l)
{
    struct smi_error v = new_error(id, body, NULL, ""), a = v;
    sum_ecc_counters(b, body, kind[0], &v);
    sum_ecc_counters(b, body, kind[1], &a);
    if (a.n)
        widen_error(&v, &a);
    v.n = a.n > v.n ? a.n : v.n;
    if (v.n)
        append_error(l, &v);
}

/* What two counters grew by, as one error. */
static void add_repairs(struct smi_build *b, const struct smi_run_gpu *body, enum smi_fault_id id,
                        const unsigned metric[2], struct list *l)
{
    struct smi_error e = new_error(id, body, NULL, "");
    counter_has_grown(b, body, metric[0], &e);
    counter_has_grown(b, body, metric[1], &e);
    if (e.n)
        append_error(l, &e);
}

static void add_counters(struct smi_build *b, const struct smi_run_gpu *body, struct list *l)
{
    static const char *const uncorrected[] = {"ecc.u.v.", "ecc.u.a."}, *const corrected[] = {"ecc.c.v.",
                                                                                             "ecc.c.a."};
    static const unsigned rows[] = {SMI_REMAPPED_CORR, SMI_REMAPPED_UNCORR},
                          pages[] = {SMI_RETIRED_SBE, SMI_RETIRED_DBE};
    add_ecc(b, body, SMI_FAULT_ECC_UNCORR, uncorrected, l);
    add_ecc(b, body, SMI_FAULT_ECC_CORR, corrected, l);
    add_repairs(b, body, SMI_FAULT_REMAPPED, rows, l);
    add_repairs(b, body, SMI_FAULT_RETIRED, pages, l);
}

/* ---- all of them ---- */

void smi_build_errors(struct smi_build *b)
{
    struct smi_error *out;
    struct list l = {0};
    for (size_t i = 0; i < b->r->parts; i++)
        add_faults(b, b->r->part[i], &l);
    for (size_t i = 0; i < b->bodies; i++)
        add_counters(b, b->body[i], &l);
    smi_sort(l.e, l.n, sizeof *l.e, compare_output_order);
    out = smi_arena_new(&b->out->arena, l.n + 1, sizeof *out);
    for (size_t i = 0; i < l.n; i++) {
        out[i] = l.e[i];
        out[i].uuid = smi_build_copy_text(b, l.e[i].uuid);
        out[i].bus = smi_build_copy_text(b, l.e[i].bus);
    }
    b->out->errors = out;
    b->out->nerrors = l.n;
    smi_mem_free(l.e);
}
