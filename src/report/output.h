/* output.h - the table of outputs of a sweep. No output names a metric: all loop over tables. */
#pragma once

#include "base/json.h"
#include "query/check.h"
#include "query/diff.h"
#include "query/query.h"
#include "report/fmt.h"
#include "sweep/sweep.h"
#include "base/buf.h"
#include "base/err.h"

/* Writes the whole sweep. */
typedef void smi_write_fn(struct smi_buf *to, const struct smi_sweep *s,
                          const struct smi_render_options *look);

/* Writes the rows of an answer (query/query.h). */
typedef void smi_result_fn(struct smi_buf *to, const struct smi_result *rows,
                           const struct smi_render_options *look);

/* Writes the sweep into the file `path`, which is there and empty; it is renamed when it is done, so `path`
 * is no name to show. Returns 0, or -1 with err. */
typedef int smi_file_fn(const char *path, const struct smi_sweep *s, const struct smi_render_options *look,
                        struct smi_err *err);

/* The same of the rows of an answer. */
typedef int smi_result_file_fn(const char *path, const struct smi_result *rows,
                               const struct smi_render_options *look, struct smi_err *err);

/* Of how many of the runs of s the output draws the timeline (smi_summary.timeline): the first of
 * smi_reread_choose get one. *points, preset to what is kept: cells of a timeline at most; what --samples
 * says wins. */
typedef size_t smi_timelines_fn(const struct smi_sweep *s, const struct smi_render_options *look,
                                size_t *points);

/* ---- the verdicts of a check as text, JSON, JUnit XML and GitHub annotations; what changed between two
 * sweeps as a table, JSON, CSV and Markdown ---- */

typedef void smi_check_write_fn(struct smi_buf *to, const struct smi_check *c,
                                const struct smi_render_options *look);
smi_check_write_fn smi_check_text, smi_check_json, smi_check_junit, smi_check_github;

typedef void smi_diff_write_fn(struct smi_buf *to, const struct smi_diff *d,
                               const struct smi_render_options *look);
smi_diff_write_fn smi_diff_table, smi_diff_json, smi_diff_csv, smi_diff_markdown;

/* What writes an output: smilog summarize, report, check, diff. */
enum { SMI_OUTPUT_NUMBERS = 1, SMI_OUTPUT_PAGES = 2, SMI_OUTPUT_CHECK = 4, SMI_OUTPUT_DIFF = 8 };

struct smi_output {
    const char *name, *ending; /* --format NAME; ending of -o that chooses it, or NULL */
    const char *help;
    unsigned of;                      /* SMI_OUTPUT_* */
    smi_check_write_fn *check;        /* of SMI_OUTPUT_CHECK */
    smi_diff_write_fn *diff;          /* of SMI_OUTPUT_DIFF */
    smi_write_fn *write;              /* or NULL: it has `file`, or is of no sweep */
    smi_file_fn *file;                /* or NULL */
    smi_timelines_fn *timelines;      /* or NULL: it draws none */
    int (*load)(struct smi_err *err); /* opens the library that it needs: 0, or -1 with err; or NULL */
    smi_run_text_fn
        *run; /* for smi_options.text: what `write` puts for a run; or NULL, it wants whole summaries */
    smi_result_fn *rows;           /* or NULL: it has a form of its own, or */
    smi_result_file_fn *rows_file; /* of one that has `file`; or NULL */
    bool lines;                    /* the texts of the runs are all that it writes */
    bool shapes;                   /* it draws the utilisation of runs and GPUs over time */
};

/* Those runs that the output wants to draw get their timelines. Returns 0, or -1 with err. */
int smi_output_timelines(struct smi_sweep *s, const struct smi_output *o,
                         const struct smi_render_options *look, struct smi_err *err);
extern const struct smi_output smi_outputs[]; /* ends with a NULL name */
/* The output with this name, or whose ending the path has behind something else, of what is `of` one of
 * these; or NULL. */
const struct smi_output *smi_output_find(const char *name, unsigned of);
const struct smi_output *smi_output_by_ending(const char *path, unsigned of);
smi_write_fn smi_write_text_report, smi_write_json, smi_write_jsonl, smi_write_ledger, smi_write_markdown,
    smi_write_svg;
/* Sections 1-4, 9 and 10 are plain HTML, which is all that is seen on paper and without scripts; the data of
 * everything else is JSON in script elements that are no scripts. Texts of logs are safe (smi_fmt_safe) and
 * escaped. */
smi_write_fn smi_write_html;
smi_timelines_fn smi_html_data_timelines, smi_svg_timelines;
/* One run of theirs. */
void smi_run_json(struct smi_buf *to, const struct smi_summary *s);
void smi_run_jsonl(struct smi_buf *to, const struct smi_summary *s);

/* "key": number or null. */
static inline void smi_json_value(struct smi_json *j, const char *key, struct smi_value v)
{
    smi_json_key_number(j, key, v.has, v.micro);
}
/* A name that may be bytes of any kind: name_bytes keeps what U+FFFD would lose. */
void smi_json_name(struct smi_json *j, const char *key, const char *s);

/* One row as an object of JSON. */
void smi_result_object(struct smi_json *j, const struct smi_result *r, size_t row);
smi_result_fn smi_result_csv;
/* A field of CSV; NULL: empty. Untrusted text may not begin like a formula of a spreadsheet: a ' in front of
 * it says so. Numbers never do. */
void smi_csv_text(struct smi_buf *to, const char *text, bool trusted);

/* The workbook: charts over time are drawn of the runs that have a timeline; rows get one sheet, with numbers
 * as --json has them. */
smi_file_fn smi_write_workbook;
smi_result_file_fn smi_result_workbook;
struct smi_json_field {
    const char *object, *path; /* path: NULL: a new object begins, and help is about it */
    const char *type;          /* as json_field.def says */
    const char *unit, *help;
    bool optional; /* it may be left out */
    bool metric;   /* path is the key of a metric: a dot in it begins no inner object */
};

struct smi_json_members {
    struct smi_json_field *of; /* in the heap */
    size_t n, cap;
};

/* All fields of all objects, object by object. Zero-initialise; end with smi_json_members_fini. */
void smi_json_members_make(struct smi_json_members *f);
void smi_json_members_fini(struct smi_json_members *f);

/* What has a schema: "json", "check", ...; NULL past the last. */
const char *smi_json_schema_name(size_t i);
/* What that schema is about. */
const char *smi_json_schema_help(size_t i);
/* Appends schema i. */
void smi_json_schema_write(struct smi_buf *to, size_t i);
