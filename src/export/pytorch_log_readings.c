/* {"level": "record", "timestamp": 1739482605, "data": {"cpu": {"avg": 12.43, "max": 31.2, "raw":
 * [3.1, 21.76]}, ...}}
 *
 * The samples of a record come at its time: when each was taken the log does not say. What they lose on the
 * way is what is finer than a millionth. */
#include "export/pytorch_log_readings.h"

#include "base/json_load.h"
#include "base/mem.h"
#include "export/pytorch_lines.h"
#include "export/pytorch_json.h"

#include <string.h>

struct reader {
    struct smi_pytorch_lines lines;
    struct smi_pytorch_usage_log *made;
    struct smi_pytorch_names uuids;
    struct smi_buf room, json;
};

static const struct {
    const char *key;
    enum smi_pytorch_metric what;
} of_host[] = {{"cpu", SMI_PYTORCH_CPU}, {"memory", SMI_PYTORCH_MEMORY}},
  of_gpu[] = {{"util_percent", SMI_PYTORCH_UTIL},
              {"mem_util_percent", SMI_PYTORCH_MEM_UTIL},
              {"allocated_mem_percent", SMI_PYTORCH_FB_PCT},
              {"allocated_mem_value", SMI_PYTORCH_FB_USED}};

static int add_reading(struct reader *l, int64_t t_ms, unsigned gpu, unsigned what, const json_t *v,
                       struct smi_err *err)
{
    int64_t micro;
    return v && smi_json_number(v, &micro) ? smi_pytorch_usage_log_add(l->made, t_ms, gpu, what, micro, err)
                                           : 0;
}

/* The samples, or else what is known of them. */
static int add_readings(struct reader *l, int64_t t_ms, unsigned gpu, unsigned what, const json_t *stats,
                        struct smi_err *err)
{
    const json_t *raw = json_object_get(stats, "raw"), *v;
    size_t i;
    json_array_foreach ((json_t *)(uintptr_t)raw, i, v)
        if (add_reading(l, t_ms, gpu, what, v, err))
            return -1;
    if (json_array_size(raw))
        return 0;
    return add_reading(l, t_ms, gpu, what, json_object_get(stats, "avg"), err) ||
                   add_reading(l, t_ms, gpu, what | SMI_PYTORCH_PEAK, json_object_get(stats, "max"), err)
               ? -1
               : 0;
}

static int find_or_add_gpu(struct reader *l, int64_t t_ms, const json_t *g, struct smi_err *err)
{
    const json_t *uuid = json_object_get(g, "uuid");
    size_t n;
    if (!json_is_string(uuid))
        return 0;
    smi_buf_clear(&l->json);
    smi_pytorch_json_dump(&l->json, uuid);
    if (l->json.failed)
        return smi_err_nomem(err);
    if (smi_pytorch_names_find(&l->uuids, (struct smi_text){l->json.p, l->json.n}, &n, err))
        return -1;
    if (n >= SMI_PYTORCH_HOST)
        return smi_err_set(err, SMI_ELIMIT, "more than %d GPUs", SMI_PYTORCH_HOST);
    for (size_t i = 0; i < sizeof of_gpu / sizeof *of_gpu; i++)
        if (add_readings(l, t_ms, (unsigned)n, of_gpu[i].what, json_object_get(g, of_gpu[i].key), err))
            return -1;
    return add_reading(l, t_ms, (unsigned)n, SMI_PYTORCH_FB_TOTAL, json_object_get(g, "total_mem_value"),
                       err);
}

static int read_record(struct reader *l, const json_t *entry, struct smi_err *err)
{
    const json_t *data = json_object_get(entry, "data"), *g, *command;
    int64_t us, t_ms;
    size_t i;
    if (!smi_json_number(json_object_get(entry, "timestamp"), &us) ||
        !smi_pytorch_json_is_false(json_object_get(entry, "error")))
        return 0;
    t_ms = us / 1000;
    for (i = 0; i < sizeof of_host / sizeof *of_host; i++)
        if (add_readings(l, t_ms, SMI_PYTORCH_HOST, of_host[i].what, json_object_get(data, of_host[i].key),
                         err))
            return -1;
    json_array_foreach ((json_t *)(uintptr_t)json_object_get(data, "gpu_usage"), i, g)
        if (find_or_add_gpu(l, t_ms, g, err))
            return -1;
    json_array_foreach ((json_t *)(uintptr_t)json_object_get(entry, "cmd_names"), i, command) {
        if (!json_is_string(command))
            continue;
        smi_buf_clear(&l->json);
        smi_pytorch_json_dump(&l->json, command);
        if (l->json.failed)
            return smi_err_nomem(err);
        if (smi_pytorch_usage_log_add_command(l->made, t_ms, t_ms, (struct smi_text){l->json.p, l->json.n},
                                              err))
            return -1;
    }
    return 0;
}

static void read_metadata(struct reader *l, const json_t *entry)
{
    const json_t *type = json_object_get(entry, "gpu_type");
    int64_t us;
    l->made->has_start = smi_json_number(json_object_get(entry, "start_at"), &us);
    l->made->start_at = l->made->has_start ? us / 1000000 : 0;
    if (smi_json_number(json_object_get(entry, "usage_collect_interval"), &us) && us > 0)
        l->made->collect_us = us;
    l->made->cpus = json_integer_value(json_object_get(entry, "cpu_count"));
    l->made->gpu_count = json_integer_value(json_object_get(entry, "gpu_count"));
    for (size_t i = 0; json_is_string(type) && i < 2; i++)
        if (strcmp(json_string_value(type), i ? "amdsmi" : "pynvml") == 0)
            l->made->gpu_type = i ? "amdsmi" : "pynvml";
}

static int read_line(void *self, struct smi_text line, bool too_long, struct smi_err *err)
{
    struct reader *l = self;
    json_error_t why;
    json_t *entry;
    const char *level;
    int rc;
    if (too_long)
        return 0;
    if (smi_pytorch_json_load(line, &l->room, &entry, &why, err))
        return -1;
    level = json_string_value(json_object_get(entry, "level"));
    rc = level && strcmp(level, "record") == 0 ? read_record(l, entry, err) : 0;
    if (level && strcmp(level, "metadata") == 0)
        read_metadata(l, entry);
    json_decref(entry);
    return rc;
}

static int feed_lines(void *self, const char *p, size_t n, struct smi_err *err)
{
    return smi_pytorch_lines_feed(self, p, n, err);
}

/* The GPUs, by the uuids that the log names. */
static int add_gpus(const struct reader *l, struct smi_arena *room, struct smi_err *err)
{
    const char **uuid = smi_arena_new(room, l->uuids.n + 1, sizeof *uuid);
    for (size_t i = 0; uuid && i < l->uuids.n; i++) {
        uuid[i] = smi_arena_text(room, l->uuids.list[i].p, l->uuids.list[i].n);
        if (!uuid[i])
            return smi_err_nomem(err);
    }
    l->made->uuid = uuid;
    l->made->gpus = l->uuids.n;
    return uuid ? 0 : smi_err_nomem(err);
}

int smi_pytorch_log_readings(struct smi_pytorch_usage_log *m, struct smi_arena *room,
                             const struct smi_export_run *r, size_t input, struct smi_err *err)
{
    struct reader l = {.made = m, .lines.line = read_line};
    int rc;
    l.lines.self = &l;
    rc = smi_export_text(r, input, feed_lines, &l.lines, err) || smi_pytorch_lines_end(&l.lines, err) ||
                 add_gpus(&l, room, err)
             ? -1
             : 0;
    smi_buf_fini(&l.lines.keep);
    smi_buf_fini(&l.room);
    smi_buf_fini(&l.json);
    smi_pytorch_names_fini(&l.uuids);
    return rc;
}
