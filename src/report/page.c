/* page.c - the page: its text, overview, inputs and frame */
#include "base/version.h"
#include "report/html.h"
#include "report/output.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* how text gets into a page: safe first (no control, bidi or broken bytes), then escaped for
 * where it stands.
 */

/* Copies s, each byte of `which` as its escape. */
static void append_escaped(struct smi_buf *to, const char *s, const char *which, const char *const *as)
{
    for (size_t n; *s; s += n) {
        n = strcspn(s, which);
        smi_buf_add(to, s, n);
        if (s[n])
            smi_buf_str(to, as[strchr(which, s[n++]) - which]);
    }
}

void smi_html_escape(struct smi_buf *to, const char *text, bool json)
{
    static const char *const as[][5] = {{"&lt;", "&gt;", "&amp;", "&quot;", "&#39;"},
                                        {"\\u003c", "\\u003e", "\\u0026"}};
    append_escaped(to, text, json ? "<>&" : "<>&\"'", as[json]);
}

/* Text that is safe already, as the mark-up sees it. */
static void add_text(struct smi_html_page *h, const char *safe)
{
    smi_html_escape(h->g.to, safe, false);
}

/* U+2028 and U+2029 are hidden characters: safe text has none. No mark-up is read where this stands, so a '
 * is one. */
static void add_json(struct smi_html_page *h, const char *safe)
{
    static const char *const as[] = {"\\u003c", "\\u003e", "\\u0026", "\\\"", "\\\\", "\\n"};
    smi_buf_char(h->g.to, '"');
    append_escaped(h->g.to, safe, "<>&\"\\\n", as);
    smi_buf_char(h->g.to, '"');
}

static const char *plain_name(struct smi_text_arena *g, const char *name)
{
    return smi_fmt_middle(g, smi_fmt_safe(g, name), SMI_HTML_TEXT, SMI_HTML_TEXT / 2);
}

void smi_html_labels(struct smi_html_page *h)
{
    const struct smi_sweep *s = h->g.sweep;
    h->label = smi_arena_new(&h->arena, s->n + 1, sizeof *h->label);
    for (size_t i = 0; smi_sweep_has_run(s, i); i++) {
        h->label[i] = smi_fmt_run(&h->g, s->runs[i].run);
        h->label[i] = *h->label[i] ? h->label[i] : "-";
    }
    smi_names_shorten(&h->g, h->label, s->n, SMI_HTML_TEXT);
    for (size_t i = 0; smi_sweep_has_run(s, i); i++)
        h->label[i] = smi_arena_text(&h->arena, h->label[i], strlen(h->label[i]));
    smi_arena_reset(&h->g.arena);
}

/* A link to the run's part of this page; its name alone, if it has no row. */
static void add_link(struct smi_html_page *h, const struct smi_summary *s)
{
    const size_t at = (size_t)(s - h->g.sweep->runs);
    const char *name = h->label[at];
    if (h->row[at] == h->n) {
        add_text(h, name);
        return;
    }
    smi_buf_str(h->g.to, "<a href=\"#run=");
    smi_buf_percent(h->g.to, smi_text_of(name),
                    "!*()"); /* as encodeURIComponent: the address bar has the same */
    smi_html_write(h, "\">%e</a>", name);
}

void smi_html_write(struct smi_html_page *h, const char *fmt, ...)
{
    va_list ap;
    int64_t v;
    va_start(ap, fmt);
    for (size_t n; *fmt; fmt++) {
        n = strcspn(fmt, "%");
        smi_buf_add(h->g.to, fmt, n);
        fmt += n;
        if (!*fmt++)
            break;
        if (*fmt == 's')
            smi_buf_str(h->g.to, va_arg(ap, const char *));
        else if (*fmt == 'e')
            add_text(h, va_arg(ap, const char *));
        else if (*fmt == 'n')
            add_text(h, plain_name(&h->g, va_arg(ap, const char *)));
        else if (*fmt == 'j')
            add_json(h, va_arg(ap, const char *));
        else if (*fmt == 'J')
            add_json(h, plain_name(&h->g, va_arg(ap, const char *)));
        else if (*fmt == 'r')
            add_link(h, va_arg(ap, const struct smi_summary *));
        else if (*fmt == 'd')
            smi_buf_fmt(h->g.to, "%lld", va_arg(ap, long long));
        else if (*fmt == 't') {
            v = va_arg(ap, int64_t);
            smi_buf_fmt(h->g.to, v % 10 ? "%lld.%d" : "%lld", (long long)(v / 10), (int)(v % 10));
        } else if (*fmt == 'z')
            smi_buf_fmt(h->g.to, "%zu", va_arg(ap, size_t));
        else
            smi_buf_char(h->g.to, *fmt);
    }
    va_end(ap);
}

/* Begins a section with its title. */
static void begin_section(struct smi_html_page *h, const char *id, const char *title)
{
    smi_html_write(h, "<section id=\"%s\" aria-labelledby=\"%s-title\">\n<h2 id=\"%s-title\">%s</h2>\n", id,
                   id, id, title);
}

/* Ends it, and frees the texts made for it. */
static void end_section(struct smi_html_page *h)
{
    smi_buf_str(h->g.to, "</section>\n");
    smi_arena_reset(&h->g.arena);
}

/* Writes a table into the page. The first cell of a row says what the row is about. */
static void write_table(struct smi_html_page *h, struct smi_report_table *t)
{
    static const char *const part[] = {[SMI_ROW_PLAIN] = "tbody",
                                       [SMI_ROW_HEAD] = "thead",
                                       [SMI_ROW_TOTAL] = "tfoot",
                                       [SMI_ROW_RULED] = "tfoot"};
    const char *open = NULL;
    smi_buf_str(h->g.to, "<div class=\"scroll\"><table class=\"plain\">\n");
    for (size_t r = 0; r < t->rows; r++) {
        const struct smi_table_cell *row = t->row[r];
        if (open && open != part[row->kind])
            smi_html_write(h, "</%s>\n", open);
        if (open != part[row->kind])
            smi_html_write(h, "<%s>\n", part[row->kind]);
        open = part[row->kind];
        /* Tags of a head, of the first cell of a row, which says what the row is about, and of all others. */
        smi_html_write(h, !row->coloured ? "<tr>" : "<tr class=\"w-%s\">",
                       row->coloured && strcmp(row->text, "not known") == 0 ? "unknown" : row->text);
        for (int i = 0; i < t->columns; i++) {
            const struct smi_table_column *col = &t->col[i];
            const char *number = col->align == SMI_LEFT ? "" : "n",
                       *mood = row[i].style == SMI_RED                     ? "bad"
                               : row[i].style == SMI_YELLOW || row[i].mark ? "odd"
                                                                           : "";
            const char *class = smi_fmt(&h->g, *number && *mood ? "%s %s" : "%s%s", number, mood);
            const bool head = row->kind == SMI_ROW_HEAD;
            struct smi_table_cell cell = row[i];
            const int most = cell.words == SMI_WORDS_MIXED ? 4 * SMI_HTML_TEXT : SMI_HTML_TEXT;
            if (col->hidden)
                continue;
            if (head && col->long_head)
                cell.text = col->long_head;
            smi_buf_str(h->g.to, head ? "<th scope=\"col\"" : i == 0 ? "<th scope=\"row\"" : "<td");
            smi_buf_fmt(h->g.to, *class ? " class=\"%s\">" : "%s>", class);
            smi_buf_str(h->g.to, i == 0 && row->coloured ? "<span class=\"key\"></span>" : "");
            if (cell.words == SMI_WORDS_RUN)
                add_link(h, cell.run);
            else if (cell.words == SMI_WORDS_OURS)
                add_text(h, cell.text ? cell.text : "");
            else
                add_text(h, smi_fmt_middle(&h->g, smi_fmt_safe(&h->g, cell.text), most, most / 2));
            smi_buf_str(h->g.to, head || i == 0 ? "</th>" : "</td>");
        }
        smi_buf_str(h->g.to, "</tr>\n");
    }
    smi_html_write(h, "</%s>\n</table></div>\n", open ? open : "tbody");
}

/* What a terminal of this width shows of a run with -v; without a run the lines above the table. It lives
 * until the arena of h->g is emptied. */
static const char *as_text(struct smi_html_page *h, int width, const struct smi_summary *run)
{
    struct smi_render_options look = *h->g.look;
    struct smi_buf to = {0};
    struct smi_text_arena g = {.to = &to, .sweep = h->g.sweep, .look = &look};
    look.width = width;
    look.height = 0;
    look.color = false;
    look.utf8 = look.all = look.verbose = true;
    if (run)
        smi_text_run(&g, run, true);
    else
        smi_text_head(&g, smi_fmt_safe);
    smi_arena_fini(&g.arena);
    return smi_buf_keep(&to, &h->g.arena);
}

/* Whether pages have the column, an smi_run_table_id; some need a price. */
static bool column_is_shown(const struct smi_html_page *h, int column)
{
    return smi_run_table_columns[column].key && (column != SMI_RUNS_WASTED_COST || h->g.look->money);
}

/* What stands around the three assets behind the last run. */
static const char *const around[] = {"<!--\ndygraphs, which draws the charts:\n\n", "-->\n<script>",
                                     "</script>\n<script>", "</script>\n</body>\n</html>\n"};

/* Bytes that the page may still grow by before that; SIZE_MAX with --samples all. */
static size_t bytes_left(const struct smi_html_page *h)
{
    size_t most = SMI_HTML_BYTES - smi_asset_charts_n - smi_asset_script_n - smi_asset_licence_n;
    for (int i = 0; i < 4; i++)
        most -= strlen(around[i]);
    if (h->g.look->samples == SMI_SAMPLES_ALL)
        return SIZE_MAX;
    return h->g.to->n < most ? most - h->g.to->n : 0;
}

/* ---- the last sections of a page: phases, commands, inputs and warnings, about ---- */

static void write_phases_and_commands(struct smi_html_page *h)
{
    enum { ROWS = 200 };
    struct smi_report_table t;
    size_t n;
    if (smi_phase_table(&t, &h->g, h->g.sweep->runs, h->g.sweep->n)) {
        begin_section(h, "phases", h->g.sweep->n == 1 ? "Phases" : "Phases over all runs");
        write_table(h, &t);
        end_section(h);
    }
    n = smi_commands_table(&t, &h->g, ROWS);
    if (n == 0)
        return;
    begin_section(h, "commands", "Tracked commands");
    write_table(h, &t);
    if (n > ROWS)
        smi_buf_fmt(h->g.to, "<p>%zu more are in the workbook: smilog report -o F.xlsx.</p>\n", n - ROWS);
    smi_buf_str(h->g.to, "<p>Of the command and everything that it started, together.</p>\n");
    end_section(h);
}

/* ---- what of the inputs is doubtful. ---- */

enum { LISTED = 60, INPUTS = 100 };

/* What is said of runs: the first LISTED texts, behind them all others. */
struct said {
    const char *kind, *text;
    size_t n;
    const struct smi_summary *first; /* or NULL: it is said of a file */
};

struct all_said {
    struct said of[LISTED + 1];
    size_t n;
};

static void count_sentence(struct all_said *all, const char *kind, const char *text,
                           const struct smi_summary *s)
{
    size_t i = 0;
    while (i < all->n && i < LISTED &&
           (strcmp(all->of[i].kind, kind) != 0 || strcmp(all->of[i].text, text) != 0))
        i++;
    if (i == all->n)
        all->of[all->n++] = i < LISTED ? (struct said){kind, text, 0, s}
                                       : (struct said){"more", "in other words: smilog summarize -v", 0, s};
    all->of[i].n++;
}

/* Files that are not usable, runs without GPU data, time bases, notes: a row for each text. */
static void write_said(struct smi_html_page *h)
{
    const struct smi_sweep *s = h->g.sweep;
    struct all_said all = {.n = 0};
    struct smi_report_table t;
    for (size_t i = 0; i < s->trouble.n; i++)
        count_sentence(
            &all, "not usable",
            smi_fmt(&h->g, "%s: %s", smi_fmt_safe(&h->g, s->trouble.list[i].path), s->trouble.list[i].text),
            NULL);
    for (size_t i = 0; smi_sweep_has_run(s, i); i++)
        if (!smi_run_has_gpu_data(&s->runs[i]))
            count_sentence(&all, "no GPU data", smi_run_no_data_reason(&s->runs[i]), &s->runs[i]);
    for (size_t i = 0; smi_sweep_has_run(s, i); i++)
        count_sentence(&all, "time base", s->runs[i].time_base ? s->runs[i].time_base : "no times",
                       &s->runs[i]);
    for (size_t i = 0; smi_sweep_has_run(s, i); i++)
        for (size_t k = 0; k < s->runs[i].nproblems; k++)
            count_sentence(&all, "note", s->runs[i].problems[k], &s->runs[i]);
    smi_table_begin(&t, &h->g, NULL, 0);
    for (const struct said *p = all.of; p < all.of + all.n; p++) {
        smi_table_row(&t, SMI_ROW_PLAIN);
        SMI_CELL(&t, p->kind, .head = "Kind");
        SMI_CELL(&t, p->text, .head = "What", .words = SMI_WORDS_MIXED);
        SMI_NUMBER(&t, smi_fmt_int(&h->g, (int64_t)p->n), .head = "Times", .hidden = s->n < 2);
        smi_table_name_run(SMI_CELL(&t, "", .head = "First in", .hidden = s->n < 2), p->first);
    }
    if (all.n)
        write_table(h, &t);
}

static void write_warnings(struct smi_html_page *h)
{
    const struct smi_sweep *s = h->g.sweep;
    const char *t = smi_warnings_text(&h->g, plain_name);
    struct smi_report_table table;
    size_t all = 0, odd;
    begin_section(h, "warnings", "Inputs and warnings");
    smi_html_write(h, "<p>%e</p>\n",
                   *t ? smi_fmt(&h->g, "Warnings: %s.", t)
                      : "No warnings: smilog understood every line of every input.");
    write_said(h);
    odd = smi_input_table(&table, &h->g, s->runs, s->n, INPUTS);
    for (size_t i = 0; smi_sweep_has_run(s, i); i++)
        all += s->runs[i].ninputs;
    if (odd) {
        smi_buf_str(h->g.to, "<h3>Inputs with rejected rows, gaps or oddities</h3>\n");
        write_table(h, &table);
    }
    if (odd > INPUTS)
        smi_buf_fmt(h->g.to, "<p>%zu more such inputs: smilog summarize -v</p>\n", odd - INPUTS);
    smi_buf_fmt(h->g.to, "<p>%s read, %zu of them without anything to remark.</p>\n",
                smi_fmt_count(&h->g, (int64_t)all, "input"), all - odd);
    end_section(h);
}

/* ---- what the page is, how it was made, and what its words mean. ---- */

static void term(struct smi_html_page *h, const char *name, const char *help)
{
    smi_html_write(h, "<dt>%e</dt><dd>%e</dd>\n", name, help);
}

static void write_about(struct smi_html_page *h)
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
    if (h->g.look->command)
        add_text(h, smi_fmt_safe(&h->g, h->g.look->command));
    else
        smi_html_write(h, "smilog report%e %n -o page.html",
                       smi_fmt_safe(&h->g, h->g.look->given ? h->g.look->given : ""),
                       s->paths == 1 && s->title ? s->title : "PATH...");
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
        if (column_is_shown(h, c))
            term(h, smi_fmt_money_head(&h->g, smi_run_table_columns[c].head), smi_run_table_columns[c].help);
    term(h, "Over time",
         "Utilisation of all its GPUs over the run's own length, in 60 cells; grey: no reading");
    term(h, "used", "GPU-hours with readings that are in no part of the waste");
    term(h, "GiB, MiB", "2^30 and 2^20 bytes");
    term(h, "-", "No reading. 0.0 is measured: nothing");
    smi_buf_str(h->g.to, "</dl>\n");
    end_section(h);
}

/* the first sections of a page: headline, waste, findings, runs.
 */

/* ---- what the eye meets: title, five figures, one sentence, and where the GPU-hours went. ---- */

/* --- 1: the head --- */

static const char *wasted_percent(struct smi_text_arena *g)
{
    const struct smi_total *t = &g->sweep->total;
    int64_t wasted = smi_wasted_ms(&t->waste);
    return wasted > 0 && wasted * 2000 <= t->covered_ms
               ? "<0.1" /* 0.0 would say: nothing */
               : smi_fmt_ratio(g, (smi_i128)wasted * 100, t->covered_ms, 1);
}

static bool waste_is_known(const struct smi_total *t)
{
    return smi_waste_known(t->wasted_h[5], t->idle_pct, &t->waste);
}

/* ", but all 8 GPUs fully used at little power ...": the worst finding of all runs, from warn on; or "". */
static const char *but_worst_finding(struct smi_text_arena *g)
{
    const struct smi_sweep *s = g->sweep;
    const struct smi_finding *worst = NULL;
    const char *in = "";
    for (size_t i = 0; smi_sweep_has_run(s, i); i++) {
        const struct smi_finding *f = smi_findings_worst(&s->runs[i], SMI_LEVEL_WARN);
        if (!f ||
            (worst && (f->level < worst->level || (f->level == worst->level && f->gpu_ms <= worst->gpu_ms))))
            continue;
        worst = f;
        in = s->n > 1 ? smi_fmt(g, " in %s", smi_fmt_run(g, s->runs[i].run)) : "";
    }
    return worst ? smi_fmt(g, ", but%s %s", in, worst->text) : "";
}

const char *smi_waste_sentence(struct smi_text_arena *g)
{
    const struct smi_sweep *s = g->sweep;
    struct smi_waste_cause cause[5];
    size_t n = smi_waste_causes(g, s->runs, s->n, cause);
    int64_t all = smi_wasted_ms(&s->total.waste);
    const char *hours = smi_fmt_hours(g, s->total.covered_ms), *unknown, *where = "";
    if (s->emptied)
        return smi_fmt(g, "%s leaves none of %zu runs.", smi_fmt_safe(g, s->emptied), s->all);
    if (s->n > 1 && s->total.no_data == (int64_t)s->n)
        return smi_fmt(g, "None of the %zu runs has GPU data.", s->n);
    if (!s->total.gpu_hours.has)
        return "No log here says for how long a GPU was used.";
    if (!waste_is_known(&s->total))
        return smi_fmt(g, "%s GPU-hours. Waste is unknown, because the logs have no readings of GPU use.",
                       hours);
    unknown = smi_unknown_hours_text(g, &s->total);
    if (n == 0)
        return smi_fmt(g, "None of %s GPU-hours was wasted%s%s.", hours, but_worst_finding(g), unknown);
    if (all < 60000)
        return smi_fmt(g, "Less than a minute of %s GPU-hours was wasted%s%s.", hours, but_worst_finding(g),
                       unknown);
    if (all < s->total.covered_ms / 50) /* 2 %: work that begins and ends */
        return smi_fmt(g, "All but %s %% of %s GPU-hours were used%s%s.", wasted_percent(g), hours,
                       but_worst_finding(g), unknown);
    if (cause->where || s->n > 1)
        where = smi_fmt(g, " in %s", cause->where ? cause->where : smi_fmt_run(g, cause->run[0]->run));
    return smi_fmt(g, "%s %% of %s GPU-hours were wasted, %s%s: %s%s.", wasted_percent(g), hours,
                   n == 1                ? "all of it"
                   : cause->ms * 2 > all ? "mostly"
                                         : "the largest part",
                   where, cause->why, unknown);
}

/* What such a sum lacks, behind what else there is to say below it. */
static const char *with_missing_text(struct smi_text_arena *g, const char *text, const char *lack)
{
    if (!lack)
        return text;
    return *text ? smi_fmt(g, "%s; %s", text, lack) : lack;
}

void smi_sweep_figures_make(struct smi_text_arena *g, struct smi_sweep_figure f[SMI_SWEEP_FIGURES])
{
    const struct smi_total *t = &g->sweep->total;
    const int64_t wasted = smi_wasted_ms(&t->waste);
    const bool known = waste_is_known(t);
    const char *idle = smi_idle_memory_text(g);
    f[0] = (struct smi_sweep_figure){g->sweep->n == 1 ? "run" : "runs", smi_fmt(g, "%zu", g->sweep->n),
                                     smi_ended_early_text(g, false)};
    f[1] = (struct smi_sweep_figure){
        "GPU-hours", t->gpu_hours.has ? smi_fmt_hours(g, t->covered_ms) : "-",
        t->overlap_ms >= SMI_OVERLAP_LEAST_MS
            ? smi_fmt(g, "%s more are in several runs", smi_fmt_hours(g, t->overlap_ms))
        : t->block.pool[SMI_POOL_UTIL].n ? smi_fmt(g, "GPU %s %%", smi_fmt_mean(g, &t->block, SMI_FIG_UTIL))
                                         : ""};
    f[2] = (struct smi_sweep_figure){
        "GPU-hours wasted", known ? smi_fmt_hours(g, wasted) : "-",
        known && t->covered_ms ? smi_fmt(g, "%s %% of all%s%s", wasted_percent(g), *idle ? "; " : "", idle)
                               : ""};
    f[3] = (struct smi_sweep_figure){
        "energy", smi_fmt_energy(g, t->energy_wh),
        with_missing_text(g,
                          g->look->co2 && t->co2_g.has ? smi_fmt(g, "%s CO2", smi_fmt_co2(g, t->co2_g)) : "",
                          smi_total_energy_lack(g, t))};
    if (g->look->money)
        f[4] = (struct smi_sweep_figure){
            "cost", smi_fmt_money(g, t->cost),
            with_missing_text(
                g, t->wasted_cost[5].has ? smi_fmt(g, "%s wasted", smi_fmt_money(g, t->wasted_cost[5])) : "",
                smi_total_missing_text(g, t, t->of.cost))};
    else
        f[4] = (struct smi_sweep_figure){
            "run time", smi_fmt_duration(g, t->duration_s),
            t->idle_pct.has ? smi_fmt(g, "%s %% of the GPU time idle", smi_fmt_value(g, t->idle_pct, 1))
                            : ""};
}

static void write_head(struct smi_html_page *h)
{
    const char *lines, *end;
    smi_html_write(h, "<header id=\"top\">\n<h1>%n</h1>\n<p class=\"sentence\">%e</p>\n",
                   h->g.sweep->title ? h->g.sweep->title : ".", smi_waste_sentence(&h->g));
    struct smi_sweep_figure figure[SMI_SWEEP_FIGURES];
    smi_sweep_figures_make(&h->g, figure);
    smi_buf_str(h->g.to, "<div class=\"figures\">\n");
    for (const struct smi_sweep_figure *f = figure; f < figure + SMI_SWEEP_FIGURES; f++) {
        smi_html_write(h, "<div class=\"figure\"><b>%e</b><span>%s</span>", f->text, f->label);
        smi_html_write(h, *f->more ? "<i>%s</i></div>\n" : "</div>\n", f->more);
    }
    smi_buf_str(h->g.to, "</div>\n");
    for (lines = as_text(h, 10000, NULL); *lines; lines = end + (*end != 0)) {
        end = lines + strcspn(lines, "\n");
        if (end > lines)
            smi_html_write(h, "<p class=\"source\">%e</p>\n",
                           smi_fmt(&h->g, "%.*s", (int)(end - lines), lines));
    }
    smi_html_write(h, "<p class=\"source\">%e</p>\n</header>\n", smi_quality_text(&h->g));
    smi_arena_reset(&h->g.arena);
}

/* ---- the table of runs as it stands in the page: what is seen on paper and without scripts. ---- */

enum { ROWS = 500 /* of the table that stands in the page itself */ };

static void write_runs(struct smi_html_page *h)
{
    const struct smi_summary **run = smi_runs_in_order(&h->g, &h->g.arena, false);
    bool some = h->g.sweep->n > ROWS;
    size_t n = some ? ROWS : h->g.sweep->n, left;
    struct smi_report_table t;
    if (h->g.sweep->n == 1) { /* a table of one row says little: on paper the run has all its numbers */
        smi_html_write(
            h,
            "<section id=\"runs\" class=\"paper\">\n<h2>The run</h2>\n<div class=\"live js\"></div>\n"
            "<pre class=\"command\">%e</pre>\n</section>\n",
            as_text(h, 96, h->worst[0]));
        smi_arena_reset(&h->g.arena);
        return;
    }
    begin_section(h, "runs", "Runs");
    smi_buf_str(h->g.to, "<div class=\"live js\"></div>\n<div class=\"paper\">\n");
    smi_runs_table(&t, &h->g, some ? h->worst : run, n, true, &left);
    write_table(h, &t);
    if (some)
        smi_buf_fmt(h->g.to,
                    "<p>The %zu runs that wasted most; %zu more are seen with scripts, and all %zu are in "
                    "-o runs.csv.</p>\n",
                    n, h->n > n ? h->n - n : 0, h->g.sweep->n);
    smi_buf_str(h->g.to, "</div>\n");
    end_section(h);
}

/* ---- the data of the page, of one run and of all ---- */

/* ---- the data of single runs that the scripts of a page show: text, findings, curves ---- */

/* ---- the curves of one run for its charts, as whole numbers: {"from": ms, "cell": ms,
 * "n": 512, "begin": ms, "end": ms, "charts": [{"key": "use", "title": "GPU use", "unit": "%", "div": 10,
 * "top": 100, "lines": [{"name": "GPU 0", "gpu": 0, "mean": [..], "min": [..], "max": [..]}], "limits":
 * [{"name": "..", "y": 80}]}], "phases": [["fit", from, to]], "events": [["eval", at]], "bands":
 * [["rule", from, to, "text"]], "left": "and findings of 2 more rules"}, on the clock of the GPU logs. ----
 */

enum {
    MARKS = 400 /* phases, events */,
    BYTES = 5 /* of a cell of a curve, at the least */
};

static void append_values(struct smi_html_page *h, const char *key, const int64_t *v, size_t n, int64_t step)
{
    char t[SMI_I128_TEXT];
    smi_buf_fmt(h->g.to, ",\"%s\":[", key);
    for (size_t i = 0; i < n; i++) {
        if (i)
            smi_buf_char(h->g.to, ',');
        if (v[i] == SMI_NO_POINT)
            smi_buf_str(h->g.to, "null");
        else
            smi_buf_add(h->g.to, t, smi_i128_write(t, (v[i] + (v[i] < 0 ? -step : step) / 2) / step));
    }
    smi_buf_char(h->g.to, ']');
}

static void append_curve(struct smi_html_page *h, const struct smi_summary *s, const struct smi_curve *c,
                         int chart, bool first)
{
    const size_t n = s->timeline->n;
    const int64_t step = smi_charts[chart].step;
    bool band = false; /* not with one reading a cell */
    for (size_t i = 0; i < n && !band; i++)
        band = c->mean[i] != SMI_NO_POINT && (c->max[i] - c->min[i]) / step > 0;
    smi_html_write(h, "%s{\"gpu\":%d,\"name\":%j", first ? "" : ",\n", (long long)c->gpu,
                   smi_curve_name(&h->g, s, c));
    append_values(h, "mean", c->mean, n, step);
    if (band) {
        append_values(h, "min", c->min, n, step);
        append_values(h, "max", c->max, n, step);
    }
    smi_buf_char(h->g.to, '}');
}

static void append_chart(struct smi_html_page *h, const struct smi_summary *s, int id, bool *some)
{
    const struct smi_timeline *t = s->timeline;
    const struct smi_chart *c = &smi_charts[id];
    struct smi_chart_limit limit[2];
    bool first = true;
    for (size_t i = 0; i < t->ncurves; i++) {
        if (!smi_chart_has_curve(id, &t->curve[i]))
            continue;
        if (first)
            smi_buf_fmt(h->g.to,
                        "%s{\"key\":\"%s\",\"title\":\"%s\",\"unit\":\"%s\",\"div\":%d,"
                        "\"top\":%d,\"lines\":[",
                        *some ? ",\n" : "", c->key, smi_chart_title(&h->g, id, s), c->unit, c->div, c->top);
        append_curve(h, s, &t->curve[i], id, first);
        first = false;
    }
    if (first)
        return;
    smi_buf_str(h->g.to, "],\"limits\":[");
    for (size_t i = 0, n = smi_chart_limits(&h->g, id, s, limit); i < n; i++) {
        char y[SMI_MICRO_TEXT];
        smi_text_write_fixed(y, limit[i].micro, 2);
        smi_html_write(h, "%s{\"name\":%j,\"y\":%s}", i ? "," : "", limit[i].name, y);
    }
    smi_buf_str(h->g.to, "]}");
    *some = true;
}

/* As many as have room, if each had all curves of the run with most GPUs. */
size_t smi_html_data_timelines(const struct smi_sweep *s, const struct smi_render_options *look,
                               size_t *points)
{
    const size_t rows = 320 * s->n,
                 used = 700000; /* bytes of a row in both tables; of what is the same in every page */
    const size_t room = rows + used < SMI_HTML_BYTES ? SMI_HTML_BYTES - rows - used : 0;
    size_t gpus = 0;
    if (look->samples == SMI_SAMPLES_ALL || !s->n)
        return s->n;
    if (s->n > 40)
        *points /= 2;
    for (size_t i = 0; smi_sweep_has_run(s, i); i++)
        gpus = s->runs[i].ngpus > gpus ? s->runs[i].ngpus : gpus;
    return room / (*points * (1 + gpus * (SMI_CHARTS - 1)) * BYTES);
}

/* ---- what is known of single runs, an element each, most waste first, as far as there is room: {"text":
 * what summarize -v says, "findings": [...], "time": the curves}. ---- */

enum {
    WIDTH = 118,
    TYPICAL = 3500 /* bytes of a run without curves */,
    LONGEST = 40000 /* bytes of the text of a run */
};

/* Returns whether it had room, its curves with `kept` bytes left for others. */
static bool append_run_element(struct smi_html_page *h, const struct smi_summary *s, size_t kept)
{
    size_t before = h->g.to->n, row = h->row[s - h->g.sweep->runs], bare, n;
    struct smi_advice *list;
    const char *all;
    if (row == h->n)
        return true;
    smi_buf_fmt(h->g.to, "<script type=\"application/json\" id=\"r%zu\">", row);
    all = as_text(h, WIDTH, s);
    smi_html_write(h, "{\"text\":%j",
                   strlen(all) < LONGEST ? all : smi_fmt_middle(&h->g, all, LONGEST, LONGEST - 100));
    n = smi_advice_list(&h->g, s, 1, &list);
    smi_buf_str(h->g.to, ",\n\"findings\":[");
    for (size_t i = 0; i < n; i++) {
        const struct smi_finding *f = smi_advice_words(&list[i]);
        smi_html_write(h, "%s{\"l\":\"%s\",\"r\":\"%s\",\"h\":%j,\"t\":%J,\"a\":%J}", i ? ",\n" : "",
                       smi_level_names[list[i].level], smi_rules[f->rule].key,
                       list[i].ms ? smi_fmt_hours(&h->g, list[i].ms) : "-", smi_advice_text(&h->g, &list[i]),
                       f->advice ? f->advice : "");
    }
    smi_buf_char(h->g.to, ']');
    bare = h->g.to->n;
    const struct smi_timeline *t = s->timeline;
    bool some = false;
    if (t && t->n) {
        smi_buf_fmt(
            h->g.to,
            ",\n\"time\":{\"from\":%lld,\"cell\":%lld,\"n\":%zu,\"begin\":%lld,\"end\":%lld,\"charts\":[",
            (long long)smi_chart_local_ms(s, t->from_ms), (long long)t->cell_ms, t->n,
            (long long)smi_chart_local_ms(s, t->begin_ms), (long long)smi_chart_local_ms(s, t->end_ms));
        for (int id = 0; id < SMI_CHARTS; id++)
            append_chart(h, s, id, &some);
        smi_buf_str(h->g.to, "],\n\"phases\":[");
        for (size_t i = 0; i < t->nphases && i < MARKS; i++)
            smi_html_write(h, i ? ",[%J,%d,%d]" : "[%J,%d,%d]", t->phase[i].name,
                           (long long)smi_chart_local_ms(s, t->phase[i].from_ms),
                           (long long)smi_chart_local_ms(s, t->phase[i].to_ms));
        smi_buf_str(h->g.to, "],\n\"events\":[");
        for (size_t i = 0; i < t->nevents && i < MARKS; i++)
            smi_html_write(h, i ? ",[%J,%d]" : "[%J,%d]", t->event[i].name,
                           (long long)smi_chart_local_ms(s, t->event[i].from_ms));
        smi_buf_str(h->g.to, "],\n\"bands\":[");
        struct smi_chart_band *band;
        const char *left;
        const size_t bands = smi_chart_bands(&h->g, s, &band, &left);
        for (size_t i = 0; i < bands; i++)
            smi_html_write(h, i ? ",\n[%j,%d,%d,%J]" : "[%j,%d,%d,%J]", smi_rules[band[i].of->rule].key,
                           (long long)smi_chart_local_ms(s, band[i].from_ms),
                           (long long)smi_chart_local_ms(s, band[i].to_ms), band[i].of->text);
        smi_html_write(h, "],\"left\":%j}", left);
        if (bytes_left(h) <= kept + 64)
            h->g.to->n = bare;
    }
    smi_buf_str(h->g.to, "}</script>\n");
    smi_arena_reset(&h->g.arena);
    if (bytes_left(h))
        return true;
    h->g.to->n = before;
    return false;
}

/* the data of all runs that the scripts of a page sort, filter and draw, and of their
 * groups. */

/* ---- the runs that share a value of a parameter: their sums, for the bars and the dots. ---- */

enum { GROUPINGS = 6 };

/* [used, failed, unused, start, stall, end, unknown] */
static void append_parts(struct smi_html_page *h, const struct smi_total *t)
{
    smi_buf_fmt(h->g.to, "[%lld",
                (long long)(t->covered_ms - smi_wasted_ms(&t->waste) - t->waste.ms[SMI_WASTE_UNKNOWN]));
    for (int id = 0; id < 5; id++)
        smi_buf_fmt(h->g.to, ",%lld", (long long)t->waste.ms[id]);
    smi_buf_fmt(h->g.to, ",%lld]", (long long)t->waste.ms[SMI_WASTE_UNKNOWN]);
}

static void append_grouping(struct smi_html_page *h, const char *key, bool first)
{
    struct smi_run_group *group;
    const size_t n = smi_run_groups(&h->g, key, &group);
    smi_html_write(h, first ? "{\"key\":%J,\"of\":[" : ",\n{\"key\":%J,\"of\":[", key);
    for (size_t i = 0; i < n; i++) {
        smi_buf_str(h->g.to, i ? "," : "");
        /* {"v": "0.1", "n": 4, "ms": [used, failed, unused, start, stall, end, unknown],
         *  "t": [GPU %, idle %, VRAM GiB, GPU-h, wasted h, failed]} */
        struct smi_run_group *p = &group[i];
        struct smi_text_arena *g = &h->g;
        const struct smi_total *t = &p->sum;
        smi_total_close(&p->sum);
        smi_html_write(h, "{\"v\":%J,\"n\":%d,\"ms\":", p->value, (long long)t->runs);
        append_parts(h, t);
        smi_html_write(h, ",\"t\":[%j,%j,%j,%j,%j,\"%d\"]}", smi_fmt_mean(g, &t->block, SMI_FIG_UTIL),
                       smi_fmt_value(g, t->idle_pct, 1), smi_fmt_gib(g, p->vram),
                       t->gpu_hours.has ? smi_fmt_ratio(g, t->covered_ms, 3600000, 2) : "-",
                       smi_waste_known(t->wasted_h[5], t->idle_pct, &t->waste)
                           ? smi_fmt_hours(g, smi_wasted_ms(&t->waste))
                           : "-",
                       (long long)t->failed);
    }
    smi_buf_str(h->g.to, "]}");
}

/* ---- the rows that scripts sort, filter and draw: JSON, column by column, in an element that is no script.
 * {"n": 12, "of": 12, "base": "out", "given": "", "sorted": 0, "total": [..], "long": {"3": "..."}, "cols":
 * [{"k": "idle", "h": "Idle %", "csv": "idle_pct", "kind": 1, "more": 0, "mark": 2, "help": "...", "t":
 * "6.0|6.2|-", "x": [..], "v": "6.000185|6.184|"}], "marks": [0, 2, 0], "shapes": "...", "groups": [...]} t
 * is the texts joined by bars, or with "d" the places in d; x are exact milliseconds to
 * sort by; -1 (null of an instant): none; v is what summarize's CSV has under that name, unless x or t say
 * it; utc: which instants are in UTC; total: as "ms" of a group (text_report.h); long: whole names of rows.
 * ----
 */

enum {
    PARAMS = 64,
    NAMES = 200000 /* bytes of names that are longer than their labels */
};

typedef const char *text_fn(struct smi_html_page *h, const void *of, const struct smi_summary *s);

static const char *column_text(struct smi_html_page *h, const void *of, const struct smi_summary *s)
{
    const int column = *(const int *)of;
    const enum smi_run_table_kind as = smi_run_table_columns[column].kind;
    const char *text;
    if (as == SMI_AS_LINK)
        return h->label[s - h->g.sweep->runs];
    text = smi_run_cell_text(&h->g, column, s);
    return as == SMI_AS_TEXT ? smi_fmt_middle(&h->g, text, SMI_HTML_TEXT, SMI_HTML_TEXT / 2) : text;
}

static const char *param_text(struct smi_html_page *h, const void *of, const struct smi_summary *s)
{
    const struct smi_param *p = smi_run_param(s, of);
    return plain_name(&h->g, p ? p->text : NULL);
}

static bool is_word(const void *list, size_t place, const void *text)
{
    return strcmp(((const char *const *)list)[place], text) == 0;
}

/* The different texts of a column, in the order in which they come, and which of them each row has. */
static void append_words(struct smi_html_page *h, text_fn *text, const void *of)
{
    struct smi_arena arena = {0};
    const char **word = smi_arena_new(&arena, h->n + 1, sizeof *word);
    struct smi_map map = {0};
    struct smi_buf rows = {0};
    size_t n = 0;
    smi_buf_str(h->g.to, ",\"d\":[");
    for (size_t i = 0; smi_sweep_has_run_of(h->g.sweep, i, h->n); i++) {
        const char *t = text(h, of, h->run[i]);
        const uint64_t hash = smi_hash_bytes(t, strlen(t));
        size_t place = smi_map_find(&map, hash, is_word, word, t);
        if (place == SMI_MAP_NONE) {
            place = n++;
            word[place] = smi_arena_text(&arena, t, strlen(t));
            smi_map_add(&map, hash, place);
            smi_html_write(h, place ? ",%j" : "%j", t);
        }
        smi_buf_fmt(&rows, i ? ",%zu" : "%zu", place);
        smi_arena_reset(&h->g.arena);
    }
    smi_html_write(h, "],\"t\":[%s]", rows.p ? rows.p : "");
    smi_buf_fini(&rows);
    smi_map_fini(&map);
    smi_arena_fini(&arena);
}

/* How scripts treat a column of runs; they know these numbers. */
enum html_kind { WORDS, NUMBER, SPAN, NAME, INSTANT };

static void append_column(struct smi_html_page *h, int column)
{
    const struct smi_run_table_column *c = &smi_run_table_columns[column];
    const enum html_kind kind = c->kind == SMI_AS_TEXT      ? WORDS
                                : c->kind == SMI_AS_LINK    ? NAME
                                : c->kind == SMI_AS_INSTANT ? INSTANT
                                : c->kind == SMI_AS_SPAN    ? SPAN
                                                            : NUMBER;
    smi_buf_fmt(
        h->g.to,
        "%s{\"k\":\"%s\",\"h\":\"%s\",\"csv\":\"%s\",\"kind\":%d,\"more\":%d,\"leave\":%d,\"mark\":%u,"
        "\"help\":\"%s\"",
        column ? ",\n" : "", c->key, smi_fmt_money_head(&h->g, c->head), c->csv, (int)kind, c->more,
        c->text.leave, c->mark, c->help);
    if (kind == NUMBER || kind == SPAN) {
        /* Numbers need no quotes between them. "<" of "<0.01" and ">" of ">99.8" are no mark-up here. */
        smi_buf_str(h->g.to, ",\"t\":\"");
        for (size_t i = 0; smi_sweep_has_run_of(h->g.sweep, i, h->n); i++) {
            const char *t = column_text(h, &column, h->run[i]);
            smi_buf_str(h->g.to, i ? "|" : "");
            smi_buf_str(h->g.to, *t == '<' ? "\\u003c" : *t == '>' ? "\\u003e" : "");
            smi_buf_str(h->g.to, t + (*t == '<' || *t == '>'));
            smi_arena_reset(&h->g.arena);
        }
        smi_buf_char(h->g.to, '"');
    } else
        append_words(h, column_text, &column);
    if (c->kind == SMI_AS_HOURS || c->kind == SMI_AS_SPAN || c->kind == SMI_AS_INSTANT) {
        smi_buf_str(h->g.to, ",\"x\":[");
        for (size_t i = 0; smi_sweep_has_run_of(h->g.sweep, i, h->n); i++) {
            bool start = column == SMI_RUNS_START;
            int64_t x = start ? h->run[i]->start_ms : smi_run_cell_ms(column, h->run[i]);
            if (start && !h->run[i]->has_start)
                smi_buf_str(h->g.to, i ? ",null" : "null");
            else
                smi_buf_fmt(h->g.to, i ? ",%lld" : "%lld", (long long)x);
        }
        smi_buf_char(h->g.to, ']');
    }
    if (c->kind == SMI_AS_VALUE || c->kind == SMI_AS_GIB) {
        /* Where the shown ones are rounded. */
        smi_buf_str(h->g.to, ",\"v\":\"");
        for (size_t i = 0; smi_sweep_has_run_of(h->g.sweep, i, h->n); i++) {
            struct smi_value v = smi_run_cell_value(column, h->run[i]);
            char t[SMI_MICRO_TEXT] = "";
            if (v.has)
                smi_text_write_micro(t, v.micro);
            smi_buf_fmt(h->g.to, i ? "|%s" : "%s", t);
        }
        smi_buf_char(h->g.to, '"');
    }
    if (c->kind == SMI_AS_INSTANT) { /* whether the clocks of the runs are UTC */
        smi_buf_str(h->g.to, ",\"utc\":\"");
        for (size_t i = 0; smi_sweep_has_run_of(h->g.sweep, i, h->n); i++)
            smi_buf_char(h->g.to, h->run[i]->zoned ? '1' : '0');
        smi_buf_char(h->g.to, '"');
    }
    smi_buf_char(h->g.to, '}');
}

static void append_columns(struct smi_html_page *h)
{
    const struct smi_sweep *s = h->g.sweep;
    size_t all = s->nvarying + s->njoined - s->nresults, shown = 0;
    smi_buf_str(h->g.to, "},\n\"cols\":[");
    for (int c = 0; c < SMI_RUNS_COLUMNS; c++)
        if (column_is_shown(h, c))
            append_column(h, c);
    for (size_t i = 0; i < all && i < PARAMS; i++) {
        const char *key = i < s->nvarying ? s->varying[i] : s->joined[s->nresults + i - s->nvarying];
        bool more = smi_param_in_names(h->run, h->n, key) || shown > 3 || smi_param_is_rare(&h->g, key);
        /* A column, unless it takes more than half of the room. more: it is not shown unasked. */
        const size_t before = h->g.to->n, room = bytes_left(h);
        smi_html_write(h,
                       ",\n{\"k\":%J,\"h\":%J,\"csv\":%J,\"kind\":%d,\"param\":1,\"more\":%d,\"mark\":0,"
                       "\"help\":\"Parameter\"",
                       key, key, i < s->nvarying ? smi_fmt(&h->g, "param.%s", key) : key, (long long)WORDS,
                       (long long)more);
        append_words(h, param_text, key);
        smi_buf_char(h->g.to, '}');
        if (h->g.to->n - before > room / 2)
            h->g.to->n = before;
        else
            shown += !more;
    }
    smi_buf_str(h->g.to, "],\n");
}

/* What the scripts read (web/data.js), JSON in script elements that are no scripts: of all runs the rows, the
 * shapes and the groups; of single runs what is known, an element each, most waste first, as far as there is
 * room. */
static void write_data(struct smi_html_page *h)
{
    const struct smi_sweep *s = h->g.sweep;
    const struct smi_summary *one = h->n ? h->run[0] : NULL;
    size_t len = s->title ? strlen(s->title) : 0, name = one ? strlen(one->run) : 0;
    const char *way = one && one->path && s->paths == 1 && len && strncmp(one->path, s->title, len) == 0 &&
                              one->path[len] == '/'
                          ? one->path + len + 1
                          : NULL;
    /* Is it the name of the run, or that with what W&B has below it? */
    const bool below =
        way && strncmp(way, one->run, name) == 0 && (!way[name] || strcmp(way + name, "/files") == 0);
    smi_buf_fmt(h->g.to,
                "<script type=\"application/json\" id=\"data\">{\"n\":%zu,\"of\":%zu,\"base\":", h->n, s->n);
    smi_html_write(h, below ? "%J" : "null", s->title);
    smi_html_write(h, ",\"given\":%j,\"sorted\":%d,\n\"total\":",
                   smi_fmt_safe(&h->g, h->g.look->given ? h->g.look->given : ""),
                   (long long)h->g.look->sorted); /* the total is of all runs, those without a row, too */
    append_parts(h, &s->total);
    /* What labels leave out of names; then the whole names of rows whose label is shorter than that. */
    size_t before = h->g.to->n, some = 0;
    smi_html_write(h, ",\n\"frame\":[%j,%j],\"long\":{",
                   smi_fmt_safe(&h->g, h->g.sweep->name_prefix ? h->g.sweep->name_prefix : ""),
                   smi_fmt_safe(&h->g, h->g.sweep->name_suffix ? h->g.sweep->name_suffix : ""));
    for (size_t i = 0; smi_sweep_has_run_of(h->g.sweep, i, h->n) && h->g.to->n - before < NAMES; i++) {
        if (strcmp(smi_fmt_run(&h->g, h->run[i]->run), h->label[h->run[i] - s->runs]) != 0)
            smi_html_write(h, "%s\"%z\":%j", some++ ? "," : "", i, smi_fmt_safe(&h->g, h->run[i]->run));
        smi_arena_reset(&h->g.arena);
    }
    append_columns(h);
    smi_buf_str(h->g.to, "\"marks\":[");
    for (size_t i = 0; smi_sweep_has_run_of(h->g.sweep, i, h->n); i++)
        smi_buf_fmt(h->g.to, i ? ",%u" : "%u", smi_findings_marks(h->run[i], -1));
    smi_buf_str(h->g.to, "],\n");
    /* 60 characters a run: a blank for no reading, else 0 to 100 % in 87 steps. */
    static const char step[] =
        "#$%()*+,-./0123456789:;=?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`abcdefghijklmnopqrstuvwxyz{|}~";
    smi_buf_fmt(h->g.to, "\"steps\":\"%s\",\n\"shapes\":\"", step);
    for (size_t i = 0; smi_sweep_has_run_of(h->g.sweep, i, h->n); i++)
        for (int k = 0; k < SMI_SPARKLINE_CELLS; k++) {
            unsigned v = h->run[i]->shape[k];
            smi_buf_char(h->g.to, v == SMI_SPARKLINE_NONE
                                      ? ' '
                                      : step[((v > 100 ? 100 : v) * (sizeof step - 2) + 50) / 100]);
        }
    smi_buf_str(h->g.to, "\",\n\"groups\":[");
    const char **key;
    const size_t groupings = smi_group_keys(&h->g, true, &key);
    for (size_t i = 0; i < groupings && i < GROUPINGS; i++)
        append_grouping(h, key[i], i == 0);
    smi_buf_str(h->g.to, "]}</script>\n");
    smi_arena_reset(&h->g.arena);
}

/* the page as a whole: what a browser may do with it, the sections in their order, the scripts,
 * the data. */

enum { MOST = 12000 /* runs; beyond them only those that wasted most have a row */, LEAST = 100 };

static bool has_no_budget(const struct smi_render_options *look)
{
    return look->all || look->samples == SMI_SAMPLES_ALL;
}

/* A section that scripts fill. */
static void write_script_section(struct smi_html_page *h, const char *id, const char *title)
{
    smi_html_write(h,
                   "<section id=\"%s\" class=\"drawn\" aria-labelledby=\"%s-title\" hidden>\n"
                   "<h2 id=\"%s-title\">%s</h2>\n<div class=\"body\"></div>\n</section>\n",
                   id, id, id, title);
}

/* Everything but what is known of single runs. */
static void write_page_body(struct smi_html_page *h)
{
    struct smi_report_table t;
    smi_buf_str(h->g.to, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    /* Only these scripts and this style, told by their hashes; nothing from anywhere else, and nothing sent
     * anywhere. */
    smi_buf_fmt(h->g.to,
                "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
                "'sha256-%s'; script-src 'sha256-%s' 'sha256-%s'; base-uri 'none'; form-action 'none'\">\n",
                smi_asset_style_hash, smi_asset_charts_hash, smi_asset_script_hash);
    smi_html_write(
        h,
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta "
        "name=\"color-scheme\" content=\"light dark\">\n<meta name=\"referrer\" content=\"no-referrer\">\n"
        "<meta name=\"generator\" content=\"smilog\">\n<title>%n - GPU use</title>\n",
        h->g.sweep->title ? h->g.sweep->title : ".");
    smi_buf_str(h->g.to, "<style>");
    smi_buf_add(h->g.to, (const char *)smi_asset_style, smi_asset_style_n);
    smi_buf_str(h->g.to,
                "</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#runs\">to the runs</a>\n<main>\n");
    write_head(h);
    if (h->g.sweep->n == 1) /* its curves are what one came for */
        write_script_section(h, "one", "The run");
    begin_section(h, "waste", "Where the hours went");
    smi_buf_str(h->g.to, "<div class=\"bars js\"></div>\n");
    if (smi_waste_table(&t, &h->g, h->g.sweep->runs, h->g.sweep->n, true))
        write_table(h, &t);
    else
        smi_buf_str(h->g.to, "<p>No GPU-hours are known.</p>\n");
    end_section(h);
    begin_section(h, "findings", "What to do");
    if (smi_finding_table(&t, &h->g, h->g.sweep->runs, h->g.sweep->n))
        write_table(h, &t);
    else
        smi_buf_str(h->g.to, "<p>no findings</p>\n");
    end_section(h);
    write_runs(h);
    write_script_section(h, "map", "All runs as a map");
    if (h->g.sweep->n != 1)
        write_script_section(h, "one", "A run");
    write_script_section(h, "groups", "Groups");
    write_phases_and_commands(h);
    write_warnings(h);
    write_about(h);
    smi_buf_str(h->g.to, "</main>\n");
    write_data(h);
}

void smi_write_html(struct smi_buf *to, const struct smi_sweep *s, const struct smi_render_options *look)
{
    struct smi_html_page h = {.g = {.to = to, .sweep = s, .look = look, .page = true}};
    size_t before = to->n, most = MOST;
    for (;;) {
        /* The runs with a row, and what all are called. */
        h.n = s->n <= most || has_no_budget(look) ? s->n : most;
        h.worst = smi_runs_in_order(&h.g, &h.arena, true);
        h.run = smi_arena_new(&h.arena, s->n + 1, sizeof *h.run);
        h.row = smi_arena_new(&h.arena, s->n + 1, sizeof *h.row);
        for (size_t i = 0; i < h.n; i++)
            h.row[h.worst[i] - s->runs] = 1;
        for (size_t i = 0, k = 0; i < s->n; i++) {
            const bool has = h.row[i];
            h.row[i] = has ? k : h.n;
            if (has)
                h.run[k++] = &s->runs[i];
        }
        smi_html_labels(&h);
        write_page_body(&h);
        /* How much room the rows take is known when they are written: names and parameters may be long. */
        if (has_no_budget(look) || h.n <= LEAST || bytes_left(&h) > 0)
            break;
        most = h.n * 4 / 5; /* begun again with fewer */
        to->n = before;
        smi_arena_reset(&h.arena);
    }
    /* Of the room a part is kept for the texts of those runs whose curves find no place. */
    const size_t room = bytes_left(&h);
    for (size_t i = 0; smi_sweep_has_run(s, i); i++) {
        const size_t rest = (s->n - i) * TYPICAL;
        if (!append_run_element(&h, h.worst[i], room == SIZE_MAX ? 0 : rest < room / 4 ? rest : room / 4))
            break;
    }
    const unsigned char *const script[] = {smi_asset_licence, smi_asset_charts, smi_asset_script};
    const size_t n[] = {smi_asset_licence_n, smi_asset_charts_n, smi_asset_script_n};
    for (int i = 0; i < 3; i++) {
        smi_buf_str(to, around[i]);
        smi_buf_add(to, (const char *)script[i], n[i]);
    }
    smi_buf_str(to, around[3]);
    smi_arena_fini(&h.arena);
    smi_arena_fini(&h.g.arena);
}
