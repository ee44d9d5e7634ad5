/* text_runs.c - the table of runs: one row each, columns that leave when the window is narrow (screens.md
 * §2). */
#include "base/clock.h"
#include "report/run_columns.h"

#include <string.h>

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

static void fill_note(struct smi_text_arena *g, const struct smi_summary *s, struct smi_grid_cell *c)
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
                        struct smi_grid_cell *c)
{
    c->text = id == SMI_RUNS_VRAM ? smi_fmt_vram(g, s->vram.used_peak_mb, s->vram.total_mb)
                                  : smi_run_cell_text(g, id, s);
    if (strcmp(c->text, "-") == 0 || !(smi_findings_marks(s, -1) & smi_run_table_columns[id].mark))
        return;
    c->mark = '!';
    c->style =
        s->state == SMI_STATE_FAILED && (id == SMI_RUNS_VRAM || id == SMI_RUNS_WASTED) ? SMI_RED : SMI_YELLOW;
}

static void fill_cell(struct smi_text_arena *g, int id, const struct smi_summary *s, struct smi_grid_cell *c)
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
    return rule == SMI_RUNS_NAME ? SMI_RUNS_NAME : rule + v->params;
}

static struct smi_grid_cell *cell(struct view *v, size_t run, int rule)
{
    return &v->grid.cell[(run + 1) * (size_t)v->grid.columns + (size_t)column_at(v, rule)];
}

static struct smi_grid_column fixed_column(const struct smi_text_arena *g, int id)
{
    const struct smi_run_table_column *c = &smi_run_table_columns[id];
    const bool number = c->kind == SMI_AS_VALUE || c->kind == SMI_AS_GIB || c->kind == SMI_AS_HEADLINE ||
                        c->kind == SMI_AS_HOURS;
    return (struct smi_grid_column){.head = id == SMI_RUNS_TEMP && !g->look->utf8 ? "C" : c->text.head,
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
static struct smi_grid_column extra_column(struct smi_text_arena *g, const char *key, bool hidden)
{
    const struct smi_field_info *f = smi_listed_field(key);
    if (!f)
        return (struct smi_grid_column){.head = smi_fmt_field(g, key), .least = 8, .hidden = hidden};
    return (struct smi_grid_column){.head = f->label ? f->label : f->key, .align = SMI_POINT};
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
    struct smi_grid_cell *row = smi_grid_row(&v->grid, SMI_ROW_PLAIN);
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
    struct smi_grid_cell *row = smi_grid_row(&v->grid, SMI_ROW_RULED);
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
        struct smi_grid_cell *c = cell(v, i, rule);
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
    struct smi_grid_column *time = &v->col[column_at(v, SMI_RUNS_TIME)];
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
    static const int leave[] = {SMI_RUNS_HOST,      SMI_RUNS_START, SMI_RUNS_SLOWED, SMI_RUNS_P95,
                                SMI_RUNS_CPU,       SMI_RUNS_TEMP,  SMI_RUNS_POWER,  SMI_RUNS_ENERGY,
                                SMI_RUNS_SPARKLINE, SMI_RUNS_COST};
    static const int bare[] = {SMI_RUNS_ENERGY, SMI_RUNS_VRAM};
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
    v->left = smi_grid_fit(&v->grid, 0);
}

static void say_hidden(struct view *v)
{
    const char *list =
        smi_fmt(v->g, "%s%s",
                v->short_vram && !v->col[column_at(v, SMI_RUNS_VRAM)].hidden ? ", SMI_RUNS_VRAM total" : "",
                v->left ? v->left : "");
    int i;
    for (i = v->grid.columns - 1; i > v->params; i--)
        if (v->col[i].hidden &&
            (i == column_at(v, SMI_RUNS_SPARKLINE) || (i == column_at(v, SMI_RUNS_ENERGY) && !v->no_energy) ||
             (i == column_at(v, SMI_RUNS_COST) && v->g->look->money)))
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
