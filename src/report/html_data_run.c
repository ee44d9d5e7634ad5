/* html_data_run.c - what is known of single runs, an element each, most waste first, as far as there is room
 * (screens.md §9.6): {"text": what summarize -v says, "findings": [...], "time": the curves}. */
#include "report/html_data.h"

#include <stdlib.h>
#include <string.h>

enum {
    WIDTH = 118,
    TYPICAL = 3500 /* bytes of a run without curves */,
    LONGEST = 40000 /* bytes of the text of a run */
};

static int by_hours(const void *a, const void *b)
{
    const struct smi_finding *x = *(const struct smi_finding *const *)a,
                             *y = *(const struct smi_finding *const *)b;
    if (x->gpu_ms != y->gpu_ms)
        return x->gpu_ms > y->gpu_ms ? -1 : 1;
    return x < y ? -1 : x > y;
}

static void findings(struct smi_html_page *h, const struct smi_summary *s)
{
    const struct smi_finding **list = smi_arena_new(&h->g.arena, s->nfindings + 1, sizeof *list);
    h->g.failed |= !list;
    for (size_t i = 0; list && i < s->nfindings; i++)
        list[i] = &s->findings[i];
    if (list && s->nfindings)
        qsort(list, s->nfindings, sizeof *list, by_hours);
    smi_buf_str(h->g.to, ",\n\"findings\":[");
    for (size_t i = 0; list && i < s->nfindings; i++) {
        const struct smi_finding *f = list[i];
        smi_html_fmt(h, "%s{\"l\":\"%s\",\"r\":\"%s\",\"h\":", i ? ",\n" : "", smi_level_names[f->level],
                     smi_rules[f->rule].key);
        smi_html_add_json(h, f->gpu_ms ? smi_fmt_hours(&h->g, f->gpu_ms) : "-");
        smi_buf_str(h->g.to, ",\"t\":");
        smi_html_add_json_name(h, f->text);
        smi_buf_str(h->g.to, ",\"a\":");
        smi_html_add_json_name(h, f->advice ? f->advice : "");
        smi_buf_char(h->g.to, '}');
    }
    smi_buf_char(h->g.to, ']');
}

static void append_run_text(struct smi_html_page *h, const struct smi_summary *s)
{
    struct smi_html_text t;
    const char *all;
    smi_text_run(smi_html_text_begin(h, &t, WIDTH), s, true);
    all = smi_html_text_end(h, &t);
    smi_buf_str(h->g.to, "{\"text\":");
    smi_html_add_json(h, strlen(all) < LONGEST ? all : smi_fmt_middle(&h->g, all, LONGEST, LONGEST - 100));
}

/* Returns whether it had room, its curves with `kept` bytes left for others. */
static bool append_run_element(struct smi_html_page *h, const struct smi_summary *s, size_t kept)
{
    size_t before = h->g.to->n, row = smi_html_row(h, s), bare;
    if (row == h->n)
        return true;
    smi_html_fmt(h, "<script type=\"application/json\" id=\"r%zu\">", row);
    append_run_text(h, s);
    findings(h, s);
    bare = h->g.to->n;
    if (s->timeline && s->timeline->n && !h->g.to->failed) {
        smi_html_data_timeline(h, s);
        if (smi_html_bytes_left(h) <= kept + 64 && !h->g.to->failed)
            h->g.to->n = bare;
    }
    smi_buf_str(h->g.to, "}</script>\n");
    smi_html_forget(h);
    if (h->g.to->failed || smi_html_bytes_left(h))
        return true;
    h->g.to->n = before;
    return false;
}

/* Of the room a part is kept for the texts of those runs whose curves find no place. */
void smi_html_data_runs(struct smi_html_page *h)
{
    const size_t all = h->g.sweep->n, room = smi_html_bytes_left(h);
    size_t n = 0;
    while (n < all && !h->g.to->failed && !h->g.failed) {
        size_t rest = (all - n) * TYPICAL;
        if (!append_run_element(h, h->worst[n], room == SIZE_MAX ? 0 : rest < room / 4 ? rest : room / 4))
            break;
        n++;
    }
}
