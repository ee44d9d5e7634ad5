/* text.c - the terminal table: what was read, the table, what was wasted and why, what is doubtful, the sum
 * (screens.md §1-§4). The tables themselves are in runs.c, sweep.c and detail.c. */
#include "base/clock.h"
#include "output/table.h"

#include <string.h>

/* --- the head --- */

static const char *missing(struct smi_page *g)
{
    const struct smi_sweep *s = g->sweep;
    const char *t = "none missing";
    size_t i, k, most = 3;
    if (s->nmissing)
        t = s->nmissing == 1 ? "missing:" : smi_page_fmt(g, "%zu missing:", s->nmissing);
    for (i = 0; i < s->nmissing && i < most; i++) {
        for (k = 0; k < s->nvarying; k++)
            t = smi_page_fmt(g, "%s %s=%s", t, smi_page_safe(g, s->missing[i][k].key),
                             smi_page_safe(g, s->missing[i][k].text));
        t = smi_page_fmt(g, "%s%s", t, i + 1 < s->nmissing && i + 1 < most ? "," : "");
    }
    return s->nmissing > most ? smi_page_fmt(g, "%s and %zu more", t, s->nmissing - most) : t;
}

/* "3 lr x 4 seeds, none missing" */
static const char *grid_line(struct smi_page *g)
{
    const struct smi_sweep *s = g->sweep;
    const char *t = "", **unused;
    for (size_t i = 0; i < s->nvarying; i++) {
        size_t n = smi_values_of(g, s->varying[i], &unused);
        t = smi_page_fmt(g, "%s%s%zu %s%s", t, i ? " x " : "", n, smi_page_safe(g, s->varying[i]),
                         n != 1 && smi_is_repeat(s->varying[i]) ? "s" : "");
    }
    return smi_page_fmt(g, "%s, %s", t, missing(g));
}

/* The GPUs of a run that can be told apart, and their model: NULL if it is not known, "" if there are
 * several. */
static size_t gpus_of(const struct smi_summary *s, const char **model)
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

const char *smi_page_gpus(struct smi_page *g, const struct smi_summary *s)
{
    const char *model;
    size_t n = gpus_of(s, &model);
    if (n == 0)
        return NULL;
    if (!model || !*model)
        return smi_page_fmt(g, "%zu GPU%s%s", n, n == 1 ? "" : "s", model ? " of several models" : "");
    return smi_page_fmt(g, "%zu x %s", n,
                        smi_page_safe(g, model + (strncmp(model, "NVIDIA ", 7) == 0 ? 7 : 0)));
}

/* Of how many runs the GPUs of `as` are true: as many, and no other model. */
static size_t count_like(const struct smi_sweep *s, const struct smi_summary *as)
{
    const char *want, *model;
    size_t n = gpus_of(as, &want), found = 0;
    for (size_t i = 0; i < s->n; i++)
        found += gpus_of(&s->runs[i], &model) == n && (!model || !want || strcmp(model, want) == 0);
    return found;
}

/* The GPUs that most runs have (a model rather than none), and of how many runs it is true, if not of all. */
static const char *gpu_line(struct smi_page *g)
{
    const struct smi_sweep *s = g->sweep;
    const struct smi_summary *best = NULL;
    const char *model;
    size_t n = 0, most = 0, like;
    for (size_t i = 0; i < s->n; i++) {
        n += gpus_of(&s->runs[i], &model) > 0;
        like = i < 64 && gpus_of(&s->runs[i], &model) ? count_like(s, &s->runs[i]) * 2 + (model != NULL) : 0;
        if (like > most) {
            most = like;
            best = &s->runs[i];
        }
    }
    if (!best)
        return "";
    return most / 2 < n ? smi_page_fmt(g, "%s in %zu of %zu runs", smi_page_gpus(g, best), most / 2, n)
                        : smi_page_gpus(g, best);
}

/* "UTC+02:00 (from the run log)" of "utc+02:00 from the run log". */
static const char *zone_words(struct smi_page *g, const char *base)
{
    size_t n = strcspn(base, " ");
    if (strncmp(base, "utc", 3) != 0 || n < 3)
        return "zone not known";
    if (!base[n])
        return smi_page_fmt(g, "UTC%s", base + 3);
    return smi_page_fmt(g, "UTC%.*s (%s)", (int)n - 3, base + 3, base + n + 1);
}

/* Adds a run to the span. Runs on clocks that differ are shown in UTC; so no base that is not shared is
 * named. */
static void widen(struct smi_summary *span, const struct smi_summary *s)
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
        span->time_base = "utc, runs in several zones";
    } else if (span->time_base && strcmp(span->time_base, s->time_base) != 0) {
        span->time_base = NULL;
    }
}

const char *smi_page_range(struct smi_page *g, const struct smi_summary *runs, size_t n, bool seconds)
{
    struct smi_summary span = {0};
    char zone[SMI_CLOCK_TEXT] = "";
    const char *day, *end;
    size_t i, left = 0;
    int len = seconds ? 8 : 5;
    for (i = 0; i < n; i++)
        span.zoned |= runs[i].has_start && runs[i].zoned;
    for (i = 0; i < n; i++) {
        if (runs[i].has_start && runs[i].zoned == span.zoned)
            widen(&span, &runs[i]);
        else
            left += runs[i].has_start;
    }
    if (!span.has_start)
        return "";
    day = smi_page_when(g, &span, span.start_ms, 0, 10);
    end = smi_page_when(g, &span, span.end_ms, 0, 10);
    if (!span.time_base && span.zoned)
        smi_clock_put_zone(zone, span.offset_s);
    return smi_page_fmt(g, "%s %s to %s%s%s, %s%s", day, smi_page_when(g, &span, span.start_ms, 11, len),
                        strcmp(day, end) == 0 ? "" : end, strcmp(day, end) == 0 ? "" : " ",
                        smi_page_when(g, &span, span.end_ms, 11, len),
                        *zone            ? smi_page_fmt(g, "UTC%s", zone)
                        : span.time_base ? zone_words(g, span.time_base)
                                         : "zone not known",
                        left ? smi_page_fmt(g, " (%zu runs without a zone not among them)", left) : "");
}

/* "sampled every 2.0 s", over all inputs. */
static const char *interval_line(struct smi_page *g)
{
    struct smi_value low = {0}, high = {0};
    const char *a, *b;
    for (size_t i = 0; i < g->sweep->n; i++)
        for (size_t k = 0; k < g->sweep->runs[i].ninputs; k++) {
            struct smi_value v = g->sweep->runs[i].inputs[k].interval_s;
            if (v.has && (!low.has || v.micro < low.micro))
                low = v;
            if (v.has && (!high.has || v.micro > high.micro))
                high = v;
        }
    if (!low.has)
        return "";
    a = smi_page_value(g, low, low.micro < 1000000 ? 3 : 1);
    b = smi_page_value(g, high, high.micro < 1000000 ? 3 : 1);
    return strcmp(a, b) == 0 ? smi_page_fmt(g, "sampled every %s s", a)
                             : smi_page_fmt(g, "sampled every %s to %s s", a, b);
}

void smi_table_head(struct smi_page *g)
{
    const struct smi_sweep *s = g->sweep;
    smi_page_words(g, 0, smi_page_fmt(g, "%zu run%s in", s->n, s->n == 1 ? "" : "s"), 0);
    smi_page_words(g, 1, s->title ? smi_page_safe(g, s->title) : ".", 0);
    if (s->grid && s->nvarying)
        smi_page_words(g, 3, grid_line(g), 0);
    smi_page_words(g, 3, gpu_line(g), 0);
    for (size_t i = 0; i < s->ncommon; i++)
        smi_page_words(
            g, i ? 1 : 3,
            smi_page_fmt(g, "%s=%s", smi_page_safe(g, s->common[i].key), smi_page_safe(g, s->common[i].text)),
            0);
    smi_page_newline(g);
    smi_page_words(g, 0, smi_page_range(g, s->runs, s->n, false), 0);
    smi_page_words(g, 3, interval_line(g), 0);
    if (g->column)
        smi_page_newline(g);
    smi_page_newline(g);
}

void smi_table_title(struct smi_page *g, const struct smi_summary *s, bool all)
{
    static const char *const word[] = {"ok", "FAILED", "cut: no end in log", "", "no GPU data"};
    const char *gpus = smi_page_gpus(g, s);
    size_t i;
    smi_page_words(g, 0, smi_page_safe(g, s->run), 0);
    smi_page_words(g, 3, word[s->state], 0);
    if (s->state == SMI_STATE_FAILED && s->state_reason)
        smi_page_words(g, 1, smi_page_fmt(g, "(%s)", smi_page_safe(g, s->state_reason)), 0);
    if (s->duration_s.has)
        smi_page_words(g, 3, smi_page_duration(g, s->duration_s), 0);
    smi_page_words(g, 3, smi_page_range(g, s, 1, true), 0);
    if (gpus)
        smi_page_words(g, 3, gpus, 0);
    if (s->hostname)
        smi_page_words(g, 3, smi_page_safe(g, s->hostname), 0);
    smi_page_newline(g);
    for (i = 0; i < s->nparams; i++)
        smi_page_words(g, 1,
                       smi_page_fmt(g, "%s%s=%s", i ? "" : "params: ", smi_page_safe(g, s->params[i].key),
                                    smi_page_safe(g, s->params[i].text)),
                       0);
    for (i = 0; !all && i < s->ninputs && i < 4; i++) /* with -v they have a table */
        smi_page_words(g, i ? 1 : 3,
                       smi_page_fmt(g, "%s%s", i ? "" : "files: ", smi_page_safe(g, s->inputs[i].path)), 0);
    if (!all && s->ninputs > 4)
        smi_page_words(g, 1, smi_page_fmt(g, "+%zu", s->ninputs - 4), 0);
    if (g->column)
        smi_page_newline(g);
    smi_page_newline(g);
}

/* --- below the table --- */

/* Where the VRAM figures come from, if not simply from the device. */
static void say_vram(struct smi_page *g, const struct smi_summary *runs, size_t n)
{
    size_t framework = 0, held = 0, reserved = 0, i;
    struct smi_value device = {0};
    const char *who = NULL;
    for (i = 0; i < n; i++) {
        const char *source = runs[i].vram.source ? runs[i].vram.source : "device";
        if (strcmp(source, "device") == 0) {
            reserved += runs[i].vram.reserved;
            continue;
        }
        framework++;
        held += runs[i].vram.reserved;
        source = strcmp(source, "jax") == 0 ? "JAX" : source;
        who = who && strcmp(who, source) != 0 ? "the framework" : source;
        if (runs[i].vram.device_peak_mb.has && runs[i].vram.device_peak_mb.micro >= device.micro)
            device = runs[i].vram.device_peak_mb;
    }
    if (framework)
        smi_page_words(g, 0, smi_page_fmt(g, "VRAM: %s's own peak", who), 0);
    if (framework && n > 1)
        smi_page_words(g, 1, smi_page_fmt(g, "in %zu runs", framework), 0);
    if (framework && device.has)
        smi_page_words(g, 1,
                       smi_page_fmt(g, "(the device shows %s%s GiB %s)", framework > 1 ? "up to " : "",
                                    smi_page_gib(g, device),
                                    held == framework ? "reserved throughout" : "in use"),
                       0);
    if (framework)
        smi_page_newline(g);
    if (reserved)
        smi_page_line(g, SMI_PLAIN,
                      smi_page_fmt(g, "VRAM: reserved at one level throughout%s, so not what was used",
                                   n > 1 ? smi_page_fmt(g, " in %zu runs", reserved) : ""));
}

/* The last line: the first that is read. Line breaks stand between its pieces only. */
static void say_total(struct smi_page *g)
{
    const struct smi_sweep *s = g->sweep;
    const struct smi_total *t = &s->total;
    const struct {
        int64_t n;
        const char *word;
    } ends[] = {{t->failed, "failed"}, {t->cut, "cut"}, {t->no_data, "without GPU data"}};
    int64_t wasted = smi_wasted_ms(&t->waste);
    bool one = s->n == 1;
    const char *piece[9];
    int n = 0, i;
    piece[n++] = one ? smi_page_duration(g, t->duration_s) : smi_page_fmt(g, "%zu runs", s->n);
    if (t->gpu_hours.has)
        piece[n++] = smi_page_fmt(g, "%s GPU-h", smi_page_hours(g, t->covered_ms));
    if (t->gpu_hours.has && g->look->price_micro)
        piece[n++] = smi_page_money(g, t->covered_ms);
    if (t->energy_wh.has)
        piece[n++] = smi_page_energy(g, t->energy_wh);
    if (t->block.pool[SMI_POOL_UTIL].n)
        piece[n++] = smi_page_fmt(g, "GPU %s %%", smi_page_mean(g, &t->block, SMI_FIG_UTIL));
    if (t->wasted_h[5].has && one)
        piece[n++] =
            smi_page_fmt(g, "%s GPU-h wasted (%s %%)", smi_page_hours(g, wasted),
                         smi_page_ratio(g, (smi_i128)wasted * 100, t->covered_ms ? t->covered_ms : 1, 1));
    else if (t->wasted_h[5].has)
        piece[n++] = smi_page_fmt(g, "%s GPU-h wasted", smi_page_hours(g, wasted));
    for (i = 0; i < 3; i++)
        if (ends[i].n)
            piece[n++] = one ? ends[i].word : smi_page_fmt(g, "%lld %s", (long long)ends[i].n, ends[i].word);
    smi_page_style(g, SMI_BOLD);
    for (i = 0; i < n; i++)
        smi_page_word(g, 1, smi_page_fmt(g, "%s%s", piece[i], i + 1 < n ? "," : ""), 0);
    smi_page_style(g, SMI_PLAIN);
    smi_page_newline(g);
}

/* The run whose detail answers the next question: the largest waste that nobody has explained yet. */
static const struct smi_summary *curious(const struct smi_sweep *s)
{
    const struct smi_summary *best = NULL;
    int64_t ms, most = 0;
    for (size_t i = 0; i < s->n; i++) {
        const struct smi_waste *w = &s->runs[i].waste;
        ms = smi_wasted_ms(w) - w->failed_ms;
        if (ms > most) {
            most = ms;
            best = &s->runs[i];
        }
    }
    return best ? best : s->n ? &s->runs[0] : NULL;
}

/* One hint, on a terminal only. */
static void hint(struct smi_page *g)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._/=+,@%:-";
    const struct smi_sweep *s = g->sweep;
    const struct smi_summary *run = curious(s);
    const char *title = s->title ? s->title : ".", *path = title;
    size_t n = strlen(title);
    if (!run || g->look->width == 0 || g->look->verbose || strchr(title, ' '))
        return;
    if (s->n > 1)
        path = strcmp(title, ".") == 0
                   ? run->run
                   : smi_page_fmt(g, "%s%s%s", title, title[n - 1] == '/' ? "" : "/", run->run);
    if (strchr(path, '\'') || path[0] == '-' || strcmp(path, smi_page_safe(g, path)) != 0)
        return; /* a name that a shell would read otherwise: no command to copy */
    smi_page_line(g, SMI_GREY,
                  smi_page_fmt(g,
                               path[strspn(path, plain)] ? "more: smilog summarize -v '%s'"
                                                         : "more: smilog summarize -v %s",
                               path));
}

static bool too_many(const struct smi_sweep *s, const struct smi_look *look)
{
    return look->width > 0 && look->height > 0 && !look->all && s->n > 1 && (int64_t)s->n > look->height - 14;
}

static void all_runs(struct smi_page *g)
{
    const struct smi_sweep *s = g->sweep;
    const struct smi_summary **run = smi_arena_new(&g->arena, s->n + 1, sizeof *run);
    g->failed |= !run;
    for (size_t i = 0; run && i < s->n; i++)
        run[i] = &s->runs[i];
    if (run && s->n)
        smi_table_runs(g, run, s->n, true);
    smi_page_newline(g);
}

int smi_write_table(struct smi_buf *to, const struct smi_sweep *s, const struct smi_look *look,
                    struct smi_err *err)
{
    struct smi_page g = {.to = to, .sweep = s, .look = look};
    for (size_t i = 0; i < s->n && (look->verbose || s->n == 1); i++) {
        smi_table_run(&g, &s->runs[i], look->verbose);
        if (s->n > 1)
            smi_page_newline(&g);
    }
    if (s->n != 1)
        smi_table_head(&g);
    if (s->n != 1 && !look->verbose && too_many(s, look))
        smi_table_groups(&g);
    else if (s->n != 1 && !look->verbose)
        all_runs(&g);
    if (s->n != 1)
        smi_table_waste(&g, s->runs, s->n);
    say_vram(&g, s->runs, s->n);
    smi_table_doubts(&g);
    say_total(&g);
    hint(&g);
    return smi_page_end(&g, err);
}
