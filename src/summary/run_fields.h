/* run_fields.h - the values of the fields of model/field.h, from a summary. */
#pragma once

#include "base/buf.h"
#include "base/clock.h"
#include "model/field.h"
#include "summary/summary.h"

/* How a value lies in its structure (struct smi_summary, smi_gpu, ...), `at` bytes from its beginning. */
enum smi_place {
    SMI_PLACE_VALUE,    /* struct smi_value */
    SMI_PLACE_TEXT,     /* const char *, or NULL */
    SMI_PLACE_NAME,     /* the same, and any bytes */
    SMI_PLACE_FLAG,     /* bool */
    SMI_PLACE_COUNT,    /* int64_t */
    SMI_PLACE_LIMIT,    /* int64_t in millionths; negative: not known */
    SMI_PLACE_MADE,     /* made from other members: `at` is an smi_made */
    SMI_PLACE_HEADLINE, /* a figure of the headline summary: `at` is an smi_headline_id */
    SMI_PLACE_PART      /* no value, but a list: `at` is an smi_part */
};

enum smi_made {
    SMI_MADE_STATE,
    SMI_MADE_EXIT_CODE,
    SMI_MADE_START,
    SMI_MADE_END,
    SMI_MADE_NGPUS,
    SMI_MADE_THROTTLED,
    SMI_MADE_ERRORS,
    SMI_MADE_INCOMPLETE,
    SMI_MADE_GPU_INDEX,
    SMI_MADE_GPU_GAP,
    SMI_MADE_PHASE_SAMPLES,
    SMI_MADE_FINDING_RULE,
    SMI_MADE_FINDING_LEVEL,
    SMI_MADE_FINDING_GPU,
    SMI_MADE_FINDING_TO,
    SMI_MADE_FINDING_STRETCHES,
    SMI_MADE_FINDING_FROM
};

enum smi_part {
    SMI_PART_COMMAND,
    SMI_PART_PARAMS,
    SMI_PART_JOINED,
    SMI_PART_HEADLINE,
    SMI_PART_THROTTLE,
    SMI_PART_METRICS,
    SMI_PART_PHASE_HEADLINE,
    SMI_PART_QUALITY
};

/* A row of a list of fields: a field, or what only JSON has. */
struct smi_member {
    int field; /* its place among the fields, or -1 */
    enum smi_place place;
    size_t at;
    const char *json, *unit, *help; /* path and more, of a member that is no field */
    enum smi_field_price price;
};

/* What smilog reports of a run, a GPU, a phase or a finding. */
struct smi_member_list {
    const struct smi_field_info *info;
    int fields;
    const struct smi_member *of;
    size_t n;
};
extern const struct smi_member_list smi_run_list, smi_gpu_list, smi_phase_list, smi_finding_list;

/* The path of a member in JSON, as "vram.total_mb"; NULL: JSON does not have it, or in a list. */
const char *smi_member_path(const struct smi_member_list *l, const struct smi_member *m);
/* Without this price JSON does not have the member. */
enum smi_field_price smi_member_price(const struct smi_member_list *l, const struct smi_member *m);

/* The values of one run, GPU, ..., and the memory of texts that are made for them. Zero-initialise; end with
 * smi_field_values_fini. */
struct smi_field_values {
    struct smi_datum v[SMI_RUN_FIELDS]; /* the longest list */
    char start[SMI_CLOCK_TEXT], end[SMI_CLOCK_TEXT];
    struct smi_buf errors, incomplete;
};

/* Fills row with the values of an item of the run s (of smi_run_list: s itself); texts are borrowed from
 * both. */
void smi_field_values_fill(struct smi_field_values *row, const struct smi_member_list *l,
                           const struct smi_summary *s, const void *item);
/* The value of one member, which is no headline figure and no part; made texts lie in row. */
struct smi_datum smi_member_value(struct smi_field_values *row, const struct smi_summary *s, const void *item,
                                  const struct smi_member *m);
void smi_field_values_fini(struct smi_field_values *row);

/* The statistics of a metric of a GPU, in the columns METRIC_NAME; counters have the last three, gauges the
 * others; a state has its share of time, METRIC_pct. */
enum smi_gpu_stat_id {
    SMI_STAT_COUNT,
    SMI_STAT_MEAN,
    SMI_STAT_TIME_MEAN,
    SMI_STAT_MIN,
    SMI_STAT_MAX,
    SMI_STAT_STDDEV,
    SMI_STAT_P1,
    SMI_STAT_P5,
    SMI_STAT_P25,
    SMI_STAT_P50,
    SMI_STAT_P75,
    SMI_STAT_P95,
    SMI_STAT_P99,
    SMI_GAUGE_STATS,
    SMI_STAT_FIRST = SMI_GAUGE_STATS,
    SMI_STAT_LAST,
    SMI_STAT_INCREASE,
    SMI_GPU_STATS
};
extern const char *const smi_gpu_stat_names[SMI_GPU_STATS];
bool smi_gpu_stat_fits(unsigned metric, int stat);
struct smi_datum smi_gpu_stat(const struct smi_stats *m, int stat);

/* What people look at first of a GPU: a metric, a place in smi_gpu_stat_names, the head of its column (memory
 * in GiB). */
enum { SMI_GPU_FIRST_STATS = 10 };
struct smi_gpu_first_stat {
    uint16_t metric;
    int stat;
    const char *head;
};
extern const struct smi_gpu_first_stat smi_gpu_first_stats[SMI_GPU_FIRST_STATS];
