/* headline.h - the reference block: ten figures of one run, phase or sweep. */
#ifndef SMI_SUMMARY_HEADLINE_H
#define SMI_SUMMARY_HEADLINE_H

#include "base/json.h"
#include "model/field.h"
#include "model/metric.h"

enum { SMI_HEADLINE_MAX, SMI_HEADLINE_MEAN, SMI_HEADLINE_PEAK, SMI_HEADLINE_JAX = -1 };

/* All readings of one metric, thrown together. */
struct smi_headline_sum {
    int64_t n;
    smi_i128 sum; /* millionths */
    int64_t max;  /* millionths; undefined while n is 0 */
};

enum { SMI_HEADLINE_METRICS = 6 };
extern const uint16_t
    smi_headline_metric[SMI_HEADLINE_METRICS]; /* GPU_UTIL, FB_USED, POWER, MEM_UTIL, CPU_USR, CPU_IDLE */
int smi_headline_slot(unsigned metric);        /* or -1 */

struct smi_headline {
    struct smi_headline_sum pool[SMI_HEADLINE_METRICS];
    int64_t jax_peak; /* millionths of MiB; 0: not known */
};

void smi_headline_sum_merge(struct smi_headline_sum *a, const struct smi_headline_sum *b);
void smi_headline_merge(struct smi_headline *a, const struct smi_headline *b);

/* One figure: its text to one decimal ("71.8"), as Python's round(x, 1) prints it. */
struct smi_headline_figure {
    const char *key;
    bool has;  /* there is a value; else null */
    bool omit; /* optional and not known: the key is left out */
    char text[32];
};
void smi_headline_figures(const struct smi_headline *b, struct smi_headline_figure out[SMI_HEADLINE_COUNT]);
void smi_headline_json(const struct smi_headline *b, struct smi_json *j);

#endif
