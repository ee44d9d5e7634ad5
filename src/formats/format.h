/* format.h - what an input format is, and what readers share. */
#ifndef SMI_FORMATS_FORMAT_H
#define SMI_FORMATS_FORMAT_H

#include "formats/column.h"
#include "formats/lines.h"
#include "model/line_account.h"
#include "model/device.h"
#include "model/sink.h"
#include "model/format_info.h"

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
    smi_fast_lines_fn *fast;       /* or NULL */
    const struct smi_table *table; /* it is read by the row engine (row_engine.h); or NULL */
    /* The rest may be NULL. The reader's memory is zero, its lines and its table are open. */
    int (*open)(struct smi_reader *r, const struct smi_read_opts *o, struct smi_err *err);
    bool fronts;                         /* times in front of its lines are its own matter */
    void (*reset)(struct smi_reader *r); /* makes a finished reader like a new one, to read another log */
    int (*finish)(struct smi_reader *r, struct smi_err *err); /* after the last line */
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
/* Bytes in pieces of any size. Return 0, or -1 with err. */
int smi_reader_feed(struct smi_reader *r, const char *p, size_t n, struct smi_sink *to, struct smi_err *err);
int smi_reader_finish(struct smi_reader *r, struct smi_sink *to, struct smi_err *err);
/* Lines wait for what those behind them tell (row_order.c); settle: no longer, for logs that grow. */
bool smi_reader_waits(const struct smi_reader *r);
int smi_reader_settle(struct smi_reader *r, struct smi_sink *to, struct smi_err *err);
/* The base of its times, known once a header or row was seen. */
enum smi_time_base smi_reader_base(const struct smi_reader *r);
/* Resets a finished reader for another log; the format has to have a reset. */
void smi_reader_reset(struct smi_reader *r, const struct smi_read_opts *o);
void smi_reader_close(struct smi_reader *r); /* may be NULL */

/* True for a known message of nvidia-smi or harmless noise between rows. */
bool smi_message_is_known(struct smi_text line);
/* The harmless part of it: it says nothing about the GPUs. */
bool smi_message_is_noise(struct smi_text line);

/* What readers share. Counts a line that is a known message; nvidia-smi's own are kept as a problem.
 * Returns 1 if it was one, 0 if not, -1 with err (memory). */
int smi_message_count(struct smi_account *a, struct smi_text line);
/* Counts a cell that gave no reading; one that is no sentinel is kept as a problem. Returns 0 or -1. */
void smi_cell_count_lost(struct smi_account *a, enum smi_cell_status what, unsigned metric,
                         struct smi_text cell);

#endif
