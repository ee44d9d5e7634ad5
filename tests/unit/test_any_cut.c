/* test_any_cut.c - a log tells the same JSON, byte for byte, in pieces of any size, cut into any number of
 * parts. The logs are all small files
 * below tests/ that are one, and those below SMILOG_PIECE_LOGS=DIR. Of each, sizes are drawn;
 * SMILOG_PIECES=N: all from 1 to N. */
#include "../logs.h"
#include "../read_paths.h"
#include "base/digest.h"

#include <fcntl.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { SMALL = 16384, DRAWN = 24 /* sizes of a log */, PIECE = 4096, PARTS = 16 };

static int64_t of_format[SMI_FMT_COUNT], readings, cuts;
static uint64_t state = 1;

static size_t below(size_t n)
{
    uint64_t z = state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (size_t)((z ^ (z >> 31)) % n);
}

static int find_logs(void **unused)
{
    const char *more = getenv("SMILOG_PIECE_LOGS");
    (void)unused;
    logs_most = SMALL;
    assert_int_equal(logs_of_tests(), 0);
    assert_int_equal(more && nftw(more, logs_add, 16, FTW_PHYS), 0);
    logs_sort();
    for (size_t i = 0; i < logs; i++)
        of_format[list[i].format]++;
    return 0;
}

static int drop_logs(void **unused)
{
    (void)unused;
    logs_drop();
    return 0;
}

/* ---- the same ---- */

static struct paths_log as_roads(const struct log *l)
{
    return (struct paths_log){.format = l->format, .p = l->p, .n = l->n, .fd = -1};
}

/* Its JSON; t.part is consumed. */
static struct smi_buf json(const struct log *l, struct paths_told t)
{
    const struct paths_log r = as_roads(l);
    if (t.err.code)
        fail_msg("%s: %s", l->path, t.err.text);
    paths_json(&t, &r);
    return t.json;
}

static struct paths_told in_pieces(const struct log *l, size_t size)
{
    const struct paths_log r = as_roads(l);
    return paths_read(&r, &size, 1);
}

/* part is NULL: this log is not cut. */
static struct paths_told in_parts(const struct log *l, unsigned parts)
{
    struct paths_log r = as_roads(l);
    struct paths_told t;
    r.fd = open(l->path, O_RDONLY | O_CLOEXEC);
    assert_true(r.fd >= 0);
    t = paths_parts(&r, parts);
    close(r.fd);
    if (t.err.code)
        fail_msg("%s: %s", l->path, t.err.text);
    if (t.part && l->format == SMI_FMT_RUNLOG)
        assert_true(t.part->hash == smi_digest_of(l->p, l->n) && t.part->size == (int64_t)l->n);
    return t;
}

static void same(const struct log *l, const struct smi_buf *want, struct paths_told t, const char *what,
                 size_t n)
{
    struct smi_buf got = json(l, t);
    if (got.n != want->n || memcmp(got.p, want->p, want->n) != 0)
        fail_msg("%s, %s %zu: another JSON than in one piece", l->path, what, n);
    smi_buf_fini(&got);
    readings++;
}

static void compare(const struct log *l, size_t all)
{
    struct smi_buf want = json(l, in_pieces(l, l->n));
    size_t most = all ? all : DRAWN;
    for (size_t size = 1; size <= most && (!all || size < l->n); size++) {
        size_t n = all || size < 3 ? size : below(l->n < PIECE ? l->n : PIECE) + 1;
        same(l, &want, in_pieces(l, n), "in pieces of", n);
    }
    for (unsigned parts = 2; parts <= PARTS; parts += all ? 1 : 1 + (unsigned)below(PARTS)) {
        struct paths_told t = in_parts(l, parts);
        cuts += t.part != NULL;
        if (t.part)
            same(l, &want, t, "cut into", parts);
    }
    smi_buf_fini(&want);
}

static void any_size_tells_the_same(void **unused)
{
    const char *env = getenv("SMILOG_PIECES");
    size_t all = env ? (size_t)atoll(env) : 0, bytes = 0, large = 0;
    (void)unused;
    for (size_t i = 0; i < logs; i++) {
        compare(&list[i], all);
        bytes += list[i].n;
        large += list[i].n >= 1024;
    }
    printf("%zu logs of %zu bytes on average, %zu of them of 1 KiB and more, read %" PRId64 " times, %" PRId64
           " of these "
           "cut into 2 to %d parts\n",
           logs, bytes / (logs ? logs : 1), large, readings, cuts, (int)PARTS);
    for (int i = 0; i < SMI_FMT_COUNT; i++) {
        printf("  %-18s %4" PRId64 " logs\n", smi_format_infos[i].name, of_format[i]);
        if (i != SMI_FMT_MLFLOW &&
            i != SMI_FMT_KERNEL) /* a directory, and none by itself: tests/cases/trainers.t, errors.t */
            assert_true(of_format[i] > 0);
    }
    assert_true(cuts > 0);
}

/* A piece that has more names of events than are kept does not know which of the others the pieces before it
 * keep. */
static void names_past_the_limit_are_read_in_one(void **unused)
{
    static char text[1 << 20];
    (void)unused;
    for (int names = SMI_EVENT_NAMES; names <= SMI_EVENT_NAMES + 1; names++) {
        FILE *f = tmpfile();
        struct paths_log l = {.format = SMI_FMT_RUNLOG, .p = text};
        struct paths_told t;
        assert_non_null(f);
        for (int i = 0; i < 2 * names; i++) /* the second half has every name once */
            l.n +=
                (size_t)sprintf(text + l.n,
                                "{\"ts\": \"2026-07-03T22:10:46.109+00:00\", \"type\": \"event\", \"event\": "
                                "\"e%05d\"}\n",
                                i % names);
        assert_int_equal(fwrite(text, 1, l.n, f), l.n);
        fflush(f);
        l.fd = fileno(f);
        t = paths_parts(&l, 2);
        assert_int_equal(t.part != NULL, names == SMI_EVENT_NAMES);
        smi_input_stats_free(t.part);
        fclose(f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(any_size_tells_the_same),
                                       cmocka_unit_test(names_past_the_limit_are_read_in_one)};
    return cmocka_run_group_tests_name("pieces", tests, find_logs, drop_logs);
}
