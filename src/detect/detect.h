/* detect.h - the table of input formats, and telling them apart by content. */
#ifndef SMI_DETECT_DETECT_H
#define SMI_DETECT_DETECT_H

#include "format/format.h"

extern const struct smi_format *const smi_formats[SMI_FMT_COUNT];

int smi_format_find(const char *name); /* id, or -1 */

/* Tells the format of the first bytes of an input (n up to 64 KiB are looked at; whole: the input ends there).
 * Returns an smi_format_id; or -1, and why is filled with a sentence part ("empty", "UTF-16 text ...", "an nvidia-smi
 * table, not its CSV", "no known log format: begins with ..."); bare: rows of a query CSV without header whose columns
 * are not known (advice: --input-columns) - the id is still returned. */
struct smi_detect {
    bool bare;       /* a headerless query CSV that is not the reference's nine columns */
    bool ours;       /* our own output: never a log */
    bool messages;   /* only known error messages */
    char why[200];   /* UTF-8, safe to print */
};
int smi_detect(const char *p, size_t n, bool whole, struct smi_detect *why);

#endif
