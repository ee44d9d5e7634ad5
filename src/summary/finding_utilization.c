/* How the GPUs were used, and by what they were held up. */
#include "summary/finding_check_private.h"

/* ---- low utilisation ---- */

enum { MEMORY_FULL = 90 /* %: a run that needs the whole memory needs the whole card, however busy it is */ };

/* Limits as of jobstats, whose users know them (15 and 25 %). A GPU that never worked is reported as unused.
 */
SMI_RULE_CHECK(low_util)
{
    struct smi_value memory = smi_finding_memory_share(j->s);
    d->f.value = smi_finding_metric_mean(d->gpu, SMI_GPU_UTIL);
    if (memory.has && memory.micro >= MEMORY_FULL * (int64_t)1000000) {
        d->f.level = SMI_LEVEL_INFO;
        d->f.advice = "nothing to do if it needs all of the memory";
        d->more = ", with its memory full";
    }
    return d->gpu->worked && !smi_finding_exists(j, SMI_RULE_VERY_LOW_UTIL, d->gpu);
}

enum { BUSY = 90 /* % of utilisation */ };

/* Boards draw 10 to 15 % of their limit when idle, about 20 with a context and full clocks, and 40 and more
 * when they compute: a quarter of the limit is no work that deserves 90 % of utilisation. */
SMI_RULE_CHECK(busy_waiting)
{
    struct smi_value use = smi_finding_metric_mean(d->gpu, SMI_GPU_UTIL),
                     power = smi_finding_metric_mean(d->gpu, SMI_POWER),
                     most = smi_finding_power_limit(d->gpu);
    if (!use.has || use.micro < BUSY * (int64_t)1000000 || !power.has || power.micro <= 0 || !most.has)
        return false;
    d->f.value = smi_value_ratio((smi_i128)power.micro * 100 * 1000000, most.micro);
    d->more = smi_finding_value_text(j, use, "%");
    return true;
}

/* The mean utilisation of a GPU that worked; else no value. */
static struct smi_value gpu_work(const struct smi_gpu *g)
{
    return g->worked && !g->pooled ? smi_finding_metric_mean(g, SMI_GPU_UTIL) : (struct smi_value){0, false};
}

static int by_micro(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

/* The means of all GPUs that worked, in order; *n of them. */
static const int64_t *list_gpu_work(struct smi_rule_check *j, size_t *n)
{
    int64_t *list = smi_arena_new(j->arena, j->s->ngpus + 1, sizeof *list);
    *n = 0;
    j->failed |= !list;
    for (size_t i = 0; list && i < j->s->ngpus; i++)
        if (gpu_work(&j->s->gpus[i]).has)
            list[(*n)++] = gpu_work(&j->s->gpus[i]).micro;
    smi_sort(list, *n, sizeof *list, by_micro);
    return list;
}

/* The lower median of all but one of them: of n - 1 the place (n - 2) / 2, one further where it comes before.
 */
static int64_t median_of_others(const int64_t *list, size_t n, int64_t but)
{
    size_t place = (n - 2) / 2;
    return but <= list[place] ? list[place + 1] : list[place];
}

/* Points of utilisation, because 5 % beside 10 % is no straggler. What is low anyway was said. */
SMI_RULE_CHECK(straggler)
{
    const enum smi_rule_id rule = (enum smi_rule_id)d->f.rule;
    size_t n;
    const int64_t *list = list_gpu_work(j, &n);
    for (size_t i = 0; i < j->s->ngpus; i++) {
        const struct smi_gpu *g = &j->s->gpus[i];
        struct smi_finding_draft gpu = smi_finding_new(j, rule, g);
        struct smi_value use = gpu_work(g), rest = {0, false};
        if (n > 1 && use.has && smi_rule_applies(j, rule, g) &&
            !smi_finding_exists(j, SMI_RULE_LOW_UTIL, g) && !smi_finding_exists(j, SMI_RULE_VERY_LOW_UTIL, g))
            rest = smi_value_of(median_of_others(list, n, use.micro));
        gpu.f.value = (struct smi_value){rest.micro - use.micro, rest.has};
        if (!smi_finding_breaks_limit(j, &gpu.f))
            continue;
        gpu.more = smi_finding_format(j, " (%s over time, they %s)", smi_finding_value_text(j, use, "%"),
                                      smi_finding_value_text(j, rest, "%"));
        smi_finding_add(j, &gpu);
    }
    return false;
}

/* ---- the host ---- */

static const struct smi_stats *host_stats(const struct smi_summary *s, unsigned metric)
{
    for (size_t i = 0; i < s->nhost; i++)
        if (s->host[i].metric == metric)
            return &s->host[i];
    return NULL;
}

/* All CPUs busy are no harm where the GPUs are busy too. */
SMI_RULE_CHECK(cpu)
{
    const struct smi_stats *idle = host_stats(j->s, SMI_CPU_IDLE), *busy = host_stats(j->s, SMI_CPU_PCT);
    const struct smi_headline_sum *use = &j->s->block.pool[smi_headline_slot(SMI_GPU_UTIL)];
    struct smi_value gpu = smi_value_ratio(use->sum, use->n);
    if (idle && idle->mean.has && idle->count >= SMI_RULE_SAMPLES)
        d->f.value = smi_value_of(100000000 - idle->mean.micro);
    else if (busy && busy->count >= SMI_RULE_SAMPLES)
        d->f.value = busy->mean;
    d->more = smi_finding_format(j, ", while the GPUs were at %s", smi_finding_value_text(j, gpu, "%"));
    return gpu.has && gpu.micro < BUSY * (int64_t)1000000;
}
