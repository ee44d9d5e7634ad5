/* partial_private.h - descriptors of what a partial summary holds: one table of fields for each struct, by
 * which it is written as JSON and read back. What is read comes from other machines: every number has
 * limits. */
#ifndef SMI_SUMMARY_PARTIAL_PRIVATE_H
#define SMI_SUMMARY_PARTIAL_PRIVATE_H

#include "base/buf.h"
#include "base/int128.h"
#include "base/json.h"
#include "base/text.h"
#include "summary/merge_queue.h"

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

/* Nothing that is counted or timed comes near it, and sums of many partials stay inside 64 bits. */
#define SMI_PARTIAL_INT_MAX ((int64_t)1 << 53)
/* Microseconds from 1970 to the year 9999, and as far back. */
#define SMI_PARTIAL_US_MAX ((int64_t)1 << 58)
/* A reading of a counter. */
#define SMI_PARTIAL_READING_MAX ((int64_t)1 << 62)
#define SMI_PARTIAL_DAY_MS ((int64_t)86400000)

/* The document that is read; the first error stops it. */
struct smi_partial_reader {
    struct smi_run *run;
    struct smi_input_stats *input;
    const char *name; /* of the file */
    struct smi_err *err;
    const json_t *metrics; /* names of the metrics in the rows of a device */
    uint32_t doc;          /* its number, from 1, among those of the run */
    size_t number;         /* the same in its file; 0: not known */
    bool joined;           /* --run: parts may have different parameters */
    bool bad;
};

enum smi_partial_kind {
    SMI_PARTIAL_INT, /* an integer or enum of 1, 2, 4 or 8 bytes, from least to most */
    SMI_PARTIAL_BOOL,
    SMI_PARTIAL_WIDE,   /* smi_i128; beyond 64 bits a string */
    SMI_PARTIAL_TEXT,   /* char *, owned by the struct; bytes that are not UTF-8 in hex */
    SMI_PARTIAL_STRUCT, /* one of shape `of`, inside the struct */
    SMI_PARTIAL_LIST,   /* elements of shape `of`: a pointer, with a size_t count at count_at */
    SMI_PARTIAL_MAP,    /* an object whose keys are names of metrics */
    SMI_PARTIAL_CODEC   /* what its codec makes of it */
};

enum {
    SMI_PARTIAL_OPTIONAL = 1, /* left out where it is 0, NULL, empty or false */
    SMI_PARTIAL_FLAT = 2,     /* a list: the values of all elements one behind the other, without brackets */
    SMI_PARTIAL_NEEDED = 4    /* a text: an element without it is an error */
};

/* How a member is written and read that is neither a value nor a list. owner: the struct, member: in it. */
struct smi_partial_codec {
    void (*write)(struct smi_json *j, const void *owner, const void *member);
    void (*read)(struct smi_partial_reader *g, const json_t *v, void *owner, void *member);
};

/* A member that has a value for some metrics. */
struct smi_partial_map {
    const struct smi_partial_field *value; /* what is written of it, and read into it */
    /* The i-th value that there may be, and its metric; NULL: there is none. *metric SMI_METRIC_COUNT: nor
     * are there more. */
    const void *(*at)(const void *owner, size_t i, unsigned *metric);
    /* Where the value of a metric is read to. NULL: nowhere.
     */
    void *(*add)(struct smi_partial_reader *g, void *owner, unsigned metric);
};

struct smi_partial_field {
    const char *key; /* in an object; fields of an array stand in the order of the table */
    enum smi_partial_kind kind;
    unsigned flags;
    size_t at, size;     /* of the member */
    int64_t least, most; /* INT: its values; LIST: at most so many elements */
    unsigned repeat;     /* an array member of so many; 0: a plain one */
    const struct smi_partial_shape *of;
    size_t count_at;
    size_t when_at; /* INT: 0 is written where the integer of 8 bytes that ends here is 0; 0: never */
    size_t there_at,
        there_size; /* OPTIONAL: the number that is 0, if it is not the member itself or its count */
    const struct smi_partial_codec *codec;
    const struct smi_partial_map *map;
    /* LIST: adds an element that was read; its texts are freed afterwards. Returns false for one that cannot
     * be. list: owner + at. NULL: it is appended, if it has
     * all texts; behind the count stands the capacity. */
    bool (*add)(struct smi_partial_reader *g, void *owner, void *list, void *item);
};

struct smi_partial_shape {
    const char *name; /* for messages */
    bool object; /* keys and values; else an array of values. A struct inside an array has no own brackets */
    size_t size; /* of the struct */
    const struct smi_partial_field *field;
    size_t n;
};

#define SMI_PARTIAL_SHAPE(what, is_object, type, fields)                                \
    {                                                                                   \
        what, is_object, sizeof(struct type), fields, sizeof(fields) / sizeof *(fields) \
    }
/* A row of a table of fields: the kind of a member, where it is, and what else is to be said of it. */
#define SMI_PARTIAL_MEMBER(of_kind, type, member, ...)                      \
    {                                                                       \
        .kind = SMI_PARTIAL_##of_kind, .at = offsetof(struct type, member), \
        .size = sizeof(((struct type *)0)->member), __VA_ARGS__             \
    }
#define SMI_PARTIAL_RANGE(type, member, k, low, high) \
    SMI_PARTIAL_MEMBER(INT, type, member, .key = k, .least = low, .most = high)
#define SMI_PARTIAL_NUMBER(type, member, k) \
    SMI_PARTIAL_RANGE(type, member, k, -SMI_PARTIAL_INT_MAX, SMI_PARTIAL_INT_MAX)
#define SMI_PARTIAL_COUNT(type, member, k) SMI_PARTIAL_RANGE(type, member, k, 0, SMI_PARTIAL_INT_MAX)
#define SMI_PARTIAL_US(type, member, k) \
    SMI_PARTIAL_RANGE(type, member, k, -SMI_PARTIAL_US_MAX, SMI_PARTIAL_US_MAX)
#define SMI_PARTIAL_REPEATED(type, member, k, times)                               \
    SMI_PARTIAL_MEMBER(INT, type, member, .key = k, .least = -SMI_PARTIAL_INT_MAX, \
                       .most = SMI_PARTIAL_INT_MAX, .repeat = times)
/* A number that says nothing where the member `flag`, of 8 bytes, is 0. */
#define SMI_PARTIAL_WHEN(type, member, flag)                                                          \
    SMI_PARTIAL_MEMBER(INT, type, member, .least = -SMI_PARTIAL_INT_MAX, .most = SMI_PARTIAL_INT_MAX, \
                       .when_at = offsetof(struct type, flag) + 8)
/* Left out where the member `flag` is 0. */
#define SMI_PARTIAL_IF(type, flag)                                          \
    .flags = SMI_PARTIAL_OPTIONAL, .there_at = offsetof(struct type, flag), \
    .there_size = sizeof(((struct type *)0)->flag)
#define SMI_PARTIAL_FLAG(type, member, k) SMI_PARTIAL_MEMBER(BOOL, type, member, .key = k)
#define SMI_PARTIAL_FLAG_IF(type, member, k) \
    SMI_PARTIAL_MEMBER(BOOL, type, member, .key = k, .flags = SMI_PARTIAL_OPTIONAL)
#define SMI_PARTIAL_COUNT_IF(type, member, k)                                    \
    SMI_PARTIAL_MEMBER(INT, type, member, .key = k, .most = SMI_PARTIAL_INT_MAX, \
                       .flags = SMI_PARTIAL_OPTIONAL)
#define SMI_PARTIAL_SUM(type, member, k) SMI_PARTIAL_MEMBER(WIDE, type, member, .key = k)
#define SMI_PARTIAL_NAME(type, member, k) SMI_PARTIAL_MEMBER(TEXT, type, member, .key = k)
#define SMI_PARTIAL_NEEDED_NAME(type, member) \
    SMI_PARTIAL_MEMBER(TEXT, type, member, .flags = SMI_PARTIAL_NEEDED)
#define SMI_PARTIAL_WITH(type, member, k, with) \
    SMI_PARTIAL_MEMBER(CODEC, type, member, .key = k, .codec = with)
#define SMI_PARTIAL_WITH_IF(type, member, flag, k, with) \
    SMI_PARTIAL_MEMBER(CODEC, type, member, .key = k, .codec = with, SMI_PARTIAL_IF(type, flag))
#define SMI_PARTIAL_METRICS(type, member, k, with) \
    SMI_PARTIAL_MEMBER(MAP, type, member, .key = k, .map = with)
#define SMI_PARTIAL_PART(type, member, k, shape) \
    SMI_PARTIAL_MEMBER(STRUCT, type, member, .key = k, .of = shape)
#define SMI_PARTIAL_PART_IF(type, member, flag, k, shape) \
    SMI_PARTIAL_MEMBER(STRUCT, type, member, .key = k, .of = shape, SMI_PARTIAL_IF(type, flag))
#define SMI_PARTIAL_PARTS(type, member, k, shape, times) \
    SMI_PARTIAL_MEMBER(STRUCT, type, member, .key = k, .of = shape, .repeat = times)
#define SMI_PARTIAL_ITEMS(type, member, count, k, shape, limit, adds, ...)       \
    SMI_PARTIAL_MEMBER(LIST, type, member, .key = k, .of = shape, .most = limit, \
                       .count_at = offsetof(struct type, count), .add = adds, .flags = __VA_ARGS__)
enum { SMI_PARTIAL_ITEM_BYTES = 512 /* the largest element of a list */ };

/* Writes p, or its members into an object that is open already. */
void smi_partial_write_struct(struct smi_json *j, const struct smi_partial_shape *of, const void *p);
void smi_partial_write_members(struct smi_json *j, const struct smi_partial_shape *of, const void *p);
/* Writes one member, without its key. */
void smi_partial_write_field(struct smi_json *j, const struct smi_partial_field *f, const void *owner);
/* Reads one member of `owner` from v, NULL: it is not there. */
void smi_partial_read_field(struct smi_partial_reader *g, const struct smi_partial_field *f, const json_t *v,
                            void *owner);
/* Reads them into p, which is zero or as its _init function makes it. */
void smi_partial_read_struct(struct smi_partial_reader *g, const json_t *v,
                             const struct smi_partial_shape *of, void *p);

/* The partial is broken: `what` names the place. Only the first call counts. */
void smi_partial_read_fail(struct smi_partial_reader *g, const char *what);
/* smi_mem_reserve; false if there is no memory. */
/* An integer of at most 2^53 either way; 0 and an error if it is none. */
int64_t smi_partial_read_int(struct smi_partial_reader *g, const json_t *v);
smi_i128 smi_partial_read_wide(struct smi_partial_reader *g, const json_t *v);
void smi_partial_write_wide(struct smi_json *j, smi_i128 v);
/* A text, fresh; NULL for null. Bytes that are not UTF-8 are in hex, in an array: ["636166e9"], so two runs
 * whose names differ in such a byte stay two. */
char *smi_partial_read_text(struct smi_partial_reader *g, const json_t *v);
void smi_partial_write_text(struct smi_json *j, const char *s);
/* The metric of this name; -1 and an error if it is not known. */
int smi_partial_read_metric(struct smi_partial_reader *g, const char *key);

/* Counts of readings (partial_tables.c). The codec: of times between them, which are all longer than nothing.
 */
extern const struct smi_partial_codec smi_partial_counts, smi_partial_intervals;
/* A series of buckets. */
extern const struct smi_partial_codec smi_partial_series;
/* An element of a sum over time: for SMI_PARTIAL_ITEMS. share: its area is a part of its time. */
extern const struct smi_partial_shape smi_partial_time_sum;
bool smi_partial_add_time_sum(struct smi_partial_reader *g, void *owner, void *list, void *item);
bool smi_partial_add_time_share(struct smi_partial_reader *g, void *owner, void *list, void *item);
#define SMI_PARTIAL_TIME_SUM(type, member, k)                                           \
    SMI_PARTIAL_ITEMS(type, member.slot, member.n, k, &smi_partial_time_sum, INT64_MAX, \
                      smi_partial_add_time_sum, SMI_PARTIAL_OPTIONAL | SMI_PARTIAL_FLAT)
#define SMI_PARTIAL_TIME_SHARE(type, member, k)                                         \
    SMI_PARTIAL_ITEMS(type, member.slot, member.n, k, &smi_partial_time_sum, INT64_MAX, \
                      smi_partial_add_time_share, SMI_PARTIAL_OPTIONAL | SMI_PARTIAL_FLAT)

/* One GPU, or the host, of an input (partial_tables.c). phases: those of the run. */
void smi_partial_write_device(struct smi_json *j, const struct smi_device_stats *t,
                              const struct smi_phases *phases);
/* A fresh one of g->input, or NULL for null. */
struct smi_device_stats *smi_partial_read_device(struct smi_partial_reader *g, const json_t *o);
/* One input (partial_tables.c). */
void smi_partial_write_input(struct smi_json *j, const struct smi_input_stats *p,
                             const struct smi_phases *phases);
/* A fresh one without its devices: those wait until the run's phases are known. */
struct smi_input_stats *smi_partial_read_input(struct smi_partial_reader *g, const json_t *o);
void smi_partial_read_devices(struct smi_partial_reader *g, const json_t *o, struct smi_input_stats *p);

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
