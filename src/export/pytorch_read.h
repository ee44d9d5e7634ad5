/* pytorch_read.h - a usage_log.txt of the model 1.5 made of readings: what PyTorch CI's
 * monitor would have written, had it seen them. */
#ifndef SMI_EXPORT_PYTORCH_READ_H
#define SMI_EXPORT_PYTORCH_READ_H

#include "base/buf.h"
#include "export/export.h"
#include "export/pytorch.h"

#include <stdint.h>

enum {
    SMI_PYTORCH_HOST = 0xFFFF,     /* whose reading: no GPU's */
    SMI_PYTORCH_RECORDS = 1000000, /* of a log */
    SMI_PYTORCH_READINGS = 1 << 26,
    SMI_PYTORCH_SIGHTINGS = 1 << 22
};

/* What a record tells. Of those behind TOTAL the largest within an interval was read, as other means of the
 * log say it: it counts for max, and is not listed. */
enum smi_pytorch_metric {
    SMI_PYTORCH_CPU,
    SMI_PYTORCH_MEMORY,
    SMI_PYTORCH_UTIL,
    SMI_PYTORCH_MEM_UTIL,
    SMI_PYTORCH_FB_PCT,
    SMI_PYTORCH_FB_USED,
    SMI_PYTORCH_FB_TOTAL,
    SMI_PYTORCH_PEAK = 8 /* added to one of the others */
};

struct smi_pytorch_reading {
    int64_t t_ms; /* since 1970 */
    int64_t micro;
    uint32_t order, interval;
    uint16_t gpu, what;
};

/* A command was seen from one time to another. */
struct smi_pytorch_sighting {
    int64_t from_ms, to_ms;
    uint32_t from, to, order; /* intervals */
    uint32_t name;            /* its number in names */
};

/* Zero-initialise, then fill what stands in front of `list`; all of it is borrowed. */
struct smi_pytorch_usage_log {
    const char *workflow_id, *job_id;
    struct smi_text workflow_name, job_name;
    int64_t collect_us;  /* between samples */
    int64_t interval_ms; /* between records, from 1000 on */
    bool has_start;
    int64_t start_at;        /* seconds; of a log that knows it */
    const char *const *uuid; /* of each GPU, a JSON string with its quotes */
    size_t gpus;
    int64_t gpu_count;    /* of the machine; 0: as many */
    int64_t cpus;         /* 0: not known */
    const char *gpu_type; /* "pynvml", "amdsmi", or "" */
    struct smi_pytorch_reading *list;
    size_t n, cap;
    struct smi_pytorch_sighting *seen;
    size_t nseen, seen_cap;
    struct smi_pytorch_names names; /* of commands: JSON strings with their quotes */
};

int smi_pytorch_usage_log_add(struct smi_pytorch_usage_log *m, int64_t t_ms, unsigned gpu, unsigned what,
                              int64_t micro, struct smi_err *err);
/* json: the command as a JSON string with its quotes. */
int smi_pytorch_usage_log_add_command(struct smi_pytorch_usage_log *m, int64_t from_ms, int64_t to_ms,
                                      struct smi_text json, struct smi_err *err);
/* Would the monitor name this command? */
bool smi_pytorch_is_named(struct smi_text command);

typedef int smi_pytorch_write_fn(void *self, const char *p, size_t n, struct smi_err *err);
/* Writes the log, line by line. There is a reading. Returns 0, or -1 with err: fn's; SMI_ELIMIT.
 */
int smi_pytorch_usage_log_write(struct smi_pytorch_usage_log *m, smi_pytorch_write_fn *fn, void *self,
                                struct smi_err *err);
void smi_pytorch_usage_log_fini(struct smi_pytorch_usage_log *m);

/* a usage_log.txt back into readings: every sample that a record lists, at the time
 * of the record. */

/* Adds the readings and commands of an input, its GPUs and what its metadata says of the machine to m; what m
 * borrows is in room. Logs of the models 1.0 and 1.5 are understood; of records without samples the mean is
 * the sample, and the largest a peak. Returns 0, or -1 with err. */
int smi_pytorch_log_readings(struct smi_pytorch_usage_log *m, struct smi_arena *room,
                             const struct smi_export_run *r, size_t input, struct smi_err *err);

/* ---- what PyTorch CI's monitor would have measured, from the logs of any run ---- */

/* Readings, commands and all that is known of the machine go to m; what it borrows is in room. Each metric of
 * a GPU comes from one format, as in the summary (docs/numbers.md §5). What the user has to know goes to say,
 * as texts with their NUL; *doubts counts up for what is left out. Returns 0, or -1 with err: SMI_EFORMAT: no
 * reading has a known time. */
int smi_pytorch_run_readings(struct smi_pytorch_usage_log *m, struct smi_arena *room,
                             const struct smi_export_run *r, struct smi_buf *say, uint64_t *doubts,
                             struct smi_err *err);

/* The run as the user knows it: what would be typed for it, or its name. */
const char *smi_pytorch_run_name(const struct smi_export_run *r);
/* A sentence of the run for `say`: its path, and what is formatted. */
void smi_pytorch_warn(struct smi_buf *say, const struct smi_export_run *r, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

#endif
