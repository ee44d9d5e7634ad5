/* The table of monitors: how each is called, and what comes of it. */
#include "live/monitor.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>

/* First the nine columns of the reference's hw_metrics.csv in its order, then what tells the GPUs apart, then
 * what findings and the screen use. The throttle names are those of before driver 530, and taken again since
 * 535. Every field costs the driver time, for each GPU. */
static const struct smi_monitor_field query_fields[] = {
    {"timestamp", NULL},
    {"utilization.gpu", NULL},
    {"utilization.memory", NULL},
    {"memory.used", NULL},
    {"memory.total", NULL},
    {"power.draw", NULL},
    {"temperature.gpu", NULL},
    {"clocks.sm", NULL},
    {"clocks.mem", NULL},
    {"index", NULL},
    {"uuid", NULL},
    {"name", NULL},
    {"pci.bus_id", NULL},
    {"pstate", NULL},
    {"power.limit", NULL},
    {"temperature.memory", NULL},
    {"clocks_throttle_reasons.active", "clocks_event_reasons.active"},
    {"power.draw.instant", NULL},
    {"fan.speed", NULL},
    {"memory.reserved", NULL},
    {"utilization.encoder", NULL},
    {"utilization.decoder", NULL},
    {"pcie.link.gen.current", NULL},
    {"pcie.link.width.current", NULL},
    {"ecc.errors.corrected.volatile.total", NULL},
    {"ecc.errors.uncorrected.volatile.total", NULL},
    {NULL, NULL}};
static const struct smi_monitor_field apps_fields[] = {{"timestamp", NULL},   {"gpu_uuid", NULL},
                                                       {"pid", NULL},         {"process_name", NULL},
                                                       {"used_memory", NULL}, {NULL, NULL}};

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

/* nvidia-smi dmon -s pucvmt -o DT -d 1 -i 0,1 */
static void dmon_argv(struct smi_monitor_argv *a, const struct smi_monitor_request *ask, bool once)
{
    (void)once;
    const char *const words[] = {ask->program, "dmon", "-s", "pucvmt", "-o", "DT", "-d"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        smi_monitor_add_word(a, "%s", words[i]);
    smi_monitor_add_word(a, "%d", ask->interval_ms / 1000);
    add_gpu_words(a, ask);
}

/* It takes no more than ten seconds. */
static void pmon_argv(struct smi_monitor_argv *a, const struct smi_monitor_request *ask, bool once)
{
    (void)once;
    const char *const words[] = {ask->program, "pmon", "-s", "um", "-o", "DT", "-d"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        smi_monitor_add_word(a, "%s", words[i]);
    smi_monitor_add_word(a, "%d", ask->interval_ms > 10000 ? 10 : ask->interval_ms / 1000);
    add_gpu_words(a, ask);
}

/* Words, then -w 1 -g 0 1: its GPUs are words of their own. */
static void amd_loop(struct smi_monitor_argv *a, const struct smi_monitor_request *ask,
                     const char *const *words)
{
    smi_monitor_add_word(a, "%s", ask->program);
    for (; *words; words++)
        smi_monitor_add_word(a, "%s", *words);
    smi_monitor_add_word(a, "-w");
    smi_monitor_add_word(a, "%d", ask->interval_ms / 1000);
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
    static const char *const words[] = {"monitor", "-p", "-t", "-u", "-m", "-v", "--csv", NULL};
    (void)once;
    amd_loop(a, ask, words);
}

static void amd_process_argv(struct smi_monitor_argv *a, const struct smi_monitor_request *ask, bool once)
{
    static const char *const words[] = {"process", "--csv", NULL};
    (void)once;
    amd_loop(a, ask, words);
}

static const char *const python_env[] = {"PYTHONUNBUFFERED=1", NULL}; /* amd-smi is a Python program */

const struct smi_monitor_kind smi_monitor_kinds[] = {
    {.name = "query",
     .help = "use, memory, power, temperature and clocks of every GPU",
     .program = "nvidia-smi",
     .file = "hw_metrics.csv",
     .format = SMI_FMT_QUERY,
     .least_ms = 1,
     .head = 1,
     .pty = true,
     .fields = query_fields,
     .argv = query_argv},
    {.name = "dmon",
     .help = "the same by nvidia-smi dmon, with PCIe traffic and violations",
     .program = "nvidia-smi",
     .file = "hw_dmon.csv",
     .format = SMI_FMT_DMON,
     .least_ms = 1000,
     .head = 2,
     .pty = true,
     .argv = dmon_argv},
    {.name = "apps",
     .help = "processes and their memory",
     .program = "nvidia-smi",
     .file = "hw_apps.csv",
     .format = SMI_FMT_APPS,
     .least_ms = 1,
     .head = 1,
     .pty = true,
     .quiet = true,
     .fields = apps_fields,
     .argv = apps_argv},
    {.name = "pmon",
     .help = "what each process uses of a GPU",
     .program = "nvidia-smi",
     .file = "hw_pmon.csv",
     .format = SMI_FMT_PMON,
     .least_ms = 1000,
     .head = 2,
     .pty = true,
     .argv = pmon_argv},
    {.name = "amd",
     .help = "use, memory, power and temperature of AMD GPUs",
     .program = "amd-smi",
     .file = "amd_metrics.csv",
     .format = SMI_FMT_AMD_MONITOR,
     .least_ms = 1000,
     .head = 1,
     .pty = true,
     .env = python_env,
     .argv = amd_argv},
    {.name = "amd-process",
     .help = "processes on AMD GPUs and their memory",
     .program = "amd-smi",
     .file = "amd_processes.csv",
     .format = SMI_FMT_AMD_PROCESS,
     .least_ms = 1000,
     .head = 1,
     .pty = true,
     .env = python_env,
     .argv = amd_process_argv},
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
