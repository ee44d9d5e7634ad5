/* The processes of the machine. /proc lists them by pid, and with each the inode of its directory, which is
 * made anew for each process: so a pid that is used again is seen without reading anything. As nobody
 * promises that, some of the others are looked at again with every sample too. */
#include "process/tree_private.h"

enum { AGAIN = 16 };

static int compare_pids(const void *a, const void *b)
{
    const struct smi_tree_pid *x = a, *y = b;
    return (x->pid > y->pid) - (x->pid < y->pid);
}

const struct smi_tree_pid *smi_tree_pid(const struct smi_tree *t, int64_t pid)
{
    size_t low = 0, high = t->knowns;
    while (low < high) {
        size_t mid = (low + high) / 2;
        if (t->known[mid].pid == pid)
            return &t->known[mid];
        if (t->known[mid].pid < pid)
            low = mid + 1;
        else
            high = mid;
    }
    return NULL;
}

/* "23435", or 0: another file */
static int32_t pid_of(const char *name)
{
    int64_t v = 0;
    for (; *name; name++) {
        if (*name < '0' || *name > '9')
            return 0;
        v = v * 10 + (*name - '0');
        if (v > INT32_MAX)
            return 0;
    }
    return (int32_t)v;
}

/* What is there now, by pid, into fresh. */
static int stat_pid(struct smi_tree *t)
{
    struct dirent *e;
    t->freshs = 0;
    rewinddir(t->dir);
    while ((e = readdir(t->dir))) {
        int32_t pid = pid_of(e->d_name);
        if (!pid)
            continue;
        if (t->freshs == SMI_TREE_PIDS) {
            t->beyond++;
            continue;
        }
        if (smi_mem_reserve(&t->fresh, &t->fresh_cap, t->freshs + 1, sizeof *t->fresh))
            return -1;
        t->fresh[t->freshs++] = (struct smi_tree_pid){.pid = pid, .ino = e->d_ino};
    }
    if (t->freshs)
        smi_sort(t->fresh, t->freshs, sizeof *t->fresh, compare_pids);
    return 0;
}

/* Sessions of those that were known, and are there still; the others become candidates. */
static int merge_pids(struct smi_tree *t)
{
    size_t old = 0;
    t->candidates = 0;
    for (size_t i = 0; i < t->freshs; i++) {
        struct smi_tree_pid *k = &t->fresh[i];
        while (old < t->knowns && t->known[old].pid < k->pid)
            old++;
        if (old < t->knowns && t->known[old].pid == k->pid && t->known[old].ino == k->ino) {
            k->session = t->known[old].session;
            continue;
        }
        if (smi_mem_reserve(&t->candidate, &t->candidate_cap, t->candidates + 1, sizeof *t->candidate))
            return -1;
        t->candidate[t->candidates++] = (struct smi_tree_candidate){.known = i, .pid = k->pid, .start = -1};
    }
    return 0;
}

/* Those whose turn it is. */
static int recheck_some(struct smi_tree *t)
{
    size_t n = t->freshs < AGAIN ? t->freshs : AGAIN;
    for (size_t i = 0; i < n; i++) {
        size_t at = t->turn++ % t->freshs;
        if (smi_mem_reserve(&t->candidate, &t->candidate_cap, t->candidates + 1, sizeof *t->candidate))
            return -1;
        if (!smi_tree_member(t, t->fresh[at].pid)) /* those are read anyway */
            t->candidate[t->candidates++] =
                (struct smi_tree_candidate){.known = at, .pid = t->fresh[at].pid, .start = -1};
    }
    return 0;
}

/* ---- children of the reaper that are none of ours ---- */

static void drop_pid(struct smi_tree *t, int i)
{
    memmove(&t->stranger[i], &t->stranger[i + 1], (size_t)(t->strangers - i - 1) * sizeof *t->stranger);
    t->strangers--;
}

/* A pid is used again when the session that it led is over, too, and not before. */
static void update_strangers(struct smi_tree *t, const struct smi_tree_candidate *c)
{
    for (int i = t->strangers - 1; i >= 0; i--) {
        struct smi_tree_stranger *s = &t->stranger[i];
        if (s->pid != c->pid || s->start == c->start)
            continue;
        if (s->start < 0 && !s->gone)
            s->start = c->start;
        else
            drop_pid(t, i);
    }
}

int smi_tree_list_pids(struct smi_tree *t)
{
    struct smi_tree_pid *known;
    size_t cap;
    if (stat_pid(t) || merge_pids(t) || recheck_some(t))
        return -1;
    known = t->fresh;
    cap = t->fresh_cap;
    t->fresh = t->known;
    t->fresh_cap = t->known_cap;
    t->known = known;
    t->known_cap = cap;
    t->knowns = t->freshs;
    for (size_t i = 0; i < t->candidates; i++) {
        struct smi_tree_candidate *c = &t->candidate[i];
        struct smi_tree_stat s;
        enum smi_tree_read_result got = smi_tree_stat_of(t, c->pid, -1, &s);
        c->done = got != SMI_TREE_GOT;
        if (c->done) {
            if (got != SMI_TREE_DENIED)
                t->known[c->known].ino = 0; /* there may be descriptors again */
            continue;
        }
        c->ppid = s.ppid;
        c->session = s.session;
        c->start = s.start;
        t->known[c->known].session = s.session;
        update_strangers(t, c);
    }
    return 0;
}

bool smi_tree_is_stranger(const struct smi_tree *t, int32_t pid, int64_t start, int32_t session)
{
    for (int i = 0; i < t->strangers; i++) {
        const struct smi_tree_stranger *s = &t->stranger[i];
        if (s->pid == pid ? s->start == start : s->pid == session)
            return true;
    }
    return false;
}

int smi_tree_not_ours(struct smi_tree *t, pid_t pid)
{
    struct smi_tree_stat s;
    enum smi_tree_read_result got = smi_tree_stat_of(t, pid, -1, &s);
    for (int i = t->strangers - 1; i >= 0; i--)
        if (t->stranger[i].pid == pid)
            drop_pid(t, i); /* it has ended, and its pid is used again */
    for (int i = 0; i < t->strangers && t->strangers == SMI_TREE_STRANGERS; i++)
        if (t->stranger[i].gone)
            drop_pid(t, i);
    if (t->strangers == SMI_TREE_STRANGERS)
        return -1;
    t->stranger[t->strangers++] = (struct smi_tree_stranger){
        .pid = pid, .start = got == SMI_TREE_GOT ? s.start : -1, .gone = got == SMI_TREE_GONE};
    return 0;
}

static bool session_lives(const struct smi_tree *t, int32_t session)
{
    for (size_t i = 0; i < t->knowns; i++)
        if (t->known[i].session == session)
            return true;
    return false;
}

/* One that has ended is remembered as long as somebody of its session lives. */
void smi_tree_strangers_age(struct smi_tree *t)
{
    for (int i = t->strangers - 1; i >= 0; i--) {
        struct smi_tree_stranger *s = &t->stranger[i];
        if (s->gone && !session_lives(t, s->pid))
            drop_pid(t, i);
        else
            s->gone = s->gone || !smi_tree_pid(t, s->pid);
    }
}
