/* html_inputs.c - the last sections of a page: phases, commands, inputs and warnings, about. */
#include "report/html_sections.h"
#include "report/command_text.h"
#include "base/clock.h"
#include "base/version.h"

#include <stdlib.h>
#include <string.h>

/* ---- phases of one name over all runs. ---- */

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

/* Adds the phases of one name to those of all other names. */
static void join_phases(struct phase *rest, const struct phase *p)
{
    rest->runs = p->runs > rest->runs ? p->runs : rest->runs;
    rest->count += p->count;
    rest->samples += p->samples;
    rest->micro_s += p->micro_s;
    smi_headline_merge(&rest->block, &p->block);
    rest->energy_wh.has |= p->energy_wh.has;
    rest->energy_wh.micro += p->energy_wh.micro;
}

/* Names beyond the first NAMES are joined in the last. */
static size_t collect_phases(struct smi_html_page *h, struct phase *list)
{
    size_t n = 0, k;
    for (size_t i = 0; smi_sweep_has_run(h->g.sweep, i); i++) {
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

static void add_phase_row(struct smi_report_table *t, const struct phase *p)
{
    struct smi_text_arena *g = t->page;
    int64_t all = g->sweep->total.duration_s.has ? g->sweep->total.duration_s.micro : 0;
    const struct smi_headline_sum *vram = &p->block.pool[SMI_POOL_VRAM];
    struct smi_table_cell *row = smi_table_row(t, SMI_ROW_PLAIN);
    if (!row)
        return;
    row->raw = true;
    (row++)->text = p->name;
    (row++)->text = smi_fmt(g, "%lld", (long long)p->runs);
    (row++)->text = smi_fmt(g, "%lld", (long long)p->count);
    (row++)->text = smi_fmt_time(g, p->micro_s / 1000);
    (row++)->text = all ? smi_fmt_ratio(g, (smi_i128)p->micro_s * 100, all, 1) : "-";
    (row++)->text = smi_fmt_mean(g, &p->block, SMI_FIG_UTIL);
    (row++)->text = vram->n ? smi_fmt_gib(g, (struct smi_value){vram->max, true}) : "-";
    (row++)->text = smi_fmt_value(g, p->energy_wh, 1);
    row->text = smi_fmt(g, "%lld", (long long)p->samples);
}

/* The longest phases; the others are one row. */
static void write_phase_table(struct smi_html_page *h, const struct phase *list, size_t n)
{
    struct smi_table_column col[] = {{.head = "Phase"},
                                     {.head = "Runs", .align = SMI_RIGHT},
                                     {.head = "Times", .align = SMI_RIGHT},
                                     {.head = "Time", .align = SMI_RIGHT},
                                     {.head = "Share %", .align = SMI_RIGHT},
                                     {.head = "GPU %", .align = SMI_RIGHT},
                                     {.head = "Device VRAM GiB", .align = SMI_RIGHT},
                                     {.head = "Wh", .align = SMI_RIGHT},
                                     {.head = "Samples", .align = SMI_RIGHT}};
    size_t shown = n > SHOWN ? SHOWN - 1 : n;
    struct phase rest = {.name = smi_fmt(&h->g, "others (%zu)", n - shown)};
    struct smi_report_table t;
    smi_table_begin(&t, &h->g, col, sizeof col / sizeof *col);
    for (size_t i = 0; i < n; i++)
        if (i < shown)
            add_phase_row(&t, &list[i]);
        else
            join_phases(&rest, &list[i]);
    if (shown < n)
        add_phase_row(&t, &rest);
    smi_table_html(h, &t, true);
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

/* ---- what tracked commands were, how they ended and what they used: a row each. ---- */

enum { ROWS = 200 };

static int count_parts(const struct smi_command_use *u)
{
    int n = 0;
    for (int k = 0; k < SMI_COMMAND_PARTS; k++)
        n += u->metric[k] >= 0;
    return n;
}

/* A column a part, and of the whole of what has a mean the most, too: in two lines, for they are many. */
static void write_commands_head(struct smi_html_page *h)
{
    smi_buf_str(h->g.to, "<thead><tr><th scope=\"col\" rowspan=\"2\">Run</th><th scope=\"col\" "
                         "rowspan=\"2\">Command</th><th scope=\"col\" rowspan=\"2\">Ended</th>");
    for (int i = 0; i < SMI_COMMAND_USES; i++) {
        const struct smi_command_use *u = &smi_command_uses[i];
        if (u->brief)
            smi_html_fmt(h, "<th scope=\"colgroup\" class=\"n\" colspan=\"%d\">%s%s%s%s</th>",
                         count_parts(u) + u->mean, u->mean ? "" : "Most ", u->what, u->mean ? ", " : "",
                         u->mean ? smi_command_unit(&h->g, u, false) : "");
    }
    smi_buf_str(h->g.to, "</tr>\n<tr>");
    for (int i = 0; i < SMI_COMMAND_USES; i++)
        for (int k = 0; smi_command_uses[i].brief && k < SMI_COMMAND_PARTS; k++) {
            if (smi_command_uses[i].metric[k] >= 0)
                smi_html_fmt(h, "<th scope=\"col\" class=\"n\">%s</th>", smi_command_part_names[k]);
            if (k == 0 && smi_command_uses[i].mean)
                smi_buf_str(h->g.to, "<th scope=\"col\" class=\"n\">most</th>");
        }
    smi_buf_str(h->g.to, "</tr></thead>\n<tbody>\n");
}

/* "62.3", "250.0 MiB" */
static void write_command_cell(struct smi_html_page *h, const struct smi_summary *s,
                               const struct smi_command_use *u, int part, bool mean)
{
    const struct smi_command_figures x = smi_command_figures(s, u, (enum smi_command_part)part);
    const bool large = smi_command_in_gib(&x, u);
    const char *unit = x.there && !u->mean ? smi_command_unit(&h->g, u, large) : "";
    smi_html_fmt(h, "<td class=\"n\">%s%s%s</td>", smi_command_figure(&h->g, u, &x, mean, large),
                 *unit ? " " : "", unit);
}

static void write_command_row(struct smi_html_page *h, const struct smi_summary *s)
{
    const char *end = smi_command_end(&h->g, s);
    smi_html_write(h, "<tr><th scope=\"row\">%r</th><td>%n</td><td%s>%e</td>", s, s->command,
                   s->state == SMI_STATE_FAILED ? " class=\"bad\"" : "", *end ? end : "-");
    for (int i = 0; i < SMI_COMMAND_USES; i++) {
        const struct smi_command_use *u = &smi_command_uses[i];
        for (int k = 0; u->brief && k < SMI_COMMAND_PARTS; k++) {
            if (u->metric[k] >= 0)
                write_command_cell(h, s, u, k, u->mean);
            if (k == 0 && u->mean)
                write_command_cell(h, s, u, k, false);
        }
    }
    smi_buf_str(h->g.to, "</tr>\n");
    smi_html_forget(h);
}

void smi_html_section_commands(struct smi_html_page *h)
{
    const struct smi_sweep *s = h->g.sweep;
    size_t rows = 0;
    for (size_t i = 0; smi_sweep_has_run(s, i); i++) {
        if (!smi_command_is_tracked(&s->runs[i]) || rows++ >= ROWS)
            continue;
        if (rows == 1) {
            smi_html_section(h, "commands", "Tracked commands");
            smi_buf_str(h->g.to, "<div class=\"scroll\"><table class=\"plain\">\n");
            write_commands_head(h);
        }
        write_command_row(h, &s->runs[i]);
    }
    if (rows == 0)
        return;
    smi_buf_str(h->g.to, "</tbody>\n</table></div>\n");
    if (rows > ROWS)
        smi_html_fmt(h, "<p>%zu more are in the workbook: smilog report -o F.xlsx.</p>\n", rows - ROWS);
    smi_buf_str(
        h->g.to,
        "<p>All: the command and everything that it started. What they share counts once.</p>\n</section>\n");
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
    smi_html_fmt(h, "<p>%lld run%s without GPU data: ", (long long)s->total.no_data,
                 s->total.no_data == 1 ? "" : "s");
    for (size_t i = 0; smi_sweep_has_run(s, i); i++) {
        if (s->runs[i].state != SMI_STATE_NO_DATA || n++ >= LISTED)
            continue;
        smi_html_write(h, n > 1 ? ", %r" : "%r", &s->runs[i]);
    }
    smi_html_fmt(h, n > LISTED ? " and %zu more</p>\n" : "</p>\n", n - LISTED);
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
        smi_html_fmt(h, "<h3>%s</h3>\n<ul>\n", title);
    for (size_t i = 0; i < n; i++) {
        smi_html_write(h, "<li>%n", list[i].text);
        if (list[i].n == 1 && h->g.sweep->n > 1)
            smi_html_write(h, ": %r", list[i].first);
        else if (h->g.sweep->n > 1)
            smi_html_write(h, ": %z runs", list[i].n);
        smi_buf_str(h->g.to, "</li>\n");
    }
    if (all->left)
        smi_html_fmt(h, "<li>%zu more, in other words: smilog summarize -v</li>\n", all->left);
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
    put_said(h, &problem, "To be known");
}

/* "2 bad_time, 1 torn_tail" */
static const char *rejected_reasons(struct smi_text_arena *g, const struct smi_account *a)
{
    const char *t = "";
    for (int i = 0; i < SMI_REJECT_COUNT; i++)
        if (a->rejected[i] > 0)
            t = smi_fmt(g, "%s%s%lld %s", t, *t ? ", " : "", (long long)a->rejected[i], smi_reject_names[i]);
    return *t ? t : "-";
}

static bool input_is_doubtful(const struct smi_input *in)
{
    bool odd = in->gaps > 0 || in->account.problems > 0;
    for (int i = 0; i < SMI_REJECT_COUNT; i++)
        odd |= in->account.rejected[i] > 0;
    return odd;
}

static void add_input_row(struct smi_html_page *h, struct smi_report_table *t, const struct smi_summary *s,
                          const struct smi_input *in)
{
    const struct smi_account *a = &in->account;
    struct smi_table_cell *row = smi_table_row(t, SMI_ROW_PLAIN);
    if (!row)
        return;
    (row++)->run = s;
    row->raw = true;
    (row++)->text = in->path;
    (row++)->text = in->format;
    (row++)->text = smi_fmt(&h->g, "%lld", (long long)a->lines);
    (row++)->text = smi_fmt(&h->g, "%lld", (long long)a->rows);
    (row++)->text = rejected_reasons(&h->g, a);
    (row++)->text = smi_fmt(&h->g, "%lld", (long long)in->gaps);
    (row++)->text = smi_fmt_value(&h->g, in->interval_s, 1);
    if (!a->problems)
        return;
    row->text =
        smi_fmt_middle(&h->g, smi_fmt_safe(&h->g, a->problem[0].text), SMI_HTML_TEXT, SMI_HTML_TEXT / 2);
    if (a->problem[0].line > 0)
        row->text = smi_fmt(&h->g, "line %lld: %s", (long long)a->problem[0].line, row->text);
}

static void input_table(struct smi_html_page *h)
{
    struct smi_table_column col[] = {{.head = "Run"},
                                     {.head = "File"},
                                     {.head = "Format"},
                                     {.head = "Lines", .align = SMI_RIGHT},
                                     {.head = "Rows", .align = SMI_RIGHT},
                                     {.head = "Rejected"},
                                     {.head = "Gaps", .align = SMI_RIGHT},
                                     {.head = "Every s", .align = SMI_RIGHT},
                                     {.head = "First oddity"}};
    struct smi_report_table t;
    size_t all = 0, odd = 0;
    smi_table_begin(&t, &h->g, col, sizeof col / sizeof *col);
    for (size_t i = 0; smi_sweep_has_run(h->g.sweep, i); i++)
        for (size_t k = 0; k < h->g.sweep->runs[i].ninputs; k++, all++)
            if (input_is_doubtful(&h->g.sweep->runs[i].inputs[k]) && odd++ < INPUTS)
                add_input_row(h, &t, &h->g.sweep->runs[i], &h->g.sweep->runs[i].inputs[k]);
    if (odd)
        smi_buf_str(h->g.to, "<h3>Inputs with rejected rows, gaps or oddities</h3>\n");
    if (odd)
        smi_table_html(h, &t, false);
    else
        smi_table_free(&t);
    if (odd > INPUTS)
        smi_html_fmt(h, "<p>%zu more such inputs: smilog summarize -v</p>\n", odd - INPUTS);
    smi_html_fmt(h, "<p>%zu input%s read, %zu of them without anything to remark.</p>\n", all,
                 all == 1 ? "" : "s", all - odd);
}

static void write_unusable_files(struct smi_html_page *h)
{
    const struct smi_sweep *s = h->g.sweep;
    if (s->ntrouble)
        smi_buf_str(h->g.to, "<h3>Not usable</h3>\n<ul>\n");
    for (size_t i = 0; i < s->ntrouble && i < LISTED; i++)
        smi_html_write(h, "<li>%n: %n</li>\n", s->trouble[i].path, s->trouble[i].text);
    if (s->ntrouble > LISTED)
        smi_html_fmt(h, "<li>%zu more</li>\n", s->ntrouble - LISTED);
    smi_buf_str(h->g.to, s->ntrouble ? "</ul>\n" : "");
}

void smi_html_section_doubts(struct smi_html_page *h)
{
    const char *t = smi_warnings_text(&h->g, plain_name);
    smi_html_section(h, "doubts", "Inputs and doubts");
    smi_html_write(h, "<p>%e</p>\n",
                   *t ? smi_fmt(&h->g, "Doubts: %s.", t)
                      : "No doubts: every line of every input was understood.");
    without_data(h);
    clocks_and_problems(h);
    input_table(h);
    write_unusable_files(h);
    smi_buf_str(h->g.to, "</section>\n");
    smi_html_forget(h);
}

/* ---- what the page is, how it was made, and what its words mean. ---- */

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
