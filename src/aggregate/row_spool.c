/* row_spool.c - a record is a tag and then numbers of 7 bits a byte, the lowest first; a number that may be negative has its
 * sign in the lowest bit. A row: whose, its time as the distance from the row before, the metrics where they are others
 * than those of the row before, the readings. A mark: times, name, fields. */
#include "aggregate/row_spool.h"

#include "base/buf.h"
#include "base/mem.h"

#include <string.h>

enum { IS_MARK = 1, IS_TIMED = 2, IS_SAME = 4 /* metrics */, KIND = 1 /* of a mark: bits above IS_MARK */ };
enum { IS_NUMBER = 1, IS_IN_DATA = 2, IS_QUOTED = 4 };
enum { NUMBER = 10 /* bytes at most */, ROW = 1 + 3 * NUMBER + SMI_SAMPLE_MAX * (3 + NUMBER) };

struct smi_tape *smi_tape_new(struct smi_scratch *scratch)
{
    struct smi_tape *t = smi_mem_new(1, sizeof *t);
    if (t)
        t->chain.of = t->text.of = scratch;
    return t;
}

void smi_tape_free(struct smi_tape *t)
{
    if (t) {
        smi_chain_fini(&t->chain);
        smi_chain_fini(&t->text);
    }
    smi_mem_free(t);
}

/* ---- onto the tape ---- */

static char *put(char *p, uint64_t v)
{
    for (; v >= 0x80; v >>= 7)
        *p++ = (char)(v | 0x80);
    *p++ = (char)v;
    return p;
}

static uint64_t folded(int64_t v)
{
    return ((uint64_t)v << 1) ^ (v < 0 ? UINT64_MAX : 0);
}

int smi_tape_row(struct smi_tape *t, const struct smi_sample *s, struct smi_err *err)
{
    char row[ROW], *p = row;
    bool same = s->n == t->n && memcmp(s->metric, t->metric, s->n * sizeof *s->metric) == 0;
    *p++ = (char)((s->timed ? IS_TIMED : 0) | (same ? IS_SAME : 0));
    p = put(p, folded(s->who));
    if (s->timed) {
        p = put(p, folded((int64_t)((uint64_t)s->t_ms - (uint64_t)t->t_ms)));
        t->t_ms = s->t_ms;
    }
    if (!same) {
        p = put(p, s->n);
        for (unsigned i = 0; i < s->n; i++)
            p = put(p, t->metric[i] = s->metric[i]);
        t->n = s->n;
    }
    for (unsigned i = 0; i < s->n; i++)
        p = put(p, folded(s->v[i]));
    t->rows++;
    return smi_chain_add(&t->chain, row, (size_t)(p - row), err);
}

static void put_number(struct smi_buf *b, uint64_t v)
{
    char *p = smi_buf_room(b, NUMBER);
    if (p)
        b->n += (size_t)(put(p, v) - p);
}

static void put_text(struct smi_buf *b, struct smi_text t)
{
    put_number(b, t.n);
    smi_buf_add(b, t.p, t.n);
}

int smi_tape_mark(struct smi_tape *t, const struct smi_mark *m, struct smi_err *err)
{
    struct smi_buf b = {0};
    int rc;
    smi_buf_char(&b, (char)(IS_MARK | m->kind << KIND));
    put_number(&b, folded(m->t_us));
    put_number(&b, folded(m->span_us));
    put_text(&b, m->name);
    put_number(&b, m->fields);
    for (unsigned i = 0; i < m->fields; i++) {
        const struct smi_field *f = &m->field[i];
        smi_buf_char(&b, (char)((f->number ? IS_NUMBER : 0) | (f->in_data ? IS_IN_DATA : 0) |
                                (f->quoted ? IS_QUOTED : 0)));
        put_text(&b, f->key);
        put_text(&b, f->text);
        put_number(&b, folded(f->micro));
    }
    t->marks++;
    rc = b.failed ? smi_err_nomem(err) : smi_chain_add(&t->chain, b.p, b.n, err);
    smi_buf_fini(&b);
    return rc;
}

/* ---- off the tape ---- */

struct play {
    struct smi_chain_at at;
    const struct smi_tape_calls *calls;
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

static int get_byte(struct play *p, unsigned char *c)
{
    if (p->at.n == 0)
        return smi_chain_get(&p->at, (char *)c, 1, p->err);
    *c = (unsigned char)*p->at.p++;
    p->at.n--;
    return 0;
}

static int get(struct play *p, uint64_t *v)
{
    unsigned char c = 0x80;
    *v = 0;
    for (unsigned shift = 0; c & 0x80 && shift < 64; shift += 7) {
        if (get_byte(p, &c))
            return -1;
        *v |= (uint64_t)(c & 0x7f) << shift;
    }
    return 0;
}

static int get_folded(struct play *p, int64_t *v)
{
    uint64_t u;
    if (get(p, &u))
        return -1;
    *v = (int64_t)(u >> 1 ^ (u & 1 ? UINT64_MAX : 0));
    return 0;
}

static int get_metrics(struct play *p)
{
    uint64_t n, m;
    if (get(p, &n))
        return -1;
    p->n = (unsigned)n;
    for (unsigned i = 0; i < p->n; i++) {
        if (get(p, &m))
            return -1;
        p->metric[i] = (uint16_t)m;
    }
    return 0;
}

static int play_row(struct play *p, unsigned tag)
{
    struct smi_sample s = {.timed = tag & IS_TIMED, .metric = p->metric, .v = p->v};
    int64_t who, step;
    if (get_folded(p, &who))
        return -1;
    if (s.timed) {
        if (get_folded(p, &step))
            return -1;
        p->t_ms = (int64_t)((uint64_t)p->t_ms + (uint64_t)step);
        s.t_ms = p->t_ms;
    }
    if (!(tag & IS_SAME) && get_metrics(p))
        return -1;
    for (unsigned i = 0; i < p->n; i++)
        if (get_folded(p, &p->v[i]))
            return -1;
    s.who = (int)who;
    s.n = p->n;
    p->rows++;
    return p->calls->row ? p->calls->row(p->calls->self, p->rows - 1, &s, p->err) : 0;
}

/* A text behind those that are there; it moves as they grow, so its place is kept. */
static int get_text(struct play *p, struct smi_text *t)
{
    uint64_t n;
    char *to;
    if (get(p, &n))
        return -1;
    to = smi_buf_room(&p->texts, n);
    if (!to)
        return smi_err_nomem(p->err);
    if (smi_chain_get(&p->at, to, n, p->err))
        return -1;
    p->texts.n += n;
    t->n = n;
    return 0;
}

static int get_field(struct play *p, struct smi_field *f)
{
    unsigned char tag;
    if (get_byte(p, &tag) || get_text(p, &f->key) || get_text(p, &f->text) || get_folded(p, &f->micro))
        return -1;
    f->number = tag & IS_NUMBER;
    f->in_data = tag & IS_IN_DATA;
    f->quoted = tag & IS_QUOTED;
    return 0;
}

static void give_text(const char **from, struct smi_text *t)
{
    t->p = *from;
    *from += t->n;
}

static int play_mark(struct play *p, unsigned tag)
{
    struct smi_mark m = {.kind = (enum smi_mark_kind)(tag >> KIND), .who = SMI_WHO_HOST, .timed = true};
    const char *from;
    uint64_t n;
    smi_buf_clear(&p->texts);
    if (get_folded(p, &m.t_us) || get_folded(p, &m.span_us) || get_text(p, &m.name) || get(p, &n))
        return -1;
    if (smi_mem_reserve(&p->field, &p->cap, n, sizeof *p->field))
        return smi_err_nomem(p->err);
    for (size_t i = 0; i < n; i++)
        if (get_field(p, &p->field[i]))
            return -1;
    from = p->texts.p ? p->texts.p : "";
    give_text(&from, &m.name);
    for (size_t i = 0; i < n; i++) {
        give_text(&from, &p->field[i].key);
        give_text(&from, &p->field[i].text);
    }
    m.field = p->field;
    m.fields = (unsigned)n;
    p->marks++;
    return p->calls->mark ? p->calls->mark(p->calls->self, p->marks - 1, &m, p->err) : 0;
}

int smi_tape_play(const struct smi_tape *t, const struct smi_tape_calls *calls, struct smi_err *err)
{
    struct play *p = smi_mem_new(1, sizeof *p);
    int rc;
    if (!p)
        return smi_err_nomem(err);
    p->at.of = &t->chain;
    p->calls = calls;
    p->err = err;
    while ((rc = smi_chain_more(&p->at, err)) > 0) {
        unsigned char tag;
        if (get_byte(p, &tag) || (tag & IS_MARK ? play_mark(p, tag) : play_row(p, tag))) {
            rc = -1;
            break;
        }
    }
    smi_chain_leave(&p->at);
    smi_buf_fini(&p->texts);
    smi_mem_free(p->field);
    smi_mem_free(p);
    return rc;
}
