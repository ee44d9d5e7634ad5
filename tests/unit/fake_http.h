/* fake_http.h - a server of a test: it does with each request what its list says, and keeps what it was sent.
 */
#pragma once

#include "base/buf.h"

#include <arpa/inet.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum fake_does {
    FAKE_ANSWERS,   /* with status and text */
    FAKE_CUTS,      /* the connection, when it has read the request */
    FAKE_CUTS_HALF, /* the same within its answer */
    FAKE_WAITS,     /* and never answers */
    FAKE_GARBLES    /* answers with what is no HTTP */
};

struct fake_step {
    enum fake_does does;
    int status;
    const char *text;
};

enum { FAKE_STEPS = 64 };

struct fake_http {
    int fd, port, held; /* held: a connection that waits */
    pthread_t thread;
    /* Which step comes next, by the request; NULL: those of the list, in turn. */
    struct fake_step (*choose)(void *self, const char *head, const char *body, size_t n);
    void *self;
    struct fake_step step[FAKE_STEPS];
    int steps, done;
    struct smi_buf head[FAKE_STEPS], body[FAKE_STEPS];
};

/* The request of a connection. Returns false at its end. */
static bool fake_read(int fd, struct smi_buf *head, struct smi_buf *body)
{
    char piece[4096];
    const char *end = NULL, *length;
    size_t want = 0;
    while (!end) {
        ssize_t k = read(fd, piece, sizeof piece);
        if (k <= 0)
            return false;
        smi_buf_add(head, piece, (size_t)k);
        end = strstr(head->p, "\r\n\r\n");
    }
    length = strcasestr(head->p, "Content-Length:");
    if (length)
        want = (size_t)atoll(length + 15);
    if (strcasestr(head->p, "100-continue"))
        (void)!write(fd, "HTTP/1.1 100 Continue\r\n\r\n", 25);
    smi_buf_add(body, end + 4, head->n - (size_t)(end + 4 - head->p));
    while (body->n < want) {
        ssize_t k = read(fd, piece, sizeof piece);
        if (k <= 0)
            return false;
        smi_buf_add(body, piece, (size_t)k);
    }
    return true;
}

/* Returns whether the connection goes on. */
static bool fake_do(struct fake_http *f, int fd, const struct fake_step *s)
{
    struct smi_buf b = {0};
    size_t n = s->text ? strlen(s->text) : 0;
    if (s->does == FAKE_CUTS)
        return false;
    if (s->does == FAKE_WAITS) {
        f->held = fd;
        return read(fd, &(char){0}, 1) > 0;
    }
    if (s->does == FAKE_GARBLES)
        smi_buf_str(&b, "this is no HTTP, is it?\n");
    else
        smi_buf_fmt(&b, "HTTP/1.1 %d Words\r\nContent-Length: %zu\r\n\r\n%s", s->status, n,
                    s->text ? s->text : "");
    if (s->does == FAKE_CUTS_HALF)
        b.n -= n / 2 + 1;
    (void)!write(fd, b.p, b.n);
    smi_buf_fini(&b);
    return s->does == FAKE_ANSWERS;
}

static void *fake_serve(void *arg)
{
    struct fake_http *f = arg;
    int fd;
    while ((fd = accept(f->fd, NULL, NULL)) >= 0) {
        bool on = true;
        while (on && f->done < FAKE_STEPS) {
            struct smi_buf *head = &f->head[f->done], *body = &f->body[f->done];
            struct fake_step s = {FAKE_CUTS, 0, NULL};
            on = fake_read(fd, head, body);
            if (!on) { /* the client went */
                smi_buf_clear(head);
                smi_buf_clear(body);
                break;
            }
            if (f->choose)
                s = f->choose(f->self, head->p, body->p ? body->p : "", body->n);
            else if (f->done < f->steps)
                s = f->step[f->done];
            __atomic_add_fetch(&f->done, 1, __ATOMIC_SEQ_CST);
            on = fake_do(f, fd, &s);
        }
        close(fd);
    }
    return NULL;
}

static void fake_start(struct fake_http *f)
{
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t n = sizeof a;
    f->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (bind(f->fd, (struct sockaddr *)&a, n) || listen(f->fd, 8) ||
        getsockname(f->fd, (struct sockaddr *)&a, &n))
        abort();
    f->port = ntohs(a.sin_port);
    pthread_create(&f->thread, NULL, fake_serve, f);
}

static void fake_stop(struct fake_http *f)
{
    shutdown(f->fd, SHUT_RDWR);
    pthread_join(f->thread, NULL);
    close(f->fd);
    for (int i = 0; i < FAKE_STEPS; i++) {
        smi_buf_fini(&f->head[i]);
        smi_buf_fini(&f->body[i]);
    }
}
