/* mem.h - the only caller of malloc: plain blocks, growing arrays, and an arena that is freed at once. */
#ifndef SMI_BASE_MEM_H
#define SMI_BASE_MEM_H

#include <stddef.h>

/* Zeroed memory of n elements of size bytes, or NULL. Free with smi_mem_free. */
void *smi_mem_new(size_t n, size_t size);
/* n bytes as they come, not zeroed: for buffers that are read into. NULL without memory. */
void *smi_mem_raw(size_t n);
/* A fresh, NUL-terminated copy of n bytes, or NULL. */
char *smi_mem_text(const char *p, size_t n);
void smi_mem_free(void *p);

/* Makes room for `need` elements in a growing array (doubling); *p may move, new elements are zero.
 * Returns 0, or -1 with the array unchanged. */
int smi_mem_reserve(void *p, size_t *cap, size_t need, size_t size);

/* qsort of what mostly is in order already: then it is only looked at. */
void smi_sort(void *list, size_t n, size_t size, int (*order)(const void *, const void *));

/* An arena: many small objects with one life. Zero-initialise; smi_arena_fini frees all. */
struct smi_arena {
    struct smi_arena_block *blocks;
};
/* Zeroed memory, aligned for any type, or NULL. */
void *smi_arena_new(struct smi_arena *a, size_t n, size_t size);
/* A NUL-terminated copy of n bytes, or NULL. */
char *smi_arena_text(struct smi_arena *a, const char *p, size_t n);
void smi_arena_fini(struct smi_arena *a);
/* Empties the arena, which keeps room for as much again, up to 1 MiB. */
void smi_arena_reset(struct smi_arena *a);

#endif
