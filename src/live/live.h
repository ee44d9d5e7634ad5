/* live.h - the monitors beside a job: started, watched, shown (live/machine.h) and recorded, in the
 * owner's loop. Everything that a recording holds is what `smilog summarize DIR` reads. Not
 * for several threads. */
#pragma once

#include "base/child.h"
#include "live/machine.h"
#include "live/recorder.h"

/* ---- which of the machine's GPUs a job calls its own: CUDA_VISIBLE_DEVICES, and what AMD has
 * for it (monitor.c) ---- */

/* Sets mine[i] of n GPUs (SMI_MACHINE_GPUS_MAX are looked at) for those that the list (the value of
 * CUDA_VISIBLE_DEVICES; NULL: not set) names: indices, uuids, the beginnings of uuids that fit one GPU only
 * ("GPU-1a2b"), "MIG-GPU-uuid/gi/ci" and "MIG-uuid". It ends at the first entry that is none of these, so
 * also at -1; an empty list names none. All are set if an entry names a MIG instance whose GPU cannot be told
 * from it. Indices count in nvidia-smi's order, which is CUDA's too on machines of equal GPUs, and on all
 * with CUDA_DEVICE_ORDER=PCI_BUS_ID. Source: CUDA programming guide, environment variables. gpu NULL: they
 * are AMD's, of which amd-smi's monitor tells the index alone; list is HIP's, and counts in what outer
 * (ROCr's) leaves, in its order. If an entry is of another kind (a uuid), all are set. */
void smi_visible(const struct smi_gpu_id *gpu, const char *list, const char *outer, size_t n, bool *mine);

/* one program that prints readings for as long as we live (nvidia-smi in a loop), kept going:
 * probed, started, watched, restarted. One monitor has one child; it is a source of the owner's loop, and
 * nothing here ever waits. Times are monotonic milliseconds. Not for several threads; start monitors from the
 * thread that lives as long as the program. */

enum { SMI_MONITOR_REASON = 240, SMI_LAST_LINE_TEXT = 160 };

/* A monitor that can be run: a row of smi_monitor_kinds. */
struct smi_monitor_kind {
    const char *name;
    const char *program;       /* by PATH */
    const char *file;          /* as it is recorded */
    enum smi_format_id format; /* how its bytes are read */
    int least_ms;              /* its shortest interval; others are rounded up to whole steps of it */
    int most_s;                /* its longest interval; 0: any */
    int head;                  /* heads in front of the first row */
    bool pty;                  /* it keeps back what it writes into a pipe */
    bool quiet;                /* it may rightly print nothing for hours: silence is no fault */
    /* Or NULL. Columns to ask for, "a,b,c", and the driver is asked which of them it knows: "name", or
     * "name|other" with the name that drivers of other years have. */
    const char *fields;
    const char *const *env; /* for the child; or NULL */
    /* The words behind the program, ended by NULL: %f in one stands for the fields; %s for the interval in
     * seconds; %l for "-l S", or "-lms MS", which old drivers do not know, and is left out where one answer
     * is wanted. */
    const char *const *words;
    const char *gpu_word; /* stands before the GPUs, if some are asked for: */
    bool split_gpus;      /* each a word of its own; else "0,1" */
};
extern const struct smi_monitor_kind smi_monitor_kinds[]; /* ends with a NULL name */
/* "query", "dmon", "apps", "amd", ...; NULL if there is no such row. */
const struct smi_monitor_kind *smi_monitor_kind(struct smi_text name);
/* The interval it really runs at. */
int smi_monitor_interval(const struct smi_monitor_kind *k, int interval_ms);
enum smi_monitor_state {
    SMI_MONITOR_STOPPED,    /* not started, or ended because it was asked to */
    SMI_MONITOR_STARTING,   /* probed, or its first row has not come yet */
    SMI_MONITOR_OK,         /* rows come */
    SMI_MONITOR_SILENT,     /* none (messages do not count) within 3 intervals: it has as long again before a
                               restart */
    SMI_MONITOR_RESTARTING, /* it ended or is being ended; it starts again after a pause of 1, 2, 4 .. 60 s */
    SMI_MONITOR_GONE /* there is no such program, or a child of it hangs in the kernel: nothing is tried until
                      * that one ends */
};
extern const char *const smi_monitor_states[]; /* in words */

/* All in milliseconds; smi_monitor_times is what holds unless the owner says otherwise (tests do). */
struct smi_monitor_times {
    int64_t start;             /* a child's first line: drivers without persistence take long */
    int64_t silence;           /* between rows: this, or 3 intervals if that is more */
    int64_t pause, pause_most; /* before a restart: doubling from, to */
    int64_t steady;            /* rows for so long, and the pause begins at its first length again */
    struct smi_child_deadlines restart, stop;
};
extern const struct smi_monitor_times smi_monitor_times;

enum smi_monitor_event_kind {
    SMI_MONITOR_CHILD_STARTED, /* a child begins: the bytes from now on are its own; an unfinished line before
                                  them stays so */
    SMI_MONITOR_STATE_CHANGED, /* m->state and m->reason are new */
    SMI_MONITOR_HAS_GAP,       /* no rows from from_ms: to_ms -1 while it lasts, and again with its end */
    SMI_MONITOR_HAS_GPUS       /* m->gpus is new: what the probe saw */
};
struct smi_monitor_event {
    enum smi_monitor_event_kind what;
    int64_t from_ms, to_ms; /* m->reason says why */
};

struct smi_monitor;
/* The owner's callbacks. None may block, nor call a function of the monitor but smi_monitor_again. */
struct smi_monitor_calls {
    void *self;
    void (*bytes)(void *self, const char *p, size_t n); /* pieces of standard output as they come; or NULL */
    void (*event)(void *self, const struct smi_monitor *m, const struct smi_monitor_event *e); /* or NULL */
    /* Or NULL. Appends the next command line, for sh -c: its output are bytes, and not rows whose coming says
     * that it works. */
    void (*command)(void *self, struct smi_buf *to);
    void (*message)(void *self, const char *line); /* a line of standard error, trimmed; or NULL */
};

struct smi_monitor_opts {
    const struct smi_monitor_kind *kind;
    const char *program; /* NULL: the kind's */
    const char *gpus;    /* for -i; NULL: all */
    int interval_ms;
    const struct smi_monitor_times *times; /* NULL: smi_monitor_times */
    struct smi_monitor_calls calls;
};

/* What a stream said last: of a stream of messages its last line that is not blank; of one of rows the first
 * line that is none since the last row ("NVIDIA-SMI has failed because ..." stands on standard output, with
 * more behind). */
struct smi_last_line {
    char line[SMI_LAST_LINE_TEXT], part[SMI_LAST_LINE_TEXT]; /* and the line in the making */
    size_t line_n, part_n, rows;                             /* rows and heads so far */
    bool of_rows;
    void (*each)(void *self, const char *line); /* gets each line that is no row; or NULL */
    void *self;
};
/* Adds bytes. Returns the number of rows and heads that ended with them. */
size_t smi_last_line_add(struct smi_last_line *l, const char *p, size_t n);
/* The line, also where the stream ended inside of it; borrowed. */
struct smi_text smi_last_line_end(struct smi_last_line *l);
/* Appends how a child ended: "exit 7", "killed by signal 9", "could not be started: ...". */
void smi_child_put_end(struct smi_buf *b, const struct smi_child *c);

enum smi_monitor_child { SMI_MONITOR_NO_CHILD, SMI_MONITOR_PROBE_CHILD, SMI_MONITOR_ROWS_CHILD };

/* To be read by the owner at any time; written by the functions below only. */
struct smi_monitor {
    struct smi_monitor_opts o; /* as it was made, with the program and the interval that it really runs */
    enum smi_monitor_state state;
    int64_t since_ms;                /* the state */
    char reason[SMI_MONITOR_REASON]; /* of the state, one safe line; "" while all is well */
    uint64_t starts, lines;          /* children so far (restarts are one fewer); rows and heads */
    int64_t line_ms;                 /* of the last of them; -1: none yet */
    int64_t gap_ms;                  /* the gap that lasts: its begin; -1: none */
    char *fields;            /* columns to ask for: those that the driver knows, once probed; or NULL */
    struct smi_gpu_id *gpus; /* what the probe saw, in nvidia-smi's order; n 0 before */
    size_t gpus_n;
    /* The rest is the monitor's own. */
    struct smi_child child;
    bool stuck;    /* it hangs in the kernel: nothing more is expected of it */
    pid_t session; /* of the child before this one */
    enum smi_monitor_child doing;
    bool stopping, probed,
        blamed; /* asked to end by the owner; the fields are known; reason says why it is ended */
    bool again; /* it is being ended, and starts again at once */
    bool hold;  /* the owner's: nothing of its standard output is read now */
    struct smi_monitor_times times;
    int64_t due_ms, begun_ms, ok_ms,
        end_ms; /* next start; of the child; rows since, -1: none; when its output ended */
    int64_t pause_ms;
    uint64_t child_lines; /* rows and heads */
    struct smi_last_line out, err;
    struct smi_buf answer; /* the probe's */
};

/* A monitor that is not running; the texts of o are borrowed. Free with smi_monitor_free. */
struct smi_monitor *smi_monitor_new(const struct smi_monitor_opts *o);
/* Begins: the child is started at once. Trouble is a state, never an error. */
void smi_monitor_start(struct smi_monitor *m, int64_t now_ms);
/* Asks it to end; it is SMI_MONITOR_STOPPED at once, its child a little later. Go on with
 * its source, if only for a second: what was written until then is still handed on. */
void smi_monitor_stop(struct smi_monitor *m, int64_t now_ms);

/* Ends the child, if there is one, and starts the next one at once: not as trouble. */
void smi_monitor_again(struct smi_monitor *m, int64_t now_ms);

/* Reads what the child prints, at most 64 KiB of it a turn, so that a flood leaves the others theirs; then
 * does what is due. */
struct smi_loop_source smi_monitor_source(struct smi_monitor *m);
/* Has it a child that may end? */
static inline bool smi_monitor_busy(const struct smi_monitor *m)
{
    return m->child.pid && !m->stuck;
}
/* Is this a child of it that lives, or that it will wait for? For a program with other children. session: or
 * is it the session of its child, also once that has ended, or of the one before? What a child left behind is
 * in it, and killed. */
bool smi_monitor_owns(const struct smi_monitor *m, pid_t id, bool session);
/* How long a child that has printed a line may be silent. */
int64_t smi_monitor_silence(const struct smi_monitor *m);
/* Kills the child at once if there is one. */
void smi_monitor_free(struct smi_monitor *m);

/* ---- all monitors together (live.c) ---- */

enum { SMI_LIVE_MONITORS = 5 };

/* Whose GPUs are looked at. */
enum smi_live_brand { SMI_LIVE_ANY, SMI_LIVE_NVIDIA, SMI_LIVE_AMD, SMI_LIVE_NONE };

struct smi_live_opts {
    int interval_ms;
    const char *dir;     /* where to record, from smi_live_claim; NULL: nothing is recorded */
    const char *program; /* in the place of nvidia-smi; NULL: nvidia-smi by PATH */
    const char *gpus;    /* of which GPUs, as nvidia-smi -i takes them; NULL: all */
    bool choose;         /* of NVIDIA's, gpus says which are mine, and all are looked at */
    bool of_job; /* mine are those that the environment leaves to a job that is started from here: all, or as
                  * CUDA_VISIBLE_DEVICES says; on AMD's HIP obeys it, too, but HIP_VISIBLE_DEVICES before it,
                  * of what ROCR_VISIBLE_DEVICES leaves. Else all are */
    int recording;                        /* as in struct smi_start_source */
    const struct smi_runlog_value *about; /* further facts for the start event; or NULL */
    enum smi_live_brand brand;            /* ANY: NVIDIA's, but where there is amd-smi and no nvidia-smi */
    const char *monitors; /* of query, dmon, apps, pmon, amd, amd-process, cpu: these only; or NULL */
    bool apps;            /* the processes on the GPUs, too; */
    bool pmon;            /* and how much each uses them */
    bool kmsg;            /* new messages of the kernel, for XIDs, too */
    int64_t most;         /* bytes of a recorded file, as smi_record_file.most; 0: any */
    int keep;             /* parts of it, as smi_record_file.keep; 0: all */
    struct smi_machine_opts now;
    const struct smi_monitor_times *times; /* NULL: smi_monitor_times */
};

/* A log: of a monitor, our own of the CPUs, or the owner's. */
struct smi_live_log {
    struct smi_live *l;
    struct smi_monitor *m;          /* or NULL */
    struct smi_live_source *source; /* in now */
    bool full;                      /* that its disk is full was said */
    char told[SMI_MONITOR_REASON];  /* why its monitor is down, since rows came last */
    int64_t steps;                  /* of its clock that were recorded */
    int64_t lost;                   /* lines, of gaps that are over */
    struct smi_record_file file;    /* path NULL: not recorded */
};

/* Behind the monitors' logs: that of the CPUs, and the owner's (smi_live_add). */
enum { SMI_LIVE_CPU = SMI_LIVE_MONITORS, SMI_LIVE_OWN, SMI_LIVE_LOGS };

/* Its owner reads now and seen. */
struct smi_live {
    struct smi_live_opts o;
    const char *visible, *hip, *rocr; /* which GPUs are mine, as their drivers read it; NULL: all */
    struct smi_machine *now;          /* what the screen, the server and alerts read */
    struct smi_live_log log[SMI_LIVE_LOGS];
    size_t logs;
    struct smi_host *host;
    struct smi_host_sample seen; /* of it, last: it is read with every sample of the CPUs */
    int64_t cpu_due_ms;
    struct smi_buf row;
    int kmsg; /* the kernel's messages, or -1 */
    struct smi_live_source *kmsg_source;
    int dir; /* of the recording: its files stay there if it is renamed */
    struct smi_append run;
    struct smi_buf start;          /* the line that run.jsonl begins with */
    bool recorded, begun, stopped; /* begun: the start event is written */
    int64_t begin_ms;              /* when it is written at the latest */
    int64_t start_ms;
    const int64_t *now_ms; /* of the loop, once there is one */
};

/* Finds the directory of a recording, and makes its run.jsonl: dir if it is new or empty, else the first of
 * dir.2, dir.3 and so on up to dir.MOST. Programs that do this at once get different ones. Its path is in own
 * then. Returns its number (1: dir itself), or -1 with err: SMI_EUSAGE (all are in use), SMI_EIO. */
int smi_live_claim(const char *dir, int most, char *own, size_t size, struct smi_err *err);
/* Starts the monitors. The texts of o are borrowed for as long as it lives. NULL with err: SMI_EIO. Without
 * nvidia-smi only the CPUs are sampled, and the state of the source says so. */
struct smi_live *smi_live_new(const struct smi_live_opts *o, int64_t mono_ms, struct smi_err *err);
/* The GPUs that nvidia-smi listed before it began, *n of them: none if it has not yet, or on AMD. */
const struct smi_gpu_id *smi_live_listed(const struct smi_live *l, size_t *n);
/* Has any monitor printed anything? */
bool smi_live_heard(const struct smi_live *l);
/* Adds the monitors and the sampling of the CPUs to a loop. */
void smi_live_attach(struct smi_live *l, struct smi_loop *loop);
/* Writes an event into the recording, if there is one; to show it is the caller's (smi_machine_add_event). */
void smi_live_event(struct smi_live *l, const char *name, const struct smi_runlog_value *values);
/* Reports, once, that a file of the recording or of its owner was begun again (a->renewed), if it was. */
void smi_live_renewed(struct smi_live *l, struct smi_append *a);
/* A log of the owner's own, once: shown as `name`, recorded as `file`; both are borrowed. What is put into it
 * are whole lines of this format, a header first. */
void smi_live_add(struct smi_live *l, const char *name, const char *file, enum smi_format_id format);
void smi_live_write(struct smi_live *l, const char *p, size_t n);
/* Asks the monitors to end; go on with the loop while smi_live_busy. why: for the RunLog's stop event,
 * with `more` (or NULL) behind it. */
void smi_live_stop(struct smi_live *l, const char *why, const struct smi_runlog_value *more, int64_t mono_ms);
bool smi_live_busy(const struct smi_live *l);
/* As smi_monitor_owns, of any monitor. */
bool smi_live_owns(const struct smi_live *l, pid_t id, bool session);
/* Kills what still lives, and closes the files. l may be NULL. */
void smi_live_free(struct smi_live *l);

/* What is typed to all commands that watch (live/watch.h). */
enum { SMI_WATCH_JSONL = 2 };
struct smi_watch_settings {
    const char *duration, *rules, *command /* --alert-exec */, *listen, *allow;
    int color, names, expect_gpus;
    int format; /* auto, plain or SMI_WATCH_JSONL */
    bool plain, json, once, quiet;
};
