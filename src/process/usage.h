/* usage.h - what a command and its descendants used, instant by instant and as maxima and means, in the
 * figures, units and forms of gpu_tracker 5.0.1. Whole numbers inside: a double is made of the exact
 * quotient when it is printed, and only then. What is not known stays unknown, and is never 0. Two of its
 * habits are part of the forms: units are decimal (a gigabyte has 1e9 bytes), and MiB of GPU memory are
 * taken for megabytes. */
#pragma once

#include "base/buf.h"
#include "base/err.h"
#include "base/sql.h"
#include "live/recorder.h"
#include "process/tree.h"

enum { SMI_USAGE_FIGURES = 6 * SMI_TREE_PARTS + 4 };

/* One instant, or the most of each figure over several. -1: not known. */
struct smi_usage_sample {
    int64_t wall_us; /* microseconds since 1970 */
    union {
        int64_t figure[SMI_USAGE_FIGURES]; /* all of these: */
        struct {
            struct smi_tree_ram ram[SMI_TREE_PARTS];
            int64_t system_ram;                              /* bytes used */
            int64_t gpu_ram[SMI_TREE_PARTS], system_gpu_ram; /* millionths of a MiB */
            int64_t cpu[SMI_TREE_PARTS], system_cpu;         /* millionths of a percent; 100 % are one core */
            int64_t threads[SMI_TREE_PARTS];
            int64_t gpu_util_sum; /* millionths of a percent, over the expected GPUs */
        };
    };
};
_Static_assert(sizeof(struct smi_usage_sample) == (1 + SMI_USAGE_FIGURES) * sizeof(int64_t),
               "figure[] has all of them");
/* An instant of which nothing is known. */
void smi_usage_sample_init(struct smi_usage_sample *s, int64_t wall_us);

/* What does not change. -1: not known. */
struct smi_usage_machine {
    int64_t ram;     /* bytes */
    int64_t gpu_ram; /* millionths of a MiB, of all GPUs */
    int64_t cores, expected_cores, gpus, expected_gpus;
};

struct smi_usage_unit {
    const char *name;
    int64_t size; /* bytes; or microseconds */
};
enum { SMI_USAGE_SIZES = 5, SMI_USAGE_TIMES = 4 };
extern const struct smi_usage_unit smi_usage_sizes[SMI_USAGE_SIZES]; /* bytes to terabytes */
extern const struct smi_usage_unit smi_usage_times[SMI_USAGE_TIMES]; /* seconds to days */

/* Places in the tables, which are those of the words of their options (cli/option.def). */
struct smi_usage_units {
    int ram, gpu_ram, time;
};
/* gigabytes, gigabytes, hours. */
extern const struct smi_usage_units smi_usage_default_units;

/* Of a reading that is averaged: over the n samples that have it. */
struct smi_usage_mean {
    smi_i128 sum;
    int64_t n;
};

/* What was added. Every maximum is its own: that of the total need not be the sum of those of private and
 * shared. */
struct smi_usage {
    struct smi_usage_sample most;
    struct smi_usage_mean cpu[SMI_TREE_PARTS], system_cpu, gpu_util;
    int64_t compute_us; /* the caller's to set; -1: not known */
};
void smi_usage_init(struct smi_usage *u);
void smi_usage_add(struct smi_usage *u, const struct smi_usage_sample *s);
/* The mean of a part's CPU use is that of the whole time: so much CPU time in so long a span; no maximum is
 * below it. What lived between two samples is in it, and a last sample that was short weighs what it is. */
void smi_usage_set_cpu(struct smi_usage *u, enum smi_tree_part part, int64_t cpu_us, int64_t span_us);

/* Appends one of gpu_tracker's forms, without a newline at the end: as json.dumps(indent=1) of its to_json(),
 * where null is what is not known; and as str() of its tracker, rounded to 3 decimals, where that is n/a.
 * Hardware percent are null where the number of cores or expected GPUs is 0 or not known; figures of GPUs are
 * 0.0 where the machine has none. */
void smi_usage_put(struct smi_buf *to, bool json, const struct smi_usage *u,
                   const struct smi_usage_machine *m, const struct smi_usage_units *units);

/* ---- gpu_tracker's tracking file while it is written: what never changes, then a row an instant, as CSV
 * or in the tables static_data and data of SQLite, told by the ending .csv or .sqlite ---- */

struct smi_usage_file {
    char *path; /* NULL: not open */
    struct smi_usage_machine machine;
    struct smi_usage_units units;
    struct smi_buf head, line; /* head: what a CSV begins with */
    struct smi_append to;      /* of a database: only to know whether it is still there */
    struct smi_sql sql;
};

/* Begins the file. One that is there is refused, or with overwrite replaced if it is a regular file. Returns
 * 0, or -1 with err: SMI_EUSAGE (another ending), SMI_EIO; close it in any case. */
int smi_usage_file_open(struct smi_usage_file *f, const char *path, bool overwrite,
                        const struct smi_usage_machine *m, const struct smi_usage_units *units,
                        struct smi_err *err);
/* Appends a row: it is in the file, whole, when this returns. What is not known is an empty cell, or NULL. A
 * file that was deleted, renamed or truncated meanwhile is begun again (f->to.renewed). Returns 0, or -1 with
 * err; no part of a row stays. */
int smi_usage_file_add(struct smi_usage_file *f, const struct smi_usage_sample *s, struct smi_err *err);
/* A file that is all zeros, or was never open, is closed already. */
void smi_usage_file_close(struct smi_usage_file *f);
