/* workbook_overview.c - the first sheet: what someone sees who has never seen the tool. One printed page, in
 * words of the trade.
 */
#include "report/workbook_private.h"

#include "base/clock.h"
#include "base/version.h"
#include "report/text_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CARDS = 5, CHART_ROWS = 11, CHART_WIDE = 1080, ROW_HIGH = 20 /* pixels */ };
enum { ACROSS = 150 /* characters of a line that fit the page */ };
enum { A, B, C, D, E }; /* columns: a wide one, three for figures, a wide one */

#define STYLE(look) ((struct smi_xlsx_style){SMI_XLSX_GENERAL, SMI_XLSX_##look})

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
            smi_xlsx_number(to, *row + 1, i, (struct smi_xlsx_style){card[i].kind, SMI_XLSX_FIGURE},
                            card[i].v);
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
        smi_workbook_waste(b, to, &row);
    smi_workbook_worst(b, to, &row);
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
