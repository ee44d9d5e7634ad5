/* Partial summaries of a run: the document as a whole, to which run it belongs, and whether its times stand
 * on that run's clock. */
#include "base/digest.h"
#include "summary/partial_checksum_private.h"
#include "summary/partial_fields_private.h"

#include <string.h>

enum { MOST_MORE = 1 << 30 /* files of one warning */ };

/* ---- the tables ---- */

/* What stands in front. Texts are the run's when it is written, and the reader's own. */
struct head {
    char *run, *host;
    bool joined; /* by --run, which makes one run of parts with different parameters */
    int64_t idle_below, distinct_cap;
    int64_t offset_s;
    char *zone_from, *zone;
};

static const struct smi_partial_field head_fields[] = {
    SMI_PARTIAL_NAME(head, run, "run"), /* merge_queue.c looks for the first and the last of these */
    SMI_PARTIAL_FLAG_IF(head, joined, "joined"),
    SMI_PARTIAL_NAME(head, host, "host"),
    SMI_PARTIAL_NUMBER(head, idle_below, "idle_below"),
    SMI_PARTIAL_NUMBER(head, distinct_cap, "distinct_cap"),
    SMI_PARTIAL_RANGE(head, offset_s, "offset_s", -SMI_PARTIAL_DAY_MS / 1000, SMI_PARTIAL_DAY_MS / 1000),
    SMI_PARTIAL_NAME(head, zone_from, "zone_from"),
    SMI_PARTIAL_NAME(head, zone, "zone"),
};
static const struct smi_partial_shape head_shape = SMI_PARTIAL_SHAPE("run", true, head, head_fields);

static const struct smi_partial_field param_fields[] = {
    SMI_PARTIAL_NAME(smi_run_param, key, NULL),
    SMI_PARTIAL_NAME(smi_run_param, text, NULL),
    SMI_PARTIAL_FLAG(smi_run_param, bare, NULL),
    SMI_PARTIAL_FLAG(smi_run_param, file, NULL),
};
static const struct smi_partial_shape param_shape =
    SMI_PARTIAL_SHAPE("params", false, smi_run_param, param_fields);
/* The same but for `file`. */
static const struct smi_partial_shape fact_shape = {"facts", false, sizeof(struct smi_run_param),
                                                    param_fields, 3};

static const struct smi_partial_field problem_fields[] = {
    {.kind = SMI_PARTIAL_TEXT, .size = sizeof(char *)},
};
static const struct smi_partial_shape problem_shape = {"problems", false, sizeof(char *), problem_fields, 1};

static const struct smi_partial_field warning_fields[] = {
    SMI_PARTIAL_NAME(smi_run_warning, path, NULL),
    SMI_PARTIAL_NAME(smi_run_warning, text, NULL),
    SMI_PARTIAL_FLAG(smi_run_warning, used, NULL),
    SMI_PARTIAL_COUNT(smi_run_warning, more, NULL),
};
static const struct smi_partial_shape warning_shape =
    SMI_PARTIAL_SHAPE("warnings", false, smi_run_warning, warning_fields);

/* ---- parameters, problems, doubts ---- */

static void fail_other_run(struct smi_partial_reader *g, const char *key, const char *text)
{
    if (!g->bad)
        smi_err_set(
            g->err, SMI_EUSAGE,
            "%.150s: %.80s=%.80s, but another part of run %.80s says otherwise: not the same run (--run NAME "
            "of summarize --partial names a part)",
            g->name, key, text, g->run->name);
    g->bad = true;
}

static bool add_param(struct smi_partial_reader *g, void *owner, void *list, void *item)
{
    const struct smi_run_param *p = item;
    struct smi_run *r = owner;
    bool known = false;
    (void)list;
    if (!p->key || !p->text || (p->bare && !smi_text_is_bare(smi_text_of(p->text))))
        return false;
    for (size_t k = 0; k < r->params; k++) {
        struct smi_run_param *old = &r->param[k];
        if (old->file != p->file || strcmp(old->key, p->key) != 0)
            continue;
        known = true;
        if (g->joined)
            old->differs |= strcmp(old->text, p->text) != 0;
        else if (strcmp(old->text, p->text))
            fail_other_run(g, p->key, p->text);
    }
    if (!known && smi_run_add_param(r, p->key, p->text, p->bare, p->file, g->err))
        g->bad = true;
    return true;
}

/* Every part of a run tells the same of it; of parts that do not, the first text in the order of bytes
 * counts. */
static bool add_fact(struct smi_partial_reader *g, void *owner, void *list, void *item)
{
    const struct smi_run_param *p = item;
    struct smi_run *r = owner;
    (void)list;
    if (!p->key || !p->text || (p->bare && !smi_text_is_number(smi_text_of(p->text))))
        return false;
    for (size_t i = 0; i < r->facts; i++) {
        char *text;
        if (strcmp(r->fact[i].key, p->key) != 0 || strcmp(p->text, r->fact[i].text) >= 0)
            continue;
        if (!(text = smi_mem_text(p->text, strlen(p->text)))) {
            smi_partial_read_nomem(g);
            return true;
        }
        smi_mem_free(r->fact[i].text);
        r->fact[i].text = text;
        r->fact[i].bare = p->bare;
    }
    if (smi_run_add_fact(r, p->key, p->text, p->bare, g->err))
        g->bad = true;
    return true;
}

static bool add_problem(struct smi_partial_reader *g, void *owner, void *list, void *item)
{
    const char *text = *(char **)item;
    (void)list;
    g->bad |= text && smi_run_add_problem(owner, g->err, "%s", text);
    return true;
}

static bool add_warning(struct smi_partial_reader *g, void *owner, void *list, void *item)
{
    const struct smi_run_warning *w = item;
    struct smi_run *r = owner;
    (void)list;
    if (!w->text)
        return false;
    if (smi_run_add_warning(r, w->path, w->text, w->used, g->err))
        g->bad = true;
    else if (w->more > 0 && w->more < MOST_MORE)
        r->doubt[r->doubts - 1].more = w->more;
    return true;
}

static const struct smi_partial_field run_fields[] = {
    SMI_PARTIAL_ITEMS(smi_run, param, params, "params", &param_shape, INT64_MAX, add_param, 0),
    SMI_PARTIAL_ITEMS(smi_run, fact, facts, "facts", &fact_shape, INT64_MAX, add_fact,
                      SMI_PARTIAL_FLAT | SMI_PARTIAL_OPTIONAL),
    SMI_PARTIAL_ITEMS(smi_run, problem, problems, "problems", &problem_shape, INT64_MAX, add_problem,
                      SMI_PARTIAL_FLAT),
    SMI_PARTIAL_FLAG_IF(smi_run, columns_unknown, "columns_unknown"),
    SMI_PARTIAL_ITEMS(smi_run, doubt, doubts, "doubts", &warning_shape, INT64_MAX, add_warning, 0),
};
static const struct smi_partial_shape run_shape = SMI_PARTIAL_SHAPE("run", true, smi_run, run_fields);

/* ---- writing ---- */

int smi_partial_write(struct smi_buf *to, const struct smi_run *r, const struct smi_options *o,
                      struct smi_err *err)
{
    struct smi_json json, *j = &json;
    const size_t begin = to->n, front = smi_partial_checksum_begin.n + SMI_PARTIAL_CHECKSUM_TEXT - 1;
    const struct head head = {.run = r->name,
                              .host = r->host ? r->host : r->log.host,
                              .idle_below = o->idle_below,
                              .distinct_cap = SMI_DISTINCT_CAP,
                              .offset_s = r->offset_s,
                              .zone_from = r->has_offset ? (char *)r->zone_from : NULL,
                              .zone = r->has_offset ? r->zone : NULL};
    char sum[SMI_PARTIAL_CHECKSUM_TEXT] = "0000000000000000";
    smi_json_begin(j, to);
    smi_json_open(j, '{');
    smi_json_key_str(j, "schema", SMI_PARTIAL_SCHEMA);
    smi_json_key_str(j, "sum", sum); /* of what follows */
    smi_partial_write_members(j, &head_shape, &head);
    smi_partial_write_members(j, &run_shape, r);
    smi_json_key(j, "parts");
    smi_json_open(j, '[');
    for (size_t i = 0; i < r->parts; i++)
        smi_partial_write_input(j, r->part[i], &r->log.phases);
    smi_json_close(j, ']');
    smi_json_close(j, '}');
    if (!to->failed) {
        smi_partial_checksum_text(sum,
                                  smi_partial_document_sum(to->p + begin + front, to->n - begin - front));
        memcpy(to->p + begin + smi_partial_checksum_begin.n, sum, SMI_PARTIAL_CHECKSUM_TEXT - 1);
    }
    smi_buf_char(to, '\n');
    return to->failed ? smi_err_nomem(err) : 0;
}

/* ---- which run ---- */

static void fail_two_hosts(struct smi_partial_reader *g, const char *name)
{
    if (!g->bad)
        smi_err_set(g->err, SMI_EUSAGE,
                    "%.200s: run %.80s was made on several hosts, and a part of it does not say on which: "
                    "summarize --host NAME says it",
                    g->name, name);
    g->bad = true;
}

/* The host is part of the key where it is known: GPU 0 of another machine is another GPU. A part that knows
 * none belongs to the only run of its name. Returns NULL, with g->bad set where there are several. */
static struct smi_run *known_run(struct smi_partial_reader *g, struct smi_partials *p, const char *name,
                                 const char *host)
{
    struct smi_run *any = NULL;
    bool hostless = !host, same = false;
    size_t n = 0;
    for (size_t i = 0; i < p->runs && !same; i++) {
        struct smi_run *r = p->run[i];
        if (strcmp(r->name, name) != 0)
            continue;
        same = host && r->host && strcmp(host, r->host) == 0;
        hostless |= r->hostless;
        any = r;
        n++;
    }
    if (same || (n == 1 && (!host || !any->host)))
        return any;
    if (n && hostless)
        fail_two_hosts(g, name);
    return NULL;
}

static int set_host(struct smi_run *r, const char *host)
{
    r->hostless |= !host;
    if (host && !r->host)
        r->host = smi_mem_text(host, strlen(host));
    return !host || r->host ? 0 : -1;
}

/* The run of a document, made if it is new; NULL with g->bad set. */
static struct smi_run *run_of(struct smi_partial_reader *g, struct smi_partials *p, const char *name,
                              const char *host)
{
    struct smi_run *r = known_run(g, p, name, host);
    if (g->bad)
        return NULL;
    if (r)
        return set_host(r, host) ? smi_partial_read_nomem(g) : r;
    if (smi_mem_reserve(&p->run, &p->cap, p->runs + 1, sizeof *p->run) || !(r = smi_mem_new(1, sizeof *r)))
        return smi_partial_read_nomem(g);
    r->name = smi_mem_text(name, strlen(name));
    if (!r->name || set_host(r, host)) {
        smi_run_fini(r);
        smi_mem_free(r);
        return smi_partial_read_nomem(g);
    }
    return p->run[p->runs++] = r;
}

/* ---- the zone ---- */

static void fail_other_zone(struct smi_partial_reader *g)
{
    smi_err_set(g->err, SMI_EUSAGE,
                "%.200s: run %.100s was summarised in another time zone there: give the same --tz to all",
                g->name, g->run->name);
    g->bad = true;
}

/* Where a zone can come from, the surest first. */
static const char *const zone_sources[] = {"--tz", "the run log", "inferred"};
enum { ZONE_SOURCES = 3 };

/* ZONE_SOURCES for NULL. */
static size_t zone_source(const char *said)
{
    size_t i = 0;
    while (i < ZONE_SOURCES && (!said || strcmp(said, zone_sources[i])))
        i++;
    return i;
}

/* The zone is the run's, not the part's: parts that were joined by different ones cannot be merged. */
static void set_zone(struct smi_partial_reader *g, const struct head *head, bool first)
{
    struct smi_run *r = g->run;
    const char *zone = head->zone;
    size_t i = zone_source(head->zone_from);
    if (i == ZONE_SOURCES || g->bad)
        return;
    if (zone && strlen(zone) >= SMI_TZ_NAME) {
        smi_partial_read_fail(g, "zone");
        return;
    }
    if (r->has_offset && !first &&
        (r->offset_s != head->offset_s || !r->zone != !zone || (zone && strcmp(zone, r->zone)))) {
        fail_other_zone(g);
        return;
    }
    if (zone && !r->zone && !(r->zone = smi_mem_text(zone, strlen(zone))))
        smi_partial_read_nomem(g);
    r->has_offset = true;
    r->offset_s = (int)head->offset_s;
    if (i < zone_source(r->zone_from)) /* the same for any order of documents */
        r->zone_from = zone_sources[i];
}

/* Parts that a zone's name has put on its standard time, and parts that stand as they were, cannot be merged.
 */
static void check_clock(struct smi_partial_reader *g)
{
    const struct smi_input_stats *first = NULL;
    for (size_t i = 0; i < g->run->parts && !g->bad; i++) {
        const struct smi_input_stats *p = g->run->part[i];
        if (!p->timed || p->base != SMI_TIME_BASE_LOCAL)
            continue;
        if (first && first->by_zone != p->by_zone)
            fail_other_zone(g);
        first = p;
    }
}

/* ---- inputs ---- */

/* A RunLog that stands beside every part of its run is one RunLog. */
static struct smi_input_stats *known_run_log(const struct smi_run *r, const struct smi_input_stats *p)
{
    for (size_t i = 0; i < r->parts; i++)
        if (smi_format_infos[p->format].marks && r->part[i]->format == p->format &&
            r->part[i]->hash == p->hash && r->part[i]->size == p->size)
            return r->part[i];
    return NULL;
}

static void note_document(struct smi_partial_reader *g, struct smi_input_stats *log)
{
    if (smi_mem_reserve(&log->docs, &log->docs_cap, log->ndocs + 1, sizeof *log->docs))
        smi_partial_read_nomem(g);
    else
        log->docs[log->ndocs++] = g->doc;
}

/* Adds an input to the run. Returns whether it is new there. */
static bool add_input(struct smi_partial_reader *g, struct smi_input_stats *p)
{
    struct smi_input_stats *known = g->bad ? NULL : known_run_log(g->run, p);
    bool log = smi_format_infos[p->format].marks;
    p->doc = g->doc;
    if (!g->bad && log)
        note_document(g, known ? known : p);
    if (g->bad || known || smi_run_add_part(g->run, p, g->err)) {
        g->bad |= !known;
        smi_input_stats_free(p);
        return false;
    }
    g->bad |= log && smi_runlog_merge(&g->run->log, &p->log, g->err);
    return true;
}

static void read_inputs(struct smi_partial_reader *g, const json_t *list)
{
    size_t first = g->run->parts, n = json_array_size(list), kept = 0;
    size_t *place = smi_mem_new(n, sizeof *place);
    if (!place) {
        smi_partial_read_nomem(g);
        return;
    }
    for (size_t i = 0; i < n && !g->bad; i++) {
        struct smi_input_stats *p = smi_partial_read_input(g, json_array_get(list, i));
        if (p && add_input(g, p))
            place[kept++] = i;
    }
    for (size_t i = 0; i < kept && !g->bad; i++)
        smi_partial_read_devices(g, json_array_get(list, place[i]), g->run->part[first + i]);
    smi_mem_free(place);
}

/* ---- documents ---- */

/* By which rules the partial was made: those of the others? */
static void check_rules(struct smi_partial_reader *g, struct smi_partials *p, const struct head *head)
{
    if (g->bad)
        return;
    if (head->distinct_cap != SMI_DISTINCT_CAP || (p->has_idle && p->idle_below != head->idle_below)) {
        smi_err_set(g->err, SMI_EUSAGE,
                    "%.200s: made by other rules (--idle-below) than the partials before it", g->name);
        g->bad = true;
    }
    p->has_idle = true;
    p->idle_below = head->idle_below;
}

static void fini_head(struct head *head)
{
    smi_mem_free(head->run);
    smi_mem_free(head->host);
    smi_mem_free(head->zone_from);
    smi_mem_free(head->zone);
}

/* name: --run, or NULL. */
static void read_document(struct smi_partial_reader *g, struct smi_partials *p, const json_t *doc,
                          const struct head *head, const char *name)
{
    size_t before = p->runs;
    if (!head->run) /* merge_queue.c has said what is wrong, where a document comes from there */
        smi_partial_read_fail(g, "run");
    check_rules(g, p, head);
    g->run = g->bad ? NULL : run_of(g, p, name ? name : head->run, head->host);
    if (!g->run)
        return;
    set_zone(g, head, p->runs > before);
    g->run->merged = true;
    g->doc = (uint32_t)p->nseen;
    g->joined = name || head->joined;
    smi_partial_read_struct(g, doc, &run_shape, g->run);
    if (!g->bad)
        read_inputs(g, json_object_get(doc, "parts"));
    check_clock(g);
}

/* Remembers the document. Returns 1 if it is new, 0 if it was given before, -1 without memory. */
static int remember_document(struct smi_partials *p, const char *text, size_t n)
{
    uint64_t h = smi_digest_of(text, n);
    for (size_t i = 0; i < p->nseen; i++)
        if (p->seen[i].hash == h && p->seen[i].n == n)
            return 0;
    if (smi_mem_reserve(&p->seen, &p->seen_cap, p->nseen + 1, sizeof *p->seen))
        return -1;
    p->seen[p->nseen++] = (struct smi_partial_seen){h, n};
    return 1;
}

/* The same document once more: said in its run, and not counted. */
static void warn_given_twice(struct smi_partial_reader *g, struct smi_partials *p, const struct head *head,
                             const char *name)
{
    static const char text[] = "a partial summary given twice: counted once";
    name = name ? name : head->run;
    g->run = name ? run_of(g, p, name, head->host) : NULL;
    if (g->run && (smi_run_add_problem(g->run, g->err, "%s", text) ||
                   smi_run_add_warning(g->run, g->name, text, true, g->err)))
        g->bad = true;
}

int smi_partial_read(struct smi_partials *p, const char *text, size_t n, const char *name,
                     const char *run_name, struct smi_err *err)
{
    struct smi_partial_reader g = {.name = name, .number = p->number, .err = err};
    struct head head = {0};
    json_error_t why;
    const int is_new = remember_document(p, text, n);
    json_t *doc = is_new < 0 ? NULL : json_loadb(text, n, 0, &why);
    if (is_new < 0 || (!doc && !*why.text)) /* jansson gives a reason for everything but a lack of memory */
        return smi_err_nomem(err);
    if (!doc)
        return smi_err_set(err, SMI_EFORMAT, "%.200s: no partial summary: %s", name, why.text);
    if (smi_partial_is_current(text, n))
        smi_partial_read_struct(&g, doc, &head_shape, &head);
    if (is_new)
        read_document(&g, p, doc, &head, run_name);
    else if (!g.bad)
        warn_given_twice(&g, p, &head, run_name);
    fini_head(&head);
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
