#include "export/pytorch_usage_log.h"

#include "base/mem.h"
#include "base/real.h"
#include "export/pytorch_json.h"

#include <inttypes.h>
#include <string.h>

int smi_pytorch_usage_log_add(struct smi_pytorch_usage_log *m, int64_t t_ms, unsigned gpu, unsigned what,
                              int64_t micro, struct smi_err *err)
{
    if (m->n >= SMI_PYTORCH_READINGS)
        return smi_err_set(err, SMI_ELIMIT, "more than %d readings for one usage_log.txt",
                           SMI_PYTORCH_READINGS);
    if (smi_mem_reserve(&m->list, &m->cap, m->n + 1, sizeof *m->list))
        return smi_err_nomem(err);
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
    if (smi_mem_reserve(&m->seen, &m->seen_cap, m->nseen + 1, sizeof *m->seen))
        return smi_err_nomem(err);
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
static int write_commands(struct writer *w, uint32_t interval, struct smi_err *err)
{
    const struct smi_pytorch_usage_log *m = w->m;
    size_t kept = 0, n = 0;
    for (; w->next < m->nseen && m->seen[w->next].from <= interval; w->next++) {
        if (smi_mem_reserve(&w->active, &w->active_cap, w->nactive + 1, sizeof *w->active))
            return smi_err_nomem(err);
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
    return 0;
}

static int write_record(struct writer *w, uint32_t interval, struct smi_err *err)
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
        if (write_commands(w, interval, err))
            return -1;
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
    int rc = w->line.failed ? smi_err_nomem(err) : fn(self, w->line.p, w->line.n, err);
    smi_buf_clear(&w->line);
    return rc;
}

int smi_pytorch_usage_log_write(struct smi_pytorch_usage_log *m, smi_pytorch_write_fn *fn, void *self,
                                struct smi_err *err)
{
    struct writer w = {.m = m, .total = smi_mem_new(m->gpus + 1, sizeof *w.total)};
    uint32_t records = 0;
    int rc = w.total ? assign_intervals(&w, &records, err) : smi_err_nomem(err);
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
        rc = write_record(&w, k, err) || pass_line(&w, fn, self, err) ? -1 : 0;
    }
    smi_mem_free(w.total);
    smi_mem_free(w.active);
    smi_buf_fini(&w.line);
    return rc;
}
