/* sweep.c - all runs: each thread of the pool takes the next run, reads it, and leaves what it makes of it in
 * that run's slot. So the order of results is that of the names, and the memory is that of the summaries. */
#include "sweep/sweep.h"
#include "base/buf.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/pool.h"
#include "summary/findings.h"
#include "summary/merge_queue.h"
#include "summary/run.h"
#include "sweep/read_run.h"
#include "sweep/walk.h"

#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* What a pointer leads to: n structures, or a text, where pointers to other texts may stand behind it; APART
 * is a list that no row of a table of runs needs; DETAIL one that nobody needs once the text of its run
 * was made. LAST ends a list of places. */
enum kind { LAST, TEXT, LIST, APART, DETAIL };

struct shape;
struct place {
    size_t at; /* of the pointer */
    enum kind kind;
    size_t n; /* of a list: where its size_t n is; of texts: how many they are */
    const struct shape *of;
};

struct shape {
    size_t size;
    const struct place *place;
};

#define AT(s, f) offsetof(struct s, f)
#define TEXTS(s, first, last)                                                             \
    {                                                                                     \
        AT(s, first), TEXT, (AT(s, last) - AT(s, first)) / sizeof(const char *) + 1, NULL \
    }
#define LIST_OF(kind, owner, f, n, type, ...)                   \
    {                                                           \
        AT(owner, f), kind, AT(owner, n), &(const struct shape) \
        {                                                       \
            sizeof(type), (const struct place[])                \
            {                                                   \
                __VA_ARGS__                                     \
                {                                               \
                    0                                           \
                }                                               \
            }                                                   \
        }                                                       \
    }

#define PARAM_TEXTS TEXTS(smi_param, key, text),
static const struct shape summary_shape = {
    sizeof(struct smi_summary),
    (const struct place[]){
        TEXTS(smi_summary, run, path),
        TEXTS(smi_summary, state_reason, state_reason),
        TEXTS(smi_summary, hostname, command),
        TEXTS(smi_summary, time_base, time_base),
        TEXTS(smi_summary, energy_part, energy_part),
        TEXTS(smi_summary, vram.source, vram.source),
        TEXTS(smi_summary, doubt, doubt),
        LIST_OF(LIST, smi_summary, problems, nproblems, const char *, {0, TEXT, 1, NULL}, ),
        LIST_OF(LIST, smi_summary, params, nparams, struct smi_param, PARAM_TEXTS),
        LIST_OF(LIST, smi_summary, results, nresults, struct smi_param, PARAM_TEXTS),
        LIST_OF(LIST, smi_summary, gpus, ngpus, struct smi_gpu, TEXTS(smi_gpu, uuid, name),
                TEXTS(smi_gpu, stall_phase, stall_phase), TEXTS(smi_gpu, lead_in.phase, lead_in.phase),
                TEXTS(smi_gpu, trail_in.phase, trail_in.phase),
                LIST_OF(LIST, smi_gpu, throttle, throttles, struct smi_throttle,
                        TEXTS(smi_throttle, reason, reason), ),
                LIST_OF(DETAIL, smi_gpu, condition, conditions, struct smi_gpu_condition, ),
                LIST_OF(LIST, smi_gpu, read, reads, struct smi_segment, ),
                LIST_OF(DETAIL, smi_gpu, stats, nstats, struct smi_stats, ),
                LIST_OF(DETAIL, smi_gpu, available, navailable, struct smi_share, ), ),
        LIST_OF(DETAIL, smi_summary, used, nused, struct smi_command_figures, ),
        LIST_OF(DETAIL, smi_summary, host, nhost, struct smi_stats, ),
        LIST_OF(DETAIL, smi_summary, host_available, nhost_available, struct smi_share, ),
        LIST_OF(DETAIL, smi_summary, processes, nprocesses, struct smi_process_figures,
                TEXTS(smi_process_figures, uuid, bus), TEXTS(smi_process_figures, name, type), ),
        LIST_OF(DETAIL, smi_summary, phases, nphases, struct smi_phase_summary,
                TEXTS(smi_phase_summary, name, name), ),
        LIST_OF(DETAIL, smi_summary, errors, nerrors, struct smi_error, TEXTS(smi_error, uuid, bus), ),
        LIST_OF(DETAIL, smi_summary, events, nevents, struct smi_count, TEXTS(smi_count, name, name), ),
        LIST_OF(DETAIL, smi_summary, findings, nfindings, struct smi_finding,
                TEXTS(smi_finding, phase, phase), TEXTS(smi_finding, text, advice), ),
        LIST_OF(APART, smi_summary, inputs, ninputs, struct smi_input, TEXTS(smi_input, path, format),
                TEXTS(smi_input, note, note), LIST_OF(LIST, smi_input, place, places, int, ),
                LIST_OF(DETAIL, smi_input, account.refused, account.refused_cap, int64_t, ),
                LIST_OF(LIST, smi_input, account.problem, account.problems, struct smi_log_warning,
                        TEXTS(smi_log_warning, text, text), ), ),
        {0}}};

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
    *store = (struct smi_run_store){.lock = PTHREAD_MUTEX_INITIALIZER, .memory = memory, .fd = -1};
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

/* Makes sure that the file has room for n bytes more, which are there even if the disk is full later. */
static bool grow_file(struct smi_run_store *store, size_t n)
{
    if (!store->map && !store->no_file) {
        void *map;
        store->fd = smi_file_temp(&(struct smi_err){0});
        map = store->fd < 0 ? MAP_FAILED
                            : mmap(NULL, RESERVED, PROT_READ | PROT_WRITE, MAP_SHARED, store->fd, 0);
        store->no_file = map == MAP_FAILED;
        store->map = store->no_file ? NULL : map;
    }
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
static void copy_pointed(struct smi_run_store *store, char *p, size_t n, const struct shape *of, bool detail,
                         bool brief)
{
    for (size_t i = 0; i < n; i++, p += of->size)
        for (const struct place *f = of->place; f->kind; f++) {
            const bool apart = detail || f->kind >= APART;
            char **at = (char **)(void *)(p + f->at);
            for (size_t k = 0; k < f->n && f->kind == TEXT; k++)
                at[k] = at[k] ? copy_bytes(store, at[k], strlen(at[k]) + 1, apart) : NULL;
            if (f->kind == TEXT)
                continue;
            size_t *many = (size_t *)(void *)(p + f->n);
            *many = brief && f->kind == DETAIL ? 0 : *many;
            *at = *at && *many ? copy_bytes(store, *at, *many * f->of->size, apart) : NULL;
            copy_pointed(store, *at, *at ? *many : 0, f->of, apart, brief);
        }
}

void smi_run_store_move(struct smi_run_store *store, struct smi_summary *s, bool brief,
                        struct smi_arena *left)
{
    pthread_mutex_lock(&store->lock);
    copy_pointed(store, (char *)s, 1, &summary_shape, false, brief);
    pthread_mutex_unlock(&store->lock);
    s->joined = NULL;
    s->njoined = s->nfound = 0;
    s->timeline = NULL;
    *left = s->arena;
    s->arena = (struct smi_arena){0};
    smi_arena_reset(left);
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

const char *smi_sweep_run_path(struct smi_summary *s, const struct smi_found *f, size_t i)
{
    const struct smi_found_run *r = &f->run[i];
    const char *first = r->files ? r->file[0].path : "-", *slash = strrchr(first, '/');
    bool alone =
        true; /* in the directory of its files: runs of one directory are neighbours by their names */
    if (strcmp(first, "-") == 0)
        return NULL;
    for (size_t k = i ? i - 1 : 0; slash && k <= i + 1 && k < f->runs; k++) {
        const char *other = f->run[k].files ? f->run[k].file[0].path : "", *end = strrchr(other, '/');
        alone &= k == i || !end || end - other != slash - first ||
                 strncmp(other, first, (size_t)(slash - first)) != 0;
    }
    if (r->files == 1 && (strcmp(r->file[0].shown, r->name) == 0 || !alone))
        return smi_copy_text(&s->arena, first);
    return slash ? smi_arena_text(&s->arena, first, (size_t)(slash - first)) : NULL;
}

/* Adds what, its texts kept in the arena. */
static void add_warning(struct smi_sweep *s, struct smi_input_warnings *to, struct smi_input_warning what)
{
    what.path = smi_copy_text(&s->arena, what.path);
    what.text = smi_copy_text(&s->arena, what.text);
    *SMI_MEM_ADD(to->list, to->n, to->cap) = what;
    s->unusable += to == &s->trouble ? 1 + what.more : 0;
    s->doubtful_notes += to == &s->note && what.fatal;
}

/* "hw.csv: is empty" of the run hw.csv: the name once is enough. */
static const char *less_name(const char *text, const char *run)
{
    size_t n = strlen(run);
    return strncmp(text, run, n) == 0 && strncmp(text + n, ": ", 2) == 0 ? text + n + 2 : text;
}

/* Copies what could not be used, first by the walk, then by reading, in the order of names; the notes; and
 * what was passed over. odd: of each run, texts that each have a NUL: what reading found. */
static void copy_warnings(struct smi_sweep *s, const struct smi_found *f, const struct smi_buf *odd)
{
    const char **path = smi_arena_new(&s->arena, f->npassed + 1, sizeof *path);
    s->left_out = f->trouble.n > 0;
    for (size_t i = 0; i < f->trouble.n; i++)
        add_warning(s, &s->trouble, f->trouble.list[i]);
    for (size_t i = 0; i < f->runs; i++)
        for (size_t at = 0; at < odd[i].n; at += strlen(odd[i].p + at) + 1) {
            const struct smi_found_run *r = &f->run[i];
            const char *text = odd[i].p + at;
            const bool named = r->files || r->crashed || strncmp(text, r->name, strlen(r->name)) == 0;
            const char *end = named ? NULL : strstr(text, ": ");
            struct smi_input_warning w = {.path = r->name, .text = less_name(text, r->name)};
            if (end) { /* a PATH that is no log, alone in its directory, is called by its own name */
                w.path = smi_arena_text(&s->arena, text, (size_t)(end - text));
                w.text = end + 2;
            }
            add_warning(s, &s->trouble, w);
        }
    for (size_t i = 0; i < f->note.n; i++)
        add_warning(s, &s->note, f->note.list[i]);
    if (f->beside)
        s->beside = smi_copy_text(&s->arena, f->beside);
    s->passed = path;
    s->passed_over = f->passed_over;
    s->links = f->links;
    for (size_t i = 0; i < f->npassed; i++, s->npassed++)
        path[i] = smi_copy_text(&s->arena, f->passed[i]);
}

/* ---- by way of partials ---- */

/* Gives run number i of f its doubts for the partial, as copy_warnings keeps them for the sweep:
 * texts, each with its NUL, of what reading found odd; and the first run those of the walk. Returns 0, or -1
 * with err (memory). */
static void add_run_warnings(struct smi_run *run, const struct smi_found *f, size_t i,
                             const struct smi_buf *odd)
{
    for (size_t k = 0; i == 0 && k < f->trouble.n; k++) {
        smi_run_add_warning(run, f->trouble.list[k].path, f->trouble.list[k].text, false);
        run->doubt[run->doubts - 1].more = f->trouble.list[k].more;
    }
    for (size_t k = 0; i == 0 && k < f->note.n; k++)
        if (f->note.list[k].fatal)
            smi_run_add_warning(run, f->note.list[k].path, f->note.list[k].text, true);
    for (size_t at = 0; at < odd->n; at += strlen(odd->p + at) + 1)
        smi_run_add_warning(run, NULL, odd->p + at, false);
}

/* The doubts of a run of a merge as trouble and notes: those of its walk at once, its own into own[0] and
 * own[1], as they come last. A note about a file that comes once for each of its runs is printed once, with
 * the number. */
static void tell_again(struct smi_sweep *s, const struct smi_run *r, struct smi_input_warnings own[2])
{
    for (size_t i = 0; i < r->doubts; i++) {
        const struct smi_run_warning *d = &r->doubt[i];
        const char *path = d->path ? d->path : r->name,
                   *text = d->path ? d->text : less_name(d->text, r->name);
        s->left_out |= d->path && !d->used;
        struct smi_input_warnings *to = !d->path ? &own[d->used] : d->used ? &s->note : &s->trouble;
        struct smi_input_warning *last = d->used && to->n ? &to->list[to->n - 1] : NULL;
        if (last && strcmp(last->path, path) == 0 && strcmp(last->text, text) == 0)
            last->more++;
        else
            add_warning(s, to, (struct smi_input_warning){path, text, d->used, d->more});
    }
}

enum { SHORT = 8 /* bytes: where no name is longer, all stay whole */ };

bool smi_name_ends_token(const char *name, size_t at)
{
    if (!name[at] || !strchr("/, _-.", name[at]))
        return false;
    if (!at || !smi_is_digit(name[at + 1])) /* else it may be one in a number: 0.1, 1e-4 */
        return true;
    return name[at] == '.'
               ? !smi_is_digit(name[at - 1])
               : name[at] != '-' || at < 2 || (name[at - 1] | 32) != 'e' || !smi_is_digit(name[at - 2]);
}

size_t smi_common_bytes(const char *a, const char *b, size_t n, ptrdiff_t step)
{
    size_t k = 0;
    while (k < n && a[step * (ptrdiff_t)k] == b[step * (ptrdiff_t)k])
        k++;
    return k;
}

void smi_sweep_frame_names(struct smi_sweep *s)
{
    const char *first = s->n ? s->runs[0].run : "";
    size_t len = strlen(first), least = len, longest = len, front, back;
    for (size_t i = 1; i < s->n; i++) {
        size_t n = strlen(s->runs[i].run);
        least = n < least ? n : least;
        longest = n > longest ? n : longest;
    }
    front = back = s->n > 1 && longest > SHORT ? least : 0;
    for (size_t i = 1; i < s->n && front; i++)
        front = smi_common_bytes(first, s->runs[i].run, front, 1);
    while (front && (front == least || !smi_name_ends_token(first, front - 1)))
        front--;
    back = back ? least - front - 1 : 0; /* of the shortest name something is left */
    for (size_t i = 1; i < s->n && back; i++)
        back = smi_common_bytes(first + len - 1, s->runs[i].run + strlen(s->runs[i].run) - 1, back, -1);
    while (back && !smi_name_ends_token(first, len - back))
        back--;
    s->name_prefix = smi_arena_text(&s->arena, first, front);
    s->name_suffix = smi_arena_text(&s->arena, first + len - back, back);
}

const char *smi_run_short_name(const struct smi_sweep *s, const char *name, size_t *n)
{
    const size_t front = s->name_prefix ? strlen(s->name_prefix) : 0, all = strlen(name);
    *n = all - front - (s->name_suffix ? strlen(s->name_suffix) : 0);
    return name + front;
}

/* what runs say of themselves that is no parameter (smi_summary.results) as columns that
 * every run has, in the order of names. */

enum { COLUMNS = 1000 };

void smi_sweep_results(struct smi_sweep *s)
{
    const char **name = NULL;
    size_t cap = 0, given = 0, n = 0;
    for (size_t i = 0; i < s->n; i++)
        for (size_t k = 0; k < s->runs[i].nresults; k++)
            *SMI_MEM_ADD(name, given, cap) = s->runs[i].results[k].key;
    if (!given)
        return;
    smi_sort(name, given, sizeof *name, smi_compare_names);
    for (size_t i = 0; i < given && n < COLUMNS; i++)
        if (!n || strcmp(name[n - 1], name[i]) != 0)
            name[n++] = smi_copy_text(&s->arena, name[i]);
    s->joined = memcpy(smi_arena_new(&s->arena, n, sizeof *name), name, n * sizeof *name);
    s->nresults = s->njoined = n;
    smi_mem_free(name);
    for (size_t i = 0; i < s->n; i++) { /* both lists are in the order of names */
        struct smi_summary *run = &s->runs[i];
        struct smi_param *p = smi_arena_new(&s->arena, n, sizeof *p);
        for (size_t at = 0, k = 0; at < n; at++) {
            while (k < run->nresults && smi_text_compare_natural(run->results[k].key, s->joined[at]) < 0)
                k++;
            if (k < run->nresults && strcmp(run->results[k].key, s->joined[at]) == 0)
                p[at] = run->results[k];
            p[at].key = s->joined[at];
        }
        run->joined = p;
        run->njoined = run->nfound = n;
    }
}

/* ---- runs from hand to hand ---- */

enum { AHEAD = 8 /* runs that a thread may be ahead of the one that is put next */ };

struct reading {
    const struct smi_run_reader *of;
    struct smi_options o;
    struct smi_pool pool;
    size_t window, next, done, put; /* next to take, finished, next to put */
    bool *ready;                    /* taken, but not put */
};

/* smi_pool_next_fn. */
static bool next_run(void *self, void *job)
{
    struct reading *p = self;
    if (p->next == p->of->n || (p->of->put && p->next >= p->put + p->window))
        return false;
    *(size_t *)job = p->next++;
    return true;
}

static void read_one(struct reading *p, size_t k, struct smi_read_buffers *room)
{
    const struct smi_run_reader *of = p->of;
    struct smi_err err = {0}, *first = &p->pool.err;
    struct smi_run run = {0};
    smi_read_run(&run, &of->found->run[of->place ? of->place[k] : k], &p->o, room);
    of->take(of->self, k, &run, room, &err);
    smi_run_fini(&run);
    pthread_mutex_lock(&p->pool.lock);
    if (err.code && !first->code)
        *first = err;
    p->done++;
    p->ready[k] = true;
    while (of->put && !first->code && p->put < of->n && p->ready[p->put])
        of->put(of->self, p->put++, first);
    if (of->d->progress && !first->code)
        of->d->progress(of->d->self, p->done, of->n);
    if (of->put || first->code)
        pthread_cond_broadcast(&p->pool.changed);
    pthread_mutex_unlock(&p->pool.lock);
}

static void reading_thread(void *self, size_t thread)
{
    struct reading *p = self;
    struct smi_read_buffers room = {0};
    size_t k;
    (void)thread;
    while (smi_pool_take(&p->pool, next_run, p, &k)) {
        read_one(p, k, &room);
        smi_pool_done(&p->pool);
    }
    smi_read_buffers_fini(&room);
}

int smi_runs_read(const struct smi_run_reader *r, struct smi_err *err)
{
    const size_t threads = r->d->threads < r->n ? r->d->threads : r->n;
    struct reading p = {.of = r, .o = *r->o, .window = (threads + 1) * AHEAD};
    int rc;
    if (!p.o.threads && r->n) /* threads that no run needs for itself read large logs in pieces */
        p.o.threads = (unsigned)(r->d->threads / r->n);
    p.ready = smi_mem_new(r->n, sizeof *p.ready);
    smi_pool_init(&p.pool);
    rc = smi_pool_run(&p.pool, threads, reading_thread, &p, err);
    smi_pool_fini(&p.pool);
    smi_mem_free(p.ready);
    return rc;
}

/* ---- a sweep of partials; and what every way to a sweep needs ---- */

void smi_sweep_title(struct smi_sweep *s, const char *const *path, size_t n)
{
    s->paths = n;
    s->title =
        n == 1 ? smi_format_text(&s->arena, "%s", path[0]) : smi_format_text(&s->arena, "%zu paths", n);
}

/* ---- runs that hold the same GPU at the same time, as each rank of a job logged all of them: sums over runs
 * count this time once (docs/numbers.md §4) ---- */

/* A stretch in which a run has readings of a GPU; of length_ms, which are all stretches of that GPU, it
 * covers covered_ms. */
struct gpu_span {
    const char *id; /* the same text for one GPU in all runs: its UUID, else what join_ids makes */
    const char *host;
    struct smi_gpu *gpu;
    size_t run;  /* its place in the order of names */
    size_t gpus; /* of the run */
    int64_t first_ms, last_ms, covered_ms, length_ms;
    bool sparse; /* it has gaps, also between logs, at times that are not known: what others have of its time
                    is not known, too */
    bool later;  /* not the first of them */
};

/* bus: by their bus ids, or by their indexes. */
static int by_place(const void *x, const void *y, void *bus)
{
    const struct gpu_span *a = x, *b = y;
    int d = smi_device_compare_keys(SMI_DEVICE_KEY_SERIAL, a->host, b->host);
    return d              ? d
           : *(bool *)bus ? smi_device_compare_keys(SMI_DEVICE_KEY_BUS, a->gpu->bus, b->gpu->bus)
                          : a->gpu->index - b->gpu->index;
}

static int by_id_and_time(const void *x, const void *y)
{
    const struct gpu_span *a = x, *b = y;
    int d = smi_device_compare_keys(SMI_DEVICE_KEY_UUID, a->id, b->id);
    if (d == 0 && !a->id)
        d = a->run != b->run ? (a->run > b->run ? 1 : -1) : (a->gpu > b->gpu) - (a->gpu < b->gpu);
    d = d ? d : (a->first_ms > b->first_ms) - (a->first_ms < b->first_ms);
    return d ? d : (a->run > b->run) - (a->run < b->run);
}

/* May two GPUs with one index of one host be one? Jobs that see only their own boards count these from 0 on:
 * so the 0 of a run without another tells nothing, and what they tell of the GPU at one time has to be alike.
 */
static bool are_alike(const struct gpu_span *a, const struct gpu_span *b)
{
    enum { POINTS = 5 * 1000000 };
    const struct smi_stats *x = smi_gpu_stats(a->gpu, SMI_GPU_UTIL), *y = smi_gpu_stats(b->gpu, SMI_GPU_UTIL);
    const int64_t apart = x && y ? x->mean.micro - y->mean.micro : 0;
    const bool apart_in_time = a->last_ms < b->first_ms || b->last_ms < a->first_ms;
    return a->gpu == b->gpu || (((a->gpus > 1 && b->gpus > 1) || a->gpu->index > 0) &&
                                (apart_in_time || (apart <= POINTS && -apart <= POINTS)));
}

/* Pass 0: GPUs of a host without a name get that of those with the same bus id, if these have one. Pass 1:
 * those with the same index. Passes 2 and 3 make a name for the others. */
static void join_ids(struct gpu_span *v, size_t n, int pass, struct smi_arena *arena)
{
    bool bus = pass % 2 == 0;
    if (n)
        qsort_r(v, n, sizeof *v, by_place, &bus);
    for (size_t i = 0, end; i < n; i = end) {
        const struct gpu_span *one = NULL;
        const char *own = NULL;
        bool several = false;
        for (end = i; end < n && by_place(&v[i], &v[end], &bus) == 0; end++) {
            several |=
                one && v[end].id && smi_device_compare_keys(SMI_DEVICE_KEY_UUID, one->id, v[end].id) != 0;
            one = v[end].id ? &v[end] : one;
        }
        if (!v[i].host || (bus ? !v[i].gpu->bus : v[i].gpu->index < 0))
            continue;
        if (pass >= 2)
            own = smi_format_text(arena, "%s %zu", bus ? "bus" : "index", i);
        for (size_t k = i; k < end; k++) {
            const bool same =
                one && !several &&
                (!one->gpu->bus || !v[k].gpu->bus ||
                 smi_device_compare_keys(SMI_DEVICE_KEY_BUS, one->gpu->bus, v[k].gpu->bus) == 0);
            if (!v[k].id && (bus || are_alike(same ? one : &v[i], &v[k])))
                v[k].id = same ? one->id : own;
        }
    }
}

/* All GPUs with dates of all runs: each is the stretches in which it was read. */
static struct gpu_span *list_spans(struct smi_sweep *s, size_t *n)
{
    struct gpu_span *v = NULL;
    size_t cap = 0;
    bool local = false; /* a zone is not known everywhere: local times are compared */
    for (size_t i = 0; i < s->n; i++)
        local |= s->runs[i].has_start && !s->runs[i].zoned;
    s->use_zoned = !local;
    for (size_t i = 0; smi_sweep_has_run(s, i); i++)
        for (size_t k = 0; k < s->runs[i].ngpus; k++) {
            const struct smi_summary *run = &s->runs[i];
            const int64_t ahead = local && run->zoned ? run->offset_s * (int64_t)1000 : 0;
            struct smi_gpu *g = (struct smi_gpu *)&run->gpus[k];
            int64_t length = 0;
            g->shared_ms = 0;
            for (size_t j = 0; j < g->reads; j++)
                length += g->read[j].last - g->read[j].first;
            if (!run->has_start || !g->has_span || g->pooled || g->covered_ms <= 0 || length <= 0)
                continue;
            for (size_t j = 0; j < g->reads; j++)
                *SMI_MEM_ADD(v, *n, cap) =
                    (struct gpu_span){.id = g->uuid,
                                      .host = g->serial ? g->serial : run->hostname,
                                      .gpu = g,
                                      .run = run->place,
                                      .gpus = run->ngpus,
                                      .first_ms = g->read[j].first + ahead,
                                      .last_ms = g->read[j].last + ahead,
                                      .covered_ms = g->covered_ms < length ? g->covered_ms : length,
                                      .length_ms = length,
                                      .later = j > 0,
                                      .sparse = s->n < 2 || (length - g->covered_ms) * 10 > g->covered_ms};
        }
    return v;
}

static bool is_same_gpu(const struct gpu_span *a, const struct gpu_span *b)
{
    return a->gpu == b->gpu ||
           (a->id && b->id && smi_device_compare_keys(SMI_DEVICE_KEY_UUID, a->id, b->id) == 0);
}

/* Fills shared_ms of all GPUs. Returns how many of them have some: GPUs, not places in runs. */
static size_t share_time(struct gpu_span *v, size_t n)
{
    size_t gpus = 0;
    for (size_t i = 0, end; i < n; i = end) {
        const struct gpu_span *last = NULL; /* the one that ends last so far */
        bool some = false;
        for (end = i; end < n && is_same_gpu(&v[i], &v[end]); end++) {
            const struct gpu_span *x = &v[end];
            int64_t both;
            if (!last || x->sparse) {
                last = last || x->sparse ? last : x;
                continue;
            }
            both = (x->last_ms < last->last_ms ? x->last_ms : last->last_ms) - x->first_ms;
            const bool sparser =
                (smi_i128)x->covered_ms * last->length_ms < (smi_i128)last->covered_ms * x->length_ms;
            const struct gpu_span *least = sparser ? x : last; /* gaps are taken to lie in any part of it */
            if (both > 0) {
                x->gpu->shared_ms +=
                    (int64_t)smi_i128_div((smi_i128)both * least->covered_ms, least->length_ms);
                x->gpu->shared_ms =
                    x->gpu->shared_ms < x->gpu->covered_ms ? x->gpu->shared_ms : x->gpu->covered_ms;
                some |= x->gpu->shared_ms > 0;
            }
            last = x->last_ms > last->last_ms ? x : last;
        }
        gpus += some;
    }
    return gpus;
}

/* Fills use and nuse. The spans stand in the order of GPUs and times; a run that did not read its GPU for a
 * while has it all the same: its first span stands for both. */
static void list_uses(struct smi_sweep *s, const struct gpu_span *v, size_t n)
{
    struct smi_gpu_use *list = smi_arena_new(&s->arena, n + 1, sizeof *list), *u = NULL;
    s->nuse = 0;
    for (size_t i = 0; i < n; i++) {
        const struct gpu_span *x = &v[i];
        const int64_t end_ms = x->first_ms + x->gpu->last_ms - x->gpu->first_ms;
        int64_t begin;
        if (x->later)
            continue;
        if (i == 0 || !is_same_gpu(&v[i - 1], x)) {
            u = &list[s->nuse++];
            *u = (struct smi_gpu_use){
                .host = x->host, .index = x->gpu->index, .first_ms = x->first_ms, .last_ms = x->first_ms};
        }
        u->uuid = u->uuid ? u->uuid : x->gpu->uuid;
        begin = x->first_ms < u->last_ms ? u->last_ms : x->first_ms;
        if (begin - u->last_ms > u->longest_ms) {
            u->longest_ms = begin - u->last_ms;
            u->longest_at_ms = u->last_ms;
        }
        u->used_ms += end_ms > begin ? end_ms - begin : 0;
        u->last_ms = end_ms > u->last_ms ? end_ms : u->last_ms;
        u->runs++;
    }
    s->use = list;
}

void smi_sweep_sum(struct smi_sweep *s)
{
    size_t n = 0, gpus;
    struct gpu_span *v = list_spans(s, &n);
    for (int pass = 0; pass < 4; pass++)
        join_ids(v, n, pass, &s->arena);
    smi_sort(v, n, sizeof *v, by_id_and_time);
    gpus = share_time(v, n);
    list_uses(s, v, n);
    smi_mem_free(v);
    s->total = (struct smi_total){0};
    for (size_t i = 0; smi_sweep_has_run(s, i); i++)
        smi_total_add(&s->total, &s->runs[i], true);
    s->total.lacks[SMI_QUALITY_UNREAD] += s->left_out && !s->total.lacks[SMI_QUALITY_UNREAD];
    smi_total_close(&s->total);
    s->overlap = NULL;
    if (s->total.overlap_ms >= SMI_OVERLAP_LEAST_MS)
        s->overlap =
            smi_format_text(&s->arena,
                            "%s GPU-h are in several runs: they hold the same %sGPU%s at the same time, "
                            "which sums count once",
                            smi_fixed_text(&s->arena, s->total.overlap_h.micro, 2),
                            gpus > 1 ? smi_format_text(&s->arena, "%zu ", gpus) : "", gpus > 1 ? "s" : "");
}

/* Adds all runs up. grid: somebody will look at the parameters side by side. Returns 0, or -1 with err
 * (memory). */
static void finish_sweep(struct smi_sweep *s, bool grid)
{
    smi_sweep_sum(s);
    if (grid) {
        smi_sweep_params(s);
        smi_sweep_results(s);
    }
}

static int by_run_name(const void *x, const void *y)
{
    const struct smi_run *a = *(struct smi_run *const *)x, *b = *(struct smi_run *const *)y;
    int d = smi_text_compare_natural(a->name, b->name);
    return d ? d : strcmp(a->host ? a->host : "", b->host ? b->host : "");
}

/* The summary of out's run i, and its text, which is in room->document. Between runs the arena of `room` has
 * room for the next summary. */
static int summarise(struct smi_sweep *out, size_t i, struct smi_run *run, const struct smi_options *o,
                     struct smi_read_buffers *room, struct smi_err *err)
{
    struct smi_summary *s = &out->runs[i];
    if (!o->timeline) {
        run->room = room->summary;
        room->summary = (struct smi_arena){0};
    }
    if (smi_run_build(s, run, o, err))
        return -1;
    if (out->found.runs) {
        s->path = smi_sweep_run_path(s, &out->found, i);
        s->place = i;
    }
    if (o->text) {
        smi_buf_clear(&room->document);
        o->text(&room->document, s);
    }
    if (!o->timeline)
        smi_run_store_move(out->store, s, o->text != NULL, &room->summary);
    if (o->text && out->text)
        out->text[i] = smi_mem_text(room->document.p ? room->document.p : "", room->document.n);
    return 0;
}

int smi_sweep_merge_queue(struct smi_sweep *out, struct smi_merge_queue *p, const struct smi_options *o,
                          struct smi_err *err)
{
    struct smi_read_buffers room = {0};
    struct smi_input_warnings own[2] = {{0}};
    struct smi_options same = *o;
    size_t at = 0;
    int rc = 0;
    same.idle_below = p->idle_below;
    memset(out, 0, sizeof *out);
    if (o->condition && memcmp(o->condition, smi_conditions, sizeof smi_conditions) != 0)
        return smi_err_set(err, SMI_EUSAGE,
                           "--rules: partial summaries hold conditions as they were when they were "
                           "made: merge cannot change `at` of a rule");
    out->runs = smi_mem_new(p->n, sizeof *out->runs); /* at most one of each document */
    out->text = o->text ? smi_mem_new(p->n, sizeof *out->text) : NULL;
    out->store = smi_run_store_new(SMI_RUN_STORE_MEMORY);
    smi_merge_queue_sort(p);
    while (at < p->n && !rc) {
        struct smi_partials one = {0};
        rc = smi_merge_queue_next(p, &at, &one, err);
        smi_sort(one.run, one.runs, sizeof *one.run, by_run_name);
        for (size_t i = 0; i < one.runs && !rc; i++) {
            out->n++;
            tell_again(out, one.run[i], own);
            rc = summarise(out, out->n - 1, one.run[i], &same, &room, err);
        }
        smi_partials_fini(&one);
    }
    smi_read_buffers_fini(&room);
    smi_sweep_title(out, (const char *const[]){"partial summaries"}, 1);
    for (int k = 0; k < 2; k++) {
        for (size_t i = 0; i < own[k].n; i++)
            add_warning(out, k ? &out->note : &out->trouble, own[k].list[i]);
        smi_mem_free(own[k].list);
    }
    if (rc)
        smi_sweep_fini(out);
    else
        finish_sweep(out, true);
    return rc;
}

void smi_sweep_fini(struct smi_sweep *s)
{
    for (size_t i = 0; smi_sweep_has_run(s, i); i++) {
        smi_summary_fini(&s->runs[i]);
        if (s->text)
            smi_mem_free(s->text[i]);
    }
    smi_mem_free(s->runs);
    smi_mem_free(s->text);
    smi_mem_free(s->trouble.list);
    smi_mem_free(s->note.list);
    smi_found_fini(&s->found);
    smi_run_store_free(s->store);
    smi_arena_fini(&s->arena);
    memset(s, 0, sizeof *s);
}

/* ---- the ways to a sweep ---- */

struct sweeping {
    struct smi_sweep *out; /* runs: a slot for each; or NULL: partials are made */
    struct smi_options o;
    struct smi_buf *document; /* the same, of texts or partials, where they are handed out */
    struct smi_buf *odd;      /* a slot for each run: files that could not be used, each text with its NUL */
    smi_sweep_document_fn *put;
    void *self;
    const struct smi_run_visitor *each; /* or NULL; else it has every run, and there is one thread */
    size_t *place;                      /* of the runs that it wants; NULL: all */
    _Atomic int64_t usable;             /* as smi_sweep.usable */
    /* lines, but for last ones that were cut off: what a run that is not summarised is doubted for */
    _Atomic int64_t rejected;
};

/* What is left of a run that was read. */
static int take_run(void *self, size_t k, struct smi_run *run, struct smi_read_buffers *room,
                    struct smi_err *err)
{
    struct sweeping *p = self;
    struct smi_buf *b = &room->document;
    const struct smi_found *found = &p->out->found;
    const size_t i = p->place ? p->place[k] : k;
    /* A log that is only begun is usable, and one without a reading, and what is left of a run that crashed;
     * one of which no line was understood is not. */
    int64_t usable = found->run[i].crashed;
    int rc = 0;
    for (size_t n = 0; n < run->parts; n++) {
        const struct smi_account *a = &run->part[n]->account;
        int64_t rejected = smi_account_rejected(a) - a->rejected[SMI_REJECT_TORN_TAIL];
        usable += a->rows + a->header + a->messages > 0 || rejected == 0;
        p->rejected += rejected;
    }
    p->usable += usable;
    for (size_t n = 0; n < run->problems; n++)
        if (!strstr(run->problem[n], smi_read_no_header)) /* that is said once for the whole sweep */
            smi_buf_add(&p->odd[i], run->problem[n], strlen(run->problem[n]) + 1);
    smi_buf_clear(b);
    if (p->out->runs) {
        rc = summarise(p->out, i, run, &p->o, room, err);
    } else {
        add_run_warnings(run, found, i, &p->odd[i]);
        if (p->each && p->o.gpus)
            smi_run_add_fact(run, SMI_FACT_GPUS, p->o.gpus, false);
        smi_partial_write(b, run, &p->o);
    }
    if (p->each)
        rc = p->each->run(p->each->self, found, i, run, (struct smi_text){b->p, b->n}, err);
    if (p->put)
        smi_buf_add(&p->document[i], b->p ? b->p : "", b->n);
    return rc;
}

static void put_document(void *self, size_t k, struct smi_err *err)
{
    struct sweeping *p = self;
    if (p->put(p->self, &p->document[k], p->usable > 0, err) && !err->code)
        smi_err_set(err, SMI_EIO, "a document could not be handed on");
    smi_buf_fini(&p->document[k]);
}

/* Reads the runs that are wanted. */
static int read_found(struct sweeping *p, const struct smi_discover_opts *d, struct smi_err *err)
{
    const struct smi_found *found = &p->out->found;
    struct smi_discover_opts own = *d;
    struct smi_run_reader r = {.found = found,
                               .n = found->runs,
                               .d = &own,
                               .o = &p->o,
                               .take = take_run,
                               .put = p->put ? put_document : NULL,
                               .self = p};
    int rc;
    own.threads = p->each ? 1 : d->threads;
    p->o.timeline = p->o.timelines && found->runs <= p->o.timelines; /* few runs keep theirs at once */
    p->o.skip_series = p->o.timeline ? 0 : p->o.skip_series;
    if (!p->out->runs) /* a partial's: what a summary looks at */
        p->o.skip_series =
            ~((uint32_t)1 << smi_timed_slot(SMI_GPU_UTIL) | (uint32_t)1 << smi_timed_slot(SMI_CPU_USR));
    if (p->each && p->each->name) {
        r.place = p->place = smi_mem_new(found->runs, sizeof *p->place);
        for (size_t i = r.n = 0; i < found->runs; i++)
            if (bsearch(&found->run[i].name, p->each->name, p->each->n, sizeof *p->each->name,
                        smi_compare_strings))
                p->place[r.n++] = i;
    }
    rc = smi_runs_read(&r, err);
    smi_mem_free(p->place);
    return rc;
}

/* Partial summaries instead of logs: the caller reads them. All or nothing, as in every merge. */
static int leave_stored(struct smi_sweep *out, struct smi_err *err)
{
    const struct smi_found *f = &out->found;
    const char **path = smi_arena_new(&out->arena, f->nstored, sizeof *path);
    if (f->runs)
        return smi_err_set(
            err, SMI_EUSAGE,
            "%.200s is a partial summary, and %.200s is not: give them apart, or make partial summaries "
            "of the logs too (smilog summarize --partial)",
            f->stored[0], f->run[0].files ? f->run[0].file[0].path : f->run[0].name);
    if (f->trouble.n && strstr(f->trouble.list->text, f->trouble.list->path))
        return smi_err_set(err, SMI_EFORMAT, "%.300s", f->trouble.list->text);
    if (f->trouble.n)
        return smi_err_set(err, SMI_EFORMAT, "%.200s: %.200s", f->trouble.list->path, f->trouble.list->text);
    for (size_t i = 0; i < f->nstored; i++)
        path[i] = smi_copy_text(&out->arena, f->stored[i]);
    out->stored = path;
    out->nstored = f->nstored;
    return 0;
}

/* The sweep behind the paths; p has what is asked for. */
static int sweep_paths(struct smi_sweep *out, struct sweeping *p, const char *const *path, size_t n,
                       const struct smi_discover_opts *d, struct smi_err *err)
{
    size_t runs;
    int rc;
    memset(out, 0, sizeof *out);
    smi_discover(&out->found, path, n, d);
    p->out = out;
    if (out->found.nstored) {
        rc = leave_stored(out, err);
        smi_found_fini(&out->found);
        if (rc)
            smi_sweep_fini(out);
        return rc;
    }
    runs = out->found.runs;
    p->odd = smi_mem_new(runs, sizeof *p->odd);
    p->document = p->put ? smi_mem_new(runs, sizeof *p->document) : NULL;
    rc = !out->found.has_output ? 0
                                : smi_err_set(err, SMI_EUSAGE, "%s %.300s: is an input of this command",
                                              d->output_opt ? d->output_opt : "-o", d->output);
    if (!rc && !p->each && (!p->put || p->o.text)) {
        out->store = smi_run_store_new(SMI_RUN_STORE_MEMORY);
        out->runs = smi_mem_new(runs, sizeof *out->runs);
        out->n = runs;
        out->text = !p->put && p->o.text ? smi_mem_new(runs, sizeof *out->text) : NULL;
    }
    if (!rc) {
        smi_sweep_title(out, path, n);
        rc = read_found(p, d, err);
    }
    if (!rc) {
        out->usable = p->usable;
        out->total.doubts = out->runs ? 0 : p->rejected; /* of summaries they are added up with all else */
        copy_warnings(out, &out->found, p->odd);
    }
    if (!rc && out->runs)
        finish_sweep(out, !p->put);
    for (size_t i = 0; i < runs; i++) {
        smi_buf_fini(&p->odd[i]);
        if (p->document)
            smi_buf_fini(&p->document[i]);
    }
    smi_mem_free(p->odd);
    smi_mem_free(p->document);
    if (rc)
        smi_sweep_fini(out);
    else if (!p->o.timelines)
        smi_found_fini(&out->found);
    return rc;
}

int smi_sweep_read(struct smi_sweep *out, const char *const *path, size_t n,
                   const struct smi_discover_opts *d, const struct smi_options *o, struct smi_err *err)
{
    struct sweeping p = {.o = *o};
    return sweep_paths(out, &p, path, n, d, err);
}

int smi_sweep_documents(struct smi_sweep *out, const char *const *path, size_t n,
                        const struct smi_discover_opts *d, const struct smi_options *o,
                        smi_sweep_document_fn *put, void *self, struct smi_err *err)
{
    struct sweeping p = {.o = *o, .put = put, .self = self};
    return sweep_paths(out, &p, path, n, d, err);
}

int smi_sweep_each(struct smi_sweep *out, const char *const *path, size_t n,
                   const struct smi_discover_opts *d, const struct smi_options *o,
                   const struct smi_run_visitor *each, struct smi_err *err)
{
    struct sweeping p = {.o = *o, .each = each};
    return sweep_paths(out, &p, path, n, d, err);
}
