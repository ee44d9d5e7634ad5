/* json.c - JSON, written and read */
#include "base/json.h"
#include "base/mem.h"
#include "base/file.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { LEVELS = sizeof((struct smi_json *)0)->some / sizeof(bool) };

void smi_json_begin(struct smi_json *j, struct smi_buf *to)
{
    *j = (struct smi_json){.to = to};
}

/* The mark of the innermost level. Deeper than LEVELS is a programmer's error, but never a stray write. */
static bool *level_has_elements(struct smi_json *j)
{
    return &j->some[(j->depth - 1) % LEVELS];
}

/* Room for a separator and n bytes more, and the separator that has to stand before a value or a key. The
 * bytes are the caller's to count. */
static inline char *begin_value(struct smi_json *j, size_t n)
{
    char *to = smi_buf_room(j->to, n + 2);
    bool *mark = level_has_elements(j), first = j->keyed || !j->depth || !*mark;
    *mark |= !j->keyed; /* without a level nobody looks */
    j->keyed = false;
    if (first)
        return to;
    memcpy(to, ", ", 2);
    j->to->n += 2;
    return to + 2;
}

void smi_json_open(struct smi_json *j, char bracket)
{
    assert(bracket == '{' || bracket == '[');
    assert(j->depth < LEVELS);
    smi_json_raw(j, (char[]){bracket, 0});
    j->depth++;
    *level_has_elements(j) = false;
}

void smi_json_close(struct smi_json *j, char bracket)
{
    assert(bracket == '}' || bracket == ']');
    assert(j->depth > 0 && !j->keyed);
    smi_buf_char(j->to, bracket);
    j->depth--;
}

/* \uNNNN, or two of them. */
static void append_unicode_escape(struct smi_buf *to, int c)
{
    if (c > 0xFFFF)
        append_unicode_escape(to, 0xD800 | (c - 0x10000) >> 10);
    smi_buf_fmt(to, "\\u%04x", (unsigned)(c > 0xFFFF ? 0xDC00 | (c & 0x3FF) : c));
}

/* A text without its quotes, in which some bytes cannot stand as they are. */
static void append_odd(struct smi_buf *to, struct smi_text t)
{
    size_t i = 0, from = 0, len;
    while (i < t.n) {
        len = smi_text_utf8(t.p + i, t.n - i);
        if (len && t.p[i] != '"' && t.p[i] != '\\' && smi_text_unprintable(t.p + i, len) < 0) {
            i += len;
            continue;
        }
        smi_buf_add(to, t.p + from, i - from);
        if (len == 0) /* a byte that is not UTF-8 */
            smi_buf_str(to, "\xEF\xBF\xBD");
        else if (t.p[i] == '"' || t.p[i] == '\\')
            smi_buf_add(to, (char[]){'\\', t.p[i]}, 2);
        else
            append_unicode_escape(to, smi_text_unprintable(t.p + i, len));
        from = i += len ? len : 1;
    }
    smi_buf_add(to, t.p + from, i - from);
}

/* Has one of eight bytes to be escaped: controls, the quote, the backslash, and what is not ASCII? */
static bool is_special(uint64_t x)
{
    const uint64_t ones = SMI_EVERY_BYTE(1);
    const uint64_t quote = x ^ ones * '"', back = x ^ ones * '\\';
    return ((x | (x + ones) | (x - ones * ' ') | (quote - ones) | (back - ones)) & ones << 7) != 0;
}

/* A text in quotes, and what stands behind it. */
static inline void append_text(struct smi_json *j, struct smi_text t, struct smi_text behind)
{
    char *to = begin_value(j, t.n + behind.n);
    size_t n = 0;
    *to++ = '"';
    for (; n + 8 <= t.n && !is_special(smi_text_word8(t.p + n)); n += 8)
        memcpy(to + n, t.p + n, 8);
    if (n && n + 8 > t.n && !is_special(smi_text_word8(t.p + t.n - 8))) { /* some of them once more */
        memcpy(to + t.n - 8, t.p + t.n - 8, 8);
        n = t.n;
    }
    for (; n < t.n && t.p[n] >= ' ' && t.p[n] < 0x7F && t.p[n] != '"' && t.p[n] != '\\'; n++)
        to[n] = t.p[n]; /* nearly all there is */
    j->to->n += n + 1;
    if (n < t.n)
        append_odd(j->to, smi_text_from(t, n));
    memcpy(smi_buf_room(j->to, behind.n), behind.p, behind.n + 1);
    j->to->n += behind.n;
}

void smi_json_key_text(struct smi_json *j, struct smi_text key)
{
    assert(j->depth > 0 && !j->keyed);
    append_text(j, key, (struct smi_text){"\": ", 3});
    j->keyed = true;
}

void smi_json_key_micro(struct smi_json *j, struct smi_text key, int64_t micro)
{
    smi_json_key_text(j, key);
    smi_json_micro(j, micro);
}

void smi_json_key_i128(struct smi_json *j, struct smi_text key, smi_i128 v)
{
    smi_json_key_text(j, key);
    smi_json_i128(j, v);
}

void smi_json_text(struct smi_json *j, struct smi_text t)
{
    append_text(j, t, (struct smi_text){"\"", 1});
}

void smi_json_raw(struct smi_json *j, const char *text)
{
    size_t n = strlen(text);
    memcpy(begin_value(j, n), text, n + 1);
    j->to->n += n;
}

void smi_json_null(struct smi_json *j)
{
    smi_json_raw(j, "null");
}

void smi_json_bool(struct smi_json *j, bool v)
{
    smi_json_raw(j, v ? "true" : "false");
}

void smi_json_str(struct smi_json *j, const char *s)
{
    if (s)
        smi_json_text(j, smi_text_of(s));
    else
        smi_json_null(j);
}

void smi_json_i128(struct smi_json *j, smi_i128 v)
{
    char *to = begin_value(j, SMI_I128_TEXT);
    j->to->n += smi_i128_write(to, v);
}

void smi_json_micro(struct smi_json *j, smi_i128 micro)
{
    char *to = begin_value(j, SMI_MICRO_TEXT);
    j->to->n += smi_text_write_micro(to, micro);
}

int smi_json_depth(int depth, struct smi_text line)
{
    bool quoted = false, escaped = false;
    for (size_t i = 0; i < line.n && depth <= SMI_JSON_DEPTH; i++) {
        const char c = line.p[i];
        if (!quoted)
            depth += (c == '{' || c == '[') - (c == '}' || c == ']');
        if (c == '"' && !escaped)
            quoted = !quoted;
        escaped = quoted && c == '\\' && !escaped;
    }
    return depth;
}

bool smi_json_has_key(struct smi_text line, const char *key, char begin)
{
    struct smi_text t = smi_text_trim(line), rest;
    const bool json = t.n && memchr("[{\"", *t.p, 3);
    int depth = 0;
    for (const char *at; json && (at = memmem(t.p, t.n, key, strlen(key)));) {
        depth = smi_json_depth(depth, smi_text_between(t.p, at));
        t = smi_text_from(t, (size_t)(at - t.p) + strlen(key));
        rest = smi_text_trim(t);
        if (rest.n && *rest.p == ':' &&
            (begin ? rest.n > 1 && *smi_text_trim(smi_text_from(rest, 1)).p == begin : depth == 1))
            return true;
    }
    return false;
}

bool smi_json_real(double v, int64_t *micro)
{
    char text[SMI_REAL_TEXT];
    const double micros = nearbyint(v * 1e6);
    if (fabs(micros) < 1e15 && micros / 1e6 == v) { /* no other 15 digits are this number */
        *micro = (int64_t)micros;
        return true;
    }
    return smi_text_parse_scaled((struct smi_text){text, smi_real_write(text, v)}, 1000000, 1, micro) == 0;
}

bool smi_json_number(const json_t *v, int64_t *micro)
{
    if (json_is_integer(v))
        return !__builtin_mul_overflow((int64_t)json_integer_value(v), (int64_t)1000000, micro);
    return json_is_real(v) && smi_json_real(json_real_value(v), micro);
}

bool smi_json_text_number(struct smi_text t, int64_t *micro)
{
    return smi_text_parse_micro(t, micro) == 0 ||
           (smi_text_is_number(t) && smi_text_parse_scaled(t, 1000000, 1, micro) == 0);
}

enum { FILE_MAX = 1 << 20 };

int smi_json_load_file(const char *what, const char *path, json_t **object, struct smi_err *err)
{
    struct smi_buf text = {0};
    struct smi_err unread = {0};
    json_error_t why = {0};
    int rc = 0;
    *object = NULL;
    smi_buf_char(&text, ' '); /* of an empty file there is a text, too */
    if (smi_file_read_all(&text, path, FILE_MAX, &unread))
        rc = smi_err_set(err, SMI_EUSAGE, "%s: %s", what, unread.text);
    else if (text.n > FILE_MAX + 1)
        rc = smi_err_set(err, SMI_EUSAGE, "%s %.200s: is longer than 1 MiB", what, path);
    else if (smi_json_depth(0, (struct smi_text){text.p, text.n}) > SMI_JSON_DEPTH) /* the parser recurses */
        rc = smi_err_set(err, SMI_EUSAGE, "%s %.200s: is deeper than %d levels", what, path, SMI_JSON_DEPTH);
    else if (!json_is_object(*object = json_loadb(text.p, text.n, JSON_ALLOW_NUL, &why)))
        rc = smi_err_set(err, SMI_EUSAGE, "%s %.200s: is no JSON object%s%.160s", what, path,
                         *why.text ? ": " : "", why.text);
    if (rc) {
        json_decref(*object);
        *object = NULL;
    }
    smi_buf_fini(&text);
    return rc;
}
