/* run_columns.h - the columns of the tables of runs: what each says of a run, in text, Markdown and pages. */
#ifndef SMI_REPORT_RUN_COLUMNS_H
#define SMI_REPORT_RUN_COLUMNS_H

#include "report/text_report.h"

/* In the order of the tables. SPARKLINE, VRAM_TOTAL and others stand in some forms only. */
enum smi_run_table_id {
    SMI_RUNS_NAME,
    SMI_RUNS_STATE,
    SMI_RUNS_TIME,
    SMI_RUNS_UTIL,
    SMI_RUNS_P95,
    SMI_RUNS_SPARKLINE,
    SMI_RUNS_IDLE,
    SMI_RUNS_VRAM,
    SMI_RUNS_VRAM_TOTAL,
    SMI_RUNS_POWER,
    SMI_RUNS_TEMP,
    SMI_RUNS_CPU,
    SMI_RUNS_SLOWED,
    SMI_RUNS_ENERGY,
    SMI_RUNS_GPUS,
    SMI_RUNS_GPU_HOURS,
    SMI_RUNS_WASTED,
    SMI_RUNS_COST,
    SMI_RUNS_WASTED_COST,
    SMI_RUNS_WASTED_PART, /* the first of five, as smi_waste_names */
    SMI_RUNS_UNKNOWN = SMI_RUNS_WASTED_PART + 5,
    SMI_RUNS_START,
    SMI_RUNS_HOST,
    SMI_RUNS_NOTE,
    SMI_RUNS_COLUMNS
};

enum smi_run_table_kind {
    SMI_AS_TEXT,     /* words, made by the id */
    SMI_AS_LINK,     /* the name of the run */
    SMI_AS_INSTANT,  /* a time */
    SMI_AS_VALUE,    /* a struct smi_value of the summary, with a number of decimals */
    SMI_AS_GIB,      /* the same in MiB, shown in GiB */
    SMI_AS_HEADLINE, /* a figure of the headline summary */
    SMI_AS_COUNT,    /* GPUs */
    SMI_AS_HOURS,    /* GPU time: covered, wasted, of a cause of waste, not known */
    SMI_AS_SPAN      /* a struct smi_value of seconds */
};

struct smi_run_table_column {
    enum smi_run_table_kind kind;
    int digits;
    size_t at;     /* where the value lies in struct smi_summary; of a headline figure its place there */
    unsigned mark; /* SMI_CELL_* that a finding may rest on */
    struct {
        const char *head; /* NULL: not in text */
        int least, leave; /* as struct smi_grid_column */
        int from;         /* columns of a terminal from which it is shown */
        bool total;       /* the row of totals has it */
    } text;
    const char *key, *head, *csv,
        *help; /* of pages, where csv is the key of summarize's CSV; NULL: not there */
    bool more; /* pages show it only on request */
};
extern const struct smi_run_table_column smi_run_table_columns[SMI_RUNS_COLUMNS];

/* What a column says of a run; "-" if nothing is known. Not of SMI_AS_LINK and SMI_RUNS_SPARKLINE. */
const char *smi_run_cell_text(struct smi_text_arena *g, int id, const struct smi_summary *s);
/* The number that is printed rounded, of SMI_AS_VALUE and SMI_AS_GIB. */
struct smi_value smi_run_cell_value(int id, const struct smi_summary *s);
/* Exact milliseconds of SMI_AS_HOURS and SMI_AS_SPAN; -1: not known. */
int64_t smi_run_cell_ms(int id, const struct smi_summary *s);
/* The sweep as if it were one run, so that a total is said in the words of its rows. */
void smi_total_as_run(struct smi_summary *all, const struct smi_sweep *s);

#endif
