#include "base/map.h"

#include "base/mem.h"
#include "base/text.h"

#include <string.h>

enum { SLOTS_MIN = 16 };

static uint64_t mix(uint64_t h, uint64_t w)
{
    h = (h ^ w) * 0x9E3779B97F4A7C15u;
    return h ^ h >> 32;
}

uint64_t smi_hash_number(uint64_t v)
{
    return mix(mix(1, v), v >> 32);
}

uint64_t smi_hash_pair(uint64_t a, uint64_t b)
{
    return mix(smi_hash_number(a), b);
}

/* Eight bytes at a time; the number of bytes tells a short last word from one with zeros. */
uint64_t smi_hash_bytes(const void *p, size_t n)
{
    const char *at = p;
    uint64_t h = n, word = 0;
    for (; n >= sizeof word; at += sizeof word, n -= sizeof word)
        h = mix(h, smi_text_word8(at));
    for (size_t i = 0; i < n; i++)
        word |= (uint64_t)(unsigned char)at[i] << 8 * i;
    return mix(mix(h, word), n);
}

size_t smi_map_find(const struct smi_map *m, uint64_t hash, smi_map_match_fn *match, const void *list,
                    const void *key)
{
    size_t mask = m->cap - 1;
    if (!m->n)
        return SMI_MAP_NONE;
    for (size_t i = (uint32_t)hash & mask; m->slot[i].place; i = (i + 1) & mask)
        if (m->slot[i].hash == (uint32_t)hash && (!match || match(list, m->slot[i].place - 1, key)))
            return m->slot[i].place - 1;
    return SMI_MAP_NONE;
}

static void insert(struct smi_map *m, struct smi_map_slot entry)
{
    size_t i = entry.hash & (m->cap - 1);
    while (m->slot[i].place)
        i = (i + 1) & (m->cap - 1);
    m->slot[i] = entry;
}

static void grow(struct smi_map *m)
{
    struct smi_map more = {.n = m->n, .cap = m->cap ? 2 * m->cap : SLOTS_MIN};
    more.slot = smi_mem_new(more.cap, sizeof *more.slot);
    for (size_t i = 0; i < m->cap; i++)
        if (m->slot[i].place)
            insert(&more, m->slot[i]);
    smi_mem_free(m->slot);
    *m = more;
}

void smi_map_add(struct smi_map *m, uint64_t hash, size_t place)
{
    if (place >= SMI_MAP_MAX)
        smi_mem_exhausted();
    if (2 * (m->n + 1) > m->cap)
        grow(m);
    insert(m, (struct smi_map_slot){(uint32_t)hash, (uint32_t)place + 1});
    m->n++;
}

void smi_map_clear(struct smi_map *m)
{
    if (m->n)
        memset(m->slot, 0, m->cap * sizeof *m->slot);
    m->n = 0;
}

void smi_map_fini(struct smi_map *m)
{
    smi_mem_free(m->slot);
    *m = (struct smi_map){0};
}
