/* waste.h - GPU time that was wasted, by cause, and what is not known of it. */
#ifndef SMI_SUMMARY_WASTE_H
#define SMI_SUMMARY_WASTE_H

#include "summary/summary.h"

/* Did the device's memory stand at one level, in enough rows to say so in words? */
bool smi_vram_held(const struct smi_summary *s);
/* Without utilisation nothing is known of idle time: then 0 is no answer. */
bool smi_waste_known(struct smi_value wasted, struct smi_value idle_pct, const struct smi_waste *w);
/* So much of its time is its energy of; a log of power may know more than the others, which does not count.
 */
int64_t smi_gpu_energy_ms(const struct smi_gpu *gpu);
/* Is its energy of less than 99 % of its time? */
bool smi_gpu_energy_is_part(const struct smi_gpu *gpu);
bool smi_gpu_unused(const struct smi_gpu *gpu); /* it was read, and did no work */
/* Milliseconds of one cause: 0 failed, 1 unused, 2 start, 3 stall, 4 end, as smi_waste_names. */
int64_t smi_waste_part(const struct smi_waste *w, int cause);
int64_t smi_wasted_ms(const struct smi_waste *w);
/* GPU time without a reading of utilisation, as far as it is in no part of the waste: neither used nor
 * wasted. */
int64_t smi_gpu_unknown_ms(const struct smi_summary *s, const struct smi_gpu *gpu);
int64_t smi_unknown_ms(const struct smi_summary *s);
int64_t smi_unknown_all_ms(const struct smi_summary *runs, size_t n);

#endif
