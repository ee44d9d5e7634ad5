/* test_map.c - a map finds what was added and nothing else: against a plain list, with hashes that collide,
 * cleared and filled again. */
#include "base/map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ENTRIES = 5000 };

static bool has_number(const void *list, size_t place, const void *key)
{
    return ((const int *)list)[place] == *(const int *)key;
}

static size_t find(const struct smi_map *m, const int *list, int key, uint64_t hash)
{
    return smi_map_find(m, hash, has_number, list, &key);
}

static void finds_what_was_added(void **unused)
{
    int *list = calloc(ENTRIES, sizeof *list);
    (void)unused;
    for (unsigned keep = 0; keep <= 32; keep += 4) { /* bits of the hash that are used: of none all collide */
        struct smi_map m = {0};
        size_t n = keep < 8 ? 300 : ENTRIES;
        uint64_t bits = keep == 32 ? UINT64_MAX : ((uint64_t)1 << keep) - 1;
        for (size_t i = 0; i < n; i++) {
            list[i] = (int)(i * 7919);
            assert_int_equal(find(&m, list, list[i], smi_hash_number((uint64_t)list[i]) & bits),
                             SMI_MAP_NONE);
            smi_map_add(&m, smi_hash_number((uint64_t)list[i]) & bits, i);
        }
        for (size_t i = 0; i < n; i++) {
            assert_int_equal(find(&m, list, list[i], smi_hash_number((uint64_t)list[i]) & bits), i);
            assert_int_equal(find(&m, list, list[i] + 1, smi_hash_number((uint64_t)list[i] + 1) & bits),
                             SMI_MAP_NONE);
        }
        assert_true(2 * m.n <= m.cap);
        smi_map_clear(&m);
        assert_int_equal(find(&m, list, list[0], smi_hash_number(0) & bits), SMI_MAP_NONE);
        smi_map_add(&m, smi_hash_number(0) & bits, 0);
        assert_int_equal(find(&m, list, list[0], smi_hash_number(0) & bits), 0);
        smi_map_fini(&m);
    }
    free(list);
}

static void hashes_every_byte(void **unused)
{
    char text[40] = {0};
    (void)unused;
    for (size_t n = 1; n <= sizeof text; n++)
        for (size_t i = 0; i < n; i++) {
            uint64_t before = smi_hash_bytes(text, n);
            text[i] ^= 64;
            assert_true(smi_hash_bytes(text, n) != before);
            text[i] ^= 64;
            assert_true(smi_hash_bytes(text, n - 1) != before);
        }
    assert_true(smi_hash_pair(1, 2) != smi_hash_pair(2, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(finds_what_was_added),
                                       cmocka_unit_test(hashes_every_byte)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
