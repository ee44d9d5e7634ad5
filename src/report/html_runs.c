/* html_runs.c - the table of runs as it stands in the page: what is seen on paper and without scripts
 * (screens.md §9.4). */
#include "report/html_sections.h"

#include <string.h>

enum { ROWS = 500 /* of the table that stands in the page itself */ };

static void write_runs_head(struct smi_html_page *h)
{
    smi_buf_str(h->g.to, "<thead><tr>");
    for (const struct smi_html_column *c = smi_html_columns; c->key; c++)
        if (!c->more && smi_html_column_shown(h, c))
            smi_html_fmt(h, "<th scope=\"col\"%s>%s</th>",
                         c->kind == SMI_HTML_NUMBER || c->kind == SMI_HTML_SPAN ? " class=\"n\"" : "",
                         c->head);
    smi_buf_str(h->g.to, "</tr></thead>\n<tbody>\n");
}

static void write_runs_row(struct smi_html_page *h, const struct smi_summary *s)
{
    unsigned marks = smi_findings_marks(s, -1);
    smi_buf_str(h->g.to, "<tr>");
    for (const struct smi_html_column *c = smi_html_columns; c->key; c++) {
        const char *text;
        bool number = c->kind == SMI_HTML_NUMBER || c->kind == SMI_HTML_SPAN;
        if (c->more || !smi_html_column_shown(h, c))
            continue;
        text = c->kind == SMI_HTML_NAME ? smi_html_label(h, s) : c->text(&h->g, s);
        if (!number && s->state == SMI_STATE_FAILED && strcmp(c->key, "state") == 0)
            smi_buf_str(h->g.to, "<td class=\"bad\">");
        else
            smi_html_fmt(h, number ? "<td class=\"n%s\">" : "<td%s>",
                         !(marks & c->mark) || *text == '-' ? ""
                         : s->state == SMI_STATE_FAILED     ? " bad"
                                                            : " odd");
        if (c->kind == SMI_HTML_NAME)
            smi_html_add_link(h, s);
        else
            smi_html_add_text(h, text);
        smi_buf_str(h->g.to, "</td>");
    }
    smi_buf_str(h->g.to, "</tr>\n");
    smi_html_forget(h);
}

/* The sum in the words of the rows; what has none is empty. */
static void write_runs_total(struct smi_html_page *h)
{
    const struct smi_total *t = &h->g.sweep->total;
    struct smi_summary all = {.duration_s = t->duration_s,
                              .block = t->block,
                              .idle_pct = t->idle_pct,
                              .energy_wh = t->energy_wh,
                              .waste = t->waste,
                              .wasted_h[5] = t->wasted_h[5],
                              .wasted_cost[5] = t->wasted_cost[5]};
    for (size_t i = 0; i < h->g.sweep->n; i++) {
        struct smi_value v = h->g.sweep->runs[i].vram.used_peak_mb;
        if (v.has && (!all.vram.used_peak_mb.has || v.micro > all.vram.used_peak_mb.micro))
            all.vram.used_peak_mb = v;
    }
    smi_html_fmt(h, "</tbody>\n<tfoot><tr><th scope=\"row\">total %zu run%s</th>", h->g.sweep->n,
                 h->g.sweep->n == 1 ? "" : "s");
    for (const struct smi_html_column *c = smi_html_columns + 1; c->key; c++)
        if (!c->more && smi_html_column_shown(h, c)) {
            smi_buf_str(h->g.to, "<td class=\"n\">");
            smi_html_add_text(h, c->kind == SMI_HTML_WORDS ? "" : c->text(&h->g, &all));
            smi_buf_str(h->g.to, "</td>");
        }
    smi_buf_str(h->g.to, "</tr></tfoot>\n");
}

void smi_html_section_runs(struct smi_html_page *h)
{
    bool some = h->g.sweep->n > ROWS;
    size_t n = some ? ROWS : h->g.sweep->n;
    smi_buf_str(h->g.to,
                "<section id=\"runs\" aria-labelledby=\"runs-title\">\n<h2 id=\"runs-title\">Runs</h2>\n"
                "<div class=\"live js\"></div>\n<div class=\"paper\">\n<div class=\"scroll\">"
                "<table class=\"plain\">\n");
    write_runs_head(h);
    for (size_t i = 0; i < n; i++)
        write_runs_row(h, some ? h->worst[i] : &h->g.sweep->runs[i]);
    write_runs_total(h);
    smi_buf_str(h->g.to, "</table></div>\n");
    if (some)
        smi_html_fmt(h,
                     "<p>The %zu runs that wasted most; %zu more are seen with scripts, and all %zu are in "
                     "-o runs.csv."
                     "</p>\n",
                     n, h->n > n ? h->n - n : 0, h->g.sweep->n);
    smi_buf_str(h->g.to, "</div>\n</section>\n");
    smi_html_forget(h);
}
