/* workbook_overview.c - the first sheet: what someone sees who has never seen the program, on one printed
 * page. */
#include "base/version.h"
#include "report/run_columns.h"
#include "report/workbook_private.h"

#include <string.h>

/* the sheet Groups: a block for each parameter whose values gather runs; the first of
 * them is what Overview draws. Means are of the runs, deviations of their whole group. */

enum { BLOCKS = 50, DRAWN = 24 /* groups of a chart */, MEASURES = SMI_GROUP_MEASURES };

/* smi_group_measures, as the sheet calls them. */
static const struct {
    const char *name;
    enum smi_xlsx_kind kind;
    double per;
} measures[MEASURES] = {{"GPU use %", SMI_XLSX_PERCENT, SMI_WORKBOOK_PCT},
                        {"Idle %", SMI_XLSX_PERCENT, SMI_WORKBOOK_PCT},
                        {"Time h", SMI_XLSX_TWO, SMI_WORKBOOK_HOURS},
                        {"Energy Wh", SMI_XLSX_ONE, SMI_WORKBOOK_RAW}};

static struct smi_workbook_table *make_columns(struct smi_workbook *b)
{
    struct smi_workbook_table *t =
        smi_workbook_table(b, SMI_WORKBOOK_GROUPS, SMI_WORKBOOK_COLUMNS + 3 * MEASURES);
    const struct smi_total *all = &b->sweep->total;
    for (int id = SMI_COL_GROUPS_GROUP; id <= SMI_COL_GROUPS_VRAM_TOTAL; id++)
        /* what some runs lack, only where some do */
        if (id == SMI_COL_GROUPS_KWH_LACK
                ? all->of.energy_part || smi_total_missing(all, all->of.energy) > 0
                : id != SMI_COL_GROUPS_COST_LACK || smi_total_missing(all, all->of.cost) > 0)
            smi_workbook_add(b, t, smi_workbook_columns[id]);
    for (int k = 0; k < MEASURES; k++) {
        const struct smi_workbook_column of[] = {
            {.head = smi_fmt(&b->page, "%s mean of runs", measures[k].name),
             .kind = measures[k].kind,
             .help = "Each run counts the same"},
            {.head = smi_fmt(&b->page, "%s sd", measures[k].name),
             .kind = measures[k].kind,
             .help = "Standard deviation of the runs, from two on"},
            {.head = "n", .kind = SMI_XLSX_INT, .help = "Runs for which it is known"}};
        for (int i = 0; i < 3; i++)
            smi_workbook_add(b, t, of[i]);
    }
    return t;
}

static void put_hours(struct smi_xlsx_cell *c, bool has, int64_t ms)
{
    if (has)
        smi_workbook_number(c, (double)ms / SMI_WORKBOOK_HOUR_MS);
}

static void write_group(struct smi_workbook *b, int64_t row, struct smi_run_group *p,
                        enum smi_xlsx_appearance look)
{
    struct smi_xlsx_cell c[SMI_WORKBOOK_COLUMNS + 3 * MEASURES] = {0}, *key = &c[SMI_COL_GROUPS_GROUP];
    struct smi_total *t = &p->sum;
    const int64_t wasted = smi_wasted_ms(&t->waste);
    bool known;
    smi_total_close(t);
    known = t->gpu_hours.has && smi_waste_known(t->wasted_h[5], t->idle_pct, &t->waste);
    smi_workbook_number(&c[SMI_COL_GROUPS_RUNS], (double)t->runs);
    smi_workbook_number(&c[SMI_COL_GROUPS_FAILED], (double)t->failed);
    smi_workbook_number(&c[SMI_COL_GROUPS_CUT], (double)t->cut);
    put_hours(&c[SMI_COL_GROUPS_USED_H], known, t->covered_ms - wasted - t->unknown_ms);
    put_hours(&c[SMI_COL_GROUPS_IDLE_H], known, wasted - t->waste.ms[SMI_WASTE_FAILED]);
    put_hours(&c[SMI_COL_GROUPS_FAILED_H], known, t->waste.ms[SMI_WASTE_FAILED]);
    put_hours(&c[SMI_COL_GROUPS_UNKNOWN_H], t->gpu_hours.has, t->unknown_ms);
    put_hours(&c[SMI_COL_GROUPS_GPU_H], t->gpu_hours.has, t->covered_ms);
    put_hours(&c[SMI_COL_GROUPS_WASTED_H], known, wasted);
    smi_workbook_value(&c[SMI_COL_GROUPS_KWH], SMI_WORKBOOK_KILO, t->energy_wh);
    smi_workbook_number(&c[SMI_COL_GROUPS_KWH_LACK],
                        (double)(smi_total_missing(t, t->of.energy) + t->of.energy_part));
    smi_workbook_value(&c[SMI_COL_GROUPS_COST], SMI_WORKBOOK_RAW, t->cost);
    smi_workbook_number(&c[SMI_COL_GROUPS_COST_LACK], (double)smi_total_missing(t, t->of.cost));
    smi_workbook_value(&c[SMI_COL_GROUPS_POOLED], SMI_WORKBOOK_PCT, smi_workbook_use(t));
    smi_workbook_value(&c[SMI_COL_GROUPS_POOLED_IDLE], SMI_WORKBOOK_PCT, t->idle_pct);
    smi_workbook_value(&c[SMI_COL_GROUPS_VRAM], SMI_WORKBOOK_GIB, p->vram);
    smi_workbook_value(&c[SMI_COL_GROUPS_VRAM_TOTAL], SMI_WORKBOOK_GIB, p->vram_total);
    for (int k = 0; k < MEASURES; k++) {
        struct smi_xlsx_cell *of = &c[SMI_WORKBOOK_COLUMNS + 3 * k];
        const int64_t n = p->of[k].n;
        if (n > 0)
            smi_workbook_number(&of[0], (double)p->of[k].s1 / (double)n / measures[k].per);
        if (n > 1)
            smi_workbook_number(&of[1], (double)smi_run_group_deviation(p, k) / (double)n / measures[k].per);
        smi_workbook_number(&of[2], (double)n);
    }
    smi_workbook_param(key, p->value ? p->value : "-", true);
    key->kind = key->is == SMI_XLSX_IS_NUMBER ? SMI_XLSX_KEY : SMI_XLSX_GENERAL;
    smi_workbook_row(b->sheet[SMI_WORKBOOK_GROUPS], row, &b->table[SMI_WORKBOOK_GROUPS], look, c);
}

/* One block of n groups and one for all other runs. Returns the row behind it. */
static int64_t write_block(struct smi_workbook *b, int64_t row, const char *name, struct smi_run_group *group,
                           size_t n)
{
    struct smi_run_group *all = smi_arena_new(&b->page.arena, 1, sizeof *all);
    struct smi_xlsx_sheet *to = b->sheet[SMI_WORKBOOK_GROUPS];
    const struct smi_workbook_table *t = &b->table[SMI_WORKBOOK_GROUPS];
    for (size_t i = 0; i < n; i++)
        b->group_width =
            smi_text_width(group[i].value) > b->group_width ? smi_text_width(group[i].value) : b->group_width;
    for (size_t i = 0; smi_sweep_has_run(b->sweep, i); i++)
        smi_run_group_add(all, &b->sweep->runs[i]);
    n += group[n].sum.runs > 0;
    smi_xlsx_text(to, row++, 0, SMI_XLSX_GENERAL, SMI_XLSX_SECTION,
                  strcmp(name, SMI_WORKBOOK_ALL_RUNS) == 0 ? "All runs" : smi_fmt(&b->page, "By %s", name));
    smi_xlsx_height(to, row, 31);
    for (int k = 0; k < t->n; k++)
        smi_xlsx_text(to, row, k, t->col[k].kind, SMI_XLSX_HEAD, k ? t->col[k].head : name);
    row++;
    if (b->group_first == 0 && n <= DRAWN) {
        b->group_first = row;
        b->group_last = row + (int64_t)(n ? n : 1) - 1;
        b->group_by = name;
    }
    for (size_t i = 0; i < n && !b->x->err.code; i++)
        write_group(b, row++, &group[i], SMI_XLSX_PLAIN);
    all->value = n ? "total" : SMI_WORKBOOK_ALL_RUNS;
    write_group(b, row++, all, n ? SMI_XLSX_RULED : SMI_XLSX_PLAIN);
    return row + 1;
}

/* Parameters whose values gather runs: what is asked for first, then those with the fewest values. */
static size_t choose_keys(struct smi_workbook *b, const char **key)
{
    const struct smi_sweep *s = b->sweep;
    size_t n = 0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < s->nvarying + s->njoined; i++) {
            const char *name = i < s->nvarying ? s->varying[i] : s->joined[i - s->nvarying], **value;
            bool asked = smi_group_by_place(b->look, name) == 0;
            bool result = i >= s->nvarying && i - s->nvarying < s->nresults;
            size_t values = asked != !pass || ((result || smi_param_is_repeat(name)) && !asked) ? 0
                            : asked ? smi_param_values(&b->page, name, &value)
                                    : smi_param_group_values(&b->page, name, &value);
            if (values > 1 && values <= SMI_GROUP_VALUES_MAX)
                key[n++] = name;
        }
    return n;
}

void smi_workbook_groups(struct smi_workbook *b)
{
    enum { LEAST = 16, MOST = 40 /* characters of the first column */ };
    struct smi_xlsx_sheet *to = b->sheet[SMI_WORKBOOK_GROUPS];
    size_t all = b->sweep->nvarying + b->sweep->njoined, n, values;
    const char **key = smi_arena_new(&b->page.arena, all, sizeof *key), **value;
    struct smi_workbook_table *t = make_columns(b);
    int64_t row = 0;
    int width;
    n = choose_keys(b, key);
    b->left_groups = n > BLOCKS ? n - BLOCKS : 0;
    for (size_t i = 0; i < n && i < BLOCKS; i++) {
        values = smi_param_values(&b->page, key[i], &value);
        row = write_block(b, row, key[i], smi_run_groups(&b->page, key[i], value, values), values);
    }
    if (n == 0) { /* the runs themselves, if they fit a chart, else all together */
        const size_t runs = b->sweep->n <= DRAWN ? b->sweep->n : 0;
        struct smi_run_group *group = smi_arena_new(&b->page.arena, runs + 1, sizeof *group);
        for (size_t i = 0; i < runs; i++) {
            group[i].value = b->sweep->runs[i].run;
            smi_run_group_add(&group[i], &b->sweep->runs[i]);
        }
        write_block(b, 0, runs ? "run" : SMI_WORKBOOK_ALL_RUNS, group, runs);
    }
    for (int k = 1; k < t->n; k++) /* sums and means need more room for their heads, a count does not */
        smi_xlsx_width(to, k, k, t->col[k].kind != SMI_XLSX_INT ? 14 : t->col[k].sheet ? 9 : 7);
    width = b->group_width + 2;
    smi_xlsx_width(to, 0, 0, width > MOST ? MOST : width < LEAST ? LEAST : width);
    smi_xlsx_freeze(to, 0, 1);
    smi_xlsx_print(to, 2, -1, 0);
}

enum { A, B, C, D, E }; /* columns: a wide one, three for figures, a wide one */

/* ---- the tables of Overview: where the GPU-hours went and what to do, the runs that wasted most. ---- */

enum { WORST = 10, NAME = 48, NAME_HEAD = 16 /* characters of a run's name */ };

/* A sheet of five columns, and the row that is written next. */
struct page {
    struct smi_workbook *b;
    struct smi_xlsx_sheet *to;
    int64_t row;
    enum smi_xlsx_kind kind[5]; /* of the columns of the table at hand */
};

static void write_line(struct page *p, enum smi_xlsx_appearance look, const char *text)
{
    smi_xlsx_text(p->to, p->row++, A, SMI_XLSX_GENERAL, look, text);
}

/* Heads of a table whose third column is a cost, or a share where there are no prices. */
static void begin_table(struct page *p, enum smi_xlsx_kind fourth, const char *const head[5])
{
    const bool money = p->b->look->money;
    memcpy(p->kind,
           (enum smi_xlsx_kind[]){SMI_XLSX_GENERAL, SMI_XLSX_TWO, money ? SMI_XLSX_MONEY : SMI_XLSX_PERCENT,
                                  fourth, SMI_XLSX_WORDS},
           sizeof p->kind);
    for (int i = A; i <= E; i++)
        smi_xlsx_text(p->to, p->row, i, p->kind[i], SMI_XLSX_HEAD, i == C && money ? "Cost" : head[i]);
    p->row++;
}

static void write_cells(struct page *p, enum smi_xlsx_appearance look, struct smi_xlsx_cell c[5])
{
    for (int i = A; i <= E; i++) {
        c[i].kind = c[i].kind ? c[i].kind : p->kind[i];
        c[i].look = look;
        smi_xlsx_put(p->to, p->row, i, &c[i]);
    }
    p->row++;
}

/* What GPU time cost; without prices its share of all. */
static void put_cost(const struct page *p, struct smi_xlsx_cell *c, struct smi_value cost, int64_t ms,
                     int64_t all)
{
    if (p->b->look->money)
        smi_workbook_value(c, SMI_WORKBOOK_RAW, cost);
    else if (all > 0)
        smi_workbook_number(c, (double)ms / (double)all);
}

/* What people call the causes of waste (smi_waste_names). */
static const char *const causes[] = {"Failed runs", "GPUs that did no work", "Idle before the first work",
                                     "Idle between work", "Idle after the last work"};

/* What the findings on a cause advise: that which is about most GPU time; without findings what the rule
 * says. */
static const char *advice_for_cause(const struct smi_advice *list, size_t n, int cause)
{
    const int rule = smi_rule_find(smi_waste_names[cause]);
    for (size_t i = 0; i < n; i++)
        if ((list[i].rule == rule || (cause == 0 && list[i].rule == SMI_RULE_OUT_OF_MEMORY)) &&
            smi_advice_words(&list[i])->advice)
            return smi_advice_words(&list[i])->advice;
    return smi_rules[rule].advice;
}

/* A part of the GPU-hours, of so many runs; runs: -1: it has a cost and no time. */
static void write_part(struct page *p, enum smi_xlsx_appearance look, const char *name, int64_t ms,
                       int64_t runs, struct smi_value cost, const char *to_do)
{
    struct smi_xlsx_cell c[5] = {0};
    smi_workbook_text(&c[A], name);
    if (runs >= 0) {
        smi_workbook_number(&c[B], (double)ms / SMI_WORKBOOK_HOUR_MS);
        smi_workbook_number(&c[D], (double)runs);
    }
    put_cost(p, &c[C], cost, ms, p->b->sweep->total.covered_ms);
    smi_workbook_text(&c[E], to_do);
    write_cells(p, look, c);
}

enum { WASTED, USED, UNKNOWN, ALL };

/* Runs that have GPU time in a part. */
static int64_t runs_in(const struct smi_workbook *b, int part)
{
    int64_t n = 0;
    for (size_t i = 0; smi_sweep_has_run(b->sweep, i); i++) {
        const struct smi_summary *s = &b->sweep->runs[i];
        const int64_t wasted = smi_wasted_ms(&s->waste), unknown = smi_unknown_ms(s);
        const int64_t ms[] = {wasted, s->covered_ms - wasted - unknown, unknown, s->covered_ms};
        n += ms[part] > 0;
    }
    return n;
}

static void write_waste(struct page *p)
{
    static const char *const heads[] = {"Where they went", "GPU-h", "Share %", "Runs", "What to do"};
    const struct smi_workbook *b = p->b;
    const struct smi_total *t = &b->sweep->total;
    struct smi_waste_cause cause[5];
    struct smi_advice *advice;
    struct smi_not_wasted rest;
    const size_t findings = smi_advice_list(&p->b->page, b->sweep->runs, b->sweep->n, &advice),
                 n = smi_waste_causes(&p->b->page, b->sweep->runs, b->sweep->n, cause);
    smi_not_wasted_sum(b->sweep, &rest);
    write_line(p, SMI_XLSX_SECTION, "Where the GPU-hours went");
    begin_table(p, SMI_XLSX_INT, heads);
    for (size_t i = 0; i < n; i++)
        write_part(p, SMI_XLSX_PLAIN, causes[cause[i].id], cause[i].ms, (int64_t)cause[i].n,
                   t->wasted_cost[cause[i].id], advice_for_cause(advice, findings, cause[i].id));
    for (int id = 0; id < 5; id++)
        if (t->waste.ms[id] <= 0)
            write_part(p, SMI_XLSX_PLAIN, causes[id], 0, 0, t->wasted_cost[id], "");
    write_part(p, SMI_XLSX_RULED, "Wasted, all together", smi_wasted_ms(&t->waste), runs_in(b, WASTED),
               t->wasted_cost[5], "");
    write_part(p, SMI_XLSX_PLAIN, "Used", rest.used_ms, runs_in(b, USED), rest.used,
               "working, or waiting between readings");
    if (rest.unknown_ms)
        write_part(p, SMI_XLSX_PLAIN, "Not known", rest.unknown_ms, runs_in(b, UNKNOWN), rest.unknown,
                   "no reading of utilisation: have it logged");
    if (rest.energy.has && b->look->money)
        write_part(p, SMI_XLSX_PLAIN, "Energy", 0, -1, rest.energy, "beside the hours");
    write_part(p, SMI_XLSX_RULED, "All GPU-hours", t->covered_ms, runs_in(b, ALL), t->cost, "");
    p->row++;
}

static void write_worst(struct page *p)
{
    static const char *const heads[] = {"Run", "Wasted GPU-h", "Share of the run", "State",
                                        "What it is noted for"};
    struct smi_workbook *b = p->b;
    const struct smi_sweep *s = b->sweep;
    const struct smi_summary **run = smi_runs_in_order(&b->page, &b->page.arena, true);
    size_t n = 0;
    while (n < s->n && n < WORST && smi_wasted_ms(&run[n]->waste) > 0)
        n++;
    if (n == 0)
        return;
    write_line(p, SMI_XLSX_SECTION,
               s->n == 1 ? "The run"
               : n == 1  ? "The run that wasted most"
                         : smi_fmt(&b->page, "The %zu runs that wasted most", n));
    begin_table(p, SMI_XLSX_WORDS, heads);
    for (size_t i = 0; i < n; i++) {
        const int64_t ms = smi_wasted_ms(&run[i]->waste);
        struct smi_xlsx_cell c[5] = {0};
        smi_workbook_run(b, &c[A], run[i], true);
        c[A].text = smi_fmt_middle(&b->page, smi_fmt_run(&b->page, run[i]->run), NAME, NAME_HEAD);
        smi_workbook_number(&c[B], (double)ms / SMI_WORKBOOK_HOUR_MS);
        put_cost(p, &c[C], run[i]->wasted_cost[5], ms, run[i]->covered_ms);
        smi_workbook_text(&c[D], smi_state_names[run[i]->state]);
        smi_workbook_text(&c[E], smi_run_note_text(&b->page, run[i]));
        write_cells(p, SMI_XLSX_PLAIN, c);
    }
    p->row++;
}

/* ---- the first sheet: what someone sees who has never seen the tool. One printed page, in words of the
 * trade. ---- */

enum { CHART_ROWS = 11, CHART_WIDE = 1080, ROW_HIGH = 20 /* pixels */ };
enum { ACROSS = 150 /* characters of a line that fit the page */ };

/* --- the head --- */

/* Lines in as many rows as they take: nothing wraps over the columns of a table below. */
static void write_lines(struct page *p, enum smi_xlsx_appearance look, struct smi_text_arena *g)
{
    for (const char *line = g->to->p, *end; line && *line; line = end + (*end != 0)) {
        end = line + strcspn(line, "\n");
        if (end > line)
            write_line(p, look,
                       smi_fmt_middle(&p->b->page, smi_fmt(&p->b->page, "%.*s", (int)(end - line), line),
                                      ACROSS, ACROSS - 30));
    }
    smi_buf_clear(g->to);
}

/* --- figures --- */

/* A figure in a column of three rows: its label above it, a remark below it. */
static void put_figure(struct smi_xlsx_cell c[3][5], int col, const char *label, enum smi_xlsx_kind kind,
                       struct smi_value v, double per)
{
    smi_workbook_text(&c[0][col], label);
    smi_workbook_text(&c[1][col], "-");
    smi_workbook_value(&c[1][col], per, v);
    c[1][col].kind = v.has ? kind : SMI_XLSX_GENERAL;
}

static void write_figures(struct page *p)
{
    static const enum smi_xlsx_appearance look[] = {SMI_XLSX_LABEL, SMI_XLSX_FIGURE, SMI_XLSX_LABEL};
    struct smi_workbook *b = p->b;
    const struct smi_total *t = &b->sweep->total;
    const int64_t wasted = smi_wasted_ms(&t->waste);
    const bool known = smi_waste_known(t->wasted_h[5], t->idle_pct, &t->waste);
    const char *lack = smi_total_energy_lack(&b->page, t), *cost = "";
    struct smi_xlsx_cell c[3][5] = {0};
    put_figure(c, A, "Runs", SMI_XLSX_INT, (struct smi_value){(int64_t)b->sweep->n, true}, 1);
    put_figure(c, B, "GPU-hours", SMI_XLSX_TWO, (struct smi_value){t->covered_ms, t->gpu_hours.has},
               SMI_WORKBOOK_HOUR_MS);
    put_figure(c, C, "Wasted GPU-hours", SMI_XLSX_TWO, (struct smi_value){wasted, known},
               SMI_WORKBOOK_HOUR_MS);
    put_figure(c, D, "Energy kWh", SMI_XLSX_TWO, t->energy_wh, SMI_WORKBOOK_KILO);
    smi_workbook_text(&c[2][A], smi_ended_early_text(&b->page, "without GPU data", false));
    smi_workbook_text(&c[2][B],
                      smi_fmt(&b->page, "in %s of runs", smi_fmt_duration(&b->page, t->duration_s)));
    if (known && t->covered_ms > 0)
        smi_workbook_text(&c[2][C],
                          smi_fmt(&b->page, "%s %% of all",
                                  smi_fmt_ratio(&b->page, (smi_i128)wasted * 100, t->covered_ms, 1)));
    smi_workbook_text(&c[2][D], lack ? lack : "of all GPUs");
    if (b->look->money) {
        put_figure(c, E, "Cost", SMI_XLSX_MONEY, t->cost, SMI_WORKBOOK_RAW);
        if (t->wasted_cost[5].has)
            cost = smi_fmt(&b->page, "%s %swasted", smi_fmt_money(&b->page, t->wasted_cost[5]),
                           smi_total_costs_match(t) ? "of it " : "");
        cost = smi_with_missing_text(&b->page, cost, smi_total_missing_text(&b->page, t, t->of.cost));
    } else {
        put_figure(c, E, "GPU use", SMI_XLSX_PERCENT, smi_workbook_use(t), SMI_WORKBOOK_PCT);
    }
    smi_workbook_text(&c[2][E], b->look->money ? cost : "mean of all readings");
    for (int i = 0; i < 3; i++) {
        if (look[i] == SMI_XLSX_FIGURE)
            smi_xlsx_height(p->to, p->row, 34);
        write_cells(p, look[i], c[i]);
    }
    p->row++;
}

/* --- the chart --- */

static void write_group_chart(struct page *p)
{
    enum { CURVES = 4 };
    static const char *const name[CURVES] = {"used", "idle", "failed", "not known"};
    static const uint32_t colour[CURVES] = {0x4F7CAC, 0xF2C14E, 0xB3261E, 0xBCC3CB};
    struct smi_workbook *b = p->b;
    const int curves = b->sweep->total.unknown_ms > 0 ? CURVES : CURVES - 1;
    const int64_t high = (CHART_ROWS + b->group_last - b->group_first) * ROW_HIGH;
    struct smi_xlsx_curve c[CURVES];
    struct smi_xlsx_plot plot = {
        .kind = SMI_XLSX_BARS,
        .x_name = "GPU-hours",
        .told = "Stacked bars: GPU-hours of each group, used, idle, failed and not known"};
    if (!b->sweep->total.gpu_hours.has || b->group_first == 0)
        return;
    plot.title = smi_fmt(&b->page, "GPU-hours %s %s: used, idle, failed%s",
                         strcmp(b->group_by, SMI_WORKBOOK_ALL_RUNS) == 0 ? "of" : "by",
                         smi_fmt_safe(&b->page, b->group_by), curves == CURVES ? ", not known" : "");
    for (int i = 0; i < curves; i++) /* columns of Groups that stand side by side */
        c[i] = (struct smi_xlsx_curve){.sheet = b->sheet[SMI_WORKBOOK_GROUPS],
                                       .first = b->group_first,
                                       .last = b->group_last,
                                       .y = SMI_COL_GROUPS_USED_H - SMI_COL_GROUPS_GROUP + i,
                                       .name = name[i],
                                       .colour = colour[i]};
    smi_xlsx_chart(p->to, p->row, A, CHART_WIDE, (int)high, &plot, c, (size_t)curves);
    p->row += high / ROW_HIGH + 1;
}

void smi_workbook_overview(struct smi_workbook *b)
{
    static const double width[] = {44, 19, 19, 19, 58};
    struct page p = {.b = b, .to = b->sheet[SMI_WORKBOOK_OVERVIEW]};
    struct smi_buf lines = {0};
    char now[SMI_CLOCK_TEXT];
    struct smi_render_options look = *b->look;
    struct smi_text_arena g = {.to = &lines, .sweep = b->sweep, .look = &look};
    const char *doubts = smi_warnings_text(&g, smi_fmt_safe);
    look.width = ACROSS;
    look.color = false;
    look.utf8 = true;
    for (int i = A; i <= E; i++)
        smi_xlsx_width(p.to, i, i, width[i]);
    smi_xlsx_height(p.to, p.row, 30);
    write_line(&p, SMI_XLSX_TITLE, smi_fmt(&g, "What the GPUs did in %s", smi_sweep_name(&g)));
    smi_text_head(&g); /* the lines above the table for a terminal say it already */
    write_lines(&p, SMI_XLSX_PLAIN, &g);
    smi_clock_write(now, look.now_ms, false);
    write_line(&p, SMI_XLSX_GREY,
               look.now_ms ? smi_fmt(&g, "made %.10s %.5s UTC by smilog " SMILOG_VERSION, now, now + 11)
                           : "made by smilog " SMILOG_VERSION);
    p.row++;
    write_line(&p, SMI_XLSX_SAID, smi_waste_sentence(&g));
    p.row++;
    write_figures(&p);
    write_group_chart(&p);
    if (b->sweep->total.covered_ms > 0)
        write_waste(&p);
    write_worst(&p);
    if (*doubts)
        smi_wrap_fmt(&g, SMI_STYLE_PLAIN, "Warnings: %s.", doubts);
    write_lines(&p, SMI_XLSX_GREY, &g);
    if (b->sweep->n > 1)
        write_line(&p, SMI_XLSX_GREY,
                   smi_fmt(&g,
                           "GPU use %% in Groups%s is the mean of all readings, as in the table of a "
                           "terminal: a longer run counts more. In row 2 of Runs each run counts the same.",
                           b->look->money ? "" : " and here"));
    write_line(&p, SMI_XLSX_GREY, "The sheet About explains every column, and says what was left out.");
    smi_xlsx_page(p.to, p.row - 1, E);
    smi_arena_fini(&g.arena);
    smi_buf_fini(&lines);
}
