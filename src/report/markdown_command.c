/* markdown_command.c - what tracked commands were, how they ended and what they used: of one run all of it,
 * of several a row each. */
#include "report/output.h"

#include "report/command_text.h"

enum { ROWS = 20 };

/* Its own words are no mark-up. */
static const char *command_end(struct smi_text_arena *g, const struct smi_summary *s)
{
    const char *end = smi_command_end(g, s);
    return *end ? smi_markdown_code(g, end) : "-";
}

static void write_command(struct smi_text_arena *g, const struct smi_summary *s)
{
    bool some = false;
    smi_buf_fmt(g->to, "Command %s: %s\n\n", smi_markdown_code(g, smi_command_text(g, s)), command_end(g, s));
    for (int i = 0; i < SMI_COMMAND_USES; i++) {
        const struct smi_command_use *u = &smi_command_uses[i];
        const struct smi_command_figures all = smi_command_figures(s, u, SMI_COMMAND_ALL);
        const bool large = smi_command_in_gib(&all, u);
        if (!all.there)
            continue;
        if (!some)
            smi_buf_str(g->to,
                        "| the command used | mean | max | main, mean | max | descendants, mean | max | |\n"
                        "|---|---:|---:|---:|---:|---:|---:|---|\n");
        some = true;
        smi_buf_fmt(g->to, "| %s |", u->what);
        for (int k = 0; k < SMI_COMMAND_PARTS; k++) {
            const struct smi_command_figures x = smi_command_figures(s, u, (enum smi_command_part)k);
            smi_buf_fmt(g->to, " %s | %s |", smi_command_figure(g, u, &x, true, large),
                        smi_command_figure(g, u, &x, false, large));
        }
        smi_buf_fmt(g->to, " %s |\n", smi_command_unit(g, u, large));
    }
    smi_buf_str(g->to, some ? "\n" : "");
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

void smi_markdown_commands(struct smi_text_arena *g)
{
    const struct smi_sweep *s = g->sweep;
    size_t rows = 0;
    if (s->n == 1 && smi_command_is_tracked(&s->runs[0])) {
        write_command(g, &s->runs[0]);
        return;
    }
    for (size_t i = 0; i < s->n; i++) {
        if (!smi_command_is_tracked(&s->runs[i]) || (rows++ >= ROWS && !g->look->all))
            continue;
        if (rows == 1)
            write_command_head(g);
        write_command_row(g, &s->runs[i]);
    }
    if (rows > ROWS && !g->look->all)
        smi_buf_fmt(g->to, "\n%zu more commands: `--all`\n", rows - ROWS);
    smi_buf_str(g->to, rows ? "\n" : "");
}
