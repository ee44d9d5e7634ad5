/* clickhouse.h - a store in ClickHouse: where it is, questions to its server, and runs back out of it. */
#pragma once

#include "base/lazy.h"
#include "summary/merge_queue.h"

#include <jansson.h>

/* ---- where it is: clickhouse://[USER@]HOST[:PORT]/DATABASE[?cluster=NAME], clickhouses:// over TLS ---- */

enum { SMI_CH_HOST = 254, SMI_CH_NAME = 65 };

struct smi_ch_url {
    bool tls;
    char user[SMI_CH_NAME]; /* or empty */
    char host[SMI_CH_HOST]; /* IPv6 in brackets */
    int port;
    char database[SMI_CH_NAME], cluster[SMI_CH_NAME]; /* cluster: or empty */
};

/* Returns 0, or -1 with err SMI_EUSAGE, which never repeats a password. */
int smi_ch_url_parse(struct smi_ch_url *p, const char *url, struct smi_err *err);
/* The password: the first line of password_file, if that is not NULL; else SMILOG_CLICKHOUSE_PASSWORD of the
 * environment, or the first line of the file that SMILOG_CLICKHOUSE_PASSWORD_FILE names. *to, which is empty,
 * stays so where there is none. Returns 0, or -1 with err, which names the file. */
int smi_ch_password(const char *password_file, struct smi_buf *to, struct smi_err *err);
/* The column of a metric: its key, dots as underscores, as a dot means something else to ClickHouse. */
void smi_ch_metric_column(char to[SMI_CH_NAME], unsigned metric);

/* ---- questions and statements to a server, and what it says ---- */

/* How long servers are waited for. */
struct smi_ch_patience {
    int64_t retry_ms;         /* a server that is away is asked again for so long */
    int64_t done_ms;          /* what a server does on its own has to be done within so long */
    long hello_ms, answer_ms; /* until it has answered for the first time, and all of any other answer */
};
extern const struct smi_ch_patience smi_ch_patience;

/* One connection that is kept. It asks no proxy and follows nobody elsewhere, so that a password goes to the
 * host that was named and those of its cluster, and to no other. */
struct smi_ch_server {
    struct smi_ch_url place;
    struct smi_buf password; /* or empty; never part of a message */
    struct smi_ch_patience patience;
    CURL *easy;
    struct smi_buf
        shards; /* hosts of the cluster, all on the port of the URL, each with its NUL; "": that of the URL */
    const char *host;      /* the one that is asked: place.host, but while each of the shards is */
    bool all;              /* there is a cluster, and tables over those of its shards */
    struct smi_buf *plan;  /* NULL; or gets the statements that would change something: they are not done */
    struct smi_buf answer; /* to a statement; of rows what is not taken yet */
    size_t most;           /* bytes of either; more is an error */
    long status;           /* of the answer: 200, 404; 0: no whole one came */
    int code;              /* the server's own number of the error that it said last; 0: none */
    /* Takes a row of the answer to the next question, which is lent; NULL: none, as it is again behind it.
     * Returns 0, or -1 with err to stop. */
    int (*row)(void *self, const json_t *row, struct smi_err *err);
    void *self;
    size_t rows;            /* that it has taken */
    struct smi_err refused; /* what it said */
};

/* Reaches the server, and asks for the hosts of the cluster. Returns 0, or -1 with err:
 * SMI_EUSAGE (the URL), SMI_EIO (a server is away, or refuses); s is to be closed in both cases. */
int smi_ch_server_open(struct smi_ch_server *s, const char *url, const char *password_file,
                       const struct smi_ch_patience *patience, struct smi_err *err);
void smi_ch_server_close(struct smi_ch_server *s);

/* Posts once. table: gets the rows of the body, or NULL: the body is the statement. id: or
 * NULL; a server runs one query of an id at a time. After a failure it is not known whether the rows were
 * stored. Returns 0, or -1 with err, which names the host, and has the server's own words. */
int smi_ch_post(struct smi_ch_server *s, const char *table, const char *id, struct smi_text body,
                struct smi_err *err);
/* One statement, again and again until patience ends: for what may be done twice. s->row, if it is set, takes
 * every row of the answer, an object; numbers of 64 bits are texts. Returns -1 with err, or the number that
 * the answer is; 0: it is none. */
int64_t smi_ch_ask(struct smi_ch_server *s, struct smi_err *err, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* A value of a row: "" or 0 if it is not there. */
const char *smi_ch_text(const json_t *row, const char *key);
uint64_t smi_ch_number(const json_t *row, const char *key);
/* Deletes what is there now, and waits until the server has done it. Others may add such rows meanwhile.
 * such, where: what follows WHERE. Returns 0, or -1 with err: that takes longer than patience.done_ms, too.
 */
int smi_ch_delete(struct smi_ch_server *s, const char *table, const char *such, const char *where,
                  struct smi_err *err);

/* ---- runs back out of ClickHouse: what `smilog summarize clickhouse://...` reads ---- */

/* Gives the newest partial of every run to the queue. Returns 0, or -1 with err: SMI_EUSAGE (the URL),
 * SMI_EIO (a server), SMI_EFORMAT (no runs, or they are not as they should be). */
int smi_ch_fetch(struct smi_merge_queue *p, const char *where, struct smi_err *err);
