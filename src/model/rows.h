/* rows.h - a block of rows, column by column: the only way in which readings travel from a reader to a
 * sink. */
#pragma once

#include "base/err.h"
#include "base/mem.h"
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

enum { SMI_SAMPLE_MAX = 128 /* readings of a row */ };

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
    int who;      /* device number in the input's smi_devices, or SMI_DEVICE_* */
    int64_t code; /* of an XID or a recovery action; else 0 */
    bool timed;   /* t_us is that of its row; else it happened after the row before */
};

enum {
    SMI_ROWS_MAX = 4096,
    SMI_ROWS_STRIDE = SMI_ROWS_MAX + 8 /* of a whole block: a kernel may write a few numbers too many */
};

/* n rows of one shape: every row has a reading of every metric. A metric that the source did not print is not
 * listed; it is never 0. Lent for the duration of the call. */
struct smi_rows {
    unsigned n;       /* rows, at most SMI_ROWS_MAX */
    unsigned metrics; /* columns, at most SMI_SAMPLE_MAX; 0 only in a row about a process: it was there */
    const uint16_t *metric; /* their catalogue ids, each once */
    const int32_t *u; /* column c, row i is u[c * stride + i]; it is negative only in a block of one row, */
    bool wide;        /* or where as many columns follow: what a reading has more, in 2^31 units */
    unsigned stride;
    const int64_t *scale; /* millionths in one unit of u, by column; |u * scale| < 2^43 */
    const int64_t *t_ms;  /* milliseconds, on the base of the input (UTC, local, time of day), if timed; else
                           * times on another base (0: none), which only tell rows of one poll, or NULL */
    const int *who; /* device numbers in the input's smi_devices, or SMI_DEVICE_*; NULL: all are keyless */
    const struct smi_process *process; /* whose readings the only row holds; NULL: of devices as a whole */
    bool timed, fine;                  /* there are times; they are finer than a second */
    bool shared; /* each is one of several rows of its line, or a sum over rows about processes: the lines are
                  * counted without it, and none is a duplicate */
    bool begins; /* the only row begins a span of its own: time between it and the one before is none */
    int aside;   /* 0; or smi_format_id + 1 of a second log of the device, which samples that were exported
                  * show beside the first: its rows have times, but no neighbours in time */
};

/* The reading in column c of row i, in units, */
static inline int64_t smi_rows_units(const struct smi_rows *r, unsigned c, unsigned i)
{
    const int32_t *u = r->u + (size_t)c * r->stride + i;
    return *u + (r->wide ? u[(size_t)r->metrics * r->stride] * (INT32_MAX + INT64_C(1)) : 0);
}
/* and in millionths. */
static inline int64_t smi_rows_reading(const struct smi_rows *r, unsigned c, unsigned i)
{
    return smi_rows_units(r, c, i) * r->scale[c];
}
/* The column of a metric; r->metrics: there is none. */
static inline unsigned smi_rows_column(const struct smi_rows *r, unsigned metric)
{
    unsigned c = 0;
    while (c < r->metrics && r->metric[c] != metric)
        c++;
    return c;
}
/* The rows from ... from + n - 1 of r, with who of their own (or NULL to keep r's). */
struct smi_rows smi_rows_part(const struct smi_rows *r, unsigned from, unsigned n, const int *who);
/* A copy of the block, which is not about a process, in the arena. */
struct smi_rows smi_rows_copy(const struct smi_rows *r, struct smi_arena *to);

/* A reading as a column of one row: any number fits. */
static inline int32_t smi_rows_unit(int64_t v, int64_t *scale)
{
    *scale = v < 0 ? -v : v ? v : 1;
    return (v > 0) - (v < 0);
}

/* What a reader has read of one row: all readings of one device at one instant. */
struct smi_sample {
    int64_t t_ms; /* the rest: as in struct smi_rows */
    bool timed, fine, shared, begins;
    int aside, who;
    const struct smi_process *process;
    unsigned n;                      /* readings; it goes on with 0 only if there is a process */
    uint16_t metric[SMI_SAMPLE_MAX]; /* each once; those behind n are not zeroed */
    int64_t v[SMI_SAMPLE_MAX];
};

/* Rows of one shape, which go on together. The memory is of the thread: it holds rows only while bytes are
 * read. */
struct smi_row_block {
    const void *of;    /* the fast path that has its shape; or NULL */
    struct smi_rows r; /* so far; what it points to stands in: */
    int64_t *t_ms;
    int *who;
    int32_t *u;
    uint16_t metric[SMI_SAMPLE_MAX];
    int64_t scale[SMI_SAMPLE_MAX];
};
/* An empty one with room for so many columns of SMI_ROWS_MAX rows. */
struct smi_row_block *smi_row_block_open(unsigned columns);

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
