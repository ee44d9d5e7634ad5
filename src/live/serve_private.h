/* serve_private.h - what the files of this room share: the server, its connections, the readers of its
 * events. */
#ifndef SMI_LIVE_SERVE_PRIVATE_H
#define SMI_LIVE_SERVE_PRIVATE_H

#include "base/buf.h"
#include "live/libmicrohttpd.h"
#include "live/serve.h"

/* The state of one moment as an event; readers in the middle of it share it. */
struct smi_sse_event {
    int readers;
    int64_t serial;
    struct smi_buf text; /* "data: {...}\n\n" */
};

/* A reader of events. What it has not taken when there is something newer is left out. */
struct smi_sse_client {
    struct smi_serve *s;
    struct smi_connection *c;
    struct smi_sse_event *at; /* what it is in the middle of, or NULL */
    size_t taken;
    int64_t serial;   /* of the last event that it got, or began to */
    int64_t moved_ms; /* when it took something */
    bool waits;       /* suspended until there is something newer */
};

enum smi_connection_phase {
    SMI_CONNECTION_FREE,
    SMI_CONNECTION_REQUESTING,
    SMI_CONNECTION_READING,
    SMI_CONNECTION_STREAMING
};

struct smi_connection {
    enum smi_connection_phase phase;
    bool closing; /* shut down, and soon gone */
    struct MHD_Connection *mhd;
    int fd;
    unsigned char address[16];     /* of the client; IPv4 in its first 4 */
    int64_t since_ms;              /* of its phase */
    struct smi_sse_client *stream; /* or NULL */
};

struct smi_serve {
    struct smi_serve_opts o;
    struct MHD_Daemon *daemon;
    struct smi_listen at;
    int epoll;
    char machine[256];
    const struct smi_machine *now; /* NULL: nothing is shown yet */
    int64_t mono_ms;
    struct smi_connection connection[SMI_SERVE_CONNECTIONS];
    struct smi_sse_event *newest;     /* or NULL */
    int64_t serial, made_ms, next_ms; /* of the newest state; when the next one is due */
    int streams;
    bool ending;
    struct smi_buf policy; /* Content-Security-Policy */
};

/* stream.c */
/* The newest state, made now if the last one is older than an interval; NULL without memory. */
struct smi_sse_event *smi_sse_event_newest(struct smi_serve *s);
void smi_sse_event_release(struct smi_sse_event *t); /* may be NULL */
/* Readers who have gone are closed; nobody sees them go while they wait for something newer. */
void smi_sse_release_all(struct smi_serve *s);
/* The answer to a reader of events, or NULL without memory. */
struct MHD_Response *smi_sse_response(struct smi_serve *s, struct smi_connection *c);
/* Makes the next state when it is due, and wakes those who wait for it. */
void smi_sse_go(struct smi_serve *s);
void smi_sse_wake(struct smi_serve *s);
int64_t smi_sse_interval(const struct smi_serve *s);

#endif
