#include "summary/run_gpus.h"

#include <limits.h>
#include <string.h>

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

int smi_gap_limit(const struct smi_counts *lengths, unsigned *limit, struct smi_err *err)
{
    struct smi_counts_view v = {0};
    int rc = smi_counts_view(lengths, &v);
    int64_t median = v.all.n ? smi_counts_view_at(&v, (v.all.n - 1) / 2) : 0,
            most = median > INT64_MAX / 10 ? INT64_MAX : 10 * median;
    *limit = v.all.n ? smi_interval_class(most < 2000 ? 2000 : most) : UINT_MAX;
    smi_counts_view_fini(&v);
    return rc ? smi_err_nomem(err) : 0;
}

/* ---- inputs of one path: pieces of one file, summarised apart ---- */

static int by_path_and_time(const void *a, const void *b)
{
    const struct smi_input_stats *x = *(struct smi_input_stats *const *)a,
                                 *y = *(struct smi_input_stats *const *)b;
    int c = smi_text_compare_natural(x->path, y->path);
    if (c == 0)
        c = x->format - y->format;
    if (c == 0)
        c = smi_format_infos[x->format].rows
                ? (x->begin_ms > y->begin_ms) - (x->begin_ms < y->begin_ms)
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

/* For each part: the part at the front of its stream. */
static void chain_pieces(const struct smi_run *r, const size_t *order, size_t *front)
{
    for (size_t i = 0; i < r->parts; i++) {
        struct smi_input_stats *p = r->part[order[i]];
        front[order[i]] = order[i];
        if (!p->timed)
            continue;
        for (size_t k = 0; k < i; k++) {
            size_t f = front[order[k]];
            struct smi_input_stats *q = r->part[f];
            if (f != order[k] || !q->timed || q->format != p->format || q->keyed != p->keyed ||
                q->base != p->base || q->last_ms > p->first_ms)
                continue;
            front[order[i]] = f;
            q->last_ms =
                p->last_ms; /* how far the stream has come; both ranges are set right again by the join */
            break;
        }
    }
}

/* Parts in the order of their first times, then names. */
static size_t *sort_parts(const struct smi_run *r)
{
    size_t *order = smi_mem_new(r->parts, sizeof *order);
    for (size_t i = 0; order && i < r->parts; i++) {
        size_t k = i;
        for (; k && r->part[order[k - 1]]->first_ms > r->part[i]->first_ms; k--)
            order[k] = order[k - 1];
        order[k] = i;
    }
    return order;
}

/* The limit class of the GPUs of the stream that begins with part f. Where the machine has rows in it, too,
 * these do not say how often the GPUs were read. */
static int stream_limit(const struct smi_run *r, const size_t *front, size_t f, unsigned *limit,
                        struct smi_err *err)
{
    const struct smi_input_stats *p = r->part[f];
    bool both = p->host && p->pool;
    struct smi_counts all;
    int rc = 0;
    for (size_t i = 0; i < p->tracks; i++) /* NULL of a GPU that has no row */
        both |= p->host && p->track[i];
    smi_counts_init(&all, 1);
    for (size_t i = 0; i < r->parts && !both && rc == 0; i++)
        if (front[i] == f)
            rc = smi_counts_merge(&all, &r->part[i]->dts);
    for (size_t i = 0; i < p->tracks && both && rc == 0; i++)
        rc = p->track[i] ? smi_counts_merge(&all, &p->track[i]->lengths) : 0;
    if (both && p->pool && rc == 0)
        rc = smi_counts_merge(&all, &p->pool->lengths);
    rc = rc ? smi_err_nomem(err) : smi_gap_limit(&all, limit, err);
    if (p->format == SMI_FMT_CODECARBON) /* rows tell how long they were: no span is a gap */
        *limit = UINT_MAX;
    smi_counts_fini(&all);
    return rc;
}

static int join_streams(struct smi_run_gpus *s, struct smi_run *r, const size_t *order, size_t *front,
                        struct smi_err *err)
{
    chain_pieces(r, order, front);
    for (size_t i = 0; i < r->parts; i++) {
        size_t p = order[i];
        if (front[p] != p && smi_input_stats_join(r->part[front[p]], r->part[p], false, err))
            return -1;
    }
    for (size_t i = 0; i < r->parts; i++)
        if (front[i] == i &&
            (smi_input_stats_close(r->part[i], err) || stream_limit(r, front, i, &s->limit[i], err)))
            return -1;
    for (size_t i = 0; i < r->parts; i++)
        s->limit[i] = s->limit[front[i]];
    return 0;
}

/* ---- one source a metric ---- */

/* A limb of a format has readings of the metric. */
static void offer_metric_source(struct smi_run_gpu *b, int format, unsigned metric)
{
    b->source[metric] = (int8_t)smi_metric_first_format(b->source[metric], format, metric);
    b->has[metric / 64] |= (uint64_t)1 << metric % 64;
}

static void find_sources(struct smi_run_gpu *b)
{
    memset(b->source, -1, sizeof b->source);
    for (int f = 0; f < SMI_FMT_COUNT; f++) {
        for (size_t i = 0; i < b->limbs[f]; i++) {
            const struct smi_device_stats *t = b->limb[f][i].track;
            for (unsigned m = 0; m < SMI_METRIC_COUNT; m++)
                if (t->counts[m])
                    offer_metric_source(b, f, m);
            for (size_t k = 0; k < t->counters; k++)
                offer_metric_source(b, f, t->counter[k].metric);
        }
    }
}

int smi_run_gpus_build(struct smi_run_gpus *s, struct smi_run *r, struct smi_err *err)
{
    size_t *order, *front;
    int rc = -1;
    *s = (struct smi_run_gpus){.pool = {.index = -1, .pooled = true}, .host.index = -1};
    if (join_pieces(r, err))
        return -1;
    for (size_t i = 0; i < r->parts; i++)
        for (size_t k = 0; k < SMI_METRIC_COUNT / 64 + 1; k++)
            s->asked_all[k] |= s->asked[r->part[i]->format][k] |= r->part[i]->account.asked[k];
    order = sort_parts(r);
    front = smi_mem_new(r->parts, sizeof *front);
    s->limit = smi_mem_new(r->parts, sizeof *s->limit);
    if (!order || !front || !s->limit)
        smi_err_nomem(err);
    else if (join_streams(s, r, order, front, err) == 0)
        rc = smi_run_gpus_match(s, r, err);
    for (size_t i = 0; i < s->gpus; i++)
        find_sources(&s->gpu[i]);
    find_sources(&s->pool);
    find_sources(&s->host);
    smi_mem_free(order);
    smi_mem_free(front);
    return rc;
}

static void run_gpu_fini(struct smi_run_gpu *b)
{
    for (int f = 0; f < SMI_FMT_COUNT; f++)
        smi_mem_free(b->limb[f]);
}

void smi_run_gpus_fini(struct smi_run_gpus *s)
{
    for (size_t i = 0; i < s->gpus; i++)
        run_gpu_fini(&s->gpu[i]);
    run_gpu_fini(&s->pool);
    run_gpu_fini(&s->host);
    smi_mem_free(s->gpu);
    smi_mem_free(s->shared);
    smi_mem_free(s->limit);
    *s = (struct smi_run_gpus){0};
}
