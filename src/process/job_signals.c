/* job_signals.c - which signals we take, and how they were. */
#include "process/job_private.h"

#include <errno.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

static bool is_stop_signal(int n)
{
    return n == SIGTSTP || n == SIGTTIN || n == SIGTTOU || n == SIGCONT;
}

/* For a job that is not ours nothing is stopped and passed on: only what ends the watching is taken. */
static bool wanted_signals(enum smi_job_stage stage, int n)
{
    if (stage == SMI_JOB_THEIRS)
        return n == SIGINT || n == SIGTERM || n == SIGHUP;
    if (stage == SMI_JOB_WAITS)
        return smi_job_signal_care(n) != SMI_JOB_CARE_NONE && !is_stop_signal(n);
    return n == SIGCHLD || smi_job_signal_care(n) != SMI_JOB_CARE_NONE;
}

/* Once, first: as they were. */
static void save_signals(struct smi_job_before *b)
{
    const struct sigaction ignore = {.sa_handler = SIG_IGN}, plain = {.sa_handler = SIG_DFL};
    prctl(PR_GET_CHILD_SUBREAPER, &b->reaper);
    sigprocmask(SIG_BLOCK, NULL, &b->mask);
    sigaction(SIGPIPE, &ignore, &b->pipe); /* what we write says so itself */
    sigaction(SIGXFSZ, &ignore, &b->xfsz);
    sigaction(SIGCHLD, &plain, &b->chld); /* ignored, the kernel would take our children away */
}

int smi_job_take_signals(struct smi_job *j, enum smi_job_stage stage, struct smi_err *err)
{
    struct sigaction is;
    sigset_t mask, all;
    const bool first = j->signals < 0;
    int fd;
    sigemptyset(&mask);
    for (int n = 1; n < SMI_JOB_SIGNALS; n++)
        /* nohup, or a shell's `&`: what was ignored is ignored, for the command as for us */
        if (wanted_signals(stage, n) && sigaction(n, NULL, &is) == 0 &&
            (n == SIGCHLD || is.sa_handler != SIG_IGN))
            sigaddset(&mask, n);
    fd = signalfd(j->signals, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
    if (fd < 0)
        return smi_err_set(err, SMI_EIO, "signalfd: %s", strerror(errno));
    j->signals = fd;
    j->stage = stage;
    if (first)
        save_signals(&j->before);
    sigorset(&all, &j->before.mask, &mask);
    sigprocmask(SIG_SETMASK, &all, NULL);
    if (stage == SMI_JOB_OURS)
        prctl(PR_SET_CHILD_SUBREAPER, 1);
    return 0;
}

static void set_dispositions(const struct smi_job_before *b)
{
    sigaction(SIGPIPE, &b->pipe, NULL);
    sigaction(SIGXFSZ, &b->xfsz, NULL);
    sigaction(SIGCHLD, &b->chld, NULL);
}

void smi_job_child_signals(const struct smi_job_before *b)
{
    const struct sigaction plain = {.sa_handler = SIG_DFL};
    struct sigaction is;
    set_dispositions(b);
    for (int n = 1; n < SMI_JOB_SIGNALS; n++) /* a handler of the owner's is not to run in the child */
        if (sigaction(n, NULL, &is) == 0 && is.sa_handler != SIG_IGN && is.sa_handler != SIG_DFL)
            sigaction(n, &plain, NULL);
    sigprocmask(SIG_SETMASK, &b->mask, NULL);
}

void smi_job_restore_signals(struct smi_job *j)
{
    struct signalfd_siginfo late;
    if (j->signals < 0)
        return;
    while (read(j->signals, &late, sizeof late) == sizeof late) {
        /* what nobody asked for any more: unblocked, it would end us in place of the command's end */
    }
    close(j->signals);
    if (j->stage == SMI_JOB_OURS)
        prctl(PR_SET_CHILD_SUBREAPER, j->before.reaper);
    set_dispositions(&j->before);
    sigprocmask(SIG_SETMASK, &j->before.mask, NULL);
}
