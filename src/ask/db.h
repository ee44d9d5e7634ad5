/* db.h - the tables of a sweep in memory, and a door to them that only reads. */
#ifndef SMI_ASK_DB_H
#define SMI_ASK_DB_H

#include "ask/ask.h"
#include "ask/columns.h"

#include <sqlite3.h>

/* A parameter, and its column of the table param, if it has one. */
struct smi_db_param {
    const char *key;
    const char *column; /* NULL: nobody asked for it */
    bool numbers, texts; /* what runs have of it; "nan" is neither */
};

struct smi_db {
    sqlite3 *db;
    struct smi_sweep *sweep;
    struct smi_arena arena;
    struct smi_buf asked;       /* all that the user typed: only what it mentions becomes a column */
    struct smi_db_param *param; /* by key */
    size_t params, made;        /* all, those with a column */
    bool left_out;              /* the query asks for all, and there are more than fit */
    bool locked;                /* the tables are made: from here on they are only read */
    const char *refused;        /* the function that was refused, or NULL */
    sqlite3_stmt *to_real;
};

/* Opens the tables of a sweep for what is asked. The sweep is borrowed. Returns 0, or -1 with err. */
int smi_db_open(struct smi_db *d, struct smi_sweep *s, const struct smi_ask *q, struct smi_err *err);
void smi_db_close(struct smi_db *d);

/* A statement that reads; opt is the option that it comes from, for messages. Returns NULL with err. */
sqlite3_stmt *smi_db_select(struct smi_db *d, const char *opt, const char *sql, struct smi_err *err);
/* The next row. Returns 1, 0 at the end, or -1 with err. */
int smi_db_step(struct smi_db *d, const char *opt, sqlite3_stmt *st, struct smi_err *err);

/* --- for those who fill it --- */

int smi_db_exec(struct smi_db *d, const struct smi_buf *sql, struct smi_err *err);
sqlite3_stmt *smi_db_insert(struct smi_db *d, const char *table, size_t columns, struct smi_err *err);
int smi_db_put(struct smi_db *d, sqlite3_stmt *st, struct smi_err *err); /* runs an insert, and makes it ready again */
void smi_db_bind(sqlite3_stmt *st, int at, const struct smi_datum *v);
/* A value as it was written: a number if JSON would write it without quotes. */
void smi_db_bind_text(struct smi_db *d, sqlite3_stmt *st, int at, const char *text, bool bare);
/* Is the name in what the user typed, or is there a *, which asks for all? */
bool smi_db_mentions(const struct smi_db *d, const char *name);
/* Appends "name", its quotes doubled. */
void smi_db_quote(struct smi_buf *to, const char *name);

int smi_db_fill_runs(struct smi_db *d, struct smi_err *err);  /* runs, param */
int smi_db_fill_lists(struct smi_db *d, struct smi_err *err); /* gpus, phases, findings */
/* stddev, median, p95. Returns an SQLite code. */
int smi_db_functions(sqlite3 *db);

/* --- names --- */

/* The parameter of this key, or NULL. */
struct smi_db_param *smi_db_param(const struct smi_db *d, const char *key);
/* Appends the column that a list names: runs."idle_pct", param."lr". *number: false of a column of texts. Returns 0, or
 * -1 with err, which offers the nearest. */
int smi_db_column(struct smi_db *d, const char *opt, struct smi_text name, struct smi_buf *to, bool *number,
                  struct smi_err *err);
/* There is no column of this name: says what may be meant. quoted: what is offered is SQL. Returns -1. */
int smi_db_no_column(const struct smi_db *d, const char *opt, const char *name, bool quoted, struct smi_err *err);
/* The same of a table. */
int smi_db_no_table(const char *opt, const char *name, struct smi_err *err);

#endif
