/* period.h - the runs that began in a period. */
#ifndef SMI_ASK_PERIOD_H
#define SMI_ASK_PERIOD_H

#include "ask/ask.h"

/* A moment that a user names. */
struct smi_moment {
    bool set, zoned; /* zoned: it is in UTC; else it is what the clock of each run's GPU logs shows */
    int64_t ms;
};


/* Of the sweep only those runs are left that began at or after since, and before until. A run whose zone is not known
 * is compared with a moment in UTC only where every zone gives the same answer. Left out, and told in said: runs
 * without a time, and those of which this is not known. Returns 0, or -1 with err. */
int smi_period_keep(struct smi_sweep *s, const struct smi_ask *q, struct smi_buf *said, struct smi_err *err);

#endif
