/* alert.h - rules that are looked at while a job runs: each holds of a GPU or of a source, is said once it
 * has held for its time, and taken back once it has not for its time, so that a reading at the limit does
 * not flicker. */
#ifndef SMI_LIVE_ALERT_H
#define SMI_LIVE_ALERT_H

#include "base/buf.h"
#include "base/child.h"
#include "live/machine.h"

struct smi_live;

/* ---- a command of the user's that is run when something happens (`--alert-exec CMD`): by sh -c, one
 * after the other in the order of what happened, with what there is to know in its environment. What it
 * prints is dropped, but for the last line of its standard error where it fails. One that takes too long
 * is ended. Processes that a command leaves in the background live on, also when smilog ends ---- */

enum {
    SMI_ALERT_COMMAND_QUEUE = 64, /* what waits; more is dropped, and said */
    SMI_ALERT_COMMAND_MS = 30000, /* so long a command may run */
    SMI_ALERT_COMMAND_VALUES = 8, /* of an environment */
    SMI_ALERT_COMMAND_LATE = 16,  /* ended commands whose background processes may still write errors */
    SMI_ALERT_COMMAND_LINE = 200
};

/* Something about a command: one sentence. */
typedef void smi_alert_command_fn(void *self, const char *text);

struct smi_alert_command;
/* command is copied; most_ms: SMI_ALERT_COMMAND_MS, or as a test wants it. NULL with err (memory). */
struct smi_alert_command *smi_alert_command_new(const char *command, int64_t most_ms,
                                                smi_alert_command_fn *fn, void *self);
/* Runs it once more, with these "NAME=value" in its environment, a NUL after each (at most
 * SMI_ALERT_COMMAND_VALUES; taken): in the next turn of the loop, or once those before it have ended. */
void smi_alert_command_add(struct smi_alert_command *a, struct smi_buf *env);
/* Starts the commands and reads what they print. */
struct smi_loop_source smi_alert_command_source(struct smi_alert_command *a);
/* Does one run, or wait? */
bool smi_alert_command_busy(const struct smi_alert_command *a);
/* Kills the one that runs, and forgets those that wait; how many these were together is said. a may be NULL.
 */
void smi_alert_command_free(struct smi_alert_command *a);

#define SMI_ALERT_RULE(id, key, grave, about, limit, unit, on_s, off_s, marks, word, over, help) \
    SMI_ALERT_##id,
enum smi_alert_rule_id {
#include "live/alert_rule.def"
    SMI_ALERT_RULES
};
#undef SMI_ALERT_RULE

/* Columns of a GPU that an alert marks, as bits. */
enum { SMI_MARK_USE = 1, SMI_MARK_VRAM = 2, SMI_MARK_TEMP = 4, SMI_MARK_CLOCK = 8 };

enum smi_alert_about { SMI_ABOUT_GPU, SMI_ABOUT_SOURCE, SMI_ABOUT_MACHINE };

struct smi_alert_rule {
    const char *key;
    bool grave; /* broken or lost */
    enum smi_alert_about about;
    bool off;         /* disabled by the user */
    int64_t limit;    /* millionths of unit; SMI_ALERT_NO_LIMIT: it has none */
    const char *unit; /* "%", "s", "MiB"; or "" */
    int64_t on_ms, off_ms;
    unsigned marks;          /* SMI_MARK_* bits */
    const char *word, *over; /* "idle", for plain lines; "works again", for its end */
    const char *help;
};
#define SMI_ALERT_NO_LIMIT INT64_MIN
extern const struct smi_alert_rule smi_alert_rules[SMI_ALERT_RULES];

/* What a rule has seen of one GPU or source. */
struct smi_alert_memory {
    bool on, pending, changed;
    int64_t since_ms, began_ms; /* of the present state of the condition; of the alert (t_ms) */
};

/* An alert that begins or ends. */
struct smi_alert_change {
    const struct smi_alert_rule *rule;
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

/* Zero-initialise; end with smi_alerts_fini. */
struct smi_alerts {
    const struct smi_alert_rule *rules; /* SMI_ALERT_RULES of them; NULL: smi_alert_rules */
    void (*changed)(void *self, const struct smi_alert_change *c); /* or NULL */
    void *self;
    bool once; /* there is one check: each rule is judged by the readings of this moment, whatever its on_ms
                  is */
    struct smi_alert_memory *memory; /* by rule, then GPU, source or machine */
    size_t cap, width;
};

/* Looks at all rules, fills n->alert (the gravest first), and says what begins or ends in n's events, and to
 * changed. Call it after smi_machine_tick. */
void smi_alerts_check(struct smi_alerts *a, struct smi_machine *n);
void smi_alerts_fini(struct smi_alerts *a);

/* The gravest alert that marks this column (an SMI_MARK_* bit) of n->gpu[gpu]; NULL: none does, or the GPU
 * has no reading to mark. */
const struct smi_alert *smi_alert_marking(const struct smi_machine *n, size_t gpu, unsigned column);

/* Changes rules, which begin as a copy of smi_alert_rules, by "alerts" in a JSON file of rules:
 *     {"alerts": {"idle": 900, "thermal": false, "memory-full": {"limit": 95, "on_s": 30, "off_s": 120}}}
 * a number is a limit, false wants nothing of it. All else in the file is of the findings
 * (summary/findings.h). Returns 0, or -1 with err: SMI_EUSAGE, which names the file and what is wrong. */
int smi_alerts_load(struct smi_alert_rule rules[SMI_ALERT_RULES], const char *path, struct smi_err *err);

/* What a change is to other programs, on one line (a fresh text behind what stands in `to`):
 *     {"timestamp": "2026-07-03T12:31:07Z", "host": "node7", "run": "serve-7", "rule": "idle", "gpu_index":
 * 4, "uuid": "GPU-...", "monitor": null, "from": "ok", "to": "idle", "since": "...Z", "value": 300.0,
 * "threshold": 300.0, "unit": "s", "text": "GPU 4 idle 5m00s"} At its end from and to are the other way
 * round. host, run: or NULL. Returns 0, or -1 without memory. */
void smi_alert_json(struct smi_buf *to, const struct smi_alert_change *c, const char *host, const char *run);

/* what live and follow do about alerts: the rules as the user wants them, an event in the
 * recording, a command of the user's. */

enum {
    SMI_ALERT_CALL_MS =
        1000, /* what changes within it is one call of the command: 8 GPUs of a job end together */
    SMI_ALERT_CALL_CHANGES = 64, /* changes of one call */
    SMI_ALERT_CALLS = 8          /* that wait for more of their kind; a further one is made at once */
};

/* Changes of one rule, all beginnings or all ends, that the command gets together. */
struct smi_alert_call {
    const struct smi_alert_rule *rule;
    bool begins;
    size_t n;
    int64_t due_ms;
    struct smi_buf text, gpus, monitors, json; /* json: of the first one, but for its last brace */
};

struct smi_alert_actions {
    struct smi_alerts alerts;
    struct smi_alert_rule rules[SMI_ALERT_RULES];
    struct smi_machine *now;
    struct smi_live *live;         /* its recording gets an event; or NULL */
    struct smi_alert_command *act; /* or NULL */
    struct smi_alert_call call[SMI_ALERT_CALLS];
    size_t calls;
    int64_t mono_ms;    /* of the last look */
    bool each_turn;     /* the rules are checked in every turn of the loop */
    bool hurry;         /* it ends */
    struct smi_err err; /* of a change: memory */
    const char *run;
    char host[256];
};

/* The limits of a file of rules (NULL: the usual ones). Before anything is started; a is filled. Returns 0,
 * or -1 with err (SMI_EUSAGE). */
int smi_alert_actions_init(struct smi_alert_actions *a, const char *rules, struct smi_err *err);
/* Starts to watch `now`. live: the recording, or NULL. command: that of --alert-exec, or NULL. run: the name
 * of the run in alerts, or NULL. All are borrowed. Returns 0, or -1 with err. */
int smi_alert_actions_start(struct smi_alert_actions *a, struct smi_machine *now, struct smi_live *live,
                            const char *command, const char *run);
/* Checks the rules, and makes the calls that are due. Returns 0, or -1 with err. */
int smi_alert_actions_check(struct smi_alert_actions *a, int64_t mono_ms, struct smi_err *err);
/* Adds the command to l; each_turn: the rules are checked in every turn of it, else only by the function
 * above. */
void smi_alert_actions_attach(struct smi_alert_actions *a, struct smi_loop *l, bool each_turn);
/* It ends: no call waits for more. */
void smi_alert_actions_flush(struct smi_alert_actions *a);
/* To be called before now and live are freed. */
void smi_alert_actions_fini(struct smi_alert_actions *a);

#endif
