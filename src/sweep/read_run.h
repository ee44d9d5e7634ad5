/* read_run.h - logs that are not read as they lie: compressed ones, UTF-16, standard input. */
#ifndef SMI_SWEEP_READ_RUN_H
#define SMI_SWEEP_READ_RUN_H

#include "aggregate/chunks.h"
#include "aggregate/ingest.h"
#include "base/buf.h"
#include "base/file.h"
#include "base/stream.h"
#include "summary/run.h"
#include "sweep/archived_log.h"
#include "sweep/discover.h"

#include <stdbool.h>
#include <stdint.h>

/* Do the bytes of a regular file have to be decoded? Its place stays where it is. */
bool smi_read_is_encoded(int fd);

struct smi_read_stream_result {
    int64_t size;                   /* bytes as they were read, decoded */
    uint64_t hash;                  /* the digest of them, if that was asked for */
    char doubt[SMI_SOURCE_WARNING]; /* why they ended too early, or "": a clause about the file */
};
/* Reads `from` (borrowed) to its end through the door, whatever it is packed in. Returns 0, or -1 with err.
 */
int smi_read_stream(struct smi_ingest *in, struct smi_byte_source *from, bool hash,
                    struct smi_read_stream_result *out, struct smi_err *err);

/* ---- a stream is kept while it is read, if its log may have rows and phases: such a log has to be read
 * twice ---- */

#define SMI_STREAM_COPY_MAX ((int64_t)1 << 30) /* bytes that are kept */

struct smi_stream_copy {
    struct smi_byte_source pull;
    struct smi_fd_source from;
    const struct smi_ingest *in; /* where the bytes go: it finds out the format; to be set before they come */
    int fd;                      /* an unlinked file of $TMPDIR, or -1: not begun, or not needed */
    bool whatever;               /* it may have to be read twice, of whatever kind it is */
    bool over;                   /* no more is kept */
    int64_t size;                /* of what was read until then */
    struct smi_err lost;         /* why a stream that was needed is not kept */
};

/* Bytes of fd, which is borrowed as is its name. Returns the spool's own pull. */
struct smi_byte_source *smi_stream_copy_open(struct smi_stream_copy *s, int fd, const char *name);
/* After the end of a log with rows and phases. Returns the kept file, at its beginning, which is the caller's
 * now; or -1, and s->lost says why there is none. */
int smi_stream_copy_take(struct smi_stream_copy *s);
/* Also after smi_stream_copy_take. */
void smi_stream_copy_fini(struct smi_stream_copy *s);

/* ---- the logs of one run while they are looked at and read ---- */

/* One file of the run while it is looked at. */
struct smi_run_file {
    const struct smi_found_file *f;
    int fd;
    struct smi_file_info info;
    bool skip;
    bool hashed;
    uint64_t hash;                     /* of the content, if hashed */
    char *all;                         /* all its bytes, as of a small log, in the room; or NULL */
    bool coded;                        /* compressed or UTF-16: it is decoded as it is read */
    const struct smi_archived_log *in; /* where it was unpacked to; or NULL */
    struct smi_archived_log own;       /* that of a coded one, once it had to be looked at, */
    int unpacked;                      /* and the file; or -1 */
    bool marked;                       /* its phases are known already */
    bool counted;                      /* its rows are to be counted before they are read, small as it is */
    struct smi_byte_source *from;      /* of a stream, while it is read */
    struct smi_time_range_probe look;  /* at its ends */
};

/* What a thread uses for run after run. Zero-initialise. */
struct smi_read_buffers {
    char *p; /* SMI_READ_BUFFER_BYTES bytes, once the first log is held: there small logs are, while their run
                is read */
    size_t used;              /* of the run at hand */
    struct smi_buf document;  /* of the run at hand */
    struct smi_arena summary; /* empty, for its summary */
};
void smi_read_buffers_fini(struct smi_read_buffers *room);
enum { SMI_READ_BUFFER_BYTES = 1 << 20 };

struct smi_run_reader {
    struct smi_read_buffers *room; /* borrowed; or NULL: no log is held */
    struct smi_run *run;
    const struct smi_options *o;
    struct smi_run_file *file;
    size_t n;
};

/* What is known of its format; of a stream nothing yet. */
const struct smi_format_info *smi_read_file_source(const struct smi_run_file *f);
/* How it is read: format, columns, gpu_count. */
struct smi_ingest_opts smi_read_opts(const struct smi_run_reader *r, const struct smi_run_file *f);

/* A log that is no stream, at any place. A coded one is unpacked for it, if that is wanted; else nothing of
 * it can be read. One that cannot be unpacked becomes a problem of the run, and is skipped. */
struct smi_file_view smi_read_view(struct smi_run_reader *r, struct smi_run_file *f, bool wanted);

/* Settles the run's zone: given, recorded by a RunLog that was read, or inferred from the ends of the logs.
 */
void smi_read_zone(struct smi_run_reader *r);

/* Reads all of f through a door of o, and goes back to its beginning. Returns whether that could be done. */
bool smi_read_file_alone(struct smi_run_reader *r, struct smi_run_file *f, const struct smi_ingest_opts *o);
/* Which times the rows of f get that have none, or no date. */
void smi_read_given_times(struct smi_run_reader *r, struct smi_run_file *f, struct smi_assigned_times *g);

/* Reads the logs of one run into its parts. A file that cannot be read, has columns that are not known, or
 * the content of another one becomes a problem of the run, and the others go on. run is initialised here; end
 * it with smi_run_fini. room: the thread's, or NULL. */
void smi_read_run(struct smi_run *run, const struct smi_found_run *r, const struct smi_options *o,
                  struct smi_read_buffers *room);

#endif
