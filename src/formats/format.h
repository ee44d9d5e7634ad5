/* format.h - what an input format is, and what readers share. */
#ifndef SMI_FORMATS_FORMAT_H
#define SMI_FORMATS_FORMAT_H

#include "formats/column.h"
#include "model/line_account.h"
#include "model/device.h"
#include "model/sink.h"
#include "model/format_info.h"

struct smi_read_opts {
    struct smi_account *account; /* borrowed, filled */
    struct smi_devices *devices; /* borrowed, filled */
    bool later;                  /* a later piece of an input: no byte order mark in front */
    const char *columns;         /* column names of a headerless file, comma-separated, or NULL */
};

struct smi_reader; /* each format's own */

/* What a line looks like to a format while it is sniffed. */
enum smi_sniff {
    SMI_SNIFF_NO,
    SMI_SNIFF_YES,
    SMI_SNIFF_BARE /* data without a header: needs --input-columns (query CSV only) */
};

struct smi_format {
    const char *name, *help; /* name is the word for --input-format and inputs[].format */
    bool whole;              /* lines depend on those above them: never read in pieces */
    enum smi_sniff (*sniff)(struct smi_text line);
    struct smi_reader *(*open)(const struct smi_read_opts *o, struct smi_err *err);
    /* A reader that was done with becomes as open gives it, and may remember what the same header meant; or
     * NULL: it is of no more use. */
    void (*again)(struct smi_reader *r, const struct smi_read_opts *o);
    int (*feed)(struct smi_reader *r, const char *p, size_t n, struct smi_sink *to, struct smi_err *err);
    int (*finish)(struct smi_reader *r, struct smi_sink *to, struct smi_err *err);
    enum smi_time_base (*base)(const struct smi_reader *r); /* known once a header or row was seen */
    void (*close)(struct smi_reader *r);
};

extern const struct smi_format smi_format_query, smi_format_dmon, smi_format_gpu_csv, smi_format_cpu_csv,
    smi_format_process_csv, smi_format_runlog;
extern const struct smi_format smi_format_amd_metric, smi_format_amd_monitor, smi_format_amd_process;
extern const struct smi_format smi_format_rocm, smi_format_rocm_json;
extern const struct smi_format smi_format_usage_log, smi_format_dcgmi, smi_format_proc_stat,
    smi_format_gpu_tracker, smi_format_gpu_tracker_sub;
extern const struct smi_format smi_format_samples_jsonl, smi_format_samples_csv;
extern const struct smi_format smi_format_pmon, smi_format_apps, smi_format_accounted, smi_format_retired;

/* True for a known message of nvidia-smi or harmless noise between rows (formats.md §2.2, §9). */
bool smi_message_is_known(struct smi_text line);
/* The harmless part of it: it says nothing about the GPUs. */
bool smi_message_is_noise(struct smi_text line);

/* What readers share. Counts a line that is a known message; nvidia-smi's own are kept as a problem.
 * Returns 1 if it was one, 0 if not, -1 with err (memory). */
int smi_message_count(struct smi_account *a, struct smi_text line, struct smi_err *err);
/* Counts a cell that gave no reading; one that is no sentinel is kept as a problem. Returns 0 or -1. */
int smi_cell_count_lost(struct smi_account *a, enum smi_cell_status what, unsigned metric,
                        struct smi_text cell, struct smi_err *err);

#endif
