/* job_private.h - what the files of job.h share. */
#ifndef SMI_PROCESS_JOB_PRIVATE_H
#define SMI_PROCESS_JOB_PRIVATE_H

#include "process/job.h"

#include <signal.h>

enum { SMI_JOB_SIGNALS = 65 /* 1 to 64, all that Linux has */ };

/* What is done with a signal. */
enum smi_job_signal_care {
    SMI_JOB_CARE_NONE,    /* left as it is: ends nothing, or is a fault of our own */
    SMI_JOB_CARE_TAKE,    /* from the kernel it is about us: a timer, a limit */
    SMI_JOB_CARE_TERMINAL /* from the kernel it is about the group */
};
enum smi_job_signal_care smi_job_signal_care(int n);

/* Of a process, as it was before. */
struct smi_job_before {
    sigset_t mask;
    struct sigaction pipe, xfsz, chld;
    int reaper;
};

/* Whose signals are taken. */
enum smi_job_stage {
    SMI_JOB_WAITS, /* there is no command yet: what would end us */
    SMI_JOB_OURS,  /* we started it: what would end or stop us */
    SMI_JOB_THEIRS /* it ran already */
};

/* The process in our group that hears what all of it hear. */
struct smi_signal_probe {
    pid_t pid; /* 0: there is none */
    int fd;    /* its bytes: the number of a signal, or 0 for an answer; -1: there is none */
    int64_t asked, answered, begun_ms;
};

/* A signal that was sent to us. */
struct smi_job_sent {
    bool waits, may, asked,
        said; /* for the signal probe; may be sent on; the probe was asked; the event of heard_ms was sent */
    int64_t got_ms, heard_ms; /* heard_ms: by the ear, last; INT64_MIN: never */
    int64_t question;         /* its number */
};

struct smi_job {
    struct smi_job_calls calls;
    struct smi_job_before before;
    pid_t pid;
    enum smi_job_stage stage;
    bool more;         /* there are dead children that were not looked at */
    int signals;       /* signalfd(2) */
    int told;          /* exec's answer, if it was late; else -1 */
    int pidfd;         /* theirs; -1: there is none */
    int64_t image_kib; /* what we held when it was forked */
    int64_t begun;     /* theirs, without pidfd: the start time in /proc; 0: not known */
    struct smi_signal_probe ear;
    struct smi_job_sent sent[SMI_JOB_SIGNALS];
};

/* job_signal_probe.c */
void smi_signal_probe_open(struct smi_signal_probe *e, int64_t now_ms);
/* Asks whether all events were handed out; e->answered reaches e->asked then. Also ends a watch. */
void smi_signal_probe_ask(struct smi_signal_probe *e);
/* Wakes us once pid is not stopped any more. */
void smi_signal_probe_watch(struct smi_signal_probe *e, pid_t pid);
/* It ends; its body is waited for as any other's, or here. */
void smi_signal_probe_close(struct smi_signal_probe *e, bool wait);

/* who gets a signal. */
void smi_job_route(struct smi_job *j, int64_t now_ms);
int64_t smi_job_route_due(const struct smi_job *j);

#endif
