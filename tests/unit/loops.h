/* loops.h - sources of a loop, driven by a test at times of its own. */
#pragma once

#include "base/clock.h"
#include "base/loop.h"

/* When the source is due, asked at this time. */
static inline int64_t loops_due(struct smi_loop_source s, int64_t now_ms)
{
    struct smi_loop l = {.sources = 0};
    smi_loop_add(&l, s);
    smi_loop_prepare(&l, now_ms);
    return l.due_ms;
}

/* Calls the source at this time, as if no descriptor were ready. */
static inline int loops_call(struct smi_loop_source s, int64_t now_ms)
{
    struct smi_loop l = {.sources = 0};
    struct smi_err err = {0};
    smi_loop_add(&l, s);
    return smi_loop_call(&l, now_ms, &err);
}

/* Asks all sources at this time, and waits most_ms at the longest. Returns as poll(2) does. */
static inline int loops_wait(struct smi_loop *l, int64_t now_ms, int64_t most_ms)
{
    smi_loop_prepare(l, now_ms);
    int64_t wait = l->due_ms <= now_ms ? 0 : l->due_ms - now_ms < most_ms ? l->due_ms - now_ms : most_ms;
    return poll(l->fd, (nfds_t)l->fds, (int)wait);
}

/* One turn by the clock, of at most most_ms. */
static inline int loops_turn(struct smi_loop *l, int64_t most_ms)
{
    struct smi_err err = {0};
    (void)loops_wait(l, smi_clock_now_ms(), most_ms);
    return smi_loop_call(l, smi_clock_now_ms(), &err);
}
