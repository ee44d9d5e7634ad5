/* alert_command.h - a command of the user's that is run when something happens (`--alert-exec CMD`): by sh
 * -c, one after the other in the order of what happened, with what there is to know in its environment. What
 * it prints is dropped, but for the last line of its standard error where it fails. One that takes too long
 * is ended. Processes that a command leaves in the background live on, also when smilog ends. */
#ifndef SMI_LIVE_ALERT_COMMAND_H
#define SMI_LIVE_ALERT_COMMAND_H

#include "base/buf.h"
#include "base/child.h"

enum {
    SMI_ALERT_COMMAND_QUEUE = 64, /* what waits; more is dropped, and said */
    SMI_ALERT_COMMAND_MS = 30000, /* so long a command may run */
    SMI_ALERT_COMMAND_VALUES = 8, /* of an environment */
    SMI_ALERT_COMMAND_LATE = 16,  /* ended commands whose background processes may still write errors */
    SMI_ALERT_COMMAND_LINE = 200
};

/* Something about a command: one sentence. */
typedef void smi_alert_command_fn(void *self, const char *text);

struct smi_alert_command;
/* command is copied; most_ms: SMI_ALERT_COMMAND_MS, or as a test wants it. NULL with err (memory). */
struct smi_alert_command *smi_alert_command_new(const char *command, int64_t most_ms,
                                                smi_alert_command_fn *fn, void *self);
/* Runs it once more, with these "NAME=value" in its environment, a NUL after each (at most
 * SMI_ALERT_COMMAND_VALUES; taken): in the next turn of the loop, or once those before it have ended. Returns
 * 0, or -1 with err (memory). */
void smi_alert_command_add(struct smi_alert_command *a, struct smi_buf *env);
/* Starts the commands and reads what they print. */
struct smi_loop_source smi_alert_command_source(struct smi_alert_command *a);
/* Does one run, or wait? */
bool smi_alert_command_busy(const struct smi_alert_command *a);
/* Kills the one that runs, and forgets those that wait; how many these were together is said. a may be NULL.
 */
void smi_alert_command_free(struct smi_alert_command *a);

#endif
