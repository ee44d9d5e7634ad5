/* usage_log_commands.h - commands that a log saw running now and then, as phases: PyTorch CI's rule of 60
 * seconds (compat.md b2.5). */
#ifndef SMI_FORMATS_USAGE_LOG_COMMANDS_H
#define SMI_FORMATS_USAGE_LOG_COMMANDS_H

#include "model/sink.h"

enum { SMI_COMMANDS_MAX = 4096 }; /* running at one time; further ones are not kept */

struct smi_command {
    struct smi_text name; /* owned */
    int64_t first_us, last_us;
};

/* Zero-initialise. */
struct smi_commands {
    struct smi_command *list; /* seen within the last 60 s */
    size_t n, cap, next;
};

/* A record at t_us names this command. Only commands that begin with "python" are kept. Returns 0, 1 if there
 * are too many at one time, or -1 with err (memory). */
int smi_commands_observe(struct smi_commands *c, struct smi_text name, int64_t t_us, struct smi_err *err);
/* Before the commands of a record at t_us: those seen last more than 60 s ago have ended, and are sent as
 * phases from the first to the last time that they were seen. Returns what the sink returns. */
int smi_commands_expire(struct smi_commands *c, int64_t t_us, struct smi_sink *to, struct smi_err *err);
/* The log has ended: all that are left are sent. */
int smi_commands_end(struct smi_commands *c, struct smi_sink *to, struct smi_err *err);
void smi_commands_fini(struct smi_commands *c);

#endif
