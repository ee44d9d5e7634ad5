/* parts.c - tables of the parts of a run: inputs, phases, commands, findings */
#include "report/text_report.h"
#include "sweep/sweep.h"

#include <stdlib.h>
#include <string.h>

/* what went into runs: what became of the lines of the logs, how often they were written, which
 * readings they lack; and the parameters. */

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

static bool is_odd(const struct smi_input *in)
{
    return in->gaps > 0 || in->account.problems > 0 || smi_account_rejected(&in->account) > 0;
}

const char *smi_problem_text(struct smi_text_arena *g, const struct smi_log_warning *p)
{
    const char *text = smi_fmt_safe(g, p->text);
    return p->line > 0 ? smi_fmt(g, "line %lld: %s", (long long)p->line, text) : text;
}

size_t smi_input_table(struct smi_report_table *t, struct smi_text_arena *g, const struct smi_summary *runs,
                       size_t n, size_t most)
{
    size_t odd = 0;
    smi_table_begin(t, g, NULL, 0);
    for (size_t i = 0; smi_sweep_has_run_of(g->sweep, i, n); i++)
        for (size_t k = 0; k < runs[i].ninputs; k++) {
            const struct smi_input *in = &runs[i].inputs[k];
            odd += is_odd(in);
            if (most && (!is_odd(in) || odd > most))
                continue;
            const struct smi_account *a = &in->account;
            smi_table_row(t, SMI_ROW_PLAIN);
            smi_table_name_run(SMI_CELL(t, NULL, .head = "RUN", .long_head = "Run", .hidden = !most),
                               &runs[i]);
            SMI_CELL(t, in->path, .head = "INPUTS", .long_head = "File", .words = SMI_WORDS_OF_LOG,
                     .names = true, .least = 14);
            SMI_CELL(t, in->format, .head = "FORMAT", .long_head = "Format", .words = SMI_WORDS_OF_LOG,
                     .least = 6);
            SMI_NUMBER(t, smi_fmt_int(g, a->lines), .head = "LINES", .long_head = "Lines", .leave = 3);
            SMI_NUMBER(t, smi_fmt_int(g, a->rows), .head = "ROWS", .long_head = "Rows");
            SMI_NUMBER(t, smi_fmt_some(g, a->duplicates), .head = "TWICE", .long_head = "Twice",
                       .sparse = true);
            SMI_NUMBER(t, smi_fmt_some(g, smi_account_rejected(a)), .head = "BAD", .long_head = "Rejected");
            SMI_NUMBER(t, smi_fmt_some(g, in->gaps), .head = "GAPS", .long_head = "Gaps");
            SMI_CELL(t, smi_fmt_interval(g, in->interval_s), .head = "EVERY", .align = SMI_RIGHT,
                     .long_head = "Every", .leave = 2);
            SMI_CELL(t, smi_fmt_interval(g, in->interval_max_s), .head = "WORST", .align = SMI_RIGHT,
                     .long_head = "Longest", .leave = 4);
            SMI_CELL(t, a->problems ? smi_problem_text(g, a->problem) : "-", .head = "FIRST ODDITY",
                     .long_head = "First oddity", .words = SMI_WORDS_MIXED, .hidden = !most);
        }
    return odd;
}

/* ---- the phases of one run or of several: those of one name are one row ---- */

enum { NAMES = 256 /* told apart over several runs */, SHOWN = 16 };

/* The phases of one name. */
struct phase {
    const char *name;
    int64_t runs, count, samples, micro_s;
    struct smi_headline block;
    struct smi_value energy_wh, idle_pct; /* idle_pct: of one run */
    bool held;                            /* where most VRAM is used, it is reserved */
};

/* Adds the phases of one name to those of other names. */
static void join_phases(struct phase *to, const struct phase *p)
{
    const struct smi_headline_sum *vram = &p->block.pool[SMI_POOL_VRAM],
                                  *most = &to->block.pool[SMI_POOL_VRAM];
    if (vram->n && (!most->n || vram->max > most->max))
        to->held = p->held;
    to->runs = p->runs > to->runs ? p->runs : to->runs;
    to->count += p->count;
    to->samples += p->samples;
    to->micro_s += p->micro_s;
    smi_headline_merge(&to->block, &p->block);
    to->energy_wh.has |= p->energy_wh.has;
    to->energy_wh.micro += p->energy_wh.micro;
}

static void add_phase(struct phase *to, const struct smi_summary *s, const struct smi_phase_summary *p)
{
    const int64_t vram = p->block.pool[SMI_POOL_VRAM].max;
    join_phases(to,
                &(struct phase){.count = p->count,
                                .samples = p->summarised ? p->samples : 0,
                                .micro_s = p->seconds.has ? p->seconds.micro : 0,
                                .block = p->block,
                                .energy_wh = p->energy_wh,
                                .held = smi_vram_held(s) &&
                                        (smi_i128)vram * 100 >= (smi_i128)s->vram.device_peak_mb.micro * 99});
    to->runs++;
    to->idle_pct = to->runs == 1 ? p->idle_pct : (struct smi_value){0};
}

static int by_length(const void *a, const void *b)
{
    const struct phase *x = a, *y = b;
    return x->micro_s != y->micro_s ? (x->micro_s > y->micro_s ? -1 : 1) : strcmp(x->name, y->name);
}

/* Of n runs, which took so long together. */
static void add_phase_row(struct smi_report_table *t, const struct phase *p, size_t n, int64_t all)
{
    struct smi_text_arena *g = t->page;
    const struct smi_headline_sum *vram = &p->block.pool[SMI_POOL_VRAM];
    const char *device = p->held ? "reserved" : smi_fmt_gib(g, (struct smi_value){vram->max, true});
    smi_table_row(t, SMI_ROW_PLAIN);
    SMI_CELL(t, p->name, .head = "PHASE", .long_head = "Phase", .words = SMI_WORDS_OF_LOG, .least = 12);
    SMI_NUMBER(t, smi_fmt_int(g, p->runs), .head = "RUNS", .long_head = "Runs", .hidden = n == 1);
    SMI_NUMBER(t, smi_fmt_int(g, p->count), .head = "TIMES", .long_head = "Times", .leave = 2);
    SMI_CELL(t, smi_fmt_time(g, p->micro_s / 1000), .head = "TIME", .long_head = "Time", .align = SMI_RIGHT);
    SMI_NUMBER(t, all ? smi_fmt_ratio(g, (smi_i128)p->micro_s * 100, all, 1) : "-", .head = "SHARE %",
               .long_head = "Share %");
    SMI_NUMBER(t, smi_fmt_mean(g, &p->block, SMI_FIG_UTIL), .head = "GPU %");
    SMI_NUMBER(t, smi_fmt_value(g, p->idle_pct, 1), .head = "IDLE %", .long_head = "Idle %", .hidden = n > 1);
    SMI_NUMBER(t, vram->n ? device : "-", .head = "VRAM GiB", .long_head = "Device VRAM GiB");
    SMI_NUMBER(t, smi_fmt_value(g, p->energy_wh, 1), .head = "Wh", .leave = 1);
    SMI_NUMBER(t, smi_fmt_some(g, p->samples), .head = "SAMPLES", .long_head = "Samples", .leave = 2);
}

bool smi_phase_table(struct smi_report_table *t, struct smi_text_arena *g, const struct smi_summary *runs,
                     size_t n)
{
    const size_t most = n == 1 ? runs->nphases : NAMES;
    struct phase *list = smi_arena_new(&g->arena, most + 1, sizeof *list);
    size_t names = 0;
    int64_t all = 0;
    /* In the order in which they come; names beyond the first `most` are joined in the last. */
    for (size_t i = 0, k; smi_sweep_has_run_of(g->sweep, i, n); i++) {
        all += runs[i].duration_s.has ? runs[i].duration_s.micro : 0;
        for (const struct smi_phase_summary *p = runs[i].phases; p < runs[i].phases + runs[i].nphases; p++) {
            for (k = 0; k < names && k < most && strcmp(list[k].name, p->name) != 0; k++)
                ;
            if (k == names)
                list[names++].name = k < most ? p->name : "others";
            add_phase(&list[k], &runs[i], p);
        }
    }
    if (names == 0)
        return false;
    smi_table_begin(t, g, NULL, 0);
    if (names > SHOWN) { /* the longest, then all others, such as those that were joined already */
        qsort(list, names < most ? names : most, sizeof *list, by_length);
        list[SHOWN - 1].name = smi_fmt(g, "others (%zu)", names - SHOWN + 1);
        for (; names > SHOWN; names--)
            join_phases(&list[SHOWN - 1], &list[names - 1]);
    }
    for (size_t i = 0; i < names; i++)
        add_phase_row(t, &list[i], n, all);
    return true;
}

/* ---- tracked commands: what they were, how they ended, what they used ---- */

enum { TEXT = 160 /* columns */ };

const char *smi_command_text(struct smi_text_arena *g, const struct smi_summary *s)
{
    return s->command ? smi_fmt_middle(g, smi_fmt_safe(g, s->command), TEXT, TEXT / 2) : NULL;
}

const char *smi_command_end(struct smi_text_arena *g, const struct smi_summary *s)
{
    const char *code = s->has_exit ? smi_fmt(g, "exit status %lld", (long long)s->exit_code) : "";
    const char *why = s->state_reason ? smi_fmt_safe(g, s->state_reason) : "";
    if (!*why || !*code || strcmp(why, code) == 0)
        return *code ? code : why;
    return smi_fmt(g, "%s (%s)", why, code);
}

static bool in_mib(const struct smi_command_use *u)
{
    return strcmp(smi_metrics[u->metric[SMI_COMMAND_ALL]].unit, "MiB") == 0;
}

/* Shown in GiB, where the most is one or more. x: of the whole of a row. */
static bool in_gib(const struct smi_command_figures *x, const struct smi_command_use *u)
{
    return x->max.has && in_mib(u) && x->max.micro >= (int64_t)1024 * 1000000;
}

/* "% of a core", "GiB", "" */
static const char *unit_text(struct smi_text_arena *g, const struct smi_command_use *u, bool large)
{
    const char *unit = large ? "GiB" : smi_metrics[u->metric[SMI_COMMAND_ALL]].unit;
    return u->unit ? smi_fmt(g, "%s %s", unit, u->unit) : unit;
}

/* A mean, or the most, of x; "-": it is not there. */
static const char *figure_text(struct smi_text_arena *g, const struct smi_command_use *u,
                               const struct smi_command_figures *x, bool mean, bool large)
{
    const struct smi_value v = mean ? x->mean : x->max;
    if (!v.has)
        return "-";
    if (large)
        return smi_fmt_ratio(g, v.micro, (int64_t)1024 * 1000000, 2);
    return smi_fmt_value(g, v, mean || u->mean || in_mib(u) ? 1 : 0);
}

bool smi_command_table(struct smi_report_table *t, struct smi_text_arena *g, const struct smi_summary *s)
{
    static const struct {
        const char *mean, *long_mean, *max, *long_max;
    } heads[SMI_COMMAND_PARTS] = {{"MEAN", "Mean", "MAX", "Max"},
                                  {"MAIN MEAN", "Main, mean", "MAX", "max"},
                                  {"DESCENDANTS MEAN", "Descendants, mean", "MAX", "max"}};
    smi_table_begin(t, g, NULL, 0);
    for (const struct smi_command_use *u = smi_command_uses; u < smi_command_uses + SMI_COMMAND_USES; u++) {
        const struct smi_command_figures all = smi_command_figures(s, u, SMI_COMMAND_ALL);
        const bool large = in_gib(&all, u);
        if (!all.there)
            continue;
        smi_table_row(t, SMI_ROW_PLAIN);
        SMI_CELL(t, u->what, .head = "COMMAND USED", .long_head = "The command used");
        for (int k = 0; k < SMI_COMMAND_PARTS; k++) {
            const struct smi_command_figures x = smi_command_figures(s, u, (enum smi_command_part)k);
            SMI_NUMBER(t, figure_text(g, u, &x, true, large), .head = heads[k].mean,
                       .long_head = heads[k].long_mean, .leave = k > 0);
            SMI_NUMBER(t, figure_text(g, u, &x, false, large), .head = heads[k].max,
                       .long_head = heads[k].long_max);
        }
        SMI_CELL(t, unit_text(g, u, large), .head = "unit", .long_head = "");
    }
    return t->rows > 1;
}

size_t smi_commands_table(struct smi_report_table *t, struct smi_text_arena *g, size_t most)
{
    size_t n = 0;
    smi_table_begin(t, g, NULL, 0);
    for (size_t i = 0; smi_sweep_has_run(g->sweep, i); i++) {
        const struct smi_summary *s = &g->sweep->runs[i];
        const char *end = smi_command_end(g, s);
        if (!smi_command_is_tracked(s) || n++ >= most)
            continue;
        smi_table_row(t, SMI_ROW_PLAIN);
        smi_table_name_run(SMI_CELL(t, NULL, .head = "Run"), s);
        SMI_CELL(t, smi_command_text(g, s), .head = "Command")->words = SMI_WORDS_OF_LOG;
        SMI_CELL(t, *end ? end : "-", .head = "Ended", .words = SMI_WORDS_MIXED)->style =
            s->state == SMI_STATE_FAILED ? SMI_RED : SMI_STYLE_PLAIN;
        for (const struct smi_command_use *u = smi_command_uses; u < smi_command_uses + SMI_COMMAND_USES;
             u++) {
            const struct smi_command_figures x = smi_command_figures(s, u, SMI_COMMAND_ALL);
            const bool large = in_gib(&x, u);
            const char *unit = x.there && !u->mean ? unit_text(g, u, large) : "";
            if (u->brief)
                SMI_CELL(t,
                         smi_fmt(g, "%s%s%s", figure_text(g, u, &x, u->mean, large), *unit ? " " : "", unit),
                         .head = smi_fmt(g, "%s%s%s", u->mean ? "" : "Most ", u->what, u->mean ? ", %" : ""),
                         .align = SMI_RIGHT);
        }
    }
    return n;
}

/* ---- what the rules say of one run or of several, a row for each rule; what a run is noted for ---- */

/* Findings of a rule on several GPUs of a run are one thing, and at most the run's GPU time. */
static void add_run_findings(struct smi_advice *list, const struct smi_summary *s)
{
    for (size_t i = 0, k; i < s->nfindings; i = k) {
        const struct smi_finding *most = &s->findings[i];
        struct smi_advice *c = &list[most->rule];
        int64_t ms = 0;
        for (k = i; k < s->nfindings && s->findings[k].rule == s->findings[i].rule; k++) {
            const struct smi_finding *f = &s->findings[k];
            ms += f->gpu_ms;
            c->cost.micro += f->cost.micro;
            c->cost.has |= f->cost.has;
            most = f->gpu_ms > most->gpu_ms ? f : most;
            c->level = f->level > c->level ? f->level : c->level;
            c->findings++;
            if (f->value.has && (!c->high || f->value.micro > c->high->value.micro))
                c->high = f;
        }
        ms = ms < s->covered_ms ? ms : s->covered_ms;
        c->ms += ms;
        if (!c->runs++ || ms > c->most_ms) {
            c->run = s;
            c->of = most;
            c->most_ms = ms;
        }
    }
}

/* Waste and errors first, then what could be better, then what is to be known: its hours were not lost. */
static int rule_order(const struct smi_advice *c)
{
    return c->rule <= SMI_RULE_STALL || c->level == SMI_LEVEL_ERROR ? 0 : c->level == SMI_LEVEL_INFO ? 2 : 1;
}

static int by_hours(const void *a, const void *b)
{
    const struct smi_advice *x = a, *y = b;
    if (rule_order(x) != rule_order(y))
        return rule_order(x) - rule_order(y);
    if (x->ms != y->ms)
        return x->ms > y->ms ? -1 : 1;
    return x->level != y->level ? (x->level > y->level ? -1 : 1) : x->rule - y->rule;
}

size_t smi_advice_list(struct smi_text_arena *g, const struct smi_summary *runs, size_t n,
                       struct smi_advice **out)
{
    struct smi_advice *list = smi_arena_new(&g->arena, SMI_RULE_COUNT, sizeof *list);
    size_t kept = 0;
    *out = list;
    for (int i = 0; i < SMI_RULE_COUNT; i++)
        list[i].rule = i;
    for (size_t i = 0; smi_sweep_has_run_of(g->sweep, i, n); i++)
        add_run_findings(list, &runs[i]);
    for (size_t i = 0; i < SMI_RULE_COUNT; i++)
        if (list[i].runs)
            list[kept++] = list[i];
    if (kept)
        qsort(list, kept, sizeof *list, by_hours);
    return kept;
}

const struct smi_finding *smi_advice_words(const struct smi_advice *a)
{
    return a->rule == SMI_RULE_MEMORY_MOSTLY_EMPTY && a->high ? a->high : a->of;
}

const char *smi_advice_text(struct smi_text_arena *g, const struct smi_advice *a)
{
    const char *text = smi_fmt_sentence(g, smi_advice_words(a)->text);
    return a->findings > 1 ? smi_fmt(g, "%s, and %zu more", text, a->findings - 1) : text;
}

bool smi_finding_table(struct smi_report_table *t, struct smi_text_arena *g, const struct smi_summary *runs,
                       size_t n)
{
    struct smi_advice *list;
    const size_t rules = smi_advice_list(g, runs, n, &list);
    smi_table_begin(t, g, NULL, 0);
    for (size_t i = 0; i < rules; i++) {
        static const enum smi_style style[] = {SMI_STYLE_PLAIN, SMI_YELLOW, SMI_YELLOW,
                                               SMI_RED}; /* as smi_level */
        const struct smi_advice *a = &list[i];
        const struct smi_finding *f = smi_advice_words(a);
        smi_table_row(t, SMI_ROW_PLAIN);
        SMI_CELL(t, smi_rules[a->rule].key, .head = "FINDINGS", .long_head = "Cause");
        SMI_CELL(t, smi_level_names[a->level], .head = "LEVEL", .long_head = "Level")->style =
            style[a->level];
        SMI_NUMBER(t, a->ms ? smi_fmt_hours(g, a->ms) : "-", .head = "GPU-h");
        SMI_NUMBER(t, smi_fmt_money(g, a->cost), .head = "COST", .long_head = "Cost",
                   .hidden = !g->look->money);
        SMI_NUMBER(t, smi_fmt_int(g, (int64_t)a->runs), .head = "RUNS", .long_head = "Runs",
                   .hidden = n == 1);
        smi_table_name_run(SMI_CELL(t, NULL, .head = "MOST IN", .long_head = "Most in", .hidden = n == 1),
                           a->run);
        SMI_CELL(
            t, smi_fmt(g, "%s%s%s", smi_advice_text(g, a), f->advice ? ": " : "", f->advice ? f->advice : ""),
            .head = "WHAT, AND WHAT TO DO", .long_head = "What happened, and what to do",
            .words = SMI_WORDS_MIXED, .least = 20, .wraps = true);
    }
    return rules > 0;
}

/* --- notes --- */

/* "GPU 1 unused", "3 of 8 GPUs unused", "all 8 GPUs unused" */
static const char *unused_gpus_note(struct smi_text_arena *g, const struct smi_summary *s)
{
    const struct smi_gpu *last = NULL;
    size_t all = smi_run_gpus(s, NULL), n = 0;
    for (size_t i = 0; i < s->ngpus; i++)
        if (smi_gpu_unused(&s->gpus[i])) {
            last = &s->gpus[i];
            n++;
        }
    if (all == 1)
        return "GPU unused";
    if (n == 1)
        return smi_fmt(g, "GPU %s unused", smi_gpu_label(g, last));
    return n == all ? smi_fmt(g, "all %zu GPUs unused", n) : smi_fmt(g, "%zu of %zu GPUs unused", n, all);
}

const char *smi_run_cut_reason(struct smi_text_arena *g, const struct smi_summary *s)
{
    bool run_log = !s->state_reason || strcmp(s->state_reason, "no end in the run log") == 0;
    return run_log ? "no end in log" : smi_fmt_safe(g, s->state_reason);
}

const char *smi_run_note_text(struct smi_text_arena *g, const struct smi_summary *s)
{
    switch (smi_run_note_of(s)) {
    case SMI_NOTE_FAILED:
        return s->state_reason ? smi_fmt_safe(g, s->state_reason) : "failed";
    case SMI_NOTE_NO_DATA:
    case SMI_NOTE_ERROR:
        return smi_first_grave_error(s) ? smi_error_text(g, smi_first_grave_error(s))
                                        : smi_run_no_data_reason(s);
    case SMI_NOTE_LOG:
        return "GPU log not usable";
    case SMI_NOTE_CUT:
        return smi_run_cut_reason(g, s);
    case SMI_NOTE_FINDING:
        return smi_findings_worst(s, SMI_LEVEL_WARN)->rule == SMI_RULE_UNUSED
                   ? unused_gpus_note(g, s)
                   : smi_fmt_sentence(g, smi_findings_worst(s, SMI_LEVEL_WARN)->note);
    default:
        return "";
    }
}

/* ---- where the GPU-hours went ---- */

/* What is in no part of the waste: GPU time that was used, and that of which nothing is known; what both
 * cost, and what the energy cost beside them. */
struct not_wasted {
    int64_t used_ms, unknown_ms;
    struct smi_value used, unknown, energy;
};

static void sum_not_wasted(const struct smi_sweep *s, struct not_wasted *out)
{
    *out = (struct not_wasted){.unknown_ms = s->total.waste.ms[SMI_WASTE_UNKNOWN]};
    out->used_ms = s->total.covered_ms - smi_wasted_ms(&s->total.waste) - out->unknown_ms;
    smi_price_split(&s->total.money, &out->used, &out->energy);
    if (!out->unknown_ms)
        return;
    out->unknown.has = out->used.has;
    for (size_t i = 0; smi_sweep_has_run(s, i); i++)
        for (size_t k = 0; k < s->runs[i].ngpus; k++) {
            const struct smi_summary *r = &s->runs[i];
            int64_t ms = r->money.whole ? r->gpus[k].waste.ms[SMI_WASTE_UNKNOWN] : 0, shared = ms;
            smi_gpu_shared(&r->gpus[k], &shared, 1);
            ms -= shared;
            out->unknown.micro += ms ? smi_price_time(r, &r->gpus[k], ms).micro : 0;
        }
    out->used.micro -= out->unknown.micro;
}

const char *smi_unknown_hours_text(struct smi_text_arena *g, const struct smi_total *t)
{
    enum { SHARE = 100, LEAST_MS = 36000 /* 0.01 h */ };
    return t->waste.ms[SMI_WASTE_UNKNOWN] < LEAST_MS || t->waste.ms[SMI_WASTE_UNKNOWN] * SHARE < t->covered_ms
               ? ""
               : smi_fmt(g, "; %s GPU-hours have no readings of GPU use",
                         smi_fmt_hours(g, t->waste.ms[SMI_WASTE_UNKNOWN]));
}

/* The sums of all runs, or of one with all of its time. */
static struct smi_total sum_runs(struct smi_text_arena *g, const struct smi_summary *runs, size_t n)
{
    struct smi_total t = {0};
    for (size_t i = 0; smi_sweep_has_run_of(g->sweep, i, n); i++)
        smi_total_add(&t, &runs[i], n > 1);
    smi_total_close(&t);
    return t;
}

/* The longest idle stretch with work before and after it, of all GPUs; 0: none known. */
static int64_t stall_ms(const struct smi_summary *s)
{
    int64_t longest = 0;
    for (size_t i = 0; i < s->ngpus; i++)
        longest = s->gpus[i].stall_ms > longest ? s->gpus[i].stall_ms : longest;
    return longest;
}

/* --- where the hours went --- */

static size_t count_runs_with_cause(const struct smi_summary *s, int id)
{
    size_t n = 0;
    for (size_t i = 0; i < s->ngpus; i++) {
        const struct smi_gpu *gpu = &s->gpus[i];
        n += id == 1 ? smi_gpu_unused(gpu)
                     : gpu->worked && (id == 2   ? gpu->lead_ms > 0
                                       : id == 4 ? gpu->trail_ms > 0
                                                 : true);
    }
    return n;
}

enum { CAUSES = 32, CAUSES_SHOWN = 3 };

/* Why runs failed, less the file that says it. */
struct failure {
    struct smi_text cause;
    size_t n, first; /* its runs, and the place of the first */
};

static int by_number(const void *a, const void *b)
{
    const struct failure *x = a, *y = b;
    return x->n != y->n ? (x->n > y->n ? -1 : 1) : (x->first > y->first) - (x->first < y->first);
}

/* "exit status 1", "out of memory in 7, exit status 1 in 2"; behind it the first file that says so. */
static const char *failure_reasons(struct smi_text_arena *g, const struct smi_waste_cause *c)
{
    struct failure f[CAUSES];
    const char *source = "", *all = "";
    size_t sources = 0, n = 0, left = c->n;
    for (size_t i = 0, k; i < c->n; i++) {
        const char *reason = c->run[i]->state_reason ? c->run[i]->state_reason : "failed";
        const struct smi_text cause = smi_reason_cause(reason);
        if (reason[cause.n] && (!sources || strcmp(source, reason + cause.n + 2) != 0) && !sources++)
            source = reason + cause.n + 2; /* behind " (" */
        for (k = 0; k < n && !smi_text_equal(f[k].cause, cause);)
            k++;
        if (k == n && n < CAUSES)
            f[n++] = (struct failure){cause, 0, i};
        if (k < n)
            f[k].n++;
    }
    qsort(f, n, sizeof *f, by_number);
    for (size_t i = 0; i < n && i < CAUSES_SHOWN; i++) {
        const char *cause =
            smi_fmt_brief(g, smi_fmt_safe(g, smi_fmt(g, "%.*s", (int)f[i].cause.n, f[i].cause.p)));
        all = n == 1 ? cause : smi_fmt_list(g, all, smi_fmt(g, "%s in %zu", cause, f[i].n));
        left -= f[i].n;
    }
    if (left)
        all = smi_fmt(g, "%s, other causes in %zu", all, left);
    if (!sources)
        return all;
    source = smi_fmt_safe(g, smi_fmt(g, "%.*s", (int)strcspn(source, ")"), source));
    return smi_fmt(g, sources == 1 ? "%s (%s)" : "%s (%s and %zu more)", all, source, sources - 1);
}

/* ", 7 of them at lr=1" if one value of a parameter has most of the runs, and less than half of the sweep. */
static const char *failure_runs(struct smi_text_arena *g, const struct smi_waste_cause *c)
{
    const struct smi_sweep *s = g->sweep;
    const struct smi_param *p, *q;
    size_t i, k, n, all;
    for (i = 0; i < s->nvarying && c->n > 2; i++) {
        p = smi_param_is_repeat(s->varying[i]) ? NULL : smi_run_param(c->run[c->n / 2], s->varying[i]);
        for (k = n = 0; p && k < c->n; k++) {
            q = smi_run_param(c->run[k], p->key);
            n += q && strcmp(p->text, q->text) == 0;
        }
        for (k = all = 0; p && smi_sweep_has_run(s, k); k++) {
            q = smi_run_param(&s->runs[k], p->key);
            all += q && strcmp(p->text, q->text) == 0;
        }
        if (p && n * 10 >= c->n * 6 && all * 2 < s->n) {
            const char *at = smi_fmt_safe(g, smi_fmt(g, "%s=%s", p->key, p->text));
            return n == c->n ? smi_fmt(g, ", all at %s", at) : smi_fmt(g, ", %zu of them at %s", n, at);
        }
    }
    return "";
}

/* The largest finding on a cause in its runs, and how many there are; NULL: none. */
static const struct smi_finding *finding_on_cause(const struct smi_sweep *s, const struct smi_waste_cause *c,
                                                  size_t *n)
{
    const int rule = smi_rule_find(c->name);
    const struct smi_finding *most = NULL;
    *n = 0;
    for (size_t k = 0; smi_sweep_has_run_of(s, k, c->n); k++)
        for (const struct smi_finding *f = c->run[k]->findings;
             f < c->run[k]->findings + c->run[k]->nfindings; f++) {
            if (f->rule != rule && !(c->id == 0 && f->rule == SMI_RULE_OUT_OF_MEMORY))
                continue;
            most = !most || f->gpu_ms > most->gpu_ms ? f : most;
            ++*n;
        }
    return most;
}

static const char *explain_cause(struct smi_text_arena *g, const struct smi_waste_cause *c)
{
    const char *where = c->id == 2 ? "idle before the first work" : "idle after the last work";
    int64_t ms = 0;
    size_t all = 0, findings;
    const struct smi_finding *f = finding_on_cause(g->sweep, c, &findings);
    if (f && c->n == 1)
        return findings == 1 ? smi_fmt_sentence(g, f->text)
                             : smi_fmt(g, "%s, and %zu more", smi_fmt_sentence(g, f->text), findings - 1);
    for (size_t i = 0; smi_sweep_has_run_of(g->sweep, i, c->n); i++) {
        all += smi_run_gpus(c->run[i], NULL);
        ms += c->run[i]->waste.ms[c->id];
    }
    if (c->id == 0)
        return failure_reasons(g, c);
    if (c->id == 1)
        return smi_fmt(g, "%zu of %s did no work at all", c->gpus, smi_fmt_count(g, (int64_t)all, "GPU"));
    if (c->id == 3) {
        const struct smi_summary *worst = c->run[0];
        for (size_t i = 1; i < c->n; i++)
            if (stall_ms(c->run[i]) > stall_ms(worst))
                worst = c->run[i];
        if (stall_ms(worst) == 0)
            return "idle between work";
        return smi_fmt(g, "idle between work, longest %s%s%s", smi_fmt_time(g, stall_ms(worst)),
                       c->n == 1 ? "" : " in ", c->n == 1 ? "" : smi_fmt_run(g, worst->run));
    }
    return smi_fmt(g, c->gpus > 1 ? "%s, %s on average" : "%s, %s", where,
                   smi_fmt_time(g, ms / (c->gpus ? (int64_t)c->gpus : 1)));
}

static int by_size(const void *a, const void *b)
{
    const struct smi_waste_cause *x = a, *y = b;
    return x->ms != y->ms ? (x->ms > y->ms ? -1 : 1) : x->id - y->id;
}

size_t smi_waste_causes(struct smi_text_arena *g, const struct smi_summary *runs, size_t n,
                        struct smi_waste_cause out[5])
{
    const struct smi_total t = sum_runs(g, runs, n);
    size_t causes = 0, findings;
    for (int id = 0; id < 5; id++) {
        struct smi_waste_cause *c = &out[causes];
        *c = (struct smi_waste_cause){.id = id,
                                      .name = smi_waste_names[id],
                                      .ms = t.waste.ms[id],
                                      .cost.micro = t.wasted_cost[id].micro};
        c->run = smi_arena_new(&g->arena, n + 1, sizeof *c->run);
        for (size_t i = 0; i < n; i++) {
            if (runs[i].waste.ms[id] <= 0)
                continue;
            c->cost.has |= runs[i].wasted_cost[id].has;
            c->run[c->n++] = &runs[i];
            c->gpus += count_runs_with_cause(&runs[i], id);
        }
        causes += c->ms > 0;
    }
    qsort(out, causes, sizeof *out, by_size);
    for (size_t i = 0; i < causes; i++) {
        struct smi_waste_cause *c = &out[i];
        if (c->n > 1)
            c->where = smi_fmt(g, "%zu runs%s", c->n, c->id == 0 ? failure_runs(g, c) : "");
        c->why = explain_cause(g, c);
        const struct smi_finding *f = finding_on_cause(g->sweep, c, &findings);
        c->advice = f && f->advice ? f->advice : smi_rules[smi_rule_find(c->name)].advice;
        c->advised = smi_total_advises(&t, c->id);
    }
    return causes;
}

size_t smi_waste_parts(struct smi_text_arena *g, const struct smi_summary *runs, size_t n, bool whole,
                       struct smi_waste_cause out[SMI_WASTE_PARTS])
{
    const struct smi_total *all = &g->sweep->total;
    struct smi_waste_cause *p = out;
    struct not_wasted rest;
    if (all->covered_ms <= 0)
        return 0;
    sum_not_wasted(g->sweep, &rest);
    if (whole)
        *p++ = (struct smi_waste_cause){.name = "used",
                                        .ms = rest.used_ms,
                                        .cost = rest.used,
                                        .why = "working, or waiting between readings"};
    if (whole && rest.unknown_ms)
        *p++ = (struct smi_waste_cause){.name = "not known",
                                        .ms = rest.unknown_ms,
                                        .cost = rest.unknown,
                                        .why = "no reading of utilisation"};
    p += smi_waste_causes(g, runs, n, p);
    if (whole)
        *p++ = (struct smi_waste_cause){
            .name = "wasted", .sum = true, .ms = smi_wasted_ms(&all->waste), .cost = all->wasted_cost[5]};
    if (whole && rest.energy.has && g->look->money)
        *p++ = (struct smi_waste_cause){.name = "energy", .sum = true, .ms = -1, .cost = rest.energy};
    if (whole)
        *p++ = (struct smi_waste_cause){.name = "all", .sum = true, .ms = all->covered_ms, .cost = all->cost};
    return (size_t)(p - out);
}

bool smi_waste_table(struct smi_report_table *t, struct smi_text_arena *g, const struct smi_summary *runs,
                     size_t n, bool whole)
{
    const struct smi_total *all = &g->sweep->total;
    const bool money = g->look->money && (whole || all->wasted_cost[5].has);
    struct smi_waste_cause part[SMI_WASTE_PARTS];
    const size_t parts = smi_waste_parts(g, runs, n, whole, part);
    smi_table_begin(t, g, NULL, 0);
    for (const struct smi_waste_cause *c = part; c < part + parts; c++) {
        struct smi_table_cell *row = smi_table_row(t, c->sum ? SMI_ROW_TOTAL : SMI_ROW_PLAIN);
        row->coloured = !c->sum;
        SMI_CELL(t, c->name, .head = "CAUSE", .long_head = "Part");
        SMI_NUMBER(t, c->ms < 0 ? NULL : smi_fmt_hours(g, c->ms), .head = "GPU-h");
        SMI_NUMBER(t, c->ms < 0 ? NULL : smi_fmt_ratio(g, (smi_i128)c->ms * 100, all->covered_ms, 1),
                   .head = "%", .hidden = !whole);
        SMI_NUMBER(t, smi_fmt_money(g, c->cost), .head = "COST", .long_head = "Cost", .hidden = !money);
        smi_table_name_run(SMI_CELL(t, c->where, .head = "WHERE", .long_head = "Where",
                                    .words = SMI_WORDS_MIXED, .least = 12, .hidden = n == 1),
                           c->run && !c->where ? c->run[0] : NULL);
        SMI_CELL(t, c->advised ? smi_fmt(g, "%s: %s", c->why, c->advice) : c->why, .head = "WHAT HAPPENED",
                 .long_head = "What happened", .words = SMI_WORDS_MIXED, .least = 20, .wraps = true);
    }
    return parts > 0;
}

const char *smi_waste_title(struct smi_text_arena *g, const struct smi_summary *runs, size_t n)
{
    const struct smi_total all = sum_runs(g, runs, n);
    const int64_t wasted = smi_wasted_ms(&all.waste);
    const char *lack, *cost = "";
    bool money;
    if (wasted <= 0 || all.covered_ms <= 0)
        return NULL;
    money = g->look->money && all.wasted_cost[5].has;
    if (money) /* "$0.31 wasted" where both costs are not known of the same runs */
        cost = smi_fmt(g, ", %s %s%s", smi_fmt_money(g, all.wasted_cost[5]),
                       all.cost.has && smi_total_costs_match(&all) ? "of " : "wasted",
                       all.cost.has && smi_total_costs_match(&all) ? smi_fmt_money(g, all.cost) : "");
    lack = money && n > 1 ? smi_total_missing_text(g, &all, all.of.wasted_cost) : NULL;
    return smi_fmt(g, "Where %s of %s GPU-hours went (%s %%%s%s%s)%s", smi_fmt_hours(g, wasted),
                   smi_fmt_hours(g, all.covered_ms),
                   smi_fmt_ratio(g, (smi_i128)wasted * 100, all.covered_ms, 1), cost, lack ? ", " : "",
                   lack ? lack : "", smi_unknown_hours_text(g, &all));
}
