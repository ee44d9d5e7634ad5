/* merge_queue.h - documents of partial summaries on a pile: each is checked when it comes, kept as it is
 * in a temporary file, and taken again run by run. So a merge of any number of
 * them holds the parts of one run at a time, beside what it says of those before. */
#pragma once

#include "base/buf.h"
#include "summary/run.h"

/* ---- partial summaries: the text form of a run's aggregates (docs/numbers.md §10) ---- */

#define SMI_PARTIAL_SCHEMA "smilog-partial/14"
/* As every document of any version begins. */
#define SMI_PARTIAL_BEGIN "{\"schema\": \"smilog-partial/"

/* Appends the run as one JSON document on one line, with the sum of its bytes behind them. */
void smi_partial_write(struct smi_buf *to, const struct smi_run *r, const struct smi_options *o);

/* Runs that are put together from partials. Zero-initialise. */
struct smi_partials {
    struct smi_run **run; /* each its own block: parts point into it */
    size_t runs, cap;
    uint32_t documents; /* so far */
    size_t number;      /* of the document that comes, in its file, for messages */
    bool twice;         /* it was given before, and counts once: that is said */
};

/* Takes one document, and does not look at its sum, which the merge queue does; those of one run name
 * become one run. name: the file, for messages. Returns 0; or -1 with err:
 * SMI_EFORMAT (no partial, or a broken one), SMI_EUSAGE (made by other rules). */
int smi_partial_read(struct smi_partials *p, const char *text, size_t n, const char *name,
                     struct smi_err *err);
void smi_partials_fini(struct smi_partials *p);

enum { SMI_PARTIAL_MAX = 1 << 28 /* bytes of a document */ };

/* Zero-initialise. */
struct smi_merge_queue {
    const char *run; /* --run: all documents are of this run; borrowed, or NULL */
    const char
        *as; /* the document that comes is of this run, whatever it says; borrowed meanwhile, or NULL */
    struct smi_merge_queue_item {
        const char *name, *host; /* of the run; host may be NULL */
        const char *file;        /* where it came from, for messages */
        uint64_t sum;
        int64_t at; /* its place in the file */
        size_t n;
        uint32_t number; /* in its file, from 1 */
    } * item;
    size_t n, cap;
    struct smi_arena words;
    int fd;       /* once `made`: a temporary file, */
    bool made;    /* or memory; */
    int64_t size; /* its bytes */
    bool has_idle;
    int64_t idle_below; /* all documents must have been made with the same limit */
};

/* Takes one document, a line of summarize --partial, with or without its end. file: where it came from;
 * number: which of it is there, from 1. Returns 0; or -1 with err: SMI_EFORMAT (no document, one of another
 * version, or changed: not one byte is another than when it was written; or made by other rules), or SMI_EIO
 * (the temporary file). */
int smi_merge_queue_add(struct smi_merge_queue *p, const char *text, size_t n, const char *file,
                        size_t number, struct smi_err *err);
/* All of a file, "-" for standard input: its documents, and the line behind them that says how many they are.
 * Returns 0, or -1 with err as above, SMI_EFORMAT: it ends early, or SMI_ELIMIT: a line is longer than
 * SMI_PARTIAL_MAX. */
int smi_merge_queue_add_file(struct smi_merge_queue *p, const char *path, struct smi_err *err);
/* Puts the items in order: by run, then by what they hold, however they came. To be done before these: */
void smi_merge_queue_sort(struct smi_merge_queue *p);
/* Gives the documents of the next run to `to`, which is empty, from *at on, and moves *at; one name has
 * several runs where some of its parts know no host. Returns 0, or -1 with err as smi_partial_read has it. */
int smi_merge_queue_next(struct smi_merge_queue *p, size_t *at, struct smi_partials *to, struct smi_err *err);
/* Appends document i, with the name that it was given (p->run or p->as), and its end. Returns 0, or -1 with
 * err. */
int smi_merge_queue_copy(struct smi_merge_queue *p, size_t i, struct smi_buf *to, struct smi_err *err);
void smi_merge_queue_fini(struct smi_merge_queue *p);

/* What stands behind documents that were written one after the other: how many they are. */
void smi_partial_write_end(struct smi_buf *to, uint64_t documents);

/* ---- what the tests of partial summaries look at besides ---- */

/* Writes the sum (base/digest.h) of a document that begins there behind it, and its end. */
void smi_partial_close(struct smi_buf *to, size_t begin);

/* ---- many numbers in few letters: five bits a letter, the least first; lists go as steps from one to the
 * next. Not installed ---- */

void smi_packed_write(struct smi_buf *to, int64_t v); /* small ones of both signs are short */

/* What is still to be read; bad: it ended early, or holds a letter that is none, or a number beyond 64 bits.
 * Then every number is 0. */
struct smi_packed {
    struct smi_text left;
    bool bad;
};
int64_t smi_packed_read(struct smi_packed *from);
/* The largest number that divides a and b; of 0 and 0 it is 0. */
int64_t smi_greatest_divisor(int64_t a, int64_t b);
