/* nvidia_dmon_fast.h - the fast path of dmon: rows of short whole numbers, many at once. */
#ifndef SMI_FORMATS_NVIDIA_DMON_FAST_H
#define SMI_FORMATS_NVIDIA_DMON_FAST_H

#include "formats/fast_block.h"
#include "formats/nvidia_monitor.h"

enum {
    SMI_DMON_COLUMNS = 256,
    SMI_DMON_DEVICES = 64, /* GPU indices that are looked up once */
    SMI_DMON_CELL = 16,    /* widest cell of the fast path, with its blanks */
    SMI_DMON_ROW = 1024    /* longest row */
};

/* Zero-initialise. */
struct smi_dmon_fast {
    struct smi_fast_block block;
    char units[SMI_DMON_ROW];        /* the line of units below the header: it comes again with it */
    size_t units_n;                  /* 0: none */
    bool on;                         /* these columns have a fast path */
    int8_t number[SMI_DMON_COLUMNS]; /* of a cell: its column in the block, or one of the kinds in
                                        nvidia_dmon_fast.c */
    int8_t shape[SMI_DMON_COLUMNS];  /* the same, with what is missing in this shape */
    uint8_t other[SMI_DMON_COLUMNS]; /* the cells of this shape that are more than a number to convert */
    unsigned others;
    unsigned batch; /* how many rows are looked at together */
    unsigned width;
    uint16_t end[SMI_DMON_COLUMNS + 1]; /* where the cells of this shape end; behind them the row's LF */
    int who[SMI_DMON_DEVICES];          /* device of a GPU index */
    uint64_t known;                     /* which of them are known */
    uint64_t changes;                   /* smi_devices.changes that they belong to */
    struct {
        uint64_t text; /* a GPU index as it stood, and how many bytes; 0: none */
        int who;       /* its device */
    } cell[16];        /* the last one of each last digit */
    char date[8];      /* of the last row, and its time */
    int64_t date_ms;
};

/* Columns changed. timed: their times are read. */
void smi_dmon_fast_bind(struct smi_dmon_fast *d, const struct smi_row_plan *p, bool timed);
/* A line of units was read. */
void smi_dmon_fast_units(struct smi_dmon_fast *d, struct smi_text line);
void smi_dmon_fast_reset(struct smi_dmon_fast *d);
/* Takes plain rows from the beginning of p on (smi_fast_lines_fn) and sends them to r->lines.to. */
ptrdiff_t smi_dmon_fast_rows(struct smi_dmon_fast *d, struct smi_row_reader *r, const char *p, size_t n,
                             struct smi_err *err);

#endif
