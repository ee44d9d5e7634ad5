/* alert_action.h - what live and follow do about alerts: the rules as the user wants them, an event in the
 * recording, a command of the user's. */
#ifndef SMI_LIVE_ALERT_ACTION_H
#define SMI_LIVE_ALERT_ACTION_H

#include "live/alert.h"
#include "live/alert_command.h"
#include "live/live.h"

enum {
    SMI_ALERT_CALL_MS =
        1000, /* what changes within it is one call of the command: 8 GPUs of a job end together */
    SMI_ALERT_CALL_CHANGES = 64, /* changes of one call */
    SMI_ALERT_CALLS = 8          /* that wait for more of their kind; a further one is made at once */
};

/* Changes of one rule, all beginnings or all ends, that the command gets together. */
struct smi_alert_call {
    const struct smi_alert_rule *rule;
    bool begins;
    size_t n;
    int64_t due_ms;
    struct smi_buf text, gpus, monitors, json; /* json: of the first one, but for its last brace */
};

struct smi_alert_actions {
    struct smi_alerts alerts;
    struct smi_alert_rule rules[SMI_ALERT_RULES];
    struct smi_machine *now;
    struct smi_live *live;         /* its recording gets an event; or NULL */
    struct smi_alert_command *act; /* or NULL */
    struct smi_alert_call call[SMI_ALERT_CALLS];
    size_t calls;
    int64_t mono_ms;    /* of the last look */
    bool each_turn;     /* the rules are checked in every turn of the loop */
    bool hurry;         /* it ends */
    struct smi_err err; /* of a change: memory */
    const char *run;
    char host[256];
};

/* The limits of a file of rules (NULL: the usual ones). Before anything is started; a is filled. Returns 0,
 * or -1 with err (SMI_EUSAGE, SMI_ENOMEM). */
int smi_alert_actions_init(struct smi_alert_actions *a, const char *rules, struct smi_err *err);
/* Starts to watch `now`. live: the recording, or NULL. command: that of --alert-exec, or NULL. run: the name
 * of the run in alerts, or NULL. All are borrowed. Returns 0, or -1 with err (memory). */
int smi_alert_actions_start(struct smi_alert_actions *a, struct smi_machine *now, struct smi_live *live,
                            const char *command, const char *run, struct smi_err *err);
/* Checks the rules, and makes the calls that are due. Returns 0, or -1 with err (memory). */
int smi_alert_actions_check(struct smi_alert_actions *a, int64_t mono_ms, struct smi_err *err);
/* Adds the command to l; each_turn: the rules are checked in every turn of it, else only by the function
 * above. */
void smi_alert_actions_attach(struct smi_alert_actions *a, struct smi_loop *l, bool each_turn);
/* It ends: no call waits for more. */
void smi_alert_actions_flush(struct smi_alert_actions *a);
/* To be called before now and live are freed. */
void smi_alert_actions_fini(struct smi_alert_actions *a);

#endif
