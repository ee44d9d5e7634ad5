/* text_findings.c - what the rules say of one run: a line for each rule (screens.md §4), and what a run is
 * noted for. */
#include "report/text_report.h"

#include <stdlib.h>
#include <string.h>

static int by_hours(const void *a, const void *b)
{
    const struct smi_finding *x = *(const struct smi_finding *const *)a,
                             *y = *(const struct smi_finding *const *)b;
    if (x->gpu_ms != y->gpu_ms)
        return x->gpu_ms > y->gpu_ms ? -1 : 1;
    return x < y ? -1 : x > y;
}

/* One line of the list: a finding, and how many others of its rule and level it stands for. */
static void finding_line(struct smi_text_arena *g, const struct smi_finding *f, int64_t gpu_ms,
                         struct smi_value cost, size_t others, int keys)
{
    static const enum smi_style style[] = {SMI_STYLE_PLAIN, SMI_YELLOW, SMI_YELLOW,
                                           SMI_RED}; /* as smi_level */
    const char *key = smi_rules[f->rule].key, *h = smi_fmt_hours(g, gpu_ms), *more = "";
    int wide = strlen(h) > 5 ? (int)strlen(h) : 5, gap = keys + 2 - (int)strlen(key);
    if (others)
        more = smi_fmt(g, ", and %zu more", others);
    smi_wrap_word(g, 0, smi_fmt(g, "%*s h", wide, h), 0);
    if (g->look->money) {
        smi_wrap_word(g, 2, smi_fmt(g, "%8s", smi_fmt_money(g, cost)), 0);
        wide += SMI_MONEY_WIDTH;
    }
    if (style[f->level])
        smi_wrap_style(g, style[f->level]);
    smi_wrap_word(g, 2, smi_fmt(g, "%-6s", smi_level_names[f->level]), 0);
    if (style[f->level])
        smi_wrap_style(g, SMI_STYLE_PLAIN);
    smi_wrap_word(g, 2, key, 0);
    smi_wrap_words(g, gap,
                   smi_fmt(g, "%s%s%s%s", smi_fmt_sentence(g, f->text), more, f->advice ? ": " : "",
                           f->advice ? f->advice : ""),
                   wide + keys + 14);
    smi_wrap_newline(g);
}

/* A line for all findings of a rule and level. */
struct line {
    const struct smi_finding *most; /* of them: that about most GPU time */
    int64_t gpu_ms;
    struct smi_value cost;
    size_t n;
};

/* Most GPU time first; of equals the order of the rules. */
static int by_sum(const void *a, const void *b)
{
    const struct line *x = a, *y = b;
    if (x->gpu_ms != y->gpu_ms)
        return x->gpu_ms > y->gpu_ms ? -1 : 1;
    return x->most < y->most ? -1 : x->most > y->most;
}

/* Those of list, which begins with most GPU time. Returns how many. */
static size_t group_findings(struct line *line, const struct smi_finding *const *list, size_t n)
{
    size_t lines = 0, k;
    for (size_t i = 0; i < n; i++) {
        for (k = 0;
             k < lines && (line[k].most->rule != list[i]->rule || line[k].most->level != list[i]->level); k++)
            ;
        if (k == lines)
            line[lines++] = (struct line){.most = list[i]};
        line[k].n++;
        line[k].gpu_ms += list[i]->gpu_ms;
        line[k].cost.micro += list[i]->cost.micro;
        line[k].cost.has |= list[i]->cost.has;
    }
    if (lines)
        qsort(line, lines, sizeof *line, by_sum);
    return lines;
}

enum { LINES = 8 /* in a window; the small rest is one line, unless it is grave */ };

static bool is_shown(const struct smi_text_arena *g, const struct line *l, size_t place)
{
    return place < LINES || l->most->level >= SMI_LEVEL_STRONG || g->look->verbose || g->look->width == 0;
}

void smi_text_findings(struct smi_text_arena *g, const struct smi_summary *s)
{
    const struct smi_finding **list = smi_arena_new(&g->arena, s->nfindings + 1, sizeof *list);
    struct line *line = smi_arena_new(&g->arena, s->nfindings + 1, sizeof *line);
    const char *rest = NULL;
    size_t lines;
    int keys = 0, n;
    g->failed |= !list || !line;
    if (!list || !line || s->nfindings == 0)
        return;
    for (size_t i = 0; i < s->nfindings; i++)
        list[i] = &s->findings[i];
    qsort(list, s->nfindings, sizeof *list, by_hours);
    lines = group_findings(line, list, s->nfindings);
    for (size_t i = 0; i < lines; i++)
        if (is_shown(g, &line[i], i) && (n = (int)strlen(smi_rules[line[i].most->rule].key)) > keys)
            keys = n;
    smi_wrap_line(g, SMI_BOLD, "FINDINGS");
    for (size_t i = 0; i < lines; i++) {
        struct line *l = &line[i];
        const char *key = smi_rules[l->most->rule].key;
        if (is_shown(g, l, i))
            finding_line(g, l->most, l->gpu_ms < s->covered_ms ? l->gpu_ms : s->covered_ms, l->cost, l->n - 1,
                         keys);
        else
            rest = rest ? smi_fmt(g, "%s, %s", rest, key) : smi_fmt(g, "and less: %s", key);
    }
    if (rest)
        smi_wrap_line(g, SMI_STYLE_PLAIN, smi_fmt(g, "%s (-v)", rest));
    smi_wrap_newline(g);
}

/* --- notes --- */

/* "GPU 1 unused", "3 of 8 GPUs unused", "all 8 GPUs unused" */
static const char *unused_gpus_note(struct smi_text_arena *g, const struct smi_summary *s)
{
    const struct smi_gpu *last = NULL;
    size_t all = 0, n = 0;
    for (size_t i = 0; i < s->ngpus; i++) {
        all += !s->gpus[i].pooled;
        n += smi_gpu_unused(&s->gpus[i]);
        if (smi_gpu_unused(&s->gpus[i]))
            last = &s->gpus[i];
    }
    if (all == 1)
        return "GPU unused";
    if (n == 1)
        return smi_fmt(g, "GPU %s unused", smi_gpu_label(g, last));
    return n == all ? smi_fmt(g, "all %zu GPUs unused", n) : smi_fmt(g, "%zu of %zu GPUs unused", n, all);
}

const char *smi_run_note_text(struct smi_text_arena *g, const struct smi_summary *s)
{
    switch (smi_run_note_of(s)) {
    case SMI_NOTE_FAILED:
        return s->state_reason ? smi_fmt_safe(g, s->state_reason) : "failed";
    case SMI_NOTE_NO_DATA:
        return smi_run_no_data_reason(s);
    case SMI_NOTE_ERROR:
        return smi_error_text(g, smi_first_grave_error(s));
    case SMI_NOTE_CUT:
        return "no end in log";
    case SMI_NOTE_FINDING:
        return smi_findings_worst(s)->rule == SMI_RULE_UNUSED
                   ? unused_gpus_note(g, s)
                   : smi_fmt_sentence(g, smi_findings_worst(s)->note);
    default:
        return "";
    }
}
