/* machine.c - sources, GPUs and events of the machine, and the passing of time; bytes of a source become
 * readings of GPUs and processes. */
#include "live/machine.h"

#include "formats/file_group.h"
#include "summary/findings.h"
#include "summary/gpus.h"

#include <stdio.h>
#include <time.h>

enum { ENOUGH = 8 /* rows, to know how often they come */ };

const uint16_t smi_history_metric[SMI_HISTORY_MARK] = {
    [SMI_HISTORY_UTIL] = SMI_GPU_UTIL, [SMI_HISTORY_FB_USED] = SMI_FB_USED, [SMI_HISTORY_POWER] = SMI_POWER,
    [SMI_HISTORY_TEMP] = SMI_TEMP_GPU, [SMI_HISTORY_CLOCK] = SMI_CLK_SM,    [SMI_HISTORY_CPU] = SMI_CPU_PCT,
};
const char *const smi_event_kinds[] = {"info", "ok", "event", "phase", "warn", "error"};

/* The offset of local times is this machine's of now, if nobody said another. */
static void update_offset(struct smi_machine *n)
{
    time_t now = time(NULL);
    struct tm tm;
    if (!n->o.has_offset)
        n->o.offset_s = localtime_r(&now, &tm) ? (int)tm.tm_gmtoff : 0;
}

struct smi_machine *smi_machine_new(const struct smi_machine_opts *o)
{
    struct smi_machine *n = smi_mem_new(1, sizeof *n);
    n->o = *o;
    memcpy(n->condition, smi_conditions, sizeof n->condition);
    for (int slot = 0; slot < SMI_HISTORY_MARK; slot++)
        n->counted[smi_history_metric[slot]] = true;
    for (int m = SMI_CPU_USR; m < SMI_METRIC_COUNT; m++) /* of the machine and its processes */
        n->counted[m] = true;
    update_offset(n);
    n->host.index = -1;
    n->host.mine = true;
    return n;
}

static void free_histories(struct smi_live_gpu *b)
{
    for (int i = 0; i < SMI_HISTORY_SLOTS; i++)
        smi_history_fini(&b->ring[i]);
}

static void free_gpu(struct smi_live_gpu *b)
{
    free_histories(b);
    smi_mem_free(b);
}

void smi_machine_free(struct smi_machine *n)
{
    if (!n)
        return;
    for (size_t i = 0; i < n->sources; i++) {
        struct smi_live_source *s = n->source[i];
        smi_ingest_close(s->in);
        smi_input_stats_free(s->part);
        smi_mem_free(s->of);
        smi_mem_free(s->head);
        smi_mem_free(s);
    }
    for (size_t i = 0; i < n->gpus; i++)
        free_gpu(n->gpu[i]);
    free_histories(&n->host);
    smi_mem_free(n->source);
    smi_mem_free(n->gpu);
    smi_mem_free(n->alert);
    smi_mem_free(n->procs[0].proc);
    smi_mem_free(n->procs[1].proc);
    smi_arena_fini(&n->arena);
    smi_mem_free(n);
}

/* ---- runs ---- */

static void set_label(const struct smi_machine *n, struct smi_live_gpu *b)
{
    const struct smi_machine_run *run = n->many_runs ? b->run : NULL;
    const char *of = run ? run->name : "", *host = run && n->many_hosts && run->host ? run->host : "";
    host = n->many_machines && b->serial ? b->serial : host;
    size_t size = strlen(of);
    char index[16];
    snprintf(index, sizeof index, "%d", b->index);
    of += size > 26 ? size - 26 : 0; /* the end of a path differs most */
    snprintf(b->label, sizeof b->label, "GPU %.*s%s%s%s%.24s", *of ? 14 : 36, host, *host ? ":" : "", of,
             *of ? "/" : "",
             b->index >= 0 ? index
             : b->bus      ? b->bus
             : b->uuid     ? b->uuid
                           : "?");
}

/* The names of runs, without what all paths have in common, and the labels of GPUs: call it when a log has
 * found its run, or a run its host. */
static void name_runs(struct smi_machine *n)
{
    const struct smi_machine_run *first = NULL;
    const char *host = NULL;
    size_t same = 0;
    n->many_runs = n->many_hosts = false;
    for (size_t i = 0; i < n->sources; i++) {
        const struct smi_machine_run *r = n->source[i]->run;
        if (!r)
            continue;
        same = first ? same : strlen(r->dir);
        first = first ? first : r;
        n->many_runs |= r != first;
        for (size_t k = 0; k <= same && r != first; k++)
            if (r->dir[k] != first->dir[k] || !r->dir[k])
                same = k;
        n->many_hosts |= host && r->host && strcmp(host, r->host) != 0;
        host = r->host ? r->host : host;
    }
    while (same && first->dir[same - 1] != '/')
        same--;
    for (size_t i = 0; i < n->sources; i++)
        if (n->source[i]->run)
            n->source[i]->run->name = n->source[i]->run->dir + same;
    for (size_t i = 0; i < n->gpus; i++)
        set_label(n, n->gpu[i]);
}

/* The run with this path, made if it is new. */
static struct smi_machine_run *find_run(struct smi_machine *n, const char *dir, size_t size)
{
    struct smi_machine_run *r = n->run;
    while (r && !smi_text_equal(smi_text_of(r->dir), (struct smi_text){dir, size}))
        r = r->next;
    if (r)
        return r;
    r = smi_arena_new(&n->arena, 1, sizeof *r);
    dir = smi_arena_text(&n->arena, dir, size);
    *r = (struct smi_machine_run){.dir = dir, .name = dir, .next = n->run};
    return n->run = r;
}

/* The directory of a followed log, or the name of a stream. */
static struct smi_text directory_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash                    ? (struct smi_text){path, (size_t)(slash - path)}
           : strcmp(path, "-") == 0 ? smi_text_of(path)
                                    : smi_text_of(".");
}

struct smi_live_source *smi_machine_add_source(struct smi_machine *n, const char *name, int format,
                                               int64_t interval_ms)
{
    struct smi_live_source *s = smi_mem_new(1, sizeof *s);
    s->name = smi_arena_text(&n->arena, name, strlen(name));
    s->format = format;
    s->interval_ms = interval_ms;
    s->follows = interval_ms == 0;
    s->now = n;
    s->place = (int)n->sources;
    s->last_who = -1;
    s->run = n->o.follow ? find_run(n, directory_of(name).p, directory_of(name).n) : NULL;
    *SMI_MEM_ADD(n->source, n->sources, n->sources_cap) = s;
    if (s->run)
        name_runs(n);
    return s;
}

void smi_live_source_state(struct smi_live_source *s, enum smi_live_source_state state, const char *why)
{
    const struct smi_machine *n = s->now;
    s->restarts += state == SMI_SOURCE_STARTING && s->bytes > 0;
    if (state == SMI_SOURCE_DOWN && (s->state == SMI_SOURCE_READING || s->state == SMI_SOURCE_SILENT)) {
        memmove(s->fell_mono_ms + 1, s->fell_mono_ms, sizeof s->fell_mono_ms - sizeof *s->fell_mono_ms);
        *s->fell_mono_ms = n->mono_ms;
    }
    s->state = state;
    s->read_mono_ms = n->mono_ms;
    s->gone &= state == SMI_SOURCE_ENDED;
    snprintf(s->why, sizeof s->why, "%s", why ? why : "");
}

bool smi_live_source_is_forgotten(const struct smi_live_source *s)
{
    const struct smi_machine *n = s->now;
    return s->gone || (s->follows && n->o.forget_ms && n->mono_ms - s->seen_mono_ms > n->o.forget_ms);
}

bool smi_live_source_is_over(const struct smi_live_source *s)
{
    return s->state == SMI_SOURCE_ENDED || (s->run && s->run->ended);
}

/* ---- GPUs ---- */

/* What a log tells of a GPU that others did not. */
static void learn_identity(struct smi_machine *n, struct smi_live_gpu *b, const struct smi_device *d)
{
    const struct {
        const char **to, *from;
    } what[] = {{&b->uuid, d->key[SMI_DEVICE_KEY_UUID]},
                {&b->bus, d->key[SMI_DEVICE_KEY_BUS]},
                {&b->serial, d->key[SMI_DEVICE_KEY_SERIAL]},
                {&b->name, d->name}};
    for (size_t i = 0; i < sizeof what / sizeof *what; i++) {
        if (!*what[i].to && what[i].from)
            *what[i].to = smi_arena_text(&n->arena, what[i].from, strlen(what[i].from));
    }
    if (b->index < 0)
        b->index = smi_device_index(d);
    for (size_t i = 0; i < n->gpus && b->serial && b->index >= 0 && !n->many_machines; i++)
        n->many_machines = n->gpu[i]->run == b->run && n->gpu[i]->index == b->index && n->gpu[i]->serial &&
                           strcmp(n->gpu[i]->serial, b->serial) != 0;
    for (size_t i = 0; i < n->gpus && n->many_machines; i++)
        set_label(n, n->gpu[i]);
    set_label(n, b);
}

static bool is_before(const struct smi_machine *n, const struct smi_live_gpu *a, const struct smi_live_gpu *b)
{
    if (a->run != b->run && a->run && b->run)
        return strcmp(a->run->dir, b->run->dir) < 0;
    if (n->many_machines && a->serial && b->serial && strcmp(a->serial, b->serial) != 0)
        return strcmp(a->serial, b->serial) < 0;
    if (a->index != b->index)
        return b->index < 0 || (a->index >= 0 && a->index < b->index);
    return a->uuid && b->uuid && smi_device_compare_keys(SMI_DEVICE_KEY_UUID, a->uuid, b->uuid) < 0;
}

/* By insertion: nearly all stand where they belong. */
static void sort_gpus(struct smi_machine *n)
{
    for (size_t i = 0; i < n->gpus; i++) {
        struct smi_live_gpu *b = n->gpu[i];
        size_t k = i;
        for (; k > 0 && is_before(n, b, n->gpu[k - 1]); k--)
            n->gpu[k] = n->gpu[k - 1];
        n->gpu[k] = b;
    }
}

/* Finds the runs of all logs in the directory of s, as summarize does by their names. */
static void find_runs(struct smi_machine *n, const struct smi_live_source *s)
{
    struct smi_text dir = directory_of(s->name);
    struct smi_arena texts = {0};
    struct smi_file_group_member *log = smi_mem_new(n->sources, sizeof *log);
    struct smi_buf path = {0};
    size_t logs = 0;
    for (size_t i = 0; i < n->sources; i++) {
        struct smi_live_source *o = n->source[i];
        struct smi_text own = directory_of(o->name);
        if (o->grouped && smi_text_equal(own, dir))
            log[logs++] = (struct smi_file_group_member){
                .name = smi_file_name(o->name), .format = o->format, .entry = (const void *)o};
    }
    if (logs > 1)
        smi_file_group_name_runs(&texts, log, logs);
    for (size_t i = 0; i < logs && logs > 1; i++) {
        smi_buf_clear(&path);
        smi_buf_add(&path, dir.p, dir.n);
        smi_buf_fmt(&path, "%s%s", *log[i].stem ? "/" : "", log[i].stem);
        struct smi_machine_run *run = find_run(n, path.p, path.n);
        struct smi_live_source *o = (struct smi_live_source *)(uintptr_t)log[i].entry;
        for (size_t d = 0; d < o->nof; d++) /* so do its GPUs */
            if (o->of[d] && o->of[d]->run == o->run)
                o->of[d]->run = run;
        o->run = run;
    }
    if (logs > 1) {
        name_runs(n);
        sort_gpus(n);
    }
    smi_buf_fini(&path);
    smi_arena_fini(&texts);
    smi_mem_free(log);
}

/* n->gpu[at] turns out to be b, which is found from now on. */
static void replace(struct smi_machine *n, size_t at, struct smi_live_gpu *b)
{
    struct smi_live_gpu *old = n->gpu[at];
    for (size_t i = 0; i < n->sources; i++)
        for (size_t k = 0; k < n->source[i]->nof; k++)
            if (n->source[i]->of[k] == old)
                n->source[i]->of[k] = b;
    for (size_t i = 0; i < 2; i++)
        for (size_t k = 0; k < n->procs[i].n; k++)
            if (n->procs[i].proc[k].gpu == old)
                n->procs[i].proc[k].gpu = b;
    if (old->fault_mono_ms > b->fault_mono_ms) {
        memcpy(b->fault, old->fault, sizeof b->fault);
        b->fault_mono_ms = old->fault_mono_ms;
    }
    b->faults |= old->faults;
    n->gpus--;
    memmove(n->gpu + at, n->gpu + at + 1, (n->gpus - at) * sizeof *n->gpu);
    free_gpu(old);
}

/* The GPU that d speaks of, made if it is new; NULL past SMI_MACHINE_GPUS_MAX. b: the
 * one that it was so far, or NULL. */
static struct smi_live_gpu *find_gpu(struct smi_machine *n, struct smi_live_gpu *b,
                                     const struct smi_machine_run *run, const struct smi_device *d)
{
    const struct smi_gpu_keys keys = smi_device_keys(d);
    bool sorted;
    for (size_t i = 0; i < n->gpus && !b; i++) {
        struct smi_live_gpu *o = n->gpu[i];
        const bool here = run == o->run; /* other machines have GPUs with the same bus id and index */
        const struct smi_gpu_keys of = {o->uuid, here ? o->bus : NULL, o->serial, here ? o->index : -1};
        if (smi_gpu_keys_match(&of, &keys) == SMI_GPU_SAME)
            b = o;
    }
    if (!b && n->gpus == SMI_MACHINE_GPUS_MAX) {
        if (!n->more_gpus)
            smi_machine_add_event(n, SMI_EVENT_WARN,
                                  "more than %d GPUs: the others are not shown, and in no sum",
                                  SMI_MACHINE_GPUS_MAX);
        n->more_gpus = true;
        return NULL;
    }
    sorted = b && b->index >= 0;
    if (!b) {
        b = *SMI_MEM_ADD(n->gpu, n->gpus, n->gpus_cap) = smi_mem_new(1, sizeof *b);
        *b = (struct smi_live_gpu){.id = n->met++, .index = -1, .run = run, .mine = true};
    }
    learn_identity(n, b, d);
    if (!sorted)
        sort_gpus(n); /* it is new, or turns out to have an index */
    /* dmon knows the index only, a list of processes the uuid only, the message of a lost GPU the bus id
     * only: where they come before a log that has all, a GPU was met twice. List and message gave it no
     * reading. */
    for (size_t i = n->gpus; i-- > 0;) {
        const struct smi_live_gpu *o = n->gpu[i];
        const bool here = o->index < 0 && (o->run == b->run || !o->run);
        const struct smi_gpu_keys one = {o->uuid, here ? o->bus : NULL, o->serial, -1},
                                  other = {b->uuid, b->bus, b->serial, b->index};
        if (o != b && o->rows == 0 && smi_gpu_keys_match(&one, &other) == SMI_GPU_SAME)
            replace(n, i, b);
    }
    return b;
}

/* The GPU that device number `who` of a source is, made if it is new; or the machine. NULL for rows of
 * nobody, and past SMI_MACHINE_GPUS_MAX. */
static struct smi_live_gpu *gpu_of_device(struct smi_machine *n, struct smi_live_source *s, int who)
{
    if (who == SMI_DEVICE_HOST)
        return &n->host;
    if (who < 0)
        return NULL;
    for (size_t i = 0; i < s->nof && s->changes != s->part->devices.changes; i++)
        if (s->of[i])
            s->of[i] = find_gpu(n, s->of[i], s->run, &s->part->devices.list[i]);
    s->changes = s->part->devices.changes;
    if ((size_t)who < s->nof && s->of[who])
        return s->of[who];
    smi_mem_reserve(&s->of, &s->of_cap, (size_t)who + 1, sizeof *s->of);
    s->nof = s->nof > (size_t)who + 1 ? s->nof : (size_t)who + 1;
    return s->of[who] = find_gpu(n, NULL, s->run, &s->part->devices.list[who]);
}

/* ---- time ---- */

int64_t smi_machine_now(const struct smi_machine *n)
{
    return n->timed && !n->o.follow ? n->t_ms : smi_clock_utc_ms();
}

int64_t smi_machine_gpu_now(const struct smi_machine *n, const struct smi_live_gpu *b)
{
    return n->o.follow && b->seen ? b->seen_t_ms + (n->mono_ms - b->seen_mono_ms) : n->t_ms;
}

int64_t smi_machine_age(const struct smi_machine *n, const struct smi_live_gpu *b)
{
    return b->seen ? n->mono_ms - b->seen_mono_ms : -1;
}

int64_t smi_machine_stale_after(int64_t interval_ms)
{
    return SMI_MACHINE_STALE_INTERVALS * (interval_ms > 1000 ? interval_ms : 1000);
}

/* From which age on the readings of a source are old. Nobody says how often a followed log is written: its
 * rows show it, and its deliveries how many of them its writer holds back. */
static int64_t source_limit(const struct smi_live_source *s)
{
    if (!s->now->o.follow)
        return smi_machine_stale_after(s->interval_ms);
    if (s->readings < ENOUGH || !s->interval_ms)
        return smi_machine_stale_after(SMI_MACHINE_UNKNOWN_MS);
    return smi_machine_stale_after(s->interval_ms) + s->batch_ms + s->batch_ms / 2;
}

const struct smi_machine_reading *smi_machine_reading_of(const struct smi_machine *n,
                                                         const struct smi_live_gpu *b, unsigned metric)
{
    const struct smi_machine_reading *r = &b->latest[metric];
    const struct smi_live_source *s = r->has ? n->source[r->source] : NULL;
    /* A row without a time that was there before we looked is as old as the GPU's last row with one. */
    return s && !(s->backlog && b->state == SMI_GPU_STALE) && n->mono_ms - r->mono_ms <= source_limit(s)
               ? r
               : NULL;
}

const struct smi_machine_run *smi_machine_run_of(const struct smi_machine *n, int gpu, int source)
{
    return gpu >= 0 ? n->gpu[gpu]->run : source >= 0 ? n->source[source]->run : NULL;
}

const char *smi_machine_lost_reason(const struct smi_live_gpu *b)
{
    return b->unlisted ? "the driver no longer lists it" : "it has fallen off the bus";
}

/* Has a monitor that had rows of this GPU listed only others for some intervals? */
static bool is_unlisted(const struct smi_machine *n, const struct smi_live_gpu *b)
{
    for (size_t i = 0; i < n->sources && n->o.here && b != &n->host; i++) {
        const struct smi_live_source *s = n->source[i];
        int64_t from = b->row_mono_ms > s->steady_mono_ms ? b->row_mono_ms : s->steady_mono_ms;
        if (s->state != SMI_SOURCE_READING || s->follows || !s->lists_gpus ||
            s->seen_mono_ms - from <= smi_machine_stale_after(s->interval_ms))
            continue;
        for (size_t k = 0; k < s->nof; k++)
            if (s->of[k] == b)
                return true;
    }
    return false;
}

/* How old the last reading of a GPU with rows from s may be. */
static int64_t age_limit(const struct smi_live_gpu *b, const struct smi_live_source *s)
{
    const int64_t own = smi_machine_stale_after(b->pitch_ms),
                  limit = s->follows && s->readings < ENOUGH ? smi_machine_stale_after(SMI_MACHINE_UNKNOWN_MS)
                                                             : source_limit(s);
    return own > limit ? own : limit;
}

static void update_age(struct smi_machine *n, struct smi_live_gpu *b)
{
    if (!b->seen)
        return;
    if (b->state == SMI_GPU_OK && smi_machine_age(n, b) > age_limit(b, n->source[b->source]))
        b->state = SMI_GPU_STALE;
    if (b->state == SMI_GPU_STALE && is_unlisted(n, b)) {
        b->state = SMI_GPU_LOST;
        b->unlisted = true;
        smi_machine_add_event(n, SMI_EVENT_ERROR, "%s lost: %s", b->label, smi_machine_lost_reason(b));
    }
}

/* Does another log of its run grow? */
static bool is_accompanied(const struct smi_machine *n, const struct smi_live_source *s)
{
    for (size_t i = 0; i < n->sources; i++)
        if (n->source[i] != s && n->source[i]->run == s->run && n->source[i]->state == SMI_SOURCE_READING &&
            smi_format_infos[n->source[i]->format].rows)
            return true;
    return false;
}

/* Is nothing more to be expected of a followed log that is silent for age_ms? Not while another log of its
 * run grows. */
static bool is_finished(const struct smi_machine *n, const struct smi_live_source *s, int64_t age_ms,
                        int64_t limit_ms)
{
    int64_t old_ms = limit_ms > SMI_MACHINE_OLD_MS ? limit_ms : SMI_MACHINE_OLD_MS,
            forget_ms = n->o.forget_ms                          ? n->o.forget_ms
                        : 10 * limit_ms > SMI_MACHINE_FORGET_MS ? 10 * limit_ms
                                                                : SMI_MACHINE_FORGET_MS;
    if (s->closed || smi_live_source_is_over(s))
        return true;
    return !is_accompanied(n, s) && (s->mono_ms - s->seen_mono_ms > old_ms || age_ms > forget_ms);
}

static void update_source(struct smi_machine *n, struct smi_live_source *s)
{
    int64_t limit = source_limit(s), from = s->seen_mono_ms, age;
    bool reading = s->state == SMI_SOURCE_READING, follow = s->follows && n->o.follow && !s->gone;
    /* of processes: without any it has no rows */
    const bool is_list = s->format == SMI_FMT_APPS || s->format == SMI_FMT_AMD_PROCESS;
    char span[SMI_CLOCK_TEXT];
    if (!s->follows && s->read_mono_ms > from)
        from = s->read_mono_ms;
    age = n->mono_ms - from;
    if (!reading && !(follow && (s->state == SMI_SOURCE_SILENT || s->state == SMI_SOURCE_ENDED)))
        return;
    if (!smi_format_infos[s->format].rows || age <= limit)
        return;
    if (is_list && (!n->o.follow || is_accompanied(n, s)))
        return;
    if (reading)
        s->state = SMI_SOURCE_SILENT;
    if (follow)
        s->state = is_finished(n, s, age, limit) ? SMI_SOURCE_ENDED : SMI_SOURCE_SILENT;
    if (reading && !s->backlog && n->mono_ms - s->mono_ms <= limit)
        snprintf(s->why, sizeof s->why, "its rows have no readings");
    else if (s->follows && smi_clock_write_span(span, age))
        snprintf(s->why, sizeof s->why, "no row for %.60s", span);
}

void smi_machine_tick(struct smi_machine *n, int64_t mono_ms)
{
    if (mono_ms < n->mono_ms)
        return;
    n->mono_ms = mono_ms;
    if (n->timed)
        n->t_ms = n->o.follow ? smi_clock_utc_ms() : n->base_t_ms + (mono_ms - n->base_mono_ms);
    for (size_t i = 0; i < n->sources; i++)
        update_source(n, n->source[i]);
    for (size_t i = 0; i < n->gpus; i++)
        update_age(n, n->gpu[i]);
    update_age(n, &n->host);
}

/* ---- events ---- */

/* As smi_machine_add_event, at a time of its own. */
static void add_event_at(struct smi_machine *n, enum smi_event_kind kind, int64_t t_ms, const char *text)
{
    struct smi_event *e = &n->event[n->events++ % SMI_MACHINE_EVENTS_MAX];
    e->kind = kind;
    e->t_ms = t_ms;
    smi_text_copy(e->text, sizeof e->text, smi_text_of(text));
}

void smi_machine_add_event(struct smi_machine *n, enum smi_event_kind kind, const char *fmt, ...)
{
    char text[2 * SMI_MACHINE_TEXT];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    add_event_at(n, kind, smi_machine_now(n), text);
}

void smi_machine_phase_ended(struct smi_machine *n, struct smi_text name, int64_t ms, int64_t end_ms)
{
    struct smi_machine_phase p = {.times = 0};
    size_t i = 0;
    smi_text_copy(p.name, sizeof p.name, name);
    while (i < n->phases && strcmp(n->phase[i].name, p.name) != 0)
        i++;
    if (i < n->phases)
        p = n->phase[i];
    else if (n->phases < SMI_MACHINE_PHASES)
        n->phases++;
    else
        i--;
    p.times++;
    p.ms += ms;
    p.end_ms = end_ms;
    memmove(n->phase + 1, n->phase, i * sizeof *n->phase);
    n->phase[0] = p;
}

/* ---- processes ---- */

enum {
    PROCS = 4096,  /* of a block; more are not looked at */
    WHOLE_MS = 100 /* so long after its last row a block is whole, if none follows: it is printed at once */
};

/* A row about a process. */
static void machine_add_process(struct smi_live_source *s, const struct smi_live_gpu *gpu,
                                const struct smi_rows *v, int64_t t_ms)
{
    struct smi_machine *n = s->now;
    struct smi_process_block *b = &n->procs[0];
    const struct smi_text name = v->process->name;
    const unsigned memory = smi_rows_column(v, smi_proc_metric[SMI_PROC_MEMORY]);
    const size_t most = SMI_GPU_PROCESS_NAME - 1,
                 len = name.n < most ? name.n : most; /* of a long one the end */
    bool other = b->mono_ms && s->format != n->source[b->source]->format;
    if (v->process->life_ms >= 0 ||
        (other && s->format != SMI_FMT_APPS)) /* of the past; pmon, which knows less */
        return;
    if (b->t_ms != t_ms || b->source != s->place) {
        struct smi_process_block before = n->procs[1];
        n->procs[1] = *b;
        *b = before;
        b->n = 0;
        b->t_ms = t_ms;
        b->source = s->place;
    }
    b->mono_ms = s->row_mono_ms;
    if (v->process->none || v->process->pid < 0 || b->n == PROCS)
        return;
    struct smi_gpu_process *p = SMI_MEM_ADD(b->proc, b->n, b->cap);
    *p = (struct smi_gpu_process){.gpu = gpu, .pid = v->process->pid, .fb = SMI_NO_READING};
    if (name.n)
        memcpy(p->name, name.p + name.n - len, len);
    if (memory < v->metrics)
        p->fb = smi_rows_reading(v, memory, 0);
}

const struct smi_gpu_process *smi_machine_processes(const struct smi_machine *n, size_t *count)
{
    const struct smi_process_block *b = &n->procs[0];
    int64_t interval;
    *count = 0;
    if (n->mono_ms - b->mono_ms < WHOLE_MS && n->procs[1].mono_ms)
        b = &n->procs[1];
    if (!b->mono_ms)
        return NULL;
    interval = n->source[b->source]->interval_ms;
    if (interval > 0 && n->mono_ms - b->mono_ms > SMI_MACHINE_STALE_INTERVALS * interval)
        return NULL;
    *count = b->n;
    return b->proc;
}

enum {
    HEAD = 65536,
    PATIENCE_MS = 3000, /* for rows that do not say which GPU they are of */
    PAUSE_MS = 200,     /* between two deliveries: of the bytes that were there before, or of blocks */
    BUFFERED_MS =
        600000 /* a delivery that covers more time is no block of a writer, but an older part of a log */
};

/* Behind a reader stands the tee: its input_stats first, which know the times and the duplicates, then the
 * GPUs. */
static struct smi_live_source *source_of(struct smi_sink *tee)
{
    return (struct smi_live_source *)((char *)tee - offsetof(struct smi_live_source, tee));
}

/* ---- readings ---- */

static int64_t utc_of(const struct smi_live_source *s, int64_t t_ms)
{
    enum smi_time_base base = smi_ingest_base(s->in);
    return base == SMI_TIME_BASE_UTC ? t_ms : t_ms - (int64_t)s->now->o.offset_s * 1000;
}

/* The run has come to this time. */
static void advance_clock(struct smi_machine *n, int64_t t_ms)
{
    if (!n->timed || t_ms < n->first_ms)
        n->first_ms = t_ms;
    if (n->o.follow) {
        n->t_ms = smi_clock_utc_ms();
    } else if (!n->timed || t_ms >= n->t_ms) {
        n->base_t_ms = n->t_ms = t_ms;
        n->base_mono_ms = n->mono_ms;
    }
    n->timed = true;
}

enum { STEP_MS = 10000 /* a clock that is set by less is not worth a word */ };

static bool is_step(int64_t ms)
{
    return ms > STEP_MS || ms < -STEP_MS;
}

/* The clock of a monitor was set, unless this machine has another offset since then: the run goes on from
 * there. Returns the row's time. A row that is behind the clock, but not earlier than the row before it, was
 * read late (smilog was stopped), unless this machine's clock was set, too. */
static int64_t check_clock(struct smi_live_source *s, int64_t t_ms)
{
    struct smi_machine *n = s->now;
    bool first = !s->has_skew;
    char span[SMI_CLOCK_TEXT];
    const int64_t here_ms = smi_clock_utc_ms() - s->mono_ms, drift = first ? 0 : here_ms - s->here_ms;
    const bool later = !first && t_ms >= s->stamp_ms;
    int64_t step;
    s->skew_ms = first ? here_ms : s->skew_ms + (is_step(drift) ? 0 : drift);
    s->here_ms = here_ms;
    s->has_skew = true;
    s->stamp_ms = t_ms;
    step = t_ms - s->mono_ms - s->skew_ms;
    if (step < 0 && later && !is_step(drift))
        return t_ms;
    if (is_step(step)) {
        update_offset(n);
        t_ms = utc_of(s, s->part->now_ms);
        step = t_ms - s->mono_ms - s->skew_ms;
    }
    if (is_step(step)) {
        smi_clock_write_span(span, step > 0 ? step : -step);
        smi_machine_add_event(
            n, SMI_EVENT_WARN,
            first ? "%s: the clock is %s this machine's by %s" : "%s: the clock was set %s by %s", s->name,
            step < 0 ? first ? "behind" : "back"
            : first  ? "ahead of"
                     : "ahead",
            span);
        s->steps++;
        s->step_ms = step;
        n->base_t_ms = n->t_ms = t_ms;
        n->base_mono_ms = n->mono_ms;
    }
    s->skew_ms = t_ms - s->mono_ms;
    return t_ms;
}

/* Does this source tell of the metric, or another that is asked before it (docs/numbers.md §5 "one source a
 * metric")? */
static bool is_leading_source(const struct smi_machine *n, const struct smi_live_source *s,
                              const struct smi_machine_reading *r, unsigned metric)
{
    const struct smi_live_source *other = r->has ? n->source[r->source] : s;
    if (other != s && r->mono_ms > s->row_mono_ms)
        return false; /* an older row, of a log that is read later */
    return other == s ||
           smi_metric_format_rank(s->format, metric) < smi_metric_format_rank(other->format, metric) ||
           other->state != SMI_SOURCE_READING;
}

/* An alert (live/alert.h): errors of the GPU, and readings that fail. */
static void note_fault(struct smi_live_source *s, struct smi_live_gpu *b, int fault, const char *words,
                       int64_t t_ms)
{
    if (!smi_faults[fault].grave && fault != SMI_FAULT_UNKNOWN)
        return;
    snprintf(b->fault, sizeof b->fault, "%s", words);
    b->fault_mono_ms = s->mono_ms;
    if (!s->now->o.brief)
        smi_history_add(&b->ring[SMI_HISTORY_MARK], t_ms, 2, true);
}

/* A reading of a GPU that was fresh when the row at hand of s came. */
struct moment {
    const struct smi_live_source *s;
    const struct smi_live_gpu *b;
};

static int64_t reading_then(const void *of, unsigned metric)
{
    const struct moment *m = of;
    const struct smi_machine_reading *r = &m->b->latest[metric];
    return r->has && m->s->row_mono_ms - r->mono_ms <= source_limit(m->s->now->source[r->source])
               ? r->v
               : SMI_NO_READING;
}

enum {
    COOL_MS = 30000 /* a GPU that is slowed by heat is not in every reading: so long a pause is part of it */
};

/* Which conditions its newest readings show, and since when: those of alerts. */
static void judge(const struct smi_live_source *s, struct smi_live_gpu *b)
{
    const struct moment now = {s, b};
    const int64_t at = s->row_mono_ms, dt = at - b->judged_mono_ms, limit = source_limit(s),
                  longest = limit > SMI_CONDITION_BREAK_MS ? limit : SMI_CONDITION_BREAK_MS;
    uint32_t shows = 0;
    if (dt < 0)
        return; /* of a log that is read late */
    for (const struct smi_rule *r = smi_rules + SMI_RULE_COUNT; r < smi_rules + SMI_RULES; r++) {
        const int k = r->condition;
        if (k == SMI_CONDITIONS)
            continue;
        const bool thermal = k == SMI_CONDITION_SW_THERMAL; /* or HW_THERMAL, as HANG or HANG_ENFORCED */
        const struct smi_condition *c = &s->now->condition[k];
        struct smi_stretches *of = &b->condition[k];
        const bool holds =
            smi_condition_holds(c, reading_then, &now) ||
            ((thermal || k == SMI_CONDITION_HANG) && smi_condition_holds(c + 1, reading_then, &now));
        shows |= (uint32_t)holds << k;
        if (holds && (thermal || b->shows >> k & 1) && dt <= longest)
            smi_stretches_extend(of, dt, b->judged_mono_ms, at, 0, longest);
        else if (dt > longest || !thermal || at - of->last.to_ms > COOL_MS)
            smi_stretches_end(of);
    }
    b->shows = shows;
    b->judged_mono_ms = at;
}

int64_t smi_machine_shown_since(const struct smi_live_gpu *b, int condition)
{
    const struct smi_stretch *s = &b->condition[condition].last;
    return !(b->shows >> condition & 1) ? SMI_NO_READING : s->ms ? s->from_ms : b->judged_mono_ms;
}

/* Adds the readings of a GPU at one time, for the metrics in which this source leads. */
static void add_reading(struct smi_live_source *s, struct smi_live_gpu *b, const struct smi_rows *row,
                        int64_t t_ms)
{
    struct smi_machine *n = s->now;
    bool some = false;
    char span[SMI_CLOCK_TEXT];
    int64_t gap;
    for (unsigned i = 0; i < row->metrics; i++) {
        const unsigned m = row->metric[i];
        const int64_t v = smi_rows_reading(row, i, 0);
        struct smi_machine_reading *r = &b->latest[m];
        if (!is_leading_source(n, s, r, m))
            continue;
        if (m == SMI_ECC_UNCORR_VOL && v > (r->has ? r->v : 0))
            note_fault(s, b, SMI_FAULT_ECC_UNCORR, smi_faults[SMI_FAULT_ECC_UNCORR].words, t_ms);
        *r = (struct smi_machine_reading){true, s->place, v, s->row_mono_ms};
        some = true;
        /* Without a screen, the page and an alert look at more than five minutes of use and memory only. */
        for (int slot = 0; slot < SMI_HISTORY_MARK; slot++)
            if (smi_history_metric[slot] == m)
                smi_history_add(&b->ring[slot], t_ms, v,
                                !n->o.brief || slot == SMI_HISTORY_UTIL || slot == SMI_HISTORY_FB_USED);
    }
    /* A GPU without a process has none of them in a list of processes, alive or not. */
    if (!some || (smi_format_infos[s->format].procs && b->seen &&
                  !smi_format_infos[n->source[b->source]->format].procs))
        return;
    judge(s, b);
    if ((b->shows >> SMI_CONDITION_SW_THERMAL | b->shows >> SMI_CONDITION_HOT) & 1 && !n->o.brief)
        smi_history_add(&b->ring[SMI_HISTORY_MARK], t_ms, 1, true);
    if (b->run && b->run != s->run && t_ms - b->seen_t_ms > smi_machine_stale_after(b->pitch_ms)) {
        b->run = s->run; /* whose logs have its newest rows */
        set_label(n, b);
        sort_gpus(n);
    }
    if (b->state != SMI_GPU_OK && (b->state == SMI_GPU_LOST || !s->backlog)) {
        bool spans = b->seen && s->row_mono_ms > b->seen_mono_ms;
        smi_clock_write_span(span, spans ? s->row_mono_ms - b->seen_mono_ms : 0);
        smi_machine_add_event(n, SMI_EVENT_OK, "%s %s%s%s", b == &n->host ? "CPU" : b->label,
                              b->state == SMI_GPU_LOST ? "is back" : "sampling again", spans ? " after " : "",
                              spans ? span : "");
        b->state = SMI_GPU_OK;
        b->unlisted = false;
    } else if (b->state == SMI_GPU_STALE && n->mono_ms - s->row_mono_ms <= age_limit(b, s)) {
        b->state = SMI_GPU_OK; /* the first rows of a log were old, its last ones are not */
    }
    b->source = s->place;
    gap = t_ms - b->seen_t_ms;
    /* Up at once, as two logs with readings every ten seconds can be one second apart; not by a gap, though.
     * Down slowly. */
    if (b->seen && gap > 0)
        b->pitch_ms = b->pitch_ms == 0        ? gap
                      : gap <= b->pitch_ms    ? (7 * b->pitch_ms + gap) / 8
                      : gap < 3 * b->pitch_ms ? gap
                                              : 3 * b->pitch_ms;
    b->rows++;
    s->readings = b->rows > s->readings ? b->rows : s->readings;
    if (s->follows)
        s->interval_ms = b->pitch_ms;
    b->seen_t_ms = t_ms;
    b->seen = true;
    b->seen_mono_ms = s->row_mono_ms;
    if (b != &n->host)
        n->gpu_mono_ms = n->mono_ms;
}

/* What a RunLog tells of its run. */
static void learn_run(struct smi_live_source *s)
{
    const struct smi_runlog *log = &s->part->log;
    struct smi_machine_run *run = s->run;
    if (!run)
        return;
    run->ended = log->ended || log->failed;
    if (log->host && !run->host)
        run->host = smi_arena_text(&s->now->arena, log->host, strlen(log->host));
    if (log->host)
        name_runs(s->now);
}

/* s has its first row or mark, and so is a log: its directory may hold several runs. */
static void group_logs(struct smi_live_source *s)
{
    if (s->grouped || !s->now->o.follow || s->stream)
        return;
    s->grouped = true;
    find_runs(s->now, s);
    for (size_t i = 0; i < s->now->sources; i++) {
        if (s->now->source[i]->format == SMI_FMT_RUNLOG && s->now->source[i]->part)
            learn_run(s->now->source[i]);
    }
}

/* Room for a row about the machine. */
struct host_row {
    uint16_t metric[SMI_SAMPLE_MAX];
    int32_t u[SMI_SAMPLE_MAX];
    int64_t scale[SMI_SAMPLE_MAX];
};

/* Adds CPU use, which is 100 % less the idle share, to the row of a log that does not record it. */
static void add_cpu_use(struct host_row *to, struct smi_rows *v)
{
    const unsigned at = smi_rows_column(v, SMI_CPU_IDLE), n = v->metrics;
    const int64_t idle = at < n ? smi_rows_reading(v, at, 0) : -1;
    if (idle < 0 || idle > 100000000 || smi_rows_column(v, SMI_CPU_PCT) < n || n == SMI_SAMPLE_MAX)
        return;
    memcpy(to->metric, v->metric, n * sizeof *to->metric);
    to->metric[n] = SMI_CPU_PCT;
    for (unsigned c = 0; c <= n; c++)
        to->u[c] = smi_rows_unit(c < n ? smi_rows_reading(v, c, 0) : 100000000 - idle, &to->scale[c]);
    v->metric = to->metric;
    v->u = to->u;
    v->scale = to->scale;
    v->stride = 1;
    v->wide = false;
    v->metrics++;
}

/* A block of one row. */
static int on_row(struct smi_live_source *s, struct smi_rows *v, struct smi_err *err)
{
    const int who = *v->who;
    struct host_row host;
    struct smi_live_gpu *b;
    int64_t twice, t_ms = s->now->timed ? s->now->t_ms : s->mono_ms;
    group_logs(s);
    if (!s->base_known) { /* it is when the first row comes */
        const struct smi_machine_opts *o = &s->now->o;
        s->part->opts.idle_below = s->now->condition[SMI_CONDITION_IDLE].term->limit;
        s->part->opts.skip_series = o->brief ? UINT32_MAX : 0;
        s->part->opts.counted = s->now->counted;
        s->part->base = smi_ingest_base(s->in);
        s->part->wall_opts = (struct smi_local_clock_opts){NULL, s->part->base == SMI_TIME_BASE_LOCAL &&
                                                                     !o->fixed && !o->here};
        s->base_known = true;
    }
    if (who == SMI_DEVICE_HOST && !v->process)
        add_cpu_use(&host, v);
    twice = s->part->account.duplicates;
    if (s->part->sink.rows(&s->part->sink, v, err))
        return -1;
    /* a track keeps its first row back, which could be a duplicate of rows before it: there are none */
    if (who >= 0 && (size_t)who < s->part->tracks && s->part->track[who] && s->part->track[who]->head.has)
        smi_input_stats_close(s->part);
    if (s->state != SMI_SOURCE_READING) {
        s->state = SMI_SOURCE_READING;
        s->gone = false;
        *s->why = 0;
    }
    const bool timed = v->timed && s->part->base < SMI_TIME_BASE_DAY;
    t_ms = timed ? utc_of(s, s->part->now_ms) : t_ms;
    if (timed && s->now->o.here &&
        !v->shared) /* a sum over processes has the time of their rows, but comes later */
        t_ms = check_clock(s, t_ms);
    if (timed && s->follows) { /* what a file held before we looked says nothing about its writer */
        s->batch_t_ms = s->batch_t_ms == SMI_NO_READING ? t_ms : s->batch_t_ms;
        const int64_t ms = t_ms - s->batch_t_ms;
        if (ms > 0 && ms + s->interval_ms > s->batch_ms && ms < BUFFERED_MS && (s->stream || !s->backlog))
            s->batch_ms = ms + s->interval_ms;
        if (ms >= BUFFERED_MS)
            s->batch_ms = 0;
    }
    s->row_mono_ms = s->mono_ms;
    if ((timed || s->now->timed) && s->wall_ms > t_ms)
        s->row_mono_ms -= s->wall_ms - t_ms;
    if (s->row_mono_ms - s->seen_mono_ms > smi_machine_stale_after(s->interval_ms))
        s->steady_mono_ms = s->row_mono_ms;
    s->seen_mono_ms = s->row_mono_ms;
    s->repeated |= !v->shared && who >= 0 && who <= s->last_who;
    s->last_who = who;
    if (s->part->account.duplicates > twice)
        return 0;
    if (timed)
        advance_clock(s->now, t_ms);
    b = gpu_of_device(s->now, s, who); /* of a process, too: its GPU's page lists it */
    if (!b)
        return 0;
    if (v->process) {
        machine_add_process(s, b, v, t_ms);
        return 0;
    }
    s->lists_gpus |= who >= 0;
    b->row_mono_ms = s->row_mono_ms;
    add_reading(s, b, v, t_ms);
    return 0;
}

static int on_rows(struct smi_sink *self, const struct smi_rows *r, struct smi_err *err)
{
    int rc = 0;
    for (unsigned i = 0; i < r->n && rc == 0; i++) {
        struct smi_rows row = smi_rows_part(r, i, 1, NULL);
        rc = on_row(source_of(self), &row, err);
    }
    return rc;
}

/* ---- marks ---- */

static void add_mark_event(struct smi_machine *n, const struct smi_mark *m)
{
    char span[SMI_CLOCK_TEXT];
    struct smi_buf b = {0};
    smi_buf_add(&b, m->name.p, m->name.n);
    if (m->kind == SMI_MARK_PHASE) {
        smi_clock_write_span(span, m->span_us / 1000);
        smi_buf_fmt(&b, " ended after %s", span);
        smi_machine_phase_ended(n, m->name, m->span_us / 1000, m->t_us / 1000);
    } else {
        for (unsigned i = 0; i < m->fields && i < 8; i++)
            if (m->field[i].in_data) {
                smi_buf_fmt(&b, "  %.*s=", (int)m->field[i].key.n, m->field[i].key.p);
                smi_buf_add(&b, m->field[i].text.p, m->field[i].text.n);
            }
    }
    add_event_at(n, m->kind == SMI_MARK_PHASE ? SMI_EVENT_PHASE : SMI_EVENT_RUNLOG, m->t_us / 1000, b.p);
    smi_buf_fini(&b);
}

static void add_fault(struct smi_live_source *s, const struct smi_mark *m)
{
    struct smi_machine *n = s->now;
    struct smi_live_gpu *b = NULL;
    char code[24] = "", words[SMI_MACHINE_FAULT], bus[32];
    const struct smi_device on_bus = {.key = {[SMI_DEVICE_KEY_BUS] = bus}, .ordinal = -1};
    snprintf(bus, sizeof bus, "%.*s", (int)m->name.n, m->name.n ? m->name.p : "");
    for (size_t i = 0, fit = 0; i < n->gpus && s->format == SMI_FMT_KERNEL;
         i++) /* the only GPU on this bus, of any run */
        if (n->gpu[i]->bus && smi_device_compare_keys(SMI_DEVICE_KEY_BUS, n->gpu[i]->bus, bus) == 0)
            b = fit++ ? NULL : n->gpu[i];
    if (m->who >= 0)
        b = gpu_of_device(n, s, m->who);
    else if (!b && *bus) /* a driver that lost it before we began has told of it nothing else */
        b = find_gpu(n, NULL, s->run, &on_bus);
    if (m->fault == SMI_FAULT_XID)
        snprintf(code, sizeof code, " %lld", (long long)m->code);
    snprintf(words, sizeof words, "%s%s", smi_faults[m->fault].words, code);
    if (b && m->fault == SMI_FAULT_LOST && b->state != SMI_GPU_LOST) {
        b->state = SMI_GPU_LOST;
        smi_machine_add_event(n, SMI_EVENT_ERROR, "%s lost: %s", b->label, smi_machine_lost_reason(b));
    } else if (!b || m->fault != SMI_FAULT_LOST) {
        uint32_t *faults = b ? &b->faults : &s->faults, bit = 1u << m->fault;
        const bool other = b && m->fault == SMI_FAULT_XID && strcmp(b->fault, words) != 0;
        if (b)
            note_fault(s, b, m->fault, words, smi_machine_now(n));
        if (other || !(*faults & bit))
            smi_machine_add_event(n, smi_faults[m->fault].grave ? SMI_EVENT_ERROR : SMI_EVENT_WARN, "%s: %s",
                                  b ? b->label : s->name, words);
        *faults |= bit;
    }
}

static int on_mark(struct smi_sink *self, const struct smi_mark *m, struct smi_err *err)
{
    struct smi_live_source *s = source_of(self);
    bool event = m->kind == SMI_MARK_PHASE || m->kind == SMI_MARK_EVENT;
    if (s->part->sink.mark(&s->part->sink, m, err))
        return -1;
    if (event)
        group_logs(s);
    learn_run(s);
    if (m->kind == SMI_MARK_FAULT)
        add_fault(s, m);
    if (!event)
        return 0;
    s->state = SMI_SOURCE_READING;
    s->seen_mono_ms = s->mono_ms;
    advance_clock(s->now, m->t_us / 1000);
    add_mark_event(s->now, m);
    return 0;
}

/* ---- bytes ---- */

static int end(struct smi_sink *self, struct smi_err *err)
{
    struct smi_sink *part = &source_of(self)->part->sink;
    return part->end ? part->end(part, err) : 0;
}

/* Lines of the kernel's log:
 *     Jul  3 12:31:07 node7 kernel: [12345.678] NVRM: Xid (PCI:0000:3b:00): 79, pid=17, ...
 *     [12345.678901] NVRM: Xid (PCI:0000:3b:00): 79, ...                         of dmesg
 *     [Fri Jul  3 12:31:07 2026] NVRM: Xid (PCI:0000:3b:00): 79, ...             of dmesg -T
 *     3,1234,12345678901,-;NVRM: Xid (PCI:0000:3b:00): 79, ...                   of /dev/kmsg */
static bool is_kernel_log(const char *p, size_t n)
{
    const size_t stamp = *p == '[' ? strcspn(p, "]\n") : 0;
    const bool seconds =
        stamp > 1 && smi_text_span((struct smi_text){p + 1, stamp - 1}, " 0123456789.") == stamp - 1;
    return ((seconds || (stamp == 25 && p[14] == ':' && p[17] == ':')) && p[stamp] == ']') ||
           memmem(p, n, " kernel: ", 9) || memmem(p, n, "NVRM: Xid", 9);
}

/* Its first whole lines tell the format; what is fed then is all of them. */
static int detect_format(struct smi_live_source *s, const char *p, size_t n, size_t *used,
                         struct smi_err *err)
{
    struct smi_detect why;
    size_t some = n < HEAD - s->nhead ? n : HEAD - s->nhead, whole;
    const char *end;
    if (!s->head)
        s->head = smi_mem_raw(HEAD);
    memcpy(s->head + s->nhead, p, some);
    s->nhead += some;
    *used = some;
    end = memrchr(s->head, '\n', s->nhead);
    whole = end ? (size_t)(end + 1 - s->head) : s->nhead < HEAD ? 0 : HEAD;
    s->format = whole ? smi_detect(s->head, whole, true, &why) : -1;
    if (whole && s->now->o.named_columns &&
        smi_detect_look(s->head, whole, HEAD, s->now->o.named_columns, &s->format, &why, err) == 0 &&
        err->code)
        return -1;
    if (whole && s->format < 0 && s->now->o.follow && is_kernel_log(s->head, whole))
        s->format = SMI_FMT_KERNEL;
    if (s->format < 0 && s->nhead == HEAD)
        return smi_err_set(err, SMI_EFORMAT, "%s: %s", s->name, why.why);
    return 0;
}

int smi_machine_feed(struct smi_live_source *s, const char *p, size_t len, int64_t mono_ms,
                     struct smi_err *err)
{
    struct smi_machine *n = s->now;
    size_t used = 0;
    smi_machine_tick(n, mono_ms);
    s->backlog =
        s->follows && n->o.follow && (s->bytes == 0 || (s->backlog && mono_ms - s->mono_ms < PAUSE_MS));
    if (mono_ms - s->mono_ms >= PAUSE_MS || s->bytes == 0) {
        s->batch_t_ms = SMI_NO_READING;
        s->batch_ms -= s->batch_ms / 4;
    }
    s->wall_ms = s->backlog ? smi_clock_utc_ms() : 0;
    s->mono_ms = mono_ms;
    s->begun_mono_ms = s->bytes ? s->begun_mono_ms : mono_ms;
    s->bytes += (int64_t)len;
    if (s->format < 0 && detect_format(s, p, len, &used, err))
        return -1;
    if (s->format < 0)
        return 0;
    if (s->format == SMI_FMT_KERNEL) { /* it is read, whatever its lines are about */
        s->state = SMI_SOURCE_READING;
        s->seen_mono_ms = s->mono_ms;
        if (s->run) { /* its run is that of the GPUs which it names */
            s->run = NULL;
            name_runs(n);
        }
    }
    if (!s->in) {
        struct smi_detect why = {0}; /* a tool whose columns we know? */
        if (!n->o.named_columns && (s->format == SMI_FMT_GPU_CSV || s->format == SMI_FMT_GPU_JSON))
            smi_detect(s->head ? s->head : p, s->head ? s->nhead : len, true, &why);
        if (!s->part)
            s->part = smi_input_stats_new(s->name, s->format);
        s->tee = (struct smi_sink){.rows = on_rows, .mark = on_mark, .end = end};
        s->base_known = false;
        s->in = smi_ingest_open(&(struct smi_ingest_opts){
            .format = s->format,
            .columns = *why.columns ? smi_arena_text(&n->arena, why.columns, strlen(why.columns))
                                    : n->o.named_columns,
            .gpu_count = n->o.gpu_count,
            .account = &s->part->account,
            .devices = &s->part->devices,
            .to = s->gate ? s->gate : &s->tee});
    }
    if (s->head && smi_ingest_feed(s->in, s->head, s->nhead, err))
        return -1;
    smi_mem_free(s->head);
    s->head = NULL;
    if (len > used && smi_ingest_feed(s->in, p + used, len - used, err))
        return -1;
    return mono_ms - s->begun_mono_ms >= PATIENCE_MS ? smi_ingest_decide(s->in, err) : 0;
}

void smi_machine_restart(struct smi_live_source *s)
{
    struct smi_err none = {0};
    s->nhead = 0;
    /* What follows stands behind a line that is ended, and has its own header: readers take both as they
     * come. */
    if (s->in)
        (void)smi_ingest_feed(s->in, "\n", 1, &none);
}

void smi_machine_settle(struct smi_machine *n, bool all)
{
    struct smi_err none = {0};
    for (size_t i = 0; i < n->sources; i++) {
        const struct smi_live_source *s = n->source[i];
        bool silent = n->mono_ms - s->mono_ms > smi_machine_stale_after(s->interval_ms);
        if (s->in && all)
            (void)smi_ingest_decide(s->in, &none);
        if (s->in && (all || silent))
            (void)smi_ingest_settle(s->in, &none);
    }
}

int smi_machine_end(struct smi_live_source *s, struct smi_err *err)
{
    struct smi_detect why;
    if (s->format < 0 && s->nhead)
        return smi_detect(s->head, s->nhead, false, &why) >= 0
                   ? 0
                   : smi_err_set(err, SMI_EFORMAT, "%s: %s", s->name, why.why);
    return s->in ? smi_ingest_finish(s->in, err) : 0;
}
