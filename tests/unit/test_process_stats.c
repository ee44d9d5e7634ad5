/* Processes: any cut of the bytes gives the same samples; parts that are cut between two rounds add up to the
 * whole; what is kept of a process, and how many. */
#include "base/buf.h"
#include "base/mem.h"
#include "formats/format.h"
#include "formats/row_engine.h"
#include "rows_each.h"
#include "summary/merge_queue.h"
#include "aggregate/input_stats.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct smi_format *const formats[SMI_FMT_COUNT] = {[SMI_FMT_PMON] = &smi_format_pmon,
                                                                [SMI_FMT_APPS] = &smi_format_apps,
                                                                [SMI_FMT_AMD_PROCESS] =
                                                                    &smi_format_amd_process,
                                                                [SMI_FMT_ACCOUNTED] = &smi_format_accounted,
                                                                [SMI_FMT_RETIRED] = &smi_format_retired};

/* ---- logs ---- */

static uint64_t state;

static unsigned below(unsigned n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 33) % n;
}

/* A log, and where its rounds begin. */
struct log {
    struct smi_buf text;
    size_t head, at[64];
    int rounds;
};

static void begin_round(struct log *l)
{
    l->at[l->rounds++] = l->text.n;
}

/* A header is in front of every part. */
static void pmon_log(struct log *l, int rounds, bool dated)
{
    smi_buf_fmt(&l->text, "#%s gpu pid type sm mem enc dec jpg ofa fb ccpm command\n",
                dated ? "Date Time" : "");
    l->head = l->text.n;
    for (int i = 0; i < rounds; i++) {
        begin_round(l);
        for (int g = 0; g < 3; g++) {
            unsigned procs = below(4);
            for (unsigned k = 0; k < (procs ? procs : 1); k++) {
                if (dated)
                    smi_buf_fmt(&l->text, " 20260703 10:%02d:%02d", i / 30, i % 30 * 2);
                if (!procs)
                    smi_buf_fmt(&l->text, " %d - - - - - - - - - - -\n", g);
                else if (below(6) == 0)
                    smi_buf_fmt(&l->text, " %d %u C - - - - - - - 0 a b\n", g, 100 + k);
                else
                    smi_buf_fmt(&l->text, " %d %u C %u %u - 0 - - %u 0 p%u\n", g, 100 + k, below(101),
                                below(50), below(9000), k);
            }
        }
        if (below(9) == 0)
            smi_buf_str(&l->text, "# pause\n");
    }
}

static void apps_log(struct log *l, int rounds)
{
    smi_buf_str(&l->text, "timestamp, gpu_name, gpu_uuid, pid, process_name, used_gpu_memory [MiB]\n");
    l->head = l->text.n;
    for (int i = 0; i < rounds; i++) {
        begin_round(l);
        for (unsigned g = 0; g < 3; g++)
            for (unsigned k = 0, n = 1 + below(3); k < n; k++) {
                smi_buf_fmt(&l->text, "2026/07/03 10:00:%02d.%03u, NVIDIA H100, GPU-%u, ", i,
                            100 + (unsigned)i, g);
                if (below(9) == 0)
                    smi_buf_str(&l->text, "[Insufficient Permissions], [Insufficient Permissions], "
                                          "[Insufficient Permissions]\r\n");
                else
                    smi_buf_fmt(&l->text, "%u, /a,b, c/p%u, %u MiB\n", 100 + k, k, below(9000));
            }
        if (below(9) == 0)
            smi_buf_str(&l->text, "\n");
    }
}

static void amd_log(struct log *l, int rounds)
{
    smi_buf_str(&l->text, "timestamp,gpu,process_info,vram_mem,pid,name\r\n");
    l->head = l->text.n;
    for (int i = 0; i < rounds; i++) {
        begin_round(l);
        for (unsigned g = 0; g < 3; g++) {
            unsigned procs = below(4);
            if (!procs)
                smi_buf_fmt(&l->text, "17875%05d,%u,No running processes detected,N/A,N/A,N/A\r\n", i, g);
            for (unsigned k = 0; k < procs; k++)
                if (below(6) == 0)
                    smi_buf_fmt(&l->text, "17875%05d,%u,N/A,N/A,%u,\"a,b\"\r\n", i, g, 100 + k);
                else
                    smi_buf_fmt(&l->text, "17875%05d,%u,N/A,%u,%u,p%u\r\n", i, g, below(9000) << 10, 100 + k,
                                k);
        }
        smi_buf_str(&l->text, "\r\n");
        if (below(3))
            smi_buf_str(&l->text, "timestamp,gpu,process_info,vram_mem,pid,name\r\n");
    }
}

static void accounted_log(struct log *l, int rounds)
{
    smi_buf_str(&l->text,
                "timestamp, gpu_uuid, pid, gpu_utilization [%], mem_utilization [%], max_memory_usage [MiB], "
                "time [ms]\n");
    l->head = l->text.n;
    for (int i = 0; i < rounds; i++) {
        begin_round(l);
        for (int k = 0; k <= i; k++)
            smi_buf_fmt(&l->text, "2026/07/03 10:00:%02d.100, GPU-0, %d, %d %%, 1 %%, %d MiB, %d ms\n", i,
                        100 + k, k, 100 * k + (k == i ? (int)below(50) : 50), k == i ? 0 : 1000 + k);
    }
}

/* ---- reading ---- */

static void read_bytes(struct smi_input_stats *p, const char *head, size_t head_n, const char *text, size_t n,
                       size_t cut)
{
    struct smi_err err = {0};
    const struct smi_read_opts o = {.account = &p->account, .devices = &p->devices};
    const struct smi_format *f = formats[p->format];
    struct smi_reader *r = smi_reader_open(f, &o, &err);
    char *a = smi_mem_text(text, cut), *b = smi_mem_text(text + cut, n - cut); /* nothing is read past them */
    assert_non_null(r);
    assert_int_equal(smi_reader_feed(r, head, head_n, &p->sink, &err), 0);
    assert_int_equal(smi_reader_feed(r, a, cut, &p->sink, &err), 0);
    memset(a, '#', cut);
    assert_int_equal(smi_reader_feed(r, b, n - cut, &p->sink, &err), 0);
    assert_int_equal(smi_reader_finish(r, &p->sink, &err), 0);
    p->base = smi_reader_base(r);
    p->keyed = true;
    smi_reader_close(r);
    smi_mem_free(a);
    smi_mem_free(b);
}

static struct smi_input_stats *part_of(int format, const char *head, size_t head_n, const char *text,
                                       size_t n, size_t cut)
{
    struct smi_input_stats *p = smi_input_stats_new("log", format);
    assert_non_null(p);
    read_bytes(p, head, head_n, text, n, cut);
    assert_int_equal(p->account.lines, p->account.header + p->account.rows + p->account.duplicates +
                                           p->account.blank + p->account.messages +
                                           smi_account_rejected(&p->account));
    return p;
}

struct pair {
    int64_t v, n;
};

static int by_value(const void *a, const void *b)
{
    const struct pair *x = a, *y = b;
    return (x->v > y->v) - (x->v < y->v);
}

/* Counts stand in no order: each list [value, n, value, n, ...] is put in the order of its values. */
static void put_in_order(struct smi_buf *b)
{
    static const char mark[] = "\"v\": [";
    struct smi_buf out = {0};
    struct pair list[4096];
    const char *p = b->p, *at;
    for (; (at = strstr(p, mark)); p = at) {
        size_t n = 0;
        char *end;
        at += sizeof mark - 1;
        smi_buf_add(&out, p, (size_t)(at - p));
        for (; *at != ']'; at = *end == ',' ? end + 1 : end) {
            list[n].v = strtoll(at, &end, 10);
            list[n++].n = strtoll(end + 1, &end, 10);
        }
        qsort(list, n, sizeof *list, by_value);
        for (size_t i = 0; i < n; i++)
            smi_buf_fmt(&out, "%" PRId64 "x%" PRId64 " ", list[i].v, list[i].n);
    }
    smi_buf_str(&out, p);
    smi_buf_clear(b);
    smi_buf_add(b, out.p, out.n);
    smi_buf_fini(&out);
}

/* All that is kept, as the text of a partial. Takes the part. */
static void text_of(struct smi_buf *b, struct smi_input_stats *p)
{
    struct smi_run run = {0};
    const struct smi_options o = {.idle_below = 1000000};
    run.name = "r";
    smi_run_add_part(&run, p);
    smi_buf_clear(b);
    smi_partial_write(b, &run, &o);
    smi_run_fini(&run);
}

static struct smi_input_stats *settled(struct smi_input_stats *p)
{
    smi_input_stats_close(p);
    return p;
}

static void any_cut(int format, const struct log *l)
{
    struct smi_buf want = {0}, got = {0};
    text_of(&want, settled(part_of(format, "", 0, l->text.p, l->text.n, 0)));
    for (size_t cut = 1; cut < l->text.n; cut++) {
        text_of(&got, settled(part_of(format, "", 0, l->text.p, l->text.n, cut)));
        assert_string_equal(got.p, want.p);
    }
    smi_buf_fini(&want);
    smi_buf_fini(&got);
}

/* Piece i of the log, cut in front of rounds. */
static struct smi_input_stats *piece(int format, const struct log *l, int from, int to)
{
    size_t at = l->at[from], end = to < l->rounds ? l->at[to] : l->text.n;
    struct smi_input_stats *p = part_of(format, l->text.p, l->head, l->text.p + at, end - at, 0);
    if (from) { /* the header was read again */
        p->account.lines--;
        p->account.header--;
        p->account.changes -= p->account.changes > 0;
    }
    return p;
}

/* Through the text of a partial and back. */
static struct smi_input_stats *there_and_back(struct smi_input_stats *p)
{
    struct smi_err err = {0};
    struct smi_buf b = {0};
    struct smi_partials all = {0};
    struct smi_input_stats *q;
    text_of(&b, p);
    if (smi_partial_read(&all, b.p, b.n, "p", &err))
        fail_msg("%s", err.text);
    q = all.run[0]->part[0];
    all.run[0]->parts = 0;
    smi_partials_fini(&all);
    smi_buf_fini(&b);
    return q;
}

static const struct smi_device_stats_opts plain = {.idle_below = 1000000};

static void parts_are_the_whole(int format, const struct log *l, bool text)
{
    struct smi_err err = {0};
    struct smi_buf want = {0}, got = {0};
    struct smi_input_stats *whole = piece(format, l, 0, l->rounds), *a, *b, *c;
    int x = 1 + (int)below((unsigned)l->rounds - 2), y = x + 1 + (int)below((unsigned)(l->rounds - x - 1));
    whole->opts = plain;
    text_of(&want, settled(whole));
    put_in_order(&want);
    a = piece(format, l, 0, x);
    b = piece(format, l, x, y);
    c = piece(format, l, y, l->rounds);
    if (text) {
        a = there_and_back(a);
        b = there_and_back(b);
        c = there_and_back(c);
    }
    a->opts = b->opts = c->opts = plain;
    if (below(2)) {
        assert_int_equal(smi_input_stats_join(a, b, true, &err), 0);
        assert_int_equal(smi_input_stats_join(a, c, true, &err), 0);
    } else {
        assert_int_equal(smi_input_stats_join(b, c, true, &err), 0);
        assert_int_equal(smi_input_stats_join(a, b, true, &err), 0);
    }
    smi_input_stats_free(b);
    smi_input_stats_free(c);
    text_of(&got, settled(a));
    put_in_order(&got);
    assert_string_equal(got.p, want.p);
    smi_buf_fini(&want);
    smi_buf_fini(&got);
}

static void make(struct log *l, int kind, int rounds)
{
    *l = (struct log){0};
    if (kind < 2)
        pmon_log(l, rounds, kind);
    else if (kind == 2)
        apps_log(l, rounds);
    else if (kind == 4)
        amd_log(l, rounds);
    else
        accounted_log(l, rounds);
}

static int format_of(int kind)
{
    static const int of[] = {SMI_FMT_PMON, SMI_FMT_PMON, SMI_FMT_APPS, SMI_FMT_ACCOUNTED,
                             SMI_FMT_AMD_PROCESS};
    return of[kind];
}

static void bytes_cut_anywhere(void **unused)
{
    struct log l;
    (void)unused;
    for (int kind = 0; kind < 5; kind++) {
        state = 7;
        make(&l, kind, 5);
        any_cut(format_of(kind), &l);
        smi_buf_str(&l.text, "2026");
        any_cut(format_of(kind), &l);
        smi_buf_fini(&l.text);
    }
}

static void parts_cut_between_rounds(void **unused)
{
    struct log l;
    (void)unused;
    for (int i = 0; i < 200; i++) {
        state = (uint64_t)i;
        make(&l, i % 5, 3 + (int)below(12));
        parts_are_the_whole(format_of(i % 5), &l, i & 4);
        smi_buf_fini(&l.text);
    }
}

/* ---- what is kept ---- */

static int take(struct smi_procs *p, int64_t pid, const char *name, int64_t memory)
{
    const struct smi_process q = {.pid = pid, .name = smi_text_of(name), .life_ms = -1};
    const struct smi_sample s = {.who = 0, .n = 1, .metric = {SMI_FB_USED}, .v = {memory}, .process = &q};
    int32_t u;
    int64_t scale;
    const struct smi_rows r = block_of(&s, &u, &scale);
    return smi_procs_add(p, &r);
}

static void at_most_4096(void **unused)
{
    struct smi_procs p = {0};
    (void)unused;
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < SMI_PROCS_MAX + 3; i++)
            assert_int_equal(take(&p, i, "x", i), SMI_PROC_KEPT);
    assert_int_equal(p.n, SMI_PROCS_MAX);
    assert_int_equal(p.others, 6);
    assert_int_equal(p.list[SMI_PROCS_MAX - 1].samples, 2);
    assert_int_equal(p.list[SMI_PROCS_MAX - 1].of[SMI_PROC_MEMORY].max, SMI_PROCS_MAX - 1);
    smi_procs_fini(&p);
}

static void names_are_cut(void **unused)
{
    struct smi_procs p = {0};
    char name[SMI_PROC_NAME_MAX + 2];
    (void)unused;
    memset(name, 'x', sizeof name);
    name[SMI_PROC_NAME_MAX + 1] = 0;
    assert_int_equal(take(&p, 1, name, 1), SMI_PROC_KEPT);
    name[SMI_PROC_NAME_MAX] = 0;
    assert_int_equal(take(&p, 1, name, 1), SMI_PROC_KEPT);
    assert_int_equal(p.n, 1);
    name[SMI_PROC_NAME_MAX - 1] = 0;
    assert_int_equal(take(&p, 1, name, 1), SMI_PROC_KEPT);
    assert_int_equal(take(&p, 2, "", 1), SMI_PROC_KEPT);
    assert_int_equal(p.n, 3);
    assert_int_equal(strlen(p.list[0].name), SMI_PROC_NAME_MAX);
    assert_null(p.list[2].name);
    smi_procs_fini(&p);
}

static int count_sums(struct smi_sink *self, const struct smi_sample *s, struct smi_err *err)
{
    (void)err;
    *(int *)(void *)(self + 1) += s->shared;
    return 0;
}

static int count_all_sums(struct smi_sink *self, const struct smi_rows *r, struct smi_err *err)
{
    return rows_each(r, count_sums, self, err);
}

/* A round of as many processes as it may have adds up, one more does not, and the next one does again. */
static void rounds_end_at_65536(void **unused)
{
    struct {
        struct smi_sink sink;
        int sums;
    } to = {.sink = {.rows = count_all_sums}};
    (void)unused;
    for (int n = SMI_POLL_CYCLE_ROWS; n <= SMI_POLL_CYCLE_ROWS + 1; n++) {
        struct smi_account account = {0};
        struct smi_poll_cycle r = {.account = &account};
        struct smi_err err = {0};
        struct smi_lines lines = {.to = &to.sink, .err = &err, .account = &account};
        for (int t = 0; t < 2; t++)
            for (int i = 0; i < (t ? 2 : n); i++) {
                const struct smi_process q = {.pid = i, .life_ms = -1};
                const struct smi_sample s = {.t_ms = t, .timed = true, .who = 0, .process = &q};
                assert_int_equal(smi_poll_cycle_add(&r, &s, false, &lines), 0);
            }
        assert_int_equal(smi_poll_cycle_end(&r, &lines), 0);
        assert_int_equal(smi_lines_flush(&lines), 0);
        assert_int_equal(to.sums, n == SMI_POLL_CYCLE_ROWS ? 2 : 3);
        smi_poll_cycle_fini(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_cut_anywhere),  cmocka_unit_test(parts_cut_between_rounds),
        cmocka_unit_test(at_most_4096),        cmocka_unit_test(names_are_cut),
        cmocka_unit_test(rounds_end_at_65536),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
