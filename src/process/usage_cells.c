/* usage_cells.c - the columns of a tracking file, and what stands in them. */
#include "process/usage_private.h"

enum { PERCENT = 1000000, SECOND = 1000000 };

const struct smi_usage_column smi_usage_statics[SMI_USAGE_STATIC] = {
    {"ram_unit", SMI_USAGE_WORD},
    {"gpu_ram_unit", SMI_USAGE_WORD},
    {"time_unit", SMI_USAGE_WORD},
    {"ram_system_capacity", SMI_USAGE_REAL},
    {"gpu_ram_system_capacity", SMI_USAGE_REAL},
    {"system_core_count", SMI_USAGE_COUNT},
    {"n_expected_cores", SMI_USAGE_COUNT},
    {"system_gpu_count", SMI_USAGE_COUNT},
    {"n_expected_gpus", SMI_USAGE_COUNT},
};

const struct smi_usage_column smi_usage_columns[SMI_USAGE_COLUMNS] = {
    {"main_ram", SMI_USAGE_REAL},
    {"descendants_ram", SMI_USAGE_REAL},
    {"combined_ram", SMI_USAGE_REAL},
    {"system_ram", SMI_USAGE_REAL},
    {"main_gpu_ram", SMI_USAGE_REAL},
    {"descendants_gpu_ram", SMI_USAGE_REAL},
    {"combined_gpu_ram", SMI_USAGE_REAL},
    {"system_gpu_ram", SMI_USAGE_REAL},
    {"gpu_sum_utilization_percent", SMI_USAGE_REAL},
    {"gpu_hardware_utilization_percent", SMI_USAGE_REAL},
    {"main_n_threads", SMI_USAGE_COUNT},
    {"descendants_n_threads", SMI_USAGE_COUNT},
    {"combined_n_threads", SMI_USAGE_COUNT},
    {"cpu_system_sum_utilization_percent", SMI_USAGE_REAL},
    {"cpu_system_hardware_utilization_percent", SMI_USAGE_REAL},
    {"cpu_main_sum_utilization_percent", SMI_USAGE_REAL},
    {"cpu_main_hardware_utilization_percent", SMI_USAGE_REAL},
    {"cpu_descendants_sum_utilization_percent", SMI_USAGE_REAL},
    {"cpu_descendants_hardware_utilization_percent", SMI_USAGE_REAL},
    {"cpu_combined_sum_utilization_percent", SMI_USAGE_REAL},
    {"cpu_combined_hardware_utilization_percent", SMI_USAGE_REAL},
    {"timestamp", SMI_USAGE_REAL},
};

static struct smi_usage_cell word_cell(const char *text)
{
    return (struct smi_usage_cell){.kind = SMI_USAGE_WORD, .word = text};
}

static struct smi_usage_cell count_cell(int64_t v)
{
    return (struct smi_usage_cell){.kind = v < 0 ? SMI_USAGE_NONE : SMI_USAGE_COUNT, .count = v};
}

/* v / den; a negative v, or a den that is not above 0, is not known. */
static struct smi_usage_cell real_cell(int64_t v, smi_i128 den)
{
    bool known = v >= 0 && den > 0;
    return (struct smi_usage_cell){.kind = known ? SMI_USAGE_REAL : SMI_USAGE_NONE,
                                   .real = known ? smi_i128_ratio(v, den) : 0};
}

void smi_usage_static_cells(struct smi_usage_cell cell[SMI_USAGE_STATIC], const struct smi_usage_machine *m,
                            const struct smi_usage_units *units)
{
    const struct smi_usage_unit *ram = &smi_usage_sizes[units->ram],
                                *gpu_ram = &smi_usage_sizes[units->gpu_ram];
    const struct smi_usage_cell all[SMI_USAGE_STATIC] = {
        word_cell(ram->name),
        word_cell(gpu_ram->name),
        word_cell(smi_usage_times[units->time].name),
        real_cell(m->ram, ram->size),
        real_cell(m->gpu_ram, gpu_ram->size),
        count_cell(m->cores),
        count_cell(m->expected_cores),
        count_cell(m->gpus),
        count_cell(m->expected_gpus),
    };
    memcpy(cell, all, sizeof all);
}

/* The sum, and its share of the hardware. */
static void percent_cells(struct smi_usage_cell *cell, int64_t sum, int64_t among)
{
    cell[0] = real_cell(sum, PERCENT);
    cell[1] = real_cell(sum, (smi_i128)PERCENT * (among < 0 ? 0 : among));
}

void smi_usage_cells(struct smi_usage_cell cell[SMI_USAGE_COLUMNS], const struct smi_usage_sample *s,
                     const struct smi_usage_machine *m, const struct smi_usage_units *units)
{
    int64_t ram = smi_usage_sizes[units->ram].size, gpu_ram = smi_usage_sizes[units->gpu_ram].size;
    struct smi_usage_cell *to = cell;
    for (int p = 0; p < SMI_USAGE_PARTS; p++)
        *to++ = real_cell(s->has_ram[p] ? s->ram[p].total : -1, ram);
    *to++ = real_cell(s->system_ram, ram);
    for (int p = 0; p < SMI_USAGE_PARTS; p++)
        *to++ = real_cell(s->gpu_ram[p], gpu_ram); /* of MiB taken for megabytes a millionth is a byte */
    *to++ = real_cell(s->system_gpu_ram, gpu_ram);
    percent_cells(to, s->gpu_util_sum, m->expected_gpus);
    to += 2;
    for (int p = 0; p < SMI_USAGE_PARTS; p++)
        *to++ = count_cell(s->threads[p]);
    percent_cells(to, s->system_cpu, m->cores);
    to += 2;
    for (int p = 0; p < SMI_USAGE_PARTS; p++, to += 2)
        percent_cells(to, s->cpu[p], m->expected_cores);
    *to = real_cell(s->wall_us, SECOND);
}
