/* serve_page.h - the page of this moment: in one piece, with the present state in it, and a script that goes
 * on with the events. Without scripts it is a table. */
#ifndef SMI_LIVE_SERVE_PAGE_H
#define SMI_LIVE_SERVE_PAGE_H

#include "base/buf.h"
#include "live/serve.h"

/* The Content-Security-Policy under which it works: its own script and style, told by their hashes, its own
 * events, and nothing else. */
void smi_live_page_policy(struct smi_buf *to);
/* Appends the page; event: the present state as an event ("data: {...}", live/serve_state.h). Returns 0, or
 * -1 without memory. */
int smi_live_page_put(struct smi_buf *to, const struct smi_machine *n, const struct smi_serve_opts *o,
                      const struct smi_buf *event);

#endif
