/* sink.h - where samples and marks go. Embed as the first member of your own struct. */
#ifndef SMI_MODEL_SINK_H
#define SMI_MODEL_SINK_H

#include "base/err.h"
#include "model/rows.h"

struct smi_sink {
    int (*take)(struct smi_sink *self, const struct smi_sample *s, struct smi_err *err);
    int (*mark)(struct smi_sink *self, const struct smi_mark *m,
                struct smi_err *err);                       /* NULL: not interested */
    int (*end)(struct smi_sink *self, struct smi_err *err); /* NULL or: after the last one */
    /* Many plain rows at once. NULL: they come through take, one by one. */
    int (*rows)(struct smi_sink *self, const struct smi_rows *r, struct smi_err *err);
};

/* Hands rows on, as a block where the sink takes blocks. Returns 0, or -1 with err. */
int smi_sink_rows(struct smi_sink *to, const struct smi_rows *r, struct smi_err *err);

#endif
