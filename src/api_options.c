/* api_options.c - include/smilog/base.h and options.h: the error value, memory, options by name. */
#include "api_private.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/version.h"
#include "formats/column_map.h"
#include "formats/format.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { THREADS = 4 /* unless it is said how many */ };

const char *smilog_version(void)
{
    return SMILOG_VERSION;
}

static void (*on_memory)(void);

static void call_on_memory(void *unused)
{
    (void)unused;
    on_memory();
}

void smilog_on_memory(void (*fn)(void))
{
    on_memory = fn;
    smi_mem_on_exhausted(fn ? call_on_memory : NULL, NULL);
}

void smilog_free(void *p)
{
    smi_mem_free(p);
}

struct option;
static const struct option *find_option(struct smi_text name);

void smi_api_name_options(char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz-";
    char *to = text;
    for (const char *p = text; *p; *to++ = *p++)
        if (strncmp(p, "--", 2) == 0 && (p == text || strchr(" (:", p[-1])) &&
            find_option((struct smi_text){p + 2, strspn(p + 2, letters)}))
            p += 2;
    *to = 0;
}

int smi_api_fail(struct smilog_error *to, const struct smi_err *err)
{
    if (to && !to->code) {
        to->code = err->code;
        memcpy(to->text, err->text, sizeof to->text);
        smi_api_name_options(to->text);
    }
    return -1;
}

char *smi_api_take_text(struct smi_buf *b, int rc, size_t *n, struct smi_err *err, struct smilog_error *to)
{
    char *text = NULL;
    smi_buf_add(b, "", 0);
    if (!rc)
        text = smi_mem_text(b->p ? b->p : "", b->n);
    if (n)
        *n = b->n;
    smi_buf_fini(b);
    if (text)
        return text;
    smi_api_fail(to, err);
    return NULL;
}

/* ---- values ---- */

/* An option that is being set. */
struct setting {
    struct smilog_options *o;
    const char *name, *value;
    void *to;     /* the member that takes it */
    int64_t most; /* of a number: in its unit, or in millionths of it */
    struct smi_err *err;
};

static int read_text(const struct setting *s)
{
    *(const char **)s->to = s->value;
    return 0;
}

static int read_bool(const struct setting *s)
{
    *(bool *)s->to = strcmp(s->value, "true") == 0;
    return *(bool *)s->to || strcmp(s->value, "false") == 0 ? 0 : -1;
}

static int read_micro(const struct setting *s)
{
    int64_t *to = s->to;
    return smi_text_parse_micro(smi_text_of(s->value), to) || *to < 0 || *to > s->most ? -1 : 0;
}

static int read_count(const struct setting *s)
{
    int64_t n;
    if (smi_text_parse_micro(smi_text_of(s->value), &n) || n < 1000000 || n % 1000000 ||
        n / 1000000 > s->most)
        return -1;
    *(int *)s->to = (int)(n / 1000000);
    return 0;
}

static int read_samples(const struct setting *s)
{
    int64_t *to = s->to;
    if (strcmp(s->value, "all") != 0)
        return read_micro(s) || (*to /= 1000000) < 1 ? -1 : 0;
    *to = SMI_SAMPLES_ALL;
    return 0;
}

static int read_run_per(const struct setting *s)
{
    static const char *const words[] = {"auto", "dir", "file"};
    int i = 2;
    while (i >= 0 && strcmp(words[i], s->value) != 0)
        i--;
    s->o->find.per = (enum smi_run_per)i;
    return i < 0 ? -1 : 0;
}

static int read_input_format(const struct setting *s)
{
    return (s->o->find.format = smi_format_find(s->value)) < 0 ? -1 : 0;
}

static int read_zone(const struct setting *s)
{
    struct smilog_options *o = s->o;
    struct smi_text t = smi_text_of(s->value);
    o->read.has_offset = true;
    o->read.fixed = smi_text_is(t, "UTC") || smi_text_is(t, "Z");
    o->read.zone = NULL;
    if (smi_clock_parse_zone(t, &o->read.offset_s) == 0)
        return 0;
    if (smi_tz_load(&o->zone, s->value, s->err))
        return -1;
    o->read.offset_s = o->zone.standard_s;
    o->read.zone = &o->zone;
    return 0;
}

static int read_columns_from(const struct setting *s)
{
    struct smi_buf b = {0};
    if (smi_column_map_load(&b, s->value, s->err)) {
        smi_buf_fini(&b);
        return -1;
    }
    s->o->read.columns = smi_buf_keep(&b, &s->o->arena);
    return 0;
}

static int read_rules(const struct setting *s)
{
    s->o->read.rules = memcpy(s->o->rule, smi_rules, sizeof s->o->rule);
    return smi_rules_load(s->o->rule, s->value, s->err);
}

static int read_gpu_prices(const struct setting *s)
{
    s->o->read.prices = &s->o->prices;
    return smi_prices_read(&s->o->prices, s->name, s->value, s->err);
}

static int read_price(const struct setting *s)
{
    struct smi_prices *p = &s->o->prices;
    s->o->read.prices = p;
    p->has_kwh |= s->to == &p->kwh;
    p->has_co2 |= s->to == &p->gco2;
    return smi_price_number(s->to, s->name, s->value, s->err);
}

static int read_currency(const struct setting *s)
{
    return smi_currency_check(s->value, s->err) ? -1 : read_text(s);
}

#define AT(member) offsetof(struct smilog_options, member)

static const struct option {
    const char *name;
    int (*read)(const struct setting *s); /* returns 0, or -1 with or without err */
    size_t at;
    int64_t most;
} options[] = {
    {"tz", read_zone, 0, 0},
    {"interval", read_micro, AT(read.interval_us), INT64_MAX},
    {"host", read_text, AT(read.host), 0},
    {"gpu-count", read_count, AT(read.gpu_count), 1000000},
    {"input-format", read_input_format, 0, 0},
    {"input-columns", read_text, AT(read.columns), 0},
    {"columns-from", read_columns_from, 0, 0},
    {"idle-below", read_micro, AT(read.idle_below), 100000000},
    {"run-per", read_run_per, 0, 0},
    {"follow-links", read_bool, AT(find.follow_links), 0},
    {"run", read_text, AT(find.run), 0},
    {"gpus", read_text, AT(read.gpus), 0},
    {"threads", read_count, AT(find.threads), 1024},
    {"price-gpu-hour", read_gpu_prices, 0, 0},
    {"price-kwh", read_price, AT(prices.kwh), 0},
    {"currency", read_currency, AT(render.currency), 0},
    {"gco2-kwh", read_price, AT(prices.gco2), 0},
    {"rules", read_rules, 0, 0},
    {"where", read_text, AT(query.where), 0},
    {"join", read_text, AT(query.join), 0},
    {"since", read_text, AT(query.since), 0},
    {"until", read_text, AT(query.until), 0},
    {"sort", read_text, AT(query.sort), 0},
    {"columns", read_text, AT(query.columns), 0},
    {"group-by", read_text, AT(query.group_by), 0},
    {"sql", read_text, AT(query.sql), 0},
    {"all", read_bool, AT(render.all), 0},
    {"samples", read_samples, AT(render.samples), INT64_MAX},
    {"width", read_count, AT(render.width), 10000},
};

static const struct option *find_option(struct smi_text name)
{
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (smi_text_is(name, options[i].name))
            return &options[i];
    return NULL;
}

static int set_option(struct smilog_options *o, const char *name, const char *value, struct smi_err *err)
{
    const struct option *as = find_option(smi_text_of(name));
    if (!as)
        return smi_err_set(err, SMI_EUSAGE, "there is no option %.60s", name);
    if (as->read(&(struct setting){o, name, value, (char *)o + as->at, as->most, err}) == 0)
        return 0;
    return err->code ? -1 : smi_err_set(err, SMI_EUSAGE, "%s: there is no \"%.60s\"", name, value);
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
    struct smilog_options changed; /* a value that is refused changes nothing */
    struct smi_err own = {0};
    char *key = smi_arena_text(&o->arena, name, strlen(name));
    char *text = smi_arena_text(&o->arena, value, strlen(value));
    smi_mem_reserve(&o->set, &o->cap, o->n + 1, sizeof *o->set);
    changed = *o;
    if (set_option(&changed, key, text, &own))
        return smi_api_fail(err, &own);
    *o = changed;
    o->read.zone = o->read.zone ? &o->zone : NULL; /* of o, not of the copy */
    o->read.rules = o->read.rules ? o->rule : NULL;
    o->read.prices = o->read.prices ? &o->prices : NULL;
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
