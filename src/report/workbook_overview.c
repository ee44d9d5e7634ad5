/* workbook_overview.c - the first sheet: what someone sees who has never seen the program, on one printed
 * page. */
#include "report/workbook_private.h"
#include "summary/rule.h"
#include "report/run_groups.h"
#include "base/clock.h"
#include "base/version.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { A, B, C, D, E }; /* columns: a wide one, three for figures, a wide one */

#define STYLE(look) ((struct smi_xlsx_style){SMI_XLSX_GENERAL, SMI_XLSX_##look})

/* ---- the tables of Overview: where the GPU-hours went and what to do, the runs that wasted most. ---- */

enum { WORST = 10, NAME = 48, NAME_HEAD = 16 /* characters of a run's name */ };

static const struct smi_xlsx_style words = {SMI_XLSX_WORDS, SMI_XLSX_PLAIN};

/* What people call the causes of waste (smi_waste_names). */
static const char *const causes[] = {"Failed runs", "GPUs that did no work", "Idle before the first work",
                                     "Idle between work", "Idle after the last work"};

/* Is a finding about a cause of waste? */
static bool is_of(const struct smi_finding *f, int cause)
{
    return strcmp(smi_rules[f->rule].key, smi_waste_names[cause]) == 0 ||
           (cause == 0 && f->rule == SMI_RULE_OUT_OF_MEMORY);
}

/* What the findings on a cause advise: that which is about most GPU time; without findings what the rule
 * says. */
static const char *advice_for_cause(const struct smi_workbook *b, int cause)
{
    enum { MOST = 8 };
    struct {
        const char *text;
        int64_t ms;
    } of[MOST] = {{smi_rules[smi_rule_find(smi_waste_names[cause])].advice, 0}};
    int n = 1, best = 0;
    for (size_t i = 0; smi_sweep_has_run(b->sweep, i); i++)
        for (size_t k = 0; k < b->sweep->runs[i].nfindings; k++) {
            const struct smi_finding *f = &b->sweep->runs[i].findings[k];
            int at = 0;
            if (!f->advice || !is_of(f, cause))
                continue;
            while (at < n && strcmp(of[at].text, f->advice) != 0)
                at++;
            if (at == MOST)
                continue;
            of[at].text = f->advice;
            of[at].ms += f->gpu_ms;
            n += at == n;
        }
    for (int i = 1; i < n; i++)
        best = of[i].ms > of[best].ms ? i : best;
    return of[best].text;
}

/* A part of the GPU-hours, in words. */
struct part {
    const char *name, *to_do;
    int64_t ms, runs;
    bool timeless; /* it has a cost and no time */
    struct smi_value cost;
    enum smi_xlsx_appearance look;
};

static void part_row(struct smi_workbook *b, struct smi_xlsx_sheet *to, int64_t row, const struct part *p)
{
    int64_t all = b->sweep->total.covered_ms;
    smi_xlsx_text(to, row, A, smi_xlsx_as(SMI_XLSX_GENERAL, p->look), p->name);
    if (p->timeless)
        smi_xlsx_blank(to, row, B, p->look);
    else
        smi_xlsx_number(to, row, B, smi_xlsx_as(SMI_XLSX_TWO, p->look), (double)p->ms / 3600000);
    if (b->look->money && p->cost.has)
        smi_xlsx_number(to, row, C, smi_xlsx_as(SMI_XLSX_MONEY, p->look), (double)p->cost.micro / 1e6);
    else if (!b->look->money && all > 0)
        smi_xlsx_number(to, row, C, smi_xlsx_as(SMI_XLSX_PERCENT, p->look), (double)p->ms / (double)all);
    else
        smi_xlsx_blank(to, row, C, p->look);
    if (p->timeless)
        smi_xlsx_blank(to, row, D, p->look);
    else
        smi_xlsx_number(to, row, D, smi_xlsx_as(SMI_XLSX_INT, p->look), (double)p->runs);
    smi_xlsx_text(to, row, E, smi_xlsx_as(SMI_XLSX_WORDS, p->look), p->to_do);
}

enum { WASTED = 5, USED, UNKNOWN, ALL /* beside the causes */ };

/* GPU time of a run that is in a part. */
static int64_t run_ms(const struct smi_summary *s, int part)
{
    int64_t wasted = smi_wasted_ms(&s->waste), unknown = smi_unknown_ms(s);
    return part < WASTED     ? smi_waste_part(&s->waste, part)
           : part == WASTED  ? wasted
           : part == UNKNOWN ? unknown
           : part == USED    ? s->covered_ms - wasted - unknown
                             : s->covered_ms;
}

static int64_t runs_in(const struct smi_workbook *b, int part)
{
    int64_t n = 0;
    for (size_t i = 0; smi_sweep_has_run(b->sweep, i); i++)
        n += run_ms(&b->sweep->runs[i], part) > 0;
    return n;
}

/* The causes, largest first. */
static void cause_rows(struct smi_workbook *b, struct smi_xlsx_sheet *to, int64_t *row)
{
    const struct smi_waste *w = &b->sweep->total.waste;
    bool said[5] = {false};
    for (int k = 0, best = 0; k < 5; k++, best = 0) {
        for (int id = 0; id < 5; id++)
            if (!said[id] && (said[best] || smi_waste_part(w, id) > smi_waste_part(w, best)))
                best = id;
        said[best] = true;
        part_row(b, to, ++*row,
                 &(struct part){.name = causes[best],
                                .to_do = smi_waste_part(w, best) > 0 ? advice_for_cause(b, best) : "",
                                .ms = smi_waste_part(w, best),
                                .runs = runs_in(b, best),
                                .cost = b->sweep->total.wasted_cost[best]});
    }
}

/* What makes the wasted hours all of them. */
static void rest_rows(struct smi_workbook *b, struct smi_xlsx_sheet *to, int64_t *row)
{
    const struct smi_total *t = &b->sweep->total;
    struct smi_not_wasted rest;
    smi_not_wasted_sum(b->sweep, &rest);
    part_row(b, to, ++*row,
             &(struct part){"Wasted, all together", "", smi_wasted_ms(&t->waste), runs_in(b, WASTED), false,
                            t->wasted_cost[5], SMI_XLSX_RULED});
    part_row(b, to, ++*row,
             &(struct part){"Used", "working, or waiting between readings", rest.used_ms, runs_in(b, USED),
                            false, rest.used, SMI_XLSX_PLAIN});
    if (rest.unknown_ms)
        part_row(b, to, ++*row,
                 &(struct part){"Not known", "no reading of utilisation: have it logged", rest.unknown_ms,
                                runs_in(b, UNKNOWN), false, rest.unknown, SMI_XLSX_PLAIN});
    if (rest.energy.has && b->look->money)
        part_row(b, to, ++*row,
                 &(struct part){"Energy", "beside the hours", 0, 0, true, rest.energy, SMI_XLSX_PLAIN});
    part_row(
        b, to, ++*row,
        &(struct part){"All GPU-hours", "", t->covered_ms, runs_in(b, ALL), false, t->cost, SMI_XLSX_RULED});
}

/* Of it the tables; row: the next that is empty. */
static void write_waste(struct smi_workbook *b, struct smi_xlsx_sheet *to, int64_t *row)
{
    static const char *const heads[] = {"Where they went", "GPU-h", "Cost", "Runs", "What to do"};
    smi_xlsx_text(to, (*row)++, A, STYLE(SECTION), "Where the GPU-hours went");
    for (int i = 0; i < 5; i++)
        smi_xlsx_text(to, *row, i,
                      smi_xlsx_as(i == 0  ? SMI_XLSX_GENERAL
                                  : i < 4 ? SMI_XLSX_TWO
                                          : SMI_XLSX_WORDS,
                                  SMI_XLSX_HEAD),
                      i == 2 && !b->look->money ? "Share %" : heads[i]);
    cause_rows(b, to, row);
    rest_rows(b, to, row);
    *row += 2;
}

static void worst_row(struct smi_workbook *b, struct smi_xlsx_sheet *to, int64_t row,
                      const struct smi_summary *s)
{
    struct smi_workbook_cell c = {0};
    int64_t ms = smi_wasted_ms(&s->waste);
    struct smi_value v = s->wasted_cost[5];
    smi_workbook_run(b, &c, s, true);
    c.text = smi_fmt_middle(&b->page, s->run, NAME, NAME_HEAD);
    if (c.is == SMI_WORKBOOK_LINK)
        smi_xlsx_link(to, row, A, c.to, c.to_row, c.text);
    else
        smi_xlsx_text(to, row, A, STYLE(PLAIN), c.text);
    smi_xlsx_number(to, row, B, smi_xlsx_as(SMI_XLSX_TWO, SMI_XLSX_PLAIN), (double)ms / 3600000);
    if (b->look->money && v.has)
        smi_xlsx_number(to, row, C, smi_xlsx_as(SMI_XLSX_MONEY, SMI_XLSX_PLAIN), (double)v.micro / 1e6);
    else if (!b->look->money && s->covered_ms > 0)
        smi_xlsx_number(to, row, C, smi_xlsx_as(SMI_XLSX_PERCENT, SMI_XLSX_PLAIN),
                        (double)ms / (double)s->covered_ms);
    smi_xlsx_text(to, row, D, words, smi_state_names[s->state]);
    smi_xlsx_text(to, row, E, words, smi_run_note_text(&b->page, s));
}

static void write_worst(struct smi_workbook *b, struct smi_xlsx_sheet *to, int64_t *row)
{
    static const char *const heads[] = {"Run", "Wasted GPU-h", "Cost", "State", "What it is noted for"};
    const struct smi_sweep *s = b->sweep;
    const struct smi_summary **run = smi_runs_by_waste(&b->page.arena, s);
    size_t n = 0;
    b->page.failed |= !run;
    if (!run)
        return;
    while (n < s->n && n < WORST && smi_wasted_ms(&run[n]->waste) > 0)
        n++;
    if (n == 0)
        return;
    smi_xlsx_text(to, (*row)++, A, STYLE(SECTION),
                  s->n == 1 ? "The run"
                  : n == 1  ? "The run that wasted most"
                            : smi_fmt(&b->page, "The %zu runs that wasted most", n));
    for (int i = 0; i < 5; i++)
        smi_xlsx_text(to, *row, i,
                      smi_xlsx_as(i == 0  ? SMI_XLSX_GENERAL
                                  : i < 3 ? SMI_XLSX_TWO
                                          : SMI_XLSX_WORDS,
                                  SMI_XLSX_HEAD),
                      i == 2 && !b->look->money ? "Share of the run" : heads[i]);
    for (size_t i = 0; i < n; i++)
        worst_row(b, to, ++*row, run[i]);
    *row += 2;
}

/* ---- the first sheet: what someone sees who has never seen the tool. One printed page, in words of the
 * trade. ---- */

enum { CARDS = 5, CHART_ROWS = 11, CHART_WIDE = 1080, ROW_HIGH = 20 /* pixels */ };
enum { ACROSS = 150 /* characters of a line that fit the page */ };

/* --- the head --- */

/* A sentence in as many rows as it takes: nothing wraps over the columns of a table below. */
static void write_sentence(struct smi_workbook *b, struct smi_xlsx_sheet *to, int64_t *row,
                           struct smi_xlsx_style style, const char *text)
{
    for (size_t n; *(text += strspn(text, " ")); text += n) {
        n = strlen(text);
        if (n > ACROSS) {
            for (n = ACROSS; n && text[n] != ' '; n--)
                ;
            n = n ? n : strcspn(text, " ");
        }
        smi_xlsx_text(to, (*row)++, A, style,
                      smi_fmt_middle(&b->page, smi_fmt(&b->page, "%.*s", (int)n, text), ACROSS, ACROSS - 30));
    }
}

/* The lines above the table for a terminal say it already. */
static void write_overview_head(struct smi_workbook *b, struct smi_xlsx_sheet *to, int64_t *row)
{
    struct smi_buf t = {0};
    struct smi_render_options look = *b->look;
    struct smi_text_arena g = {.to = &t, .sweep = b->sweep, .look = &look};
    char now[SMI_CLOCK_TEXT], *line, *next;
    look.width = 0;
    look.color = false;
    look.utf8 = true;
    smi_text_head(&g);
    smi_xlsx_text(to, *row, A, STYLE(TITLE), "What the GPUs did");
    smi_xlsx_height(to, (*row)++, 30);
    for (line = t.p; line && *line; line = next) {
        next = line + strcspn(line, "\n");
        next += *next ? 1 : 0;
        write_sentence(b, to, row, STYLE(PLAIN), smi_fmt(&b->page, "%.*s", (int)strcspn(line, "\n"), line));
    }
    smi_clock_write(now, b->look->now_ms, false);
    smi_xlsx_text(to, (*row)++, A, STYLE(GREY),
                  b->look->now_ms
                      ? smi_fmt(&b->page, "made %.10s %.5s UTC by smilog " SMILOG_VERSION, now, now + 11)
                      : "made by smilog " SMILOG_VERSION);
    if (smi_text_arena_end(&g, NULL))
        smi_xlsx_fail(b->x, SMI_ENOMEM, "no memory");
    smi_buf_fini(&t);
}

/* "18.4 % of 20.37 GPU-hours were wasted; most of it in one failed run." */
static const char *overview_verdict(struct smi_workbook *b)
{
    static const char *const where[] = {"failed runs", "GPUs that did no work",
                                        "idle time before the first work", "idle time between work",
                                        "idle time after the last work"};
    const struct smi_sweep *s = b->sweep;
    const struct smi_waste *w = &s->total.waste;
    int64_t wasted = smi_wasted_ms(w);
    int best = 0;
    if (!s->total.gpu_hours.has)
        return "Nothing is known of the time of the GPUs.";
    if (!smi_waste_known(s->total.wasted_h[5], s->total.idle_pct, w))
        return "Without utilisation in the logs nothing is known of waste.";
    if (wasted <= 0)
        return smi_fmt(&b->page, "None of %s GPU-hours was wasted%s.",
                       smi_fmt_hours(&b->page, s->total.covered_ms),
                       smi_unknown_hours_text(&b->page, s->runs, s->n));
    for (int i = 1; i < 5; i++)
        if (smi_waste_part(w, i) > smi_waste_part(w, best))
            best = i;
    return smi_fmt(&b->page, "%s %% of %s GPU-hours were wasted%s; %s in %s.",
                   smi_fmt_ratio(&b->page, (smi_i128)wasted * 100, s->total.covered_ms, 1),
                   smi_fmt_hours(&b->page, s->total.covered_ms),
                   smi_unknown_hours_text(&b->page, s->runs, s->n),
                   smi_waste_part(w, best) == wasted      ? "all of it"
                   : smi_waste_part(w, best) * 2 > wasted ? "most of it"
                                                          : "the largest part of it",
                   best == 0 && s->total.failed == 1 ? "one failed run" : where[best]);
}

/* --- figures --- */

struct card {
    const char *label, *under;
    enum smi_xlsx_kind kind;
    bool has;
    double v;
};

static const char *run_states(struct smi_workbook *b)
{
    const struct smi_total *t = &b->sweep->total;
    const char *s = "";
    if (t->failed)
        s = smi_fmt(&b->page, ", %lld failed", (long long)t->failed);
    if (t->cut)
        s = smi_fmt(&b->page, "%s, %lld cut", s, (long long)t->cut);
    if (t->no_data)
        s = smi_fmt(&b->page, "%s, %lld without GPU data", s, (long long)t->no_data);
    return *s ? s + 2 : "";
}

/* Below a sum that not all runs have: of how many it is not known; what else there is to say, if the column
 * is wide. */
static const char *under(struct smi_workbook *b, const char *text, bool wide, int64_t of)
{
    const char *lack = smi_total_missing_text(&b->page, &b->sweep->total, of);
    return !lack ? text : *text && wide ? smi_fmt(&b->page, "%s; %s", text, lack) : lack;
}

static struct card money_or_use(struct smi_workbook *b)
{
    const struct smi_total *t = &b->sweep->total;
    struct smi_headline_figure f[SMI_HEADLINE_COUNT];
    struct card c = {.label = "GPU use", .under = "mean of all readings", .kind = SMI_XLSX_PERCENT};
    int64_t micro = 0;
    if (b->look->money)
        return (struct card){
            .label = "Cost",
            .kind = SMI_XLSX_MONEY,
            .has = t->cost.has,
            .v = (double)t->cost.micro / 1e6,
            .under = under(b,
                           !t->wasted_cost[5].has
                               ? ""
                               : smi_fmt(&b->page, "%s %swasted", smi_fmt_money(&b->page, t->wasted_cost[5]),
                                         smi_total_costs_match(t) ? "of it " : ""),
                           true, t->of.cost)};
    smi_headline_figures(&t->block, f);
    c.has = f[SMI_FIG_UTIL].has && smi_text_parse_micro(smi_text_of(f[SMI_FIG_UTIL].text), &micro) == 0;
    c.v = (double)micro / SMI_WORKBOOK_PCT;
    return c;
}

static void write_figures(struct smi_workbook *b, struct smi_xlsx_sheet *to, int64_t *row)
{
    const struct smi_total *t = &b->sweep->total;
    int64_t wasted = smi_wasted_ms(&t->waste);
    bool known = smi_waste_known(t->wasted_h[5], t->idle_pct, &t->waste);
    struct card card[CARDS] = {
        {"Runs", run_states(b), SMI_XLSX_INT, true, (double)b->sweep->n},
        {"GPU-hours", smi_fmt(&b->page, "in %s of runs", smi_fmt_duration(&b->page, t->duration_s)),
         SMI_XLSX_TWO, t->gpu_hours.has, (double)t->covered_ms / 3600000},
        {"Wasted GPU-hours",
         known && t->covered_ms > 0
             ? smi_fmt(&b->page, "%s %% of all",
                       smi_fmt_ratio(&b->page, (smi_i128)wasted * 100, t->covered_ms, 1))
             : "",
         SMI_XLSX_TWO, known, (double)wasted / 3600000},
        {"Energy kWh", under(b, "of all GPUs", false, t->of.energy), SMI_XLSX_TWO, t->energy_wh.has,
         (double)t->energy_wh.micro / 1e9},
        money_or_use(b)};
    for (int i = 0; i < CARDS; i++)
        smi_xlsx_text(to, *row, i, STYLE(LABEL), card[i].label);
    for (int i = 0; i < CARDS; i++)
        if (card[i].has)
            smi_xlsx_number(to, *row + 1, i, smi_xlsx_as(card[i].kind, SMI_XLSX_FIGURE), card[i].v);
        else
            smi_xlsx_text(to, *row + 1, i, STYLE(FIGURE), "-");
    smi_xlsx_height(to, *row + 1, 34);
    for (int i = 0; i < CARDS; i++)
        smi_xlsx_text(to, *row + 2, i, STYLE(LABEL), card[i].under);
    *row += 4;
}

/* --- the chart --- */

static void write_group_chart(struct smi_workbook *b, struct smi_xlsx_sheet *to, int64_t *row)
{
    enum { USED_H = 4, CURVES = 4 }; /* columns of Groups, from that one on */
    static const char *const name[CURVES] = {"used", "idle", "failed", "not known"};
    static const uint32_t colour[CURVES] = {0x4F7CAC, 0xF2C14E, 0xB3261E, 0xBCC3CB};
    int curves = smi_unknown_all_ms(b->sweep->runs, b->sweep->n) > 0 ? CURVES : CURVES - 1;
    struct smi_xlsx_curve c[CURVES];
    int64_t high = (CHART_ROWS + b->group_last - b->group_first) * ROW_HIGH;
    struct smi_xlsx_plot plot = {
        .kind = SMI_XLSX_BARS,
        .x_name = "GPU-hours",
        .told = "Stacked bars: GPU-hours of each group, used, idle, failed and not known"};
    if (!b->sweep->total.gpu_hours.has || b->group_first == 0)
        return;
    plot.title = smi_fmt(&b->page, "GPU-hours %s %s: used, idle, failed%s",
                         strcmp(b->group_by, SMI_WORKBOOK_ALL_RUNS) == 0 ? "of" : "by",
                         smi_fmt_safe(&b->page, b->group_by), curves == CURVES ? ", not known" : "");
    for (int i = 0; i < curves; i++)
        c[i] = (struct smi_xlsx_curve){b->sheet[SMI_WORKBOOK_GROUPS],
                                       b->group_first,
                                       b->group_last,
                                       0,
                                       USED_H + i,
                                       name[i],
                                       colour[i],
                                       0};
    smi_xlsx_chart(to, *row, A, CHART_WIDE, (int)high, &plot, c, (size_t)curves);
    *row += high / ROW_HIGH + 1;
}

void smi_workbook_overview(struct smi_workbook *b)
{
    struct smi_xlsx_sheet *to = b->sheet[SMI_WORKBOOK_OVERVIEW];
    static const double width[] = {44, 19, 19, 19, 58};
    const char *doubts = smi_warnings_text(&b->page, smi_fmt_safe);
    int64_t row = 0;
    for (int i = 0; i < 5; i++)
        smi_xlsx_width(to, i, i, width[i]);
    write_overview_head(b, to, &row);
    smi_xlsx_text(to, ++row, A, STYLE(SAID), overview_verdict(b));
    row += 2;
    write_figures(b, to, &row);
    write_group_chart(b, to, &row);
    if (b->sweep->total.covered_ms > 0)
        write_waste(b, to, &row);
    write_worst(b, to, &row);
    if (*doubts)
        write_sentence(b, to, &row, STYLE(GREY), smi_fmt(&b->page, "Doubts: %s.", doubts));
    if (b->sweep->n > 1)
        smi_xlsx_text(
            to, row++, A, STYLE(GREY),
            smi_fmt(&b->page,
                    "GPU use %% in Groups%s is the mean of all readings, as in the table of a "
                    "terminal: a longer run counts more. In row 2 of Runs each run counts the same.",
                    b->look->money ? "" : " and here"));
    smi_xlsx_text(to, row, A, STYLE(GREY),
                  "The sheet About explains every column, and says what was left out.");
    smi_xlsx_print_part(to, row, E);
    smi_xlsx_activate(to);
}
