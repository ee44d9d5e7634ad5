/* detect.h - input formats by their names, and told apart by content. */
#ifndef SMI_FORMATS_DETECT_H
#define SMI_FORMATS_DETECT_H

#include "formats/format.h"
#include "formats/row_shape.h"

int smi_format_find(const char *name); /* id, or -1 */

/* Tells the format of the first bytes of an input (n up to 64 KiB are looked at; whole: the input ends
 * there). Returns an smi_format_id; or -1, and why is filled with a sentence part ("empty", "UTF-16 text
 * ...", "a log of xpu-smi (Intel): not read", "no known log format: begins with ..."); bare: rows of a query
 * CSV without header whose columns are not known (advice: --input-columns) - the id is still returned. */
struct smi_detect {
    bool bare;     /* a headerless query CSV that is not the reference's nine columns */
    bool ours;     /* our own output: never a log */
    bool messages; /* only known error messages */
    bool broken;   /* of a log that never began: nothing, only messages, or one unfinished line */
    bool likely;   /* what proves it may stand in front of other logs, too */
    bool led;      /* other lines stand in front of the first that is the format's own */
    bool unknown;  /* it begins like nothing that is known */
    char columns[SMI_ROW_SHAPE_TEXT + 1]; /* what that shape told (row_shape.h), or "" */
    char why[400];                        /* UTF-8, safe to print */
};
/* why = what, and a quote of t if it is given, safe to print and cut between characters. Returns -1. */
int smi_detect_refuse(struct smi_detect *out, const char *what, struct smi_text t);
int smi_detect(const char *p, size_t n, bool whole, struct smi_detect *why);

/* foreign.c - what other tools write that is no log here: known by name, never guessed at. */
/* What this line, which is trimmed and not empty, makes of its file: a sentence part that names it and says
 * which command makes a log ("the table of rocm-smi: add --csv to it"), or NULL. sure: only what it makes of
 * it whatever stands below; else also what holds if nothing below is a log. */
const char *smi_foreign_find(struct smi_text line, bool sure);
/* The same of the first bytes of a file that is no text. */
const char *smi_foreign_magic(const char *p, size_t n);

/* How many NUL bytes stand in front: a log that was emptied while its monitor had it open begins with them.
 */
size_t smi_detect_hole(const char *p, size_t n);

/* Of bytes that were detected as id (bare: as above), and are led: is it another text, which only quotes a
 * log? It is, if the log's own lines are less than half, and more than two others stand behind the first of
 * them too; or if there is no row, and its headers are less than a fifth. Blank lines, messages, and broken
 * lines that begin with a digit (of JSON with a brace) are neither. Returns 1, 0, or -1 with err (memory). */
int smi_detect_is_quoted(const char *p, size_t n, int id, bool bare);

/* How much of an input is looked at, one look after the other. */
enum { SMI_DETECT_FIRST = 1024, SMI_DETECT_MORE = 4096, SMI_DETECT_MOST = 65536 };

/* One look at the first `size` bytes (SMI_DETECT_FIRST, then what was returned); p holds n, and where that is
 * less, these are all. The same bytes pass the same looks wherever they come from: a file, a pipe, packed, an
 * archive. columns: of --input-columns or --columns-from, or NULL; with them rows without a header are not
 * bare. Returns the size of the next look, or 0: *id is the format, or -1 for what *why says, another text
 * that only quotes a log among them. err (memory, columns of no use) is filled with a 0. */
size_t smi_detect_look(const char *p, size_t n, size_t size, const char *columns, int *id,
                       struct smi_detect *why, struct smi_err *err);

#endif
