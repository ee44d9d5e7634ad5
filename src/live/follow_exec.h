/* follow_exec.h - a log elsewhere, through a command of the user's that prints it and goes on printing as it
 * grows
 * (`follow --exec 'ssh pod tail -c +%o -F file'`): a stream of follow.h that is resumed where it was left.
 *
 * %o in the command becomes the number of the first byte wanted, counted from 1 as tail -c + does; %% a %. It
 * is run by sh -c, and started again when it ends, after 1, 2, 4 .. 60 s. Each time the last bytes that we
 * have are asked for once more and compared: if they are others, or do not come, the file there is another
 * one (or shorter), and is read from its beginning. When GNU tail -F says on standard error that the file was
 * replaced or truncated, the bytes after that count from 0. Its message and the bytes come by two ways, so
 * that count may be wrong: then the next start finds other bytes than it has, and lines may come twice; never
 * are they lost. */
#ifndef SMI_LIVE_FOLLOW_EXEC_H
#define SMI_LIVE_FOLLOW_EXEC_H

#include "base/child.h"
#include "live/follow.h"

enum { SMI_FOLLOW_EXEC_REASON = 240, SMI_FOLLOW_EXEC_LINE = 200 };

enum smi_follow_exec_state {
    SMI_FOLLOW_EXEC_STOPPED,  /* by its owner */
    SMI_FOLLOW_EXEC_STARTING, /* it runs, and nothing has come yet */
    SMI_FOLLOW_EXEC_READING,  /* bytes come */
    SMI_FOLLOW_EXEC_WAITING   /* it ended: why says how; it is started again */
};

struct smi_follow_exec_times {
    int64_t pause, pause_most; /* ms before a restart: doubling from, to */
    int64_t answer;            /* so long without a byte after its start: it is asked in another way */
    struct smi_child_deadlines stop;
};
extern const struct smi_follow_exec_times smi_follow_exec_times;

struct smi_follow_exec;
struct smi_follow_exec_opts {
    const char *command;
    const char *name;                          /* for tail: its path, and its name in a store */
    const struct smi_follow_position *at;      /* where it was left, or NULL */
    const struct smi_follow_exec_times *times; /* NULL: smi_follow_exec_times */
    void *self;
    /* Its state is new, or it begins again at 0 (lost: what was between is not known); text: one sentence. Or
     * NULL. */
    void (*told)(void *self, const struct smi_follow_exec *f, bool lost, const char *text);
};

/* To be read by the owner; written by the functions below only. */
struct smi_follow_exec {
    enum smi_follow_exec_state state;
    char why[SMI_FOLLOW_EXEC_REASON]; /* the last line of its standard error, or how it ended; as it was
                                         printed */
    uint64_t starts;                  /* how often it was started */
    int file;                         /* its number in tail */
    /* The rest is its own. */
    struct smi_follow *tail;
    char *command;
    struct smi_follow_exec_times times;
    void (*told)(void *self, const struct smi_follow_exec *f, bool lost, const char *text);
    void *self;
    struct smi_child child;
    bool stopping, ending; /* by the owner; by us, to start it in another way */
    bool held;             /* tail's owner did not take what was pushed */
    bool whole;            /* the next start is from the first byte, to compare all that is known */
    int64_t due_ms, pause_ms, heard_ms;
    int64_t from, until; /* place of the next byte that comes; up to here bytes are compared, not handed on */
    struct smi_follow_position known; /* what they are compared with */
    char line[SMI_FOLLOW_EXEC_LINE];  /* of standard error */
    size_t line_n;
};

/* Not running; the texts of o are copied, the tail is borrowed and outlives it. NULL with err. */
struct smi_follow_exec *smi_follow_exec_new(struct smi_follow *t, const struct smi_follow_exec_opts *o);
/* Starts the command in the first turn. It fails, without err, where a call of the tail's owner did. */
struct smi_loop_source smi_follow_exec_source(struct smi_follow_exec *f);
/* Asks the command to end; go on with the loop while it is busy. */
void smi_follow_exec_stop(struct smi_follow_exec *f, int64_t now_ms);
bool smi_follow_exec_busy(const struct smi_follow_exec *f);
/* Kills the command at once if it runs. */
void smi_follow_exec_free(struct smi_follow_exec *f);

#endif
