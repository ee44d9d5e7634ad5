/* ledger_private.h - the groups of a ledger: filled from rows, compared, written as columns. */
#ifndef SMI_QUERY_LEDGER_PRIVATE_H
#define SMI_QUERY_LEDGER_PRIVATE_H

#include "base/map.h"
#include "query/ledger.h"
#include "summary/ledger_row.h"
#include "sweep/walk.h"

enum { SMI_LEDGER_KEYS_MAX = 4 };

struct smi_ledger_load; /* ledger_compare.c */

struct smi_ledger_group {
    const char *key[SMI_LEDGER_KEYS_MAX], *node, *model; /* NULL: not known; node, model: of the first row */
    bool moved;                                          /* it was in other nodes, too */
    int64_t jobs;
    smi_i128 ms[SMI_LEDGER_PARTS], joules;
    int64_t loads; /* jobs in which it had load */
    struct smi_ledger_jobs {
        int64_t n, row; /* how many; the last of them */
    } loaded, beside;   /* those with load; those of them in which others of the job had load, too */
    smi_i128 top_w, top_x, top_y; /* sums of seconds, clock and power in the highest bin of load */
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
    struct smi_ledger_load *load;
    size_t loads, loads_cap;
    struct smi_map load_map;
    struct smi_inode_set seen, jobs; /* pairs of numbers: rows; jobs of groups */
    struct smi_ledger_row row;
    struct smi_account account; /* of the file at hand */
    int64_t rows, again;
};

/* Adds the load of the GPUs of the row at hand; group[i] is the place of that of GPU i. Returns 0, or -1
 * without memory. */
int smi_ledger_add_load(struct smi_ledger *l, const size_t *group);
/* How each GPU does beside its sisters. Returns 0, or -1 without memory. */
int smi_ledger_compare(struct smi_ledger *l);

#endif
