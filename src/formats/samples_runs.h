/* samples_runs.h - a file of samples of many runs (smilog export --to jsonl:, csv:) as an archive: a run is a
 * member, and its lines are what the member holds. */
#ifndef SMI_FORMATS_SAMPLES_RUNS_H
#define SMI_FORMATS_SAMPLES_RUNS_H

#include "base/archive.h"

/* Is it one of the formats whose files are walked so? smi_format_id, or -1. */
bool smi_samples_format(int format);
/* Has the regular file fd, a log of another format that may hold several runs (CodeCarbon's emissions.csv),
 * more than one? Then it is walked as well; a run is named by its run_id. */
bool smi_samples_has_runs(int fd, const char *name, int format);
/* Walks the regular file fd (borrowed, read from its beginning, packed or not; its place is the beginning
 * after that). A member's path is the name of its run, as it is written; its bytes are the lines of the run
 * in the order of the file, wherever they stand in it, of a CSV with the header that is theirs in front. A
 * line that names no run goes with the one before it. A file without any run is one member, called `name`.
 * What is packed is kept in a file of $TMPDIR meanwhile; of each stretch of lines that belong together 32
 * bytes are kept in memory. All else as smi_archive_walk (base/archive.h). */
int smi_samples_walk(int fd, const char *name, int format, smi_archive_member_fn *fn, void *self,
                     struct smi_err *doubt, struct smi_err *err);

#endif
