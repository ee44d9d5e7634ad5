/* nvidia_apps_plan.h - what the columns of nvidia-smi's per-process CSVs are: compute apps, accounted apps,
 * and retired pages, which begin with the same columns (formats.md §5.2 to §5.4). */
#ifndef SMI_FORMATS_NVIDIA_APPS_PLAN_H
#define SMI_FORMATS_NVIDIA_APPS_PLAN_H

#include "formats/format.h"

enum { SMI_APPS_COLUMNS = 64 };

struct smi_apps_plan {
    size_t width;                           /* cells of a row; 0: not known */
    int time, pid, process, life, gpu_name; /* places, or -1; process: its name, which may hold commas */
    int key[SMI_DEVICE_KEY_COUNT];
    bool keyed;
    unsigned n; /* columns that carry readings: their place and metric */
    uint16_t place[4], metric[4];
};

/* Cuts at commas into cell[0 ... SMI_APPS_COLUMNS - 1], trimmed. Returns the number of cells, even past the
 * room. */
size_t smi_apps_split(struct smi_text line, struct smi_text *cell);
/* Is it a header of SMI_FMT_APPS, _ACCOUNTED or _RETIRED? Their number, or -1. */
int smi_apps_header(const struct smi_text *cell, size_t n);
/* Is it a row of compute apps that tells by its looks: a time first, and last a pid, a path and MiB? */
bool smi_apps_row(const struct smi_text *cell, size_t n);
void smi_apps_bind(struct smi_apps_plan *p, const struct smi_text *cell, size_t n);
/* The plan of such a row; what stands between its time and its pid are keys if they look like nothing else.
 */
void smi_apps_bind_row(struct smi_apps_plan *p, const struct smi_text *cell, size_t n);

#endif
