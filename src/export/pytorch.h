/* pytorch.h - a usage_log.txt of PyTorch CI: the documents of its database from one, and one made of
 * readings. */
#ifndef SMI_EXPORT_PYTORCH_H
#define SMI_EXPORT_PYTORCH_H

#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "base/map.h"
#include "base/text.h"
#include "export/export.h"
#include "model/line_account.h"

#include <jansson.h>
#include <stdint.h>
#include <zlib.h>

/* ---- from a usage_log.txt of PyTorch CI (data model 1.5) to the documents of its database: what its
 * uploader (upload_utilization_stats.py) would have put into its buckets, below a directory ---- */

struct smi_pytorch_job;
/* Takes documents instead of files: a line of JSON each, with its end. series: of the time series; else the
 * metadata, which comes last. Returns 0, or -1 with err to stop. */
struct smi_pytorch_sink {
    int (*put)(void *self, const struct smi_pytorch_job *job, bool series, const char *p, size_t n,
               struct smi_err *err);
    void *self;
};

/* Which job the documents are of; as typed, for they are not believed from the log. */
struct smi_pytorch_job {
    const char *dir;
    const struct smi_pytorch_sink *sink; /* or NULL: files below dir */
    const char *repo;                    /* "pytorch/pytorch" */
    uint64_t workflow_id, job_id;
    uint32_t run_attempt;
    struct smi_text workflow_name, job_name;
    int64_t created_at; /* seconds since 1970 */
    bool debug;         /* the collections' names begin with debug_ */
};

/* Appends the path of a file of a job: "DIR/COLLECTION/v_1.5/REPO/WORKFLOW/ATTEMPT/JOB/FILE". */
void smi_pytorch_path(struct smi_buf *to, const struct smi_pytorch_job *job, const char *collection,
                      const char *file);

struct smi_pytorch_documents; /* opaque */

/* Begins. job and account are borrowed; every line is counted in account, what is dropped is a problem of it.
 * NULL with err (memory). */
struct smi_pytorch_documents *smi_pytorch_documents_open(const struct smi_pytorch_job *job,
                                                         struct smi_account *account);
/* Takes the next n bytes of the log. Returns 0, or -1 with err: SMI_EFORMAT, if it is no log of the
 * model 1.5; SMI_EIO, SMI_ELIMIT. */
int smi_pytorch_documents_feed(struct smi_pytorch_documents *d, const char *p, size_t n, struct smi_err *err);
/* The log has ended: both files get into their places. The same returns; SMI_EFORMAT too if no record is
 * valid, and then, as with all errors, nothing was written. */
int smi_pytorch_documents_end(struct smi_pytorch_documents *d, struct smi_err *err);
void smi_pytorch_documents_free(struct smi_pytorch_documents *d);

/* JSON as Python's json module reads and writes it: what was read by json.loads and written
 * by json.dumps comes out of here byte by byte the same. */

/* Reads a text as json.loads does: also NaN, Infinity, whole numbers of any size, and halves of surrogate
 * pairs, as Python writes the bytes of a command that are not UTF-8. *value: a fresh reference, for the
 * functions of this file alone; or NULL, and why->text says what is wrong: not JSON, not UTF-8, or deeper
 * than SMI_JSON_DEPTH. room is kept from text to text. */
void smi_pytorch_json_load(struct smi_text text, struct smi_buf *room, json_t **value, json_error_t *why);
/* The text of a number that is neither a 64 bit integer nor a finite double, as Python prints it; or NULL. */
const char *smi_pytorch_json_wide(const json_t *value);
/* Appends such a value as json.dumps writes it, with its separators, all of it ASCII. */
void smi_pytorch_json_dump(struct smi_buf *to, const json_t *value);
/* Appends a string that such a value holds, in quotes. */
void smi_pytorch_json_dump_string(struct smi_buf *to, struct smi_text t);
/* Appends any text in quotes: each byte that is not UTF-8 becomes U+FFFD. */
void smi_pytorch_json_quote(struct smi_buf *to, struct smi_text t);
/* Is a value false to Python: null, false, zero, or empty? NULL is. */
bool smi_pytorch_json_is_false(const json_t *value);

/* ---- a gzip file in the making; the same bytes give the same file ---- */

/* Zero-initialise. */
struct smi_pytorch_gzip {
    struct smi_file_out out;
    gzFile z;
    char *path; /* NULL: it is not open */
};

/* Begins the file at path, in directories that are made where they are not there; a file that is there
 * already and no gzip file is an error. Returns 0, or -1 with err. */
int smi_pytorch_gzip_open(struct smi_pytorch_gzip *g, const char *path, struct smi_err *err);
int smi_pytorch_gzip_put(struct smi_pytorch_gzip *g, const char *p, size_t n, struct smi_err *err);
/* keep: writes the rest, and puts the file into its place; else nothing of it is left. May be called again,
 * or without an open. Returns 0, or -1 with err. */
int smi_pytorch_gzip_close(struct smi_pytorch_gzip *g, bool keep, struct smi_err *err);

/* Makes the directories that path, of a file, lies in; the file may be there already, if it begins with
 * magic: it is of an earlier export then. Returns 0, or -1 with err. */
int smi_pytorch_prepare(const char *path, const char *magic, struct smi_err *err);

/* ---- the lines of a log, up to SMI_PYTORCH_LINE bytes each. Unlike formats/format.h this is Python's
 * view of a file: a last line without an end is one, and so is an empty one ---- */

enum { SMI_PYTORCH_LINE = 16 << 20 };

/* Zero-initialise, then fill line and self. */
struct smi_pytorch_lines {
    /* Without its LF and one CR before it. too_long: nothing of it was kept. Returns 0, or -1 with err to
     * stop. */
    int (*line)(void *self, struct smi_text line, bool too_long, struct smi_err *err);
    void *self;
    struct smi_buf keep; /* the beginning of a line whose end has not come yet */
    bool skipping;       /* it is too long */
};

int smi_pytorch_lines_feed(struct smi_pytorch_lines *l, const char *p, size_t n, struct smi_err *err);
int smi_pytorch_lines_end(struct smi_pytorch_lines *l, struct smi_err *err);

/* ---- different texts, numbered in the order in which they first came ---- */

enum { SMI_PYTORCH_NAMES = 1 << 20 };

struct smi_pytorch_run_name {
    char *p; /* n bytes and a NUL */
    size_t n;
};

/* Zero-initialise. */
struct smi_pytorch_names {
    struct smi_pytorch_run_name *list;
    size_t n, cap;
    struct smi_map map;
};

/* The number of a text, which may be new. Returns 0, or -1 with err (memory; SMI_ELIMIT: there are too many).
 */
int smi_pytorch_names_find(struct smi_pytorch_names *s, struct smi_text name, size_t *number,
                           struct smi_err *err);
void smi_pytorch_names_fini(struct smi_pytorch_names *s);

/* when which command was seen: times of one command that are at most 60 s apart are one
 * segment. */

enum { SMI_PYTORCH_GAP = 60 };

struct smi_pytorch_segment {
    int64_t start, end; /* seconds since 1970 */
};

/* Zero-initialise. */
struct smi_pytorch_segments {
    struct smi_pytorch_names names; /* as jansson has them (export/pytorch.h) */
    struct smi_pytorch_spans {
        struct smi_pytorch_segment *list; /* in their order, more than SMI_PYTORCH_GAP apart */
        size_t n, cap;
    } * of; /* of each name */
    size_t cap;
};

/* A record of the time `at` names this command; times may come in any order. Only commands that begin with
 * "python" count. Returns 0, or -1 with err (memory; SMI_ELIMIT). */
int smi_pytorch_segments_add(struct smi_pytorch_segments *s, struct smi_text name, int64_t at,
                             struct smi_err *err);
/* Appends them as a JSON list, command by command. */
void smi_pytorch_segments_json(struct smi_buf *to, const struct smi_pytorch_segments *s);
void smi_pytorch_segments_fini(struct smi_pytorch_segments *s);

/* ---- the data of a record as the uploader's dataclasses hold them and write them again ---- */

/* Appends a number as Python writes float(number). Returns false for a value that is no number, or one that
 * no double holds. */
bool smi_pytorch_float_dump(struct smi_buf *to, const json_t *value);
/* Appends the object `data` of a record: numbers are floats, keys stand in the order of the classes, keys
 * that are not there are null, and others are left out. Returns false if a value has not the type of its key:
 * the uploader cannot read such a record. */
bool smi_pytorch_data_dump(struct smi_buf *to, const json_t *data);

/* which job an export to PyTorch CI's database is of, as typed, and as the run itself
 * says it. */

/* As typed; NULL: not given. */
struct smi_pytorch_settings {
    const char *repo, *workflow_id, *run_attempt, *job_id, *workflow_name, *job_name, *created_at;
    int64_t interval_us; /* 0: not given */
    bool debug;
};

/* Was any of them given? Then the name of its option; else NULL. */
const char *smi_pytorch_settings_given(const struct smi_pytorch_settings *s);

/* The same, read. */
struct smi_pytorch_ids {
    struct smi_pytorch_settings set; /* what it borrows stays the caller's */
    int64_t created_at, interval_ms;
    uint64_t workflow_id, job_id;
    uint32_t run_attempt;
};

/* Returns 0, or -1 with err SMI_EUSAGE: what was typed makes no sense. */
int smi_pytorch_ids_read(struct smi_pytorch_ids *ids, const struct smi_pytorch_settings *s,
                         struct smi_err *err);
/* The job of a run, from what was typed, else from the run's parameters, among which a usage_log.txt's own
 * are. All that job has is borrowed. Returns 0, or -1 with err SMI_EUSAGE: it is not known. */
int smi_pytorch_identify(struct smi_pytorch_job *job, const struct smi_pytorch_ids *ids, const char *dir,
                         const struct smi_export_run *r, struct smi_err *err);

/* ---- `smilog export --to pytorch:DIR`: what PyTorch CI keeps of its jobs, from any run ---- */

/* smi_target_pytorch without a directory: documents go to the sink, which is borrowed, and a log that is made
 * is not kept. It ends by its close, without keep. Returns NULL with err (memory, SMI_EUSAGE). */
struct smi_target_out *smi_pytorch_target_open(const struct smi_pytorch_sink *sink,
                                               const struct smi_pytorch_settings *set, struct smi_err *err);

/* ---- a usage_log.txt of the model 1.5 made of readings: what PyTorch CI's monitor would have written,
 * had it seen them ---- */

enum {
    SMI_PYTORCH_HOST = 0xFFFF,     /* whose reading: no GPU's */
    SMI_PYTORCH_RECORDS = 1000000, /* of a log */
    SMI_PYTORCH_READINGS = 1 << 26,
    SMI_PYTORCH_SIGHTINGS = 1 << 22
};

/* What a record tells. Of those behind TOTAL the largest within an interval was read, as other means of the
 * log say it: it counts for max, and is not listed. */
enum smi_pytorch_metric {
    SMI_PYTORCH_CPU,
    SMI_PYTORCH_MEMORY,
    SMI_PYTORCH_UTIL,
    SMI_PYTORCH_MEM_UTIL,
    SMI_PYTORCH_FB_PCT,
    SMI_PYTORCH_FB_USED,
    SMI_PYTORCH_FB_TOTAL,
    SMI_PYTORCH_PEAK = 8 /* added to one of the others */
};

struct smi_pytorch_reading {
    int64_t t_ms; /* since 1970 */
    int64_t micro;
    uint32_t order, interval;
    uint16_t gpu, what;
};

/* A command was seen from one time to another. */
struct smi_pytorch_sighting {
    int64_t from_ms, to_ms;
    uint32_t from, to, order; /* intervals */
    uint32_t name;            /* its number in names */
};

/* Zero-initialise, then fill what stands in front of `list`; all of it is borrowed. */
struct smi_pytorch_usage_log {
    const char *workflow_id, *job_id;
    struct smi_text workflow_name, job_name;
    int64_t collect_us;  /* between samples */
    int64_t interval_ms; /* between records, from 1000 on */
    bool has_start;
    int64_t start_at;        /* seconds; of a log that knows it */
    const char *const *uuid; /* of each GPU, a JSON string with its quotes */
    size_t gpus;
    int64_t gpu_count;    /* of the machine; 0: as many */
    int64_t cpus;         /* 0: not known */
    const char *gpu_type; /* "pynvml", "amdsmi", or "" */
    struct smi_pytorch_reading *list;
    size_t n, cap;
    struct smi_pytorch_sighting *seen;
    size_t nseen, seen_cap;
    struct smi_pytorch_names names; /* of commands: JSON strings with their quotes */
};

int smi_pytorch_usage_log_add(struct smi_pytorch_usage_log *m, int64_t t_ms, unsigned gpu, unsigned what,
                              int64_t micro, struct smi_err *err);
/* json: the command as a JSON string with its quotes. */
int smi_pytorch_usage_log_add_command(struct smi_pytorch_usage_log *m, int64_t from_ms, int64_t to_ms,
                                      struct smi_text json, struct smi_err *err);
/* Would the monitor name this command? */
bool smi_pytorch_is_named(struct smi_text command);

typedef int smi_pytorch_write_fn(void *self, const char *p, size_t n, struct smi_err *err);
/* Writes the log, line by line. There is a reading. Returns 0, or -1 with err: fn's; SMI_ELIMIT.
 */
int smi_pytorch_usage_log_write(struct smi_pytorch_usage_log *m, smi_pytorch_write_fn *fn, void *self,
                                struct smi_err *err);
void smi_pytorch_usage_log_fini(struct smi_pytorch_usage_log *m);

/* a usage_log.txt back into readings: every sample that a record lists, at the time
 * of the record. */

/* Adds the readings and commands of an input, its GPUs and what its metadata says of the machine to m; what m
 * borrows is in room. Logs of the models 1.0 and 1.5 are understood; of records without samples the mean is
 * the sample, and the largest a peak. Returns 0, or -1 with err. */
int smi_pytorch_log_readings(struct smi_pytorch_usage_log *m, struct smi_arena *room,
                             const struct smi_export_run *r, size_t input, struct smi_err *err);

/* ---- what PyTorch CI's monitor would have measured, from the logs of any run ---- */

/* Readings, commands and all that is known of the machine go to m; what it borrows is in room. Each metric of
 * a GPU comes from one format, as in the summary (docs/numbers.md §5). What the user has to know goes to say,
 * as texts with their NUL; *doubts counts up for what is left out. Returns 0, or -1 with err: SMI_EFORMAT: no
 * reading has a known time. */
int smi_pytorch_run_readings(struct smi_pytorch_usage_log *m, struct smi_arena *room,
                             const struct smi_export_run *r, struct smi_buf *say, uint64_t *doubts,
                             struct smi_err *err);

/* The run as the user knows it: what would be typed for it, or its name. */
const char *smi_pytorch_run_name(const struct smi_export_run *r);
/* A sentence of the run for `say`: its path, and what is formatted. */
void smi_pytorch_warn(struct smi_buf *say, const struct smi_export_run *r, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

#endif
