/* workbook.c - the workbook: the order of its sheets, the sheet About, and the rows of a query. */
#include "report/output.h"
#include "report/workbook_private.h"
#include "base/version.h"
#include "report/text_report.h"
#include "base/clock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the sheet About: how it was made, what was left out, and every column in one line. ---- */

static void write_section(struct smi_xlsx_sheet *to, int64_t *row, const char *text)
{
    *row += *row > 0;
    smi_xlsx_text(to, (*row)++, 0, SMI_XLSX_GENERAL, SMI_XLSX_SECTION, text);
}

static void write_fact(struct smi_xlsx_sheet *to, int64_t *row, const char *name, const char *text)
{
    smi_xlsx_text(to, *row, 0, SMI_XLSX_GENERAL, SMI_XLSX_WRAP, name);
    smi_xlsx_text(to, (*row)++, 3, SMI_XLSX_GENERAL, SMI_XLSX_PLAIN, text);
}

static void write_creation(struct smi_workbook *b, struct smi_xlsx_sheet *to, int64_t *row)
{
    const char *given = b->look->given ? b->look->given : "",
               *doubts = smi_warnings_text(&b->page, smi_fmt_safe);
    write_section(to, row, "How this was made");
    write_fact(to, row, "Program", "Created by smilog " SMILOG_VERSION " from log files");
    write_fact(to, row, "Source", b->sweep->title ? b->sweep->title : ".");
    if (b->look->command)
        write_fact(to, row, "Command", b->look->command);
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
        write_fact(to, row, "Warnings", doubts);
}

static void write_omissions(struct smi_workbook *b, struct smi_xlsx_sheet *to, int64_t *row)
{
    const struct smi_sweep *s = b->sweep;
    struct smi_text_arena *g = &b->page;
    const long long cut = smi_xlsx_texts_cut(b->x);
    size_t drawn = 0;
    for (size_t i = 0; smi_sweep_has_run(s, i); i++)
        drawn += b->series[i] != NULL;
    write_section(to, row, "What was left out");
    if (s->all > s->n)
        write_fact(to, row, "Runs", smi_fmt(g, "%zu of %zu: those that were asked for", s->n, s->all));
    if (s->nstored)
        write_fact(to, row, "Charts over time",
                   "None: the partial summaries that were read hold no single readings");
    else if (drawn < s->n)
        write_fact(
            to, row, "Charts over time",
            smi_fmt(g,
                    "%zu of %zu runs have a sheet: those named, else those that wasted most. The others: "
                    "smilog report DIR/RUN -o run.xlsx",
                    drawn, s->n));
    if (s->nstored)
        write_fact(to, row, "Single readings", "None: the sheet Samples needs the logs themselves");
    else if (b->look->samples != SMI_SAMPLES_ALL)
        write_fact(to, row, "Single readings",
                   "--samples all writes the sheet Samples, a row for every row of every log");
    else if (b->unread)
        write_fact(to, row, "Single readings", smi_fmt(g, "%zu runs could not be read again", b->unread));
    if (b->left_params)
        write_fact(to, row, "Parameters",
                   smi_fmt(g, "%zu have no column: -o runs.csv has all", b->left_params));
    if (b->left_groups)
        write_fact(to, row, "Groups",
                   smi_fmt(g, "%zu parameters have no block: --group-by NAME", b->left_groups));
    if (cut)
        write_fact(
            to, row, "Long texts",
            smi_fmt(
                g, "%lld were longer than a cell holds, and are cut where they say so: --json has them whole",
                cut));
}

/* The unit stands behind what it is of, in a head: "Power mean W", "Time h mean of runs"; in few there is
 * none. */
static const char *column_unit(const struct smi_workbook_column *c)
{
    static const char *const units[] = {"%",   "h",  "min", "GiB",   "W",  "Wh",
                                        "kWh", "kg", "MHz", "GPU-h", "°C", "s"};
    const char *found = NULL;
    for (const char *word = c->head; *word; word += strcspn(word, " "), word += strspn(word, " "))
        for (size_t i = 0; i < sizeof units / sizeof *units; i++)
            if (strcspn(word, " ") == strlen(units[i]) && strncmp(word, units[i], strlen(units[i])) == 0)
                found = units[i];
    return found ? found : c->of ? c->of->unit : "";
}

static void write_cells(struct smi_xlsx_sheet *to, int64_t *row, enum smi_xlsx_appearance look,
                        const char *const text[5])
{
    for (int i = text[0] ? 0 : 1; i < 5; i++)
        smi_xlsx_text(to, *row, i, SMI_XLSX_GENERAL,
                      look == SMI_XLSX_PLAIN && i % 2 == 0 ? SMI_XLSX_GREY : look, text[i]);
    ++*row;
}

static void write_column_help(struct smi_workbook *b, struct smi_xlsx_sheet *to, int64_t *row)
{
    static const char *const sums[] = {"", "sum", "mean of the runs", "largest"};
    write_section(to, row, "The columns");
    write_cells(to, row, SMI_XLSX_HEAD, (const char *const[]){"Sheet", "Column", "Unit", "Meaning", "Row 2"});
    for (int sheet = 0; sheet < SMI_WORKBOOK_SHEETS; sheet++) {
        const struct smi_workbook_table *t = &b->table[sheet];
        const struct smi_workbook_sheet_info *info = &smi_workbook_sheets[sheet];
        if (t->n)
            write_cells(to, row, SMI_XLSX_RULED, (const char *const[]){info->name, "", "", info->about, ""});
        for (const struct smi_workbook_column *c = t->col; c < t->col + t->n; c++)
            if (c->help) /* a parameter speaks for itself */
                write_cells(to, row, SMI_XLSX_PLAIN,
                            (const char *const[]){NULL, c->head, column_unit(c), c->help, sums[c->sum]});
    }
}

static void write_about(struct smi_workbook *b)
{
    struct smi_xlsx_sheet *to = b->sheet[SMI_WORKBOOK_ABOUT];
    static const double width[] = {18, 26, 8, 96, 18};
    int64_t row = 0;
    for (int i = 0; i < 5; i++)
        smi_xlsx_width(to, i, i, width[i]);
    write_creation(b, to, &row);
    write_omissions(b, to, &row);
    write_column_help(b, to, &row);
    smi_xlsx_print(to, 1, -1, -1);
}

/* ---- the order of the workbook's sheets. ---- */

/* One clock for all times: that of the GPU logs if they agree (of runs without any, of the others), else UTC.
 */
static void choose_zone(struct smi_workbook *b)
{
    char t[SMI_CLOCK_TEXT];
    bool same = true, gpu = false;
    for (size_t i = 0; smi_sweep_has_run(b->sweep, i); i++) {
        const struct smi_summary *s = &b->sweep->runs[i];
        bool own = s->state != SMI_STATE_NO_DATA;
        if (!s->has_start || !s->zoned || (gpu && !own))
            continue;
        same = !b->zoned || (own && !gpu) || (same && s->offset_s == b->offset_s);
        b->offset_s = s->offset_s;
        b->zoned = true;
        gpu |= own;
    }
    if (!same)
        b->offset_s = 0;
    smi_clock_write_zone(t, b->offset_s);
    b->zone = !b->zoned                   ? "zone not known"
              : !same || b->offset_s == 0 ? "UTC"
                                          : smi_fmt(&b->page, "UTC%s", t);
}

const struct smi_workbook_sheet_info smi_workbook_sheets[SMI_WORKBOOK_SHEETS] = {
    [SMI_WORKBOOK_OVERVIEW] = {.name = "Overview"},
    [SMI_WORKBOOK_RUNS] = {"Runs",
                           "One row a run. Row 2 is about the rows that the filter shows: sums, means of the "
                           "runs, largest values.",
                           "no runs", true},
    [SMI_WORKBOOK_GROUPS] = {"Groups", "One block a parameter, one row for each of its values.", NULL, false},
    [SMI_WORKBOOK_GPUS] = {"GPUs", "One row a GPU of a run.", "no GPU in any log", false},
    [SMI_WORKBOOK_PHASES] = {"Phases", "One row a phase of a run, as its run log names it.",
                             "no run log names a phase", false},
    [SMI_WORKBOOK_COMMANDS] = {"Commands",
                               "One row a command that smilog run tracked, with all that it started.",
                               "no command was tracked", false},
    [SMI_WORKBOOK_FINDINGS] = {"Findings", "One row for each thing that was found, most GPU-hours first.",
                               "no findings", false},
    [SMI_WORKBOOK_INPUTS] = {"Inputs", "One row a log: what became of its lines, how often it was written.",
                             "no logs", false},
    [SMI_WORKBOOK_ABOUT] = {.name = "About"},
    [SMI_WORKBOOK_ROWS] = {.name = "Rows", .none = ""}};

/* Each sheet has rows in order; of two sheets either may be written first. */
static void write_sheets(struct smi_workbook *b)
{
    for (int i = 0; i <= SMI_WORKBOOK_ABOUT; i++)
        if (i != SMI_WORKBOOK_COMMANDS || smi_workbook_has_commands(b))
            b->sheet[i] = smi_xlsx_sheet(b->x, smi_workbook_sheets[i].name);
    b->series = smi_workbook_alloc(b, b->sweep->n, sizeof *b->series);
    choose_zone(b);
    if (!b->series)
        return;
    smi_workbook_charts(b);
    smi_workbook_groups(b);
    smi_workbook_overview(b);
    smi_workbook_lists(b);
    smi_workbook_samples(b);
    write_about(b);
}

const char *smi_workbook_unavailable(void)
{
    return NULL;
}

/* Makes the workbook that `write` fills. Returns 0, or -1 with err. */
static int make_workbook(struct smi_workbook *b, const char *path, const char *title,
                         void (*fill)(struct smi_workbook *b), struct smi_err *err)
{
    int rc = b->page.failed ? smi_err_nomem(err) : smi_xlsx_open(&b->x, path, title, b->look->now_ms, err);
    if (!rc) {
        smi_xlsx_set_currency(b->x, b->look->currency);
        fill(b);
        if (b->page.failed || b->words.failed)
            smi_xlsx_fail(b->x, SMI_ENOMEM, "memory ran out");
        rc = smi_xlsx_close(b->x, err);
    }
    smi_arena_fini(&b->page.arena);
    smi_buf_fini(&b->words);
    return rc;
}

int smi_write_workbook(const char *path, const struct smi_sweep *s, const struct smi_render_options *look,
                       struct smi_err *err)
{
    struct smi_workbook b = {.sweep = s, .look = look};
    const char *title;
    b.page = (struct smi_text_arena){.to = &b.words, .sweep = s, .look = look, .page = true};
    title =
        smi_fmt(&b.page, "%s in %s", smi_fmt_count(&b.page, (int64_t)s->n, "run"), s->title ? s->title : ".");
    return make_workbook(&b, path, title, write_sheets, err);
}

/* --- the rows of an answer --- */

/* Whole numbers that no double holds stay texts. */
static void fill_row(struct smi_workbook *b, void *self, size_t i, struct smi_xlsx_cell *c)
{
    enum { DIGITS = 15 };
    const struct smi_result *r = self;
    (void)b;
    c += SMI_WORKBOOK_COLUMNS;
    for (size_t k = 0; k < r->columns; k++) {
        const struct smi_value_text *v = &r->cell[i * r->columns + k];
        smi_workbook_text(&c[k], v->text);
        if (v->kind == SMI_CELL_BOOL) {
            c[k].is = SMI_XLSX_IS_BOOL;
            c[k].v = *v->text == 't';
        } else if (v->kind == SMI_CELL_NUMBER && (strpbrk(v->text, ".e") || strlen(v->text) <= DIGITS)) {
            smi_workbook_number(&c[k], strtod(v->text, NULL));
        }
    }
}

/* As many decimals as there are, three at most; what names a group, whole and very small numbers as they
 * come. */
static enum smi_xlsx_kind result_column_kind(const struct smi_result *r, size_t k)
{
    static const enum smi_xlsx_kind kind[] = {SMI_XLSX_GENERAL, SMI_XLSX_ONE, SMI_XLSX_TWO, SMI_XLSX_THREE};
    size_t most = 0;
    for (size_t i = 0; i < r->n; i++) {
        const struct smi_value_text *v = &r->cell[i * r->columns + k];
        const char *point = v->kind == SMI_CELL_NUMBER ? strchr(v->text, '.') : NULL;
        double size = point ? fabs(strtod(v->text, NULL)) : 1;
        if (v->kind == SMI_CELL_TEXT || (size > 0 && size < 1e-3))
            return SMI_XLSX_GENERAL;
        most = point && strlen(point + 1) > most ? strlen(point + 1) : most;
    }
    return k < r->keys ? SMI_XLSX_KEY : kind[most < 3 ? most : 3];
}

static void write_rows(struct smi_workbook *b)
{
    const struct smi_result *r = b->rows;
    struct smi_workbook_table *t = smi_workbook_table(b, SMI_WORKBOOK_ROWS, r->columns);
    if (!t)
        return;
    for (size_t k = 0; k < r->columns; k++)
        smi_workbook_add(b, t,
                         (struct smi_workbook_column){.head = r->name[k], .kind = result_column_kind(r, k)});
    b->sheet[SMI_WORKBOOK_ROWS] = smi_xlsx_sheet(b->x, smi_workbook_sheets[SMI_WORKBOOK_ROWS].name);
    smi_workbook_write(b, SMI_WORKBOOK_ROWS, r->n, fill_row, (void *)r);
}

int smi_result_workbook(const char *path, const struct smi_result *rows,
                        const struct smi_render_options *look, struct smi_err *err)
{
    struct smi_workbook b = {.rows = rows, .look = look};
    b.page = (struct smi_text_arena){.to = &b.words, .look = look};
    return make_workbook(&b, path, smi_fmt_count(&b.page, (int64_t)rows->n, "row"), write_rows, err);
}
