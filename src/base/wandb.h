/* wandb.h - the records of a run of Weights & Biases (run-ID.wandb) to JSON lines.
 *
 *     {"wandb": "run", "event": "start", "time": "2026-07-03T10:00:00.000Z", "data": {"host": "node1", "lr":
 * 0.1}}
 *     {"wandb": "gpu", "index": 0, "name": "NVIDIA A100", "memory": 42949672960, "uuid": "GPU-1f..."}
 *     {"wandb": "stats", "time": 1783072800.250000, "gpu.0.gpu": 37.0, "gpu.0.temp": 41}
 *     {"wandb": "history", "event": "step", "time": "2026-07-03T10:00:20.250Z", "data": {"_step": 0,
 * "loss": 2.3}}
 *     {"wandb": "exit", "event": "stop", "time": "2026-07-03T10:31:00.000Z", "data": {"exit_status": 0}}
 *     {"wandb": "other"}
 *     {"wandb": "damaged record"}
 *
 * A line for each record, and one for each GPU of the machine; of the values those that are no lists and no
 * objects. A damaged record is one whose checksum, length or parts are wrong. One that the end of the file
 * cuts off becomes a line without its end. */
#ifndef SMI_BASE_WANDB_H
#define SMI_BASE_WANDB_H

#include "base/stream.h"

#define SMI_WANDB_MAGIC ":W&B"

struct smi_wandb; /* opaque */

/* Reads `from` (borrowed) from its first byte on. NULL with err (memory). */
struct smi_wandb *smi_wandb_open(struct smi_byte_source *from, struct smi_err *err);
struct smi_byte_source *smi_wandb_source(struct smi_wandb *w);
void smi_wandb_close(struct smi_wandb *w); /* may be NULL */

#endif
