/* test_export.c - tapes give back what was put on them; what is exported of a run is what is summarised of
 * it, from one reading. */
#include "base/mem.h"
#include "export/export.h"
#include "summary/findings.h"
#include "report/output.h"
#include "export/stored.h"
#include "aggregate/row_spool.h"
#include "rows_each.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- chains and tapes ---- */

static void a_chain_gives_back_its_bytes(void **state)
{
    static const size_t sizes[] = {0,
                                   1,
                                   4095,
                                   4096,
                                   4097,
                                   SMI_SPILL_BLOCK - 1,
                                   SMI_SPILL_BLOCK,
                                   SMI_SPILL_BLOCK + 1,
                                   3 * SMI_SPILL_BLOCK,
                                   5 * SMI_SPILL_BLOCK + 7};
    struct smi_spill_file scratch = {0};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct smi_block_list c = {.of = &scratch};
        size_t n = sizes[i], piece = 1 + n / 7;
        char *in = malloc(n + 1), *out = malloc(n + 1);
        for (size_t k = 0; k < n; k++)
            in[k] = (char)(k * 31 + k / 977);
        for (size_t at = 0; at < n; at += piece)
            assert_int_equal(smi_block_list_add(&c, in + at, n - at < piece ? n - at : piece, NULL), 0);
        for (int twice = 0; twice < 2; twice++) {
            struct smi_block_list_cursor at = {.of = &c};
            struct smi_err err = {0};
            assert_int_equal(smi_block_list_read(&at, out, n, NULL), 0);
            assert_memory_equal(in, out, n);
            assert_int_equal(smi_block_list_more(&at, NULL), 0);
            assert_int_equal(smi_block_list_read(&at, out, 1, &err), -1);
            smi_block_list_cursor_fini(&at);
        }
        smi_block_list_fini(&c);
        free(in);
        free(out);
    }
    assert_true(scratch.blocks <= 6); /* they are used again */
    assert_int_equal(scratch.nfree, scratch.blocks);
    smi_spill_file_fini(&scratch);
}

static const int64_t odd[] = {0, 1, -1, 63, -64, 64, 127, 128, INT64_MAX, -INT64_MAX, 97000000, -50000000};
enum { ODD = sizeof odd / sizeof *odd, ROWS = 20000 };

/* Row i, of no more than its number. */
static struct smi_sample make_row(uint64_t i)
{
    struct smi_sample s = {.timed = i % 5 != 0, .who = (int)(i % 7) - 3, .n = 1 + (unsigned)(i / 3 % 9)};
    s.t_ms = s.timed ? odd[i % ODD] / (i % 2 ? 1 : 3) : 0;
    if (i % 1000 == 999)
        s.n = SMI_SAMPLE_MAX;
    for (unsigned k = 0; k < s.n; k++) {
        s.metric[k] = (uint16_t)(i / 6 % 50 + k * (i % 11 == 0 ? 1 : 2) + (k > 60 ? 400 : 0));
        s.v[k] = odd[(i + k) % ODD];
    }
    return s;
}

struct seen {
    uint64_t rows, marks;
};

static int see_row(void *self, uint64_t ordinal, const struct smi_rows *r, const int64_t *seen_v,
                   struct smi_err *err)
{
    struct seen *seen = self;
    const struct smi_sample was = make_row(ordinal);
    (void)err;
    assert_int_equal(ordinal, seen->rows++);
    assert_int_equal(r->timed, was.timed);
    if (was.timed)
        assert_int_equal(*r->t_ms, was.t_ms);
    assert_int_equal(*r->who, was.who);
    assert_int_equal(r->metrics, was.n);
    assert_memory_equal(r->metric, was.metric, was.n * sizeof *was.metric);
    assert_memory_equal(seen_v, was.v, was.n * sizeof *was.v);
    return 0;
}

static const struct smi_field fields[] = {
    {.key = {"epoch", 5}, .text = {"3", 1}, .micro = 3000000, .number = true, .in_data = true},
    {.key = {"why", 3}, .text = {"\"\n", 2}, .quoted = true},
    {.key = {"", 0}, .text = {"null", 4}, .micro = -7},
};
static char long_name[200000];

static int see_mark(void *self, uint64_t ordinal, const struct smi_mark *m, struct smi_err *err)
{
    struct seen *seen = self;
    (void)err;
    assert_int_equal(ordinal, seen->marks++);
    assert_int_equal(m->kind, ordinal % 2 ? SMI_MARK_EVENT : SMI_MARK_PHASE);
    assert_int_equal(m->t_us, odd[ordinal % ODD]);
    assert_int_equal(m->span_us, odd[(ordinal + 3) % ODD]);
    assert_int_equal(m->name.n, ordinal % 50 ? 3 : sizeof long_name);
    assert_memory_equal(m->name.p, long_name, m->name.n);
    assert_int_equal(m->fields, ordinal % 4);
    for (unsigned i = 0; i < m->fields; i++) {
        const struct smi_field *f = &m->field[i], *was = &fields[i];
        assert_int_equal(f->key.n, was->key.n);
        assert_memory_equal(f->key.p, was->key.p, was->key.n);
        assert_int_equal(f->text.n, was->text.n);
        assert_memory_equal(f->text.p, was->text.p, was->text.n);
        assert_true(f->micro == was->micro && f->number == was->number && f->in_data == was->in_data &&
                    f->quoted == was->quoted);
    }
    return 0;
}

static void a_tape_plays_what_was_put(void **state)
{
    struct smi_spill_file scratch = {0};
    struct smi_row_spool *t = smi_row_spool_new(&scratch);
    struct seen seen = {0};
    const struct smi_row_spool_callbacks calls = {see_row, see_mark, &seen},
                                         rows = {.row = see_row, .self = &seen};
    int64_t scale[SMI_SAMPLE_MAX];
    int32_t u[SMI_SAMPLE_MAX];
    (void)state;
    memset(long_name, 'x', sizeof long_name);
    for (uint64_t i = 0; i < ROWS; i++) {
        struct smi_sample s = make_row(i);
        struct smi_mark m = {.kind = t->marks % 2 ? SMI_MARK_EVENT : SMI_MARK_PHASE,
                             .t_us = odd[t->marks % ODD],
                             .span_us = odd[(t->marks + 3) % ODD],
                             .name = {long_name, t->marks % 50 ? 3 : sizeof long_name},
                             .field = fields,
                             .fields = (unsigned)(t->marks % 4)};
        struct smi_rows r = block_of(&s, u, scale);
        r.who = &s.who;
        assert_int_equal(smi_row_spool_add(t, &r, 0, NULL), 0);
        if (i % 100 == 50)
            assert_int_equal(smi_row_spool_add_mark(t, &m, NULL), 0);
    }
    assert_true(scratch.blocks > 3);
    assert_int_equal(smi_row_spool_replay(t, &calls, NULL), 0);
    assert_true(seen.rows == ROWS && seen.marks == t->marks && t->marks == ROWS / 100);
    seen.rows = 0;
    assert_int_equal(smi_row_spool_replay(t, &rows, NULL), 0);
    assert_true(seen.rows == ROWS);
    smi_row_spool_free(t);
    smi_spill_file_fini(&scratch);
}

static void a_disk_that_takes_nothing_is_remembered(void **state)
{
    struct smi_spill_file scratch = {0};
    struct smi_block_list c = {.of = &scratch};
    struct smi_err err = {0};
    char block[SMI_SPILL_BLOCK] = {0};
    (void)state;
    setenv("TMPDIR", "/nowhere/at/all", 1);
    assert_int_equal(smi_block_list_add(&c, block, sizeof block, &err), -1);
    unsetenv("TMPDIR");
    assert_string_equal(err.text,
                        "cannot make a temporary file in /nowhere/at/all: No such file or directory");
    assert_string_equal(scratch.err.text, err.text);
    smi_block_list_fini(&c);
    smi_spill_file_fini(&scratch);
}

/* ---- points ---- */

struct order {
    uint64_t n;
    int64_t last, sum;
    uint64_t order;
};

static int see_point(void *self, const struct smi_sorted_point *p, struct smi_err *err)
{
    struct order *o = self;
    (void)err;
    assert_int_equal(p->tag & UINT32_MAX, p->t_ms + 50);
    assert_true(!o->n || p->t_ms > o->last || (p->t_ms == o->last && p->tag >> 32 > o->order));
    o->order = p->tag >> 32;
    if (o->n && p->t_ms == o->last)
        return 0;
    o->last = p->t_ms;
    o->n++;
    o->sum += p->v;
    return 0;
}

/* Points i = 0 ... n - 1, each of times begins with a value of 1 and comes again with others. */
static void in_order(uint64_t n, uint64_t stride, uint64_t times)
{
    struct smi_spill_file scratch = {0};
    struct smi_sorted_points p = {.chain = {.of = &scratch}};
    struct order o = {0};
    for (uint64_t i = 0; i < n; i++)
        assert_int_equal(smi_sorted_points_add(&p, (int64_t)(i * stride % times) - 50, i < times ? 1 : 1000,
                                               i << 32 | i * stride % times, NULL),
                         0);
    assert_int_equal(p.mixed, n > 1 && stride > 1);
    for (int twice = 0; twice < 2; twice++, o.n = 0, o.sum = 0) {
        assert_int_equal(smi_sorted_points_each(&p, see_point, &o, NULL), 0);
        assert_int_equal(o.n, n < times ? n : times);
        assert_int_equal(o.sum, o.n);
    }
    smi_sorted_points_fini(&p);
    assert_int_equal(scratch.nfree, scratch.blocks);
    smi_spill_file_fini(&scratch);
}

static void points_come_in_order_and_of_one_time_the_first(void **state)
{
    enum { MANY = 1 << 16 };
    (void)state;
    in_order(0, 1, 1);
    in_order(1, 1, 1);
    in_order(10000, 1, 10000);
    in_order(1000, 7, 997);
    in_order(MANY, 1009, MANY - 1);
    in_order(MANY + 1, 1009, MANY + 1);
    in_order(3 * MANY, 1009, 2 * MANY + 17);
}

/* ---- a sweep ---- */

struct all {
    struct smi_buf partials;
    uint64_t rows, untimed, gpu_rows;
    int runs;
    const struct smi_export_run *r;
    size_t input;
    uint64_t next;
};

static int add_document(void *self, const struct smi_buf *document, bool usable, struct smi_err *err)
{
    struct smi_buf *b = self;
    (void)usable, (void)err;
    smi_buf_add(b, document->p, document->n);
    return 0;
}

static int add_row(void *self, const struct smi_run_row *row, struct smi_err *err)
{
    struct all *a = self;
    (void)err;
    assert_int_equal(row->ordinal, a->next++);
    a->untimed += !row->timed;
    assert_true(row->timed || strcmp(a->r->input[a->input].format, "dmon") == 0); /* without -o */
    assert_true(!row->timed || a->r->input[a->input].base == SMI_TIME_BASE_UTC);
    assert_true(!row->timed || (row->t_ms >= a->r->summary->start_ms && row->t_ms <= a->r->summary->end_ms));
    assert_true(row->gpu >= -1 && row->gpu < (int)a->r->summary->ngpus);
    a->rows++;
    a->gpu_rows += row->gpu >= 0;
    return 0;
}

static int add_run(void *self, const struct smi_export_run *r, struct smi_err *err)
{
    struct all *a = self;
    a->runs++;
    a->r = r;
    smi_buf_add(&a->partials, r->partial.p, r->partial.n);
    for (size_t i = 0; i < r->inputs; i++) {
        const struct smi_export_input *in = &r->input[i];
        struct stat st;
        char path[4096];
        a->input = i;
        a->next = 0;
        assert_int_equal(smi_export_rows(r, i, 0, add_row, a, err), 0);
        assert_int_equal(a->next, in->rows);
        a->next = in->rows / 2;
        assert_int_equal(smi_export_rows(r, i, a->next, add_row, a, err), 0);
        assert_int_equal(a->next, in->rows);
        a->rows -= in->rows - in->rows / 2;
        snprintf(path, sizeof path, "%s/%s", r->summary->path, in->path);
        assert_int_equal(stat(path, &st), 0);
        assert_int_equal(in->part->size, st.st_size);
        assert_true(in->part->tape->digest != 0);
        assert_int_equal(in->counts->account.rows, in->rows + in->marks);
    }
    return 0;
}

static void begin(struct smi_options *o, struct smi_discover_opts *d)
{
    *o = (struct smi_options){.idle_below = 1000000};
    *d = (struct smi_discover_opts){.format = -1, .threads = 1};
}

static void an_export_is_the_summary_and_its_rows(void **state)
{
    const char *path = "tests/fixtures/sweep";
    struct smi_options o;
    struct smi_discover_opts d;
    struct smi_sweep s;
    struct smi_buf whole = {0};
    struct all a = {.runs = 0};
    const struct smi_export to = {.run = add_run, .self = &a};
    struct smi_err err = {0};
    (void)state;
    begin(&o, &d);
    assert_int_equal(smi_sweep_documents(&s, &path, 1, &d, &o, add_document, &whole, &err), 0);
    smi_sweep_fini(&s);
    assert_int_equal(smi_export(&s, &path, 1, &d, &o, &to, &err), 0);
    assert_true(s.usable > 0 && s.n == 0);
    smi_sweep_fini(&s);
    assert_int_equal(a.runs, 12);
    assert_true(a.rows > 1000 && a.gpu_rows > a.rows / 2 && a.untimed > 0 && a.untimed < a.rows / 2);
    assert_int_equal(whole.n, a.partials.n);
    assert_memory_equal(whole.p, a.partials.p, whole.n);
    smi_buf_fini(&whole);
    smi_buf_fini(&a.partials);
}

static int stop(void *self, const struct smi_export_run *r, struct smi_err *err)
{
    ++*(int *)self;
    assert_string_equal(r->summary->run, "lr=0.1/seed=3");
    return smi_err_set(err, SMI_EIO, "no more");
}

static void runs_that_are_not_wanted_are_left_out_and_an_error_stops(void **state)
{
    const char *path = "tests/fixtures/sweep";
    struct smi_options o;
    struct smi_discover_opts d;
    struct smi_sweep s;
    int runs = 0;
    const struct smi_export to = {
        .name = &(const char *){"lr=0.1/seed=3"}, .n = 1, .run = stop, .self = &runs};
    struct smi_err err = {0};
    (void)state;
    begin(&o, &d);
    assert_int_equal(smi_export(&s, &path, 1, &d, &o, &to, &err), -1);
    assert_string_equal(err.text, "no more");
    assert_int_equal(runs, 1);
    smi_sweep_fini(&s);
}

/* ---- read back ---- */

static void write_json(struct smi_buf *to, const struct smi_sweep *s)
{
    const struct smi_render_options look = {0};
    smi_output_find("json", SMI_OUTPUT_NUMBERS)->write(to, s, &look);
}

static int into_target(void *self, const struct smi_export_run *r, struct smi_err *err)
{
    struct smi_target_out *to = self;
    struct smi_buf say = {0};
    int rc = smi_target_sqlite.run(to, r, &say, err);
    assert_int_equal(say.n, 0);
    smi_buf_fini(&say);
    return rc;
}

static void a_database_gives_the_summary_back(void **state)
{
    const char *path = "tests/fixtures/sweep";
    char dir[] = "/tmp/smilog-export-XXXXXX", where[100], cmd[100];
    struct smi_options o;
    struct smi_discover_opts d;
    const char *place = where, *nowhere = "sqlite:/nowhere.db";
    struct smi_sweep logs, back, none;
    struct smi_buf said[2] = {{0}, {0}};
    struct smi_err err = {0};
    struct smi_export to = {.run = into_target};
    (void)state;
    begin(&o, &d);
    assert_non_null(mkdtemp(dir));
    snprintf(where, sizeof where, "sqlite:%s/?#%%x.db", dir);
    for (int twice = 0; twice < 2; twice++) {
        to.self = smi_target_sqlite.open(&smi_target_sqlite, where + 7, NULL, &err);
        assert_non_null(to.self);
        assert_int_equal(smi_export(&none, &path, 1, &d, &o, &to, &err), 0);
        assert_int_equal(((struct smi_target_out *)to.self)->runs, twice ? 0 : 12);
        assert_int_equal(smi_target_sqlite.close(to.self, true, &err), 0);
        smi_sweep_fini(&none);
    }
    assert_int_equal(chmod(dir, 0555), 0); /* a medium for reading; who may do all, does as somebody else */
    assert_int_equal(geteuid() == 0 ? seteuid(65534) : 0, 0);
    assert_int_equal(smi_stored_read(&back, &place, 1, NULL, &o, NULL, NULL, &err), 0);
    smi_sweep_fini(&back);
    snprintf(where, sizeof where, "sqlite:/%s/?#%%x.db", dir); /* "//tmp" is "/tmp", and no host */
    assert_int_equal(smi_stored_read(&back, &place, 1, NULL, &o, NULL, NULL, &err), 0);
    assert_int_equal(getuid() == 0 ? seteuid(0) : 0, 0);
    assert_int_equal(smi_sweep_read(&logs, &path, 1, &d, &o, &err), 0);
    assert_int_equal(back.n, 12);
    write_json(&said[0], &logs);
    write_json(&said[1], &back);
    assert_string_equal(said[0].p, said[1].p);
    assert_int_equal(smi_stored_read(&none, &nowhere, 1, NULL, &o, NULL, NULL, &err), -1);
    assert_string_equal(err.text, "/nowhere.db: No such file or directory");
    smi_sweep_fini(&back);
    smi_sweep_fini(&logs);
    for (int i = 0; i < 2; i++)
        smi_buf_fini(&said[i]);
    snprintf(cmd, sizeof cmd, "chmod u+w %s && rm -r %s", dir, dir);
    assert_int_equal(system(cmd), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chain_gives_back_its_bytes),
        cmocka_unit_test(a_tape_plays_what_was_put),
        cmocka_unit_test(points_come_in_order_and_of_one_time_the_first),
        cmocka_unit_test(a_disk_that_takes_nothing_is_remembered),
        cmocka_unit_test(an_export_is_the_summary_and_its_rows),
        cmocka_unit_test(runs_that_are_not_wanted_are_left_out_and_an_error_stops),
        cmocka_unit_test(a_database_gives_the_summary_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
