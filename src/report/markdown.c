/* markdown.c - a few lines for a pull request. */
#include "report/output.h"
#include "report/text_report.h"

#include <string.h>

/* ---- a few lines for a pull request. Text from logs stands in code spans. ---- */

enum {
    ROWS = 20,
    MOST = 60000 /* bytes of rows: GitHub takes no comment of more than 65,536 characters */
};

/* What tracked commands were, how they ended and what they used: of one run all of it. */
static void md_commands(struct smi_text_arena *g)
{
    const size_t most = g->look->all ? SIZE_MAX : ROWS;
    struct smi_report_table t;
    const size_t n = smi_commands_table(&t, g, most);
    if (n == 0)
        return;
    smi_table_markdown(&t);
    if (n > most)
        smi_buf_fmt(g->to, "\n%zu more commands: `--all`\n", n - most);
    smi_buf_char(g->to, '\n');
    if (g->sweep->n > 1 || !smi_command_table(&t, g, g->sweep->runs))
        return;
    smi_table_markdown(&t);
    smi_buf_char(g->to, '\n');
}

/* The rest, as many as fit. */
static void md_rest(struct smi_text_arena *g, const struct smi_summary **run, size_t n)
{
    struct smi_report_table t;
    size_t left, cut = 0;
    smi_buf_fmt(g->to, "<details><summary>%zu more run%s</summary>\n\n", n, n == 1 ? "" : "s");
    smi_runs_table(&t, g, run, n, false, &left);
    smi_table_markdown(&t);
    for (size_t i = g->to->n; i > MOST && cut < n && !g->look->all; i--)
        if (g->to->p[i - 1] == '\n' && i != g->to->n) {
            g->to->n = i;
            cut++;
        }
    if (cut)
        smi_buf_fmt(g->to,
                    "\n%zu more would not fit a comment of GitHub: `--all`, or "
                    "`smilog summarize -o runs.csv`.\n",
                    cut);
    smi_buf_str(g->to, "\n</details>\n\n");
}

static void md_runs(struct smi_text_arena *g)
{
    const size_t n = g->sweep->n, some = n < ROWS ? n : ROWS;
    /* where there are too many, and nobody asked for an order, those that wasted most come first */
    const struct smi_summary **run = smi_runs_in_order(g, &g->arena, some < n && !g->look->sorted);
    struct smi_report_table t;
    size_t left;
    if (!n)
        return;
    if (some < n) {
        if (g->look->sorted)
            smi_buf_fmt(g->to, "The first %zu runs:\n\n", some);
        else
            smi_buf_fmt(g->to, "%s:\n\n", smi_worst_title(g, run, some));
    }
    smi_runs_table(&t, g, run, some, n > 1, &left);
    smi_table_markdown(&t);
    smi_buf_char(g->to, '\n');
    if (left)
        smi_buf_fmt(g->to, "%zu more parameter%s differ%s: `-o runs.csv` has all.\n\n", left,
                    left == 1 ? "" : "s", left == 1 ? "s" : "");
    if (some < n)
        md_rest(g, run + some, n - some);
}

void smi_write_markdown(struct smi_buf *to, const struct smi_sweep *s, const struct smi_render_options *look)
{
    struct smi_render_options whole = *look;
    struct smi_text_arena g = {.to = to, .sweep = s, .look = &whole};
    const char *doubts, *wasted;
    struct smi_report_table t;
    whole.width = 0; /* no window: nothing is left out for one */
    smi_buf_fmt(to, "### GPU use of %s\n\n", smi_markdown_code(&g, smi_sweep_name(&g)));
    smi_text_head(&g, smi_markdown_code);
    smi_buf_fmt(to, "**%s**\n\n%s\n\n", smi_total_line(&g), smi_quality_text(&g));
    wasted = smi_waste_title(&g, s->runs, s->n);
    if (wasted && smi_waste_table(&t, &g, s->runs, s->n, false)) {
        smi_buf_fmt(to, "%s:\n\n", wasted);
        smi_table_markdown(&t);
        smi_buf_char(to, '\n');
    }
    md_runs(&g);
    md_commands(&g);
    doubts = smi_warnings_text(&g, smi_markdown_code);
    if (*doubts)
        smi_buf_fmt(to, "Warnings: %s.\n", doubts);
    smi_arena_fini(&g.arena);
}
