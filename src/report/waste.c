/* waste.c - where the GPU-hours went. */
#include "report/text_report.h"

#include "sweep/sweep.h"

#include <stdlib.h>
#include <string.h>

/* What is in no part of the waste: GPU time that was used, and that of which nothing is known; what both
 * cost, and what the energy cost beside them. */
struct not_wasted {
    int64_t used_ms, unknown_ms;
    struct smi_value used, unknown, energy;
};

static void sum_not_wasted(const struct smi_sweep *s, struct not_wasted *out)
{
    *out = (struct not_wasted){.unknown_ms = s->total.unknown_ms};
    out->used_ms = s->total.covered_ms - smi_wasted_ms(&s->total.waste) - out->unknown_ms;
    smi_price_split(&s->total.money, &out->used, &out->energy);
    if (!out->unknown_ms)
        return;
    out->unknown.has = out->used.has;
    for (size_t i = 0; smi_sweep_has_run(s, i); i++)
        for (size_t k = 0; k < s->runs[i].ngpus; k++) {
            const struct smi_summary *r = &s->runs[i];
            int64_t ms = r->money.whole ? smi_gpu_unknown_ms(&r->gpus[k]) : 0, shared = ms;
            smi_gpu_shared(&r->gpus[k], &shared, 1);
            ms -= shared;
            out->unknown.micro += ms ? smi_price_time(r, &r->gpus[k], ms).micro : 0;
        }
    out->used.micro -= out->unknown.micro;
}

const char *smi_unknown_hours_text(struct smi_text_arena *g, const struct smi_total *t)
{
    enum { SHARE = 100, LEAST_MS = 36000 /* 0.01 h */ };
    return t->unknown_ms < LEAST_MS || t->unknown_ms * SHARE < t->covered_ms
               ? ""
               : smi_fmt(g, "; %s GPU-hours have no readings of GPU use", smi_fmt_hours(g, t->unknown_ms));
}

/* The sums of all runs, or of one with all of its time. */
static struct smi_total sum_runs(struct smi_text_arena *g, const struct smi_summary *runs, size_t n)
{
    struct smi_total t = {0};
    for (size_t i = 0; smi_sweep_has_run_of(g->sweep, i, n); i++)
        smi_total_add(&t, &runs[i], n > 1);
    smi_total_close(&t);
    return t;
}

/* The longest idle stretch with work before and after it, of all GPUs; 0: none known. */
static int64_t stall_ms(const struct smi_summary *s)
{
    int64_t longest = 0;
    for (size_t i = 0; i < s->ngpus; i++)
        longest = s->gpus[i].stall_ms > longest ? s->gpus[i].stall_ms : longest;
    return longest;
}

/* --- where the hours went --- */

static size_t count_runs_with_cause(const struct smi_summary *s, int id)
{
    size_t n = 0;
    for (size_t i = 0; i < s->ngpus; i++) {
        const struct smi_gpu *gpu = &s->gpus[i];
        n += id == 1 ? smi_gpu_unused(gpu)
                     : gpu->worked && (id == 2   ? gpu->lead_ms > 0
                                       : id == 4 ? gpu->trail_ms > 0
                                                 : true);
    }
    return n;
}

enum { CAUSES = 32, CAUSES_SHOWN = 3 };

/* Why runs failed, less the file that says it. */
struct failure {
    struct smi_text cause;
    size_t n, first; /* its runs, and the place of the first */
};

static int by_number(const void *a, const void *b)
{
    const struct failure *x = a, *y = b;
    return x->n != y->n ? (x->n > y->n ? -1 : 1) : (x->first > y->first) - (x->first < y->first);
}

/* "exit status 1", "out of memory in 7, exit status 1 in 2"; behind it the first file that says so. */
static const char *failure_reasons(struct smi_text_arena *g, const struct smi_waste_cause *c)
{
    struct failure f[CAUSES];
    const char *source = "", *all = "";
    size_t sources = 0, n = 0, left = c->n;
    for (size_t i = 0; i < c->n; i++) {
        const char *reason = c->run[i]->state_reason ? c->run[i]->state_reason : "failed";
        const struct smi_text cause = smi_reason_cause(reason);
        size_t k = 0;
        if (reason[cause.n] && (!sources || strcmp(source, reason + cause.n + 2) != 0) && !sources++)
            source = reason + cause.n + 2;
        while (k < n && !smi_text_equal(f[k].cause, cause))
            k++;
        if (k == n && n < CAUSES)
            f[n++] = (struct failure){cause, 0, i};
        if (k < n)
            f[k].n++;
    }
    qsort(f, n, sizeof *f, by_number);
    for (size_t i = 0; i < n && i < CAUSES_SHOWN; i++) {
        const char *cause =
            smi_fmt_brief(g, smi_fmt_safe(g, smi_fmt(g, "%.*s", (int)f[i].cause.n, f[i].cause.p)));
        all = n == 1 ? cause : smi_fmt(g, "%s%s%s in %zu", all, i ? ", " : "", cause, f[i].n);
        left -= f[i].n;
    }
    if (left)
        all = smi_fmt(g, "%s, other causes in %zu", all, left);
    if (!sources)
        return all;
    source = smi_fmt_safe(g, smi_fmt(g, "%.*s", (int)strcspn(source, ")"), source));
    return sources == 1 ? smi_fmt(g, "%s (%s)", all, source)
                        : smi_fmt(g, "%s (%s and %zu more)", all, source, sources - 1);
}

/* ", 7 of them at lr=1" if one value of a parameter has most of the runs, and less than half of the sweep. */
static const char *failure_runs(struct smi_text_arena *g, const struct smi_waste_cause *c)
{
    const struct smi_sweep *s = g->sweep;
    const struct smi_param *p, *q;
    size_t i, k, n, all;
    for (i = 0; i < s->nvarying && c->n > 2; i++) {
        p = smi_param_is_repeat(s->varying[i]) ? NULL : smi_run_param(c->run[c->n / 2], s->varying[i]);
        for (k = n = 0; p && k < c->n; k++) {
            q = smi_run_param(c->run[k], p->key);
            n += q && strcmp(p->text, q->text) == 0;
        }
        for (k = all = 0; p && smi_sweep_has_run(s, k); k++) {
            q = smi_run_param(&s->runs[k], p->key);
            all += q && strcmp(p->text, q->text) == 0;
        }
        if (p && n * 10 >= c->n * 6 && all * 2 < s->n) {
            const char *at = smi_fmt_safe(g, smi_fmt(g, "%s=%s", p->key, p->text));
            return n == c->n ? smi_fmt(g, ", all at %s", at) : smi_fmt(g, ", %zu of them at %s", n, at);
        }
    }
    return "";
}

/* The largest finding on a cause in its runs, and how many there are; NULL: none. */
static const struct smi_finding *finding_on_cause(const struct smi_sweep *s, const struct smi_waste_cause *c,
                                                  size_t *n)
{
    const int rule = smi_rule_find(c->name);
    const struct smi_finding *most = NULL;
    *n = 0;
    for (size_t k = 0; smi_sweep_has_run_of(s, k, c->n); k++)
        for (const struct smi_finding *f = c->run[k]->findings;
             f < c->run[k]->findings + c->run[k]->nfindings; f++) {
            if (f->rule != rule && !(c->id == 0 && f->rule == SMI_RULE_OUT_OF_MEMORY))
                continue;
            most = !most || f->gpu_ms > most->gpu_ms ? f : most;
            ++*n;
        }
    return most;
}

static const char *explain_cause(struct smi_text_arena *g, const struct smi_waste_cause *c)
{
    const char *where = c->id == 2 ? "idle before the first work" : "idle after the last work";
    const char *model;
    int64_t ms = 0;
    size_t all = 0, findings;
    const struct smi_finding *f = finding_on_cause(g->sweep, c, &findings);
    if (f && c->n == 1)
        return findings == 1 ? smi_fmt_sentence(g, f->text)
                             : smi_fmt(g, "%s, and %zu more", smi_fmt_sentence(g, f->text), findings - 1);
    for (size_t i = 0; smi_sweep_has_run_of(g->sweep, i, c->n); i++) {
        all += smi_run_gpus(c->run[i], &model);
        ms += c->run[i]->waste.ms[c->id];
    }
    if (c->id == 0)
        return failure_reasons(g, c);
    if (c->id == 1)
        return smi_fmt(g, "%zu of %s did no work at all", c->gpus, smi_fmt_count(g, (int64_t)all, "GPU"));
    if (c->id == 3) {
        const struct smi_summary *worst = c->run[0];
        for (size_t i = 1; i < c->n; i++)
            if (stall_ms(c->run[i]) > stall_ms(worst))
                worst = c->run[i];
        if (stall_ms(worst) == 0)
            return "idle between work";
        return smi_fmt(g, "idle between work, longest %s%s%s", smi_fmt_time(g, stall_ms(worst)),
                       c->n == 1 ? "" : " in ", c->n == 1 ? "" : smi_fmt_run(g, worst->run));
    }
    return smi_fmt(g, c->gpus > 1 ? "%s, %s on average" : "%s, %s", where,
                   smi_fmt_time(g, ms / (c->gpus ? (int64_t)c->gpus : 1)));
}

static int by_size(const void *a, const void *b)
{
    const struct smi_waste_cause *x = a, *y = b;
    return x->ms != y->ms ? (x->ms > y->ms ? -1 : 1) : x->id - y->id;
}

size_t smi_waste_causes(struct smi_text_arena *g, const struct smi_summary *runs, size_t n,
                        struct smi_waste_cause out[5])
{
    const struct smi_total t = sum_runs(g, runs, n);
    size_t causes = 0, findings;
    for (int id = 0; id < 5; id++) {
        struct smi_waste_cause *c = &out[causes];
        *c = (struct smi_waste_cause){.id = id,
                                      .name = smi_waste_names[id],
                                      .ms = t.waste.ms[id],
                                      .cost.micro = t.wasted_cost[id].micro};
        c->run = smi_arena_new(&g->arena, n + 1, sizeof *c->run);
        for (size_t i = 0; i < n; i++) {
            if (runs[i].waste.ms[id] <= 0)
                continue;
            c->cost.has |= runs[i].wasted_cost[id].has;
            c->run[c->n++] = &runs[i];
            c->gpus += count_runs_with_cause(&runs[i], id);
        }
        causes += c->ms > 0;
    }
    qsort(out, causes, sizeof *out, by_size);
    for (size_t i = 0; i < causes; i++) {
        struct smi_waste_cause *c = &out[i];
        if (c->n > 1)
            c->where = smi_fmt(g, "%zu runs%s", c->n, c->id == 0 ? failure_runs(g, c) : "");
        c->why = explain_cause(g, c);
        const struct smi_finding *f = finding_on_cause(g->sweep, c, &findings);
        c->advice = f && f->advice ? f->advice : smi_rules[smi_rule_find(c->name)].advice;
        c->advised = smi_total_advises(&t, c->id);
    }
    return causes;
}

size_t smi_waste_parts(struct smi_text_arena *g, const struct smi_summary *runs, size_t n, bool whole,
                       struct smi_waste_cause out[SMI_WASTE_PARTS])
{
    const struct smi_total *all = &g->sweep->total;
    struct smi_waste_cause *p = out;
    struct not_wasted rest;
    if (all->covered_ms <= 0)
        return 0;
    sum_not_wasted(g->sweep, &rest);
    if (whole)
        *p++ = (struct smi_waste_cause){.name = "used",
                                        .ms = rest.used_ms,
                                        .cost = rest.used,
                                        .why = "working, or waiting between readings"};
    if (whole && rest.unknown_ms)
        *p++ = (struct smi_waste_cause){.name = "not known",
                                        .ms = rest.unknown_ms,
                                        .cost = rest.unknown,
                                        .why = "no reading of utilisation"};
    p += smi_waste_causes(g, runs, n, p);
    if (whole)
        *p++ = (struct smi_waste_cause){
            .name = "wasted", .sum = true, .ms = smi_wasted_ms(&all->waste), .cost = all->wasted_cost[5]};
    if (whole && rest.energy.has && g->look->money)
        *p++ = (struct smi_waste_cause){.name = "energy", .sum = true, .ms = -1, .cost = rest.energy};
    if (whole)
        *p++ = (struct smi_waste_cause){.name = "all", .sum = true, .ms = all->covered_ms, .cost = all->cost};
    return (size_t)(p - out);
}

bool smi_waste_table(struct smi_report_table *t, struct smi_text_arena *g, const struct smi_summary *runs,
                     size_t n, bool whole)
{
    const struct smi_total *all = &g->sweep->total;
    const bool money = g->look->money && (whole || all->wasted_cost[5].has);
    struct smi_waste_cause part[SMI_WASTE_PARTS];
    const size_t parts = smi_waste_parts(g, runs, n, whole, part);
    smi_table_begin(t, g, NULL, 0);
    for (const struct smi_waste_cause *c = part; c < part + parts; c++) {
        struct smi_table_cell *row = smi_table_row(t, c->sum ? SMI_ROW_TOTAL : SMI_ROW_PLAIN);
        if (!c->sum)
            row->class = strcmp(c->name, "not known") == 0 ? "unknown" : c->name;
        SMI_CELL(t, c->name, .head = "CAUSE", .long_head = "Part");
        SMI_NUMBER(t, c->ms < 0 ? NULL : smi_fmt_hours(g, c->ms), .head = "GPU-h");
        SMI_NUMBER(t, c->ms < 0 ? NULL : smi_fmt_ratio(g, (smi_i128)c->ms * 100, all->covered_ms, 1),
                   .head = "%", .hidden = !whole);
        SMI_NUMBER(t, smi_fmt_money(g, c->cost), .head = "COST", .long_head = "Cost", .hidden = !money);
        SMI_CELL(t, c->where, .head = "WHERE", .long_head = "Where", .words = SMI_WORDS_MIXED, .least = 12,
                 .hidden = n == 1)
            ->run = c->run && !c->where ? c->run[0] : NULL;
        SMI_CELL(t, c->advised ? smi_fmt(g, "%s: %s", c->why, c->advice) : c->why, .head = "WHAT HAPPENED",
                 .long_head = "What happened", .words = SMI_WORDS_MIXED, .least = 20, .wraps = true);
    }
    return parts > 0;
}

const char *smi_waste_title(struct smi_text_arena *g, const struct smi_summary *runs, size_t n)
{
    const struct smi_total all = sum_runs(g, runs, n);
    const int64_t wasted = smi_wasted_ms(&all.waste);
    const char *lack, *cost = "";
    bool money;
    if (wasted <= 0 || all.covered_ms <= 0)
        return NULL;
    money = g->look->money && all.wasted_cost[5].has;
    if (money) /* "$0.31 wasted" where both costs are not known of the same runs */
        cost = smi_fmt(g, ", %s %s%s", smi_fmt_money(g, all.wasted_cost[5]),
                       all.cost.has && smi_total_costs_match(&all) ? "of " : "wasted",
                       all.cost.has && smi_total_costs_match(&all) ? smi_fmt_money(g, all.cost) : "");
    lack = money && n > 1 ? smi_total_missing_text(g, &all, all.of.wasted_cost) : NULL;
    return smi_fmt(g, "Where %s of %s GPU-hours went (%s %%%s%s%s)%s", smi_fmt_hours(g, wasted),
                   smi_fmt_hours(g, all.covered_ms),
                   smi_fmt_ratio(g, (smi_i128)wasted * 100, all.covered_ms, 1), cost, lack ? ", " : "",
                   lack ? lack : "", smi_unknown_hours_text(g, &all));
}

bool smi_text_waste(struct smi_text_arena *g, const struct smi_summary *runs, size_t n)
{
    const char *title = smi_waste_title(g, runs, n);
    struct smi_report_table t;
    if (!title)
        return false;
    smi_wrap_line(g, SMI_BOLD, title);
    if (smi_waste_table(&t, g, runs, n, false))
        smi_table_text(&t);
    return true;
}
