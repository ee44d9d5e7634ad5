/* tree.c - the processes of a command: samples of them all, from /proc/PID/stat. */
#include "process/tree.h"
#include "formats/column.h"
#include "live/host.h"
#include "process/tree_private.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

/* Lines as they are in /proc/PID:
 *
 *     stat    23435 (cat) R 23429 23435 23429 34816 23435 4194304 98 0 0 0 0 0 0 0 20 0 1 0 24112 3133440 380
 * ... statm   765 441 413 5 0 123 0 status  NSpid:	23435	17
 *
 * The name in stat may hold blanks and parentheses: it ends with the last ")". */

/* Fields of stat behind the name, as proc_pid_stat(5) counts them. */
enum {
    STATE = 3,
    PPID,
    SESSION = 6,
    MINFLT = 10,
    MAJFLT = 12,
    UTIME = 14,
    STIME,
    CUTIME,
    CSTIME,
    THREADS = 20,
    START = 22,
    VSIZE,
    RSS,
    STACK = 28
};

/* Digits up to the limit, or -1. */
static int64_t read_whole_number(struct smi_text t, int64_t limit)
{
    int64_t v = smi_cell_digits(t, SMI_CELL_DIGITS);
    return v > limit ? -1 : v;
}

/* 20 digits fit; what does not is no address. */
static uint64_t read_address(struct smi_text t)
{
    uint64_t v = 0;
    for (size_t i = 0; i < t.n; i++)
        if (t.p[i] < '0' || t.p[i] > '9' || __builtin_mul_overflow(v, (uint64_t)10, &v) ||
            __builtin_add_overflow(v, (uint64_t)(t.p[i] - '0'), &v))
            return 0;
    return v;
}

/* Times in ticks: 10^13 are 3,000 years of a CPU, and do not overflow as microseconds. */
static bool next_field(struct smi_tree_stat *s, int i, struct smi_text t)
{
    const int64_t most = INT64_C(10000000000000);
    int64_t v;
    switch (i) {
    case STATE:
        s->state = *t.p;
        return t.n == 1;
    case PPID:
    case SESSION:
        v = read_whole_number(t, INT32_MAX);
        *(i == PPID ? &s->ppid : &s->session) = (int32_t)v;
        return v >= 0;
    case UTIME:
    case STIME:
    case CUTIME:
    case CSTIME:
        v = read_whole_number(t, most);
        *(i < CUTIME ? &s->own : &s->children) += v;
        return v >= 0;
    case THREADS:
        s->threads = read_whole_number(t, most);
        return s->threads >= 0;
    case START:
        s->start = read_whole_number(t, INT64_MAX / 16);
        return s->start >= 0;
    case MINFLT:
        s->faults = (int64_t)(read_address(t) & INT64_MAX);
        /* fall through */
    case MAJFLT:
    case VSIZE:
    case RSS:
        s->memory = (s->memory ^ read_address(t)) * 0x9E3779B97F4A7C15u;
        s->memory ^= s->memory >> 32;
        return true;
    case STACK:
        s->stack = read_address(t);
        return true;
    }
    return true;
}

bool smi_tree_stat_line(struct smi_text t, struct smi_tree_stat *s)
{
    const char *open = t.n ? memchr(t.p, '(', t.n) : NULL;
    const char *close = open ? memrchr(open, ')', t.n - (size_t)(open - t.p)) : NULL;
    size_t n;
    memset(s, 0, sizeof *s);
    if (!close || t.p[t.n - 1] != '\n')
        return false;
    n = (size_t)(close - open - 1);
    memcpy(s->comm, open + 1, n < sizeof s->comm ? n : sizeof s->comm - 1);
    t = (struct smi_text){close + 1, (size_t)(t.p + t.n - close - 2)};
    for (int i = STATE; i <= STACK; i++) {
        struct smi_text word = smi_text_word(&t);
        if (!word.n)
            return i == STACK; /* a kernel of long ago */
        if (!next_field(s, i, word))
            return false;
    }
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

int32_t smi_tree_tgid(struct smi_text t)
{
    int64_t v = smi_host_keyed(t, "Tgid");
    return v > INT32_MAX ? -1 : (int32_t)v;
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

/* ---- CPU time ---- */

/* CPU time of the whole tree: what each process that is there used, with what the kernel has added to it for
 * children that it waited for, and what those used that have gone and were added to nobody. */

/* Parents stand before their children, and are read before them: a child that ends meanwhile is missing from
 * one sample, and never counted twice.
 *
 * Who has gone was waited for by its parent, or by that one's parent after that one has gone, and so on: the
 * time that was last seen of it must have come to one of these. What has not is counted on here. */
void smi_tree_add_finished_cpu(struct smi_tree *t)
{
    for (size_t i = 0; i < t->members; i++)
        t->member[i].owed = 0;
    for (size_t i = t->members; i-- > 0;) {
        struct smi_tree_member *m = &t->member[i], *parent;
        int64_t last = m->own + m->children;
        smi_i128 lost = 0;
        if (m->told) {
            lost = (smi_i128)(m->owed + last) * t->tick_us - m->told_us;
            t->gone_us = smi_tree_sum(t->gone_us, m->told_us);
        } else if (!m->gone) {
            lost = (smi_i128)(m->owed - (m->children - m->children_before)) * t->tick_us;
        } else if ((parent = smi_tree_member(t, m->ppid)) && parent < m) {
            parent->owed += m->owed + last;
        } else {
            lost = (smi_i128)(m->owed + last) * t->tick_us;
        }
        t->gone_us = smi_tree_sum(t->gone_us, lost);
    }
}

void smi_tree_reaped(struct smi_tree *t, pid_t pid, int64_t cpu_us)
{
    struct smi_tree_member *m = smi_tree_member(t, pid);
    for (int i = 0; i < t->strangers; i++)
        if (t->stranger[i].pid == pid && !t->stranger[i].gone) {
            t->stranger[i].gone = true;
            return;
        }
    if (!m && pid == t->main && !t->had_main && !t->had_children) /* it was never seen */
        t->main_us = smi_tree_sum(0, cpu_us);
    if (!m || m->told) {
        t->gone_us = smi_tree_sum(t->gone_us, cpu_us);
        return;
    }
    m->told = true;
    m->told_us = smi_tree_sum(0, cpu_us);
    if (m->main && !t->had_children && !m->children && cpu_us > t->main_us)
        t->main_us = m->told_us;
}

static int64_t at_least_zero(int64_t v, int64_t low)
{
    return v > low ? v : low;
}

void smi_tree_cpu(struct smi_tree *t, struct smi_tree_sample *out)
{
    int64_t us[SMI_TREE_PARTS], by, all = t->gone_us;
    smi_i128 share;
    bool main = false, any = false;
    for (size_t i = 0; i < t->members; i++) {
        const struct smi_tree_member *m = &t->member[i];
        all = smi_tree_sum(all, (m->own + m->children) * t->tick_us);
        if (m->main)
            t->main_us = at_least_zero(m->own * t->tick_us, t->main_us);
        any |= m->alive;
        main |= m->alive && m->main;
    }
    us[SMI_TREE_OF_MAIN] = t->main_us;
    us[SMI_TREE_OF_DESCENDANTS] = at_least_zero(all - t->main_us, 0);
    if (t->samples == 1 && !t->reaper) /* what there was before tracking began */
        memcpy(t->base_us, us, sizeof us);
    us[SMI_TREE_OF_ALL] = 0;
    for (int part = SMI_TREE_OF_MAIN; part < SMI_TREE_OF_ALL; part++) {
        us[part] = at_least_zero(us[part] - t->base_us[part], t->cpu_us[part]);
        us[SMI_TREE_OF_ALL] += us[part];
    }
    for (int part = 0; part < SMI_TREE_PARTS; part++) {
        by = us[part] - t->cpu_us[part];
        if (out->span_us > 0 && (part == SMI_TREE_OF_MAIN ? main || t->main_before : any || t->any_before))
            share = smi_i128_div((smi_i128)by * 100000000, out->span_us);
        else
            share = (smi_i128)INT64_MAX + 1;
        out->of[part].has_cpu = share <= INT64_MAX;
        out->of[part].cpu_micro_pct = share <= INT64_MAX ? (int64_t)share : 0;
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
    line = smi_tree_text(t, m->pid, name, SMI_TREE_BUF);
    for (struct smi_text word; (word = smi_text_word(&line)).n;) {
        char path[SMI_TREE_PATH];
        int64_t pid = read_whole_number(word, INT32_MAX);
        if (pid <= 0 || smi_tree_pid(t, (int32_t)pid) || (kill((pid_t)pid, 0) && errno != EPERM))
            continue;
        snprintf(path, sizeof path, "%s/%d/stat", t->proc, (int)pid);
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

static struct smi_text first_word(struct smi_text t)
{
    const char *blank = t.n ? memchr(t.p, ' ', t.n) : NULL;
    return blank ? (struct smi_text){t.p, (size_t)(blank - t.p)} : t;
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
           same_name(last_piece(first_word(name)), last_piece(first_word(other)));
}

enum smi_tree_name_matches smi_tree_name_matches(struct smi_tree *t, pid_t pid, const char *name)
{
    static const char deleted[] = " (deleted)";
    const struct smi_text is = smi_text_of(name);
    char link[SMI_TREE_LINE], path[SMI_TREE_PATH];
    struct smi_tree_stat s;
    struct smi_text line;
    ssize_t n;
    if (!is.n || smi_tree_stat_of(t, (int32_t)pid, -1, &s) != SMI_TREE_GOT)
        return SMI_TREE_NAME_UNKNOWN;
    snprintf(path, sizeof path, "%s/%d/exe", t->proc, (int)pid);
    n = readlink(path, link, sizeof link); /* the program that it runs */
    if (n > (ssize_t)sizeof deleted &&
        memcmp(link + n - (sizeof deleted - 1), deleted, sizeof deleted - 1) == 0)
        n -= (ssize_t)sizeof deleted - 1;
    if (fits_cut_name(is, smi_text_of(s.comm)) ||
        fits_cut_name(is, (struct smi_text){link, n > 0 ? (size_t)n : 0}))
        return SMI_TREE_NAMED_SO;
    line = smi_tree_text(t, (int32_t)pid, "cmdline", SMI_TREE_LINE);
    line.n = strnlen(line.p, line.n);
    return fits_cut_name(is, line) ? SMI_TREE_NAMED_SO : SMI_TREE_NAMED_OTHERWISE;
}

enum { STATUS = 16384 };

/* What may be kept open, two for each process. */
static int descriptors(const struct smi_tree_opts *o)
{
    struct rlimit r;
    if (o->descriptors)
        return o->descriptors > 0 ? o->descriptors : 0;
    if (getrlimit(RLIMIT_NOFILE, &r) != 0)
        return 0;
    return r.rlim_cur / 4 > 2 * SMI_TREE_MEMBERS ? 2 * SMI_TREE_MEMBERS : (int)(r.rlim_cur / 4);
}

static struct smi_text read_status(struct smi_tree *t, int32_t pid)
{
    return smi_tree_text(t, pid, "status", STATUS);
}

struct smi_tree *smi_tree_open(const struct smi_tree_opts *o)
{
    struct smi_tree *t = smi_mem_new(1, sizeof *t);
    long hz = sysconf(_SC_CLK_TCK);
    struct smi_tree_stat s;
    int32_t pid;
    t->buf = smi_mem_raw(SMI_TREE_BUF);
    snprintf(t->proc, sizeof t->proc, "%s", o->proc ? o->proc : "/proc");
    t->main = o->main;
    t->reaper = o->reaper;
    t->tick_us = hz > 0 ? 1000000 / hz : 10000;
    t->page = sysconf(_SC_PAGESIZE);
    t->fds_max = descriptors(o);
    t->dir = opendir(t->proc);
    if (!t->dir && errno == ENOMEM)
        smi_mem_exhausted();
    /* a thread has files too, but is not listed, and nobody's parent: its process is meant */
    pid = smi_tree_tgid(read_status(t, t->main));
    t->main = pid > 0 ? pid : t->main;
    if (smi_tree_stat_of(t, t->main, -1, &s) == SMI_TREE_GOT && smi_tree_join(t, t->main, s.start))
        t->had_main = t->member[0].main = true;
    return t;
}

/* Children that proc does not show count, and nothing else is known of them. The first process of a machine
 * is shown to everybody where others are. */
static void count_processes(struct smi_tree *t, struct smi_tree_sample *out)
{
    struct smi_tree_usage *u = &out->of[SMI_TREE_OF_DESCENDANTS];
    bool hides = t->listed && t->knowns && !smi_tree_pid(t, 1);
    for (size_t i = 0; i < t->members; i++) {
        const struct smi_tree_member *m = &t->member[i];
        struct smi_tree_usage *own = &out->of[m->main ? SMI_TREE_OF_MAIN : SMI_TREE_OF_DESCENDANTS];
        if (!m->alive)
            continue;
        own->processes++;
        own->threads += m->threads;
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
    out->span_us = span;
    t->samples++;
    t->beyond = 0;
    t->listed = t->dir;
    /* New ones first, then those that are members: a parent that is seen now was alive when its child was
     * read. */
    if (t->dir)
        smi_tree_list_pids(t);
    smi_tree_members_read(t);
    smi_tree_add_finished_cpu(t);
    smi_tree_forget_gone(t);
    if (t->listed)
        smi_tree_adopt(t);
    smi_tree_strangers_age(t);
    smi_tree_ram_read(t, span);
    smi_tree_ram(t, out);
    smi_tree_cpu(t, out);
    count_processes(t, out);
    out->beyond = t->beyond;
    t->span_us = span;
    t->at_us = now_us;
}

/* ---- who is who ---- */

static bool has_inner(struct smi_tree *t, struct smi_tree_member *m, int64_t pid)
{
    struct smi_tree_stat s;
    bool has = false;
    if (m->inner_pids < 0) {
        m->inner_pids = smi_tree_inner_pids(read_status(t, m->pid), m->inner);
        if (smi_tree_stat_of(t, m->pid, m->fd[0], &s) != SMI_TREE_GOT || s.start != m->start)
            m->inner_pids = 0; /* the process has ended: the status may be another one's */
    }
    for (int i = 0; i < m->inner_pids && !has; i++)
        has = m->inner[i] == pid;
    return has;
}

bool smi_tree_candidate_process(struct smi_tree *t, int64_t pid, size_t *at,
                                struct smi_tree_candidate_process *m)
{
    struct smi_tree_member *own = pid > 0 ? smi_tree_member(t, pid) : NULL;
    if (*at == 0 && own) {
        ++*at;
        *m = (struct smi_tree_candidate_process){own->pid, own->main, false};
        return true;
    }
    for (*at += *at == 0; pid > 0 && *at <= t->members; ++*at) {
        struct smi_tree_member *x = &t->member[*at - 1];
        if (x == own || !has_inner(t, x, pid))
            continue;
        ++*at;
        *m = (struct smi_tree_candidate_process){x->pid, x->main, true};
        return true;
    }
    return false;
}

bool smi_tree_next(const struct smi_tree *t, size_t *at, struct smi_tree_process *p)
{
    const struct smi_tree_member *m;
    smi_i128 pct = 0;
    while (*at < t->members && !t->member[*at].alive)
        ++*at;
    if (*at >= t->members)
        return false;
    m = &t->member[(*at)++];
    *p = (struct smi_tree_process){.pid = m->pid,
                                   .start = m->start,
                                   .main = m->main,
                                   .threads = m->threads,
                                   .cpu_us = m->own * t->tick_us,
                                   .has_ram = smi_tree_has_ram(m)};
    memcpy(p->comm, m->comm, sizeof p->comm);
    if (p->has_ram)
        smi_tree_ram_of(t, m, &p->ram);
    if (t->span_us > 0)
        pct = smi_i128_div((smi_i128)(m->own - m->own_before) * t->tick_us * 100000000, t->span_us);
    p->has_cpu = t->span_us > 0 && pct <= INT64_MAX;
    p->cpu_micro_pct = p->has_cpu ? (int64_t)pct : 0;
    return true;
}

void smi_tree_close(struct smi_tree *t)
{
    if (!t)
        return;
    for (size_t i = 0; i < t->members; i++)
        smi_tree_member_fini(t, &t->member[i]);
    if (t->dir)
        closedir(t->dir);
    smi_tree_table_fini(&t->paths);
    smi_tree_table_fini(&t->each);
    smi_mem_free(t->member);
    smi_map_fini(&t->by_pid);
    smi_mem_free(t->known);
    smi_mem_free(t->fresh);
    smi_mem_free(t->candidate);
    smi_mem_free(t->buf);
    smi_mem_free(t);
}
