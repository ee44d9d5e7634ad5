/* digest.h - have two logs the same bytes? 64 bits of all of them, however they were cut: parts that were
 * read apart join, as the digest of a block of 64 bytes at its place is added to those of the others. No
 * defence against somebody who looks for two logs with one digest. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { SMI_DIGEST_BLOCK = 64 };

struct smi_digest {
    int64_t from, at;            /* offsets: of the first byte, and behind the last */
    uint64_t sum;                /* of the whole blocks */
    char head[SMI_DIGEST_BLOCK]; /* bytes of a block that begins before `from` */
    char tail[SMI_DIGEST_BLOCK]; /* and of one that ends behind `at` */
};

/* from: where the bytes that come stand in the log, 0 or more. */
struct smi_digest smi_digest_init(int64_t from);
void smi_digest_add(struct smi_digest *d, const char *p, size_t n);
/* Adds b, which begins where a ends. */
void smi_digest_join(struct smi_digest *a, const struct smi_digest *b);
/* Of a log that was put from its offset 0 on; more may follow. The same on every machine. */
uint64_t smi_digest_value(const struct smi_digest *d);
/* The same of bytes in memory. */
uint64_t smi_digest_of(const char *p, size_t n);
