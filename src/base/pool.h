/* pool.h - a few threads that share one piece of work: who takes the next job, who waits, the first error
 * stops all. */
#pragma once

#include "base/err.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

enum { SMI_POOL_THREADS = 256 };

/* Caller's storage. Members are for those who hold the lock: after a broadcast to `changed` those who wait in
 * smi_pool_take look again. */
struct smi_pool {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    size_t busy;        /* threads that have a job */
    struct smi_err err; /* the first that went wrong: no thread gets another job */
};

void smi_pool_init(struct smi_pool *p);
void smi_pool_fini(struct smi_pool *p);

/* Calls work(self, 0 ... threads - 1), each by a thread of its own, number 0 by the caller's; fewer, where no
 * more threads can be had. Waits for all. Returns 0, or -1 with err: the first error of smi_pool_fail. */
int smi_pool_run(struct smi_pool *p, size_t threads, void (*work)(void *self, size_t thread), void *self,
                 struct smi_err *err);

/* Whether there is a job now; with the lock held. *job is what it is. */
typedef bool smi_pool_next_fn(void *self, void *job);
/* Takes the next job: true. As long as there is none, but other threads may make some, it waits. False: all
 * is done, or something failed. Every job ends with smi_pool_done. */
bool smi_pool_take(struct smi_pool *p, smi_pool_next_fn *next, void *self, void *job);
void smi_pool_done(struct smi_pool *p);

/* Keeps the first error, and wakes all threads. */
void smi_pool_fail(struct smi_pool *p, const struct smi_err *err);
