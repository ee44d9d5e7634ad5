/* html_phases.c - phases of one name over all runs (screens.md §9.8). */
#include "report/html_sections.h"

#include <stdlib.h>
#include <string.h>

enum { NAMES = 256, SHOWN = 24 };

struct phase {
    const char *name;
    int64_t runs, count, samples, micro_s;
    struct smi_headline block;
    struct smi_value energy_wh;
};

static void add_phase(struct phase *to, const struct smi_phase_summary *p)
{
    to->runs++;
    to->count += p->count;
    to->samples += p->summarised ? p->samples : 0;
    to->micro_s += p->seconds.has ? p->seconds.micro : 0;
    smi_headline_merge(&to->block, &p->block);
    to->energy_wh.has |= p->energy_wh.has;
    to->energy_wh.micro += p->energy_wh.has ? p->energy_wh.micro : 0;
}

/* Names beyond the first NAMES are joined in the last. */
static size_t collect_phases(struct smi_html_page *h, struct phase *list)
{
    size_t n = 0, k;
    for (size_t i = 0; i < h->g.sweep->n; i++) {
        const struct smi_summary *s = &h->g.sweep->runs[i];
        for (size_t p = 0; p < s->nphases; p++) {
            for (k = 0; k < n && k < NAMES && strcmp(list[k].name, s->phases[p].name) != 0; k++)
                ;
            if (k == n)
                list[n++].name = k < NAMES ? s->phases[p].name : "others";
            add_phase(&list[k], &s->phases[p]);
        }
    }
    return n;
}

static int by_seconds(const void *a, const void *b)
{
    const struct phase *x = a, *y = b;
    return x->micro_s != y->micro_s ? (x->micro_s > y->micro_s ? -1 : 1) : strcmp(x->name, y->name);
}

static void write_phase_row(struct smi_html_page *h, const struct phase *p)
{
    struct smi_text_arena *g = &h->g;
    int64_t all = g->sweep->total.duration_s.has ? g->sweep->total.duration_s.micro : 0;
    const struct smi_headline_sum *vram = &p->block.pool[SMI_POOL_VRAM];
    smi_html_write(h, "<tr><th scope=\"row\">%n</th>", p->name);
    smi_html_numbers(h, smi_fmt(g, "%lld", (long long)p->runs), smi_fmt(g, "%lld", (long long)p->count),
                     smi_fmt_time(g, p->micro_s / 1000),
                     all ? smi_fmt_ratio(g, (smi_i128)p->micro_s * 100, all, 1) : "-",
                     smi_fmt_mean(g, &p->block, SMI_FIG_UTIL),
                     vram->n ? smi_fmt_gib(g, (struct smi_value){vram->max, true}) : "-",
                     smi_fmt_value(g, p->energy_wh, 1), smi_fmt(g, "%lld", (long long)p->samples), NULL);
    smi_buf_str(g->to, "</tr>\n");
}

static void write_phase_table(struct smi_html_page *h, struct phase *list, size_t n)
{
    size_t shown = n > SHOWN ? SHOWN - 1 : n;
    struct phase rest = {.name = smi_fmt(&h->g, "others (%zu)", n - shown)};
    smi_html_table(h, "Phase|#Runs|#Times|#Time|#Share %|#GPU %|#Device VRAM GiB|#Wh|#Samples");
    for (size_t i = 0; i < n; i++) {
        if (i < shown) {
            write_phase_row(h, &list[i]);
            continue;
        }
        rest.runs = list[i].runs > rest.runs ? list[i].runs : rest.runs;
        rest.count += list[i].count;
        rest.samples += list[i].samples;
        rest.micro_s += list[i].micro_s;
        smi_headline_merge(&rest.block, &list[i].block);
        rest.energy_wh.has |= list[i].energy_wh.has;
        rest.energy_wh.micro += list[i].energy_wh.micro;
    }
    if (shown < n)
        write_phase_row(h, &rest);
    smi_buf_str(h->g.to, "</tbody>\n</table></div>\n");
}

void smi_html_section_phases(struct smi_html_page *h)
{
    struct phase *list = smi_arena_new(&h->g.arena, NAMES + 1, sizeof *list);
    size_t n = list ? collect_phases(h, list) : 0;
    h->g.failed |= !list;
    if (n == 0)
        return;
    qsort(list, n, sizeof *list, by_seconds);
    smi_html_section(h, "phases", "Phases over all runs");
    write_phase_table(h, list, n);
    smi_buf_str(h->g.to, "</section>\n");
    smi_html_forget(h);
}
