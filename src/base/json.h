/* json.h - our JSON writer: numbers are exact decimal text, never a double; separators as Python's
 * json.dumps. */
#pragma once

#include "base/buf.h"
#include "base/err.h"

#include <jansson.h>

/* Writes into a borrowed buffer; commas are put where they belong. Depth at most 64. */
struct smi_json {
    struct smi_buf *to;
    unsigned depth;
    bool some[64]; /* the level already holds an element */
    bool keyed;    /* a key was just written: the next value belongs to it */
};

void smi_json_begin(struct smi_json *j, struct smi_buf *to);
void smi_json_open(struct smi_json *j, char bracket);  /* '{' or '[' */
void smi_json_close(struct smi_json *j, char bracket); /* '}' or ']' */
void smi_json_key_text(struct smi_json *j, struct smi_text key);
/* Bytes that are not UTF-8 become U+FFFD, one for each bad byte; controls become \u escapes. */
void smi_json_text(struct smi_json *j, struct smi_text t);
void smi_json_str(struct smi_json *j, const char *s); /* NULL gives null */
void smi_json_i128(struct smi_json *j, smi_i128 v);   /* a bare decimal integer of any size */
void smi_json_micro(struct smi_json *j, smi_i128 micro);
void smi_json_null(struct smi_json *j);
void smi_json_bool(struct smi_json *j, bool v);
void smi_json_raw(struct smi_json *j, const char *text); /* already JSON */
/* A key and its value. */
void smi_json_key_micro(struct smi_json *j, struct smi_text key, int64_t micro);
void smi_json_key_i128(struct smi_json *j, struct smi_text key, smi_i128 v);

/* A key of our own, in which nothing has to be escaped, as it stands behind another member of its object. */
#define SMI_JSON_NEXT(key) ", \"" key "\": "
/* Such a member and its value, which is JSON already. */
static inline void smi_json_next_raw(struct smi_json *j, struct smi_text next, struct smi_text value)
{
    char *to = smi_buf_room(j->to, next.n + value.n);
    memcpy(to, next.p, next.n);
    memcpy(to + next.n, value.p, value.n);
    to[next.n + value.n] = 0;
    j->to->n += next.n + value.n;
}
static inline void smi_json_next_micro(struct smi_json *j, struct smi_text next, int64_t micro)
{
    char *to = smi_buf_room(j->to, next.n + SMI_MICRO_TEXT);
    memcpy(to, next.p, next.n);
    j->to->n += next.n + smi_text_write_micro(to + next.n, micro);
}

/* The lengths of keys are known where these are called. */
static inline void smi_json_key(struct smi_json *j, const char *key)
{
    smi_json_key_text(j, smi_text_of(key));
}
/* null unless it has a value */
static inline void smi_json_key_number(struct smi_json *j, const char *key, bool has, smi_i128 micro)
{
    smi_json_key(j, key);
    if (has)
        smi_json_micro(j, micro);
    else
        smi_json_null(j);
}
static inline void smi_json_key_str(struct smi_json *j, const char *key, const char *s)
{
    smi_json_key(j, key);
    smi_json_str(j, s);
}
static inline void smi_json_key_open(struct smi_json *j, const char *key, char bracket)
{
    smi_json_key(j, key);
    smi_json_open(j, bracket);
}
static inline void smi_json_key_int(struct smi_json *j, const char *key, int64_t v)
{
    smi_json_key_i128(j, smi_text_of(key), v);
}
/* null if there is no number. */
static inline void smi_json_key_optional(struct smi_json *j, const char *key, bool has, int64_t v)
{
    smi_json_key(j, key);
    if (has)
        smi_json_i128(j, v);
    else
        smi_json_null(j);
}
static inline void smi_json_key_bool(struct smi_json *j, const char *key, bool v)
{
    smi_json_key(j, key);
    smi_json_bool(j, v);
}

/* JSON that others wrote; formats/json_line.h reads that of logs. */

enum { SMI_JSON_DEPTH = 64, SMI_JSON_DIGITS = 32 };

/* Reads a JSON object of a user's own from a file: UTF-8, at most 1 MiB. what: for messages, as "--rules".
 * *object: a fresh reference, yours. Returns 0, or -1 with err: SMI_EUSAGE, which names what, path and
 * reason. */
int smi_json_load_file(const char *what, const char *path, json_t **object, struct smi_err *err);
/* How deep braces and brackets are behind a line that begins so deep; a string ends where its line ends.
 * Above SMI_JSON_DEPTH it is not counted further. */
int smi_json_depth(int depth, struct smi_text line);
/* Is it JSON that has this key (with its quotes), anywhere with a value that begins so, or (0) in the outer
 * object with any value? For sniffing: also on cut lines and on lines with NaN. */
bool smi_json_has_key(struct smi_text line, const char *key, char begin);
/* A JSON number in millionths, from the shortest digits that give it again. Returns whether it is one and
 * fits. */
bool smi_json_number(const json_t *v, int64_t *micro);
bool smi_json_real(double v, int64_t *micro);
/* The same of a number's text. */
bool smi_json_text_number(struct smi_text t, int64_t *micro);
