/* run.c - a run as it is read: its parameters, what its command used, the zone of its times */
#include "base/buf.h"
#include "summary/gpus.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct smi_param *smi_run_param(const struct smi_summary *s, const char *key)
{
    for (size_t i = 0; i < s->njoined; i++)
        if (s->joined[i].key == key) /* the sweep's own text: a parameter may have the same name */
            return &s->joined[i];
    for (size_t i = 0; i < s->nparams; i++)
        if (strcmp(s->params[i].key, key) == 0)
            return &s->params[i];
    return NULL;
}

const char *smi_param_text(const struct smi_param *list, size_t n, const char *key)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(list[i].key, key) == 0)
            return list[i].text;
    return NULL;
}

int smi_compare_names(const void *a, const void *b)
{
    return smi_text_compare_natural(*(const char *const *)a, *(const char *const *)b);
}

bool smi_param_in_name(const char *name, const struct smi_param *q)
{
    size_t n = strlen(q->key), len = strlen(q->text);
    for (const char *p = name; n && (p = strstr(p, q->key)); p++) {
        const char *v = p + n + (p[n] && strchr("=-_", p[n]));
        if (p > name && !strchr("/,_-+ ", p[-1]))
            continue;
        if (strncmp(v, q->text, len) == 0 && (v[len] == 0 || strchr("/,_-+ ", v[len])))
            return true;
    }
    return false;
}

bool smi_param_is_repeat(const char *key)
{
    static const char *const names[] = {"seed", "rep", "fold", "trial", "random_seed", "random_state"};
    const char *dot = strrchr(key, '.');
    key = dot && dot[1] ? dot + 1 : key; /* of train.seed */
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (smi_text_is_nocase(smi_text_of(key), names[i]))
            return true;
    return false;
}

const struct smi_command_use smi_command_uses[SMI_COMMAND_USES] = {
    {"CPU", "of a core", true, true, {SMI_TREE_CPU, SMI_TREE_CPU_MAIN, SMI_TREE_CPU_CHILDREN}},
    {"memory", NULL, false, true, {SMI_TREE_RAM, SMI_TREE_RAM_MAIN, SMI_TREE_RAM_CHILDREN}},
    {"private memory", NULL, false, false, {SMI_TREE_RAM_PRIVATE, -1, -1}},
    {"shared memory", NULL, false, false, {SMI_TREE_RAM_SHARED, -1, -1}},
    {"GPU memory", NULL, false, true, {SMI_TREE_FB, SMI_TREE_FB_MAIN, SMI_TREE_FB_CHILDREN}},
    {"threads", NULL, false, false, {SMI_TREE_THREADS, SMI_TREE_THREADS_MAIN, SMI_TREE_THREADS_CHILDREN}},
    {"processes", NULL, false, true, {SMI_TREE_PROCS, -1, -1}},
};

struct smi_command_figures smi_command_figures(const struct smi_summary *s, const struct smi_command_use *u,
                                               enum smi_command_part part)
{
    const size_t at = (size_t)(u - smi_command_uses) * SMI_COMMAND_PARTS + part;
    return at < s->nused ? s->used[at] : (struct smi_command_figures){.there = false};
}

bool smi_command_is_tracked(const struct smi_summary *s)
{
    bool some = s->command != NULL;
    for (int i = 0; i < SMI_COMMAND_USES && !some; i++)
        some = smi_command_figures(s, &smi_command_uses[i], SMI_COMMAND_ALL).there;
    return some;
}

bool smi_command_is_metric(unsigned metric)
{
    return metric >= SMI_TREE_CPU && metric <= SMI_TREE_PROCS;
}

bool smi_command_is_detail(unsigned metric)
{
    bool detail = smi_command_is_metric(metric);
    for (const struct smi_command_use *u = smi_command_uses; u < smi_command_uses + SMI_COMMAND_USES; u++)
        detail &= !u->brief || u->metric[SMI_COMMAND_ALL] != (int)metric;
    return detail;
}

void smi_run_add_problem(struct smi_run *r, const char *fmt, ...)
{
    struct smi_buf b = {0};
    va_list ap;
    va_start(ap, fmt);
    smi_buf_vfmt(&b, fmt, ap);
    va_end(ap);
    *SMI_MEM_ADD(r->problem, r->problems, r->problems_cap) = smi_buf_keep(&b, &r->texts);
}

void smi_run_add_warning(struct smi_run *r, const char *path, const char *text, bool used)
{
    *SMI_MEM_ADD(r->doubt, r->doubts, r->doubts_cap) = (struct smi_run_warning){
        .path = smi_copy_text(&r->texts, path), .text = smi_copy_text(&r->texts, text), .used = used};
}

void smi_run_add_part(struct smi_run *r, struct smi_input_stats *p)
{
    p->account.changes = 0; /* it tells whether chunks of a log fit together, and is no part of a summary */
    *SMI_MEM_ADD(r->part, r->parts, r->cap) = p;
}

/* Appends to a list of *n. */
static void append_param(struct smi_run *r, struct smi_run_param **list, size_t *n, struct smi_run_param p)
{
    size_t cap = *n;
    p.key = smi_copy_text(&r->texts, p.key);
    p.text = smi_copy_text(&r->texts, p.text);
    *SMI_MEM_ADD(*list, *n, cap) = p;
}

void smi_run_add_param(struct smi_run *r, const char *key, const char *text, bool bare, bool file)
{
    append_param(r, &r->param, &r->params, (struct smi_run_param){key, text, bare, file, false});
}

const char *smi_run_fact(const struct smi_run *r, const char *key)
{
    for (size_t i = 0; i < r->facts; i++)
        if (strcmp(r->fact[i].key, key) == 0)
            return r->fact[i].text;
    return NULL;
}

void smi_run_add_fact(struct smi_run *r, const char *key, const char *text, bool bare)
{
    if (!smi_run_fact(r, key))
        append_param(r, &r->fact, &r->facts, (struct smi_run_param){key, text, bare, true, false});
}

void smi_run_fini(struct smi_run *r)
{
    for (size_t i = 0; i < r->parts; i++)
        smi_input_stats_free(r->part[i]);
    smi_mem_free(r->param);
    smi_mem_free(r->fact);
    smi_mem_free(r->doubt);
    smi_mem_free(r->part);
    smi_mem_free(r->problem);
    smi_runlog_fini(&r->log);
    smi_arena_fini(&r->texts);
    smi_arena_fini(&r->room);
    *r = (struct smi_run){0};
}

/* ---- the zone ---- */

/* Offsets in use, in minutes, besides the whole hours from -12 to +14. */
static const int odd_offsets[] = {-570, -210, -150, 210, 270, 330, 345, 390, 525, 570, 630, 765, 825};

enum { OFFSETS = 27 + 13 };

static int64_t offset_ms(int i)
{
    return i < 27 ? (int64_t)(i - 12) * 3600000 : (int64_t)odd_offsets[i - 27] * 60000;
}

bool smi_zone_nearest(int64_t d, int64_t tol, int *offset_s)
{
    int within = 0, at = 0;
    for (int i = 0; i < OFFSETS; i++)
        if (llabs(d - offset_ms(i)) <= tol) {
            within++;
            at = i;
        }
    if (within == 1)
        *offset_s = (int)(offset_ms(at) / 1000);
    return within == 1;
}

static bool best_overlap(int64_t g0, int64_t g1, int64_t u0, int64_t u1, int *offset_s)
{
    int64_t best = 0, second = 0, shorter = g1 - g0 < u1 - u0 ? g1 - g0 : u1 - u0;
    int at = 0;
    for (int i = 0; i < OFFSETS; i++) {
        const int64_t o = smi_overlap(g0 - offset_ms(i), g1 - offset_ms(i), u0, u1);
        if (o > best) {
            second = best;
            best = o;
            at = i;
        } else if (o > second) {
            second = o;
        }
    }
    if (!best || best * 10 < shorter * 9 || second * 2 > best)
        return false;
    *offset_s = (int)(offset_ms(at) / 1000);
    return true;
}

bool smi_zone_infer(int64_t g0, int64_t g1, int64_t u0, int64_t u1, int64_t iv, int *offset_s)
{
    int by_end = 0;
    if (smi_zone_nearest(g0 - u0, 3 * iv > 10000 ? 3 * iv : 10000, offset_s))
        return true;
    if (!smi_zone_nearest(g1 - u1, 3 * iv / 2 > 10000 ? 3 * iv / 2 : 10000, &by_end) ||
        g0 - by_end * (int64_t)1000 > u1 || g1 - by_end * (int64_t)1000 < u0) /* a range may be one instant */
        return best_overlap(g0, g1, u0, u1, offset_s);
    *offset_s = by_end;
    return true;
}
