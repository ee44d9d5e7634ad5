/* decompress.c - one loop over four libraries, which differ in names only. libarchive has them too, but does
 * not test the checksum of gzip data and sets no limit to the memory of xz. */
#include "base/decompress.h"

#include "base/mem.h"

#include <bzlib.h>
#include <lzma.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

enum { IN = 131072, OUT = 131072, MARK = 10 /* bytes that tell the next member from something else */ };

enum step { GOES_ON, MEMBER_ENDS, DAMAGED, TOO_BIG, NO_MEMORY };

struct smi_decoder {
    struct smi_made_source made;
    enum smi_container kind;
    const struct codec *codec;
    union {
        z_stream gz;
        lzma_stream xz;
        bz_stream bz;
        ZSTD_DStream *zst;
    } u;
    char *in; /* bytes at..n of it are not decoded yet */
    size_t at, n;
    /* Decoded here and not where the caller wants it, and from full buffers: how far a library gets into
     * damaged data depends on the room that it has, and must not depend on who reads in which pieces. */
    char *out;
    bool ended;  /* no more bytes behind in[n] */
    bool inside; /* a member */
    bool open;   /* the codec has memory */
    bool over;
    int64_t took, gave;
};

struct codec {
    enum step (*begin)(struct smi_decoder *d); /* GOES_ON or NO_MEMORY */
    /* Decodes in[at..n] into out; *made: how many bytes. */
    enum step (*step)(struct smi_decoder *d, char *out, size_t n, size_t *made);
    void (*end)(struct smi_decoder *d);
};

static size_t limit_piece(size_t n)
{
    return n < 1u << 30 ? n : 1u << 30; /* the libraries count in int */
}

/* ---- gzip ---- */

static enum step gz_begin(struct smi_decoder *d)
{
    if (d->open)
        return inflateReset(&d->u.gz) == Z_OK ? GOES_ON : NO_MEMORY;
    return inflateInit2(&d->u.gz, 15 + 16) == Z_OK ? GOES_ON : NO_MEMORY; /* 32 KiB window, gzip header */
}

static enum step gz_step(struct smi_decoder *d, char *out, size_t n, size_t *made)
{
    z_stream *z = &d->u.gz;
    int rc;
    z->next_in = (unsigned char *)d->in + d->at;
    z->avail_in = (unsigned)(d->n - d->at);
    z->next_out = (unsigned char *)out;
    z->avail_out = (unsigned)limit_piece(n);
    rc = inflate(z, Z_NO_FLUSH);
    *made = limit_piece(n) - z->avail_out;
    d->at = d->n - z->avail_in;
    return rc == Z_STREAM_END                ? MEMBER_ENDS
           : rc == Z_OK || rc == Z_BUF_ERROR ? GOES_ON
           : rc == Z_MEM_ERROR               ? NO_MEMORY
                                             : DAMAGED;
}

static void gz_end(struct smi_decoder *d)
{
    inflateEnd(&d->u.gz);
}

/* ---- xz ---- */

static enum step xz_begin(struct smi_decoder *d)
{
    return lzma_stream_decoder(&d->u.xz, SMI_WINDOW_MAX, 0) == LZMA_OK ? GOES_ON : NO_MEMORY;
}

static enum step xz_step(struct smi_decoder *d, char *out, size_t n, size_t *made)
{
    lzma_stream *x = &d->u.xz;
    lzma_ret rc;
    x->next_in = (unsigned char *)d->in + d->at;
    x->avail_in = d->n - d->at;
    x->next_out = (unsigned char *)out;
    x->avail_out = n;
    rc = lzma_code(x, LZMA_RUN);
    *made = n - x->avail_out;
    d->at = d->n - x->avail_in;
    switch (rc) {
    case LZMA_OK:
    case LZMA_BUF_ERROR:
        return GOES_ON;
    case LZMA_STREAM_END:
        return MEMBER_ENDS;
    case LZMA_MEMLIMIT_ERROR:
        return TOO_BIG;
    case LZMA_MEM_ERROR:
        return NO_MEMORY;
    default:
        return DAMAGED;
    }
}

static void xz_end(struct smi_decoder *d)
{
    lzma_end(&d->u.xz);
}

/* ---- bzip2 ---- */

static enum step bz_begin(struct smi_decoder *d)
{
    if (d->open)
        BZ2_bzDecompressEnd(&d->u.bz);
    memset(&d->u.bz, 0, sizeof d->u.bz);
    return BZ2_bzDecompressInit(&d->u.bz, 0, 0) == BZ_OK ? GOES_ON : NO_MEMORY;
}

static enum step bz_step(struct smi_decoder *d, char *out, size_t n, size_t *made)
{
    bz_stream *b = &d->u.bz;
    int rc;
    b->next_in = d->in + d->at;
    b->avail_in = (unsigned)(d->n - d->at);
    b->next_out = out;
    b->avail_out = (unsigned)limit_piece(n);
    rc = BZ2_bzDecompress(b);
    *made = limit_piece(n) - b->avail_out;
    d->at = d->n - b->avail_in;
    return rc == BZ_STREAM_END  ? MEMBER_ENDS
           : rc == BZ_OK        ? GOES_ON
           : rc == BZ_MEM_ERROR ? NO_MEMORY
                                : DAMAGED;
}

static void bz_end(struct smi_decoder *d)
{
    BZ2_bzDecompressEnd(&d->u.bz);
}

/* ---- zstd: refuses windows above 128 MiB by itself ---- */

static enum step zst_begin(struct smi_decoder *d)
{
    if (!d->open)
        d->u.zst = ZSTD_createDStream();
    return d->u.zst && !ZSTD_isError(ZSTD_initDStream(d->u.zst)) ? GOES_ON : NO_MEMORY;
}

static enum step zst_step(struct smi_decoder *d, char *out, size_t n, size_t *made)
{
    ZSTD_inBuffer in = {d->in + d->at, d->n - d->at, 0};
    ZSTD_outBuffer to = {out, n, 0};
    size_t rc = ZSTD_decompressStream(d->u.zst, &to, &in);
    ZSTD_ErrorCode why = ZSTD_getErrorCode(rc);
    *made = to.pos;
    d->at += in.pos;
    if (!ZSTD_isError(rc))
        return rc ? GOES_ON : MEMBER_ENDS;
    return why == ZSTD_error_frameParameter_windowTooLarge ? TOO_BIG
           : why == ZSTD_error_memory_allocation           ? NO_MEMORY
                                                           : DAMAGED;
}

static void zst_end(struct smi_decoder *d)
{
    ZSTD_freeDStream(d->u.zst);
}

static const struct codec codecs[] = {
    [SMI_CONTAINER_GZIP] = {gz_begin, gz_step, gz_end},
    [SMI_CONTAINER_ZSTD] = {zst_begin, zst_step, zst_end},
    [SMI_CONTAINER_XZ] = {xz_begin, xz_step, xz_end},
    [SMI_CONTAINER_BZIP2] = {bz_begin, bz_step, bz_end},
};

/* ---- the loop ---- */

/* Makes in[at..n] full, unless the source ends. Returns 0, or -1 with err. */
static int fill_input(struct smi_decoder *d, struct smi_err *err)
{
    ssize_t got;
    if (d->at) {
        memmove(d->in, d->in + d->at, d->n - d->at);
        d->n -= d->at;
        d->at = 0;
    }
    while (d->n < IN && !d->ended) {
        got = d->made.from->read(d->made.from, d->in + d->n, IN - d->n, err);
        if (got < 0)
            return -1;
        d->ended = got == 0;
        d->n += (size_t)got;
        d->took += got;
    }
    return 0;
}

/* The end, before its time: "its gzip data <what>". */
static void set_warning(struct smi_decoder *d, const char *what)
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
static int next_member(struct smi_decoder *d, struct smi_err *err)
{
    bool first = !d->open;
    if (d->at == d->n && fill_input(d, err))
        return -1;
    while (!first && d->at < d->n && !d->in[d->at]) /* padding */
        if (++d->at == d->n && fill_input(d, err))
            return -1;
    if (d->n - d->at < MARK && fill_input(d, err))
        return -1;
    if (d->at == d->n) {
        d->over = true;
        if (*d->made.from->doubt)
            set_warning(d, "");
        return 0;
    }
    if (smi_container_detect(d->in + d->at, d->n - d->at) != d->kind) {
        set_warning(d, "is followed by other bytes");
        return 0;
    }
    if (d->codec->begin(d) != GOES_ON)
        return smi_err_nomem(err);
    d->open = d->inside = true;
    return 0;
}

static int check_limits(struct smi_decoder *d, struct smi_err *err)
{
    if (d->gave > SMI_EXPANDED_MAX)
        return smi_err_set(err, SMI_ELIMIT, "expands to more than 1 TiB of bytes: not read");
    if (d->gave > SMI_RATIO_FROM && d->gave / SMI_RATIO_MAX > d->took)
        return smi_err_set(
            err, SMI_ELIMIT,
            "%lld bytes of %s data expand to more than %lld MiB (%lld : 1; the limit is %d : 1 above "
            "1 GiB): not read",
            (long long)d->took, smi_container_name(d->kind), (long long)(d->gave >> 20),
            (long long)(d->gave / (d->took ? d->took : 1)), (int)SMI_RATIO_MAX);
    return 0;
}

static const char damaged[] = "is damaged";

/* The library wants more than there is. Returns 0, or -1 with err. */
static int feed_decoder(struct smi_decoder *d, struct smi_err *err)
{
    size_t left = d->n - d->at;
    if (left == IN) {
        set_warning(d, damaged);
        return 0;
    }
    if (fill_input(d, err))
        return -1;
    if (d->n == left)
        set_warning(d, "ends early");
    return 0;
}

/* One call of the library. Returns bytes made, or -1 with err. */
static ssize_t run_decoder(struct smi_decoder *d, char *out, size_t n, struct smi_err *err)
{
    size_t at = d->at, made = 0;
    enum step s = d->codec->step(d, out, n, &made);
    d->gave += (int64_t)made;
    d->inside = s == GOES_ON;
    if (s == NO_MEMORY)
        return smi_err_nomem(err);
    if (s == TOO_BIG)
        return smi_err_set(err, SMI_ELIMIT,
                           "its %s data needs more than 128 MiB of memory to unpack: not read",
                           smi_container_name(d->kind));
    if (s == DAMAGED)
        set_warning(d, damaged);
    else if (s == GOES_ON && !made && d->at == at && feed_decoder(d, err))
        return -1;
    return check_limits(d, err) ? -1 : (ssize_t)made;
}

/* A buffer of decoded bytes; fewer at the end. */
static int decode_buffer(struct smi_made_source *self, struct smi_err *err)
{
    struct smi_decoder *d = (struct smi_decoder *)self;
    ssize_t made;
    self->p = d->out;
    while (self->n < OUT && !d->over) {
        if (!d->inside && next_member(d, err))
            return -1;
        if (d->over)
            break;
        made = run_decoder(d, d->out + self->n, OUT - self->n, err);
        if (made < 0)
            return -1;
        self->n += (size_t)made;
    }
    return 0;
}

struct smi_decoder *smi_decoder_open(enum smi_container kind, struct smi_byte_source *from,
                                     struct smi_err *err)
{
    struct smi_decoder *d = smi_mem_new(1, sizeof *d);
    if (!d || !(d->in = smi_mem_raw(IN)) || !(d->out = smi_mem_raw(OUT))) {
        smi_decoder_close(d);
        smi_err_nomem(err);
        return NULL;
    }
    smi_made_source_open(&d->made, from, false, decode_buffer);
    d->kind = kind;
    d->codec = &codecs[kind];
    return d;
}

struct smi_byte_source *smi_decoder_source(struct smi_decoder *d)
{
    return &d->made.pull;
}

void smi_decoder_close(struct smi_decoder *d)
{
    if (!d)
        return;
    if (d->open)
        d->codec->end(d);
    smi_mem_free(d->in);
    smi_mem_free(d->out);
    smi_mem_free(d);
}
