/* sweep.c - all runs, by a pool of threads: each takes the next run, reads it, and leaves what it makes of it
 * in that run's slot. So the order of results is that of the names, and the memory is that of the summaries.
 */
#include "sweep/sweep.h"

#include "base/buf.h"
#include "findings/findings.h"
#include "partial/partial.h"
#include "sweep/members.h"
#include "sweep/told.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS_MAX = 256, AHEAD = 8 /* documents a thread may be ahead of the one that is written next */ };

struct pool {
    const struct smi_found *found;
    const struct smi_discover_opts *d;
    const struct smi_options *o;
    struct smi_summary *summary; /* a slot for each run; or NULL: partials are made */
    char **text;                 /* the same, where o->text makes them, and they are kept */
    struct smi_buf *document;    /* the same, of texts or partials, where they are handed out */
    struct smi_buf *odd; /* a slot for each run: files that could not be used, each text with its NUL */
    bool *ready;
    bool *unit; /* units that a thread has taken */
    smi_document_fn *put;
    void *self;
    pthread_mutex_t lock;
    pthread_cond_t moved;
    size_t next, done, put_next,
        window;         /* next to take, finished, next to put, how far the takers may be ahead */
    int64_t usable;     /* as smi_sweep.usable */
    /* lines, but for last ones that were cut off: what a run that is not summarised is doubted for */
    int64_t rejected;
    struct smi_err err; /* the first that went wrong: all stop */
};

/* Is run i read with an archive that a thread has taken already? If not, it is taken now. */
static bool is_taken(struct pool *p, size_t i)
{
    size_t unit = p->found->run[i].unit;
    bool was = unit && p->unit[unit];
    p->unit[unit] = true;
    return was;
}

/* The next run to work on, or the number of runs when there is none. A run in an archive stands for its whole unit. */
static size_t take(struct pool *p)
{
    size_t i, n = p->found->runs;
    pthread_mutex_lock(&p->lock);
    while (p->put && !p->err.code && p->next < n && p->next >= p->put_next + p->window)
        pthread_cond_wait(&p->moved, &p->lock);
    while (p->next < n && is_taken(p, p->next))
        p->next++;
    i = p->err.code ? n : p->next < n ? p->next++ : n;
    pthread_mutex_unlock(&p->lock);
    return i;
}

/* Hands out the document whose turn it is. Locked. */
static void put_next(struct pool *p, const struct smi_buf *b)
{
    if (p->put(p->self, b, p->usable > 0, &p->err) && !p->err.code)
        smi_err_set(&p->err, SMI_EIO, "a document could not be handed on");
    p->put_next++;
}

/* The document of run i is in b. It is handed out, if it is its turn, and those behind it that
 * waited for it. Locked. */
static void put_ready(struct pool *p, size_t i, const struct smi_buf *b)
{
    if (p->put_next == i && !p->err.code)
        put_next(p, b);
    else
        smi_buf_add(&p->document[i], b->p ? b->p : "", b->n);
    p->ready[i] = true;
    while (!p->err.code && p->put_next < p->found->runs && p->ready[p->put_next]) {
        struct smi_buf *waits = &p->document[p->put_next];
        if (waits->failed)
            smi_err_nomem(&p->err);
        else
            put_next(p, waits);
        smi_buf_fini(waits);
    }
}

/* Run i is done; b as in put_ready. */
static void finish(struct pool *p, size_t i, const struct smi_buf *b, const struct smi_err *err)
{
    pthread_mutex_lock(&p->lock);
    if (err->code && !p->err.code)
        p->err = *err;
    p->done++;
    if (p->put)
        put_ready(p, i, b);
    if (p->d->progress && !p->err.code)
        p->d->progress(p->d->self, p->done, p->found->runs);
    if (p->put || p->err.code)
        pthread_cond_broadcast(&p->moved);
    pthread_mutex_unlock(&p->lock);
}

/* A log that is only begun is usable, and one without a reading; one of which no line was understood is not. */
static void count_usable(struct pool *p, const struct smi_run *run)
{
    pthread_mutex_lock(&p->lock);
    for (size_t i = 0; i < run->parts; i++) {
        const struct smi_account *a = &run->part[i]->account;
        int64_t rejected = smi_account_rejected(a) - a->rejected[SMI_TORN_TAIL];
        p->usable += a->rows + a->header + a->messages > 0 || rejected == 0;
        p->rejected += rejected;
    }
    pthread_mutex_unlock(&p->lock);
}

/* Appends the text that o makes of a summary, which is brief from here on. *left is as for smi_summary_brief. */
static int make_text(struct smi_summary *s, const struct smi_options *o, struct smi_buf *to, struct smi_arena *left,
                     struct smi_err *err)
{
    struct smi_summary full = *s;
    o->text(to, s);
    return smi_summary_brief(s, &full, left) || to->failed ? smi_err_nomem(err) : 0;
}

/* A copy without a byte too many: there are thousands of them. */
static char *text_of(const struct smi_buf *b)
{
    return b->failed ? NULL : smi_mem_text(b->p ? b->p : "", b->n);
}

/* Few runs keep their timelines at once, and those that cannot be read again. */
static struct smi_options options_of(const struct pool *p, size_t i)
{
    struct smi_options o = *p->o;
    o.timeline = o.timelines && (p->found->runs <= o.timelines || smi_found_stream(&p->found->run[i]));
    o.skip_series = o.timeline ? 0 : o.skip_series;
    return o;
}

static int summarise(struct pool *p, size_t i, struct smi_run *run, struct smi_room *room, struct smi_err *err)
{
    struct smi_options o = options_of(p, i);
    if (o.text) {
        run->room = room->summary;
        room->summary = (struct smi_arena){0};
    }
    if (smi_findings_build(&p->summary[i], run, &o, err))
        return -1;
    p->summary[i].path = smi_path_of(&p->summary[i], p->found, i);
    p->summary[i].place = i;
    if (!o.text)
        return 0;
    if (make_text(&p->summary[i], &o, &room->document, &room->summary, err))
        return -1;
    return p->text && !(p->text[i] = text_of(&room->document)) ? smi_err_nomem(err) : 0;
}

/* What is left of a run that was read; room->document gets its document. */
static int keep_run(struct pool *p, size_t i, struct smi_run *run, struct smi_room *room, struct smi_err *err)
{
    int rc;
    smi_buf_clear(&room->document);
    smi_sweep_odd(&p->odd[i], &p->found->run[i], run);
    count_usable(p, run);
    rc = p->summary ? summarise(p, i, run, room, err) : smi_sweep_doubts(run, p->found, i, &p->odd[i], err);
    if (!rc && !p->summary)
        rc = smi_partial_put(&room->document, run, p->o, err);
    return p->odd[i].failed || room->document.failed ? smi_err_nomem(err) : rc;
}

static void one_run(struct pool *p, size_t i, struct smi_room *room)
{
    struct smi_run run;
    struct smi_err err = {0};
    struct smi_options o = options_of(p, i);
    memset(&run, 0, sizeof run);
    if (!o.threads && p->found->runs) /* threads that no run needs for itself read large logs in pieces */
        o.threads = (unsigned)(p->d->threads / p->found->runs);
    if (smi_read_run(&run, &p->found->run[i], &o, room, &err) == 0)
        keep_run(p, i, &run, room, &err);
    smi_run_fini(&run);
    finish(p, i, &room->document, &err);
}

static int one_of_unit(void *self, size_t i, struct smi_run *run, struct smi_err *err)
{
    struct pool *p = self;
    struct smi_room room = {0};
    int rc = keep_run(p, i, run, &room, err);
    finish(p, i, &room.document, err);
    smi_room_fini(&room);
    return rc;
}

static void one_unit(struct pool *p, size_t first)
{
    struct smi_err err = {0};
    struct smi_options o = options_of(p, first);
    if (smi_read_unit(p->found, p->found->run[first].unit, &o, one_of_unit, p, &err)) {
        pthread_mutex_lock(&p->lock);
        if (!p->err.code)
            p->err = err;
        pthread_cond_broadcast(&p->moved);
        pthread_mutex_unlock(&p->lock);
    }
}

static void *work(void *arg)
{
    struct pool *p = arg;
    struct smi_room room = {0};
    for (size_t i; (i = take(p)) < p->found->runs;)
        if (p->found->run[i].unit)
            one_unit(p, i);
        else
            one_run(p, i, &room);
    smi_room_fini(&room);
    return NULL;
}

static int run_pool(struct pool *p, struct smi_err *err)
{
    pthread_t id[THREADS_MAX];
    size_t n = p->d->threads, started = 1;
    n = n > THREADS_MAX ? THREADS_MAX : n;
    n = n > p->found->runs ? p->found->runs : n;
    p->window = (n ? n : 1) * AHEAD;
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->moved, NULL);
    while (started < n && pthread_create(&id[started], NULL, work, p) == 0)
        started++;
    work(p);
    while (--started > 0)
        pthread_join(id[started], NULL);
    pthread_cond_destroy(&p->moved);
    pthread_mutex_destroy(&p->lock);
    return p->err.code ? smi_err_set(err, p->err.code, "%s", p->err.text) : 0;
}

/* ---- what a sweep says besides its runs ---- */

static int set_title(struct smi_sweep *s, const char *const *path, size_t n)
{
    char text[32];
    const char *title = n == 1 ? path[0] : text;
    s->paths = n;
    snprintf(text, sizeof text, "%zu paths", n);
    s->title = smi_arena_text(&s->arena, title, strlen(title));
    return s->title ? 0 : -1;
}

/* grid: somebody will look at the parameters side by side. */
static int close_sweep(struct smi_sweep *s, bool grid, struct smi_err *err)
{
    for (size_t i = 0; i < s->n; i++)
        smi_total_add(&s->total, &s->runs[i]);
    smi_total_close(&s->total);
    return grid ? smi_sweep_params(s, err) : 0;
}

/* ---- the three ways to a sweep ---- */

static void end_pool(struct pool *p, size_t runs)
{
    for (size_t i = 0; i < runs; i++) { /* what was found may be used again */
        if (p->odd)
            smi_buf_fini(&p->odd[i]);
        if (p->document)
            smi_buf_fini(&p->document[i]);
    }
    smi_mem_free(p->odd);
    smi_mem_free(p->document);
    smi_mem_free(p->ready);
    smi_mem_free(p->unit);
}

/* All the work on what was found; p's slots for results are there. */
static int work_through(struct smi_sweep *out, struct pool *p, const char *const *path, size_t n,
                        struct smi_err *err)
{
    p->unit = smi_mem_new(p->found->archives + 1, sizeof *p->unit);
    if (!p->unit || set_title(out, path, n))
        return smi_err_nomem(err);
    if (run_pool(p, err))
        return -1;
    out->usable = p->usable;
    out->total.doubts = p->summary ? 0 : p->rejected; /* of summaries they are added up with all else */
    return smi_sweep_told(out, p->found, p->odd) ? smi_err_nomem(err) : 0;
}

/* Slots for what is made of each run. Returns 0, or -1 without memory. */
static int make_slots(struct smi_sweep *out, struct pool *p, size_t n)
{
    bool summaries = !p->put || p->o->text, texts = !p->put && p->o->text;
    p->odd = smi_mem_new(n, sizeof *p->odd);
    if (summaries && (p->summary = out->runs = smi_mem_new(n, sizeof *out->runs)))
        out->n = n;
    if (texts)
        p->text = out->text = smi_mem_new(n, sizeof *out->text);
    if (p->put) {
        p->document = smi_mem_new(n, sizeof *p->document);
        p->ready = smi_mem_new(n, sizeof *p->ready);
    }
    return !p->odd || (summaries && !p->summary) || (texts && !p->text) || (p->put && (!p->document || !p->ready)) ? -1
                                                                                                                   : 0;
}

/* The sweep behind the paths; p has what is asked for. */
static int sweep(struct smi_sweep *out, struct pool *p, const char *const *path, size_t n, struct smi_err *err)
{
    int rc;
    memset(out, 0, sizeof *out);
    if (smi_discover(&out->found, path, n, p->d, err))
        return -1;
    p->found = &out->found;
    rc = make_slots(out, p, out->found.runs) ? smi_err_nomem(err) : work_through(out, p, path, n, err);
    if (!rc && p->summary)
        rc = close_sweep(out, !p->put, err);
    end_pool(p, out->found.runs);
    if (rc)
        smi_sweep_fini(out);
    else if (!p->o->timelines)
        smi_found_fini(&out->found);
    return rc;
}

int smi_sweep_read(struct smi_sweep *out, const char *const *path, size_t n,
                   const struct smi_discover_opts *d, const struct smi_options *o, struct smi_err *err)
{
    struct pool p = {.d = d, .o = o};
    return sweep(out, &p, path, n, err);
}

int smi_sweep_documents(struct smi_sweep *out, const char *const *path, size_t n, const struct smi_discover_opts *d,
                        const struct smi_options *o, smi_document_fn *put, void *self, struct smi_err *err)
{
    struct pool p = {.d = d, .o = o, .put = put, .self = self};
    return sweep(out, &p, path, n, err);
}

static int by_run_name(const void *x, const void *y)
{
    const struct smi_run *a = *(struct smi_run *const *)x, *b = *(struct smi_run *const *)y;
    int d = smi_text_order(a->name, b->name);
    if (!d)
        d = strcmp(a->name, b->name);
    return d ? d : strcmp(a->host ? a->host : "", b->host ? b->host : "");
}

int smi_sweep_merge(struct smi_sweep *out, struct smi_partials *p, const struct smi_options *o,
                    struct smi_err *err)
{
    struct smi_options same = *o;
    struct smi_buf b = {0};
    int rc;
    memset(out, 0, sizeof *out);
    if (p->has_idle)
        same.idle_below = p->idle_below;
    out->runs = smi_mem_new(p->runs, sizeof *out->runs);
    out->n = out->runs ? p->runs : 0;
    if (o->text)
        out->text = smi_mem_new(p->runs, sizeof *out->text);
    rc = !out->runs || (o->text && !out->text) || set_title(out, (const char *const[]){"partial summaries"}, 1)
             ? smi_err_nomem(err)
             : 0;
    if (!rc && p->runs)
        qsort(p->run, p->runs, sizeof *p->run, by_run_name);
    if (!rc && smi_sweep_told_again(out, p))
        rc = smi_err_nomem(err);
    for (size_t i = 0; i < p->runs && !rc; i++) {
        rc = smi_findings_build(&out->runs[i], p->run[i], &same, err);
        smi_buf_clear(&b);
        if (!rc && o->text)
            rc = make_text(&out->runs[i], o, &b, &p->run[i]->room, err);
        if (!rc && o->text && !(out->text[i] = text_of(&b)))
            rc = smi_err_nomem(err);
    }
    smi_buf_fini(&b);
    if (!rc)
        rc = close_sweep(out, true, err);
    if (rc)
        smi_sweep_fini(out);
    return rc;
}

void smi_sweep_fini(struct smi_sweep *s)
{
    for (size_t i = 0; i < s->n; i++) {
        smi_summary_fini(&s->runs[i]);
        if (s->text)
            smi_mem_free(s->text[i]);
    }
    smi_mem_free(s->runs);
    smi_mem_free(s->text);
    smi_found_fini(&s->found);
    smi_arena_fini(&s->arena);
    memset(s, 0, sizeof *s);
}
