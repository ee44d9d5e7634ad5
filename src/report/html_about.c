/* html_about.c - what the page is, how it was made, and what its words mean (screens.md §9.10). */
#include "base/clock.h"
#include "base/version.h"
#include "report/html_sections.h"

static void term(struct smi_html_page *h, const char *name, const char *help)
{
    smi_html_write(h, "<dt>%e</dt><dd>%e</dd>\n", name, help);
}

static void write_command_line(struct smi_html_page *h)
{
    const struct smi_sweep *s = h->g.sweep;
    if (h->g.look->command) {
        smi_html_add_text(h, smi_fmt_safe(&h->g, h->g.look->command));
        return;
    }
    smi_html_fmt(h, "smilog report");
    smi_html_add_text(h, smi_fmt_safe(&h->g, h->g.look->given ? h->g.look->given : ""));
    smi_buf_char(h->g.to, ' ');
    smi_html_add_name(h, s->paths == 1 && s->title ? s->title : "PATH...");
    smi_buf_str(h->g.to, " -o page.html");
}

void smi_html_section_about(struct smi_html_page *h)
{
    const struct smi_sweep *s = h->g.sweep;
    char now[SMI_CLOCK_TEXT];
    smi_buf_str(h->g.to, "<section id=\"about\" aria-labelledby=\"about-title\">\n<h2 "
                         "id=\"about-title\">About</h2>\n<p>Made by smilog " SMILOG_VERSION);
    if (h->g.look->now_ms) {
        smi_clock_write(now, h->g.look->now_ms, true);
        smi_html_fmt(h, " on %.10s at %.5s UTC", now, now + 11);
    }
    smi_buf_str(h->g.to, ". This file holds everything that it shows: it needs no network, and sends "
                         "nothing. To make it again:</p>\n<pre class=\"command\">");
    write_command_line(h);
    smi_buf_str(h->g.to, "</pre>\n");
    smi_html_fmt(h, "<p>Idle is a GPU at or below %s %% of use. ",
                 s->n ? smi_fmt_value(&h->g, (struct smi_value){s->runs[0].idle_below, true}, 0) : "1");
    if (h->n < s->n)
        smi_html_fmt(h,
                     "%zu of %zu runs, those that wasted most, have a row and 60 cells here; "
                     "<code>--all</code> gives every run one. As ",
                     h->n, s->n);
    else
        smi_buf_str(h->g.to, s->nstored ? "Every run has its row and its 60 cells. "
                                        : "Every run has its row and its 60 cells; as ");
    if (s->nstored)
        smi_buf_str(h->g.to, "There are no curves: the partial summaries that this was made of hold no "
                             "single readings.</p>\n");
    else
        smi_buf_str(h->g.to,
                    "many as find room in 5 MB, those that wasted most first, also have all their numbers "
                    "and curves. <code>smilog report RUN -o run.html</code> shows the others, "
                    "<code>--samples all</code> puts everything in, however large that gets.</p>\n");
    smi_buf_str(h->g.to, "<h3>What the columns mean</h3>\n<dl>\n");
    for (int c = 0; c < SMI_RUNS_COLUMNS; c++)
        if (smi_html_column_shown(h, c))
            term(h, smi_run_table_columns[c].head, smi_run_table_columns[c].help);
    for (int f = 0; f < SMI_RUN_FIELDS; f++)
        if (smi_run_fields[f].listed)
            term(h, smi_run_fields[f].label ? smi_run_fields[f].label : smi_run_fields[f].key,
                 smi_run_fields[f].help);
    term(h, "Over time",
         "Utilisation of all its GPUs over the run's own length, in 60 cells; grey: no reading");
    term(h, "used", "GPU-hours with readings that are in no part of the waste");
    term(h, "GiB, MiB", "2^30 and 2^20 bytes");
    term(h, "-", "No reading. 0.0 is measured: nothing");
    smi_buf_str(h->g.to, "</dl>\n</section>\n");
    smi_html_forget(h);
}
