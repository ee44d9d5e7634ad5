/* alert.h - rules that are looked at while a job runs: each holds of a GPU or of a source, is said once it
 * has held for its time, and taken back once it has not for its time, so that a reading at the limit does
 * not flicker. */
#pragma once

#include "live/live.h"
#include "summary/findings.h"

/* What a rule has seen of one GPU or source. */
struct smi_alert_memory {
    bool on, pending;
    int64_t since_ms, began_ms; /* of the present state of the condition; of the alert (t_ms) */
};

/* An alert that begins or ends. */
struct smi_alert_change {
    const struct smi_rule *rule;
    bool begins;
    int gpu;             /* index, or -1 */
    const char *uuid;    /* of the GPU, or NULL */
    const char *subject; /* "GPU 4", the source's name, or "the machine" */
    const char *text;
    int64_t t_ms;           /* clock of the run; */
    int64_t from_ms;        /* since when it holds, or held */
    int64_t value;          /* what was compared with the rule's limit, if it has one and this begins */
    const char *host, *run; /* of a followed log; or NULL */
};

/* The gravest alert that marks this column (an SMI_MARK_* bit) of n->gpu[gpu]; NULL: none does, or the GPU
 * has no reading to mark. */
const struct smi_alert *smi_alert_marking(const struct smi_machine *n, size_t gpu, unsigned column);
/* Since when alerts mark the cells of its use over time (t_ms); INT64_MAX: none does. */
int64_t smi_alert_marks_from(const struct smi_machine *n, size_t gpu);

/* ---- what live and follow do about alerts: the rules as the user wants them, an event in the recording, and
 * a command of the user's (`--alert-exec CMD`), run by sh -c with the alerts in its environment. One command
 * runs at a time, for SMI_ALERT_EXEC_MS at most. Changes wait for it, and those of one rule that begin, or
 * end, go to one command together. The last line of its standard error is reported if it fails; all else that
 * it prints is dropped. Processes that a command leaves in the background live on, also when smilog ends ----
 */

enum {
    SMI_ALERT_MERGE_MS = 1000, /* how long a change waits for others: 8 GPUs of a job end together */
    SMI_ALERT_EXEC_MS = 30000,
    SMI_ALERT_QUEUE_MAX = 4096,  /* changes that wait; more are dropped and reported */
    SMI_ALERT_ENV_BYTES = 98304, /* of the changes of one command: the kernel takes 128 KiB in one text */
    SMI_ALERT_VALUES = 6,        /* variables of its environment */
    SMI_ALERT_LATE = 16          /* ended commands whose background processes may still write errors */
};

/* A call of the command: changes of one rule that begin, or end, and its environment ("SMILOG_GPU=0,1"). */
struct smi_alert_call {
    const struct smi_rule *rule;
    bool begins;
    int64_t mono_ms; /* when the first change came */
    size_t changes;
    struct smi_buf env[SMI_ALERT_VALUES];
};

struct smi_alert_actions {
    struct smi_rule_table table;     /* as the user wants it */
    struct smi_alert_memory *memory; /* by GPU, source or machine, then rule */
    size_t cap;
    bool once; /* there is one check: each rule is judged by the readings of this moment, whatever its on_ms
                * is */
    struct smi_machine *now;
    struct smi_live *live; /* its recording gets an event; or NULL */
    const char *run;
    char host[256];
    bool each_turn;              /* the rules are checked in every turn of the loop */
    bool hurry;                  /* no change waits for others: smilog ends */
    const char *command;         /* or NULL */
    int64_t most_ms;             /* SMI_ALERT_EXEC_MS, or as a test wants it */
    int64_t mono_ms;             /* of the last check */
    struct smi_alert_call *call; /* those that wait, */
    size_t calls, calls_cap;
    size_t waiting; /* and how many changes they have */
    int64_t dropped;
    struct smi_child child; /* the command that runs */
    int64_t begun_ms;
    bool late;                    /* it ran for too long, and was asked to end */
    struct smi_last_line err;     /* of its standard error */
    int late_err[SMI_ALERT_LATE]; /* standard error of commands that have ended; -1: none */
    size_t late_next;
};

/* The limits of a file of rules (NULL: the usual ones). Before anything is started; a is filled. Returns 0,
 * or -1 with err (SMI_EUSAGE). */
int smi_alert_actions_init(struct smi_alert_actions *a, const char *rules, struct smi_err *err);
/* Starts to watch `now`. live: the recording, or NULL. command: that of --alert-exec, or NULL. run: the name
 * of the run in alerts, or NULL. All are borrowed. */
void smi_alert_actions_start(struct smi_alert_actions *a, struct smi_machine *now, struct smi_live *live,
                             const char *command, const char *run);
/* Checks the rules after smi_machine_tick: fills now->alert (the gravest first), and says what begins or ends
 * in its events and to the function below. */
void smi_alert_actions_check(struct smi_alert_actions *a, int64_t mono_ms);
/* What follows from a change: an event in the recording, and a place in the queue of the command. */
void smi_alert_actions_report(struct smi_alert_actions *a, const struct smi_alert_change *c);
/* Runs the command in l. each_turn: the rules are checked in every turn of it, too, else only by the function
 * above. */
void smi_alert_actions_attach(struct smi_alert_actions *a, struct smi_loop *l, bool each_turn);
/* Does a command run, or a change wait for one? */
bool smi_alert_actions_busy(const struct smi_alert_actions *a);
/* Call this before now and live are freed. A command that runs is killed; what did not get to one is
 * reported. */
void smi_alert_actions_fini(struct smi_alert_actions *a);
