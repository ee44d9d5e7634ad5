#include "summary/headline.h"

#include <math.h>
#include <stdio.h>

const uint16_t smi_headline_metric[SMI_HEADLINE_METRICS] = {SMI_GPU_UTIL, SMI_FB_USED, SMI_POWER,
                                                            SMI_MEM_UTIL, SMI_CPU_USR, SMI_CPU_IDLE};

#define SMI_RUN_HEADLINE(id, key, unit, metric, stat, optional, ...) \
    {key, metric, SMI_HEADLINE_##stat, optional},
static const struct {
    const char *key;
    int metric, statistic;
    bool optional;
} fields[SMI_HEADLINE_COUNT] = {
#include "model/run_field.def"
};

#define SMI_RUN_HEADLINE(id, key, ...) {SMI_JSON_NEXT(key), sizeof SMI_JSON_NEXT(key) - 1},
static const struct smi_text next[SMI_HEADLINE_COUNT] = {
#include "model/run_field.def"
};

int smi_headline_slot(unsigned metric)
{
    for (int i = 0; i < SMI_HEADLINE_METRICS; i++)
        if (smi_headline_metric[i] == metric)
            return i;
    return -1;
}

void smi_headline_sum_merge(struct smi_headline_sum *a, const struct smi_headline_sum *b)
{
    if (b->n && (a->n == 0 || b->max > a->max))
        a->max = b->max;
    a->n += b->n;
    a->sum += b->sum;
}

void smi_headline_merge(struct smi_headline *a, const struct smi_headline *b)
{
    for (int i = 0; i < SMI_HEADLINE_METRICS; i++)
        smi_headline_sum_merge(&a->pool[i], &b->pool[i]);
    if (b->jax_peak > a->jax_peak)
        a->jax_peak = b->jax_peak;
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

static void write_tenths(char *to, int64_t t)
{
    size_t n;
    if (t < 0) {
        smi_text_write_fixed(to, (smi_i128)t * 100000, 1);
        return;
    }
    n = smi_u64_write(to, (uint64_t)t / 10);
    to[n] = '.';
    to[n + 1] = (char)('0' + (int)(t % 10));
    to[n + 2] = 0;
}

static void fill_headline_figure(struct smi_headline_figure *f, const struct smi_headline *b, int i)
{
    const struct smi_headline_sum none = {0}, *p = &none;
    smi_i128 num, den = 1000000;
    if (fields[i].metric != SMI_HEADLINE_JAX)
        p = &b->pool[smi_headline_slot((unsigned)fields[i].metric)];
    *f = (struct smi_headline_figure){.key = fields[i].key, .has = p->n > 0};
    num = p->max;
    if (fields[i].statistic == SMI_HEADLINE_PEAK) {
        num = b->jax_peak;
        f->has = num > 0;
    } else if (fields[i].statistic == SMI_HEADLINE_MEAN && f->has) {
        num = p->sum;
        den *= p->n;
    }
    /* The reference leaves the optional ones out unless the mean (or the peak) is above 0, before it rounds.
     */
    f->omit = fields[i].optional && !(fields[i].statistic == SMI_HEADLINE_PEAK ? f->has : p->sum > 0);
    if (f->has)
        write_tenths(f->text, tenths(smi_i128_ratio(num, den)));
}

void smi_headline_figures(const struct smi_headline *b, struct smi_headline_figure out[SMI_HEADLINE_COUNT])
{
    for (int i = 0; i < SMI_HEADLINE_COUNT; i++)
        fill_headline_figure(&out[i], b, i);
}

void smi_headline_json(const struct smi_headline *b, struct smi_json *j)
{
    struct smi_headline_figure f[SMI_HEADLINE_COUNT];
    smi_headline_figures(b, f);
    smi_json_open(j, '{');
    smi_json_key(j, f[0].key); /* is never left out */
    smi_json_raw(j, f[0].has ? f[0].text : "null");
    for (int i = 1; i < SMI_HEADLINE_COUNT; i++) {
        if (f[i].omit)
            continue;
        smi_json_next_raw(j, next[i], smi_text_of(f[i].has ? f[i].text : "null"));
    }
    smi_json_close(j, '}');
}
