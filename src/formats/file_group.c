/* file_group.c - the stem rule. A directory may hold the logs of one run under any names, or those of several
 * runs told apart by their names:   a_gpu.csv a_cpu.csv b_gpu.csv b_cpu.csv   are the runs a and b. */
#include "formats/file_group.h"

#include "formats/format.h"

#include <stdlib.h>

static const char *const endings[] = {".csv", ".txt", ".log", ".out", ".jsonl", ".json",
                                      ".tsv", ".gz",  ".zst", ".xz",  ".bz2"};
enum { PACKED = 7 /* the first of those that packers put there */ };
enum { GPU_ROLES = 10 /* the first roles are of logs of GPUs */ };
static const char *const roles[] = {
    "hw",     "gpu",         "gpus",   "nvidia", "smi",       "nvsmi",   "rocm",  "amd",  "dmon",
    "pmon",   "cpu",         "power",  "pwr",    "metrics",   "metric",  "stats", "stat", "usage",
    "util",   "utilization", "log",    "logs",   "telemetry", "monitor", "mon",   "vram", "mem",
    "memory", "temp",        "runlog", "events", "phases",    "proc",    "procs", "apps"};

enum { WHOLE, STEM, FULL, KEY, LEVELS }; /* finer and finer names for a run */

struct part {
    struct smi_file_group_member *file;
    const char *label[LEVELS]; /* WHOLE is "" */
    const char *less;          /* of those that are named for a GPU: without its number */
    int level, gpu;
    bool roles_only;
};

/* Length of the known ending of the first n bytes, from one of the list on, or 0. */
static size_t ending_from(size_t i, const char *name, size_t n)
{
    for (; i < sizeof endings / sizeof *endings; i++) {
        size_t len = strlen(endings[i]);
        if (n > len && smi_text_is_nocase((struct smi_text){name + n - len, len}, endings[i]))
            return len;
    }
    return 0;
}

/* Length of a ".1" that stands behind a known ending (a rotated part), or 0. */
static size_t rotation_suffix(const char *name, size_t n)
{
    size_t i = n;
    while (i > 0 && smi_is_digit(name[i - 1]))
        i--;
    return i > 1 && i < n && name[i - 1] == '.' && ending_from(0, name, i - 1) ? n - i + 1 : 0;
}

#define PARTS "-_. "
static bool parts_names(char c)
{
    return strchr(PARTS, c);
}

/* Is it nothing, or one of the first `of` roles? */
static bool is_role_of(const char *p, size_t n, size_t of)
{
    size_t i = 0;
    while (i < of && !smi_text_is_nocase((struct smi_text){p, n}, roles[i]))
        i++;
    return i < of || n == 0;
}

static bool is_role(const char *p, size_t n)
{
    return is_role_of(p, n, sizeof roles / sizeof *roles);
}

/* Bytes up to *last, of the first n, that are a number behind "gpu" ("0", "-12"), or 0. Only words for a role
 * stand behind: "gpu0_metrics". */
static size_t gpu_number(const char *name, size_t n, int *number, size_t *last)
{
    size_t i = n, end;
    while (i > 0 && !parts_names(name[i - 1]))
        i--;
    if (i > 1 && is_role(name + i, n - i))
        return gpu_number(name, i - 1, number, last);
    *last = i = n;
    while (i > 0 && n - i < 3 && smi_is_digit(name[i - 1]))
        i--;
    end = i > 0 && i < n && parts_names(name[i - 1]) ? i - 1 : i;
    if (i == n || end < 3 || !smi_text_is_nocase((struct smi_text){name + end - 3, 3}, "gpu"))
        return 0;
    for (*number = 0; i < n; i++)
        *number = *number * 10 + (name[i] - '0');
    return n - end;
}

/* log.csv.1.gz: the stem is log, and it is a part of log.csv. Returns the length of the stem. */
static size_t cut_length(const char *name, size_t *key)
{
    size_t n = strlen(name), more;
    *key = n;
    while ((more = ending_from(0, name, n)) || (more = rotation_suffix(name, n))) {
        if (rotation_suffix(name, n) || (*key == n && ending_from(PACKED, name, n)))
            *key = n - more;
        n -= more;
    }
    return n;
}

int smi_file_group_gpu(const char *name)
{
    size_t key, last;
    int number = -1;
    return strcasestr(name, "gpu") && gpu_number(name, cut_length(name, &key), &number, &last) ? number : -1;
}

bool smi_file_group_same_log(const char *a, const char *b)
{
    size_t n, m;
    cut_length(a, &n);
    cut_length(b, &m);
    return n == m && memcmp(a, b, n) == 0;
}

bool smi_file_group_is_packed_of(const char *name, const char *plain)
{
    size_t n = strlen(name), end = ending_from(PACKED, name, n);
    return end && n - end == strlen(plain) && memcmp(name, plain, n - end) == 0;
}

bool smi_file_group_has_ending(const char *name)
{
    return ending_from(0, name, strlen(name)) > 0;
}

bool smi_file_group_names_gpus(const char *name)
{
    for (const char *p = name; *p && smi_file_group_has_ending(name);) {
        size_t n = strcspn(p, PARTS);
        if (n && is_role_of(p, n, GPU_ROLES))
            return true;
        p += n + (p[n] != 0);
    }
    return false;
}

/* Less the role words at both ends; what is left may be nothing. */
static struct smi_text less_roles(const char *full)
{
    const char *b = full, *e = full + strlen(full), *p;
    for (; b < e; b = p < e ? p + 1 : e) {
        p = b + strcspn(b, PARTS);
        if (!is_role(b, (size_t)(p - b)))
            break;
    }
    for (; b<e; e = p> b ? p - 1 : b) {
        for (p = e; p > b && !parts_names(p[-1]);)
            p--;
        if (!is_role(p, (size_t)(e - p)))
            break;
    }
    return smi_text_between(b, e);
}

static void describe_log(struct smi_arena *a, struct part *p)
{
    struct smi_text rest;
    size_t keep, last, n = cut_length(p->file->name, &keep);
    char *less;
    p->label[WHOLE] = "";
    p->label[FULL] = smi_arena_text(a, p->file->name, n);
    p->label[KEY] = smi_arena_text(a, p->file->name, keep);
    p->less = less = smi_arena_text(a, p->file->name, n);
    p->gpu = -1;
    n = gpu_number(less, n, &p->gpu, &last);
    memmove(less + last - n, less + last, strlen(less + last) + 1);
    rest = less_roles(p->less);
    p->roles_only = !rest.n || smi_text_is_nocase(rest, "run");
    p->label[STEM] = p->roles_only ? p->less : smi_arena_text(a, rest.p, rest.n);
}

const char *smi_file_group_stem(struct smi_arena *a, const char *name)
{
    struct smi_file_group_member file = {.name = name};
    struct part p = {.file = &file};
    describe_log(a, &p);
    return p.roles_only ? "" : p.label[STEM];
}

static int by_label(const void *x, const void *y)
{
    const struct part *a = x, *b = y;
    int d = strcmp(a->label[a->level], b->label[b->level]);
    if (!d)
        d = (a->file->format > b->file->format) - (a->file->format < b->file->format);
    return d ? d : strcmp(a->label[KEY], b->label[KEY]);
}

/* Does the group hold one format twice? Not as rotated parts of one log, or as those of its GPUs. */
static bool holds_twice(const struct part *a, size_t n)
{
    const struct part *b = a + 1, *end = a + n;
    for (; b < end; b++, a++)
        if (a->file->format == b->file->format && strcmp(a->label[KEY], b->label[KEY]) != 0 &&
            (a->gpu < 0 || b->gpu < 0 || a->gpu == b->gpu || strcmp(a->less, b->less) != 0))
            return true;
    return false;
}

/* A RunLog or CPU CSV whose name says nothing, among several runs, belongs to none of them. */
static void separate_unnamed_logs(struct part *p, size_t n)
{
    bool alone = true;
    for (size_t i = 1; i < n; i++)
        alone = alone && strcmp(p[i].label[KEY], p[0].label[KEY]) == 0;
    for (size_t i = 0; i < n && !alone; i++)
        if (p[i].roles_only && p[i].file->format >= 0 && !smi_format_infos[p[i].file->format].gpu)
            p[i].level = KEY;
}

/* One round: every group that holds a format twice takes the next finer names. */
static void split_groups(struct part *p, size_t n, int level)
{
    size_t end;
    qsort(p, n, sizeof *p, by_label);
    for (size_t i = 0; i < n; i = end) {
        for (end = i + 1; end < n && strcmp(p[end].label[p[end].level], p[i].label[p[i].level]) == 0;)
            end++;
        if (holds_twice(p + i, end - i))
            for (size_t k = i; k < end; k++)
                p[k].level = level + 1;
        else if (level == STEM && p[i].level == STEM)
            separate_unnamed_logs(p + i, end - i);
    }
}

static int by_stem(const void *x, const void *y)
{
    const struct smi_file_group_member *a = x, *b = y;
    int d = strcmp(a->stem, b->stem);
    return d ? d : strcmp(a->name, b->name);
}

void smi_file_group_name_runs(struct smi_arena *a, struct smi_file_group_member *file, size_t n)
{
    struct part *p = smi_mem_new(n, sizeof *p);
    for (size_t i = 0; i < n; i++) {
        p[i].file = &file[i];
        describe_log(a, &p[i]);
    }
    for (int level = WHOLE; level < KEY; level++)
        split_groups(p, n, level);
    for (size_t i = 0; i < n; i++)
        p[i].file->stem = p[i].label[p[i].level];
    smi_mem_free(p);
    qsort(file, n, sizeof *file, by_stem);
}
