/* merge.c - a sweep of partials; and what every way to a sweep needs. */
#include "findings/findings.h"
#include "partial/partial.h"
#include "sweep/made.h"
#include "sweep/told.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int smi_sweep_text(struct smi_summary *s, const struct smi_options *o, struct smi_buf *to, struct smi_arena *left,
                   struct smi_err *err)
{
    struct smi_summary full = *s;
    o->text(to, s);
    return smi_summary_brief(s, &full, left) || to->failed ? smi_err_nomem(err) : 0;
}

char *smi_sweep_copy(const struct smi_buf *b)
{
    return b->failed ? NULL : smi_mem_text(b->p ? b->p : "", b->n);
}

int smi_sweep_title(struct smi_sweep *s, const char *const *path, size_t n)
{
    char text[32];
    const char *title = n == 1 ? path[0] : text;
    s->paths = n;
    snprintf(text, sizeof text, "%zu paths", n);
    s->title = smi_arena_text(&s->arena, title, strlen(title));
    return s->title ? 0 : -1;
}

int smi_sweep_close(struct smi_sweep *s, bool grid, struct smi_err *err)
{
    for (size_t i = 0; i < s->n; i++)
        smi_total_add(&s->total, &s->runs[i]);
    smi_total_close(&s->total);
    return grid ? smi_sweep_params(s, err) : 0;
}

static int by_run_name(const void *x, const void *y)
{
    const struct smi_run *a = *(struct smi_run *const *)x, *b = *(struct smi_run *const *)y;
    int d = smi_text_order(a->name, b->name);
    if (!d)
        d = strcmp(a->name, b->name);
    return d ? d : strcmp(a->host ? a->host : "", b->host ? b->host : "");
}

int smi_sweep_merge(struct smi_sweep *out, struct smi_partials *p, const struct smi_options *o,
                    struct smi_err *err)
{
    struct smi_options same = *o;
    struct smi_buf b = {0};
    int rc;
    memset(out, 0, sizeof *out);
    if (p->has_idle)
        same.idle_below = p->idle_below;
    out->runs = smi_mem_new(p->runs, sizeof *out->runs);
    out->n = out->runs ? p->runs : 0;
    if (o->text)
        out->text = smi_mem_new(p->runs, sizeof *out->text);
    rc = !out->runs || (o->text && !out->text) || smi_sweep_title(out, (const char *const[]){"partial summaries"}, 1)
             ? smi_err_nomem(err)
             : 0;
    if (!rc && p->runs)
        qsort(p->run, p->runs, sizeof *p->run, by_run_name);
    if (!rc && smi_sweep_told_again(out, p))
        rc = smi_err_nomem(err);
    for (size_t i = 0; i < p->runs && !rc; i++) {
        rc = smi_findings_build(&out->runs[i], p->run[i], &same, err);
        smi_buf_clear(&b);
        if (!rc && o->text)
            rc = smi_sweep_text(&out->runs[i], o, &b, &p->run[i]->room, err);
        if (!rc && o->text && !(out->text[i] = smi_sweep_copy(&b)))
            rc = smi_err_nomem(err);
    }
    smi_buf_fini(&b);
    if (!rc)
        rc = smi_sweep_close(out, true, err);
    if (rc)
        smi_sweep_fini(out);
    return rc;
}

void smi_sweep_fini(struct smi_sweep *s)
{
    for (size_t i = 0; i < s->n; i++) {
        smi_summary_fini(&s->runs[i]);
        if (s->text)
            smi_mem_free(s->text[i]);
    }
    smi_mem_free(s->runs);
    smi_mem_free(s->text);
    smi_found_fini(&s->found);
    smi_arena_fini(&s->arena);
    memset(s, 0, sizeof *s);
}
