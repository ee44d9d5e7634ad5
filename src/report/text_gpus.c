/* text_gpus.c - the GPUs of one run: a line each, their other metrics, what held their clocks down, what was
 * counted. */
#include "report/text_report.h"

#include <string.h>

/* ---- the GPUs of one run: a line each. ---- */

/* --- names --- */

/* Do the first characters tell the GPUs of every run apart? */
static bool first_tell(const struct smi_sweep *s)
{
    for (size_t i = 0; smi_sweep_has_run(s, i); i++)
        for (size_t k = 0; k < s->runs[i].ngpus; k++)
            for (size_t j = 0; j < k; j++) {
                const char *a = s->runs[i].gpus[k].uuid, *b = s->runs[i].gpus[j].uuid;
                if (a && b && strncmp(a, b, 12) == 0)
                    return false;
            }
    return true;
}

/* "6e7a1b2c" of "GPU-6e7a1b2c-...", "MIG-..."; where that is the same for two, its end: made-up ones only. */
static const char *uuid_label(struct smi_text_arena *g, const char *uuid)
{
    const char *dash = strchr(uuid, '-');
    size_t n = strlen(uuid);
    if (g->uuids == 2 && n > 8)
        return smi_fmt_safe(g, uuid + n - 8);
    return smi_fmt_safe(g, smi_fmt(g, "%.8s", dash ? dash + 1 : uuid));
}

const char *smi_gpu_label(struct smi_text_arena *g, const struct smi_gpu *gpu)
{
    const char *colon = gpu->bus ? strchr(gpu->bus, ':') : NULL;
    if (gpu->pooled)
        return "pooled";
    if (gpu->index >= 0)
        return smi_fmt(g, "%d", gpu->index);
    if (gpu->uuid && !g->uuids)
        g->uuids = first_tell(g->sweep) ? 1 : 2;
    if (gpu->uuid && (g->uuids == 1 || !colon))
        return uuid_label(g, gpu->uuid);
    if (!colon)
        return "-";
    colon = strchr(colon + 1, ':') ? colon + 1 : gpu->bus; /* 00000000:3B:00.0, 3B:00.0 */
    return smi_fmt_safe(g, smi_fmt(g, "bus %.*s", (int)strcspn(colon, ":"), colon));
}

/* --- the GPUs --- */

static void mark_cell(struct smi_table_cell *c, unsigned marks, unsigned cell)
{
    if (!(marks & cell) || strcmp(c->text, "-") == 0)
        return;
    c->mark = '!';
    c->style = SMI_YELLOW;
}

static void gpu_row(struct smi_report_table *t, const struct smi_summary *s, const struct smi_gpu *gpu)
{
    unsigned marks = smi_findings_marks(s, (int)(gpu - s->gpus));
    struct smi_text_arena *g = t->page;
    const struct smi_stats *use = smi_gpu_stats(gpu, smi_headline_metric[SMI_POOL_UTIL]), none = {0};
    const struct smi_stats *vram = smi_gpu_stats(gpu, smi_headline_metric[SMI_POOL_VRAM]);
    const struct smi_stats *power = smi_gpu_stats(gpu, smi_headline_metric[SMI_POOL_POWER]);
    struct smi_table_cell *row = smi_table_row(t, SMI_ROW_PLAIN);
    int i = 0;
    if (!row)
        return;
    use = use ? use : &none;
    row[i++].text = smi_gpu_label(g, gpu);
    row[i].text = smi_fmt_value(g, use->mean, 1);
    mark_cell(&row[i++], marks, SMI_CELL_UTIL);
    row[i++].text = smi_fmt_value(g, use->p[1], 0);
    row[i++].text = smi_fmt_value(g, use->p[3], 0);
    row[i++].text = smi_fmt_value(g, use->p[5], 0);
    row[i++].text = smi_fmt_value(g, use->max, 0);
    i++; /* the shape, when its width is known */
    row[i].text = smi_fmt_value(g, gpu->idle_pct, 1);
    mark_cell(&row[i++], marks, SMI_CELL_IDLE);
    row[i++].text = vram ? smi_fmt_gib(g, vram->max) : "-";
    row[i++].text = power ? smi_fmt_value(g, power->time_mean.has ? power->time_mean : power->mean, 1) : "-";
    row[i++].text = smi_fmt_value(g, gpu->energy_wh, 1);
}

enum { SHAPE = 6 }; /* column of the GPU table */

static bool has_shape(const struct smi_gpu *gpu)
{
    for (int i = 0; i < SMI_SPARKLINE_CELLS; i++)
        if (gpu->shape[i] != SMI_SPARKLINE_NONE && !gpu->pooled)
            return true;
    return false;
}

/* "1m08s", "26 ms" */
static const char *cell_time(struct smi_text_arena *g, int64_t ms)
{
    return ms < 1 ? "<1 ms" : ms < 100 ? smi_fmt(g, "%lld ms", (long long)ms) : smi_fmt_time(g, ms);
}

/* Fills the line with what the GPUs did over time, if that is known of any. */
static void write_gpu_sparklines(struct smi_report_table *t, const struct smi_summary *s)
{
    struct smi_text_arena *g = t->page;
    int64_t cell_ms = 0;
    int cells = g->look->width - smi_table_need(t, 0) - 2;
    cells = cells > SMI_SPARKLINE_CELLS ? SMI_SPARKLINE_CELLS : cells;
    for (size_t i = 0; i < s->ngpus; i++)
        cell_ms = has_shape(&s->gpus[i]) && s->gpus[i].cell_ms > cell_ms ? s->gpus[i].cell_ms : cell_ms;
    if (cells < 10 || cell_ms == 0)
        return;
    t->col[SHAPE].hidden = false;
    t->cell[SHAPE].text =
        cells < 30 ? "OVER TIME"
                   : smi_fmt(g, "OVER TIME (%s a cell)", cell_time(g, cell_ms * SMI_SPARKLINE_CELLS / cells));
    for (size_t i = 0, row = 1; i < s->ngpus; i++)
        if (smi_gpu_has_row(s, &s->gpus[i]))
            t->cell[row++ * 11 + SHAPE].text = smi_fmt_sparkline(g, s->gpus[i].shape, cells);
}

static void gpu_table(struct smi_text_arena *g, const struct smi_summary *s, bool all)
{
    struct smi_table_column col[] = {{.head = "GPU", .align = SMI_RIGHT},
                                     {.head = "MEAN %", .align = SMI_POINT},
                                     {.head = "P5", .align = SMI_RIGHT, .leave = 3},
                                     {.head = "P50", .align = SMI_RIGHT, .leave = 3},
                                     {.head = "P95", .align = SMI_RIGHT, .leave = 2},
                                     {.head = "MAX", .align = SMI_RIGHT, .leave = 1},
                                     {.head = "", .hidden = true},
                                     {.head = "IDLE %", .align = SMI_POINT},
                                     {.head = "VRAM GiB", .align = SMI_POINT, .hidden = all},
                                     {.head = "W", .align = SMI_POINT, .hidden = all},
                                     {.head = "Wh", .align = SMI_POINT}};
    struct smi_report_table t;
    smi_table_begin(&t, g, col, 11);
    for (size_t i = 0; i < s->ngpus; i++)
        if (smi_gpu_has_row(s, &s->gpus[i]))
            gpu_row(&t, s, &s->gpus[i]);
    if (!g->failed)
        write_gpu_sparklines(&t, s);
    smi_table_text(&t);
    for (size_t i = 0; i < s->ngpus; i++)
        if (!smi_gpu_has_row(s, &s->gpus[i]))
            smi_wrap_fmt(g, SMI_GREY,
                         "pooled: %lld row%s that could not be told apart: in the summary, in no GPU's line",
                         (long long)s->gpus[i].samples, s->gpus[i].samples == 1 ? "" : "s");
}

/* Process logs name GPUs, and say nothing that a line of one could show. */
static bool shows_any(const struct smi_summary *s)
{
    for (size_t i = 0; i < s->ngpus; i++)
        for (int k = SMI_POOL_UTIL; k <= SMI_POOL_POWER; k++)
            if (smi_gpu_stats(&s->gpus[i], smi_headline_metric[k]) || s->gpus[i].pooled)
                return true;
    return false;
}

/* ---- the lesser metrics of the GPUs of one run, what held their clocks down, what was counted. ---- */

/* --- the lesser metrics of all GPUs --- */

/* One metric of the GPUs that have it. */
struct lesser {
    unsigned metric;
    const struct smi_stats **of;
    const struct smi_gpu **gpu;
    size_t n;
    bool gib;
    int digits;
    const char *remark;
};

static const char *metric_text(struct smi_text_arena *g, const struct lesser *m, struct smi_value v)
{
    return m->gib ? smi_fmt_gib(g, v) : smi_fmt_value(g, v, m->digits);
}

static const char *metric_unit(const struct smi_text_arena *g, const struct lesser *m)
{
    const char *t = smi_metrics[m->metric].unit;
    return m->gib ? "GiB" : strcmp(t, "C") == 0 && g->look->utf8 ? "°C" : t;
}

static bool collect_gpus_with_metric(const struct smi_summary *s, struct lesser *m, unsigned metric)
{
    const char *in = smi_metrics[metric].unit;
    m->metric = metric;
    m->n = 0;
    m->gib = false;
    m->digits = strcmp(in, "%") == 0 || strcmp(in, "W") == 0;
    for (size_t i = 0; i < s->ngpus; i++) {
        const struct smi_stats *x = smi_gpu_stats(&s->gpus[i], metric);
        if (!x || !x->mean.has || !smi_gpu_has_row(s, &s->gpus[i]))
            continue;
        m->gib |= strcmp(in, "MiB") == 0 && x->max.micro >= (int64_t)1024 * 1000000;
        m->gpu[m->n] = &s->gpus[i];
        m->of[m->n++] = x;
    }
    return m->n > 0;
}

/* Whether every reading of every GPU was the same. */
static bool is_constant(const struct lesser *m)
{
    for (size_t i = 0; i < m->n; i++)
        if (m->of[i]->min.micro != m->of[0]->max.micro || m->of[i]->max.micro != m->of[0]->max.micro)
            return false;
    return true;
}

/* Within 5 % of what most GPUs show, or within one unit. */
static bool agrees(const struct smi_stats *a, const struct smi_stats *b)
{
    int64_t x = a->mean.micro, y = b->mean.micro, d = x > y ? x - y : y - x;
    return d <= 1000000 || d * 20 <= (y < 0 ? -y : y);
}

/* The GPU with which most agree. */
static size_t find_typical_gpu(const struct lesser *m, size_t *with)
{
    size_t best = 0, n;
    *with = 0;
    for (size_t i = 0; i < m->n; i++) {
        n = 0;
        for (size_t k = 0; k < m->n; k++)
            n += agrees(m->of[k], m->of[i]);
        if (n > *with) {
            *with = n;
            best = i;
        }
    }
    return best;
}

/* Several GPUs as one: their mean, the lowest and highest ends, the middle of the middles. */
static struct smi_stats join_gpus(const struct lesser *m, const struct smi_stats *as)
{
    struct smi_stats out = *as;
    smi_i128 sum = 0;
    out.count = 0;
    for (size_t i = 0; i < m->n; i++) {
        const struct smi_stats *x = m->of[i];
        if (!agrees(x, as))
            continue;
        sum += (smi_i128)x->mean.micro * x->count;
        out.count += x->count;
        out.p[1] = x->p[1].micro < out.p[1].micro ? x->p[1] : out.p[1];
        out.p[5] = x->p[5].micro > out.p[5].micro ? x->p[5] : out.p[5];
        out.max = x->max.micro > out.max.micro ? x->max : out.max;
    }
    out.mean.micro = out.count ? (int64_t)smi_i128_div(sum, out.count) : out.mean.micro;
    return out;
}

static void lesser_row(struct smi_report_table *t, const struct lesser *m, const struct smi_stats *x,
                       const char *who, const char *remark)
{
    struct smi_text_arena *g = t->page;
    struct smi_table_cell *row = smi_table_row(t, SMI_ROW_PLAIN);
    if (!row)
        return;
    row[0].text = smi_fmt(g, "%s%s", smi_metric_label(g, m->metric), who);
    row[1].text = metric_text(g, m, x->mean);
    row[2].text = metric_text(g, m, x->p[1]);
    row[3].text = metric_text(g, m, x->p[3]);
    row[4].text = metric_text(g, m, x->p[5]);
    row[5].text = metric_text(g, m, x->max);
    row[6].text = metric_unit(g, m);
    row[7].text = remark;
    row[7].style = strcmp(remark, "differs") == 0 ? SMI_YELLOW : SMI_STYLE_PLAIN;
}

/* What the device shows is not what was used: "reserved; JAX used 41.3 at most". */
static const char *vram_remark(struct smi_text_arena *g, const struct smi_summary *s)
{
    const char *source = s->vram.source, *t = smi_vram_held(s) ? "reserved; " : "";
    if (!source || strcmp(source, "device") == 0)
        return smi_vram_held(s) ? "reserved" : "";
    if (strcmp(source, "jax") == 0)
        source = "JAX";
    if (g->look->width && g->look->width < 96) /* the VRAM line below says it in full */
        return smi_fmt(g, "%s used %s", source, smi_fmt_gib(g, s->vram.used_peak_mb));
    return smi_fmt(g, "%s%s used %s at most", t, source, smi_fmt_gib(g, s->vram.used_peak_mb));
}

/* Whether it is known that no GPU was slowed down. */
static bool never_slowed(const struct smi_summary *s)
{
    bool known = false;
    for (size_t i = 0; i < s->ngpus; i++) {
        if (!s->gpus[i].pooled && !s->gpus[i].throttle_known)
            return false;
        known |= s->gpus[i].throttle_known;
        for (size_t k = 0; k < s->gpus[i].throttles; k++)
            if (smi_throttle_slows(&s->gpus[i].throttle[k]) && s->gpus[i].throttle[k].pct.micro > 0)
                return false;
    }
    return known;
}

/* GPUs that agree share a line; each of the others has its own, and so has each if most differ. */
static void lesser_rows(struct smi_report_table *t, const struct lesser *m)
{
    struct smi_text_arena *g = t->page;
    size_t with, mid = find_typical_gpu(m, &with);
    bool shared = with * 2 > m->n && with > 1;
    struct smi_stats all = join_gpus(m, m->of[mid]);
    if (shared)
        lesser_row(t, m, &all, "", m->remark);
    for (size_t i = 0; i < m->n; i++) {
        const char *who = m->n > 1 ? smi_fmt(g, ", GPU %s", smi_gpu_label(g, m->gpu[i])) : "";
        if (!shared || !agrees(m->of[i], m->of[mid]))
            lesser_row(t, m, m->of[i], who, shared ? "differs" : m->remark);
    }
}

/* "always the same: VRAM total 79.6 GiB, fan 30 %": a number stays with its name and its unit. */
static void say_constants(struct smi_text_arena *g, const char *list)
{
    list += strspn(list, ", ");
    smi_wrap_words(g, 0, "always the same:", 0);
    for (size_t n; *list; list += n + strspn(list + n, " ")) {
        const char *comma = strstr(list, ", ");
        n = comma ? (size_t)(comma - list) + 1 : strlen(list);
        smi_wrap_word(g, 1, smi_fmt(g, "%.*s", (int)n, list), 0);
    }
    smi_wrap_newline(g);
}

static void lesser_table(struct smi_text_arena *g, const struct smi_summary *s)
{
    struct smi_table_column col[] = {{.head = "", .least = 12},
                                     {.head = "mean", .align = SMI_POINT},
                                     {.head = "p5", .align = SMI_POINT, .leave = 3},
                                     {.head = "p50", .align = SMI_POINT, .leave = 3},
                                     {.head = "p95", .align = SMI_POINT, .leave = 2},
                                     {.head = "max", .align = SMI_POINT, .leave = 1},
                                     {.head = "unit"},
                                     {.head = "", .least = 8, .leave = 2}};
    struct lesser m = {0};
    bool calm = never_slowed(s);
    const char *same = "";
    struct smi_report_table t;
    m.of = smi_arena_new(&g->arena, s->ngpus + 1, sizeof *m.of);
    m.gpu = smi_arena_new(&g->arena, s->ngpus + 1, sizeof *m.gpu);
    g->failed |= !m.of || !m.gpu;
    smi_table_begin(&t, g, col, 8);
    for (unsigned i = 0; !g->failed && i < SMI_METRIC_COUNT; i++) {
        if (smi_metrics[i].kind != SMI_GAUGE || i == smi_headline_metric[SMI_POOL_UTIL] ||
            !collect_gpus_with_metric(s, &m, i))
            continue;
        m.remark = i == smi_headline_metric[SMI_POOL_VRAM] ? vram_remark(g, s) : "";
        if (is_constant(&m)) {
            same = smi_fmt(g, "%s, %s %s%s%s", same, smi_metric_label(g, i), metric_text(g, &m, m.of[0]->max),
                           *smi_metrics[i].unit ? " " : "", metric_unit(g, &m));
            if (*m.remark)
                same = smi_fmt(g, "%s (%s)", same, m.remark);
            continue;
        }
        if (calm && strcmp(smi_metrics[i].unit, "MHz") == 0) { /* the first clock, SM, has it */
            m.remark = "no throttling";
            calm = false;
        }
        lesser_rows(&t, &m);
    }
    if (t.rows == 1)
        t.rows = 0; /* nothing but the head */
    smi_table_text(&t);
    if (*same)
        say_constants(g, same);
    if (calm)
        smi_wrap_line(g, SMI_STYLE_PLAIN, "no throttling");
}

static struct smi_value throttle_of(const struct smi_gpu *gpu, const char *reason)
{
    for (size_t i = 0; i < gpu->throttles; i++)
        if (strcmp(gpu->throttle[i].reason, reason) == 0)
            return gpu->throttle[i].pct;
    return (struct smi_value){0};
}

/* Throttle reasons, each with the GPU that has most of it. */
static void write_slowdowns_line(struct smi_text_arena *g, const struct smi_summary *s)
{
    const char *t = "";
    for (size_t i = 0; i < s->ngpus; i++)
        for (size_t k = 0; k < s->gpus[i].throttles; k++) {
            const char *reason = s->gpus[i].throttle[k].reason;
            int64_t v = s->gpus[i].throttle[k].pct.micro;
            bool most = smi_throttle_slows(&s->gpus[i].throttle[k]) && v > 0;
            for (size_t o = 0; o < s->ngpus; o++) {
                int64_t other = throttle_of(&s->gpus[o], reason).micro;
                most &= o < i ? other < v : other <= v;
            }
            if (most)
                t = smi_fmt(g, "%s, %s %s %%%s", t, smi_key_label(g, reason), smi_fmt_ratio(g, v, 1000000, 1),
                            s->ngpus == 1 ? "" : smi_fmt(g, " (GPU %s)", smi_gpu_label(g, &s->gpus[i])));
        }
    if (*t)
        smi_wrap_fmt(g, SMI_STYLE_PLAIN, "clocks held down, highest share: %s", t + 2);
}

/* Do the errors tell it? */
static bool counter_is_error(unsigned metric)
{
    const char *key = smi_metrics[metric].key, *end = strrchr(key, '.');
    return strncmp(key, "retired_", 8) == 0 || strncmp(key, "remapped_rows", 13) == 0 ||
           (strncmp(key, "ecc.", 4) == 0 && strcmp(end, ".total") == 0);
}

/* Counters that went up, over all GPUs. */
static void write_counters_line(struct smi_text_arena *g, const struct smi_summary *s)
{
    const char *t = "";
    for (unsigned m = 0; m < SMI_METRIC_COUNT; m++) {
        int64_t sum = 0;
        for (size_t i = 0; smi_metrics[m].kind == SMI_COUNTER && i < s->ngpus; i++) {
            const struct smi_stats *x = smi_gpu_stats(&s->gpus[i], m);
            sum += x && x->increase.has ? x->increase.micro : 0;
        }
        if (sum <= 0 || counter_is_error(m))
            continue;
        if (strcmp(smi_metrics[m].unit, "us") == 0) /* time, and more of it than people count in us */
            t = smi_fmt(g, "%s, %s %s", t, smi_metric_label(g, m), smi_fmt_time(g, sum / 1000000000));
        else
            t = smi_fmt(g, "%s, %s +%s%s%s", t, smi_metric_label(g, m), smi_fmt_ratio(g, sum, 1000000, 0),
                        *smi_metrics[m].unit ? " " : "", smi_metrics[m].unit);
    }
    if (*t)
        smi_wrap_fmt(g, SMI_STYLE_PLAIN, "counted: %s", t + 2);
}

/* Their lesser metrics, slowdowns and counters alone. */
static void write_gpu_metrics(struct smi_text_arena *g, const struct smi_summary *s)
{
    lesser_table(g, s);
    write_slowdowns_line(g, s);
    write_counters_line(g, s);
}

void smi_text_gpus(struct smi_text_arena *g, const struct smi_summary *s, bool all)
{
    if (!shows_any(s) && !all)
        return;
    if (shows_any(s))
        gpu_table(g, s, all);
    if (all) {
        write_gpu_metrics(g, s);
    }
    smi_wrap_newline(g);
}
