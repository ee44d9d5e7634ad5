/* metric_history.h - the last hour of one metric: cells of a second for five minutes, cells of five seconds
 * for an hour. The memory is fixed, whatever the rate of the readings. */
#ifndef SMI_LIVE_METRIC_HISTORY_H
#define SMI_LIVE_METRIC_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SMI_HISTORY_FINE_MS = 1000,
    SMI_HISTORY_FINE = 300,
    SMI_HISTORY_COARSE_MS = 5000,
    SMI_HISTORY_COARSE = 720,
    SMI_HISTORY_HOUR_MS = SMI_HISTORY_COARSE * SMI_HISTORY_COARSE_MS
};

/* Readings in millionths of the metric's unit; n 0: none, and the rest undefined. */
struct smi_history_cell {
    int64_t sum, max;
    uint32_t at; /* the low bits of its number since 1970: another one's readings are older than the ring */
    uint32_t n;
};

/* Zero-initialise. The cells come with the first reading. */
struct smi_history {
    struct smi_history_cell *fine, *coarse; /* SMI_HISTORY_FINE and SMI_HISTORY_COARSE of them, or NULL */
};

/* Adds a reading at t_ms, in any order; one that is older than the ring is passed over. hour: not only to the
 * last five minutes. Returns 0, or -1 without memory. */
void smi_history_add(struct smi_history *r, int64_t t_ms, int64_t v, bool hour);

struct smi_history_sum {
    int64_t n, max;
    int64_t sum;
};
/* All readings in the cells that begin in [from_ms, to_ms), added to *out (zero-initialise): those of a
 * second, or (coarse) of five. */
void smi_history_sum_between(const struct smi_history *r, int64_t from_ms, int64_t to_ms, bool coarse,
                             struct smi_history_sum *out);
/* Those of the last span_ms up to to_ms: cells of a second for spans up to five minutes, else of five. */
void smi_history_sum(const struct smi_history *r, int64_t to_ms, int64_t span_ms,
                     struct smi_history_sum *out);
/* The means of the cells of a second in the last span_ms up to to_ms, at most `room` of them, in no order:
 * for percentiles. Returns how many. */
size_t smi_history_means(const struct smi_history *r, int64_t to_ms, int64_t span_ms, int64_t *out,
                         size_t room);
/* to is empty. Returns 0, or -1 without memory. */
void smi_history_copy(struct smi_history *to, const struct smi_history *from);
void smi_history_fini(struct smi_history *r);

#endif
