/* job_accounting.h - what Slurm's accounting says of jobs: the output of sacct --parsable2, in a file sacct*.
 */
#ifndef SMI_SWEEP_JOB_ACCOUNTING_H
#define SMI_SWEEP_JOB_ACCOUNTING_H

#include "base/mem.h"
#include "base/text.h"

enum { SMI_JOBS_MAX = 200000, SMI_JOBS_BYTES = 64 << 20 /* of a file */ };

struct smi_job {
    const char *id;     /* "4711", "4712_3": jobs and tasks of arrays, no steps */
    const char *state;  /* one of smi_state_names, or NULL: it says nothing of an end */
    const char *reason; /* or NULL */
    int exit_code;      /* -1: none */
    size_t line;        /* place in its file */
};

/* Is a file of this name looked at? */
bool smi_jobs_is_file(const char *name);
/* The jobs of a file in the order of their ids; *n is 0 where its first line is none of sacct's. Returns 0,
 * or -1 without memory. */
int smi_jobs_read(struct smi_text text, struct smi_arena *a, const struct smi_job **job, size_t *n);
/* The job with this id, or NULL. */
const struct smi_job *smi_jobs_find(const struct smi_job *job, size_t n, struct smi_text id);
/* The next number in a name that may be that of a job, "4712_3" before "4712": taken off *name; false at its
 * end. */
bool smi_jobs_next_id(const char **name, struct smi_text *id);

#endif
