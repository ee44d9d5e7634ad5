/* json_fast.c - lines of JSON as slices of the line, without a tree. */
#include "base/mem.h"
#include "formats/json_line.h"

#include <string.h>

enum { DIGITS = 15 /* decimal digits that every double gives again */ };

static const char *skip_blanks(const char *p, const char *end)
{
    while (p < end && (*p == ' ' || *p == '\t'))
        p++;
    return p;
}

/* Are all bytes printable ASCII? Eight at a time; a shorter text is no entry of a log. *escapes: perhaps
 * there are some. */
static bool is_printable(struct smi_text t, bool *escapes)
{
    const uint64_t ones = 0x0101010101010101u;
    uint64_t x, odd = 0, slash = 0;
    for (size_t i = 0; t.n >= 8 && i < t.n; i += 8) {
        memcpy(&x, t.p + (i + 8 < t.n ? i : t.n - 8), 8);
        odd |= x | (x + ones) | (x - ones * ' ');
        slash |= (x ^ ones * '\\') - ones;
    }
    *escapes = slash & ones << 7;
    return t.n >= 8 && !(odd & ones << 7);
}

/* Decodes a text with escapes, which is no longer then. Returns false if one is wrong. */
static bool decode(struct smi_json_values *v, struct smi_text *t, size_t line)
{
    json_t *text = json_loadb(t->p - 1, t->n + 2, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
    const bool good = json_is_string(text);
    if (good) {
        if (v->used == 0)
            smi_mem_reserve(&v->decoded, &v->cap, line, 1);
        t->n = json_string_length(text);
        t->p = memcpy(v->decoded + v->used, json_string_value(text), t->n);
        v->used += t->n;
    }
    json_decref(text);
    return good;
}

/* The text behind the quote at p. Returns what is behind its other quote; NULL: it has none. */
static const char *take_string(const char *p, const char *end, struct smi_text *t)
{
    const char *quote = p, *back;
    do {
        quote = memchr(quote, '"', (size_t)(end - quote));
        for (back = quote; back && back > p && back[-1] == '\\';)
            back--;
    } while (quote && (quote - back) % 2 && quote++);
    if (!quote)
        return NULL;
    *t = (struct smi_text){p, (size_t)(quote - p)};
    return quote + 1;
}

/* A number that reads the same when it is written again, but for zeros at its end: no exponent, not 1e-05. */
static bool read_number(struct smi_text t, struct smi_field *f)
{
    const char *whole = t.p + (t.n && *t.p == '-'), *last = t.p + t.n, *dot, *end;
    dot = end = whole + smi_text_digits((struct smi_text){whole, (size_t)(last - whole)});
    if (dot == whole || (*whole == '0' && dot > whole + 1))
        return false;
    if (dot < last) {
        end = last;
        while (end > dot + 2 && end[-1] == '0')
            end--;
        if (*whole == '0' && end - dot > 4 && memcmp(dot + 1, "0000", 4) == 0)
            return false;
    }
    f->text = (struct smi_text){t.p, (size_t)(end - t.p)};
    if (end - whole > DIGITS || smi_text_parse_micro(f->text, &f->micro) || (whole > t.p && !f->micro))
        return false;
    return f->number = true;
}

enum smi_json_member smi_json_next(struct smi_text *t, struct smi_field *f, bool *plain)
{
    const char *end = t->p + t->n, *p = skip_blanks(t->p, end), *from;
    bool more;
    f->number = false;
    if (p == end || *p != '"' || !(p = take_string(p + 1, end, &f->key)))
        return SMI_JSON_NONE;
    p = skip_blanks(p, end);
    if (p == end || *p != ':' || (p = skip_blanks(p + 1, end)) == end)
        return SMI_JSON_NONE;
    if (*p == '{') {
        *t = (struct smi_text){p + 1, (size_t)(end - p - 1)};
        return SMI_JSON_OBJECT;
    }
    f->quoted = *p == '"';
    if (f->quoted) {
        if (!(p = take_string(p + 1, end, &f->text)))
            return SMI_JSON_NONE;
    } else {
        for (from = p; p<end && * p> ' ' && *p != ',' && *p != '}';)
            p++;
        f->text = (struct smi_text){from, (size_t)(p - from)};
        *plain &= *from >= 'a' ? smi_text_is_bare(f->text) : read_number(f->text, f);
    }
    p = skip_blanks(p, end);
    more = p < end && *p == ',';
    if (!more && (p == end || *p != '}'))
        return SMI_JSON_NONE;
    *t = (struct smi_text){p + 1, (size_t)(end - p - 1)};
    return more ? SMI_JSON_MORE : SMI_JSON_LAST;
}

static bool is_repeated_key(const struct smi_json_values *v, const struct smi_field *f, unsigned from)
{
    for (unsigned i = from; i < v->n; i++)
        if (v->field[i].key.n == f->key.n && memcmp(v->field[i].key.p, f->key.p, f->key.n) == 0)
            return true;
    return false;
}

/* Takes a brace, off the end of t too. */
static bool takes_brace(struct smi_text *t, char brace)
{
    *t = smi_text_trim(*t);
    if (!t->n || *t->p != brace)
        return false;
    *t = (struct smi_text){t->p + 1, t->n - 1};
    return true;
}

bool smi_json_fast_line(struct smi_text line, struct smi_json_values *v)
{
    enum smi_json_member what = SMI_JSON_MORE;
    unsigned from = 0;
    const size_t n = line.n;
    bool plain = true, in_data = false, escapes;
    v->n = 0;
    v->used = 0;
    if (!is_printable(line, &escapes) || !takes_brace(&line, '{'))
        return false;
    if (takes_brace(&line, '}'))
        what = SMI_JSON_LAST;
    while (what == SMI_JSON_MORE && v->n < SMI_JSON_VALUES) {
        struct smi_field *f = &v->field[v->n];
        f->in_data = in_data;
        what = smi_json_next(&line, f, &plain);
        if (!plain || is_repeated_key(v, f, from) || (escapes && memchr(f->key.p, '\\', f->key.n)))
            return false;
        if (what != SMI_JSON_OBJECT) {
            if (escapes && f->quoted && memchr(f->text.p, '\\', f->text.n) && !decode(v, &f->text, n))
                return false;
            v->n++;
            continue;
        }
        if (in_data || !smi_text_is(f->key, "data"))
            return false;
        in_data = true;
        from = v->n;
        what = takes_brace(&line, '}') ? SMI_JSON_LAST : SMI_JSON_MORE;
    }
    return what == SMI_JSON_LAST && (!in_data || takes_brace(&line, '}')) && !smi_text_trim(line).n;
}
