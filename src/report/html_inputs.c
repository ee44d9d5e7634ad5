/* html_inputs.c - the last sections of a page: phases, commands, inputs and warnings, about. */
#include "summary/run_notes.h"
#include "report/html.h"
#include "base/clock.h"
#include "base/version.h"

#include <string.h>

void smi_html_section_phases(struct smi_html_page *h)
{
    struct smi_report_table t;
    if (!smi_phase_table(&t, &h->g, h->g.sweep->runs, h->g.sweep->n))
        return;
    smi_html_section(h, "phases", h->g.sweep->n == 1 ? "Phases" : "Phases over all runs");
    smi_table_html(h, &t);
    smi_html_section_end(h);
}

void smi_html_section_commands(struct smi_html_page *h)
{
    enum { ROWS = 200 };
    struct smi_report_table t;
    size_t n = smi_commands_table(&t, &h->g, ROWS);
    if (n == 0)
        return;
    smi_html_section(h, "commands", "Tracked commands");
    smi_table_html(h, &t);
    if (n > ROWS)
        smi_buf_fmt(h->g.to, "<p>%zu more are in the workbook: smilog report -o F.xlsx.</p>\n", n - ROWS);
    smi_buf_str(h->g.to, "<p>Of the command and everything that it started, together.</p>\n");
    smi_html_section_end(h);
}

/* ---- what of the inputs is doubtful. ---- */

enum { LISTED = 20, INPUTS = 100 };

static const char *plain_name(struct smi_text_arena *g, const char *name)
{
    return smi_fmt_middle(g, smi_fmt_safe(g, name), SMI_HTML_TEXT, SMI_HTML_TEXT / 2);
}

static void without_data(struct smi_html_page *h)
{
    const struct smi_sweep *s = h->g.sweep;
    size_t n = 0;
    if (!s->total.no_data)
        return;
    smi_buf_fmt(h->g.to, "<p>%s without GPU data: ", smi_fmt_count(&h->g, s->total.no_data, "run"));
    for (size_t i = 0; smi_sweep_has_run(s, i); i++) {
        if (smi_run_has_gpu_data(&s->runs[i]) || n++ >= LISTED)
            continue;
        smi_html_write(h, n > 1 ? ", %r" : "%r", &s->runs[i]);
    }
    smi_buf_fmt(h->g.to, n > LISTED ? " and %zu more</p>\n" : "</p>\n", n - LISTED);
}

/* A text and how many runs have it: of the first LISTED texts. */
struct said {
    const char *text;
    size_t n;
    const struct smi_summary *first;
};

struct all_said {
    struct said of[LISTED];
    size_t n, left; /* left: how often something else was said */
};

static void count_sentence(struct all_said *all, const char *text, const struct smi_summary *s)
{
    size_t i = 0;
    while (i < all->n && strcmp(all->of[i].text, text) != 0)
        i++;
    if (i == LISTED) {
        all->left++;
        return;
    }
    all->of[i].text = text;
    all->of[i].first = all->of[i].n++ ? all->of[i].first : s;
    all->n += i == all->n;
}

static void put_said(struct smi_html_page *h, const struct all_said *all, const char *title)
{
    const struct said *list = all->of;
    size_t n = all->n;
    if (n)
        smi_buf_fmt(h->g.to, "<h3>%s</h3>\n<ul>\n", title);
    for (size_t i = 0; i < n; i++) {
        smi_html_write(h, "<li>%n", list[i].text);
        if (list[i].n == 1 && h->g.sweep->n > 1)
            smi_html_write(h, ": %r", list[i].first);
        else if (h->g.sweep->n > 1)
            smi_html_write(h, ": %z runs", list[i].n);
        smi_buf_str(h->g.to, "</li>\n");
    }
    if (all->left)
        smi_buf_fmt(h->g.to, "<li>%zu more, in other words: smilog summarize -v</li>\n", all->left);
    smi_buf_str(h->g.to, n ? "</ul>\n" : "");
}

static void clocks_and_problems(struct smi_html_page *h)
{
    struct all_said clock = {.n = 0}, problem = {.n = 0};
    for (size_t i = 0; smi_sweep_has_run(h->g.sweep, i); i++) {
        const struct smi_summary *s = &h->g.sweep->runs[i];
        count_sentence(&clock, s->time_base ? s->time_base : "no times", s);
        for (size_t k = 0; k < s->nproblems; k++)
            count_sentence(&problem, s->problems[k], s);
    }
    put_said(h, &clock, "Time bases");
    put_said(h, &problem, "Notes");
}

static void input_table(struct smi_html_page *h)
{
    const struct smi_sweep *s = h->g.sweep;
    struct smi_report_table t;
    size_t all = 0, odd = smi_input_table(&t, &h->g, s->runs, s->n, INPUTS);
    for (size_t i = 0; smi_sweep_has_run(s, i); i++)
        all += s->runs[i].ninputs;
    if (odd) {
        smi_buf_str(h->g.to, "<h3>Inputs with rejected rows, gaps or oddities</h3>\n");
        smi_table_html(h, &t);
    } else {
        smi_table_free(&t);
    }
    if (odd > INPUTS)
        smi_buf_fmt(h->g.to, "<p>%zu more such inputs: smilog summarize -v</p>\n", odd - INPUTS);
    smi_buf_fmt(h->g.to, "<p>%s read, %zu of them without anything to remark.</p>\n",
                smi_fmt_count(&h->g, (int64_t)all, "input"), all - odd);
}

static void write_unusable_files(struct smi_html_page *h)
{
    const struct smi_sweep *s = h->g.sweep;
    if (s->ntrouble)
        smi_buf_str(h->g.to, "<h3>Not usable</h3>\n<ul>\n");
    for (size_t i = 0; i < s->ntrouble && i < LISTED; i++)
        smi_html_write(h, "<li>%n: %n</li>\n", s->trouble[i].path, s->trouble[i].text);
    if (s->ntrouble > LISTED)
        smi_buf_fmt(h->g.to, "<li>%zu more</li>\n", s->ntrouble - LISTED);
    smi_buf_str(h->g.to, s->ntrouble ? "</ul>\n" : "");
}

void smi_html_section_warnings(struct smi_html_page *h)
{
    const char *t = smi_warnings_text(&h->g, plain_name);
    smi_html_section(h, "warnings", "Inputs and warnings");
    smi_html_write(h, "<p>%e</p>\n",
                   *t ? smi_fmt(&h->g, "Warnings: %s.", t)
                      : "No warnings: smilog understood every line of every input.");
    without_data(h);
    clocks_and_problems(h);
    input_table(h);
    write_unusable_files(h);
    smi_html_section_end(h);
}

/* ---- what the page is, how it was made, and what its words mean. ---- */

static void term(struct smi_html_page *h, const char *name, const char *help)
{
    smi_html_write(h, "<dt>%e</dt><dd>%e</dd>\n", name, help);
}

static void write_command_line(struct smi_html_page *h)
{
    const struct smi_sweep *s = h->g.sweep;
    if (h->g.look->command)
        smi_html_add_text(h, smi_fmt_safe(&h->g, h->g.look->command));
    else
        smi_html_write(h, "smilog report%e %n -o page.html",
                       smi_fmt_safe(&h->g, h->g.look->given ? h->g.look->given : ""),
                       s->paths == 1 && s->title ? s->title : "PATH...");
}

void smi_html_section_about(struct smi_html_page *h)
{
    const struct smi_sweep *s = h->g.sweep;
    char now[SMI_CLOCK_TEXT];
    smi_buf_str(h->g.to, "<section id=\"about\" aria-labelledby=\"about-title\">\n<h2 "
                         "id=\"about-title\">About</h2>\n<p>Made by smilog " SMILOG_VERSION);
    if (h->g.look->now_ms) {
        smi_clock_write(now, h->g.look->now_ms, true);
        smi_buf_fmt(h->g.to, " on %.10s at %.5s UTC", now, now + 11);
    }
    smi_buf_str(h->g.to, ". This file holds everything that it shows: it needs no network, and sends "
                         "nothing. To make it again:</p>\n<pre class=\"command\">");
    write_command_line(h);
    smi_buf_str(h->g.to, "</pre>\n");
    smi_buf_fmt(h->g.to, "<p>Idle is a GPU at or below %s %% of use. ",
                s->n ? smi_fmt_value(&h->g, (struct smi_value){s->runs[0].idle_below, true}, 0) : "1");
    if (h->n < s->n)
        smi_buf_fmt(h->g.to,
                    "%zu of %zu runs, those that wasted most, have a row and 60 cells here; "
                    "<code>--all</code> gives every run one. ",
                    h->n, s->n);
    else
        smi_buf_str(h->g.to, "Every run has its row and its 60 cells. ");
    if (s->nstored)
        smi_buf_str(h->g.to, "There are no curves, because partial summaries hold no single "
                             "readings.</p>\n");
    else
        smi_buf_str(h->g.to, "The most wasteful runs also have curves, as many as fit into 5 MB. "
                             "<code>smilog report RUN -o run.html</code> shows the others. "
                             "<code>--samples all</code> includes every curve, whatever the size.</p>\n");
    smi_buf_str(h->g.to, "<h3>What the columns mean</h3>\n<dl>\n");
    for (int c = 0; c < SMI_RUNS_COLUMNS; c++)
        if (smi_html_column_shown(h, c))
            term(h, smi_fmt_money_head(&h->g, smi_run_table_columns[c].head), smi_run_table_columns[c].help);
    for (int f = 0; f < SMI_RUN_FIELDS; f++)
        if (smi_run_fields[f].listed)
            term(h, smi_run_fields[f].label ? smi_run_fields[f].label : smi_run_fields[f].key,
                 smi_run_fields[f].help);
    term(h, "Over time",
         "Utilisation of all its GPUs over the run's own length, in 60 cells; grey: no reading");
    term(h, "used", "GPU-hours with readings that are in no part of the waste");
    term(h, "GiB, MiB", "2^30 and 2^20 bytes");
    term(h, "-", "No reading. 0.0 is measured: nothing");
    smi_buf_str(h->g.to, "</dl>\n");
    smi_html_section_end(h);
}
