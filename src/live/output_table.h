/* output_table.h - the state of this moment as a table for people (screens.md §5): three lines on top, then a
 * line a GPU. */
#ifndef SMI_LIVE_OUTPUT_TABLE_H
#define SMI_LIVE_OUTPUT_TABLE_H

#include "base/buf.h"
#include "live/machine.h"
#include "report/render_options.h"

/* What is not in smi_machine. */
struct smi_machine_table {
    const char *what;      /* "smilog live" */
    const char *host;      /* or NULL */
    int64_t interval_ms;   /* 0: not known */
    const char *recording; /* where to; or NULL */
    int64_t window_ms;     /* of the sparklines; 0: none */
};

/* Appends the frame, as wide as the look says (0: 160 columns). Returns 0, or -1 with err (memory). */
int smi_machine_table_put(struct smi_buf *to, const struct smi_machine *n, const struct smi_machine_table *f,
                          const struct smi_render_options *look, struct smi_err *err);

#endif
