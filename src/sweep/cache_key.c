/* cache_key.c - what the numbers of a run depend on, as bytes. */
#include "base/clock.h"
#include "base/tz.h"
#include "base/version.h"
#include "sweep/cache.h"
#include "summary/rule.h"
#include "summary/summary_image.h"
#include "summary/price.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef SMI_SOURCES
#define SMI_SOURCES "" /* the Makefile gives the sum of all sources: another program, other numbers */
#endif

static void number(struct smi_buf *to, int64_t v)
{
    smi_buf_add(to, (const char *)&v, sizeof v);
}

/* A text and its end; NULL is none. */
static void text(struct smi_buf *to, const char *s)
{
    smi_buf_char(to, s != NULL);
    if (s)
        smi_buf_add(to, s, strlen(s) + 1);
}

static void put_zone(struct smi_buf *to, const struct smi_tz *z)
{
    text(to, z ? z->name : NULL);
    if (!z)
        return;
    number(to, z->standard_s);
    number(to, z->before_s);
    number(to, z->n);
    for (unsigned i = 0; i < z->n; i++) {
        number(to, z->change[i].at);
        number(to, z->change[i].offset_s);
    }
}

static void put_rules(struct smi_buf *to, const struct smi_rule *rule)
{
    number(to, rule != NULL);
    for (int i = 0; rule && i < SMI_RULE_COUNT; i++) {
        number(to, rule[i].level);
        number(to, rule[i].limit);
        number(to, rule[i].least_s);
        number(to, rule[i].off);
    }
}

static void put_prices(struct smi_buf *to, const struct smi_prices *p)
{
    number(to, p != NULL);
    for (size_t i = 0; p && i < p->n; i++) {
        number(to, (int64_t)p->gpu[i].model.n);
        smi_buf_add(to, p->gpu[i].model.n ? p->gpu[i].model.p : "", p->gpu[i].model.n);
        number(to, p->gpu[i].micro);
    }
    if (!p)
        return;
    number(to, p->has_kwh);
    number(to, p->has_co2);
    number(to, p->kwh);
    number(to, p->gco2);
}

/* Paths are told as they were typed, and some of them lead on from here. */
static void put_paths(struct smi_buf *to, const struct smi_question *q)
{
    char *here = getcwd(NULL, 0);
    text(to, here);
    free(here); /* getcwd's own */
    for (size_t i = 0; i < q->n; i++) {
        char *real = realpath(q->path[i], NULL);
        text(to, q->path[i]);
        text(to, real);
        free(real);
    }
}

void smi_question_key(struct smi_buf *to, const struct smi_question *q)
{
    const struct smi_options *o = q->o;
    text(to, SMILOG_VERSION);
    text(to, SMI_SOURCES);
    number(to, (int64_t)smi_summary_layout());
    text(to, q->d->form);
    put_paths(to, q);
    number(to, q->d->per);
    number(to, q->d->format);
    number(to, q->d->gpu_count);
    number(to, q->d->follow_links);
    text(to, q->d->columns);
    text(to, q->d->run);
    number(to, o->has_offset);
    number(to, o->offset_s);
    number(to, o->fixed);
    put_zone(to, o->zone);
    number(to, o->idle_below);
    number(to, o->interval_us);
    text(to, o->host);
    number(to, o->gpu_count);
    text(to, o->gpus);
    text(to, o->columns);
    put_prices(to, o->prices);
    put_rules(to, o->rules);
}

static void put_params(struct smi_buf *to, const struct smi_param *p, size_t n)
{
    number(to, (int64_t)n);
    for (size_t i = 0; i < n; i++) {
        text(to, p[i].key);
        text(to, p[i].text);
        number(to, p[i].bare);
    }
}

/* A file that was not stamped in the walk: it is a PATH, or a link leads to it. */
static bool stamp(struct smi_stamp *s, const char *path)
{
    struct stat st;
    if (!s->ino && stat(path, &st) == 0)
        *s = smi_stamp_of(&st, smi_stamp_now());
    return s->ino && s->old;
}

bool smi_run_key(struct smi_cache_room *k, const struct smi_found_run *r, const char *place)
{
    struct smi_buf *to = &k->key;
    bool ok = r->unit == 0 && r->files > 0;
    smi_buf_clear(to);
    text(to, r->name);
    text(to, place);
    put_params(to, r->param, r->params);
    put_params(to, r->config, r->configs);
    number(to, (int64_t)r->problems);
    for (size_t i = 0; i < r->problems; i++)
        text(to, r->problem[i]);
    for (size_t i = 0; i < r->files && ok; i++) {
        const struct smi_found_file *f = &r->file[i];
        struct smi_stamp s = f->stamp;
        ok = !f->inside && strcmp(f->path, "-") != 0 && stamp(&s, f->path);
        text(to, f->path);
        text(to, f->shown);
        number(to, f->format);
        number(to, f->bare);
        smi_buf_add(to, (const char *)&s, sizeof s);
    }
    return ok && !to->failed;
}
