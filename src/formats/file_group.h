/* file_group.h - which logs of one directory belong together, by their names (docs/numbers.md §8). */
#pragma once

#include "base/mem.h"
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
/* The same of a log whose n devices these are: only one GPU that it does not name itself is called so. */
int smi_file_group_gpu_of(const char *name, const struct smi_device *d, size_t n);
bool smi_file_group_has_ending(const char *name);
/* Is it called as monitors of GPUs call their logs: "hw.csv", "run3_gpu.log"? */
bool smi_file_group_names_gpus(const char *name);
