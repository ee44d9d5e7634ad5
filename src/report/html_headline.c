/* html_headline.c - what the eye meets: title, five figures, one sentence, and where the GPU-hours went
 * (screens.md §9.1, 2). */
#include "report/html_sections.h"

#include <string.h>

/* --- 1: the head --- */

static void write_figure(struct smi_html_page *h, const char *value, const char *label, const char *more)
{
    smi_buf_str(h->g.to, "<div class=\"figure\"><b>");
    smi_html_add_text(h, value);
    smi_html_fmt(h, "</b><span>%s</span>", label);
    if (*more)
        smi_html_fmt(h, "<i>%s</i>", more);
    smi_buf_str(h->g.to, "</div>\n");
}

/* "1 failed, 1 cut" */
static const char *ended_early(struct smi_text_arena *g)
{
    const struct smi_total *t = &g->sweep->total;
    const struct {
        int64_t n;
        const char *word;
    } end[] = {{t->failed, "failed"}, {t->cut, "cut"}, {t->no_data, "without GPU data"}};
    const char *text = "";
    for (int i = 0; i < 3; i++)
        if (end[i].n)
            text = smi_fmt(g, "%s%s%lld %s", text, *text ? ", " : "", (long long)end[i].n, end[i].word);
    return text;
}

static const char *wasted_percent(struct smi_text_arena *g, int digits)
{
    const struct smi_total *t = &g->sweep->total;
    return t->covered_ms ? smi_fmt_ratio(g, (smi_i128)smi_wasted_ms(&t->waste) * 100, t->covered_ms, digits)
                         : "0";
}

static bool waste_is_known(const struct smi_total *t)
{
    return smi_waste_known(t->wasted_h[5], t->idle_pct, &t->waste);
}

/* Where a cause is, in words that go on from "most of it". */
static const char *cause_place(struct smi_text_arena *g, const struct smi_waste_cause *c)
{
    static const char *const one[] = {"in one failed run", "in one run whose GPU did no work",
                                      "in one run before its first work", "in one run that stood still",
                                      "in one run after its last work"};
    static const char *const many[] = {"failed runs", "runs with GPUs that did no work",
                                       "runs before their first work", "runs that stood still",
                                       "runs after their last work"};
    return c->n == 1 ? one[c->id] : smi_fmt(g, "in %zu %s", c->n, many[c->id]);
}

/* "18.4 % of 20.37 GPU-hours were wasted; most of it in one failed run." */
static const char *headline_sentence(struct smi_text_arena *g)
{
    const struct smi_sweep *s = g->sweep;
    struct smi_waste_cause cause[5];
    size_t n = smi_waste_causes(g, s->runs, s->n, smi_fmt_safe, cause);
    int64_t all = smi_wasted_ms(&s->total.waste);
    const char *hours = smi_fmt_hours(g, s->total.covered_ms);
    if (!s->total.gpu_hours.has)
        return "No log here says for how long a GPU was used.";
    if (!waste_is_known(&s->total))
        return smi_fmt(g, "%s GPU-hours; without readings of utilisation nothing is known of waste.", hours);
    if (n == 0)
        return smi_fmt(g, "None of %s GPU-hours was wasted%s.", hours,
                       smi_unknown_hours_text(g, s->runs, s->n));
    return smi_fmt(g, "%s %% of %s GPU-hours were wasted%s; %s %s.", wasted_percent(g, 1), hours,
                   smi_unknown_hours_text(g, s->runs, s->n),
                   n == 1                  ? "all of it"
                   : cause[0].ms * 2 > all ? "most of it"
                                           : "the largest part",
                   cause_place(g, &cause[0]));
}

/* Below a sum that not all runs have: what else there is to say, and of how many it is not known. */
static const char *known_of(struct smi_text_arena *g, const char *text, int64_t of)
{
    const char *lack = smi_total_missing_text(g, &g->sweep->total, of);
    return !lack ? text : *text ? smi_fmt(g, "%s; %s", text, lack) : lack;
}

static void write_figures(struct smi_html_page *h)
{
    struct smi_text_arena *g = &h->g;
    const struct smi_total *t = &g->sweep->total;
    int64_t wasted = smi_wasted_ms(&t->waste);
    smi_buf_str(g->to, "<div class=\"figures\">\n");
    write_figure(h, smi_fmt(g, "%zu", g->sweep->n), g->sweep->n == 1 ? "run" : "runs", ended_early(g));
    write_figure(h, t->gpu_hours.has ? smi_fmt_hours(g, t->covered_ms) : "-", "GPU-hours",
                 t->block.pool[SMI_POOL_UTIL].n
                     ? smi_fmt(g, "GPU %s %%", smi_fmt_mean(g, &t->block, SMI_FIG_UTIL))
                     : "");
    write_figure(h, waste_is_known(t) ? smi_fmt_hours(g, wasted) : "-", "GPU-hours wasted",
                 waste_is_known(t) && t->covered_ms ? smi_fmt(g, "%s %% of all", wasted_percent(g, 1)) : "");
    write_figure(h, smi_fmt_energy(g, t->energy_wh), "energy",
                 known_of(g,
                          g->look->co2 && t->co2_g.has ? smi_fmt(g, "%s CO2", smi_fmt_co2(g, t->co2_g)) : "",
                          t->of.energy));
    if (g->look->money)
        write_figure(
            h, smi_fmt_money(g, t->cost), "cost",
            known_of(
                g, t->wasted_cost[5].has ? smi_fmt(g, "%s wasted", smi_fmt_money(g, t->wasted_cost[5])) : "",
                t->of.cost));
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
                   h->g.sweep->title ? h->g.sweep->title : ".", headline_sentence(&h->g));
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

static void cost_cell(struct smi_html_page *h, struct smi_value cost)
{
    if (h->g.look->money)
        smi_html_fmt(h, "<td class=\"n\">%s</td>", cost.has ? smi_fmt_money(&h->g, cost) : "");
}

static void row_end(struct smi_html_page *h, const struct smi_waste_cause *c, const char *why)
{
    if (c && c->n == 1 && *c->where)
        smi_html_write(h, "<td>%r", c->run);
    else
        smi_html_write(h, "<td>%n", c ? c->where : "");
    smi_html_write(h, "</td><td>%n</td></tr>\n", why);
}

static void row_begin(struct smi_html_page *h, const char *class, const char *name, int64_t ms,
                      struct smi_value cost)
{
    smi_html_write(h, "<tr class=\"w-%s\"><th scope=\"row\"><span class=\"key\"></span>%s</th>", class, name);
    smi_html_write(h, "<td class=\"n\">%e</td><td class=\"n\">%s</td>", smi_fmt_hours(&h->g, ms),
                   smi_fmt_ratio(&h->g, (smi_i128)ms * 100, h->g.sweep->total.covered_ms, 1));
    cost_cell(h, cost);
}

/* What is in no part of the waste. */
static void not_wasted(struct smi_html_page *h, const struct smi_not_wasted *r)
{
    row_begin(h, "used", "used", r->used_ms, r->used);
    row_end(h, NULL, "working, or waiting between readings");
    if (!r->unknown_ms)
        return;
    row_begin(h, "unknown", "not known", r->unknown_ms, r->unknown);
    row_end(h, NULL, "no reading of utilisation");
}

void smi_html_section_waste(struct smi_html_page *h)
{
    const struct smi_sweep *s = h->g.sweep;
    const struct smi_total *t = &s->total;
    struct smi_waste_cause cause[5];
    size_t n = smi_waste_causes(&h->g, s->runs, s->n, smi_fmt_safe, cause);
    int64_t wasted = smi_wasted_ms(&t->waste);
    struct smi_not_wasted rest;
    smi_html_section(h, "waste", "Where the hours went");
    smi_buf_str(h->g.to, "<div class=\"bars js\"></div>\n");
    if (t->covered_ms <= 0) {
        smi_buf_str(h->g.to, "<p>No GPU-hours are known.</p>\n</section>\n");
        return;
    }
    smi_html_table(h, h->g.look->money ? "Part|#GPU-h|#%|#Cost|Where|Why" : "Part|#GPU-h|#%|Where|Why");
    smi_not_wasted_sum(s, &rest);
    not_wasted(h, &rest);
    for (size_t i = 0; i < n; i++) {
        row_begin(h, smi_waste_names[cause[i].id], smi_waste_names[cause[i].id], cause[i].ms, cause[i].cost);
        row_end(h, &cause[i], cause[i].why);
    }
    smi_html_write(
        h, "</tbody>\n<tfoot><tr><th scope=\"row\">wasted</th><td class=\"n\">%e</td><td class=\"n\">%s</td>",
        smi_fmt_hours(&h->g, wasted), smi_fmt_ratio(&h->g, (smi_i128)wasted * 100, t->covered_ms, 1));
    cost_cell(h, t->wasted_cost[5]);
    smi_buf_str(h->g.to, "<td></td><td></td></tr>\n");
    if (rest.energy.has && h->g.look->money)
        smi_html_write(h,
                       "<tr><th scope=\"row\">energy</th><td></td><td></td><td class=\"n\">%s</td>"
                       "<td></td><td></td></tr>\n",
                       smi_fmt_money(&h->g, rest.energy));
    smi_html_write(h, "<tr><th scope=\"row\">all</th><td class=\"n\">%e</td><td class=\"n\">100.0</td>",
                   smi_fmt_hours(&h->g, t->covered_ms));
    cost_cell(h, t->cost);
    smi_buf_str(h->g.to, "<td></td><td></td></tr></tfoot>\n</table></div>\n</section>\n");
    smi_html_forget(h);
}
