/* tracking.h - what a command and all that it starts use, beside the monitors of a recording: sampled on
 * the owner's poll loop, summed up in the figures of gpu_tracker (process/usage.h), recorded as procs.csv.
 * Not for several threads. */
#pragma once

#include "live/live.h"
#include "live/machine.h"
#include "process/tree.h"
#include "process/usage.h"

/* ---- how much of the GPUs' memory is a command's, and by which of four ways that is known: 1. by pid:
 * nvidia-smi or amd-smi lists the processes on each GPU; those of the tree are the command's; 2. by the
 * pid inside: as above, where the tree runs in a PID namespace below ours and the driver says its pid
 * there; 3. alone: in a container the driver's pids are those of the host, which nobody here knows. Where
 * the GPUs were given to this job alone, their memory less what was held before the command started is its
 * own; 4. unknown: else it is not known, and that is said. It is never 0 for that. The same number may be
 * another process here, there, or in a third namespace: which one is meant the name tells that stands
 * beside it. While a row may be the command's, and that cannot be told, the list says nothing. That no row
 * is of the tree means 0 only where rows are known to be of our pids, and while they are told ---- */

enum smi_gpu_memory_method {
    SMI_GPU_MEMORY_PID,
    SMI_GPU_MEMORY_INNER,
    SMI_GPU_MEMORY_ALONE,
    SMI_GPU_MEMORY_UNKNOWN,
    SMI_GPU_MEMORY_WAYS
};

/* Zero-initialise; filled by smi_gpu_memory_share_begin. */
struct smi_gpu_memory_share {
    const char *alone;  /* what says that the GPUs are this job's alone, or NULL */
    bool amd;           /* the GPUs are AMD's */
    bool held;          /* what was held before is known */
    bool ours, inside;  /* some row was, by its name, of our pids; of those inside */
    bool tells;         /* some row said how much memory, and not 0 */
    bool unread;        /* a GPU of its own had no reading before it */
    bool others, mixed; /* by the devices: main was not the only one; so how it is shared out is not known */
    int64_t before[SMI_MACHINE_GPUS_MAX]; /* by smi_live_gpu.id: millionths of MiB, -1 */
    int64_t ways[SMI_GPU_MEMORY_WAYS];    /* samples by each */
};

struct smi_gpu_memory_used {
    enum smi_gpu_memory_method way;
    int64_t of[SMI_TREE_PARTS]; /* millionths of MiB, or -1 */
};

/* Which of the job's variables gives it GPUs of its own, of NVIDIA's or AMD's: its name, or NULL. vars ends
 * with NULL, and may be NULL. */
const char *smi_gpu_memory_share_alone(char *const *vars, bool amd);
/* The command starts now, with what the GPUs hold; started false: it runs already, and that is not known. */
void smi_gpu_memory_share_begin(struct smi_gpu_memory_share *w, const struct smi_machine *n,
                                char *const *vars, bool started);
/* How much is the command's: by pid on all GPUs, alone on those that are mine. */
void smi_gpu_memory_share_read(struct smi_gpu_memory_share *w, const struct smi_machine *n,
                               struct smi_tree *t, struct smi_gpu_memory_used *out);
/* The best of the ways that gave a value; SMI_GPU_MEMORY_UNKNOWN if none did. */
enum smi_gpu_memory_method smi_gpu_memory_share_best(const struct smi_gpu_memory_share *w);
/* That one in words. */
const char *smi_gpu_memory_share_words(const struct smi_gpu_memory_share *w);

struct smi_tracking_opts {
    struct smi_live *live; /* the monitors; procs.csv is added to their recording */
    int interval_ms;
    struct smi_usage_units units;
    int64_t cores;        /* that the command is expected to use; 0: those of the machine */
    const char *file;     /* gpu_tracker's tracking file, or NULL */
    bool overwrite;       /* it may be there already */
    char *const *environ; /* of the command: "NAME=VALUE", ended by NULL; or NULL */
    pid_t besides;        /* a process that is not to count, though it may be a part of it; or 0 */
};

/* What there is to say. */
struct smi_tracking_figures {
    struct smi_usage usage;
    struct smi_usage_machine machine;
    struct smi_gpu_memory_share whose;
    struct smi_tree_sample last;
    int64_t span_us;   /* from begin to end, or to the last sample */
    int64_t processes; /* the most at a time */
    int64_t rss_kib;   /* the most that one process of those that were waited for ever held; 0: not known */
    bool orphans;      /* it ran already, and leads no session: what it had left alone before is not known */
    bool seen;         /* some of it, ever */
    bool hidden;       /* descendants that are not shown */
    bool beyond;       /* more processes than are followed */
    int64_t unseen;    /* samples in which it ran, and nothing of it was shown (hidepid) */
    int64_t samples, estimated,
        denied;        /* of memory: samples in which some was carried on, or could not be read */
    int64_t possible;  /* bytes, the most: with what forks may have written that no reading knows */
    int64_t oom_kills; /* processes that the kernel killed for memory meanwhile: of the control group, or
                        * of the machine where that is not told; -1: not known */
};

struct smi_tracking {
    struct smi_tracking_opts o;
    struct smi_tracking_figures f;
    struct smi_tree *tree;
    pid_t main;
    struct smi_usage_file file; /* the tracking file, while it is written to */
    int64_t begin_us, early_ms;
    int64_t due_ms;  /* smi_tracking_step is wanted */
    int64_t grid_us; /* when the CPU time was last taken, */
    int64_t grid_cpu_us[SMI_TREE_PARTS];
    struct smi_gpu_memory_used memory;
    struct smi_usage_sample now;
    int64_t oom_before;
    uint64_t monitors_did; /* a sum over what the monitors have done so far, */
    int64_t still_ms;      /* since when it is the same */
    struct smi_buf early;  /* the row that is not recorded yet */
    int64_t early_ram;     /* its memory; -1: none is known */
};

/* All of o is borrowed for as long as it lives. Adds procs.csv. */
struct smi_tracking *smi_tracking_new(const struct smi_tracking_opts *o);
/* Is the command to wait for the GPUs that are not read yet? env: of a command, or NULL; begin_ms: since when
 * it waits. It is asked again after SMI_TRACKING_AGAIN_MS. It ends when all are ready, when the monitors hang
 * (those that have printed nothing do nothing for 100 ms, others for 1 s), and after 2 s without any output,
 * 5 s, or 10 s where only what was held before tells what is the command's. */
enum { SMI_TRACKING_AGAIN_MS = 50 };
bool smi_tracking_waits(struct smi_tracking *t, char *const *env, int64_t begin_ms, int64_t mono_ms);
/* Appends the indices of the GPUs that nvidia-smi listed and that have no reading: "3, 7". */
void smi_tracking_unread(struct smi_buf *to, struct smi_live *l);
/* Before the command is started: what the machine has is as the monitors have told it by now; the tracking
 * file is begun. Returns 0, or -1 with err: as smi_usage_file_open. */
int smi_tracking_prepare(struct smi_tracking *t, struct smi_err *err);
/* The command has started: figures from now on are its own. reaper: as smi_tree_opts, or 0 for a process
 * that ran already. */
void smi_tracking_begin(struct smi_tracking *t, pid_t main, pid_t reaper, int64_t mono_ms);
/* As smi_tree_reaped; rss_kib: its ru_maxrss, of wait4. */
void smi_tracking_reaped(struct smi_tracking *t, pid_t pid, int64_t cpu_us, int64_t rss_kib);
/* A sample if one is due. Trouble with the tracking file is reported as an
 * event of now, once, and ends that file. */
void smi_tracking_step(struct smi_tracking *t, int64_t mono_ms);
/* The command has ended, and has not been waited for yet: what it used until then. */
void smi_tracking_ending(struct smi_tracking *t, int64_t mono_ms);
/* The command has ended, and was waited for: the last sample. */
void smi_tracking_end(struct smi_tracking *t, int64_t mono_ms);
/* What the memory may have been at most, in bytes, where that is more than a part in sixteen above what was
 * read: of forks that wrote what they had shared, not all were read again in time. Else -1. */
int64_t smi_tracking_possible_ram(const struct smi_tracking *t);
/* Values for the RunLog's stop event, at most SMI_TRACKING_FACTS and the end of the list. */
enum { SMI_TRACKING_FACTS = 24 };
void smi_tracking_facts(const struct smi_tracking *t, struct smi_runlog_value *out);
void smi_tracking_free(struct smi_tracking *t);

/* ---- what a command used, in ten lines for people ---- */

/* Appends the lines, safe for a terminal. command: as it was typed, any bytes; end: "exit status 0", "killed
 * by SIGKILL"; dir: that it was recorded in, or NULL; quiet: only that the recording has no GPU. */
void smi_tracking_text(struct smi_buf *to, const struct smi_tracking *t, const char *command, const char *end,
                       const char *dir, bool quiet);
