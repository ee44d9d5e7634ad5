/* run_columns.h - the columns of the tables of runs: what each says of a run, in text, Markdown and pages. */
#ifndef SMI_REPORT_RUN_COLUMNS_H
#define SMI_REPORT_RUN_COLUMNS_H

#include "report/text_report.h"
#include "summary/run_fields.h"

#define SMI_RUN_COLUMN(id, ...) SMI_RUNS_##id,
enum smi_run_table_id {
#include "report/run_column.def"
    SMI_RUNS_COLUMNS
};
#undef SMI_RUN_COLUMN

/* When columns of text leave a window that is too narrow; those above the last do so while names stay whole.
 */
enum { SMI_RUNS_LEAVE_LAST = 10, SMI_RUNS_LEAVE_PARAMS = 5 };

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
        const char *head;      /* NULL: not in text */
        int least, gap, leave; /* as struct smi_table_column */
        int from;              /* columns of a terminal from which it is shown */
        bool sparse;           /* as struct smi_table_column */
        bool total;            /* the row of totals has it */
    } text;
    const char *key, *head, *csv,
        *help; /* of pages, where csv is the key of summarize's CSV; NULL: not there */
    bool more; /* pages show it only on request */
};
extern const struct smi_run_table_column smi_run_table_columns[SMI_RUNS_COLUMNS];

/* When a run started, with its zone where other runs have none; field: without a blank, always with its zone.
 * Runs with a zone are shown in that of g->offset_s, which the head names. */
const char *smi_run_start(struct smi_text_arena *g, const struct smi_summary *s, bool field);
/* What a column says of a run; "-" if nothing is known. Not of SMI_AS_LINK and SMI_RUNS_SPARKLINE. */
const char *smi_run_cell_text(struct smi_text_arena *g, int id, const struct smi_summary *s);
/* The number that is printed rounded, of SMI_AS_VALUE, SMI_AS_GIB, SMI_AS_SPAN (seconds) and SMI_RUNS_UTIL.
 */
struct smi_value smi_run_cell_value(int id, const struct smi_summary *s);
/* Exact milliseconds of SMI_AS_HOURS and SMI_AS_SPAN; -1: not known. */
int64_t smi_run_cell_ms(int id, const struct smi_summary *s);
/* The field whose key this is, if the tables of runs have a column for it (`listed` in model/run_field.def)
 * besides those of run_column.def; else NULL. */
const struct smi_field_info *smi_listed_field(const char *key);
/* The keys of all of these, which are added to key[n]. Returns how many there are then. */
int smi_listed_fields(const char **key, int n);
/* What a listed field says of a run; "-" if nothing is known. */
const char *smi_listed_text(struct smi_text_arena *g, const struct smi_field_info *f,
                            const struct smi_summary *s);
/* The sweep as if it were one run, so that a total is said in the words of its rows. */
void smi_total_as_run(struct smi_summary *all, const struct smi_sweep *s);

#endif
