/* A run's aggregates as one line of JSON: everything that a merge needs, and nothing that it could derive.
 * Integers beyond 64 bits are strings; metrics go by their names, so that the catalogue may grow. */
#include "base/json.h"
#include "summary/partial.h"
#include "summary/partial_write_private.h"
#include "summary/partial_checksum_private.h"

#include <string.h>

static void write_account(struct smi_json *j, const struct smi_account *a)
{
    const int64_t v[] = {a->lines,         a->header,        a->rows,      a->duplicates,   a->blank,
                         a->messages,      a->cells_missing, a->cells_bad, a->out_of_range, a->undecided,
                         a->ragged_bursts, a->ragged_rows,   a->burst,     a->changes,      a->stamps_never,
                         a->stamps_twice,  a->stamps_again};
    smi_json_key(j, "account");
    smi_json_open(j, '[');
    for (size_t i = 0; i < sizeof v / sizeof *v; i++)
        smi_json_int(j, v[i]);
    for (int i = 0; i < SMI_REJECT_COUNT; i++)
        smi_json_int(j, a->rejected[i]);
    smi_json_close(j, ']');
    smi_json_key(j, "asked");
    smi_json_open(j, '[');
    for (unsigned m = 0; m < SMI_METRIC_COUNT; m++)
        if (smi_account_requested(a, m))
            smi_json_str(j, smi_metrics[m].key);
    smi_json_close(j, ']');
    smi_json_key(j, "said");
    smi_json_open(j, '[');
    for (size_t i = 0; i < sizeof a->said / sizeof *a->said; i++)
        smi_json_int(j, a->said[i]);
    smi_json_close(j, ']');
    smi_json_key(j, "problems");
    smi_json_open(j, '[');
    for (size_t i = 0; i < a->problems; i++) {
        smi_json_int(j, a->problem[i].kind);
        smi_json_int(j, a->problem[i].line);
        smi_json_str(j, a->problem[i].text);
    }
    smi_json_close(j, ']');
}

static void write_devices(struct smi_json *j, const struct smi_devices *d)
{
    smi_json_key(j, "devices");
    smi_json_open(j, '[');
    for (size_t i = 0; i < d->n; i++) {
        smi_json_open(j, '[');
        for (int k = 0; k < SMI_DEVICE_KEY_COUNT; k++)
            smi_json_str(j, d->list[i].key[k]);
        smi_partial_write_text(j, d->list[i].name);
        smi_json_int(j, d->list[i].ordinal);
        smi_json_close(j, ']');
    }
    smi_json_close(j, ']');
}

static void write_phases(struct smi_json *j, const struct smi_phases *p)
{
    smi_json_key_bool(j, "over", p->over);
    smi_json_key_int(j, "unnamed", p->unnamed);
    smi_json_key(j, "phases");
    smi_json_open(j, '[');
    for (size_t i = 0; i < p->n; i++) {
        smi_json_str(j, p->phase[i].name);
        smi_json_int(j, p->phase[i].count);
        smi_json_int(j, p->phase[i].span_us);
        smi_json_int(j, p->phase[i].first_us);
    }
    smi_json_close(j, ']');
    smi_json_key(j, "spans");
    smi_json_open(j, '[');
    for (size_t i = 0; i < p->spans; i++) {
        if (p->span[i].from_us > p->span[i].to_us)
            continue;
        smi_json_int(j, p->span[i].name);
        smi_json_int(j, p->span[i].from_us);
        smi_json_int(j, p->span[i].to_us);
    }
    smi_json_close(j, ']');
}

/* Of a run that was tracked. */
static void write_tracked(struct smi_json *j, const struct smi_runlog_usage *t)
{
    if (!t->has && !t->span_us)
        return;
    smi_json_key(j, "tracked");
    smi_json_open(j, '{');
    for (unsigned i = 0; i < SMI_RUNLOG_USAGE_METRICS; i++)
        if (t->has >> i & 1)
            smi_json_key_int(j, smi_metrics[SMI_TREE_CPU + i].key, t->max[i]);
    smi_json_key(j, "times");
    smi_json_open(j, '[');
    smi_json_int(j, t->span_us);
    for (int i = 0; i < SMI_RUNLOG_USAGE_PARTS; i++)
        smi_json_int(j, t->cpu_us[i]);
    smi_json_close(j, ']');
    smi_json_close(j, '}');
}

static void write_run_log_params(struct smi_json *j, const char *key, const struct smi_runlog_params *p)
{
    smi_json_key(j, key);
    smi_json_open(j, '[');
    for (size_t i = 0; i < p->n; i++) {
        smi_json_str(j, p->list[i].key);
        smi_json_str(j, p->list[i].text);
        smi_json_bool(j, p->list[i].bare);
    }
    smi_json_close(j, ']');
}

/* The first event is mostly the start. */
static bool same_params(const struct smi_runlog_params *a, const struct smi_runlog_params *b)
{
    bool same = a->n && a->n == b->n;
    for (size_t i = 0; i < a->n && same; i++)
        same = !strcmp(a->list[i].key, b->list[i].key) && !strcmp(a->list[i].text, b->list[i].text) &&
               a->list[i].bare == b->list[i].bare;
    return same;
}

static void write_run_log(struct smi_json *j, const struct smi_runlog *l)
{
    smi_json_key(j, "log");
    smi_json_open(j, '{');
    smi_json_key_int(j, "entries", l->entries);
    smi_json_key_int(j, "first_us", l->first_us);
    smi_json_key_int(j, "last_us", l->last_us);
    smi_json_key_int(j, "first_ts_us", l->first_ts_us);
    smi_json_key_int(j, "last_ts_us", l->last_ts_us);
    smi_json_key_bool(j, "started", l->started);
    smi_json_key_bool(j, "ended", l->ended);
    smi_json_key_bool(j, "failed", l->failed);
    smi_json_key_bool(j, "has_exit", l->has_exit);
    smi_json_key_int(j, "exit_code", l->exit_code);
    smi_json_key_bool(j, "has_offset", l->has_offset);
    smi_json_key_int(j, "offset_s", l->offset_s);
    smi_json_key_str(j, "reason", l->reason);
    smi_json_key_str(j, "host", l->host);
    if (l->command) /* of few runs: those before had none */
        smi_json_key_str(j, "command", l->command);
    write_tracked(j, &l->tracked);
    smi_json_key_str(j, "visible", l->visible);
    smi_json_key_bool(j, "has_first_event", l->has_first_event);
    smi_json_key_int(j, "jax_peak", l->jax_peak);
    smi_json_key_int(j, "torch_peak", l->torch_peak);
    smi_json_key_int(j, "event_other", l->event_other);
    smi_json_key(j, "events");
    smi_json_open(j, '[');
    for (size_t i = 0; i < l->events; i++) {
        smi_json_str(j, l->event[i].name);
        smi_json_int(j, l->event[i].n);
    }
    smi_json_close(j, ']');
    write_run_log_params(j, "params", &l->first);
    if (l->recorded) /* of few runs, as what follows */
        smi_json_key_bool(j, "recorded", true);
    if (same_params(&l->first, &l->started_with))
        smi_json_key_bool(j, "started_with", true);
    else if (l->started_with.n)
        write_run_log_params(j, "started_with", &l->started_with);
    write_phases(j, &l->phases);
    smi_json_close(j, '}');
}

static void write_part(struct smi_json *j, const struct smi_input_stats *p, const struct smi_phases *all)
{
    smi_json_open(j, '{');
    smi_partial_write_key_text(j, "path", p->path);
    smi_json_key_str(j, "format", smi_format_infos[p->format].name);
    smi_json_key_int(j, "base", p->base);
    smi_json_key_bool(j, "keyed", p->keyed);
    smi_json_key_bool(j, "timed", p->timed);
    smi_json_key_int(j, "first_ms", p->first_ms);
    smi_json_key_int(j, "last_ms", p->last_ms);
    smi_json_key_int(j, "begin_ms", p->begin_ms);
    smi_json_key_int(j, "ahead_ms", p->ahead_ms);
    smi_json_key_bool(j, "by_zone", p->by_zone);
    smi_json_key_int(j, "given", p->given.how);
    smi_json_key_int(j, "size", p->size);
    smi_json_key_int(j, "hash", (int64_t)p->hash);
    write_account(j, &p->account);
    write_devices(j, &p->devices);
    smi_partial_write_counts(j, "dts", &p->dts);
    smi_json_key(j, "tracks");
    smi_json_open(j, '[');
    for (size_t i = 0; i < p->devices.n; i++)
        smi_partial_write_device(j, i < p->tracks ? p->track[i] : NULL, all);
    smi_json_close(j, ']');
    smi_json_key(j, "host");
    smi_partial_write_device(j, p->host, all);
    smi_json_key(j, "pool");
    smi_partial_write_device(j, p->pool, all);
    smi_partial_write_errors(j, p);
    if (smi_format_infos[p->format].procs)
        smi_partial_write_processes(j, &p->procs);
    if (smi_format_infos[p->format].marks)
        write_run_log(j, &p->log);
    smi_json_close(j, '}');
}

/* Of the path (and --run), or of files beside the logs. */
static void write_run_params(struct smi_json *j, const char *key, const struct smi_run *r, bool file)
{
    smi_json_key(j, key);
    smi_json_open(j, '[');
    for (size_t i = 0; i < r->params; i++) {
        if (r->param[i].file != file)
            continue;
        smi_partial_write_text(j, r->param[i].key);
        smi_partial_write_text(j, r->param[i].text);
        smi_json_bool(j, r->param[i].bare);
    }
    smi_json_close(j, ']');
}

/* What the merge says again. */
static void write_warnings(struct smi_json *j, const struct smi_run *r)
{
    smi_json_key(j, "doubts");
    smi_json_open(j, '[');
    for (size_t i = 0; i < r->doubts; i++) {
        smi_json_str(j, r->doubt[i].path);
        smi_json_str(j, r->doubt[i].text);
        if (r->doubt[i].more)
            smi_json_int(j, r->doubt[i].more);
        else
            smi_json_bool(j, r->doubt[i].used);
    }
    smi_json_close(j, ']');
}

int smi_partial_write(struct smi_buf *to, const struct smi_run *r, const struct smi_options *o,
                      struct smi_err *err)
{
    struct smi_json json, *j = &json;
    const size_t begin = to->n, front = smi_partial_checksum_begin.n + SMI_PARTIAL_CHECKSUM_TEXT - 1;
    char sum[SMI_PARTIAL_CHECKSUM_TEXT] = "0000000000000000";
    smi_json_begin(j, to);
    smi_json_open(j, '{');
    smi_json_key_str(j, "schema", SMI_PARTIAL_SCHEMA);
    smi_json_key_str(j, "sum", sum); /* of what follows */
    smi_partial_write_key_text(j, "run", r->name);
    smi_json_key_str(j, "host", r->host ? r->host : r->log.host);
    smi_json_key_int(j, "idle_below", o->idle_below);
    smi_json_key_int(j, "distinct_cap", SMI_DISTINCT_CAP);
    smi_json_key_int(j, "offset_s", r->offset_s);
    smi_json_key_str(j, "zone_from", r->has_offset ? r->zone_from : NULL);
    smi_json_key_str(j, "zone", r->has_offset ? r->zone : NULL);
    write_run_params(j, "params", r, false);
    write_run_params(j, "config", r, true);
    smi_json_key(j, "problems");
    smi_json_open(j, '[');
    for (size_t i = 0; i < r->problems; i++)
        smi_json_str(j, r->problem[i]);
    smi_json_close(j, ']');
    write_warnings(j, r);
    smi_json_key(j, "parts");
    smi_json_open(j, '[');
    for (size_t i = 0; i < r->parts; i++)
        write_part(j, r->part[i], &r->log.phases);
    smi_json_close(j, ']');
    smi_json_close(j, '}');
    if (!to->failed) {
        smi_partial_checksum_text(sum, smi_partial_checksum(0, to->p + begin + front, to->n - begin - front));
        memcpy(to->p + begin + smi_partial_checksum_begin.n, sum, SMI_PARTIAL_CHECKSUM_TEXT - 1);
    }
    smi_buf_char(to, '\n');
    return to->failed ? smi_err_nomem(err) : 0;
}
