/* ledger.c - rows of jobs to sums of users and nodes, and GPUs that are slower than others. */
#include "sweep/walk.h"
#include "summary/ledger_row.h"
#include "query/query.h"
#include "base/map.h"
#include "base/file.h"
#include "base/stream.h"
#include "formats/format.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SMI_LEDGER_KEYS_MAX = 4 };

struct smi_ledger_load; /* ledger.c */

struct smi_ledger_group {
    const char *key[SMI_LEDGER_KEYS_MAX], *node, *model; /* NULL: not known; node, model: of the first row */
    bool moved;                                          /* it was in other nodes, too */
    int64_t jobs;
    smi_i128 ms[SMI_LEDGER_PARTS], joules;
    int64_t loads; /* jobs in which it had load */
    struct smi_ledger_jobs {
        int64_t n, row; /* how many; the last of them */
    } loaded, beside;   /* those with load; those of them in which others of the job had load, too */
    smi_i128 top_w, top_x, top_y; /* sums of seconds, clock and power in the highest bin of load */
    struct smi_value clock_pct, power_pct;
    bool slow;
};

struct smi_ledger {
    enum smi_ledger_field by[SMI_LEDGER_KEYS_MAX];
    size_t keys;
    bool of_gpus; /* one of them is the uuid */
    struct smi_arena words;
    struct smi_ledger_group *group;
    size_t groups, cap;
    struct smi_map map;
    struct smi_ledger_load *load;
    size_t loads, loads_cap;
    struct smi_map load_map;
    struct smi_inode_set seen, jobs; /* pairs of numbers: rows; jobs of groups */
    struct smi_ledger_row row;
    struct smi_account account; /* of the file at hand */
    int64_t rows, again;
};

/* a GPU beside its sisters at equal load (docs/numbers.md §12): in a job of three GPUs or
 * more beside the others of that job, which do the same work; else beside all GPUs of its model that worked
 * for the same user, at the same utilisation. */

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
    smi_mem_reserve(&l->load, &l->loads_cap, l->loads + 1, sizeof *l->load);
    smi_map_add(&l->load_map, hash, l->loads);
    l->load[l->loads] = *key;
    return &l->load[l->loads++];
}

static int add_reading(struct smi_ledger *l, const struct smi_ledger_load *key, int64_t seconds, int64_t x,
                       int64_t y)
{
    const int64_t w = seconds < SECONDS_MOST ? seconds : SECONDS_MOST;
    struct smi_ledger_load *to = load_of(l, key);
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
static void count_readings_of_job(struct smi_ledger_jobs *jobs, int64_t row)
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
    count_readings_of_job(&g->loaded, l->rows);
    if (beside)
        count_readings_of_job(&g->beside, l->rows);
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

/* Adds the load of the GPUs of the row at hand; group[i] is the place of that of GPU i. Returns 0, or -1
 * without memory. */
static int smi_ledger_add_load(struct smi_ledger *l, const size_t *group)
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

/* How each GPU does beside its sisters. Returns 0, or -1 without memory. */
static int smi_ledger_compare(struct smi_ledger *l)
{
    struct sister *s = smi_mem_new(l->groups + 1, sizeof *s);
    double *room = smi_mem_new(l->groups + 1, sizeof *room); /* no habit has more GPUs */
    if (s && room && l->loads)
        compare_all(l, s, room);
    smi_mem_free(room);
    smi_mem_free(s);
    return s && room ? 0 : -1;
}

#define TEXT_FIELD(id, name, words) [id] = {.key = name, .kind = SMI_DATUM_TEXT, .unit = "", .help = words}
#define MICRO_FIELD(id, name, u, words) \
    [id] = {.key = name, .kind = SMI_DATUM_MICRO, .unit = u, .help = words}
const struct smi_field_info smi_ledger_fields[SMI_LEDGER_FIELDS] = {
    TEXT_FIELD(SMI_LEDGER_BY_USER, "user", "Whose job it was"),
    TEXT_FIELD(SMI_LEDGER_BY_ACCOUNT, "account", "On whose account it ran"),
    TEXT_FIELD(SMI_LEDGER_BY_PARTITION, "partition", "Partition of the cluster"),
    TEXT_FIELD(SMI_LEDGER_BY_JOB, "job", "Its number; of a run without one, the run's name"),
    TEXT_FIELD(SMI_LEDGER_BY_NODE, "node", "The machine"),
    TEXT_FIELD(SMI_LEDGER_BY_STATE, "state", "As runs.state"),
    TEXT_FIELD(SMI_LEDGER_BY_MONTH, "month", "In which it began"),
    TEXT_FIELD(SMI_LEDGER_BY_DAY, "day", "On which it began"),
    TEXT_FIELD(SMI_LEDGER_BY_GPU_UUID, "gpu_uuid",
               "The GPU; groups of GPUs have what follows the energy, too"),
    TEXT_FIELD(SMI_LEDGER_BY_GPU_NAME, "gpu_name", "Its model"),
    [SMI_LEDGER_JOBS] = {.key = "jobs", .kind = SMI_DATUM_INT, .unit = "", .help = "How many, each once"},
    MICRO_FIELD(SMI_LEDGER_GPU_H, "gpu_hours", "h", "GPU-hours of all of them"),
    MICRO_FIELD(SMI_LEDGER_USED_H, "used_h", "h", "GPU-hours in which they worked"),
    MICRO_FIELD(SMI_LEDGER_IDLE_H, "idle_h", "h", "GPU-hours idle before, between and after work"),
    MICRO_FIELD(SMI_LEDGER_FAILED_H, "failed_h", "h", "GPU-hours of jobs that failed"),
    MICRO_FIELD(SMI_LEDGER_HELD_H, "held_idle_h", "h", "GPU-hours of GPUs that did nothing in their job"),
    MICRO_FIELD(SMI_LEDGER_USED_PCT, "used_pct", "%", "The share of used_h"),
    MICRO_FIELD(SMI_LEDGER_UNKNOWN_H, "unknown_h", "h", "GPU-hours without a reading of utilisation"),
    MICRO_FIELD(SMI_LEDGER_ENERGY, "energy_kwh", "kWh", "Energy"),
    MICRO_FIELD(SMI_LEDGER_CLOCK_PCT, "clock_pct", "%", "Clock of a GPU at equal load; its sisters have 100"),
    MICRO_FIELD(SMI_LEDGER_POWER_PCT, "power_pct", "%", "The same of its power"),
    MICRO_FIELD(SMI_LEDGER_CLOCK, "clock_mhz", "MHz", "Its mean clock at a utilisation of 90 % and more"),
    MICRO_FIELD(SMI_LEDGER_POWER, "power_w", "W", "Its mean power there"),
    TEXT_FIELD(SMI_LEDGER_NOTE, "note", "slow: a GPU far below its sisters, in many jobs"),
};

/* ---- which columns ---- */

static int fail_no_such_field(const char *opt, struct smi_text word, struct smi_err *err)
{
    char name[100];
    const char *near;
    smi_text_copy(name, sizeof name, word);
    near = smi_text_nearest(name, smi_ledger_fields, sizeof *smi_ledger_fields, SMI_LEDGER_FIELDS);
    if (near)
        return smi_err_set(err, SMI_EUSAGE, "--%s: a ledger has no column \"%s\"; did you mean %s?", opt,
                           name, near);
    return smi_err_set(err, SMI_EUSAGE, "--%s: a ledger has no column \"%s\"; see smilog list columns", opt,
                       name);
}

/* SMI_LEDGER_FIELDS for none. */
static int find_field(struct smi_text word)
{
    int i = 0;
    while (i < SMI_LEDGER_FIELDS && !smi_text_is(word, smi_ledger_fields[i].key))
        i++;
    return i;
}

static int choose_keys(struct smi_ledger *l, const char *list, struct smi_err *err)
{
    struct smi_text word;
    while (smi_text_next_item(&list, &word)) {
        int id = find_field(word);
        if (id == SMI_LEDGER_FIELDS)
            return fail_no_such_field("group-by", word, err);
        if (id >= SMI_LEDGER_KEYS)
            return smi_err_set(err, SMI_EUSAGE, "--group-by: %s is a figure of each group",
                               smi_ledger_fields[id].key);
        if (l->keys == SMI_LEDGER_KEYS_MAX)
            return smi_err_set(err, SMI_EUSAGE, "--group-by takes at most %d columns of a ledger",
                               SMI_LEDGER_KEYS_MAX);
        l->by[l->keys++] = (enum smi_ledger_field)id;
        l->of_gpus |= id == SMI_LEDGER_BY_GPU_UUID;
    }
    return 0;
}

/* The place of a key among those of the groups, or l->keys. */
static size_t place_of_key(const struct smi_ledger *l, int id)
{
    size_t i = 0;
    while (i < l->keys && (int)l->by[i] != id)
        i++;
    return i;
}

static bool has_field(const struct smi_ledger *l, int id)
{
    bool gpu = id == SMI_LEDGER_BY_NODE || id == SMI_LEDGER_BY_GPU_NAME || id >= SMI_LEDGER_CLOCK_PCT;
    return place_of_key(l, id) < l->keys || (id >= SMI_LEDGER_KEYS ? !gpu || l->of_gpus : gpu && l->of_gpus);
}

/* The next column of a list; its minus, if it may have one, is taken off. */
static int next_field(const struct smi_ledger *l, const char *opt, struct smi_text word, bool *down, int *id,
                      struct smi_err *err)
{
    *down = strcmp(opt, "sort") == 0 && word.n > 1 && *word.p == '-';
    word = (struct smi_text){word.p + *down, word.n - *down};
    *id = find_field(word);
    if (*id == SMI_LEDGER_FIELDS)
        return fail_no_such_field(opt, word, err);
    if (has_field(l, *id))
        return 0;
    return smi_err_set(err, SMI_EUSAGE, "--%s: groups by %s have %s, these have not", opt,
                       smi_ledger_fields[*id < SMI_LEDGER_KEYS ? *id : SMI_LEDGER_BY_GPU_UUID].key,
                       smi_ledger_fields[*id].key);
}

/* ---- rows ---- */

static struct smi_text prefix_of(const char *text, size_t n)
{
    return (struct smi_text){text, text ? strnlen(text, n) : 0};
}

/* What a row says of a key; .p NULL: nothing. */
static struct smi_text key_of(const struct smi_ledger_row *row, const struct smi_ledger_gpu *gpu,
                              enum smi_ledger_field id)
{
    static const enum smi_ledger_text text[] = {SMI_LEDGER_USER, SMI_LEDGER_ACCOUNT, SMI_LEDGER_PARTITION,
                                                SMI_LEDGER_JOB,  SMI_LEDGER_NODE,    SMI_LEDGER_STATE};
    if (id == SMI_LEDGER_BY_MONTH)
        return prefix_of(row->text[SMI_LEDGER_START], strlen("2026-07"));
    if (id == SMI_LEDGER_BY_DAY)
        return prefix_of(row->text[SMI_LEDGER_START], strlen("2026-07-03"));
    if (id == SMI_LEDGER_BY_GPU_UUID)
        return prefix_of(gpu ? gpu->uuid : NULL, SIZE_MAX);
    if (id == SMI_LEDGER_BY_GPU_NAME)
        return prefix_of(gpu ? gpu->model : row->text[SMI_LEDGER_MODEL], SIZE_MAX);
    return prefix_of(row->text[text[id]], SIZE_MAX);
}

struct wanted {
    size_t keys;
    struct smi_text key[SMI_LEDGER_KEYS_MAX];
};

static bool is_wanted(const void *list, size_t place, const void *key)
{
    const struct smi_ledger_group *g = (const struct smi_ledger_group *)list + place;
    const struct wanted *w = key;
    size_t i = 0;
    while (i < w->keys &&
           (g->key[i] && w->key[i].p ? smi_text_is(w->key[i], g->key[i]) : !g->key[i] && !w->key[i].p))
        i++;
    return i == w->keys;
}

/* The group of a GPU of the row, made if it is new. There is room in the list. */
static struct smi_ledger_group *group_of(struct smi_ledger *l, const struct smi_ledger_gpu *gpu)
{
    struct smi_ledger_group *g = &l->group[l->groups];
    struct wanted w = {.keys = l->keys};
    uint64_t hash = 0;
    size_t at;
    for (size_t i = 0; i < l->keys; i++) {
        w.key[i] = key_of(&l->row, gpu, l->by[i]);
        hash = smi_hash_pair(hash, w.key[i].p ? smi_hash_bytes(w.key[i].p, w.key[i].n) : 1);
    }
    at = smi_map_find(&l->map, hash, is_wanted, l->group, &w);
    if (at != SMI_MAP_NONE)
        return &l->group[at];
    for (size_t i = 0; i < l->keys; i++) {
        if (w.key[i].p)
            g->key[i] = smi_arena_text(&l->words, w.key[i].p, w.key[i].n);
    }
    smi_map_add(&l->map, hash, l->groups);
    return &l->group[l->groups++];
}

/* Where a GPU is, and what it is: as long as all rows agree. */
static void note_place(struct smi_ledger *l, struct smi_ledger_group *g, const struct smi_ledger_gpu *gpu)
{
    const char *node = l->row.text[SMI_LEDGER_NODE];
    if (!g->node && node)
        g->node = smi_arena_text(&l->words, node, strlen(node));
    if (!g->model && gpu->model)
        g->model = smi_arena_text(&l->words, gpu->model, strlen(gpu->model));
    g->moved |= node && strcmp(node, g->node) != 0;
}

/* A job counts once in a group, whatever the number of its nodes and GPUs. */
static int count_job(struct smi_ledger *l, struct smi_ledger_group *g)
{
    const char *job = l->row.text[SMI_LEDGER_JOB];
    int fresh = smi_inode_set_add(&l->jobs, (uint64_t)(g - l->group) + 1,
                                  job ? smi_hash_bytes(job, strlen(job)) : (uint64_t)l->rows);
    g->jobs += fresh > 0;
    return fresh < 0 ? -1 : 0;
}

static int add_gpus(struct smi_ledger *l)
{
    struct smi_ledger_row *row = &l->row;
    size_t *of = smi_mem_new(row->gpus + 1, sizeof *of);
    int rc = 0;
    for (size_t i = 0; i < row->gpus && !rc; i++) {
        struct smi_ledger_group *g = group_of(l, &row->gpu[i]);
        count_job(l, g);
        if (l->of_gpus)
            note_place(l, g, &row->gpu[i]);
        for (int k = 0; k < SMI_LEDGER_PARTS; k++)
            g->ms[k] += row->gpu[i].ms[k];
        g->joules += row->gpu[i].joules;
        of[i] = (size_t)(g - l->group);
    }
    if (!rc && l->of_gpus)
        rc = smi_ledger_add_load(l, of);
    smi_mem_free(of);
    return rc;
}

/* Rows of one job, node and start are one; those that lack one of these, if they are the same to the byte. */
static int is_new_row(struct smi_ledger *l, struct smi_text line)
{
    static const enum smi_ledger_text id[] = {SMI_LEDGER_JOB, SMI_LEDGER_NODE, SMI_LEDGER_START};
    uint64_t hash = 0;
    for (size_t i = 0; i < 3; i++) {
        const char *text = l->row.text[id[i]];
        if (!text)
            return smi_inode_set_add(&l->seen, 1, smi_hash_bytes(line.p, line.n));
        hash = smi_hash_pair(hash, smi_hash_bytes(text, strlen(text)));
    }
    return smi_inode_set_add(&l->seen, 0, hash);
}

static int take_line(void *self, struct smi_text line, struct smi_err *err)
{
    struct smi_ledger *l = self;
    int rc = smi_ledger_row_read(&l->row, line), fresh;
    (void)err;
    if (rc == 0) {
        smi_account_reject(&l->account, SMI_REJECT_FOREIGN, line);
        return 0;
    }
    fresh = rc < 0 ? -1 : is_new_row(l, line);
    l->rows++;
    l->again += fresh == 0;
    if (fresh == 0)
        return 0;
    smi_mem_reserve(&l->group, &l->cap, l->groups + l->row.gpus + 1, sizeof *l->group);
    if (l->row.gpus || l->of_gpus) {
        add_gpus(l);
        return 0;
    }
    count_job(l, group_of(l, NULL));
    return 0;
}

/* ---- files ---- */

static void report_lines(const struct smi_account *a, const char *name, struct smi_buf *said)
{
    int64_t lost = smi_account_rejected(a);
    if (lost)
        smi_buf_fmt(said, "%s: %lld of %lld line%s of a ledger, and not counted: the first is line %lld%c",
                    name, (long long)lost, (long long)a->lines,
                    a->lines == 1 ? " is no row" : "s are no rows",
                    (long long)(a->problems ? a->problem[0].line : 0), 0);
}

static int feed_lines(struct smi_lines *in, int fd, const char *name, struct smi_err *err)
{
    struct smi_fd_source from = smi_fd_source_make(fd, name);
    struct smi_stream *s = smi_stream_open(&from.pull, err);
    char piece[65536];
    ssize_t n = 0;
    int rc = s ? 0 : -1;
    while (!rc && (n = smi_stream_read(s, piece, sizeof piece, err)) > 0)
        rc = smi_lines_feed(in, piece, (size_t)n, err);
    if (!rc)
        rc = n < 0 ? -1 : smi_lines_finish(in, err);
    if (!rc && smi_stream_warning(s))
        rc = smi_err_set(err, SMI_EFORMAT, "%.200s: %.200s", name, smi_stream_warning(s));
    smi_stream_close(s);
    return rc;
}

static int read_file(struct smi_ledger *l, const char *path, struct smi_buf *said, struct smi_err *err)
{
    const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
    struct smi_lines in = {.account = &l->account, .line = take_line, .self = l};
    struct smi_file_info info;
    int fd = smi_file_open(AT_FDCWD, path, true, &info, err), rc;
    rc = fd < 0 ? -1 : feed_lines(&in, fd, name, err);
    smi_lines_fini(&in);
    if (fd >= 0)
        close(fd);
    report_lines(&l->account, name, said);
    smi_account_fini(&l->account);
    l->account = (struct smi_account){0};
    return rc;
}

/* ---- the answer ---- */

static struct smi_datum hours_of(smi_i128 ms)
{
    return (struct smi_datum){SMI_DATUM_MICRO, (int64_t)smi_i128_div(ms * 10, 36), NULL};
}

static struct smi_datum quotient(smi_i128 num, smi_i128 den)
{
    return den > 0 ? (struct smi_datum){SMI_DATUM_MICRO, (int64_t)smi_i128_div(num * 1000000, den), NULL}
                   : (struct smi_datum){.kind = SMI_DATUM_NONE};
}

static struct smi_datum optional(struct smi_value v)
{
    return (struct smi_datum){v.has ? SMI_DATUM_MICRO : SMI_DATUM_NONE, v.micro, NULL};
}

static struct smi_datum text_or_none(const char *text)
{
    return (struct smi_datum){text ? SMI_DATUM_TEXT : SMI_DATUM_NONE, 0, text};
}

static smi_i128 used_ms(const struct smi_ledger_group *g)
{
    return g->ms[SMI_LEDGER_ALL] - g->ms[SMI_LEDGER_FAILED] - g->ms[SMI_LEDGER_HELD] -
           g->ms[SMI_LEDGER_IDLE] - g->ms[SMI_LEDGER_UNKNOWN];
}

static struct smi_datum gpu_value(const struct smi_ledger_group *g, int id)
{
    switch (id) {
    case SMI_LEDGER_BY_NODE:
        return text_or_none(g->moved ? NULL : g->node);
    case SMI_LEDGER_BY_GPU_NAME:
        return text_or_none(g->model);
    case SMI_LEDGER_CLOCK_PCT:
        return optional(g->clock_pct);
    case SMI_LEDGER_POWER_PCT:
        return optional(g->power_pct);
    case SMI_LEDGER_CLOCK:
        return quotient(g->top_x, g->top_w);
    case SMI_LEDGER_POWER:
        return quotient(g->top_y, g->top_w);
    default:
        return text_or_none(g->slow ? "slow" : NULL);
    }
}

static struct smi_datum value_of(const struct smi_ledger *l, const struct smi_ledger_group *g, int id)
{
    size_t key = place_of_key(l, id);
    if (key < l->keys)
        return text_or_none(g->key[key]);
    switch (id) {
    case SMI_LEDGER_JOBS:
        return (struct smi_datum){SMI_DATUM_INT, g->jobs, NULL};
    case SMI_LEDGER_GPU_H:
        return hours_of(g->ms[SMI_LEDGER_ALL]);
    case SMI_LEDGER_USED_H:
        return hours_of(used_ms(g));
    case SMI_LEDGER_USED_PCT:
        return quotient(used_ms(g) * 100, g->ms[SMI_LEDGER_ALL]);
    case SMI_LEDGER_IDLE_H:
        return hours_of(g->ms[SMI_LEDGER_IDLE]);
    case SMI_LEDGER_FAILED_H:
        return hours_of(g->ms[SMI_LEDGER_FAILED]);
    case SMI_LEDGER_HELD_H:
        return hours_of(g->ms[SMI_LEDGER_HELD]);
    case SMI_LEDGER_UNKNOWN_H:
        return hours_of(g->ms[SMI_LEDGER_UNKNOWN]);
    case SMI_LEDGER_ENERGY:
        return quotient(g->joules, 3600000);
    default:
        return gpu_value(g, id);
    }
}

/* A group on its way into the order. */
struct ranked {
    const struct smi_ledger *l;
    const struct smi_ledger_group *g;
    const char *sort;
};

/* What is absent comes last, whatever the direction. */
static int compare_values(const struct smi_datum *a, const struct smi_datum *b, bool down)
{
    int order;
    if (a->kind == SMI_DATUM_NONE || b->kind == SMI_DATUM_NONE)
        return (a->kind == SMI_DATUM_NONE) - (b->kind == SMI_DATUM_NONE);
    order = a->kind == SMI_DATUM_TEXT ? smi_text_compare_natural(a->text, b->text)
                                      : (a->n > b->n) - (a->n < b->n);
    return down ? -order : order;
}

static int compare_field(const struct ranked *a, const struct ranked *b, int id, bool down)
{
    const struct smi_datum x = value_of(a->l, a->g, id), y = value_of(b->l, b->g, id);
    return compare_values(&x, &y, down);
}

static int by_sort(const void *p, const void *q)
{
    const struct ranked *a = p, *b = q;
    const char *list = a->sort;
    struct smi_text word;
    int id, order = 0;
    bool down;
    while (!order && smi_text_next_item(&list, &word)) /* they were looked at before */
        order = next_field(a->l, "sort", word, &down, &id, NULL) ? 0 : compare_field(a, b, id, down);
    for (size_t i = 0; i < a->l->keys && !order; i++)
        order = compare_field(a, b, (int)a->l->by[i], false);
    return order;
}

static int add_cell(struct smi_result *rows, const struct smi_datum *v, struct smi_value_text *cell)
{
    char t[SMI_MICRO_TEXT];
    *cell = (struct smi_value_text){NULL, SMI_CELL_NULL};
    if (v->kind == SMI_DATUM_NONE)
        return 0;
    cell->kind = v->kind == SMI_DATUM_TEXT ? SMI_CELL_TEXT : SMI_CELL_NUMBER;
    if (v->kind == SMI_DATUM_INT)
        smi_text_write_fixed(t, (smi_i128)v->n * 1000000, 0);
    else if (v->kind == SMI_DATUM_MICRO)
        smi_text_write_micro(t, v->n);
    cell->text = v->kind == SMI_DATUM_TEXT ? v->text : t;
    cell->text = smi_arena_text(&rows->arena, cell->text, strlen(cell->text));
    return 0;
}

/* The columns that are asked for, else all: those that leave a narrow window first stand last. */
static int choose_fields(const struct smi_ledger *l, const char *list, int *field, size_t *n,
                         struct smi_err *err)
{
    static const int gpu_first[] = {SMI_LEDGER_BY_NODE, SMI_LEDGER_NOTE, SMI_LEDGER_CLOCK_PCT,
                                    SMI_LEDGER_POWER_PCT};
    struct smi_text word;
    bool down, taken[SMI_LEDGER_FIELDS] = {false};
    for (*n = 0; smi_text_next_item(&list, &word); ++*n)
        if (*n == SMI_LEDGER_FIELDS)
            return smi_err_set(err, SMI_EUSAGE, "--columns names a column more than once");
        else if (next_field(l, "columns", word, &down, &field[*n], err))
            return -1;
    if (*n)
        return 0;
    for (size_t i = 0; i < l->keys; i++)
        taken[field[(*n)++] = (int)l->by[i]] = true;
    for (size_t i = 0; i < sizeof gpu_first / sizeof *gpu_first && l->of_gpus; i++)
        if (!taken[gpu_first[i]])
            taken[field[(*n)++] = gpu_first[i]] = true;
    for (int pass = 0; pass < 2; pass++) /* the model of a GPU is the last */
        for (int id = pass ? 0 : SMI_LEDGER_KEYS; id < SMI_LEDGER_FIELDS; id++)
            if (!taken[id] && has_field(l, id))
                taken[field[(*n)++] = id] = true;
    return 0;
}

static int fill_result(struct smi_result *rows, const struct ranked *rank, size_t n, const int *field)
{
    rows->name = smi_arena_new(&rows->arena, rows->columns, sizeof *rows->name);
    smi_mem_reserve(&rows->cell, &rows->cap, n * rows->columns + 1, sizeof *rows->cell);
    for (size_t k = 0; k < rows->columns; k++)
        rows->name[k] = smi_ledger_fields[field[k]].key;
    for (; rows->n < n; rows->n++)
        for (size_t k = 0; k < rows->columns; k++) {
            struct smi_datum v = value_of(rank[rows->n].l, rank[rows->n].g, field[k]);
            if (add_cell(rows, &v, &rows->cell[rows->n * rows->columns + k]))
                return -1;
        }
    rows->made = true;
    return 0;
}

static void make_result(struct smi_ledger *l, const struct smi_query *q, const int *field,
                        struct smi_result *rows)
{
    struct ranked *rank = smi_mem_new(l->groups + 1, sizeof *rank);
    if (l->of_gpus)
        smi_ledger_compare(l);
    for (size_t i = 0; i < l->groups; i++)
        rank[i] = (struct ranked){l, &l->group[i], q->sort};
    if (l->groups)
        qsort(rank, l->groups, sizeof *rank, by_sort);
    fill_result(rows, rank, l->groups, field);
    smi_mem_free(rank);
}

/* ---- all of it ---- */

static int check_query(struct smi_ledger *l, const struct smi_query *q, int *field, size_t *fields,
                       struct smi_err *err)
{
    const char *list = q->sort;
    struct smi_text word;
    bool down;
    int id;
    if (q->where || q->sql || q->join || q->since || q->until)
        return smi_err_set(
            err, SMI_EUSAGE,
            "a ledger answers --group-by, --columns and --sort alone: --group-by day or month tells times "
            "apart");
    if (choose_keys(l, q->group_by ? q->group_by : "user,account", err) ||
        choose_fields(l, q->columns, field, fields, err))
        return -1;
    while (smi_text_next_item(&list, &word))
        if (next_field(l, "sort", word, &down, &id, err))
            return -1;
    return 0;
}

int smi_ledger_query(const char *const *path, size_t n, const struct smi_query *q, struct smi_result *rows,
                     struct smi_buf *said, struct smi_err *err)
{
    struct smi_ledger l = {.keys = 0};
    int field[SMI_LEDGER_FIELDS], rc = check_query(&l, q, field, &rows->columns, err);
    for (size_t i = 0; i < n && !rc; i++)
        rc = read_file(&l, path[i], said, err);
    if (!rc && !l.rows)
        rc = smi_err_set(err, SMI_EFORMAT, "no row of a ledger in %.200s%s", path[0],
                         n == 1 ? "" : " and the other files");
    if (!rc && l.again)
        smi_buf_fmt(said, "%lld of %lld rows are of jobs that are there already, and count once%c",
                    (long long)l.again, (long long)l.rows, 0);
    if (!rc)
        make_result(&l, q, field, rows);
    smi_ledger_row_fini(&l.row);
    smi_inode_set_fini(&l.seen);
    smi_inode_set_fini(&l.jobs);
    smi_map_fini(&l.map);
    smi_map_fini(&l.load_map);
    smi_mem_free(l.load);
    smi_mem_free(l.group);
    smi_arena_fini(&l.words);
    return rc ? (rc) : 0;
}
