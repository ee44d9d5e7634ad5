#include "aggregate/runlog.h"

#include "base/mem.h"
#include "base/err.h"

#include <stdio.h>
#include <string.h>

enum { WHY = 1024, COMMAND = 4096 /* bytes */ };

static bool has_name(const void *list, size_t place, const void *name)
{
    return smi_text_is(*(const struct smi_text *)name, ((const struct smi_event_count *)list)[place].name);
}

/* Returns its place in the list; r->events or more: it has none. Some of the list may come from a partial
 * summary, and are not in the map yet. */
static size_t count_event(struct smi_runlog *r, struct smi_text name, int64_t n)
{
    size_t at;
    while (r->by_name.n < r->events) {
        const char *known = r->event[r->by_name.n].name;
        smi_map_add(&r->by_name, smi_hash_bytes(known, strlen(known)), r->by_name.n);
    }
    at = smi_map_find(&r->by_name, smi_hash_bytes(name.p, name.n), has_name, r->event, &name);
    if (at != SMI_MAP_NONE) {
        r->event[at].n += n;
        return at;
    }
    if (r->events == SMI_EVENT_NAMES) {
        r->event_other += n;
        return r->events;
    }
    *SMI_MEM_ADD(r->event, r->events, r->events_cap) =
        (struct smi_event_count){smi_mem_text(name.p, name.n), n, 0};
    return r->events - 1;
}

/* The event with this place was at t_us. */
static void add_event_time(struct smi_runlog *r, size_t at, int64_t t_us)
{
    if (at >= r->events || r->event[at].ticks == SMI_EVENT_TIMES)
        return;
    r->event[at].ticks++;
    *SMI_MEM_ADD(r->tick, r->ticks, r->ticks_cap) = (struct smi_event_time){t_us, (uint32_t)at};
}

/* ---- parameters: the data of the first event. In a recording that is our own, which says of
 * machine and job only; there they are those of the first start that the command itself logs. ---- */

static void add_param(struct smi_runlog_params *to, struct smi_text key, struct smi_text text, bool bare)
{
    struct smi_runlog_param *p;
    for (size_t i = 0; i < to->n; i++)
        if (smi_text_is(key, to->list[i].key))
            return;
    if (to->n == SMI_PARAMS_MAX)
        return;
    p = SMI_MEM_ADD(to->list, to->n, to->cap);
    *p = (struct smi_runlog_param){smi_mem_text(key.p, key.n), smi_mem_text(text.p, text.n), bare};
}

static void add_params(struct smi_runlog_params *to, const struct smi_runlog_params *from)
{
    for (size_t i = 0; i < from->n; i++)
        add_param(to, smi_text_of(from->list[i].key), smi_text_of(from->list[i].text), from->list[i].bare);
}

static bool is_one_of(struct smi_text t, const char *const *list)
{
    for (; *list; list++)
        if (smi_text_is_nocase(t, *list))
            return true;
    return false;
}

/* What live and run write about machine and job: no parameter of the run. */
static bool is_recorder_fact(struct smi_text key)
{
    static const char *const facts[] = {"host", "hostname",    "user",    "utc_offset_s",
                                        "pid",  "exit_status", "command", "recording_number",
                                        NULL};
    static const char *const fronts[] = {"cuda_", "slurm_", "cgroup_", "gpu_names", "gpu_memory", NULL};
    for (size_t i = 0; fronts[i]; i++)
        if (smi_text_starts_nocase(key, fronts[i]))
            return true;
    return is_one_of(key, facts);
}

static void add_event_params(struct smi_runlog_params *to, const struct smi_mark *m)
{
    for (unsigned i = 0; i < m->fields; i++) {
        const struct smi_field *f = &m->field[i];
        if (f->in_data && !is_recorder_fact(f->key))
            add_param(to, f->key, f->text, !f->quoted && smi_text_is_bare(f->text));
    }
}

static void add_run_params(struct smi_runlog *r, const struct smi_mark *m, bool start)
{
    bool pid = false, offset = false;
    if (start && r->started_with.n == 0)
        add_event_params(&r->started_with, m);
    if (r->has_first_event)
        return;
    for (unsigned i = 0; i < m->fields; i++) {
        pid |= m->field[i].in_data && smi_text_is(m->field[i].key, "pid");
        offset |= m->field[i].in_data && smi_text_is(m->field[i].key, "utc_offset_s");
    }
    r->has_first_event = true;
    r->recorded = start && pid && offset; /* the start of a recording */
    add_event_params(&r->first, m);
}

const struct smi_runlog_params *smi_runlog_params(const struct smi_runlog *r)
{
    return r->recorded && r->first.n == 0 ? &r->started_with : &r->first;
}

static void free_params(struct smi_runlog_params *p)
{
    for (size_t i = 0; i < p->n; i++) {
        smi_mem_free(p->list[i].key);
        smi_mem_free(p->list[i].text);
    }
    smi_mem_free(p->list);
}

/* ---- what a tracker tells of its command ---- */

static const int64_t usage_max = INT64_C(1) << 60; /* what tells of more tells nothing */

/* The number of a key of the event's data; false: there is none. */
static bool read_number(const struct smi_mark *m, const char *key, int64_t *micro)
{
    for (unsigned i = 0; i < m->fields; i++)
        if (m->field[i].in_data && m->field[i].number && smi_text_is(m->field[i].key, key)) {
            *micro = m->field[i].micro;
            return *micro >= 0 && *micro <= usage_max;
        }
    return false;
}

static void raise_max(struct smi_runlog_usage *t, unsigned i, int64_t v)
{
    if (!(t->has >> i & 1) || v > t->max[i])
        t->max[i] = v;
    t->has |= 1u << i;
}

static void read_max(struct smi_runlog_usage *t, const struct smi_field *f)
{
    struct smi_text key;
    if (!f->in_data || !f->number || f->micro < 0 || f->micro > usage_max ||
        !smi_text_starts_nocase(f->key, "max_"))
        return;
    key = smi_text_from(f->key, 4);
    if (smi_text_is(key, "rss_mib")) /* all of it has as much as one of it */
        raise_max(t, SMI_TREE_RAM - SMI_TREE_CPU, f->micro);
    for (unsigned i = 0; i < SMI_RUNLOG_USAGE_METRICS; i++)
        if (smi_text_is(key, smi_metrics[SMI_TREE_CPU + i].key))
            raise_max(t, i, f->micro);
}

static int64_t add_capped(int64_t a, int64_t b)
{
    return a > usage_max - b ? usage_max : a + b;
}

static void merge_usage(struct smi_runlog_usage *a, const struct smi_runlog_usage *b)
{
    for (unsigned i = 0; i < SMI_RUNLOG_USAGE_METRICS; i++)
        if (b->has >> i & 1)
            raise_max(a, i, b->max[i]);
    a->span_us = add_capped(a->span_us, b->span_us);
    for (int i = 0; i < SMI_RUNLOG_USAGE_PARTS; i++)
        a->cpu_us[i] = add_capped(a->cpu_us[i], b->cpu_us[i]);
}

static void add_usage(struct smi_runlog_usage *t, const struct smi_mark *m)
{
    static const char *const keys[SMI_RUNLOG_USAGE_PARTS] = {"cpu_s", "cpu_main_s", "cpu_children_s"};
    int64_t span = 0, cpu[SMI_RUNLOG_USAGE_PARTS] = {0};
    bool all = read_number(m, "seconds", &span) && span > 0;
    for (unsigned i = 0; i < m->fields; i++)
        read_max(t, &m->field[i]);
    for (int i = 0; i < SMI_RUNLOG_USAGE_PARTS && all; i++)
        all = read_number(m, keys[i], &cpu[i]);
    if (all)
        merge_usage(t, &(struct smi_runlog_usage){.span_us = span, .cpu_us = {cpu[0], cpu[1], cpu[2]}});
}

/* ---- events ---- */

/* The first of one name, else of the other (or NULL). */
static const struct smi_field *find_field(const struct smi_mark *m, const char *key, const char *other)
{
    for (unsigned i = 0; i < m->fields; i++)
        if (smi_text_is(m->field[i].key, key))
            return &m->field[i];
    return other ? find_field(m, other, NULL) : NULL;
}

static void extend_steps(struct smi_step_range *to, const struct smi_step_range *r)
{
    if (!r->some)
        return;
    if (!to->some || r->first_us < to->first_us) {
        to->first_us = r->first_us;
        to->first = r->first;
    }
    if (!to->some || r->last_us >= to->last_us) {
        to->last_us = r->last_us;
        to->last = r->last;
    }
    to->some = true;
}

/* Numbers of an entry that tell of the whole run. Of the first three one is the step: W&B counts its lines of
 * history, and trainers what they call so. The others are the framework's own peak: bytes, or MiB. */
enum { PEAK_BYTES = 3, PEAK_TORCH, PEAK_JAX, NUMBERS };
static const struct smi_text number_keys[NUMBERS] = {{"step", 4},
                                                     {"global_step", 11},
                                                     {"_step", 5},
                                                     {"peak_bytes_in_use", 17},
                                                     {"torch_max_memory_allocated", 26},
                                                     {"jax_peak_bytes_mb", 17}};

static void read_numbers(struct smi_runlog *r, const struct smi_mark *m)
{
    const struct smi_field *step = NULL;
    int best = PEAK_BYTES;
    for (unsigned i = 0; i < m->fields; i++) {
        const struct smi_field *f = &m->field[i];
        int k = f->number ? 0 : NUMBERS;
        /* every number of every entry is looked at: lengths tell nearly all of them apart */
        while (k < NUMBERS &&
               (f->key.n != number_keys[k].n || memcmp(f->key.p, number_keys[k].p, f->key.n) != 0))
            k++;
        if (k < best && f->in_data && f->micro >= 0 && f->micro <= usage_max) {
            best = k;
            step = f;
        } else if (k >= PEAK_BYTES && k < NUMBERS) {
            int64_t *to = k == PEAK_TORCH ? &r->torch_peak : &r->jax_peak;
            const int64_t mib = k == PEAK_JAX ? f->micro : (int64_t)smi_i128_div(f->micro, 1 << 20);
            *to = mib > *to ? mib : *to;
        }
    }
    if (step)
        extend_steps(&r->steps, &(struct smi_step_range){true, m->t_us, m->t_us, step->micro, step->micro});
}

/* Why it failed, in the log's own words. */
static struct smi_text failure_reason(const struct smi_mark *m)
{
    static const char *const keys[] = {"message", "msg", "error", "exception", "reason", "type", NULL};
    static const char *const memory[] = {"out of memory", "RESOURCE_EXHAUSTED", "OutOfMemory", NULL};
    struct smi_text t = m->name;
    for (unsigned i = 0; i < m->fields; i++)
        for (struct smi_text rest = m->field[i].text; rest.n; rest.p++, rest.n--)
            for (size_t k = 0; memory[k]; k++)
                if (smi_text_starts_nocase(rest, memory[k]))
                    return smi_text_of("out of memory");
    if (smi_text_is_nocase(t, "oom"))
        return smi_text_of("out of memory");
    for (size_t k = 0; keys[k]; k++) {
        const struct smi_field *f = NULL; /* of what the entry says: its own "type" is "event" */
        for (unsigned i = 0; i < m->fields && !f; i++)
            if (smi_text_is(m->field[i].key, keys[k]) &&
                (m->field[i].in_data || strcmp(keys[k], "type") != 0))
                f = &m->field[i];
        if (f && f->quoted && f->text.n)
            return smi_text_prefix(f->text, WHY);
    }
    return smi_text_prefix(t, WHY);
}

static void set_text(char **to, struct smi_text t)
{
    if (!*to)
        *to = smi_mem_text(t.p, t.n);
}

static void read_start_event(struct smi_runlog *r, const struct smi_mark *m)
{
    const struct smi_field *f = find_field(m, "utc_offset_s", NULL);
    r->started = true;
    if (f && f->number && !r->has_offset && f->micro % 1000000 == 0 && f->micro / 1000000 >= -64800 &&
        f->micro / 1000000 <= 64800) {
        r->has_offset = true;
        r->offset_s = (int)(f->micro / 1000000);
    }
    f = find_field(m, "recording_number", NULL);
    if (f && f->number && f->micro > 0)
        r->recording = f->micro / 1000000;
    f = find_field(m, "CUDA_VISIBLE_DEVICES", "cuda_visible_devices");
    if (f && f->text.n)
        set_text(&r->visible, f->text);
    f = find_field(m, "command", NULL);
    if (f && f->quoted && f->text.n)
        set_text(&r->command, smi_text_prefix(f->text, COMMAND));
    f = find_field(m, "host", "hostname");
    if (f && f->quoted && f->text.n)
        set_text(&r->host, f->text);
}

static void read_stop_event(struct smi_runlog *r, const struct smi_mark *m)
{
    const struct smi_field *f = find_field(m, "exit_status", NULL);
    char text[SMI_EXIT_TEXT];
    add_usage(&r->tracked, m);
    if (!f || !f->number || f->micro % 1000000)
        return;
    r->has_exit = true;
    if (r->exit_code == 0) /* of several, as of the nodes of a job, the first failure */
        r->exit_code = f->micro / 1000000;
    if (r->exit_code == 0)
        return;
    r->failed = true;
    set_text(&r->reason, smi_text_of(smi_exit_text(text, r->exit_code)));
}

/* An alert that live recorded is known by what it was about, "alert idle (GPU 2)", and its end, with " over":
 * in a list of names alone all of them would be one. */
static struct smi_text alert_name(const struct smi_mark *m, char *to, size_t room)
{
    const struct smi_field *rule = find_field(m, "rule", NULL), *state = find_field(m, "state", NULL),
                           *gpu = find_field(m, "gpu", NULL), *who = find_field(m, "gpu", "monitor");
    int n;
    if (!rule || !state || !who || rule->text.n > 40 || who->text.n > 40)
        return m->name;
    n = snprintf(to, room, "alert %.*s (%s%.*s)%s", (int)rule->text.n, rule->text.p, gpu ? "GPU " : "",
                 (int)who->text.n, who->text.p, smi_text_is(state->text, "ends") ? " over" : "");
    return n > 0 && (size_t)n < room ? (struct smi_text){to, (size_t)n} : m->name;
}

static void add_event(struct smi_runlog *r, const struct smi_mark *m)
{
    static const char *const failures[] = {"error", "exception", "failed", "oom", "killed", NULL};
    static const char *const ends[] = {"stop", "end", "done", "finished", "complete", NULL};
    char room[128];
    struct smi_text name = smi_text_is(m->name, "alert") ? alert_name(m, room, sizeof room) : m->name;
    size_t at = count_event(r, name, 1);
    const bool start = smi_text_is_nocase(m->name, "start"),
               fresh = at >= r->events || r->event[at].n == 1; /* else its name has said it already */
    add_event_time(r, at, m->t_us);
    add_run_params(r, m, start);
    if (start)
        read_start_event(r, m);
    if (smi_text_is_nocase(m->name, "stop"))
        read_stop_event(r, m);
    r->ended |= fresh && is_one_of(m->name, ends);
    if (!fresh || !is_one_of(m->name, failures))
        return;
    r->failed = true;
    set_text(&r->reason, failure_reason(m));
}

void smi_runlog_add(struct smi_runlog *r, const struct smi_mark *m)
{
    bool some = r->entries > 0;
    if (m->kind == SMI_MARK_BREAK)
        return;
    smi_widen(&some, &r->first_us, &r->last_us, m->t_us - m->span_us, m->t_us);
    if (r->entries == 0)
        r->first_ts_us = m->t_us;
    r->last_ts_us = m->t_us;
    r->entries++;
    read_numbers(r, m);
    if (m->kind == SMI_MARK_PHASE)
        smi_phases_add(&r->phases, m->name, m->t_us, m->span_us);
    else
        add_event(r, m);
}

void smi_runlog_merge_facts(struct smi_runlog *a, const struct smi_runlog *b)
{
    char **const text[] = {&a->reason, &a->command, &a->visible, &a->host};
    char *const from[] = {b->reason, b->command, b->visible, b->host};
    bool some = a->entries > 0;
    size_t *place;
    if (b->entries == 0)
        return;
    smi_widen(&some, &a->first_us, &a->last_us, b->first_us, b->last_us);
    if (a->entries == 0)
        a->first_ts_us = b->first_ts_us;
    a->last_ts_us = b->last_ts_us;
    a->entries += b->entries;
    a->started |= b->started;
    a->ended |= b->ended;
    a->failed |= b->failed;
    a->has_exit |= b->has_exit;
    if (a->exit_code == 0)
        a->exit_code = b->exit_code;
    if (b->recording)
        a->recording = b->recording;
    merge_usage(&a->tracked, &b->tracked);
    extend_steps(&a->steps, &b->steps);
    if (!a->has_offset && b->has_offset) {
        a->has_offset = true;
        a->offset_s = b->offset_s;
    }
    a->jax_peak = b->jax_peak > a->jax_peak ? b->jax_peak : a->jax_peak;
    a->torch_peak = b->torch_peak > a->torch_peak ? b->torch_peak : a->torch_peak;
    for (size_t i = 0; i < sizeof text / sizeof *text; i++)
        if (from[i])
            set_text(text[i], smi_text_of(from[i]));
    place = smi_mem_new(b->events, sizeof *place);
    a->event_other += b->event_other;
    for (size_t i = 0; i < b->events; i++)
        place[i] = count_event(a, smi_text_of(b->event[i].name), b->event[i].n);
    for (size_t i = 0; i < b->ticks; i++)
        add_event_time(a, place[b->tick[i].event], b->tick[i].t_us);
    smi_mem_free(place);
    if (a->started_with.n == 0)
        add_params(&a->started_with, &b->started_with);
    if (!a->has_first_event)
        add_params(&a->first, &b->first);
    a->recorded = a->has_first_event ? a->recorded : b->recorded;
    a->has_first_event |= b->has_first_event;
}

void smi_runlog_merge(struct smi_runlog *a, const struct smi_runlog *b)
{
    smi_runlog_merge_facts(a, b);
    smi_phases_merge(&a->phases, &b->phases);
}

void smi_runlog_fini(struct smi_runlog *r)
{
    for (size_t i = 0; i < r->events; i++)
        smi_mem_free(r->event[i].name);
    free_params(&r->first);
    free_params(&r->started_with);
    smi_mem_free(r->event);
    smi_mem_free(r->tick);
    smi_map_fini(&r->by_name);
    smi_mem_free(r->reason);
    smi_mem_free(r->host);
    smi_mem_free(r->command);
    smi_mem_free(r->visible);
    smi_phases_fini(&r->phases);
    *r = (struct smi_runlog){0};
}
