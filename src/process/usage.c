#include "process/usage.h"

#include <stdio.h>

const struct smi_usage_unit smi_usage_sizes[SMI_USAGE_SIZES] = {
    {"bytes", 1},
    {"kilobytes", 1000},
    {"megabytes", 1000000},
    {"gigabytes", 1000000000},
    {"terabytes", 1000000000000},
};
const struct smi_usage_unit smi_usage_times[SMI_USAGE_TIMES] = {
    {"seconds", 1000000},
    {"minutes", 60000000},
    {"hours", 3600000000},
    {"days", 86400000000},
};
const struct smi_usage_units smi_usage_default_units = {3, 3, 2};

static int find_unit(const char *option, const char *word, const struct smi_usage_unit *unit, int n,
                     struct smi_err *err)
{
    const char *near;
    char list[128];
    size_t at = 0;
    for (int i = 0; i < n; i++) {
        if (strcmp(word, unit[i].name) == 0)
            return i;
        at += (size_t)snprintf(list + at, sizeof list - at, "%s%s", i ? ", " : "", unit[i].name);
    }
    near = smi_text_nearest(word, unit, sizeof *unit, (size_t)n);
    return smi_err_set(err, SMI_EUSAGE, "%s is one of %s, not \"%.60s\"%s%s%s", option, list, word,
                       near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
}

int smi_usage_size(const char *option, const char *word, struct smi_err *err)
{
    return find_unit(option, word, smi_usage_sizes, SMI_USAGE_SIZES, err);
}

int smi_usage_time(const char *option, const char *word, struct smi_err *err)
{
    return find_unit(option, word, smi_usage_times, SMI_USAGE_TIMES, err);
}

void smi_usage_sample_init(struct smi_usage_sample *s, int64_t wall_us)
{
    *s = (struct smi_usage_sample){
        .wall_us = wall_us, .system_ram = -1, .system_gpu_ram = -1, .system_cpu = -1, .gpu_util_sum = -1};
    for (int p = 0; p < SMI_TREE_PARTS; p++)
        s->gpu_ram[p] = s->cpu[p] = s->threads[p] = -1;
}

void smi_usage_init(struct smi_usage *u)
{
    static const struct smi_usage_mean none = {.max = -1};
    *u = (struct smi_usage){
        .system_ram = -1, .system_gpu_ram = -1, .system_cpu = none, .gpu_util = none, .compute_us = -1};
    for (int p = 0; p < SMI_TREE_PARTS; p++) {
        u->ram[p] = (struct smi_tree_ram){-1, -1, -1};
        u->gpu_ram[p] = u->threads[p] = -1;
        u->cpu[p] = none;
    }
}

static void raise_max(int64_t *max, int64_t v)
{
    *max = v > *max ? v : *max;
}

static void add_to_mean(struct smi_usage_mean *m, int64_t v)
{
    if (v < 0)
        return;
    raise_max(&m->max, v);
    m->sum += v;
    m->n++;
}

void smi_usage_add(struct smi_usage *u, const struct smi_usage_sample *s)
{
    u->samples++;
    for (int p = 0; p < SMI_TREE_PARTS; p++) {
        if (s->has_ram[p]) {
            raise_max(&u->ram[p].total, s->ram[p].total);
            raise_max(&u->ram[p].private_, s->ram[p].private_);
            raise_max(&u->ram[p].shared, s->ram[p].shared);
        }
        raise_max(&u->gpu_ram[p], s->gpu_ram[p]);
        raise_max(&u->threads[p], s->threads[p]);
        add_to_mean(&u->cpu[p], s->cpu[p]);
    }
    raise_max(&u->system_ram, s->system_ram);
    raise_max(&u->system_gpu_ram, s->system_gpu_ram);
    add_to_mean(&u->system_cpu, s->system_cpu);
    add_to_mean(&u->gpu_util, s->gpu_util_sum);
}

void smi_usage_mean_set(struct smi_usage_mean *m, int64_t cpu_us, int64_t span_us)
{
    if (span_us <= 0)
        return;
    m->sum = (smi_i128)cpu_us * 100000000;
    m->n = span_us;
    if (m->max < smi_i128_div(m->sum, span_us)) /* ticks are coarse */
        m->max = (int64_t)smi_i128_div(m->sum, span_us);
}
