/* run_columns.h - the columns of the tables of runs: what each says of a run, in text, Markdown and pages. */
#pragma once

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

/* What a column says of a run; "-" if nothing is known. Not of SMI_AS_LINK and SMI_RUNS_SPARKLINE. */
const char *smi_run_cell_text(struct smi_text_arena *g, int id, const struct smi_summary *s);
/* The number that is printed rounded, of SMI_AS_VALUE, SMI_AS_GIB, SMI_AS_SPAN (seconds) and SMI_RUNS_UTIL.
 */
struct smi_value smi_run_cell_value(int id, const struct smi_summary *s);
/* Exact milliseconds of SMI_AS_HOURS and SMI_AS_SPAN; -1: not known. */
int64_t smi_run_cell_ms(int id, const struct smi_summary *s);

/* ---- runs in an order, and runs that share a value of a parameter: the values, the sums of each group
 * ---- */

/* How many different values a parameter has over all runs. */
size_t smi_param_values(struct smi_text_arena *g, const char *key);
/* Fewer than half of the runs have this parameter, or all that have it have one value. */
bool smi_param_is_rare(struct smi_text_arena *g, const char *key);

/* Parameters and joined columns whose values gather runs: those of --group-by in its order, then, if they are
 * no results, others that enough runs have, last with `repeats` those that repeat runs. Returns how many. */
size_t smi_group_keys(struct smi_text_arena *g, bool repeats, const char ***out);

/* What is averaged over the runs of a group: columns of run_column.def. */
enum { SMI_GROUP_MEASURES = 4 };
extern const int smi_group_measures[SMI_GROUP_MEASURES];

struct smi_run_group {
    const char *value; /* NULL: runs without the parameter, and those that are joined */
    const char *name;  /* the same to print */
    struct smi_total sum;
    struct smi_value vram, vram_total; /* of the run with the highest peak */
    bool out_of_memory;                /* that run ran out of memory */
    struct {
        smi_i128 s1, s2; /* the sum of the values, and of their squares */
        int64_t n;
    } of[SMI_GROUP_MEASURES];
};

void smi_run_group_add(struct smi_run_group *p, const struct smi_summary *s);
/* Adds every run to the group of its value of the parameter, else to group[n]. */
void smi_run_groups_add(const struct smi_sweep *s, const char *key, struct smi_run_group *group, size_t n);
/* The groups of all values of a parameter in order of names, filled, then one for all other runs, and room
 * for one more. Returns how many values there are. */
size_t smi_run_groups(struct smi_text_arena *g, const char *key, struct smi_run_group **out);
/* Standard deviation of a measure, times the number of its runs. */
smi_i128 smi_run_group_deviation(const struct smi_run_group *p, int measure);

/* All runs of the sweep, in an arena; by_waste: those that wasted most first. */
const struct smi_summary **smi_runs_in_order(struct smi_text_arena *g, struct smi_arena *arena,
                                             bool by_waste);
