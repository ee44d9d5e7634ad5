/* subtrack_private.h - what the files of this room share: files of rows, and how values and tables are
 * printed. */
#ifndef SMI_PROCESS_SUBTRACK_PRIVATE_H
#define SMI_PROCESS_SUBTRACK_PRIVATE_H

#include "base/json.h"
#include "base/real.h"
#include "process/subtrack.h"

enum { SMI_SUB_SHOWN = 200, SMI_SUB_WARNINGS = 5 }; /* bytes of a path in a message; warnings of one file */

/* ---- files ---- */

/* Takes a row: a header or readings. number: for messages; the first row of a CSV file has 1, and so has the
 * first row of readings in a database. Returns 0, or -1 with err. */
typedef int smi_sub_row_fn(void *self, const struct smi_text *cell, size_t n, size_t number,
                           struct smi_err *err);

struct smi_sub_source {
    const char *path;
    struct smi_sub_warnings *notes;
    size_t odd; /* rows that were left out */
};
/* A row that is none: noted, of the first few. Returns 0, or -1 with err. */
int smi_sub_skip_row(struct smi_sub_source *s, size_t row, const char *why, struct smi_err *err);
/* Says how many more there were. */
int smi_sub_skipped_end(struct smi_sub_source *s, struct smi_err *err);

/* Reads the file at s->path, CSV or SQLite by its content, and calls take for every row. Of a database the
 * rows are those of a CSV file with the same content: of each table its columns' names, then its rows; of
 * every table but the last the first row alone. kind: what the file should be, for messages. Returns 0, or -1
 * with err. */
int smi_sub_read(struct smi_sub_source *s, const char *kind, const char *const *tables, size_t n,
                 smi_sub_row_fn *take, void *self, struct smi_err *err);

/* ---- forms ---- */

/* As Python's json.dumps writes a float: NaN, Infinity. */
void smi_sub_put_real(struct smi_json *j, double v);
/* {"min": ...}, without the bracket that closes it. */
void smi_sub_put_stats(struct smi_json *j, const double stat[SMI_SUB_STATS]);
/* "main_gpu_ram" as "Main Gpu Ram". */
void smi_sub_put_title(struct smi_buf *to, const char *key);
void smi_sub_put_tabs(struct smi_buf *to, int tabs);
/* A value in a table: rounded to 8 decimals. */
void smi_sub_cell(char out[SMI_REAL_TEXT], double v);

/* A table as pandas prints it: columns flush right, a blank between them. */
struct smi_sub_table {
    int tabs; /* in front of every line */
    size_t columns, rows;
    const char *const *head, *const *index; /* index: names of the rows, or NULL: none */
    const char *const *cell;                /* rows * columns */
    bool objects; /* no table of floats: cells have a blank in front, and not heads */
};
void smi_sub_put_table(struct smi_buf *to, const struct smi_sub_table *t);

#endif
