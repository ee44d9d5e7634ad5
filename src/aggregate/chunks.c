#include "aggregate/chunks.h"

#include "aggregate/log_probe.h"
#include "base/digest.h"
#include "base/mem.h"
#include "base/pool.h"

#include <string.h>

enum { PIECE = 262144, PROBE = 262144, SEEK = 65536 };

/* What later pieces have to know of the beginning. */
struct context {
    char *head; /* the bytes in front of the first row: headers */
    size_t head_n;
    int64_t changes; /* headers among them */
    bool keyless;
    bool marks; /* a log of phases and events only: no rows to be told apart */
    struct smi_burst_plan plan;
};

/* The first n bytes of the log, as a later piece reads them: no line of it begins with a byte order mark. */
static int store_head(struct context *x, const char *p, size_t n, struct smi_err *err)
{
    size_t mark = n >= 3 && memcmp(p, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    x->head_n = n - mark;
    x->head = smi_mem_text(p + mark, x->head_n);
    return x->head ? 0 : smi_err_nomem(err);
}

/* The beginning of the log: what stands in front of the first row, and the plan of its first 256 rows.
 * Returns 1, 0 if they do not tell enough, -1. */
static int probe_beginning(const struct smi_chunks *c, struct context *x, struct smi_err *err)
{
    struct smi_log_probe s;
    const char *p, *end, *nl;
    ssize_t n = -1;
    int rc = smi_log_probe_open(&s, &c->ingest, PROBE, err);
    if (rc == 0)
        n = smi_file_read_at(c->fd, s.buf, PROBE, 0, c->name, err);
    if (n < 0)
        rc = -1;
    for (p = s.buf, end = p + n; rc == 0 && s.rows < SMI_BURST_PLAN_ROWS; p = nl + 1) {
        nl = memchr(p, '\n', (size_t)(end - p));
        if (!nl)
            break;
        s.row = false;
        rc = smi_log_probe_feed(&s, p, (size_t)(nl - p) + 1, err);
        if (rc == 0 && !x->head && (s.row || smi_reader_waits(s.reader))) {
            x->changes = s.account.changes;
            rc = store_head(x, s.buf, (size_t)(p - s.buf), err);
        }
    }
    x->keyless = s.keyless;
    if (rc == 0 && s.rows >= SMI_BURST_PLAN_ROWS) {
        x->plan = smi_burst_plan_make(s.untimed ? NULL : s.t_ms, s.boundary, SMI_BURST_PLAN_ROWS,
                                      c->ingest.gpu_count);
        rc = smi_reader_base(s.reader) < SMI_TIME_BASE_DAY; /* the day is counted from the beginning */
        if (x->keyless && x->plan.kind == SMI_BURST_PLAN_BURSTS && !x->plan.by_time)
            rc = 0; /* bursts that are only counted cannot be found in the middle */
    }
    smi_log_probe_close(&s);
    return rc;
}

/* What has to be known of the beginning. The same returns. */
static int read_beginning(const struct smi_chunks *c, struct context *x, struct smi_err *err)
{
    x->marks = smi_format_infos[c->ingest.format].marks;
    if (!x->marks)
        return probe_beginning(c, x, err);
    x->head = smi_mem_text("", 0);
    return x->head ? 1 : smi_err_nomem(err);
}

/* Does the row that was just read begin a burst? */
static bool begins_burst(const struct context *x, const struct smi_log_probe *l, int64_t before, bool hard)
{
    int64_t d = l->last_ms - before;
    return hard || d < 0 || (smi_i128)d * d > (smi_i128)x->plan.a * x->plan.b;
}

/* Where the piece that nominally begins at `at` really does: a row that is read without those before it, and
 * where bursts matter the first of one. Returns the offset, 0 if there is none near, -1. */
static int64_t boundary(const struct smi_chunks *c, const struct context *x, int64_t at, struct smi_err *err)
{
    bool bursts = x->keyless && x->plan.kind == SMI_BURST_PLAN_BURSTS;
    struct smi_log_probe s;
    const char *p = NULL, *end, *nl;
    int64_t found = 0;
    ssize_t n = smi_log_probe_open(&s, &c->ingest, PROBE, err)
                    ? -1
                    : smi_file_read_at(c->fd, s.buf, SEEK, at - 1, c->name, err);
    if (n < 0 || smi_log_probe_feed(&s, x->head, x->head_n, err))
        found = -1;
    end = s.buf + n;
    nl = found == 0 ? memchr(s.buf, '\n', (size_t)n) : NULL;
    s.hard = false;
    while (nl && found == 0) {
        int64_t before = s.last_ms;
        size_t rows = s.rows;
        bool hard;
        p = nl + 1;
        nl = memchr(p, '\n', (size_t)(end - p));
        if (!nl)
            break;
        hard = s.hard;
        s.row = false;
        if (!x->marks && smi_log_probe_feed(&s, p, (size_t)(nl - p) + 1, err))
            found = -1;
        else if (x->marks || (s.row && (!bursts || (rows > 0 && begins_burst(x, &s, before, hard)))))
            found = at - 1 + (p - s.buf);
    }
    smi_log_probe_close(&s);
    return found;
}

/* ---- the pieces ---- */

struct piece {
    const struct smi_chunks *c;
    const struct context *x;
    int64_t from, to;
    bool first;
    struct smi_input_stats *part;
    struct smi_digest digest; /* of a RunLog */
    struct smi_err err;
};

static int read_range(struct piece *p, struct smi_ingest *in, struct smi_err *err)
{
    char *buf = smi_mem_raw(PIECE);
    int64_t at = p->from;
    ssize_t n = 0;
    int rc = buf ? 0 : smi_err_nomem(err);
    while (rc == 0 && at < p->to) {
        size_t want = p->to - at < PIECE ? (size_t)(p->to - at) : PIECE;
        n = smi_file_read_at(p->c->fd, buf, want, at, p->c->name, err);
        if (n <= 0) /* an error; or the file shrank, and what is gone is not data */
            break;
        if (p->x->marks)
            smi_digest_add(&p->digest, buf, (size_t)n);
        rc = smi_ingest_feed(in, buf, (size_t)n, err);
        at += n;
    }
    smi_mem_free(buf);
    return rc || n < 0 ? -1 : smi_ingest_finish(in, err);
}

static void read_piece(struct piece *p)
{
    struct smi_ingest_opts o = p->c->ingest;
    struct smi_ingest *in = NULL;
    int rc = -1;
    p->part = smi_input_stats_new(p->c->shown, o.format);
    if (p->part) {
        p->part->opts = p->c->track;
        p->part->wall_opts = p->c->wall;
        o.account = &p->part->account;
        o.devices = &p->part->devices;
        o.to = &p->part->sink;
        o.later = !p->first;
        o.plan =
            p->x->marks ? NULL : &p->x->plan; /* the first too: it may be shorter than the rows of the plan */
        in = smi_ingest_open(&o, &p->err);
    }
    if (in && !p->first && smi_ingest_prime(in, p->x->head, p->x->head_n, &p->err) == 0)
        smi_faults_fini(&p->part->faults); /* the first piece tells them */
    if (in && !p->err.code)
        rc = read_range(p, in, &p->err);
    if (rc == 0) {
        p->part->base = smi_ingest_base(in);
        for (size_t i = 0; i < p->part->devices.n; i++)
            p->part->keyed |= p->part->devices.list[i].ordinal < 0;
    }
    smi_ingest_close(in);
    if (rc)
        smi_err_nomem(&p->err); /* unless there is a better reason already */
}

/* Cuts the log. Returns the number of pieces, 1 if it cannot be cut, -1. */
static int cut_log(const struct smi_chunks *c, const struct context *x, struct piece *p, struct smi_err *err)
{
    int n = 1;
    p[0] = (struct piece){.c = c, .x = x, .first = true};
    for (unsigned i = 1; i < c->threads; i++) {
        int64_t at = c->size / (int64_t)c->threads * (int64_t)i, found;
        if (at <= p[n - 1].from || at <= (int64_t)x->head_n)
            continue;
        found = boundary(c, x, at, err);
        if (found < 0)
            return -1;
        if (found <= p[n - 1].from || found >= c->size)
            continue;
        p[n - 1].to = found;
        p[n++] = (struct piece){.c = c, .x = x, .from = found, .digest = smi_digest_init(found)};
    }
    p[n - 1].to = INT64_MAX; /* as far as the file goes, also if it grows */
    return n;
}

struct pieces {
    struct smi_pool pool;
    struct piece *piece;
    size_t n, next;
};

/* smi_pool_next_fn */
static bool next_piece(void *self, void *piece)
{
    struct pieces *p = self;
    if (p->next == p->n)
        return false;
    *(struct piece **)piece = &p->piece[p->next++];
    return true;
}

static void read_pieces(void *self, size_t thread)
{
    struct pieces *p = self;
    struct piece *piece;
    (void)thread;
    while (smi_pool_take(&p->pool, next_piece, p, &piece)) {
        read_piece(piece);
        smi_pool_done(&p->pool);
    }
}

static void run_pieces(struct piece *p, size_t n)
{
    struct pieces all = {.piece = p, .n = n};
    smi_pool_init(&all.pool);
    smi_pool_run(&all.pool, n, read_pieces, &all, NULL);
    smi_pool_fini(&all.pool);
}

/* A header in the middle that gives columns another meaning holds for the pieces behind it too, which did not
 * see it; so does the base that the first time of a log decides. */
static bool columns_changed(const struct piece *p, int n, const struct context *x)
{
    int64_t changes = 0;
    for (int i = 0; i < n; i++) {
        changes += p[i].part->account.changes;
        if (p[i].part->base != p[0].part->base)
            return true;
    }
    return changes != x->changes;
}

/* Phases, events and content. What a later piece had no name left for, the pieces before it may have. Same
 * returns. */
static int join_marks(struct piece *p, int n, struct smi_err *err)
{
    for (int i = 1; i < n; i++) {
        const struct smi_runlog *log = &p[i].part->log;
        if (log->event_other || log->phases.unnamed)
            return 0;
        if (smi_runlog_merge(&p[0].part->log, log, err))
            return -1;
        smi_runlog_fini(&p[i].part->log);
        smi_digest_join(&p[0].digest, &p[i].digest);
    }
    p[0].part->size = p[0].digest.at;
    p[0].part->hash = smi_digest_value(&p[0].digest);
    return 1;
}

static int join_pieces(struct piece *p, int n, const struct context *x, struct smi_input_stats **out,
                       struct smi_err *err)
{
    int rc = 1;
    for (int i = 0; i < n; i++)
        if (p[i].err.code || !p[i].part)
            rc = p[i].err.code == SMI_ENOMEM || !p[i].part
                     ? smi_err_nomem(err)
                     : smi_err_set(err, p[i].err.code, "%s", p[i].err.text);
    if (rc == 1 && columns_changed(p, n, x))
        rc = 0;
    if (rc == 1 && x->marks)
        rc = join_marks(p, n, err);
    for (int i = 1; i < n && rc == 1; i++)
        if (smi_input_stats_join(p[0].part, p[i].part, true, err))
            rc = -1;
    if (rc == 1 && p[0].part->unsure) /* an hour whose meaning follows from the rows before it */
        rc = 0;
    if (rc == 1) {
        *out = p[0].part;
        p[0].part = NULL;
    }
    return rc;
}

int smi_chunks_read(const struct smi_chunks *c, struct smi_input_stats **out, struct smi_err *err)
{
    struct context x = {0};
    struct piece *p = smi_mem_new(c->threads, sizeof *p);
    int rc = p ? read_beginning(c, &x, err) : smi_err_nomem(err), n = 0;
    if (rc == 1 && (n = cut_log(c, &x, p, err)) > 1) {
        run_pieces(p, (size_t)n);
        rc = join_pieces(p, n, &x, out, err);
        for (int i = 0; i < n; i++)
            smi_input_stats_free(p[i].part);
    } else if (rc == 1) {
        rc = n < 0 ? -1 : 0;
    }
    smi_mem_free(x.head);
    smi_mem_free(p);
    return rc;
}
