/* PyTorch CI's usage_log.txt: standard output and error of its monitor, a JSON object a line, in all
 * generations:
 *
 *     {"time": "2022-10-01T00:00:01+00:00Z", "total_cpu_percent": 12.3, "per_process_cpu_info": [{"pid": 7,
 * ...}]}
 *     {"level": "metadata", "workflow_id": "13", "job_id": "37", "job_name": "linux", "gpu_count": 1, ...}
 *     {"level": "record", "timestamp": 1739482605, "data": {"cpu": {"avg": 12.4, "max": 31.2}, "memory":
 * {...}, "gpu_usage": [{"uuid": "GPU-1", "util_percent": {"avg": 40.4, "max": 97}, ...}]}, "cmd_names":
 * ["python x"]}
 *
 * Other lines between them are normal: tracebacks, warnings, debug prints. A record is the mean and the
 * largest sample of one interval; the mean is the reading, the largest has a metric of its own
 * (..._peak_...). A line speaks of the machine and of all GPUs. The ids of the metadata are the run's
 * parameters, the commands its phases. */
#include "base/clock.h"
#include "base/mem.h"
#include "formats/column.h"
#include "formats/json_line.h"

#include <stdio.h>

enum { GPUS = 64, INDEX = 24 };

/* A command that a log saw running now and then, as a phase: PyTorch CI's rule of 60 seconds. */
enum { COMMANDS_MAX = 4096 }; /* running at one time; further ones are not kept */

struct command {
    struct smi_text name; /* owned */
    int64_t first_us, last_us;
};

static const int64_t apart_us = 60000000; /* exactly 60 s stay together */

struct smi_reader {
    struct smi_lines lines;  /* first: see lines.c */
    struct command *command; /* seen within the last 60 s */
    size_t commands, cap, next;
    size_t place; /* smi_names_follow */
    bool full;    /* that there are too many commands was said */
    bool some;    /* the record at hand has a reading; its time: */
    int64_t t_us;
    struct smi_sample got;
};

/* The member of one name, or else of the other; or NULL. */
static const struct smi_json_value *first_of(const struct smi_json_value *entry, const char *name,
                                             const char *other)
{
    const struct smi_json_value *v = SMI_JSON_GET(entry, name);
    return v ? v : SMI_JSON_GET(entry, other);
}

/* ---- readings ---- */

static void add_reading(struct smi_reader *r, int metric, const struct smi_json_value *v)
{
    if (metric >= 0 && v && !smi_sample_find(&r->got, (unsigned)metric)) /* the first counts */
        smi_json_reading(&r->got, (unsigned)metric, 0, v, r->lines.account);
}

/* {"avg": 40.4, "max": 97}, or the number alone. peak: the metric of the largest, or -1. */
static void add_readings(struct smi_reader *r, int mean, int peak, const struct smi_json_value *v)
{
    add_reading(r, mean, smi_json_is(v, SMI_JSON_OBJECT) ? SMI_JSON_GET(v, "avg") : v);
    add_reading(r, peak, SMI_JSON_GET(v, "max"));
}

/* Sends what was added, if anything was. */
static void send_row(struct smi_reader *r, int who)
{
    r->got.t_ms = r->t_us / 1000;
    r->got.timed = r->got.shared = true;
    r->got.who = who;
    r->some |= r->got.n > 0;
    if (r->got.n)
        smi_lines_row(&r->lines, &r->got);
    r->got.n = 0;
}

static void send_gpu(struct smi_reader *r, struct smi_text uuid, size_t index)
{
    struct smi_text key[SMI_DEVICE_KEY_COUNT] = {[SMI_DEVICE_KEY_UUID] = uuid};
    char digits[INDEX];
    if (!r->got.n)
        return;
    if (!uuid.n)
        key[SMI_DEVICE_KEY_INDEX] = (struct smi_text){digits, smi_i128_write(digits, (smi_i128)index)};
    send_row(r, smi_devices_find_key(r->lines.devices, key));
}

/* A GPU of a list. Its members that are not read are named. */
static void add_gpu(struct smi_reader *r, const struct smi_json_value *g)
{
    SMI_JSON_EACH (c, smi_json_is(g, SMI_JSON_OBJECT) ? g : NULL) {
        const struct smi_alias *a = smi_names_follow(&smi_names_usage_log, &r->place, c->f.key);
        if (!a)
            smi_account_unknown(r->lines.account, c->f.key);
        else if (a->kind == SMI_COL_NUMBER) /* the peak of a metric is the next one of the catalogue */
            add_readings(r, a->what, smi_metric_of_peak(a->what + 1u) == a->what ? a->what + 1 : -1, c);
    }
}

/* The newer records: GPUs are a list. */
static void list_gpus(struct smi_reader *r, const struct smi_json_value *list)
{
    size_t i = 0;
    SMI_JSON_EACH (g, smi_json_is(list, SMI_JSON_LIST) ? list : NULL) {
        add_gpu(r, g);
        send_gpu(r, smi_json_text_of(first_of(g, "uuid", "gpu_uuid")), i++);
    }
}

/* The oldest records: total_gpu_utilization, or total_gpu_utilization_0, _1, ... */
static void numbered_gpus(struct smi_reader *r, const struct smi_json_value *entry)
{
    static const char *const old[] = {"total_gpu_utilization", "total_gpu_mem_utilization"};
    char key[64];
    for (size_t g = 0; g <= GPUS; g++) {
        for (size_t i = 0; i < 2; i++) {
            snprintf(key, sizeof key, g ? "%s_%zu" : "%s", old[i], g - 1);
            add_reading(r, i ? SMI_MEM_UTIL : SMI_GPU_UTIL, SMI_JSON_GET(entry, key));
        }
        send_gpu(r, (struct smi_text){NULL, 0}, g ? g - 1 : 0);
    }
}

/* ---- commands ---- */

/* The record at hand names this command. Only commands that begin with "python" are kept. Records name the
 * same ones in about the same order: the look-up begins behind the last one. */
static void see_command(struct smi_reader *r, struct smi_text name)
{
    size_t i = 0, at = r->next;
    struct command *c;
    if (name.n < 6 || memcmp(name.p, "python", 6))
        return;
    for (; i < r->commands; i++, at++) {
        at = at < r->commands ? at : 0;
        if (smi_text_equal(r->command[at].name, name))
            break;
    }
    if (i == COMMANDS_MAX) {
        if (!r->full)
            smi_account_warn(r->lines.account, SMI_LOG_WARNING_OTHER,
                             "more than %d commands at one time: the rest is no phase", COMMANDS_MAX);
        r->full = true;
        return;
    }
    if (i == r->commands) {
        at = r->commands;
        *SMI_MEM_ADD(r->command, r->commands, r->cap) =
            (struct command){{smi_mem_text(name.p, name.n), name.n}, r->t_us, r->t_us};
    }
    c = &r->command[at];
    c->first_us = r->t_us < c->first_us ? r->t_us : c->first_us;
    c->last_us = r->t_us > c->last_us ? r->t_us : c->last_us;
    r->next = at + 1;
}

static void drop_command(struct smi_reader *r, size_t i)
{
    smi_mem_free((void *)(uintptr_t)r->command[i].name.p);
    memmove(&r->command[i], &r->command[i + 1], (--r->commands - i) * sizeof *r->command);
}

/* Before the commands of the record at hand: those seen last more than 60 s ago have ended (and all when the
 * log has), and are sent as phases from the first to the last time that they were seen. */
static void end_commands(struct smi_reader *r, bool all)
{
    for (size_t i = 0; i < r->commands;) {
        const struct command *c = &r->command[i];
        const struct smi_mark m = {
            .kind = SMI_MARK_PHASE, .t_us = c->last_us, .span_us = c->last_us - c->first_us, .name = c->name};
        if (!all && r->t_us - c->last_us <= apart_us && c->first_us - r->t_us <= apart_us) {
            i++;
            continue;
        }
        smi_lines_mark(&r->lines, &m);
        drop_command(r, i);
    }
}

/* ---- entries ---- */

static bool number_of(const struct smi_json_value *v, int64_t *micro)
{
    *micro = v ? v->f.micro : 0;
    return v && v->f.number;
}

/* Seconds since 1970, or the text of the oldest: Python's offset and a Z behind it. */
static bool read_usage_log_time(struct smi_reader *r, const struct smi_json_value *entry)
{
    const struct smi_json_value *v = first_of(entry, "timestamp", "time");
    struct smi_text t = smi_json_text_of(v);
    bool fine, zoned,
        known = number_of(v, &r->t_us) ||
                (t.n && (smi_clock_parse_iso(t, &r->t_us, &fine, &zoned) == 0 ||
                         (t.p[--t.n] == 'Z' && smi_clock_parse_iso(t, &r->t_us, &fine, &zoned) == 0)));
    return known && smi_clock_fits(r->t_us / 1000, &r->lines.minute.latest_ms);
}

/* The monitor says that it could not measure: a message, not a failure of the run. */
static void report_trouble(struct smi_reader *r, const struct smi_json_value *entry)
{
    struct smi_text why = smi_json_text_of(SMI_JSON_GET(entry, "error"));
    if (why.n)
        smi_account_warn(r->lines.account, SMI_LOG_WARNING_MESSAGE, "%.*s", why.n < 300 ? (int)why.n : 300,
                         why.p);
}

static int read_usage_log_record(struct smi_reader *r, struct smi_text line,
                                 const struct smi_json_value *entry)
{
    const struct smi_json_value *data = SMI_JSON_GET(entry, "data"), *gpus,
                                *names[] = {first_of(entry, "cmd_names", "cmds"),
                                            SMI_JSON_GET(entry, "per_process_cpu_info")};
    if (!read_usage_log_time(r, entry))
        return smi_line_reject(r->lines.account, SMI_REJECT_BAD_TIME, line);
    data = smi_json_is(data, SMI_JSON_OBJECT) ? data : entry;
    gpus = first_of(data, "gpu_usage", "gpu_list");
    r->some = false;
    add_readings(r, SMI_CPU_PCT, SMI_CPU_PEAK, SMI_JSON_GET(data, "cpu"));
    add_readings(r, SMI_RAM_PCT, SMI_RAM_PEAK, SMI_JSON_GET(data, "memory"));
    add_reading(r, SMI_CPU_PCT, SMI_JSON_GET(entry, "total_cpu_percent"));
    send_row(r, SMI_DEVICE_HOST);
    list_gpus(r, gpus);
    if (!gpus)
        numbered_gpus(r, entry);
    r->lines.account->rows += r->some;
    r->lines.account->messages += !r->some;
    if (!r->some)
        report_trouble(r, entry);
    end_commands(r, false);
    for (size_t i = 0; i < 2; i++)
        SMI_JSON_EACH (v, smi_json_is(names[i], SMI_JSON_LIST) ? names[i] : NULL) {
            see_command(r, smi_json_text_of(i ? SMI_JSON_GET(v, "cmd") : v));
        }
    return 0;
}

/* Flat values become parameters of the run; what only describes the log does not. */
static int read_usage_log_metadata(struct smi_reader *r, struct smi_text line,
                                   const struct smi_json_value *entry)
{
    static const char *const keys[] = {
        "workflow_id", "job_id",      "workflow_name", "job_name",    "gpu_type",
        "gpu_count",   "num_of_gpus", "cpu_count",     "num_of_cpus", "usage_collect_interval",
        "interval"};
    struct smi_json_fields *const f = smi_json_fields(&r->lines);
    struct smi_mark m = {.kind = SMI_MARK_EVENT, .name = smi_text_of("metadata"), .field = f->field};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const struct smi_json_value *v = SMI_JSON_GET(entry, keys[i]);
        if (smi_json_is(v, SMI_JSON_NUMBER) || smi_json_text_of(v).n)
            smi_json_field_add(f, v, true);
    }
    m.fields = f->n;
    if ((!number_of(SMI_JSON_GET(entry, "start_at"), &m.t_us) &&
         !number_of(SMI_JSON_GET(entry, "start_time"), &m.t_us)) ||
        !smi_clock_fits(m.t_us / 1000, &r->lines.minute.latest_ms))
        return smi_line_reject(r->lines.account, SMI_REJECT_BAD_TIME, line);
    r->lines.account->header++;
    report_trouble(r, entry);
    return smi_lines_mark(&r->lines, &m);
}

/* What the monitor itself says between its entries, in words; not the end of an entry, nor what is no text.
 */
static int read_usage_log_line(void *self, struct smi_text line)
{
    struct smi_account *a = ((struct smi_lines *)self)->account;
    const struct smi_text t = smi_text_trim(line);
    const char c = (char)(*t.p | 32);
    bool talk = ((c >= 'a' && c <= 'z') || *t.p == '/') && t.p[t.n - 1] != '}';
    for (size_t i = 0; i < t.n; i++)
        talk &= (unsigned char)t.p[i] >= ' ' || t.p[i] == '\t';
    return talk ? smi_line_count(&a->messages) : smi_line_reject(a, SMI_REJECT_FOREIGN, line);
}

static int read_usage_log_entry(struct smi_reader *r, const struct smi_json_value *entry,
                                struct smi_text line)
{
    const struct smi_text level = smi_json_text_of(SMI_JSON_GET(entry, "level"));
    if (smi_text_is(level, "metadata"))
        return read_usage_log_metadata(r, line, entry);
    if (smi_text_is(level, "record") || SMI_JSON_GET(entry, "time"))
        return read_usage_log_record(r, line, entry);
    return smi_line_reject(r->lines.account, SMI_REJECT_FOREIGN, line);
}

/* The first key tells; the oldest have no level. */
static enum smi_sniff sniff_usage_log(struct smi_text line)
{
    struct smi_text t = smi_text_trim(line), k = smi_text_trim(smi_text_from(t, t.n > 0));
    return t.n && *t.p == '{' &&
                   (smi_text_starts_nocase(k, "\"level\"") ||
                    (smi_text_starts_nocase(k, "\"time\"") &&
                     (smi_json_has_key(t, "\"total_cpu_percent\"", 0) ||
                      smi_json_has_key(t, "\"error\"", 0))))
               ? SMI_SNIFF_YES
               : SMI_SNIFF_NO;
}

static void finish_usage_log(struct smi_reader *r)
{
    end_commands(r, true);
}

static void close_usage_log_reader(struct smi_reader *r)
{
    while (r->commands)
        drop_command(r, r->commands - 1);
    smi_mem_free(r->command);
}

const struct smi_format smi_format_usage_log = {
    .size = sizeof(struct smi_reader),
    .sniff = sniff_usage_log,
    .line = read_usage_log_line,
    .entry = read_usage_log_entry,
    .finish = finish_usage_log,
    .close = close_usage_log_reader,
};
