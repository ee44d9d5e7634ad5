/* real.h - doubles as Python reads, rounds and prints them, whatever the locale's point is. */
#ifndef SMI_BASE_REAL_H
#define SMI_BASE_REAL_H

#include "base/text.h"

enum { SMI_REAL_TEXT = 32 };

/* A finite double as decimal digits: d1.d2d3... * 10^exponent. */
struct smi_decimal {
    bool minus;
    int n, exponent;
    char digit[20];
};

/* The fewest digits that give v again, and of those the nearest. v is finite. */
void smi_real_digits(double v, struct smi_decimal *d);
/* The same digits without an exponent, NUL-terminated: out has room for them and for |exponent| zeros, a sign
 * and a point. Returns the length. */
size_t smi_real_plain(char *out, const struct smi_decimal *d);
/* As Python prints a float: 0.0, 1e-05, 1e+16, nan, inf; NUL-terminated. Returns the length. */
size_t smi_real_write(char out[SMI_REAL_TEXT], double v);
/* Reads all of t as [+-]?digits[.digits][e[+-]digits], where ".5" and "5." are numbers, too; to the nearest
 * double. Returns 0; -1: it is no such number, or none that a double holds. */
int smi_real_parse(struct smi_text t, double *v);
/* Rounded to so many decimals (0 to 15), as Python's round(): exactly, half to even. */
double smi_real_round(double v, int decimals);

#endif
