/* record_file.h - a log that a monitor writes, kept line by line as it comes: never half a line, never the
 * same header twice, and on a full disk nothing but the lines that had no room. */
#ifndef SMI_LIVE_RECORD_FILE_H
#define SMI_LIVE_RECORD_FILE_H

#include "base/buf.h"
#include "live/append.h"

#include <stdint.h>

enum { SMI_RECORDED_LINE_MAX = 1 << 20 }; /* a longer line is left out, and counted in cut */

/* Zero-initialise by smi_record_file_open; end with smi_record_file_close. */
struct smi_record_file {
    struct smi_append to; /* its path is NULL before the first line */
    struct smi_buf part;  /* the beginning of a line */
    struct smi_buf head;  /* the header as it stands in the file */
    struct smi_buf next;  /* the lines in front of the first row of this child, as far as they came */
    int heads, left;      /* lines of a header; how many of them are still to come */
    int64_t most;      /* it becomes NAME.1, the NAME.1 before it NAME.2, before it gets larger; 0: never */
    int64_t rotate_at; /* bytes: most, or later if the last rotation failed */
    int keep;          /* at most so many of them: the oldest one is removed; 0: all are kept */
    int stuck;         /* errno of a rotation that failed: the owner reports it and sets it to 0 */
    bool skipping;     /* inside a line that is too long */
    bool full;         /* the last write failed: `why` */
    int64_t lost, cut; /* lines that could not be written; that were too long */
    char why[160];
    int dir; /* path is relative to this directory; AT_FDCWD unless the owner says otherwise */
    char *path;
};

/* The file is made when its first line comes. heads: lines in front of the first row, which every child
 * prints, and every file begins with. most, keep: see above. Returns 0, or -1 with err. */
int smi_record_file_open(struct smi_record_file *r, const char *path, int heads, int64_t most, int keep,
                         struct smi_err *err);
/* A child begins: an unfinished line before it is dropped, and a header is due, which is written if it is
 * another one than that in the file. */
void smi_record_file_begin(struct smi_record_file *r);
/* The next bytes, cut anywhere: whole lines are written, in one write(2). A write that fails (a full disk) is
 * no error: r->full and r->lost say so, and the next call tries again. Returns 0, or -1 without memory. */
int smi_record_file_put(struct smi_record_file *r, const char *p, size_t n);
void smi_record_file_close(struct smi_record_file *r); /* may be all zero */

#endif
