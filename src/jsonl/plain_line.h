/* plain_line.h - the fast road of JSON lines: one pass over a line as Python's json.dumps writes it, flat and in
 * ASCII. */
#ifndef SMI_JSONL_PLAIN_LINE_H
#define SMI_JSONL_PLAIN_LINE_H

#include "sample/sample.h"

enum { SMI_PLAIN_FIELDS = 64 };

/* The values of an object, then those of its last key where that is "data" and an object; their texts are the line's
 * own. Returns how many there are, or -1: the line is not plain (it is no JSON, or has escapes, lists, other objects, a
 * key twice, numbers that Python would write otherwise, or more than SMI_PLAIN_FIELDS values) and goes the general
 * road, which says the same of a plain line. */
int smi_plain_line(struct smi_text line, struct smi_field field[SMI_PLAIN_FIELDS]);

#endif
