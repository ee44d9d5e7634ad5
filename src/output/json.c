/* json.c - one document, or one run a line: contract §4.2, order and absent values of numbers §9. */

#include "base/version.h"
#include "base/clock.h"
#include "base/json.h"
#include "output/output.h"
#include "table/words.h"

#include <stdio.h>
#include <string.h>


static void value(struct smi_json *j, const char *key, struct smi_value v)
{
    smi_json_key(j, key);
    if (v.has)
        smi_json_micro(j, v.micro);
    else
        smi_json_null(j);
}

/* A name that may be bytes of any kind: numbers §9 keeps what U+FFFD would lose. */
static void name(struct smi_json *j, const char *key, const char *s)
{
    char hex[3];
    smi_json_key_str(j, key, s);
    if (!s || smi_text_is_utf8(smi_text_of(s)))
        return;
    smi_json_key(j, "name_bytes");
    smi_json_raw(j, "\"");
    for (; *s; s++) {
        snprintf(hex, sizeof hex, "%02x", (unsigned char)*s);
        smi_buf_str(j->to, hex);
    }
    smi_buf_char(j->to, '"');
}

static void params(struct smi_json *j, const struct smi_param *p, size_t n)
{
    smi_json_open(j, '{');
    for (size_t i = 0; i < n; i++) {
        smi_json_key(j, p[i].key);
        if (p[i].number && p[i].text)
            smi_json_raw(j, p[i].text); /* as it was written: 1e-3 stays 1e-3 */
        else
            smi_json_str(j, p[i].text);
    }
    smi_json_close(j, '}');
}

static void when(struct smi_json *j, const char *key, const struct smi_summary *s, int64_t ms)
{
    char t[SMI_CLOCK_TEXT];
    if (s->has_start)
        smi_clock_put(t, ms, s->zoned);
    smi_json_key_str(j, key, s->has_start ? t : NULL);
}

static void gauge(struct smi_json *j, const struct smi_stats *m)
{
    char key[1 + SMI_WIDE_TEXT] = "p";
    value(j, "mean", m->mean);
    value(j, "time_mean", m->time_mean);
    value(j, "min", m->min);
    value(j, "max", m->max);
    value(j, "stddev", m->stddev);
    for (int i = 0; i < SMI_PERCENTILES; i++) {
        smi_wide_put(key + 1, smi_percentiles[i]);
        value(j, key, m->p[i]);
    }
    smi_json_key_str(j, "quantiles", m->approximate ? "approximate" : "exact");
}

static void counter(struct smi_json *j, const struct smi_stats *m)
{
    value(j, "first", m->first);
    value(j, "last", m->last);
    value(j, "increase", m->increase);
}

static void metrics(struct smi_json *j, const struct smi_stats *m, size_t n)
{
    smi_json_key(j, "metrics");
    smi_json_open(j, '{');
    for (const struct smi_stats *end = m + n; m < end; m++) {
        if (smi_metrics[m->metric].kind == SMI_STATE)
            continue; /* shares of time: throttle_pct */
        smi_json_key(j, smi_metrics[m->metric].key);
        smi_json_open(j, '{');
        smi_json_key_str(j, "unit", smi_metrics[m->metric].unit);
        smi_json_key_int(j, "count", m->count);
        if (smi_metrics[m->metric].kind == SMI_GAUGE)
            gauge(j, m);
        else
            counter(j, m);
        smi_json_close(j, '}');
    }
    smi_json_close(j, '}');
}

static void gpu(struct smi_json *j, const struct smi_gpu *g)
{
    smi_json_open(j, '{');
    smi_json_key(j, "gpu");
    if (g->pooled || g->index < 0)
        smi_json_null(j);
    else
        smi_json_int(j, g->index);
    smi_json_key_str(j, "uuid", g->uuid);
    smi_json_key_str(j, "name", g->name);
    smi_json_key_int(j, "samples", g->samples);
    value(j, "energy_wh", g->energy_wh);
    value(j, "idle_pct", g->idle_pct);
    smi_json_key(j, "throttle_pct");
    smi_json_open(j, '{');
    for (size_t i = 0; i < g->throttles; i++)
        value(j, g->throttle[i].reason, g->throttle[i].pct);
    smi_json_close(j, '}');
    value(j, "coverage_pct", g->coverage_pct);
    metrics(j, g->stats, g->nstats);
    smi_json_close(j, '}');
}

static void phase(struct smi_json *j, const struct smi_phase_summary *p)
{
    smi_json_open(j, '{');
    name(j, "name", p->name);
    smi_json_key_int(j, "count", p->count);
    value(j, "seconds", p->seconds);
    smi_json_key(j, "summary");
    if (p->summarised)
        smi_block_json(&p->block, j);
    else
        smi_json_null(j);
    value(j, "energy_wh", p->energy_wh);
    value(j, "idle_pct", p->idle_pct);
    smi_json_key(j, "samples");
    if (p->summarised)
        smi_json_int(j, p->samples);
    else
        smi_json_null(j);
    smi_json_close(j, '}');
}

static void account(struct smi_json *j, const struct smi_account *a)
{
    smi_json_key_int(j, "lines", a->lines);
    smi_json_key_int(j, "header", a->header);
    smi_json_key_int(j, "rows", a->rows);
    smi_json_key_int(j, "duplicates", a->duplicates);
    smi_json_key_int(j, "blank", a->blank);
    smi_json_key_int(j, "messages", a->messages);
    smi_json_key(j, "rejected");
    smi_json_open(j, '{');
    for (int i = 0; i < SMI_REJECT_COUNT; i++)
        if (a->rejected[i] > 0)
            smi_json_key_int(j, smi_reject_names[i], a->rejected[i]);
    smi_json_close(j, '}');
}

static void input(struct smi_json *j, const struct smi_input *in)
{
    smi_json_open(j, '{');
    name(j, "path", in->path);
    smi_json_key_str(j, "format", in->format);
    account(j, &in->account);
    smi_json_key_int(j, "gaps", in->gaps);
    value(j, "interval_s", in->interval_s);
    value(j, "interval_max_s", in->interval_max_s);
    smi_json_key(j, "problems");
    smi_json_open(j, '[');
    for (size_t i = 0; i < in->account.problems; i++) {
        smi_json_open(j, '{');
        smi_json_key(j, "line");
        if (in->account.problem[i].line > 0)
            smi_json_int(j, in->account.problem[i].line);
        else
            smi_json_null(j);
        smi_json_key_str(j, "text", in->account.problem[i].text);
        smi_json_close(j, '}');
    }
    smi_json_close(j, ']');
    smi_json_close(j, '}');
}

static void who(struct smi_json *j, const struct smi_summary *s)
{
    name(j, "run", s->run);
    smi_json_key_str(j, "state", smi_state_names[s->state]);
    smi_json_key_str(j, "state_reason", s->state_reason);
    smi_json_key(j, "exit_code");
    if (s->has_exit)
        smi_json_int(j, s->exit_code);
    else
        smi_json_null(j);
    smi_json_key_str(j, "hostname", s->hostname);
    smi_json_key(j, "params");
    params(j, s->params, s->nparams);
    when(j, "start", s, s->start_ms);
    when(j, "end", s, s->end_ms);
    value(j, "duration_s", s->duration_s);
    smi_json_key_str(j, "time_base", s->time_base);
}

static void headline(struct smi_json *j, const struct smi_summary *s)
{
    smi_json_key(j, "summary");
    smi_block_json(&s->block, j);
    value(j, "covered_s", s->covered_s);
    value(j, "energy_wh", s->energy_wh);
    smi_json_key(j, "vram");
    smi_json_open(j, '{');
    value(j, "device_peak_mb", s->vram.device_peak_mb);
    value(j, "all_gpus_peak_mb", s->vram.all_gpus_peak_mb);
    value(j, "used_peak_mb", s->vram.used_peak_mb);
    smi_json_key_str(j, "source", s->vram.source);
    smi_json_key(j, "reserved");
    smi_json_bool(j, s->vram.reserved);
    value(j, "total_mb", s->vram.total_mb);
    smi_json_close(j, '}');
    value(j, "idle_pct", s->idle_pct);
    value(j, "idle_below_pct", (struct smi_value){s->idle_below, true});
    value(j, "longest_idle_s", s->longest_idle_s);
    value(j, "gpu_hours", s->gpu_hours);
    smi_json_key(j, "wasted_h");
    smi_json_open(j, '{');
    for (int i = 0; i < 6; i++)
        value(j, smi_waste_names[i], s->wasted_h[i]);
    smi_json_close(j, '}');
    value(j, "cost", s->cost);
}

static void figure(struct smi_json *j, const char *key, struct smi_value peak, struct smi_value mean)
{
    smi_json_key(j, key);
    smi_json_open(j, '{');
    value(j, "peak", peak);
    value(j, "mean", mean);
    smi_json_close(j, '}');
}

/* {"gpu": 0, "uuid": null, "pid": 10309, "name": "./gpu_burn", "type": "C", "samples": 5, "first": "...",
 *  "last": "...", "fb_used_mib": {"peak": 28234.0, "mean": 28234.0}, "gpu_util_pct": {...}, "mem_util_pct": {...},
 *  "enc_util_pct": {...}, "dec_util_pct": {...}, "accounted_s": null}: by GPU, pid and name. first and last as start and end, null without
 * dates. samples 0: known from accounting only, which has the peak of memory, the means of use, and how long it ran. */
static void process(struct smi_json *j, const struct smi_summary *s, const struct smi_process_figures *p)
{
    char first[SMI_CLOCK_TEXT], last[SMI_CLOCK_TEXT];
    if (p->has_time) {
        smi_clock_put(first, p->first_ms, s->zoned);
        smi_clock_put(last, p->last_ms, s->zoned);
    }
    smi_json_open(j, '{');
    smi_json_key(j, "gpu");
    if (p->gpu < 0)
        smi_json_null(j);
    else
        smi_json_int(j, p->gpu);
    smi_json_key_str(j, "uuid", p->uuid);
    smi_json_key(j, "pid");
    if (p->pid < 0)
        smi_json_null(j);
    else
        smi_json_int(j, p->pid);
    name(j, "name", p->name);
    smi_json_key_str(j, "type", p->type);
    smi_json_key_int(j, "samples", p->samples);
    smi_json_key_str(j, "first", p->has_time ? first : NULL);
    smi_json_key_str(j, "last", p->has_time ? last : NULL);
    for (int i = 0; i < SMI_PROC_METRICS; i++)
        figure(j, smi_metrics[smi_proc_metric[i]].key, p->of[i].peak, p->of[i].mean);
    value(j, "accounted_s", p->life_s);
    smi_json_close(j, '}');
}

static void processes(struct smi_json *j, const struct smi_summary *s)
{
    smi_json_key(j, "processes");
    smi_json_open(j, '[');
    for (size_t i = 0; i < s->nprocesses; i++)
        process(j, s, &s->processes[i]);
    smi_json_close(j, ']');
}

static void lists(struct smi_json *j, const struct smi_summary *s)
{
    size_t i;
    smi_json_key(j, "gpus");
    smi_json_open(j, '[');
    for (i = 0; i < s->ngpus; i++)
        gpu(j, &s->gpus[i]);
    smi_json_close(j, ']');
    smi_json_key(j, "host");
    smi_json_open(j, '{');
    metrics(j, s->host, s->nhost);
    smi_json_close(j, '}');
    processes(j, s);
    smi_json_key_int(j, "segments", s->segments);
    smi_json_key(j, "phases");
    smi_json_open(j, '[');
    for (i = 0; i < s->nphases; i++)
        phase(j, &s->phases[i]);
    smi_json_close(j, ']');
    smi_json_key(j, "events");
    smi_json_open(j, '{');
    for (i = 0; i < s->nevents; i++)
        smi_json_key_int(j, s->events[i].name, s->events[i].n);
    smi_json_close(j, '}');
}

static void doubts(struct smi_json *j, const struct smi_summary *s)
{
    size_t i;
    smi_json_key(j, "findings"); /* no rules yet */
    smi_json_raw(j, "[]");
    smi_json_key(j, "problems");
    smi_json_open(j, '[');
    for (i = 0; i < s->nproblems; i++)
        smi_json_str(j, s->problems[i]);
    smi_json_close(j, ']');
    smi_json_key(j, "inputs");
    smi_json_open(j, '[');
    for (i = 0; i < s->ninputs; i++)
        input(j, &s->inputs[i]);
    smi_json_close(j, ']');
}

static void run(struct smi_json *j, const struct smi_summary *s, bool alone)
{
    smi_json_open(j, '{');
    if (alone)
        smi_json_key_str(j, "schema", "smilog/1");
    who(j, s);
    headline(j, s);
    lists(j, s);
    doubts(j, s);
    smi_json_close(j, '}');
}

static void total(struct smi_json *j, const struct smi_total *t)
{
    smi_json_open(j, '{');
    smi_json_key_int(j, "runs", t->runs);
    smi_json_key_int(j, "failed", t->failed);
    smi_json_key_int(j, "gpus", t->gpus);
    value(j, "duration_s", t->duration_s);
    value(j, "gpu_hours", t->gpu_hours);
    value(j, "energy_wh", t->energy_wh);
    value(j, "idle_pct", t->idle_pct);
    value(j, "peak_vram_mb", t->peak_vram_mb);
    smi_json_key(j, "summary");
    smi_block_json(&t->block, j);
    smi_json_close(j, '}');
}

int smi_write_json(struct smi_buf *to, const struct smi_sweep *s, const struct smi_look *look,
                   struct smi_err *err)
{
    struct smi_json j;
    size_t i;
    (void)look;
    smi_buf_str(to, "{\"schema\": \"smilog/1\", \"generator\": \"smilog " SMILOG_VERSION "\", \"runs\": [");
    for (i = 0; i < s->n; i++) {
        smi_buf_str(to, i ? ",\n" : "\n");
        smi_json_begin(&j, to);
        run(&j, &s->runs[i], false);
    }
    smi_buf_str(to, s->n ? "\n], \"missing\": " : "], \"missing\": ");
    smi_json_begin(&j, to);
    smi_json_open(&j, '[');
    for (i = 0; i < s->nmissing; i++)
        params(&j, s->missing[i], s->nvarying);
    smi_json_close(&j, ']');
    smi_buf_str(to, ", \"total\": ");
    smi_json_begin(&j, to);
    total(&j, &s->total);
    smi_buf_str(to, "}\n");
    return to->failed ? smi_err_nomem(err) : 0;
}

int smi_write_jsonl(struct smi_buf *to, const struct smi_sweep *s, const struct smi_look *look,
                    struct smi_err *err)
{
    struct smi_json j;
    (void)look;
    for (size_t i = 0; i < s->n; i++) {
        smi_json_begin(&j, to);
        run(&j, &s->runs[i], true);
        smi_buf_char(to, '\n');
    }
    return to->failed ? smi_err_nomem(err) : 0;
}
