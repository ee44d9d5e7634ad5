#include "base/stream.h"

#include "base/decompress.h"
#include "base/utf16.h"
#include "base/mem.h"

struct smi_stream {
    struct smi_ahead packed, unpacked; /* the second only behind a decoder */
    struct smi_decoder *decoder;
    struct smi_utf16 utf16;
    enum smi_container holds;
    struct smi_pull *top; /* the last one of the chain */
};

static int build(struct smi_stream *s, struct smi_pull *from, struct smi_err *err)
{
    if (smi_ahead_open(&s->packed, from, SMI_MAGIC, err))
        return -1;
    s->top = &s->packed.pull;
    s->holds = smi_magic(s->packed.p, s->packed.n);
    if (smi_is_packed(s->holds)) {
        s->decoder = smi_decoder_open(s->holds, s->top, err);
        if (!s->decoder || smi_ahead_open(&s->unpacked, smi_decoder_pull(s->decoder), SMI_MAGIC, err))
            return -1;
        s->top = &s->unpacked.pull;
        s->holds = smi_magic(s->unpacked.p, s->unpacked.n);
    }
    if (s->holds == SMI_UTF16LE || s->holds == SMI_UTF16BE) {
        smi_utf16_open(&s->utf16, s->top, s->holds == SMI_UTF16BE);
        s->top = &s->utf16.pull;
        s->holds = SMI_PLAIN;
    }
    return 0;
}

struct smi_stream *smi_stream_open(struct smi_pull *from, struct smi_err *err)
{
    struct smi_stream *s = smi_mem_new(1, sizeof *s);
    if (!s) {
        smi_err_nomem(err);
        return NULL;
    }
    if (build(s, from, err) == 0)
        return s;
    smi_stream_close(s);
    return NULL;
}

bool smi_stream_plain(const struct smi_stream *s)
{
    return s->top == &s->packed.pull;
}

enum smi_container smi_stream_holds(const struct smi_stream *s)
{
    return s->holds;
}

struct smi_pull *smi_stream_pull(struct smi_stream *s)
{
    return s->top;
}

ssize_t smi_stream_read(struct smi_stream *s, void *buf, size_t n, struct smi_err *err)
{
    return s->top->read(s->top, buf, n, err);
}

const char *smi_stream_doubt(const struct smi_stream *s)
{
    return *s->top->doubt ? s->top->doubt : NULL;
}

void smi_stream_close(struct smi_stream *s)
{
    if (!s)
        return;
    smi_ahead_fini(&s->unpacked);
    smi_decoder_close(s->decoder);
    smi_ahead_fini(&s->packed);
    smi_mem_free(s);
}
