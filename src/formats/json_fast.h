/* json_fast.h - the fast path of JSON lines: one pass over a line as Python's json.dumps writes it, flat and
 * in ASCII. */
#ifndef SMI_FORMATS_JSON_FAST_H
#define SMI_FORMATS_JSON_FAST_H

#include "model/sample.h"

enum { SMI_JSON_VALUES = 64 };

/* The values of an object, then those of its last key where that is "data" and an object. Zero-initialise. */
struct smi_json_values {
    unsigned n;
    struct smi_field field[SMI_JSON_VALUES]; /* their texts are the line's own, or stand in decoded */
    char *decoded;                           /* strings that have escapes */
    size_t used, cap;
};

/* Returns whether the line is plain. If not (it is no JSON, or has lists, other objects, a key twice, bytes
 * or escapes beyond the plane of 16 bits, numbers that Python would write otherwise, or more than
 * SMI_JSON_VALUES values) it goes the general path, which says the same of a plain line. */
bool smi_json_fast_line(struct smi_text line, struct smi_json_values *v);
void smi_json_fast_fini(struct smi_json_values *v);

#endif
