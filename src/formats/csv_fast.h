/* csv_fast.h - the fast path of CSVs with a time in each row, as nvidia-smi or our own samplers write them:
 * rows that look alike are read many at once. */
#ifndef SMI_FORMATS_CSV_FAST_H
#define SMI_FORMATS_CSV_FAST_H

#include "formats/fast_block.h"
#include "formats/row_engine.h"

enum {
    SMI_CSV_FAST_COLUMNS = 1024,
    SMI_CSV_FAST_DEVICES = 64, /* devices whose key cells are remembered */
    SMI_STAMP_NVIDIA = 23,     /* "2026/07/03 22:11:09.763" */
    SMI_STAMP_ISO = 29         /* "2026-11-21T06:22:31.123+00:00" */
};

/* A device by its key cells, as they stand in a row. */
struct smi_csv_fast_device {
    int who;
    char *text; /* the cells, one behind the other */
    size_t n, cap;
};

/* Zero-initialise. */
struct smi_csv_fast {
    struct smi_fast_block block;
    uint32_t *at;   /* one in front, then where the separators of the window at hand are */
    size_t window;  /* how many bytes are looked at together */
    unsigned batch; /* how many rows are looked at together */
    bool cr;        /* rows of the block end with CR LF */
    bool even;      /* all rows of the window have as many cells as there are columns */
    bool keyed;     /* columns tell devices apart */
    bool draws;     /* as in the plan: a row without power is not plain */
    bool host;      /* all rows of the block are about the machine */
    size_t columns; /* cells of a row; 0: these columns have no fast path */
    size_t time;    /* the place of its time, of so many bytes */
    size_t stamp;
    uint8_t kind[SMI_CSV_FAST_COLUMNS];   /* an smi_column_kind, */
    uint16_t what[SMI_CSV_FAST_COLUMNS];  /* and which, by place */
    unsigned first[SMI_CSV_FAST_COLUMNS]; /* of a column's numbers: their place in the block */
    uint16_t other[SMI_CSV_FAST_COLUMNS]; /* all others but the time */
    unsigned others;
    struct smi_csv_fast_device seen[SMI_CSV_FAST_DEVICES];
    unsigned devices, next;        /* devices print in turn: the next one is looked for first */
    int64_t latest_ms;             /* smi_clock_fits */
    uint64_t changes;              /* smi_devices.changes that `seen` belongs to */
    struct smi_fast_minute minute; /* of the last row */
    struct smi_text cell[SMI_DEVICE_KEY_COUNT + 1]; /* key cells of the row, then the name */
};

/* Columns changed. stamp: how the time is written; host: rows are about the machine. */
void smi_csv_fast_bind(struct smi_csv_fast *q, const struct smi_row_plan *p, size_t stamp, bool host);
/* For another log: no columns. */
void smi_csv_fast_reset(struct smi_csv_fast *q);
/* The general path found that a row with these key cells (smi_device_key order; the name last) is about
 * `who`. Returns 0, -1. */
void smi_csv_fast_learn(struct smi_csv_fast *q, const struct smi_text *cell, int who, uint64_t changes);

/* The reader of such a format, and what its struct smi_format says of the fast path. */
struct smi_csv_reader {
    struct smi_row_reader row; /* first: see row_engine.h */
    struct smi_csv_fast fast;
};
ptrdiff_t smi_csv_reader_rows(void *self, const char *p, size_t n, struct smi_err *err);
void smi_csv_reader_reset(struct smi_reader *r);
void smi_csv_reader_close(struct smi_reader *r);
#define SMI_CSV_READER                                                                                 \
    .size = sizeof(struct smi_csv_reader), .fast = smi_csv_reader_rows, .reset = smi_csv_reader_reset, \
    .close = smi_csv_reader_close

#endif
