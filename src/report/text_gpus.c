/* text_gpus.c - the GPUs of one run: a line each (screens.md §4). */
#include "report/text_report.h"

#include <string.h>

/* --- names --- */

/* Do the first characters tell the GPUs of every run apart? */
static bool first_tell(const struct smi_sweep *s)
{
    for (size_t i = 0; i < s->n; i++)
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

static void mark_cell(struct smi_grid_cell *c, unsigned marks, unsigned cell)
{
    if (!(marks & cell) || strcmp(c->text, "-") == 0)
        return;
    c->mark = '!';
    c->style = SMI_YELLOW;
}

static void gpu_row(struct smi_grid *t, const struct smi_summary *s, const struct smi_gpu *gpu)
{
    unsigned marks = smi_findings_marks(s, (int)(gpu - s->gpus));
    struct smi_text_arena *g = t->page;
    const struct smi_stats *use = smi_gpu_stats(gpu, smi_headline_metric[SMI_POOL_UTIL]), none = {0};
    const struct smi_stats *vram = smi_gpu_stats(gpu, smi_headline_metric[SMI_POOL_VRAM]);
    const struct smi_stats *power = smi_gpu_stats(gpu, smi_headline_metric[SMI_POOL_POWER]);
    struct smi_grid_cell *row = smi_grid_row(t, SMI_ROW_PLAIN);
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
static void write_gpu_sparklines(struct smi_grid *t, const struct smi_summary *s)
{
    struct smi_text_arena *g = t->page;
    int64_t cell_ms = 0;
    int cells = g->look->width - smi_grid_need(t, 0) - 2;
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
    struct smi_grid_column col[] = {{.head = "GPU", .align = SMI_RIGHT},
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
    struct smi_grid t;
    smi_grid_begin(&t, g, col, 11);
    for (size_t i = 0; i < s->ngpus; i++)
        if (smi_gpu_has_row(s, &s->gpus[i]))
            gpu_row(&t, s, &s->gpus[i]);
    if (!g->failed)
        write_gpu_sparklines(&t, s);
    smi_grid_end(&t);
    for (size_t i = 0; i < s->ngpus; i++)
        if (!smi_gpu_has_row(s, &s->gpus[i]))
            smi_wrap_line(
                g, SMI_GREY,
                smi_fmt(g,
                        "pooled: %lld row%s that could not be told apart: in the summary, in no GPU's line",
                        (long long)s->gpus[i].samples, s->gpus[i].samples == 1 ? "" : "s"));
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

void smi_text_gpus(struct smi_text_arena *g, const struct smi_summary *s, bool all)
{
    if (!shows_any(s) && !all)
        return;
    if (shows_any(s))
        gpu_table(g, s, all);
    if (all) {
        smi_text_gpu_metrics(g, s);
    }
    smi_wrap_newline(g);
}
