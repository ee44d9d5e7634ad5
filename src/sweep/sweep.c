/* sweep.c - all runs: each thread of the pool takes the next run, reads it, and leaves what it makes of it in
 * that run's slot. So the order of results is that of the names, and the memory is that of the summaries. */
#include "sweep/sweep.h"

#include "summary/findings.h"
#include "sweep/read_archive.h"
#include "sweep/sweep_private.h"
#include "sweep/sweep_queue.h"
#include "sweep/sweep_warnings.h"

#include <string.h>

/* A log that is only begun is usable, and one without a reading, and what is left of a run that crashed; one
 * of which no line was understood is not. */
static void count_usable(struct smi_sweep_queue *p, size_t place, const struct smi_run *run)
{
    int64_t usable = p->found->run[place].crashed, all = 0;
    for (size_t i = 0; i < run->parts; i++) {
        const struct smi_account *a = &run->part[i]->account;
        int64_t rejected = smi_account_rejected(a) - a->rejected[SMI_REJECT_TORN_TAIL];
        usable += a->rows + a->header + a->messages > 0 || rejected == 0;
        all += rejected;
    }
    smi_sweep_queue_count(p, usable, all);
}

/* Few runs keep their timelines at once, and those that cannot be read again. */
static struct smi_options options_of(const struct smi_sweep_queue *p, size_t i)
{
    struct smi_options o = *p->o;
    o.timeline = o.timelines && (p->found->runs <= o.timelines || smi_found_run_is_stream(&p->found->run[i]));
    o.skip_series = o.timeline ? 0 : o.skip_series;
    if (!p->summary) /* a partial's: what a summary looks at */
        o.skip_series =
            ~((uint32_t)1 << smi_timed_slot(SMI_GPU_UTIL) | (uint32_t)1 << smi_timed_slot(SMI_CPU_USR));
    return o;
}

/* The summary is no longer where it was made: that has room for the next one. */
static int move_run(struct smi_sweep_queue *p, size_t i, struct smi_read_buffers *room, struct smi_err *err)
{
    return smi_run_store_move(p->store, &room->slab, &p->summary[i], &room->summary, err);
}

static int summarise(struct smi_sweep_queue *p, size_t i, struct smi_run *run, struct smi_read_buffers *room,
                     struct smi_err *err)
{
    struct smi_options o = options_of(p, i);
    if (!o.timeline) {
        run->room = room->summary;
        room->summary = (struct smi_arena){0};
    }
    if (smi_findings_build_summary(&p->summary[i], run, &o, err))
        return -1;
    p->summary[i].path = smi_sweep_run_path(&p->summary[i], p->found, i);
    p->summary[i].place = i;
    if (o.text && smi_sweep_text(&p->summary[i], &o, &room->document, err))
        return -1;
    if (!o.timeline && move_run(p, i, room, err))
        return -1;
    return o.text && p->text && !(p->text[i] = smi_sweep_copy(&room->document)) ? smi_err_nomem(err) : 0;
}

/* What is left of a run that was read; room->document gets its document. */
static int keep_run(struct smi_sweep_queue *p, size_t i, struct smi_run *run, struct smi_read_buffers *room,
                    struct smi_err *err)
{
    int rc;
    smi_buf_clear(&room->document);
    smi_sweep_append_warnings(&p->odd[i], &p->found->run[i], run);
    count_usable(p, i, run);
    rc = p->summary ? summarise(p, i, run, room, err)
                    : smi_sweep_run_warnings(run, p->found, i, &p->odd[i], err);
    if (!rc && p->each && p->o->gpus)
        rc = smi_run_add_fact(run, SMI_FACT_GPUS, p->o->gpus, false, err);
    if (!rc && !p->summary)
        rc = smi_partial_write(&room->document, run, p->o, err);
    if (!rc && p->each) {
        rc = p->each->run(p->each->self, p->found, i, run,
                          (struct smi_text){room->document.p, room->document.n}, err);
        smi_buf_clear(&room->document);
    }
    return p->odd[i].failed || room->document.failed ? smi_err_nomem(err) : rc;
}

static bool is_run_wanted(const struct smi_sweep_queue *p, size_t i)
{
    return !p->each || !p->each->wanted || p->each->wanted(p->each->self, p->found->run[i].name);
}

static void process_run(struct smi_sweep_queue *p, size_t i, struct smi_read_buffers *room)
{
    struct smi_run run;
    struct smi_err err = {0};
    struct smi_options o = options_of(p, i);
    memset(&run, 0, sizeof run);
    smi_buf_clear(&room->document);
    if (!is_run_wanted(p, i)) {
        smi_sweep_queue_finish(p, i, &room->document, &err);
        return;
    }
    if (!o.threads && p->found->runs) /* threads that no run needs for itself read large logs in pieces */
        o.threads = (unsigned)(p->d->threads / p->found->runs);
    if (smi_read_run(&run, &p->found->run[i], &o, room, &err) == 0)
        keep_run(p, i, &run, room, &err);
    smi_run_fini(&run);
    smi_sweep_queue_finish(p, i, &room->document, &err);
}

struct unit {
    struct smi_sweep_queue *pool;
    struct smi_read_buffers *room;
};

static int one_of_unit(void *self, size_t i, struct smi_run *run, struct smi_err *err)
{
    const struct unit *u = self;
    int rc = 0;
    smi_buf_clear(&u->room->document);
    if (is_run_wanted(u->pool, i))
        rc = keep_run(u->pool, i, run, u->room, err);
    smi_sweep_queue_finish(u->pool, i, &u->room->document, err);
    return rc;
}

static void one_unit(struct smi_sweep_queue *p, size_t first, struct smi_read_buffers *room)
{
    struct unit u = {p, room};
    struct smi_err err = {0};
    struct smi_options o = options_of(p, first);
    if (smi_read_archives(p->found, p->found->run[first].unit, &o, one_of_unit, &u, &err))
        smi_pool_fail(&p->pool, &err);
}

static void sweep_thread(void *self, size_t thread)
{
    struct smi_sweep_queue *p = self;
    struct smi_read_buffers room = {0};
    size_t run[SMI_SWEEP_QUEUE_BATCH], n;
    (void)thread;
    while ((n = smi_sweep_queue_take(p, run)))
        for (size_t i = 0; i < n; i++)
            if (p->found->run[run[i]].unit)
                one_unit(p, run[i], &room);
            else
                process_run(p, run[i], &room);
    smi_read_buffers_fini(&room);
}

/* ---- the ways to a sweep ---- */

static void end_pool(struct smi_sweep_queue *p, size_t runs)
{
    for (size_t i = 0; i < runs; i++) { /* what was found may be used again */
        if (p->odd)
            smi_buf_fini(&p->odd[i]);
        if (p->document)
            smi_buf_fini(&p->document[i]);
    }
    smi_mem_free(p->odd);
    smi_mem_free(p->document);
    smi_mem_free(p->ready);
    smi_mem_free(p->unit);
}

/* All the work on what was found; p's slots for results are there. */
static int work_through(struct smi_sweep *out, struct smi_sweep_queue *p, const char *const *path, size_t n,
                        struct smi_err *err)
{
    p->unit = smi_mem_new(p->found->archives + 1, sizeof *p->unit);
    if (!p->unit || smi_sweep_title(out, path, n))
        return smi_err_nomem(err);
    if (smi_sweep_queue_run(p, sweep_thread, err))
        return -1;
    out->usable = p->usable;
    out->total.doubts = p->summary ? 0 : p->rejected; /* of summaries they are added up with all else */
    return smi_sweep_copy_warnings(out, p->found, p->odd) ? smi_err_nomem(err) : 0;
}

/* Slots for what is made of each run. Returns 0, or -1 without memory. */
static int make_slots(struct smi_sweep *out, struct smi_sweep_queue *p, size_t n)
{
    bool summaries = !p->put || p->o->text, texts = !p->put && p->o->text;
    p->odd = smi_mem_new(n, sizeof *p->odd);
    p->store = out->store = summaries ? smi_run_store_new(SMI_RUN_STORE_MEMORY) : NULL;
    if (summaries && (p->summary = out->runs = smi_mem_new(n, sizeof *out->runs)))
        out->n = n;
    if (texts)
        p->text = out->text = smi_mem_new(n, sizeof *out->text);
    if (p->put) {
        p->document = smi_mem_new(n, sizeof *p->document);
        p->ready = smi_mem_new(n, sizeof *p->ready);
    }
    return !p->odd || (summaries && (!p->summary || !p->store)) || (texts && !p->text) ||
                   (p->put && (!p->document || !p->ready))
               ? -1
               : 0;
}

/* Partial summaries instead of logs: the caller reads them. All or nothing, as in every merge. */
static int leave_stored(struct smi_sweep *out, struct smi_err *err)
{
    const struct smi_found *f = &out->found;
    const char **path = smi_arena_new(&out->arena, f->nstored, sizeof *path);
    if (f->runs)
        return smi_err_set(
            err, SMI_EUSAGE,
            "%.200s is a partial summary, and %.200s is not: give them apart, or make partial summaries "
            "of the logs too (smilog summarize --partial)",
            f->stored[0], f->run[0].files ? f->run[0].file[0].path : f->run[0].name);
    if (f->ntrouble && strstr(f->trouble[0].text, f->trouble[0].path))
        return smi_err_set(err, SMI_EFORMAT, "%.300s", f->trouble[0].text);
    if (f->ntrouble)
        return smi_err_set(err, SMI_EFORMAT, "%.200s: %.200s", f->trouble[0].path, f->trouble[0].text);
    for (size_t i = 0; path && i < f->nstored; i++)
        if (!(path[i] = smi_arena_text(&out->arena, f->stored[i], strlen(f->stored[i]))))
            return smi_err_nomem(err);
    out->stored = path;
    out->nstored = path ? f->nstored : 0;
    return path ? 0 : smi_err_nomem(err);
}

/* The sweep behind the paths; p has what is asked for. */
static int sweep_paths(struct smi_sweep *out, struct smi_sweep_queue *p, const char *const *path, size_t n,
                       struct smi_err *err)
{
    int rc;
    memset(out, 0, sizeof *out);
    if (smi_discover(&out->found, path, n, p->d, err))
        return -1;
    p->found = &out->found;
    if (out->found.nstored) {
        rc = leave_stored(out, err);
        smi_found_fini(&out->found);
        if (rc)
            smi_sweep_fini(out);
        return rc;
    }
    rc = smi_sweep_check_output(p->found, p->d, err);
    rc = rc                                    ? rc
         : make_slots(out, p, out->found.runs) ? smi_err_nomem(err)
                                               : work_through(out, p, path, n, err);
    if (!rc && p->summary)
        rc = smi_sweep_finish(out, !p->put, err);
    end_pool(p, out->found.runs);
    if (rc)
        smi_sweep_fini(out);
    else if (!p->o->timelines)
        smi_found_fini(&out->found);
    return rc;
}

int smi_sweep_read(struct smi_sweep *out, const char *const *path, size_t n,
                   const struct smi_discover_opts *d, const struct smi_options *o, struct smi_err *err)
{
    struct smi_sweep_queue p = {.d = d, .o = o};
    return sweep_paths(out, &p, path, n, err);
}

int smi_sweep_documents(struct smi_sweep *out, const char *const *path, size_t n,
                        const struct smi_discover_opts *d, const struct smi_options *o,
                        smi_sweep_document_fn *put, void *self, struct smi_err *err)
{
    struct smi_sweep_queue p = {.d = d, .o = o, .put = put, .self = self};
    return sweep_paths(out, &p, path, n, err);
}

static int drop_document(void *self, const struct smi_buf *document, bool usable, struct smi_err *err)
{
    (void)self, (void)document, (void)usable, (void)err;
    return 0;
}

int smi_sweep_each(struct smi_sweep *out, const char *const *path, size_t n,
                   const struct smi_discover_opts *d, const struct smi_options *o,
                   const struct smi_run_visitor *each, struct smi_err *err)
{
    struct smi_sweep_queue p = {.d = d, .o = o, .put = drop_document, .each = each};
    return sweep_paths(out, &p, path, n, err);
}
