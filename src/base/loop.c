#include "base/loop.h"

#include "base/clock.h"

#include <assert.h>
#include <errno.h>

void smi_loop_add(struct smi_loop *l, struct smi_loop_source s)
{
    assert(l->sources < SMI_LOOP_SOURCES);
    l->source[l->sources++] = s;
}

void smi_loop_watch_for(struct smi_loop *l, int fd, short events)
{
    if (fd < 0)
        return;
    assert(l->fds < SMI_LOOP_FDS);
    l->fd[l->fds++] = (struct pollfd){.fd = fd, .events = events};
}

void smi_loop_watch(struct smi_loop *l, int fd)
{
    smi_loop_watch_for(l, fd, POLLIN);
}

void smi_loop_wake(struct smi_loop *l, int64_t t_ms)
{
    l->due_ms = t_ms < l->due_ms ? t_ms : l->due_ms;
}

int smi_loop_ready(const struct smi_loop *l, int fd)
{
    for (size_t i = 0; i < l->fds && fd >= 0; i++)
        if (l->fd[i].fd == fd)
            return l->fd[i].revents;
    return 0;
}

void smi_loop_prepare(struct smi_loop *l, int64_t t_ms)
{
    l->now_ms = t_ms;
    l->due_ms = INT64_MAX;
    l->fds = 0;
    for (size_t i = 0; i < l->sources; i++)
        if (l->source[i].prepare)
            l->source[i].prepare(l->source[i].self, l);
}

int smi_loop_call(struct smi_loop *l, int64_t t_ms, struct smi_err *err)
{
    l->now_ms = t_ms;
    for (size_t i = 0; i < l->sources; i++) {
        int rc = l->source[i].run ? l->source[i].run(l->source[i].self, l, err) : 0;
        if (rc)
            return rc;
    }
    return 0;
}

int smi_loop_once(struct smi_loop *l, struct smi_err *err)
{
    smi_loop_prepare(l, smi_clock_now_ms());
    int64_t wait = l->due_ms <= l->now_ms                     ? 0
                   : l->due_ms - l->now_ms > SMI_LOOP_WAIT_MS ? SMI_LOOP_WAIT_MS
                                                              : l->due_ms - l->now_ms;
    if (poll(l->fd, (nfds_t)l->fds, (int)wait) < 0) {
        if (errno != EINTR)
            return smi_err_set(err, SMI_EIO, "poll: %s", strerror(errno));
        l->fds = 0; /* poll has reported nothing */
    }
    return smi_loop_call(l, smi_clock_now_ms(), err);
}

int smi_loop_run(struct smi_loop *l, struct smi_err *err)
{
    int rc;
    do
        rc = smi_loop_once(l, err);
    while (rc == 0);
    return rc < 0 ? -1 : 0;
}
