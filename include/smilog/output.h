/* output.h - sweeps as text, pages and workbooks, and as partial summaries. */
#ifndef SMILOG_OUTPUT_H
#define SMILOG_OUTPUT_H

#include "sweep.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The sweep as text: table, json, jsonl, csv, md, line, html. *n, unless n is NULL, becomes its bytes; a NUL
 * follows. NULL with err: SMILOG_EUSAGE (there is no such format, or it is written to files only). Free with
 * smilog_free. */
SMI_API char *smilog_render(struct smilog_sweep *s, const char *format, size_t *n, struct smilog_error *err);
/* The same into a file, xlsx too; format NULL: by the ending of path. The file is whole, or as it was before.
 * Returns 0, or -1 with err. */
SMI_API int smilog_write(struct smilog_sweep *s, const char *path, const char *format,
                         struct smilog_error *err);
/* Name and meaning of output i; NULL behind the last. */
SMI_API const char *smilog_output_name(size_t i);
SMI_API const char *smilog_output_help(size_t i);

/* Reads the logs behind n paths and writes a partial summary of each run to the file `to`: exact sums, which
 * smilog_sweep_merge joins with those of other parts. Returns 0, or -1 with err. */
SMI_API int smilog_partial_write(const char *const *path, size_t n, const struct smilog_options *o,
                                 const char *to, struct smilog_error *err);

#ifdef __cplusplus
}
#endif

#endif
