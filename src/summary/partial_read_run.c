/* partial_read_run.c - to which run a document belongs, what it says of it, and whether its times stand on
 * that run's clock. */
#include "summary/partial_read_private.h"

#include <string.h>

enum { MOST_MORE = 1 << 30 /* files of one doubt */ };

/* ---- which run ---- */

static struct smi_run *fail_two_hosts(struct smi_partial_reader *g, const char *name)
{
    if (!g->bad)
        smi_err_set(g->err, SMI_EUSAGE,
                    "%.200s: run %.80s was made on several hosts, and a part of it does not say on which: "
                    "summarize --host NAME says it",
                    g->name, name);
    g->bad = true;
    return NULL;
}

/* The host is part of the key where it is known: GPU 0 of another machine is another GPU. A part that knows
 * none belongs to the only run of its name. Returns NULL with g->bad set where there are several. */
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
    return n && hostless ? fail_two_hosts(g, name) : NULL;
}

static int set_host(struct smi_run *r, const char *host)
{
    r->hostless |= !host;
    if (host && !r->host)
        r->host = smi_mem_text(host, strlen(host));
    return !host || r->host ? 0 : -1;
}

struct smi_run *smi_partial_read_run(struct smi_partial_reader *g, struct smi_partials *p, const char *name,
                                     const json_t *doc)
{
    const char *host = json_string_value(json_object_get(doc, "host"));
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

/* ---- what is said of it ---- */

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

/* joined: by --run, which makes one run of parts with different parameters. */
static void get_param(struct smi_partial_reader *g, const char *key, const char *text, bool bare, bool file,
                      bool joined)
{
    bool known = false;
    for (size_t k = 0; key && k < g->run->params; k++)
        if (g->run->param[k].file == file && strcmp(g->run->param[k].key, key) == 0) {
            known = true;
            if (text && joined)
                g->run->param[k].differs |= strcmp(g->run->param[k].text, text) != 0;
            else if (text && strcmp(g->run->param[k].text, text))
                fail_other_run(g, key, text);
        }
    if (!key || !text || (bare && !smi_text_is_bare(smi_text_of(text))))
        smi_partial_read_fail(g, "params");
    else if (!known && smi_run_add_param(g->run, key, text, bare, file, g->err))
        g->bad = true;
}

static void read_run_params(struct smi_partial_reader *g, const json_t *params, bool file, bool joined)
{
    for (size_t i = 0; i + 2 < json_array_size(params) && !g->bad; i += 3) {
        char *key = smi_partial_read_text(g, json_array_get(params, i)),
             *text = smi_partial_read_text(g, json_array_get(params, i + 1));
        if (!g->bad)
            get_param(g, key, text, json_is_true(json_array_get(params, i + 2)), file, joined);
        smi_mem_free(key);
        smi_mem_free(text);
    }
}

void smi_partial_read_words(struct smi_partial_reader *g, const json_t *doc, bool joined)
{
    const json_t *problems = json_object_get(doc, "problems"), *doubts = json_object_get(doc, "doubts");
    read_run_params(g, json_object_get(doc, "params"), false, joined);
    read_run_params(g, json_object_get(doc, "config"), true, joined);
    for (size_t i = 0; i < json_array_size(problems) && !g->bad; i++) {
        const char *text = json_string_value(json_array_get(problems, i));
        if (text && smi_run_add_problem(g->run, g->err, "%s", text))
            g->bad = true;
    }
    for (size_t i = 0; i + 2 < json_array_size(doubts) && !g->bad; i += 3) {
        const json_t *more = json_array_get(doubts, i + 2);
        const char *path = json_string_value(json_array_get(doubts, i)),
                   *text = json_string_value(json_array_get(doubts, i + 1));
        if (!text)
            smi_partial_read_fail(g, "doubts");
        else if (smi_run_add_warning(g->run, path, text, json_is_true(more), g->err))
            g->bad = true;
        else if (json_integer_value(more) > 0 && json_integer_value(more) < MOST_MORE)
            g->run->doubt[g->run->doubts - 1].more = json_integer_value(more);
    }
}

/* ---- the zone ---- */

static void fail_other_zone(struct smi_partial_reader *g)
{
    smi_err_set(g->err, SMI_EUSAGE,
                "%.200s: run %.100s was summarised in another time zone there: give the same --tz to all",
                g->name, g->run->name);
    g->bad = true;
}

/* Where a zone can come from, the surest first; NULL gives 3. */
static const char *const from[] = {"--tz", "the run log", "inferred"};

static size_t source_of(const char *said)
{
    size_t i = 0;
    while (i < 3 && (!said || strcmp(said, from[i])))
        i++;
    return i;
}

void smi_partial_read_zone(struct smi_partial_reader *g, const json_t *doc, bool first)
{
    const char *said = json_string_value(json_object_get(doc, "zone_from"));
    const char *zone = json_string_value(json_object_get(doc, "zone"));
    struct smi_run *r = g->run;
    int64_t offset = smi_partial_read_key_int(g, doc, "offset_s");
    size_t i = source_of(said);
    if (i == 3 || g->bad)
        return;
    if (offset * 1000 < -SMI_PARTIAL_DAY_MS || offset * 1000 > SMI_PARTIAL_DAY_MS ||
        (zone && strlen(zone) >= SMI_TZ_NAME)) {
        smi_partial_read_fail(g, "zone");
        return;
    }
    if (r->has_offset && !first &&
        (r->offset_s != offset || !r->zone != !zone || (zone && strcmp(zone, r->zone)))) {
        fail_other_zone(g);
        return;
    }
    if (zone && !r->zone && !(r->zone = smi_mem_text(zone, strlen(zone))))
        smi_partial_read_nomem(g);
    r->has_offset = true;
    r->offset_s = (int)offset;
    if (i < source_of(r->zone_from)) /* the same for any order of documents */
        r->zone_from = from[i];
}

void smi_partial_check_clock(struct smi_partial_reader *g)
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
