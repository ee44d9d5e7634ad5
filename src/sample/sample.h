/* sample.h - the values that travel from readers to sinks: rows of readings, and marks. */
#ifndef SMI_SAMPLE_SAMPLE_H
#define SMI_SAMPLE_SAMPLE_H

#include "base/text.h"
#include "sample/metric.h"

/* Who a row is about, when it is not a device number of the input's smi_devices. */
enum {
    SMI_WHO_HOST = -1,    /* the machine */
    SMI_WHO_KEYLESS = -2, /* a GPU, but the source has no key: attribution decides */
    SMI_WHO_POOL = -3     /* a GPU that cannot be told: pooled, without time sums */
};

/* All readings of one device at one instant. Lent for the duration of the call: a sink that wants to keep it
 * copies it. A metric that the source did not print is simply not listed; it is never 0. */
struct smi_sample {
    int64_t t_ms;       /* milliseconds; on the base of the input (UTC, local, time of day) */
    bool timed;         /* t_ms is a time; else the source has none */
    bool fine;          /* the stamp was finer than a second */
    int who;            /* device number in the input's smi_devices, or SMI_WHO_* */
    unsigned n;         /* readings, at most SMI_SAMPLE_MAX; 0 only for rows without any usable cell, never sent */
    bool shared;        /* one of several of its line: the reader counts the line, and none is a duplicate */
    const uint16_t *metric; /* n catalogue ids, each once */
    const int64_t *v;       /* n readings, millionths of the catalogue's unit */
};

enum { SMI_SAMPLE_MAX = 128 };

/* Events: what is not a reading. */
enum smi_mark_kind {
    SMI_MARK_BREAK, /* a repeated header or a line that is no row: no burst of rows spans it (keyless sources) */
    SMI_MARK_PHASE, /* a RunLog phase: covers (t_us - span_us, t_us] */
    SMI_MARK_EVENT  /* a RunLog event */
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
};

#endif
