/* json_line.h - logs of JSON lines: what their readers share. */
#ifndef SMI_JSONL_JSON_LINE_H
#define SMI_JSONL_JSON_LINE_H

#include "base/buf.h"
#include "sample/account.h"

#include <jansson.h>

enum { SMI_JSON_DEPTH = 64, SMI_JSON_DIGITS = 32 };

/* Reads a line as a JSON object. Python's NaN and Infinity, which JSON does not have, are read as null, and numbers that
 * neither 64 bits nor a double hold as what smi_json_beyond knows; repaired is room for that, kept from line to line.
 * *entry: a fresh reference, yours; or NULL: the line is no such object, and was counted in a as rejected. Returns 0, or
 * -1 with err (memory). */
int smi_json_line(struct smi_text line, struct smi_buf *repaired, struct smi_account *a, json_t **entry,
                  struct smi_err *err);
/* Has the outermost object this key (with its quotes)? For sniffing: also on cut lines and on lines with NaN. */
bool smi_json_has_key(struct smi_text line, const char *key);
/* A JSON number in millionths, from the shortest digits that give it again. Returns whether it is one and fits. */
bool smi_json_number(const json_t *v, int64_t *micro);
/* Is v, of an object of smi_json_line, such a number, as 18446744073709551616? Then *digits is how it was written. To all
 * others it is an object. */
bool smi_json_beyond(const json_t *v, struct smi_text *digits);
/* A JSON number as Python prints it. Returns the length. */
size_t smi_json_digits(const json_t *number, char out[SMI_JSON_DIGITS]);

#endif
