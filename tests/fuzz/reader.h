/* reader.h - what the fuzz targets of the readers share: the same bytes in pieces and at once must tell the
 * same.
 *
 * Input: 8 bytes that say how the rest is cut, 1 byte of options (bits 0-2 --gpu-count, bit 3
 * --input-columns), then the log. Most inputs are read into a sink that only remembers what it was told, which is
 * quick; one in 32 goes all the way: aggregates, their text, the summary. */
#ifndef SMI_FUZZ_READER_H
#define SMI_FUZZ_READER_H

#include "ingest/ingest.h"
#include "partial/partial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FUZZ_CUTS = 8, FUZZ_HEAD = FUZZ_CUTS + 1, FUZZ_ONE_STEP = 128 };

/* A sink that remembers a hash of everything it was told. */
struct fuzz_sink {
    struct smi_sink sink;
    uint64_t hash;
};

static void fuzz_mix(struct fuzz_sink *s, uint64_t v)
{
    s->hash = (s->hash ^ v) * 1099511628211u;
    s->hash ^= s->hash >> 29;
}

static int fuzz_take(struct smi_sink *self, const struct smi_sample *s, struct smi_err *err)
{
    struct fuzz_sink *f = (struct fuzz_sink *)self;
    (void)err;
    fuzz_mix(f, (uint64_t)s->t_ms * s->timed);
    fuzz_mix(f, (uint64_t)s->who * 4 + s->timed * 2u + s->fine);
    for (unsigned i = 0; i < s->n; i++) {
        fuzz_mix(f, s->metric[i]);
        fuzz_mix(f, (uint64_t)s->v[i]);
    }
    if (s->process) {
        fuzz_mix(f, (uint64_t)s->process->pid * 8 + s->process->types);
        fuzz_mix(f, (uint64_t)s->process->life_ms * 2 + s->process->none);
        for (size_t i = 0; i < s->process->name.n; i++)
            fuzz_mix(f, (unsigned char)s->process->name.p[i]);
    }
    return 0;
}

static int fuzz_mark(struct smi_sink *self, const struct smi_mark *m, struct smi_err *err)
{
    struct fuzz_sink *f = (struct fuzz_sink *)self;
    (void)err;
    fuzz_mix(f, (uint64_t)m->kind + (uint64_t)m->t_us * 4 + (uint64_t)m->span_us * 64);
    for (size_t i = 0; m->kind != SMI_MARK_BREAK && i < m->name.n; i++)
        fuzz_mix(f, (unsigned char)m->name.p[i]);
    for (unsigned i = 0; i < m->fields; i++)
        fuzz_mix(f, (uint64_t)m->field[i].micro + m->field[i].text.n);
    return 0;
}

/* What one reading of the bytes came to. */
struct fuzz_told {
    int rc, format;
    struct smi_err err;
    struct smi_part *part;
    struct smi_buf text; /* the part as a partial summary: every count, sum and edge of it */
};

static void fuzz_stop(const char *what)
{
    fprintf(stderr, "fuzz: %s\n", what);
    abort();
}

/* The i-th piece: 0 to 127 bytes, or a multiple of 64 up to 8 KiB. */
static size_t fuzz_piece(const uint8_t *cuts, size_t i)
{
    uint8_t c = cuts[i % FUZZ_CUTS];
    return c < FUZZ_ONE_STEP ? c : (size_t)(c - FUZZ_ONE_STEP + 1) * 64;
}

static int fuzz_feed(struct smi_ingest *in, const uint8_t *cuts, const char *p, size_t n, struct smi_err *err)
{
    size_t empty = 0, some;
    for (size_t i = 0; n; i++, p += some, n -= some) {
        some = cuts ? fuzz_piece(cuts, i) : n;
        empty = some ? 0 : empty + 1;
        if (some > n || empty > FUZZ_CUTS)
            some = n;
        /* Its own block, so that a look beyond the piece is seen. */
        char *piece = malloc(some ? some : 1);
        int rc = -1;
        if (piece) {
            memcpy(piece, p, some);
            rc = smi_ingest_feed(in, piece, some, err);
        }
        free(piece);
        if (rc)
            return rc;
    }
    return smi_ingest_finish(in, err);
}

static void fuzz_write(struct fuzz_told *t)
{
    struct smi_run run = {.part = &t->part, .parts = 1, .name = "fuzz"};
    const struct smi_options o = {.idle_below = 1000000};
    if (smi_partial_put(&t->text, &run, &o, NULL))
        fuzz_stop("the part cannot be written down");
}

static void fuzz_read(struct fuzz_told *t, int format, const uint8_t *head, const uint8_t *cuts,
                      const char *p, size_t n)
{
    struct smi_ingest_opts o = {.format = format, .gpu_count = head[FUZZ_CUTS] & 7};
    struct smi_ingest *in;
    memset(t, 0, sizeof *t);
    t->part = smi_part_new("fuzz", format < 0 ? SMI_FMT_QUERY : format);
    if (!t->part)
        fuzz_stop("no memory");
    if (head[FUZZ_CUTS] & 8)
        o.columns = "timestamp,index,utilization.gpu,power.draw,memory.used";
    t->part->opts = (struct smi_track_opts){.idle_below = 1000000};
    o.account = &t->part->account;
    o.devices = &t->part->devices;
    o.to = &t->part->sink;
    in = smi_ingest_open(&o, &t->err);
    if (!in)
        fuzz_stop("no memory");
    t->rc = fuzz_feed(in, cuts, p, n, &t->err);
    t->format = smi_ingest_format(in);
    if (t->format >= 0)
        t->part->format = t->format;
    t->part->base = smi_ingest_base(in);
    for (size_t i = 0; i < t->part->devices.n; i++)
        t->part->keyed |= t->part->devices.list[i].ordinal < 0;
    smi_ingest_close(in);
    fuzz_write(t);
}

/* Where two texts part, for the report. */
static void fuzz_differ(const struct smi_buf *a, const struct smi_buf *b)
{
    size_t i = 0;
    while (i < a->n && i < b->n && a->p[i] == b->p[i])
        i++;
    i = i > 60 ? i - 60 : 0;
    fprintf(stderr, "pieces: ...%.160s\nat once: ...%.160s\n", a->p + (i < a->n ? i : a->n),
            b->p + (i < b->n ? i : b->n));
    fuzz_stop("pieces and all at once do not tell the same");
}

static void fuzz_close(struct smi_part *p)
{
    const struct smi_account *a = &p->account;
    if (smi_part_close(p, NULL))
        fuzz_stop("the part cannot be closed");
    if (a->lines != a->header + a->rows + a->duplicates + a->blank + a->messages + smi_account_rejected(a))
        fuzz_stop("the account does not add up");
}

/* The summary of a run of this one part, which is given away. */
static void fuzz_build(struct smi_part *p)
{
    struct smi_run run = {0};
    struct smi_summary s = {0};
    const struct smi_options o = {.idle_below = 1000000};
    if (smi_runlog_merge(&run.log, &p->log, NULL) || smi_run_part(&run, p, NULL) ||
        smi_run_build(&s, &run, &o, NULL))
        fuzz_stop("the summary cannot be built");
    smi_summary_fini(&s);
    smi_run_fini(&run);
}

/* One quick reading: a hash of what the sink was told, of how it ended, and of the account. */
static uint64_t fuzz_quick(int format, const uint8_t *head, const uint8_t *cuts, const char *p, size_t n)
{
    struct fuzz_sink sink = {.sink = {.take = fuzz_take, .mark = fuzz_mark}};
    struct smi_account a = {0};
    struct smi_devices devices = {0};
    struct smi_err err = {0};
    struct smi_ingest_opts o = {.format = format, .gpu_count = head[FUZZ_CUTS] & 7, .account = &a, .devices = &devices,
                                .to = &sink.sink};
    struct smi_ingest *in;
    if (head[FUZZ_CUTS] & 8)
        o.columns = "timestamp,index,utilization.gpu,power.draw,memory.used";
    in = smi_ingest_open(&o, &err);
    if (!in)
        fuzz_stop("no memory");
    fuzz_mix(&sink, (uint64_t)fuzz_feed(in, cuts, p, n, &err));
    fuzz_mix(&sink, (uint64_t)err.code * 16 + (uint64_t)smi_ingest_format(in));
    fuzz_mix(&sink, (uint64_t)(a.lines * 3 + a.header * 5 + a.rows * 7 + a.blank * 11 + a.messages * 13 +
                               smi_account_rejected(&a) * 17 + (int64_t)a.problems * 19 + (int64_t)devices.n * 23));
    smi_ingest_close(in);
    smi_account_fini(&a);
    smi_devices_fini(&devices);
    return sink.hash;
}

static bool fuzz_all_the_way(const uint8_t *data, size_t size)
{
    struct fuzz_sink h = {.hash = size};
    for (size_t i = 0; i < size && i < 64; i++)
        fuzz_mix(&h, data[i]);
    return h.hash % 32 == 0;
}

/* Reads both ways, compares, closes one and builds the summary of the other. Returns 0 for libFuzzer. */
static int fuzz_reader(const uint8_t *data, size_t size, int format)
{
    struct fuzz_told cut, whole;
    const char *p = (const char *)data + FUZZ_HEAD;
    if (size < FUZZ_HEAD)
        return 0;
    if (!fuzz_all_the_way(data, size)) {
        if (fuzz_quick(format, data, data, p, size - FUZZ_HEAD) != fuzz_quick(format, data, NULL, p, size - FUZZ_HEAD))
            fuzz_stop("pieces and all at once do not tell the same");
        return 0;
    }
    fuzz_read(&cut, format, data, data, p, size - FUZZ_HEAD);
    fuzz_read(&whole, format, data, NULL, p, size - FUZZ_HEAD);
    if (cut.rc != whole.rc || cut.format != whole.format || cut.err.code != whole.err.code ||
        strcmp(cut.err.text, whole.err.text)) {
        fprintf(stderr, "pieces: %d %s\nat once: %d %s\n", cut.rc, cut.err.text, whole.rc, whole.err.text);
        fuzz_stop("pieces and all at once do not end the same");
    }
    if (cut.text.n != whole.text.n || memcmp(cut.text.p, whole.text.p, cut.text.n))
        fuzz_differ(&cut.text, &whole.text);
    if (cut.rc == 0) {
        fuzz_close(cut.part);
        fuzz_build(whole.part);
    } else {
        smi_part_free(whole.part);
    }
    smi_part_free(cut.part);
    smi_buf_fini(&cut.text);
    smi_buf_fini(&whole.text);
    return 0;
}

#endif
