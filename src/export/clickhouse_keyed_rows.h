/* clickhouse_keyed_rows.h - rows that say themselves which they are: of a set of them those are sent that a
 * table lacks. So whoever was killed in between, or has got no answer, asks again what is there, and sends
 * the rest. */
#ifndef SMI_EXPORT_CLICKHOUSE_KEYED_ROWS_H
#define SMI_EXPORT_CLICKHOUSE_KEYED_ROWS_H

#include "export/clickhouse_store.h"
#include "export/clickhouse_ledger.h"

enum { SMI_CH_KEYED_BLOCK = 8 << 20 /* bytes that go at once */ };

/* Rows that wait. Zero-initialise; ends with smi_ch_keyed_fini. */
struct smi_ch_keyed {
    struct smi_buf text; /* a line of JSON each, with its end */
    struct smi_ch_keyed_row {
        uint64_t key; /* which it is: smi_siphash of a text */
        size_t at, n; /* its line */
        bool missing;
    } * row;
    size_t n, cap;
};

/* Where they go. */
struct smi_ch_keyed_to {
    struct smi_ch_server *server;
    struct smi_ledger *ledger;
    const char *table; /* without its database */
    const char *key;   /* SQL of the text whose sum tells rows apart */
    const char *where; /* SQL: among which rows of the table */
};

/* The line is what was appended to text behind the last row. Returns 0, or -1 with err (memory). */
int smi_ch_keyed_add(struct smi_ch_keyed *k, uint64_t key, struct smi_err *err);
/* All of them are forgotten; memory is kept. */
void smi_ch_keyed_clear(struct smi_ch_keyed *k);
void smi_ch_keyed_fini(struct smi_ch_keyed *k);

/* Finds out which are missing; *strange: how many rows are there that are none of them. Returns 0, or -1 with
 * err. */
int smi_ch_keyed_check(struct smi_ch_keyed *k, const struct smi_ch_keyed_to *to, uint64_t *strange,
                       struct smi_err *err);
/* Takes all rows out that are there, and waits until they are: then all are missing. */
int smi_ch_keyed_delete(struct smi_ch_keyed *k, const struct smi_ch_keyed_to *to, struct smi_err *err);
uint64_t smi_ch_keyed_missing(const struct smi_ch_keyed *k);
/* Sends those. Returns 0; or -1 with err: what of it is there is to be asked. */
int smi_ch_keyed_send(struct smi_ch_keyed *k, const struct smi_ch_keyed_to *to, struct smi_err *err);
/* After such an error: may all be done again, until a moment (smi_clock_now_ms)? Then it has waited. */
bool smi_ch_keyed_may_retry(const struct smi_ch_keyed_to *to, const struct smi_err *err, int64_t until);

#endif
