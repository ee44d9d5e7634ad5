/* serve_page.h - the live page in one piece, with the present state in it, and a script that goes on with the
 * events; without scripts it is a table. And that state: the object of --format jsonl, and beside it
 * everything in words. */
#ifndef SMI_LIVE_SERVE_PAGE_H
#define SMI_LIVE_SERVE_PAGE_H

#include "base/buf.h"
#include "live/serve.h"

enum {
    SMI_SERVE_STATE_CELLS = 60,       /* of a sparkline */
    SMI_SERVE_STATE_SPAN_MS = 600000, /* that it is of */
    SMI_SERVE_STATE_EVENTS = 30       /* the last of them */
};

/* Appends one JSON object without a line end: that of smi_machine_json, and "page", whose texts are safe to
 * show and rounded as everywhere: title, host, models, every, time, zone, recording, span (how long),
 * interval_s; "totals": [{value, label}]; "alerts": [{grave, text, since}], the gravest first; "gpus": [{gpu,
 * state, name, use (percent or null), now, vram, power, temp, clock (texts), marks (of these, those that an
 * alert rests on), grave (of the marks, those of a grave one), remark, spark: [percent or null], from (the
 * first cell of the sparkline that an alert is about, or null)}] of GPUs that are the job's; "table":
 * [{label, five: [mean, p95, max], whole: [...]}]; "events": [{time, kind, text}], the last first; "phases":
 * [{name, times, span}], the one that ended last first; "monitors": [{name, state, text}]. Returns 0, or -1
 * without memory. */
void smi_serve_state_put(struct smi_buf *to, const struct smi_machine *n, const struct smi_serve_opts *o);

/* The Content-Security-Policy under which it works: its own script and style, told by their hashes, its own
 * events, and nothing else. */
void smi_live_page_policy(struct smi_buf *to);
/* Appends the page; event: the present state as an event ("data: {...}", smi_serve_state_put). Returns 0, or
 * -1 without memory. */
void smi_live_page_put(struct smi_buf *to, const struct smi_machine *n, const struct smi_serve_opts *o,
                       const struct smi_buf *event);

#endif
