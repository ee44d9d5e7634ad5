/* wide: every result is checked against its definition, in arithmetic that cannot round. */
#include "base/int128.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { ROUNDS = 200000, WORDS = 16 };

static uint64_t state = 88172645463325252u;

static uint64_t random64(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * 0x2545F4914F6CDD1Du;
}

/* At most `bits` bits, the length itself random, sometimes next to a power of two. */
static smi_u128 random_wide(unsigned bits)
{
    unsigned n = (unsigned)(random64() % bits) + 1;
    smi_u128 v = (smi_u128)random64() << 64 | random64();
    v >>= 128 - n;
    if (random64() % 8 == 0)
        v = ((smi_u128)1 << (n - 1)) + random64() % 3;
    return v;
}

static smi_i128 random_signed(unsigned bits)
{
    smi_i128 v = (smi_i128)random_wide(bits);
    return random64() & 1 ? -v : v;
}

static smi_u128 size_of(smi_i128 v)
{
    return v < 0 ? -(smi_u128)v : (smi_u128)v;
}

/* q is num / den rounded half to even: the rest is at most half of den, and exactly half only with an even q.
 */
static void check_div(smi_i128 num, smi_i128 den)
{
    smi_i128 q = smi_i128_div(num, den);
    smi_u128 rest = size_of((smi_i128)((smi_u128)num - (smi_u128)q * (smi_u128)den));
    assert_true(rest <= (smi_u128)den);
    assert_true(rest <= (smi_u128)den - rest);
    if (rest == (smi_u128)den - rest)
        assert_true((q & 1) == 0);
}

static void div_is_the_nearest(void **unused)
{
    const smi_i128 most = (smi_i128)(~(smi_u128)0 >> 1);
    (void)unused;
    for (int i = 0; i < ROUNDS; i++)
        check_div(random_signed(126), (smi_i128)random_wide(126) + 1);
    for (int den = 1; den < 60; den++)
        for (int num = -300; num <= 300; num++)
            check_div(num, den);
    check_div(most, 1);
    check_div(-most - 1, 1);
    check_div(-most - 1, 2);
    check_div(-most - 1, most);
    check_div(most, most);
}

static void div_known(void **unused)
{
    (void)unused;
    assert_true(smi_i128_div(5, 2) == 2 && smi_i128_div(7, 2) == 4 && smi_i128_div(-5, 2) == -2);
    assert_true(smi_i128_div(-7, 2) == -4 && smi_i128_div(2, 3) == 1 && smi_i128_div(-2, 3) == -1);
}

static void check_root(smi_u128 v)
{
    smi_u128 s = smi_u128_sqrt(v);
    assert_true(s * s <= v);
    if (s < UINT64_MAX)
        assert_true((s + 1) * (s + 1) > v);
}

static void root_is_the_largest(void **unused)
{
    (void)unused;
    for (smi_u128 v = 0; v < 5000; v++)
        check_root(v);
    for (int i = 0; i < ROUNDS; i++) {
        smi_u128 s = random_wide(64);
        check_root(random_wide(128));
        check_root(s * s);
        check_root(s * s - (s > 0));
        check_root(s * s + 2 * s);
    }
    check_root(~(smi_u128)0);
    check_root((smi_u128)UINT64_MAX * UINT64_MAX);
    check_root((smi_u128)UINT64_MAX * UINT64_MAX - 1);
}

/* Unsigned integers of 512 bits, least word first: enough to compare any quotient with any double exactly. */
struct big {
    uint32_t w[WORDS];
};

static struct big big_of(smi_u128 v)
{
    struct big b = {{0}};
    for (int i = 0; i < 4; i++)
        b.w[i] = (uint32_t)(v >> (32 * i));
    return b;
}

static struct big big_times(struct big a, uint64_t by)
{
    struct big b = {{0}};
    uint32_t part[2] = {(uint32_t)by, (uint32_t)(by >> 32)};
    for (int k = 0; k < 2; k++) {
        uint64_t carry = 0;
        for (int i = 0; i + k < WORDS; i++) {
            carry += (uint64_t)a.w[i] * part[k] + b.w[i + k];
            b.w[i + k] = (uint32_t)carry;
            carry >>= 32;
        }
        assert_true(carry == 0);
    }
    return b;
}

static struct big big_shift(struct big a, int n)
{
    for (; n > 0; n--)
        a = big_times(a, 2);
    return a;
}

static int big_compare(const struct big *a, const struct big *b)
{
    for (int i = WORDS - 1; i >= 0; i--)
        if (a->w[i] != b->w[i])
            return a->w[i] < b->w[i] ? -1 : 1;
    return 0;
}

/* |a - b| */
static struct big big_apart(struct big a, struct big b)
{
    int64_t borrow = 0;
    if (big_compare(&a, &b) < 0) {
        struct big t = a;
        a = b;
        b = t;
    }
    for (int i = 0; i < WORDS; i++) {
        borrow += (int64_t)a.w[i] - b.w[i];
        a.w[i] = (uint32_t)borrow;
        borrow >>= 32;
    }
    return a;
}

/* d = m 2^e with 53 bits in m is nearest to num / den: |num - m 2^e den| <= 2^(e-1) den, in whole numbers;
 * equal only if m is even; below a power of two the neighbour is half as far. */
static void check_double(smi_i128 num, smi_i128 den)
{
    double d = smi_i128_ratio(num, den);
    int e, order;
    uint64_t m = (uint64_t)ldexp(frexp(fabs(d), &e), 53);
    struct big value = big_of(size_of(num)), half = big_of((smi_u128)den), other, apart;
    assert_true(num == 0 ? d == 0.0 && !signbit(d) : (d < 0) == (num < 0));
    if (num == 0)
        return;
    e -= 53;
    other = big_shift(big_times(half, m), e > 0 ? e + 1 : 1);
    value = big_shift(value, e > 0 ? 1 : 1 - e);
    half = big_shift(half, e > 0 ? e : 0);
    apart = big_apart(value, other);
    if (m == (uint64_t)1 << 52 && big_compare(&value, &other) < 0)
        apart = big_times(apart, 2);
    order = big_compare(&apart, &half);
    assert_true(order <= 0);
    if (order == 0)
        assert_true((m & 1) == 0);
}

static void double_is_the_nearest(void **unused)
{
    const smi_i128 most = (smi_i128)(~(smi_u128)0 >> 1);
    (void)unused;
    for (int i = 0; i < ROUNDS / 4; i++) {
        check_double(random_signed(126), (smi_i128)random_wide(63) + 1);
        check_double(random_signed(64), (smi_i128)random_wide(20) + 1);
    }
    check_double(0, 5);
    check_double(most, 1);
    check_double(-most - 1, 1);
    check_double(1, UINT64_MAX);
    check_double(most, UINT64_MAX);
    check_double(most, (smi_i128)1 << 63);
}

/* Halfway between two neighbours, and one step to either side of it. */
static void double_ties_go_to_even(void **unused)
{
    (void)unused;
    for (int i = 0; i < ROUNDS / 8; i++) {
        unsigned up = (unsigned)(random64() % 72);
        smi_u128 m = (smi_u128)1 << 53 | random64() >> 11 | 1; /* 54 bits, the last is the half */
        smi_i128 den = (smi_i128)1 << random64() % 64;
        check_double((smi_i128)(m << up), den);
        check_double((smi_i128)(m << up) + 1, den);
        check_double(-((smi_i128)(m << up) - 1), den);
    }
}

static void double_known(void **unused)
{
    (void)unused;
    assert_true(smi_i128_ratio(1, 3) == 1.0 / 3.0 && smi_i128_ratio(-22, 7) == -22.0 / 7.0);
    assert_true(smi_i128_ratio(123456789, 1000000) == 123.456789 && smi_i128_ratio(1, 10) == 0.1);
}

static void text_and_back(void **unused)
{
    char t[SMI_I128_TEXT];
    const smi_i128 most = (smi_i128)(~(smi_u128)0 >> 1);
    (void)unused;
    for (int i = 0; i < ROUNDS; i++) {
        smi_i128 v = random_signed(126), back = 1;
        size_t n = smi_i128_write(t, v);
        assert_int_equal(n, strlen(t));
        assert_true(n == 1 || (t[0] != '0' && strncmp(t, "-0", 2) != 0));
        assert_int_equal(smi_i128_parse(t, n, &back), 0);
        assert_true(back == v);
    }
    smi_i128_write(t, most);
    assert_string_equal(t, "170141183460469231731687303715884105727");
    smi_i128_write(t, -most - 1);
    assert_string_equal(t, "-170141183460469231731687303715884105728");
    smi_i128_write(t, (smi_i128)UINT64_MAX + 1);
    assert_string_equal(t, "18446744073709551616");
}

static void text_of_small_numbers(void **unused)
{
    char t[SMI_I128_TEXT], want[32];
    (void)unused;
    for (int i = 0; i < ROUNDS; i++) {
        long long v = (long long)(random64() >> random64() % 64);
        snprintf(want, sizeof want, "%lld", v);
        smi_i128_write(t, v);
        assert_string_equal(t, want);
    }
}

static void no_number(void **unused)
{
    static const char *const bad[] = {"",
                                      "-",
                                      "--1",
                                      "+1",
                                      " 1",
                                      "1 ",
                                      "1.0",
                                      "0x1",
                                      "1e3",
                                      "a",
                                      "123456789012345678901234567890123456789"};
    smi_i128 v;
    (void)unused;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(smi_i128_parse(bad[i], strlen(bad[i]), &v), -1);
    assert_int_equal(smi_i128_parse("99999999999999999999999999999999999999", 38, &v), 0);
    assert_int_equal(smi_i128_parse("12junk", 2, &v), 0);
    assert_true(v == 12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(div_is_the_nearest),
        cmocka_unit_test(div_known),
        cmocka_unit_test(root_is_the_largest),
        cmocka_unit_test(double_is_the_nearest),
        cmocka_unit_test(double_ties_go_to_even),
        cmocka_unit_test(double_known),
        cmocka_unit_test(text_and_back),
        cmocka_unit_test(text_of_small_numbers),
        cmocka_unit_test(no_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
