#include "summary/run.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int smi_run_add_problem(struct smi_run *r, struct smi_err *err, const char *fmt, ...)
{
    char text[480];
    va_list ap;
    int n;
    va_start(ap, fmt);
    n = vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    if (n < 0 || smi_mem_reserve(&r->problem, &r->problems_cap, r->problems + 1, sizeof *r->problem))
        return smi_err_nomem(err);
    r->problem[r->problems] = smi_mem_text(text, strlen(text));
    return r->problem[r->problems] ? (r->problems++, 0) : smi_err_nomem(err);
}

int smi_run_add_warning(struct smi_run *r, const char *path, const char *text, bool used, struct smi_err *err)
{
    struct smi_run_warning *d;
    if (smi_mem_reserve(&r->doubt, &r->doubts_cap, r->doubts + 1, sizeof *r->doubt))
        return smi_err_nomem(err);
    d = &r->doubt[r->doubts++];
    *d = (struct smi_run_warning){.path = path ? smi_mem_text(path, strlen(path)) : NULL,
                                  .text = smi_mem_text(text, strlen(text)),
                                  .used = used};
    return d->text && (d->path || !path) ? 0 : smi_err_nomem(err);
}

int smi_run_add_part(struct smi_run *r, struct smi_input_stats *p, struct smi_err *err)
{
    if (smi_mem_reserve(&r->part, &r->cap, r->parts + 1, sizeof *r->part))
        return smi_err_nomem(err);
    p->account.changes = 0; /* it tells whether chunks of a log fit together, and is no part of a summary */
    r->part[r->parts++] = p;
    return 0;
}

/* Appends to a list of *n. */
static int append_param(struct smi_run_param **list, size_t *n, struct smi_run_param p, struct smi_err *err)
{
    size_t cap = *n;
    struct smi_run_param *q;
    if (smi_mem_reserve(list, &cap, *n + 1, sizeof **list))
        return smi_err_nomem(err);
    q = &(*list)[(*n)++];
    *q = p;
    q->key = smi_mem_text(p.key, strlen(p.key));
    q->text = smi_mem_text(p.text, strlen(p.text));
    return q->key && q->text ? 0 : smi_err_nomem(err);
}

int smi_run_add_param(struct smi_run *r, const char *key, const char *text, bool bare, bool file,
                      struct smi_err *err)
{
    return append_param(&r->param, &r->params,
                        (struct smi_run_param){(char *)key, (char *)text, bare, file, false}, err);
}

const char *smi_run_fact(const struct smi_run *r, const char *key)
{
    for (size_t i = 0; i < r->facts; i++)
        if (strcmp(r->fact[i].key, key) == 0)
            return r->fact[i].text;
    return NULL;
}

int smi_run_add_fact(struct smi_run *r, const char *key, const char *text, bool bare, struct smi_err *err)
{
    if (smi_run_fact(r, key))
        return 0;
    return append_param(&r->fact, &r->facts,
                        (struct smi_run_param){(char *)key, (char *)text, bare, true, false}, err);
}

static void free_params(struct smi_run_param *list, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        smi_mem_free(list[i].key);
        smi_mem_free(list[i].text);
    }
    smi_mem_free(list);
}

void smi_run_fini(struct smi_run *r)
{
    for (size_t i = 0; i < r->parts; i++)
        smi_input_stats_free(r->part[i]);
    free_params(r->param, r->params);
    free_params(r->fact, r->facts);
    for (size_t i = 0; i < r->problems; i++)
        smi_mem_free(r->problem[i]);
    for (size_t i = 0; i < r->doubts; i++) {
        smi_mem_free(r->doubt[i].path);
        smi_mem_free(r->doubt[i].text);
    }
    smi_mem_free(r->doubt);
    smi_mem_free(r->part);
    smi_mem_free(r->problem);
    smi_runlog_fini(&r->log);
    smi_mem_free(r->name);
    smi_mem_free(r->zone);
    smi_mem_free(r->host);
    smi_arena_fini(&r->room);
    *r = (struct smi_run){0};
}
