/* json_line.h - logs of JSON lines: what their readers share. */
#ifndef SMI_FORMATS_JSON_LINE_H
#define SMI_FORMATS_JSON_LINE_H

#include "base/json_load.h"
#include "model/line_account.h"

/* Reads a line as a JSON object, as smi_json_load does; what was read as null is counted and said in a.
 * *entry: a fresh reference, yours; or NULL: the line is no such object, and was counted in a as rejected.
 * Returns 0, or -1 with err (memory). */
int smi_json_line(struct smi_text line, struct smi_buf *repaired, struct smi_account *a, json_t **entry,
                  struct smi_err *err);

#endif
