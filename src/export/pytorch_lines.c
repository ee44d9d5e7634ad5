#include "export/pytorch_lines.h"

static int pass_line(struct smi_pytorch_lines *l, struct smi_err *err)
{
    struct smi_text line = {l->keep.n ? l->keep.p : "", l->keep.n};
    bool too_long = l->skipping;
    int rc;
    if (l->keep.failed)
        return smi_err_nomem(err);
    line.n -= line.n && line.p[line.n - 1] == '\r';
    rc = l->line(l->self, too_long ? (struct smi_text){"", 0} : line, too_long, err);
    l->skipping = false;
    smi_buf_clear(&l->keep);
    return rc;
}

int smi_pytorch_lines_feed(struct smi_pytorch_lines *l, const char *p, size_t n, struct smi_err *err)
{
    const char *end = p + n, *lf;
    while (p < end) {
        lf = memchr(p, '\n', (size_t)(end - p));
        n = (size_t)((lf ? lf : end) - p);
        l->skipping = l->skipping || l->keep.n + n > SMI_PYTORCH_LINE;
        if (!l->skipping)
            smi_buf_add(&l->keep, p, n);
        if (lf && pass_line(l, err))
            return -1;
        p += n + (lf != NULL);
    }
    return l->keep.failed ? smi_err_nomem(err) : 0;
}

int smi_pytorch_lines_end(struct smi_pytorch_lines *l, struct smi_err *err)
{
    return l->keep.n || l->skipping ? pass_line(l, err) : 0;
}
