/* Lines as they are in /proc/PID:
 *
 *     stat    23435 (cat) R 23429 23435 23429 34816 23435 4194304 98 0 0 0 0 0 0 0 20 0 1 0 24112 3133440 380
 * ... statm   765 441 413 5 0 123 0 status  NSpid:	23435	17
 *
 * The name in stat may hold blanks and parentheses: it ends with the last ")". */
#include "process/tree_private.h"

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
