/* machine.c - sources, GPUs and events of the machine, and the passing of time. */
#include "live/machine.h"

#include "formats/file_group.h"

#include <stdio.h>
#include <time.h>

enum { ENOUGH = 8 /* rows, to know how often they come */ };

const uint16_t smi_history_metric[SMI_HISTORY_SLOTS] = {
    [SMI_HISTORY_UTIL] = SMI_GPU_UTIL,
    [SMI_HISTORY_MEM_UTIL] = SMI_MEM_UTIL,
    [SMI_HISTORY_FB_USED] = SMI_FB_USED,
    [SMI_HISTORY_POWER] = SMI_POWER,
    [SMI_HISTORY_TEMP] = SMI_TEMP_GPU,
    [SMI_HISTORY_CLOCK] = SMI_CLK_SM,
    [SMI_HISTORY_THERMAL] = SMI_THROTTLE_SW_THERMAL,
    [SMI_HISTORY_FAULT] = SMI_ECC_UNCORR_VOL,
    [SMI_HISTORY_CPU] = SMI_CPU_PCT,
};
const char *const smi_event_kinds[] = {"info", "ok", "event", "phase", "warn", "error"};

void smi_machine_update_offset(struct smi_machine *n)
{
    time_t now = time(NULL);
    struct tm tm;
    if (!n->o.has_offset)
        n->o.offset_s = n->o.zone ? n->o.zone->standard_s : localtime_r(&now, &tm) ? (int)tm.tm_gmtoff : 0;
}

struct smi_machine *smi_machine_new(const struct smi_machine_opts *o)
{
    struct smi_machine *n = smi_mem_new(1, sizeof *n);
    n->o = *o;
    for (int slot = 0; slot < SMI_HISTORY_SLOTS; slot++)
        n->counted[smi_history_metric[slot]] = true;
    for (int m = SMI_CPU_USR; m < SMI_METRIC_COUNT; m++) /* of the machine and its processes */
        n->counted[m] = true;
    smi_machine_update_offset(n);
    n->host.index = n->host.run = -1;
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
    smi_mem_free(n->run);
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
    const struct smi_machine_run *run = b->run >= 0 && n->many_runs ? &n->run[b->run] : NULL;
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

void smi_machine_name_runs(struct smi_machine *n)
{
    const char *first = NULL, *host = NULL;
    size_t same = 0, used = 0;
    for (size_t i = 0; i < n->runs; i++)
        n->run[i].used = false;
    for (size_t i = 0; i < n->sources; i++)
        if (n->source[i]->run >= 0)
            n->run[n->source[i]->run].used = true;
    n->many_hosts = false;
    for (size_t i = 0; i < n->runs; i++) {
        const struct smi_machine_run *r = &n->run[i];
        if (!r->used)
            continue;
        same = used++ ? same : strlen(r->dir);
        first = first ? first : r->dir;
        for (size_t k = 0; k <= same && used > 1; k++)
            if (r->dir[k] != first[k] || !r->dir[k])
                same = k;
        n->many_hosts |= host && r->host && strcmp(host, r->host) != 0;
        host = r->host ? r->host : host;
    }
    while (same && first[same - 1] != '/')
        same--;
    n->many_runs = used > 1;
    for (size_t i = 0; i < n->runs; i++)
        n->run[i].name = n->run[i].used ? n->run[i].dir + same : n->run[i].dir;
    for (size_t i = 0; i < n->gpus; i++)
        set_label(n, n->gpu[i]);
}

/* The run with this path. Its place, or -1 without memory. */
static int find_run(struct smi_machine *n, const char *dir, size_t size)
{
    for (size_t i = n->runs; i-- > 0;)
        if (strlen(n->run[i].dir) == size && memcmp(n->run[i].dir, dir, size) == 0)
            return (int)i;
    smi_mem_reserve(&n->run, &n->runs_cap, n->runs + 1, sizeof *n->run);
    dir = smi_arena_text(&n->arena, dir, size);
    n->run[n->runs++] = (struct smi_machine_run){.dir = dir, .name = dir};
    return (int)n->runs - 1;
}

/* The directory of a followed log, or the name of a stream. */
static struct smi_text directory_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash                    ? (struct smi_text){path, (size_t)(slash - path)}
           : strcmp(path, "-") == 0 ? smi_text_of(path)
                                    : smi_text_of(".");
}

int smi_machine_add_source(struct smi_machine *n, const char *name, int format, int64_t interval_ms)
{
    struct smi_live_source *s;
    smi_mem_reserve(&n->source, &n->sources_cap, n->sources + 1, sizeof *n->source);
    s = smi_mem_new(1, sizeof *s);
    s->name = smi_arena_text(&n->arena, name, strlen(name));
    s->format = format;
    s->interval_ms = interval_ms;
    s->follows = interval_ms == 0;
    s->now = n;
    s->place = (int)n->sources;
    s->last_who = -1;
    s->run = n->o.follow ? find_run(n, directory_of(name).p, directory_of(name).n) : -1;
    n->source[n->sources++] = s;
    if (s->run >= 0)
        smi_machine_name_runs(n);
    return s->place;
}

void smi_live_source_state(struct smi_machine *n, int source, enum smi_live_source_state state,
                           const char *why)
{
    struct smi_live_source *s = n->source[source];
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
    return s->state == SMI_SOURCE_ENDED || (s->run >= 0 && s->now->run[s->run].ended);
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
    if (a->run != b->run && a->run >= 0 && b->run >= 0)
        return strcmp(n->run[a->run].dir, n->run[b->run].dir) < 0;
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

void smi_machine_set_run(struct smi_machine *n, struct smi_live_gpu *b, int run)
{
    b->run = run;
    set_label(n, b);
    sort_gpus(n);
}

void smi_machine_group_logs(struct smi_machine *n, const struct smi_live_source *s)
{
    struct smi_text dir = directory_of(s->name);
    struct smi_arena texts = {0};
    struct smi_file_group_member *log = smi_mem_new(n->sources, sizeof *log);
    struct smi_buf path = {0};
    size_t logs = 0;
    int run;
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
        run = find_run(n, path.p, path.n);
        struct smi_live_source *o = (struct smi_live_source *)(uintptr_t)log[i].entry;
        for (size_t d = 0; d < o->nof; d++) /* so do its GPUs */
            if (o->of[d] && o->of[d]->run == o->run)
                o->of[d]->run = run;
        o->run = run;
    }
    if (logs > 1) {
        smi_machine_name_runs(n);
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

/* The GPU that d speaks of, made if it is new; NULL past SMI_MACHINE_GPUS_MAX, or with err (memory). b: the
 * one that it was so far, or NULL. */
static struct smi_live_gpu *find_gpu(struct smi_machine *n, struct smi_live_gpu *b, int run,
                                     const struct smi_device *d)
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
        smi_mem_reserve(&n->gpu, &n->gpus_cap, n->gpus + 1, sizeof *n->gpu);
        b = n->gpu[n->gpus++] = smi_mem_new(1, sizeof *b);
        b->id = n->met++;
        b->index = -1;
        b->run = run;
        b->mine = true;
    }
    learn_identity(n, b, d);
    if (!sorted)
        sort_gpus(n); /* it is new, or turns out to have an index */
    /* dmon knows the index only, a list of processes the uuid only, the message of a lost GPU the bus id
     * only: where they come before a log that has all, a GPU was met twice. List and message gave it no
     * reading. */
    for (size_t i = n->gpus; i-- > 0;) {
        const struct smi_live_gpu *o = n->gpu[i];
        const bool here = o->index < 0 && (o->run == b->run || o->run < 0);
        const struct smi_gpu_keys one = {o->uuid, here ? o->bus : NULL, o->serial, -1},
                                  other = {b->uuid, b->bus, b->serial, b->index};
        if (o != b && o->rows == 0 && smi_gpu_keys_match(&one, &other) == SMI_GPU_SAME)
            replace(n, i, b);
    }
    return b;
}

struct smi_live_gpu *smi_machine_gpu_on_bus(struct smi_machine *n, int run, char *bus)
{
    const struct smi_device d = {.key = {[SMI_DEVICE_KEY_BUS] = bus}, .ordinal = -1};
    return *bus ? find_gpu(n, NULL, run, &d) : NULL;
}

struct smi_live_gpu *smi_machine_gpu_of_device(struct smi_machine *n, struct smi_live_source *s, int who)
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
    int run = gpu >= 0 ? n->gpu[gpu]->run : source >= 0 ? n->source[source]->run : -1;
    return run >= 0 ? &n->run[run] : NULL;
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

static void update_age(struct smi_machine *n, struct smi_live_gpu *b)
{
    const struct smi_live_source *s = b->seen ? n->source[b->source] : NULL;
    int64_t own = smi_machine_stale_after(b->pitch_ms), limit;
    if (!s)
        return;
    limit = s->follows && s->readings < ENOUGH ? smi_machine_stale_after(SMI_MACHINE_UNKNOWN_MS)
                                               : source_limit(s);
    if (b->state == SMI_GPU_OK && smi_machine_age(n, b) > (own > limit ? own : limit))
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

void smi_machine_add_event_at(struct smi_machine *n, enum smi_event_kind kind, int64_t t_ms, const char *text)
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
    smi_machine_add_event_at(n, kind, smi_machine_now(n), text);
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
