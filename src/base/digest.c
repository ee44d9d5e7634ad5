#include "base/digest.h"

#include "base/text.h"

enum { BLOCK = SMI_DIGEST_BLOCK };

/* The fractions of the square roots of 2, 3, 5, 7, 11, 13, 17 and 19, made odd: numbers that nobody chose. */
static const uint64_t key[8] = {0x6A09E667F3BCC909u, 0xBB67AE8584CAA73Bu, 0x3C6EF372FE94F82Bu,
                                0xA54FF53A5F1D36F1u, 0x510E527FADE682D1u, 0x9B05688C2B3E6C1Fu,
                                0x1F83D9ABFB41BD6Bu, 0x5BE0CD19137E2179u};

/* Both halves of a product. */
static uint64_t fold_product(uint64_t a, uint64_t b)
{
    smi_u128 m = (smi_u128)a * b;
    return (uint64_t)m ^ (uint64_t)(m >> 64);
}

/* Every bit of v in every bit of what it returns. */
static uint64_t mix_bits(uint64_t v)
{
    v = (v ^ (v >> 32)) * key[7];
    v = (v ^ (v >> 32)) * key[3];
    return v ^ (v >> 32);
}

/* Block k of the log. */
static uint64_t hash_block(const char *p, uint64_t k)
{
    uint64_t v = k * key[6];
    for (int i = 0; i < 8; i += 2)
        v += fold_product(smi_text_word8(p + 8 * i) ^ key[i], smi_text_word8(p + 8 * i + 8) ^ key[i + 1]);
    return mix_bits(v);
}

/* How many bytes from `from` on belong to a block that began before. */
static int64_t leading_bytes(int64_t from)
{
    return (BLOCK - from % BLOCK) % BLOCK;
}

struct smi_digest smi_digest_init(int64_t from)
{
    return (struct smi_digest){.from = from, .at = from};
}

/* Bytes that make no whole block yet. Returns how many were taken. */
static size_t store_partial_block(struct smi_digest *d, const char *p, size_t n)
{
    size_t have = (size_t)(d->at % BLOCK), some = BLOCK - have < n ? BLOCK - have : n;
    if (d->at - d->from < leading_bytes(d->from)) {
        memcpy(d->head + (d->at - d->from), p, some);
    } else {
        memcpy(d->tail + have, p, some);
        if (have + some == BLOCK)
            d->sum += hash_block(d->tail, (uint64_t)(d->at / BLOCK));
    }
    d->at += (int64_t)some;
    return some;
}

void smi_digest_add(struct smi_digest *d, const char *p, size_t n)
{
    const char *end = p + n;
    if (n && d->at % BLOCK)
        p += store_partial_block(d, p, n);
    for (; end - p >= BLOCK; p += BLOCK, d->at += BLOCK)
        d->sum += hash_block(p, (uint64_t)(d->at / BLOCK));
    if (end > p)
        store_partial_block(d, p, (size_t)(end - p));
}

void smi_digest_join(struct smi_digest *a, const struct smi_digest *b)
{
    int64_t first = leading_bytes(b->from), all = b->at - b->from;
    smi_digest_add(a, b->head, (size_t)(all < first ? all : first));
    if (all <= first)
        return;
    a->sum += b->sum;
    a->at = b->at;
    memcpy(a->tail, b->tail, sizeof a->tail);
}

uint64_t smi_digest_value(const struct smi_digest *d)
{
    char last[BLOCK] = {0};
    uint64_t sum = d->sum;
    size_t left = (size_t)(d->at % BLOCK);
    memcpy(last, d->tail, left);
    if (left)
        sum += hash_block(last, (uint64_t)(d->at / BLOCK));
    return mix_bits(sum ^ mix_bits((uint64_t)d->at));
}

uint64_t smi_digest_of(const char *p, size_t n)
{
    struct smi_digest d = smi_digest_init(0);
    smi_digest_add(&d, p, n);
    return smi_digest_value(&d);
}
