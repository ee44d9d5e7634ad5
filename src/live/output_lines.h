/* output_lines.h - the state of this moment where there is no screen: a line an interval, a table at once,
 * JSON. Pure: text from smi_machine. */
#ifndef SMI_LIVE_OUTPUT_LINES_H
#define SMI_LIVE_OUTPUT_LINES_H

#include "base/json.h"
#include "live/machine.h"

/* One line (screens.md §5, --plain): "14:32:07 gpu% 88 90 GiB 70 70 W 1033 C 84! cpu% 38 idle:1". GPUs in
 * their order, in columns that can be cut; `-`: no reading; what is alerted stands at the end by GPU, or by
 * monitor. Times on the clock of offset_s. */
void smi_machine_line_put(struct smi_buf *to, const struct smi_machine *n);
/* One JSON object on a line: {"ts": "...Z", "gpus": [{"index": 0, "uuid": ..., "state": "ok", "age_s": 0.1,
 * every metric by its key}], "host": {...}, "alerts": [{"rule": ..., "gpu": ..., "text": ...}], "monitors":
 * [...]}. Old readings are null. Returns 0, or -1 without memory. */
int smi_machine_json(struct smi_buf *to, const struct smi_machine *n);
/* Its members, into an object that is open. */
void smi_machine_json_put(struct smi_json *j, const struct smi_machine *n);

#endif
