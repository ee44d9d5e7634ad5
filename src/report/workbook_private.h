/* workbook_private.h - what the sheets of the workbook share. Not installed. */
#pragma once

#include "query/query.h"
#include "summary/run_fields.h"
#include "report/fmt.h"
#include "report/xlsx.h"

/* Values come as millionths of what the logs and the fields say; `per` of them are one of what is shown. */
#define SMI_WORKBOOK_RAW 1e6
#define SMI_WORKBOOK_PCT 1e8     /* percent: 12.5 is shown as 0.125 with a format of percent */
#define SMI_WORKBOOK_HOURS 3.6e9 /* of seconds */
#define SMI_WORKBOOK_MINUTES 6e7
#define SMI_WORKBOOK_KILO 1e9
#define SMI_WORKBOOK_GIB 1.024e9   /* of MiB */
#define SMI_WORKBOOK_HOUR_MS 3.6e6 /* milliseconds of an hour */

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
    SMI_WORKBOOK_ROWS, /* of an answer: the only sheet */
    SMI_WORKBOOK_SHEETS
};
struct smi_workbook_sheet_info {
    const char *name, *about; /* what it is, in a sentence */
    const char *none;         /* what to say without rows */
    bool totals;              /* in row 2 */
};
extern const struct smi_workbook_sheet_info smi_workbook_sheets[SMI_WORKBOOK_SHEETS];

struct smi_workbook_column {
    const char *head;         /* with the unit */
    enum smi_xlsx_kind kind;  /* SMI_XLSX_GENERAL: that of the field */
    enum smi_field_total sum; /* in row 2, of the rows that the filter lets through; none: in Runs that of
                               * the field */
    double per;               /* 0: SMI_WORKBOOK_RAW, or as the field needs it */
    const struct smi_field_info *of; /* the field that it shows; or NULL */
    const char *help;                /* NULL: that of the field */
    int most;                        /* characters of its width at most; 0: 60 */
    bool money, co2, part; /* only with a price; with the CO2 of a kWh; if some energy is known in part */
    bool bars;
};

/* The columns of a sheet, which the first row makes, and the cells of the row at hand. */
struct smi_workbook_table {
    struct smi_workbook_column *col;
    struct smi_xlsx_cell *cell;
    int n, room; /* columns; how many there may be, and cell[room] takes what no column shows */
    int at;      /* where the next cell goes */
    double per;  /* of the column of the last cell */
};

enum { SMI_WORKBOOK_FIRST_RUN = 2 /* the row of the first run in Runs */ };

#define SMI_WORKBOOK_ALL_RUNS "all runs"
struct smi_workbook {
    struct smi_xlsx *x;
    const struct smi_sweep *sweep;
    const struct smi_result *rows; /* or these, and no sweep */
    const struct smi_render_options *look;
    struct smi_text_arena page; /* for words; everything that lives as long as the workbook is in its arena */
    struct smi_buf words;
    bool zoned; /* times are on one clock: offset_s east of UTC */
    int offset_s;
    const char *zone;                                  /* "UTC+02:00", "UTC", "zone not known" */
    struct smi_xlsx_sheet *sheet[SMI_WORKBOOK_SHEETS]; /* made first: others lead there */
    struct smi_workbook_table table[SMI_WORKBOOK_SHEETS];
    struct smi_xlsx_sheet **series;  /* of run i, or NULL */
    int64_t group_first, group_last; /* the rows of Groups that Overview draws */
    const char *group_by;            /* a parameter, "run" or SMI_WORKBOOK_ALL_RUNS */
    int group_width;                 /* characters of the widest value there */
    size_t left_params;              /* columns that there was no room for */
    size_t unread;                   /* runs whose rows could not be read again */
    size_t left_groups;              /* parameters that have no block */
};

/* Makes room for n columns in the table of a sheet. */
struct smi_workbook_table *smi_workbook_table(struct smi_workbook *b, enum smi_workbook_sheet sheet,
                                              size_t n);
/* Begins a row. */
void smi_workbook_begin(struct smi_workbook_table *t);
/* The next cell of the row, empty; in the first row this makes its column, with what its field says of it.
 * SMI_COLUMN(head, ...): members of struct smi_workbook_column. A column that needs a price that there is not
 * is not shown, and its cell goes nowhere. */
struct smi_xlsx_cell *smi_workbook_put(struct smi_workbook *b, struct smi_workbook_table *t,
                                       struct smi_workbook_column c);
#define SMI_COLUMN(...) ((struct smi_workbook_column){.head = __VA_ARGS__})
/* Puts the cells of row i; i at SIZE_MAX: of any row, for the columns. */
typedef void smi_workbook_fill(struct smi_workbook *b, struct smi_workbook_table *t, void *self, size_t i);
/* Writes all rows of a sheet that has a table; a sheet that is full goes on in a next one. */
void smi_workbook_write(struct smi_workbook *b, enum smi_workbook_sheet sheet, size_t rows,
                        smi_workbook_fill *fill, void *self);
/* Writes the cells of a row, in the look that all have. */
void smi_workbook_row(struct smi_xlsx_sheet *to, int64_t row, const struct smi_workbook_table *t,
                      enum smi_xlsx_appearance look);

/* Cells. */
double smi_workbook_per(const char *unit); /* of what is shown instead: shares, GiB */
void smi_workbook_value(struct smi_xlsx_cell *c, double per, struct smi_value v);
void smi_workbook_number(struct smi_xlsx_cell *c, double v);
void smi_workbook_text(struct smi_xlsx_cell *c, const char *text);       /* NULL: empty */
const char *smi_workbook_capital(struct smi_workbook *b, const char *t); /* "Busy" of "busy" */
/* A text that was written as a number is one, if none of its digits is lost. */
void smi_workbook_param(struct smi_xlsx_cell *c, const char *text, bool bare);
/* A time of a run, on the clock of the workbook; grey where its zone is not known. */
void smi_workbook_time(const struct smi_workbook *b, struct smi_xlsx_cell *c, const struct smi_summary *s,
                       int64_t ms);
/* The name of a run, which leads to its charts, or to its row in Runs. */
void smi_workbook_run(const struct smi_workbook *b, struct smi_xlsx_cell *c, const struct smi_summary *s,
                      bool row);

/* The sheets. */
void smi_workbook_overview(struct smi_workbook *b);
void smi_workbook_lists(struct smi_workbook *b); /* Runs, GPUs, Phases, Commands, Findings, Inputs */
void smi_workbook_groups(struct smi_workbook *b);
