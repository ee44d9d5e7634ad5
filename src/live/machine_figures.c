/* machine_figures.c - figures of the machine: their history, statistics and texts. */
#include "live/alert.h"
#include "report/fmt.h"
#include "report/text_report.h"
#include "summary/gpus.h"

#include <limits.h>
#include <stdlib.h>

const char *const smi_gpu_states[] = {"ok", "stale", "lost"};
const char *const smi_source_states[] = {"starting", "ok", "silent", "down", "ended"};

const struct smi_machine_reading *smi_machine_shown(const struct smi_machine *n, const struct smi_live_gpu *b,
                                                    unsigned metric)
{
    return b->state == SMI_GPU_LOST ? NULL : smi_machine_reading_of(n, b, metric);
}

int64_t smi_machine_sum(const struct smi_machine *n, unsigned metric, int64_t *sum)
{
    int64_t some = 0;
    *sum = 0;
    for (size_t i = 0; i < n->gpus; i++) {
        const struct smi_machine_reading *r =
            n->gpu[i]->mine ? smi_machine_shown(n, n->gpu[i], metric) : NULL;
        *sum += r ? r->v : 0;
        some += r != NULL;
    }
    return some;
}

const char *smi_machine_clock(struct smi_text_arena *g, const struct smi_machine *n, int64_t t_ms)
{
    char stamp[SMI_CLOCK_TEXT];
    smi_clock_write(stamp, t_ms + (int64_t)n->o.offset_s * 1000, false);
    return n->timed ? smi_fmt(g, "%.8s", stamp + 11) : "--:--:--";
}

const char *smi_machine_value(struct smi_text_arena *g, const struct smi_machine_reading *r, int64_t unit,
                              int digits)
{
    return r ? smi_fmt_ratio(g, r->v, unit, digits) : "-";
}

enum { GIB = 1024 * 1000000 };

const struct smi_gpu_cell smi_gpu_cells[SMI_GPU_CELLS] = {
    {"now", "use", "%", SMI_HISTORY_UTIL, SMI_GPU_UTIL, 0, 0, SMI_MARK_USE, 1000000, 0},
    {"vram", "memory", "GiB", SMI_HISTORY_FB_USED, SMI_FB_USED, SMI_FB_TOTAL, SMI_FB_TOTAL, SMI_MARK_VRAM,
     GIB, 1},
    {"power", "power", "W", SMI_HISTORY_POWER, SMI_POWER, SMI_POWER_LIMIT, SMI_POWER_LIMIT, 0, 1000000, 0},
    {"temp", "temperature",
     "\u00b0"
     "C",
     SMI_HISTORY_TEMP, SMI_TEMP_GPU, 0, 0, SMI_MARK_TEMP, 1000000, 0},
    {"clock", "SM clock", "MHz", SMI_HISTORY_CLOCK, SMI_CLK_SM, 0, SMI_CLK_MAX_SM, SMI_MARK_CLOCK, 1000000,
     0},
    {.name = "fan", .metric = SMI_FAN, .scale = 1000000},
    {.name = "mem", .metric = SMI_MEM_UTIL, .scale = 1000000}};

const char *smi_machine_cell(struct smi_text_arena *g, const struct smi_machine *n,
                             const struct smi_live_gpu *b, size_t cell, bool whole)
{
    const struct smi_gpu_cell *c = &smi_gpu_cells[cell];
    const struct smi_machine_reading *r = smi_machine_shown(n, b, c->metric),
                                     *all = whole && c->whole ? smi_machine_shown(n, b, c->whole) : NULL;
    const char *text = smi_machine_value(g, r, c->scale, c->digits);
    return r && all ? smi_fmt(g, "%s/%s", text, smi_machine_value(g, all, c->scale, 0))
           : r && c->metric == SMI_GPU_UTIL ? smi_fmt(g, "%s %%", text)
                                            : text;
}

const char *smi_machine_gpu_name(struct smi_text_arena *g, const struct smi_machine *n,
                                 const struct smi_live_gpu *b)
{
    return n->many_runs || n->many_machines ? b->label + strlen("GPU ")
           : b->index >= 0                  ? smi_fmt(g, "%d", b->index)
                                            : "-";
}

/* "561/637 GiB" */
static const char *sum_text(struct smi_text_arena *g, const struct smi_machine *n, unsigned metric,
                            unsigned whole, int64_t unit, const char *fmt)
{
    const int digits = metric == SMI_POWER ? 2 : 0;
    int64_t v, of, k = smi_machine_sum(n, metric, &v);
    const char *text = smi_fmt_ratio(g, v, unit, digits);
    if (smi_machine_sum(n, whole, &of) == k) /* of the same GPUs */
        text = smi_fmt(g, "%s/%s", text, smi_fmt_ratio(g, of, unit, digits));
    return k ? smi_fmt(g, fmt, text) : NULL;
}

void smi_machine_total_texts(struct smi_text_arena *g, const struct smi_machine *n,
                             const char *text[SMI_TOTALS])
{
    const struct smi_machine_reading *cpu = smi_machine_reading_of(n, &n->host, SMI_CPU_PCT);
    struct smi_machine_totals all;
    int64_t v, k = smi_machine_sum(n, SMI_GPU_UTIL, &v);
    smi_machine_totals(n, NULL, &all);
    text[SMI_TOTAL_USE] = k ? smi_fmt(g, "%s %%", smi_fmt_ratio(g, v, (smi_i128)k * 1000000, 1)) : NULL;
    text[SMI_TOTAL_MEMORY] = sum_text(g, n, SMI_FB_USED, SMI_FB_TOTAL, GIB, "%s GiB");
    text[SMI_TOTAL_POWER] = sum_text(g, n, SMI_POWER, SMI_POWER_LIMIT, 1000000000, "%s kW");
    text[SMI_TOTAL_ENERGY] = all.energy_wh.has ? smi_fmt_energy(g, all.energy_wh) : NULL;
    text[SMI_TOTAL_IDLE] = all.known_ms ? smi_fmt(g, "%s GPU-h", smi_fmt_hours(g, all.idle_ms)) : NULL;
    text[SMI_TOTAL_CPU] = cpu ? smi_fmt(g, "%s %%", smi_fmt_ratio(g, cpu->v, 1000000, 0)) : NULL;
}

const char *smi_machine_models(struct smi_text_arena *g, const struct smi_machine *n)
{
    const char *name = NULL;
    size_t k = 0;
    for (size_t i = 0; i < n->gpus; i++) {
        if (!n->gpu[i]->mine)
            continue;
        if (k++ == 0)
            name = n->gpu[i]->name;
        else if (!name || !n->gpu[i]->name || strcmp(name, n->gpu[i]->name) != 0)
            name = NULL;
    }
    if (n->more_gpus)
        return smi_fmt(g, "%zu GPUs and more", k);
    if (k == 0)
        return n->gpus ? "no GPU of its own" : "no GPU";
    if (!name)
        return k == 1 ? "1 GPU" : smi_fmt(g, "%zu GPUs", k);
    return smi_fmt(g, "%zu x %s", k, strncmp(name, "NVIDIA ", 7) == 0 ? name + 7 : name);
}

const char *smi_machine_ended(struct smi_text_arena *g, const struct smi_machine *n)
{
    size_t ended = 0;
    int64_t age = INT64_MAX;
    for (size_t i = 0; i < n->sources; i++) {
        const struct smi_live_source *s = n->source[i];
        if (s->state != SMI_SOURCE_ENDED)
            continue;
        ended++;
        age = n->mono_ms - s->seen_mono_ms < age ? n->mono_ms - s->seen_mono_ms : age;
    }
    return ended == 0   ? NULL
           : ended == 1 ? smi_fmt(g, "1 log has ended, %s ago", smi_fmt_time(g, age))
                        : smi_fmt(g, "%zu logs have ended, the last one %s ago", ended, smi_fmt_time(g, age));
}

size_t smi_machine_figure_rows(struct smi_text_arena *g, const struct smi_machine *n,
                               struct smi_figure_row row[SMI_FIGURE_ROWS])
{
    static const struct {
        const char *label;
        enum smi_history_slot slot;
        int64_t unit;
        int digits[2]; /* of the mean, of the others */
    } rows[SMI_FIGURE_ROWS] = {{"GPU %", SMI_HISTORY_UTIL, 1000000, {1, 0}},
                               {"VRAM GiB, a GPU", SMI_HISTORY_FB_USED, GIB, {1, 1}},
                               {"power W, a GPU", SMI_HISTORY_POWER, 1000000, {0, 0}},
                               {"CPU %", SMI_HISTORY_CPU, 1000000, {1, 1}}};
    size_t k = 0;
    for (size_t i = 0; i < SMI_FIGURE_ROWS; i++) {
        const struct smi_live_gpu *of = rows[i].slot == SMI_HISTORY_CPU ? &n->host : NULL;
        struct smi_machine_figures f[2];
        smi_machine_window(n, of, rows[i].slot, &f[0]);
        smi_machine_whole_run(n, of, smi_history_metric[rows[i].slot], &f[1]);
        if (!f[0].n && !f[1].n)
            continue;
        row[k] = (struct smi_figure_row){rows[i].label, {NULL}};
        for (int c = 0; c < SMI_FIGURES; c++) {
            const struct smi_machine_figures *s = &f[c / 3];
            const int64_t v[] = {s->mean, s->p95, s->max};
            row[k].figure[c] =
                s->n ? smi_fmt_ratio(g, v[c % 3], rows[i].unit, rows[i].digits[c % 3 > 0]) : "-";
        }
        k++;
    }
    return k;
}

const char *smi_machine_remark(struct smi_text_arena *g, const struct smi_machine *n, size_t gpu)
{
    const struct smi_live_gpu *b = n->gpu[gpu];
    int64_t age = smi_machine_age(n, b);
    const char *text = "";
    if (b->state == SMI_GPU_LOST)
        return b->index >= 0 ? "LOST" : smi_fmt(g, "LOST: %s", b->label);
    if (b->state == SMI_GPU_STALE)
        return age < 100000 ? smi_fmt(g, "reading %lld s old", (long long)(age / 1000))
                            : smi_fmt(g, "reading %s old", smi_fmt_time(g, age));
    for (size_t i = 0; i < n->alerts; i++)
        if (n->alert[i].gpu == (int)gpu && *n->alert[i].note)
            text = *text ? smi_fmt(g, "%s, %s", text, n->alert[i].note) : n->alert[i].note;
    return text;
}

static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

static void add_to_cells(struct smi_history_cell **cell, size_t n, int64_t at, int64_t v)
{
    struct smi_history_cell *c;
    if (!*cell)
        *cell = smi_mem_new(n, sizeof **cell);
    c = *cell + (uint64_t)at % n;
    if (c->n && (int32_t)(c->at - (uint32_t)at) > 0)
        return; /* older than the ring */
    if (!c->n || c->at != (uint32_t)at)
        *c = (struct smi_history_cell){.max = v, .at = (uint32_t)at};
    if (c->n == UINT32_MAX || __builtin_add_overflow(c->sum, v, &c->sum))
        return;
    c->n++;
    c->max = v > c->max ? v : c->max;
}

void smi_history_add(struct smi_history *r, int64_t t_ms, int64_t v, bool hour)
{
    add_to_cells(&r->fine, SMI_HISTORY_FINE, floor_div(t_ms, SMI_HISTORY_FINE_MS), v);
    if (hour)
        add_to_cells(&r->coarse, SMI_HISTORY_COARSE, floor_div(t_ms, SMI_HISTORY_COARSE_MS), v);
}

size_t smi_history_sum_between(const struct smi_history *r, int64_t from_ms, int64_t to_ms, bool coarse,
                               struct smi_history_sum *out, int64_t *mean)
{
    int64_t step = coarse ? SMI_HISTORY_COARSE_MS : SMI_HISTORY_FINE_MS,
            most = coarse ? SMI_HISTORY_COARSE : SMI_HISTORY_FINE,
            first = floor_div(from_ms + step - 1, step), last = floor_div(to_ms + step - 1, step);
    const struct smi_history_cell *cell = coarse ? r->coarse : r->fine, *c;
    size_t n = 0;
    for (int64_t at = last - first > most ? last - most : first; cell && at < last; at++) {
        c = &cell[(uint64_t)at % (size_t)most];
        if (!c->n || c->at != (uint32_t)at || __builtin_add_overflow(out->sum, c->sum, &out->sum))
            continue;
        out->max = out->n == 0 || c->max > out->max ? c->max : out->max;
        out->n += c->n;
        if (mean)
            mean[n++] = c->sum / c->n;
    }
    return n;
}

void smi_history_fini(struct smi_history *r)
{
    smi_mem_free(r->fine);
    smi_mem_free(r->coarse);
    *r = (struct smi_history){0};
}

/* ---- what is asked of the last minutes and of the whole run ---- */

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

/* What a source has of a metric, or NULL. */
static const struct smi_device_stats *track_of(const struct smi_machine *n, const struct smi_live_source *s,
                                               const struct smi_live_gpu *b, unsigned metric)
{
    const struct smi_device_stats *t = s->part && b == &n->host ? s->part->host : NULL;
    for (size_t i = 0; s->part && i < s->nof && i < s->part->tracks; i++)
        if (s->of[i] == b)
            t = s->part->track[i];
    return t && t->counts[metric] && smi_counts_total(t->counts[metric]) > 0 ? t : NULL;
}

/* The GPU b, or (NULL) all that are mine. Returns how many. */
static size_t list_gpus(const struct smi_machine *n, const struct smi_live_gpu *b,
                        const struct smi_live_gpu *list[SMI_MACHINE_GPUS_MAX])
{
    size_t k = 0;
    if (b)
        list[k++] = b;
    for (size_t i = 0; !b && i < n->gpus; i++)
        if (n->gpu[i]->mine)
            list[k++] = n->gpu[i];
    return k;
}

/* Of each GPU those of the first format that has the metric (docs/numbers.md §5 "one source a metric"). b
 * NULL: of all that are mine. They are there until the next call. */
static const struct gpu_sources *find_sources(const struct smi_machine *n, const struct smi_live_gpu *b,
                                              unsigned metric)
{
    const struct smi_live_gpu *list[SMI_MACHINE_GPUS_MAX];
    const size_t gpus = list_gpus(n, b, list);
    struct gpu_sources *l = smi_mem_room(SMI_ROOM_SOURCES, sizeof *l);
    l->n = 0;
    for (size_t k = 0; k < gpus; k++) {
        int best = -1;
        for (size_t i = 0; i < n->sources; i++)
            if (track_of(n, n->source[i], list[k], metric))
                best = smi_metric_first_format(best, n->source[i]->format, metric);
        for (size_t i = 0; i < n->sources && l->n < SOURCES_MAX; i++) {
            const struct smi_device_stats *t = track_of(n, n->source[i], list[k], metric);
            if (t && n->source[i]->format == best) {
                l->part[l->n] = n->source[i]->part;
                l->track[l->n++] = t;
            }
        }
    }
    return l;
}

static int64_t mean_of(smi_i128 sum, int64_t n)
{
    return n ? (int64_t)((sum + (sum < 0 ? -n : n) / 2) / n) : 0;
}

void smi_machine_whole_run(const struct smi_machine *n, const struct smi_live_gpu *b, unsigned metric,
                           struct smi_machine_figures *out)
{
    const int at = PERCENTILE;
    struct smi_counts all;
    struct smi_counts_figures f;
    const struct gpu_sources *const l = find_sources(n, b, metric);
    *out = (struct smi_machine_figures){0};
    if (l->n == 0)
        return;
    smi_counts_init(&all, smi_metrics[metric].step);
    for (size_t i = 0; i < l->n && l->n > 1; i++)
        smi_counts_merge(&all, l->track[i]->counts[metric]);
    smi_counts_figures(l->n == 1 ? l->track[0]->counts[metric] : &all, &at, 1, &f, &out->p95);
    out->n = f.n;
    out->mean = mean_of(f.sum, f.n);
    out->max = f.max;
    smi_counts_fini(&all);
}

void smi_machine_window(const struct smi_machine *n, const struct smi_live_gpu *b, enum smi_history_slot slot,
                        struct smi_machine_figures *out)
{
    const struct smi_live_gpu *list[SMI_MACHINE_GPUS_MAX];
    const size_t k = list_gpus(n, b, list);
    struct smi_history_sum sum = {0};
    int64_t *mean, end;
    size_t m = 0;
    if (n->timed && n->t_ms - n->first_ms < WINDOW_MS) {
        smi_machine_whole_run(n, b, smi_history_metric[slot], out);
        return;
    }
    mean = smi_mem_raw((k * SMI_HISTORY_FINE + 1) * sizeof *mean);
    for (size_t i = 0; i < k; i++) {
        end = smi_machine_gpu_now(n, list[i]) + 1;
        m += smi_history_sum_between(&list[i]->ring[slot], end - WINDOW_MS, end, false, &sum, mean + m);
    }
    *out = (struct smi_machine_figures){.n = sum.n, .mean = mean_of(sum.sum, sum.n), .max = sum.max};
    if (m) {
        qsort(mean, m, sizeof *mean, smi_compare_counts);
        out->p95 = (int64_t)smi_i128_div(smi_percentile_hundredfold(mean, m, PERCENTILE), 100);
    }
    smi_mem_free(mean);
}

/* ---- over time ---- */

/* The whole run, from the series that its track keeps anyway. */
static void whole_spark(const struct smi_machine *n, const struct smi_live_gpu *b, enum smi_history_slot slot,
                        int64_t *out, size_t cells)
{
    int timed = smi_timed_slot(smi_history_metric[slot]);
    int64_t span = n->t_ms - n->first_ms + 1;
    const struct gpu_sources *const l = find_sources(n, b, smi_history_metric[slot]);
    const struct smi_series *s;
    int64_t offset;
    if (timed < 0 || l->n == 0)
        return;
    s = &l->track[l->n - 1]->timed[timed].series;
    offset = l->part[l->n - 1]->base == SMI_TIME_BASE_UTC ? 0 : (int64_t)n->o.offset_s * 1000;
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

void smi_machine_sparkline(const struct smi_machine *n, const struct smi_live_gpu *b,
                           enum smi_history_slot slot, int64_t span_ms, bool peaks, int64_t *out,
                           size_t cells)
{
    const bool whole = !span_ms && !peaks;
    int64_t now_ms = smi_machine_gpu_now(n, b), step, last;
    span_ms = span_ms ? span_ms : n->timed ? n->t_ms - n->first_ms + 1 : 1;
    step = span_ms / (int64_t)cells;
    last = now_ms - now_ms % (step > 0 ? step : 1) + step;
    for (size_t i = 0; i < cells; i++) {
        struct smi_history_sum sum = {0};
        if (n->timed && !whole)
            smi_history_sum_between(&b->ring[slot], last - (int64_t)(cells - i) * step,
                                    last - (int64_t)(cells - i - 1) * step,
                                    span_ms > SMI_HISTORY_FINE * SMI_HISTORY_FINE_MS, &sum, NULL);
        out[i] = !sum.n ? SMI_NO_READING : peaks ? sum.max : mean_of(sum.sum, sum.n);
    }
    if (n->timed && whole)
        whole_spark(n, b, slot, out, cells);
}

/* ---- sums ---- */

void smi_machine_totals(const struct smi_machine *n, const struct smi_live_gpu *b,
                        struct smi_machine_totals *out)
{
    const struct gpu_sources *l = find_sources(n, b, SMI_GPU_UTIL);
    const int power = smi_timed_slot(SMI_POWER);
    smi_i128 energy = 0; /* (millionths of W, twice) x ms */
    *out = (struct smi_machine_totals){0};
    for (size_t k = 0; k < l->n; k++) {
        unsigned limit = smi_gap_limit(&l->track[k]->lengths);
        struct smi_time_sum_slot idle = smi_time_sum_total(&l->track[k]->idle, limit);
        out->covered_ms += smi_time_sum_total(&l->track[k]->covered, limit).dt;
        out->known_ms += idle.dt;
        out->idle_ms += (int64_t)idle.area;
    }
    l = find_sources(n, b, SMI_POWER);
    for (size_t k = 0; k < l->n; k++)
        energy +=
            smi_time_sum_total(&l->track[k]->timed[power].sum, smi_gap_limit(&l->track[k]->lengths)).area;
    out->energy = energy / 2000;
    out->energy_wh.has = l->n > 0;
    out->energy_wh.micro = (int64_t)smi_i128_div(energy, 2 * 3600000);
}
