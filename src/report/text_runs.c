/* text_runs.c - the table of runs: one row each, columns that leave when the window is narrow (screens.md
 * §2). */
#include "base/clock.h"
#include "report/text_report.h"

#include <string.h>

/* --- cells: each fills the text of one column for one run --- */

typedef void fill_fn(struct smi_text_arena *g, const struct smi_summary *s, struct smi_grid_cell *c);

/* A text, with a mark where a finding rests on it. */
static void set_marked_cell(struct smi_grid_cell *c, const char *text, const struct smi_summary *s,
                            unsigned cell)
{
    c->text = text;
    if (strcmp(text, "-") == 0 || !(smi_findings_marks(s, -1) & cell))
        return;
    c->mark = '!';
    c->style =
        s->state == SMI_STATE_FAILED && cell & (SMI_CELL_VRAM | SMI_CELL_WASTED) ? SMI_RED : SMI_YELLOW;
}

static void fill_run(struct smi_text_arena *g, const struct smi_summary *s, struct smi_grid_cell *c)
{
    c->text = smi_fmt_field(g, s->run);
}

static void fill_state(struct smi_text_arena *g, const struct smi_summary *s, struct smi_grid_cell *c)
{
    static const char *const word[] = {"ok", "FAILED", "cut", "-", "no-data"};
    (void)g;
    c->text = word[s->state];
    c->style = s->state == SMI_STATE_FAILED ? SMI_RED : s->state == SMI_STATE_OK ? SMI_STYLE_PLAIN : SMI_GREY;
}

static void fill_time(struct smi_text_arena *g, const struct smi_summary *s, struct smi_grid_cell *c)
{
    c->text = smi_fmt_duration(g, s->duration_s);
}

static void fill_util(struct smi_text_arena *g, const struct smi_summary *s, struct smi_grid_cell *c)
{
    set_marked_cell(c, smi_fmt_mean(g, &s->block, SMI_FIG_UTIL), s, SMI_CELL_UTIL);
}

static void fill_p95(struct smi_text_arena *g, const struct smi_summary *s, struct smi_grid_cell *c)
{
    c->text = smi_fmt_value(g, s->gpu_util_p95, 0);
}

static void fill_idle(struct smi_text_arena *g, const struct smi_summary *s, struct smi_grid_cell *c)
{
    set_marked_cell(c, smi_fmt_value(g, s->idle_pct, 1), s, SMI_CELL_IDLE);
}

static void fill_vram(struct smi_text_arena *g, const struct smi_summary *s, struct smi_grid_cell *c)
{
    c->text = smi_fmt_gib(g, s->vram.used_peak_mb);
    if (s->vram.used_peak_mb.has && s->vram.total_mb.has)
        c->text = smi_fmt(g, "%s/%s", c->text,
                          smi_fmt_ratio(g, s->vram.total_mb.micro, (smi_i128)1024 * 1000000, 0));
    set_marked_cell(c, c->text, s, SMI_CELL_VRAM);
}

static void fill_power(struct smi_text_arena *g, const struct smi_summary *s, struct smi_grid_cell *c)
{
    c->text = smi_fmt_value(g, s->power_sum_w, 1);
}

static void fill_temp(struct smi_text_arena *g, const struct smi_summary *s, struct smi_grid_cell *c)
{
    c->text = smi_fmt_value(g, s->temp_max, 0);
}

static void fill_cpu(struct smi_text_arena *g, const struct smi_summary *s, struct smi_grid_cell *c)
{
    set_marked_cell(c, smi_fmt_mean(g, &s->block, SMI_FIG_CPU), s, SMI_CELL_CPU);
}

static void fill_slow(struct smi_text_arena *g, const struct smi_summary *s, struct smi_grid_cell *c)
{
    set_marked_cell(c, smi_fmt_value(g, smi_most_throttled(s), 1), s, SMI_CELL_SLOW);
}

static void fill_energy(struct smi_text_arena *g, const struct smi_summary *s, struct smi_grid_cell *c)
{
    c->text = smi_fmt_value(g, s->energy_wh, 1);
}

static void fill_wasted(struct smi_text_arena *g, const struct smi_summary *s, struct smi_grid_cell *c)
{
    bool known = smi_waste_known(s->wasted_h[5], s->idle_pct, &s->waste);
    set_marked_cell(c, known ? smi_fmt_hours(g, smi_wasted_ms(&s->waste)) : "-", s, SMI_CELL_WASTED);
}

static void fill_cost(struct smi_text_arena *g, const struct smi_summary *s, struct smi_grid_cell *c)
{
    c->text = smi_fmt_value(g, s->cost, 2);
}

static void fill_start(struct smi_text_arena *g, const struct smi_summary *s, struct smi_grid_cell *c)
{
    char zone[SMI_CLOCK_TEXT] = "";
    if (s->has_start && s->zoned)
        smi_clock_write_zone(zone, s->offset_s);
    c->text = smi_fmt(g, "%s%s", smi_fmt_timestamp(g, s, s->start_ms, 0, 19), zone);
}

/* In a window a start is on the clock that the head names; a clock that is not known stands in grey. */
static void brief_start(struct smi_text_arena *g, const struct smi_summary *span, struct smi_summary s,
                        struct smi_grid_cell *c)
{
    const char *t;
    s.offset_s = span->offset_s;
    t = smi_fmt_timestamp(g, &s, s.start_ms, 5, 11);
    c->text = s.has_start ? smi_fmt(g, "%.5s %s", t, t + 6) : t;
    c->style = s.zoned == span->zoned ? c->style : SMI_GREY;
}

static void fill_host(struct smi_text_arena *g, const struct smi_summary *s, struct smi_grid_cell *c)
{
    c->text = smi_fmt_field(g, s->hostname);
}

static void fill_note(struct smi_text_arena *g, const struct smi_summary *s, struct smi_grid_cell *c)
{
    enum smi_run_note note = smi_run_note_of(s);
    const char *text = smi_run_note_text(g, s);
    c->text = *text || g->look->width ? text : "-";
    c->style = note == SMI_NOTE_FAILED || note == SMI_NOTE_ERROR ? SMI_RED
               : note == SMI_NOTE_FINDING                        ? SMI_YELLOW
                                                                 : SMI_GREY;
}

/* --- the table --- */

enum {
    RUN,
    STATE,
    TIME,
    UTIL,
    P95,
    SHAPE,
    IDLE,
    VRAM,
    POWER,
    TEMP,
    CPU,
    SLOW,
    ENERGY,
    WASTED,
    COST,
    START,
    HOST,
    NOTE,
    FIXED
};

static const struct {
    struct smi_grid_column look;
    fill_fn *fill;
    bool sum; /* has a total */
    int from; /* columns of a terminal from which it is shown */
} rules[FIXED] = {
    [RUN] = {{.head = "RUN", .names = true, .least = 13}, fill_run, false, 0},
    [STATE] = {{.head = "STATE", .leave = 1}, fill_state, false, 0},
    [TIME] = {{.head = "TIME", .align = SMI_RIGHT, .leave = 3}, fill_time, true, 0},
    [UTIL] = {{.head = "GPU %", .align = SMI_POINT}, fill_util, true, 0},
    [P95] = {{.head = "P95 %", .align = SMI_RIGHT}, fill_p95, false, 160},
    [SHAPE] = {{.head = "OVER TIME"}, NULL, false, 0},
    [IDLE] = {{.head = "IDLE %", .align = SMI_POINT, .leave = 2}, fill_idle, true, 0},
    [VRAM] = {{.head = "VRAM GiB", .align = SMI_POINT, .leave = 5}, fill_vram, true, 0},
    [POWER] = {{.head = "W", .align = SMI_POINT}, fill_power, false, 130},
    [TEMP] = {{.head = "°C", .align = SMI_RIGHT}, fill_temp, true, 130},
    [CPU] = {{.head = "CPU %", .align = SMI_POINT}, fill_cpu, true, 130},
    [SLOW] = {{.head = "SLOWED %", .align = SMI_POINT}, fill_slow, false, 160},
    [ENERGY] = {{.head = "Wh", .align = SMI_POINT}, fill_energy, true, 0},
    [WASTED] = {{.head = "WASTED h", .align = SMI_POINT}, fill_wasted, true, 0},
    [COST] = {{.head = "COST $", .align = SMI_POINT}, fill_cost, true, 0},
    [START] = {{.head = "START"}, fill_start, false, 160},
    [HOST] = {{.head = "HOST", .least = 8}, fill_host, false, 160},
    [NOTE] = {{.head = "NOTE", .least = 7, .leave = 4}, fill_note, true, 0},
};

struct view {
    struct smi_text_arena *g;
    struct smi_grid grid;
    struct smi_grid_column *col;
    const struct smi_summary *const *run;
    size_t n;
    int params; /* columns of parameters, right of the first */
    const char **param;
    bool total, short_vram, no_energy;
    struct smi_summary span; /* from the first start to the last end */
    const char *left;        /* ", NOTE": what even a narrow window should have */
};

static int column_at(const struct view *v, int rule)
{
    return rule == RUN ? RUN : rule + v->params;
}

static struct smi_grid_cell *cell(struct view *v, size_t run, int rule)
{
    return &v->grid.cell[(run + 1) * (size_t)v->grid.columns + (size_t)column_at(v, rule)];
}

static bool make_columns(struct view *v)
{
    size_t most = v->g->sweep->nvarying + v->g->sweep->njoined + FIXED;
    bool *hidden = smi_arena_new(&v->g->arena, most, sizeof *hidden);
    v->col = smi_arena_new(&v->g->arena, most, sizeof *v->col);
    v->param = smi_arena_new(&v->g->arena, most, sizeof *v->param);
    if (!v->col || !v->param || !hidden)
        return false;
    v->params = smi_param_columns(v->g, v->run, v->n, v->param, hidden);
    for (int k = 0; k < v->params; k++)
        v->col[1 + k] = (struct smi_grid_column){
            .head = smi_fmt_field(v->g, v->param[k]), .least = 8, .hidden = hidden[k]};
    for (int i = 0; i < FIXED; i++) {
        v->col[column_at(v, i)] = rules[i].look;
        v->col[column_at(v, i)].hidden = v->g->look->width && v->g->look->width < rules[i].from;
    }
    v->col[column_at(v, COST)].hidden = !v->g->look->money;
    if (!v->g->look->utf8)
        v->col[column_at(v, TEMP)].head = "C";
    return true;
}

static void fill_row(struct view *v, const struct smi_summary *s)
{
    struct smi_grid_cell *row = smi_grid_row(&v->grid, SMI_ROW_PLAIN);
    int i;
    for (i = 0; row && i < FIXED; i++)
        if (rules[i].fill)
            rules[i].fill(v->g, s, &row[column_at(v, i)]);
    if (row && v->g->look->width)
        brief_start(v->g, &v->span, *s, &row[column_at(v, START)]);
    for (i = 0; row && i < v->params; i++) {
        const struct smi_param *p = smi_run_param(s, v->param[i]);
        row[1 + i].text = smi_fmt_field(v->g, p ? p->text : NULL);
    }
    for (i = 0; row && i < v->grid.columns; i++)
        if (row[i].text && strcmp(row[i].text, "-") == 0)
            row[i].style = SMI_GREY;
}

/* The sweep as if it were one run: so that a total is said in the words of its rows. */
static void as_run(struct smi_summary *all, const struct smi_sweep *s)
{
    const struct smi_total *t = &s->total;
    *all = (struct smi_summary){.duration_s = t->duration_s,
                                .block = t->block,
                                .idle_pct = t->idle_pct,
                                .energy_wh = t->energy_wh,
                                .waste = t->waste,
                                .cost = t->cost,
                                .wasted_h[5] = t->wasted_h[5]};
    for (size_t i = 0; i < s->n; i++) {
        const struct smi_summary *run = &s->runs[i];
        if (run->vram.used_peak_mb.has && run->vram.used_peak_mb.micro >= all->vram.used_peak_mb.micro)
            all->vram.used_peak_mb = run->vram.used_peak_mb;
        if (run->temp_max.has && run->temp_max.micro >= all->temp_max.micro)
            all->temp_max = run->temp_max;
    }
}

static void fill_total(struct view *v)
{
    bool piped = v->g->look->width == 0;
    const struct smi_total *t = &v->g->sweep->total;
    struct smi_grid_cell *row = smi_grid_row(&v->grid, SMI_ROW_RULED);
    struct smi_summary all;
    int i;
    as_run(&all, v->g->sweep);
    for (i = 0; row && i < v->grid.columns; i++)
        row[i].text = piped ? "-" : NULL;
    for (i = 0; row && i < FIXED; i++)
        if (rules[i].sum)
            rules[i].fill(v->g, &all, &row[column_at(v, i)]);
    if (!row)
        return;
    row[0].text = piped ? "total" : smi_fmt(v->g, "total %zu runs", v->n);
    if (t->failed + t->cut)
        row[column_at(v, NOTE)].text = smi_fmt(v->g, "%lld ended early", (long long)(t->failed + t->cut));
}

static void set_shapes(struct view *v, int cells)
{
    for (size_t i = 0; i < v->n; i++)
        cell(v, i, SHAPE)->text = smi_fmt_sparkline(v->g, v->run[i]->shape, cells);
}

/* Beyond what the documents name: nothing is shown of a column that has no reading in any run. */
static void hide_empty(struct view *v)
{
    for (int k = 0; k < FIXED; k++) {
        bool some = rules[k].from == 0 && k != NOTE;
        for (size_t i = 0; !some && i < v->n; i++) {
            const char *t = cell(v, i, k)->text;
            some = t && *t && strcmp(t, "-") != 0;
        }
        v->col[column_at(v, k)].hidden |= !some;
    }
}

static void shorter_cells(struct view *v, int rule)
{
    for (size_t i = 0; i < v->n; i++) {
        struct smi_grid_cell *c = cell(v, i, rule);
        const char *slash = rule == VRAM ? strchr(c->text, '/') : NULL;
        if (rule == NOTE)
            c->text = smi_run_note_code(v->run[i]);
        else if (slash)
            c->text = smi_fmt(v->g, "%.*s", (int)(slash - c->text), c->text);
    }
}

/* Names wider than cap lose what they all have in common, before any column has to leave for them. */
static void elide_names(struct view *v, int cap)
{
    const char **name = smi_arena_new(&v->g->arena, v->n + 1, sizeof *name);
    int widest = 0, w;
    size_t i;
    v->g->failed |= !name;
    for (i = 0; name && i < v->n; i++) {
        name[i] = cell(v, i, RUN)->text;
        w = smi_text_width(name[i]);
        widest = w > widest ? w : widest;
    }
    if (name && widest > cap && smi_names_elide(v->g, name, v->n))
        for (i = 0; i < v->n; i++)
            cell(v, i, RUN)->text = name[i];
}

/* Whether the line does not fit, even with a blank less between STATE and TIME. */
static bool too_wide(struct view *v, int cap)
{
    struct smi_grid_column *time = &v->col[column_at(v, TIME)];
    time->gap = 0;
    if (smi_grid_need(&v->grid, cap) > v->g->look->width)
        time->gap = -1;
    return smi_grid_need(&v->grid, cap) > v->g->look->width;
}

/* Has the column no reading in any run? */
static bool column_is_empty(struct view *v, int rule)
{
    for (size_t i = 0; i < v->n; i++)
        if (strcmp(cell(v, i, rule)->text, "-") != 0)
            return false;
    return true;
}

/* Columns leave in the order of screens.md §2, those of wide windows first, until the line fits. */
static void fit_columns(struct view *v)
{
    static const int leave[] = {HOST, START, SLOW, P95, CPU, TEMP, POWER, ENERGY, SHAPE, COST};
    static const int bare[] = {ENERGY, VRAM};
    int width = v->g->look->width, cap = width * 3 / 10 > 24 ? width * 3 / 10 : 24, i;
    elide_names(v, cap);
    set_shapes(v, 10);
    i = 10 + width - smi_grid_need(&v->grid, cap);
    if (i >= 10) {
        set_shapes(v, width < 130 ? 10 : i < 24 ? i : 24);
        return;
    }
    for (i = 0; i < 2 && too_wide(v, cap); i++) /* a column of nothing goes first, and is not missed */
        v->col[column_at(v, bare[i])].hidden |= column_is_empty(v, bare[i]);
    v->no_energy = column_is_empty(v, ENERGY);
    for (i = v->params; i > 1 && too_wide(v, cap); i--) /* the shape says more than a second parameter */
        v->col[i].hidden = true;
    for (i = 0; i < (int)(sizeof leave / sizeof *leave) && too_wide(v, cap); i++)
        v->col[column_at(v, leave[i])].hidden = true;
    if (v->params && too_wide(v, cap))
        v->col[1].hidden = true;
    if (v->total && too_wide(v, cap))
        cell(v, v->n, NOTE)->text = NULL; /* the last line says it too */
    if (too_wide(v, cap))
        shorter_cells(v, NOTE);
    v->short_vram = too_wide(v, cap);
    if (v->short_vram)
        shorter_cells(v, VRAM);
    v->left = smi_grid_fit(&v->grid, 0);
}

static void say_hidden(struct view *v)
{
    const char *list =
        smi_fmt(v->g, "%s%s", v->short_vram && !v->col[column_at(v, VRAM)].hidden ? ", VRAM total" : "",
                v->left ? v->left : "");
    int i;
    for (i = v->grid.columns - 1; i > v->params; i--)
        if (v->col[i].hidden && (i == column_at(v, SHAPE) || (i == column_at(v, ENERGY) && !v->no_energy) ||
                                 (i == column_at(v, COST) && v->g->look->money)))
            list = smi_fmt(v->g, ", %s%s", v->col[i].head, list);
    list = smi_fmt(v->g, "%s%s", smi_params_hidden(v->g, v->col + 1, v->params), list);
    if (*list)
        smi_wrap_line(v->g, SMI_GREY,
                      smi_fmt(v->g, "(%d columns: without %s; all with -o runs.csv or a wider window)",
                              v->g->look->width, list + 2));
}

void smi_text_runs(struct smi_text_arena *g, const struct smi_summary *const *run, size_t n, bool total)
{
    struct view v = {.g = g, .run = run, .n = n, .total = total};
    g->failed |= !make_columns(&v);
    if (g->failed)
        return;
    smi_grid_begin(&v.grid, g, v.col, FIXED + v.params);
    smi_runs_time_span(&v.span, g->sweep->runs, g->sweep->n);
    for (size_t i = 0; i < n; i++)
        fill_row(&v, run[i]);
    if (total)
        fill_total(&v);
    if (!g->failed && g->look->width) {
        hide_empty(&v);
        fit_columns(&v);
    } else if (!g->failed) {
        set_shapes(&v, 10);
    }
    smi_grid_end(&v.grid);
    say_hidden(&v);
}
