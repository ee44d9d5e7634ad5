/* workbook.c - the workbook: the order of its sheets, the sheet About, and the rows of a query. */
#include "base/version.h"
#include "report/output.h"
#include "report/html.h"
#include "report/workbook_private.h"
#include "sweep/reread.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* with --samples all: the sheet Samples, a row for every row of every log, its readings
 * as they were logged: 12.5 % is 12.5 there, for those who calculate with millions of them. */

struct samples {
    struct smi_workbook *b;
    const struct smi_summary *s; /* the run at hand */
    const char **gpu;            /* of each of its GPUs: its label, or NULL: its index is a number */
    struct smi_xlsx_sheet *to;
    int64_t row;
    bool runs, logs; /* there is a column for the run, for the log */
    int columns;
    int16_t at[SMI_METRIC_COUNT]; /* column of a metric, or -1 */
};

static void write_samples_head(struct samples *p, int col, enum smi_xlsx_kind kind, double width,
                               const char *text)
{
    smi_xlsx_text(p->to, 0, col, kind, SMI_XLSX_HEAD, text);
    smi_xlsx_width(p->to, col, col, width);
}

static void write_sample_heads(struct samples *p)
{
    struct smi_text_arena *g = &p->b->page;
    int col = 0;
    p->to = smi_xlsx_sheet(p->b->x, "Samples");
    smi_xlsx_height(p->to, 0, 32);
    if (p->runs)
        write_samples_head(p, col++, SMI_XLSX_GENERAL, 30, "Run");
    if (p->logs)
        write_samples_head(p, col++, SMI_XLSX_GENERAL, 30, "File");
    write_samples_head(p, col++, SMI_XLSX_INT, 24, smi_fmt(g, "Time (%s)", p->b->zone));
    write_samples_head(p, col++, SMI_XLSX_INT, 12, "GPU");
    for (int m = 0; m < SMI_METRIC_COUNT; m++)
        if (p->at[m] > 0)
            write_samples_head(p, p->at[m], SMI_XLSX_INT, 12,
                               smi_fmt(g, "%s%s%s", smi_metric_label(g, (unsigned)m),
                                       *smi_metrics[m].unit ? " " : "", smi_metrics[m].unit));
    smi_xlsx_freeze(p->to, 1, 0);
    smi_xlsx_print(p->to, p->columns / 16 + 1, 0, -1);
    p->row = 1;
}

static void end_sheet(struct samples *p)
{
    if (p->row > 1)
        smi_xlsx_filter(p->to, 0, 0, p->row - 1, p->columns - 1);
}

static int write_sample_row(void *self, const struct smi_reread_row *r, struct smi_err *err)
{
    struct samples *p = self;
    if (p->row == SMI_XLSX_ROWS) {
        end_sheet(p);
        write_sample_heads(p);
    }
    /* Of which run and log, when, of which GPU. */
    struct smi_xlsx_cell time = {.kind = SMI_XLSX_STAMP}, gpu = {0};
    int col = 0;
    if (p->runs)
        smi_xlsx_text(p->to, p->row, col++, SMI_XLSX_GENERAL, SMI_XLSX_PLAIN, p->s->run);
    if (p->logs)
        smi_xlsx_text(p->to, p->row, col++, SMI_XLSX_GENERAL, SMI_XLSX_PLAIN, r->input);
    if (r->timed)
        smi_workbook_time(p->b, &time, p->s, r->t_ms);
    time.look = SMI_XLSX_PLAIN;
    smi_xlsx_put(p->to, p->row, col++, &time);
    if (r->gpu >= 0 && !p->gpu[r->gpu])
        smi_workbook_number(&gpu, p->s->gpus[r->gpu].index);
    else
        smi_workbook_text(&gpu, r->gpu < 0 ? "host" : p->gpu[r->gpu]);
    smi_xlsx_put(p->to, p->row, col, &gpu);
    for (unsigned i = 0; i < r->n; i++)
        if (p->at[r->metric[i]] > 0)
            smi_xlsx_number(p->to, p->row, p->at[r->metric[i]], SMI_XLSX_GENERAL,
                            (double)r->v[i] / SMI_WORKBOOK_RAW);
    p->row++;
    return p->b->x->err.code ? smi_err_set(err, SMI_EIO, "stopped") : 0;
}

static void write_samples(struct smi_workbook *b)
{
    struct samples *p = smi_arena_new(&b->page.arena, 1, sizeof *p);
    if (b->look->samples != SMI_SAMPLES_ALL)
        return;
    p->b = b;
    /* A column for each metric that some run has, in catalogue order. */
    const struct smi_sweep *s = p->b->sweep;
    memset(p->at, -1, sizeof p->at);
    p->runs = s->n > 1;
    for (size_t i = 0; smi_sweep_has_run(s, i); i++) {
        for (size_t g = 0; g < s->runs[i].ngpus; g++)
            for (size_t k = 0; k < s->runs[i].gpus[g].nstats; k++)
                p->at[s->runs[i].gpus[g].stats[k].metric] = 0;
        for (size_t k = 0; k < s->runs[i].nhost; k++)
            p->at[s->runs[i].host[k].metric] = 0;
        p->logs |= s->runs[i].ninputs > 1;
    }
    p->columns = 2 + p->runs + p->logs;
    for (int m = 0; m < SMI_METRIC_COUNT; m++)
        if (p->at[m] == 0)
            p->at[m] = (int16_t)p->columns++;
    write_sample_heads(p);
    for (size_t i = 0; smi_sweep_has_run(b->sweep, i) && !b->x->err.code; i++) {
        struct smi_err err = {0};
        int rc;
        p->s = &s->runs[i];
        p->gpu = smi_arena_new(&b->page.arena, p->s->ngpus, sizeof *p->gpu);
        for (size_t g = 0; g < p->s->ngpus; g++)
            if (p->s->gpus[g].index < 0 || p->s->gpus[g].pooled)
                p->gpu[g] = p->s->gpus[g].pooled ? "rows of all" : smi_gpu_label(&b->page, &p->s->gpus[g]);
        rc = smi_reread_rows(s, i, write_sample_row, p, &err);
        if (rc < 0)
            smi_err_set(&b->x->err, err.code, "%s", err.text);
        b->unread += rc == 0;
    }
    end_sheet(p);
}

/* a sheet of charts for each run that has a timeline: phases and events as a strip, then
 * one chart a metric, all on one axis of time; the numbers beside them. */

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
} time_units[] = {{180000, 1000, "s", "seconds since the start"},
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

static bool is_in(unsigned metric, const char *unit)
{
    return strcmp(smi_metrics[metric].unit, unit) == 0;
}

static const char *unit_of(unsigned metric)
{
    return is_in(metric, "MiB") ? "GiB" : smi_metrics[metric].unit;
}

/* --- phases --- */

static size_t phase_of(const struct run *r, const char *name)
{
    size_t k = 0;
    while (k < r->phases && k < PHASES && strcmp(r->phase[k], name) != 0)
        k++;
    return k;
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
        write_head(r, &col,
                   smi_fmt(g, "%s %s %s", smi_curve_name(g, r->s, &r->t->curve[i]), smi_metric_label(g, m),
                           unit_of(m)));
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
                            is_in(c->metric, "%") ? SMI_XLSX_PERCENT : SMI_XLSX_ONE,
                            (double)c->mean[i] / smi_workbook_per(smi_metrics[c->metric].unit));
    }
}

/* Of each span three rows: where it begins, where it ends, and a gap. */
static void write_chart_rows(struct run *r)
{
    const int col = phase_column(r);
    for (size_t i = 0; (i < r->t->n || i < r->spans * 3 || i < r->ticks) && !r->b->x->err.code; i++) {
        const int64_t row = FIRST + (int64_t)i;
        if (i < r->t->n)
            write_curve_cells(r, i);
        if (i < r->spans * 3 && i % 3 < 2) {
            const struct smi_phase_span *p = &r->t->phase[i / 3];
            int64_t at = i % 3 == 0 ? p->from_ms : p->to_ms;
            at = at < r->t->begin_ms ? r->t->begin_ms : at;
            smi_xlsx_number(r->to, row, col, SMI_XLSX_TWO, elapsed(r, at));
            smi_xlsx_number(r->to, row, col + 1 + (int)phase_of(r, p->name), SMI_XLSX_TWO, 1);
        }
        if (i < r->ticks) {
            smi_xlsx_number(r->to, row, r->events, SMI_XLSX_TWO, elapsed(r, r->t->event[i].at_ms));
            smi_xlsx_number(r->to, row, r->events + 1, SMI_XLSX_TWO, 1);
            smi_xlsx_text(r->to, row, r->events + 2, SMI_XLSX_WORDS, SMI_XLSX_PLAIN, r->t->event[i].name);
        }
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
    struct smi_xlsx_curve *c = smi_arena_new(&r->b->page.arena, r->t->ncurves, sizeof *c);
    struct smi_xlsx_plot plot = {.kind = SMI_XLSX_LINES,
                                 .x_max = elapsed(r, r->t->end_ms),
                                 .y_max = is_in(metric, "%") ? 1 : 0,
                                 .y_name = unit_of(metric),
                                 .y_format = is_in(metric, "%") ? "0%" : "0"};
    size_t n = 0;
    const char *label = smi_workbook_capital(r->b, smi_metric_label(g, metric));
    for (size_t k = 0; k < r->t->ncurves; k++)
        if (r->t->curve[k].metric == metric) {
            c[n] = curve(r, DATA + ELAPSED, DATA + CURVES + (int)k, r->t->n,
                         smi_curve_name(g, r->s, &r->t->curve[k]), blues[n % (sizeof blues / sizeof *blues)],
                         1.25);
            n++;
        }
    if (n == 0)
        return;
    if (is_in(metric, "MiB") && r->s->vram.total_mb.has)
        plot.y_max = (double)r->s->vram.total_mb.micro / SMI_WORKBOOK_GIB;
    plot.title = n > 1 ? label : smi_fmt(g, "%s (%s)", label, c[0].name);
    if (last)
        plot.x_name = r->unit->long_name;
    plot.told = smi_fmt(g, "%s over time", label);
    smi_xlsx_chart(r->to, r->row, 0, WIDE, HIGH, &plot, c, n);
    r->row += HIGH / ROW_HIGH + 1;
}

/* --- sheets --- */

/* "Findings: hang 30.0 to 59.9 min; start 0.0 to 3.5 min; and findings of 2 more rules": of each rule the
 * first one, on the axis of the charts. */
static const char *bands_text(const struct run *r)
{
    struct smi_text_arena *g = &r->b->page;
    struct smi_chart_band *band;
    const char *left, *text = "Findings: ";
    const size_t n = smi_chart_bands(g, r->s, &band, &left);
    for (size_t i = 0; i < n; i++)
        if (band[i].row)
            text = smi_fmt(g, "%s%s%s %.1f to %.1f %s", text, i ? "; " : "", smi_rules[band[i].of->rule].key,
                           elapsed(r, band[i].from_ms), elapsed(r, band[i].to_ms), r->unit->name);
    return n ? smi_fmt(g, "%s%s%s", text, *left ? "; " : "", left) : NULL;
}

static void write_run_charts(struct smi_workbook *b, size_t i)
{
    struct run r = {.b = b, .s = &b->sweep->runs[i], .t = b->sweep->runs[i].timeline, .to = b->series[i]};
    struct smi_text_arena *g = &b->page;
    const struct smi_summary *s = r.s;
    int64_t ms = (int64_t)r.t->n * r.t->cell_ms;
    unsigned last = 0;
    for (r.unit = time_units; ms >= r.unit->below_ms;)
        r.unit++;
    r.ticks = r.t->nevents < SPANS ? r.t->nevents : SPANS;
    r.spans = r.t->nphases < SPANS ? r.t->nphases : SPANS;
    for (size_t at = 0; at < r.spans; at++) {
        size_t k = phase_of(&r, r.t->phase[at].name);
        if (k == r.phases && k <= PHASES)
            r.phase[r.phases++] = k < PHASES ? r.t->phase[at].name : "other phases";
    }
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
    smi_xlsx_text(r.to, 0, 0, SMI_XLSX_GENERAL, SMI_XLSX_SECTION, smi_fmt_run(g, s->run));
    smi_xlsx_text(r.to, 1, 0, SMI_XLSX_GENERAL, SMI_XLSX_PLAIN, text);
    smi_xlsx_text(r.to, 2, 0, SMI_XLSX_GENERAL, SMI_XLSX_GREY,
                  smi_fmt(g, "A point is the mean of the readings of %s. The numbers stand on the right.",
                          smi_fmt_time(g, r.t->cell_ms)));
    smi_workbook_run(b, &link, s, true);
    link.text = "its row in Runs";
    if (link.to)
        smi_xlsx_put(r.to, 3, 0, &link);
    smi_xlsx_text(r.to, 4, 0, SMI_XLSX_GENERAL, SMI_XLSX_PLAIN, bands_text(&r));
    write_heads(&r);
    write_chart_rows(&r);
    r.row = FIRST - 1;
    write_phase_strip(&r);
    for (unsigned k = 0; k < SMI_TIMED_COUNT; k++)
        for (size_t at = 0; at < r.t->ncurves; at++)
            last = r.t->curve[at].metric == smi_timed_metrics[k] ? k : last;
    for (unsigned k = 0; k < SMI_TIMED_COUNT; k++)
        write_chart(&r, smi_timed_metrics[k], k == last);
    smi_xlsx_freeze(r.to, FIRST, 0);
    smi_xlsx_page(r.to, r.row > FIRST ? r.row : FIRST, DATA - 1);
}

static bool has_charts(const struct smi_summary *s)
{
    return s->timeline && s->timeline->n && s->timeline->ncurves;
}

static void write_all_charts(struct smi_workbook *b)
{
    enum { TAB = 27 /* letters of the name of a sheet, less its number */ };
    const char **name = smi_arena_new(&b->page.arena, b->sweep->n + 1, sizeof *name);
    size_t n = 0, k = 0;
    for (size_t i = 0; smi_sweep_has_run(b->sweep, i); i++)
        if (has_charts(&b->sweep->runs[i]))
            name[n++] = smi_fmt_run(&b->page, b->sweep->runs[i].run);
    smi_names_shorten(&b->page, name, n, TAB);
    for (size_t i = 0; smi_sweep_has_run(b->sweep, i); i++)
        if (has_charts(&b->sweep->runs[i])) {
            b->series[i] = smi_xlsx_sheet(b->x, smi_fmt(&b->page, "%02zu %s", k + 1, name[k]));
            k++;
        }
    for (size_t i = 0; smi_sweep_has_run(b->sweep, i) && !b->x->err.code; i++)
        if (b->series[i])
            write_run_charts(b, i);
}

/* ---- the sheet About: how it was made, what was left out, and every column in one line. ---- */

static void write_section(struct smi_xlsx_sheet *to, int64_t *row, const char *text)
{
    *row += *row > 0;
    smi_xlsx_text(to, (*row)++, 0, SMI_XLSX_GENERAL, SMI_XLSX_SECTION, text);
}

/* text: NULL: there is nothing to say. */
static void write_fact(struct smi_xlsx_sheet *to, int64_t *row, const char *name, const char *text)
{
    if (!text)
        return;
    smi_xlsx_text(to, *row, 0, SMI_XLSX_GENERAL, SMI_XLSX_WRAP, name);
    smi_xlsx_text(to, (*row)++, 2, SMI_XLSX_GENERAL, SMI_XLSX_PLAIN, text);
}

static void write_creation(struct smi_workbook *b, struct smi_xlsx_sheet *to, int64_t *row)
{
    const char *given = b->look->given ? b->look->given : "",
               *doubts = smi_warnings_text(&b->page, smi_fmt_safe);
    write_section(to, row, "How this was made");
    write_fact(to, row, "Program", "Created by smilog " SMILOG_VERSION " from log files");
    write_fact(to, row, "Source", b->sweep->title ? b->sweep->title : ".");
    write_fact(to, row, b->look->command ? "Command" : "Options",
               b->look->command ? b->look->command
               : *given         ? given + 1
                                : "none");
    write_fact(to, row, "Times",
               smi_fmt(&b->page,
                       b->zoned ? "on one clock: %s; grey ones are of logs whose zone is not known"
                                : "as the logs have them: their %s",
                       b->zone));
    write_fact(to, row, "Shares",
               "numbers with a format of percent: 12.5% is 0.125; in Samples as they were logged: 12.5");
    write_fact(to, row, "Empty cells", "no reading; 0 is measured");
    write_fact(to, row, "Warnings", *doubts ? doubts : NULL);
}

static void write_omissions(struct smi_workbook *b, struct smi_xlsx_sheet *to, int64_t *row)
{
    const struct smi_sweep *s = b->sweep;
    struct smi_text_arena *g = &b->page;
    const long long cut = b->x->cut;
    size_t drawn = 0;
    for (size_t i = 0; smi_sweep_has_run(s, i); i++)
        drawn += b->series[i] != NULL;
    write_section(to, row, "What was left out");
    const char *charts = NULL, *single = NULL;
    if (s->nstored)
        charts = "None: the partial summaries that were read hold no single readings";
    else if (drawn < s->n)
        charts =
            smi_fmt(g,
                    "%zu of %zu runs have a sheet: those named, else those that wasted most. The others: "
                    "smilog report DIR/RUN -o run.xlsx",
                    drawn, s->n);
    if (s->nstored)
        single = "None: the sheet Samples needs the logs themselves";
    else if (b->look->samples != SMI_SAMPLES_ALL)
        single = "--samples all writes the sheet Samples, a row for every row of every log";
    else if (b->unread)
        single = smi_fmt(g, "%zu runs could not be read again", b->unread);
    write_fact(to, row, "Runs",
               s->all > s->n ? smi_fmt(g, "%zu of %zu: those that were asked for", s->n, s->all) : NULL);
    write_fact(to, row, "Charts over time", charts);
    write_fact(to, row, "Single readings", single);
    write_fact(to, row, "Parameters",
               b->left_params ? smi_fmt(g, "%zu have no column: -o runs.csv has all", b->left_params) : NULL);
    write_fact(to, row, "Groups",
               b->left_groups ? smi_fmt(g, "%zu parameters have no block: --group-by NAME", b->left_groups)
                              : NULL);
    if (cut)
        write_fact(
            to, row, "Long texts",
            smi_fmt(g,
                    "%lld were longer than a cell holds, and are cut where they say so: --json has them "
                    "whole",
                    cut));
}

static void write_cells(struct smi_xlsx_sheet *to, int64_t *row, enum smi_xlsx_appearance look,
                        const char *const text[4])
{
    for (int i = text[0] ? 0 : 1; i < 4; i++)
        smi_xlsx_text(to, *row, i, SMI_XLSX_GENERAL, look == SMI_XLSX_PLAIN && i == 3 ? SMI_XLSX_GREY : look,
                      text[i]);
    ++*row;
}

static void write_about(struct smi_workbook *b)
{
    struct smi_xlsx_sheet *to = b->sheet[SMI_WORKBOOK_ABOUT];
    static const double width[] = {18, 26, 96, 18};
    int64_t row = 0;
    for (int i = 0; i < 4; i++)
        smi_xlsx_width(to, i, i, width[i]);
    write_creation(b, to, &row);
    write_omissions(b, to, &row);
    static const char *const sums[] = {"", "sum", "mean of the runs", "largest"};
    write_section(to, &row, "The columns");
    write_cells(to, &row, SMI_XLSX_HEAD, (const char *const[]){"Sheet", "Column", "Meaning", "Row 2"});
    for (int sheet = 0; sheet < SMI_WORKBOOK_SHEETS; sheet++) {
        const struct smi_workbook_table *t = &b->table[sheet];
        const struct smi_workbook_sheet_info *info = &smi_workbook_sheets[sheet];
        if (t->n)
            write_cells(to, &row, SMI_XLSX_RULED, (const char *const[]){info->name, "", info->about, ""});
        for (const struct smi_workbook_column *c = t->col; c < t->col + t->n; c++)
            if (c->help) /* a parameter speaks for itself */
                write_cells(to, &row, SMI_XLSX_PLAIN,
                            (const char *const[]){NULL, c->head, c->help, sums[c->sum]});
    }
    smi_xlsx_print(to, 1, -1, -1);
}

/* ---- the order of the workbook's sheets. ---- */

const struct smi_workbook_sheet_info smi_workbook_sheets[SMI_WORKBOOK_SHEETS] = {
    [SMI_WORKBOOK_OVERVIEW] = {.name = "Overview"},
    [SMI_WORKBOOK_RUNS] = {"Runs",
                           "One row a run. Row 2 is about the rows that the filter shows: sums, means of the "
                           "runs, largest values.",
                           "no runs", true},
    [SMI_WORKBOOK_GROUPS] = {"Groups", "One block a parameter, one row for each of its values.", NULL, false},
    [SMI_WORKBOOK_GPUS] = {"GPUs", "One row a GPU of a run.", "no GPU in any log", false},
    [SMI_WORKBOOK_PHASES] = {"Phases", "One row a phase of a run, as its run log names it.",
                             "no run log names a phase", false},
    [SMI_WORKBOOK_COMMANDS] = {"Commands",
                               "One row a command that smilog run tracked, with all that it started.",
                               "no command was tracked", false},
    [SMI_WORKBOOK_FINDINGS] = {"Findings", "One row for each thing that was found, most GPU-hours first.",
                               "no findings", false},
    [SMI_WORKBOOK_INPUTS] = {"Inputs", "One row a log: what became of its lines, how often it was written.",
                             "no logs", false},
    [SMI_WORKBOOK_ABOUT] = {.name = "About"},
    [SMI_WORKBOOK_ROWS] = {.name = "Rows", .none = ""}};

/* Each sheet has rows in order; of two sheets either may be written first. */
static void write_sheets(struct smi_workbook *b)
{
    struct smi_summary span;
    char zone[SMI_CLOCK_TEXT];
    bool commands = false;
    for (size_t i = 0; smi_sweep_has_run(b->sweep, i); i++)
        commands |= smi_command_is_tracked(&b->sweep->runs[i]);
    for (int i = 0; i <= SMI_WORKBOOK_ABOUT; i++)
        if (i != SMI_WORKBOOK_COMMANDS || commands)
            b->sheet[i] = smi_xlsx_sheet(b->x, smi_workbook_sheets[i].name);
    b->series = smi_arena_new(&b->page.arena, b->sweep->n, sizeof *b->series);
    /* One clock for all times: that which the head of the text names. */
    (void)smi_runs_time_span(&span, b->sweep->runs, b->sweep->n);
    b->zoned = span.zoned;
    b->offset_s = span.offset_s;
    smi_clock_write_zone(zone, b->offset_s);
    b->zone = !b->zoned ? "zone not known" : b->offset_s ? smi_fmt(&b->page, "UTC%s", zone) : "UTC";
    write_all_charts(b);
    smi_workbook_groups(b);
    smi_workbook_overview(b);
    smi_workbook_lists(b);
    write_samples(b);
    write_about(b);
}

/* Makes the workbook that `write` fills. Returns 0, or -1 with err. */
static int make_workbook(struct smi_workbook *b, const char *path, const char *title,
                         void (*fill)(struct smi_workbook *b), struct smi_err *err)
{
    int rc = smi_xlsx_open(&b->x, path, title, b->look->currency, b->look->now_ms, err);
    if (!rc) {
        fill(b);
        rc = smi_xlsx_close(b->x, err);
    }
    smi_arena_fini(&b->page.arena);
    smi_buf_fini(&b->words);
    return rc;
}

int smi_write_workbook(const char *path, const struct smi_sweep *s, const struct smi_render_options *look,
                       struct smi_err *err)
{
    struct smi_workbook b = {.sweep = s, .look = look};
    const char *title;
    b.page = (struct smi_text_arena){.to = &b.words, .sweep = s, .look = look, .page = true};
    title =
        smi_fmt(&b.page, "%s in %s", smi_fmt_count(&b.page, (int64_t)s->n, "run"), s->title ? s->title : ".");
    return make_workbook(&b, path, title, write_sheets, err);
}

/* --- the rows of an answer --- */

/* As many decimals as there are, three at most; what names a group, whole and very small numbers as they
 * come. */
static enum smi_xlsx_kind result_column_kind(const struct smi_result *r, size_t k)
{
    static const enum smi_xlsx_kind kind[] = {SMI_XLSX_GENERAL, SMI_XLSX_ONE, SMI_XLSX_TWO, SMI_XLSX_THREE};
    size_t most = 0;
    for (size_t i = 0; i < r->n; i++) {
        const struct smi_value_text *v = &r->cell[i * r->columns + k];
        const char *point = v->kind == SMI_CELL_NUMBER ? strchr(v->text, '.') : NULL;
        double size = point ? fabs(strtod(v->text, NULL)) : 1;
        if (v->kind == SMI_CELL_TEXT || (size > 0 && size < 1e-3))
            return SMI_XLSX_GENERAL;
        most = point && strlen(point + 1) > most ? strlen(point + 1) : most;
    }
    return k < r->keys ? SMI_XLSX_KEY : kind[most < 3 ? most : 3];
}

/* Whole numbers that no double holds stay texts. */
static void fill_row(struct smi_workbook *b, struct smi_workbook_table *t, void *self, size_t i)
{
    enum { DIGITS = 15 };
    const struct smi_result *r = self;
    for (size_t k = 0; k < r->columns; k++) {
        const struct smi_value_text *v = &r->cell[i * r->columns + k];
        struct smi_xlsx_cell *c = smi_workbook_put(
            b, t, SMI_COLUMN(r->name[k], t->at < t->n ? SMI_XLSX_GENERAL : result_column_kind(r, k)));
        if (i >= r->n)
            continue;
        smi_workbook_text(c, v->text);
        if (v->kind == SMI_CELL_BOOL) {
            c->is = SMI_XLSX_IS_BOOL;
            c->v = *v->text == 't';
        } else if (v->kind == SMI_CELL_NUMBER && (strpbrk(v->text, ".e") || strlen(v->text) <= DIGITS)) {
            smi_workbook_number(c, strtod(v->text, NULL));
        }
    }
}

static void write_rows(struct smi_workbook *b)
{
    const struct smi_result *r = b->rows;
    smi_workbook_table(b, SMI_WORKBOOK_ROWS, r->columns);
    b->sheet[SMI_WORKBOOK_ROWS] = smi_xlsx_sheet(b->x, smi_workbook_sheets[SMI_WORKBOOK_ROWS].name);
    smi_workbook_write(b, SMI_WORKBOOK_ROWS, r->n, fill_row, (void *)r);
}

int smi_result_workbook(const char *path, const struct smi_result *rows,
                        const struct smi_render_options *look, struct smi_err *err)
{
    struct smi_workbook b = {.rows = rows, .look = look};
    b.page = (struct smi_text_arena){.to = &b.words, .look = look};
    return make_workbook(&b, path, smi_fmt_count(&b.page, (int64_t)rows->n, "row"), write_rows, err);
}
