/* replay.h - a run that is over, played again: each row of its logs goes to smi_machine when its printed time
 * has come, so that the screen, lines and alerts see what they would have seen. */
#ifndef SMI_LIVE_REPLAY_H
#define SMI_LIVE_REPLAY_H

#include "live/machine.h"

enum {
    SMI_REPLAY_LOGS = 256,
    SMI_REPLAY_TICK_MS = 1000 /* between rows without times, where no log has any */
};

struct smi_replay; /* opaque */

/* Finds the logs of the one run at path (a directory or a log, not an archive) as summarize does: rotated
 * parts (NAME.2, NAME.1, NAME) are one log, packed ones are unpacked. The zone of local times, and how many
 * GPUs logs without a key are of, are what summarize tells. NULL with err: SMI_EUSAGE (no run there, or
 * several), SMI_EIO. */
struct smi_replay *smi_replay_open(const char *path, const struct smi_machine_opts *o, struct smi_err *err);
void smi_replay_free(struct smi_replay *r); /* may be NULL */

/* What screen, lines and alerts read. Its mono clock is the time of the run: it begins with the first row. */
struct smi_machine *smi_replay_machine(struct smi_replay *r);
/* UTC ms of the first row, and of the next one that has not been played; INT64_MAX: all have. */
int64_t smi_replay_first(const struct smi_replay *r);
int64_t smi_replay_next(const struct smi_replay *r);
/* Plays all rows up to this time, in the order of their times, and sets the clock there; at the end it stands
 * at the last row. Returns 0, or -1 with err (SMI_EIO). */
int smi_replay_go(struct smi_replay *r, int64_t until_ms, struct smi_err *err);

#endif
