/* text_gpus.c - the GPUs of one run: a line each, their other metrics, what held their clocks down, what was
 * counted. */
#include "report/text_report.h"
#include "sweep/sweep.h"

#include <string.h>
#include <strings.h>

/* what went wrong: with the GPUs, in a line, and with -v a table; and
 * what is doubtful in the logs, in a line: rows that could not be used, holes, clocks that step back. */

/* ---- the GPUs ---- */

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

/* "1 memory row remapped": without the s of what is counted. */
static const char *singular(struct smi_text_arena *g, const char *t)
{
    static const char *const many[] = {"errors", "rows", "pages"};
    for (size_t i = 0; i < sizeof many / sizeof *many; i++) {
        const char *at = strstr(t, many[i]), *end = at ? at + strlen(many[i]) : NULL;
        if (at)
            return smi_fmt(g, "%.*s%s", (int)(end - 1 - t), t, end);
    }
    return t;
}

/* "GPU 3 lost", "GPU 3 requires reset", "XID 79 on GPU 3", "2 uncorrected ECC errors on GPU 0". */
static const char *error_sentence(struct smi_text_arena *g, const struct smi_error *e)
{
    const char *t = error_words(g, e);
    if (e->id == SMI_FAULT_ECC_UNCORR || e->id == SMI_FAULT_ECC_CORR || e->id == SMI_FAULT_REMAPPED ||
        e->id == SMI_FAULT_RETIRED) /* they count items, not rows or lines that show one */
        t = smi_fmt(g, "%lld %s", (long long)e->n, e->n == 1 ? singular(g, t) : t);
    if (!error_has_gpu(e))
        return t;
    if (strncmp(t, "GPU ", 4) == 0)
        return smi_fmt(g, "GPU %s %s", error_gpu_label(g, e), t + 4);
    return smi_fmt(g, "%s on GPU %s", t, error_gpu_label(g, e));
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

void smi_text_errors(struct smi_text_arena *g, const struct smi_summary *s, bool all)
{
    const char *t = "";
    if (s->nerrors == 0)
        return;
    if (all) {
        struct smi_report_table table;
        smi_table_begin(&table, g, NULL, 0);
        for (size_t i = 0; i < s->nerrors; i++) {
            const struct smi_error *e = &s->errors[i];
            smi_table_row(&table, SMI_ROW_PLAIN)->style = smi_faults[e->id].grave ? SMI_RED : SMI_STYLE_PLAIN;
            SMI_CELL(&table, error_words(g, e), .head = "ERRORS", .least = 14);
            SMI_CELL(&table, error_has_gpu(e) ? error_gpu_label(g, e) : "-", .head = "GPU",
                     .align = SMI_RIGHT);
            SMI_NUMBER(&table, smi_fmt_int(g, e->n), .head = "COUNT");
            SMI_CELL(&table, error_time(g, s, e->has_first, e->first_ms), .head = "FIRST");
            SMI_CELL(&table, error_time(g, s, e->has_last, e->last_ms), .head = "LAST");
        }
        smi_table_text(&table);
    } else {
        for (size_t i = 0; i < s->nerrors; i++)
            t = smi_fmt(g, "%s, %s%s%s", t, error_sentence(g, &s->errors[i]),
                        s->errors[i].has_first ? " at " : "",
                        s->errors[i].has_first ? error_time(g, s, true, s->errors[i].first_ms) : "");
        smi_wrap_fmt(g, smi_first_grave_error(s) ? SMI_RED : SMI_STYLE_PLAIN, "errors: %s", t + 2);
    }
    smi_wrap_newline(g);
}

/* "uncorrected ECC errors in 2 runs (most in lr=0.1)", of one kind in all runs; NULL if there is none. */
static const char *error_kind_summary(struct smi_text_arena *g, const struct smi_summary *runs, size_t n,
                                      int id)
{
    const struct smi_summary *worst = NULL;
    const struct smi_error *one = NULL;
    int64_t most = 0;
    size_t in = 0;
    for (size_t i = 0; smi_sweep_has_run_of(g->sweep, i, n); i++) {
        int64_t sum = 0;
        for (size_t k = 0; k < runs[i].nerrors; k++)
            if ((int)runs[i].errors[k].id == id) {
                sum += runs[i].errors[k].n;
                one = one ? one : &runs[i].errors[k];
            }
        in += sum > 0;
        if (sum > most) {
            most = sum;
            worst = &runs[i];
        }
    }
    if (!worst)
        return NULL;
    if (in == 1)
        return smi_fmt(g, "%s (%s)", error_sentence(g, one), smi_fmt_run(g, worst->run));
    return smi_fmt(g, "%s in %zu runs (%s%s)", smi_faults[id].words, in, most > 1 ? "most in " : "",
                   smi_fmt_run(g, worst->run));
}

void smi_text_all_errors(struct smi_text_arena *g, const struct smi_summary *runs, size_t n)
{
    enum { KINDS = 4 };
    const char *t = "", *one;
    bool grave = false;
    int kinds = 0;
    for (int id = 0; id < SMI_FAULT_COUNT; id++) {
        one = error_kind_summary(g, runs, n, id);
        grave |= one && smi_faults[id].grave;
        kinds += one != NULL;
        t = one && (kinds <= KINDS || !g->look->width) ? smi_fmt(g, "%s, %s", t, one) : t;
    }
    if (kinds > KINDS && g->look->width)
        t = smi_fmt(g, "%s, and %d more kinds", t, kinds - KINDS);
    if (*t)
        smi_wrap_fmt(g, grave ? SMI_RED : SMI_STYLE_PLAIN, "errors: %s", t + 2);
}

/* ---- the logs ---- */

/* What is odd in all inputs of the sweep. */
struct doubts {
    int64_t rejected, torn, pooled, most;
    size_t inputs;
    const struct smi_input *worst;
    int64_t gaps, gap_ms, widest, stamps; /* gaps: of each run those of the GPU that lacks most */
    size_t holed, back;                   /* runs with gaps that matter; with time that steps back */
    const struct smi_summary *holes, *first_back;
};

enum { GAP_MS = 60000, GAP_SHARE = 100 /* what is shorter than both stands in -v only */ };

static void add_gaps(struct doubts *d, const struct smi_summary *s)
{
    const struct smi_gpu *most = NULL;
    for (size_t k = 0; k < s->ngpus; k++)
        if (!most || s->gpus[k].gap_ms > most->gap_ms)
            most = &s->gpus[k];
    if (s->segments > 1 && !d->back++)
        d->first_back = s;
    if (!most || !most->gaps || (most->gap_ms < GAP_MS && most->gap_ms * GAP_SHARE < most->covered_ms))
        return;
    d->holed++;
    d->gaps += most->gaps;
    d->gap_ms += most->gap_ms;
    if (most->gap_ms > d->widest) {
        d->widest = most->gap_ms;
        d->holes = s;
    }
}

static void add_doubts(struct doubts *d, const struct smi_summary *s)
{
    add_gaps(d, s);
    for (size_t k = 0; k < s->ninputs; k++) {
        const struct smi_account *a = &s->inputs[k].account;
        int64_t r = smi_account_rejected(a) - a->rejected[SMI_REJECT_TORN_TAIL];
        d->torn += a->rejected[SMI_REJECT_TORN_TAIL] > 0;
        d->rejected += r;
        d->stamps += a->stamps_never + (a->stamps_again ? 0 : a->stamps_twice);
        d->inputs += r > 0;
        if (r > d->most) {
            d->most = r;
            d->worst = &s->inputs[k];
        }
    }
    for (size_t k = 0; k < s->ngpus; k++)
        d->pooled += s->gpus[k].pooled ? s->gpus[k].samples : 0;
}

/* ", 1 gap of 2h00m, left out of all sums"; ", 5 gaps in 2 runs, 2h05m in all, left out of all sums (most in
 * run3)" */
static const char *holes(struct smi_text_arena *g, const struct doubts *d, smi_name_format_fn *name)
{
    const char *time = smi_fmt_time(g, d->gap_ms), *where = "", *most = "";
    if (!d->holed)
        return "";
    if (d->holed > 1) {
        where = smi_fmt(g, " in %zu runs", d->holed);
        most = smi_fmt(g, " (most in %s)", name(g, d->holes->run));
    } else if (g->sweep->n > 1) {
        where = smi_fmt(g, " in %s", name(g, d->holes->run));
    }
    if (d->gaps == 1)
        return smi_fmt(g, ", 1 gap of %s%s, left out of all sums", time, where);
    return smi_fmt(g, ", %lld gaps%s, %s in all, left out of all sums%s", (long long)d->gaps, where, time,
                   most);
}

const char *smi_warnings_text(struct smi_text_arena *g, smi_name_format_fn *name)
{
    const struct smi_sweep *s = g->sweep;
    struct doubts d = {0};
    const char *t = "";
    for (size_t i = 0; smi_sweep_has_run(s, i); i++)
        add_doubts(&d, &s->runs[i]);
    if (d.worst)
        t = smi_fmt(g, ", %s not usable in %s (%s%s)", smi_fmt_count(g, d.rejected, "row"),
                    smi_fmt_count(g, (int64_t)d.inputs, "input"), d.inputs > 1 ? "most in " : "",
                    name(g, d.worst->path));
    if (d.torn)
        t = smi_fmt(g, "%s, %s cut off and skipped", t, smi_fmt_count(g, d.torn, "last line"));
    if (d.pooled)
        t = smi_fmt(g, "%s, %s not assigned to a GPU", t, smi_fmt_count(g, d.pooled, "row"));
    t = smi_fmt(g, "%s%s", t, holes(g, &d, name));
    if (d.back > 1)
        t = smi_fmt(g, "%s, time steps back in %zu runs (%s first)", t, d.back, name(g, d.first_back->run));
    else if (d.back)
        t = smi_fmt(g, "%s, time steps back %s%s%s", t,
                    d.first_back->segments == 2
                        ? "once"
                        : smi_fmt(g, "%lld times", (long long)d.first_back->segments - 1),
                    s->n > 1 ? " in " : "", s->n > 1 ? name(g, d.first_back->run) : "");
    if (d.stamps)
        t = smi_fmt(g, "%s, %s that the zone has never or twice", t, smi_fmt_count(g, d.stamps, "time"));
    for (size_t i = 0; i < s->note.n && s->doubtful_notes; i++)
        if (s->note.list[i].fatal) {
            t = smi_fmt(g, "%s, %s given twice (%s%s)", t,
                        smi_fmt_count(g, (int64_t)s->doubtful_notes, "path"), name(g, s->note.list[i].path),
                        s->doubtful_notes > 1 ? " first" : "");
            break;
        }
    if (s->trouble.n)
        t = smi_fmt(g, "%s, %s not usable (%s%s)", t, smi_fmt_count(g, s->unusable, "file"),
                    name(g, s->trouble.list[0].path), s->unusable > 1 ? " first" : "");
    return *t ? t + 2 : t;
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

static void mark_cell(struct smi_table_cell *c, unsigned marks)
{
    if (!marks || strcmp(c->text, "-") == 0)
        return;
    c->mark = '!';
    c->style = SMI_YELLOW;
}

enum { SHAPE = 6 /* column of the GPU table */ };

/* Fills the line with what the GPUs did over time, if that is known of any. */
static void write_gpu_sparklines(struct smi_report_table *t, const struct smi_summary *s)
{
    struct smi_text_arena *g = t->page;
    const char *every;
    int64_t cell_ms = 0;
    int cells = g->look->width - smi_table_need(t, 0) - 2;
    cells = cells > SMI_SPARKLINE_CELLS ? SMI_SPARKLINE_CELLS : cells;
    for (size_t i = 0; i < s->ngpus; i++)
        for (int k = 0; k < SMI_SPARKLINE_CELLS && !s->gpus[i].pooled; k++)
            if (s->gpus[i].shape[k] != SMI_SPARKLINE_NONE && s->gpus[i].cell_ms > cell_ms)
                cell_ms = s->gpus[i].cell_ms;
    if (cells < 10 || cell_ms == 0)
        return;
    cell_ms = cell_ms * SMI_SPARKLINE_CELLS / cells;
    every = cell_ms < 1     ? "<1 ms"
            : cell_ms < 100 ? smi_fmt(g, "%lld ms", (long long)cell_ms)
                            : smi_fmt_time(g, cell_ms);
    t->col[SHAPE].hidden = false;
    t->row[0][SHAPE].text = cells < 30 ? "OVER TIME" : smi_fmt(g, "OVER TIME (%s a cell)", every);
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
    write_gpu_sparklines(&t, s);
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

/* Keeps v where it is the first, or in this direction from what is kept. Returns whether it was. */
static bool keep_extreme(struct smi_value *kept, struct smi_value v, int direction)
{
    if (kept->has && (v.micro - kept->micro) * direction <= 0)
        return false;
    *kept = v;
    return true;
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

/* "GPU 1 71.9 to GPU 0 271.2", where they are more than one unit and 5 % apart. */
static const char *differences(struct smi_text_arena *g, const struct lesser *m)
{
    int64_t apart = m->high_mean.micro - m->low_mean.micro, high = m->high_mean.micro;
    if (apart <= 1000000 || apart * 20 <= (high < 0 ? -high : high))
        return "";
    return smi_fmt(g, "GPU %s %s to GPU %s %s", smi_gpu_label(g, m->low), metric_text(g, m, m->low_mean),
                   smi_gpu_label(g, m->high), metric_text(g, m, m->high_mean));
}

/* Whether it is known that no GPU was slowed down. */
static bool never_slowed(const struct smi_summary *s)
{
    bool known = false;
    for (size_t i = 0; i < s->ngpus; i++) {
        if (!s->gpus[i].pooled && !s->gpus[i].throttle_known)
            return false;
        known |= s->gpus[i].throttle_known;
        for (size_t k = 0; k < s->gpus[i].throttles; k++)
            if (smi_throttle_slows(&s->gpus[i].throttle[k]) && s->gpus[i].throttle[k].pct.micro > 0)
                return false;
    }
    return known;
}

static void lesser_table(struct smi_text_arena *g, const struct smi_summary *s)
{
    struct lesser m;
    const char *same = ""; /* ", VRAM total 79.6 GiB" of what never changed */
    struct smi_report_table t;
    smi_table_begin(&t, g, NULL, 0);
    for (unsigned i = 0; i < SMI_METRIC_COUNT; i++) {
        const char *source = s->vram.source ? s->vram.source : "device", *remark = "";
        /* What the device shows is not what was used: "reserved; JAX used 41.3 at most". */
        if (i == smi_headline_metric[SMI_POOL_VRAM] && strcmp(source, "device") != 0)
            remark =
                smi_fmt(g, "%s%s used %s at most", smi_vram_held(s) ? "reserved; " : "",
                        strcmp(source, "jax") == 0 ? "JAX" : source, smi_fmt_gib(g, s->vram.used_peak_mb));
        if (smi_metrics[i].kind != SMI_GAUGE || i == smi_headline_metric[SMI_POOL_UTIL] ||
            !join_gpus(s, &m, i))
            continue;
        if (m.min.micro == m.max.micro)
            same = smi_fmt(g, *remark ? "%s, %s %s%s%s (%s)" : "%s, %s %s%s%s", same, smi_metric_label(g, i),
                           metric_text(g, &m, m.max), *smi_metrics[i].unit ? " " : "", metric_unit(g, &m),
                           remark);
        else {
            const char *apart = differences(g, &m);
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
    if (*same) {
        /* "always the same: VRAM total 79.6 GiB, fan 30 %": a number stays with its name and its unit. */
        const char *list = same;
        list += strspn(list, ", ");
        smi_wrap_words(g, 0, "always the same:", 0);
        for (size_t n; *list; list += n + strspn(list + n, " ")) {
            const char *comma = strstr(list, ", ");
            n = comma ? (size_t)(comma - list) + 1 : strlen(list);
            smi_wrap_word(g, 1, smi_fmt(g, "%.*s", (int)n, list), 0);
        }
        smi_wrap_newline(g);
    }
    if (never_slowed(s))
        smi_wrap_line(g, SMI_STYLE_PLAIN, "no throttling");
}

/* Throttle reasons, each with the GPU that has most of it. */
static void write_slowdowns_line(struct smi_text_arena *g, const struct smi_summary *s)
{
    const char *t = "";
    for (size_t i = 0; i < s->ngpus; i++)
        for (size_t k = 0; k < s->gpus[i].throttles; k++) {
            const char *reason = s->gpus[i].throttle[k].reason;
            int64_t v = s->gpus[i].throttle[k].pct.micro;
            bool most = smi_throttle_slows(&s->gpus[i].throttle[k]) && v > 0;
            for (size_t o = 0; o < s->ngpus; o++)
                for (size_t n = 0; n < s->gpus[o].throttles; n++) {
                    const int64_t other = s->gpus[o].throttle[n].pct.micro;
                    most &= strcmp(s->gpus[o].throttle[n].reason, reason) != 0 ||
                            (o < i ? other < v : other <= v);
                }
            if (most)
                t = smi_fmt(g, "%s, %s %s %%%s", t, smi_key_label(g, reason), smi_fmt_ratio(g, v, 1000000, 1),
                            s->ngpus == 1 ? "" : smi_fmt(g, " (GPU %s)", smi_gpu_label(g, &s->gpus[i])));
        }
    if (*t)
        smi_wrap_fmt(g, SMI_STYLE_PLAIN, "clocks held down, highest share: %s", t + 2);
}

void smi_text_gpus(struct smi_text_arena *g, const struct smi_summary *s, bool all)
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
