/* How many GPUs print in turn, told by the distances between rows alone. */
#include "aggregate/attribute.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

struct rows {
    const int64_t *t;
    const bool *hard;
    size_t n;
};

static int compare_distances(const void *x, const void *y)
{
    int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;
    return (a > b) - (a < b);
}

/* Most distances lie near each other: they are counted. */
static void sort_distances(int64_t *pos, size_t n)
{
    enum { NEAR = 4096 };
    uint16_t count[NEAR];
    _Static_assert(SMI_BURST_PLAN_ROWS <= UINT16_MAX, "so many distances are counted");
    int64_t min = INT64_MAX, max = 0;
    size_t k = 0;
    for (size_t i = 0; i < n; i++) {
        min = pos[i] < min ? pos[i] : min;
        max = pos[i] > max ? pos[i] : max;
    }
    if (n == 0 || max - min >= NEAR) {
        smi_sort(pos, n, sizeof *pos, compare_distances);
        return;
    }
    memset(count, 0, (size_t)(max - min + 1) * sizeof *count);
    for (size_t i = 0; i < n; i++)
        count[pos[i] - min]++;
    for (int64_t v = min; v <= max; v++)
        while (count[v - min]--)
            pos[k++] = v;
}

static bool begins_burst(const struct rows *r, size_t i, const struct smi_burst_plan *p)
{
    int64_t x;
    if (r->hard[i])
        return true;
    if (!p->by_time)
        return false;
    x = r->t[i] - r->t[i - 1];
    return x < 0 || (smi_i128)x * x > (smi_i128)p->a * p->b;
}

/* Sizes of the bursts that a plan cuts. size has room for r->n. */
static size_t cut_bursts(const struct rows *r, const struct smi_burst_plan *p, size_t *size)
{
    size_t n = 0;
    for (size_t i = 0; i < r->n; i++) {
        if (i == 0 || begins_burst(r, i, p))
            size[n++] = 0;
        size[n - 1]++;
    }
    return n;
}

static size_t count_size(const size_t *size, size_t n, size_t what)
{
    size_t c = 0;
    for (size_t i = 0; i < n; i++)
        c += size[i] == what;
    return c;
}

/* The most frequent size; of equals the larger. */
static size_t most_frequent_size(const size_t *size, size_t n)
{
    size_t count[SMI_BURST_PLAN_ROWS + 1] = {0}, best = 0;
    for (size_t i = 0; i < n; i++)
        count[size[i]]++;
    for (size_t s = 1; s <= SMI_BURST_PLAN_ROWS; s++)
        if (count[s] && count[s] >= count[best])
            best = s;
    return best;
}

/* Judges one way to cut. The first and the last burst may be halves: they only count if they are whole;
 * longer than a whole one is none (unless p->size says what a whole one is). Returns the number of GPUs, or
 * 0; *share as a fraction good / full. */
static size_t score_plan(const struct rows *r, const struct smi_burst_plan *p, size_t *good, size_t *full)
{
    size_t size[SMI_BURST_PLAN_ROWS], bursts = cut_bursts(r, p, size), n;
    const size_t *middle = bursts > 2 ? size + 1 : size;
    *full = bursts > 2 ? bursts - 2 : bursts;
    n = p->size ? (size_t)p->size : most_frequent_size(middle, *full);
    *good = count_size(middle, *full, n);
    if (bursts > 2) {
        size_t ends = (size_t)(size[0] == n) + (size_t)(size[bursts - 1] == n);
        *good += ends;
        *full += ends;
    }
    if (n < 2 || n > SMI_BURST_MAX || *full < 2 || *good * 10 <= *full * 6)
        return 0;
    if (!p->size && (size[0] > n || size[bursts - 1] > n))
        return 0;
    return p->by_time && bursts < 4 && p->b < 10 * p->a ? 0 : n;
}

static struct smi_burst_plan best_cut(const struct rows *r, const int64_t *pos, size_t n, int want)
{
    struct smi_burst_plan best = {.kind = SMI_BURST_PLAN_UNDECIDED};
    size_t best_good = 0, best_full = 1;
    for (size_t i = 0; i + 1 < n; i++) {
        struct smi_burst_plan p = {SMI_BURST_PLAN_BURSTS, want, true, pos[i], pos[i + 1]};
        size_t good, full, size;
        smi_i128 more;
        if (p.a > 100) /* and so are those behind it */
            break;
        if (p.b < 2 * p.a)
            continue;
        size = score_plan(r, &p, &good, &full);
        if (!size)
            continue;
        more = (smi_i128)good * (smi_i128)best_full - (smi_i128)best_good * (smi_i128)full;
        if (best.kind == SMI_BURST_PLAN_BURSTS &&
            (more < 0 || (more == 0 && (smi_i128)p.b * best.a <= (smi_i128)best.b * p.a)))
            continue;
        best = p;
        best.size = (int)size;
        best_good = good;
        best_full = full;
    }
    return best;
}

/* Regular enough to be one GPU that is read in a loop. */
static bool is_one_device(const int64_t *pos, size_t n, size_t distances)
{
    int64_t median, p10;
    size_t far = 0;
    if (n == 0)
        return false;
    median = pos[(n - 1) / 2];
    p10 = pos[(n - 1) / 10];
    for (size_t i = 0; i < n; i++)
        far += pos[i] >= 3 * median;
    return ((n >= 32 && median >= 3) || median > 100) && 3 * p10 >= median && far <= (distances + 19) / 20;
}

/* Does another cut speak for a multiple of the GPUs found? Then these may be half sweeps, or the one GPU may
 * be two that print at nearly even distances. Pauses count from 11 ms: one GPU alone, read as fast as it
 * goes, wavers between 5 and 10 ms in turn. Beside several GPUs only what is no jitter of theirs counts. */
static bool is_doubtful(const struct rows *r, const int64_t *pos, size_t n, int gpus)
{
    for (size_t i = 0; i + 1 < n; i++) {
        struct smi_burst_plan p = {SMI_BURST_PLAN_BURSTS, 0, true, pos[i], pos[i + 1]};
        size_t good, full, size;
        if (p.a > 100)
            break;
        if (p.b < p.a + 2 || p.b <= 10 || (gpus > 1 && 2 * p.b < 3 * p.a))
            continue;
        size = score_plan(r, &p, &good, &full);
        if (size > (size_t)gpus && size % (size_t)gpus == 0)
            return true;
    }
    return false;
}

/* Without times only the hard boundaries are left. */
static struct smi_burst_plan plan_by_boundaries(const struct rows *r, int want)
{
    struct smi_burst_plan p = {SMI_BURST_PLAN_BURSTS, want, false, 0, 0};
    size_t size[SMI_BURST_PLAN_ROWS], bursts = cut_bursts(r, &p, size), n = most_frequent_size(size, bursts);
    if (want > 1)
        return p;
    if (bursts < 2 || n > SMI_BURST_MAX || count_size(size, bursts, n) * 10 < bursts * 6)
        return (struct smi_burst_plan){.kind = SMI_BURST_PLAN_UNDECIDED};
    if (n == 1)
        return (struct smi_burst_plan){.kind = SMI_BURST_PLAN_ONE, .size = 1};
    p.size = (int)n;
    return p;
}

struct smi_burst_plan smi_burst_plan_make(const int64_t *t, const bool *hard, size_t n, int want)
{
    const struct rows r = {t, hard, n < SMI_BURST_PLAN_ROWS ? n : SMI_BURST_PLAN_ROWS};
    const struct smi_burst_plan one = {.kind = SMI_BURST_PLAN_ONE, .size = 1},
                                undecided = {.kind = SMI_BURST_PLAN_UNDECIDED};
    struct smi_burst_plan p;
    int64_t pos[SMI_BURST_PLAN_ROWS];
    size_t np = 0;
    if (want == 1 || (r.n == 1 && want == 0))
        return one;
    if (!t)
        return plan_by_boundaries(&r, want);
    for (size_t i = 0; i + 1 < r.n; i++)
        if (t[i + 1] >= t[i])
            pos[np++] = t[i + 1] > t[i] ? t[i + 1] - t[i] : 1;
    sort_distances(pos, np);
    p = best_cut(&r, pos, np, want);
    if (want > 1)
        return p.kind == SMI_BURST_PLAN_BURSTS ? p : plan_by_boundaries(&r, want);
    if (p.kind == SMI_BURST_PLAN_UNDECIDED && is_one_device(pos, np, r.n ? r.n - 1 : 0))
        p = one;
    return p.kind != SMI_BURST_PLAN_UNDECIDED && is_doubtful(&r, pos, np, p.size) ? undecided : p;
}
