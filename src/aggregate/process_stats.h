/* process_stats.h - the processes of one input: what each used on each device. Sums, counts and largest
 * values only, so that parts add up to the whole. */
#pragma once

#include "base/err.h"
#include "base/map.h"
#include "base/int128.h"
#include "model/rows.h"

enum {
    SMI_PROCS_MAX =
        4096, /* processes of one input that are kept: the first ones; rows of others are counted */
    SMI_PROC_NAME_MAX = 1024, /* bytes of a name that are kept */
    SMI_PROC_METRICS = 5,
    SMI_PROC_MEMORY = 0, /* places in smi_proc_metric: device memory, */
    SMI_PROC_USE = 1     /* and the SMs */
};
/* What is kept of each: device memory, then use of SMs, memory, encoder, decoder. */
extern const uint16_t smi_proc_metric[SMI_PROC_METRICS];

struct smi_proc_sum {
    int64_t n; /* readings in the sum */
    smi_i128 sum;
    int64_t peaks, max; /* readings in the maximum; undefined while there are none */
};

/* One (device, pid, name); of accounting, one (device, pid, life). */
struct smi_proc {
    int who;         /* device number, or SMI_DEVICE_POOL: not known */
    int64_t pid;     /* -1: not known */
    char *name;      /* or NULL */
    unsigned types;  /* all that were printed */
    int64_t life_ms; /* as smi_process */
    int64_t samples; /* rows */
    bool timed;
    int64_t first_ms, last_ms; /* smallest and largest time, if timed */
    struct smi_proc_sum of[SMI_PROC_METRICS];
};

/* Zero-initialise. */
struct smi_procs {
    struct smi_proc *list; /* in order of appearance */
    size_t n, cap;
    struct smi_map map;
    int64_t others; /* rows of processes past SMI_PROCS_MAX */
};

/* What became of a row. AGAIN: an accounting record that was there already. */
enum smi_proc_result { SMI_PROC_KEPT, SMI_PROC_DUPLICATE };
/* Takes a row about a process. An accounting record comes again with every call and counts once; its largest
 * memory may have grown. */
enum smi_proc_result smi_procs_add(struct smi_procs *p, const struct smi_rows *r);
/* Adds one of b's, whose device is `who` here. The same returns. */
enum smi_proc_result smi_procs_join(struct smi_procs *a, const struct smi_proc *b, int who);
/* Adds up two of one key; b comes later. */
void smi_proc_add(struct smi_proc *a, const struct smi_proc *b);
void smi_procs_fini(struct smi_procs *p);
