#include "summary/build_private.h"
#include "summary/run_fields.h"
#include "summary/summary.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ---- which GPUs ---- */

/* Does a word of the list mean this GPU (NULL: none)? An index, a uuid, or the beginning of a uuid. *meant:
 * as smi_summary.gpus_meant; or NULL. */
static bool list_names_gpu(const char *list, const struct smi_run_gpu *g, uint64_t *meant)
{
    char index[SMI_I128_TEXT];
    struct smi_text word;
    bool any = !list || strcmp(list, "all") == 0;
    if (any || !g)
        return any;
    smi_i128_write(index, g->index);
    for (unsigned i = 0; smi_text_next_item(&list, &word); i++) {
        if (!(g->index >= 0 && smi_text_is(word, index)) &&
            !(g->uuid && word.n >= 4 && strncasecmp(g->uuid, word.p, word.n) == 0))
            continue;
        any = true;
        if (meant)
            *meant |= i < 64 ? (uint64_t)1 << i : 0;
    }
    return any;
}

/* Of --gpus auto: what the run's own log recorded, never this process's environment. */
static const char *resolve_list(const struct smi_build *b, const char *list)
{
    return list && strcmp(list, "auto") == 0 ? b->r->log.visible : list;
}

bool smi_build_is_chosen(const struct smi_build *b, const struct smi_run_gpu *g, uint64_t *meant)
{
    return list_names_gpu(resolve_list(b, smi_run_fact(b->r, SMI_FACT_GPUS)), g, NULL) &&
           list_names_gpu(resolve_list(b, b->o->gpus), g, meant);
}

/* ---- GPUs ---- */

/* What a file beside the logs says of the GPU with this index; or NULL. */
static const char *gpu_fact(const struct smi_build *b, int index, const char *fmt)
{
    char key[40];
    if (index < 0 || !b->r->facts)
        return NULL;
    snprintf(key, sizeof key, fmt, (size_t)index);
    return smi_run_fact(b->r, key);
}

static void build_gpu(struct smi_build *b, const struct smi_run_gpu *body, struct smi_gpu *g)
{
    const char *name = body->name ? body->name : gpu_fact(b, body->index, SMI_FACT_GPU_NAME);
    struct smi_sparkline_sum shape = {0};
    struct smi_summary *out = b->out;
    const struct smi_stats *mode;
    g->index = body->index;
    g->pooled = body->pooled;
    g->uuid = smi_build_copy_text(b, body->uuid ? body->uuid : gpu_fact(b, body->index, SMI_FACT_GPU_UUID));
    g->bus = smi_build_copy_text(b, body->bus);
    g->serial = smi_build_copy_text(b, body->serial);
    g->name = smi_build_copy_text(b, name);
    g->price = smi_price_of(b->o->prices, name);
    smi_run_gpu_stats(body, &out->arena, &g->stats, &g->nstats, &out->block);
    smi_run_gpu_figures(body, g, &out->arena);
    smi_build_quality(b, body, g);
    smi_build_idle(b, body, g);
    g->has_use = smi_gpu_stats(g, SMI_GPU_UTIL) != NULL;
    mode = smi_gpu_stats(g, SMI_MIG);
    g->divided = mode && mode->max.micro > 0;
    if (!body->pooled) {
        smi_sparkline_add(&b->shape, body, &b->times);
        g->cell_ms = smi_sparkline_add(&shape, body, &b->times);
    }
    smi_sparkline_finish(&shape, g->shape);
}

/* The rows of one format feed a figure of the headline: those of another, pooled ones too, may be of the same
 * GPUs. */
static void choose_headline_rows(struct smi_run_gpu **body, size_t n)
{
    for (int k = 0; k < SMI_HEADLINE_METRICS; k++) {
        unsigned metric = smi_headline_metric[k];
        int first = -1;
        for (size_t i = 0; i < n; i++)
            first = smi_metric_first_format(first, smi_metric_source(body[i], metric), metric);
        for (size_t i = 0; i < n; i++)
            if (first >= 0 && smi_metric_source(body[i], metric) == first)
                body[i]->headline |= 1u << k;
    }
}

/* Notes in the tracks which GPU of the summary they are of. */
static void note_places(const struct smi_build *b)
{
    for (size_t i = 0; i < b->r->parts; i++)
        for (size_t k = 0; k < b->r->part[i]->tracks; k++)
            if (b->r->part[i]->track[k])
                b->r->part[i]->track[k]->place = SMI_PLACE_NONE;
    for (size_t i = 0; i < b->out->ngpus; i++)
        for (int f = 0; f < SMI_FMT_COUNT; f++)
            for (size_t k = 0; k < b->body[i]->limbs[f]; k++)
                b->body[i]->limb[f][k].track->place = (int)i;
}

static void build_gpus(struct smi_build *b)
{
    struct smi_gpu *g = smi_arena_new(&b->out->arena, b->s.gpus + 1, sizeof *g);
    struct smi_run_gpu *host = &b->s.host;
    size_t n = 0;
    b->body = smi_arena_new(&b->out->arena, b->s.gpus + 1, sizeof *b->body);
    b->out->gpus = g;
    for (size_t i = 0; i < b->s.gpus; i++)
        if (smi_build_is_chosen(b, &b->s.gpu[i], &b->out->gpus_meant))
            b->body[n++] = &b->s.gpu[i];
    b->bodies = n;
    if (smi_build_is_chosen(b, NULL, NULL) && smi_run_gpu_row_format(&b->s.pool) >= 0)
        b->body[n++] = &b->s.pool;
    b->out->ngpus = n;
    choose_headline_rows(b->body, n);
    choose_headline_rows(&host, 1);
    note_places(b);
    for (size_t i = 0; i < n; i++)
        build_gpu(b, b->body[i], &g[i]);
    smi_sparkline_finish(&b->shape, b->out->shape);
}

/* ---- the run as a whole ---- */

static int64_t larger_of(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* A run's time is its longest GPU's; its GPU-hours are all of them. */
static void sum_gpus(struct smi_summary *out)
{
    int64_t covered = 0, longest = -1;
    bool some_idle = false, timed = false;
    for (size_t i = 0; i < out->ngpus; i++) {
        const struct smi_gpu *g = &out->gpus[i];
        covered = larger_of(covered, g->covered_ms);
        timed |= g->covered_ms > 0;
        out->covered_ms += g->covered_ms;
        out->idle_ms += g->idle_ms;
        some_idle |= g->known_ms > 0;
        if (g->longest_idle_s.has)
            longest = larger_of(longest, g->longest_idle_s.micro);
    }
    if (longest >= 0)
        out->longest_idle_s = smi_value_of(longest);
    if (!timed)
        return;
    out->covered_s = smi_value_wide((smi_i128)covered * 1000);
    out->gpu_hours = smi_value_ratio((smi_i128)out->covered_ms * 1000000, 3600000);
    if (some_idle)
        out->idle_pct = smi_value_ratio((smi_i128)out->idle_ms * 100 * 1000000, out->covered_ms);
}

static void raise_value(struct smi_value *to, struct smi_value v)
{
    if (v.has && (!to->has || v.micro > to->micro))
        *to = v;
}

/* Is the GPU read at this time and after it? One row stands for the second around it, and a GPU without dates
 * is taken to be read all the time. */
static bool is_read_at(const struct smi_gpu *g, int64_t t_ms)
{
    enum { AROUND_MS = 1000 };
    if (!g->has_span)
        return true;
    return g->first_ms == g->last_ms ? t_ms >= g->first_ms - AROUND_MS && t_ms <= g->last_ms + AROUND_MS
                                     : t_ms >= g->first_ms && t_ms < g->last_ms;
}

/* The largest sum of the mean power of GPUs that are read at one time: one begins to be read then. */
static void sum_power(struct smi_summary *out, const struct smi_value *mean)
{
    for (size_t i = 0; i < out->ngpus; i++) {
        struct smi_value sum = {0, mean[i].has};
        for (size_t k = 0; k < out->ngpus && sum.has; k++)
            if (mean[k].has &&
                (k == i || is_read_at(&out->gpus[k], out->gpus[i].first_ms) || !out->gpus[i].has_span))
                sum.micro += mean[k].micro;
        raise_value(&out->power_sum_w, sum);
    }
}

/* Says of how much of the GPU time the energy is, where a GPU has none, or a hundredth of the time lacks
 * power. */
static void note_energy_part(struct smi_build *b)
{
    struct smi_summary *out = b->out;
    size_t gpus = 0, known = 0, whole = 0;
    int64_t ms = 0;
    char text[2 * SMI_MICRO_TEXT + 32], part[2][SMI_MICRO_TEXT];
    for (size_t i = 0; i < b->bodies; i++) {
        const struct smi_gpu *g = &out->gpus[i];
        gpus += g->covered_ms > 0;
        known += g->energy_coverage_pct.has;
        whole += g->energy_coverage_pct.has && !smi_gpu_energy_is_part(g);
        ms += smi_gpu_energy_ms(g);
        raise_value(&out->energy_covered_s, g->energy_covered_s);
    }
    if (known)
        out->energy_coverage_pct = smi_value_ratio((smi_i128)ms * 100 * 1000000, out->covered_ms);
    if (!known || whole == gpus)
        return;
    if (whole == known) {
        snprintf(text, sizeof text, "%zu of %zu GPUs", known, gpus);
    } else { /* "599 of 1200 s", "0.17 of 0.33 GPU-hours" */
        const bool one = gpus == 1;
        const int digits = one ? out->covered_ms < 60000 : 2;
        smi_text_write_fixed(
            part[0], one ? (smi_i128)ms * 1000 : smi_i128_div((smi_i128)ms * 1000000, 3600000), digits);
        smi_text_write_fixed(part[1], one ? (smi_i128)out->covered_ms * 1000 : out->gpu_hours.micro, digits);
        snprintf(text, sizeof text, "%s of %s %s", part[0], part[1], one ? "s" : "GPU-hours");
    }
    out->energy_part = smi_build_copy_text(b, text);
}

/* Energy adds up before it is rounded: the areas, not the printed values. */
static void sum_energy(struct smi_build *b)
{
    struct smi_value *mean = smi_arena_new(&b->out->arena, b->bodies + 1, sizeof *mean);
    const struct smi_stats *power;
    smi_i128 area = 0;
    int64_t n = 0;
    for (size_t i = 0; i < b->bodies; i++) {
        struct smi_time_sum_slot t = smi_run_gpu_timesum(b->body[i], smi_metric_source(b->body[i], SMI_POWER),
                                                         smi_timed_slot(SMI_POWER));
        area += t.area;
        n += t.n;
        mean[i] = smi_value_ratio(t.area, 2 * (smi_i128)t.dt);
        if (!mean[i].has && (power = smi_gpu_stats(&b->out->gpus[i], SMI_POWER)))
            mean[i] = power->mean; /* of a log without times */
    }
    sum_power(b->out, mean);
    if (n)
        b->out->energy_wh = smi_value_wide(smi_i128_div(area, 7200000));
    note_energy_part(b);
}

static void sum_waste(struct smi_summary *out)
{
    int64_t part[SMI_WASTE_CAUSES];
    bool known = false;
    for (size_t i = 0; i < out->ngpus; i++) {
        known |= smi_gpu_stats(&out->gpus[i], SMI_GPU_UTIL) != NULL && !out->gpus[i].pooled;
        smi_gpu_waste(out, &out->gpus[i], part);
        for (int k = 0; k < SMI_WASTE_CAUSES; k++)
            out->waste.ms[k] += part[k];
    }
    for (int i = 0; i <= SMI_WASTE_CAUSES; i++)
        if (out->gpu_hours.has && (out->state == SMI_STATE_FAILED || known))
            out->wasted_h[i] = smi_value_ratio(
                (smi_i128)(i < SMI_WASTE_CAUSES ? out->waste.ms[i] : smi_wasted_ms(&out->waste)) * 1000000,
                3600000);
    if (out->wasted_h[SMI_WASTE_CAUSES].has)
        out->wasted_pct =
            smi_value_ratio((smi_i128)smi_wasted_ms(&out->waste) * 100 * 1000000, out->covered_ms);
}

/* What the GPU has whose peak it is; of a peak that the framework tells, what each has, if all have as much.
 */
static void vram_total(struct smi_summary *out, size_t fullest, bool device)
{
    bool differ = false;
    for (size_t i = 0; i < out->ngpus; i++) {
        const struct smi_stats *total = smi_gpu_stats(&out->gpus[i], SMI_FB_TOTAL);
        struct smi_value v = total ? total->max : (struct smi_value){0, false};
        differ |= v.has && out->vram.total_mb.has && v.micro != out->vram.total_mb.micro;
        raise_value(&out->vram.total_mb, v);
    }
    if (differ) {
        const struct smi_stats *own = device ? smi_gpu_stats(&out->gpus[fullest], SMI_FB_TOTAL) : NULL;
        out->vram.total_mb = own ? own->max : (struct smi_value){0, false};
    }
}

static void build_vram(struct smi_build *b)
{
    struct smi_summary *out = b->out;
    const struct smi_runlog *log = &b->r->log;
    const bool framework = log->jax_peak > 0 || log->torch_peak > 0; /* it told the peak */
    size_t fullest = 0;
    for (size_t i = 0; i < out->ngpus; i++) {
        const struct smi_stats *used = smi_gpu_stats(&out->gpus[i], SMI_FB_USED),
                               *peak = smi_gpu_stats(&out->gpus[i], SMI_FB_USED_PEAK),
                               *hot = smi_gpu_stats(&out->gpus[i], SMI_TEMP_GPU),
                               *util = smi_gpu_stats(&out->gpus[i], SMI_GPU_UTIL);
        struct smi_value top = used ? used->max : (struct smi_value){0, false};
        if (peak) /* of a log of means */
            raise_value(&top, peak->max);
        if (top.has && (!out->vram.device_peak_mb.has || top.micro > out->vram.device_peak_mb.micro))
            fullest = i;
        if (top.has) {
            raise_value(&out->vram.device_peak_mb, top);
            /* else rows of GPUs that are counted already */
            if (!out->gpus[i].pooled || !out->vram.all_gpus_peak_mb.has)
                out->vram.all_gpus_peak_mb.micro += top.micro;
            out->vram.all_gpus_peak_mb.has = true;
        }
        if (hot)
            raise_value(&out->temp_max, hot->max);
        if (util)
            raise_value(&out->gpu_util_p95, util->p[5]);
    }
    if (out->vram.device_peak_mb.has)
        out->vram.level = smi_run_gpu_is_reserved(b->body[fullest]);
    if (framework) {
        out->vram.used_peak_mb = smi_value_of(larger_of(log->jax_peak, log->torch_peak));
        out->vram.source = log->jax_peak >= log->torch_peak ? "jax" : "torch";
        /* a level alone is no proof: a program that always uses as much shows one, too */
        out->vram.reserved = out->vram.level && out->vram.used_peak_mb.micro < out->vram.device_peak_mb.micro;
    } else if (out->vram.device_peak_mb.has) {
        out->vram.used_peak_mb = out->vram.device_peak_mb;
        out->vram.source = "device";
    }
    vram_total(out, fullest, !framework && out->vram.device_peak_mb.has);
}

/* ---- all of it ---- */

static int by_first_entry(const void *a, const void *b)
{
    const struct smi_input_stats *x = *(const struct smi_input_stats *const *)a,
                                 *y = *(const struct smi_input_stats *const *)b;
    int c = (x->log.first_ts_us > y->log.first_ts_us) - (x->log.first_ts_us < y->log.first_ts_us);
    return c ? c : smi_text_compare_natural(x->path, y->path);
}

/* RunLogs came in the order of their paths, or of partials: what they say is put together again in the order
 * of time. The phases stay, because the tracks' tallies go by their numbers. */
static void order_logs(struct smi_run *r)
{
    const struct smi_input_stats **log = smi_mem_new(r->parts, sizeof *log);
    struct smi_runlog fresh = {.phases = r->log.phases};
    size_t n = 0;
    for (size_t i = 0; i < r->parts; i++)
        if (smi_format_infos[r->part[i]->format].marks)
            log[n++] = r->part[i];
    if (n > 1) {
        smi_sort(log, n, sizeof *log, by_first_entry);
        for (size_t i = 0; i < n; i++)
            smi_runlog_merge_facts(&fresh, &log[i]->log);
        r->log.phases = (struct smi_phases){0};
        smi_runlog_fini(&r->log);
        r->log = fresh;
    }
    smi_mem_free(log);
}

/* Rows are given to phases when they are read. Does a phase reach into a part whose partial did not know its
 * RunLog? */
static bool uneven_phases(const struct smi_run *r)
{
    for (size_t i = 0; i < r->parts; i++) {
        const struct smi_input_stats *p = r->part[i];
        if (!p->doc || !p->timed || !p->opts.phases)
            continue;
        for (size_t k = 0; k < r->parts; k++) {
            const struct smi_input_stats *log = r->part[k];
            size_t d = 0;
            while (d < log->ndocs && log->docs[d] != p->doc)
                d++;
            if (!smi_format_infos[log->format].marks || d < log->ndocs)
                continue;
            if (smi_phases_overlap(&log->log.phases, p->first_ms * 1000 - p->opts.shift_us,
                                   p->last_ms * 1000 - p->opts.shift_us))
                return true;
        }
    }
    return false;
}

/* Parts that were read back from partials get what parts of one pass have: the run's phases and zone. */
static void settle_run(struct smi_run *r, const struct smi_options *o)
{
    if (r->parts > 1)
        order_logs(r);
    for (size_t i = 0; i < r->parts; i++)
        if ((r->part[i]->tracks || r->part[i]->host || r->part[i]->pool) && !r->log.phases.cuts)
            smi_phases_index(&r->log.phases);
    smi_phases_join(&r->log.phases);
    for (size_t i = 0; i < r->parts; i++) {
        struct smi_input_stats *p = r->part[i];
        bool utc = p->base == SMI_TIME_BASE_UTC,
             joined = utc || (p->base == SMI_TIME_BASE_LOCAL && r->has_offset);
        p->opts =
            (struct smi_device_stats_opts){o->idle_below, joined ? &r->log.phases : NULL,
                                           utc ? 0 : (int64_t)r->offset_s * 1000000, o->skip_series, NULL};
    }
}

int smi_run_build(struct smi_summary *out, struct smi_run *r, const struct smi_options *o,
                  struct smi_err *err)
{
    struct smi_build b = {.out = out, .r = r, .o = o};
    const struct smi_step_range *s = &r->log.steps;
    smi_i128 us;
    int rc;
    *out = (struct smi_summary){.arena = r->room};
    r->room = (struct smi_arena){0};
    settle_run(r, o);
    b.uneven = r->merged && uneven_phases(r);
    us = (smi_i128)s->last_us - s->first_us;
    rc = smi_run_gpus_build(&b.s, r, err);
    if (rc == 0) {
        out->run = smi_build_copy_text(&b, r->name);
        out->idle_below = o->idle_below;
        smi_run_times_ranges(&b.times, r);
        out->block.jax_peak = r->log.jax_peak;
        if (s->some && s->last > s->first &&
            us >= 1000000) /* what lies closer together was written down at once */
            out->steps_per_s = smi_value_ratio((smi_i128)(s->last - s->first) * 1000000, us);
        smi_run_times_fill(out, r);
        build_gpus(&b);
        smi_run_gpu_stats(&b.s.host, &out->arena, &out->host, &out->nhost, &out->block);
        smi_build_available(&b, &b.s.host, &out->host_available, &out->nhost_available);
        sum_gpus(out);
        build_vram(&b);
        sum_energy(&b);
        smi_build_state(&b);
        if (o->timeline)
            smi_build_timeline(&b);
        sum_waste(out);
        smi_price_run(out, o->prices);
        smi_build_params(&b);
        smi_build_results(&b);
        smi_build_events(&b);
        smi_build_errors(&b);
        smi_build_processes(&b);
        smi_build_phases(&b);
        smi_build_inputs(&b);
        smi_build_problems(&b);
    }
    smi_run_gpus_fini(&b.s);
    return rc;
}
