#include "formats/json_line.h"

#include "base/mem.h"

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { DIGITS = 15 /* decimal digits that every double gives again */ };

static const uint64_t ONES = 0x0101010101010101u;

struct scan {
    const char *p, *end;
    struct smi_json_values *v;
};

static void skip_blanks(struct scan *s)
{
    while (s->p < s->end && (*s->p == ' ' || *s->p == '\t'))
        s->p++;
}

static bool accept_char(struct scan *s, char c)
{
    skip_blanks(s);
    if (s->p == s->end || *s->p != c)
        return false;
    s->p++;
    return true;
}

static uint64_t load_word(const char *p)
{
    uint64_t w;
    memcpy(&w, p, sizeof w);
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? w : __builtin_bswap64(w);
}

/* ---- strings ---- */

/* 0x80 in the lowest byte of w that is a quote, a backslash, or not printable ASCII; perhaps in bytes above
 * it too. */
static uint64_t special_byte_mask(uint64_t w)
{
    uint64_t quote = w ^ ONES * '"', slash = w ^ ONES * 0x5C;
    return (((quote - ONES) & ~quote) | ((slash - ONES) & ~slash) | ((w - ONES * ' ') & ~w) | w |
            (w + ONES)) &
           ONES * 0x80;
}

#ifdef __SSE2__
/* Bit i: byte i of 16 at p is such a byte. */
static inline unsigned special_byte_mask16(const char *p)
{
    __m128i x = _mm_loadu_si128((const __m128i *)p);
    __m128i hit = _mm_or_si128(_mm_cmpeq_epi8(x, _mm_set1_epi8('"')), _mm_cmpeq_epi8(x, _mm_set1_epi8(0x5C)));
    hit = _mm_or_si128(hit, _mm_cmplt_epi8(x, _mm_set1_epi8(' '))); /* signed: from 0x80 on too */
    return (unsigned)_mm_movemask_epi8(_mm_or_si128(hit, _mm_cmpeq_epi8(x, _mm_set1_epi8(0x7F))));
}
#endif

/* Where the next such byte is, or end. */
static inline const char *find_special(const char *p, const char *end)
{
    uint64_t hit;
#ifdef __SSE2__
    for (; end - p >= 16; p += 16)
        if ((hit = special_byte_mask16(p)))
            return p + __builtin_ctzll(hit);
#endif
    for (; end - p >= 8; p += 8)
        if ((hit = special_byte_mask(load_word(p))))
            return p + (__builtin_ctzll(hit) >> 3);
    while (p < end && *p >= ' ' && *p <= '~' && *p != '"' && *p != '\\')
        p++;
    return p;
}

/* Four hexadecimal digits: a character of the plane of 16 bits that is not 0 and no half of a pair. Or 0. */
static unsigned code_point(const char *p)
{
    unsigned c = 0;
    for (int i = 0; i < 4; i++) {
        unsigned d = (unsigned char)p[i];
        d = d - '0' < 10 ? d - '0' : (d | 32) - 'a' < 6 ? (d | 32) - 'a' + 10 : 16;
        if (d == 16)
            return 0;
        c = c << 4 | d;
    }
    return c >= 0xD800 && c <= 0xDFFF ? 0 : c;
}

static char *put_utf8(char *to, unsigned c)
{
    if (c < 0x80) {
        *to++ = (char)c;
        return to;
    }
    if (c < 0x800) {
        *to++ = (char)(0xC0 | c >> 6);
    } else {
        *to++ = (char)(0xE0 | c >> 12);
        *to++ = (char)(0x80 | (c >> 6 & 63));
    }
    *to++ = (char)(0x80 | (c & 63));
    return to;
}

/* The escape at p, which is a backslash, to *to. Returns what is behind it, or NULL. */
static const char *decode_escape(const char *p, const char *end, char **to)
{
    static const char names[] = "\"\\/bfnrt", are[] = "\"\\/\b\f\n\r\t";
    const char *at;
    unsigned c;
    if (end - p >= 6 && p[1] == 'u') {
        c = code_point(p + 2);
        *to = put_utf8(*to, c);
        return c ? p + 6 : NULL;
    }
    at = end - p >= 2 && p[1] ? strchr(names, p[1]) : NULL;
    if (!at)
        return NULL;
    *(*to)++ = are[at - names];
    return p + 2;
}

/* A string with escapes, the first of which stands at p. Written out it is not longer than in the line. */
__attribute__((noinline)) static const char *decode(struct smi_json_values *v, const char *from,
                                                    const char *p, const char *end, struct smi_text *t)
{
    const char *lf = memchr(p, '\n', (size_t)(end - p));
    char *to;
    end = lf ? lf : end;
    if (v->used == 0)
        smi_mem_reserve(&v->decoded, &v->cap, (size_t)(end - from), 1);
    to = v->decoded + v->used;
    t->p = to;
    for (; p && p < end && *p != '"'; from = p, p = p ? find_special(p, end) : NULL) {
        memcpy(to, from, (size_t)(p - from));
        to += p - from;
        p = *p == '\\' ? decode_escape(p, end, &to) : NULL;
    }
    if (!p || p == end)
        return NULL;
    memcpy(to, from, (size_t)(p - from));
    to += p - from;
    t->n = (size_t)(to - t->p);
    v->used += t->n;
    return p;
}

/* p: behind the quote in front of a string. Returns where the other quote stands, or NULL: it is not plain.
 */
static const char *read_string(struct smi_json_values *v, const char *p, const char *end, struct smi_text *t)
{
    const char *q = find_special(p, end);
    if (q == end)
        return NULL;
    *t = (struct smi_text){p, (size_t)(q - p)};
    return *q == '"' ? q : *q == '\\' ? decode(v, p, q, end, t) : NULL;
}

/* ---- numbers ---- */

static const char *skip_digits(const char *p, const char *end)
{
    while (p < end && smi_is_digit(*p))
        p++;
    return p;
}

/* A number that reads the same when it is written again, but for zeros at its end: no exponent. */
static const char *number(const char *from, const char *last, struct smi_field *f)
{
    const char *whole = from + (*from == '-'), *dot = skip_digits(whole, last), *end = dot, *behind = dot;
    bool zero = dot == whole + 1 && *whole == '0';
    if (dot == whole || (*whole == '0' && !zero))
        return NULL;
    if (dot < last && *dot == '.') {
        end = behind = skip_digits(dot + 1, last);
        if (end == dot + 1)
            return NULL;
        while (end > dot + 2 && end[-1] == '0')
            end--;
        if (zero && end - dot > 4 && memcmp(dot + 1, "0000", 4) == 0) /* 1e-05 */
            return NULL;
        zero = zero && end == dot + 2 && dot[1] == '0';
    }
    if (end - whole > DIGITS || (zero && whole > from) ||
        (behind < last && (*behind == 'e' || *behind == 'E')))
        return NULL;
    f->text = (struct smi_text){from, (size_t)(end - from)};
    f->number = smi_text_parse_micro(f->text, &f->micro) == 0;
    return f->number ? behind : NULL;
}

/* The same of one that is not negative and stands with what is behind it in eight bytes, as most do; or NULL.
 */
static const char *short_number(const char *p, struct smi_field *f)
{
    static const uint32_t units[7] = {1000000, 100000, 10000, 1000, 100, 10, 1};
    uint64_t w = load_word(p), t = w ^ ONES * '0',
             rest = (((t & ONES * 0x7F) + ONES * 0x76) | t) & ONES * 0x80;
    unsigned dot = rest ? (unsigned)__builtin_ctzll(rest) >> 3 : 0, end = dot, behind = dot, decimals = 0;
    if (dot == 0 || (p[0] == '0' && dot > 1))
        return NULL;
    if (p[dot] == '.') {
        rest &= rest - 1;
        end = behind = rest ? (unsigned)__builtin_ctzll(rest) >> 3 : 0;
        while (end > dot + 2 && p[end - 1] == '0')
            end--;
        decimals = end - dot - 1;
        if (end <= dot + 1 || (p[0] == '0' && decimals > 3))
            return NULL;
        t = (t & ~(~(uint64_t)0 << 8 * dot)) | (t >> 8 & ~(uint64_t)0 << 8 * dot);
    }
    if (p[behind] == 'e' || p[behind] == 'E')
        return NULL;
    t <<= 8 * (8 - (end - (end > dot))); /* the digits uppermost, zeros in front of them */
    t = (t * 10 + (t >> 8)) & 0x00FF00FF00FF00FFu;
    t = (t * 100 + (t >> 16)) & 0x0000FFFF0000FFFFu;
    t = (t * 10000 + (t >> 32)) & 0xFFFFFFFFu;
    f->text = (struct smi_text){p, end};
    f->micro = (int64_t)(t * units[decimals]);
    f->number = true;
    return p + behind;
}

static const char *word(const char *p, const char *end, struct smi_field *f)
{
    static const char *const words[] = {"true", "false", "null"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t n = strlen(words[i]);
        if ((size_t)(end - p) >= n && memcmp(p, words[i], n) == 0) {
            f->text = (struct smi_text){p, n};
            return p + n;
        }
    }
    return NULL;
}

/* A number, true, false or null into f's text, micro and number. Returns what is behind it, or NULL. */
static const char *read_bare(const char *p, const char *end, struct smi_field *f)
{
    const char *behind = end - p >= 8 ? short_number(p, f) : NULL;
    if (behind)
        return behind;
    if (p == end)
        return NULL;
    return *p == '-' || smi_is_digit(*p) ? number(p, end, f) : word(p, end, f);
}

/* ---- objects ---- */

/* A string with its quotes. */
static bool string(struct scan *s, struct smi_text *t)
{
    const char *p = accept_char(s, '"') ? read_string(s->v, s->p, s->end, t) : NULL;
    if (p)
        s->p = p + 1;
    return p != NULL;
}

static bool value(struct scan *s, struct smi_field *f)
{
    const char *from, *end;
    skip_blanks(s);
    if (s->p == s->end)
        return false;
    f->quoted = *s->p == '"';
    from = s->p + f->quoted;
    end = f->quoted ? read_string(s->v, from, s->end, &f->text) : read_bare(from, s->end, f);
    if (!end)
        return false;
    s->p = end + f->quoted;
    return true;
}

static bool is_repeated_key(const struct smi_json_values *v, const struct smi_field *f, unsigned from)
{
    for (unsigned i = from; i < v->n; i++)
        if (v->field[i].key.n == f->key.n && memcmp(v->field[i].key.p, f->key.p, f->key.n) == 0)
            return true;
    return false;
}

/* The object whose brace stands at p, with nothing but blanks in front. */
static bool object(struct scan *s, bool in_data)
{
    struct smi_json_values *v = s->v;
    unsigned from = v->n;
    if (!accept_char(s, '{'))
        return false;
    if (accept_char(s, '}'))
        return true;
    do {
        struct smi_field f = {.in_data = in_data};
        size_t used = v->used;
        if (!string(s, &f.key) || v->used != used || !accept_char(s, ':') || is_repeated_key(v, &f, from))
            return false;
        skip_blanks(s);
        if (!in_data && s->p < s->end && *s->p == '{' && smi_text_is(f.key, "data"))
            return object(s, true) && accept_char(s, '}');
        if (v->n == SMI_JSON_VALUES || !value(s, &f))
            return false;
        v->field[v->n++] = f;
    } while (accept_char(s, ','));
    return accept_char(s, '}');
}

bool smi_json_fast_line(struct smi_text line, struct smi_json_values *v)
{
    struct scan s = {line.p, line.p + line.n, v};
    v->n = 0;
    v->used = 0;
    if (!object(&s, false))
        return false;
    skip_blanks(&s);
    return s.p == s.end;
}

void smi_json_fast_fini(struct smi_json_values *v)
{
    smi_mem_free(v->decoded);
    *v = (struct smi_json_values){0};
}
