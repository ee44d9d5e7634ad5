/* test_json_template.c - lines that are compared with those before tell what they tell when they are read:
 * values, roles and lengths, of plain lines and mutated ones, in a buffer that ends anywhere. SMILOG_ROWS=N:
 * so many lines (30,000). */
#include "formats/json_template.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { OTHER = SMI_JSON_TEMPLATE_ROLES - 1, LINE = 4096 };

static uint64_t state = 1;

static int below(int n)
{
    uint64_t z = state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (int)((z ^ (z >> 31)) % (uint64_t)n);
}

/* ---- lines ---- */

/* Mostly a number, or mostly a string. */
static int value(char *to, bool string)
{
    static const char *const texts[] = {"\"\"",
                                        "\"eval\"",
                                        "\"a longer name than a word\"",
                                        "\"caf\\u00e9 \\u20ac\"",
                                        "\"\\\\ \\\"x\\\" \\n\"",
                                        "true",
                                        "null",
                                        "0",
                                        "-1",
                                        "100",
                                        "1.50",
                                        "0.0",
                                        "12345678.125",
                                        "0.633670",
                                        "123456789012345",
                                        "0.00012"};
    if (below(4))
        return string ? sprintf(to, "\"name %d\"", below(50))
                      : sprintf(to, "%d.%03d", below(200), below(1000));
    return sprintf(to, "%s", texts[below((int)(sizeof texts / sizeof *texts))]);
}

static size_t make(char *to)
{
    static const char *const keys[] = {"epoch", "loss", "note",
                                       "a key that is so long that its shape has no room for it, ever"};
    static const char *const ends[] = {"\n", "\r\n", " \n"};
    int n = sprintf(to, "%s{\"ts\": \"2026-07-03T22:11:%02d.%03d+00:00\", \"type\": \"%s\"",
                    below(50) ? "" : " ", below(60), below(1000), below(4) ? "phase" : "event"),
        data = below(4) == 0, more = below(4);
    n += sprintf(to + n, ", \"seconds\": ");
    n += value(to + n, false);
    if (data)
        n += sprintf(to + n, ", \"data\": {\"k\": 1");
    for (int i = 0; i < more; i++) {
        n += sprintf(to + n, ", \"%s%d\": ", keys[below(20) ? i : 3], i);
        n += value(to + n, i == 2);
    }
    return (size_t)(n + sprintf(to + n, "%s%s", data ? "}}" : "}", ends[below(30) ? 0 : below(3)]));
}

/* A byte is another, more, or less. */
static size_t mutate(char *p, size_t n)
{
    static const char bytes[] = "\"\\{}:, 0e.-\t\r\n\x7F\xC3u";
    size_t at = (size_t)below((int)n - 1);
    switch (below(3)) {
    case 0:
        p[at] = bytes[below(sizeof bytes - 1)];
        return n;
    case 1:
        memmove(p + at, p + at + 1, n - at - 1);
        return n - 1;
    default:
        memmove(p + at + 1, p + at, n - at);
        return n + 1;
    }
}

/* ---- the same ---- */

static void same_text(struct smi_text a, struct smi_text b)
{
    assert_int_equal(a.n, b.n);
    assert_memory_equal(a.p, b.p, a.n);
}

static uint8_t role_of(const struct smi_field *f)
{
    return f->in_data                       ? OTHER
           : smi_text_is(f->key, "ts")      ? 0
           : smi_text_is(f->key, "type")    ? 1
           : smi_text_is(f->key, "seconds") ? 2
                                            : OTHER;
}

static void same(const struct smi_json_values *got, const smi_json_template_roles role,
                 const struct smi_json_values *want)
{
    assert_int_equal(got->n, want->n);
    for (unsigned i = 0; i < want->n; i++) {
        const struct smi_field *a = &got->field[i], *b = &want->field[i];
        same_text(a->key, b->key);
        same_text(a->text, b->text);
        assert_int_equal(a->number, b->number);
        assert_true(!b->number || a->micro == b->micro);
        assert_int_equal(a->quoted, b->quoted);
        assert_int_equal(a->in_data, b->in_data);
        assert_true(role_of(b) == OTHER || role[role_of(b)] == (int)i);
    }
    for (int r = 0; r < 3; r++)
        assert_true(role[r] < 0 || role_of(&want->field[role[r]]) == r);
}

static void learn(struct smi_json_templates *s, const char *p, size_t n, const struct smi_json_values *v)
{
    uint8_t role[SMI_JSON_VALUES];
    int fixed = -1;
    for (unsigned i = 0; i < v->n; i++) {
        role[i] = role_of(&v->field[i]);
        if (role[i] == 1 && v->field[i].quoted)
            fixed = (int)i;
    }
    smi_json_templates_learn(s, p, n, v, role, fixed);
}

/* Is the line, which is the first in the n bytes at p, plain? */
static bool read_line(const char *p, size_t n, struct smi_json_values *v, size_t *length)
{
    const char *lf = memchr(p, '\n', n);
    struct smi_text line = {p, lf ? (size_t)(lf - p) : 0};
    *length = line.n + 1;
    if (!lf)
        return false;
    line.n -= line.n && lf[-1] == '\r';
    return smi_json_fast_line(smi_text_trim(line), v);
}

static void shapes_tell_what_lines_tell(void **unused)
{
    const char *env = getenv("SMILOG_ROWS");
    int64_t lines = env ? atoll(env) : 30000, taken = 0, plain = 0;
    struct smi_json_values got = {0}, want = {0};
    struct smi_json_templates *s = calloc(1, sizeof *s);
    (void)unused;
    assert_non_null(s);
    for (int64_t i = 0; i < lines; i++) {
        char line[LINE], *p;
        smi_json_template_roles role;
        size_t n = make(line), length, read, more = (size_t)below(100);
        bool is_plain;
        for (int times = below(2) ? below(3) : 0; times; times--)
            n = mutate(line, n);
        p = malloc(n + more); /* to its last byte, for a sanitizer */
        assert_non_null(p);
        memcpy(p, line, n);
        memset(p + n, '{', more);
        is_plain = read_line(p, n + more, &want, &length);
        read = smi_json_templates_read(s, p, n + more, &got, role);
        assert_true(!read || (is_plain && read == length));
        if (read)
            same(&got, role, &want);
        else if (is_plain)
            learn(s, p, length, &want);
        plain += is_plain;
        taken += read > 0;
        free(p);
    }
    printf("%" PRId64 " lines: %" PRId64 " %% are plain, %" PRId64 " %% were known by their shape\n", lines,
           100 * plain / lines, 100 * taken / lines);
    assert_true(taken * 10 >= lines * 3);
    smi_json_fast_fini(&got);
    smi_json_fast_fini(&want);
    free(s);
}

/* All lines of one shape are taken, but for those at the very end of the buffer. */
static void a_shape_is_learnt_once(void **unused)
{
    static const char line[] =
        "{\"ts\": \"2026-07-03T22:11:46.109+00:00\", \"type\": \"phase\", \"name\": \"a\", "
        "\"seconds\": 1.5}\n";
    struct smi_json_values v = {0};
    struct smi_json_templates s = {0};
    smi_json_template_roles role;
    char text[3 * sizeof line];
    size_t length;
    (void)unused;
    sprintf(text, "%s%s", line, line);
    assert_int_equal(smi_json_templates_read(&s, text, strlen(text), &v, role), 0);
    assert_true(read_line(text, strlen(text), &v, &length));
    learn(&s, text, length, &v);
    assert_int_equal(smi_json_templates_read(&s, text, strlen(text), &v, role), length);
    assert_int_equal(v.n, 4);
    assert_int_equal(v.field[3].micro, 1500000);
    smi_json_fast_fini(&v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(shapes_tell_what_lines_tell),
                                       cmocka_unit_test(a_shape_is_learnt_once)};
    return cmocka_run_group_tests_name("shapes", tests, NULL, NULL);
}
