/* file_group.h - which logs of one directory belong together, by their names (docs/numbers.md §8). */
#pragma once

#include "base/mem.h"
#include "base/stream.h"
#include "model/device.h"

struct smi_entry;

/* One log of the directory. */
struct smi_file_group_member {
    const char *name;              /* its file name; borrowed */
    int format;                    /* smi_format_id */
    const struct smi_entry *entry; /* whose it is; carried along */
    const char *stem; /* filled: the name of its run below the directory; "" if all logs are one run */
};

/* Fills stem of n logs of one directory and sorts them by it, then by name. */
void smi_file_group_name_runs(struct smi_arena *a, struct smi_file_group_member *file, size_t n);
/* What a name says of its run: less its endings (.csv .log .1 ...), the words for what was recorded and the
 * number of a GPU; "" if it says nothing else. */
const char *smi_file_group_stem(struct smi_arena *a, const char *name);
/* Are they parts of one log: log.csv, log.csv.1, log.csv.2.gz? */
bool smi_file_group_same_log(const char *a, const char *b);
/* log.csv.gz of log.csv? */
bool smi_file_group_is_packed_of(const char *name, const char *plain);
/* The number of the GPU that a file is named for: "run3_gpu0.csv", "GPU-12.log.gz"; -1: there is none. */
int smi_file_group_gpu(const char *name);
bool smi_file_group_has_ending(const char *name);
/* Is it called as monitors of GPUs call their logs: "hw.csv", "run3_gpu.log"? */
bool smi_file_group_names_gpus(const char *name);

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
