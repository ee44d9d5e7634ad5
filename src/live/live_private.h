/* live_private.h - what the files of live.h share; for this room only. */
#ifndef SMI_LIVE_LIVE_PRIVATE_H
#define SMI_LIVE_LIVE_PRIVATE_H

#include "live/live.h"

/* A log: of a monitor, our own of the CPUs, or the owner's. */
struct smi_live_log {
    struct smi_live *l;
    struct smi_monitor *m;       /* or NULL */
    int source;                  /* in now */
    bool full;                   /* that its disk is full was said */
    int64_t lost;                /* lines, of gaps that are over */
    struct smi_record_file file; /* path NULL: not recorded */
};

struct smi_live {
    struct smi_live_opts o;
    struct smi_machine *now;
    struct smi_live_log log[SMI_LIVE_MONITORS], cpu, own; /* own: of smi_live_add */
    size_t logs;
    struct smi_host *host;
    struct smi_host_sample seen; /* of it, last */
    int64_t cpu_due_ms;
    struct smi_buf row;
    struct smi_runlog_file run;
    bool recorded, begun, stopped, failed; /* begun: the start event is written; failed: memory ran out */
    int64_t begin_ms;                      /* when it is written at the latest */
    int64_t mono_ms;
};

/* Bytes of a log: recorded and shown. Its 0 is for smi_monitor_calls. */
void smi_live_log_bytes(void *log, const char *p, size_t n);
/* What its monitor tells. */
void smi_live_log_event(void *log, const struct smi_monitor *m, const struct smi_monitor_event *e);
/* Its file in the recording, if there is one. Returns 0, or -1 with err. */
int smi_live_log_record(struct smi_live_log *g, const char *name, int heads, struct smi_err *err);
/* The first event of the RunLog, once. */
void smi_live_write_start(struct smi_live *l);
void smi_live_read_host(struct smi_live *l, struct smi_host_sample *s);

#endif
