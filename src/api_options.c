/* api_options.c - include/smilog/base.h and options.h: the error value, memory, options by name. */
#include "api_private.h"

#include "base/clock.h"
#include "base/version.h"
#include "formats/detect.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { THREADS = 4 /* unless it is said how many */ };

const char *smilog_version(void)
{
    return SMILOG_VERSION;
}

void smilog_free(void *p)
{
    smi_mem_free(p);
}

int smi_api_fail(struct smilog_error *to, const struct smi_err *err)
{
    if (to && !to->code) {
        to->code = err->code;
        memcpy(to->text, err->text, sizeof to->text);
    }
    return -1;
}

char *smi_api_take_text(struct smi_buf *b, int rc, size_t *n, struct smi_err *err, struct smilog_error *to)
{
    char *text = NULL;
    smi_buf_add(b, "", 0);
    if (!rc && !b->failed)
        text = smi_mem_text(b->p ? b->p : "", b->n);
    if (n)
        *n = b->n;
    smi_buf_fini(b);
    if (text)
        return text;
    if (!rc)
        smi_err_nomem(err);
    smi_api_fail(to, err);
    return NULL;
}

/* ---- values ---- */

static int read_bool(bool *to, const char *value)
{
    *to = strcmp(value, "true") == 0;
    return *to || strcmp(value, "false") == 0 ? 0 : -1;
}

static int read_micro(int64_t *to, const char *value, int64_t most)
{
    return smi_text_parse_micro(smi_text_of(value), to) || *to < 0 || *to > most ? -1 : 0;
}

static int read_count(int *to, const char *value, int most)
{
    int64_t micro;
    if (read_micro(&micro, value, most * INT64_C(1000000)) || micro < 1000000 || micro % 1000000)
        return -1;
    *to = (int)(micro / 1000000);
    return 0;
}

static int read_run_per(struct smilog_options *o, const char *value)
{
    static const char *const words[] = {"auto", "dir", "file"};
    for (int i = 0; i < 3; i++)
        if (strcmp(words[i], value) == 0) {
            o->find.per = (enum smi_run_per)i;
            return 0;
        }
    return -1;
}

static int read_zone(struct smilog_options *o, const char *value, struct smi_err *err)
{
    struct smi_text t = smi_text_of(value);
    o->read.has_offset = true;
    o->read.fixed = smi_text_is(t, "UTC") || smi_text_is(t, "Z");
    o->read.zone = NULL;
    if (smi_clock_parse_zone(t, &o->read.offset_s) == 0)
        return 0;
    if (smi_tz_load(&o->zone, value, err))
        return -1;
    o->read.offset_s = o->zone.standard_s;
    o->read.zone = &o->zone;
    return 0;
}

static int read_rules(struct smilog_options *o, const char *path, struct smi_err *err)
{
    memcpy(o->rule, smi_rules, sizeof o->rule);
    o->read.rules = o->rule;
    return smi_rules_load(o->rule, path, err);
}

/* Options whose value is a text: where it goes. */
static const char **find_text_option(struct smilog_options *o, const char *name)
{
    const struct {
        const char *name, **to;
    } text[] = {{"host", &o->read.host},  {"gpus", &o->read.gpus},        {"input-columns", &o->read.columns},
                {"run", &o->find.run},    {"cache", &o->find.cache},      {"where", &o->query.where},
                {"join", &o->query.join}, {"since", &o->query.since},     {"until", &o->query.until},
                {"sort", &o->query.sort}, {"columns", &o->query.columns}, {"group-by", &o->query.group_by},
                {"sql", &o->query.sql}};
    for (size_t i = 0; i < sizeof text / sizeof *text; i++)
        if (strcmp(text[i].name, name) == 0)
            return text[i].to;
    return NULL;
}

/* Returns 0; 1: there is no such option; -1: there is no such value, with or without err. */
static int set_price(struct smilog_options *o, const char *name, const char *value, struct smi_err *err)
{
    struct smi_prices *p = &o->prices;
    o->read.prices = p;
    if (strcmp(name, "price-gpu-hour") == 0)
        return smi_prices_read(p, name, value, err);
    if (strcmp(name, "price-kwh") == 0)
        return smi_price_number(&p->kwh, name, value, err) || !(p->has_kwh = true) ? -1 : 0;
    if (strcmp(name, "gco2-kwh") == 0)
        return smi_price_number(&p->gco2, name, value, err) || !(p->has_co2 = true) ? -1 : 0;
    return 1;
}

static int set_rendering(struct smilog_options *o, const char *name, const char *value)
{
    int64_t micro;
    if (strcmp(name, "all") == 0)
        return read_bool(&o->render.all, value);
    if (strcmp(name, "width") == 0)
        return read_count(&o->render.width, value, 10000);
    if (strcmp(name, "samples"))
        return 1;
    if (strcmp(value, "all") == 0) {
        o->render.samples = SMI_SAMPLES_ALL;
        return 0;
    }
    if (read_micro(&micro, value, INT64_MAX) || micro < 1000000)
        return -1;
    o->render.samples = micro / 1000000;
    return 0;
}

static int set_reading(struct smilog_options *o, const char *name, const char *value, struct smi_err *err)
{
    int n;
    if (strcmp(name, "tz") == 0)
        return read_zone(o, value, err);
    if (strcmp(name, "rules") == 0)
        return read_rules(o, value, err);
    if (strcmp(name, "interval") == 0)
        return read_micro(&o->read.interval_us, value, INT64_MAX);
    if (strcmp(name, "idle-below") == 0)
        return read_micro(&o->read.idle_below, value, 100000000);
    if (strcmp(name, "gpu-count") == 0)
        return read_count(&o->read.gpu_count, value, 1000000);
    if (strcmp(name, "input-format") == 0)
        return (o->find.format = smi_format_find(value)) < 0 ? -1 : 0;
    if (strcmp(name, "run-per") == 0)
        return read_run_per(o, value);
    if (strcmp(name, "follow-links") == 0)
        return read_bool(&o->find.follow_links, value);
    if (strcmp(name, "threads"))
        return 1;
    if (read_count(&n, value, 1024))
        return -1;
    o->find.threads = (unsigned)n;
    return 0;
}

static int set_option(struct smilog_options *o, const char *name, const char *value, struct smi_err *err)
{
    const char **text = find_text_option(o, name);
    int rc;
    if (text) {
        *text = value;
        return 0;
    }
    rc = set_reading(o, name, value, err);
    rc = rc == 1 ? set_price(o, name, value, err) : rc;
    rc = rc == 1 ? set_rendering(o, name, value) : rc;
    if (rc == 1)
        return smi_err_set(err, SMI_EUSAGE, "there is no option %.60s", name);
    return rc && !err->code ? smi_err_set(err, SMI_EUSAGE, "%s: there is no \"%.60s\"", name, value) : rc;
}

/* ---- options ---- */

struct smilog_options *smilog_options_new(void)
{
    struct smilog_options *o = smi_mem_new(1, sizeof *o);
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    if (!o)
        return NULL;
    o->read.idle_below = 1000000;
    o->find.format = -1;
    o->find.threads = cpus < 1 ? 1 : cpus > THREADS ? THREADS : (unsigned)cpus;
    o->render.utf8 = true;
    return o;
}

int smilog_options_set(struct smilog_options *o, const char *name, const char *value,
                       struct smilog_error *err)
{
    struct smi_err own = {0};
    char *key = smi_arena_text(&o->arena, name, strlen(name));
    char *text = smi_arena_text(&o->arena, value, strlen(value));
    if (!key || !text || smi_mem_reserve(&o->set, &o->cap, o->n + 1, sizeof *o->set)) {
        smi_err_nomem(&own);
        return smi_api_fail(err, &own);
    }
    if (set_option(o, key, text, &own))
        return smi_api_fail(err, &own);
    o->find.columns = o->read.columns;
    o->find.gpu_count = o->read.gpu_count;
    o->render.money = o->prices.n > 0 || o->prices.has_kwh;
    o->render.co2 = o->prices.has_co2;
    o->set[o->n++] = (struct smi_api_option){key, text};
    return 0;
}

struct smilog_options *smi_api_copy_options(const struct smilog_options *o, struct smilog_error *err)
{
    struct smilog_options *copy = smilog_options_new();
    struct smi_err own = {0};
    if (!copy) {
        smi_err_nomem(&own);
        smi_api_fail(err, &own);
        return NULL;
    }
    for (size_t i = 0; o && i < o->n; i++)
        if (smilog_options_set(copy, o->set[i].name, o->set[i].value, err)) {
            smilog_options_free(copy);
            return NULL;
        }
    return copy;
}

void smilog_options_free(struct smilog_options *o)
{
    if (!o)
        return;
    smi_arena_fini(&o->arena);
    smi_mem_free(o->set);
    smi_mem_free(o);
}
