#include "formats/nvidia_apps_plan.h"

#include "base/clock.h"

#include <string.h>

size_t smi_apps_split(struct smi_text line, struct smi_text *cell)
{
    const char *p = line.p, *end = line.p + line.n, *comma;
    size_t n = 0;
    for (;; p = comma + 1) {
        comma = memchr(p, ',', (size_t)(end - p));
        if (n < SMI_APPS_COLUMNS)
            cell[n] = smi_text_trim((struct smi_text){p, (size_t)((comma ? comma : end) - p)});
        n++;
        if (!comma)
            return n;
    }
}

/* "used_gpu_memory [MiB]" -> "used_gpu_memory" */
static struct smi_text without_unit(struct smi_text t)
{
    const char *open = t.n && t.p[t.n - 1] == ']' ? memchr(t.p, '[', t.n) : NULL;
    return open ? smi_text_trim((struct smi_text){t.p, (size_t)(open - t.p)}) : t;
}

/* Is one of the names among the cells? list ends in NULL. */
static bool has_any_name(const struct smi_text *cell, size_t n, const char *const *list)
{
    for (; *list; list++)
        for (size_t i = 0; i < n; i++)
            if (smi_text_is_nocase(without_unit(cell[i]), *list))
                return true;
    return false;
}

static bool has_name(const struct smi_text *cell, size_t n, const char *name)
{
    const char *const one[] = {name, NULL};
    return has_any_name(cell, n, one);
}

/* Names do not begin with a digit, and are never empty or quoted. */
static bool may_be_names(const struct smi_text *cell, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!cell[i].n || (cell[i].p[0] >= '0' && cell[i].p[0] <= '9') || memchr(cell[i].p, '"', cell[i].n))
            return false;
    return n <= SMI_APPS_COLUMNS;
}

/* A pid alone could be any tool's; a memory that is used beside utilisations is a GPU's. */
static bool is_apps(const struct smi_text *cell, size_t n)
{
    static const char *const beside[] = {"process_name", "used_gpu_memory", "used_memory", "gpu_uuid",
                                         "gpu_bus_id",   "gpu_name",        NULL};
    if (has_name(cell, n, "pid") && has_any_name(cell, n, beside))
        return true;
    if (!has_name(cell, n, "used_gpu_memory") &&
        (!has_name(cell, n, "used_memory") || has_name(cell, n, "gpu")))
        return false;
    for (size_t i = 0; i < n; i++)
        if (smi_text_starts_nocase(cell[i], "utilization."))
            return false;
    return true;
}

int smi_apps_header(const struct smi_text *cell, size_t n)
{
    static const char *const accounted[] = {"pid", "gpu_uuid", "mem_utilization", NULL};
    if (n > SMI_APPS_COLUMNS || !may_be_names(cell, n))
        return -1;
    if (has_name(cell, n, "max_memory_usage") && has_any_name(cell, n, accounted))
        return SMI_FMT_ACCOUNTED;
    if (has_name(cell, n, "retired_pages.address"))
        return SMI_FMT_RETIRED;
    return is_apps(cell, n) ? SMI_FMT_APPS : -1;
}

static bool is_whole(struct smi_text t)
{
    for (size_t i = 0; i < t.n; i++)
        if (t.p[i] < '0' || t.p[i] > '9')
            return false;
    return t.n > 0;
}

static bool is_path(struct smi_text t)
{
    return smi_text_is(t, "[Not Found]") || !t.n || memchr(t.p, '/', t.n) || memchr(t.p, '\\', t.n);
}

bool smi_apps_row(const struct smi_text *cell, size_t n)
{
    const struct smi_text *last = &cell[n - 1];
    int64_t us;
    bool fine;
    if (n < 4 || n > SMI_APPS_COLUMNS || smi_clock_parse_stamp(cell[0], &us, &fine))
        return false;
    return is_whole(last[-2]) && is_path(last[-1]) && last->n > 4 &&
           memcmp(last->p + last->n - 4, " MiB", 4) == 0;
}

static struct smi_apps_plan empty_apps_plan(size_t width)
{
    struct smi_apps_plan p = {
        .width = width, .time = -1, .pid = -1, .process = -1, .life = -1, .gpu_name = -1};
    for (int k = 0; k < SMI_DEVICE_KEY_COUNT; k++)
        p.key[k] = -1;
    return p;
}

static void bind_reading(struct smi_apps_plan *p, uint16_t metric, int place)
{
    for (unsigned i = 0; i < p->n; i++)
        if (p->metric[i] == metric)
            return;
    if (p->n == sizeof p->place / sizeof *p->place)
        return;
    p->place[p->n] = (uint16_t)place;
    p->metric[p->n++] = metric;
}

void smi_apps_bind(struct smi_apps_plan *p, const struct smi_text *cell, size_t n)
{
    struct {
        const char *name;
        int *place;
    } const own[] = {{"timestamp", &p->time},
                     {"pid", &p->pid},
                     {"process_name", &p->process},
                     {"name", &p->process},
                     {"time", &p->life},
                     {"gpu_name", &p->gpu_name},
                     {"gpu_uuid", &p->key[SMI_DEVICE_KEY_UUID]},
                     {"uuid", &p->key[SMI_DEVICE_KEY_UUID]},
                     {"gpu_bus_id", &p->key[SMI_DEVICE_KEY_BUS]},
                     {"pci.bus_id", &p->key[SMI_DEVICE_KEY_BUS]},
                     {"gpu_serial", &p->key[SMI_DEVICE_KEY_SERIAL]},
                     {"serial", &p->key[SMI_DEVICE_KEY_SERIAL]},
                     {"gpu_index", &p->key[SMI_DEVICE_KEY_INDEX]},
                     {"index", &p->key[SMI_DEVICE_KEY_INDEX]},
                     {"gpu", &p->key[SMI_DEVICE_KEY_GPU]}};
    static const struct {
        const char *name;
        uint16_t metric;
    } readings[] = {{"used_gpu_memory", SMI_FB_USED},  {"used_memory", SMI_FB_USED},
                    {"max_memory_usage", SMI_FB_USED}, {"gpu_utilization", SMI_GPU_UTIL},
                    {"gpu_util", SMI_GPU_UTIL},        {"mem_utilization", SMI_MEM_UTIL},
                    {"mem_util", SMI_MEM_UTIL}};
    *p = empty_apps_plan(n);
    for (size_t i = 0; i < n; i++) {
        struct smi_text name = without_unit(cell[i]);
        for (size_t k = 0; k < sizeof own / sizeof *own; k++)
            if (smi_text_is_nocase(name, own[k].name) && *own[k].place < 0)
                *own[k].place = (int)i;
        for (size_t k = 0; k < sizeof readings / sizeof *readings; k++)
            if (smi_text_is_nocase(name, readings[k].name))
                bind_reading(p, readings[k].metric, (int)i);
    }
    for (int k = 0; k < SMI_DEVICE_KEY_COUNT; k++)
        p->keyed |= p->key[k] >= 0;
}

/* "00000000:83:00.0" */
static bool is_bus(struct smi_text t)
{
    for (size_t i = 0; i < t.n; i++)
        if (!strchr("0123456789abcdefABCDEF:.", t.p[i]))
            return false;
    return t.n >= 12 && t.n <= 16 && t.p[t.n - 2] == '.' && t.p[t.n - 5] == ':';
}

void smi_apps_bind_row(struct smi_apps_plan *p, const struct smi_text *cell, size_t n)
{
    *p = empty_apps_plan(n);
    p->time = 0;
    p->pid = (int)n - 3;
    p->process = (int)n - 2;
    bind_reading(p, SMI_FB_USED, (int)n - 1);
    for (int i = 1; i < p->pid; i++) {
        if (smi_text_starts_nocase(cell[i], "GPU-") && p->key[SMI_DEVICE_KEY_UUID] < 0)
            p->key[SMI_DEVICE_KEY_UUID] = i;
        else if (is_bus(cell[i]) && p->key[SMI_DEVICE_KEY_BUS] < 0)
            p->key[SMI_DEVICE_KEY_BUS] = i;
    }
    p->keyed = p->key[SMI_DEVICE_KEY_UUID] >= 0 || p->key[SMI_DEVICE_KEY_BUS] >= 0;
}
