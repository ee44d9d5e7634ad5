/* clickhouse_store.h - a store and its tables. */
#ifndef SMI_EXPORT_CLICKHOUSE_STORE_H
#define SMI_EXPORT_CLICKHOUSE_STORE_H

#include "base/mem.h"
#include "export/clickhouse_server.h"
#include "model/metric.h"

struct smi_ch_store {
    struct smi_ch_url place;
    char *password;
    struct smi_ch_server server;
    bool tables[SMI_CH_TABLES];    /* those that are there */
    bool metric[SMI_METRIC_COUNT]; /* samples_local has its column */
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

/* Appends the statements that make the tables that are not there, and columns of these metrics; each with its
 * NUL. */
void smi_ch_store_ddl(const struct smi_ch_store *s, const bool metric[SMI_METRIC_COUNT], struct smi_buf *to);
/* Makes what tables are not there. */
int smi_ch_store_make(struct smi_ch_store *s, struct smi_err *err);
/* Gives the table the columns of these metrics, where it lacks them. */
int smi_ch_store_widen(struct smi_ch_store *s, const bool metric[SMI_METRIC_COUNT], struct smi_err *err);

/* The newest row of a run. */
struct smi_ch_run_row {
    uint64_t run, version, digest, samples, marks;
    const char *name, *place, *leaf, *host;
    bool removed;
};

/* All runs of a store, by run. Zero-initialise; ends with smi_ch_runs_fini. */
struct smi_ch_runs {
    struct smi_arena arena;
    struct smi_ch_run_row *list;
    size_t n, cap;
};
int smi_ch_runs_read(struct smi_ch_runs *runs, struct smi_ch_store *s, struct smi_err *err);
/* NULL: there is no such run. */
const struct smi_ch_run_row *smi_ch_runs_find(const struct smi_ch_runs *runs, uint64_t run);
void smi_ch_runs_fini(struct smi_ch_runs *runs);

#endif
