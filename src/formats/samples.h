/* samples.h - samples that smilog export has written, on their way back: what their readers share. Of a
 * (GPU, metric) there is one source already. The rows of each device that come from its first log make its
 * intervals; those of another log of it only tell how long the run was. What is read is of one run
 * (smi_samples_walk cuts a file into its runs): rows of others are rejected. */
#pragma once

#include "base/stream.h"
#include "formats/json_line.h"

/* Hands on what entry (with "phase" or "event", borrowed) says of the time, or rejects its line; r is room
 * for its values. Returns 0, or -1 with err. */
int smi_samples_mark_read(struct smi_json_fields *r, struct smi_lines *l, struct smi_text time,
                          const struct smi_json_value *entry, struct smi_text line);

/* ---- a file of samples of many runs (smilog export --to jsonl:, csv:) as an archive: a run is a member,
 * and its lines are what the member holds ---- */

/* Is it one of the formats whose files are walked so? smi_format_id, or -1. */
bool smi_samples_format(int format);
/* Has the regular file fd, a log of another format that may hold several runs (CodeCarbon's emissions.csv),
 * more than one? Then it is walked as well; a run is named by its run_id. */
bool smi_samples_has_runs(int fd, const char *name, int format);
/* Walks the regular file fd (borrowed, read from its beginning, packed or not; its place is the beginning
 * after that). A member's path is the name of its run, as it is written; its bytes are the lines of the run
 * in the order of the file, wherever they stand in it, of a CSV with the header that is theirs in front. A
 * line that names no run goes with the one before it. A file without any run is one member, called `name`.
 * What is packed is kept in a file of $TMPDIR meanwhile; of each stretch of lines that belong together 24
 * bytes are kept in memory. All else as smi_archive_walk (base/stream.h). */
int smi_samples_walk(int fd, const char *name, int format, smi_archive_member_fn *fn, void *self,
                     struct smi_err *doubt, struct smi_err *err);
