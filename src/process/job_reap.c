/* job_reap.c - the command ends, stops and goes on; what it left behind ends. */
#include "process/job_private.h"

#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BODIES_MOST = 256 /* in one turn: the others of the loop have theirs */ };

static int64_t timeval_us(struct timeval t)
{
    return (int64_t)t.tv_sec * 1000000 + t.tv_usec;
}

static void report_end(struct smi_job *j, struct smi_job_event *e, const struct rusage *u)
{
    e->cpu_us = timeval_us(u->ru_utime) + timeval_us(u->ru_stime);
    e->rss_kib = u->ru_maxrss;
    j->calls.event(j->calls.self, e);
}

/* ---- the command ---- */

static void end_command(struct smi_job *j, int status, const struct rusage *u)
{
    struct smi_job_event e = {.what = SMI_JOB_ENDED, .pid = j->pid, .status = status};
    struct rusage own = *u;
    if (own.ru_maxrss <= j->image_kib) /* exec(2) does not forget what the copy of us held before it */
        own.ru_maxrss = 0;
    j->pid = 0;
    smi_signal_probe_close(&j->ear, false); /* nothing is sent on any more */
    report_end(j, &e, &own);
}

/* As the terminal's driver did to the command. The owner's next turn is after we were woken. */
static void stop_with_command(struct smi_job *j)
{
    smi_signal_probe_watch(&j->ear, j->pid);
    kill(getpid(), SIGSTOP);
    smi_signal_probe_ask(&j->ear);
}

/* True if we have stopped meanwhile. */
static bool check_stops(struct smi_job *j)
{
    siginfo_t info = {.si_pid = 0};
    if (waitid(P_PID, (id_t)j->pid, &info, WSTOPPED | WCONTINUED | WNOHANG) || info.si_pid == 0)
        return false;
    const struct smi_job_event e = {.what =
                                        info.si_code == CLD_CONTINUED ? SMI_JOB_CONTINUED : SMI_JOB_STOPPED,
                                    .signal = info.si_status,
                                    .pid = j->pid};
    j->calls.event(j->calls.self, &e);
    if (e.what == SMI_JOB_CONTINUED || getpgid(j->pid) != getpgrp())
        return false;
    stop_with_command(j);
    return true;
}

static void report_ending(struct smi_job *j)
{
    const struct smi_job_event e = {.what = SMI_JOB_ENDING, .pid = j->pid};
    siginfo_t info = {.si_pid = 0};
    if (waitid(P_PID, (id_t)j->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == j->pid)
        j->calls.event(j->calls.self, &e);
}

static bool check_command(struct smi_job *j)
{
    struct rusage u;
    int status;
    memset(&u, 0, sizeof u);
    report_ending(j);
    pid_t got = wait4(j->pid, &status, WNOHANG, &u);
    if (got == j->pid)
        end_command(j, status, &u);
    else if (got < 0 && errno == ECHILD) /* another part of the program waited for all children */
        end_command(j, -1, &u);
    else
        return check_stops(j);
    return false;
}

/* ---- the others ---- */

/* The next dead child, which keeps its number until it is waited for; 0: there is none. */
static pid_t next_dead_child(void)
{
    siginfo_t info = {.si_pid = 0};
    return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) ? 0 : info.si_pid;
}

static void reap_orphans(struct smi_job *j)
{
    pid_t pid = 0;
    int n = 0;
    j->more = false;
    while (n++ < BODIES_MOST && (pid = next_dead_child()) > 0) {
        struct smi_job_event e = {.what = SMI_JOB_ORPHAN, .pid = pid, .session = getsid(pid)};
        struct rusage u;
        if (pid == j->pid || (j->calls.owned && j->calls.owned(j->calls.self, pid)))
            break;
        if (wait4(pid, &e.status, WNOHANG, &u) != pid)
            break;
        if (pid == j->ear.pid)
            j->ear.pid = 0;
        else
            report_end(j, &e, &u);
    }
    j->more = pid > 0;
}

void smi_job_reap(struct smi_job *j, int64_t now_ms)
{
    if (j->pid && check_command(j)) {
        j->more = true;
        return;
    }
    reap_orphans(j);
    if (j->pid && !j->ear.pid && now_ms - j->ear.begun_ms >= 1000) { /* somebody killed it */
        if (j->ear.fd >= 0)
            close(j->ear.fd);
        smi_signal_probe_open(&j->ear, now_ms);
    }
}
