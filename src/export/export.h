/* export.h - the normalised samples of runs, handed to targets: a file, a database, a directory. A target
 * is a file of this room (or a room of its own behind it) with one struct smi_target, and a row in the
 * table of cli/command_export.c. It is opened before a log is read, gets each run when all of it is known,
 * and is closed at the end. All that it gets of a run (summary, partial, inputs, rows, marks) is of one
 * reading of the bytes: a log that grows meanwhile cannot make them differ. Rows are played as often as
 * the target likes; they lie in a file of $TMPDIR where they are many, so that memory does not grow with
 * the run. */
#pragma once

#include "aggregate/row_spool.h"
#include "base/buf.h"
#include "base/file.h"
#include "summary/merge_queue.h"
#include "sweep/reread.h"

#include <stdbool.h>

/* One log of a run. */
struct smi_export_input {
    const char *path;   /* as inputs[].path */
    const char *format; /* as inputs[].format */
    int kind;           /* the same as smi_format_id: which of several logs feeds a metric (summary/gpus.h) */
    uint64_t rows, marks; /* that it has: ordinals run from 0 to one less */
    enum smi_time_base
        base; /* on which its times stand: UTC, too, where they were put on it by the run's zone */
    const struct smi_input *counts;     /* its line account and intervals, as in the summary */
    int64_t first_ms;                   /* the time of its first row; INT64_MIN: it has none */
    const struct smi_input_stats *part; /* its size and digest; all else for export.c's own use */
    int64_t shift_ms;                   /* taken off its times */
};

struct smi_export_run {
    const struct smi_summary *summary; /* name, host, params, GPUs, zone, and all figures */
    /* Whatever PATH led to it, these say which run it is: the real path of the directory or archive of its
     * logs ("-": they came as a stream), and which of the runs there: of a directory the last piece of its
     * name, or all of it, where another run has that. */
    const char *place, *leaf;
    uint64_t id;             /* of both: the run's number in a store */
    struct smi_text partial; /* SMI_PARTIAL_SCHEMA: one line with its newline, as summarize --partial */
    const struct smi_export_input *input; /* in the order of names, as in the summary */
    size_t inputs;
    bool machines; /* smi_summary_has_machines */
};

/* Adds a sentence about the run to `say`. */
void smi_export_warn(struct smi_buf *say, const struct smi_export_run *r, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* The machine of a GPU, or NULL: the run has GPUs of one machine. */
static inline const char *smi_export_machine(const struct smi_export_run *r, const struct smi_gpu *g)
{
    return r->machines && g && g->index >= 0 ? g->serial : NULL;
}

/* Plays the rows of input i from ordinal `from` on; those of GPUs that are not in the summary (--gpus) are
 * left out, and their ordinals with them. fn returns 0, or -1 with err to stop. Returns 0, or -1 with err
 * (fn's, the disk, memory). */
int smi_export_rows(const struct smi_export_run *r, size_t i, uint64_t from, smi_run_row_fn *fn, void *self,
                    struct smi_err *err);

/* A phase or event that is kept: of->t_us is in UTC. Lent for the duration of the call. */
struct smi_export_mark {
    uint64_t ordinal;
    const struct smi_mark *of;
    const char *kind;         /* "phase" or "event" */
    const char *data, *extra; /* what it says inside of its "data", and beside that: a JSON object of what
                                 was written; NULL: nothing */
};
typedef int smi_export_mark_fn(void *self, const struct smi_export_mark *m, struct smi_err *err);
/* Plays the marks of input i. */
int smi_export_marks(const struct smi_export_run *r, size_t i, uint64_t from, smi_export_mark_fn *fn,
                     void *self, struct smi_err *err);

/* Plays the bytes of input i, decoded and as UTF-8, in pieces of any size; none, if they are not wanted. */
typedef int smi_export_text_fn(void *self, const char *p, size_t n, struct smi_err *err);
int smi_export_text(const struct smi_export_run *r, size_t i, smi_export_text_fn *fn, void *self,
                    struct smi_err *err);

/* What every target embeds as its first member. */
struct smi_target_out {
    uint64_t runs, rows, marks, documents; /* for the target to count what it has written anew, */
    uint64_t doubts;                       /* and what it had to leave out: --strict ends with 1 for it */
};

/* What can be said to a target beside its T. */
struct smi_pytorch_settings;
struct smi_pytorch_sink;
struct smi_target_set {
    const char *password_file;                  /* or NULL */
    bool replace;                               /* what is there from other logs is taken out */
    const struct smi_pytorch_settings *pytorch; /* the job of documents of PyTorch's CI; of a store or NULL */
    const struct smi_pytorch_sink *sink;        /* where they go instead of below a directory; or NULL */
    struct smi_buf *plan; /* NULL; or nothing is written: run counts what would be, and what would be done to
                           * a store is told here */
};

struct smi_target {
    const char *prefix; /* "jsonl:": the beginning of T in --to T */
    const char *form;   /* the whole of it, for the help: "jsonl:FILE|-" */
    const char *help;   /* what it writes, in a few words */
    /* where: what stands behind the prefix, never empty. Nothing of other people's may be touched: what is
     * there and is not ours is an error. Returns NULL with err (SMI_EUSAGE: `where` makes no sense). */
    struct smi_target_out *(*open)(const struct smi_target *target, const char *where,
                                   const struct smi_target_set *set, struct smi_err *err);
    /* Takes one run. What concerns the user (a log that was replaced) goes to `say` as texts, each with its
     * NUL. Returns 0, or -1 with err: the export stops. */
    int (*run)(struct smi_target_out *self, const struct smi_export_run *r, struct smi_buf *say,
               struct smi_err *err);
    /* keep: all runs were taken; else something went wrong, here or elsewhere. Frees self either way. Returns
     * 0, or -1 with err. */
    int (*close)(struct smi_target_out *self, bool keep, struct smi_err *err);
    /* of a target that writes one text: */
    size_t size; /* of its struct, */
    bool utc;    /* and only rows with a time in UTC count: no order of inputs is needed; what takes: */
    void (*begin)(void *self); /* an input begins; or NULL */
    smi_run_row_fn *row;
    smi_export_mark_fn *mark; /* or NULL */
    bool store;               /* servers: password_file, replace and plan are for it */
    bool file;                /* `where` is a file (or "-"), which may be none of the logs that are read */
    uint64_t texts; /* bit f: of logs of format f (smi_format_id) it wants the bytes, too: smi_export_text */
};

struct smi_export {
    const char *const *name; /* as in smi_run_visitor */
    size_t n;
    /* Takes one run. */
    int (*run)(void *self, const struct smi_export_run *r, struct smi_err *err);
    void *self;
    uint64_t texts; /* as in smi_target */
};
/* Reads the runs behind the paths, one after the other, and hands each on. Of o, texts has to be the
 * target's. out is as smi_sweep_each leaves it. Returns 0, or -1 with err. */
int smi_export(struct smi_sweep *out, const char *const *path, size_t n, const struct smi_discover_opts *d,
               const struct smi_options *o, const struct smi_export *to, struct smi_err *err);

/* ---- everything that an export may go to: what T is in --to T ---- */

/* A wide table for spreadsheets, pandas and DuckDB; JSON, one object a line; the history of all runs as
 * promtool reads it; tables of a SQLite file, one transaction a run; documents of PyTorch's CI; a ClickHouse
 * store, plain and over TLS. */
extern const struct smi_target smi_target_csv, smi_target_jsonl, smi_target_openmetrics, smi_target_sqlite,
    smi_target_pytorch, smi_target_clickhouse;

/* What --to may begin with; NULL ends the list. */
extern const struct smi_target *const smi_targets[];

/* a text that is written as it is made: a file that is whole or not there, or standard output.
 */

struct smi_text_file {
    struct smi_file_out file;
    struct smi_buf text; /* to be filled; goes out by smi_text_file_flush */
};

/* where: a path, or "-". Returns 0, or -1 with err. */
int smi_text_file_open(struct smi_text_file *s, const char *where, struct smi_err *err);
/* Bytes that are not in `text`. Returns 0, or -1 with err. */
int smi_text_file_write(struct smi_text_file *s, const char *p, size_t n, struct smi_err *err);
/* After every line: what is there goes out, once it is much. Returns 0, or -1 with err. */
int smi_text_file_flush(struct smi_text_file *s, struct smi_err *err);
/* keep: all of it goes out, and the file takes its place; else nothing of it is left. */
int smi_text_file_close(struct smi_text_file *s, bool keep, struct smi_err *err);

/* A whole text at once, which is ended. Returns 0, or -1 with err. */
int smi_text_file_put(const char *where, struct smi_buf *text, struct smi_err *err);

/* ---- the readings of a run that count: where several logs show a metric of a GPU, those of the one that a
 * summary takes it from, so that no reading counts twice. For targets that hand on one table of readings ----
 */

/* Zero-initialise, then: */
struct smi_export_readings {
    const struct smi_export_run *r;
    bool utc;                  /* only readings with a time in UTC count; marks do in any case */
    void (*begin)(void *self); /* an input begins, at `input`; or NULL */
    smi_run_row_fn *row;       /* gets what counts of a row, if anything does */
    smi_export_mark_fn *mark;  /* after its rows; or NULL */
    void *self;
    size_t input; /* at hand */
    /* By GPU (the host in front) and metric: of the format that feeds it; the smaller the more it counts;
     * INT_MAX: none does. Known while rows are handed on. */
    int (*rank)[SMI_METRIC_COUNT];
    uint64_t timeless; /* rows that utc left out */
};

/* Plays the readings: inputs with utc in the order of their names, else by format, those of one format by
 * their first time. What was left out is said, and added to the doubts of `to`. Returns 0, or -1 with err. */
int smi_export_each_reading(struct smi_export_readings *e, struct smi_target_out *to, struct smi_buf *say,
                            struct smi_err *err);

/* ---- points that come in any order, given back in the order of time ---- */

struct smi_sorted_point {
    int64_t t_ms, v;
    uint64_t tag; /* the caller's own */
};

/* Zero-initialise, then chain.of. */
struct smi_sorted_points {
    struct smi_block_list chain;
    int64_t last_ms;
    uint64_t n;
    bool mixed; /* some came later than one of a later time */
};

int smi_sorted_points_add(struct smi_sorted_points *p, int64_t t_ms, int64_t v, uint64_t tag,
                          struct smi_err *err);
/* Gives them to fn in the order of time, those of one time in the order in which they came. Returns 0, or -1
 * with err. */
typedef int smi_sorted_point_fn(void *self, const struct smi_sorted_point *p, struct smi_err *err);
int smi_sorted_points_each(struct smi_sorted_points *p, smi_sorted_point_fn *fn, void *self,
                           struct smi_err *err);
void smi_sorted_points_fini(struct smi_sorted_points *p);
