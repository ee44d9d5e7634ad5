/* cache.h - what was made of runs, in a SQLite file: a second look at a sweep reads only the runs that
 * changed.
 *
 * Of a run its summary is kept (no aggregates: a partial of it is as large as its logs), what was odd about
 * it, and the text that is all some outputs need of it. It is used again only for the same question
 * (smi_cache_open: the program, the PATHs, the directory one stands in, the text that is made, every option
 * that numbers depend on) and the same run: its name, its place, the parameters and problems that the walk
 * found beside it, and of each of its files path, format and stamp (sweep/stat_cache.h: device, inode, size,
 * mtime, ctime). Stamps are taken before a file is read, and a run with a file that was touched less than 2 s
 * before is not kept: so nothing is ever believed of bytes that were not seen. Every piece has a digest, and
 * what does not fit it is read again.
 *
 * Not kept: runs from standard input and from archives, timelines, partials. Runs that are gone leave the
 * file at the end. The file is never in the way: one that cannot be used, read or written costs the time it
 * would have saved, and smi_cache_warning says so. Several processes may share it: who finds it locked by
 * another for long goes on without. */
#ifndef SMI_SWEEP_CACHE_H
#define SMI_SWEEP_CACHE_H

#include "sweep/discover.h"
#include "summary/run.h"

struct smi_cache;

/* What is kept of a run; also the room of a thread, run after run. Zero-initialise; smi_cache_thread_fini. */
struct smi_cache_thread {
    int64_t id;     /* of the run that was looked for last */
    int64_t usable; /* of its inputs: as smi_sweep.usable */
    struct smi_text
        odd; /* texts, each with its NUL; of smi_cache_get: until the next call of any with this room */
    struct smi_text text; /* that smi_options.text made, or empty; the same */
    struct smi_buf key, packed, room;
};

/* What is asked: all that a summary depends on besides the logs. */
struct smi_cache_question {
    const char *const *path;
    size_t n;
    const struct smi_discover_opts *d;
    const struct smi_options *o;
};

/* Opens or makes `file`. Returns NULL only without memory; a file that cannot be used is said
 * (smi_cache_warning). */
struct smi_cache *smi_cache_open(const char *file, const struct smi_cache_question *q, struct smi_err *err);
/* What files were, for smi_discover_opts.looks. */
struct smi_stat_cache *smi_cache_stat_cache(struct smi_cache *c);

/* Looks for run r, whose place (smi_sweep_run_path) is `place` or NULL. Any thread. Returns 1 with *out and k
 * filled (out has no place, no joined columns, and nothing of its own: it lives in k->room until the next
 * call), 0: it has to be read; -1 with err (memory). */
int smi_cache_get(struct smi_cache *c, const struct smi_found_run *r, const char *place,
                  struct smi_summary *out, struct smi_cache_thread *k, struct smi_err *err);
/* Keeps s and what k says, right behind smi_cache_get of the same run and k, which found nothing. Any thread.
 */
void smi_cache_put(struct smi_cache *c, const struct smi_summary *s, struct smi_cache_thread *k);
void smi_cache_thread_fini(struct smi_cache_thread *k);
/* All runs of the sweep were looked for, and all threads have left: writes what is new, and what is gone
 * leaves. */
void smi_cache_finish(struct smi_cache *c);

/* Why it is of no use, once something went wrong: a sentence; or NULL. */
const char *smi_cache_warning(const struct smi_cache *c);
void smi_cache_close(struct smi_cache *c);

/* The key of the question: bytes that are the same for the same question only. to->failed: no memory. */
void smi_cache_question_key(struct smi_buf *to, const struct smi_cache_question *q);
/* The key of a run, into k->key. Returns whether it may be kept at all. */
bool smi_cache_run_key(struct smi_cache_thread *k, const struct smi_found_run *r, const char *place);

#endif
