/* column_map.h - what the columns of a CSV are, as a user writes it once for all logs of a tool
 * (--columns-from FILE):
 *
 *     # logs of our sampler
 *     separator = semicolon
 *     time = "Zeit" ms, gpu = "Karte"
 *     gpu_util_pct = "GPU Load", "GPU Usage"
 *     power_w = 5 mW
 *
 * On the left stands what is read: time, date, a metric of `smilog list metrics`, or a field of nvidia-smi
 * (uuid, index, name, power.draw); on the right the name of the column, or its number, and its unit where it
 * is another than the metric's. Of several columns of one name the first that a log has counts; a log may
 * lack a column that is "optional", the last word behind it.
 *
 * With "separator = text" the name is the text in front of the value in each line of a log that has no
 * columns; a number is for what a line begins with. In JSON it is the path of the value ("gpus[].load"). */
#pragma once

#include "base/buf.h"
#include "formats/row_engine.h"

/* ---- what the column names of hand-made GPU logs mean, and the cells below them. People write their own
 * headers around nvidia-smi and NVML: gpu_util(%), vram_used_mb, power_W, temperature_C,
 * utilization_gpu_percent ---- */

enum { SMI_GPU_CSV_COLUMNS = 256 }; /* columns of a hand-made log; a wider line is no header */

struct smi_gpu_csv_column {
    enum smi_column_kind kind; /* TIME, KEY, NAME, NUMBER, PSTATE, or SKIP */
    uint16_t what;             /* the metric or the smi_device_key */
    uint16_t gpu;              /* it is of the GPU with this number, + 1; 0: the name has no number */
    const struct smi_unit
        *unit;         /* of a NUMBER: told by the name, or safe without; NULL: each cell has to tell */
    const char *vague; /* a warning: why a known name is not read, or as what; or NULL */
    int64_t per_s;     /* of a TIME: so many of its numbers are a second; 0: not told */
    bool known;        /* a word of the table, even if it is not read */
    bool sure;         /* the name alone says that a GPU is meant: gpu, vram, nvidia */
    bool host;         /* it speaks of the machine: unsure names beside it may as well */
    bool told;         /* so it does, and `what` is the metric that it would be of a GPU */
    bool date;         /* a TIME that may be a date alone, with the time in a column of its own */
    bool utc;          /* a TIME that is said to be UTC */
    uint8_t form;      /* a TIME whose dates are of this smi_stamp_form; 0: not told */
    bool warned;       /* that its numbers have no unit was said */
    bool near;         /* which stands behind the word GPU: gpu0_util, cuda:0 mem; not util_0 */
};

/* Reads all names of a header, as they bear on each other: each metric once, one time, and beside columns of
 * the machine no name that could be its. Returns whether it is the header of a hand-made GPU log: a metric,
 * a name that says GPU, and a time; or, of a log without times, what tells GPUs apart and nothing unknown.
 * Where metrics have numbers of GPUs (gpu0_util,gpu1_util), a row is about all of them. certain: the user
 * said that it is such a log. */
bool smi_gpu_csv_header(const struct smi_text *cell, size_t n, bool certain, struct smi_gpu_csv_column *c);

/* Does a name speak of the machine: cpu, disks, processes? */
bool smi_gpu_csv_host(struct smi_text name);

enum { SMI_COLUMN_MAP_MAX = 64 /* columns that a map names */ };

struct smi_column_map {
    unsigned split;  /* as smi_row_split takes it */
    bool named;      /* a column has a name: a header is to have all of them */
    bool json;       /* names are paths; a row may lack readings */
    bool text;       /* lines of text: cell i is what stands behind the name of entry i */
    int gpus;        /* how many GPUs rows are about that name none; 0: not told */
    size_t n, width; /* width: the largest number of a column */
    struct {
        struct smi_gpu_csv_column column;
        struct smi_text name; /* borrowed from the text; empty: */
        size_t number;        /* from 1 on */
        bool again;           /* another column of the name of the entry before */
        bool optional;        /* a log without it is one, too */
    } entry[SMI_COLUMN_MAP_MAX];
};

/* The reader of a log with such columns begins with it. */
struct smi_own_reader {
    struct smi_row_reader row;                             /* first: see row_engine.h */
    struct smi_gpu_csv_column column[SMI_GPU_CSV_COLUMNS]; /* by place */
    bool utc;                                              /* the header says that times are */
    bool mapped;                                           /* --columns-from is given: */
    const char *columns;                                   /* its text, */
    struct smi_column_map map;
    struct smi_row_parts *parts; /* of a row about several GPUs; NULL: none had any yet */
};
/* What its table has beside its flags and its time. */
#define SMI_OWN_TABLE \
    .columns = SMI_GPU_CSV_COLUMNS, .cell = smi_own_cell, .lost = smi_own_lost, .key = smi_own_key
int smi_own_time(struct smi_row_reader *row, struct smi_sample *s);
/* A number with or without a unit behind it (which wins), or with the unit that is likely. */
enum smi_cell_status smi_own_cell(struct smi_row_reader *row, const struct smi_row_column *c,
                                  struct smi_text t, int64_t *v);
void smi_own_lost(struct smi_row_reader *row, const struct smi_row_column *c, enum smi_cell_status what,
                  struct smi_text t);
struct smi_text smi_own_key(struct smi_row_reader *row, enum smi_device_key key, struct smi_text cell);
/* Makes the plan of r->column, which are n, for rows of n cells. */
void smi_own_bind(struct smi_own_reader *r, struct smi_row_plan *p, size_t n);
/* As smi_row_line: the n cells are in r->row.cell. */
int smi_own_row(struct smi_own_reader *r, struct smi_text line, size_t n, bool comment);

/* Reads FILE, and puts what --input-columns would say into b: its text, marked as a map. Returns 0, or -1
 * with err (SMI_EUSAGE: names FILE, line and what is wrong). */
int smi_column_map_load(struct smi_buf *b, const char *path, struct smi_err *err);
/* Is this (of --input-columns, or NULL) such a text? */
bool smi_column_map_is(const char *columns);
/* What such a text says as "gpus = N": how many GPUs rows are about that name none; or 0. */
int smi_column_map_gpus(const char *columns);
/* Fills m from such a text, which has to stay. Returns 0, or -1 with err. path is for messages. */
int smi_column_map_read(struct smi_column_map *m, const char *columns, const char *path, struct smi_err *err);

/* Binds n cells to their columns (c has room for SMI_GPU_CSV_COLUMNS): those of a header, where columns have
 * names, else those of a row. Returns whether they are one. */
bool smi_column_map_bind(const struct smi_column_map *m, const struct smi_text *cell, size_t n,
                         struct smi_gpu_csv_column *c);
/* Is one of the first lines of these bytes the header or the row that it binds? missing: the name of the
 * first column that no line has, or NULL. */
bool smi_column_map_fits(const struct smi_column_map *m, const char *p, size_t n, struct smi_text *missing);
/* Are these bytes JSON that has the last key of each path? */
bool smi_column_map_fits_json(const struct smi_column_map *m, struct smi_text t);
