/* samples_mark.h - phases and events that smilog export has written, on their way back. */
#ifndef SMI_FORMATS_SAMPLES_MARK_H
#define SMI_FORMATS_SAMPLES_MARK_H

#include "formats/json_line.h"
#include "formats/lines.h"

enum { SMI_SAMPLES_MARK_FIELDS = 256 };

/* Room for the values of one. */
struct smi_samples_mark {
    unsigned fields;
    bool full; /* it has more than SMI_SAMPLES_MARK_FIELDS values */
    struct smi_field field[SMI_SAMPLES_MARK_FIELDS];
    char digits[SMI_SAMPLES_MARK_FIELDS][SMI_JSON_DIGITS];
};

/* Hands on what entry (with "phase" or "event", borrowed) says of the time, or rejects its line. Returns 0,
 * or -1 with err. */
int smi_samples_mark_read(struct smi_samples_mark *r, struct smi_lines *l, struct smi_text time,
                          json_t *entry, struct smi_text line, struct smi_err *err);

#endif
