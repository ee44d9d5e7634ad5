/* monitor_private.h - what the files that implement monitor.h share. */
#ifndef SMI_LIVE_MONITOR_PRIVATE_H
#define SMI_LIVE_MONITOR_PRIVATE_H

#include "live/monitor.h"

/* A command line in the making: v ends with NULL. */
struct smi_monitor_argv {
    char *v[SMI_MONITOR_WORDS + 1];
    char text[SMI_MONITOR_TEXT];
    size_t n, used;
    bool full; /* it did not fit */
};

enum { SMI_LAST_LINE_TEXT = 160, SMI_MONITOR_PROBE_MAX = 65536 };

/* What a stream said last: of a stream of messages its last line that is not blank; of one of rows the first
 * line that is none since the last row ("NVIDIA-SMI has failed because ..." stands on standard output, with
 * more behind). */
struct smi_last_line {
    char line[SMI_LAST_LINE_TEXT], part[SMI_LAST_LINE_TEXT]; /* and the line in the making */
    size_t line_n, part_n, rows;                             /* rows and heads so far */
    bool of_rows;
};

enum smi_monitor_child { SMI_MONITOR_NO_CHILD, SMI_MONITOR_PROBE_CHILD, SMI_MONITOR_ROWS_CHILD };

struct smi_monitor_work {
    struct smi_child child, left; /* left: stuck, and left behind */
    pid_t session;                /* of the child before this one */
    enum smi_monitor_child doing;
    bool stopping, probed,
        blamed; /* asked to end by the owner; the fields are known; reason says why it is ended */
    struct smi_monitor_times times;
    struct smi_monitor_calls calls;
    char *program, *gpus;
    int64_t due_ms, begun_ms, ok_ms,
        end_ms; /* next start; of the child; rows since, -1: none; when its output ended */
    int64_t pause_ms;
    uint64_t child_lines; /* rows and heads */
    struct smi_last_line out, err;
    struct smi_buf answer; /* the probe's */
    unsigned char
        spelling[SMI_MONITOR_FIELDS]; /* of each field: 0 its name, 1 the other, 2 not known to the driver */
};

/* To the owner. */
void smi_monitor_report(struct smi_monitor *m, enum smi_monitor_event_kind what, int64_t from_ms,
                        int64_t to_ms);
void smi_monitor_set_state(struct smi_monitor *m, enum smi_monitor_state state, int64_t now_ms);
void smi_monitor_open_gap(struct smi_monitor *m, int64_t from_ms);
void smi_monitor_close_gap(struct smi_monitor *m, int64_t to_ms);
/* How long a child that has printed a line may be silent. */
int64_t smi_monitor_silence(const struct smi_monitor *m);
/* Takes what one stream of the child (out or err) holds, about `most` bytes of it. */
void smi_monitor_read(struct smi_monitor *m, int *fd, size_t most, int64_t now_ms);

/* m->reason: how the child ended, and what it said last. */
void smi_monitor_set_exit_reason(struct smi_monitor *m, const struct smi_child *c);
void smi_monitor_set_reason(struct smi_monitor *m, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* The command line of the next child. Returns 0, or -1 if it does not fit. */
int smi_monitor_command(const struct smi_monitor *m, struct smi_monitor_argv *a, bool once);
/* m->fields, as far as they are known. Returns 0, or -1 without memory. */
int smi_monitor_fields_text(struct smi_monitor *m);
/* "Field "X" is not a valid field to query." in t: takes X out. True if there is something else to ask for
 * now. */
bool smi_monitor_drop_field(struct smi_monitor *m, struct smi_text t);
/* m->gpus from the answer of a probe. True if there are any. */
bool smi_monitor_read_gpus(struct smi_monitor *m);

#endif
