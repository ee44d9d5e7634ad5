/* workbook.c - the workbook: the order of its sheets, the sheet About, and the rows of a query. */
#include "report/workbook.h"
#include "report/workbook_private.h"
#include "base/version.h"
#include "report/text_report.h"
#include "base/clock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the sheet About: how it was made, what was left out, and every column in one line. ---- */

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
    for (size_t i = 0; smi_sweep_has_run(s, i); i++)
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
    smi_xlsx_print(to, true, 1, 0, -1, -1);
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

const char *const smi_workbook_sheets[SMI_WORKBOOK_ROWS + 1] = {
    "Overview", "Runs", "Groups", "GPUs", "Phases", "Commands", "Findings", "Inputs", "About", "Rows"};

/* Each sheet has rows in order; of two sheets either may be written first. */
static void write_sheets(struct smi_workbook *b)
{
    for (int i = 0; i < SMI_WORKBOOK_SHEETS; i++)
        if (i != SMI_WORKBOOK_COMMANDS || smi_workbook_has_commands(b))
            b->sheet[i] = smi_xlsx_sheet(b->x, smi_workbook_sheets[i]);
    b->series = smi_workbook_alloc(b, b->sweep->n, sizeof *b->series);
    choose_zone(b);
    if (!b->series)
        return;
    smi_workbook_charts(b);
    smi_workbook_runs(b);
    smi_workbook_groups(b);
    smi_workbook_overview(b);
    smi_workbook_gpus(b);
    smi_workbook_phases(b);
    smi_workbook_commands(b);
    smi_workbook_findings(b);
    smi_workbook_inputs(b);
    smi_workbook_samples(b);
    write_about(b);
}

const char *smi_workbook_unavailable(void)
{
    return NULL;
}

/* Makes the workbook that `write` fills. Returns 0, or -1 with err. */
static int make_workbook(struct smi_workbook *b, const char *path, struct smi_buf *title,
                         void (*fill)(struct smi_workbook *b), struct smi_err *err)
{
    int rc = title->failed ? smi_err_nomem(err) : smi_xlsx_open(&b->x, path, title->p, b->look->now_ms, err);
    b->said_end = &b->said;
    if (!rc) {
        fill(b);
        if (b->page.failed || b->words.failed)
            smi_xlsx_fail(b->x, SMI_ENOMEM, "memory ran out");
        rc = smi_xlsx_close(b->x, err);
    }
    smi_arena_fini(&b->page.arena);
    smi_buf_fini(&b->words);
    smi_buf_fini(title);
    return rc;
}

int smi_write_workbook(const char *path, const struct smi_sweep *s, const struct smi_render_options *look,
                       struct smi_err *err)
{
    struct smi_workbook b = {.sweep = s, .look = look};
    struct smi_buf title = {0};
    b.page = (struct smi_text_arena){.to = &b.words, .sweep = s, .look = look};
    smi_buf_fmt(&title, "%zu run%s in %s", s->n, s->n == 1 ? "" : "s", s->title ? s->title : ".");
    return make_workbook(&b, path, &title, write_sheets, err);
}

/* --- the rows of an answer --- */

/* Whole numbers that no double holds stay texts. */
static void cell(struct smi_workbook *b, void *self, size_t i, struct smi_workbook_cell *c)
{
    enum { DIGITS = 15 };
    const struct smi_result *r = self;
    (void)b;
    for (size_t k = 0; k < r->columns; k++) {
        const struct smi_value_text *v = &r->cell[i * r->columns + k];
        if (v->kind == SMI_CELL_BOOL) {
            c[k].is = SMI_WORKBOOK_BOOL;
            c[k].v = *v->text == 't';
        } else if (v->kind == SMI_CELL_NUMBER && (strpbrk(v->text, ".e") || strlen(v->text) <= DIGITS)) {
            c[k].is = SMI_WORKBOOK_NUMBER;
            c[k].v = strtod(v->text, NULL);
        } else {
            smi_workbook_text(&c[k], v->text);
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
    struct smi_workbook_column *col = smi_workbook_alloc(b, r->columns, sizeof *col);
    struct smi_workbook_table t = {.sheet = SMI_WORKBOOK_ROWS,
                                   .col = col,
                                   .n = (int)r->columns,
                                   .none = "",
                                   .fill = cell,
                                   .self = (void *)r};
    if (!col)
        return;
    for (size_t k = 0; k < r->columns; k++)
        col[k] = (struct smi_workbook_column){.head = r->name[k], .kind = result_column_kind(r, k)};
    b->sheet[SMI_WORKBOOK_ROWS] = smi_xlsx_sheet(b->x, smi_workbook_sheets[SMI_WORKBOOK_ROWS]);
    smi_workbook_table(b, &t, r->n);
}

int smi_result_workbook(const char *path, const struct smi_result *rows,
                        const struct smi_render_options *look, struct smi_err *err)
{
    struct smi_workbook b = {.rows = rows, .look = look};
    struct smi_buf title = {0};
    b.page = (struct smi_text_arena){.to = &b.words, .look = look};
    smi_buf_fmt(&title, "%zu row%s", rows->n, rows->n == 1 ? "" : "s");
    return make_workbook(&b, path, &title, write_rows, err);
}
