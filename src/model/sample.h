/* sample.h - the values that travel from readers to sinks: rows of readings, and marks. */
#ifndef SMI_MODEL_SAMPLE_H
#define SMI_MODEL_SAMPLE_H

#include "base/text.h"
#include "model/metric.h"

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

#endif
