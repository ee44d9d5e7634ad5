/* cache_key.c - what the numbers of a run depend on, as bytes. */
#include "base/clock.h"
#include "base/tz.h"
#include "base/version.h"
#include "sweep/cache.h"
#include "summary/rule.h"
#include "summary/price.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef SMI_SOURCES
#define SMI_SOURCES "" /* the Makefile gives the sum of all sources: another program, other numbers */
#endif

static void append_number(struct smi_buf *to, int64_t v)
{
    smi_buf_add(to, (const char *)&v, sizeof v);
}

/* A text and its end; NULL is none. */
static void append_text(struct smi_buf *to, const char *s)
{
    smi_buf_char(to, s != NULL);
    if (s)
        smi_buf_add(to, s, strlen(s) + 1);
}

static void put_zone(struct smi_buf *to, const struct smi_tz *z)
{
    append_text(to, z ? z->name : NULL);
    if (!z)
        return;
    append_number(to, z->standard_s);
    append_number(to, z->before_s);
    append_number(to, z->n);
    for (unsigned i = 0; i < z->n; i++) {
        append_number(to, z->change[i].at);
        append_number(to, z->change[i].offset_s);
    }
}

static void put_rules(struct smi_buf *to, const struct smi_rule *rule)
{
    append_number(to, rule != NULL);
    for (int i = 0; rule && i < SMI_RULE_COUNT; i++) {
        append_number(to, rule[i].level);
        append_number(to, rule[i].limit);
        append_number(to, rule[i].least_s);
        append_number(to, rule[i].off);
    }
}

static void put_prices(struct smi_buf *to, const struct smi_prices *p)
{
    append_number(to, p != NULL);
    for (size_t i = 0; p && i < p->n; i++) {
        append_number(to, (int64_t)p->gpu[i].model.n);
        smi_buf_add(to, p->gpu[i].model.n ? p->gpu[i].model.p : "", p->gpu[i].model.n);
        append_number(to, p->gpu[i].micro);
    }
    if (!p)
        return;
    append_number(to, p->has_kwh);
    append_number(to, p->has_co2);
    append_number(to, p->kwh);
    append_number(to, p->gco2);
}

/* Paths are printed as they were typed, and some of them lead on from here. */
static void put_paths(struct smi_buf *to, const struct smi_cache_question *q)
{
    char *here = getcwd(NULL, 0);
    append_text(to, here);
    free(here); /* getcwd's own */
    for (size_t i = 0; i < q->n; i++) {
        char *real = realpath(q->path[i], NULL);
        append_text(to, q->path[i]);
        append_text(to, real);
        free(real);
    }
}

void smi_cache_question_key(struct smi_buf *to, const struct smi_cache_question *q)
{
    const struct smi_options *o = q->o;
    append_text(to, SMILOG_VERSION);
    append_text(to, SMI_SOURCES);
    append_number(to, sizeof(struct smi_summary)); /* machines of another kind may share the file */
    append_text(to, q->d->form);
    put_paths(to, q);
    append_number(to, q->d->per);
    append_number(to, q->d->format);
    append_number(to, q->d->gpu_count);
    append_number(to, q->d->follow_links);
    append_text(to, q->d->columns);
    append_text(to, q->d->run);
    append_number(to, o->has_offset);
    append_number(to, o->offset_s);
    append_number(to, o->fixed);
    put_zone(to, o->zone);
    append_number(to, o->idle_below);
    append_number(to, o->interval_us);
    append_text(to, o->host);
    append_text(to, o->params);
    append_number(to, o->gpu_count);
    append_text(to, o->gpus);
    append_text(to, o->columns);
    put_prices(to, o->prices);
    put_rules(to, o->rules);
}

static void append_params(struct smi_buf *to, const struct smi_param *p, size_t n)
{
    append_number(to, (int64_t)n);
    for (size_t i = 0; i < n; i++) {
        append_text(to, p[i].key);
        append_text(to, p[i].text);
        append_number(to, p[i].bare);
    }
}

/* A file that was not stamped in the walk: it is a PATH, or a link leads to it. */
static bool stamp_of_path(struct smi_stamp *s, const char *path)
{
    struct stat st;
    if (!s->ino && stat(path, &st) == 0)
        *s = smi_stamp_of(&st, smi_stamp_now());
    return s->ino && s->old;
}

bool smi_cache_run_key(struct smi_cache_thread *k, const struct smi_found_run *r, const char *place)
{
    struct smi_buf *to = &k->key;
    bool ok = r->unit == 0 && r->files > 0;
    smi_buf_clear(to);
    append_text(to, r->name);
    append_text(to, place);
    append_params(to, r->param, r->params);
    append_params(to, r->config, r->configs);
    append_params(to, r->fact, r->facts);
    append_number(to, (int64_t)r->problems);
    for (size_t i = 0; i < r->problems; i++)
        append_text(to, r->problem[i]);
    for (size_t i = 0; i < r->files && ok; i++) {
        const struct smi_found_file *f = &r->file[i];
        struct smi_stamp s = f->stamp;
        ok = !f->inside && f->format != SMI_FMT_MLFLOW && strcmp(f->path, "-") != 0 &&
             stamp_of_path(&s, f->path);
        append_text(to, f->path);
        append_text(to, f->shown);
        append_number(to, f->format);
        append_number(to, f->bare);
        smi_buf_add(to, (const char *)&s, sizeof s);
    }
    return ok && !to->failed;
}
