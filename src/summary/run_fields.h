/* run_fields.h - the columns of runs, GPUs and phases: one list for CSV and SQL, so that a name is the same
 * everywhere. */
#ifndef SMI_SUMMARY_RUN_FIELDS_H
#define SMI_SUMMARY_RUN_FIELDS_H

#include "base/buf.h"
#include "base/clock.h"
#include "summary/summary.h"

enum smi_datum_kind {
    SMI_DATUM_NONE, /* no value: empty in CSV, NULL in SQL */
    SMI_DATUM_INT,
    SMI_DATUM_MICRO, /* n millionths */
    SMI_DATUM_BOOL,
    SMI_DATUM_TEXT
};

struct smi_datum {
    enum smi_datum_kind kind;
    int64_t n;
    const char *text; /* of a text; borrowed */
};

struct smi_run_column {
    const char *name;
    enum smi_datum_kind kind;
    int shown; /* of groups of runs, where nobody says which: its place among them, from 1; 0: it is not */
    const char *unit, *help;
};

#define SMI_RUN_FIELD(id, name, kind, shown, unit, help) SMI_COL_##id,
enum smi_run_column_id {
#include "model/run_field.def"
    SMI_RUN_COLUMNS
};
#undef SMI_RUN_FIELD

extern const struct smi_run_column smi_run_columns[SMI_RUN_COLUMNS];

/* The values of a run; texts that are made for it lie in the room. Zero-initialise, end with
 * smi_run_values_fini. */
struct smi_run_values {
    struct smi_datum v[SMI_RUN_COLUMNS];
    char start[SMI_CLOCK_TEXT], end[SMI_CLOCK_TEXT];
    struct smi_buf errors;
};
/* Fills row with what the summary says; texts are borrowed from both. Returns 0, or -1 without memory. */
int smi_run_values_fill(struct smi_run_values *row, const struct smi_summary *s);
void smi_run_values_fini(struct smi_run_values *row);

/* Columns of GPUs and phases that stand for themselves; the metrics of a GPU have more, see
 * smi_gpu_stat_names. */
enum {
    SMI_FINDING_COLUMNS = 12,
    SMI_GPU_COLUMNS = 12,
    SMI_PHASE_FIXED = 3,
    SMI_PHASE_COLUMNS = SMI_PHASE_FIXED + SMI_HEADLINE_COUNT + 3
};
extern const struct smi_run_column smi_gpu_columns[SMI_GPU_COLUMNS];
extern const struct smi_run_column smi_phase_columns[SMI_PHASE_COLUMNS];
extern const struct smi_run_column smi_finding_columns[SMI_FINDING_COLUMNS];
void smi_gpu_values_fill(struct smi_datum v[SMI_GPU_COLUMNS], const struct smi_gpu *g);
void smi_phase_values_fill(struct smi_datum v[SMI_PHASE_COLUMNS], const struct smi_phase_summary *p);
/* from: room for its time. */
void smi_finding_values_fill(struct smi_datum v[SMI_FINDING_COLUMNS], const struct smi_summary *s,
                             const struct smi_finding *f, char from[SMI_CLOCK_TEXT]);

/* What is said of a metric of a GPU, in the columns METRIC_NAME; counters have the last three, gauges the
 * others; a state has its share of time, METRIC_pct. */
enum { SMI_GPU_STATS = 16, SMI_GAUGE_STATS = 13 };
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
