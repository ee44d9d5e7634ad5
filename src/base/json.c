#include "base/json.h"

#include <assert.h>

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

/* What has to stand before a value or a key. */
static void separate(struct smi_json *j)
{
    if (!j->keyed && j->depth) {
        if (*some(j))
            smi_buf_add(j->to, ", ", 2);
        *some(j) = true;
    }
    j->keyed = false;
}

void smi_json_open(struct smi_json *j, char bracket)
{
    assert(bracket == '{' || bracket == '[');
    assert(j->depth < LEVELS);
    separate(j);
    smi_buf_char(j->to, bracket);
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

static void quoted(struct smi_buf *to, struct smi_text t)
{
    size_t i = 0, from = 0, len;
    smi_buf_char(to, '"');
    while (i < t.n) {
        if (t.p[i] >= ' ' && t.p[i] <= '~' && t.p[i] != '"' && t.p[i] != '\\') {
            i++;
            continue;
        }
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

void smi_json_key(struct smi_json *j, const char *key)
{
    assert(j->depth > 0 && !j->keyed);
    separate(j);
    quoted(j->to, smi_text_of(key));
    smi_buf_add(j->to, ": ", 2);
    j->keyed = true;
}

void smi_json_text(struct smi_json *j, struct smi_text t)
{
    separate(j);
    quoted(j->to, t);
}

void smi_json_raw(struct smi_json *j, const char *text)
{
    separate(j);
    smi_buf_str(j->to, text);
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
    char t[SMI_WIDE_TEXT];
    smi_wide_put(t, v);
    smi_json_raw(j, t);
}

void smi_json_int(struct smi_json *j, int64_t v)
{
    smi_json_wide(j, v);
}

void smi_json_micro(struct smi_json *j, smi_i128 micro)
{
    char t[SMI_MICRO_TEXT];
    smi_text_put_micro(t, micro);
    smi_json_raw(j, t);
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
