/* kernel.h - the two steps of the fast road that depend on the machine: where the separators of CSV lines are, and what
 * numbers stand in cells. Everything around them (plain.h) is shared, so every kernel leads to the same rows. */
#ifndef SMI_FORMAT_KERNEL_H
#define SMI_FORMAT_KERNEL_H

#include <stddef.h>
#include <stdint.h>

/* Writes the offsets of every ',' and LF among p[0 ... n - 1] to at, in their order, and returns how many there are;
 * *lf: how many of them are LF. n is a multiple of 64; at has room for n + 64 offsets (all may be written, what is
 * behind the last is undefined). */
typedef size_t smi_index_fn(const char *p, size_t n, uint32_t *at, size_t *lf);

/* How the numbers of a column are written. Masks are for a word that holds a cell of up to eight bytes, its last byte
 * uppermost, with blanks in front. */
struct smi_number {
    uint64_t point_mask, point; /* where the point has to stand; 0: none */
    uint64_t below, above, fill; /* w = (w & below) << 8 | (w & above) | fill closes the gap of the point */
    uint64_t digits;             /* bit 0 of the bytes of w that have to be digits */
    uint64_t blank;              /* and of those that may not be, as the one that parts a cell from that before it */
    uint32_t limit;              /* largest value, without the point */
};

/* Numbers of one column, one from each of n rows, go to u: how many of them are plain, counted up to the first that is
 * not: blanks, digits, and the point where it has to be. u has room for n rounded up to 8; eight bytes can be read from
 * the beginning of each cell on. */

/* Cell i stands between the separators at[i * columns - 1] and at[i * columns], offsets from p, less its last `cut`
 * bytes; one of more than eight is not plain. The offset in front of the first byte is UINT32_MAX: 1 more is 0, in 32
 * bits. */
typedef size_t smi_cells_fn(const char *p, const uint32_t *at, size_t columns, size_t n, size_t cut,
                            const struct smi_number *s, int32_t *u);

/* Cell i is the len bytes (1 to 8) from p + at[i] on. at has room for n rounded up to 8. */
typedef size_t smi_fixed_fn(const char *p, const uint32_t *at, size_t n, size_t len, const struct smi_number *s,
                            int32_t *u);

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

extern const struct smi_kernel smi_kernel_plain, smi_kernel_avx2, smi_kernel_avx512;

#endif
