#include "summary/partial_read_private.h"

static void get_phases(struct smi_partial_reader *g, const json_t *o, struct smi_phases *p)
{
    const json_t *names = json_object_get(o, "phases"), *spans = json_object_get(o, "spans");
    size_t n = json_array_size(names) / 4;
    for (size_t i = 0; i < n && !g->bad; i++) {
        const json_t *name = json_array_get(names, 4 * i);
        struct smi_text t = {json_string_value(name), json_string_length(name)};
        if (!json_is_string(name) || p->n == SMI_PHASE_NAMES || smi_phases_find(p, t) >= 0)
            smi_partial_read_fail(g, "phases");
        else if (smi_phases_add(p, t, 0, 0, g->err))
            g->bad = true;
        if (g->bad)
            return;
        p->phase[i].count = smi_partial_read_int(g, json_array_get(names, 4 * i + 1));
        p->phase[i].span_us = smi_partial_read_int(g, json_array_get(names, 4 * i + 2));
        p->phase[i].first_us = smi_partial_read_us(g, json_array_get(names, 4 * i + 3));
    }
    for (size_t i = 0; i + 2 < json_array_size(spans) && !g->bad; i += 3) {
        int64_t name = smi_partial_read_int(g, json_array_get(spans, i)),
                from = smi_partial_read_us(g, json_array_get(spans, i + 1)),
                to = smi_partial_read_us(g, json_array_get(spans, i + 2));
        if (name < 0 || (size_t)name >= p->n || from >= to)
            smi_partial_read_fail(g, "spans");
        else if (smi_phases_span(p, from, to, (uint32_t)name, g->err))
            g->bad = true;
    }
    p->over |= smi_partial_read_key_bool(o, "over");
    p->unnamed = smi_partial_read_key_int(g, o, "unnamed");
}

static void get_events(struct smi_partial_reader *g, const json_t *a, struct smi_runlog *l)
{
    for (size_t i = 0; i + 1 < json_array_size(a) && !g->bad; i += 2) {
        if (l->events == SMI_EVENT_NAMES)
            smi_partial_read_fail(g, "events");
        if (g->bad ||
            !smi_partial_read_reserve(g, &l->event, &l->events_cap, l->events + 1, sizeof *l->event))
            return;
        l->event[l->events].name = smi_partial_read_text(g, json_array_get(a, i));
        if (!l->event[l->events].name)
            smi_partial_read_fail(g, "events");
        l->event[l->events++].n = smi_partial_read_int(g, json_array_get(a, i + 1));
    }
}

static void read_run_log_params(struct smi_partial_reader *g, const json_t *a, struct smi_runlog_params *l)
{
    for (size_t i = 0; i + 2 < json_array_size(a) && !g->bad; i += 3) {
        struct smi_runlog_param *p;
        if (l->n == SMI_PARAMS_MAX)
            smi_partial_read_fail(g, "params");
        if (g->bad || !smi_partial_read_reserve(g, &l->list, &l->cap, l->n + 1, sizeof *l->list))
            return;
        p = &l->list[l->n++];
        *p = (struct smi_runlog_param){smi_partial_read_text(g, json_array_get(a, i)),
                                       smi_partial_read_text(g, json_array_get(a, i + 1)),
                                       json_is_true(json_array_get(a, i + 2))};
        if (!p->key || !p->text || (p->bare && !smi_text_is_bare(smi_text_of(p->text))))
            smi_partial_read_fail(g, "params");
    }
}

static void get_tracked(struct smi_partial_reader *g, const json_t *o, struct smi_runlog_usage *t)
{
    const json_t *times = json_object_get(o, "times");
    for (unsigned i = 0; i < SMI_RUNLOG_USAGE_METRICS; i++)
        if (json_object_get(o, smi_metrics[SMI_TREE_CPU + i].key)) {
            t->max[i] = smi_partial_read_reading(g, json_object_get(o, smi_metrics[SMI_TREE_CPU + i].key));
            t->has |= 1u << i;
        }
    t->span_us = smi_partial_read_reading(g, json_array_get(times, 0));
    for (size_t i = 0; i < SMI_RUNLOG_USAGE_PARTS; i++) {
        t->cpu_us[i] = smi_partial_read_reading(g, json_array_get(times, i + 1));
        if (t->cpu_us[i] < 0 || t->span_us < 0)
            smi_partial_read_fail(g, "tracked");
    }
}

void smi_partial_read_run_log(struct smi_partial_reader *g, const json_t *o, struct smi_runlog *l)
{
    l->entries = smi_partial_read_key_count(g, o, "entries");
    l->first_us = smi_partial_read_us(g, json_object_get(o, "first_us"));
    l->last_us = smi_partial_read_us(g, json_object_get(o, "last_us"));
    l->first_ts_us = smi_partial_read_us(g, json_object_get(o, "first_ts_us"));
    l->last_ts_us = smi_partial_read_us(g, json_object_get(o, "last_ts_us"));
    l->started = smi_partial_read_key_bool(o, "started");
    l->ended = smi_partial_read_key_bool(o, "ended");
    l->failed = smi_partial_read_key_bool(o, "failed");
    l->has_exit = smi_partial_read_key_bool(o, "has_exit");
    l->exit_code = smi_partial_read_key_int(g, o, "exit_code");
    l->has_offset = smi_partial_read_key_bool(o, "has_offset");
    l->offset_s = (int)smi_partial_read_key_int(g, o, "offset_s");
    l->reason = smi_partial_read_text(g, json_object_get(o, "reason"));
    l->host = smi_partial_read_text(g, json_object_get(o, "host"));
    if (json_object_get(o, "command"))
        l->command = smi_partial_read_text(g, json_object_get(o, "command"));
    if (json_object_get(o, "tracked"))
        get_tracked(g, json_object_get(o, "tracked"), &l->tracked);
    l->visible = smi_partial_read_text(g, json_object_get(o, "visible"));
    l->has_first_event = smi_partial_read_key_bool(o, "has_first_event");
    l->jax_peak = smi_partial_read_key_int(g, o, "jax_peak");
    l->torch_peak = smi_partial_read_key_int(g, o, "torch_peak");
    l->event_other = smi_partial_read_key_int(g, o, "event_other");
    get_events(g, json_object_get(o, "events"), l);
    read_run_log_params(g, json_object_get(o, "params"), &l->first);
    l->recorded = smi_partial_read_key_bool(o, "recorded");
    read_run_log_params(
        g, json_object_get(o, json_is_true(json_object_get(o, "started_with")) ? "params" : "started_with"),
        &l->started_with);
    get_phases(g, o, &l->phases);
}
