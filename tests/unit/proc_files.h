/* proc_files.h - a directory p in the shape of /proc, for tests of the tree of processes. */
#pragma once

#include "process/tree.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char home[] = "/tmp/smilog-test-tree-XXXXXX";
static int64_t now;

static int enter(void **unused)
{
    (void)unused;
    alarm(120);
    return !mkdtemp(home) || chdir(home) != 0;
}

static int leave(void **unused)
{
    (void)unused;
    return system("rm -rf p") != 0 || chdir("/") != 0 || rmdir(home) != 0;
}

static int fresh(void **unused)
{
    (void)unused;
    now = 1000000;
    return system("rm -rf p") != 0 || mkdir("p", 0755) != 0;
}

static void put(int pid, const char *name, const char *text)
{
    char path[128];
    FILE *f;
    snprintf(path, sizeof path, "p/%d", pid);
    mkdir(path, 0755);
    snprintf(path, sizeof path, "p/%d/%s", pid, name);
    f = fopen(path, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

/* What a process is; text that is not given is that of a plain one. */
struct proc {
    int pid, ppid, session;
    const char *comm;
    char state;
    int64_t own, children, threads, start, rss;
    const char *stack;
};

static void put_proc(struct proc p)
{
    char text[600];
    snprintf(text, sizeof text,
             "%d (%s) %c %d %d %d 34816 -1 4194304 %lld 0 0 0 %lld 0 %lld 0 20 0 %lld 0 %lld 3133440 %lld "
             "18446744073709551615 94000000000000 94000000010000 %s 0 0 0 0 0 0 0 0 0 17 1 0 0\n",
             p.pid, p.comm ? p.comm : "a", p.state ? p.state : 'S', p.ppid, p.session, p.session,
             (long long)p.rss, (long long)p.own, (long long)p.children,
             (long long)(p.threads ? p.threads : 1), (long long)p.start, (long long)p.rss,
             p.stack ? p.stack : "140720000000000");
    put(p.pid, "stat", text);
}

static inline void put_statm(int pid, int resident, int shared)
{
    char text[100];
    snprintf(text, sizeof text, "9999 %d %d 5 0 123 0\n", resident, shared);
    put(pid, "statm", text);
}

static void end(int pid)
{
    char text[64];
    snprintf(text, sizeof text, "rm -r p/%d", pid);
    assert_int_equal(system(text), 0);
}

static struct smi_tree *open_at(int main, int reaper)
{
    struct smi_tree_opts o = {.proc = "p", .main = main, .reaper = reaper};
    struct smi_tree *t = smi_tree_open(&o);
    assert_non_null(t);
    return t;
}

/* A second later. */
static struct smi_tree_sample look(struct smi_tree *t)
{
    struct smi_tree_sample s;
    now += 1000000;
    smi_tree_read(t, now, &s);
    return s;
}

static void are(const struct smi_tree_sample *s, int64_t main, int64_t descendants)
{
    assert_int_equal(s->of[SMI_TREE_OF_MAIN].processes, main);
    assert_int_equal(s->of[SMI_TREE_OF_DESCENDANTS].processes, descendants);
    assert_int_equal(s->of[SMI_TREE_OF_ALL].processes, main + descendants);
}

static inline void is_named(struct smi_tree *t, int pid, const char *comm)
{
    struct smi_tree_process p;
    size_t at = 0;
    while (smi_tree_next(t, &at, &p))
        if (p.pid == pid) {
            assert_string_equal(p.comm, comm);
            return;
        }
    fail_msg("%d is not there", pid);
}
