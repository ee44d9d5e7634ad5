/* gpus.c - the GPUs of a run: which devices of its logs are one, and their figures */
#include "aggregate/counts.h"
#include "formats/file_group.h"
#include "summary/gpus.h"
#include "summary/summary.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- which devices of the inputs are one GPU (docs/numbers.md §5) ---- */

static void add_gpu_source(struct smi_run_gpu *b, const struct smi_input_stats *p, struct smi_device_stats *t,
                           unsigned limit)
{
    *SMI_MEM_ADD(b->track, b->tracks, b->cap) = (struct smi_gpu_source){
        .track = t, .limit = limit, .base = p->base, .format = p->format, .part = p, .place = b->tracks};
}

static struct smi_run_gpu *append_gpu(struct smi_run_gpus *s, const struct smi_device *d)
{
    struct smi_run_gpu *b = SMI_MEM_ADD(s->gpu, s->gpus, s->cap);
    *b = (struct smi_run_gpu){.device = d, .index = smi_device_index(d)};
    return b;
}

/* The serials that several GPUs of one part have. */
static void find_shared(struct smi_run_gpus *s, const struct smi_run *r)
{
    const char **own = NULL;
    size_t cap = 0;
    for (size_t i = 0; i < r->parts; i++) {
        const struct smi_input_stats *p = r->part[i];
        size_t n = 0;
        smi_mem_reserve(&own, &cap, p->tracks, sizeof *own);
        for (size_t k = 0; k < p->tracks; k++)
            if (p->track[k] && p->devices.list[k].key[SMI_DEVICE_KEY_SERIAL])
                own[n++] = p->devices.list[k].key[SMI_DEVICE_KEY_SERIAL];
        smi_sort(own, n, sizeof *own, smi_compare_strings);
        for (size_t k = 1; k < n; k++)
            if (strcmp(own[k - 1], own[k]) == 0)
                *SMI_MEM_ADD(s->shared, s->shareds, s->shared_cap) = own[k];
    }
    smi_mem_free(own);
    smi_sort(s->shared, s->shareds, sizeof *s->shared, smi_compare_strings);
}

/* Is d this GPU of the run? The serial of a board with several GPUs says only which GPU it is not. */
static enum smi_gpu_match match_keys(const struct smi_run_gpus *s, const struct smi_run_gpu *b,
                                     const struct smi_device *d)
{
    const struct smi_gpu_keys of = {b->uuid, b->bus, b->serial, b->index};
    struct smi_gpu_keys keys = smi_device_keys(d);
    if (s->shareds && of.serial && keys.serial && strcmp(of.serial, keys.serial) == 0 &&
        bsearch(&keys.serial, s->shared, s->shareds, sizeof *s->shared, smi_compare_strings))
        keys.serial = NULL;
    return smi_gpu_keys_match(&of, &keys);
}

struct smi_run_gpu *smi_run_gpus_find(const struct smi_run_gpus *s, const struct smi_device *d, bool single,
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

/* Devices are matched in three passes over the inputs. Process logs come last, and never decide which GPUs
 * there are: they do not list the idle ones. */
enum pass { PASS_KEYED, PASS_KEYLESS, PASS_PROCESSES };

/* A GPU that d names by a key, made if it is new. NULL: a process log may mean any of those that are known.
 */
static struct smi_run_gpu *keyed_gpu(struct smi_run_gpus *s, const struct smi_device *d, bool single,
                                     enum pass pass)
{
    bool apart;
    struct smi_run_gpu *b = smi_run_gpus_find(s, d, single, &apart);
    s->unmatched |= !b && apart && pass == PASS_KEYED;
    s->procs_apart |= !b && apart && pass == PASS_PROCESSES;
    if (!b && apart && pass == PASS_PROCESSES)
        return NULL;
    b = b ? b : append_gpu(s, d);
    if (pass == PASS_KEYED)
        b->single = single;
    return b;
}

/* A GPU known only by its place in bursts, of which the input has n: the keyed ones in order when there are
 * as many, else on their own. named: the index in the name of the file, or -1. */
static struct smi_run_gpu *keyless_gpu(struct smi_run_gpus *s, const struct smi_device *d, size_t n,
                                       int named)
{
    const int index = named >= 0 ? named : d->ordinal;
    struct smi_run_gpu *b;
    for (size_t i = 0; i < s->keyed && named >= 0; i++)
        if (s->gpu[i].index == named)
            return &s->gpu[i];
    if (s->keyed && (n != s->keyed || (size_t)d->ordinal >= s->keyed)) {
        s->keyless_pooled = true;
        return &s->pool;
    }
    if (s->keyed)
        return &s->gpu[d->ordinal];
    for (size_t i = 0; i < s->gpus; i++)
        if (s->gpu[i].index == index)
            return &s->gpu[i];
    b = append_gpu(s, d);
    b->index = index;
    return b;
}

static void match_input(struct smi_run_gpus *s, struct smi_input_stats *p, enum pass pass)
{
    /* only one GPU that its log does not name is called as the file */
    const int named = p->devices.n == 1 && p->devices.list->ordinal == 0 ? smi_file_group_gpu(p->path) : -1;
    size_t of[2] = {0}; /* its devices with a key, and without one */
    for (size_t i = 0; i < p->tracks; i++)
        if (p->track[i])
            of[p->devices.list[i].ordinal >= 0]++;
    for (size_t i = 0; i < p->tracks; i++) {
        const struct smi_device *d = &p->devices.list[i];
        const bool single = pass == PASS_PROCESSES ? p->devices.n == 1 : of[0] == 1;
        struct smi_run_gpu *b;
        if (!p->track[i] || (pass != PASS_PROCESSES && (d->ordinal >= 0) != (pass == PASS_KEYLESS)))
            continue;
        b = pass == PASS_KEYLESS ? keyless_gpu(s, d, of[1], named) : keyed_gpu(s, d, single, pass);
        if (!b)
            continue;
        if (b != &s->pool) {
            b->uuid = b->uuid ? b->uuid : d->key[SMI_DEVICE_KEY_UUID];
            b->bus = b->bus ? b->bus : d->key[SMI_DEVICE_KEY_BUS];
            b->serial = b->serial ? b->serial : d->key[SMI_DEVICE_KEY_SERIAL];
            b->name = b->name ? b->name : d->name;
            b->index = b->index < 0 ? smi_device_index(d) : b->index;
        }
        add_gpu_source(b, p, p->track[i], p->limit);
    }
}

/* All process logs, or all others, format by format. */
static void match_inputs(struct smi_run_gpus *s, const struct smi_run *r, enum pass pass)
{
    for (int f = 0; f < SMI_FMT_COUNT; f++)
        for (size_t i = 0; i < r->parts && smi_format_infos[f].procs == (pass == PASS_PROCESSES); i++)
            if (r->part[i]->format == f)
                match_input(s, r->part[i], pass);
}

/* The devices of the parts of a run, which are joined already, become the GPUs of s. */
static void match_devices(struct smi_run_gpus *s, const struct smi_run *r)
{
    find_shared(s, r);
    match_inputs(s, r, PASS_KEYED);
    s->keyed = s->gpus;
    smi_sort(s->gpu, s->gpus, sizeof *s->gpu, compare_gpu_index);
    match_inputs(s, r, PASS_KEYLESS);
    match_inputs(s, r, PASS_PROCESSES);
    bool any = false, one = !s->keyless_pooled;
    for (size_t i = 0; i < r->parts; i++) {
        struct smi_input_stats *p = r->part[i];
        if (p->pool) { /* rows that no GPU can be given are of one model, if all say so */
            one = one && p->devices.all && (!any || strcmp(p->devices.all, s->pool.name) == 0);
            s->pool.name = one ? p->devices.all : NULL;
            any = true;
            add_gpu_source(&s->pool, p, p->pool, p->limit);
        }
        if (p->host)
            add_gpu_source(&s->host, p, p->host, smi_gap_limit(&p->host->lengths));
    }
    for (size_t i = 0; i < r->parts && s->keyless_pooled; i++) /* rows of nobody have no intervals */
        if (!r->part[i]->keyed && smi_format_infos[r->part[i]->format].gpu)
            smi_counts_fini(&r->part[i]->dts);
    smi_sort(s->gpu, s->gpus, sizeof *s->gpu, compare_gpu_index);
}

struct smi_value smi_value_of(int64_t micro)
{
    return (struct smi_value){micro, true};
}

struct smi_value smi_value_wide(smi_i128 micro)
{
    bool fits = micro >= INT64_MIN && micro <= INT64_MAX;
    return (struct smi_value){fits ? (int64_t)micro : 0, fits};
}

struct smi_value smi_value_ratio(smi_i128 num, smi_i128 den)
{
    return den > 0 ? smi_value_wide(smi_i128_div(num, den)) : (struct smi_value){0, false};
}

struct smi_value smi_value_percent(smi_i128 num, smi_i128 den)
{
    return smi_value_ratio(num * 100 * 1000000, den);
}

struct smi_value smi_value_hours(int64_t ms)
{
    return smi_value_of((int64_t)smi_i128_div((smi_i128)ms * 10, 36));
}

int smi_metric_format_rank(int format, unsigned metric)
{
    return metric == SMI_MEM_UTIL && format == SMI_FMT_DMON ? -1 : format;
}

int smi_metric_first_format(int a, int b, unsigned metric)
{
    if (a < 0 || b < 0)
        return a < 0 ? b : a;
    return smi_metric_format_rank(b, metric) < smi_metric_format_rank(a, metric) ? b : a;
}

/* An interval that is longer is a gap among intervals of this median. */
static int64_t longest_interval(int64_t median)
{
    const int64_t most = median > INT64_MAX / 10 ? INT64_MAX : 10 * median;
    return most < 2000 ? 2000 : most;
}

unsigned smi_gap_limit(const struct smi_counts *lengths)
{
    const int64_t median = smi_counts_median(lengths);
    return median < 0 ? UINT_MAX : smi_interval_class(longest_interval(median));
}

/* ---- inputs of one path: pieces of one file, summarised apart ---- */

/* Of two that begin together, as where a log was cut within its first poll, that which ends first. */
static int compare_begin(int64_t a, const struct smi_input_stats *x, int64_t b,
                         const struct smi_input_stats *y)
{
    return a != b ? (a > b) - (a < b) : (x->last_ms > y->last_ms) - (x->last_ms < y->last_ms);
}

static int by_path_and_time(const void *a, const void *b)
{
    const struct smi_input_stats *x = *(struct smi_input_stats *const *)a,
                                 *y = *(struct smi_input_stats *const *)b;
    int c = smi_text_compare_natural(x->path, y->path);
    if (c == 0)
        c = x->format - y->format;
    if (c == 0)
        c = smi_format_infos[x->format].rows
                ? compare_begin(x->begin_ms, x, y->begin_ms, y)
                : (x->log.first_us > y->log.first_us) - (x->log.first_us < y->log.first_us);
    return c;
}

static int join_pieces(struct smi_run *r, struct smi_err *err)
{
    size_t k = 0;
    smi_sort(r->part, r->parts, sizeof *r->part, by_path_and_time);
    for (size_t i = 0; i < r->parts; i++) {
        struct smi_input_stats *p = r->part[i], *last = k ? r->part[k - 1] : NULL;
        if (!last || strcmp(last->path, p->path) || last->format != p->format) {
            r->part[k++] = p;
            continue;
        }
        if (smi_input_stats_join(last, p, true, err)) {
            for (; i < r->parts; i++) /* all that is left stays owned */
                r->part[k++] = r->part[i];
            r->parts = k;
            return -1;
        }
        smi_input_stats_free(p);
    }
    r->parts = k;
    return 0;
}

/* ---- parts of one stream ---- */

/* How long the intervals of the GPUs of a part are: into all. */
static void add_lengths(struct smi_counts *all, const struct smi_input_stats *p)
{
    for (size_t i = 0; i < p->tracks + 2; i++) {
        const struct smi_device_stats *t = smi_input_stats_track(p, i);
        if (t && t != p->host)
            smi_counts_merge(all, &t->lengths);
    }
}

/* Does a log begin where a stream has ended so far? */
static bool goes_on(const struct smi_input_stats *stream, const struct smi_input_stats *p)
{
    int64_t x, y;
    if (!p->timed || !stream->timed || stream->format != p->format || stream->keyed != p->keyed ||
        stream->base != p->base || stream->last_ms > p->first_ms)
        return false;
    x = smi_counts_median(&stream->dts); /* of its first log */
    y = smi_counts_median(&p->dts);
    /* read more or less often, the intervals of one were gaps of the other */
    return x < 0 || y < 0 || (x <= longest_interval(y) && y <= longest_interval(x));
}

static int by_time_and_path(const void *a, const void *b)
{
    const struct smi_input_stats *x = *(struct smi_input_stats *const *)a,
                                 *y = *(struct smi_input_stats *const *)b;
    const int c = compare_begin(x->first_ms, x, y->first_ms, y);
    return c ? c : by_path_and_time(a, b);
}

/* The limit class of the GPUs of the stream that begins with p. Where the machine has rows in it, too,
 * these do not say how often the GPUs were read. */
static unsigned stream_limit(const struct smi_run *r, const struct smi_input_stats *p)
{
    bool both = p->host && p->pool, alone = true;
    struct smi_counts all;
    unsigned limit;
    for (size_t i = 0; i < p->tracks; i++)
        both |= p->host && p->track[i];
    for (size_t i = 0; i < r->parts; i++)
        alone &= r->part[i]->joined_to != p;
    smi_counts_init(&all, 1);
    for (size_t i = 0; i < r->parts && !both && !alone; i++)
        if (r->part[i] == p || r->part[i]->joined_to == p)
            smi_counts_merge(&all, &r->part[i]->dts);
    if (both)
        add_lengths(&all, p);
    limit = smi_gap_limit(both || !alone ? &all : &p->dts);
    smi_counts_fini(&all);
    return p->format == SMI_FMT_CODECARBON ? UINT_MAX : limit; /* rows tell how long they were: no gaps */
}

/* Every part joins the stream that it goes on with, if there is one. */
static int join_streams(struct smi_run *r, struct smi_err *err)
{
    struct smi_input_stats **part = smi_mem_new(r->parts + 1, sizeof *part);
    size_t streams = 0, k; /* which take the places of those that joined one */
    int rc = 0;
    for (size_t i = 0; i < r->parts; i++)
        smi_input_stats_end(part[i] = r->part[i]);
    smi_sort(part, r->parts, sizeof *part, by_time_and_path);
    for (size_t i = 0; i < r->parts && !rc; i++) {
        for (k = 0; k < streams && !goes_on(part[k], part[i]);)
            k++;
        if (k < streams)
            rc = smi_input_stats_join(part[k], part[i], false, err);
        else
            part[streams++] = part[i];
    }
    for (k = 0; k < streams && !rc; k++) {
        smi_input_stats_close(part[k]);
        part[k]->limit = stream_limit(r, part[k]);
    }
    for (size_t i = 0; i < r->parts && !rc; i++)
        if (r->part[i]->joined_to)
            r->part[i]->limit = r->part[i]->joined_to->limit;
    smi_mem_free(part);
    return rc;
}

/* ---- one source a metric ---- */

/* A track of a format has readings of the metric. */
static void offer_metric_source(struct smi_run_gpu *b, int format, unsigned metric)
{
    b->source[metric] = (int8_t)smi_metric_first_format(b->source[metric], format, metric);
}

static int by_format_and_time(const void *a, const void *b)
{
    const struct smi_gpu_source *x = a, *y = b;
    const int64_t first = smi_last_segment(x->track)->first, other = smi_last_segment(y->track)->first;
    if (x->format != y->format || x->sparse != y->sparse)
        return x->format != y->format ? x->format - y->format : x->sparse - y->sparse;
    return first != other ? (first > other) - (first < other) : (x->place > y->place) - (x->place < y->place);
}

static void find_sources(struct smi_run_gpu *b)
{
    for (struct smi_gpu_source *l = b->track; b->tracks && l < b->track + b->tracks; l++) {
        const struct smi_device_stats *t = l->track;
        l->in_ms = smi_time_sum_total(&t->covered, l->limit).dt;
        int64_t rest = smi_time_sum_total(&t->covered, UINT_MAX).dt - l->in_ms;
        l->of[l->n++] = *smi_last_segment(t); /* then what lies between its longest gaps */
        l->length_ms = l->of->last - l->of->first;
        for (const struct smi_segment *gap = t->pause; gap < t->pause + SMI_PAUSES; gap++) {
            const int64_t ms = gap->last - gap->first;
            size_t k = l->n;
            if (ms <= 0 || smi_interval_class(ms) <= l->limit)
                break;
            for (; k > 1 && l->of[k - 1].first > gap->first; k--)
                l->of[k] = l->of[k - 1];
            l->of[k] = (struct smi_segment){gap->last, l->of[k - 1].last};
            l->of[k - 1].last = gap->first;
            l->n++;
            l->length_ms -= ms;
            rest -= ms;
        }
        l->sparse = rest * 10 > l->in_ms;
    }
    smi_sort(b->track, b->tracks, sizeof *b->track, by_format_and_time);
    memset(b->source, -1, sizeof b->source);
    for (size_t i = 0; i < b->tracks; i++) {
        const struct smi_device_stats *t = b->track[i].track;
        for (unsigned m = 0; m < SMI_METRIC_COUNT; m++)
            if (t->counts[m])
                offer_metric_source(b, b->track[i].format, m);
        for (size_t k = 0; k < t->counters; k++)
            offer_metric_source(b, b->track[i].format, t->counter[k].metric);
    }
}

int smi_run_gpus_build(struct smi_run_gpus *s, struct smi_run *r, struct smi_err *err)
{
    int rc;
    *s = (struct smi_run_gpus){.pool = {.index = -1, .pooled = true}, .host.index = -1};
    if (join_pieces(r, err))
        return -1;
    for (size_t i = 0; i < r->parts; i++)
        for (size_t k = 0; k < SMI_METRIC_COUNT / 64 + 1; k++)
            s->asked[r->part[i]->format][k] |= r->part[i]->account.asked[k];
    rc = join_streams(r, err);
    if (rc == 0)
        match_devices(s, r);
    for (size_t i = 0; i < s->gpus; i++)
        find_sources(&s->gpu[i]);
    find_sources(&s->pool);
    find_sources(&s->host);
    return rc;
}

void smi_run_gpus_fini(struct smi_run_gpus *s)
{
    for (size_t i = 0; i < s->gpus; i++)
        smi_mem_free(s->gpu[i].track);
    smi_mem_free(s->pool.track);
    smi_mem_free(s->host.track);
    smi_mem_free(s->gpu);
    smi_mem_free(s->shared);
    *s = (struct smi_run_gpus){0};
}
