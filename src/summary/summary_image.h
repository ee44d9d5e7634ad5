/* summary_image.h - a summary as one piece of bytes, for this program alone: what the cache keeps. */
#ifndef SMI_SUMMARY_SUMMARY_IMAGE_H
#define SMI_SUMMARY_SUMMARY_IMAGE_H

#include "base/buf.h"
#include "summary/summary.h"

/* Appends the image of s: its structures as they are, pointers as offsets. Left out is what a sweep gives its
 * runs: arena, place, joined columns; and the timeline. to->failed says that memory ran out. */
void smi_summary_pack(struct smi_buf *to, const struct smi_summary *s);

/* Makes the summary of n bytes, aligned for any type, which become its own: they have to live as long, and
 * its arena is empty. Every offset is checked, numbers are not. Returns 0, or -1: they are no image of this
 * program, and out is empty. */
int smi_summary_unpack(struct smi_summary *out, char *image, size_t n);

/* Changes with the layout of a summary. */
uint64_t smi_summary_layout(void);

#endif
