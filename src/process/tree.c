#include "process/tree.h"

#include "process/tree_private.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

/* ---- children that proc does not show ---- */

/* Children that /proc does not show, where it is mounted with hidepid: those of other users, as sudo has
 * them. Each thread's list of its children has them all the same ("23435 23436 "). */

/* The first process is there always, and shown to everybody where others are. */
static bool proc_hides_pids(const struct smi_tree *t)
{
    return t->listed && t->knowns && !smi_tree_pid(t, 1);
}

/* It lives, and nothing tells of it. */
static bool is_hidden(const struct smi_tree *t, int32_t pid)
{
    char path[SMI_TREE_PATH];
    if (smi_tree_pid(t, pid) || (kill(pid, 0) && errno != EPERM))
        return false;
    snprintf(path, sizeof path, "%s/%d/stat", t->proc, (int)pid);
    return access(path, F_OK) && errno == ENOENT;
}

static int children_of(struct smi_tree *t, const struct smi_tree_member *m)
{
    char name[64];
    int hidden = 0;
    struct smi_text line;
    snprintf(name, sizeof name, "task/%d/children", (int)m->pid);
    line = smi_tree_text(t, m->pid, name, SMI_TREE_BUF);
    for (struct smi_text word; (word = smi_text_word(&line)).n;) {
        int64_t pid;
        if (smi_text_parse_micro(word, &pid) == 0 && pid > 0 && pid / 1000000 <= INT32_MAX)
            hidden += is_hidden(t, (int32_t)(pid / 1000000));
    }
    return hidden;
}

/* hidden.c: how many children of members there are that proc does not show. */
static int read_hidden(struct smi_tree *t)
{
    int hidden = 0;
    for (size_t i = 0; proc_hides_pids(t) && i < t->members; i++)
        if (t->member[i].alive)
            hidden += children_of(t, &t->member[i]);
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

/* The program that it runs: a link's text. */
static struct smi_text program_name(const struct smi_tree *t, int32_t pid, char *to, size_t size)
{
    static const char deleted[] = " (deleted)";
    char path[SMI_TREE_PATH];
    ssize_t n;
    snprintf(path, sizeof path, "%s/%d/exe", t->proc, (int)pid);
    n = readlink(path, to, size);
    if (n > (ssize_t)sizeof deleted &&
        memcmp(to + n - (sizeof deleted - 1), deleted, sizeof deleted - 1) == 0)
        n -= (ssize_t)sizeof deleted - 1;
    return (struct smi_text){to, n > 0 ? (size_t)n : 0};
}

enum smi_tree_name_matches smi_tree_name_matches(struct smi_tree *t, pid_t pid, const char *name)
{
    const struct smi_text is = smi_text_of(name);
    char link[SMI_TREE_LINE];
    struct smi_tree_stat s;
    struct smi_text line;
    if (!is.n || smi_tree_stat_of(t, (int32_t)pid, -1, &s) != SMI_TREE_GOT)
        return SMI_TREE_NAME_UNKNOWN;
    if (fits_cut_name(is, smi_text_of(s.comm)) ||
        fits_cut_name(is, program_name(t, (int32_t)pid, link, sizeof link)))
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

/* A thread has files too, but is not listed, and nobody's parent: its process is meant. */
static void whole_process(struct smi_tree *t)
{
    struct smi_text status = read_status(t, t->main);
    int32_t pid = smi_tree_tgid(status);
    t->main = pid > 0 ? pid : t->main;
}

static int find_main(struct smi_tree *t)
{
    struct smi_tree_stat s;
    whole_process(t);
    if (smi_tree_stat_of(t, t->main, -1, &s) != SMI_TREE_GOT)
        return 0;
    if (smi_tree_join(t, t->main, s.start) < 0)
        return -1;
    if (t->members)
        t->had_main = t->member[0].main = true;
    return 0;
}

struct smi_tree *smi_tree_open(const struct smi_tree_opts *o, struct smi_err *err)
{
    struct smi_tree *t = smi_mem_new(1, sizeof *t);
    long hz = sysconf(_SC_CLK_TCK);
    if (!t || !(t->buf = smi_mem_raw(SMI_TREE_BUF))) {
        smi_tree_close(t);
        smi_err_nomem(err);
        return NULL;
    }
    snprintf(t->proc, sizeof t->proc, "%s", o->proc ? o->proc : "/proc");
    t->main = o->main;
    t->reaper = o->reaper;
    t->tick_us = hz > 0 ? 1000000 / hz : 10000;
    t->page = sysconf(_SC_PAGESIZE);
    t->fds_max = descriptors(o);
    t->dir = opendir(t->proc);
    if ((!t->dir && errno == ENOMEM) || find_main(t)) {
        smi_tree_close(t);
        smi_err_nomem(err);
        return NULL;
    }
    return t;
}

static void count_processes(const struct smi_tree *t, struct smi_tree_sample *out)
{
    for (size_t i = 0; i < t->members; i++) {
        const struct smi_tree_member *m = &t->member[i];
        struct smi_tree_usage *u = &out->of[m->main ? SMI_TREE_OF_MAIN : SMI_TREE_OF_DESCENDANTS];
        if (!m->alive)
            continue;
        u->processes++;
        u->threads += m->threads;
        out->main_alive |= m->main;
    }
    out->of[SMI_TREE_OF_ALL].processes = out->of[0].processes + out->of[1].processes;
    out->of[SMI_TREE_OF_ALL].threads = out->of[0].threads + out->of[1].threads;
}

/* They count, and nothing else is known of them. */
static void count_hidden(struct smi_tree *t, struct smi_tree_sample *out)
{
    struct smi_tree_usage *u = &out->of[SMI_TREE_OF_DESCENDANTS];
    out->hidden = read_hidden(t);
    out->denied += out->hidden;
    if (out->hidden && u->processes == 0)
        u->has_ram = u->has_cpu = false;
    u->processes += out->hidden;
    out->of[SMI_TREE_OF_ALL].processes += out->hidden;
}

/* New ones first, then those that are members: a parent that is seen now was alive when its child was read.
 */
static int sample_members(struct smi_tree *t, int64_t span_us)
{
    t->beyond = 0;
    t->listed = t->dir;
    if (t->dir && smi_tree_list_pids(t))
        return -1;
    smi_tree_members_read(t);
    smi_tree_add_finished_cpu(t);
    smi_tree_forget_gone(t);
    if (t->listed && smi_tree_adopt(t))
        return -1;
    smi_tree_strangers_age(t);
    return smi_tree_ram_read(t, span_us);
}

int smi_tree_read(struct smi_tree *t, int64_t now_us, struct smi_tree_sample *out, struct smi_err *err)
{
    int64_t span = t->samples && now_us > t->at_us ? now_us - t->at_us : 0;
    memset(out, 0, sizeof *out);
    out->t_us = now_us;
    out->span_us = span;
    t->samples++;
    if (sample_members(t, span) || smi_tree_ram(t, out)) {
        t->samples--;
        t->knowns = 0; /* processes that were left out are looked at again */
        memset(out, 0, sizeof *out);
        return smi_err_nomem(err);
    }
    smi_tree_cpu(t, out);
    count_processes(t, out);
    out->beyond = t->beyond;
    count_hidden(t, out);
    t->span_us = span;
    t->at_us = now_us;
    return 0;
}

/* ---- who is who ---- */

static void inner_pids(struct smi_tree *t, struct smi_tree_member *m)
{
    struct smi_tree_stat s;
    m->inner_pids = smi_tree_inner_pids(read_status(t, m->pid), m->inner);
    if (smi_tree_stat_of(t, m->pid, m->fd[0], &s) != SMI_TREE_GOT || s.start != m->start)
        m->inner_pids = 0; /* it has ended: whose status was it? */
}

static bool has_inner(struct smi_tree *t, struct smi_tree_member *m, int64_t pid)
{
    if (m->inner_pids < 0)
        inner_pids(t, m);
    for (int i = 0; i < m->inner_pids; i++)
        if (m->inner[i] == pid)
            return true;
    return false;
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
