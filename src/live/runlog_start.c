#include "live/runlog_start.h"

#include "base/json.h"

#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

/* The next place of the list; NULL: the caller says it himself, or there is no room. */
static struct smi_runlog_value *next_value(struct smi_start_event *d, const struct smi_start_source *from,
                                           const char *key)
{
    for (const struct smi_runlog_value *v = from->more; v && v->key; v++)
        if (strcmp(v->key, key) == 0)
            return NULL;
    return d->n < SMI_RUNLOG_VALUES ? &d->value[d->n++] : NULL;
}

static void add_whole(struct smi_start_event *d, const struct smi_start_source *from, const char *key,
                      int64_t whole)
{
    struct smi_runlog_value *v = next_value(d, from, key);
    if (v)
        *v = smi_runlog_whole(key, whole);
}

/* A text of whatever kind; it is copied. */
static int add_text(struct smi_start_event *d, const struct smi_start_source *from, const char *key,
                    enum smi_runlog_kind kind, const char *text)
{
    struct smi_runlog_value *v = text ? next_value(d, from, key) : NULL;
    char *copy = v ? smi_arena_text(&d->arena, text, strlen(text)) : NULL;
    if (v)
        *v = (struct smi_runlog_value){key, kind, copy, 0, 0};
    return v && !copy ? -1 : 0;
}

static const char *environment_value(const struct smi_start_source *from, const char *name)
{
    size_t n = strlen(name);
    for (char *const *e = from->environ; e && *e; e++)
        if (strncmp(*e, name, n) == 0 && (*e)[n] == '=')
            return *e + n + 1;
    return NULL;
}

static int add_machine(struct smi_start_event *d, const struct smi_start_source *from)
{
    const char *user = environment_value(from, "USER");
    time_t now = time(NULL);
    struct utsname u;
    struct tm local;
    int rc = uname(&u) == 0 && u.nodename[0] ? add_text(d, from, "host", SMI_RUNLOG_TEXT, u.nodename) : 0;
    if (!user)
        user = environment_value(from, "LOGNAME");
    if (user)
        rc |= add_text(d, from, "user", SMI_RUNLOG_TEXT, user);
    else
        add_whole(d, from, "user", getuid());
    add_whole(d, from, "pid", getpid());
    if (localtime_r(&now, &local))
        add_whole(d, from, "utc_offset_s", local.tm_gmtoff);
    return rc;
}

/* ["NVIDIA H100 80GB HBM3", null] and [81559, null], as far as anything is known */
static int add_gpus(struct smi_start_event *d, const struct smi_start_source *from)
{
    struct smi_buf names = {0}, memory = {0};
    struct smi_json a, b;
    bool named = false, sized = false;
    int rc = 0;
    smi_json_begin(&a, &names);
    smi_json_begin(&b, &memory);
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
    if (names.failed || memory.failed)
        rc = -1;
    if (!rc && named)
        rc = add_text(d, from, "gpu_names", SMI_RUNLOG_JSON, names.p);
    if (!rc && sized)
        rc = add_text(d, from, "gpu_memory_mib", SMI_RUNLOG_JSON, memory.p);
    smi_buf_fini(&names);
    smi_buf_fini(&memory);
    return rc;
}

static void add_limits(struct smi_start_event *d, const struct smi_start_source *from)
{
    static const enum smi_host_id limits[] = {SMI_HOST_CG_RAM_LIMIT, SMI_HOST_CG_CPU_LIMIT};
    for (size_t i = 0; from->host && i < sizeof limits / sizeof *limits; i++) {
        enum smi_host_id id = limits[i];
        struct smi_runlog_value *v =
            from->host->has >> id & 1 ? next_value(d, from, smi_host_values[id].name) : NULL;
        if (v)
            *v = smi_runlog_real(smi_host_values[id].name, (double)from->host->v[id] / 1e6);
    }
}

static int add_job(struct smi_start_event *d, const struct smi_start_source *from)
{
    static const char *const words[] = {"SLURM_JOB_ID",        "SLURM_JOB_NAME",      "SLURM_JOB_PARTITION",
                                        "SLURM_JOB_NODELIST",  "SLURM_JOB_NUM_NODES", "SLURM_NTASKS",
                                        "SLURM_PROCID",        "SLURM_LOCALID",       "SLURM_NODEID",
                                        "SLURM_STEP_ID",       "SLURM_ARRAY_JOB_ID",  "SLURM_ARRAY_TASK_ID",
                                        "SLURM_CPUS_PER_TASK", "SLURM_CLUSTER_NAME"};
    static const char *const lists[] = {"CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER", "SLURM_JOB_GPUS",
                                        "SLURM_STEP_GPUS"}; /* "0" is a list, too, and no number */
    int rc = 0;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        rc |= add_text(d, from, lists[i], SMI_RUNLOG_TEXT, environment_value(from, lists[i]));
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        rc |= add_text(d, from, words[i], SMI_RUNLOG_WORD, environment_value(from, words[i]));
    return rc;
}

int smi_start_event_fill(struct smi_start_event *d, const struct smi_start_source *from, struct smi_err *err)
{
    d->n = 0;
    if (add_machine(d, from) || add_gpus(d, from))
        return smi_err_nomem(err);
    add_limits(d, from);
    if (from->recording)
        add_whole(d, from, "recording_number", from->recording);
    if (add_job(d, from))
        return smi_err_nomem(err);
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
    smi_arena_fini(&d->arena);
    d->n = 0;
}
