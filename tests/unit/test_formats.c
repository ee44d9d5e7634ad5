/* The readers: any cut of the bytes gives the same samples; columns by name; formats told by content. */
#include "rows_text.h"
#include "base/mem.h"
#include "formats/format.h"
#include "model/line_account.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- what came out, as text ---- */

static void put(struct smi_buf *b, struct smi_text t)
{
    smi_buf_add(b, t.p, t.n);
}

static int mark(struct smi_sink *self, const struct smi_mark *m, struct smi_err *err)
{
    struct rows_text *t = (struct rows_text *)self;
    (void)err;
    if (m->kind == SMI_MARK_FAULT) {
        smi_buf_fmt(&t->text, "fault %s %d\n", smi_faults[m->fault].name, m->who);
        return 0;
    }
    smi_buf_fmt(&t->text, "%d %" PRId64 " %" PRId64 " ", (int)m->kind, m->t_us, m->span_us);
    put(&t->text, m->name);
    for (unsigned i = 0; i < m->fields; i++) {
        const struct smi_field *f = &m->field[i];
        smi_buf_str(&t->text, f->in_data ? " data." : " ");
        put(&t->text, f->key);
        smi_buf_str(&t->text, f->quoted ? "='" : "=");
        put(&t->text, f->text);
        if (f->number)
            smi_buf_fmt(&t->text, "(%" PRId64 ")", f->micro);
    }
    smi_buf_char(&t->text, '\n');
    return 0;
}

static void wind(struct rows_text *t)
{
    *t = (struct rows_text){.sink = {.rows = rows_text_add, .mark = mark}};
    smi_buf_str(&t->text, "");
}

static void unwind(struct rows_text *t)
{
    smi_buf_fini(&t->text);
    smi_account_fini(&t->account);
    smi_devices_fini(&t->devices);
}

/* Reads n bytes, given in two pieces. */
static enum smi_time_base play(struct rows_text *t, const struct smi_format *f, const char *p, size_t n,
                               size_t cut)
{
    struct smi_err err = {0};
    struct smi_read_opts o = {.account = &t->account, .devices = &t->devices};
    struct smi_reader *r = smi_reader_open(f, &o, &err);
    enum smi_time_base base;
    char *a = smi_mem_text(p, cut),
         *b = smi_mem_text(p + cut, n - cut); /* their own blocks: nothing is read past them */
    assert_non_null(r);
    assert_int_equal(smi_reader_feed(r, a, cut, &t->sink, &err), 0);
    memset(a, '#', cut);
    assert_int_equal(smi_reader_feed(r, b, n - cut, &t->sink, &err), 0);
    assert_int_equal(smi_reader_finish(r, &t->sink, &err), 0);
    base = smi_reader_base(r);
    smi_reader_close(r);
    smi_mem_free(a);
    smi_mem_free(b);
    return base;
}

static void check_sum(const struct smi_account *a)
{
    assert_int_equal(a->lines,
                     a->header + a->rows + a->duplicates + a->blank + a->messages + smi_account_rejected(a));
}

static void account_text(struct smi_buf *b, const struct smi_account *a)
{
    smi_buf_fmt(b, "%" PRId64 " %" PRId64 " %" PRId64 " %" PRId64, a->lines, a->header, a->blank,
                a->messages);
    for (int i = 0; i < SMI_REJECT_COUNT; i++)
        smi_buf_fmt(b, " %" PRId64, a->rejected[i]);
    smi_buf_fmt(b, " %" PRId64 " %" PRId64 " %" PRId64, a->cells_missing, a->cells_bad, a->out_of_range);
    for (size_t i = 0; i < a->problems; i++)
        smi_buf_fmt(b, "\n%" PRId64 ": %s", a->problem[i].line, a->problem[i].text);
}

/* The log gives these samples, and the same (and the same account) cut at every offset. */
static void expect(const struct smi_format *f, const char *p, size_t n, enum smi_time_base base,
                   const char *samples)
{
    struct rows_text first, t;
    struct smi_buf want = {0}, got = {0};
    wind(&first);
    assert_int_equal(play(&first, f, p, n, n), base);
    check_sum(&first.account);
    assert_string_equal(first.text.p, samples);
    account_text(&want, &first.account);
    for (size_t cut = 0; cut < n; cut++) {
        wind(&t);
        play(&t, f, p, n, cut);
        assert_string_equal(t.text.p, samples);
        smi_buf_clear(&got);
        account_text(&got, &t.account);
        assert_string_equal(got.p, want.p);
        unwind(&t);
    }
    smi_buf_fini(&got);
    smi_buf_fini(&want);
    unwind(&first);
}

static void expect_text(const struct smi_format *f, const char *log, enum smi_time_base base,
                        const char *samples)
{
    expect(f, log, strlen(log), base, samples);
}

/* ---- lines ---- */

struct line_reader {
    struct smi_lines lines; /* first: as of all readers */
    struct smi_buf text;
};

static int collect(void *self, struct smi_text line)
{
    struct line_reader *s = self;
    volatile char after = line.p[line.n]; /* must be readable */
    (void)after;
    smi_buf_fmt(&s->text, "%" PRId64 ":%zu:", s->lines.account->lines, line.n);
    smi_buf_add(&s->text, line.p, line.n < 100 ? line.n : 100);
    smi_buf_char(&s->text, '\n');
    return 0;
}

/* The lines of p, fed in pieces of the size given; the account's counts and problems behind them. */
static void lines_of(struct smi_buf *out, const char *p, size_t n, size_t first, size_t piece)
{
    static const struct smi_format format = {.size = sizeof(struct line_reader), .line = collect};
    struct smi_account account = {0};
    struct smi_err err = {0};
    struct smi_sink none = {0};
    struct smi_reader *r = smi_reader_open(&format, &(struct smi_read_opts){.account = &account}, &err);
    struct line_reader *s = (struct line_reader *)r;
    for (size_t at = 0; at < n;) {
        size_t k = at == 0 && first ? first : piece;
        char *copy;
        k = k < n - at ? k : n - at;
        copy = smi_mem_text(p + at, k);
        assert_int_equal(smi_reader_feed(r, copy, k, &none, &err), 0);
        assert_true(s->lines.cap <= 4 * (size_t)SMI_LINE_MAX);
        smi_mem_free(copy);
        at += k;
    }
    assert_int_equal(smi_reader_finish(r, &none, &err), 0);
    smi_buf_add(out, s->text.p ? s->text.p : "", s->text.n);
    account_text(out, &account);
    smi_buf_fini(&s->text);
    smi_reader_close(r);
    smi_account_fini(&account);
}

static void lines_any_cut(void **state)
{
    static const char alphabet[] = "ab,\r\n \t\r\n\n";
    char p[160];
    struct smi_buf want = {0}, got = {0};
    unsigned seed = 1;
    (void)state;
    for (int round = 0; round < 60; round++) {
        for (size_t i = 0; i < sizeof p; i++) {
            seed = seed * 1103515245u + 12345u;
            p[i] = alphabet[(seed >> 16) % (sizeof alphabet - 1)];
        }
        if (round % 3 == 0)
            memcpy(p, "\xEF\xBB\xBF", 3);
        smi_buf_clear(&want);
        lines_of(&want, p, sizeof p, 0, sizeof p);
        for (size_t cut = 0; cut <= sizeof p; cut++) {
            smi_buf_clear(&got);
            lines_of(&got, p, sizeof p, cut, cut % 7 + 1);
            assert_string_equal(got.p, want.p);
        }
    }
    smi_buf_fini(&want);
    smi_buf_fini(&got);
}

/* A line of n x's and its end, between two short ones; and the account that is right for it. */
static void long_line(size_t n, const char *end, bool fits)
{
    struct smi_buf p = {0}, got = {0}, want = {0};
    char *fill = malloc(n);
    size_t starts[] = {0, 1, 3, n - 1, n, n + 1, n + 2, n + 3, n + 4};
    memset(fill, 'x', n);
    smi_buf_str(&p, "a\n");
    smi_buf_add(&p, fill, n);
    smi_buf_str(&p, end);
    smi_buf_str(&p, "b\n");
    lines_of(&want, p.p, p.n, 0, p.n);
    assert_int_equal(strstr(want.p, "3:1:b") != NULL, strchr(end, '\n') != NULL);
    assert_int_equal(strstr(want.p, "line too long") == NULL, fits);
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        for (size_t piece = 5000; piece < 3 * n; piece *= 7) {
            smi_buf_clear(&got);
            lines_of(&got, p.p, p.n, starts[i], piece);
            assert_string_equal(got.p, want.p);
        }
    free(fill);
    smi_buf_fini(&p);
    smi_buf_fini(&got);
    smi_buf_fini(&want);
}

static void lines_at_the_cap(void **state)
{
    (void)state;
    long_line(SMI_LINE_MAX, "\n", true);
    long_line(SMI_LINE_MAX, "\r\n", true);
    long_line(SMI_LINE_MAX + 1, "\n", false);
    long_line(SMI_LINE_MAX + 1, "\r\n", false);
    long_line(SMI_LINE_MAX, "\rx\n", false);
    long_line(SMI_LINE_MAX - 1, "", true);
    long_line((size_t)SMI_LINE_MAX * 5, "\n", false);
    long_line((size_t)SMI_LINE_MAX * 2, "", false);
}

static void lines_counts(void **state)
{
    struct smi_buf got = {0};
    static const char text[] = "\xEF\xBB\xBF"
                               "a\r\n\n \t\r\nb\rc\n\xEF\xBB\xBF"
                               "d\ntorn";
    (void)state;
    lines_of(&got, text, sizeof text - 1, 0, 4);
    assert_string_equal(got.p, "1:1:a\n4:3:b\rc\n5:1:d\n"
                               "6 0 2 0 0 0 0 0 0 0 1 0 0 0\n6: unfinished last line: \"torn\"");
    smi_buf_clear(&got);
    lines_of(&got, "\xEF\xBB\xBF", 3, 1, 1);
    assert_string_equal(got.p, "0 0 0 0 0 0 0 0 0 0 0 0 0 0");
    smi_buf_fini(&got);
}

/* ---- account and devices ---- */

static void account_merge_is_whole(void **state)
{
    for (int cut = 0; cut <= 14; cut++) {
        struct smi_account whole = {0}, a = {0}, b = {0};
        struct smi_buf want = {0}, got = {0};
        for (int i = 0; i < 14; i++) {
            struct smi_account *part[] = {&whole, i < cut ? &a : &b};
            for (int k = 0; k < 2; k++) {
                part[k]->lines++;
                smi_account_reject(part[k], i % 2 ? SMI_REJECT_FOREIGN : SMI_REJECT_BAD_WIDTH,
                                   smi_text_of("x\x1b"));
            }
        }
        smi_account_merge(&a, &b);
        account_text(&want, &whole);
        account_text(&got, &a);
        assert_string_equal(got.p, want.p);
        assert_int_equal(a.said[SMI_REJECT_FOREIGN], 7);
        assert_null(strchr(got.p, '\x1b'));
        smi_buf_fini(&want);
        smi_buf_fini(&got);
        smi_account_fini(&whole);
        smi_account_fini(&a);
        smi_account_fini(&b);
    }
    (void)state;
}

/* 40 faults, each of which is met three times: 32 are kept, and of parts what is kept of the whole. */
static void account_faults_are_kept_once(void **state)
{
    (void)state;
    for (int cut = 0; cut <= 120; cut += 8) {
        struct smi_account whole = {0}, a = {0}, b = {0};
        struct smi_buf want = {0}, got = {0};
        for (int i = 0; i < 120; i++) {
            struct smi_account *part[] = {&whole, i < cut ? &a : &b};
            char who[8], when[16];
            snprintf(who, sizeof who, "%d", i * 7 % 40 / 2);
            snprintf(when, sizeof when, "%d s", i);
            for (int k = 0; k < 2; k++) {
                part[k]->lines++;
                smi_account_fault(part[k], smi_text_of(who), smi_text_of(i % 2 ? "[GPU is lost]" : "\x1b"),
                                  smi_text_of(i % 3 ? when : ""));
            }
        }
        assert_int_equal(whole.problems, SMI_FAULT_WARNINGS_MAX);
        assert_string_equal(whole.problem[1].text, "GPU 3: [GPU is lost], first at 1 s");
        smi_account_merge(&a, &b);
        account_text(&want, &whole);
        account_text(&got, &a);
        assert_string_equal(got.p, want.p);
        assert_int_equal(a.said[SMI_LOG_WARNING_FAULT], SMI_FAULT_WARNINGS_MAX);
        assert_null(strchr(got.p, '\x1b'));
        smi_buf_fini(&want);
        smi_buf_fini(&got);
        smi_account_fini(&whole);
        smi_account_fini(&a);
        smi_account_fini(&b);
    }
}

static int device(struct smi_devices *d, const char *uuid, const char *index)
{
    struct smi_text key[SMI_DEVICE_KEY_COUNT] = {{0}};
    key[SMI_DEVICE_KEY_UUID] = smi_text_of(uuid);
    key[SMI_DEVICE_KEY_INDEX] = smi_text_of(index);
    return smi_devices_find_key(d, key);
}

static void devices_by_key(void **state)
{
    struct smi_devices d = {0};
    struct smi_text key[SMI_DEVICE_KEY_COUNT] = {{0}};
    (void)state;
    assert_int_equal(device(&d, "", "0"), 0);
    assert_int_equal(device(&d, "", "1"), 1);
    assert_int_equal(device(&d, "GPU-a", "0"), 0); /* learns its uuid */
    assert_int_equal(device(&d, "GPU-b", "0"), 2); /* another board at the same index */
    assert_int_equal(device(&d, "GPU-a", ""), 0);
    assert_int_equal(device(&d, "GPU-ab", ""), 3);
    assert_int_equal(device(&d, "GPU-", ""), 4);
    key[SMI_DEVICE_KEY_UUID] = (struct smi_text){"GPU-a\0b", 7};
    assert_int_equal(smi_devices_find_key(&d, key), SMI_DEVICE_POOL);
    assert_int_equal(smi_device_index(&d.list[1]), 1);
    assert_int_equal(smi_device_index(&d.list[3]), -1);
    smi_devices_set_name(&d, 1, smi_text_of("H100"));
    smi_devices_set_name(&d, 1, smi_text_of("H200"));
    assert_string_equal(d.list[1].name, "H100");
    smi_devices_fini(&d);
}

static void keys_that_are_one(void **state)
{
    static const struct {
        enum smi_device_key kind;
        const char *a, *b;
        bool same;
    } of[] = {
        {SMI_DEVICE_KEY_UUID, "GPU-aa11", "gpu-AA11", true},
        {SMI_DEVICE_KEY_UUID, "GPU-aa11", "GPU-aa1", false},
        {SMI_DEVICE_KEY_BUS, "00000000:8C:00.0", "0000:8c:00.0", true},
        {SMI_DEVICE_KEY_BUS, "8C:00.0", "0000:8c:00.0", true},
        {SMI_DEVICE_KEY_BUS, "0000:8c:00", "00000000:8C:00.0", true}, /* the kernel leaves out the function */
        {SMI_DEVICE_KEY_BUS, "0001:8c:00.0", "0000:8c:00.0", false},
        {SMI_DEVICE_KEY_BUS, "10000:8c:00.0", "0000:8c:00.0", false},
        {SMI_DEVICE_KEY_BUS, "0000:8c:00.0", "0000:8c:00.1", false},
        {SMI_DEVICE_KEY_BUS, "0000:8c:00.0", "0000:8d:00.0", false},
        {SMI_DEVICE_KEY_BUS, "slot A", "SLOT a", true},
        {SMI_DEVICE_KEY_BUS, "1", "01", false},
        {SMI_DEVICE_KEY_SERIAL, "a1", "A1", false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        struct smi_devices d = {0};
        struct smi_text key[SMI_DEVICE_KEY_COUNT] = {{0}};
        const int c = smi_device_compare_keys(of[i].kind, of[i].a, of[i].b),
                  back = smi_device_compare_keys(of[i].kind, of[i].b, of[i].a);
        assert_int_equal(c == 0, of[i].same);
        assert_int_equal((c > 0) - (c < 0), (back < 0) - (back > 0));
        key[of[i].kind] = smi_text_of(of[i].a);
        assert_int_equal(smi_devices_find_key(&d, key), 0);
        key[of[i].kind] = smi_text_of(of[i].b);
        assert_int_equal(smi_devices_find_key(&d, key), of[i].same ? 0 : 1);
        for (int k = 0; k < 100; k++) { /* and among many, which are found by hashes */
            char text[24];
            snprintf(text, sizeof text, "%d", k);
            key[of[i].kind] = (struct smi_text){NULL, 0};
            key[SMI_DEVICE_KEY_INDEX] = smi_text_of(text);
            smi_devices_find_key(&d, key);
        }
        key[SMI_DEVICE_KEY_INDEX] = (struct smi_text){NULL, 0};
        key[of[i].kind] = smi_text_of(of[i].b);
        assert_int_equal(smi_devices_find_key(&d, key), of[i].same ? 0 : 1);
        smi_devices_fini(&d);
    }
}

static void devices_limit(void **state)
{
    struct smi_devices d = {0};
    char text[16];
    (void)state;
    for (int i = 0; i < SMI_DEVICE_MAX; i++) {
        snprintf(text, sizeof text, "%d", i);
        assert_int_equal(device(&d, "", text), i);
    }
    assert_int_equal(device(&d, "", "x"), SMI_DEVICE_POOL);
    assert_int_equal(device(&d, "", "17"), 17);
    assert_int_equal(device(&d, "GPU-a", "17"), 17); /* what is learned late is found too */
    assert_int_equal(device(&d, "GPU-b", "4000"), 4000);
    assert_int_equal(device(&d, "GPU-a", ""), 17);
    assert_int_equal(device(&d, "GPU-b", ""), 4000);
    assert_int_equal(device(&d, "GPU-b", "17"), 4000); /* a uuid decides alone */
    assert_int_equal(device(&d, "GPU-c", ""), SMI_DEVICE_POOL);
    assert_int_equal(smi_devices_find_ordinal(&d, 0), SMI_DEVICE_POOL);
    smi_devices_fini(&d);
    for (int i = 0; i < 3; i++)
        assert_int_equal(smi_devices_find_ordinal(&d, i), i);
    assert_int_equal(smi_devices_find_ordinal(&d, 1), 1);
    assert_int_equal(smi_device_index(&d.list[2]), 2);
    smi_devices_fini(&d);
}

/* ---- dmon ---- */

static void dmon_midnight(void **state)
{
    (void)state;
    expect_text(&smi_format_dmon,
                "#Time gpu sm mem\n#HH:MM:SS Idx % %\n"
                " 23:59:59 0 1 2\n 23:59:59 1 1 2\n 23:59:58 0 3 4\n 00:00:01 0 5 6\n"
                "#Time gpu mem sm\n 00:00:02 1 7 8\n 24:00:00 1 7 8\n",
                SMI_TIME_BASE_DAY,
                "t86399000 0 gpu_util_pct=1000000 mem_util_pct=2000000\n"
                "t86399000 1 gpu_util_pct=1000000 mem_util_pct=2000000\n"
                "t86398000 0 gpu_util_pct=3000000 mem_util_pct=4000000\n"
                "t86401000 0 gpu_util_pct=5000000 mem_util_pct=6000000\n"
                "t86402000 1 mem_util_pct=7000000 gpu_util_pct=8000000\n");
}

/* All sets and orders of the columns: each column once, by its name. */
static void dmon_column_sets(void **state)
{
    static const char *const sets[] = {
        "gpu pwr temp sm mem enc dec mclk pclk pviol tviol fb bar1 sbecc dbecc pci rxpci txpci",
        "gpu pwr gtemp mtemp sm mem enc dec mclk pclk pviol tviol fb bar1 sbecc dbecc pci rxpci txpci",
        ("gpu pwr gtemp mtemp sm mem enc dec jpg ofa mclk pclk pviol tviol fb bar1 ccpm sbecc dbecc pci "
         "rxpci "
         "txpci"),
        "gpu pwr gtemp mtemp sm mem enc dec jpg ofa mclk pclk",
        "gpu fb bar1 sm mem enc dec",
        "gpu sm mem enc dec jpg ofa fb bar1 ccpm",
        "gpu pwr gtemp mtemp mclk pclk sm mem enc dec jpg ofa rxpci txpci",
        "gpu fb bar1 ccpm rxpci txpci sbecc dbecc pci",
        "Date Time gpu fb bar1 ccpm sm mem enc dec jpg ofa rxpci txpci mclk pclk",
        "gpu sm mem gract smutil fp16",
    };
    (void)state;
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        struct smi_buf log = {0}, want = {0};
        struct smi_text rest = smi_text_of(sets[i]), name;
        bool dated = strncmp(sets[i], "Date", 4) == 0;
        smi_buf_fmt(&log, "# %s \n", sets[i]);
        smi_buf_str(&want, dated ? "t1609461000000 0" : "-0 0");
        for (int k = 0; rest.n; k++) {
            const struct smi_alias *a;
            const char *end = memchr(rest.p, ' ', rest.n);
            name = (struct smi_text){rest.p, end ? (size_t)(end - rest.p) : rest.n};
            rest = (struct smi_text){rest.p + name.n + (end != NULL), rest.n - name.n - (end != NULL)};
            if (dated && k < 3)
                smi_buf_str(&log, k == 0 ? " 20210101" : k == 1 ? " 00:30:00" : " 0");
            else
                smi_buf_fmt(&log, " %d", k);
            a = smi_names_find(&smi_names_dmon, name);
            if (a && a->kind == SMI_COL_NUMBER)
                smi_buf_fmt(&want, " %s=%d000000", smi_metrics[a->what].key, k);
        }
        smi_buf_str(&log, " \n");
        smi_buf_char(&want, '\n');
        expect(&smi_format_dmon, log.p, log.n, dated ? SMI_TIME_BASE_LOCAL : SMI_TIME_BASE_NONE, want.p);
        smi_buf_fini(&log);
        smi_buf_fini(&want);
    }
}

static void dmon_odd_lines(void **state)
{
    struct rows_text t;
    static const char log[] = " 0 1 2\n" /* no header yet: foreign */
                              " 0 1 3\n"
                              "gpu sm mem fb\n" /* copied: no '#' */
                              "Idx % % MB\n"
                              "0 45% 15-39 7.5\n"   /* two bad cells */
                              "0 1 2\n"             /* bad_width */
                              "0 1 2 3 4\n"         /* bad_width */
                              "0 - - -\n"           /* no such counters: a message */
                              "0 [N/A] 5 9000000\n" /* missing, out of range */
                              "x 1 2 3\n"           /* foreign */
                              "---\n2020-06-09 09:00:01\nTue Jun  9 09:00:01 UTC 2020\n# a comment\n"
                              "Failed to initialize NVML: Unknown Error\n"
                              "# gpu pid type sm\n" /* pmon: the rows below are not ours */
                              " 0 1 C 3\n"
                              "\n"
                              "gpu, fb, sm, mem\n" /* --format csv */
                              "-, 1, , 3\n"        /* no key: pooled */
                              "2, 1 MiB, 50 %, 3\n"
                              "2, 1";
    (void)state;
    wind(&t);
    play(&t, &smi_format_dmon, log, sizeof log - 1, 10);
    check_sum(&t.account);
    assert_string_equal(t.text.p, "-0 0 fb_used_mib=7500000\n-0 0 mem_util_pct=5000000\n"
                                  "fault no_driver -1\n"
                                  "-0 -3 fb_used_mib=1000000 mem_util_pct=3000000\n"
                                  "-0 1 fb_used_mib=1000000 gpu_util_pct=50000000 mem_util_pct=3000000\n");
    assert_int_equal(t.account.header, 3);
    assert_int_equal(t.account.messages, 6);
    assert_int_equal(t.account.rejected[SMI_REJECT_FOREIGN], 5);
    assert_int_equal(t.account.rejected[SMI_REJECT_BAD_WIDTH], 2);
    assert_int_equal(t.account.rejected[SMI_REJECT_BAD_NUMBER], 0);
    assert_int_equal(t.account.rejected[SMI_REJECT_TORN_TAIL], 1);
    assert_int_equal(t.account.cells_bad, 2);
    assert_int_equal(t.account.out_of_range, 1);
    assert_int_equal(t.account.said[SMI_LOG_WARNING_OTHER],
                     2); /* said once for the first two rows, once for pmon's */
    assert_int_equal(t.account.said[SMI_LOG_WARNING_MESSAGE], 1);
    unwind(&t);
}

static void dmon_mixed_times(void **state)
{
    (void)state;
    expect_text(&smi_format_dmon,
                "#Time gpu sm mem\n 10:00:00 0 1 2\n#Date Time gpu sm mem\n 20210101 10:00:00 0 1 2\n"
                "#Date gpu sm mem\n 20210101 0 3 4\n 2021010x 0 3 4\n",
                SMI_TIME_BASE_DAY,
                "t36000000 0 gpu_util_pct=1000000 mem_util_pct=2000000\n"
                "-1609495200000 0 gpu_util_pct=1000000 mem_util_pct=2000000\n"
                "-0 0 gpu_util_pct=3000000 mem_util_pct=4000000\n");
}

/* ---- CPU CSV ---- */

static void cpu_rows(void **state)
{
    struct rows_text t;
    static const char log[] = "2026-11-21T06:22:29.123+00:00,12.3,80.1\n"
                              "timestamp,usr_pct,idle_pct,note\n"
                              "2026-11-21T06:22:31.123+00:00,12.3,80.1,x\n"
                              "2026-11-21T06:22:33,nan,80.1,x\n"
                              "2026-11-21T06:22:35.1Z,,,\n"
                              "2026-11-21T06:22:37Z,1,2\n"
                              "2026-11-21,1,2,3\n"
                              "hello\nWARNING: a, b, c, d\n2026-11-21T06:22:3";
    (void)state;
    wind(&t);
    assert_int_equal(play(&t, &smi_format_cpu_csv, log, sizeof log - 1, 3), SMI_TIME_BASE_UTC);
    check_sum(&t.account);
    assert_string_equal(t.text.p, "f1795242149123 -1 cpu_usr_pct=12300000 cpu_idle_pct=80100000\n"
                                  "f1795242151123 -1 cpu_usr_pct=12300000 cpu_idle_pct=80100000\n"
                                  "t1795242153000 -1 cpu_idle_pct=80100000\n");
    assert_int_equal(t.account.rejected[SMI_REJECT_BAD_NUMBER], 1);
    assert_int_equal(t.account.rejected[SMI_REJECT_BAD_WIDTH], 1);
    assert_int_equal(t.account.rejected[SMI_REJECT_BAD_TIME], 1);
    assert_int_equal(t.account.rejected[SMI_REJECT_FOREIGN], 1);
    assert_int_equal(t.account.messages, 1);
    unwind(&t);
    expect_text(&smi_format_cpu_csv,
                "\xEF\xBB\xBFtimestamp, usr_pct, idle_pct\r\n2026-11-21T08:22:31+02:00, 1, 2\r\n",
                SMI_TIME_BASE_UTC, "t1795242151000 -1 cpu_usr_pct=1000000 cpu_idle_pct=2000000\n");
}

/* ---- RunLog ---- */

#define TS "{\"ts\": \"2026-11-21T06:22:31.123+00:00\", "

static void runlog_marks(void **state)
{
    (void)state;
    expect_text(&smi_format_runlog,
                TS "\"type\": \"phase\", \"name\": \"compile\", \"seconds\": 1.234, \"lr\": 1e-05}\n",
                SMI_TIME_BASE_UTC, "1 1795242151123000 1234000 compile name='compile lr=1e-05(10)\n");
}

/* The last of a key given twice counts, as in Python. */
static void runlog_last_key_wins(void **state)
{
    (void)state;
    expect_text(&smi_format_runlog,
                TS "\"type\": \"phase\", \"name\": \"a\", \"seconds\": 1, \"name\": \"b\", \"seconds\": 2}\n",
                SMI_TIME_BASE_UTC, "1 1795242151123000 2000000 b name='b\n");
}

/* Text of a JSON number, as we give it on, and its millionths; none if it does not fit. */
static void number_is(const char *json, const char *text, const char *micro)
{
    struct smi_buf log = {0}, want = {0};
    smi_buf_fmt(&log, TS "\"type\": \"event\", \"event\": \"e\", \"v\": %s}\n", json);
    smi_buf_fmt(&want, "2 1795242151123000 0 e v=%s%s\n", text, micro);
    expect(&smi_format_runlog, log.p, log.n, SMI_TIME_BASE_UTC, want.p);
    smi_buf_fini(&log);
    smi_buf_fini(&want);
}

static void runlog_numbers(void **state)
{
    (void)state;
    number_is("0.1", "0.1", "(100000)");
    number_is("1.0", "1.0", "(1000000)");
    number_is("-0.0", "-0.0", "(0)");
    number_is("0.30000000000000004", "0.30000000000000004", "(300000)");
    number_is("1e5", "100000.0", "(100000000000)");
    number_is("1e22", "1e+22", "");
    number_is("1.5e-7", "1.5e-07", "(0)");
    number_is("0.0000005", "5e-07", "(0)");
    number_is("0.0000015", "1.5e-06", "(2)");
    number_is("0.0000025", "2.5e-06", "(2)");
    number_is("0.0001", "0.0001", "(100)");
    number_is("1234567890123456.0", "1234567890123456.0", "");
    number_is("9223372036854.775", "9223372036854.775", "(9223372036854775000)");
    number_is("9223372036855", "9223372036855", "");
    number_is("123456789.123456", "123456789.123456", "(123456789123456)");
    number_is("-2.2250738585072014e-308", "-2.2250738585072014e-308", "(0)");
    number_is("1.7976931348623157e308", "1.7976931348623157e+308", "");
    number_is("12345678901234567.0", "1.2345678901234568e+16", "");
}

static void one_line(const char *line, size_t n, const char *text, enum smi_reject why, const char *problem)
{
    struct rows_text t;
    struct smi_buf log = {0};
    smi_buf_add(&log, line, n);
    smi_buf_char(&log, '\n');
    wind(&t);
    play(&t, &smi_format_runlog, log.p, log.n, log.n / 2);
    check_sum(&t.account);
    assert_string_equal(t.text.p, text ? text : "");
    if (!text)
        assert_int_equal(t.account.rejected[why], 1);
    assert_int_equal(t.account.problems, problem != NULL);
    if (problem && !strstr(t.account.problem[0].text, problem))
        assert_string_equal(t.account.problem[0].text, problem);
    smi_buf_fini(&log);
    unwind(&t);
}

static void rejected(const char *line, enum smi_reject why, const char *problem)
{
    one_line(line, strlen(line), NULL, why, problem);
}

static void runlog_nan(void **state)
{
    static const char line[] = TS "\"type\": \"phase\", \"name\": \"NaN, \\\"Infinity\", \"seconds\": 2.5, "
                                  "\"l\": NaN, \"m\":-Infinity,\"o\":[Infinity]}";
    (void)state;
    one_line(line, sizeof line - 1,
             "1 1795242151123000 2500000 NaN, \"Infinity name='NaN, \"Infinity l=null m=null\n",
             SMI_REJECT_FOREIGN, "3 values NaN or Infinity read as null");
    rejected(TS "\"type\": \"phase\", \"name\": \"n\", \"seconds\": nan}", SMI_REJECT_FOREIGN,
             "no row, no header, no known message");
}

static void runlog_rejects(void **state)
{
    struct smi_buf deep = {0};
    struct rows_text t;
    static const char nan_seconds[] = TS "\"type\": \"phase\", \"name\": \"n\", \"seconds\": NaN}\n";
    (void)state;
    rejected(TS "\"type\": \"phase\", \"name\": \"n\"}", SMI_REJECT_BAD_NUMBER, "no usable number");
    rejected(TS "\"type\": \"phase\", \"name\": \"n\", \"seconds\": \"1\"}", SMI_REJECT_BAD_NUMBER,
             "no usable number");
    rejected(TS "\"type\": \"phase\", \"name\": \"n\", \"seconds\": -1}", SMI_REJECT_BAD_NUMBER,
             "no usable number");
    rejected(TS "\"type\": \"phase\", \"seconds\": 1}", SMI_REJECT_FOREIGN, "no row");
    rejected(TS "\"type\": \"other\", \"name\": \"n\", \"seconds\": 1}", SMI_REJECT_FOREIGN, "no row");
    rejected("{\"type\": \"event\", \"event\": \"e\"}", SMI_REJECT_FOREIGN, "no row");
    rejected("{\"type\": \"event\", \"event\": \"e\", \"ts\": \"now\"}", SMI_REJECT_BAD_TIME,
             "no usable time");
    rejected("{\"type\": \"event\", \"event\": \"e\", \"ts\": 12}", SMI_REJECT_BAD_TIME, "no usable time");
    rejected("[1]", SMI_REJECT_FOREIGN, "no row");
    rejected("Traceback", SMI_REJECT_FOREIGN, "no row, no header, no known message");
    rejected(TS "\"type\": \"event\", \"event\": \"e\"} x", SMI_REJECT_FOREIGN,
             "no row, no header, no known message");
    rejected(TS "\"type\": \"event\", \"event\": \"\xff\"}", SMI_REJECT_BAD_ENCODING, "not UTF-8");
    rejected(TS "\"type\": \"event\", \"event\": \"\\ud800\"}", SMI_REJECT_FOREIGN,
             "no row, no header, no known message");
    rejected(TS "\"type\": \"phase\", \"name\": \"n\", \"seconds\": 1e999}", SMI_REJECT_BAD_NUMBER,
             "no usable number");
    rejected(TS "\"v\": 1e99x}", SMI_REJECT_FOREIGN, "no row, no header, no known message");
    one_line("{\"a\0b\": 1}", 10, NULL, SMI_REJECT_FOREIGN, "no row, no header, no known message");
    wind(&t);
    play(&t, &smi_format_runlog, nan_seconds, sizeof nan_seconds - 1, 5);
    assert_int_equal(t.account.rejected[SMI_REJECT_BAD_NUMBER], 1);
    unwind(&t);
    for (int levels = 64; levels <= 65; levels++) {
        smi_buf_clear(&deep);
        smi_buf_str(&deep, TS "\"type\": \"event\", \"event\": \"[[[[\", \"v\": ");
        for (int i = 1; i < levels; i++)
            smi_buf_char(&deep, '[');
        for (int i = 1; i < levels; i++)
            smi_buf_char(&deep, ']');
        smi_buf_str(&deep, "}");
        one_line(deep.p, deep.n, levels == 65 ? NULL : "2 1795242151123000 0 [[[[\n", SMI_REJECT_FOREIGN,
                 levels == 65 ? "deeper than 64 levels" : NULL);
    }
    smi_buf_fini(&deep);
}

/* Lines that begin with an object are read many at once, all others one by one: wherever they are cut, what
 * they say is the same. */
static void runlog_lines_of_all_kinds(void **state)
{
    static const char log[] = TS
        "\"type\": \"event\", \"event\": \"a\", \"k\": 1}\n"
        "{\"ts\":\"2026-11-21T06:22:32Z\",\"type\":\"event\",\"event\":\"b\",\"k\":2}\n"
        "{\"ts\": \"2026-11-21T06:22:33Z\", \"type\": \"event\", \"event\": \"c\", \"k\":  3}\r\n"
        "{\"log\":\"{\\\"ts\\\": \\\"2026-11-21T06:22:34Z\\\", \\\"type\\\": \\\"event\\\", "
        "\\\"event\\\": \\\"d\\\"}\\n\",\"stream\":\"stdout\",\"time\":\"2026-11-21T06:22:34Z\"}\n"
        "\n"
        "{\"ts\": \"2026-11-21T06:22:35Z\", \"type\": \"event\", \"event\": \"\\u0065\", \"k\": \"\\n\"} \n"
        "{\"ts\": \"2026-11-21T06:22:36Z\", \"type\": \"event\",\n"
        "\"event\": \"on another line\"}\n"
        "{\"ts\": \"2026-11-21T06:22:37Z\", \"type\": \"event\", \"event\": \"f\", \"k\": NaN}\n";
    (void)state;
    expect(&smi_format_runlog, log, sizeof log - 1, SMI_TIME_BASE_UTC,
           "2 1795242151123000 0 a k=1(1000000)\n2 1795242152000000 0 b k=2(2000000)\n"
           "2 1795242153000000 0 c k=3(3000000)\n2 1795242154000000 0 d\n2 1795242155000000 0 e k='\n\n"
           "2 1795242157000000 0 f k=null\n");
}

static void runlog_many_fields(void **state)
{
    (void)state;
    for (int n = 256; n <= 257; n++) { /* behind ts, type and event, which the mark says itself */
        struct smi_buf log = {0};
        struct rows_text t;
        smi_buf_str(&log, "{");
        for (int i = 0; i < n; i++)
            smi_buf_fmt(&log, "\"k%d\": %d, ", i, i);
        smi_buf_str(&log, "\"ts\": \"2026-11-21T06:22:31Z\", \"type\": \"event\", \"event\": \"e\"}\n");
        wind(&t);
        play(&t, &smi_format_runlog, log.p, log.n, log.n / 3);
        check_sum(&t.account);
        assert_int_equal(t.account.rows, 1);
        assert_int_equal(t.account.problems, n > 256);
        unwind(&t);
        smi_buf_fini(&log);
    }
}

/* ---- detection ---- */

static int detect(const char *text, struct smi_detect *d)
{
    return smi_detect(text, strlen(text), true, d);
}

static void is(const char *text, int id)
{
    struct smi_detect d;
    assert_int_equal(detect(text, &d), id);
    assert_false(d.bare || d.messages);
}

static void refused(const char *text, const char *why)
{
    struct smi_detect d;
    assert_int_equal(detect(text, &d), -1);
    assert_false(d.bare);
    assert_true(smi_text_is_utf8(smi_text_of(d.why)));
    if (strncmp(d.why, why, strlen(why)))
        assert_string_equal(d.why, why);
}

static void bare(const char *text)
{
    struct smi_detect d;
    assert_int_equal(detect(text, &d), SMI_FMT_QUERY);
    assert_true(d.bare);
    assert_non_null(strstr(d.why, "--input-columns"));
}

#define STAMP "2026/07/03 22:11:09.763, "

static void detects_formats(void **state)
{
    (void)state;
    is("memory.used [MiB]\n", SMI_FMT_QUERY);
    is("\xEF\xBB\xBFtimestamp, power.draw [W]\r\n", SMI_FMT_QUERY);
    is("Tue Jun  9 09:00:01 UTC 2020\nutilization.gpu [%], memory.used [MiB]\n0 %, 1 MiB\n", SMI_FMT_QUERY);
    is("WARNING: x\n\n-----\n2020-06-09 09:00:01\nnohup: ignoring input\ntimestamp, power.draw [W]\n",
       SMI_FMT_QUERY);
    is("timestamp,gpu,power.draw,power.limit\n2024-05-26 18:51:23.769030,0,18,\n", SMI_FMT_QUERY);
    is(STAMP "100, 7, 32362, 143771, 627.40, 52, 1980, 3201\n", SMI_FMT_QUERY);
    is("No devices were found\ntimestamp, power.draw [W]\n", SMI_FMT_QUERY);
    is("+------+\n| NVIDIA-SMI 470.57.02    Driver Version: 470.57.02 |\ntimestamp, power.draw [W]\n",
       SMI_FMT_QUERY);
    is("# gpu    pwr  gtemp\n# Idx      W      C\n    0 1 2\n", SMI_FMT_DMON);
    is("# Idx      W      C\n    0 1 2\n# gpu    pwr  gtemp\n", SMI_FMT_DMON);
    is("#Time        gpu   pwr gtemp\n", SMI_FMT_DMON);
    is("gpu pwr gtemp\nIdx W C\n", SMI_FMT_DMON);
    is("gpu, pwr, gtemp\n0, 1, 2\n", SMI_FMT_DMON);
    is("timestamp, gpu_name, gpu_util%\n" STAMP "H100, 5\n", SMI_FMT_GPU_CSV);
    is("{\"level\": \"metadata\", \"ts\": 1, \"type\": 2}\n", SMI_FMT_USAGE_LOG);
    is("here log\n{\"time\": \"2022-10-01T10:00:00+00:00Z\", \"total_cpu_percent\": 1}\n", SMI_FMT_USAGE_LOG);
    is("cpu  60683 0 14574 189323 863 0 329 330 0 0\n", SMI_FMT_PROC_STAT);
    is("#Entity       GPUTL  MCUTL\n", SMI_FMT_DCGMI);
    is("ram_unit,gpu_ram_unit,time_unit\n", SMI_FMT_GPU_TRACKER);
    is("{\"run\": \"a\", \"host\": null, \"input\": \"b\", \"format\": \"c\", \"row\": 0, \"time\": null}\n",
       SMI_FMT_SAMPLES_JSONL);
    is("run,host,input,format,row,time,device,gpu,uuid,bus,name\n", SMI_FMT_SAMPLES_CSV);
    is("run,host,input,format,row,time,device,gpu,uuid,bus,name,power_w\n", SMI_FMT_SAMPLES_CSV);
    is("timestamp,usr_pct,idle_pct\n", SMI_FMT_CPU);
    is("timestamp,usr_pct,idle_pct,x\n", SMI_FMT_CPU);
    is("timestamp,x,tree_ram_mib\n", SMI_FMT_PROCS);
    is("{\"ts\": \"x\", \"type\": \"phase\"}\n", SMI_FMT_RUNLOG);
    is("loading...\n{ \"type\" : \"event\" , \"v\": NaN, \"ts\" :1}\n", SMI_FMT_RUNLOG);
    is("# gpu        pid  type    sm   mem   enc   dec    fb   command\n", SMI_FMT_PMON);
    is("#Time gpu pid type sm command\n", SMI_FMT_PMON);
    is("    0      11327     C      -      -    memhog\n# gpu pid type sm mem command\n", SMI_FMT_PMON);
    is("timestamp, gpu_name, pid, process_name, used_gpu_memory [MiB]\n", SMI_FMT_APPS);
    is("used_gpu_memory [MiB]\n1 MiB\n", SMI_FMT_APPS);
    is("pid, used_gpu_memory [MiB]\n", SMI_FMT_APPS);
    is("+-----+\npid, used_gpu_memory [MiB]\n7, 100 MiB\n", SMI_FMT_APPS);
    is("+-----+\n" STAMP "7, /bin/x, 100 MiB\n", SMI_FMT_APPS);
    is(STAMP "NVIDIA H200, GPU-0, 12249, /root/tools/memhog, 2194 MiB\n", SMI_FMT_APPS);
    is(STAMP "NVIDIA H200, GPU-0, 12249, [Not Found], 2194 MiB\n", SMI_FMT_APPS);
    is("timestamp, gpu_uuid, pid, gpu_utilization [%], max_memory_usage [MiB], time [ms]\n",
       SMI_FMT_ACCOUNTED);
    is("timestamp, gpu_uuid, retired_pages.address, retired_pages.cause\n", SMI_FMT_RETIRED);
    is("used_memory, utilization.gpu [%]\n", SMI_FMT_QUERY);
    bare(STAMP "0 %, 0 %, 2 MiB, 20146 MiB, 27, 11.64 W\n");
    bare("Wed Feb 26 01:50:18 PM EST 2025\n0 %, 7042 MiB, 46068 MiB, 32, 82.53 W\n");
}

static void detects_what_it_does_not_read(void **state)
{
    static const char nul[] = "time\0,x\n";
    struct smi_detect d;
    (void)state;
    refused("", "empty");
    refused("\n \t\r\n", "only blank lines");
    refused("timestamp, power.draw [W]", "one unfinished line");
    assert_int_equal(smi_detect("timestamp", 9, false, &d), -1);
    assert_string_equal(d.why, "no whole line yet");
    assert_int_equal(smi_detect(nul, sizeof nul - 1, true, &d), -1);
    assert_non_null(strstr(d.why, "NUL"));
    refused("Sun Dec  4 21:11:06 2022       \n+-----+\n| NVIDIA-SMI 470 |\n",
            "a table without nvidia-smi's lines of GPUs");
    refused("<?xml version=\"1.0\" ?>\n<svg>\n", "XML, and not of nvidia-smi -q -x");
    refused("index,name,utilization.gpu,utilization.compute\n", "a log of xpu-smi (Intel)");
    refused("os,cpu,gpu,ram,kernel,driver,cpuscheduler\n", "no known log format"); /* of MangoHud */
    refused("\"(PDH-CSV 4.0)\",\"\\\\PC\\GPU Engine\"\n", "a log of typeperf");
    refused("00, 25-03-2026 12:00:00, Hardware monitoring log v1.6 \n", "a log of MSI Afterburner");
    refused("GPUId,TimeStampUs,x\n", "a DCGM dump");
    refused("    0      11327     C      -      -    memhog\n", "no known log format (--columns-from FILE");
    refused("+-----+\npid, used_gpu_memory [MiB]\n[INFO] 1, 2\nepoch 3\n",
            "a table without nvidia-smi's lines of GPUs");
    refused("    0     62      4      0      -\n", "no known log format (--columns-from FILE");
    refused(" 17:36:40 0     62      4      0      -\n", "no known log format (--columns-from FILE");
}

static void detects_no_log(void **state)
{
    struct smi_detect d;
    struct smi_buf long_one = {0};
    (void)state;
    refused("timestamp,power_draw_W\n2025-10-13T14:56:26.862554+00:00,5.20\n",
            "no known log format (--columns-from FILE says what its columns are, or what stands in front of "
            "its readings): begins with "
            "\"timestamp,power_draw_W\"");
    refused("a, b, c, d, e, f, g, h, i\n" STAMP "100, 7, 32362, 143771, 627.40, 52, 1980, 3201\n",
            "no known log format");
    refused("# HELP x Total\n# TYPE x counter\n", "metrics of Prometheus");
    refused("\x1b[31m\xff\n", "no known log format: begins with \"\\x1b[31m\\xff\"");
    refused("Tue Jun  9 09:00:01 UTC 2020\n", "no known log format: only \"Tue");
    for (int i = 0; i < 100; i++)
        smi_buf_str(&long_one, "\x01\xC3\xA4");
    smi_buf_str(&long_one, "\n");
    refused(long_one.p, "no known log format: begins with");
    smi_buf_fini(&long_one);
    assert_int_equal(detect("{\"schema\": \"smilog/1\", \"runs\": []}", &d), -1);
    assert_string_equal(d.why, "smilog's own output");
    assert_int_equal(detect("# smilog 0.2\ntimestamp, power.draw [W]\n", &d), -1);
    assert_string_equal(d.why, "smilog's own output");
    assert_int_equal(
        detect("NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.\n\n", &d), -1);
    assert_true(d.messages);
    assert_non_null(strstr(d.why, "couldn't communicate"));
}

/* Is a text with `lead` other lines, a header, and so many rows and other lines behind them another text? */
static int quoted(int lead, int rows, int behind, const char *other)
{
    struct smi_detect d;
    struct smi_buf b = {0};
    int id, rc;
    for (int i = 0; i < lead; i++)
        smi_buf_str(&b, "Loading\n");
    smi_buf_str(&b, "timestamp, index, power.draw [W]\n");
    for (int i = 0; i < rows; i++)
        smi_buf_str(&b, "2026/07/03 22:10:46.109, 0, 62.00 W\n\n");
    for (int i = 0; i < behind; i++)
        smi_buf_str(&b, other);
    id = smi_detect(b.p, b.n, true, &d);
    assert_int_equal(id, SMI_FMT_QUERY);
    assert_int_equal(d.led, lead > 0);
    rc = smi_detect_is_quoted(b.p, b.n, id, d.bare, NULL);
    smi_buf_fini(&b);
    return rc;
}

static void detects_what_only_quotes_a_log(void **state)
{
    (void)state;
    assert_int_equal(quoted(100, 1, 0, ""), 0); /* it begins late */
    assert_int_equal(quoted(4, 0, 0, ""), 0);
    assert_int_equal(quoted(5, 0, 0, ""), 1);
    assert_int_equal(quoted(10, 3, 2, "Done\n"), 0); /* something is said at the end */
    assert_int_equal(quoted(10, 3, 3, "Done\n"), 1);
    assert_int_equal(quoted(1, 3, 3, "Done\n"), 0); /* half is the log's */
    assert_int_equal(quoted(2, 3, 3, "Done\n"), 1);
    assert_int_equal(quoted(1, 0, 500, "2026/07/03 22:10:46.109, 0\n"), 0); /* rows, all broken */
    assert_int_equal(quoted(1, 0, 500, "Failed to initialize NVML: Driver/library version mismatch\n"), 0);
}

/* The 200th line decides, the 201st does not; what is behind 64 KiB is not looked at. */
static void detects_within_its_window(void **state)
{
    struct smi_detect d;
    struct smi_buf b = {0};
    (void)state;
    for (int junk = 199; junk <= 200; junk++) {
        smi_buf_clear(&b);
        for (int i = 0; i < junk; i++)
            smi_buf_str(&b, "junk\n\n");
        smi_buf_str(&b, "timestamp, power.draw [W]\n");
        assert_int_equal(smi_detect(b.p, b.n, true, &d), junk == 199 ? SMI_FMT_QUERY : -1);
    }
    smi_buf_clear(&b);
    smi_buf_str(&b, "{\"ts\": \"x\", \"type\": \"event\", \"v\": \"");
    while (b.n < 65535)
        smi_buf_char(&b, 'x');
    assert_int_equal(smi_detect(b.p, b.n, false, &d), -1);
    smi_buf_str(&b, "x\"}\n");
    assert_int_equal(smi_detect(b.p, b.n, false, &d), SMI_FMT_RUNLOG);
    smi_buf_fini(&b);
}

static void knows_messages(void **state)
{
    static const char *const yes[] = {
        ("Unable to determine the device handle for GPU 0000:8C:00.0: GPU is lost.  Reboot the system to "
         "recover this GPU"),
        "Unable to determine the device handle for GPU0000:02:00.0: Unknown Error",
        "Failed to initialize NVML: Driver/library version mismatch",
        "Field \"x\" is not a valid field to query.",
        "Option -x is not recognized. Please run 'nvidia-smi -h'.",
        "NVIDIA-SMI couldn't find libnvidia-ml.so library in your system.",
        "'CTRL' + 'C' to stop watching output:",
        "Wed Feb 26 01:50:18 PM EST 2025",
        "Sun Dec  4 21:11:06 2022       ",
    };
    static const char *const no[] = {"Option 3", "Sunny day at 12:00", "--", "2020-06-09T09:00:01", "Sat", "",
                                     "0, 1"};
    (void)state;
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
        assert_true(smi_message_is_known(smi_text_of(yes[i])));
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        assert_false(smi_message_is_known(smi_text_of(no[i])));
    assert_true(smi_message_is_noise(smi_text_of("Warning: persistence mode is disabled")));
    assert_false(smi_message_is_noise(smi_text_of("No devices were found")));
    assert_int_equal(smi_format_find("dmon"), SMI_FMT_DMON);
    assert_int_equal(smi_format_find("nope"), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_any_cut),
        cmocka_unit_test(lines_at_the_cap),
        cmocka_unit_test(lines_counts),
        cmocka_unit_test(account_merge_is_whole),
        cmocka_unit_test(account_faults_are_kept_once),
        cmocka_unit_test(devices_by_key),
        cmocka_unit_test(keys_that_are_one),
        cmocka_unit_test(devices_limit),
        cmocka_unit_test(dmon_midnight),
        cmocka_unit_test(dmon_column_sets),
        cmocka_unit_test(dmon_odd_lines),
        cmocka_unit_test(dmon_mixed_times),
        cmocka_unit_test(cpu_rows),
        cmocka_unit_test(runlog_marks),
        cmocka_unit_test(runlog_last_key_wins),
        cmocka_unit_test(runlog_numbers),
        cmocka_unit_test(runlog_nan),
        cmocka_unit_test(runlog_rejects),
        cmocka_unit_test(runlog_lines_of_all_kinds),
        cmocka_unit_test(runlog_many_fields),
        cmocka_unit_test(detects_formats),
        cmocka_unit_test(detects_what_it_does_not_read),
        cmocka_unit_test(detects_no_log),
        cmocka_unit_test(detects_within_its_window),
        cmocka_unit_test(knows_messages),
        cmocka_unit_test(detects_what_only_quotes_a_log),
    };
    return cmocka_run_group_tests_name("format", tests, NULL, NULL);
}
