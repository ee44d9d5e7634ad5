/* nvidia-smi --query-compute-apps=... --format=csv, one block of rows a call, one row a process and GPU:
 *
 *     timestamp, gpu_name, gpu_bus_id, gpu_serial, gpu_uuid, pid, process_name, used_gpu_memory [MiB]
 *     2026/07/03 22:11:09.916, NVIDIA H200, 00000000:83:00.0, 0000000000000, GPU-..., 10291, /root/memhog,
 * 2566 MiB
 *
 * All rows of a call have one time; a call that finds no process prints nothing. The name of a process may
 * hold commas: a row is read from both its ends. --query-accounted-apps prints the whole history of processes
 * with every call,
 * --query-retired-pages is known and has no readings. */
#include "base/clock.h"
#include "formats/row_engine.h"

#include <string.h>

enum {
    COLUMNS = 64,
    PID_DIGITS = 18,
    PID_LEAST = 100 /* no index of a GPU */,
    PID_END = 1 << 22 /* no serial */
};

/* ---- headers ---- */

static bool has_name(const struct smi_text *cell, size_t n, const char *name)
{
    const char *const one[] = {name, NULL};
    return smi_names_have(cell, n, one);
}

/* Names do not begin with a digit, and are never empty or quoted. */
static bool may_be_names(const struct smi_text *cell, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!cell[i].n || (cell[i].p[0] >= '0' && cell[i].p[0] <= '9') || memchr(cell[i].p, '"', cell[i].n))
            return false;
    return n <= COLUMNS;
}

/* A pid alone could be any tool's; a memory that is used beside utilisations is a GPU's. */
static bool is_apps(const struct smi_text *cell, size_t n)
{
    static const char *const beside[] = {"process_name", "used_gpu_memory", "used_memory", "gpu_uuid",
                                         "gpu_bus_id",   "gpu_name",        NULL};
    if (has_name(cell, n, "pid") && smi_names_have(cell, n, beside))
        return true;
    if (!has_name(cell, n, "used_gpu_memory") &&
        (!has_name(cell, n, "used_memory") || has_name(cell, n, "gpu")))
        return false;
    for (size_t i = 0; i < n; i++)
        if (smi_text_starts_nocase(cell[i], "utilization."))
            return false;
    return true;
}

static int find_apps_header(const struct smi_text *cell, size_t n)
{
    static const char *const accounted[] = {"pid", "gpu_uuid", "mem_utilization", NULL};
    if (n > COLUMNS || !may_be_names(cell, n))
        return -1;
    if (has_name(cell, n, "max_memory_usage") && smi_names_have(cell, n, accounted))
        return SMI_FMT_ACCOUNTED;
    if (has_name(cell, n, "retired_pages.address"))
        return SMI_FMT_RETIRED;
    return is_apps(cell, n) ? SMI_FMT_APPS : -1;
}

static bool is_path(struct smi_text t)
{
    return smi_text_is(t, "[Not Found]") || !t.n || memchr(t.p, '/', t.n) || memchr(t.p, '\\', t.n);
}

/* "00000000:83:00.0" */
static bool is_bus(struct smi_text t)
{
    for (size_t i = 0; i < t.n; i++)
        if (!strchr("0123456789abcdefABCDEF:.", t.p[i]))
            return false;
    return t.n >= 12 && t.n <= 16 && t.p[t.n - 2] == '.' && t.p[t.n - 5] == ':';
}

/* A UUID or a bus id. */
static bool is_key(struct smi_text t)
{
    return smi_text_starts_nocase(t, "GPU-") || is_bus(t);
}

/* A name without a path could be any word, or that of a GPU behind its index: a key and a pid tell. */
static bool is_apps_row(const struct smi_text *cell, size_t n)
{
    const struct smi_text *last = &cell[n - 1];
    int64_t us, pid;
    bool fine, keyed = false;
    if (n < 4 || n > COLUMNS || smi_clock_parse_stamp(cell[0], &us, &fine))
        return false;
    pid = smi_cell_digits(last[-2], PID_DIGITS);
    for (size_t i = 1; i + 3 < n; i++)
        keyed |= is_key(cell[i]);
    return pid >= 0 &&
           (is_path(last[-1]) || (keyed && pid >= PID_LEAST && pid < PID_END && !smi_cell_model(last[-1]))) &&
           last->n > 4 && memcmp(last->p + last->n - 4, " MiB", 4) == 0;
}

static void bind_apps_columns(struct smi_row_plan *p, const struct smi_text *cell, size_t n)
{
    static const struct smi_alias names[] = {{"timestamp", SMI_COL_TIME, 0, 0},
                                             {"pid", SMI_COL_PLACE, SMI_AT_PID, 0},
                                             {"process_name", SMI_COL_PLACE, SMI_AT_PROCESS, 0},
                                             {"name", SMI_COL_PLACE, SMI_AT_PROCESS, 0},
                                             {"time", SMI_COL_PLACE, SMI_AT_LIFE, 0},
                                             {"gpu_name", SMI_COL_NAME, 0, 0},
                                             {"gpu_uuid", SMI_COL_KEY, SMI_DEVICE_KEY_UUID, 0},
                                             {"uuid", SMI_COL_KEY, SMI_DEVICE_KEY_UUID, 0},
                                             {"gpu_bus_id", SMI_COL_KEY, SMI_DEVICE_KEY_BUS, 0},
                                             {"pci.bus_id", SMI_COL_KEY, SMI_DEVICE_KEY_BUS, 0},
                                             {"gpu_serial", SMI_COL_KEY, SMI_DEVICE_KEY_SERIAL, 0},
                                             {"serial", SMI_COL_KEY, SMI_DEVICE_KEY_SERIAL, 0},
                                             {"gpu_index", SMI_COL_KEY, SMI_DEVICE_KEY_INDEX, 0},
                                             {"index", SMI_COL_KEY, SMI_DEVICE_KEY_INDEX, 0},
                                             {"gpu", SMI_COL_KEY, SMI_DEVICE_KEY_GPU, 0},
                                             {"used_gpu_memory", SMI_COL_NUMBER, SMI_FB_USED, 0},
                                             {"used_memory", SMI_COL_NUMBER, SMI_FB_USED, 0},
                                             {"max_memory_usage", SMI_COL_NUMBER, SMI_FB_USED, 0},
                                             {"gpu_utilization", SMI_COL_NUMBER, SMI_GPU_UTIL, 0},
                                             {"gpu_util", SMI_COL_NUMBER, SMI_GPU_UTIL, 0},
                                             {"mem_utilization", SMI_COL_NUMBER, SMI_MEM_UTIL, 0},
                                             {"mem_util", SMI_COL_NUMBER, SMI_MEM_UTIL, 0}};
    smi_row_plan_init(p, n);
    for (size_t i = 0; i < n; i++) {
        const struct smi_alias *a =
            smi_alias_find(names, sizeof names / sizeof *names, smi_name_without_unit(cell[i]));
        if (a)
            smi_row_plan_add(p, a->kind, a->what, 0, i);
    }
}

/* The plan of a row of compute apps without a header; what stands between its time and its pid are keys if
 * they look like nothing else. */
static void bind_apps_row(struct smi_row_plan *p, const struct smi_text *cell, size_t n)
{
    smi_row_plan_init(p, n);
    smi_row_plan_add(p, SMI_COL_TIME, 0, 0, 0);
    smi_row_plan_add(p, SMI_COL_PLACE, SMI_AT_PID, 0, n - 3);
    smi_row_plan_add(p, SMI_COL_PLACE, SMI_AT_PROCESS, 0, n - 2);
    smi_row_plan_add(p, SMI_COL_NUMBER, SMI_FB_USED, 0, n - 1);
    for (size_t i = 1; i + 3 < n; i++) {
        if (smi_text_starts_nocase(cell[i], "GPU-"))
            smi_row_plan_add(p, SMI_COL_KEY, SMI_DEVICE_KEY_UUID, 0, i);
        else if (is_bus(cell[i]))
            smi_row_plan_add(p, SMI_COL_KEY, SMI_DEVICE_KEY_BUS, 0, i);
    }
}

/* ---- rows ---- */

/* Who the row is about. Returns false if nothing of it can be used. */
static bool read_app(struct smi_row_reader *r, const struct smi_sample *s, struct smi_process *q)
{
    *q = (struct smi_process){.name = smi_row_text(r, SMI_AT_PROCESS), .life_ms = -1};
    if (!smi_row_pid(smi_row_text(r, SMI_AT_PID), &q->pid))
        return false;
    return r->plan.at[SMI_AT_PID] >= 0 || s->n || !r->plan.n ||
           smi_cell_missing(r->cell[r->plan.column[0].place]);
}

/* "153712 ms", or 0 while it runs. */
static int64_t life_of(struct smi_text c)
{
    int64_t micro;
    if (c.n > 3 && memcmp(c.p + c.n - 3, " ms", 3) == 0)
        c.n -= 3;
    return smi_text_parse_micro(c, &micro) == 0 && micro > 0 ? micro / 1000000 : 0;
}

static bool read_accounted_app(struct smi_row_reader *r, const struct smi_sample *s, struct smi_process *q)
{
    int place = r->plan.at[SMI_AT_LIFE];
    bool usable = read_app(r, s, q);
    q->life_ms = place < 0 ? 0 : life_of(r->cell[place]);
    return usable;
}

/* ---- lines ---- */

static bool begins_with_digit(struct smi_text line)
{
    return line.p[0] >= '0' && line.p[0] <= '9';
}

static int format_of(const struct smi_row_reader *r)
{
    return r->lines.format == &smi_format_apps        ? SMI_FMT_APPS
           : r->lines.format == &smi_format_accounted ? SMI_FMT_ACCOUNTED
                                                      : SMI_FMT_RETIRED;
}

/* A header, perhaps the same once more: another call. */
static int read_apps_header(struct smi_row_reader *r, struct smi_text line, size_t n, struct smi_err *err)
{
    struct smi_row_plan fresh;
    bind_apps_columns(&fresh, r->cell, n);
    if (smi_row_header(r, line, &fresh, err))
        return -1;
    r->cycle.has_memory = r->plan.n > 0;
    return r->plan.at[SMI_AT_TIME] < 0 ? smi_row_end_cycle(r, err) : 0;
}

/* A header of another list: rows below it are not ours. */
static int drop_apps_plan(struct smi_row_reader *r, struct smi_text line, struct smi_err *err)
{
    r->plan.width = r->header_n = 0;
    return smi_row_reject(r, SMI_REJECT_FOREIGN, line, err);
}

/* n cells of a line that is no row. */
static int read_apps_other_line(struct smi_row_reader *r, struct smi_text line, size_t n, struct smi_err *err)
{
    if (r->plan.width && n != 1)
        return smi_row_other(r, line, false, SMI_REJECT_BAD_WIDTH, err);
    if (!begins_with_digit(line))
        return smi_row_other(r, line, false, SMI_REJECT_FOREIGN, err);
    return smi_row_headless(r, line, err);
}

static int read_apps_line(void *self, struct smi_text line, struct smi_err *err)
{
    struct smi_row_reader *r = self;
    size_t n = smi_row_split(line, 0, r->cell, COLUMNS);
    if (!begins_with_digit(line)) {
        int kind = find_apps_header(r->cell, n);
        if (kind == format_of(r))
            return read_apps_header(r, line, n, err);
        if (kind >= 0 || (n <= COLUMNS && smi_query_is_header(r->cell, n)))
            return drop_apps_plan(r, line, err);
        if (smi_message_is_known(line))
            return read_apps_other_line(r, line, n, err);
    }
    n = smi_row_rejoin(r, line, smi_row_rejoin_time(r, n), r->plan.at[SMI_AT_PROCESS]);
    if (!r->plan.width && r->lines.format == &smi_format_apps && !r->header_n && is_apps_row(r->cell, n)) {
        bind_apps_row(&r->plan, r->cell, n);
        r->cycle.has_memory = true;
    }
    if (!r->plan.width || n != r->plan.width || (n == 2 && smi_row_is_message(r, line)))
        return read_apps_other_line(r, line, n, err);
    return smi_row_read(r, line, err);
}

/* ---- the formats ---- */

static int find_apps_header_or_row(const struct smi_text *cell, size_t n)
{
    int kind = find_apps_header(cell, n);
    return kind < 0 && is_apps_row(cell, n) ? SMI_FMT_APPS : kind;
}

#define HEADLESS "rows without a header of this log above them"

static const struct smi_table apps = {.flags = SMI_TABLE_CYCLES,
                                      .columns = COLUMNS,
                                      .headless = HEADLESS,
                                      .time = smi_row_time_stamp,
                                      .process = read_app};
static const struct smi_table accounted = {
    .columns = COLUMNS, .headless = HEADLESS, .time = smi_row_time_stamp, .process = read_accounted_app};
static const struct smi_table retired = {
    .flags = SMI_TABLE_COUNTED, .columns = COLUMNS, .headless = HEADLESS, .time = smi_row_time_stamp};

const struct smi_format smi_format_apps = {
    .size = sizeof(struct smi_row_reader),
    .header = find_apps_header_or_row,
    .line = read_apps_line,
    .whole = smi_row_is_whole,
    .table = &apps,
};
const struct smi_format smi_format_accounted = {.size = sizeof(struct smi_row_reader),
                                                .header = find_apps_header_or_row,
                                                .line = read_apps_line,
                                                .table = &accounted};
const struct smi_format smi_format_retired = {.size = sizeof(struct smi_row_reader),
                                              .header = find_apps_header_or_row,
                                              .line = read_apps_line,
                                              .table = &retired};
