/* follow_private.h - what the files of this room share; for this room only. */
#ifndef SMI_LIVE_FOLLOW_PRIVATE_H
#define SMI_LIVE_FOLLOW_PRIVATE_H

#include "base/buf.h"
#include "base/mem.h"
#include "live/follow.h"

#include <sys/types.h>

enum { SMI_TAIL_PIECE = 65536, SMI_TAIL_KNOWN = 16 };

/* What tells a file from others without reading it. */
struct smi_tail_id {
    uint64_t dev, ino;
    int64_t born_ns;
};

/* What stands under a name. */
struct smi_tail_stat {
    struct smi_tail_id id;
    mode_t mode;
    int64_t size, mtime_ns, ctime_ns, links;
};

struct smi_tail_work {
    int place;               /* the file's number */
    int dir;                 /* its directory in watch */
    const char *base;        /* its name there: the end of path */
    int fd;                  /* -1 */
    bool begun;              /* at tells a file */
    bool stream, ours, whole; /* stream; read by us; older parts are read first */
    bool more, dirty, held;  /* there is more to read; something was told; the owner did not take it */
    bool told_found;         /* its begin */
    bool cut;                /* it was truncated: what writes to it may leave a hole at its begin */
    bool over;               /* the name leads to another file: nothing more will come */
    int64_t due_ms, looked_ms, away_ms; /* away: since when the name leads nowhere; -1 */
    int64_t hole_ms, hole_at; /* since when zeros stand there; -1 */
    int64_t skip_to;         /* of a line that is too long: looked through up to here; 0 */
    struct smi_tail_stat seen; /* at the last look */
    struct smi_tail_id known[SMI_TAIL_KNOWN]; /* files that were read under this name */
    unsigned nknown;
    struct smi_buf part;     /* of a stream: what has no newline yet, or was not taken */
};

/* A directory in which something is followed; of a tree that is followed, each directory of it. */
struct smi_tail_dir {
    char *path;              /* "." */
    int wd;                  /* -1: not watched */
    bool tree, dirty;        /* all logs in it are followed; it is to be read again */
    int depth;
    int64_t due_ms;
    int64_t mtime_ns, ctime_ns;
};

/* A file in such a directory that is no log, or not one yet. */
struct smi_tail_other {
    char *path;
    int dir;
    int64_t size, mtime_ns;
    uint64_t ino;
};

struct smi_tail {
    struct smi_tail_opts o;
    struct smi_tail_times times;
    struct smi_tail_file **file;
    size_t files, files_cap;
    struct smi_tail_dir *dir;
    size_t dirs, dirs_cap;
    struct smi_tail_other *other;
    size_t others, others_cap;
    struct smi_tail_names {  /* paths of files and others: see names.c */
        int *slot;
        size_t cap, n;
    } names;
    int notify;              /* inotify, or -1 */
    size_t open;             /* files that are open now */
    char *buf;               /* of buf_n bytes: SMI_TAIL_LAST, then a piece */
    size_t buf_n;
    int64_t now_ms;
    int failed;              /* a call of bytes, or memory */
    struct smi_err *err;     /* of the go that is on */
};

void smi_tail_tell(struct smi_tail *t, struct smi_tail_file *f, enum smi_tail_what what, bool lost, const char *fmt,
                   ...) __attribute__((format(printf, 5, 6)));
int smi_tail_nomem(struct smi_tail *t);

/* --- read.c: bytes of a place --- */

/* What was done of an order to read all that there is. */
enum smi_tail_did {
    SMI_TAIL_DID_ALL,
    SMI_TAIL_DID_SOME,  /* there is more, or the owner did not take it */
    SMI_TAIL_DID_OTHER, /* the file does not hold what was read of it before: it was written anew */
    SMI_TAIL_DID_FAIL   /* it cannot be read: errno */
};
/* Hands on whole lines of fd from f->at on; `most` bytes, or a line more. */
enum smi_tail_did smi_tail_read(struct smi_tail *t, struct smi_tail_file *f, int fd, int64_t most);
/* Hands on the unfinished line at the end of fd. */
enum smi_tail_did smi_tail_read_rest(struct smi_tail *t, struct smi_tail_file *f, int fd);
/* Hands n bytes on, and moves at behind them. Returns as bytes does. */
int smi_tail_hand(struct smi_tail *t, struct smi_tail_file *f, const char *p, size_t n);
/* Does fd hold what was read up to at? */
bool smi_tail_holds(const struct smi_tail_place *at, int fd);
/* at is the begin of the file id. */
void smi_tail_begin(struct smi_tail_place *at, const struct smi_tail_id *id, int64_t began_ns);

/* --- older.c: other files of the same name --- */

int smi_tail_stat(int dirfd, const char *name, int flags, struct smi_tail_stat *st); /* 0, or errno */
bool smi_tail_same_id(const struct smi_tail_id *a, const struct smi_tail_id *b);
struct smi_tail_id smi_tail_id_of(const struct smi_tail_place *at);
/* Is `name` what rotation makes of `base`? */
bool smi_tail_is_older(const char *name, const char *base);
enum smi_tail_which {
    SMI_TAIL_MOVED, /* the file that at tells, wherever it is in its directory */
    SMI_TAIL_COPY,  /* the oldest copy of it, made since it began */
    SMI_TAIL_NEXT   /* the file after it, or the first one: the oldest of those not read yet */
};
/* Opens such a file of f's directory; st is filled, and name (256 bytes): how it is called now. -1: there is none. */
int smi_tail_find(const struct smi_tail *t, const struct smi_tail_file *f, enum smi_tail_which which,
                  struct smi_tail_stat *st, char *name);
/* When a file came into being, as far as that is known: its birth, else its last write. */
int64_t smi_tail_age(const struct smi_tail_stat *st);
void smi_tail_know(struct smi_tail_file *f, const struct smi_tail_id *id);
bool smi_tail_knows(const struct smi_tail_file *f, const struct smi_tail_id *id);

/* --- look.c --- */

void smi_tail_look(struct smi_tail *t, struct smi_tail_file *f);
void smi_tail_close(struct smi_tail *t, struct smi_tail_file *f);

/* --- stream.c --- */

void smi_tail_stream_read(struct smi_tail *t, struct smi_tail_file *f);

/* --- watch.c --- */

/* The directory of this path (NUL-terminated), watched: its place, or -1 without memory. */
int smi_tail_watch(struct smi_tail *t, const char *path);
void smi_tail_watch_again(struct smi_tail *t, struct smi_tail_dir *d);
void smi_tail_heard(struct smi_tail *t); /* reads what inotify says, and marks what is to be looked at */

/* --- tree.c --- */

int smi_tail_tree(struct smi_tail *t, const char *path, int depth); /* follows a directory */
void smi_tail_scan(struct smi_tail *t, int dir);
/* The path of a name in directory dir; empty if it does not fit. */
void smi_tail_tree_path(const struct smi_tail *t, int dir, const char *name, char *path, size_t n);
void smi_tail_look_others(struct smi_tail *t, int dir, const char *name); /* name NULL: all of it */

/* --- names.c --- */

enum { SMI_TAIL_NO_NAME = 0 };
/* What has this path: 1 + the place of a file, -1 - the place of an other, or SMI_TAIL_NO_NAME. */
int smi_tail_name_find(const struct smi_tail *t, const char *path);
int smi_tail_name_add(struct smi_tail *t, int is); /* 0, or -1 without memory */
int smi_tail_names_again(struct smi_tail *t);      /* after others were taken out; 0, or -1 */

/* A new file; NULL without memory. Its path is copied. */
struct smi_tail_file *smi_tail_file_new(struct smi_tail *t, const char *path);

#endif
