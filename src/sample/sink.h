/* sink.h - where samples and marks go. Embed as the first member of your own struct. */
#ifndef SMI_SAMPLE_SINK_H
#define SMI_SAMPLE_SINK_H

#include "base/err.h"
#include "sample/sample.h"

struct smi_sink {
    int (*take)(struct smi_sink *self, const struct smi_sample *s, struct smi_err *err);
    int (*mark)(struct smi_sink *self, const struct smi_mark *m, struct smi_err *err); /* NULL: not interested */
    int (*end)(struct smi_sink *self, struct smi_err *err);                            /* NULL or: after the last take */
};

#endif
