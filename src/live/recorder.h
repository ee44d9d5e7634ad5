/* recorder.h - RunLogs written: phases and events as JSON lines in the reference's form, appended whole by
 * any number of processes and threads at once. struct smi_append log; struct smi_err err = {0}; if
 * (smi_runlog_open(&log, "out/run.jsonl", &err)) return fprintf(stderr, "%s\n", err.text), 1;
 * smi_runlog_event(&log, "start", SMI_VALUES(SMI_VALUE("lr", 0.1), SMI_VALUE("model", "heston")), &err);
 * smi_runlog_phase(&log, "compile", 41.2, NULL, &err); smi_append_close(&log); {"ts":
 * "2026-11-21T06:22:31.123+00:00", "type": "event", "event": "start", "data": {"lr": 0.1, "model":
 * "heston"}} {"ts": "2026-11-21T06:23:12.323+00:00", "type": "phase", "name": "compile", "seconds": 41.2} */
#pragma once

#include "live/host.h"

#include <pthread.h>
#include <sys/types.h>

/* ---- a file to which many writers append lines at once, each whole: one write(2) a line, on a descriptor
 * that appends. What a full disk or a killed writer left of a line never becomes a part of another one
 * ---- */

/* Filled by smi_append_open; not to be copied. Threads may share one. After a fork only one of the two
 * processes may go on with it; the other opens the file again. */
struct smi_append {
    int fd, dir; /* dir: path is relative to this directory, or AT_FDCWD */
    bool file;   /* a regular file; else standard output is something else */
    char *path;
    pthread_mutex_t busy;
    dev_t dev;
    ino_t ino;
    off_t size;                 /* after the last write */
    const struct smi_buf *head; /* the owner's: lines that each file begins with; NULL at first */
    bool headless;              /* they are to be written before the next line */
    bool alone; /* the owner's: no other process writes it, and it ends with a whole line. Then a line costs
                 * one stat and one write */
    const char *renewed; /* why the file was begun again: "deleted", "renamed", "truncated"; the owner reports
                          * it and sets it to NULL */
};

/* Opens path, in the directory dir (a descriptor that stays open, or AT_FDCWD), for appending, and makes it
 * if it is not there (its directory has to be); "-" is standard output. Only regular files are taken: a
 * directory, FIFO, socket or device is refused with a sentence that names it, and never blocks. Returns 0, or
 * -1 with err. */
int smi_append_open(struct smi_append *a, int dir, const char *path, struct smi_err *err);
/* Appends n bytes, which end with a LF, in one write. Where the file does not end with a LF, because a writer
 * was killed inside a line, a LF comes first. A write that the disk cuts short is taken back, so that the
 * file ends as before; that is an error, and the next call tries again. Writers of other processes are waited
 * for (flock) for 0.2 s at most: against one that holds the lock for longer the line is still written whole.
 * A file that was deleted, renamed or truncated is begun again, with its head (a->renewed). Not for files on
 * NFS that several machines write to: it cannot append. Returns 0, or -1 with err. */
int smi_append_line(struct smi_append *a, const char *p, size_t n, struct smi_err *err);
/* Is path still the file that is written? Else opens it again: the next line goes there, behind the head. A
 * renamed file is kept if no other can be made. Not while other threads append. Returns 0, or -1 with err:
 * the file is deleted, and no other can be made. */
int smi_append_check(struct smi_append *a, struct smi_err *err);
/* a may be all zero. */
void smi_append_close(struct smi_append *a);

enum {
    SMI_RUNLOG_LINE_MAX = 1 << 20,
    SMI_RUNLOG_VALUES = 250
}; /* what readers take: bytes and values of a line */

enum smi_runlog_kind {
    SMI_RUNLOG_TEXT,
    SMI_RUNLOG_WORD, /* a text, but without quotes where it reads as a JSON number, true, false or null */
    SMI_RUNLOG_REAL, /* shortest digits that give it again; null if it is not finite */
    SMI_RUNLOG_WHOLE,
    SMI_RUNLOG_BOOL,
    SMI_RUNLOG_JSON /* any JSON value as text; line ends in it become blanks */
};

/* A key and its value, both borrowed for the call. A list of them ends with a key of NULL. */
struct smi_runlog_value {
    const char *key;
    enum smi_runlog_kind kind;
    const char *text; /* TEXT, WORD, JSON; NULL is written as null */
    double real;
    int64_t whole; /* WHOLE; BOOL: 0 or not */
};

static inline struct smi_runlog_value smi_runlog_text(const char *key, const char *text)
{
    return (struct smi_runlog_value){key, SMI_RUNLOG_TEXT, text, 0, 0};
}
static inline struct smi_runlog_value smi_runlog_real(const char *key, double real)
{
    return (struct smi_runlog_value){key, SMI_RUNLOG_REAL, NULL, real, 0};
}
static inline struct smi_runlog_value smi_runlog_whole(const char *key, int64_t whole)
{
    return (struct smi_runlog_value){key, SMI_RUNLOG_WHOLE, NULL, 0, whole};
}
static inline struct smi_runlog_value smi_runlog_bool(const char *key, bool yes)
{
    return (struct smi_runlog_value){key, SMI_RUNLOG_BOOL, NULL, 0, yes};
}

/* SMI_VALUE("lr", 0.1): text, number or bool by the type of v (to C, true alone is 1); a list of them for a
 * call. */
#define SMI_VALUE(key, v) \
    _Generic((v), char *: smi_runlog_text, const char *: smi_runlog_text, float: smi_runlog_real, \
             double: smi_runlog_real, bool: smi_runlog_bool, default: smi_runlog_whole)(key, v)
#define SMI_VALUES(...) ((const struct smi_runlog_value[]){__VA_ARGS__, {NULL, SMI_RUNLOG_TEXT, NULL, 0, 0}})

/* Opens a RunLog as smi_append_open does. A file that is there and is no RunLog, such as a GPU log, is
 * refused: SMI_EFORMAT. Returns 0, or -1 with err. */
int smi_runlog_open(struct smi_append *log, const char *path, struct smi_err *err);
/* Appends the line of a phase that has just ended and lasted `seconds` (0 to 10^9; written to the
 * microsecond), with the time of now, to what stands in `to`.
 *   name   not empty. Bytes that are not UTF-8 become U+FFFD, control characters escapes; so in all texts.
 *   values further keys, beside name and seconds; NULL: none. No key may be empty, stand there twice, or be
 * one of the log's own (ts, type, name, seconds). Returns 0, or -1 with err: SMI_EUSAGE (these rules),
 * SMI_ELIMIT (a line too long for readers); part of one may stand there then. */
int smi_runlog_put_phase(struct smi_buf *to, const char *name, double seconds,
                         const struct smi_runlog_value *values, struct smi_err *err);
/* Something that happens now; its values stand in "data", which is left out without any. What smilog reads
 * from events: of the first one the parameters of the run; start (utc_offset_s, host), stop (exit_status),
 * error, exception, failed, oom, killed (message); jax_peak_bytes_mb, peak_bytes_in_use,
 * torch_max_memory_allocated of any. Else as above. */
int smi_runlog_put_event(struct smi_buf *to, const char *name, const struct smi_runlog_value *values,
                         struct smi_err *err);
/* Appends the line to the file if it was put (rc 0), and ends it. Returns 0, or -1 with err: that of putting
 * it, SMI_EIO; nothing was written then. */
int smi_runlog_append(struct smi_append *log, struct smi_buf *line, int rc, struct smi_err *err);

/* ---- the start event of a RunLog: the host and its user, the zone of nvidia-smi's times, the GPUs, the
 * limits of the control group, the job of the scheduler. Readers take none of it for a parameter ---- */

/* A GPU as nvidia-smi knows it. */
struct smi_gpu_id {
    int index;
    char uuid[96]; /* "GPU-8-4-4-4-12"; "" if it is not known */
    char name[96];
    long memory_mib; /* -1: not known */
};

/* What to tell; all borrowed. */
struct smi_start_source {
    const struct smi_host_sample *host; /* for the limits; or NULL */
    const struct smi_gpu_id *gpu;       /* in the order of their indices */
    size_t gpus;
    int recording; /* N if its directory is DIR.N because others were in use; 0: it is DIR */
    const struct smi_runlog_value
        *more; /* put behind, and believed where it says one of these things; or NULL */
};

/* Writes host, user (USER, LOGNAME, else the number), pid, utc_offset_s (of local time now, which nvidia-smi
 * prints), gpu_names, gpu_memory_mib, CUDA_VISIBLE_DEVICES, cgroup_ram_limit_mib, cgroup_cpu_limit, SLURM_*,
 * recording_number: those that are known. Returns as smi_runlog_put_event; SMI_ELIMIT, too, for too many of
 * `more`. */
int smi_runlog_put_start(struct smi_buf *to, const struct smi_start_source *from, struct smi_err *err);

/* a log that a monitor writes, kept line by line as it comes: never half a line, never the
 * same header twice, and on a full disk nothing but the lines that had no room. */

enum { SMI_RECORDED_LINE_MAX = 1 << 20 }; /* a longer line is left out, and counted in cut */

/* Zero-initialise by smi_record_file_open; end with smi_record_file_close. */
struct smi_record_file {
    struct smi_append to; /* its path is NULL before the first line */
    struct smi_buf part;  /* the beginning of a line */
    struct smi_buf head;  /* the header as it stands in the file */
    struct smi_buf next;  /* the lines in front of the first row of this child, as far as they came */
    int heads, left;      /* lines of a header; how many of them are still to come */
    int64_t most;      /* it becomes NAME.1, the NAME.1 before it NAME.2, before it gets larger; 0: never */
    int64_t rotate_at; /* bytes: most, or later if the last rotation failed */
    int keep;          /* at most so many of them: the oldest one is removed; 0: all are kept */
    int stuck;         /* errno of a rotation that failed: the owner reports it and sets it to 0 */
    bool skipping;     /* inside a line that is too long */
    bool full;         /* the last write failed: `why` */
    int64_t lost, cut; /* lines that could not be written; that were too long */
    char why[160];
    int dir; /* path is relative to this directory; AT_FDCWD unless the owner says otherwise */
    char *path;
};

/* The file is made when its first line comes. heads: lines in front of the first row, which every child
 * prints, and every file begins with. most, keep: see above. */
void smi_record_file_open(struct smi_record_file *r, const char *path, int heads, int64_t most, int keep);
/* A child begins: an unfinished line before it is dropped, and a header is due, which is written if it is
 * another one than that in the file. */
void smi_record_file_begin(struct smi_record_file *r);
/* The next bytes, cut anywhere: whole lines are written, in one write(2). A write that fails (a full disk) is
 * no error: r->full and r->lost say so, and the next call tries again. */
void smi_record_file_put(struct smi_record_file *r, const char *p, size_t n);
void smi_record_file_close(struct smi_record_file *r); /* may be all zero */
