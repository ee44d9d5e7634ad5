/* fast_block.h - the fast path of the readers: rows that look as the monitors print them are gathered into
 * blocks, their numbers converted many at a time (fast_block.h). A reader takes such rows and leaves all
 * others to its general path, which says the same of a plain row. */
#pragma once

#include "formats/format.h"
#include "formats/row_engine.h"
#include "model/rows.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* ---- the kernel: where the separators of CSV lines are, and what numbers stand in cells ---- */

/* Writes the offsets of every ',' and LF among p[0 ... n - 1] to at, in their order, and returns how many
 * there are; *lf: how many of them are LF. n is a multiple of 64; at has room for n + 64 offsets (all may be
 * written, what is behind the last is undefined). */
size_t smi_kernel_index(const char *p, size_t n, uint32_t *at, size_t *lf);

/* How the numbers of a column are written. Masks are for a word that holds a cell of up to eight bytes, its
 * last byte uppermost, with blanks in front. */
struct smi_kernel_number {
    uint64_t point_mask, point; /* where the point has to stand; 0: none */
    uint64_t below, above;      /* w = (w & below) << 8 | (w & above) closes the gap of the point */
    uint64_t digits;            /* the bytes of w that have to be digits */
    uint64_t limit;             /* largest value, without the point; below 2^31 */
    bool blank;                 /* fixed cells: a blank begins the cell */
};

/* The kernel reads words from memory and takes their first byte for the lowest. */
#define SMI_FAST_LITTLE_ENDIAN (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)

/* A column of numbers under the shape of the block at hand. */
struct smi_fast_block_column {
    uint16_t metric;
    uint16_t place;   /* the reader's own: which cell of a row */
    uint8_t decimals; /* digits behind the point in every row of the block */
    bool missing;     /* its cell is a sentinel in every row of the block */
    bool direct;      /* the reader writes its values itself: it is not text to convert */
    uint8_t unit_n;   /* bytes of the unit behind the number, with its blank, at most 4; 0: none */
    uint32_t unit;    /* these bytes as they stand in memory */
    uint32_t unit_mask;
    uint8_t cut; /* smi_fast_block_cells: what stands behind the number, the unit and a CR; */
    struct smi_kernel_number number;
    int32_t *u;  /* its column in the block */
    uint16_t at; /* smi_fast_block_fixed: where its cell stands in a row, */
    uint8_t len; /* and its bytes, at most 8 */
};

/* Rows on their way into a block. Zero-initialise; smi_fast_block_fini frees. */
struct smi_fast_block {
    struct smi_fast_block_column *column;
    size_t column_cap;
    unsigned columns; /* numbers in a row, missing ones too */
    unsigned n;       /* rows in the block */
    unsigned missing; /* columns that are missing in this shape */
    unsigned metrics; /* those that are not; 0: no shape yet */
    const struct smi_fast_block_column
        *slot[SMI_ROWS_COLUMNS]; /* the columns whose cells are converted in this shape */
    unsigned slots;
    const struct smi_fast_block_column *power, *limit; /* columns of this shape, or NULL */
    bool units;                                        /* one of them has a unit */
    bool fixed;                                        /* the rows are for smi_fast_block_fixed */
    bool keyed, timed, fine;
    bool host; /* all rows are about the machine */
    uint16_t metric[SMI_ROWS_COLUMNS];
    int64_t scale[SMI_ROWS_COLUMNS];
    int32_t *room;     /* of the columns; NULL until the first shape */
    unsigned room_for; /* how many columns it has room for */
    int64_t *t_ms;     /* of SMI_ROWS_MAX rows, like room; and their devices */
    int *who;
};

/* The minute that the stamps of rows begin with, as far as "2026/07/03 22:11:" in any way that a clock is
 * written, and its time. Zero-initialise. */
struct smi_fast_minute {
    bool known;
    uint64_t text[2]; /* all but the last byte, which is a ':' */
    int64_t ms;
};

/* The time of a stamp whose first 23 bytes stand at p, "2026/07/03 22:11:09.763". False if it is of another
 * minute, or its seconds are not plain. */
static inline bool smi_fast_minute_read(const struct smi_fast_minute *m, const char *p, int64_t *t_ms)
{
    const uint64_t low = 0x000F000F000F000Fu;
    uint64_t a, b, w, digits;
    memcpy(&a, p, sizeof a);
    memcpy(&b, p + 8, sizeof b);
    memcpy(&w, p + 15, sizeof w); /* "1:09.763": what stands behind the minute is 0 or a digit then */
    w = (w ^ 0x3030302E30303A00u) >> 8;
    if (!m->known || ((a ^ m->text[0]) | (b ^ m->text[1])) ||
        ((w | (w + 0x007676767F767A7Fu)) &
         0x0080808080808080u)) /* up to 5, up to 9 or nothing: else the top bit */
        return false;
    digits = w >> 8;
    /* each product has its sum uppermost: 10 s and 10 ms, then the digits behind them */
    *t_ms = m->ms + (int64_t)(((digits & low) * (10000ull << 48 | 10ull << 16)) >> 48) +
            (int64_t)(((digits >> 8 & low) * (1000ull << 48 | 100ull << 32 | 1ull << 16)) >> 48);
    return true;
}

/* The stamp at p, the time t_ms, was in another minute. */
static inline void smi_fast_minute_learn(struct smi_fast_minute *m, const char *p, int64_t t_ms)
{
    if (p[17] > '5') /* :60 belongs to the next minute */
        return;
    memcpy(m->text, p, sizeof m->text);
    m->ms = t_ms - t_ms % 60000;
    m->known = true;
}

/* Begins with these metrics, each in a column of its own; false if there are too many for the fast path. */
bool smi_fast_block_bind(struct smi_fast_block *b, const uint16_t *metric, unsigned n);
/* Takes over the columns' decimals and missing marks as the shape of the next block, which is empty. False if
 * no column has a reading. */
bool smi_fast_block_shape(struct smi_fast_block *b);
/* Appends rows to the block until the first row with a number that needs the general path. n: rows available,
 * at most the free rows of the block. Returns the number of rows appended. Row i has its separators at at[i *
 * cells ... i * cells + cells - 1], offsets from p, and at[-1] is that in front of the first; a column's cell
 * ends at that of its place, `cut` bytes of it left out. t_ms and who of the rows, and columns that are
 * direct, stand at their places in the block already. Eight bytes at each cell have to be readable. */
unsigned smi_fast_block_cells(struct smi_fast_block *b, const char *p, const uint32_t *at, size_t cells,
                              unsigned n);
/* The same of n rows (room for them is left), row i at p + row[i]: their cells stand where the columns' at
 * and len were when the block got its shape. Eight bytes at each cell have to be readable. */
unsigned smi_fast_block_fixed(struct smi_fast_block *b, const char *p, const uint32_t *row, unsigned n);
/* Hands the rows on and empties the block; counts their lines and missing cells. Returns 0, or -1 with err.
 */
int smi_fast_block_flush(struct smi_fast_block *b, struct smi_lines *l, struct smi_err *err);
void smi_fast_block_fini(struct smi_fast_block *b);
