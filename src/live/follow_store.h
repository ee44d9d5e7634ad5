/* follow_store.h - the lines that were followed, and how far each log was read, in one SQLite file (`follow
 * --store`). Both are stored in one transaction: whatever happens (kill -9, power loss), the file has every
 * line once, and the next start continues behind the last one. A line that is stored already is passed over.
 * Tables (STRICT; user_version 1, application_id "SMLG"):
 *   source(id, path, format, part, line, offset, dev, ino, born_ns, began_ns, copy, head, last): one row for
 *     each followed path, which is absolute
 *   line(source, part, line, offset, text): part: the n-th file of that path, each truncation counts; line
 *     (from 1) and offset: in it; text: the line without its newline, byte by byte
 * Files of earlier versions have a table batch, too, which nobody reads. The journal is a WAL, so that other
 * programs can read meanwhile. synchronous is FULL: NORMAL could take back the last commits at a power loss,
 * and a file that was rotated away, or a pipe, cannot be read again. That costs one fsync a second. What
 * comes from a pipe is safe once it is committed: a second later. */
#ifndef SMI_LIVE_FOLLOW_STORE_H
#define SMI_LIVE_FOLLOW_STORE_H

#include "base/err.h"
#include "export/stored.h"
#include "live/follow.h"
#include "live/machine.h"

enum {
    SMI_FOLLOW_STORE_VERSION = 1,
    SMI_FOLLOW_STORE_ID = SMI_FOLLOWED_ID,
    SMI_FOLLOW_STORE_LINES = 1000,       /* so many wait for a commit, */
    SMI_FOLLOW_STORE_WAIT_MS = 1000,     /* so long */
    SMI_FOLLOW_STORE_WAITING = 64 << 20, /* bytes of lines that are kept while the disk does not take them */
    SMI_FOLLOW_STORE_REASON = 240
};

struct smi_follow_store;

/* What became of it so far. */
struct smi_follow_store_state {
    uint64_t lines;                    /* that are safe */
    uint64_t waiting;                  /* lines that are not */
    uint64_t failures;                 /* commits that were refused, since the last good one */
    char why[SMI_FOLLOW_STORE_REASON]; /* of the last one: one sentence part; "" while all is well */
};

/* Opens or makes the file. Refused: a file of another program or of another version of smilog, which stays as
 * it is; one that another follower has open. NULL with err. */
struct smi_follow_store *smi_follow_store_open(const char *path, struct smi_err *err);
/* Lines wait `ms` for a commit, instead of SMI_FOLLOW_STORE_WAIT_MS. */
void smi_follow_store_set_wait(struct smi_follow_store *s, int64_t ms);
/* Where this path was read to: for smi_follow_opts.resume. */
bool smi_follow_store_resume(const struct smi_follow_store *s, const char *path,
                             struct smi_follow_position *at);
/* To be called in smi_follow_calls.bytes, before anybody else gets them: the lines are kept, and will be
 * committed. Returns 0; 1: not now, the disk takes none and SMI_FOLLOW_STORE_WAITING is reached (return it to
 * tail: they will be offered again, nothing is lost); -1 with err: memory. */
int smi_follow_store_add(struct smi_follow_store *s, const struct smi_follow *t, int file, const char *p,
                         size_t n);
/* All lines of a file of t's that are stored, in their order, without their newlines; text is lent for the
 * call. Stops at the first -1. Returns 0, or -1 with err: take's, SMI_EIO. */
typedef int smi_follow_store_fn(void *self, int64_t part, const char *text, size_t n, struct smi_err *err);
int smi_follow_store_read(struct smi_follow_store *s, const struct smi_follow *t, int file,
                          smi_follow_store_fn *take, void *self, struct smi_err *err);
/* When smi_follow_store_go has something to do: monotonic ms; INT64_MAX: nothing waits. */
int64_t smi_follow_store_due(const struct smi_follow_store *s, int64_t now_ms);
/* Commits what waits, if it is due; never in a call of tail's. A disk that is full is no error: state says
 * so, the lines are kept and it is tried again every second. */
void smi_follow_store_go(struct smi_follow_store *s, const struct smi_follow *t, int64_t now_ms);
const struct smi_follow_store_state *smi_follow_store_state(const struct smi_follow_store *s);
/* Commits what waits and closes. Returns 0, or -1 with err: so many lines could not be stored (of files they
 * are read again at the next start). t NULL: nothing is committed. s may be NULL. */
int smi_follow_store_close(struct smi_follow_store *s, const struct smi_follow *t, struct smi_err *err);

/* ---- what follow reads goes into its state, and into its store; a follower that was started again knows
 * what it knew: the state is filled from the store ---- */

struct smi_follow_state {
    struct smi_machine *now;
    struct smi_follow *tail;
    struct smi_follow_store *store; /* or NULL */
    const int64_t *mono_ms;         /* of the bytes that come */
    int *source; /* of each file of tail: its place in now + 1; 0: none yet, -1: it is no log */
    size_t sources;
    int64_t *told;      /* events up to here are not news: they were said, or are of what was stored */
    struct smi_err err; /* of a call of tail's */
};

/* The source of a file, made if it is new, with what is stored of it; -1 if it is no log, or on trouble
 * (f->err). */
int smi_follow_state_source(struct smi_follow_state *f, int file);
/* A stream has ended. Returns 0, or -1 with f->err. */
int smi_follow_state_end(struct smi_follow_state *f, int file);
/* For smi_follow_calls.bytes. */
int smi_follow_state_bytes(struct smi_follow_state *f, int file, const char *p, size_t n);

#endif
