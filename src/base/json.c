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

/* Where a walk over JSON bytes stands. */
struct walk {
    bool quoted, escaped;
    int depth;
};

static void track_nesting(struct walk *w, char c)
{
    if (w->quoted) {
        bool end = c == '"' && !w->escaped;
        w->escaped = c == '\\' && !w->escaped;
        w->quoted = !end;
        return;
    }
    w->quoted = c == '"';
    w->depth += (c == '{' || c == '[') - (c == '}' || c == ']');
}

int smi_json_depth(int depth, struct smi_text line)
{
    struct walk w = {.depth = depth};
    for (size_t i = 0; i < line.n && w.depth <= SMI_JSON_DEPTH; i++)
        track_nesting(&w, line.p[i]);
    return w.depth;
}

bool smi_json_has_key(struct smi_text line, const char *key)
{
    size_t k = strlen(key);
    struct walk w = {0};
    for (size_t i = 0; i + k < line.n; i++) {
        if (w.depth == 1 && !w.quoted && memcmp(line.p + i, key, k) == 0) {
            struct smi_text rest = smi_text_trim((struct smi_text){line.p + i + k, line.n - i - k});
            if (rest.n && *rest.p == ':')
                return true;
        }
        track_nesting(&w, line.p[i]);
    }
    return false;
}

size_t smi_json_python_word(struct smi_text t)
{
    static const char *const words[] = {"NaN", "Infinity", "-Infinity"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t n = strlen(words[i]);
        if (t.n >= n && memcmp(t.p, words[i], n) == 0)
            return n;
    }
    return 0;
}

/* Is the number t wider than what the parser knows: 64 bits, or a double? */
static bool is_wide(struct smi_text t)
{
    const char *most = *t.p == '-' ? "9223372036854775808" : "9223372036854775807";
    struct smi_text size = *t.p == '-' ? (struct smi_text){t.p + 1, t.n - 1} : t;
    char text[500];
    if (!smi_text_is_number(t))
        return false;
    if (!memchr(t.p, '.', t.n) && !memchr(t.p, 'e', t.n) && !memchr(t.p, 'E', t.n))
        return size.n > 19 || (size.n == 19 && memcmp(size.p, most, 19) > 0);
    if (t.n >= sizeof text)
        return false;
    smi_text_copy(text, sizeof text, t);
    return isinf(strtod(text, NULL));
}

/* Copies the text into b as the parser knows it, strings apart. *lost: how many words were made null; NULL:
 * they are hidden, as wide numbers are. Returns how many were hidden. */
static size_t replace_unknown_numbers(struct smi_buf *b, struct smi_text text, size_t *lost)
{
    struct walk w = {0};
    size_t from = 0, hidden = 0, n = 0;
    smi_buf_clear(b);
    for (size_t i = 0; i < text.n;) {
        struct smi_text t = {text.p + i, text.n - i};
        bool word = !w.quoted && (n = smi_json_python_word(t)) > 0;
        bool number = !w.quoted && !word && (*t.p == '-' || smi_is_digit(*t.p));
        n = number ? smi_text_span(t, "0123456789+-.eE") : n;
        if (!word && !(number && is_wide((struct smi_text){t.p, n}))) {
            for (n = number ? n : 1; n; n--)
                track_nesting(&w, text.p[i++]);
            continue;
        }
        smi_buf_add(b, text.p + from, i - from);
        if (word && lost) {
            smi_buf_str(b, "null");
            ++*lost;
        } else { /* a key that nobody writes */
            smi_buf_fmt(b, "{\"\\u0001\":\"%.*s\"}", (int)n, t.p);
            hidden++;
        }
        from = i += n;
    }
    smi_buf_add(b, text.p + from, text.n - from);
    return hidden;
}

bool smi_json_big_number(const json_t *v, struct smi_text *digits)
{
    const json_t *s = json_is_object(v) && json_object_size(v) == 1 ? json_object_get(v, "\x01") : NULL;
    if (!json_is_string(s))
        return false;
    *digits = (struct smi_text){json_string_value(s), json_string_length(s)};
    return smi_text_is_number(*digits);
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

size_t smi_json_digits(const json_t *v, char out[SMI_JSON_DIGITS])
{
    if (json_is_integer(v))
        return (size_t)snprintf(out, SMI_JSON_DIGITS, "%" JSON_INTEGER_FORMAT, json_integer_value(v));
    return smi_real_write(out, json_real_value(v));
}

void smi_json_load(struct smi_text text, struct smi_buf *repaired, json_t **value, size_t *lost,
                   json_error_t *why)
{
    *value = NULL;
    if (lost)
        *lost = 0;
    if (smi_json_depth(0, text) > SMI_JSON_DEPTH) { /* the parser recurses */
        snprintf(why->text, sizeof why->text, "deeper than %d levels", SMI_JSON_DEPTH);
        return;
    }
    *value = json_loadb(text.p, text.n, JSON_ALLOW_NUL, why);
    if (*value)
        return;
    if (replace_unknown_numbers(repaired, text, lost) || (lost && *lost))
        *value = json_loadb(repaired->p, repaired->n, JSON_ALLOW_NUL, why);
    if (!*value && !*why->text) /* jansson gives a reason for everything else */
        smi_mem_exhausted();
}

enum { FILE_MAX = 1 << 20 };

int smi_json_load_file(const char *what, const char *path, json_t **object, struct smi_err *err)
{
    struct smi_buf text = {0}, repaired = {0};
    struct smi_err unread = {0};
    json_error_t why = {0};
    size_t lost = 0;
    int rc = 0;
    *object = NULL;
    if (smi_file_read_all(&text, path, FILE_MAX, &unread))
        rc = smi_err_set(err, SMI_EUSAGE, "%s: %s", what, unread.text);
    else if (text.n > FILE_MAX)
        rc = smi_err_set(err, SMI_EUSAGE, "%s %.200s: is longer than 1 MiB", what, path);
    const struct smi_text t = {text.p ? text.p : "", text.n};
    if (!rc && !smi_text_is_utf8(t))
        rc = smi_err_set(err, SMI_EUSAGE, "%s %.200s: is not UTF-8", what, path);
    if (!rc)
        smi_json_load(t, &repaired, object, &lost, &why);
    if (!rc && (!json_is_object(*object) || lost))
        rc = smi_err_set(err, SMI_EUSAGE, "%s %.200s: is no JSON object%s%.160s", what, path,
                         *why.text ? ": " : "", why.text);
    if (rc) {
        json_decref(*object);
        *object = NULL;
    }
    smi_buf_fini(&text);
    smi_buf_fini(&repaired);
    return rc;
}
