/* text.c - texts as slices, and numbers as text. */
#include "base/text.h"

#include <assert.h>
#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const uint32_t smi_decimal_units[7] = {1000000, 100000, 10000, 1000, 100, 10, 1};

size_t smi_text_digits(struct smi_text t)
{
    size_t n = 0;
    while (n < t.n && smi_is_digit(t.p[n]))
        n++;
    return n;
}

static unsigned char to_lower(char c)
{
    unsigned char u = (unsigned char)c;
    return u >= 'A' && u <= 'Z' ? (unsigned char)(u + 32) : u;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

size_t smi_text_span(struct smi_text t, const char *set)
{
    size_t n = 0;
    while (n < t.n && memchr(set, t.p[n], strlen(set)))
        n++;
    return n;
}

struct smi_text smi_text_strip(struct smi_text t, const char *set)
{
    while (t.n && memchr(set, t.p[t.n - 1], strlen(set)))
        t.n--;
    return t.n ? smi_text_from(t, smi_text_span(t, set)) : t;
}

struct smi_text smi_text_trim_blanks(struct smi_text t)
{
    while (t.n && is_blank(t.p[t.n - 1]))
        t.n--;
    while (t.n && is_blank(*t.p))
        t = smi_text_from(t, 1);
    return t;
}

struct smi_text smi_text_prefix(struct smi_text t, size_t most)
{
    size_t n = t.n < most ? t.n : most;
    while (n < t.n && n > most - 4 && ((unsigned char)t.p[n] & 0xC0) == 0x80)
        n--;
    return (struct smi_text){t.p, n};
}

struct smi_text smi_text_word(struct smi_text *t)
{
    struct smi_text w;
    *t = smi_text_trim(*t);
    w = (struct smi_text){t->p, 0};
    if (!t->n) /* it may be no text at all: NULL has no address behind it */
        return w;
    while (w.n < t->n && !is_blank(w.p[w.n]))
        w.n++;
    *t = (struct smi_text){t->p + w.n, t->n - w.n};
    return w;
}

bool smi_text_next_item(const char **list, struct smi_text *item)
{
    const char *comma = *list ? strchr(*list, ',') : NULL;
    if (!*list)
        return false;
    *item = smi_text_trim((struct smi_text){*list, comma ? (size_t)(comma - *list) : strlen(*list)});
    *list = comma ? comma + 1 : NULL;
    return true;
}

bool smi_text_starts_nocase(struct smi_text t, const char *s)
{
    size_t i = 0;
    while (s[i] && i < t.n && to_lower(t.p[i]) == to_lower(s[i]))
        i++;
    return !s[i];
}

/* The exponent behind a number's digits: 0 if there is none. Returns whether all of t is one. */
static bool read_exponent(struct smi_text t, int *power)
{
    size_t at = t.n > 1 && (t.p[1] == '-' || t.p[1] == '+') ? 2 : 1;
    *power = 0;
    if (!t.n)
        return true;
    if ((*t.p | 32) != 'e' || at >= t.n)
        return false;
    for (size_t i = at; i < t.n; i++) {
        if (!smi_is_digit(t.p[i]))
            return false;
        *power = *power < 1000 ? *power * 10 + (t.p[i] - '0') : *power;
    }
    *power = t.p[1] == '-' ? -*power : *power;
    return true;
}

int smi_text_parse_scaled(struct smi_text t, int64_t num, int64_t den, int64_t *v)
{
    const smi_i128 most = (smi_i128)(~(smi_u128)0 >> 1) / 100;
    smi_i128 whole = 0, unit = den, product;
    bool minus = t.n && *t.p == '-', point = false;
    size_t i = t.n && (*t.p == '-' || *t.p == '+'), from = i;
    int power, decimals = 0;
    for (; i < t.n && (smi_is_digit(t.p[i]) || (t.p[i] == '.' && !point && i > from)); i++) {
        if (t.p[i] == '.') {
            point = true;
        } else if (whole < most) {
            whole = whole * 10 + (t.p[i] - '0');
            decimals += point;
        } else { /* what does not fit only tells a tie from what is above it */
            whole |= t.p[i] != '0';
            decimals -= !point;
        }
    }
    if (i == from || t.p[i - 1] == '.' || !read_exponent((struct smi_text){t.p + i, t.n - i}, &power))
        return -1;
    for (decimals -= power; decimals < 0 && whole; decimals++)
        if (whole > most || __builtin_mul_overflow(whole, 10, &whole))
            return 1;
    for (; decimals > 0 && whole; decimals--) {
        if (unit < most)
            unit *= 10;
        else
            whole = whole / 10 | (whole % 10 != 0);
    }
    while (__builtin_mul_overflow(whole, num, &product)) {
        if (unit % 10)
            return 1;
        whole = whole / 10 | (whole % 10 != 0);
        unit /= 10;
    }
    whole = smi_i128_div(product, unit);
    if (whole > (smi_i128)INT64_MAX + minus)
        return 1;
    *v = (int64_t)(minus ? -whole : whole);
    return 0;
}

int smi_text_parse_micro(struct smi_text t, int64_t *micro)
{
    const char *p = t.p, *end, *whole, *dot, *frac;
    uint64_t v = 0;
    bool minus = false;
    if (t.n == 0)
        return -1;
    end = p + t.n;
    if (*p == '-' || *p == '+')
        minus = *p++ == '-';
    for (whole = p; p < end && smi_is_digit(*p); p++)
        v = v * 10 + (uint64_t)(*p - '0'); /* may wrap: too many digits for the short path below */
    frac = dot = p;
    if (p < end && *p == '.') {
        for (frac = ++p; p < end && smi_is_digit(*p); p++)
            v = v * 10 + (uint64_t)(*p - '0');
        if (p == frac)
            return -1;
    }
    if (p != end || dot == whole)
        return -1;
    if (dot - whole > 12 || end - frac > 6)
        return smi_text_parse_scaled(t, 1000000, 1, micro);
    v *= smi_decimal_units[end - frac]; /* below 10^18 */
    *micro = minus ? -(int64_t)v : (int64_t)v;
    return 0;
}

bool smi_text_is_number(struct smi_text t)
{
    size_t i = t.n && *t.p == '-', n = smi_text_digits((struct smi_text){t.p + i, t.n - i});
    int power;
    if (!n || (n > 1 && t.p[i] == '0'))
        return false;
    i += n;
    if (i < t.n && t.p[i] == '.') {
        n = smi_text_digits((struct smi_text){t.p + i + 1, t.n - i - 1});
        i += n + 1;
    }
    return n && read_exponent((struct smi_text){t.p + i, t.n - i}, &power);
}

bool smi_text_is_bare(struct smi_text t)
{
    return smi_text_is_number(t) || smi_text_is(t, "true") || smi_text_is(t, "false") ||
           smi_text_is(t, "null");
}

bool smi_text_is_nan(struct smi_text t)
{
    static const char *const words[] = {"nan", "inf", "infinity", "na", "n/a"};
    if (t.n && (*t.p == '-' || *t.p == '+'))
        t = (struct smi_text){t.p + 1, t.n - 1};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (smi_text_is_nocase(t, words[i]))
            return true;
    return false;
}

/* q / 10^digits; all: with zeros at its end, else with at most one, which is the only digit behind the point.
 */
static inline size_t write_decimal(char *buf, smi_i128 q, int digits, bool all)
{
    const uint32_t base = smi_decimal_units[6 - digits];
    const smi_u128 u = q < 0 ? -(smi_u128)q : (smi_u128)q,
                   whole = u >> 64 ? u / base : (uint64_t)u / base; /* 64 bits are nearly always enough */
    const uint32_t rest = (uint32_t)(u - whole * base);             /* 0 of most */
    const uint64_t part = rest ? smi_eight_digits(rest * smi_decimal_units[digits] * 100) : 0;
    size_t n = q < 0;
    *buf = '-';
    n += whole < 100000000 ? smi_text_write_small(buf + n, (uint32_t)whole)
                           : smi_i128_write(buf + n, (smi_i128)whole);
    if (digits == 0)
        return n;
    buf[n++] = '.';
    smi_text_put8(buf + n, part | SMI_EVERY_BYTE('0'));
    n += all ? (size_t)digits : 8 - (size_t)__builtin_clzll(part | 1) / 8;
    buf[n] = 0;
    return n;
}

size_t smi_text_write_fixed(char *buf, smi_i128 micro, int digits)
{
    assert(digits >= 0 && digits <= 6);
    return write_decimal(buf, smi_i128_div(micro, smi_decimal_units[digits]), digits, true);
}

size_t smi_text_write_micro(char *buf, smi_i128 micro)
{
    return write_decimal(buf, micro, 6, false);
}

size_t smi_text_utf8(const char *p, size_t n)
{
    const unsigned char *u = (const unsigned char *)p;
    unsigned char low = 0x80, high = 0xBF;
    size_t len, i;
    if (n == 0 || u[0] < 0x80)
        return n != 0;
    len = u[0] < 0xC2 ? 0 : u[0] < 0xE0 ? 2 : u[0] < 0xF0 ? 3 : u[0] < 0xF5 ? 4 : 0;
    if (len == 0 || len > n)
        return 0;
    if (u[0] == 0xE0 || u[0] == 0xF0) /* no overlong forms */
        low = u[0] == 0xE0 ? 0xA0 : 0x90;
    if (u[0] == 0xED || u[0] == 0xF4) /* no surrogates, nothing above U+10FFFF */
        high = u[0] == 0xED ? 0x9F : 0x8F;
    if (u[1] < low || u[1] > high)
        return 0;
    for (i = 2; i < len; i++)
        if ((u[i] & 0xC0) != 0x80)
            return 0;
    return len;
}

size_t smi_text_write_utf8(char *to, uint32_t c)
{
    static const unsigned char first[] = {0, 0xC0, 0xE0, 0xF0};
    const unsigned more = c > 0xFFFF ? 3 : c > 0x7FF ? 2 : c > 0x7F;
    for (unsigned i = more; i; i--, c >>= 6)
        to[i] = (char)(0x80 | (c & 63));
    to[0] = (char)(first[more] | c);
    return more + 1;
}

bool smi_text_is_utf8(struct smi_text t)
{
    for (size_t i = 0, len; i < t.n; i += len) {
        const bool ascii = t.n - i >= 8 && !(smi_text_word8(t.p + i) & SMI_EVERY_BYTE(0x80));
        if (!(len = ascii ? 8 : smi_text_utf8(t.p + i, t.n - i)))
            return false;
    }
    return true;
}

int smi_text_unprintable(const char *p, size_t len)
{
    const unsigned char *u = (const unsigned char *)p;
    int c;
    if (len == 1)
        return u[0] < 0x20 || u[0] == 0x7F ? u[0] : -1;
    if (len == 2) {
        c = (u[0] & 0x1F) << 6 | (u[1] & 0x3F);
        return c <= 0x9F || c == 0x00AD || c == 0x061C ? c : -1;
    }
    c = (u[0] & 0x0F) << 12 | (u[1] & 0x3F) << 6 | (u[2] & 0x3F);
    if (len != 3)
        return u[0] == 0xF3 && u[1] == 0xA0 && u[2] < 0x82 ? 0xE0000 | (u[2] & 1) << 6 | (u[3] & 0x3F) : -1;
    if ((c >= 0x200B && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F))
        return c;
    return c == 0x180E || c == 0xFEFF || (c >= 0xFFF9 && c <= 0xFFFB) || c >= 0xFFFE ? c : -1;
}

/* Compares the numbers at *p and *q, and steps over both. */
static int number_order(const char **p, const char **q)
{
    static const char digits[] = "0123456789";
    const char *a = *p + strspn(*p, "0"), *b = *q + strspn(*q, "0");
    const size_t m = strspn(a, digits), n = strspn(b, digits);
    *p = a + m;
    *q = b + n;
    return m != n ? (m < n ? -1 : 1) : memcmp(a, b, m);
}

/* Compares digit by digit: what stands behind a decimal point. */
static int decimals_order(const char **p, const char **q)
{
    for (; smi_is_digit(**p) && smi_is_digit(**q); ++*p, ++*q)
        if (**p != **q)
            return **p < **q ? -1 : 1;
    if (smi_is_digit(**p) || smi_is_digit(**q))
        return smi_is_digit(**p) ? 1 : -1;
    return 0;
}

/* Is the digit at s the first one behind "digit."? "lr=0.03" is such a fraction, "log.csv.2" is not. */
static bool is_decimal(const char *text, const char *s)
{
    return s - text >= 2 && s[-1] == '.' && smi_is_digit(s[-2]);
}

int smi_text_compare_natural(const char *a, const char *b)
{
    const char *p = a, *q = b;
    int c;
    while (*p && *q) {
        if (smi_is_digit(*p) && smi_is_digit(*q)) {
            c = is_decimal(a, p) && is_decimal(b, q) ? decimals_order(&p, &q) : number_order(&p, &q);
            if (c)
                return c;
        } else if (*p != *q) {
            return (unsigned char)*p < (unsigned char)*q ? -1 : 1;
        } else {
            p++;
            q++;
        }
    }
    if (*p || *q)
        return *p ? 1 : -1;
    return strcmp(a, b); /* a01 and a1: some fixed order, so that a sort never depends on its input */
}

enum { WORD = 64 }; /* names to suggest are shorter; anything longer is as far away as can be */

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* The table has, for the first i letters of a and the first j of b, how far they are apart. */
int smi_text_distance(const char *a, const char *b, int cap)
{
    uint8_t table[WORD + 1][WORD + 1];
    const size_t m = strlen(a), n = strlen(b);
    if (m > WORD || n > WORD)
        return strcmp(a, b) == 0 ? 0 : cap;
    for (size_t i = 0; i <= m; i++)
        for (size_t j = 0; j <= n; j++) {
            int d = (int)(i ? i : j); /* from or to nothing */
            if (i && j)
                d = least(table[i - 1][j - 1] + (a[i - 1] != b[j - 1]),
                          least(table[i - 1][j], table[i][j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d = least(d, table[i - 2][j - 2] + 1);
            table[i][j] = (uint8_t)d;
        }
    return least(table[m][n], cap);
}

const char *smi_text_nearest(const char *word, const void *names, size_t stride, size_t n)
{
    enum { SLIP = 2, START = 4 }; /* edits; letters that are the start of a name */
    const char *best = NULL, *start = NULL, *name;
    int least = SLIP + 1, d;
    for (size_t i = 0; i < n; i++) {
        memcpy(&name, (const char *)names + i * stride, sizeof name);
        if (!name)
            break;
        d = smi_text_distance(word, name, SLIP + 1);
        if (d < least && d < (int)strlen(name)) {
            least = d;
            best = name;
        }
        if (!start && strlen(word) >= START && strncmp(word, name, strlen(word)) == 0)
            start = name;
    }
    return best ? best : start;
}

int smi_compare_strings(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

int smi_compare_texts(const void *a, const void *b)
{
    const struct smi_text *x = a, *y = b;
    const size_t n = x->n < y->n ? x->n : y->n;
    const int c = n ? memcmp(x->p, y->p, n) : 0;
    return c ? c : (x->n > y->n) - (x->n < y->n);
}

/* ---- doubles as text ---- */

/* Text goes both ways through the same locale, and only its digits are taken: its decimal point does not
 * matter. */
enum { DIGITS = 17, EXACT = 15, LONG_TEXT = 512 };

/* The next larger number of as many digits. */
static void step_up(struct smi_decimal *d)
{
    int i = d->n;
    while (i > 0 && d->digit[i - 1] == '9')
        d->digit[--i] = '0';
    if (i > 0) {
        d->digit[i - 1]++;
    } else {
        d->digit[0] = '1';
        d->exponent++;
    }
}

static double decimal_to_double(const struct smi_decimal *d)
{
    char text[64];
    snprintf(text, sizeof text, "%s%.*se%d", d->minus ? "-" : "", d->n, d->digit, d->exponent - (d->n - 1));
    return strtod(text, NULL);
}

/* v rounded to n digits. */
static void round_to(double v, int n, struct smi_decimal *d)
{
    char text[64];
    const char *p = text;
    *d = (struct smi_decimal){.minus = signbit(v) != 0};
    snprintf(text, sizeof text, "%.*e", n - 1, v);
    for (; *p && *p != 'e'; p++)
        if (smi_is_digit(*p) && d->n < DIGITS)
            d->digit[d->n++] = *p;
    d->exponent = *p ? (int)strtol(p + 1, NULL, 10) : 0;
}

void smi_real_digits(double v, struct smi_decimal *d)
{
    int exponent;
    /* below a power of two doubles are twice as dense as above it: digits above it may give it again where
     * the nearest, which are below, give its neighbour */
    const bool power = fabs(frexp(v, &exponent)) == 0.5;
    bool same = false;
    for (int n = fabs(v) < DBL_MIN ? 1 : EXACT; n <= DIGITS && !same; n++) {
        round_to(v, n, d);
        same = decimal_to_double(d) == v;
        if (!same && power) {
            step_up(d);
            same = decimal_to_double(d) == v;
        }
    }
    while (d->n > 1 && d->digit[d->n - 1] == '0')
        d->n--;
}

size_t smi_real_plain(char *out, const struct smi_decimal *d)
{
    size_t n = 0;
    int first = d->exponent < 0 ? d->exponent : 0, last = d->n - 1 > d->exponent ? d->n - 1 : d->exponent + 1;
    if (d->minus)
        out[n++] = '-';
    for (int i = first; i <= last; i++) {
        if (i == d->exponent + 1)
            out[n++] = '.';
        out[n++] = i < 0 || i >= d->n ? '0' : d->digit[i];
    }
    out[n] = 0;
    return n;
}

size_t smi_real_write(char out[SMI_REAL_TEXT], double v)
{
    struct smi_decimal d;
    int n;
    if (!isfinite(v))
        return (size_t)snprintf(out, SMI_REAL_TEXT, "%s", isnan(v) ? "nan" : v < 0 ? "-inf" : "inf");
    smi_real_digits(v, &d);
    if (d.exponent >= -4 && d.exponent < 16)
        return smi_real_plain(out, &d);
    n = snprintf(out, SMI_REAL_TEXT, "%s%c%s%.*se%c%02d", d.minus ? "-" : "", d.digit[0], d.n > 1 ? "." : "",
                 d.n - 1, d.digit + 1, d.exponent < 0 ? '-' : '+', abs(d.exponent));
    return n > 0 ? (size_t)n : 0;
}

int smi_real_parse(struct smi_text t, double *v)
{
    const char *point = localeconv()->decimal_point, *dot = t.n ? memchr(t.p, '.', t.n) : NULL;
    char text[LONG_TEXT], *end;
    size_t head = dot ? (size_t)(dot - t.p) : t.n;
    double got;
    if (!t.n || t.n + strlen(point) >= sizeof text)
        return -1;
    snprintf(text, sizeof text, "%.*s%s%.*s", (int)head, t.p, dot ? point : "",
             dot ? (int)(t.n - head - 1) : 0, dot ? dot + 1 : "");
    for (size_t i = 0; i < t.n; i++) /* no hexadecimal digits, no infinity, no blanks */
        if (!smi_is_digit(t.p[i]) && !memchr("+-.eE", t.p[i], 5))
            return -1;
    got = strtod(text, &end);
    if (*end || !isfinite(got))
        return -1;
    *v = got;
    return 0;
}

double smi_real_round(double v, int decimals)
{
    char text[LONG_TEXT];
    if (!isfinite(v) || fabs(v) >= 0x1p53) /* no decimals at all */
        return v;
    snprintf(text, sizeof text, "%.*f", decimals, v);
    return strtod(text, NULL);
}
