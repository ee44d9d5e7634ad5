/* runlog.h - what a RunLog says about its run: how it ended, on which host, with which parameters, its
 * phases. */
#pragma once

#include "model/rows.h"
#include "aggregate/phases.h"

enum { SMI_EVENT_NAMES = 4096, SMI_EVENT_TIMES = 64, SMI_PARAMS_MAX = 256 };

struct smi_event_count {
    char *name;
    int64_t n;
    unsigned ticks; /* of how many of the n the time is in the list of ticks: the first SMI_EVENT_TIMES; none
                     * of those that a partial told */
};

/* When an event was. */
struct smi_event_time {
    int64_t t_us;
    uint32_t event; /* its place in the list */
};

struct smi_runlog_param {
    char *key, *text;
    bool bare; /* JSON without quotes: a number, true, false or null */
};

struct smi_runlog_params {
    struct smi_runlog_param *list;
    size_t n, cap;
};

enum { SMI_RUNLOG_USAGE_METRICS = SMI_TREE_PROCS - SMI_TREE_CPU + 1, SMI_RUNLOG_USAGE_PARTS = 3 };

/* What a tracker tells of its command in the stop event of its RunLog: also of what lived
 * between two rows of procs.csv, or before the first.
 *
 *     "data": {"seconds": 0.31, "cpu_s": 0.29, "cpu_main_s": 0.01, "cpu_children_s": 0.28,
 * "max_tree_ram_mib": 212.4, "max_rss_mib": 214.0, "max_tree_procs": 2, ...}
 *
 * max_ stands before the key of a metric of the tree; max_rss_mib is the most of one process, as the kernel
 * counts. */
struct smi_runlog_usage {
    uint32_t has;                           /* bit i: the log has max[i] */
    int64_t max[SMI_RUNLOG_USAGE_METRICS];  /* of metric SMI_TREE_CPU + i, millionths of its unit */
    int64_t span_us;                        /* so long it ran; 0: not told */
    int64_t cpu_us[SMI_RUNLOG_USAGE_PARTS]; /* CPU time: all, main, descendants */
};

/* Zero-initialise. */
struct smi_runlog {
    int64_t entries;                 /* phases and events */
    int64_t first_us, last_us;       /* smallest ts - seconds and largest ts, while entries > 0 */
    int64_t first_ts_us, last_ts_us; /* ts of the first and the last entry, in the order of the log */
    struct smi_event_count *event;
    size_t events, events_cap;
    struct smi_map by_name;      /* of event */
    int64_t event_other;         /* events past SMI_EVENT_NAMES names */
    struct smi_event_time *tick; /* in the order of the log */
    size_t ticks, ticks_cap;
    bool started, ended, failed, has_exit, has_offset;
    int64_t exit_code;
    int64_t
        recording; /* recording_number of the start event: its directory is DIR.N, the first was DIR; or 0 */
    int offset_s;  /* utc_offset_s of the start event */
    char *reason;  /* why it failed, a few words; or NULL */
    char *host;
    char *command; /* of the start event: what was tracked; or NULL */
    char *visible; /* CUDA_VISIBLE_DEVICES of the start event, or NULL */
    struct smi_runlog_params first,
        started_with;                /* data of the first event; of the first start that has any */
    bool has_first_event, recorded;  /* recorded: the first event is live's or run's own */
    struct smi_runlog_usage tracked; /* of the command, by the stop event of what tracked it */
    int64_t jax_peak, torch_peak;    /* millionths of MiB; 0: not known */
    struct smi_step_range {
        bool some;
        int64_t first_us, last_us; /* when */
        int64_t first, last;       /* the step, millionths */
    } steps;                       /* the earliest and the latest entry with a step in its data */
    struct smi_phases phases;
};

/* Takes one phase or event. Returns 0, or -1 with err. Source of the rules: docs/numbers.md §11. */
void smi_runlog_add(struct smi_runlog *r, const struct smi_mark *m);
/* Adds b, which comes after a: everything but its phases. */
void smi_runlog_merge_facts(struct smi_runlog *a, const struct smi_runlog *b);
/* Adds b, which comes after a. */
void smi_runlog_merge(struct smi_runlog *a, const struct smi_runlog *b);
/* The run's parameters. Borrowed. */
const struct smi_runlog_params *smi_runlog_params(const struct smi_runlog *r);
void smi_runlog_fini(struct smi_runlog *r);
