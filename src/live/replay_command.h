/* replay_command.h - `smilog live --replay`: a run that is over on the screen, as lines or as a table, in its
 * own time. */
#ifndef SMI_LIVE_REPLAY_COMMAND_H
#define SMI_LIVE_REPLAY_COMMAND_H

#include "base/err.h"
#include "report/render_options.h"

#include <stdbool.h>
#include <stdint.h>

struct smi_replay_settings {
    const char *path;
    int64_t speed;       /* millionths: 1000000 is as fast as it was */
    int64_t interval_ms; /* between lines, in the time of the run */
    int expect_gpus;     /* as smi_machine_opts */
    bool once, plain,
        json; /* a table of the end; lines; objects; none of them: the screen, where there is one */
    struct smi_render_options look;
    const char *rules, *alert; /* --alert-rules, --alert-exec; or NULL */
};

/* Plays it. *alerted: is there an alert in the table of the end? Returns 0, or -1 with err. */
int smi_replay_command(const struct smi_replay_settings *o, bool *alerted, struct smi_err *err);

#endif
