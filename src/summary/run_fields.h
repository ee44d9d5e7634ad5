/* run_fields.h - the values of the fields of model/field.h, from a summary. */
#ifndef SMI_SUMMARY_RUN_FIELDS_H
#define SMI_SUMMARY_RUN_FIELDS_H

#include "base/buf.h"
#include "base/clock.h"
#include "model/field.h"
#include "summary/summary.h"

/* How the value of a field lies in struct smi_summary, `at` bytes from its beginning. */
enum smi_place {
    SMI_PLACE_VALUE,    /* struct smi_value */
    SMI_PLACE_TEXT,     /* const char *, or NULL */
    SMI_PLACE_NAME,     /* the same, and any bytes */
    SMI_PLACE_FLAG,     /* bool */
    SMI_PLACE_LIMIT,    /* int64_t in millionths; negative: not known */
    SMI_PLACE_MADE,     /* made from other members: `at` is an smi_run_made */
    SMI_PLACE_HEADLINE, /* `at` is an smi_headline_id */
    SMI_PLACE_PART      /* no field: `at` is an smi_run_part */
};

enum smi_run_made {
    SMI_MADE_STATE,
    SMI_MADE_EXIT_CODE,
    SMI_MADE_START,
    SMI_MADE_END,
    SMI_MADE_NGPUS,
    SMI_MADE_THROTTLED,
    SMI_MADE_ERRORS
};

/* A row of run_field.def: a field, or what only JSON has. */
struct smi_run_member {
    int field; /* an smi_run_field_id, or -1 */
    enum smi_place place;
    size_t at;
    const char *json; /* path, of a member that is no field */
    enum smi_field_price price;
};

#define SMI_RUN_PART(id) SMI_RUN_PART_##id,
enum smi_run_part {
#include "model/run_field.def"
    SMI_RUN_PARTS
};

extern const struct smi_run_member smi_run_members[];
extern const size_t smi_run_member_count;

/* The path of a member in the JSON of a run, as "vram.total_mb"; NULL: JSON does not have it, or it is part
 * of a list. */
const char *smi_run_member_path(const struct smi_run_member *m);

/* The values of a run, and the memory of texts that are made for them. Zero-initialise; end with
 * smi_run_values_fini. */
struct smi_run_values {
    struct smi_datum v[SMI_RUN_FIELDS];
    char start[SMI_CLOCK_TEXT], end[SMI_CLOCK_TEXT];
    struct smi_buf errors;
};
/* Fills row with the values of a summary; texts are borrowed from both. Returns 0, or -1 without memory. */
int smi_run_values_fill(struct smi_run_values *row, const struct smi_summary *s);
/* The value of one member, no headline figure and no part; made texts lie in row. */
struct smi_datum smi_run_member_value(struct smi_run_values *row, const struct smi_summary *s,
                                      const struct smi_run_member *m);
void smi_run_values_fini(struct smi_run_values *row);

void smi_gpu_values_fill(struct smi_datum v[SMI_GPU_FIELDS], const struct smi_gpu *g);
void smi_phase_values_fill(struct smi_datum v[SMI_PHASE_FIELDS], const struct smi_phase_summary *p);
/* from: memory for its time. */
void smi_finding_values_fill(struct smi_datum v[SMI_FINDING_FIELDS], const struct smi_summary *s,
                             const struct smi_finding *f, char from[SMI_CLOCK_TEXT]);

/* Fills the members of a summary that SMI_RUN_STATISTIC rows declare, from the statistics of its GPUs. */
void smi_run_statistics_fill(struct smi_summary *s);

/* What is said of a metric of a GPU, in the columns METRIC_NAME; counters have the last three, gauges the
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

#endif
