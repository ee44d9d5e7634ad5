/* check.c - the verdicts on a sweep: put in order, counted; and the limit on findings. */
#include "query/check.h"
#include "query/diff.h"
#include "query/query.h"
#include "summary/findings.h"
#include "summary/run_fields.h"
#include "sweep/config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* no run may be worse than it was: the columns that can become worse
 * (.worse in model/run_field.def), each against that of the run's pair in an earlier sweep, with a tolerance.
 */

enum { PERCENT = 1000000 };

/* One column of both sides. */
struct judge {
    struct smi_check *c;
    const struct smi_pairs *pairs; /* A is the baseline */
    struct smi_value *value[2];    /* of each pair in this column */
    const char *name;
    int way;                  /* 1: more is worse */
    int64_t least, tolerance; /* least: 0 where a tolerance of this very column was given */
    const struct smi_sweep *base;
    const char **alone; /* of each run without a pair: why it has none */
    struct smi_err *err;
};

/* Is it the energy of the run, or what follows from it alone? */
static bool is_energy(const struct smi_summary *s, const char *column)
{
    return strcasecmp(column, "energy_wh") == 0 || (strcasecmp(column, "co2_g") == 0 && s->co2_g.has);
}

/* Lists a run as gone. */
static void add_gone(struct smi_check *c, struct smi_text name, bool expected)
{
    smi_mem_reserve(&c->gone, &c->gone_cap, c->ngone + 1, sizeof *c->gone);
    c->gone[c->ngone++] = (struct smi_check_gone){smi_arena_text(&c->arena, name.p, name.n), expected};
}

/* --- tolerances --- */

static bool is_worse_column(struct smi_text word)
{
    for (int i = 0; i < SMI_RUN_FIELDS; i++)
        if (smi_run_fields[i].worse && smi_text_is_nocase(word, smi_run_fields[i].key))
            return true;
    return false;
}

/* The tolerance of a column: that with its name, which is all that it may be worse, else the one without. */
static int tolerance_of(const char *list, const char *column, int64_t *tolerance, int64_t *least,
                        struct smi_err *err)
{
    struct smi_text word;
    bool named = false;
    *tolerance = SMI_TOLERANCE_PCT * (int64_t)PERCENT;
    while (smi_text_next_item(&list, &word)) {
        const char *eq = memchr(word.p, '=', word.n);
        const size_t n = eq ? (size_t)(eq - word.p) + 1 : 0;
        const struct smi_text key = smi_text_trim((struct smi_text){word.p, eq ? n - 1 : 0});
        struct smi_text number = {word.p + n, word.n - n};
        int64_t v;
        if (eq && !is_worse_column(key))
            return smi_query_no_number(key, true, err);
        number.n -= number.n && number.p[number.n - 1] == '%';
        if (smi_text_parse_micro(smi_text_trim(number), &v) || v < 0)
            return smi_err_set(err, SMI_EUSAGE,
                               "--tolerance needs percent, as 5%% or energy_wh=10%%: not \"%.*s\"",
                               (int)(word.n < 60 ? word.n : 60), word.p);
        if (eq ? smi_text_is_nocase(key, column) : !named) {
            *tolerance = v;
            named |= eq != NULL;
        }
    }
    *least = named ? 0 : *least;
    return 0;
}

/* --- values --- */

/* Returns whether the baseline has any. */
static bool read_values(struct judge *j, int column)
{
    struct smi_field_values row = {0};
    bool any = false;
    for (size_t i = 0; i < j->pairs->n; i++)
        for (int k = 0; k < 2; k++) {
            const struct smi_pair *p = &j->pairs->of[i];
            smi_run_values_fill(&row, k ? &j->c->sweep->runs[p->b] : &j->base->runs[p->a]);
            j->value[k][i] = (struct smi_value){row.v[column].n, row.v[column].kind == SMI_DATUM_MICRO};
            any |= !k && j->value[k][i].has;
        }
    smi_field_values_fini(&row);
    return any;
}

/* --- verdicts --- */

static const char *describe_change(struct judge *j, int64_t a, int64_t b, smi_i128 change)
{
    char now[SMI_MICRO_TEXT], then[SMI_MICRO_TEXT], pct[SMI_MICRO_TEXT];
    size_t len = strlen(j->name);
    int digits = len > 2 && strcmp(j->name + len - 2, "_h") == 0 ? 2 : 1;
    struct smi_buf t = {0};
    smi_text_write_fixed(now, b, digits);
    smi_text_write_fixed(then, a, digits);
    smi_buf_fmt(&t, "%s, was %s", now, then);
    if (a) {
        smi_text_write_fixed(pct, smi_i128_div(change * 100 * PERCENT, a < 0 ? -(smi_i128)a : a), 1);
        smi_buf_fmt(&t, " (%s%s %%)", change > 0 ? "+" : "", pct);
    }
    return smi_buf_keep(&t, &j->c->arena);
}

static void mark_unmeasurable(struct judge *j, struct smi_check_case *k, const char *why)
{
    k->verdict = SMI_VERDICT_UNMEASURABLE;
    k->why = why ? why : smi_check_missing_reason(j->c, k->run, j->name);
}

/* Energy over different shares of the GPU time is not compared. NULL: it may be. */
static const char *unlike_reason(const struct judge *j, const struct smi_summary *a,
                                 const struct smi_summary *b)
{
    const struct smi_value then = a->energy_coverage_pct, now = b->energy_coverage_pct;
    const int64_t change = now.micro - then.micro;
    char part[2][SMI_MICRO_TEXT];
    struct smi_buf t = {0};
    if (!is_energy(b, j->name) || !then.has || !now.has || (change <= PERCENT && change >= -PERCENT))
        return NULL;
    smi_text_write_fixed(part[0], now.micro, 1);
    smi_text_write_fixed(part[1], then.micro, 1);
    smi_buf_fmt(&t, "%s is of %s %% of the GPU time, in the baseline of %s %%", j->name, part[0], part[1]);
    return smi_buf_keep(&t, &j->c->arena);
}

static void judge_pair(struct judge *j, struct smi_check_case *k, size_t pair)
{
    struct smi_value a = j->value[0][pair], b = j->value[1][pair];
    smi_i128 change = (smi_i128)b.micro - a.micro, worse = change * j->way,
             base = a.micro < 0 ? -(smi_i128)a.micro : a.micro;
    const struct smi_summary *then = &j->base->runs[j->pairs->of[pair].a];
    const char *why = then->state == SMI_STATE_FAILED ? "failed in the baseline: nothing to measure against"
                      : then->state == SMI_STATE_CUT  ? "cut in the baseline: nothing to measure against"
                      : then->state == SMI_STATE_NO_DATA
                          ? "without GPU data in the baseline: nothing to measure against"
                      : a.has && b.has ? unlike_reason(j, then, &j->c->sweep->runs[k->run])
                                       : NULL;
    char t[SMI_MICRO_TEXT];
    k->verdict = SMI_VERDICT_HOLDS;
    if (why || (a.has && !b.has))
        mark_unmeasurable(j, k, why);
    if (why || !a.has || !b.has || worse <= j->least || worse * 100 * PERCENT <= base * j->tolerance)
        return;
    k->verdict = SMI_VERDICT_BROKEN;
    k->value = describe_change(j, a.micro, b.micro, change);
    k->number = smi_arena_text(&j->c->arena, t, smi_text_write_micro(t, b.micro));
    k->rank = base ? (double)worse / (double)base : 1e9 + (double)worse;
}

/* A run that failed, or was cut, and did not before. What was not known before, or is not now, cannot be
 * told. */
static void judge_state(struct judge *j, struct smi_check_case *k, size_t pair)
{
    const enum smi_state then = j->base->runs[j->pairs->of[pair].a].state,
                         now = j->c->sweep->runs[k->run].state;
    const bool unknown = then == SMI_STATE_UNKNOWN, ok = then == SMI_STATE_OK;
    struct smi_buf t = {0};
    k->verdict = SMI_VERDICT_HOLDS;
    if (now == SMI_STATE_NO_DATA && (ok || unknown))
        mark_unmeasurable(j, k, NULL);
    if (now == SMI_STATE_UNKNOWN && ok)
        mark_unmeasurable(j, k, "how it ended is not known: no run log");
    if (now == SMI_STATE_CUT && unknown)
        mark_unmeasurable(j, k, "cut; how it ended in the baseline is not known");
    if (!(now == SMI_STATE_FAILED && then != SMI_STATE_FAILED) && !(now == SMI_STATE_CUT && ok))
        return;
    k->verdict = SMI_VERDICT_BROKEN;
    smi_buf_fmt(&t, "%s, was %s", smi_state_names[now], smi_state_names[then]);
    k->value = smi_buf_keep(&t, &j->c->arena);
    k->rank = now == SMI_STATE_FAILED;
}

/* A limit of that text, a case each run; those without a pair could not be judged. */
static void judge_runs(struct judge *j, const char *text,
                       void (*one)(struct judge *, struct smi_check_case *, size_t))
{
    struct smi_check_limit *l = smi_check_add_limit(j->c, text);
    for (size_t i = 0; smi_sweep_has_run(j->c->sweep, i); i++) {
        l->of[i].verdict = SMI_VERDICT_UNMEASURABLE;
        l->of[i].why = j->alone[i];
    }
    for (size_t i = 0; i < j->pairs->n; i++) {
        l->of[j->pairs->of[i].b].why = NULL;
        one(j, &l->of[j->pairs->of[i].b], i);
    }
}

const char *smi_check_number(char t[SMI_MICRO_TEXT], int64_t micro)
{
    size_t n = smi_text_write_micro(t, micro);
    if (n > 2 && strcmp(t + n - 2, ".0") == 0)
        t[n - 2] = 0;
    return t;
}

/* All columns for which the baseline has a value. */
static int judge_baseline(struct judge *j, const char *tolerance)
{
    char percent[SMI_MICRO_TEXT], least[SMI_MICRO_TEXT];
    bool any = false, state = false; /* state: the end of a run is known, on either side */
    j->name = NULL;
    for (size_t i = 0; i < j->pairs->n; i++)
        state |= j->base->runs[j->pairs->of[i].a].state != SMI_STATE_UNKNOWN ||
                 j->c->sweep->runs[j->pairs->of[i].b].state != SMI_STATE_UNKNOWN;
    if (state)
        judge_runs(j, "state as in the baseline, or better", judge_state);
    for (int i = 0; i < SMI_RUN_FIELDS; i++) {
        struct smi_buf text = {0}; /* "energy_wh <= baseline + max(5 %, 1)", "energy_wh <= baseline + 10 %" */
        if (!smi_run_fields[i].worse)
            continue;
        j->name = smi_run_fields[i].key;
        j->way = smi_run_fields[i].worse;
        j->least = smi_run_fields[i].least;
        if (tolerance_of(tolerance, j->name, &j->tolerance, &j->least, j->err))
            return -1;
        if (!read_values(j, i) && j->pairs->n)
            continue;
        any = true;
        smi_buf_fmt(&text, "%s %s baseline %s ", j->name, j->way > 0 ? "<=" : ">=", j->way > 0 ? "+" : "-");
        smi_buf_fmt(&text, j->least ? "max(%s %%, %s)" : "%s %%", smi_check_number(percent, j->tolerance),
                    smi_check_number(least, j->least));
        judge_runs(j, text.p, judge_pair);
        smi_buf_fini(&text);
        if (!j->pairs->n)
            break; /* nothing to compare: said once */
    }
    return any ? 0 : smi_err_set(j->err, SMI_EUSAGE, "--baseline has no value that could become worse");
}

static bool has_run_named(const struct smi_sweep *s, const char *name)
{
    for (size_t i = 0; smi_sweep_has_run(s, i); i++)
        if (strcmp(s->runs[i].run, name) == 0)
            return true;
    return false;
}

int smi_check_baseline(struct smi_check *c, const struct smi_sweep *base, const char *tolerance,
                       struct smi_err *err)
{
    struct smi_pairs p = {0};
    struct judge j = {.c = c, .pairs = &p, .base = base, .err = err};
    int rc = smi_pairs_make(&p, base, c->sweep, NULL, true, err);
    for (int k = 0; k < 2; k++)
        j.value[k] = smi_arena_new(&p.arena, p.n + 1, sizeof *j.value[k]);
    j.alone = smi_arena_new(&c->arena, c->sweep->n + 1, sizeof *j.alone);
    for (size_t i = 0; i < p.nonly[1]; i++)
        j.alone[p.only[1][i]] = p.nonly[0] && has_run_named(base, c->sweep->runs[p.only[1][i]].run)
                                    ? "in the baseline with other parameters"
                                    : "not in the baseline";
    rc = rc ? rc : judge_baseline(&j, tolerance);
    for (size_t i = 0; !rc && i < p.nonly[0]; i++) { /* one with other parameters is reported with that */
        const char *name = base->runs[p.only[0][i]].run;
        if (!p.nonly[1] || !has_run_named(c->sweep, name))
            add_gone(c, smi_text_of(name), false);
    }
    smi_pairs_fini(&p);
    return rc;
}

struct smi_check_limit *smi_check_add_limit(struct smi_check *c, const char *text)
{
    struct smi_check_limit *l;
    smi_mem_reserve(&c->limit, &c->cap, c->n + 1, sizeof *c->limit);
    l = &c->limit[c->n];
    l->text = smi_arena_text(&c->arena, text, strlen(text));
    l->of = smi_arena_new(&c->arena, c->sweep->n + 1, sizeof *l->of);
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

bool smi_check_is_part(const struct smi_summary *s, const char *column)
{
    return s->energy_part && is_energy(s, column);
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
    return b->p;
}

const char *smi_check_missing_reason(struct smi_check *c, size_t run, const char *name)
{
    const struct smi_summary *s = &c->sweep->runs[run];
    struct smi_buf b = {0};
    const char *text = !smi_run_has_gpu_data(s) ? smi_run_no_data_reason(s)
                       : name                   ? no_value(&b, s, name)
                                                : "no value";
    text = smi_arena_text(&c->arena, text, strlen(text));
    smi_buf_fini(&b);
    return text;
}

/* --- findings --- */

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
static void judge_findings(struct smi_check *c, struct smi_check_case *k, enum smi_level level)
{
    const struct smi_summary *s = &c->sweep->runs[k->run];
    const struct smi_finding *f = NULL; /* the worst */
    for (size_t i = 0; i < s->nfindings; i++) {
        const struct smi_finding *x = &s->findings[i];
        if (x->level >= level &&
            (!f || x->level > f->level || (x->level == f->level && x->gpu_ms > f->gpu_ms)))
            f = x;
    }
    if (f || s->state == SMI_STATE_FAILED) {
        k->verdict = SMI_VERDICT_BROKEN;
        k->value = f ? f->note : s->state_reason ? s->state_reason : "failed";
        k->rank = (double)(f ? f->gpu_ms : s->covered_ms) + 1e15 * (f ? f->level : SMI_LEVEL_ERROR);
    } else if (smi_run_note_of(s) == SMI_NOTE_NO_DATA) {
        k->verdict = SMI_VERDICT_UNMEASURABLE;
        k->why = smi_check_missing_reason(c, k->run, NULL);
    } else if (!s->judged) {
        k->verdict = SMI_VERDICT_UNMEASURABLE;
        k->why = why_not_judged(s);
    }
}

void smi_check_findings(struct smi_check *c, enum smi_level level)
{
    struct smi_check_limit *l;
    char text[64];
    snprintf(text, sizeof text, "no finding of level %s%s", smi_level_names[level],
             level == SMI_LEVEL_ERROR ? "" : " or above");
    l = smi_check_add_limit(c, text);
    for (size_t i = 0; smi_sweep_has_run(c->sweep, i); i++)
        judge_findings(c, &l->of[i], level);
}

/* --- runs that are not here --- */

size_t smi_check_count_gone(const struct smi_check *c, bool expected)
{
    size_t n = 0;
    for (size_t i = 0; i < c->ngone; i++)
        n += c->gone[i].expected == expected;
    return n;
}

/* Each name that no run has is listed as gone. */
static void list_absent(struct smi_check *c, struct smi_text names)
{
    const char **run = smi_mem_new(c->sweep->n + 1, sizeof *run), *key;
    for (size_t i = 0; i < c->sweep->n; i++)
        run[i] = c->sweep->runs[i].run;
    qsort(run, c->sweep->n, sizeof *run, smi_compare_strings);
    while (names.n) {
        struct smi_text name = smi_text_trim(smi_config_next_line(&names));
        while (name.n > 1 && strchr("/\r", name.p[name.n - 1])) /* as one writes the name of a directory */
            name.n--;
        key = smi_arena_text(&c->arena, name.p, name.n);
        c->expected += name.n > 0;
        if (name.n && !bsearch(&key, run, c->sweep->n, sizeof *run, smi_compare_strings))
            add_gone(c, name, true);
    }
    smi_mem_free(run);
}

void smi_check_expected(struct smi_check *c, size_t n, struct smi_text names)
{
    const size_t before = c->ngone, here = c->sweep->n;
    char text[64];
    list_absent(c, names);
    c->absent = c->ngone - before;
    c->expected = n > c->expected ? n : c->expected;
    if (n <= here || n - here <= c->absent)
        return;
    snprintf(text, sizeof text, "%zu of %zu runs", n - here - c->absent, n);
    c->absent = n - here;
    add_gone(c, smi_text_of(text), true);
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

void smi_check_close(struct smi_check *c)
{
    unsigned char *worst = smi_arena_new(&c->arena, c->sweep->n + 1, 1);
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
