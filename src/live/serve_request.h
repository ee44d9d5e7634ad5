/* serve_request.h - where to listen, and which requests are answered. Pure: no socket takes part. */
#ifndef SMI_LIVE_SERVE_REQUEST_H
#define SMI_LIVE_SERVE_REQUEST_H

#include "base/err.h"

#include <netinet/in.h>
#include <stdbool.h>

/* An address and a port. */
struct smi_listen {
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
    } at;
    socklen_t len;
    bool loopback;     /* only this machine reaches it */
    bool every;        /* 0.0.0.0 or [::]: all addresses of the machine */
    const char *allow; /* further names that it is called by, "a,b"; or NULL */
};

/* Reads "9400" (of 127.0.0.1), "127.0.0.1:9400", "localhost:9400", "[::1]:9400", "0.0.0.0:9400"; port 0: any
 * that is free. No name is looked up. Returns 0, or -1 with err SMI_EUSAGE. */
int smi_listen_parse(struct smi_listen *l, const char *text, struct smi_err *err);
/* "127.0.0.1:9400", "[::1]:9400"; to has SMI_LISTEN_TEXT bytes. */
enum { SMI_LISTEN_TEXT = INET6_ADDRSTRLEN + 16 };
void smi_listen_put(char *to, const struct smi_listen *l);

/* Whether a Host header names this server: localhost, the address that is listened on (of every address: any
 * literal one), a name of l->allow, or the machine by its name or the first label of it, each with any port
 * or without (a tunnel has another). A page of another site that had its own name point here (DNS rebinding)
 * comes with that name, and reads nothing. */
bool smi_request_host(const char *host, const struct smi_listen *l, const char *machine);

enum smi_serve_path {
    SMI_SERVE_PATH_PAGE,
    SMI_SERVE_PATH_METRICS,
    SMI_SERVE_PATH_EVENTS,
    SMI_SERVE_PATH_HEALTH
};

struct smi_request {
    const char *method, *path;
    const char *host; /* of the first Host header, or NULL */
    int hosts;        /* how many there are */
};

/* The status of the answer: 200 and *path, or 400 (no Host, or several), 403 (of another), 404, 405 (neither
 * GET nor HEAD). */
int smi_request_check(const struct smi_request *r, const struct smi_listen *l, const char *machine,
                      enum smi_serve_path *path);

/* Whether an Accept header would rather have OpenMetrics than the older text format: that is named with a
 * higher weight. accept may be NULL. */
bool smi_request_openmetrics(const char *accept);

#endif
