/* sqlite_private.h - what the files of the SQLite target share. */
#ifndef SMI_EXPORT_SQLITE_PRIVATE_H
#define SMI_EXPORT_SQLITE_PRIVATE_H

#include "export/sqlite_target.h"
#include "export/sqlite_file.h"
#include "sweep/walk.h"

struct smi_sqlite_out {
    struct smi_target_out base;
    struct smi_sql sql;
    char *name;
    struct smi_inode_set done;        /* runs of this export, by number: no second one may take their place */
    int column[SMI_METRIC_COUNT];     /* parameter of put_row, or 0: the table has no such column */
    sqlite3_stmt *put_row, *put_mark; /* put_row: made again when a column is added */
    struct smi_buf text;
    /* of the run at hand: */
    const struct smi_export_run *r;
    struct smi_buf *say;
    int64_t run;          /* its number */
    int64_t *gpu;         /* numbers of its GPUs, by place */
    bool changed;         /* something was written */
    uint64_t rows, marks; /* so many */
    size_t input;         /* the one at hand, */
    int64_t number;       /* and its number */
};

/* Fills column and put_row by the columns that there are. Returns 0, or -1 with err. */
int smi_sqlite_columns(struct smi_sqlite_out *o, struct smi_err *err);
/* Columns for those of the metrics that no run had before. The same. */
int smi_sqlite_add_columns(struct smi_sqlite_out *o, const bool *seen, struct smi_err *err);
/* Each into its table, of the run and input at hand: what smi_export_rows and smi_export_marks call. */
int smi_sqlite_put_row(void *self, const struct smi_export_row *row, struct smi_err *err);
int smi_sqlite_put_mark(void *self, uint64_t ordinal, const struct smi_mark *m, struct smi_err *err);
/* Rows and marks of all inputs, so that what is stored of the run is what it has now. */
int smi_sqlite_inputs(struct smi_sqlite_out *o, struct smi_err *err);
/* A sentence for the user about the run at hand. */
void smi_sqlite_warn(struct smi_sqlite_out *o, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
