/* pytorch_segments.h - when which command was seen: times of one command that are at most 60 s apart are one
 * segment. */
#ifndef SMI_EXPORT_PYTORCH_SEGMENTS_H
#define SMI_EXPORT_PYTORCH_SEGMENTS_H

#include "base/buf.h"
#include "export/pytorch_names.h"

#include <stdint.h>

enum { SMI_PYTORCH_GAP = 60 };

struct smi_pytorch_segment {
    int64_t start, end; /* seconds since 1970 */
};

/* Zero-initialise. */
struct smi_pytorch_segments {
    struct smi_pytorch_names names; /* as jansson has them (export/pytorch_json.h) */
    struct smi_pytorch_spans {
        struct smi_pytorch_segment *list; /* in their order, more than SMI_PYTORCH_GAP apart */
        size_t n, cap;
    } * of; /* of each name */
    size_t cap;
};

/* A record of the time `at` names this command; times may come in any order. Only commands that begin with
 * "python" count. Returns 0, or -1 with err (memory; SMI_ELIMIT). */
int smi_pytorch_segments_add(struct smi_pytorch_segments *s, struct smi_text name, int64_t at,
                             struct smi_err *err);
/* Appends them as a JSON list, command by command. */
void smi_pytorch_segments_json(struct smi_buf *to, const struct smi_pytorch_segments *s);
void smi_pytorch_segments_fini(struct smi_pytorch_segments *s);

#endif
