/* Memory of the tree. The readings of smaps are kept, and so are the sums over paths, until one of them
 * changes. */
#include "formats/column.h"
#include "process/tree_private.h"

#include <errno.h>
#include <time.h>
#include <unistd.h>

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
        smi_mem_reserve(&t->list, &t->cap, t->n + 1, sizeof *t->list);
        smi_map_add(&t->map, key, t->n);
        i = t->n++;
        t->list[i] = (struct smi_tree_path){.key = key};
    }
    if (bytes > t->list[i].of[part])
        t->list[i].of[part] = bytes;
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
    static const char *const figures[] = {"Shared_Clean:",  "Shared_Dirty:",  "Shared_Hugetlb:",
                                          "Private_Clean:", "Private_Dirty:", "Private_Hugetlb:"};
    struct smi_text key;
    int64_t kb;
    if (!line.n)
        return;
    if ((*line.p >= '0' && *line.p <= '9') || (*line.p >= 'a' && *line.p <= 'f')) {
        smi_tree_smaps_end(s);
        s->any = true;
        s->key = mapping_path(line);
        return;
    }
    if (*line.p != 'S' && *line.p != 'P')
        return;
    key = smi_text_word(&line);
    kb = smi_cell_digits(smi_text_word(&line), SMI_CELL_DIGITS);
    for (size_t i = 0; kb > 0 && kb < INT64_C(1) << 40 && i < sizeof figures / sizeof *figures; i++)
        if (smi_text_is(key, figures[i])) {
            int64_t *to = *key.p == 'S' ? &s->shared : &s->private_;
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

enum why { CHANGED_MUCH, CHANGED, REFRESHED, WRITTEN };

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
        ssize_t n = read(fd, t->buf + have, SMI_TREE_BUF - have);
        const char *lf;
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            smi_tree_smaps_end(s);
            return;
        }
        have += (size_t)n;
        for (done = 0; (lf = memchr(t->buf + done, '\n', have - done)); done = (size_t)(lf - t->buf) + 1)
            smi_tree_smaps_line(s, (struct smi_text){
                                       t->buf + done,
                                       (size_t)(lf - t->buf) - done,
                                   });
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
    int fd = smi_tree_file(t, m->pid, rollup ? "smaps_rollup" : "smaps");
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
    if (smi_tree_stat_of(t, m->pid, m->fd[0], &stat) != SMI_TREE_GOT || stat.start != m->start ||
        stat.state == 'Z' || stat.state == 'X')
        return;
    m->private_ = s.private_;
    m->anonymous = anonymous_pages(&m->now);
    m->faulted = m->faults;
    m->counted = s.any;
    if (rollup)
        return;
    smi_mem_reserve(&m->share, &m->share_cap, s.paths->n, sizeof *m->share);
    m->shares = s.paths->n;
    for (size_t i = 0; i < m->shares; i++)
        m->share[i] = (struct smi_tree_share){s.paths->list[i].key, s.paths->list[i].of[0]};
    m->then = m->now;
    m->read_in = t->samples;
    m->stale = false;
    m->memory = s.any ? SMI_TREE_READ : SMI_TREE_NO_MEMORY;
    t->dirty = true;
}

/* The parent with which it shares its memory: it has not called exec. Or NULL. */
static const struct smi_tree_member *shared_parent(const struct smi_tree *t, const struct smi_tree_member *m)
{
    const struct smi_tree_member *parent = m->stack ? smi_tree_member(t, m->ppid) : NULL;
    return parent && parent->alive && parent->stack == m->stack ? parent : NULL;
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

static int64_t at_least_zero(int64_t v)
{
    return v > 0 ? v : 0;
}

static int64_t private_bytes(const struct smi_tree *t, const struct smi_tree_member *m)
{
    const struct smi_tree_member *parent;
    if (m->counted)
        return at_least_zero(m->private_ + (anonymous_pages(&m->now) - m->anonymous) * t->page);
    parent = shared_parent(t, m);
    return at_least_zero(anonymous_pages(&m->now) - (parent ? anonymous_pages(&parent->now) : 0)) * t->page;
}

/* Bytes that a fork may have written since it was read, of those that it shared: many, or 0. */
static int64_t written_bytes(const struct smi_tree *t, const struct smi_tree_member *m)
{
    const int64_t own = private_bytes(t, m), faults = m->faults - m->faulted;
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

/* Goes on where it ended before; a refresh takes from its own share as well. */
static void read_some(struct smi_tree *t, enum why why)
{
    static bool (*const wants[])(const struct smi_tree *,
                                 const struct smi_tree_member *) = {[CHANGED_MUCH] = has_changed_much,
                                                                    [CHANGED] = needs_reading,
                                                                    [REFRESHED] = can_refresh,
                                                                    [WRITTEN] = has_written};
    const bool refresh = why == REFRESHED;
    const int64_t least_ns = why == CHANGED_MUCH ? -DEBT : 0;
    int64_t *tokens = &t->tokens_ns[why == WRITTEN ? SMI_TREE_BUDGET_FORKS : SMI_TREE_BUDGET_MUST],
            *fresh = &t->tokens_ns[SMI_TREE_BUDGET_REFRESH];
    size_t *turn = &t->turns[refresh          ? SMI_TREE_BUDGET_REFRESH
                             : why == WRITTEN ? SMI_TREE_BUDGET_FORKS
                                              : SMI_TREE_BUDGET_MUST];
    for (size_t i = 0; i < t->members && (*tokens > least_ns) && (!refresh || *fresh > 0); i++) {
        struct smi_tree_member *m = &t->member[(*turn)++ % t->members];
        int64_t begin;
        if (!wants[why](t, m))
            continue;
        begin = cpu_ns();
        read_smaps(t, m, why == WRITTEN);
        begin = cpu_ns() - begin;
        *tokens -= begin;
        *fresh -= refresh ? begin : 0;
    }
}

void smi_tree_ram_read(struct smi_tree *t, int64_t span_us)
{
    for (int i = 0; i < SMI_TREE_BUDGETS; i++) {
        const int64_t saved = budgets[i].saved,
                      more = span_us < 1000000000 ? span_us * budgets[i].share / 1000 : saved,
                      have = t->samples == 1 ? saved : t->tokens_ns[i];
        t->tokens_ns[i] = have + more < saved ? have + more : saved;
    }
    for (enum why why = CHANGED_MUCH; why <= WRITTEN; why++)
        read_some(t, why);
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
            raise_table(&t->paths, m->share[j].key, !m->main, m->share[j].bytes);
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

bool smi_tree_has_ram(const struct smi_tree_member *m)
{
    return m->memory == SMI_TREE_READ || (m->memory == SMI_TREE_NEVER && m->now.resident > 0);
}

void smi_tree_ram_of(const struct smi_tree *t, const struct smi_tree_member *m, struct smi_tree_ram *ram)
{
    ram->private_ = private_bytes(t, m);
    ram->shared = 0;
    for (size_t i = 0; i < m->shares; i++)
        ram->shared = smi_tree_sum(ram->shared, m->share[i].bytes);
    if (m->memory == SMI_TREE_READ)
        ram->shared = at_least_zero(ram->shared + (m->now.shared - m->then.shared) * t->page);
    ram->total = ram->private_ + ram->shared;
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
    struct smi_tree_ram now;
    u->has_ram = true;
    u->ram.private_ = smi_tree_sum(u->ram.private_, private_bytes(t, m));
    if (m->memory != SMI_TREE_READ)
        return;
    c->pages = !c->any || pages > c->pages ? pages : c->pages;
    c->any = true;
    if (pages > 0) {
        smi_tree_ram_of(t, m, &now);
        c->own = now.shared > c->own ? now.shared : c->own;
    }
}

/* What a fork that was not read yet shares with main, which is in another part: that much, at least, is
 * shared. */
static int64_t inherited_bytes(const struct smi_tree *t, const struct smi_tree_member *m)
{
    const struct smi_tree_member *parent = m->memory == SMI_TREE_NEVER ? shared_parent(t, m) : NULL;
    if (!parent || !parent->main)
        return 0;
    return at_least_zero(anonymous_pages(&m->now) * t->page - private_bytes(t, m));
}

void smi_tree_ram(struct smi_tree *t, struct smi_tree_sample *out)
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
        if (!smi_tree_has_ram(m))
            continue;
        from_main = inherited_bytes(t, m) > from_main ? inherited_bytes(t, m) : from_main;
        add_member(t, m, &out->of[part], &more[part]);
        add_member(t, m, &out->of[SMI_TREE_OF_ALL], &more[SMI_TREE_OF_ALL]);
    }
    out->of[SMI_TREE_OF_DESCENDANTS].has_ram |= alive[SMI_TREE_OF_MAIN] && !alive[SMI_TREE_OF_DESCENDANTS];
    for (int part = 0; part < SMI_TREE_PARTS; part++) {
        struct smi_tree_ram *ram = &out->of[part].ram;
        ram->shared = more[part].pages <= 0 ? at_least_zero(t->shared[part] + more[part].pages * t->page)
                      : more[part].own > t->shared[part] ? more[part].own
                                                         : t->shared[part];
        if (part == SMI_TREE_OF_DESCENDANTS && ram->shared < from_main)
            ram->shared = from_main;
        ram->total = ram->private_ + ram->shared;
    }
}
