/* summary.c - sums over runs: totals, waste, headlines and notes */
#include "summary/summary.h"
#include "base/buf.h"
#include "summary/findings.h"
#include "summary/gpus.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

struct smi_text smi_reason_cause(const char *reason)
{
    static const char *const from[] = {"slurm-", "sacct", "W&B)", "MLflow)", "train.log)"};
    const struct smi_text whole = smi_text_of(reason ? reason : "");
    const char *open = whole.n && whole.p[whole.n - 1] == ')' ? strrchr(whole.p, '(') : NULL;
    for (size_t i = 0; open && open > whole.p && i < sizeof from / sizeof *from; i++)
        if (strncmp(open + 1, from[i], strlen(from[i])) == 0 ||
            (strlen(open) > 5 && strcmp(whole.p + whole.n - 5, ".err)") == 0))
            return (struct smi_text){whole.p, (size_t)(open - 1 - whole.p)};
    return whole;
}

bool smi_reason_is_exit(const char *reason)
{
    const struct smi_text cause = smi_reason_cause(reason);
    return smi_text_starts_nocase(cause, "exit status ") || smi_text_starts_nocase(cause, "killed") ||
           smi_text_is(cause, "failed");
}

bool smi_throttle_slows(const struct smi_throttle *t)
{
    return strcmp(t->reason, "gpu_idle") != 0;
}

struct smi_value smi_most_throttled(const struct smi_summary *s)
{
    struct smi_value most = {0};
    for (size_t i = 0; i < s->ngpus; most.has |= s->gpus[i++].throttle_known) /* if so, 0.0 was measured */
        for (size_t k = 0; k < s->gpus[i].throttles; k++) {
            const struct smi_throttle *t = &s->gpus[i].throttle[k];
            if (t->pct.has && smi_throttle_slows(t) && t->pct.micro > most.micro)
                most = t->pct;
        }
    return most;
}

bool smi_gpu_has_row(const struct smi_summary *s, const struct smi_gpu *gpu)
{
    return !gpu->pooled || s->ngpus == 1;
}

const struct smi_error *smi_first_grave_error(const struct smi_summary *s)
{
    for (size_t i = 0; i < s->nerrors; i++)
        if (smi_faults[s->errors[i].id].grave)
            return &s->errors[i];
    return NULL;
}

/* Do two problems say the same, but for the number they begin with? */
static bool is_same_problem(const struct smi_log_warning *a, const struct smi_log_warning *b)
{
    static const char digits[] = "0123456789";
    size_t x = strspn(a->text, digits), y = strspn(b->text, digits);
    const char *s = a->text + x, *t = b->text + y;
    if (x == 0 || y == 0 || a->kind != b->kind || a->line == 0 || b->line == 0)
        return a == b;
    return strcmp(s + 1 + strcspn(s + 1, " "), t + 1 + strcspn(t + 1, " ")) == 0; /* 1 value, 2 values */
}

int64_t smi_warning_lines(const struct smi_account *a, size_t k)
{
    int64_t same = 0, kept = 0;
    for (size_t i = 0; i < a->problems; i++) {
        kept += a->problem[i].kind == a->problem[k].kind;
        if (!is_same_problem(&a->problem[i], &a->problem[k]))
            continue;
        if (i < k)
            return 0;
        same++;
    }
    return same > 1 && same == kept ? a->said[a->problem[k].kind] : same; /* those that were not kept, too */
}

bool smi_run_has_gpu_data(const struct smi_summary *s)
{
    for (size_t i = 0; i < s->ngpus; i++)
        if (s->gpus[i].nstats > 0 || s->gpus[i].throttles > 0)
            return true;
    return s->gpu_hours.has || s->energy_wh.has || s->idle_pct.has || s->wasted_h[5].has ||
           s->vram.device_peak_mb.has;
}

enum smi_run_note smi_run_note_of(const struct smi_summary *s)
{
    if (s->state == SMI_STATE_FAILED)
        return SMI_NOTE_FAILED;
    if (s->state == SMI_STATE_NO_DATA)
        return SMI_NOTE_NO_DATA;
    if (smi_first_grave_error(s))
        return SMI_NOTE_ERROR;
    if (smi_findings_worst(s, SMI_LEVEL_WARN))
        return SMI_NOTE_FINDING;
    if (s->state == SMI_STATE_CUT)
        return SMI_NOTE_CUT;
    return !s->wasted_h[5].has && s->unread == SMI_UNREAD_COLUMNS ? SMI_NOTE_LOG : SMI_NOTE_NONE;
}

const char *smi_run_note_code(const struct smi_summary *s)
{
    static const char *const codes[] = {"", "failed", "no-data", "gpu-error",
                                        "", "cut",    ""}; /* as smi_run_note */
    const struct smi_finding *f = smi_findings_worst(s, SMI_LEVEL_WARN);
    return f ? smi_rules[f->rule].key : codes[smi_run_note_of(s)];
}

const char *smi_run_no_data_reason(const struct smi_summary *s)
{
    for (size_t i = 0; i < s->ninputs; i++)
        if (s->inputs[i].gpu)
            return "no readings";
    return s->unread == SMI_UNREAD_COLUMNS ? "columns unknown" : "no GPU log";
}

#define SMI_RUN_HEADLINE(id, key, unit, metric, stat, optional, ...) \
    {key, metric, SMI_HEADLINE_##stat, optional},
const struct smi_headline_field smi_headline_fields[SMI_HEADLINE_COUNT] = {
#include "model/run_field.def"
};

void smi_headline_merge(struct smi_headline *a, const struct smi_headline *b)
{
    for (int i = 0; i <= SMI_HEADLINE_METRICS; i++)
        smi_headline_sum_merge(&a->pool[i], &b->pool[i]);
    a->use_area += b->use_area;
    a->use_ms += b->use_ms;
    a->untimed |= b->untimed;
}

struct smi_value smi_headline_time_mean(const struct smi_headline *b)
{
    return smi_value_ratio(b->use_area, b->untimed ? 0 : 2 * (smi_i128)b->use_ms);
}

struct smi_value smi_headline_use(const struct smi_headline *b)
{
    const struct smi_headline_sum *use = &b->pool[smi_headline_slot(SMI_GPU_UTIL)];
    const struct smi_value v = smi_headline_time_mean(b);
    return v.has ? v : smi_value_ratio(use->sum, use->n);
}

struct smi_value smi_stats_mean(const struct smi_stats *m)
{
    return !m ? (struct smi_value){0} : m->time_mean.has ? m->time_mean : m->mean;
}

/* Tenths of v, as printf("%.1f") rounds them: half to even of the double's exact value, and in no locale. The
 * product is rounded, too: what that took away decides where it lies just between two of them. */
static int64_t tenths(double v)
{
    double product = v * 10, away = fma(v, 10, -product), t = rint(product);
    if (away != 0 && fabs(product - t) == 0.5)
        t = away > 0 ? ceil(product) : floor(product);
    return (int64_t)t;
}

/* The place of a figure's sum. */
static int pool_of(const struct smi_headline_field *f)
{
    return f->metric == SMI_HEADLINE_JAX ? SMI_HEADLINE_METRICS : smi_headline_slot((unsigned)f->metric);
}

/* One reading that is the mean and the largest gives the same figures again. */
void smi_headline_set(struct smi_headline *b, int figure, int64_t micro)
{
    const struct smi_headline_field *field = &smi_headline_fields[figure];
    struct smi_headline_sum *p = &b->pool[pool_of(field)];
    p->n = 1;
    if (field->statistic == SMI_HEADLINE_MEAN)
        p->sum = micro;
    else
        p->max = micro;
}

void smi_headline_figures(const struct smi_headline *b, struct smi_headline_figure out[SMI_HEADLINE_COUNT])
{
    for (int i = 0; i < SMI_HEADLINE_COUNT; i++) {
        struct smi_headline_figure *f = &out[i];
        const struct smi_headline_field *field = &smi_headline_fields[i];
        const struct smi_headline_sum *p = &b->pool[pool_of(field)];
        const bool mean = field->statistic == SMI_HEADLINE_MEAN, peak = field->statistic == SMI_HEADLINE_PEAK;
        *f = (struct smi_headline_figure){.key = field->key, .has = p->n > 0};
        /* The reference leaves the optional ones out unless the mean (or the peak) is above 0, before it
         * rounds. */
        f->omit = field->optional && (peak ? !f->has : p->sum <= 0);
        if (f->has) {
            const double v = smi_i128_ratio(mean ? p->sum : p->max, (smi_i128)1000000 * (mean ? p->n : 1));
            smi_text_write_micro(f->text, (smi_i128)tenths(v) * 100000);
        }
    }
}

void smi_headline_json(const struct smi_headline *b, struct smi_json *j)
{
    struct smi_headline_figure f[SMI_HEADLINE_COUNT];
    smi_headline_figures(b, f);
    smi_json_open(j, '{');
    for (int i = 0; i < SMI_HEADLINE_COUNT; i++) {
        if (f[i].omit)
            continue;
        smi_json_key(j, f[i].key);
        smi_json_raw(j, f[i].has ? f[i].text : "null");
    }
    smi_json_close(j, '}');
}

enum { HELD_ROWS = 20 /* of a GPU: fewer would show one level by chance */ };

bool smi_vram_held(const struct smi_summary *s)
{
    int64_t most = 0;
    for (size_t i = 0; i < s->ngpus; i++)
        most = s->gpus[i].samples > most ? s->gpus[i].samples : most;
    return s->vram.reserved && most >= HELD_ROWS;
}

bool smi_waste_known(struct smi_value wasted, struct smi_value idle_pct, const struct smi_waste *w)
{
    return wasted.has && (idle_pct.has || smi_wasted_ms(w) > 0);
}

int64_t smi_gpu_energy_ms(const struct smi_gpu *gpu)
{
    const int64_t ms = gpu->energy_covered_s.micro / 1000;
    return ms < gpu->covered_ms ? ms : gpu->covered_ms;
}

bool smi_gpu_energy_is_part(const struct smi_gpu *gpu)
{
    return gpu->energy_coverage_pct.has && gpu->energy_coverage_pct.micro < 99000000;
}

bool smi_gpu_unused(const struct smi_gpu *gpu)
{
    return !gpu->pooled && !gpu->worked && gpu->known_ms > 0;
}

int64_t smi_wasted_ms(const struct smi_waste *w)
{
    int64_t all = 0;
    for (int i = 0; i < SMI_WASTE_CAUSES; i++)
        all += w->ms[i];
    return all;
}

int64_t smi_idle_ms(const struct smi_waste *w)
{
    return w->ms[SMI_IDLE_HELD] + w->ms[SMI_IDLE_FREE] + w->ms[SMI_IDLE_BLIND];
}

const int smi_percentiles[SMI_PERCENTILES] = {1, 5, 25, 50, 75, 95, 99};
const char *const smi_state_names[] = {"ok", "failed", "cut", "unknown", "no-data"};
const char *const smi_level_names[] = {"info", "warn", "strong", "error"};
const char *const smi_waste_names[6] = {"failed", "unused", "start", "stall", "end", "total"};

int smi_summary_place(const struct smi_summary *s, const struct smi_input *in, int who)
{
    if (who == SMI_DEVICE_HOST)
        return SMI_PLACE_HOST;
    if (who < 0)
        return s->ngpus && s->gpus[s->ngpus - 1].pooled ? (int)s->ngpus - 1 : SMI_PLACE_NONE;
    return in && (size_t)who < in->places ? in->place[who] : SMI_PLACE_NONE;
}

bool smi_gpu_has_error(const struct smi_gpu *g, const struct smi_error *e)
{
    const struct smi_gpu_keys of = {g->uuid, g->bus, g->serial, g->index},
                              error = {e->uuid, e->bus, NULL, e->gpu};
    return !g->pooled && smi_gpu_keys_match(&of, &error) == SMI_GPU_SAME;
}

size_t smi_summary_count_gpus(const struct smi_summary *s)
{
    size_t n = 0;
    SMI_EACH_GPU (g, s)
        n += !g->pooled;
    return n;
}

bool smi_gpu_has_machine(const struct smi_gpu *g)
{
    return g->index >= 0 && g->serial && g->serial[strspn(g->serial, "0123456789")];
}

bool smi_summary_has_machines(const struct smi_summary *s)
{
    for (size_t i = 0; i < s->ngpus; i++)
        for (size_t k = 0; k < i && smi_gpu_has_machine(&s->gpus[i]); k++)
            if (smi_gpu_has_machine(&s->gpus[k]) && s->gpus[k].index == s->gpus[i].index)
                return true;
    return false;
}

static const struct smi_stats *find_stats(const struct smi_stats *list, size_t n, unsigned metric)
{
    for (size_t i = 0; i < n; i++)
        if (list[i].metric == metric)
            return &list[i];
    return NULL;
}

const struct smi_stats *smi_gpu_stats(const struct smi_gpu *gpu, unsigned metric)
{
    return find_stats(gpu->stats, gpu->nstats, metric);
}

const struct smi_stats *smi_host_stats(const struct smi_summary *s, unsigned metric)
{
    return find_stats(s->host, s->nhost, metric);
}

void smi_summary_fini(struct smi_summary *s)
{
    smi_arena_fini(&s->arena);
    memset(s, 0, sizeof *s);
}

/* ---- prices ---- */

/* What the sums of a run have in common with earlier runs of the sweep. */
struct shared {
    struct smi_waste waste;
    int64_t covered_ms, energy_micro;      /* of the Wh */
    smi_i128 gpu, price[SMI_WASTE_CAUSES]; /* time x price of an hour */
};

/* ---- what the user says ---- */

int smi_price_number(int64_t *micro, const char *opt, struct smi_text t, struct smi_err *err)
{
    t = smi_text_trim(t);
    if (smi_text_parse_micro(t, micro) || *micro < 0 || *micro > SMI_PRICE_TOP * (int64_t)1000000)
        return smi_err_set(err, SMI_EUSAGE, "--%s needs a number from 0 to %d, not \"%.*s\"", opt,
                           SMI_PRICE_TOP, (int)(t.n < 60 ? t.n : 60), t.p);
    return 0;
}

static int add_price(struct smi_prices *p, const char *opt, struct smi_text item, struct smi_err *err)
{
    const char *eq = memchr(item.p, '=', item.n);
    struct smi_price *row = &p->gpu[p->n];
    struct smi_text rest = item;
    if (p->n == SMI_PRICES_MAX)
        return smi_err_set(err, SMI_EUSAGE, "--%s: more than %d prices", opt, SMI_PRICES_MAX);
    *row = (struct smi_price){.model = {item.p, 0}};
    if (eq) {
        row->model = smi_text_trim((struct smi_text){item.p, (size_t)(eq - item.p)});
        rest = (struct smi_text){eq + 1, item.n - (size_t)(eq - item.p) - 1};
    }
    if (eq && row->model.n == 0)
        return smi_err_set(err, SMI_EUSAGE, "--%s: no model in front of \"%.*s\"; H100=2.49,A100=1.19 is one",
                           opt, (int)(item.n < 60 ? item.n : 60), item.p);
    for (size_t i = 0; i < p->n; i++)
        if (p->gpu[i].model.n == row->model.n &&
            strncasecmp(p->gpu[i].model.p, row->model.p, row->model.n) == 0)
            return smi_err_set(err, SMI_EUSAGE, "--%s: two prices for %.*s", opt,
                               (int)(row->model.n ? row->model.n < 60 ? row->model.n : 60 : 8),
                               row->model.n ? row->model.p : "all GPUs");
    p->n++;
    return smi_price_number(&row->micro, opt, rest, err);
}

int smi_currency_check(const char *word, struct smi_err *err)
{
    const size_t n = strlen(word);
    bool is = n > 0 && n <= 8 && smi_text_is_utf8(smi_text_of(word));
    for (size_t i = 0; is && i < n; i++)
        is = (word[i] & 0x80) || word[i] == '$' || ((word[i] | 32) >= 'a' && (word[i] | 32) <= 'z');
    return is ? 0 : smi_err_set(err, SMI_EUSAGE, "--currency needs a word such as EUR: not \"%.60s\"", word);
}

int smi_prices_read(struct smi_prices *p, const char *opt, const char *list, struct smi_err *err)
{
    struct smi_text item;
    int rc = 0;
    while (!rc && smi_text_next_item(&list, &item))
        rc = add_price(p, opt, item, err);
    return rc;
}

/* ---- what a run costs ---- */

bool smi_price_names(const struct smi_price *row, const char *name)
{
    for (name = name ? name : ""; strlen(name) >= row->model.n; name++)
        if (strncasecmp(name, row->model.p, row->model.n) == 0)
            return true;
    return false;
}

/* The row that says most of the name: an A100 is not an A10. */
struct smi_value smi_price_of(const struct smi_prices *p, const char *name)
{
    const struct smi_price *best = NULL;
    for (size_t i = 0; p && i < p->n; i++)
        if (smi_price_names(&p->gpu[i], name) && (!best || p->gpu[i].model.n > best->model.n))
            best = &p->gpu[i];
    return (struct smi_value){best ? best->micro : 0, best != NULL};
}

/* All amounts are in parts of MONEY_UNIT of a millionth: ms x millionths an hour, and millionths of Wh x
 * millionths a kWh are both whole numbers of them. */
#define MONEY_UNIT ((smi_i128)9000000000)
enum { OF_GPU_TIME = 2500, OF_ENERGY = 9 };

static struct smi_value amount_value(smi_i128 parts, bool has)
{
    return has ? smi_value_wide(smi_i128_div(parts, MONEY_UNIT)) : (struct smi_value){0, false};
}

static void fill_money_values(const struct smi_money *m, struct smi_value *cost, struct smi_value wasted[6])
{
    smi_i128 sum = 0;
    for (int i = 0; i < 5; i++) {
        wasted[i] = amount_value(m->waste[i], m->timed);
        sum += m->waste[i];
    }
    wasted[5] = amount_value(sum, m->timed);
    *cost = amount_value(m->gpu + m->energy, m->whole);
}

void smi_price_run(struct smi_summary *s, const struct smi_prices *p)
{
    struct smi_money *m = &s->money;
    if (!p)
        return;
    m->asked = p->n > 0 || p->has_kwh;
    m->asked_co2 = p->has_co2;
    for (size_t i = 0; i < s->ngpus && p->n; i++) {
        const struct smi_gpu *g = &s->gpus[i];
        m->unpriced += !g->price.has && g->covered_ms > 0;
        m->gpu += (smi_i128)g->covered_ms * g->price.micro * OF_GPU_TIME;
        for (int k = 0; k < SMI_WASTE_CAUSES; k++)
            m->waste[k] += (smi_i128)g->waste.ms[k] * g->price.micro * OF_GPU_TIME;
    }
    if (p->has_kwh && s->energy_wh.has)
        m->energy = (smi_i128)s->energy_wh.micro * p->kwh * OF_ENERGY;
    m->timed = p->n > 0 && m->unpriced == 0 && s->wasted_h[5].has;
    m->whole =
        m->asked && m->unpriced == 0 && (p->n == 0 || s->gpu_hours.has) && (!p->has_kwh || s->energy_wh.has);
    m->rest = m->gpu;
    for (int i = 0; i < 5; i++)
        m->rest -= m->waste[i];
    fill_money_values(m, &s->cost, s->wasted_cost);
    if (p->has_co2 && s->energy_wh.has)
        s->co2_g =
            smi_value_wide(smi_i128_div((smi_i128)s->energy_wh.micro * p->gco2, (smi_i128)1000 * 1000000));
}

/* Adds a run to a sum over runs, less what is shared. */
static void add_price_of_run(struct smi_total *t, const struct smi_summary *s, const struct shared *shared)
{
    const struct smi_money *m = &s->money;
    const smi_i128 wh = s->energy_wh.micro ? s->energy_wh.micro : 1;
    const int64_t co2 =
        s->co2_g.micro - (int64_t)smi_i128_div((smi_i128)s->co2_g.micro * shared->energy_micro, wh);
    struct smi_money *to = &t->money;
    smi_i128 wasted = 0;
    to->asked |= m->asked;
    to->asked_co2 |= m->asked_co2;
    t->of.cost += m->whole;
    t->of.wasted_cost += m->timed;
    t->of.both += m->whole && m->timed;
    t->of.co2 += s->co2_g.has;
    to->whole |= m->whole;
    to->timed |= m->timed;
    for (int i = 0; i < 5; i++) {
        wasted += shared->price[i];
        to->waste[i] += m->timed ? m->waste[i] - shared->price[i] * OF_GPU_TIME : 0;
    }
    if (m->whole) {
        to->gpu += m->gpu - shared->gpu * OF_GPU_TIME;
        to->rest += m->rest - (shared->gpu - wasted) * OF_GPU_TIME;
        to->energy += m->energy - m->energy / wh * shared->energy_micro;
    }
    if (s->co2_g.has && !__builtin_add_overflow(t->co2_g.micro, co2, &t->co2_g.micro))
        t->co2_g.has = true;
}

void smi_price_split(const struct smi_money *m, struct smi_value *gpu, struct smi_value *energy)
{
    *gpu = amount_value(m->rest, m->whole && m->timed);
    *energy = amount_value(m->energy, m->whole && m->energy > 0);
}

struct smi_value smi_price_time(const struct smi_summary *s, const struct smi_gpu *gpu, int64_t gpu_ms)
{
    const struct smi_money *m = &s->money;
    if (gpu && gpu->price.has)
        return amount_value((smi_i128)gpu_ms * gpu->price.micro * OF_GPU_TIME, true);
    if (!m->timed || m->unpriced || s->covered_ms <= 0)
        return (struct smi_value){0, false};
    return amount_value(smi_i128_div(m->gpu, s->covered_ms) * gpu_ms, true);
}
/* ---- quality ---- */

const char *const smi_quality_names[SMI_QUALITY_COUNT] = {
    "no-data",  "unread",      "rejected-rows",       "gpu-vanished",    "gpus-renumbered", "gaps",
    "pooled",   "zero-metric", "impossible-readings", "energy-coverage", "counter-differs", "use-coverage",
    "no-times", "overlap"};

unsigned smi_quality_lacks(const struct smi_summary *s)
{
    unsigned lacks = s->lacks;
    SMI_EACH_GPU (g, s)
        lacks |= g->shared_ms > 0 ? 1u << SMI_QUALITY_OVERLAP : 0;
    return lacks;
}

void smi_quality_write(struct smi_buf *to, const struct smi_summary *s)
{
    const char *space = "";
    for (int i = 0; i < SMI_QUALITY_COUNT; i++)
        if (smi_quality_lacks(s) >> i & 1) {
            smi_buf_fmt(to, "%s%s", space, smi_quality_names[i]);
            space = " ";
        }
}

static void add_quality(struct smi_total *t, const struct smi_summary *s)
{
    const unsigned lacks = smi_quality_lacks(s);
    t->incomplete += lacks != 0;
    for (int i = 0; i < SMI_QUALITY_COUNT; i++)
        t->lacks[i] += lacks >> i & 1;
    SMI_EACH_GPU (g, s)
        t->use_ms += g->known_ms;
    t->power += (smi_i128)s->covered_ms * s->energy_coverage_pct.micro;
}

/* ---- sums ---- */

/* An absent value adds nothing; a sum of absent values only stays absent. */
static void add_value(struct smi_value *to, struct smi_value v)
{
    if (!v.has)
        return;
    to->micro += v.micro;
    to->has = true;
}

int64_t smi_total_missing(const struct smi_total *t, int64_t of)
{
    int64_t n = t->runs - t->no_data - of;
    return n > 0 ? n : 0;
}

/* A tenth of a GPU-hour; and the largest cause, or as much of the time as work that begins and ends takes. */
bool smi_total_advises(const struct smi_total *t, int cause)
{
    enum { LEAST_MS = 360000, PART = 50 };
    const int64_t ms = t->waste.ms[cause];
    bool largest = true;
    for (int i = 0; i < SMI_WASTE_CAUSES; i++)
        largest &= t->waste.ms[i] <= ms;
    return t->waste_runs[cause] > 1 && ms >= LEAST_MS && (largest || ms >= t->covered_ms / PART);
}

bool smi_total_costs_match(const struct smi_total *t)
{
    return t->of.both == t->of.cost && t->of.both == t->of.wasted_cost;
}

static struct smi_value hours_value(int64_t ms, bool has)
{
    return has ? smi_value_hours(ms) : (struct smi_value){0, false};
}

void smi_idle_hours(const struct smi_waste *w, struct smi_value idle_pct, struct smi_value *held,
                    struct smi_value *released)
{
    const bool has = idle_pct.has && (smi_idle_ms(w) == 0 || smi_idle_ms(w) > w->ms[SMI_IDLE_BLIND]);
    *held = hours_value(w->ms[SMI_IDLE_HELD], has);
    *released = hours_value(w->ms[SMI_IDLE_FREE], has);
}

/* The edges of the parts are rounded, so that the parts add up. */
void smi_gpu_shared(const struct smi_gpu *g, int64_t *part, size_t n)
{
    smi_i128 sum = 0;
    int64_t edge = 0;
    for (size_t i = 0; i < n; i++) {
        sum += part[i];
        part[i] = -edge;
        edge = g->covered_ms > 0 ? (int64_t)smi_i128_div(sum * g->shared_ms, g->covered_ms) : 0;
        part[i] += edge;
    }
}

static struct shared shared_sums(const struct smi_summary *s)
{
    struct shared sum = {0};
    smi_i128 energy = 0, all = 0;
    SMI_EACH_GPU (g, s) {
        struct smi_waste part = g->waste;
        int64_t wh = g->energy_wh.has ? g->energy_wh.micro : 0;
        all += wh;
        if (g->shared_ms <= 0)
            continue;
        smi_gpu_shared(g, part.ms, SMI_IDLE_HELD);
        smi_gpu_shared(g, part.ms + SMI_IDLE_HELD, SMI_TIME_PARTS - SMI_IDLE_HELD);
        smi_gpu_shared(g, &wh, 1);
        sum.covered_ms += g->shared_ms;
        sum.gpu += (smi_i128)g->shared_ms * g->price.micro;
        for (int k = 0; k < SMI_TIME_PARTS; k++)
            sum.waste.ms[k] += part.ms[k];
        for (int k = 0; k < SMI_WASTE_CAUSES; k++)
            sum.price[k] += (smi_i128)part.ms[k] * g->price.micro;
        energy += wh;
    }
    if (all > 0 && s->energy_wh.has) /* the sum over the GPUs is rounded in each of them */
        sum.energy_micro = (int64_t)smi_i128_div(energy * s->energy_wh.micro, all);
    return sum;
}

void smi_total_add(struct smi_total *t, const struct smi_summary *s, bool once)
{
    const struct shared shared = once ? shared_sums(s) : (struct shared){0};
    size_t i;
    t->runs++;
    add_quality(t, s);
    t->failed += s->state == SMI_STATE_FAILED;
    t->cut += s->state == SMI_STATE_CUT;
    t->no_data += s->state == SMI_STATE_NO_DATA || !smi_run_has_gpu_data(s);
    t->gpus += (int64_t)smi_summary_count_gpus(s);
    add_value(&t->duration_s, s->duration_s);
    add_value(&t->energy_wh, (struct smi_value){s->energy_wh.micro - shared.energy_micro, s->energy_wh.has});
    t->of.duration += s->duration_s.has;
    t->of.energy += s->energy_wh.has;
    t->of.energy_part += s->energy_part != NULL;
    t->of.hours += s->gpu_hours.has;
    t->of.waste += s->wasted_h[5].has;
    t->gpu_hours.has |= s->gpu_hours.has;
    t->idle_pct.has |= s->idle_pct.has;
    t->covered_ms += s->covered_ms - shared.covered_ms;
    t->overlap_ms += shared.covered_ms;
    smi_headline_merge(&t->block, &s->block);
    for (i = 0; i < SMI_TIME_PARTS; i++)
        t->waste.ms[i] += s->waste.ms[i] - shared.waste.ms[i];
    for (i = 0; i < SMI_WASTE_CAUSES; i++)
        t->waste_runs[i] += s->waste.ms[i] > 0;
    add_price_of_run(t, s, &shared);
    for (i = 0; i < s->ninputs; i++)
        t->doubts +=
            smi_account_rejected(&s->inputs[i].account) - /* every log of a killed run has one: no doubt */
            s->inputs[i].account.rejected[SMI_REJECT_TORN_TAIL];
}

void smi_total_close(struct smi_total *t)
{
    const struct smi_headline_sum *vram = &t->block.pool[smi_headline_slot(SMI_FB_USED)];
    for (int i = 0; i < SMI_WASTE_CAUSES; i++)
        t->wasted_h[i] = hours_value(t->waste.ms[i], t->covered_ms > 0);
    t->wasted_h[SMI_WASTE_CAUSES] = hours_value(smi_wasted_ms(&t->waste), t->covered_ms > 0);
    fill_money_values(&t->money, &t->cost, t->wasted_cost);
    t->overlap_h = hours_value(t->overlap_ms, t->gpu_hours.has);
    t->gpu_hours = hours_value(t->covered_ms, t->gpu_hours.has);
    t->idle_pct = smi_value_percent(smi_idle_ms(&t->waste), t->idle_pct.has ? t->covered_ms : 0);
    smi_idle_hours(&t->waste, t->idle_pct, &t->idle_held_h, &t->idle_free_h);
    t->peak_vram_mb = (struct smi_value){vram->n ? vram->max : 0, vram->n > 0};
}

const char *smi_format_text(struct smi_arena *a, const char *fmt, ...)
{
    struct smi_buf b = {0};
    va_list ap;
    va_start(ap, fmt);
    smi_buf_vfmt(&b, fmt, ap);
    va_end(ap);
    return smi_buf_keep(&b, a);
}

char *smi_copy_text(struct smi_arena *a, const char *text)
{
    return text ? smi_arena_text(a, text, strlen(text)) : NULL;
}

const char *smi_fixed_text(struct smi_arena *a, smi_i128 micro, int digits)
{
    char t[SMI_MICRO_TEXT];
    return smi_arena_text(a, t, smi_text_write_fixed(t, micro, digits));
}
