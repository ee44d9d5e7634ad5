/* machine_statistics.c - what is asked of the last minutes and of the whole run. */
#include "live/machine_private.h"

#include "summary/run_gpus.h"

#include <limits.h>
#include <stdlib.h>

enum {
    PERCENTILE = 95,
    SOURCES_MAX = 2 * SMI_MACHINE_GPUS_MAX,
    WINDOW_MS = SMI_HISTORY_FINE * SMI_HISTORY_FINE_MS
};

/* The sources of one GPU that have a metric. */
struct gpu_sources {
    const struct smi_device_stats *track[SOURCES_MAX];
    const struct smi_input_stats *part[SOURCES_MAX];
    size_t n;
};

static const struct smi_device_stats *track_of(const struct smi_machine *n, const struct smi_live_source *s,
                                               const struct smi_live_gpu *b)
{
    if (!s->part)
        return NULL;
    if (b == &n->host)
        return s->part->host;
    for (size_t i = 0; i < s->nof && i < s->part->tracks; i++)
        if (s->of[i] == b)
            return s->part->track[i];
    return NULL;
}

static bool has_track(const struct smi_device_stats *t, unsigned metric)
{
    return t && t->counts[metric] && smi_counts_total(t->counts[metric]) > 0;
}

/* Those of the first format that has the metric (docs/numbers.md §5 "one source a metric"). */
static void find_sources(const struct smi_machine *n, const struct smi_live_gpu *b, unsigned metric,
                         struct gpu_sources *out)
{
    int best = -1;
    for (size_t i = 0; i < n->sources; i++) {
        if (has_track(track_of(n, n->source[i], b), metric))
            best = smi_metric_first_format(best, n->source[i]->format, metric);
    }
    for (size_t i = 0; i < n->sources && out->n < SOURCES_MAX; i++) {
        const struct smi_device_stats *t = track_of(n, n->source[i], b);
        if (n->source[i]->format == best && has_track(t, metric)) {
            out->part[out->n] = n->source[i]->part;
            out->track[out->n++] = t;
        }
    }
}

static int64_t mean_of(smi_i128 sum, int64_t n)
{
    return n ? (int64_t)((sum + (sum < 0 ? -n : n) / 2) / n) : 0;
}

int smi_machine_whole_run(const struct smi_machine *n, const struct smi_live_gpu *b, unsigned metric,
                          struct smi_machine_figures *out)
{
    const int at = PERCENTILE;
    struct smi_counts all;
    struct smi_counts_figures f;
    struct gpu_sources l = {0};
    int rc = 0;
    *out = (struct smi_machine_figures){0};
    if (b)
        find_sources(n, b, metric, &l);
    for (size_t i = 0; !b && i < n->gpus; i++)
        if (n->gpu[i]->mine)
            find_sources(n, n->gpu[i], metric, &l);
    if (l.n == 0)
        return 0;
    smi_counts_init(&all, smi_metrics[metric].step);
    for (size_t i = 0; i < l.n && rc == 0 && l.n > 1; i++)
        rc = smi_counts_merge(&all, l.track[i]->counts[metric]);
    if (rc == 0)
        rc = smi_counts_figures(l.n == 1 ? l.track[0]->counts[metric] : &all, &at, 1, &f, &out->p95);
    if (rc == 0) {
        out->n = f.n;
        out->mean = mean_of(f.sum, f.n);
        out->max = f.max;
    }
    smi_counts_fini(&all);
    return rc;
}

static int by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* From the rings of list[0 ... k - 1]. Returns 0, or -1 without memory. */
static int figures_from_histories(const struct smi_machine *n, const struct smi_live_gpu *const *list,
                                  size_t k, enum smi_history_slot slot, struct smi_machine_figures *out)
{
    const size_t room = k * SMI_HISTORY_FINE;
    int64_t *mean = smi_mem_raw((room + 1) * sizeof *mean);
    struct smi_history_sum sum = {0};
    size_t m = 0;
    if (!mean)
        return -1;
    for (size_t i = 0; i < k; i++) {
        int64_t now = smi_machine_gpu_now(n, list[i]);
        smi_history_sum(&list[i]->ring[slot], now, WINDOW_MS, &sum);
        m += smi_history_means(&list[i]->ring[slot], now, WINDOW_MS, mean + m, room - m);
    }
    *out = (struct smi_machine_figures){.n = sum.n, .mean = mean_of(sum.sum, sum.n), .max = sum.max};
    if (m) {
        qsort(mean, m, sizeof *mean, by_value);
        out->p95 = (int64_t)smi_i128_div(smi_percentile_hundredfold(mean, m, PERCENTILE), 100);
    }
    smi_mem_free(mean);
    return 0;
}

int smi_machine_window(const struct smi_machine *n, const struct smi_live_gpu *b, enum smi_history_slot slot,
                       struct smi_machine_figures *out)
{
    const struct smi_live_gpu *list[SMI_MACHINE_GPUS_MAX];
    size_t k = 0;
    *out = (struct smi_machine_figures){0};
    if (n->timed && n->t_ms - n->first_ms < WINDOW_MS && slot != SMI_HISTORY_THERMAL)
        return smi_machine_whole_run(n, b, smi_history_metric[slot], out);
    for (size_t i = 0; !b && i < n->gpus; i++)
        if (n->gpu[i]->mine)
            list[k++] = n->gpu[i];
    if (b)
        list[k++] = b;
    return figures_from_histories(n, list, k, slot, out);
}

/* ---- over time ---- */

/* The whole run, from the series that its track keeps anyway. */
static void whole_spark(const struct smi_machine *n, const struct smi_live_gpu *b, enum smi_history_slot slot,
                        int64_t *out, size_t cells)
{
    int timed = smi_timed_slot(smi_history_metric[slot]);
    int64_t span = n->t_ms - n->first_ms + 1;
    struct gpu_sources l = {0};
    const struct smi_series *s;
    int64_t offset;
    if (timed < 0)
        return;
    find_sources(n, b, smi_history_metric[slot], &l);
    if (l.n == 0)
        return;
    s = &l.track[l.n - 1]->timed[timed].series;
    offset = l.part[l.n - 1]->base == SMI_TIME_BASE_UTC ? 0 : (int64_t)n->o.offset_s * 1000;
    for (size_t c = 0; c < cells; c++) {
        int64_t from = n->first_ms + offset + (int64_t)c * span / (int64_t)cells,
                to = n->first_ms + offset + (int64_t)(c + 1) * span / (int64_t)cells, count = 0;
        smi_i128 sum = 0;
        for (size_t i = 0; i < s->n; i++) {
            int64_t at = (s->base + (int64_t)i) * ((int64_t)1 << s->shift),
                    end = at + ((int64_t)1 << s->shift);
            if (s->bucket[i].n && at < to && end > from) {
                sum += s->bucket[i].sum;
                count += s->bucket[i].n;
            }
        }
        out[c] = count ? mean_of(sum, count) : SMI_NO_READING;
    }
}

/* Readings of cell i, on the grid of the ring's cells, so that a cell does not change once it is over. */
static struct smi_history_sum cell_sum(int64_t now_ms, const struct smi_history *ring, int64_t span_ms,
                                       size_t i, size_t cells)
{
    int64_t step = span_ms / (int64_t)cells, last = now_ms - now_ms % (step > 0 ? step : 1) + step;
    struct smi_history_sum sum = {0};
    smi_history_sum_between(ring, last - (int64_t)(cells - i) * step, last - (int64_t)(cells - i - 1) * step,
                            span_ms > SMI_HISTORY_FINE * SMI_HISTORY_FINE_MS, &sum);
    return sum;
}

void smi_machine_sparkline(const struct smi_machine *n, const struct smi_live_gpu *b,
                           enum smi_history_slot slot, int64_t span_ms, int64_t *out, size_t cells)
{
    for (size_t i = 0; i < cells; i++)
        out[i] = SMI_NO_READING;
    if (n->timed && span_ms == 0)
        whole_spark(n, b, slot, out, cells);
    for (size_t i = 0; n->timed && span_ms && i < cells; i++) {
        struct smi_history_sum sum = cell_sum(smi_machine_gpu_now(n, b), &b->ring[slot], span_ms, i, cells);
        if (sum.n)
            out[i] = mean_of(sum.sum, sum.n);
    }
}

void smi_machine_peaks(const struct smi_machine *n, const struct smi_live_gpu *b, enum smi_history_slot slot,
                       int64_t span_ms, int64_t *out, size_t cells)
{
    int64_t span = span_ms ? span_ms : n->timed ? n->t_ms - n->first_ms + 1 : 1;
    for (size_t i = 0; i < cells; i++) {
        struct smi_history_sum sum = {0};
        if (n->timed)
            sum = cell_sum(smi_machine_gpu_now(n, b), &b->ring[slot], span, i, cells);
        out[i] = sum.n ? sum.max : SMI_NO_READING;
    }
}

/* ---- sums ---- */

/* The class of interval beyond which a track has a gap. */
static unsigned gap_limit_of(const struct smi_device_stats *t)
{
    struct smi_counts all;
    struct smi_err err;
    unsigned limit = UINT_MAX;
    smi_counts_init(&all, 1);
    if (smi_counts_merge(&all, &t->dts) == 0 && smi_counts_merge(&all, &t->lengths) == 0)
        smi_gap_limit(&all, &limit, &err);
    smi_counts_fini(&all);
    return limit;
}

void smi_machine_totals(const struct smi_machine *n, struct smi_machine_totals *out)
{
    smi_i128 energy = 0; /* (millionths of W, twice) x ms */
    int power = smi_timed_slot(SMI_POWER);
    *out = (struct smi_machine_totals){0};
    for (size_t i = 0; i < n->gpus; i++) {
        struct gpu_sources util = {0}, watts = {0};
        if (!n->gpu[i]->mine)
            continue;
        find_sources(n, n->gpu[i], SMI_GPU_UTIL, &util);
        find_sources(n, n->gpu[i], SMI_POWER, &watts);
        for (size_t k = 0; k < util.n; k++) {
            unsigned limit = gap_limit_of(util.track[k]);
            struct smi_time_sum_slot idle = smi_time_sum_total(&util.track[k]->idle, limit);
            out->covered_ms += smi_time_sum_total(&util.track[k]->covered, limit).dt;
            out->known_ms += idle.dt;
            out->idle_ms += (int64_t)idle.area;
        }
        for (size_t k = 0; k < watts.n; k++) {
            out->energy_wh.has = true;
            energy +=
                smi_time_sum_total(&watts.track[k]->timed[power].sum, gap_limit_of(watts.track[k])).area;
        }
    }
    out->energy_wh.micro = (int64_t)smi_i128_div(energy, 2 * 3600000); /* of twice millionths of W x ms */
}
