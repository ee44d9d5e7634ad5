/* format.h - what an input format is, and what readers share. */
#pragma once

#include "base/buf.h"
#include "base/mem.h"
#include "formats/column.h"
#include "formats/stamp.h"
#include "model/line_account.h"
#include "model/rows.h"

/* ---- rows of nvidia-smi without their header: what the cells themselves tell of the columns. 2026/04/25
 * 16:06:06.780, 0 %, 4 MiB, 46068 MiB, 32, 82.53 W Units tell most: only the temperature and the index are
 * printed without one. What is left is tried against the cells of all rows: a total does not change, and
 * is the largest; memory in use is nearly nothing at some time, free memory never. Columns are named only
 * if one reading is left; nothing is taken for likely ---- */

enum { SMI_ROW_SHAPE_TEXT = 512 };

struct smi_row_shape {
    bool one;                         /* there is one reading, of all columns */
    bool monitor;                     /* their units are those of a monitor of GPUs */
    size_t cells;                     /* of a row; 0: the text has no rows */
    struct smi_text row;              /* the first, borrowed */
    char columns[SMI_ROW_SHAPE_TEXT]; /* as --input-columns takes them; ? where they are not told */
    char
        below[SMI_ROW_SHAPE_TEXT]; /* a header below the rows that is theirs, behind the number of its line */
    char doubt[SMI_ROW_SHAPE_TEXT]; /* "column 3 may be memory.used or memory.free"; or "" */
};

/* Of the whole lines of a text. torn: the first may lack its beginning. */
void smi_row_shape(struct smi_row_shape *s, const char *p, size_t n, bool torn);

/* In front of the columns of a reading that was found so, and not named by a user. Those of a header below
 * the rows have the number of its line in front: "?31 timestamp, index". */
enum { SMI_ROW_SHAPE_GUESS = '?' };

/* ---- sixteen bytes at once ---- */

typedef unsigned char smi_bytes16 __attribute__((vector_size(16)));
typedef uint64_t smi_words2 __attribute__((vector_size(16)));

/* Bit i says that byte i, which is 0 or 255, is not 0. */
static inline uint64_t smi_byte_mask(smi_bytes16 b)
{
#ifdef __SSE2__
    typedef char mask16 __attribute__((vector_size(16)));
    return (unsigned)__builtin_ia32_pmovmskb128((mask16)b);
#else
    const smi_bytes16 bit = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    const uint64_t ones = 0x0101010101010101u;
    smi_words2 hit = (smi_words2)(b & bit); /* its bytes add up to no more than 255 */
    return hit[0] * ones >> 56 | hit[1] * ones >> 56 << 8;
#endif
}

/* ---- rows on their way out of a reader ---- */

struct smi_lines;
/* Takes the row: it goes on with others, but before a mark or a row of another shape, and before the bytes at
 * hand are done. Return 0, so that they can be the last that is done for a line. What the sink fails with is
 * kept in l->err, and nothing goes on behind it: a reader need not look, and ends its line as any other. */
int smi_lines_row(struct smi_lines *l, const struct smi_sample *s);
int smi_lines_mark(struct smi_lines *l, const struct smi_mark *m);
/* The rows that were taken go on now. Returns 0, or -1: l->err says why. Those without a key have to, before
 * a device is looked up and may be made: which GPUs they are of depends on those that are known. */
int smi_lines_flush(struct smi_lines *l);

/* ---- bytes in any pieces become lines, with a cap in front of everything else ---- */

enum { SMI_LINE_MAX = 1 << 20 }; /* bytes of a line without its end; longer ones are rejected as too_long */

/* What a line was, which is all that there is to say of it. Both return 0, as an smi_line_fn. */
static inline int smi_line_count(int64_t *account)
{
    ++*account;
    return 0;
}
static inline int smi_line_reject(struct smi_account *a, enum smi_reject why, struct smi_text line)
{
    smi_account_reject(a, why, line);
    return 0;
}

/* Is this to be said, which is once for a log? Read in pieces, each would say it once more. */
static inline bool smi_say_once(struct smi_account *a, bool *said)
{
    const bool first = !*said;
    a->changes += first;
    *said = true;
    return first;
}

/* Called for every whole line, without its LF and one CR before it. line.p[line.n] is readable, and the LF or
 * CR of the line. Returns 0. */
typedef int smi_line_fn(void *self, struct smi_text line);

/* The fast path, optional: offered the bytes from the beginning of a line on, it takes as many whole lines as
 * it likes (counted in account->lines by itself) and returns their bytes, 0 if the first line is not for it.
 */
typedef size_t smi_fast_lines_fn(void *self, const char *p, size_t n);

/* What Docker's json-file driver cut, and what had escapes. Zero-initialise. */
struct smi_docker {
    struct smi_buf part[2];       /* lines of stdout and stderr that go on */
    struct smi_buf line;          /* the one at hand, of several parts */
    struct smi_json_values *json; /* the last object; or NULL */
};
void smi_docker_fini(struct smi_docker *d);

struct smi_format;

struct smi_lines {
    const struct smi_format *format; /* of the reader that begins with these lines; or NULL */
    struct smi_sink *to;             /* where the reader's rows go, */
    struct smi_err *err;             /* and what goes wrong: during a call only */
    struct smi_row_block *block;     /* rows that wait, or NULL: during a call only */
    size_t problems;                 /* of the account, when the last of these rows came */
    bool failed;                     /* err says why: nothing goes on any more */
    bool keyless;                    /* a row without a key came, and behind it none with one */
    int32_t unit[SMI_METRIC_COUNT];  /* of the readings so far, in millionths; 0: none came */
    struct smi_devices *devices;     /* for the reader; not used here */
    enum smi_time_base base;         /* of its times, once one was seen */
    struct smi_minute minute;        /* of its last stamp */
    struct smi_account *account;     /* lines, blank, too_long and torn_tail are counted here */
    smi_line_fn *line;
    smi_fast_lines_fn *rows; /* or NULL */
    char *keep;              /* the beginning of a line whose end has not come yet */
    size_t kept, cap;
    bool begun;            /* not the first line of the input: no byte order mark can come */
    bool skipping;         /* inside a line that is too long */
    bool hole;             /* NUL bytes stand in front of the next line */
    bool whole;            /* times in front of lines belong to them (format.h); else they are cut off, */
    struct smi_text front; /* this is the one of the line at hand, or empty, */
    struct smi_text host;  /* and this the machine in front of it */
    struct smi_docker docker;
    struct smi_json_fields *fields;                  /* room for those of a mark; or NULL */
    struct smi_json_values *json;                    /* where the format reads JSON lines: the one at hand */
    void (*date)(void *self, struct smi_text front); /* and it goes here first; or NULL */
};

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
 * line has none. Cut off are also a progress bar (up to the last CR), what Docker's json-file driver writes
 * around a line, and in front of a row or a header the machine that it is of, which *host becomes:
 *
 *     {"log":"0, 28 %\n","stream":"stdout","time":"2026-07-03T10:00:00.123456789Z"}
 *     node01: 0, 28 %            pdsh, srun --label (a number)
 *     gpu-1  | 0, 28 %           docker compose logs
 *     [pod/train-0/main] 0, 28 % kubectl logs --prefix
 */
struct smi_text smi_line_front_cut(struct smi_text *line, struct smi_text *host, struct smi_docker *docker);
/* Windows tools begin a file with EF BB BF: not a part of the first name, nor of the line that another such
 * file begins with behind it. */
struct smi_text smi_line_without_bom(struct smi_text t);

struct smi_read_opts {
    struct smi_account *account; /* borrowed, filled */
    struct smi_devices *devices; /* borrowed, filled */
    bool later;                  /* a later piece of an input: no byte order mark in front */
    const char *columns;         /* column names of a headerless file, comma-separated, or NULL */
};

struct smi_reader; /* each format's own */

/* What a line looks like to a format while it is sniffed. */
enum smi_sniff {
    SMI_SNIFF_NO,
    SMI_SNIFF_YES,
    SMI_SNIFF_LIKELY, /* unless a later line is another format's */
    SMI_SNIFF_BARE    /* data without a header: needs --input-columns (query CSV only) */
};

struct smi_table;
struct smi_json_value;

/* How the lines of a format are read. A reader is a struct smi_reader of its own that begins with a struct
 * smi_lines. */
struct smi_format {
    size_t size; /* of its reader */
    /* Is a line the format's? One of the two may be NULL; of both each has to say so. The first sees the
     * line, the second its n cells, split at commas, and with a split of SMI_SPLIT_QUOTES without the quotes
     * around them: it returns the smi_format_id whose header (or row) they are, or -1. */
    enum smi_sniff (*sniff)(struct smi_text line);
    int (*header)(const struct smi_text *cell, size_t n);
    unsigned split;
    smi_line_fn *line;
    smi_fast_lines_fn *fast; /* or NULL */
    /* Of JSON lines (json_line.h): takes the object of a line. key: the number of a key, 1 to 255, or 0; it
     * is asked for each key that is new, and smi_json_value.own says it; or NULL. */
    int (*entry)(struct smi_reader *r, const struct smi_json_value *entry, struct smi_text line);
    int (*key)(struct smi_text key);
    const struct smi_table *table; /* it is read by the row engine (row_engine.h); or NULL */
    /* The rest may be NULL. The reader's memory is zero, its lines and its table are open. */
    int (*open)(struct smi_reader *r, const struct smi_read_opts *o, struct smi_err *err);
    bool fronts;                          /* times in front of its lines are its own matter */
    void (*finish)(struct smi_reader *r); /* after the last line */
    /* Is a last line without its end proved to be whole? Then it counts; else it is a torn tail. */
    bool (*whole)(void *self, struct smi_text line);
    void (*close)(struct smi_reader *r);
};

#define SMI_FORMAT(id, reader, rank, name, base, flags, help) \
    extern const struct smi_format smi_format_##reader;
#include "model/format.def"
#undef SMI_FORMAT
extern const struct smi_format *const smi_formats[SMI_FMT_COUNT];

/* The life of a reader. NULL with err: memory, or --input-columns are of no use. */
struct smi_reader *smi_reader_open(const struct smi_format *f, const struct smi_read_opts *o,
                                   struct smi_err *err);
/* Bytes in pieces of any size. NUL bytes at the beginning of the input are passed over and told: a log that
 * was emptied while its monitor had it open goes on at its old size, behind a hole. Lines inside the piece
 * are lent without copying. Lines of only blanks and tabs are counted and not passed on. Return 0, or -1 with
 * err. */
int smi_reader_feed(struct smi_reader *r, const char *p, size_t n, struct smi_sink *to, struct smi_err *err);
int smi_reader_finish(struct smi_reader *r, struct smi_sink *to, struct smi_err *err);
/* Lines wait for what those behind them tell (row_order.c); settle: no longer, for logs that grow. */
bool smi_reader_waits(const struct smi_reader *r);
int smi_reader_settle(struct smi_reader *r, struct smi_sink *to, struct smi_err *err);
/* The base of its times, known once a header or row was seen. */
enum smi_time_base smi_reader_base(const struct smi_reader *r);
void smi_reader_close(struct smi_reader *r); /* may be NULL */

/* True for a known message of nvidia-smi or harmless noise between rows. */
bool smi_message_is_known(struct smi_text line);
/* The fault that a message tells, the bus id in it (as printed; empty: none) and the number of an XID; or -1.
 */
int smi_message_fault(struct smi_text line, struct smi_text *where, int64_t *code);
/* The harmless part of it: it says nothing about the GPUs. */
bool smi_message_is_noise(struct smi_text line);

/* What readers share. Counts a line that is a known message; nvidia-smi's own are kept as a problem.
 * Returns whether it was one. */
bool smi_message_count(struct smi_account *a, struct smi_text line);
/* Counts a cell that gave no reading; one that is no sentinel is kept as a problem. Returns 0 or -1. */
void smi_cell_count_lost(struct smi_account *a, enum smi_cell_status what, unsigned metric,
                         struct smi_text cell);

/* ---- input formats by their names, and told apart by content ---- */

int smi_format_find(const char *name); /* id, or -1 */

/* Tells the format of the first bytes of an input (n up to 64 KiB are looked at; whole: the input ends
 * there). Returns an smi_format_id; or -1, and why is filled with a sentence part ("empty", "UTF-16 text
 * ...", "a log of xpu-smi (Intel): not read", "no known log format: begins with ..."); bare: rows of a query
 * CSV without header whose columns are not known (advice: --input-columns) - the id is still returned. */
struct smi_detect {
    bool bare;     /* a headerless query CSV that is not the reference's nine columns */
    bool messages; /* only known error messages */
    bool broken;   /* of a log that never began: nothing, only messages, or one unfinished line */
    bool likely;   /* what proves it may stand in front of other logs, too */
    bool led;      /* other lines stand in front of the first that is the format's own */
    bool unknown;  /* it begins like nothing that is known */
    char columns[SMI_ROW_SHAPE_TEXT + 1]; /* what that shape told (format.h) or tools.map has, or "" */
    char why[400];                        /* UTF-8, safe to print */
};
int smi_detect(const char *p, size_t n, bool whole, struct smi_detect *why);

/* What a line says by how it begins and what it holds ("": anything). Those lists of tools.map end where
 * `what` is NULL. smi_say_tool are its sections: what it says is a text as --columns-from gives it. */
struct smi_phrase {
    const char *begin, *holds, *what;
};
extern const struct smi_phrase smi_say_foreign[], smi_say_foreign_sure[], smi_say_magic[], smi_say_message[],
    smi_say_noise[], smi_say_shell[], smi_say_tool[];
/* The first that fits a trimmed line, or NULL. */
const struct smi_phrase *smi_phrase_find(const struct smi_phrase *list, struct smi_text line);

/* Of bytes that were detected as id (bare, columns: as above, or NULL), and are led: is it another text,
 * which only quotes a log? It is, if the log's own lines are less than half, and more than two others stand
 * behind the first of them too; or if there is no row, and its headers are less than a fifth. Blank lines,
 * messages, and broken lines that begin with a digit (of JSON with a brace) are neither. Returns 1, 0, or -1
 * with err. */
int smi_detect_is_quoted(const char *p, size_t n, int id, bool bare, const char *columns);

/* How much of an input is looked at, one look after the other. */
enum { SMI_DETECT_FIRST = 1024, SMI_DETECT_MORE = 4096, SMI_DETECT_MOST = 65536 };

/* One look at the first `size` bytes (SMI_DETECT_FIRST, then what was returned); p holds n, and where that is
 * less, these are all. The same bytes pass the same looks wherever they come from: a file, a pipe, packed, an
 * archive. columns: of --input-columns or --columns-from, or NULL; with them rows without a header are not
 * bare. Returns the size of the next look, or 0: *id is the format, or -1 for what *why says, another text
 * that only quotes a log among them. err (memory, columns of no use) is filled with a 0. */
size_t smi_detect_look(const char *p, size_t n, size_t size, const char *columns, int *id,
                       struct smi_detect *why, struct smi_err *err);

/* ---- what cells and messages tell of broken GPUs, handed on as marks ---- */

/* The fault that a cell without a reading tells ("[GPU is lost]", "[Unknown Error]"), or -1 ("[N/A]"). */
int smi_cell_fault_id(struct smi_text cell);
/* A cell of a column that should say "No" or "None" (SMI_COL_ALARM): the code of the fault if it says
 * otherwise, -1 if it is as it should be. */
int64_t smi_cell_alarm(unsigned fault, struct smi_text cell);

/* As smi_message_count; the fault that the message tells is handed on. */
bool smi_message_report(struct smi_lines *l, struct smi_text line);
/* The same where every line that is nothing else is a message. Returns 0. */
int smi_message_pass(struct smi_lines *l, struct smi_text line);
