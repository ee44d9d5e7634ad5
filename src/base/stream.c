#include "base/stream.h"

#include "base/decompress.h"
#include "base/utf16.h"
#include "base/wandb.h"
#include "base/mem.h"

struct smi_stream {
    struct smi_peek_source packed, unpacked; /* the second only behind a decoder */
    struct smi_decoder *decoder;
    struct smi_utf16 utf16;
    struct smi_wandb *wandb;
    enum smi_container holds;
    struct smi_byte_source *top; /* the last one of the chain */
};

static int build_decoders(struct smi_stream *s, struct smi_byte_source *from, struct smi_err *err)
{
    if (smi_peek_source_open(&s->packed, from, SMI_CONTAINER_MAGIC, err))
        return -1;
    s->top = &s->packed.pull;
    s->holds = smi_container_detect(s->packed.p, s->packed.n);
    if (smi_container_is_packed(s->holds)) {
        s->decoder = smi_decoder_open(s->holds, s->top, err);
        if (!s->decoder ||
            smi_peek_source_open(&s->unpacked, smi_decoder_source(s->decoder), SMI_CONTAINER_MAGIC, err))
            return -1;
        s->top = &s->unpacked.pull;
        s->holds = smi_container_detect(s->unpacked.p, s->unpacked.n);
    }
    if (s->holds == SMI_CONTAINER_UTF16LE || s->holds == SMI_CONTAINER_UTF16BE) {
        smi_utf16_open(&s->utf16, s->top, s->holds == SMI_CONTAINER_UTF16BE);
        s->top = &s->utf16.made.pull;
        s->holds = SMI_CONTAINER_PLAIN;
    } else if (s->holds == SMI_CONTAINER_WANDB) {
        s->wandb = smi_wandb_open(s->top, err);
        if (!s->wandb)
            return -1;
        s->top = smi_wandb_source(s->wandb);
        s->holds = SMI_CONTAINER_PLAIN;
    }
    return 0;
}

struct smi_stream *smi_stream_open(struct smi_byte_source *from, struct smi_err *err)
{
    struct smi_stream *s = smi_mem_new(1, sizeof *s);
    if (!s) {
        smi_err_nomem(err);
        return NULL;
    }
    if (build_decoders(s, from, err) == 0)
        return s;
    smi_stream_close(s);
    return NULL;
}

bool smi_stream_is_plain(const struct smi_stream *s)
{
    return s->top == &s->packed.pull;
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

const char *smi_stream_warning(const struct smi_stream *s)
{
    return *s->top->doubt ? s->top->doubt : NULL;
}

void smi_stream_close(struct smi_stream *s)
{
    if (!s)
        return;
    smi_wandb_close(s->wandb);
    smi_peek_source_fini(&s->unpacked);
    smi_decoder_close(s->decoder);
    smi_peek_source_fini(&s->packed);
    smi_mem_free(s);
}
