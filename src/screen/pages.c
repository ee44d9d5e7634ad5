/* pages.c - help, and the list of alerts. */
#include "screen/inner.h"

#include <stdio.h>

void smi_draw_help(struct smi_draw *d, int y, int lines)
{
    static const struct {
        const char *key, *text;
    } help[] = {
        {"p", "the picture stands still; the record goes on"},
        {"space", "of a replay: hold, go on"},
        {"s", "GPUs by index, use, VRAM, power, temperature, or alerts first"},
        {"g", "one GPU: graphs, throttle reasons, processes; arrows or its number: another one"},
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
        smi_draw_text(d, 0, y + i - from, 8, SMI_BOLD, help[i].key);
        smi_draw_text(d, 8, y + i - from, d->c->width, SMI_PLAIN, help[i].text);
    }
}

void smi_draw_alerts(struct smi_draw *d, int y, int lines)
{
    const struct smi_now *n = d->n;
    int all = (int)n->alerts + 2 + (int)(n->events < SMI_NOW_EVENTS ? n->events : SMI_NOW_EVENTS), end = y + lines, i;
    d->v->scroll_most = all > lines ? all - lines : 0;
    for (i = d->v->scroll; i < (int)n->alerts && y < end; i++, y++) {
        const struct smi_now_alert *a = &n->alert[i];
        int x = smi_draw_text(d, 0, y, d->c->width, SMI_PLAIN, smi_draw_clock(d, a->from_ms));
        smi_draw_text(d, x + 2, y, d->c->width, smi_draw_grave(a->grave), a->text);
    }
    if (n->alerts == 0 && d->v->scroll == 0 && y < end)
        smi_draw_text(d, 0, y++, d->c->width, SMI_PLAIN, "no rule holds");
    if (i <= (int)n->alerts && y < end - 1) {
        y++;
        smi_draw_text(d, 0, y++, d->c->width, SMI_BOLD, "WHAT HAPPENED");
    }
    smi_draw_events(d, y, end - y, d->v->scroll > (int)n->alerts + 2 ? d->v->scroll - (int)n->alerts - 2 : 0);
}
