/* lines_text.h - the state of this moment where there is no screen: a line an interval, a table at once,
 * JSON. Pure: text from smi_machine. */
#ifndef SMI_LIVE_OUTPUT_H
#define SMI_LIVE_OUTPUT_H

#include "base/buf.h"
#include "base/json.h"
#include "live/tui_draw.h"
#include "report/render_options.h"

/* One line, of --plain: "14:32:07 gpu% 88 90 GiB 70 70 W 1033 C 84! cpu% 38 idle:1". GPUs in
 * their order, in columns that can be cut; `-`: no reading; what is alerted stands at the end by GPU, or by
 * monitor. Times on the clock of offset_s. */
void smi_machine_line_put(struct smi_buf *to, const struct smi_machine *n);
/* One JSON object on a line: {"ts": "...Z", "gpus": [{"index": 0, "uuid": ..., "state": "ok", "age_s": 0.1,
 * every metric by its key}], "host": {...}, "alerts": [{"rule": ..., "gpu": ..., "text": ...}], "monitors":
 * [...]}. Old readings are null. Returns 0, or -1 without memory. */
void smi_machine_json(struct smi_buf *to, const struct smi_machine *n);
/* Its members, into an object that is open. */
void smi_machine_json_put(struct smi_json *j, const struct smi_machine *n);

/* Appends the frame, as wide as the look says (0: 160 columns). Returns 0, or -1 with err (memory). */
void smi_machine_table_put(struct smi_buf *to, const struct smi_machine *n, const struct smi_tui_info *about,
                           const struct smi_render_options *look);

#endif
