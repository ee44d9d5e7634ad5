/* alerts.h - what live and follow do about alerts: the rules as the user wants them, an event in the
 * recording, a command of the user's. */
#ifndef SMI_FRONT_ALERTS_H
#define SMI_FRONT_ALERTS_H

#include "alert/alert.h"
#include "live/act.h"
#include "live/live.h"

struct smi_front_alerts {
    struct smi_alerts alerts;
    struct smi_live_rule rules[SMI_LIVE_RULES];
    struct smi_now *now;
    struct smi_live *live; /* its recording gets an event; or NULL */
    struct smi_act *act;   /* or NULL */
    const char *run;
    char host[256];
};

/* The limits of a file of rules (NULL: the usual ones). Before anything is started; a is filled. Returns 0,
 * or -1 with err (SMI_EUSAGE, SMI_ENOMEM). */
int smi_front_alerts_init(struct smi_front_alerts *a, const char *rules, struct smi_err *err);
/* Of this now; live or NULL; command of --alert-exec or NULL; run: its name to others, or NULL. All borrowed.
 * Returns 0, or -1 with err (memory). */
int smi_front_alerts_of(struct smi_front_alerts *a, struct smi_now *now, struct smi_live *live,
                        const char *command, const char *run, struct smi_err *err);
/* Looks at the rules, and goes on with the command. Returns 0, or -1 with err (memory). */
int smi_front_alerts_look(struct smi_front_alerts *a, int64_t mono_ms, struct smi_err *err);
/* To be called before now and live are freed. */
void smi_front_alerts_fini(struct smi_front_alerts *a);

#endif
