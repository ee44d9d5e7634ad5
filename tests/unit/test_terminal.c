/* test_terminal.c - bytes for a terminal, random ones too: the same screens for any cut, within the limits.
 * SMILOG_SEED=S: this seed. */
#include "base/terminal.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

enum { BYTES = 3000, TEXT = 1 << 22, ROUNDS = 300 };

static uint64_t state;

static unsigned draw(unsigned below)
{
    uint64_t z = state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (unsigned)((z ^ (z >> 31)) >> 32) % below;
}

struct pieces {
    struct smi_byte_source pull;
    const char *p;
    size_t n, most; /* most: bytes of a read */
};

static ssize_t read_piece(struct smi_byte_source *self, void *buf, size_t n, struct smi_err *err)
{
    struct pieces *s = (struct pieces *)self;
    (void)err;
    n = n < s->most ? n : s->most;
    n = n < s->n ? n : s->n;
    memcpy(buf, s->p, n);
    s->p += n;
    s->n -= n;
    return (ssize_t)n;
}

static size_t show(const char *p, size_t n, size_t most, char *to)
{
    struct smi_terminal *t = malloc(sizeof *t);
    struct pieces from = {{.read = read_piece}, p, n, most};
    struct smi_err err = {0};
    size_t have = 0;
    ssize_t got;
    assert_non_null(t);
    smi_terminal_open(t, &from.pull);
    while ((got = t->made.pull.read(&t->made.pull, to + have, most < TEXT - have ? most : TEXT - have,
                                    &err)) > 0)
        have += (size_t)got;
    assert_int_equal(got, 0);
    free(t);
    return have;
}

static void shows(const char *bytes, const char *screens)
{
    static char text[TEXT];
    size_t n = show(bytes, strlen(bytes), TEXT, text);
    assert_int_equal(n, strlen(screens));
    assert_memory_equal(text, screens, n);
}

static void paints(void **unused)
{
    (void)unused;
    shows("ab\ncd\r\n", "ab\ncd\n");
    shows("\x1b[2;3Hx\x1b[1;1Hy", "  x\ny\n  x\n"); /* above the last one: another screen */
    shows("\x1b[Hab\x1b[1;2Hb", "ab\n");            /* nothing changed */
    shows("abc\x1b[2Jd", "abc\n   d\n");
    shows("abcdef\x1b[3G\x1b[2P\x1b[1@x", "abxef\n");
    shows("-\x1b[4b\x1b[1;2H\x1b[2X", "-  --\n");
    shows("abc\x1b[2G\x1b[K", "a\n");
    shows("\x1b]0;title\x07"
          "a\x1b(Bb\x1b[1;31mc\x1b[m\td\b\be",
          "abc    ed\n");
    shows("\x1b[?1049ha\nb\x1b[?1049l$", "a\n b\n  $\n");
    shows("+-----\n--+\n| abc\nde|\n", "+-------+\n| abc de|\n"); /* a box that is wider than the terminal */
    shows("\x1b[999;1Hx\x1b[999D\x1b[999By", "y\n");
}

static void any_cut(void **unused)
{
    static const char *const parts[] = {
        "\x1b[", "\x1b]", "\x1b", "\x1b(", "1;2H",     "J",   "2J", "?1049h", "9b", "\n",
        "\r",    "\t",    "\b",   "+--",   "--+\n",    "|",   "K",  "3@",     "P",  "d",
        "G",     "X",     "77",   ";",     "\xC3\xA9", "abc", " ",  "\x07",   "A",  "M"};
    static char whole[TEXT], cut[TEXT];
    char bytes[BYTES + 16];
    (void)unused;
    for (int round = 0; round < ROUNDS; round++) {
        size_t n = 0, have;
        while (n < BYTES) {
            const char *part = parts[draw(sizeof parts / sizeof *parts)];
            memcpy(bytes + n, part, strlen(part));
            n += strlen(part);
        }
        have = show(bytes, n, TEXT, whole);
        assert_int_equal(show(bytes, n, 1 + draw(9), cut), have);
        assert_memory_equal(whole, cut, have);
    }
}

static void is_told(void **unused)
{
    (void)unused;
    assert_true(smi_terminal_is_typescript("\x1b[H", 3));
    assert_true(smi_terminal_is_typescript("abc\x1b[1;24r\x1b[12;3Hx", 18));
    assert_true(smi_terminal_is_typescript("\x1b[2J", 4));
    assert_false(smi_terminal_is_typescript("\x1b[1;31mred\x1b[m\x1b[K\x1b[1A", 20));
    assert_false(smi_terminal_is_typescript("\x1b[", 2));
    assert_false(smi_terminal_is_typescript("", 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(paints), cmocka_unit_test(any_cut),
                                       cmocka_unit_test(is_told)};
    const char *seed = getenv("SMILOG_SEED");
    state = seed ? strtoull(seed, NULL, 10) : (uint64_t)time(NULL);
    printf("seed %" PRIu64 "\n", state);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
