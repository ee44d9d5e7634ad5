/* text_report.c - the terminal table: what was read, the table, what was wasted and why, what is doubtful,
 * the sum. */
#include "report/output.h"
#include "report/text_report.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- what went wrong: with the GPUs, in a line, and with -v a table; and what is doubtful in the logs, in a
 * line: rows that could not be used, holes, clocks that step back ---- */

/* --- the GPUs --- */

static const char *error_gpu_label(struct smi_text_arena *g, const struct smi_error *e)
{
    const struct smi_gpu gpu = {.index = e->gpu, .uuid = e->uuid, .bus = e->bus};
    return smi_gpu_label(g, &gpu);
}

static bool error_has_gpu(const struct smi_error *e)
{
    return e->gpu >= 0 || e->uuid || e->bus;
}

/* "XID 79", "recovery action needed: GPU Reset", "uncorrected ECC errors" */
static const char *error_words(struct smi_text_arena *g, const struct smi_error *e)
{
    if (e->id == SMI_FAULT_XID)
        return smi_fmt(g, "%s %lld", smi_faults[e->id].words, (long long)e->code);
    if (e->id == SMI_FAULT_RECOVERY) {
        int last = SMI_RECOVERY_ACTIONS - 1;
        return smi_fmt(g, "%s: %s", smi_faults[e->id].words,
                       smi_recovery_actions[e->code > 0 && e->code < last ? e->code : last]);
    }
    return smi_faults[e->id].words;
}

/* "GPU 3 lost", "GPU 3 requires reset", "XID 79 on GPU 3", "uncorrected ECC errors on GPU 0: 2". */
static const char *error_sentence(struct smi_text_arena *g, const struct smi_error *e)
{
    const char *t = error_words(g, e), *n = "";
    if (e->id == SMI_FAULT_ECC_UNCORR || e->id == SMI_FAULT_ECC_CORR || e->id == SMI_FAULT_REMAPPED ||
        e->id == SMI_FAULT_RETIRED) /* they count items, not rows or lines that show one */
        n = smi_fmt(g, ": %lld", (long long)e->n);
    if (!error_has_gpu(e))
        return smi_fmt(g, "%s%s", t, n);
    if (strncmp(t, "GPU ", 4) == 0)
        return smi_fmt(g, "GPU %s %s", error_gpu_label(g, e), t + 4);
    return smi_fmt(g, "%s on GPU %s%s", t, error_gpu_label(g, e), n);
}

static const char *error_time(struct smi_text_arena *g, const struct smi_summary *s, bool has, int64_t ms)
{
    bool days = s->end_ms - s->start_ms > 86400000;
    return !has || !s->has_start ? "-"
           : days                ? smi_fmt_timestamp(g, s, ms, 5, 14)
                                 : smi_fmt_timestamp(g, s, ms, 11, 8);
}

const char *smi_error_text(struct smi_text_arena *g, const struct smi_error *e)
{
    const char *t = smi_faults[e->id].words;
    if (strncmp(t, "GPU ", 4) == 0 && error_has_gpu(e))
        return error_sentence(g, e);
    return e->id == SMI_FAULT_XID ? error_words(g, e) : t;
}

/* With an empty line behind it. */
static void write_table(struct smi_report_table *t)
{
    smi_table_text(t);
    smi_wrap_newline(t->page);
}

/* A table of what went wrong with the GPUs of a run; nothing if there is nothing. */
static void write_errors(struct smi_text_arena *g, const struct smi_summary *s)
{
    struct smi_report_table table;
    smi_table_begin(&table, g, NULL, 0);
    for (size_t i = 0; i < s->nerrors; i++) {
        const struct smi_error *e = &s->errors[i];
        smi_table_row(&table, SMI_ROW_PLAIN)->style = smi_faults[e->id].grave ? SMI_RED : SMI_STYLE_PLAIN;
        SMI_CELL(&table, error_words(g, e), .head = "ERRORS", .least = 14);
        SMI_CELL(&table, error_has_gpu(e) ? error_gpu_label(g, e) : "-", .head = "GPU", .align = SMI_RIGHT);
        SMI_NUMBER(&table, smi_fmt_int(g, e->n), .head = "COUNT");
        SMI_CELL(&table, error_time(g, s, e->has_first, e->first_ms), .head = "FIRST");
        SMI_CELL(&table, error_time(g, s, e->has_last, e->last_ms), .head = "LAST");
    }
    if (s->nerrors)
        write_table(&table);
}

/* A note on several runs or logs together: how much of it there is, in how many of them, and
 * where there is most. */
struct tally {
    int64_t n, most, places;
    const char *worst;
};

static void count(struct tally *t, int64_t n, const char *place)
{
    t->n += n;
    t->places += n > 0;
    if (n > t->most) {
        t->most = n;
        t->worst = place;
    }
}

/* " (in run3)", " (in 2 runs, most in run3)", where all are 1 " (in 2 runs, first run3)"; what: "run" */
static const char *places_text(struct smi_text_arena *g, const struct tally *t, const char *what,
                               smi_name_format_fn *name)
{
    return t->places == 1 ? smi_fmt(g, " (in %s)", name(g, t->worst))
                          : smi_fmt(g, " (in %s, %s %s)", smi_fmt_count(g, t->places, what),
                                    t->most > 1 ? "most in" : "first", name(g, t->worst));
}

/* The errors of n runs, in a line: "errors: XID 79 on GPU 3 (in run3), page retirement (in 2 runs, most in
 * run3)". */
static void write_all_errors(struct smi_text_arena *g, const struct smi_summary *runs, size_t n)
{
    enum { KINDS = 4 };
    const char *t = "";
    bool grave = false;
    int kinds = 0;
    for (int id = 0; id < SMI_FAULT_COUNT; id++) {
        const struct smi_error *one = NULL;
        struct tally of = {0};
        for (size_t i = 0; smi_sweep_has_run_of(g->sweep, i, n); i++) {
            int64_t sum = 0;
            for (const struct smi_error *e = runs[i].errors; e < runs[i].errors + runs[i].nerrors; e++)
                if ((int)e->id == id) {
                    sum += e->n;
                    one = one ? one : e;
                }
            count(&of, sum, runs[i].run);
        }
        if (!of.places)
            continue;
        grave |= smi_faults[id].grave;
        if (kinds++ < KINDS || !g->look->width)
            t = smi_fmt_list(g, t,
                             smi_fmt(g, "%s%s",
                                     of.places == 1 ? error_sentence(g, one) : smi_faults[id].words,
                                     places_text(g, &of, "run", smi_fmt_run)));
    }
    if (kinds > KINDS && g->look->width)
        t = smi_fmt(g, "%s, and %d more kinds", t, kinds - KINDS);
    if (*t)
        smi_wrap_fmt(g, grave ? SMI_RED : SMI_STYLE_PLAIN, "errors: %s", t);
}

/* --- the logs --- */

/* What is odd in all inputs of the sweep; of GAPS those of the GPU of each run that lacks most, in
 * milliseconds. */
enum { REJECTED, TORN, POOLED, GAPS, STEPS, STAMPS, DOUBTS };
static const struct {
    const char *unit, *words, *place;
} doubt_words[DOUBTS] = {
    {"row", "not usable", "input"},         {"last line", "cut off and skipped", NULL},
    {"row", "not assigned to a GPU", NULL}, {"gap", "left out of all sums", "run"},
    {"step", "back in time", "run"},        {"time", "that the zone has never or twice", NULL}};

enum { GAP_MS = 60000, GAP_SHARE = 100 /* what is shorter than both stands in -v only */ };

static void add_doubts(struct tally d[DOUBTS], int64_t *gaps, const struct smi_summary *s)
{
    const struct smi_gpu *most = NULL;
    int64_t pooled = 0;
    for (const struct smi_input *in = s->inputs; in < s->inputs + s->ninputs; in++) {
        const struct smi_account *a = &in->account;
        const int64_t torn = a->rejected[SMI_REJECT_TORN_TAIL];
        count(&d[REJECTED], smi_account_rejected(a) - torn, in->path);
        count(&d[TORN], torn > 0, in->path);
        count(&d[STAMPS], a->stamps_never + (a->stamps_again ? 0 : a->stamps_twice), in->path);
    }
    for (const struct smi_gpu *gpu = s->gpus; gpu < s->gpus + s->ngpus; gpu++) {
        pooled += gpu->pooled ? gpu->samples : 0;
        most = !most || gpu->gap_ms > most->gap_ms ? gpu : most;
    }
    count(&d[POOLED], pooled, s->run);
    count(&d[STEPS], s->segments > 1 ? s->segments - 1 : 0, s->run);
    if (!most || !most->gaps || (most->gap_ms < GAP_MS && most->gap_ms * GAP_SHARE < most->covered_ms))
        return;
    count(&d[GAPS], most->gap_ms, s->run);
    *gaps += most->gaps;
}

const char *smi_warnings_text(struct smi_text_arena *g, smi_name_format_fn *name)
{
    const struct smi_sweep *s = g->sweep;
    struct tally d[DOUBTS] = {{0}};
    int64_t gaps = 0;
    const char *t = "";
    for (size_t i = 0; smi_sweep_has_run(s, i); i++)
        add_doubts(d, &gaps, &s->runs[i]);
    for (int k = 0; k < DOUBTS; k++) {
        const char *place = doubt_words[k].place;
        if (!d[k].places)
            continue;
        t = smi_fmt_list(g, t, smi_fmt_count(g, k == GAPS ? gaps : d[k].n, doubt_words[k].unit));
        if (k == GAPS)
            t = smi_fmt(g, "%s of %s in all,", t, smi_fmt_time(g, d[k].n));
        t = smi_fmt(g, "%s %s%s", t, doubt_words[k].words,
                    !place || (s->n == 1 && *place == 'r') ? "" : places_text(g, &d[k], place, name));
    }
    for (size_t i = 0; i < s->note.n && s->doubtful_notes; i++)
        if (s->note.list[i].fatal) {
            t = smi_fmt_list(g, t,
                             smi_fmt(g, "%s given twice (%s%s)",
                                     smi_fmt_count(g, (int64_t)s->doubtful_notes, "path"),
                                     name(g, s->note.list[i].path), s->doubtful_notes > 1 ? " first" : ""));
            break;
        }
    if (s->trouble.n)
        t = smi_fmt_list(g, t,
                         smi_fmt(g, "%s not usable (%s%s)", smi_fmt_count(g, s->unusable, "file"),
                                 name(g, s->trouble.list[0].path), s->unusable > 1 ? " first" : ""));
    return t;
}

/* ---- the GPUs of one run: a line each. ---- */

/* --- names --- */

enum { UUIDS_BEGIN_ALIKE = 2, HOSTS = 4 /* GPUs of several machines have one index */ };

const char *smi_gpu_label(struct smi_text_arena *g, const struct smi_gpu *gpu)
{
    const char *colon = gpu->bus ? strchr(gpu->bus, ':') : NULL;
    const bool looked = g->keys; /* what names the GPUs of all runs */
    if (gpu->pooled)
        return "pooled";
    for (size_t i = 0; !looked && smi_sweep_has_run(g->sweep, i); i++)
        for (size_t k = 0; k < g->sweep->runs[i].ngpus; k++)
            for (size_t j = 0; j < k; j++) {
                const struct smi_gpu *a = &g->sweep->runs[i].gpus[k], *b = &g->sweep->runs[i].gpus[j];
                if (a->uuid && b->uuid && strncasecmp(a->uuid, b->uuid, 12) == 0)
                    g->keys |= UUIDS_BEGIN_ALIKE;
                if (a->index >= 0 && a->index == b->index && a->serial && b->serial)
                    g->keys |= HOSTS;
            }
    g->keys |= 1;
    if (gpu->index >= 0 && g->keys & HOSTS && gpu->serial)
        return smi_fmt_safe(g, smi_fmt(g, "%s:%d", gpu->serial, gpu->index));
    if (gpu->index >= 0)
        return smi_fmt(g, "%d", gpu->index);
    if (gpu->uuid && (!(g->keys & UUIDS_BEGIN_ALIKE) || !colon)) {
        /* "6e7a1b2c" of "GPU-6e7a1b2c-..."; where that is the same for two, its end */
        const char *dash = strchr(gpu->uuid, '-');
        size_t n = strlen(gpu->uuid);
        return smi_fmt_safe(g, g->keys & UUIDS_BEGIN_ALIKE && n > 8
                                   ? gpu->uuid + n - 8
                                   : smi_fmt(g, "%.8s", dash ? dash + 1 : gpu->uuid));
    }
    if (!colon)
        return gpu->serial ? smi_fmt_safe(g, gpu->serial) : "-";
    colon = strchr(colon + 1, ':') ? colon + 1 : gpu->bus; /* 00000000:3B:00.0, 3B:00.0 */
    return smi_fmt_safe(g, smi_fmt(g, "bus %.*s", (int)strcspn(colon, ":"), colon));
}

/* --- the GPUs --- */

/* Keeps v where it is the first, or in this direction from what is kept. Returns whether it was. */
static bool keep_extreme(struct smi_value *kept, struct smi_value v, int direction)
{
    if (kept->has && (v.micro - kept->micro) * direction <= 0)
        return false;
    *kept = v;
    return true;
}

static void mark_cell(struct smi_table_cell *c, unsigned marks)
{
    if (!marks || strcmp(c->text, "-") == 0)
        return;
    c->mark = '!';
    c->style = SMI_YELLOW;
}

enum { SHAPE = 6 /* column of the GPU table */ };

/* Fills what the other columns leave of the line with what the GPUs did over time, if that is known of any.
 */
static void add_gpu_sparklines(struct smi_report_table *t, const struct smi_summary *s)
{
    enum { LEAST = 10, LONG_HEAD = 30 /* cells */ };
    struct smi_text_arena *g = t->page;
    int64_t cell_ms = 0;
    int cells = g->look->width - smi_table_need(t, 0) - 2;
    cells = cells > SMI_SPARKLINE_CELLS ? SMI_SPARKLINE_CELLS : cells;
    for (size_t i = 0; i < s->ngpus; i++)
        for (int k = 0; k < SMI_SPARKLINE_CELLS && !s->gpus[i].pooled; k++)
            if (s->gpus[i].shape[k] != SMI_SPARKLINE_NONE && s->gpus[i].cell_ms > cell_ms)
                cell_ms = s->gpus[i].cell_ms;
    if (cell_ms == 0 || !g->look->width)
        return;
    t->row[0][SHAPE].text = "OVER TIME";
    t->col[SHAPE].left = t->col[SHAPE].hidden = cells < LEAST;
    if (cells < LEAST)
        return;
    cell_ms = cell_ms * SMI_SPARKLINE_CELLS / cells;
    if (cells >= LONG_HEAD)
        t->row[0][SHAPE].text =
            smi_fmt(g, "OVER TIME (%s a cell)",
                    cell_ms < 100 ? smi_fmt(g, "%lld ms", (long long)cell_ms) : smi_fmt_time(g, cell_ms));
    for (size_t i = 0, row = 1; i < s->ngpus; i++)
        if (smi_gpu_has_row(s, &s->gpus[i]))
            t->row[row++][SHAPE].text = smi_fmt_sparkline(g, s->gpus[i].shape, cells);
}

static void gpu_table(struct smi_text_arena *g, const struct smi_summary *s, bool all)
{
    struct smi_report_table t;
    smi_table_begin(&t, g, NULL, 0);
    for (size_t i = 0; i < s->ngpus; i++)
        if (smi_gpu_has_row(s, &s->gpus[i])) {
            const struct smi_gpu *gpu = &s->gpus[i];
            const unsigned marks = smi_findings_marks(s, (int)i);
            const struct smi_stats *use = smi_gpu_stats(gpu, smi_headline_metric[SMI_POOL_UTIL]), none = {0};
            const struct smi_stats *vram = smi_gpu_stats(gpu, smi_headline_metric[SMI_POOL_VRAM]);
            const struct smi_stats *power = smi_gpu_stats(gpu, smi_headline_metric[SMI_POOL_POWER]);
            use = use ? use : &none;
            power = power ? power : &none;
            smi_table_row(&t, SMI_ROW_PLAIN);
            SMI_CELL(&t, smi_gpu_label(g, gpu), .head = "GPU", .align = SMI_RIGHT);
            mark_cell(SMI_NUMBER(
                          &t, use == &none && gpu->divided ? "n/a" : smi_fmt_value(g, smi_stats_mean(use), 1),
                          .head = "MEAN %"),
                      marks & SMI_CELL_UTIL);
            SMI_NUMBER(&t, smi_fmt_value(g, use->p[1], 0), .head = "P5", .leave = 3);
            SMI_NUMBER(&t, smi_fmt_value(g, use->p[3], 0), .head = "P50", .leave = 3);
            SMI_NUMBER(&t, smi_fmt_value(g, use->p[5], 0), .head = "P95", .leave = 2);
            SMI_NUMBER(&t, smi_fmt_value(g, use->max, 0), .head = "MAX", .leave = 1);
            SMI_CELL(&t, NULL /* the shape, when its width is known */, .head = "", .hidden = true);
            mark_cell(SMI_NUMBER(&t, smi_fmt_value(g, gpu->idle_pct, 1), .head = "IDLE %"),
                      marks & SMI_CELL_IDLE);
            SMI_NUMBER(&t, vram ? smi_fmt_gib(g, vram->max) : "-", .head = "VRAM GiB", .hidden = all);
            SMI_NUMBER(&t, smi_fmt_value(g, smi_stats_mean(power), 1), .head = "W", .hidden = all);
            SMI_NUMBER(&t,
                       smi_fmt(g, "%s%s", smi_gpu_energy_is_part(gpu) ? ">" : "",
                               smi_fmt_value(g, gpu->energy_wh, 1)),
                       .head = "Wh");
            SMI_CELL(&t, smi_fmt_interval(g, gpu->interval_s), .head = "EVERY", .align = SMI_RIGHT,
                     .hidden = !all, .leave = 4);
            SMI_CELL(&t, smi_fmt_interval(g, gpu->interval_max_s), .head = "WORST", .align = SMI_RIGHT,
                     .hidden = !all, .leave = 5);
            SMI_NUMBER(&t, smi_fmt_some(g, gpu->gaps), .head = "GAPS", .hidden = !all, .sparse = true);
            SMI_CELL(&t, gpu->gaps ? smi_fmt_time(g, gpu->gap_ms) : "-", .head = "GAP TIME",
                     .align = SMI_RIGHT, .hidden = !all, .sparse = true);
        }
    add_gpu_sparklines(&t, s);
    smi_table_text(&t);
    for (size_t i = 0; i < s->ngpus; i++)
        if (!smi_gpu_has_row(s, &s->gpus[i]))
            smi_wrap_fmt(g, SMI_GREY,
                         "pooled: %s that could not be told apart: in the summary, in no GPU's line",
                         smi_fmt_count(g, s->gpus[i].samples, "row"));
}

/* Process logs name GPUs, and say nothing that a line of one could show. */
static bool shows_any(const struct smi_summary *s)
{
    for (size_t i = 0; i < s->ngpus; i++)
        for (int k = SMI_POOL_UTIL; k <= SMI_POOL_POWER; k++)
            if (smi_gpu_stats(&s->gpus[i], smi_headline_metric[k]) || s->gpus[i].pooled)
                return true;
    return false;
}

/* ---- the lesser metrics of the GPUs of one run, what held their clocks down, what was counted. ---- */

/* --- the lesser metrics of all GPUs --- */

/* One metric of the GPUs that have it, together: those with the lowest and the highest mean, the mean of all
 * readings, the lowest p5, the highest p95. */
struct lesser {
    unsigned metric;
    const struct smi_gpu *low, *high;
    struct smi_value mean, low_mean, high_mean, p5, p95, min, max;
    bool gib;
    int digits;
};

static const char *metric_text(struct smi_text_arena *g, const struct lesser *m, struct smi_value v)
{
    return m->gib ? smi_fmt_gib(g, v) : smi_fmt_value(g, v, m->digits);
}

static const char *metric_unit(const struct smi_text_arena *g, const struct lesser *m)
{
    const char *t = smi_metrics[m->metric].unit;
    return m->gib ? "GiB" : strcmp(t, "C") == 0 && g->look->utf8 ? "°C" : t;
}

static bool join_gpus(const struct smi_summary *s, struct lesser *m, unsigned metric)
{
    const char *unit = smi_metrics[metric].unit;
    smi_i128 sum = 0;
    int64_t count = 0;
    *m = (struct lesser){.metric = metric, .digits = strcmp(unit, "%") == 0 || strcmp(unit, "W") == 0};
    for (size_t i = 0; i < s->ngpus; i++) {
        const struct smi_stats *x = smi_gpu_stats(&s->gpus[i], metric);
        if (!x || !x->mean.has || !smi_gpu_has_row(s, &s->gpus[i]))
            continue;
        sum += (smi_i128)x->mean.micro * x->count;
        count += x->count;
        m->low = keep_extreme(&m->low_mean, x->mean, -1) ? &s->gpus[i] : m->low;
        m->high = keep_extreme(&m->high_mean, x->mean, 1) ? &s->gpus[i] : m->high;
        keep_extreme(&m->p5, x->p[1], -1);
        keep_extreme(&m->p95, x->p[5], 1);
        keep_extreme(&m->min, x->min, -1);
        keep_extreme(&m->max, x->max, 1);
    }
    m->gib = strcmp(unit, "MiB") == 0 && m->max.micro >= (int64_t)1024 * 1000000;
    m->mean = (struct smi_value){count ? (int64_t)smi_i128_div(sum, count) : 0, count > 0};
    return count > 0;
}

static void lesser_table(struct smi_text_arena *g, const struct smi_summary *s)
{
    struct lesser m;
    const char *same[SMI_METRIC_COUNT]; /* "VRAM total 79.6 GiB" of what never changed */
    size_t never = 0;
    struct smi_report_table t;
    smi_table_begin(&t, g, NULL, 0);
    for (unsigned i = 0; i < SMI_METRIC_COUNT; i++) {
        const char *framework = smi_vram_framework(s), *remark = "";
        /* What the device shows is not what was used: "reserved; JAX used 41.3 at most". */
        if (i == smi_headline_metric[SMI_POOL_VRAM] && framework)
            remark = smi_fmt(g, "%s%s used %s at most", smi_vram_held(s) ? "reserved; " : "", framework,
                             smi_fmt_gib(g, s->vram.used_peak_mb));
        if (smi_metrics[i].kind != SMI_GAUGE || i == smi_headline_metric[SMI_POOL_UTIL] ||
            !join_gpus(s, &m, i))
            continue;
        if (m.min.micro == m.max.micro)
            same[never++] = smi_fmt(g, *remark ? "%s %s%s%s (%s)" : "%s %s%s%s", smi_metric_label(g, i),
                                    metric_text(g, &m, m.max), *smi_metrics[i].unit ? " " : "",
                                    metric_unit(g, &m), remark);
        else {
            const int64_t by = m.high_mean.micro - m.low_mean.micro;
            /* "GPU 1 71.9 to GPU 0 271.2", where they are more than one unit and 5 % apart */
            const char *apart = by <= 1000000 || by * 20 <= llabs(m.high_mean.micro)
                                    ? ""
                                    : smi_fmt(g, "GPU %s %s to GPU %s %s", smi_gpu_label(g, m.low),
                                              metric_text(g, &m, m.low_mean), smi_gpu_label(g, m.high),
                                              metric_text(g, &m, m.high_mean));
            smi_table_row(&t, SMI_ROW_PLAIN);
            SMI_CELL(&t, smi_metric_label(g, i), .head = "", .least = 12);
            SMI_NUMBER(&t, metric_text(g, &m, m.mean), .head = "mean");
            SMI_NUMBER(&t, metric_text(g, &m, m.p5), .head = "p5", .leave = 3);
            SMI_NUMBER(&t, metric_text(g, &m, m.p95), .head = "p95", .leave = 2);
            SMI_NUMBER(&t, metric_text(g, &m, m.max), .head = "max", .leave = 1);
            SMI_CELL(&t, metric_unit(g, &m), .head = "unit");
            SMI_CELL(&t, smi_fmt(g, "%s%s%s", apart, *apart && *remark ? "; " : "", remark), .head = "",
                     .least = 8, .wraps = true)
                ->style = *apart ? SMI_YELLOW : SMI_STYLE_PLAIN;
        }
    }
    if (t.rows > 1)
        smi_table_text(&t);
    /* "always the same: VRAM total 79.6 GiB, fan 30 %": a number stays with its name and its unit. */
    for (size_t i = 0; i < never; i++) {
        smi_wrap_words(g, 0, i ? "" : "always the same:", 0);
        smi_wrap_word(g, 1, smi_fmt(g, "%s%s", same[i], i + 1 < never ? "," : ""), 0);
    }
    if (never)
        smi_wrap_newline(g);
}

/* Throttle reasons, each with the GPU that has most of it. */
static void write_slowdowns_line(struct smi_text_arena *g, const struct smi_summary *s)
{
    const char *t = "";
    bool known = true; /* of all GPUs */
    for (int k = 0; k < SMI_THROTTLE_COUNT; k++) {
        const char *reason = smi_metrics[SMI_THROTTLE_FIRST + k].key + strlen("throttle.");
        const struct smi_gpu *most = NULL;
        struct smi_value share = {0, true};
        for (const struct smi_gpu *gpu = s->gpus; gpu < s->gpus + s->ngpus; gpu++) {
            known &= gpu->throttle_known || gpu->pooled;
            for (const struct smi_throttle *x = gpu->throttle; x < gpu->throttle + gpu->throttles; x++)
                if (strcmp(x->reason, reason) == 0 && smi_throttle_slows(x) &&
                    keep_extreme(&share, x->pct, 1))
                    most = gpu;
        }
        if (most)
            t = smi_fmt_list(g, t,
                             smi_fmt(g, "%s %s %%%s", smi_key_label(g, reason), smi_fmt_value(g, share, 1),
                                     s->ngpus == 1 ? "" : smi_fmt(g, " (GPU %s)", smi_gpu_label(g, most))));
    }
    if (!*t && smi_most_throttled(s).has && known)
        smi_wrap_line(g, SMI_STYLE_PLAIN, "no throttling");
    if (*t)
        smi_wrap_fmt(g, SMI_STYLE_PLAIN, "clocks held down, highest share: %s", t);
}

/* The GPUs of one run; all: with their lesser metrics, slowdowns and counters. */
static void write_gpus(struct smi_text_arena *g, const struct smi_summary *s, bool all)
{
    if (!shows_any(s) && !all)
        return;
    if (shows_any(s))
        gpu_table(g, s, all);
    if (all) {
        lesser_table(g, s);
        write_slowdowns_line(g, s);
        /* Counters that went up, over all GPUs. */
        const char *t = "";
        for (unsigned m = 0; m < SMI_METRIC_COUNT; m++) {
            const char *key = smi_metrics[m].key;
            const bool error = strncmp(key, "retired_", 8) == 0 || strncmp(key, "remapped_rows", 13) == 0 ||
                               (strncmp(key, "ecc.", 4) == 0 && strcmp(strrchr(key, '.'), ".total") == 0);
            int64_t sum = 0;
            for (size_t i = 0; smi_metrics[m].kind == SMI_COUNTER && i < s->ngpus; i++) {
                const struct smi_stats *x = smi_gpu_stats(&s->gpus[i], m);
                sum += x && x->increase.has ? x->increase.micro : 0;
            }
            if (sum <= 0 || error) /* errors have their own line */
                continue;
            if (strcmp(smi_metrics[m].unit, "us") == 0) /* time, and more of it than people count in us */
                t = smi_fmt(g, "%s, %s %s", t, smi_metric_label(g, m), smi_fmt_time(g, sum / 1000000000));
            else
                t = smi_fmt(g, "%s, %s +%s%s%s", t, smi_metric_label(g, m), smi_fmt_ratio(g, sum, 1000000, 0),
                            *smi_metrics[m].unit ? " " : "", smi_metrics[m].unit);
        }
        if (*t)
            smi_wrap_fmt(g, SMI_STYLE_PLAIN, "counted: %s", t + 2);
    }
    smi_wrap_newline(g);
}

/* ---- one run: header, its GPUs, with -v everything else, and the reference block ---- */

enum { PROCESS_ROWS = 5 };

/* --- when --- */

static bool is_utc(const char *time_base)
{
    return time_base && strcmp(time_base, "utc") == 0;
}

/* Runs on clocks that differ are shown in UTC; so no base that is not shared is named. */
size_t smi_runs_time_span(struct smi_summary *span, const struct smi_summary *runs, size_t n)
{
    size_t left = 0;
    *span = (struct smi_summary){0};
    for (size_t i = 0; i < n; i++)
        span->zoned |= runs[i].has_start && runs[i].zoned;
    for (const struct smi_summary *s = runs; s < runs + n; s++) {
        const bool first = !span->has_start, local = s->time_base && !is_utc(s->time_base);
        if (!s->has_start || s->zoned != span->zoned) {
            left += s->has_start;
            continue;
        }
        span->has_start = true;
        span->start_ms = first || s->start_ms < span->start_ms ? s->start_ms : span->start_ms;
        span->end_ms = first || s->end_ms > span->end_ms ? s->end_ms : span->end_ms;
        if (first || (local && is_utc(span->time_base))) { /* without a local clock any zone will do */
            span->offset_s = s->offset_s;
            span->time_base = s->time_base;
        } else if (local && s->offset_s != span->offset_s) {
            span->offset_s = 0;
            span->time_base = "utc runs in several zones";
        } else if (local && span->time_base && strcmp(span->time_base, s->time_base) != 0) {
            span->time_base = NULL;
        }
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
    /* "UTC+02:00 (from the run log)" of "utc+02:00 from the run log" */
    const char *base = span.time_base ? span.time_base : "", *words = "zone not known";
    const int n_base = (int)strcspn(base, " ");
    if (!span.time_base && span.zoned)
        smi_clock_write_zone(zone, span.offset_s);
    if (*zone)
        words = smi_fmt(g, "UTC%s", zone);
    else if (strncmp(base, "utc", 3) == 0)
        words = smi_fmt(g, base[n_base] ? "UTC%.*s (%s)" : "UTC%.*s", n_base - 3, base + 3,
                        base + n_base + (base[n_base] != 0));
    return smi_fmt(g, "%s %s to %s%s%s, %s%s", day, smi_fmt_timestamp(g, &span, span.start_ms, 11, len),
                   strcmp(day, end) == 0 ? "" : end, strcmp(day, end) == 0 ? "" : " ",
                   smi_fmt_timestamp(g, &span, span.end_ms, 11, len), words,
                   left ? smi_fmt(g, " (%zu run%s without a zone not among them)", left, left == 1 ? "" : "s")
                        : "");
}

/* --- the title --- */

/* What one run is; with its files unless all of it is shown, which has a table of them. */
static void write_run_title(struct smi_text_arena *g, const struct smi_summary *s, bool all)
{
    const char *gpus = smi_fmt_gpus(g, s);
    size_t i;
    smi_wrap_words(g, 0, smi_fmt_safe(g, s->run), 0);
    smi_wrap_words(g, 3,
                   s->state == SMI_STATE_CUT       ? smi_fmt(g, "cut: %s", smi_run_cut_reason(g, s))
                   : s->state == SMI_STATE_UNKNOWN ? ""
                                                   : smi_run_cell_text(g, SMI_RUNS_STATE, s),
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

/* The reference block under its key names, which people paste from: in a window as many pairs a line as fit,
 * below one another. A pipe and a very narrow window have a pair a line, from its first column on. */
static void block_table(struct smi_text_arena *g, const struct smi_headline *b)
{
    enum { INDENT = 10, PAIR = 26 /* columns */ };
    const int width = g->look->width, indent = width < INDENT + PAIR ? 0 : INDENT;
    struct smi_headline_figure f[SMI_HEADLINE_COUNT];
    smi_headline_figures(b, f);
    smi_wrap_word(g, 0, "SUMMARY", 0);
    for (int i = 0; i < SMI_HEADLINE_COUNT; i++) {
        if (f[i].omit)
            continue;
        if (!indent)
            smi_wrap_newline(g);
        smi_wrap_word(g, g->column < INDENT ? 3 : 4,
                      smi_fmt(g, "%-17s %8s", f[i].key, f[i].has ? f[i].text : "-"), indent);
    }
    smi_wrap_newline(g);
    smi_wrap_newline(g);
}

/* --- processes --- */

/* For qsort: most memory first, then most use; what is not known is least. */
static int by_use(const void *a, const void *b)
{
    const struct smi_process_figures *p = *(const struct smi_process_figures *const *)a,
                                     *q = *(const struct smi_process_figures *const *)b;
    for (int k = 0; k < 2; k++) {
        const struct smi_value x = k ? p->of[SMI_PROC_USE].mean : p->of[SMI_PROC_MEMORY].peak,
                               y = k ? q->of[SMI_PROC_USE].mean : q->of[SMI_PROC_MEMORY].peak;
        if (x.has != y.has || (x.has && x.micro != y.micro))
            return x.has && (!y.has || x.micro > y.micro) ? -1 : 1;
    }
    return p < q ? -1 : p > q;
}

static void process_table(struct smi_text_arena *g, const struct smi_summary *s)
{
    const struct smi_process_figures **most = smi_arena_new(&g->arena, s->nprocesses, sizeof *most);
    struct smi_report_table t;
    for (size_t i = 0; i < s->nprocesses; i++)
        most[i] = &s->processes[i];
    qsort(most, s->nprocesses, sizeof *most, by_use);
    smi_table_begin(&t, g, NULL, 0);
    for (size_t i = 0; i < s->nprocesses && i < PROCESS_ROWS; i++) {
        const struct smi_process_figures *p = most[i];
        const struct smi_gpu gpu = {.index = p->gpu, .uuid = p->uuid, .bus = p->bus};
        smi_table_row(&t, SMI_ROW_PLAIN);
        SMI_CELL(&t, smi_fmt_safe(g, p->name), .head = "PROCESS", .names = true, .least = 12);
        SMI_CELL(&t, smi_gpu_label(g, &gpu), .head = "GPU", .align = SMI_RIGHT);
        SMI_NUMBER(&t, p->pid < 0 ? "-" : smi_fmt_int(g, p->pid), .head = "PID", .leave = 1);
        SMI_NUMBER(&t, smi_fmt_gib(g, p->of[SMI_PROC_MEMORY].peak), .head = "PEAK GiB");
        SMI_NUMBER(&t, smi_fmt_gib(g, p->of[SMI_PROC_MEMORY].mean), .head = "MEAN GiB", .leave = 2);
        SMI_NUMBER(&t, smi_fmt_value(g, p->of[SMI_PROC_USE].mean, 1), .head = "GPU %");
        SMI_NUMBER(&t, smi_fmt_some(g, p->samples), .head = "SAMPLES");
    }
    smi_table_text(&t);
    if (s->nprocesses > PROCESS_ROWS)
        smi_wrap_fmt(g, SMI_STYLE_PLAIN, "and %zu more", s->nprocesses - PROCESS_ROWS);
    smi_wrap_newline(g);
}

/* --- what happened --- */

/* The same with its table; whether there was any. */
static bool write_waste(struct smi_text_arena *g, const struct smi_summary *runs, size_t n)
{
    const char *title = smi_waste_title(g, runs, n);
    struct smi_report_table t;
    if (!title)
        return false;
    smi_wrap_line(g, SMI_BOLD, title);
    if (smi_waste_table(&t, g, runs, n, false))
        smi_table_text(&t);
    return true;
}

/* --- which readings --- */

static struct smi_value share_of(const struct smi_share *list, size_t n, unsigned metric)
{
    for (size_t i = 0; i < n; i++)
        if (list[i].metric == metric)
            return list[i].pct;
    return (struct smi_value){0};
}

/* "absent: memory temperature, fan always; power in 1.8 % of the rows (GPU 1)": where most rows lack it. */
static void write_absences_line(struct smi_text_arena *g, const struct smi_summary *s)
{
    enum { NAMES = 6, ALL = 100000000 };
    const char *always = "", *some = "", *label = "";
    size_t never = 0, metrics = 0;
    for (unsigned m = 0; m < SMI_METRIC_COUNT; m++) {
        struct smi_value low = share_of(s->host_available, s->nhost_available, m), high = low;
        const struct smi_gpu *gpu = NULL;
        const char *before = label;
        for (const struct smi_gpu *at = s->gpus; at < s->gpus + s->ngpus; at++) {
            const struct smi_value v = share_of(at->available, at->navailable, m);
            if (!v.has || (at->pooled && s->ngpus > 1))
                continue;
            gpu = keep_extreme(&low, v, -1) ? at : gpu;
            keep_extreme(&high, v, 1);
        }
        metrics += low.has;
        if (!low.has || low.micro >= ALL || smi_command_is_detail(m))
            continue;
        /* The reasons of throttling are one thing to people. */
        label = smi_metrics[m].kind == SMI_STATE && strncmp(smi_metrics[m].key, "throttle.", 9) == 0
                    ? "throttle reasons"
                    : smi_metric_label(g, m);
        if (strcmp(label, before) == 0)
            continue;
        if (high.micro == 0) {
            if (never++ < NAMES || !g->look->width)
                always = smi_fmt_list(g, always, label);
            continue;
        }
        some = smi_fmt_list(
            g, some,
            smi_fmt(g, "%s in %s %% of the rows%s", label,
                    ALL - low.micro < 50000 ? "<0.1" : smi_fmt_ratio(g, ALL - low.micro, 1000000, 1),
                    low.micro == high.micro || !gpu ? "" : smi_fmt(g, " (GPU %s)", smi_gpu_label(g, gpu))));
    }
    if (never > NAMES && g->look->width)
        always = smi_fmt(g, "%s and %zu more", always, never - NAMES);
    if (*always || *some)
        smi_wrap_fmt(g, SMI_STYLE_PLAIN, "absent: %s%s%s%s", always, *always ? " always" : "",
                     *always && *some ? "; " : "", some);
    else if (metrics)
        smi_wrap_line(g, SMI_STYLE_PLAIN, "every row has all readings");
}

/* What became of the lines of all inputs, how often they were written, which readings they lack. */
static void write_inputs(struct smi_text_arena *g, const struct smi_summary *s)
{
    const struct smi_input *instants = NULL;
    struct smi_report_table t;
    smi_input_table(&t, g, s, 1, 0);
    smi_table_text(&t);
    for (size_t i = 0; i < s->ninputs; i++) {
        const struct smi_account *a = &s->inputs[i].account;
        for (size_t k = 0; k < a->problems;
             k++) { /* but where an earlier one said the same of another line */
            const struct smi_log_warning *p = &a->problem[k];
            const int64_t lines = smi_warning_lines(a, k);
            if (lines == 0)
                continue;
            smi_wrap_part(g, 0, 4, p->line > 0 ? "  %s:%lld:" : "  %s:", smi_fmt_safe(g, s->inputs[i].path),
                          (long long)p->line);
            smi_wrap_words(g, 1, smi_fmt_sentence(g, p->text), 4);
            if (lines > 1)
                smi_wrap_part(g, 1, 4, "(%lld such lines)", (long long)lines);
            smi_wrap_newline(g);
        }
        instants = instants || !s->inputs[i].note ? instants : &s->inputs[i];
    }
    if (instants)
        smi_wrap_fmt(g, SMI_STYLE_PLAIN, "peaks shorter than %s are not seen",
                     smi_fmt_interval(g, instants->interval_s));
    write_absences_line(g, s);
}

void smi_text_run(struct smi_text_arena *g, const struct smi_summary *s, bool all)
{
    struct smi_report_table t;
    write_run_title(g, s, all);
    if (s->ngpus)
        write_gpus(g, s, all);
    if (all || !s->judged) /* else they are among the findings */
        write_errors(g, s);
    if (smi_command_is_tracked(s)) {
        const char *end = smi_command_end(g, s);
        if (s->command) {
            smi_wrap_part(g, 0, 9, "command: %s", smi_command_text(g, s));
            if (*end)
                smi_wrap_words(g, 3, end, 9);
            smi_wrap_newline(g);
        }
        if (smi_command_table(&t, g, s))
            smi_table_text(&t);
        smi_wrap_newline(g);
    }
    if (s->nprocesses)
        process_table(g, s);
    if (all && smi_phase_table(&t, g, s, 1))
        write_table(&t);
    if (all) {
        /* The host's metrics and the events. */
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
    if (smi_finding_table(&t, g, s, 1))
        write_table(&t);
    if (all && s->ninputs) {
        write_inputs(g, s);
        smi_wrap_newline(g);
    }
    for (size_t i = 0; i < s->nproblems; i++)
        smi_wrap_fmt(g, SMI_STYLE_PLAIN, "note: %s", smi_fmt_sentence(g, s->problems[i]));
    if (s->nproblems)
        smi_wrap_newline(g);
    /* Findings leave out what is below their limits: all but a tenth of the wasted hours are enough. */
    int64_t said = 0;
    for (size_t i = 0; i < s->nfindings; i++)
        said += s->findings[i].rule <= SMI_RULE_STALL ? s->findings[i].gpu_ms : 0;
    if ((said < smi_wasted_ms(&s->waste) / 10 * 9 || !s->nfindings) && write_waste(g, s, 1))
        smi_wrap_newline(g);
    block_table(g, &s->block); /* last: words for people come first */
}

/* ---- a sweep of many runs as a whole: the spread, groups of runs, the runs that wasted most ---- */

/* --- the runs that share a value of a parameter, side by side --- */

enum { GROUP_ROWS = 12 };

static int by_waste(const void *a, const void *b)
{
    int64_t x = smi_wasted_ms(&((const struct smi_run_group *)a)->sum.waste);
    int64_t y = smi_wasted_ms(&((const struct smi_run_group *)b)->sum.waste);
    return x > y ? -1 : x < y;
}

/* The last of the n groups is the sum of all. */
static void group_table(struct smi_text_arena *g, const char *key, struct smi_run_group *group, size_t n)
{
    const char *lack = NULL;
    struct smi_report_table t;
    smi_table_begin(&t, g, NULL, 0);
    for (size_t i = 0; i < n; i++) {
        struct smi_run_group *p = &group[i];
        struct smi_total *sum = &p->sum;
        struct smi_table_cell *vram;
        smi_total_close(sum);
        lack = smi_total_energy_lack(g, sum);
        smi_table_row(&t, i + 1 < n ? SMI_ROW_PLAIN : SMI_ROW_TOTAL);
        SMI_CELL(&t, p->name, .head = smi_fmt(g, "BY %s", smi_fmt_safe(g, key)), .least = 8);
        SMI_NUMBER(&t, smi_fmt_some(g, sum->runs), .head = "RUNS", .leave = 1);
        SMI_NUMBER(&t, smi_fmt_some(g, sum->failed), .head = "FAILED", .leave = 2);
        SMI_NUMBER(&t, smi_fmt_some(g, sum->cut), .head = "CUT", .leave = 4);
        SMI_NUMBER(&t, smi_fmt_mean(g, &sum->block, SMI_FIG_UTIL), .head = "GPU %");
        SMI_NUMBER(&t,
                   p->of[0].n < 2
                       ? "-"
                       : smi_fmt_ratio(g, smi_run_group_deviation(p, 0), (smi_i128)p->of[0].n * 1000000, 1),
                   .head = "+/-", .leave = 6);
        SMI_NUMBER(&t, smi_fmt_value(g, sum->idle_pct, 1), .head = "IDLE %");
        vram = SMI_NUMBER(&t, smi_fmt_vram(g, p->vram, p->vram_total), .head = "VRAM GiB", .leave = 3);
        SMI_NUMBER(&t, sum->gpu_hours.has ? smi_fmt_hours(g, sum->covered_ms) : "-", .head = "GPU-h",
                   .leave = 1);
        SMI_NUMBER(&t,
                   sum->energy_wh.has
                       ? smi_fmt(g, "%s%s", lack ? ">" : "",
                                 smi_fmt_ratio(g, sum->energy_wh.micro, (smi_i128)1000000000, 1))
                       : "-",
                   .head = "kWh", .leave = 5);
        SMI_NUMBER(&t, sum->wasted_h[5].has ? smi_fmt_hours(g, smi_wasted_ms(&sum->waste)) : "-",
                   .head = "WASTED h");
        if (p->out_of_memory) {
            vram->mark = '!';
            vram->style = SMI_RED;
        }
    }
    smi_table_text(&t);
    /* Energy that is not known would make the sums too low in silence. */
    if (lack && group[n - 1].sum.energy_wh.has)
        smi_wrap_fmt(g, SMI_GREY, "kWh %s", lack);
    smi_wrap_newline(g);
}

/* One row a value of the parameter with the fewest values that is no repeat; beyond GROUP_ROWS those that
 * wasted least are in the total only. Nothing if none groups. */
static void write_groups(struct smi_text_arena *g)
{
    const char **keys;
    struct smi_run_group *group;
    size_t n, left;
    if (!smi_group_keys(g, false, &keys))
        return;
    n = smi_run_groups(g, *keys, &group);
    group[n].name = "-";
    n += group[n].sum.runs > 0;
    left = n > GROUP_ROWS ? n - GROUP_ROWS : 0;
    if (left)
        qsort(group, n, sizeof *group, by_waste);
    n -= left;
    group[n] = (struct smi_run_group){.name = left ? smi_fmt(g, "total, %zu others too", left) : "total"};
    for (size_t i = 0; smi_sweep_has_run(g->sweep, i); i++)
        smi_run_group_add(&group[n], &g->sweep->runs[i]);
    group_table(g, *keys, group, n + 1);
}

/* --- the spread over all runs --- */

static const struct {
    const char *label;
    int column, divisor;
} spreads[] = {{"GPU %", SMI_RUNS_UTIL, 1},
               {"idle %", SMI_RUNS_IDLE, 1},
               {"VRAM GiB", SMI_RUNS_VRAM, 1024},
               {"Wh", SMI_RUNS_ENERGY, 1}};

int smi_compare_counts(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

static void write_spread_table(struct smi_text_arena *g)
{
    static const struct {
        const char *head;
        int percent, leave;
    } of[] = {{"min", 0, 0}, {"p25", 25, 2}, {"median", 50, 0}, {"p75", 75, 2}, {"max", 100, 0}};
    int64_t *x = smi_arena_new(&g->arena, g->sweep->n + 1, sizeof *x);
    struct smi_report_table t;
    smi_table_begin(&t, g, NULL, 0);
    for (size_t k = 0, i, n; k < sizeof spreads / sizeof *spreads; k++) {
        const struct smi_summary *extreme = NULL; /* the run with the value furthest from the median */
        int64_t far = 0;
        for (i = n = 0; smi_sweep_has_run(g->sweep, i); i++) {
            struct smi_value v = smi_run_cell_value(spreads[k].column, &g->sweep->runs[i]);
            if (v.has)
                x[n++] = v.micro;
        }
        qsort(x, n, sizeof *x, smi_compare_counts);
        for (i = 0; n && smi_sweep_has_run(g->sweep, i); i++) {
            const struct smi_value v = smi_run_cell_value(spreads[k].column, &g->sweep->runs[i]);
            const int64_t apart = v.has ? llabs(v.micro - x[(n - 1) / 2]) : 0;
            extreme = apart > far ? &g->sweep->runs[i] : extreme;
            far = apart > far ? apart : far;
        }
        smi_table_row(&t, SMI_ROW_PLAIN);
        SMI_CELL(&t, spreads[k].label, .head = "OVER ALL RUNS");
        for (i = 0; i < sizeof of / sizeof *of; i++)
            SMI_NUMBER(&t,
                       n ? smi_fmt_ratio(g, smi_percentile_hundredfold(x, n, of[i].percent),
                                         (smi_i128)100 * 1000000 * spreads[k].divisor, 1)
                         : "-",
                       .head = of[i].head, .leave = of[i].leave);
        SMI_CELL(&t, extreme ? smi_fmt_run(g, extreme->run) : "-", .head = "most extreme", .names = true,
                 .least = 12, .gap = 1, .leave = 1);
    }
    write_table(&t);
}

const char *smi_total_missing_text(struct smi_text_arena *g, const struct smi_total *t, int64_t of)
{
    int64_t n = smi_total_missing(t, of);
    return n ? smi_fmt(g, "not known: %s", smi_fmt_count(g, n, "run")) : NULL;
}

const char *smi_total_energy_lack(struct smi_text_arena *g, const struct smi_total *t)
{
    const char *lack = smi_total_missing_text(g, t, t->of.energy), *part = NULL;
    if (t->of.energy_part)
        part = smi_fmt(g, "partly known: %s", smi_fmt_count(g, t->of.energy_part, "run"));
    return lack && part ? smi_fmt(g, "%s, %s", lack, part) : part ? part : lack;
}

const char *smi_states_text(struct smi_text_arena *g, const size_t count_of[SMI_STATE_NO_DATA + 1], bool bare)
{
    static const char *const word[] = {"ok", "failed", "cut", "without run log", "no GPU data"};
    const char *t = "";
    for (int i = 0; i < 5; i++)
        if (count_of[i])
            t = smi_fmt(g, "%s%s%s%s", t, *t ? ", " : "", bare ? "" : smi_fmt(g, "%zu ", count_of[i]),
                        word[i]);
    return t;
}

const char *smi_ended_early_text(struct smi_text_arena *g, bool bare)
{
    const struct smi_total *t = &g->sweep->total;
    return smi_states_text(g, (const size_t[]){0, (size_t)t->failed, (size_t)t->cut, 0, (size_t)t->no_data},
                           bare);
}

const char *smi_quality_text(struct smi_text_arena *g)
{
    const struct smi_total *t = &g->sweep->total;
    const char *lacks = "";
    for (int i = 0; i < SMI_QUALITY_COUNT; i++)
        if (t->lacks[i])
            lacks = smi_fmt(g, t->runs == 1 ? "%s%s%s" : "%s%s%s in %lld", lacks, *lacks ? ", " : "",
                            smi_quality_names[i], (long long)t->lacks[i]);
    return !*lacks ? "quality: complete"
           : t->runs == 1 || !t->incomplete
               ? smi_fmt(g, "quality: incomplete: %s", lacks)
               : smi_fmt(g, "quality: %lld of %lld runs %s incomplete: %s", (long long)t->incomplete,
                         (long long)t->runs, t->incomplete == 1 ? "is" : "are", lacks);
}

const char *smi_idle_memory_text(struct smi_text_arena *g)
{
    const struct smi_total *t = &g->sweep->total;
    return t->waste.ms[SMI_IDLE_HELD] + t->waste.ms[SMI_IDLE_FREE]
               ? smi_fmt(g, "idle with memory in use %s GPU-h, without %s GPU-h",
                         smi_fmt_hours(g, t->waste.ms[SMI_IDLE_HELD]),
                         smi_fmt_hours(g, t->waste.ms[SMI_IDLE_FREE]))
               : "";
}

/* What is not known would make the sum too low in silence. */
static const char *with_lack(struct smi_text_arena *g, const char *sum, const struct smi_total *t,
                             const char *lack)
{
    return lack && t->runs > 1 ? smi_fmt(g, "%s (%s)", sum, lack) : sum;
}

/* Spread, groups, the runs that wasted most. */
static void write_sweep(struct smi_text_arena *g)
{
    write_spread_table(g);
    write_groups(g);
    const struct smi_sweep *s = g->sweep;
    const struct smi_summary **run = smi_runs_in_order(g, &g->arena, true);
    const size_t n = smi_count_worst(run, s->n);
    if (n) {
        smi_wrap_line(g, SMI_BOLD, smi_worst_title(g, run, n));
        smi_text_runs(g, run, n, false);
    }
    if (n < s->n) { /* what became of the others */
        size_t count_of[SMI_STATE_NO_DATA + 1] = {0};
        for (size_t i = n; i < s->n; i++)
            count_of[run[i]->state]++;
        smi_wrap_fmt(g, SMI_STYLE_PLAIN, "%zu more: %s (--all, or -o runs.csv)", s->n - n,
                     smi_states_text(g, count_of, false));
        smi_wrap_newline(g);
    }
}

/* ---- the whole report ---- */

/* --- the head --- */

/* "3 lr x 4 seeds, none missing" */
static const char *grid_line(struct smi_text_arena *g)
{
    const struct smi_sweep *s = g->sweep;
    enum { MOST = 3 /* missing points that are named */ };
    const char *t = "", **value;
    size_t places = 1, having;
    for (size_t i = 0; i < s->naxes; i++) {
        const size_t n = smi_param_values(g, s->axis[i], &value, &having);
        places *= n;
        t = smi_fmt(g, "%s%s%zu %s%s", t, i ? " x " : "", n, smi_fmt_safe(g, s->axis[i]),
                    n != 1 && smi_param_is_repeat(s->axis[i]) ? "s" : "");
    }
    if (!s->nmissing && (s->naxes == 1 || places != s->n)) /* several runs may have the same values */
        return t;
    if (!s->nmissing)
        return smi_fmt(g, "%s, none missing", t);
    t = smi_fmt(g, s->nmissing == 1 ? "%s, missing:" : "%s, %zu missing:", t, s->nmissing);
    for (size_t i = 0; i < s->nmissing && i < MOST; i++) {
        t = i ? smi_fmt(g, "%s,", t) : t;
        for (size_t k = 0; k < s->naxes; k++)
            t = smi_fmt(g, "%s %s=%s", t, smi_fmt_safe(g, s->missing[i][k].key),
                        smi_fmt_safe(g, s->missing[i][k].text));
    }
    return s->nmissing > MOST ? smi_fmt(g, "%s and %zu more", t, s->nmissing - MOST) : t;
}

size_t smi_run_gpus(const struct smi_summary *s, const char **model)
{
    const char *name = NULL;
    size_t n = 0;
    for (size_t i = 0; i < s->ngpus; i++) {
        const char *one = s->gpus[i].name;
        n += !s->gpus[i].pooled;
        name = one && name && strcmp(one, name) != 0 ? "" : name ? name : one;
    }
    if (model)
        *model = name;
    return n;
}

const char *smi_fmt_gpus(struct smi_text_arena *g, const struct smi_summary *s)
{
    const char *model;
    size_t n = smi_run_gpus(s, &model);
    if (n == 0)
        return NULL;
    if (!model || !*model)
        return smi_fmt(g, "%s%s", smi_fmt_count(g, (int64_t)n, "GPU"), model ? " of several models" : "");
    return smi_fmt(g, "%zu x %s", n, smi_fmt_safe(g, model + (strncmp(model, "NVIDIA ", 7) == 0 ? 7 : 0)));
}

/* The GPUs that most runs have (a model rather than none): "2 x H100 80GB HBM3 in 9 runs, others in 3". */
static const char *gpu_line(struct smi_text_arena *g)
{
    const struct smi_sweep *s = g->sweep;
    const struct smi_summary *best = NULL;
    const char *want, *model;
    size_t n = 0, most = 0;
    for (size_t i = 0; smi_sweep_has_run(s, i); i++) {
        const size_t gpus = smi_run_gpus(&s->runs[i], &want);
        size_t like = want != NULL;
        n += gpus > 0;
        for (size_t k = 0; gpus && i < 64 && smi_sweep_has_run(s, k); k++)
            if (smi_run_gpus(&s->runs[k], &model) == gpus && (!model || !want || strcmp(model, want) == 0))
                like += 2;
        if (like > 1 && like > most) {
            most = like;
            best = &s->runs[i];
        }
    }
    if (!best)
        return "";
    return most / 2 < n ? smi_fmt(g, "%s in %s, others in %zu", smi_fmt_gpus(g, best),
                                  smi_fmt_count(g, (int64_t)most / 2, "run"), n - most / 2)
                        : smi_fmt_gpus(g, best);
}

/* "sampled every 2.0 s", over the GPU logs, or without any over what there is. */
static const char *interval_line(struct smi_text_arena *g)
{
    struct smi_value low = {0}, high = {0};
    bool gpu = false;
    for (size_t i = 0; smi_sweep_has_run(g->sweep, i); i++)
        for (size_t k = 0; k < g->sweep->runs[i].ninputs; k++) {
            const struct smi_input *in = &g->sweep->runs[i].inputs[k];
            if (!in->interval_s.has || (gpu && !in->gpu))
                continue;
            if (!low.has || (in->gpu && !gpu))
                low = high = in->interval_s;
            gpu |= in->gpu;
            low = in->interval_s.micro < low.micro ? in->interval_s : low;
            high = in->interval_s.micro > high.micro ? in->interval_s : high;
        }
    if (!low.has)
        return "";
    const char *from = smi_fmt_interval(g, low), *to = smi_fmt_interval(g, high);
    return smi_fmt(g, strcmp(from, to) == 0 ? "sampled every %s" : "sampled every %s to %s", from, to);
}

/* "no run had the GPUs for 8.00 GPU-h of the time between the first and the last, at most 7h00m"; "" if that
 * is less than a tenth. */
static const char *between_runs_text(struct smi_text_arena *g)
{
    const struct smi_sweep *s = g->sweep;
    int64_t all = 0, used = 0, longest = 0;
    for (const struct smi_gpu_use *u = s->use; u < s->use + s->nuse; u++) {
        all += u->last_ms - u->first_ms;
        used += u->used_ms;
        longest = u->longest_ms > longest ? u->longest_ms : longest;
    }
    return (all - used) * 10 < all || !longest
               ? ""
               : smi_fmt(g, "%s %% of the time of the GPUs lies between runs, at most %s",
                         smi_fmt_ratio(g, (smi_i128)(all - used) * 100, all, 1), smi_fmt_time(g, longest));
}

const char *smi_sweep_name(struct smi_text_arena *g)
{
    const char *path = g->sweep->title ? g->sweep->title : ".";
    size_t end = strlen(path), begin;
    while (end > 1 && path[end - 1] == '/')
        end--;
    for (begin = end; begin > 0 && path[begin - 1] != '/';)
        begin--;
    return smi_fmt_safe(g, smi_fmt(g, "%.*s", (int)(end - begin), path + begin));
}

/* "run-2026_…/files": what smi_fmt_run left out; NULL: nothing. */
static const char *names_frame(struct smi_text_arena *g)
{
    const char *front = g->sweep->name_prefix, *back = g->sweep->name_suffix;
    if (!front || !back || !(*front || *back))
        return NULL;
    return smi_fmt(g, "%s%s%s", *front ? smi_fmt_safe(g, front) : "", smi_fmt_ellipsis(g),
                   *back ? smi_fmt_safe(g, back) : "");
}

void smi_text_head(struct smi_text_arena *g, smi_name_format_fn *name)
{
    enum {
        HEAD_SHOWN = 12,
        TEXT_SHOWN = 32 /* bytes of a value in a window: longer ones are texts, not settings */
    };
    const struct smi_sweep *s = g->sweep;
    const bool brief = g->look->width || name != smi_fmt_safe;
    const char *gpus = gpu_line(g);
    size_t shown = 0;
    smi_wrap_part(g, 0, 0, "%s in",
                  s->all > s->n ? smi_fmt(g, "%zu of %zu runs", s->n, s->all)
                                : smi_fmt_count(g, (int64_t)s->n, "run"));
    smi_wrap_words(g, 1, name(g, s->title ? s->title : "."), 0);
    if (g->look->width && names_frame(g))
        smi_wrap_part(g, 3, 0, "names %s", names_frame(g));
    if (s->grid)
        smi_wrap_words(g, 3, name(g, grid_line(g)), 0);
    smi_wrap_words(g, 3, *gpus ? name(g, gpus) : "", 0);
    for (size_t i = 0; i < s->ncommon; i++) {
        const char *text = smi_fmt(g, "%s=%s", s->common[i].key, s->common[i].text);
        if (brief && (shown == HEAD_SHOWN || strlen(s->common[i].text) > TEXT_SHOWN))
            continue;
        smi_wrap_part(g, shown++ ? 1 : 3, 0, "%s", name(g, text));
    }
    if (shown < s->ncommon)
        smi_wrap_part(g, shown ? 1 : 3, 0, "(%s: --json)",
                      smi_fmt_count(g, (int64_t)(s->ncommon - shown), "more parameter"));
    smi_wrap_newline(g);
    smi_wrap_words(g, 0, smi_fmt_time_range(g, s->runs, s->n, false), 0);
    smi_wrap_words(g, 3, interval_line(g), 0);
    smi_wrap_words(g, 3, between_runs_text(g), 0);
    if (g->column)
        smi_wrap_newline(g);
    smi_wrap_newline(g);
}

/* --- below the table --- */

const char *smi_vram_framework(const struct smi_summary *s)
{
    const char *source = s->vram.source ? s->vram.source : "device";
    return strcmp(source, "device") == 0 ? NULL : strcmp(source, "jax") == 0 ? "JAX" : source;
}

/* Where the VRAM figures come from, if not simply from the device. */
static void say_vram(struct smi_text_arena *g, const struct smi_summary *runs, size_t n)
{
    size_t framework = 0, held = 0, i;
    struct smi_value device = {0};
    const char *who = NULL;
    for (i = 0; i < n; i++) {
        const char *source = smi_vram_framework(&runs[i]);
        if (!source)
            continue;
        framework++;
        held += smi_vram_held(&runs[i]);
        who = who && strcmp(who, source) != 0 ? "the framework" : source;
        if (runs[i].vram.device_peak_mb.has && runs[i].vram.device_peak_mb.micro >= device.micro)
            device = runs[i].vram.device_peak_mb;
    }
    if (!framework)
        return;
    smi_wrap_part(g, 0, 0, "VRAM: %s's own peak", who);
    if (n > 1)
        smi_wrap_part(g, 1, 0, "in %s", smi_fmt_count(g, (int64_t)framework, "run"));
    if (device.has)
        smi_wrap_part(g, 1, 0, "(device: %s%s GiB%s)", framework > 1 ? "up to " : "", smi_fmt_gib(g, device),
                      held == framework ? ", reserved" : "");
    smi_wrap_newline(g);
}

const char *smi_total_line(struct smi_text_arena *g)
{
    const struct smi_total *t = &g->sweep->total;
    const struct smi_summary *only = g->sweep->n == 1 ? g->sweep->runs : NULL;
    const char *line = !only               ? smi_fmt(g, "%zu runs", g->sweep->n)
                       : t->duration_s.has ? smi_fmt_duration(g, t->duration_s)
                                           : "";
    if (t->gpu_hours.has)
        line = smi_fmt_list(g, line, smi_fmt(g, "%s GPU-h", smi_fmt_hours(g, t->covered_ms)));
    if (t->gpu_hours.has && t->overlap_ms >= SMI_OVERLAP_LEAST_MS)
        line = smi_fmt(g, "%s (%s more are in several runs)", line, smi_fmt_hours(g, t->overlap_ms));
    if (g->look->money && (t->cost.has || smi_total_missing(t, t->of.cost)))
        line = smi_fmt_list(g, line,
                            t->runs == 1 && smi_total_missing(t, t->of.cost)
                                ? "cost not known"
                                : with_lack(g, t->cost.has ? smi_fmt_money(g, t->cost) : "no cost", t,
                                            smi_total_missing_text(g, t, t->of.cost)));
    if (t->energy_wh.has) {
        const char *sum = smi_fmt_energy(g, t->energy_wh);
        line = smi_fmt_list(g, line,
                            t->runs == 1 && t->of.energy_part
                                ? smi_fmt(g, "%s of %s", sum, g->sweep->runs->energy_part)
                                : with_lack(g, sum, t, smi_total_energy_lack(g, t)));
    }
    if (t->co2_g.has)
        line = smi_fmt_list(
            g, line,
            with_lack(g, smi_fmt(g, "%s CO2", smi_fmt_co2(g, t->co2_g)), t, smi_total_energy_lack(g, t)));
    if (t->block.pool[SMI_POOL_UTIL].n)
        line = smi_fmt_list(g, line, smi_fmt(g, "GPU %s %%", smi_fmt_mean(g, &t->block, SMI_FIG_UTIL)));
    if (smi_waste_known(t->wasted_h[5], t->idle_pct, &t->waste)) {
        const int64_t wasted = smi_wasted_ms(&t->waste);
        /* these have GPU data and no wasted hours: without a word the sums would be too low */
        const int64_t lack = t->runs > 1 ? smi_total_missing(t, t->of.waste) : 0;
        line = smi_fmt_list(
            g, line,
            smi_fmt(g, "%s GPU-h wasted (%s %%)%s%s", smi_fmt_hours(g, wasted),
                    smi_fmt_ratio(g, (smi_i128)wasted * 100, t->covered_ms ? t->covered_ms : 1, 1),
                    lack ? smi_fmt(g, ", not known for %s", smi_fmt_count(g, lack, "run")) : "",
                    smi_unknown_hours_text(g, t)));
    }
    if (t->failed || t->cut || t->no_data)
        line = smi_fmt_list(g, line, smi_ended_early_text(g, only));
    if (only && (only->judged || only->nfindings))
        line = smi_fmt_list(
            g, line, only->nfindings ? smi_fmt_count(g, (int64_t)only->nfindings, "finding") : "no findings");
    if (!*line && only->nprocesses)
        line = smi_fmt(g, "%zu process%s", only->nprocesses, only->nprocesses == 1 ? "" : "es");
    return *line ? line : "1 run";
}

/* A path as it fits into a sentence. */
static const char *brief_path(struct smi_text_arena *g, const char *path)
{
    const char *t = smi_fmt_safe(g, path);
    return g->look->width ? smi_fmt_middle(g, t, 40, 16) : t;
}

/* One hint, on a terminal only: a command that does what it says, with the options that were given. The run
 * whose detail answers the next question is the one with the largest waste. */
static void write_hint(struct smi_text_arena *g)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._/=+,@%:-";
    const struct smi_sweep *s = g->sweep;
    const struct smi_summary **worst = smi_runs_in_order(g, &g->arena, true), *run = *worst;
    const char *path = run && (s->n > 1 || s->paths > 1) ? run->path : s->title,
               *given = g->look->given ? g->look->given : "";
    if (!run || !run->path || !path || g->look->width == 0 || g->look->verbose || (s->n == 1 && s->paths > 1))
        return;
    /* A name that a shell would read otherwise, a command in two pieces: nothing to copy. */
    const bool whole = !strchr(path, '\'') && *path != '-' && strcmp(path, smi_fmt_safe(g, path)) == 0;
    const char *hint = smi_fmt(
        g, path[strspn(path, plain)] ? "more: smilog summarize -v%s '%s'" : "more: smilog summarize -v%s %s",
        given, path);
    if (!whole || smi_text_width(hint) > g->look->width)
        hint = s->n == 1 ? "more: the same with -v" : NULL;
    if (hint)
        smi_wrap_line(g, SMI_GREY, hint);
}

void smi_write_text_report(struct smi_buf *to, const struct smi_sweep *s,
                           const struct smi_render_options *look)
{
    enum { FEW = 12 /* rows: as long is what stands for a table of too many */ };
    struct smi_text_arena g = {.to = to, .sweep = s, .look = look};
    const char *doubts;
    for (size_t i = 0; smi_sweep_has_run(s, i) && (look->verbose || s->n == 1); i++) {
        smi_text_run(&g, &s->runs[i], look->verbose);
        if (s->n > 1)
            smi_wrap_newline(&g);
    }
    if (s->n != 1) {
        const int64_t room = look->height - 14 > FEW ? look->height - 14 : FEW;
        smi_text_head(&g, smi_fmt_safe);
        if (look->width > 0 && look->height > 0 && !look->all && (int64_t)s->n > room) {
            write_sweep(&g);
        } else {
            if (s->n)
                smi_text_runs(&g, smi_runs_in_order(&g, &g.arena, false), s->n, true);
            smi_wrap_newline(&g);
        }
        write_waste(&g, s->runs, s->n);
    }
    say_vram(&g, s->runs, s->n);
    if (s->n != 1)
        write_all_errors(&g, s->runs, s->n);
    doubts = smi_warnings_text(&g, brief_path);
    if (*doubts)
        smi_wrap_fmt(&g, SMI_STYLE_PLAIN, "warnings: %s", doubts);
    if (look->verbose && *smi_idle_memory_text(&g))
        smi_wrap_line(&g, SMI_STYLE_PLAIN, smi_idle_memory_text(&g));
    smi_wrap_line(&g, s->total.incomplete ? SMI_STYLE_PLAIN : SMI_GREY, smi_quality_text(&g));
    smi_wrap_line(&g, SMI_BOLD, smi_total_line(&g)); /* the first that is read */
    write_hint(&g);
    smi_arena_fini(&g.arena);
}
