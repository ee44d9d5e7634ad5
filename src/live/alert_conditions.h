/* alert_conditions.h - the conditions of the rules: does one hold of a GPU or a source at this moment? */
#ifndef SMI_LIVE_ALERT_CONDITIONS_H
#define SMI_LIVE_ALERT_CONDITIONS_H

#include "live/alert.h"

/* What there is to say of a condition that holds. */
struct smi_alert_condition {
    char text[SMI_MACHINE_TEXT], note[48];
    int64_t from_ms; /* since when (t_ms), as the logs tell it; SMI_NO_READING: since now */
    int64_t value;   /* of what has a limit, in the rule's unit */
};

/* place: in n->gpu, or of a rule about sources in n->source. w is undefined unless it holds. */
bool smi_alert_check_condition(const struct smi_alert_rule *r, enum smi_alert_rule_id id,
                               const struct smi_machine *n, size_t place, struct smi_alert_condition *w);

#endif
