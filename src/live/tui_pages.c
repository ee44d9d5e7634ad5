/* tui_pages.c - help, the list of alerts; and the last line, which says what can be pressed. */
#include "live/tui_private.h"

#include <stdio.h>

void smi_tui_help(struct smi_tui_frame *d, int y, int lines)
{
    static const struct {
        const char *key, *text;
    } help[] = {
        {"p", "the picture stands still; the record goes on"},
        {"space", "of a replay: hold, go on"},
        {"s", "GPUs by index, use, VRAM, power, temperature, or alerts first"},
        {"g", "one GPU: graphs, throttle reasons, processes; arrows, 0-9: another one"},
        {"w", "over time: the last 1 min, 10 min, hour, or the whole run"},
        {"a", "all alerts, and what happened"},
        {"/", "only GPUs with such a number, name or remark; esc: all"},
        {"e", "a mark in the record: asks for a word"},
        {"arrows", "scroll, where there are more GPUs than lines"},
        {"q", "quit, as ctrl-C does: the record ends in order"},
        {"", ""},
        {"!", "something is wasted or broken: the alert line has it in words"},
        {"yellow", "paid for and not used, or slowed"},
        {"red", "broken or lost"},
        {"grey", "old, or not known; a number is never shown as newer than it is"},
        {"-", "no reading"},
    };
    int k = (int)(sizeof help / sizeof *help), from = d->v->scroll;
    d->v->scroll_most = k > lines ? k - lines : 0;
    for (int i = from; i < k && i - from < lines; i++) {
        smi_tui_text(d, 0, y + i - from, 8, SMI_BOLD, help[i].key);
        smi_tui_text(d, 8, y + i - from, d->c->width, SMI_STYLE_PLAIN, help[i].text);
    }
}

void smi_tui_alerts(struct smi_tui_frame *d, int y, int lines)
{
    const struct smi_machine *n = d->n;
    int all = (int)n->alerts + 2 +
              (int)(n->events < SMI_MACHINE_EVENTS_MAX ? n->events : SMI_MACHINE_EVENTS_MAX),
        end = y + lines, i;
    d->v->scroll_most = all > lines ? all - lines : 0;
    for (i = d->v->scroll; i < (int)n->alerts && y < end; i++, y++) {
        const struct smi_alert *a = &n->alert[i];
        int x = smi_tui_text(d, 0, y, d->c->width, SMI_STYLE_PLAIN, smi_tui_clock(d, a->from_ms));
        smi_tui_text(d, x + 2, y, d->c->width, smi_tui_grave_style(a->grave), a->text);
    }
    if (n->alerts == 0 && d->v->scroll == 0 && y < end)
        smi_tui_text(d, 0, y++, d->c->width, SMI_STYLE_PLAIN, "no rule holds");
    if (i <= (int)n->alerts && y < end - 1) {
        y++;
        smi_tui_text(d, 0, y++, d->c->width, SMI_BOLD, "WHAT HAPPENED");
    }
    smi_tui_events(d, y, end - y, d->v->scroll > (int)n->alerts + 2 ? d->v->scroll - (int)n->alerts - 2 : 0);
}

/* ---- the last line ---- */

static void prompt_text(struct smi_tui_frame *d, int y)
{
    bool filter = d->v->asks == SMI_VIEW_PROMPT_FILTER;
    const char *question =
        filter ? "filter (a GPU's number, name or remark): " : "mark (a word for the record): ";
    int x, room, w;
    const char *typed = d->v->typed;
    if (d->c->width < SMI_TUI_NARROW)
        question = filter ? "/" : "mark: ";
    x = smi_tui_text(d, 0, y, d->c->width, SMI_BOLD, question);
    room = d->c->width - x - 1;
    for (w = smi_canvas_width(d->c, typed); *typed && w > room; w = smi_canvas_width(d->c, typed))
        do
            typed++;
        while (((unsigned char)*typed & 0xC0) == 0x80);
    x = smi_canvas_put(d->c, x, y, SMI_STYLE_PLAIN, typed);
    smi_canvas_put(d->c, x, y, SMI_BOLD, "_");
}

static void key_hints(struct smi_tui_frame *d, int y)
{
    bool wide = d->c->width >= SMI_TUI_MIDDLE;
    const char *window = smi_fmt(&d->g, wide ? "w window %s" : "w %s", smi_view_window[d->v->window].key);
    const char *sort = d->v->sort ? smi_fmt(&d->g, "s by %s", smi_view_sort[d->v->sort]) : "s sort";
    const char *filter =
        *d->v->filter ? smi_fmt(&d->g, "/ %s", smi_fmt_middle(&d->g, d->v->filter, 16, 12)) : "/ filter";
    const struct smi_tui_segment main[] = {
        {"? help", SMI_GREY, 0, 1},
        {"p pause", SMI_GREY, 2, 6},
        {d->a->space ? "space hold" : NULL, SMI_GREY, 2, 3},
        {sort, SMI_GREY, 2, 8},
        {wide ? "g GPU detail" : "g GPU", SMI_GREY, 2, 4},
        {window, SMI_GREY, 2, 5},
        {"a alerts", SMI_GREY, 2, 2},
        {filter, SMI_GREY, 2, 7},
        {d->a->no_marks ? NULL : "e mark", SMI_GREY, 2, 9},
        {"q quit", SMI_GREY, 2, 0},
    };
    const struct smi_tui_segment other[] = {
        {"esc back", SMI_GREY, 0, 1},
        {d->v->page == SMI_VIEW_GPU ? "arrows, 0-9 other GPUs" : NULL, SMI_GREY, 2, 2},
        {d->v->page == SMI_VIEW_GPU ? window : NULL, SMI_GREY, 2, 3},
        {"q quit", SMI_GREY, 2, 0},
    };
    if (d->v->page == SMI_VIEW_MAIN)
        smi_tui_put_segments(d, y, main, sizeof main / sizeof *main);
    else
        smi_tui_put_segments(d, y, other, sizeof other / sizeof *other);
}

void smi_tui_last_line(struct smi_tui_frame *d, int y)
{
    if (d->v->asks)
        prompt_text(d, y);
    else if (*d->v->said)
        smi_tui_text(d, 0, y, d->c->width, SMI_BOLD, d->v->said);
    else if (d->v->paused)
        smi_tui_text(d, 0, y, d->c->width, SMI_BOLD,
                     d->a->recording ? "paused: p goes on, q quits; the recording goes on meanwhile"
                                     : "paused: p goes on, q quits");
    else
        key_hints(d, y);
}
