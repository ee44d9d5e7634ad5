/* sweep_merge.c - a sweep of partials; and what every way to a sweep needs. */
#include "summary/findings.h"
#include "summary/merge_queue.h"
#include "sweep/sweep_private.h"
#include "sweep/sweep_warnings.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

int smi_sweep_text(struct smi_summary *s, const struct smi_options *o, struct smi_buf *to,
                   struct smi_err *err)
{
    o->text(to, s);
    return smi_summary_brief(s) || to->failed ? smi_err_nomem(err) : 0;
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

/* One GPU of a run, from its first reading to the last. */
struct gpu_span {
    const char *uuid;
    int64_t first_ms, last_ms, covered_ms;
};

static int by_gpu_and_time(const void *x, const void *y)
{
    const struct gpu_span *a = x, *b = y;
    int d = strcasecmp(a->uuid, b->uuid);
    return d ? d : (a->first_ms > b->first_ms) - (a->first_ms < b->first_ms);
}

enum { SHARED_LEAST_MS = 18000 /* 0.01 GPU-h, rounded */ };

/* The time that spans of one GPU share: what is counted more than once. Counts the GPUs in *gpus. */
static int64_t shared_time(const struct gpu_span *v, size_t n, size_t *gpus)
{
    int64_t sum = 0;
    for (size_t i = 0, end; i < n; i = end) {
        int64_t until = v[i].last_ms, shared = 0;
        for (end = i + 1; end < n && strcasecmp(v[end].uuid, v[i].uuid) == 0; end++) {
            const int64_t to = v[end].last_ms < until ? v[end].last_ms : until,
                          both = to > v[end].first_ms ? to - v[end].first_ms : 0;
            shared += both < v[end].covered_ms ? both : v[end].covered_ms;
            until = v[end].last_ms > until ? v[end].last_ms : until;
        }
        sum += shared;
        *gpus += shared > 0;
    }
    return sum;
}

/* Runs that hold the same GPUs at the same time, as each rank of a job logged all of them: what is summed
 * over runs counts these GPUs several times. */
static int note_shared_gpus(struct smi_sweep *s)
{
    struct smi_input_warning *list;
    struct gpu_span *v = NULL;
    size_t n = 0, cap = 0, gpus = 0;
    int64_t ms;
    char text[160], hours[SMI_MICRO_TEXT], number[24] = "";
    for (size_t i = 0; s->n > 1 && smi_sweep_has_run(s, i); i++)
        for (size_t k = 0; k < s->runs[i].ngpus; k++) {
            const struct smi_gpu *g = &s->runs[i].gpus[k];
            if (!g->uuid || !g->has_span || g->pooled)
                continue;
            if (smi_mem_reserve(&v, &cap, n + 1, sizeof *v))
                return -1;
            v[n++] = (struct gpu_span){smi_arena_text(&s->arena, g->uuid, strlen(g->uuid)), g->first_ms,
                                       g->last_ms, g->covered_ms};
        }
    smi_sort(v, n, sizeof *v, by_gpu_and_time);
    ms = shared_time(v, n, &gpus);
    smi_mem_free(v);
    if (ms < SHARED_LEAST_MS)
        return 0;
    smi_text_write_fixed(hours, (int64_t)smi_i128_div((smi_i128)ms * 1000000, 3600000), 2);
    if (gpus > 1)
        snprintf(number, sizeof number, "%zu ", gpus);
    snprintf(text, sizeof text, "%s GPU-h are in several runs: they hold the same %sGPU%s at the same time",
             hours, number, gpus > 1 ? "s" : "");
    list = smi_arena_new(&s->arena, s->nnotes + 1, sizeof *list);
    if (!list)
        return -1;
    if (s->nnotes)
        memcpy(list, s->note, s->nnotes * sizeof *list);
    list[s->nnotes++] =
        (struct smi_input_warning){.path = "total", .text = smi_arena_text(&s->arena, text, strlen(text))};
    s->note = list;
    return list[s->nnotes - 1].text ? 0 : -1;
}

int smi_sweep_finish(struct smi_sweep *s, bool grid, struct smi_err *err)
{
    for (size_t i = 0; smi_sweep_has_run(s, i); i++)
        smi_total_add(&s->total, &s->runs[i]);
    smi_total_close(&s->total);
    if (note_shared_gpus(s))
        return smi_err_nomem(err);
    return grid && (smi_sweep_params(s, err) || smi_sweep_results(s, err)) ? -1 : 0;
}

static int by_run_name(const void *x, const void *y)
{
    const struct smi_run *a = *(struct smi_run *const *)x, *b = *(struct smi_run *const *)y;
    int d = smi_text_compare_natural(a->name, b->name);
    return d ? d : strcmp(a->host ? a->host : "", b->host ? b->host : "");
}

/* The summary of out's run i, and its text. */
static int build_run_summary(struct smi_sweep *out, size_t i, struct smi_run *run,
                             struct smi_run_store_slab *slab, const struct smi_options *o,
                             struct smi_err *err)
{
    struct smi_arena left = {0};
    struct smi_buf b = {0};
    int rc = smi_findings_build_summary(&out->runs[i], run, o, err);
    if (!rc && o->text)
        rc = smi_sweep_text(&out->runs[i], o, &b, err);
    if (!rc && o->text && !(out->text[i] = smi_sweep_copy(&b)))
        rc = smi_err_nomem(err);
    if (!rc && !o->timeline)
        rc = smi_run_store_move(out->store, slab, &out->runs[i], &left, err);
    smi_arena_fini(&left);
    smi_buf_fini(&b);
    return rc;
}

/* What is said when all runs are there. */
static int keep_doubts(struct smi_partials *kept, struct smi_run *from)
{
    struct smi_run *to;
    if (!from->doubts)
        return 0;
    if (smi_mem_reserve(&kept->run, &kept->cap, kept->runs + 1, sizeof *kept->run) ||
        !(to = smi_mem_new(1, sizeof *to)))
        return -1;
    kept->run[kept->runs++] = to;
    to->name = smi_mem_text(from->name, strlen(from->name));
    to->doubt = from->doubt;
    to->doubts = from->doubts;
    to->doubts_cap = from->doubts_cap;
    from->doubt = NULL;
    from->doubts = from->doubts_cap = 0;
    return to->name ? 0 : -1;
}

/* Slots for at most n runs. Returns 0, or -1 with err (memory). */
static int begin_merge(struct smi_sweep *out, size_t n, const struct smi_options *o, struct smi_err *err)
{
    memset(out, 0, sizeof *out);
    out->runs = smi_mem_new(n, sizeof *out->runs);
    out->text = o->text ? smi_mem_new(n, sizeof *out->text) : NULL;
    out->store = smi_run_store_new(SMI_RUN_STORE_MEMORY);
    return out->runs && (out->text || !o->text) && out->store ? 0 : smi_err_nomem(err);
}

/* warned: runs with what was said when they were read. */
static int end_merge(struct smi_sweep *out, const struct smi_partials *warned, int rc, struct smi_err *err)
{
    if (!rc && (smi_sweep_title(out, (const char *const[]){"partial summaries"}, 1) ||
                smi_sweep_read_warnings(out, warned)))
        rc = smi_err_nomem(err);
    rc = rc ? rc : smi_sweep_finish(out, true, err);
    if (rc)
        smi_sweep_fini(out);
    return rc;
}

static int add_runs(struct smi_sweep *out, struct smi_partials *p, struct smi_partials *kept,
                    struct smi_run_store_slab *slab, const struct smi_options *o, struct smi_err *err)
{
    struct smi_options same = *o;
    int rc = 0;
    if (p->has_idle)
        same.idle_below = p->idle_below;
    smi_sort(p->run, p->runs, sizeof *p->run, by_run_name);
    for (size_t i = 0; i < p->runs && !rc; i++) {
        out->n++;
        rc = keep_doubts(kept, p->run[i]) ? smi_err_nomem(err)
                                          : build_run_summary(out, out->n - 1, p->run[i], slab, &same, err);
    }
    return rc;
}

int smi_sweep_merge_queue(struct smi_sweep *out, struct smi_merge_queue *p, const struct smi_options *o,
                          struct smi_err *err)
{
    struct smi_run_store_slab slab = {0};
    struct smi_partials kept = {0};
    size_t at = 0;
    int rc = begin_merge(out, p->n, o, err); /* at most one of each document */
    smi_merge_queue_sort(p);
    while (at < p->n && !rc) {
        struct smi_partials one = {0};
        rc = smi_merge_queue_next(p, &at, &one, err);
        rc = rc ? rc : add_runs(out, &one, &kept, &slab, o, err);
        smi_partials_fini(&one);
    }
    smi_run_store_slab_fini(&slab);
    rc = end_merge(out, &kept, rc, err);
    smi_partials_fini(&kept);
    return rc;
}

void smi_sweep_fini(struct smi_sweep *s)
{
    for (size_t i = 0; smi_sweep_has_run(s, i); i++) {
        smi_summary_fini(&s->runs[i]);
        if (s->text)
            smi_mem_free(s->text[i]);
    }
    smi_mem_free(s->runs);
    smi_mem_free(s->text);
    smi_found_fini(&s->found);
    smi_run_store_free(s->store);
    smi_arena_fini(&s->arena);
    memset(s, 0, sizeof *s);
}
