/* test_pool.c - every job is done once by whatever number of threads, also those that jobs make; the first
 * error ends the work. */
#include "base/pool.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { JOBS = 1000, DEPTH = 9 };

struct work {
    struct smi_pool pool;
    int job[JOBS]; /* a stack of depths: a job of depth d makes two of depth d - 1 */
    size_t n, done;
    size_t fail_at; /* the job that fails; 0: none does */
    size_t when;    /* jobs that were done when all threads could know of it */
};

static bool next_job(void *self, void *job)
{
    struct work *w = self;
    if (!w->n)
        return false;
    *(int *)job = w->job[--w->n];
    return true;
}

static void do_jobs(void *self, size_t thread)
{
    struct work *w = self;
    int depth;
    (void)thread;
    while (smi_pool_take(&w->pool, next_job, w, &depth)) {
        bool failed;
        pthread_mutex_lock(&w->pool.lock);
        for (int i = 0; depth && i < 2; i++)
            w->job[w->n++] = depth - 1;
        failed = ++w->done == w->fail_at;
        pthread_cond_broadcast(&w->pool.changed);
        pthread_mutex_unlock(&w->pool.lock);
        if (failed) {
            struct smi_err err = {0};
            smi_err_set(&err, SMI_ELIMIT, "job %zu", w->fail_at);
            smi_pool_fail(&w->pool, &err);
            pthread_mutex_lock(&w->pool.lock);
            w->when = w->done;
            pthread_mutex_unlock(&w->pool.lock);
        }
        smi_pool_done(&w->pool);
    }
}

static void every_job_once(void **unused)
{
    (void)unused;
    for (size_t threads = 0; threads <= 17; threads++) {
        struct work w = {.job = {DEPTH}, .n = 1};
        struct smi_err err = {0};
        smi_pool_init(&w.pool);
        assert_int_equal(smi_pool_run(&w.pool, threads, do_jobs, &w, &err), 0);
        assert_int_equal(w.done, (1 << (DEPTH + 1)) - 1);
        assert_int_equal(w.pool.busy, 0);
        smi_pool_fini(&w.pool);
    }
}

static void first_error_ends_the_work(void **unused)
{
    (void)unused;
    for (size_t threads = 1; threads <= 8; threads++) {
        struct work w = {.job = {DEPTH}, .n = 1, .fail_at = 20};
        struct smi_err err = {0};
        smi_pool_init(&w.pool);
        assert_int_equal(smi_pool_run(&w.pool, threads, do_jobs, &w, &err), -1);
        assert_int_equal(err.code, SMI_ELIMIT);
        assert_string_equal(err.text, "job 20");
        assert_true(w.when >= 20 && w.done < w.when + threads); /* each other thread had one job at most */
        smi_pool_fini(&w.pool);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_job_once),
                                       cmocka_unit_test(first_error_ends_the_work)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
