/* workbook_waste.c - the tables of Overview: where the GPU-hours went and what to do, the runs that wasted
 * most. */
#include "report/workbook_private.h"

#include "summary/rule.h"
#include "report/text_report.h"

#include <stdlib.h>
#include <string.h>

enum { WORST = 10, NAME = 48, NAME_HEAD = 16 /* characters of a run's name */ };
enum { A, B, C, D, E }; /* columns: a wide one, three for figures, a wide one */

#define STYLE(look) ((struct smi_xlsx_style){SMI_XLSX_GENERAL, SMI_XLSX_##look})
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
    for (size_t i = 0; i < b->sweep->n; i++)
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
    smi_xlsx_text(to, row, A, (struct smi_xlsx_style){SMI_XLSX_GENERAL, p->look}, p->name);
    if (p->timeless)
        smi_xlsx_blank(to, row, B, p->look);
    else
        smi_xlsx_number(to, row, B, (struct smi_xlsx_style){SMI_XLSX_TWO, p->look}, (double)p->ms / 3600000);
    if (b->look->money && p->cost.has)
        smi_xlsx_number(to, row, C, (struct smi_xlsx_style){SMI_XLSX_MONEY, p->look},
                        (double)p->cost.micro / 1e6);
    else if (!b->look->money && all > 0)
        smi_xlsx_number(to, row, C, (struct smi_xlsx_style){SMI_XLSX_PERCENT, p->look},
                        (double)p->ms / (double)all);
    else
        smi_xlsx_blank(to, row, C, p->look);
    if (p->timeless)
        smi_xlsx_blank(to, row, D, p->look);
    else
        smi_xlsx_number(to, row, D, (struct smi_xlsx_style){SMI_XLSX_INT, p->look}, (double)p->runs);
    smi_xlsx_text(to, row, E, (struct smi_xlsx_style){SMI_XLSX_WORDS, p->look}, p->to_do);
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
    for (size_t i = 0; i < b->sweep->n; i++)
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

void smi_workbook_waste(struct smi_workbook *b, struct smi_xlsx_sheet *to, int64_t *row)
{
    static const char *const heads[] = {"Where they went", "GPU-h", "Cost", "Runs", "What to do"};
    smi_xlsx_text(to, (*row)++, A, STYLE(SECTION), "Where the GPU-hours went");
    for (int i = 0; i < 5; i++)
        smi_xlsx_text(to, *row, i,
                      (struct smi_xlsx_style){i == 0  ? SMI_XLSX_GENERAL
                                              : i < 4 ? SMI_XLSX_TWO
                                                      : SMI_XLSX_WORDS,
                                              SMI_XLSX_HEAD},
                      i == 2 && !b->look->money ? "Share %" : heads[i]);
    cause_rows(b, to, row);
    rest_rows(b, to, row);
    *row += 2;
}

static int by_wasted(const void *a, const void *b)
{
    const struct smi_summary *x = *(const struct smi_summary *const *)a,
                             *y = *(const struct smi_summary *const *)b;
    int64_t v = smi_wasted_ms(&x->waste), w = smi_wasted_ms(&y->waste);
    if (v != w)
        return v > w ? -1 : 1;
    return x < y ? -1 : x > y;
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
    smi_xlsx_number(to, row, B, (struct smi_xlsx_style){SMI_XLSX_TWO, SMI_XLSX_PLAIN}, (double)ms / 3600000);
    if (b->look->money && v.has)
        smi_xlsx_number(to, row, C, (struct smi_xlsx_style){SMI_XLSX_MONEY, SMI_XLSX_PLAIN},
                        (double)v.micro / 1e6);
    else if (!b->look->money && s->covered_ms > 0)
        smi_xlsx_number(to, row, C, (struct smi_xlsx_style){SMI_XLSX_PERCENT, SMI_XLSX_PLAIN},
                        (double)ms / (double)s->covered_ms);
    smi_xlsx_text(to, row, D, words, smi_state_names[s->state]);
    smi_xlsx_text(to, row, E, words, smi_run_note_text(&b->page, s));
}

void smi_workbook_worst(struct smi_workbook *b, struct smi_xlsx_sheet *to, int64_t *row)
{
    static const char *const heads[] = {"Run", "Wasted GPU-h", "Cost", "State", "What it is noted for"};
    const struct smi_sweep *s = b->sweep;
    const struct smi_summary **run = smi_workbook_alloc(b, s->n, sizeof *run);
    size_t n = 0;
    for (size_t i = 0; run && i < s->n; i++)
        run[i] = &s->runs[i];
    if (!run || s->n == 0)
        return;
    qsort(run, s->n, sizeof *run, by_wasted);
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
                      (struct smi_xlsx_style){i == 0  ? SMI_XLSX_GENERAL
                                              : i < 3 ? SMI_XLSX_TWO
                                                      : SMI_XLSX_WORDS,
                                              SMI_XLSX_HEAD},
                      i == 2 && !b->look->money ? "Share of the run" : heads[i]);
    for (size_t i = 0; i < n; i++)
        worst_row(b, to, ++*row, run[i]);
    *row += 2;
}
