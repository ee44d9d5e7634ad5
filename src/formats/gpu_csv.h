/* gpu_csv.h - what the column names of hand-made GPU logs mean, and the cells below them. People write
 * their own headers around nvidia-smi and NVML: gpu_util(%), vram_used_mb, power_W, temperature_C,
 * utilization_gpu_percent. */
#ifndef SMI_FORMATS_GPU_CSV_H
#define SMI_FORMATS_GPU_CSV_H

#include "formats/column.h"

enum { SMI_GPU_CSV_COLUMNS = 256 }; /* columns of a hand-made log; a wider line is no header */

/* What a number counts. */
enum smi_gpu_csv_dimension {
    SMI_DIM_NONE,
    SMI_DIM_SHARE,
    SMI_DIM_MEMORY,
    SMI_DIM_POWER,
    SMI_DIM_TEMPERATURE,
    SMI_DIM_CLOCK
};

/* A unit, as cells and names spell it: v * num / den is in the unit of the catalogue. */
struct smi_gpu_csv_unit {
    const char *word;
    enum smi_gpu_csv_dimension dimension;
    int64_t num, den;
};

/* The unit of this word in small letters ("mib", "mw", "pct"), or NULL. */
const struct smi_gpu_csv_unit *smi_gpu_csv_unit_find(const char *word);
/* The same of a unit as people write it behind a number: "MiB", "%", "°C". */
const struct smi_gpu_csv_unit *smi_gpu_csv_unit_of(struct smi_text t);

struct smi_gpu_csv_column {
    enum smi_column_kind kind;            /* TIME, KEY, NAME, NUMBER, PSTATE, or SKIP */
    uint16_t what;                        /* the metric or the smi_device_key */
    enum smi_gpu_csv_dimension dimension; /* of a NUMBER */
    const struct smi_gpu_csv_unit *unit;  /* told by the name, or safe without; NULL: each cell has to tell */
    bool known;                           /* a word of the table, even if it is not read */
    bool sure;                            /* the name alone says that a GPU is meant: gpu, vram, nvidia */
    const char *vague;                    /* a warning: why a known name is not read, or as what; or NULL */
    bool host;                            /* it speaks of the machine: unsure names beside it may as well */
    bool date;     /* a TIME that may be a date alone, with the time in a column of its own */
    bool utc;      /* a TIME that is said to be UTC */
    int64_t per_s; /* of a TIME: so many of its numbers are a second; 0: not told */
};

/* Reads all names of a header, as they bear on each other: each metric once, one time, and beside columns of
 * the machine no name that could be its. Returns whether it is the header of a hand-made GPU log: a time, or
 * a GPU key and nothing unknown; with it two metrics and one word that says GPU, or one metric that says so
 * itself and nothing unknown. */
bool smi_gpu_csv_header(const struct smi_text *cell, size_t n, struct smi_gpu_csv_column *c);

/* A number below such a name, with or without a unit behind it (which wins). */
enum smi_cell_status smi_gpu_csv_cell(const struct smi_gpu_csv_column *c, struct smi_text cell, int64_t *v);

#endif
