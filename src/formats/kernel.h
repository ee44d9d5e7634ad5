/* kernel.h - the two steps of the fast path that depend on the machine: where the separators of CSV lines
 * are, and what numbers stand in cells. Everything around them (fast_block.h) is shared, so every kernel
 * leads to the same rows. */
#ifndef SMI_FORMATS_KERNEL_H
#define SMI_FORMATS_KERNEL_H

#include <stddef.h>
#include <stdint.h>

/* Writes the offsets of every ',' and LF among p[0 ... n - 1] to at, in their order, and returns how many
 * there are; *lf: how many of them are LF. n is a multiple of 64; at has room for n + 64 offsets (all may be
 * written, what is behind the last is undefined). */
typedef size_t smi_index_fn(const char *p, size_t n, uint32_t *at, size_t *lf);

/* How the numbers of a column are written. Masks are for a word that holds a cell of up to eight bytes, its
 * last byte uppermost, with blanks in front. */
struct smi_kernel_number {
    uint64_t point_mask, point;  /* where the point has to stand; 0: none */
    uint64_t below, above, fill; /* w = (w & below) << 8 | (w & above) | fill closes the gap of the point */
    uint64_t digits;             /* bit 0 of the bytes of w that have to be digits */
    uint64_t blank; /* and of those that may not be, as the one that parts a cell from that before it;
                       both of w without the point */
    uint32_t limit; /* largest value, without the point */
};

/* Columns of numbers that stand within eight cells of a row, one lane for each cell; some lanes have no
 * column. */
enum { SMI_KERNEL_LANES = 8, SMI_KERNEL_CELL_MAX = 9 /* eight bytes and a separator */ };
struct smi_kernel_lanes {
    unsigned place;               /* which cell of the row is that of lane 0 */
    unsigned lanes;               /* all that have a column are below */
    int32_t *u[SMI_KERNEL_LANES]; /* where its numbers go; of a lane without a column: anywhere */
    const struct smi_kernel_number *number[SMI_KERNEL_LANES]; /* or NULL */
    uint32_t most[SMI_KERNEL_LANES]; /* bytes of a cell, the separator in front and what is cut off counted */
    /* as in smi_kernel_number, 0xFF for each byte that has to be a digit; point: how it differs from a blank
     */
    uint64_t point_mask[SMI_KERNEL_LANES], point[SMI_KERNEL_LANES], above[SMI_KERNEL_LANES];
    uint64_t digit_mask[SMI_KERNEL_LANES];
    uint64_t column_mask[SMI_KERNEL_LANES]; /* all bits if the lane has a column */
    int32_t top[SMI_KERNEL_LANES];          /* largest value */
};

/* The numbers of n rows, up to the first row in which one is not plain: blanks, digits, and the point where
 * it has to be. Returns how many rows that are. Row i has its separators at at[i * columns ...], offsets from
 * p, and at[-1] is in front of the first; a cell of more than eight bytes is not plain. Its numbers become
 * u[lane][first + i]; there is room for the rows rounded up to 8. Eight bytes can be read from the beginning
 * of each cell on, eight offsets from each cell's. The offset in front of the first byte is UINT32_MAX: 1
 * more is 0, in 32 bits. */
typedef size_t smi_cells_fn(const char *p, const uint32_t *at, size_t columns, size_t n,
                            const struct smi_kernel_lanes *g, size_t first);

/* The same of one column whose cells stand at the same place of each row and have len bytes, at most 8: that
 * of row i begins at p + row[i], and its number becomes u[i]. */
typedef size_t smi_column_fn(const char *p, const uint32_t *row, size_t n, size_t len,
                             const struct smi_kernel_number *s, int32_t *u);

struct smi_kernel {
    const char *name;
    int (*runs_here)(void); /* can this machine run it? */
    smi_index_fn *index;
    smi_cells_fn *cells;
    smi_column_fn *column;
};

/* The fastest that this machine can run; or the one that the environment's SMILOG_KERNEL names, if it can. */
const struct smi_kernel *smi_kernel_pick(void);
/* Kernel i of the table, the fastest first, or NULL behind the last. */
const struct smi_kernel *smi_kernel_at(size_t i);

extern const struct smi_kernel smi_kernel_portable, smi_kernel_avx2;

#endif
