/* serve.h - a small web server for one machine's state: Prometheus text, a page that goes on by itself, and
 * its events. It runs in the owner's loop and has no thread. Whatever clients do, it holds a bounded
 * number of connections, each with bounded memory and time; it answers GET and HEAD, to clients that call it
 * by its own name, and reads no file. Not for several threads. */
#ifndef SMI_LIVE_SERVE_H
#define SMI_LIVE_SERVE_H

#include "live/machine.h"
#include "live/serve_prometheus.h"
#include "live/serve_request.h"

#include "base/loop.h"

enum {
    SMI_SERVE_CONNECTIONS =
        64, /* at most; beyond 48 the oldest one that has not said what it wants makes room */
    SMI_SERVE_PER_ADDRESS = 40, /* the same of one address */
    SMI_SERVE_STREAMS = 24,     /* readers of events: others are asked to come again */
    SMI_SERVE_REQUEST = 32768,  /* bytes of a request's head */
    SMI_SERVE_HEAD_MS = 5000,   /* for a request to be there */
    SMI_SERVE_BODY_MS = 30000   /* for an answer to be taken, and for any of an event's bytes */
};

struct smi_serve_opts {
    const char *listen;  /* as smi_listen_parse reads it */
    const char *what;    /* "smilog live" */
    const char *host;    /* of the readings, for labels and the page; or NULL */
    const char *run;     /* what is recorded, the same; or NULL */
    int64_t interval_ms; /* between events */
    int names;           /* an enum smi_prometheus_names */
    const char *allow;   /* names that it is called by, besides its own, "a,b"; or NULL */
};

struct smi_serve; /* opaque */

/* Binds and listens; nobody is answered before smi_serve_show. The texts of o are borrowed. NULL with err:
 * SMI_EUSAGE (an address that is none), SMI_EIO (the port is in use, libmicrohttpd is not there).
 */
struct smi_serve *smi_serve_open(const struct smi_serve_opts *o, struct smi_err *err);
/* Where it listens, with the port that it got. */
const struct smi_listen *smi_serve_address(const struct smi_serve *s);
/* What is shown from now on. s may be NULL. */
void smi_serve_show(struct smi_serve *s, const struct smi_machine *n);

/* To be added behind those that bring up to date what is shown. Without memory a client gets no answer, and
 * the rest goes on. */
struct smi_loop_source smi_serve_source(struct smi_serve *s);
/* Ends all connections. s may be NULL. */
void smi_serve_close(struct smi_serve *s);

#endif
