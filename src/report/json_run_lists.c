/* json_run_lists.c - the lists in the JSON of a run: GPUs with their metrics, host, processes, phases,
 * events. */
#include "base/clock.h"
#include "report/json_run_private.h"

#include <stdio.h>

static inline void write_next(struct smi_json *j, const char *key, struct smi_value v)
{
    if (v.has)
        smi_json_next_micro(j, smi_text_of(key), v.micro);
    else
        smi_json_next_raw(j, smi_text_of(key), smi_text_of("null"));
}

/* Most of what there is to write of a run. */
static void write_gauge(struct smi_json *j, const struct smi_stats *m)
{
    _Static_assert(SMI_PERCENTILES == 7, "each has its key here");
    write_next(j, SMI_JSON_NEXT("mean"), m->mean);
    write_next(j, SMI_JSON_NEXT("time_mean"), m->time_mean);
    write_next(j, SMI_JSON_NEXT("min"), m->min);
    write_next(j, SMI_JSON_NEXT("max"), m->max);
    write_next(j, SMI_JSON_NEXT("stddev"), m->stddev);
    write_next(j, SMI_JSON_NEXT("p1"), m->p[0]);
    write_next(j, SMI_JSON_NEXT("p5"), m->p[1]);
    write_next(j, SMI_JSON_NEXT("p25"), m->p[2]);
    write_next(j, SMI_JSON_NEXT("p50"), m->p[3]);
    write_next(j, SMI_JSON_NEXT("p75"), m->p[4]);
    write_next(j, SMI_JSON_NEXT("p95"), m->p[5]);
    write_next(j, SMI_JSON_NEXT("p99"), m->p[6]);
    smi_json_next_raw(j, smi_text_of(SMI_JSON_NEXT("quantiles")),
                      smi_text_of(m->approximate ? "\"approximate\"" : "\"exact\""));
}

static void write_counter(struct smi_json *j, const struct smi_stats *m)
{
    smi_json_value(j, "first", m->first);
    smi_json_value(j, "last", m->last);
    smi_json_value(j, "increase", m->increase);
}

static void write_metrics(struct smi_json *j, const struct smi_stats *m, size_t n)
{
    smi_json_key_open(j, "metrics", '{');
    for (const struct smi_stats *end = m + n; m < end; m++) {
        if (smi_metrics[m->metric].kind == SMI_STATE)
            continue; /* shares of time: throttle_pct */
        smi_json_key_open(j, smi_metrics[m->metric].key, '{');
        smi_json_key_str(j, "unit", smi_metrics[m->metric].unit);
        smi_json_key_int(j, "count", m->count);
        if (smi_metrics[m->metric].kind == SMI_GAUGE)
            write_gauge(j, m);
        else
            write_counter(j, m);
        smi_json_close(j, '}');
    }
    smi_json_close(j, '}');
}

/* {"gpu_util_pct": 99.8, "temp_mem_c": 0.0}: of which metrics how many rows have a reading. */
static void write_availability(struct smi_json *j, const struct smi_share *m, size_t n)
{
    smi_json_key_open(j, "available_pct", '{');
    for (size_t i = 0; i < n; i++)
        smi_json_value(j, smi_metrics[m[i].metric].key, m[i].pct);
    smi_json_close(j, '}');
}

static void write_gpu(struct smi_json *j, const struct smi_gpu *g)
{
    smi_json_open(j, '{');
    smi_json_key_optional(j, "gpu", !g->pooled && g->index >= 0, g->index);
    smi_json_key_str(j, "uuid", g->uuid);
    smi_json_key_str(j, "name", g->name);
    smi_json_key_int(j, "samples", g->samples);
    smi_json_value(j, "energy_wh", g->energy_wh);
    smi_json_value(j, "idle_pct", g->idle_pct);
    smi_json_key_open(j, "throttle_pct", '{');
    for (size_t i = 0; i < g->throttles; i++)
        smi_json_value(j, g->throttle[i].reason, g->throttle[i].pct);
    smi_json_close(j, '}');
    smi_json_value(j, "coverage_pct", g->coverage_pct);
    smi_json_value(j, "interval_s", g->interval_s);
    smi_json_value(j, "interval_max_s", g->interval_max_s);
    smi_json_key_int(j, "gaps", g->gaps);
    smi_json_value(j, "gap_s", (struct smi_value){g->gap_ms * 1000, true});
    write_availability(j, g->available, g->navailable);
    write_metrics(j, g->stats, g->nstats);
    smi_json_close(j, '}');
}

static void write_phase(struct smi_json *j, const struct smi_phase_summary *p)
{
    smi_json_open(j, '{');
    smi_json_name(j, "name", p->name);
    smi_json_key_int(j, "count", p->count);
    smi_json_value(j, "seconds", p->seconds);
    smi_json_key(j, "summary");
    if (p->summarised)
        smi_headline_json(&p->block, j);
    else
        smi_json_null(j);
    smi_json_value(j, "energy_wh", p->energy_wh);
    smi_json_value(j, "idle_pct", p->idle_pct);
    smi_json_key_optional(j, "samples", p->summarised, p->samples);
    smi_json_close(j, '}');
}

static void write_figure(struct smi_json *j, const char *key, struct smi_value peak, struct smi_value mean)
{
    smi_json_key_open(j, key, '{');
    smi_json_value(j, "peak", peak);
    smi_json_value(j, "mean", mean);
    smi_json_close(j, '}');
}

/* {"gpu": 0, "uuid": null, "pid": 10309, "name": "./gpu_burn", "type": "C", "samples": 5, "first": "...",
 *  "last": "...", "fb_used_mib": {"peak": 28234.0, "mean": 28234.0}, "gpu_util_pct": {...}, "mem_util_pct":
 * {...}, "enc_util_pct": {...}, "dec_util_pct": {...}, "accounted_s": null}: by GPU, pid and name. first and
 * last as start and end, null without dates. samples 0: known from accounting only, which has the peak of
 * memory, the means of use, and how long it ran. */
static void write_process(struct smi_json *j, const struct smi_summary *s,
                          const struct smi_process_figures *p)
{
    char first[SMI_CLOCK_TEXT], last[SMI_CLOCK_TEXT];
    if (p->has_time) {
        smi_clock_write(first, p->first_ms, s->zoned);
        smi_clock_write(last, p->last_ms, s->zoned);
    }
    smi_json_open(j, '{');
    smi_json_key_optional(j, "gpu", p->gpu >= 0, p->gpu);
    smi_json_key_str(j, "uuid", p->uuid);
    smi_json_key_optional(j, "pid", p->pid >= 0, p->pid);
    smi_json_name(j, "name", p->name);
    smi_json_key_str(j, "type", p->type);
    smi_json_key_int(j, "samples", p->samples);
    smi_json_key_str(j, "first", p->has_time ? first : NULL);
    smi_json_key_str(j, "last", p->has_time ? last : NULL);
    for (int i = 0; i < SMI_PROC_METRICS; i++)
        write_figure(j, smi_metrics[smi_proc_metric[i]].key, p->of[i].peak, p->of[i].mean);
    smi_json_value(j, "accounted_s", p->life_s);
    smi_json_close(j, '}');
}

static void write_processes(struct smi_json *j, const struct smi_summary *s)
{
    smi_json_key_open(j, "processes", '[');
    for (size_t i = 0; i < s->nprocesses; i++)
        write_process(j, s, &s->processes[i]);
    smi_json_close(j, ']');
}

static void write_moment(struct smi_json *j, const char *key, const struct smi_summary *s, bool has,
                         int64_t ms)
{
    char t[SMI_CLOCK_TEXT];
    if (has)
        smi_clock_write(t, ms, s->zoned);
    smi_json_key_str(j, key, has ? t : NULL);
}

/* {"error": "xid", "gpu": 3, "uuid": null, "bus": "0000:3b:00.0", "count": 1, "code": 79, "first": "...",
 *  "last": "...", "text": "XID"}: by kind, then GPU. A counter's count is what it grew by, a message's its
 * lines, a state's its rows. */
static void write_error(struct smi_json *j, const struct smi_summary *s, const struct smi_error *e)
{
    bool coded = e->id == SMI_FAULT_XID || e->id == SMI_FAULT_RECOVERY;
    smi_json_open(j, '{');
    smi_json_key_str(j, "error", smi_faults[e->id].name);
    smi_json_key_optional(j, "gpu", e->gpu >= 0, e->gpu);
    smi_json_key_str(j, "uuid", e->uuid);
    smi_json_key_str(j, "bus", e->bus);
    smi_json_key_int(j, "count", e->n);
    smi_json_key_optional(j, "code", coded, e->code);
    write_moment(j, "first", s, e->has_first, e->first_ms);
    write_moment(j, "last", s, e->has_last, e->last_ms);
    smi_json_key_str(j, "text", smi_faults[e->id].words);
    smi_json_close(j, '}');
}

void smi_run_json_lists(struct smi_json *j, const struct smi_summary *s)
{
    size_t i;
    smi_json_key_open(j, "gpus", '[');
    for (i = 0; i < s->ngpus; i++)
        write_gpu(j, &s->gpus[i]);
    smi_json_close(j, ']');
    smi_json_key_open(j, "host", '{');
    write_availability(j, s->host_available, s->nhost_available);
    write_metrics(j, s->host, s->nhost);
    smi_json_close(j, '}');
    write_processes(j, s);
    smi_json_key_int(j, "segments", s->segments);
    smi_json_key_open(j, "phases", '[');
    for (i = 0; i < s->nphases; i++)
        write_phase(j, &s->phases[i]);
    smi_json_close(j, ']');
    smi_json_key_open(j, "events", '{');
    for (i = 0; i < s->nevents; i++)
        smi_json_key_int(j, s->events[i].name, s->events[i].n);
    smi_json_close(j, '}');
    smi_json_key_open(j, "errors", '[');
    for (i = 0; i < s->nerrors; i++)
        write_error(j, s, &s->errors[i]);
    smi_json_close(j, ']');
}
