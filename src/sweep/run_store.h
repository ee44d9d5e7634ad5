/* run_store.h - where the runs of a sweep live: what the row of a run needs in memory, the details of many
 * runs in a file of $TMPDIR that has no name. It is mapped, so details are read as any memory, and
 * smi_run_store_trim gives back what was read: a sweep of 50,000 runs keeps about 3 kB of each. */
#ifndef SMI_SWEEP_RUN_STORE_H
#define SMI_SWEEP_RUN_STORE_H

#include "summary/summary.h"

enum {
    SMI_RUN_STORE_STEP = 1 << 20,   /* bytes by which the file grows */
    SMI_RUN_STORE_MEMORY = 32 << 20 /* bytes of details that stay in memory, before the file is made */
};

struct smi_run_store;

/* memory: SMI_RUN_STORE_MEMORY, or less in tests. */
struct smi_run_store *smi_run_store_new(size_t memory);
void smi_run_store_free(struct smi_run_store *store); /* or NULL */

/* Moves all that s points to into the store. Timeline and joined columns, which come later, go. The arena of
 * s, if it has one, is emptied and becomes *left, which has none. Any thread. */
void smi_run_store_move(struct smi_run_store *store, struct smi_summary *s, struct smi_arena *left);

/* Gives back the memory of details that were read; they are read again where they are needed. To be called
 * about every 250 runs by what looks at the details of all. */
void smi_run_store_trim(struct smi_run_store *store); /* or NULL */

#endif
