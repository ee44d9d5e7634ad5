/* partial_private.h - what the sources and tests of partial summaries share. Not installed. */
#ifndef SMI_SUMMARY_PARTIAL_PRIVATE_H
#define SMI_SUMMARY_PARTIAL_PRIVATE_H

#include "base/buf.h"
#include "base/int128.h"
#include "base/json.h"
#include "base/text.h"
#include "summary/merge_queue.h"

#include <jansson.h>
#include <stdint.h>

/* The document that is read; the first error stops it. */
struct smi_partial_reader {
    struct smi_run *run;
    struct smi_input_stats *input;
    const char *name; /* of the file */
    struct smi_err *err;
    const json_t *device; /* the object of the device that is read */
    uint32_t doc;         /* its number, from 1, among those of the run */
    size_t number;        /* the same in its file; 0: not known */
    bool joined;          /* --run: parts may have different parameters */
    bool bad;
};

/* A text, fresh; NULL for null. Bytes that are not UTF-8 are in hex, in an array: ["636166e9"], so two runs
 * whose names differ in such a byte stay two. */
char *smi_partial_read_text(struct smi_partial_reader *g, const json_t *v);
void smi_partial_write_text(struct smi_json *j, const char *s);

/* ---- the sum over the bytes of a document: one that was changed has another (of one byte: always). Not
 * installed ---- */

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
/* A number from 0 to `most`; larger is bad. */
int64_t smi_packed_read_upto(struct smi_packed *from, int64_t most);

/* The largest number that divides a and b; of 0 and 0 it is 0. */
int64_t smi_greatest_divisor(int64_t a, int64_t b);

#endif
