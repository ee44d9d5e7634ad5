/* json_line.h - logs of JSON lines: what their readers share. */
#pragma once

#include "base/json.h"
#include "formats/format.h"
#include "model/rows.h"

/* Reads a line as a JSON object, as smi_json_load does; what was read as null is counted and said in a.
 * *entry: a fresh reference, yours; or NULL: the line is no such object, and was counted in a as rejected. */
void smi_json_line(struct smi_text line, struct smi_buf *repaired, struct smi_account *a, json_t **entry);

/* The same, and hands the object to fn, whose reader begins with its lines. Returns 0, or -1 with err. */
typedef int smi_json_entry_fn(struct smi_reader *r, struct smi_text line, json_t *entry, struct smi_err *err);
int smi_json_line_read(struct smi_reader *r, struct smi_text line, struct smi_buf *repaired,
                       smi_json_entry_fn *fn, struct smi_err *err);

enum { SMI_JSON_FIELDS = 256, SMI_JSON_OWN_FIELDS = 8 };

/* The flat values of an entry. Zero-initialise. */
struct smi_json_fields {
    unsigned n;
    bool full; /* it has more than SMI_JSON_FIELDS, and the rest is not here */
    struct smi_field field[SMI_JSON_FIELDS + SMI_JSON_OWN_FIELDS];
    char digits[SMI_JSON_FIELDS + SMI_JSON_OWN_FIELDS][SMI_JSON_DIGITS]; /* texts of numbers */
};
/* Adds those of an object, which may be NULL. own: names that are kept wherever they stand, at most
 * SMI_JSON_OWN_FIELDS and a NULL; or NULL. */
void smi_json_fields_add(struct smi_json_fields *to, json_t *object, bool in_data, const char *const *own);
/* Counts a row that is a mark, and hands it on; full: some of its values are not in it, which is said. */
int smi_json_mark(struct smi_lines *l, const struct smi_mark *m, bool full, struct smi_err *err);

/* smi_format.whole: an object that closes at the end of the line. */
bool smi_json_line_is_whole(void *self, struct smi_text line);

/* A string's text; empty: it is none. */
struct smi_text smi_json_string_of(const json_t *v);
/* A flat value of an entry as a field; digits has room for SMI_JSON_DIGITS. Returns false for lists and
 * objects. */
bool smi_json_field(struct smi_field *f, char *digits, const char *key, const json_t *v, bool in_data);
/* A reading of this metric. quote: a string that is no number is quoted. Returns 1; 0: there is
 * none, which was counted in a; or -1 with err. */
int smi_json_reading(unsigned metric, const json_t *v, bool quote, struct smi_account *a, int64_t *micro);

/* ---- logs of JSON documents, each on one line or on many. Every row that a reader makes of a document
 * counts as one of its lines; the others count as header, and rows without a line of their own add one at
 * the end of the log ---- */

/* Zero-initialise. */
struct smi_json_document {
    struct smi_account *account; /* once one has begun */
    struct smi_buf text;         /* as far as it has come */
    struct smi_buf repaired;
    int64_t count, extra; /* its lines; rows of all documents that had no line of their own */
    int depth;
    bool open, dropped; /* dropped: it is too long or too deep, and its lines are only counted */
};

/* A line begins a document (one that has not ended is lost), goes on with it. Returns 1: it is whole, 0, or
 * -1 with err. */
int smi_json_document_begin(struct smi_json_document *d, struct smi_account *a, struct smi_text line);
int smi_json_document_add(struct smi_json_document *d, struct smi_text line);
/* Parses a whole one. *value: a fresh reference, yours; NULL: it is no JSON, and its lines were rejected. */
void smi_json_document_parse(struct smi_json_document *d, json_t **value);
/* So many rows were made of it. */
void smi_json_document_count(struct smi_json_document *d, int64_t rows);
/* All its lines are lost; the first is quoted. */
void smi_json_document_reject(struct smi_json_document *d, enum smi_reject why);
/* The first line, to quote. */
struct smi_text smi_json_document_line(const struct smi_json_document *d);
/* Does this line end the one that is open? */
bool smi_json_document_closes(const struct smi_json_document *d, struct smi_text line);
/* The end of the log. */
void smi_json_document_finish(struct smi_json_document *d);
void smi_json_document_fini(struct smi_json_document *d);

/* A flat value as the text of a cell: a text, a number with its digits, N/A for null, ? for anything else. */
struct smi_text smi_json_cell(const json_t *value, char digits[SMI_JSON_DIGITS]);

/* ---- flat objects on one line, as slices of it ---- */

enum smi_json_member { SMI_JSON_NONE, SMI_JSON_MORE, SMI_JSON_LAST, SMI_JSON_OBJECT };
/* Takes `"key": value` off t, which stands behind a brace or a comma, with the comma (MORE) or brace (LAST)
 * behind it. OBJECT: the value is one, and t stands behind its brace. NONE: it is no such member. *plain
 * becomes false for a number that Python would write otherwise. Texts are not decoded. */
enum smi_json_member smi_json_next(struct smi_text *t, struct smi_field *f, bool *plain);
static inline bool smi_json_is_flat(enum smi_json_member what)
{
    return what == SMI_JSON_MORE || what == SMI_JSON_LAST;
}

enum { SMI_JSON_VALUES = 64 };

/* The values of an object, then those of its last key where that is "data" and an object. */
struct smi_json_values {
    unsigned n;
    struct smi_field field[SMI_JSON_VALUES]; /* slices of the line, or of: */
    char *decoded;                           /* texts that had escapes */
    size_t used, cap;
};

/* Returns whether the line is plain. If not (it is no JSON, has lists, other objects, a key twice, a value
 * that Python would write otherwise, or more than SMI_JSON_VALUES values) it goes the general path, which
 * says the same of a plain line. */
bool smi_json_fast_line(struct smi_text line, struct smi_json_values *v);
