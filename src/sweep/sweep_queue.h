/* sweep_queue.h - the threads of a sweep: who takes which run, whose document goes out next, when all stop.
 */
#ifndef SMI_SWEEP_SWEEP_QUEUE_H
#define SMI_SWEEP_SWEEP_QUEUE_H

#include "base/buf.h"
#include "base/pool.h"
#include "summary/run.h"
#include "sweep/sweep.h"

enum { SMI_SWEEP_QUEUE_BATCH = 16 /* runs that a thread takes at most, where many are left */ };

struct smi_sweep_queue {
    const struct smi_found *found;
    const struct smi_discover_opts *d;
    const struct smi_options *o;
    struct smi_summary *summary; /* a slot for each run; or NULL: partials are made */
    char **text;                 /* the same, where o->text makes them, and they are kept */
    struct smi_buf *document;    /* the same, of texts or partials, where they are handed out */
    struct smi_buf *odd; /* a slot for each run: files that could not be used, each text with its NUL */
    bool *ready;
    bool *unit;                  /* units that a thread has taken */
    struct smi_run_store *store; /* where summaries are kept */
    smi_sweep_document_fn *put;
    void *self;
    const struct smi_run_visitor *each; /* or NULL; else it has every run, and there is one thread */
    struct smi_pool pool;
    size_t threads, next, done, put_next,
        window;     /* next to take, finished, next to put, how far the takers may be ahead */
    int64_t usable; /* as smi_sweep.usable */
    /* lines, but for last ones that were cut off: what a run that is not summarised is doubted for */
    int64_t rejected;
};

/* Has all threads do `work` with p, and waits for them. Returns 0, or -1 with err, the first that went wrong.
 */
int smi_sweep_queue_run(struct smi_sweep_queue *p, void (*work)(void *p, size_t thread), struct smi_err *err);

/* The next runs to work on, at most SMI_SWEEP_QUEUE_BATCH of them into run; 0 when there are none. A run in
 * an archive stands for its whole unit. */
size_t smi_sweep_queue_take(struct smi_sweep_queue *p, size_t *run);
/* Adds to p->usable and p->rejected. */
void smi_sweep_queue_count(struct smi_sweep_queue *p, int64_t usable, int64_t rejected);
/* Run i is done, its document in b; err: what went wrong with it. */
void smi_sweep_queue_finish(struct smi_sweep_queue *p, size_t i, const struct smi_buf *b,
                            const struct smi_err *err);
#endif
