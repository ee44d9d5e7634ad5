/* text_command.c - of one run what its command was, how it ended, and what it used. */
#include "report/command_text.h"
#include "report/text_report.h"

enum { WHAT, MEAN, MOST, MAIN_MEAN, MAIN_MOST, THEIR_MEAN, THEIR_MOST, UNIT, COLUMNS };

static void row(struct smi_grid *t, const struct smi_summary *s, const struct smi_command_use *u)
{
    struct smi_text_arena *g = t->page;
    const struct smi_command_figures all = smi_command_figures(s, u, SMI_COMMAND_ALL);
    const bool large = smi_command_in_gib(&all, u);
    struct smi_grid_cell *row = smi_grid_row(t, SMI_ROW_PLAIN);
    if (!row)
        return;
    row[WHAT].text = u->what;
    for (int i = 0; i < SMI_COMMAND_PARTS; i++) {
        const struct smi_command_figures x = smi_command_figures(s, u, (enum smi_command_part)i);
        row[MEAN + 2 * i].text = smi_command_figure(g, u, &x, true, large);
        row[MOST + 2 * i].text = smi_command_figure(g, u, &x, false, large);
    }
    row[UNIT].text = smi_command_unit(g, u, large);
}

void smi_text_command(struct smi_text_arena *g, const struct smi_summary *s)
{
    struct smi_grid_column col[COLUMNS] = {
        [WHAT] = {.head = "COMMAND USED"},
        [MEAN] = {.head = "MEAN", .align = SMI_POINT},
        [MOST] = {.head = "MAX", .align = SMI_POINT},
        [MAIN_MEAN] = {.head = "MAIN MEAN", .align = SMI_POINT, .leave = 1},
        [MAIN_MOST] = {.head = "MAX", .align = SMI_POINT},
        [THEIR_MEAN] = {.head = "DESCENDANTS MEAN", .align = SMI_POINT, .leave = 1},
        [THEIR_MOST] = {.head = "MAX", .align = SMI_POINT},
        [UNIT] = {.head = "unit"}};
    const char *end = smi_command_end(g, s);
    struct smi_grid t;
    size_t rows = 0;
    if (!smi_command_is_tracked(s))
        return;
    if (s->command)
        smi_wrap_words(g, 0, smi_fmt(g, "command: %s", smi_command_text(g, s)), 9);
    if (s->command && *end)
        smi_wrap_words(g, 3, end, 9);
    if (s->command)
        smi_wrap_newline(g);
    for (int i = 0; i < SMI_COMMAND_USES; i++)
        rows += smi_command_figures(s, &smi_command_uses[i], SMI_COMMAND_ALL).there;
    if (rows)
        smi_grid_begin(&t, g, col, COLUMNS);
    for (int i = 0; i < SMI_COMMAND_USES; i++)
        if (smi_command_figures(s, &smi_command_uses[i], SMI_COMMAND_ALL).there)
            row(&t, s, &smi_command_uses[i]);
    if (rows)
        smi_grid_end(&t);
    smi_wrap_newline(g);
}
