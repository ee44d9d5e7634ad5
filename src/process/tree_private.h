/* tree_private.h - files of a process in /proc, which process/job.c and process/tracking.c read, too; and the
 * state of a tree. */
#pragma once

#include "base/map.h"
#include "base/mem.h"
#include "base/text.h"
#include "process/tree.h"

#include <dirent.h>

/* What a machine that lies tells adds up without an overflow; nothing is taken off. */
static inline int64_t smi_tree_sum(int64_t a, smi_i128 more)
{
    const int64_t most = INT64_MAX / 8;
    return more < 0 ? a : a + more > most ? most : (int64_t)(a + more);
}

/* ---- files of a process ---- */

enum { SMI_TREE_PATH = 512, SMI_TREE_LINE = 4096, SMI_TREE_BUF = 65536 };

/* What a line of /proc/PID/stat tells. */
struct smi_tree_stat {
    char state;
    int32_t ppid, session;
    int64_t own, children; /* ticks: utime + stime, cutime + cstime */
    int64_t threads, start;
    uint64_t stack; /* where the stack of the program begins: a child has that of its parent until exec; 0:
                       unknown */
    uint64_t
        memory; /* a sum over its page faults, its size and its resident pages: another one if they changed */
    int64_t faults; /* minor ones: a page that a fork writes is one */
    char comm[SMI_TREE_COMM];
};

struct smi_tree_pages {
    int64_t resident, shared;
};

/* A whole line of stat: false if it is torn, or holds what no kernel writes. */
bool smi_tree_stat_line(struct smi_text t, struct smi_tree_stat *s);
/* The same of a process of this machine; false, too, where it may not be read. */
bool smi_tree_stat_pid(pid_t pid, struct smi_tree_stat *s);
bool smi_tree_statm_line(struct smi_text t, struct smi_tree_pages *p);
/* The NSpid line of status, all but the first number. Returns how many there are, at most SMI_TREE_INNER. */
int smi_tree_inner_pids(struct smi_text t, int32_t pid[SMI_TREE_INNER]);

enum smi_tree_read_result {
    SMI_TREE_GOT,
    SMI_TREE_GONE,   /* there is no such process */
    SMI_TREE_DENIED, /* it may not be read */
    SMI_TREE_UNREAD  /* no descriptor, no whole line: nothing is known */
};

/* ---- mapped paths ---- */

/* The largest of what the parts share of each path, which is known by its hash alone. */
struct smi_tree_path {
    uint64_t key;
    int64_t of[2];
};

struct smi_tree_table {
    struct smi_tree_path *list;
    size_t n, cap;
    struct smi_map map;
};

void smi_tree_table_fini(struct smi_tree_table *t);

/* smaps in pieces: its whole lines, one after the other. */
struct smi_tree_smaps {
    struct smi_tree_table *paths; /* of[0]: what is shared */
    int64_t private_;
    uint64_t key;   /* of the mapping that is read now, */
    int64_t shared; /* and what it shares */
    bool any;       /* a kernel thread has none */
};
void smi_tree_smaps_line(struct smi_tree_smaps *s, struct smi_text line);
void smi_tree_smaps_end(struct smi_tree_smaps *s);

/* ---- members ---- */

enum smi_tree_memory { SMI_TREE_NEVER, SMI_TREE_READ, SMI_TREE_REFUSED, SMI_TREE_NO_MEMORY };

struct smi_tree_member {
    int32_t pid;
    bool main, alive, gone;
    bool told; /* the reaper has waited for it: */
    int64_t told_us;
    struct smi_tree_stat is; /* as it was read last; own and children: the most that was read */
    int64_t children_before;
    int64_t owed;   /* ticks that those had who have gone, and that it should have waited for */
    int64_t since;  /* the number of the sample that found it */
    int inner_pids; /* -1: not read yet */
    int32_t inner[SMI_TREE_INNER];
    enum smi_tree_memory memory;
    struct smi_tree_pages now, then; /* then: when smaps was read */
    int64_t read_in;                 /* the sample of that */
    bool stale;                  /* a child came or went: pages are shared that were not, or the other way */
    int64_t private_;            /* bytes, as they were read, */
    int64_t anonymous, faulted;  /* with so many pages, and faults until then */
    bool counted;                /* private_ is known, be it from smaps_rollup alone */
    struct smi_tree_path *share; /* of[0]: bytes */
    size_t shares, share_cap;
};

/* A process of the machine that was looked at. */
struct smi_tree_pid {
    int32_t pid;
    uint64_t ino; /* of its directory: another one is another process; 0: to be looked at again */
};

/* A process that is looked at for the first time. */
struct smi_tree_candidate {
    int32_t pid;
    bool done;
    struct smi_tree_stat is;
};

/* For readings that a change asks for, for those that nothing asks for, and for forks. */
enum { SMI_TREE_BUDGET_MUST, SMI_TREE_BUDGET_REFRESH, SMI_TREE_BUDGET_FORKS, SMI_TREE_BUDGETS };

struct smi_tree {
    struct smi_tree_opts o; /* main: the process, where a thread was given */
    DIR *dir;
    int64_t tick_us, page;
    int64_t samples, at_us;
    char *buf;

    struct smi_tree_member *member; /* in the order in which they were found: parents before their children */
    size_t members, member_cap;
    struct smi_map by_pid;
    struct smi_tree_pids {
        struct smi_tree_pid *list; /* by pid */
        size_t n, cap;
    } known, fresh; /* the second is in the making */
    struct smi_tree_candidate *candidate;
    size_t candidates, candidate_cap;
    size_t turn; /* of the known ones that are looked at again */
    int beyond;

    int64_t gone_us;                 /* time of those that have gone */
    int64_t main_us;                 /* main's own */
    int64_t base_us[SMI_TREE_PARTS]; /* before tracking began */
    int64_t cpu_us[SMI_TREE_PARTS];  /* of the last sample */
    bool had_main, had_children;     /* ever */
    bool main_before, any_before;    /* at the last sample */

    int64_t tokens_ns[SMI_TREE_BUDGETS]; /* CPU time that smaps and smaps_rollup may still take */
    size_t turns[SMI_TREE_BUDGETS];
    bool dirty; /* sums over paths are to be made anew */
    struct smi_tree_table paths, each;
    int64_t shared[SMI_TREE_PARTS];
};
