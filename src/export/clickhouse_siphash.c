#include "export/clickhouse_siphash.h"

static uint64_t rotate_left(uint64_t x, unsigned bits)
{
    return x << bits | x >> (64 - bits);
}

static void sip_round(uint64_t v[4], int times)
{
    while (times--) {
        v[0] += v[1], v[2] += v[3];
        v[1] = rotate_left(v[1], 13) ^ v[0], v[3] = rotate_left(v[3], 16) ^ v[2];
        v[0] = rotate_left(v[0], 32);
        v[2] += v[1], v[0] += v[3];
        v[1] = rotate_left(v[1], 17) ^ v[2], v[3] = rotate_left(v[3], 21) ^ v[0];
        v[2] = rotate_left(v[2], 32);
    }
}

static uint64_t load_word(const char *p, size_t n)
{
    uint64_t w = 0;
    for (size_t i = 0; i < n; i++)
        w |= (uint64_t)(unsigned char)p[i] << 8 * i;
    return w;
}

uint64_t smi_siphash(const char *p, size_t n)
{
    uint64_t v[4] = {0x736f6d6570736575u, 0x646f72616e646f6du, 0x6c7967656e657261u, 0x7465646279746573u}, w;
    size_t at = 0;
    for (; n - at >= 8; at += 8) {
        w = load_word(p + at, 8);
        v[3] ^= w;
        sip_round(v, 2);
        v[0] ^= w;
    }
    w = load_word(p + at, n - at) | (uint64_t)n << 56;
    v[3] ^= w;
    sip_round(v, 2);
    v[0] ^= w;
    v[2] ^= 0xff;
    sip_round(v, 4);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}
