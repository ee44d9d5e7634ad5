/* query_period.h - the runs that began in a period. */
#ifndef SMI_QUERY_QUERY_PERIOD_H
#define SMI_QUERY_QUERY_PERIOD_H

#include "query/query.h"

/* A moment that a user names. */
struct smi_query_time {
    bool set, zoned; /* zoned: it is in UTC; else it is what the clock of each run's GPU logs shows */
    int64_t ms;
};

/* Reads "2026-07-03", "2026-07-03T18:14", "2026-07-03 18:14:05.5", each with Z or +02:00 behind the time if
 * wanted, and "90m", "12h", "7d", "2w": that long before now. Returns 0, or -1 with err (opt names the
 * option). */
int smi_query_time_read(struct smi_query_time *m, const char *opt, const char *text, int64_t now_ms,
                        struct smi_err *err);

/* Of the sweep only those runs are left that began at or after since, and before until. A run whose zone is
 * not known is compared with a moment in UTC only where every zone gives the same answer. Left out, and told
 * in said: runs without a time, and those of which this is not known. Returns 0, or -1 with err. */
int smi_query_keep_period(struct smi_sweep *s, const struct smi_query *q, struct smi_buf *said,
                          struct smi_err *err);

#endif
