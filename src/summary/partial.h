/* partial.h - partial summaries: the text form of a run's aggregates (docs/numbers.md §10). */
#ifndef SMI_SUMMARY_PARTIAL_H
#define SMI_SUMMARY_PARTIAL_H

#include "summary/run.h"

#define SMI_PARTIAL_SCHEMA "smilog-partial/9"
/* As every document of any version begins. */
#define SMI_PARTIAL_BEGIN "{\"schema\": \"smilog-partial/"

/* Appends the run as one JSON document on one line, with the sum of its bytes. Returns 0, or -1 with err
 * (memory). */
void smi_partial_write(struct smi_buf *to, const struct smi_run *r, const struct smi_options *o);

/* Runs that are put together from partials. Zero-initialise. */
struct smi_partials {
    struct smi_run **run; /* each its own block: parts point into it */
    size_t runs, cap;
    struct smi_partial_seen {
        uint64_t hash;
        size_t n;
    } * seen; /* every document so far: the same one given twice counts once */
    size_t nseen, seen_cap;
    bool has_idle;
    int64_t idle_below; /* all partials must have been made with the same limit */
    size_t number;      /* of the document that comes, in its file, for messages; 0: not known */
};

/* Takes one document, whose sum is not looked at (summary/merge_queue.h does that); those of one run name
 * become one run. name: the file, for messages. run_name: --run, or NULL. Returns 0; or -1 with err:
 * SMI_EFORMAT (no partial, or a broken one), SMI_EUSAGE (made by other rules). */
int smi_partial_read(struct smi_partials *p, const char *text, size_t n, const char *name,
                     const char *run_name, struct smi_err *err);
void smi_partials_fini(struct smi_partials *p);

#endif
