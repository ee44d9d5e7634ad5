/* plays.h - processes that play a part, step by step, and samples of them: for tests of the tree on the real
 * /proc. */
#pragma once

#include "process/tree.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- a process that plays a part, step by step ---- */

static int ready[2], go[2]; /* what it writes, and what it reads */

static inline void tell(void)
{
    if (write(ready[1], "x", 1) != 1)
        _exit(9);
}

static inline void wait_for_go(void)
{
    char c;
    if (read(go[0], &c, 1) != 1)
        _exit(0); /* the test has ended */
}

static inline void step(void)
{
    tell();
    wait_for_go();
}

/* Starts it, up to its first step. */
static inline pid_t start(void (*play)(void))
{
    char c;
    pid_t pid;
    assert_int_equal(pipe(ready) || pipe(go), 0);
    pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        close(ready[0]);
        close(go[1]);
        play();
        _exit(0);
    }
    close(ready[1]);
    close(go[0]);
    assert_int_equal(read(ready[0], &c, 1), 1);
    return pid;
}

/* Up to the next step of one of them; 0: there is none more. */
static inline ssize_t next(void)
{
    char c;
    assert_int_equal(write(go[1], "x", 1), 1);
    return read(ready[0], &c, 1);
}

static inline void all_end(void)
{
    char c;
    close(go[1]);
    assert_int_equal(read(ready[0], &c, 1), 0);
    close(ready[0]);
    while (waitpid(-1, NULL, 0) > 0 || errno == EINTR)
        continue;
}

static inline int64_t cpu_of(const struct rusage *r)
{
    return ((int64_t)r->ru_utime.tv_sec + r->ru_stime.tv_sec) * 1000000 + r->ru_utime.tv_usec +
           r->ru_stime.tv_usec;
}

static inline void burn(int64_t us)
{
    struct timespec t;
    do
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    while ((int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000 < us);
}

/* ---- samples ---- */

static int64_t now;

static inline struct smi_tree *open_it(pid_t main, bool reaper)
{
    struct smi_tree_opts o = {.main = main, .reaper = reaper ? getpid() : 0};
    struct smi_tree *t = smi_tree_open(&o);
    assert_non_null(t);
    return t;
}

static inline struct smi_tree_sample look(struct smi_tree *t)
{
    struct smi_tree_sample s;
    now += 1000000;
    smi_tree_read(t, now, &s);
    return s;
}

static inline void are(const struct smi_tree_sample *s, int64_t main, int64_t descendants)
{
    assert_int_equal(s->of[SMI_TREE_OF_MAIN].processes, main);
    assert_int_equal(s->of[SMI_TREE_OF_DESCENDANTS].processes, descendants);
    assert_int_equal(s->of[SMI_TREE_OF_ALL].processes, main + descendants);
}

static inline void near(int64_t got, int64_t want, int64_t by)
{
    if (got < want - by || got > want + by)
        fail_msg("%lld is not within %lld of %lld", (long long)got, (long long)by, (long long)want);
}

static inline pid_t kid(void (*play)(void))
{
    pid_t pid = fork();
    if (pid < 0)
        _exit(9);
    if (pid > 0)
        return pid;
    play();
    _exit(0);
}

static inline void leaf(void)
{
    step();
}
