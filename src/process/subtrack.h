/* subtrack.h - what blocks of code used: gpu_tracker's sub-tracking files, held against its tracking file, in
 * its figures and forms.
 *
 * All arithmetic is that of doubles, one operation after the other: values are read to the nearest double, a
 * mean is their sum in the order of the file divided by their number, a standard deviation the root of the
 * mean of the squares of their distances from it. A missing value is left out; where none is left, the
 * figures are NaN. */
#ifndef SMI_PROCESS_SUBTRACK_H
#define SMI_PROCESS_SUBTRACK_H

#include "base/mem.h"
#include "process/usage_file.h"

enum {
    SMI_SUB_METRICS = SMI_USAGE_COLUMNS - 1, /* without the timestamp, which is the last */
    SMI_SUB_SHOWN = 200,                     /* bytes of a path in a message */
    SMI_SUB_ROW_MAX = 1 << 20                /* bytes of a row of CSV */
};

/* Warnings: sentences, each with its NUL. Zero-initialise. */
struct smi_sub_warnings {
    struct smi_buf text;
    size_t n, torn; /* torn: files whose last line was never finished, which is no doubt */
};
/* Returns 0, or -1 with err (memory). */
int smi_sub_warn(struct smi_sub_warnings *notes, struct smi_err *err, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- what was recorded ---- */

/* A process enters a block (position 0), or leaves it (1). */
struct smi_sub_row {
    int64_t pid;
    const char *name;
    int position;
    double t; /* seconds since 1970 */
};
/* Zero-initialise. */
struct smi_sub_rows {
    struct smi_sub_row *row;
    size_t n, cap;
    const char **name; /* of the blocks, in the order of their bytes */
    size_t names, names_cap;
    struct smi_arena arena;
};
/* Appends the rows of a sub-tracking file, CSV or SQLite (by content); "-" is standard input. Rows that are
 * none, and a last line without its end, are left out and noted. Returns 0, or -1 with err: SMI_EIO,
 * SMI_EFORMAT (it is none), SMI_ENOMEM. */
int smi_sub_rows_read(struct smi_sub_rows *r, const char *path, struct smi_sub_warnings *notes,
                      struct smi_err *err);
/* The same of n files; of a directory all its files are read in the order of their names, and those that are
 * none passed over and noted. A file that comes again is read once. */
int smi_sub_rows_collect(struct smi_sub_rows *r, const char *const *path, size_t n,
                         struct smi_sub_warnings *notes, struct smi_err *err);
void smi_sub_rows_fini(struct smi_sub_rows *r);
/* Writes them as a new file: CSV with LF, or SQLite, as the ending .csv or .sqlite says. One that is there is
 * refused. Returns 0, or -1 with err: SMI_EUSAGE (another ending), SMI_EIO, SMI_ENOMEM. */
int smi_sub_rows_write(const struct smi_sub_rows *r, const char *path, struct smi_err *err);
/* Only whether smi_sub_rows_write would refuse the path. */
int smi_sub_rows_check(const char *path, struct smi_err *err);

/* A tracking file. Zero-initialise. */
struct smi_sub_track {
    struct smi_usage_cell fixed[SMI_USAGE_STATIC];
    double (*row)[SMI_USAGE_COLUMNS]; /* NaN: missing */
    size_t n, cap;
    struct smi_arena arena;
};
/* As smi_sub_rows_read, of one file. */
int smi_sub_track_read(struct smi_sub_track *t, const char *path, struct smi_sub_warnings *notes,
                       struct smi_err *err);
void smi_sub_track_fini(struct smi_sub_track *t);

/* ---- what comes of it ---- */

enum smi_sub_stat { SMI_SUB_MIN, SMI_SUB_MAX, SMI_SUB_MEAN, SMI_SUB_STD, SMI_SUB_STATS };
extern const char *const smi_sub_stats[SMI_SUB_STATS]; /* "min" ... */

struct smi_sub_block {
    const char *name;                     /* borrowed */
    size_t timepoints, calls, full_calls; /* full: with at least one timepoint */
    double time[SMI_SUB_STATS], total;    /* lengths of the calls, seconds */
    double usage[SMI_SUB_METRICS][SMI_SUB_STATS];
};
struct smi_sub_results {
    double overall[SMI_SUB_METRICS][SMI_SUB_STATS];
    struct smi_usage_cell fixed[SMI_USAGE_STATIC]; /* words are borrowed */
    struct smi_sub_block *block;                   /* by name */
    size_t n, cap;
};
/* Joins them; names stay borrowed from both, and the rows are put in order. path: of the sub-tracking file,
 * for messages. A call is a pair of rows of one process: what it enters and does not leave at its end is no
 * call; a pair of two processes, or that is not an entry and a leave, is an error. Returns 0, or -1 with err:
 * SMI_EFORMAT, SMI_ENOMEM. */
int smi_sub_analyze(struct smi_sub_results *out, const struct smi_sub_track *track, struct smi_sub_rows *rows,
                    const char *path, struct smi_err *err);
void smi_sub_results_fini(struct smi_sub_results *r);
/* Append the forms of gpu_tracker, with a newline at the end. Check to->failed. */
void smi_sub_json(struct smi_buf *to, const struct smi_sub_results *r);
void smi_sub_text(struct smi_buf *to, const struct smi_sub_results *r);

/* ---- several sessions ---- */

struct smi_sub_session {
    const char *name;
    double overall[SMI_SUB_METRICS][SMI_SUB_STATS];
    struct smi_sub_block
        *block; /* in the order in which they are compared; only name, time and usage are filled */
    size_t n;
};
/* Zero-initialise. */
struct smi_sub_comparison {
    struct smi_sub_session *session;
    size_t n, cap;
    const char **block; /* their common names: "tmp.py:7 -> tmp.py:9" */
    size_t blocks;
    struct smi_arena arena;
};
/* Adds what smi_sub_json wrote to a file. Returns 0, or -1 with err: SMI_EIO, SMI_EFORMAT (it is none),
 * SMI_ENOMEM. */
int smi_sub_session_read(struct smi_sub_comparison *c, const char *name, const char *path,
                         struct smi_err *err);
/* Finds which blocks belong together: of the same names, or of such as differ only in the line behind the
 * last colon, which is noted. Returns 0, or -1 with err: SMI_EFORMAT (they do not), SMI_ENOMEM. */
int smi_sub_match(struct smi_sub_comparison *c, struct smi_sub_warnings *notes, struct smi_err *err);
void smi_sub_comparison_fini(struct smi_sub_comparison *c);
/* As smi_sub_json and smi_sub_text; sessions stand in the order of their values, NaN last. */
void smi_sub_compare_json(struct smi_buf *to, const struct smi_sub_comparison *c, enum smi_sub_stat stat);
void smi_sub_compare_text(struct smi_buf *to, const struct smi_sub_comparison *c, enum smi_sub_stat stat);

#endif
