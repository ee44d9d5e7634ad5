/* headline.h - the reference block: ten figures of one run, phase or sweep (contract §4.1). */
#ifndef SMI_SUMMARY_HEADLINE_H
#define SMI_SUMMARY_HEADLINE_H

#include "base/json.h"
#include "model/metric.h"

enum { SMI_FIELD_MAX, SMI_FIELD_MEAN, SMI_FIELD_PEAK, SMI_FIELD_JAX = -1, SMI_FIELD_COUNT = 10 };

/* All readings of one metric, thrown together. */
struct smi_pool {
    int64_t n;
    smi_i128 sum; /* millionths */
    int64_t max;  /* millionths; undefined while n is 0 */
};

enum { SMI_BLOCK_METRICS = 6 };
extern const uint16_t smi_block_metric[SMI_BLOCK_METRICS]; /* GPU_UTIL, FB_USED, POWER, MEM_UTIL, CPU_USR, CPU_IDLE */
int smi_block_slot(unsigned metric); /* or -1 */

struct smi_block {
    struct smi_pool pool[SMI_BLOCK_METRICS];
    int64_t jax_peak; /* millionths of MiB; 0: not known */
};

void smi_block_merge_pool(struct smi_pool *a, const struct smi_pool *b);
void smi_block_merge(struct smi_block *a, const struct smi_block *b);

/* One figure: its text to one decimal ("71.8"), as Python's round(x, 1) prints it. */
struct smi_figure {
    const char *key;
    bool has;       /* there is a value; else null */
    bool omit;      /* optional and not known: the key is left out */
    char text[32];
};
void smi_block_figures(const struct smi_block *b, struct smi_figure out[SMI_FIELD_COUNT]);
void smi_block_json(const struct smi_block *b, struct smi_json *j);

#endif
