/* ledger_private.h - the groups of a ledger: filled from rows, compared, written as columns. */
#ifndef SMI_QUERY_LEDGER_PRIVATE_H
#define SMI_QUERY_LEDGER_PRIVATE_H

#include "base/map.h"
#include "query/ledger.h"
#include "summary/ledger_row.h"
#include "sweep/walk.h"

/* What GPUs are compared by: the bins of load, and ratios to the other GPUs of the same job. */
enum { SMI_LEDGER_KEYS_MAX = 4, SMI_LEDGER_LOADS = SMI_LOAD_BINS + 1 };

/* Sums of clocks (x) and power (y) of a GPU, each weighed (w) by its seconds. */
struct smi_ledger_load {
    int64_t n;
    smi_i128 w, wx, wy, ww, wwx, wwxx;
};

struct smi_ledger_group {
    const char *key[SMI_LEDGER_KEYS_MAX], *node, *model; /* NULL: not known; node, model: of the first row */
    bool moved;                                          /* it was in other nodes, too */
    int64_t jobs;
    smi_i128 ms[SMI_LEDGER_PARTS], joules;
    struct smi_ledger_load load[SMI_LEDGER_LOADS];
    int64_t loads;                /* jobs in which it had load */
    smi_i128 top_w, top_x, top_y; /* as w, wx, wy: of the highest bin */
    struct smi_value clock_pct, power_pct;
    bool slow;
};

struct smi_ledger {
    enum smi_ledger_field by[SMI_LEDGER_KEYS_MAX];
    size_t keys;
    bool of_gpus; /* one of them is the uuid */
    struct smi_arena words;
    struct smi_ledger_group *group;
    size_t groups, cap;
    struct smi_map map;
    struct smi_inode_set seen, jobs; /* pairs of numbers: rows; jobs of groups */
    struct smi_ledger_row row;
    struct smi_account account; /* of the file at hand */
    int64_t rows, again;
};

/* Adds the load of the GPUs of a row; group[i] is that of gpu[i], or NULL. */
void smi_ledger_add_load(struct smi_ledger_group *const *group, const struct smi_ledger_gpu *gpu, size_t n);
/* How each GPU does beside all others of its model. Returns 0, or -1 without memory. */
int smi_ledger_compare(struct smi_ledger *l);

#endif
