#include "sweep/run_store.h"

#include "base/file.h"
#include "base/mem.h"
#include "summary/summary_image.h"

#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ALIGN = 16 };
#define RESERVED ((size_t)1 << 36) /* addresses; the file grows as it is needed */

struct smi_run_store {
    pthread_mutex_t lock;
    struct smi_arena arena; /* slabs in memory */
    size_t memory, used;    /* bytes of details there: at most, so far */
    char *map;              /* of the file, or NULL */
    size_t file_used;
    int fd;
    bool no_file; /* there is no place for one */
};

struct smi_run_store *smi_run_store_new(size_t memory)
{
    struct smi_run_store *store = smi_mem_new(1, sizeof *store);
    store->memory = memory;
    store->fd = -1;
    pthread_mutex_init(&store->lock, NULL);
    return store;
}

void smi_run_store_free(struct smi_run_store *store)
{
    if (!store)
        return;
    if (store->map)
        munmap(store->map, RESERVED);
    if (store->fd >= 0)
        close(store->fd);
    smi_arena_fini(&store->arena);
    pthread_mutex_destroy(&store->lock);
    smi_mem_free(store);
}

static bool open_file(struct smi_run_store *store)
{
    struct smi_err err = {0};
    void *map;
    if (store->map || store->no_file)
        return store->map;
    store->fd = smi_file_temp(&err);
    map = store->fd < 0 ? MAP_FAILED : mmap(NULL, RESERVED, PROT_READ | PROT_WRITE, MAP_SHARED, store->fd, 0);
    store->no_file = map == MAP_FAILED;
    store->map = store->no_file ? NULL : map;
    return store->map;
}

/* n bytes of the file, which are there even if the disk is full later. NULL where there is no place. */
static char *grow_file(struct smi_run_store *store, size_t n)
{
    char *p;
    if (!open_file(store) || n > RESERVED - store->file_used ||
        posix_fallocate(store->fd, (off_t)store->file_used, (off_t)n))
        return NULL;
    p = store->map + store->file_used;
    store->file_used += n;
    return p;
}

/* A slab of n bytes. Locked. */
static char *new_slab(struct smi_run_store *store, size_t n, bool details)
{
    char *p = NULL;
    if (details && store->used >= store->memory)
        p = grow_file(store, n);
    if (p)
        return p;
    store->used += details ? n : 0;
    return smi_arena_new(&store->arena, n, 1);
}

/* n bytes out of the slab at *at, or a new one. */
static char *take_bytes(struct smi_run_store *store, char **at, size_t *left, size_t n, bool details)
{
    char *p;
    n = (n + ALIGN - 1) / ALIGN * ALIGN;
    if (n > *left) {
        size_t size = n > SMI_RUN_STORE_SLAB
                          ? (n + SMI_RUN_STORE_SLAB - 1) / SMI_RUN_STORE_SLAB * SMI_RUN_STORE_SLAB
                          : SMI_RUN_STORE_SLAB;
        pthread_mutex_lock(&store->lock);
        *at = new_slab(store, size, details);
        pthread_mutex_unlock(&store->lock);
        if (details && *at)
            smi_run_store_trim(store); /* what this and other threads have written */
        *left = *at ? size : 0;
    }
    p = *at;
    if (p) {
        *at += n;
        *left -= n;
    }
    return p;
}

void smi_run_store_move(struct smi_run_store *store, struct smi_run_store_slab *k, struct smi_summary *s,
                        struct smi_arena *left)
{
    const struct smi_summary own = *s;
    size_t end;
    char *rest, *details;
    smi_buf_clear(&k->image);
    end = smi_summary_pack(&k->image, s);
    rest = take_bytes(store, &k->rest, &k->rest_left, end - sizeof *s, false);
    details = take_bytes(store, &k->details, &k->details_left, k->image.n - end, true);
    smi_summary_unpack_apart(s, (struct smi_text){k->image.p, k->image.n}, end, rest, details);
    s->place = own.place;
    if (own.arena.blocks) {
        *left = own.arena;
        smi_arena_reset(left);
    }
}

void smi_run_store_slab_fini(struct smi_run_store_slab *k)
{
    smi_buf_fini(&k->image);
    *k = (struct smi_run_store_slab){0};
}

void smi_run_store_trim(struct smi_run_store *store)
{
    size_t used;
    char *map;
    if (!store)
        return;
    pthread_mutex_lock(&store->lock);
    map = store->map;
    used = store->file_used;
    pthread_mutex_unlock(&store->lock);
    if (used)
        madvise(map, used, MADV_DONTNEED);
}
