/* doubts.c - what is doubtful in the logs, in one line: rows that could not be used, holes, clocks that step back. */
#include "table/table.h"

#include <string.h>

/* Do two problems say the same, but for the number they begin with? */
static bool alike(const struct smi_problem *a, const struct smi_problem *b)
{
    static const char digits[] = "0123456789";
    size_t x = strspn(a->text, digits), y = strspn(b->text, digits);
    const char *s = a->text + x, *t = b->text + y;
    if (x == 0 || y == 0 || a->kind != b->kind || a->line == 0 || b->line == 0)
        return a == b;
    x = strncmp(s, " values ", 8) == 0 ? 7 : strcspn(s + 1, " ") + 1; /* 1 value, 2 values */
    y = strncmp(t, " values ", 8) == 0 ? 7 : strcspn(t + 1, " ") + 1;
    return strcmp(s + x, t + y) == 0;
}

int64_t smi_problem_lines(const struct smi_account *a, size_t k)
{
    int64_t same = 0, kept = 0;
    for (size_t i = 0; i < a->problems; i++) {
        kept += a->problem[i].kind == a->problem[k].kind;
        if (!alike(&a->problem[i], &a->problem[k]))
            continue;
        if (i < k)
            return 0;
        same++;
    }
    return same > 1 && same == kept ? a->said[a->problem[k].kind] : same; /* those that were not kept, too */
}

/* A path as it fits into a sentence. */
static const char *brief(struct smi_page *g, const char *path)
{
    const char *t = smi_page_safe(g, path);
    return g->look->width ? smi_page_middle(g, t, 40, 16) : t;
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
        int64_t r = smi_account_rejected(a) - a->rejected[SMI_TORN_TAIL];
        d->torn += a->rejected[SMI_TORN_TAIL];
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

/* ", 1 gap of 2h00m, left out of all sums"; ", 5 gaps in 2 runs, 2h05m in all, left out of all sums (most in run3)" */
static const char *holes(struct smi_page *g, const struct doubts *d, smi_name_fn *name)
{
    const char *time = smi_page_time(g, d->gap_ms), *where = "", *most = "";
    if (!d->holed)
        return "";
    if (d->holed > 1) {
        where = smi_page_fmt(g, " in %zu runs", d->holed);
        most = smi_page_fmt(g, " (most in %s)", name(g, d->holes->run));
    } else if (g->sweep->n > 1) {
        where = smi_page_fmt(g, " in %s", name(g, d->holes->run));
    }
    if (d->gaps == 1)
        return smi_page_fmt(g, ", 1 gap of %s%s, left out of all sums", time, where);
    return smi_page_fmt(g, ", %lld gaps%s, %s in all, left out of all sums%s", (long long)d->gaps, where, time, most);
}

static const char *steps(struct smi_page *g, const struct doubts *d, smi_name_fn *name)
{
    int64_t times = d->back ? d->first_back->segments - 1 : 0;
    if (!d->back)
        return "";
    if (d->back > 1)
        return smi_page_fmt(g, ", time steps back in %zu runs (%s first)", d->back, name(g, d->first_back->run));
    return smi_page_fmt(g, ", time steps back %s%s%s", times == 1 ? "once" : smi_page_fmt(g, "%lld times", (long long)times),
                        g->sweep->n > 1 ? " in " : "", g->sweep->n > 1 ? name(g, d->first_back->run) : "");
}

const char *smi_doubts_text(struct smi_page *g, smi_name_fn *name)
{
    const struct smi_sweep *s = g->sweep;
    struct doubts d = {0};
    const char *t = "";
    for (size_t i = 0; i < s->n; i++)
        add_doubts(&d, &s->runs[i]);
    if (d.rejected)
        t = smi_page_fmt(g, ", %lld row%s not usable in %zu input%s (%s%s)", (long long)d.rejected,
                         d.rejected == 1 ? "" : "s", d.inputs, d.inputs == 1 ? "" : "s",
                         d.inputs > 1 ? "most in " : "", name(g, d.worst->path));
    if (d.torn)
        t = smi_page_fmt(g, "%s, %lld last line%s cut off and not used", t, (long long)d.torn,
                         d.torn == 1 ? "" : "s");
    if (d.pooled)
        t = smi_page_fmt(g, "%s, %lld row%s given to no GPU", t, (long long)d.pooled,
                         d.pooled == 1 ? "" : "s");
    t = smi_page_fmt(g, "%s%s%s", t, holes(g, &d, name), steps(g, &d, name));
    if (d.stamps)
        t = smi_page_fmt(g, "%s, %lld stamp%s that the zone has never or twice", t, (long long)d.stamps,
                         d.stamps == 1 ? "" : "s");
    for (size_t i = 0; i < s->nnotes && s->doubtful_notes; i++)
        if (s->note[i].fatal) {
            t = smi_page_fmt(g, "%s, %zu path%s there twice (%s%s)", t, s->doubtful_notes,
                             s->doubtful_notes == 1 ? "" : "s", name(g, s->note[i].path), s->doubtful_notes > 1 ? " first" : "");
            break;
        }
    if (s->ntrouble)
        t = smi_page_fmt(g, "%s, %zu file%s not usable (%s%s)", t, s->ntrouble, s->ntrouble == 1 ? "" : "s",
                         name(g, s->trouble[0].path), s->ntrouble > 1 ? " first" : "");
    return *t ? t + 2 : t;
}

void smi_table_doubts(struct smi_page *g)
{
    const char *t = smi_doubts_text(g, brief);
    if (*t)
        smi_page_line(g, SMI_PLAIN, smi_page_fmt(g, "doubts: %s", t));
}
