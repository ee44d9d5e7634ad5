/* ledger_row.h - the row of a site's ledger: what one job used on one node, as a line of JSON
 * (docs/numbers.md §12). Rows of many jobs are one file. */
#pragma once

#include "formats/json_line.h"
#include "summary/summary.h"

#define SMI_LEDGER_SCHEMA "smilog-ledger/1"

/* Where the GPU time of a job went. Each interval is in one part. */
enum smi_ledger_part {
    SMI_LEDGER_ALL,
    SMI_LEDGER_FAILED,  /* of a failed job, all of it */
    SMI_LEDGER_HELD,    /* of a GPU that did nothing at all */
    SMI_LEDGER_IDLE,    /* of a GPU that worked, before, between and after */
    SMI_LEDGER_UNKNOWN, /* its utilisation was not read */
    SMI_LEDGER_PARTS
};

enum smi_ledger_text {
    SMI_LEDGER_JOB,
    SMI_LEDGER_USER,
    SMI_LEDGER_ACCOUNT,
    SMI_LEDGER_PARTITION,
    SMI_LEDGER_NODE,
    SMI_LEDGER_STATE,
    SMI_LEDGER_START,
    SMI_LEDGER_END,
    SMI_LEDGER_MODEL,
    SMI_LEDGER_INCOMPLETE, /* what its numbers lack, as the field of a run */
    SMI_LEDGER_TEXTS
};

struct smi_ledger_gpu {
    const char *uuid, *model; /* or NULL */
    int64_t ms[SMI_LEDGER_PARTS], joules;
    int64_t idle_ms[2];            /* idle with memory in use, and without (docs/numbers.md §4) */
    int64_t load_ms, clock, power; /* under full load: how long, MHz, W; 0: it is not known */
};

/* A row that was read. Zero-initialise; texts are borrowed until the next one. */
struct smi_ledger_row {
    struct smi_json_values values;
    struct smi_arena texts;
    const char *text[SMI_LEDGER_TEXTS]; /* or NULL */
    struct smi_ledger_gpu *gpu;
    size_t gpus, cap;
};

/* Appends the row of a run, whose parameters job, user, account and partition are those of the job. */
void smi_ledger_row_write(struct smi_buf *to, const struct smi_summary *s);
/* Reads a line, as any program writes JSON. Returns whether it is a row of a ledger. */
bool smi_ledger_row_read(struct smi_ledger_row *row, struct smi_text line);
void smi_ledger_row_fini(struct smi_ledger_row *row);
