/* ledger_compare.c - a GPU beside its sisters at equal load (docs/numbers.md §12): in a job of three GPUs or
 * more with the others of that job, which do the same work; else by bins of utilisation with all GPUs of its
 * model. */
#include "query/ledger_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SISTERS = 64,      /* GPUs of a row that are compared; more than that are no node */
    SISTERS_LEAST = 3, /* in a job: the median of fewer says nothing */
    MODEL_LEAST = 4,   /* GPUs of a model */
    LOADS_LEAST = 10,  /* of a GPU: jobs with load, */
    SECONDS_LEAST = 3600,
    SECONDS_MOST = 3600, /* that a job counts in a bin: no long one decides alone */
    RATIO = 1000000
};
static const double slow_below = 0.97, deviations = 4.5, errors = 4, mad_to_deviation = 1.4826;

static int by_number(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts them. n > 0 */
static double median(double *v, size_t n)
{
    qsort(v, n, sizeof *v, by_number);
    return (v[(n - 1) / 2] + v[n / 2]) / 2;
}

/* ---- sums ---- */

static void add_reading(struct smi_ledger_load *to, int64_t seconds, int64_t x, int64_t y)
{
    const smi_i128 w = seconds < SECONDS_MOST ? seconds : SECONDS_MOST;
    to->n++;
    to->w += w;
    to->wx += w * x;
    to->wy += w * y;
    to->ww += w * w;
    to->wwx += w * w * x;
    to->wwxx += w * w * x * x;
}

/* In millionths of the median, at most 4. */
static int64_t ratio(int64_t v, double of)
{
    double r = (double)v / of;
    return of > 0 ? llround((r < 4 ? r : 4) * RATIO) : RATIO;
}

static void add_bin(struct smi_ledger_group *const *group, const struct smi_ledger_gpu *gpu, size_t n,
                    int bin)
{
    double clock[SISTERS], power[SISTERS], clocks, watts;
    size_t loaded = 0;
    for (size_t i = 0; i < n && loaded < SISTERS; i++)
        if (gpu[i].load[bin].ms) {
            clock[loaded] = (double)gpu[i].load[bin].clock;
            power[loaded++] = (double)gpu[i].load[bin].power;
        }
    clocks = loaded ? median(clock, loaded) : 0;
    watts = loaded ? median(power, loaded) : 0;
    for (size_t i = 0; i < n; i++) {
        int64_t s = gpu[i].load[bin].ms / 1000, x = gpu[i].load[bin].clock, y = gpu[i].load[bin].power;
        if (!s || !group[i])
            continue;
        if (bin == SMI_LOAD_BINS - 1) {
            group[i]->top_w += s;
            group[i]->top_x += (smi_i128)s * x;
            group[i]->top_y += (smi_i128)s * y;
        }
        if (loaded >= SISTERS_LEAST)
            add_reading(&group[i]->load[SMI_LOAD_BINS], s, ratio(x, clocks), ratio(y, watts));
        else
            add_reading(&group[i]->load[bin], s, x, y);
    }
}

void smi_ledger_add_load(struct smi_ledger_group *const *group, const struct smi_ledger_gpu *gpu, size_t n)
{
    for (int bin = 0; bin < SMI_LOAD_BINS; bin++)
        add_bin(group, gpu, n, bin);
    for (size_t i = 0; i < n; i++)
        if (group[i])
            group[i]->loads += gpu[i].load[0].ms + gpu[i].load[1].ms + gpu[i].load[2].ms >= 1000;
}

/* ---- sisters ---- */

/* A GPU of a model, as shares of what its sisters do. */
struct sister {
    struct smi_ledger_group *g;
    double w, clock, power, variance; /* while bins are added: times w */
};

static int by_model(const void *a, const void *b)
{
    const struct sister *x = a, *y = b;
    int order = strcmp(x->g->model, y->g->model);
    return order ? order : (x->g > y->g) - (x->g < y->g);
}

static void add_share(struct sister *s, const struct smi_ledger_load *load, double clock, double power)
{
    double w = (double)load->w, mean = (double)load->wx / w;
    double squares = (double)load->wwxx - 2 * mean * (double)load->wwx + mean * mean * (double)load->ww;
    s->w += w;
    s->clock += (double)load->wx / clock;
    s->power += power > 0 ? (double)load->wy / power : 0;
    s->variance += squares > 0 ? squares / (clock * clock) : 0;
}

/* The other GPUs of its jobs say it better than those of other jobs. */
static bool is_enough(const struct smi_ledger_load *of_jobs)
{
    return of_jobs->n >= LOADS_LEAST && of_jobs->w >= SECONDS_LEAST;
}

/* v: room for n numbers. */
static void add_shares(struct sister *s, size_t n, int bin, double *v)
{
    double clock, power;
    size_t k = 0;
    for (size_t i = 0; i < n; i++)
        if (s[i].g->load[bin].w)
            v[k++] = (double)s[i].g->load[bin].wx / (double)s[i].g->load[bin].w;
    if (k < MODEL_LEAST || (clock = median(v, k)) <= 0)
        return;
    k = 0;
    for (size_t i = 0; i < n; i++)
        if (s[i].g->load[bin].w)
            v[k++] = (double)s[i].g->load[bin].wy / (double)s[i].g->load[bin].w;
    power = median(v, k);
    for (size_t i = 0; i < n; i++)
        if (s[i].g->load[bin].w && (bin == SMI_LOAD_BINS || !is_enough(&s[i].g->load[SMI_LOAD_BINS])))
            add_share(&s[i], &s[i].g->load[bin], clock, power);
}

static struct smi_value percent(double share, double of)
{
    return (struct smi_value){of > 0 ? llround(share / of * 100e6) : 0, of > 0};
}

/* Far below the others, more than they differ among themselves, and more than its own jobs differ. */
static bool is_slow(const struct sister *s, double middle, double deviation)
{
    double below = middle - s->clock;
    return s->g->loads >= LOADS_LEAST && s->w >= SECONDS_LEAST && s->clock < slow_below * middle &&
           below > deviations * deviation && below > errors * sqrt(s->variance);
}

static void compare_model(struct sister *s, size_t n, double *v)
{
    double clock, power, deviation;
    size_t k = 0;
    for (int bin = 0; bin < SMI_LEDGER_LOADS; bin++)
        add_shares(s, n, bin, v);
    for (size_t i = 0; i < n; i++) {
        if (s[i].w <= 0)
            continue;
        s[i].clock /= s[i].w;
        s[i].power /= s[i].w;
        s[i].variance /= s[i].w * s[i].w;
        s[k++] = s[i];
    }
    n = k;
    if (n < MODEL_LEAST)
        return;
    for (size_t i = 0; i < n; i++)
        v[i] = s[i].power;
    power = median(v, n);
    for (size_t i = 0; i < n; i++)
        v[i] = s[i].clock;
    clock = median(v, n);
    for (size_t i = 0; i < n; i++)
        v[i] = fabs(s[i].clock - clock);
    deviation = mad_to_deviation * median(v, n);
    for (size_t i = 0; i < n; i++) {
        s[i].g->clock_pct = percent(s[i].clock, clock);
        s[i].g->power_pct = percent(s[i].power, power);
        s[i].g->slow = is_slow(&s[i], clock, deviation);
    }
}

int smi_ledger_compare(struct smi_ledger *l)
{
    struct sister *s = smi_mem_new(l->groups + 1, sizeof *s);
    double *room = smi_mem_new(l->groups + 1, sizeof *room);
    size_t n = 0;
    for (size_t i = 0; s && room && i < l->groups; i++)
        if (l->group[i].model)
            s[n++].g = &l->group[i];
    if (n)
        qsort(s, n, sizeof *s, by_model);
    for (size_t from = 0, end; from < n; from = end) {
        for (end = from + 1; end < n && strcmp(s[end].g->model, s[from].g->model) == 0; end++)
            ;
        compare_model(s + from, end - from, room);
    }
    smi_mem_free(room);
    smi_mem_free(s);
    return s && room ? 0 : -1;
}
