/* test_sweep_threads.c - logs tell the same JSON, byte for byte, by 1, 2, 3 and 8 threads: every log of the
 * corpus beside the checkout (CORPUS=DIR), if it is there, and below tests/, each alone and all as one sweep;
 * and large ones, which are cut at the size at which a user's are: the same logs again and again, at later
 * times. SMILOG_THREADS_ALL=1: more sizes of pieces, more large logs, of every format. */
#include "../logs.h"
#include "../read_paths.h"

#include "sweep/sweep.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { LARGE = 9 << 20, LARGEST = 33 << 20 /* for 2 threads; for 8 */ };

static const unsigned counts[] = {2, 3, 8};
static int64_t readings, cut, larges;
static bool all;

static const char *corpus(void)
{
    const char *dir = getenv("CORPUS") ? getenv("CORPUS") : "../shared/corpus";
    return access(dir, R_OK) == 0 ? dir : NULL;
}

static int find_logs(void **unused)
{
    (void)unused;
    all = getenv("SMILOG_THREADS_ALL") != NULL;
    assert_int_equal(logs_of_tests(), 0);
    assert_int_equal(corpus() && nftw(corpus(), logs_add, 16, FTW_PHYS), 0);
    logs_sort();
    return 0;
}

static int drop_logs(void **unused)
{
    (void)unused;
    logs_drop();
    return 0;
}

/* piece: the smallest, or 0: that of the program. */
static struct smi_buf json(const char *path, unsigned threads, size_t piece)
{
    static const struct smi_render_options look = {.all = true};
    const struct smi_options o = {.idle_below = 1000000, .piece_bytes = (int64_t)piece};
    const struct smi_discover_opts d = {.format = -1, .threads = threads};
    struct smi_sweep s;
    struct smi_buf b = {0};
    assert_int_equal(smi_sweep_read(&s, &path, 1, &d, &o, NULL), 0);
    smi_write_json(&b, &s, &look);
    smi_sweep_fini(&s);
    return b;
}

static void compare(const char *path, const struct smi_buf *want, size_t piece)
{
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        struct smi_buf got = json(path, counts[i], piece);
        if (got.n != want->n || memcmp(got.p, want->p, want->n) != 0)
            fail_msg("%s, %u threads, pieces of %zu bytes: another JSON than by one thread", path, counts[i],
                     piece);
        smi_buf_fini(&got);
        readings++;
    }
}

/* Is it cut at all? */
static void count_cut(const struct log *l)
{
    struct paths_log r = {.format = l->format, .n = l->n};
    struct paths_told t;
    FILE *f = fopen(l->path, "rb");
    assert_non_null(f);
    r.fd = fileno(f);
    t = paths_parts(&r, 8);
    cut += t.part != NULL;
    paths_fini(&t);
    fclose(f);
}

/* With pieces of several sizes, and of more if `all`. */
static void check(const char *path, size_t n)
{
    struct smi_buf want = json(path, 1, 0);
    compare(path, &want, n / 8 + 1);
    if (all) {
        compare(path, &want, 1);
        compare(path, &want, n / 2);
        compare(path, &want, n / 5 + 1);
    }
    smi_buf_fini(&want);
}

static void every_log(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < logs; i++) {
        check(list[i].path, list[i].n);
        count_cut(&list[i]);
    }
    printf("%zu logs%s, %" PRId64 " of them long enough to be cut, read %" PRId64 " times\n", logs,
           corpus() ? " with the corpus" : "; the corpus is not there", cut, readings);
    assert_true(cut > 0);
}

static void every_sweep(void **unused)
{
    const char *const roots[] = {"tests/fixtures", "tests/cases", logs_inputs, corpus()};
    (void)unused;
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++)
        if (roots[i])
            check(roots[i], 40000);
}

/* ---- large logs ---- */

/* Milliseconds from the first time to the last one, and a bit. */
static uint64_t span(const struct log *l)
{
    uint64_t first = 0, last = 0;
    bool some = false;
    for (size_t i = 0; i + 8 <= l->n; i++) {
        const char *clock = logs_clock(l->p + i, l->n - i);
        if (!clock)
            break;
        last = logs_pair(clock) * 3600u + logs_pair(clock + 3) * 60u + logs_pair(clock + 6);
        first = some ? first : last;
        some = true;
        i = (size_t)(clock - l->p) + 8;
    }
    return (last > first ? last - first : 0) * 1000 + 1003;
}

static void write_large(const char *path, const struct log *l, size_t size)
{
    FILE *f = fopen(path, "w");
    char *p = malloc(l->n);
    uint64_t ms = 0, step = span(l);
    assert_true(f && p);
    for (size_t done = 0; done < size; done += l->n, ms += step) {
        char *row = p, *end = p + l->n, *lf;
        memcpy(p, l->p, l->n);
        for (; row < end; row = lf) {
            lf = memchr(row, '\n', (size_t)(end - row));
            lf = lf ? lf + 1 : end;
            logs_delay(row, (size_t)(lf - row), ms);
        }
        assert_int_equal(fwrite(p, 1, l->n, f), l->n);
    }
    free(p);
    assert_int_equal(fclose(f), 0);
}

/* The longest log of the format that is cut, of those below tests/: they are the same everywhere. */
static const struct log *longest(int format)
{
    const struct log *best = NULL;
    for (size_t i = 0; i < logs; i++)
        if (list[i].format == format && strncmp(list[i].path, "tests/", 6) == 0 &&
            (!best || list[i].n > best->n))
            best = &list[i];
    return best;
}

static void large(const char *path, const struct log *l, size_t size)
{
    struct smi_buf want;
    int64_t before = cut;
    struct log made = {.path = (char *)path, .n = size, .format = l->format};
    write_large(path, l, size);
    count_cut(&made);
    if (cut > before) { /* else nothing is compared: RunLogs, less than 256 rows that are understood */
        larges++;
        want = json(path, 1, 0);
        compare(path, &want, 0);
        if (all)
            compare(path, &want, 100000);
        smi_buf_fini(&want);
    }
    unlink(path);
}

static void large_logs(void **unused)
{
    static const int some[] = {SMI_FMT_QUERY, SMI_FMT_DMON, SMI_FMT_CPU};
    char folder[] = "/tmp/smilog-threads-XXXXXX",
         path[64]; /* of its own: smilog looks at what is beside a log */
    (void)unused;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/log", folder);
    for (size_t i = 0; i < sizeof some / sizeof *some; i++)
        large(path, longest(some[i]), all ? LARGEST : LARGE);
    for (size_t i = 0; i < logs && all; i++)
        if (i % 7 == 0 || &list[i] == longest(list[i].format))
            large(path, &list[i], LARGE);
    rmdir(folder);
    printf("%" PRId64 " large logs cut\n", larges);
    assert_true(larges >= 3); /* each of them */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_log),
        cmocka_unit_test(every_sweep),
        cmocka_unit_test(large_logs),
    };
    return cmocka_run_group_tests_name("threads", tests, find_logs, drop_logs);
}
