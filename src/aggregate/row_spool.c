/* row_spool.c - a record is a tag and then numbers of 7 bits a byte, the lowest first; a number that may be
 * negative has its sign in the lowest bit. A row: whose, the second log that it is of, its time as the
 * distance from the row before, the metrics where they are others than those of the row before, the readings.
 * A mark: times, name, fields. */
#include "aggregate/row_spool.h"
#include "base/buf.h"
#include "base/file.h"
#include "base/mem.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* ---- the file ---- */

static const char name[] = "a temporary file";

/* Keeps what went wrong. Returns -1. */
static int keep_error(struct smi_spill_file *s, const struct smi_err *why, struct smi_err *err)
{
    smi_err_set(&s->err, why->code, "%s", why->text);
    return smi_err_set(err, why->code, "%s", why->text);
}

/* All of it, or what the disk says. */
static int write_at(int fd, const char *p, size_t n, off_t at, struct smi_err *err)
{
    while (n) {
        ssize_t done = pwrite(fd, p, n, at);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return smi_err_set(err, SMI_EIO, "cannot write %s ($TMPDIR): %s", name, strerror(errno));
        p += done;
        at += done;
        n -= (size_t)done;
    }
    return 0;
}

static int write_block(struct smi_spill_file *s, const char *p, uint32_t *place, struct smi_err *err)
{
    struct smi_err why = {0};
    if (!s->made && (s->fd = smi_file_temp(&why)) < 0)
        return keep_error(s, &why, err);
    s->made = true;
    if (!s->nfree && s->blocks == UINT32_MAX)
        return smi_err_set(&why, SMI_ELIMIT, "%s is too large", name), keep_error(s, &why, err);
    *place = s->nfree ? s->free[s->nfree - 1] : s->blocks;
    if (write_at(s->fd, p, SMI_SPILL_BLOCK, (off_t)*place * SMI_SPILL_BLOCK, &why))
        return keep_error(s, &why, err);
    s->nfree -= s->nfree > 0;
    s->blocks += *place == s->blocks;
    return 0;
}

static int read_block(const struct smi_spill_file *s, uint32_t place, char *p, struct smi_err *err)
{
    int64_t at = (int64_t)place * SMI_SPILL_BLOCK;
    for (size_t got = 0; got < SMI_SPILL_BLOCK;) {
        ssize_t n = smi_file_read_at(s->fd, p + got, SMI_SPILL_BLOCK - got, at + (int64_t)got, name, err);
        if (n < 0)
            return -1;
        if (n == 0)
            return smi_err_set(err, SMI_EIO, "%s ends too early", name);
        got += (size_t)n;
    }
    return 0;
}

void smi_spill_file_fini(struct smi_spill_file *s)
{
    if (s->made)
        close(s->fd);
    smi_mem_free(s->free);
    *s = (struct smi_spill_file){0};
}

/* ---- lists ---- */

enum { FIRST = 1 << 12 /* of most chains nothing more is needed */ };

/* Room in the tail, which grows up to a block. */
static void reserve_tail(struct smi_block_list *c, size_t n)
{
    size_t room = c->room ? c->room : FIRST;
    char *p;
    while (room < SMI_SPILL_BLOCK && room < c->n + n)
        room *= 2;
    if (room == c->room)
        return;
    p = smi_mem_raw(room);
    if (c->n)
        memcpy(p, c->tail, c->n);
    smi_mem_free(c->tail);
    c->tail = p;
    c->room = room;
}

int smi_block_list_add(struct smi_block_list *c, const char *p, size_t n, struct smi_err *err)
{
    while (n) {
        size_t some;
        if (c->n + n > c->room)
            reserve_tail(c, n);
        some = n < c->room - c->n ? n : c->room - c->n;
        memcpy(c->tail + c->n, p, some);
        c->n += some;
        p += some;
        n -= some;
        if (c->n < SMI_SPILL_BLOCK)
            continue;
        smi_mem_reserve(&c->block, &c->cap, c->blocks + 1, sizeof *c->block);
        if (write_block(c->of, c->tail, &c->block[c->blocks], err))
            return -1;
        c->blocks++;
        c->n = 0;
    }
    return 0;
}

void smi_block_list_fini(struct smi_block_list *c)
{
    struct smi_spill_file *s = c->of;
    for (size_t i = 0; i < c->blocks; i++) {
        smi_mem_reserve(&s->free, &s->cap, s->nfree + 1, sizeof *s->free);
        s->free[s->nfree++] = c->block[i];
    }
    smi_mem_free(c->block);
    smi_mem_free(c->tail);
    *c = (struct smi_block_list){.of = c->of};
}

int smi_block_list_more(struct smi_block_list_cursor *at, struct smi_err *err)
{
    const struct smi_block_list *c = at->of;
    if (at->n)
        return 1;
    if (at->next < c->blocks) {
        if (!at->buf)
            at->buf = smi_mem_raw(SMI_SPILL_BLOCK);
        if (read_block(c->of, c->block[at->next++], at->buf, err))
            return -1;
        at->p = at->buf;
        at->n = SMI_SPILL_BLOCK;
        return 1;
    }
    if (at->next++ > c->blocks)
        return 0;
    at->p = c->tail;
    at->n = c->n;
    return at->n > 0;
}

int smi_block_list_read(struct smi_block_list_cursor *at, char *p, size_t n, struct smi_err *err)
{
    while (n) {
        size_t some;
        int rc = smi_block_list_more(at, err);
        if (rc <= 0)
            return rc ? -1 : smi_err_set(err, SMI_EIO, "a temporary file ends too early");
        some = n < at->n ? n : at->n;
        memcpy(p, at->p, some);
        p += some;
        at->p += some;
        at->n -= some;
        n -= some;
    }
    return 0;
}

void smi_block_list_cursor_fini(struct smi_block_list_cursor *at)
{
    smi_mem_free(at->buf);
    *at = (struct smi_block_list_cursor){.of = at->of};
}

enum {
    IS_MARK = 1,
    IS_TIMED = 2,
    IS_SAME = 4 /* metrics */,
    IS_ASIDE = 8,
    IS_BEGIN = 16,
    KIND = 1 /* of a mark: bits above IS_MARK */
};
enum { IS_NUMBER = 1, IS_IN_DATA = 2, IS_QUOTED = 4 };
enum { NUMBER = 10 /* bytes at most */, ROW = 1 + 4 * NUMBER + SMI_SAMPLE_MAX * (3 + NUMBER) };

struct smi_row_spool *smi_row_spool_new(struct smi_spill_file *scratch)
{
    struct smi_row_spool *t = smi_mem_new(1, sizeof *t);
    t->chain.of = t->text.of = scratch;
    return t;
}

void smi_row_spool_free(struct smi_row_spool *t)
{
    if (t) {
        smi_block_list_fini(&t->chain);
        smi_block_list_fini(&t->text);
    }
    smi_mem_free(t);
}

/* ---- onto the tape ---- */

static char *write_varint(char *p, uint64_t v)
{
    for (; v >= 0x80; v >>= 7)
        *p++ = (char)(v | 0x80);
    *p++ = (char)v;
    return p;
}

static uint64_t zigzag(int64_t v)
{
    return ((uint64_t)v << 1) ^ (v < 0 ? UINT64_MAX : 0);
}

int smi_row_spool_add(struct smi_row_spool *t, const struct smi_sample *s, struct smi_err *err)
{
    char row[ROW], *p = row;
    bool same = s->n == t->n && memcmp(s->metric, t->metric, s->n * sizeof *s->metric) == 0;
    *p++ = (char)((s->timed ? IS_TIMED : 0) | (same ? IS_SAME : 0) | (s->aside ? IS_ASIDE : 0) |
                  (s->begins ? IS_BEGIN : 0));
    p = write_varint(p, zigzag(s->who));
    if (s->aside)
        p = write_varint(p, (uint64_t)s->aside);
    if (s->timed) {
        p = write_varint(p, zigzag((int64_t)((uint64_t)s->t_ms - (uint64_t)t->t_ms)));
        t->t_ms = s->t_ms;
    }
    if (!same) {
        p = write_varint(p, s->n);
        for (unsigned i = 0; i < s->n; i++)
            p = write_varint(p, t->metric[i] = s->metric[i]);
        t->n = s->n;
    }
    for (unsigned i = 0; i < s->n; i++)
        p = write_varint(p, zigzag(s->v[i]));
    t->rows++;
    return smi_block_list_add(&t->chain, row, (size_t)(p - row), err);
}

static void append_number(struct smi_buf *b, uint64_t v)
{
    char *p = smi_buf_room(b, NUMBER);
    b->n += (size_t)(write_varint(p, v) - p);
}

static void append_text(struct smi_buf *b, struct smi_text t)
{
    append_number(b, t.n);
    smi_buf_add(b, t.p, t.n);
}

int smi_row_spool_add_mark(struct smi_row_spool *t, const struct smi_mark *m, struct smi_err *err)
{
    struct smi_buf b = {0};
    int rc;
    smi_buf_char(&b, (char)(IS_MARK | m->kind << KIND));
    append_number(&b, zigzag(m->t_us));
    append_number(&b, zigzag(m->span_us));
    append_text(&b, m->name);
    append_number(&b, m->fields);
    for (unsigned i = 0; i < m->fields; i++) {
        const struct smi_field *f = &m->field[i];
        smi_buf_char(&b, (char)((f->number ? IS_NUMBER : 0) | (f->in_data ? IS_IN_DATA : 0) |
                                (f->quoted ? IS_QUOTED : 0)));
        append_text(&b, f->key);
        append_text(&b, f->text);
        append_number(&b, zigzag(f->micro));
    }
    t->marks++;
    rc = smi_block_list_add(&t->chain, b.p, b.n, err);
    smi_buf_fini(&b);
    return rc;
}

/* ---- off the tape ---- */

struct play {
    struct smi_block_list_cursor at;
    const struct smi_row_spool_callbacks *calls;
    uint64_t rows, marks;
    int64_t t_ms;
    unsigned n;
    uint16_t metric[SMI_SAMPLE_MAX];
    int64_t v[SMI_SAMPLE_MAX];
    struct smi_buf texts; /* of a mark: its name, and key and text of every field */
    struct smi_field *field;
    size_t cap;
    struct smi_err *err;
};

static int read_byte(struct play *p, unsigned char *c)
{
    if (p->at.n == 0)
        return smi_block_list_read(&p->at, (char *)c, 1, p->err);
    *c = (unsigned char)*p->at.p++;
    p->at.n--;
    return 0;
}

static int read_number(struct play *p, uint64_t *v)
{
    unsigned char c = 0x80;
    *v = 0;
    for (unsigned shift = 0; c & 0x80 && shift < 64; shift += 7) {
        if (read_byte(p, &c))
            return -1;
        *v |= (uint64_t)(c & 0x7f) << shift;
    }
    return 0;
}

static int read_signed(struct play *p, int64_t *v)
{
    uint64_t u;
    if (read_number(p, &u))
        return -1;
    *v = (int64_t)(u >> 1 ^ (u & 1 ? UINT64_MAX : 0));
    return 0;
}

static int read_metrics(struct play *p)
{
    uint64_t n, m;
    if (read_number(p, &n))
        return -1;
    p->n = (unsigned)n;
    for (unsigned i = 0; i < p->n; i++) {
        if (read_number(p, &m))
            return -1;
        p->metric[i] = (uint16_t)m;
    }
    return 0;
}

static int replay_row(struct play *p, unsigned tag)
{
    struct smi_sample s = {.timed = tag & IS_TIMED, .begins = tag & IS_BEGIN, .metric = p->metric, .v = p->v};
    int64_t who, step;
    uint64_t aside = 0;
    if (read_signed(p, &who) || (tag & IS_ASIDE && read_number(p, &aside)))
        return -1;
    if (s.timed) {
        if (read_signed(p, &step))
            return -1;
        p->t_ms = (int64_t)((uint64_t)p->t_ms + (uint64_t)step);
        s.t_ms = p->t_ms;
    }
    if (!(tag & IS_SAME) && read_metrics(p))
        return -1;
    for (unsigned i = 0; i < p->n; i++)
        if (read_signed(p, &p->v[i]))
            return -1;
    s.who = (int)who;
    s.aside = (int)aside;
    s.n = p->n;
    p->rows++;
    return p->calls->row ? p->calls->row(p->calls->self, p->rows - 1, &s, p->err) : 0;
}

/* A text behind those that are there; it moves as they grow, so its place is kept. */
static int read_text(struct play *p, struct smi_text *t)
{
    uint64_t n;
    char *to;
    if (read_number(p, &n))
        return -1;
    to = smi_buf_room(&p->texts, n);
    if (smi_block_list_read(&p->at, to, n, p->err))
        return -1;
    p->texts.n += n;
    t->n = n;
    return 0;
}

static void resolve_text(const char **from, struct smi_text *t)
{
    t->p = *from;
    *from += t->n;
}

static int replay_mark(struct play *p, unsigned tag)
{
    struct smi_mark m = {.kind = (enum smi_mark_kind)(tag >> KIND), .who = SMI_DEVICE_HOST, .timed = true};
    const char *from;
    uint64_t n;
    smi_buf_clear(&p->texts);
    if (read_signed(p, &m.t_us) || read_signed(p, &m.span_us) || read_text(p, &m.name) || read_number(p, &n))
        return -1;
    smi_mem_reserve(&p->field, &p->cap, n, sizeof *p->field);
    for (size_t i = 0; i < n; i++) {
        struct smi_field *f = &p->field[i];
        unsigned char bits;
        if (read_byte(p, &bits) || read_text(p, &f->key) || read_text(p, &f->text) ||
            read_signed(p, &f->micro))
            return -1;
        f->number = bits & IS_NUMBER;
        f->in_data = bits & IS_IN_DATA;
        f->quoted = bits & IS_QUOTED;
    }
    from = p->texts.p ? p->texts.p : "";
    resolve_text(&from, &m.name);
    for (size_t i = 0; i < n; i++) {
        resolve_text(&from, &p->field[i].key);
        resolve_text(&from, &p->field[i].text);
    }
    m.field = p->field;
    m.fields = (unsigned)n;
    p->marks++;
    return p->calls->mark ? p->calls->mark(p->calls->self, p->marks - 1, &m, p->err) : 0;
}

int smi_row_spool_replay(const struct smi_row_spool *t, const struct smi_row_spool_callbacks *calls,
                         struct smi_err *err)
{
    struct play *p = smi_mem_new(1, sizeof *p);
    int rc;
    p->at.of = &t->chain;
    p->calls = calls;
    p->err = err;
    while ((rc = smi_block_list_more(&p->at, err)) > 0) {
        unsigned char tag;
        if (read_byte(p, &tag) || (tag & IS_MARK ? replay_mark(p, tag) : replay_row(p, tag))) {
            rc = -1;
            break;
        }
    }
    smi_block_list_cursor_fini(&p->at);
    smi_buf_fini(&p->texts);
    smi_mem_free(p->field);
    smi_mem_free(p);
    return rc;
}
