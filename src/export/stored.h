/* stored.h - sweeps that are stored as partial summaries, wherever that is: files, and what a prefix names. A
 * PATH of summarize, report, check and diff may be one. A new place is a function and a row in stored.c. */
#ifndef SMI_EXPORT_STORED_H
#define SMI_EXPORT_STORED_H

#include "query/query.h"
#include "summary/merge_queue.h"
#include "sweep/sweep.h"

/* A place that is known by the beginning of its PATH. */
struct smi_stored_kind {
    const char *prefix; /* "sqlite:" */
    /* Gives every document of the sweep at `where`, the whole PATH, to smi_merge_queue_add, in any order.
     * Returns 0, or -1 with err: SMI_EIO, SMI_EFORMAT, what smi_merge_queue_add has, or memory. */
    int (*load)(struct smi_merge_queue *to, const char *where, struct smi_err *err);
    /* The same, but may skip documents of runs that the query does not select, never all of them. *left is
     * the number of runs that were skipped. NULL: this kind always loads every document. */
    int (*load_asked)(struct smi_merge_queue *to, const char *where, const struct smi_query *asked,
                      size_t *left, struct smi_err *err);
};

/* Does the PATH begin with the prefix of a place? Files are known by their content
 * (smi_discover_opts.stored). */
bool smi_stored_has_prefix(const char *path);
/* The sweep of all that is stored at the n paths: each a place, or a file of partial summaries ("-" too).
 * run_name:
 * --run, or NULL. The same document twice counts once, and is said. Returns 0, or -1 with err as above
 * (SMI_EFORMAT also where documents were made by other rules, or in another zone): nothing of it counts then,
 * and out is empty. asked: what will be asked of the sweep, or NULL: then of one path runs that are no answer
 * may be left out, which out->all counts. */
int smi_stored_read(struct smi_sweep *out, const char *const *path, size_t n, const char *run_name,
                    const struct smi_query *asked, const struct smi_options *o, struct smi_err *err);

/* The same, and nothing but documents: of all that are stored there, whatever their order, to `put`, each
 * once for every time that it was given, and their end. A merge of what comes out is a merge of what went in.
 * `out` gets the sweep all the same: what cannot be merged is refused before. Returns 0, or -1 with err as
 * above, or as put has it. */
int smi_stored_partial(struct smi_sweep *out, const char *const *path, size_t n, const char *run_name,
                       const struct smi_options *o, smi_sweep_document_fn *put, void *self,
                       struct smi_err *err);

#endif
