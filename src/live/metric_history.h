/* metric_history.h - the last hour of one metric: cells of a second for five minutes, cells of five seconds for an
 * hour. The memory is fixed, whatever the rate of the readings. */
#ifndef SMI_LIVE_METRIC_HISTORY_H
#define SMI_LIVE_METRIC_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SMI_RING_FINE_MS = 1000,
    SMI_RING_FINE = 300,
    SMI_RING_COARSE_MS = 5000,
    SMI_RING_COARSE = 720,
    SMI_RING_HOUR_MS = SMI_RING_COARSE * SMI_RING_COARSE_MS
};

/* Readings in millionths of the metric's unit; n 0: none, and the rest undefined. */
struct smi_ring_cell {
    int64_t sum, max;
    int64_t at; /* its number since 1970: another one's readings are older than the ring */
    uint32_t n;
};

/* Zero-initialise. The cells come with the first reading. */
struct smi_ring {
    struct smi_ring_cell *cell; /* SMI_RING_FINE, then SMI_RING_COARSE; or NULL */
};

/* Adds a reading at t_ms, in any order; one that is older than the ring is passed over. Returns 0, or -1
 * without memory. */
int smi_ring_add(struct smi_ring *r, int64_t t_ms, int64_t v);

struct smi_ring_sum {
    int64_t n, max;
    int64_t sum;
};
/* All readings in the cells that begin in [from_ms, to_ms), added to *out (zero-initialise): those of a
 * second, or (coarse) of five. */
void smi_ring_sum_between(const struct smi_ring *r, int64_t from_ms, int64_t to_ms, bool coarse,
                          struct smi_ring_sum *out);
/* Those of the last span_ms up to to_ms: cells of a second for spans up to five minutes, else of five. */
void smi_ring_sum(const struct smi_ring *r, int64_t to_ms, int64_t span_ms, struct smi_ring_sum *out);
/* The means of the cells of a second in the last span_ms up to to_ms, at most `room` of them, in no order:
 * for percentiles. Returns how many. */
size_t smi_ring_means(const struct smi_ring *r, int64_t to_ms, int64_t span_ms, int64_t *out, size_t room);
/* to is empty. Returns 0, or -1 without memory. */
int smi_ring_copy(struct smi_ring *to, const struct smi_ring *from);
void smi_ring_fini(struct smi_ring *r);

#endif
