/* pytorch_json.h - JSON as Python's json module reads and writes it: what was read by json.loads and written
 * by json.dumps comes out of here byte by byte the same. */
#ifndef SMI_EXPORT_PYTORCH_JSON_H
#define SMI_EXPORT_PYTORCH_JSON_H

#include "base/buf.h"
#include "base/err.h"

#include <jansson.h>

/* Reads a text as json.loads does: also NaN, Infinity, whole numbers of any size, and halves of surrogate
 * pairs, as Python writes the bytes of a command that are not UTF-8. *value: a fresh reference, for the
 * functions of this file alone; or NULL, and why->text says what is wrong: not JSON, not UTF-8, or deeper
 * than SMI_JSON_DEPTH. room is kept from text to text. Returns 0, or -1 with err (memory). */
int smi_pytorch_json_load(struct smi_text text, struct smi_buf *room, json_t **value, json_error_t *why,
                          struct smi_err *err);
/* The text of a number that is neither a 64 bit integer nor a finite double, as Python prints it; or NULL. */
const char *smi_pytorch_json_wide(const json_t *value);
/* Appends such a value as json.dumps writes it, with its separators, all of it ASCII. */
void smi_pytorch_json_dump(struct smi_buf *to, const json_t *value);
/* Appends a string that such a value holds, in quotes. */
void smi_pytorch_json_dump_string(struct smi_buf *to, struct smi_text t);
/* Appends any text in quotes: each byte that is not UTF-8 becomes U+FFFD. */
void smi_pytorch_json_quote(struct smi_buf *to, struct smi_text t);
/* Is a value false to Python: null, false, zero, or empty? NULL is. */
bool smi_pytorch_json_is_false(const json_t *value);

#endif
