/* jansson parses. What it does not know, and Python does, is hidden from it behind U+0001, which no log has,
 * and if one has, is hidden as well:
 *
 *     in a string    \u0000                   "\u00010000": a key may hold it, too
 *                    \u0001                   "\u00010001": so that what follows a U+0001 is always four
 * digits \udcff without its pair  "\u0001dcff" for a value    NaN, 1e999, 99...9       {"\u0001": "NaN"}: it
 * is no string, or it could stand where a key has to
 *
 * The text of a hidden number is what Python prints: whole numbers have one spelling, and what no double
 * holds is Infinity. All other numbers are a 64 bit integer or a double, and these are printed as Python does
 * (base/real.h). */
#include "export/pytorch_json.h"

#include "base/json.h"

#include "base/json_load.h"
#include "base/real.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    WHOLE_DIGITS = 4300 /* Python's own limit */,
    SAFE_DIGITS = 18,
    LONG_TEXT = 500 /* what real.h takes */
};

/* ---- reading ---- */

/* The four hexadecimal digits at p as a number, or -1. */
static int hex4(const char *p, const char *end)
{
    int v = 0;
    if (end - p < 4)
        return -1;
    for (int i = 0; i < 4; i++) {
        char c = (char)(p[i] | 32);
        if (p[i] >= '0' && p[i] <= '9')
            v = v * 16 + p[i] - '0';
        else if (c >= 'a' && c <= 'f')
            v = v * 16 + c - 'a' + 10;
        else
            return -1;
    }
    return v;
}

static int escape_at(const char *p, const char *end)
{
    return end - p >= 6 && p[0] == '\\' && p[1] == 'u' ? hex4(p + 2, end) : -1;
}

/* Copies the escape at p. Returns what is behind it. */
static const char *scan_escape(struct smi_buf *to, const char *p, const char *end)
{
    int code = escape_at(p, end), low;
    size_t n = code >= 0 ? 6 : end - p >= 2 ? 2 : 1;
    if (code >= 0xD800 && code < 0xDC00) {
        low = escape_at(p + 6, end);
        if (low >= 0xDC00 && low < 0xE000) {
            smi_buf_add(to, p, 12);
            return p + 12;
        }
    }
    if (code == 0 || code == 1 || (code >= 0xD800 && code < 0xE000))
        smi_buf_fmt(to, "\\u0001%04x", (unsigned)code);
    else
        smi_buf_add(to, p, n);
    return p + n;
}

/* Copies the string whose quote stands at p. Returns what is behind it. */
static const char *string(struct smi_buf *to, const char *p, const char *end)
{
    const char *from = p++;
    while (p < end && *p != '"') {
        if (*p != '\\') {
            p++;
            continue;
        }
        smi_buf_add(to, from, (size_t)(p - from));
        from = p = scan_escape(to, p, end);
    }
    p += p < end;
    smi_buf_add(to, from, (size_t)(p - from));
    return p;
}

static void append_hidden(struct smi_buf *to, const char *p, size_t n)
{
    smi_buf_str(to, "{\"\\u0001\":\"");
    smi_buf_add(to, p, n);
    smi_buf_str(to, "\"}");
}

/* Copies the number at p. Returns what is behind it. */
static const char *scan_number(struct smi_buf *to, const char *p, const char *end)
{
    const char *from = p;
    struct smi_text t;
    bool whole = true;
    double v;
    for (; p < end && *p && strchr("0123456789+-.eE", *p); p++)
        whole = whole && *p != '.' && *p != 'e' && *p != 'E';
    t = (struct smi_text){from, (size_t)(p - from)};
    if (!smi_text_is_number(t))
        smi_buf_add(to, t.p, t.n);
    else if (whole && t.n > SAFE_DIGITS && t.n - (*from == '-') <= WHOLE_DIGITS)
        append_hidden(to, t.p, t.n);
    else if (!whole && t.n < LONG_TEXT && smi_real_parse(t, &v) != 0)
        append_hidden(to, *from == '-' ? "-Infinity" : "Infinity", *from == '-' ? 9 : 8);
    else
        smi_buf_add(to, t.p, t.n);
    return p;
}

/* The text as jansson knows it. Returns how deep it is. */
static int hide_values(struct smi_buf *to, struct smi_text text)
{
    const char *p = text.p, *end = p + text.n;
    int depth = 0, deepest = 0;
    size_t n;
    smi_buf_clear(to);
    while (p < end) {
        if (*p == '"') {
            p = string(to, p, end);
        } else if ((n = smi_json_python_word((struct smi_text){p, (size_t)(end - p)})) > 0) {
            append_hidden(to, p, n);
            p += n;
        } else if (*p == '-' || (*p >= '0' && *p <= '9')) {
            p = scan_number(to, p, end);
        } else {
            depth += (*p == '{' || *p == '[') - (*p == '}' || *p == ']');
            deepest = depth > deepest ? depth : deepest;
            smi_buf_char(to, *p++);
        }
    }
    return deepest;
}

int smi_pytorch_json_load(struct smi_text text, struct smi_buf *room, json_t **value, json_error_t *why,
                          struct smi_err *err)
{
    int depth;
    *value = NULL;
    *why = (json_error_t){0};
    if (!smi_text_is_utf8(text)) {
        snprintf(why->text, sizeof why->text, "it is not UTF-8");
        return 0;
    }
    depth = hide_values(room, text);
    if (room->failed)
        return smi_err_nomem(err);
    if (depth > SMI_JSON_DEPTH) {
        snprintf(why->text, sizeof why->text, "deeper than %d levels", SMI_JSON_DEPTH);
        return 0;
    }
    *value = json_loadb(room->n ? room->p : "", room->n, JSON_DECODE_ANY, why);
    return *value || *why->text ? 0 : smi_err_nomem(err); /* a reason for everything but a lack of memory */
}

/* ---- writing ---- */

/* A character that is not itself. */
static void write_special(struct smi_buf *to, const char *p, size_t len)
{
    static const char letters[] = "\bb\ff\nn\rr\tt\"\"\\\\";
    for (const char *l = letters; *l; l += 2)
        if (*p == *l) {
            smi_buf_add(to, (char[]){'\\', l[1]}, 2);
            return;
        }
    smi_json_escape(to, p, len);
}

/* hidden: a U+0001 stands for the four digits behind it. */
static void write_quoted(struct smi_buf *to, struct smi_text t, bool hidden)
{
    smi_buf_char(to, '"');
    for (size_t i = 0, len; i < t.n; i += len) {
        len = smi_text_utf8(t.p + i, t.n - i);
        if (len == 0) {
            smi_buf_str(to, "\\ufffd");
            len = 1;
        } else if (hidden && t.p[i] == 1 && t.n - i >= 5) {
            smi_buf_str(to, "\\u");
            smi_buf_add(to, t.p + i + 1, 4);
            len = 5;
        } else if (len > 1 || t.p[i] < ' ' || strchr("\"\\\x7f", t.p[i])) {
            write_special(to, t.p + i, len);
        } else {
            smi_buf_char(to, t.p[i]);
        }
    }
    smi_buf_char(to, '"');
}

void smi_pytorch_json_quote(struct smi_buf *to, struct smi_text t)
{
    write_quoted(to, t, false);
}

void smi_pytorch_json_dump_string(struct smi_buf *to, struct smi_text t)
{
    write_quoted(to, t, true);
}

static struct smi_text hidden_text(const json_t *v)
{
    return (struct smi_text){json_string_value(v), json_string_length(v)};
}

static void write_scalar(struct smi_buf *to, const json_t *v)
{
    char text[SMI_REAL_TEXT];
    switch (json_typeof(v)) {
    case JSON_STRING:
        smi_pytorch_json_dump_string(to, hidden_text(v));
        return;
    case JSON_INTEGER:
        smi_buf_fmt(to, "%" JSON_INTEGER_FORMAT, json_integer_value(v));
        return;
    case JSON_REAL:
        smi_buf_add(to, text, smi_real_write(text, json_real_value(v)));
        return;
    default:
        smi_buf_str(to, json_is_true(v) ? "true" : json_is_false(v) ? "false" : "null");
    }
}

const char *smi_pytorch_json_wide(const json_t *v)
{
    const json_t *s = json_is_object(v) && json_object_size(v) == 1 ? json_object_get(v, "\x01") : NULL;
    return json_is_string(s) ? json_string_value(s) : NULL;
}

/* At most SMI_JSON_DEPTH deep. */
void smi_pytorch_json_dump(struct smi_buf *to, const json_t *value)
{
    const char *number_text = smi_pytorch_json_wide(value), *key;
    json_t *each;
    size_t i;
    if (number_text) {
        smi_buf_str(to, number_text);
    } else if (json_is_array(value)) {
        smi_buf_char(to, '[');
        json_array_foreach (value, i, each) {
            smi_buf_str(to, i ? ", " : "");
            smi_pytorch_json_dump(to, each);
        }
        smi_buf_char(to, ']');
    } else if (json_is_object(value)) {
        const char *comma = "";
        smi_buf_char(to, '{');
        json_object_foreach ((json_t *)(uintptr_t)value, key, each) {
            smi_buf_str(to, comma);
            smi_pytorch_json_dump_string(to, smi_text_of(key));
            smi_buf_str(to, ": ");
            smi_pytorch_json_dump(to, each);
            comma = ", ";
        }
        smi_buf_char(to, '}');
    } else {
        write_scalar(to, value);
    }
}

bool smi_pytorch_json_is_false(const json_t *v)
{
    if (smi_pytorch_json_wide(v))
        return false; /* a wide number is none, and neither is NaN */
    if (json_is_string(v))
        return json_string_length(v) == 0;
    if (json_is_number(v))
        return json_number_value(v) == 0;
    return !v || json_is_null(v) || json_is_false(v) || (json_is_array(v) && json_array_size(v) == 0) ||
           (json_is_object(v) && json_object_size(v) == 0);
}
