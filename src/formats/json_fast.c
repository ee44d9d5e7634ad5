/* json_fast.c - lines of JSON as slices of the line, without a tree. */
#include "base/mem.h"
#include "formats/json_line.h"

#include <string.h>

enum { DIGITS = 15 /* decimal digits that every double gives again */, WHOLE = 12, DECIMALS = 6 };

static const char *skip_blanks(const char *p, const char *end)
{
    while (p < end && (*p == ' ' || *p == '\t'))
        p++;
    return p;
}

typedef signed char bytes_of_line __attribute__((vector_size(16)));

static bool is_any(bytes_of_line x)
{
    uint64_t half[2];
    memcpy(half, &x, sizeof half);
    return half[0] | half[1];
}

/* Are all bytes printable ASCII? *escapes: perhaps there are some. A line of less than a vector is no entry
 * of a log. */
static bool is_printable(struct smi_text t, bool *escapes)
{
    bytes_of_line x, odd = {0}, slash = {0};
    for (size_t i = 0; t.n >= sizeof x && i < t.n; i += sizeof x) {
        memcpy(&x, t.p + (i + sizeof x < t.n ? i : t.n - sizeof x), sizeof x);
        odd |= (x < ' ') | (x == 0x7F);
        slash |= x == '\\';
    }
    *escapes = is_any(slash);
    return t.n >= sizeof x && !is_any(odd);
}

/* The character of "u00b5" at p. Returns what is behind it; NULL: it is none, or half of a pair. */
static const char *take_unicode(const char *p, const char *end, uint32_t *c)
{
    static const char hex[] = "0123456789abcdef";
    const char *digit;
    int i = 0;
    for (*c = 0; i < 4 && ++p < end && (digit = memchr(hex, *p | (*p > '9' ? ' ' : 0), 16)); i++)
        *c = *c << 4 | (uint32_t)(digit - hex);
    return i == 4 && (*c < 0xD800 || *c > 0xDFFF) ? p + 1 : NULL;
}

/* Decodes a text with escapes, which is no longer then. Returns false if one is wrong, or half of a pair. */
static bool decode(struct smi_json_values *v, struct smi_text *t, size_t line)
{
    static const char escapes[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    const char *p = t->p, *end = p + t->n, *escape, *known;
    char *to;
    if (v->used == 0)
        smi_mem_reserve(&v->decoded, &v->cap, line, 1);
    t->p = to = v->decoded + v->used;
    for (uint32_t c; (escape = memchr(p, '\\', (size_t)(end - p)));) {
        to = mempcpy(to, p, (size_t)(escape - p));
        p = escape + 1; /* a text does not end with a backslash */
        if ((known = memchr(escapes, *p, sizeof escapes - 1))) {
            *to++ = meant[known - escapes];
            p++;
        } else if (*p == 'u' && (p = take_unicode(p, end, &c))) {
            to += smi_text_write_utf8(to, c);
        } else {
            return false;
        }
    }
    to = mempcpy(to, p, (size_t)(end - p));
    t->n = (size_t)(to - t->p);
    v->used += t->n;
    return true;
}

/* The first quote at or behind p; NULL: there is none. Eight bytes at a time: most texts are short. */
static const char *find_quote(const char *p, const char *end)
{
    for (uint64_t x; end - p >= 8; p += 8) {
        x = smi_text_word8(p) ^ SMI_EVERY_BYTE('"');
        x = (x - SMI_EVERY_BYTE(1)) & ~x & SMI_EVERY_BYTE(0x80);
        if (x)
            return p + __builtin_ctzll(x) / 8;
    }
    while (p < end && *p != '"')
        p++;
    return p < end ? p : NULL;
}

/* The text behind the quote at p. Returns what is behind its other quote; NULL: it has none. */
static const char *take_string(const char *p, const char *end, struct smi_text *t)
{
    const char *quote = p, *back;
    do {
        quote = find_quote(quote, end);
        for (back = quote; back && back > p && back[-1] == '\\';)
            back--;
    } while (quote && (quote - back) % 2 && quote++);
    if (!quote)
        return NULL;
    *t = (struct smi_text){p, (size_t)(quote - p)};
    return quote + 1;
}

/* Takes a number. Returns what is behind it; NULL: it does not read the same when Python writes it again, but
 * for zeros at its end (an exponent, 1e-05). */
static const char *take_number(const char *p, const char *end, struct smi_field *f)
{
    static const uint64_t units[DECIMALS + 1] = {1000000, 100000, 10000, 1000, 100, 10, 1};
    const char *const from = p, *const whole = p + (*p == '-'), *dot, *last;
    uint64_t v = 0;
    for (p = whole; p < end && smi_is_digit(*p); p++)
        v = v * 10 + (uint64_t)(*p - '0'); /* may wrap: then there are too many digits */
    dot = last = p;
    if (p < end && *p == '.') {
        while (++p < end && smi_is_digit(*p))
            v = v * 10 + (uint64_t)(*p - '0');
        for (last = p; last > dot + 2 && last[-1] == '0';)
            last--;
    }
    if (dot == whole || p == dot + 1 || (*whole == '0' && dot > whole + 1) ||
        (*whole == '0' && last - dot > 4 && memcmp(dot + 1, "0000", 4) == 0) || last - whole > DIGITS)
        return NULL;
    f->text = (struct smi_text){from, (size_t)(last - from)};
    if (dot - whole <= WHOLE && p <= dot + 1 + DECIMALS)
        f->micro = (int64_t)(v * units[p > dot ? p - dot - 1 : 0]) * (whole > from ? -1 : 1);
    else if (smi_text_parse_micro(f->text, &f->micro))
        return NULL;
    f->number = true;
    return whole > from && !f->micro ? NULL : p;
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
        from = p;
        p = *p < 'a' ? take_number(p, end, f) : NULL;
        if (!p || (p<end && * p> ' ' && *p != ',' && *p != '}')) { /* a word, or what is no number */
            for (p = from; p<end && * p> ' ' && *p != ',' && *p != '}';)
                p++;
            f->text = (struct smi_text){from, (size_t)(p - from)};
            f->number = false;
            *plain &= *from >= 'a' && smi_text_is_bare(f->text);
        }
    }
    p = skip_blanks(p, end);
    more = p < end && *p == ',';
    if (!more && (p == end || *p != '}'))
        return SMI_JSON_NONE;
    *t = (struct smi_text){p + 1, (size_t)(end - p - 1)};
    return more ? SMI_JSON_MORE : SMI_JSON_LAST;
}

/* *seen: a bit for each beginning and length of those before. */
static bool is_repeated_key(const struct smi_json_values *v, const struct smi_field *f, unsigned from,
                            uint64_t *seen)
{
    const uint64_t bit = (uint64_t)1 << ((f->key.n * 27 + (f->key.n ? (unsigned char)*f->key.p : 0)) & 63);
    const bool again = *seen & bit;
    *seen |= bit;
    for (unsigned i = from; again && i < v->n; i++)
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
    uint64_t seen = 0;
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
        if (what == SMI_JSON_NONE || !plain || is_repeated_key(v, f, from, &seen) ||
            (escapes && memchr(f->key.p, '\\', f->key.n)))
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
        seen = 0;
        what = takes_brace(&line, '}') ? SMI_JSON_LAST : SMI_JSON_MORE;
    }
    return what == SMI_JSON_LAST && (!in_data || takes_brace(&line, '}')) && !smi_text_trim(line).n;
}
