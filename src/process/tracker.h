/* tracker.h - a program tracks itself, or another process, from a thread of the library's own: what smilog
 * run does, without a command line.
 *
 *     struct smi_err err = {0};
 *     struct smi_tracker *t = smi_tracker_new(&(struct smi_tracker_opts){.dir = "out/run7"}, &err);
 *     if (!t || smi_tracker_start(t, &err))
 *         return fprintf(stderr, "%s\n", err.text), 1;
 *     work();
 *     if (smi_tracker_stop(t, &err) == 0)
 *         puts(smi_tracker_summary(t, SMI_TRACKER_TEXT, &err));
 *     smi_tracker_free(t);
 *
 * No signal handler, mask or disposition of the program is touched; the thread blocks all signals for itself.
 * Its children are the monitors (nvidia-smi), each in a session of its own; they end with it, even if the
 * program is killed. A program that waits for all children (wait(2), waitpid(-1)) may take a monitor's end
 * away: that is noticed. Calls of one tracker are for one thread at a time; several trackers may run at once.
 */
#ifndef SMI_PROCESS_TRACKER_H
#define SMI_PROCESS_TRACKER_H

#include "base/err.h"

#include <sys/types.h>

enum smi_tracker_state { SMI_TRACKER_NEW, SMI_TRACKER_STARTED, SMI_TRACKER_STOPPED };
enum smi_tracker_form {
    SMI_TRACKER_TEXT, /* gpu_tracker's text */
    SMI_TRACKER_JSON  /* its JSON */
};

/* All zero: this process, every second, nothing recorded, gigabytes and hours. */
struct smi_tracker_opts {
    pid_t pid;        /* of the process to track; 0: this one */
    int interval_ms;  /* 0: 1000; at least 50 */
    int cores;        /* that it is expected to use; 0: those of the machine */
    int no_gpus;      /* 1: no monitor is started */
    const char *dir;  /* recorded there: a fresh directory, or an empty one; NULL: nothing is */
    const char *gpus; /* indices or uuids, with commas; NULL: those of CUDA_VISIBLE_DEVICES */
    const char *ram_unit, *gpu_ram_unit,
        *time_unit;   /* of the summary: "megabytes", "seconds"; NULL: as above */
    const char *file; /* gpu_tracker's tracking file, .csv or .sqlite, which is not there yet; NULL: none */
};

struct smi_tracker; /* opaque */

/* Texts of o are borrowed. NULL with err: SMI_EUSAGE (an unknown unit, an interval too short). */
struct smi_tracker *smi_tracker_new(const struct smi_tracker_opts *o, struct smi_err *err);
/* Starts the thread and the monitors. Where there are GPUs it takes up to two seconds, mostly one, for their
 * first readings. The process runs already, so how much of the GPUs' memory is its own is known only where
 * nvidia-smi lists it (tracking.h). Returns 0, or -1 with err: SMI_EUSAGE (it was started before;
 * there is no such process; the directory is not empty), SMI_EIO. After a failure it is stopped.
 */
int smi_tracker_start(struct smi_tracker *t, struct smi_err *err);
/* Takes the last sample, ends the monitors and the thread; less than a second. Returns 0, or -1 with err:
 * SMI_EUSAGE (it was not started, or stopped before), or what ended the thread before. */
int smi_tracker_stop(struct smi_tracker *t, struct smi_err *err);
/* What was used so far, or, after stop, in all. Borrowed until the next call; free does away with it. NULL
 * with err: SMI_EUSAGE (it was never started). */
const char *smi_tracker_summary(struct smi_tracker *t, enum smi_tracker_form form, struct smi_err *err);
enum smi_tracker_state smi_tracker_state(const struct smi_tracker *t);
/* Stops it if it runs. t may be NULL. */
void smi_tracker_free(struct smi_tracker *t);

#endif
