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

enum { SMI_MONITOR_PROBE_MAX = 65536 };

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
