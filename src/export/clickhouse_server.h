/* clickhouse_server.h - questions and statements to a server, and what it says. */
#ifndef SMI_EXPORT_CLICKHOUSE_SERVER_H
#define SMI_EXPORT_CLICKHOUSE_SERVER_H

#include "export/clickhouse_url.h"
#include "export/clickhouse_schema.h"
#include "base/http.h"

enum { SMI_CH_ANSWER = 1 << 30 /* bytes of an answer */, SMI_CH_SAID = 300 /* of a server's words */ };

/* How long servers are waited for. */
struct smi_ch_patience {
    long connect_ms, stall_s;
    int64_t retry_ms;         /* a server that is away is asked again for so long */
    int64_t pause_ms;         /* between two times */
    int64_t done_ms;          /* what a server does on its own has to go on within so long */
    long hello_ms, answer_ms; /* until it has said its version, and all of any other answer */
};
extern const struct smi_ch_patience smi_ch_patience;

struct smi_ch_server {
    const struct smi_ch_url *place;
    struct smi_ch_patience patience;
    struct smi_http_target to;
    struct smi_http *http;
    struct smi_http_response answer;
    char version[32];
    enum smi_ch_dialect dialect;
    long deadline_ms;
    int code; /* the server's own number of the error that it said last; 0: none */
};

/* password: or NULL; both borrowed for as long. Asks the server for its version, once.
 * Returns 0, or -1 with err; s is to be closed in both cases. */
int smi_ch_server_open(struct smi_ch_server *s, const struct smi_ch_url *place, const char *password,
                       const struct smi_ch_patience *patience, struct smi_err *err);
void smi_ch_server_close(struct smi_ch_server *s);

/* One statement, again and again until the server is there, or patience ends: one that changes nothing when
 * it is done twice. What it answers is in s->answer.text. Returns 0, or -1 with err, which names the host,
 * and has the server's own words. */
int smi_ch_ask(struct smi_ch_server *s, struct smi_err *err, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* The same of all statements in a buffer, each with its NUL, but perhaps for the last one. */
int smi_ch_ask_all(struct smi_ch_server *s, const struct smi_buf *statements, struct smi_err *err);
/* INSERT with its rows, once. id: its query id; a server runs one query of an id at a time. After a failure
 * it is not known whether the rows were stored. */
int smi_ch_insert(struct smi_ch_server *s, const char *sql, const char *id, struct smi_text rows,
                  struct smi_err *err);
/* The same without an id, again and again until patience ends. For rows that may be stored twice. */
int smi_ch_insert_retry(struct smi_ch_server *s, const char *sql, const struct smi_buf *rows,
                        struct smi_err *err);
/* After an error: may the same be done later, as by a server that is away, or has too much to do? */
bool smi_ch_may_retry(const struct smi_ch_server *s);
/* Asks for one count until it is 0. what: what the server still has to do, for the message. Returns 0, or -1
 * with err: the count has not changed for patience.done_ms. */
int smi_ch_wait_for_zero(struct smi_ch_server *s, const char *sql, const char *what, struct smi_err *err);
void smi_ch_sleep(int64_t ms);

/* An answer FORMAT RowBinary, taken apart: each takes what comes next; past its end bad is set, and they give
 * nothing. */
struct smi_ch_rows {
    const char *p;
    size_t n;
    bool bad;
};
struct smi_ch_rows smi_ch_rows(const struct smi_ch_server *s);
uint64_t smi_ch_read_int(struct smi_ch_rows *r, size_t bytes);
struct smi_text smi_ch_read_text(struct smi_ch_rows *r); /* lies in the answer */
/* Rows of that format in the making: the low bytes of a number; a length of 7 bits a byte, and a text. */
void smi_ch_put_int(struct smi_buf *to, uint64_t n, size_t bytes);
void smi_ch_put_text(struct smi_buf *to, struct smi_text t);
/* The error of an answer that is no such rows. Returns -1. */
int smi_ch_bad_answer(const struct smi_ch_server *s, struct smi_err *err);

#endif
