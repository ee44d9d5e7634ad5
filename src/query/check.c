/* check.c - the verdicts on a sweep: put in order, counted; and the limit on findings. */
#include "query/check.h"

#include "summary/findings.h"
#include "summary/run_notes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct smi_check_limit *smi_check_add_limit(struct smi_check *c, const char *text, struct smi_err *err)
{
    struct smi_check_limit *l;
    if (smi_mem_reserve(&c->limit, &c->cap, c->n + 1, sizeof *c->limit)) {
        smi_err_nomem(err);
        return NULL;
    }
    l = &c->limit[c->n];
    l->text = smi_arena_text(&c->arena, text, strlen(text));
    l->of = smi_arena_new(&c->arena, c->sweep->n + 1, sizeof *l->of);
    if (!l->text || !l->of) {
        smi_err_nomem(err);
        return NULL;
    }
    for (size_t i = 0; smi_sweep_has_run(c->sweep, i); i++)
        l->of[i] = (struct smi_check_case){.run = i, .verdict = SMI_VERDICT_HOLDS};
    c->n++;
    return l;
}

/* --- why there is no value --- */

/* Of the sentences about a run that which says why a column is empty. */
static const char *problem_of(const struct smi_summary *s, const char *name)
{
    static const struct {
        const char *column, *about;
    } of[] = {{"cpu", "CPU"},         {"power", "power"},    {"energy", "power"}, {"energy", "times"},
              {"gpu_util", "utiliz"}, {"idle", "utiliz"},    {"idle", "times"},   {"wasted", "utiliz"},
              {"wasted", "times"},    {"vram", "memory"},    {"hours", "times"},  {"duration", "times"},
              {"covered", "times"},   {"throttled", "times"}};
    for (size_t k = 0; k < sizeof of / sizeof *of; k++)
        for (size_t i = 0; i < s->nproblems && strstr(name, of[k].column); i++)
            if (strncmp(s->problems[i], "no ", 3) == 0 && strstr(s->problems[i], of[k].about))
                return s->problems[i];
    return NULL;
}

bool smi_check_is_energy(const struct smi_summary *s, const char *column)
{
    return strcasecmp(column, "energy_wh") == 0 || (strcasecmp(column, "co2_g") == 0 && s->co2_g.has);
}

bool smi_check_is_part(const struct smi_summary *s, const char *column)
{
    return s->energy_part && smi_check_is_energy(s, column);
}

static const char *no_value(struct smi_buf *b, const struct smi_summary *s, const char *name)
{
    const char *problem = problem_of(s, name);
    if (smi_check_is_part(s, name))
        smi_buf_fmt(b, "%s is of %s", name, s->energy_part);
    else
        smi_buf_fmt(b, "no %s", name);
    if (problem)
        smi_buf_fmt(b, ": %s", problem);
    return b->failed ? NULL : b->p;
}

const char *smi_check_missing_reason(struct smi_check *c, size_t run, const char *name, struct smi_err *err)
{
    const struct smi_summary *s = &c->sweep->runs[run];
    struct smi_buf b = {0};
    const char *text = !smi_run_has_gpu_data(s) ? smi_run_no_data_reason(s)
                       : name                   ? no_value(&b, s, name)
                                                : "no value";
    text = text ? smi_arena_text(&c->arena, text, strlen(text)) : NULL;
    smi_buf_fini(&b);
    if (!text)
        smi_err_nomem(err);
    return text;
}

/* --- findings --- */

static const struct smi_finding *worst_of(const struct smi_summary *s, enum smi_level level)
{
    const struct smi_finding *worst = NULL;
    for (size_t i = 0; i < s->nfindings; i++) {
        const struct smi_finding *f = &s->findings[i];
        if (f->level >= level &&
            (!worst || f->level > worst->level || (f->level == worst->level && f->gpu_ms > worst->gpu_ms)))
            worst = f;
    }
    return worst;
}

/* Why no rule could say anything of a run with GPU data. */
static const char *why_not_judged(const struct smi_summary *s)
{
    bool apart = false, timed = false;
    for (size_t i = 0; i < s->ngpus; i++) {
        apart |= !s->gpus[i].pooled;
        timed |= !s->gpus[i].pooled && (s->gpus[i].has_span || s->gpus[i].covered_ms > 0);
    }
    return timed   ? "too short for findings"
           : apart ? "no times in the GPU logs, so no findings"
                   : "GPUs that could not be told apart, so no findings (--gpu-count N)";
}

/* A run of which nothing is found may have failed all the same. */
static int judge_findings(struct smi_check *c, struct smi_check_case *k, enum smi_level level,
                          struct smi_err *err)
{
    const struct smi_summary *s = &c->sweep->runs[k->run];
    const struct smi_finding *f = worst_of(s, level);
    if (f || s->state == SMI_STATE_FAILED) {
        k->verdict = SMI_VERDICT_BROKEN;
        k->value = f ? f->note : s->state_reason ? s->state_reason : "failed";
        k->rank = (double)(f ? f->gpu_ms : s->covered_ms) + 1e15 * (f ? f->level : SMI_LEVEL_ERROR);
    } else if (smi_run_note_of(s) == SMI_NOTE_NO_DATA) {
        k->verdict = SMI_VERDICT_UNMEASURABLE;
        k->why = smi_check_missing_reason(c, k->run, NULL, err);
        return k->why ? 0 : -1;
    } else if (!s->judged) {
        k->verdict = SMI_VERDICT_UNMEASURABLE;
        k->why = why_not_judged(s);
    }
    return 0;
}

int smi_check_findings(struct smi_check *c, enum smi_level level, struct smi_err *err)
{
    struct smi_check_limit *l;
    char text[64] = "no finding of level ";
    strcat(strcat(text, smi_level_names[level]), " or above");
    if (level == SMI_LEVEL_ERROR)
        strcpy(text, "no finding of level error");
    l = smi_check_add_limit(c, text, err);
    for (size_t i = 0; l && smi_sweep_has_run(c->sweep, i); i++)
        if (judge_findings(c, &l->of[i], level, err))
            return -1;
    return l ? 0 : -1;
}

/* --- runs that are not here --- */

int smi_check_add_gone(struct smi_check *c, struct smi_text name, bool expected, struct smi_err *err)
{
    if (smi_mem_reserve(&c->gone, &c->gone_cap, c->ngone + 1, sizeof *c->gone))
        return smi_err_nomem(err);
    c->gone[c->ngone] = (struct smi_check_gone){smi_arena_text(&c->arena, name.p, name.n), expected};
    return c->gone[c->ngone++].name ? 0 : smi_err_nomem(err);
}

size_t smi_check_count_gone(const struct smi_check *c, bool expected)
{
    size_t n = 0;
    for (size_t i = 0; i < c->ngone; i++)
        n += c->gone[i].expected == expected;
    return n;
}

static int by_name(const void *x, const void *y)
{
    return strcmp(*(const char *const *)x, *(const char *const *)y);
}

/* A line as one writes it: blanks around it, and a '/' behind the name of a directory. */
static struct smi_text next_name(struct smi_text *rest)
{
    const char *end = memchr(rest->p, '\n', rest->n);
    size_t n = end ? (size_t)(end - rest->p) : rest->n;
    struct smi_text name = smi_text_trim((struct smi_text){rest->p, n});
    rest->p += n + (end != NULL);
    rest->n -= n + (end != NULL);
    while (name.n > 1 && strchr("/\r", name.p[name.n - 1]))
        name.n--;
    return name;
}

/* Each name that no run has is listed as gone. */
static int list_absent(struct smi_check *c, struct smi_text names, struct smi_err *err)
{
    const char **run = smi_mem_new(c->sweep->n + 1, sizeof *run), *key;
    int rc = run ? 0 : smi_err_nomem(err);
    for (size_t i = 0; run && i < c->sweep->n; i++)
        run[i] = c->sweep->runs[i].run;
    if (run)
        qsort(run, c->sweep->n, sizeof *run, by_name);
    while (names.n && !rc) {
        struct smi_text name = next_name(&names);
        key = smi_arena_text(&c->arena, name.p, name.n);
        c->expected += name.n > 0;
        if (!key)
            rc = smi_err_nomem(err);
        else if (name.n && !bsearch(&key, run, c->sweep->n, sizeof *run, by_name))
            rc = smi_check_add_gone(c, name, true, err);
    }
    smi_mem_free(run);
    return rc;
}

int smi_check_expected(struct smi_check *c, size_t n, struct smi_text names, struct smi_err *err)
{
    const size_t before = c->ngone, here = c->sweep->n;
    char text[64];
    if (list_absent(c, names, err))
        return -1;
    c->absent = c->ngone - before;
    c->expected = n > c->expected ? n : c->expected;
    if (n <= here || n - here <= c->absent)
        return 0;
    snprintf(text, sizeof text, "%zu of %zu runs", n - here - c->absent, n);
    c->absent = n - here;
    return smi_check_add_gone(c, smi_text_of(text), true, err);
}

/* --- the end --- */

/* Broken, not judged, holding; the worst first, of equals the first by name. */
static int by_trouble(const void *x, const void *y)
{
    const struct smi_check_case *a = x, *b = y;
    if (a->verdict != b->verdict)
        return a->verdict < b->verdict ? -1 : 1;
    if (a->verdict == SMI_VERDICT_BROKEN && a->rank != b->rank)
        return a->rank > b->rank ? -1 : 1;
    return (a->run > b->run) - (a->run < b->run);
}

int smi_check_close(struct smi_check *c, struct smi_err *err)
{
    unsigned char *worst = smi_arena_new(&c->arena, c->sweep->n + 1, 1);
    if (!worst)
        return smi_err_nomem(err);
    memset(worst, SMI_VERDICT_HOLDS, c->sweep->n);
    for (size_t i = 0; i < c->n; i++) {
        struct smi_check_limit *l = &c->limit[i];
        for (size_t k = 0; smi_sweep_has_run(c->sweep, k); k++) {
            l->broken += l->of[k].verdict == SMI_VERDICT_BROKEN;
            l->unjudged += l->of[k].verdict == SMI_VERDICT_UNMEASURABLE;
            if (l->of[k].verdict < worst[k])
                worst[k] = (unsigned char)l->of[k].verdict;
        }
        c->broken += l->broken > 0;
        if (c->sweep->n)
            qsort(l->of, c->sweep->n, sizeof *l->of, by_trouble);
    }
    for (size_t k = 0; smi_sweep_has_run(c->sweep, k); k++) {
        c->broken_runs += worst[k] == SMI_VERDICT_BROKEN;
        c->unjudged_runs += worst[k] == SMI_VERDICT_UNMEASURABLE;
    }
    return 0;
}

bool smi_check_has_unmeasurable(const struct smi_check *c)
{
    return c->absent || ((c->unjudged_runs || c->ngone) && !c->allow_missing);
}

void smi_check_fini(struct smi_check *c)
{
    smi_mem_free(c->limit);
    smi_mem_free(c->gone);
    smi_arena_fini(&c->arena);
    *c = (struct smi_check){0};
}
