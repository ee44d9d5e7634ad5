/* pytorch_names.h - different texts, numbered in the order in which they first came. */
#ifndef SMI_EXPORT_PYTORCH_NAMES_H
#define SMI_EXPORT_PYTORCH_NAMES_H

#include "base/err.h"
#include "base/map.h"
#include "base/text.h"

enum { SMI_PYTORCH_NAMES = 1 << 20 };

struct smi_pytorch_run_name {
    char *p; /* n bytes and a NUL */
    size_t n;
};

/* Zero-initialise. */
struct smi_pytorch_names {
    struct smi_pytorch_run_name *list;
    size_t n, cap;
    struct smi_map map;
};

/* The number of a text, which may be new. Returns 0, or -1 with err (memory; SMI_ELIMIT: there are too many).
 */
int smi_pytorch_names_find(struct smi_pytorch_names *s, struct smi_text name, size_t *number,
                           struct smi_err *err);
void smi_pytorch_names_fini(struct smi_pytorch_names *s);

#endif
