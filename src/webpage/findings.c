/* findings.c - what to do: a card a rule, with the GPU-hours of all runs that it speaks of, largest first (screens.md
 * §9.3). */
#include "webpage/sections.h"

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
    struct {
        const struct smi_summary *run;
        const struct smi_finding *of; /* the largest of it */
        int64_t ms;
    } top[NAMED];
    size_t named;
};

/* Keeps the NAMED runs with most of it. */
static void put_top(struct card *c, const struct smi_summary *run, const struct smi_finding *of, int64_t ms)
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

/* Findings of a rule on several GPUs of a run are one thing, and at most the run's GPU time. */
static void add_run(struct card *card, const struct smi_summary *s)
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
        ms = ms < s->covered_ms ? ms : s->covered_ms;
        c->ms += ms;
        c->runs++;
        put_top(c, s, most, ms);
    }
}

static int by_hours(const void *a, const void *b)
{
    const struct card *x = a, *y = b;
    if (x->ms != y->ms)
        return x->ms > y->ms ? -1 : 1;
    return x->level != y->level ? (x->level > y->level ? -1 : 1) : x->rule - y->rule;
}

static void where(struct smi_html *h, const struct card *c)
{
    if (h->g.sweep->n == 1)
        return;
    smi_html_fmt(h, "<p class=\"where\">%s", c->runs > 1 ? "most in " : "in ");
    for (size_t i = 0; i < c->named; i++) {
        smi_buf_str(h->g.to, i == 0 ? "" : i == 1 ? "; also in " : ", ");
        smi_html_link(h, c->top[i].run);
    }
    if (c->runs > c->named)
        smi_html_fmt(h, " and %zu more runs", c->runs - c->named);
    smi_buf_str(h->g.to, "</p>\n");
}

static void put_card(struct smi_html *h, const struct card *c)
{
    const struct smi_finding *f = c->top[0].of;
    smi_html_fmt(h, "<article class=\"card l-%s\">\n<div class=\"hours\"><b>", smi_level_names[c->level]);
    smi_html_put(h, c->ms ? smi_page_hours(&h->g, c->ms) : "-");
    smi_buf_str(h->g.to, "</b> GPU-h");
    if (h->g.look->money && c->cost.has)
        smi_html_fmt(h, "<span>%s</span>", smi_page_money(&h->g, c->cost));
    smi_html_fmt(h, "</div>\n<div class=\"what\"><h3>");
    smi_html_name(h, f->text);
    smi_html_fmt(h, "</h3>\n");
    where(h, c);
    if (f->advice) {
        smi_buf_str(h->g.to, "<p class=\"do\">");
        smi_html_name(h, f->advice);
        smi_buf_str(h->g.to, "</p>\n");
    }
    smi_html_fmt(h, "</div>\n<p class=\"rule\">%s<span>%s</span></p>\n</article>\n", smi_rules[c->rule].key,
                 smi_level_names[c->level]);
}

void smi_webpage_findings(struct smi_html *h)
{
    struct card *card = smi_arena_new(&h->g.arena, SMI_RULE_COUNT, sizeof *card);
    size_t n = 0;
    h->g.failed |= !card;
    smi_buf_str(h->g.to, "<section id=\"findings\" aria-labelledby=\"findings-title\">\n<h2 id=\"findings-title\">"
                         "What to do</h2>\n");
    for (int i = 0; card && i < SMI_RULE_COUNT; i++)
        card[i].rule = i;
    for (size_t i = 0; card && i < h->g.sweep->n; i++)
        add_run(card, &h->g.sweep->runs[i]);
    if (card)
        qsort(card, SMI_RULE_COUNT, sizeof *card, by_hours);
    for (size_t i = 0; card && i < SMI_RULE_COUNT; i++)
        if (card[i].runs)
            card[n++] = card[i];
    for (size_t i = 0; card && i < n; i++) {
        if (i == SHOWN)
            smi_html_fmt(h, "<details><summary>show all %zu</summary>\n", n);
        put_card(h, &card[i]);
    }
    smi_buf_str(h->g.to, n > SHOWN ? "</details>\n</section>\n" : n ? "</section>\n" : "<p>no findings</p>\n</section>\n");
    smi_html_forget(h);
}
