/* replay_command.h - `smilog live --replay`: a run that is over on the screen, as lines or as a table, in its
 * own time. */
#ifndef SMI_LIVE_REPLAY_COMMAND_H
#define SMI_LIVE_REPLAY_COMMAND_H

#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

struct smi_replay_settings {
    const char *path;
    int64_t speed;       /* millionths: 1000000 is as fast as it was */
    int64_t interval_ms; /* between lines, in the time of the run */
    bool once, plain,
        json;  /* a table of the end; lines; objects; none of them: the screen, where there is one */
    int color; /* place in auto|always|never */
    const char *rules, *alert; /* --alert-rules, --alert-exec; or NULL */
};

/* Plays it. Returns the exit status; what goes wrong is said on standard error. */
int smi_replay_command(const struct smi_replay_settings *o);

#endif
