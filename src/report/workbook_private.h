/* workbook_private.h - what the sheets of the workbook share. Not installed. */
#ifndef SMI_REPORT_WORKBOOK_PRIVATE_H
#define SMI_REPORT_WORKBOOK_PRIVATE_H

#include "query/query.h"
#include "summary/run_fields.h"
#include "report/text.h"
#include "report/xlsx.h"

#include <stddef.h>

/* What a column shows in row 2, of the rows that the filter lets through. */
enum smi_book_sum { SMI_BOOK_NONE, SMI_BOOK_SUM, SMI_BOOK_MEAN, SMI_BOOK_MAX };

/* Values come as millionths of what the logs and columns.def say; `per` of them are one of what is shown. */
#define SMI_BOOK_RAW 1e6
#define SMI_BOOK_PCT 1e8     /* percent: 12.5 is shown as 0.125 with a format of percent */
#define SMI_BOOK_HOURS 3.6e9 /* of seconds */
#define SMI_BOOK_MINUTES 6e7
#define SMI_BOOK_KILO 1e9
#define SMI_BOOK_GIB 1.024e9 /* of MiB */

struct smi_book_column {
    const char *head; /* with the unit */
    enum smi_xlsx_kind kind;
    enum smi_book_sum sum;
    double per;
    const struct smi_run_column *of; /* whose help it has; or NULL */
    const char *help;
    int most;        /* characters of its width at most; 0: 60 */
    bool money, co2; /* only with a price; with the CO2 of a kWh */
    bool bars;
};

enum smi_book_value { SMI_BOOK_EMPTY, SMI_BOOK_NUMBER, SMI_BOOK_BOOL, SMI_BOOK_TEXT, SMI_BOOK_LINK };
struct smi_book_cell {
    enum smi_book_value is;
    double v;
    const char *text;
    enum smi_xlsx_look look;
    enum smi_xlsx_kind kind;         /* SMI_XLSX_GENERAL: the column's */
    const struct smi_xlsx_sheet *to; /* of a link */
    int64_t to_row;
};

/* The sheets in their order; behind them come those of runs. */
enum smi_book_sheet {
    SMI_BOOK_OVERVIEW,
    SMI_BOOK_RUNS,
    SMI_BOOK_GROUPS,
    SMI_BOOK_GPUS,
    SMI_BOOK_PHASES,
    SMI_BOOK_COMMANDS, /* is there only where a command was tracked */
    SMI_BOOK_FINDINGS,
    SMI_BOOK_INPUTS,
    SMI_BOOK_ABOUT,
    SMI_BOOK_SHEETS,
    SMI_BOOK_ROWS = SMI_BOOK_SHEETS /* of an answer: the only sheet */
};
extern const char *const smi_book_sheets[SMI_BOOK_ROWS + 1];
enum { SMI_BOOK_FIRST_RUN = 2 /* the row of the first run in Runs */ };

struct smi_book;
/* Fills the cells, which are empty, of row i. */
typedef void smi_book_fill(struct smi_book *b, void *self, size_t i, struct smi_book_cell *cell);

/* A sheet that is a table: heads, perhaps totals under them, rows. */
struct smi_book_table {
    enum smi_book_sheet sheet;
    const char *about; /* what it is, in a sentence */
    const struct smi_book_column *col;
    int n;
    bool sums;
    const char *none; /* what to say without rows */
    smi_book_fill *fill;
    void *self;
};

/* A sheet that stands in About. */
struct smi_book_said {
    const struct smi_book_table *table;
    struct smi_book_said *next;
};

#define SMI_BOOK_ALL_RUNS "all runs"
struct smi_book {
    struct smi_xlsx *x;
    const struct smi_sweep *sweep;
    const struct smi_answer *rows; /* or these, and no sweep */
    const struct smi_look *look;
    struct smi_page page; /* for words; everything that lives as long as the workbook is in its arena */
    struct smi_buf words;
    struct smi_book_said *said, **said_end;
    bool zoned; /* times are on one clock: offset_s east of UTC */
    int offset_s;
    const char *zone;                              /* "UTC+02:00", "UTC", "zone not known" */
    struct smi_xlsx_sheet *sheet[SMI_BOOK_ROWS + 1]; /* made first: others lead there */
    struct smi_xlsx_sheet **series;                /* of run i, or NULL */
    int64_t group_first, group_last;               /* the rows of Groups that Overview draws */
    const char *group_by;                          /* a parameter, "run" or SMI_BOOK_ALL_RUNS */
    int group_width;    /* characters of the widest value there */
    size_t left_params; /* columns that there was no room for */
    size_t unread;      /* runs whose rows could not be read again */
    size_t left_groups; /* parameters that have no block */
};

/* Writes all rows of a table; a sheet that is full goes on in a next one. The table must live as long as b. */
void smi_book_table(struct smi_book *b, struct smi_book_table *t, size_t rows);
/* Memory that lives as long as b; NULL without, and the page has failed. */
void *smi_book_new(struct smi_book *b, size_t n, size_t size);

/* Cells. */
void smi_book_datum(struct smi_book_cell *c, const struct smi_book_column *col, const struct smi_datum *v);
void smi_book_value(struct smi_book_cell *c, const struct smi_book_column *col, struct smi_value v);
void smi_book_ratio(struct smi_book_cell *c, double num, double den);
void smi_book_count(struct smi_book_cell *c, int64_t n);
void smi_book_text(struct smi_book_cell *c, const char *text); /* NULL: empty */
/* A parameter that was written as a number is one, if none of its digits is lost. p may be NULL. */
void smi_book_param(struct smi_book_cell *c, const struct smi_param *p);
/* A time of a run, on the clock of the workbook; grey where its zone is not known. */
void smi_book_when(const struct smi_book *b, struct smi_book_cell *c, const struct smi_summary *s, int64_t ms);
double smi_book_day(int64_t ms); /* milliseconds since 1970 as days since 1899-12-30 */
/* The name of a run, which leads to its charts, or to its row in Runs. */
void smi_book_run(const struct smi_book *b, struct smi_book_cell *c, const struct smi_summary *s, bool row);

/* The sheets. */
void smi_book_overview(struct smi_book *b);
/* Of it the tables; row: the next that is empty. */
void smi_book_hours(struct smi_book *b, struct smi_xlsx_sheet *to, int64_t *row);
void smi_book_worst(struct smi_book *b, struct smi_xlsx_sheet *to, int64_t *row);
void smi_book_runs(struct smi_book *b);
void smi_book_groups(struct smi_book *b);
void smi_book_gpus(struct smi_book *b);
void smi_book_phases(struct smi_book *b);
size_t smi_book_has_commands(const struct smi_book *b); /* how many */
void smi_book_commands(struct smi_book *b);
void smi_book_findings(struct smi_book *b);
void smi_book_inputs(struct smi_book *b);
void smi_book_about(struct smi_book *b);
void smi_book_series(struct smi_book *b);
void smi_book_samples(struct smi_book *b); /* with --samples all */

#endif
