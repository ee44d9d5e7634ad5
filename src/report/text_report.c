/* text_report.c - the terminal table: what was read, the table, what was wasted and why, what is doubtful,
 * the sum. The tables themselves are in runs.c, sweep.c and detail.c. */
#include "report/output.h"
#include "report/run_groups.h"

#include <string.h>

/* --- the head --- */

static const char *missing_points(struct smi_text_arena *g)
{
    const struct smi_sweep *s = g->sweep;
    const char *t = "none missing";
    size_t i, k, most = 3;
    if (s->nmissing)
        t = s->nmissing == 1 ? "missing:" : smi_fmt(g, "%zu missing:", s->nmissing);
    for (i = 0; i < s->nmissing && i < most; i++) {
        for (k = 0; k < s->naxes; k++)
            t = smi_fmt(g, "%s %s=%s", t, smi_fmt_safe(g, s->missing[i][k].key),
                        smi_fmt_safe(g, s->missing[i][k].text));
        t = smi_fmt(g, "%s%s", t, i + 1 < s->nmissing && i + 1 < most ? "," : "");
    }
    return s->nmissing > most ? smi_fmt(g, "%s and %zu more", t, s->nmissing - most) : t;
}

/* "3 lr x 4 seeds, none missing" */
static const char *grid_line(struct smi_text_arena *g)
{
    const struct smi_sweep *s = g->sweep;
    const char *t = "", **unused;
    size_t places = 1;
    for (size_t i = 0; i < s->naxes; i++) {
        size_t n = smi_param_values(g, s->axis[i], &unused);
        places *= n;
        t = smi_fmt(g, "%s%s%zu %s%s", t, i ? " x " : "", n, smi_fmt_safe(g, s->axis[i]),
                    n != 1 && smi_param_is_repeat(s->axis[i]) ? "s" : "");
    }
    if (!s->nmissing && (s->naxes == 1 || places != s->n)) /* several runs may have the same values */
        return t;
    return smi_fmt(g, "%s, %s", t, missing_points(g));
}

size_t smi_run_gpus(const struct smi_summary *s, const char **model)
{
    size_t n = 0;
    *model = NULL;
    for (size_t i = 0; i < s->ngpus; i++) {
        const char *one = s->gpus[i].name;
        n += !s->gpus[i].pooled;
        if (one && *model && strcmp(one, *model) != 0)
            *model = "";
        *model = *model ? *model : one;
    }
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

/* Do both have as many GPUs, of the same model? */
static bool is_like(const struct smi_summary *s, const struct smi_summary *as)
{
    const char *want, *model;
    return smi_run_gpus(as, &want) == smi_run_gpus(s, &model) &&
           (!model || !want || strcmp(model, want) == 0);
}

static size_t count_like(const struct smi_sweep *s, const struct smi_summary *as)
{
    size_t found = 0;
    for (size_t i = 0; smi_sweep_has_run(s, i); i++)
        found += is_like(&s->runs[i], as);
    return found;
}

/* The GPUs that most runs have (a model rather than none): "2 x H100 80GB HBM3 in 9 runs, others in 3". */
static const char *gpu_line(struct smi_text_arena *g)
{
    const struct smi_sweep *s = g->sweep;
    const struct smi_summary *best = NULL;
    const char *model;
    size_t n = 0, most = 0, like;
    for (size_t i = 0; smi_sweep_has_run(s, i); i++) {
        n += smi_run_gpus(&s->runs[i], &model) > 0;
        like = i < 64 && smi_run_gpus(&s->runs[i], &model) ? count_like(s, &s->runs[i]) * 2 + (model != NULL)
                                                           : 0;
        if (like > most) {
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

static const char *seconds_text(struct smi_text_arena *g, struct smi_value v)
{
    return smi_fmt_value(g, v, v.micro < 1000000 && v.micro % 100000 ? 3 : 1);
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
    return strcmp(seconds_text(g, low), seconds_text(g, high)) == 0
               ? smi_fmt(g, "sampled every %s s", seconds_text(g, low))
               : smi_fmt(g, "sampled every %s to %s s", seconds_text(g, low), seconds_text(g, high));
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

void smi_text_head(struct smi_text_arena *g)
{
    const struct smi_sweep *s = g->sweep;
    smi_wrap_part(g, 0, 0, "%s in",
                  s->all > s->n ? smi_fmt(g, "%zu of %zu runs", s->n, s->all)
                                : smi_fmt_count(g, (int64_t)s->n, "run"));
    smi_wrap_words(g, 1, s->title ? smi_fmt_safe(g, s->title) : ".", 0);
    if (g->look->width && smi_names_frame(g))
        smi_wrap_part(g, 3, 0, "names %s", smi_names_frame(g));
    if (s->grid)
        smi_wrap_words(g, 3, grid_line(g), 0);
    smi_wrap_words(g, 3, gpu_line(g), 0);
    smi_params_head(g);
    smi_wrap_newline(g);
    smi_wrap_words(g, 0, smi_fmt_time_range(g, s->runs, s->n, false), 0);
    smi_wrap_words(g, 3, interval_line(g), 0);
    if (g->column)
        smi_wrap_newline(g);
    smi_wrap_newline(g);
}

/* --- below the table --- */

/* Where the VRAM figures come from, if not simply from the device. */
static void say_vram(struct smi_text_arena *g, const struct smi_summary *runs, size_t n)
{
    size_t framework = 0, held = 0, i;
    struct smi_value device = {0};
    const char *who = NULL;
    for (i = 0; i < n; i++) {
        const char *source = runs[i].vram.source ? runs[i].vram.source : "device";
        if (strcmp(source, "device") == 0)
            continue;
        framework++;
        held += smi_vram_held(&runs[i]);
        source = strcmp(source, "jax") == 0 ? "JAX" : source;
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

/* A piece of the last line. */
struct piece {
    const char *text, *brief; /* brief: for narrow windows, or NULL */
    int leave;                /* from which step of shortening it is left out; 0: never */
};

static const char *piece_at(const struct piece *p, int step)
{
    return p->leave && step >= p->leave ? NULL : step && p->brief ? p->brief : p->text;
}

/* The least shortening with which the line fits. */
static int step_that_fits(const struct piece *p, int n, int width)
{
    for (int step = 0; step < 5; step++) {
        int sum = 0;
        for (int i = 0; i < n; i++)
            sum += piece_at(&p[i], step) ? smi_text_width(piece_at(&p[i], step)) + 2 : 0;
        if (!width || sum - 2 <= width)
            return step;
    }
    return 4;
}

/* Runs that have GPU data and no wasted hours would make these too low in silence. */
static const char *unknown_waste_text(struct smi_text_arena *g, const struct smi_total *t)
{
    int64_t n = t->runs > 1 ? smi_total_missing(t, t->of.waste) : 0;
    return n ? smi_fmt(g, ", not known for %s", smi_fmt_count(g, n, "run")) : "";
}

static int total_pieces(struct smi_text_arena *g, struct piece *p)
{
    const struct smi_total *t = &g->sweep->total;
    int64_t wasted = smi_wasted_ms(&t->waste);
    bool one = g->sweep->n == 1;
    int n = 0;
    if (!one || t->duration_s.has)
        p[n++].text = one ? smi_fmt_duration(g, t->duration_s) : smi_fmt(g, "%zu runs", g->sweep->n);
    if (t->gpu_hours.has)
        p[n++].text = smi_fmt(g, "%s GPU-h", smi_fmt_hours(g, t->covered_ms));
    if (g->look->money && (t->cost.has || smi_total_missing(t, t->of.cost)))
        p[n++] = (struct piece){smi_total_cost(g, t), NULL, 4};
    if (t->energy_wh.has)
        p[n++] = (struct piece){smi_total_energy(g, t), NULL, 2};
    if (t->co2_g.has)
        p[n++] = (struct piece){smi_total_co2(g, t), NULL, 2};
    if (t->block.pool[SMI_POOL_UTIL].n)
        p[n++] = (struct piece){smi_fmt(g, "GPU %s %%", smi_fmt_mean(g, &t->block, SMI_FIG_UTIL)), NULL, 3};
    if (smi_waste_known(t->wasted_h[5], t->idle_pct, &t->waste)) {
        const char *hours = smi_fmt_hours(g, wasted);
        const char *share = smi_fmt_ratio(g, (smi_i128)wasted * 100, t->covered_ms ? t->covered_ms : 1, 1);
        p[n++] =
            (struct piece){smi_fmt(g, "%s GPU-h wasted (%s %%)%s%s", hours, share, unknown_waste_text(g, t),
                                   smi_unknown_hours_text(g, g->sweep->runs, g->sweep->n)),
                           smi_fmt(g, "%s h wasted (%s %%)", hours, share), 0};
    }
    if (t->failed || t->cut || t->no_data)
        p[n++].text = smi_ended_early_text(g, "no GPU data", one);
    if (one && g->sweep->runs[0].judged)
        p[n++].text = g->sweep->runs->nfindings
                          ? smi_fmt_count(g, (int64_t)g->sweep->runs->nfindings, "finding")
                          : "no findings";
    if (n == 0 && g->sweep->runs[0].nprocesses)
        p[n++].text = smi_fmt(g, "%zu process%s", g->sweep->runs->nprocesses,
                              g->sweep->runs->nprocesses == 1 ? "" : "es");
    if (n == 0)
        p[n++].text = "1 run";
    return n;
}

const char *smi_total_line(struct smi_text_arena *g)
{
    struct piece p[11] = {0};
    int n = total_pieces(g, p), step = step_that_fits(p, n, g->look->width);
    const char *line = "";
    for (int i = 0; i < n; i++)
        if (piece_at(&p[i], step))
            line = smi_fmt(g, "%s%s%s", line, *line ? ", " : "", piece_at(&p[i], step));
    return line;
}

/* One hint, on a terminal only: a command that does what it says, with the options that were given. The run
 * whose detail answers the next question is the one with the largest waste. */
static void write_hint(struct smi_text_arena *g)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._/=+,@%:-";
    const struct smi_sweep *s = g->sweep;
    const struct smi_summary **worst = smi_runs_in_order(g, &g->arena, true), *run = worst ? *worst : NULL;
    const char *path = run && (s->n > 1 || s->paths > 1) ? run->path : s->title,
               *given = g->look->given ? g->look->given : "";
    if (!run || !run->path || !path || g->look->width == 0 || g->look->verbose || (s->n == 1 && s->paths > 1))
        return;
    if (strchr(path, '\'') || path[0] == '-' || strcmp(path, smi_fmt_safe(g, path)) != 0 ||
        strcmp(given, smi_fmt_safe(g, given)) != 0)
        return; /* a name that a shell would read otherwise: no command to copy */
    path = smi_fmt(
        g, path[strspn(path, plain)] ? "more: smilog summarize -v%s '%s'" : "more: smilog summarize -v%s %s",
        given, path);
    if (smi_text_width(path) > g->look->width) /* a command in two pieces cannot be copied */
        path = s->n == 1 ? "more: the same with -v" : NULL;
    if (path)
        smi_wrap_line(g, SMI_GREY, path);
}

enum { FEW = 12 };

static bool has_too_many_runs(const struct smi_sweep *s, const struct smi_render_options *look)
{
    /* what stands for the table is as long as FEW rows */
    int64_t room = look->height - 14 > FEW ? look->height - 14 : FEW;
    return look->width > 0 && look->height > 0 && !look->all && (int64_t)s->n > room;
}

static void write_all_runs(struct smi_text_arena *g)
{
    const struct smi_sweep *s = g->sweep;
    const struct smi_summary **run = smi_runs_in_order(g, &g->arena, false);
    if (run && s->n)
        smi_text_runs(g, run, s->n, true);
    smi_wrap_newline(g);
}

int smi_write_text_report(struct smi_buf *to, const struct smi_sweep *s,
                          const struct smi_render_options *look, struct smi_err *err)
{
    struct smi_text_arena g = {.to = to, .sweep = s, .look = look};
    for (size_t i = 0; smi_sweep_has_run(s, i) && (look->verbose || s->n == 1); i++) {
        smi_text_run(&g, &s->runs[i], look->verbose);
        if (s->n > 1)
            smi_wrap_newline(&g);
    }
    if (s->n != 1)
        smi_text_head(&g);
    if (s->n != 1 && has_too_many_runs(s, look))
        smi_text_sweep(&g);
    else if (s->n != 1)
        write_all_runs(&g);
    if (s->n != 1)
        smi_text_waste(&g, s->runs, s->n);
    say_vram(&g, s->runs, s->n);
    if (s->n != 1)
        smi_text_all_errors(&g, s->runs, s->n);
    smi_text_warnings(&g);
    smi_wrap_line(&g, SMI_BOLD, smi_total_line(&g)); /* the first that is read, so it stays one line */
    write_hint(&g);
    return smi_text_arena_end(&g, err);
}
