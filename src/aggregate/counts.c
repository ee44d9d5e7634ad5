/* counts.c - how often each reading came: kept, counted, joined, and asked for percentiles. */
#include "aggregate/counts.h"
#include "base/mem.h"
#include "model/rows.h"

#include <stdlib.h>
#include <string.h>

/* ---- loops over columns, as those at the end ---- */

/* The bits in which n numbers differ: 0 if they all are the same. */
SMI_CLONES static uint32_t vector_differing(const int32_t *u, size_t n)
{
    int32_t all = 0;
    for (size_t i = 0; i < n; i++)
        all |= u[i] ^ u[0];
    return (uint32_t)all;
}

/* How often the number changes. */
SMI_CLONES static size_t vector_changes(const int32_t *u, size_t n)
{
    uint32_t all = 0;
    for (size_t i = 1; i < n; i++)
        all += u[i] != u[i - 1];
    return all;
}

/* How many readings a page has. */
SMI_CLONES static uint32_t vector_total(const uint16_t counter[SMI_COUNTS_PAGE])
{
    uint32_t all = 0;
    for (uint32_t k = 0; k < SMI_COUNTS_PAGE; k++)
        all += counter[k];
    return all;
}

/* Sums of the counters of a page, of each times its place, and of each times the square of that. */
SMI_CLONES static void vector_moments(const uint16_t counter[SMI_COUNTS_PAGE], uint64_t sum[3])
{
    uint32_t all = 0, once = 0;
    uint64_t twice = 0;
    _Static_assert(SMI_COUNTS_PAGE <= 256, "65,535 times the sum of 0 ... 255 fit in 32 bits");
    for (uint32_t k = 0; k < SMI_COUNTS_PAGE; k++) {
        all += counter[k];
        once += counter[k] * k;
        twice += (uint64_t)(counter[k] * k) * k;
    }
    sum[0] = all;
    sum[1] = once;
    sum[2] = twice;
}

/* Sums of what n numbers are above min, and of its squares, each in 64 bits. */
SMI_CLONES static void vector_above(const int32_t *u, size_t n, int32_t min, uint64_t *sum, uint64_t *squares)
{
    uint64_t all = 0, all2 = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t above = (uint32_t)u[i] - (uint32_t)min;
        all += above;
        all2 += (uint64_t)above * above;
    }
    *sum = all;
    *squares = all2;
}

/* What stands at some places of n > 0 numbers in order, none of them negative, and at the place behind each.
 * In v stands what is known already, all bits above `bit`. Bit by bit: how many numbers are below tells
 * whether it is set. The places stand side by side: GCC makes no vectors of a loop over them. */
SMI_CLONES static void vector_ranks(const int32_t *restrict u, size_t n,
                                    const uint32_t place[SMI_COUNTS_PERCENTILES], uint32_t bit,
                                    int32_t v[SMI_COUNTS_PERCENTILES], int32_t behind[SMI_COUNTS_PERCENTILES])
{
#define EACH_RANK(f) f(0) f(1) f(2) f(3) f(4) f(5) f(6)
#define BEGIN(k)                                  \
    const int32_t least##k = v[k] + (int32_t)bit; \
    uint32_t below##k = 0;
#define COUNT(k) below##k += u[i] < least##k;
#define SET(k) v[k] += below##k <= place[k] ? (int32_t)bit : 0;
    _Static_assert(SMI_COUNTS_PERCENTILES == 7, "EACH_RANK");
    for (; bit; bit >>= 1) {
        EACH_RANK(BEGIN)
        for (size_t i = 0; i < n; i++) {
            EACH_RANK(COUNT)
        }
        EACH_RANK(SET)
    }
    for (int k = 0; k < SMI_COUNTS_PERCENTILES; k++) {
        uint32_t here = (uint32_t)v[k], step = UINT32_MAX, upto = 0;
        for (size_t i = 0; i < n; i++) {
            const uint32_t above = (uint32_t)u[i] - here - 1; /* large if it is not */
            step = above < step ? above : step;
            upto += above > INT32_MAX;
        }
        behind[k] = (int32_t)(upto > place[k] + 1 ? here : here + 1 + step);
    }
}

/* Counts `more` readings at a place, in steps, where others were counted already and there is room; false if
 * it is not so. */
static inline bool smi_counts_more(struct smi_counts *c, uint64_t at, size_t more)
{
    const uint64_t k = at / SMI_COUNTS_PAGE;
    uint16_t *n = k < c->pages && c->page[k] ? &c->page[k][at % SMI_COUNTS_PAGE] : NULL;
    if (!n || !*n || more > (size_t)(UINT16_MAX - *n))
        return false;
    *n = (uint16_t)(*n + more);
    return true;
}

/* The hundredfold of what lies `part` hundredths of the way from a to b. */
static smi_i128 hundredfold_between(int64_t a, int64_t b, int64_t part)
{
    return (smi_i128)a * 100 + ((smi_i128)b - a) * part;
}

void smi_counts_init(struct smi_counts *c, int64_t step)
{
    *c = (struct smi_counts){.step = step};
}

void smi_counts_fini(struct smi_counts *c)
{
    for (size_t i = 0; i < c->pages; i++)
        smi_mem_free(c->page[i]);
    smi_mem_free(c->page);
    smi_mem_free(c->item);
    smi_map_fini(&c->map);
    smi_mem_free(c->few);
    *c = (struct smi_counts){.step = c->step};
}

struct smi_counts *smi_counts_new(struct smi_kept_counts *k, int64_t step)
{
    struct smi_counts *c = k && k->n ? k->list[--k->n] : smi_mem_new(1, sizeof *c);
    c->step = step;
    return c;
}

void smi_counts_free(struct smi_counts *c, struct smi_kept_counts *k)
{
    if (k && k->n < SMI_COUNTS_KEPT && !c->counting && !c->approximate) {
        c->fews = 0;
        k->list[k->n++] = c;
        return;
    }
    smi_counts_fini(c);
    smi_mem_free(c);
}

void smi_kept_counts_fini(struct smi_kept_counts *k)
{
    while (k->n)
        smi_counts_free(k->list[--k->n], NULL);
}

static bool has_value(const void *list, size_t place, const void *value)
{
    return ((const struct smi_counts_item *)list)[place].value == *(const int64_t *)value;
}

/* Adds n to a value of those in no page. Returns whether it is new. */
static bool add_item(struct smi_counts *c, int64_t v, int64_t n)
{
    const uint64_t hash = smi_hash_number((uint64_t)v);
    const size_t at = smi_map_find(&c->map, hash, has_value, c->item, &v);
    if (at != SMI_MAP_NONE) {
        c->item[at].n += n;
        return false;
    }
    smi_map_add(&c->map, hash, c->items);
    *SMI_MEM_ADD(c->item, c->items, c->cap) = (struct smi_counts_item){v, n};
    return true;
}

/* How wide v's bucket is: values under 2,048 have one each, others share the top 11 bits. */
static int64_t bucket_width(int64_t v)
{
    const uint64_t u = v < 0 ? -(uint64_t)v : (uint64_t)v;
    return u < 2048 ? 1 : (int64_t)1 << (64 - __builtin_clzll(u) - 11);
}

/* The end of v's bucket that is nearer to 0. */
static int64_t bucket_edge(int64_t v)
{
    return v - v % bucket_width(v);
}

static void add_to_bucket(struct smi_counts *c, int64_t v, int64_t n)
{
    c->min = c->n == 0 || v < c->min ? v : c->min;
    c->max = c->n == 0 || v > c->max ? v : c->max;
    c->n += n;
    c->sum += (smi_i128)v * n;
    c->sum2 += (smi_i128)v * v * n;
    add_item(c, bucket_edge(v), n);
}

/* All values of b, upwards. */
static void add_each(struct smi_counts *a, const struct smi_counts *b,
                     void (*add)(struct smi_counts *c, int64_t v, int64_t n))
{
    struct smi_counts_view v;
    struct smi_counts_cursor w = {0};
    struct smi_counts_item i;
    smi_counts_view(b, &v);
    while (smi_counts_view_next(&v, &w, &i))
        add(a, i.value, i.n);
    smi_counts_view_fini(&v);
}

/* Too many distinct values: from here on buckets and running sums. */
static void convert_to_buckets(struct smi_counts *c)
{
    struct smi_counts b = {.step = c->step, .counting = true, .approximate = true};
    add_each(&b, c, add_to_bucket);
    smi_counts_fini(c);
    *c = b;
}

static void add_sparse(struct smi_counts *c, int64_t v, int64_t n)
{
    if (c->approximate)
        add_to_bucket(c, v, n);
    else if (add_item(c, v, n) && ++c->distinct > SMI_DISTINCT_CAP)
        convert_to_buckets(c);
}

static void add_dense(struct smi_counts *c, uint64_t at, int64_t v, int64_t n)
{
    const size_t k = at / SMI_COUNTS_PAGE;
    uint16_t *counter;
    if (k >= c->pages)
        smi_mem_reserve(&c->page, &c->pages, k + 1, sizeof *c->page);
    if (!c->page[k])
        c->page[k] = smi_mem_new(SMI_COUNTS_PAGE, sizeof **c->page);
    counter = &c->page[k][at % SMI_COUNTS_PAGE];
    if (*counter == 0 && ++c->distinct > SMI_DISTINCT_CAP) {
        convert_to_buckets(c);
        add_sparse(c, v, n);
        return;
    }
    if (n > UINT16_MAX - *counter) { /* it keeps 1, so that it stays known, and the rest is an item */
        add_item(c, v, n + *counter - 1);
        n = 1 - *counter;
    }
    *counter = (uint16_t)(*counter + n);
}

/* Counts v n times, and the readings that were only kept until now. */
static void smi_counts_value(struct smi_counts *c, int64_t v, int64_t n)
{
    uint64_t at = v < 0 || c->approximate ? UINT64_MAX : (uint64_t)v / (uint64_t)c->step;
    if (at >= (uint64_t)SMI_COUNTS_PAGE * SMI_COUNTS_PAGES || at * (uint64_t)c->step != (uint64_t)v)
        add_sparse(c, v, n);
    else
        add_dense(c, at, v, n);
}

/* ---- Many readings of one unit, once they are counted ---- */

enum { AHEAD = 32, RUN = 8 };

enum { DIGIT_MAX = 9 /* bits */, PLACES = (1 << DIGIT_MAX) + 1, TURNS = 4 };

/* How often each of n readings comes, without its last `shift` bits: those from `first` on, places in all.
 * Neighbours often are equal, and each would wait for the one before it: they go into some tables in turn. */
SMI_CLONES static void count_places(const int32_t *u, size_t n, unsigned shift, int32_t first,
                                    unsigned places, uint16_t count[PLACES])
{
    uint16_t turn[TURNS][PLACES];
    size_t i = 0;
    if (places == 1) { /* many columns never change */
        *count = (uint16_t)n;
        return;
    }
    for (unsigned k = 0; k < TURNS; k++)
        memset(turn[k], 0, sizeof *count * places);
    for (; i + TURNS <= n; i += TURNS)
        for (unsigned k = 0; k < TURNS; k++)
            turn[k][(uint32_t)((u[i + k] >> shift) - first)]++;
    for (; i < n; i++)
        turn[0][(u[i] >> shift) - first]++;
    for (unsigned d = 0; d < places; d++)
        count[d] = (uint16_t)(turn[0][d] + turn[1][d] + turn[2][d] + turn[3][d]);
}

/* Values of one page, as most are, which differ in these bits: counted apart first. */
static void count_near(struct smi_counts *c, const int32_t *u, size_t n, uint32_t bits)
{
    const uint32_t width = UINT32_MAX >> __builtin_clz(bits), first = (uint32_t)u[0] & ~width;
    uint16_t count[PLACES];
    count_places(u, n, 0, (int32_t)first, width + 1, count);
    for (uint32_t k = 0; k <= width; k++)
        if (count[k] && !smi_counts_more(c, first + k, count[k]))
            smi_counts_value(c, (int64_t)(first + k) * c->step, count[k]);
}

/* Where the counters of the values u[0 ...] * ratio are, asked for from memory: of AHEAD values, and up to
 * the first that has no page. Returns how many. */
static size_t find_counters(const struct smi_counts *c, const int32_t *u, size_t n, uint64_t ratio,
                            uint16_t **at)
{
    uint16_t *const *page = c->page;
    size_t pages = c->pages, i = 0;
    for (n = n < AHEAD ? n : AHEAD; i < n; i++) {
        uint64_t place = (uint32_t)u[i] * ratio, k = place / SMI_COUNTS_PAGE;
        if (k >= pages || !page[k])
            break;
        at[i] = &page[k][place % SMI_COUNTS_PAGE];
        __builtin_prefetch(at[i], 1);
    }
    return i;
}

/* The values u[0 ...] * ratio that have a page, as long as each of their counters holds one more; the limit
 * of distinct values is out of reach. Returns how many. No branch depends on whether a value is the first of
 * its kind: it would be guessed wrong too often, while the counter is on its way from memory. All counters of
 * a few GPUs are more than the caches hold: while some are counted, the next are on their way. */
static size_t count_dense(struct smi_counts *c, const int32_t *u, size_t n, uint64_t ratio)
{
    uint16_t *at[2][AHEAD], **now = at[0], **next = at[1], **last;
    size_t first = 0, i = 0, k, some = find_counters(c, u, n, ratio, now), more;
    for (; some; some = more) {
        more = some == AHEAD ? find_counters(c, u + i + some, n - i - some, ratio, next) : 0;
        for (k = 0; k < some && *now[k] != UINT16_MAX; k++) {
            first += *now[k] == 0;
            ++*now[k];
        }
        i += k;
        if (k < some)
            break;
        last = now;
        now = next;
        next = last;
    }
    c->distinct += first;
    return i;
}

/* Counts u n times; ratio: steps in a unit, or 0 if they are not whole. */
static void count_one(struct smi_counts *c, int32_t u, size_t n, uint64_t ratio, int64_t scale)
{
    if (!ratio || !smi_counts_more(c, (uint32_t)u * ratio, n))
        smi_counts_value(c, u * scale, (int64_t)n);
}

/* The same of n values u[i] * scale, not negative. */
static void smi_counts_units(struct smi_counts *c, const int32_t *u, size_t n, int64_t scale)
{
    uint64_t ratio = scale % c->step ? 0 : (uint64_t)(scale / c->step);
    uint32_t bits = n ? vector_differing(u, n) : 0;
    bool runs;
    if (n && bits == 0) { /* as a GPU's often are, a block long */
        count_one(c, *u, n, ratio, scale);
        return;
    }
    if (ratio == 1 && bits < SMI_COUNTS_PAGE && bits < n && n < UINT16_MAX) {
        count_near(c, u, n, bits);
        return;
    }
    runs = vector_changes(u, n) < n / RUN; /* of equal readings, side by side */
    for (size_t i = 0, k; i < n; i = k) {
        if (!runs && ratio && c->distinct + (n - i) <= SMI_DISTINCT_CAP)
            i += count_dense(c, u + i, n - i, ratio);
        for (k = i + 1; runs && k < n && u[k] == u[i]; k++)
            ;
        if (i < n)
            count_one(c, u[i], k - i, ratio, scale);
    }
}

/* ---- kept, or counted ---- */

/* There are more than a few: those that were kept are counted. */
static void count_kept_readings(struct smi_counts *c)
{
    if (c->counting || c->approximate)
        return;
    c->counting = true;
    smi_counts_units(c, c->few, c->fews, c->step);
    smi_mem_free(c->few);
    c->few = NULL;
    c->fews = 0;
}

/* Are n readings more still a few? */
static bool are_few(const struct smi_counts *c, size_t n)
{
    return !c->counting && !c->approximate && n <= SMI_COUNTS_FEW - c->fews;
}

static void reserve_few(struct smi_counts *c)
{
    if (!c->few)
        c->few = smi_mem_raw(SMI_COUNTS_FEW * sizeof *c->few);
}

void smi_counts_add_many(struct smi_counts *c, int64_t v, int64_t n)
{
    uint64_t at;
    if (n <= 0)
        return;
    if (v >= 0 && are_few(c, (size_t)n)) {
        at = (uint64_t)v / (uint64_t)c->step;
        reserve_few(c);
        if (at <= INT32_MAX && at * (uint64_t)c->step == (uint64_t)v) {
            for (int32_t *few = c->few + c->fews, *end = few + n; few < end; few++)
                *few = (int32_t)at;
            c->fews += (unsigned)n;
            return;
        }
    }
    count_kept_readings(c);
    smi_counts_value(c, v, n);
}

/* Keeps n readings more, if they still are a few and fit; else they have to be counted. */
static bool keep_readings(struct smi_counts *c, const int32_t *u, size_t n, int64_t scale)
{
    int32_t ratio = (int32_t)(scale / c->step), any = 0, *few;
    if (*u < 0 || !are_few(c, n) || ratio * c->step != scale)
        return false;
    reserve_few(c);
    few = c->few + c->fews;
    for (size_t i = 0; i < n && ratio > 1; i++)
        any |= u[i];
    if (any > INT32_MAX / ratio)
        return false;
    c->fews += (unsigned)n;
    if (ratio == 1)
        memcpy(few, u, n * sizeof *few);
    for (size_t i = 0; i < n && ratio > 1; i++)
        few[i] = u[i] * ratio;
    return true;
}

void smi_counts_add_units(struct smi_counts *c, const int32_t *u, size_t n, int64_t scale)
{
    if (!n || keep_readings(c, u, n, scale))
        return;
    count_kept_readings(c);
    smi_counts_units(c, u, n, scale);
}

/* b holds buckets: their edges are keys of a as they are, and the exact sums add. */
static void merge_buckets(struct smi_counts *a, const struct smi_counts *b)
{
    if (!a->approximate)
        convert_to_buckets(a);
    for (size_t i = 0; i < b->items; i++)
        add_item(a, b->item[i].value, b->item[i].n);
    a->min = a->n == 0 || b->min < a->min ? b->min : a->min;
    a->max = a->n == 0 || b->max > a->max ? b->max : a->max;
    a->n += b->n;
    a->sum += b->sum;
    a->sum2 += b->sum2;
}

void smi_counts_add_bucket(struct smi_counts *c, int64_t v, int64_t n)
{
    add_item(c, bucket_edge(v), n);
}

void smi_counts_merge(struct smi_counts *a, const struct smi_counts *b)
{
    if (b->approximate)
        merge_buckets(a, b);
    else if (b->counting)
        add_each(a, b, smi_counts_add_many);
    else
        smi_counts_add_units(a, b->few, b->fews, b->step);
}

/* ---- The few readings of counts that were only kept: what is asked of them ---- */

/* The readings at n places (rising) of the few in order, and the next larger ones, as in vector_ranks.
 * Most columns differ in few bits, so that counting tells all; else it tells the first bits. */
static void rank_few(const struct smi_counts *c, int32_t min, int32_t max, const uint32_t *place, size_t n,
                     int32_t *v, int32_t *behind)
{
    const unsigned bits = max > min ? 32 - (unsigned)__builtin_clz((uint32_t)max - (uint32_t)min) : 0,
                   shift = bits > DIGIT_MAX ? bits - DIGIT_MAX : 0;
    const int32_t first = min >> shift;
    const unsigned places = (unsigned)((max >> shift) - first) + 1;
    uint16_t count[PLACES];
    uint32_t upto = 0, d = 0, next;
    count_places(c->few, c->fews, shift, first, places, count);
    for (size_t i = 0; i < n; i++) {
        while (upto + count[d] <= place[i])
            upto += count[d++];
        next = d;
        if (upto + count[d] == place[i] + 1)
            for (next++; next < places && !count[next];)
                next++;
        v[i] = (first + (int32_t)d) << shift;
        behind[i] = first + (int32_t)(next < places ? next : d);
    }
    if (shift)
        vector_ranks(c->few, c->fews, place, 1u << (shift - 1), v, behind);
}

/* As smi_counts_figures. c->fews > 0. The sums are n * min^2 + 2 * min * sum + sum2 of what the readings are
 * above min. */
static void smi_counts_few_figures(const struct smi_counts *c, const int *at, size_t n,
                                   struct smi_counts_figures *f, int64_t *out)
{
    int32_t v[SMI_COUNTS_PERCENTILES] = {0}, next[SMI_COUNTS_PERCENTILES] = {0}, low, high;
    uint32_t place[SMI_COUNTS_PERCENTILES] = {0}, last = c->fews - 1;
    uint64_t sum, squares;
    smi_u128 sum2;
    _Static_assert(SMI_COUNTS_FEW <= 1 << 10, "so many squares of 27 bits fit in 64");
    smi_vector_ends(c->few, c->fews, &low, &high);
    vector_above(c->few, low < high ? c->fews : 0, low, &sum, &squares); /* many columns never change */
    sum2 = squares;
    for (unsigned i = (high - low) >> 27 ? 0 : c->fews; i < c->fews; i++) {
        smi_u128 above = (smi_u128)(c->few[i] - low);
        sum2 = i ? sum2 + above * above : above * above;
    }
    *f = (struct smi_counts_figures){.n = c->fews, .min = low * c->step, .max = high * c->step};
    f->sum = ((smi_i128)sum + (smi_i128)f->n * low) * c->step;
    f->sum2 = ((smi_i128)sum2 + 2 * (smi_i128)sum * low + (smi_i128)f->n * low * low) * c->step * c->step;
    for (size_t i = 0; i < n; i++)
        place[i] = last * (uint32_t)at[i] / 100;
    if (n)
        rank_few(c, low, high, place, n, v, next);
    for (size_t i = 0; i < n; i++) /* a percentile lies between two neighbours */
        out[i] = (int64_t)smi_i128_div(
            hundredfold_between(v[i] * c->step, next[i] * c->step, last * (uint32_t)at[i] % 100), 100);
}

/* ---- Counts as a list in order, and what is read from it ---- */

/* The next count of the pages that is not 0, from w on; 0 behind the last. */
static uint32_t next_counter(const struct smi_counts *c, struct smi_counts_cursor *w)
{
    static const uint16_t none[8];
    for (; w->page < c->pages; w->page++, w->place = 0) {
        const uint16_t *page = c->page[w->page];
        for (; page && w->place < SMI_COUNTS_PAGE; w->place++) {
            if (w->place % 8 == 0 && memcmp(page + w->place, none, sizeof none) == 0)
                w->place += 7; /* most of a page is empty */
            else if (page[w->place])
                return page[w->place];
        }
    }
    return 0;
}

/* What a bucket stands for: the middle of it, kept inside min and max. */
static int64_t representative(const struct smi_counts *c, int64_t edge)
{
    const int64_t half = bucket_width(edge) / 2, v = edge < 0 ? edge - half : edge + half;
    return v < c->min ? c->min : v > c->max ? c->max : v;
}

static int by_value(const void *a, const void *b)
{
    const struct smi_counts_item *x = a, *y = b;
    return (x->value > y->value) - (x->value < y->value);
}

static inline void extend_range(struct smi_counts_figures *f, int64_t v)
{
    f->min = f->n == 0 || v < f->min ? v : f->min;
    f->max = f->n == 0 || v > f->max ? v : f->max;
}

/* The counters of page i: sums of places first, which fit into 64 bits. */
static void add_page(struct smi_counts_figures *f, const struct smi_counts *c, size_t i)
{
    const uint16_t *p = c->page[i];
    const smi_i128 base = (smi_i128)i * SMI_COUNTS_PAGE;
    size_t first = 0, last = SMI_COUNTS_PAGE - 1;
    uint64_t sum[3];
    vector_moments(p, sum);
    if (!sum[0])
        return;
    while (!p[first])
        first++;
    while (!p[last])
        last--;
    extend_range(f, (int64_t)(base + first) * c->step);
    f->n += (int64_t)sum[0];
    extend_range(f, (int64_t)(base + last) * c->step);
    f->sum += (base * sum[0] + sum[1]) * c->step;
    f->sum2 += (base * base * sum[0] + 2 * base * sum[1] + sum[2]) * c->step * c->step;
}

int64_t smi_counts_total(const struct smi_counts *c)
{
    int64_t n = c->fews;
    if (c->approximate)
        return c->n;
    for (size_t i = 0; i < c->pages; i++)
        n += c->page[i] ? vector_total(c->page[i]) : 0;
    for (size_t i = 0; i < c->items; i++)
        n += c->item[i].n;
    return n;
}

/* One pass of a sort: from[0 ... n - 1] to `to`, in the order of the digit at `shift`, equal ones as they
 * stood. */
static void sort_pass(const uint32_t *from, uint32_t *to, unsigned n, unsigned shift)
{
    enum { DIGITS = 1 << DIGIT_MAX };
    uint16_t at[DIGITS] = {0}, sum = 0;
    for (unsigned i = 0; i < n; i++)
        at[from[i] >> shift & (DIGITS - 1)]++;
    for (unsigned d = 0; d < DIGITS; d++) {
        sum = (uint16_t)(sum + at[d]);
        at[d] = (uint16_t)(sum - at[d]);
    }
    for (unsigned i = 0; i < n; i++)
        to[at[from[i] >> shift & (DIGITS - 1)]++] = from[i];
}

/* Readings that were only kept, as items in order; room for as many as there are. Returns how many. */
static size_t list_few(const struct smi_counts *c, struct smi_counts_item *list)
{
    uint32_t v[2][SMI_COUNTS_FEW], *from = v[0], *to = v[1], *swap;
    int32_t min, max;
    size_t n = 0;
    smi_vector_ends(c->few, c->fews, &min, &max);
    for (unsigned i = 0; i < c->fews; i++)
        from[i] = (uint32_t)c->few[i] - (uint32_t)min;
    for (unsigned shift = 0; shift < 32 && ((uint32_t)max - (uint32_t)min) >> shift; shift += DIGIT_MAX) {
        sort_pass(from, to, c->fews, shift);
        swap = from;
        from = to;
        to = swap;
    }
    for (unsigned i = 0; i < c->fews; i++)
        if (i && from[i] == from[i - 1])
            list[n - 1].n++;
        else
            list[n++] = (struct smi_counts_item){(min + (int64_t)from[i]) * c->step, 1};
    return n;
}

void smi_counts_view(const struct smi_counts *c, struct smi_counts_view *out)
{
    struct smi_counts_figures *all = &out->all;
    *out = (struct smi_counts_view){.c = c};
    out->list = smi_mem_raw((c->fews + c->items) * sizeof *out->list);
    if (c->fews) {
        out->items = list_few(c, out->list);
    } else {
        for (; out->items < c->items; out->items++) {
            struct smi_counts_item i = c->item[out->items];
            i.value = c->approximate ? representative(c, i.value) : i.value;
            out->list[out->items] = i;
        }
        qsort(out->list, out->items, sizeof *out->list, by_value);
    }
    for (size_t k = 0; k < out->items; k++) {
        const struct smi_counts_item i = out->list[k];
        extend_range(all, i.value);
        all->n += i.n;
        all->sum += (smi_i128)i.value * i.n;
        all->sum2 += (smi_i128)i.value * i.value * i.n;
    }
    for (size_t i = 0; i < c->pages; i++)
        if (c->page[i])
            add_page(all, c, i);
    if (c->approximate) {
        all->min = c->min;
        all->max = c->max;
        all->sum = c->sum;
        all->sum2 = c->sum2;
    }
}

void smi_counts_view_fini(struct smi_counts_view *v)
{
    smi_mem_free(v->list);
    *v = (struct smi_counts_view){0};
}

bool smi_counts_view_next(const struct smi_counts_view *v, struct smi_counts_cursor *w,
                          struct smi_counts_item *out)
{
    const struct smi_counts_item *item = w->item < v->items ? v->list + w->item : NULL;
    uint32_t count = next_counter(v->c, w);
    int64_t value = (int64_t)(w->page * SMI_COUNTS_PAGE + w->place) * v->c->step;
    if (!count && !item)
        return false;
    *out = !count || (item && item->value < value) ? *item : (struct smi_counts_item){value, count};
    if (count && item && item->value == value) /* a counter that overflowed is in both */
        out->n += item->n;
    w->place += count && out->value == value;
    w->item += item && out->value == item->value;
    return true;
}

struct smi_percentile smi_percentile_place(int64_t n, int percent)
{
    return (struct smi_percentile){(n - 1) * percent / 100, (n - 1) * percent % 100};
}

smi_i128 smi_percentile_hundredfold(const int64_t *sorted, size_t n, int percent)
{
    struct smi_percentile p = smi_percentile_place((int64_t)n, percent);
    return hundredfold_between(sorted[p.i], sorted[p.i + (p.part > 0)], p.part);
}

/* Passes pages that have n readings at most, where a page begins, and pages are all that there is. Returns
 * how many readings they have. */
static int64_t pass_pages(const struct smi_counts_view *v, struct smi_counts_cursor *w, int64_t n)
{
    int64_t passed = 0;
    for (; w->place % SMI_COUNTS_PAGE == 0 && w->page < v->c->pages; w->place = 0, w->page++) {
        const int64_t end = (int64_t)((w->page + !w->place) * SMI_COUNTS_PAGE) * v->c->step;
        const uint16_t *p = w->place ? NULL : v->c->page[w->page]; /* or it is done */
        const uint32_t all = p ? vector_total(p) : 0;
        if (all > n - passed || (w->item < v->items && v->list[w->item].value < end))
            break;
        passed += all;
    }
    return passed;
}

/* A walk to places that rise: so many readings are up to the item, itself included. */
struct walk {
    struct smi_counts_cursor w;
    struct smi_counts_item item;
    int64_t upto;
};

static int64_t value_at(const struct smi_counts_view *v, struct walk *s, int64_t i)
{
    while (s->upto <= i) {
        s->upto += pass_pages(v, &s->w, i - s->upto);
        if (!smi_counts_view_next(v, &s->w, &s->item))
            break;
        s->upto += s->item.n;
    }
    return s->item.value;
}

int64_t smi_counts_median(const struct smi_counts *c)
{
    const int64_t n = smi_counts_total(c), i = (n - 1) / 2;
    const uint32_t place[SMI_COUNTS_PERCENTILES] = {(uint32_t)i};
    int32_t few[SMI_COUNTS_PERCENTILES] = {0}, behind[SMI_COUNTS_PERCENTILES] = {0}, low, high;
    struct smi_counts_view v;
    int64_t value;
    if (!n)
        return -1;
    if (c->fews) {
        smi_vector_ends(c->few, c->fews, &low, &high);
        rank_few(c, low, high, place, 1, few, behind);
        return few[0] * c->step;
    }
    smi_counts_view(c, &v);
    value = value_at(&v, &(struct walk){.upto = 0}, i);
    smi_counts_view_fini(&v);
    return value;
}

int64_t smi_counts_below(const struct smi_counts *c, int64_t v)
{
    struct smi_counts_cursor w = {0};
    struct smi_counts_item item;
    struct smi_counts_view all;
    int64_t n = 0;
    for (unsigned i = 0; i < c->fews; i++)
        n += c->few[i] * c->step < v;
    if (c->fews)
        return n;
    smi_counts_view(c, &all);
    while (smi_counts_view_next(&all, &w, &item) && item.value < v)
        n += item.n;
    smi_counts_view_fini(&all);
    return n;
}

static void percentiles(const struct smi_counts_view *v, const int *at, size_t n, int64_t *out)
{
    struct walk here = {.upto = 0}, after;
    for (size_t i = 0; i < n && v->all.n; i++) {
        const struct smi_percentile p = smi_percentile_place(v->all.n, at[i]);
        const int64_t low = value_at(v, &here, p.i);
        after = here;
        out[i] = (int64_t)smi_i128_div(hundredfold_between(low, value_at(v, &after, p.i + 1), p.part), 100);
    }
}

void smi_counts_figures(const struct smi_counts *c, const int *at, size_t n, struct smi_counts_figures *f,
                        int64_t *out)
{
    struct smi_counts_view v;
    if (c->fews) {
        smi_counts_few_figures(c, at, n, f, out);
        return;
    }
    smi_counts_view(c, &v);
    *f = v.all;
    percentiles(&v, at, n, out);
    smi_counts_view_fini(&v);
}

int64_t smi_counts_stddev(const struct smi_counts_figures *f)
{
    smi_i128 n = f->n, q = f->sum / n, r = f->sum % n, t, a, b, var;
    smi_u128 wide;
    uint64_t s;
    if (r < 0) { /* divmod as docs/numbers.md means it: the remainder is never negative */
        r += n;
        q -= 1;
    }
    /* The parts may leave 127 bits, their sum never does: wrap in unsigned arithmetic. */
    wide = (smi_u128)f->sum2 - 2 * (smi_u128)q * (smi_u128)f->sum + (smi_u128)n * (smi_u128)q * (smi_u128)q;
    t = (smi_i128)wide;
    a = t / n;
    b = t % n;
    var = a - (n * b < r * r);
    s = smi_u128_sqrt((smi_u128)var);
    return (int64_t)(var - (smi_i128)s * s > (smi_i128)s ? s + 1 : s);
}

/* ---- loops over columns ---- */

SMI_CLONES void smi_vector_pick(const int32_t *restrict u, const uint16_t *restrict at, size_t n,
                                int32_t *restrict out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = u[at[i]];
}

SMI_CLONES unsigned smi_vector_keep(const int32_t *restrict u, size_t n, int32_t least, int32_t most,
                                    uint8_t *restrict on)
{
    unsigned all = 0;
    for (size_t i = 0; i < n; i++)
        on[i] = (uint8_t)(on[i] & (u[i] >= least) & (u[i] <= most));
    for (size_t i = 0; i < n; i++)
        all += on[i];
    return all;
}

SMI_CLONES void smi_vector_ends(const int32_t *u, size_t n, int32_t *min, int32_t *max)
{
    int32_t low = *u, high = *u;
    for (size_t i = 1; i < n; i++) {
        low = u[i] < low ? u[i] : low;
        high = u[i] > high ? u[i] : high;
    }
    *min = low;
    *max = high;
}

SMI_CLONES uint64_t smi_vector_distances(const int64_t *restrict t, size_t n, int64_t last,
                                         int32_t *restrict d)
{
    uint64_t other = (uint64_t)t[0] - (uint64_t)last - 1;
    d[0] = (int32_t)(t[0] - last);
    for (size_t i = 1; i < n; i++) {
        uint64_t now = (uint64_t)t[i] - (uint64_t)t[i - 1];
        d[i] = (int32_t)now;
        other |= now - 1;
    }
    return other >> SMI_VECTOR_DISTANCE_BITS;
}

SMI_CLONES uint64_t smi_vector_area(const int32_t *u, const int32_t *dt, size_t n)
{
    const int32_t *before = u - 1;
    uint64_t all = 0;
    for (size_t i = 0; i < n; i++) /* 32 bits by 32, as machines have it for many at once */
        all += (uint64_t)((uint32_t)before[i] + (uint32_t)u[i]) * (uint32_t)dt[i];
    return all;
}
