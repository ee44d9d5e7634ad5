#include "summary/figures.h"
#include "summary/times.h"

#include <stdlib.h>
#include <string.h>

struct build {
    struct smi_summary *out;
    struct smi_run *r;
    const struct smi_options *o;
    struct smi_streams s;
    struct smi_shape_sum shape;
    struct smi_times times;
    const struct smi_body **body; /* the GPUs that were chosen, as out->gpus without the pooled one */
    size_t bodies;
    bool uneven; /* see uneven_phases */
    struct smi_err *err;
};

static char *copy(struct build *b, const char *text)
{
    char *t = text ? smi_arena_text(&b->out->arena, text, strlen(text)) : NULL;
    if (text && !t)
        smi_err_nomem(b->err);
    return t;
}

/* ---- which GPUs ---- */

/* Does one word of --gpus mean this GPU? An index, a uuid, or the beginning of a uuid. */
static bool word_means(struct smi_text w, const struct smi_body *g)
{
    char index[SMI_WIDE_TEXT];
    smi_wide_put(index, g->index);
    if (g->index >= 0 && smi_text_is(w, index))
        return true;
    return g->uuid && w.n >= 4 && strncmp(g->uuid, w.p, w.n) == 0;
}

static bool chosen(const char *list, const struct smi_body *g)
{
    const char *comma;
    if (!list || strcmp(list, "all") == 0)
        return true;
    for (;; list = comma + 1) {
        comma = strchr(list, ',');
        if (word_means(smi_text_trim((struct smi_text){list, comma ? (size_t)(comma - list) : strlen(list)}), g))
            return true;
        if (!comma)
            return false;
    }
}

/* --gpus auto: what the run's own log recorded, never this process's environment. */
static const char *gpu_list(const struct build *b)
{
    if (!b->o->gpus || strcmp(b->o->gpus, "auto"))
        return b->o->gpus;
    return b->r->log.visible;
}

/* ---- GPUs ---- */

static int gpu(struct build *b, const struct smi_body *body, struct smi_gpu *g, bool pooled)
{
    struct smi_shape_sum shape = {0};
    struct smi_summary *out = b->out;
    g->index = body->index;
    g->pooled = pooled;
    g->uuid = copy(b, body->uuid);
    g->bus = copy(b, body->bus);
    g->name = copy(b, body->name);
    if (smi_figures_stats(body, &out->arena, &g->stats, &g->nstats, &out->block, b->err) ||
        smi_figures_gpu(body, g, &out->arena, b->err))
        return -1;
    if (!pooled) {
        smi_shape_add(&b->shape, body, &b->times);
        g->cell_ms = smi_shape_add(&shape, body, &b->times);
    }
    smi_shape_put(&shape, g->shape);
    return 0;
}

static int gpus(struct build *b)
{
    const char *list = gpu_list(b);
    struct smi_gpu *g = smi_arena_new(&b->out->arena, b->s.gpus + 1, sizeof *g);
    size_t n = 0;
    b->body = smi_arena_new(&b->out->arena, b->s.gpus + 1, sizeof *b->body);
    if (!g || !b->body)
        return smi_err_nomem(b->err);
    b->out->gpus = g;
    for (size_t i = 0; i < b->s.gpus; i++) {
        if (!chosen(list, &b->s.gpu[i]))
            continue;
        b->body[n] = &b->s.gpu[i];
        if (gpu(b, &b->s.gpu[i], &g[n++], false))
            return -1;
    }
    b->bodies = n;
    if ((!list || strcmp(list, "all") == 0) && smi_source_rows(&b->s.pool) >= 0 && gpu(b, &b->s.pool, &g[n++], true))
        return -1;
    b->out->ngpus = n;
    smi_shape_put(&b->shape, b->out->shape);
    return 0;
}

/* ---- the run as a whole ---- */

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* A run's time is its longest GPU's; its GPU-hours are all of them. */
static void sums(struct smi_summary *out)
{
    int64_t covered = 0, longest = 0;
    bool some_idle = false, timed = false;
    for (size_t i = 0; i < out->ngpus; i++) {
        const struct smi_gpu *g = &out->gpus[i];
        covered = most(covered, g->covered_ms);
        timed |= g->covered_ms > 0;
        out->covered_ms += g->covered_ms;
        out->idle_ms += g->idle_ms;
        some_idle |= g->known_ms > 0;
        if (g->longest_idle_s.has)
            longest = most(longest, g->longest_idle_s.micro);
    }
    if (!timed)
        return;
    out->covered_s = smi_value_of(covered * 1000);
    out->gpu_hours = smi_value_ratio((smi_i128)out->covered_ms * 1000000, 3600000);
    if (some_idle) {
        out->idle_pct = smi_value_ratio((smi_i128)out->idle_ms * 100 * 1000000, out->covered_ms);
        out->longest_idle_s = smi_value_of(longest);
    }
}

/* Energy adds up before it is rounded: the areas, not the printed values. */
static void energy(struct build *b)
{
    smi_i128 area = 0;
    int64_t n = 0;
    for (size_t i = 0; i < b->bodies; i++) {
        struct smi_timesum_slot t =
            smi_figures_area(b->body[i], smi_source(b->body[i], SMI_POWER), smi_timed_slot(SMI_POWER));
        area += t.area;
        n += t.n;
        if (t.dt) {
            struct smi_value mean = smi_value_ratio(t.area, 2 * (smi_i128)t.dt);
            b->out->power_sum_w.micro += mean.micro;
            b->out->power_sum_w.has = true;
        }
    }
    if (n)
        b->out->energy_wh = smi_value_of((int64_t)smi_wide_div(area, 7200000));
}

static const struct smi_stats *stats_of(const struct smi_gpu *g, unsigned metric)
{
    for (size_t i = 0; i < g->nstats; i++)
        if (g->stats[i].metric == metric)
            return &g->stats[i];
    return NULL;
}

/* Each interval in one part only, the first that fits (numbers.md §11). */
static void waste(struct smi_summary *out)
{
    struct smi_waste *w = &out->waste;
    int64_t part[6];
    for (size_t i = 0; i < out->ngpus; i++) {
        const struct smi_gpu *g = &out->gpus[i];
        if (out->state == SMI_STATE_FAILED) {
            w->failed_ms += g->covered_ms;
        } else if (!g->worked) {
            w->unused_ms += stats_of(g, SMI_GPU_UTIL) ? g->covered_ms : 0;
        } else {
            w->start_ms += g->lead_ms;
            w->end_ms += g->trail_ms;
            w->stall_ms += g->idle_ms - g->lead_ms - g->trail_ms;
        }
    }
    if (!out->gpu_hours.has)
        return;
    part[0] = w->failed_ms;
    part[1] = w->unused_ms;
    part[2] = w->start_ms;
    part[3] = w->stall_ms;
    part[4] = w->end_ms;
    part[5] = part[0] + part[1] + part[2] + part[3] + part[4];
    for (int i = 0; i < 6; i++)
        out->wasted_h[i] = smi_value_ratio((smi_i128)part[i] * 1000000, 3600000);
}

static void raise(struct smi_value *to, struct smi_value v)
{
    if (v.has && (!to->has || v.micro > to->micro))
        *to = v;
}

static void vram(struct build *b)
{
    struct smi_summary *out = b->out;
    const struct smi_runlog *log = &b->r->log;
    size_t fullest = 0;
    for (size_t i = 0; i < out->ngpus; i++) {
        const struct smi_stats *used = stats_of(&out->gpus[i], SMI_FB_USED), *total = stats_of(&out->gpus[i], SMI_FB_TOTAL),
                               *hot = stats_of(&out->gpus[i], SMI_TEMP_GPU), *util = stats_of(&out->gpus[i], SMI_GPU_UTIL);
        if (used && (!out->vram.device_peak_mb.has || used->max.micro > out->vram.device_peak_mb.micro))
            fullest = i;
        if (used) {
            raise(&out->vram.device_peak_mb, used->max);
            if (!out->gpus[i].pooled || !out->vram.all_gpus_peak_mb.has) /* else rows of GPUs that are counted already */
                out->vram.all_gpus_peak_mb.micro += used->max.micro;
            out->vram.all_gpus_peak_mb.has = true;
        }
        if (total)
            raise(&out->vram.total_mb, total->max);
        if (hot)
            raise(&out->temp_max, hot->max);
        if (util)
            raise(&out->gpu_util_p95, util->p[5]);
    }
    if (out->vram.device_peak_mb.has)
        out->vram.reserved = smi_figures_reserved(fullest < b->bodies ? b->body[fullest] : &b->s.pool);
    if (log->jax_peak > 0 || log->torch_peak > 0) {
        out->vram.used_peak_mb = smi_value_of(most(log->jax_peak, log->torch_peak));
        out->vram.source = log->jax_peak >= log->torch_peak ? "jax" : "torch";
    } else if (out->vram.device_peak_mb.has) {
        out->vram.used_peak_mb = out->vram.device_peak_mb;
        out->vram.source = "device";
    }
}

/* ---- how it ended ---- */

static int state(struct build *b)
{
    const struct smi_runlog *log = &b->r->log;
    struct smi_summary *out = b->out;
    bool data = false;
    for (size_t i = 0; i < out->ngpus; i++)
        data |= out->gpus[i].nstats > 0 || out->gpus[i].throttles > 0;
    if (log->failed)
        out->state = SMI_STATE_FAILED;
    else if (!data)
        out->state = SMI_STATE_NO_DATA;
    else if (log->ended)
        out->state = SMI_STATE_OK;
    else
        out->state = log->started ? SMI_STATE_CUT : SMI_STATE_UNKNOWN;
    if (out->state == SMI_STATE_FAILED)
        out->state_reason = copy(b, log->reason);
    if (out->state == SMI_STATE_CUT)
        out->state_reason = "no end in the run log";
    out->has_exit = log->has_exit;
    out->exit_code = (int)log->exit_code;
    out->hostname = copy(b, log->host);
    return b->err && b->err->code ? -1 : 0;
}

static bool has_param(const struct smi_param *p, size_t n, const char *key)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(p[i].key, key) == 0)
            return true;
    return false;
}

static int params(struct build *b)
{
    const struct smi_run *r = b->r;
    struct smi_param *p = smi_arena_new(&b->out->arena, r->params + r->log.params + 1, sizeof *p);
    size_t n = 0;
    if (!p)
        return smi_err_nomem(b->err);
    for (size_t i = 0; i < r->params; i++)
        if (!has_param(p, n, r->param[i].key))
            p[n++] = (struct smi_param){copy(b, r->param[i].key), copy(b, r->param[i].text), r->param[i].number};
    for (size_t i = 0; i < r->log.params; i++)
        if (!has_param(p, n, r->log.param[i].key))
            p[n++] = (struct smi_param){copy(b, r->log.param[i].key), copy(b, r->log.param[i].text), r->log.param[i].number};
    b->out->params = p;
    b->out->nparams = n;
    return b->err && b->err->code ? -1 : 0;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct smi_count *)a)->name, ((const struct smi_count *)b)->name);
}

static int events(struct build *b)
{
    const struct smi_runlog *log = &b->r->log;
    struct smi_count *e = smi_arena_new(&b->out->arena, log->events + 1, sizeof *e);
    if (!e)
        return smi_err_nomem(b->err);
    for (size_t i = 0; i < log->events; i++)
        e[i] = (struct smi_count){copy(b, log->event[i].name), log->event[i].n};
    if (b->err && b->err->code)
        return -1;
    if (log->events)
        qsort(e, log->events, sizeof *e, by_name);
    b->out->events = e;
    b->out->nevents = log->events;
    return 0;
}

/* ---- phases ---- */

static struct smi_tally *tally_of(const struct smi_limb *l, size_t phase)
{
    for (size_t i = 0; i < l->track->tallies; i++)
        if (l->track->tally[i].phase == phase)
            return &l->track->tally[i];
    return NULL;
}

/* Sums of one phase over everything. */
struct phase_sum {
    smi_i128 area, idle;
    int64_t covered, known, n;
};

static void add_body(struct smi_phase_summary *p, struct phase_sum *sum, const struct smi_body *body, size_t phase)
{
    int rows = smi_source_rows(body), power = smi_source(body, SMI_POWER);
    for (int f = 0; f < SMI_FMT_COUNT; f++) {
        for (size_t i = 0; i < body->limbs[f]; i++) {
            const struct smi_limb *l = &body->limb[f][i];
            const struct smi_tally *t = tally_of(l, phase);
            if (!t)
                continue;
            for (int k = 0; k < SMI_BLOCK_METRICS; k++)
                if (smi_source(body, smi_block_metric[k]) == f)
                    smi_block_merge_pool(&p->block.pool[k], &(struct smi_pool){t->pool[k].n, t->pool[k].sum, t->pool[k].max});
            if (f == power && !body->pooled) {
                struct smi_timesum_slot s = smi_timesum_total(&t->energy, l->limit);
                sum->area += s.area;
                sum->n += s.n;
            }
            if (f == rows && f < SMI_FMT_GPU) {
                struct smi_timesum_slot s = {0};
                if (!body->pooled)
                    s = smi_timesum_total(&t->idle, l->limit);
                sum->idle += s.area;
                sum->covered += s.dt;
                sum->known += s.n;
                p->samples += t->rows;
            }
        }
    }
}

static void phase(struct build *b, struct smi_phase_summary *p, size_t number)
{
    struct phase_sum sum = {0};
    const struct smi_phase *f = &b->r->log.phases.phase[number];
    *p = (struct smi_phase_summary){.name = copy(b, f->name), .count = f->count, .seconds = smi_value_of(f->span_us)};
    p->summarised = !b->r->log.phases.over;
    for (size_t i = 0; i < b->bodies; i++)
        add_body(p, &sum, b->body[i], number);
    if (b->out->ngpus > b->bodies)
        add_body(p, &sum, &b->s.pool, number);
    add_body(p, &sum, &b->s.host, number);
    if (sum.n)
        p->energy_wh = smi_value_of((int64_t)smi_wide_div(sum.area, 7200000));
    if (sum.known)
        p->idle_pct = smi_value_ratio(sum.idle * 100 * 1000000, sum.covered);
}

struct start {
    const struct smi_phase *phase;
    size_t number;
};

static int by_start(const void *a, const void *b)
{
    const struct smi_phase *x = ((const struct start *)a)->phase, *y = ((const struct start *)b)->phase;
    if (x->first_us != y->first_us)
        return x->first_us < y->first_us ? -1 : 1;
    return strcmp(x->name, y->name);
}

static int phases(struct build *b)
{
    const struct smi_phases *from = &b->r->log.phases;
    struct smi_phase_summary *p = smi_arena_new(&b->out->arena, from->n + 1, sizeof *p);
    struct start *order = smi_mem_new(from->n, sizeof *order);
    if (!p || !order) {
        smi_mem_free(order);
        return smi_err_nomem(b->err);
    }
    for (size_t i = 0; i < from->n; i++)
        order[i] = (struct start){&from->phase[i], i};
    qsort(order, from->n, sizeof *order, by_start);
    for (size_t i = 0; i < from->n; i++)
        phase(b, &p[i], order[i].number);
    smi_mem_free(order);
    b->out->phases = p;
    b->out->nphases = from->n;
    return b->err && b->err->code ? -1 : 0;
}

/* ---- inputs ---- */

/* Rows that could not be given to a GPU: said once, when all parts of the input are together. */
static int say_bursts(struct smi_account *a, struct smi_err *err)
{
    int64_t line = a->lines;
    int rc = 0;
    a->lines = 0; /* about the whole input */
    if (a->undecided)
        rc = smi_account_odd(a, SMI_ODD_OTHER, err, "no GPU key, and the times do not tell how many GPUs there are: "
                             "all rows are pooled, without times; --gpu-count N says it");
    else if (a->ragged_bursts)
        rc = smi_account_odd(a, SMI_ODD_OTHER, err, "%lld burst%s of rows (%lld row%s) not of %lld, the number of GPUs: "
                             "pooled, without times", (long long)a->ragged_bursts, a->ragged_bursts == 1 ? "" : "s",
                             (long long)a->ragged_rows, a->ragged_rows == 1 ? "" : "s", (long long)a->burst);
    a->lines = line;
    return rc;
}

static int input(struct build *b, struct smi_input *in, struct smi_part *p, unsigned limit)
{
    struct smi_counts_view v;
    struct smi_problem *list;
    if (say_bursts(&p->account, b->err))
        return -1;
    list = smi_arena_new(&b->out->arena, p->account.problems + 1, sizeof *list);
    if (!list || smi_counts_view(&p->dts, &v))
        return smi_err_nomem(b->err);
    in->path = copy(b, p->path);
    in->format = smi_source_names[p->format];
    in->gpu = p->format < SMI_FMT_GPU;
    in->account = p->account;
    in->account.problem = list;
    in->account.cap = 0;
    for (size_t i = 0; i < p->account.problems; i++) {
        list[i] = p->account.problem[i];
        list[i].text = copy(b, p->account.problem[i].text);
    }
    for (size_t i = 0; i < v.items; i++)
        in->gaps += smi_dt_class(v.list[i].value) > limit ? v.list[i].n : 0;
    if (v.n) {
        in->interval_s = smi_value_of(smi_view_at(&v, (v.n - 1) / 2) * 1000);
        in->interval_max_s = smi_value_of(v.max * 1000);
    }
    smi_mem_free(v.list);
    return b->err && b->err->code ? -1 : 0;
}

static int inputs(struct build *b)
{
    struct smi_input *in = smi_arena_new(&b->out->arena, b->r->parts + 1, sizeof *in);
    if (!in)
        return smi_err_nomem(b->err);
    for (size_t i = 0; i < b->r->parts; i++)
        if (input(b, &in[i], b->r->part[i], b->s.limit[i]))
            return -1;
    b->out->inputs = in;
    b->out->ninputs = b->r->parts;
    return 0;
}

/* ---- what could not be said ---- */

static bool has_format(const struct build *b, int format)
{
    for (size_t i = 0; i < b->r->parts; i++)
        if (b->r->part[i]->format == format)
            return true;
    return false;
}

static void say(struct build *b, const char **list, size_t *n, bool when, const char *text)
{
    if (when)
        list[(*n)++] = copy(b, text);
}

/* Every headline value that is null has its reason here. */
static int problems(struct build *b)
{
    const struct smi_summary *out = b->out;
    const struct smi_pool *pool = out->block.pool;
    bool log = has_format(b, SMI_FMT_QUERY) || has_format(b, SMI_FMT_DMON), times = out->gpu_hours.has;
    const char **list = smi_arena_new(&b->out->arena, b->r->problems + 16, sizeof *list);
    size_t n = 0;
    if (!list)
        return smi_err_nomem(b->err);
    say(b, list, &n, !log, "no GPU log");
    say(b, list, &n, log && out->ngpus == 0, "no usable row in the GPU logs, or --gpus chose none");
    if (log && out->ngpus) {
        say(b, list, &n, !pool[0].n, "no utilization column, or no reading in it");
        say(b, list, &n, !pool[1].n, "no memory.used column, or no reading in it");
        say(b, list, &n, !pool[2].n, "no power column, or no reading in it");
        say(b, list, &n, !times && !out->duration_s.has, "no times in the GPU logs: no duration, energy or idle time "
            "(dmon without -o, or a query without timestamp)");
        say(b, list, &n, !times && out->duration_s.has, "no two rows of one GPU with times: no energy, no idle time");
    }
    say(b, list, &n, !pool[4].n, "no CPU log");
    say(b, list, &n, out->time_base && strncmp(out->time_base, "local", 5) == 0 && (has_format(b, SMI_FMT_CPU) || b->r->log.entries),
        "zone of the GPU logs not known: phases and host are not joined to them; --tz says it");
    say(b, list, &n, b->r->log.phases.over, "too many phases: their figures are left out");
    say(b, list, &n, b->uneven, "a part was summarised without the run log of a phase that reaches into it: the phase lacks "
        "its rows (keep the whole run log beside every part)");
    say(b, list, &n, b->s.unmatched, "the logs name GPUs by different keys (uuid, index): they cannot be matched and are "
        "counted apart; index and uuid in the query would help");
    say(b, list, &n, b->s.keyless_pooled, "the log without GPU key has another number of GPUs than the others: its rows "
        "are pooled");
    if (b->s.unmatched || b->s.keyless_pooled)
        b->out->doubt = list[n - 1];
    for (size_t i = 0; i < b->r->problems; i++)
        say(b, list, &n, true, b->r->problem[i]);
    b->out->problems = list;
    b->out->nproblems = n;
    return b->err && b->err->code ? -1 : 0;
}

/* ---- all of it ---- */

static int host(struct build *b)
{
    return smi_figures_stats(&b->s.host, &b->out->arena, &b->out->host, &b->out->nhost, &b->out->block, b->err);
}

static void cost(struct build *b)
{
    if (b->o->price_micro > 0 && b->out->gpu_hours.has)
        b->out->cost = smi_value_ratio((smi_i128)b->out->covered_ms * b->o->price_micro, 3600000);
}

static int by_first_entry(const void *a, const void *b)
{
    const struct smi_runlog *x = *(const struct smi_runlog *const *)a, *y = *(const struct smi_runlog *const *)b;
    return (x->first_ts_us > y->first_ts_us) - (x->first_ts_us < y->first_ts_us);
}

/* The RunLogs of partials came in any order: what they say is put together again in the order of time. The phases
 * stay, because the tracks' tallies go by their numbers. */
static int order_log(struct smi_run *r, struct smi_err *err)
{
    const struct smi_runlog **log = smi_mem_new(r->parts, sizeof *log);
    struct smi_runlog fresh = {0};
    struct smi_phases none = {0};
    size_t n = 0;
    int rc = log ? 0 : smi_err_nomem(err);
    for (size_t i = 0; rc == 0 && i < r->parts; i++)
        if (r->part[i]->format == SMI_FMT_RUNLOG)
            log[n++] = &r->part[i]->log;
    if (n)
        qsort(log, n, sizeof *log, by_first_entry);
    for (size_t i = 0; rc == 0 && i < n; i++)
        rc = smi_runlog_merge_facts(&fresh, log[i], err);
    fresh.phases = r->log.phases;
    r->log.phases = none;
    smi_runlog_fini(&r->log);
    r->log = fresh;
    smi_mem_free(log);
    return rc;
}

static bool knew(const struct smi_part *log, uint32_t doc)
{
    for (size_t i = 0; i < log->ndocs; i++)
        if (log->docs[i] == doc)
            return true;
    return false;
}

/* Rows are given to phases when they are read. Does a phase reach into a part whose partial did not know its RunLog? */
static bool uneven_phases(const struct smi_run *r)
{
    for (size_t i = 0; i < r->parts; i++) {
        const struct smi_part *p = r->part[i];
        if (!p->doc || !p->timed || !p->opts.phases)
            continue;
        for (size_t k = 0; k < r->parts; k++) {
            const struct smi_part *log = r->part[k];
            if (log->format != SMI_FMT_RUNLOG || knew(log, p->doc))
                continue;
            for (size_t m = 0; m < log->log.phases.spans; m++) {
                const struct smi_span *s = &log->log.phases.span[m];
                if (s->from_us < p->last_ms * 1000 - p->opts.shift_us && s->to_us >= p->first_ms * 1000 - p->opts.shift_us)
                    return true;
            }
        }
    }
    return false;
}

/* Parts that were read back from partials get what parts of one pass have: the run's phases and zone. */
static int settle(struct smi_run *r, const struct smi_options *o, struct smi_err *err)
{
    if (r->merged && order_log(r, err))
        return -1;
    if (!r->log.phases.cuts && smi_phases_index(&r->log.phases, err))
        return -1;
    for (size_t i = 0; i < r->parts; i++) {
        struct smi_part *p = r->part[i];
        bool utc = p->base == SMI_BASE_UTC, joined = utc || (p->base == SMI_BASE_LOCAL && r->has_offset);
        p->opts = (struct smi_track_opts){o->idle_below, joined ? &r->log.phases : NULL,
                                          utc ? 0 : (int64_t)r->offset_s * 1000000};
    }
    return 0;
}

int smi_run_build(struct smi_summary *out, struct smi_run *r, const struct smi_options *o, struct smi_err *err)
{
    struct build b = {.out = out, .r = r, .o = o, .err = err};
    int rc;
    *out = (struct smi_summary){0};
    rc = settle(r, o, err);
    b.uneven = rc == 0 && r->merged && uneven_phases(r);
    rc = rc || smi_streams_make(&b.s, r, err) ? -1 : 0;
    if (rc == 0) {
        out->run = copy(&b, r->name);
        out->idle_below = o->idle_below;
        smi_times_shape(&b.times, r);
        out->block.jax_peak = r->log.jax_peak;
        rc = smi_times_fill(out, r, err) || gpus(&b) || host(&b);
    }
    if (rc == 0) {
        sums(out);
        energy(&b);
        vram(&b);
        cost(&b);
        rc = state(&b);
    }
    if (rc == 0) {
        waste(out);
        rc = params(&b) || events(&b) || phases(&b) || inputs(&b) || problems(&b);
    }
    smi_streams_fini(&b.s);
    return rc ? -1 : 0;
}
