/* discover.h - from paths to runs (docs/numbers.md §8): which files are logs, and which of them belong
 * together.
 */
#pragma once

#include "base/err.h"
#include "base/mem.h"
#include "base/stream.h"
#include "summary/summary.h"

#include <stdint.h>

/* ---- a log that was unpacked into a temporary file, and is read there as any other: each log in an archive,
 * and a compressed one that has to be read more than once ---- */

enum {
    SMI_WALK_THREADS = 8
}; /* each may hold a directory open per level, and has a file for what it unpacks */

#define SMI_NO_ARCHIVE SIZE_MAX

/* What of a stream is not kept: it comes once, behind what is. In the heap. */
struct smi_stream_rest {
    struct smi_stream_rest *next;
    struct smi_fd_source from;
    struct smi_stream *s; /* NULL: it was read */
    char *piece;          /* what was read of it already: n bytes, of which `at` were handed on */
    size_t n, at;
};

/* It was read, or will not be: ends it, but for its own memory. */
void smi_stream_rest_end(struct smi_stream_rest *r);

struct smi_archived_log {
    size_t archive;                 /* an index of smi_found.archive; SMI_NO_ARCHIVE: it came as a stream */
    int fd;                         /* borrowed: where its bytes are, unpacked and as UTF-8: */
    int64_t from, size;             /* so many from here on */
    char doubt[SMI_SOURCE_WARNING]; /* why they ended too early, or "": a clause about the log */
    struct smi_stream_rest *rest;   /* of a stream that is too long to be kept; or NULL */
};

enum {
    SMI_UNPACK_BYTES = 65536,
    SMI_UNPACK_MEMORY = 64 << 20, /* where $TMPDIR cannot be written to */
    SMI_STREAM_KEPT = 1 << 30     /* of a stream */
};
/* Appends the bytes of s, which is borrowed, to the file *to, a descriptor + 1, which is made if it is 0
 * (also kept where this fails). buf has SMI_UNPACK_BYTES bytes, and n of the log already. rest: where there
 * is no room for more, and from SMI_STREAM_KEPT bytes on, s becomes this rest of the log; NULL: it has none.
 * Returns 0; 1 with err if there is no room; -1 with err if s fails. Then nothing of the log stays in the
 * file. */
int smi_unpack(struct smi_archived_log *out, int *to, struct smi_stream *s, char *buf, ssize_t n,
               struct smi_stream_rest *rest, struct smi_err *err);

/* A file that was named on the command line, or found, and could not be used. */
struct smi_input_warning {
    const char *path, *text;
    bool
        fatal; /* named by the user (else found in a directory); of a note: it is a doubt, and no mere hint */
    int64_t more; /* other files with the same text; of a note: times that it was said, but for
                     the first */
};
struct smi_input_warnings {
    struct smi_input_warning *list; /* in the heap */
    size_t n, cap;
};

struct smi_found_file {
    const char *shown;   /* as inputs[].path says it: below the run's directory, or its base name */
    const char *path;    /* to open it; "-" is standard input; of a log in an archive for messages only */
    int format;          /* smi_format_id, or -1: standard input, told while it is read */
    bool bare;           /* a headerless query CSV whose columns are not known: counted, not read */
    const char *columns; /* its columns, where they are named or told by the shape of its rows; or NULL */
    bool seen;           /* a regular file in a directory that was walked */
    const struct smi_archived_log *inside; /* of a log in an archive; or NULL */
};

struct smi_found_run {
    const char *name; /* UTF-8 or raw bytes as the file system gives them */
    const struct smi_found_file *file;
    size_t files;                  /* in the order of names */
    const struct smi_param *param; /* from key=value pieces of the path */
    size_t params;
    const struct smi_param *config; /* from files of its directory, every key once */
    size_t configs;
    const struct smi_param *fact; /* the same of what is no parameter (summary/run.h) */
    size_t facts;
    const char *const *problem; /* sentences about those files */
    size_t problems;
    bool crashed; /* it has no file, but left a directory, as it crashed before its log began */
};

struct smi_found {
    struct smi_arena arena;
    struct smi_found_run *run; /* in the order of names, digit groups as numbers */
    size_t runs;
    struct smi_input_warnings trouble; /* files and paths that could not be used, with the sentence why */
    struct smi_input_warnings note;    /* what was used, and perhaps not as it was meant */
    const char *beside;  /* names of logs that are read though they are no PATHs, to print; or NULL */
    int64_t passed_over; /* regular files that are no logs */
    const char **passed; /* their paths, for -v (at most 1,000 kept) */
    size_t npassed;
    int64_t links;   /* links inside directories, not followed */
    int64_t bare;    /* headerless files of unknown columns */
    bool has_output; /* smi_discover_opts.output is a log, an archive, or a file of parameters of a run */
    const char **archive; /* paths of archives with runs; in the heap */
    size_t archives, archive_cap;
    int unpacked[SMI_WALK_THREADS]; /* files with the logs that each thread of the walk has found in archives,
                                     * each + 1; or 0 */
    struct smi_stream_rest *rest[SMI_WALK_THREADS]; /* of streams that each thread has found */
    const char **stored; /* with smi_discover_opts.stored: files of partial summaries */
    size_t nstored;
    size_t passed_cap, stored_cap; /* these two lists are in the heap */
};

enum smi_run_per { SMI_RUN_AUTO, SMI_RUN_DIR, SMI_RUN_FILE };

struct smi_discover_opts {
    enum smi_run_per per;
    int format;          /* --input-format: every named file is of this format; -1: told by content */
    const char *columns; /* --input-columns: bare files are read */
    int gpu_count;       /* --gpu-count, or 0 */
    const char *run;     /* --run NAME: all is one run of this name; or NULL */
    const char *pattern; /* --name-pattern: parameters in names (smi_pattern_check); or NULL */
    unsigned threads;
    bool follow_links;
    bool stored; /* a PATH without a log may hold partial summaries: they are listed, and no trouble */
    /* or NULL: the one PATH is the name of an archive, which has these members (smi_archive_walk) */
    int (*members)(void *holder, smi_archive_member_fn *fn, void *self, struct smi_err *err);
    void *holder;
    const char *output;     /* of the command: none of the logs may be it; or NULL */
    const char *output_opt; /* the option that names it; NULL: -o */
    /* Called by one thread at a time; or NULL. During the walk all is 0, and done the number of files and
     * directories that were looked at; then, as runs get ready, all is how many runs there are. */
    void (*progress)(void *self, size_t done, size_t all);
    void *self;
};

/* Walks the paths (files, directories, archives, "-"), sniffs every regular file, and groups the logs into
 * runs. Trouble with one file never stops the rest. */
void smi_discover(struct smi_found *out, const char *const *path, size_t n,
                  const struct smi_discover_opts *o);
void smi_found_fini(struct smi_found *f);

/* The parameters in the key=value pieces of a path: "lr=0.1,batch=64/seed=3" names three. A ',' or blank only
 * ends a value where another key= follows. Then those of pieces as lr0.1_seed3 and lr_0.1: a number behind a
 * word that is a parameter to everybody. *out belongs to the arena. */
void smi_path_params(struct smi_arena *a, const char *path, const struct smi_param **out, size_t *n);
/* Begins the text from p to end with form, in which d is a digit and D one or more? */
bool smi_name_fits(const char *p, const char *end, const char *form);
/* How many bytes from these on, at most n, are the same, in steps of 1 or -1. */
size_t smi_common_bytes(const char *a, const char *b, size_t n, ptrdiff_t step);
/* Is the character at this place of a name the last of a token ("lr0.1_" of lr0.1_seed1)? No number is cut.
 */
bool smi_name_ends_token(const char *name, size_t at);
/* "{model}_lr{lr}_seed{seed}": names in braces, each ended by the text behind it. Returns 0, or -1 with err.
 */
int smi_pattern_check(const char *pattern, struct smi_err *err);
/* The parameters of a run's name, or of the last of its pieces that is so, in front of the n of *list.
 * Returns whether one of them is. */
bool smi_pattern_params(struct smi_arena *a, const char *pattern, const char *name,
                        const struct smi_param **list, size_t *n);

/* Adds the words in which the names of n runs differ to their parameters, as "name", or "name1", "name2":
 * words of a file name or directory that has parameters of its own, all of them the same ones. text[i]: what
 * the parameters of run i were read from; it is changed. */
void smi_discovery_name_words(struct smi_arena *a, struct smi_found_run *run, char **text, size_t n);
