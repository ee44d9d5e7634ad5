/* follow.h - logs that another program writes, read as they grow: files, all logs below a directory, standard
 * input, and streams that the owner hands in. Whole lines come out, each once; events report what may be
 * lost. A source of the owner's loop; nothing here waits. inotify says when to look (one descriptor for
 * everything), and every file is checked once a second all the same, because NFS, FUSE and overlays do not
 * tell. A quiet file costs one stat(2) a second.
 *
 * A file is the same as before if its device, inode and time of birth are, and if it still holds what was
 * read: its first bytes (at most SMI_FOLLOW_HEAD) and those before the offset (SMI_FOLLOW_LAST). So a file
 * that was truncated and written again, or that has a used inode, is not taken for the old one, whatever its
 * size is; one that was replaced by a longer copy of itself (rsync) is.
 *
 * The files of one name are its generations: what has the name, what logrotate and Python's logging make of
 * it (NAME.1, NAME-20260101, NAME.1.csv), and the file that is read, under any name in the directory. They
 * are sorted by age. After a rotation by name the old file is read to its end, then those that came between,
 * then the new one. After a copy and truncation the rest is read from the copy, if it is beside the file;
 * what was written between the end of the copying and the truncation is lost, and reported.
 *
 * The offset is that of a line's first byte: an unfinished line is read again when there is more of it, so
 * that no line is torn, even by kill -9. Only a line that is too long is passed over piece by piece. */
#pragma once

#include "export/stored.h"
#include "live/live.h"
#include "sweep/walk.h"

enum {
    SMI_FOLLOW_STREAMS = 7, /* standard input and FIFOs, at most */
    SMI_FOLLOW_HEAD = 1024,
    SMI_FOLLOW_LAST = 256,
    SMI_FOLLOW_LINE_MAX = 1 << 20, /* bytes; a longer line is passed over, and said */
    SMI_FOLLOW_OPEN_MAX = 256, /* files that are open at once: the others are opened again when they grow */
    SMI_FOLLOW_REASON = 200
};

/* What tells a file from others without reading it. */
struct smi_follow_id {
    uint64_t dev, ino;
    int64_t born_ns;
};

/* How far a file was read, and what tells it from others. Zero: nothing yet. A plain value: store it, hand it
 * in again at the next start. */
struct smi_follow_position {
    int64_t part; /* the n-th file under its name, from 1; each truncation counts. 0: nothing yet */
    struct smi_follow_id id; /* ino 0: no file yet; of a stream always. born_ns 0: no birth is kept */
    int64_t began_ns; /* what is older than this (on the clock of files) was before it: other generations,
                         copies */
    int64_t offset;   /* of the next byte: a line begins there */
    int64_t line;     /* whole lines before it in this file */
    uint32_t copy;    /* 1: it is the copy of a file that was truncated */
    uint32_t head_n, last_n;
    unsigned char head[SMI_FOLLOW_HEAD], last[SMI_FOLLOW_LAST]; /* its first bytes; those before offset */
};

enum smi_follow_file_state {
    SMI_FOLLOW_WAITING, /* it is not there yet */
    SMI_FOLLOW_READING,
    SMI_FOLLOW_GONE,   /* it was there; it is waited for */
    SMI_FOLLOW_CLOSED, /* it cannot be read: why says why; it is tried again every second */
    SMI_FOLLOW_ENDED   /* a stream that has ended */
};

/* What stands under a name. */
struct smi_follow_stat {
    struct smi_follow_id id;
    mode_t mode;
    int64_t size, mtime_ns, ctime_ns, links;
};

enum smi_follow_kind {
    SMI_FOLLOW_FILE,
    SMI_FOLLOW_PIPE,   /* standard input, a FIFO */
    SMI_FOLLOW_COMMAND /* what a shell command prints */
};

/* One followed thing. To be read by the owner at any time; written by follow.h's functions only. */
struct smi_follow_file {
    char *path; /* as given, or below the directory as given; "-" */
    enum smi_follow_kind kind;
    enum smi_follow_file_state state;
    char why[SMI_FOLLOW_REASON]; /* of CLOSED: one sentence part; else "" */
    int format;                  /* of a file in a directory: its smi_format_id; -1: not told yet */
    int64_t size;    /* bytes that were there when it was looked at last: offset is to be compared with it */
    int64_t grew_ms; /* when something was handed on last; -1: never */
    struct smi_follow_position at; /* in a call of bytes: before those bytes. After it, behind them */
    /* smi_follow_state's and smi_follow_store's */
    struct smi_live_source *source; /* in the machine; NULL: none yet */
    bool dropped;                   /* it is no log, or the store cannot be read */
    int stored;                     /* its place among the sources of the store + 1; 0: not known yet */
    /* The rest is follow's own. */
    struct smi_follow *t;
    int place;        /* the file's number */
    int dir;          /* its directory in smi_follow.dir; -1: a stream */
    const char *base; /* its name there: the end of path */
    int fd;           /* -1 */
    bool begun;       /* at tells a file */
    bool whole;       /* older parts are read first */
    bool more, dirty; /* there is more to read; an event was sent */
    bool held;        /* the owner did not take it */
    bool skip;        /* at is within a line that is too long */
    bool found;       /* its begin was reported */
    bool cut;         /* it was truncated: what writes to it may leave a hole at its begin */
    bool over;        /* the name leads to another file: nothing more will come */
    int64_t due_ms, looked_ms, away_ms; /* away: since when the name leads nowhere; -1 */
    int64_t hole_at, hole_to, hole_ms;  /* zeros from hole_at on are waited for until hole_ms, and all that
                                           was in the file then: up to hole_to */
    struct smi_follow_stat seen;        /* at the last look */
    struct smi_buf part;                /* of a stream: what has no newline yet, or was not taken */
    int error;                   /* of the present look: 0, or errno: nothing can be said of the name; */
    struct smi_follow_stat name; /* else what has it, */
    bool here;                   /* and is it the file that we read? */
    /* of a command that we run: */
    struct smi_monitor *command; /* which starts it, and ends with it; or NULL */
    bool compare_all;            /* the next start is from the first byte, to compare all that is known */
    int64_t heard_ms;
    int64_t from; /* place of the next byte that comes; of one that we have, it is compared */
};

enum smi_follow_event_kind {
    SMI_FOLLOW_FOUND, /* a file begins to be read, at at.offset: the first of its name, at the start or later
                       */
    SMI_FOLLOW_ROTATED, /* the file before was read to its end; the next one begins. An unfinished line at its
                         * end was handed on as it is, without a newline */
    SMI_FOLLOW_TRUNCATED, /* it begins again at 0. `lost`: what was written shortly before may be missing */
    SMI_FOLLOW_MISSED, /* it was rotated while nobody looked, and its rest could not be found: that is missing
                        */
    SMI_FOLLOW_IS_GONE, /* deleted, or renamed and no new one came for a second */
    SMI_FOLLOW_IS_BACK, /* it is there again, or can be read again; if it is another file, ROTATED came
                           before */
    SMI_FOLLOW_REFUSED, /* cannot be read (permission, a device, packed data): state is CLOSED. Of a command:
                         * it ended, and is started again later */
    SMI_FOLLOW_PACKED,  /* a packed log in a directory, of no followed file: file is -1, the text has its path
                         */
    SMI_FOLLOW_PASSED,  /* bytes that are no line were passed over: zeros, or a line that is too long */
    SMI_FOLLOW_END      /* a stream has ended; its unfinished line was handed on without a newline */
};
struct smi_follow_event {
    enum smi_follow_event_kind what;
    int file;         /* its number: 0, 1, .. in the order of their coming */
    bool lost;        /* something is missing, or may be */
    const char *text; /* for people: one sentence without the path, borrowed for the call; a file's name in it
                       * is as the file system has it: printing it escapes it */
};

struct smi_follow;

/* The owner's callbacks for lines and events. Neither may block, nor call back but to read. */
struct smi_follow_calls {
    void *self;
    /* n bytes: whole lines with their newlines (the last one of a file or stream that is over may lack it).
     * 0: taken; 1: not now, they are to be offered again a moment later (a store whose disk is full). */
    int (*bytes)(void *self, int file, const char *p, size_t n);
    void (*event)(void *self, const struct smi_follow_event *e); /* or NULL */
};

/* All in milliseconds; smi_follow_times is what holds unless the owner says otherwise (tests do). */
struct smi_follow_times {
    int64_t look;   /* a file is looked at at least so often */
    int64_t gather; /* and, while it grows, at most so often */
    int64_t gone;   /* after so long without it */
    int64_t hole;   /* zeros at the end of what was read are waited for: bytes that come later than the size
                       (NFS) */
    int64_t scan;   /* directories are read again at least so often, if anything in them changed */
    int64_t pause, pause_most; /* before a command is started again: doubling from, to */
    int64_t answer;            /* so long without a byte after its start: it is asked in another way */
    struct smi_child_deadlines stop;
};
extern const struct smi_follow_times smi_follow_times;

struct smi_follow_opts {
    struct smi_follow_calls calls;
    const struct smi_follow_times *times; /* NULL: smi_follow_times */
    bool no_notify;                       /* by looking only */
    /* Where a file was read to the last time (from a store): fills *at and returns true, or returns false.
     * Also asked for paths that are found in directories, and for those of which these may be older parts;
     * self is that of calls. NULL: nowhere. */
    bool (*resume)(void *self, const char *path, struct smi_follow_position *at);
    const char *columns; /* of --input-columns or --columns-from; or NULL */
};

/* Nothing is followed yet. Free with smi_follow_free. */
struct smi_follow *smi_follow_new(const struct smi_follow_opts *o);
/* Follows path: a directory: all logs below it that discover would find, now and later (packed ones are not
 * followed);
 * "-": standard input; a FIFO; else a file, there or not yet. Returns 0, or -1 with err (too many
 * streams; the same "-" twice). Trouble with a file is its state, never an error. Nothing is read before the
 * loop runs. */
int smi_follow_add(struct smi_follow *t, const char *path, struct smi_err *err);
/* Follows what a shell command prints (see below). Its path is the command. Returns its number. */
int smi_follow_add_command(struct smi_follow *t, const char *command);
/* Has everything ended (only streams, and they are over)? */
bool smi_follow_is_over(const struct smi_follow *t);

/* Reads at most 1 MiB of each file a turn, so that others get theirs. */
struct smi_loop_source smi_follow_source(struct smi_follow *t);
/* Nothing more is read; asks the commands to end. Go on with the loop while one is busy. */
void smi_follow_stop(struct smi_follow *t, int64_t now_ms);
bool smi_follow_busy(const struct smi_follow *t);
void smi_follow_free(struct smi_follow *t);

/* ---- what follow.c keeps ---- */

/* A directory in which something is followed; of a tree that is followed, each directory of it. */
struct smi_follow_dir {
    char *path;       /* "." */
    int wd;           /* -1: not watched */
    bool tree, dirty; /* all logs in it are followed; something was heard of it */
    int depth;
    int64_t due_ms, looked_ms;
    int64_t mtime_ns, ctime_ns;
    struct smi_inode_set other; /* files in it that are no logs, or not yet: by mark_other */
    bool may_grow;              /* one of them may become a log */
};

/* A file in the directory of a followed one that has its name, or had. */
struct smi_follow_generation {
    char name[256];
    bool own; /* has the name now */
    int64_t age;
    struct smi_follow_stat st;
};

struct smi_follow {
    struct smi_follow_opts o;
    struct smi_follow_times times;
    struct smi_follow_file **file; /* for the owner to read: a file does not move while t lives */
    size_t files, files_cap;
    struct smi_map names; /* the paths of the files */
    struct smi_follow_dir *dir;
    size_t dirs, dirs_cap;
    struct smi_follow_generation *generation; /* of the file at hand, */
    struct smi_follow_generation found;       /* and the one that was opened last */
    size_t generations, generations_cap;
    int64_t after_ns; /* what is born later was not among them */
    int notify;       /* inotify, or -1 */
    size_t open;      /* files that are open now */
    char *buf;        /* the last bytes before a file's position, and those behind it */
    int64_t now_ms;
    bool stopping;
};

/* ---- a log elsewhere, through a command of the user's that prints it and goes on printing as it grows
 * (`follow --exec 'ssh pod tail -c +%o -F file'`): a stream of follow.h that is resumed where it was left.
 * %o in the command becomes the number of the first byte wanted, counted from 1 as tail -c + does; %% a %.
 * It is run by sh -c, and started again when it ends, after 1, 2, 4 .. 60 s. Each time the last bytes that
 * we have are asked for once more and compared: if they are others, or do not come, the file there is
 * another one (or shorter), and is read from its beginning. When GNU tail -F says on standard error that
 * the file was replaced or truncated, the bytes after that count from 0. Its message and the bytes come by
 * two ways, so that count may be wrong: then the next start finds other bytes than it has, and lines may
 * come twice; never are they lost ---- */

/* ---- the lines that were followed, and how far each log was read, in one SQLite file (`follow
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
 * comes from a pipe is safe once it is committed: a second later ---- */

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
    uint64_t waiting;                  /* lines that are not safe yet */
    uint64_t failures;                 /* commits that were refused, since the last good one */
    char why[SMI_FOLLOW_STORE_REASON]; /* of the last one: one sentence part; "" while all is well */
};

/* Opens or makes the file; lines wait so long for a commit (SMI_FOLLOW_STORE_WAIT_MS). Refused: a file of
 * another program or of another version of smilog, which stays as it is; one that another follower has open.
 * NULL with err. */
struct smi_follow_store *smi_follow_store_open(const char *path, int64_t wait_ms, struct smi_err *err);
/* Where this path was read to: for smi_follow_opts.resume. */
bool smi_follow_store_resume(const struct smi_follow_store *s, const char *path,
                             struct smi_follow_position *at);
/* To be called in smi_follow_calls.bytes, before anybody else gets them: the lines are kept, and will be
 * committed. Returns 0; 1: not now, the disk takes none and SMI_FOLLOW_STORE_WAITING is reached (return it to
 * tail: they will be offered again, nothing is lost). */
int smi_follow_store_add(struct smi_follow_store *s, const struct smi_follow *t, int file, const char *p,
                         size_t n);
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

struct smi_watch;
/* The source of a file, made if it is new, with what is stored of it; NULL if it is no log, or the store
 * cannot be read: an event says so. */
struct smi_live_source *smi_follow_state_source(struct smi_watch *w, int file);
/* A stream has ended. If its rows had stopped before, as those of a connection that broke, since when is an
 * event. */
void smi_follow_state_end(struct smi_watch *w, int file);
/* smi_follow_calls.bytes; self is the watch, whose machine, clock and events they are. */
int smi_follow_state_bytes(void *self, int file, const char *p, size_t n);
