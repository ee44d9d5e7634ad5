/* output.c - the list of outputs, and the shortest: the line for a Slurm comment. */
#include "report/output.h"
#include "base/version.h"
#include "report/text_report.h"
#include "report/xlsx.h"
#include "sweep/reread.h"
#include "summary/ledger_row.h"

#include <string.h>

/* ---- a row a run, by the table of columns; and the rows of an answer ---- */

/* One row being written. */
struct row {
    struct smi_buf *to;
    struct smi_text_arena *g; /* for names that are made, of the rows of runs */
    bool some;
    bool raw; /* --raw */
};

void smi_csv_text(struct smi_buf *to, const char *text, bool trusted)
{
    const char *t = text ? text : "", *quote = strpbrk(t, ",\" ") ? "\"" : "";
    smi_buf_str(to, quote);
    smi_buf_str(to, !trusted && *t && strchr("=+-@\t\r", *t) ? "'" : "");
    for (size_t n; *t; t += n + (t[n] != 0)) {
        n = strcspn(t, "\"");
        smi_buf_name(to, (struct smi_text){t, n});
        smi_buf_str(to, t[n] ? "\"\"" : "");
    }
    smi_buf_str(to, quote);
}

static void append_field(struct row *r, const char *text, bool trusted)
{
    if (r->some)
        smi_buf_char(r->to, ',');
    r->some = true;
    smi_csv_text(r->to, text, trusted || r->raw);
}

static void end_row(struct row *r)
{
    smi_buf_char(r->to, '\n');
    r->some = false;
}

static void append_datum(struct row *r, const struct smi_datum *v)
{
    char t[SMI_MICRO_TEXT + SMI_I128_TEXT];
    if (v->kind == SMI_DATUM_TEXT) {
        append_field(r, v->text, false);
        return;
    }
    *t = 0;
    if (v->kind == SMI_DATUM_MICRO)
        smi_text_write_micro(t, v->n);
    else if (v->kind == SMI_DATUM_INT)
        smi_i128_write(t, v->n);
    append_field(r, v->kind == SMI_DATUM_BOOL ? v->n ? "true" : "false" : t, true);
}

/* The names of the columns, or the values of a run. */
static void append_run(struct row *r, const struct smi_sweep *sweep, const struct smi_render_options *look,
                       const struct smi_summary *s, const struct smi_field_values *v)
{
    for (int i = 0; i < SMI_RUN_FIELDS; i++) {
        if ((smi_run_fields[i].price == SMI_PRICE_MONEY && !look->money) ||
            (smi_run_fields[i].price == SMI_PRICE_CO2 && !look->co2))
            continue;
        if (s)
            append_datum(r, &v->v[i]);
        else
            append_field(r, smi_run_fields[i].key, true);
        for (size_t k = 0; i == SMI_RUN_FIELD_HOSTNAME && k < sweep->ncommon + sweep->nvarying; k++) {
            const char *key = k < sweep->ncommon ? sweep->common[k].key : sweep->varying[k - sweep->ncommon];
            const struct smi_param *p = s ? smi_run_param(s, key) : NULL;
            append_field(r, !s ? smi_fmt(r->g, "param.%s", key) : p ? p->text : NULL, !s || (p && p->bare));
        }
    }
    for (size_t k = 0; k < sweep->njoined; k++)
        append_field(r, s ? s->joined[k].text : sweep->joined[k], s && s->joined[k].bare);
    end_row(r);
}

static void write_csv(struct smi_buf *to, const struct smi_sweep *s, const struct smi_render_options *look)
{
    struct smi_text_arena g = {.to = to, .sweep = s, .look = look};
    struct row r = {.to = to, .g = &g, .raw = look->raw};
    struct smi_field_values v = {0};
    append_run(&r, s, look, NULL, NULL);
    for (size_t i = 0; smi_sweep_has_run(s, i); i++) {
        smi_field_values_fill(&v, &smi_run_list, &s->runs[i], &s->runs[i]);
        append_run(&r, s, look, &s->runs[i], &v);
    }
    smi_field_values_fini(&v);
    smi_arena_fini(&g.arena);
}

void smi_result_csv(struct smi_buf *to, const struct smi_result *rows, const struct smi_render_options *look)
{
    struct row r = {.to = to, .raw = look->raw};
    for (size_t i = 0; i < rows->columns; i++)
        append_field(&r, rows->name[i], false);
    end_row(&r);
    for (size_t i = 0; i < rows->n * rows->columns; i++) {
        append_field(&r, rows->cell[i].text, rows->cell[i].kind != SMI_CELL_TEXT);
        if ((i + 1) % rows->columns == 0)
            end_row(&r);
    }
}

/* ---- the rows of an answer: aligned for people, JSON, Markdown ---- */

/* --- aligned --- */

enum { TEXT_LEAST = 12, DIGITS = 3, GROUP_DIGITS = 2 };

/* A window is for eyes: the last digits stay away, but for the first of a number that is below 1. */
static const char *rounded_number(struct smi_text_arena *g, const char *text, int digits)
{
    int64_t micro, size;
    const char *point = strchr(text, '.');
    if (!g->look->width || !point || smi_text_parse_micro(smi_text_of(text), &micro) || micro == 0)
        return text;
    for (size = micro < 0 ? -micro : micro; size < 1000000 && size >= 1000 && digits < DIGITS + 3; size *= 10)
        digits += size < 100000;
    if (size < 1000 || (int)strlen(point + 1) <= digits)
        return text;
    return smi_fmt_ratio(g, micro, 1000000, digits);
}

/* In a window the figures of groups stand under the name of their column, with the spread beside the mean,
 * and n only where it is neither that of the group nor 0, which the lack of a mean says. */
static void group_heads(struct smi_report_table *t, const struct smi_result *r)
{
    for (size_t i = r->keys + 1; i + 2 < r->columns; i += 3) {
        bool same = true;
        for (size_t k = 0; k < r->n; k++)
            same &= strcmp(r->cell[k * r->columns + i + 2].text, "0") == 0 ||
                    strcmp(r->cell[k * r->columns + i + 2].text, r->cell[k * r->columns + r->keys].text) == 0;
        t->row[0][i].text =
            smi_fmt(t->page, "%.*s", (int)strlen(r->name[i]) - (int)strlen("_mean"), r->name[i]);
        t->row[0][i + 1].text = "+/-";
        t->row[0][i + 2].text = "n";
        t->col[i + 2].hidden = same;
        t->col[i + 1].follows = t->col[i + 2].follows = true;
    }
}

/* Begins a table of the rows. */
static void result_table(struct smi_text_arena *g, const struct smi_result *r, struct smi_report_table *t)
{
    struct smi_table_column *col = smi_arena_new(&g->arena, r->columns, sizeof *col);
    for (size_t i = 0; i < r->columns; i++) {
        bool text = false;
        for (size_t k = 0; k < r->n; k++)
            text |= r->cell[k * r->columns + i].kind == SMI_CELL_TEXT;
        col[i] = (struct smi_table_column){.head = smi_fmt_field(g, r->name[i]),
                                           .align = text ? SMI_LEFT : SMI_POINT,
                                           .least = text ? TEXT_LEAST : 0,
                                           .names = text && i == 0};
    }
    smi_table_begin(t, g, col, (int)r->columns);
    for (size_t k = 0; k < r->columns; k++) {
        t->row[0][k].text = r->name[k];
        t->row[0][k].words = SMI_WORDS_OF_LOG;
    }
    for (size_t i = 0; i < r->n; i++) {
        struct smi_table_cell *row = smi_table_row(t, SMI_ROW_PLAIN);
        for (size_t k = 0; k < r->columns; k++) {
            const struct smi_value_text *v = &r->cell[i * r->columns + k];
            const bool text = v->kind == SMI_CELL_TEXT;
            row[k].words = text ? SMI_WORDS_OF_LOG : SMI_WORDS_OURS;
            row[k].text = text || !v->text ? v->text ? v->text : "-"
                                           : rounded_number(g, v->text, r->keys ? GROUP_DIGITS : DIGITS);
            row[k].style = !v->text ? SMI_GREY : SMI_STYLE_PLAIN;
        }
    }
}

static void result_text(struct smi_buf *to, const struct smi_result *rows,
                        const struct smi_render_options *look)
{
    struct smi_text_arena g = {.to = to, .look = look};
    struct smi_report_table t;
    result_table(&g, rows, &t);
    if (look->width && rows->keys)
        group_heads(&t, rows);
    smi_table_text(&t);
    smi_arena_fini(&g.arena);
}

/* --- JSON --- */

void smi_result_object(struct smi_json *j, const struct smi_result *r, size_t row)
{
    smi_json_open(j, '{');
    for (size_t i = 0; i < r->columns; i++) {
        const struct smi_value_text *v = &r->cell[row * r->columns + i];
        smi_json_key(j, r->name[i]);
        if (v->kind == SMI_CELL_TEXT)
            smi_json_str(j, v->text);
        else if (v->kind == SMI_CELL_NULL)
            smi_json_null(j);
        else
            smi_json_raw(j, v->text);
    }
    smi_json_close(j, '}');
}

static void result_json(struct smi_buf *to, const struct smi_result *rows,
                        const struct smi_render_options *look)
{
    struct smi_json j;
    (void)look;
    smi_buf_str(to, "{\"schema\": \"smilog/1\", \"generator\": \"smilog " SMILOG_VERSION "\", \"columns\": ");
    smi_json_begin(&j, to);
    smi_json_open(&j, '[');
    for (size_t i = 0; i < rows->columns; i++)
        smi_json_str(&j, rows->name[i]);
    smi_json_close(&j, ']');
    smi_buf_str(to, ", \"rows\": [");
    for (size_t i = 0; i < rows->n; i++) {
        smi_buf_str(to, i ? ",\n" : "\n");
        smi_json_begin(&j, to);
        smi_result_object(&j, rows, i);
    }
    smi_buf_str(to, rows->n ? "\n]}\n" : "]}\n");
}

static void result_jsonl(struct smi_buf *to, const struct smi_result *rows,
                         const struct smi_render_options *look)
{
    struct smi_json j;
    (void)look;
    for (size_t i = 0; i < rows->n; i++) {
        smi_json_begin(&j, to);
        smi_result_object(&j, rows, i);
        smi_buf_char(to, '\n');
    }
}

/* --- Markdown --- */

static void result_markdown(struct smi_buf *to, const struct smi_result *rows,
                            const struct smi_render_options *look)
{
    const struct smi_render_options whole = {.all = look->all};
    struct smi_text_arena g = {.to = to, .look = &whole};
    struct smi_report_table t;
    result_table(&g, rows, &t);
    smi_table_markdown(&t);
    smi_arena_fini(&g.arena);
}

/* ---- the table of outputs, and the shortest: the line for a Slurm comment. ---- */

/* --- the line for a Slurm comment --- */

/* name: of one of several runs; else NULL */
static void append_short_line(struct smi_text_arena *g, const struct smi_summary *s, const char *name)
{
    const bool timed = s->gpu_hours.has;
    const struct {
        const char *key;
        bool has;
        int64_t n, one;
        int digits;
    } v[] = {{"gpu_mem_max", s->vram.used_peak_mb.has, s->vram.used_peak_mb.micro, 1000000, 0},
             {"gpu_power", s->power_sum_w.has, s->power_sum_w.micro, 1000000, 1},
             {"gpu_h", timed, s->covered_ms, 3600000, 2},
             {"idle_h", timed && s->idle_pct.has, smi_idle_ms(&s->waste), 3600000, 2},
             {"wh", s->energy_wh.has, s->energy_wh.micro, 1000000, 1},
             {"wh_pct", true, s->energy_coverage_pct.micro, 1000000, 1}};
    struct smi_buf *to = g->to;
    const char *note = smi_run_note_code(s);
    struct smi_value use = smi_headline_use(&s->block);
    smi_buf_str(to, "{\"v\":1");
    if (name) {
        struct smi_json j;
        smi_buf_str(to, ",\"run\":");
        smi_json_begin(&j, to);
        smi_json_str(&j, name);
    }
    if (s->state == SMI_STATE_NO_DATA) {
        smi_buf_str(to, ",\"ngpu\":0,\"state\":\"no-data\"}\n");
        return;
    }
    smi_buf_fmt(to, ",\"ngpu\":%zu,\"gpu_util\":%s", smi_run_gpus(s, NULL),
                use.has ? smi_fmt_value(g, use, 1) : "null");
    for (size_t i = 0; i < (s->energy_part ? 6 : 5); i++)
        smi_buf_fmt(to, ",\"%s\":%s", v[i].key,
                    v[i].has ? smi_fmt_ratio(g, v[i].n, v[i].one, v[i].digits) : "null");
    smi_buf_fmt(to, ",\"state\":\"%s\"", smi_state_names[s->state]);
    if (*note)
        smi_buf_fmt(to, ",\"note\":\"%s\"", note);
    smi_buf_str(to, "}\n");
}

static void write_short_line(struct smi_buf *to, const struct smi_sweep *s,
                             const struct smi_render_options *look)
{
    enum { NAME = 44 /* columns */, BYTES = 72 }; /* so that a line has at most 240 bytes */
    struct smi_text_arena g = {.to = to, .sweep = s, .look = look};
    const char **name = smi_arena_new(&g.arena, s->n + 1, sizeof *name);
    for (size_t i = 0; smi_sweep_has_run(s, i); i++)
        name[i] = smi_fmt_field(&g, s->runs[i].run);
    smi_names_shorten(&g, name, s->n, NAME);
    for (size_t i = 0; smi_sweep_has_run(s, i); i++) /* marks over letters take no column */
        if (strlen(name[i]) > BYTES)
            name[i] = smi_fmt(&g, "run-%zu", i + 1);
    for (size_t i = 0; smi_sweep_has_run(s, i); i++)
        append_short_line(&g, &s->runs[i], s->n > 1 ? name[i] : NULL);
    smi_arena_fini(&g.arena);
}

/* --- the table --- */

/* Each has a sheet, and while the workbook is made a file. */
static size_t xlsx_runs(const struct smi_sweep *s, const struct smi_render_options *look, size_t *points)
{
    enum {
        FEW = 20, /* runs that get a sheet of charts; with --samples: */
        MOST = 200,
        CHART = 4000 /* points of a curve that a spreadsheet still draws at once */
    };
    (void)s;
    if (look->samples > CHART)
        *points = CHART;
    return look->samples ? MOST : FEW;
}

#define OUTPUT(...) \
    {               \
        __VA_ARGS__ \
    }
const struct smi_output smi_outputs[] = {
    OUTPUT(.name = "table", .ending = ".txt",
           .help = "What people read: runs, sums, and where the GPU-hours went",
           .of = SMI_OUTPUT_NUMBERS | SMI_OUTPUT_CHECK | SMI_OUTPUT_DIFF, .check = smi_check_text,
           .diff = smi_diff_table, .write = smi_write_text_report, .rows = result_text, .shapes = true),
    OUTPUT(.name = "json", .ending = ".json", .help = "Everything, one document",
           .of = SMI_OUTPUT_NUMBERS | SMI_OUTPUT_CHECK | SMI_OUTPUT_DIFF, .check = smi_check_json,
           .diff = smi_diff_json, .write = smi_write_json, .run = smi_run_json, .rows = result_json),
    OUTPUT(.name = "jsonl", .ending = ".jsonl", .help = "Everything, one run a line",
           .of = SMI_OUTPUT_NUMBERS, .write = smi_write_jsonl, .run = smi_run_jsonl, .rows = result_jsonl,
           .lines = true),
    OUTPUT(.name = "csv", .ending = ".csv", .help = "One row a run, for spreadsheets and scripts",
           .of = SMI_OUTPUT_NUMBERS | SMI_OUTPUT_DIFF, .diff = smi_diff_csv, .write = write_csv,
           .rows = smi_result_csv),
    OUTPUT(.name = "md", .ending = ".md", .help = "A few lines for a pull request",
           .of = SMI_OUTPUT_NUMBERS | SMI_OUTPUT_PAGES | SMI_OUTPUT_DIFF, .diff = smi_diff_markdown,
           .write = smi_write_markdown, .rows = result_markdown),
    OUTPUT(.name = "html", .ending = ".html", .help = "A page for a browser: one file, no network",
           .of = SMI_OUTPUT_PAGES, .write = smi_write_html, .timelines = smi_html_data_timelines,
           .shapes = true),
    OUTPUT(.name = "svg", .ending = ".svg",
           .help = "A drawing of one run over time, or of the GPU use of several", .of = SMI_OUTPUT_PAGES,
           .write = smi_write_svg, .timelines = smi_svg_timelines),
    OUTPUT(.name = "xlsx", .ending = ".xlsx",
           .help = "A workbook: overview, runs, groups, GPUs, phases, findings, charts",
           .of = SMI_OUTPUT_NUMBERS | SMI_OUTPUT_PAGES, .file = smi_write_workbook,
           .rows_file = smi_result_workbook, .timelines = xlsx_runs, .load = smi_xlsx_load),
    OUTPUT(.name = "line", .help = "One short line a run, for a Slurm comment", .of = SMI_OUTPUT_NUMBERS,
           .write = write_short_line),
    OUTPUT(.name = "ledger", .ending = ".ledger", .help = "One row a job for the ledger of a site: see merge",
           .of = SMI_OUTPUT_NUMBERS, .write = smi_write_ledger, .run = smi_ledger_row_write, .lines = true),
    OUTPUT(.name = "junit", .ending = ".xml", .help = "Of check: JUnit XML, a test per limit and run",
           .of = SMI_OUTPUT_CHECK, .check = smi_check_junit),
    OUTPUT(.name = "github", .help = "Of check: annotations of a GitHub workflow", .of = SMI_OUTPUT_CHECK,
           .check = smi_check_github),
    {.name = NULL},
};

int smi_output_timelines(struct smi_sweep *s, const struct smi_output *o,
                         const struct smi_render_options *look, struct smi_err *err)
{
    size_t *order, points = SMI_TIMELINE_POINTS, n;
    int rc;
    if (!o->timelines || !s->again)
        return 0;
    n = o->timelines(s, look, &points);
    if (look->samples)
        points = look->samples == SMI_SAMPLES_ALL ? 0 : (size_t)look->samples;
    order = smi_mem_new(s->n, sizeof *order);
    smi_reread_choose(s, s->again, order);
    rc = smi_reread_timelines(s, s->again, order, n < s->n ? n : s->n, points, err);
    smi_mem_free(order);
    return rc;
}

const struct smi_output *smi_output_find(const char *name, unsigned of)
{
    for (const struct smi_output *o = smi_outputs; o->name; o++)
        if (o->of & of && strcmp(o->name, name) == 0)
            return o;
    return NULL;
}

const struct smi_output *smi_output_by_ending(const char *path, unsigned of)
{
    const size_t n = strlen(path);
    for (const struct smi_output *o = smi_outputs; o->name; o++) {
        const size_t len = o->ending && o->of & of ? strlen(o->ending) : n;
        if (n > len && strcmp(path + n - len, o->ending) == 0)
            return o;
    }
    return NULL;
}
