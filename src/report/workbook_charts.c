/* workbook_charts.c - a sheet of charts for each run that has a timeline: phases and events as a strip, then
 * one chart a metric, all on one axis of time; the numbers beside them. */
#include "report/workbook_private.h"

#include "summary/timeline.h"
#include "report/text_report.h"

#include <string.h>

enum { DATA = 14, FIRST = 6, WIDE = 880, HIGH = 250, STRIP = 110, ROW_HIGH = 20, PHASES = 12, SPANS = 3000 };
enum { TIME, ELAPSED, CURVES }; /* columns from DATA on */

/* One hue; neighbours are far apart, as most runs have few GPUs. */
static const uint32_t blues[] = {0x1F4E79, 0x7FB7E6, 0x2E75B6, 0x00A3A3,
                                 0x5B9BD5, 0x3B5BA5, 0x86C5DA, 0x6C7FC4};
static const uint32_t hues[PHASES] = {0x8DB4E2, 0xC4B7E4, 0xA8D5BA, 0xF3C98B, 0xD9B8A0, 0xB9C6D0,
                                      0xE6A9C6, 0x9AD0D3, 0xCFD58A, 0xB0A18F, 0xD5C1E8, 0x8FB996};

/* What time is counted in: so long that few numbers stand on the axis. */
static const struct unit {
    int64_t below_ms; /* of runs that are shorter */
    double ms;
    const char *name, *long_name;
} units[] = {{180000, 1000, "s", "seconds since the start"},
             {3 * 3600000, 60000, "min", "minutes since the start"},
             {INT64_MAX, 3600000, "h", "hours since the start"}};

/* One sheet being written. */
struct run {
    struct smi_workbook *b;
    const struct smi_summary *s;
    const struct smi_timeline *t;
    struct smi_xlsx_sheet *to;
    const char *phase[PHASES + 1]; /* names; the last one is all others */
    size_t phases, spans, ticks;   /* ticks: events */
    const struct unit *unit;       /* of the axis of time */
    int events;                    /* columns from here on: time, height, name; 0: none */
    int64_t row;                   /* where the next chart goes */
};

static double elapsed(const struct run *r, int64_t ms)
{
    return (double)(ms - r->t->begin_ms) / r->unit->ms;
}

static bool is_percent(unsigned metric)
{
    return strcmp(smi_metrics[metric].unit, "%") == 0;
}

static bool is_mib(unsigned metric)
{
    return strcmp(smi_metrics[metric].unit, "MiB") == 0;
}

static const char *unit_of(unsigned metric)
{
    return is_mib(metric) ? "GiB" : smi_metrics[metric].unit;
}

static const char *curve_owner(struct run *r, const struct smi_curve *c)
{
    return c->gpu < 0 ? "host"
                      : smi_fmt(&r->b->page, "GPU %s", smi_gpu_label(&r->b->page, &r->s->gpus[c->gpu]));
}

/* --- phases --- */

static size_t phase_of(const struct run *r, const char *name)
{
    size_t k = 0;
    while (k < r->phases && k < PHASES && strcmp(r->phase[k], name) != 0)
        k++;
    return k;
}

static void name_phases(struct run *r)
{
    r->spans = r->t->nphases < SPANS ? r->t->nphases : SPANS;
    for (size_t i = 0; i < r->spans; i++) {
        size_t k = phase_of(r, r->t->phase[i].name);
        if (k == r->phases && k <= PHASES)
            r->phase[r->phases++] = k < PHASES ? r->t->phase[i].name : "other phases";
    }
}

static int phase_column(const struct run *r)
{
    return DATA + CURVES + (int)r->t->ncurves;
}

/* --- numbers --- */

static void write_head(struct run *r, int *col, const char *text)
{
    smi_xlsx_text(r->to, FIRST - 1, (*col)++, SMI_XLSX_INT, SMI_XLSX_HEAD, text);
}

static void write_heads(struct run *r)
{
    struct smi_text_arena *g = &r->b->page;
    int col = DATA;
    write_head(r, &col, smi_fmt(g, "Time (%s)", r->s->zoned || !r->b->zoned ? r->b->zone : "zone not known"));
    write_head(r, &col, r->unit->name);
    for (size_t i = 0; i < r->t->ncurves; i++) {
        unsigned m = r->t->curve[i].metric;
        write_head(
            r, &col,
            smi_fmt(g, "%s %s %s", curve_owner(r, &r->t->curve[i]), smi_metric_label(g, m), unit_of(m)));
    }
    if (r->spans)
        write_head(r, &col, "Phases: from, to");
    for (size_t k = 0; k < r->phases; k++)
        write_head(r, &col, r->phase[k]);
    if (r->ticks) {
        r->events = col;
        write_head(r, &col, "Events at");
        write_head(r, &col, "Mark");
        smi_xlsx_text(r->to, FIRST - 1, col, SMI_XLSX_WORDS, SMI_XLSX_HEAD, "Event");
        col++;
    }
    smi_xlsx_width(r->to, DATA, DATA, 20);
    smi_xlsx_width(r->to, DATA + 1, col, 12);
}

static void write_curve_cells(struct run *r, size_t i)
{
    const int64_t at = smi_timeline_from(r->t, i), to = smi_timeline_to(r->t, i), row = FIRST + (int64_t)i;
    struct smi_xlsx_cell time = {.kind = SMI_XLSX_TIME};
    if (r->s->has_start)
        smi_workbook_time(r->b, &time, r->s, at);
    time.look = SMI_XLSX_PLAIN;
    smi_xlsx_put(r->to, row, DATA, &time);
    smi_xlsx_number(r->to, row, DATA + ELAPSED, SMI_XLSX_TWO, elapsed(r, at + (to - at) / 2));
    for (size_t k = 0; k < r->t->ncurves; k++) {
        const struct smi_curve *c = &r->t->curve[k];
        if (c->mean[i] != SMI_NO_POINT)
            smi_xlsx_number(r->to, row, DATA + CURVES + (int)k,
                            is_percent(c->metric) ? SMI_XLSX_PERCENT : SMI_XLSX_ONE,
                            (double)c->mean[i] / smi_workbook_per(smi_metrics[c->metric].unit));
    }
}

/* Three rows a span: where it begins, where it ends, and a gap. */
static void write_phase_cells(struct run *r, size_t i)
{
    const struct smi_phase_span *p = &r->t->phase[i / 3];
    int64_t row = FIRST + (int64_t)i, at = i % 3 == 0 ? p->from_ms : p->to_ms;
    int col = phase_column(r);
    if (i % 3 == 2)
        return;
    smi_xlsx_number(r->to, row, col, SMI_XLSX_TWO, elapsed(r, at < r->t->begin_ms ? r->t->begin_ms : at));
    smi_xlsx_number(r->to, row, col + 1 + (int)phase_of(r, p->name), SMI_XLSX_TWO, 1);
}

static void write_event_cells(struct run *r, size_t i)
{
    int64_t row = FIRST + (int64_t)i;
    smi_xlsx_number(r->to, row, r->events, SMI_XLSX_TWO, elapsed(r, r->t->event[i].at_ms));
    smi_xlsx_number(r->to, row, r->events + 1, SMI_XLSX_TWO, 1);
    smi_xlsx_text(r->to, row, r->events + 2, SMI_XLSX_WORDS, SMI_XLSX_PLAIN, r->t->event[i].name);
}

static void write_rows(struct run *r)
{
    for (size_t i = 0; (i < r->t->n || i < r->spans * 3 || i < r->ticks) && !smi_xlsx_failed(r->b->x); i++) {
        if (i < r->t->n)
            write_curve_cells(r, i);
        if (i < r->spans * 3)
            write_phase_cells(r, i);
        if (i < r->ticks)
            write_event_cells(r, i);
    }
}

/* --- charts --- */

/* A curve of n cells of column y over those of column x; points: the width of its line. */
static struct smi_xlsx_curve curve(const struct run *r, int x, int y, size_t n, const char *name,
                                   uint32_t colour, double points)
{
    return (struct smi_xlsx_curve){r->to, FIRST, FIRST + (int64_t)n - 1, x, y, name, colour, points};
}

static void write_phase_strip(struct run *r)
{
    struct smi_xlsx_curve c[PHASES + 2];
    size_t n = 0;
    struct smi_xlsx_plot plot = {.kind = SMI_XLSX_LINES,
                                 .title = "Phases and events",
                                 .strip = true,
                                 .x_max = elapsed(r, r->t->end_ms),
                                 .y_max = 2,
                                 .y_name = " ",
                                 .told = "A strip of the phases of the run over time, with its events"};
    for (size_t k = 0; k < r->phases; k++)
        c[n++] = curve(r, phase_column(r), phase_column(r) + 1 + (int)k, r->spans * 3, r->phase[k],
                       hues[k % PHASES], 14);
    if (r->events)
        c[n++] = curve(r, r->events, r->events + 1, r->ticks, "events", 0x1F2A37, 0);
    if (n == 0)
        return;
    smi_xlsx_chart(r->to, r->row, 0, WIDE, STRIP, &plot, c, n);
    r->row += STRIP / ROW_HIGH + 1;
}

/* All curves of one metric; the last chart says what the axis of time is. */
static void write_chart(struct run *r, unsigned metric, bool last)
{
    struct smi_text_arena *g = &r->b->page;
    struct smi_xlsx_curve *c = smi_workbook_alloc(r->b, r->t->ncurves, sizeof *c);
    struct smi_xlsx_plot plot = {.kind = SMI_XLSX_LINES,
                                 .x_max = elapsed(r, r->t->end_ms),
                                 .y_max = is_percent(metric) ? 1 : 0,
                                 .y_name = unit_of(metric),
                                 .y_format = is_percent(metric) ? "0%" : "0"};
    size_t n = 0;
    const char *label = smi_workbook_capital(r->b, smi_metric_label(g, metric));
    for (size_t k = 0; c && k < r->t->ncurves; k++)
        if (r->t->curve[k].metric == metric) {
            c[n] = curve(r, DATA + ELAPSED, DATA + CURVES + (int)k, r->t->n, curve_owner(r, &r->t->curve[k]),
                         blues[n % (sizeof blues / sizeof *blues)], 1.25);
            n++;
        }
    if (n == 0)
        return;
    if (is_mib(metric) && r->s->vram.total_mb.has)
        plot.y_max = (double)r->s->vram.total_mb.micro / SMI_WORKBOOK_GIB;
    plot.title = n > 1 ? label : smi_fmt(g, "%s (%s)", label, c[0].name);
    if (last)
        plot.x_name = r->unit->long_name;
    plot.told = smi_fmt(g, "%s over time", label);
    smi_xlsx_chart(r->to, r->row, 0, WIDE, HIGH, &plot, c, n);
    r->row += HIGH / ROW_HIGH + 1;
}

static void write_charts(struct run *r)
{
    unsigned last = 0;
    r->row = FIRST - 1;
    write_phase_strip(r);
    for (unsigned k = 0; k < SMI_TIMED_COUNT; k++)
        for (size_t i = 0; i < r->t->ncurves; i++)
            last = r->t->curve[i].metric == smi_timed_metrics[k] ? k : last;
    for (unsigned k = 0; k < SMI_TIMED_COUNT; k++)
        write_chart(r, smi_timed_metrics[k], k == last);
}

/* --- sheets --- */

static void write_sheet_head(struct run *r)
{
    struct smi_text_arena *g = &r->b->page;
    const struct smi_summary *s = r->s;
    const char *use = smi_fmt_mean(g, &s->block, SMI_FIG_UTIL), *note = smi_run_note_text(g, s);
    const char *text = smi_state_names[s->state];
    struct smi_xlsx_cell link = {0};
    if (s->duration_s.has)
        text = smi_fmt(g, "%s, %s", text, smi_fmt_duration(g, s->duration_s));
    if (*use != '-')
        text = smi_fmt(g, "%s, GPU use %s %%", text, use);
    if (s->wasted_h[5].has)
        text = smi_fmt(g, "%s, %s GPU-h wasted", text, smi_fmt_hours(g, smi_wasted_ms(&s->waste)));
    if (*note)
        text = smi_fmt(g, "%s: %s", text, note);
    smi_xlsx_text(r->to, 0, 0, SMI_XLSX_GENERAL, SMI_XLSX_SECTION, smi_fmt_run(g, s->run));
    smi_xlsx_text(r->to, 1, 0, SMI_XLSX_GENERAL, SMI_XLSX_PLAIN, text);
    smi_xlsx_text(r->to, 2, 0, SMI_XLSX_GENERAL, SMI_XLSX_GREY,
                  smi_fmt(g, "A point is the mean of the readings of %s. The numbers stand on the right.",
                          smi_fmt_time(g, r->t->cell_ms)));
    smi_workbook_run(r->b, &link, s, true);
    link.text = "its row in Runs";
    if (link.to)
        smi_xlsx_put(r->to, 3, 0, &link);
}

static void write_run_charts(struct smi_workbook *b, size_t i)
{
    struct run r = {.b = b, .s = &b->sweep->runs[i], .t = b->sweep->runs[i].timeline, .to = b->series[i]};
    int64_t ms = (int64_t)r.t->n * r.t->cell_ms;
    for (r.unit = units; ms >= r.unit->below_ms;)
        r.unit++;
    r.ticks = r.t->nevents < SPANS ? r.t->nevents : SPANS;
    name_phases(&r);
    write_sheet_head(&r);
    write_heads(&r);
    write_rows(&r);
    write_charts(&r);
    smi_xlsx_freeze(r.to, FIRST, 0);
    smi_xlsx_page(r.to, r.row > FIRST ? r.row : FIRST, DATA - 1);
}

static bool has_charts(const struct smi_summary *s)
{
    return s->timeline && s->timeline->n && s->timeline->ncurves;
}

void smi_workbook_charts(struct smi_workbook *b)
{
    enum { TAB = 27 /* letters of the name of a sheet, less its number */ };
    const char **name = smi_arena_new(&b->page.arena, b->sweep->n + 1, sizeof *name);
    size_t n = 0, k = 0;
    b->page.failed |= !name;
    for (size_t i = 0; name && smi_sweep_has_run(b->sweep, i); i++)
        if (has_charts(&b->sweep->runs[i]))
            name[n++] = smi_fmt_run(&b->page, b->sweep->runs[i].run);
    if (name)
        smi_names_shorten(&b->page, name, n, TAB);
    for (size_t i = 0; name && smi_sweep_has_run(b->sweep, i); i++)
        if (has_charts(&b->sweep->runs[i])) {
            b->series[i] = smi_xlsx_sheet(b->x, smi_fmt(&b->page, "%02zu %s", k + 1, name[k]));
            k++;
        }
    for (size_t i = 0; smi_sweep_has_run(b->sweep, i) && !smi_xlsx_failed(b->x); i++)
        if (b->series[i])
            write_run_charts(b, i);
}
