/* What went wrong with the GPUs of a run: faults that cells and messages told, and counters of errors that
 * grew. */
#include "summary/build_private.h"

#include <string.h>
#include <strings.h>

/* One error while the list is made. */
struct entry {
    int id;
    int64_t code, n;
    const struct smi_run_gpu *body;  /* its GPU, or NULL: */
    const struct smi_device *device; /* what is known of it, or NULL */
    const char *bus;                 /* as a message names it, or "" */
    bool first, last;                /* the times are known */
    int64_t first_ms, last_ms;
};

struct list {
    struct entry *e;
    size_t n, cap;
};

static const char *uuid_of(const struct entry *e)
{
    return e->body ? e->body->uuid : e->device ? e->device->key[SMI_DEVICE_KEY_UUID] : NULL;
}

static const char *bus_of(const struct entry *e)
{
    return e->body ? e->body->bus : e->device ? e->device->key[SMI_DEVICE_KEY_BUS] : *e->bus ? e->bus : NULL;
}

static int index_of(const struct entry *e)
{
    return e->body ? e->body->index : e->device ? smi_device_index(e->device) : -1;
}

/* By kind, then GPU, then code; of which GPU is not known comes last. */
static int compare_output_order(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    unsigned i = (unsigned)index_of(x), k = (unsigned)index_of(y);
    int c = x->id - y->id;
    if (c == 0 && i != k)
        c = i < k ? -1 : 1;
    if (c == 0)
        c = smi_device_compare_keys(SMI_DEVICE_KEY_UUID, uuid_of(x), uuid_of(y));
    if (c == 0)
        c = smi_device_compare_keys(SMI_DEVICE_KEY_BUS, bus_of(x), bus_of(y));
    return c ? c : (x->code > y->code) - (x->code < y->code);
}

static void append_error(struct list *l, const struct entry *e)
{
    for (size_t i = 0; i < l->n; i++) {
        struct entry *to = &l->e[i];
        if (compare_output_order(to, e))
            continue;
        if (e->first && (!to->first || e->first_ms < to->first_ms))
            to->first_ms = e->first_ms;
        if (e->last && (!to->last || e->last_ms > to->last_ms))
            to->last_ms = e->last_ms;
        to->first |= e->first;
        to->last |= e->last;
        to->n += e->n;
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
        struct entry e = {.id = f->id,
                          .code = f->code,
                          .n = f->n,
                          .body = gpu_of_fault(b, p, f),
                          .bus = f->bus,
                          .device = f->who >= 0 ? &p->devices.list[f->who] : NULL,
                          .first = dated && f->timed && !f->open,
                          .first_ms = f->first_ms - shift,
                          .last = dated && f->timed,
                          .last_ms = f->last_ms - shift};
        if (smi_build_is_chosen(b, e.body, NULL))
            append_error(l, &e);
    }
}

/* ---- counters that grew ---- */

/* Adds what a metric grew by to *e, and widens its times. Returns whether any log has the metric. */
static bool counter_has_grown(const struct smi_build *b, const struct smi_run_gpu *body, unsigned metric,
                              struct entry *e)
{
    int format = smi_metric_source(body, metric);
    int64_t shift;
    SMI_EACH_SOURCE (l, body, format) {
        for (size_t k = 0; k < l->track->counters; k++) {
            const struct smi_counter *c = &l->track->counter[k];
            bool dated = smi_build_clock(b, l->base, &shift) && l->track->timed_rows;
            if (c->metric != metric || c->rises == 0)
                continue;
            e->n += (int64_t)(c->increase / 1000000);
            if (!dated)
                continue;
            if (!e->first || c->first_rise - shift < e->first_ms)
                e->first_ms = c->first_rise - shift;
            if (!e->last || c->last_rise - shift > e->last_ms)
                e->last_ms = c->last_rise - shift;
            e->first = e->last = true;
        }
    }
    return format >= 0;
}

/* ECC errors of one kind ("ecc.u.v."): the total, or where that was not asked for its places. */
static void sum_ecc_counters(const struct smi_build *b, const struct smi_run_gpu *body, const char *kind,
                             struct entry *e)
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
static void add_ecc(struct smi_build *b, const struct smi_run_gpu *body, int id, const char *const kind[2],
                    struct list *l)
{
    struct entry v = {.id = id, .body = body, .bus = ""}, a = v;
    sum_ecc_counters(b, body, kind[0], &v);
    sum_ecc_counters(b, body, kind[1], &a);
    if (v.n && a.n) {
        v.n = a.n > v.n ? a.n : v.n;
        v.first_ms = a.first && a.first_ms < v.first_ms ? a.first_ms : v.first_ms;
        v.last_ms = a.last && a.last_ms > v.last_ms ? a.last_ms : v.last_ms;
    } else if (a.n) {
        v = a;
    }
    if (v.n)
        append_error(l, &v);
}

static void add_counters(struct smi_build *b, const struct smi_run_gpu *body, struct list *l)
{
    static const char *const uncorrected[] = {"ecc.u.v.", "ecc.u.a."}, *const corrected[] = {"ecc.c.v.",
                                                                                             "ecc.c.a."};
    struct entry rows = {.id = SMI_FAULT_REMAPPED, .body = body, .bus = ""};
    struct entry pages = {.id = SMI_FAULT_RETIRED, .body = body, .bus = ""};
    add_ecc(b, body, SMI_FAULT_ECC_UNCORR, uncorrected, l);
    add_ecc(b, body, SMI_FAULT_ECC_CORR, corrected, l);
    counter_has_grown(b, body, SMI_REMAPPED_CORR, &rows);
    counter_has_grown(b, body, SMI_REMAPPED_UNCORR, &rows);
    counter_has_grown(b, body, SMI_RETIRED_SBE, &pages);
    counter_has_grown(b, body, SMI_RETIRED_DBE, &pages);
    if (rows.n)
        append_error(l, &rows);
    if (pages.n)
        append_error(l, &pages);
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
        const struct entry *e = &l.e[i];
        out[i] = (struct smi_error){.id = (enum smi_fault_id)e->id,
                                    .gpu = index_of(e),
                                    .n = e->n,
                                    .code = e->code,
                                    .has_first = e->first,
                                    .first_ms = e->first_ms,
                                    .has_last = e->last,
                                    .last_ms = e->last_ms,
                                    .uuid = smi_build_copy_text(b, uuid_of(e)),
                                    .bus = smi_build_copy_text(b, bus_of(e))};
    }
    b->out->errors = out;
    b->out->nerrors = l.n;
    smi_mem_free(l.e);
}
