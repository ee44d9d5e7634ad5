/* Reads partial summaries back. They come from other machines: every number is checked before it is used. */
#include "base/digest.h"
#include "summary/partial_read_private.h"

#include <string.h>

void smi_partial_read_fail(struct smi_partial_reader *g, const char *what)
{
    if (!g->bad && g->number)
        smi_err_set(g->err, SMI_EFORMAT, "%.200s: document %zu: broken partial summary (%s)", g->name,
                    g->number, what);
    else if (!g->bad)
        smi_err_set(g->err, SMI_EFORMAT, "%.200s: broken partial summary (%s)", g->name, what);
    g->bad = true;
}

void *smi_partial_read_nomem(struct smi_partial_reader *g)
{
    if (!g->bad)
        smi_err_nomem(g->err);
    g->bad = true;
    return NULL;
}

bool smi_partial_read_reserve(struct smi_partial_reader *g, void *p, size_t *cap, size_t n, size_t size)
{
    return smi_mem_reserve(p, cap, n, size) == 0 || smi_partial_read_nomem(g);
}

static int64_t get_within(struct smi_partial_reader *g, const json_t *v, int64_t most)
{
    int64_t i = json_integer_value(v);
    if (!json_is_integer(v) || i > most || i < -most) {
        smi_partial_read_fail(g, "a number is missing, or out of range");
        return 0;
    }
    return i;
}

int64_t smi_partial_read_int(struct smi_partial_reader *g, const json_t *v)
{
    return get_within(g, v, SMI_PARTIAL_INT_MAX);
}

int64_t smi_partial_read_us(struct smi_partial_reader *g, const json_t *v)
{
    return get_within(g, v, SMI_PARTIAL_US_MAX);
}

int64_t smi_partial_read_reading(struct smi_partial_reader *g, const json_t *v)
{
    smi_i128 w = smi_partial_read_wide(g, v);
    if (w > (int64_t)1 << 62 || w < -((int64_t)1 << 62)) {
        smi_partial_read_fail(g, "a reading is out of range");
        return 0;
    }
    return (int64_t)w;
}

int64_t smi_partial_read_key_int(struct smi_partial_reader *g, const json_t *o, const char *key)
{
    return smi_partial_read_int(g, json_object_get(o, key));
}

int64_t smi_partial_read_key_count(struct smi_partial_reader *g, const json_t *o, const char *key)
{
    int64_t v = smi_partial_read_key_int(g, o, key);
    if (v < 0)
        smi_partial_read_fail(g, key);
    return v < 0 ? 0 : v;
}

bool smi_partial_read_key_bool(const json_t *o, const char *key)
{
    return json_is_true(json_object_get(o, key));
}

smi_i128 smi_partial_read_wide(struct smi_partial_reader *g, const json_t *v)
{
    smi_i128 w = 0;
    if (json_is_integer(v))
        return json_integer_value(v);
    if (!json_is_string(v) || smi_i128_parse(json_string_value(v), json_string_length(v), &w))
        smi_partial_read_fail(g, "a sum is missing");
    if (w >> 125 != 0 && w >> 125 != -1) {
        smi_partial_read_fail(g, "a sum is out of range");
        w = 0;
    }
    return w;
}

int smi_partial_read_metric(struct smi_partial_reader *g, const char *key)
{
    int m = smi_metric_find(key, strlen(key));
    if (m < 0)
        smi_partial_read_fail(g, "a metric that this version does not know");
    return m;
}

/* ---- parts ---- */

static void get_account(struct smi_partial_reader *g, const json_t *o, struct smi_account *a)
{
    const json_t *v = json_object_get(o, "account"), *said = json_object_get(o, "said"),
                 *list = json_object_get(o, "problems"), *asked = json_object_get(o, "asked");
    int64_t *const to[] = {&a->lines,        &a->header,    &a->rows,          &a->duplicates,
                           &a->blank,        &a->messages,  &a->cells_missing, &a->cells_bad,
                           &a->out_of_range, &a->undecided, &a->ragged_bursts, &a->ragged_rows,
                           &a->burst,        &a->changes,   &a->stamps_never,  &a->stamps_twice,
                           &a->stamps_again};
    size_t n = sizeof to / sizeof *to;
    for (size_t i = 0; i < n; i++)
        *to[i] = smi_partial_read_int(g, json_array_get(v, i));
    for (size_t i = 0; i < SMI_REJECT_COUNT; i++)
        a->rejected[i] = smi_partial_read_int(g, json_array_get(v, n + i));
    for (size_t i = 0; i < json_array_size(asked) && !g->bad; i++) {
        const char *key = json_string_value(json_array_get(asked, i));
        int m = smi_partial_read_metric(g, key ? key : "");
        if (m >= 0)
            smi_account_request(a, (unsigned)m);
    }
    for (size_t i = 0; i < sizeof a->said / sizeof *a->said; i++)
        a->said[i] = smi_partial_read_int(g, json_array_get(said, i));
    for (size_t i = 0; i + 2 < json_array_size(list) && !g->bad; i += 3) {
        struct smi_log_warning *p;
        if (!smi_partial_read_reserve(g, &a->problem, &a->cap, a->problems + 1, sizeof *a->problem))
            return;
        p = &a->problem[a->problems];
        p->kind = (int)smi_partial_read_int(g, json_array_get(list, i));
        p->line = smi_partial_read_int(g, json_array_get(list, i + 1));
        p->text = smi_partial_read_text(g, json_array_get(list, i + 2));
        if (!p->text || p->kind < 0 || p->kind >= SMI_LOG_WARNING_COUNT)
            smi_partial_read_fail(g, "problems");
        a->problems++;
    }
}

static void get_devices(struct smi_partial_reader *g, const json_t *a, struct smi_devices *d)
{
    size_t n = json_array_size(a);
    if (n > SMI_DEVICE_MAX) {
        smi_partial_read_fail(g, "devices");
        return;
    }
    if (!smi_partial_read_reserve(g, &d->list, &d->cap, n, sizeof *d->list))
        return;
    for (size_t i = 0; i < n && !g->bad; i++) {
        const json_t *v = json_array_get(a, i);
        struct smi_device *to = &d->list[d->n++];
        for (size_t k = 0; k < SMI_DEVICE_KEY_COUNT; k++)
            to->key[k] = smi_partial_read_text(g, json_array_get(v, k));
        to->name = smi_partial_read_text(g, json_array_get(v, SMI_DEVICE_KEY_COUNT));
        to->ordinal = (int)smi_partial_read_int(g, json_array_get(v, SMI_DEVICE_KEY_COUNT + 1));
        if (to->ordinal < -1 || to->ordinal >= SMI_KEYLESS_GPUS_MAX) {
            smi_partial_read_fail(g, "devices");
            to->ordinal = -1;
        }
    }
}

static int format_of(const json_t *v)
{
    for (int i = 0; i < SMI_FMT_COUNT && json_is_string(v); i++)
        if (strcmp(json_string_value(v), smi_format_infos[i].name) == 0)
            return i;
    return -1;
}

static void get_tracks(struct smi_partial_reader *g, const json_t *o, struct smi_input_stats *p)
{
    const json_t *tracks = json_object_get(o, "tracks");
    size_t n = json_array_size(tracks);
    if (n != p->devices.n) {
        smi_partial_read_fail(g, "tracks");
        return;
    }
    if (!smi_partial_read_reserve(g, &p->track, &p->tracks_cap, n, sizeof *p->track))
        return;
    p->tracks = n;
    for (size_t i = 0; i < n; i++)
        p->track[i] = smi_partial_read_device(g, json_array_get(tracks, i), p);
    p->host = smi_partial_read_device(g, json_object_get(o, "host"), p);
    p->pool = smi_partial_read_device(g, json_object_get(o, "pool"), p);
}

/* A part without its tracks: those wait until the run's phases are known. */
static struct smi_input_stats *get_part(struct smi_partial_reader *g, const json_t *o)
{
    char *path = smi_partial_read_text(g, json_object_get(o, "path"));
    int format = format_of(json_object_get(o, "format"));
    struct smi_input_stats *p;
    if (format < 0 || !path) {
        smi_partial_read_fail(g, "a format that this version does not know");
        smi_mem_free(path);
        return NULL;
    }
    p = smi_input_stats_new(path, format);
    smi_mem_free(path);
    if (!p)
        return smi_partial_read_nomem(g);
    p->base = (enum smi_time_base)smi_partial_read_key_int(g, o, "base");
    if (p->base < SMI_TIME_BASE_NONE || p->base > SMI_TIME_BASE_DAY)
        smi_partial_read_fail(g, "base");
    p->keyed = smi_partial_read_key_bool(o, "keyed");
    p->timed = smi_partial_read_key_bool(o, "timed");
    p->first_ms = smi_partial_read_key_int(g, o, "first_ms");
    p->last_ms = smi_partial_read_key_int(g, o, "last_ms");
    p->begin_ms = smi_partial_read_key_int(g, o, "begin_ms");
    p->ahead_ms = smi_partial_read_key_int(g, o, "ahead_ms");
    if (p->ahead_ms < -SMI_PARTIAL_DAY_MS || p->ahead_ms > SMI_PARTIAL_DAY_MS)
        smi_partial_read_fail(g, "ahead_ms");
    p->by_zone = smi_partial_read_key_bool(o, "by_zone");
    p->given.how = smi_partial_read_key_int(g, o, "given") & 3;
    p->size = smi_partial_read_key_int(g, o, "size");
    p->hash = (uint64_t)json_integer_value(json_object_get(o, "hash"));
    get_account(g, o, &p->account);
    get_devices(g, json_object_get(o, "devices"), &p->devices);
    smi_partial_read_intervals(g, json_object_get(o, "dts"), &p->dts);
    smi_partial_read_errors(g, o, p);
    if (smi_format_infos[format].procs)
        smi_partial_read_processes(g, o, p);
    if (smi_format_infos[format].marks)
        smi_partial_read_run_log(g, json_object_get(o, "log"), &p->log);
    return p;
}

/* A RunLog that stands beside every part of its run is one RunLog. */
static struct smi_input_stats *known_runlog(const struct smi_run *r, const struct smi_input_stats *p)
{
    for (size_t i = 0; i < r->parts; i++)
        if (smi_format_infos[p->format].marks && r->part[i]->format == p->format &&
            r->part[i]->hash == p->hash && r->part[i]->size == p->size)
            return r->part[i];
    return NULL;
}

static void note_doc(struct smi_partial_reader *g, struct smi_input_stats *log)
{
    if (smi_mem_reserve(&log->docs, &log->docs_cap, log->ndocs + 1, sizeof *log->docs))
        smi_partial_read_nomem(g);
    else
        log->docs[log->ndocs++] = g->doc;
}

static void get_parts(struct smi_partial_reader *g, const json_t *list)
{
    size_t first = g->run->parts, n = json_array_size(list), kept = 0;
    size_t *place = smi_mem_new(n, sizeof *place);
    if (!place) {
        smi_partial_read_nomem(g);
        return;
    }
    for (size_t i = 0; i < n && !g->bad; i++) {
        struct smi_input_stats *p = get_part(g, json_array_get(list, i)), *known;
        if (!p)
            break;
        known = known_runlog(g->run, p);
        if (known)
            note_doc(g, known);
        if (g->bad || known) {
            smi_input_stats_free(p);
            continue;
        }
        p->doc = g->doc;
        if (smi_format_infos[p->format].marks)
            note_doc(g, p);
        if (smi_run_add_part(g->run, p, g->err)) {
            smi_input_stats_free(p);
            g->bad = true;
            break;
        }
        place[kept++] = i;
        if (smi_format_infos[p->format].marks && smi_runlog_merge(&g->run->log, &p->log, g->err))
            g->bad = true;
    }
    for (size_t i = 0; i < kept && !g->bad; i++)
        get_tracks(g, json_array_get(list, place[i]), g->run->part[first + i]);
    smi_mem_free(place);
}

/* ---- documents ---- */

/* By which rules the partial was made: those of the others? */
static void get_rules(struct smi_partial_reader *g, struct smi_partials *p, const json_t *doc)
{
    int64_t idle = smi_partial_read_key_int(g, doc, "idle_below");
    if (smi_partial_read_key_int(g, doc, "distinct_cap") != SMI_DISTINCT_CAP ||
        (p->has_idle && p->idle_below != idle)) {
        smi_err_set(g->err, SMI_EUSAGE,
                    "%.200s: made by other rules (--idle-below) than the partials before it", g->name);
        g->bad = true;
    }
    p->has_idle = true;
    p->idle_below = idle;
}

static void get_document(struct smi_partial_reader *g, struct smi_partials *p, const json_t *doc,
                         const char *run_name)
{
    const char *schema = json_string_value(json_object_get(doc, "schema"));
    char *name = run_name ? smi_mem_text(run_name, strlen(run_name))
                          : smi_partial_read_text(g, json_object_get(doc, "run"));
    int64_t before = (int64_t)p->runs;
    if (run_name && !name)
        smi_partial_read_nomem(g);
    if (!g->bad && (!schema || strcmp(schema, SMI_PARTIAL_SCHEMA) || !name)) {
        smi_err_set(g->err, SMI_EFORMAT,
                    schema && strncmp(schema, "smilog-partial/", 15) == 0
                        ? "%.200s: no partial summary of this version (%s)"
                        : "%.200s: no partial summary (%s): merge reads what summarize --partial has written",
                    g->name, SMI_PARTIAL_SCHEMA);
        g->bad = true;
    }
    if (!g->bad)
        get_rules(g, p, doc);
    g->run = g->bad ? NULL : smi_partial_read_run(g, p, name, doc);
    smi_mem_free(name);
    if (!g->run)
        return;
    smi_partial_read_zone(g, doc, (int64_t)p->runs > before);
    g->run->merged = true;
    g->doc = (uint32_t)p->nseen;
    smi_partial_read_words(g, doc, run_name || smi_partial_read_key_bool(doc, "joined"));
    get_parts(g, json_object_get(doc, "parts"));
    smi_partial_check_clock(g);
}

/* The document's place among those seen so far; remembers it if it is new. -1 without memory. */
static int64_t add_document_hash(struct smi_partials *p, const char *text, size_t n)
{
    uint64_t h = smi_digest_of(text, n);
    for (size_t i = 0; i < p->nseen; i++)
        if (p->seen[i].hash == h && p->seen[i].n == n)
            return (int64_t)i;
    if (smi_mem_reserve(&p->seen, &p->seen_cap, p->nseen + 1, sizeof *p->seen))
        return -1;
    p->seen[p->nseen] = (struct smi_partial_seen){h, n};
    return (int64_t)p->nseen++;
}

/* The same document once more: said in its run, and not counted. */
static void read_document_once(struct smi_partial_reader *g, struct smi_partials *p, const json_t *doc,
                               const char *run_name)
{
    const char *name = run_name ? run_name : json_string_value(json_object_get(doc, "run"));
    g->run = name ? smi_partial_read_run(g, p, name, doc) : NULL;
    if (g->run &&
        (smi_run_add_problem(g->run, g->err, "a partial summary given twice: counted once") ||
         smi_run_add_warning(g->run, g->name, "a partial summary given twice: counted once", true, g->err)))
        g->bad = true;
}

int smi_partial_read(struct smi_partials *p, const char *text, size_t n, const char *name,
                     const char *run_name, struct smi_err *err)
{
    struct smi_partial_reader g = {.name = name, .number = p->number, .err = err};
    size_t before = p->nseen;
    int64_t place = add_document_hash(p, text, n);
    json_error_t why;
    json_t *doc = place < 0 ? NULL : json_loadb(text, n, 0, &why);
    if (place < 0 || (!doc && !*why.text)) /* jansson gives a reason for everything but a lack of memory */
        return smi_err_nomem(err);
    if (!doc)
        return smi_err_set(err, SMI_EFORMAT, "%.200s: no partial summary: %s", name, why.text);
    if (p->nseen == before)
        read_document_once(&g, p, doc, run_name);
    else
        get_document(&g, p, doc, run_name);
    json_decref(doc);
    return g.bad ? -1 : 0;
}

void smi_partials_fini(struct smi_partials *p)
{
    for (size_t i = 0; i < p->runs; i++) {
        smi_run_fini(p->run[i]);
        smi_mem_free(p->run[i]);
    }
    smi_mem_free(p->run);
    smi_mem_free(p->seen);
    *p = (struct smi_partials){0};
}
