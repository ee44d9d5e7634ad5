/* json_line.h - logs of JSON lines: what their readers share. */
#pragma once

#include "base/json.h"
#include "formats/format.h"
#include "model/rows.h"

/* ---- JSON as slices of its text: each value in front of those that it holds ---- */

enum smi_json_kind {
    SMI_JSON_NULL,
    SMI_JSON_WORD,
    SMI_JSON_NUMBER,
    SMI_JSON_STRING,
    SMI_JSON_OBJECT,
    SMI_JSON_LIST
};

struct smi_json_value {
    struct smi_field f; /* its key, of a member; of what holds no others the text, decoded, and the number;
                         * else micro is how many elements a list has, and of a word of Python's that was read
                         * as null how long that is */
    uint8_t kind;       /* an smi_json_kind; SMI_JSON_WORD: true or false */
    uint8_t own;        /* smi_format.key of its key, or 0 */
    bool exact;         /* a number whose text is as Python writes it */
    size_t size;        /* values from this one on that it consists of */
};

enum { SMI_JSON_FRONT = 48, SMI_JSON_PLACES = 64, SMI_JSON_WAYS = 4 };

/* What stood in front of a value in a text before, from the brace or comma on: `, "name": `. */
struct smi_json_front {
    uint64_t bit;          /* of the key: see take_list */
    uint8_t n, key, key_n; /* bytes; those up to the key, and of it */
    uint8_t own;
    char text[SMI_JSON_FRONT];
};

/* The values of a text, which has to stay. Zero-initialise. */
struct smi_json_values {
    struct smi_json_value *v;
    size_t n, cap;
    bool marks;    /* wanted: what no text can hold, U+0000 and half of a surrogate pair, and U+0001 itself,
                    * becomes U+0001 and four hexadecimal digits; else half of a pair is refused */
    int64_t lost;  /* Python's NaN and Infinity, which are read as null */
    char *decoded; /* texts that had escapes */
    size_t used, room;
    struct smi_json_front (*front)[SMI_JSON_WAYS]; /* by the place of the value; the newest first */
    int (*key)(struct smi_text key);               /* smi_format.key; or NULL */
};

/* Reads a text that is an object or a list, v[0], of at most SMI_JSON_DEPTH levels. Of a key given twice the
 * last value counts; Python's NaN and Infinity, which JSON does not have, are read as null. Returns whether
 * it is such JSON. */
bool smi_json_parse(struct smi_text t, struct smi_json_values *d);
void smi_json_values_fini(struct smi_json_values *d); /* may be NULL */

/* The member of an object, or NULL: there is none, or `of` is no object or NULL. */
const struct smi_json_value *smi_json_get(const struct smi_json_value *of, struct smi_text key);
#define SMI_JSON_GET(of, key) smi_json_get(of, smi_text_of(key))
/* An element of a list, or NULL. */
const struct smi_json_value *smi_json_element(const struct smi_json_value *list, size_t at);
/* Each value that another, or NULL, holds. */
#define SMI_JSON_EACH(c, of)                                                                                \
    for (const struct smi_json_value *c = (of) ? (of) + 1 : NULL, *const c##_end = (of) ? (of) + (of)->size \
                                                                                        : NULL;             \
         c < c##_end; c += c->size)
static inline bool smi_json_is(const struct smi_json_value *v, enum smi_json_kind kind)
{
    return v && v->kind == kind;
}
/* A string's text; empty: it is none. */
static inline struct smi_text smi_json_text_of(const struct smi_json_value *v)
{
    return smi_json_is(v, SMI_JSON_STRING) ? v->f.text : (struct smi_text){"", 0};
}
/* The text of a value that holds no others, of a number as Python prints it; digits is room for that. */
struct smi_text smi_json_plain(const struct smi_json_value *v, char digits[SMI_JSON_DIGITS]);

/* ---- logs of JSON lines ---- */

/* Reads a line as a JSON object; what was read as null is counted and said in a. NULL: it is no such object,
 * and was counted in a as rejected. */
const struct smi_json_value *smi_json_line(struct smi_text line, struct smi_json_values *d,
                                           struct smi_account *a);
/* smi_lines.line and .rows of a format with .entry: a line is an object, a message, or what its .line knows.
 */
int smi_json_only(void *self, struct smi_text line);
size_t smi_json_rows(void *self, const char *p, size_t n);

enum { SMI_JSON_FIELDS = 256 };

/* The flat values of an entry. */
struct smi_json_fields {
    unsigned n;
    bool full; /* it has more than SMI_JSON_FIELDS, and the rest is not here */
    struct smi_field field[SMI_JSON_FIELDS];
    char digits[SMI_JSON_FIELDS][SMI_JSON_DIGITS]; /* texts of numbers */
};
/* Those of the entry at hand of this log, none so far: lent until the next call. */
struct smi_json_fields *smi_json_fields(struct smi_lines *l);
/* Adds a value, if it holds no others. */
void smi_json_field_add(struct smi_json_fields *to, const struct smi_json_value *v, bool in_data);
/* A line that is a mark: its kind and its name are known. time; seconds: how long a phase was, a number, or
 * NULL. Counts the row, and hands it on; that not all of its values are in f is said. */
int smi_json_mark(struct smi_lines *l, struct smi_mark *m, struct smi_text time,
                  const struct smi_json_value *seconds, const struct smi_json_fields *f,
                  struct smi_text line);

/* An object that closes at the end of the line. */
bool smi_json_is_whole(struct smi_text line);

/* Adds a reading of this metric, in the unit smi_units[unit], to the row; if v is none, that is counted in a.
 */
void smi_json_reading(struct smi_sample *row, unsigned metric, unsigned unit, const struct smi_json_value *v,
                      struct smi_account *a);

/* Hands on what entry (with "phase" or "event", borrowed) says of the time, or rejects its line. Returns 0,
 * or -1 with err. */
int smi_samples_mark_read(struct smi_lines *l, struct smi_text time, const struct smi_json_value *entry,
                          struct smi_text line);
