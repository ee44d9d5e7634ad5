/* serve_events.c - server-sent events: the newest state, an interval after the last one, to each as fast as
 * it reads. A slow reader holds the one state that it is in the middle of, and goes on with the newest. */
#include "base/mem.h"
#include "live/serve_private.h"
#include "live/serve_state.h"

#include <string.h>
#include <sys/socket.h>

enum { QUICKEST_MS = 200, SLOWEST_MS = 10000 /* so that a page knows that somebody is there */ };

int64_t smi_sse_interval(const struct smi_serve *s)
{
    int64_t ms = s->o.interval_ms;
    return ms < QUICKEST_MS ? QUICKEST_MS : ms > SLOWEST_MS ? SLOWEST_MS : ms;
}

/* ---- states ---- */

void smi_sse_event_release(struct smi_sse_event *t)
{
    if (!t || --t->readers > 0)
        return;
    smi_buf_fini(&t->text);
    smi_mem_free(t);
}

struct smi_sse_event *smi_sse_event_newest(struct smi_serve *s)
{
    struct smi_sse_event *t;
    if (s->newest && s->mono_ms - s->made_ms < smi_sse_interval(s))
        return s->newest;
    t = smi_mem_new(1, sizeof *t);
    if (!t)
        return NULL;
    t->readers = 1;
    t->serial = ++s->serial;
    smi_buf_str(&t->text, "data: ");
    if (smi_serve_state_put(&t->text, s->now, &s->o) || (smi_buf_str(&t->text, "\n\n"), t->text.failed)) {
        smi_sse_event_release(t);
        return NULL;
    }
    smi_sse_event_release(s->newest);
    s->newest = t;
    s->made_ms = s->mono_ms;
    return t;
}

/* ---- readers ---- */

void smi_sse_wake(struct smi_serve *s)
{
    for (size_t i = 0; i < SMI_SERVE_CONNECTIONS; i++) {
        struct smi_sse_client *r = s->connection[i].stream;
        if (!r || !r->waits)
            continue;
        r->waits = false;
        r->moved_ms = s->mono_ms;
        smi_mhd.MHD_resume_connection(r->c->mhd);
    }
}

void smi_sse_release_all(struct smi_serve *s)
{
    char c;
    for (size_t i = 0; i < SMI_SERVE_CONNECTIONS; i++) {
        struct smi_sse_client *r = s->connection[i].stream;
        if (!r || !r->waits || recv(s->connection[i].fd, &c, 1, MSG_PEEK | MSG_DONTWAIT) != 0)
            continue;
        s->connection[i].closing = true;
        shutdown(s->connection[i].fd, SHUT_RDWR);
        r->waits = false;
        smi_mhd.MHD_resume_connection(r->c->mhd);
    }
}

static ssize_t read_event(void *self, uint64_t at, char *to, size_t most)
{
    struct smi_sse_client *r = self;
    struct smi_serve *s = r->s;
    size_t n;
    (void)at;
    if (s->ending)
        return MHD_CONTENT_READER_END_OF_STREAM;
    if (r->c->closing)
        return MHD_CONTENT_READER_END_WITH_ERROR;
    if (!r->at && s->newest && s->newest->serial > r->serial) {
        r->at = s->newest;
        r->at->readers++;
        r->serial = r->at->serial;
        r->taken = 0;
    }
    if (!r->at) {
        r->waits = true;
        smi_mhd.MHD_suspend_connection(r->c->mhd);
        return 0;
    }
    n = r->at->text.n - r->taken;
    n = n < most ? n : most;
    memcpy(to, r->at->text.p + r->taken, n);
    r->taken += n;
    r->moved_ms = s->mono_ms;
    if (r->taken == r->at->text.n) {
        smi_sse_event_release(r->at);
        r->at = NULL;
    }
    return (ssize_t)n;
}

static void end_stream(void *self)
{
    struct smi_sse_client *r = self;
    r->c->stream = NULL;
    r->s->streams--;
    smi_sse_event_release(r->at);
    smi_mem_free(r);
}

struct MHD_Response *smi_sse_response(struct smi_serve *s, struct smi_connection *c)
{
    struct smi_sse_client *r = smi_sse_event_newest(s) ? smi_mem_new(1, sizeof *r) : NULL;
    struct MHD_Response *out;
    if (!r)
        return NULL;
    *r = (struct smi_sse_client){.s = s, .c = c, .moved_ms = s->mono_ms};
    out = smi_mhd.MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 4096, read_event, r, end_stream);
    if (!out) {
        smi_mem_free(r);
        return NULL;
    }
    c->stream = r;
    s->streams++;
    return out;
}

void smi_sse_go(struct smi_serve *s)
{
    int64_t step = smi_sse_interval(s);
    if (s->streams == 0 || s->mono_ms < s->next_ms)
        return;
    s->next_ms += ((s->mono_ms - s->next_ms) / step + 1) * step;
    s->made_ms = INT64_MIN / 2;    /* due by the grid */
    (void)smi_sse_event_newest(s); /* without memory: the next time */
    smi_sse_wake(s);
}
