#include "live/follow_state.h"

#include "base/buf.h"

enum { PIECE = 65536 };

/* It is no log, or there is trouble: f->err. Returns -1 then. */
static int drop_source(struct smi_follow_state *f, int file, int s, const struct smi_err *err)
{
    if (err->code != SMI_EFORMAT)
        return smi_err_set(&f->err, err->code, "%s", err->text);
    f->source[file] = -1;
    smi_live_source_state(f->now, s, SMI_SOURCE_DOWN, err->text);
    smi_machine_add_event(f->now, SMI_EVENT_WARN, "%s", err->text);
    return 0;
}

/* ---- what is stored ---- */

struct filling {
    struct smi_follow_state *f;
    int source;
    int64_t part;
    struct smi_buf text;
};

static int flush_stored_lines(struct filling *x, struct smi_err *err)
{
    int rc = x->text.failed ? smi_err_nomem(err) : 0;
    if (rc == 0 && x->text.n)
        rc = smi_machine_feed(x->f->now, x->source, x->text.p, x->text.n, x->f->mono_ms, err);
    smi_buf_clear(&x->text);
    return rc;
}

static int add_stored_line(void *self, int64_t part, const char *text, size_t n, struct smi_err *err)
{
    struct filling *x = self;
    if (x->part && part != x->part &&
        (flush_stored_lines(x, err) || smi_machine_restart(x->f->now, x->source, err)))
        return -1;
    x->part = part;
    smi_buf_add(&x->text, text, n);
    smi_buf_char(&x->text, '\n');
    return x->text.n >= PIECE ? flush_stored_lines(x, err) : 0;
}

static int fill_from_store(struct smi_follow_state *f, int file, int s, struct smi_err *err)
{
    struct filling x = {.f = f, .source = s};
    bool news = f->told < f->now->events;
    int rc = smi_follow_store_read(f->store, f->tail, file, add_stored_line, &x, err);
    rc = rc ? rc : flush_stored_lines(&x, err);
    smi_buf_fini(&x.text);
    if (!news)
        f->told = f->now->events;
    return rc;
}

/* ---- what comes ---- */

int smi_follow_state_source(struct smi_follow_state *f, int file)
{
    const struct smi_follow_file *t = smi_follow_file(f->tail, file);
    struct smi_err err = {0};
    int s;
    if (smi_mem_reserve(&f->source, &f->sources, (size_t)file + 1, sizeof *f->source))
        return smi_err_nomem(&f->err);
    if (f->source[file])
        return f->source[file] - (f->source[file] > 0);
    s = smi_machine_add_source(f->now, t->path, t->format, 0, &f->err);
    f->source[file] = s + 1;
    if (s >= 0)
        f->now->source[s]->stream = t->stream;
    /* A stream that begins is another one than that whose lines are stored under its name. */
    if (s < 0 || !f->store || (!t->at.id.ino && !t->at.offset))
        return s;
    if (fill_from_store(f, file, s, &err) && drop_source(f, file, s, &err))
        return -1;
    return f->source[file] - (f->source[file] > 0);
}

int smi_follow_state_bytes(struct smi_follow_state *f, int file, const char *p, size_t n)
{
    struct smi_err err = {0};
    int s = smi_follow_state_source(f, file), rc = 0;
    if (f->err.code)
        return -1;
    if (f->store && (rc = smi_follow_store_add(f->store, f->tail, file, p, n, &f->err)))
        return rc;
    if (s < 0 || smi_machine_feed(f->now, s, p, n, f->mono_ms, &err) == 0)
        return 0;
    return drop_source(f, file, s, &err);
}

int smi_follow_state_end(struct smi_follow_state *f, int file)
{
    struct smi_err err = {0};
    int s = smi_follow_state_source(f, file);
    if (s >= 0)
        f->now->source[s]->closed = true;
    return s < 0 || smi_machine_end(f->now, s, &err) == 0 ? 0 : drop_source(f, file, s, &err);
}
