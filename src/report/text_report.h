/* text_report.h - the table for people, and its parts. */
#pragma once

#include "summary/summary.h"
#include "summary/findings.h"
#include "summary/run_fields.h"
#include "report/table.h"

/* How a text of a log is put, as the name of a run or file: smi_fmt_safe, or in a code span. */
typedef const char *smi_name_format_fn(struct smi_text_arena *g, const char *text);

/* Why it is thought that a run was cut. */
const char *smi_run_cut_reason(struct smi_text_arena *g, const struct smi_summary *s);
const char *smi_run_note_text(struct smi_text_arena *g, const struct smi_summary *s);
/* "; 3.00 GPU-hours have no readings of GPU use", to stand behind a sentence about waste; "" if that is less
 * than 1 % of the GPU-hours or less than 0.01 GPU-hours. */
const char *smi_unknown_hours_text(struct smi_text_arena *g, const struct smi_total *t);

/* What the sweep is called: the last part of its PATH, safe to print. */
const char *smi_sweep_name(struct smi_text_arena *g);
/* "18.4 % of 20.37 GPU-hours were wasted, mostly in one failed run." */
const char *smi_waste_sentence(struct smi_text_arena *g);

/* What a page and a workbook begin with: so many runs, GPU-hours, those wasted, energy, and the cost, or
 * without prices the time of the runs; what else there is to say of each, or "". */
struct smi_sweep_figure {
    const char *label, *text, *more;
};
enum { SMI_SWEEP_FIGURES = 5 };
void smi_sweep_figures_make(struct smi_text_arena *g, struct smi_sweep_figure f[SMI_SWEEP_FIGURES]);

/* The table of runs: n of them, and the total of the sweep under them if asked. */
void smi_text_runs(struct smi_text_arena *g, const struct smi_summary *const *run, size_t n, bool total);
/* A table of n runs for Markdown and pages, with the total of the sweep if asked. *left: how many parameters
 * that differ have no column. */
void smi_runs_table(struct smi_report_table *t, struct smi_text_arena *g,
                    const struct smi_summary *const *run, size_t n, bool total, size_t *left);
enum { SMI_PARAM_COLUMNS = 20 /* at most, in text */ };
/* Do the names of all n runs say it already? */
bool smi_param_in_names(const struct smi_summary *const *run, size_t n, const char *key);
/* The lines above the table: what was read, its grid, GPUs, common parameters, time range, interval. */
void smi_text_head(struct smi_text_arena *g, smi_name_format_fn *name);
/* The time from the first start to the last end of the runs, on the clock that the head names: that of the
 * zone which all share, else UTC; local where no run has a zone. Returns how many runs are not in it, for
 * their zone is not known. */
size_t smi_runs_time_span(struct smi_summary *span, const struct smi_summary *runs, size_t n);
/* The time range of runs on one clock and its zone, to seconds or minutes; "" if no run has times. */
const char *smi_fmt_time_range(struct smi_text_arena *g, const struct smi_summary *runs, size_t n,
                               bool seconds);
/* The framework that says how much memory a run used: "JAX", "torch"; NULL: the device says it. */
const char *smi_vram_framework(const struct smi_summary *s);
/* The GPUs of a run that can be told apart, and, if model is not NULL, their model: NULL if it is not known,
 * "" if there are several. */
size_t smi_run_gpus(const struct smi_summary *s, const char **model);
/* "2 x H100 80GB HBM3", or NULL without GPUs. */
const char *smi_fmt_gpus(struct smi_text_arena *g, const struct smi_summary *s);
/* int64_t in rising order, for qsort. */
int smi_compare_counts(const void *a, const void *b);
/* One run; all of it, or what one wants to see of a sweep of one. */
void smi_text_run(struct smi_text_arena *g, const struct smi_summary *s, bool all);
/* A cause of waste: its GPU time, the runs that it touches and how many of their GPUs, in words where and
 * why.
 */
struct smi_waste_cause {
    int id; /* as smi_waste_names */
    const char *name;
    bool sum; /* of the sweep: all that was wasted, all there is, and the energy beside it, which has no ms */
    int64_t ms; /* negative: it has none */
    struct smi_value cost;
    const struct smi_summary **run;
    size_t n, gpus;
    const char *where, /* "10 runs"; NULL: in the run */
        *why,          /* "idle before the first work, 3m25s"; safe */
        *advice;       /* or NULL */
    bool advised;      /* the sum of several runs is worth it, whatever it is in each of them */
};
/* The causes that touch n runs, largest first. Returns how many. */
size_t smi_waste_causes(struct smi_text_arena *g, const struct smi_summary *runs, size_t n,
                        struct smi_waste_cause out[5]);
/* The same as rows of a table; whole: of the sweep, with the time that was not wasted, and sums. Returns how
 * many; 0 without GPU time. */
enum { SMI_WASTE_PARTS = 10 };
size_t smi_waste_parts(struct smi_text_arena *g, const struct smi_summary *runs, size_t n, bool whole,
                       struct smi_waste_cause out[SMI_WASTE_PARTS]);
/* "Where 3.67 of 20.41 GPU-hours went (18.0 %)", of n runs; NULL: nothing was wasted. */
const char *smi_waste_title(struct smi_text_arena *g, const struct smi_summary *runs, size_t n);

/* The builders begin a table: one that has nothing to show returns false or 0. */

/* The causes of waste in n runs; whole: of the sweep, with the time that was not wasted, and sums. */
bool smi_waste_table(struct smi_report_table *t, struct smi_text_arena *g, const struct smi_summary *runs,
                     size_t n, bool whole);
/* The phases of n runs. */
bool smi_phase_table(struct smi_report_table *t, struct smi_text_arena *g, const struct smi_summary *runs,
                     size_t n);
/* The inputs of n runs: all, or with `most` the first with rejected rows, gaps or oddities. Returns how many
 * of all are such. */
size_t smi_input_table(struct smi_report_table *t, struct smi_text_arena *g, const struct smi_summary *runs,
                       size_t n, size_t most);
/* "line 7: what is odd in it". */
const char *smi_problem_text(struct smi_text_arena *g, const struct smi_log_warning *p);
/* "13 ms", "2.0 s", "5m10s", "-" */
const char *smi_fmt_interval(struct smi_text_arena *g, struct smi_value s);

/* What it is, in as few words as fit a note: "GPU 3 lost", "XID 79", "uncorrected ECC errors". */
const char *smi_error_text(struct smi_text_arena *g, const struct smi_error *e);
/* A GPU in a word: its index, else the start of its uuid, else its bus. */
const char *smi_gpu_label(struct smi_text_arena *g, const struct smi_gpu *gpu);
/* What is doubtful in the whole sweep, in one sentence; "" if nothing is. */
const char *smi_warnings_text(struct smi_text_arena *g, smi_name_format_fn *name);

/* The whole sweep in a line: "12 runs, 20.37 GPU-h, 5.29 kWh, 3.74 GPU-h wasted (18.4 %), 1 failed" */
const char *smi_total_line(struct smi_text_arena *g);
/* "quality: complete", else what the numbers lack: "quality: incomplete: gaps", "quality: 2 of 12 runs are
 * incomplete: gaps in 2". */
const char *smi_quality_text(struct smi_text_arena *g);
/* "idle with memory in use 0.80 GPU-h, without 0.43 GPU-h"; "" where that is not known, or nothing was idle.
 */
const char *smi_idle_memory_text(struct smi_text_arena *g);
/* "not known: 2 runs", of a sum that `of` runs have; NULL where all have. */
const char *smi_total_missing_text(struct smi_text_arena *g, const struct smi_total *t, int64_t of);
/* The same of energy and CO2, and how many runs know them for a part of their GPU time only. */
const char *smi_total_energy_lack(struct smi_text_arena *g, const struct smi_total *t);
/* "3 ok, 1 cut", of so many runs in each enum smi_state; "" of none. bare: without their numbers. */
const char *smi_states_text(struct smi_text_arena *g, const size_t count_of[SMI_STATE_NO_DATA + 1],
                            bool bare);
/* The same of the runs of the sweep that did not end well. */
const char *smi_ended_early_text(struct smi_text_arena *g, bool bare);

/* ---- a tracked command in words: how it ended, its figures ---- */

/* The command, safe, its middle left out if it is long; NULL: not known. */
const char *smi_command_text(struct smi_text_arena *g, const struct smi_summary *s);
/* "exit status 3", "killed by SIGKILL (exit status 137)", "no end in the run log"; "" if nothing is known.
 * Safe. */
const char *smi_command_end(struct smi_text_arena *g, const struct smi_summary *s);
/* Begins a table of what the command of a run used, a row a resource. Returns whether it has any. */
bool smi_command_table(struct smi_report_table *t, struct smi_text_arena *g, const struct smi_summary *s);
/* Begins a table with a row for each run whose command was tracked, of the first `most`. Returns how many
 * such runs there are. */
size_t smi_commands_table(struct smi_report_table *t, struct smi_text_arena *g, size_t most);

/* ---- what the rules say, a row for each rule ---- */

/* All findings of one rule. */
struct smi_advice {
    int rule;
    enum smi_level level; /* the highest */
    int64_t ms;
    struct smi_value cost;
    size_t runs, findings;
    const struct smi_finding *high; /* that with the largest value */
    const struct smi_summary *run;  /* with most GPU time of it */
    const struct smi_finding *of;   /* the largest there */
    int64_t most_ms;
};

/* Those of n runs: waste and errors first, then what could be better; of these most GPU time first. Returns
 * how many; the list lives as long as the arena. */
size_t smi_advice_list(struct smi_text_arena *g, const struct smi_summary *runs, size_t n,
                       struct smi_advice **out);
/* The finding whose words stand for all: the largest; of what is at most so much the one with the most, for
 * then it holds for all, and so does the advice. */
const struct smi_finding *smi_advice_words(const struct smi_advice *a);
/* Begins a table of them. Returns whether there are any. */
bool smi_finding_table(struct smi_report_table *t, struct smi_text_arena *g, const struct smi_summary *runs,
                       size_t n);
/* Its words, "GPU 1 unused, and 2 more"; safe. */
const char *smi_advice_text(struct smi_text_arena *g, const struct smi_advice *a);

/* ---- the columns of the tables of runs: what each says of a run, in text, Markdown and pages ---- */

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
    struct smi_table_column text; /* its head NULL: not in text */
    int from;                     /* columns of a terminal from which it is shown */
    bool total;                   /* the row of totals has it */
    const char *key, *head, *csv,
        *help; /* of pages, where csv is the key of summarize's CSV; NULL: not there */
    bool more; /* pages show it only on request */
};
extern const struct smi_run_table_column smi_run_table_columns[SMI_RUNS_COLUMNS];

/* What a column says of a run; "-" if nothing is known. Not of SMI_AS_LINK and SMI_RUNS_SPARKLINE. */
const char *smi_run_cell_text(struct smi_text_arena *g, int id, const struct smi_summary *s);
/* "ok \u00b7 Time 1h00m \u00b7 GPU % 72.0 \u00b7 Idle % 14.7 \u00b7 Wh 513.8 \u00b7 Wasted h 0.29", of a
 * drawing. */
const char *smi_run_facts(struct smi_text_arena *g, const struct smi_summary *s);
/* The number that is printed rounded, of SMI_AS_VALUE, SMI_AS_GIB, SMI_AS_SPAN (seconds) and SMI_RUNS_UTIL.
 */
struct smi_value smi_run_cell_value(int id, const struct smi_summary *s);
/* Exact milliseconds of SMI_AS_HOURS and SMI_AS_SPAN; -1: not known. */
int64_t smi_run_cell_ms(int id, const struct smi_summary *s);

/* ---- runs in an order, and runs that share a value of a parameter: the values, the sums of each group
 * ---- */

/* The different values of a parameter over all runs, in order of names, and how many runs have one. Returns
 * how many values. */
size_t smi_param_values(struct smi_text_arena *g, const char *key, const char ***out, size_t *having);
/* Fewer than half of the runs have this parameter, or all that have it have one value. */
bool smi_param_is_rare(struct smi_text_arena *g, const char *key);

/* Parameters and joined columns whose values gather runs: those of --group-by in its order, then, if they are
 * no results, others that enough runs have, last with `repeats` those that repeat runs. Returns how many. */
size_t smi_group_keys(struct smi_text_arena *g, bool repeats, const char ***out);

/* What is averaged over the runs of a group: columns of run_column.def. */
enum { SMI_GROUP_MEASURES = 4 };

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
/* The groups of all values of a parameter in order of names, filled, then one for all other runs, and room
 * for one more. Returns how many values there are. */
size_t smi_run_groups(struct smi_text_arena *g, const char *key, struct smi_run_group **out);
/* Standard deviation of a measure, times the number of its runs. */
smi_i128 smi_run_group_deviation(const struct smi_run_group *p, int measure);

/* Of the n runs of smi_runs_in_order those that are shown as the worst: ten at most, with waste. */
size_t smi_count_worst(const struct smi_summary *const *run, size_t n);
/* "The 10 runs that wasted most (27.3 of 47.1 GPU-h)" */
const char *smi_worst_title(struct smi_text_arena *g, const struct smi_summary *const *run, size_t n);
/* All runs of the sweep, in an arena; by_waste: those that wasted most first. */
const struct smi_summary **smi_runs_in_order(struct smi_text_arena *g, struct smi_arena *arena,
                                             bool by_waste);
