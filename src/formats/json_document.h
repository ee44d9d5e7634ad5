/* json_document.h - logs of JSON documents, each on one line or on many. Every row that a reader makes of a
 * document counts as one of its lines; the others count as header, and rows without a line of their own add
 * one at the end of the log. */
#ifndef SMI_FORMATS_JSON_DOCUMENT_H
#define SMI_FORMATS_JSON_DOCUMENT_H

#include "formats/json_line.h"

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
/* Parses a whole one. *value: a fresh reference, yours; NULL: it is no JSON, and its lines were rejected.
 * Returns 0, or -1 with err. */
void smi_json_document_parse(struct smi_json_document *d, json_t **value);
/* So many rows were made of it. */
void smi_json_document_count(struct smi_json_document *d, int64_t rows);
/* All its lines are lost; the first is quoted. Returns 0, or -1 with err. */
void smi_json_document_reject(struct smi_json_document *d, enum smi_reject why);
/* The first line, to quote. */
struct smi_text smi_json_document_line(const struct smi_json_document *d);
/* Does this line end the one that is open? */
bool smi_json_document_closes(const struct smi_json_document *d, struct smi_text line);
/* The end of the log. Returns 0, or -1 with err. */
void smi_json_document_finish(struct smi_json_document *d);
void smi_json_document_fini(struct smi_json_document *d);

/* A flat value as the text of a cell: a text, a number with its digits, N/A for null, ? for anything else. */
struct smi_text smi_json_cell(const json_t *value, char digits[SMI_JSON_DIGITS]);

#endif
