/* text.h - slices of bytes, strict numbers, and safe printing of untrusted text. No locale takes part. */
#pragma once

#include "base/int128.h"

#include <stdbool.h>
#include <string.h>

/* n bytes at p, borrowed, not NUL-terminated. */
struct smi_text {
    const char *p;
    size_t n;
};

/* Millionths in one step of the d-th decimal; also 10^(6 - d). */
extern const uint32_t smi_decimal_units[7];

enum { SMI_MICRO_TEXT = 56 }; /* bytes that hold any number that smi_text_write_micro writes */

static inline struct smi_text smi_text_of(const char *s)
{
    return (struct smi_text){s, strlen(s)};
}
/* t without its first n bytes (of no text: none); what stands from p up to end. */
static inline struct smi_text smi_text_from(struct smi_text t, size_t n)
{
    return (struct smi_text){n ? t.p + n : t.p, t.n - n};
}
static inline struct smi_text smi_text_between(const char *p, const char *end)
{
    return (struct smi_text){p, (size_t)(end - p)};
}
/* The 8 bytes at p as a number whose lowest byte is the first. */
static inline uint64_t smi_text_word8(const char *p)
{
    uint64_t w;
    memcpy(&w, p, sizeof w);
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? w : __builtin_bswap64(w);
}
#define SMI_EVERY_BYTE(b) ((b) * (uint64_t)0x0101010101010101)
/* Writes such a number. */
static inline void smi_text_put8(char *p, uint64_t w)
{
    w = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? w : __builtin_bswap64(w);
    memcpy(p, &w, sizeof w);
}
/* The digits of v < 10^8 as numbers, the first one in the lowest byte: what stands in one part is split into
 * two, first of four digits, then of two, then of one, in all parts at once. */
static inline uint64_t smi_eight_digits(uint32_t v)
{
    const uint64_t fours = v / 10000 | (uint64_t)(v % 10000) << 32,
                   hundreds = (fours * 10486 >> 20) & 0x7F0000007F, /* of each part */
        twos = hundreds | (fours - hundreds * 100) << 16, tens = (twos * 103 >> 10) & 0xF000F000F000F;
    return tens | (twos - tens * 10) << 8;
}
/* Writes v < 10^8 and a NUL into nine bytes. Returns how many digits. */
static inline size_t smi_text_write_small(char *buf, uint32_t v)
{
    const uint64_t digits = smi_eight_digits(v);
    const size_t zeros = (size_t)__builtin_ctzll(digits | (uint64_t)1 << 56) / 8;
    smi_text_put8(buf, (digits | SMI_EVERY_BYTE('0')) >> 8 * zeros);
    buf[8 - zeros] = 0;
    return 8 - zeros;
}
static inline bool smi_is_digit(char c)
{
    return (unsigned)(unsigned char)c - '0' < 10;
}
/* The number of digits that t begins with. */
size_t smi_text_digits(struct smi_text t);
/* The number of bytes of `set` that t begins with. */
size_t smi_text_span(struct smi_text t, const char *set);
/* t without the bytes of `set` at its ends. */
struct smi_text smi_text_strip(struct smi_text t, const char *set);
/* smi_text_trim: t without the blanks and tabs at its ends. Only a text that has some needs the call. */
struct smi_text smi_text_trim_blanks(struct smi_text t);
static inline struct smi_text smi_text_trim(struct smi_text t)
{
    return t.n && *t.p > ' ' && t.p[t.n - 1] > ' ' ? t : smi_text_trim_blanks(t);
}
/* The most bytes of t, at most `most` (4 or more), that do not cut a UTF-8 character in two. */
struct smi_text smi_text_prefix(struct smi_text t, size_t most);
/* Copies t into room bytes, ended by a NUL; cut there, but in no character. */
static inline void smi_text_copy(char *to, size_t room, struct smi_text t)
{
    t = smi_text_prefix(t, room - 1);
    *(char *)mempcpy(to, t.n ? t.p : "", t.n) = 0;
}
/* The next word between blanks and tabs, taken off t; empty at the end. */
struct smi_text smi_text_word(struct smi_text *t);
/* The next item of a list as "a, b,c", without the blanks around it; *list goes behind it, and becomes NULL
 * behind the last one. Returns false at the end, or where *list is NULL. */
bool smi_text_next_item(const char **list, struct smi_text *item);
/* Equal to the NUL-terminated s; the second form ignores the case of ASCII letters. */
static inline bool smi_text_is(struct smi_text t, const char *s)
{
    return t.n == strlen(s) && (!t.n || memcmp(t.p, s, t.n) == 0);
}
/* Begins with s, ignoring the case of ASCII letters. */
bool smi_text_starts_nocase(struct smi_text t, const char *s);
static inline bool smi_text_is_nocase(struct smi_text t, const char *s)
{
    const int differ = t.n ? *t.p ^ *s : *s; /* most texts that are looked for in a list differ here */
    return !(differ & ~('a' ^ 'A')) && t.n == strlen(s) && smi_text_starts_nocase(t, s);
}

static inline bool smi_text_equal(struct smi_text a, struct smi_text b)
{
    return a.n == b.n && (!a.n || memcmp(a.p, b.p, a.n) == 0);
}
/* Equal to one of a list, which ends in NULL. */
static inline bool smi_text_is_one_of(struct smi_text t, const char *const *list)
{
    while (*list && !smi_text_is(t, *list))
        list++;
    return *list;
}

/* Reads all of t as [+-]?digits[.digits] (also ".5"? no: a digit must come first) into millionths, more than
 * 6 decimals half to even. Returns 0; -1 if it is no such number; 1 if it does not fit int64 millionths. */
int smi_text_parse_micro(struct smi_text t, int64_t *micro);
/* The same of a number that may have an exponent (1.5e+09), times num / den (both positive), and in units
 * instead of millionths: parse_micro is num 1000000, den 1. Rounded once, half to even. */
int smi_text_parse_scaled(struct smi_text t, int64_t num, int64_t den, int64_t *v);

/* As JSON spells a number: 0.10 and 1e-3 are, 007 and .5 are not. */
bool smi_text_is_number(struct smi_text t);
/* What JSON writes without quotes: such a number, true, false or null. */
bool smi_text_is_bare(struct smi_text t);
/* What programs write where there is no number: nan, inf, infinity, NA, N/A, in any case, with a sign or
 * without. */
bool smi_text_is_nan(struct smi_text t);

/* Writes millionths as sign, integer part, point, 1 to 6 digits (3600.0, 0.31, -0.5); NUL-terminated.
 * buf has SMI_MICRO_TEXT bytes. Returns the length. */
size_t smi_text_write_micro(char *buf, smi_i128 micro);
/* The same with exactly `digits` (0 to 6) decimals, rounded half to even from the millionths: for tables. */
size_t smi_text_write_fixed(char *buf, smi_i128 micro, int digits);

/* Length in bytes of the valid UTF-8 sequence at p (1 to 4), or 0 if there is none. */
size_t smi_text_utf8(const char *p, size_t n);
bool smi_text_is_utf8(struct smi_text t);
/* Writes the sequence of a code point, at most 4 bytes. Returns its length. */
size_t smi_text_write_utf8(char *to, uint32_t c);
/* The code point of the valid sequence of len bytes at p if it should not be printed as it is: controls, DEL,
 * C1, bidi and zero-width characters, line separators, soft hyphens, tags, interlinear marks, U+FFFE and
 * U+FFFF, which XML does not know. Else -1. */
int smi_text_unprintable(const char *p, size_t len);

/* Compares as people sort names: digit groups as numbers (seed2 before seed10), other bytes as they are. <0,
 * 0, >0. */
int smi_text_compare_natural(const char *a, const char *b);
/* For smi_sort and bsearch of an array of texts that end with NUL: by their bytes. */
int smi_compare_strings(const void *a, const void *b);
/* The same of slices, or of structs that begin with one. */
int smi_compare_texts(const void *a, const void *b);
/* Number of single-letter edits (swap of neighbours counts one) between a and b, at most `cap`. For "did you
 * mean". */
int smi_text_distance(const char *a, const char *b, int cap);
/* The name nearest to word among n (stride bytes apart, each beginning with a const char *), if it is near
 * enough to be a slip of the finger; else the first that begins with it; else NULL. A NULL name ends the list
 * earlier. */
const char *smi_text_nearest(const char *word, const void *names, size_t stride, size_t n);

/* ---- doubles as Python reads, rounds and prints them, whatever the locale's point is ---- */

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
