#include "base/text.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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
    if (!isfinite(v)) {
        n = snprintf(out, SMI_REAL_TEXT, "%s", isnan(v) ? "nan" : v < 0 ? "-inf" : "inf");
        return (size_t)n;
    }
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
