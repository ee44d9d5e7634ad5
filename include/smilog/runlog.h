/* runlog.h - RunLogs: phases and events of a run as JSON lines, appended whole by any number of processes at
 * once.
 *
 *     const struct smilog_value start[] = {smilog_real("lr", 0.1), smilog_string("model", "heston")};
 *     struct smilog_error err = {SMILOG_OK, ""};
 *     struct smilog_runlog *log = smilog_runlog_open("out/run.jsonl", &err);
 *     smilog_runlog_event(log, "start", start, 2, &err);
 *     smilog_runlog_phase(log, "compile", 41.2, NULL, 0, &err);
 *     smilog_runlog_close(log); */
#ifndef SMILOG_RUNLOG_H
#define SMILOG_RUNLOG_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

enum smilog_value_kind {
    SMILOG_STRING, /* UTF-8; other bytes become U+FFFD; NULL is written as null */
    SMILOG_REAL,   /* shortest digits that give it again; null if it is not finite */
    SMILOG_WHOLE,
    SMILOG_BOOL,
    SMILOG_JSON /* any JSON value as text */
};

/* A key and its value, borrowed for the call. */
struct smilog_value {
    const char *key;
    int kind;         /* a smilog_value_kind */
    const char *text; /* of SMILOG_STRING and SMILOG_JSON */
    double real;
    int64_t whole; /* of SMILOG_WHOLE; SMILOG_BOOL: 0 or not */
};

static inline struct smilog_value smilog_string(const char *key, const char *text)
{
    struct smilog_value v = {key, SMILOG_STRING, text, 0, 0};
    return v;
}
static inline struct smilog_value smilog_real(const char *key, double real)
{
    struct smilog_value v = {key, SMILOG_REAL, NULL, real, 0};
    return v;
}
static inline struct smilog_value smilog_whole(const char *key, int64_t whole)
{
    struct smilog_value v = {key, SMILOG_WHOLE, NULL, 0, whole};
    return v;
}
static inline struct smilog_value smilog_bool(const char *key, bool yes)
{
    struct smilog_value v = {key, SMILOG_BOOL, NULL, 0, yes};
    return v;
}

struct smilog_runlog;

/* Opens a log to append to; it is made if it is not there. "-": standard output. NULL with err: SMILOG_EIO,
 * SMILOG_EFORMAT (a file that is no run log). Close with smilog_runlog_close. */
SMI_API struct smilog_runlog *smilog_runlog_open(const char *path, struct smilog_error *err);
/* Something that happens now, with n values. smilog reads the values of the first event as the parameters of
 * the run; start (utc_offset_s, host), stop (exit_status), error, exception, failed, oom, killed (message)
 * name its state. No key may be empty or stand there twice. Returns 0, or -1 with err: SMILOG_EUSAGE,
 * SMILOG_ELIMIT (a line of more than 1 MiB, or more than 250 values), SMILOG_EIO; nothing was
 * written then. */
SMI_API int smilog_runlog_event(struct smilog_runlog *log, const char *name,
                                const struct smilog_value *values, size_t n, struct smilog_error *err);
/* The event "start" with the values, and with what is known of machine and job: host, user, process, zone of
 * local time, CUDA_VISIBLE_DEVICES, limits of the control group, SLURM_*. */
SMI_API int smilog_runlog_start(struct smilog_runlog *log, const struct smilog_value *values, size_t n,
                                struct smilog_error *err);
/* A phase that has just ended and lasted `seconds` (0 to 10^9). */
SMI_API int smilog_runlog_phase(struct smilog_runlog *log, const char *name, double seconds,
                                const struct smilog_value *values, size_t n, struct smilog_error *err);
/* log may be NULL. */
SMI_API void smilog_runlog_close(struct smilog_runlog *log);

#ifdef __cplusplus
}
#endif

#endif
