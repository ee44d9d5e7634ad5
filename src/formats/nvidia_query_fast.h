/* nvidia_query_fast.h - the fast road of a query CSV: rows as the monitor prints them, many at once. */
#ifndef SMI_FORMATS_NVIDIA_QUERY_FAST_H
#define SMI_FORMATS_NVIDIA_QUERY_FAST_H

#include "formats/kernel.h"
#include "formats/fast_block.h"
#include "formats/nvidia_query_plan.h"

enum { SMI_QUERY_DEVICES = 64 /* devices whose key cells are remembered */ };

/* A device by its key cells, as they stand in a row. */
struct smi_query_device {
    int who;
    char *text; /* the cells, one behind the other */
    size_t n, cap;
};

/* Zero-initialise. */
struct smi_query_fast {
    struct smi_fast_block block;
    uint32_t *at;                      /* one in front, then where the separators of the window at hand are */
    size_t window;                     /* how many bytes are looked at together */
    unsigned batch;                    /* how many rows are looked at together */
    bool cr;                           /* rows of the block end with CR LF */
    bool even;                         /* all rows of the window have as many cells as there are columns */
    const struct smi_query_plan *plan; /* borrowed; NULL: these columns have no fast road */
    unsigned first[SMI_QUERY_COLUMNS]; /* of a column's numbers: their place in the block */
    uint16_t number[SMI_ROWS_COLUMNS],
        other[SMI_QUERY_COLUMNS]; /* columns that are numbers; all others but the time */
    unsigned numbers, others;
    struct smi_query_device seen[SMI_QUERY_DEVICES];
    unsigned devices, next;        /* devices print in turn: the next one is looked for first */
    uint64_t changes;              /* smi_devices.changes that `seen` belongs to */
    struct smi_fast_minute minute; /* of the last row */
    struct smi_text cell[SMI_DEVICE_KEY_COUNT + 1]; /* key cells of the row, then the name */
};

/* Columns changed: p is the plan from now on, and has to live as long as q. */
void smi_query_fast_bind(struct smi_query_fast *q, const struct smi_query_plan *p);
/* The general road found that a row with these key cells (smi_device_key order; the name last) is about
 * `who`. Returns 0, -1. */
int smi_query_fast_learn(struct smi_query_fast *q, const struct smi_text *cell, int who, uint64_t changes);
/* Takes plain rows from the beginning of p on (smi_result_fn) and sends them to l->to. */
ptrdiff_t smi_query_fast_rows(struct smi_query_fast *q, struct smi_lines *l, const char *p, size_t n,
                              struct smi_err *err);
void smi_query_fast_fini(struct smi_query_fast *q);

#endif
