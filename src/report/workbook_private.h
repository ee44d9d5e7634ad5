/* workbook_private.h - what the sheets of the workbook share. Not installed. */
#ifndef SMI_REPORT_WORKBOOK_PRIVATE_H
#define SMI_REPORT_WORKBOOK_PRIVATE_H

#include "query/query.h"
#include "summary/run_fields.h"
#include "report/text.h"
#include "report/xlsx.h"

#include <stddef.h>

/* Values come as millionths of what the logs and the fields say; `per` of them are one of what is shown. */
#define SMI_WORKBOOK_RAW 1e6
#define SMI_WORKBOOK_PCT 1e8     /* percent: 12.5 is shown as 0.125 with a format of percent */
#define SMI_WORKBOOK_HOURS 3.6e9 /* of seconds */
#define SMI_WORKBOOK_MINUTES 6e7
#define SMI_WORKBOOK_KILO 1e9
#define SMI_WORKBOOK_GIB 1.024e9 /* of MiB */

struct smi_workbook_column {
    const char *head;                /* with the unit */
    enum smi_xlsx_kind kind;         /* SMI_XLSX_GENERAL: that of the field */
    enum smi_field_total sum;        /* in row 2, of the rows that the filter lets through */
    double per;                      /* 0: SMI_WORKBOOK_RAW, or as the field needs it */
    const struct smi_field_info *of; /* the field that it shows; or NULL */
    const char *help;                /* NULL: that of the field */
    int most;                        /* characters of its width at most; 0: 60 */
    bool money, co2;                 /* only with a price; with the CO2 of a kWh */
    bool bars;
};

enum smi_workbook_value {
    SMI_WORKBOOK_EMPTY,
    SMI_WORKBOOK_NUMBER,
    SMI_WORKBOOK_BOOL,
    SMI_WORKBOOK_TEXT,
    SMI_WORKBOOK_LINK
};
struct smi_workbook_cell {
    enum smi_workbook_value is;
    double v;
    const char *text;
    enum smi_xlsx_appearance look;
    enum smi_xlsx_kind kind;         /* SMI_XLSX_GENERAL: the column's */
    const struct smi_xlsx_sheet *to; /* of a link */
    int64_t to_row;
};

/* The sheets in their order; behind them come those of runs. */
enum smi_workbook_sheet {
    SMI_WORKBOOK_OVERVIEW,
    SMI_WORKBOOK_RUNS,
    SMI_WORKBOOK_GROUPS,
    SMI_WORKBOOK_GPUS,
    SMI_WORKBOOK_PHASES,
    SMI_WORKBOOK_COMMANDS, /* is there only where a command was tracked */
    SMI_WORKBOOK_FINDINGS,
    SMI_WORKBOOK_INPUTS,
    SMI_WORKBOOK_ABOUT,
    SMI_WORKBOOK_SHEETS,
    SMI_WORKBOOK_ROWS = SMI_WORKBOOK_SHEETS /* of an answer: the only sheet */
};
extern const char *const smi_workbook_sheets[SMI_WORKBOOK_ROWS + 1];
enum { SMI_WORKBOOK_FIRST_RUN = 2 /* the row of the first run in Runs */ };

struct smi_workbook;
/* Fills the cells, which are empty, of row i. */
typedef void smi_workbook_fill(struct smi_workbook *b, void *self, size_t i, struct smi_workbook_cell *cell);

/* A sheet that is a table: heads, perhaps totals under them, rows. */
struct smi_workbook_table {
    enum smi_workbook_sheet sheet;
    const char *about; /* what it is, in a sentence */
    const struct smi_workbook_column *col;
    int n;
    bool sums;
    const char *none; /* what to say without rows */
    smi_workbook_fill *fill;
    void *self;
};

/* A sheet that stands in About. */
struct smi_workbook_described {
    struct smi_workbook_table table;
    struct smi_workbook_described *next;
};

#define SMI_WORKBOOK_ALL_RUNS "all runs"
struct smi_workbook {
    struct smi_xlsx *x;
    const struct smi_sweep *sweep;
    const struct smi_result *rows; /* or these, and no sweep */
    const struct smi_render_options *look;
    struct smi_text_arena page; /* for words; everything that lives as long as the workbook is in its arena */
    struct smi_buf words;
    struct smi_workbook_described *said, **said_end;
    bool zoned; /* times are on one clock: offset_s east of UTC */
    int offset_s;
    const char *zone;                                    /* "UTC+02:00", "UTC", "zone not known" */
    struct smi_xlsx_sheet *sheet[SMI_WORKBOOK_ROWS + 1]; /* made first: others lead there */
    struct smi_xlsx_sheet **series;                      /* of run i, or NULL */
    int64_t group_first, group_last;                     /* the rows of Groups that Overview draws */
    const char *group_by;                                /* a parameter, "run" or SMI_WORKBOOK_ALL_RUNS */
    int group_width;                                     /* characters of the widest value there */
    size_t left_params;                                  /* columns that there was no room for */
    size_t unread;                                       /* runs whose rows could not be read again */
    size_t left_groups;                                  /* parameters that have no block */
};

/* Writes all rows of a table; a sheet that is full goes on in a next one. What t leads to must live as long
 * as b. */
void smi_workbook_table(struct smi_workbook *b, const struct smi_workbook_table *t, size_t rows);
/* Describes a table in About. */
void smi_workbook_describe(struct smi_workbook *b, const struct smi_workbook_table *t);
/* Copies n columns into an array of `all`, with what their fields say of them. NULL without memory. */
struct smi_workbook_column *smi_workbook_columns(struct smi_workbook *b,
                                                 const struct smi_workbook_column *col, int n, int all);
/* The column of a field that has no row in workbook_column.def. */
struct smi_workbook_column smi_workbook_field_column(const struct smi_field_info *f);
/* Fills the cells of the columns that show one of the fields; v: the value of each. */
void smi_workbook_fields(struct smi_workbook_cell *c, const struct smi_workbook_column *col, int n,
                         const struct smi_field_info *fields, int count, const struct smi_datum *v);
/* Memory that lives as long as b; NULL without, and the page has failed. */
void *smi_workbook_alloc(struct smi_workbook *b, size_t n, size_t size);

/* Cells. */
void smi_workbook_datum(struct smi_workbook_cell *c, const struct smi_workbook_column *col,
                        const struct smi_datum *v);
void smi_workbook_value(struct smi_workbook_cell *c, const struct smi_workbook_column *col,
                        struct smi_value v);
void smi_workbook_ratio(struct smi_workbook_cell *c, double num, double den);
void smi_workbook_count(struct smi_workbook_cell *c, int64_t n);
void smi_workbook_text(struct smi_workbook_cell *c, const char *text); /* NULL: empty */
/* A parameter that was written as a number is one, if none of its digits is lost. p may be NULL. */
void smi_workbook_param(struct smi_workbook_cell *c, const struct smi_param *p);
/* A time of a run, on the clock of the workbook; grey where its zone is not known. */
void smi_workbook_time(const struct smi_workbook *b, struct smi_workbook_cell *c, const struct smi_summary *s,
                       int64_t ms);
double smi_workbook_day(int64_t ms); /* milliseconds since 1970 as days since 1899-12-30 */
/* The name of a run, which leads to its charts, or to its row in Runs. */
void smi_workbook_run(const struct smi_workbook *b, struct smi_workbook_cell *c, const struct smi_summary *s,
                      bool row);

/* The sheets. */
void smi_workbook_overview(struct smi_workbook *b);
void smi_workbook_runs(struct smi_workbook *b);
void smi_workbook_groups(struct smi_workbook *b);
void smi_workbook_gpus(struct smi_workbook *b);
void smi_workbook_phases(struct smi_workbook *b);
size_t smi_workbook_has_commands(const struct smi_workbook *b); /* how many */
void smi_workbook_commands(struct smi_workbook *b);
void smi_workbook_findings(struct smi_workbook *b);
void smi_workbook_inputs(struct smi_workbook *b);
void smi_workbook_charts(struct smi_workbook *b);
void smi_workbook_samples(struct smi_workbook *b); /* with --samples all */

#endif
