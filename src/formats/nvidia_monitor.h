/* nvidia_monitor.h - what the readers of nvidia-smi dmon and pmon share: the words of their headers, times,
 * GPUs. */
#ifndef SMI_FORMATS_NVIDIA_MONITOR_H
#define SMI_FORMATS_NVIDIA_MONITOR_H

#include "formats/row_engine.h"

struct smi_nvidia_monitor {
    struct smi_row_reader row; /* first: see row_engine.h */
    int64_t clock_ms, days_ms; /* -o T: the last time of day, and the days before it */
};

/* Does the line begin as rows do: blanks, then a digit or a dash? */
bool smi_nvidia_monitor_is_row(struct smi_text line);
/* The line without a '#' in front; *hash says whether there was one. */
struct smi_text smi_nvidia_monitor_strip_hash(struct smi_text line, bool *hash);
/* Fills p with what stands under the names of a header, perhaps of the other monitor. Names of times and of
 * GPUs are the same for both; `alias` are the others, and then all of dmon's. Returns the number of cells,
 * which are in cell; 0: the line is no header. */
size_t smi_nvidia_monitor_bind(struct smi_row_plan *p, const struct smi_alias *alias, size_t aliases,
                               struct smi_text line, struct smi_text *cell, size_t most);
/* Is it the line of units below a header? */
bool smi_nvidia_monitor_is_units(struct smi_text line);
/* The kind of times that a header gives. -o D alone gives days, and no interval can be told from days. */
enum smi_time_base smi_nvidia_monitor_base(const struct smi_row_plan *p);
/* A header of names. The first with times decides for the input: times of day and dates cannot be joined.
 * Returns 0, or -1 with err. */
int smi_nvidia_monitor_header(struct smi_nvidia_monitor *m, struct smi_text line,
                              const struct smi_row_plan *fresh, struct smi_err *err);
/* A header of the other monitor: rows below it are not ours. Returns 0, or -1 with err. */
int smi_nvidia_monitor_foreign(struct smi_nvidia_monitor *m, struct smi_text line, struct smi_err *err);
/* A line that is neither a row nor a header. Returns 0, or -1 with err. */
int smi_nvidia_monitor_other(struct smi_nvidia_monitor *m, struct smi_text line, bool hash,
                             struct smi_err *err);
/* smi_table.time, over midnights, and smi_table.key. */
int smi_nvidia_monitor_time(struct smi_row_reader *r, struct smi_sample *s);
struct smi_text smi_nvidia_monitor_key(struct smi_row_reader *r, enum smi_device_key key,
                                       struct smi_text cell);

#endif
