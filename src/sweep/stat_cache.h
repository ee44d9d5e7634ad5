/* stat_cache.h - what files were when somebody looked into them last: one that has not changed since need not
 * be opened.
 *
 * A file is known by its stamp: device, inode, size, and the times of its last write (mtime) and of its last
 * change of any kind (ctime, which nobody can set), to the nanosecond. A stamp is only believed if both times
 * were at least SMI_STAMP_OLD_NS before it was taken: clocks of files go in steps (milliseconds; of some file
 * systems 2 s), and what is written twice in one step has one stamp. So a file that has just been written is
 * read again until it is 2 s old, as a whole: a hash of its ends would not see what changed between them.
 * Whatever happens to it later moves its ctime. */
#ifndef SMI_SWEEP_STAT_CACHE_H
#define SMI_SWEEP_STAT_CACHE_H

#include "base/buf.h"
#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

#define SMI_STAMP_OLD_NS ((int64_t)2000000000)

/* Zero: not known. */
struct smi_stamp {
    uint64_t dev, ino;
    int64_t size, mtime_ns, ctime_ns;
    int64_t old; /* 1: it may be believed; 0 */
};

struct stat;
/* The stamp of a regular file, taken at now_ns; zero of anything else. */
struct smi_stamp smi_stamp_of(const struct stat *st, int64_t now_ns);
/* The time on the clock of files. */
int64_t smi_stamp_now(void);

/* What was seen: of a log its format, of another file -1. */
struct smi_stat_entry {
    struct smi_stamp stamp;
    int32_t format, bare;
};

/* Zero-initialise. Several threads may ask; only one may add at a time. */
struct smi_stat_cache {
    struct smi_stat_entry *list; /* known ones, by device and inode, each once */
    size_t n;
    struct smi_stat_entry *now; /* those of this walk */
    size_t seen, cap;
    size_t fresh; /* files of this walk that were not known */
};
/* Fills it from what smi_stat_cache_store made. Returns 0, or -1 without memory; other bytes leave it empty.
 */
int smi_stat_cache_load(struct smi_stat_cache *l, const char *p, size_t n);
/* Appends what was seen in this walk. */
void smi_stat_cache_store(struct smi_buf *to, struct smi_stat_cache *l);
/* Whether `now` differs from what was known. */
bool smi_stat_cache_changed(const struct smi_stat_cache *l);
/* What is known of the file with this stamp, or NULL. */
const struct smi_stat_entry *smi_stat_cache_find(const struct smi_stat_cache *l, const struct smi_stamp *s);
/* Keeps what was seen, if its stamp may be believed. Returns 0, or -1 without memory. */
int smi_stat_cache_add(struct smi_stat_cache *l, const struct smi_stat_entry *seen, bool known);
/* Moves what `from` has seen into l. Returns 0, or -1 without memory. */
int smi_stat_cache_merge(struct smi_stat_cache *l, struct smi_stat_cache *from);
void smi_stat_cache_fini(struct smi_stat_cache *l);

#endif
