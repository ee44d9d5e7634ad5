/* text_errors.c - what went wrong: with the GPUs, in a line, and with -v a table; and
 * what is doubtful in the logs, in a line: rows that could not be used, holes, clocks that step back. */
#include "report/text_report.h"

#include <string.h>

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

/* Is its number of another kind than rows or lines that show it? */
static bool error_counts_items(const struct smi_error *e)
{
    return e->id == SMI_FAULT_ECC_UNCORR || e->id == SMI_FAULT_ECC_CORR || e->id == SMI_FAULT_REMAPPED ||
           e->id == SMI_FAULT_RETIRED;
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
    if (error_counts_items(e))
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

static void write_error_table(struct smi_text_arena *g, const struct smi_summary *s)
{
    struct smi_table_column col[] = {{.head = "ERRORS", .least = 14},
                                     {.head = "GPU", .align = SMI_RIGHT},
                                     {.head = "COUNT", .align = SMI_RIGHT},
                                     {.head = "FIRST"},
                                     {.head = "LAST"}};
    struct smi_report_table t;
    smi_table_begin(&t, g, col, 5);
    for (size_t i = 0; i < s->nerrors; i++) {
        const struct smi_error *e = &s->errors[i];
        const char *const text[] = {error_words(g, e), error_has_gpu(e) ? error_gpu_label(g, e) : "-",
                                    smi_fmt_int(g, e->n), error_time(g, s, e->has_first, e->first_ms),
                                    error_time(g, s, e->has_last, e->last_ms)};
        struct smi_table_cell *row = smi_table_add(&t, SMI_ROW_PLAIN, text);
        if (row)
            row->style = smi_faults[e->id].grave ? SMI_RED : SMI_STYLE_PLAIN;
    }
    smi_table_text(&t);
}

void smi_text_errors(struct smi_text_arena *g, const struct smi_summary *s, bool all)
{
    const char *t = "";
    if (s->nerrors == 0)
        return;
    if (all) {
        write_error_table(g, s);
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

/* A path as it fits into a sentence. */
static const char *brief_path(struct smi_text_arena *g, const char *path)
{
    const char *t = smi_fmt_safe(g, path);
    return g->look->width ? smi_fmt_middle(g, t, 40, 16) : t;
}

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

static const char *time_step_warning(struct smi_text_arena *g, const struct doubts *d,
                                     smi_name_format_fn *name)
{
    int64_t times = d->back ? d->first_back->segments - 1 : 0;
    if (!d->back)
        return "";
    if (d->back > 1)
        return smi_fmt(g, ", time steps back in %zu runs (%s first)", d->back, name(g, d->first_back->run));
    return smi_fmt(g, ", time steps back %s%s%s",
                   times == 1 ? "once" : smi_fmt(g, "%lld times", (long long)times),
                   g->sweep->n > 1 ? " in " : "", g->sweep->n > 1 ? name(g, d->first_back->run) : "");
}

const char *smi_warnings_text(struct smi_text_arena *g, smi_name_format_fn *name)
{
    const struct smi_sweep *s = g->sweep;
    struct doubts d = {0};
    const char *t = "";
    for (size_t i = 0; smi_sweep_has_run(s, i); i++)
        add_doubts(&d, &s->runs[i]);
    if (d.rejected)
        t = smi_fmt(g, ", %s not usable in %s (%s%s)", smi_fmt_count(g, d.rejected, "row"),
                    smi_fmt_count(g, (int64_t)d.inputs, "input"), d.inputs > 1 ? "most in " : "",
                    name(g, d.worst->path));
    if (d.torn)
        t = smi_fmt(g, "%s, %s cut off and skipped", t, smi_fmt_count(g, d.torn, "last line"));
    if (d.pooled)
        t = smi_fmt(g, "%s, %s not assigned to a GPU", t, smi_fmt_count(g, d.pooled, "row"));
    t = smi_fmt(g, "%s%s%s", t, holes(g, &d, name), time_step_warning(g, &d, name));
    if (d.stamps)
        t = smi_fmt(g, "%s, %s that the zone has never or twice", t, smi_fmt_count(g, d.stamps, "time"));
    for (size_t i = 0; i < s->nnotes && s->doubtful_notes; i++)
        if (s->note[i].fatal) {
            t = smi_fmt(g, "%s, %s given twice (%s%s)", t,
                        smi_fmt_count(g, (int64_t)s->doubtful_notes, "path"), name(g, s->note[i].path),
                        s->doubtful_notes > 1 ? " first" : "");
            break;
        }
    if (s->ntrouble)
        t = smi_fmt(g, "%s, %s not usable (%s%s)", t, smi_fmt_count(g, s->unusable, "file"),
                    name(g, s->trouble[0].path), s->unusable > 1 ? " first" : "");
    return *t ? t + 2 : t;
}

void smi_text_warnings(struct smi_text_arena *g)
{
    const char *t = smi_warnings_text(g, brief_path);
    if (*t)
        smi_wrap_fmt(g, SMI_STYLE_PLAIN, "warnings: %s", t);
}
