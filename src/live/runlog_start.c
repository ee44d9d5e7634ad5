#include "live/runlog_start.h"

#include "base/json.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

/* Unless the caller says it himself, or there is no room. */
static void add(struct smi_start_event *d, const struct smi_start_source *from, struct smi_runlog_value value)
{
    for (const struct smi_runlog_value *v = from->more; v && v->key; v++)
        if (strcmp(v->key, value.key) == 0)
            return;
    if (d->n < SMI_RUNLOG_VALUES)
        d->value[d->n++] = value;
}

/* A text of whatever kind, or NULL. */
static void add_text(struct smi_start_event *d, const struct smi_start_source *from, const char *key,
                     enum smi_runlog_kind kind, const char *text)
{
    if (text)
        add(d, from, (struct smi_runlog_value){key, kind, text, 0, 0});
}

static const char *environment_value(const struct smi_start_source *from, const char *name)
{
    size_t n = strlen(name);
    for (char *const *e = from->environ; e && *e; e++)
        if (strncmp(*e, name, n) == 0 && (*e)[n] == '=')
            return *e + n + 1;
    return NULL;
}

static void add_machine(struct smi_start_event *d, const struct smi_start_source *from)
{
    const char *user = environment_value(from, "USER");
    time_t now = time(NULL);
    struct tm local;
    if (uname(&d->machine) == 0 && d->machine.nodename[0])
        add_text(d, from, "host", SMI_RUNLOG_TEXT, d->machine.nodename);
    if (!user)
        user = environment_value(from, "LOGNAME");
    add(d, from, user ? smi_runlog_text("user", user) : smi_runlog_whole("user", getuid()));
    add(d, from, smi_runlog_whole("pid", getpid()));
    if (localtime_r(&now, &local))
        add(d, from, smi_runlog_whole("utc_offset_s", local.tm_gmtoff));
}

/* ["NVIDIA H100 80GB HBM3", null] and [81559, null], as far as anything is known */
static int add_gpus(struct smi_start_event *d, const struct smi_start_source *from)
{
    struct smi_json a, b;
    bool named = false, sized = false;
    smi_json_begin(&a, &d->gpu_names);
    smi_json_begin(&b, &d->gpu_memory);
    smi_json_open(&a, '[');
    smi_json_open(&b, '[');
    for (size_t i = 0; i < from->gpus; i++) {
        smi_json_str(&a, from->gpu[i].name);
        if (from->gpu[i].memory_mib > 0)
            smi_json_int(&b, from->gpu[i].memory_mib);
        else
            smi_json_null(&b);
        named |= from->gpu[i].name != NULL;
        sized |= from->gpu[i].memory_mib > 0;
    }
    smi_json_close(&a, ']');
    smi_json_close(&b, ']');
    if (named)
        add_text(d, from, "gpu_names", SMI_RUNLOG_JSON, d->gpu_names.p);
    if (sized)
        add_text(d, from, "gpu_memory_mib", SMI_RUNLOG_JSON, d->gpu_memory.p);
    return d->gpu_names.failed || d->gpu_memory.failed ? -1 : 0;
}

static void add_limits(struct smi_start_event *d, const struct smi_start_source *from)
{
    static const enum smi_host_id limits[] = {SMI_HOST_CG_RAM_LIMIT, SMI_HOST_CG_CPU_LIMIT};
    for (size_t i = 0; from->host && i < sizeof limits / sizeof *limits; i++) {
        enum smi_host_id id = limits[i];
        if (from->host->has >> id & 1)
            add(d, from, smi_runlog_real(smi_host_values[id].name, (double)from->host->v[id] / 1e6));
    }
}

static void add_job(struct smi_start_event *d, const struct smi_start_source *from)
{
    static const char *const words[] = {"SLURM_JOB_ID",        "SLURM_JOB_NAME",      "SLURM_JOB_PARTITION",
                                        "SLURM_JOB_NODELIST",  "SLURM_JOB_NUM_NODES", "SLURM_NTASKS",
                                        "SLURM_PROCID",        "SLURM_LOCALID",       "SLURM_NODEID",
                                        "SLURM_STEP_ID",       "SLURM_ARRAY_JOB_ID",  "SLURM_ARRAY_TASK_ID",
                                        "SLURM_CPUS_PER_TASK", "SLURM_CLUSTER_NAME"};
    static const char *const lists[] = {"CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER", "SLURM_JOB_GPUS",
                                        "SLURM_STEP_GPUS"}; /* "0" is a list, too, and no number */
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        add_text(d, from, lists[i], SMI_RUNLOG_TEXT, environment_value(from, lists[i]));
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        add_text(d, from, words[i], SMI_RUNLOG_WORD, environment_value(from, words[i]));
}

int smi_start_event_fill(struct smi_start_event *d, const struct smi_start_source *from, struct smi_err *err)
{
    d->n = 0;
    add_machine(d, from);
    if (add_gpus(d, from))
        return smi_err_nomem(err);
    add_limits(d, from);
    if (from->recording)
        add(d, from, smi_runlog_whole("recording_number", from->recording));
    add_job(d, from);
    for (const struct smi_runlog_value *v = from->more; v && v->key; v++) {
        if (d->n == SMI_RUNLOG_VALUES)
            return smi_err_set(err, SMI_ELIMIT, "more than %d values in one line", SMI_RUNLOG_VALUES);
        d->value[d->n++] = *v;
    }
    d->value[d->n] = (struct smi_runlog_value){NULL, SMI_RUNLOG_TEXT, NULL, 0, 0};
    return 0;
}

void smi_start_event_fini(struct smi_start_event *d)
{
    smi_buf_fini(&d->gpu_names);
    smi_buf_fini(&d->gpu_memory);
    d->n = 0;
}
