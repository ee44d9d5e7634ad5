/* html_findings.c - what to do: a card a rule, with the GPU-hours of all runs that it speaks of, largest
 * first (screens.md §9.3). */
#include "report/html_sections.h"

#include <stdlib.h>
#include <string.h>

enum { SHOWN = 5, NAMED = 5 };

/* All findings of one rule. */
struct card {
    int rule;
    enum smi_level level; /* the highest */
    int64_t ms;
    struct smi_value cost;
    size_t runs;
    const struct smi_finding *low, *high; /* those with the least and the largest value */
    struct {
        const struct smi_summary *run;
        const struct smi_finding *of; /* the largest of it */
        int64_t ms;
    } top[NAMED];
    size_t named;
};

/* Keeps the NAMED runs with most of it. */
static void keep_top_runs(struct card *c, const struct smi_summary *run, const struct smi_finding *of,
                          int64_t ms)
{
    size_t i = c->named < NAMED ? c->named++ : NAMED;
    if (i == NAMED && ms <= c->top[NAMED - 1].ms)
        return;
    for (i = i == NAMED ? NAMED - 1 : i; i > 0 && c->top[i - 1].ms < ms; i--)
        c->top[i] = c->top[i - 1];
    c->top[i].run = run;
    c->top[i].of = of;
    c->top[i].ms = ms;
}

static void widen_range(struct card *c, const struct smi_finding *f)
{
    if (!f->value.has)
        return;
    c->low = !c->low || f->value.micro < c->low->value.micro ? f : c->low;
    c->high = !c->high || f->value.micro > c->high->value.micro ? f : c->high;
}

/* Findings of a rule on several GPUs of a run are one thing, and at most the run's GPU time. */
static void add_run_findings(struct card *card, const struct smi_summary *s)
{
    for (size_t i = 0, k; i < s->nfindings; i = k) {
        const struct smi_finding *most = &s->findings[i];
        struct card *c = &card[most->rule];
        int64_t ms = 0;
        for (k = i; k < s->nfindings && s->findings[k].rule == s->findings[i].rule; k++) {
            ms += s->findings[k].gpu_ms;
            c->cost.micro += s->findings[k].cost.micro;
            c->cost.has |= s->findings[k].cost.has;
            most = s->findings[k].gpu_ms > most->gpu_ms ? &s->findings[k] : most;
            c->level = s->findings[k].level > c->level ? s->findings[k].level : c->level;
        }
        for (size_t f = i; f < k; f++)
            widen_range(c, &s->findings[f]);
        ms = ms < s->covered_ms ? ms : s->covered_ms;
        c->ms += ms;
        c->runs++;
        keep_top_runs(c, s, most, ms);
    }
}

/* Waste and errors first, then what could be better, then what is to be known: its hours were not lost. */
static int rule_order(const struct card *c)
{
    bool waste = c->rule == SMI_RULE_FAILED || c->rule == SMI_RULE_OUT_OF_MEMORY ||
                 c->rule == SMI_RULE_UNUSED || c->rule == SMI_RULE_START || c->rule == SMI_RULE_STALL ||
                 c->rule == SMI_RULE_END;
    return waste || c->level == SMI_LEVEL_ERROR ? 0 : c->level == SMI_LEVEL_INFO ? 2 : 1;
}

static int by_hours(const void *a, const void *b)
{
    const struct card *x = a, *y = b;
    if (rule_order(x) != rule_order(y))
        return rule_order(x) - rule_order(y);
    if (x->ms != y->ms)
        return x->ms > y->ms ? -1 : 1;
    return x->level != y->level ? (x->level > y->level ? -1 : 1) : x->rule - y->rule;
}

static const char *finding_amount(struct smi_text_arena *g, const struct smi_finding *f)
{
    bool time = strcmp(smi_rules[f->rule].unit, "s") == 0;
    return time ? smi_fmt_duration(g, f->value) : smi_fmt_value(g, f->value, 1);
}

/* The words above are those of one run: from what to what it goes in all of them. */
static void write_range(struct smi_html_page *h, const struct card *c)
{
    const char *unit = smi_rules[c->rule].unit;
    if (!*unit || !c->low || c->low->value.micro == c->high->value.micro)
        return;
    smi_html_fmt(h, ": from %s", finding_amount(&h->g, c->low));
    smi_html_fmt(h, " to %s%s%s", finding_amount(&h->g, c->high), *unit == 's' ? "" : " ",
                 *unit == 's' ? "" : unit);
}

static void write_runs_of_card(struct smi_html_page *h, const struct card *c)
{
    if (h->g.sweep->n == 1)
        return;
    smi_html_fmt(h, "<p class=\"where\">%s", c->runs > 1 ? "most in " : "in ");
    for (size_t i = 0; i < c->named; i++)
        smi_html_write(h, "%s%r", i == 0 ? "" : i == 1 ? "; also in " : ", ", c->top[i].run);

    if (c->runs > c->named)
        smi_html_fmt(h, " and %zu more run%s", c->runs - c->named, c->runs - c->named == 1 ? "" : "s");
    if (c->runs > 1)
        write_range(h, c);
    smi_buf_str(h->g.to, "</p>\n");
}

static void write_card(struct smi_html_page *h, const struct card *c)
{
    /* of what is at most so much, the most: then it holds for all, and so does the advice */
    const struct smi_finding *f = c->rule == SMI_RULE_MEMORY_MOSTLY_EMPTY && c->high ? c->high : c->top[0].of;
    smi_html_write(h, "<article class=\"card l-%s\">\n<div class=\"hours\"><b>%e</b> GPU-h",
                   smi_level_names[c->level], c->ms ? smi_fmt_hours(&h->g, c->ms) : "-");
    if (h->g.look->money && c->cost.has)
        smi_html_write(h, "<span>%s</span>", smi_fmt_money(&h->g, c->cost));
    smi_html_write(h, "</div>\n<div class=\"what\"><h3>%n</h3>\n", f->text);
    write_runs_of_card(h, c);
    if (f->advice)
        smi_html_write(h, "<p class=\"do\">%n</p>\n", f->advice);
    smi_html_fmt(h, "</div>\n<p class=\"rule\">%s<span>%s</span></p>\n</article>\n", smi_rules[c->rule].key,
                 smi_level_names[c->level]);
}

void smi_html_section_findings(struct smi_html_page *h)
{
    struct card *card = smi_arena_new(&h->g.arena, SMI_RULE_COUNT, sizeof *card);
    size_t n = 0;
    h->g.failed |= !card;
    smi_html_section(h, "findings", "What to do");
    for (int i = 0; card && i < SMI_RULE_COUNT; i++)
        card[i].rule = i;
    for (size_t i = 0; card && i < h->g.sweep->n; i++)
        add_run_findings(card, &h->g.sweep->runs[i]);
    if (card)
        qsort(card, SMI_RULE_COUNT, sizeof *card, by_hours);
    for (size_t i = 0; card && i < SMI_RULE_COUNT; i++)
        if (card[i].runs)
            card[n++] = card[i];
    for (size_t i = 0; card && i < n; i++) {
        if (i == SHOWN)
            smi_html_fmt(h, "<details><summary>show all %zu</summary>\n", n);
        write_card(h, &card[i]);
    }
    smi_buf_str(h->g.to, n > SHOWN ? "</details>\n</section>\n"
                         : n       ? "</section>\n"
                                   : "<p>no findings</p>\n</section>\n");
    smi_html_forget(h);
}
