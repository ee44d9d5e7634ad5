/* pytorch.h - the lines of a log, up to SMI_PYTORCH_LINE bytes each. Unlike formats/lines.h this is
 * Python's view of a file: a last line without an end is one, and so is an empty one. */
#ifndef SMI_EXPORT_PYTORCH_H
#define SMI_EXPORT_PYTORCH_H

#include "base/buf.h"
#include "base/err.h"
#include "base/map.h"
#include "base/text.h"
#include "export/export.h"
#include "export/pytorch_documents.h"

#include <stdint.h>

enum { SMI_PYTORCH_LINE = 16 << 20 };

/* Zero-initialise, then fill line and self. */
struct smi_pytorch_lines {
    /* Without its LF and one CR before it. too_long: nothing of it was kept. Returns 0, or -1 with err to
     * stop. */
    int (*line)(void *self, struct smi_text line, bool too_long, struct smi_err *err);
    void *self;
    struct smi_buf keep; /* the beginning of a line whose end has not come yet */
    bool skipping;       /* it is too long */
};

int smi_pytorch_lines_feed(struct smi_pytorch_lines *l, const char *p, size_t n, struct smi_err *err);
int smi_pytorch_lines_end(struct smi_pytorch_lines *l, struct smi_err *err);

/* ---- different texts, numbered in the order in which they first came ---- */

enum { SMI_PYTORCH_NAMES = 1 << 20 };

struct smi_pytorch_run_name {
    char *p; /* n bytes and a NUL */
    size_t n;
};

/* Zero-initialise. */
struct smi_pytorch_names {
    struct smi_pytorch_run_name *list;
    size_t n, cap;
    struct smi_map map;
};

/* The number of a text, which may be new. Returns 0, or -1 with err (memory; SMI_ELIMIT: there are too many).
 */
int smi_pytorch_names_find(struct smi_pytorch_names *s, struct smi_text name, size_t *number,
                           struct smi_err *err);
void smi_pytorch_names_fini(struct smi_pytorch_names *s);

/* when which command was seen: times of one command that are at most 60 s apart are one
 * segment. */

enum { SMI_PYTORCH_GAP = 60 };

struct smi_pytorch_segment {
    int64_t start, end; /* seconds since 1970 */
};

/* Zero-initialise. */
struct smi_pytorch_segments {
    struct smi_pytorch_names names; /* as jansson has them (export/pytorch_documents.h) */
    struct smi_pytorch_spans {
        struct smi_pytorch_segment *list; /* in their order, more than SMI_PYTORCH_GAP apart */
        size_t n, cap;
    } * of; /* of each name */
    size_t cap;
};

/* A record of the time `at` names this command; times may come in any order. Only commands that begin with
 * "python" count. Returns 0, or -1 with err (memory; SMI_ELIMIT). */
int smi_pytorch_segments_add(struct smi_pytorch_segments *s, struct smi_text name, int64_t at,
                             struct smi_err *err);
/* Appends them as a JSON list, command by command. */
void smi_pytorch_segments_json(struct smi_buf *to, const struct smi_pytorch_segments *s);
void smi_pytorch_segments_fini(struct smi_pytorch_segments *s);

/* ---- the data of a record as the uploader's dataclasses hold them and write them again ---- */

/* Appends a number as Python writes float(number). Returns false for a value that is no number, or one that
 * no double holds. */
bool smi_pytorch_float_dump(struct smi_buf *to, const json_t *value);
/* Appends the object `data` of a record: numbers are floats, keys stand in the order of the classes, keys
 * that are not there are null, and others are left out. Returns false if a value has not the type of its key:
 * the uploader cannot read such a record. */
bool smi_pytorch_data_dump(struct smi_buf *to, const json_t *data);

/* which job an export to PyTorch CI's database is of, as typed, and as the run itself
 * says it. */

/* As typed; NULL: not given. */
struct smi_pytorch_settings {
    const char *repo, *workflow_id, *run_attempt, *job_id, *workflow_name, *job_name, *created_at;
    int64_t interval_us; /* 0: not given */
    bool debug;
};

/* Was any of them given? Then the name of its option; else NULL. */
const char *smi_pytorch_settings_given(const struct smi_pytorch_settings *s);

/* The same, read. */
struct smi_pytorch_ids {
    struct smi_pytorch_settings set; /* what it borrows stays the caller's */
    int64_t created_at, interval_ms;
    uint64_t workflow_id, job_id;
    uint32_t run_attempt;
};

/* Returns 0, or -1 with err SMI_EUSAGE: what was typed makes no sense. */
int smi_pytorch_ids_read(struct smi_pytorch_ids *ids, const struct smi_pytorch_settings *s,
                         struct smi_err *err);
/* The job of a run, from what was typed, else from the run's parameters, among which a usage_log.txt's own
 * are. All that job has is borrowed. Returns 0, or -1 with err SMI_EUSAGE: it is not known. */
int smi_pytorch_identify(struct smi_pytorch_job *job, const struct smi_pytorch_ids *ids, const char *dir,
                         const struct smi_export_run *r, struct smi_err *err);

/* ---- `smilog export --to pytorch:DIR`: what PyTorch CI keeps of its jobs, from any run ---- */

/* smi_target_pytorch without a directory: documents go to the sink, which is borrowed, and a log that is made
 * is not kept. It ends by its close, without keep. Returns NULL with err (memory, SMI_EUSAGE). */
struct smi_target_out *smi_pytorch_target_open(const struct smi_pytorch_sink *sink,
                                               const struct smi_pytorch_settings *set, struct smi_err *err);

#endif
