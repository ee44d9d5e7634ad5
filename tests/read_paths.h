/* read_paths.h - the several paths by which a log can be read, and its JSON, which must be the same on all of
 * them: for the tests and the fuzz target that compare them. Each of these is a program of one file, so all
 * is static here. */
#pragma once

#include "summary/findings.h"
#include "summary/run.h"
#include "formats/fast_block.h"
#include "aggregate/ingest.h"
#include "report/output.h"

#include <stdlib.h>
#include <string.h>

/* Pieces of so many bytes are too short for any fast path: every row goes the general one. */
enum { PATHS_GENERAL = 8 };

/* A log, and what is known of it beside its bytes. */
struct paths_log {
    int format;
    const char *p;
    size_t n;
    int fd; /* the same bytes as a file, for paths_parts; else not looked at */
    int gpu_count;
    const char *columns;             /* or NULL */
    const struct smi_phases *phases; /* of its run, indexed; or NULL */
};

/* What was told to a part, on its way there. */
struct paths_count {
    struct smi_sink sink, *to;
    int64_t rows, in_blocks; /* in_blocks: rows that came by the fast path */
};

/* One input, summarised; ends with paths_fini. */
struct paths_told {
    struct smi_input_stats *part; /* NULL once it is in the JSON */
    struct smi_buf json;
    struct paths_count count;
    struct smi_err err; /* its code is 0, or there is nothing to tell */
};

/* The fast path has memory of its own. */
static inline bool paths_are_fast(const struct smi_rows *r)
{
    const struct smi_row_block *b = smi_row_block_open(0);
    return b->of && r->u == b->u;
}

static inline int paths_rows(struct smi_sink *self, const struct smi_rows *r, struct smi_err *err)
{
    struct paths_count *c = (struct paths_count *)self;
    c->rows += r->n;
    c->in_blocks += paths_are_fast(r) ? r->n : 0;
    return c->to->rows(c->to, r, err);
}

static inline int paths_mark(struct smi_sink *self, const struct smi_mark *m, struct smi_err *err)
{
    struct paths_count *c = (struct paths_count *)self;
    return c->to->mark ? c->to->mark(c->to, m, err) : 0;
}

static inline int paths_end(struct smi_sink *self, struct smi_err *err)
{
    struct paths_count *c = (struct paths_count *)self;
    return c->to->end ? c->to->end(c->to, err) : 0;
}

/* In pieces of size[0 ... sizes - 1] bytes in turn; 0: all that is left. */
static inline int paths_feed(struct smi_ingest *in, const char *p, size_t n, const size_t *size, size_t sizes,
                             struct smi_err *err)
{
    for (size_t i = 0, some; n; i++, p += some, n -= some) {
        char *piece;
        int rc;
        some = size[i % sizes];
        some = some && some < n ? some : n;
        piece = malloc(some); /* to its last byte, for a sanitizer */
        if (!piece)
            abort();
        memcpy(piece, p, some);
        rc = smi_ingest_feed(in, piece, some, err);
        free(piece);
        if (rc)
            return -1;
    }
    return smi_ingest_finish(in, err);
}

/* By one thread, in pieces as for paths_feed. */
static inline struct paths_told paths_read(const struct paths_log *l, const size_t *size, size_t sizes)
{
    struct paths_told t = {.part = smi_input_stats_new("log", l->format)};
    struct smi_input_stats *p = t.part;
    struct smi_ingest *in;
    struct smi_ingest_opts o = {.format = l->format, .columns = l->columns, .gpu_count = l->gpu_count};
    p->opts = (struct smi_device_stats_opts){.idle_below = 1000000, .phases = l->phases};
    t.count = (struct paths_count){.sink = {paths_rows, paths_mark, paths_end}, .to = &p->sink};
    o.account = &p->account;
    o.devices = &p->devices;
    o.to = &t.count.sink;
    in = smi_ingest_open(&o);
    if (paths_feed(in, l->p, l->n, size, sizes, &t.err) == 0)
        p->base = smi_ingest_base(in);
    for (size_t i = 0; i < p->devices.n; i++)
        p->keyed |= p->devices.list[i].ordinal < 0;
    smi_ingest_close(in);
    return t;
}

/* By threads, a part of the file each. part is NULL, without an error: this log is not cut. */
static inline struct paths_told paths_parts(const struct paths_log *l, unsigned parts)
{
    struct paths_told t = {.part = NULL};
    const struct smi_chunks c = {
        .fd = l->fd,
        .size = (int64_t)l->n,
        .name = "log",
        .shown = "log",
        .ingest = {.format = l->format, .columns = l->columns, .gpu_count = l->gpu_count},
        .track = {.idle_below = 1000000, .phases = l->phases},
        .threads = parts};
    if (!(smi_format_infos[l->format].marks && smi_format_infos[l->format].rows) &&
        !smi_format_infos[l->format].whole)
        smi_chunks_read(&c, &t.part, &t.err);
    return t;
}

/* Makes the JSON of the part. */
static inline void paths_json(struct paths_told *t, const struct paths_log *l)
{
    static const struct smi_render_options look = {.all = true};
    const struct smi_options o = {.idle_below = 1000000};
    struct smi_run run = {.name = "run", .has_offset = true, .zone_from = SMI_ZONE_GIVEN};
    struct smi_sweep s = {.n = 1, .title = "log", .runs = smi_mem_new(1, sizeof *s.runs)};
    struct smi_input_stats *p = t->part;
    t->part = NULL;
    smi_run_add_part(&run, p);
    smi_runlog_merge(&run.log, &p->log);
    if (l->phases)
        smi_phases_merge(&run.log.phases, l->phases);
    smi_phases_index(&run.log.phases);
    if (smi_run_build(&s.runs[0], &run, &o, &t->err))
        abort();
    smi_total_add(&s.total, &s.runs[0], false);
    smi_total_close(&s.total);
    smi_sweep_params(&s);
    smi_write_json(&t->json, &s, &look);
    smi_sweep_fini(&s);
    smi_run_fini(&run);
}

/* The same input: the same JSON, or the same reason why there is none. */
static inline bool paths_same(const struct paths_told *a, const struct paths_told *b)
{
    return a->err.code == b->err.code && a->json.n == b->json.n &&
           (a->err.code ? strcmp(a->err.text, b->err.text) == 0
                        : memcmp(a->json.p, b->json.p, a->json.n) == 0);
}

static inline void paths_fini(struct paths_told *t)
{
    smi_input_stats_free(t->part);
    smi_buf_fini(&t->json);
}
