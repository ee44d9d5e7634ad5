/* pytorch_documents.h - from a usage_log.txt of PyTorch CI (data model 1.5) to the documents of its database:
 * what its uploader (upload_utilization_stats.py) would have put into its buckets, below a directory. */
#ifndef SMI_EXPORT_PYTORCH_DOCUMENTS_H
#define SMI_EXPORT_PYTORCH_DOCUMENTS_H

#include "base/buf.h"
#include "base/err.h"
#include "model/line_account.h"

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
                                                         struct smi_account *account, struct smi_err *err);
/* Takes the next n bytes of the log. Returns 0, or -1 with err: SMI_EFORMAT, if it is no log of the
 * model 1.5; SMI_EIO, SMI_ENOMEM, SMI_ELIMIT. */
int smi_pytorch_documents_feed(struct smi_pytorch_documents *d, const char *p, size_t n, struct smi_err *err);
/* The log has ended: both files get into their places. The same returns; SMI_EFORMAT too if no record is
 * valid, and then, as with all errors, nothing was written. */
int smi_pytorch_documents_end(struct smi_pytorch_documents *d, struct smi_err *err);
void smi_pytorch_documents_free(struct smi_pytorch_documents *d);

#endif
