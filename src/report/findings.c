/* findings.c - what the rules say of one run or of several, a row for each rule; what a run is noted for. */
#include "report/text_report.h"

#include <stdlib.h>
#include <string.h>

/* Keeps the runs with most of it. */
static void keep_top_runs(struct smi_advice *c, const struct smi_summary *run, const struct smi_finding *of,
                          int64_t ms)
{
    size_t i = c->named < SMI_ADVICE_RUNS ? c->named++ : SMI_ADVICE_RUNS;
    if (i == SMI_ADVICE_RUNS && ms <= c->top[i - 1].ms)
        return;
    for (i = i == SMI_ADVICE_RUNS ? i - 1 : i; i > 0 && c->top[i - 1].ms < ms; i--)
        c->top[i] = c->top[i - 1];
    c->top[i].run = run;
    c->top[i].of = of;
    c->top[i].ms = ms;
}

static void widen_range(struct smi_advice *c, const struct smi_finding *f)
{
    if (!f->value.has)
        return;
    c->low = !c->low || f->value.micro < c->low->value.micro ? f : c->low;
    c->high = !c->high || f->value.micro > c->high->value.micro ? f : c->high;
}

/* Findings of a rule on several GPUs of a run are one thing, and at most the run's GPU time. */
static void add_run_findings(struct smi_advice *list, const struct smi_summary *s)
{
    for (size_t i = 0, k; i < s->nfindings; i = k) {
        const struct smi_finding *most = &s->findings[i];
        struct smi_advice *c = &list[most->rule];
        int64_t ms = 0;
        for (k = i; k < s->nfindings && s->findings[k].rule == s->findings[i].rule; k++) {
            const struct smi_finding *f = &s->findings[k];
            ms += f->gpu_ms;
            c->cost.micro += f->cost.micro;
            c->cost.has |= f->cost.has;
            most = f->gpu_ms > most->gpu_ms ? f : most;
            c->level = f->level > c->level ? f->level : c->level;
            c->findings++;
            widen_range(c, f);
        }
        ms = ms < s->covered_ms ? ms : s->covered_ms;
        c->ms += ms;
        c->runs++;
        keep_top_runs(c, s, most, ms);
    }
}

/* Waste and errors first, then what could be better, then what is to be known: its hours were not lost. */
static int rule_order(const struct smi_advice *c)
{
    bool waste = c->rule == SMI_RULE_FAILED || c->rule == SMI_RULE_OUT_OF_MEMORY ||
                 c->rule == SMI_RULE_UNUSED || c->rule == SMI_RULE_START || c->rule == SMI_RULE_STALL ||
                 c->rule == SMI_RULE_END;
    return waste || c->level == SMI_LEVEL_ERROR ? 0 : c->level == SMI_LEVEL_INFO ? 2 : 1;
}

static int by_hours(const void *a, const void *b)
{
    const struct smi_advice *x = a, *y = b;
    if (rule_order(x) != rule_order(y))
        return rule_order(x) - rule_order(y);
    if (x->ms != y->ms)
        return x->ms > y->ms ? -1 : 1;
    return x->level != y->level ? (x->level > y->level ? -1 : 1) : x->rule - y->rule;
}

size_t smi_advice_list(struct smi_text_arena *g, const struct smi_summary *runs, size_t n,
                       struct smi_advice **out)
{
    struct smi_advice *list = smi_arena_new(&g->arena, SMI_RULE_COUNT, sizeof *list);
    size_t kept = 0;
    g->failed |= !list;
    *out = list;
    for (int i = 0; list && i < SMI_RULE_COUNT; i++)
        list[i].rule = i;
    for (size_t i = 0; list && smi_sweep_has_run_of(g->sweep, i, n); i++)
        add_run_findings(list, &runs[i]);
    for (size_t i = 0; list && i < SMI_RULE_COUNT; i++)
        if (list[i].runs)
            list[kept++] = list[i];
    if (kept)
        qsort(list, kept, sizeof *list, by_hours);
    return kept;
}

const struct smi_finding *smi_advice_words(const struct smi_advice *a)
{
    return a->rule == SMI_RULE_MEMORY_MOSTLY_EMPTY && a->high ? a->high : a->top[0].of;
}

const char *smi_advice_text(struct smi_text_arena *g, const struct smi_advice *a)
{
    const char *text = smi_fmt_sentence(g, smi_advice_words(a)->text);
    return a->findings > 1 ? smi_fmt(g, "%s, and %zu more", text, a->findings - 1) : text;
}

static void add_finding_row(struct smi_report_table *t, const struct smi_advice *a)
{
    static const enum smi_style style[] = {SMI_STYLE_PLAIN, SMI_YELLOW, SMI_YELLOW,
                                           SMI_RED}; /* as smi_level */
    struct smi_text_arena *g = t->page;
    const struct smi_finding *f = smi_advice_words(a);
    const char *const text[] = {
        smi_rules[a->rule].key, smi_level_names[a->level], a->ms ? smi_fmt_hours(g, a->ms) : "-",
        smi_fmt_money(g, a->cost),
        smi_fmt(g, "%s%s%s", smi_advice_text(g, a), f->advice ? ": " : "", f->advice ? f->advice : "")};
    struct smi_table_cell *row = smi_table_add(t, SMI_ROW_PLAIN, text);
    if (row)
        row[1].style = style[a->level];
}

bool smi_finding_table(struct smi_report_table *t, struct smi_text_arena *g, const struct smi_summary *s)
{
    const struct smi_table_column col[] = {
        {.head = "FINDINGS"},
        {.head = "LEVEL"},
        {.head = "GPU-h", .align = SMI_POINT},
        {.head = "COST", .align = SMI_POINT, .hidden = !g->look->money},
        {.head = "WHAT, AND WHAT TO DO", .words = SMI_WORDS_MIXED, .least = 20, .wraps = true}};
    struct smi_advice *list;
    size_t n = smi_advice_list(g, s, 1, &list);
    if (n == 0)
        return false;
    smi_table_begin(t, g, col, sizeof col / sizeof *col);
    for (size_t i = 0; i < n; i++)
        add_finding_row(t, &list[i]);
    return true;
}

/* --- notes --- */

/* "GPU 1 unused", "3 of 8 GPUs unused", "all 8 GPUs unused" */
static const char *unused_gpus_note(struct smi_text_arena *g, const struct smi_summary *s)
{
    const struct smi_gpu *last = NULL;
    const char *model;
    size_t all = smi_run_gpus(s, &model), n = 0;
    for (size_t i = 0; i < s->ngpus; i++)
        if (smi_gpu_unused(&s->gpus[i])) {
            last = &s->gpus[i];
            n++;
        }
    if (all == 1)
        return "GPU unused";
    if (n == 1)
        return smi_fmt(g, "GPU %s unused", smi_gpu_label(g, last));
    return n == all ? smi_fmt(g, "all %zu GPUs unused", n) : smi_fmt(g, "%zu of %zu GPUs unused", n, all);
}

const char *smi_run_cut_reason(struct smi_text_arena *g, const struct smi_summary *s)
{
    bool run_log = !s->state_reason || strcmp(s->state_reason, "no end in the run log") == 0;
    return run_log ? "no end in log" : smi_fmt_safe(g, s->state_reason);
}

const char *smi_run_note_text(struct smi_text_arena *g, const struct smi_summary *s)
{
    switch (smi_run_note_of(s)) {
    case SMI_NOTE_FAILED:
        return s->state_reason ? smi_fmt_safe(g, s->state_reason) : "failed";
    case SMI_NOTE_NO_DATA:
    case SMI_NOTE_ERROR:
        return smi_first_grave_error(s) ? smi_error_text(g, smi_first_grave_error(s))
                                        : smi_run_no_data_reason(s);
    case SMI_NOTE_LOG:
        return "GPU log not usable";
    case SMI_NOTE_CUT:
        return smi_run_cut_reason(g, s);
    case SMI_NOTE_FINDING:
        return smi_findings_worst(s)->rule == SMI_RULE_UNUSED
                   ? unused_gpus_note(g, s)
                   : smi_fmt_sentence(g, smi_findings_worst(s)->note);
    default:
        return "";
    }
}
