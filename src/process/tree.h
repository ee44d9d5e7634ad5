/* tree.h - a process and everything that it started, found in /proc and measured: memory, CPU time, threads.
 *
 * Who belongs. Every sample lists /proc once. A process belongs if its parent is one that belongs, and that
 * is seen alive after the child was read; or if its parent is the reaper (orphans come to a subreaper), and
 * neither it nor the leader of its session is a stranger; or if main leads its session. It belongs until it
 * ends, whatever its parent is then. A process is its pid and its start time: exec does not
 * change it, and a stranger with the pid of a dead one is none of ours. Without a reaper, other orphans that
 * lost their parent before they were first seen are not found.
 *
 * CPU time is that of the whole interval, also of children that lived between two samples: what the kernel
 * counts for a process (utime, stime) and for children that it waited for (cutime, cstime), and what
 * smi_tree_reaped is told. Time is lost where nobody waits for a process (its parent ignores SIGCHLD, or init
 * takes it): then what was last seen of it stays counted, and of one that was never seen nothing is. One
 * reading is exact to two ticks (10 ms each): /proc/PID/schedstat is finer, but tells of one thread only.
 *
 * Memory is that of gpu_tracker, from /proc/PID/smaps: private is the sum of Private_Clean, Private_Dirty and
 * Private_Hugetlb; shared is, for each path that is mapped ("[anon]" where there is none), the largest of
 * Shared_Clean + Shared_Dirty + Shared_Hugetlb of all its mappings in all processes of the part, summed over
 * the paths. What two parts share counts once in all. " (deleted)" is taken off each path: whether a file has
 * that name is not asked, for the file system may hang. smaps is slow: it may take 0.25 % of a core. A
 * process is read when it is first seen, when /proc/PID/statm has changed, and when a child of it came or
 * went, all others in turn, as far as that goes; those first that have changed by more than an eighth, for
 * which 20 ms may be borrowed from the time to come. Else its last reading is carried on by the change of
 * statm, and it counts in `estimated` if there was one: private by that of resident - shared; shared of a
 * part by the largest change of shared, for its processes mostly share the same. One that could not be read
 * yet counts with resident - shared as private; if it was forked, and has not called exec, with what it has
 * more than its parent: the rest they share. statm alone never stands for a process that may not be read.
 *
 * A fork that writes what it shares with its parent has pages of its own, of which statm says nothing, but
 * each is a fault: those that may have many are read from /proc/PID/smaps_rollup, which is a third of the
 * work, for up to 1 % of a core. What they may have beyond that is `unread`: the memory is at least what is
 * told. */
#pragma once

#include "base/err.h"

#include <stdbool.h>
#include <sys/types.h>

enum {
    SMI_TREE_MEMBERS = 65536, /* processes that are followed; more are counted as beyond */
    SMI_TREE_PIDS = 1 << 20,  /* processes of the machine that are looked at */
    SMI_TREE_PATHS = 4096,    /* mapped paths of one process; of all others the largest mapping counts */
    SMI_TREE_INNER = 4,       /* PID namespaces below ours in which a process is known by its pid there */
    SMI_TREE_COMM = 32
};

enum smi_tree_part { SMI_TREE_OF_MAIN, SMI_TREE_OF_DESCENDANTS, SMI_TREE_OF_ALL, SMI_TREE_PARTS };

struct smi_tree_ram {
    int64_t total, private_, shared; /* bytes */
};

struct smi_tree_usage {
    bool has_ram; /* absent is not 0: no process lives, or none of them may be read; of descendants, if main
                   * lives and has none, it is 0 */
    bool has_cpu; /* absent in the first sample, and where no process lived at this sample or that before */
    struct smi_tree_ram ram;    /* of those that may be read */
    double cpu_pct;             /* of one core, over the time since the sample before */
    int64_t threads, processes; /* alive: zombies are none */
};

struct smi_tree_sample {
    int64_t t_us; /* as given */
    struct smi_tree_usage of[SMI_TREE_PARTS];
    int64_t cpu_us[SMI_TREE_PARTS]; /* since tracking began; never falls. Without reaper it begins at the
                                     * first sample, with one at the start of main */
    int estimated;                  /* processes whose memory has changed, but is carried on from statm */
    int64_t unread;                 /* bytes that forks may have of their own, and that no reading knows */
    int denied;                     /* processes whose memory may not be read, with */
    int hidden;                     /* children of those that are seen that proc does not show (hidepid) */
    int beyond;                     /* processes that would belong, or might, but for the limits above */
    bool main_alive;                /* a zombie is not */
};

struct smi_tree_opts {
    const char *proc; /* borrowed; NULL: "/proc" */
    pid_t main;       /* as proc names it; a thread stands for its process */
    pid_t reaper; /* whose child main is, and to which all orphans of the tree come: ours, as a subreaper; or
                     0 */
    /* Or NULL. Is this process, or what leads its session, none of the tree, whose child it may be (a monitor
     * of ours)? Asked when it is looked at for the first time. */
    bool (*stranger)(const void *self, pid_t pid, pid_t session);
    const void *self;
};

struct smi_tree;
/* Begins with main, which is known from now on by its start time too. If proc does not show it (it has ended,
 * or hidepid hides it), the tree stays empty and every value absent. */
struct smi_tree *smi_tree_open(const struct smi_tree_opts *o);
/* The reaper has waited for a process of the tree (main or an orphan), told before the next sample: its CPU
 * time with that of the children that it had waited for, as wait4 has it. A sample of main's zombie, before
 * it is waited for, tells exactly what was main's own; else what came after the last sample counts for the
 * descendants, if there ever were any. */
void smi_tree_reaped(struct smi_tree *t, pid_t pid, int64_t cpu_us);
/* Takes a sample. now_us: any clock that never steps. */
void smi_tree_read(struct smi_tree *t, int64_t now_us, struct smi_tree_sample *out);

/* One process of the tree, alive at the last sample. */
struct smi_tree_process {
    pid_t pid; /* as proc names it */
    bool main;
    bool inner; /* of smi_tree_candidate_process: it has the pid that is sought in an inner PID namespace
                 * (NSpid of /proc/PID/status, read once a process) */
    char comm[SMI_TREE_COMM]; /* of smi_tree_next: as it is: any bytes */
};
/* Each of those that a pid may mean which another program prints, that which proc names so first: *at begins
 * with 0. False at the end. */
bool smi_tree_candidate_process(struct smi_tree *t, int64_t pid, size_t *at, struct smi_tree_process *m);

enum smi_tree_name_matches { SMI_TREE_NAME_UNKNOWN, SMI_TREE_NAMED_SO, SMI_TREE_NAMED_OTHERWISE };
/* Is a process that proc names so, of the tree or not, called as nvidia-smi prints it? Unknown: it is not
 * there, may not be seen, or there is no name. */
enum smi_tree_name_matches smi_tree_name_matches(struct smi_tree *t, pid_t pid, const char *name);

/* The processes that are alive, those first that were found first: *at begins with 0. False at the end. */
bool smi_tree_next(const struct smi_tree *t, size_t *at, struct smi_tree_process *p);
void smi_tree_close(struct smi_tree *t);
