/* test_archive.c - bytes out of containers: the same in any pieces, and damage is never silent. */
#include "base/stream.h"
#include "base/digest.h"
#include "base/file.h"
#include "base/lazy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include <cmocka.h>

/* Bytes in memory, given at most `step` at a time. */
struct from {
    struct smi_byte_source pull;
    const char *p;
    size_t n, step;
};

static ssize_t give(struct smi_byte_source *self, void *buf, size_t n, struct smi_err *err)
{
    struct from *f = (struct from *)self;
    (void)err;
    n = n < f->step ? n : f->step;
    n = n < f->n ? n : f->n;
    memcpy(buf, f->p, n);
    f->p += n;
    f->n -= n;
    return (ssize_t)n;
}

static struct from from(const char *p, size_t n, size_t step)
{
    return (struct from){.pull = {.read = give}, .p = p, .n = n, .step = step};
}

/* All bytes of a stream, read `step` at a time; *doubt: it said that they are not all. Returns how many, or
 * -1. */
static ssize_t all(const char *p, size_t n, size_t step, char *out, size_t room, bool *doubt)
{
    struct from f = from(p, n, step);
    struct smi_err err = {0};
    struct smi_stream *s = smi_stream_open(&f.pull, &err);
    size_t done = 0;
    ssize_t got = s ? 1 : -1;
    while (s && done < room &&
           (got = smi_stream_read(s, out + done, step < room - done ? step : room - done, &err)) > 0)
        done += (size_t)got;
    *doubt = s && smi_stream_warning(s);
    smi_stream_close(s);
    return got < 0 ? -1 : (ssize_t)done;
}

static size_t gzipped(const char *p, size_t n, char *out, size_t room)
{
    z_stream z = {0};
    assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    z.next_in = (unsigned char *)(uintptr_t)p;
    z.avail_in = (unsigned)n;
    z.next_out = (unsigned char *)out;
    z.avail_out = (unsigned)room;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    n = room - z.avail_out;
    deflateEnd(&z);
    return n;
}

static void magic_needs_all_its_bytes(void **state)
{
    static const struct {
        const char *p;
        size_t n;
        enum smi_container is;
    } c[] = {
        {"\x1F\x8B\x08", 3, SMI_CONTAINER_GZIP},
        {"\x1F\x8B\x07", 3, SMI_CONTAINER_PLAIN}, /* no such method */
        {"\x1F\x8B", 2, SMI_CONTAINER_PLAIN},
        {"\x28\xB5\x2F\xFD", 4, SMI_CONTAINER_ZSTD},
        {"\x5A\x2A\x4D\x18", 4, SMI_CONTAINER_ZSTD},
        {"\x4F\x2A\x4D\x18", 4, SMI_CONTAINER_PLAIN},
        {"\xFD\x37zXZ\0", 6, SMI_CONTAINER_XZ},
        {"\xFD\x37zXZ\1", 6, SMI_CONTAINER_PLAIN},
        {"BZh91AY&SY", 10, SMI_CONTAINER_BZIP2},
        {"PK\3\4", 4, SMI_CONTAINER_ZIP},
        {"PK\5\6", 4, SMI_CONTAINER_ZIP},
        {"\xFF\xFE", 2, SMI_CONTAINER_UTF16LE},
        {"\xFE\xFF", 2, SMI_CONTAINER_UTF16BE},
        {"timestamp, index\n", 17, SMI_CONTAINER_PLAIN},
        {"", 0, SMI_CONTAINER_PLAIN},
    };
    char zeros[SMI_CONTAINER_MAGIC] = {0};
    (void)state;
    for (size_t i = 0; i < sizeof c / sizeof *c; i++)
        assert_int_equal(smi_container_detect(c[i].p, c[i].n), c[i].is);
    assert_int_equal(smi_container_detect(zeros, sizeof zeros), SMI_CONTAINER_PLAIN);
}

static void tar_is_told_by_its_mark(void **state)
{
    char h[SMI_CONTAINER_MAGIC] = "hw.csv";
    (void)state;
    assert_int_equal(smi_container_detect(h, sizeof h), SMI_CONTAINER_PLAIN);
    memcpy(h + 257, "ustar", 5);
    assert_int_equal(smi_container_detect(h, sizeof h), SMI_CONTAINER_TAR);
    assert_int_equal(smi_container_detect(h, 260), SMI_CONTAINER_PLAIN);
}

static void utf16_in_any_pieces(void **state)
{
    /* a, U+E9, U+20AC, U+1F600 as a pair; a lone high, a lone low, LF; half a unit */
    static const char le[] = "\xFF\xFE"
                             "a\0\xE9\0\xAC\x20\x3D\xD8\x00\xDE"
                             "\x3D\xD8x\0\x00\xDE\n\0\n";
    static const char be[] = "\xFE\xFF"
                             "\0a\0\xE9\x20\xAC\xD8\x3D\xDE\x00"
                             "\xD8\x3D\0x\xDE\x00\0\n\0";
    static const char want[] = "a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\xEF\xBF\xBDx\xEF\xBF\xBD\n\xEF\xBF\xBD";
    char out[64];
    bool doubt;
    (void)state;
    for (size_t step = 1; step < 9; step++) {
        assert_int_equal(all(le, sizeof le - 1, step, out, sizeof out, &doubt), sizeof want - 1);
        assert_memory_equal(out, want, sizeof want - 1);
        assert_int_equal(all(be, sizeof be - 1, step, out, sizeof out, &doubt), sizeof want - 1);
        assert_memory_equal(out, want, sizeof want - 1);
        assert_false(doubt);
    }
    assert_int_equal(all("\xFF\xFE\x3D\xD8", 4, 1, out, sizeof out, &doubt), 3); /* ends in half a pair */
    assert_memory_equal(out, "\xEF\xBF\xBD", 3);
    assert_int_equal(all("\xFF\xFE\xFF\xFE", 4, 1, out, sizeof out, &doubt),
                     3); /* the second mark is a character */
}

static char text[40000], packed[2 * 40000], out[3 * 40000];

static void make_text(void)
{
    unsigned v = 12345;
    for (size_t i = 0; i < sizeof text; i++) {
        v = v * 1103515245u + 12345u;
        text[i] = i % 61 == 60 ? '\n' : (char)('0' + (v >> 16) % 10);
    }
}

static void gzip_members_in_any_pieces(void **state)
{
    static const size_t steps[] = {1, 2, 7, 511, 512, 513, 100000};
    size_t n;
    bool doubt;
    (void)state;
    make_text();
    n = gzipped(text, 25000, packed, sizeof packed);
    n += gzipped(text + 25000, sizeof text - 25000, packed + n, sizeof packed - n);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        assert_int_equal(all(packed, n, steps[i], out, sizeof out, &doubt), sizeof text);
        assert_memory_equal(out, text, sizeof text);
        assert_false(doubt);
    }
}

/* Every cut but that between the members, and every changed byte but the header's that mean nothing to us. */
static void damage_is_never_silent(void **state)
{
    size_t first, n;
    bool doubt;
    ssize_t got;
    (void)state;
    make_text();
    first = gzipped(text, 900, packed, sizeof packed);
    n = first + gzipped(text + 900, 300, packed + first, sizeof packed - first);
    for (size_t cut = 3; cut < n; cut++) {
        got = all(packed, cut, 4096, out, sizeof out, &doubt);
        assert_int_equal(doubt, cut != first);
        assert_true(got >= 0 && got <= 1200);
        assert_memory_equal(out, text, (size_t)got);
    }
    for (size_t i = 3; i < n; i++) {
        bool idle = (i >= 4 && i < 10) || (i >= first + 4 && i < first + 10); /* time, level, system */
        packed[i] ^= 0x41;
        got = all(packed, n, 4096, out, sizeof out, &doubt);
        assert_true(idle || doubt || got < 0);
        packed[i] ^= 0x41;
    }
}

/* ---- digest ---- */

enum { LOG = 5 * SMI_DIGEST_BLOCK + 17 };

static struct smi_digest digest_of_piece(const char *p, size_t from, size_t to, size_t step)
{
    struct smi_digest d = smi_digest_init((int64_t)from);
    for (size_t at = from; at < to; at += step) {
        size_t n = step < to - at ? step : to - at;
        char *piece = malloc(n); /* to its last byte, for a sanitizer */
        assert_non_null(piece);
        memcpy(piece, p + at, n);
        smi_digest_add(&d, piece, n);
        free(piece);
    }
    return d;
}

static void any_cut_has_the_same_digest(void **unused)
{
    char log[LOG];
    (void)unused;
    for (size_t i = 0; i < LOG; i++)
        log[i] = (char)(i * 37 + i / 50);
    for (size_t n = 0; n <= LOG; n++) {
        uint64_t want = smi_digest_of(log, n);
        for (size_t step = 1; step <= 2 * SMI_DIGEST_BLOCK + 1; step += 9) {
            struct smi_digest d = digest_of_piece(log, 0, n, step);
            assert_true(smi_digest_value(&d) == want);
        }
        for (size_t a = 0; a <= n; a += 7)
            for (size_t b = a; b <= n; b += 1 + b % 11) {
                struct smi_digest d = digest_of_piece(log, 0, a, 64), e = digest_of_piece(log, a, b, 13),
                                  f = digest_of_piece(log, b, n, 64);
                smi_digest_join(&e, &f);
                smi_digest_join(&d, &e);
                assert_true(smi_digest_value(&d) == want);
            }
    }
}

/* A byte, a length, or the order of blocks that is another. */
static void other_bytes_have_another_digest(void **unused)
{
    char log[LOG] = {0}, other[LOG];
    uint64_t seen[LOG + 1];
    (void)unused;
    for (size_t n = 0; n <= LOG; n++) {
        seen[n] = smi_digest_of(log, n);
        for (size_t k = 0; k < n; k++)
            assert_true(seen[k] != seen[n]);
    }
    for (size_t i = 0; i < LOG; i++)
        for (int bit = 0; bit < 8; bit++) {
            memcpy(other, log, LOG);
            other[i] = (char)(1 << bit);
            assert_true(smi_digest_of(other, LOG) != seen[LOG]);
        }
    for (size_t i = 0; i < LOG; i++)
        log[i] = (char)(i / SMI_DIGEST_BLOCK);
    memcpy(other, log, LOG);
    memset(other, 1, SMI_DIGEST_BLOCK);
    memset(other + SMI_DIGEST_BLOCK, 0, SMI_DIGEST_BLOCK);
    assert_true(smi_digest_of(other, LOG) != smi_digest_of(log, LOG));
    /* the same on every machine, and in partials that are kept */
    assert_true(smi_digest_of("smilog", 6) == 0x59FF2E9B9693204Bu);
}

static void a_library_that_cannot_be_had_is_said(void **state)
{
    static struct {
        long (*labs)(long);
        int (*none)(void);
    } c;
    static const char *const names[] = {"labs", "smi_there_is_no_such_function"};
    const struct smi_library none = {"libnone", "libsmilog-none.so.1", names, 1};
    const struct smi_library libc = {"libc", "libc.so.6", names, 2}, whole = {"libc", "libc.so.6", names, 1};
    struct smi_err err = {0};
    (void)state;
    assert_int_equal(smi_library_load(&none, &c, &err), -1);
    assert_int_equal(err.code, SMI_EIO);
    assert_non_null(strstr(err.text, "libnone cannot be had: libsmilog-none.so.1"));
    err = (struct smi_err){0};
    assert_int_equal(smi_library_load(&libc, &c, &err), -1);
    assert_string_equal(err.text, "libc.so.6 has no function smi_there_is_no_such_function");
    err = (struct smi_err){0};
    assert_int_equal(smi_library_load(&whole, &c, &err), 0);
    assert_int_equal(c.labs(-3), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(magic_needs_all_its_bytes),
        cmocka_unit_test(tar_is_told_by_its_mark),
        cmocka_unit_test(utf16_in_any_pieces),
        cmocka_unit_test(gzip_members_in_any_pieces),
        cmocka_unit_test(damage_is_never_silent),
        cmocka_unit_test(any_cut_has_the_same_digest),
        cmocka_unit_test(other_bytes_have_another_digest),
        cmocka_unit_test(a_library_that_cannot_be_had_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
