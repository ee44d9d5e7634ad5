/* rows.h - a block of rows, column by column: the only way in which readings travel from a reader to a
 * sink. A reader with one row passes a block of one (rows.h). */
#pragma once

#include "base/err.h"
#include "base/text.h"
#include "model/metric.h"

/* ---- the values that travel from readers to sinks: rows of readings, and marks ---- */

/* Who a row is about, when it is not a device number of the input's smi_devices. */
enum {
    SMI_DEVICE_HOST = -1,    /* the machine */
    SMI_DEVICE_KEYLESS = -2, /* a GPU, but the source has no key: attribution decides */
    SMI_DEVICE_POOL = -3     /* a GPU that cannot be told: pooled, without time sums */
};

/* What a process does on a device, as bits: nvidia-smi's C, G and M. */
enum { SMI_PROC_COMPUTE = 1, SMI_PROC_GRAPHICS = 2, SMI_PROC_MPS = 4 };

/* The process that a row is about. */
struct smi_process {
    int64_t pid;          /* -1: not known */
    struct smi_text name; /* empty: not known */
    unsigned types;       /* SMI_PROC_* bits; 0: not known */
    bool none;            /* the row says that no process runs on the device */
    int64_t life_ms; /* -1; or an accounting record, whose readings are of its whole life: how long it was, 0
                      * while it still runs */
};

/* All readings of one device at one instant. Lent for the duration of the call: a sink that wants to keep it
 * copies it. A metric that the source did not print is simply not listed; it is never 0. */
struct smi_sample {
    int64_t t_ms; /* milliseconds; on the base of the input (UTC, local, time of day) */
    bool timed;   /* t_ms is a time; else the source has none */
    bool fine;    /* the stamp was finer than a second */
    int who;      /* device number in the input's smi_devices, or SMI_DEVICE_* */
    unsigned n;   /* readings, at most SMI_SAMPLE_MAX; 0 only with a process: it was there */
    bool shared;  /* one of several of its line, or a sum over rows about processes: the lines are counted
                   * without it, and none is a duplicate */
    bool begins;  /* a span of its own begins: no time between its device's row before and this one counts;
                   * such a  row is a block of one */
    int aside;    /* 0; or smi_format_id + 1 of a second log of the device, which samples that were exported
                   * show beside the first: its rows have times, but no neighbours in time */
    const uint16_t *metric;            /* n catalogue ids, each once */
    const int64_t *v;                  /* n readings, millionths of the catalogue's unit */
    const struct smi_process *process; /* the readings are this process's; NULL: the device's as a whole */
};

enum { SMI_SAMPLE_MAX = 128 };

/* Events: what is not a reading. */
enum smi_mark_kind {
    SMI_MARK_BREAK, /* a repeated header or a line that is no row: no burst of rows spans it (keyless sources)
                     */
    SMI_MARK_PHASE, /* a RunLog phase: covers (t_us - span_us, t_us] */
    SMI_MARK_EVENT, /* a RunLog event */
    SMI_MARK_FAULT  /* something is wrong with a GPU, or with the driver */
};

/* One flat scalar of an entry: top level or inside "data". */
struct smi_field {
    struct smi_text key, text; /* text: the value as text (numbers as written) */
    int64_t micro;             /* the value in millionths, if number */
    bool number;               /* a JSON number that fits */
    bool in_data;              /* stood inside "data" */
    bool quoted;               /* a JSON string (else number, true, false, null) */
};

struct smi_mark {
    enum smi_mark_kind kind;
    int64_t t_us, span_us;
    struct smi_text name; /* phase or event name */
    const struct smi_field *field;
    unsigned fields;
    /* of a fault; its name is the bus id of the GPU that a message names, or empty */
    int fault;    /* an smi_fault_id */
    int who;      /* as smi_sample.who */
    int64_t code; /* of an XID or a recovery action; else 0 */
    bool timed;   /* t_us is that of its row; else it happened after the row before */
};

enum {
    SMI_ROWS_MAX = 4096,
    SMI_ROWS_STRIDE = SMI_ROWS_MAX + 8, /* a kernel may write a few numbers too many */
    SMI_ROWS_COLUMNS = 64               /* of a packed block; others have up to SMI_SAMPLE_MAX */
};

/* n rows of one shape: every row has a reading of every metric. Lent for the duration of the call. Readings
 * are packed (u, scale: a reading is u * scale millionths, columns stand SMI_ROWS_STRIDE apart) or whole (v,
 * row by row). */
struct smi_rows {
    unsigned n;             /* rows, at most SMI_ROWS_MAX */
    unsigned metrics;       /* columns; 0 only in rows about processes */
    const uint16_t *metric; /* their catalogue ids, each once */
    const int32_t
        *u; /* packed: column c, row i is u[c * SMI_ROWS_STRIDE + i], not negative; u * scale < 2^43 */
    const int64_t *scale; /* packed: millionths in one unit of u, by column */
    const int64_t *v;     /* u is NULL: column c, row i is v[i * metrics + c], in millionths */
    const int64_t *t_ms;  /* n times, or NULL; they count only if timed */
    const int *who;       /* n device numbers or SMI_DEVICE_*; NULL: all are SMI_DEVICE_KEYLESS */
    const struct smi_process
        *process; /* n processes that the rows are about; NULL: they are about devices as a whole */
    bool timed, fine;
    bool shared; /* as smi_sample.shared, of all rows */
    bool begins; /* as smi_sample.begins, of the only row */
    int aside;   /* the same of smi_sample.aside */
};

/* A block of this row, which it borrows. */
struct smi_rows smi_rows_of(const struct smi_sample *s);
/* The reading of a metric, or NULL. */
const int64_t *smi_sample_reading(const struct smi_sample *s, unsigned metric);
/* Row i as a sample. v has room for SMI_ROWS_COLUMNS readings; a sample of a packed block borrows it. */
struct smi_sample smi_rows_sample(const struct smi_rows *r, unsigned i, int64_t *v);
/* The rows from ... from + n - 1 of r, with who of their own (or NULL to keep r's). */
struct smi_rows smi_rows_part(const struct smi_rows *r, unsigned from, unsigned n, const int *who);

/* ---- functions over columns: a second one of each for machines that have AVX2 and BMI. Which is taken is
 * decided once, when the program starts. That is the C library's part, and sanitizers come too late for it
 * ---- */
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define SMI_CLONES __attribute__((target_clones("arch=x86-64-v3", "default")))
#define SMI_WIDE /* vectors of 32 bytes instead of 16 */
#else
#define SMI_CLONES
#endif

/* ---- where blocks of rows and marks go. Embed as the first member of your own struct ---- */

/* All functions return 0, or -1 with err to stop. */
struct smi_sink {
    int (*rows)(struct smi_sink *self, const struct smi_rows *r, struct smi_err *err);
    int (*mark)(struct smi_sink *self, const struct smi_mark *m,
                struct smi_err *err);                       /* NULL: not interested */
    int (*end)(struct smi_sink *self, struct smi_err *err); /* NULL or: after the last one */
};

/* Passes one row as a block of one. Returns what the sink returns. */
int smi_sink_row(struct smi_sink *to, const struct smi_sample *s, struct smi_err *err);

/* For sinks that look at one row after the other: calls fn with self for each row of the block, until it
 * returns -1. */
typedef int smi_row_fn(struct smi_sink *self, const struct smi_sample *s, struct smi_err *err);
int smi_rows_each(const struct smi_rows *r, smi_row_fn *fn, struct smi_sink *self, struct smi_err *err);
