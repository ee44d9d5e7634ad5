/* summary_image.h - a summary as one piece of bytes, for this program alone: what a sweep keeps of its runs.
 */
#ifndef SMI_SUMMARY_SUMMARY_IMAGE_H
#define SMI_SUMMARY_SUMMARY_IMAGE_H

#include "base/buf.h"
#include "summary/summary.h"

/* Appends the image of s: its structures as they are, pointers as offsets. Left out is what a sweep gives its
 * runs: arena, place, joined columns; and the timeline. Returns the offset, a multiple of 16, at which
 * details begin: lists that no row of a table of runs needs. to->failed says that memory ran out. */
size_t smi_summary_pack(struct smi_buf *to, const struct smi_summary *s);

/* Makes the summary of an image that smi_summary_pack has made, in two pieces, aligned for any type, which
 * become its own: they have to live as long, and its arena is empty. `rest` has room for the bytes up to
 * details_at less the summary itself, `details` for the others. Every offset is checked, numbers are not.
 * Returns 0, or -1: they are no image of this program, and out is empty. */
int smi_summary_unpack_apart(struct smi_summary *out, struct smi_text image, size_t details_at, char *rest,
                             char *details);

#endif
