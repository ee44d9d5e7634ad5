#include "base/pool.h"

void smi_pool_init(struct smi_pool *p)
{
    *p = (struct smi_pool){.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
}

void smi_pool_fini(struct smi_pool *p)
{
    pthread_cond_destroy(&p->changed);
    pthread_mutex_destroy(&p->lock);
}

struct worker {
    pthread_t id;
    void (*work)(void *self, size_t thread);
    void *self;
    size_t thread;
};

static void *run_worker(void *arg)
{
    const struct worker *w = arg;
    w->work(w->self, w->thread);
    return NULL;
}

int smi_pool_run(struct smi_pool *p, size_t threads, void (*work)(void *self, size_t thread), void *self,
                 struct smi_err *err)
{
    struct worker w[SMI_POOL_THREADS];
    size_t n = threads < SMI_POOL_THREADS ? threads : SMI_POOL_THREADS, started = 1;
    for (; started < n; started++) {
        w[started] = (struct worker){.work = work, .self = self, .thread = started};
        if (pthread_create(&w[started].id, NULL, run_worker, &w[started]))
            break;
    }
    work(self, 0);
    while (--started > 0)
        pthread_join(w[started].id, NULL);
    return p->err.code ? smi_err_set(err, p->err.code, "%s", p->err.text) : 0;
}

bool smi_pool_take(struct smi_pool *p, smi_pool_next_fn *next, void *self, void *job)
{
    bool got = false;
    pthread_mutex_lock(&p->lock);
    while (!p->err.code && !(got = next(self, job)) && p->busy)
        pthread_cond_wait(&p->changed, &p->lock);
    p->busy += got;
    pthread_mutex_unlock(&p->lock);
    return got;
}

void smi_pool_done(struct smi_pool *p)
{
    pthread_mutex_lock(&p->lock);
    if (--p->busy == 0)
        pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->lock);
}

void smi_pool_fail(struct smi_pool *p, const struct smi_err *err)
{
    pthread_mutex_lock(&p->lock);
    if (!p->err.code)
        p->err = *err;
    pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->lock);
}
