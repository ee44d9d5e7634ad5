/* query_db.h - the tables of a sweep in memory, and a door to them that only reads. */
#pragma once

#include "query/query.h"
#include "summary/run_fields.h"

#include <sqlite3.h>

/* A parameter, and its column of the table param, if it has one. */
struct smi_db_param {
    const char *key;
    const char *column; /* NULL: nobody asked for it */
    unsigned kinds;     /* of values that runs have of it */
};

enum { SMI_DB_READS = 3 };

struct smi_db {
    sqlite3 *db;
    struct smi_err *err;
    bool failed;
    struct smi_sweep *sweep;
    struct smi_arena arena;
    struct smi_buf asked;       /* all that the user typed: only what it mentions becomes a column */
    struct smi_buf names;       /* two names that are compared */
    struct smi_db_param *param; /* by key */
    size_t params, made;        /* all, those with a column */
    bool wasted;                /* runs has a column wasted_h */
    bool sql;                   /* what is asked is a SELECT of the user's */
    const char *groups;         /* what --sort may name is a column of these groups, or NULL */
    bool left_out;              /* the query asks for all, and there are more than fit */
    bool locked;                /* the tables are made: from here on they are only read */
    const char *refused;        /* the function that was refused, or NULL */
    struct {
        bool param; /* else it is a column of runs */
        const char *column;
    } read[SMI_DB_READS]; /* the first columns that the expression resolved last reads, but for run */
    size_t nreads;
};

/* So begins the declared type of columns that hold what people wrote: their reals are printed with all
 * digits. */
#define SMI_DB_AS_WRITTEN "AS_WRITTEN"
/* Declared type of columns of whole millionths. */
#define SMI_DB_MICRO "MICRO"

/* Opens the tables of a sweep for what is asked. The sweep is borrowed. Returns 0, or -1 with err. */
int smi_db_open(struct smi_db *d, struct smi_sweep *s, const struct smi_query *q, struct smi_err *err);
void smi_db_close(struct smi_db *d);

/* A statement that reads, made of a text, which is ended; opt is the option that it comes from, for messages.
 * Returns NULL with err. */
sqlite3_stmt *smi_db_select(struct smi_db *d, const char *opt, struct smi_buf *sql, struct smi_err *err);
/* The next row of a statement, which may be NULL where err says why. Returns 1; 0 at the end; or -1 with err.
 * Behind the last row, and after an error, the statement is finalized. */
int smi_db_step(struct smi_db *d, const char *opt, sqlite3_stmt *st, struct smi_err *err);

/* --- for those who fill it. The first failure fills err and sets failed; what follows does nothing --- */

/* Opens an engine without tables: ":memory:", or "", a temporary file. */
void smi_db_begin(struct smi_db *d, const char *file, struct smi_err *err);
void smi_db_exec(struct smi_db *d, const char *sql);
sqlite3_stmt *smi_db_prepare_insert(struct smi_db *d, const char *table, size_t columns);
void smi_db_insert_row(struct smi_db *d, sqlite3_stmt *st); /* runs an insert, and makes it ready again */
void smi_db_bind(sqlite3_stmt *st, int at, const struct smi_datum *v);
/* A value as it was written, or NULL; bare: JSON would write it without quotes. */
void smi_db_bind_text(sqlite3_stmt *st, int at, const char *text, bool bare);
/* Appends "name", its quotes doubled. */
void smi_db_quote(struct smi_buf *to, const char *name);

/* --- names --- */

/* What SQLite takes for the number of a row. */
enum { SMI_DB_ROWIDS = 3 };
extern const char *const smi_db_rowids[SMI_DB_ROWIDS];
/* A copy of the name in the arena; of one that is among the n that are taken, with the first free number:
 * name_2. */
const char *smi_db_free_name(struct smi_arena *a, const char *name, const char *const *taken, size_t n,
                             int (*compare)(const char *, const char *));

/* The expression of an option with the names as SQL has them: lr becomes param."optimizer.lr" if no other
 * parameter or column is called so. The expression stands by itself, or it is none: what closes a bracket
 * that it did not open is an error. Afterwards read[] has the columns of it. Returns a text in the arena, or
 * NULL with err. */
const char *smi_db_resolve(struct smi_db *d, const char *opt, const char *expr, struct smi_err *err);
/* Is the text one name, as lr, param.lr or param."x y"? */
bool smi_db_is_name(struct smi_text t);
/* Appends to said, each with its NUL, which parameters that an expression names have another name in SQL, as
 * of two that differ in case only one has. */
void smi_db_report_names(struct smi_db *d, const char *expr, struct smi_buf *said);

/* The next column of a list, as smi_text_next_item. *order, if it is not NULL: how it is sorted, as SQL; its
 * leading minus is taken off then. */
bool smi_db_next_column(const char **list, struct smi_text *word, const char **order);
/* Appends the column that a list names: runs."idle_pct", param."lr". *number: false of a column of texts.
 * Returns 0, or -1 with err, which offers the nearest. */
int smi_db_column(struct smi_db *d, const char *opt, struct smi_text name, struct smi_buf *to, bool *number,
                  struct smi_err *err);
/* There is no column of this name: suggests one. quoted: as SQL has it. Returns -1. */
int smi_db_no_column(struct smi_db *d, const char *opt, const char *name, bool quoted, struct smi_err *err);
/* --- results --- */

/* A value of the row that a statement is at; its text is in the arena. */
struct smi_value_text smi_db_value(struct smi_arena *a, sqlite3_stmt *st, int i);
/* All rows of a statement as smi_db_select takes it. Returns 0, or -1 with err. */
int smi_result_read(struct smi_result *r, struct smi_db *d, const char *opt, struct smi_buf *sql,
                    struct smi_err *err);
/* A real number as smi_result has it; to has SMI_MICRO_TEXT bytes. Returns its length; 0 of one that is not
 * finite. */
size_t smi_real_text(char *to, double v);
