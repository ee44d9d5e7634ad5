/* read_files.h - the logs of one run while they are looked at and read. */
#ifndef SMI_SWEEP_READ_FILES_H
#define SMI_SWEEP_READ_FILES_H

#include "base/buf.h"
#include "base/file.h"
#include "base/byte_source.h"
#include "sweep/discover.h"
#include "sweep/archived_log.h"
#include "aggregate/time_range_probe.h"
#include "summary/run.h"
#include "sweep/run_store.h"

/* One file of the run while it is looked at. */
struct smi_run_file {
    const struct smi_found_file *f;
    int fd;
    struct smi_file_info info;
    bool skip;
    bool hashed;
    uint64_t hash;                    /* of the content, if hashed */
    char *all;                        /* all its bytes, as of a small log, in the room; or NULL */
    bool coded;                       /* compressed or UTF-16: it is decoded as it is read */
    int ends;                         /* of a coded one: its decoded ends, once they were wanted; or -1 */
    bool marked;                      /* its phases are known already */
    bool counted;                     /* its rows are to be counted before they are read, small as it is */
    bool waits;                       /* in an archive: its bytes come when that is read */
    struct smi_byte_source *from;     /* a member's bytes, while they are there */
    struct smi_input_stats *part;     /* of the run, that was made of it; or NULL */
    struct smi_time_range_probe look; /* at its ends */
};

/* What a thread uses for run after run. Zero-initialise. */
struct smi_read_buffers {
    char *p; /* SMI_READ_BUFFER_BYTES bytes, once the first log is held: there small logs are, while their run
                is read */
    size_t used; /* of the run at hand */
    struct smi_reader_cache shelf;
    struct smi_free_list spares;
    struct smi_buf document;        /* of the run at hand */
    struct smi_arena summary;       /* empty, for its summary */
    struct smi_run_store_slab slab; /* where its summary is kept */
};
void smi_read_buffers_fini(struct smi_read_buffers *room);
enum { SMI_READ_BUFFER_BYTES = 1 << 20 };

struct smi_run_reader {
    struct smi_read_buffers *room; /* borrowed; or NULL: no log is held, no reader kept */
    struct smi_run *run;
    const struct smi_options *o;
    struct smi_run_file *file;
    size_t n;
    struct smi_err *err;
};

/* Makes the run, with what is known of it before a log is read: name, parameters, problems. Returns 0, or -1
 * with err (memory); smi_run_fini either way. */
int smi_read_describe(struct smi_run *run, const struct smi_found_run *found, const struct smi_options *o,
                      struct smi_err *err);
/* Opens the files of r->run: what cannot be opened, has columns that are not known, or the content of another
 * one, is skipped and becomes a problem of the run. Returns 0, or -1 with r->err (memory); end with
 * smi_read_close. */
int smi_read_open(struct smi_run_reader *r, const struct smi_found_run *found);
void smi_read_close(struct smi_run_reader *r);
/* Keeps `why` as a problem of the run. Returns 0, or -1 with r->err (memory). */
int smi_read_add_problem(struct smi_run_reader *r, const struct smi_run_file *f, const struct smi_err *why);
/* What is known of its format; of a stream nothing yet. */
const struct smi_format_info *smi_read_file_source(const struct smi_run_file *f);
/* How it is read: format, columns, gpu_count. */
struct smi_ingest_opts smi_read_opts(const struct smi_run_reader *r, const struct smi_run_file *f);

/* Settles the run's zone: given, recorded by a RunLog that was read, or inferred from the ends of the logs.
 * Returns 0, or -1 with r->err (memory). */
int smi_read_zone(struct smi_run_reader *r);

/* Reads all of f, which lies in no archive, through a door of o, and goes back to its beginning. Returns 1, 0
 * where the file could not be read, or -1 with r->err (memory). */
int smi_read_file_alone(struct smi_run_reader *r, struct smi_run_file *f, const struct smi_ingest_opts *o);
/* Which times the rows of f get that have none, or no date. Returns 0, or -1 with r->err (memory). */
int smi_read_given_times(struct smi_run_reader *r, struct smi_run_file *f, struct smi_assigned_times *g);

#endif
