/* text_run.c - one run: header, headline summary, GPUs, findings, and with -v everything else. */
#include "report/text_report.h"
#include "base/clock.h"

#include <string.h>

/* ---- of one run what its command was, how it ended, and what it used. ---- */

static void write_command(struct smi_text_arena *g, const struct smi_summary *s)
{
    const char *end = smi_command_end(g, s);
    struct smi_report_table t;
    if (!smi_command_is_tracked(s))
        return;
    if (s->command)
        smi_wrap_part(g, 0, 9, "command: %s", smi_command_text(g, s));
    if (s->command && *end)
        smi_wrap_words(g, 3, end, 9);
    if (s->command)
        smi_wrap_newline(g);
    if (smi_command_table(&t, g, s))
        smi_table_text(&t);
    smi_wrap_newline(g);
}

/* ---- one run: header, its GPUs, with -v everything else, and the reference block. ---- */

enum { PROCESS_ROWS = 5 };

/* --- when --- */

/* "UTC+02:00 (from the run log)" of "utc+02:00 from the run log". */
static const char *zone_words(struct smi_text_arena *g, const char *base)
{
    size_t n = strcspn(base, " ");
    if (strncmp(base, "utc", 3) != 0 || n < 3)
        return "zone not known";
    if (!base[n])
        return smi_fmt(g, "UTC%s", base + 3);
    return smi_fmt(g, "UTC%.*s (%s)", (int)n - 3, base + 3, base + n + 1);
}

/* Adds a run to the span. Runs on clocks that differ are shown in UTC; so no base that is not shared is
 * named. */
static void widen_span(struct smi_summary *span, const struct smi_summary *s)
{
    if (!span->has_start) {
        span->has_start = true;
        span->start_ms = s->start_ms;
        span->end_ms = s->end_ms;
        span->offset_s = s->offset_s;
        span->time_base = s->time_base;
        return;
    }
    if (s->start_ms < span->start_ms)
        span->start_ms = s->start_ms;
    if (s->end_ms > span->end_ms)
        span->end_ms = s->end_ms;
    if (!s->time_base || strcmp(s->time_base, "utc") == 0) /* no local clock in it: any zone will do */
        return;
    if (span->time_base && strcmp(span->time_base, "utc") == 0) {
        span->offset_s = s->offset_s;
        span->time_base = s->time_base;
    } else if (s->offset_s != span->offset_s) {
        span->offset_s = 0;
        span->time_base = "utc runs in several zones";
    } else if (span->time_base && strcmp(span->time_base, s->time_base) != 0) {
        span->time_base = NULL;
    }
}

size_t smi_runs_time_span(struct smi_summary *span, const struct smi_summary *runs, size_t n)
{
    size_t i, left = 0;
    *span = (struct smi_summary){0};
    for (i = 0; i < n; i++)
        span->zoned |= runs[i].has_start && runs[i].zoned;
    for (i = 0; i < n; i++) {
        if (runs[i].has_start && runs[i].zoned == span->zoned)
            widen_span(span, &runs[i]);
        else
            left += runs[i].has_start;
    }
    return left;
}

const char *smi_fmt_time_range(struct smi_text_arena *g, const struct smi_summary *runs, size_t n,
                               bool seconds)
{
    struct smi_summary span;
    char zone[SMI_CLOCK_TEXT] = "";
    const char *day, *end;
    size_t left = smi_runs_time_span(&span, runs, n);
    int len = seconds ? 8 : 5;
    if (!span.has_start)
        return "";
    day = smi_fmt_timestamp(g, &span, span.start_ms, 0, 10);
    end = smi_fmt_timestamp(g, &span, span.end_ms, 0, 10);
    if (!span.time_base && span.zoned)
        smi_clock_write_zone(zone, span.offset_s);
    return smi_fmt(g, "%s %s to %s%s%s, %s%s", day, smi_fmt_timestamp(g, &span, span.start_ms, 11, len),
                   strcmp(day, end) == 0 ? "" : end, strcmp(day, end) == 0 ? "" : " ",
                   smi_fmt_timestamp(g, &span, span.end_ms, 11, len),
                   *zone            ? smi_fmt(g, "UTC%s", zone)
                   : span.time_base ? zone_words(g, span.time_base)
                                    : "zone not known",
                   left ? smi_fmt(g, " (%zu run%s without a zone not among them)", left, left == 1 ? "" : "s")
                        : "");
}

/* --- the title --- */

/* What one run is; with its files unless all of it is shown, which has a table of them. */
static void write_run_title(struct smi_text_arena *g, const struct smi_summary *s, bool all)
{
    static const char *const word[] = {"ok", "FAILED", "cut", "", "no-data"};
    const char *gpus = smi_fmt_gpus(g, s);
    size_t i;
    smi_wrap_words(g, 0, smi_fmt_safe(g, s->run), 0);
    smi_wrap_words(
        g, 3, s->state == SMI_STATE_CUT ? smi_fmt(g, "cut: %s", smi_run_cut_reason(g, s)) : word[s->state],
        0);
    if (s->state == SMI_STATE_FAILED && s->state_reason) {
        const char *why = smi_fmt_safe(g, s->state_reason); /* "exit status 1 (W&B)" */
        smi_wrap_words(g, 1, strchr(why, '(') ? why : smi_fmt(g, "(%s)", why), 0);
    }
    if (s->duration_s.has)
        smi_wrap_words(g, 3, smi_fmt_duration(g, s->duration_s), 0);
    smi_wrap_words(g, 3, smi_fmt_time_range(g, s, 1, true), 0);
    smi_wrap_newline(g);
    if (gpus)
        smi_wrap_words(g, 3, gpus, 0);
    if (s->hostname)
        smi_wrap_words(g, 3, smi_fmt_safe(g, s->hostname), 0);
    for (i = 0; i < s->nparams; i++)
        smi_wrap_part(g, i ? 1 : 3, 0, "%s%s=%s", i ? "" : "params: ", smi_fmt_safe(g, s->params[i].key),
                      smi_fmt_safe(g, s->params[i].text));
    if (s->ninputs == 1 && strcmp(s->inputs[0].path, s->run) == 0)
        all = true;                                   /* the name has said it */
    for (i = 0; !all && i < s->ninputs && i < 4; i++) /* with -v they have a table */
        smi_wrap_part(g, i ? 1 : 3, 0, "%s%s", i ? "" : "files: ", smi_fmt_safe(g, s->inputs[i].path));
    if (!all && s->ninputs > 4)
        smi_wrap_part(g, 1, 0, "+%zu", s->ninputs - 4);
    if (g->column)
        smi_wrap_newline(g);
    smi_wrap_newline(g);
}

/* The reference block under its key names, which people paste from; as many pairs a line as fit. A pipe and a
 * very narrow window have a pair a line, from its first column on. */
static void block_table(struct smi_text_arena *g, const struct smi_headline *b)
{
    enum { INDENTED = 36 };
    int width = g->look->width < INDENTED ? 0 : g->look->width,
        across = width >= 96   ? 3
                 : width >= 66 ? 2
                               : 1,
        n = 0;
    struct smi_headline_figure f[SMI_HEADLINE_COUNT];
    smi_headline_figures(b, f);
    if (width == 0)
        smi_buf_str(g->to, "SUMMARY\n");
    for (int i = 0; i < SMI_HEADLINE_COUNT; i++) {
        if (f[i].omit)
            continue;
        if (n % across == 0 && width)
            smi_buf_str(g->to, n ? "          " : "SUMMARY   ");
        smi_buf_fmt(g->to, "%s%-17s %8s", n % across ? "    " : "", f[i].key, f[i].has ? f[i].text : "-");
        if (++n % across == 0)
            smi_buf_char(g->to, '\n');
    }
    smi_buf_str(g->to, n % across ? "\n\n" : "\n");
}

/* --- processes --- */

static void process_row(struct smi_report_table *t, const struct smi_process_figures *p)
{
    struct smi_text_arena *g = t->page;
    const struct smi_gpu gpu = {.index = p->gpu, .uuid = p->uuid, .bus = p->bus};
    const char *const text[] = {smi_fmt_safe(g, p->name),
                                smi_gpu_label(g, &gpu),
                                p->pid < 0 ? "-" : smi_fmt_int(g, p->pid),
                                smi_fmt_gib(g, p->of[SMI_PROC_MEMORY].peak),
                                smi_fmt_gib(g, p->of[SMI_PROC_MEMORY].mean),
                                smi_fmt_value(g, p->of[SMI_PROC_USE].mean, 1),
                                smi_fmt_some(g, p->samples)};
    smi_table_add(t, SMI_ROW_PLAIN, text);
}

/* Does a use more than b: memory first, and what is not known is least? */
static bool uses_more(const struct smi_process_figures *a, const struct smi_process_figures *b)
{
    const struct smi_value *x = &a->of[SMI_PROC_MEMORY].peak, *y = &b->of[SMI_PROC_MEMORY].peak;
    if (x->has == y->has && (!x->has || x->micro == y->micro)) {
        x = &a->of[SMI_PROC_USE].mean;
        y = &b->of[SMI_PROC_USE].mean;
    }
    return x->has && (!y->has || x->micro > y->micro);
}

/* Those with most memory, the first of equals first. */
static void process_table(struct smi_text_arena *g, const struct smi_summary *s)
{
    struct smi_table_column col[] = {{.head = "PROCESS", .names = true, .least = 12},
                                     {.head = "GPU", .align = SMI_RIGHT},
                                     {.head = "PID", .align = SMI_RIGHT, .leave = 1},
                                     {.head = "PEAK GiB", .align = SMI_POINT},
                                     {.head = "MEAN GiB", .align = SMI_POINT, .leave = 2},
                                     {.head = "GPU %", .align = SMI_POINT},
                                     {.head = "SAMPLES", .align = SMI_RIGHT}};
    const struct smi_process_figures *top[PROCESS_ROWS];
    size_t n = 0;
    struct smi_report_table t;
    for (size_t i = 0; i < s->nprocesses; i++) {
        size_t k = n < PROCESS_ROWS ? n++ : PROCESS_ROWS;
        for (; k > 0 && uses_more(&s->processes[i], top[k - 1]); k--)
            if (k < PROCESS_ROWS)
                top[k] = top[k - 1];
        if (k < PROCESS_ROWS)
            top[k] = &s->processes[i];
    }
    smi_table_begin(&t, g, col, 7);
    for (size_t i = 0; i < n; i++)
        process_row(&t, top[i]);
    smi_table_text(&t);
    if (s->nprocesses > n)
        smi_wrap_fmt(g, SMI_STYLE_PLAIN, "and %zu more", s->nprocesses - n);
    smi_wrap_newline(g);
}

/* --- what happened --- */

/* The host's metrics and the events. */
static void event_table(struct smi_text_arena *g, const struct smi_summary *s)
{
    size_t i, n = 0;
    for (i = 0; i < s->nhost; i++) {
        const struct smi_stats *x = &s->host[i];
        const char *front = n ? "" : "host: ", *label = smi_metric_label(g, x->metric);
        if (smi_command_is_metric(x->metric))
            continue;
        n++;
        smi_wrap_words(g, 3,
                       smi_metrics[x->metric].kind == SMI_COUNTER
                           ? smi_fmt(g, "%s%s %s", front, label, smi_fmt_value(g, x->increase, 0))
                           : smi_fmt(g, "%s%s %s (p95 %s, max %s) %s", front, label,
                                     smi_fmt_value(g, x->mean, 1), smi_fmt_value(g, x->p[5], 1),
                                     smi_fmt_value(g, x->max, 1), smi_metrics[x->metric].unit),
                       6);
    }
    if (n)
        smi_wrap_newline(g);
    for (i = 0; i < s->nevents; i++)
        smi_wrap_part(g, 1, 8, "%s%s %lld%s", i ? "" : "events: ", smi_fmt_safe(g, s->events[i].name),
                      (long long)s->events[i].n, i + 1 < s->nevents ? "," : "");
    if (s->nevents)
        smi_wrap_newline(g);
    if (n || s->nevents)
        smi_wrap_newline(g);
}

/* Whether the findings say where the wasted hours went, all but a tenth: what is below their limits they
 * leave out. */
static bool findings_say_where(const struct smi_summary *s)
{
    int64_t said = 0;
    for (size_t i = 0; i < s->nfindings; i++)
        said += s->findings[i].rule <= SMI_RULE_STALL ? s->findings[i].gpu_ms : 0;
    return said >= smi_wasted_ms(&s->waste) / 10 * 9 && s->nfindings;
}

void smi_text_run(struct smi_text_arena *g, const struct smi_summary *s, bool all)
{
    struct smi_report_table t;
    write_run_title(g, s, all);
    if (s->ngpus)
        smi_text_gpus(g, s, all);
    if (all || !s->judged) /* else they are among the findings */
        smi_text_errors(g, s, all);
    write_command(g, s);
    if (s->nprocesses)
        process_table(g, s);
    if (all && smi_phase_table(&t, g, s, 1)) {
        smi_table_text(&t);
        smi_wrap_newline(g);
    }
    if (all)
        event_table(g, s);
    if (smi_finding_table(&t, g, s)) {
        smi_table_text(&t);
        smi_wrap_newline(g);
    }
    if (all && s->ninputs) {
        smi_text_inputs(g, s);
        smi_wrap_newline(g);
    }
    for (size_t i = 0; i < s->nproblems; i++)
        smi_wrap_fmt(g, SMI_STYLE_PLAIN, "note: %s", smi_fmt_sentence(g, s->problems[i]));
    if (s->nproblems)
        smi_wrap_newline(g);
    if (!findings_say_where(s) && smi_text_waste(g, s, 1))
        smi_wrap_newline(g);
    block_table(g, &s->block); /* last: words for people come first */
}
