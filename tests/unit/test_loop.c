/* loop: sources wait for descriptors and times together, and are called in their order. */
#include "loops.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

struct probe {
    int fd, calls, ready, result;
    int64_t due_ms;
    int *order, place; /* place: the turn's how-many-th call it was */
};

static void prepare(void *self, struct smi_loop *l)
{
    const struct probe *p = self;
    smi_loop_watch(l, p->fd);
    smi_loop_wake(l, p->due_ms);
}

static int run(void *self, struct smi_loop *l, struct smi_err *err)
{
    struct probe *p = self;
    p->calls++;
    p->ready = smi_loop_ready(l, p->fd);
    p->place = p->order ? ++*p->order : 0;
    return p->result < 0 ? smi_err_set(err, SMI_EIO, "probe") : p->result;
}

static struct smi_loop_source source_of(struct probe *p)
{
    return (struct smi_loop_source){p, prepare, run};
}

static void all_are_called_in_their_order(void **state)
{
    struct smi_loop l = {.sources = 0};
    struct smi_err err = {0};
    struct probe p[SMI_LOOP_SOURCES];
    int order = 0;
    (void)state;
    for (int i = 0; i < SMI_LOOP_SOURCES; i++) {
        p[i] = (struct probe){.fd = -1, .due_ms = i ? INT64_MAX : 0, .order = &order};
        smi_loop_add(&l, source_of(&p[i]));
    }
    assert_int_equal(smi_loop_once(&l, &err), 0);
    for (int i = 0; i < SMI_LOOP_SOURCES; i++)
        assert_int_equal(p[i].place, i + 1);
}

static void the_ready_descriptor_is_told(void **state)
{
    struct smi_loop l = {.sources = 0};
    struct smi_err err = {0};
    int a[2], b[2];
    (void)state;
    assert_int_equal(pipe(a) | pipe(b), 0);
    struct probe p = {.fd = a[0], .due_ms = INT64_MAX}, q = {.fd = b[0], .due_ms = INT64_MAX};
    smi_loop_add(&l, source_of(&p));
    smi_loop_add(&l, source_of(&q));
    assert_int_equal(write(b[1], "x", 1), 1);
    assert_int_equal(smi_loop_once(&l, &err), 0);
    assert_int_equal(p.ready, 0);
    assert_true(q.ready & POLLIN);
    close(a[1]);
    assert_int_equal(read(b[0], (char[1]){0}, 1), 1);
    assert_int_equal(smi_loop_once(&l, &err), 0);
    assert_true(p.ready & POLLHUP);
    assert_int_equal(q.ready, 0);
    assert_int_equal(smi_loop_ready(&l, -1), 0);
    close(a[0]), close(b[0]), close(b[1]);
}

static void the_earliest_time_counts(void **state)
{
    struct smi_loop l = {.sources = 0};
    struct smi_err err = {0};
    int64_t now = smi_clock_now_ms();
    struct probe p = {.fd = -1, .due_ms = now + 60000}, q = {.fd = -1, .due_ms = now + 30};
    (void)state;
    smi_loop_add(&l, source_of(&p));
    smi_loop_add(&l, source_of(&q));
    assert_int_equal(smi_loop_once(&l, &err), 0);
    assert_in_range(smi_clock_now_ms() - now, 30, 20000);
    assert_in_range(l.now_ms, now + 30, smi_clock_now_ms());
    smi_loop_prepare(&l, now);
    assert_int_equal(l.due_ms, now + 30);
    l.sources = 0;
    smi_loop_prepare(&l, now);
    assert_true(l.due_ms == INT64_MAX);
}

static void a_source_ends_it_or_fails(void **state)
{
    struct smi_loop l = {.sources = 0};
    struct smi_err err = {0};
    struct probe p = {.fd = -1, .result = 1}, q = {.fd = -1};
    (void)state;
    smi_loop_add(&l, source_of(&p));
    smi_loop_add(&l, source_of(&q));
    smi_loop_add(&l, (struct smi_loop_source){NULL, NULL, NULL});
    assert_int_equal(smi_loop_run(&l, &err), 0);
    assert_int_equal(q.calls, 0);
    p.result = 0;
    q.result = -1;
    assert_int_equal(smi_loop_run(&l, &err), -1);
    assert_string_equal(err.text, "probe");
    assert_int_equal(p.calls, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_are_called_in_their_order), cmocka_unit_test(the_ready_descriptor_is_told),
        cmocka_unit_test(the_earliest_time_counts), cmocka_unit_test(a_source_ends_it_or_fails)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
