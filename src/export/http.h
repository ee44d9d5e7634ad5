/* http.h - a small HTTP client: one connection that is kept, requests with deadlines, answers with a limit.
 * It asks no proxy and follows nobody elsewhere, so that a password goes to the host that was named, and to
 * no other. */
#ifndef SMI_EXPORT_HTTP_H
#define SMI_EXPORT_HTTP_H

#include "base/buf.h"
#include "base/err.h"

/* Where requests go, and how long they may take. */
struct smi_http_target {
    const char *host; /* a name or an address, as in a URL; IPv6 in brackets */
    int port;
    bool tls;                    /* https, with the system's certificates */
    const char *user, *password; /* or NULL; never part of a message */
    long connect_ms;             /* until the connection is there */
    long stall_s;                /* without a byte in either direction: given up */
};

struct smi_http_request {
    const char *path;     /* with its query: "/ping" */
    struct smi_text body; /* what is posted, borrowed until it is sent; no p: GET */
    long deadline_ms;     /* for all of it; 0: only stall_s limits it */
    size_t most;          /* bytes of the answer that are taken; more is an error */
};

struct smi_http_response {
    long status;         /* 200, 404; 0: no whole answer came */
    struct smi_buf text; /* kept from answer to answer; end it with smi_buf_fini */
};

struct smi_http;

/* to is borrowed, and lives as long. Nothing is connected yet. Returns NULL with err. */
struct smi_http *smi_http_open(const struct smi_http_target *to, struct smi_err *err);
/* Sends and waits. Returns 0: an answer came whole, with whichever status; or -1 with err (SMI_EIO,
 * SMI_ELIMIT), which names host and port. */
int smi_http_send(struct smi_http *h, const struct smi_http_request *q, struct smi_http_response *a,
                  struct smi_err *err);
void smi_http_close(struct smi_http *h);

/* Appends the words of an answer as one line of at most `most` bytes that can be printed: what a server says
 * of an error. */
void smi_http_error_text(struct smi_buf *to, struct smi_text answer, size_t most);

#endif
