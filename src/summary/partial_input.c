/* What a partial summary holds of one input: its table of fields, and those of its lists. */
#include "summary/partial_fields_private.h"

#include <string.h>

/* ---- lines ---- */

static const struct smi_partial_field account_fields[] = {
    SMI_PARTIAL_NUMBER(smi_account, lines, NULL),
    SMI_PARTIAL_NUMBER(smi_account, header, NULL),
    SMI_PARTIAL_NUMBER(smi_account, rows, NULL),
    SMI_PARTIAL_NUMBER(smi_account, duplicates, NULL),
    SMI_PARTIAL_NUMBER(smi_account, blank, NULL),
    SMI_PARTIAL_NUMBER(smi_account, messages, NULL),
    SMI_PARTIAL_NUMBER(smi_account, cells_missing, NULL),
    SMI_PARTIAL_NUMBER(smi_account, cells_bad, NULL),
    SMI_PARTIAL_NUMBER(smi_account, out_of_range, NULL),
    SMI_PARTIAL_NUMBER(smi_account, undecided, NULL),
    SMI_PARTIAL_NUMBER(smi_account, ragged_bursts, NULL),
    SMI_PARTIAL_NUMBER(smi_account, ragged_rows, NULL),
    SMI_PARTIAL_NUMBER(smi_account, burst, NULL),
    SMI_PARTIAL_NUMBER(smi_account, changes, NULL),
    SMI_PARTIAL_NUMBER(smi_account, stamps_never, NULL),
    SMI_PARTIAL_NUMBER(smi_account, stamps_twice, NULL),
    SMI_PARTIAL_NUMBER(smi_account, stamps_again, NULL),
    SMI_PARTIAL_REPEATED(smi_account, rejected, NULL, SMI_REJECT_COUNT),
};
static const struct smi_partial_shape account_shape =
    SMI_PARTIAL_SHAPE("account", false, smi_account, account_fields);

static void write_asked(struct smi_json *j, const void *owner, const void *member)
{
    const struct smi_input_stats *p = owner;
    (void)member;
    smi_json_open(j, '[');
    for (unsigned m = 0; m < SMI_METRIC_COUNT; m++)
        if (smi_account_requested(&p->account, m))
            smi_json_str(j, smi_metrics[m].key);
    smi_json_close(j, ']');
}

static void read_asked(struct smi_partial_reader *g, const json_t *v, void *owner, void *member)
{
    struct smi_input_stats *p = owner;
    (void)member;
    for (size_t i = 0; i < json_array_size(v) && !g->bad; i++) {
        const char *key = json_string_value(json_array_get(v, i));
        int m = smi_partial_read_metric(g, key ? key : "");
        if (m >= 0)
            smi_account_request(&p->account, (unsigned)m);
    }
}

static const struct smi_partial_codec asked = {write_asked, read_asked};

static const void *refused_at(const void *owner, size_t i, unsigned *metric)
{
    const int64_t *n = ((const struct smi_input_stats *)owner)->account.refused;
    *metric = (unsigned)i;
    return i < SMI_METRIC_COUNT && n[i] ? &n[i] : NULL;
}

static void *add_refused(struct smi_partial_reader *g, void *owner, unsigned metric)
{
    (void)g;
    return &((struct smi_input_stats *)owner)->account.refused[metric];
}

static const struct smi_partial_field refused_value = {
    .kind = SMI_PARTIAL_INT, .size = sizeof(int64_t), .most = SMI_PARTIAL_INT_MAX};
static const struct smi_partial_map refused = {&refused_value, refused_at, add_refused};

static const struct smi_partial_field problem_fields[] = {
    SMI_PARTIAL_RANGE(smi_log_warning, kind, NULL, 0, SMI_LOG_WARNING_COUNT - 1),
    SMI_PARTIAL_NUMBER(smi_log_warning, line, NULL),
    SMI_PARTIAL_NEEDED_NAME(smi_log_warning, text),
};
static const struct smi_partial_shape problem_shape =
    SMI_PARTIAL_SHAPE("problems", false, smi_log_warning, problem_fields);

/* ---- devices ---- */

static const struct smi_partial_field device_fields[] = {
    SMI_PARTIAL_MEMBER(TEXT, smi_device, key, .repeat = SMI_DEVICE_KEY_COUNT),
    SMI_PARTIAL_NAME(smi_device, name, NULL),
    SMI_PARTIAL_RANGE(smi_device, ordinal, NULL, -1, SMI_KEYLESS_GPUS_MAX - 1),
};
static const struct smi_partial_shape device_shape =
    SMI_PARTIAL_SHAPE("devices", false, smi_device, device_fields);

/* Is `who` one of the devices that are known by now, or `none`? */
static bool is_device(const struct smi_partial_reader *g, int who, int none)
{
    return who == none || (who >= 0 && (size_t)who < g->input->devices.n);
}

/* ---- processes ---- */

static const struct smi_partial_field proc_sum_fields[] = {
    SMI_PARTIAL_COUNT(smi_proc_sum, n, NULL),
    SMI_PARTIAL_SUM(smi_proc_sum, sum, NULL),
    SMI_PARTIAL_COUNT(smi_proc_sum, peaks, NULL),
    SMI_PARTIAL_NUMBER(smi_proc_sum, max, NULL),
};
static const struct smi_partial_shape proc_sum_shape =
    SMI_PARTIAL_SHAPE("processes", false, smi_proc_sum, proc_sum_fields);
static const struct smi_partial_field proc_fields[] = {
    SMI_PARTIAL_RANGE(smi_proc, who, NULL, INT32_MIN, INT32_MAX),
    SMI_PARTIAL_RANGE(smi_proc, pid, NULL, -1, SMI_PARTIAL_INT_MAX),
    SMI_PARTIAL_NAME(smi_proc, name, NULL),
    SMI_PARTIAL_RANGE(smi_proc, types, NULL, 0, 7),
    SMI_PARTIAL_RANGE(smi_proc, life_ms, NULL, -1, SMI_PARTIAL_INT_MAX),
    SMI_PARTIAL_COUNT(smi_proc, samples, NULL),
    SMI_PARTIAL_FLAG(smi_proc, timed, NULL),
    SMI_PARTIAL_NUMBER(smi_proc, first_ms, NULL),
    SMI_PARTIAL_NUMBER(smi_proc, last_ms, NULL),
    SMI_PARTIAL_PARTS(smi_proc, of, NULL, &proc_sum_shape, SMI_PROC_METRICS),
};
static const struct smi_partial_shape proc_shape =
    SMI_PARTIAL_SHAPE("processes", false, smi_proc, proc_fields);

static bool add_process(struct smi_partial_reader *g, void *owner, void *list, void *item)
{
    const struct smi_proc *p = item;
    (void)owner;
    return is_device(g, p->who, SMI_DEVICE_POOL) && smi_procs_join(list, p, p->who, g->err) == SMI_PROC_KEPT;
}

/* ---- faults ---- */

static void write_fault_name(struct smi_json *j, const void *owner, const void *member)
{
    (void)owner;
    smi_json_str(j, smi_faults[*(const int *)member].name);
}

static void read_fault_name(struct smi_partial_reader *g, const json_t *v, void *owner, void *member)
{
    int id = json_is_string(v) ? smi_fault_find(json_string_value(v)) : -1;
    (void)owner;
    if (id < 0)
        smi_partial_read_fail(g, "faults");
    *(int *)member = id;
}

static void write_bus(struct smi_json *j, const void *owner, const void *member)
{
    (void)owner;
    smi_json_str(j, member);
}

static void read_bus(struct smi_partial_reader *g, const json_t *v, void *owner, void *member)
{
    (void)owner;
    if (json_is_string(v) && json_string_length(v) < SMI_FAULT_BUS_MAX)
        memcpy(member, json_string_value(v), json_string_length(v));
    else
        smi_partial_read_fail(g, "faults");
}

static const struct smi_partial_codec fault_name = {write_fault_name, read_fault_name};
static const struct smi_partial_codec fault_bus = {write_bus, read_bus};

static const struct smi_partial_field fault_fields[] = {
    SMI_PARTIAL_WITH(smi_fault_count, id, NULL, &fault_name),
    SMI_PARTIAL_RANGE(smi_fault_count, who, NULL, -1, SMI_DEVICE_MAX),
    SMI_PARTIAL_NUMBER(smi_fault_count, code, NULL),
    SMI_PARTIAL_WITH(smi_fault_count, bus, NULL, &fault_bus),
    SMI_PARTIAL_RANGE(smi_fault_count, n, NULL, 1, SMI_PARTIAL_INT_MAX),
    SMI_PARTIAL_FLAG(smi_fault_count, open, NULL),
    SMI_PARTIAL_FLAG(smi_fault_count, timed, NULL),
    SMI_PARTIAL_NUMBER(smi_fault_count, first_ms, NULL),
    SMI_PARTIAL_NUMBER(smi_fault_count, last_ms, NULL),
};
static const struct smi_partial_shape fault_shape =
    SMI_PARTIAL_SHAPE("faults", false, smi_fault_count, fault_fields);

static bool add_fault(struct smi_partial_reader *g, void *owner, void *list, void *item)
{
    const struct smi_fault_count *f = item;
    (void)owner;
    if (!is_device(g, f->who, -1))
        return false;
    g->bad |= smi_faults_join(list, f, f->who, g->err) != 0;
    return true;
}

/* ---- a RunLog ---- */

static const struct smi_partial_field event_fields[] = {
    SMI_PARTIAL_NEEDED_NAME(smi_event_count, name),
    SMI_PARTIAL_NUMBER(smi_event_count, n, NULL),
};
static const struct smi_partial_shape event_shape =
    SMI_PARTIAL_SHAPE("events", false, smi_event_count, event_fields);

static const struct smi_partial_field param_fields[] = {
    SMI_PARTIAL_NAME(smi_runlog_param, key, NULL),
    SMI_PARTIAL_NAME(smi_runlog_param, text, NULL),
    SMI_PARTIAL_FLAG(smi_runlog_param, bare, NULL),
};
static const struct smi_partial_shape param_shape =
    SMI_PARTIAL_SHAPE("params", false, smi_runlog_param, param_fields);

static bool add_param(struct smi_partial_reader *g, void *owner, void *list, void *item)
{
    struct smi_runlog_params *all = list;
    struct smi_runlog_param *p = item;
    (void)owner;
    if (!p->key || !p->text || (p->bare && !smi_text_is_bare(smi_text_of(p->text))))
        return false;
    if (smi_partial_read_reserve(g, &all->list, &all->cap, all->n + 1, sizeof *p)) {
        all->list[all->n++] = *p;
        p->key = p->text = NULL;
    }
    return true;
}

#define PARAMS(member, key, flag) \
    SMI_PARTIAL_ITEMS(smi_runlog, member.list, member.n, key, &param_shape, SMI_PARAMS_MAX, add_param, flag)
static const struct smi_partial_field start_params = PARAMS(started_with, "started_with", 0);

/* The first event is mostly the start: then `true` says so. */
static bool has_same_params(const struct smi_runlog *l)
{
    const struct smi_runlog_params *a = &l->first, *b = &l->started_with;
    bool same = a->n == b->n;
    for (size_t i = 0; i < a->n && same; i++)
        same = !strcmp(a->list[i].key, b->list[i].key) && !strcmp(a->list[i].text, b->list[i].text) &&
               a->list[i].bare == b->list[i].bare;
    return same;
}

static void write_start_params(struct smi_json *j, const void *owner, const void *member)
{
    (void)member;
    if (has_same_params(owner))
        smi_json_bool(j, true);
    else
        smi_partial_write_field(j, &start_params, owner);
}

static void read_start_params(struct smi_partial_reader *g, const json_t *v, void *owner, void *member)
{
    struct smi_runlog *l = owner;
    if (!json_is_true(v)) {
        smi_partial_read_field(g, &start_params, v, l);
        return;
    }
    for (size_t i = 0; i < l->first.n && !g->bad; i++) {
        const struct smi_runlog_param *p = &l->first.list[i];
        struct smi_runlog_param copy = {smi_mem_text(p->key, strlen(p->key)),
                                        smi_mem_text(p->text, strlen(p->text)), p->bare};
        if (!copy.key || !copy.text || !add_param(g, l, member, &copy))
            smi_partial_read_nomem(g);
        smi_mem_free(copy.key);
        smi_mem_free(copy.text);
    }
}

static const struct smi_partial_codec start_params_codec = {write_start_params, read_start_params};

/* Of a run that was tracked. */
static const struct smi_partial_field usage_fields[] = {
    SMI_PARTIAL_RANGE(smi_runlog_usage, span_us, NULL, 0, SMI_PARTIAL_READING_MAX),
    SMI_PARTIAL_MEMBER(INT, smi_runlog_usage, cpu_us, .most = SMI_PARTIAL_READING_MAX,
                       .repeat = SMI_RUNLOG_USAGE_PARTS),
};
static const struct smi_partial_shape usage_times =
    SMI_PARTIAL_SHAPE("tracked", false, smi_runlog_usage, usage_fields);
static const struct smi_partial_field usage_most[] = {{.kind = SMI_PARTIAL_INT,
                                                       .size = sizeof(int64_t),
                                                       .least = -SMI_PARTIAL_READING_MAX,
                                                       .most = SMI_PARTIAL_READING_MAX}};

static void write_usage(struct smi_json *j, const void *owner, const void *member)
{
    const struct smi_runlog_usage *t = member;
    (void)owner;
    smi_json_open(j, '{');
    for (unsigned i = 0; i < SMI_RUNLOG_USAGE_METRICS; i++)
        if (t->has >> i & 1)
            smi_json_key_int(j, smi_metrics[SMI_TREE_CPU + i].key, t->max[i]);
    smi_json_key(j, "times");
    smi_partial_write_struct(j, &usage_times, t);
    smi_json_close(j, '}');
}

static void read_usage(struct smi_partial_reader *g, const json_t *o, void *owner, void *member)
{
    struct smi_runlog_usage *t = member;
    (void)owner;
    if (!o)
        return;
    for (unsigned i = 0; i < SMI_RUNLOG_USAGE_METRICS; i++) {
        const json_t *v = json_object_get(o, smi_metrics[SMI_TREE_CPU + i].key);
        if (!v)
            continue;
        smi_partial_read_field(g, usage_most, v, &t->max[i]);
        t->has |= 1u << i;
    }
    smi_partial_read_struct(g, json_object_get(o, "times"), &usage_times, t);
}

static const struct smi_partial_codec usage = {write_usage, read_usage};

/* ---- its phases ---- */

static const struct smi_partial_field phase_fields[] = {
    SMI_PARTIAL_NAME(smi_phase, name, NULL),
    SMI_PARTIAL_NUMBER(smi_phase, count, NULL),
    SMI_PARTIAL_NUMBER(smi_phase, span_us, NULL),
    SMI_PARTIAL_US(smi_phase, first_us, NULL),
};
static const struct smi_partial_shape phase_shape =
    SMI_PARTIAL_SHAPE("phases", false, smi_phase, phase_fields);

static bool add_phase(struct smi_partial_reader *g, void *owner, void *list, void *item)
{
    struct smi_phases *p = &((struct smi_runlog *)owner)->phases;
    const struct smi_phase *from = item;
    struct smi_text name = smi_text_of(from->name ? from->name : "");
    (void)list;
    if (!from->name || smi_phases_find(p, name) >= 0)
        return false;
    if (smi_phases_add(p, name, 0, 0, g->err)) {
        g->bad = true;
        return true;
    }
    p->phase[p->n - 1].count = from->count;
    p->phase[p->n - 1].span_us = from->span_us;
    p->phase[p->n - 1].first_us = from->first_us;
    return true;
}

static const struct smi_partial_field span_fields[] = {
    SMI_PARTIAL_RANGE(smi_span, name, NULL, 0, SMI_PHASE_NAMES - 1),
    SMI_PARTIAL_US(smi_span, from_us, NULL),
    SMI_PARTIAL_US(smi_span, to_us, NULL),
};
static const struct smi_partial_shape span_shape = SMI_PARTIAL_SHAPE("spans", false, smi_span, span_fields);

static bool add_span(struct smi_partial_reader *g, void *owner, void *list, void *item)
{
    struct smi_phases *p = &((struct smi_runlog *)owner)->phases;
    const struct smi_span *s = item;
    (void)list;
    if (s->name >= p->n || s->from_us >= s->to_us)
        return false;
    g->bad |= smi_phases_span(p, s->from_us, s->to_us, s->name, g->err) != 0;
    return true;
}

static const struct smi_partial_field span_items =
    SMI_PARTIAL_ITEMS(smi_runlog, phases.span, phases.spans, NULL, &span_shape, INT64_MAX, add_span, 0);

/* Without the gaps in their list. */
static void write_spans(struct smi_json *j, const void *owner, const void *member)
{
    const struct smi_phases *p = &((const struct smi_runlog *)owner)->phases;
    (void)member;
    smi_json_open(j, '[');
    for (size_t i = 0; i < p->spans; i++)
        if (p->span[i].from_us <= p->span[i].to_us)
            smi_partial_write_struct(j, &span_shape, &p->span[i]);
    smi_json_close(j, ']');
}

static void read_spans(struct smi_partial_reader *g, const json_t *v, void *owner, void *member)
{
    (void)member;
    smi_partial_read_field(g, &span_items, v, owner);
}

static const struct smi_partial_codec spans = {write_spans, read_spans};

static const struct smi_partial_field steps_fields[] = {
    SMI_PARTIAL_FLAG(smi_step_range, some, "some"),
    SMI_PARTIAL_US(smi_step_range, first_us, "first_us"),
    SMI_PARTIAL_US(smi_step_range, last_us, "last_us"),
    SMI_PARTIAL_RANGE(smi_step_range, first, "first", 0, SMI_PARTIAL_READING_MAX),
    SMI_PARTIAL_RANGE(smi_step_range, last, "last", 0, SMI_PARTIAL_READING_MAX),
};
static const struct smi_partial_shape steps_shape =
    SMI_PARTIAL_SHAPE("steps", true, smi_step_range, steps_fields);

static const struct smi_partial_field log_fields[] = {
    SMI_PARTIAL_COUNT(smi_runlog, entries, "entries"),
    SMI_PARTIAL_US(smi_runlog, first_us, "first_us"),
    SMI_PARTIAL_US(smi_runlog, last_us, "last_us"),
    SMI_PARTIAL_US(smi_runlog, first_ts_us, "first_ts_us"),
    SMI_PARTIAL_US(smi_runlog, last_ts_us, "last_ts_us"),
    SMI_PARTIAL_FLAG(smi_runlog, started, "started"),
    SMI_PARTIAL_FLAG(smi_runlog, ended, "ended"),
    SMI_PARTIAL_FLAG(smi_runlog, failed, "failed"),
    SMI_PARTIAL_FLAG(smi_runlog, has_exit, "has_exit"),
    SMI_PARTIAL_NUMBER(smi_runlog, exit_code, "exit_code"),
    SMI_PARTIAL_FLAG(smi_runlog, has_offset, "has_offset"),
    SMI_PARTIAL_RANGE(smi_runlog, offset_s, "offset_s", INT32_MIN, INT32_MAX),
    SMI_PARTIAL_NAME(smi_runlog, reason, "reason"),
    SMI_PARTIAL_NAME(smi_runlog, host, "host"),
    SMI_PARTIAL_NAME(smi_runlog, command, "command"),
    SMI_PARTIAL_WITH(smi_runlog, tracked, "tracked", &usage),
    SMI_PARTIAL_NAME(smi_runlog, visible, "visible"),
    SMI_PARTIAL_COUNT_IF(smi_runlog, recording, "recording"),
    SMI_PARTIAL_FLAG(smi_runlog, has_first_event, "has_first_event"),
    SMI_PARTIAL_NUMBER(smi_runlog, jax_peak, "jax_peak"),
    SMI_PARTIAL_NUMBER(smi_runlog, torch_peak, "torch_peak"),
    SMI_PARTIAL_PART_IF(smi_runlog, steps, steps.some, "steps", &steps_shape),
    SMI_PARTIAL_NUMBER(smi_runlog, event_other, "event_other"),
    SMI_PARTIAL_ITEMS(smi_runlog, event, events, "events", &event_shape, SMI_EVENT_NAMES, NULL, 0),
    PARAMS(first, "params", 0),
    SMI_PARTIAL_FLAG(smi_runlog, recorded, "recorded"),
    SMI_PARTIAL_WITH_IF(smi_runlog, started_with, started_with.n, "started_with", &start_params_codec),
    SMI_PARTIAL_NUMBER(smi_runlog, phases.unnamed, "unnamed"),
    SMI_PARTIAL_FLAG(smi_runlog, phases.over, "over"),
    SMI_PARTIAL_ITEMS(smi_runlog, phases.phase, phases.n, "phases", &phase_shape, SMI_PHASE_NAMES, add_phase,
                      0),
    SMI_PARTIAL_WITH(smi_runlog, phases, "spans", &spans),
};
static const struct smi_partial_shape log_shape = SMI_PARTIAL_SHAPE("log", true, smi_runlog, log_fields);

/* ---- the table ---- */

static const struct smi_partial_field input_fields[] = {
    SMI_PARTIAL_RANGE(smi_input_stats, base, "base", SMI_TIME_BASE_NONE, SMI_TIME_BASES - 1),
    SMI_PARTIAL_FLAG(smi_input_stats, keyed, "keyed"),
    SMI_PARTIAL_FLAG(smi_input_stats, timed, "timed"),
    SMI_PARTIAL_NUMBER(smi_input_stats, last_ms, "last_ms"),
    SMI_PARTIAL_NUMBER(smi_input_stats, first_ms, "first_ms"),
    SMI_PARTIAL_NUMBER(smi_input_stats, begin_ms, "begin_ms"),
    SMI_PARTIAL_RANGE(smi_input_stats, ahead_ms, "ahead_ms", -SMI_PARTIAL_DAY_MS, SMI_PARTIAL_DAY_MS),
    SMI_PARTIAL_FLAG(smi_input_stats, by_zone, "by_zone"),
    SMI_PARTIAL_RANGE(smi_input_stats, given.how, "given", SMI_TIMES_NONE, SMI_TIMES_SPREAD),
    SMI_PARTIAL_NUMBER(smi_input_stats, size, "size"),
    SMI_PARTIAL_RANGE(smi_input_stats, hash, "hash", INT64_MIN, INT64_MAX),
    SMI_PARTIAL_PART(smi_input_stats, account, "account", &account_shape),
    SMI_PARTIAL_WITH(smi_input_stats, account, "asked", &asked),
    SMI_PARTIAL_MEMBER(MAP, smi_input_stats, account.refused, .key = "refused", .map = &refused,
                       SMI_PARTIAL_IF(smi_input_stats, account.out_of_range)),
    SMI_PARTIAL_REPEATED(smi_input_stats, account.said, "said", SMI_LOG_WARNING_COUNT),
    SMI_PARTIAL_ITEMS(smi_input_stats, account.problem, account.problems, "problems", &problem_shape,
                      INT64_MAX, NULL, 0),
    SMI_PARTIAL_ITEMS(smi_input_stats, devices.list, devices.n, "devices", &device_shape, SMI_DEVICE_MAX,
                      NULL, 0),
    SMI_PARTIAL_MEMBER(TEXT, smi_input_stats, devices.all, .key = "name_of_all",
                       .flags = SMI_PARTIAL_OPTIONAL),
    SMI_PARTIAL_WITH(smi_input_stats, dts, "dts", &smi_partial_intervals),
    /* the time of the last row, which a message has */
    SMI_PARTIAL_MEMBER(INT, smi_input_stats, now_ms, .key = "now", .least = -SMI_PARTIAL_INT_MAX,
                       .most = SMI_PARTIAL_INT_MAX, SMI_PARTIAL_IF(smi_input_stats, has_now)),
    SMI_PARTIAL_ITEMS(smi_input_stats, faults.list, faults.n, "faults", &fault_shape, INT64_MAX, add_fault,
                      SMI_PARTIAL_OPTIONAL),
    SMI_PARTIAL_ITEMS(smi_input_stats, procs.list, procs.n, "processes", &proc_shape, SMI_PROCS_MAX,
                      add_process, SMI_PARTIAL_OPTIONAL),
    SMI_PARTIAL_COUNT_IF(smi_input_stats, account.unknown_columns, "unknown_columns"),
    SMI_PARTIAL_COUNT_IF(smi_input_stats, procs.others, "process_rows_left"),
    SMI_PARTIAL_PART_IF(smi_input_stats, log, log.entries, "log", &log_shape),
};
static const struct smi_partial_shape input_shape =
    SMI_PARTIAL_SHAPE("input", true, smi_input_stats, input_fields);

void smi_partial_write_input(struct smi_json *j, const struct smi_input_stats *p,
                             const struct smi_phases *phases)
{
    smi_json_open(j, '{');
    smi_json_key(j, "path");
    smi_partial_write_text(j, p->path);
    smi_json_key_str(j, "format", smi_format_infos[p->format].name);
    smi_partial_write_members(j, &input_shape, p);
    smi_json_key(j, "tracks");
    smi_json_open(j, '[');
    for (size_t i = 0; i < p->devices.n; i++)
        smi_partial_write_device(j, i < p->tracks ? p->track[i] : NULL, phases);
    smi_json_close(j, ']');
    smi_json_key(j, "host");
    smi_partial_write_device(j, p->host, phases);
    smi_json_key(j, "pool");
    smi_partial_write_device(j, p->pool, phases);
    smi_json_close(j, '}');
}

static int format_named(const json_t *v)
{
    for (int i = 0; i < SMI_FMT_COUNT && json_is_string(v); i++)
        if (strcmp(json_string_value(v), smi_format_infos[i].name) == 0)
            return i;
    return -1;
}

struct smi_input_stats *smi_partial_read_input(struct smi_partial_reader *g, const json_t *o)
{
    char *name = smi_partial_read_text(g, json_object_get(o, "path"));
    int of = format_named(json_object_get(o, "format"));
    struct smi_input_stats *p = of >= 0 && name ? smi_input_stats_new(name, of) : NULL;
    if (of < 0 || !name)
        smi_partial_read_fail(g, "a format that this version does not know");
    else if (!p)
        smi_partial_read_nomem(g);
    smi_mem_free(name);
    g->input = p;
    if (!p)
        return NULL;
    smi_partial_read_struct(g, o, &input_shape, p);
    p->has_now = json_is_integer(json_object_get(o, "now"));
    return p;
}

void smi_partial_read_devices(struct smi_partial_reader *g, const json_t *o, struct smi_input_stats *p)
{
    const json_t *tracks = json_object_get(o, "tracks");
    size_t n = json_array_size(tracks);
    if (n != p->devices.n) {
        smi_partial_read_fail(g, "tracks");
        return;
    }
    if (!smi_partial_read_reserve(g, &p->track, &p->tracks_cap, n, sizeof *p->track))
        return;
    g->input = p;
    p->tracks = n;
    smi_devices_tell_apart(&p->devices);
    for (size_t i = 0; i < n; i++)
        p->track[i] = smi_partial_read_device(g, json_array_get(tracks, i));
    p->host = smi_partial_read_device(g, json_object_get(o, "host"));
    p->pool = smi_partial_read_device(g, json_object_get(o, "pool"));
}
