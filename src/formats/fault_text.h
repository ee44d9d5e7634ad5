/* fault_text.h - what cells and messages tell of broken GPUs, handed on as marks. */
#ifndef SMI_FORMATS_FAULT_TEXT_H
#define SMI_FORMATS_FAULT_TEXT_H

#include "formats/format.h"
#include "formats/lines.h"
#include "model/line_account.h"

/* The fault that a cell without a reading tells ("[GPU is lost]", "[Unknown Error]"), or -1 ("[N/A]"). */
int smi_cell_fault_id(struct smi_text cell);
/* A cell of a column that should say "No" or "None" (SMI_COL_ALARM): the code of the fault if it says
 * otherwise, -1 if it is as it should be. */
int64_t smi_cell_alarm(unsigned fault, struct smi_text cell);

/* Hands on that a row (its who, t_ms, timed) tells a fault. Returns 0, or -1 with err. */
int smi_fault_report(struct smi_sink *to, const struct smi_sample *s, int fault, int64_t code,
                     struct smi_err *err);
/* As smi_message_count; the fault that the message tells is handed on. */
int smi_message_report(struct smi_lines *l, struct smi_text line, struct smi_err *err);

#endif
