/* lines.h - bytes in any pieces become lines, with a cap in front of everything else. */
#ifndef SMI_FORMATS_LINES_H
#define SMI_FORMATS_LINES_H

#include "base/err.h"
#include "base/text.h"
#include "model/device.h"
#include "model/format_info.h"
#include "model/line_account.h"
#include "model/sink.h"

enum { SMI_LINE_MAX = 1 << 20 }; /* bytes of a line without its end; longer ones are rejected as too_long */

/* Called for every whole line, without its LF and one CR before it. line.p[line.n] is readable, and the LF or
 * CR of the line. Returns 0, or -1 to stop. */
typedef int smi_line_fn(void *self, struct smi_text line, struct smi_err *err);

/* The fast path, optional: offered the bytes from the beginning of a line on, it takes as many whole lines as
 * it likes (counted in account->lines by itself) and returns their bytes, 0 if the first line is not for it,
 * or -1 with err. */
typedef ptrdiff_t smi_fast_lines_fn(void *self, const char *p, size_t n, struct smi_err *err);

struct smi_format;

/* Zero-initialise, then set account, devices, line and self. */
struct smi_lines {
    const struct smi_format *format; /* of the reader that begins with these lines; or NULL */
    struct smi_sink *to;             /* where the reader's samples go: during a call only */
    struct smi_devices *devices;     /* for the reader; not used here */
    enum smi_time_base base;         /* of its times, once one was seen */
    int64_t latest_ms;               /* smi_clock_fits */
    struct smi_account *account;     /* lines, blank, too_long and torn_tail are counted here */
    smi_line_fn *line;
    smi_fast_lines_fn *rows; /* or NULL */
    void *self;
    char *keep; /* the beginning of a line whose end has not come yet */
    size_t kept, cap;
    bool begun;            /* not the first line of the input: no byte order mark can come */
    bool skipping;         /* inside a line that is too long */
    bool hole;             /* NUL bytes stand in front of the next line */
    bool whole;            /* times in front of lines belong to them (lines.h); else they are cut off, */
    struct smi_text front; /* this is the one of the line at hand, or empty, */
    int (*date)(void *self, struct smi_text front, struct smi_err *err); /* and it goes here first; or NULL */
};

/* NUL bytes at the beginning of the input are passed over and told: a log that was emptied while its monitor
 * had it open goes on at its old size, behind a hole. Lines inside the piece are lent without copying. Lines
 * of only blanks and tabs are counted here and not passed on. */
int smi_lines_feed(struct smi_lines *l, const char *p, size_t n, struct smi_err *err);
/* The end of the bytes: an unterminated line is a torn_tail, unless its format proves that it is whole. */
int smi_lines_finish(struct smi_lines *l, struct smi_err *err);
void smi_lines_fini(struct smi_lines *l);

/* The base of a log is that of its first time. Returns whether this one stands on it. */
bool smi_lines_on_base(struct smi_lines *l, enum smi_time_base base);

/* the time that a logger put in front of each line of a log:
 *
 *     2026-07-03T10:00:00.123456789Z 0, 28 %             docker logs -t, kubectl logs --timestamps
 *     2026-07-03T10:00:00.123456789Z stdout F 0, 28 %    the file of a container
 *     2026-07-03 10:00:00 0, 28 %                        ts '%F %T', echo "$(date '+%F %T') $(nvidia-smi
 * ...)" [2026-07-03 10:00:00] 0, 28 %                      ts '[%F %T]' Jul 03 10:00:00 0, 28 % ts Jul 03
 * 10:00:00 node7 smi[12]: 0, 28 %             journalctl, also -o short-iso
 *
 * With a comma behind it, it is a cell of the line; alone on its line, it is the time of what stands below.
 */

/* Cuts it off the line, with one blank behind it. Returns its time, as smi_stamp_read takes it; empty: the
 * line has none, and stays as it is. */
struct smi_text smi_line_front_cut(struct smi_text *line);

#endif
