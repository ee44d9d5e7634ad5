#include "export/pytorch_run_readings.h"

#include "base/mem.h"
#include "export/metric_source.h"
#include "export/pytorch_json.h"
#include "model/format_info.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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
    if (json.failed)
        rc = smi_err_nomem(err);
    else if (smi_pytorch_is_named(m->name))
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
            return g->command.failed ? smi_err_nomem(err) : 0;
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

/* By its uuid, its place on the bus, or its number. Returns what is needed, or NULL without memory. */
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

static int name_gpus(struct gather *g, struct smi_arena *room, struct smi_buf *say, struct smi_err *err)
{
    const struct smi_summary *s = g->r->summary;
    const char **uuid = smi_arena_new(room, s->ngpus + 1, sizeof *uuid);
    const char *first = NULL;
    bool stand_in;
    if (!uuid)
        return smi_err_nomem(err);
    for (size_t i = 0; i < s->ngpus; i++) {
        uuid[i] = gpu_name(room, &s->gpus[i], i, &stand_in);
        if (!uuid[i])
            return smi_err_nomem(err);
        first = !first && stand_in ? uuid[i] : first;
    }
    if (first)
        smi_pytorch_warn(say, g->r, "no uuid is known of a GPU: it is called %s in its place", first);
    g->m->uuid = uuid;
    g->m->gpus = s->ngpus;
    return 0;
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
    int rc = name_gpus(&g, room, say, err);
    rc = rc ? rc : read_all_rows(&g, err);
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
