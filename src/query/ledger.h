/* ledger.h - the ledger of a site (summary/ledger_row.h): rows of any number of jobs, added up by user,
 * account, GPU and more. Of a row nothing is kept but what tells that it comes again. */
#ifndef SMI_QUERY_LEDGER_H
#define SMI_QUERY_LEDGER_H

#include "query/query.h"

/* By what rows can be grouped, the figures of every group, and those of a GPU. */
enum smi_ledger_field {
    SMI_LEDGER_BY_USER,
    SMI_LEDGER_BY_ACCOUNT,
    SMI_LEDGER_BY_PARTITION,
    SMI_LEDGER_BY_JOB,
    SMI_LEDGER_BY_NODE,
    SMI_LEDGER_BY_STATE,
    SMI_LEDGER_BY_MONTH,
    SMI_LEDGER_BY_DAY,
    SMI_LEDGER_BY_GPU_UUID,
    SMI_LEDGER_BY_GPU_NAME,
    SMI_LEDGER_KEYS,
    SMI_LEDGER_JOBS = SMI_LEDGER_KEYS,
    SMI_LEDGER_GPU_H,
    SMI_LEDGER_USED_H,
    SMI_LEDGER_IDLE_H,
    SMI_LEDGER_FAILED_H,
    SMI_LEDGER_HELD_H,
    SMI_LEDGER_USED_PCT,
    SMI_LEDGER_UNKNOWN_H,
    SMI_LEDGER_ENERGY,
    SMI_LEDGER_CLOCK_PCT,
    SMI_LEDGER_POWER_PCT,
    SMI_LEDGER_CLOCK,
    SMI_LEDGER_POWER,
    SMI_LEDGER_NOTE,
    SMI_LEDGER_FIELDS
};
extern const struct smi_field_info smi_ledger_fields[SMI_LEDGER_FIELDS];

/* The sums of all rows in n files ("-": standard input), by q->group_by (NULL: user,account), with
 * q->columns, in the order of q->sort. said gets sentences, each with its NUL: of lines that are no rows, and
 * of rows that came again. Returns 0, or -1 with err: SMI_EUSAGE names the option, SMI_EFORMAT: there is no
 * row. */
int smi_ledger_query(const char *const *path, size_t n, const struct smi_query *q, struct smi_result *rows,
                     struct smi_buf *said, struct smi_err *err);

#endif
