/* json_load.h - JSON that others wrote: jansson parses it, what it cannot hold is marked in another way, and
 * numbers are read as the decimal digits that were written, never as doubles. */
#ifndef SMI_BASE_JSON_LOAD_H
#define SMI_BASE_JSON_LOAD_H

#include "base/buf.h"
#include "base/err.h"

#include <jansson.h>

enum { SMI_JSON_DEPTH = 64, SMI_JSON_DIGITS = 32 };

/* Reads text, which is UTF-8, as a JSON object or list. Python's NaN and Infinity, which JSON does not have,
 * are read as null, and *lost is how many; numbers that neither 64 bits nor a double hold are read as what
 * smi_json_big_number knows; repaired is room for that, kept from text to text. *value: a fresh reference,
 * yours; or NULL: why->text says what is wrong. Returns 0, or -1 with err (memory). */
int smi_json_load(struct smi_text text, struct smi_buf *repaired, json_t **value, size_t *lost,
                  json_error_t *why, struct smi_err *err);
/* Reads a JSON object of a user's own from a file: UTF-8, at most 1 MiB. what: for messages, as "--rules".
 * *object: a fresh reference, yours. Returns 0, or -1 with err: SMI_EUSAGE, which names what, path and
 * reason; SMI_ENOMEM. */
int smi_json_load_file(const char *what, const char *path, json_t **object, struct smi_err *err);
/* The length of a word of Python's for a number (NaN, Infinity, -Infinity) that t begins with, or 0. */
size_t smi_json_python_word(struct smi_text t);
/* Has the outermost object this key (with its quotes)? For sniffing: also on cut lines and on lines with NaN.
 */
bool smi_json_has_key(struct smi_text line, const char *key);
/* A JSON number in millionths, from the shortest digits that give it again. Returns whether it is one and
 * fits. */
bool smi_json_number(const json_t *v, int64_t *micro);
/* The same of a number's text. */
bool smi_json_text_number(struct smi_text t, int64_t *micro);
/* Is v, of smi_json_load, a number too wide, as 18446744073709551616? Then *digits is how it was written. To
 * all others it is an object. */
bool smi_json_big_number(const json_t *v, struct smi_text *digits);
/* A JSON number as Python prints it. Returns the length. */
size_t smi_json_digits(const json_t *number, char out[SMI_JSON_DIGITS]);

#endif
