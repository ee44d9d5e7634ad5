/* signals.c - which signals we take, and how they were. */
#include "job/work.h"

#include <errno.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

/* For an attached job nothing is stopped and passed on: only what ends the watching is taken. */
static bool wanted(const struct smi_job *j, int n)
{
    if (j->attached)
        return n == SIGINT || n == SIGTERM || n == SIGHUP;
    return n == SIGCHLD || smi_job_care(n) != SMI_CARE_NONE;
}

int smi_job_take_signals(struct smi_job *j, struct smi_err *err)
{
    const struct sigaction ignore = {.sa_handler = SIG_IGN}, plain = {.sa_handler = SIG_DFL};
    struct sigaction is;
    sigset_t mask;
    sigemptyset(&mask);
    for (int n = 1; n < SMI_JOB_SIGNALS; n++)
        /* nohup, or a shell's `&`: what was ignored is ignored, for the command as for us */
        if (wanted(j, n) && sigaction(n, NULL, &is) == 0 && (n == SIGCHLD || is.sa_handler != SIG_IGN))
            sigaddset(&mask, n);
    j->signals = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
    if (j->signals < 0)
        return smi_err_set(err, SMI_EIO, "signalfd: %s", strerror(errno));
    prctl(PR_GET_CHILD_SUBREAPER, &j->before.reaper);
    sigprocmask(SIG_BLOCK, &mask, &j->before.mask);
    sigaction(SIGPIPE, &ignore, &j->before.pipe); /* what we write says so itself */
    sigaction(SIGXFSZ, &ignore, &j->before.xfsz);
    sigaction(SIGCHLD, &plain, &j->before.chld); /* ignored, the kernel would take our children away */
    if (!j->attached)
        prctl(PR_SET_CHILD_SUBREAPER, 1);
    return 0;
}

static void dispositions(const struct smi_job_before *b)
{
    sigaction(SIGPIPE, &b->pipe, NULL);
    sigaction(SIGXFSZ, &b->xfsz, NULL);
    sigaction(SIGCHLD, &b->chld, NULL);
}

void smi_job_child_signals(const struct smi_job_before *b)
{
    const struct sigaction plain = {.sa_handler = SIG_DFL};
    struct sigaction is;
    dispositions(b);
    for (int n = 1; n < SMI_JOB_SIGNALS; n++) /* a handler of the owner's is not to run in the child */
        if (sigaction(n, NULL, &is) == 0 && is.sa_handler != SIG_IGN && is.sa_handler != SIG_DFL)
            sigaction(n, &plain, NULL);
    sigprocmask(SIG_SETMASK, &b->mask, NULL);
}

void smi_job_give_signals_back(struct smi_job *j)
{
    struct signalfd_siginfo late;
    if (j->signals < 0)
        return;
    while (read(j->signals, &late, sizeof late) == sizeof late) {
        /* what nobody asked for any more: unblocked, it would end us in place of the command's end */
    }
    close(j->signals);
    if (!j->attached)
        prctl(PR_SET_CHILD_SUBREAPER, j->before.reaper);
    dispositions(&j->before);
    sigprocmask(SIG_SETMASK, &j->before.mask, NULL);
}
