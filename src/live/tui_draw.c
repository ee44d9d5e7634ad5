/* tui_draw.c - the lines on top, the last line, and how a picture's lines are shared out (screens.md §5). */
#include "live/tui_private.h"

#include "live/machine_text.h"

#include <stdio.h>
#include <string.h>

/* ---- text ---- */

int smi_tui_put_segments(struct smi_tui_frame *d, int y, const struct smi_tui_segment *part, size_t n)
{
    int keep = 100, width = d->c->width, x = 0;
    for (;;) {
        int sum = 0, top = 0;
        for (size_t i = 0; i < n; i++) {
            if (!part[i].text || part[i].rank > keep)
                continue;
            sum += (sum ? part[i].gap : 0) + smi_canvas_width(d->c, part[i].text);
            top = part[i].rank > top ? part[i].rank : top;
        }
        if (sum <= width || top == 0)
            break;
        keep = top - 1;
    }
    for (size_t i = 0; i < n; i++)
        if (part[i].text && part[i].rank <= keep)
            x = smi_tui_text(d, x + (x ? part[i].gap : 0), y, width, part[i].style, part[i].text);
    return x;
}

int smi_tui_text(struct smi_tui_frame *d, int x, int y, int width, enum smi_style style, const char *text)
{
    int end = x + width < d->c->width ? x + width : d->c->width;
    const char *dots = smi_fmt_ellipsis(&d->g);
    size_t n = strlen(text);
    if (x >= end)
        return x;
    if (x + smi_canvas_width(d->c, text) <= end)
        return smi_canvas_put(d->c, x, y, style, text);
    while (n && x + smi_canvas_width(d->c, smi_fmt(&d->g, "%.*s%s", (int)n, text, dots)) > end)
        for (n--; n && ((unsigned char)text[n] & 0xC0) == 0x80; n--)
            ;
    return smi_canvas_put(d->c, x, y, style, smi_fmt(&d->g, "%.*s%s", (int)n, text, dots));
}

void smi_tui_right(struct smi_tui_frame *d, int x, int y, enum smi_style style, const char *text)
{
    smi_canvas_put(d->c, x - smi_canvas_width(d->c, text), y, style, text);
}

const char *smi_tui_clock(struct smi_tui_frame *d, int64_t t_ms)
{
    char text[SMI_MACHINE_CLOCK_TEXT];
    return smi_fmt(&d->g, "%s", smi_machine_clock(text, d->n, t_ms));
}

const struct smi_machine_reading *smi_tui_reading(const struct smi_tui_frame *d, const struct smi_live_gpu *b,
                                                  unsigned metric)
{
    if (b->state == SMI_GPU_LOST)
        return NULL;
    if (b->state == SMI_GPU_STALE && d->a->color)
        return b->latest[metric].has ? &b->latest[metric] : NULL;
    return smi_machine_reading_of(d->n, b, metric);
}

enum smi_style smi_tui_grave_style(bool grave)
{
    return grave ? SMI_RED : SMI_YELLOW;
}

/* ---- the lines on top ---- */

/* "UTC+2", "UTC+5:30", "UTC". */
static const char *time_zone(struct smi_tui_frame *d)
{
    int minutes = d->n->o.offset_s / 60, of = minutes < 0 ? -minutes : minutes;
    if (of % 60)
        return smi_fmt(&d->g, "UTC%c%d:%02d", minutes < 0 ? '-' : '+', of / 60, of % 60);
    return of ? smi_fmt(&d->g, "UTC%c%d", minutes < 0 ? '-' : '+', of / 60) : "UTC";
}

static const char *recording_text(struct smi_tui_frame *d)
{
    int64_t s = d->n->timed ? (d->n->t_ms - d->n->first_ms) / 1000 : 0;
    const char *dir = d->a->recording;
    if (!dir)
        return NULL;
    return smi_fmt(&d->g, "recording %s%s %02lld:%02lld:%02lld", smi_fmt_middle(&d->g, dir, 40, 12),
                   dir[strlen(dir) - (*dir != 0)] == '/' ? "" : "/", (long long)(s / 3600),
                   (long long)(s / 60 % 60), (long long)(s % 60));
}

void smi_tui_head(struct smi_tui_frame *d, int y)
{
    const struct smi_tui_info *a = d->a;
    const char *every =
        a->interval_ms ? smi_fmt(&d->g, "every %s s",
                                 smi_fmt_ratio(&d->g, a->interval_ms, 1000, a->interval_ms % 1000 ? 2 : 0))
                       : NULL;
    const struct smi_tui_segment part[] = {
        {a->what, SMI_BOLD, 0, 0},
        {a->host && *a->host ? smi_fmt_middle(&d->g, a->host, 24, 12) : NULL, SMI_STYLE_PLAIN, 2, 4},
        {smi_machine_models(&d->g, d->n), SMI_STYLE_PLAIN, 2, 3},
        {every, SMI_STYLE_PLAIN, 2, 6},
        {d->n->timed ? smi_tui_clock(d, d->n->t_ms) : NULL, SMI_STYLE_PLAIN, 2, 1},
        {d->n->timed ? time_zone(d) : NULL, SMI_STYLE_PLAIN, 1, 5},
        {d->v->paused ? "PAUSED" : NULL, SMI_BOLD, 2, 0},
        {a->note, SMI_BOLD, 2, 0},
        {recording_text(d), SMI_STYLE_PLAIN, 3, 2},
    };
    smi_tui_put_segments(d, y, part, sizeof part / sizeof *part);
}

/* Always there: the eye goes there first. */
static void alert_line(struct smi_tui_frame *d, int y)
{
    const struct smi_machine *n = d->n;
    bool grave = n->alerts && n->alert[0].grave;
    int x, width = d->c->width;
    const char *sign = grave && !d->a->color ? "!!" : d->c->utf8 ? "\u25b2" : "!";
    if (n->alerts == 0) {
        smi_tui_text(d, 0, y, width, SMI_BOLD, "no alerts");
        return;
    }
    x = smi_tui_text(d, 0, y, width, smi_tui_grave_style(grave),
                     smi_fmt(&d->g, "%s %zu ALERT%s", sign, n->alerts, n->alerts == 1 ? "" : "S"));
    for (size_t i = 0; i < n->alerts; i++) {
        const char *more = i + 1 < n->alerts ? smi_fmt(&d->g, "+%zu (a)", n->alerts - i - 1) : "";
        const char *rest = smi_fmt(&d->g, "+%zu (a)", n->alerts - i);
        int gap = i ? 4 : 3, room = width - x - gap, after = *more ? 2 + (int)strlen(more) : 0;
        bool last = smi_canvas_width(d->c, n->alert[i].text) + after > room;
        if (last && i && x + 2 + (int)strlen(rest) <= width) {
            smi_tui_text(d, x + 2, y, width, SMI_STYLE_PLAIN, rest);
            return;
        }
        x = smi_tui_text(d, x + gap, y, last && room > after + 8 ? room - after : room,
                         smi_tui_grave_style(n->alert[i].grave), n->alert[i].text);
        if (last) {
            smi_tui_text(d, x + 2, y, width, SMI_STYLE_PLAIN, more);
            return;
        }
    }
}

void smi_tui_sums(struct smi_tui_frame *d, int y)
{
    const struct smi_machine_reading *cpu = smi_machine_reading_of(d->n, &d->n->host, SMI_CPU_USR);
    bool narrow = d->c->width < SMI_TUI_MIDDLE;
    struct smi_machine_totals all;
    const char *energy;
    int gap = narrow ? 2 : 3;
    smi_machine_totals(d->n, &all);
    energy = smi_fmt_energy(&d->g, (struct smi_value){all.energy_mwh * 1000, all.has_energy});
    {
        const struct smi_tui_segment part[] = {
            {d->mine > 1 ? "all GPUs"
             : d->mine   ? "GPU"
                         : NULL,
             SMI_BOLD, 0, 0},
            {smi_machine_use(&d->g, d->n), SMI_BOLD, narrow ? 2 : 5, 0},
            {smi_machine_sum_of(&d->g, d->n, SMI_FB_USED, SMI_FB_TOTAL, (int64_t)1024 * 1000000, 0, "GiB"),
             SMI_BOLD, gap, 1},
            {smi_machine_sum_of(&d->g, d->n, SMI_POWER, SMI_POWER_LIMIT, 1000000000, 2, "kW"), SMI_BOLD, gap,
             2},
            {all.has_energy ? smi_fmt(&d->g, "%s%s", narrow ? "" : "energy ", energy) : NULL, SMI_BOLD, gap,
             4},
            {all.known_ms ? smi_fmt(&d->g, "idle %s GPU-h", smi_fmt_hours(&d->g, all.idle_ms)) : NULL,
             SMI_BOLD, gap, 3},
            {cpu ? smi_fmt(&d->g, "CPU %s %%", smi_fmt_ratio(&d->g, cpu->v, 1000000, 0)) : NULL, SMI_BOLD,
             gap, 5},
        };
        smi_tui_put_segments(d, y, part, sizeof part / sizeof *part);
    }
}

/* ---- sharing out the lines ---- */

/* How many lines each part of the screen gets. */
struct plan {
    int top;                     /* lines above, with the blank under them */
    int rows, remarks;           /* GPUs; lines under their table */
    bool powers, graphs;         /* a line of power for each; one GPU: graphs in the place of its table */
    bool figures, host, sources; /* the 5-minute table; or the line of the host; of the monitors */
    bool phase;
    int events;
    int blanks; /* so many can be had: above events, figures, GPUs, and monitors */
};

enum { FIGURES = 5, EVENTS = 5, GRAPHS_LEAST = 10, GRAPHS_GOOD = 13, GRAPHS_FROM = 22, GRAPHS_MOST = 34 };

/* Takes k lines of *rest if they are there. */
static bool take_line(int *rest, int k)
{
    if (*rest < k)
        return false;
    *rest -= k;
    return true;
}

/* What there is to say goes in this order where lines are scarce: the 5-minute table, old events, the
 * monitors, the host; GPUs never. */
static void share_lines(const struct smi_tui_frame *d, struct plan *p, int lines)
{
    int rest = lines, most = d->n->events < EVENTS ? (int)d->n->events : EVENTS, gpus = (int)d->gpus, least,
        graphs;
    bool table = gpus > 0 && !p->graphs;
    if (table && !take_line(&rest, 1 + gpus)) {
        p->remarks = p->remarks > 1 && rest > 4 ? 1 : rest > 4 ? p->remarks : 0;
        p->rows = rest - 1 - p->remarks > 1 ? rest - 1 - p->remarks : 1;
        return;
    }
    p->rows = gpus;
    p->remarks = p->remarks > rest ? rest : p->remarks;
    rest -= p->remarks;
    graphs = lines >= GRAPHS_FROM ? GRAPHS_GOOD : GRAPHS_LEAST;
    if (p->graphs)
        take_line(&rest, graphs);
    p->host = d->n->host.seen && take_line(&rest, 1);
    p->sources = take_line(&rest, 1);
    p->phase = d->n->phases > 0;
    least = most + p->phase + 1; /* and a blank */
    if (d->mine && rest + p->host >= FIGURES + least) {
        p->figures = true;
        rest += p->host - FIGURES;
        p->host = false;
    }
    p->phase = p->phase && take_line(&rest, 1);
    p->events = rest > most ? most : rest > 1 ? rest - 1 : 0;
    p->events = p->events > most ? most : p->events;
    rest -= p->events;
    p->powers = table && gpus <= 8 && d->c->height >= SMI_TUI_TALL && take_line(&rest, gpus);
    p->blanks = rest < 4 ? rest : 4;
    rest -= p->blanks;
    if (p->graphs) /* what is left, in thirds */
        p->rows = graphs + (rest > GRAPHS_MOST - graphs ? GRAPHS_MOST - graphs : rest) / 3 * 3;
    else /* as many older ones as there is room */
        p->events += d->n->events - p->events < rest ? (int)(d->n->events - p->events) : rest;
}

/* From y to the line before `end`. */
static void draw_below(struct smi_tui_frame *d, const struct plan *p, int y, int end)
{
    int bottom = end - p->sources;
    if (p->sources)
        smi_tui_sources(d, bottom);
    y += (p->figures || p->host) && p->blanks > 1;
    if (p->figures) {
        smi_tui_figures(d, y);
        y += FIGURES;
    } else if (p->host) {
        smi_tui_host(d, y++);
    }
    y += (p->phase || p->events) && p->blanks > 0;
    if (p->phase)
        smi_tui_phase(d, y++);
    smi_tui_events(d, y, p->events < bottom - y ? p->events : bottom - y, 0);
}

static void draw_main_page(struct smi_tui_frame *d, int y, int end)
{
    struct plan p = {.graphs =
                         d->mine == 1 && d->gpus == 1 && end - y >= GRAPHS_LEAST + 2 && d->c->width >= 40};
    smi_tui_order(d, false);
    p.remarks = d->gpus && !p.graphs ? smi_tui_remark_lines(d) : 0;
    share_lines(d, &p, end - y);
    if (d->gpus && !p.graphs && p.rows < (int)d->gpus)
        smi_tui_order(d, true);
    d->v->scroll_most = p.graphs ? 0 : (int)d->gpus - p.rows;
    d->v->scroll = d->v->scroll > d->v->scroll_most ? d->v->scroll_most : d->v->scroll;
    y += p.blanks > 2;
    if (d->gpus == 0) {
        y += smi_tui_no_gpus(d, y, end - y);
    } else if (p.graphs) {
        smi_tui_gpu(d, y, p.rows, d->place[0], false);
        y += p.rows;
    } else {
        smi_tui_table(d, y, p.rows, p.powers);
        y += 1 + p.rows * (1 + p.powers);
        smi_tui_remarks(d, y, p.remarks);
        y += p.remarks;
    }
    draw_below(d, &p, y, end);
}

/* Tiny terminals: the alert line goes last. */
static void draw_page(struct smi_tui_frame *d)
{
    int h = d->c->height, y = 0, end = h - (h >= 6);
    if (h >= 3)
        smi_tui_head(d, y++);
    alert_line(d, y++);
    if (h >= 5)
        smi_tui_sums(d, y++);
    switch (d->v->page) {
    case SMI_VIEW_HELP:
        smi_tui_help(d, y + (h > 20), end - y - (h > 20));
        break;
    case SMI_VIEW_ALERTS:
        smi_tui_alerts(d, y + (h > 20), end - y - (h > 20));
        break;
    case SMI_VIEW_GPU:
        smi_tui_gpu(d, y + (h > 20), end - y - (h > 20), d->v->gpu, true);
        break;
    default:
        draw_main_page(d, y, end);
    }
    if (h >= 6 || d->v->asks || *d->v->said) {
        smi_canvas_clear(d->c, h - 1);
        smi_tui_last_line(d, h - 1);
    }
}

int smi_tui_frame(struct smi_canvas *c, const struct smi_machine *n, const struct smi_tui_info *a,
                  struct smi_view *v, struct smi_err *err)
{
    struct smi_tui_frame d = {.c = c, .n = n, .a = a, .v = v, .look.utf8 = c->utf8};
    bool failed;
    d.g.look = &d.look;
    if (v->page == SMI_VIEW_GPU && v->gpu >= n->gpus)
        v->page = SMI_VIEW_MAIN;
    smi_tui_order(&d, false);
    draw_page(&d);
    failed = d.g.failed;
    smi_arena_fini(&d.g.arena);
    return failed ? smi_err_nomem(err) : 0;
}
