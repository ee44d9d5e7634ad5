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
    const char *mean, *deviation;
    enum smi_xlsx_kind kind;
    double per;
} measures[MEASURES] = {{"GPU use % mean of runs", "GPU use % sd", SMI_XLSX_PERCENT, SMI_WORKBOOK_PCT},
                        {"Idle % mean of runs", "Idle % sd", SMI_XLSX_PERCENT, SMI_WORKBOOK_PCT},
                        {"Time h mean of runs", "Time h sd", SMI_XLSX_TWO, SMI_WORKBOOK_HOURS},
                        {"Energy Wh mean of runs", "Energy Wh sd", SMI_XLSX_ONE, SMI_WORKBOOK_RAW}};

static void put_hours(struct smi_workbook *b, struct smi_workbook_table *t, bool has, int64_t ms,
                      struct smi_workbook_column c)
{
    struct smi_xlsx_cell *cell;
    c.kind = SMI_XLSX_TWO;
    cell = smi_workbook_put(b, t, c);
    if (has)
        smi_workbook_number(cell, (double)ms / SMI_WORKBOOK_HOUR_MS);
}

#define PUT(...) smi_workbook_put(b, t, SMI_COLUMN(__VA_ARGS__))
#define COUNT(n, ...) smi_workbook_number(PUT(__VA_ARGS__), (double)(n))
#define VALUE(per, v, ...) smi_workbook_value(PUT(__VA_ARGS__), per, v)
enum { USED_AT = 4 /* column of the used hours: the idle, failed and not known ones follow */ };

static void put_group(struct smi_workbook *b, struct smi_workbook_table *t, struct smi_run_group *p)
{
    struct smi_total *sum = &p->sum;
    const struct smi_total *all = &b->sweep->total;
    const int64_t wasted = smi_wasted_ms(&sum->waste);
    struct smi_xlsx_cell *c;
    bool known;
    smi_total_close(sum);
    known = sum->gpu_hours.has && smi_waste_known(sum->wasted_h[5], sum->idle_pct, &sum->waste);
    smi_workbook_begin(t);
    c = PUT("Group", .help = "Value of the parameter that the block is named for", .most = 40);
    smi_workbook_param(c, p->value ? p->value : "-", true);
    c->kind = c->is == SMI_XLSX_IS_NUMBER ? SMI_XLSX_KEY : SMI_XLSX_GENERAL;
    COUNT(sum->runs, "Runs", SMI_XLSX_INT, .help = "How many there are");
    COUNT(sum->failed, "Failed", SMI_XLSX_INT, .help = "How many of them failed");
    COUNT(sum->cut, "Cut", SMI_XLSX_INT, .help = "How many of them have no end in their log");
    put_hours(b, t, known, sum->covered_ms - wasted - sum->unknown_ms,
              SMI_COLUMN("Used GPU-h", .help = "GPU-hours that are known not to be wasted"));
    put_hours(b, t, known, wasted - sum->waste.ms[SMI_WASTE_FAILED],
              SMI_COLUMN("Idle GPU-h", .help = "Wasted GPU-hours of runs that did not fail"));
    put_hours(b, t, known, sum->waste.ms[SMI_WASTE_FAILED],
              SMI_COLUMN("Failed GPU-h", .help = "GPU-hours of runs that failed"));
    put_hours(b, t, sum->gpu_hours.has, sum->unknown_ms,
              SMI_COLUMN("Not known GPU-h",
                         .help = "GPU-hours without a reading of utilisation: neither used nor idle"));
    put_hours(b, t, sum->gpu_hours.has, sum->covered_ms,
              SMI_COLUMN("GPU-h", .help = "The sum of these four"));
    put_hours(b, t, known, wasted, SMI_COLUMN("Wasted GPU-h", .help = "Idle and failed ones together"));
    VALUE(SMI_WORKBOOK_KILO, sum->energy_wh, "Energy kWh", SMI_XLSX_TWO, .help = "Energy of all GPUs");
    if (all->of.energy_part || smi_total_missing(all, all->of.energy) > 0) /* only where some lack it */
        COUNT(smi_total_missing(sum, sum->of.energy) + sum->of.energy_part, "Runs without energy",
              SMI_XLSX_INT,
              .help = "Runs with GPU data that this sum lacks, for all or for a part of their GPU time");
    VALUE(SMI_WORKBOOK_RAW, sum->cost, "Cost", SMI_XLSX_MONEY, .money = true,
          .help = "Of these GPU-hours and their energy, as far as they have a price");
    if (smi_total_missing(all, all->of.cost) > 0)
        COUNT(smi_total_missing(sum, sum->of.cost), "Runs without cost", SMI_XLSX_INT, .money = true,
              .help = "Runs with GPU data that this sum lacks");
    VALUE(SMI_WORKBOOK_PCT, smi_headline_use(&sum->block), "GPU use % over time", SMI_XLSX_PERCENT,
          .help = "Utilisation, mean over the time of all GPUs of all runs: a longer run counts more");
    VALUE(SMI_WORKBOOK_PCT, sum->idle_pct, "Idle % of all GPU time", SMI_XLSX_PERCENT,
          .help = "Share of the GPU time of all runs that is idle: a longer run counts more");
    VALUE(SMI_WORKBOOK_GIB, p->vram, "VRAM peak GiB", SMI_XLSX_ONE, .help = "Largest of the runs");
    VALUE(SMI_WORKBOOK_GIB, p->vram_total, "VRAM total GiB", SMI_XLSX_ONE,
          .help = "Memory of the largest of their GPUs");
    for (int k = 0; k < MEASURES; k++) {
        const int64_t n = p->of[k].n;
        c = PUT(measures[k].mean, measures[k].kind, .help = "Each run counts the same");
        if (n > 0)
            smi_workbook_number(c, (double)p->of[k].s1 / (double)n / measures[k].per);
        c = PUT(measures[k].deviation, measures[k].kind,
                .help = "Standard deviation of the runs, from two on");
        if (n > 1)
            smi_workbook_number(c, (double)smi_run_group_deviation(p, k) / (double)n / measures[k].per);
        COUNT(n, "n", SMI_XLSX_INT, .help = "Runs for which it is known");
    }
}

static void write_group(struct smi_workbook *b, int64_t row, struct smi_run_group *p,
                        enum smi_xlsx_appearance look)
{
    struct smi_workbook_table *t = &b->table[SMI_WORKBOOK_GROUPS];
    put_group(b, t, p);
    smi_workbook_row(b->sheet[SMI_WORKBOOK_GROUPS], row, t, look);
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

void smi_workbook_groups(struct smi_workbook *b)
{
    enum { LEAST = 16, MOST = 40 /* characters of the first column */ };
    struct smi_xlsx_sheet *to = b->sheet[SMI_WORKBOOK_GROUPS];
    const char **key, **value;
    const size_t n = smi_group_keys(&b->page, false, &key);
    size_t values;
    struct smi_workbook_table *t = smi_workbook_table(b, SMI_WORKBOOK_GROUPS, 32);
    int64_t row = 0;
    int width;
    put_group(b, t, &(struct smi_run_group){0}); /* makes the columns */
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
        smi_xlsx_width(to, k, k, t->col[k].kind != SMI_XLSX_INT ? 14 : k < t->n - 3 * MEASURES ? 9 : 7);
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

static void write_waste(struct page *p)
{
    static const char *const heads[] = {"Where they went", "GPU-h", "Share %", "Runs", "What to do"};
    const struct smi_workbook *b = p->b;
    struct smi_waste_cause part[SMI_WASTE_PARTS];
    const size_t n = smi_waste_parts(&p->b->page, b->sweep->runs, b->sweep->n, true, part);
    if (!n)
        return;
    write_line(p, SMI_XLSX_SECTION, "Where the GPU-hours went");
    begin_table(p, SMI_XLSX_INT, heads);
    for (size_t i = 0; i < n; i++) {
        struct smi_xlsx_cell c[5] = {0};
        smi_workbook_text(&c[A], part[i].run ? causes[part[i].id] : smi_workbook_capital(p->b, part[i].name));
        if (part[i].ms >= 0)
            smi_workbook_number(&c[B], (double)part[i].ms / SMI_WORKBOOK_HOUR_MS);
        put_cost(p, &c[C], part[i].cost, part[i].ms, b->sweep->total.covered_ms);
        if (part[i].run)
            smi_workbook_number(&c[D], (double)part[i].n);
        smi_workbook_text(&c[E], part[i].run ? part[i].advice : part[i].why);
        write_cells(p, part[i].sum ? SMI_XLSX_RULED : SMI_XLSX_PLAIN, c);
    }
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

/* Each in a column of three rows: its label above it, a remark below it. As numbers: a cost, and what has one
 * unit always. */
static void write_figures(struct page *p)
{
    static const enum smi_xlsx_appearance look[] = {SMI_XLSX_LABEL, SMI_XLSX_FIGURE, SMI_XLSX_LABEL};
    struct smi_workbook *b = p->b;
    const struct smi_total *t = &b->sweep->total;
    struct smi_sweep_figure f[SMI_SWEEP_FIGURES];
    struct smi_xlsx_cell c[3][SMI_SWEEP_FIGURES] = {0};
    smi_sweep_figures_make(&b->page, f);
    for (int i = 0; i < SMI_SWEEP_FIGURES; i++) {
        smi_workbook_text(&c[0][i], smi_workbook_capital(b, f[i].label));
        smi_workbook_text(&c[1][i], f[i].text);
        smi_workbook_text(&c[2][i], f[i].more);
    }
    if (strcmp(f[1].text, "-") != 0)
        smi_workbook_number(&c[1][B], (double)t->covered_ms / SMI_WORKBOOK_HOUR_MS);
    if (strcmp(f[2].text, "-") != 0)
        smi_workbook_number(&c[1][C], (double)smi_wasted_ms(&t->waste) / SMI_WORKBOOK_HOUR_MS);
    smi_workbook_number(&c[1][A], (double)b->sweep->n);
    if (t->energy_wh.has) {
        smi_workbook_text(&c[0][D], "Energy kWh");
        smi_workbook_value(&c[1][D], SMI_WORKBOOK_KILO, t->energy_wh);
    }
    if (b->look->money)
        smi_workbook_value(&c[1][E], SMI_WORKBOOK_RAW, t->cost);
    for (int i = 0; i < 3; i++) {
        static const enum smi_xlsx_kind kind[] = {SMI_XLSX_INT, SMI_XLSX_TWO, SMI_XLSX_TWO, SMI_XLSX_TWO,
                                                  SMI_XLSX_MONEY};
        if (look[i] == SMI_XLSX_FIGURE)
            smi_xlsx_height(p->to, p->row, 34);
        for (int k = A; k <= E; k++)
            c[i][k].kind = c[i][k].is == SMI_XLSX_IS_NUMBER ? kind[k] : SMI_XLSX_GENERAL;
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
                                       .y = USED_AT + i,
                                       .name = name[i],
                                       .colour = colour[i]};
    smi_xlsx_chart(p->to, p->row, A, CHART_WIDE, (int)high, &plot, c, (size_t)curves);
    p->row += high / ROW_HIGH + 1;
}

void smi_workbook_overview(struct smi_workbook *b)
{
    static const double width[] = {44, 19, 19, 23, 54};
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
    write_waste(&p);
    write_worst(&p);
    if (*doubts)
        smi_wrap_fmt(&g, SMI_STYLE_PLAIN, "Warnings: %s.", doubts);
    write_lines(&p, SMI_XLSX_GREY, &g);
    write_line(&p, SMI_XLSX_GREY, smi_quality_text(&g));
    if (b->sweep->n > 1)
        write_line(&p, SMI_XLSX_GREY,
                   "GPU use % in Groups and here is the mean over the time of all GPUs, as in the table of a "
                   "terminal: a "
                   "longer run counts more. In row 2 of Runs each run counts the same.");
    write_line(&p, SMI_XLSX_GREY, "The sheet About explains every column, and says what was left out.");
    smi_xlsx_page(p.to, p.row - 1, E);
    smi_arena_fini(&g.arena);
    smi_buf_fini(&lines);
}
