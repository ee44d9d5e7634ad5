/* inputs.c - what went into runs: what became of the lines of the logs, how often they were written, which
 * readings they lack; and the parameters. */
#include "report/run_groups.h"

#include <string.h>

enum { RUN, PATH, FORMAT, LINES, ROWS, TWICE, BAD, GAPS, EVERY, WORST, ODDITY, COLUMNS };

/* --- lines --- */

const char *smi_fmt_interval(struct smi_text_arena *g, struct smi_value s)
{
    if (!s.has)
        return "-";
    if (s.micro < 950000)
        return smi_fmt(g, "%s ms", smi_fmt_ratio(g, s.micro, 1000, 0));
    return s.micro < 120 * (int64_t)1000000 ? smi_fmt(g, "%s s", smi_fmt_value(g, s, 1))
                                            : smi_fmt_time(g, s.micro / 1000);
}

static const char *first_oddity(struct smi_text_arena *g, const struct smi_account *a)
{
    const struct smi_log_warning *p = a->problem;
    if (!a->problems)
        return "-";
    return p->line > 0 ? smi_fmt(g, "line %lld: %s", (long long)p->line, smi_fmt_safe(g, p->text))
                       : smi_fmt_safe(g, p->text);
}

static void add_input_row(struct smi_report_table *t, const struct smi_summary *s, const struct smi_input *in)
{
    struct smi_text_arena *g = t->page;
    const struct smi_account *a = &in->account;
    const char *const text[COLUMNS] = {[PATH] = in->path,
                                       [FORMAT] = in->format,
                                       [LINES] = smi_fmt_int(g, a->lines),
                                       [ROWS] = smi_fmt_int(g, a->rows),
                                       [TWICE] = smi_fmt_some(g, a->duplicates),
                                       [BAD] = smi_fmt_some(g, smi_account_rejected(a)),
                                       [GAPS] = smi_fmt_some(g, in->gaps),
                                       [EVERY] = smi_fmt_interval(g, in->interval_s),
                                       [WORST] = smi_fmt_interval(g, in->interval_max_s),
                                       [ODDITY] = first_oddity(g, a)};
    struct smi_table_cell *row = smi_table_add(t, SMI_ROW_PLAIN, text);
    if (row)
        row[RUN].run = s;
}

static bool is_odd(const struct smi_input *in)
{
    return in->gaps > 0 || in->account.problems > 0 || smi_account_rejected(&in->account) > 0;
}

size_t smi_input_table(struct smi_report_table *t, struct smi_text_arena *g, const struct smi_summary *runs,
                       size_t n, size_t most)
{
    const struct smi_table_column col[COLUMNS] = {
        [RUN] = {.head = "RUN", .long_head = "Run", .hidden = !most},
        [PATH] =
            {.head = "INPUTS", .long_head = "File", .words = SMI_WORDS_OF_LOG, .names = true, .least = 14},
        [FORMAT] = {.head = "FORMAT", .long_head = "Format", .words = SMI_WORDS_OF_LOG, .least = 6},
        [LINES] = {.head = "LINES", .long_head = "Lines", .align = SMI_RIGHT, .leave = 3},
        [ROWS] = {.head = "ROWS", .long_head = "Rows", .align = SMI_RIGHT},
        [TWICE] = {.head = "TWICE", .long_head = "Twice", .align = SMI_RIGHT, .sparse = true},
        [BAD] = {.head = "BAD", .long_head = "Rejected", .align = SMI_RIGHT},
        [GAPS] = {.head = "GAPS", .long_head = "Gaps", .align = SMI_RIGHT},
        [EVERY] = {.head = "EVERY", .long_head = "Every", .align = SMI_RIGHT, .leave = 2},
        [WORST] = {.head = "WORST", .long_head = "Longest", .align = SMI_RIGHT, .leave = 4},
        [ODDITY] = {
            .head = "FIRST ODDITY", .long_head = "First oddity", .words = SMI_WORDS_MIXED, .hidden = !most}};
    size_t odd = 0;
    smi_table_begin(t, g, col, COLUMNS);
    for (size_t i = 0; smi_sweep_has_run_of(g->sweep, i, n); i++)
        for (size_t k = 0; k < runs[i].ninputs; k++) {
            const struct smi_input *in = &runs[i].inputs[k];
            odd += is_odd(in);
            if (!most || (is_odd(in) && odd <= most))
                add_input_row(t, &runs[i], in);
        }
    return odd;
}

/* Problem k of an input, unless an earlier one said the same of another line. */
static void write_odd_line(struct smi_text_arena *g, const struct smi_input *in, size_t k)
{
    const struct smi_log_warning *p = &in->account.problem[k];
    int64_t lines = smi_warning_lines(&in->account, k);
    if (lines == 0)
        return;
    smi_wrap_part(g, 0, 4, p->line > 0 ? "  %s:%lld:" : "  %s:", smi_fmt_safe(g, in->path),
                  (long long)p->line);
    smi_wrap_words(g, 1, smi_fmt_sentence(g, p->text), 4);
    if (lines > 1)
        smi_wrap_part(g, 1, 4, "(%lld such lines)", (long long)lines);
    smi_wrap_newline(g);
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
    const struct smi_input *instants = NULL;
    struct smi_report_table t;
    smi_input_table(&t, g, s, 1, 0);
    smi_table_text(&t);
    for (size_t i = 0; i < s->ninputs; i++) {
        for (size_t k = 0; k < s->inputs[i].account.problems; k++)
            write_odd_line(g, &s->inputs[i], k);
        instants = instants || !s->inputs[i].note ? instants : &s->inputs[i];
    }
    if (instants)
        smi_wrap_fmt(g, SMI_STYLE_PLAIN, "peaks shorter than %s are not seen",
                     smi_fmt_interval(g, instants->interval_s));
    write_absences_line(g, s);
}

/* --- parameters: those of all runs in the head, those that differ as columns --- */

enum {
    HEAD_SHOWN = 12,
    TEXT_SHOWN = 32, /* bytes of a value in the head of a window: longer ones are texts, not settings */
};

bool smi_param_in_names(const struct smi_summary *const *run, size_t n, const char *key)
{
    for (size_t i = 0; i < n; i++) {
        const struct smi_param *p = smi_run_param(run[i], key);
        if (p && p->text && !smi_param_in_name(run[i]->run, p))
            return false;
    }
    return true;
}

int smi_param_columns(struct smi_text_arena *g, const struct smi_summary *const *run, size_t n,
                      const char **key, int most, size_t *left)
{
    const struct smi_sweep *s = g->sweep;
    const char **value;
    int shown = 0;
    for (size_t i = 0; i < 2 * s->nvarying; i++) {
        const char *name = s->varying[i % s->nvarying];
        if (smi_param_is_repeat(name) != (i >= s->nvarying) || smi_param_in_names(run, n, name))
            continue; /* repeats come last */
        if (shown >= most || ((g->look->width || most < SMI_PARAM_COLUMNS) &&
                              (smi_param_is_rare(g, name) || smi_param_values(g, name, &value) < 2)))
            ++*left;
        else
            key[shown++] = name;
    }
    for (size_t k = s->nresults; k < s->njoined; k++)
        if (shown < most)
            key[shown++] = s->joined[k];
        else
            ++*left;
    return shown;
}

void smi_params_head(struct smi_text_arena *g)
{
    const struct smi_sweep *s = g->sweep;
    size_t shown = 0;
    for (size_t i = 0; i < s->ncommon; i++) {
        const char *key = smi_fmt_safe(g, s->common[i].key);
        if (g->look->width && (shown == HEAD_SHOWN || strlen(s->common[i].text) > TEXT_SHOWN))
            continue;
        smi_wrap_part(g, shown++ ? 1 : 3, 0, "%s=%s", key, smi_fmt_safe(g, s->common[i].text));
    }
    if (shown < s->ncommon)
        smi_wrap_part(g, shown ? 1 : 3, 0, "(%s: --json)",
                      smi_fmt_count(g, (int64_t)(s->ncommon - shown), "more parameter"));
}
