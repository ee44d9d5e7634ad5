/* partial_checksum_private.h - the sum over the bytes of a document: one that was changed has another (of one
 * byte: always). Not installed. */
#ifndef SMI_SUMMARY_PARTIAL_CHECKSUM_PRIVATE_H
#define SMI_SUMMARY_PARTIAL_CHECKSUM_PRIVATE_H

#include "base/text.h"

#include <stdint.h>

enum { SMI_PARTIAL_CHECKSUM_TEXT = 17 };

/* Goes on from a sum over bytes before these; 0 where there are none. Fowler, Noll and Vo's, 1a, of 64 bits:
 * RFC 9923. */
uint64_t smi_partial_checksum(uint64_t sum, const char *p, size_t n);
/* 16 digits and a NUL. */
void smi_partial_checksum_text(char *to, uint64_t sum);
/* How a document of this version begins, up to its sum. */
extern const struct smi_text smi_partial_checksum_begin;
/* Does a document of this version begin with these n bytes, as far as they go? */
bool smi_partial_is_current(const char *text, size_t n);
/* The sum of a document whose bytes behind it are these; it is over the version, too. */
uint64_t smi_partial_document_sum(const char *p, size_t n);

#endif
