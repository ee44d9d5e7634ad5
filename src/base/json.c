#include "base/json.h"

#include <assert.h>
#include <string.h>

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

/* Room for a separator and n bytes more, and the separator that has to stand before a value or a key; NULL
 * without memory. The bytes are the caller's to count. */
static inline char *begin_value(struct smi_json *j, size_t n)
{
    char *to = smi_buf_room(j->to, n + 2);
    bool *mark = level_has_elements(j), first = j->keyed || !j->depth || !*mark;
    *mark |= !j->keyed; /* without a level nobody looks */
    j->keyed = false;
    if (!to || first)
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
    static const char hex[] = "0123456789abcdef";
    int low = c > 0xFFFF ? 0xDC00 | (c & 0x3FF) : c;
    char t[6] = {'\\', 'u', hex[low >> 12 & 15], hex[low >> 8 & 15], hex[low >> 4 & 15], hex[low & 15]};
    if (c > 0xFFFF)
        append_unicode_escape(to, 0xD800 | (c - 0x10000) >> 10);
    smi_buf_add(to, t, sizeof t);
}

/* One character that cannot stand as it is. len 0: a byte that is not UTF-8. */
static void append_special(struct smi_buf *to, const char *p, size_t len)
{
    if (len == 0)
        smi_buf_str(to, "\xEF\xBF\xBD");
    else if (*p == '"' || *p == '\\')
        smi_buf_add(to, (char[]){'\\', *p}, 2);
    else
        append_unicode_escape(to, smi_text_unprintable(p, len));
}

/* A text in quotes in which some bytes cannot stand as they are. */
static void append_quoted(struct smi_buf *to, struct smi_text t)
{
    size_t i = 0, from = 0, len;
    smi_buf_char(to, '"');
    while (i < t.n) {
        len = smi_text_utf8(t.p + i, t.n - i);
        if (len && t.p[i] != '"' && t.p[i] != '\\' && smi_text_unprintable(t.p + i, len) < 0) {
            i += len;
            continue;
        }
        smi_buf_add(to, t.p + from, i - from);
        append_special(to, t.p + i, len);
        from = i += len ? len : 1;
    }
    if (i > from)
        smi_buf_add(to, t.p + from, i - from);
    smi_buf_char(to, '"');
}

/* Has one of eight bytes to be escaped: controls, the quote, the backslash, and what is not ASCII? */
static bool is_special(uint64_t x)
{
    const uint64_t ones = 0x0101010101010101u, tops = ones << 7;
    uint64_t quote = x ^ ones * '"', back = x ^ ones * '\\', low = x - ones * ' ', high = x + ones;
    return ((x | high | low | (quote - ones) | (back - ones)) & tops) != 0;
}

/* Copies n bytes. Returns whether all of them can stand in quotes as they are. The last ones may be copied
 * twice. */
static inline bool copy_plain(char *to, const char *p, size_t n)
{
    uint64_t x = 0x2020202020202020u;
    bool odd = false;
    if (n >= 8) {
        for (size_t i = 0; i < n - 8; i += 8) {
            memcpy(&x, p + i, 8);
            memcpy(to + i, &x, 8);
            odd |= is_special(x);
        }
        memcpy(&x, p + n - 8, 8);
        memcpy(to + n - 8, &x, 8);
    } else if (n >= 4) {
        memcpy(&x, p, 4);
        memcpy((char *)&x + 4, p + n - 4, 4);
        memcpy(to, &x, 4);
        memcpy(to + n - 4, (char *)&x + 4, 4);
    } else {
        for (size_t k = 0; k < n; k++)
            ((char *)&x)[k] = to[k] = p[k];
    }
    return !odd && !is_special(x);
}

/* A text in quotes, of a key with its colon, and room for `room` bytes more, which begins where this points
 * to; NULL without memory. */
static inline char *text(struct smi_json *j, struct smi_text t, bool key, size_t room)
{
    static const char colon[] = "\": ", plain[] = "\"";
    char *to = begin_value(j, t.n + sizeof colon + room);
    if (!to)
        return NULL;
    to[0] = '"';
    if (!copy_plain(to + 1, t.p, t.n)) {
        append_quoted(j->to, t);
        smi_buf_str(j->to, key ? colon + 1 : "");
        return smi_buf_room(j->to, room);
    }
    to += 1 + t.n;
    memcpy(to, key ? colon : plain, key ? sizeof colon : sizeof plain);
    j->to->n += t.n + (key ? sizeof colon : sizeof plain); /* the NUL for the quote in front */
    return to + (key ? sizeof colon : sizeof plain) - 1;
}

/* A key, and room for a value behind it. */
static char *append_key(struct smi_json *j, struct smi_text key, size_t room)
{
    assert(j->depth > 0 && !j->keyed);
    return text(j, key, true, room);
}

void smi_json_key_text(struct smi_json *j, struct smi_text key)
{
    append_key(j, key, 0);
    j->keyed = true;
}

void smi_json_key_micro(struct smi_json *j, struct smi_text key, int64_t micro)
{
    char *to = append_key(j, key, SMI_MICRO_TEXT);
    if (to)
        j->to->n += smi_text_write_micro(to, micro);
}

void smi_json_key_i128(struct smi_json *j, struct smi_text key, smi_i128 v)
{
    char *to = append_key(j, key, SMI_I128_TEXT);
    if (to)
        j->to->n += smi_i128_write(to, v);
}

void smi_json_text(struct smi_json *j, struct smi_text t)
{
    text(j, t, false, 0);
}

void smi_json_raw(struct smi_json *j, const char *text)
{
    size_t n = strlen(text);
    char *to = begin_value(j, n);
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

void smi_json_i128(struct smi_json *j, smi_i128 v)
{
    char *to = begin_value(j, SMI_I128_TEXT);
    if (to)
        j->to->n += smi_i128_write(to, v);
}

void smi_json_int(struct smi_json *j, int64_t v)
{
    smi_json_i128(j, v);
}

void smi_json_micro(struct smi_json *j, smi_i128 micro)
{
    char *to = begin_value(j, SMI_MICRO_TEXT);
    if (to)
        j->to->n += smi_text_write_micro(to, micro);
}

static void new_line(struct smi_buf *to, size_t depth)
{
    smi_buf_fmt(to, "\n%*s", (int)depth, "");
}

/* Behind the quote that closes the text which begins at p. */
static const char *text_end(const char *p, const char *end)
{
    for (p++; p < end && *p != '"'; p++)
        p += *p == '\\' && p + 1 < end;
    return p < end ? p + 1 : end;
}

void smi_json_escape(struct smi_buf *to, const char *p, size_t len)
{
    static const unsigned char first[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    unsigned c = (unsigned char)*p & first[len];
    for (size_t i = 1; i < len; i++)
        c = c << 6 | ((unsigned char)p[i] & 0x3F);
    if (c > 0xFFFF) {
        smi_buf_fmt(to, "\\u%04x", 0xD800 | (c - 0x10000) >> 10);
        c = 0xDC00 | (c & 0x3FF);
    }
    smi_buf_fmt(to, "\\u%04x", c);
}

static void add_in_ascii(struct smi_buf *to, const char *p, size_t n)
{
    for (size_t i = 0, len; i < n; i += len ? len : 1) { /* never 0: the writer writes UTF-8 */
        len = smi_text_utf8(p + i, n - i);
        if (len > 1 || p[i] == 0x7f)
            smi_json_escape(to, p + i, len);
        else
            smi_buf_char(to, p[i]);
    }
}

/* Appends the JSON that this writer wrote with a line for each value, indented by one blank a level: as
 * Python's json.dumps(indent=1), in ASCII, without a newline at its end. */
static void indent_json(struct smi_buf *to, struct smi_text json)
{
    const char *p = json.p, *end = p + json.n, *from;
    size_t depth = 0;
    while (p < end) {
        bool opens = *p == '{' || *p == '[', closes = *p == '}' || *p == ']';
        if (opens && p + 1 < end &&
            p[1] == *p + 2) { /* an empty one; in ASCII the brackets of a pair are two apart */
            smi_buf_add(to, p, 2);
            p += 2;
        } else if (opens || closes || *p == ',') {
            depth += opens;
            depth -= closes;
            if (!closes)
                smi_buf_char(to, *p);
            new_line(to, depth);
            if (closes)
                smi_buf_char(to, *p);
            p += *p == ',' && p + 1 < end ? 2 : 1;
        } else {
            from = p;
            if (*p == '"')
                p = text_end(p, end);
            else
                for (; p < end && !strchr("{}[],\"", *p); p++)
                    ;
            add_in_ascii(to, from, (size_t)(p - from));
        }
    }
}

void smi_json_end_indented(struct smi_buf *to, struct smi_buf *line)
{
    if (!line->failed)
        indent_json(to, (struct smi_text){line->p, line->n});
    to->failed |= line->failed;
    smi_buf_fini(line);
}
