/* html_runs.c - the table of runs as it stands in the page: what is seen on paper and without scripts
 * (screens.md §9.4). */
#include "report/html_sections.h"

#include <string.h>

enum { ROWS = 500 /* of the table that stands in the page itself */ };

static bool is_shown(const struct smi_html_page *h, int column)
{
    return !smi_run_table_columns[column].more && smi_html_column_shown(h, column);
}

static bool is_number(int column)
{
    enum smi_html_kind kind = smi_html_kind_of(column);
    return kind == SMI_HTML_NUMBER || kind == SMI_HTML_SPAN;
}

static void write_runs_head(struct smi_html_page *h)
{
    smi_buf_str(h->g.to, "<thead><tr>");
    for (int c = 0; c < SMI_RUNS_COLUMNS; c++)
        if (is_shown(h, c))
            smi_html_fmt(h, "<th scope=\"col\"%s>%s</th>", is_number(c) ? " class=\"n\"" : "",
                         smi_run_table_columns[c].head);
    smi_buf_str(h->g.to, "</tr></thead>\n<tbody>\n");
}

static void write_runs_row(struct smi_html_page *h, const struct smi_summary *s)
{
    const unsigned marks = smi_findings_marks(s, -1);
    const bool failed = s->state == SMI_STATE_FAILED;
    smi_buf_str(h->g.to, "<tr>");
    for (int c = 0; c < SMI_RUNS_COLUMNS; c++) {
        const char *text = is_shown(h, c) ? smi_html_cell(h, c, s) : NULL;
        const char *marked =
            text && marks & smi_run_table_columns[c].mark && *text != '-' ? failed ? " bad" : " odd" : "";
        if (!text)
            continue;
        if (c == SMI_RUNS_STATE && failed)
            smi_buf_str(h->g.to, "<td class=\"bad\">");
        else
            smi_html_fmt(h, is_number(c) ? "<td class=\"n%s\">" : "<td%s>", marked);
        if (c == SMI_RUNS_NAME)
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
    struct smi_summary all;
    smi_total_as_run(&all, h->g.sweep);
    smi_html_fmt(h, "</tbody>\n<tfoot><tr><th scope=\"row\">total %zu run%s</th>", h->g.sweep->n,
                 h->g.sweep->n == 1 ? "" : "s");
    for (int c = SMI_RUNS_NAME + 1; c < SMI_RUNS_COLUMNS; c++)
        if (is_shown(h, c)) {
            smi_buf_str(h->g.to, "<td class=\"n\">");
            smi_html_add_text(h, smi_html_kind_of(c) == SMI_HTML_WORDS ? "" : smi_html_cell(h, c, &all));
            smi_buf_str(h->g.to, "</td>");
        }
    smi_buf_str(h->g.to, "</tr></tfoot>\n");
}

void smi_html_section_runs(struct smi_html_page *h)
{
    bool some = h->g.sweep->n > ROWS;
    size_t n = some ? ROWS : h->g.sweep->n;
    smi_html_section(h, "runs", "Runs");
    smi_buf_str(h->g.to, "<div class=\"live js\"></div>\n<div class=\"paper\">\n<div class=\"scroll\"><table "
                         "class=\"plain\">\n");
    write_runs_head(h);
    for (size_t i = 0; i < n; i++)
        write_runs_row(h, some ? h->worst[i] : &h->g.sweep->runs[i]);
    write_runs_total(h);
    smi_buf_str(h->g.to, "</table></div>\n");
    if (some)
        smi_html_fmt(h,
                     "<p>The %zu runs that wasted most; %zu more are seen with scripts, and all %zu are in "
                     "-o runs.csv.</p>\n",
                     n, h->n > n ? h->n - n : 0, h->g.sweep->n);
    smi_buf_str(h->g.to, "</div>\n</section>\n");
    smi_html_forget(h);
}
