/* read_run.h - logs that are not read as they lie: compressed ones, UTF-16, standard input. */
#pragma once

#include "aggregate/ingest.h"
#include "base/buf.h"
#include "base/file.h"
#include "base/stream.h"
#include "summary/run.h"
#include "sweep/discover.h"

#include <stdbool.h>
#include <stdint.h>

/* Do the bytes of a regular file have to be decoded? Its place stays where it is. */
bool smi_read_is_encoded(int fd);

/* NULL with err also for bytes that are neither text nor to be unpacked once more. */
struct smi_stream *smi_read_open(struct smi_byte_source *from, struct smi_err *err);

/* A log that lies as it is read, as a source. Zero-initialise, then view and pull.read, which is
 * smi_read_view. */
struct smi_view_source {
    struct smi_byte_source pull;
    struct smi_file_view view;
    int64_t at;
    struct smi_stream_rest *rest; /* that comes behind it; or NULL */
};
ssize_t smi_read_view(struct smi_byte_source *self, void *buf, size_t n, struct smi_err *err);

/* Why a log without a header is not read. */
extern const char smi_read_no_header[];

/* What a thread uses for run after run. Zero-initialise. */
struct smi_read_buffers {
    char *p; /* SMI_READ_BUFFER_BYTES bytes, once the first log is held: there small logs are, while their run
                is read */
    size_t used;              /* of the run at hand */
    struct smi_buf document;  /* of the run at hand */
    struct smi_arena summary; /* empty, for its summary */
    struct smi_kept_counts kept;
};
void smi_read_buffers_fini(struct smi_read_buffers *room);
enum { SMI_READ_BUFFER_BYTES = 1 << 20 };

/* Reads the logs of one run into its parts. A file that cannot be read, has columns that are not known, or
 * the content of another one becomes a problem of the run, and the others go on. run is initialised here; end
 * it with smi_run_fini. room: the thread's, or NULL. */
void smi_read_run(struct smi_run *run, const struct smi_found_run *r, const struct smi_options *o,
                  struct smi_read_buffers *room);
