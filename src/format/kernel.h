/* kernel.h - the two steps of the fast road that depend on the machine: where the separators of CSV lines are, and what
 * numbers stand in cells. Everything around them (plain.h) is shared, so every kernel leads to the same rows. */
#ifndef SMI_FORMAT_KERNEL_H
#define SMI_FORMAT_KERNEL_H

#include <stddef.h>
#include <stdint.h>

/* Writes the offsets of every ',' and LF among p[0 ... n - 1] to at, in their order, and returns how many there are.
 * n is a multiple of 64; at has room for n + 64 offsets (all may be written, what is behind the last is undefined). */
typedef size_t smi_index_fn(const char *p, size_t n, uint32_t *at);

/* How the numbers of a column are written. Masks are for a word that holds a cell of up to eight bytes, its last byte
 * uppermost, with blanks in front. */
struct smi_number {
    uint64_t point_mask, point; /* where the point has to stand; 0: none */
    uint64_t below, above, fill; /* w = (w & below) << 8 | (w & above) | fill closes the gap of the point */
    uint64_t digits;             /* bit 0 of the bytes of w that have to be digits */
    uint64_t blank;              /* and of those that may not be, as the one that parts a cell from that before it */
    uint32_t limit;              /* largest value, without the point */
};

enum { SMI_NUMBERS_MAX = 64 /* cells that are converted at a time */ };

/* Cells of one column: w[i] is the eight bytes at the beginning of cell i, len[i] its length (0: it is too long). The
 * numbers go to u. Returns how many of them are plain, counted up to the first that is not: blanks, digits, and the
 * point where it has to be. w, len and u have room for n rounded up to 8; n is at most SMI_NUMBERS_MAX. */
typedef size_t smi_convert_fn(const uint64_t *w, const uint8_t *len, size_t n, const struct smi_number *s, int32_t *u);

/* The same of cells that stand at p + at[0], p + at[1], ..., each len bytes long (1 to 8; eight can be read). at and u
 * have room for n rounded up to 8; n may be any number. */
typedef size_t smi_fixed_fn(const char *p, const uint32_t *at, size_t n, size_t len, const struct smi_number *s, int32_t *u);

struct smi_kernel {
    const char *name;
    int (*runs_here)(void); /* can this machine run it? */
    smi_index_fn *index;
    smi_convert_fn *convert;
    smi_fixed_fn *fixed;
};

/* The fastest that this machine can run; or the one that the environment's SMILOG_KERNEL names, if it can. */
const struct smi_kernel *smi_kernel_pick(void);
/* Kernel i of the table, the fastest first, or NULL behind the last. */
const struct smi_kernel *smi_kernel_at(size_t i);

extern const struct smi_kernel smi_kernel_plain, smi_kernel_avx2, smi_kernel_avx512;

#endif
