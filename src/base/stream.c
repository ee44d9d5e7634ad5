/* stream.c - the bytes of a log: where they come from, what they are packed in, and their characters */
#include "base/stream.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"

#include <bzlib.h>
#include <lzma.h>
#include <stdio.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

static ssize_t read_fd(struct smi_byte_source *self, void *buf, size_t n, struct smi_err *err)
{
    struct smi_fd_source *f = (struct smi_fd_source *)self;
    return smi_file_read_at(f->fd, buf, n, -1, f->name, err);
}

struct smi_fd_source smi_fd_source_make(int fd, const char *name)
{
    return (struct smi_fd_source){.pull = {.read = read_fd}, .fd = fd, .name = name};
}

static ssize_t read_made(struct smi_byte_source *self, void *buf, size_t n, struct smi_err *err)
{
    struct smi_made_source *m = (struct smi_made_source *)self;
    const bool direct = !m->fill && m->at == m->n;
    const ssize_t got = direct ? m->from->read(m->from, buf, n, err) : 0;
    size_t done = got > 0 ? (size_t)got : 0, some = 0;
    if (got < 0)
        return -1;
    do {
        if (m->at == m->n && m->fill) {
            m->at = m->n = 0;
            if (m->fill(m, err))
                return -1;
        }
        some = m->n - m->at < n - done ? m->n - m->at : n - done;
        if (some)
            memcpy((char *)buf + done, m->p + m->at, some);
        m->at += some;
        done += some;
    } while (some && done < n && m->small);
    if (!done && !*self->doubt)
        memcpy(self->doubt, m->from->doubt, sizeof self->doubt);
    return (ssize_t)done;
}

void smi_made_source_open(struct smi_made_source *m, struct smi_byte_source *from, bool small,
                          int (*fill)(struct smi_made_source *self, struct smi_err *err))
{
    *m = (struct smi_made_source){.pull = {.read = read_made}, .from = from, .fill = fill, .small = small};
}

/* Reads behind the *n bytes of a buffer until it holds `least`, or its source ends. Returns whether that was
 * seen, or -1 with err. */
static int fill_buffer(struct smi_byte_source *from, void *buf, size_t *n, size_t least, size_t room,
                       struct smi_err *err)
{
    ssize_t got = 1;
    while (*n < least && got > 0) {
        got = from->read(from, (char *)buf + *n, room - *n, err);
        *n += got > 0 ? (size_t)got : 0;
    }
    return got < 0 ? -1 : got == 0;
}

/* What a decoder has of its source: bytes at..n are not decoded yet. */
struct input {
    size_t n, at;
    bool ended; /* there are no more behind them */
};

/* Moves what is left of `in` to its begin and reads behind it, until there are `least` bytes or the source
 * ends. Returns 0, or -1 with err. */
static int refill(struct input *in, struct smi_byte_source *from, void *buf, size_t least, size_t room,
                  struct smi_err *err)
{
    int ends = 1;
    in->n -= in->at;
    memmove(buf, (char *)buf + in->at, in->n);
    in->at = 0;
    if (!in->ended)
        ends = fill_buffer(from, buf, &in->n, least, room, err);
    in->ended = ends > 0;
    return ends < 0 ? -1 : 0;
}

/* A source whose first bytes are looked at before they are read. */
struct peek_source {
    struct smi_made_source made;
    char p[SMI_CONTAINER_MAGIC];
};

/* Looks at the first bytes of `from`. Returns what they begin, or -1 with err. */
static int open_peek_source(struct peek_source *a, struct smi_byte_source *from, struct smi_err *err)
{
    smi_made_source_open(&a->made, from, false, NULL);
    a->made.p = a->p;
    if (fill_buffer(from, a->p, &a->made.n, sizeof a->p, sizeof a->p, err) < 0)
        return -1;
    return (int)smi_container_detect(a->p, a->made.n);
}

static const struct {
    const char *bytes;
    size_t n;
    enum smi_container is;
    const char *name;
} magics[] = {
    {"\x1F\x8B\x08", 3, SMI_CONTAINER_GZIP, "gzip"},
    {"\x28\xB5\x2F\xFD", 4, SMI_CONTAINER_ZSTD, "zstd"},
    {"\3757zXZ", 6, SMI_CONTAINER_XZ, "xz"},
    {"BZh", 3, SMI_CONTAINER_BZIP2, "bzip2"},
    {"PK\x03\x04", 4, SMI_CONTAINER_ZIP, "zip"},
    {"PK\x05\x06", 4, SMI_CONTAINER_ZIP, "zip"}, /* empty */
    {"\xFF\xFE", 2, SMI_CONTAINER_UTF16LE, "UTF-16"},
    {"\xFE\xFF", 2, SMI_CONTAINER_UTF16BE, "UTF-16"},
    {SMI_WANDB_MAGIC, sizeof SMI_WANDB_MAGIC - 1, SMI_CONTAINER_WANDB, "W&B"},
};

enum smi_container smi_container_detect(const char *p, size_t n)
{
    enum { TAR_MARK = 257 };
    for (size_t i = 0; i < sizeof magics / sizeof *magics; i++)
        if (n >= magics[i].n && memcmp(p, magics[i].bytes, magics[i].n) == 0)
            return magics[i].is;
    /* A frame to be passed over stands in front of what pzstd and others write: 50 2A 4D 18 to 5F 2A 4D 18.
     */
    if (n >= 4 && ((unsigned char)p[0] & 0xF0) == 0x50 && memcmp(p + 1, "\x2A\x4D\x18", 3) == 0)
        return SMI_CONTAINER_ZSTD;
    return n > TAR_MARK + 5 && memcmp(p + TAR_MARK, "ustar", 5) == 0 ? SMI_CONTAINER_TAR
                                                                     : SMI_CONTAINER_PLAIN;
}

bool smi_container_is_archive(enum smi_container c)
{
    return c == SMI_CONTAINER_TAR || c == SMI_CONTAINER_ZIP;
}

const char *smi_container_name(enum smi_container c)
{
    for (size_t i = 0; i < sizeof magics / sizeof *magics; i++)
        if (magics[i].is == c)
            return magics[i].name;
    return c == SMI_CONTAINER_TAR ? "tar" : "plain";
}

/* one loop over four libraries, which differ in names only. libarchive has them too, but does
 * not test the checksum of gzip data and sets no limit to the memory of xz. */

/* BEGIN: of the first buffer, as most streams are opened to look at their beginning; MARK: bytes that tell
 * the next member from something else. */
enum { IN = 131072, BEGIN = 8192, OUT = 131072, MARK = 10 };

enum step { GOES_ON, MEMBER_ENDS, DAMAGED, TOO_BIG, NO_MEMORY };

struct decoder {
    struct smi_made_source made;
    enum smi_container kind;
    union {
        z_stream gz;
        lzma_stream xz;
        bz_stream bz;
        ZSTD_DStream *zst;
    } u;
    char *in;
    struct input have; /* in `in` */
    /* Decoded here and not where the caller wants it, and from full buffers: how far a library gets into
     * damaged data depends on the room that it has, and must not depend on who reads in which pieces. */
    char *out;
    bool inside; /* a member */
    bool open;   /* the codec has memory */
    bool over;
    int64_t took, gave;
};

/* One call of a library whose stream x has these members, as three of them do. */
#define STEP(x, call)                                  \
    (x).next_in = (void *)(d->in + d->have.at);        \
    (x).avail_in = (unsigned)(d->have.n - d->have.at); \
    (x).next_out = (void *)out;                        \
    (x).avail_out = n;                                 \
    rc = call;                                         \
    *made = n - (x).avail_out;                         \
    d->have.at = d->have.n - (x).avail_in

/* Decodes what is in `in` into n bytes at out; *made: how many bytes. */
static enum step gz_step(struct decoder *d, char *out, unsigned n, size_t *made)
{
    int rc;
    STEP(d->u.gz, inflate(&d->u.gz, Z_NO_FLUSH));
    return rc == Z_STREAM_END                ? MEMBER_ENDS
           : rc == Z_OK || rc == Z_BUF_ERROR ? GOES_ON
           : rc == Z_MEM_ERROR               ? NO_MEMORY
                                             : DAMAGED;
}

static enum step xz_step(struct decoder *d, char *out, unsigned n, size_t *made)
{
    lzma_ret rc;
    STEP(d->u.xz, lzma_code(&d->u.xz, LZMA_RUN));
    return rc == LZMA_STREAM_END                   ? MEMBER_ENDS
           : rc == LZMA_OK || rc == LZMA_BUF_ERROR ? GOES_ON
           : rc == LZMA_MEM_ERROR                  ? NO_MEMORY
           : rc == LZMA_MEMLIMIT_ERROR             ? TOO_BIG
                                                   : DAMAGED;
}

static enum step bz_step(struct decoder *d, char *out, unsigned n, size_t *made)
{
    int rc;
    STEP(d->u.bz, BZ2_bzDecompress(&d->u.bz));
    return rc == BZ_STREAM_END  ? MEMBER_ENDS
           : rc == BZ_OK        ? GOES_ON
           : rc == BZ_MEM_ERROR ? NO_MEMORY
                                : DAMAGED;
}

/* It refuses windows above 128 MiB by itself. */
static enum step zst_step(struct decoder *d, char *out, unsigned n, size_t *made)
{
    ZSTD_inBuffer in = {d->in + d->have.at, d->have.n - d->have.at, 0};
    ZSTD_outBuffer to = {out, n, 0};
    size_t rc = ZSTD_decompressStream(d->u.zst, &to, &in);
    ZSTD_ErrorCode why = ZSTD_getErrorCode(rc);
    *made = to.pos;
    d->have.at += in.pos;
    if (!ZSTD_isError(rc))
        return rc ? GOES_ON : MEMBER_ENDS;
    return why == ZSTD_error_frameParameter_windowTooLarge ? TOO_BIG
           : why == ZSTD_error_memory_allocation           ? NO_MEMORY
                                                           : DAMAGED;
}

static enum step (*const steps[])(struct decoder *d, char *out, unsigned n, size_t *made) = {
    [SMI_CONTAINER_GZIP] = gz_step,
    [SMI_CONTAINER_ZSTD] = zst_step,
    [SMI_CONTAINER_XZ] = xz_step,
    [SMI_CONTAINER_BZIP2] = bz_step,
};

/* Before each member. */
static void begin_codec(struct decoder *d)
{
    bool good;
    switch (d->kind) {
    case SMI_CONTAINER_GZIP: /* a window of 32 KiB, gzip's header */
        good = (d->open ? inflateReset(&d->u.gz) : inflateInit2(&d->u.gz, 15 + 16)) == Z_OK;
        break;
    case SMI_CONTAINER_XZ:
        good = lzma_stream_decoder(&d->u.xz, SMI_WINDOW_MAX, 0) == LZMA_OK;
        break;
    case SMI_CONTAINER_BZIP2:
        if (d->open)
            BZ2_bzDecompressEnd(&d->u.bz);
        memset(&d->u.bz, 0, sizeof d->u.bz);
        good = BZ2_bzDecompressInit(&d->u.bz, 0, 0) == BZ_OK;
        break;
    default:
        d->u.zst = d->open ? d->u.zst : ZSTD_createDStream();
        good = d->u.zst && !ZSTD_isError(ZSTD_initDStream(d->u.zst));
    }
    if (!good)
        smi_mem_exhausted();
    d->open = d->inside = true;
}

static void end_codec(struct decoder *d)
{
    if (!d->open)
        return;
    if (d->kind == SMI_CONTAINER_GZIP)
        inflateEnd(&d->u.gz);
    else if (d->kind == SMI_CONTAINER_XZ)
        lzma_end(&d->u.xz);
    else if (d->kind == SMI_CONTAINER_BZIP2)
        BZ2_bzDecompressEnd(&d->u.bz);
    else
        ZSTD_freeDStream(d->u.zst);
}

/* ---- the loop ---- */

/* Makes `in` full, unless the source ends. Returns 0, or -1 with err. */
static int fill_input(struct decoder *d, struct smi_err *err)
{
    const size_t left = d->have.n - d->have.at;
    const int rc = refill(&d->have, d->made.from, d->in, IN, IN, err);
    d->took += (int64_t)(d->have.n - left);
    return rc;
}

/* The end, before its time: "its gzip data <what>". */
static void set_warning(struct decoder *d, const char *what)
{
    const char *why = d->made.from->doubt;
    char used[64] = "";
    d->over = true;
    if (d->gave)
        snprintf(used, sizeof used, ": what came before (%lld bytes) is used", (long long)d->gave);
    if (*why)
        memcpy(d->made.pull.doubt, why, sizeof d->made.pull.doubt);
    else
        snprintf(d->made.pull.doubt, sizeof d->made.pull.doubt, "its %s data %s%s",
                 smi_container_name(d->kind), what, used);
}

/* Between members: the next one begins, or this is the end. Returns 0, or -1 with err. */
static int next_member(struct decoder *d, struct smi_err *err)
{
    bool first = !d->open;
    if (d->have.at == d->have.n && fill_input(d, err))
        return -1;
    while (!first && d->have.at < d->have.n && !d->in[d->have.at]) /* padding */
        if (++d->have.at == d->have.n && fill_input(d, err))
            return -1;
    if (d->have.n - d->have.at < MARK && fill_input(d, err))
        return -1;
    if (d->have.at == d->have.n) {
        d->over = true;
        if (*d->made.from->doubt)
            set_warning(d, "");
        return 0;
    }
    if (smi_container_detect(d->in + d->have.at, d->have.n - d->have.at) != d->kind) {
        set_warning(d, "is followed by other bytes");
        return 0;
    }
    begin_codec(d);
    return 0;
}

int smi_expansion_check(int64_t took, int64_t gave, const char *what, struct smi_err *err)
{
    if (gave > SMI_EXPANDED_MAX)
        return smi_err_set(err, SMI_ELIMIT, "expands to more than 1 TiB of bytes: not read");
    if (gave > SMI_RATIO_FROM && gave / SMI_RATIO_MAX > took)
        return smi_err_set(err, SMI_ELIMIT,
                           "%lld bytes of %s data expand to more than %lld MiB (%lld : 1; the limit is %d : "
                           "1 above 1 GiB): not "
                           "read",
                           (long long)took, what, (long long)(gave >> 20),
                           (long long)(gave / (took > 0 ? took : 1)), (int)SMI_RATIO_MAX);
    return 0;
}

static const char damaged[] = "is damaged";

/* The library wants more than there is. Returns 0, or -1 with err. */
static int feed_decoder(struct decoder *d, struct smi_err *err)
{
    size_t left = d->have.n - d->have.at;
    if (left == IN) {
        set_warning(d, damaged);
        return 0;
    }
    if (fill_input(d, err))
        return -1;
    if (d->have.n == left)
        set_warning(d, "ends early");
    return 0;
}

/* One call of the library. Returns bytes made, or -1 with err. */
static ssize_t run_decoder(struct decoder *d, char *out, size_t n, struct smi_err *err)
{
    size_t at = d->have.at, made = 0;
    enum step s = steps[d->kind](d, out, (unsigned)n, &made);
    d->gave += (int64_t)made;
    d->inside = s == GOES_ON;
    if (s == NO_MEMORY)
        smi_mem_exhausted();
    if (s == TOO_BIG)
        return smi_err_set(err, SMI_ELIMIT,
                           "its %s data needs more than 128 MiB of memory to unpack: not read",
                           smi_container_name(d->kind));
    if (s == DAMAGED)
        set_warning(d, damaged);
    else if (s == GOES_ON && !made && d->have.at == at && feed_decoder(d, err))
        return -1;
    return smi_expansion_check(d->took, d->gave, smi_container_name(d->kind), err) ? -1 : (ssize_t)made;
}

/* A buffer of decoded bytes; fewer at the end. */
static int decode_buffer(struct smi_made_source *self, struct smi_err *err)
{
    struct decoder *d = (struct decoder *)self;
    ssize_t made;
    self->p = d->out;
    for (const size_t room = d->gave ? OUT : BEGIN; self->n < room && !d->over;) {
        if (!d->inside && next_member(d, err))
            return -1;
        if (d->over)
            break;
        made = run_decoder(d, d->out + self->n, room - self->n, err);
        if (made < 0)
            return -1;
        self->n += (size_t)made;
    }
    return 0;
}

/* UTF-16 text to UTF-8. Half a pair, and half a unit at the end, become U+FFFD: as in the Encoding Standard's
 * UTF-16 decoder. */
struct utf16 {
    struct smi_made_source made; /* its UTF-8, without the byte order mark */
    bool big;                    /* the high byte comes first */
    bool begun;                  /* the byte order mark is behind us */
    bool inside;                 /* a line */
    bool bytes;    /* which is none of UTF-16: cmd appends such lines to what PowerShell wrote */
    uint32_t high; /* the first half of a pair whose second has not come yet; or 0 */
    unsigned char in[4096];
    struct input have; /* in `in` */
    char out[4096];
};

enum { ODD = 0xFFFD, BOM = 0xFEFF, UNIT = 8 /* bytes that one may become */ };

/* One unit becomes up to two characters at `to`. */
static size_t decode_unit(struct utf16 *u, uint32_t c, char *to)
{
    size_t n = 0;
    bool low = c >= 0xDC00 && c < 0xE000;
    if (u->high && low) {
        c = 0x10000 + ((u->high - 0xD800) << 10) + (c - 0xDC00);
        low = false;
    } else if (u->high) {
        n = smi_text_write_utf8(to, ODD);
    }
    u->high = 0;
    if (c >= 0xD800 && c < 0xDC00)
        u->high = c;
    else if (u->begun || c != BOM)
        n += smi_text_write_utf8(to + n, low ? ODD : c);
    u->begun = true;
    return n;
}

/* Are these bytes text of a code page, or UTF-8? Of UTF-16 without a NUL a quarter or more would not be
 * ASCII. */
static bool is_byte_text(const char *p, size_t n)
{
    size_t others = 0;
    for (size_t i = 0; i < n; i++) {
        others += (unsigned char)p[i] >= 0x80;
        if ((unsigned char)p[i] < ' ' && !memchr("\t\r\n\x1B", p[i], 4))
            return false;
    }
    return others * 8 <= n || smi_text_is_utf8((struct smi_text){p, n});
}

/* Looks at the line that begins, as far as in[] has room: text without NUL bytes, also behind its end, is not
 * UTF-16. A few such bytes may be letters of UTF-16 with a 0A among them, up to one that is ASCII: half of it
 * is a NUL where the lines of UTF-16 have theirs. Returns 0, or -1 with err. */
static int begin_utf16_line(struct utf16 *u, struct smi_err *err)
{
    enum { FEW = 16 };
    const char *p, *lf, *nul;
    size_t n;
    if (u->have.n - u->have.at < sizeof u->in / 2 && !u->have.ended &&
        refill(&u->have, u->made.from, u->in, sizeof u->in, sizeof u->in, err))
        return -1;
    p = (const char *)u->in + u->have.at;
    n = u->have.n - u->have.at;
    lf = memchr(p, '\n', n);
    n = lf ? (size_t)(lf - p) + 1 : n;
    u->inside = true;
    u->bytes = u->begun && u->have.n - u->have.at > 1 &&
               !memchr(p, 0, n + (!u->big && lf && u->have.at + n < u->have.n)) && is_byte_text(p, n);
    if (u->bytes && n < FEW && *p != '\r' && (nul = memchr(p, 0, u->have.n - u->have.at)) &&
        (nul - p) % 2 == !u->big)
        u->bytes = false;
    return 0;
}

/* What one more unit, or the end, gives at `to`. Returns how many bytes, or -1 with err. */
static ssize_t decode_next(struct utf16 *u, char *to, struct smi_err *err)
{
    const unsigned char *p;
    size_t n = 0;
    uint32_t c;
    if (u->have.n - u->have.at < 2 && refill(&u->have, u->made.from, u->in, 2, sizeof u->in, err))
        return -1;
    if (!u->inside && begin_utf16_line(u, err))
        return -1;
    p = u->in + u->have.at;
    if (u->bytes && u->have.at < u->have.n) {
        u->have.at++;
        u->inside = *p != '\n';
        *to = (char)*p;
        return 1;
    }
    if (u->have.n - u->have.at >= 2) {
        u->have.at += 2;
        c = u->big ? (uint32_t)p[0] << 8 | p[1] : (uint32_t)p[1] << 8 | p[0];
        u->inside = c != '\n';
        return (ssize_t)decode_unit(u, c, to);
    }
    if (u->high || u->have.at < u->have.n)
        n = smi_text_write_utf8(to, ODD);
    u->high = 0;
    u->have.at = u->have.n;
    return (ssize_t)n;
}

static int fill_utf8(struct smi_made_source *self, struct smi_err *err)
{
    struct utf16 *u = (struct utf16 *)self;
    ssize_t got;
    self->p = u->out;
    while (self->n + UNIT <= sizeof u->out) {
        got = decode_next(u, u->out + self->n, err);
        if (got < 0)
            return -1;
        self->n += (size_t)got;
        if (!got && u->have.ended && u->have.at == u->have.n && !u->high)
            break;
    }
    return 0;
}

/* ---- a run of Weights & Biases ---- */

/* The file is a log of LevelDB: after 7 bytes, blocks of 32 KiB of records, each with a header of 7 bytes
 * (CRC-32 of type and payload, length, type); no record begins in the last 6 bytes of a block. A payload is a
 * Record of wandb_internal.proto in wire format (protobuf.dev/programming-guides/encoding). */
enum {
    WANDB_BLOCK = 32768,
    HEADER = 7,
    RECORD_MAX = 1 << 20, /* a longer one is of files or tables: no sample is so long */
    VALUE_MAX = 4096,
    CONFIG_MAX = 1 << 16 /* bytes of a line's data */
};
enum { FULL = 1, FIRST, MIDDLE, LAST };
/* Numbers of the fields that are read. */
enum { RECORD_HISTORY = 2, RECORD_STATS = 7, RECORD_RUN = 17, RECORD_EXIT = 18, RECORD_ENVIRONMENT = 26 };
enum { ITEM_KEY = 1, ITEM_NESTED_KEY = 2, ITEM_VALUE = 16 };

struct wandb {
    struct smi_made_source made; /* a line, or the lines, of a record at a time */
    char block[WANDB_BLOCK];
    struct input have;     /* in block */
    struct smi_buf record; /* the parts of one so far */
    bool open, large;
    struct smi_buf line;       /* what was made of the last record, */
    struct smi_json json;      /* and how it is written */
    bool events;               /* samples are left out */
    int64_t start_us, last_us; /* of the run; the latest time that was seen */
    int64_t gpus;
};

/* ---- protobuf ---- */

struct proto_field {
    uint64_t number, value; /* of a varint */
    struct smi_text bytes;  /* of a length-delimited field */
};

static bool read_varint(struct smi_text *t, uint64_t *v)
{
    *v = 0;
    for (unsigned shift = 0; shift < 64 && t->n; shift += 7) {
        unsigned char c = (unsigned char)*t->p++;
        t->n--;
        *v |= (uint64_t)(c & 127) << shift;
        if (c < 128)
            return true;
    }
    return false;
}

/* Takes the next field off t. false: there is none, and t is empty if all is well. */
static bool next_proto_field(struct smi_text *t, struct proto_field *f)
{
    uint64_t key, n;
    *f = (struct proto_field){0};
    if (!t->n || !read_varint(t, &key))
        return false;
    f->number = key >> 3;
    if ((key & 7) == 0)
        return read_varint(t, &f->value);
    n = (key & 7) == 1 ? 8 : 4;
    if ((key & 7) == 2 ? !read_varint(t, &n) : (key & 7) != 1 && (key & 7) != 5)
        return false;
    if (n > t->n) {
        t->n = t->n ? t->n : 1; /* not the end that was meant */
        return false;
    }
    f->bytes = (struct smi_text){t->p, (size_t)n};
    *t = (struct smi_text){t->p + n, t->n - (size_t)n};
    return true;
}

/* The last field of this number in a message; 0 if there is none. */
static struct proto_field find_proto_field(struct smi_text t, uint64_t number)
{
    struct proto_field f, found = {0};
    while (next_proto_field(&t, &f))
        if (f.number == number)
            found = f;
    return found;
}

/* google.protobuf.Timestamp */
static int64_t timestamp_us(struct smi_text t)
{
    const uint64_t s = find_proto_field(t, 1).value, ns = find_proto_field(t, 2).value;
    return (s < (uint64_t)1 << 40 ? (int64_t)s * 1000000 : 0) + (ns < 1000000000 ? (int64_t)ns / 1000 : 0);
}

/* ---- lines ---- */

static void begin_line(struct wandb *w, const char *kind)
{
    smi_json_begin(&w->json, &w->line);
    smi_json_open(&w->json, '{');
    smi_json_key_str(&w->json, "wandb", kind);
}

static void end_line(struct wandb *w)
{
    while (w->json.depth)
        smi_json_close(&w->json, '}');
    smi_buf_char(&w->line, '\n');
}

static void bare_line(struct wandb *w, const char *kind)
{
    begin_line(w, kind);
    end_line(w);
}

/* The line at hand is an event, and what comes its data. */
static void write_event(struct wandb *w, const char *event, int64_t t_us)
{
    char time[32];
    time[smi_clock_write(time, t_us / 1000, true)] = 0;
    smi_json_key_str(&w->json, "event", event);
    smi_json_key_str(&w->json, "time", time);
    smi_json_key_open(&w->json, "data", '{');
    w->last_us = t_us > w->last_us ? t_us : w->last_us;
}

/* A value that may stand in a line as it is: JSON of one line, neither a list nor an object. */
static bool is_flat_json(struct smi_text t)
{
    bool flat = t.n && t.n <= VALUE_MAX && smi_text_is_bare(t);
    if (!flat && t.n && t.n <= VALUE_MAX && *t.p == '"') {
        json_t *v = json_loadb(t.p, t.n, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
        flat = json_is_string(v);
        json_decref(v);
    }
    return flat;
}

/* The key (or nested keys, with dots between) and the value of an item. */
static bool read_item(struct smi_text t, struct smi_text *key, struct smi_text *value, char *room,
                      size_t size)
{
    struct proto_field f;
    size_t n = 0;
    *key = *value = (struct smi_text){0};
    while (next_proto_field(&t, &f)) {
        if (f.number == ITEM_KEY && f.bytes.n) {
            *key = f.bytes;
        } else if (f.number == ITEM_NESTED_KEY && f.bytes.n && n + f.bytes.n + 1 < size) {
            if (n)
                room[n++] = '.';
            memcpy(room + n, f.bytes.p, f.bytes.n);
            n += f.bytes.n;
        } else if (f.number == ITEM_VALUE) {
            *value = f.bytes;
        }
    }
    if (!key->n)
        *key = (struct smi_text){room, n};
    return key->n && is_flat_json(*value);
}

/* The items (field `number`) of a message into the object that is open. */
static void put_items(struct wandb *w, struct smi_text t, unsigned number)
{
    struct proto_field f;
    struct smi_text key, value;
    char room[256];
    while (next_proto_field(&t, &f)) {
        if (f.number != number || w->line.n > CONFIG_MAX ||
            !read_item(f.bytes, &key, &value, room, sizeof room))
            continue;
        smi_json_key_text(&w->json, key);
        smi_buf_add(&w->line, value.p, value.n);
        w->json.keyed = false;
    }
}

/* A text, if it is there. */
static void put_text(struct wandb *w, const char *key, struct smi_text t)
{
    if (!t.n)
        return;
    smi_json_key(&w->json, key);
    smi_json_text(&w->json, t);
}

static void write_stats(struct wandb *w, struct smi_text t)
{
    const int64_t t_us = timestamp_us(find_proto_field(t, 2).bytes);
    smi_json_key_micro(&w->json, smi_text_of("time"), t_us);
    if (!w->events)
        put_items(w, t, 3);
    w->last_us = t_us > w->last_us ? t_us : w->last_us;
}

static void write_run(struct wandb *w, struct smi_text t)
{
    const struct proto_field start = find_proto_field(t, 17);
    w->start_us = start.number ? timestamp_us(start.bytes) : w->start_us;
    write_event(w, "start", w->start_us);
    put_text(w, "host", find_proto_field(t, 13).bytes);
    put_text(w, "display_name", find_proto_field(t, 8).bytes);
    put_items(w, find_proto_field(t, 4).bytes, 1);
}

/* The time of a history record is one of its items, in seconds. */
static void write_history(struct wandb *w, struct smi_text t)
{
    struct smi_text rest = t, key, value;
    struct proto_field f;
    char room[256];
    int64_t t_us = w->last_us, micro;
    while (next_proto_field(&rest, &f))
        if (f.number == 1 && read_item(f.bytes, &key, &value, room, sizeof room) &&
            smi_text_is(key, "_timestamp") && smi_json_text_number(value, &micro) && micro >= 0)
            t_us = micro;
    write_event(w, "step", t_us);
    put_items(w, t, 1);
}

static void write_exit(struct wandb *w, struct smi_text t)
{
    const uint64_t seconds = find_proto_field(t, 2).value;
    const int64_t end_us = w->start_us + (seconds < (uint64_t)1 << 32 ? (int64_t)seconds * 1000000 : 0);
    write_event(w, "stop", end_us > w->last_us ? end_us : w->last_us);
    smi_json_key_int(&w->json, "exit_status", (int32_t)find_proto_field(t, 1).value);
}

/* A line for each GPU of the machine: they stand in the order of their indices. */
static void write_environment(struct wandb *w, struct smi_text t)
{
    struct proto_field f, of;
    for (w->gpus = 0; next_proto_field(&t, &f);) {
        if (f.number != 24)
            continue;
        end_line(w);
        begin_line(w, "gpu");
        smi_json_key_int(&w->json, "index", w->gpus++);
        while (next_proto_field(&f.bytes, &of)) {
            if (of.number == 1 || of.number == 5)
                put_text(w, of.number == 1 ? "name" : "uuid", of.bytes);
            else if (of.number == 2 && of.value < INT64_MAX)
                smi_json_key_int(&w->json, "memory", (int64_t)of.value);
        }
    }
}

static void write_record(struct wandb *w, struct smi_text t)
{
    static const struct {
        uint64_t number;
        const char *kind;
        void (*write)(struct wandb *w, struct smi_text t);
    } kinds[] = {{RECORD_STATS, "stats", write_stats},
                 {RECORD_HISTORY, "history", write_history},
                 {RECORD_RUN, "run", write_run},
                 {RECORD_EXIT, "exit", write_exit},
                 {RECORD_ENVIRONMENT, "other", write_environment}};
    struct proto_field f;
    while (next_proto_field(&t, &f))
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
            if (f.number == kinds[i].number) {
                begin_line(w, kinds[i].kind);
                kinds[i].write(w, f.bytes);
                end_line(w);
                if (w->events && f.number == RECORD_STATS)
                    smi_buf_clear(&w->line);
                return;
            }
    bare_line(w, t.n ? "damaged record" : "other");
}

/* ---- records ---- */

/* The next block; none is in w at the end. Returns 0, or -1 with err. */
static int read_block(struct wandb *w, struct smi_err *err)
{
    w->have.at = w->have.n;
    return refill(&w->have, w->made.from, w->block, WANDB_BLOCK, WANDB_BLOCK, err);
}

/* The parts of a record have come, or one of them will not. */
static void close_record(struct wandb *w, bool whole)
{
    if (w->open && whole && !w->large)
        write_record(w, (struct smi_text){w->record.p ? w->record.p : "", w->record.n});
    else if (w->open)
        bare_line(w, whole ? "other" : "damaged record");
    w->open = w->large = false;
    smi_buf_clear(&w->record);
}

static void add_part(struct wandb *w, unsigned type, struct smi_text part)
{
    if (type == FULL || type == FIRST) {
        close_record(w, false);
        w->open = true;
    } else if (!w->open) {
        bare_line(w, "damaged record");
        return;
    }
    w->large |= w->record.n + part.n > RECORD_MAX;
    if (!w->large)
        smi_buf_add(&w->record, part.p, part.n);
    if (type == FULL || type == LAST)
        close_record(w, true);
}

static uint32_t little(const char *p, unsigned bytes)
{
    uint32_t v = 0;
    while (bytes--)
        v = v << 8 | (unsigned char)p[bytes];
    return v;
}

/* The end of the file is inside of a record. */
static void end_torn(struct wandb *w)
{
    w->open = false;
    w->have.at = w->have.n;
    smi_buf_str(&w->line, "a record that the end of the file cuts off");
}

/* A record, or a part of one, off the block. */
static void take_record(struct wandb *w)
{
    const char *p = w->block + w->have.at;
    size_t left = w->have.n - w->have.at, n;
    unsigned type;
    uint32_t sum;
    if (left < HEADER) {
        w->have.at = w->have.n;
        if (w->have.n < WANDB_BLOCK && left)
            end_torn(w);
        return;
    }
    sum = little(p, 4);
    n = little(p + 4, 2);
    type = (unsigned char)p[6];
    if (!sum && !n && !type) { /* nothing more in this block */
        w->have.at = w->have.n;
        return;
    }
    if (n + HEADER > left && w->have.n < WANDB_BLOCK) {
        end_torn(w);
        return;
    }
    if (n + HEADER > left || type < FULL || type > LAST ||
        sum != (uint32_t)crc32(0, (const unsigned char *)p + 6, (unsigned)n + 1)) {
        w->open = true; /* one line, with the parts before it */
        close_record(w, false);
        w->have.at = n + HEADER > left ? w->have.n : w->have.at + HEADER + n;
        return;
    }
    w->have.at += HEADER + n;
    add_part(w, type, (struct smi_text){p + HEADER, n});
}

/* Until there is a line. */
static int fill_line(struct smi_made_source *self, struct smi_err *err)
{
    struct wandb *w = (struct wandb *)self;
    smi_buf_clear(&w->line);
    while (!w->line.n) {
        if (w->have.at == w->have.n && read_block(w, err))
            return -1;
        if (!w->have.n)
            break;
        take_record(w);
    }
    if (!w->have.n && w->open)
        end_torn(w);
    self->p = w->line.p;
    self->n = w->line.n;
    return 0;
}

struct smi_stream {
    struct peek_source packed, unpacked; /* the second only behind a decoder */
    struct decoder decoder;
    struct utf16 utf16;
    struct wandb *wandb; /* or NULL */
    enum smi_container holds;
    struct smi_byte_source *top; /* the last one of the chain */
};

static int build_decoders(struct smi_stream *s, struct smi_byte_source *from, struct smi_err *err)
{
    struct decoder *d = &s->decoder;
    int holds = open_peek_source(&s->packed, from, err);
    s->top = &s->packed.made.pull;
    if (holds >= SMI_CONTAINER_GZIP && holds <= SMI_CONTAINER_BZIP2) {
        smi_made_source_open(&d->made, s->top, false, decode_buffer);
        d->in = smi_mem_raw(IN);
        d->out = smi_mem_raw(OUT);
        d->kind = (enum smi_container)holds;
        holds = open_peek_source(&s->unpacked, &d->made.pull, err);
        s->top = &s->unpacked.made.pull;
    }
    if (holds < 0)
        return -1;
    s->holds = (enum smi_container)holds;
    if (holds != SMI_CONTAINER_UTF16LE && holds != SMI_CONTAINER_UTF16BE && holds != SMI_CONTAINER_WANDB)
        return 0;
    s->holds = SMI_CONTAINER_PLAIN;
    if (holds == SMI_CONTAINER_WANDB) {
        s->wandb = smi_mem_new(1, sizeof *s->wandb);
        smi_made_source_open(&s->wandb->made, s->top, true, fill_line);
        s->top = &s->wandb->made.pull;
        if (read_block(s->wandb, err))
            return -1;
        /* the file's own header is as long as that of a record */
        s->wandb->have.at = s->wandb->have.n < HEADER ? s->wandb->have.n : HEADER;
        return 0;
    }
    s->utf16.big = holds == SMI_CONTAINER_UTF16BE;
    smi_made_source_open(&s->utf16.made, s->top, true, fill_utf8);
    s->top = &s->utf16.made.pull;
    return 0;
}

struct smi_stream *smi_stream_open(struct smi_byte_source *from, struct smi_err *err)
{
    struct smi_stream *s = smi_mem_new(1, sizeof *s);
    if (build_decoders(s, from, err) == 0)
        return s;
    smi_stream_close(s);
    return NULL;
}

bool smi_stream_is_plain(const struct smi_stream *s)
{
    return s->top == &s->packed.made.pull;
}

enum smi_container smi_stream_content(const struct smi_stream *s)
{
    return s->holds;
}

struct smi_byte_source *smi_stream_source(struct smi_stream *s)
{
    return s->top;
}

ssize_t smi_stream_read(struct smi_stream *s, void *buf, size_t n, struct smi_err *err)
{
    return s->top->read(s->top, buf, n, err);
}

void smi_stream_leave_samples(struct smi_stream *s)
{
    if (s->wandb)
        s->wandb->events = true;
}

const char *smi_stream_warning(const struct smi_stream *s)
{
    return *s->top->doubt ? s->top->doubt : NULL;
}

void smi_stream_close(struct smi_stream *s)
{
    if (!s)
        return;
    if (s->wandb) {
        smi_buf_fini(&s->wandb->record);
        smi_buf_fini(&s->wandb->line);
    }
    smi_mem_free(s->wandb);
    end_codec(&s->decoder);
    smi_mem_free(s->decoder.in);
    smi_mem_free(s->decoder.out);
    smi_mem_free(s);
}
