/* output.c - the list of outputs, and the shortest: the line for a Slurm comment. */
#include "base/json.h"
#include "report/output.h"
#include "report/text_report.h"
#include "summary/ledger_row.h"

#include <string.h>

static struct smi_output_form form_at(const void *table, size_t stride, int i)
{
    struct smi_output_form f;
    memcpy(&f, (const char *)table + (size_t)i * stride, sizeof f);
    return f;
}

int smi_output_form_by_name(const void *table, size_t stride, const char *name)
{
    struct smi_output_form f;
    for (int i = 0; (f = form_at(table, stride, i)).name; i++)
        if (strcmp(f.name, name) == 0)
            return i;
    return -1;
}

int smi_output_form_by_ending(const void *table, size_t stride, const char *path)
{
    struct smi_output_form f;
    size_t n = strlen(path), len;
    for (int i = 0; (f = form_at(table, stride, i)).name; i++) {
        len = f.ending ? strlen(f.ending) : 0;
        if (len && n > len && strcmp(path + n - len, f.ending) == 0)
            return i;
    }
    return -1;
}

/* ---- the table of outputs, and the shortest: the line for a Slurm comment. ---- */

/* --- the line for a Slurm comment --- */

/* ,"key":number with a number of decimals, or null */
static void append_key_value(struct smi_buf *to, const char *key, bool has, const smi_i128 ratio[2],
                             int digits)
{
    static const int unit[] = {1000000, 100000, 10000};
    char t[SMI_MICRO_TEXT] = "null";
    if (has)
        smi_text_write_fixed(t, smi_i128_div(ratio[0] * (1000000 / unit[digits]), ratio[1]) * unit[digits],
                             digits);
    smi_buf_fmt(to, ",\"%s\":%s", key, t);
}

/* name: of one of several runs; else NULL */
static void append_short_line(struct smi_buf *to, const struct smi_summary *s, const char *name)
{
    const char *note = smi_run_note_code(s), *model;
    struct smi_headline_figure f[SMI_HEADLINE_COUNT];
    bool timed = s->gpu_hours.has;
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
    smi_headline_figures(&s->block, f);
    smi_buf_fmt(to, ",\"ngpu\":%zu,\"gpu_util\":%s", smi_run_gpus(s, &model),
                f[SMI_FIG_UTIL].has ? f[SMI_FIG_UTIL].text : "null");
    append_key_value(to, "gpu_mem_max", s->vram.used_peak_mb.has,
                     (smi_i128[]){s->vram.used_peak_mb.micro, 1000000}, 0);
    append_key_value(to, "gpu_power", s->power_sum_w.has, (smi_i128[]){s->power_sum_w.micro, 1000000}, 1);
    append_key_value(to, "gpu_h", timed, (smi_i128[]){s->covered_ms, 3600000}, 2);
    append_key_value(to, "idle_h", timed && s->idle_pct.has, (smi_i128[]){s->idle_ms, 3600000}, 2);
    append_key_value(to, "wh", s->energy_wh.has, (smi_i128[]){s->energy_wh.micro, 1000000}, 1);
    if (s->energy_part)
        append_key_value(to, "wh_pct", true, (smi_i128[]){s->energy_coverage_pct.micro, 1000000}, 1);
    smi_buf_fmt(to, ",\"state\":\"%s\"", smi_state_names[s->state]);
    if (*note)
        smi_buf_fmt(to, ",\"note\":\"%s\"", note);
    smi_buf_str(to, "}\n");
}

static int write_short_line(struct smi_buf *to, const struct smi_sweep *s,
                            const struct smi_render_options *look, struct smi_err *err)
{
    enum { NAME = 44 /* columns */, BYTES = 72 }; /* so that a line has at most 240 bytes */
    struct smi_text_arena g = {.to = to, .sweep = s, .look = look};
    const char **name = smi_arena_new(&g.arena, s->n + 1, sizeof *name);
    g.failed |= !name;
    for (size_t i = 0; name && smi_sweep_has_run(s, i); i++)
        name[i] = smi_fmt_field(&g, s->runs[i].run);
    if (name)
        smi_names_shorten(&g, name, s->n, NAME);
    for (size_t i = 0; name && smi_sweep_has_run(s, i); i++) /* marks over letters take no column */
        if (strlen(name[i]) > BYTES)
            name[i] = smi_fmt(&g, "run-%zu", i + 1);
    for (size_t i = 0; name && smi_sweep_has_run(s, i); i++)
        append_short_line(to, &s->runs[i], s->n > 1 ? name[i] : NULL);
    return smi_text_arena_end(&g, err);
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
    size_t most = look->samples ? MOST : FEW;
    (void)s;
    if (look->samples > CHART)
        *points = CHART;
    return most;
}

#define OUTPUT(...) \
    {               \
        __VA_ARGS__ \
    }
const struct smi_output smi_outputs[] = {
    OUTPUT(.name = "table", .ending = ".txt",
           .help = "What people read: runs, sums, and where the GPU-hours went", .of = SMI_OUTPUT_NUMBERS,
           .write = smi_write_text_report, .rows = smi_result_text, .shapes = true),
    OUTPUT(.name = "json", .ending = ".json", .help = "Everything, one document", .of = SMI_OUTPUT_NUMBERS,
           .write = smi_write_json, .run = smi_run_json, .rows = smi_result_json),
    OUTPUT(.name = "jsonl", .ending = ".jsonl", .help = "Everything, one run a line",
           .of = SMI_OUTPUT_NUMBERS, .write = smi_write_jsonl, .run = smi_run_jsonl, .rows = smi_result_jsonl,
           .lines = true),
    OUTPUT(.name = "csv", .ending = ".csv", .help = "One row a run, for spreadsheets and scripts",
           .of = SMI_OUTPUT_NUMBERS, .write = smi_write_csv, .rows = smi_result_csv),
    OUTPUT(.name = "md", .ending = ".md", .help = "A few lines for a pull request",
           .of = SMI_OUTPUT_NUMBERS | SMI_OUTPUT_PAGES, .write = smi_write_markdown,
           .rows = smi_result_markdown),
    OUTPUT(.name = "html", .ending = ".html", .help = "A page for a browser: one file, no network",
           .of = SMI_OUTPUT_PAGES, .write = smi_write_html, .timelines = smi_html_data_timelines,
           .shapes = true),
    OUTPUT(.name = "svg", .ending = ".svg",
           .help = "A drawing of one run over time, or of the GPU use of several", .of = SMI_OUTPUT_PAGES,
           .write = smi_write_svg, .timelines = smi_svg_timelines),
    OUTPUT(.name = "xlsx", .ending = ".xlsx",
           .help = "A workbook: overview, runs, groups, GPUs, phases, findings, charts",
           .of = SMI_OUTPUT_NUMBERS | SMI_OUTPUT_PAGES, .file = smi_write_workbook,
           .rows_file = smi_result_workbook, .timelines = xlsx_runs, .lacks = smi_workbook_unavailable),
    OUTPUT(.name = "line", .help = "One short line a run, for a Slurm comment", .of = SMI_OUTPUT_NUMBERS,
           .write = write_short_line),
    OUTPUT(.name = "ledger", .ending = ".ledger", .help = "One row a job for the ledger of a site: see merge",
           .of = SMI_OUTPUT_NUMBERS, .write = smi_write_ledger, .run = smi_ledger_row_write, .lines = true),
    {.name = NULL},
};

const struct smi_output *smi_output_find(const char *name)
{
    int i = smi_output_form_by_name(smi_outputs, sizeof *smi_outputs, name);
    return i < 0 ? NULL : &smi_outputs[i];
}

const struct smi_output *smi_output_by_ending(const char *path)
{
    int i = smi_output_form_by_ending(smi_outputs, sizeof *smi_outputs, path);
    return i < 0 ? NULL : &smi_outputs[i];
}

void smi_output_endings(struct smi_buf *to, unsigned of)
{
    const char *blank = "";
    for (const struct smi_output *o = smi_outputs; o->name; o++) {
        if (!o->ending || !(o->of & of))
            continue;
        smi_buf_fmt(to, "%s%s", blank, o->ending);
        blank = " ";
    }
}
