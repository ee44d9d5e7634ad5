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

/* A thread's own connection: SQLite does one thing at a time in each. */
struct smi_cache_reader {
    sqlite3 *db;
    sqlite3_stmt *find;
    bool reading; /* a transaction is open, and the file is locked for writers */
    int64_t since_ms;
};

struct smi_cache {
    const char *file; /* borrowed */
    sqlite3 *db;
    pthread_mutex_t lock; /* of all below, but for: */
    pthread_rwlock_t
        apart; /* threads that read and the one that writes: SQLite would make them wait by sleeping */
    atomic_int writers;      /* who waits for it to write */
    pthread_mutex_t telling; /* of `said` */
    int64_t form;            /* digest of the question */
    uint64_t salt;           /* another one: in every key of a run */
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
/* The row of the run k->id, if its key is k->key: *data is its own until the next one or smi_cache_release.
 */
bool smi_cache_fetch(struct smi_cache *c, struct smi_cache_thread *k, struct smi_text *data);
void smi_cache_reader_close(struct smi_cache *c, struct smi_cache_thread *k);
/* How many runs of the question the file has; -1: not known. */
int64_t smi_cache_count(struct smi_cache *c);
/* Writes the rows that were gathered; whole: and all that goes with the end of a sweep. Locked, or alone. */
void smi_cache_write(struct smi_cache *c, bool whole);

#endif
