/* machine.h - the state of this moment: what the logs that are growing say of each GPU and of the machine
 * now, in the last minutes, and over the whole run. Sources are fed with bytes as they come, from a
 * monitor's pipe, a file that grows, or a recording that is played again; the screen, the server, alerts
 * read this struct and nothing else. Two clocks: `mono` is the caller's monotonic clock in ms (a replay
 * hands in one that runs faster) and says how old a reading is; t_ms is the time that the logs print, in
 * ms UTC since 1970, and says where in a window it lies. The clock of the run is the latest time printed,
 * and goes on with `mono` between readings. With followed logs it is this machine's clock. */
#pragma once

#include "aggregate/ingest.h"
#include "aggregate/input_stats.h"
#include "summary/summary.h"

struct smi_text_arena;

/* ---- the last hour of one metric: cells of a second for five minutes, cells of five seconds for an hour.
 * The memory is fixed, whatever the rate of the readings ---- */

enum {
    SMI_HISTORY_FINE_MS = 1000,
    SMI_HISTORY_FINE = 300,
    SMI_HISTORY_COARSE_MS = 5000,
    SMI_HISTORY_COARSE = 720,
    SMI_HISTORY_HOUR_MS = SMI_HISTORY_COARSE * SMI_HISTORY_COARSE_MS
};

/* Readings in millionths of the metric's unit; n 0: none, and the rest undefined. */
struct smi_history_cell {
    int64_t sum, max;
    uint32_t at; /* the low bits of its number since 1970: another one's readings are older than the ring */
    uint32_t n;
};

/* Zero-initialise. The cells come with the first reading. */
struct smi_history {
    struct smi_history_cell *fine, *coarse; /* SMI_HISTORY_FINE and SMI_HISTORY_COARSE of them, or NULL */
};

/* Adds a reading at t_ms, in any order; one that is older than the ring is passed over. hour: not only to the
 * last five minutes. */
void smi_history_add(struct smi_history *r, int64_t t_ms, int64_t v, bool hour);

struct smi_history_sum {
    int64_t n, max;
    int64_t sum;
};
/* All readings in the cells that begin in [from_ms, to_ms), added to *out (zero-initialise): those of a
 * second, or (coarse) of five. mean: gets the means of these cells, or NULL. Returns how many it got. */
size_t smi_history_sum_between(const struct smi_history *r, int64_t from_ms, int64_t to_ms, bool coarse,
                               struct smi_history_sum *out, int64_t *mean);
void smi_history_fini(struct smi_history *r);

enum {
    SMI_MACHINE_EVENTS_MAX = 256,
    SMI_MACHINE_GPUS_MAX = 1024,
    SMI_MACHINE_TEXT = 160,
    SMI_MACHINE_FAULT = 40,
    SMI_GPU_LABEL = 56,
    SMI_MACHINE_PHASES = 12, /* names of phases that are kept: those that ended last */
    SMI_MACHINE_NAME = 64,
    SMI_MACHINE_STALE_INTERVALS = 3, /* intervals without reading */
    SMI_MACHINE_UNKNOWN_MS = 20000,  /* assumed interval of a log until its rows show it */
    SMI_MACHINE_OLD_MS =
        60000, /* a followed log whose last row is older when follow first reads it has ended */
    SMI_MACHINE_FORGET_MS = 3600000, /* one that is silent for so long has ended, too */
    SMI_MACHINE_FALLS = 3,           /* a monitor that ends so often */
    SMI_MACHINE_FALLS_MS = 600000    /* in so much time is an alert, also while it works */
};

/* The last reading of a metric. */
struct smi_machine_reading {
    bool has;
    int source;      /* its place in smi_machine.source */
    int64_t v;       /* millionths of the catalogue's unit */
    int64_t mono_ms; /* when it came */
};

/* What is kept of the last hour. */
enum smi_history_slot {
    SMI_HISTORY_UTIL,
    SMI_HISTORY_FB_USED,
    SMI_HISTORY_POWER,
    SMI_HISTORY_TEMP,
    SMI_HISTORY_CLOCK,
    SMI_HISTORY_CPU,  /* of the machine only */
    SMI_HISTORY_MARK, /* of no metric: 1 while it is hot or slowed by heat, 2 when the driver told of a fault
                       */
    SMI_HISTORY_SLOTS
};
extern const uint16_t smi_history_metric[SMI_HISTORY_MARK]; /* the metric of a slot */

enum smi_gpu_state {
    SMI_GPU_OK,
    SMI_GPU_STALE, /* no reading for SMI_MACHINE_STALE_INTERVALS intervals: what is known is old */
    SMI_GPU_LOST   /* the driver says so: it has fallen off the bus */
};

/* A GPU, or the machine. */
struct smi_live_gpu {
    size_t id;                              /* in the order in which they were met: it stays */
    int index;                              /* as printed; -1: not known, or the machine */
    const char *uuid, *bus, *serial, *name; /* or NULL; serial: or the machine in front of its rows */
    const struct smi_machine_run *run;      /* of logs that are followed; else NULL */
    char label[SMI_GPU_LABEL]; /* "GPU 4"; of one whose index nobody has told, "GPU 0000:3B:00.0"; among those
                                * of several runs "GPU lr=0.1/seed=2/4", and of several hosts "GPU
                                * node7:lr=0.1/seed=2/4" */
    struct smi_machine_reading latest[SMI_METRIC_COUNT];
    struct smi_history ring[SMI_HISTORY_SLOTS];
    enum smi_gpu_state state;
    bool unlisted;       /* LOST since its monitor lists the other GPUs only */
    int64_t row_mono_ms; /* of its last row, with or without readings */
    bool seen;
    int source;                      /* of its last reading */
    int64_t seen_mono_ms, seen_t_ms; /* of its last reading */
    int64_t pitch_ms; /* between its readings, the longer ones where several logs tell of it; 0: not known */
    int64_t rows;     /* of readings, so far */
    /* By mono: when its readings showed conditions, */
    struct smi_stretches condition[SMI_CONDITIONS];
    uint32_t shows;                /* bits: those which the newest ones do, */
    int64_t judged_mono_ms;        /* and when these came */
    smi_i128 energy;               /* millionths of J, */
    int64_t idle_ms;               /* as the counters of Prometheus told them last: they only grow */
    uint32_t faults;               /* bit i: fault i was said */
    char fault[SMI_MACHINE_FAULT]; /* the last one that is an alert: "XID 31"; */
    int64_t fault_mono_ms;         /* when; 0: none */
    bool mine; /* not left out by CUDA_VISIBLE_DEVICES or --gpus: set by the owner; true at first */
};

/* What happened, for the list under the screen. */
enum smi_event_kind {
    SMI_EVENT_INFO,
    SMI_EVENT_OK,     /* something works again */
    SMI_EVENT_RUNLOG, /* of a RunLog */
    SMI_EVENT_PHASE,  /* of a RunLog: one has ended */
    SMI_EVENT_WARN,
    SMI_EVENT_ERROR
};
extern const char *const smi_event_kinds[]; /* "info" "ok" "event" "phase" "warn" "error" */

struct smi_event {
    enum smi_event_kind kind;
    int64_t t_ms;
    char text[SMI_MACHINE_TEXT]; /* UTF-8, as it was given: printing it escapes it */
};

/* The phases of one name, of the RunLogs. */
struct smi_machine_phase {
    char name[SMI_MACHINE_NAME]; /* cut at a whole character */
    int64_t times, ms;           /* how often it has ended, and how long all of them took */
    int64_t end_ms;              /* t_ms of the last end */
};

/* A run whose logs are followed: those of one directory, or as many of them as summarize makes one run of. */
struct smi_machine_run {
    const char *dir;  /* as followed, or the name of a stream */
    const char *name; /* dir without what all have in common */
    const char *host; /* by its RunLog, or NULL */
    bool ended;       /* it says so: nothing more is to come */
    struct smi_machine_run *next;
};

/* A log that is read as it grows. */
enum smi_live_source_state {
    SMI_SOURCE_STARTING, /* nothing has come yet */
    SMI_SOURCE_READING,
    SMI_SOURCE_SILENT, /* nothing for SMI_MACHINE_STALE_INTERVALS intervals */
    SMI_SOURCE_DOWN,   /* its monitor is dead, its file cannot be read: `why` */
    SMI_SOURCE_ENDED   /* of a followed log: nothing more is expected, and its silence is no alert */
};

struct smi_live_source {
    char *name; /* for people: "query", "cpu", or a path */
    int format; /* an smi_format_id; -1: not known yet */
    enum smi_live_source_state state;
    char why[SMI_MACHINE_TEXT]; /* or empty */
    int64_t interval_ms;        /* wanted; or, if it follows a log, that of its rows as far as it is known */
    bool follows;
    struct smi_machine_run *run; /* of a log that is followed; else NULL */
    int64_t restarts;
    int64_t
        fell_mono_ms[SMI_MACHINE_FALLS]; /* when it last ended while it worked, the latest first; 0: never */
    int64_t unrecorded; /* lines that its recording has no room for; 0: all is well, or it is not recorded */
    int64_t bytes;      /* that came */
    int64_t seen_mono_ms; /* of its last row; 0: none yet */
    int64_t read_mono_ms; /* since when it counts as read: what is not silent begins here */
    struct smi_input_stats
        *part; /* all of the log so far, as summarize counts it; NULL while its format is not known */
    struct smi_ingest *in;    /* its reader */
    struct smi_live_gpu **of; /* its devices' GPUs, as far as they were met; or NULL */
    size_t nof, of_cap;
    uint64_t changes; /* of its devices, when `of` was filled */
    char *head;       /* the first bytes, while its format is not known */
    size_t nhead;
    struct smi_machine *now; /* that it belongs to */
    int place;               /* its own */
    int64_t mono_ms;         /* when the bytes at hand came, */
    int64_t begun_mono_ms;   /* and the first ones */
    bool stream;       /* a pipe or a command's output: it holds no older rows than its writer buffers */
    bool grouped;      /* its run was found among those of its directory */
    bool gone, closed; /* its file was deleted; its writer has closed it */
    int64_t readings;  /* rows of the GPU that has most */
    int64_t batch_ms; /* the time that its deliveries cover: a writer that buffers prints many rows at once */
    int64_t batch_t_ms; /* of the first row of this delivery; SMI_NO_READING: none yet */
    bool backlog;       /* these were there before we looked: */
    int64_t wall_ms;    /* this machine's clock; else 0 */
    bool has_skew;
    int64_t skew_ms;           /* t_ms less mono of its last row: it changes where a clock is set */
    int64_t stamp_ms, here_ms; /* of its last row: t_ms, and this machine's clock less mono */
    int last_who;              /* device of its last row */
    bool repeated;             /* a device came again: the first sample of all devices is over */
    int64_t steps, step_ms;    /* how often it was, and by how much the last time */
    bool lists_gpus;           /* its rows are about whole GPUs, not about processes */
    int64_t steady_mono_ms;    /* since when rows come without a pause */
    int64_t row_mono_ms;       /* how old the row at hand is: when it came, or was written */
    struct smi_sink tee;       /* between reader and part */
    struct smi_sink *gate;     /* the owner's: the reader's rows and marks go there first, and the owner hands
                                * them     on to tee, with mono_ms set; NULL: there is none */
    bool base_known;           /* the base of its times */
    uint32_t faults;           /* bit i: fault i of no GPU was said */
};

/* A rule that holds now (room alert fills the list). */
struct smi_alert {
    int rule;                    /* place in the table of live rules */
    int gpu;                     /* place in smi_machine.gpu, or -1: of */
    int source;                  /* this source; or -1. Both -1: of the machine */
    bool ending;                 /* the condition has ended, but not for long enough */
    bool grave;                  /* lost, broken; else paid for and not used, or slowed */
    int64_t from_ms;             /* t_ms since when it holds */
    int64_t value;               /* of what has a limit, in the rule's unit */
    char text[SMI_MACHINE_TEXT]; /* "GPU 4 idle 6m12s, holds 70.4 GiB" */
    char note[48];               /* for the row of its GPU: "idle 6m12s" */
};

enum { SMI_GPU_PROCESS_NAME = 80 };

/* A process on a GPU, as a log of processes (--query-compute-apps, pmon) lists it. */
struct smi_gpu_process {
    const struct smi_live_gpu *gpu;
    int64_t pid;
    int64_t fb;                      /* its memory, millionths of MiB; SMI_NO_READING */
    char name[SMI_GPU_PROCESS_NAME]; /* as it was printed, of a long one the end; "": not known */
};

/* The rows of one time, which nvidia-smi prints together. */
struct smi_process_block {
    struct smi_gpu_process *proc;
    size_t n, cap;
    int64_t t_ms, mono_ms; /* its time; when its last row came */
    int source;
};

struct smi_machine;

struct smi_machine_opts {
    bool has_offset;   /* local times are offset_s east of UTC; else the */
    int offset_s;      /* system's offset at the time of smi_machine_new */
    bool fixed;        /* as smi_options.fixed */
    int gpu_count;     /* GPUs of logs without a key, or 0 */
    int64_t forget_ms; /* a followed log that is silent for so long is no alert of any kind; 0: it is */
    int expect_gpus;   /* fewer are an alert; 0: any number is right */
    const char *named_columns; /* borrowed: of --input-columns or --columns-from; or NULL */
    bool brief;                /* nobody looks at the whole run over time, nor at the last hour: no screen */
    bool here; /* sources print this machine's local time: one that is set changes no duration, and is said */
    bool follow; /* sources are logs of any machine and time: those of one directory are a run, and what they
                  * hold already is as old as this machine's clock says, not as when it is read */
};

struct smi_machine {
    struct smi_machine_opts o;
    struct smi_condition
        condition[SMI_CONDITIONS];  /* the table, with the limits of --idle-below and alerts */
    bool counted[SMI_METRIC_COUNT]; /* metrics of the screen and the machine: figures of the whole run */
    int64_t mono_ms;                /* of the last smi_machine_tick or smi_machine_feed */
    int64_t gpu_mono_ms;            /* when the last reading of a GPU came */
    bool timed;
    int64_t t_ms;              /* the clock of the run (UTC), if timed */
    int64_t first_ms;          /* the earliest time of a reading, if timed */
    struct smi_live_gpu **gpu; /* by index, then uuid; they do not move */
    size_t gpus, gpus_cap;
    size_t met;     /* GPUs met so far: their ids are below it */
    bool more_gpus; /* than SMI_MACHINE_GPUS_MAX */
    struct smi_live_gpu host;
    struct smi_live_source **source;
    size_t sources, sources_cap;
    struct smi_machine_run *run;               /* a list */
    bool many_runs, many_hosts, many_machines; /* labels of GPUs have the name of their run, of its host, of
                                                * the machine in front of their rows */
    struct smi_event event[SMI_MACHINE_EVENTS_MAX];     /* a ring: the last one is event[(events - 1) %
                                                           SMI_MACHINE_EVENTS_MAX] */
    int64_t events;                                     /* all there were */
    struct smi_machine_phase phase[SMI_MACHINE_PHASES]; /* the one that ended last first */
    size_t phases;
    struct smi_alert *alert; /* the gravest first */
    size_t alerts, alerts_cap;
    struct smi_process_block procs[2]; /* of processes: the one that comes in, and that before it */
    int64_t base_t_ms, base_mono_ms;   /* the latest time printed, and when it came */
    struct smi_arena arena;            /* names */
};

/* o is copied. */
struct smi_machine *smi_machine_new(const struct smi_machine_opts *o);
void smi_machine_free(struct smi_machine *n); /* may be NULL */

/* A new source. name is copied; format: an smi_format_id, or -1: its first lines tell it; interval_ms 0: not
 * known, its rows tell it. It lives as long as n does. */
struct smi_live_source *smi_machine_add_source(struct smi_machine *n, const char *name, int format,
                                               int64_t interval_ms);
/* The next bytes of a source, cut anywhere. Rows that cannot be read are counted in its part's account, as
 * summarize does. Returns 0, or -1 with err: this is no known log. */
int smi_machine_feed(struct smi_live_source *s, const char *p, size_t len, int64_t mono_ms,
                     struct smi_err *err);
/* The source begins anew (a monitor was started again, a file was replaced): a line that is not whole is
 * dropped, and the next bytes begin with a header. What was read stays. */
void smi_machine_restart(struct smi_live_source *s);
/* Rows that do not say which GPU they are of wait up to three seconds, or 256 rows, until it is clear how
 * many GPUs there are, and the last poll for the next one. The last poll of a log that has been silent for
 * some intervals waits no longer; with all, nothing does. */
void smi_machine_settle(struct smi_machine *n, bool all);
/* The source has ended: what waits goes on. Only smi_machine_restart may follow. Returns 0, or -1 with err:
 * it was no known log. */
int smi_machine_end(struct smi_live_source *s, struct smi_err *err);
/* Its state, for the monitors' line; why may be NULL. READING and SILENT are found by feed and tick
 * themselves. */
void smi_live_source_state(struct smi_live_source *s, enum smi_live_source_state state, const char *why);
/* Has nobody to care about a followed log any more: was it deleted, or silent for longer than forget_ms? */
bool smi_live_source_is_forgotten(const struct smi_live_source *s);
/* Is nothing more expected of a followed log: has it, or its run, ended? */
bool smi_live_source_is_over(const struct smi_live_source *s);
/* Time goes on: what is stale is found. */
void smi_machine_tick(struct smi_machine *n, int64_t mono_ms);
/* Something for the list of events, at the clock of the run (before it is timed: of this machine); text is
 * cut at SMI_MACHINE_TEXT, at a whole character. */
void smi_machine_add_event(struct smi_machine *n, enum smi_event_kind kind, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- questions ---- */

/* The last reading of a metric, or NULL if it is too old: older than SMI_MACHINE_STALE_INTERVALS intervals of
 * its source, and of a log than the time between two deliveries. b: a GPU, or &n->host. */
const struct smi_machine_reading *smi_machine_reading_of(const struct smi_machine *n,
                                                         const struct smi_live_gpu *b, unsigned metric);
/* Since when (mono) the readings of a GPU show a condition; SMI_NO_READING: the newest ones do not. */
int64_t smi_machine_shown_since(const struct smi_live_gpu *b, int condition);
/* The processes of the last block of rows that is whole and not older than SMI_MACHINE_STALE_INTERVALS
 * intervals, *n of them; more than one row may be of one process. NULL: there is no such block; no process,
 * or no log tells of them. */
const struct smi_gpu_process *smi_machine_processes(const struct smi_machine *n, size_t *count);
/* The clock of the run; before it is timed, and of followed logs, that of this machine. */
int64_t smi_machine_now(const struct smi_machine *n);
/* Where the histories of a GPU, or of the machine, end: the clock of the run; of followed logs the time that
 * its log would print now. */
int64_t smi_machine_gpu_now(const struct smi_machine *n, const struct smi_live_gpu *b);
/* The run of n->gpu[gpu], or of n->source[source]; NULL: both are -1, or no log is followed. */
const struct smi_machine_run *smi_machine_run_of(const struct smi_machine *n, int gpu, int source);
/* Why a GPU is SMI_GPU_LOST. */
const char *smi_machine_lost_reason(const struct smi_live_gpu *b);
/* How old the last reading of a GPU, or of the machine, is, in ms; -1: there is none. */
int64_t smi_machine_age(const struct smi_machine *n, const struct smi_live_gpu *b);

/* Mean, 95th percentile and maximum in millionths; n 0: no readings, and the rest undefined. */
struct smi_machine_figures {
    int64_t n, mean, p95, max;
};
/* Of the last five minutes; b NULL: of all GPUs that are mine. Mean and maximum of readings, the percentile
 * of means of a second; in the first five minutes of a run they are the whole run's. */
void smi_machine_window(const struct smi_machine *n, const struct smi_live_gpu *b, enum smi_history_slot slot,
                        struct smi_machine_figures *out);
/* Of the whole run, exact, of a metric that is counted, readings weighted equally as in the reference block;
 * b NULL: of all GPUs that are mine. */
void smi_machine_whole_run(const struct smi_machine *n, const struct smi_live_gpu *b, unsigned metric,
                           struct smi_machine_figures *out);
/* Means of the last span_ms in `cells` cells up to smi_machine_gpu_now, on the grid of the history's cells,
 * so that a cell does not change once it is over; SMI_NO_READING where there is none. span_ms 0: the whole
 * run. peaks: the largest readings instead, of the last hour. */
#define SMI_NO_READING INT64_MIN
void smi_machine_sparkline(const struct smi_machine *n, const struct smi_live_gpu *b,
                           enum smi_history_slot slot, int64_t span_ms, bool peaks, int64_t *out,
                           size_t cells);
/* Sums over the whole run of a GPU, or (b NULL) of all that are mine, intervals that are gaps left out
 * (docs/numbers.md §4): as the report will say them. */
struct smi_machine_totals {
    int64_t covered_ms, known_ms, idle_ms; /* GPU time */
    smi_i128 energy;                       /* millionths of J */
    struct smi_value energy_wh;
};
void smi_machine_totals(const struct smi_machine *n, const struct smi_live_gpu *b,
                        struct smi_machine_totals *out);

/* The next time after `now` on the grid of `step` from *at on: what is late once does not make all others
 * late. */
static inline void smi_next_step_ms(int64_t *at, int64_t step, int64_t now)
{
    *at += ((now - *at) / step + 1) * step;
}

/* From which age on a reading is old. */
int64_t smi_machine_stale_after(int64_t interval_ms);
/* A phase of this name has ended, and took so long. */
void smi_machine_phase_ended(struct smi_machine *n, struct smi_text name, int64_t ms, int64_t end_ms);

/* ---- what the screen, lines and the live page say alike of the machine's state ---- */

extern const char *const smi_gpu_states[];    /* "ok" "stale" "lost" */
extern const char *const smi_source_states[]; /* "starting" "ok" "silent" "down" "ended" */

/* A fresh reading of a GPU that is not lost, or NULL. */
const struct smi_machine_reading *smi_machine_shown(const struct smi_machine *n, const struct smi_live_gpu *b,
                                                    unsigned metric);
/* *sum: of the readings of the job's own GPUs. Returns how many of them have one. */
int64_t smi_machine_sum(const struct smi_machine *n, unsigned metric, int64_t *sum);
/* "14:32:07" on the clock of the logs; "--:--:--" if they have none. */
const char *smi_machine_clock(struct smi_text_arena *g, const struct smi_machine *n, int64_t t_ms);
/* "70.4": r in units of `unit` millionths; "-" for NULL. */
const char *smi_machine_value(struct smi_text_arena *g, const struct smi_machine_reading *r, int64_t unit,
                              int digits);
/* The readings of a GPU that the screen and the page show beside each other. */
enum {
    SMI_GPU_CELL_USE,
    SMI_GPU_CELL_VRAM,
    SMI_GPU_CELL_TEMP = 3,
    SMI_GPU_CELLS_OF_PAGE = 5,
    SMI_GPU_CELLS = 7
};
struct smi_gpu_cell {
    const char *name;         /* "vram" */
    const char *label, *unit; /* of the graphs of one GPU: "memory" "GiB" */
    enum smi_history_slot slot;
    unsigned metric, whole; /* whole: of which it is a part, printed behind it; 0: none */
    unsigned most;          /* what 100 % of a graph is; 0: 100, or the largest there is */
    unsigned mark;          /* an SMI_MARK_* bit, or 0 */
    int64_t scale;          /* millionths of the unit */
    int digits;
};
extern const struct smi_gpu_cell smi_gpu_cells[SMI_GPU_CELLS];
/* "88 %"; "70.4/80": with the whole of it, if that is wanted and known; "-": no reading. */
const char *smi_machine_cell(struct smi_text_arena *g, const struct smi_machine *n,
                             const struct smi_live_gpu *b, size_t cell, bool whole);
/* "4", "0.1/seed=2/4", "-": what stands in the first column. */
const char *smi_machine_gpu_name(struct smi_text_arena *g, const struct smi_machine *n,
                                 const struct smi_live_gpu *b);
/* Of the job's own GPUs: "88.4 %", their mean use; "561/637 GiB" and "4.2/5.6 kW", sums, and those of their
 * wholes; "412.6 Wh"; "0.25 GPU-h" idle; and "38 %" of the CPUs. NULL: it is not known. */
enum smi_machine_total {
    SMI_TOTAL_USE,
    SMI_TOTAL_MEMORY,
    SMI_TOTAL_POWER,
    SMI_TOTAL_ENERGY,
    SMI_TOTAL_IDLE,
    SMI_TOTAL_CPU,
    SMI_TOTALS
};
void smi_machine_total_texts(struct smi_text_arena *g, const struct smi_machine *n,
                             const char *text[SMI_TOTALS]);
/* "8 x H100 80GB HBM3", or of several kinds how many there are. As the driver has it: to be escaped. */
const char *smi_machine_models(struct smi_text_arena *g, const struct smi_machine *n);
/* "99 logs have ended, the last one 2d09h ago"; NULL: none has. */
const char *smi_machine_ended(struct smi_text_arena *g, const struct smi_machine *n);
enum { SMI_FIGURE_ROWS = 4, SMI_FIGURES = 6 };
/* Mean, 95th percentile and maximum of the last five minutes, then of the whole run; "-": not known. */
struct smi_figure_row {
    const char *label;
    const char *figure[SMI_FIGURES];
};
/* Fills the rows of which anything is known. Returns their number. */
size_t smi_machine_figure_rows(struct smi_text_arena *g, const struct smi_machine *n,
                               struct smi_figure_row row[SMI_FIGURE_ROWS]);
/* "LOST", "reading 9 s old", or the notes of the alerts about this GPU. */
const char *smi_machine_remark(struct smi_text_arena *g, const struct smi_machine *n, size_t gpu);
