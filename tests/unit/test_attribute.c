/* test_attribute.c - GPUs without a key, told apart by the times of their rows (docs/numbers.md §5), over
 * made-up logs: 1 to 10 GPUs that are asked every 10 ms to 10 s and print up to 25 ms apart, with jitter,
 * hiccups and missing rows. SMILOG_ATTRIBUTION_CASES=N: so many logs (300; make test-long: 2000);
 * SMILOG_ATTRIBUTION_SEED=S: others. Undecided is an answer, a wrong number is none. The rule is not beyond
 * error: with seeds 1 to 7, 4000 logs each, it was wrong in 1 of the 27,436 logs with a clear pause, whose
 * three sweeps of six rows fell into halves, and in 17 of the 407 crowded. */
#include "aggregate/ingest.h"
#include "rows_each.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { GPUS = 10, SWEEPS = 400, ROWS = GPUS * SWEEPS, INTERVALS = 4 };

static uint64_t seed = 88172645463325252u;

static int64_t any(int64_t from, int64_t to)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return from + (int64_t)(seed % (uint64_t)(to - from + 1));
}

/* ---- a log ---- */

/* LAME: uneven distances in a sweep, and rows missing. CROWDED: some pause between two sweeps is shorter than
 * twice a distance inside one; such logs are seldom decided. NO_PAUSE: or it is no longer than one, to a ms:
 * two GPUs that print in turn at even distances are, by their times, one GPU that is read twice as often.
 * Nothing tells, so nothing is held against the answer: these are only counted. */
enum kind { EVEN, UNEVEN, MISSING, LAME, CROWDED, NO_PAUSE, KINDS };

struct log {
    enum kind kind;
    bool uneven;
    int gpus, sweeps, n;
    int64_t interval, skew; /* ms: pause between two sweeps; from the first to the last GPU of one */
    int64_t gap[GPUS];      /* in front of each GPU's row */
    int jitter, missing;    /* percent of the interval; rows of a thousand */
    int64_t t[ROWS];
    int gpu[ROWS]; /* the truth */
};

static int64_t some_interval(void)
{
    static const int64_t decade[INTERVALS] = {10, 100, 1000, 10000};
    int k = (int)any(0, INTERVALS - 2);
    return any(decade[k], decade[k + 1]);
}

/* Distances in front of the GPUs of a sweep: alike to a ms, or of any size. */
static void space_out(struct log *l)
{
    int64_t left = l->skew;
    for (int g = 1; g < l->gpus; g++) {
        int64_t even = left / (l->gpus - g), most = 2 * even < left ? 2 * even : left;
        l->gap[g] = g == l->gpus - 1 ? left : l->uneven ? any(0, most) : even;
        left -= l->gap[g];
    }
}

static enum kind kind_of(const struct log *l, const int64_t *begin)
{
    int64_t far = 0, near = INT64_MAX, lost = (int64_t)l->gpus * l->sweeps - l->n;
    for (int i = 1; i < l->n; i++) {
        int64_t d = l->t[i] - l->t[i - 1];
        if (begin[i] != begin[i - 1])
            near = d < near ? d : near;
        else
            far = d > far ? d : far;
    }
    if (l->gpus > 1 && near < 2 * far)
        return near < far + 2 ? NO_PAUSE : CROWDED;
    return lost && l->uneven ? LAME : lost ? MISSING : l->uneven ? UNEVEN : EVEN;
}

static void make_log(struct log *l)
{
    static int64_t begin[ROWS];
    int64_t t = any(0, 86400000);
    l->gpus = (int)any(1, GPUS);
    l->sweeps = (int)(any(0, 3) ? any(30, SWEEPS) : any(3, 30));
    l->interval = some_interval();
    l->skew = l->gpus > 1 ? any(1, 25) : 0;
    l->jitter = (int)any(0, 10);
    l->missing = (int)(any(0, 2) ? 0 : any(1, 20));
    l->uneven = l->gpus > 2 && any(0, 2) == 0;
    space_out(l);
    l->n = 0;
    for (int s = 0; s < l->sweeps; s++) {
        for (int g = 0; g < l->gpus; g++) {
            t += g ? l->gap[g] + any(0, 1) : 0;
            if (any(0, 999) < l->missing)
                continue;
            begin[l->n] = s;
            l->t[l->n] = t;
            l->gpu[l->n++] = g;
        }
        t += l->interval + any(-l->jitter, l->jitter) * l->interval / 100;
        if (any(0, 99) == 0)
            t += any(1, 8) * l->interval;
    }
    l->kind = kind_of(l, begin);
}

/* ---- what becomes of it ---- */

struct judge {
    struct smi_sink sink;
    const struct smi_devices *devices;
    int64_t right, wrong, pooled;
};

static int take(struct smi_sink *self, const struct smi_sample *s, struct smi_err *err)
{
    struct judge *j = (struct judge *)self;
    (void)err;
    if (s->who == SMI_DEVICE_POOL)
        j->pooled++;
    else if (j->devices->list[s->who].ordinal == (int)s->v[0])
        j->right++;
    else
        j->wrong++;
    return 0;
}

static int rows(struct smi_sink *self, const struct smi_rows *r, struct smi_err *err)
{
    return rows_each(r, take, self, err);
}

static void read_log(const struct log *l, struct judge *j, struct smi_devices *d)
{
    static const uint16_t metric = 0;
    struct smi_account account = {0};
    struct smi_attribute *a;
    struct smi_sink *to;
    *j = (struct judge){.sink = {.rows = rows}, .devices = d};
    a = smi_attribute_new(&j->sink, d, &account, 0, NULL);
    assert_non_null(a);
    to = smi_attribute_sink(a);
    for (int i = 0; i < l->n; i++) {
        int64_t scale;
        int32_t u;
        struct smi_sample s = {.t_ms = l->t[i],
                               .timed = true,
                               .fine = true,
                               .who = SMI_DEVICE_KEYLESS,
                               .n = 1,
                               .metric = {metric},
                               .v = {l->gpu[i]}};
        struct smi_rows r = block_of(&s, &u, &scale);
        assert_int_equal(to->rows(to, &r, NULL), 0);
    }
    assert_int_equal(to->end(to, NULL), 0);
    assert_int_equal(j->right + j->wrong + j->pooled, l->n);
    smi_attribute_free(a);
    smi_account_fini(&account);
}

/* ---- where blocks end does not matter ---- */

enum { MIXED = 700, NODES = 2, LONGEST = 40 };

/* A row of the sequence, and what stands in front of it. */
struct mixed_row {
    int64_t t_ms;
    int who; /* one of NAMED and machines, or SMI_DEVICE_* */
    bool timed, boundary;
};

/* Sweeps of GPUs without a key, on their own and on machines whose clocks are apart; rows of GPUs with one
 * between them; steps back, boundaries, rows missing and too many, times on another base. */
static int make_mixed(struct mixed_row *row, int named)
{
    const int gpus = (int)any(1, 3), kinds = (int)any(1, 15), per_cent = any(0, 1) ? 0 : 5;
    int64_t t = 1000000, apart = any(0, 1) ? 0 : any(-300, 300), step = any(0, 1) ? 1000 : 150;
    int n = 0;
    while (n + 4 * (gpus + 1) < MIXED) {
        t += any(0, 99) < per_cent ? any(-2000, 9000) : step;
        for (int part = 0; part < 4; part++) {
            const bool boundary = any(0, 99) < per_cent, timed = any(0, 99) >= per_cent / 2;
            int many = (part == 0 ? 1 : gpus) + (any(0, 99) < per_cent ? (int)any(-1, 1) : 0);
            for (int g = 0; g < many && kinds >> part & 1; g++)
                row[n++] = (struct mixed_row){.t_ms = t + g + (part == 3 ? apart : 0),
                                              .who = part == 0   ? (int)any(-1, named - 1)
                                                     : part == 1 ? SMI_DEVICE_KEYLESS
                                                                 : named + part - 2,
                                              .timed = timed,
                                              .boundary = boundary && g == 0};
        }
    }
    return n;
}

/* What became of each row, by the number that is its reading. */
struct seen {
    struct smi_sink sink;
    int who[MIXED];
    bool timed[MIXED];
    int order[MIXED], n;
};

static int note_row(struct smi_sink *self, const struct smi_sample *s, struct smi_err *err)
{
    struct seen *seen = (struct seen *)self;
    const int i = (int)s->v[0];
    (void)err;
    seen->who[i] = s->who;
    seen->timed[i] = s->timed;
    seen->order[seen->n++] = i;
    return 0;
}

static int note_rows(struct smi_sink *self, const struct smi_rows *r, struct smi_err *err)
{
    return rows_each(r, note_row, self, err);
}

/* Devices as a reader made them: GPUs with a key, then machines. */
static void make_devices(struct smi_devices *d, int named, bool serial)
{
    for (int i = 0; i < named; i++) {
        char index[12];
        struct smi_text key[SMI_DEVICE_KEY_COUNT] = {{NULL, 0}};
        snprintf(index, sizeof index, "%d", i);
        key[SMI_DEVICE_KEY_INDEX] = smi_text_of(index);
        if (serial)
            key[SMI_DEVICE_KEY_SERIAL] = smi_text_of("12");
        assert_int_equal(smi_devices_find_key(d, key), i);
    }
}

/* Passes rows [from, to), which are of one kind, as a block. */
static void pass_block(struct smi_sink *to, const struct mixed_row *row, int from, int end)
{
    static const uint16_t metric = 0;
    const int64_t one = 1;
    int64_t t_ms[LONGEST];
    int32_t u[LONGEST];
    int who[LONGEST];
    struct smi_rows r = {.n = (unsigned)(end - from),
                         .metrics = 1,
                         .metric = &metric,
                         .u = u,
                         .stride = LONGEST,
                         .scale = &one,
                         .t_ms = t_ms,
                         .who = row[from].who == SMI_DEVICE_KEYLESS ? NULL : who,
                         .timed = row[from].timed,
                         .fine = true};
    for (int i = from; i < end; i++) {
        t_ms[i - from] = row[i].t_ms;
        u[i - from] = i;
        who[i - from] = row[i].who;
    }
    assert_int_equal(to->rows(to, &r, NULL), 0);
}

/* longest: of a block. A reader begins another where rows get a key, lose it, or are of machines. */
static void read_mixed(const struct mixed_row *row, int n, int named, bool serial, int want, int longest,
                       struct seen *seen, struct smi_account *account)
{
    struct smi_devices d = {0};
    struct smi_attribute *a = smi_attribute_new(&seen->sink, &d, account, want, NULL);
    struct smi_sink *to = smi_attribute_sink(a);
    make_devices(&d, named, serial);
    for (int k = 0; k < NODES; k++)
        if (smi_devices_find_machine(&d, smi_text_of(k ? "node1" : "node0")) != named + k)
            fail_msg("machines are other devices");
    for (int i = 0, end; i < n; i = end) {
        const int most = i + (int)any(1, longest);
        const struct smi_mark mark = {.kind = SMI_MARK_BREAK,
                                      .who = row[i].who >= named ? row[i].who : SMI_DEVICE_KEYLESS};
        if (row[i].boundary)
            assert_int_equal(to->mark(to, &mark, NULL), 0);
        for (end = i + 1; end < n && end < most && !row[end].boundary && row[end].timed == row[i].timed &&
                          (row[end].who == SMI_DEVICE_KEYLESS) == (row[i].who == SMI_DEVICE_KEYLESS) &&
                          (row[end].who >= named) == (row[i].who >= named);)
            end++;
        pass_block(to, row, i, end);
    }
    assert_int_equal(to->end(to, NULL), 0);
    smi_attribute_free(a);
    smi_devices_fini(&d);
}

static void blocks_may_end_anywhere(void **unused)
{
    static struct mixed_row row[MIXED];
    static struct seen one, many;
    const char *most = getenv("SMILOG_ATTRIBUTION_CASES");
    int64_t pooled = 0, told = 0;
    (void)unused;
    for (int log = 0; log < (most && atoi(most) > 0 ? atoi(most) : 300); log++) {
        const int named = (int)any(0, 2), n = make_mixed(row, named), want = any(0, 2) ? 0 : (int)any(1, 3);
        const bool serial = any(0, 1);
        struct smi_account single = {0}, other = {0};
        one = many = (struct seen){.sink = {.rows = note_rows}};
        read_mixed(row, n, named, serial, want, 1, &one, &single);
        read_mixed(row, n, named, serial, want, LONGEST, &many, &other);
        assert_int_equal(one.n, n);
        if (memcmp(&one.who, &many.who, sizeof one - offsetof(struct seen, who)) != 0)
            fail_msg("log %d: %d rows of %d named GPUs, --gpu-count %d: other blocks, other devices", log, n,
                     named, want);
        assert_int_equal(single.undecided, other.undecided);
        assert_int_equal(single.ragged_bursts, other.ragged_bursts);
        assert_int_equal(single.ragged_rows, other.ragged_rows);
        assert_int_equal(single.burst, other.burst);
        for (int i = 0; i < n; i++)
            *(one.who[i] == SMI_DEVICE_POOL ? &pooled : &told) += 1;
        smi_account_fini(&single);
        smi_account_fini(&other);
    }
    assert_true(pooled > 1000 && told > 1000);
}

struct tally {
    int logs, right, undecided, wrong;
    int64_t rows, given, bad;
};

static void count(struct tally *t, const struct log *l, const struct judge *j, size_t gpus)
{
    t->logs++;
    t->rows += l->n;
    t->given += j->right;
    t->bad += j->wrong;
    *(!gpus ? &t->undecided : gpus == (size_t)l->gpus ? &t->right : &t->wrong) += 1;
}

static void no_gpu_is_invented(void **unused)
{
    static const char *const words[KINDS] = {"even",    "uneven",  "rows missing", "uneven, rows missing",
                                             "crowded", "no pause"};
    static struct log l;
    const char *most = getenv("SMILOG_ATTRIBUTION_CASES"), *other = getenv("SMILOG_ATTRIBUTION_SEED");
    int n = most && atoi(most) > 0 ? atoi(most) : 300;
    struct tally t[KINDS] = {{0}};
    (void)unused;
    if (other)
        seed ^= strtoull(other, NULL, 10) * 0x9e3779b97f4a7c15u;
    for (int i = 0; i < n; i++) {
        struct smi_devices d = {0};
        struct judge j;
        make_log(&l);
        read_log(&l, &j, &d);
        count(&t[l.kind], &l, &j, d.n);
        if (l.kind < NO_PAUSE && ((d.n && d.n != (size_t)l.gpus) || j.wrong))
            fail_msg("log %d: %d GPUs taken for %zu, %lld rows of another one (%d sweeps of %lld ms, %lld ms "
                     "apart)",
                     i, l.gpus, d.n, (long long)j.wrong, l.sweeps, (long long)l.interval, (long long)l.skew);
        smi_devices_fini(&d);
    }
    for (int k = 0; k < KINDS; k++)
        print_message(
            "%s: %d logs: %d right, %d undecided, %d wrong; %lld rows: %lld right, %lld pooled, %lld wrong\n",
            words[k], t[k].logs, t[k].right, t[k].undecided, t[k].wrong, (long long)t[k].rows,
            (long long)t[k].given, (long long)(t[k].rows - t[k].given - t[k].bad), (long long)t[k].bad);
    assert_true(t[EVEN].right > n / 5 && t[MISSING].right > 0 && t[UNEVEN].right > 0);
}

/* ---- plans of few rows, by hand ---- */

/* Rows whose distances are those of `d` again and again. */
static void expect_plan(const char *what, const int64_t *d, size_t n, size_t rows, int gpus)
{
    int64_t t[SMI_BURST_PLAN_ROWS] = {0};
    bool hard[SMI_BURST_PLAN_ROWS] = {false};
    struct smi_burst_plan p;
    for (size_t i = 1; i < rows; i++)
        t[i] = t[i - 1] + d[(i - 1) % n];
    p = smi_burst_plan_make(t, hard, rows, 0);
    if ((p.kind == SMI_BURST_PLAN_UNDECIDED ? 0 : p.size) != gpus)
        fail_msg("%s: %d GPUs, not %d", what, p.kind == SMI_BURST_PLAN_UNDECIDED ? 0 : p.size, gpus);
}

static void a_doubt_leaves_it_undecided(void **unused)
{
    static const struct {
        const char *what;
        int64_t d[16];
        size_t n, rows;
        int gpus;
    } plans[] = {
        /* the pause is not twice the distance inside a sweep, but tells of two */
        {"two GPUs, 22 ms apart, 29 ms between", {22, 29}, 2, 100, 0},
        {"two GPUs, 22 ms apart, 24 ms between", {22, 24}, 2, 100, 0},
        {"three GPUs, 6 and 15 ms apart, 29 ms between", {6, 15, 29}, 3, 99, 0},
        {"one GPU, 22 or 23 ms", {22, 23}, 2, 100, 1},
        {"one GPU, 6 or 10 ms", {6, 10}, 2, 100, 1},
        {"two GPUs, or one that takes 6 or 11 ms", {6, 11}, 2, 100, 0},
        {"one GPU, 100 or 110 ms", {100, 110, 105, 100, 104, 110, 107}, 7, 100, 1},
        /* four GPUs, of which the middle two are furthest apart */
        {"half sweeps are whole more often than sweeps: a row of the first GPU is missing",
         {1, 14, 1, 89, 1, 14, 1, 89, 14, 1, 89, 1, 14, 1, 89},
         15,
         100,
         0},
        {"half sweeps as often as sweeps, and as clear", {1, 14, 1, 89}, 4, 100, 0},
        {"half sweeps as often as sweeps, less clear", {5, 14, 5, 89}, 4, 100, 4},
        {"half sweeps, 15 ms between sweeps", {1, 10, 1, 15}, 4, 100, 0},
        {"two GPUs, jitter", {1, 100, 1, 110, 1, 100, 1, 105}, 8, 100, 2},
        /* the ends: 2 2 3 may be two GPUs, or three and rows missing */
        {"a last burst that is longer", {5, 3995, 2, 3995, 2, 2}, 6, 7, 0},
        {"a first burst that is longer", {2, 2, 3995, 2, 3995, 5}, 6, 7, 0},
        {"a first and a last burst that are shorter", {1000, 2, 2, 1000, 2, 2, 1000, 2}, 8, 9, 3},
        /* three in five bursts are whole: 2 1 2 1 2 1, three GPUs as well as two */
        {"as many whole as halves", {4, 10, 72, 4, 10, 72, 4, 10}, 8, 9, 0},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++)
        expect_plan(plans[i].what, plans[i].d, plans[i].n, plans[i].rows, plans[i].gpus);
}

/* With the number given, the best cut is taken as it is: a burst that is too long is pooled, the next begins
 * anew. */
static void a_given_number_is_not_doubted(void **unused)
{
    static const int64_t t[] = {0, 2, 4, 4000, 4002, 8000, 8002, 12000, 12002};
    bool hard[sizeof t / sizeof *t] = {false};
    struct smi_burst_plan p = smi_burst_plan_make(t, hard, sizeof t / sizeof *t, 2);
    (void)unused;
    assert_int_equal(p.kind, SMI_BURST_PLAN_BURSTS);
    assert_int_equal(p.size, 2);
    assert_true(p.by_time);
    assert_int_equal(smi_burst_plan_make(t, hard, sizeof t / sizeof *t, 0).kind, SMI_BURST_PLAN_UNDECIDED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_gpu_is_invented), cmocka_unit_test(blocks_may_end_anywhere),
        cmocka_unit_test(a_doubt_leaves_it_undecided), cmocka_unit_test(a_given_number_is_not_doubted)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
