/* text, real, buf and mem: strict numbers and their text, UTF-8, names, and text that is safe to print. */
#include "base/buf.h"
#include "base/mem.h"
#include "base/text.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { ROUNDS = 100000 };

static uint64_t state = 88172645463325252u;

static uint64_t random64(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * 0x2545F4914F6CDD1Du;
}

static int64_t random_micro(void)
{
    int64_t v = (int64_t)(random64() >> random64() % 64);
    if (random64() % 4 == 0)
        v = v / 1000000 * 1000000;
    return v;
}

/* What a printed number looks like: [-]int.frac, no needless zero, never -0.0. */
static void check_shape(const char *t)
{
    const char *digits = t + (*t == '-'), *dot = strchr(t, '.');
    size_t decimals = dot ? strlen(dot + 1) : 0;
    assert_non_null(dot);
    assert_true(decimals >= 1 && decimals <= 6 && strspn(digits, "0123456789.") == strlen(digits));
    assert_true(decimals == 1 || dot[decimals] != '0');
    assert_true(*digits != '0' || digits + 1 == dot);
    assert_string_not_equal(t, "-0.0");
}

static void check_round_trip(int64_t v)
{
    char t[SMI_MICRO_TEXT];
    int64_t back = ~v;
    size_t n = smi_text_write_micro(t, v);
    assert_int_equal(n, strlen(t));
    check_shape(t);
    assert_int_equal(smi_text_parse_micro(smi_text_of(t), &back), 0);
    assert_true(back == v);
}

static void micro_to_text_and_back(void **unused)
{
    (void)unused;
    for (int i = 0; i < ROUNDS; i++)
        check_round_trip(random_micro());
    for (int64_t v = -2000; v <= 2000; v++)
        check_round_trip(v);
    check_round_trip(INT64_MAX);
    check_round_trip(INT64_MIN);
}

static void micro_text_known(void **unused)
{
    static const struct {
        int64_t v;
        const char *t;
    } known[] = {
        {0, "0.0"},      {3600000000, "3600.0"}, {310000, "0.31"},     {-500000, "-0.5"},
        {1, "0.000001"}, {-1, "-0.000001"},      {100000000, "100.0"}, {INT64_MIN, "-9223372036854.775808"}};
    char t[SMI_MICRO_TEXT];
    smi_i128 most = (smi_i128)(~(smi_u128)0 >> 1);
    (void)unused;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        smi_text_write_micro(t, known[i].v);
        assert_string_equal(t, known[i].t);
    }
    smi_text_write_micro(t, -most - 1);
    assert_string_equal(t, "-170141183460469231731687303715884.105728");
}

/* The definition in slow motion: all digits as one integer, divided by its power of ten. At most 30 digits.
 */
static int slow_micro(const char *t, int64_t *micro)
{
    smi_i128 num = 0, den = 1;
    const char *p = t + (*t == '-' || *t == '+');
    size_t whole = strspn(p, "0123456789"), rest = p[whole] == '.' ? strspn(p + whole + 1, "0123456789") : 0;
    if (whole == 0 || (p[whole] == '.' && rest == 0) || p[whole + (rest ? rest + 1 : 0)] != 0)
        return -1;
    for (; *p; p++) {
        if (*p != '.')
            num = num * 10 + (*p - '0');
        if (*p != '.' && rest && p > strchr(t, '.'))
            den *= 10;
    }
    num = smi_i128_div(*t == '-' ? -num * 1000000 : num * 1000000, den);
    if (num > INT64_MAX || num < INT64_MIN)
        return 1;
    *micro = (int64_t)num;
    return 0;
}

static void compare_micro(const char *t)
{
    int64_t want = 1, got = 1;
    size_t n = strlen(t);
    char *exact = malloc(n ? n : 1); /* the sanitizer sees a read behind it */
    int code = slow_micro(t, &want);
    assert_non_null(exact);
    if (n)
        memcpy(exact, t, n);
    if (smi_text_parse_micro((struct smi_text){exact, n}, &got) != code || got != want)
        fail_msg("\"%s\": not %d %lld but %lld", t, code, (long long)want, (long long)got);
    free(exact);
}

/* Numbers with exponents and factors: what the exact fraction gives. */
static void scaled_numbers(void **unused)
{
    static const struct {
        const char *t;
        int64_t num, den;
        int code;
        int64_t v;
    } known[] = {
        {"1.5e+09", 1000000, 1 << 20, 0, 1430511475},
        {"1E-7", 1000000, 1, 0, 0},
        {"5e-7", 1000000, 1, 0, 0},
        {"15e-7", 1000000, 1, 0, 2},
        {"5.00000000000000000000000000000000000000000001e-7", 1000000, 1, 0, 1},
        {"0.000000000000000000000000000000000000000000005e38", 1000000, 1, 0, 0},
        {"18446744073709551614", 1, 2, 0, INT64_MAX},
        {"18446744073709551615", 1, 2, 1, 0},
        {"18446744073709551616", 1, 2, 1, 0},
        {"-18446744073709551616", 1, 2, 0, INT64_MIN},
        {"12345678901234567890123456789012345678901234567890e-40", 1, 1, 0, 1234567890},
        {"1e400", 1000000, 1, 1, 0},
        {"0e400", 1000000, 1, 0, 0},
        {"1e-400", 1000000, 1, 0, 0},
        {"239.4", INT64_C(1000000000000000000), 1 << 20, 0, 228309631347656},
        {"1e", 1, 1, -1, 0},
        {"1e+", 1, 1, -1, 0},
        {"e5", 1, 1, -1, 0},
        {".5", 1, 1, -1, 0},
        {"5.", 1, 1, -1, 0},
        {"1.2.3", 1, 1, -1, 0},
        {"1 ", 1, 1, -1, 0},
        {"", 1, 1, -1, 0},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        int64_t v = 0;
        int code = smi_text_parse_scaled(smi_text_of(known[i].t), known[i].num, known[i].den, &v);
        if (code != known[i].code || (!code && v != known[i].v))
            fail_msg("\"%s\": %d %lld", known[i].t, code, (long long)v);
    }
}

static void random_number(char *t)
{
    size_t whole = random64() % 16, rest = random64() % 14, n = 0;
    if (random64() % 3 == 0)
        t[n++] = "+-"[random64() & 1];
    while (whole--)
        t[n++] = (char)('0' + (int)(random64() % 4 ? random64() % 10 : 0));
    if (random64() % 8)
        t[n++] = '.';
    while (rest--)
        t[n++] = "0123456789555000"[random64() % 16];
    if (random64() % 16 == 0 && n)
        t[random64() % n] = " .-+eExX_,\0019a"[random64() % 13];
    t[n] = 0;
}

static void micro_equals_the_definition(void **unused)
{
    static const char *const edge[] = {"",
                                       "+",
                                       "-",
                                       ".",
                                       ".5",
                                       "5.",
                                       "+5",
                                       "-5",
                                       "--5",
                                       "+-5",
                                       "5.5.5",
                                       "1e3",
                                       "nan",
                                       "inf",
                                       "0x10",
                                       "1_0",
                                       " 1",
                                       "1 ",
                                       "1,5",
                                       "-0",
                                       "-0.0",
                                       "-0.0000004",
                                       "0.0000005",
                                       "0.0000015",
                                       "0.0000025",
                                       "0.00000050001",
                                       "00000000000000000005",
                                       "9223372036854.775807",
                                       "9223372036854.775808",
                                       "-9223372036854.775808",
                                       "-9223372036854.775809",
                                       "9223372036854.7758074999",
                                       "9223372036854.7758075",
                                       "-9223372036854.7758085",
                                       "-9223372036854.7758086",
                                       "9223372036855",
                                       "99999999999999999999999999",
                                       "18446744073709.551616",
                                       "999999999999.999999",
                                       "9999999999999",
                                       "999999999999.9999995",
                                       "1.00000000000000000000000000"};
    char t[40];
    (void)unused;
    for (size_t i = 0; i < sizeof edge / sizeof *edge; i++)
        compare_micro(edge[i]);
    for (int i = 0; i < 3 * ROUNDS; i++) {
        random_number(t);
        compare_micro(t);
    }
}

static void micro_of_very_many_digits(void **unused)
{
    char t[5000];
    int64_t v;
    (void)unused;
    memset(t, '0', sizeof t);
    assert_int_equal(smi_text_parse_micro((struct smi_text){t, sizeof t}, &v), 0);
    assert_true(v == 0);
    memcpy(t, "7.0000005", 9);
    assert_int_equal(smi_text_parse_micro((struct smi_text){t, sizeof t}, &v), 0);
    assert_true(v == 7000000);
    t[sizeof t - 1] = '1';
    assert_int_equal(smi_text_parse_micro((struct smi_text){t, sizeof t}, &v), 0);
    assert_true(v == 7000001);
    memset(t, '9', sizeof t);
    assert_int_equal(smi_text_parse_micro((struct smi_text){t, sizeof t}, &v), 1);
    t[sizeof t - 1] = 'x';
    assert_int_equal(smi_text_parse_micro((struct smi_text){t, sizeof t}, &v), -1);
}

static void fixed_is_rounded_once(void **unused)
{
    static const int64_t step[] = {1000000, 100000, 10000, 1000, 100, 10, 1};
    char t[SMI_MICRO_TEXT];
    (void)unused;
    for (int i = 0; i < ROUNDS; i++) {
        int64_t v = i % 3 ? random_micro() / 2 : (int64_t)(random64() % 4000000) - 2000000, back;
        int digits = (int)(random64() % 7);
        size_t n = smi_text_write_fixed(t, v, digits);
        const char *dot = strchr(t, '.');
        assert_int_equal(n, strlen(t));
        assert_int_equal(dot ? strlen(dot + 1) : 0, digits);
        assert_int_equal(smi_text_parse_micro(smi_text_of(t), &back), 0);
        assert_true(back == (int64_t)smi_i128_div(v, step[digits]) * step[digits]);
        assert_true(back != 0 || t[0] != '-');
    }
}

/* UTF-8 by its definition: decode, then ask whether that number needed this many bytes. */
static size_t slow_utf8(const unsigned char *u, size_t n, uint32_t *c)
{
    static const uint32_t first[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t len = n == 0            ? 0
                 : u[0] < 0x80     ? 1
                 : u[0] >> 5 == 6  ? 2
                 : u[0] >> 4 == 14 ? 3
                 : u[0] >> 3 == 30 ? 4
                                   : 0;
    if (len == 0 || len > n)
        return 0;
    *c = len == 1 ? u[0] : u[0] & (0x7Fu >> len);
    for (size_t i = 1; i < len; i++) {
        if (u[i] >> 6 != 2)
            return 0;
        *c = *c << 6 | (u[i] & 0x3Fu);
    }
    return *c < first[len] || *c > 0x10FFFF || (*c >= 0xD800 && *c < 0xE000) ? 0 : len;
}

static bool slow_hidden(uint32_t c)
{
    static const uint32_t ranges[][2] = {{0, 0x1F},        {0x7F, 0x9F},     {0xAD, 0xAD},
                                         {0x61C, 0x61C},   {0x180E, 0x180E}, {0x200B, 0x200F},
                                         {0x2028, 0x202E}, {0x2060, 0x206F}, {0xFEFF, 0xFEFF},
                                         {0xFFF9, 0xFFFB}, {0xFFFE, 0xFFFF}, {0xE0000, 0xE007F}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (c >= ranges[i][0] && c <= ranges[i][1])
            return true;
    return false;
}

static void check_sequence(const unsigned char *u, size_t n)
{
    uint32_t c = 0;
    size_t len = slow_utf8(u, n, &c);
    assert_int_equal(smi_text_utf8((const char *)u, n), len);
    if (len)
        assert_int_equal(smi_text_unprintable((const char *)u, len), slow_hidden(c) ? (int)c : -1);
}

static void utf8_equals_the_definition(void **unused)
{
    unsigned char u[4];
    (void)unused;
    for (unsigned a = 0; a < 256; a++)
        for (unsigned b = 0; b < 256; b++)
            for (unsigned c = 0; c < 256; c++) {
                u[0] = (unsigned char)a;
                u[1] = (unsigned char)b;
                u[2] = (unsigned char)c;
                u[3] = (unsigned char)(0x7E + (a + b + c) % 4 + (c & 1) * 0x40);
                check_sequence(u, 4);
                if (c == 0x80)
                    check_sequence(u, 3);
            }
    for (size_t n = 0; n < 4; n++)
        check_sequence((const unsigned char *)"\xF0\x9F\x98\x80", n);
}

/* Random bytes with plenty of valid, hidden and torn sequences. */
static size_t random_bytes(char *t, size_t cap)
{
    static const char *const some[] = {"\xC3\xA9",         "\xE2\x80\xAE", "\xF0\x9F\x98\x80", "\xC2\x9B",
                                       "\xEF\xBB\xBF",     "\xE2\x82\xAC", "\xED\xA0\x80",     "\xC0\xAF",
                                       "\xF4\x90\x80\x80", "\x1B[31m"};
    size_t n = 0, want = random64() % cap;
    while (n + 8 < want) {
        const char *s = some[random64() % 10];
        size_t len = strlen(s), kind = random64() % 4;
        if (kind == 0) {
            memcpy(t + n, s, len - (random64() % 5 == 0));
            n += len;
        } else {
            t[n++] = (char)(kind == 1 ? random64() : 'a' + random64() % 26);
        }
    }
    return n;
}

static void is_utf8_means_every_byte(void **unused)
{
    char t[120];
    (void)unused;
    memset(t, 0, sizeof t);
    for (int i = 0; i < ROUNDS; i++) {
        size_t n = random_bytes(t, i % 2 ? 40 : 12), at = 0, len = 1;
        uint32_t c;
        while (at < n && (len = slow_utf8((const unsigned char *)t + at, n - at, &c)) != 0)
            at += len;
        assert_true(smi_text_is_utf8((struct smi_text){t, n}) == (at == n));
    }
    assert_true(smi_text_is_utf8((struct smi_text){NULL, 0}));
}

static int hex(char c)
{
    return c <= '9' ? c - '0' : c - 'a' + 10;
}

static void safe_text_is_safe_and_whole(void **unused)
{
    char t[120], back[120];
    struct smi_buf b = {0};
    (void)unused;
    memset(t, 0, sizeof t);
    for (int i = 0; i < ROUNDS / 4; i++) {
        size_t n = random_bytes(t, sizeof t), at = 0, len, m = 0;
        uint32_t c;
        for (size_t k = 0; k < n; k++) /* a backslash of its own is not marked: keep the way back unique */
            t[k] = t[k] == '\\' ? '/' : t[k];
        smi_buf_clear(&b);
        smi_buf_safe(&b, (struct smi_text){t, n});
        while (at < b.n) {
            len = slow_utf8((const unsigned char *)b.p + at, b.n - at, &c);
            assert_true(len > 0 && !slow_hidden(c));
            if (c == '\\') {
                assert_int_equal(b.p[at + 1], 'x');
                back[m++] = (char)(hex(b.p[at + 2]) << 4 | hex(b.p[at + 3]));
                at += 4;
                continue;
            }
            memcpy(back + m, b.p + at, len);
            m += len;
            at += len;
        }
        assert_int_equal(m, n);
        assert_memory_equal(back, t, n);
    }
    smi_buf_fini(&b);
}

static void safe_known(void **unused)
{
    struct smi_buf b = {0};
    (void)unused;
    smi_buf_safe(&b, smi_text_of("a\x1b[0m\n\xE2\x80\xAE\xC2\x85\xFF\xC3\xA9\x7F"));
    assert_string_equal(b.p, "a\\x1b[0m\\x0a\\xe2\\x80\\xae\\xc2\\x85\\xff\xC3\xA9\\x7f");
    smi_buf_fini(&b);
    assert_null(b.p);
}

static void buffers_grow(void **unused)
{
    struct smi_buf b = {0};
    char *long_text = malloc(70001), want[32];
    (void)unused;
    assert_non_null(long_text);
    memset(long_text, 'x', 70000);
    long_text[70000] = 0;
    for (int i = 0; i < 1000; i++) {
        size_t at = b.n;
        int n = snprintf(want, sizeof want, "%d|%s", i, "ab");
        smi_buf_fmt(&b, "%d|%s", i, "ab");
        assert_int_equal(b.n, at + (size_t)n);
        assert_string_equal(b.p + at, want);
    }
    smi_buf_clear(&b);
    smi_buf_fmt(&b, "<%s>", long_text);
    smi_buf_char(&b, '!');
    smi_buf_add(&b, NULL, 0);
    assert_int_equal(b.n, 70003);
    assert_true(b.p[0] == '<' && b.p[70001] == '>' && b.p[70002] == '!' && b.p[70003] == 0);
    smi_buf_fini(&b);
    free(long_text);
}

static void arrays_and_arenas(void **unused)
{
    struct smi_arena arena = {0};
    uint64_t *a = NULL;
    size_t cap = 0, old;
    (void)unused;
    for (size_t n = 1; n < 5000; n = n * 3 / 2 + 1) {
        old = cap;
        smi_mem_reserve(&a, &cap, n, sizeof *a);
        assert_true(cap >= n);
        for (size_t i = old; i < cap; i++)
            assert_true(a[i] == 0);
        memset(a, 0xAA, cap * sizeof *a);
    }
    smi_mem_free(a);
    for (size_t n = 0; n < 40000; n = n * 2 + 7) {
        char *p = smi_arena_new(&arena, n, 1);
        assert_true(p && (uintptr_t)p % 16 == 0);
        for (size_t i = 0; i < n; i++)
            assert_int_equal(p[i], 0);
        memset(p, 0xAA, n);
    }
    assert_string_equal(smi_arena_text(&arena, "abcd", 3), "abc");
    smi_arena_fini(&arena);
    assert_null(arena.blocks);
}

static void print_now(void *self)
{
    (void)!write(STDOUT_FILENO, self, strlen(self));
}

/* Each way to ask for more than there is ends the process with status 4, one line, and a call of the function
 * before. */
static void exhausted_memory_ends_the_program(void **unused)
{
    (void)unused;
    for (int way = 0; way < 5; way++) {
        char said[200] = "";
        int out[2], status;
        size_t n = 0, cap = 0;
        ssize_t got;
        pid_t child;
        assert_int_equal(pipe(out), 0);
        fflush(stdout);
        child = fork();
        if (child == 0) {
            struct smi_arena arena = {0};
            char *list = NULL;
            dup2(out[1], STDOUT_FILENO);
            dup2(out[1], STDERR_FILENO);
            smi_mem_on_exhausted(way ? print_now : NULL, "before, ");
            if (way == 0)
                smi_mem_raw(SIZE_MAX / 2);
            else if (way == 1)
                smi_mem_new(SIZE_MAX / 2, 3);
            else if (way == 2)
                smi_mem_reserve(&list, &cap, SIZE_MAX / 2 + 2, 1);
            else if (way == 3)
                smi_mem_reserve(&list, &cap, SIZE_MAX / 4, 8);
            else
                smi_arena_new(&arena, SIZE_MAX / 2, 3);
            _exit(0);
        }
        close(out[1]);
        while ((got = read(out[0], said + n, sizeof said - 1 - n)) > 0)
            n += (size_t)got;
        close(out[0]);
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 4);
        assert_string_equal(said, way ? "before, smilog: out of memory\n" : "smilog: out of memory\n");
    }
}

static void slices(void **unused)
{
    struct smi_text t = smi_text_trim(smi_text_of(" \t a b \t"));
    (void)unused;
    assert_true(smi_text_is(t, "a b") && !smi_text_is(t, "a") && !smi_text_is(t, "a b c") &&
                !smi_text_is(t, "A b"));
    assert_true(smi_text_is_nocase(t, "A B") && !smi_text_is_nocase(t, "a") &&
                !smi_text_is_nocase(t, "a bc"));
    assert_true(smi_text_starts_nocase(t, "A ") && smi_text_starts_nocase(t, "") &&
                !smi_text_starts_nocase(t, "a b c"));
    assert_int_equal(smi_text_trim(smi_text_of(" \t ")).n, 0);
    assert_true(smi_text_is((struct smi_text){NULL, 0}, "") && !smi_text_is((struct smi_text){NULL, 0}, "a"));
    assert_false(
        smi_text_is_nocase(smi_text_of("["), "{")); /* differ by the bit of the letter case, are no letters */
    assert_false(smi_text_is_nocase(smi_text_of("@"), "`"));
}

static int sign(int v)
{
    return (v > 0) - (v < 0);
}

static void random_name(char *t)
{
    size_t n = random64() % 6;
    for (size_t i = 0; i < n; i++)
        t[i] = "0019a-\xE9"[random64() % 7];
    t[n] = 0;
}

static void order_is_an_order(void **unused)
{
    static const char *const up[] = {"",
                                     "0",
                                     "00",
                                     "1",
                                     "01",
                                     "2",
                                     "10",
                                     "a",
                                     "a1",
                                     "a2",
                                     "a2b",
                                     "a10",
                                     "a10b2",
                                     "a10b10",
                                     "b",
                                     "seed2",
                                     "seed10",
                                     "seed10000000000000000000000",
                                     "seed20000000000000000000000"};
    char a[8], b[8], c[8];
    (void)unused;
    for (size_t i = 0; i < sizeof up / sizeof *up; i++)
        for (size_t k = 0; k < sizeof up / sizeof *up; k++)
            if (strcmp(up[i], "1") != 0 && strcmp(up[k], "1") != 0 && strcmp(up[i], "00") != 0 &&
                strcmp(up[k], "00") != 0)
                assert_int_equal(sign(smi_text_compare_natural(up[i], up[k])), sign((int)i - (int)k));
    for (int i = 0; i < 2 * ROUNDS; i++) {
        random_name(a);
        random_name(b);
        random_name(c);
        assert_int_equal(sign(smi_text_compare_natural(a, b)), -sign(smi_text_compare_natural(b, a)));
        assert_true((smi_text_compare_natural(a, b) == 0) == (strcmp(a, b) == 0));
        if (smi_text_compare_natural(a, b) < 0 && smi_text_compare_natural(b, c) < 0)
            assert_true(smi_text_compare_natural(a, c) < 0);
    }
}

/* The definition, without a table. */
static int slow_distance(const char *a, size_t m, const char *b, size_t n)
{
    int best, other;
    if (m == 0 || n == 0)
        return (int)(m + n);
    best = slow_distance(a, m - 1, b, n - 1) + (a[m - 1] != b[n - 1]);
    other = slow_distance(a, m - 1, b, n) + 1;
    best = other < best ? other : best;
    other = slow_distance(a, m, b, n - 1) + 1;
    best = other < best ? other : best;
    if (m > 1 && n > 1 && a[m - 1] == b[n - 2] && a[m - 2] == b[n - 1]) {
        other = slow_distance(a, m - 2, b, n - 2) + 1;
        best = other < best ? other : best;
    }
    return best;
}

static void distance_equals_the_definition(void **unused)
{
    char a[8], b[8], word[66];
    (void)unused;
    for (int i = 0; i < 2000; i++) {
        int want, cap = (int)(random64() % 7);
        random_name(a);
        random_name(b);
        want = slow_distance(a, strlen(a), b, strlen(b));
        assert_int_equal(smi_text_distance(a, b, 100), want);
        assert_int_equal(smi_text_distance(a, b, cap), want < cap ? want : cap);
    }
    assert_int_equal(smi_text_distance("sumarize", "summarize", 3), 1);
    assert_int_equal(smi_text_distance("reprot", "report", 3), 1);
    memset(word, 'a', sizeof word);
    word[65] = 0;
    assert_int_equal(smi_text_distance(word, word + 1, 3), 3); /* 65 bytes: far away */
    assert_int_equal(smi_text_distance(word, word, 3), 0);
    assert_int_equal(smi_text_distance(word + 1, word + 2, 3), 1); /* 64 and 63 */
}

static void assert_real(double v, const char *want)
{
    char t[SMI_REAL_TEXT];
    assert_int_equal(smi_real_write(t, v), strlen(want));
    assert_string_equal(t, want);
}

static void reals_as_python_prints_them(void **unused)
{
    (void)unused;
    assert_real(0.0, "0.0");
    assert_real(-0.0, "-0.0");
    assert_real(0.1, "0.1");
    assert_real(0.1 + 0.2, "0.30000000000000004");
    assert_real(1e-4, "0.0001");
    assert_real(1e-5, "1e-05");
    assert_real(1.5e-7, "1.5e-07");
    assert_real(9999999999999998.0, "9999999999999998.0");
    assert_real(1e16, "1e+16");
    assert_real(0x1p-44, "5.684341886080802e-14"); /* the nearest 16 digits give its neighbour */
    assert_real(5e-324, "5e-324");
    assert_real(-1.7976931348623157e308, "-1.7976931348623157e+308");
    assert_real((double)NAN, "nan");
    assert_real((double)-INFINITY, "-inf");
}

/* Of the digits that give a number again none are fewer. */
static void reals_to_text_and_back(void **unused)
{
    char t[SMI_REAL_TEXT], less[64];
    (void)unused;
    for (int i = 0; i < ROUNDS; i++) {
        struct smi_decimal d;
        uint64_t bits = random64();
        double v, back;
        memcpy(&v, &bits, sizeof v);
        if (i % 2)
            v = (double)(random64() >> random64() % 64) / 1e6;
        if (!isfinite(v))
            continue;
        assert_int_equal(smi_real_parse((struct smi_text){t, smi_real_write(t, v)}, &back), 0);
        assert_memory_equal(&back, &v, sizeof v);
        smi_real_digits(v, &d);
        snprintf(less, sizeof less, "%.*e", d.n > 1 ? d.n - 2 : 0, v);
        assert_true(d.n == 1 || strtod(less, NULL) != v);
    }
}

static void reals_are_spelled_and_rounded(void **unused)
{
    static const char *const not [] = {"",    ".",   "-",  "1e", "1e+", "e5",   "0x1p3",
                                       "nan", "inf", "1 ", " 1", "1_0", "1e999"};
    double v = 0;
    (void)unused;
    for (size_t i = 0; i < sizeof not / sizeof *not ; i++)
        assert_int_equal(smi_real_parse(smi_text_of(not [i]), &v), -1);
    assert_true(smi_real_parse(smi_text_of("+.5E-1"), &v) == 0 && v == 0.05);
    assert_true(smi_real_parse(smi_text_of("5."), &v) == 0 && v == 5.0);
    assert_true(smi_real_parse(smi_text_of("1745449609.9821098"), &v) == 0 && v == 1745449609.9821098);
    assert_true(smi_real_round(2.675, 2) == 2.67); /* the double is below */
    assert_true(smi_real_round(0.0625, 3) == 0.062 && smi_real_round(0.1875, 3) == 0.188); /* half to even */
    assert_true(smi_real_round(1e22, 3) == 1e22 && isnan(smi_real_round((double)NAN, 3)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reals_as_python_prints_them),
        cmocka_unit_test(reals_to_text_and_back),
        cmocka_unit_test(reals_are_spelled_and_rounded),
        cmocka_unit_test(micro_to_text_and_back),
        cmocka_unit_test(micro_text_known),
        cmocka_unit_test(scaled_numbers),
        cmocka_unit_test(micro_equals_the_definition),
        cmocka_unit_test(micro_of_very_many_digits),
        cmocka_unit_test(fixed_is_rounded_once),
        cmocka_unit_test(utf8_equals_the_definition),
        cmocka_unit_test(is_utf8_means_every_byte),
        cmocka_unit_test(safe_text_is_safe_and_whole),
        cmocka_unit_test(safe_known),
        cmocka_unit_test(buffers_grow),
        cmocka_unit_test(arrays_and_arenas),
        cmocka_unit_test(exhausted_memory_ends_the_program),
        cmocka_unit_test(slices),
        cmocka_unit_test(order_is_an_order),
        cmocka_unit_test(distance_equals_the_definition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
