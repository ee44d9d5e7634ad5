/* svg.c - a drawing for papers and chats: of one run its charts over time, of several runs the GPU use of
 * each over the time since its start. Attributes only: no style sheet, no script, its own white background.
 */
#include "report/html.h"
#include "report/output.h"

#include <string.h>

/* Lengths are tenths of a pixel, so that numbers stay whole; %t of smi_html_write writes them. */
enum {
    PX = 10,
    WIDTH = 960 * PX,
    LEFT = 64 * PX,
    RIGHT = 922 * PX,
    CHART = 120 * PX /* high */,
    BAND = 10 * PX /* of a finding: its height */,
    THIN = 3 * PX /* at least so wide */,
    SMALL = 44 * PX /* of several runs */,
    HEAD = 22 * PX /* room for the line above a chart */,
    GRID = 22 * PX /* between lines at the least */,
    LETTER = 75 /* its width in the font of 12 px */,
    RUNS = 30 /* at most; beyond them those that wasted most */,
    POINTS = 240 /* of a curve of several runs */,
    BANDS = 4 /* curves of a chart, if they have bands */,
    TICKS = 9,
    MARKS = 400 /* phases, events */
};
#define FG "#1b2128"
#define DIM "#5a6673"
#define FAINT "#dfe6ee"

/* One hue, as on the page: neighbours are far apart. */
static const char *const shades[] = {"#124884", "#3a80c8", "#061f42", "#5796d8",
                                     "#0a3266", "#1c5ca0", "#2a6fb8", "#498cd2"};

/* The drawing, and the axis of time that all of its charts share. */
struct svg {
    struct smi_html_page h;
    int64_t span_ms; /* of the axis, which counts from the start of a run */
    int64_t y;       /* where the next thing goes */
};

/* One chart of one run. */
struct panel {
    const struct smi_summary *s;
    int chart;
    int64_t y, high; /* of its area */
    int64_t top;     /* millionths of its unit */
};

/* ---- primitives ---- */

/* anchor: "start", "middle" or "end". */
static void add_text(struct svg *v, int64_t x, int64_t y, const char *anchor, const char *look,
                     const char *safe)
{
    if (*safe)
        smi_html_write(&v->h, "<text x=\"%t\" y=\"%t\" text-anchor=\"%s\"%s>%e</text>\n", x, y, anchor, look,
                       safe);
}

static void add_line(struct svg *v, const int64_t from[2], const int64_t to[2], const char *look)
{
    smi_html_write(&v->h, "<path d=\"M %t,%t %t,%t\" %s/>\n", from[0], from[1], to[0], to[1], look);
}

static void add_box(struct svg *v, int64_t x, int64_t y, int64_t wide, int64_t high, const char *fill)
{
    smi_html_write(&v->h, "<rect x=\"%t\" y=\"%t\" width=\"%t\" height=\"%t\" fill=\"%s\"/>\n", x, y, wide,
                   high, fill);
}

/* Text shortened to a length. */
static const char *fitted(struct svg *v, const char *safe, int64_t wide)
{
    const int most = (int)(wide / LETTER);
    return smi_fmt_middle(&v->h.g, safe, most, most / 2);
}

/* ---- the axes ---- */

static int64_t x_of(const struct svg *v, int64_t since_ms)
{
    since_ms = since_ms < 0 ? 0 : since_ms > v->span_ms ? v->span_ms : since_ms;
    return LEFT + (int64_t)((smi_i128)since_ms * (RIGHT - LEFT) / v->span_ms);
}

static int64_t y_of(const struct panel *p, int64_t micro)
{
    micro = micro < 0 ? 0 : micro > p->top ? p->top : micro;
    return p->y + p->high - (int64_t)((smi_i128)micro * p->high / p->top);
}

/* A reading in millionths of the unit that the chart shows. */
static int64_t in_unit(int chart, int64_t micro)
{
    return micro / (smi_charts[chart].step * smi_charts[chart].div / 1000000);
}

/* The least of 1, 2, 5, 10, 20, ... units of which at most `most` reach v. */
static int64_t nice_step(int64_t v, int64_t unit, int64_t most)
{
    static const int of[] = {1, 2, 5};
    int64_t step = unit;
    for (int i = 1; v / step > most && unit < INT64_MAX / 100; i++) {
        unit *= i % 3 ? 1 : 10;
        step = unit * of[i % 3];
    }
    return step;
}

static int64_t time_step(int64_t span_ms)
{
    static const int seconds[] = {1,   2,   5,    10,   15,   30,    60,    120,  300,
                                  600, 900, 1800, 3600, 7200, 10800, 21600, 43200};
    for (size_t i = 0; i < sizeof seconds / sizeof *seconds; i++)
        if (span_ms / (seconds[i] * (int64_t)1000) <= TICKS)
            return seconds[i] * (int64_t)1000;
    return nice_step(span_ms, 86400000, TICKS);
}

static void draw_time_axis(struct svg *v, const char *title)
{
    const int64_t step = time_step(v->span_ms);
    for (int64_t at = 0; at <= v->span_ms; at += step) {
        const long long t = at / 1000;
        const char *text = smi_fmt(&v->h.g, "%lld:%02lld:%02lld", t / 3600, t / 60 % 60, t % 60);
        const size_t n = strlen(text) - (step < 60000 ? 0 : 3);
        add_text(v, x_of(v, at), v->y + 16 * PX, "middle", "", smi_fmt(&v->h.g, "%.*s", (int)n, text));
    }
    add_text(v, (LEFT + RIGHT) / 2, v->y + 36 * PX, "middle", " fill=\"" DIM "\"", title);
    v->y += 50 * PX;
}

/* ---- curves ---- */

static void add_value(struct svg *v, const struct panel *p, size_t cell, const int64_t *value)
{
    const struct smi_timeline *t = p->s->timeline;
    const int64_t from = smi_timeline_at(t, cell), to = smi_timeline_at(t, cell + 1);
    smi_html_write(&v->h, " %t,%t", x_of(v, from + (to - from) / 2 - t->begin_ms),
                   y_of(p, in_unit(p->chart, value[cell])));
}

/* The stretches of a curve as a path: its mean, or the band from its least to its largest readings. */
static void draw_curve(struct svg *v, const struct panel *p, const struct smi_curve *c, const char *color,
                       bool band)
{
    const size_t n = p->s->timeline->n;
    smi_html_write(&v->h,
                   band ? "<path fill=\"%s\" fill-opacity=\"0.18\" d=\""
                        : "<path fill=\"none\" stroke=\"%s\" stroke-width=\"1.4\" stroke-linejoin=\"round\" "
                          "stroke-linecap=\"round\" d=\"",
                   color);
    for (size_t i = 0, end; i < n; i = end + 1) {
        for (end = i; end < n && c->mean[end] != SMI_NO_POINT;)
            end++;
        for (size_t k = i; k < end; k++) {
            smi_buf_str(v->h.g.to, k == i ? "M" : "");
            add_value(v, p, k, band ? c->max : c->mean);
        }
        for (size_t k = end; band && k-- > i;)
            add_value(v, p, k, c->min);
        smi_buf_str(v->h.g.to, end > i && (band || end == i + 1) ? "Z" : ""); /* of one point a dot */
    }
    smi_buf_str(v->h.g.to, "\"/>\n");
}

static size_t curves_of(const struct smi_summary *s, int chart)
{
    size_t n = 0;
    for (size_t i = 0; s->timeline && i < s->timeline->ncurves; i++)
        n += smi_chart_has_curve(chart, &s->timeline->curve[i]);
    return n;
}

static const char *shade(size_t k)
{
    return shades[k % (sizeof shades / sizeof *shades)];
}

/* ---- one chart ---- */

/* A chart below a line of words: what stands left and right in it is safe. */
static void draw_chart(struct svg *v, struct panel *p, const char *left, const char *right)
{
    const struct smi_timeline *t = p->s->timeline;
    const size_t curves = curves_of(p->s, p->chart);
    int64_t up; /* between the lines */
    struct smi_chart_limit limit[2];
    size_t n = t ? smi_chart_limits(&v->h.g, p->chart, p->s, limit) : 0;
    v->y += HEAD;
    add_text(v, LEFT, v->y - 7 * PX, "start", " font-weight=\"bold\"", left);
    for (size_t i = 0; i < n; i++)
        right = smi_fmt(&v->h.g, "%s%s%s", i ? right : "dashed: ", i ? ", " : "", limit[i].name);
    add_text(v, RIGHT, v->y - 7 * PX, "end", " fill=\"" DIM "\"", right);
    if (!curves)
        return;
    p->y = v->y;
    /* The axis ends a little above the highest of readings and limits. */
    p->top = smi_charts[p->chart].top * (int64_t)1000000;
    for (size_t i = 0; !smi_charts[p->chart].top && i < t->ncurves; i++)
        for (size_t k = 0; smi_chart_has_curve(p->chart, &t->curve[i]) && k < t->n; k++)
            if (t->curve[i].mean[k] != SMI_NO_POINT && in_unit(p->chart, t->curve[i].max[k]) > p->top)
                p->top = in_unit(p->chart, t->curve[i].max[k]);
    for (size_t i = 0; i < n; i++)
        p->top = limit[i].micro > p->top ? limit[i].micro : p->top;
    p->top = p->top > INT64_MAX / 4 ? INT64_MAX / 4 : p->top < 1000000 ? 1000000 : p->top;
    up = nice_step(p->top, 1000000, p->high / GRID);
    p->top = (p->top + up - 1) / up * up;
    up = nice_step(p->top, 1000000, p->high / GRID);
    /* The lines of the area, and the numbers beside it. */
    const int64_t step = time_step(v->span_ms);
    smi_buf_str(v->h.g.to, "<g stroke=\"" FAINT "\">\n");
    for (int64_t at = 0; at <= v->span_ms; at += step)
        add_line(v, (int64_t[]){x_of(v, at), p->y}, (int64_t[]){x_of(v, at), p->y + p->high}, "");
    for (int64_t y = 0; y <= p->top; y += up)
        add_line(v, (int64_t[]){LEFT, y_of(p, y)}, (int64_t[]){RIGHT, y_of(p, y)}, "");
    smi_buf_str(v->h.g.to, "</g>\n");
    for (int64_t y = 0; y <= p->top; y += up)
        add_text(v, LEFT - 8 * PX, y_of(p, y) + 4 * PX, "end", "",
                 smi_fmt_value(&v->h.g, (struct smi_value){.micro = y, .has = true}, 0));
    for (size_t i = 0; v->h.g.sweep->n == 1 && i < t->nevents && i < MARKS; i++) {
        const int64_t x = x_of(v, t->event[i].from_ms - t->begin_ms);
        add_line(v, (int64_t[]){x, p->y}, (int64_t[]){x, p->y + p->high},
                 "stroke=\"" DIM "\" stroke-opacity=\"0.5\" stroke-dasharray=\"2 3\"");
    }
    for (size_t i = 0, k = 0; i < t->ncurves; i++)
        if (smi_chart_has_curve(p->chart, &t->curve[i])) {
            if (curves <= BANDS)
                draw_curve(v, p, &t->curve[i], shade(k), true);
            draw_curve(v, p, &t->curve[i], shade(k++), false);
        }
    for (size_t i = 0; i < n; i++)
        add_line(v, (int64_t[]){LEFT, y_of(p, limit[i].micro)}, (int64_t[]){RIGHT, y_of(p, limit[i].micro)},
                 "stroke=\"" DIM "\" stroke-dasharray=\"5 4\"");
    v->y += p->high + 4 * PX;
}

/* ---- the drawing of one run ---- */

/* The colours of the GPUs, if there are several. */
static void draw_legend(struct svg *v, const struct smi_summary *s)
{
    const struct smi_timeline *t = s->timeline;
    int64_t x = LEFT;
    size_t k = 0;
    if (curves_of(s, SMI_CHART_USE) < 2)
        return;
    v->y += 20 * PX;
    for (size_t i = 0; i < t->ncurves; i++) {
        const char *name;
        if (!smi_chart_has_curve(SMI_CHART_USE, &t->curve[i]))
            continue;
        name = smi_curve_name(&v->h.g, s, &t->curve[i]);
        if (x + (smi_text_width(name) + 12) * LETTER > RIGHT) {
            add_text(v, x, v->y, "start", "",
                     smi_fmt(&v->h.g, "and %zu more", curves_of(s, SMI_CHART_USE) - k));
            break;
        }
        add_box(v, x, v->y - 9 * PX, 10 * PX, 10 * PX, shade(k++));
        add_text(v, x + 14 * PX, v->y, "start", "", name);
        x += 34 * PX + smi_text_width(name) * LETTER;
    }
}

/* What the rules found, a row a rule, on the time axis of the charts. */
static void draw_bands(struct svg *v, const struct smi_summary *s)
{
    static const char *const color[] = {"#9aa7b4", "#dd9c24", "#b97a08", "#b3261e"};
    struct smi_chart_band *band;
    const char *left;
    const size_t n = smi_chart_bands(&v->h.g, s, &band, &left);
    for (size_t i = 0; i < n; i++) {
        const struct smi_finding *f = band[i].of;
        int64_t x = x_of(v, band[i].from_ms - s->timeline->begin_ms),
                wide = x_of(v, band[i].to_ms - s->timeline->begin_ms) - x;
        if (band[i].row) {
            v->y += i ? HEAD + BAND : HEAD;
            add_text(v, LEFT, v->y - 5 * PX, "start", "", fitted(v, band[i].row, RIGHT - LEFT));
            add_box(v, LEFT, v->y, RIGHT - LEFT, BAND, FAINT);
        }
        wide = wide < THIN ? THIN : wide;
        x = x + wide > RIGHT ? RIGHT - wide : x;
        smi_html_write(
            &v->h,
            "<rect x=\"%t\" y=\"%t\" width=\"%t\" height=\"%t\" fill=\"%s\"><title>%n</title></rect>\n", x,
            v->y, wide, (int64_t)BAND, color[f->level], f->text);
    }
    v->y += n ? BAND + 4 * PX : 0;
    v->y += *left ? 12 * PX : 0;
    add_text(v, LEFT, v->y, "start", " fill=\"" DIM "\"", left);
}

/* more: behind the line, or NULL. */
static void draw_title(struct svg *v, const char *title, const char *line, const char *more)
{
    if (more)
        line = *line ? smi_fmt(&v->h.g, "%s \u00b7 %s", line, more) : more;
    add_text(v, LEFT, 30 * PX, "start", " font-size=\"18\" font-weight=\"bold\"",
             fitted(v, title, (RIGHT - LEFT) * 2 / 3));
    add_text(v, LEFT, 50 * PX, "start", " fill=\"" DIM "\"", fitted(v, line, RIGHT - LEFT));
    v->y = 58 * PX;
}

static void draw_one(struct svg *v, const struct smi_summary *s)
{
    struct smi_text_arena *g = &v->h.g;
    const struct smi_timeline *t = s->timeline;
    int64_t free = 0; /* where the next name may begin */
    draw_title(v, *v->h.label, smi_fmt_time_range(g, s, 1, true), smi_fmt_gpus(g, s));
    v->y += 12 * PX;
    add_text(v, LEFT, v->y, "start", "", smi_run_facts(g, s));
    v->y += 4 * PX;
    if (!t || !t->n) {
        v->y += 40 * PX;
        add_text(v, LEFT, v->y - 16 * PX, "start", "", "No reading has a time: there is nothing to draw.");
        return;
    }
    draw_legend(v, s);
    const size_t n = t->nphases < MARKS ? t->nphases : MARKS;
    v->y += n ? 8 * PX : 0; /* a strip of phases; neighbours of one name share it */
    for (size_t i = 0, end, k = 0; i < n; i = end, k++) {
        const int64_t x = x_of(v, t->phase[i].from_ms - t->begin_ms);
        int64_t wide;
        for (end = i + 1; end < n && strcmp(t->phase[end].name, t->phase[i].name) == 0;)
            end++;
        wide = x_of(v, t->phase[end - 1].to_ms - t->begin_ms) - x;
        add_box(v, x, v->y, wide < PX ? PX : wide, 18 * PX, k % 2 ? "#c9d6e4" : FAINT);
        if (wide > 10 * LETTER)
            add_text(v, x + 4 * PX, v->y + 13 * PX, "start", "",
                     fitted(v, smi_fmt_safe(&v->h.g, t->phase[i].name), wide - LETTER));
    }
    v->y += n ? 18 * PX : 0;
    /* The names of events, as far as there is room. */
    v->y += t->nevents ? 16 * PX : 0;
    for (size_t i = 0; i < t->nevents && i < MARKS; i++) {
        const char *name = fitted(v, smi_fmt_safe(&v->h.g, t->event[i].name), 30 * LETTER);
        const int64_t x = x_of(v, t->event[i].from_ms - t->begin_ms), wide = smi_text_width(name) * LETTER;
        if (x < free || x + wide > WIDTH)
            continue;
        add_text(v, x, v->y, "start", " fill=\"" DIM "\"", name);
        free = x + wide + LETTER;
    }
    for (int chart = 0; chart < SMI_CHARTS; chart++) {
        struct panel p = {.s = s, .chart = chart, .high = CHART};
        if (curves_of(s, chart))
            draw_chart(v, &p, smi_fmt(g, "%s (%s)", smi_chart_title(g, chart, s), smi_charts[chart].unit),
                       "");
    }
    draw_bands(v, s);
    draw_time_axis(v, "time since the start (h:mm)");
}

/* ---- of several runs ---- */

static void draw_several(struct svg *v)
{
    const struct smi_sweep *s = v->h.g.sweep;
    struct smi_text_arena *g = &v->h.g;
    size_t drawn = 0;
    for (size_t i = 0; smi_sweep_has_run(s, i); i++)
        drawn += s->runs[i].timeline != NULL;
    draw_title(v, smi_fmt(g, "%s: GPU use (%%) of %zu runs, a line per GPU", smi_sweep_name(g), s->n),
               smi_fmt_time_range(g, s->runs, s->n, false),
               drawn < s->n && s->n > RUNS ? smi_fmt(g, "the %zu most wasteful runs", drawn) : NULL);
    for (size_t i = 0; smi_sweep_has_run(s, i); i++) {
        struct panel p = {.s = &s->runs[i], .chart = SMI_CHART_USE, .high = SMALL};
        if (s->runs[i].timeline || s->n <= RUNS)
            draw_chart(v, &p, fitted(v, v->h.label[i], (RIGHT - LEFT) / 2), smi_run_facts(g, p.s));
    }
    draw_time_axis(v, "time since the start of each run (h:mm)");
}

/* ---- the file ---- */

size_t smi_svg_timelines(const struct smi_sweep *s, const struct smi_render_options *look, size_t *points)
{
    if (s->n > 1)
        *points = POINTS;
    return s->n <= RUNS || look->all || look->samples == SMI_SAMPLES_ALL ? s->n : RUNS;
}

void smi_write_svg(struct smi_buf *to, const struct smi_sweep *s, const struct smi_render_options *look)
{
    struct smi_buf body = {0}; /* what is drawn; how high it is stands in front of it */
    struct svg v = {.h = {.g = {.to = &body, .sweep = s, .look = look, .page = true}}};
    smi_html_labels(&v.h);
    v.span_ms = 1000;
    for (size_t i = 0; smi_sweep_has_run(s, i); i++) {
        const struct smi_timeline *t = s->runs[i].timeline;
        if (t && t->n && t->end_ms - t->begin_ms > v.span_ms)
            v.span_ms = t->end_ms - t->begin_ms;
    }
    if (s->n == 1)
        draw_one(&v, s->runs);
    else
        draw_several(&v);
    v.h.g.to = to;
    smi_html_write(
        &v.h,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"%t\" height=\"%t\" viewBox=\"0 0 %t "
        "%t\" font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\" font-size=\"12\" "
        "fill=\"" FG "\">\n<title>GPU use of %n</title>\n",
        (int64_t)WIDTH, v.y, (int64_t)WIDTH, v.y, s->title ? s->title : ".");
    add_box(&v, 0, 0, WIDTH, v.y, "#ffffff");
    smi_buf_add(to, body.p ? body.p : "", body.n);
    smi_buf_str(to, "</svg>\n");
    smi_buf_fini(&body);
    smi_arena_fini(&v.h.arena);
    smi_arena_fini(&v.h.g.arena);
}
