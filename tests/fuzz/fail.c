/* fail.c - allocations that fail. The linker leads every malloc, calloc and realloc of the program here
 * (--wrap). */
#include "fuzz.h"

#include "formats/detect.h"

#include <csv.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t n);
int __real_csv_init(struct csv_parser *csv, unsigned char options);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t n);
int __wrap_csv_init(struct csv_parser *csv, unsigned char options);

static uint64_t left; /* allocations up to the one that fails, with it; 0: none does */
static bool lasting, own, happened, in_jansson; /* own: not in jansson */

enum { POOL = 1 << 22 };
static _Alignas(16) char pool[POOL];
static size_t pooled;

static bool fails(void)
{
    if (left == 0 || --left > 0)
        return false;
    left = lasting;
    return happened = true;
}

void *__wrap_malloc(size_t n)
{
    return fails() ? NULL : __real_malloc(n);
}

void *__wrap_calloc(size_t n, size_t size)
{
    return fails() ? NULL : __real_calloc(n, size);
}

void *__wrap_realloc(void *p, size_t n)
{
    return fails() ? NULL : __real_realloc(p, n);
}

int __wrap_csv_init(struct csv_parser *csv, unsigned char options)
{
    int rc = __real_csv_init(csv, options);
    csv_set_realloc_func(csv, __wrap_realloc);
    return rc;
}

/* Without memory jansson may call the text no JSON, so that it is rejected; there we only ask that nothing
 * breaks. Its buffer for a token, which grows by doubling, is left alone: where that fails, jansson asserts.
 */
static void *json_alloc(size_t n)
{
    bool buffer = n >= 16 && (n & (n - 1)) == 0;
    void *p = buffer || own ? __real_malloc(n) : __wrap_malloc(n);
    in_jansson |= !p;
    return p;
}

void fuzz_fail_init(void)
{
    json_set_alloc_funcs(json_alloc, free);
    json_object_seed(1); /* the order of keys, and so the order of allocations, is the same in every run */
}

static void *pool_alloc(size_t n)
{
    size_t whole = (n + 15) / 16 * 16;
    void *p = pool + pooled;
    if (whole > POOL - pooled)
        return malloc(n);
    pooled += whole;
    return p;
}

static void pool_free(void *p)
{
    if ((char *)p < pool || (char *)p >= pool + POOL)
        free(p);
}

void fuzz_json_pool(bool on)
{
    pooled = 0;
    json_set_alloc_funcs(on ? pool_alloc : json_alloc, on ? pool_free : free);
}

void fuzz_fail_at(uint64_t nth, bool and_all_after, bool but_jansson)
{
    left = nth;
    lasting = and_all_after;
    own = but_jansson;
    happened = in_jansson = false;
}

void fuzz_fail_arm(uint64_t hash)
{
    fuzz_fail_at(1 + (hash >> 8) % ((uint64_t)2 << (hash >> 2) % 8), hash & 1, hash & 2);
}

bool fuzz_fail_disarm(void)
{
    bool some = happened;
    left = 0;
    happened = false;
    return some;
}

bool fuzz_fail_seen(void)
{
    return happened;
}

void fuzz_fail_judge(bool some_failed, int rc, const struct smi_err *err, bool same)
{
    if (rc && !err->text[0])
        fuzz_stop("refused without a sentence");
    if (!same && !some_failed)
        fuzz_stop("the same bytes do not tell the same twice");
    if (!same && !in_jansson && (!rc || err->code != SMI_ENOMEM)) {
        fprintf(stderr, "fuzz: %d %d %s\n", rc, err->code, err->text);
        fuzz_stop("an allocation failed, and nobody was told");
    }
}

void fuzz_stop(const char *what)
{
    fprintf(stderr, "fuzz: %s\n", what);
    abort();
}

uint64_t fuzz_hash(const uint8_t *p, size_t n)
{
    uint64_t h = n, word;
    for (; n; p += sizeof word < n ? sizeof word : n, n -= sizeof word < n ? sizeof word : n) {
        word = 0;
        memcpy(&word, p, sizeof word < n ? sizeof word : n);
        h = (h ^ word) * 1099511628211u;
        h ^= h >> 29;
    }
    return h * 0x9E3779B97F4A7C15u >> 8;
}

size_t fuzz_formats(int *formats)
{
    char *name = getenv("FUZZ_FORMAT");
    size_t n = 0;
    for (name = name ? strtok(name, ",") : NULL; name; name = strtok(NULL, ","))
        if (n == SMI_FMT_COUNT || (formats[n++] = smi_format_find(name)) < 0)
            fuzz_stop("FUZZ_FORMAT is no format");
    return n;
}
