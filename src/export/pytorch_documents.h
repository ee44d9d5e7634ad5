/* pytorch_documents.h - from a usage_log.txt of PyTorch CI (data model 1.5) to the documents of its database:
 * what its uploader (upload_utilization_stats.py) would have put into its buckets, below a directory. */
#ifndef SMI_EXPORT_PYTORCH_DOCUMENTS_H
#define SMI_EXPORT_PYTORCH_DOCUMENTS_H

#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "model/line_account.h"

#include <jansson.h>
#include <zlib.h>

struct smi_pytorch_job;
/* Takes documents instead of files: a line of JSON each, with its end. series: of the time series; else the
 * metadata, which comes last. Returns 0, or -1 with err to stop. */
struct smi_pytorch_sink {
    int (*put)(void *self, const struct smi_pytorch_job *job, bool series, const char *p, size_t n,
               struct smi_err *err);
    void *self;
};

/* Which job the documents are of; as typed, for they are not believed from the log. */
struct smi_pytorch_job {
    const char *dir;
    const struct smi_pytorch_sink *sink; /* or NULL: files below dir */
    const char *repo;                    /* "pytorch/pytorch" */
    uint64_t workflow_id, job_id;
    uint32_t run_attempt;
    struct smi_text workflow_name, job_name;
    int64_t created_at; /* seconds since 1970 */
    bool debug;         /* the collections' names begin with debug_ */
};

/* Appends the path of a file of a job: "DIR/COLLECTION/v_1.5/REPO/WORKFLOW/ATTEMPT/JOB/FILE". */
void smi_pytorch_path(struct smi_buf *to, const struct smi_pytorch_job *job, const char *collection,
                      const char *file);

struct smi_pytorch_documents; /* opaque */

/* Begins. job and account are borrowed; every line is counted in account, what is dropped is a problem of it.
 * NULL with err (memory). */
struct smi_pytorch_documents *smi_pytorch_documents_open(const struct smi_pytorch_job *job,
                                                         struct smi_account *account);
/* Takes the next n bytes of the log. Returns 0, or -1 with err: SMI_EFORMAT, if it is no log of the
 * model 1.5; SMI_EIO, SMI_ELIMIT. */
int smi_pytorch_documents_feed(struct smi_pytorch_documents *d, const char *p, size_t n, struct smi_err *err);
/* The log has ended: both files get into their places. The same returns; SMI_EFORMAT too if no record is
 * valid, and then, as with all errors, nothing was written. */
int smi_pytorch_documents_end(struct smi_pytorch_documents *d, struct smi_err *err);
void smi_pytorch_documents_free(struct smi_pytorch_documents *d);

/* JSON as Python's json module reads and writes it: what was read by json.loads and written
 * by json.dumps comes out of here byte by byte the same. */

/* Reads a text as json.loads does: also NaN, Infinity, whole numbers of any size, and halves of surrogate
 * pairs, as Python writes the bytes of a command that are not UTF-8. *value: a fresh reference, for the
 * functions of this file alone; or NULL, and why->text says what is wrong: not JSON, not UTF-8, or deeper
 * than SMI_JSON_DEPTH. room is kept from text to text. Returns 0, or -1 with err (memory). */
void smi_pytorch_json_load(struct smi_text text, struct smi_buf *room, json_t **value, json_error_t *why);
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

/* ---- a gzip file in the making; the same bytes give the same file ---- */

/* Zero-initialise. */
struct smi_pytorch_gzip {
    struct smi_file_out out;
    gzFile z;
    char *path; /* NULL: it is not open */
};

/* Begins the file at path, in directories that are made where they are not there; a file that is there
 * already and no gzip file is an error. Returns 0, or -1 with err. */
int smi_pytorch_gzip_open(struct smi_pytorch_gzip *g, const char *path, struct smi_err *err);
int smi_pytorch_gzip_put(struct smi_pytorch_gzip *g, const char *p, size_t n, struct smi_err *err);
/* keep: writes the rest, and puts the file into its place; else nothing of it is left. May be called again,
 * or without an open. Returns 0, or -1 with err. */
int smi_pytorch_gzip_close(struct smi_pytorch_gzip *g, bool keep, struct smi_err *err);

/* Makes the directories that path, of a file, lies in; the file may be there already, if it begins with
 * magic: it is of an earlier export then. Returns 0, or -1 with err. */
int smi_pytorch_prepare(const char *path, const char *magic, struct smi_err *err);

#endif
