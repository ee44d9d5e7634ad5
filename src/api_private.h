/* api_private.h - what the files of the public interface (include/smilog) share. */
#pragma once

#include "cli/settings.h"
#include "query/query.h"
#include "summary/findings.h"
#include "summary/run_fields.h"
#include "sweep/reread.h"
#include "sweep/sweep.h"

#include <smilog/smilog.h>

/* Copies the error of a call to the caller's, unless that holds one. Returns -1. */
int smi_api_fail(struct smilog_error *to, const struct smi_err *err);
/* Makes options in a message those of the library: "--gpus" becomes "gpus". */
void smi_api_name_options(char *text);
/* The bytes of a buffer, which is consumed, for the caller; NULL with err if rc is not 0 or memory ran out.
 */
char *smi_api_take_text(struct smi_buf *b, int rc, size_t *n, struct smi_err *err, struct smilog_error *to);

/* An option as it was set: a sweep sets those of its reader again for itself. */
struct smi_api_option {
    const char *name, *value;
};

struct smilog_options {
    struct smi_arena arena; /* of all texts */
    struct smi_api_option *set;
    size_t n;
    struct smi_settings *is; /* what they mean */
};

/* Sets an option of these tables, by name. Returns 0, or -1 with err. */
int smi_api_set(const struct smi_cmd *of, void *settings, const char *name, const char *value,
                struct smi_err *err);
/* A copy of o, or of no options if o is NULL. NULL with err. */
struct smilog_options *smi_api_copy_options(const struct smilog_options *o, struct smilog_error *err);

/* A run, GPU, phase or finding; its values are filled when they are asked for first. */
struct smilog_record {
    enum smilog_kind kind;
    const struct smi_summary *run;
    const void *item; /* smi_gpu, smi_phase_summary, smi_finding; of a run nothing */
    struct smi_field_values values;
    struct smilog_record *part[SMILOG_FINDING + 1]; /* of a run: its GPUs, phases, findings */
};

struct smilog_sweep {
    struct smi_sweep s;
    struct smilog_options *o;
    const char **path;
    size_t paths;
    struct smi_reread again;
    struct smilog_record **record; /* of each run, or NULL until it is asked for */
    struct smi_arena texts;        /* of warnings */
    const char **warning;
    size_t warnings, warnings_cap;
};

/* Forgets the records, as the runs change. */
void smi_api_drop_records(struct smilog_sweep *s);
/* Asks; with columns, group_by or sql rows become the answer. Warnings are added to those of s. */
int smi_api_query(struct smilog_sweep *s, struct smi_query q, struct smi_result *rows, struct smi_err *err);
