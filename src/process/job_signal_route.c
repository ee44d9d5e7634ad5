/* job_signal_route.c - was a signal sent to us alone, or did all of the group get it? A signal that the ear
 * has not heard within SMI_JOB_PROBE_MS, nor when it was asked after that, was for us alone, and goes on to
 * the command.
 *
 * From the kernel come the signals of a terminal, which are the group's, with one exception: the hang-up of a
 * terminal is sent to the leader of its session only, which we are where we were started in the place of a
 * shell (`ssh -t`, a window of tmux). Without us it would be the command. So the ear decides here, too. */
#include "process/job_private.h"

#include <sys/signalfd.h>
#include <unistd.h>

enum { DEAF_MS = 500 /* an ear that does not answer for so long is stopped */ };

static void report_signal(struct smi_job *j, int n, enum smi_job_delivery way)
{
    const struct smi_job_event e = {.what = SMI_JOB_SIGNAL, .signal = n, .way = way, .pid = j->pid};
    j->calls.event(j->calls.self, &e);
}

static void deliver_signal(struct smi_job *j, int n, bool heard)
{
    struct smi_job_sent *s = &j->sent[n];
    s->waits = false;
    s->said = heard;
    if (heard)
        report_signal(j, n, SMI_JOB_REACHED);
    else
        report_signal(j, n, s->may && j->pid && kill(j->pid, n) == 0 ? SMI_JOB_FORWARDED : SMI_JOB_KEPT);
}

/* May it be sent on, if it was for us alone? Not to the one that sent it: a command that signals its parent
 * does not mean itself. */
static bool may_send_on(const struct smi_job *j, const struct signalfd_siginfo *s)
{
    if (s->ssi_code == SI_KERNEL)
        return j->ear.fd >= 0 && smi_job_signal_care((int)s->ssi_signo) == SMI_JOB_CARE_TERMINAL;
    return (pid_t)s->ssi_pid != j->pid;
}

static void take_signal(struct smi_job *j, const struct signalfd_siginfo *info, int64_t now_ms)
{
    int n = (int)info->ssi_signo;
    struct smi_job_sent *s = &j->sent[n];
    if (n == SIGCHLD || (j->ear.pid && (pid_t)info->ssi_pid == j->ear.pid && info->ssi_code == SI_USER))
        return; /* the ear woke us */
    if (j->stage != SMI_JOB_OURS || !j->pid) {
        report_signal(j, n, SMI_JOB_KEPT);
        return;
    }
    if (s->heard_ms != INT64_MIN && now_ms - s->heard_ms <= SMI_JOB_PROBE_MS) {
        if (!s->said)
            deliver_signal(j, n, true);
        return;
    }
    if (!s->waits)
        *s = (struct smi_job_sent){.waits = true, .got_ms = now_ms, .heard_ms = INT64_MIN};
    s->may = s->may || may_send_on(j, info);
}

static void read_probe(struct smi_job *j, int64_t now_ms)
{
    unsigned char heard[64];
    size_t n;
    while ((n = smi_signal_probe_read(&j->ear, heard, sizeof heard)) > 0)
        for (size_t i = 0; i < n; i++) {
            struct smi_job_sent *s = &j->sent[heard[i]];
            s->heard_ms = now_ms;
            s->said = false;
            if (s->waits)
                deliver_signal(j, heard[i], true);
        }
}

/* Has the ear said all that it knew of this time? */
static bool probe_has_answered(struct smi_job *j, struct smi_job_sent *s, int64_t now_ms)
{
    if (j->ear.fd < 0)
        return true;
    if (!s->asked) {
        smi_signal_probe_ask(&j->ear);
        s->asked = true;
        s->question = j->ear.asked;
    }
    return j->ear.answered >= s->question || now_ms - s->got_ms >= SMI_JOB_PROBE_MS + DEAF_MS;
}

void smi_job_route(struct smi_job *j, int64_t now_ms)
{
    struct signalfd_siginfo info;
    while (read(j->signals, &info, sizeof info) == (ssize_t)sizeof info)
        take_signal(j, &info, now_ms);
    read_probe(j, now_ms);
    for (int n = 1; n < SMI_JOB_SIGNALS; n++)
        if (j->sent[n].waits && (!j->pid || (now_ms - j->sent[n].got_ms >= SMI_JOB_PROBE_MS &&
                                             probe_has_answered(j, &j->sent[n], now_ms))))
            deliver_signal(j, n, false);
}

int64_t smi_job_route_due(const struct smi_job *j)
{
    int64_t due = INT64_MAX;
    for (int n = 1; n < SMI_JOB_SIGNALS; n++) {
        const struct smi_job_sent *s = &j->sent[n];
        int64_t then = s->got_ms + SMI_JOB_PROBE_MS + (s->asked ? DEAF_MS : 0);
        if (s->waits && then < due)
            due = then;
    }
    return due;
}
