/* alert.h - rules that are looked at while a job runs: each holds of a GPU or of a source, is said once it
 * has held for its time, and taken back once it has not for its time, so that a reading at the limit does not
 * flicker. */
#ifndef SMI_ALERT_ALERT_H
#define SMI_ALERT_ALERT_H

#include "now/now.h"

#define SMI_LIVE_RULE(id, key, grave, about, on_s, off_s, word, over) SMI_LIVE_##id,
enum smi_live_rule_id {
#include "alert/live.def"
    SMI_LIVE_RULES
};
#undef SMI_LIVE_RULE

struct smi_live_rule {
    const char *key;
    bool grave, of_source; /* broken or lost; about a source, else a GPU */
    int64_t on_ms, off_ms;
    const char *word, *over; /* "idle", for plain lines; "works again", for its end */
};
extern const struct smi_live_rule smi_live_rules[SMI_LIVE_RULES];

/* What a rule has seen of one GPU or source. */
struct smi_alert_memory {
    bool on, pending;
    int64_t since_ms, began_ms; /* of the present state of the condition; of the alert (t_ms) */
};

/* Zero-initialise; end with smi_alerts_fini. */
struct smi_alerts {
    struct smi_alert_memory *memory; /* by rule, then GPU or source */
    size_t cap, width;
};

/* An alert that begins or ends. */
struct smi_alert_change {
    const struct smi_live_rule *rule;
    bool begins;
    int gpu;             /* index, or -1 */
    const char *subject; /* "GPU 4", or the source's name */
    const char *text;
};
typedef void smi_alert_fn(void *self, const struct smi_alert_change *c);

/* Looks at all rules, fills n->alert (the gravest first), and says what begins or ends in n's events, and to
 * fn, if it is not NULL. Call it after smi_now_tick. Returns 0, or -1 with err (memory). */
int smi_alerts_look(struct smi_alerts *a, struct smi_now *n, smi_alert_fn *fn, void *self,
                    struct smi_err *err);
void smi_alerts_fini(struct smi_alerts *a);

#endif
