/* sweep.h - many runs: paths to runs, parameters that differ, the grid, all summaries in order. */
#pragma once

#include "base/buf.h"
#include "summary/run.h"
#include "summary/summary.h"
#include "sweep/discover.h"

/* ---- where the runs of a sweep live: what the row of a run needs in memory, the details of many runs in
 * a file of $TMPDIR that has no name. It is mapped, so details are read as any memory, and
 * smi_run_store_trim gives back what was read: a sweep of 50,000 runs keeps about 3 kB of each ---- */

enum {
    SMI_RUN_STORE_STEP = 1 << 20,  /* bytes by which the file grows */
    SMI_RUN_STORE_MEMORY = 8 << 20 /* bytes of details that stay in memory, before the file is made */
};

struct smi_run_store;

/* memory: SMI_RUN_STORE_MEMORY, or less in tests. */
struct smi_run_store *smi_run_store_new(size_t memory);
void smi_run_store_free(struct smi_run_store *store); /* or NULL */

/* Moves all that s points to into the store. Timeline and joined columns, which come later, go; brief: and
 * all lists that only the text of a run needs. What the sweep needs later stays: run, path, state, params,
 * problems, doubt, inputs, GPUs and every number of its own. The arena of s is emptied and becomes *left,
 * which has none. Any thread. */
void smi_run_store_move(struct smi_run_store *store, struct smi_summary *s, bool brief,
                        struct smi_arena *left);

/* Gives back the memory of details that were read; they are read again where they are needed. To be called
 * about every 250 runs by what looks at the details of all. */
void smi_run_store_trim(struct smi_run_store *store); /* or NULL */

/* What outputs are given: every summary of the sweep, in the order of names. */
struct smi_sweep {
    struct smi_arena arena;
    struct smi_run_store *store; /* where most runs live; or NULL */
    struct smi_summary *runs;
    size_t n, all;       /* all: how many there were before smi_sweep_select left some out; or 0 */
    bool unread;         /* nothing was read yet: nobody knows its parameters (smi_query_check) */
    const char *emptied; /* the option that left none of them, as it was typed; or NULL */
    char **text;         /* smi_options.text: one for each run, whose summary is brief; else NULL */
    struct smi_total total;
    const char *overlap; /* what the user should know of time that several of these runs have; or NULL */
    const char *title;   /* the PATH given, or the number of PATHs in words */
    size_t paths;        /* how many */
    const struct smi_param *common; /* parameters that are the same in all runs (and are in all) */
    size_t ncommon;
    const char *const *varying; /* names of the other parameters, sorted by number of values, then name */
    size_t nvarying;
    const char *const *joined; /* names of the columns that every run has in joined */
    size_t njoined;
    size_t nresults; /* the first of them are what runs say of themselves, "result.val_acc": no table for
                      * people has them, unless it is asked for */
    bool grid;       /* the axes form a grid with at most 10 % holes */
    const char *const *axis; /* those of the varying ones that span it, in the same order */
    size_t naxes;
    struct smi_param *const *missing; /* holes: naxes parameters each (key, text) */
    size_t nmissing;
    const char *name_prefix, *name_suffix; /* of all names, left out where people read them
                                            * (sweep/sweep.h); NULL as "" */
    int64_t usable; /* inputs of which a line was understood, or that have none to understand; a merge does
                     * not count them */
    struct smi_input_warnings trouble, note; /* as smi_found has them */
    bool left_out;                           /* some of what was named is in no run */
    int64_t unusable;                        /* files and paths that the first are about */
    size_t doubtful_notes;
    const char *beside;        /* as smi_found.beside */
    int64_t links;             /* inside directories, not followed */
    int64_t passed_over;       /* files that are no logs */
    const char *const *passed; /* the paths of the first of them */
    size_t npassed;
    uint64_t gpus_meant; /* of smi_export, whose runs are gone: smi_summary.gpus_meant of all of them */
    struct smi_found
        found; /* what it was read from; empty unless runs may be read again (smi_options.timelines) */
    const char *const
        *stored;    /* as smi_found.stored: then there is nothing else but what is to be read there */
    size_t nstored; /* of them; or from how many places of partial summaries this was read */
    const struct smi_gpu_use *use; /* a GPU that is known by its index alone has one for each run */
    size_t nuse;
    bool use_zoned;                 /* and their times are in UTC */
    const struct smi_reread *again; /* how they are (sweep/reread.h), while that lasts; borrowed, or NULL */
};

/* Is there a run at place i of the n that a loop passes? Now and then the memory is given back in which the
 * details of those before were read (sweep/sweep.h). */
static inline bool smi_sweep_has_run_of(const struct smi_sweep *s, size_t i, size_t n)
{
    enum { OFTEN = 256 };
    if (i % OFTEN == OFTEN - 1)
        smi_run_store_trim(s->store);
    return i < n;
}

/* The same for loops over all runs. */
static inline bool smi_sweep_has_run(const struct smi_sweep *s, size_t i)
{
    return smi_sweep_has_run_of(s, i, s->n);
}

/* When runs had readings of one GPU; times are UTC if no run lacks its zone, else as the logs show them. */
struct smi_gpu_use {
    const char *uuid, *host; /* or NULL */
    int index;               /* or -1 */
    size_t runs;
    int64_t first_ms, last_ms;         /* from the first run's begin to the last one's end, */
    int64_t used_ms;                   /* of which so much is in a run, whatever it did there; */
    int64_t longest_ms, longest_at_ms; /* and the longest time between two runs, 0: none, begins here */
};

struct smi_merge_queue;

/* Finds the runs behind the paths and summarises them all, in o's and d's words, on d->threads threads. out
 * is filled even where nothing was found (n is 0, trouble says why); end it with smi_sweep_fini. With
 * o->text, of each run its text and a brief summary (smi_run_store_move) are kept. The result does not depend
 * on the number of threads. Returns 0, or -1 with err (memory; SMI_EUSAGE: logs and partial summaries
 * (smi_discover_opts.stored); SMI_EFORMAT: partial summaries, and something that cannot be used), out being
 * empty then. */
int smi_sweep_read(struct smi_sweep *out, const char *const *path, size_t n,
                   const struct smi_discover_opts *d, const struct smi_options *o, struct smi_err *err);

/* The same, and of each run a document is handed to `put` as it gets ready, in the order of names: the text
 * that o->text makes, out getting the brief summary, and no grid; or, without o->text, its partial, out
 * getting no runs. put returns 0, or -1 with err to stop; usable: some input of the sweep is, as far as it is
 * read; the last call knows it for all. Returns 0, or -1 with err. */
typedef int smi_sweep_document_fn(void *self, const struct smi_buf *document, bool usable,
                                  struct smi_err *err);
int smi_sweep_documents(struct smi_sweep *out, const char *const *path, size_t n,
                        const struct smi_discover_opts *d, const struct smi_options *o,
                        smi_sweep_document_fn *put, void *self, struct smi_err *err);

struct smi_read_buffers;

/* Runs to be read, each to its aggregates. */
struct smi_run_reader {
    const struct smi_found *found;
    const size_t *place; /* of the n runs in it; NULL: the first ones */
    size_t n;
    const struct smi_discover_opts *d; /* threads, and progress, which counts the runs */
    const struct smi_options *o;
    /* Takes the k-th of them, in any order and by any thread, with the buffers of the thread. Returns 0, or
     * -1 with err, which ends the reading. */
    int (*take)(void *self, size_t k, struct smi_run *run, struct smi_read_buffers *room,
                struct smi_err *err);
    /* Is called in their order, for one at a time, after it was taken; may fill err. NULL: no order. */
    void (*put)(void *self, size_t k, struct smi_err *err);
    void *self;
};
/* Returns 0, or -1 with the first err. */
int smi_runs_read(const struct smi_run_reader *r, struct smi_err *err);

/* What is done with each run as it is read, in one thread. */
struct smi_run_visitor {
    const char *const
        *name; /* of the runs that are wanted, sorted by their bytes, n; the others are not read. */
    size_t n;  /* NULL: all are */
    /* partial: its partial; run: all its aggregates, to be used up: smi_run_build makes its
     * summary. Returns 0, or -1 with err to stop. */
    int (*run)(void *self, const struct smi_found *found, size_t i, struct smi_run *run,
               struct smi_text partial, struct smi_err *err);
    void *self;
};
/* Hands every run behind the paths on, one after the other, in the order of names. out gets no runs, but all
 * else. Returns 0, or -1 with err. */
int smi_sweep_each(struct smi_sweep *out, const char *const *path, size_t n,
                   const struct smi_discover_opts *d, const struct smi_options *o,
                   const struct smi_run_visitor *each, struct smi_err *err);

/* The sweep of all documents of a pile, which are put in order: one run after the other is made of its parts,
 * and only their summaries stay in memory. Returns 0, or -1 with err (what smi_merge_queue_next has, or
 * memory), out being empty then. */
int smi_sweep_merge_queue(struct smi_sweep *out, struct smi_merge_queue *p, const struct smi_options *o,
                          struct smi_err *err);

/* Leaves only n of the runs, in this order (places in s->runs, none twice), and makes total, parameters and
 * grid those of what is left. The sweep has no texts (smi_options.text). */
void smi_sweep_select(struct smi_sweep *s, const size_t *order, size_t n);

/* Adds all runs up, the time of a GPU that several of them hold once: fills total, shared_ms of their GPUs,
 * and a note. */
void smi_sweep_sum(struct smi_sweep *s);

/* Fills common, varying, grid and missing of a sweep whose runs and arena are there. Returns 0 or -1. */
void smi_sweep_params(struct smi_sweep *s);

void smi_sweep_fini(struct smi_sweep *s); /* s may be zero */

/* Makes columns of what runs say of themselves: joined of the sweep and its runs. Returns 0, or -1 with err.
 */
void smi_sweep_results(struct smi_sweep *s);

/* ---- names of runs as people read them: what all of them begin and end with is left out ---- */

/* Fills name_prefix and name_suffix of a sweep, in whole tokens. Returns 0, or -1 without memory. */
void smi_sweep_frame_names(struct smi_sweep *s);
/* The name of a run without them, which is not empty: *n bytes. */
const char *smi_run_short_name(const struct smi_sweep *s, const char *name, size_t *n);

/* ---- what is made of the summaries of a sweep, however they came ---- */

/* Fills title and paths. */
void smi_sweep_title(struct smi_sweep *s, const char *const *path, size_t n);
/* ---- what the walk says to the user, beyond the runs ---- */

/* What one would type to see run i of f alone: its file, the directory that holds its files, or its archive.
 * Kept in the arena of s; NULL for standard input, or without memory. */
const char *smi_sweep_run_path(struct smi_summary *s, const struct smi_found *f, size_t i);
