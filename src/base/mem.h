/* mem.h - the only caller of malloc: plain blocks, growing arrays, and an arena that is freed at once.
 *
 * No function here fails. Where memory is exhausted, smi_mem_exhausted ends the program: nobody has to check,
 * and nothing half-made is written (files get their names when they are complete). Input must never decide
 * how much is allocated without a limit that has a name. */
#pragma once

#include <stddef.h>
#include <stdlib.h>

/* Zeroed memory of n elements of size bytes. Free with smi_mem_free. */
void *smi_mem_new(size_t n, size_t size);
/* n bytes that are not zeroed: for buffers that are read into. */
void *smi_mem_raw(size_t n);
/* A NUL-terminated copy of n bytes. */
char *smi_mem_text(const char *p, size_t n);
/* Of most structs many parts were never needed: no call for those. */
static inline void smi_mem_free(void *p)
{
    if (p)
        free(p);
}

/* Room of the calling thread for what is too large for its stack and is needed for each block of rows: n
 * bytes, the same ones each time it asks for a kind. It is freed with the thread. */
enum smi_mem_kind {
    SMI_ROOM_BLOCK,
    SMI_ROOM_CELLS,
    SMI_ROOM_TIMES,
    SMI_ROOM_SPREAD,
    SMI_ROOM_LANES,
    SMI_ROOM_RUN,
    SMI_ROOM_SOURCES,
    SMI_ROOM_KINDS
};
void *smi_mem_room(enum smi_mem_kind kind, size_t n);

/* Memory is exhausted, here or in a library: calls the function of smi_mem_on_exhausted, prints one line, and
 * ends the program with status 4. */
_Noreturn void smi_mem_exhausted(void);
/* fn(self) is called first, from the thread that asked for memory; it must not allocate, and may end the
 * program with another status. NULL: none. */
void smi_mem_on_exhausted(void (*fn)(void *self), void *self);

/* Makes room for `need` elements in a growing array (doubling); *p may move, new elements are zero, but for
 * bytes. */
void smi_mem_reserve(void *p, size_t *cap, size_t need, size_t size);
/* One more element of such an array, of n so far. */
#define SMI_MEM_ADD(list, n, cap) \
    ((n) < (cap) ? (void)0 : smi_mem_reserve(&(list), &(cap), (n) + 1, sizeof *(list)), (list) + (n)++)

/* qsort of what mostly is in order already: then it is only looked at. */
void smi_sort(void *list, size_t n, size_t size, int (*order)(const void *, const void *));

/* An arena: many small objects with one life. Zero-initialise; smi_arena_fini frees all. */
struct smi_arena {
    struct smi_arena_block *blocks;
};
/* Zeroed memory, aligned for any type. */
void *smi_arena_new(struct smi_arena *a, size_t n, size_t size);
/* A NUL-terminated copy of n bytes. */
char *smi_arena_text(struct smi_arena *a, const char *p, size_t n);
void smi_arena_fini(struct smi_arena *a);
/* Empties the arena, which keeps room, up to 1 MiB. */
void smi_arena_reset(struct smi_arena *a);
