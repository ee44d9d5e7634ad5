#include "report/run_groups.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A value as a number, if it is one: 0.1, -3, 1e-4. For the order of rows only. */
static bool param_number(const char *s, double *v)
{
    size_t n = strcspn(s, "eE");
    int64_t micro, power = 0;
    if (smi_text_parse_micro((struct smi_text){s, n}, &micro) != 0)
        return false;
    if (s[n] && smi_text_parse_micro(smi_text_of(s + n + 1), &power) != 0)
        return false;
    *v = (double)micro * pow(10, (double)power / 1e6);
    return true;
}

static int by_order(const void *a, const void *b)
{
    const char *s = *(const char *const *)a, *t = *(const char *const *)b;
    double x, y;
    if (param_number(s, &x) && param_number(t, &y) && (x < y || x > y))
        return x < y ? -1 : 1;
    return smi_text_compare_natural(s, t);
}

/* having: number of runs with a value. */
static size_t values_of(struct smi_text_arena *g, const char *key, const char ***out, size_t *having)
{
    const struct smi_sweep *s = g->sweep;
    const char **text = smi_arena_new(&g->arena, s->n + 1, sizeof *text);
    size_t n = 0, i, kept = 0;
    g->failed |= !text;
    for (i = 0; text && smi_sweep_has_run(s, i); i++) {
        const struct smi_param *p = smi_run_param(&s->runs[i], key);
        if (p && p->text)
            text[n++] = p->text;
    }
    *having = n;
    if (n)
        qsort(text, n, sizeof *text, by_order);
    for (i = 0; i < n; i++)
        if (i == 0 || strcmp(text[kept - 1], text[i]) != 0)
            text[kept++] = text[i];
    *out = text;
    return kept;
}

size_t smi_param_values(struct smi_text_arena *g, const char *key, const char ***out)
{
    size_t having;
    return values_of(g, key, out, &having);
}

bool smi_param_is_rare(struct smi_text_arena *g, const char *key)
{
    size_t having = 0;
    for (size_t i = 0; smi_sweep_has_run(g->sweep, i); i++) {
        const struct smi_param *p = smi_run_param(&g->sweep->runs[i], key);
        having += p && p->text;
    }
    return having * 2 < g->sweep->n;
}

bool smi_param_compares(const struct smi_sweep *s, const char *key)
{
    const char *first = NULL;
    for (size_t i = 0; smi_sweep_has_run(s, i); i++) {
        const struct smi_param *p = smi_run_param(&s->runs[i], key);
        if (!p || !p->text || !smi_run_has_gpu_data(&s->runs[i]))
            continue;
        if (first && strcmp(first, p->text) != 0)
            return true;
        first = p->text;
    }
    return false;
}

size_t smi_param_group_values(struct smi_text_arena *g, const char *key, const char ***out)
{
    size_t having, n = values_of(g, key, out, &having);
    return n > 1 && n <= SMI_GROUP_VALUES_MAX && n * 2 <= having && !smi_param_is_rare(g, key) ? n : 0;
}

int smi_group_by_place(const struct smi_render_options *look, const char *key)
{
    const char *by = look->group_by;
    size_t n = strlen(key);
    for (int place = 0; by; place++) {
        const char *word = strncmp(by, "param.", 6) == 0 ? by + 6 : by;
        if (strncmp(word, key, n) == 0 && (!word[n] || word[n] == ','))
            return place;
        by = strchr(by, ',');
        by = by ? by + 1 : NULL;
    }
    return -1;
}

const int smi_group_measures[SMI_GROUP_MEASURES] = {SMI_RUNS_UTIL, SMI_RUNS_IDLE, SMI_RUNS_TIME,
                                                    SMI_RUNS_ENERGY};

void smi_run_group_add(struct smi_run_group *p, const struct smi_summary *s)
{
    struct smi_value vram = s->vram.used_peak_mb;
    smi_total_add(&p->sum, s);
    p->unknown_ms += smi_unknown_ms(s);
    for (int i = 0; i < SMI_GROUP_MEASURES; i++) {
        struct smi_value v = smi_run_cell_value(smi_group_measures[i], s);
        p->of[i].n += v.has;
        p->of[i].s1 += v.has ? v.micro : 0;
        p->of[i].s2 += v.has ? (smi_i128)v.micro * v.micro : 0;
    }
    if (!vram.has)
        return;
    if (!p->vram.has || vram.micro > p->vram.micro) {
        p->vram = vram;
        p->vram_total = s->vram.total_mb; /* one run's peak is no share of what another's GPU has */
        p->out_of_memory = false;
    }
    p->out_of_memory |= vram.micro == p->vram.micro && (smi_findings_marks(s, -1) & SMI_CELL_VRAM);
}

void smi_run_groups_add(const struct smi_sweep *s, const char *key, struct smi_run_group *group, size_t n)
{
    for (size_t i = 0, k; smi_sweep_has_run(s, i); i++) {
        const struct smi_param *p = smi_run_param(&s->runs[i], key);
        for (k = 0; k < n && !(p && p->text && group[k].value && strcmp(p->text, group[k].value) == 0); k++)
            ;
        smi_run_group_add(&group[k], &s->runs[i]);
    }
}

struct smi_run_group *smi_run_groups(struct smi_text_arena *g, const char *key, const char **value, size_t n)
{
    struct smi_run_group *group = smi_arena_new(&g->arena, n + 1, sizeof *group);
    g->failed |= !group;
    for (size_t i = 0; group && i < n; i++)
        group[i] = (struct smi_run_group){.value = value[i], .name = smi_fmt_safe(g, value[i])};
    if (group)
        smi_run_groups_add(g->sweep, key, group, n);
    return group;
}

/* sqrt(n S2 - S1 S1) is n times the deviation. */
smi_i128 smi_run_group_deviation(const struct smi_run_group *p, int measure)
{
    smi_i128 n = p->of[measure].n, s1 = p->of[measure].s1;
    return (smi_i128)smi_u128_sqrt((smi_u128)(n * p->of[measure].s2 - s1 * s1));
}

static int by_wasted(const void *a, const void *b)
{
    const struct smi_summary *x = *(const struct smi_summary *const *)a,
                             *y = *(const struct smi_summary *const *)b;
    int64_t v = smi_wasted_ms(&x->waste), w = smi_wasted_ms(&y->waste);
    if (v != w)
        return v > w ? -1 : 1;
    return x < y ? -1 : x > y;
}

const struct smi_summary **smi_runs_in_order(struct smi_text_arena *g, struct smi_arena *arena, bool by_waste)
{
    const struct smi_sweep *s = g->sweep;
    const struct smi_summary **run = smi_arena_new(arena, s->n + 1, sizeof *run);
    g->failed |= !run;
    for (size_t i = 0; run && smi_sweep_has_run(s, i); i++)
        run[i] = &s->runs[i];
    if (run && s->n && by_waste)
        qsort(run, s->n, sizeof *run, by_wasted);
    return run;
}
