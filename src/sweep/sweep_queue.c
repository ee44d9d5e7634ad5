#include "sweep/sweep_queue.h"

enum {
    AHEAD = 8 /* documents a thread may be ahead of the one that is written next */
};

/* ---- from hand to hand ---- */

/* Is run i read with an archive that a thread has taken already? If not, it is taken now. */
static bool is_taken(struct smi_sweep_queue *p, size_t i)
{
    size_t unit = p->found->run[i].unit;
    bool was = unit && p->unit[unit];
    p->unit[unit] = true;
    return was;
}

static bool is_too_far(const struct smi_sweep_queue *p)
{
    return p->put && !p->pool.err.code && p->next < p->found->runs && p->next >= p->put_next + p->window;
}

size_t smi_sweep_queue_take(struct smi_sweep_queue *p, size_t *run)
{
    size_t n = p->found->runs, taken = 0, most;
    smi_pool_lock(&p->pool);
    while (is_too_far(p))
        smi_pool_wait(&p->pool);
    most = p->put ? 1 : (n - p->next) / (p->threads * SMI_SWEEP_QUEUE_BATCH);
    most = most > SMI_SWEEP_QUEUE_BATCH ? SMI_SWEEP_QUEUE_BATCH : most ? most : 1;
    for (; p->next < n && taken < most && !p->pool.err.code; p->next++)
        if (!is_taken(p, p->next))
            run[taken++] = p->next;
    smi_pool_unlock(&p->pool);
    return taken;
}

/* Hands out the document whose turn it is. Locked. */
static void put_next(struct smi_sweep_queue *p, const struct smi_buf *b)
{
    if (p->put(p->self, b, p->usable > 0, &p->pool.err) && !p->pool.err.code)
        smi_err_set(&p->pool.err, SMI_EIO, "a document could not be handed on");
    p->put_next++;
}

/* The document of run i is in b. It is handed out, if it is its turn, and those behind it that
 * waited for it. Locked. */
static void put_ready(struct smi_sweep_queue *p, size_t i, const struct smi_buf *b)
{
    if (p->put_next == i && !p->pool.err.code)
        put_next(p, b);
    else
        smi_buf_add(&p->document[i], b->p ? b->p : "", b->n);
    p->ready[i] = true;
    while (!p->pool.err.code && p->put_next < p->found->runs && p->ready[p->put_next]) {
        struct smi_buf *waits = &p->document[p->put_next];
        if (waits->failed)
            smi_err_nomem(&p->pool.err);
        else
            put_next(p, waits);
        smi_buf_fini(waits);
    }
}

/* Run i is done; b as in put_ready. */
void smi_sweep_queue_finish(struct smi_sweep_queue *p, size_t i, const struct smi_buf *b,
                            const struct smi_err *err)
{
    smi_pool_lock(&p->pool);
    if (err->code && !p->pool.err.code)
        p->pool.err = *err;
    p->done++;
    if (p->put)
        put_ready(p, i, b);
    if (p->d->progress && !p->pool.err.code)
        p->d->progress(p->d->self, p->done, p->found->runs);
    if (p->put || p->pool.err.code)
        smi_pool_wake(&p->pool);
    smi_pool_unlock(&p->pool);
}

void smi_sweep_queue_count(struct smi_sweep_queue *p, int64_t usable, int64_t rejected)
{
    smi_pool_lock(&p->pool);
    p->usable += usable;
    p->rejected += rejected;
    smi_pool_unlock(&p->pool);
}

/* ---- threads ---- */

int smi_sweep_queue_run(struct smi_sweep_queue *p, void (*work)(void *p, size_t thread), struct smi_err *err)
{
    size_t n = p->d->threads < p->found->runs ? p->d->threads : p->found->runs;
    int rc;
    n = n > SMI_POOL_THREADS ? SMI_POOL_THREADS : n;
    n = p->each ? 1 : n;
    p->threads = n ? n : 1;
    p->window = p->threads * AHEAD;
    smi_pool_init(&p->pool);
    rc = smi_pool_run(&p->pool, p->threads, work, p, err);
    smi_pool_fini(&p->pool);
    return rc;
}
