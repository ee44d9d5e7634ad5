/* pytorch_read.c - readings for PyTorch's documents, from usage logs and from runs */
#include "base/json.h"
#include "base/mem.h"
#include "base/text.h"
#include "export/export.h"
#include "export/pytorch.h"
#include "model/format_info.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int smi_pytorch_usage_log_add(struct smi_pytorch_usage_log *m, int64_t t_ms, unsigned gpu, unsigned what,
                              int64_t micro, struct smi_err *err)
{
    if (m->n >= SMI_PYTORCH_READINGS)
        return smi_err_set(err, SMI_ELIMIT, "more than %d readings for one usage_log.txt",
                           SMI_PYTORCH_READINGS);
    smi_mem_reserve(&m->list, &m->cap, m->n + 1, sizeof *m->list);
    m->list[m->n] =
        (struct smi_pytorch_reading){t_ms, micro, (uint32_t)m->n, 0, (uint16_t)gpu, (uint16_t)what};
    m->n++;
    return 0;
}

int smi_pytorch_usage_log_add_command(struct smi_pytorch_usage_log *m, int64_t from_ms, int64_t to_ms,
                                      struct smi_text json, struct smi_err *err)
{
    size_t name;
    if (m->nseen >= SMI_PYTORCH_SIGHTINGS)
        return smi_err_set(err, SMI_ELIMIT, "commands named more than %d times", SMI_PYTORCH_SIGHTINGS);
    if (smi_pytorch_names_find(&m->names, json, &name, err))
        return -1;
    smi_mem_reserve(&m->seen, &m->seen_cap, m->nseen + 1, sizeof *m->seen);
    m->seen[m->nseen] =
        (struct smi_pytorch_sighting){from_ms, to_ms, 0, 0, (uint32_t)m->nseen, (uint32_t)name};
    m->nseen++;
    return 0;
}

static bool contains_word(struct smi_text t, const char *word)
{
    return t.n && memmem(t.p, t.n, word, strlen(word)) != NULL;
}

/* The monitor looks at the process's name, too: a shell that runs Python is not Python. */
bool smi_pytorch_is_named(struct smi_text command)
{
    struct smi_text rest = command, program = smi_text_word(&rest);
    for (size_t i = program.n; i > 0; i--)
        if (program.p[i - 1] == '/') {
            program = (struct smi_text){program.p + i, program.n - i};
            break;
        }
    return contains_word(program, "python") || contains_word(command, "pytest");
}

void smi_pytorch_usage_log_fini(struct smi_pytorch_usage_log *m)
{
    smi_pytorch_names_fini(&m->names);
    smi_mem_free(m->seen);
    smi_mem_free(m->list);
}

/* ---- the text of the log ---- */

/* A record for each interval, from the start on: the readings since the record before it.
 *
 *     {"level": "record", "timestamp": 1739482605, "data": {"cpu": {"avg": 12.43, "max": 31.2, "raw": [3.1,
 * ...]}, "memory": {"avg": null, "max": null, "raw": null}, "gpu_usage": [{"uuid": "GPU-1", "util_percent":
 * {...}}]}, "cmd_names": ["python x.py"], "error": null, "log_duration": "0.00 ms", "logs": []}
 *
 * The monitor is a Python program: its numbers are ints and doubles, added up one after the other, divided,
 * rounded to two decimals half to even on the double, and printed with the fewest digits. So are these: only
 * that way the same samples give the same text. How long the monitor took for a record we do not know: 0.00
 * ms. */

#define MILLION 1000000
static const char absent[] = "{\"avg\": null, \"max\": null, \"raw\": null}";

struct writer {
    struct smi_pytorch_usage_log *m;
    struct smi_buf line;
    int64_t start_ms;
    const struct smi_pytorch_reading *at, *end; /* of the interval at hand */
    size_t next;                                /* sightings from here on have not begun */
    size_t *active;                             /* those that have, and have not ended */
    size_t nactive, active_cap;
    int64_t *total; /* of each GPU, -1: not known yet */
};

/* ---- numbers ---- */

static void write_real(struct smi_buf *to, double v)
{
    char text[SMI_REAL_TEXT];
    smi_buf_add(to, text, smi_real_write(text, v));
}

static double micro_to_real(int64_t micro)
{
    return smi_i128_ratio(micro, MILLION);
}

/* Utilisation is a whole number to NVML. */
static void write_value(struct smi_buf *to, int64_t micro, bool whole)
{
    if (whole && micro % MILLION == 0)
        smi_buf_fmt(to, "%" PRId64, micro / MILLION);
    else
        write_real(to, micro_to_real(micro));
}

/* The n readings of one kind, and its peaks. */
struct some {
    const struct smi_pytorch_reading *list, *peak;
    size_t n, peaks;
    int64_t total; /* or -1; else what is shown is the share in it */
};

/* used / total * 100, as the monitor has it. */
static double scale_to_percent(const struct some *s, int64_t micro)
{
    return micro_to_real(micro) / micro_to_real(s->total) * 100;
}

static double reading_value(const struct some *s, size_t i)
{
    return s->total < 0 ? micro_to_real(s->list[i].micro) : scale_to_percent(s, s->list[i].micro);
}

/* What Python's sum() makes of the ints and floats of a list: of ints alone nothing is lost. */
static double mean_reading(const struct some *s, bool whole)
{
    smi_i128 ints = 0;
    double sum = 0;
    for (size_t i = 0; i < s->n; i++) {
        whole = whole && s->list[i].micro % MILLION == 0;
        ints += s->list[i].micro / MILLION;
    }
    if (whole)
        return smi_i128_ratio(ints, (smi_i128)s->n);
    for (size_t i = 0; i < s->n; i++)
        sum += reading_value(s, i);
    return sum / (double)s->n;
}

static void write_max(struct smi_buf *to, const struct some *s, bool whole)
{
    int64_t most = s->list->micro;
    for (size_t i = 0; i < s->n; i++)
        most = s->list[i].micro > most ? s->list[i].micro : most;
    for (size_t i = 0; i < s->peaks; i++)
        most = s->peak[i].micro > most ? s->peak[i].micro : most;
    if (s->total < 0 && whole && most % MILLION == 0)
        write_value(to, most, true);
    else
        write_real(to, smi_real_round(s->total < 0 ? micro_to_real(most) : scale_to_percent(s, most), 2));
}

static void write_stats(struct smi_buf *to, const struct some *s, bool whole)
{
    if (!s->n) {
        smi_buf_str(to, absent);
        return;
    }
    smi_buf_str(to, "{\"avg\": ");
    write_real(to, smi_real_round(mean_reading(s, whole), 2));
    smi_buf_str(to, ", \"max\": ");
    write_max(to, s, whole);
    smi_buf_str(to, ", \"raw\": [");
    for (size_t i = 0; i < s->n; i++) {
        smi_buf_str(to, i ? ", " : "");
        if (s->total < 0)
            write_value(to, s->list[i].micro, whole);
        else
            write_real(to, scale_to_percent(s, s->list[i].micro));
    }
    smi_buf_str(to, "]}");
}

/* ---- records ---- */

/* The readings of one kind of one GPU, or the host, in the interval at hand. They are sorted so. */
static struct some find_readings(const struct writer *w, unsigned gpu, unsigned what)
{
    struct some s = {.total = -1};
    for (const struct smi_pytorch_reading *r = w->at; r < w->end && r->gpu <= gpu; r++) {
        if (r->gpu == gpu && r->what == what) {
            s.list = s.n++ ? s.list : r;
        } else if (r->gpu == gpu && r->what == (what | SMI_PYTORCH_PEAK)) {
            s.peak = s.peaks++ ? s.peak : r;
        }
    }
    return s;
}

static void write_stats_key(struct writer *w, const char *key, unsigned gpu, unsigned what, bool whole)
{
    struct some s = find_readings(w, gpu, what);
    smi_buf_fmt(&w->line, "\"%s\": ", key);
    write_stats(&w->line, &s, whole);
}

static void write_gpu(struct writer *w, unsigned gpu)
{
    struct some total = find_readings(w, gpu, SMI_PYTORCH_FB_TOTAL),
                percent = find_readings(w, gpu, SMI_PYTORCH_FB_PCT);
    if (total.n)
        w->total[gpu] = total.list[total.n - 1].micro;
    if (!percent.n && w->total[gpu] > 0) {
        percent = find_readings(w, gpu, SMI_PYTORCH_FB_USED);
        percent.total = w->total[gpu];
    }
    smi_buf_fmt(&w->line, "{\"uuid\": %s, ", w->m->uuid[gpu]);
    write_stats_key(w, "util_percent", gpu, SMI_PYTORCH_UTIL, true);
    smi_buf_str(&w->line, ", ");
    write_stats_key(w, "mem_util_percent", gpu, SMI_PYTORCH_MEM_UTIL, true);
    smi_buf_str(&w->line, ", \"allocated_mem_percent\": ");
    write_stats(&w->line, &percent, false);
    smi_buf_str(&w->line, ", ");
    write_stats_key(w, "allocated_mem_value", gpu, SMI_PYTORCH_FB_USED, false);
    smi_buf_str(&w->line, ", \"total_mem_value\": ");
    if (w->total[gpu] >= 0)
        write_real(&w->line, micro_to_real(w->total[gpu]));
    else
        smi_buf_str(&w->line, "null");
    smi_buf_char(&w->line, '}');
}

/* The commands that were seen in an interval, each once, in the order in which they began to be. */
static void write_commands(struct writer *w, uint32_t interval)
{
    const struct smi_pytorch_usage_log *m = w->m;
    size_t kept = 0, n = 0;
    for (; w->next < m->nseen && m->seen[w->next].from <= interval; w->next++) {
        smi_mem_reserve(&w->active, &w->active_cap, w->nactive + 1, sizeof *w->active);
        w->active[w->nactive++] = w->next;
    }
    for (size_t i = 0; i < w->nactive; i++)
        if (m->seen[w->active[i]].to >= interval)
            w->active[kept++] = w->active[i];
    w->nactive = kept;
    smi_buf_char(&w->line, '[');
    for (size_t i = 0; i < w->nactive; i++) {
        size_t k = 0, name = m->seen[w->active[i]].name;
        while (m->seen[w->active[k]].name != name)
            k++;
        if (k == i)
            smi_buf_fmt(&w->line, "%s%s", n++ ? ", " : "", m->names.list[name].p);
    }
    smi_buf_char(&w->line, ']');
}

static int write_record(struct writer *w, uint32_t interval)
{
    const struct smi_pytorch_usage_log *m = w->m;
    int64_t t_ms = w->start_ms + ((int64_t)interval + 1) * m->interval_ms;
    smi_buf_fmt(&w->line, "{\"level\": \"record\", \"timestamp\": %" PRId64 ", \"data\": ", t_ms / 1000);
    if (w->at == w->end) {
        smi_buf_str(&w->line, "null, \"cmd_names\": null");
    } else {
        smi_buf_char(&w->line, '{');
        write_stats_key(w, "cpu", SMI_PYTORCH_HOST, SMI_PYTORCH_CPU, false);
        smi_buf_str(&w->line, ", ");
        write_stats_key(w, "memory", SMI_PYTORCH_HOST, SMI_PYTORCH_MEMORY, false);
        smi_buf_str(&w->line, ", \"gpu_usage\": ");
        smi_buf_str(&w->line, m->gpus ? "[" : "null");
        for (unsigned g = 0; g < m->gpus; g++) {
            smi_buf_str(&w->line, g ? ", " : "");
            write_gpu(w, g);
        }
        smi_buf_str(&w->line, m->gpus ? "]}, \"cmd_names\": " : "}, \"cmd_names\": ");
        write_commands(w, interval);
    }
    smi_buf_str(&w->line, ", \"error\": null, \"log_duration\": \"0.00 ms\", \"logs\": []}\n");
    return 0;
}

static void write_metadata(struct writer *w)
{
    const struct smi_pytorch_usage_log *m = w->m;
    smi_buf_fmt(&w->line,
                "{\"level\": \"metadata\", \"workflow_id\": \"%s\", \"job_id\": \"%s\", \"workflow_name\": ",
                m->workflow_id, m->job_id);
    smi_pytorch_json_quote(&w->line, m->workflow_name);
    smi_buf_str(&w->line, ", \"job_name\": ");
    smi_pytorch_json_quote(&w->line, m->job_name);
    smi_buf_str(&w->line, ", \"usage_collect_interval\": ");
    write_real(&w->line, micro_to_real(m->collect_us));
    smi_buf_fmt(&w->line, ", \"data_model_version\": 1.5, \"start_at\": %" PRId64 ", \"gpu_count\": %" PRId64,
                w->start_ms / 1000, m->gpu_count ? m->gpu_count : (int64_t)m->gpus);
    smi_buf_str(&w->line, ", \"cpu_count\": ");
    if (m->cpus > 0)
        smi_buf_fmt(&w->line, "%" PRId64, m->cpus);
    else
        smi_buf_str(&w->line, "null");
    smi_buf_fmt(&w->line, ", \"gpu_type\": \"%s\", \"error\": null}\n", m->gpu_type);
}

/* ---- intervals ---- */

static int compare_readings(const void *a, const void *b)
{
    const struct smi_pytorch_reading *x = a, *y = b;
    if (x->interval != y->interval)
        return x->interval < y->interval ? -1 : 1;
    if (x->gpu != y->gpu)
        return x->gpu < y->gpu ? -1 : 1;
    if (x->what != y->what)
        return x->what < y->what ? -1 : 1;
    if (x->t_ms != y->t_ms)
        return x->t_ms < y->t_ms ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

static int compare_sightings(const void *a, const void *b)
{
    const struct smi_pytorch_sighting *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

static int64_t floor_second(int64_t ms)
{
    return ms - ((ms % 1000) + 1000) % 1000;
}

/* The interval that a time belongs to: it ends with a record's time, which is part of it. */
static int64_t interval_number(const struct writer *w, int64_t t_ms)
{
    int64_t d = t_ms - w->start_ms;
    return d <= 0 ? 0 : (d - 1) / w->m->interval_ms;
}

/* Gives every reading its interval. *records: how many there are. */
static int assign_intervals(struct writer *w, uint32_t *records, struct smi_err *err)
{
    struct smi_pytorch_usage_log *m = w->m;
    int64_t first = m->list->t_ms, last = first, most;
    for (size_t i = 1; i < m->n; i++) {
        first = m->list[i].t_ms < first ? m->list[i].t_ms : first;
        last = m->list[i].t_ms > last ? m->list[i].t_ms : last;
    }
    w->start_ms = floor_second(first);
    if (m->has_start && m->start_at < w->start_ms / 1000)
        w->start_ms = m->start_at * 1000;
    most = interval_number(w, last);
    if (most >= SMI_PYTORCH_RECORDS)
        return smi_err_set(err, SMI_ELIMIT,
                           "its readings span %" PRId64 " records of %.3f s, more than %d: "
                           "use a longer --log-interval",
                           most + 1, (double)m->interval_ms / 1000, SMI_PYTORCH_RECORDS);
    for (size_t i = 0; i < m->n; i++)
        m->list[i].interval = (uint32_t)interval_number(w, m->list[i].t_ms);
    for (size_t i = 0; i < m->nseen; i++) {
        int64_t from = interval_number(w, m->seen[i].from_ms), to = interval_number(w, m->seen[i].to_ms);
        m->seen[i].from = (uint32_t)(from > most + 1 ? most + 1 : from);
        m->seen[i].to = (uint32_t)(to > most ? most : to);
    }
    smi_sort(m->list, m->n, sizeof *m->list, compare_readings);
    smi_sort(m->seen, m->nseen, sizeof *m->seen, compare_sightings);
    *records = (uint32_t)most + 1;
    return 0;
}

static int pass_line(struct writer *w, smi_pytorch_write_fn *fn, void *self, struct smi_err *err)
{
    int rc = fn(self, w->line.p, w->line.n, err);
    smi_buf_clear(&w->line);
    return rc;
}

int smi_pytorch_usage_log_write(struct smi_pytorch_usage_log *m, smi_pytorch_write_fn *fn, void *self,
                                struct smi_err *err)
{
    struct writer w = {.m = m, .total = smi_mem_new(m->gpus + 1, sizeof *w.total)};
    uint32_t records = 0;
    int rc = assign_intervals(&w, &records, err);
    for (size_t g = 0; !rc && g < m->gpus; g++)
        w.total[g] = -1;
    if (!rc) {
        write_metadata(&w);
        rc = pass_line(&w, fn, self, err);
    }
    w.end = m->list;
    for (uint32_t k = 0; !rc && k < records; k++) {
        for (w.at = w.end; w.end < m->list + m->n && w.end->interval == k; w.end++)
            ;
        rc = write_record(&w, k) || pass_line(&w, fn, self, err) ? -1 : 0;
    }
    smi_mem_free(w.total);
    smi_mem_free(w.active);
    smi_buf_fini(&w.line);
    return rc;
}

/* {"level": "record", "timestamp": 1739482605, "data": {"cpu": {"avg": 12.43, "max": 31.2, "raw":
 * [3.1, 21.76]}, ...}}
 *
 * The samples of a record come at its time: when each was taken the log does not say. What they lose on the
 * way is what is finer than a millionth. */

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

static int add_log_reading(struct reader *l, int64_t t_ms, unsigned gpu, unsigned what, const json_t *v,
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
        if (add_log_reading(l, t_ms, gpu, what, v, err))
            return -1;
    if (json_array_size(raw))
        return 0;
    return add_log_reading(l, t_ms, gpu, what, json_object_get(stats, "avg"), err) ||
                   add_log_reading(l, t_ms, gpu, what | SMI_PYTORCH_PEAK, json_object_get(stats, "max"), err)
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
    if (smi_pytorch_names_find(&l->uuids, (struct smi_text){l->json.p, l->json.n}, &n, err))
        return -1;
    if (n >= SMI_PYTORCH_HOST)
        return smi_err_set(err, SMI_ELIMIT, "more than %d GPUs", SMI_PYTORCH_HOST);
    for (size_t i = 0; i < sizeof of_gpu / sizeof *of_gpu; i++)
        if (add_readings(l, t_ms, (unsigned)n, of_gpu[i].what, json_object_get(g, of_gpu[i].key), err))
            return -1;
    return add_log_reading(l, t_ms, (unsigned)n, SMI_PYTORCH_FB_TOTAL, json_object_get(g, "total_mem_value"),
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
    smi_pytorch_json_load(line, &l->room, &entry, &why);
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
static int add_gpus(const struct reader *l, struct smi_arena *room)
{
    const char **uuid = smi_arena_new(room, l->uuids.n + 1, sizeof *uuid);
    for (size_t i = 0; i < l->uuids.n; i++) {
        uuid[i] = smi_arena_text(room, l->uuids.list[i].p, l->uuids.list[i].n);
    }
    l->made->uuid = uuid;
    l->made->gpus = l->uuids.n;
    return 0;
}

int smi_pytorch_log_readings(struct smi_pytorch_usage_log *m, struct smi_arena *room,
                             const struct smi_export_run *r, size_t input, struct smi_err *err)
{
    struct reader l = {.made = m, .lines.line = read_line};
    int rc;
    l.lines.self = &l;
    rc = smi_export_text(r, input, feed_lines, &l.lines, err) || smi_pytorch_lines_end(&l.lines, err) ||
                 add_gpus(&l, room)
             ? -1
             : 0;
    smi_buf_fini(&l.lines.keep);
    smi_buf_fini(&l.room);
    smi_buf_fini(&l.json);
    smi_pytorch_names_fini(&l.uuids);
    return rc;
}

#define HUNDRED 100000000 /* percent */

enum { COLLECT_US = 1000000 };

static const struct {
    bool host;
    uint16_t metric, what;
} wanted[] = {{false, SMI_GPU_UTIL, SMI_PYTORCH_UTIL},
              {false, SMI_GPU_UTIL_PEAK, SMI_PYTORCH_UTIL | SMI_PYTORCH_PEAK},
              {false, SMI_MEM_UTIL, SMI_PYTORCH_MEM_UTIL},
              {false, SMI_MEM_UTIL_PEAK, SMI_PYTORCH_MEM_UTIL | SMI_PYTORCH_PEAK},
              {false, SMI_FB_USED_PCT, SMI_PYTORCH_FB_PCT},
              {false, SMI_FB_USED, SMI_PYTORCH_FB_USED},
              {false, SMI_FB_USED_PEAK, SMI_PYTORCH_FB_USED | SMI_PYTORCH_PEAK},
              {false, SMI_FB_TOTAL, SMI_PYTORCH_FB_TOTAL},
              {true, SMI_CPU_PCT, SMI_PYTORCH_CPU},
              {true, SMI_CPU_PEAK, SMI_PYTORCH_CPU | SMI_PYTORCH_PEAK},
              {true, SMI_RAM_PCT, SMI_PYTORCH_MEMORY},
              {true, SMI_RAM_PEAK, SMI_PYTORCH_MEMORY | SMI_PYTORCH_PEAK}};

struct gather {
    struct smi_pytorch_usage_log *m;
    const struct smi_export_run *r;
    struct smi_metric_source source;
    size_t input; /* at hand */
    bool log;     /* a usage_log.txt, whose commands are phases */
    uint64_t untimed;
    struct smi_buf command; /* that runs, a JSON string; n 0: none does */
    int64_t command_ms;
};

const char *smi_pytorch_run_name(const struct smi_export_run *r)
{
    return r->summary->path ? r->summary->path : r->summary->run;
}

void smi_pytorch_warn(struct smi_buf *say, const struct smi_export_run *r, const char *fmt, ...)
{
    char text[1024];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    smi_buf_str(say, smi_pytorch_run_name(r));
    smi_buf_str(say, ": ");
    smi_buf_add(say, text, strlen(text) + 1);
}

/* ---- readings ---- */

/* A reading of an input that feeds it, or not. */
static int add_reading(struct gather *g, const struct smi_export_row *row, unsigned what, bool feeds,
                       int64_t micro, struct smi_err *err)
{
    unsigned gpu = row->gpu < 0 ? SMI_PYTORCH_HOST : (unsigned)row->gpu;
    g->untimed += !row->timed;
    return row->timed && feeds ? smi_pytorch_usage_log_add(g->m, row->t_ms, gpu, what, micro, err) : 0;
}

static const int64_t *find_metric(const struct smi_export_row *row, unsigned metric)
{
    for (unsigned i = 0; i < row->n; i++)
        if (row->metric[i] == metric)
            return &row->v[i];
    return NULL;
}

/* psutil's cpu_percent, which the monitor prints, is what is neither idle nor waiting for disks. Where a log
 * has the idle time alone, waiting is as busy as the rest: it cannot be told apart. */
static int add_cpu_from_idle(struct gather *g, const struct smi_export_row *row, bool feeds,
                             struct smi_err *err)
{
    const int64_t *idle_pct = find_metric(row, SMI_CPU_IDLE), *wait = find_metric(row, SMI_CPU_IOWAIT);
    int64_t v;
    if (!idle_pct || find_metric(row, SMI_CPU_PCT))
        return 0;
    v = HUNDRED - *idle_pct - (wait ? *wait : 0);
    return add_reading(g, row, SMI_PYTORCH_CPU, feeds, v < 0 ? 0 : v, err);
}

static int add_row(void *self, const struct smi_export_row *row, struct smi_err *err)
{
    struct gather *g = self;
    /* of the two metrics that tell the use of the CPUs the first format has it */
    int pct = smi_metric_source_rank(&g->source, -1, SMI_CPU_PCT),
        idle = smi_metric_source_rank(&g->source, -1, SMI_CPU_IDLE);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        unsigned metric = wanted[i].metric;
        const int64_t *v = wanted[i].host == (row->gpu < 0) ? find_metric(row, metric) : NULL;
        bool feeds = v && smi_metric_source_feeds(&g->source, g->input, row->gpu, metric) &&
                     (metric != SMI_CPU_PCT || pct <= idle);
        if (v && add_reading(g, row, wanted[i].what, feeds, *v, err))
            return -1;
    }
    if (row->gpu >= 0)
        return 0;
    return add_cpu_from_idle(
        g, row, idle <= pct && smi_metric_source_feeds(&g->source, g->input, -1, SMI_CPU_IDLE), err);
}

static int read_all_rows(struct gather *g, struct smi_err *err)
{
    int rc = smi_metric_source_init(&g->source, g->r, true, err);
    for (g->input = 0; !rc && g->input < g->r->inputs; g->input++)
        if (g->r->input[g->input].base == SMI_TIME_BASE_UTC)
            rc = smi_export_rows(g->r, g->input, 0, add_row, g, err);
    smi_metric_source_fini(&g->source);
    return rc;
}

/* ---- commands ---- */

/* The command that ran until t_ms. */
static int end_command(struct gather *g, int64_t t_ms, struct smi_err *err)
{
    struct smi_text json = {g->command.p, g->command.n};
    int rc = json.n ? smi_pytorch_usage_log_add_command(g->m, g->command_ms, t_ms, json, err) : 0;
    smi_buf_clear(&g->command);
    return rc;
}

static int add_phase_command(struct gather *g, const struct smi_mark *m, int64_t t_ms, struct smi_err *err)
{
    struct smi_buf json = {0};
    int rc = 0;
    smi_pytorch_json_quote(&json, m->name);
    if (smi_pytorch_is_named(m->name))
        rc = smi_pytorch_usage_log_add_command(g->m, t_ms - m->span_us / 1000, t_ms,
                                               (struct smi_text){json.p, json.n}, err);
    smi_buf_fini(&json);
    return rc;
}

/* A recording knows its command: {"type": "event", "event": "start", "data": {..., "command": "python3
 * x.py"}}. */
static int add_mark(void *self, uint64_t ordinal, const struct smi_mark *m, struct smi_err *err)
{
    struct gather *g = self;
    int64_t t_ms = m->t_us / 1000 - (m->t_us % 1000 < 0);
    bool start = smi_text_is(m->name, "start"),
         stop = smi_text_is(m->name, "stop") || smi_text_is(m->name, "end");
    (void)ordinal;
    if (g->log && m->kind == SMI_MARK_PHASE)
        return add_phase_command(g, m, t_ms, err);
    if (g->log && m->kind == SMI_MARK_EVENT && smi_text_is(m->name, "metadata")) {
        g->m->has_start = true;
        g->m->start_at = t_ms / 1000;
    }
    if (m->kind != SMI_MARK_EVENT || !(start || stop))
        return 0;
    if (end_command(g, t_ms, err))
        return -1;
    for (unsigned i = 0; start && i < m->fields; i++) {
        const struct smi_field *f = &m->field[i];
        if (f->in_data && smi_text_is(f->key, "command") && smi_pytorch_is_named(f->text)) {
            smi_pytorch_json_quote(&g->command, f->text);
            g->command_ms = t_ms;
            return 0;
        }
    }
    return 0;
}

static int read_commands(struct gather *g, struct smi_err *err)
{
    for (size_t i = 0; i < g->r->inputs; i++) {
        g->log = g->r->input[i].kind == SMI_FMT_USAGE_LOG;
        if (smi_export_marks(g->r, i, 0, add_mark, g, err) ||
            end_command(g, INT64_MAX, err)) /* killed, or it runs on */
            return -1;
    }
    return 0;
}

/* ---- the machine ---- */

/* By its uuid, its place on the bus, or its number. Returns what is needed. */
static const char *gpu_name(struct smi_arena *room, const struct smi_gpu *gpu, size_t place, bool *stand_in)
{
    struct smi_buf b = {0};
    char number[32];
    const char *text = gpu->uuid ? gpu->uuid : gpu->bus;
    *stand_in = !gpu->uuid;
    if (!text && gpu->pooled)
        text = "gpus";
    snprintf(number, sizeof number, "gpu%lld", (long long)(gpu->index >= 0 ? gpu->index : (int64_t)place));
    smi_pytorch_json_quote(&b, smi_text_of(text ? text : number));
    return smi_buf_keep(&b, room);
}

static void name_gpus(struct gather *g, struct smi_arena *room, struct smi_buf *say)
{
    const struct smi_summary *s = g->r->summary;
    const char **uuid = smi_arena_new(room, s->ngpus + 1, sizeof *uuid);
    const char *first = NULL;
    bool stand_in;
    for (size_t i = 0; i < s->ngpus; i++) {
        uuid[i] = gpu_name(room, &s->gpus[i], i, &stand_in);
        first = !first && stand_in ? uuid[i] : first;
    }
    if (first)
        smi_pytorch_warn(say, g->r, "no uuid is known of a GPU: it is called %s in its place", first);
    g->m->uuid = uuid;
    g->m->gpus = s->ngpus;
}

static void describe_machine(struct gather *g)
{
    const struct smi_export_run *r = g->r;
    struct smi_pytorch_usage_log *m = g->m;
    bool amd = false;
    m->cpus = r->summary->cpus;
    m->collect_us = 0;
    for (size_t i = 0; i < r->inputs; i++) {
        const struct smi_input *counts = r->input[i].counts;
        int id = r->input[i].kind;
        amd = amd || (id >= SMI_FMT_AMD_METRIC && id <= SMI_FMT_ROCM_JSON);
        if (counts && counts->interval_s.has && counts->interval_s.micro > 0 &&
            (!m->collect_us || counts->gpu))
            m->collect_us = counts->interval_s.micro;
    }
    if (!m->collect_us)
        m->collect_us = COLLECT_US;
    m->gpu_type = !m->gpus ? "" : amd ? "amdsmi" : "pynvml";
}

/* ---- all of it ---- */

/* Rows whose times cannot be put on the clock of the others: those of no known zone, or those without a date.
 */
static uint64_t rows_apart(const struct smi_export_run *r, bool local)
{
    uint64_t n = 0;
    for (size_t i = 0; i < r->inputs; i++)
        if (r->input[i].base != SMI_TIME_BASE_UTC && (r->input[i].base == SMI_TIME_BASE_LOCAL) == local)
            n += r->input[i].rows;
    return n;
}

static int no_reading_error(const struct smi_export_run *r, struct smi_err *err)
{
    if (rows_apart(r, true))
        return smi_err_set(err, SMI_EFORMAT, "the zone of its times is not known: --tz");
    if (rows_apart(r, false))
        return smi_err_set(err, SMI_EFORMAT, "its rows have no times, or times without a date");
    return smi_err_set(err, SMI_EFORMAT, "has no reading of a GPU, the CPUs or the memory that has a time");
}

int smi_pytorch_run_readings(struct smi_pytorch_usage_log *m, struct smi_arena *room,
                             const struct smi_export_run *r, struct smi_buf *say, uint64_t *doubts,
                             struct smi_err *err)
{
    struct gather g = {.m = m, .r = r};
    uint64_t local = rows_apart(r, true), dateless = rows_apart(r, false);
    int rc;
    name_gpus(&g, room, say);
    rc = read_all_rows(&g, err);
    rc = rc ? rc : read_commands(&g, err);
    if (!rc && !m->n)
        rc = no_reading_error(r, err);
    describe_machine(&g);
    if (!rc && local)
        smi_pytorch_warn(say, r, "%" PRIu64 " rows are left out, the zone of their times is not known: --tz",
                         local);
    if (!rc && dateless)
        smi_pytorch_warn(say, r, "%" PRIu64 " rows are left out, they have no times, or times without a date",
                         dateless);
    if (!rc && g.untimed)
        smi_pytorch_warn(say, r, "%" PRIu64 " readings are left out, they have no time", g.untimed);
    *doubts += !rc && (local || dateless || g.untimed);
    smi_buf_fini(&g.command);
    return rc;
}
