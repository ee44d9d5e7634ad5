/* The table of monitors: how each is called, and what comes of it. */
#include "live/monitor.h"

#include <limits.h>

/* First the nine columns of the reference's hw_metrics.csv in its order, then what tells the GPUs apart, then
 * what findings and the screen use. The throttle names are those of before driver 530, and taken again since
 * 535. Every field costs the driver time, for each GPU. */
static const char query_fields[] =
    "timestamp,utilization.gpu,utilization.memory,memory.used,memory.total,power.draw,temperature.gpu,"
    "clocks.sm,clocks.mem,index,uuid,name,pci.bus_id,pstate,power.limit,temperature.memory,"
    "clocks_throttle_reasons.active|clocks_event_reasons.active,power.draw.instant,fan.speed,"
    "memory.reserved,utilization.encoder,utilization.decoder,pcie.link.gen.current,"
    "pcie.link.width.current,ecc.errors.corrected.volatile.total,ecc.errors.uncorrected.volatile.total";
static const char apps_fields[] = "timestamp,gpu_uuid,pid,process_name,used_memory";

/* nvidia-smi --query-gpu=timestamp,utilization.gpu,... --format=csv,nounits -l 1 -i 0,1 */
static const char *const query_words[] = {"--query-gpu=%f", "--format=csv,nounits", "%l", NULL};
static const char *const apps_words[] = {"--query-compute-apps=%f", "--format=csv,nounits", "%l", NULL};
static const char *const dmon_words[] = {"dmon", "-s", "pucvmt", "-o", "DT", "-d", "%s", NULL};
static const char *const pmon_words[] = {"pmon", "-s", "um", "-o", "DT", "-d", "%s", NULL};
static const char *const amd_words[] = {"monitor", "-p", "-t", "-u", "-m", "-v", "--csv", "-w", "%s", NULL};
static const char *const amd_process_words[] = {"process", "--csv", "-w", "%s", NULL};
static const char *const python_env[] = {"PYTHONUNBUFFERED=1", NULL}; /* amd-smi is a Python program */

/* name, program, file, format, least_ms, most_s (of pmon: it takes no more), head, pty, quiet, fields, env,
 * words, gpu_word, split_gpus */
const struct smi_monitor_kind smi_monitor_kinds[] = {
    {"query", "nvidia-smi", "hw_metrics.csv", SMI_FMT_QUERY, 1, 0, 1, true, false, query_fields, NULL,
     query_words, "-i", false},
    {"dmon", "nvidia-smi", "hw_dmon.csv", SMI_FMT_DMON, 1000, 0, 2, true, false, NULL, NULL, dmon_words, "-i",
     false},
    {"apps", "nvidia-smi", "hw_apps.csv", SMI_FMT_APPS, 1, 0, 1, true, true, apps_fields, NULL, apps_words,
     "-i", false},
    {"pmon", "nvidia-smi", "hw_pmon.csv", SMI_FMT_PMON, 1000, 10, 2, true, false, NULL, NULL, pmon_words,
     "-i", false},
    {"amd", "amd-smi", "amd_metrics.csv", SMI_FMT_AMD_MONITOR, 1000, 0, 1, true, false, NULL, python_env,
     amd_words, "-g", true},
    {"amd-process", "amd-smi", "amd_processes.csv", SMI_FMT_AMD_PROCESS, 1000, 0, 1, true, false, NULL,
     python_env, amd_process_words, "-g", true},
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
