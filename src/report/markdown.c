/* markdown.c - a few lines for a pull request. */
#include "report/output.h"
#include "report/command_text.h"
#include "sweep/reread.h"
#include "report/run_columns.h"

#include <string.h>

/* ---- what tracked commands were, how they ended and what they used: of one run all of it, of several a row
 * each. ---- */

enum { COMMAND_ROWS = 20 };

/* Its own words are no mark-up. */
static const char *command_end(struct smi_text_arena *g, const struct smi_summary *s)
{
    const char *end = smi_command_end(g, s);
    return *end ? smi_markdown_code(g, end) : "-";
}

static void write_command(struct smi_text_arena *g, const struct smi_summary *s)
{
    struct smi_report_table t;
    smi_buf_fmt(g->to, "Command %s: %s\n\n", smi_markdown_code(g, smi_command_text(g, s)), command_end(g, s));
    if (!smi_command_table(&t, g, s))
        return;
    smi_table_markdown(&t);
    smi_buf_char(g->to, '\n');
}

static void write_command_head(struct smi_text_arena *g)
{
    smi_buf_str(g->to, "| run | command | ended |");
    for (int i = 0; i < SMI_COMMAND_USES; i++)
        if (smi_command_uses[i].brief)
            smi_buf_fmt(g->to, " %s%s%s |", smi_command_uses[i].mean ? "" : "most ", smi_command_uses[i].what,
                        smi_command_uses[i].mean ? " %" : "");
    smi_buf_str(g->to, "\n|---|---|---|");
    for (int i = 0; i < SMI_COMMAND_USES; i++)
        if (smi_command_uses[i].brief)
            smi_buf_str(g->to, "---:|");
    smi_buf_char(g->to, '\n');
}

static void write_command_row(struct smi_text_arena *g, const struct smi_summary *s)
{
    smi_buf_fmt(g->to, "| %s | %s | %s |", smi_markdown_code(g, s->run),
                smi_markdown_code(g, smi_command_text(g, s)), command_end(g, s));
    for (int i = 0; i < SMI_COMMAND_USES; i++) {
        const struct smi_command_use *u = &smi_command_uses[i];
        const struct smi_command_figures x = smi_command_figures(s, u, SMI_COMMAND_ALL);
        const bool large = smi_command_in_gib(&x, u);
        const char *unit = x.there && !u->mean ? smi_command_unit(g, u, large) : "";
        if (u->brief)
            smi_buf_fmt(g->to, " %s%s%s |", smi_command_figure(g, u, &x, u->mean, large), *unit ? " " : "",
                        unit);
    }
    smi_buf_char(g->to, '\n');
}

/* What tracked commands were and used. */
static void write_commands(struct smi_text_arena *g)
{
    const struct smi_sweep *s = g->sweep;
    size_t rows = 0;
    if (s->n == 1 && smi_command_is_tracked(&s->runs[0])) {
        write_command(g, &s->runs[0]);
        return;
    }
    for (size_t i = 0; smi_sweep_has_run(s, i); i++) {
        if (!smi_command_is_tracked(&s->runs[i]) || (rows++ >= COMMAND_ROWS && !g->look->all))
            continue;
        if (rows == 1)
            write_command_head(g);
        write_command_row(g, &s->runs[i]);
    }
    if (rows > COMMAND_ROWS && !g->look->all)
        smi_buf_fmt(g->to, "\n%zu more commands: `--all`\n", rows - COMMAND_ROWS);
    smi_buf_str(g->to, rows ? "\n" : "");
}

/* ---- a few lines for a pull request. Text from logs stands in code spans, where neither
 * mark-up nor @names nor #numbers work. A bar in a span is no end of a cell only where renderers agree on
 * what a backslash before it is; they do not: it is written as what it is called. ---- */

enum {
    ROWS = 20,
    PARAMS = 6,
    COMMON = 20,
    TEXT = 64,   /* bytes of a value */
    MOST = 60000 /* bytes of rows: GitHub takes no comment of more than 65,536 characters */
};

/* The columns of parameters that stand in no name. */
struct md_params {
    const char **key;
    int n;
};

/* A code span: "`lr=0.1/seed3`". */
const char *smi_markdown_code(struct smi_text_arena *g, const char *s)
{
    const char *t = smi_fmt_safe(g, s), *out;
    struct smi_buf b = {0};
    size_t n;
    if (!s || !*s)
        return "-";
    for (smi_buf_char(&b, '`'); *t; t += n + (t[n] != 0)) {
        n = strcspn(t, "`|");
        smi_buf_add(&b, t, n);
        smi_buf_str(&b, t[n] == '`' ? "\\x60" : t[n] == '|' ? "\\x7c" : "");
    }
    smi_buf_char(&b, '`');
    g->failed |= b.failed;
    out = smi_arena_text(&g->arena, b.p ? b.p : "", b.n);
    g->failed |= !out;
    smi_buf_fini(&b);
    return out ? out : "-";
}

/* ", $0.31 of $2.00 (not known: 2 runs)" */
static void md_cost(struct smi_text_arena *g, const struct smi_total *t)
{
    const char *lost = t->wasted_cost[5].has ? smi_total_wasted_cost(g, t) : NULL,
               *lack = smi_total_missing_text(g, t, t->of.wasted_cost);
    if (lost)
        smi_buf_fmt(g->to, ", %s", lost);
    if (lost && lack)
        smi_buf_fmt(g->to, " (%s)", lack);
    if ((!lost || !smi_total_costs_match(t)) && (t->cost.has || smi_total_missing(t, t->of.cost)))
        smi_buf_fmt(g->to, ", %s", smi_total_cost(g, t));
}

static void md_total(struct smi_text_arena *g)
{
    const struct smi_sweep *s = g->sweep;
    const struct smi_total *t = &s->total;
    int64_t wasted = smi_wasted_ms(&t->waste);
    smi_buf_fmt(g->to, "**%zu run%s", s->n, s->n == 1 ? "" : "s");
    if (t->gpu_hours.has)
        smi_buf_fmt(g->to, ", %s GPU-h", smi_fmt_hours(g, t->covered_ms));
    if (t->energy_wh.has)
        smi_buf_fmt(g->to, ", %s", smi_total_energy(g, t));
    if (t->block.pool[SMI_POOL_UTIL].n)
        smi_buf_fmt(g->to, ", GPU %s %%", smi_fmt_mean(g, &t->block, SMI_FIG_UTIL));
    if (t->wasted_h[5].has)
        smi_buf_fmt(g->to, ", %s GPU-h wasted (%s %%)%s", smi_fmt_hours(g, wasted),
                    smi_fmt_ratio(g, (smi_i128)wasted * 100, t->covered_ms, 1),
                    smi_unknown_hours_text(g, s->runs, s->n));
    if (g->look->money)
        md_cost(g, t);
    if (t->co2_g.has)
        smi_buf_fmt(g->to, ", %s", smi_total_co2(g, t));
    if (t->failed)
        smi_buf_fmt(g->to, ", %lld failed", (long long)t->failed);
    if (t->cut)
        smi_buf_fmt(g->to, ", %lld cut", (long long)t->cut);
    if (t->no_data)
        smi_buf_fmt(g->to, ", %lld no GPU data", (long long)t->no_data);
    smi_buf_str(g->to, "**\n\n");
}

/* Our own words, which may hold a few of a log: these make them a span. */
static const char *md_words(struct smi_text_arena *g, const char *s)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 .,:%/+-";
    if (!*s || (s[strspn(s, plain)] == 0 && !strstr(s, "://") && !strcasestr(s, "www.")))
        return s;
    return smi_markdown_code(g, s);
}

/* A GPU is named by its index, or by the beginning of its uuid. */
static const char *md_name(struct smi_text_arena *g, const char *s)
{
    return *s && s[strspn(s, "0123456789")] == 0 ? smi_fmt_safe(g, s) : smi_markdown_code(g, s);
}

/* The causes, largest first. */
static void md_waste(struct smi_text_arena *g)
{
    const struct smi_sweep *s = g->sweep;
    struct smi_waste_cause cause[5];
    bool money = g->look->money && s->total.wasted_cost[5].has;
    struct smi_table_column col[] = {{.head = "wasted GPU-h", .align = SMI_POINT},
                                     {.head = "cost", .align = SMI_POINT, .hidden = !money},
                                     {.head = "cause"},
                                     {.head = "what happened"}};
    struct smi_report_table t;
    size_t n = s->total.covered_ms > 0 ? smi_waste_causes(g, s->runs, s->n, md_name, cause) : 0;
    n = smi_waste_fold(g, cause, n, s->n);
    if (n == 0)
        return;
    smi_table_begin(&t, g, col, sizeof col / sizeof *col);
    for (size_t i = 0; i < n; i++) {
        struct smi_table_cell *row = smi_table_row(&t, SMI_ROW_PLAIN);
        if (!row)
            break;
        row[0].text = smi_fmt_hours(g, cause[i].ms);
        row[1].text = smi_fmt_money(g, cause[i].cost);
        row[2].text = cause[i].name;
        row[3].text = smi_fmt(g, "%s%s%s", cause[i].where, *cause[i].where ? ": " : "", cause[i].why);
    }
    smi_table_markdown(&t);
    smi_buf_char(g->to, '\n');
}

static void md_head(struct smi_text_arena *g, const struct md_params *p)
{
    smi_buf_str(g->to, "| run |");
    for (int i = 0; i < p->n; i++) {
        const struct smi_field_info *f = smi_listed_field(p->key[i]);
        smi_buf_fmt(g->to, " %s |", !f ? smi_markdown_code(g, p->key[i]) : f->label ? f->label : f->key);
    }
    smi_buf_str(g->to, " state | time | GPU % | idle % | VRAM GiB | wasted h | note |\n|---|");
    for (int i = 0; i < p->n; i++)
        smi_buf_str(g->to, "---|");
    smi_buf_str(g->to, "---|---:|---:|---:|---:|---:|---|\n");
}

/* The columns of a run behind its state. */
static const int md_columns[] = {SMI_RUNS_TIME, SMI_RUNS_UTIL, SMI_RUNS_IDLE, SMI_RUNS_VRAM, SMI_RUNS_WASTED};
enum { MD_COLUMNS = sizeof md_columns / sizeof *md_columns };

/* A number is bold where a finding rests on it. */
static void md_cells(struct smi_text_arena *g, const struct smi_summary *s)
{
    const unsigned marks = smi_findings_marks(s, -1);
    for (int i = 0; i < MD_COLUMNS; i++) {
        const char *text = md_columns[i] == SMI_RUNS_VRAM
                               ? smi_fmt_vram(g, s->vram.used_peak_mb, s->vram.total_mb)
                               : smi_run_cell_text(g, md_columns[i], s);
        bool marked = strcmp(text, "-") && marks & smi_run_table_columns[md_columns[i]].mark;
        smi_buf_fmt(g->to, marked ? " **%s** |" : " %s |", text);
    }
}

static void md_row(struct smi_text_arena *g, const struct md_params *p, const struct smi_summary *s)
{
    smi_buf_fmt(g->to, "| %s |", smi_markdown_code(g, s->run));
    for (int k = 0; k < p->n; k++) {
        const struct smi_field_info *f = smi_listed_field(p->key[k]);
        const struct smi_param *q = f ? NULL : smi_run_param(s, p->key[k]);
        smi_buf_fmt(g->to, " %s |", f ? smi_listed_text(g, f, s) : q ? smi_markdown_code(g, q->text) : "-");
    }
    smi_buf_fmt(g->to, " %s |",
                s->state == SMI_STATE_FAILED ? "**failed**" : smi_run_cell_text(g, SMI_RUNS_STATE, s));
    md_cells(g, s);
    smi_buf_fmt(g->to, " %s |\n", md_words(g, smi_run_note_text(g, s)));
}

static void md_sum(struct smi_text_arena *g, const struct md_params *p)
{
    const struct smi_total *t = &g->sweep->total;
    struct smi_summary all;
    smi_total_as_run(&all, g->sweep);
    smi_buf_fmt(g->to, "| **total %zu runs** |", g->sweep->n);
    for (int i = 0; i < p->n; i++)
        smi_buf_str(g->to, " |");
    smi_buf_str(g->to, " |");
    md_cells(g, &all);
    smi_buf_str(g->to, t->failed + t->cut
                           ? smi_fmt(g, " %lld ended early |\n", (long long)(t->failed + t->cut))
                           : " |\n");
}

/* Parameters that all runs have stand in a line of their own. */
static void md_common(struct smi_text_arena *g)
{
    const struct smi_sweep *s = g->sweep;
    size_t shown = 0;
    for (size_t i = 0; i < s->ncommon && shown < COMMON; i++)
        if (strlen(s->common[i].text) <= TEXT)
            smi_buf_fmt(g->to, "%s%s", shown++ ? " " : "Parameters of all runs: ",
                        smi_markdown_code(g, smi_fmt(g, "%s=%s", s->common[i].key, s->common[i].text)));
    if (s->ncommon > shown)
        smi_buf_fmt(g->to, shown ? " and %zu more" : "%zu parameters of all runs: `-o runs.csv` has them",
                    s->ncommon - shown);
    if (s->ncommon)
        smi_buf_str(g->to, "\n\n");
}

/* Returns 0, or -1 without memory. */
static int md_params(struct smi_text_arena *g, struct md_params *p)
{
    const struct smi_sweep *s = g->sweep;
    const struct smi_summary **run = smi_arena_new(&g->arena, s->n + 1, sizeof *run);
    bool *hidden = smi_arena_new(&g->arena, s->nvarying + s->njoined + 1, sizeof *hidden);
    p->key = smi_arena_new(&g->arena, s->nvarying + s->njoined + SMI_RUN_FIELDS, sizeof *p->key);
    if (!run || !hidden || !p->key)
        return -1;
    for (size_t i = 0; smi_sweep_has_run(s, i); i++)
        run[i] = &s->runs[i];
    p->n = smi_param_columns(g, run, s->n, p->key, hidden);
    return 0;
}

static void md_doubts(struct smi_text_arena *g)
{
    const char *t = smi_warnings_text(g, smi_markdown_code);
    if (*t)
        smi_buf_fmt(g->to, "Doubts: %s.\n", t);
}

/* ---- which rows stand where ---- */

/* The places of the runs: where there are too many, and nobody asked for an order, those that wasted most
 * come first; the others keep theirs. Returns NULL without memory. */
static size_t *md_order(struct smi_text_arena *g)
{
    const struct smi_sweep *s = g->sweep;
    size_t *order = smi_arena_new(&g->arena, 2 * s->n + 1, sizeof *order), *rest = order + s->n, n = ROWS;
    bool *first = smi_arena_new(&g->arena, s->n + 1, sizeof *first);
    if (!order || !first || s->n <= ROWS || g->look->sorted) {
        for (size_t i = 0; order && first && smi_sweep_has_run(s, i); i++)
            order[i] = i;
        return first ? order : NULL;
    }
    if (smi_reread_choose(s, s->again, rest, NULL))
        return NULL;
    for (size_t i = 0; i < ROWS; i++)
        first[order[i] = rest[i]] = true;
    for (size_t i = 0; smi_sweep_has_run(s, i); i++)
        if (!first[i])
            order[n++] = i;
    return order;
}

static int64_t md_wasted(const struct smi_sweep *s, const size_t *order, size_t n)
{
    int64_t ms = 0;
    for (size_t i = 0; i < n; i++)
        ms += smi_wasted_ms(&s->runs[order[i]].waste);
    return ms;
}

/* What stands above the rows, where these are not all. */
static void md_which(struct smi_text_arena *g, const size_t *order, size_t some)
{
    const struct smi_sweep *s = g->sweep;
    if (some == s->n)
        return;
    if (g->look->sorted)
        smi_buf_fmt(g->to, "The first %zu runs:\n\n", some);
    else
        smi_buf_fmt(g->to, "The %zu runs that wasted most (%s of %s GPU-h):\n\n", some,
                    smi_fmt_hours(g, md_wasted(s, order, some)),
                    smi_fmt_hours(g, smi_wasted_ms(&s->total.waste)));
}

/* The rest, as many as fit. */
static void md_rest(struct smi_text_arena *g, const struct md_params *p, const size_t *order, size_t some)
{
    const struct smi_sweep *s = g->sweep;
    size_t i;
    smi_buf_fmt(g->to, "<details><summary>%zu more run%s</summary>\n\n", s->n - some,
                s->n - some == 1 ? "" : "s");
    md_head(g, p);
    for (i = some; smi_sweep_has_run(s, i) && (g->to->n < MOST || g->look->all); i++)
        md_row(g, p, &s->runs[order[i]]);
    if (i < s->n)
        smi_buf_fmt(g->to,
                    "\n%zu more would not fit a comment of GitHub: `--all`, or "
                    "`smilog summarize -o runs.csv`.\n",
                    s->n - i);
    smi_buf_str(g->to, "\n</details>\n\n");
}

int smi_write_markdown(struct smi_buf *to, const struct smi_sweep *s, const struct smi_render_options *look,
                       struct smi_err *err)
{
    struct smi_text_arena g = {.to = to, .sweep = s, .look = look};
    size_t some = s->n < ROWS ? s->n : ROWS, *order = md_order(&g);
    struct md_params p = {0};
    int left = 0;
    g.failed = md_params(&g, &p) != 0 || !order;
    if (g.failed)
        return smi_text_arena_end(&g, err);
    if (p.n > PARAMS)
        left = p.n - PARAMS;
    p.n = smi_listed_fields(p.key, p.n - left);
    md_total(&g);
    md_common(&g);
    md_waste(&g);
    if (some) {
        md_which(&g, order, some);
        md_head(&g, &p);
    }
    for (size_t i = 0; i < some; i++)
        md_row(&g, &p, &s->runs[order[i]]);
    if (s->n > 1)
        md_sum(&g, &p);
    if (some)
        smi_buf_char(to, '\n');
    if (left)
        smi_buf_fmt(to, "%d more parameter%s differ%s: `-o runs.csv` has all.\n\n", left,
                    left == 1 ? "" : "s", left == 1 ? "s" : "");
    if (some < s->n)
        md_rest(&g, &p, order, some);
    write_commands(&g);
    md_doubts(&g);
    return smi_text_arena_end(&g, err);
}
