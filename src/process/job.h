/* job.h - a command of the user's, started beside us: it keeps its terminal, its files, its process group and
 * its signals, and its fate is ours to pass on. Driven by the owner's poll loop as smi_monitor is; nothing
 * is waited for but the answer of exec. Not for several threads: open it before any thread is started, by the
 * one that lives as long as the program.
 *
 * Signals. All that end or stop a process, can be sent by others and were not ignored when we began are
 * blocked in us and taken from a descriptor. What the keys of a terminal send reaches the command by itself,
 * as it would without us; what somebody sent to us is sent on to it, but not to the one that sent it. A
 * signal does not say whether it was sent to us alone: of `kill -- -GROUP`, of `timeout`, and of programs
 * that signal several processes one by one (`pkill -f WORD`, scancel), the command may get two. Values of
 * sigqueue(3) are not passed on.
 *   The stop of us alone by SIGSTOP and our end by SIGKILL cannot be sent on: the command goes on.
 *
 * Before. Until the command is started, or followed, what would end us is an event, for the owner to end in
 * order; stops are as they would be without us.
 *
 * Stops. A command of our group that is stopped by a key, or by what else stops jobs, stops us, so that the
 * shell has its job back, which continues both. One that is stopped alone by SIGSTOP does not.
 *
 * Orphans. We are the reaper of what the command leaves behind (PR_SET_CHILD_SUBREAPER) for as long as the
 * job is open: so daemons it starts are known, and their time when they end. */
#pragma once

#include "base/loop.h"

#include <sys/types.h>

enum { SMI_JOB_NAME = 16 };

enum smi_job_event_kind {
    SMI_JOB_ENDING,  /* the command has ended, and is waited for after this call: /proc still tells of it; pid
                      */
    SMI_JOB_ENDED,   /* the command: pid, status, cpu_us, rss_kib */
    SMI_JOB_ORPHAN,  /* what its parent left behind has ended: the same, and session */
    SMI_JOB_SIGNAL,  /* one was sent to us: signal, way */
    SMI_JOB_STOPPED, /* the command, by signal; we stop after this call if it is in our group */
    SMI_JOB_CONTINUED
};

enum smi_job_delivery {
    SMI_JOB_REACHED,   /* the command got it by itself */
    SMI_JOB_FORWARDED, /* we sent it on */
    SMI_JOB_KEPT /* it was for us: the command sent it, was not started yet, has ended, is not ours, or may
                  * not be signalled */
};

struct smi_job_event {
    enum smi_job_event_kind what;
    enum smi_job_delivery way;
    int signal;
    pid_t pid, session; /* session: a monitor's is its own number (smi_live_owns) */
    int status;         /* as of waitpid(2); -1: not known */
    int64_t cpu_us;     /* user and system time, its own and of all children that it waited for */
    int64_t rss_kib;    /* the most memory that it or one of these held; 0: not known, or no more than we did
                         * when the    command was forked off us, which counts for it */
};

struct smi_job_calls {
    void *self;
    void (*event)(void *self, const struct smi_job_event *e); /* may not call a function of the job */
    /* a child of the owner's, which waits for it itself; NULL: there is none */
    bool (*owned)(void *self, pid_t pid);
};

struct smi_job; /* opaque */

/* Takes the signals that would end us. calls is copied. NULL with err: SMI_EIO. */
struct smi_job *smi_job_new(const struct smi_job_calls *calls, struct smi_err *err);
/* Starts the command, once: argv ends with NULL, argv[0] is sought in PATH unless it has a slash. It gets the
 * signal mask, the ignored signals and every descriptor that is not close-on-exec as we got them. Returns 0,
 * or -1 with err (SMI_EIO), and *status what a shell would say: 127 there is no such command, 126 it cannot
 * be run. Takes milliseconds; a second, where the file system of the command does not answer: then it counts
 * as started. */
int smi_job_begin(struct smi_job *j, char *const *argv, int *status, struct smi_err *err);
/* Follows a process that runs already, in the place of one that is started, until it ends: status is not
 * known then. INT, TERM and HUP are events, and no signal is sent on. Returns 0, or -1 with err: SMI_EUSAGE
 * (there is no such process), SMI_EIO. */
int smi_job_attach(struct smi_job *j, pid_t pid, struct smi_err *err);
/* The command; 0 before it is there, and once it has ended. */
pid_t smi_job_pid(const struct smi_job *j);
/* Does what there is to do and tells of it; to be added behind those that wait for children of their own. */
struct smi_loop_source smi_job_source(struct smi_job *j);
/* Leaves a command that still runs alone; the signals are as they were before. j may be NULL. */
void smi_job_free(struct smi_job *j);

/* What a shell makes of a status of waitpid(2): 0 to 255, 128 + N if signal N ended it; -1 (not known) is 0.
 */
int smi_job_exit_status(int status);
/* Ends this process by the signal that ended the command, without a core file, so that the process that waits
 * for us sees what it would see without us. Returns smi_job_exit_status if there was none, or it does not end
 * us. */
int smi_job_pass_on(int status);
/* Writes "SIGTERM", "SIGRTMIN+3" or "signal 32". Returns room. */
const char *smi_job_signal_name(int n, char room[SMI_JOB_NAME]);
