/* text_sweep.c - the tables of a sweep: runs, groups of runs, the spread, the runs that wasted most. */
#include "base/clock.h"
#include "report/run_columns.h"
#include "report/run_groups.h"

#include <stdlib.h>
#include <string.h>

/* ---- the table of runs: one row each, columns that leave when the window is narrow. ---- */

static void fill_start(struct smi_text_arena *g, const struct smi_summary *s, struct smi_table_cell *c)
{
    char zone[SMI_CLOCK_TEXT] = "";
    if (s->has_start && s->zoned)
        smi_clock_write_zone(zone, s->offset_s);
    c->text = smi_fmt(g, "%s%s", smi_fmt_timestamp(g, s, s->start_ms, 0, 19), zone);
}

/* In a window a start is on the clock that the head names; a clock that is not known stands in grey. */
static void brief_start(struct smi_text_arena *g, const struct smi_summary *span, struct smi_summary s,
                        struct smi_table_cell *c)
{
    const char *t;
    s.offset_s = span->offset_s;
    t = smi_fmt_timestamp(g, &s, s.start_ms, 5, 11);
    c->text = s.has_start ? smi_fmt(g, "%.5s %s", t, t + 6) : t;
    c->style = s.zoned == span->zoned ? c->style : SMI_GREY;
}

static void fill_note(struct smi_text_arena *g, const struct smi_summary *s, struct smi_table_cell *c)
{
    enum smi_run_note note = smi_run_note_of(s);
    const char *text = smi_run_note_text(g, s);
    c->text = *text || g->look->width ? text : "-";
    c->style = note == SMI_NOTE_FAILED || note == SMI_NOTE_ERROR ? SMI_RED
               : note == SMI_NOTE_FINDING                        ? SMI_YELLOW
                                                                 : SMI_GREY;
}

/* A text, with a mark where a finding rests on it. */
static void fill_marked(struct smi_text_arena *g, int id, const struct smi_summary *s,
                        struct smi_table_cell *c)
{
    c->text = id == SMI_RUNS_VRAM ? smi_fmt_vram(g, s->vram.used_peak_mb, s->vram.total_mb)
                                  : smi_run_cell_text(g, id, s);
    if (strcmp(c->text, "-") == 0 || !(smi_findings_marks(s, -1) & smi_run_table_columns[id].mark))
        return;
    c->mark = '!';
    c->style =
        s->state == SMI_STATE_FAILED && (id == SMI_RUNS_VRAM || id == SMI_RUNS_WASTED) ? SMI_RED : SMI_YELLOW;
}

static void fill_cell(struct smi_text_arena *g, int id, const struct smi_summary *s, struct smi_table_cell *c)
{
    switch (id) {
    case SMI_RUNS_NAME:
        c->text = smi_fmt_field(g, s->run);
        break;
    case SMI_RUNS_STATE:
        c->text = smi_run_cell_text(g, id, s);
        c->style = s->state == SMI_STATE_FAILED ? SMI_RED
                   : s->state == SMI_STATE_OK   ? SMI_STYLE_PLAIN
                                                : SMI_GREY;
        break;
    case SMI_RUNS_START:
        fill_start(g, s, c);
        break;
    case SMI_RUNS_HOST:
        c->text = smi_fmt_field(g, s->hostname);
        break;
    case SMI_RUNS_NOTE:
        fill_note(g, s, c);
        break;
    default:
        fill_marked(g, id, s, c);
    }
}

/* --- the table --- */

enum { FIXED = SMI_RUNS_COLUMNS };

struct view {
    struct smi_text_arena *g;
    struct smi_report_table grid;
    struct smi_table_column *col;
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
    return rule == SMI_RUNS_NAME ? SMI_RUNS_NAME : rule + v->params;
}

static struct smi_table_cell *cell(struct view *v, size_t run, int rule)
{
    return &v->grid.cell[(run + 1) * (size_t)v->grid.columns + (size_t)column_at(v, rule)];
}

static struct smi_table_column fixed_column(const struct smi_text_arena *g, int id)
{
    const struct smi_run_table_column *c = &smi_run_table_columns[id];
    const bool number = c->kind == SMI_AS_VALUE || c->kind == SMI_AS_GIB || c->kind == SMI_AS_HEADLINE ||
                        c->kind == SMI_AS_HOURS;
    return (struct smi_table_column){.head = id == SMI_RUNS_TEMP && !g->look->utf8 ? "C" : c->text.head,
                                     .align = number && c->digits                ? SMI_POINT
                                              : number || c->kind == SMI_AS_SPAN ? SMI_RIGHT
                                                                                 : SMI_LEFT,
                                     .names = id == SMI_RUNS_NAME,
                                     .least = c->text.least,
                                     .leave = c->text.leave,
                                     .hidden =
                                         !c->text.head || (g->look->width && g->look->width < c->text.from)};
}

/* The column of a parameter or of a listed field. */
static struct smi_table_column extra_column(struct smi_text_arena *g, const char *key, bool hidden)
{
    const struct smi_field_info *f = smi_listed_field(key);
    if (!f)
        return (struct smi_table_column){.head = smi_fmt_field(g, key), .least = 8, .hidden = hidden};
    return (struct smi_table_column){.head = f->label ? f->label : f->key, .align = SMI_POINT};
}

static bool make_columns(struct view *v)
{
    size_t most = v->g->sweep->nvarying + v->g->sweep->njoined + SMI_RUN_FIELDS + FIXED;
    bool *hidden = smi_arena_new(&v->g->arena, most, sizeof *hidden);
    v->col = smi_arena_new(&v->g->arena, most, sizeof *v->col);
    v->param = smi_arena_new(&v->g->arena, most, sizeof *v->param);
    if (!v->col || !v->param || !hidden)
        return false;
    v->params = smi_param_columns(v->g, v->run, v->n, v->param, hidden);
    v->params = smi_listed_fields(v->param, v->params);
    for (int k = 0; k < v->params; k++)
        v->col[1 + k] = extra_column(v->g, v->param[k], hidden[k]);
    for (int i = 0; i < FIXED; i++) {
        v->col[column_at(v, i)] = fixed_column(v->g, i);
    }
    v->col[column_at(v, SMI_RUNS_COST)].hidden = !v->g->look->money;
    return true;
}

static void fill_row(struct view *v, const struct smi_summary *s)
{
    struct smi_table_cell *row = smi_table_row(&v->grid, SMI_ROW_PLAIN);
    int i;
    for (i = 0; row && i < FIXED; i++)
        if (smi_run_table_columns[i].text.head && i != SMI_RUNS_SPARKLINE)
            fill_cell(v->g, i, s, &row[column_at(v, i)]);
    if (row && v->g->look->width)
        brief_start(v->g, &v->span, *s, &row[column_at(v, SMI_RUNS_START)]);
    for (i = 0; row && i < v->params; i++) {
        const struct smi_field_info *f = smi_listed_field(v->param[i]);
        const struct smi_param *p = f ? NULL : smi_run_param(s, v->param[i]);
        row[1 + i].text = f ? smi_listed_text(v->g, f, s) : smi_fmt_field(v->g, p ? p->text : NULL);
    }
    for (i = 0; row && i < v->grid.columns; i++)
        if (row[i].text && strcmp(row[i].text, "-") == 0)
            row[i].style = SMI_GREY;
}

static void fill_total(struct view *v)
{
    bool piped = v->g->look->width == 0;
    const struct smi_total *t = &v->g->sweep->total;
    struct smi_table_cell *row = smi_table_row(&v->grid, SMI_ROW_RULED);
    struct smi_summary all;
    int i;
    smi_total_as_run(&all, v->g->sweep);
    for (i = 0; row && i < v->grid.columns; i++)
        row[i].text = piped ? "-" : NULL;
    for (i = 0; row && i < FIXED; i++)
        if (smi_run_table_columns[i].text.total)
            fill_cell(v->g, i, &all, &row[column_at(v, i)]);
    if (!row)
        return;
    row[0].text = piped ? "total" : smi_fmt(v->g, "total %zu runs", v->n);
    if (t->failed + t->cut)
        row[column_at(v, SMI_RUNS_NOTE)].text =
            smi_fmt(v->g, "%lld ended early", (long long)(t->failed + t->cut));
}

static void set_shapes(struct view *v, int cells)
{
    for (size_t i = 0; i < v->n; i++)
        cell(v, i, SMI_RUNS_SPARKLINE)->text = smi_fmt_sparkline(v->g, v->run[i]->shape, cells);
}

/* Beyond what the documents name: nothing is shown of a column that has no reading in any run. */
static void hide_empty(struct view *v)
{
    for (int k = 0; k < FIXED; k++) {
        bool some = smi_run_table_columns[k].text.from == 0 && k != SMI_RUNS_NOTE;
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
        struct smi_table_cell *c = cell(v, i, rule);
        const char *slash = rule == SMI_RUNS_VRAM ? strchr(c->text, '/') : NULL;
        if (rule == SMI_RUNS_NOTE)
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
        name[i] = cell(v, i, SMI_RUNS_NAME)->text;
        w = smi_text_width(name[i]);
        widest = w > widest ? w : widest;
    }
    if (name && widest > cap && smi_names_elide(v->g, name, v->n))
        for (i = 0; i < v->n; i++)
            cell(v, i, SMI_RUNS_NAME)->text = name[i];
}

/* Whether the line does not fit, even with a blank less between STATE and SMI_RUNS_TIME. */
static bool too_wide(struct view *v, int cap)
{
    struct smi_table_column *time = &v->col[column_at(v, SMI_RUNS_TIME)];
    time->gap = 0;
    if (smi_table_need(&v->grid, cap) > v->g->look->width)
        time->gap = -1;
    return smi_table_need(&v->grid, cap) > v->g->look->width;
}

/* Has the column no reading in any run? */
static bool column_is_empty(struct view *v, int rule)
{
    for (size_t i = 0; i < v->n; i++)
        if (strcmp(cell(v, i, rule)->text, "-") != 0)
            return false;
    return true;
}

/* Columns leave in a fixed order, those of wide windows first, until the line fits. */
static void fit_columns(struct view *v)
{
    static const int leave[] = {SMI_RUNS_HOST,      SMI_RUNS_START, SMI_RUNS_SLOWED, SMI_RUNS_P95,
                                SMI_RUNS_CPU,       SMI_RUNS_TEMP,  SMI_RUNS_POWER,  SMI_RUNS_ENERGY,
                                SMI_RUNS_SPARKLINE, SMI_RUNS_COST};
    static const int bare[] = {SMI_RUNS_ENERGY, SMI_RUNS_VRAM};
    int width = v->g->look->width, cap = width * 3 / 10 > 24 ? width * 3 / 10 : 24, i;
    elide_names(v, cap);
    set_shapes(v, 10);
    i = 10 + width - smi_table_need(&v->grid, cap);
    if (i >= 10) {
        set_shapes(v, width < 130 ? 10 : i < 24 ? i : 24);
        return;
    }
    for (i = 0; i < 2 && too_wide(v, cap); i++) /* a column of nothing goes first, and is not missed */
        v->col[column_at(v, bare[i])].hidden |= column_is_empty(v, bare[i]);
    v->no_energy = column_is_empty(v, SMI_RUNS_ENERGY);
    for (i = v->params; i > 1 && too_wide(v, cap); i--) /* the shape says more than a second parameter */
        v->col[i].hidden = true;
    for (i = 0; i < (int)(sizeof leave / sizeof *leave) && too_wide(v, cap); i++)
        v->col[column_at(v, leave[i])].hidden = true;
    if (v->params && too_wide(v, cap))
        v->col[1].hidden = true;
    if (v->total && too_wide(v, cap))
        cell(v, v->n, SMI_RUNS_NOTE)->text = NULL; /* the last line says it too */
    if (too_wide(v, cap))
        shorter_cells(v, SMI_RUNS_NOTE);
    v->short_vram = too_wide(v, cap);
    if (v->short_vram)
        shorter_cells(v, SMI_RUNS_VRAM);
    v->left = smi_table_fit(&v->grid, 0);
}

static void say_hidden(struct view *v)
{
    const char *list = smi_fmt(
        v->g, "%s%s", v->short_vram && !v->col[column_at(v, SMI_RUNS_VRAM)].hidden ? ", VRAM total" : "",
        v->left ? v->left : "");
    int i;
    for (i = v->grid.columns - 1; i > v->params; i--)
        if (v->col[i].hidden &&
            (i == column_at(v, SMI_RUNS_SPARKLINE) || (i == column_at(v, SMI_RUNS_ENERGY) && !v->no_energy) ||
             (i == column_at(v, SMI_RUNS_COST) && v->g->look->money)))
            list = smi_fmt(v->g, ", %s%s", v->col[i].head, list);
    list = smi_fmt(v->g, "%s%s", smi_params_hidden(v->g, v->col + 1, v->params), list);
    if (*list)
        smi_wrap_fmt(v->g, SMI_GREY, "(%d columns: without %s; all with -o runs.csv or a wider window)",
                     v->g->look->width, list + 2);
}

void smi_text_runs(struct smi_text_arena *g, const struct smi_summary *const *run, size_t n, bool total)
{
    struct view v = {.g = g, .run = run, .n = n, .total = total};
    g->failed |= !make_columns(&v);
    if (g->failed)
        return;
    smi_table_begin(&v.grid, g, v.col, FIXED + v.params);
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
    smi_table_text(&v.grid);
    say_hidden(&v);
}

/* ---- the runs that share a value of a parameter, side by side. ---- */

enum { GROUP_ROWS = 12, LACKS_SAID = 4 };

static const char *run_count_text(struct smi_text_arena *g, int64_t n)
{
    return n ? smi_fmt(g, "%lld", (long long)n) : "-";
}

static void group_row(struct smi_report_table *t, struct smi_run_group *p, enum smi_table_row_kind kind)
{
    struct smi_text_arena *g = t->page;
    struct smi_table_cell *row = smi_table_row(t, kind);
    int i = 0;
    if (!row)
        return;
    smi_total_close(&p->sum);
    row[i++].text = p->name;
    row[i++].text = run_count_text(g, p->sum.runs);
    row[i++].text = run_count_text(g, p->sum.failed);
    row[i++].text = run_count_text(g, p->sum.cut);
    row[i++].text = smi_fmt_mean(g, &p->sum.block, SMI_FIG_UTIL);
    row[i++].text = p->of[0].n < 2
                        ? "-"
                        : smi_fmt_ratio(g, smi_run_group_deviation(p, 0), (smi_i128)p->of[0].n * 1000000, 1);
    row[i++].text = smi_fmt_value(g, p->sum.idle_pct, 1);
    row[i].text = smi_fmt_vram(g, p->vram, p->vram_total);
    row[i].mark = p->out_of_memory ? '!' : 0;
    row[i].style = p->out_of_memory ? SMI_RED : SMI_STYLE_PLAIN;
    row[++i].text = p->sum.gpu_hours.has ? smi_fmt_hours(g, p->sum.covered_ms) : "-";
    row[++i].text =
        p->sum.energy_wh.has ? smi_fmt_ratio(g, p->sum.energy_wh.micro, (smi_i128)1000000000, 1) : "-";
    row[++i].text = p->sum.wasted_h[5].has ? smi_fmt_hours(g, smi_wasted_ms(&p->sum.waste)) : "-";
}

static int by_waste(const void *a, const void *b)
{
    int64_t x = smi_wasted_ms(&((const struct smi_run_group *)a)->sum.waste);
    int64_t y = smi_wasted_ms(&((const struct smi_run_group *)b)->sum.waste);
    return x > y ? -1 : x < y;
}

/* Energy that is not known would make the sums of the groups too low in silence. */
static void write_missing_line(struct smi_text_arena *g, const struct smi_run_group *group, size_t n,
                               const struct smi_run_group *all)
{
    const char *text = smi_total_missing_text(g, &all->sum, all->sum.of.energy), *at = "";
    size_t said = 0, left = 0;
    if (!text || !all->sum.energy_wh.has)
        return;
    for (size_t i = 0; i < n; i++) {
        int64_t lack = smi_total_missing(&group[i].sum, group[i].sum.of.energy);
        if (lack && said < LACKS_SAID)
            at = smi_fmt(g, "%s, %lld at %s", at, (long long)lack, group[i].name), said++;
        else
            left += lack > 0;
    }
    if (left)
        at = smi_fmt(g, "%s, and %zu more", at, left);
    smi_wrap_fmt(g, SMI_GREY, "kWh %s (%s)", text, at + 2);
}

static void group_table(struct smi_text_arena *g, const char *key, struct smi_run_group *group, size_t n,
                        struct smi_run_group *all)
{
    struct smi_table_column col[] = {{.head = smi_fmt(g, "BY %s", smi_fmt_safe(g, key)), .least = 8},
                                     {.head = "RUNS", .align = SMI_RIGHT, .leave = 1},
                                     {.head = "FAILED", .align = SMI_RIGHT, .leave = 2},
                                     {.head = "CUT", .align = SMI_RIGHT, .leave = 4},
                                     {.head = "GPU %", .align = SMI_POINT},
                                     {.head = "+/-", .align = SMI_POINT, .leave = 6},
                                     {.head = "IDLE %", .align = SMI_POINT},
                                     {.head = "VRAM GiB", .align = SMI_POINT, .leave = 3},
                                     {.head = "GPU-h", .align = SMI_POINT, .leave = 1},
                                     {.head = "kWh", .align = SMI_POINT, .leave = 5},
                                     {.head = "WASTED h", .align = SMI_POINT}};
    struct smi_report_table t;
    size_t i;
    smi_table_begin(&t, g, col, 11);
    for (i = 0; i < n; i++)
        group_row(&t, &group[i], SMI_ROW_PLAIN);
    group_row(&t, all, SMI_ROW_TOTAL);
    smi_table_text(&t);
    write_missing_line(g, group, n, all);
    smi_wrap_newline(g);
}

/* One row a value; beyond GROUP_ROWS those that wasted least are joined. */
static void groups_by(struct smi_text_arena *g, const char *key, const char **value, size_t n)
{
    struct smi_run_group *group = smi_run_groups(g, key, value, n), all = {.name = "total"};
    size_t i, left = n > GROUP_ROWS ? n - GROUP_ROWS + 1 : 0;
    if (!group)
        return;
    if (left) {
        qsort(group, n, sizeof *group, by_waste);
        n -= left;
        for (i = 0; i < n; i++)
            group[i] = (struct smi_run_group){.value = group[i].value, .name = group[i].name};
        group[n] = (struct smi_run_group){0};
        smi_run_groups_add(g->sweep, key, group, n);
    }
    group[n].name = left ? smi_fmt(g, "%zu others", left) : "-";
    for (i = 0; smi_sweep_has_run(g->sweep, i); i++)
        smi_run_group_add(&all, &g->sweep->runs[i]);
    group_table(g, key, group, n + (group[n].sum.runs > 0), &all);
}

/* Of these the groups alone: by the parameter with the fewest values that is no repeat; nothing if none
 * groups. */
static void write_groups(struct smi_text_arena *g)
{
    const struct smi_sweep *s = g->sweep;
    const char **value;
    size_t n;
    for (size_t i = 0; i < s->nvarying; i++) {
        n = smi_param_is_repeat(s->varying[i]) ? 0 : smi_param_group_values(g, s->varying[i], &value);
        if (n) {
            groups_by(g, s->varying[i], value, n);
            return;
        }
    }
}

/* ---- the sweep as a whole: the spread, sums, the runs that wasted most.
 * ---- */

/* --- the spread over all runs --- */

static const struct {
    const char *label;
    int column, divisor;
} spreads[] = {{"GPU %", SMI_RUNS_UTIL, 1},
               {"idle %", SMI_RUNS_IDLE, 1},
               {"VRAM GiB", SMI_RUNS_VRAM, 1024},
               {"Wh", SMI_RUNS_ENERGY, 1}};

static int by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

/* The run whose value is furthest from the median. */
static const char *find_extreme_run(struct smi_text_arena *g, int column, int64_t median)
{
    const struct smi_summary *best = NULL;
    int64_t far = -1, d;
    for (size_t i = 0; smi_sweep_has_run(g->sweep, i); i++) {
        struct smi_value v = smi_run_cell_value(column, &g->sweep->runs[i]);
        d = v.micro > median ? v.micro - median : median - v.micro;
        if (v.has && d > far) {
            far = d;
            best = &g->sweep->runs[i];
        }
    }
    return far > 0 ? smi_fmt_safe(g, best->run) : "-";
}

static void write_spread_table(struct smi_text_arena *g)
{
    static const int percent[] = {0, 25, 50, 75, 100};
    struct smi_table_column col[] = {
        {.head = "OVER ALL RUNS"},
        {.head = "min", .align = SMI_POINT},
        {.head = "p25", .align = SMI_POINT, .leave = 2},
        {.head = "median", .align = SMI_POINT},
        {.head = "p75", .align = SMI_POINT, .leave = 2},
        {.head = "max", .align = SMI_POINT},
        {.head = "most extreme", .names = true, .least = 12, .gap = 1, .leave = 1}};
    int64_t *x = smi_arena_new(&g->arena, g->sweep->n + 1, sizeof *x);
    struct smi_report_table t;
    smi_table_begin(&t, g, col, 7);
    for (size_t k = 0, i, n; x && k < sizeof spreads / sizeof *spreads; k++) {
        struct smi_table_cell *row = smi_table_row(&t, SMI_ROW_PLAIN);
        for (i = n = 0; smi_sweep_has_run(g->sweep, i); i++) {
            struct smi_value v = smi_run_cell_value(spreads[k].column, &g->sweep->runs[i]);
            if (v.has)
                x[n++] = v.micro;
        }
        if (n)
            qsort(x, n, sizeof *x, by_value);
        for (i = 0; row && i < 5; i++)
            row[1 + i].text = n ? smi_fmt_ratio(g, smi_percentile_hundredfold(x, n, percent[i]),
                                                (smi_i128)100 * 1000000 * spreads[k].divisor, 1)
                                : "-";
        if (row) {
            row[0].text = spreads[k].label;
            row[6].text = n ? find_extreme_run(g, spreads[k].column, x[(n - 1) / 2]) : "-";
        }
    }
    g->failed |= !x;
    smi_table_text(&t);
    smi_wrap_newline(g);
}

const char *smi_total_missing_text(struct smi_text_arena *g, const struct smi_total *t, int64_t of)
{
    int64_t n = smi_total_missing(t, of);
    return n ? smi_fmt(g, "not known: %lld run%s", (long long)n, n == 1 ? "" : "s") : NULL;
}

/* What is not known would make the sum too low in silence. */
static const char *with_lack(struct smi_text_arena *g, const char *sum, const struct smi_total *t, int64_t of)
{
    const char *lack = t->runs == 1 ? NULL : smi_total_missing_text(g, t, of);
    return lack ? smi_fmt(g, "%s (%s)", sum, lack) : sum;
}

const char *smi_total_cost(struct smi_text_arena *g, const struct smi_total *t)
{
    if (t->runs == 1 && smi_total_missing(t, t->of.cost))
        return "cost not known";
    return with_lack(g, t->cost.has ? smi_fmt_money(g, t->cost) : "no cost", t, t->of.cost);
}

const char *smi_total_wasted_cost(struct smi_text_arena *g, const struct smi_total *t)
{
    const char *lost = smi_fmt_money(g, t->wasted_cost[5]);
    return t->cost.has && smi_total_costs_match(t) ? smi_fmt(g, "%s of %s", lost, smi_fmt_money(g, t->cost))
                                                   : smi_fmt(g, "%s wasted", lost);
}

const char *smi_total_energy(struct smi_text_arena *g, const struct smi_total *t)
{
    return with_lack(g, smi_fmt_energy(g, t->energy_wh), t, t->of.energy);
}

const char *smi_total_co2(struct smi_text_arena *g, const struct smi_total *t)
{
    return with_lack(g, smi_fmt(g, "%s CO2", smi_fmt_co2(g, t->co2_g)), t, t->of.co2);
}

/* --- the runs that wasted most --- */

static void write_other_runs_line(struct smi_text_arena *g, const struct smi_summary *const *run, size_t n)
{
    static const char *const word[] = {"ok", "failed", "cut", "without run log", "no GPU data"};
    static const enum smi_state order[] = {SMI_STATE_OK, SMI_STATE_CUT, SMI_STATE_FAILED, SMI_STATE_UNKNOWN,
                                           SMI_STATE_NO_DATA};
    size_t count_of[5] = {0}, i;
    const char *t = "";
    for (i = 0; i < n; i++)
        count_of[run[i]->state]++;
    for (i = 0; i < 5; i++)
        if (count_of[order[i]])
            t = smi_fmt(g, "%s%s%zu %s", t, *t ? ", " : "", count_of[order[i]], word[order[i]]);
    smi_wrap_fmt(g, SMI_STYLE_PLAIN, "%zu more: %s (--all, or -o runs.csv)", n, t);
    smi_wrap_newline(g);
}

static void write_worst_runs(struct smi_text_arena *g)
{
    const struct smi_sweep *s = g->sweep;
    const struct smi_summary **run = smi_runs_by_waste(&g->arena, s);
    int64_t sum = 0;
    size_t n = 0;
    g->failed |= !run;
    if (!run)
        return;
    for (; smi_sweep_has_run(s, n) && n < 10 && smi_wasted_ms(&run[n]->waste) > 0; n++)
        sum += smi_wasted_ms(&run[n]->waste);
    if (n) {
        smi_wrap_fmt(g, SMI_BOLD, "THE %sTHAT WASTED MOST (%s of %s GPU-h)",
                     n == 1 ? "RUN " : smi_fmt(g, "%zu RUNS ", n), smi_fmt_hours(g, sum),
                     smi_fmt_hours(g, smi_wasted_ms(&s->total.waste)));
        smi_text_runs(g, run, n, false);
    }
    if (n < s->n)
        write_other_runs_line(g, run + n, s->n - n);
}

void smi_text_sweep(struct smi_text_arena *g)
{
    write_spread_table(g);
    write_groups(g);
    write_worst_runs(g);
}
