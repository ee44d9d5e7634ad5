/* nvidia_monitor.h - what the readers of nvidia-smi dmon and pmon share: the words of their headers, times,
 * GPUs, odd lines. */
#ifndef SMI_FORMATS_NVIDIA_MONITOR_H
#define SMI_FORMATS_NVIDIA_MONITOR_H

#include "formats/lines.h"
#include "model/sample.h"
#include "model/format_info.h"

/* Zero-initialise, then set the monitor's name. */
struct smi_nvidia_monitor {
    const char *name;
    enum smi_time_base base;   /* of the times; none until a header with times came */
    bool told;                 /* that rows without a header are of no use */
    int64_t clock_ms, days_ms; /* -o T: the last time of day, and the days before it */
};

/* Where a header has its columns of times; -1: nowhere. */
struct smi_nvidia_monitor_time_columns {
    int date, time;
};

/* Does the line begin as rows do: blanks, then a digit or a dash? */
bool smi_nvidia_monitor_is_row(struct smi_text line);
/* The line without a '#' in front; *hash says whether there was one. */
struct smi_text smi_nvidia_monitor_strip_hash(struct smi_text line, bool *hash);
/* Two commas make a CSV line: --format csv. */
bool smi_nvidia_monitor_has_commas(struct smi_text line);
/* Does this cell stand first in a header of names, or of units? */
bool smi_nvidia_monitor_is_first_name(struct smi_text cell);
bool smi_nvidia_monitor_is_units(struct smi_text cell);

/* The kind of times that a header gives. -o D alone gives days, and no interval can be told from days. */
enum smi_time_base smi_nvidia_monitor_base(const struct smi_nvidia_monitor_time_columns *at);
/* Counts a header of names. The first with times decides for the input: times of day and dates cannot be
 * joined. Returns 0, or -1 with err (memory). */
int smi_nvidia_monitor_header(struct smi_nvidia_monitor *m, const struct smi_nvidia_monitor_time_columns *at,
                              struct smi_account *a, struct smi_err *err);
/* The time of a row into s, over midnights. Returns 0, or -1 if its cells are no time. */
int smi_nvidia_monitor_time(struct smi_nvidia_monitor *m, const struct smi_nvidia_monitor_time_columns *at,
                            const struct smi_text *cell, struct smi_sample *s);
/* A whole number of at most `most` digits, or -1. */
int64_t smi_nvidia_monitor_digits(struct smi_text cell, size_t most);
/* The device of a row by its cell under `gpu`, the NVML index, into s->who; *index is -1 if it is none.
 * Returns 0, or -1 with err. */
int smi_nvidia_monitor_gpu(struct smi_lines *l, struct smi_text cell, struct smi_sample *s, int64_t *index,
                           struct smi_err *err);

/* Counts a line that looks like a row and is none: a message (a date, a ruler); one of another width than
 * `width`; or, if that is 0, one without a header, which is said once. Returns 0, or -1 with err. */
int smi_nvidia_monitor_bad_row(struct smi_nvidia_monitor *m, struct smi_lines *l, struct smi_text line,
                               size_t width, struct smi_err *err);
/* Counts a line that is neither a row nor a header: a comment (hash), a message, or foreign. The same
 * returns. */
int smi_nvidia_monitor_other_line(struct smi_lines *l, struct smi_text line, bool hash, struct smi_err *err);

#endif
