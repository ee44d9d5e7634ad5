/* Lines as they are in /proc/PID:
 *
 *     stat    23435 (cat) R 23429 23435 23429 34816 23435 4194304 98 0 0 0 0 0 0 0 20 0 1 0 24112 3133440 380
 * ... statm   765 441 413 5 0 123 0 status  NSpid:	23435	17
 *
 * The name in stat may hold blanks and parentheses: it ends with the last ")". */
#include "live/cgroup.h"
#include "process/tree_private.h"

#include <stdio.h>

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
    int64_t v = 0;
    if (!t.n)
        return -1;
    for (size_t i = 0; i < t.n; i++) {
        if (t.p[i] < '0' || t.p[i] > '9')
            return -1;
        v = v * 10 + (t.p[i] - '0');
        if (v > limit)
            return -1;
    }
    return v;
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
    char path[40], room[SMI_CGROUP_FILE];
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

/* What is behind a key of status, which begins with a line feed: names may hold anything else. */
static struct smi_text text_after(struct smi_text t, const char *key)
{
    const char *line = t.n ? memmem(t.p, t.n, key, strlen(key)) : NULL, *end;
    end = line ? memchr(line + 1, '\n', (size_t)(t.p + t.n - line - 1)) : NULL;
    if (!end)
        return (struct smi_text){NULL, 0};
    line += strlen(key);
    return (struct smi_text){line, (size_t)(end - line)};
}

int32_t smi_tree_tgid(struct smi_text t)
{
    return (int32_t)read_whole_number(smi_text_trim(text_after(t, "\nTgid:")), INT32_MAX);
}

int smi_tree_inner_pids(struct smi_text t, int32_t pid[SMI_TREE_INNER])
{
    int n = 0;
    t = text_after(t, "\nNSpid:");
    smi_text_word(&t);
    while (n < SMI_TREE_INNER) {
        int64_t v = read_whole_number(smi_text_word(&t), INT32_MAX);
        if (v <= 0)
            return n;
        pid[n++] = (int32_t)v;
    }
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

static void cpu_share(struct smi_tree_usage *u, int64_t by_us, int64_t span_us)
{
    smi_i128 v = smi_i128_div((smi_i128)by_us * 100000000, span_us);
    u->has_cpu = v <= INT64_MAX;
    u->cpu_micro_pct = u->has_cpu ? (int64_t)v : 0;
}

/* The times of all parts now; before the first sample has said where they begin, all that there was. */
static void add_cpu_times(struct smi_tree *t, int64_t us[SMI_TREE_PARTS])
{
    int64_t all = t->gone_us;
    for (size_t i = 0; i < t->members; i++) {
        const struct smi_tree_member *m = &t->member[i];
        all = smi_tree_sum(all, (m->own + m->children) * t->tick_us);
        if (m->main)
            t->main_us = at_least_zero(m->own * t->tick_us, t->main_us);
    }
    us[SMI_TREE_OF_MAIN] = t->main_us;
    us[SMI_TREE_OF_DESCENDANTS] = at_least_zero(all - t->main_us, 0);
}

void smi_tree_cpu(struct smi_tree *t, struct smi_tree_sample *out)
{
    int64_t us[SMI_TREE_PARTS], by;
    bool main = false, any = false;
    add_cpu_times(t, us);
    if (t->samples == 1 && !t->reaper)
        memcpy(t->base_us, us, sizeof us);
    for (size_t i = 0; i < t->members; i++) {
        any |= t->member[i].alive;
        main |= t->member[i].alive && t->member[i].main;
    }
    us[SMI_TREE_OF_ALL] = 0;
    for (int part = SMI_TREE_OF_MAIN; part < SMI_TREE_OF_ALL; part++) {
        us[part] = at_least_zero(us[part] - t->base_us[part], t->cpu_us[part]);
        us[SMI_TREE_OF_ALL] += us[part];
    }
    for (int part = 0; part < SMI_TREE_PARTS; part++) {
        by = us[part] - t->cpu_us[part];
        if (out->span_us > 0 && (part == SMI_TREE_OF_MAIN ? main || t->main_before : any || t->any_before))
            cpu_share(&out->of[part], by, out->span_us);
        out->cpu_us[part] = t->cpu_us[part] = us[part];
    }
    t->main_before = main;
    t->any_before = any;
}
