/* The table of monitors: how each is called, and what comes of it. */
#include "live/monitor.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>

/* First the nine columns of the reference's hw_metrics.csv in its order, then what tells the GPUs apart, then
 * what findings and the screen use. The throttle names are those of before driver 530, and taken again since
 * 535. Every field costs the driver time, for each GPU. */
static const char *const query_fields[] = {"timestamp",
                                           "utilization.gpu",
                                           "utilization.memory",
                                           "memory.used",
                                           "memory.total",
                                           "power.draw",
                                           "temperature.gpu",
                                           "clocks.sm",
                                           "clocks.mem",
                                           "index",
                                           "uuid",
                                           "name",
                                           "pci.bus_id",
                                           "pstate",
                                           "power.limit",
                                           "temperature.memory",
                                           "clocks_throttle_reasons.active|clocks_event_reasons.active",
                                           "power.draw.instant",
                                           "fan.speed",
                                           "memory.reserved",
                                           "utilization.encoder",
                                           "utilization.decoder",
                                           "pcie.link.gen.current",
                                           "pcie.link.width.current",
                                           "ecc.errors.corrected.volatile.total",
                                           "ecc.errors.uncorrected.volatile.total",
                                           NULL};
static const char *const apps_fields[] = {"timestamp",    "gpu_uuid",    "pid",
                                          "process_name", "used_memory", NULL};

void smi_monitor_add_word(struct smi_monitor_argv *a, const char *fmt, ...)
{
    va_list ap;
    size_t room = sizeof a->text - a->used;
    va_start(ap, fmt);
    int n = vsnprintf(a->text + a->used, room, fmt, ap);
    va_end(ap);
    a->full = a->full || n < 0 || (size_t)n >= room || a->n == SMI_MONITOR_WORDS;
    if (a->full)
        return;
    a->v[a->n++] = a->text + a->used;
    a->used += (size_t)n + 1;
}

/* -l before -lms: the one that old drivers know, too. */
static void add_loop_words(struct smi_monitor_argv *a, const struct smi_monitor_request *ask)
{
    bool whole = ask->interval_ms % 1000 == 0;
    smi_monitor_add_word(a, whole ? "-l" : "-lms");
    smi_monitor_add_word(a, "%d", whole ? ask->interval_ms / 1000 : ask->interval_ms);
}

static void add_gpu_words(struct smi_monitor_argv *a, const struct smi_monitor_request *ask)
{
    if (!ask->gpus)
        return;
    smi_monitor_add_word(a, "-i");
    smi_monitor_add_word(a, "%s", ask->gpus);
}

static void add_query_words(struct smi_monitor_argv *a, const struct smi_monitor_request *ask,
                            const char *what, bool once)
{
    smi_monitor_add_word(a, "%s", ask->program);
    smi_monitor_add_word(a, "--query-%s=%s", what, ask->fields);
    smi_monitor_add_word(a, "--format=csv,nounits");
    if (!once)
        add_loop_words(a, ask);
    add_gpu_words(a, ask);
}

/* nvidia-smi --query-gpu=timestamp,utilization.gpu,... --format=csv,nounits -l 1 -i 0,1 */
static void query_argv(struct smi_monitor_argv *a, const struct smi_monitor_request *ask, bool once)
{
    add_query_words(a, ask, "gpu", once);
}

static void apps_argv(struct smi_monitor_argv *a, const struct smi_monitor_request *ask, bool once)
{
    add_query_words(a, ask, "compute-apps", once);
}

/* The program, these words and the interval in seconds: ends with "-d" or "-w". */
static void add_words(struct smi_monitor_argv *a, const struct smi_monitor_request *ask, const char *words,
                      int most_ms)
{
    smi_monitor_add_word(a, "%s", ask->program);
    for (size_t n; *words; words += n + (words[n] == ' ')) {
        n = strcspn(words, " ");
        smi_monitor_add_word(a, "%.*s", (int)n, words);
    }
    smi_monitor_add_word(a, "%d", (ask->interval_ms < most_ms ? ask->interval_ms : most_ms) / 1000);
}

/* nvidia-smi dmon -s pucvmt -o DT -d 1 -i 0,1 */
static void dmon_argv(struct smi_monitor_argv *a, const struct smi_monitor_request *ask, bool once)
{
    (void)once;
    add_words(a, ask, "dmon -s pucvmt -o DT -d", INT_MAX);
    add_gpu_words(a, ask);
}

/* It takes no more than ten seconds. */
static void pmon_argv(struct smi_monitor_argv *a, const struct smi_monitor_request *ask, bool once)
{
    (void)once;
    add_words(a, ask, "pmon -s um -o DT -d", 10000);
    add_gpu_words(a, ask);
}

/* -g 0 1: the GPUs are words of their own. */
static void add_amd_gpus(struct smi_monitor_argv *a, const struct smi_monitor_request *ask)
{
    if (ask->gpus)
        smi_monitor_add_word(a, "-g");
    for (const char *p = ask->gpus; p && *p; p += strspn(p, ",")) {
        int n = (int)strcspn(p, ",");
        smi_monitor_add_word(a, "%.*s", n, p);
        p += n;
    }
}

static void amd_argv(struct smi_monitor_argv *a, const struct smi_monitor_request *ask, bool once)
{
    (void)once;
    add_words(a, ask, "monitor -p -t -u -m -v --csv -w", INT_MAX);
    add_amd_gpus(a, ask);
}

static void amd_process_argv(struct smi_monitor_argv *a, const struct smi_monitor_request *ask, bool once)
{
    (void)once;
    add_words(a, ask, "process --csv -w", INT_MAX);
    add_amd_gpus(a, ask);
}

static const char *const python_env[] = {"PYTHONUNBUFFERED=1", NULL}; /* amd-smi is a Python program */

/* name, help, program, file, format, least_ms, head, pty, quiet, fields, env, argv */
const struct smi_monitor_kind smi_monitor_kinds[] = {
    {"query", "use, memory, power, temperature and clocks of every GPU", "nvidia-smi", "hw_metrics.csv",
     SMI_FMT_QUERY, 1, 1, true, false, query_fields, NULL, query_argv},
    {"dmon", "the same by nvidia-smi dmon, with PCIe traffic and violations", "nvidia-smi", "hw_dmon.csv",
     SMI_FMT_DMON, 1000, 2, true, false, NULL, NULL, dmon_argv},
    {"apps", "processes and their memory", "nvidia-smi", "hw_apps.csv", SMI_FMT_APPS, 1, 1, true, true,
     apps_fields, NULL, apps_argv},
    {"pmon", "what each process uses of a GPU", "nvidia-smi", "hw_pmon.csv", SMI_FMT_PMON, 1000, 2, true,
     false, NULL, NULL, pmon_argv},
    {"amd", "use, memory, power and temperature of AMD GPUs", "amd-smi", "amd_metrics.csv",
     SMI_FMT_AMD_MONITOR, 1000, 1, true, false, NULL, python_env, amd_argv},
    {"amd-process", "processes on AMD GPUs and their memory", "amd-smi", "amd_processes.csv",
     SMI_FMT_AMD_PROCESS, 1000, 1, true, false, NULL, python_env, amd_process_argv},
    {.name = NULL}};

const struct smi_monitor_kind *smi_monitor_kind(const char *name)
{
    for (const struct smi_monitor_kind *k = smi_monitor_kinds; k->name; k++)
        if (!strcmp(k->name, name))
            return k;
    return NULL;
}

int smi_monitor_interval(const struct smi_monitor_kind *k, int interval_ms)
{
    int steps = interval_ms < k->least_ms ? 1 : interval_ms / k->least_ms + (interval_ms % k->least_ms != 0);
    return steps > INT_MAX / k->least_ms ? INT_MAX : steps * k->least_ms;
}
