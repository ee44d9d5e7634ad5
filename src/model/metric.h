/* metric.h - the catalogues: every metric that any log can carry, and every kind of log. One row of
 * metric.def or format.def each; nothing else lists them. */
#pragma once

#include "base/int128.h"

#include <stdbool.h>

struct smi_buf;

enum smi_metric_kind {
    SMI_GAUGE,   /* an instantaneous reading: all statistics */
    SMI_COUNTER, /* cumulative: first, last, increase */
    SMI_STATE    /* 0 or 1 (or a small number): shares of time */
};

#define SMI_METRIC(id, key, unit, kind, timed, step, ...) SMI_##id,
enum smi_metric_id {
#include "model/metric.def"
    SMI_METRIC_COUNT
};
#undef SMI_METRIC

struct smi_metric {
    const char *key;  /* canonical name, as in JSON and on the command line */
    const char *unit; /* as printed: "%", "MiB", "W", "C", "MHz", "" */
    enum smi_metric_kind kind;
    bool timed;          /* carries time sums: time_mean, and energy for power */
    int64_t step;        /* millionths between neighbouring values that sources print: dense counting */
    int64_t least, most; /* plausible readings, in millionths */
    const char *help;    /* one sentence: what the number means */
    const char *label;   /* what people call it; NULL: the words of its key */
};

extern const struct smi_metric smi_metrics[SMI_METRIC_COUNT];

/* The largest value of a counter, in its unit. Gauges stay below SMI_GAUGE_LIMIT millionths: sums of their
 * squares fit 128 bits. */
#define SMI_COUNT_MAX INT64_C(4611686018427)
#define SMI_GAUGE_LIMIT (INT64_C(1) << 43)

/* Is v (in millionths) a plausible reading of the metric? Readers refuse all others. */
static inline bool smi_reading_fits(unsigned metric, smi_i128 v)
{
    return v >= smi_metrics[metric].least && v <= smi_metrics[metric].most;
}

enum { SMI_TIMED_COUNT = 5, SMI_CURVE_COUNT = 7, SMI_THROTTLE_COUNT = 9 };
/* The metrics that have curves, and back: slot of a metric, or -1. The first SMI_TIMED_COUNT are the timed
 * ones; the others are drawn only. Both in catalogue order. */
extern const uint16_t smi_timed_metrics[SMI_CURVE_COUNT];
int smi_timed_slot(unsigned metric);

/* Throttle reasons are SMI_THROTTLE_FIRST + bit of the mask; their names without the "throttle." in front. */
#define SMI_THROTTLE_FIRST SMI_THROTTLE_IDLE

/* The metric with this key, or -1. */
int smi_metric_find(const char *key, size_t n);
/* The metric whose largest reading within an interval this one is, in a log of means; or -1. */
int smi_metric_of_peak(unsigned metric);
/* Host metrics (cpu_*, ram_*: the last of the catalogue) come from the machine, all others from a GPU. */
bool smi_metric_is_host(unsigned metric);

/* ---- what kind of log an input is, and on which base its times stand ---- */

/* On which base the times of an input stand. */
enum smi_time_base {
    SMI_TIME_BASE_NONE,  /* no times */
    SMI_TIME_BASE_LOCAL, /* local time without a zone: nvidia-smi */
    SMI_TIME_BASE_UTC,
    SMI_TIME_BASE_DAY,     /* time of day without a date: dmon -o T; from here on nothing tells the date */
    SMI_TIME_BASE_ELAPSED, /* since a beginning whose time is not known */
    SMI_TIME_BASES
};

#define SMI_FORMAT(id, reader, rank, name, base, flags, help) SMI_FMT_##id,
enum smi_format_id {
#include "model/format.def"
    SMI_FMT_COUNT
};
#undef SMI_FORMAT

/* Most formats have none: they have readings of GPUs (perhaps of the machine too), and their lines depend on
 * those above them. */
enum smi_format_flags {
    SMI_FORMAT_NO_GPU = 1,    /* it does not speak of GPUs */
    SMI_FORMAT_NO_ROWS = 2,   /* it has no readings */
    SMI_FORMAT_PROCESSES = 4, /* its rows are about processes: what it says of a GPU is added up from them */
    SMI_FORMAT_MARKS = 8,  /* it has phases or events: they are read before the rows of any log of the run */
    SMI_FORMAT_PIECES = 16 /* it can be read in pieces */
};

/* What is known of a format before its first byte is read. */
struct smi_format_info {
    const char *name, *help; /* name: as inputs[].format and --input-format say it */
    enum smi_time_base base; /* UTC; LOCAL: local or a time of day; NONE: each log tells by its content */
    bool gpu, rows, procs, marks, whole; /* see enum smi_format_flags; whole: never read in pieces */
    uint8_t rank;                        /* lines are shown to the formats in this order */
};

extern const struct smi_format_info smi_format_infos[SMI_FMT_COUNT];

/* ---- what Prometheus calls the metrics of the catalogue, and how it wants labels ---- */

/* A unit of the catalogue, and its base unit: value * num / den. */
struct smi_openmetrics_unit {
    const char *unit, *ending, *base; /* ending: of the key, taken off; base: put in its place: "_ratio" */
    int64_t num, den;                 /* den is a power of ten */
};
const struct smi_openmetrics_unit *smi_openmetrics_unit(unsigned metric);
/* Appends "smilog_gpu_util_ratio": the key with its base unit, and what is no letter or digit as '_'; of a
 * counter with _total. */
void smi_openmetrics_name(struct smi_buf *to, unsigned metric);
/* Appends before, key="text": what ends it, is escaped; what is no UTF-8 or no letter for people, as the
 * terminal has it. */
void smi_openmetrics_label(struct smi_buf *to, char before, const char *key, const char *text);
