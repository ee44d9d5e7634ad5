/* Those that belong. A descriptor of /proc/PID/stat that is open tells of one process only: ESRCH once it has
 * gone, the process that has its pid then. Without one the start time says the same. */
#include "formats/column.h"
#include "process/tree_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- the processes of the machine ---- */

/* The processes of the machine. /proc lists them by pid, and with each the inode of its directory, which is
 * made anew for each process: so a pid that is used again is seen without reading anything. As nobody
 * promises that, some of the others are looked at again with every sample too. */

enum { AGAIN = 16 };

static int compare_pids(const void *a, const void *b)
{
    const struct smi_tree_pid *x = a, *y = b;
    return (x->pid > y->pid) - (x->pid < y->pid);
}

const struct smi_tree_pid *smi_tree_pid(const struct smi_tree *t, int64_t pid)
{
    const struct smi_tree_pid wanted = {.pid = (int32_t)pid};
    return t->knowns && pid == wanted.pid ? bsearch(&wanted, t->known, t->knowns, sizeof wanted, compare_pids)
                                          : NULL;
}

/* What is there now, by pid, into fresh. */
static void stat_pid(struct smi_tree *t)
{
    struct dirent *e;
    t->freshs = 0;
    rewinddir(t->dir);
    while ((e = readdir(t->dir))) {
        int64_t pid = smi_cell_digits(smi_text_of(e->d_name), SMI_CELL_DIGITS);
        if (pid <= 0 || pid > INT32_MAX) /* another file */
            continue;
        if (t->freshs == SMI_TREE_PIDS) {
            t->beyond++;
            continue;
        }
        smi_mem_reserve(&t->fresh, &t->fresh_cap, t->freshs + 1, sizeof *t->fresh);
        t->fresh[t->freshs++] = (struct smi_tree_pid){.pid = (int32_t)pid, .ino = e->d_ino};
    }
    if (t->freshs)
        smi_sort(t->fresh, t->freshs, sizeof *t->fresh, compare_pids);
}

/* Sessions of those that were known, and are there still; the others become candidates. */
static void merge_pids(struct smi_tree *t)
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
        smi_mem_reserve(&t->candidate, &t->candidate_cap, t->candidates + 1, sizeof *t->candidate);
        t->candidate[t->candidates++] = (struct smi_tree_candidate){.known = i, .pid = k->pid, .start = -1};
    }
}

/* ---- children of the reaper that are none of ours ---- */

static void drop_pid(struct smi_tree *t, int i)
{
    memmove(&t->stranger[i], &t->stranger[i + 1], (size_t)(t->strangers - i - 1) * sizeof *t->stranger);
    t->strangers--;
}

void smi_tree_list_pids(struct smi_tree *t)
{
    struct smi_tree_pid *known;
    size_t cap;
    stat_pid(t);
    merge_pids(t);
    for (size_t i = 0; i < t->freshs && i < AGAIN; i++) { /* those whose turn it is */
        size_t at = t->turn++ % t->freshs;
        smi_mem_reserve(&t->candidate, &t->candidate_cap, t->candidates + 1, sizeof *t->candidate);
        if (!smi_tree_member(t, t->fresh[at].pid)) /* those are read anyway */
            t->candidate[t->candidates++] =
                (struct smi_tree_candidate){.known = at, .pid = t->fresh[at].pid, .start = -1};
    }
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
        /* A pid is used again when the session that it led is over, too, and not before. */
        for (int k = t->strangers - 1; k >= 0; k--) {
            struct smi_tree_stranger *other = &t->stranger[k];
            if (other->pid == c->pid && other->start < 0 && !other->gone)
                other->start = c->start;
            else if (other->pid == c->pid && other->start != c->start)
                drop_pid(t, k);
        }
    }
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

/* One that has ended is remembered as long as somebody of its session lives. */
void smi_tree_strangers_age(struct smi_tree *t)
{
    for (int i = t->strangers - 1; i >= 0; i--) {
        struct smi_tree_stranger *s = &t->stranger[i];
        bool lives = !s->gone;
        for (size_t k = 0; k < t->knowns && !lives; k++)
            lives = t->known[k].session == s->pid;
        s->gone = s->gone || !smi_tree_pid(t, s->pid);
        if (!lives)
            drop_pid(t, i);
    }
}

enum { STAT, STATM };

static bool has_pid(const void *list, size_t place, const void *pid)
{
    return ((const struct smi_tree_member *)list)[place].pid == *(const int64_t *)pid;
}

struct smi_tree_member *smi_tree_member(const struct smi_tree *t, int64_t pid)
{
    size_t i = smi_map_find(&t->by_pid, smi_hash_number((uint64_t)pid), has_pid, t->member, &pid);
    return i == SMI_MAP_NONE ? NULL : &t->member[i];
}

/* ---- reading ---- */

int smi_tree_file(const struct smi_tree *t, int32_t pid, const char *name)
{
    char path[SMI_TREE_PATH];
    int fd;
    snprintf(path, sizeof path, "%s/%d/%s", t->proc, (int)pid, name);
    do
        fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    while (fd < 0 && errno == EINTR);
    return fd;
}

struct smi_text smi_tree_text(struct smi_tree *t, int32_t pid, const char *name, size_t n)
{
    int fd = smi_tree_file(t, pid, name);
    ssize_t got = fd < 0 ? 0 : pread(fd, t->buf, n, 0);
    if (fd >= 0)
        close(fd);
    return (struct smi_text){t->buf, got > 0 ? (size_t)got : 0};
}

static enum smi_tree_read_result read_error(void)
{
    if (errno == ENOENT || errno == ESRCH)
        return SMI_TREE_GONE;
    return errno == EACCES || errno == EPERM ? SMI_TREE_DENIED : SMI_TREE_UNREAD;
}

/* A small file, by the descriptor if there is one. */
static enum smi_tree_read_result read_proc_file(struct smi_tree *t, int32_t pid, int fd, const char *name,
                                                struct smi_text *to)
{
    int own = fd < 0 ? smi_tree_file(t, pid, name) : fd;
    enum smi_tree_read_result got = SMI_TREE_GOT;
    ssize_t n;
    if (own < 0)
        return read_error();
    do
        n = pread(own, t->buf, SMI_TREE_LINE, 0);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        got = read_error();
    if (fd < 0)
        close(own);
    *to = (struct smi_text){t->buf, n > 0 ? (size_t)n : 0};
    return got;
}

enum smi_tree_read_result smi_tree_stat_of(struct smi_tree *t, int32_t pid, int fd, struct smi_tree_stat *s)
{
    struct smi_text line;
    enum smi_tree_read_result got = read_proc_file(t, pid, fd, "stat", &line);
    if (got == SMI_TREE_GOT && !smi_tree_stat_line(line, s))
        return SMI_TREE_UNREAD;
    return got;
}

/* A leader that has ended is a zombie while other threads go on. */
static bool is_alive(const struct smi_tree_stat *s)
{
    return (s->state != 'Z' && s->state != 'X' && s->state != 'x') || s->threads > 1;
}

static void take_stat(struct smi_tree_member *m, const struct smi_tree_stat *s)
{
    m->ppid = s->ppid;
    m->alive = is_alive(s);
    m->own = s->own > m->own ? s->own : m->own;
    m->children = s->children > m->children ? s->children : m->children;
    m->threads = s->threads;
    m->stack = s->stack;
    m->moved = s->memory;
    m->faults = s->faults;
    memcpy(m->comm, s->comm, sizeof m->comm);
}

/* statm, if its descriptor is open or the pid still is the same process's after it was read. */
static void read_pages(struct smi_tree *t, struct smi_tree_member *m)
{
    struct smi_tree_pages pages;
    struct smi_tree_stat again;
    struct smi_text line;
    if (read_proc_file(t, m->pid, m->fd[STATM], "statm", &line) != SMI_TREE_GOT ||
        !smi_tree_statm_line(line, &pages))
        return;
    if (m->fd[STATM] < 0 &&
        (smi_tree_stat_of(t, m->pid, m->fd[STAT], &again) != SMI_TREE_GOT || again.start != m->start))
        return;
    m->now = pages;
}

void smi_tree_members_read(struct smi_tree *t)
{
    for (size_t i = 0; i < t->members; i++) {
        struct smi_tree_member *m = &t->member[i];
        struct smi_tree_stat s;
        if (m->told)
            continue;
        enum smi_tree_read_result got = smi_tree_stat_of(t, m->pid, m->fd[STAT], &s);
        m->own_before = m->own;
        m->children_before = m->children;
        m->gone = got == SMI_TREE_GONE || (got == SMI_TREE_GOT && s.start != m->start) ||
                  (got != SMI_TREE_GOT && t->listed && !smi_tree_pid(t, m->pid));
        if (m->gone || got != SMI_TREE_GOT)
            continue;
        bool moved = s.memory != m->moved;
        t->dirty |= m->alive != is_alive(&s);
        take_stat(m, &s);
        if (moved && m->alive)
            read_pages(t, m);
    }
}

/* ---- joining and leaving ---- */

void smi_tree_member_fini(struct smi_tree *t, struct smi_tree_member *m)
{
    for (int i = STAT; i <= STATM; i++)
        if (m->fd[i] >= 0) {
            close(m->fd[i]);
            t->fds--;
        }
    smi_mem_free(m->share);
    memset(m, 0, sizeof *m);
}

bool smi_tree_join(struct smi_tree *t, int32_t pid, int64_t start)
{
    struct smi_tree_member *m, *parent;
    struct smi_tree_stat s;
    smi_mem_reserve(&t->member, &t->member_cap, t->members + 1, sizeof *t->member);
    m = &t->member[t->members];
    *m = (struct smi_tree_member){.pid = pid, .start = start, .since = t->samples, .inner_pids = -1};
    for (int i = STAT; i <= STATM; i++) { /* as far as there are enough descriptors */
        m->fd[i] = t->fds < t->fds_max ? smi_tree_file(t, pid, i == STAT ? "stat" : "statm") : -1;
        t->fds += m->fd[i] >= 0;
    }
    if (smi_tree_stat_of(t, pid, m->fd[STAT], &s) != SMI_TREE_GOT || s.start != start) {
        smi_tree_member_fini(t, m);
        return false;
    }
    take_stat(m, &s);
    read_pages(t, m);
    smi_map_add(&t->by_pid, smi_hash_number((uint64_t)(int64_t)pid), t->members++);
    t->dirty = true;
    parent = smi_tree_member(t, m->ppid);
    if (parent)
        parent->stale = true;
    return true;
}

/* Is it a child of one that is a member, or of the reaper, or in the session that main leads? A session is
 * entered by being forked in it alone: all of it were started by main, or by what that started. The members
 * were read after the candidates were. */
static bool is_in_tree(const struct smi_tree *t, const struct smi_tree_candidate *c)
{
    const struct smi_tree_member *parent = smi_tree_member(t, c->ppid),
                                 *main = c->session == t->main ? smi_tree_member(t, t->main) : NULL;
    for (int i = 0; i < t->strangers; i++) {
        const struct smi_tree_stranger *s = &t->stranger[i];
        if (s->pid == c->pid ? s->start == c->start : s->pid == c->session)
            return false;
    }
    return (parent && parent->start <= c->start) || (t->reaper && c->ppid == t->reaper) ||
           (main && main->main && main->start <= c->start);
}

/* Its pid is to be looked at again: it has gone, or there is no room for it. */
static void recheck_pid(struct smi_tree *t, int32_t pid)
{
    const struct smi_tree_pid *k = smi_tree_pid(t, pid);
    if (k)
        t->known[k - t->known].ino = 0;
}

static void adopt_one(struct smi_tree *t, struct smi_tree_candidate *c)
{
    const struct smi_tree_member *same = smi_tree_member(t, c->pid);
    const bool known = same && same->start == c->start;
    if (!known && !is_in_tree(t, c))
        return;
    c->done = true;
    if (known)
        return;
    t->beyond += t->members == SMI_TREE_MEMBERS;
    if (t->members == SMI_TREE_MEMBERS || !smi_tree_join(t, c->pid, c->start))
        recheck_pid(t, c->pid);
    else if (c->pid == t->main && !t->had_main)
        t->had_main = t->member[t->members - 1].main = true;
    else
        t->had_children = true;
}

/* As often as there is a generation more. */
void smi_tree_adopt(struct smi_tree *t)
{
    size_t before;
    bool more;
    do {
        before = t->members;
        for (size_t i = 0; i < t->candidates; i++)
            if (!t->candidate[i].done)
                adopt_one(t, &t->candidate[i]);
    } while (t->members > before);
    /* One whose parent is not known any more, or not yet, is looked at again with the next sample: it has a
     * parent that is alive then. */
    do {
        more = false;
        for (size_t i = 0; i < t->candidates; i++) {
            struct smi_tree_candidate *c = &t->candidate[i];
            const struct smi_tree_pid *parent = smi_tree_pid(t, c->ppid);
            if (c->done || c->ppid == 0 || (parent && parent->ino))
                continue;
            t->known[c->known].ino = 0;
            c->done = more = true;
        }
    } while (more);
}

/* Told ones have been waited for. */
void smi_tree_forget_gone(struct smi_tree *t)
{
    struct smi_tree_member *m, *parent;
    size_t n = 0;
    for (size_t i = 0; i < t->members; i++) {
        m = &t->member[i];
        if (!m->gone && !m->told)
            continue;
        parent = smi_tree_member(t, m->ppid);
        if (parent)
            parent->stale = true;
        recheck_pid(t, m->pid);
    }
    for (size_t i = 0; i < t->members; i++) {
        m = &t->member[i];
        if (m->gone || m->told) {
            t->dirty = true;
            smi_tree_member_fini(t, m);
        } else if (n++ < i) {
            t->member[n - 1] = *m;
        }
    }
    if (n == t->members)
        return;
    t->members = n;
    smi_map_clear(&t->by_pid);
    for (size_t i = 0; i < n; i++)
        smi_map_add(&t->by_pid, smi_hash_number((uint64_t)t->member[i].pid), i);
}
