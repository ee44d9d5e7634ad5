/* live.h - the monitors beside a job: started, watched, shown (live/machine.h) and recorded, in the
 * owner's loop. Everything that a recording holds is what `smilog summarize DIR` reads. Not
 * for several threads. */
#ifndef SMI_LIVE_LIVE_H
#define SMI_LIVE_LIVE_H

#include "live/monitor.h"
#include "live/host.h"
#include "live/machine.h"
#include "live/recorder.h"

enum { SMI_LIVE_MONITORS = 5, SMI_LIVE_CHILDREN = 2 * SMI_LIVE_MONITORS };

/* Whose GPUs are looked at. */
enum smi_live_brand { SMI_LIVE_ANY, SMI_LIVE_NVIDIA, SMI_LIVE_AMD, SMI_LIVE_NONE };

struct smi_live_opts {
    int interval_ms;
    const char *dir;     /* where to record, from smi_live_claim; NULL: nothing is recorded */
    const char *program; /* in the place of nvidia-smi; NULL: nvidia-smi by PATH */
    const char *gpus;    /* of which GPUs, as nvidia-smi -i takes them; NULL: all */
    bool choose;         /* of NVIDIA's, gpus says which are mine, and all are looked at */
    const char
        *visible; /* CUDA_VISIBLE_DEVICES: which of them are mine; NULL: all; on AMD's HIP obeys it, too, */
    const char *hip,
        *rocr; /* but HIP_VISIBLE_DEVICES before it, of what ROCR_VISIBLE_DEVICES leaves; NULL: not set */
    char *const *environ; /* of the job, for the RunLog's start event: NAME=VALUE, ended by NULL; or NULL */
    int recording;        /* as in struct smi_start_source */
    const struct smi_runlog_value *about; /* further facts for the start event; or NULL */
    enum smi_live_brand brand;            /* ANY: NVIDIA's, but where there is amd-smi and no nvidia-smi */
    const char *monitors; /* of query, dmon, apps, pmon, amd, amd-process, cpu: these only; or NULL */
    bool apps;            /* the processes on the GPUs, too; */
    bool pmon;            /* and how much each uses them */
    int64_t most;         /* bytes of a recorded file, as smi_record_file.most; 0: any */
    int keep;             /* parts of it, as smi_record_file.keep; 0: all */
    struct smi_machine_opts now;
    const struct smi_monitor_times *times; /* NULL: smi_monitor_times */
};

struct smi_live; /* opaque */

/* Which GPUs the environment leaves to a job that is started from here: visible, hip and rocr. */
void smi_live_visible(struct smi_live_opts *o);
/* Finds the directory of a recording, and makes its run.jsonl: dir if it is new or empty, else the first of
 * dir.2, dir.3 and so on up to dir.MOST. Programs that do this at once get different ones. Its path is in own
 * then. Returns its number (1: dir itself), or -1 with err: SMI_EUSAGE (all are in use), SMI_EIO. */
int smi_live_claim(const char *dir, int most, char *own, size_t size, struct smi_err *err);
/* Starts the monitors. The texts of o are borrowed for as long as it lives. NULL with err: SMI_EIO. Without
 * nvidia-smi only the CPUs are sampled, and the state of the source says so. */
struct smi_live *smi_live_new(const struct smi_live_opts *o, int64_t mono_ms, struct smi_err *err);
/* What the screen, the server and alerts read. */
struct smi_machine *smi_live_machine(struct smi_live *l);
/* The GPUs that nvidia-smi listed before it began, *n of them: none if it has not yet, or on AMD. */
const struct smi_gpu_id *smi_live_listed(const struct smi_live *l, size_t *n);
/* Has any monitor printed anything? */
bool smi_live_heard(const struct smi_live *l);
/* Adds the monitors and the sampling of the CPUs to a loop. */
void smi_live_attach(struct smi_live *l, struct smi_loop *loop);
/* Writes an event into the recording, if there is one; to show it is the caller's (smi_machine_add_event). */
void smi_live_event(struct smi_live *l, const char *name, const struct smi_runlog_value *values);
/* Reports, once, that a file of the recording or of its owner was begun again (a->renewed), if it was. */
void smi_live_renewed(struct smi_live *l, struct smi_append *a);
/* A log of the owner's own, once: shown as `name`, recorded as `file`; both are borrowed. What is put into it
 * are whole lines of this format, a header first. */
void smi_live_add(struct smi_live *l, const char *name, const char *file, enum smi_format_id format);
void smi_live_write(struct smi_live *l, const char *p, size_t n);
/* What the machine said last: it is read with every sample of the CPUs. */
const struct smi_host_sample *smi_live_host(const struct smi_live *l);
/* Asks the monitors to end; go on with the loop while smi_live_busy. why: for the RunLog's stop event,
 * with `more` (or NULL) behind it. */
void smi_live_stop(struct smi_live *l, const char *why, const struct smi_runlog_value *more, int64_t mono_ms);
bool smi_live_busy(const struct smi_live *l);
/* The monitors' processes, at most SMI_LIVE_CHILDREN; returns how many. */
size_t smi_live_children(const struct smi_live *l, pid_t *out);
/* As smi_monitor_owns, of any monitor. */
bool smi_live_owns(const struct smi_live *l, pid_t id, bool session);
/* Kills what still lives, and closes the files. l may be NULL. */
void smi_live_free(struct smi_live *l);

#endif
