/* reader_cache.h - readers that are done with, kept to be used again: a run has many small logs, and most of
 * them look like those of the run before. One shelf for each thread. */
#ifndef SMI_AGGREGATE_READER_CACHE_H
#define SMI_AGGREGATE_READER_CACHE_H

#include "formats/detect.h"

/* One reader of each format, or NULL. Zero-initialise. */
struct smi_reader_cache {
    struct smi_reader *reader[SMI_FMT_COUNT];
};

/* A reader of the format, from the shelf (or NULL) if there is one. NULL with err (memory). */
struct smi_reader *smi_reader_cache_open(struct smi_reader_cache *s, int format,
                                         const struct smi_read_opts *o, struct smi_err *err);
/* Ends the use of a reader, which may be NULL. */
void smi_reader_cache_close(struct smi_reader_cache *s, int format, struct smi_reader *r);
void smi_reader_cache_fini(struct smi_reader_cache *s);

#endif
