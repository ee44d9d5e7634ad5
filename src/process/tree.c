/* tree.c - the processes of a command: samples of them all, from /proc/PID/stat. */
#include "process/tree.h"
#include "base/file.h"
#include "formats/column.h"
#include "live/host.h"
#include "process/tree_private.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* Lines as they are in /proc/PID:
 *
 *     stat    23435 (cat) R 23429 23435 23429 34816 23435 4194304 98 0 0 0 0 0 0 0 20 0 1 0 24112 3133440 380
 * ... statm   765 441 413 5 0 123 0 status  NSpid:	23435	17
 *
 * The name in stat may hold blanks and parentheses: it ends with the last ")". */

static int64_t at_least(int64_t least, int64_t v)
{
    return v > least ? v : least;
}

/* Digits up to the limit, or -1. */
static int64_t read_whole_number(struct smi_text t, int64_t limit)
{
    int64_t v = smi_cell_digits(t, SMI_CELL_DIGITS);
    return v > limit ? -1 : v;
}

bool smi_tree_stat_line(struct smi_text t, struct smi_tree_stat *s)
{
    /* behind the name, as proc_pid_stat(5) counts them: 3 to 9, 10 to 17, 18 to 28; kernels of long ago do
     * not have the last one */
    static const char fields[] = " %c %lld %*d %lld %*d %*d %*u"
                                 " %lld %*u %lld %*u %lld %lld %lld %lld"
                                 " %*d %*d %lld %*d %lld %lld %lld %*u %*u %*u %lld";
    /* times in ticks: 10^13 are 3,000 years of a CPU, and do not overflow as microseconds */
    static const long long ticks = 10000000000000;
    const char *open = t.n ? memchr(t.p, '(', t.n) : NULL;
    const char *close = open ? memrchr(open, ')', t.n - (size_t)(open - t.p)) : NULL;
    char rest[SMI_TREE_LINE];
    long long ppid, session, user, system, waited[2], threads, start, stack = 0,
                                                                      moves[4]; /* faults, memory */
    memset(s, 0, sizeof *s);
    if (!close || t.p[t.n - 1] != '\n')
        return false;
    smi_text_copy(s->comm, sizeof s->comm, smi_text_between(open + 1, close));
    smi_text_copy(rest, sizeof rest, smi_text_between(close + 1, t.p + t.n));
    if (sscanf(rest, fields, &s->state, &ppid, &session, &moves[0], &moves[1], &user, &system, &waited[0],
               &waited[1], &threads, &start, &moves[2], &moves[3], &stack) < 13)
        return false;
    const long long most[][2] = {{ppid, INT32_MAX}, {session, INT32_MAX},   {user, ticks},
                                 {system, ticks},   {waited[0], ticks},     {waited[1], ticks},
                                 {threads, ticks},  {start, INT64_MAX / 16}};
    for (size_t i = 0; i < sizeof most / sizeof *most; i++)
        if (most[i][0] < 0 || most[i][0] > most[i][1])
            return false;
    for (int i = 0; i < 4; i++) {
        s->memory = (s->memory ^ (uint64_t)moves[i]) * 0x9E3779B97F4A7C15u;
        s->memory ^= s->memory >> 32;
    }
    s->ppid = (int32_t)ppid;
    s->session = (int32_t)session;
    s->own = user + system;
    s->children = waited[0] + waited[1];
    s->threads = threads;
    s->start = start;
    s->stack = (uint64_t)stack;
    s->faults = moves[0] & INT64_MAX;
    return true;
}

bool smi_tree_stat_pid(pid_t pid, struct smi_tree_stat *s)
{
    char path[40], room[SMI_CGROUP_FILE / 4];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    return smi_tree_stat_line(smi_cgroup_read_file(path, room, sizeof room), s);
}

bool smi_tree_statm_line(struct smi_text t, struct smi_tree_pages *p)
{
    const int64_t most = INT64_C(1) << 40; /* 4 PiB */
    if (!t.n || t.p[t.n - 1] != '\n')
        return false;
    t.n--;
    smi_text_word(&t);
    p->resident = read_whole_number(smi_text_word(&t), most);
    p->shared = read_whole_number(smi_text_word(&t), most);
    return p->resident >= 0 && p->shared >= 0 && smi_text_word(&t).n;
}

int smi_tree_inner_pids(struct smi_text t, int32_t pid[SMI_TREE_INNER])
{
    struct smi_text line = {"", 0};
    int64_t v;
    int n = 0;
    while (smi_cgroup_line(&t, &line) && !smi_text_is(smi_text_word(&line), "NSpid:"))
        line.n = 0;
    smi_text_word(&line);
    while (n < SMI_TREE_INNER && (v = read_whole_number(smi_text_word(&line), INT32_MAX)) > 0)
        pid[n++] = (int32_t)v;
    return n;
}

/* ---- those that belong ---- */

static bool has_pid(const void *list, size_t place, const void *pid)
{
    return ((const struct smi_tree_member *)list)[place].pid == *(const int64_t *)pid;
}

static struct smi_tree_member *find_member(const struct smi_tree *t, int64_t pid)
{
    size_t i = smi_map_find(&t->by_pid, smi_hash_number((uint64_t)pid), has_pid, t->member, &pid);
    return i == SMI_MAP_NONE ? NULL : &t->member[i];
}

/* ---- reading ---- */

/* A pid that is used again is seen by its start time, which is read with every sample. */

static int open_proc_file(const struct smi_tree *t, int32_t pid, const char *name)
{
    char path[SMI_TREE_PATH];
    snprintf(path, sizeof path, "%s/%d/%s", t->o.proc, (int)pid, name);
    return open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
}

static enum smi_tree_read_result read_error(void)
{
    if (errno == ENOENT || errno == ESRCH)
        return SMI_TREE_GONE;
    return errno == EACCES || errno == EPERM ? SMI_TREE_DENIED : SMI_TREE_UNREAD;
}

/* A file of at most so many bytes. */
static enum smi_tree_read_result read_proc_file(struct smi_tree *t, int32_t pid, const char *name,
                                                size_t most, struct smi_text *to)
{
    const int fd = open_proc_file(t, pid, name);
    const ssize_t n = fd < 0 ? -1 : smi_file_read_at(fd, t->buf, most, 0, name, NULL);
    const enum smi_tree_read_result got = n < 0 ? read_error() : SMI_TREE_GOT;
    if (fd >= 0)
        close(fd);
    *to = (struct smi_text){t->buf, n > 0 ? (size_t)n : 0};
    return got;
}

static struct smi_text read_text(struct smi_tree *t, int32_t pid, const char *name, size_t n)
{
    struct smi_text text = {t->buf, 0};
    read_proc_file(t, pid, name, n, &text);
    return text;
}

static enum smi_tree_read_result read_stat(struct smi_tree *t, int32_t pid, struct smi_tree_stat *s)
{
    struct smi_text line;
    enum smi_tree_read_result got = read_proc_file(t, pid, "stat", SMI_TREE_LINE, &line);
    if (got == SMI_TREE_GOT && !smi_tree_stat_line(line, s))
        return SMI_TREE_UNREAD;
    return got;
}

/* A leader that has ended is a zombie while other threads go on. */
static bool is_alive(const struct smi_tree_stat *s)
{
    return (s->state != 'Z' && s->state != 'X' && s->state != 'x') || s->threads > 1;
}

/* What has been counted is never less than before. */
static void take_stat(struct smi_tree_member *m, const struct smi_tree_stat *s)
{
    const int64_t own = at_least(m->is.own, s->own), children = at_least(m->is.children, s->children);
    m->is = *s;
    m->is.own = own;
    m->is.children = children;
    m->alive = is_alive(s);
}

/* statm of a process whose stat has just been read. */
static void read_pages(struct smi_tree *t, struct smi_tree_member *m)
{
    struct smi_tree_pages pages;
    struct smi_text line;
    if (read_proc_file(t, m->pid, "statm", SMI_TREE_LINE, &line) == SMI_TREE_GOT &&
        smi_tree_statm_line(line, &pages))
        m->now = pages;
}

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

static const struct smi_tree_pid *find_pid(const struct smi_tree *t, int64_t pid)
{
    const struct smi_tree_pid wanted = {.pid = (int32_t)pid};
    return t->known.n && pid == wanted.pid
               ? bsearch(&wanted, t->known.list, t->known.n, sizeof wanted, compare_pids)
               : NULL;
}

/* Its pid is to be looked at again: it has gone, or has no room. */
static void recheck_pid(struct smi_tree *t, int32_t pid)
{
    const struct smi_tree_pid *k = find_pid(t, pid);
    if (k)
        t->known.list[k - t->known.list].ino = 0;
}

/* What is there now, by pid, into fresh. */
static void stat_pid(struct smi_tree *t)
{
    struct dirent *e;
    t->fresh.n = 0;
    rewinddir(t->dir);
    while ((e = readdir(t->dir))) {
        int64_t pid = smi_cell_digits(smi_text_of(e->d_name), SMI_CELL_DIGITS);
        if (pid <= 0 || pid > INT32_MAX) /* another file */
            continue;
        if (t->fresh.n == SMI_TREE_PIDS) {
            t->beyond++;
            continue;
        }
        *SMI_MEM_ADD(t->fresh.list, t->fresh.n, t->fresh.cap) =
            (struct smi_tree_pid){.pid = (int32_t)pid, .ino = e->d_ino};
    }
    if (t->fresh.n)
        smi_sort(t->fresh.list, t->fresh.n, sizeof *t->fresh.list, compare_pids);
}

/* Those that were not known become candidates. */
static void merge_pids(struct smi_tree *t)
{
    size_t old = 0;
    t->candidates = 0;
    for (size_t i = 0; i < t->fresh.n; i++) {
        struct smi_tree_pid *k = &t->fresh.list[i];
        while (old < t->known.n && t->known.list[old].pid < k->pid)
            old++;
        if (old < t->known.n && t->known.list[old].pid == k->pid && t->known.list[old].ino == k->ino)
            continue;
        *SMI_MEM_ADD(t->candidate, t->candidates, t->candidate_cap) =
            (struct smi_tree_candidate){.pid = k->pid};
    }
}

static void list_pids(struct smi_tree *t)
{
    stat_pid(t);
    merge_pids(t);
    for (size_t i = 0; i < t->fresh.n && i < AGAIN; i++) { /* those that are due */
        const int32_t pid = t->fresh.list[t->turn++ % t->fresh.n].pid;
        if (!find_member(t, pid)) /* those are read anyway */
            *SMI_MEM_ADD(t->candidate, t->candidates, t->candidate_cap) =
                (struct smi_tree_candidate){.pid = pid};
    }
    const struct smi_tree_pids before = t->known;
    t->known = t->fresh;
    t->fresh = before;
    for (size_t i = 0; i < t->candidates; i++) {
        struct smi_tree_candidate *c = &t->candidate[i];
        const enum smi_tree_read_result got = read_stat(t, c->pid, &c->is);
        c->done = got != SMI_TREE_GOT;
        if (c->done && got != SMI_TREE_DENIED)
            recheck_pid(t, c->pid); /* there may be descriptors again */
    }
}

static void read_members(struct smi_tree *t)
{
    for (size_t i = 0; i < t->members; i++) {
        struct smi_tree_member *m = &t->member[i];
        struct smi_tree_stat s;
        if (m->told)
            continue;
        enum smi_tree_read_result got = read_stat(t, m->pid, &s);
        m->children_before = m->is.children;
        m->gone = got == SMI_TREE_GONE || (got == SMI_TREE_GOT && s.start != m->is.start) ||
                  (got != SMI_TREE_GOT && t->dir && !find_pid(t, m->pid));
        if (m->gone || got != SMI_TREE_GOT)
            continue;
        bool moved = s.memory != m->is.memory;
        t->dirty |= m->alive != is_alive(&s);
        take_stat(m, &s);
        if (moved && m->alive)
            read_pages(t, m);
    }
}

/* ---- joining and leaving ---- */

static bool join_tree(struct smi_tree *t, int32_t pid, int64_t start)
{
    struct smi_tree_member *m, *parent;
    struct smi_tree_stat s;
    smi_mem_reserve(&t->member, &t->member_cap, t->members + 1, sizeof *t->member);
    m = &t->member[t->members];
    *m = (struct smi_tree_member){.pid = pid, .since = t->samples, .inner_pids = -1};
    if (read_stat(t, pid, &s) != SMI_TREE_GOT || s.start != start)
        return false;
    take_stat(m, &s);
    read_pages(t, m);
    smi_map_add(&t->by_pid, smi_hash_number((uint64_t)(int64_t)pid), t->members++);
    t->dirty = true;
    parent = find_member(t, m->is.ppid);
    if (parent)
        parent->stale = true;
    return true;
}

/* Is it a child of one that is a member, or of the reaper, or in the session that main leads? A session is
 * entered by being forked in it alone: all of it were started by main, or by what that started. The members
 * were read after the candidates were. */
static bool is_in_tree(const struct smi_tree *t, const struct smi_tree_candidate *c)
{
    const struct smi_tree_member *parent = find_member(t, c->is.ppid),
                                 *main = c->is.session == t->o.main ? find_member(t, t->o.main) : NULL;
    if (t->o.stranger && t->o.stranger(t->o.self, c->pid, c->is.session))
        return false;
    return (parent && parent->is.start <= c->is.start) || (t->o.reaper && c->is.ppid == t->o.reaper) ||
           (main && main->main && main->is.start <= c->is.start);
}

static void adopt_one(struct smi_tree *t, struct smi_tree_candidate *c)
{
    const struct smi_tree_member *same = find_member(t, c->pid);
    const bool known = same && same->is.start == c->is.start;
    if (!known && !is_in_tree(t, c))
        return;
    c->done = true;
    if (known)
        return;
    t->beyond += t->members == SMI_TREE_MEMBERS;
    if (t->members == SMI_TREE_MEMBERS || !join_tree(t, c->pid, c->is.start))
        recheck_pid(t, c->pid);
    else if (c->pid == t->o.main && !t->had_main)
        t->had_main = t->member[t->members - 1].main = true;
    else
        t->had_children = true;
}

/* As often as there is a generation more. */
static void adopt_candidates(struct smi_tree *t)
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
            const struct smi_tree_pid *parent = find_pid(t, c->is.ppid);
            if (c->done || c->is.ppid == 0 || (parent && parent->ino))
                continue;
            recheck_pid(t, c->pid);
            c->done = more = true;
        }
    } while (more);
}

/* Told ones have been waited for. */
static void forget_gone(struct smi_tree *t)
{
    struct smi_tree_member *m, *parent;
    size_t n = 0;
    for (size_t i = 0; i < t->members; i++) {
        m = &t->member[i];
        if (!m->gone && !m->told)
            continue;
        parent = find_member(t, m->is.ppid);
        if (parent)
            parent->stale = true;
        recheck_pid(t, m->pid);
    }
    for (size_t i = 0; i < t->members; i++) {
        m = &t->member[i];
        if (m->gone || m->told) {
            t->dirty = true;
            smi_mem_free(m->share);
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
/* ---- smaps of a process ---- */

/* /proc/PID/smaps, a line for each mapping and its figures below:
 *
 *     55bc8605d000-55bc86062000 r-xp 00002000 fe:00 247134                     /usr/bin/cat
 *     Size:                 20 kB
 *     Shared_Clean:         12 kB
 *     Private_Dirty:         8 kB
 *     VmFlags: rd ex mr mw me
 *
 * A path is known by a hash of 64 bits. That two of a tree have the same is less likely than that the memory
 * errs. */

enum { REST = 1 };

static void clear_table(struct smi_tree_table *t)
{
    t->n = 0;
    smi_map_clear(&t->map);
}

void smi_tree_table_fini(struct smi_tree_table *t)
{
    smi_mem_free(t->list);
    smi_map_fini(&t->map);
    *t = (struct smi_tree_table){0};
}

static bool has_key(const void *list, size_t place, const void *key)
{
    return ((const struct smi_tree_path *)list)[place].key == *(const uint64_t *)key;
}

static void raise_table(struct smi_tree_table *t, uint64_t key, int part, int64_t bytes)
{
    size_t i = smi_map_find(&t->map, key, has_key, t->list, &key);
    if (i == SMI_MAP_NONE) {
        i = t->n;
        smi_map_add(&t->map, key, i);
        *SMI_MEM_ADD(t->list, t->n, t->cap) = (struct smi_tree_path){.key = key};
    }
    t->list[i].of[part] = at_least(t->list[i].of[part], bytes);
}

/* ---- lines ---- */

/* The path stands behind addresses, rights, offset, device and inode. */
static uint64_t mapping_path(struct smi_text line)
{
    static const char gone[] = " (deleted)";
    uint64_t h;
    for (int i = 0; i < 5; i++)
        smi_text_word(&line);
    line = smi_text_trim(line);
    if (line.n > sizeof gone - 1 && !memcmp(line.p + line.n - (sizeof gone - 1), gone, sizeof gone - 1))
        line.n -= sizeof gone - 1;
    if (!line.n)
        line = smi_text_of("[anon]");
    h = smi_hash_bytes(line.p, line.n);
    return h > REST ? h : h + 2;
}

void smi_tree_smaps_end(struct smi_tree_smaps *s)
{
    if (s->shared > 0)
        raise_table(s->paths, s->paths->n < SMI_TREE_PATHS ? s->key : REST, 0, s->shared);
    s->shared = 0;
}

/* "Shared_Clean:         12 kB" */
void smi_tree_smaps_line(struct smi_tree_smaps *s, struct smi_text line)
{
    const bool shared = smi_text_starts_nocase(line, "Shared_");
    if (!line.n)
        return;
    if ((*line.p >= '0' && *line.p <= '9') || (*line.p >= 'a' && *line.p <= 'f')) {
        smi_tree_smaps_end(s);
        s->any = true;
        s->key = mapping_path(line);
    } else if (shared || smi_text_starts_nocase(line, "Private_")) { /* Clean, Dirty or Hugetlb */
        smi_text_word(&line);
        const int64_t kb = smi_cell_digits(smi_text_word(&line), SMI_CELL_DIGITS);
        int64_t *to = shared ? &s->shared : &s->private_;
        if (kb > 0 && kb < INT64_C(1) << 40)
            *to = smi_tree_sum(*to, kb * 1024);
    }
}

/* Of the CPU time of one core, in millionths; and what may be saved up, in nanoseconds. Readings that nothing
 * asks for have a share of their own, so that they never use up what is for those that have changed. For one
 * that has changed by more than a part in MUCH, time that is to come may be borrowed: its last reading says
 * little of it, and a value that is too high stays, as a maximum. */
enum { DEBT = 20000000, MUCH = 8 };
static const struct {
    int64_t share, saved;
} budgets[SMI_TREE_BUDGETS] = {[SMI_TREE_BUDGET_MUST] = {2500, 20000000},
                               [SMI_TREE_BUDGET_REFRESH] = {1000, 5000000},
                               [SMI_TREE_BUDGET_FORKS] = {10000, 100000000}};

static int64_t cpu_ns(void)
{
    struct timespec t = {0, 0};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* ---- reading ---- */

/* All lines of smaps. */
static void read_smaps_lines(struct smi_tree *t, int fd, struct smi_tree_smaps *s)
{
    size_t have = 0, done;
    for (;;) {
        const ssize_t n = smi_file_read_at(fd, t->buf + have, SMI_TREE_BUF - have, -1, "smaps", NULL);
        const char *lf;
        if (n <= 0) {
            smi_tree_smaps_end(s);
            return;
        }
        have += (size_t)n;
        for (done = 0; (lf = memchr(t->buf + done, '\n', have - done)); done = (size_t)(lf - t->buf) + 1)
            smi_tree_smaps_line(s, smi_text_between(t->buf + done, lf));
        if (done == 0 && have == SMI_TREE_BUF)
            done = have; /* no such line is that long */
        have -= done;
        memmove(t->buf, t->buf + done, have);
    }
}

static int64_t anonymous_pages(const struct smi_tree_pages *p)
{
    return p->resident - p->shared;
}

/* What is read of one that ends meanwhile is cut off, or another one's: so it is looked at again. Of a rollup
 * only what is private counts: paths have no part in it. */
static void read_smaps(struct smi_tree *t, struct smi_tree_member *m, bool rollup)
{
    struct smi_tree_smaps s = {.paths = &t->each};
    struct smi_tree_stat stat;
    int fd = open_proc_file(t, m->pid, rollup ? "smaps_rollup" : "smaps");
    if (fd < 0 && (errno == EACCES || errno == EPERM)) {
        m->memory = SMI_TREE_REFUSED;
        m->shares = 0;
        t->dirty = true;
    }
    if (fd < 0)
        return;
    clear_table(s.paths);
    read_smaps_lines(t, fd, &s);
    close(fd);
    if (read_stat(t, m->pid, &stat) != SMI_TREE_GOT || stat.start != m->is.start || stat.state == 'Z' ||
        stat.state == 'X')
        return;
    m->private_ = s.private_;
    m->anonymous = anonymous_pages(&m->now);
    m->faulted = m->is.faults;
    m->counted = s.any;
    if (rollup)
        return;
    smi_mem_reserve(&m->share, &m->share_cap, s.paths->n, sizeof *m->share);
    m->shares = s.paths->n;
    if (m->shares)
        memcpy(m->share, s.paths->list, m->shares * sizeof *m->share);
    m->then = m->now;
    m->read_in = t->samples;
    m->stale = false;
    m->memory = s.any ? SMI_TREE_READ : SMI_TREE_NO_MEMORY;
    t->dirty = true;
}

/* The parent with which it shares its memory: it has not called exec. Or NULL. */
static const struct smi_tree_member *shared_parent(const struct smi_tree *t, const struct smi_tree_member *m)
{
    const struct smi_tree_member *parent = m->is.stack ? find_member(t, m->is.ppid) : NULL;
    return parent && parent->alive && parent->is.stack == m->is.stack ? parent : NULL;
}

static bool has_changed(const struct smi_tree_member *m)
{
    return m->now.resident != m->then.resident || m->now.shared != m->then.shared;
}

static bool needs_reading(const struct smi_tree *t, const struct smi_tree_member *m)
{
    const struct smi_tree_member *parent;
    if (!m->alive || m->read_in == t->samples)
        return false;
    if (m->memory == SMI_TREE_READ)
        return m->stale || has_changed(m);
    if (m->memory != SMI_TREE_NEVER)
        return false;
    /* what both share was private before: read of the child alone, it would count twice */
    parent = shared_parent(t, m);
    return !parent || parent->memory > SMI_TREE_READ || parent->read_in >= m->since;
}

static bool has_changed_much(const struct smi_tree *t, const struct smi_tree_member *m)
{
    int64_t resident = m->now.resident - m->then.resident, shared = m->now.shared - m->then.shared;
    return needs_reading(t, m) && m->memory == SMI_TREE_READ &&
           (resident < 0 ? -resident : resident) + (shared < 0 ? -shared : shared) > m->now.resident / MUCH;
}

static int64_t private_bytes(const struct smi_tree *t, const struct smi_tree_member *m)
{
    const struct smi_tree_member *parent;
    if (m->counted)
        return at_least(0, m->private_ + (anonymous_pages(&m->now) - m->anonymous) * t->page);
    parent = shared_parent(t, m);
    return at_least(0, anonymous_pages(&m->now) - (parent ? anonymous_pages(&parent->now) : 0)) * t->page;
}

/* Bytes that a fork may have written since it was read, of those that it shared: many, or 0. */
static int64_t written_bytes(const struct smi_tree *t, const struct smi_tree_member *m)
{
    const int64_t own = private_bytes(t, m), faults = m->is.faults - m->faulted;
    int64_t shared = anonymous_pages(&m->now) - own / t->page;
    if (!m->alive || m->memory == SMI_TREE_REFUSED || !shared_parent(t, m))
        return 0;
    shared = faults < shared ? faults : shared;
    return shared > own / t->page / MUCH ? shared * t->page : 0;
}

static bool has_written(const struct smi_tree *t, const struct smi_tree_member *m)
{
    return written_bytes(t, m) > 0;
}

static bool can_refresh(const struct smi_tree *t, const struct smi_tree_member *m)
{
    return m->alive && m->read_in != t->samples && m->memory != SMI_TREE_NEVER;
}

/* Why a process is read, in the order in which they are looked at. */
static const struct reason {
    bool (*wants)(const struct smi_tree *t, const struct smi_tree_member *m);
    int budget; /* and its place in turns */
    int64_t least_ns;
    bool rollup;
} reasons[] = {{has_changed_much, SMI_TREE_BUDGET_MUST, -DEBT, false},
               {needs_reading, SMI_TREE_BUDGET_MUST, 0, false},
               {can_refresh, SMI_TREE_BUDGET_REFRESH, 0, false},
               {has_written, SMI_TREE_BUDGET_FORKS, 0, true}};

/* Goes on where it ended before; a refresh takes from the share of what has changed as well. */
static void read_some(struct smi_tree *t, const struct reason *why)
{
    int64_t *own = &t->tokens_ns[why->budget];
    int64_t *also = why->budget == SMI_TREE_BUDGET_REFRESH ? &t->tokens_ns[SMI_TREE_BUDGET_MUST] : own;
    for (size_t i = 0; i<t->members && * own> why->least_ns && *also > why->least_ns; i++) {
        struct smi_tree_member *m = &t->member[t->turns[why->budget]++ % t->members];
        if (!why->wants(t, m))
            continue;
        const int64_t begin = cpu_ns();
        read_smaps(t, m, why->rollup);
        const int64_t used = cpu_ns() - begin;
        *own -= used;
        *also -= also == own ? 0 : used;
    }
}

static void read_ram(struct smi_tree *t, int64_t span_us)
{
    for (int i = 0; i < SMI_TREE_BUDGETS; i++) {
        const int64_t saved = budgets[i].saved,
                      more = span_us < 1000000000 ? span_us * budgets[i].share / 1000 : saved,
                      have = t->samples == 1 ? saved : t->tokens_ns[i];
        t->tokens_ns[i] = have + more < saved ? have + more : saved;
    }
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        read_some(t, &reasons[i]);
}

/* ---- sums ---- */

static void sum_paths(struct smi_tree *t)
{
    clear_table(&t->paths);
    for (size_t i = 0; i < t->members; i++) {
        const struct smi_tree_member *m = &t->member[i];
        if (!m->alive || m->memory != SMI_TREE_READ)
            continue;
        for (size_t j = 0; j < m->shares; j++)
            raise_table(&t->paths, m->share[j].key, !m->main, m->share[j].of[0]);
    }
    memset(t->shared, 0, sizeof t->shared);
    for (size_t i = 0; i < t->paths.n; i++) {
        const int64_t *of = t->paths.list[i].of;
        t->shared[SMI_TREE_OF_MAIN] = smi_tree_sum(t->shared[SMI_TREE_OF_MAIN], of[0]);
        t->shared[SMI_TREE_OF_DESCENDANTS] = smi_tree_sum(t->shared[SMI_TREE_OF_DESCENDANTS], of[1]);
        t->shared[SMI_TREE_OF_ALL] = smi_tree_sum(t->shared[SMI_TREE_OF_ALL], of[0] > of[1] ? of[0] : of[1]);
    }
    t->dirty = false;
}

static bool has_ram(const struct smi_tree_member *m)
{
    return m->memory == SMI_TREE_READ || (m->memory == SMI_TREE_NEVER && m->now.resident > 0);
}

/* What one that was read shares now. */
static int64_t shared_bytes(const struct smi_tree *t, const struct smi_tree_member *m)
{
    int64_t all = 0;
    for (size_t i = 0; i < m->shares; i++)
        all = smi_tree_sum(all, m->share[i].of[0]);
    return at_least(0, all + (m->now.shared - m->then.shared) * t->page);
}

/* What the processes of a part share more or less than when they were read: the largest change, for they
 * mostly share the same; and the most that one which shares more has now. What it has got others may have
 * been read with already, so only what is beyond all that was read is sure to be new: a maximum is kept, and
 * a value that is too high stays. */
struct carry {
    bool any;
    int64_t pages, own;
};

static void add_member(const struct smi_tree *t, const struct smi_tree_member *m, struct smi_tree_usage *u,
                       struct carry *c)
{
    int64_t pages = m->now.shared - m->then.shared;
    u->has_ram = true;
    u->ram.private_ = smi_tree_sum(u->ram.private_, private_bytes(t, m));
    if (m->memory != SMI_TREE_READ)
        return;
    c->pages = !c->any || pages > c->pages ? pages : c->pages;
    c->any = true;
    if (pages > 0)
        c->own = at_least(c->own, shared_bytes(t, m));
}

/* What a fork that was not read yet shares with main, which is in another part: that much, at least, is
 * shared. */
static int64_t inherited_bytes(const struct smi_tree *t, const struct smi_tree_member *m)
{
    const struct smi_tree_member *parent = m->memory == SMI_TREE_NEVER ? shared_parent(t, m) : NULL;
    if (!parent || !parent->main)
        return 0;
    return at_least(0, anonymous_pages(&m->now) * t->page - private_bytes(t, m));
}

static void sum_ram(struct smi_tree *t, struct smi_tree_sample *out)
{
    int64_t from_main = 0;
    struct carry more[SMI_TREE_PARTS] = {{false, 0, 0}, {false, 0, 0}, {false, 0, 0}};
    int alive[SMI_TREE_PARTS] = {0, 0, 0};
    if (t->dirty)
        sum_paths(t);
    for (size_t i = 0; i < t->members; i++) {
        const struct smi_tree_member *m = &t->member[i];
        int part = m->main ? SMI_TREE_OF_MAIN : SMI_TREE_OF_DESCENDANTS;
        if (!m->alive)
            continue;
        alive[part]++;
        out->denied += m->memory == SMI_TREE_REFUSED;
        out->unread = smi_tree_sum(out->unread, written_bytes(t, m));
        out->estimated += m->memory == SMI_TREE_NEVER || (m->memory == SMI_TREE_READ && has_changed(m));
        if (!has_ram(m))
            continue;
        from_main = at_least(from_main, inherited_bytes(t, m));
        add_member(t, m, &out->of[part], &more[part]);
        add_member(t, m, &out->of[SMI_TREE_OF_ALL], &more[SMI_TREE_OF_ALL]);
    }
    out->of[SMI_TREE_OF_DESCENDANTS].has_ram |= alive[SMI_TREE_OF_MAIN] && !alive[SMI_TREE_OF_DESCENDANTS];
    for (int part = 0; part < SMI_TREE_PARTS; part++) {
        struct smi_tree_ram *ram = &out->of[part].ram;
        ram->shared = more[part].pages <= 0 ? at_least(0, t->shared[part] + more[part].pages * t->page)
                                            : at_least(more[part].own, t->shared[part]);
        if (part == SMI_TREE_OF_DESCENDANTS)
            ram->shared = at_least(from_main, ram->shared);
        ram->total = ram->private_ + ram->shared;
    }
}
/* ---- CPU time ---- */

/* CPU time of the whole tree: what each process that is there used, with what the kernel has added to it for
 * children that it waited for, and what those used that have gone and were added to nobody. */

/* Parents stand before their children, and are read before them: a child that ends meanwhile is missing from
 * one sample, and never counted twice.
 *
 * Who has gone was waited for by its parent, or by that one's parent after that one has gone, and so on: the
 * time that was last seen of it must have come to one of these. What has not is counted on here. */
static void add_finished_cpu(struct smi_tree *t)
{
    for (size_t i = 0; i < t->members; i++)
        t->member[i].owed = 0;
    for (size_t i = t->members; i-- > 0;) {
        struct smi_tree_member *m = &t->member[i], *parent;
        int64_t last = m->is.own + m->is.children;
        smi_i128 lost = 0;
        if (m->told) {
            lost = (smi_i128)(m->owed + last) * t->tick_us - m->told_us;
            t->gone_us = smi_tree_sum(t->gone_us, m->told_us);
        } else if (!m->gone) {
            lost = (smi_i128)(m->owed - (m->is.children - m->children_before)) * t->tick_us;
        } else if ((parent = find_member(t, m->is.ppid)) && parent < m) {
            parent->owed += m->owed + last;
        } else {
            lost = (smi_i128)(m->owed + last) * t->tick_us;
        }
        t->gone_us = smi_tree_sum(t->gone_us, lost);
    }
}

void smi_tree_reaped(struct smi_tree *t, pid_t pid, int64_t cpu_us)
{
    struct smi_tree_member *m = find_member(t, pid);
    if (!m && pid == t->o.main && !t->had_main && !t->had_children) /* it was never seen */
        t->main_us = smi_tree_sum(0, cpu_us);
    if (!m || m->told) {
        t->gone_us = smi_tree_sum(t->gone_us, cpu_us);
        return;
    }
    m->told = true;
    m->told_us = smi_tree_sum(0, cpu_us);
    if (m->main && !t->had_children && !m->is.children && cpu_us > t->main_us)
        t->main_us = m->told_us;
}

static void sum_cpu(struct smi_tree *t, int64_t span_us, struct smi_tree_sample *out)
{
    int64_t us[SMI_TREE_PARTS], all = t->gone_us;
    bool main = false, any = false;
    for (size_t i = 0; i < t->members; i++) {
        const struct smi_tree_member *m = &t->member[i];
        all = smi_tree_sum(all, (m->is.own + m->is.children) * t->tick_us);
        if (m->main)
            t->main_us = at_least(m->is.own * t->tick_us, t->main_us);
        any |= m->alive;
        main |= m->alive && m->main;
    }
    us[SMI_TREE_OF_MAIN] = t->main_us;
    us[SMI_TREE_OF_DESCENDANTS] = at_least(all - t->main_us, 0);
    if (t->samples == 1 && !t->o.reaper) /* what there was before tracking began */
        memcpy(t->base_us, us, sizeof us);
    us[SMI_TREE_OF_ALL] = 0;
    for (int part = SMI_TREE_OF_MAIN; part < SMI_TREE_OF_ALL; part++) {
        us[part] = at_least(us[part] - t->base_us[part], t->cpu_us[part]);
        us[SMI_TREE_OF_ALL] += us[part];
    }
    for (int part = 0; part < SMI_TREE_PARTS; part++) {
        out->of[part].has_cpu =
            span_us > 0 && (part == SMI_TREE_OF_MAIN ? main || t->main_before : any || t->any_before);
        out->of[part].cpu_pct =
            span_us > 0 ? 100.0 * (double)(us[part] - t->cpu_us[part]) / (double)span_us : 0;
        out->cpu_us[part] = t->cpu_us[part] = us[part];
    }
    t->main_before = main;
    t->any_before = any;
}

/* ---- children that proc does not show ---- */

/* Children that /proc does not show, where it is mounted with hidepid: those of other users, as sudo has
 * them. Each thread's list of its children has them all the same ("23435 23436 "). */

static int children_of(struct smi_tree *t, const struct smi_tree_member *m)
{
    char name[64];
    int hidden = 0;
    struct smi_text line;
    snprintf(name, sizeof name, "task/%d/children", (int)m->pid);
    line = read_text(t, m->pid, name, SMI_TREE_BUF);
    for (struct smi_text word; (word = smi_text_word(&line)).n;) {
        char path[SMI_TREE_PATH];
        int64_t pid = read_whole_number(word, INT32_MAX);
        if (pid <= 0 || find_pid(t, (int32_t)pid) || (kill((pid_t)pid, 0) && errno != EPERM))
            continue;
        snprintf(path, sizeof path, "%s/%d/stat", t->o.proc, (int)pid);
        hidden += access(path, F_OK) && errno == ENOENT; /* it lives, and nothing tells of it */
    }
    return hidden;
}

/* ---- names as nvidia-smi prints them ---- */

/* What a process is called: the driver prints the first text of /proc/PID/cmdline, as the process may have
 * changed it
 * ("ray::IDLE", a command line with its arguments in one text), a path or its last piece; pmon 15 bytes of
 * that. */

enum { SHORT = 15 /* bytes of a name that the kernel keeps, and pmon prints */ };

static struct smi_text last_piece(struct smi_text t)
{
    const char *slash = t.n ? memrchr(t.p, '/', t.n) : NULL;
    return slash ? (struct smi_text){slash + 1, t.n - (size_t)(slash + 1 - t.p)} : t;
}

/* One that was cut counts as far as it goes. */
static bool same_name(struct smi_text a, struct smi_text b)
{
    size_t n = a.n < b.n ? a.n : b.n;
    return n && (a.n == b.n || n == SHORT) && memcmp(a.p, b.p, n) == 0;
}

static bool fits_cut_name(struct smi_text name, struct smi_text other)
{
    return same_name(name, other) || same_name(last_piece(name), last_piece(other)) ||
           same_name(last_piece(smi_text_word(&name)), last_piece(smi_text_word(&other)));
}

enum smi_tree_name_matches smi_tree_name_matches(struct smi_tree *t, pid_t pid, const char *name)
{
    const struct smi_text is = smi_text_of(name);
    char link[SMI_TREE_LINE], path[SMI_TREE_PATH];
    struct smi_tree_stat s;
    struct smi_text line;
    ssize_t n;
    if (!is.n || read_stat(t, (int32_t)pid, &s) != SMI_TREE_GOT)
        return SMI_TREE_NAME_UNKNOWN;
    snprintf(path, sizeof path, "%s/%d/exe", t->o.proc, (int)pid);
    n = readlink(path, link, sizeof link); /* the program that it runs */
    if (fits_cut_name(is, smi_text_of(s.comm)) ||
        fits_cut_name(is, (struct smi_text){link, n > 0 ? (size_t)n : 0}))
        return SMI_TREE_NAMED_SO;
    line = read_text(t, (int32_t)pid, "cmdline", SMI_TREE_LINE);
    line.n = strnlen(line.p, line.n);
    return fits_cut_name(is, line) ? SMI_TREE_NAMED_SO : SMI_TREE_NAMED_OTHERWISE;
}

enum { STATUS = 16384 };

struct smi_tree *smi_tree_open(const struct smi_tree_opts *o)
{
    struct smi_tree *t = smi_mem_new(1, sizeof *t);
    long hz = sysconf(_SC_CLK_TCK);
    struct smi_tree_stat s;
    t->o = *o;
    t->buf = smi_mem_raw(SMI_TREE_BUF);
    t->o.proc = o->proc ? o->proc : "/proc";
    t->tick_us = hz > 0 ? 1000000 / hz : 10000;
    t->page = sysconf(_SC_PAGESIZE);
    t->dir = opendir(t->o.proc);
    if (!t->dir && errno == ENOMEM)
        smi_mem_exhausted();
    /* a thread has files too, but is not listed, and nobody's parent: its process is meant */
    const int64_t pid = smi_host_keyed(read_text(t, t->o.main, "status", STATUS), "Tgid");
    t->o.main = pid > 0 && pid <= INT32_MAX ? (pid_t)pid : t->o.main;
    if (read_stat(t, t->o.main, &s) == SMI_TREE_GOT && join_tree(t, t->o.main, s.start))
        t->had_main = t->member[0].main = true;
    return t;
}

/* Children that proc does not show count, and nothing else is known of them. The first process of a machine
 * is shown to everybody where others are. */
static void count_processes(struct smi_tree *t, struct smi_tree_sample *out)
{
    struct smi_tree_usage *u = &out->of[SMI_TREE_OF_DESCENDANTS];
    bool hides = t->dir && t->known.n && !find_pid(t, 1);
    for (size_t i = 0; i < t->members; i++) {
        const struct smi_tree_member *m = &t->member[i];
        struct smi_tree_usage *own = &out->of[m->main ? SMI_TREE_OF_MAIN : SMI_TREE_OF_DESCENDANTS];
        if (!m->alive)
            continue;
        own->processes++;
        own->threads += m->is.threads;
        out->main_alive |= m->main;
        out->hidden += hides ? children_of(t, m) : 0;
    }
    out->of[SMI_TREE_OF_ALL].processes = out->of[0].processes + out->of[1].processes;
    out->of[SMI_TREE_OF_ALL].threads = out->of[0].threads + out->of[1].threads;
    out->denied += out->hidden;
    if (out->hidden && u->processes == 0)
        u->has_ram = u->has_cpu = false;
    u->processes += out->hidden;
    out->of[SMI_TREE_OF_ALL].processes += out->hidden;
}

void smi_tree_read(struct smi_tree *t, int64_t now_us, struct smi_tree_sample *out)
{
    int64_t span = t->samples && now_us > t->at_us ? now_us - t->at_us : 0;
    memset(out, 0, sizeof *out);
    out->t_us = now_us;
    t->samples++;
    t->beyond = 0;
    /* New ones first, then those that are members: a parent that is seen now was alive when its child was
     * read. */
    if (t->dir)
        list_pids(t);
    read_members(t);
    add_finished_cpu(t);
    forget_gone(t);
    if (t->dir)
        adopt_candidates(t);
    read_ram(t, span);
    sum_ram(t, out);
    sum_cpu(t, span, out);
    count_processes(t, out);
    out->beyond = t->beyond;
    t->at_us = now_us;
}

/* ---- who is who ---- */

static bool has_inner(struct smi_tree *t, struct smi_tree_member *m, int64_t pid)
{
    struct smi_tree_stat s;
    bool has = false;
    if (m->inner_pids < 0) {
        m->inner_pids = smi_tree_inner_pids(read_text(t, m->pid, "status", STATUS), m->inner);
        if (read_stat(t, m->pid, &s) != SMI_TREE_GOT || s.start != m->is.start)
            m->inner_pids = 0; /* the process has ended: the status may be another one's */
    }
    for (int i = 0; i < m->inner_pids && !has; i++)
        has = m->inner[i] == pid;
    return has;
}

bool smi_tree_candidate_process(struct smi_tree *t, int64_t pid, size_t *at, struct smi_tree_process *m)
{
    struct smi_tree_member *own = pid > 0 ? find_member(t, pid) : NULL;
    if (*at == 0 && own) {
        ++*at;
        *m = (struct smi_tree_process){.pid = own->pid, .main = own->main};
        return true;
    }
    for (*at += *at == 0; pid > 0 && *at <= t->members; ++*at) {
        struct smi_tree_member *x = &t->member[*at - 1];
        if (x == own || !has_inner(t, x, pid))
            continue;
        ++*at;
        *m = (struct smi_tree_process){.pid = x->pid, .main = x->main, .inner = true};
        return true;
    }
    return false;
}

bool smi_tree_next(const struct smi_tree *t, size_t *at, struct smi_tree_process *p)
{
    while (*at < t->members && !t->member[*at].alive)
        ++*at;
    if (*at >= t->members)
        return false;
    const struct smi_tree_member *m = &t->member[(*at)++];
    *p = (struct smi_tree_process){.pid = m->pid, .main = m->main};
    memcpy(p->comm, m->is.comm, sizeof p->comm);
    return true;
}

void smi_tree_close(struct smi_tree *t)
{
    if (!t)
        return;
    for (size_t i = 0; i < t->members; i++)
        smi_mem_free(t->member[i].share);
    if (t->dir)
        closedir(t->dir);
    smi_tree_table_fini(&t->paths);
    smi_tree_table_fini(&t->each);
    smi_mem_free(t->member);
    smi_map_fini(&t->by_pid);
    smi_mem_free(t->known.list);
    smi_mem_free(t->fresh.list);
    smi_mem_free(t->candidate);
    smi_mem_free(t->buf);
    smi_mem_free(t);
}
