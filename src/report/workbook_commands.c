/* workbook_commands.c - the sheet Commands: what tracked commands were, how they ended and what they used. */
#include "report/workbook_private.h"

#include "report/command_text.h"

#include <string.h>

enum { RUN, COMMAND, CODE, REASON, FIXED, MOST = FIXED + 2 * SMI_COMMAND_USES * SMI_COMMAND_PARTS };

static const struct smi_workbook_column fixed[FIXED] = {
    [RUN] = {.head = "Run", .help = "The run", .most = 50},
    [COMMAND] = {.head = "Command", .help = "As it was typed", .most = 60},
    [CODE] = {.head = "Exit status", .kind = SMI_XLSX_INT, .help = "128 + N where signal N ended it"},
    [REASON] = {.head = "Reason", .help = "Why it failed, or what is not known of its end", .most = 40}};

/* A column is the mean or the most of a part. */
struct figure {
    const struct smi_command_use *use;
    enum smi_command_part part;
    bool mean;
};

struct commands {
    size_t *run, n; /* their places in the sweep */
    struct figure figure[MOST];
    struct smi_workbook_column col[MOST];
    int columns;
};

size_t smi_workbook_has_commands(const struct smi_workbook *b)
{
    size_t n = 0;
    for (size_t i = 0; i < b->sweep->n; i++)
        n += smi_command_is_tracked(&b->sweep->runs[i]);
    return n;
}

static void add_figure_column(struct smi_workbook *b, struct commands *c, const struct figure *f)
{
    static const char *const part[SMI_COMMAND_PARTS] = {"", "Main ", "Descendants "};
    const struct smi_metric *m = &smi_metrics[f->use->metric[f->part]];
    const bool gib = strcmp(m->unit, "MiB") == 0, pct = strcmp(m->unit, "%") == 0;
    const char *what = f->use->what;
    const bool first = f->part == SMI_COMMAND_ALL && *what >= 'a' && *what <= 'z';
    c->col[c->columns] = (struct smi_workbook_column){.head = smi_fmt(&b->page, "%s%c%s %s%s", part[f->part],
                                                                      first ? *what - 'a' + 'A' : *what,
                                                                      what + 1, f->mean ? "mean" : "most",
                                                                      pct   ? " %"
                                                                      : gib ? " GiB"
                                                                            : ""),
                                                      .help = m->help,
                                                      .kind = pct   ? SMI_XLSX_PERCENT
                                                              : gib ? SMI_XLSX_TWO
                                                                    : SMI_XLSX_INT,
                                                      .per = pct   ? SMI_WORKBOOK_PCT
                                                             : gib ? SMI_WORKBOOK_GIB
                                                                   : SMI_WORKBOOK_RAW};
    c->figure[c->columns++] = *f;
}

static void fill_command(struct smi_workbook *b, void *self, size_t i, struct smi_workbook_cell *cell)
{
    const struct commands *c = self;
    const struct smi_summary *s = &b->sweep->runs[c->run[i]];
    smi_workbook_run(b, &cell[RUN], s, true);
    smi_workbook_text(&cell[COMMAND], s->command);
    if (s->has_exit)
        smi_workbook_count(&cell[CODE], s->exit_code);
    smi_workbook_text(&cell[REASON], s->state_reason);
    for (int k = FIXED; k < c->columns; k++) {
        const struct figure *f = &c->figure[k];
        const struct smi_command_figures x = smi_command_figures(s, f->use, f->part);
        smi_workbook_value(&cell[k], &c->col[k], f->mean ? x.mean : x.max);
    }
}

void smi_workbook_commands(struct smi_workbook *b)
{
    struct commands *c = smi_workbook_alloc(b, 1, sizeof *c);
    if (c)
        c->run = smi_workbook_alloc(b, b->sweep->n, sizeof *c->run);
    if (!c || !c->run || smi_workbook_has_commands(b) == 0)
        return;
    memcpy(c->col, fixed, sizeof fixed);
    c->columns = FIXED;
    for (int i = 0; i < SMI_COMMAND_USES; i++)
        for (int k = 0; k < SMI_COMMAND_PARTS; k++)
            for (int mean = smi_command_uses[i].mean; mean >= 0; mean--)
                if (smi_command_uses[i].metric[k] >= 0)
                    add_figure_column(
                        b, c, &(struct figure){&smi_command_uses[i], (enum smi_command_part)k, mean != 0});
    for (size_t i = 0; i < b->sweep->n; i++)
        if (smi_command_is_tracked(&b->sweep->runs[i]))
            c->run[c->n++] = i;
    smi_workbook_table(b,
                       &(struct smi_workbook_table){
                           .sheet = SMI_WORKBOOK_COMMANDS,
                           .about = "One row a command that smilog run tracked, with all that it started.",
                           .col = c->col,
                           .n = c->columns,
                           .none = "no command was tracked",
                           .fill = fill_command,
                           .self = c},
                       c->n);
}
