/* archive.h - an archive (tar, also compressed; zip) from its first member to its last, without unpacking it
 * to disk. */
#ifndef SMI_BASE_ARCHIVE_H
#define SMI_BASE_ARCHIVE_H

#include "base/stream.h"

#include <stdint.h>

enum {
    SMI_ARCHIVE_MEMBERS_MAX = 1000000, /* members of one archive, those of archives inside counted on */
    SMI_ARCHIVE_NAME_MAX = 4096,       /* bytes of a name */
    SMI_ARCHIVE_DEPTH = 2              /* an archive in an archive is read, and nothing deeper */
};

enum smi_archive_member_kind {
    SMI_ARCHIVE_FILE,
    SMI_ARCHIVE_NESTED, /* its own members follow, named below it */
    SMI_ARCHIVE_LINK,   /* symbolic or hard: not followed */
    SMI_ARCHIVE_OTHER,  /* a device, a FIFO; data that was packed twice */
    SMI_ARCHIVE_REFUSED /* why says it */
};

struct smi_archive_member {
    int64_t id;       /* its place in the archive, from 1: the same in every walk */
    const char *path; /* without "/" in front and without pieces "." and ".."; REFUSED: the name as it is */
    enum smi_archive_member_kind kind;
    const char *why;          /* REFUSED: a clause ("is encrypted: not read") */
    struct smi_stream *bytes; /* FILE: what it holds, unpacked and as UTF-8; not all has to be read */
};

/* Called for each member in the order of the archive; directories are left out. What m holds is lent for the
 * call. Returns 0; 1 to see no more; -1 with err to stop. */
typedef int smi_archive_member_fn(void *self, const struct smi_archive_member *m, struct smi_err *err);

/* Walks the archive in the regular file fd (borrowed), which is read from its beginning. *doubt: filled if
 * not all of it could be read (damaged, cut off, a bomb); the members before that count. A name is
 * only a name: nothing is written anywhere, links are not followed, and what would lead out of the archive is
 * refused. Returns 0, or -1 with err: memory, or what fn said. */
int smi_archive_walk(int fd, const char *name, smi_archive_member_fn *fn, void *self, struct smi_err *doubt,
                     struct smi_err *err);

#endif
