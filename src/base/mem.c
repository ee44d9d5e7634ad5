#include "base/mem.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BLOCK_MIN = 2048, BLOCK_MAX = 1 << 16, KEPT_MAX = 1 << 20, ALIGN = 16, SMALL = 1024 };

struct smi_arena_block {
    struct smi_arena_block *next;
    size_t used, cap;
    _Alignas(16) char data[];
};

enum { EXHAUSTED = 4 }; /* the exit status */

static void (*on_exhausted)(void *self);
static void *exhausted_self;

void smi_mem_on_exhausted(void (*fn)(void *self), void *self)
{
    on_exhausted = fn;
    exhausted_self = self;
}

void smi_mem_exhausted(void)
{
    static const char line[] = "smilog: out of memory\n";
    static atomic_flag seen = ATOMIC_FLAG_INIT;
    static _Thread_local bool inside;
    while (atomic_flag_test_and_set(&seen) && !inside)
        pause(); /* another thread ends the program */
    if (on_exhausted && !inside) {
        inside = true; /* it may ask for memory itself */
        on_exhausted(exhausted_self);
    }
    (void)!write(STDERR_FILENO, line, sizeof line - 1);
    _exit(EXHAUSTED); /* nothing that is half-made is flushed */
}

static void *check(void *p)
{
    if (!p)
        smi_mem_exhausted();
    return p;
}

void *smi_mem_raw(size_t n)
{
    return check(malloc(n ? n : 1));
}

void *smi_mem_new(size_t n, size_t size)
{
    const bool small = n <= SMALL && size <= SMALL && n * size <= SMALL;
    /* calloc of glibc passes by what the thread has freed last, but may know that large blocks are zero */
    return small ? memset(smi_mem_raw(n * size), 0, n * size) : check(calloc(n, size ? size : 1));
}

char *smi_mem_text(const char *p, size_t n)
{
    char *t = check(malloc(n + 1));
    if (n)
        memcpy(t, p, n);
    t[n] = 0;
    return t;
}

struct room {
    void *p[SMI_ROOM_KINDS];
    size_t cap[SMI_ROOM_KINDS];
};
static pthread_key_t room_key;

static void free_room(void *self)
{
    struct room *r = self;
    for (int i = 0; i < SMI_ROOM_KINDS; i++)
        free(r->p[i]);
    free(r);
}

static void make_room_key(void)
{
    if (pthread_key_create(&room_key, free_room))
        smi_mem_exhausted();
}

void *smi_mem_room(enum smi_mem_kind kind, size_t n)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    struct room *r;
    pthread_once(&once, make_room_key);
    r = pthread_getspecific(room_key);
    if (!r) {
        r = smi_mem_new(1, sizeof *r);
        if (pthread_setspecific(room_key, r))
            smi_mem_exhausted();
    }
    if (r->cap[kind] < n) {
        free(r->p[kind]);
        r->p[kind] = smi_mem_raw(n);
        r->cap[kind] = n;
    }
    return r->p[kind];
}

void smi_mem_reserve(void *p, size_t *cap, size_t need, size_t size)
{
    void *old, *fresh;
    /* Few texts are shorter, and few lists of large elements longer. */
    size_t want = *cap ? *cap : size == 1 ? 64 : size < 32 ? 8 : 2, bytes;
    if (need <= *cap)
        return;
    while (want < need)
        if (__builtin_mul_overflow(want, (size_t)2, &want))
            smi_mem_exhausted();
    if (__builtin_mul_overflow(want, size, &bytes))
        smi_mem_exhausted();
    memcpy(&old, p, sizeof old); /* p is some T **: reading it as void ** would break the aliasing rule */
    fresh = check(realloc(old, bytes));
    memset((char *)fresh + *cap * size, 0, size > 1 ? (want - *cap) * size : 0);
    memcpy(p, &fresh, sizeof fresh);
    *cap = want;
}

void smi_sort(void *list, size_t n, size_t size, int (*order)(const void *, const void *))
{
    const char *p = list;
    for (size_t i = 1; i < n; i++, p += size)
        if (order(p, p + size) > 0) {
            qsort(list, n, size, order);
            return;
        }
}

void *smi_arena_new(struct smi_arena *a, size_t n, size_t size)
{
    size_t bytes, cap;
    struct smi_arena_block *b = a->blocks;
    void *p;
    if (__builtin_mul_overflow(n, size, &bytes) || bytes > SIZE_MAX / 2)
        smi_mem_exhausted();
    bytes = (bytes + ALIGN - 1) & ~(size_t)(ALIGN - 1);
    if (!b || b->cap - b->used < bytes) {
        cap = !b ? BLOCK_MIN : b->cap < BLOCK_MAX / 2 ? 2 * b->cap : BLOCK_MAX;
        cap = bytes > cap ? bytes : cap;
        b = smi_mem_new(1, sizeof *b + cap);
        b->cap = cap;
        b->next = a->blocks;
        a->blocks = b;
    }
    p = b->data + b->used;
    b->used += bytes;
    return p;
}

char *smi_arena_text(struct smi_arena *a, const char *p, size_t n)
{
    char *t = smi_arena_new(a, n + 1, 1);
    if (n)
        memcpy(t, p, n);
    return t;
}

void smi_arena_fini(struct smi_arena *a)
{
    struct smi_arena_block *b = a->blocks, *next;
    for (; b; b = next) {
        next = b->next;
        free(b);
    }
    a->blocks = NULL;
}

void smi_arena_reset(struct smi_arena *a)
{
    struct smi_arena_block *b = a->blocks; /* the largest */
    const bool keep = b && b->cap <= KEPT_MAX;
    a->blocks = keep ? b->next : b;
    smi_arena_fini(a);
    if (!keep)
        return;
    memset(b->data, 0, b->used);
    b->used = 0;
    b->next = NULL;
    a->blocks = b;
}
