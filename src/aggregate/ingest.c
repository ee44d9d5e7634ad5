/* ingest.c - a log into its statistics: by one reader, or in pieces by several threads. */
#include "aggregate/ingest.h"
#include "aggregate/input_stats.h"
#include "base/digest.h"
#include "base/mem.h"
#include "base/pool.h"
#include "formats/column_map.h"

#include <stdatomic.h>
#include <string.h>

enum { HEAD = SMI_DETECT_MOST };

struct smi_ingest {
    struct smi_ingest_opts o;
    const struct smi_format *format;
    int id;
    struct smi_reader *reader;
    struct smi_attribute *attribute;
    char *head;                           /* the first bytes, until the format is known */
    char columns[SMI_ROW_SHAPE_TEXT + 1]; /* that these tell */
    size_t n;
};

struct smi_ingest *smi_ingest_open(const struct smi_ingest_opts *o)
{
    struct smi_ingest *in = smi_mem_new(1, sizeof *in);
    in->o = *o;
    in->id = -1;
    return in;
}

/* GPUs of rows that name none: the user says it, or the map of the columns. */
static int gpus_of(const struct smi_ingest_opts *o)
{
    return o->gpu_count ? o->gpu_count : smi_column_map_gpus(o->columns);
}

static int open_reader(struct smi_ingest *in, int id, struct smi_err *err)
{
    const struct smi_read_opts o = {in->o.account, in->o.devices, in->o.later, in->o.columns};
    in->id = id;
    in->format = smi_formats[id];
    in->reader = smi_reader_open(in->format, &o, err);
    in->attribute = smi_attribute_new(in->o.to, in->o.devices, in->o.account, gpus_of(&in->o), in->o.plan);
    return in->reader ? 0 : -1;
}

_Static_assert(SMI_FMT_COUNT <= 64, "smi_ingest_opts.copied has a bit for each");
static int read_bytes(struct smi_ingest *in, const char *p, size_t n, struct smi_err *err)
{
    if (in->o.copy && in->o.copied >> in->id & 1 && smi_block_list_add(in->o.copy, p, n, err))
        return -1;
    return smi_reader_feed(in->reader, p, n, smi_attribute_sink(in->attribute), err);
}

/* Tells the format of the bytes so far, and reads them. */
static int detect_format(struct smi_ingest *in, struct smi_err *err)
{
    struct smi_detect why;
    struct smi_err bad = {0};
    const char *head = in->head ? in->head : "";
    int id = -1, rc;
    for (size_t size = SMI_DETECT_FIRST; size;)
        size = smi_detect_look(head, in->n, size, in->o.columns, &id, &why, &bad);
    if (bad.code)
        return smi_err_set(err, bad.code, "%s", bad.text);
    if (id < 0 || why.bare)
        return smi_err_set(err, SMI_EFORMAT, "%s", why.why);
    if (*why.columns)
        in->o.columns = strcpy(in->columns, why.columns);
    rc = open_reader(in, id, err) ? -1 : read_bytes(in, head, in->n, err);
    smi_mem_free(in->head);
    in->head = NULL;
    return rc;
}

int smi_ingest_feed(struct smi_ingest *in, const char *p, size_t n, struct smi_err *err)
{
    if (!in->reader && in->o.format >= 0 && open_reader(in, in->o.format, err))
        return -1;
    if (!in->reader) {
        size_t some = n < HEAD - in->n ? n : HEAD - in->n;
        if (!in->head)
            in->head = smi_mem_raw(HEAD);
        memcpy(in->head + in->n, p, some);
        in->n += some;
        if (in->n < HEAD)
            return 0;
        if (detect_format(in, err))
            return -1;
        p += some;
        n -= some;
    }
    return n ? read_bytes(in, p, n, err) : 0;
}

/* For a later piece of a log: reads what stands in front of the first row (headers), and forgets that it did.
 */
static int read_head(struct smi_ingest *in, const char *p, size_t n, struct smi_err *err)
{
    int rc = smi_ingest_feed(in, p, n, err);
    smi_account_fini(in->o.account);
    return rc;
}

int smi_ingest_finish(struct smi_ingest *in, struct smi_err *err)
{
    if (!in->reader && (in->o.format >= 0 ? open_reader(in, in->o.format, err) : detect_format(in, err)))
        return -1;
    struct smi_sink *to = smi_attribute_sink(in->attribute);
    return smi_reader_finish(in->reader, to, err) ? -1 : to->end(to, err);
}

int smi_ingest_decide(struct smi_ingest *in, struct smi_err *err)
{
    return in->reader && (smi_reader_settle(in->reader, smi_attribute_sink(in->attribute), err) ||
                          smi_attribute_decide(in->attribute, err))
               ? -1
               : 0;
}

int smi_ingest_settle(struct smi_ingest *in, struct smi_err *err)
{
    return in->reader ? smi_attribute_settle(in->attribute, err) : 0;
}

int smi_ingest_format(const struct smi_ingest *in)
{
    return in->id;
}

enum smi_time_base smi_ingest_base(const struct smi_ingest *in)
{
    return in->reader ? smi_reader_base(in->reader) : SMI_TIME_BASE_NONE;
}

void smi_ingest_close(struct smi_ingest *in)
{
    if (!in)
        return;
    smi_reader_close(in->reader);
    smi_attribute_free(in->attribute);
    smi_mem_free(in->head);
    smi_mem_free(in);
}

int smi_ingest_memory(struct smi_ingest *in, const char *p, size_t n, uint64_t *hash, struct smi_err *err)
{
    if (hash)
        *hash = smi_digest_of(p, n);
    return smi_ingest_feed(in, p, n, err) ? -1 : smi_ingest_finish(in, err);
}

/* ---- a log in pieces that threads read side by side ---- */

enum { HOUR = 3600000, SLACK = 5000, SLOW = SMI_LOCAL_CLOCK_SLOW_MS, NEAR_BITS = 20 };
_Static_assert(1 << NEAR_BITS < SLOW, "near is fast");

static int64_t absolute_ms(int64_t v)
{
    return v < 0 ? -v : v;
}

/* ---- a zone ---- */

static enum smi_stamp_kind read_by_zone(struct smi_local_clock *w, const struct smi_tz *z, int64_t t_ms)
{
    struct smi_tz_local here;
    bool doubled;
    if (t_ms >= w->from && t_ms < w->to)
        return SMI_STAMP_PLAIN;
    here = smi_tz_at(z, t_ms / 1000 - (t_ms % 1000 < 0));
    doubled = here.second_s != here.offset_s;
    w->second = doubled && w->has && w->last >= here.from * 1000 && w->last < here.to * 1000 &&
                (w->second || t_ms < w->last);
    w->ahead = (int64_t)((w->second ? here.second_s : here.offset_s) - z->standard_s) * 1000;
    w->from = w->to = 0;
    if (doubled || here.skipped)
        return here.skipped ? SMI_STAMP_SKIPPED_HOUR
               : w->second  ? SMI_STAMP_SECOND_PASS
                            : SMI_STAMP_FIRST_PASS;
    w->from = here.from > INT64_MIN / 1000 ? here.from * 1000 : INT64_MIN;
    w->to = here.to < INT64_MAX / 1000 ? here.to * 1000 : INT64_MAX;
    return SMI_STAMP_PLAIN;
}

/* ---- an offset ---- */

/* Summer time begins where an hour is left out between two full ones. A log of something that is done every
 * hour has the same distance, but elsewhere. */
static bool are_rows_missing(int64_t last, int64_t t_ms, int64_t interval)
{
    int64_t to_full = HOUR - (last % HOUR + HOUR) % HOUR, past_full = (t_ms % HOUR + HOUR) % HOUR;
    return to_full <= interval + SLACK && past_full <= interval + SLACK;
}

/* By how much the clock was set between two stamps that are d apart, where rows come every `interval` ms: -1,
 * 0, 1 h. */
static int hours_stepped(int64_t last, int64_t t_ms, int64_t interval)
{
    int64_t step = t_ms - last - interval;
    if (absolute_ms(absolute_ms(step) - HOUR) > SLACK)
        return 0;
    return step < 0 ? -1 : are_rows_missing(last, t_ms, interval) ? 1 : 0;
}

static enum smi_stamp_kind read_by_steps(struct smi_local_clock *w, int64_t t_ms)
{
    int64_t d = t_ms - w->last;
    int by;
    if (!w->has || absolute_ms(d) < SLOW)
        return SMI_STAMP_PLAIN;
    if (!w->pair) /* how fast rows come is not known: only a step back is plain enough */
        by = d < 0 ? hours_stepped(w->last, t_ms, 0) : 0;
    else
        by = w->before >= 0 && w->before <= SLOW ? hours_stepped(w->last, t_ms, w->before) : 0;
    if (by && absolute_ms(w->ahead + (int64_t)by * HOUR) <= HOUR) {
        w->ahead += (int64_t)by * HOUR;
        return SMI_STAMP_STEP;
    }
    return !w->pair || by ? SMI_STAMP_UNSURE : SMI_STAMP_PLAIN;
}

bool smi_local_clock_read_plain(struct smi_local_clock *w, const struct smi_local_clock_opts *o,
                                int64_t *t_ms, size_t n)
{
    const uint64_t near = 1 << NEAR_BITS;
    uint64_t apart;
    if (o->zone || !w->has || t_ms[0] < SMI_LOCAL_CLOCK_YEAR_MS + (int64_t)(n * near))
        return false;
    apart = (uint64_t)t_ms[0] - (uint64_t)w->last + near;
    for (size_t i = 1; i < n; i++)
        apart |= (uint64_t)t_ms[i] - (uint64_t)t_ms[i - 1] + near;
    if (apart >> (NEAR_BITS + 1))
        return false;
    w->before = t_ms[n - 1] - (n > 1 ? t_ms[n - 2] : w->last);
    w->pair = true;
    w->last = t_ms[n - 1];
    for (size_t i = 0; i < n; i++)
        t_ms[i] -= w->ahead;
    return true;
}

enum smi_stamp_kind smi_local_clock_read(struct smi_local_clock *w, const struct smi_local_clock_opts *o,
                                         int64_t *t_ms)
{
    enum smi_stamp_kind what = SMI_STAMP_PLAIN;
    int64_t t = *t_ms;
    if (t < SMI_LOCAL_CLOCK_YEAR_MS) /* a time of day: it has no date that a zone could go by */
        return what;
    if (o->zone)
        what = read_by_zone(w, o->zone, t);
    else if (o->steps)
        what = read_by_steps(w, t);
    if (w->has && what != SMI_STAMP_STEP) {
        w->before = t - w->last;
        w->pair = true;
    }
    if (!w->has)
        w->first = t;
    w->has = true;
    w->last = t;
    *t_ms = t - w->ahead;
    return what;
}

bool smi_local_clock_steps_between(const struct smi_local_clock *a, const struct smi_local_clock *b,
                                   const struct smi_local_clock_opts *o)
{
    return o->steps && a->has && b->has && absolute_ms(b->first - a->last) >= SLOW;
}

/* Members behind the reader: what the rows told so far. */
struct log_probe {
    struct smi_sink sink;
    struct smi_account account;
    struct smi_devices devices;
    struct smi_reader *reader;
    int format;
    char *buf; /* as many bytes as were asked for */
    size_t rows;
    bool row;              /* a row came since this was cleared */
    bool timed;            /* the same, of one with a time */
    bool hard;             /* a boundary stands in front of the next row */
    bool untimed, keyless; /* some row is */
    bool machine;          /* some row is of a machine whose GPUs have to be told apart */
    int64_t t_ms[SMI_BURST_PLAN_ROWS], first_ms,
        last_ms;                        /* times of the first rows; of the first and the last one */
    bool boundary[SMI_BURST_PLAN_ROWS]; /* in front of the first rows */
    bool has_time;
};

static int note_rows(struct smi_sink *self, const struct smi_rows *r, struct smi_err *err)
{
    struct log_probe *p = (struct log_probe *)self;
    (void)err;
    for (unsigned i = 0; i < r->n; i++, p->rows++) {
        const int64_t t_ms = r->timed ? r->t_ms[i] : 0;
        p->keyless |= !r->who || r->who[i] == SMI_DEVICE_KEYLESS;
        p->machine |= r->who && r->who[i] >= 0 && p->devices.list[r->who[i]].machine;
        if (p->rows < SMI_BURST_PLAN_ROWS) {
            p->t_ms[p->rows] = t_ms;
            p->boundary[p->rows] = p->hard;
        }
        p->hard = false;
        if (r->timed) {
            p->first_ms = p->has_time ? p->first_ms : t_ms;
            p->last_ms = t_ms;
            p->has_time = true;
        }
    }
    p->row |= r->n > 0;
    p->timed |= r->timed && r->n > 0;
    p->untimed |= !r->timed && r->n > 0;
    return 0;
}

static int note_mark(struct smi_sink *self, const struct smi_mark *m, struct smi_err *err)
{
    (void)err;
    ((struct log_probe *)self)->hard |= m->kind == SMI_MARK_BREAK;
    return 0;
}

/* o: format and columns count. Returns 0, or -1 with err; end it with log_probe_close in both cases. */
static int log_probe_open(struct log_probe *p, const struct smi_ingest_opts *o, size_t room,
                          struct smi_err *err)
{
    const struct smi_read_opts how = {&p->account, &p->devices, .columns = o->columns};
    *p = (struct log_probe){.sink = {.rows = note_rows, .mark = note_mark}, .format = o->format};
    p->buf = smi_mem_raw(room);
    p->reader = smi_reader_open(smi_formats[p->format], &how, err);
    return p->reader ? 0 : -1;
}

static void log_probe_close(struct log_probe *p)
{
    smi_reader_close(p->reader);
    smi_account_fini(&p->account);
    smi_devices_fini(&p->devices);
    smi_mem_free(p->buf);
}

/* What the beginning of a log tells, and the base of its times; NULL if it cannot be read: reading the log
 * reports what is wrong with it. */
static struct smi_input_stats *probe_first_rows(const struct smi_file_view *log,
                                                const struct smi_ingest_opts *o, enum smi_time_base *base)
{
    struct smi_input_stats *p = smi_input_stats_new(log->name, o->format);
    struct smi_err why = {0};
    char *buf = smi_mem_new(SMI_TIME_RANGE_PROBE_BYTES, 1);
    const ssize_t n = smi_file_view_read(log, buf, SMI_TIME_RANGE_PROBE_BYTES, 0, &why);
    struct smi_ingest_opts to = *o;
    struct smi_ingest *in;
    to.account = &p->account;
    to.devices = &p->devices;
    to.to = &p->sink;
    in = smi_ingest_open(&to);
    if (n > 0 && smi_ingest_feed(in, buf, (size_t)n, &why) == 0 && smi_ingest_finish(in, &why) == 0) {
        *base = smi_ingest_base(in);
    } else {
        smi_input_stats_free(p);
        p = NULL;
    }
    smi_ingest_close(in);
    smi_mem_free(buf);
    return p;
}

/* ---- times ---- */

/* Feeds the tail of the log, from its first whole line on: the byte in front of it tells where a line ends.
 * The buffer has `room` bytes. Rows of another header can be odd enough to pass for rows of the first one: if
 * most of them do not, none tells a time. */
static int probe_tail(struct log_probe *p, const struct smi_file_view *log, int64_t from, size_t room,
                      struct smi_err *err)
{
    const int64_t rejected = smi_account_rejected(&p->account);
    const size_t rows = p->rows;
    bool whole = false;
    ssize_t n;
    p->timed = false;
    for (; from < log->n; from += n) {
        const char *line = p->buf, *nl;
        if ((n = smi_file_view_read(log, p->buf, room, from, err)) <= 0)
            return n < 0 ? -1 : 0;
        if (!whole && (nl = memchr(p->buf, '\n', (size_t)n))) {
            whole = true;
            line = nl + 1;
        }
        if (whole && smi_reader_feed(p->reader, line, (size_t)(p->buf + n - line), &p->sink, err))
            return -1;
    }
    p->timed &= smi_account_rejected(&p->account) - rejected <= (int64_t)(p->rows - rows);
    return 0;
}

/* Looks at the whole lines of the first `room` bytes, and of the last `tail` of them. Returns 1 if both ends
 * gave a time, 0, or -1 with err. */
static int probe_ends(struct log_probe *p, const struct smi_file_view *log, size_t room, int64_t tail,
                      struct smi_err *err)
{
    ssize_t n = smi_file_view_read(log, p->buf, room, 0, err);
    while (n > 0 && n < log->n && p->buf[n - 1] != '\n')
        n--;
    if (n < 0 || smi_reader_feed(p->reader, p->buf, (size_t)n, &p->sink, err))
        return -1;
    if (n > 0 && n < log->n && (p->has_time || smi_reader_waits(p->reader)) &&
        probe_tail(p, log, (log->n - tail > n ? log->n - tail : n) - 1, room + 1, err))
        return -1;
    return smi_reader_settle(p->reader, &p->sink, err) ? -1 : p->timed;
}

/* Returns 1 if both ends gave a time, 0, or -1 with err. Most logs tell it in a few rows. Where the rows of
 * the end have another header than the first ones, it has to be found: the tail grows until it is in it. */
static int probe_times(struct smi_time_range_probe *g, const struct smi_file_view *log,
                       const struct smi_ingest_opts *o, struct smi_err *err)
{
    bool more = true;
    int rc = 0;
    for (int64_t tail = 512; more && rc == 0; tail *= 8) {
        const size_t room = tail < SMI_TIME_RANGE_PROBE_BYTES ? (size_t)tail : SMI_TIME_RANGE_PROBE_BYTES;
        struct log_probe p;
        rc = log_probe_open(&p, o, room + 1, err) ? -1 : probe_ends(&p, log, room, tail, err);
        g->first_ms = p.first_ms;
        g->last_ms = p.last_ms;
        g->utc |= p.has_time && smi_reader_base(p.reader) == SMI_TIME_BASE_UTC;
        g->elapsed = p.has_time && smi_reader_base(p.reader) == SMI_TIME_BASE_ELAPSED;
        more = tail < SMI_TIME_RANGE_PROBE_BYTES ? !p.rows || p.has_time : p.has_time && tail < log->n;
        log_probe_close(&p);
    }
    return rc;
}

void smi_time_range_probe(struct smi_time_range_probe *g, const struct smi_file_view *log,
                          const struct smi_ingest_opts *o, bool times)
{
    enum smi_time_base base = smi_format_infos[o->format].base;
    struct smi_err why = {0};
    if (base == SMI_TIME_BASE_NONE)
        smi_input_stats_free(probe_first_rows(log, o, &base));
    *g = (struct smi_time_range_probe){.utc = base == SMI_TIME_BASE_UTC};
    g->timed = times && probe_times(g, log, o, &why) == 1;
}

void smi_interval_probe(const struct smi_file_view *log, const struct smi_ingest_opts *o, int64_t *ms)
{
    enum smi_time_base base;
    struct smi_input_stats *p = probe_first_rows(log, o, &base);
    *ms = 0;
    if (!p)
        return;
    smi_input_stats_end(p);
    smi_input_stats_close(p);
    *ms = smi_counts_median(&p->dts);
    smi_input_stats_free(p);
}

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

/* The beginning of the log: what stands in front of the first row, and the plan of its first 256 rows.
 * Returns 1, 0 if they do not tell enough, -1. */
static int probe_beginning(const struct smi_chunks *c, struct context *x, struct smi_err *err)
{
    struct log_probe s;
    const char *p, *end, *nl;
    ssize_t n = -1;
    int rc = log_probe_open(&s, &c->ingest, PROBE, err);
    if (rc == 0)
        n = smi_file_read_at(c->fd, s.buf, PROBE, 0, c->name, err);
    if (n < 0)
        rc = -1;
    for (p = s.buf, end = p + n; rc == 0 && s.rows < SMI_BURST_PLAN_ROWS; p = nl + 1) {
        nl = memchr(p, '\n', (size_t)(end - p));
        if (!nl)
            break;
        s.row = false;
        rc = smi_reader_feed(s.reader, p, (size_t)(nl - p) + 1, &s.sink, err);
        if (rc == 0 && !x->head && (s.row || smi_reader_waits(s.reader))) {
            const struct smi_text head = smi_line_without_bom(smi_text_between(s.buf, p));
            x->changes = s.account.changes;
            x->head_n = head.n;
            x->head = smi_mem_text(head.p, head.n);
        }
    }
    x->keyless = s.keyless;
    if (rc == 0 && s.rows >= SMI_BURST_PLAN_ROWS) {
        x->plan = smi_burst_plan_make(s.untimed ? NULL : s.t_ms, s.boundary, SMI_BURST_PLAN_ROWS,
                                      gpus_of(&c->ingest));
        rc = smi_reader_base(s.reader) < SMI_TIME_BASE_DAY; /* the day is counted from the beginning */
        if (s.machine || (x->keyless && x->plan.kind == SMI_BURST_PLAN_BURSTS && !x->plan.by_time))
            rc = 0; /* bursts that are only counted cannot be found in the middle */
    }
    log_probe_close(&s);
    return rc;
}

/* Where the piece that nominally begins at `at` really does: a row that is read without those before it, and
 * where bursts matter the first of one. Returns the offset, 0 if there is none near, -1. */
static int64_t boundary(const struct smi_chunks *c, const struct context *x, int64_t at, struct smi_err *err)
{
    bool bursts = x->keyless && x->plan.kind == SMI_BURST_PLAN_BURSTS;
    struct log_probe s;
    int64_t found = 0;
    ssize_t n = log_probe_open(&s, &c->ingest, PROBE, err)
                    ? -1
                    : smi_file_read_at(c->fd, s.buf, SEEK, at - 1, c->name, err);
    const char *const end = s.buf + (n > 0 ? n : 0), *p = n > 0 ? memchr(s.buf, '\n', (size_t)n) : NULL, *nl;
    if (n < 0 || smi_reader_feed(s.reader, x->head, x->head_n, &s.sink, err))
        found = -1;
    else if (x->marks && p) /* any line is */
        found = at + (p - s.buf);
    s.hard = false;
    for (; found == 0 && p && (nl = memchr(p + 1, '\n', (size_t)(end - p) - 1)); p = nl) {
        const int64_t before = s.last_ms;
        const size_t rows = s.rows;
        const bool hard = s.hard;
        s.row = false;
        if (smi_reader_feed(s.reader, p + 1, (size_t)(nl - p), &s.sink, err))
            found = -1;
        const int64_t d = s.last_ms - before;
        if (found == 0 && s.row &&
            (!bursts || (rows > 0 && (hard || d < 0 || (smi_i128)d * d > (smi_i128)x->plan.a * x->plan.b))))
            found = at + (p - s.buf);
    }
    log_probe_close(&s);
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
    int rc = 0;
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
    struct smi_ingest *in;
    p->part = smi_input_stats_new(p->c->shown, o.format);
    p->part->opts = p->c->track;
    p->part->wall_opts = p->c->wall;
    o.account = &p->part->account;
    o.devices = &p->part->devices;
    o.to = &p->part->sink;
    o.later = !p->first;
    o.plan =
        p->x->marks ? NULL : &p->x->plan; /* the first too: it may be shorter than the rows of the plan */
    in = smi_ingest_open(&o);
    if (!p->first && read_head(in, p->x->head, p->x->head_n, &p->err) == 0)
        smi_faults_fini(&p->part->faults); /* the first piece tells them */
    if (!p->err.code && read_range(p, in, &p->err) == 0) {
        p->part->base = smi_ingest_base(in);
        for (size_t i = 0; i < p->part->devices.n; i++)
            p->part->keyed |= p->part->devices.list[i].ordinal < 0;
    }
    smi_ingest_close(in);
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
    struct piece *piece;
    size_t n;
    atomic_size_t next;
};

static void read_pieces(void *self, size_t thread)
{
    struct pieces *p = self;
    (void)thread;
    for (size_t i; (i = p->next++) < p->n;)
        read_piece(&p->piece[i]);
}

/* Phases, events and content. What a later piece had no name left for, the pieces before it may have: false
 * then. */
static bool join_marks(struct piece *p, int n)
{
    for (int i = 1; i < n; i++) {
        const struct smi_runlog *log = &p[i].part->log;
        if (log->event_other || log->phases.unnamed)
            return false;
        smi_runlog_merge(&p[0].part->log, log);
        smi_runlog_fini(&p[i].part->log);
        smi_digest_join(&p[0].digest, &p[i].digest);
    }
    p[0].part->size = p[0].digest.at;
    p[0].part->hash = smi_digest_value(&p[0].digest);
    return true;
}

static int join_pieces(struct piece *p, int n, const struct context *x, struct smi_input_stats **out,
                       struct smi_err *err)
{
    int64_t changes = 0;
    bool same = true;
    int rc = 1;
    for (int i = 0; i < n; i++) {
        if (p[i].err.code)
            rc = smi_err_set(err, p[i].err.code, "%s", p[i].err.text);
        changes += p[i].part->account.changes;
        same &= p[i].part->base == p[0].part->base;
    }
    /* A header in the middle that gives columns another meaning holds for the pieces behind it too, which did
     * not see it; so does the base that the first time of a log decides. */
    if (rc == 1 && (!same || changes != x->changes))
        rc = 0;
    if (rc == 1 && x->marks)
        rc = join_marks(p, n);
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
    int rc = 1, n = 0;
    x.marks = smi_format_infos[c->ingest.format].marks;
    if (x.marks)
        x.head = smi_mem_text("", 0);
    else
        rc = probe_beginning(c, &x, err);
    if (rc == 1 && (n = cut_log(c, &x, p, err)) > 1) {
        struct pieces all = {.piece = p, .n = (size_t)n};
        struct smi_pool pool;
        smi_pool_init(&pool);
        smi_pool_run(&pool, all.n, read_pieces, &all, NULL);
        smi_pool_fini(&pool);
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
