#include "sweep/sweep.h"

#include "base/file.h"
#include "base/mem.h"

#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* What a pointer leads to: a text, or n structures; a DETAIL is a list that no row of a table of runs needs.
 */
enum kind { TEXT, LIST, DETAIL };

struct shape;
struct place {
    size_t at; /* of the pointer */
    enum kind kind;
    size_t count_at; /* of its size_t n */
    const struct shape *of;
};

struct shape {
    size_t size;
    const struct place *place; /* ends with an `at` of SIZE_MAX */
};

#define AT(s, f) offsetof(struct s, f)
#define END                     \
    {                           \
        SIZE_MAX, TEXT, 0, NULL \
    }

static const struct place no_places[] = {END};
static const struct shape text_shape = {sizeof(char *), (const struct place[]){{0, TEXT, 0, NULL}, END}};
static const struct place gpu_places[] = {
    {AT(smi_gpu, uuid), TEXT, 0, NULL},
    {AT(smi_gpu, bus), TEXT, 0, NULL},
    {AT(smi_gpu, serial), TEXT, 0, NULL},
    {AT(smi_gpu, name), TEXT, 0, NULL},
    {AT(smi_gpu, stall_phase), TEXT, 0, NULL},
    {AT(smi_gpu, lead_in.phase), TEXT, 0, NULL},
    {AT(smi_gpu, trail_in.phase), TEXT, 0, NULL},
    {AT(smi_gpu, throttle), LIST, AT(smi_gpu, throttles),
     &(const struct shape){sizeof(struct smi_throttle),
                           (const struct place[]){{AT(smi_throttle, reason), TEXT, 0, NULL}, END}}},
    {AT(smi_gpu, stats), DETAIL, AT(smi_gpu, nstats),
     &(const struct shape){sizeof(struct smi_stats), no_places}},
    {AT(smi_gpu, available), DETAIL, AT(smi_gpu, navailable),
     &(const struct shape){sizeof(struct smi_share), no_places}},
    END};
static const struct place process_places[] = {{AT(smi_process_figures, uuid), TEXT, 0, NULL},
                                              {AT(smi_process_figures, bus), TEXT, 0, NULL},
                                              {AT(smi_process_figures, name), TEXT, 0, NULL},
                                              {AT(smi_process_figures, type), TEXT, 0, NULL},
                                              END};
static const struct place error_places[] = {
    {AT(smi_error, uuid), TEXT, 0, NULL}, {AT(smi_error, bus), TEXT, 0, NULL}, END};
static const struct place finding_places[] = {{AT(smi_finding, phase), TEXT, 0, NULL},
                                              {AT(smi_finding, text), TEXT, 0, NULL},
                                              {AT(smi_finding, note), TEXT, 0, NULL},
                                              {AT(smi_finding, advice), TEXT, 0, NULL},
                                              END};
static const struct place input_places[] = {
    {AT(smi_input, path), TEXT, 0, NULL},
    {AT(smi_input, format), TEXT, 0, NULL},
    {AT(smi_input, note), TEXT, 0, NULL},
    {AT(smi_input, place), LIST, AT(smi_input, places), &(const struct shape){sizeof(int), no_places}},
    {AT(smi_input, account.problem), LIST, AT(smi_input, account.problems),
     &(const struct shape){sizeof(struct smi_log_warning),
                           (const struct place[]){{AT(smi_log_warning, text), TEXT, 0, NULL}, END}}},
    END};
static const struct place param_places[] = {
    {AT(smi_param, key), TEXT, 0, NULL}, {AT(smi_param, text), TEXT, 0, NULL}, END};
static const struct place count_places[] = {{AT(smi_count, name), TEXT, 0, NULL}, END};
static const struct place phase_places[] = {{AT(smi_phase_summary, name), TEXT, 0, NULL}, END};

#define LIST_OF(kind, f, n, type, places)                                   \
    {                                                                       \
        AT(smi_summary, f), kind, AT(smi_summary, n), &(const struct shape) \
        {                                                                   \
            sizeof(struct type), places                                     \
        }                                                                   \
    }

static const struct place summary_places[] = {
    {AT(smi_summary, run), TEXT, 0, NULL},
    {AT(smi_summary, path), TEXT, 0, NULL},
    {AT(smi_summary, state_reason), TEXT, 0, NULL},
    {AT(smi_summary, hostname), TEXT, 0, NULL},
    {AT(smi_summary, command), TEXT, 0, NULL},
    {AT(smi_summary, time_base), TEXT, 0, NULL},
    {AT(smi_summary, vram.source), TEXT, 0, NULL},
    {AT(smi_summary, energy_part), TEXT, 0, NULL},
    {AT(smi_summary, doubt), TEXT, 0, NULL},
    {AT(smi_summary, problems), LIST, AT(smi_summary, nproblems), &text_shape},
    LIST_OF(LIST, params, nparams, smi_param, param_places),
    LIST_OF(LIST, results, nresults, smi_param, param_places),
    LIST_OF(LIST, gpus, ngpus, smi_gpu, gpu_places),
    LIST_OF(DETAIL, tracked, ntracked, smi_tracked_figures, no_places),
    LIST_OF(DETAIL, host, nhost, smi_stats, no_places),
    LIST_OF(DETAIL, host_available, nhost_available, smi_share, no_places),
    LIST_OF(DETAIL, processes, nprocesses, smi_process_figures, process_places),
    LIST_OF(DETAIL, phases, nphases, smi_phase_summary, phase_places),
    LIST_OF(DETAIL, errors, nerrors, smi_error, error_places),
    LIST_OF(DETAIL, events, nevents, smi_count, count_places),
    LIST_OF(DETAIL, findings, nfindings, smi_finding, finding_places),
    LIST_OF(DETAIL, inputs, ninputs, smi_input, input_places),
    END};

enum { ALIGN = 16 };
#define RESERVED ((size_t)1 << 36) /* addresses; the file grows as it is needed */

struct smi_run_store {
    pthread_mutex_t lock;
    struct smi_arena arena; /* what stays in memory */
    size_t memory, used;    /* bytes of details there: at most, so far */
    char *map;              /* of the file, or NULL */
    size_t file_used, file_size;
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

static void open_file(struct smi_run_store *store)
{
    void *map;
    store->fd = smi_file_temp(&(struct smi_err){0});
    map = store->fd < 0 ? MAP_FAILED : mmap(NULL, RESERVED, PROT_READ | PROT_WRITE, MAP_SHARED, store->fd, 0);
    store->no_file = map == MAP_FAILED;
    store->map = store->no_file ? NULL : map;
}

/* Makes sure that the file has room for n bytes more, which are there even if the disk is full later. */
static bool grow_file(struct smi_run_store *store, size_t n)
{
    if (!store->map && !store->no_file)
        open_file(store);
    if (!store->map || n > RESERVED - SMI_RUN_STORE_STEP - store->file_size)
        return false;
    if (n <= store->file_size - store->file_used)
        return true;
    n += SMI_RUN_STORE_STEP;
    if (posix_fallocate(store->fd, (off_t)store->file_size, (off_t)n))
        return false;
    madvise(store->map, store->file_size, MADV_DONTNEED); /* what was written so far */
    store->file_size += n;
    return true;
}

/* A copy of n bytes. */
static char *copy_bytes(struct smi_run_store *store, const void *p, size_t n, bool detail)
{
    const size_t all = (n + ALIGN - 1) / ALIGN * ALIGN;
    char *to;
    if (detail && store->used >= store->memory && grow_file(store, all)) {
        to = store->map + store->file_used;
        store->file_used += all;
    } else {
        to = smi_arena_new(&store->arena, n, 1);
        store->used += detail ? all : 0;
    }
    return memcpy(to, p, n);
}

/* Copies what the pointers of n structures at p lead to, and lets them point there. */
static void copy_pointed(struct smi_run_store *store, char *p, size_t n, const struct shape *of, bool detail)
{
    for (size_t i = 0; i < n; i++, p += of->size)
        for (const struct place *f = of->place; f->at != SIZE_MAX; f++) {
            const bool apart = detail || f->kind == DETAIL;
            const void *from;
            size_t many = f->kind == TEXT;
            char *to = NULL;
            memcpy(&from, p + f->at, sizeof from);
            if (f->kind != TEXT)
                memcpy(&many, p + f->count_at, sizeof many);
            if (from && many)
                to = copy_bytes(store, from, f->kind == TEXT ? strlen(from) + 1 : many * f->of->size, apart);
            memcpy(p + f->at, &to, sizeof to);
            if (to && f->kind != TEXT)
                copy_pointed(store, to, many, f->of, apart);
        }
}

void smi_run_store_move(struct smi_run_store *store, struct smi_summary *s, struct smi_arena *left)
{
    pthread_mutex_lock(&store->lock);
    copy_pointed(store, (char *)s, 1, &(const struct shape){sizeof *s, summary_places}, false);
    pthread_mutex_unlock(&store->lock);
    s->joined = NULL;
    s->njoined = s->nfound = 0;
    s->timeline = NULL;
    if (s->arena.blocks) {
        *left = s->arena;
        s->arena = (struct smi_arena){0};
        smi_arena_reset(left);
    }
}

void smi_run_store_trim(struct smi_run_store *store)
{
    if (!store)
        return;
    pthread_mutex_lock(&store->lock);
    if (store->map)
        madvise(store->map, store->file_used, MADV_DONTNEED);
    pthread_mutex_unlock(&store->lock);
}
