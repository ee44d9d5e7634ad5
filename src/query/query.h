/* query.h - questions to a sweep: which runs, in which order, which columns of them, or any SELECT. The
 * engine is SQLite's, over tables in memory; nothing of what is asked can change them, or reach anything
 * else. */
#pragma once

#include "base/buf.h"
#include "sweep/sweep.h"

/* What is asked, each as the user typed it, or NULL. */
struct smi_query {
    const char *where;    /* an SQL expression over the columns of runs, and param.NAME */
    const char *sort;     /* [-]COL[,...]: a minus is descending; runs without a value come last */
    const char *group_by; /* COL[,...]: a row a group, with mean, sd and n of the columns */
    const char *columns;  /* COL[,...] */
    const char *sql;      /* one SELECT; stands alone */
    const char *join;     /* FILE.csv[:KEY]: its columns become columns of runs */
    const char *since,
        *until;     /* the run began at or after, before: an ISO time, or 7d: that long before now */
    int64_t now_ms; /* UTC */
    const struct smi_prices *prices; /* for the cost in a ledger; or NULL */
};

enum {
    SMI_QUERY_PARAM_COLUMNS = 1900 /* columns of a table that are made of parameters; SQLite takes 2,000 */
};

bool smi_query_any(const struct smi_query *q);

enum smi_cell_kind { SMI_CELL_NULL, SMI_CELL_NUMBER, SMI_CELL_BOOL, SMI_CELL_TEXT };

/* A value as it is printed. Numbers: whole ones as they are, others as everywhere (docs/numbers.md §1), but
 * for those that are below a thousandth and no whole number of millionths: 15 digits of them. */
struct smi_value_text {
    const char *text; /* NULL: no value */
    enum smi_cell_kind kind;
};

/* The rows of an answer. Zero-initialise; all memory is its own, and ends with smi_result_fini. */
struct smi_result {
    struct smi_arena arena;
    bool made;         /* they are what was asked for; else the sweep is */
    const char **name; /* of the columns; no two are the same */
    size_t columns, n;
    size_t keys; /* of groups: so many columns name them, then comes n, then mean, sd and n of each column;
                    else 0 */
    struct smi_value_text *cell; /* n * columns, in the heap */
    size_t cap;
};

/* Answers: of the sweep only those runs are left that are asked for, in the order that is asked for; with
 * columns, group_by or sql the rows are made. said   gets sentences, each with its NUL: what the user should
 * know of the answer, as how many runs have no start Returns 0, or -1 with err: SMI_EUSAGE names the option,
 * and what does not exist with what may be meant. */
int smi_query_sweep(struct smi_sweep *s, const struct smi_query *q, struct smi_result *rows,
                    struct smi_buf *said, struct smi_err *err);
void smi_result_fini(struct smi_result *rows);
/* What can be said of it before any log is read: all but whether there are such columns. Returns 0, or -1
 * with err as above. */
int smi_query_check(const struct smi_query *q, struct smi_err *err);

/* The place among the fields of a run of a column of numbers, for --columns of diff; worse: of one that can
 * become worse, for --tolerance. Returns -1 with err, which suggests one. */
int smi_query_find_number(struct smi_text word, bool worse, struct smi_err *err);

/* ---- the ledger of a site (summary/ledger_row.h): rows of any number of jobs, added up by user, account,
 * GPU and more. Of a row nothing is kept but what tells that it comes again ---- */

/* By what rows can be grouped, the figures of a GPU, and those of every group. */
enum smi_ledger_field {
#define SMI_LEDGER_FIELD(id, ...) SMI_LEDGER_##id,
#include "query/ledger_field.def"
#undef SMI_LEDGER_FIELD
    SMI_LEDGER_FIELDS,
    SMI_LEDGER_KEYS = SMI_LEDGER_NOTE
};
extern const struct smi_field_info smi_ledger_fields[SMI_LEDGER_FIELDS];

/* The sums of all rows in n files ("-": standard input), by q->group_by (NULL: user,account), with
 * q->columns, in the order of q->sort. said gets sentences, each with its NUL: of lines that are no rows, and
 * of rows that came again. Returns 0, or -1 with err: SMI_EUSAGE names the option, SMI_EFORMAT: there is no
 * row. */
int smi_ledger_query(const char *const *path, size_t n, const struct smi_query *q, struct smi_result *rows,
                     struct smi_buf *said, struct smi_err *err);
