/* pytorch_lines.h - the lines of a log, up to SMI_PYTORCH_LINE bytes each. Unlike formats/lines.h this is
 * Python's view of a file: a last line without an end is one, and so is an empty one. */
#ifndef SMI_EXPORT_PYTORCH_LINES_H
#define SMI_EXPORT_PYTORCH_LINES_H

#include "base/buf.h"
#include "base/err.h"

enum { SMI_PYTORCH_LINE = 16 << 20 };

/* Zero-initialise, then fill line and self. */
struct smi_pytorch_lines {
    /* Without its LF and one CR before it. too_long: nothing of it was kept. Returns 0, or -1 with err to
     * stop. */
    int (*line)(void *self, struct smi_text line, bool too_long, struct smi_err *err);
    void *self;
    struct smi_buf keep; /* the beginning of a line whose end has not come yet */
    bool skipping;       /* it is too long */
};

int smi_pytorch_lines_feed(struct smi_pytorch_lines *l, const char *p, size_t n, struct smi_err *err);
int smi_pytorch_lines_end(struct smi_pytorch_lines *l, struct smi_err *err);

#endif
