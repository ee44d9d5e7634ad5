/* findings.c - rules, the limits that a file gives them, and the findings of a run. */
#include "summary/findings.h"
#include "base/buf.h"
#include "base/clock.h"
#include "summary/gpus.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* The run that is checked. */
struct smi_rule_check {
    const struct smi_summary *s;
    const struct smi_rule *rule; /* SMI_RULE_COUNT of them */
    struct smi_arena *arena;
    struct smi_finding *list; /* in the heap */
    size_t n, cap;
    bool renumbered; /* an index may be that of two GPUs, one after the other */
    bool any_length; /* rules judge runs that are too short for findings, too */
};

/* A finding in the making: what it is about, so much GPU time, from the run's start on, as long as there are
 * readings; without a value and texts. */
struct smi_finding_draft {
    struct smi_finding f;
    const struct smi_gpu *gpu; /* or NULL: the run */
    const char *who, *more;    /* what {gpu} and {more} are; NULL: the GPU, if there is one; "" */
    bool held;                 /* its stretch is long enough, whatever its value is */
    const char *text, *note;   /* in place of those of the rule, or NULL */
};

/* ---- who, and how much ---- */

/* Is the GPU read for long enough for this rule? NULL: is one GPU of the run? */
static bool rule_applies(const struct smi_rule_check *j, enum smi_rule_id rule, const struct smi_gpu *gpu)
{
    const struct smi_rule *r = &j->rule[rule];
    if (gpu)
        return !r->off && !gpu->pooled &&
               (j->any_length || ((gpu->samples >= SMI_RULE_SAMPLES || !smi_rules[rule].least_s) &&
                                  gpu->covered_ms >= r->least_s * 1000));
    for (size_t i = 0; i < j->s->ngpus; i++)
        if (rule_applies(j, rule, &j->s->gpus[i]))
            return true;
    return !r->off && !r->least_s && !smi_rules[rule].least_s; /* a driver that is not reached has no GPU */
}

/* Has f a value, on that side of its limit on which the rule speaks? True of a rule without limits. */
static bool breaks_limit(const struct smi_rule_check *j, const struct smi_finding *f)
{
    enum smi_side side = j->rule[f->rule].side;
    if (j->rule[f->rule].limit == SMI_LIMIT_NONE)
        return true;
    if (!f->value.has || !f->limit.has)
        return false;
    return side == SMI_SIDE_BELOW   ? f->value.micro < f->limit.micro
           : side == SMI_SIDE_ABOVE ? f->value.micro > f->limit.micro
                                    : f->value.micro >= f->limit.micro && f->value.micro > 0;
}

#define THROTTLES                                                                                          \
    (SMI_RULE_BIT(THROTTLE_SETTING) * 2 - SMI_RULE_BIT(THROTTLE_HW_THERMAL)) /* from the first to the last \
                                                                              */
_Static_assert(SMI_RULE_COUNT < 64, "a bit for each");

/* Has one of these rules a finding of this GPU (NULL: of any) for its value, and not for a stretch alone; or
 * (c) for stretches of which half of c is? */
static bool has_finding(const struct smi_rule_check *j, uint64_t rules, const struct smi_gpu *gpu,
                        const struct smi_gpu_condition *c)
{
    for (const struct smi_finding *f = j->list; f && f < j->list + j->n; f++)
        if (rules >> f->rule & 1 && (!gpu || f->place == (int)(gpu - j->s->gpus)) &&
            (breaks_limit(j, f) ||
             (c && smi_overlap(f->from_ms, f->to_ms, c->from_ms, c->to_ms) * 2 >= c->longest_ms)))
            return true;
    return false;
}

static struct smi_value metric_mean(const struct smi_gpu *gpu, unsigned metric)
{
    return smi_stats_mean(smi_gpu_stats(gpu, metric));
}

/* The power limit in force, or no value. */
static struct smi_value power_limit(const struct smi_gpu *gpu)
{
    struct smi_value v = metric_mean(gpu, SMI_POWER_LIMIT_ENFORCED);
    v = v.has ? v : metric_mean(gpu, SMI_POWER_LIMIT);
    v.has &= v.micro > 0;
    return v;
}

/* The share of memory in use at most, in %; no value where it is not known or only reserved (docs/numbers.md
 * §11).
 */
static struct smi_value memory_share(const struct smi_summary *s)
{
    struct smi_value used = s->vram.used_peak_mb, none = {0, false};
    bool device = !s->vram.source || strcmp(s->vram.source, "device") == 0;
    if (!used.has || !s->vram.total_mb.has || s->vram.total_mb.micro <= 0 || (device && s->vram.level))
        return none;
    return smi_value_percent(used.micro, s->vram.total_mb.micro);
}

enum {
    DRAWS = 40 /* % of the power limit, more than an idle board takes */,
    WORKS = 10 /* % of utilisation */
};

/* Does the power show work, where the utilisation shows none? */
static bool has_unseen_work(const struct smi_gpu *gpu)
{
    const struct smi_stats *util = smi_gpu_stats(gpu, SMI_GPU_UTIL);
    struct smi_value power = metric_mean(gpu, SMI_POWER), most = power_limit(gpu);
    return util && util->max.micro == 0 && power.has && most.has &&
           (smi_i128)power.micro * 100 >= (smi_i128)most.micro * DRAWS;
}

/* ---- words ---- */

#define TEXT(...) smi_format_text(j->arena, __VA_ARGS__)

/* "GPU bus 3B"; "a GPU" where it is not known. */
static const char *bus_text(struct smi_rule_check *j, const char *bus)
{
    const char *colon = bus ? strchr(bus, ':') : NULL;
    if (!colon)
        return "a GPU";
    colon = strchr(colon + 1, ':') ? colon + 1 : bus; /* 00000000:3B:00.0, 3B:00.0 */
    return TEXT("GPU bus %.*s", (int)strcspn(colon, ":"), colon);
}

/* "GPU 3", "GPU 6e7a1b2c"; "the GPU" where there is one only. */
static const char *gpu_text(struct smi_rule_check *j, const struct smi_gpu *gpu)
{
    const char *dash = gpu->uuid ? strchr(gpu->uuid, '-') : NULL;
    if (smi_summary_count_gpus(j->s) == 1)
        return "the GPU";
    if (gpu->index >= 0)
        return TEXT(j->renumbered ? "index %d" : "GPU %d", gpu->index);
    if (gpu->uuid)
        return TEXT("GPU %.8s", dash ? dash + 1 : gpu->uuid);
    return bus_text(j, gpu->bus);
}

/* gpu: NULL for the run. */
static struct smi_finding_draft new_finding(struct smi_rule_check *j, enum smi_rule_id rule,
                                            const struct smi_gpu *gpu)
{
    const struct smi_rule *r = &j->rule[rule];
    return (struct smi_finding_draft){
        .gpu = gpu,
        .f = {.rule = (int)rule,
              .level = r->level,
              .gpu = gpu ? gpu->index : -1,
              .place = gpu ? (int)(gpu - j->s->gpus) : -1,
              .gpu_ms = gpu ? gpu->covered_ms : j->s->covered_ms,
              .has_from = j->s->has_start,
              .from_ms = j->s->start_ms,
              .seconds = gpu ? smi_value_of(gpu->covered_ms * 1000) : j->s->covered_s,
              .limit = {r->limit != SMI_LIMIT_NONE ? r->limit : 0, r->limit != SMI_LIMIT_NONE},
              .advice = r->advice}};
}

/* "both GPUs", "all 8 GPUs", "the GPU" */
static const char *gpus_text(struct smi_rule_check *j)
{
    size_t n = smi_summary_count_gpus(j->s);
    return n == 1 ? "the GPU" : n == 2 ? "both GPUs" : TEXT("all %zu GPUs", n);
}

/* A number with its unit, as texts say it: "12.5 %", "5m10s", "3". */
static const char *value_text(struct smi_rule_check *j, struct smi_value v, const char *unit)
{
    char t[SMI_MICRO_TEXT];
    size_t n = 0;
    if (!v.has)
        return "-";
    if (strcmp(unit, "s") == 0)
        smi_clock_write_span(t, v.micro / 1000);
    else
        n = smi_text_write_fixed(t, v.micro, *unit ? 1 : 0);
    if (n > 2 && strcmp(t + n - 2, ".0") == 0)
        t[n - 2] = 0;
    return TEXT(*unit && strcmp(unit, "s") ? "%s %s" : "%s", t, unit);
}

static const char *gib_text(struct smi_rule_check *j, int64_t micro_mib)
{
    return smi_fixed_text(j->arena, smi_i128_div(micro_mib, 1024), 1);
}

/* "00:41:07" on the clock of the run's GPU logs; "07-05 00:41:07" in a run of more than a day. */
static const char *time_text(struct smi_rule_check *j, int64_t ms)
{
    char t[SMI_CLOCK_TEXT];
    smi_clock_write(t, ms + (j->s->zoned ? j->s->offset_s * (int64_t)1000 : 0), false);
    if (j->s->duration_s.micro > 86400 * (int64_t)1000000 && j->s->time_base &&
        !strstr(j->s->time_base, "date not known"))
        return TEXT("%.5s %.8s", t + 5, t + 11); /* "07-05 01:33:00": of which day */
    return TEXT("%.8s", t + 11);
}

/* The value of a finding, with as many digits as it takes to see that it is not the limit, where that would
 * be none: 24.99 % is below 25 %. */
static const char *broken_value_text(struct smi_rule_check *j, const struct smi_finding *f)
{
    const char *unit = smi_rules[f->rule].unit, *text = value_text(j, f->value, unit);
    char t[SMI_MICRO_TEXT];
    if (!f->value.has || !f->limit.has || j->rule[f->rule].side == SMI_SIDE_FROM || !*unit ||
        strcmp(unit, "s") == 0 || strcmp(text, value_text(j, f->limit, unit)) != 0)
        return text;
    for (int digits = 2; digits <= 6; digits++) {
        int64_t shown;
        size_t n = smi_text_write_fixed(t, f->value.micro, digits);
        if (smi_text_parse_micro((struct smi_text){t, n}, &shown) == 0 && shown != f->limit.micro)
            break;
    }
    return TEXT("%s %s", t, unit);
}

enum {
    HELD_MS = 300000, /* a stretch that is reported, however short it is beside the run */
    TOLD_MS = 60000   /* a shorter one tells little */
};

/* The condition that a rule is about, of several the one that held longer; NULL: none did. */
static const struct smi_gpu_condition *condition_of(const struct smi_gpu *g, enum smi_rule_id rule)
{
    const struct smi_gpu_condition *most = NULL;
    for (size_t k = 0; k < g->conditions; k++)
        if (g->condition[k].n && strcmp(smi_conditions[k].rule, smi_rules[rule].key) == 0 &&
            (!most || g->condition[k].longest_ms > most->longest_ms))
            most = &g->condition[k];
    return most;
}

/* The same, if it held for as long as the rule asks for. */
static const struct smi_gpu_condition *long_condition(const struct smi_rule_check *j, enum smi_rule_id rule,
                                                      const struct smi_gpu *g)
{
    const struct smi_gpu_condition *c = condition_of(g, rule);
    return c && rule_applies(j, rule, g) && c->longest_ms * 1000 >= j->rule[rule].limit ? c : NULL;
}

/* The finding is about the stretches in which c held, and their time. */
static void set_stretches(struct smi_finding *f, const struct smi_gpu_condition *c)
{
    f->has_from = f->has_to = c->dated;
    f->from_ms = c->from_ms;
    f->to_ms = c->to_ms;
    f->seconds = smi_value_of(c->longest_ms * 1000);
    f->total_seconds = smi_value_of(c->ms * 1000);
    f->stretches = c->n;
    f->gpu_ms = c->ms;
}

/* A text of the table, filled in. */
static const char *fill_finding_template(struct smi_rule_check *j, const struct smi_finding_draft *d,
                                         const char *text)
{
    const struct smi_finding *f = &d->f;
    const bool held = f->has_to && d->gpu && f->seconds.micro >= TOLD_MS * (int64_t)1000 &&
                      f->seconds.micro / 10 < d->gpu->covered_ms * 95; /* else nearly all that was measured */
    const struct smi_rule_word word[] = {
        {"{gpu}", d->who   ? d->who
                  : d->gpu ? gpu_text(j, d->gpu)
                           : ""},
        {"{value}", broken_value_text(j, f)},
        {"{limit}", value_text(j, f->limit, smi_rules[f->rule].unit)},
        {"{time}", f->has_from ? TEXT(" from %s", time_text(j, f->from_ms)) : ""},
        {"{held}",
         held ? TEXT(", %s of it from %s on", value_text(j, f->seconds, "s"), time_text(j, f->from_ms)) : ""},
        {"{s}", f->value.has && f->value.micro == 1000000 ? "" : "s"},
        {"{phase}", f->phase ? f->phase : ""},
        {"{more}", d->more ? d->more : ""}};
    struct smi_buf b = {0};
    smi_rule_text(&b, text, word, sizeof word / sizeof *word);
    return smi_buf_keep(&b, j->arena);
}

/* Keeps the finding with its texts, if its value breaks the limit. */
static void add_finding(struct smi_rule_check *j, struct smi_finding_draft *d)
{
    struct smi_finding *f = &d->f;
    if (!d->held && !breaks_limit(j, f))
        return;
    if (f->gpu_ms > j->s->covered_ms)
        f->gpu_ms = j->s->covered_ms;
    f->gpu_hours = smi_value_hours(f->gpu_ms);
    f->cost = smi_price_time(j->s, d->gpu, f->gpu_ms);
    f->text = fill_finding_template(j, d, d->text ? d->text : smi_rules[f->rule].text);
    f->note = fill_finding_template(j, d, d->note ? d->note : smi_rules[f->rule].note);
    *SMI_MEM_ADD(j->list, j->n, j->cap) = *f;
}

/* Fills a draft of the rule. Returns whether it is a finding if its value breaks the limit. A check that can
 * find more than one thing adds its findings itself, and returns false. */
#define CHECK(name) static bool check_##name(struct smi_rule_check *j, struct smi_finding_draft *d)

/* What was lost: failed runs, GPUs that were never used, idle time. The GPU time of these is that of the
 * waste table (docs/numbers.md §11), so of a failed run there is nothing but that it failed. */

/* "per_process_memory_fraction is 0.4: ...": a parameter by which a framework takes only a share of the
 * memory; else what JAX took at its start, which is all that it ever has. */
static const char *out_of_memory_advice(struct smi_rule_check *j)
{
    enum { TAKEN = 95 /* %: less of the memory than that is left to others on purpose */ };
    static const char *const ends[] = {"mem_fraction", "memory_fraction", "gpu_memory_utilization"};
    const struct smi_summary *s = j->s;
    for (size_t i = 0; i < s->nparams; i++) {
        const struct smi_param *p = &s->params[i];
        size_t n = strlen(p->key);
        int64_t share;
        for (size_t k = 0; k < sizeof ends / sizeof *ends; k++)
            if (n >= strlen(ends[k]) &&
                smi_text_is_nocase(smi_text_of(p->key + n - strlen(ends[k])), ends[k]) &&
                smi_text_parse_micro(smi_text_of(p->text), &share) == 0 && share > 0 && share < 1000000)
                return TEXT("%.100s is %.20s: a larger fraction, or a smaller batch", p->key, p->text);
    }
    if (!s->vram.level || !s->vram.source || strcmp(s->vram.source, "jax") ||
        (smi_i128)s->vram.device_peak_mb.micro * 100 >= (smi_i128)s->vram.total_mb.micro * TAKEN)
        return NULL;
    return TEXT("JAX took %s of %s GiB at its start: a larger XLA_PYTHON_CLIENT_MEM_FRACTION, "
                "or a smaller batch",
                gib_text(j, s->vram.device_peak_mb.micro), gib_text(j, s->vram.total_mb.micro));
}

CHECK(failed)
{
    const struct smi_summary *s = j->s;
    const bool memory = smi_text_is(smi_reason_cause(s->state_reason), SMI_REASON_MEMORY);
    if (s->state != SMI_STATE_FAILED || memory != (d->f.rule == SMI_RULE_OUT_OF_MEMORY))
        return false;
    if (!memory && s->state_reason && strcmp(s->state_reason, "failed"))
        d->more = TEXT(": %s", s->state_reason);
    if (memory) {
        const char *fraction = out_of_memory_advice(j);
        d->f.value = memory_share(s);
        d->f.advice = fraction ? fraction : d->f.advice;
    }
    if (d->f.value.has)
        d->more = TEXT(" at %s of %s GiB", gib_text(j, s->vram.used_peak_mb.micro),
                       gib_text(j, s->vram.total_mb.micro));
    return true;
}

CHECK(unused)
{
    const struct smi_gpu *g = d->gpu;
    const struct smi_stats *use = smi_gpu_stats(g, SMI_GPU_UTIL), *memory = smi_gpu_stats(g, SMI_FB_USED);
    if (j->s->state == SMI_STATE_FAILED || g->worked || g->known_ms == 0 || !use || has_unseen_work(g))
        return false;
    d->f.value = use->max;
    d->f.limit = smi_value_of(j->s->idle_below);
    if (memory)
        d->more = memory->max.micro < 51 * (int64_t)1000000 /* which the driver itself takes */
                      ? ", no memory in use"
                      : TEXT(", at most %s GiB of its memory in use", gib_text(j, memory->max.micro));
    return true;
}

enum { PHASE_BYTES = 100 /* of a name in a sentence */ };

/* Idle before the first work (rule start), or after the last (rule end), of all GPUs that worked: the
 * longest, and the sum. */
CHECK(idle_edge)
{
    const struct smi_summary *s = j->s;
    const struct smi_gpu *longest = NULL;
    enum smi_rule_id rule = (enum smi_rule_id)d->f.rule;
    bool lead = rule == SMI_RULE_START;
    const struct smi_phase_part *in;
    const char *phase = "";
    int64_t most = 0, sum = 0;
    size_t worked = 0, n = 0; /* of the GPUs; that were idle for long */
    SMI_EACH_GPU (g, s) {
        int64_t ms = !g->worked ? 0 : lead ? g->lead_ms : g->trail_ms;
        bool is_long = ms > 0 && rule_applies(j, rule, g) && ms * 1000 >= j->rule[rule].limit;
        worked += g->worked && !g->pooled;
        n += is_long;
        sum += ms;
        longest = ms > most && is_long ? g : longest;
        most = ms > most && is_long ? ms : most;
    }
    if (s->state == SMI_STATE_FAILED || n == 0)
        return false;
    d->f.gpu_ms = sum;
    d->f.value = d->f.seconds = smi_value_of(most * 1000);
    d->f.has_from &= lead;
    in = lead ? &longest->lead_in : &longest->trail_in;
    d->f.phase = in->phase;
    if (in->phase && in->ms * 4 >= most) /* less tells little */
        phase = TEXT(", %s%sin phase %.*s",
                     in->ms * 20 < most * 19 ? value_text(j, smi_value_of(in->ms * 1000), "s") : "",
                     in->ms * 20 < most * 19 ? " of it " : "",
                     (int)smi_text_prefix(smi_text_of(in->phase), PHASE_BYTES).n, in->phase);
    d->more = TEXT("%s%s",
                   n == worked ? ""
                   : n == 1    ? TEXT(", %s", gpu_text(j, longest))
                               : TEXT(", %zu of %zu GPUs", n, worked),
                   phase);
    return true;
}

/* ---- stalls ---- */

static int64_t stalled_ms(const struct smi_gpu *g)
{
    return smi_idle_ms(&g->waste) - g->lead_ms - g->trail_ms;
}

/* Time of a's longest stall within b's. */
static int64_t stall_overlap_ms(const struct smi_gpu *a, const struct smi_gpu *b)
{
    return smi_overlap(a->stall_from_ms, a->stall_from_ms + a->stall_ms, b->stall_from_ms,
                       b->stall_from_ms + b->stall_ms);
}

/* " while GPU 0 worked", or NULL: worked for half of the stall at least, so far as sums tell. Of the idle
 * time between work only the longest stretch has a place; the rest, and time of which nothing is known, is
 * all laid into the stall. */
static const char *others_work(struct smi_rule_check *j, const struct smi_gpu *stall)
{
    const struct smi_gpu *one = NULL;
    size_t n = 0, all = 0;
    SMI_EACH_GPU (g, j->s) {
        const int64_t to = stall->stall_from_ms + stall->stall_ms,
                      unknown = g->gap_ms + g->covered_ms - g->known_ms,
                      longest = g->has_stall_from ? stall_overlap_ms(g, stall) : g->stall_ms,
                      idle = stalled_ms(g) - g->stall_ms + longest + unknown;
        if (g == stall || g->pooled)
            continue;
        all++;
        if (!g->worked || !g->has_span || !stall->has_stall_from || idle * 2 > stall->stall_ms ||
            g->first_ms + g->lead_ms > stall->stall_from_ms || g->last_ms - g->trail_ms < to)
            continue;
        one = g;
        n++;
    }
    return n == 0    ? NULL
           : n == 1  ? TEXT(" while %s worked", gpu_text(j, one))
           : n < all ? TEXT(" while %zu of the other %zu worked", n, all)
                     : TEXT(" while the other %zu worked", n);
}

/* " while one CPU was 96 % busy"; NULL where nothing is known of the CPUs. *advice: what that hints at, left
 * as it is where it hints at nothing. */
static const char *stall_cpu_text(struct smi_rule_check *j, const struct smi_gpu *stall, const char **advice)
{
    enum { FEW = 500000, ONE = 1500000, NOTHING = 300000, MANY = 50000000 }; /* millionths of CPUs; of % */
    struct smi_value use = stall->stall_cpu, usual = smi_stats_mean(smi_host_stats(j->s, SMI_CPU_USR));
    int64_t n = j->s->cpus, busy;
    bool some, many;
    if (!use.has || n > INT32_MAX || use.micro > 100000000)
        return NULL;
    busy = (int64_t)smi_i128_div((smi_i128)use.micro * n, 100);
    some = n ? busy >= FEW : use.micro >= NOTHING;
    many = n > 1 ? busy >= ONE : use.micro >= MANY;
    if (!some)
        *advice = "waiting for disks, the network or another machine?";
    else if (many && usual.has && use.micro * 5 >= usual.micro * 4)
        *advice = "input-bound: loading or preparing data on the CPUs?";
    else if (n > 1 && !many)
        *advice = "data loading on one thread?";
    if (!some)
        return " while programs used hardly any CPU";
    if (n < 2)
        return TEXT(" while the CPU%s %s busy", n ? " was" : "s were", value_text(j, use, "%"));
    if (many)
        return TEXT(" while %s of %lld CPUs were busy", smi_fixed_text(j->arena, busy, 1), (long long)n);
    busy = busy > 1000000 ? 1000000 : busy;
    return TEXT(" while one CPU was %s busy", value_text(j, (struct smi_value){busy * 100, true}, "%"));
}

enum { STALLS_PCT = 5, STALLS_MS = 60000 /* together so much of the time, and so much */ };

/* Has it a long stall? brief: are its stalls many, and none of them long? */
static bool has_stalls(const struct smi_rule_check *j, enum smi_rule_id rule, const struct smi_gpu *g,
                       bool brief)
{
    const bool is_long = g->stall_ms > 0 && g->stall_ms * 1000 >= j->rule[rule].limit;
    const bool many =
        g->stalls > 1 && g->stalls_ms >= STALLS_MS && g->stalls_ms * 100 >= g->covered_ms * STALLS_PCT;
    return rule_applies(j, rule, g) && (brief ? many && !is_long : is_long);
}

/* The stalls of g, the longest or, of brief ones, all of them; all: g is the one that stands for all GPUs.
 * The GPU time is that of all stalls. */
static void add_stall(struct smi_rule_check *j, const struct smi_gpu *g, bool all, bool brief, int64_t gpu_ms)
{
    struct smi_finding_draft d = new_finding(j, SMI_RULE_STALL, all ? NULL : g);
    const int64_t every =
        g->covered_ms - smi_idle_ms(&g->waste) + g->stalls_ms; /* from the first to the last of them */
    const char *why = all || brief ? NULL : others_work(j, g);
    d.who = all ? gpus_text(j) : NULL;
    d.f.gpu_ms = gpu_ms > j->s->covered_ms ? j->s->covered_ms : gpu_ms;
    d.f.seconds = smi_value_of(g->stall_ms * 1000);
    d.f.total_seconds = smi_value_of(g->stalls_ms * 1000);
    d.f.value = brief ? d.f.total_seconds : d.f.seconds;
    d.f.stretches = g->stalls;
    d.f.has_from = g->has_stall_from;
    d.f.from_ms = g->stall_from_ms;
    if (brief) {
        d.text = "{gpu}: {more}, {value} in total";
        d.note = "{value} idle in stalls";
        d.more = TEXT("%lld stalls of about %s, one every %s", (long long)g->stalls,
                      value_text(j, smi_value_of(g->stalls_ms * 1000 / g->stalls), "s"),
                      value_text(j, smi_value_of(every * 1000 / g->stalls), "s"));
        add_finding(j, &d);
        return;
    }
    if (why)
        d.f.advice = "work that is not shared evenly, or waits for that of others?";
    else if (!(why = stall_cpu_text(j, g, &d.f.advice)))
        why = "";
    d.f.phase = g->stall_phase;
    d.more = stalled_ms(g) > g->stall_ms + g->stall_ms / 2
                 ? TEXT("%s, %s GPU-h in all stalls", why,
                        smi_fixed_text(j->arena, smi_value_hours(d.f.gpu_ms).micro, 2))
                 : why;
    add_finding(j, &d);
}

/* Brief stalls first, then long ones: of all GPUs as one finding, if all have them (long ones for half of the
 * longest, at least), else of each. */
CHECK(stall)
{
    const enum smi_rule_id rule = (enum smi_rule_id)d->f.rule;
    for (int brief = 1; brief >= 0 && j->s->state != SMI_STATE_FAILED; brief--) {
        const struct smi_gpu *most = NULL;
        int64_t sum = 0;
        bool all = true;
        SMI_EACH_GPU (g, j->s) {
            const bool has = has_stalls(j, rule, g, brief);
            all &= has || g->pooled;
            most = has && (!most || (brief ? g->stalls_ms > most->stalls_ms : g->stall_ms > most->stall_ms))
                       ? g
                       : most;
            sum += !brief ? (g->worked ? stalled_ms(g) : 0) : has ? g->stalls_ms : 0;
        }
        SMI_EACH_GPU (g, j->s)
            all &= brief || g->pooled ||
                   (most && most->has_stall_from && g->has_stall_from &&
                    stall_overlap_ms(most, g) * 2 >= most->stall_ms);
        SMI_EACH_GPU (g, j->s)
            if (all ? g == most : has_stalls(j, rule, g, brief))
                add_stall(j, g, all, brief, all ? sum : brief ? g->stalls_ms : stalled_ms(g));
    }
    return false;
}

/* ---- What the boards were: how full, how fast, how healthy; and metrics that cannot be true ---- */

/* ---- memory ---- */

enum { SPARE = 15 /* % beyond what was used, of a card that would do */ };

/* The smallest usual card on which so much memory fits, in GB of 10^9 bytes: what the vendors print is less
 * than what the driver shows. */
static int smallest_card_mib(int64_t micro_mib)
{
    static const int gb[] = {8, 12, 16, 24, 32, 40, 48, 80, 96, 141, 180};
    for (size_t i = 0; i < sizeof gb / sizeof *gb; i++)
        if ((smi_i128)micro_mib * 1048576 <= (smi_i128)gb[i] * 1000000000 * 1000000)
            return gb[i];
    return 0;
}

/* "a card of 12 GB or the MIG slice 1g.10gb may do, with 15 % to spare"; NULL if nothing smaller would. A
 * slice of a board whose profiles are known has an eighth of its memory, a quarter or half of it (of an A30 a
 * quarter is the smallest). Source: NVIDIA's MIG user guide. */
static const char *smaller_gpu_advice(struct smi_rule_check *j)
{
    static const struct {
        const char *board;
        int card, gb, slices; /* the card that its memory makes it, and its memory */
    } boards[] = {{"A100", 40, 40, 8},   {"A100", 80, 80, 8},  {"H100", 80, 80, 8},
                  {"H100", 96, 94, 8},   {"GH200", 96, 96, 8}, {"NVIDIA H200", 141, 141, 8},
                  {"B200", 180, 180, 8}, {"A30", 24, 24, 4}};
    const struct smi_summary *s = j->s;
    const int64_t need = (int64_t)smi_i128_div((smi_i128)s->vram.used_peak_mb.micro * (100 + SPARE), 100),
                  total = s->vram.total_mb.micro;
    const char *name = s->ngpus && s->gpus[0].name ? s->gpus[0].name : "", *slice = NULL;
    const int card = smallest_card_mib(need);
    if (!card || (smi_i128)card * 1000000000 * 1000000 * 10 >= (smi_i128)total * 1048576 * 9)
        return NULL;
    for (size_t i = 0; i < sizeof boards / sizeof *boards; i++)
        for (int n = 1, of = boards[i].slices; of > 1 && !slice; n++, of /= 2) {
            const int gb = (2 * boards[i].gb + of) / (2 * of);
            if (strstr(name, boards[i].board) && smallest_card_mib(total / 100 * 93) == boards[i].card &&
                (smi_i128)need * 1048576 <= (smi_i128)gb * 1000000000 * 1000000)
                slice = TEXT(" or the MIG slice %dg.%dgb", n, gb);
        }
    return TEXT("a card of %d GB%s may do, with %d %% to spare", card, slice ? slice : "", SPARE);
}

/* Near full: 98 %, as the live screen has it. Mostly empty: under 40 % half the card would
 * do, with room to spare. */
CHECK(memory)
{
    const struct smi_summary *s = j->s;
    bool worked = false;
    const char *less;
    for (size_t i = 0; i < s->ngpus; i++)
        worked |= s->gpus[i].worked;
    d->f.value = memory_share(s);
    if (!breaks_limit(j, &d->f) || !worked || s->state == SMI_STATE_FAILED)
        return false;
    less = d->f.rule == SMI_RULE_MEMORY_NEAR_FULL ? NULL : smaller_gpu_advice(j);
    d->f.advice = less ? less : d->f.advice;
    d->more =
        TEXT(", %s of %s GiB", gib_text(j, s->vram.used_peak_mb.micro), gib_text(j, s->vram.total_mb.micro));
    return true;
}

/* 96 MiB an hour: as alerts have it. */
CHECK(memory_growth)
{
    const struct smi_stats *used = smi_gpu_stats(d->gpu, SMI_FB_USED),
                           *all = smi_gpu_stats(d->gpu, SMI_FB_TOTAL);
    struct smi_value full;
    int64_t left;
    d->f.value = d->gpu->memory_growth;
    if (!used || !breaks_limit(j, &d->f))
        return false;
    d->more = TEXT(", from %s to %s GiB", gib_text(j, used->min.micro), gib_text(j, used->max.micro));
    left = all ? all->max.micro - used->max.micro : 0;
    full = smi_value_ratio((smi_i128)left * 3600 * 1000000, d->f.value.micro);
    if (left > 0)
        d->more = TEXT("%s: full in %s", d->more, value_text(j, full, "s"));
    return true;
}

/* ---- speed ---- */

/* Where a log has no reasons: shares of time, counters of microseconds, and flags that tell the same. pviol
 * is that of the power limit; tviol does not say whose heat protection it was. Source: NVML's violation
 * status, dmon -s v, AMD SMI. */
static const struct {
    enum smi_rule_id rule;
    uint16_t metric;
    const char *more;
} violations[] = {{SMI_RULE_THROTTLE_HW_THERMAL, SMI_THROTTLE_US_HW_THERMAL, " (hardware)"},
                  {SMI_RULE_THROTTLE_HW_THERMAL, SMI_PROCHOT_VIOL, " (signal of the board)"},
                  {SMI_RULE_THROTTLE_HW_THERMAL, SMI_VR_VIOL, " (voltage regulators)"},
                  {SMI_RULE_THROTTLE_HW_THERMAL, SMI_HBM_VIOL, " (memory)"},
                  {SMI_RULE_THROTTLE_SW_THERMAL, SMI_THROTTLE_US_SW_THERMAL, " (driver)"},
                  {SMI_RULE_THROTTLE_SW_THERMAL, SMI_THERMAL_VIOL, ""},
                  {SMI_RULE_THROTTLE_SW_THERMAL, SMI_THERMAL_VIOL_PCT, ""},
                  {SMI_RULE_THROTTLE_POWER_BRAKE, SMI_THROTTLE_US_HW_BRAKE, ""},
                  {SMI_RULE_THROTTLE_POWER_CAP, SMI_THROTTLE_US_SW_POWER, ""},
                  {SMI_RULE_THROTTLE_POWER_CAP, SMI_POWER_VIOL, ""},
                  {SMI_RULE_THROTTLE_SYNC_BOOST, SMI_THROTTLE_US_SYNC, ""}};

/* A metric as a share of time: counters count from the first row to the last, gaps as well. */
static struct smi_value violated(const struct smi_gpu *g, unsigned metric)
{
    const struct smi_stats *x = smi_gpu_stats(g, metric);
    int64_t ms = g->covered_ms + g->gap_ms;
    struct smi_value v = {0, false};
    if (!x || x->count < SMI_RULE_SAMPLES)
        return v;
    if (smi_metrics[metric].kind != SMI_COUNTER)
        v = x->mean;
    else if (x->increase.has)
        v = smi_value_ratio(x->increase.micro / 10, ms); /* us in millionths to 100 ms */
    if (metric == SMI_THERMAL_VIOL)
        v.micro = v.micro < 1000000 ? v.micro * 100 : 100000000;
    v.micro = v.micro < 100000000 ? v.micro : 100000000;
    return v;
}

/* 5 %: as gates on throttling are set. The power limit holds at full load: a quarter of the time is worth a
 * word. The hardware slowdown is set with each of its causes, and tells nothing where one of them is known.
 */
CHECK(throttle)
{
    (void)j;
    const struct smi_gpu_condition *c = NULL;
    bool reason = false; /* the log has the rule's own; else what stands for it counts, whichever says most */
    int64_t ms = 0;
    for (size_t i = 0; i < d->gpu->throttles && !reason; i++) {
        const struct smi_throttle *t = &d->gpu->throttle[i];
        if (strcmp(smi_conditions[t->condition].rule, smi_rules[d->f.rule].key) != 0)
            continue;
        reason = true;
        d->f.value = t->pct;
        ms = t->active_ms;
        c = condition_of(d->gpu, (enum smi_rule_id)d->f.rule);
    }
    d->more = "";
    for (size_t i = 0; i < sizeof violations / sizeof *violations; i++) {
        struct smi_value v = {0, false};
        if ((int)violations[i].rule != d->f.rule)
            continue;
        if (!reason)
            v = violated(d->gpu, violations[i].metric);
        if (reason ? !*d->more : v.has && (!d->f.value.has || v.micro > d->f.value.micro))
            d->more = violations[i].more;
        if (v.has && (!d->f.value.has || v.micro > d->f.value.micro)) {
            d->f.value = v;
            ms = (int64_t)smi_i128_div((smi_i128)d->gpu->covered_ms * v.micro, 100000000);
        }
    }
    d->f.seconds = smi_value_of(ms * 1000);
    d->f.has_from = false;
    if (c)
        set_stretches(&d->f, c);
    d->f.gpu_ms = ms;
    d->held = c && c->longest_ms >= HELD_MS;
    return true;
}

enum { AT_WORK = 50 /* %: utilisation of a GPU whose clocks should be up; no board draws 2 W then */ };

/* Boards at their power limit run at 60 to 75 % of the highest clock; below that something else holds them.
 * By the median of a GPU that works most of the time, or by a stretch. A reason of throttling that is a
 * finding explains it. */
CHECK(clocks_low)
{
    const struct smi_stats *most = smi_gpu_stats(d->gpu, SMI_CLK_MAX_SM);
    const struct smi_gpu_condition *c = condition_of(d->gpu, SMI_RULE_CLOCKS_LOW);
    struct smi_value clock = smi_median_at_work(d->gpu, SMI_CLK_SM, AT_WORK);
    if (!most || most->max.micro <= 0 || has_finding(j, THROTTLES, d->gpu, c))
        return false;
    d->f.value = smi_value_percent(clock.micro, clock.has ? most->max.micro : 0);
    if (c && (c->longest_ms >= HELD_MS || (breaks_limit(j, &d->f) && c->ms * 4 >= d->gpu->covered_ms))) {
        set_stretches(&d->f, c);
        d->f.gpu_ms = c->ms < d->gpu->covered_ms ? c->ms : d->gpu->covered_ms; /* no gap is time of a GPU */
        clock = c->mean;
        d->f.value = smi_value_percent(clock.micro, most->max.micro);
    }
    d->more = TEXT(", %lld of %lld MHz", (long long)(clock.micro / 1000000),
                   (long long)(most->max.micro / 1000000));
    return true;
}

static int by_micro(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

struct smi_value smi_median_at_work(const struct smi_gpu *g, unsigned metric, int busy)
{
    const struct smi_stats *use = smi_gpu_stats(g, SMI_GPU_UTIL), *x = smi_gpu_stats(g, metric);
    if (!use || !x || g->pooled || use->count < SMI_RULE_SAMPLES || use->p[2].micro < busy * (int64_t)1000000)
        return (struct smi_value){0, false};
    return x->p[3];
}

/* A metric of another GPU: its median under full load, of the same model; or (loaded: false) its mean over
 * time if it worked. */
static struct smi_value of_peer(const struct smi_gpu *g, const struct smi_gpu *o, unsigned metric,
                                bool loaded)
{
    const bool alike = !loaded || !g->name || !o->name || strcmp(g->name, o->name) == 0;
    if (!alike || o->pooled || !(loaded || o->worked))
        return (struct smi_value){0, false};
    return loaded ? smi_median_at_work(o, metric, SMI_FULL_LOAD) : metric_mean(o, metric);
}

struct smi_value smi_peers_median(const struct smi_summary *s, const struct smi_gpu *g, unsigned metric,
                                  bool loaded, struct smi_value *top)
{
    int64_t *list = smi_mem_new(s->ngpus, sizeof *list);
    struct smi_value median = {0, false};
    size_t n = 0;
    SMI_EACH_GPU (o, s) {
        const struct smi_value v = of_peer(g, o, metric, loaded);
        if (o != g && v.has)
            list[n++] = v.micro;
    }
    smi_sort(list, n, sizeof *list, by_micro);
    if (n)
        median = smi_value_of(list[(n - 1) / 2]);
    if (top && n > 1)
        *top = smi_value_of(list[n - 1]);
    smi_mem_free(list);
    return median;
}

/* 85 %: boards of one model, at the same load, differ by some percent. Power and temperature may be those of
 * other work: they only go with a clock or a limit that differs. */
CHECK(slow_gpu)
{
    static const struct {
        uint16_t metric;
        const char *name; /* NULL: it is no reason for a finding */
    } of[] = {{SMI_CLK_SM, "SM clock"},
              {SMI_POWER_LIMIT_ENFORCED, "power limit"},
              {SMI_POWER_LIMIT, "power limit"},
              {SMI_POWER, NULL},
              {SMI_TEMP_GPU, NULL}};
    bool clock = false;
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        const struct smi_value own = smi_median_at_work(d->gpu, of[i].metric, SMI_FULL_LOAD);
        struct smi_value peers = {0, false}, share;
        if (own.has && !j->renumbered)
            peers = smi_peers_median(j->s, d->gpu, of[i].metric, true, NULL);
        if (!peers.has || peers.micro <= 0)
            continue;
        if (!of[i].name) {
            d->more = d->f.value.has
                          ? TEXT("%s, %lld beside %lld %s", d->more, (long long)(own.micro / 1000000),
                                 (long long)(peers.micro / 1000000), smi_metrics[of[i].metric].unit)
                          : d->more;
            continue;
        }
        share = smi_value_percent(own.micro, peers.micro);
        if (d->f.value.has && share.micro >= d->f.value.micro)
            continue;
        d->f.value = share;
        clock = i == 0;
        d->more = TEXT("%s, %lld of %lld %s", of[i].name, (long long)(own.micro / 1000000),
                       (long long)(peers.micro / 1000000), smi_metrics[of[i].metric].unit);
    }
    if (clock && d->gpu->slow.n)
        set_stretches(&d->f, &d->gpu->slow);
    return true;
}

enum { LINK_MS = 60000 /* a link that is slow for less changes its speed */ };

/* Its mean over the longest stretch in which the link was slow; where no time is known, the median at work.
 */
static struct smi_value slow_link(const struct smi_gpu *g, const struct smi_gpu_condition *c, unsigned metric)
{
    if (!c)
        return smi_median_at_work(g, metric, AT_WORK);
    return c->longest_ms >= LINK_MS ? c->mean : (struct smi_value){0, false};
}

/* A link rests at generation 1 while its GPU does. Each generation doubles the speed of a lane. Of generation
 * and width that were low at different times the one that was for longer tells. */
CHECK(pcie_degraded)
{
    const struct smi_gpu *g = d->gpu;
    const struct smi_gpu_condition *most = condition_of(g, SMI_RULE_PCIE_DEGRADED),
                                   *old = most ? &g->condition[SMI_CONDITION_PCIE_GEN] : NULL,
                                   *thin = most ? &g->condition[SMI_CONDITION_PCIE_WIDTH] : NULL;
    const bool both =
        !old || !thin ||
        smi_overlap(old->from_ms, old->to_ms, thin->from_ms, thin->to_ms) * 2 >= most->longest_ms;
    const struct smi_value gen = slow_link(g, old, SMI_PCIE_GEN), width = slow_link(g, thin, SMI_PCIE_WIDTH);
    const struct smi_stats *gens = smi_gpu_stats(g, SMI_PCIE_GEN_MAX),
                           *lanes = smi_gpu_stats(g, SMI_PCIE_WIDTH_MAX);
    const char *more = "";
    int64_t share = 100000000;
    if ((both || most == old) && gen.has && gens && gen.micro >= 1000000 && gens->max.micro > gen.micro) {
        share >>= (gens->max.micro - gen.micro + 500000) / 1000000;
        more = TEXT(", generation %s of %s", value_text(j, gen, ""), value_text(j, gens->max, ""));
    }
    if ((both || most == thin) && width.has && lanes && width.micro >= 1000000 &&
        lanes->max.micro > width.micro) {
        share = (int64_t)smi_i128_div((smi_i128)share * width.micro, lanes->max.micro);
        more = TEXT("%s, %s of %s lanes", more, value_text(j, width, ""), value_text(j, lanes->max, ""));
    }
    if (most)
        set_stretches(&d->f, most);
    d->f.value = smi_value_of(share);
    d->more = more;
    return *more;
}

/* ---- metrics that cannot be true ---- */

/* Utilisation is 0 while the power shows work; or another metric is so small while the utilisation does. */
CHECK(zero_metric)
{
    static const struct {
        uint16_t metric;
        int most, use; /* in the metric's unit; % */
        const char *what;
    } row[] = {{SMI_FB_USED, 0, WORKS, "always 0"},  {SMI_POWER, 0, WORKS, "always 0"},
               {SMI_TEMP_GPU, 0, WORKS, "always 0"}, {SMI_CLK_SM, 0, WORKS, "always 0"},
               {SMI_CLK_MEM, 0, WORKS, "always 0"},  {SMI_POWER, 2, AT_WORK, "never above 2 W"}};
    const struct smi_value use = metric_mean(d->gpu, SMI_GPU_UTIL);
    d->f.value = smi_value_of(0);
    if (has_unseen_work(d->gpu))
        d->more = TEXT("%s is always 0 while it draws %s W", smi_metrics[SMI_GPU_UTIL].key,
                       value_text(j, metric_mean(d->gpu, SMI_POWER), ""));
    for (size_t i = 0; i < sizeof row / sizeof *row && use.has && !d->more; i++) {
        const struct smi_stats *x = smi_gpu_stats(d->gpu, row[i].metric);
        if (x && x->count >= SMI_RULE_SAMPLES && x->min.micro >= 0 &&
            x->max.micro <= row[i].most * (int64_t)1000000 && use.micro >= row[i].use * (int64_t)1000000)
            d->more = TEXT("%s is %s at a utilisation of %s over time", smi_metrics[row[i].metric].key,
                           row[i].what, value_text(j, use, "%"));
    }
    return d->more;
}

/* ---- How the GPUs were used, and by what they were held up ---- */

/* ---- low utilisation ---- */

enum { MEMORY_FULL = 90 /* %: a run that needs the whole memory needs the whole card, however busy it is */ };

/* Limits as of jobstats, whose users know them (15 and 25 %). A GPU that never worked is reported as unused.
 */
CHECK(low_util)
{
    struct smi_value memory = memory_share(j->s);
    d->f.value = metric_mean(d->gpu, SMI_GPU_UTIL);
    if (memory.has && memory.micro >= MEMORY_FULL * (int64_t)1000000) {
        d->f.level = SMI_LEVEL_INFO;
        d->f.advice = "nothing to do if it needs all of the memory";
        d->more = ", with its memory full";
    }
    return d->gpu->worked;
}

/* ---- GPUs that are fully used at little power ---- */

/* A condition of GPUs. Those that show it at the same time, for half of the longest stretch at least, are one
 * finding: they wait for each other, or stand in one machine. */
CHECK(condition)
{
    const enum smi_rule_id rule = (enum smi_rule_id)d->f.rule;
    const size_t gpus = smi_summary_count_gpus(j->s);
    const struct smi_gpu_condition **left = smi_arena_new(j->arena, j->s->ngpus + 1, sizeof *left);
    for (size_t i = 0; i < j->s->ngpus; i++)
        left[i] = long_condition(j, rule, &j->s->gpus[i]);
    for (;;) {
        const struct smi_gpu_condition *c;
        const struct smi_gpu *most;
        struct smi_finding_draft all;
        int64_t ms = 0;
        size_t n = 0, top = 0; /* top: shows it longest */
        for (size_t i = 1; i < j->s->ngpus; i++)
            top = left[i] && (!left[top] || left[i]->longest_ms > left[top]->longest_ms) ? i : top;
        if (!left[top])
            return false;
        c = left[top];
        most = &j->s->gpus[top];
        for (size_t i = 0; i < j->s->ngpus; i++) {
            const struct smi_gpu_condition *o = left[i];
            if (!o || (o != c && smi_overlap(c->from_ms, c->to_ms, o->from_ms, o->to_ms) * 2 < c->longest_ms))
                continue;
            ms += o->ms;
            left[i] = NULL;
            n++;
        }
        all = new_finding(j, rule, n == 1 ? most : NULL);
        if (n > 1)
            all.who = n == gpus ? gpus_text(j) : TEXT("%zu of %zu GPUs", n, gpus);
        set_stretches(&all.f, c);
        all.f.gpu_ms = ms;
        if (rule == SMI_RULE_HANG && c->ms * 10 >= (most->known_ms - smi_idle_ms(&most->waste)) * 9 &&
            all.f.level > SMI_LEVEL_WARN)
            all.f.level = SMI_LEVEL_WARN; /* it never was otherwise: work that takes little power, perhaps */
        all.f.value = all.f.seconds;
        if (rule != SMI_RULE_HANG)
            all.more = TEXT("%s on average", value_text(j, c->mean, rule == SMI_RULE_HOT ? "C" : "MiB"));
        else if (power_limit(most).has)
            all.more = TEXT("%s of %s W", value_text(j, c->mean, ""), value_text(j, power_limit(most), ""));
        else
            all.more = TEXT("%s W, otherwise up to %s W", value_text(j, c->mean, ""),
                            value_text(j, smi_gpu_stats(most, SMI_POWER)->p[5], ""));
        add_finding(j, &all);
    }
}

CHECK(power_limit)
{
    const struct smi_gpu *g = d->gpu;
    const struct smi_stats *enforced = smi_gpu_stats(g, SMI_POWER_LIMIT_ENFORCED),
                           *limit = enforced ? enforced : smi_gpu_stats(g, SMI_POWER_LIMIT);
    set_stretches(&d->f, &g->cuts);
    d->f.value = smi_value_percent(g->limit_top - g->limit_least, g->limit_top);
    d->more = TEXT(", %lld of %lld W for %s", (long long)g->limit_least, (long long)g->limit_top,
                   value_text(j, d->f.seconds, "s"));
    d->f.gpu_ms = g->cuts.ms < g->covered_ms ? g->cuts.ms : g->covered_ms;
    if (limit && limit->max.micro < g->limit_top * 1000000 && d->f.level > SMI_LEVEL_INFO) {
        d->f.level = SMI_LEVEL_INFO; /* it never was higher */
        d->f.advice = "nothing to do if somebody set it on purpose";
        d->text = "{gpu}: power limit {value} below the default one{more}";
    }
    return g->cuts.n > 0;
}

enum { BUSY = 90 /* % of utilisation */ };

/* Boards draw 10 to 15 % of their limit when idle, about 20 with a context and full clocks, and 40 and more
 * when they compute: a quarter of the limit is no work that deserves 90 % of utilisation. */
CHECK(busy_waiting)
{
    struct smi_value use = metric_mean(d->gpu, SMI_GPU_UTIL), power = metric_mean(d->gpu, SMI_POWER),
                     most = power_limit(d->gpu);
    if (!use.has || use.micro < BUSY * (int64_t)1000000 || !power.has || power.micro <= 0 || !most.has ||
        long_condition(j, SMI_RULE_HANG, d->gpu))
        return false;
    d->f.value = smi_value_percent(power.micro, most.micro);
    d->more = value_text(j, use, "%");
    return true;
}

/* Points of utilisation, because 5 % beside 10 % is no straggler. What is low anyway was said. One that is
 * far ahead of all others does what they wait for. */
CHECK(straggler)
{
    const struct smi_gpu *g = d->gpu;
    const struct smi_value use = of_peer(g, g, SMI_GPU_UTIL, false);
    struct smi_value rest = {0, false}, top = rest;
    bool alike = true; /* all that worked were read beside it, for as long, and are of its model, if known */
    SMI_EACH_GPU (o, j->s)
        alike &= !o->worked || (rule_applies(j, SMI_RULE_STRAGGLER, o) &&
                                (!g->name || !o->name || strcmp(g->name, o->name) == 0) &&
                                smi_overlap(g->first_ms, g->last_ms, o->first_ms, o->last_ms) * 2 >=
                                    g->last_ms - g->first_ms);
    if (use.has && !j->renumbered)
        rest = smi_peers_median(j->s, g, SMI_GPU_UTIL, false, &top);
    d->f.value = (struct smi_value){rest.micro - use.micro, rest.has};
    if (top.has && use.micro - top.micro >= d->f.limit.micro && alike && /* of two others at least */
        !has_finding(j, smi_rules[SMI_RULE_STRAGGLER].unless | SMI_RULE_BIT(START) | SMI_RULE_BIT(END), NULL,
                     NULL)) {
        d->f.value.micro = -d->f.value.micro;
        d->text = "{gpu} is {value} above the other GPUs{more}";
        d->note = "{gpu} ahead";
    }
    d->more = TEXT(" (%s over time, they %s)", value_text(j, use, "%"), value_text(j, rest, "%"));
    return true;
}

/* ---- the host ---- */

/* All CPUs busy are no harm where the GPUs are busy too. */
CHECK(cpu)
{
    const struct smi_stats *idle = smi_host_stats(j->s, SMI_CPU_IDLE),
                           *busy = smi_host_stats(j->s, SMI_CPU_PCT);
    const struct smi_headline_sum *use = &j->s->block.pool[smi_headline_slot(SMI_GPU_UTIL)];
    struct smi_value gpu = smi_value_ratio(use->sum, use->n);
    if (idle && idle->mean.has && idle->count >= SMI_RULE_SAMPLES)
        d->f.value = smi_value_of(100000000 - idle->mean.micro);
    else if (busy && busy->count >= SMI_RULE_SAMPLES)
        d->f.value = busy->mean;
    d->more = TEXT(", while the GPUs were at %s", value_text(j, gpu, "%"));
    return gpu.has && gpu.micro < BUSY * (int64_t)1000000;
}

/* ---- Phases in which programs are compiled, told by their names: users write them as they like ---- */

static const char *const compile_words[] = {"compile",     "compiles",      "compiled",   "compiling",
                                            "compiler",    "compilation",   "precompile", "recompile",
                                            "recompiling", "recompilation", "jit",        "autotune",
                                            "autotuned",   "autotuning",    "warmup",     NULL};

/* Does a word end between a and b? "jit_fit", "jitFit", "JITFit", "fit2": names are cut where their writer
 * cut them. */
static bool is_word_edge(char before, char at, char next)
{
    const unsigned char a = (unsigned char)before, b = (unsigned char)at, behind = (unsigned char)next;
    if (!isalpha(a) || !isalpha(b))
        return a < 0x80 && b < 0x80;
    return (islower(a) && isupper(b)) || (isupper(a) && isupper(b) && islower(behind));
}

/* Is a whole word of the name one of ours? A warmup may be that of the learning rate too: its letters have to
 * be all of the name. */
static bool name_means_compiling(const char *name)
{
    static const char warmup[] = "warmup";
    size_t n = 0;
    for (const char *p = name; *p; p++)
        if ((unsigned char)*p >= 0x80 || isalpha((unsigned char)*p))
            n = n < sizeof warmup - 1 && tolower((unsigned char)*p) == warmup[n] ? n + 1 : sizeof warmup;
    for (const char *const *w = compile_words; w[1]; w++) /* the last one is warmup */
        for (const char *at = name; (at = strcasestr(at, *w)); at++) {
            const char *end = at + strlen(*w);
            if ((at == name || is_word_edge(at[-1], at[0], at[1])) &&
                (!*end || is_word_edge(end[-1], end[0], end[1])))
                return true;
        }
    return n == sizeof warmup - 1;
}

/* A fifth of a run is more than a start: shapes that change, or a cache that is missing. */
CHECK(compile)
{
    const struct smi_summary *s = j->s;
    for (size_t i = 0; i < s->nphases && s->duration_s.has && s->duration_s.micro > 0; i++) {
        const struct smi_phase_summary *p = &s->phases[i];
        struct smi_finding_draft one;
        one = *d;
        one.f.value = smi_value_percent(p->seconds.micro, s->duration_s.micro);
        if (!p->seconds.has || !breaks_limit(j, &one.f) || !name_means_compiling(p->name))
            continue;
        one.f.gpu_ms = (int64_t)smi_i128_div((smi_i128)s->covered_ms * p->seconds.micro, s->duration_s.micro);
        one.f.seconds = p->seconds;
        one.f.has_from = false;
        one.f.phase = p->name;
        add_finding(j, &one);
    }
    return false;
}

/* ---- Errors of GPUs and of the driver, and logs with holes or with few readings ---- */

#define SMI_FAULT(id, name, words, grave, rule) SMI_RULE_##rule,
static const enum smi_rule_id rule_of[SMI_FAULT_COUNT] = {
#include "model/fault.def"
};
#undef SMI_FAULT

/* About all GPU time of the GPU; where it is not known which, of the run. */
CHECK(error)
{
    const enum smi_rule_id rule = (enum smi_rule_id)d->f.rule;
    const int last = SMI_RECOVERY_ACTIONS - 1;
    const char *at;
    bool on;
    for (size_t i = 0; i < j->s->nerrors; i++) {
        const struct smi_error *e = &j->s->errors[i];
        const struct smi_gpu *g = NULL;
        struct smi_finding_draft one;
        if (rule_of[e->id] != rule)
            continue;
        for (size_t k = 0; k < j->s->ngpus && !g; k++)
            g = smi_gpu_has_error(&j->s->gpus[k], e) ? &j->s->gpus[k] : NULL;
        one = new_finding(j, rule, g);
        one.f.gpu = e->gpu;
        if (rule == SMI_RULE_MEMORY_REPAIRED && e->id != SMI_FAULT_REMAP_PENDING &&
            e->id != SMI_FAULT_RETIRE_PENDING)
            one.f.advice = "nothing to do: it is repaired";
        one.f.value = smi_value_of(e->n < INT64_MAX / 1000000 ? e->n * 1000000 : INT64_MAX);
        one.f.has_from = e->has_first;
        one.f.from_ms = e->first_ms;
        one.f.seconds = (struct smi_value){(e->last_ms - e->first_ms) * 1000, e->has_first && e->has_last};
        if (!g)
            one.who = e->gpu >= 0 ? TEXT("GPU %d", e->gpu) : bus_text(j, e->bus);
        on = e->n > 1 && (rule == SMI_RULE_ECC_UNCORRECTED || rule == SMI_RULE_ECC_CORRECTED);
        at = e->has_first && j->s->has_start ? TEXT(on ? " from %s on" : " at %s", time_text(j, e->first_ms))
                                             : "";
        one.more = rule == SMI_RULE_XID               ? TEXT("XID %lld%s", (long long)e->code, at)
                   : rule == SMI_RULE_MEMORY_REPAIRED ? TEXT("%s%s", smi_faults[e->id].words, at)
                   : rule == SMI_RULE_RECOVERY
                       ? TEXT(": %s", smi_recovery_actions[e->code > 0 && e->code < last ? e->code : last])
                       : at;
        add_finding(j, &one);
    }
    return false;
}

/* ---- logs ---- */

/* Was g read while o was? GPUs that were used one after the other did not vanish. */
static bool were_read_together(const struct smi_gpu *g, const struct smi_gpu *o)
{
    return g != o && !g->pooled && !o->pooled && g->has_span && o->has_span &&
           smi_overlap(g->first_ms, g->last_ms, o->first_ms, o->last_ms) > 0;
}

/* Of more than ten intervals, by the median of the one that was read more rarely. */
static bool is_long(const struct smi_gpu *g, const struct smi_gpu *o, int64_t ms)
{
    return ms * 1000 > 10 * (g->interval_s.has ? g->interval_s.micro : 0) &&
           ms * 1000 > 10 * (o->interval_s.has ? o->interval_s.micro : 0);
}

/* Was another GPU read during the longest interval of g? A logger that stands still reads none. */
static bool was_absent_alone(const struct smi_summary *s, const struct smi_gpu *g)
{
    const int64_t from = g->absent_from_ms, to = from + g->absent_ms;
    int64_t missed; /* by the other one, at most: its other gaps may lie anywhere */
    bool alone = false;
    SMI_EACH_GPU (o, s) {
        if (!were_read_together(g, o) || !is_long(g, o, g->absent_ms))
            continue;
        missed = smi_overlap(from, to, o->absent_from_ms, o->absent_from_ms + o->absent_ms) +
                 (o->gap_ms > o->absent_ms ? o->gap_ms - o->absent_ms : 0);
        alone |=
            smi_overlap(from, to, o->first_ms, o->last_ms) * 2 > g->absent_ms && missed * 2 < g->absent_ms;
    }
    return alone;
}

/* nvidia-smi numbers the GPUs that are left from 0: of a log that has indexes alone, always the highest of a
 * machine vanishes. The one that is gone may be another, and the readings of an index those of two GPUs. */
static bool may_be_renumbered(const struct smi_summary *s, const struct smi_gpu *g)
{
    SMI_EACH_GPU (o, s) {
        const bool there =
            !o->serial || !g->serial ? o->serial == g->serial : strcmp(o->serial, g->serial) == 0;
        if (o->uuid || o->bus || (o->serial && !smi_gpu_has_machine(o)) ||
            (there && o->index > g->index && o->samples > g->samples))
            return false;
    }
    return g->index > 0 && !s->chosen;
}

/* When a GPU was not read while others were: before its first reading, in its longest gap, after its last. */
CHECK(vanished)
{
    (void)d;
    SMI_EACH_GPU (g, j->s) {
        int64_t before = 0, after = 0;
        const bool known = !may_be_renumbered(j->s, g);
        const int64_t step =
            g->interval_s.has ? g->interval_s.micro / 1000 : 0; /* to the first poll that lacked it */
        SMI_EACH_GPU (o, j->s) {
            const bool both = were_read_together(g, o);
            if (both && is_long(g, o, o->last_ms - g->last_ms) && o->last_ms - g->last_ms > after)
                after = o->last_ms - g->last_ms;
            if (both && is_long(g, o, g->first_ms - o->first_ms) && g->first_ms - o->first_ms > before)
                before = g->first_ms - o->first_ms;
        }
        const struct {
            int64_t from, ms, at; /* what is told as the time */
            const char *fmt;
        } part[] = {{g->first_ms - before, before, g->first_ms, "first reading %s, %s after the others'"},
                    {g->absent_from_ms + step, was_absent_alone(j->s, g) ? g->absent_ms - step : 0,
                     g->absent_from_ms + step, "absent from %s for %s while others were read"},
                    {g->last_ms, after, g->last_ms, "last reading %s, %s before the others'"}};
        for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
            struct smi_finding_draft one = new_finding(j, SMI_RULE_GPU_VANISHED, known ? g : NULL);
            if (!part[i].ms)
                continue;
            one.f.value = one.f.seconds = smi_value_of(part[i].ms * 1000);
            one.f.has_from = true;
            one.f.from_ms = part[i].from;
            one.f.gpu_ms = part[i].ms;
            one.more = TEXT(part[i].fmt, time_text(j, part[i].at), value_text(j, one.f.value, "s"));
            if (!known) {
                one.who = "a GPU";
                one.more = TEXT("index %d, %s; the log has indexes alone, so another GPU may be gone, and "
                                "the indexes moved",
                                g->index, one.more);
            }
            add_finding(j, &one);
        }
    }
    return false;
}

/* Of the GPU that lacks most, less the time in which it alone lacked. A hundredth of the time: hiccups of a
 * logger are less. */
CHECK(gaps)
{
    const struct smi_gpu *most = NULL;
    int64_t lacks = 0, gaps = 0;
    bool others = false; /* one that was read at the same time has less than half of its gaps */
    d->f.gpu_ms = 0;
    SMI_EACH_GPU (g, j->s) {
        const bool alone = g->gaps > 0 && was_absent_alone(j->s, g);
        const int64_t ms = g->gap_ms - (alone ? g->absent_ms : 0);
        d->f.gpu_ms += ms;
        if (g->gaps > alone && rule_applies(j, (enum smi_rule_id)d->f.rule, g) && (!most || ms > lacks)) {
            most = g;
            lacks = ms;
            gaps = g->gaps - alone;
        }
    }
    if (!most)
        return false;
    d->f.value = smi_value_percent(lacks, (smi_i128)most->covered_ms + lacks);
    d->f.seconds = smi_value_of(lacks * 1000);
    d->f.has_from = false;
    d->more = TEXT(gaps == 1 ? ", %s in %lld gap" : ", %s in %lld gaps", value_text(j, d->f.seconds, "s"),
                   (long long)gaps);
    SMI_EACH_GPU (o, j->s)
        others |= were_read_together(most, o) && o->gap_ms * 2 < most->gap_ms &&
                  smi_overlap(most->first_ms, most->last_ms, o->first_ms, o->last_ms) * 2 >
                      most->last_ms - most->first_ms;
    if (others) {
        d->more = TEXT("%s of %s, while others were read", d->more, gpu_text(j, most));
        d->f.advice = j->rule[SMI_RULE_GPU_VANISHED].advice;
    }
    return true;
}

/* More than 15 s: the usual trackers of experiments read every 2 to 15 s. */
CHECK(slow_sampling)
{
    SMI_EACH_GPU (g, j->s)
        if (rule_applies(j, (enum smi_rule_id)d->f.rule, g) && g->interval_s.has &&
            (!d->f.value.has || g->interval_s.micro > d->f.value.micro))
            d->f.value = g->interval_s;
    return true;
}

/* ---- the table, and a file that changes it ---- */

#define SMI_RULE(id, ...) [SMI_RULE_##id] = {__VA_ARGS__},
const struct smi_rule smi_rules[SMI_RULES] = {
#include "summary/rule.def"
};
#undef SMI_RULE

void smi_rule_text(struct smi_buf *to, const char *text, const struct smi_rule_word *word, size_t n)
{
    smi_buf_clear(to);
    smi_buf_str(to, "");
    for (size_t i; *text;) {
        for (i = 0; i < n && strncmp(text, word[i].key, strlen(word[i].key)); i++)
            ;
        if (i == n) {
            smi_buf_char(to, *text++);
            continue;
        }
        smi_buf_str(to, word[i].text);
        text += strlen(word[i].key);
    }
}

int smi_rule_find(const char *key)
{
    for (int i = 0; i < SMI_RULE_COUNT; i++)
        if (strcmp(smi_rules[i].key, key) == 0)
            return i;
    return -1;
}

/* What of a rule can be set: a number of at least `least` millionths that is a multiple of `unit`, and stands
 * in the rule in units; or (least -1) one of smi_level_names. */
struct setting {
    const char *name;
    size_t at; /* of the int64_t in struct smi_rule */
    int64_t unit, least, most;
    const char *wrong; /* why another value is refused */
};

/* The rules that an object of the file changes. */
struct rule_file {
    const char *path, *kind;       /* of --rules; "rule", "alert": of which `smilog list KINDs` has them */
    const struct setting *setting; /* the first one is its limit, or SMI_LIMIT_NONE; */
    size_t settings;
    struct smi_rule *rule;
    size_t rules;
    struct smi_err *err;
};

/* The place of a word in a list of things that begin with their name, `size` bytes each; n, with err: it is
 * none: "--rules FILE: there is no WHAT "word"; did you mean NEAR?" */
static size_t find_name(const struct rule_file *f, const char *what, const char *word, const void *list,
                        size_t size, size_t n)
{
    const char *near = smi_text_nearest(word, list, size, n);
    for (size_t i = 0; i < n; i++)
        if (strcmp(*(const char *const *)((const char *)list + i * size), word) == 0)
            return i;
    smi_err_set(f->err, SMI_EUSAGE, "--rules %.200s: there is no %s \"%.60s\"; %s %s%s", f->path, what, word,
                near ? "did you mean" : "see smilog list", near ? near : f->kind, near ? "?" : "s");
    return n;
}

/* "--rules FILE: alert idle: what". Returns -1. */
static int refuse_setting(const struct rule_file *f, const struct smi_rule *r, const char *what)
{
    return smi_err_set(f->err, SMI_EUSAGE, "--rules %.200s: %s%s: %s", f->path, r->word ? "alert " : "",
                       r->key, what);
}

static int set_one(const struct rule_file *f, struct smi_rule *r, const struct setting *s, const json_t *v)
{
    enum { LEVELS = SMI_LEVEL_ERROR + 1 };
    const char *word = json_string_value(v);
    int64_t *to = (int64_t *)((char *)r + s->at), micro;
    if (s->least < 0 && word) {
        const size_t i = find_name(f, "level", word, smi_level_names, sizeof word, LEVELS);
        r->level = (enum smi_level)i;
        return i == LEVELS ? -1 : 0;
    }
    if (s->least >= 0 && *to == SMI_LIMIT_NONE)
        return refuse_setting(f, r,
                              s != f->setting            ? "has no limit of single readings"
                              : strcmp(r->key, "unused") ? "has no limit"
                                                         : "its limit is that of --idle-below");
    if (!smi_json_number(v, &micro) || micro < s->least || micro > s->most || micro % s->unit)
        return refuse_setting(f, r, s->wrong);
    if (s == f->setting && strcmp(r->unit, "%") == 0 && micro > 100 * (int64_t)1000000)
        return refuse_setting(f, r,
                              s->least ? "the limit is a percentage: above 0, to 100"
                                       : "the limit is a percentage: 0 to 100");
    *to = micro / s->unit;
    return 0;
}

static int set_rule(const struct rule_file *f, struct smi_rule *r, json_t *v)
{
    const char *key;
    char text[120] = "needs a number (its limit), false, or an object of ";
    json_t *value;
    if (json_is_boolean(v)) {
        r->off = !json_is_true(v);
        return 0;
    }
    if (json_is_number(v))
        return set_one(f, r, f->setting, v);
    for (size_t i = 0; i < f->settings; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), i ? ", %s" : "%s", f->setting[i].name);
    if (!json_is_object(v))
        return refuse_setting(f, r, text);
    json_object_foreach (v, key, value) {
        const size_t i = find_name(f, "setting", key, f->setting, sizeof *f->setting, f->settings);
        if (i == f->settings || set_one(f, r, &f->setting[i], value))
            return -1;
    }
    return 0;
}

/* Takes over what the object says; a member named "alerts" is not of it. */
static int apply_rules(const struct rule_file *f, json_t *object)
{
    const char *key;
    json_t *v;
    json_object_foreach (object, key, v) {
        if (strcmp(key, "alerts") == 0)
            continue;
        const size_t i = find_name(f, f->kind, key, f->rule, sizeof *f->rule, f->rules);
        if (i == f->rules || set_rule(f, &f->rule[i], v))
            return -1;
    }
    return 0;
}

/* ---- limits of single readings ---- */

static struct smi_condition_term *last_term(struct smi_condition *c)
{
    return &c->term[c->terms - 1];
}

/* Is the condition one of a rule, and about readings that are more than a flag? */
static bool is_condition_of(int k, const struct smi_rule *r)
{
    return strcmp(smi_conditions[k].rule, r->key) == 0 && k >= SMI_THROTTLE_COUNT;
}

/* The term of which an alert has the limit, or NULL. */
static struct smi_condition_term *alert_term(const struct smi_rule *r, struct smi_condition *conditions)
{
    const bool lasts = r->condition == SMI_CONDITIONS || strcmp(r->unit, "s") == 0;
    return lasts ? NULL : last_term(&conditions[r->condition]);
}

void smi_rules_limit_alerts(const struct smi_rule_table *t, struct smi_condition *conditions)
{
    memcpy(conditions, t->condition, SMI_CONDITION_COUNT * sizeof *conditions);
    for (const struct smi_rule *r = t->rule + SMI_RULE_COUNT; r < t->rule + SMI_RULES; r++)
        if (alert_term(r, conditions))
            alert_term(r, conditions)->limit = r->limit;
}

int smi_rules_load(struct smi_rule_table *t, const char *path, struct smi_err *err)
{
    enum { LONGEST_S = 7 * 86400 };
    static const char seconds[] = "on_s and off_s are seconds, up to a week";
    static const struct setting
        settings[] = {{"limit", offsetof(struct smi_rule, limit), 1, 0, INT64_MAX,
                       "the limit has to be a number that is not negative"},
                      {"level", offsetof(struct smi_rule, level), 1, -1, 0,
                       "the level is one of \"info\", \"warn\", \"strong\", \"error\""},
                      {"least_s", offsetof(struct smi_rule, least_s), 1000000, 0,
                       (int64_t)INT32_MAX * 1000000, "least_s has to be a whole number of seconds"},
                      {"at", offsetof(struct smi_rule, at), 1000000, 1, (int64_t)INT32_MAX * 1000000,
                       "at has to be a whole number above 0"}},
        of_alerts[] = {
            {"limit", offsetof(struct smi_rule, limit), 1, 1, INT64_MAX,
             "the limit has to be a number above 0"},
            {"on_s", offsetof(struct smi_rule, on_ms), 1000, 0, (int64_t)LONGEST_S * 1000000, seconds},
            {"off_s", offsetof(struct smi_rule, off_ms), 1000, 0, (int64_t)LONGEST_S * 1000000, seconds}};
    const struct rule_file f = {path,    "rule",         settings, sizeof settings / sizeof *settings,
                                t->rule, SMI_RULE_COUNT, err},
                           g = {path,
                                "alert",
                                of_alerts,
                                sizeof of_alerts / sizeof *of_alerts,
                                t->rule + SMI_RULE_COUNT,
                                SMI_RULES - SMI_RULE_COUNT,
                                err};
    json_t *object = NULL, *alerts;
    int rc = path ? smi_json_load_file("--rules", path, &object, err) : 0;
    memcpy(t->rule, smi_rules, sizeof smi_rules);
    memcpy(t->condition, smi_conditions, sizeof smi_conditions);
    for (struct smi_rule *r = t->rule; r < t->rule + SMI_RULES; r++) {
        r->at = SMI_LIMIT_NONE;
        for (int k = 0; k < SMI_CONDITION_COUNT && !r->word; k++)
            r->at = is_condition_of(k, r) ? last_term(&t->condition[k])->limit / 1000000 : r->at;
    }
    rc = rc || !object ? rc : apply_rules(&f, object);
    for (const struct smi_rule *r = t->rule; r < t->rule + SMI_RULE_COUNT; r++)
        for (int k = 0; k < SMI_CONDITION_COUNT; k++)
            if (is_condition_of(k, r))
                last_term(&t->condition[k])->limit = r->at * 1000000;
    for (struct smi_rule *r = t->rule + SMI_RULE_COUNT; r < t->rule + SMI_RULES; r++)
        r->limit = alert_term(r, t->condition) ? alert_term(r, t->condition)->limit : r->limit;
    if (t->rule[SMI_RULE_MEMORY_NEAR_FULL].limit > 0) /* an alert that always holds tells nothing */
        t->rule[SMI_RULE_ALERT_MEMORY].limit = t->rule[SMI_RULE_MEMORY_NEAR_FULL].limit;
    alerts = rc ? NULL : json_object_get(object, "alerts");
    if (alerts && !json_is_object(alerts))
        rc = smi_err_set(err, SMI_EUSAGE,
                         "--rules %.200s: \"alerts\" has to be an object; see smilog list alerts", path);
    else if (alerts)
        rc = apply_rules(&g, alerts);
    json_decref(object);
    return rc;
}

/* ---- the findings of a run ---- */

static void evaluate_rule(struct smi_rule_check *j, enum smi_rule_id rule)
{
    const bool each = j->rule[rule].scope == SMI_SCOPE_GPU;
    for (size_t k = 0; k < (each ? j->s->ngpus : 1); k++) {
        const struct smi_gpu *g = each ? &j->s->gpus[k] : NULL;
        struct smi_finding_draft d;
        if (!rule_applies(j, rule, g) || has_finding(j, smi_rules[rule].unless, g, NULL))
            continue;
        d = new_finding(j, rule, g);
        if (j->rule[rule].check(j, &d))
            add_finding(j, &d);
    }
}

/* What the numbers of a run lack, by enum smi_quality_reason. What is a rule, too, is judged by the limit of
 * the table, however short the run is: whether numbers are complete does not depend on --rules. */
static unsigned find_lacks(const struct smi_summary *s, struct smi_arena *arena)
{
    struct smi_rule_check j = {.s = s, .rule = smi_rules, .arena = arena, .any_length = true};
    int64_t rows = 0, pooled = 0, known_ms = 0, lines = 0, lost = 0;
    int lacks = (s->energy_part ? 1 << SMI_QUALITY_ENERGY : 0) | !smi_run_has_gpu_data(s)
                                                                     << SMI_QUALITY_NO_DATA;
    for (enum smi_rule_id rule = 0; rule < SMI_RULE_COUNT; rule++)
        if (smi_rules[rule].lacks)
            evaluate_rule(&j, rule);
    for (size_t i = 0; i < j.n; i++)
        lacks |= smi_rules[j.list[i].rule].lacks |
                 (j.list[i].rule == SMI_RULE_GPU_VANISHED && j.list[i].place < 0) << SMI_QUALITY_RENUMBERED;
    smi_mem_free(j.list);
    SMI_EACH_GPU (g, s) {
        rows += g->samples;
        pooled += g->pooled ? g->samples : 0;
        known_ms += g->known_ms;
        lacks |= g->counter_differs << SMI_QUALITY_COUNTER;
    }
    for (size_t i = 0; i < s->ninputs; i++) {
        const struct smi_account *a = &s->inputs[i].account;
        lost += smi_account_rejected(a) - a->rejected[SMI_REJECT_FOREIGN] - a->rejected[SMI_REJECT_TORN_TAIL];
        lines += a->rows;
        lacks |= (a->out_of_range > 0) << SMI_QUALITY_IMPOSSIBLE;
    }
    lacks |= (lost * 100 > lines + lost) << SMI_QUALITY_REJECTED;
    lacks |= (s->unread > SMI_READ) << SMI_QUALITY_UNREAD;
    lacks |= (pooled * 100 > rows) << SMI_QUALITY_POOLED; /* a stray row is no doubt */
    lacks |= (rows > 1 && s->covered_ms == 0) << SMI_QUALITY_TIMES;
    lacks |= (known_ms * 100 < s->covered_ms * 99) << SMI_QUALITY_USE;
    return (unsigned)lacks;
}

void smi_findings_evaluate(struct smi_summary *s, const struct smi_rule *rules)
{
    struct smi_rule_check j = {.s = s, .rule = rules ? rules : smi_rules, .arena = &s->arena};
    struct smi_finding *list;
    s->lacks = find_lacks(s, &s->arena);
    j.renumbered = s->lacks >> SMI_QUALITY_RENUMBERED & 1;
    s->judged = false; /* it is, if any GPU is long enough for any rule of readings */
    for (enum smi_rule_id rule = 0; rule < SMI_RULE_COUNT; rule++) {
        s->judged |= smi_rules[rule].least_s && rule_applies(&j, rule, NULL);
        evaluate_rule(&j, rule);
    }
    list = smi_arena_new(&s->arena, j.n + 1, sizeof *list);
    if (j.n)
        memcpy(list, j.list, j.n * sizeof *list);
    smi_mem_free(j.list);
    s->findings = list;
    s->nfindings = j.n;
}

const struct smi_finding *smi_findings_worst(const struct smi_summary *s, enum smi_level from)
{
    const struct smi_finding *worst = NULL;
    for (const struct smi_finding *f = s->findings; f && f < s->findings + s->nfindings; f++)
        if (f->level >= from &&
            (!worst || f->level > worst->level || (f->level == worst->level && f->gpu_ms > worst->gpu_ms)))
            worst = f;
    return worst;
}

unsigned smi_findings_marks(const struct smi_summary *s, int place)
{
    unsigned marks = 0;
    for (const struct smi_finding *f = s->findings; f && f < s->findings + s->nfindings; f++)
        if (f->level >= SMI_LEVEL_WARN && (place < 0 || f->place < 0 || f->place == place))
            marks |= smi_rules[f->rule].marks;
    return marks;
}
