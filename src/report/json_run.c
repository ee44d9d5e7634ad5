/* json_run.c - JSON: one document, or one run a line; and the schemas of all that is printed. */
#include "base/version.h"
#include "report/output.h"
#include "summary/findings.h"
#include "summary/gpus.h"
#include "summary/ledger_row.h"

#include <stdio.h>
#include <string.h>

/* ---- the list of all fields of our JSON ---- */

static const struct smi_json_field rows[] = {
#define SMI_JSON_OBJECT(object, help) {object, NULL, NULL, NULL, help, false, false},
#define SMI_JSON_FIELD(object, key, type, unit, optional, help) \
    {object, key, type, unit, help, optional, false},
#include "report/json_field.def"
};

static void add_field(struct smi_json_members *f, struct smi_json_field row)
{
    *SMI_MEM_ADD(f->of, f->n, f->cap) = row;
}

/* ---- the catalogue ---- */

/* Lists, and what JSON has of some runs only; as smi_part. */
static const struct {
    enum smi_part part;
    bool optional;
    const char *path, *type, *unit, *help;
} parts[] = {
    {SMI_PART_COMMAND, true, "command", "string", "", "The command of a tracked run"},
    {SMI_PART_COMMAND, true, "command_used", "{@use}", "",
     "What the command used over its whole time, by metric"},
    {SMI_PART_PARAMS, false, "params", "{any}", "", "Parameters, as they are written"},
    {SMI_PART_JOINED, true, "facts", "{any}", "", "What its files say besides parameters, such as results"},
    {SMI_PART_JOINED, true, "joined", "{any}", "", "Columns of the file of --join"},
    {SMI_PART_HEADLINE, false, "summary", "@headline", "", "The headline summary"},
    {SMI_PART_PHASE_HEADLINE, false, "summary", "@headline?", "",
     "The headline summary of the rows inside the phase"},
    {SMI_PART_QUALITY, false, "quality", "@quality", "",
     "Are its numbers those of all its GPUs, all the time?"},
    {SMI_PART_THROTTLE, false, "throttle_pct", "{number?}", "%",
     "Share of the time with each reason of throttling"},
    {SMI_PART_METRICS, false, "available_pct", "@available", "%", "Share of rows with a reading, by metric"},
    {SMI_PART_METRICS, false, "metrics", "@metrics", "", "Statistics, by metric"},
};

static void add_member(struct smi_json_members *f, const char *object, const struct smi_member_list *l,
                       const struct smi_member *m)
{
    const char *path = smi_member_path(l, m);
    static const char *const by_kind[] = {"null", "integer?", "number?", "boolean?", "string?"};
    const bool field = m->field >= 0;
    struct smi_json_field row = {.object = object, .path = path};
    row.type = field                                                      ? by_kind[l->info[m->field].kind]
               : m->place == SMI_PLACE_TEXT || m->place == SMI_PLACE_NAME ? "string?"
                                                                          : "number?";
    row.unit = field ? l->info[m->field].unit : m->unit;
    row.help = field ? l->info[m->field].help : m->help;
    row.optional = smi_member_price(l, m) != SMI_PRICE_NONE;
    if (m->place == SMI_PLACE_PART)
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
            if (parts[i].part == (enum smi_part)m->at)
                add_field(f, (struct smi_json_field){object, parts[i].path, parts[i].type, parts[i].unit,
                                                     parts[i].help, parts[i].optional, false});
        }
    else if (path)
        add_field(f, row);
    if (path && m->place == SMI_PLACE_NAME)
        add_field(f, (struct smi_json_field){object, "name_bytes", "string", "",
                                             "The same in hexadecimal, if it is not UTF-8", true, false});
}

/* ---- metrics ---- */

static void add_metric(struct smi_json_members *f, const char *object, int metric, const char *type,
                       bool optional)
{
    const struct smi_metric *m = &smi_metrics[metric];
    add_field(f, (struct smi_json_field){object, m->key, type, m->unit, m->help, optional, true});
}

/* Statistics, readings or shares of all metrics. */
static void add_metrics(struct smi_json_members *f, const char *object)
{
    static const char *const type[] = {[SMI_GAUGE] = "@gauge", [SMI_COUNTER] = "@counter"};
    for (int i = 0; i < SMI_METRIC_COUNT; i++)
        if (strncmp(object, "live_", 5) == 0)
            add_metric(f, object, i, "number?", true);
        else if (strcmp(object, "available") == 0)
            add_field(f, (struct smi_json_field){object, smi_metrics[i].key, "number?", "%",
                                                 "Share of rows with a reading", true, true});
        else if (smi_metrics[i].kind != SMI_STATE)
            add_metric(f, object, i, type[smi_metrics[i].kind], true);
}

static void add_process_metrics(struct smi_json_members *f, const char *object)
{
    for (int i = 0; i < SMI_PROC_METRICS; i++)
        add_metric(f, object, smi_proc_metric[i], "@figure", false);
}

static void add_statistics(struct smi_json_members *f, const char *object)
{
    const bool counter = strcmp(object, "counter") == 0;
    for (int i = 0; i < (counter ? SMI_GPU_STATS : SMI_GAUGE_STATS); i++)
        if (!counter || i == SMI_STAT_COUNT || i >= SMI_STAT_FIRST)
            add_field(f, (struct smi_json_field){
                             object, smi_gpu_stat_names[i], i == SMI_STAT_COUNT ? "integer" : "number?", "",
                             i == SMI_STAT_COUNT ? "Number of readings" : "In the unit of the metric", false,
                             false});
}

/* ---- the rest ---- */

static void add_headline(struct smi_json_members *f, const char *object)
{
#define SMI_RUN_HEADLINE(id, key, unit, metric, stat, optional, ...)   \
    add_field(f, (struct smi_json_field){object, key, "number?", unit, \
                                         smi_run_fields[SMI_RUN_FIELD_##id].help, optional, false});
#include "model/run_field.def"
}

static void add_causes(struct smi_json_members *f, const char *object)
{
    for (size_t i = 0; i < sizeof smi_waste_names / sizeof *smi_waste_names; i++)
        add_field(f, (struct smi_json_field){object, smi_waste_names[i], "number?", "", "", false, false});
}

/* Objects whose fields come from the catalogue: members of a list, or others. */
static const struct {
    const char *object;
    const struct smi_member_list *list;
    void (*add)(struct smi_json_members *f, const char *object);
} made[] = {
    {"run", &smi_run_list, NULL},           {"gpu", &smi_gpu_list, NULL},
    {"phase", &smi_phase_list, NULL},       {"finding", &smi_finding_list, NULL},
    {"metrics", NULL, add_metrics},         {"available", NULL, add_metrics},
    {"gauge", NULL, add_statistics},        {"counter", NULL, add_statistics},
    {"headline", NULL, add_headline},       {"waste", NULL, add_causes},
    {"live_gpu", NULL, add_metrics},        {"live_host", NULL, add_metrics},
    {"process", NULL, add_process_metrics},
};

static void add_made_fields(struct smi_json_members *f, const char *object)
{
    for (size_t k = 0; k < sizeof made / sizeof *made; k++) {
        const struct smi_member_list *l = made[k].list;
        if (strcmp(made[k].object, object) != 0)
            continue;
        for (size_t i = 0; l && i < l->n; i++)
            add_member(f, object, l, &l->of[i]);
        if (made[k].add)
            made[k].add(f, object);
    }
}

void smi_json_members_make(struct smi_json_members *f)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        add_field(f, rows[i]);
        if (!rows[i].path)
            add_made_fields(f, rows[i].object);
    }
}

void smi_json_members_fini(struct smi_json_members *f)
{
    smi_mem_free(f->of);
    *f = (struct smi_json_members){0};
}

void smi_json_name(struct smi_json *j, const char *key, const char *s)
{
    smi_json_key_str(j, key, s);
    if (!s || smi_text_is_utf8(smi_text_of(s)))
        return;
    smi_json_key(j, "name_bytes");
    smi_json_raw(j, "\"");
    smi_buf_hex(j->to, s);
    smi_buf_char(j->to, '"');
}

/* key: NULL in a list. */
static void write_params(struct smi_json *j, const char *key, const struct smi_param *p, size_t n)
{
    if (key)
        smi_json_key(j, key);
    smi_json_open(j, '{');
    for (size_t i = 0; i < n; i++) {
        smi_json_key(j, p[i].key);
        if (p[i].bare && p[i].text)
            smi_json_raw(j, p[i].text); /* as it was written: 1e-3 stays 1e-3 */
        else
            smi_json_str(j, p[i].text);
    }
    smi_json_close(j, '}');
}

/* {"tree_cpu_pct": {"mean": 43.6, "max": 98.0}, ...} of a run whose command was tracked: of the whole time,
 * as its last event has it; the figures of the samples are the host's. */
static void command_used(struct smi_json *j, const struct smi_summary *s)
{
    bool some = false;
    for (int i = 0; i < SMI_COMMAND_USES * SMI_COMMAND_PARTS; i++) {
        const struct smi_command_use *u = &smi_command_uses[i / SMI_COMMAND_PARTS];
        const enum smi_command_part part = (enum smi_command_part)(i % SMI_COMMAND_PARTS);
        const struct smi_command_figures f = smi_command_figures(s, u, part);
        if (u->metric[part] < 0 || !f.there)
            continue;
        if (!some)
            smi_json_key_open(j, "command_used", '{');
        some = true;
        smi_json_key_open(j, smi_metrics[u->metric[part]].key, '{');
        smi_json_value(j, "mean", f.mean);
        smi_json_value(j, "max", f.max);
        smi_json_close(j, '}');
    }
    if (some)
        smi_json_close(j, '}');
}

/* Causes of waste, and their sum. */
static void write_by_cause(struct smi_json *j, const char *key, const struct smi_value part[6])
{
    smi_json_key_open(j, key, '{');
    for (int i = 0; i < 6; i++)
        smi_json_value(j, smi_waste_names[i], part[i]);
    smi_json_close(j, '}');
}

/* --- metrics --- */

static inline void write_next(struct smi_json *j, const char *key, struct smi_value v)
{
    if (v.has)
        smi_json_next_micro(j, smi_text_of(key), v.micro);
    else
        smi_json_next_raw(j, smi_text_of(key), smi_text_of("null"));
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
        if (smi_metrics[m->metric].kind == SMI_GAUGE) {
            /* Most of what there is to write of a run. */
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
        } else {
            smi_json_value(j, "first", m->first);
            smi_json_value(j, "last", m->last);
            smi_json_value(j, "increase", m->increase);
        }
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

/* --- what the catalogue of fields lists --- */

static void write_quality(struct smi_json *j, unsigned lacks, struct smi_value power, int64_t use_ms,
                          int64_t gpu_ms)
{
    smi_json_key_open(j, "quality", '{');
    smi_json_key_bool(j, "complete", !lacks);
    smi_json_key_open(j, "reasons", '[');
    for (int i = 0; i < SMI_QUALITY_COUNT; i++)
        if (lacks >> i & 1)
            smi_json_str(j, smi_quality_names[i]);
    smi_json_close(j, ']');
    smi_json_value(j, "energy_coverage_pct", power);
    smi_json_value(j, "coverage_pct", smi_value_ratio((smi_i128)use_ms * 100000000, gpu_ms));
    smi_json_close(j, '}');
}

/* A list, or what JSON has of some runs only. */
static void write_part(struct smi_json *j, const void *item, enum smi_part part)
{
    const struct smi_summary *s = item;
    const struct smi_gpu *g = item;
    const struct smi_phase_summary *p = item;
    int64_t use_ms = 0;
    switch (part) {
    case SMI_PART_COMMAND:
        if (s->command)
            smi_json_key_str(j, "command", s->command);
        command_used(j, s);
        break;
    case SMI_PART_PARAMS:
        write_params(j, "params", s->params, s->nparams);
        break;
    case SMI_PART_JOINED:
        if (s->nresults)
            write_params(j, "facts", s->results, s->nresults);
        if (s->njoined > s->nfound)
            write_params(j, "joined", s->joined + s->nfound, s->njoined - s->nfound);
        break;
    case SMI_PART_HEADLINE:
        smi_json_key(j, "summary");
        smi_headline_json(&s->block, j);
        break;
    case SMI_PART_PHASE_HEADLINE:
        smi_json_key(j, "summary");
        if (p->summarised)
            smi_headline_json(&p->block, j);
        else
            smi_json_null(j);
        break;
    case SMI_PART_QUALITY:
        SMI_EACH_GPU (of, s)
            use_ms += of->known_ms;
        write_quality(j, smi_quality_lacks(s), s->energy_coverage_pct, use_ms, s->covered_ms);
        break;
    case SMI_PART_THROTTLE:
        smi_json_key_open(j, "throttle_pct", '{');
        for (size_t i = 0; i < g->throttles; i++)
            smi_json_value(j, g->throttle[i].reason, g->throttle[i].pct);
        smi_json_close(j, '}');
        break;
    case SMI_PART_METRICS:
        write_availability(j, g->available, g->navailable);
        write_metrics(j, g->stats, g->nstats);
        break;
    }
}

/* Opens and closes the objects on the way to a path: "vram" of "vram.total_mb". `open` is the one that is
 * open. Returns the key. */
static const char *enter_path(struct smi_json *j, const char *path, char open[32])
{
    const char *dot = strchr(path, '.');
    size_t n = dot ? (size_t)(dot - path) : 0;
    if (*open && (strlen(open) != n || strncmp(open, path, n) != 0)) {
        smi_json_close(j, '}');
        *open = 0;
    }
    if (n && !*open) {
        snprintf(open, 32, "%.*s", (int)n, path);
        smi_json_key_open(j, open, '{');
    }
    return dot ? dot + 1 : path;
}

static void write_members(struct smi_json *j, const struct smi_member_list *l, const struct smi_summary *s,
                          const void *item)
{
    const bool priced[] = {
        [SMI_PRICE_NONE] = true, [SMI_PRICE_MONEY] = s->money.asked, [SMI_PRICE_CO2] = s->money.asked_co2};
    struct smi_field_values row = {0};
    char open[32] = "";
    for (const struct smi_member *m = l->of; m < l->of + l->n; m++) {
        const char *path = smi_member_path(l, m), *key;
        struct smi_datum v;
        if (m->place == SMI_PLACE_PART)
            write_part(j, item, (enum smi_part)m->at);
        if (!path || !priced[smi_member_price(l, m)])
            continue;
        key = enter_path(j, path, open);
        v = smi_member_value(&row, s, item, m);
        if (m->place == SMI_PLACE_NAME)
            smi_json_name(j, key, v.text);
        else if (v.kind == SMI_DATUM_MICRO)
            smi_json_key_micro(j, smi_text_of(key), v.n);
        else if (v.kind == SMI_DATUM_INT)
            smi_json_key_int(j, key, v.n);
        else if (v.kind == SMI_DATUM_BOOL)
            smi_json_key_bool(j, key, v.n);
        else
            smi_json_key_str(j, key, v.text); /* null for none */
    }
    enter_path(j, "", open);
    smi_field_values_fini(&row);
}

static void write_item(struct smi_json *j, const struct smi_member_list *l, const struct smi_summary *s,
                       const void *item)
{
    smi_json_open(j, '{');
    write_members(j, l, s, item);
    smi_json_close(j, '}');
}

/* --- the other lists --- */

static void write_moment(struct smi_json *j, const char *key, const struct smi_summary *s, bool has,
                         int64_t ms)
{
    char t[SMI_CLOCK_TEXT];
    if (has)
        smi_clock_write(t, ms, s->zoned);
    smi_json_key_str(j, key, has ? t : NULL);
}

static void write_lists(struct smi_json *j, const struct smi_summary *s)
{
    size_t i;
    smi_json_key_open(j, "gpus", '[');
    for (i = 0; i < s->ngpus; i++)
        write_item(j, &smi_gpu_list, s, &s->gpus[i]);
    smi_json_close(j, ']');
    smi_json_key_open(j, "host", '{');
    write_availability(j, s->host_available, s->nhost_available);
    write_metrics(j, s->host, s->nhost);
    smi_json_close(j, '}');
    smi_json_key_open(j, "processes", '[');
    for (i = 0; i < s->nprocesses; i++) {
        /* {"gpu": 0, "uuid": null, "pid": 10309, "name": "./gpu_burn", "type": "C", "samples": 5, "first":
         * "...", "last": "...", "fb_used_mib": {"peak": 28234.0, "mean": 28234.0}, "gpu_util_pct": {...},
         * "mem_util_pct":
         * {...}, "enc_util_pct": {...}, "dec_util_pct": {...}, "accounted_s": null}: by GPU, pid and name.
         * first and last as start and end, null without dates. samples 0: known from accounting only, which
         * has the peak of memory, the means of use, and how long it ran. */
        const struct smi_process_figures *p = &s->processes[i];
        smi_json_open(j, '{');
        smi_json_key_optional(j, "gpu", p->gpu >= 0, p->gpu);
        smi_json_key_str(j, "uuid", p->uuid);
        smi_json_key_optional(j, "pid", p->pid >= 0, p->pid);
        smi_json_name(j, "name", p->name);
        smi_json_key_str(j, "type", p->type);
        smi_json_key_int(j, "samples", p->samples);
        write_moment(j, "first", s, p->has_time, p->first_ms);
        write_moment(j, "last", s, p->has_time, p->last_ms);
        for (int k = 0; k < SMI_PROC_METRICS; k++) {
            smi_json_key_open(j, smi_metrics[smi_proc_metric[k]].key, '{');
            smi_json_value(j, "peak", p->of[k].peak);
            smi_json_value(j, "mean", p->of[k].mean);
            smi_json_close(j, '}');
        }
        smi_json_value(j, "accounted_s", p->life_s);
        smi_json_close(j, '}');
    }
    smi_json_close(j, ']');
    smi_json_key_int(j, "segments", s->segments);
    smi_json_key_open(j, "phases", '[');
    for (i = 0; i < s->nphases; i++)
        write_item(j, &smi_phase_list, s, &s->phases[i]);
    smi_json_close(j, ']');
    smi_json_key_open(j, "events", '{');
    for (i = 0; i < s->nevents; i++)
        smi_json_key_int(j, s->events[i].name, s->events[i].n);
    smi_json_close(j, '}');
    smi_json_key_open(j, "errors", '[');
    for (i = 0; i < s->nerrors; i++) {
        /* {"error": "xid", "gpu": 3, "uuid": null, "bus": "0000:3b:00.0", "count": 1, "code": 79, "first":
         * "...", "last": "...", "text": "XID"}: by kind, then GPU. A counter's count is what it grew by, a
         * message's its lines, a state's its rows. */
        const struct smi_error *e = &s->errors[i];
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
    smi_json_close(j, ']');
}

static void write_run(struct smi_json *j, const struct smi_summary *s, bool alone)
{
    smi_json_open(j, '{');
    if (alone)
        smi_json_key_str(j, "schema", "smilog/1");
    write_members(j, &smi_run_list, s, s);
    write_lists(j, s);
    size_t i;
    smi_json_key_open(j, "findings", '[');
    for (i = 0; i < s->nfindings; i++)
        write_item(j, &smi_finding_list, s, &s->findings[i]);
    smi_json_close(j, ']');
    smi_json_key_open(j, "problems", '[');
    for (i = 0; i < s->nproblems; i++)
        smi_json_str(j, s->problems[i]);
    smi_json_close(j, ']');
    smi_json_key_open(j, "inputs", '[');
    for (i = 0; i < s->ninputs; i++) {
        const struct smi_input *in = &s->inputs[i];
        smi_json_open(j, '{');
        smi_json_name(j, "path", in->path);
        smi_json_key_str(j, "format", in->format);
        const struct smi_account *a = &in->account;
        const bool out = a->out_of_range > 0;
        smi_json_key_int(j, "lines", a->lines);
        smi_json_key_int(j, "header", a->header);
        smi_json_key_int(j, "rows", a->rows);
        smi_json_key_int(j, "duplicates", a->duplicates);
        smi_json_key_int(j, "blank", a->blank);
        smi_json_key_int(j, "messages", a->messages);
        smi_json_key_open(j, "rejected", '{');
        for (int at = 0; at < SMI_REJECT_COUNT; at++)
            if (a->rejected[at] > 0)
                smi_json_key_int(j, smi_reject_names[at], a->rejected[at]);
        smi_json_close(j, '}');
        smi_json_key_open(j, "cells", '{'); /* of the rows: without a reading, with none that could be used */
        smi_json_key_int(j, "missing", a->cells_missing);
        smi_json_key_int(j, "bad", a->cells_bad);
        smi_json_key_int(j, "out_of_range", a->out_of_range);
        if (out)
            smi_json_key_open(j, "out_of_range_metrics", '{');
        for (size_t m = 0; m < a->refused_cap && out; m++)
            if (a->refused[m])
                smi_json_key_int(j, smi_metrics[m].key, a->refused[m]);
        if (out)
            smi_json_close(j, '}');
        smi_json_close(j, '}');
        if (a->unknown_columns)
            smi_json_key_int(j, "unknown_columns", a->unknown_columns);
        smi_json_key_int(j, "gaps", in->gaps);
        smi_json_value(j, "gap_s", (struct smi_value){in->gap_ms * 1000, true});
        smi_json_value(j, "interval_s", in->interval_s);
        smi_json_value(j, "interval_max_s", in->interval_max_s);
        smi_json_key_str(j, "note", in->note);
        smi_json_key_open(j, "problems", '[');
        for (size_t k = 0; k < in->account.problems; k++) {
            smi_json_open(j, '{');
            smi_json_key_optional(j, "line", in->account.problem[k].line > 0, in->account.problem[k].line);
            smi_json_key_str(j, "text", in->account.problem[k].text);
            smi_json_close(j, '}');
        }
        smi_json_close(j, ']');
        smi_json_close(j, '}');
    }
    smi_json_close(j, ']');
    smi_json_close(j, '}');
}

static void write_total(struct smi_json *j, const struct smi_total *t)
{
    unsigned lacks = 0;
    smi_json_open(j, '{');
    smi_json_key_int(j, "runs", t->runs);
    smi_json_key_int(j, "failed", t->failed);
    smi_json_key_int(j, "gpus", t->gpus);
    smi_json_value(j, "duration_s", t->duration_s);
    smi_json_value(j, "gpu_hours", t->gpu_hours);
    smi_json_value(j, "overlap_gpu_hours", t->overlap_h);
    smi_json_value(j, "idle_held_h", t->idle_held_h);
    smi_json_value(j, "idle_free_h", t->idle_free_h);
    smi_json_value(j, "energy_wh", t->energy_wh);
    smi_json_value(j, "idle_pct", t->idle_pct);
    smi_json_value(j, "peak_vram_mb", t->peak_vram_mb);
    for (int i = 0; i < SMI_QUALITY_COUNT; i++)
        lacks |= (unsigned)(t->lacks[i] > 0) << i;
    write_quality(j, lacks, smi_value_ratio(t->power, t->covered_ms + t->overlap_ms), t->use_ms,
                  t->covered_ms + t->overlap_ms);
    smi_json_key(j, "summary");
    smi_headline_json(&t->block, j);
    write_by_cause(j, "wasted_h", t->wasted_h);
    smi_json_key_open(j, "advice", '[');
    for (int i = 0; i < SMI_WASTE_CAUSES; i++) {
        if (!smi_total_advises(t, i))
            continue;
        smi_json_open(j, '{');
        smi_json_key_str(j, "rule", smi_waste_names[i]);
        smi_json_key_int(j, "runs", t->waste_runs[i]);
        smi_json_value(j, "gpu_hours", t->wasted_h[i]);
        smi_json_key_str(j, "advice", smi_rules[smi_rule_find(smi_waste_names[i])].advice);
        smi_json_close(j, '}');
    }
    smi_json_close(j, ']');
    /* What is there only where it was asked for; then how many of the runs each sum is of. */
    const bool money = t->money.asked, co2 = t->money.asked_co2;
    if (money)
        smi_json_value(j, "cost", t->cost);
    if (money)
        write_by_cause(j, "wasted_cost", t->wasted_cost);
    if (co2)
        smi_json_value(j, "co2_g", t->co2_g);
    smi_json_key_open(j, "of_runs", '{');
    smi_json_key_int(j, "duration_s", t->of.duration);
    smi_json_key_int(j, "gpu_hours", t->of.hours);
    smi_json_key_int(j, "energy_wh", t->of.energy);
    smi_json_key_int(j, "energy_wh_part", t->of.energy_part);
    smi_json_key_int(j, "wasted_h", t->of.waste);
    if (money)
        smi_json_key_int(j, "cost", t->of.cost);
    if (money)
        smi_json_key_int(j, "wasted_cost", t->of.wasted_cost);
    if (co2)
        smi_json_key_int(j, "co2_g", t->of.co2);
    smi_json_close(j, '}');
    smi_json_close(j, '}');
}

void smi_run_json(struct smi_buf *to, const struct smi_summary *s)
{
    struct smi_json j;
    smi_json_begin(&j, to);
    write_run(&j, s, false);
}

void smi_run_jsonl(struct smi_buf *to, const struct smi_summary *s)
{
    struct smi_json j;
    smi_json_begin(&j, to);
    write_run(&j, s, true);
    smi_buf_char(to, '\n');
}

/* Run i: its text, which may have been made already. */
static void append_run(struct smi_buf *to, const struct smi_sweep *s, size_t i, smi_run_text_fn *make)
{
    if (s->text)
        smi_buf_str(to, s->text[i]);
    else
        make(to, &s->runs[i]);
}

void smi_write_json(struct smi_buf *to, const struct smi_sweep *s, const struct smi_render_options *look)
{
    struct smi_json j;
    size_t i;
    (void)look;
    smi_buf_str(to, "{\"schema\": \"smilog/1\", \"generator\": \"smilog " SMILOG_VERSION "\", \"runs\": [");
    for (i = 0; smi_sweep_has_run(s, i); i++) {
        smi_buf_str(to, i ? ",\n" : "\n");
        append_run(to, s, i, smi_run_json);
    }
    smi_buf_str(to, s->n ? "\n], \"missing\": " : "], \"missing\": ");
    smi_json_begin(&j, to);
    smi_json_open(&j, '[');
    for (i = 0; i < s->nmissing; i++)
        write_params(&j, NULL, s->missing[i], s->naxes);
    smi_json_close(&j, ']');
    smi_buf_str(to, ", \"total\": ");
    smi_json_begin(&j, to);
    write_total(&j, &s->total);
    smi_buf_str(to, "}\n");
}

static void write_lines(struct smi_buf *to, const struct smi_sweep *s, smi_run_text_fn *make)
{
    for (size_t i = 0; smi_sweep_has_run(s, i); i++)
        append_run(to, s, i, make);
}

void smi_write_jsonl(struct smi_buf *to, const struct smi_sweep *s, const struct smi_render_options *look)
{
    (void)look;
    write_lines(to, s, smi_run_jsonl);
}

void smi_write_ledger(struct smi_buf *to, const struct smi_sweep *s, const struct smi_render_options *look)
{
    (void)look;
    write_lines(to, s, smi_ledger_row_write);
}

/* ---- the schemas of what is printed, from the list of all fields ---- */

/* What is printed as a document of its own, and by which object of json_field.def. */
static const char *const roots[] = {"json", "jsonl", "rows", "line", "check", "diff", "live", NULL};

const char *smi_json_schema_name(size_t i)
{
    return i < sizeof roots / sizeof *roots ? roots[i] : NULL;
}

/* The row of an object among the n of a list. */
static const struct smi_json_field *find_object(const struct smi_json_field *of, size_t n,
                                                struct smi_text name)
{
    for (size_t i = 0; i < n; i++)
        if (!of[i].path && smi_text_is(name, of[i].object))
            return &of[i];
    return NULL;
}

const char *smi_json_schema_help(size_t i)
{
    return find_object(rows, sizeof rows / sizeof *rows, smi_text_of(roots[i]))->help;
}

/* ---- types ---- */

static void write_reference(struct smi_json *j, struct smi_text name)
{
    smi_json_key(j, "$ref");
    smi_json_raw(j, "\"#/$defs/");
    smi_buf_fmt(j->to, "%.*s\"", (int)name.n, name.p);
}

/* Writes the keywords of a type of json_field.def into the object that is open. */
static void write_type(struct smi_json *j, struct smi_text type)
{
    const bool null = type.n && type.p[type.n - 1] == '?';
    const struct smi_text inner = {type.p + 1, type.n - 2}, bare = {type.p, type.n - null},
                          name = {bare.p + 1, bare.n - 1};
    if (*type.p == '[' || *type.p == '{') {
        const bool list = *type.p == '[';
        smi_json_key_str(j, "type", list ? "array" : "object");
        smi_json_key_open(j, list ? "items" : "additionalProperties", '{');
        write_type(j, inner);
        smi_json_close(j, '}');
    } else if (*type.p == '@' && null) {
        smi_json_key_open(j, "anyOf", '[');
        smi_json_open(j, '{');
        write_reference(j, name);
        smi_json_close(j, '}');
        smi_json_raw(j, "{\"type\": \"null\"}");
        smi_json_close(j, ']');
    } else if (*type.p == '@') {
        write_reference(j, name);
    } else if (*type.p == '=') {
        smi_json_key(j, "const");
        if (name.p[0] >= '0' && name.p[0] <= '9')
            smi_json_raw(j, name.p);
        else
            smi_json_text(j, name);
    } else if (null) { /* ["number", "null"] */
        smi_json_key_open(j, "type", '[');
        smi_json_text(j, bare);
        smi_json_str(j, "null");
        smi_json_close(j, ']');
    } else if (!smi_text_is(type, "any")) {
        smi_json_key(j, "type");
        smi_json_text(j, type);
    }
}

/* ---- objects ---- */

/* The keywords of an object: of its rows whose paths begin with the first n bytes of `front`; inner objects
 * are those whose paths have a dot behind it. A run on a line of its own has what comes with the line, too.
 * Returns whether one of them is never left out. */
static bool write_object(struct smi_json *j, const struct smi_json_members *f, const char *object,
                         const char *front, size_t n)
{
    enum { REQUIRED = 256 /* fields of an object that are never left out */ };
    struct smi_text key[REQUIRED];
    size_t required = 0;
    smi_json_key_str(j, "type", "object");
    smi_json_key_open(j, "properties", '{');
    for (size_t i = 0; i < f->n; i++) {
        const struct smi_json_field *row = &f->of[i], *before = i ? row - 1 : NULL;
        const bool line = strcmp(object, "jsonl") == 0 && strcmp(row->object, "run") == 0;
        if (!row->path || (strcmp(row->object, object) != 0 && !line) || strncmp(row->path, front, n) != 0)
            continue;
        const char *name = row->path + n, *dot = row->metric ? NULL : strchr(name, '.');
        const size_t inner = dot ? (size_t)(dot + 1 - row->path) : 0;
        const struct smi_text word = dot ? smi_text_between(name, dot) : smi_text_of(name);
        bool always = !row->optional;
        if (!dot) {
            smi_json_key_open(j, name, '{');
            write_type(j, smi_text_of(row->type));
            if (*row->help)
                smi_json_key_str(j, "description", row->help);
            if (*row->unit)
                smi_json_key_str(j, "unit", row->unit);
            smi_json_close(j, '}');
        } else if (!before->path || strcmp(before->object, row->object) != 0 ||
                   strncmp(before->path, row->path, inner) != 0) {
            smi_json_key_text(j, word);
            smi_json_open(j, '{');
            always = write_object(j, f, row->object, row->path, inner);
            smi_json_close(j, '}');
        } else {
            continue;
        }
        if (always && required < REQUIRED)
            key[required++] = word;
    }
    smi_json_close(j, '}');
    smi_json_key_open(j, "required", '[');
    for (size_t i = 0; i < required; i++)
        smi_json_text(j, key[i]);
    smi_json_close(j, ']');
    return required > 0;
}

/* Marks the objects that the rows of an object name. */
static void mark_used(const struct smi_json_members *f, const char *object, bool *used)
{
    for (size_t i = 0; i < f->n; i++) {
        const struct smi_json_field *row = &f->of[i];
        const char *at = row->path && strcmp(row->object, object) == 0 ? strchr(row->type, '@') : NULL;
        const struct smi_json_field *to;
        if (!at)
            continue;
        to = find_object(f->of, f->n, (struct smi_text){at + 1, strcspn(at + 1, "?]}")});
        if (!to || used[to - f->of])
            continue;
        used[to - f->of] = true;
        mark_used(f, to->object, used);
    }
}

void smi_json_schema_write(struct smi_buf *to, size_t i)
{
    struct smi_json_members f = {0};
    struct smi_json j;
    const char *root = roots[i];
    bool *used;
    smi_json_members_make(&f);
    used = smi_mem_new(f.n, sizeof *used);
    mark_used(&f, root, used);
    if (strcmp(root, "jsonl") == 0)
        mark_used(&f, "run", used);
    smi_json_begin(&j, to);
    smi_json_open(&j, '{');
    smi_json_key_str(&j, "$schema", "https://json-schema.org/draft/2020-12/schema");
    smi_json_key_str(&j, "title", smi_json_schema_help(i));
    smi_json_key_str(&j, "$comment", "smilog " SMILOG_VERSION);
    write_object(&j, &f, root, "", 0);
    smi_json_key_open(&j, "$defs", '{');
    for (size_t k = 0; k < f.n; k++)
        if (used[k]) {
            smi_json_key_open(&j, f.of[k].object, '{');
            smi_json_key_str(&j, "description", f.of[k].help);
            write_object(&j, &f, f.of[k].object, "", 0);
            smi_json_close(&j, '}');
        }
    smi_json_close(&j, '}');
    smi_json_close(&j, '}');
    smi_buf_char(to, '\n');
    smi_mem_free(used);
    smi_json_members_fini(&f);
}
