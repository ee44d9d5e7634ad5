#include "base/json.h"

#include <assert.h>
#include <string.h>

enum { LEVELS = sizeof((struct smi_json *)0)->some / sizeof(bool) };

void smi_json_begin(struct smi_json *j, struct smi_buf *to)
{
    *j = (struct smi_json){.to = to};
}

/* The mark of the innermost level. Deeper than LEVELS is a programmer's error, but never a stray write. */
static bool *some(struct smi_json *j)
{
    return &j->some[(j->depth - 1) % LEVELS];
}

/* What has to stand before a value or a key, written to `to`, which has room for it. Returns its length. */
static size_t separate(struct smi_json *j, char *to)
{
    size_t n = 0;
    if (!j->keyed && j->depth) {
        if (*some(j)) {
            to[n++] = ',';
            to[n++] = ' ';
        }
        *some(j) = true;
    }
    j->keyed = false;
    return n;
}

/* Room for a separator and n bytes more, and the separator; NULL without memory. The bytes are the caller's to
 * count. */
static char *begin(struct smi_json *j, size_t n)
{
    char none[2], *to = smi_buf_room(j->to, n + 2);
    size_t before = separate(j, to ? to : none);
    if (!to)
        return NULL;
    j->to->n += before;
    return to + before;
}

void smi_json_open(struct smi_json *j, char bracket)
{
    assert(bracket == '{' || bracket == '[');
    assert(j->depth < LEVELS);
    smi_json_raw(j, (char[]){bracket, 0});
    j->depth++;
    *some(j) = false;
}

void smi_json_close(struct smi_json *j, char bracket)
{
    assert(bracket == '}' || bracket == ']');
    assert(j->depth > 0 && !j->keyed);
    smi_buf_char(j->to, bracket);
    j->depth--;
}

/* \uNNNN; everything that is written so lies below U+10000. */
static void escape(struct smi_buf *to, int c)
{
    static const char hex[] = "0123456789abcdef";
    char t[6] = {'\\', 'u', hex[c >> 12 & 15], hex[c >> 8 & 15], hex[c >> 4 & 15], hex[c & 15]};
    smi_buf_add(to, t, sizeof t);
}

/* One character that cannot stand as it is. len 0: a byte that is not UTF-8. */
static void special(struct smi_buf *to, const char *p, size_t len)
{
    if (len == 0)
        smi_buf_str(to, "\xEF\xBF\xBD");
    else if (*p == '"' || *p == '\\')
        smi_buf_add(to, (char[]){'\\', *p}, 2);
    else
        escape(to, smi_text_hidden(p, len));
}

/* A text in quotes of which the first `plain` bytes can stand as they are. */
static void quoted(struct smi_buf *to, struct smi_text t, size_t plain)
{
    size_t i = plain, from = 0, len;
    smi_buf_char(to, '"');
    while (i < t.n) {
        len = smi_text_utf8(t.p + i, t.n - i);
        if (len && t.p[i] != '"' && t.p[i] != '\\' && smi_text_hidden(t.p + i, len) < 0) {
            i += len;
            continue;
        }
        smi_buf_add(to, t.p + from, i - from);
        special(to, t.p + i, len);
        from = i += len ? len : 1;
    }
    if (i > from)
        smi_buf_add(to, t.p + from, i - from);
    smi_buf_char(to, '"');
}

/* Bytes that cannot stand in quotes as they are: controls, the quote, the backslash, and what is not ASCII. */
static const unsigned char special_of[256] = {
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
};

/* A text in quotes, as nearly all are: what can stand as it is, at once. `more` is put behind it. */
static void text(struct smi_json *j, struct smi_text t, const char *more, size_t n)
{
    char *to = begin(j, t.n + 2 + n);
    size_t i = 0;
    if (!to)
        return;
    to[0] = '"';
    for (; i < t.n && !special_of[(unsigned char)t.p[i]]; i++)
        to[i + 1] = t.p[i];
    if (i < t.n) {
        quoted(j->to, t, i);
        smi_buf_add(j->to, more, n);
        return;
    }
    to[i + 1] = '"';
    memcpy(to + i + 2, more, n + 1);
    j->to->n += t.n + 2 + n;
}

void smi_json_key(struct smi_json *j, const char *key)
{
    assert(j->depth > 0 && !j->keyed);
    text(j, smi_text_of(key), ": ", 2);
    j->keyed = true;
}

void smi_json_text(struct smi_json *j, struct smi_text t)
{
    text(j, t, "", 0);
}

void smi_json_raw(struct smi_json *j, const char *text)
{
    size_t n = strlen(text);
    char *to = begin(j, n);
    if (!to)
        return;
    memcpy(to, text, n + 1);
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

void smi_json_wide(struct smi_json *j, smi_i128 v)
{
    char *to = begin(j, SMI_WIDE_TEXT);
    if (to)
        j->to->n += smi_wide_put(to, v);
}

void smi_json_int(struct smi_json *j, int64_t v)
{
    smi_json_wide(j, v);
}

void smi_json_micro(struct smi_json *j, smi_i128 micro)
{
    char *to = begin(j, SMI_MICRO_TEXT);
    if (to)
        j->to->n += smi_text_put_micro(to, micro);
}

void smi_json_key_str(struct smi_json *j, const char *key, const char *s)
{
    smi_json_key(j, key);
    smi_json_str(j, s);
}

void smi_json_key_int(struct smi_json *j, const char *key, int64_t v)
{
    smi_json_key(j, key);
    smi_json_int(j, v);
}

void smi_json_key_bool(struct smi_json *j, const char *key, bool v)
{
    smi_json_key(j, key);
    smi_json_bool(j, v);
}
