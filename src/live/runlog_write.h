/* runlog_write.h - RunLogs written: phases and events as JSON lines in the reference's form, appended whole
 * by any number of processes and threads at once.
 *
 *     struct smi_append log;
 *     struct smi_err err = {0};
 *     if (smi_runlog_open(&log, "out/run.jsonl", &err))
 *         return fprintf(stderr, "%s\n", err.text), 1;
 *     smi_runlog_event(&log, "start", SMI_VALUES(SMI_VALUE("lr", 0.1), SMI_VALUE("model", "heston")), &err);
 *     smi_runlog_phase(&log, "compile", 41.2, NULL, &err);
 *     smi_append_close(&log);
 *
 * {"ts": "2026-11-21T06:22:31.123+00:00", "type": "event", "event": "start", "data": {"lr": 0.1, "model":
 * "heston"}}
 * {"ts": "2026-11-21T06:23:12.323+00:00", "type": "phase", "name": "compile", "seconds": 41.2} */
#ifndef SMI_LIVE_RUNLOG_WRITE_H
#define SMI_LIVE_RUNLOG_WRITE_H

#include "base/buf.h"
#include "live/append.h"

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
/* A phase that has just ended and lasted `seconds` (0 to 10^9; written to the microsecond).
 *   name   not empty. Bytes that are not UTF-8 become U+FFFD, control characters escapes; so in all texts.
 *   values further keys, beside name and seconds; NULL: none. No key may be empty, stand there twice, or be
 * one of the log's own (ts, type, name, seconds). Returns 0, or -1 with err: SMI_EUSAGE (these rules),
 * SMI_ELIMIT (a line too long for readers), SMI_EIO, SMI_ENOMEM; nothing was written then. */
int smi_runlog_phase(struct smi_append *log, const char *name, double seconds,
                     const struct smi_runlog_value *values, struct smi_err *err);
/* Something that happens now; its values stand in "data", which is left out without any. What smilog reads
 * from events: of the first one the parameters of the run; start (utc_offset_s, host), stop (exit_status),
 * error, exception, failed, oom, killed (message); jax_peak_bytes_mb, peak_bytes_in_use,
 * torch_max_memory_allocated of any. Else as above. */
int smi_runlog_event(struct smi_append *log, const char *name, const struct smi_runlog_value *values,
                     struct smi_err *err);
/* The same lines, with the time of now, behind what stands in `to`; where they fail, part of one may stand
 * there. */
int smi_runlog_put_phase(struct smi_buf *to, const char *name, double seconds,
                         const struct smi_runlog_value *values, struct smi_err *err);
int smi_runlog_put_event(struct smi_buf *to, const char *name, const struct smi_runlog_value *values,
                         struct smi_err *err);
#endif
