/* text_inputs.c - what went into runs: what became of the lines of the logs, how often they were written,
 * which readings they lack; and the parameters. */
#include "summary/command.h"
#include "report/run_groups.h"

#include "summary/command.h"

#include <string.h>

enum { PATH, FORMAT, LINES, ROWS, TWICE, BAD, GAPS, EVERY, WORST, NOTE, COLUMNS };

/* --- lines --- */

static const char *count_text(struct smi_text_arena *g, int64_t n, bool dash)
{
    return n || !dash ? smi_fmt(g, "%lld", (long long)n) : "-";
}

/* "13 ms", "2.0 s", "5m10s" */
static const char *interval_text(struct smi_text_arena *g, struct smi_value s)
{
    if (!s.has)
        return "-";
    if (s.micro < 950000)
        return smi_fmt(g, "%s ms", smi_fmt_ratio(g, s.micro, 1000, 0));
    return s.micro < 120 * (int64_t)1000000 ? smi_fmt(g, "%s s", smi_fmt_value(g, s, 1))
                                            : smi_fmt_time(g, s.micro / 1000);
}

/* The line that was cut off at the end, or 0. */
static int64_t torn_line(const struct smi_account *a)
{
    for (size_t i = 0; i < a->problems; i++)
        if (a->problem[i].kind == SMI_REJECT_TORN_TAIL)
            return a->problem[i].line;
    return 0;
}

/* Remarks about the log. Only the first log gets the remark that readings are instants. */
static const char *input_note(struct smi_text_arena *g, const struct smi_input *in, bool *said)
{
    int64_t torn = torn_line(&in->account);
    if (torn)
        return smi_fmt(g, "line %lld cut off, not used", (long long)torn);
    if (!in->note || *said)
        return g->look->width ? "" : "-";
    *said = true;
    return "shorter peaks are not seen";
}

static void input_row(struct smi_report_table *t, const struct smi_input *in, bool *said)
{
    struct smi_text_arena *g = t->page;
    const struct smi_account *a = &in->account;
    struct smi_table_cell *row = smi_table_row(t, SMI_ROW_PLAIN);
    if (!row)
        return;
    row[PATH].text = smi_fmt_safe(g, in->path);
    row[FORMAT].text = smi_fmt_safe(g, in->format);
    row[LINES].text = count_text(g, a->lines, false);
    row[ROWS].text = count_text(g, a->rows, false);
    row[TWICE].text = count_text(g, a->duplicates, true);
    row[BAD].text = count_text(g, smi_account_rejected(a), true);
    row[GAPS].text = count_text(g, in->gaps, true);
    row[EVERY].text = interval_text(g, in->interval_s);
    row[WORST].text = interval_text(g, in->interval_max_s);
    row[NOTE].text = input_note(g, in, said);
}

/* Problem k of an input, unless an earlier one said the same of another line. */
static void odd_line(struct smi_text_arena *g, const struct smi_input *in, size_t k)
{
    const struct smi_log_warning *p = &in->account.problem[k];
    int64_t lines = smi_warning_lines(&in->account, k);
    if (lines == 0)
        return;
    smi_wrap_words(
        g, 0, smi_fmt(g, p->line > 0 ? "  %s:%lld:" : "  %s:", smi_fmt_safe(g, in->path), (long long)p->line),
        4);
    smi_wrap_words(g, 1, smi_fmt_sentence(g, p->text), 4);
    if (lines > 1)
        smi_wrap_words(g, 1, smi_fmt(g, "(%lld such lines)", (long long)lines), 4);
    smi_wrap_newline(g);
}

/* Columns leave where the window is narrow: what they say is said below, or in the JSON. */
static void hide_input_columns(struct smi_report_table *t, const struct smi_summary *s)
{
    enum { NAME = 24 };
    bool twice = false, notes = false;
    int width = t->page->look->width;
    for (size_t i = 0; i < s->ninputs; i++) {
        twice |= s->inputs[i].account.duplicates > 0;
        notes |= *t->cell[(i + 1) * COLUMNS + NOTE].text != 0;
    }
    t->col[TWICE].hidden = !twice;
    t->col[NOTE].hidden = !notes;
    t->col[WORST].hidden = smi_table_need(t, NAME) > width;
    t->col[NOTE].hidden |= smi_table_need(t, NAME) > width;
    if (t->col[NOTE].hidden && t->col[WORST].hidden) {
        t->col[WORST].hidden = false;
        t->col[WORST].hidden = smi_table_need(t, NAME) > width;
    }
}

/* Returns whether the largest intervals stand in it. */
static bool input_table(struct smi_text_arena *g, const struct smi_summary *s)
{
    struct smi_table_column col[COLUMNS] = {{.head = "INPUTS", .names = true, .least = 14},
                                            {.head = "FORMAT", .least = 6},
                                            {.head = "LINES", .align = SMI_RIGHT, .leave = 2},
                                            {.head = "ROWS", .align = SMI_RIGHT},
                                            {.head = "TWICE", .align = SMI_RIGHT},
                                            {.head = "BAD", .align = SMI_RIGHT},
                                            {.head = "GAPS", .align = SMI_RIGHT},
                                            {.head = "EVERY", .align = SMI_RIGHT, .leave = 1},
                                            {.head = "WORST", .align = SMI_RIGHT},
                                            {.head = "NOTE"}};
    struct smi_report_table t;
    bool said = false;
    smi_table_begin(&t, g, col, COLUMNS);
    for (size_t i = 0; i < s->ninputs; i++)
        input_row(&t, &s->inputs[i], &said);
    if (g->look->width && !g->failed)
        hide_input_columns(&t, s);
    smi_table_text(&t);
    for (size_t i = 0; i < s->ninputs; i++)
        for (size_t k = 0; k < s->inputs[i].account.problems; k++)
            if (col[NOTE].hidden || s->inputs[i].account.problem[k].kind != SMI_REJECT_TORN_TAIL)
                odd_line(g, &s->inputs[i], k);
    said &= !col[NOTE].hidden;
    for (size_t i = 0; i < s->ninputs && !said; i++)
        if ((said = s->inputs[i].note != NULL))
            smi_wrap_fmt(g, SMI_STYLE_PLAIN, "peaks shorter than %s are not seen",
                         interval_text(g, s->inputs[i].interval_s));
    return !col[WORST].hidden;
}

/* --- how often --- */

/* "GPU 0, 1 every 1.0 s, GPU 2 every 2.0 s"; "each GPU every 1.0 s". */
static const char *median_intervals(struct smi_text_arena *g, const struct smi_summary *s)
{
    const char *t = "";
    bool same = true;
    size_t first = s->ngpus;
    for (size_t i = 0; i < s->ngpus; i++) {
        const char *every = interval_text(g, s->gpus[i].interval_s), *who = "";
        bool fresh = true;
        if (s->gpus[i].pooled)
            continue;
        first = first < s->ngpus ? first : i;
        same &= strcmp(every, interval_text(g, s->gpus[first].interval_s)) == 0;
        for (size_t k = 0; k < s->ngpus; k++) {
            if (s->gpus[k].pooled || strcmp(interval_text(g, s->gpus[k].interval_s), every))
                continue;
            fresh = k >= i; /* else told already, with the first of its GPUs */
            if (!fresh)
                break;
            who = smi_fmt(g, "%s%s%s", who, *who ? ", " : "", smi_gpu_label(g, &s->gpus[k]));
        }
        if (fresh)
            t = smi_fmt(g, "%s, GPU %s %s%s", t, who, *every == '-' ? "once" : "every ",
                        *every == '-' ? "" : every);
    }
    if (!same || first == s->ngpus)
        return *t ? t + 2 : t;
    return smi_fmt(g, s->ngpus == 1 ? "every %s" : "each GPU every %s",
                   interval_text(g, s->gpus[first].interval_s));
}

/* "sampled: each GPU every 10.0 s, longest interval 310.0 s (GPU 1), gaps: 2 (GPU 1, 6m12s)". Of one GPU the
 * table of inputs may have said it. */
static void write_sampling_line(struct smi_text_arena *g, const struct smi_summary *s, bool told)
{
    const struct smi_gpu *worst = NULL, *first = NULL;
    const char *gaps = "", *longest;
    bool same = true;
    size_t n = 0;
    for (size_t i = 0; i < s->ngpus; i++) {
        const struct smi_gpu *gpu = &s->gpus[i];
        if (gpu->pooled || !gpu->interval_s.has)
            continue;
        n++;
        first = first ? first : gpu;
        same &= strcmp(interval_text(g, gpu->interval_max_s), interval_text(g, first->interval_max_s)) == 0;
        if (!worst || gpu->interval_max_s.micro > worst->interval_max_s.micro)
            worst = gpu;
        if (gpu->gaps)
            gaps = smi_fmt(g, "%s, %lld (GPU %s, %s)", gaps, (long long)gpu->gaps, smi_gpu_label(g, gpu),
                           smi_fmt_time(g, gpu->gap_ms));
    }
    if (n == 0 || (n == 1 && told))
        return;
    longest = interval_text(g, worst->interval_max_s);
    if (!same)
        longest = smi_fmt(g, "%s (GPU %s)", longest, smi_gpu_label(g, worst));
    smi_wrap_fmt(g, SMI_STYLE_PLAIN, "sampled: %s, longest interval %s, %s%s", median_intervals(g, s),
                 longest, *gaps ? "gaps: " : "no gaps", *gaps ? gaps + 2 : "");
}

/* --- which readings --- */

/* One metric over all GPUs, and the host: the least share of rows that have it, where, and whether all have
 * that. */
struct least {
    bool some, all;
    int64_t micro;
    const struct smi_gpu *gpu; /* or NULL: the host */
};

static void least_of(struct least *l, const struct smi_share *list, size_t n, unsigned metric,
                     const struct smi_gpu *gpu)
{
    for (size_t i = 0; i < n; i++) {
        int64_t v = list[i].pct.micro;
        if (list[i].metric != metric || !list[i].pct.has)
            continue;
        l->all &= !l->some || v == l->micro;
        if (!l->some || v < l->micro) {
            l->micro = v;
            l->gpu = gpu;
        }
        l->some = true;
    }
}

static struct least find_least_share(const struct smi_summary *s, unsigned metric)
{
    struct least l = {.all = true};
    for (size_t i = 0; i < s->ngpus; i++)
        if (!s->gpus[i].pooled || s->ngpus == 1)
            least_of(&l, s->gpus[i].available, s->gpus[i].navailable, metric, &s->gpus[i]);
    least_of(&l, s->host_available, s->nhost_available, metric, NULL);
    return l;
}

/* The reasons of throttling are one thing to people. */
static const char *availability_label(struct smi_text_arena *g, unsigned metric)
{
    bool reason =
        smi_metrics[metric].kind == SMI_STATE && strncmp(smi_metrics[metric].key, "throttle.", 9) == 0;
    return reason ? "throttle reasons" : smi_metric_label(g, metric);
}

/* "absent: memory temperature, fan always; power in 1.8 % of the rows (GPU 1)" */
static void write_absences_line(struct smi_text_arena *g, const struct smi_summary *s)
{
    enum { NAMES = 6 };
    const char *always = "", *some = "", *t;
    const char *last = "";
    size_t never = 0, metrics = 0;
    for (unsigned m = 0; m < SMI_METRIC_COUNT; m++) {
        struct least l = find_least_share(s, m);
        int64_t absent = 100000000 - l.micro;
        metrics += l.some;
        if (!l.some || absent <= 0 || smi_command_is_detail(m) || strcmp(availability_label(g, m), last) == 0)
            continue;
        last = availability_label(g, m);
        if (l.micro == 0 && l.all) {
            if (never++ < NAMES || !g->look->width)
                always = smi_fmt(g, "%s, %s", always, last);
            continue;
        }
        t = absent < 50000 ? "<0.1" : smi_fmt_ratio(g, absent, 1000000, 1);
        some = smi_fmt(g, "%s, %s in %s %% of the rows%s", some, last, t,
                       l.all || !l.gpu ? "" : smi_fmt(g, " (GPU %s)", smi_gpu_label(g, l.gpu)));
    }
    if (never > NAMES && g->look->width)
        always = smi_fmt(g, "%s and %zu more", always, never - NAMES);
    if (*always)
        always = smi_fmt(g, "%s always%s", always + 2, *some ? "; " : "");
    if (*always || *some)
        smi_wrap_fmt(g, SMI_STYLE_PLAIN, "absent: %s%s", always, *some ? some + 2 : "");
    else if (metrics)
        smi_wrap_line(g, SMI_STYLE_PLAIN, "every row has all readings");
}

void smi_text_inputs(struct smi_text_arena *g, const struct smi_summary *s)
{
    write_sampling_line(g, s, input_table(g, s));
    write_absences_line(g, s);
}

/* --- parameters: those of all runs in the head, those that differ as columns --- */

enum {
    COLUMNS_SHOWN = 4, /* in a window */
    HEAD_SHOWN = 12,
    TEXT_SHOWN = 32, /* bytes of a value in the head of a window: longer ones are texts, not settings */
    NAMES_SAID = 6
};

static bool in_all_names(const struct smi_summary *const *run, size_t n, const char *key)
{
    for (size_t i = 0; i < n; i++) {
        const struct smi_param *p = smi_run_param(run[i], key);
        if (p && p->text && !smi_param_in_name(run[i]->run, p))
            return false;
    }
    return true;
}

int smi_param_columns(struct smi_text_arena *g, const struct smi_summary *const *run, size_t n,
                      const char **key, bool *hidden)
{
    const struct smi_sweep *s = g->sweep;
    const char **value;
    int columns = 0, shown = 0;
    for (size_t k = 0; k < s->nvarying; k++) {
        if (in_all_names(run, n, s->varying[k]))
            continue;
        hidden[columns] = g->look->width && (shown == COLUMNS_SHOWN || smi_param_is_rare(g, s->varying[k]) ||
                                             smi_param_values(g, s->varying[k], &value) < 2);
        shown += !hidden[columns];
        key[columns++] = s->varying[k];
    }
    for (size_t k = 0; k < s->njoined; k++) {
        hidden[columns] = g->look->width && shown == COLUMNS_SHOWN;
        shown += !hidden[columns];
        key[columns++] = s->joined[k];
    }
    return columns;
}

const char *smi_params_hidden(struct smi_text_arena *g, const struct smi_table_column *col, int params)
{
    const char *list = "";
    int n = 0;
    for (int i = params; i > 0; i--) {
        n += col[i - 1].hidden;
        if (col[i - 1].hidden)
            list = smi_fmt(g, ", %s%s", col[i - 1].head, list);
    }
    if (n <= NAMES_SAID)
        return list;
    list = "";
    for (int i = 0, told = 0; i < params && told < NAMES_SAID; i++)
        if (col[i].hidden) {
            list = smi_fmt(g, "%s, %s", list, col[i].head);
            told++;
        }
    return smi_fmt(g, "%s, %d more parameters", list, n - NAMES_SAID);
}

void smi_params_head(struct smi_text_arena *g)
{
    const struct smi_sweep *s = g->sweep;
    size_t shown = 0;
    for (size_t i = 0; i < s->ncommon; i++) {
        const char *key = smi_fmt_safe(g, s->common[i].key);
        if (g->look->width && (shown == HEAD_SHOWN || strlen(s->common[i].text) > TEXT_SHOWN))
            continue;
        smi_wrap_words(g, shown++ ? 1 : 3, smi_fmt(g, "%s=%s", key, smi_fmt_safe(g, s->common[i].text)), 0);
    }
    if (shown < s->ncommon)
        smi_wrap_words(g, shown ? 1 : 3, smi_fmt(g, "(%zu more parameters: --json)", s->ncommon - shown), 0);
}
