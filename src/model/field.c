#include "model/field.h"

#include <strings.h>

#define SMI_RUN_FIELD(id, name, type, unit_, place, ...) \
    [SMI_RUN_FIELD_##id] = {.key = name, .kind = SMI_DATUM_##type, .unit = unit_, __VA_ARGS__},
#define SMI_RUN_HEADLINE(id, name, unit_, metric, stat, optional, ...) \
    [SMI_RUN_FIELD_##id] = {.key = name, .kind = SMI_DATUM_MICRO, .unit = unit_, __VA_ARGS__},
#define SMI_RUN_STATISTIC(id, member, name, unit_, metric, stat, ...) \
    [SMI_RUN_FIELD_##id] = {.key = name, .kind = SMI_DATUM_MICRO, .unit = unit_, __VA_ARGS__},
const struct smi_field_info smi_run_fields[SMI_RUN_FIELDS] = {
#include "model/run_field.def"
};

int smi_run_field_find(const char *key)
{
    int i = 0;
    while (i < SMI_RUN_FIELDS && strcasecmp(smi_run_fields[i].key, key) != 0)
        i++;
    return i;
}

#define FIELD(name, type, unit_, help_)                                     \
    {                                                                       \
        .key = name, .kind = SMI_DATUM_##type, .unit = unit_, .help = help_ \
    }

const struct smi_field_info smi_gpu_fields[SMI_GPU_FIELDS] = {
    FIELD("gpu", INT, "", "Its index; none: not known, or rows that could not be told apart"),
    FIELD("uuid", TEXT, "", "As the driver names it"),
    FIELD("bus", TEXT, "", "Its PCI bus id"),
    FIELD("name", TEXT, "", "Its model"),
    FIELD("samples", INT, "", "Rows"),
    FIELD("energy_wh", MICRO, "Wh", "Energy"),
    FIELD("idle_pct", MICRO, "%", "Share of its time at or below the idle limit"),
    FIELD("longest_idle_s", MICRO, "s", "Longest idle stretch"),
    FIELD("coverage_pct", MICRO, "%", "Share of its time in which utilisation is known"),
    FIELD("interval_s", MICRO, "s", "Lower median of its intervals"),
    FIELD("interval_max_s", MICRO, "s", "Largest of them"),
    FIELD("gaps", INT, "", "Intervals that are so long that nothing is known of them"),
};

#define SMI_RUN_HEADLINE(id, name, ...) FIELD(name, MICRO, "", "As of runs, of the rows inside it"),
const struct smi_field_info smi_phase_fields[SMI_PHASE_FIELDS] = {
    FIELD("name", TEXT, "", "Its name"),
    FIELD("count", INT, "", "How many there were of it"),
    FIELD("seconds", MICRO, "s", "How long they took together"),
#include "model/run_field.def"
    FIELD("energy_wh", MICRO, "Wh", "Energy of all GPUs"),
    FIELD("idle_pct", MICRO, "%", "Share of the GPU time at or below the idle limit"),
    FIELD("samples", INT, "", "Rows of GPUs inside it"),
};

const struct smi_field_info smi_finding_fields[SMI_FINDING_FIELDS] = {
    FIELD("rule", TEXT, "", "What it is: see list rules"),
    FIELD("level", TEXT, "", "info, warn, strong, error"),
    FIELD("gpu", INT, "", "Index of its GPU; none: the run as a whole"),
    FIELD("phase", TEXT, "", "The phase that it lies in, or is about"),
    FIELD("from", TEXT, "", "When it began, as start; \"from\" in SQL"),
    FIELD("seconds", MICRO, "s", "How long it was"),
    FIELD("gpu_hours", MICRO, "h", "The GPU-hours that it is about"),
    FIELD("cost", MICRO, "", "Of these, with --price-gpu-hour"),
    FIELD("value", MICRO, "", "What was measured, in the unit of its rule"),
    FIELD("limit", MICRO, "", "The limit of its rule; \"limit\" in SQL"),
    FIELD("text", TEXT, "", "What happened"),
    FIELD("advice", TEXT, "", "What to do"),
};
