/* column.h - what a header cell means, and what a data cell under it says. */
#pragma once

#include "model/device.h"
#include "model/line_account.h"
#include "model/metric.h"
#include "model/rows.h"

struct smi_lines;

enum smi_column_kind {
    SMI_COL_SKIP, /* a known text column, or an unknown one: not read */
    SMI_COL_TIME,
    SMI_COL_KEY,    /* what = an smi_device_key */
    SMI_COL_NAME,   /* the model */
    SMI_COL_PLACE,  /* what = an SMI_AT_* (row_engine.h) */
    SMI_COL_ALARM,  /* "No", "None" where all is well; what = an smi_fault_id */
    SMI_COL_NUMBER, /* what = a metric */
    SMI_COL_ACTIVE, /* "Active" / "Not Active", "Enabled" / "Disabled"; what = its metric */
    SMI_COL_MASK,   /* throttle reasons as a hex mask: sets all SMI_THROTTLE_COUNT state metrics */
    SMI_COL_PSTATE  /* P0 to P15 */
};

/* A unit as names and cells spell it: v * num / den is in the unit `of` the catalogue. */
struct smi_unit {
    const char *word, *of;
    int64_t num, den;
};

/* A name of a header, in any case, and what it means. */
struct smi_alias {
    const char *name;
    enum smi_column_kind kind;
    uint16_t what;
    uint8_t how;  /* the number of its unit in smi_units; 0: the metric's own */
    uint8_t word; /* enum smi_names_word */
};
enum smi_names_word { SMI_WORD_GPU = 1, SMI_WORD_RAM = 2, SMI_WORD_GPU_RAM = 4 }; /* amd.c has its own */
struct smi_names {
    const struct smi_alias *list;
    size_t n;
};

/* What formats/ *.map say (scripts/build/maps.awk); the first unit is none. */
extern const struct smi_unit smi_units[];
extern const size_t smi_unit_count;
extern const char *const smi_gpu_csv_words[][2];
extern const struct smi_names smi_names_amd_metric, smi_names_amd_monitor, smi_names_amd_process,
    smi_names_amd, smi_names_apps, smi_names_codecarbon, smi_names_dcgmi, smi_names_dmon,
    smi_names_exposition, smi_names_gpu_csv, smi_names_gpu_tracker, smi_names_gpustat_json, smi_names_jtop,
    smi_names_jtop_parts, smi_names_nvitop, smi_names_nvitop_host, smi_names_nvtop, smi_names_query,
    smi_names_query_kin, smi_names_query_measures, smi_names_query_never, smi_names_report, smi_names_rocm,
    smi_names_table, smi_names_usage_log, smi_names_wandb;
/* The first alias of a map with this name, or NULL. */
const struct smi_alias *smi_names_find(const struct smi_names *map, struct smi_text name);
/* The same of names that come in one order mostly, spelled exactly: the place *at of the last one is tried
 * first, then what stands behind it. */
const struct smi_alias *smi_names_follow(const struct smi_names *map, size_t *at, struct smi_text name);
/* The unit of this text ("MiB", "%"), in any case; or NULL. */
const struct smi_unit *smi_unit_find(struct smi_text t);

struct smi_query_column {
    enum smi_column_kind kind;
    uint16_t what;
    bool known;    /* nvidia-smi has such a column (even if it is not read) */
    bool kin;      /* not known, and it begins as other columns of nvidia-smi do */
    bool measures; /* the name alone proves a query CSV: utilization.*, memory.*, power.*, ... */
};

/* The column of an nvidia-smi query field: name as typed or as printed, any case, with or without its unit in
 * brackets. Always fills c; an unknown name gives SMI_COL_SKIP with known false. */
void smi_column_query(struct smi_text header, struct smi_query_column *c);
/* Name number i of the query fields that have a meaning here, as nvidia-smi prints or takes it; NULL past the
 * last. */
const char *smi_column_query_name(size_t i);

enum smi_cell_status { SMI_CELL_OK, SMI_CELL_MISSING, SMI_CELL_BAD, SMI_CELL_RANGE, SMI_CELL_NO_UNIT };
/* A number cell of this metric in this unit (smi_units: its own), or in another one of that kind, which
 * stands behind it: "45 C"; glued: also without a blank, "45C"; real: as programs print their own numbers,
 * perhaps with an exponent, or nan. MISSING: a sentinel ([...], N/A, -, ??, empty) or such a nan; BAD:
 * anything else that is no number; RANGE: the metric cannot have this value. */
enum { SMI_CELL_GLUED = 1, SMI_CELL_REAL = 2 };
enum smi_cell_status smi_cell_number(unsigned metric, const struct smi_unit *unit, unsigned how,
                                     struct smi_text cell, int64_t *v);

/* Begins a row: no time, no readings. */
static inline void smi_sample_begin(struct smi_sample *s)
{
    memset(s, 0, offsetof(struct smi_sample, metric));
}
static inline void smi_sample_copy(struct smi_sample *to, const struct smi_sample *s)
{
    memcpy(to, s, offsetof(struct smi_sample, metric) + s->n * sizeof *s->metric);
    memcpy(to->v, s->v, s->n * sizeof *s->v);
}
/* The reading of a metric, or NULL. */
int64_t *smi_sample_find(struct smi_sample *s, unsigned metric);
/* Adds one, if there is room. */
void smi_sample_add(struct smi_sample *s, unsigned metric, int64_t v);
/* Leaves out, and counts, a power above 1.5 times the limit of the row, or (remember) the last one of its
 * GPU, which a limit of the row becomes. */
void smi_sample_check_power(struct smi_sample *s, struct smi_lines *l, bool remember);
static inline bool smi_power_fits(int64_t power, int64_t limit)
{
    return limit <= 0 || power * 2 <= limit * 3;
}
/* A state (SMI_COL_ACTIVE, SMI_COL_PSTATE). */
enum smi_cell_status smi_cell_state(enum smi_column_kind kind, struct smi_text cell, int64_t *v);
/* Is it a bus id with its domain, "00000000:83:00.0"? */
static inline bool smi_cell_bus(struct smi_text t)
{
    return t.n >= 12 && smi_device_bus(t) >= 0;
}
/* Is this cell a sentinel: no reading, by the source's own words? */
bool smi_cell_missing(struct smi_text cell);
/* Is a sentinel the word of a fault ([GPU is lost], [GPU requires reset], [Unknown Error], ERR!), and not of
 * a reading that this GPU, driver or user never has? */
bool smi_cell_fault(struct smi_text cell);
/* Is it the model of a GPU ("NVIDIA A100", "Tesla T4"), and not one GPU of it ("nvidia0", "A100-1")? */
bool smi_cell_model(struct smi_text cell);
enum { SMI_CELL_DIGITS = 18 /* of a whole number that fits in any case */ };
/* A whole number of at most `most` digits, SMI_CELL_DIGITS or fewer; or -1. */
int64_t smi_cell_digits(struct smi_text t, size_t most);
/* A mask such as 0x0000000000000004, or 4. Returns 0 or -1. */
int smi_cell_mask(struct smi_text cell, uint64_t *mask);

/* Are these n cells the names of a query CSV (csv_fast.c)? */
bool smi_query_is_header(const struct smi_text *cell, size_t n);

/* ---- the first line of /proc/stat, and what two of them say: the one rule for logs and for the
 * machine itself.
 *
 *     cpu  60683 0 14574 189323 863 0 329 330 0 0
 *
 * user nice system idle [iowait irq softirq steal guest guest_nice] in ticks since boot; kernels
 * before 2.6.33 print fewer. guest is in user already, and guest_nice in nice: only the first eight add up.
 * Source: proc_stat(5). ---- */

enum { SMI_CPU_TICKS = 8 };

struct smi_cpu_ticks {
    int64_t of[SMI_CPU_TICKS]; /* what a kernel does not print is 0 */
};

/* Shares of all CPUs' time between two lines, in millionths of a percent. */
struct smi_cpu_shares {
    int64_t usr, idle;    /* usr: nice included; idle: without waiting for disks */
    int64_t busy, iowait; /* busy: neither idle nor waiting */
};

/* Whether line is such a line: "cpu" and at least four numbers. */
bool smi_cpu_ticks_read(struct smi_text line, struct smi_cpu_ticks *ticks);
/* Is this word the name of a single CPU, "cpu12"? */
bool smi_cpu_ticks_is_cpu(struct smi_text word);
/* Counters may step back (iowait is not reliable, CPUs go away): a difference below 0 is taken for 0. Returns
 * false if no time has passed. */
bool smi_cpu_ticks_shares(const struct smi_cpu_ticks *before, const struct smi_cpu_ticks *now,
                          struct smi_cpu_shares *s);
