/* gpu_match.c - which devices of the inputs are one GPU (docs/numbers.md §5). */
#include "formats/file_group.h"
#include "summary/run_gpus.h"

#include <stdlib.h>
#include <string.h>

static int add_gpu_source(struct smi_run_gpu *b, const struct smi_input_stats *p, struct smi_device_stats *t,
                          unsigned limit, struct smi_err *err)
{
    int format = p->format;
    if (smi_mem_reserve(&b->limb[format], &b->cap[format], b->limbs[format] + 1, sizeof **b->limb))
        return smi_err_nomem(err);
    b->limb[format][b->limbs[format]++] = (struct smi_gpu_source){t, limit, p->base};
    return 0;
}

static struct smi_run_gpu *append_gpu(struct smi_run_gpus *s, const struct smi_device *d, struct smi_err *err)
{
    if (smi_mem_reserve(&s->gpu, &s->cap, s->gpus + 1, sizeof *s->gpu)) {
        smi_err_nomem(err);
        return NULL;
    }
    s->gpu[s->gpus] = (struct smi_run_gpu){.device = d, .index = smi_device_index(d)};
    return &s->gpu[s->gpus++];
}

static void learn_device_keys(struct smi_run_gpu *b, const struct smi_device *d)
{
    if (!b->uuid)
        b->uuid = d->key[SMI_DEVICE_KEY_UUID];
    if (!b->bus)
        b->bus = d->key[SMI_DEVICE_KEY_BUS];
    if (!b->serial)
        b->serial = d->key[SMI_DEVICE_KEY_SERIAL];
    if (!b->name)
        b->name = d->name;
    if (b->index < 0)
        b->index = smi_device_index(d);
}

/* The serials that several GPUs of the part have are put behind those of s. */
static int add_shared(struct smi_run_gpus *s, const struct smi_input_stats *p, const char **own,
                      struct smi_err *err)
{
    size_t n = 0;
    for (size_t i = 0; i < p->tracks; i++)
        if (p->track[i] && p->devices.list[i].key[SMI_DEVICE_KEY_SERIAL])
            own[n++] = p->devices.list[i].key[SMI_DEVICE_KEY_SERIAL];
    smi_sort(own, n, sizeof *own, smi_compare_strings);
    for (size_t i = 1; i < n; i++) {
        if (strcmp(own[i - 1], own[i]) != 0)
            continue;
        if (smi_mem_reserve(&s->shared, &s->shared_cap, s->shareds + 1, sizeof *s->shared))
            return smi_err_nomem(err);
        s->shared[s->shareds++] = own[i];
    }
    return 0;
}

static int find_shared(struct smi_run_gpus *s, const struct smi_run *r, struct smi_err *err)
{
    size_t most = 0;
    const char **own;
    int rc = 0;
    for (size_t i = 0; i < r->parts; i++)
        most = r->part[i]->tracks > most ? r->part[i]->tracks : most;
    if (!(own = smi_mem_new(most + 1, sizeof *own)))
        return smi_err_nomem(err);
    for (size_t i = 0; i < r->parts && !rc; i++)
        rc = add_shared(s, r->part[i], own, err);
    smi_mem_free(own);
    smi_sort(s->shared, s->shareds, sizeof *s->shared, smi_compare_strings);
    return rc;
}

/* Is the serial that of a board, whichever of its GPUs is meant? */
static bool is_shared_serial(const struct smi_run_gpus *s, const char *serial)
{
    return s->shareds && serial &&
           bsearch(&serial, s->shared, s->shareds, sizeof *s->shared, smi_compare_strings);
}

/* Is d this GPU of the run? The serial of a board with several GPUs says only which GPU it is not. */
static enum smi_gpu_match match_keys(const struct smi_run_gpus *s, const struct smi_run_gpu *b,
                                     const struct smi_device *d)
{
    const struct smi_gpu_keys of = {b->uuid, b->bus, b->serial, b->index};
    struct smi_gpu_keys keys = smi_device_keys(d);
    if (of.serial && is_shared_serial(s, keys.serial) && strcmp(of.serial, keys.serial) == 0)
        keys.serial = NULL;
    return smi_gpu_keys_match(&of, &keys);
}

/* The GPU of the run that d is: by its keys; or, where those are of different kinds, that of an input of one
 * GPU if d's input has one, too (single). NULL: none. *apart: a GPU of the run has no key that d has. */
static struct smi_run_gpu *find_gpu(const struct smi_run_gpus *s, const struct smi_device *d, bool single,
                                    bool *apart)
{
    *apart = false;
    for (size_t i = 0; i < s->gpus; i++) {
        const enum smi_gpu_match m = match_keys(s, &s->gpu[i], d);
        if (m == SMI_GPU_SAME || (m == SMI_GPU_UNKNOWN && single && s->gpu[i].single))
            return &s->gpu[i];
        *apart |= m == SMI_GPU_UNKNOWN;
    }
    return NULL;
}

/* How many GPUs an input names by a key. */
static size_t count_keyed_gpus(const struct smi_input_stats *p)
{
    size_t n = 0;
    for (size_t i = 0; i < p->tracks; i++)
        n += p->track[i] && p->devices.list[i].ordinal < 0;
    return n;
}

static int match_keyed_devices(struct smi_run_gpus *s, struct smi_input_stats *p, unsigned limit,
                               struct smi_err *err)
{
    bool single = count_keyed_gpus(p) == 1;
    for (size_t i = 0; i < p->tracks; i++) {
        const struct smi_device *d = &p->devices.list[i];
        struct smi_run_gpu *b;
        bool apart;
        if (!p->track[i] || d->ordinal >= 0)
            continue;
        b = find_gpu(s, d, single, &apart);
        s->unmatched |= !b && apart;
        if (!b && !(b = append_gpu(s, d, err)))
            return -1;
        b->single = single;
        learn_device_keys(b, d);
        if (add_gpu_source(b, p, p->track[i], limit, err))
            return -1;
    }
    return 0;
}

static int compare_gpu_index(const void *a, const void *b)
{
    const struct smi_run_gpu *x = a, *y = b;
    if (x->index != y->index)
        return (unsigned)x->index < (unsigned)y->index ? -1 : 1; /* -1, not known, comes last */
    for (int k = 0; k < SMI_DEVICE_KEY_COUNT; k++) {
        const int c = smi_device_compare_keys((enum smi_device_key)k, x->device->key[k], y->device->key[k]);
        if (c)
            return c;
    }
    return (x->uuid == NULL) - (y->uuid == NULL);
}

/* GPUs known only by their place in bursts: the keyed ones in order when there are as many, else on their
 * own. */
static int match_keyless_devices(struct smi_run_gpus *s, struct smi_input_stats *p, unsigned limit,
                                 struct smi_err *err)
{
    const size_t keyed = s->keyed;
    const int named = smi_file_group_gpu_of(p->path, p->devices.list, p->devices.n);
    size_t n = 0;
    for (size_t i = 0; i < p->tracks; i++)
        n += p->track[i] && p->devices.list[i].ordinal >= 0;
    for (size_t i = 0; i < p->tracks; i++) {
        const struct smi_device *d = &p->devices.list[i];
        const int index = named >= 0 ? named : d->ordinal;
        struct smi_run_gpu *b = NULL;
        if (!p->track[i] || d->ordinal < 0)
            continue;
        for (size_t k = 0; k < keyed && named >= 0 && !b; k++)
            b = s->gpu[k].index == named ? &s->gpu[k] : NULL;
        if (b) {
            /* the keyed one of this number */
        } else if (keyed && (n != keyed || (size_t)d->ordinal >= keyed)) {
            b = &s->pool;
            s->keyless_pooled = true;
        } else if (keyed) {
            b = &s->gpu[d->ordinal];
        }
        for (size_t k = 0; k < s->gpus && !b; k++)
            if (s->gpu[k].index == index)
                b = &s->gpu[k];
        if (!b) {
            if (!(b = append_gpu(s, d, err)))
                return -1;
            b->index = index;
        }
        if (b != &s->pool)
            learn_device_keys(b, d);
        if (add_gpu_source(b, p, p->track[i], limit, err))
            return -1;
    }
    return 0;
}

const struct smi_run_gpu *smi_run_gpus_find(const struct smi_run_gpus *s, const struct smi_device *d,
                                            bool single)
{
    bool apart;
    return find_gpu(s, d, single, &apart);
}

/* Process logs come last, and never decide which GPUs there are: they do not list the idle ones. One that may
 * be any of those that are known is none of them. */
static int match_process_devices(struct smi_run_gpus *s, struct smi_input_stats *p, unsigned limit,
                                 struct smi_err *err)
{
    bool single = p->devices.n == 1;
    for (size_t i = 0; i < p->tracks; i++) {
        const struct smi_device *d = &p->devices.list[i];
        bool apart;
        struct smi_run_gpu *b = find_gpu(s, d, single, &apart);
        if (!p->track[i])
            continue;
        if (!b && apart) {
            s->procs_apart = true;
            continue;
        }
        if (!b && !(b = append_gpu(s, d, err)))
            return -1;
        learn_device_keys(b, d);
        if (add_gpu_source(b, p, p->track[i], limit, err))
            return -1;
    }
    return 0;
}

/* Rows that no GPU can be given are of one model, if all say so. */
static void name_pool(struct smi_run_gpus *s, const struct smi_run *r)
{
    bool any = false, one = !s->keyless_pooled;
    for (size_t i = 0; i < r->parts; i++) {
        const char *name = r->part[i]->devices.all;
        if (!r->part[i]->pool)
            continue;
        one = one && name && (!any || strcmp(name, s->pool.name) == 0);
        s->pool.name = one ? name : NULL;
        any = true;
    }
}

typedef int match_fn(struct smi_run_gpus *s, struct smi_input_stats *p, unsigned limit, struct smi_err *err);

/* Matches the devices of all process logs, or of all others, format by format. */
static int match_inputs(struct smi_run_gpus *s, const struct smi_run *r, bool procs, match_fn *match,
                        struct smi_err *err)
{
    for (int f = 0; f < SMI_FMT_COUNT; f++)
        for (size_t i = 0; i < r->parts && smi_format_infos[f].procs == procs; i++)
            if (r->part[i]->format == f && match(s, r->part[i], s->limit[i], err))
                return -1;
    return 0;
}

int smi_run_gpus_match(struct smi_run_gpus *s, const struct smi_run *r, struct smi_err *err)
{
    if (find_shared(s, r, err) || match_inputs(s, r, false, match_keyed_devices, err))
        return -1;
    s->keyed = s->gpus;
    smi_sort(s->gpu, s->gpus, sizeof *s->gpu, compare_gpu_index);
    if (match_inputs(s, r, false, match_keyless_devices, err) ||
        match_inputs(s, r, true, match_process_devices, err))
        return -1;
    name_pool(s, r);
    for (size_t i = 0; i < r->parts; i++) {
        struct smi_input_stats *p = r->part[i];
        unsigned host;
        if ((p->pool && add_gpu_source(&s->pool, p, p->pool, s->limit[i], err)) ||
            (p->host && (smi_gap_limit(&p->host->lengths, &host, err) ||
                         add_gpu_source(&s->host, p, p->host, host, err))))
            return -1;
    }
    for (size_t i = 0; i < r->parts && s->keyless_pooled; i++) /* rows of nobody have no intervals */
        if (!r->part[i]->keyed && smi_format_infos[r->part[i]->format].gpu)
            smi_counts_fini(&r->part[i]->dts);
    smi_sort(s->gpu, s->gpus, sizeof *s->gpu, compare_gpu_index);
    return 0;
}
