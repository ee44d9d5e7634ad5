/* Sides of a comparison: Student's t against tables, exact means, the same verdicts whatever is A, and memory
 * that cannot be had is said at every single allocation. */
#include <stdlib.h>
#include <string.h>

#include "report/output.h"
#include "query/diff.h"
#include "rounds.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <unistd.h>

#include <cmocka.h>

/* --- Student's t: quantiles of 0.975 and 0.9995 as in any table --- */

static void test_student(void **state)
{
    static const struct {
        size_t f;
        double t, chance;
    } of[] = {{1, 12.7062, 0.05},   {2, 4.30265, 0.05},  {3, 3.18245, 0.05},  {4, 2.77645, 0.05},
              {5, 2.57058, 0.05},   {10, 2.22814, 0.05}, {11, 2.20099, 0.05}, {30, 2.04227, 0.05},
              {120, 1.97993, 0.05}, {1, 636.619, 0.001}, {4, 8.61030, 0.001}, {7, 5.40788, 0.001},
              {18, 3.92165, 0.001}};
    (void)state;
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        assert_true(fabs(smi_student_probability(of[i].t, of[i].f) / of[i].chance - 1) < 1e-4);
    assert_true(fabs(smi_student_probability(1.959964, 1000000) - 0.05) < 1e-5);
    for (size_t f = 1; f < 300; f++) {
        assert_true(smi_student_probability(0, f) == 1);
        for (double t = 0.25; t < 40; t *= 2) { /* it falls with t, and lies on both sides of 0 */
            assert_true(smi_student_probability(t, f) >= smi_student_probability(2 * t, f) - 1e-12);
            assert_true(smi_student_probability(t, f) == smi_student_probability(-t, f));
        }
    }
}

/* --- signed ranks: all ways of signs, a published example, the normal one beyond --- */

static struct smi_signed_rank ranks_of(const int *step, size_t n)
{
    struct smi_value a[100], b[100];
    struct smi_signed_rank r;
    for (size_t i = 0; i < n; i++) {
        a[i] = (struct smi_value){(int64_t)i * 1000, true};
        b[i] = (struct smi_value){a[i].micro + step[i], true};
    }
    smi_signed_rank_test(&r, a, b, n);
    return r;
}

/* How far the doubled ranks of what rises are from their middle, rank by rank counted. */
static int distance_from_middle(const int *step, size_t n, unsigned ups)
{
    int rise = 0, all = 0;
    for (size_t i = 0; i < n; i++) {
        int rank = 1;
        for (size_t k = 0; k < n; k++)
            rank += 2 * (abs(step[k]) < abs(step[i])) + (abs(step[k]) == abs(step[i]));
        rise += ups >> i & 1 ? rank : 0;
        all += rank;
    }
    return abs(2 * rise - all);
}

static void test_signed_rank(void **state)
{
    /* in the documentation of scipy.stats.wilcoxon: p = 0.041259765625 */
    static const int maize[] = {6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75};
    unsigned seed = (unsigned)getpid();
    struct smi_signed_rank r = ranks_of(maize, 15);
    (void)state;
    print_message("seed %u\n", seed);
    assert_true(r.chance == 0.041259765625 && r.up == 13 && r.down == 2 && r.side == 1);
    assert_true(r.least == 2.0 / (1 << 15));
    srand(seed);
    for (int round = 0; round < 300; round++) {
        size_t n = 1 + (size_t)rand() % 11;
        unsigned ups = 0, as_far = 0;
        int step[11];
        for (size_t i = 0; i < n; i++) {
            step[i] = (1 + rand() % 9) * (rand() % 2 ? 1 : -1); /* with ties */
            ups |= (unsigned)(step[i] > 0) << i;
        }
        for (unsigned k = 0; k < 1u << n; k++)
            as_far += distance_from_middle(step, n, k) >= distance_from_middle(step, n, ups);
        r = ranks_of(step, n);
        assert_true(fabs(r.chance - (double)as_far / (double)(1u << n)) < 1e-12);
    }
}

static void test_signed_rank_of_many(void **state)
{
    int step[60], same[3] = {0, 0, 0}, down = 0;
    struct smi_signed_rank r;
    (void)state;
    for (int i = 1; i <= 60; i++) {
        step[i - 1] = i % 3 ? i : -i;
        down += i % 3 ? 0 : i;
    }
    r = ranks_of(step, 60);
    assert_true(fabs(r.chance - erfc((915 - down) / sqrt(60.0 * 61 * 121 / 24) / sqrt(2))) < 1e-12);
    r = ranks_of(step, 50); /* the last that is exact: near to what is normal */
    assert_true(fabs(r.chance / erfc((637.5 - 408) / sqrt(50.0 * 51 * 101 / 24) / sqrt(2)) - 1) < 0.05);
    r = ranks_of(same, 3);
    assert_true(r.chance == 1 && r.least == 1 && !r.up && !r.down && !r.side);
}

/* --- two sides --- */

static char path[2][64];

/* runs of configs x repeats; a column is a function of both. */
static void put_side(int side, int configs, int repeats)
{
    FILE *f;
    snprintf(path[side], sizeof path[side], "/tmp/smilog-compare-%d-%c", (int)getpid(), 'a' + side);
    f = fopen(path[side], "w");
    assert_non_null(f);
    for (int c = 0; c < configs; c++)
        for (int r = 0; r < repeats; r++)
            fprintf(f,
                    "{\"schema\": \"smilog/1\", \"run\": \"lr=%d/seed=%d\", \"state\": \"ok\", \"params\": "
                    "{\"lr\": %d, "
                    "\"seed\": %d, \"jax\": \"0.%d\"}, \"energy_wh\": %d.%06d, \"idle_pct\": %s, \"joined\": "
                    "{\"acc\": 0.%d}, \"gpus\": [{\"gpu\": 0, \"throttle_pct\": {\"sw_power_cap\": 3.5}}]}\n",
                    c, r + side * (c == 1), c, r + side * (c == 1), side, 100 + c + side,
                    (c * 7 + r * 13) % 10, r == 2 ? "null" : "5.5", 90 + r + side);
    assert_int_equal(fclose(f), 0);
}

static int set_up(void **state)
{
    (void)state;
    put_side(0, 3, 4);
    put_side(1, 3, 4);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    return unlink(path[0]) | unlink(path[1]);
}

static const struct smi_change *change_of(const struct smi_diff *d, const char *name)
{
    for (size_t i = 0; i < d->n; i++)
        if (strcmp(d->of[i].name, name) == 0)
            return &d->of[i];
    return NULL;
}

/* B against A is A against B with the sign turned. */
static void test_sides(void **state)
{
    struct smi_sweep s[2];
    struct smi_pairs p[2] = {{.n = 0}};
    struct smi_diff d[2] = {{.n = 0}};
    struct smi_err err = {0};
    (void)state;
    for (int k = 0; k < 2; k++)
        assert_int_equal(smi_side_read(&s[k], path[k], &err), 0);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(smi_pairs_make(&p[k], &s[k], &s[!k], NULL, false, &err), 0);
        assert_int_equal(smi_diff_make(&d[k], &s[k], &s[!k], &p[k], NULL, &err), 0);
        assert_int_equal(p[k].n, 12);
        assert_int_equal(p[k].configs, 3);
        assert_int_equal(p[k].by[SMI_PAIR_REPEAT], 1);
        assert_int_equal(p[k].ndiffers, 1);
    }
    assert_int_equal(d[0].n, d[1].n);
    for (size_t i = 0; i < d[0].n; i++) {
        const struct smi_change *a = &d[0].of[i], *b = change_of(&d[1], a->name);
        assert_non_null(b);
        assert_int_equal(a->kind, b->kind);
        assert_int_equal(a->change.micro, -b->change.micro);
        assert_int_equal(a->spread.micro, b->spread.micro);
        assert_int_equal(a->ratio.micro, -b->ratio.micro);
        assert_int_equal(a->worse, -b->worse);
    }
    assert_int_equal(change_of(&d[0], "energy_wh")->change.micro, 1000000);
    assert_int_equal(change_of(&d[0], "energy_wh")->kind, SMI_CHANGE_REAL);
    assert_int_equal(change_of(&d[0], "energy_wh")->worse, 1);
    assert_int_equal(change_of(&d[0], "acc")->n, 12);
    assert_int_equal(change_of(&d[0], "idle_pct")->n, 8);
    for (int k = 0; k < 2; k++) {
        smi_diff_fini(&d[k]);
        smi_pairs_fini(&p[k]);
        smi_sweep_fini(&s[k]);
    }
}

/* --- memory --- */

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_student),
        cmocka_unit_test(test_signed_rank),
        cmocka_unit_test(test_signed_rank_of_many),
        cmocka_unit_test_setup_teardown(test_sides, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
