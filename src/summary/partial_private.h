/* partial_private.h - what the tests of partial summaries look at besides. Not installed. */
#ifndef SMI_SUMMARY_PARTIAL_PRIVATE_H
#define SMI_SUMMARY_PARTIAL_PRIVATE_H

#include "base/buf.h"
#include "base/int128.h"
#include "base/text.h"

/* The sum over the bytes of a document: one that was changed has another (of one byte: always). Goes on from
 * a sum over bytes before these; 0 where there are none. Fowler, Noll and Vo's, 1a, of 64 bits: RFC 9923. */
uint64_t smi_partial_checksum(uint64_t sum, const char *p, size_t n);

enum { SMI_PARTIAL_CHECKSUM_TEXT = 17 /* 16 digits and a NUL */ };
void smi_partial_checksum_text(char *to, uint64_t sum);
/* How a document of this version begins, up to its sum. */
extern const struct smi_text smi_partial_checksum_begin;
/* The sum of a document whose bytes behind it are these; it is over the version, too. */
uint64_t smi_partial_document_sum(const char *p, size_t n);

/* ---- many numbers in few letters: five bits a letter, the least first; lists go as steps from one to the
 * next. Not installed ---- */

void smi_packed_write(struct smi_buf *to, smi_u128 v);
void smi_packed_write_signed(struct smi_buf *to, smi_i128 v); /* small ones of both signs are short */

/* What is still to be read; bad: it ended early, or holds a letter that is none, or a number beyond 126 bits.
 * Then every number is 0. */
struct smi_packed {
    struct smi_text left;
    bool bad;
};
smi_u128 smi_packed_read(struct smi_packed *from);
smi_i128 smi_packed_read_signed(struct smi_packed *from);
/* The largest number that divides a and b; of 0 and 0 it is 0. */
int64_t smi_greatest_divisor(int64_t a, int64_t b);

#endif
