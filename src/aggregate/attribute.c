/* attribute.c - which GPU a row without a key belongs to: rows of one poll, told by their times. */
#include "aggregate/ingest.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* ---- How many GPUs print in turn, told by the distances between rows alone ---- */

struct rows {
    const int64_t *t;
    const bool *hard;
    size_t n;
};

enum { SLOW_MS = 100 /* rows of one burst are never further apart */ };

static int compare_distances(const void *x, const void *y)
{
    const int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;
    return (a > b) - (a < b);
}

/* Sizes of the bursts that a plan cuts. size has room for r->n. */
static size_t cut_bursts(const struct rows *r, const struct smi_burst_plan *p, size_t *size)
{
    size_t n = 0;
    for (size_t i = 0; i < r->n; i++) {
        const int64_t x = i && p->by_time ? r->t[i] - r->t[i - 1] : 0;
        if (i == 0 || r->hard[i] || x < 0 || (p->by_time && (smi_i128)x * x > (smi_i128)p->a * p->b))
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
        if (p.a > SLOW_MS) /* and so are those behind it */
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
    return ((n >= 32 && median >= 3) || median > SLOW_MS) && 3 * p10 >= median &&
           far <= (distances + 19) / 20;
}

/* Does another cut speak for a multiple of the GPUs found? Then these may be half sweeps, or the one GPU may
 * be two that print at nearly even distances. Pauses count from 11 ms: one GPU alone, read as fast as it
 * goes, wavers between 5 and 10 ms in turn. Beside several GPUs only what is no jitter of theirs counts. */
static bool is_doubtful(const struct rows *r, const int64_t *pos, size_t n, int gpus)
{
    for (size_t i = 0; i + 1 < n; i++) {
        struct smi_burst_plan p = {SMI_BURST_PLAN_BURSTS, 0, true, pos[i], pos[i + 1]};
        size_t good, full, size;
        if (p.a > SLOW_MS)
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
    int64_t pos[SMI_BURST_PLAN_ROWS], shortest = INT64_MAX, longest = 0;
    size_t np = 0;
    if (want == 1 || (r.n == 1 && want == 0))
        return one;
    if (!t)
        return plan_by_boundaries(&r, want);
    for (size_t i = 0; i + 1 < r.n; i++)
        if (t[i + 1] >= t[i]) {
            pos[np] = t[i + 1] > t[i] ? t[i + 1] - t[i] : 1;
            shortest = pos[np] < shortest ? pos[np] : shortest;
            longest = pos[np] > longest ? pos[np] : longest;
            np++;
        }
    if (want <= 1 && np && shortest > SLOW_MS && longest < 3 * shortest)
        return one; /* as what follows says of such distances: most logs have them, and need not be sorted */
    smi_sort(pos, np, sizeof *pos, compare_distances);
    p = best_cut(&r, pos, np, want);
    if (want > 1)
        return p.kind == SMI_BURST_PLAN_BURSTS ? p : plan_by_boundaries(&r, want);
    if (p.kind == SMI_BURST_PLAN_UNDECIDED && is_one_device(pos, np, r.n ? r.n - 1 : 0))
        p = one;
    return p.kind != SMI_BURST_PLAN_UNDECIDED && is_doubtful(&r, pos, np, p.size) ? undecided : p;
}

/* Rows kept back. */
struct kept {
    struct smi_rows r; /* in smi_attribute.room */
    bool hard;         /* a boundary stands in front of them */
};

enum {
    ENOUGH = 33 /* rows to tell one GPU by */,
    HUB_ROWS = 4096 /* of all machines wait, or more: */,
    MACHINE_ROWS = 64 /* of each on average */,
    POLL_MS = 100 /* rows of one poll are at most so far apart */
};

struct smi_attribute {
    struct smi_sink sink;
    struct smi_sink *to;
    struct smi_devices *devices;
    struct smi_account *account;
    int want;
    bool planned, hard, timed;
    struct smi_burst_plan plan;
    int64_t most_ms;  /* the longest distance between two rows of one burst */
    size_t most_rows; /* how many rows a burst can have */
    /* Blocks that wait for the plan; later those of the open burst, until it is too long. */
    struct kept *kept;
    size_t n, cap;         /* blocks that wait */
    size_t rows;           /* rows of these blocks */
    struct smi_arena room; /* their memory */
    size_t open; /* rows of the open burst, which is still coming in; none of them waits if it is too long */
    int *of;     /* the devices of a whole burst by the place of their row in it; known: it is filled */
    size_t of_cap;
    bool known;
    int64_t last_ms;
    int64_t passed; /* rows of no device that went on */
    bool has_now;
    int64_t now_ms; /* time of the last row that came in */
    bool has_named;
    int64_t named_ms; /* time of the last row that names its GPU */
    int machine;      /* the device of the machine that all rows are of; or -1 */
    /* Of rows with a machine in front, or NULL: keeps them all until it is planned, which makes the plan of
     * each machine's stream, so that they go on in the order of time. */
    struct smi_attribute *hub;
    struct smi_attribute **stream; /* of a hub */
    size_t streams, stream_cap;
};

/* The device at this place of a burst; row: of all that went on, the one that is about it. Where all rows
 * without a key are of one GPU, and other rows name one, that is the one, unless both are read in one poll.
 */
static int find_keyless_device(struct smi_attribute *a, int place, int64_t row)
{
    bool one = a->plan.kind == SMI_BURST_PLAN_ONE;
    int who;
    if (a->machine >= 0)
        return one ? a->machine : smi_devices_find_on_machine(a->devices, a->machine, place);
    who = one && a->devices->n == 1 ? 0 : smi_devices_find_ordinal(a->devices, place);
    if (who >= 0)
        smi_devices_take_name(a->devices, who, row);
    return who;
}

static int pass_rows(struct smi_attribute *a, const struct smi_rows *r, unsigned n, const int *who,
                     struct smi_err *err)
{
    const struct smi_rows p = smi_rows_part(r, 0, n, who);
    a->passed += n;
    return n ? a->to->rows(a->to, &p, err) : 0;
}

/* Rows once there is a plan of one GPU, or none. */
static int pass_block(struct smi_attribute *a, const struct smi_rows *r, struct smi_err *err)
{
    const bool undecided = a->plan.kind == SMI_BURST_PLAN_UNDECIDED;
    struct smi_rows p = *r;
    int all[SMI_ROWS_MAX], who = undecided && a->machine >= 0 ? a->machine : SMI_DEVICE_POOL;
    a->account->undecided += undecided ? r->n : 0;
    p.timed &= !undecided || a->machine < 0; /* the pool of a machine is its device, without times */
    for (unsigned i = 0; i < r->n && !undecided && (i == 0 || a->passed + i < SMI_NAMED_ROWS_MAX); i++)
        who = find_keyless_device(a, 0, a->passed + i);
    for (unsigned i = 0; i < r->n; i++)
        all[i] = who;
    return pass_rows(a, &p, r->n, all, err);
}

static void keep_rows(struct smi_attribute *a, const struct smi_rows *r)
{
    *SMI_MEM_ADD(a->kept, a->n, a->cap) = (struct kept){smi_rows_copy(r, &a->room), a->hard};
    a->rows += r->n;
    a->hard = false;
}

/* ---- bursts: a whole one is of GPUs 0, 1, ..., any other is pooled ---- */

/* The rows of the open burst that were kept. */
static int pass_kept(struct smi_attribute *a, bool whole, struct smi_err *err)
{
    const int *of = a->of;
    int who[SMI_ROWS_MAX], rc = 0;
    for (size_t k = 0; k < a->n && rc == 0; k++) {
        const struct smi_rows *r = &a->kept[k].r;
        for (unsigned i = 0; i < r->n; i++)
            who[i] = whole ? *of++ : SMI_DEVICE_POOL;
        rc = pass_rows(a, r, r->n, who, err);
    }
    a->account->ragged_rows += whole ? 0 : (int64_t)a->rows;
    a->n = a->rows = 0;
    smi_arena_reset(&a->room);
    return rc;
}

/* The open burst ends with n rows more, from row `from` of a block on: whose they are. */
static int end_burst(struct smi_attribute *a, unsigned from, unsigned n, int *who, struct smi_err *err)
{
    const bool whole = a->open + n == (size_t)a->plan.size;
    const int64_t row = a->passed + from;
    if (whole && (!a->known || row < SMI_NAMED_ROWS_MAX || a->machine >= 0)) {
        a->known = true;
        smi_mem_reserve(&a->of, &a->of_cap, (size_t)a->plan.size, sizeof *a->of);
        for (int k = 0; k < a->plan.size; k++)
            a->of[k] = find_keyless_device(a, k, row + k);
    }
    a->account->ragged_bursts += !whole;
    a->account->ragged_rows += whole ? 0 : n;
    if (a->n && pass_kept(a, whole, err))
        return -1;
    for (unsigned k = 0; k < n; k++)
        who[k] = whole ? a->of[a->open + k] : SMI_DEVICE_POOL;
    a->open = 0;
    return 0;
}

static int flush_burst(struct smi_attribute *a, struct smi_err *err)
{
    return a->open ? end_burst(a, 0, 0, NULL, err) : 0;
}

/* Are two rows too far apart for one burst, the second of which is of this block? A step back is a long
 * distance, but not of times that are on another base than those before. */
static bool is_far(const struct smi_attribute *a, const struct smi_rows *r, int64_t before_ms, int64_t t_ms)
{
    return (r->timed || t_ms > before_ms) && (uint64_t)(t_ms - before_ms) > (uint64_t)a->most_ms;
}

/* Does a burst begin with the first of these rows, while another is open? */
static bool begins_burst(const struct smi_attribute *a, const struct smi_rows *r)
{
    return a->open == a->most_rows || is_far(a, r, a->last_ms, r->t_ms ? *r->t_ms : 0);
}

/* Where the burst ends that row `from` belongs to. */
static unsigned find_end(const struct smi_attribute *a, const struct smi_rows *r, unsigned from)
{
    const size_t rest = a->most_rows - a->open;
    const unsigned most = r->n - from < rest ? r->n : from + (unsigned)rest;
    const int64_t *t_ms = r->t_ms;
    unsigned i = t_ms ? from + 1 : most;
    while (i < most && !is_far(a, r, t_ms[i - 1], t_ms[i]))
        i++;
    return i;
}

static int add_to_bursts(struct smi_attribute *a, const struct smi_rows *r, struct smi_err *err)
{
    int who[SMI_ROWS_MAX];
    unsigned from = 0, end;
    if (a->open && (a->hard || begins_burst(a, r)) && flush_burst(a, err))
        return -1;
    for (; (end = find_end(a, r, from)) < r->n; from = end)
        if (end_burst(a, from, end - from, who + from, err))
            return -1;
    a->open += end - from;
    a->hard = false;
    a->last_ms = r->t_ms ? r->t_ms[r->n - 1] : 0;
    if (a->open > (size_t)a->plan.size) { /* one too many: none of them can be told */
        a->account->ragged_rows += end - from;
        if (pass_kept(a, false, err))
            return -1;
        for (; from < end; from++)
            who[from] = SMI_DEVICE_POOL;
    }
    if (pass_rows(a, r, from, who, err))
        return -1;
    if (from < end) {
        const struct smi_rows rest = smi_rows_part(r, from, end - from, NULL);
        keep_rows(a, &rest);
    }
    return 0;
}

/* The next rows of no device, once there is a plan. */
static int add_rows(struct smi_attribute *a, const struct smi_rows *r, struct smi_err *err)
{
    return a->plan.kind == SMI_BURST_PLAN_BURSTS ? add_to_bursts(a, r, err) : pass_block(a, r, err);
}

/* ---- the plan ---- */

static void set_plan(struct smi_attribute *a, struct smi_burst_plan plan)
{
    uint64_t most =
        smi_u128_sqrt((smi_u128)plan.a * (smi_u128)plan.b); /* x * x > a * b: x is above the root */
    a->plan = plan;
    a->planned = true;
    a->most_ms = !plan.by_time || most > INT64_MAX ? INT64_MAX : (int64_t)most;
    a->most_rows = !plan.by_time && a->want > 1 ? (size_t)plan.size : SIZE_MAX;
}

/* Sends the rows that waited for a plan: send gets a and the rows, with a->hard as it stood in front of them.
 */
static int release(struct smi_attribute *a,
                   int (*send)(struct smi_attribute *a, const struct smi_rows *r, struct smi_err *err),
                   struct smi_err *err)
{
    struct smi_attribute waiting = *a;
    const bool next = a->hard; /* a boundary in front of what comes now */
    int rc = 0;
    a->kept = NULL;
    a->n = a->cap = a->rows = 0;
    a->room = (struct smi_arena){0};
    for (size_t i = 0; i < waiting.n && rc == 0; i++) {
        a->hard = waiting.kept[i].hard;
        rc = send(a, &waiting.kept[i].r, err);
    }
    a->hard = next;
    smi_mem_free(waiting.kept);
    smi_arena_fini(&waiting.room);
    return rc;
}

/* The times of rows, and the boundaries in front of them. Returns how many there are of now. */
static size_t note_times(int64_t *t, bool *hard, size_t n, const struct smi_rows *r, bool boundary)
{
    for (unsigned i = 0; i < r->n && n < SMI_BURST_PLAN_ROWS; i++, n++) {
        t[n] = r->t_ms ? r->t_ms[i] : 0;
        hard[n] = boundary && i == 0;
    }
    return n;
}

/* Makes the plan of m, from the rows that wait in `from` (m itself, or a hub: those of its machine) and those
 * behind them (or NULL), unless they are fewer. */
static void plan_rows(struct smi_attribute *m, const struct smi_attribute *from, const struct smi_rows *r,
                      size_t least)
{
    int64_t t[SMI_BURST_PLAN_ROWS];
    bool hard[SMI_BURST_PLAN_ROWS];
    size_t n = 0;
    for (size_t i = 0; i < from->n; i++)
        if (m == from || *from->kept[i].r.who == m->machine)
            n = note_times(t, hard, n, &from->kept[i].r, from->kept[i].hard);
    n = r ? note_times(t, hard, n, r, from->hard) : n;
    if (n >= least)
        set_plan(m, smi_burst_plan_make(from->timed ? t : NULL, hard, n, from->want));
}

/* Plans, and sends the rows that waited for it. */
static int make_plan(struct smi_attribute *a, const struct smi_rows *r, struct smi_err *err)
{
    plan_rows(a, a, r, 0);
    return release(a, add_rows, err);
}

/* ---- machines, each with GPUs that nothing names ---- */

/* The stream of the machine that this device stands for, made if it is new: rows of one that comes late are
 * never told apart. */
static struct smi_attribute *find_stream(struct smi_attribute *hub, int machine)
{
    struct smi_attribute *m;
    for (size_t i = 0; i < hub->streams; i++)
        if (hub->stream[i]->machine == machine)
            return hub->stream[i];
    m = smi_attribute_new(hub->to, hub->devices, hub->account, hub->want, NULL);
    m->machine = machine;
    if (hub->want)
        set_plan(m, smi_burst_plan_make(NULL, NULL, 0, hub->want));
    else
        m->plan.kind = SMI_BURST_PLAN_UNDECIDED;
    return *SMI_MEM_ADD(hub->stream, hub->streams, hub->stream_cap) = m;
}

/* A row of a machine. Bursts that end before it go on in front of it. */
static int add_machine_row(struct smi_attribute *hub, const struct smi_rows *r, struct smi_err *err)
{
    struct smi_attribute *m = find_stream(hub, *r->who);
    for (size_t i = 0; i < hub->streams; i++) {
        struct smi_attribute *other = hub->stream[i];
        if (other != m && other->rows && begins_burst(other, r) && flush_burst(other, err))
            return -1;
    }
    m->hard = hub->hard;
    return add_rows(m, r, err);
}

/* end: no more rows are expected, so few rows have to do. */
static int plan_machines(struct smi_attribute *hub, bool end, struct smi_err *err)
{
    hub->planned = true;
    for (size_t m = 0; m < hub->streams; m++)
        plan_rows(hub->stream[m], hub, NULL, end ? 0 : ENOUGH);
    return release(hub, add_machine_row, err);
}

static int read_machine_row(struct smi_attribute *hub, const struct smi_rows *r, struct smi_err *err)
{
    struct smi_attribute *m = find_stream(hub, *r->who);
    hub->hard = m->hard;
    m->hard = false;
    hub->timed |= r->timed;
    if (hub->planned)
        return add_machine_row(hub, r, err);
    keep_rows(hub, r);
    return hub->rows >= HUB_ROWS && hub->rows >= MACHINE_ROWS * hub->streams ? plan_machines(hub, false, err)
                                                                             : 0;
}

/* ---- all of it ---- */

static int decide_keyless(struct smi_attribute *a, struct smi_err *err)
{
    return !a->planned && a->n ? make_plan(a, NULL, err) : 0;
}

/* Rows of a machine beside rows without one in a poll: these are of another GPU, of which nothing is known.
 */
static int compare_polls(struct smi_attribute *a, const struct smi_rows *r, struct smi_err *err)
{
    const bool on_machine = a->devices->n == 1 && a->devices->list->key[SMI_DEVICE_KEY_SERIAL],
               both = r->who ? a->n > 0 && a->has_now : a->has_named;
    const int64_t distance = r->t_ms[0] - (r->who ? a->now_ms : a->named_ms);
    a->has_named |= r->who != NULL;
    a->named_ms = r->who ? r->t_ms[r->n - 1] : a->named_ms;
    if (!on_machine || !both || distance > POLL_MS || distance < -POLL_MS ||
        (a->planned && a->plan.kind != SMI_BURST_PLAN_ONE))
        return 0;
    set_plan(a, (struct smi_burst_plan){.kind = SMI_BURST_PLAN_UNDECIDED});
    return release(a, add_rows, err);
}

static int rows_one_by_one(struct smi_sink *self, const struct smi_rows *r, struct smi_err *err)
{
    int rc = 0;
    for (unsigned i = 0; i < r->n && rc == 0; i++) {
        const struct smi_rows one = smi_rows_part(r, i, 1, NULL);
        rc = self->rows(self, &one, err);
    }
    return rc;
}

static int rows(struct smi_sink *self, const struct smi_rows *r, struct smi_err *err)
{
    struct smi_attribute *a = (struct smi_attribute *)self;
    const bool of_machine = r->who && *r->who >= 0 && !r->process && a->devices->list[*r->who].machine;
    /* Each row without a key may be of a poll of the one that has a key. */
    if (r->n > 1 && (of_machine || (!r->who && a->has_named && a->devices->n == 1)))
        return rows_one_by_one(self, r, err);
    if (r->timed && compare_polls(a, r, err))
        return -1;
    if (r->timed) { /* a message is as late as the row before it, which may be kept back still */
        a->has_now = true;
        a->now_ms = r->t_ms[r->n - 1];
    }
    if (r->who && a->devices->n && decide_keyless(a, err)) /* rows before these may be of their GPU */
        return -1;
    if (of_machine) {
        a->hub = a->hub ? a->hub : smi_attribute_new(a->to, a->devices, a->account, a->want, NULL);
        return read_machine_row(a->hub, r, err);
    }
    if (r->who)
        return a->to->rows(a->to, r, err);
    a->timed |= r->timed;
    if (!a->planned && a->rows + r->n < SMI_BURST_PLAN_ROWS) {
        keep_rows(a, r);
        return 0;
    }
    return (!a->planned && make_plan(a, r, err)) || add_rows(a, r, err) ? -1 : 0;
}

static int pass_mark(struct smi_sink *self, const struct smi_mark *m, struct smi_err *err)
{
    struct smi_attribute *a = (struct smi_attribute *)self;
    struct smi_mark own;
    if (m->kind == SMI_MARK_BREAK)
        *(a->hub && m->who >= 0 ? &find_stream(a->hub, m->who)->hard : &a->hard) = true;
    if (m->kind == SMI_MARK_FAULT && !m->timed && a->has_now) {
        own = *m;
        own.timed = true;
        own.t_us = a->now_ms * 1000;
        m = &own;
    }
    return a->to->mark ? a->to->mark(a->to, m, err) : 0;
}

int smi_attribute_decide(struct smi_attribute *a, struct smi_err *err)
{
    return decide_keyless(a, err) || (a->hub && a->hub->rows && plan_machines(a->hub, true, err)) ? -1 : 0;
}

int smi_attribute_settle(struct smi_attribute *a, struct smi_err *err)
{
    struct smi_attribute *hub = a->hub;
    if ((a->rows >= ENOUGH && decide_keyless(a, err)) ||
        (hub && hub->rows >= ENOUGH * hub->streams && plan_machines(hub, true, err)))
        return -1;
    for (size_t i = 0; hub && i < hub->streams; i++)
        if (smi_attribute_settle(hub->stream[i], err))
            return -1;
    return a->open == (size_t)a->plan.size ? flush_burst(a, err) : 0;
}

static int end_attribution(struct smi_sink *self, struct smi_err *err)
{
    struct smi_attribute *a = (struct smi_attribute *)self;
    if (smi_attribute_decide(a, err))
        return -1;
    for (size_t i = 0; i <= (a->hub ? a->hub->streams : 0); i++) {
        struct smi_attribute *m = i ? a->hub->stream[i - 1] : a;
        if (m->planned && m->plan.kind == SMI_BURST_PLAN_BURSTS) {
            if (flush_burst(m, err))
                return -1;
            a->account->burst = m->plan.size;
        }
    }
    if (a->account->undecided)
        smi_devices_name_all(a->devices);
    return a->to->end ? a->to->end(a->to, err) : 0;
}

struct smi_attribute *smi_attribute_new(struct smi_sink *to, struct smi_devices *devices,
                                        struct smi_account *account, int gpu_count,
                                        const struct smi_burst_plan *plan)
{
    struct smi_attribute *a = smi_mem_new(1, sizeof *a);
    a->sink = (struct smi_sink){.rows = rows, .mark = pass_mark, .end = end_attribution};
    a->to = to;
    a->devices = devices;
    a->account = account;
    a->want = gpu_count;
    a->machine = -1;
    if (plan)
        set_plan(a, *plan);
    return a;
}

struct smi_sink *smi_attribute_sink(struct smi_attribute *a)
{
    return &a->sink;
}

void smi_attribute_free(struct smi_attribute *a)
{
    if (!a)
        return;
    smi_attribute_free(a->hub);
    for (size_t i = 0; i < a->streams; i++)
        smi_attribute_free(a->stream[i]);
    smi_mem_free(a->stream);
    smi_mem_free(a->kept);
    smi_mem_free(a->of);
    smi_arena_fini(&a->room);
    smi_mem_free(a);
}
