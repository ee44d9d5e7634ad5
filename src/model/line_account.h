/* line_account.h - what became of every line of an input. Nothing is dropped in silence:
 * lines = header + rows + duplicates + blank + messages + the sum of rejected. */
#pragma once

#include "base/buf.h"
#include "base/err.h"
#include "base/map.h"
#include "base/text.h"
#include "model/metric.h"

/* Reasons in the order of their names, which is the order of output. */
enum smi_reject {
    SMI_REJECT_BAD_NUMBER, /* no cell of the row was usable */
    SMI_REJECT_BAD_TIME,   /* the time cell is no time, or no log was written then (smi_clock_fits) */
    SMI_REJECT_BAD_WIDTH,  /* another number of cells than the header */
    SMI_REJECT_BAD_ENCODING,
    SMI_REJECT_FOREIGN, /* no row, no header, no known message */
    SMI_REJECT_TOO_LONG,
    SMI_REJECT_TORN_TAIL, /* the last line has no line end, and is not proved whole */
    SMI_REJECT_COUNT
};
extern const char *const smi_reject_names[SMI_REJECT_COUNT];

enum { SMI_LOG_WARNING_MAX = 5 };     /* problems kept of one kind; the rest is counted */
enum { SMI_FAULT_WARNINGS_MAX = 32 }; /* faults of GPUs that are kept */

/* Kinds of problems that are no rejected line. */
enum {
    SMI_LOG_WARNING_MESSAGE = SMI_REJECT_COUNT,
    SMI_LOG_WARNING_CELL,
    SMI_LOG_WARNING_RANGE,
    SMI_LOG_WARNING_OTHER,
    SMI_LOG_WARNING_FAULT, /* smi_account_fault */
    SMI_LOG_WARNING_COUNT
};

/* One thing that was odd. */
struct smi_log_warning {
    int64_t line; /* 1-based; 0: about the whole input */
    int kind;     /* an smi_reject or SMI_LOG_WARNING_* : a merge keeps as many of each as the whole would */
    char *text;   /* one sentence without newline */
};

struct smi_account {
    int64_t lines, header, rows, duplicates, blank, messages; /* up to `changes` all are sums */
    int64_t rejected[SMI_REJECT_COUNT];
    int64_t cells_missing, cells_bad,
        out_of_range;  /* cells, not lines: sentinels, junk, impossible readings (smi_reading_fits) */
    int64_t undecided; /* rows without a key whose number of GPUs could not be told */
    int64_t ragged_bursts, ragged_rows;               /* bursts of another size than the plan's, their rows */
    int64_t stamps_never, stamps_twice, stamps_again; /* rows in an hour that their zone leaves out; in one
                                                       * that comes twice: in its first pass, in its second */
    int64_t changes;         /* headers that gave the columns another meaning than the one before */
    int64_t burst;           /* the plan's size of a burst */
    int64_t unknown_columns; /* names that were met as such */
    int64_t *refused;        /* out_of_range by metric, as far as one was: of most logs nothing */
    size_t refused_cap;
    struct smi_map unknown; /* their hashes, */
    struct smi_buf names;   /* and the first of them, as the problem has them */
    uint64_t
        asked[SMI_METRIC_COUNT / 64 + 1]; /* bit m: some cell of metric m said nothing: it was asked for */
    struct smi_log_warning *problem;
    size_t problems, cap;
    int64_t said[SMI_LOG_WARNING_COUNT]; /* how often each kind of problem was met, kept or not; faults: those
                                            kept */
};

/* A cell of this metric says nothing: so it was asked for, and may be absent in every row. */
void smi_account_request(struct smi_account *a, unsigned metric);
/* Counts a line that cannot be used, and keeps a problem that quotes it (cut, made safe). Returns 0 or -1
 * (memory). */
void smi_account_reject(struct smi_account *a, enum smi_reject why, struct smi_text line);
/* Keeps a problem of a kind (an smi_reject or SMI_LOG_WARNING_*) at the current line (a->lines), unless there
 * are enough. */
void smi_account_warn(struct smi_account *a, int kind, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Counts a reading that is out of the range of its metric, here up to `most` millionths. The first one of
 * each metric is quoted in a problem of kind SMI_LOG_WARNING_RANGE. */
void smi_account_range(struct smi_account *a, unsigned metric, struct smi_text cell, int64_t most);
/* Keeps, as a problem of kind SMI_LOG_WARNING_FAULT at the current line, that a GPU (`who`: its index or
 * another key; empty: not told) printed `what` ("[GPU is lost]") for a reading at the time `when` (as
 * printed; empty: not told). Each `what` of each GPU once, the first of them; so parts in their order keep
 * what the whole would. Returns 0 or -1 (memory). */
void smi_account_fault(struct smi_account *a, struct smi_text who, struct smi_text what,
                       struct smi_text when);
/* Counts the name of an unknown column that was not met before. One problem, where the first was met, names
 * all of them. */
void smi_account_unknown(struct smi_account *a, struct smi_text name);
int64_t smi_account_rejected(const struct smi_account *a);
/* Adds b's counts and problems to a (b's lines come after a's). Returns 0 or -1. */
void smi_account_merge(struct smi_account *a, const struct smi_account *b);
/* Frees it, and leaves an empty one. */
void smi_account_fini(struct smi_account *a);

/* ---- the catalogue of what goes wrong: one row of fault.def each ---- */

#define SMI_FAULT(id, ...) SMI_FAULT_##id,
enum smi_fault_id {
#include "model/fault.def"
    SMI_FAULT_COUNT
};
#undef SMI_FAULT

struct smi_fault_info {
    const char *name;  /* as in JSON */
    const char *words; /* as people say it */
    bool grave;        /* work was lost, or will be */
};

extern const struct smi_fault_info smi_faults[SMI_FAULT_COUNT];

/* What gpu_recovery_action asks for, by its NVML number; an unknown one is the last. */
enum { SMI_RECOVERY_ACTIONS = 6 };
extern const char *const smi_recovery_actions[SMI_RECOVERY_ACTIONS];

/* The fault with this name, or -1. */
int smi_fault_find(const char *name);
