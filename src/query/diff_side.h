/* diff_side.h - a side of a comparison: logs, or what smilog wrote of them earlier. */
#ifndef SMI_QUERY_DIFF_SIDE_H
#define SMI_QUERY_DIFF_SIDE_H

#include "base/buf.h"
#include "summary/run.h"
#include "sweep/sweep.h"

enum smi_side_kind {
    SMI_SIDE_LOGS,    /* anything else */
    SMI_SIDE_JSON,    /* of summarize, --format json or jsonl */
    SMI_SIDE_PARTIAL, /* of summarize --partial */
    SMI_SIDE_LEDGER   /* of summarize --format ledger */
};

/* By the first bytes; of what cannot be read SMI_SIDE_LOGS, whose reader says why, and of a pipe, whose bytes
 * come only once ("-" is looked at all the same). Returns 0, or -1 with err (memory). */
int smi_side_kind(const char *path, enum smi_side_kind *kind, struct smi_err *err);

/* The sweep that a JSON of this text holds, out being zero; path: for messages. As smi_side_read. */
int smi_side_read_json(struct smi_sweep *out, const char *path, struct smi_text text, struct smi_err *err);

/* The sweep behind path, of whatever kind; a pipe (as of a shell's <(smilog summarize --json DIR)) has to
 * hold JSON, and
 * "-" JSON or a log. Of a JSON a run has what one row says of it, and its parameters: no GPUs' metrics, no
 * phases and findings. Returns 0, or -1 with err: SMI_EFORMAT (no such JSON, a broken one), SMI_EIO, memory;
 * out is empty then. The logs' own troubles are in out, as smi_sweep_read has them. */
int smi_side_read(struct smi_sweep *out, const char *path, const struct smi_discover_opts *d,
                  const struct smi_options *o, struct smi_err *err);

/* Are the PATHs of both sides, which were read, different logs of one run? Then its whole directory was read
 * for either, and there is nothing to compare. Logs of unlike formats in one directory are one run. */
bool smi_sides_are_one_run(const char *const path[2], const struct smi_sweep *s[2]);

#endif
