/* runs_table.c - the table of runs: a row each, of which columns leave when a window is narrow. */
#include "report/run_columns.h"

#include <string.h>

enum { FIXED = SMI_RUNS_COLUMNS, PARAMS = 6 /* columns of them, where look->width does not hold any */ };

/* The table being made. */
struct view {
    struct smi_text_arena *g;
    struct smi_report_table *t;
    int params; /* columns of parameters and listed fields, right of the first */
    const char **param;
    bool text; /* for text.c: with its columns */
};

static int column_at(const struct view *v, int id)
{
    return id == SMI_RUNS_NAME ? SMI_RUNS_NAME : id + v->params;
}

static struct smi_table_cell *cell_of(const struct view *v, size_t run, int id)
{
    return &v->t->cell[(run + 1) * (size_t)v->t->columns + (size_t)column_at(v, id)];
}

/* What a finding rests on has a mark. */
static void mark_cell(int id, const struct smi_summary *s, struct smi_table_cell *c)
{
    const bool failed = s->state == SMI_STATE_FAILED;
    if (strcmp(c->text, "-") == 0 || !(smi_findings_marks(s, -1) & smi_run_table_columns[id].mark))
        return;
    c->mark = '!';
    c->style = failed && (id == SMI_RUNS_VRAM || id == SMI_RUNS_WASTED) ? SMI_RED : SMI_YELLOW;
}

static void fill_cell(const struct view *v, int id, const struct smi_summary *s, struct smi_table_cell *c)
{
    const enum smi_run_note note = smi_run_note_of(s);
    if (id == SMI_RUNS_NAME) {
        c->run = s;
        return;
    }
    c->text = id == SMI_RUNS_VRAM ? smi_fmt_vram(v->g, s->vram.used_peak_mb, s->vram.total_mb)
              : id == SMI_RUNS_START && v->text && !v->g->look->width ? smi_run_start(v->g, s, true)
                                                                      : smi_run_cell_text(v->g, id, s);
    c->words = id == SMI_RUNS_NOTE ? SMI_WORDS_MIXED : SMI_WORDS_OURS;
    if (id == SMI_RUNS_HOST) {
        c->text = s->hostname;
        c->words = SMI_WORDS_OF_LOG;
    } else if (id == SMI_RUNS_STATE) {
        c->style = s->state == SMI_STATE_FAILED ? SMI_RED
                   : s->state == SMI_STATE_OK   ? SMI_STYLE_PLAIN
                                                : SMI_GREY;
    } else if (id == SMI_RUNS_NOTE) {
        c->style = note == SMI_NOTE_FAILED || note == SMI_NOTE_ERROR ? SMI_RED
                   : note == SMI_NOTE_FINDING                        ? SMI_YELLOW
                                                                     : SMI_GREY;
    } else {
        mark_cell(id, s, c);
    }
}

/* --- columns --- */

static bool is_there(const struct view *v, int id)
{
    const struct smi_run_table_column *c = &smi_run_table_columns[id];
    if ((id == SMI_RUNS_COST || id == SMI_RUNS_WASTED_COST) && !v->g->look->money)
        return false;
    return v->text ? c->text.head && v->g->look->width + 1000 * !v->g->look->width >= c->text.from
                   : c->key && !c->more;
}

static struct smi_table_column fixed_column(struct view *v, int id)
{
    const struct smi_run_table_column *c = &smi_run_table_columns[id];
    const bool number = c->kind == SMI_AS_VALUE || c->kind == SMI_AS_GIB || c->kind == SMI_AS_HEADLINE ||
                        c->kind == SMI_AS_HOURS || c->kind == SMI_AS_COUNT;
    return (struct smi_table_column){.head = v->text && id == SMI_RUNS_TEMP && !v->g->look->utf8
                                                 ? "C"
                                                 : smi_fmt_money_head(v->g, c->text.head),
                                     .long_head = smi_fmt_money_head(v->g, c->head),
                                     .align = number && c->digits                ? SMI_POINT
                                              : number || c->kind == SMI_AS_SPAN ? SMI_RIGHT
                                                                                 : SMI_LEFT,
                                     .names = id == SMI_RUNS_NAME,
                                     .least = c->text.least,
                                     .gap = c->text.gap,
                                     .leave = c->text.leave,
                                     .sparse = c->text.sparse,
                                     .hidden = !is_there(v, id)};
}

static const char *last_part(const char *key)
{
    const char *dot = strrchr(key, '.');
    return dot && dot[1] ? dot + 1 : key;
}

/* "lr" of optimizer.lr, if no other column ends so: in text, where columns are dear. */
static const char *brief_key(const struct view *v, int place)
{
    const char *brief = v->text ? last_part(v->param[place]) : v->param[place];
    for (int i = 0; i < v->params && brief != v->param[place]; i++)
        if (i != place && strcmp(last_part(v->param[i]), brief) == 0)
            return v->param[place];
    return brief;
}

/* The column of a parameter or of a listed field. */
static struct smi_table_column extra_column(const struct view *v, int place)
{
    const char *key = v->param[place];
    const struct smi_field_info *f = smi_listed_field(key);
    if (!f)
        return (struct smi_table_column){
            .head = brief_key(v, place), .least = 8, .leave = v->text ? SMI_RUNS_LEAVE_PARAMS : 2};
    return (struct smi_table_column){.head = f->label ? f->label : f->key, .align = SMI_POINT};
}

/* Not in a pipe: how runs ended, if no log says so of any, is no column; then TIME stands beside the names.
 */
static void hide_unknown_states(const struct view *v, const struct smi_summary *const *run, size_t n,
                                struct smi_table_column *col)
{
    if (v->text && !v->g->look->width)
        return;
    for (size_t i = 0; i < n; i++)
        if (run[i]->state != SMI_STATE_UNKNOWN)
            return;
    col[column_at(v, SMI_RUNS_STATE)].hidden = true;
    col[column_at(v, SMI_RUNS_TIME)].gap = 0;
}

/* Begins the table. Returns false without memory. */
static bool begin(struct view *v, const struct smi_summary *const *run, size_t n, size_t *left)
{
    const struct smi_sweep *s = v->g->sweep;
    const int most = v->text ? SMI_PARAM_COLUMNS : PARAMS;
    size_t all = s->nvarying + s->njoined + SMI_RUN_FIELDS + FIXED;
    struct smi_table_column *col = smi_arena_new(&v->g->arena, all, sizeof *col);
    v->param = smi_arena_new(&v->g->arena, all, sizeof *v->param);
    v->g->failed |= !col || !v->param;
    if (v->g->failed) {
        *v->t = (struct smi_report_table){.page = v->g};
        return false;
    }
    v->params = smi_param_columns(v->g, run, n, v->param, most, left);
    v->params = smi_listed_fields(v->param, v->params);
    for (int k = 0; k < v->params; k++)
        col[1 + k] = extra_column(v, k);
    for (int i = 0; i < FIXED; i++)
        col[column_at(v, i)] = fixed_column(v, i);
    hide_unknown_states(v, run, n, col);
    smi_table_begin(v->t, v->g, col, FIXED + v->params);
    for (int k = 0; k < v->params && !v->g->failed; k++)
        v->t->cell[1 + k].words = smi_listed_field(v->param[k]) ? SMI_WORDS_OURS : SMI_WORDS_OF_LOG;
    return !v->g->failed;
}

/* --- rows --- */

static void fill_row(const struct view *v, const struct smi_summary *s)
{
    struct smi_table_cell *row = smi_table_row(v->t, SMI_ROW_PLAIN);
    for (int i = 0; row && i < FIXED; i++)
        if (!v->t->col[column_at(v, i)].hidden && i != SMI_RUNS_SPARKLINE)
            fill_cell(v, i, s, &row[column_at(v, i)]);
    for (int i = 0; row && i < v->params; i++) {
        const struct smi_field_info *f = smi_listed_field(v->param[i]);
        const struct smi_param *p = f ? NULL : smi_run_param(s, v->param[i]);
        row[1 + i].text = f ? smi_listed_text(v->g, f, s) : p && p->text ? p->text : "-";
        row[1 + i].words = p && p->text ? SMI_WORDS_OF_LOG : SMI_WORDS_OURS;
    }
}

static void fill_total(const struct view *v)
{
    const struct smi_total *t = &v->g->sweep->total;
    struct smi_table_cell *row = smi_table_row(v->t, SMI_ROW_RULED);
    struct smi_summary all;
    smi_total_as_run(&all, v->g->sweep);
    for (int i = 0; row && i < FIXED; i++)
        if (smi_run_table_columns[i].text.total && !v->t->col[column_at(v, i)].hidden)
            fill_cell(v, i, &all, &row[column_at(v, i)]);
    if (!row)
        return;
    row[0].text =
        v->text && v->g->look->width == 0 ? "total" : smi_fmt(v->g, "total %zu runs", v->g->sweep->n);
    if (t->failed + t->cut)
        row[column_at(v, SMI_RUNS_NOTE)].text =
            smi_fmt(v->g, "%lld ended early", (long long)(t->failed + t->cut));
}

static void make_table(struct view *v, const struct smi_summary *const *run, size_t n, bool total,
                       size_t *left)
{
    *left = 0;
    if (!begin(v, run, n, left))
        return;
    for (size_t i = 0; smi_sweep_has_run_of(v->g->sweep, i, n); i++)
        fill_row(v, run[i]);
    if (total)
        fill_total(v);
}

void smi_runs_table(struct smi_report_table *t, struct smi_text_arena *g,
                    const struct smi_summary *const *run, size_t n, bool total, size_t *left)
{
    make_table(&(struct view){.g = g, .t = t}, run, n, total, left);
}

/* --- in a window --- */

static void set_shapes(const struct view *v, const struct smi_summary *const *run, size_t n, int cells)
{
    for (size_t i = 0; i < n; i++)
        cell_of(v, i, SMI_RUNS_SPARKLINE)->text = smi_fmt_sparkline(v->g, run[i]->shape, cells);
}

/* Names wider than cap lose what they all have in common, before any column has to leave for them. */
static void elide_names(const struct view *v, size_t n, int cap)
{
    const char **name = smi_arena_new(&v->g->arena, n + 1, sizeof *name);
    v->g->failed |= !name;
    smi_table_need(v->t, cap);
    if (!name || v->t->col[0].width <= cap)
        return;
    for (size_t i = 0; i < n; i++)
        name[i] = cell_of(v, i, SMI_RUNS_NAME)->text;
    if (smi_names_elide(v->g, name, n))
        for (size_t i = 0; i < n; i++)
            cell_of(v, i, SMI_RUNS_NAME)->text = name[i];
}

/* The last that is done before the columns leave that every table should have: a note is not what the state
 * says already. */
static void shorten_cells(const struct view *v, const struct smi_summary *const *run, size_t n, bool total)
{
    if (total)
        cell_of(v, n, SMI_RUNS_NOTE)->text = NULL; /* the last line says it too */
    for (size_t i = 0; smi_sweep_has_run_of(v->g->sweep, i, n); i++) {
        const char *code = smi_run_note_code(run[i]), *state = cell_of(v, i, SMI_RUNS_STATE)->text;
        cell_of(v, i, SMI_RUNS_NOTE)->text = code && state && strcmp(code, state) == 0 ? NULL : code;
    }
}

static void fit_window(const struct view *v, const struct smi_summary *const *run, size_t n, bool total)
{
    const int width = v->g->look->width, cap = width * 3 / 10 > 24 ? width * 3 / 10 : 24;
    int spare;
    elide_names(v, n, cap);
    smi_table_leave(v->t, cap, SMI_RUNS_LEAVE_LAST);
    spare = width - smi_table_need(v->t, cap);
    if (spare < 0)
        shorten_cells(v, run, n, total);
    else if (width >= 130 && !v->t->col[column_at(v, SMI_RUNS_SPARKLINE)].hidden)
        set_shapes(v, run, n, spare < 14 ? 10 + spare : 24);
}

void smi_text_runs(struct smi_text_arena *g, const struct smi_summary *const *run, size_t n, bool total)
{
    struct smi_report_table t;
    struct view v = {.g = g, .t = &t, .text = true};
    size_t left;
    make_table(&v, run, n, total, &left);
    if (!g->failed)
        set_shapes(&v, run, n, 10);
    if (!g->failed && g->look->width)
        fit_window(&v, run, n, total);
    smi_table_text(&t);
    if (left)
        smi_wrap_fmt(g, SMI_GREY, "(%zu more parameter%s differ%s: -o runs.csv has all)", left,
                     left == 1 ? "" : "s", left == 1 ? "s" : "");
}
