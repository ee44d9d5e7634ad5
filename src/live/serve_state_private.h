/* serve_state_private.h - what the files share that put the state of a moment in words. */
#ifndef SMI_LIVE_SERVE_STATE_PRIVATE_H
#define SMI_LIVE_SERVE_STATE_PRIVATE_H

#include "base/json.h"
#include "report/text.h"
#include "live/serve_state.h"

struct smi_serve_state_page {
    struct smi_json j;
    struct smi_text_arena g; /* pieces of text */
    const struct smi_machine *n;
    const struct smi_serve_opts *o;
};

/* "14:32:07" on the clock of the logs. */
const char *smi_serve_state_clock(struct smi_serve_state_page *p, int64_t t_ms);
const char *smi_serve_state_span(struct smi_serve_state_page *p, int64_t ms);
/* A text of somebody else's; NULL: null. */
void smi_serve_state_safe(struct smi_serve_state_page *p, const char *key, const char *text);

/* state_past.c: the table of five minutes and the whole run; events, phases, monitors. */
void smi_serve_state_past(struct smi_serve_state_page *p);

#endif
