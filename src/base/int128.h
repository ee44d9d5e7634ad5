/* int128.h - exact arithmetic on 128-bit integers: quotients, roots and the nearest double. */
#pragma once

#include <stddef.h>
#include <stdint.h>

__extension__ typedef __int128 smi_i128;
__extension__ typedef unsigned __int128 smi_u128;

enum { SMI_I128_TEXT = 48 }; /* bytes that hold any smi_i128 as decimal text with its NUL */

/* num / den, rounded half to even; den > 0. */
smi_i128 smi_i128_div(smi_i128 num, smi_i128 den);
/* The largest s with s * s <= v. */
uint64_t smi_u128_sqrt(smi_u128 v);
/* The double nearest to num / den (half to even); den > 0, and at most 64 bits long. */
double smi_i128_ratio(smi_i128 num, smi_i128 den);
/* Decimal text of v into buf (SMI_I128_TEXT bytes), NUL-terminated; returns its length. */
size_t smi_i128_write(char *buf, smi_i128 v);
/* Reads all n bytes as a decimal integer. Returns 0, or -1 (no digits, junk, over 38 digits). */
int smi_i128_parse(const char *p, size_t n, smi_i128 *out);
