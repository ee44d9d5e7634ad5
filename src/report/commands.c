/* commands.c - tracked commands: what they were, how they ended, what they used. */
#include "report/text_report.h"

#include <string.h>

enum { TEXT = 160 /* columns */ };

const char *smi_command_text(struct smi_text_arena *g, const struct smi_summary *s)
{
    return s->command ? smi_fmt_middle(g, smi_fmt_safe(g, s->command), TEXT, TEXT / 2) : NULL;
}

const char *smi_command_end(struct smi_text_arena *g, const struct smi_summary *s)
{
    const char *code = s->has_exit ? smi_fmt(g, "exit status %lld", (long long)s->exit_code) : "";
    const char *why = s->state_reason ? smi_fmt_safe(g, s->state_reason) : "";
    if (!*why || !*code || strcmp(why, code) == 0)
        return *code ? code : why;
    return smi_fmt(g, "%s (%s)", why, code);
}

static bool in_mib(const struct smi_command_use *u)
{
    return strcmp(smi_metrics[u->metric[SMI_COMMAND_ALL]].unit, "MiB") == 0;
}

/* Shown in GiB, where the most is one or more. x: of the whole of a row. */
static bool in_gib(const struct smi_command_figures *x, const struct smi_command_use *u)
{
    return x->max.has && in_mib(u) && x->max.micro >= (int64_t)1024 * 1000000;
}

/* "% of a core", "GiB", "" */
static const char *unit_text(struct smi_text_arena *g, const struct smi_command_use *u, bool large)
{
    const char *unit = large ? "GiB" : smi_metrics[u->metric[SMI_COMMAND_ALL]].unit;
    return u->unit ? smi_fmt(g, "%s %s", unit, u->unit) : unit;
}

/* A mean, or the most, of x; "-": it is not there. */
static const char *figure_text(struct smi_text_arena *g, const struct smi_command_use *u,
                               const struct smi_command_figures *x, bool mean, bool large)
{
    const struct smi_value v = mean ? x->mean : x->max;
    if (!v.has)
        return "-";
    if (large)
        return smi_fmt_ratio(g, v.micro, (int64_t)1024 * 1000000, 2);
    return smi_fmt_value(g, v, mean || u->mean || in_mib(u) ? 1 : 0);
}

static void add_use_row(struct smi_report_table *t, const struct smi_summary *s,
                        const struct smi_command_use *u)
{
    const struct smi_command_figures all = smi_command_figures(s, u, SMI_COMMAND_ALL);
    const bool large = in_gib(&all, u);
    struct smi_table_cell *row = all.there ? smi_table_row(t, SMI_ROW_PLAIN) : NULL;
    if (!row)
        return;
    (row++)->text = u->what;
    for (int i = 0; i < SMI_COMMAND_PARTS; i++) {
        const struct smi_command_figures x = smi_command_figures(s, u, (enum smi_command_part)i);
        (row++)->text = figure_text(t->page, u, &x, true, large);
        (row++)->text = figure_text(t->page, u, &x, false, large);
    }
    row->text = unit_text(t->page, u, large);
}

bool smi_command_table(struct smi_report_table *t, struct smi_text_arena *g, const struct smi_summary *s)
{
    static const struct smi_table_column col[] = {
        {.head = "COMMAND USED", .long_head = "The command used"},
        {.head = "MEAN", .long_head = "Mean", .align = SMI_POINT},
        {.head = "MAX", .long_head = "Max", .align = SMI_POINT},
        {.head = "MAIN MEAN", .long_head = "Main, mean", .align = SMI_POINT, .leave = 1},
        {.head = "MAX", .long_head = "max", .align = SMI_POINT},
        {.head = "DESCENDANTS MEAN", .long_head = "Descendants, mean", .align = SMI_POINT, .leave = 1},
        {.head = "MAX", .long_head = "max", .align = SMI_POINT},
        {.head = "unit", .long_head = ""}};
    smi_table_begin(t, g, col, sizeof col / sizeof *col);
    for (int i = 0; i < SMI_COMMAND_USES; i++)
        add_use_row(t, s, &smi_command_uses[i]);
    if (t->rows > 1)
        return true;
    smi_table_free(t);
    return false;
}

static void add_command_row(struct smi_report_table *t, const struct smi_summary *s)
{
    struct smi_table_cell *row = smi_table_row(t, SMI_ROW_PLAIN);
    const char *end = smi_command_end(t->page, s);
    if (!row)
        return;
    (row++)->run = s;
    row->words = SMI_WORDS_OF_LOG;
    (row++)->text = smi_command_text(t->page, s);
    row->words = SMI_WORDS_MIXED;
    row->style = s->state == SMI_STATE_FAILED ? SMI_RED : SMI_STYLE_PLAIN;
    (row++)->text = *end ? end : "-";
    for (int i = 0; i < SMI_COMMAND_USES; i++) {
        const struct smi_command_use *u = &smi_command_uses[i];
        const struct smi_command_figures x = smi_command_figures(s, u, SMI_COMMAND_ALL);
        const bool large = in_gib(&x, u);
        const char *unit = x.there && !u->mean ? unit_text(t->page, u, large) : "";
        if (u->brief)
            (row++)->text = smi_fmt(t->page, "%s%s%s", figure_text(t->page, u, &x, u->mean, large),
                                    *unit ? " " : "", unit);
    }
}

size_t smi_commands_table(struct smi_report_table *t, struct smi_text_arena *g, size_t most)
{
    struct smi_table_column col[3 + SMI_COMMAND_USES] = {
        {.head = "Run"}, {.head = "Command"}, {.head = "Ended"}};
    int columns = 3;
    size_t n = 0;
    for (int i = 0; i < SMI_COMMAND_USES; i++) {
        const struct smi_command_use *u = &smi_command_uses[i];
        if (u->brief)
            col[columns++] = (struct smi_table_column){
                .head = smi_fmt(g, "%s%s%s", u->mean ? "" : "Most ", u->what, u->mean ? ", %" : ""),
                .align = SMI_RIGHT};
    }
    smi_table_begin(t, g, col, columns);
    for (size_t i = 0; smi_sweep_has_run(g->sweep, i); i++)
        if (smi_command_is_tracked(&g->sweep->runs[i]) && n++ < most)
            add_command_row(t, &g->sweep->runs[i]);
    if (n == 0)
        smi_table_free(t);
    return n;
}
