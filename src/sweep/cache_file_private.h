/* cache_file_private.h - the cache's SQLite file: whose it is, its rows, and what goes wrong with it. */
#ifndef SMI_SWEEP_CACHE_FILE_PRIVATE_H
#define SMI_SWEEP_CACHE_FILE_PRIVATE_H

#include "sweep/cache.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdatomic.h>

/* A new row: where its key and its data are in `fresh`. */
struct smi_cache_row {
    int64_t id;
    size_t at, key, data;
};

struct smi_cache {
    const char *file; /* borrowed */
    sqlite3 *db;
    sqlite3_stmt *find;   /* of a run */
    pthread_mutex_t lock; /* of all below: SQLite does one thing at a time in a connection */
    int64_t form;         /* digest of the question */
    uint64_t salt;        /* another one: in every key of a run */
    struct smi_stat_cache looks;
    struct smi_buf fresh; /* keys and data of rows that are to be written */
    struct smi_cache_row *row;
    size_t rows, cap;
    int64_t *seen; /* ids of runs that are, and stay in the file */
    size_t nseen, seen_cap;
    bool any;           /* the file has runs of this question */
    atomic_bool silent; /* it is left alone from here on */
    struct smi_err said;
};

/* In front of every piece stands its digest, mixed with the question's: 8 bytes, filled here behind `from`.
 */
void smi_cache_seal(struct smi_buf *to, size_t from, uint64_t salt);
bool smi_cache_is_whole(const char *p, size_t n, uint64_t salt);

/* Opens `file` and what it has of the question. What is wrong with it is in c->said, and c->db NULL then. */
void smi_cache_file_open(struct smi_cache *c, const char *file);
void smi_cache_file_close(struct smi_cache *c);
/* Copies the data of the run k->id into k->packed, if its key is k->key. Locked. */
bool smi_cache_fetch(struct smi_cache *c, struct smi_cache_thread *k);
/* How many runs of the question the file has; -1: not known. */
int64_t smi_cache_count(struct smi_cache *c);
/* Writes the rows that were gathered; whole: and all that goes with the end of a sweep. Locked, or alone. */
void smi_cache_write(struct smi_cache *c, bool whole);

#endif
