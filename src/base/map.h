/* map.h - finds the entries of a list by their keys: a hash table of places in a list that stays the
 * caller's, and so do the keys. Places are removed by clearing the map and adding the rest again. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SMI_MAP_MAX = 1 << 30 /* entries of one map */ };
#define SMI_MAP_NONE SIZE_MAX

/* Zero-initialise. */
struct smi_map {
    struct smi_map_slot {
        uint32_t hash, place; /* place + 1; 0: free */
    } * slot;                 /* cap slots, a power of two, at most half of them in use */
    size_t n, cap;
};

/* Whether the entry of `list` at `place` has this key. */
typedef bool smi_map_match_fn(const void *list, size_t place, const void *key);

/* The hash of n bytes, of any key that has no other number than v, and of two such numbers. */
uint64_t smi_hash_bytes(const void *p, size_t n);
uint64_t smi_hash_number(uint64_t v);
uint64_t smi_hash_pair(uint64_t a, uint64_t b);

/* The place of the key with this hash, or SMI_MAP_NONE. list and key are passed on to `match`; NULL: the
 * lower half of the hash decides. */
size_t smi_map_find(const struct smi_map *m, uint64_t hash, smi_map_match_fn *match, const void *list,
                    const void *key);
/* Adds a place whose key is not in the map. SMI_MAP_MAX places are as many as memory allows. */
void smi_map_add(struct smi_map *m, uint64_t hash, size_t place);
/* Forgets all places, and keeps the memory. */
void smi_map_clear(struct smi_map *m);
void smi_map_fini(struct smi_map *m);
