/* follow_store_private.h - what store.c and commit.c share; for this room only. */
#ifndef SMI_LIVE_FOLLOW_STORE_PRIVATE_H
#define SMI_LIVE_FOLLOW_STORE_PRIVATE_H

#include "base/buf.h"
#include "base/mem.h"
#include "live/follow_store.h"

#include <sqlite3.h>

/* A path that was ever followed into this file. */
struct smi_follow_store_source {
    int64_t id;
    char *path;
    struct smi_follow_position at; /* as it is stored */
    bool stored;
};

struct smi_follow_store_row {
    size_t from, n; /* in text */
    int64_t part, line, offset;
    size_t source;
};

struct smi_follow_store {
    sqlite3 *db;
    sqlite3_stmt *put_line, *put_source, *batch;
    int lock;
    char *name;
    struct smi_follow_store_source *source;
    size_t sources, sources_cap;
    size_t *of; /* of file i of tail: place + 1; 0: not known */
    size_t of_n, of_cap;
    struct smi_buf text;
    struct smi_follow_store_row *row;
    size_t rows, rows_cap;
    size_t tried;     /* rows of the commit that was refused last */
    int64_t batches;  /* commits in this file */
    int64_t id;       /* the greatest of a source */
    int64_t since_ms; /* the first row came; -1 */
    int64_t again_ms; /* after a refusal */
    int64_t wait_ms;
    struct smi_follow_store_state state;
};

/* The source of file i of tail: its place + 1; 0 without memory. */
size_t smi_follow_store_source(struct smi_follow_store *s, const struct smi_follow *t, int i);
/* Has a place changed since it was stored? */
bool smi_follow_store_is_behind(const struct smi_follow_store *s, const struct smi_follow *t);
/* Commits all that waits, or says in state why not. Returns 0, or -1 with err (memory). */
int smi_follow_store_save(struct smi_follow_store *s, const struct smi_follow *t, struct smi_err *err);

#endif
