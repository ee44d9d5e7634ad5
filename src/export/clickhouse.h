/* clickhouse.h - a store in ClickHouse: where it is, its tables, its server, and what is written to it and
 * read from it. */
#pragma once

#include "base/buf.h"
#include "base/err.h"
#include "base/lazy.h"
#include "base/mem.h"
#include "base/text.h"
#include "export/pytorch.h"
#include "model/metric.h"
#include "query/query.h"
#include "summary/merge_queue.h"

#include <stdint.h>

/* ---- where it is: clickhouse://[USER@]HOST[:PORT]/DATABASE, clickhouses:// over TLS ---- */

enum { SMI_CH_HOST = 254, SMI_CH_NAME = 65 };

struct smi_ch_url {
    bool tls;
    char user[SMI_CH_NAME]; /* or empty */
    char host[SMI_CH_HOST]; /* IPv6 in brackets */
    int port;
    char database[SMI_CH_NAME];
};

/* Returns 0, or -1 with err SMI_EUSAGE, which never repeats a password. */
int smi_ch_url_parse(struct smi_ch_url *p, const char *url, struct smi_err *err);
/* The identity of a run in every store: where its logs are, and which of the runs there it is. */
uint64_t smi_ch_run(const char *place, const char *leaf);

/* ---- the tables ---- */

/* What servers understand: of PyTorch's tables, those before 20.3 know neither DateTime64 nor maps. */
enum smi_ch_dialect { SMI_CH_18, SMI_CH_MODERN };
/* The dialect of "18.16.1"; -1: it is no version. */
int smi_ch_dialect(const char *version);

enum smi_ch_table { SMI_CH_SAMPLES, SMI_CH_RUNS, SMI_CH_MARKS, SMI_CH_OWN };
/* The column of a metric: its key, dots as underscores, as a dot means something else to ClickHouse. */
void smi_ch_metric_column(char to[SMI_CH_NAME], unsigned metric);

/* ---- questions and statements to a server, and what it says ---- */

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

/* One connection that is kept. It asks no proxy and follows nobody elsewhere, so that a password goes to the
 * host that was named, and to no other. */
struct smi_ch_server {
    const struct smi_ch_url *place;
    const char *password; /* or NULL; never part of a message */
    struct smi_ch_patience patience;
    CURL *easy;
    long status;           /* of the answer: 200, 404; 0: no whole one came */
    struct smi_buf answer; /* kept from answer to answer */
    size_t most;           /* bytes of an answer that are taken; more is an error, */
    bool over;             /* as it was */
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
 * it is done twice. What it answers is in s->answer. Returns 0, or -1 with err, which names the host,
 * and has the server's own words. */
int smi_ch_ask(struct smi_ch_server *s, struct smi_err *err, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Appends the words of an answer as one line of at most `most` bytes that can be printed. */
void smi_ch_error_text(struct smi_buf *to, struct smi_text answer, size_t most);
/* The same of all statements in a buffer, each with its NUL, but perhaps for the last one. */
int smi_ch_ask_all(struct smi_ch_server *s, const struct smi_buf *statements, struct smi_err *err);
/* Posts once. sql: an INSERT, of which the body has the rows, or NULL: the body is the statement. id: or
 * NULL; a server runs one query of an id at a time. After a failure it is not known whether the rows were
 * stored. */
int smi_ch_post(struct smi_ch_server *s, const char *sql, const char *id, struct smi_text body,
                struct smi_err *err);
/* The same again and again until patience ends: for what may be done twice. */
int smi_ch_post_retry(struct smi_ch_server *s, const char *sql, struct smi_text body, struct smi_err *err);
/* After an error: may the same be done later, as by a server that is away, or has too much to do? */
bool smi_ch_may_retry(const struct smi_ch_server *s);
/* How many rows there are. from: "table WHERE ...". */
int smi_ch_count(struct smi_ch_server *s, const char *from, uint64_t *n, struct smi_err *err);
/* Waits until there are none. what: what the server still has to do, for the message. Returns 0, or -1 with
 * err: their number has not changed for patience.done_ms. */
int smi_ch_wait_for_none(struct smi_ch_server *s, const char *from, const char *what, struct smi_err *err);
/* Deletes rows, and waits until these are gone. */
int smi_ch_delete(struct smi_ch_server *s, const char *table, const char *where, struct smi_err *err);

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
/* The error of an answer that is no such rows. Returns -1. */
int smi_ch_bad_answer(const struct smi_ch_server *s, struct smi_err *err);

/* ---- a store and its tables ---- */

struct smi_ch_store {
    struct smi_ch_url place;
    char *password;
    struct smi_ch_server server;
    bool tables[SMI_CH_OWN];       /* those that are there */
    bool metric[SMI_METRIC_COUNT]; /* those that samples_local has a column for */
    struct smi_buf ddl; /* makes those that are not, and columns that they lack: statements with their NUL */
};

/* The password of the environment: SMILOG_CLICKHOUSE_PASSWORD, or the first line of the file that
 * SMILOG_CLICKHOUSE_PASSWORD_FILE names; password_file, if it is not NULL, wins over both. *password is
 * yours, NULL where there is none. Returns 0, or -1 with err, which names the file. */
int smi_ch_password(const char *password_file, char **password, struct smi_err *err);

/* Reaches the server, and looks at its tables. Returns 0, or -1 with err: SMI_EUSAGE (the URL), SMI_EIO (a
 * server is away, refuses, or has no such database), SMI_EFORMAT (tables that are not ours). s is to be
 * closed in both cases. */
int smi_ch_store_open(struct smi_ch_store *s, const char *url, const char *password_file,
                      const struct smi_ch_patience *patience, struct smi_err *err);
void smi_ch_store_close(struct smi_ch_store *s);

/* Finds out which tables are there, and columns; s->ddl makes what is not, each statement with its NUL.
 * wanted: metrics that need a column, SMI_METRIC_COUNT flags, or NULL. Returns 0, or -1 with err: tables of
 * somebody else. */
int smi_ch_store_look(struct smi_ch_store *s, const bool *wanted, struct smi_err *err);
/* ---- runs back out of ClickHouse: what `smilog summarize clickhouse://...` reads ---- */

/* Gives the newest partial of every run to the queue. asked: or NULL; runs that are no answer to it may be
 * left out (clickhouse.h), but never all: *left is how many. Returns 0, or -1 with err: SMI_EUSAGE
 * (the URL), SMI_EIO (a server), SMI_EFORMAT (no runs, or they are not as they should be). */
int smi_ch_fetch(struct smi_merge_queue *p, const char *where, const struct smi_query *asked, size_t *left,
                 struct smi_err *err);

/* ---- what a question says of the names of runs, so that the partials of other runs stay on the servers
 * ---- */

/* Appends the names that runs may have, each with its NUL, where --where is run = 'x' or run IN ('x', 'y').
 * The question is asked again of the runs that come. Returns false, and appends nothing, if it says anything
 * else: then every run may be an answer. */
bool smi_ch_push_down(struct smi_buf *names, const struct smi_query *q);
