/* json_line.h - logs of JSON lines: what their readers share. */
#ifndef SMI_FORMATS_JSON_LINE_H
#define SMI_FORMATS_JSON_LINE_H

#include "base/json_load.h"
#include "formats/format.h"

/* Reads a line as a JSON object, as smi_json_load does; what was read as null is counted and said in a.
 * *entry: a fresh reference, yours; or NULL: the line is no such object, and was counted in a as rejected.
 * Returns 0, or -1 with err (memory). */
int smi_json_line(struct smi_text line, struct smi_buf *repaired, struct smi_account *a, json_t **entry,
                  struct smi_err *err);

/* How deep braces and brackets are behind a line that begins so deep; a string ends where its line ends. From
 * SMI_JSON_DEEPEST on it is not counted further. */
enum { SMI_JSON_DEEPEST = 64 };
int smi_json_depth(int depth, struct smi_text line);
/* smi_format.whole: an object that closes at the end of the line. */
bool smi_json_line_is_whole(void *self, struct smi_text line);

/* A string's text; empty: it is none. */
struct smi_text smi_json_string_of(const json_t *v);
/* A flat value of an entry as a field; digits has room for SMI_JSON_DIGITS. Returns false for lists and
 * objects. */
bool smi_json_field(struct smi_field *f, char *digits, const char *key, const json_t *v, bool in_data);
/* A reading of this metric. quote: a string that is no number is quoted. Returns 1; 0: there is
 * none, which was counted in a; or -1 with err. */
int smi_json_reading(unsigned metric, const json_t *v, bool quote, struct smi_account *a, int64_t *micro,
                     struct smi_err *err);

#endif
