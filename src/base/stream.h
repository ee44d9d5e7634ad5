/* stream.h - where bytes come from: a descriptor, a member of an archive, what a decoder makes of another
 * source. */
#pragma once

#include "base/buf.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { SMI_SOURCE_WARNING = 200 };

struct smi_byte_source {
    /* Up to n bytes (n > 0) into buf. Returns how many, 0 at the end, -1 with err. */
    ssize_t (*read)(struct smi_byte_source *self, void *buf, size_t n, struct smi_err *err);
    /* Filled once the end was read, if it is not the end that was meant: "its gzip data ends early: ...".
     * What was read before it counts. UTF-8, a clause without a subject. Empty: all is well. */
    char doubt[SMI_SOURCE_WARNING];
};

/* A descriptor, read from where it is. */
struct smi_fd_source {
    struct smi_byte_source pull;
    int fd;           /* borrowed */
    const char *name; /* borrowed, for messages */
};
struct smi_fd_source smi_fd_source_make(int fd, const char *name);

/* A source that makes its bytes of those of another, a buffer at a time. */
struct smi_made_source {
    struct smi_byte_source pull;
    struct smi_byte_source *from;
    /* Makes the next bytes: p and n, which is 0 before, and stays it at the end. Returns 0, or -1 with err.
     * NULL: behind those that are there come the bytes of `from` as they are. */
    int (*fill)(struct smi_made_source *self, struct smi_err *err);
    bool small;    /* its buffers are: a read takes as many as it has room for */
    const char *p; /* n bytes, of which `at` were read */
    size_t n, at;
};
void smi_made_source_open(struct smi_made_source *m, struct smi_byte_source *from, bool small,
                          int (*fill)(struct smi_made_source *self, struct smi_err *err));

/* ---- which container a file is, by its first bytes ---- */

enum smi_container {
    SMI_CONTAINER_PLAIN, /* none of them */
    SMI_CONTAINER_GZIP,
    SMI_CONTAINER_ZSTD,
    SMI_CONTAINER_XZ,
    SMI_CONTAINER_BZIP2,
    SMI_CONTAINER_UTF16LE, /* text, with its byte order mark */
    SMI_CONTAINER_UTF16BE,
    SMI_CONTAINER_WANDB, /* a run of Weights & Biases */
    SMI_CONTAINER_TAR,
    SMI_CONTAINER_ZIP
};

enum { SMI_CONTAINER_MAGIC = 512 }; /* bytes that decide it */

/* n: what there is of the first SMI_CONTAINER_MAGIC bytes. Sources: RFC 1952 §2.3.1, RFC 8878 §3.1.1 and
 * §3.1.2, the .xz file format §2.1.1.1, bzip2's "BZh", POSIX pax "ustar
 * interchange format", PKWARE APPNOTE §4.3.7 and §4.3.16. */
enum smi_container smi_container_detect(const char *p, size_t n);
/* tar, zip. */
bool smi_container_is_archive(enum smi_container c);
/* "gzip", "UTF-16", "tar" ...: for sentences. */
const char *smi_container_name(enum smi_container c);

/* ---- gzip, zstd, xz and bzip2 data to bytes, one buffer at a time ---- */

/* Bytes that nobody could mean to have. A log of repeated rows is packed 100 to 300 to one. */
enum { SMI_RATIO_MAX = 1000 };               /* expanded : packed, from SMI_RATIO_FROM on */
#define SMI_RATIO_FROM ((int64_t)1 << 30)    /* 1 GiB expanded */
#define SMI_EXPANDED_MAX ((int64_t)1 << 40)  /* 1 TiB out of one stream */
#define SMI_WINDOW_MAX ((uint64_t)136 << 20) /* memory for a dictionary of 128 MiB, and a little */

/* took: packed bytes of this kind ("gzip"); gave: those that were made of them. Returns 0, or -1 with err. */
int smi_expansion_check(int64_t took, int64_t gave, const char *what, struct smi_err *err);

/* ---- the bytes of a log, however it is kept: unpacked, and as UTF-8. Flat memory ---- */

struct smi_stream; /* opaque */

/* Looks at the first bytes of `from` (borrowed, read from where it is) and puts in between what is needed:
 * one decoder, then UTF-16 to UTF-8, or W&B's records to lines. Returns NULL with err: it cannot be read, or
 * memory. */
struct smi_stream *smi_stream_open(struct smi_byte_source *from, struct smi_err *err);
/* Nothing stands between: read gives the bytes of `from` as they are. */
bool smi_stream_is_plain(const struct smi_stream *s);
/* What the bytes to be read are: SMI_CONTAINER_PLAIN, an archive, or packed twice over (not decoded again).
 */
enum smi_container smi_stream_content(const struct smi_stream *s);
struct smi_byte_source *smi_stream_source(struct smi_stream *s);
/* Like read(2): up to n bytes, 0 at the end, -1 with err (SMI_ELIMIT: a bomb). */
ssize_t smi_stream_read(struct smi_stream *s, void *buf, size_t n, struct smi_err *err);
/* From now on the lines of W&B are those of events alone. */
void smi_stream_leave_samples(struct smi_stream *s);
/* After the end: why it is not the one that was meant, or NULL. Borrowed. */
const char *smi_stream_warning(const struct smi_stream *s);
void smi_stream_close(struct smi_stream *s);

/* ---- an archive (tar, also compressed; zip) from its first member to its last, without unpacking it to
 * disk ---- */

enum {
    SMI_ARCHIVE_MEMBERS_MAX = 1000000, /* members of one archive, those of archives inside counted on */
    SMI_ARCHIVE_NAME_MAX = 4096,       /* bytes of a name */
    SMI_ARCHIVE_DEPTH = 2              /* an archive in an archive is read, and nothing deeper */
};

enum smi_archive_member_kind {
    SMI_ARCHIVE_FILE,
    SMI_ARCHIVE_NESTED, /* its own members follow, named below it */
    SMI_ARCHIVE_LINK,   /* symbolic or hard: not followed */
    SMI_ARCHIVE_OTHER,  /* a device, a FIFO; data that was packed twice */
    SMI_ARCHIVE_REFUSED /* why says it */
};

struct smi_archive_member {
    int64_t id;       /* its place in the archive, from 1: the same in every walk */
    const char *path; /* without "/" in front and without pieces "." and ".."; REFUSED: the name as it is */
    enum smi_archive_member_kind kind;
    const char *why;          /* REFUSED: a clause ("is encrypted: not read") */
    struct smi_stream *bytes; /* FILE: what it holds, unpacked and as UTF-8; not all has to be read */
};

/* Appends to b `above`, and behind it the name of a member, "./a//b/" as "a/b". Returns NULL, or a clause:
 * why it is none. */
const char *smi_archive_clean_name(struct smi_buf *b, const char *above, const char *name);

/* Called for each member in the order of the archive; directories are left out. What m holds is lent for the
 * call. Returns 0; 1 to see no more; -1 with err to stop. */
typedef int smi_archive_member_fn(void *self, const struct smi_archive_member *m, struct smi_err *err);

/* Walks the archive in the regular file fd (borrowed), which is read from its beginning. *doubt: filled if
 * not all of it could be read (damaged, cut off, a bomb); the members before that count. A name is
 * only a name: nothing is written anywhere, links are not followed, and what would lead out of the archive is
 * refused. Returns 0, or -1 with err: memory, or what fn said. */
int smi_archive_walk(int fd, const char *name, smi_archive_member_fn *fn, void *self, struct smi_err *doubt,
                     struct smi_err *err);

/* ---- the records of a run of Weights & Biases (run-ID.wandb) to JSON lines. {"wandb": "run", "event":
 * "start", "time": "2026-07-03T10:00:00.000Z", "data": {"host": "node1", "lr": 0.1}} {"wandb": "gpu",
 * "index": 0, "name": "NVIDIA A100", "memory": 42949672960, "uuid": "GPU-1f..."} {"wandb": "stats",
 * "time": 1783072800.250000, "gpu.0.gpu": 37.0, "gpu.0.temp": 41} {"wandb": "history", "event": "step",
 * "time": "2026-07-03T10:00:20.250Z", "data": {"_step": 0, "loss": 2.3}} {"wandb": "exit", "event":
 * "stop", "time": "2026-07-03T10:31:00.000Z", "data": {"exit_status": 0}} {"wandb": "other"} {"wandb":
 * "damaged record"} A line for each record, and one for each GPU of the machine; of the values those that
 * are no lists and no objects. A damaged record is one whose checksum, length or parts are wrong. One that
 * the end of the file cuts off becomes a line without its end ---- */

#define SMI_WANDB_MAGIC ":W&B"
