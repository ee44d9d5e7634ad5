/* pytorch.h - the documents of PyTorch CI's database (data model 1.5), from a usage_log.txt or from the
 * readings of any other run. */
#pragma once

#include "export/export.h"

/* What was typed; NULL: not given. */
struct smi_pytorch_settings {
    const char *repo, *workflow_id, *run_attempt, *job_id, *workflow_name, *job_name, *created_at;
    int64_t interval_us; /* 0: not given */
    bool debug;
};

/* The job that the documents belong to. */
struct smi_pytorch_job {
    const char *repo;                          /* "pytorch/pytorch" */
    uint64_t workflow_id, job_id, run_attempt; /* run_attempt: of 32 bits */
    const char *workflow_name, *job_name;
    uint64_t created_at; /* seconds since 1970 */
    char id[72];         /* "13310346522/1/37173214453": workflow run, attempt, job */
};

/* What is written for a job. Who finds the metadata finds the time series: it comes last. */
enum smi_pytorch_kind { SMI_PYTORCH_SERIES, SMI_PYTORCH_LOG, SMI_PYTORCH_METADATA, SMI_PYTORCH_KINDS };

/* The documents of a job: of each kind lines of JSON, each with its end. Zero-initialise, then job. */
struct smi_pytorch_documents {
    const struct smi_pytorch_job *job;
    bool flat; /* wanted: segments are a text, in segments_json */
    uint64_t records;
    struct smi_spill_file spill;
    struct smi_block_list of[SMI_PYTORCH_KINDS];
};
void smi_pytorch_documents_fini(struct smi_pytorch_documents *d);

/* Where documents go. The functions return -1 with err on failure. */
struct smi_pytorch_sink {
    /* Returns 1 if the metadata of the job is there already, else 0. */
    int (*has)(void *self, const struct smi_pytorch_job *job, struct smi_err *err);
    /* Takes all that a job has. After a failure as little as possible is left of it. */
    int (*put)(void *self, const struct smi_pytorch_documents *d, struct smi_err *err);
    void *self;
    bool flat;
};

enum {
    SMI_PYTORCH_LINE = 16 << 20,     /* bytes of a line of a usage log */
    SMI_PYTORCH_NAMES = 1 << 20,     /* different commands of a job */
    SMI_PYTORCH_COMMANDS = 64 << 20, /* bytes of the commands of a run's logs */
    SMI_PYTORCH_RECORDS = 1000000    /* of a job */
};

/* Makes the documents of a run in `to`. log: the input that is a usage_log.txt, or -1. interval_ms: 0, and
 * the log is taken as it is; else records of this length are made of the run's readings, as PyTorch CI's
 * monitor would have made them. What the user has to know goes to say. Adds rows, documents, and doubts for
 * what is left out, to done. Returns 0, or -1 with err: SMI_EFORMAT if the run has no documents, SMI_ELIMIT,
 * the disk. */
int smi_pytorch_make(struct smi_pytorch_documents *to, const struct smi_export_run *r, int log,
                     int64_t interval_ms, struct smi_buf *say, struct smi_target_out *done,
                     struct smi_err *err);

/* Would the monitor name this command? */
bool smi_pytorch_is_named(struct smi_text command);
