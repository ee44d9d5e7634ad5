/* machine_private.h - what the files that implement machine.h share. */
#ifndef SMI_LIVE_MACHINE_PRIVATE_H
#define SMI_LIVE_MACHINE_PRIVATE_H

#include "aggregate/ingest.h"
#include "live/machine.h"

/* The GPU that device number `who` of a source is, made if it is new; or the machine. NULL for rows of
 * nobody, past SMI_MACHINE_GPUS_MAX, or with err (memory). */
struct smi_live_gpu *smi_machine_gpu_of_device(struct smi_machine *n, struct smi_live_source *s, int who);

/* The GPU with this bus id, "0000:3B:00.0", made if it is new: a driver that lost it before we began has told
 * of it nothing else. NULL for an empty text, past SMI_MACHINE_GPUS_MAX, or with err (memory). */
struct smi_live_gpu *smi_machine_gpu_on_bus(struct smi_machine *n, int run, char *bus);

/* The names of runs, without what all paths have in common, and the labels of GPUs: call it when a log has
 * found its run, or a run its host. */
void smi_machine_name_runs(struct smi_machine *n);
/* From now on b belongs to this run, whose logs have its newest rows. */
void smi_machine_set_run(struct smi_machine *n, struct smi_live_gpu *b, int run);
/* Finds the runs of all logs in the directory of s, as summarize does by their names. Returns 0, or -1 with
 * err (memory). */
int smi_machine_group_logs(struct smi_machine *n, const struct smi_live_source *s);

/* From which age on a reading is old. */
int64_t smi_machine_stale_after(int64_t interval_ms);
/* The offset of local times is this machine's of now, if nobody said another. */
void smi_machine_update_offset(struct smi_machine *n);

/* As smi_machine_add_event, at a time of its own. */
void smi_machine_add_event_at(struct smi_machine *n, enum smi_event_kind kind, int64_t t_ms,
                              const char *text);
/* A phase of this name has ended, and took so long. */
void smi_machine_phase_ended(struct smi_machine *n, struct smi_text name, int64_t ms, int64_t end_ms);

#endif
