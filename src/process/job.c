#include "process/job.h"

#include "base/clock.h"
#include "base/mem.h"
#include "process/job_private.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { LOOK_MS = 200, SOON_MS = 10, EAR_MS = 1000 };

struct smi_job *smi_job_new(const struct smi_job_calls *calls, struct smi_err *err)
{
    struct smi_job *j = smi_mem_new(1, sizeof *j);
    if (!j) {
        smi_err_nomem(err);
        return NULL;
    }
    j->calls = *calls;
    j->signals = j->told = j->pidfd = j->ear.fd = -1;
    for (int n = 0; n < SMI_JOB_SIGNALS; n++)
        j->sent[n].heard_ms = INT64_MIN;
    if (smi_job_take_signals(j, SMI_JOB_WAITS, err) == 0)
        return j;
    smi_job_free(j);
    return NULL;
}

int smi_job_begin(struct smi_job *j, char *const *argv, int *status, struct smi_err *err)
{
    *status = 126;
    if (smi_job_take_signals(j, SMI_JOB_OURS, err))
        return -1;
    smi_signal_probe_open(&j->ear, smi_clock_now_ms()); /* first: what comes at once is heard, too */
    return smi_job_start(j, argv, status, err);
}

/* ---- a process that runs already ---- */

static bool has_ended(const struct smi_job *j)
{
    struct pollfd p = {.fd = j->pidfd, .events = POLLIN};
    uint64_t begun;
    char state;
    if (j->pidfd >= 0)
        return poll(&p, 1, 0) > 0;
    state = smi_job_state(j->pid, &begun);
    if (!state)
        return kill(j->pid, 0) && errno == ESRCH;
    return state == 'Z' || state == 'X' || begun != j->begun;
}

int smi_job_attach(struct smi_job *j, pid_t pid, struct smi_err *err)
{
    j->pid = pid;
    smi_job_state(pid, &j->begun);
#ifdef SYS_pidfd_open
    j->pidfd = pid > 0 ? (int)syscall(SYS_pidfd_open, pid, 0) : -1;
#endif
    if (pid > 0 && !has_ended(j))
        return smi_job_take_signals(j, SMI_JOB_THEIRS, err);
    j->pid = 0;
    return smi_err_set(err, SMI_EUSAGE, "there is no process %d", (int)pid);
}

/* ---- as a source of the loop ---- */

pid_t smi_job_pid(const struct smi_job *j)
{
    return j->pid;
}

pid_t smi_job_signal_probe(const struct smi_job *j)
{
    return j->ear.pid;
}

static void prepare(void *self, struct smi_loop *l)
{
    const struct smi_job *j = self;
    const bool theirs = j->stage == SMI_JOB_THEIRS;
    smi_loop_watch(l, j->signals);
    smi_loop_watch(l, theirs ? j->pid ? j->pidfd : -1 : j->ear.fd);
    smi_loop_wake(l, smi_job_route_due(j));
    if (j->more)
        smi_loop_wake(l, l->now_ms + SOON_MS);
    if (theirs && j->pid && j->pidfd < 0)
        smi_loop_wake(l, l->now_ms + LOOK_MS);
    if (!theirs && j->pid && !j->ear.pid)
        smi_loop_wake(l, j->ear.begun_ms + EAR_MS);
}

static int run(void *self, struct smi_loop *l, struct smi_err *err)
{
    struct smi_job *j = self;
    (void)err;
    smi_job_route(j, l->now_ms);
    if (j->stage == SMI_JOB_OURS) {
        smi_job_reap(j, l->now_ms);
    } else if (j->pid && has_ended(j)) {
        const struct smi_job_event e = {.what = SMI_JOB_ENDED, .pid = j->pid, .status = -1};
        j->pid = 0;
        j->calls.event(j->calls.self, &e);
    }
    return 0;
}

struct smi_loop_source smi_job_source(struct smi_job *j)
{
    return (struct smi_loop_source){j, prepare, run};
}

void smi_job_free(struct smi_job *j)
{
    if (!j)
        return;
    smi_signal_probe_close(&j->ear, true);
    smi_job_restore_signals(j);
    if (j->told >= 0)
        close(j->told);
    if (j->pidfd >= 0)
        close(j->pidfd);
    smi_mem_free(j);
}
