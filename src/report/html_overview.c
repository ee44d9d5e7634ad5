/* html_overview.c - the first sections of a page: headline, waste, findings, runs.
 */
#include "report/html.h"
#include "report/run_groups.h"

#include <string.h>

/* ---- what the eye meets: title, five figures, one sentence, and where the GPU-hours went. ---- */

/* --- 1: the head --- */

static void write_figure(struct smi_html_page *h, const char *value, const char *label, const char *more)
{
    smi_html_write(h, "<div class=\"figure\"><b>%e</b><span>%s</span>", value, label);
    smi_html_write(h, *more ? "<i>%s</i></div>\n" : "</div>\n", more);
}

static const char *wasted_percent(struct smi_text_arena *g)
{
    const struct smi_total *t = &g->sweep->total;
    int64_t wasted = smi_wasted_ms(&t->waste);
    return wasted > 0 && wasted * 2000 <= t->covered_ms
               ? "<0.1" /* 0.0 would say: nothing */
               : smi_fmt_ratio(g, (smi_i128)wasted * 100, t->covered_ms, 1);
}

static bool waste_is_known(const struct smi_total *t)
{
    return smi_waste_known(t->wasted_h[5], t->idle_pct, &t->waste);
}

/* "at the start: 17 runs were idle before their first GPU work" */
static const char *cause_place(struct smi_text_arena *g, const struct smi_waste_cause *c)
{
    static const char *const one[] = {"in one failed run", "by unused GPUs in one run",
                                      "at the start: one run was idle before its first GPU work",
                                      "by stalls in one run", "at the end of one run"};
    static const char *const many[] = {"in %zu failed runs", "by unused GPUs in %zu runs",
                                       "at the start: %zu runs were idle before their first GPU work",
                                       "by stalls in %zu runs", "at the end of %zu runs"};
    static const char *const only[] = {"because the run failed", "by unused GPUs",
                                       "at the start, before its first GPU work", "by stalls", "at the end"};
    if (g->sweep->n == 1)
        return only[c->id];
    return c->n == 1 ? one[c->id] : smi_fmt(g, many[c->id], c->n);
}

const char *smi_waste_sentence(struct smi_text_arena *g)
{
    const struct smi_sweep *s = g->sweep;
    struct smi_waste_cause cause[5];
    size_t n = smi_waste_causes(g, s->runs, s->n, cause);
    int64_t all = smi_wasted_ms(&s->total.waste);
    const char *hours = smi_fmt_hours(g, s->total.covered_ms), *unknown;
    if (s->emptied)
        return smi_fmt(g, "%s leaves none of %zu runs.", smi_fmt_safe(g, s->emptied), s->all);
    if (s->n > 1 && s->total.no_data == (int64_t)s->n)
        return smi_fmt(g, "None of the %zu runs has GPU data.", s->n);
    if (!s->total.gpu_hours.has)
        return "No log here says for how long a GPU was used.";
    if (!waste_is_known(&s->total))
        return smi_fmt(g, "%s GPU-hours. Waste is unknown, because the logs have no readings of GPU use.",
                       hours);
    unknown = smi_unknown_hours_text(g, s->runs, s->n);
    if (n == 0)
        return smi_fmt(g, "None of %s GPU-hours was wasted%s.", hours, unknown);
    if (all < 60000)
        return smi_fmt(g, "Less than a minute of %s GPU-hours was wasted%s.", hours, unknown);
    if (all < s->total.covered_ms / 50) /* 2 %: work that begins and ends */
        return smi_fmt(g, "All but %s %% of %s GPU-hours were used%s.", wasted_percent(g), hours, unknown);
    return smi_fmt(g, "%s %% of %s GPU-hours were wasted, %s %s%s.", wasted_percent(g), hours,
                   n == 1                  ? "all of it"
                   : cause[0].ms * 2 > all ? "mostly"
                                           : "the largest part",
                   cause_place(g, &cause[0]), unknown);
}

static void write_figures(struct smi_html_page *h)
{
    struct smi_text_arena *g = &h->g;
    const struct smi_total *t = &g->sweep->total;
    int64_t wasted = smi_wasted_ms(&t->waste);
    smi_buf_str(g->to, "<div class=\"figures\">\n");
    write_figure(h, smi_fmt(g, "%zu", g->sweep->n), g->sweep->n == 1 ? "run" : "runs",
                 smi_ended_early_text(g, "without GPU data", false));
    write_figure(h, t->gpu_hours.has ? smi_fmt_hours(g, t->covered_ms) : "-", "GPU-hours",
                 t->block.pool[SMI_POOL_UTIL].n
                     ? smi_fmt(g, "GPU %s %%", smi_fmt_mean(g, &t->block, SMI_FIG_UTIL))
                     : "");
    write_figure(h, waste_is_known(t) ? smi_fmt_hours(g, wasted) : "-", "GPU-hours wasted",
                 waste_is_known(t) && t->covered_ms ? smi_fmt(g, "%s %% of all", wasted_percent(g)) : "");
    write_figure(h, smi_fmt_energy(g, t->energy_wh), "energy",
                 smi_with_missing_text(
                     g, g->look->co2 && t->co2_g.has ? smi_fmt(g, "%s CO2", smi_fmt_co2(g, t->co2_g)) : "",
                     smi_total_energy_lack(g, t)));
    if (g->look->money)
        write_figure(
            h, smi_fmt_money(g, t->cost), "cost",
            smi_with_missing_text(
                g, t->wasted_cost[5].has ? smi_fmt(g, "%s wasted", smi_fmt_money(g, t->wasted_cost[5])) : "",
                smi_total_missing_text(g, t, t->of.cost)));
    else
        write_figure(h, smi_fmt_duration(g, t->duration_s), "run time",
                     t->idle_pct.has
                         ? smi_fmt(g, "%s %% of the GPU time idle", smi_fmt_value(g, t->idle_pct, 1))
                         : "");
    smi_buf_str(g->to, "</div>\n");
}

void smi_html_section_head(struct smi_html_page *h)
{
    struct smi_html_text text;
    const char *lines, *end;
    smi_html_write(h, "<header id=\"top\">\n<h1>%n</h1>\n<p class=\"sentence\">%e</p>\n",
                   h->g.sweep->title ? h->g.sweep->title : ".", smi_waste_sentence(&h->g));
    write_figures(h);
    smi_text_head(smi_html_text_begin(h, &text, 10000));
    for (lines = smi_html_text_end(h, &text); *lines; lines = end + (*end != 0)) {
        end = lines + strcspn(lines, "\n");
        if (end > lines)
            smi_html_write(h, "<p class=\"source\">%e</p>\n",
                           smi_fmt(&h->g, "%.*s", (int)(end - lines), lines));
    }
    smi_buf_str(h->g.to, "</header>\n");
    smi_html_forget(h);
}

/* --- 2: where the hours went --- */

void smi_html_section_waste(struct smi_html_page *h)
{
    struct smi_report_table t;
    smi_html_section(h, "waste", "Where the hours went");
    smi_buf_str(h->g.to, "<div class=\"bars js\"></div>\n");
    if (smi_waste_table(&t, &h->g, h->g.sweep->runs, h->g.sweep->n, true))
        smi_table_html(h, &t);
    else
        smi_buf_str(h->g.to, "<p>No GPU-hours are known.</p>\n");
    smi_html_section_end(h);
}

/* ---- what to do: a card a rule, with the GPU-hours of all runs that it speaks of, largest first. ---- */

static const char *finding_amount(struct smi_text_arena *g, const struct smi_finding *f)
{
    bool time = strcmp(smi_rules[f->rule].unit, "s") == 0;
    return time ? smi_fmt_duration(g, f->value) : smi_fmt_value(g, f->value, 1);
}

/* The words above are those of one run: from what to what it goes in all of them. */
static void write_range(struct smi_html_page *h, const struct smi_advice *c)
{
    const char *unit = smi_rules[c->rule].unit, *low, *high;
    if (!*unit || !c->low)
        return;
    low = finding_amount(&h->g, c->low);
    high = finding_amount(&h->g, c->high);
    if (strcmp(low, high) != 0)
        smi_buf_fmt(h->g.to, ": from %s to %s%s%s", low, high, *unit == 's' ? "" : " ",
                    *unit == 's' ? "" : unit);
}

static void write_runs_of_card(struct smi_html_page *h, const struct smi_advice *c)
{
    if (h->g.sweep->n == 1)
        return;
    smi_buf_fmt(h->g.to, "<p class=\"where\">%s", c->runs > 1 ? "most in " : "in ");
    for (size_t i = 0; i < c->named; i++)
        smi_html_write(h, "%s%r", i == 0 ? "" : i == 1 ? "; also in " : ", ", c->top[i].run);

    if (c->runs > c->named)
        smi_buf_fmt(h->g.to, " and %s", smi_fmt_count(&h->g, (int64_t)(c->runs - c->named), "more run"));
    if (c->runs > 1)
        write_range(h, c);
    smi_buf_str(h->g.to, "</p>\n");
}

static void write_card(struct smi_html_page *h, const struct smi_advice *c)
{
    const struct smi_finding *f = smi_advice_words(c);
    smi_html_write(h, "<article class=\"card l-%s\">\n<div class=\"hours\"><b>%e</b> GPU-h",
                   smi_level_names[c->level], c->ms ? smi_fmt_hours(&h->g, c->ms) : "-");
    if (h->g.look->money && c->cost.has)
        smi_html_write(h, "<span>%s</span>", smi_fmt_money(&h->g, c->cost));
    smi_html_write(h, "</div>\n<div class=\"what\"><h3>%n</h3>\n", f->text);
    write_runs_of_card(h, c);
    if (f->advice)
        smi_html_write(h, "<p class=\"do\">%n</p>\n", f->advice);
    smi_buf_fmt(h->g.to, "</div>\n<p class=\"rule\">%s<span>%s</span></p>\n</article>\n",
                smi_rules[c->rule].key, smi_level_names[c->level]);
}

void smi_html_section_findings(struct smi_html_page *h)
{
    enum { SHOWN = 5 };
    struct smi_advice *list;
    size_t n = smi_advice_list(&h->g, h->g.sweep->runs, h->g.sweep->n, &list);
    smi_html_section(h, "findings", "What to do");
    for (size_t i = 0; i < n; i++) {
        if (i == SHOWN)
            smi_buf_fmt(h->g.to, "<details><summary>show all %zu</summary>\n", n);
        write_card(h, &list[i]);
    }
    smi_buf_str(h->g.to, n > SHOWN ? "</details>\n" : n ? "" : "<p>no findings</p>\n");
    smi_html_section_end(h);
}

/* ---- the table of runs as it stands in the page: what is seen on paper and without scripts. ---- */

enum { ROWS = 500 /* of the table that stands in the page itself */ };

/* A table of one row says little: on paper the run has all its numbers. */
static void write_only_run(struct smi_html_page *h)
{
    struct smi_html_text text;
    smi_text_run(smi_html_text_begin(h, &text, 96), h->worst[0], true);
    smi_html_write(h,
                   "<section id=\"runs\" class=\"paper\">\n<h2>The run</h2>\n<div class=\"live js\"></div>\n"
                   "<pre class=\"command\">%e</pre>\n</section>\n",
                   smi_html_text_end(h, &text));
    smi_html_forget(h);
}

void smi_html_section_runs(struct smi_html_page *h)
{
    const struct smi_summary **run = smi_runs_in_order(&h->g, &h->g.arena, false);
    bool some = h->g.sweep->n > ROWS;
    size_t n = some ? ROWS : h->g.sweep->n, left;
    struct smi_report_table t;
    if (h->g.sweep->n == 1) {
        write_only_run(h);
        return;
    }
    smi_html_section(h, "runs", "Runs");
    smi_buf_str(h->g.to, "<div class=\"live js\"></div>\n<div class=\"paper\">\n");
    if (run) {
        smi_runs_table(&t, &h->g, some ? h->worst : run, n, true, &left);
        smi_table_html(h, &t);
    }
    if (some)
        smi_buf_fmt(h->g.to,
                    "<p>The %zu runs that wasted most; %zu more are seen with scripts, and all %zu are in "
                    "-o runs.csv.</p>\n",
                    n, h->n > n ? h->n - n : 0, h->g.sweep->n);
    smi_buf_str(h->g.to, "</div>\n");
    smi_html_section_end(h);
}
