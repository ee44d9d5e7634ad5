/* job_status.c - numbers of signals and of ends. */
#include "process/job_private.h"

#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Not taken: what a program's own fault raises, for a blocked one ends it without a word of any handler; what
 * ends nothing by default; PIPE and XFSZ, which our own writing raises (signals.c). */
static const struct {
    const char *name;
    enum smi_job_signal_care care;
} signals[SMI_JOB_SIGNALS] = {
    [SIGHUP] = {"SIGHUP", SMI_JOB_CARE_TERMINAL},   [SIGINT] = {"SIGINT", SMI_JOB_CARE_TERMINAL},
    [SIGQUIT] = {"SIGQUIT", SMI_JOB_CARE_TERMINAL}, [SIGCONT] = {"SIGCONT", SMI_JOB_CARE_TERMINAL},
    [SIGTSTP] = {"SIGTSTP", SMI_JOB_CARE_TERMINAL}, [SIGTTIN] = {"SIGTTIN", SMI_JOB_CARE_TERMINAL},
    [SIGTTOU] = {"SIGTTOU", SMI_JOB_CARE_TERMINAL}, [SIGTERM] = {"SIGTERM", SMI_JOB_CARE_TAKE},
    [SIGUSR1] = {"SIGUSR1", SMI_JOB_CARE_TAKE},     [SIGUSR2] = {"SIGUSR2", SMI_JOB_CARE_TAKE},
    [SIGABRT] = {"SIGABRT", SMI_JOB_CARE_TAKE},     [SIGALRM] = {"SIGALRM", SMI_JOB_CARE_TAKE},
    [SIGVTALRM] = {"SIGVTALRM", SMI_JOB_CARE_TAKE}, [SIGPROF] = {"SIGPROF", SMI_JOB_CARE_TAKE},
    [SIGIO] = {"SIGIO", SMI_JOB_CARE_TAKE},         [SIGPWR] = {"SIGPWR", SMI_JOB_CARE_TAKE},
    [SIGXCPU] = {"SIGXCPU", SMI_JOB_CARE_TAKE},
#ifdef SIGSTKFLT
    [SIGSTKFLT] = {"SIGSTKFLT", SMI_JOB_CARE_TAKE},
#endif
    [SIGILL] = {"SIGILL", SMI_JOB_CARE_NONE},       [SIGTRAP] = {"SIGTRAP", SMI_JOB_CARE_NONE},
    [SIGBUS] = {"SIGBUS", SMI_JOB_CARE_NONE},       [SIGFPE] = {"SIGFPE", SMI_JOB_CARE_NONE},
    [SIGKILL] = {"SIGKILL", SMI_JOB_CARE_NONE},     [SIGSEGV] = {"SIGSEGV", SMI_JOB_CARE_NONE},
    [SIGPIPE] = {"SIGPIPE", SMI_JOB_CARE_NONE},     [SIGCHLD] = {"SIGCHLD", SMI_JOB_CARE_NONE},
    [SIGSTOP] = {"SIGSTOP", SMI_JOB_CARE_NONE},     [SIGURG] = {"SIGURG", SMI_JOB_CARE_NONE},
    [SIGXFSZ] = {"SIGXFSZ", SMI_JOB_CARE_NONE},     [SIGWINCH] = {"SIGWINCH", SMI_JOB_CARE_NONE},
    [SIGSYS] = {"SIGSYS", SMI_JOB_CARE_NONE},
};

enum smi_job_signal_care smi_job_signal_care(int n)
{
    return n >= SIGRTMIN && n <= SIGRTMAX ? SMI_JOB_CARE_TAKE : signals[n].care;
}

const char *smi_job_signal_name(int n, char room[SMI_JOB_NAME])
{
    if (n > 0 && n < SMI_JOB_SIGNALS && signals[n].name)
        return signals[n].name;
    if (n >= SIGRTMIN && n <= SIGRTMAX)
        snprintf(room, SMI_JOB_NAME, "SIGRTMIN+%d", n - SIGRTMIN);
    else
        snprintf(room, SMI_JOB_NAME, "signal %d", n);
    return room;
}

int smi_job_exit_status(int status)
{
    if (status == -1)
        return 0;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int smi_job_pass_on(int status)
{
    sigset_t one;
    if (status == -1 || !WIFSIGNALED(status))
        return smi_job_exit_status(status);
    prctl(PR_SET_DUMPABLE,
          0); /* the core is the command's; a limit of 0 would not do where cores go into a pipe */
    signal(WTERMSIG(status), SIG_DFL);
    sigemptyset(&one);
    sigaddset(&one, WTERMSIG(status));
    sigprocmask(SIG_UNBLOCK, &one, NULL);
    kill(getpid(), WTERMSIG(status));
    return smi_job_exit_status(status);
}
