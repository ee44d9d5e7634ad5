#include "screen/frame.h"

#include "alert/alert.h"
#include "base/clock.h"
#include "page/grid.h"

#include <string.h>

enum { SPARK = 24, SPARK_NARROW = 10, NARROW = 100, BAR = 10, SPARK_MOST = 64 };

enum { COL_GPU, COL_BAR, COL_NOW, COL_SPARK, COL_VRAM, COL_POWER, COL_TEMP, COL_CLOCK, COL_REMARK, COLUMNS };

/* ---- pieces ---- */

/* A reading, unless it is old. */
static const struct smi_now_reading *get(const struct smi_now *n, const struct smi_now_body *b,
                                         unsigned metric)
{
    return b->state == SMI_NOW_LOST ? NULL : smi_now_get(n, b, metric);
}

static const char *put(struct smi_page *g, const struct smi_now_reading *r, int64_t unit, int digits)
{
    return r ? smi_page_ratio(g, r->v, unit, digits) : "-";
}

/* "70.4/80": of something there is. */
static const char *put_of(struct smi_page *g, const struct smi_now_reading *r,
                          const struct smi_now_reading *of, int64_t unit, int digits)
{
    const char *text = put(g, r, unit, digits);
    return r && of ? smi_page_fmt(g, "%s/%s", text, smi_page_ratio(g, of->v, unit, 0)) : text;
}

/* A share of ten cells, an eighth of a cell at its end. */
static const char *bar(struct smi_page *g, int64_t micro_pct)
{
    static const char *const part[] = {"",       "\u258f", "\u258e", "\u258d",
                                       "\u258c", "\u258b", "\u258a", "\u2589"};
    int64_t eighths = (micro_pct * 8 * BAR + 50000000) / 100000000;
    char text[BAR * 3 + 4] = "";
    eighths = eighths < 0 ? 0 : eighths > 8 * BAR ? 8 * BAR : eighths;
    for (int64_t i = 0; i < eighths / 8; i++)
        strcat(text, g->look->utf8 ? "\u2588" : "#");
    if (g->look->utf8)
        strcat(text, part[eighths % 8]);
    return smi_page_fmt(g, "%s", text);
}

/* Utilisation over a window: a glyph a cell, a dot where there is no reading. */
static const char *spark(struct smi_page *g, const struct smi_now *n, const struct smi_now_body *b,
                         int64_t window_ms, int cells)
{
    static const char *const glyph[] = {"\u2581", "\u2582", "\u2583", "\u2584",
                                        "\u2585", "\u2586", "\u2587", "\u2588"};
    static const char ascii[] = " .:-=+*#";
    int64_t v[SPARK_MOST];
    char text[SPARK_MOST * 3 + 1] = "";
    smi_now_spark(n, b, SMI_NOW_UTIL, window_ms, v, (size_t)cells);
    for (int i = 0; i < cells; i++) {
        int64_t level = v[i] < 0 ? 0 : v[i] * 8 / 100000001;
        level = level > 7 ? 7 : level;
        if (v[i] == SMI_NO_READING)
            strcat(text, g->look->utf8 ? "\u00b7" : "|");
        else if (g->look->utf8)
            strcat(text, glyph[level]);
        else
            strncat(text, &ascii[level], 1);
    }
    return smi_page_fmt(g, "%s", text);
}

/* ---- lines on top ---- */

/* "8 x H100 80GB HBM3", or of several kinds how many there are. */
static const char *models(struct smi_page *g, const struct smi_now *n)
{
    const char *name = n->gpus ? n->gpu[0]->name : NULL;
    if (n->gpus == 0)
        return "no GPU";
    for (size_t i = 1; i < n->gpus; i++)
        if (!name || !n->gpu[i]->name || strcmp(name, n->gpu[i]->name) != 0)
            return smi_page_fmt(g, "%zu GPUs", n->gpus);
    if (!name)
        return n->gpus == 1 ? "1 GPU" : smi_page_fmt(g, "%zu GPUs", n->gpus);
    if (strncmp(name, "NVIDIA ", 7) == 0)
        name += 7;
    return smi_page_fmt(g, "%zu x %s", n->gpus, smi_page_safe(g, name));
}

static void first_line(struct smi_page *g, const struct smi_now *n, const struct smi_frame *f)
{
    char stamp[SMI_CLOCK_TEXT] = "", zone[SMI_CLOCK_TEXT];
    smi_buf_str(g->to, f->what);
    if (f->host)
        smi_buf_fmt(g->to, "  %s", smi_page_safe(g, f->host));
    smi_buf_fmt(g->to, "  %s", models(g, n));
    if (f->interval_ms)
        smi_buf_fmt(g->to, "  every %s s",
                    smi_page_ratio(g, f->interval_ms, 1000, f->interval_ms % 1000 ? 1 : 0));
    if (n->timed) {
        smi_clock_put(stamp, n->t_ms + (int64_t)n->o.offset_s * 1000, false);
        smi_clock_put_zone(zone, n->o.offset_s);
        smi_buf_fmt(g->to, "  %.8s UTC%s", stamp + 11, zone);
    }
    if (f->recording)
        smi_buf_fmt(g->to, "   recording %s", smi_page_safe(g, f->recording));
    smi_page_newline(g);
}

static void alert_line(struct smi_page *g, const struct smi_now *n)
{
    bool grave = n->alerts && n->alert[0].grave;
    if (n->alerts == 0) {
        smi_buf_str(g->to, "no alerts");
        smi_page_newline(g);
        return;
    }
    smi_page_style(g, grave ? SMI_RED : SMI_YELLOW);
    smi_page_words(g, 0,
                   smi_page_fmt(g, "%s %zu ALERT%s", g->look->utf8 ? "\u25b2" : "!", n->alerts,
                                n->alerts == 1 ? "" : "S"),
                   2);
    for (size_t i = 0; i < n->alerts; i++)
        smi_page_words(g, 3, smi_page_safe(g, n->alert[i].text), 2);
    smi_page_style(g, SMI_PLAIN);
    smi_page_newline(g);
}

/* A sum over the GPUs that tell it. */
static bool sum(const struct smi_now *n, unsigned metric, int64_t *out)
{
    bool some = false;
    *out = 0;
    for (size_t i = 0; i < n->gpus; i++) {
        const struct smi_now_reading *r = get(n, n->gpu[i], metric);
        *out += r ? r->v : 0;
        some |= r != NULL;
    }
    return some;
}

static void sum_line(struct smi_page *g, const struct smi_now *n)
{
    const struct smi_now_reading *cpu = smi_now_get(n, &n->host, SMI_CPU_USR);
    struct smi_now_sums all;
    int64_t v, of, k = 0;
    smi_now_sums(n, &all);
    for (size_t i = 0; i < n->gpus; i++)
        k += get(n, n->gpu[i], SMI_GPU_UTIL) != NULL;
    if (n->gpus)
        smi_page_words(g, 0, "all GPUs", 2);
    if (sum(n, SMI_GPU_UTIL, &v))
        smi_page_words(g, 3, smi_page_fmt(g, "%s %%", smi_page_ratio(g, v, (smi_i128)k * 1000000, 1)), 2);
    if (sum(n, SMI_FB_USED, &v))
        smi_page_words(g, 3,
                       sum(n, SMI_FB_TOTAL, &of)
                           ? smi_page_fmt(g, "%s/%s GiB", smi_page_ratio(g, v, (smi_i128)1024 * 1000000, 0),
                                          smi_page_ratio(g, of, (smi_i128)1024 * 1000000, 0))
                           : smi_page_fmt(g, "%s GiB", smi_page_ratio(g, v, (smi_i128)1024 * 1000000, 0)),
                       2);
    if (sum(n, SMI_POWER, &v))
        smi_page_words(g, 3,
                       sum(n, SMI_POWER_LIMIT, &of)
                           ? smi_page_fmt(g, "%s/%s kW", smi_page_ratio(g, v, 1000000000, 2),
                                          smi_page_ratio(g, of, 1000000000, 2))
                           : smi_page_fmt(g, "%s kW", smi_page_ratio(g, v, 1000000000, 2)),
                       2);
    if (all.has_energy)
        smi_page_words(
            g, 3,
            smi_page_fmt(g, "energy %s", smi_page_energy(g, (struct smi_value){all.energy_mwh * 1000, true})),
            2);
    if (all.known_ms)
        smi_page_words(g, 3, smi_page_fmt(g, "idle %s GPU-h", smi_page_hours(g, all.idle_ms)), 2);
    if (cpu)
        smi_page_words(g, n->gpus ? 3 : 0, smi_page_fmt(g, "CPU %s %%", put(g, cpu, 1000000, 0)), 2);
    smi_page_newline(g);
}

/* ---- the table ---- */

/* Does a rule that holds mark this column of this GPU? */
static bool is_marked(const struct smi_now *n, size_t gpu, int column)
{
    static const int of[SMI_LIVE_RULES] = {[SMI_LIVE_IDLE] = COL_NOW,
                                           [SMI_LIVE_MEMORY] = COL_VRAM,
                                           [SMI_LIVE_GROWTH] = COL_VRAM,
                                           [SMI_LIVE_THERMAL] = COL_TEMP};
    for (size_t i = 0; i < n->alerts; i++)
        if (n->alert[i].gpu == (int)gpu && column && of[n->alert[i].rule] == column)
            return true;
    return false;
}

static const char *remark(struct smi_page *g, const struct smi_now *n, size_t gpu)
{
    const struct smi_now_body *b = n->gpu[gpu];
    const char *text = "";
    if (b->state == SMI_NOW_LOST)
        return "LOST";
    for (size_t i = 0; i < n->alerts; i++)
        if (n->alert[i].gpu == (int)gpu && *n->alert[i].note)
            text = *text ? smi_page_fmt(g, "%s, %s", text, n->alert[i].note) : n->alert[i].note;
    if (!*text && b->state == SMI_NOW_OLD)
        text = smi_page_fmt(g, "reading %lld s old", (long long)(smi_now_age(n, b) / 1000));
    return text;
}

static void put_row(struct smi_page *g, const struct smi_now *n, size_t gpu, const struct smi_frame *f,
                    int cells, struct smi_cell *row)
{
    const struct smi_now_body *b = n->gpu[gpu];
    const struct smi_now_reading *util = get(n, b, SMI_GPU_UTIL);
    const int64_t gib = (int64_t)1024 * 1000000;
    row[COL_GPU].text = b->index >= 0 ? smi_page_fmt(g, "%d", b->index) : "-";
    row[COL_BAR].text = util ? bar(g, util->v) : "";
    row[COL_NOW].text = util ? smi_page_fmt(g, "%s %%", put(g, util, 1000000, 0)) : "-";
    row[COL_SPARK].text = spark(g, n, b, f->window_ms, cells);
    row[COL_VRAM].text = put_of(g, get(n, b, SMI_FB_USED), get(n, b, SMI_FB_TOTAL), gib, 1);
    row[COL_POWER].text = put_of(g, get(n, b, SMI_POWER), get(n, b, SMI_POWER_LIMIT), 1000000, 0);
    row[COL_TEMP].text = put(g, get(n, b, SMI_TEMP_GPU), 1000000, 0);
    row[COL_CLOCK].text = put(g, get(n, b, SMI_CLK_SM), 1000000, 0);
    row[COL_REMARK].text = remark(g, n, gpu);
    for (int c = 0; c < COLUMNS; c++) {
        bool marked = is_marked(n, gpu, c);
        row[c].mark = marked ? '!' : 0;
        row[c].style = b->state == SMI_NOW_LOST  ? SMI_RED
                       : b->state == SMI_NOW_OLD ? SMI_GREY
                       : marked                  ? SMI_YELLOW
                                                 : SMI_PLAIN;
    }
}

static void put_table(struct smi_page *g, const struct smi_now *n, const struct smi_frame *f)
{
    int width = g->look->width ? g->look->width : NARROW, cells = width < NARROW ? SPARK_NARROW : SPARK;
    struct smi_column col[COLUMNS] = {{.head = "GPU", .align = SMI_RIGHT},
                                      {.head = "NOW", .align = SMI_LEFT},
                                      {.head = "", .align = SMI_RIGHT, .gap = -1},
                                      {.align = SMI_LEFT, .hidden = f->window_ms == 0},
                                      {.head = "VRAM GiB", .align = SMI_RIGHT},
                                      {.head = "POWER W", .align = SMI_RIGHT},
                                      {.head = g->look->utf8 ? "\u00b0"
                                                               "C"
                                                             : "C",
                                       .align = SMI_RIGHT},
                                      {.head = "MHz", .align = SMI_RIGHT, .hidden = width < NARROW},
                                      {.head = "REMARK", .align = SMI_LEFT}};
    struct smi_grid t;
    struct smi_cell *row;
    char span[SMI_CLOCK_TEXT];
    smi_clock_put_span(span, f->window_ms);
    col[COL_SPARK].head = f->window_ms % 60000 ? smi_page_fmt(g, "LAST %s", span)
                                               : smi_page_fmt(g, "LAST %lld MIN", (long long)(f->window_ms / 60000));
    smi_grid_begin(&t, g, col, COLUMNS);
    for (size_t i = 0; i < n->gpus; i++)
        if (n->gpu[i]->mine && (row = smi_grid_row(&t, SMI_ROW_PLAIN)))
            put_row(g, n, i, f, cells, row);
    smi_grid_end(&t);
}

int smi_frame_put(struct smi_buf *to, const struct smi_now *n, const struct smi_frame *f,
                  const struct smi_look *look, struct smi_err *err)
{
    struct smi_look own = *look;
    struct smi_page g = {.to = to, .look = &own};
    own.width = look->width ? look->width : NARROW;
    first_line(&g, n, f);
    alert_line(&g, n);
    sum_line(&g, n);
    if (n->gpus) {
        smi_page_newline(&g);
        put_table(&g, n, f);
    }
    return smi_page_end(&g, err);
}
