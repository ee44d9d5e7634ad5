/* follow_private.h - what the files that implement follow.h share. */
#ifndef SMI_LIVE_FOLLOW_PRIVATE_H
#define SMI_LIVE_FOLLOW_PRIVATE_H

#include "base/map.h"
#include "base/mem.h"
#include "live/follow.h"

enum { SMI_FOLLOW_CHUNK = 65536 };

/* A directory in which something is followed; of a tree that is followed, each directory of it. */
struct smi_follow_dir {
    char *path;       /* "." */
    int wd;           /* -1: not watched */
    bool tree, dirty; /* all logs in it are followed; it is to be read again */
    int depth;
    int64_t due_ms;
    int64_t mtime_ns, ctime_ns;
};

/* A file in such a directory that is no log, or not one yet. */
struct smi_follow_other {
    char *path;
    int dir;
    int64_t size, mtime_ns;
    uint64_t ino;
};

struct smi_follow {
    struct smi_follow_opts o;
    struct smi_follow_times times;
    struct smi_follow_file **file;
    size_t files, files_cap;
    struct smi_follow_dir *dir;
    size_t dirs, dirs_cap;
    struct smi_follow_other *other;
    size_t others, others_cap;
    struct smi_map names; /* paths of files and others: follow.c */
    int notify;           /* inotify, or -1 */
    size_t open;          /* files that are open now */
    char *buf;            /* of buf_n bytes: SMI_FOLLOW_LAST, then a piece */
    size_t buf_n;
    int64_t now_ms;
    int failed;          /* a call of bytes, or memory */
    struct smi_err *err; /* of the go that is on */
};

void smi_follow_report(struct smi_follow *t, struct smi_follow_file *f, enum smi_follow_event_kind what,
                       bool lost, const char *fmt, ...) __attribute__((format(printf, 5, 6)));

/* ---- follow_read.c: bytes of a place ---- */

/* Result of reading a file up to its current end. */
enum smi_follow_outcome {
    SMI_FOLLOW_READ_ALL,
    SMI_FOLLOW_READ_SOME,  /* there is more, or the owner did not take it */
    SMI_FOLLOW_READ_OTHER, /* the file does not hold what was read of it before: it was written anew */
    SMI_FOLLOW_READ_FAILED /* it cannot be read: errno */
};
/* Hands on whole lines of fd from f->at on; `most` bytes, or a line more. */
enum smi_follow_outcome smi_follow_read(struct smi_follow *t, struct smi_follow_file *f, int fd,
                                        int64_t most);
/* Hands on the unfinished line at the end of fd. */
enum smi_follow_outcome smi_follow_read_rest(struct smi_follow *t, struct smi_follow_file *f, int fd);

/* Does fd hold what was read up to at? */
bool smi_follow_matches_content(const struct smi_follow_position *at, int fd);
/* at is the begin of the file id. */
void smi_follow_begin(struct smi_follow_position *at, struct smi_follow_id id, int64_t began_ns);

/* ---- follow_file.c ---- */

/* The clock that the times of files come from goes in steps (milliseconds; of some file systems 2 s): a time
 * that is not older than this may stand for two changes. */
#define SMI_FOLLOW_OLD_NS ((int64_t)2000000000)
/* The time on that clock. */
int64_t smi_follow_clock_ns(void);
int smi_follow_stat(int dirfd, const char *name, int flags, struct smi_follow_stat *st); /* 0, or errno */
bool smi_follow_same_id(const struct smi_follow_id *a, const struct smi_follow_id *b);
/* Is `name` what rotation makes of `base`? */
bool smi_follow_is_older(const char *name, const char *base);
enum smi_follow_rotated_kind {
    SMI_FOLLOW_MOVED, /* the file that at tells, wherever it is in its directory */
    SMI_FOLLOW_COPY,  /* the oldest copy of it, made since it began */
    SMI_FOLLOW_NEXT   /* the file after it, or the first one: the oldest of those not read yet */
};

bool smi_follow_is_known(const struct smi_follow_file *f, const struct smi_follow_id *id);
/* Nothing of f was read yet: is there a copy of what it held before it was truncated again? */
bool smi_follow_was_copied(const struct smi_follow *t, const struct smi_follow_file *f);

void smi_follow_check_file(struct smi_follow *t, struct smi_follow_file *f);
void smi_follow_close(struct smi_follow *t, struct smi_follow_file *f);

void smi_follow_stream_read(struct smi_follow *t, struct smi_follow_file *f);

#endif
