/* archive.c - any bytes as a file that may be packed, or an archive, or both.
 *
 * Input: 1 byte that says how long pieces are, then the file. In pieces and at once it must unpack to the
 * same; an archive that is walked twice must show the same members, and no name may lead out of it. Of some
 * inputs, by their bytes, the unpacked text is also read as a log, or its two ends are kept. */
#include "fuzz.h"

#include "base/digest.h"
#include "base/file.h"
#include "base/stream.h"
#include "sweep/read_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

enum {
    MOST = 300000,
    HEAD = 1,
    BLOCK = 512,
    SUM = 148
}; /* MOST: bytes of a stream; small files may be bombs */

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);

struct from {
    struct smi_byte_source pull;
    const uint8_t *p;
    size_t n, step;
};

/* What a stream, or a walk, came to. */
struct told {
    uint64_t hash;
    int64_t n, last;
    bool cut; /* there was more than MOST */
    int rc;
    struct smi_err err;
};

static char buf[65536], all[MOST];
static int file = -1;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    file = memfd_create("fuzz", 0);
    if (file < 0)
        fuzz_stop("no file in memory");
    return 0;
}

static ssize_t give(struct smi_byte_source *self, void *to, size_t n, struct smi_err *err)
{
    struct from *f = (struct from *)self;
    (void)err;
    n = n < f->step ? n : f->step;
    n = n < f->n ? n : f->n;
    memcpy(to, f->p, n);
    f->p += n;
    f->n -= n;
    return (ssize_t)n;
}

static void mix(struct told *t, const void *p, size_t n)
{
    t->hash = (t->hash ^ fuzz_hash(p, n)) * 1099511628211u;
}

static void check_text(const char *s, size_t room)
{
    size_t n = strnlen(s, room), step;
    if (n == room)
        fuzz_stop("a sentence without an end");
    for (size_t i = 0; i < n; i += step) {
        step = smi_text_utf8(s + i, n - i);
        if (!step || (unsigned char)s[i] < ' ')
            fuzz_stop("a sentence that is not safe to print");
    }
}

static void drink(struct told *t, struct smi_stream *s, size_t step, struct smi_err *err)
{
    int64_t n = 0;
    ssize_t got = 1;
    while (n < MOST && (got = smi_stream_read(s, buf, step, err)) > 0) {
        size_t some = MOST - n < got ? (size_t)(MOST - n) : (size_t)got;
        memcpy(all + n, buf, some);
        n += (int64_t)some;
    }
    mix(t, all, (size_t)n);
    t->n += n;
    t->cut |= n == MOST;
    if (got < 0) {
        if (!err->code)
            fuzz_stop("a stream failed without a word");
        check_text(err->text, sizeof err->text);
        mix(t, err->text, strlen(err->text));
    }
    if (got == 0 && smi_stream_warning(s)) {
        check_text(smi_stream_warning(s), SMI_SOURCE_WARNING);
        mix(t, smi_stream_warning(s), strlen(smi_stream_warning(s)));
    }
}

/* *holds: what it is; -1: it could not be opened. */
static struct told stream(const uint8_t *p, size_t n, size_t step, int *holds)
{
    struct from f = {.pull = {.read = give}, .p = p, .n = n, .step = step};
    struct told t = {0};
    struct smi_stream *s = smi_stream_open(&f.pull, &t.err);
    *holds = s ? (int)smi_stream_content(s) : -1;
    if (s) {
        drink(&t, s, step < sizeof buf ? step : sizeof buf, &t.err);
        mix(&t, holds, sizeof *holds);
    } else if (!t.err.code)
        fuzz_stop("smi_stream_open failed without a word");
    t.rc = t.err.code ? -1 : 0;
    smi_stream_close(s);
    return t;
}

/* ---- archives ---- */

static bool leads_out(const char *path)
{
    size_t n = strlen(path);
    return !n || *path == '/' || strncmp(path, "../", 3) == 0 || strcmp(path, "..") == 0 ||
           strstr(path, "/../") || strstr(path, "//") || (n > 2 && strcmp(path + n - 3, "/..") == 0);
}

static int on_member(void *self, const struct smi_archive_member *m, struct smi_err *err)
{
    struct told *t = self;
    struct smi_err why = {0};
    (void)err;
    if (m->id <= t->last)
        fuzz_stop("ids do not grow");
    t->last = m->id;
    if ((m->kind == SMI_ARCHIVE_REFUSED) != (m->why != NULL) || (m->kind == SMI_ARCHIVE_FILE && !m->bytes))
        fuzz_stop("a member without what it has to have");
    if (m->kind != SMI_ARCHIVE_REFUSED && leads_out(m->path))
        fuzz_stop("a name that leads out");
    mix(t, m->path, strlen(m->path));
    mix(t, &m->kind, sizeof m->kind);
    if (m->kind == SMI_ARCHIVE_FILE)
        drink(t, m->bytes, 4096, &why);
    return t->n > 8 * MOST;
}

static struct told walk(void)
{
    struct told t = {0};
    struct smi_err doubt = {0};
    t.rc = smi_archive_walk(file, "fuzz", on_member, &t, &doubt, &t.err);
    if (t.rc)
        fuzz_stop("a walk failed");
    mix(&t, doubt.text, strlen(doubt.text));
    return t;
}

static bool same(const struct told *a, const struct told *b)
{
    return a->hash == b->hash && a->n == b->n && a->last == b->last && a->rc == b->rc &&
           a->err.code == b->err.code;
}

static void check_walk(uint64_t hash)
{
    struct told a = walk(), b;
    if (hash % 8 > 1)
        return;
    b = walk();
    if (!same(&a, &b))
        fuzz_stop("the same archive does not tell the same twice");
}

/* ---- logs ---- */

static int drop_rows(struct smi_sink *self, const struct smi_rows *r, struct smi_err *err)
{
    (void)self;
    (void)r;
    (void)err;
    return 0;
}

static int end(struct smi_sink *self, struct smi_err *err)
{
    (void)self;
    (void)err;
    return 0;
}

static struct told unpack(const uint8_t *p, size_t n, size_t step)
{
    struct from f = {.pull = {.read = give}, .p = p, .n = n, .step = step};
    struct told t = {0};
    struct smi_sink to = {.rows = drop_rows, .end = end};
    struct smi_account a = {0};
    struct smi_devices devices = {0};
    struct smi_ingest_opts o = {.format = SMI_FMT_CPU, .account = &a, .devices = &devices, .to = &to};
    struct smi_ingest *in = smi_ingest_open(&o);
    struct smi_stream *s = smi_read_open(&f.pull, &t.err);
    struct smi_digest digest = smi_digest_init(0);
    char piece[4096];
    ssize_t got = s ? 0 : -1;
    while (s && (got = smi_stream_read(s, piece, sizeof piece, &t.err)) > 0) {
        t.n += got;
        smi_digest_add(&digest, piece, (size_t)got);
        if (smi_ingest_feed(in, piece, (size_t)got, &t.err))
            break;
    }
    t.rc = got || smi_ingest_finish(in, &t.err) ? -1 : 0;
    t.last = a.lines;
    t.hash = smi_digest_value(&digest);
    if (!t.rc && smi_stream_warning(s))
        mix(&t, smi_stream_warning(s), strlen(smi_stream_warning(s)));
    smi_stream_close(s);
    smi_ingest_close(in);
    smi_account_fini(&a);
    smi_devices_fini(&devices);
    return t;
}

static void check_unpack(const uint8_t *p, size_t n, size_t step)
{
    struct told a = unpack(p, n, MOST), b = unpack(p, n, step);
    if (a.rc && !a.err.text[0])
        fuzz_stop("refused without a sentence");
    if (!same(&a, &b))
        fuzz_stop("the same bytes in other pieces tell something else");
}

static void write_file(const uint8_t *p, size_t n)
{
    if (ftruncate(file, 0) || pwrite(file, p, n, 0) != (ssize_t)n || lseek(file, 0, SEEK_SET))
        fuzz_stop("no file in memory");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint64_t hash = fuzz_hash(data, size), way = hash % 16;
    const uint8_t *p = data + HEAD;
    size_t n = size - HEAD, step;
    struct told a, b;
    int holds, again;
    bool archive;
    if (size <= HEAD)
        return 0;
    hash /= 16;
    step = 1 + data[0] % 97u * 5;
    a = stream(p, n, MOST, &holds);
    archive = holds == SMI_CONTAINER_TAR || holds == SMI_CONTAINER_ZIP;
    if (!archive || hash % 4 == 0) {
        b = stream(p, n, step, &again);
        if (!same(&a, &b) || holds != again)
            fuzz_stop("the same bytes in other pieces tell something else");
    }
    if (archive) {
        write_file(p, n);
        check_walk(hash / 4);
    }
    if (way == 0 && !a.cut)
        check_unpack(p, n, step);
    if (way == 1 && !a.cut) {
        write_file(p, n);
        if (smi_read_is_encoded(file) !=
            (smi_container_detect((const char *)p, n < SMI_CONTAINER_MAGIC ? n : SMI_CONTAINER_MAGIC) !=
             SMI_CONTAINER_PLAIN))
            fuzz_stop("smi_read_is_encoded says something else than smi_container_detect");
    }
    return 0;
}

/* A tar's header whose checksum is wrong is the end of it: all of them are made right. */
static void mend_sums(uint8_t *p, size_t n)
{
    for (; n >= BLOCK; p += BLOCK, n -= BLOCK) {
        unsigned sum = 8 * ' ';
        if (memcmp(p + 257, "ustar", 5) != 0)
            continue;
        for (size_t i = 0; i < BLOCK; i++)
            sum += i >= SUM && i < SUM + 8 ? 0u : p[i];
        snprintf((char *)p + SUM, 8, "%06o", sum);
        p[SUM + 7] = ' ';
    }
}

/* One block of a tar takes another's place, or comes again behind itself. */
static size_t move_blocks(uint8_t *p, size_t n, size_t room, unsigned seed)
{
    size_t blocks = n / BLOCK, from = seed % blocks * BLOCK, to = seed / 97 % blocks * BLOCK;
    if (seed & 1 || n + BLOCK > room) {
        memmove(p + to, p + from, BLOCK);
        return n;
    }
    memmove(p + from + BLOCK, p + from, n - from);
    return n + BLOCK;
}

/* A record of W&B whose checksum is wrong is passed over: lengths and checksums of all are made right. */
static void mend_records(uint8_t *p, size_t n)
{
    enum { LOG = 7, RECORD = 7 };
    for (size_t i = LOG, length; i + RECORD <= n; i += RECORD + length) {
        uLong crc;
        length = p[i + 4] | (size_t)p[i + 5] << 8;
        length = length < n - i - RECORD ? length : n - i - RECORD;
        p[i + 4] = (uint8_t)length;
        p[i + 5] = (uint8_t)(length >> 8);
        crc = crc32(0, p + i + 6, (uInt)length + 1); /* of the type, too */
        for (int k = 0; k < 4; k++)
            p[i + k] = (uint8_t)(crc >> 8 * k);
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
    bool tar = size >= HEAD + BLOCK && memcmp(data + HEAD + 257, "ustar", 5) == 0;
    if (!tar) {
        size = LLVMFuzzerMutate(data, size, max);
        if (size > HEAD + 4 && memcmp(data + HEAD, ":W&B", 4) == 0 && seed % 16 != 1)
            mend_records(data + HEAD, size - HEAD);
        return size;
    }
    if (seed % 16 == 0)
        size = HEAD + move_blocks(data + HEAD, size - HEAD, max - HEAD, seed / 16);
    else
        size = LLVMFuzzerMutate(data, size, max);
    if (seed % 16 != 1)
        mend_sums(data + HEAD, size - HEAD);
    return size;
}
