/* workbook_about.c - the sheet About: how it was made, what was left out, and every column in one line. */
#include "report/workbook_private.h"

#include "base/version.h"
#include "report/workbook.h"
#include "report/text_report.h"

#include <string.h>

#define STYLE(look) ((struct smi_xlsx_style){SMI_XLSX_GENERAL, SMI_XLSX_##look})

static void write_fact(struct smi_xlsx_sheet *to, int64_t *row, const char *name, const char *text)
{
    smi_xlsx_text(to, *row, 0, STYLE(WRAP), name);
    smi_xlsx_text(to, (*row)++, 3, STYLE(PLAIN), text);
}

static void write_creation(struct smi_workbook *b, struct smi_xlsx_sheet *to, int64_t *row)
{
    const char *given = b->look->given ? b->look->given : "",
               *doubts = smi_warnings_text(&b->page, smi_fmt_safe);
    smi_xlsx_text(to, (*row)++, 0, STYLE(SECTION), "How this was made");
    write_fact(to, row, "Program",
               "smilog " SMILOG_VERSION ", from the logs alone: nothing was measured anew");
    write_fact(to, row, "Source", b->sweep->title ? b->sweep->title : ".");
    if (b->look->command)
        write_fact(to, row, "Made again by", b->look->command);
    else
        write_fact(to, row, "Options", *given ? given + 1 : "none");
    write_fact(to, row, "Times",
               smi_fmt(&b->page,
                       b->zoned ? "on one clock: %s; grey ones are of logs whose zone is not known"
                                : "as the logs have them: their %s",
                       b->zone));
    write_fact(to, row, "Shares",
               "numbers with a format of percent: 12.5% is 0.125; in Samples as they were logged: 12.5");
    write_fact(to, row, "Empty cells", "no reading; 0 is measured");
    if (*doubts)
        write_fact(to, row, "Doubts", doubts);
    ++*row;
}

static void write_omissions(struct smi_workbook *b, struct smi_xlsx_sheet *to, int64_t *row)
{
    const struct smi_sweep *s = b->sweep;
    size_t drawn = 0;
    for (size_t i = 0; i < s->n; i++)
        drawn += b->series[i] != NULL;
    smi_xlsx_text(to, (*row)++, 0, STYLE(SECTION), "What was left out");
    if (s->all > s->n)
        write_fact(to, row, "Runs", smi_fmt(&b->page, "%zu of %zu: those that were asked for", s->n, s->all));
    if (s->nstored)
        write_fact(to, row, "Charts over time",
                   "None: the partial summaries that were read hold no single readings");
    else if (drawn < s->n)
        write_fact(
            to, row, "Charts over time",
            smi_fmt(&b->page,
                    "%zu of %zu runs have a sheet: those named, else those that wasted most. The others: "
                    "smilog report DIR/RUN -o run.xlsx",
                    drawn, s->n));
    if (s->nstored)
        write_fact(to, row, "Single readings", "None: the sheet Samples needs the logs themselves");
    else if (b->look->samples != SMI_SAMPLES_ALL)
        write_fact(to, row, "Single readings",
                   "--samples all writes the sheet Samples, a row for every row of every log");
    else if (b->unread)
        write_fact(to, row, "Single readings",
                   smi_fmt(&b->page, "%zu runs could not be read again", b->unread));
    if (b->left_params)
        write_fact(to, row, "Parameters",
                   smi_fmt(&b->page, "%zu have no column: -o runs.csv has all", b->left_params));
    if (b->left_groups)
        write_fact(to, row, "Groups",
                   smi_fmt(&b->page, "%zu parameters have no block: --group-by NAME", b->left_groups));
    if (smi_xlsx_texts_cut(b->x))
        write_fact(to, row, "Long texts",
                   smi_fmt(&b->page,
                           "%lld were longer than a cell holds, and are cut where they say "
                           "so: --json has them whole",
                           (long long)smi_xlsx_texts_cut(b->x)));
    ++*row;
}

/* The unit stands behind what it is of, in a head: "Power mean W", "Time h mean of runs"; in few there is
 * none. */
static const char *column_unit(const struct smi_workbook_column *c)
{
    static const char *const units[] = {"%", "h", "min", "GiB", "W", "Wh", "kWh", "MHz", "GPU-h", "°C", "s"};
    const char *found = NULL;
    for (const char *word = c->head; *word; word += strcspn(word, " "), word += strspn(word, " "))
        for (size_t i = 0; i < sizeof units / sizeof *units; i++)
            if (strcspn(word, " ") == strlen(units[i]) && strncmp(word, units[i], strlen(units[i])) == 0)
                found = units[i];
    return found ? found : c->of && *c->of->unit ? c->of->unit : "";
}

static void write_column_help(struct smi_workbook *b, struct smi_xlsx_sheet *to, int64_t *row)
{
    static const char *const sums[] = {"", "sum", "mean of the runs", "largest"};
    static const char *const heads[] = {"Sheet", "Column", "Unit", "Meaning", "Row 2"};
    smi_xlsx_text(to, (*row)++, 0, STYLE(SECTION), "The columns");
    for (int i = 0; i < 5; i++)
        smi_xlsx_text(to, *row, i, STYLE(HEAD), heads[i]);
    ++*row;
    for (const struct smi_workbook_described *s = b->said; s; s = s->next) {
        const struct smi_workbook_table *t = &s->table;
        smi_xlsx_text(to, *row, 0, STYLE(RULED), smi_workbook_sheets[t->sheet]);
        smi_xlsx_blank(to, *row, 1, SMI_XLSX_RULED);
        smi_xlsx_blank(to, *row, 2, SMI_XLSX_RULED);
        smi_xlsx_text(to, *row, 3, STYLE(RULED), t->about);
        smi_xlsx_blank(to, (*row)++, 4, SMI_XLSX_RULED);
        for (int k = 0; k < t->n; k++) {
            const struct smi_workbook_column *c = &t->col[k];
            const char *help = c->help ? c->help : c->of ? c->of->help : NULL;
            if (!help || (c->money && !b->look->money) ||
                (c->co2 && !b->look->co2)) /* a parameter speaks for itself */
                continue;
            smi_xlsx_text(to, *row, 1, STYLE(PLAIN), c->head);
            smi_xlsx_text(to, *row, 2, STYLE(GREY), column_unit(c));
            smi_xlsx_text(to, *row, 3, STYLE(PLAIN), help);
            smi_xlsx_text(to, (*row)++, 4, STYLE(GREY), sums[c->sum]);
        }
    }
}

void smi_workbook_about(struct smi_workbook *b)
{
    struct smi_xlsx_sheet *to = b->sheet[SMI_WORKBOOK_ABOUT];
    static const double width[] = {18, 26, 8, 96, 18};
    int64_t row = 0;
    for (int i = 0; i < 5; i++)
        smi_xlsx_width(to, i, i, width[i]);
    write_creation(b, to, &row);
    write_omissions(b, to, &row);
    write_column_help(b, to, &row);
    smi_xlsx_print(to, true, 1, 0, -1, -1);
}
