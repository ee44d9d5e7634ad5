/* alert_command.h - a command of the user's that is run when something happens (`--alert-exec CMD`): by sh -c, one
 * after the other in the order of what happened, with what there is to know in its environment. What it
 * prints is dropped, but for the last line of its standard error where it fails. One that takes too long is
 * ended. Driven as live/monitor.h is. */
#ifndef SMI_LIVE_ALERT_COMMAND_H
#define SMI_LIVE_ALERT_COMMAND_H

#include "base/child.h"

#include <poll.h>

enum {
    SMI_ACT_FDS = 3,
    SMI_ACT_QUEUE = 64, /* what waits; more is dropped, and said */
    SMI_ACT_MS = 30000, /* so long a command may run */
    SMI_ACT_VALUES = 8, /* of an environment */
    SMI_ACT_LINE = 200
};

/* Something about a command: one sentence. */
typedef void smi_act_fn(void *self, const char *text);

struct smi_act;
/* command is copied; most_ms: SMI_ACT_MS, or as a test wants it. NULL with err (memory). */
struct smi_act *smi_act_new(const char *command, int64_t most_ms, smi_act_fn *fn, void *self,
                            struct smi_err *err);
/* Runs it once more, with these "NAME=value" in its environment (at most SMI_ACT_VALUES, ended by NULL;
 * copied): by the next go, or once those before it have ended. Returns 0, or -1 with err (memory). */
int smi_act_put(struct smi_act *a, const char *const *env, struct smi_err *err);
/* As smi_monitor_want and smi_monitor_go. a may be NULL. */
size_t smi_act_want(const struct smi_act *a, struct pollfd *fds, int64_t *due_ms, int64_t now_ms);
void smi_act_go(struct smi_act *a, int64_t now_ms);
/* Does one run, or wait? */
bool smi_act_busy(const struct smi_act *a);
/* As smi_monitor_owns and smi_monitor_began. a may be NULL. */
bool smi_act_owns(const struct smi_act *a, pid_t pid);
bool smi_act_began(const struct smi_act *a, pid_t session);
/* Kills the one that runs, and forgets those that wait; how many these were together is said. a may be NULL.
 */
void smi_act_free(struct smi_act *a);

#endif
