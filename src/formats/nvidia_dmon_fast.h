/* nvidia_dmon_fast.h - the fast road of dmon: rows of short whole numbers, many at once. */
#ifndef SMI_FORMATS_NVIDIA_DMON_FAST_H
#define SMI_FORMATS_NVIDIA_DMON_FAST_H

#include "formats/fast_block.h"
#include "formats/nvidia_monitor.h"

enum {
    SMI_DMON_COLUMNS = 256,
    SMI_DMON_DEVICES = 64, /* GPU indices that are looked up once */
    SMI_DMON_CELL = 16,    /* widest cell of the fast road, with its blanks */
    SMI_DMON_ROW = 1024    /* longest row */
};

/* What a header says of the rows below it. */
struct smi_dmon_plan {
    size_t width; /* cells of a row; 0: no header that we can read */
    struct smi_nvidia_monitor_time_columns at;
    int gpu; /* place, or -1 */
    bool commas, pmon;
    unsigned n; /* columns that carry readings: their place and metric */
    uint16_t place[SMI_SAMPLE_MAX], metric[SMI_SAMPLE_MAX];
};

/* A header line as it was: it comes again every few rows, and is decoded once. */
struct smi_dmon_line {
    size_t n; /* 0: none */
    char text[SMI_DMON_ROW];
};

/* Is it this line? */
static inline bool smi_dmon_line_same(const struct smi_dmon_line *s, const char *p, size_t n)
{
    return n && s->n == n && memcmp(s->text, p, n) == 0;
}

/* Zero-initialise. */
struct smi_dmon_fast {
    struct smi_fast_block block;
    struct smi_dmon_line names, units; /* the two lines of the header that the columns come from */
    bool on;                           /* these columns have a fast road */
    int8_t number[SMI_DMON_COLUMNS];   /* of a cell: its column in the block, or one of the kinds in
                                          dmon_plain.c */
    int8_t shape[SMI_DMON_COLUMNS];    /* the same, with what is missing in this shape */
    uint8_t other[SMI_DMON_COLUMNS];   /* the cells of this shape that are more than a number to convert */
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

/* A header was read. timed: its times are read. */
void smi_dmon_fast_bind(struct smi_dmon_fast *d, const struct smi_dmon_plan *p, bool timed);
/* Takes plain rows from the beginning of p on (smi_result_fn) and sends them to l->to. */
ptrdiff_t smi_dmon_fast_rows(struct smi_dmon_fast *d, struct smi_lines *l, const char *p, size_t n,
                             struct smi_err *err);

#endif
