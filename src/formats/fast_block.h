/* fast_block.h - the fast path of tables: rows that look as the monitors print them are gathered into blocks,
 * their numbers converted many at a time. A reader takes such rows and leaves all others to its general path,
 * which gives the same result for a plain row. */
#pragma once

#include "formats/row_engine.h"
#include "model/rows.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
    SMI_FAST_COLUMNS = 64, /* of numbers */
    SMI_FAST_CELLS = 1024, /* of a row, */
    SMI_FAST_LAYOUT = 256, /* and of one between blanks */
    SMI_FAST_DEVICES = 64  /* devices whose key cells are remembered */
};

/* How the numbers of a column are written. Masks are for a word that holds a cell of up to eight bytes, its
 * last byte uppermost, with blanks in front. */
struct smi_kernel_number {
    uint64_t point_mask, point; /* where the point has to stand; 0: none */
    uint64_t below, above;      /* w = (w & below) << 8 | (w & above) closes the gap of the point */
    uint64_t digits;            /* the bytes of w that have to be digits */
    uint64_t limit;             /* largest value, without the point; below 2^31 */
    bool blank;                 /* fixed cells: a blank begins the cell */
};

/* A column of numbers under the shape of the block at hand. */
struct smi_fast_column {
    uint16_t metric;
    uint16_t place;   /* which cell of a row */
    uint8_t decimals; /* digits behind the point in every row of the block */
    bool missing;     /* its cell is a sentinel in every row of the block */
    bool wide;        /* it has more bytes than a word: blanks */
    bool direct;      /* a state, which is read beside the numbers */
    uint8_t unit_n;   /* bytes of the unit behind the number, with its blank, at most 4; 0: none */
    uint32_t unit;    /* these bytes as they stand in memory */
    uint32_t unit_mask;
    uint8_t cut; /* what stands behind the number: the unit and a CR */
    struct smi_kernel_number number;
    int32_t *u;  /* its column in the block, while rows are read */
    uint16_t at; /* of a layout: where its cell begins in a row, */
    uint8_t len; /* and its bytes, at most 8 */
};

/* How the times of rows are written. */
enum smi_fast_stamp {
    SMI_FAST_DAY_TIME = 0,      /* "20260816" and "09:22:34" in two cells, or nowhere */
    SMI_FAST_NVIDIA_STAMP = 23, /* bytes: "2026/07/03 22:11:09.763" */
    SMI_FAST_ISO_STAMP = 29     /* "2026-11-21T06:22:31.123+00:00" */
};

/* A device by its key cells, then its name, as they stand in a row. */
struct smi_fast_device {
    int who;
    uint64_t word; /* of one cell, if it has up to eight bytes: with blanks in front */
    char *text;    /* what the cells are slices of */
    size_t cap;
    struct smi_text cell[SMI_DEVICE_KEY_COUNT + 1];
};

/* A cell of a row. */
struct smi_fast_place {
    uint8_t kind;   /* an smi_column_kind, */
    uint16_t what;  /* and which */
    uint16_t first; /* of a column's numbers: their place in the block */
    uint16_t other; /* at the place i: which is the i-th of the others, all but numbers and a stamp */
};

struct smi_fast {
    struct smi_row_block *block; /* the reader's, while its rows are of this shape; else NULL */
    struct smi_fast_column *column;
    size_t column_cap;
    unsigned numbers;                                     /* in a row, missing ones too */
    unsigned missing;                                     /* columns that are missing in this shape, */
    unsigned metrics;                                     /* and those that are not; 0: no shape yet */
    const struct smi_fast_column *slot[SMI_FAST_COLUMNS]; /* the columns whose cells are converted in it */
    unsigned slots;
    const struct smi_fast_column *power, *limit; /* columns of this shape, or NULL */
    bool units;                                  /* one of them has a unit */
    bool odd;                                    /* one is missing, or wide */
    bool blanks; /* cells end at blanks, where the layout has them; else at commas */
    bool host;   /* all rows are about the machine */
    bool timed;
    uint32_t *at;           /* one in front, then where the separators of the window at hand are */
    size_t window;          /* how many bytes are looked at together */
    unsigned batch;         /* how many rows are looked at together */
    unsigned failed, pause; /* tries in a row that took no row; lines before the next one */
    bool cr;                /* rows of the block end with CR LF */
    bool even;              /* all rows of the window have as many cells as there are columns */
    bool keyed;             /* columns tell devices apart */
    bool draws;             /* as in the plan: a row without power is not plain */
    size_t columns;         /* cells of a row; 0: these columns have no fast path */
    size_t time;            /* the place of its stamp, */
    enum smi_fast_stamp stamp;
    struct smi_fast_place *place; /* of `columns`, or more */
    size_t places;
    unsigned others;
    struct smi_fast_device *seen;
    size_t seen_cap;
    unsigned devices, next;                /* devices print in turn: the next one is looked for first */
    uint8_t key[SMI_DEVICE_KEY_COUNT + 1]; /* which of the cells of a device the rows have */
    unsigned keys;
    uint64_t changes;                               /* smi_devices.changes that `seen` belongs to */
    struct smi_minute minute;                       /* of the last row */
    struct smi_text cell[SMI_DEVICE_KEY_COUNT + 1]; /* key cells of the row, then the name */
    uint32_t *layout;                               /* one in front, then where the cells of all rows end, */
    size_t layout_cap;
    uint64_t tail, tail_mask; /* what stands behind the last of them, with the LF: a word of memory, */
    size_t stride;            /* the bytes of a row, */
    size_t key_at;            /* and where its key begins, if nothing else is to be read beside numbers; */
    unsigned key_lacks;       /* so many bits lack to a word; 64: more has to be read */
    struct smi_buf below;     /* a line below the header that comes again with it */
};

/* The reader of such a format begins with it; zero when it is opened. */
struct smi_fast_reader {
    struct smi_row_reader row; /* first: see row_engine.h */
    struct smi_fast fast;
};

/* Columns changed: those of the plan have a fast path from now on, or none. */
void smi_fast_bind(struct smi_row_reader *row, enum smi_fast_stamp stamp, bool blanks);
void smi_fast_off(struct smi_row_reader *row);
/* smi_table.found: the fast path knows the device of such a row from now on. */
void smi_fast_found(struct smi_row_reader *row, int who);
/* smi_format.fast */
size_t smi_fast_rows(void *self, const char *p, size_t n);
/* smi_format.close */
void smi_fast_close(struct smi_reader *r);
