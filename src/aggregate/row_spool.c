/* row_spool.c - a record is its length, a tag and then numbers of 7 bits a byte, the lowest first; a number
 * that may be negative has its sign in the lowest bit. A row: whose, the second log that it is of, its time
 * as the distance from the row before, the metrics where they are others than those of the row before, the
 * readings. A mark: times, name, fields. */
#include "aggregate/row_spool.h"
#include "base/buf.h"
#include "base/file.h"
#include "base/mem.h"

#include <string.h>
#include <unistd.h>

/* ---- the file ---- */

static const char name[] = "a temporary file";

static int put_block(struct smi_spill_file *s, const char *p, uint32_t *place, struct smi_err *err)
{
    if (!s->made && (s->fd = smi_file_temp(err)) < 0)
        return -1;
    s->made = true;
    if (!s->nfree && s->blocks == UINT32_MAX)
        return smi_err_set(err, SMI_ELIMIT, "%s is too large", name);
    *place = s->nfree ? s->free[s->nfree - 1] : s->blocks;
    lseek(s->fd, (off_t)*place * SMI_SPILL_BLOCK, SEEK_SET);
    if (smi_file_write(s->fd, p, SMI_SPILL_BLOCK, "a temporary file ($TMPDIR)", err))
        return -1;
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

int smi_block_list_add(struct smi_block_list *c, const char *p, size_t n, struct smi_err *err)
{
    while (n) {
        const size_t left = SMI_SPILL_BLOCK - c->n, some = n < left ? n : left;
        smi_mem_reserve(&c->tail, &c->room, c->n + some, 1);
        memcpy(c->tail + c->n, p, some);
        c->n += some;
        p += some;
        n -= some;
        if (c->n < SMI_SPILL_BLOCK)
            continue;
        smi_mem_reserve(&c->block, &c->cap, c->blocks + 1, sizeof *c->block);
        if (put_block(c->of, c->tail, &c->block[c->blocks], &c->of->err))
            return smi_err_set(err, c->of->err.code, "%s", c->of->err.text);
        c->blocks++;
        c->n = 0;
    }
    return 0;
}

void smi_block_list_fini(struct smi_block_list *c)
{
    struct smi_spill_file *s = c->of;
    for (size_t i = 0; i < c->blocks; i++)
        *SMI_MEM_ADD(s->free, s->nfree, s->cap) = c->block[i];
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
        smi_buf_fini(&t->record);
    }
    smi_mem_free(t);
}

/* ---- onto the tape ---- */

static void append_number(struct smi_buf *b, uint64_t v)
{
    for (; v >= 0x80; v >>= 7)
        smi_buf_char(b, (char)(v | 0x80));
    smi_buf_char(b, (char)v);
}

static void append_signed(struct smi_buf *b, int64_t v)
{
    append_number(b, ((uint64_t)v << 1) ^ (v < 0 ? UINT64_MAX : 0));
}

static void append_text(struct smi_buf *b, struct smi_text t)
{
    append_number(b, t.n);
    smi_buf_add(b, t.p, t.n);
}

/* The record that was made, which is empty then. */
static int add_record(struct smi_row_spool *t, struct smi_err *err)
{
    const uint32_t n = (uint32_t)t->record.n;
    const int rc = smi_block_list_add(&t->chain, (const char *)&n, sizeof n, err) ||
                   smi_block_list_add(&t->chain, t->record.p, n, err);
    smi_buf_clear(&t->record);
    return rc ? -1 : 0;
}

int smi_row_spool_add(struct smi_row_spool *t, const struct smi_rows *r, unsigned i, struct smi_err *err)
{
    struct smi_buf *b = &t->record;
    bool same = r->metrics == t->n && memcmp(r->metric, t->metric, t->n * sizeof *t->metric) == 0;
    smi_buf_char(b, (char)((r->timed ? IS_TIMED : 0) | (same ? IS_SAME : 0) | (r->aside ? IS_ASIDE : 0) |
                           (r->begins ? IS_BEGIN : 0)));
    append_signed(b, r->who[i]);
    if (r->aside)
        append_number(b, (uint64_t)r->aside);
    if (r->timed) {
        append_signed(b, (int64_t)((uint64_t)r->t_ms[i] - (uint64_t)t->t_ms));
        t->t_ms = r->t_ms[i];
    }
    if (!same)
        append_number(b, t->n = r->metrics);
    for (unsigned c = 0; !same && c < r->metrics; c++)
        append_number(b, t->metric[c] = r->metric[c]);
    for (unsigned c = 0; c < r->metrics; c++)
        append_signed(b, smi_rows_reading(r, c, i));
    t->rows++;
    return add_record(t, err);
}

int smi_row_spool_add_mark(struct smi_row_spool *t, const struct smi_mark *m, struct smi_err *err)
{
    struct smi_buf *b = &t->record;
    smi_buf_char(b, (char)(IS_MARK | m->kind << KIND));
    append_signed(b, m->t_us);
    append_signed(b, m->span_us);
    append_text(b, m->name);
    append_number(b, m->fields);
    for (unsigned i = 0; i < m->fields; i++) {
        const struct smi_field *f = &m->field[i];
        smi_buf_char(b, (char)((f->number ? IS_NUMBER : 0) | (f->in_data ? IS_IN_DATA : 0) |
                               (f->quoted ? IS_QUOTED : 0)));
        append_text(b, f->key);
        append_text(b, f->text);
        append_signed(b, f->micro);
    }
    t->marks++;
    return add_record(t, err);
}

/* ---- off the tape ---- */

struct play {
    const char *p; /* what is left of the record at hand */
    const struct smi_row_spool_callbacks *calls;
    uint64_t rows, marks;
    int64_t t_ms;
    unsigned n;
    uint16_t metric[SMI_SAMPLE_MAX];
    int64_t v[SMI_SAMPLE_MAX];
    struct smi_field *field;
    size_t cap;
};

static uint64_t take_number(struct play *p)
{
    uint64_t v = 0;
    unsigned char c = 0x80;
    for (unsigned shift = 0; c & 0x80; shift += 7) {
        c = (unsigned char)*p->p++;
        v |= (uint64_t)(c & 0x7f) << shift;
    }
    return v;
}

static int64_t take_signed(struct play *p)
{
    const uint64_t u = take_number(p);
    return (int64_t)(u >> 1 ^ (u & 1 ? UINT64_MAX : 0));
}

static struct smi_text take_text(struct play *p)
{
    const size_t n = take_number(p);
    const struct smi_text t = {p->p, n};
    p->p += n;
    return t;
}

static int replay_row(struct play *p, unsigned tag, struct smi_err *err)
{
    const int who = (int)take_signed(p);
    struct smi_rows r = {.n = 1,
                         .metric = p->metric,
                         .t_ms = &p->t_ms,
                         .who = &who,
                         .timed = tag & IS_TIMED,
                         .begins = tag & IS_BEGIN};
    r.aside = tag & IS_ASIDE ? (int)take_number(p) : 0;
    if (r.timed)
        p->t_ms = (int64_t)((uint64_t)p->t_ms + (uint64_t)take_signed(p));
    p->n = r.metrics = tag & IS_SAME ? p->n : (unsigned)take_number(p);
    for (unsigned c = 0; !(tag & IS_SAME) && c < p->n; c++)
        p->metric[c] = (uint16_t)take_number(p);
    for (unsigned c = 0; c < p->n; c++)
        p->v[c] = take_signed(p);
    p->rows++;
    return p->calls->row ? p->calls->row(p->calls->self, p->rows - 1, &r, p->v, err) : 0;
}

static int replay_mark(struct play *p, unsigned tag, struct smi_err *err)
{
    struct smi_mark m = {.kind = (enum smi_mark_kind)(tag >> KIND), .who = SMI_DEVICE_HOST, .timed = true};
    m.t_us = take_signed(p);
    m.span_us = take_signed(p);
    m.name = take_text(p);
    m.fields = (unsigned)take_number(p);
    smi_mem_reserve(&p->field, &p->cap, m.fields, sizeof *p->field);
    for (size_t i = 0; i < m.fields; i++) {
        const unsigned bits = (unsigned char)*p->p++;
        struct smi_field *f = &p->field[i];
        *f = (struct smi_field){
            .number = bits & IS_NUMBER, .in_data = bits & IS_IN_DATA, .quoted = bits & IS_QUOTED};
        f->key = take_text(p);
        f->text = take_text(p);
        f->micro = take_signed(p);
    }
    m.field = p->field;
    p->marks++;
    return p->calls->mark ? p->calls->mark(p->calls->self, p->marks - 1, &m, err) : 0;
}

int smi_row_spool_replay(const struct smi_row_spool *t, const struct smi_row_spool_callbacks *calls,
                         struct smi_err *err)
{
    struct smi_block_list_cursor at = {.of = &t->chain};
    struct play p = {.calls = calls};
    struct smi_buf record = {0};
    uint32_t n;
    unsigned tag;
    int rc;
    while ((rc = smi_block_list_more(&at, err)) > 0) {
        smi_buf_clear(&record);
        if (smi_block_list_read(&at, (char *)&n, sizeof n, err) ||
            smi_block_list_read(&at, smi_buf_room(&record, n), n, err)) {
            rc = -1;
            break;
        }
        p.p = record.p;
        tag = (unsigned char)*p.p++;
        rc = tag & IS_MARK ? replay_mark(&p, tag, err) : replay_row(&p, tag, err);
        if (rc)
            break;
    }
    smi_block_list_cursor_fini(&at);
    smi_buf_fini(&record);
    smi_mem_free(p.field);
    return rc;
}
