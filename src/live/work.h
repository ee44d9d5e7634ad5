/* work.h - what monitor.c, probe.c and reason.c share; for this room only. */
#ifndef SMI_LIVE_WORK_H
#define SMI_LIVE_WORK_H

#include "live/monitor.h"

enum { SMI_LAST_TEXT = 160, SMI_ANSWER_MAX = 65536 };

/* The last whole line of a stream that is not blank, and the one in the making. */
struct smi_last {
    char line[SMI_LAST_TEXT], part[SMI_LAST_TEXT];
    size_t line_n, part_n;
};

enum smi_doing { SMI_DOING_NOTHING, SMI_DOING_PROBE, SMI_DOING_ROWS };

struct smi_monitor_work {
    struct smi_child child, left; /* left: stuck, and left behind */
    enum smi_doing doing;
    bool stopping, probed, blamed; /* asked to end by the owner; the fields are known; reason says why it is ended */
    struct smi_monitor_times times;
    struct smi_monitor_calls calls;
    char *program, *gpus;
    int64_t due_ms, begun_ms, ok_ms, end_ms; /* next start; of the child; rows since, -1: none; when its output ended */
    int64_t pause_ms;
    uint64_t child_lines;
    struct smi_last out, err, first; /* first: as long as there are few lines */
    struct smi_buf answer;           /* the probe's */
    unsigned char spelling[SMI_MONITOR_FIELDS]; /* of each field: 0 its name, 1 the other, 2 not known to the driver */
    int refused;                     /* a call of bytes returned -1 */
};

/* Adds bytes to a stream of which the last line is kept; returns the number of lines that ended. */
size_t smi_last_add(struct smi_last *l, const char *p, size_t n);

/* m->reason: how the child ended, and what it said last. */
void smi_monitor_blame_exit(struct smi_monitor *m, const struct smi_child *c);
void smi_monitor_blame(struct smi_monitor *m, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* The command line of the next child. Returns 0, or -1 if it does not fit. */
int smi_monitor_command(struct smi_monitor *m, struct smi_monitor_argv *a, bool once);
/* m->fields as it is now believed to be right. Returns 0, or -1 without memory. */
int smi_monitor_fields_text(struct smi_monitor *m);
/* "Field "X" is not a valid field to query." in t: takes X out. True if there is something else to ask for now. */
bool smi_monitor_drop_field(struct smi_monitor *m, struct smi_text t);
/* m->gpus from the answer of a probe. True if there are any. */
bool smi_monitor_read_gpus(struct smi_monitor *m);

#endif
