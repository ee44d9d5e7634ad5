/* partial_write_private.h - what the rooms that write partials share. Not installed. */
#ifndef SMI_SUMMARY_PARTIAL_WRITE_PRIVATE_H
#define SMI_SUMMARY_PARTIAL_WRITE_PRIVATE_H

#include "base/json.h"
#include "aggregate/input_stats.h"

/* A text, or null; a name that is not UTF-8: its bytes (see bytes.c). */
void smi_partial_write_text(struct smi_json *j, const char *s);
void smi_partial_write_key_text(struct smi_json *j, const char *key, const char *s);
/* An integer of any size: beyond 64 bits as a string. */
void smi_partial_write_wide(struct smi_json *j, smi_i128 v);
/* Counts under a key; a track, whose phases are numbered as in `phases`. */
void smi_partial_write_counts(struct smi_json *j, const char *key, const struct smi_counts *c);
void smi_partial_write_device(struct smi_json *j, const struct smi_device_stats *t,
                              const struct smi_phases *phases);
/* The keys "processes" and "process_rows_left" of a part. */
void smi_partial_write_processes(struct smi_json *j, const struct smi_procs *p);

/* The faults of a part, and the time of its last row. */
void smi_partial_write_errors(struct smi_json *j, const struct smi_input_stats *p);

#endif
