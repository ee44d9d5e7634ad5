/* summary.h - what we say about one run: values only, made once from the aggregates, read by every output.
 * All memory of a summary belongs to its arena. An absent value is not zero: see smi_value.has. */
#pragma once

#include "aggregate/device_stats.h"
#include "aggregate/process_stats.h"
#include "aggregate/series.h"
#include "base/err.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/text.h"
#include "model/field.h"
#include "model/line_account.h"
#include "model/metric.h"

/* ---- the reference block: ten figures of one run, phase or sweep ---- */

enum { SMI_HEADLINE_MAX, SMI_HEADLINE_MEAN, SMI_HEADLINE_PEAK, SMI_HEADLINE_JAX = -1 /* no metric */ };

extern const struct smi_headline_field {
    const char *key;
    int metric, statistic;
    bool optional;
} smi_headline_fields[SMI_HEADLINE_COUNT];

struct smi_headline {
    struct smi_headline_sum pool[SMI_HEADLINE_METRICS + 1]; /* the last one: the peak that JAX told */
    smi_i128 use_area; /* of GPU utilisation over time: (a + b) * dt, in millionths of a percent and ms, */
    int64_t use_ms;    /* and the sum of dt, gaps left out */
    bool untimed;      /* other readings of it have no times: a mean over time would leave them out */
};

void smi_headline_merge(struct smi_headline *a, const struct smi_headline *b);

/* One figure: its text to one decimal ("71.8"), as Python's round(x, 1) prints it. */
struct smi_headline_figure {
    const char *key;
    bool has;  /* there is a value; else null */
    bool omit; /* optional and not known: the key is left out */
    char text[32];
};
void smi_headline_figures(const struct smi_headline *b, struct smi_headline_figure out[SMI_HEADLINE_COUNT]);
/* Makes b one of which the figure has this value, as it was printed. */
void smi_headline_set(struct smi_headline *b, int figure, int64_t micro);
void smi_headline_json(const struct smi_headline *b, struct smi_json *j);

/* A printed real: whole millionths, or no value. */
struct smi_value {
    int64_t micro;
    bool has;
};

enum { SMI_PERCENTILES = 7, SMI_SPARKLINE_CELLS = 60, SMI_SPARKLINE_NONE = 255 };
extern const int smi_percentiles[SMI_PERCENTILES]; /* 1 5 25 50 75 95 99 */

/* One (run, GPU or host, metric). Units: smi_metrics[metric].unit. */
struct smi_stats {
    uint16_t metric;
    int64_t count;
    struct smi_value mean, time_mean, min, max, stddev, p[SMI_PERCENTILES]; /* gauges */
    struct smi_value first, last, increase;                                 /* counters */
    bool approximate; /* percentiles from 0.1 % buckets: more than 262,144 distinct values */
};

/* The mean over time; where no times are known, that of the readings; no value without readings (m: or NULL).
 */
struct smi_value smi_stats_mean(const struct smi_stats *m);
/* GPU utilisation of all GPUs over time; no value where some have readings without times. */
struct smi_value smi_headline_time_mean(const struct smi_headline *b);
/* It, else the mean of the readings: what outputs call "GPU %". */
struct smi_value smi_headline_use(const struct smi_headline *b);

/* How many of the rows that could have a metric had it. */
struct smi_share {
    uint16_t metric;
    struct smi_value pct;
};

struct smi_throttle {
    const char *reason;
    int condition;        /* an smi_condition_id */
    struct smi_value pct; /* share of the time in which the state was known */
    int64_t active_ms;
};

/* Where GPU time went, by cause; each interval in one part only, the first that fits (docs/numbers.md §11).
 * What is neither used nor wasted, because the utilisation was not read, is a part beside them. And the idle
 * time, whatever it counts as: with more than SMI_IDLE_HELD_MIB in use, with less, with memory that was not
 * read. */
enum {
    SMI_WASTE_FAILED,
    SMI_WASTE_UNUSED,
    SMI_WASTE_START,
    SMI_WASTE_STALL,
    SMI_WASTE_END,
    SMI_WASTE_CAUSES,
    SMI_WASTE_UNKNOWN = SMI_WASTE_CAUSES,
    SMI_IDLE_HELD,
    SMI_IDLE_FREE,
    SMI_IDLE_BLIND,
    SMI_TIME_PARTS
};

/* Milliseconds of a GPU, of all GPUs of a run, or of all runs. */
struct smi_waste {
    int64_t ms[SMI_TIME_PARTS];
};

struct smi_gpu {
    int index;   /* as the source printed it, or the place in its bursts; -1: not known */
    bool pooled; /* rows that could not be told apart: no time sums */
    const char *uuid, *bus, *serial, *name; /* or NULL */
    int64_t samples;
    int64_t covered_ms, known_ms; /* time in intervals that are no gap; with utilisation */
    int64_t shared_ms; /* of covered_ms, earlier runs of the sweep have so much, too: sums over runs leave it
                          out */
    int64_t lead_ms, trail_ms; /* idle before its first work, after its last */
    struct smi_waste waste;
    bool worked;   /* was above the idle limit at least once */
    bool divided;  /* MIG is enabled on it */
    bool has_span; /* first_ms and last_ms are known */
    bool has_stall_from;
    bool counter_differs; /* a counter of energy and power over time differ by more than 5 % */
    bool
        throttle_known; /* of a slowdown it is known whether it was active: without one, nothing was slowed */
    int64_t stall_ms;   /* longest idle stretch with work before and after it; 0: none */
    int64_t stalls;     /* idle stretches between work, with those at the ends that are no longer */
    int64_t stalls_ms;  /* their time */
    struct smi_value memory_growth; /* MiB an hour; no value: it does not grow steadily */
    const struct smi_gpu_condition {
        int64_t n, ms; /* stretches of time in which it held, and their sum */
        int64_t
            longest_ms; /* of them; and, if it is dated, the first reading that showed it, and the last, */
        int64_t from_ms, to_ms; /* on the base of the summary's start */
        bool dated;
        struct smi_value mean;         /* of the metric that is kept with it, over the longest */
    } * condition;                     /* by smi_condition_id, */
    size_t conditions;                 /* SMI_CONDITION_COUNT; 0: none held */
    struct smi_gpu_condition cuts;     /* its power limit was lowered: in the longest cut */
    int64_t limit_top, limit_least;    /* from so many W to so many */
    struct smi_gpu_condition slow;     /* its clock under full load was below that of its peers (slow-gpu) */
    int64_t stall_from_ms;             /* when it began, on the base of the summary's start */
    const char *stall_phase;           /* that held in its middle (of several the briefest), or NULL */
    struct smi_value stall_cpu;        /* user time of the CPUs in it, % of all of them; from whole cells
                                        * of the bounded series, so none of a stall that is too brief */
    int64_t first_ms, last_ms;         /* its first and last row, on the base of the summary's start */
    int64_t absent_ms, absent_from_ms; /* its longest interval of more than a minute; absent_ms 0: none */
    const struct smi_segment *read; /* when its logs read it: between their longest gaps, in the order of */
    size_t reads;                   /* time, on the base of the summary's start */
    struct smi_phase_part {
        const char *phase; /* in which most of it was, or NULL */
        int64_t ms;        /* so much of it */
    } lead_in, trail_in;   /* of the idle time before its first work, after its last */
    struct smi_value energy_wh, idle_pct, coverage_pct, longest_idle_s;
    struct smi_value energy_covered_s,
        energy_coverage_pct;             /* intervals with power at both ends; their share of covered_ms */
    struct smi_value price;              /* of an hour; no value without one */
    const struct smi_throttle *throttle; /* the reasons that were asked for */
    size_t throttles;
    const struct smi_stats *stats; /* in catalogue order */
    size_t nstats;
    int64_t gaps, gap_ms;
    struct smi_value interval_s, interval_max_s; /* lower median and largest of its intervals */
    const struct smi_share
        *available; /* in catalogue order: readings of rows, of every metric that a log asks for */
    size_t navailable;
    uint8_t shape[SMI_SPARKLINE_CELLS]; /* mean utilisation in %, over the run's own length;
                                           SMI_SPARKLINE_NONE: no reading */
    int64_t cell_ms;                    /* length of one cell */
};

/* One process on one GPU. */
struct smi_process_figures {
    int gpu;                /* index of its GPU; -1: not known */
    const char *uuid, *bus; /* its GPU's, or NULL */
    int64_t pid;            /* -1: not known */
    const char *name;       /* or NULL */
    const char *type;       /* "C", "G", "C+G", "M+C", or NULL */
    int64_t samples;        /* rows of the log that shows it best; 0: known from accounting only */
    bool has_time;
    int64_t first_ms, last_ms; /* of its samples; on the base of the summary's start */
    struct {
        struct smi_value peak, mean;
    } of[SMI_PROC_METRICS];  /* as smi_proc_metric */
    struct smi_value life_s; /* how long it ran, of one that ended and was accounted */
};

/* Something that went wrong with a GPU, or with the driver. */
struct smi_error {
    enum smi_fault_id id;
    int gpu;                /* index of its GPU; -1: not known, or none */
    const char *uuid, *bus; /* its GPU's, or NULL */
    int64_t n;              /* errors, rows or pages; for a state: rows that show it; for a message: lines */
    int64_t code;           /* of an XID, or of a recovery action as NVML numbers it; else 0 */
    bool has_first, has_last;
    int64_t first_ms, last_ms; /* on the base of the summary's start */
};

struct smi_phase_summary {
    const char *name;
    int64_t count;
    struct smi_value seconds; /* added up over its occurrences */
    struct smi_headline block;
    struct smi_value energy_wh, idle_pct;
    int64_t samples; /* GPU rows inside it */
    bool summarised; /* false past the limits on phases: only count and seconds hold */
};

struct smi_param {
    const char *key, *text; /* text: the value as written */
    bool bare;              /* text is JSON without quotes: a number, true, false or null */
};

struct smi_count {
    const char *name;
    int64_t n;
};

enum { SMI_PLACE_HOST = -1, SMI_PLACE_NONE = -2 /* no GPU of the summary: --gpus leaves it out */ };

struct smi_input {
    const char *path, *format;
    bool gpu;                   /* it speaks of GPUs */
    struct smi_account account; /* borrowed texts live in the arena */
    int64_t gaps, gap_ms;
    struct smi_value interval_s, interval_max_s;
    const int *place; /* of each of its devices: that in smi_summary.gpus, or SMI_PLACE_NONE */
    size_t places;
    bool peaks;       /* it prints the largest readings within its intervals */
    const char *note; /* what its numbers cannot tell: one sentence, or NULL */
};

/* What a rule of the table in summary/rule.def says of a run. */
enum smi_level { SMI_LEVEL_INFO, SMI_LEVEL_WARN, SMI_LEVEL_STRONG, SMI_LEVEL_ERROR };
extern const char *const smi_level_names[]; /* "info" "warn" "strong" "error" */

struct smi_finding {
    int rule; /* an smi_rule_id */
    enum smi_level level;
    int gpu;           /* index; -1: the run as a whole, or a GPU without an index */
    int place;         /* of its GPU in gpus; -1: the run as a whole, or a GPU that has no readings */
    const char *phase; /* or NULL */
    bool has_from;
    int64_t from_ms; /* on the base of the summary's start */
    struct smi_value seconds;
    bool has_to; /* of the longest stretch, if it is about stretches: when the last reading showed it, */
    int64_t to_ms;
    struct smi_value total_seconds; /* the time of all stretches of its GPU, */
    int64_t stretches;              /* and how many there were; 0: it is not about stretches */
    int64_t gpu_ms;                 /* GPU time that it is about, at most the run's */
    struct smi_value gpu_hours;     /* the same, in hours */
    struct smi_value cost;          /* of these, at the prices of GPU-hours; no value without them */
    struct smi_value value, limit;  /* in the rule's unit; no value where it has none */
    const char *text;               /* a sentence without a stop */
    const char *note;               /* the same in as few words as fit a cell */
    const char *advice;             /* or NULL */
};

enum smi_state { SMI_STATE_OK, SMI_STATE_FAILED, SMI_STATE_CUT, SMI_STATE_UNKNOWN, SMI_STATE_NO_DATA };
extern const char *const smi_state_names[]; /* "ok" "failed" "cut" "unknown" "no-data" */

/* What prices were asked for, and the exact amounts (parts: summary.c) of which the values are made. */
struct smi_money {
    smi_i128 gpu, energy, waste[5];
    smi_i128 rest;         /* gpu less waste; of a sum: of the runs whose cost is known */
    int64_t unpriced;      /* GPUs with time and without a price; 0 of a sum */
    bool asked, asked_co2; /* a price; the CO2 of a kWh */
    bool whole, timed;     /* all that is priced is known; the GPU-hours are */
};

/* ---- what charts draw of a run ---- */

enum { SMI_TIMELINE_POINTS = 512 /* cells at most */ };
#define SMI_NO_POINT INT64_MIN

/* One timed metric of one GPU, or of the host. In a cell: the least, the mean and the largest reading, in
 * millionths of the metric's unit; SMI_NO_POINT: no reading. A cell between two readings that are no gap
 * apart (docs/numbers.md §4) has those of the later one, which describes the time before it. */
struct smi_curve {
    int gpu; /* place in gpus; -1: the host */
    uint16_t metric;
    int64_t *min, *mean, *max; /* n each */
    int64_t *readings;         /* so many are in a cell: 0 of one between two readings */
};

/* A stretch of a phase; those of one name that are less than a cell apart are one. Or an event: it ends where
 * it begins. */
struct smi_phase_span {
    const char *name;
    int64_t from_ms, to_ms;
};

/* All times are on the base of the summary's start; of a run without a start, on the clock of its logs: of
 * the day, or counted. */
struct smi_timeline {
    int64_t from_ms, cell_ms; /* cell i covers [from_ms + i * cell_ms, from_ms + (i + 1) * cell_ms) */
    int64_t begin_ms,
        end_ms; /* the run's own, where they are in the first or last two cells; else the edges */
    size_t n;   /* cells; 0: no reading has a time, and there are no curves */
    const struct smi_curve *curve; /* by GPU, the host last, then in catalogue order */
    size_t ncurves;
    const struct smi_phase_span *phase; /* by from_ms; where they begin together, the longest first */
    size_t nphases;
    const struct smi_phase_span
        *event; /* in the order of time; an event that happened more than SMI_EVENT_TIMES
                 * times (aggregate/runlog.h) marks nothing and is left out */
    size_t nevents;
};

/* What was not read: a log, or its end; GPU logs for want of their columns (and perhaps others). */
enum smi_unread { SMI_READ, SMI_UNREAD, SMI_UNREAD_COLUMNS };

struct smi_summary {
    struct smi_arena arena;
    const char *run;
    const char *path; /* what summarises it alone, as the user would type it; or NULL */
    enum smi_state state;
    bool has_exit, has_start, zoned; /* exit_code, start_ms are known; times are UTC, else local */
    bool judged;                     /* long enough for rules to say something of it */
    bool chosen;                     /* other GPUs of its logs were not asked for */
    int offset_s;                    /* seconds east of UTC of the GPU logs' local time, if zoned */
    const char *state_reason;        /* a few words, or NULL */
    int64_t exit_code;
    const char *hostname;
    const char *command;                    /* that was tracked, as it was typed; or NULL */
    const struct smi_command_figures *used; /* by what, and by part: see smi_command_figures */
    size_t nused;                           /* 0: nothing is known of it */
    const struct smi_param *params;
    size_t nparams;
    const struct smi_param *results; /* what it reached, and other facts: "git_commit", "result.val_acc" */
    size_t nresults;
    const struct smi_param
        *joined; /* columns of a file that was joined, all of them; text NULL: no value there */
    size_t njoined;
    size_t nfound; /* the first of them are columns of results of the sweep's runs */
    int64_t start_ms, end_ms;
    const char *time_base; /* or NULL: no times at all */
    struct smi_value duration_s, covered_s, energy_wh, idle_pct, longest_idle_s, gpu_hours;
    struct smi_value energy_covered_s,
        energy_coverage_pct; /* as covered_s; the share of covered_ms with power */
    const char *energy_part; /* "599 of 1200 s": it is of so much of the GPU time; NULL: of all */
    int64_t idle_below; /* what counted as idle: utilisation at or below it, millionths of %; -1: not known */
    struct smi_headline block;
    struct {
        struct smi_value device_peak_mb, all_gpus_peak_mb, used_peak_mb, total_mb;
        const char *source; /* "jax", "torch", "device" or NULL */
        bool level;         /* the device was within 1 % of its maximum in 90 % of the readings */
        bool reserved;      /* and the framework's own peak is known and lower */
    } vram;
    struct smi_waste waste;
    struct smi_value
        wasted_h[6];             /* failed, unused, start, stall, end, total; no value without covered time */
    struct smi_value wasted_pct; /* wasted_h of gpu_hours */
    struct smi_value cost; /* only with a price: of the GPU-hours and the energy, as far as they have one */
    struct smi_value wasted_cost[6]; /* of the GPU-hours in wasted_h */
    struct smi_value steps_per_s;    /* from the first step that a RunLog or W&B has to the last */
    struct smi_value co2_g;          /* only with the CO2 of a kWh: grams, of the energy */
    struct smi_money money;
    const struct smi_gpu *gpus;
    size_t ngpus;        /* with the pooled entry, which is last */
    uint64_t gpus_meant; /* bit i: word i of --gpus (of the first 64) means a GPU of this run */
    const struct smi_stats *host;
    size_t nhost;
    int64_t cpus; /* of the machine, whose times the host's figures are; 0: not known */
    const struct smi_share *host_available;
    size_t nhost_available;
    const struct smi_process_figures *processes; /* by GPU, pid, format of log, name */
    size_t nprocesses;
    int64_t segments;
    const struct smi_phase_summary *phases;
    size_t nphases;
    const struct smi_error *errors; /* by kind, then GPU */
    size_t nerrors;
    const struct smi_count *events; /* by name */
    size_t nevents;
    const struct smi_finding *findings; /* by rule, then GPU */
    size_t nfindings;
    const char *const *problems;
    size_t nproblems;
    enum smi_unread unread;
    unsigned lacks;    /* by enum smi_quality_reason, without overlap */
    const char *doubt; /* the one of them that is about GPUs that could not be told apart, or NULL */
    const struct smi_input *inputs;
    size_t ninputs;
    uint8_t shape[SMI_SPARKLINE_CELLS];        /* all GPUs together */
    const struct smi_timeline *timeline;       /* or NULL: not asked for, or too much to keep of every run */
    size_t place;                              /* among the runs that were found, in the order of names */
    int64_t covered_ms;                        /* of all GPUs: gpu_hours before rounding */
    struct smi_value idle_held_h, idle_free_h; /* no value if nothing is known of the memory of idle GPUs */
    struct smi_value gpu_util_time_mean_pct;
    struct smi_value power_sum_w, temp_max, gpu_util_p95; /* for tables: sum over GPUs of time_mean power;
                                                           * hottest; largest p95 */
};

/* Why numbers of a run are not those of all its GPUs, all the time. */
enum smi_quality_reason {
    SMI_QUALITY_NO_DATA,
    SMI_QUALITY_UNREAD,
    SMI_QUALITY_REJECTED,
    SMI_QUALITY_VANISHED,
    SMI_QUALITY_RENUMBERED,
    SMI_QUALITY_GAPS,
    SMI_QUALITY_POOLED,
    SMI_QUALITY_ZERO_METRIC,
    SMI_QUALITY_IMPOSSIBLE,
    SMI_QUALITY_ENERGY,
    SMI_QUALITY_COUNTER,
    SMI_QUALITY_USE,
    SMI_QUALITY_TIMES,
    SMI_QUALITY_OVERLAP,
    SMI_QUALITY_COUNT
};
extern const char *const smi_quality_names[SMI_QUALITY_COUNT];
/* Which of them hold of a run: a bit each. Overlap is known once the sums over all runs are made. */
unsigned smi_quality_lacks(const struct smi_summary *s);
struct smi_buf;
/* Their names, "gpu-vanished gaps", behind what `to` holds. */
void smi_quality_write(struct smi_buf *to, const struct smi_summary *s);

/* Times far from any date are drawn nowhere: sums of them might not fit. */
#define SMI_FAR_MS ((int64_t)1 << 50)
/* Loops over the GPUs of a summary. */
#define SMI_EACH_GPU(g, s) for (const struct smi_gpu *g = (s)->gpus; g && g < (s)->gpus + (s)->ngpus; g++)

/* The place in gpus of the rows of a device of an input (who: its number, or an SMI_DEVICE_*); or
 * SMI_PLACE_HOST or SMI_PLACE_NONE. in NULL: an input that the summary does not know. */
int smi_summary_place(const struct smi_summary *s, const struct smi_input *in, int who);

extern const char *const smi_waste_names[6];

/* How many different GPUs there are. */
size_t smi_summary_count_gpus(const struct smi_summary *s);

/* Is its serial the name of a machine? A serial number of digits alone is that of a board. */
bool smi_gpu_has_machine(const struct smi_gpu *g);
/* Do GPUs of several machines have one index? Then serial names the machine of each GPU. */
bool smi_summary_has_machines(const struct smi_summary *s);

/* Is it an error of this GPU? */
bool smi_gpu_has_error(const struct smi_gpu *g, const struct smi_error *e);

/* The statistics of a metric, or NULL. */
const struct smi_stats *smi_gpu_stats(const struct smi_gpu *gpu, unsigned metric);
const struct smi_stats *smi_host_stats(const struct smi_summary *s, unsigned metric);

void smi_summary_fini(struct smi_summary *s); /* frees the arena; s may be zero */

/* Makes the text of a summary, behind what `to` holds. */
typedef void smi_run_text_fn(struct smi_buf *to, const struct smi_summary *s);

enum { SMI_OVERLAP_LEAST_MS = 18000 /* of time in several runs is mentioned: 0.01 GPU-h, rounded */ };

/* The sum over a sweep. */
struct smi_total {
    int64_t runs, failed, cut, no_data, gpus;
    struct smi_value duration_s, gpu_hours, energy_wh, idle_pct, peak_vram_mb;
    struct smi_headline block;
    struct smi_waste waste;
    int64_t waste_runs[SMI_WASTE_CAUSES]; /* runs that have some of it */
    struct smi_value wasted_h[6];
    struct smi_value cost, wasted_cost[6], co2_g; /* of the runs of which they are known */
    struct smi_money money;
    struct smi_value idle_held_h, idle_free_h;
    int64_t covered_ms, doubts; /* doubts: rejected rows and unusable inputs */
    int64_t overlap_ms;         /* left out, as earlier runs have it, too */
    struct smi_value overlap_h;
    int64_t incomplete, lacks[SMI_QUALITY_COUNT]; /* runs with incomplete numbers; by reason */
    int64_t use_ms; /* GPU time with utilisation, that of several runs in each */
    smi_i128 power; /* and with power: ms times millionths of a percent */
    struct {
        int64_t duration, hours, energy, energy_part, waste, cost, wasted_cost, both, co2;
    } of; /* runs that have a value in these sums; energy_part: of energy, those with an energy_part; both: of
           * cost and wasted cost */
};
/* Number of runs without a value in this sum, out of the runs with GPU data; `of` runs have one. */
int64_t smi_total_missing(const struct smi_total *t, int64_t of);
/* Is a cause of waste in several runs worth a word for what it sums up to, whatever it is in each of them? */
bool smi_total_advises(const struct smi_total *t, int cause);
/* Are cost and wasted cost sums of the same runs? */
bool smi_total_costs_match(const struct smi_total *t);
/* Adds a run; once: less what earlier runs of the sweep have, too (docs/numbers.md §4). */
void smi_total_add(struct smi_total *t, const struct smi_summary *s, bool once);
/* Makes part, which divides the covered time of a GPU, the division of its shared_ms: each part in
 * proportion. */
void smi_gpu_shared(const struct smi_gpu *g, int64_t *part, size_t n);
/* The hours of SMI_IDLE_HELD and SMI_IDLE_FREE; no values if the memory of idle GPUs is not known. */
void smi_idle_hours(const struct smi_waste *w, struct smi_value idle_pct, struct smi_value *held,
                    struct smi_value *released);
void smi_total_close(struct smi_total *t); /* fills the values from the sums */

/* ---- what a tracked command used (smilog run), as rows that every output loops over: no output knows
 * their metrics ---- */

enum smi_command_part { SMI_COMMAND_ALL, SMI_COMMAND_MAIN, SMI_COMMAND_DESCENDANTS, SMI_COMMAND_PARTS };

struct smi_command_use {
    const char *what;
    const char *unit;              /* beside the metric's own: "of a core"; or NULL */
    bool mean;                     /* its mean says something; else its largest value does */
    bool brief;                    /* stands in a row that tells of all */
    int metric[SMI_COMMAND_PARTS]; /* -1: nobody measures that */
};
extern const struct smi_command_use smi_command_uses[];
enum { SMI_COMMAND_USES = 7 };

struct smi_command_figures {
    bool there; /* one of them */
    struct smi_value mean, max;
};

/* What a run says of it: as its tracker told at the end, of the whole time; else as the samples are. A mean
 * that is not told, and a maximum that they exceed, are theirs. */
struct smi_command_figures smi_command_figures(const struct smi_summary *s, const struct smi_command_use *u,
                                               enum smi_command_part part);
/* Was its command tracked? */
bool smi_command_is_tracked(const struct smi_summary *s);
/* Is a metric of a tracked command? And none that stands for the whole of it? */
bool smi_command_is_metric(unsigned metric);
bool smi_command_is_detail(unsigned metric);

/* ---- the parameters of a run ---- */

/* The run's value of a parameter, or of a column that was joined (key is the sweep's own text), or NULL. */
const struct smi_param *smi_run_param(const struct smi_summary *s, const char *key);
/* The text of the parameter with this key in a list; or NULL. */
const char *smi_param_text(const struct smi_param *list, size_t n, const char *key);
/* For smi_sort and bsearch of structs that begin with a name, as people sort names. */
int smi_compare_names(const void *a, const void *b);
/* Whether the name says the parameter already: a piece "lr=0.1", "seed3" or "seed-3". */
bool smi_param_in_name(const char *name, const struct smi_param *q);
bool smi_param_is_repeat(const char *key); /* seed, rep, fold, trial */

/* ---- GPU time that was wasted, by cause, and what is not known of it ---- */

/* Did the device's memory stand at one level, in enough rows to say so in words? */
bool smi_vram_held(const struct smi_summary *s);
/* Without utilisation nothing is known of idle time: then 0 is no answer. */
bool smi_waste_known(struct smi_value wasted, struct smi_value idle_pct, const struct smi_waste *w);
/* So much of its time is its energy of; a log of power may know more than the others, which does not count.
 */
int64_t smi_gpu_energy_ms(const struct smi_gpu *gpu);
/* Is its energy of less than 99 % of its time? */
bool smi_gpu_energy_is_part(const struct smi_gpu *gpu);
bool smi_gpu_unused(const struct smi_gpu *gpu); /* it was read, and did no work */
/* What all causes come to; and the idle time. */
int64_t smi_wasted_ms(const struct smi_waste *w);
int64_t smi_idle_ms(const struct smi_waste *w);

/* ---- what GPU-hours, energy and its CO2 cost, as the user says (docs/numbers.md §11): no price is built
 * in ---- */

enum { SMI_PRICES_MAX = 64, SMI_PRICE_TOP = 1000000 /* the largest price: of a GPU-hour, of a kWh */ };

struct smi_price {
    struct smi_text model; /* part of a GPU's name, any case; empty: GPUs that no other row names */
    int64_t micro;         /* of an hour, millionths */
};

/* Zero-initialise: no price at all. */
struct smi_prices {
    struct smi_price gpu[SMI_PRICES_MAX];
    size_t n;
    bool has_kwh, has_co2;
    int64_t kwh, gco2; /* of a kWh: price and grams of CO2, millionths */
};

/* Is it a word such as EUR, of at most 8 letters or signs? Returns 0, or -1 with err. */
int smi_currency_check(const char *word, struct smi_err *err);
/* Adds the prices of a list, "2.49" or "H100=2.49,A100=1.19,1.5"; its text is borrowed. Returns 0, or -1 with
 * err SMI_EUSAGE, which begins with opt. */
int smi_prices_read(struct smi_prices *p, const char *opt, const char *list, struct smi_err *err);
/* Reads the price of a kWh, or its CO2. The same returns. */
int smi_price_number(int64_t *micro, const char *opt, struct smi_text t, struct smi_err *err);

/* What of a cost is for GPU-hours that were not wasted, and for energy; no value where it is not known, or
 * there is no such price. */
void smi_price_split(const struct smi_money *m, struct smi_value *gpu, struct smi_value *energy);

/* Does the row name this model? It is a part of the GPU's name (NULL: not known), in any case. */
bool smi_price_names(const struct smi_price *row, const char *name);
/* The price of an hour of a GPU with this name (NULL: not known); no value if the list has none. p may be
 * NULL. */
struct smi_value smi_price_of(const struct smi_prices *p, const char *name);
/* Fills money, cost, wasted_cost and co2_g of s, which has GPUs with their prices, state, waste and energy. p
 * may be NULL. */
void smi_price_run(struct smi_summary *s, const struct smi_prices *p);
/* What gpu_ms of GPU time cost in this run: at the price of a GPU, or (NULL) at the mean of all. */
struct smi_value smi_price_time(const struct smi_summary *s, const struct smi_gpu *gpu, int64_t gpu_ms);

/* Fills begin_ms and end_ms, once the cells are there, of a run from start_ms to stop_ms. On a clock whose
 * zone is no whole number of buckets away, the second cell may be the first with a reading, and the last but
 * one the last. */
void smi_timeline_bound(struct smi_timeline *t, int64_t start_ms, int64_t stop_ms);

/* When cell i begins, and the one in front of it ends, as far as the run goes. */
int64_t smi_timeline_at(const struct smi_timeline *t, size_t i);

/* Makes neighbouring cells one, whose mean is that of all their readings, until there are at most `points`.
 */
void smi_timeline_coarsen(struct smi_timeline *t, size_t points);

/* A text in the arena, or its copy there (NULL: NULL); a number of millionths with so many decimals. */
const char *smi_format_text(struct smi_arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
char *smi_copy_text(struct smi_arena *a, const char *text);
const char *smi_fixed_text(struct smi_arena *a, smi_i128 micro, int digits);
