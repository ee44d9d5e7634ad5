/* detail.c - one run: header, the reference block, its GPUs, and with -v everything else (screens.md §4). */
#include "output/table.h"

#include <string.h>

enum { PHASE_ROWS = 12 };

static const struct smi_stats *stats_of(const struct smi_gpu *gpu, unsigned metric)
{
    for (size_t i = 0; i < gpu->nstats; i++)
        if (gpu->stats[i].metric == metric)
            return &gpu->stats[i];
    return NULL;
}

/* --- the GPUs --- */

static const char *gpu_label(struct smi_page *g, const struct smi_gpu *gpu)
{
    return gpu->pooled ? "all" : gpu->index < 0 ? "-" : smi_page_fmt(g, "%d", gpu->index);
}

static void gpu_row(struct smi_grid *t, const struct smi_gpu *gpu)
{
    struct smi_page *g = t->page;
    const struct smi_stats *use = stats_of(gpu, smi_block_metric[SMI_POOL_UTIL]), none = {0};
    const struct smi_stats *vram = stats_of(gpu, smi_block_metric[SMI_POOL_VRAM]);
    const struct smi_stats *power = stats_of(gpu, smi_block_metric[SMI_POOL_POWER]);
    struct smi_cell *row = smi_grid_row(t, SMI_ROW_PLAIN);
    int i = 0;
    if (!row)
        return;
    use = use ? use : &none;
    row[i++].text = gpu_label(g, gpu);
    row[i++].text = smi_page_value(g, use->mean, 1);
    row[i++].text = smi_page_value(g, use->p[1], 0);
    row[i++].text = smi_page_value(g, use->p[3], 0);
    row[i++].text = smi_page_value(g, use->p[5], 0);
    row[i++].text = smi_page_value(g, use->max, 0);
    i++; /* the shape, when its width is known */
    row[i].mark = smi_gpu_unused(gpu) ? '!' : 0;
    row[i].style = smi_gpu_unused(gpu) ? SMI_YELLOW : SMI_PLAIN;
    row[i++].text = smi_page_value(g, gpu->idle_pct, 1);
    row[i++].text = vram ? smi_page_gib(g, vram->max) : "-";
    row[i++].text = power ? smi_page_value(g, power->time_mean.has ? power->time_mean : power->mean, 1) : "-";
    row[i++].text = smi_page_value(g, gpu->energy_wh, 1);
}

static void gpu_table(struct smi_page *g, const struct smi_summary *s, bool all)
{
    enum { SHAPE = 6 };
    struct smi_column col[] = {{.head = "GPU", .align = SMI_RIGHT},
                               {.head = "MEAN %", .align = SMI_POINT},
                               {.head = "P5", .align = SMI_RIGHT},
                               {.head = "P50", .align = SMI_RIGHT},
                               {.head = "P95", .align = SMI_RIGHT},
                               {.head = "MAX", .align = SMI_RIGHT},
                               {.head = "", .hidden = true},
                               {.head = "IDLE %", .align = SMI_POINT},
                               {.head = "VRAM GiB", .align = SMI_POINT, .hidden = all},
                               {.head = "W", .align = SMI_POINT, .hidden = all},
                               {.head = "Wh", .align = SMI_POINT}};
    struct smi_grid t;
    int cells;
    smi_grid_begin(&t, g, col, 11);
    for (size_t i = 0; i < s->ngpus; i++)
        gpu_row(&t, &s->gpus[i]);
    cells = g->look->width - smi_grid_need(&t, 0) - 2;
    cells = cells > SMI_SHAPE ? SMI_SHAPE : cells;
    if (!g->failed && cells >= 10) {
        const char *time = smi_page_time(g, s->gpus[0].cell_ms * SMI_SHAPE / cells);
        col[SHAPE].hidden = false;
        t.cell[SHAPE].text = cells < 30 ? "OVER TIME" : smi_page_fmt(g, "OVER TIME (%s a cell)", time);
        for (size_t i = 0; i < s->ngpus; i++)
            t.cell[(i + 1) * 11 + SHAPE].text = smi_page_shape(g, s->gpus[i].shape, cells);
    }
    smi_grid_end(&t);
}

/* --- the lesser metrics of all GPUs --- */

/* One metric of the GPUs that have it. */
struct lesser {
    unsigned metric;
    const struct smi_stats **of;
    const struct smi_gpu **gpu;
    size_t n;
    bool gib;
    int digits;
};

static const char *reading(struct smi_page *g, const struct lesser *m, struct smi_value v)
{
    return m->gib ? smi_page_gib(g, v) : smi_page_value(g, v, m->digits);
}

static bool collect(const struct smi_summary *s, struct lesser *m, unsigned metric)
{
    const char *unit = smi_metrics[metric].unit;
    m->metric = metric;
    m->n = 0;
    m->gib = false;
    m->digits = strcmp(unit, "%") == 0 || strcmp(unit, "W") == 0;
    for (size_t i = 0; i < s->ngpus; i++) {
        const struct smi_stats *x = stats_of(&s->gpus[i], metric);
        if (!x || !x->mean.has)
            continue;
        m->gib |= strcmp(unit, "MiB") == 0 && x->max.micro >= (int64_t)1024 * 1000000;
        m->gpu[m->n] = &s->gpus[i];
        m->of[m->n++] = x;
    }
    return m->n > 0;
}

/* Whether every reading of every GPU was the same. */
static bool constant(const struct lesser *m)
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
static size_t middle(const struct lesser *m, size_t *with)
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
static struct smi_stats joined(const struct lesser *m, const struct smi_stats *as)
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
    out.mean.micro = out.count ? (int64_t)smi_wide_div(sum, out.count) : out.mean.micro;
    return out;
}

static void lesser_row(struct smi_grid *t, const struct lesser *m, const struct smi_stats *x, const char *who,
                       const char *remark)
{
    struct smi_page *g = t->page;
    struct smi_cell *row = smi_grid_row(t, SMI_ROW_PLAIN);
    const char *unit = smi_metrics[m->metric].unit;
    if (!row)
        return;
    row[0].text = smi_page_fmt(g, "%s%s", smi_page_label(g, m->metric), who);
    row[1].text = reading(g, m, x->mean);
    row[2].text = reading(g, m, x->p[1]);
    row[3].text = reading(g, m, x->p[3]);
    row[4].text = reading(g, m, x->p[5]);
    row[5].text = reading(g, m, x->max);
    row[6].text = m->gib ? "GiB" : strcmp(unit, "C") == 0 && g->look->utf8 ? "°C" : unit;
    row[7].text = remark;
    row[7].style = strcmp(remark, "differs") == 0 ? SMI_YELLOW : SMI_PLAIN;
}

static const char *remark(struct smi_page *g, const struct smi_summary *s, unsigned metric)
{
    const char *source = s->vram.source, *t = s->vram.reserved ? "reserved" : "";
    if (metric != smi_block_metric[SMI_POOL_VRAM])
        return "";
    if (!source || strcmp(source, "device") == 0 || (g->look->width && g->look->width < 96))
        return t; /* in a narrow window the VRAM line below must do */
    return smi_page_fmt(g, "%s%s%s used %s at most", t, *t ? "; " : "",
                        strcmp(source, "jax") == 0 ? "JAX" : source, smi_page_gib(g, s->vram.used_peak_mb));
}

/* GPUs that agree share a line; each of the others has its own, and so has each if most differ. */
static void lesser_rows(struct smi_grid *t, const struct smi_summary *s, const struct lesser *m)
{
    struct smi_page *g = t->page;
    size_t with, mid = middle(m, &with);
    bool shared = with * 2 > m->n && with > 1;
    struct smi_stats all = joined(m, m->of[mid]);
    if (shared)
        lesser_row(t, m, &all, "", remark(g, s, m->metric));
    for (size_t i = 0; i < m->n; i++) {
        const char *who = m->n > 1 ? smi_page_fmt(g, ", GPU %s", gpu_label(g, m->gpu[i])) : "";
        if (!shared || !agrees(m->of[i], m->of[mid]))
            lesser_row(t, m, m->of[i], who, shared ? "differs" : remark(g, s, m->metric));
    }
}

static void lesser_table(struct smi_page *g, const struct smi_summary *s)
{
    struct smi_column col[] = {{.head = "", .least = 12},
                               {.head = "mean", .align = SMI_POINT},
                               {.head = "p5", .align = SMI_POINT},
                               {.head = "p50", .align = SMI_POINT},
                               {.head = "p95", .align = SMI_POINT},
                               {.head = "max", .align = SMI_POINT},
                               {.head = "unit"},
                               {.head = "", .least = 8}};
    struct lesser m = {0};
    const char *same = "";
    struct smi_grid t;
    m.of = smi_arena_new(&g->arena, s->ngpus + 1, sizeof *m.of);
    m.gpu = smi_arena_new(&g->arena, s->ngpus + 1, sizeof *m.gpu);
    g->failed |= !m.of || !m.gpu;
    smi_grid_begin(&t, g, col, 8);
    for (unsigned i = 0; !g->failed && i < SMI_METRIC_COUNT; i++) {
        if (smi_metrics[i].kind != SMI_GAUGE || i == smi_block_metric[SMI_POOL_UTIL] || !collect(s, &m, i))
            continue;
        if (!constant(&m))
            lesser_rows(&t, s, &m);
        else
            same = smi_page_fmt(g, "%s, %s %s%s%s", same, smi_page_label(g, i), reading(g, &m, m.of[0]->max),
                                *smi_metrics[i].unit ? " " : "", m.gib ? "GiB" : smi_metrics[i].unit);
    }
    smi_grid_end(&t);
    if (*same)
        smi_page_line(g, SMI_PLAIN, smi_page_fmt(g, "always the same: %s", same + 2));
}

static struct smi_value throttle_of(const struct smi_gpu *gpu, const char *reason)
{
    for (size_t i = 0; i < gpu->throttles; i++)
        if (strcmp(gpu->throttle[i].reason, reason) == 0)
            return gpu->throttle[i].pct;
    return (struct smi_value){0};
}

/* Throttle reasons, each with the GPU that has most of it. */
static void slowdowns(struct smi_page *g, const struct smi_summary *s)
{
    const char *t = "";
    for (size_t i = 0; i < s->ngpus; i++)
        for (size_t k = 0; k < s->gpus[i].throttles; k++) {
            const char *reason = s->gpus[i].throttle[k].reason;
            int64_t v = s->gpus[i].throttle[k].pct.micro;
            bool most = true;
            for (size_t o = 0; o < s->ngpus; o++) {
                int64_t other = throttle_of(&s->gpus[o], reason).micro;
                most &= o < i ? other < v : other <= v;
            }
            if (most)
                t = smi_page_fmt(
                    g, "%s, %s %s %%%s", t, smi_page_safe(g, reason), smi_page_ratio(g, v, 1000000, 1),
                    s->ngpus == 1 ? "" : smi_page_fmt(g, " (GPU %s)", gpu_label(g, &s->gpus[i])));
        }
    if (*t)
        smi_page_line(g, SMI_PLAIN, smi_page_fmt(g, "clocks held down, highest share: %s", t + 2));
}

/* Counters that went up, over all GPUs. */
static void counters(struct smi_page *g, const struct smi_summary *s)
{
    const char *t = "";
    for (unsigned m = 0; m < SMI_METRIC_COUNT; m++) {
        int64_t sum = 0;
        for (size_t i = 0; smi_metrics[m].kind == SMI_COUNTER && i < s->ngpus; i++) {
            const struct smi_stats *x = stats_of(&s->gpus[i], m);
            sum += x && x->increase.has ? x->increase.micro : 0;
        }
        if (sum > 0)
            t = smi_page_fmt(g, "%s, %s +%s", t, smi_metrics[m].key, smi_page_ratio(g, sum, 1000000, 0));
    }
    if (*t)
        smi_page_line(g, SMI_PLAIN, smi_page_fmt(g, "counted: %s", t + 2));
}

/* --- phases --- */

static void phase_row(struct smi_grid *t, const struct smi_summary *s, const struct smi_phase_summary *p)
{
    struct smi_page *g = t->page;
    const struct smi_pool *vram = &p->block.pool[SMI_POOL_VRAM];
    struct smi_cell *row = smi_grid_row(t, SMI_ROW_PLAIN);
    if (!row)
        return;
    row[0].text = smi_page_safe(g, p->name);
    row[1].text = smi_page_fmt(g, "%lld", (long long)p->count);
    row[2].text = smi_page_value(g, p->seconds, 1);
    row[3].text = p->seconds.has && s->duration_s.micro > 0
                      ? smi_page_ratio(g, (smi_i128)p->seconds.micro * 100, s->duration_s.micro, 0)
                      : "-";
    row[4].text = smi_page_mean(g, &p->block, SMI_FIG_UTIL);
    row[5].text = smi_page_value(g, p->idle_pct, 1);
    row[6].text = !vram->n || s->vram.reserved ? (vram->n ? "reserved" : "-")
                                               : smi_page_gib(g, (struct smi_value){vram->max, true});
    row[7].text = smi_page_value(g, p->energy_wh, 1);
    row[8].text = p->samples ? smi_page_fmt(g, "%lld", (long long)p->samples) : "-";
}

/* How many seconds a phase must have to be among the first PHASE_ROWS - 1. */
static int64_t phase_limit(const struct smi_summary *s)
{
    int64_t limit = INT64_MAX, next;
    for (size_t rows = 0, i; rows < PHASE_ROWS - 1 && limit > 0;) {
        for (next = -1, i = 0; i < s->nphases; i++)
            if (s->phases[i].seconds.micro < limit && s->phases[i].seconds.micro > next)
                next = s->phases[i].seconds.micro;
        limit = next;
        for (i = 0; i < s->nphases; i++)
            rows += s->phases[i].seconds.micro == limit;
    }
    return limit;
}

static void phase_table(struct smi_page *g, const struct smi_summary *s)
{
    struct smi_column col[] = {
        {.head = "PHASE", .least = 12},           {.head = "TIMES", .align = SMI_RIGHT},
        {.head = "SECONDS", .align = SMI_POINT},  {.head = "SHARE %", .align = SMI_RIGHT},
        {.head = "GPU %", .align = SMI_POINT},    {.head = "IDLE %", .align = SMI_POINT},
        {.head = "VRAM GiB", .align = SMI_POINT}, {.head = "Wh", .align = SMI_POINT},
        {.head = "SAMPLES", .align = SMI_RIGHT}};
    struct smi_phase_summary others = {.seconds.has = true};
    int64_t limit = s->nphases > PHASE_ROWS ? phase_limit(s) : -1;
    size_t rows = 0, folded = 0, i;
    struct smi_grid t;
    struct smi_cell *row;
    smi_grid_begin(&t, g, col, 9);
    for (i = 0; i < s->nphases; i++) {
        const struct smi_phase_summary *p = &s->phases[i];
        if (limit < 0 || (p->seconds.micro >= limit && rows < PHASE_ROWS - 1)) {
            phase_row(&t, s, p);
            rows++;
            continue;
        }
        folded++;
        others.count += p->count;
        others.samples += p->samples;
        others.seconds.micro += p->seconds.micro;
        smi_block_merge(&others.block, &p->block);
        others.energy_wh.micro += p->energy_wh.micro;
        others.energy_wh.has |= p->energy_wh.has;
    }
    others.name = smi_page_fmt(g, "others (%zu)", folded);
    if (folded)
        phase_row(&t, s, &others);
    row = s->outside_pct.has ? smi_grid_row(&t, SMI_ROW_PLAIN) : NULL;
    for (i = 0; row && i < 9; i++)
        row[i].text = i == 0 ? "outside phases" : i == 3 ? smi_page_value(g, s->outside_pct, 0) : "-";
    smi_grid_end(&t);
    smi_page_newline(g);
}

void smi_table_run(struct smi_page *g, const struct smi_summary *s, bool all)
{
    smi_table_title(g, s, all);
    smi_page_block(g, &s->block);
    if (s->ngpus) {
        gpu_table(g, s, all);
        if (all) {
            lesser_table(g, s);
            slowdowns(g, s);
            counters(g, s);
        }
        smi_page_newline(g);
    }
    if (all && s->nphases)
        phase_table(g, s);
    if (all)
        smi_table_events(g, s);
    if (all && s->ninputs) {
        smi_table_inputs(g, s);
        smi_page_newline(g);
    }
    for (size_t i = 0; i < s->nproblems; i++)
        smi_page_line(g, SMI_PLAIN, smi_page_fmt(g, "note: %s", smi_page_safe(g, s->problems[i])));
    smi_table_waste(g, s, 1);
}
