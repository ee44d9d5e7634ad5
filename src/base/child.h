/* child.h - one child process: started in a session of its own, its output on a raw pty or a pipe, stopped
 * politely with deadlines, and never left behind where it can be killed, not even when we are killed
 * ourselves.
 *
 * Every child leads its own session and process group. It gets SIGKILL when the thread that started it ends
 * (PR_SET_PDEATHSIG: start children from the thread that lives as long as the program). Its group, so also
 * what it started itself, gets SIGKILL when we end in any way: it inherits the read end of a pipe (as
 * descriptor 3) of which only we have the other end, and that end's closing is a SIGKILL (F_SETSIG). The
 * hang-up of a controlling terminal would do less: what ignores SIGHUP outlives it, and pipes have none. What
 * leaves the group (a daemon) is not ours any more, and is never signalled. No call here waits for a child.
 * A spec with `background` ends that tie together with the child: its background processes then live on.
 */
#pragma once

#include "base/loop.h"

#include <sys/types.h>

struct smi_child_spec {
    char *const *argv;      /* ends with NULL; argv[0] is sought in PATH unless it has a slash */
    const char *const *env; /* "NAME=value", ends with NULL: added to the environment, or in the place of what
                             * is there; NULL: nothing */
    bool pty; /* standard output is a terminal in raw mode: programs that keep back what they write into
               * a pipe print every line at once. Where no pty can be had it is a pipe */
    bool background; /* processes that it leaves behind live on if it ends without being asked to; so standard
                      * output is /dev/null, which nobody closes */
};

/* When a child is asked to end: milliseconds after SIGINT until SIGTERM, until SIGKILL, until it counts as
 * stuck. */
struct smi_child_deadlines {
    int64_t term, kill, stuck;
};

struct smi_child {
    pid_t pid;      /* 0: there is none, or it has ended and its status is known */
    int out;        /* its standard output: non-blocking, close-on-exec; -1 once it was closed */
    int err;        /* its standard error, always a pipe; the same */
    int pidfd;      /* readable once it has ended; -1 where the kernel has none (before Linux 5.3) */
    int status;     /* as of waitpid(2), once it has ended; -1: another part of the program took it */
    int cause;      /* errno of the call that failed: ENOENT, if there is no such program; else 0 */
    pid_t session;  /* that it began: its number, also once it has ended; 0: it was not started */
    int life, told; /* see above; the end of exec's errors, -1 once it is known */
    int life_in;    /* with spec.background: the child's end of that pipe; else -1 */
    int step;       /* of stopping: 0 not asked, then INT, TERM, KILL, stuck */
    int64_t asked_ms;
    struct smi_child_deadlines patience;
};

/* There is none, and none has been. */
extern const struct smi_child smi_child_none;

enum smi_child_state {
    SMI_CHILD_NONE,
    SMI_CHILD_RUNS,
    SMI_CHILD_ENDED, /* status is set, and the rest of its group is killed (but see spec.background); out
                        and err may still hold bytes */
    SMI_CHILD_STUCK  /* it survives SIGKILL: in the kernel, in an uninterruptible sleep (D) */
};

/* Starts a child: standard input is /dev/null, all signals are at their defaults and unblocked, no descriptor
 * of ours but 0 to 3 is open in it. c is filled; close it with smi_child_close. Returns 0, or -1 with err and
 * c->cause: also when there is no such program, which the child tells before it ends. Takes milliseconds; at
 * most a second, where the file system of the program does not answer. */
int smi_child_open(struct smi_child *c, const struct smi_child_spec *spec, struct smi_err *err);
/* Reads from *fd (&c->out or &c->err), never blocks. Returns bytes; 0 at the end, where it closes *fd; -1 if
 * there is nothing now. */
ssize_t smi_child_read(int *fd, void *buf, size_t n);
/* Asks it to end: SIGINT now, the rest by smi_child_poll. Asked twice, the shorter patience counts. */
void smi_child_stop(struct smi_child *c, const struct smi_child_deadlines *p, int64_t now_ms);
/* How it is; sends the signals that are due. A child that is stuck goes on being looked for. */
enum smi_child_state smi_child_poll(struct smi_child *c, int64_t now_ms);
/* When to look next, in monotonic milliseconds; INT64_MAX: when out, err or pidfd is ready. */
int64_t smi_child_due(const struct smi_child *c, int64_t now_ms);
/* For a source of l: its output, its errors, its end, and what is due of its stopping are waited for. */
void smi_child_watch(const struct smi_child *c, struct smi_loop *l);
/* What a child wrote into the pipe *told when its exec failed: an errno. 0: exec went well, and *told is
 * closed, or nothing is known within wait_ms. */
int smi_child_exec_error(int *told, int wait_ms);
/* Kills what is left of the child and its group at once, and forgets it. Waits at most 50 ms for the body. */
void smi_child_close(struct smi_child *c);
