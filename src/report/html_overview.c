/* html_overview.c - the first sections of a page: headline, waste, findings, runs.
 */
#include "report/html_sections.h"

#include <stdlib.h>
#include <string.h>

/* ---- what the eye meets: title, five figures, one sentence, and where the GPU-hours went. ---- */

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

const char *smi_waste_sentence(struct smi_text_arena *g)
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

/* ---- what to do: a card a rule, with the GPU-hours of all runs that it speaks of, largest first. ---- */

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
    for (size_t i = 0; card && smi_sweep_has_run(h->g.sweep, i); i++)
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

/* ---- the table of runs as it stands in the page: what is seen on paper and without scripts. ---- */

enum { ROWS = 500 /* of the table that stands in the page itself */ };

static bool is_shown(const struct smi_html_page *h, int column)
{
    return !smi_run_table_columns[column].more && smi_html_column_shown(h, column);
}

static bool is_number(int column)
{
    enum smi_html_kind kind = smi_html_kind_of(column);
    return kind == SMI_HTML_NUMBER || kind == SMI_HTML_SPAN;
}

static void write_runs_head(struct smi_html_page *h)
{
    smi_buf_str(h->g.to, "<thead><tr>");
    for (int c = 0; c < SMI_RUNS_COLUMNS; c++)
        if (is_shown(h, c))
            smi_html_fmt(h, "<th scope=\"col\"%s>%s</th>", is_number(c) ? " class=\"n\"" : "",
                         smi_run_table_columns[c].head);
    smi_buf_str(h->g.to, "</tr></thead>\n<tbody>\n");
}

static void write_runs_row(struct smi_html_page *h, const struct smi_summary *s)
{
    const unsigned marks = smi_findings_marks(s, -1);
    const bool failed = s->state == SMI_STATE_FAILED;
    smi_buf_str(h->g.to, "<tr>");
    for (int c = 0; c < SMI_RUNS_COLUMNS; c++) {
        const char *text = is_shown(h, c) ? smi_html_cell(h, c, s) : NULL;
        const char *marked =
            text && marks & smi_run_table_columns[c].mark && *text != '-' ? failed ? " bad" : " odd" : "";
        if (!text)
            continue;
        if (c == SMI_RUNS_STATE && failed)
            smi_buf_str(h->g.to, "<td class=\"bad\">");
        else
            smi_html_fmt(h, is_number(c) ? "<td class=\"n%s\">" : "<td%s>", marked);
        if (c == SMI_RUNS_NAME)
            smi_html_add_link(h, s);
        else
            smi_html_add_text(h, text);
        smi_buf_str(h->g.to, "</td>");
    }
    smi_buf_str(h->g.to, "</tr>\n");
    smi_html_forget(h);
}

/* The sum in the words of the rows; what has none is empty. */
static void write_runs_total(struct smi_html_page *h)
{
    struct smi_summary all;
    smi_total_as_run(&all, h->g.sweep);
    smi_html_fmt(h, "</tbody>\n<tfoot><tr><th scope=\"row\">total %zu run%s</th>", h->g.sweep->n,
                 h->g.sweep->n == 1 ? "" : "s");
    for (int c = SMI_RUNS_NAME + 1; c < SMI_RUNS_COLUMNS; c++)
        if (is_shown(h, c)) {
            smi_buf_str(h->g.to, "<td class=\"n\">");
            smi_html_add_text(h, smi_html_kind_of(c) == SMI_HTML_WORDS ? "" : smi_html_cell(h, c, &all));
            smi_buf_str(h->g.to, "</td>");
        }
    smi_buf_str(h->g.to, "</tr></tfoot>\n");
}

void smi_html_section_runs(struct smi_html_page *h)
{
    bool some = h->g.sweep->n > ROWS;
    size_t n = some ? ROWS : h->g.sweep->n;
    smi_html_section(h, "runs", "Runs");
    smi_buf_str(h->g.to, "<div class=\"live js\"></div>\n<div class=\"paper\">\n<div class=\"scroll\"><table "
                         "class=\"plain\">\n");
    write_runs_head(h);
    for (size_t i = 0; i < n; i++)
        write_runs_row(h, some ? h->worst[i] : &h->g.sweep->runs[i]);
    write_runs_total(h);
    smi_buf_str(h->g.to, "</table></div>\n");
    if (some)
        smi_html_fmt(h,
                     "<p>The %zu runs that wasted most; %zu more are seen with scripts, and all %zu are in "
                     "-o runs.csv.</p>\n",
                     n, h->n > n ? h->n - n : 0, h->g.sweep->n);
    smi_buf_str(h->g.to, "</div>\n</section>\n");
    smi_html_forget(h);
}
