/* json: what we write, jansson reads and writes the same. */
#include "base/json.h"
#include "formats/json_line.h"

#include <jansson.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static uint64_t state = 88172645463325252u;

static uint64_t random64(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * 0x2545F4914F6CDD1Du;
}

static json_t *parsed(const struct smi_buf *b)
{
    json_error_t e;
    json_t *v = json_loadb(b->p, b->n, JSON_DECODE_ANY | JSON_ALLOW_NUL | JSON_REJECT_DUPLICATES, &e);
    if (!v)
        fail_msg("%s: %.*s", e.text, (int)b->n, b->p);
    return v;
}

/* The text as it has to come back: each byte that begins no valid sequence is U+FFFD. */
static size_t repaired(char *out, const unsigned char *u, size_t n)
{
    static const unsigned first[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t i = 0, m = 0, k, len;
    while (i < n) {
        unsigned c = 0;
        len = u[i] < 0x80 ? 1 : u[i] >> 5 == 6 ? 2 : u[i] >> 4 == 14 ? 3 : u[i] >> 3 == 30 ? 4 : 0;
        for (k = 0; k < len && i + k < n && (k == 0 || u[i + k] >> 6 == 2); k++)
            c = c << 6 | (u[i + k] & (k || len == 1 ? 0x7Fu >> (k > 0) : 0x7Fu >> len));
        if (len == 0 || k < len || c < first[len] || c > 0x10FFFF || c >> 11 == 0x1B) {
            memcpy(out + m, "\xEF\xBF\xBD", 3);
            m += 3;
            i++;
        } else {
            memcpy(out + m, u + i, len);
            m += len;
            i += len;
        }
    }
    return m;
}

static void check_text(const char *t, size_t n)
{
    char want[400];
    size_t m = repaired(want, (const unsigned char *)t, n);
    struct smi_buf b = {0};
    struct smi_json j;
    json_t *v;
    smi_json_begin(&j, &b);
    smi_json_text(&j, (struct smi_text){t, n});
    for (size_t i = 0; i < b.n; i++)
        assert_true((unsigned char)b.p[i] >= 0x20 && b.p[i] != 0x7F);
    v = parsed(&b);
    assert_int_equal(json_string_length(v), m);
    assert_memory_equal(json_string_value(v), want, m);
    json_decref(v);
    smi_buf_fini(&b);
}

static void any_bytes_are_a_string(void **unused)
{
    static const char *const some[] = {
        "\xC3\xA9", "\xE2\x80\xAE", "\xF0\x9F\x98\x80", "\xC2\x9B",         "\xEF\xBB\xBF",
        "\"",       "\\",           "\xED\xA0\x80",     "\xF4\x90\x80\x80", "</script>"};
    char t[128];
    (void)unused;
    for (int i = 0; i < 256; i++) {
        t[0] = (char)i;
        t[1] = 'x';
        check_text(t, 2);
        check_text(t, 1);
    }
    for (int i = 0; i < 50000; i++) {
        size_t n = 0, want = random64() % 100;
        while (n < want) {
            const char *s = random64() & 1 ? some[random64() % 10] : "";
            size_t len = strlen(s);
            memcpy(t + n, s, len);
            n += len;
            if (random64() & 1)
                t[n++] = (char)random64();
        }
        check_text(t, want); /* mostly cuts the last sequence */
    }
}

static void text_known(void **unused)
{
    struct smi_buf b = {0};
    struct smi_json j;
    (void)unused;
    smi_json_begin(&j, &b);
    smi_json_str(&j, "a\"\\\n\x1b\x7f\xC2\x9B\xE2\x80\xAE\xFF\xFE\xC3\xA9");
    assert_string_equal(b.p,
                        "\"a\\\"\\\\\\u000a\\u001b\\u007f\\u009b\\u202e\xEF\xBF\xBD\xEF\xBF\xBD\xC3\xA9\"");
    smi_buf_fini(&b);
}

/* The same random value into both writers. */
static json_t *grow(struct smi_json *j, int depth)
{
    static const char word[] = "abcdefghij";
    size_t n = random64() % 5, from = random64() % 8;
    int64_t v = (int64_t)(random64() >> random64() % 64);
    json_t *made;
    char key[16];
    switch (random64() % (depth > 0 ? 7 : 5)) {
    case 0:
        smi_json_i128(j, v);
        return json_integer(v);
    case 1:
        smi_json_str(j, word + from);
        return json_string(word + from);
    case 2:
        smi_json_bool(j, v & 1);
        return json_boolean(v & 1);
    case 3:
        smi_json_null(j);
        return json_null();
    case 4:
        smi_json_raw(j, "[1, {\"x\": 2}]");
        return json_pack("[i,{s:i}]", 1, "x", 2);
    case 5:
        smi_json_open(j, '[');
        for (made = json_array(); n > 0; n--)
            json_array_append_new(made, grow(j, depth - 1));
        smi_json_close(j, ']');
        return made;
    default:
        smi_json_open(j, '{');
        for (made = json_object(); n > 0; n--) {
            sprintf(key, "k%u", (unsigned)n);
            smi_json_key(j, key);
            json_object_set_new(made, key, grow(j, depth - 1));
        }
        smi_json_close(j, '}');
        return made;
    }
}

static void documents_are_as_jansson_writes_them(void **unused)
{
    (void)unused;
    for (int i = 0; i < 5000; i++) {
        struct smi_buf b = {0};
        struct smi_json j;
        json_t *made;
        char *want;
        smi_json_begin(&j, &b);
        made = grow(&j, 6);
        want = json_dumps(made, JSON_PRESERVE_ORDER | JSON_ENCODE_ANY);
        assert_non_null(want);
        assert_string_equal(b.p, want);
        assert_int_equal(j.depth, 0);
        free(want);
        json_decref(made);
        smi_buf_fini(&b);
    }
}

static void numbers_are_exact(void **unused)
{
    struct smi_buf b = {0};
    struct smi_json j;
    (void)unused;
    smi_json_begin(&j, &b);
    smi_json_open(&j, '[');
    smi_json_i128(&j, INT64_MIN);
    smi_json_i128(&j, (smi_i128)UINT64_MAX * 1000);
    smi_json_micro(&j, -500000);
    smi_json_micro(&j, 0);
    smi_json_micro(&j, (smi_i128)3600000000);
    smi_json_str(&j, NULL);
    smi_json_close(&j, ']');
    assert_string_equal(b.p, "[-9223372036854775808, 18446744073709551615000, -0.5, 0.0, 3600.0, null]");
    smi_buf_fini(&b);
}

static void several_values_on_top(void **unused)
{
    struct smi_buf b = {0};
    struct smi_json j;
    (void)unused;
    smi_json_begin(&j, &b);
    for (int i = 0; i < 2; i++) { /* JSONL: the caller puts the newline */
        smi_json_open(&j, '{');
        smi_json_key(&j, "a\"b");
        smi_json_open(&j, '{');
        smi_json_close(&j, '}');
        smi_json_close(&j, '}');
        smi_buf_char(&b, '\n');
    }
    assert_string_equal(b.p, "{\"a\\\"b\": {}}\n{\"a\\\"b\": {}}\n");
    smi_buf_fini(&b);
}

static void nest(struct smi_json *j, int levels)
{
    for (int i = 0; i < levels; i++)
        smi_json_open(j, '[');
    for (int i = 0; i < levels; i++) {
        smi_json_close(j, ']');
        if (i + 1 < levels)
            smi_json_i128(j, 1); /* each level still knows that it holds something */
    }
}

static void depth_at_its_limit(void **unused)
{
    struct smi_buf b = {0};
    struct smi_json j;
    (void)unused;
    smi_json_begin(&j, &b);
    nest(&j, 64);
    json_decref(parsed(&b));
    smi_buf_fini(&b);
}

/* One level more is a programmer's error: an assertion, or without assertions at least nothing out of bounds.
 */
static void depth_beyond_its_limit(void **unused)
{
    int status;
    pid_t child = fork();
    (void)unused;
    assert_true(child >= 0);
    if (child == 0) {
        struct {
            struct smi_json j;
            char guard[64];
        } room;
        struct smi_buf b = {0};
        signal(SIGABRT, SIG_DFL);
        if (!freopen("/dev/null", "w", stderr))
            _exit(3);
        memset(&room, 0x55, sizeof room);
        smi_json_begin(&room.j, &b);
        nest(&room.j, 200);
        for (size_t i = 0; i < sizeof room.guard; i++)
            if (room.guard[i] != 0x55)
                _exit(2);
        _exit(room.j.to == &b ? 0 : 2);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
#ifdef NDEBUG
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
#else
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
#endif
}

/* ---- slices of a text are what jansson reads of it ---- */

static const char wide[] = "18446744073709551616";

static void compare_values(const struct smi_json_value *v, const json_t *j)
{
    char a[SMI_JSON_DIGITS], b[SMI_JSON_DIGITS];
    struct smi_text text = smi_json_plain(v, a);
    int64_t micro = 0;
    if (json_is_number(j)) {
        assert_int_equal(v->kind, SMI_JSON_NUMBER);
        snprintf(b, sizeof b, "%" JSON_INTEGER_FORMAT, json_integer_value(j));
        if (json_is_real(j))
            smi_real_write(b, json_real_value(j));
        assert_true(smi_text_is(text, b));
        assert_int_equal(v->f.number, smi_json_number(j, &micro));
        if (v->f.number)
            assert_int_equal(v->f.micro, micro);
    } else if (json_is_string(j)) {
        assert_int_equal(v->kind, SMI_JSON_STRING);
        assert_true(smi_text_equal(text, (struct smi_text){json_string_value(j), json_string_length(j)}));
    } else if (json_is_object(j) || json_is_array(j)) {
        const struct smi_json_value *c = v + 1, *end = v + v->size;
        const char *key;
        size_t i;
        json_t *member;
        assert_int_equal(v->kind, json_is_object(j) ? SMI_JSON_OBJECT : SMI_JSON_LIST);
        json_object_foreach ((json_t *)(uintptr_t)j, key,
                             member) { /* of a key given twice the place is the last */
            const struct smi_json_value *of = SMI_JSON_GET(v, key);
            assert_non_null(of);
            compare_values(of, member);
            c += of->size;
        }
        json_array_foreach (j, i, member) {
            assert_ptr_equal(smi_json_element(v, i), c);
            compare_values(c, member);
            c += c->size;
        }
        assert_ptr_equal(c, end);
    } else {
        assert_int_equal(v->kind, json_is_null(j) ? SMI_JSON_NULL : SMI_JSON_WORD);
        assert_true(json_is_null(j) || text.n == (json_is_true(j) ? 4u : 5u));
    }
}

/* Jansson does not read Python's words, nor numbers that neither 64 bits nor a double hold. */
static bool is_more_than_jansson_reads(struct smi_text t, const struct smi_json_values *d)
{
    return d->lost || memmem(t.p, t.n, "1e999", 5) || memmem(t.p, t.n, wide, sizeof wide - 1) ||
           memmem(t.p, t.n, "e5", 2) || memmem(t.p, t.n, "12345678901234567", 17);
}

static void compare_text(struct smi_text t, struct smi_json_values *d)
{
    json_error_t why;
    json_t *j = json_loadb(t.p ? t.p : "", t.n, JSON_ALLOW_NUL, &why);
    const bool good = smi_json_parse(t, d);
    if (good ? !j && !is_more_than_jansson_reads(t, d) : j != NULL)
        fail_msg("jansson: %s: %.*s", j ? "read" : why.text, (int)t.n, t.p);
    if (good && j)
        compare_values(d->v, j);
    json_decref(j);
}

static void slices_are_what_jansson_reads(void **unused)
{
    static const char *const words[] = {"{",
                                        "}",
                                        "[",
                                        "]",
                                        ",",
                                        ":",
                                        "\"",
                                        "\"a\": ",
                                        "\"b\":",
                                        "\"data\": {",
                                        "null",
                                        "true",
                                        "false",
                                        "NaN",
                                        "-Infinity",
                                        "1",
                                        "-0",
                                        "0.50",
                                        "1e5",
                                        "1e-05",
                                        "0.00001",
                                        "1e999",
                                        wide,
                                        "-12345678901234567",
                                        "1751500000.123456",
                                        "40.38461538461539",
                                        "0.1234567",
                                        "01",
                                        "1.",
                                        "\\u0041",
                                        "\\ud83d\\ude00",
                                        "\\ud83d",
                                        "\\n",
                                        "\\\\",
                                        "\\\"",
                                        "\303\251",
                                        "\377",
                                        "\t",
                                        "\n",
                                        " ",
                                        "x",
                                        "\\u0000",
                                        "[1, 2]",
                                        "{\"a\": 1, \"a\": [2]}",
                                        "\"text\"",
                                        "123456789012.5",
                                        "9007199254.740993"};
    static const char *const whole[] = {
        "{\"ts\": \"2026-07-03T10:00:00.123+00:00\", \"type\": \"event\", \"data\": {\"a\": 1.5, \"b\": [1, "
        "{}]}}",
        "[{\"a\": 0.0001, \"a\": {\"b\": [[], 1]}, \"c\": -0.0, \"a\": \"\\u00e9\"}, 1e-7, -5, [NaN, 2]]",
        "{\"a\": {\"x\": 1, \"y\": 2}, \"b\": 3, \"a\": 4, \"b\": {\"z\": [5, 6]}, \"c\": 7}",
        /* keys of the first, spelt in other ways */
        "{\"ts\":\"2026-07-03T10:00:00.123+00:00\",\"type\":\"event\",\"data\":{\"a\":1.5,\"b\":[1,{}]}}",
        "{ \"ts\" :\"2026\",\t\"type\": \n\"event\" ,\"data\":  {\"a\": 1.5 , \"b\":[1, {}]}, "
        "\"t\\u0079pe\": 2}"};
    enum { WORDS = sizeof words / sizeof *words, ROUNDS = 60000 };
    struct smi_json_values d = {0};
    struct smi_buf text = {0};
    (void)unused;
    for (int round = 0; round < ROUNDS; round++) {
        smi_buf_clear(&text);
        if (round % 3) {
            smi_buf_str(&text, whole[random64() % (sizeof whole / sizeof *whole)]);
            for (uint64_t times = random64() % 4; times; times--) {
                const char *w = words[random64() % WORDS];
                const size_t at = random64() % (text.n + 1), n = strlen(w),
                             cut = random64() % 3 ? 0 : random64() % 9;
                smi_buf_room(&text, n);
                memmove(text.p + at + n, text.p + at, text.n - at);
                memcpy(text.p + at, w, n);
                text.n += n;
                text.n -= cut < text.n ? cut : 0;
            }
        } else {
            smi_buf_str(&text, random64() % 2 ? "{\"a\": " : "[");
            for (uint64_t times = random64() % 9; times; times--)
                smi_buf_str(&text, words[random64() % WORDS]);
            smi_buf_str(&text, random64() % 2 ? "}" : "]");
        }
        compare_text((struct smi_text){text.p, text.n}, &d);
    }
    for (int shape = 0; shape < 3; shape++) { /* many members, many of them again, of other sizes */
        smi_buf_clear(&text);
        smi_buf_str(&text, "{\"b\": 1, \"list\": [");
        for (int i = 0; i < 20000; i++)
            smi_buf_str(&text, i ? ",1" : "1");
        smi_buf_str(&text, "]");
        for (int i = 0; i < 20000; i++)
            smi_buf_fmt(&text, ", \"b%d\": %s", shape ? i % (shape * 3000) : 0,
                        i % 2 ? "[1, 2]" : "-9223372036854775808");
        smi_buf_str(&text, "}");
        compare_text((struct smi_text){text.p, text.n}, &d);
    }
    smi_json_values_fini(&d);
    smi_buf_fini(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_bytes_are_a_string),
        cmocka_unit_test(text_known),
        cmocka_unit_test(documents_are_as_jansson_writes_them),
        cmocka_unit_test(numbers_are_exact),
        cmocka_unit_test(several_values_on_top),
        cmocka_unit_test(depth_at_its_limit),
        cmocka_unit_test(depth_beyond_its_limit),
        cmocka_unit_test(slices_are_what_jansson_reads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
