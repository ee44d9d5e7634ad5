/* lines.h - bytes in any pieces become lines, with a cap in front of everything else. */
#ifndef SMI_FORMATS_LINES_H
#define SMI_FORMATS_LINES_H

#include "base/err.h"
#include "model/line_account.h"
#include "model/device.h"
#include "model/sink.h"

enum { SMI_LINE_MAX = 1 << 20 }; /* bytes of a line without its end; longer ones are rejected as too_long */

/* Called for every whole line, without its LF and one CR before it. line.p[line.n] is readable, and the LF or
 * CR of the line. Returns 0, or -1 to stop. */
typedef int smi_line_fn(void *self, struct smi_text line, struct smi_err *err);

/* The fast road, optional: offered the bytes from the beginning of a line on, it takes as many whole lines as
 * it likes (counted in account->lines by itself) and returns their bytes, 0 if the first line is not for it,
 * or -1 with err. */
typedef ptrdiff_t smi_result_fn(void *self, const char *p, size_t n, struct smi_err *err);

/* Zero-initialise, then set account, devices, line and self. */
struct smi_lines {
    struct smi_sink *to;         /* where the reader's samples go: during a call only */
    struct smi_devices *devices; /* for the reader; not used here */
    struct smi_account *account; /* lines, blank, too_long and torn_tail are counted here */
    smi_line_fn *line;
    smi_result_fn *rows; /* or NULL */
    void *self;
    char *keep; /* the beginning of a line whose end has not come yet */
    size_t kept, cap;
    bool begun;    /* not the first line of the input: no byte order mark can come */
    bool skipping; /* inside a line that is too long */
};

/* Lines inside the piece are lent without copying. Lines of only blanks and tabs are counted here and not
 * passed on. */
int smi_lines_feed(struct smi_lines *l, const char *p, size_t n, struct smi_err *err);
/* The end of the bytes: an unterminated line is counted as torn_tail. */
int smi_lines_finish(struct smi_lines *l, struct smi_err *err);
/* What all readers of lines share: their struct smi_reader begins with a struct smi_lines. open gives a
 * reader of `size` bytes, all zero but for its lines, which go to `line` with the reader in front; NULL with
 * err (memory). read and end are smi_format.feed and smi_format.finish; close ends the lines and frees the
 * reader, which may be NULL. */
struct smi_reader;
struct smi_read_opts;
void *smi_lines_open(size_t size, const struct smi_read_opts *o, smi_line_fn *line, struct smi_err *err);
int smi_lines_read(struct smi_reader *r, const char *p, size_t n, struct smi_sink *to, struct smi_err *err);
int smi_lines_end(struct smi_reader *r, struct smi_sink *to, struct smi_err *err);
void smi_lines_close(struct smi_reader *r);
/* The lines of a reader that is used again (smi_format.again). */
void smi_lines_reset(struct smi_reader *r, const struct smi_read_opts *o);
void smi_lines_fini(struct smi_lines *l); /* of lines that are no reader's */

#endif
