/* machine_text.h - what the screen, lines and the live page say alike of the machine's state. */
#ifndef SMI_LIVE_MACHINE_TEXT_H
#define SMI_LIVE_MACHINE_TEXT_H

#include "live/machine.h"
#include "report/fmt.h"

extern const char *const smi_gpu_states[];    /* "ok" "stale" "lost" */
extern const char *const smi_source_states[]; /* "starting" "ok" "silent" "down" "ended" */

/* A fresh reading of a GPU that is not lost, or NULL. */
const struct smi_machine_reading *smi_machine_shown(const struct smi_machine *n, const struct smi_live_gpu *b,
                                                    unsigned metric);
/* *sum: of the readings of the job's own GPUs. Returns how many of them have one. */
int64_t smi_machine_sum(const struct smi_machine *n, unsigned metric, int64_t *sum);
/* "14:32:07" on the clock of the logs; "--:--:--" if they have none. */
const char *smi_machine_clock(struct smi_text_arena *g, const struct smi_machine *n, int64_t t_ms);
/* "70.4": r in units of `unit` millionths; "-" for NULL. */
const char *smi_machine_value(struct smi_text_arena *g, const struct smi_machine_reading *r, int64_t unit,
                              int digits);
/* "70.4/80": with the whole of it, if that is known. */
const char *smi_machine_value_of(struct smi_text_arena *g, const struct smi_machine_reading *r,
                                 const struct smi_machine_reading *whole, int64_t unit, int digits);
/* "561/637 GiB": the sum over the job's own GPUs, and of their wholes; NULL: nothing is known. */
const char *smi_machine_sum_of(struct smi_text_arena *g, const struct smi_machine *n, unsigned metric,
                               unsigned whole, int64_t unit, int digits, const char *word);
/* "88.4 %": the mean use of the job's own GPUs; NULL: it is not known. */
const char *smi_machine_use(struct smi_text_arena *g, const struct smi_machine *n);
/* "8 x H100 80GB HBM3", or of several kinds how many there are. As the driver has it: to be escaped. */
const char *smi_machine_models(struct smi_text_arena *g, const struct smi_machine *n);
/* "99 logs have ended, the last one 2d09h ago"; NULL: none has. */
const char *smi_machine_ended(struct smi_text_arena *g, const struct smi_machine *n);
/* "LOST", "reading 9 s old", or the notes of the alerts about this GPU. */
const char *smi_machine_remark(struct smi_text_arena *g, const struct smi_machine *n, size_t gpu);

#endif
