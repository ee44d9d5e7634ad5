/* json: what we write, jansson reads and writes the same. */
#include "base/json.h"

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
        smi_json_int(j, v);
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
    smi_json_int(&j, INT64_MIN);
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
            smi_json_int(j, 1); /* each level still knows that it holds something */
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
