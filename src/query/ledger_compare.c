/* ledger_compare.c - a GPU beside its sisters at equal load (docs/numbers.md §12): in a job of three GPUs or
 * more beside the others of that job, which do the same work; else beside all GPUs of its model that worked
 * for the same user, at the same utilisation. */
#include "query/ledger_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SISTERS = 64,      /* GPUs of a row that are compared; more than that are no node */
    SISTERS_LEAST = 3, /* the median of fewer says nothing */
    MODEL_LEAST = 4,   /* GPUs of a model */
    JOBS_LEAST = 10,   /* of a GPU */
    SECONDS_LEAST = 3600,
    SECONDS_MOST = 3600, /* that a job counts in a bin: no long one decides alone */
    RATIO = 1000000
};
static const double slow_below = 0.97, deviations = 4.5, errors = 4, mad_to_deviation = 1.4826;

/* What a GPU did in jobs that are alike: sums of clocks (x) and power (y), weighed (w) by seconds. */
struct smi_ledger_load {
    uint32_t group;
    bool beside;    /* these are ratios to the other GPUs of the same job */
    uint64_t habit; /* what the jobs have in common */
    int64_t w, wx, wy, ww;
    smi_i128 wwx, wwxx;
    double clock, power; /* of the median sister; 0: there are too few */
};

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

static bool is_load(const void *list, size_t place, const void *key)
{
    const struct smi_ledger_load *a = (const struct smi_ledger_load *)list + place, *b = key;
    return a->group == b->group && a->habit == b->habit;
}

/* NULL without memory */
static struct smi_ledger_load *load_of(struct smi_ledger *l, const struct smi_ledger_load *key)
{
    uint64_t hash = smi_hash_pair(key->group, key->habit);
    size_t at = smi_map_find(&l->load_map, hash, is_load, l->load, key);
    if (at != SMI_MAP_NONE)
        return &l->load[at];
    if (smi_mem_reserve(&l->load, &l->loads_cap, l->loads + 1, sizeof *l->load) ||
        smi_map_add(&l->load_map, hash, l->loads))
        return NULL;
    l->load[l->loads] = *key;
    return &l->load[l->loads++];
}

static int add_reading(struct smi_ledger *l, const struct smi_ledger_load *key, int64_t seconds, int64_t x,
                       int64_t y)
{
    const int64_t w = seconds < SECONDS_MOST ? seconds : SECONDS_MOST;
    struct smi_ledger_load *to = load_of(l, key);
    if (!to)
        return -1;
    to->w += w;
    to->wx += w * x;
    to->wy += w * y;
    to->ww += w * w;
    to->wwx += (smi_i128)w * w * x;
    to->wwxx += (smi_i128)w * w * x * x;
    return 0;
}

/* In millionths of the median, at most 4. */
static int64_t ratio(int64_t v, double of)
{
    double r = (double)v / of;
    return of > 0 ? llround((r < 4 ? r : 4) * RATIO) : RATIO;
}

/* The jobs that a reading is compared with: of ratios all, else those of the user, in this bin. */
static uint64_t habit_of(const struct smi_ledger_row *row, const char *model, bool beside, int bin)
{
    const char *user = row->text[SMI_LEDGER_USER];
    uint64_t of = model ? smi_hash_bytes(model, strlen(model)) : 0;
    if (beside)
        return smi_hash_pair(of, SMI_LOAD_BINS);
    return smi_hash_pair(smi_hash_pair(of, (uint64_t)bin), user ? smi_hash_bytes(user, strlen(user)) : 0);
}

/* Once, in whatever number of bins. */
static void count_job(struct smi_ledger_jobs *jobs, int64_t row)
{
    jobs->n += jobs->row != row;
    jobs->row = row;
}

/* One GPU in one bin; n GPUs of the job have load there, with these medians. */
static int add_gpu(struct smi_ledger *l, size_t group, const struct smi_ledger_gpu *gpu, int bin, size_t n,
                   const double medians[2])
{
    struct smi_ledger_group *g = &l->group[group];
    int64_t s = gpu->load[bin].ms / 1000, x = gpu->load[bin].clock, y = gpu->load[bin].power;
    bool beside = n >= SISTERS_LEAST;
    const struct smi_ledger_load key = {
        .group = (uint32_t)group, .habit = habit_of(&l->row, gpu->model, beside, bin), .beside = beside};
    if (!s || !gpu->uuid)
        return 0;
    count_job(&g->loaded, l->rows);
    if (beside)
        count_job(&g->beside, l->rows);
    if (bin == SMI_LOAD_BINS - 1) {
        g->top_w += s;
        g->top_x += (smi_i128)s * x;
        g->top_y += (smi_i128)s * y;
    }
    return add_reading(l, &key, s, beside ? ratio(x, medians[0]) : x, beside ? ratio(y, medians[1]) : y);
}

static int add_bin(struct smi_ledger *l, const size_t *group, int bin)
{
    const struct smi_ledger_row *row = &l->row;
    double clock[SISTERS], power[SISTERS], medians[2] = {0};
    size_t n = 0;
    int rc = 0;
    for (size_t i = 0; i < row->gpus && n < SISTERS; i++)
        if (row->gpu[i].load[bin].ms) {
            clock[n] = (double)row->gpu[i].load[bin].clock;
            power[n++] = (double)row->gpu[i].load[bin].power;
        }
    if (n) {
        medians[0] = median(clock, n);
        medians[1] = median(power, n);
    }
    for (size_t i = 0; i < row->gpus && !rc; i++)
        rc = add_gpu(l, group[i], &row->gpu[i], bin, n, medians);
    return rc;
}

int smi_ledger_add_load(struct smi_ledger *l, const size_t *group)
{
    for (int bin = 0; bin < SMI_LOAD_BINS; bin++)
        if (add_bin(l, group, bin))
            return -1;
    return 0;
}

/* ---- what sisters do ---- */

static int by_habit(const void *a, const void *b)
{
    const struct smi_ledger_load *x = a, *y = b;
    if (x->habit != y->habit)
        return x->habit < y->habit ? -1 : 1;
    return (x->group > y->group) - (x->group < y->group);
}

/* The medians of n GPUs in the same jobs. v: room for n numbers. */
static void find_medians(struct smi_ledger_load *load, size_t n, double *v)
{
    double clock, power;
    if (n < SISTERS_LEAST)
        return;
    for (size_t i = 0; i < n; i++)
        v[i] = (double)load[i].wx / (double)load[i].w;
    clock = median(v, n);
    for (size_t i = 0; i < n; i++)
        v[i] = (double)load[i].wy / (double)load[i].w;
    power = median(v, n);
    for (size_t i = 0; i < n && clock > 0 && power > 0; i++) {
        load[i].clock = clock;
        load[i].power = power;
    }
}

/* ---- a GPU ---- */

/* As shares of what its sisters do. */
struct sister {
    struct smi_ledger_group *g;
    double w, clock, power, variance; /* while they are summed: times w, or its square */
};

/* The other GPUs of its own jobs say it better than those of other jobs. */
static bool counts(const struct smi_ledger_load *load, const struct smi_ledger_group *g)
{
    return load->clock > 0 && (load->beside || g->beside.n < JOBS_LEAST);
}

static void add_shares(struct sister *s, const struct smi_ledger *l)
{
    for (size_t i = 0; i < l->loads; i++) {
        const struct smi_ledger_load *load = &l->load[i];
        struct sister *to = &s[load->group];
        if (!counts(load, to->g))
            continue;
        to->w += (double)load->w;
        to->clock += (double)load->wx / load->clock;
        to->power += (double)load->wy / load->power;
    }
    for (size_t i = 0; i < l->groups; i++) {
        s[i].clock /= s[i].w > 0 ? s[i].w : 1;
        s[i].power /= s[i].w > 0 ? s[i].w : 1;
    }
}

/* Of the mean clock, from how its jobs differ. */
static void add_variance(struct sister *s, const struct smi_ledger *l)
{
    for (size_t i = 0; i < l->loads; i++) {
        const struct smi_ledger_load *load = &l->load[i];
        struct sister *to = &s[load->group];
        if (counts(load, to->g))
            to->variance +=
                ((double)load->wwxx / load->clock - 2 * to->clock * (double)load->wwx) / load->clock +
                to->clock * to->clock * (double)load->ww;
    }
    for (size_t i = 0; i < l->groups; i++)
        s[i].variance = s[i].variance > 0 ? s[i].variance / (s[i].w * s[i].w) : 0;
}

static struct smi_value percent(double share, double of)
{
    return (struct smi_value){of > 0 ? llround(share / of * 100e6) : 0, of > 0};
}

/* Far below the others, more than they differ among themselves, and more than its own jobs differ. */
static bool is_slow(const struct sister *s, double middle, double deviation)
{
    double below = middle - s->clock;
    return s->g->loaded.n >= JOBS_LEAST && s->w >= SECONDS_LEAST && s->clock < slow_below * middle &&
           below > deviations * deviation && below > errors * sqrt(s->variance);
}

static void compare_model(struct sister *s, size_t n, double *v)
{
    double clock, power, deviation;
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

static int by_model(const void *a, const void *b)
{
    const struct sister *x = a, *y = b;
    int order = strcmp(x->g->model, y->g->model);
    return order ? order : (x->g > y->g) - (x->g < y->g);
}

static void compare_all(struct smi_ledger *l, struct sister *s, double *v)
{
    size_t n = 0;
    qsort(l->load, l->loads, sizeof *l->load, by_habit);
    for (size_t from = 0, end; from < l->loads; from = end) {
        for (end = from + 1; end < l->loads && l->load[end].habit == l->load[from].habit; end++)
            ;
        find_medians(l->load + from, end - from, v);
    }
    for (size_t i = 0; i < l->groups; i++)
        s[i].g = &l->group[i];
    add_shares(s, l);
    add_variance(s, l);
    for (size_t i = 0; i < l->groups; i++)
        if (s[i].w > 0 && s[i].g->model)
            s[n++] = s[i];
    if (n)
        qsort(s, n, sizeof *s, by_model);
    for (size_t from = 0, end; from < n; from = end) {
        for (end = from + 1; end < n && strcmp(s[end].g->model, s[from].g->model) == 0; end++)
            ;
        compare_model(s + from, end - from, v);
    }
}

int smi_ledger_compare(struct smi_ledger *l)
{
    struct sister *s = smi_mem_new(l->groups + 1, sizeof *s);
    double *room = smi_mem_new(l->groups + 1, sizeof *room); /* no habit has more GPUs */
    if (s && room && l->loads)
        compare_all(l, s, room);
    smi_mem_free(room);
    smi_mem_free(s);
    return s && room ? 0 : -1;
}
