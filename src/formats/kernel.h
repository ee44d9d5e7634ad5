/* kernel.h - the two steps of the fast road that depend on the machine: where the separators of CSV lines
 * are, and what numbers stand in cells. Everything around them (plain.h) is shared, so every kernel leads to
 * the same rows. */
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

/* Columns of numbers, one lane for each: those that stand within eight cells of a row, of which some have no
 * column, or (fixed) those whose cells stand at the same places within 64 bytes of all rows. */
enum {
    SMI_KERNEL_LANES = 8,
    SMI_KERNEL_LANE_BYTES = 64,
    SMI_KERNEL_CELL_MAX = 9 /* eight bytes and a separator */
};
struct smi_kernel_lanes {
    unsigned place; /* which cell of the row is that of lane 0; fixed: which byte is the first */
    unsigned lanes; /* all that have a column are below */
    uint64_t some;  /* byte k is 0xFF if lane k has one, else 0 */
    int32_t *u[SMI_KERNEL_LANES]; /* where its numbers go; of a lane without one: anywhere */
    const struct smi_kernel_number *number[SMI_KERNEL_LANES]; /* or NULL */
    uint32_t most[SMI_KERNEL_LANES]; /* bytes that a cell may have with the separator in front and what is cut
                                        off */
    uint8_t at[SMI_KERNEL_LANES],
        len[SMI_KERNEL_LANES]; /* fixed: where its cell is, from `place` on, and its bytes, at most 8 */
    int8_t word[SMI_KERNEL_LANES][8]; /* where the bytes of its word are, from the separator behind it; fixed:
                                  from `place` on, */
    uint64_t in;                      /* and bit b of byte k: byte b of lane k is of the cell, */
    unsigned bytes;                   /* and how many there are up to the end of the last */
    uint64_t point_mask[SMI_KERNEL_LANES], point[SMI_KERNEL_LANES], above[SMI_KERNEL_LANES],
        limit[SMI_KERNEL_LANES];            /* as in smi_kernel_number, but the
bytes that differ from a blank in it */
    uint64_t digits, blank;                 /* as there, bit b of byte k is for byte b of lane k; */
    uint64_t digit_mask[SMI_KERNEL_LANES];  /* the same, 0xFF for each byte */
    uint64_t column_mask[SMI_KERNEL_LANES]; /* all bits if the lane has a column */
    int32_t top[SMI_KERNEL_LANES];          /* largest value of those */
};

/* The numbers of n rows, up to the first row in which one is not plain: blanks, digits, and the point where
 * it has to be. Returns how many rows that are. Row i has its separators at at[i * columns ...], offsets from
 * p, and at[-1] is in front of the first; a cell of more than eight bytes is not plain. Its numbers become
 * u[lane][first + i]; there is room for the rows rounded up to 8. Eight bytes can be read from the beginning
 * of each cell on, eight offsets from each cell's. The offset in front of the first byte is UINT32_MAX: 1
 * more is 0, in 32 bits. */
typedef size_t smi_cells_fn(const char *p, const uint32_t *at, size_t columns, size_t n,
                            const struct smi_kernel_lanes *g, size_t first);

/* The same of rows whose cells stand at the same places (g is fixed): row i begins at p + row[i]. */
typedef size_t smi_fixed_fn(const char *p, const uint32_t *row, size_t n, const struct smi_kernel_lanes *g,
                            size_t first);

struct smi_kernel {
    const char *name;
    int (*runs_here)(void); /* can this machine run it? */
    smi_index_fn *index;
    smi_cells_fn *cells;
    smi_fixed_fn *fixed;
};

/* The fastest that this machine can run; or the one that the environment's SMILOG_KERNEL names, if it can. */
const struct smi_kernel *smi_kernel_pick(void);
/* Kernel i of the table, the fastest first, or NULL behind the last. */
const struct smi_kernel *smi_kernel_at(size_t i);

extern const struct smi_kernel smi_kernel_portable, smi_kernel_avx2, smi_kernel_avx512;

#endif
