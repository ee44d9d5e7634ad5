/* tracker.h - a program tracks itself or another process from a thread of the library: what smilog run does
 * for a command, and the machine and a process tree at one moment.
 *
 *     struct smilog_error err = {SMILOG_OK, ""};
 *     struct smilog_tracker *t = smilog_tracker_new(&err);
 *     if (!t || smilog_tracker_set(t, "output", "out/run7", &err) || smilog_tracker_start(t, &err))
 *         return fprintf(stderr, "%s\n", err.text), 1;
 *     work();
 *     if (smilog_tracker_stop(t, &err) == 0)
 *         puts(smilog_tracker_summary(t, "gpu-tracker-text", &err));
 *     smilog_tracker_free(t);
 *
 * The library touches no signal handler of the program; its thread blocks all signals. The children of the
 * thread are the monitors (nvidia-smi); they end with it. */
#ifndef SMILOG_TRACKER_H
#define SMILOG_TRACKER_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

struct smilog_tracker;

/* Tracks this process, every second, and records nothing. NULL without memory. Free with smilog_tracker_free.
 */
SMI_API struct smilog_tracker *smilog_tracker_new(struct smilog_error *err);
/* Before the start: an option of smilog run, without the dashes: pid, interval (seconds), n-expected-cores,
 * gpus ("none": no monitor is started), output (a directory to record in, fresh or empty), tracking-file,
 * ram-unit, gpu-ram-unit, time-unit. Returns 0, or -1 with err SMILOG_EUSAGE. */
SMI_API int smilog_tracker_set(struct smilog_tracker *t, const char *name, const char *value,
                               struct smilog_error *err);
/* Starts the thread and the monitors; with GPUs up to two seconds, for their first readings. Returns 0, or -1
 * with err: SMILOG_EUSAGE (an interval below 0.05 s, it was started before, no such process, the directory is
 * not empty), SMILOG_EIO. */
SMI_API int smilog_tracker_start(struct smilog_tracker *t, struct smilog_error *err);
/* Takes the last sample and ends the thread and the monitors, within a second. Returns 0, or -1 with err. */
SMI_API int smilog_tracker_stop(struct smilog_tracker *t, struct smilog_error *err);
/* What was used so far, or in all after the stop; form: gpu-tracker-text or gpu-tracker-json. Borrowed until
 * the next call. NULL with err. */
SMI_API const char *smilog_tracker_summary(struct smilog_tracker *t, const char *form,
                                           struct smilog_error *err);
/* Stops it if it runs. t may be NULL. */
SMI_API void smilog_tracker_free(struct smilog_tracker *t);

/* ---- the machine at this moment: CPUs, memory, pressure, the limits of the control group; about six reads,
 * no thread */

struct smilog_host;

/* NULL without memory. Close with smilog_host_close. */
SMI_API struct smilog_host *smilog_host_open(struct smilog_error *err);
/* Takes a sample. Shares are of the time since the sample before, so the first has none. */
SMI_API void smilog_host_read(struct smilog_host *h);
/* A value of the last sample, as "cpu_pct"; false: it is not known. */
SMI_API bool smilog_host_number(const struct smilog_host *h, const char *name, double *value);
/* Name, unit and meaning of value i; NULL behind the last. */
SMI_API const char *smilog_host_name(size_t i);
SMI_API const char *smilog_host_unit(size_t i);
SMI_API const char *smilog_host_help(size_t i);
SMI_API void smilog_host_close(struct smilog_host *h);

/* ---- a process and all that it started: memory, CPU time, threads */

struct smilog_tree;
enum smilog_tree_part { SMILOG_TREE_MAIN, SMILOG_TREE_DESCENDANTS, SMILOG_TREE_ALL };

/* Follows process pid; 0: this one. NULL without memory. Close with smilog_tree_close. */
SMI_API struct smilog_tree *smilog_tree_open(int pid, struct smilog_error *err);
/* Takes a sample. Returns 0. */
SMI_API int smilog_tree_read(struct smilog_tree *t, struct smilog_error *err);
/* A value of a part in the last sample: ram, private_ram, shared_ram (bytes), cpu_pct (of one core), cpu_s
 * (since the first sample), threads, processes. False: it is not known. */
SMI_API bool smilog_tree_number(const struct smilog_tree *t, enum smilog_tree_part part, const char *name,
                                double *value);
SMI_API void smilog_tree_close(struct smilog_tree *t);

#ifdef __cplusplus
}
#endif

#endif
