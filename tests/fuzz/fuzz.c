/* fuzz.c - what the fuzz targets share. */
#include "fuzz.h"

#include "formats/format.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POOL = 1 << 22 };
static _Alignas(16) char pool[POOL];
static size_t pooled;

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
    json_set_alloc_funcs(on ? pool_alloc : malloc, on ? pool_free : free);
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
