/* A run says the same wherever its details are kept, also after they were let go, and where there is no place
 * for a file. */
#include "report/output.h"
#include "sweep/sweep.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const paths[] = {"tests/fixtures"};

static void read_fixtures(struct smi_sweep *s)
{
    struct smi_discover_opts d = {.format = -1, .threads = 2};
    struct smi_options o = {.idle_below = 1000000, .gpus = "all"};
    struct smi_err err = {0};
    assert_int_equal(smi_sweep_read(s, paths, sizeof paths / sizeof *paths, &d, &o, &err), 0);
    assert_true(s->n > 10);
}

/* Moves all runs into a store that keeps so many bytes of details in memory, and compares what they say. */
static void compare_runs(size_t memory)
{
    struct smi_run_store *store = smi_run_store_new(memory);
    struct smi_sweep s;
    struct smi_buf *before;
    read_fixtures(&s);
    before = calloc(s.n, sizeof *before);
    assert_non_null(store);
    assert_non_null(before);
    for (size_t i = 0; i < s.n; i++) {
        struct smi_arena left = {0};
        smi_run_json(&before[i], &s.runs[i]);
        smi_run_store_move(store, &s.runs[i], false, &left);
        assert_int_equal(s.runs[i].place, i);
        smi_arena_fini(&left);
    }
    smi_run_store_trim(store);
    for (size_t i = 0; i < s.n; i++) {
        struct smi_buf after = {0};
        smi_run_json(&after, &s.runs[i]);
        assert_int_equal(after.n, before[i].n);
        assert_memory_equal(after.p, before[i].p, after.n);
        smi_buf_fini(&after);
        smi_buf_fini(&before[i]);
    }
    free(before);
    smi_sweep_fini(&s);
    smi_run_store_free(store);
}

static void runs_in_memory_say_the_same(void **unused)
{
    (void)unused;
    compare_runs(SMI_RUN_STORE_MEMORY);
}

static void runs_in_a_file_say_the_same(void **unused)
{
    (void)unused;
    compare_runs(0);
}

static void runs_without_a_place_for_a_file_say_the_same(void **unused)
{
    (void)unused;
    assert_int_equal(setenv("TMPDIR", "/none", 1), 0);
    compare_runs(0);
    unsetenv("TMPDIR");
}

/* kB of memory that the process had at most since `begin`; -1 where the kernel does not tell. */
static long peak_kb(bool begin)
{
    char line[256];
    long kb = 0;
    FILE *f = fopen(begin ? "/proc/self/clear_refs" : "/proc/self/status", begin ? "w" : "r");
    if (!f)
        return -1;
    if (begin)
        fputs("5", f);
    while (!begin && fgets(line, sizeof line, f))
        sscanf(line, "VmHWM: %ld", &kb);
    fclose(f);
    return kb;
}

/* Many runs, each with details of its own, all of them in the file. */
static void repeat_runs(struct smi_sweep *s, const struct smi_sweep *few, size_t times)
{
    *s = (struct smi_sweep){.store = smi_run_store_new(0), .n = few->n * times, .total = few->total};
    s->runs = smi_mem_new(s->n, sizeof *s->runs);
    assert_true(s->store && s->runs);
    for (size_t i = 0; i < s->n; i++) {
        struct smi_arena left = {0};
        s->runs[i] = few->runs[i % few->n];
        s->runs[i].arena = (struct smi_arena){0};
        smi_run_store_move(s->store, &s->runs[i], false, &left);
    }
}

/* What an output takes for itself is less than the details, of which it needs few at a time. */
static void no_output_holds_the_details_of_all_runs(void **unused)
{
    static const char *const names[] = {"html", "md", "table", "csv"};
    enum { TIMES = 600, MOST_KB = 64 << 10 };
    struct smi_render_options look = {.color = false};
    struct smi_sweep few, s;
    (void)unused;
    if (peak_kb(true) < 0 ||
        getenv("SMILOG_SANITIZED")) /* a sanitizer's own memory is several times as much */
        skip();
    read_fixtures(&few);
    repeat_runs(&s, &few, TIMES);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct smi_buf page = {0};
        long before;
        smi_run_store_trim(s.store);
        peak_kb(true);
        before = peak_kb(false);
        smi_output_find(names[i], SMI_OUTPUT_NUMBERS | SMI_OUTPUT_PAGES)->write(&page, &s, &look);
        assert_true(peak_kb(false) - before < MOST_KB);
        smi_buf_fini(&page);
    }
    smi_sweep_fini(&s);
    smi_sweep_fini(&few);
}

enum { THREADS = 4 };

/* Every THREADS-th run of a sweep, from `first` on. */
struct share {
    struct smi_run_store *store;
    struct smi_sweep *s;
    size_t first;
};

static void *move_share(void *self)
{
    struct share *w = self;
    for (size_t i = w->first; i < w->s->n; i += THREADS) {
        struct smi_arena left = {0};
        smi_run_store_move(w->store, &w->s->runs[i], false, &left);
        smi_arena_fini(&left);
        smi_run_store_trim(w->store);
    }
    return NULL;
}

/* One thread opens the file while others let go what they have written (for ThreadSanitizer, too). */
static void threads_share_a_file(void **unused)
{
    struct smi_run_store *store = smi_run_store_new(SMI_RUN_STORE_STEP); /* so that not the first opens it */
    struct share share[THREADS];
    pthread_t thread[THREADS];
    struct smi_sweep s;
    (void)unused;
    read_fixtures(&s);
    assert_non_null(store);
    for (size_t i = 0; i < THREADS; i++) {
        share[i] = (struct share){store, &s, i};
        assert_int_equal(pthread_create(&thread[i], NULL, move_share, &share[i]), 0);
    }
    for (size_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(thread[i], NULL), 0);
    for (size_t i = 0; i < s.n; i++)
        assert_int_equal(s.runs[i].place, i);
    smi_sweep_fini(&s);
    smi_run_store_free(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_in_memory_say_the_same),
        cmocka_unit_test(runs_in_a_file_say_the_same),
        cmocka_unit_test(runs_without_a_place_for_a_file_say_the_same),
        cmocka_unit_test(no_output_holds_the_details_of_all_runs),
        cmocka_unit_test(threads_share_a_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
