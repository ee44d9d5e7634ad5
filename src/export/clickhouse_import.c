#include "export/clickhouse_import.h"

#include "base/digest.h"
#include "base/clock.h"
#include "export/clickhouse_stored_runs.h"
#include "export/clickhouse_batches.h"
#include "export/clickhouse_documents.h"
#include "export/clickhouse_ledger_pending.h"
#include "export/clickhouse_plan.h"
#include "export/clickhouse_send.h"
#include "report/output.h"

#include <stdio.h>

struct smi_ch_import {
    const struct smi_ch_settings *set;
    struct smi_ch_store store;
    struct smi_ledger *ledger;          /* NULL in a dry run, */
    struct smi_ch_out out;              /* which sends nothing */
    struct smi_ch_documents *documents; /* or NULL: nobody asked for them */
    struct smi_ch_stored_runs *known;   /* a shard each */
    struct named {
        struct smi_ch_stored_run *run;
        size_t shard;
    } * name; /* all of them by name */
    size_t names;
    struct smi_ch_block room;
    bool metric[SMI_METRIC_COUNT]; /* dry: that rows have */
    bool gone[SMI_CH_SHARDS];      /* it was told that this shard has lost rows */
};

/* ---- opening ---- */

static int compare_names(const void *x, const void *y)
{
    return strcmp(((const struct named *)x)->run->name, ((const struct named *)y)->run->name);
}

/* All runs of all shards. */
static int read_stored_runs(struct smi_ch_import *l, struct smi_err *err)
{
    size_t n = 0;
    l->known = smi_mem_new(l->store.place.hosts, sizeof *l->known);
    if (!l->known)
        return smi_err_nomem(err);
    for (size_t i = 0; i < l->store.place.hosts; i++) {
        if (smi_ch_stored_runs(&l->known[i], &l->store.shard[i], err))
            return -1;
        n += l->known[i].n;
    }
    l->name = smi_mem_new(n + 1, sizeof *l->name);
    if (!l->name)
        return smi_err_nomem(err);
    for (size_t i = 0; i < l->store.place.hosts; i++)
        for (size_t k = 0; k < l->known[i].n; k++)
            l->name[l->names++] = (struct named){&l->known[i].list[k], i};
    smi_sort(l->name, l->names, sizeof *l->name, compare_names);
    return 0;
}

static int open_load(struct smi_ch_import *l, const char *url, struct smi_err *err)
{
    if (smi_ch_store_open(&l->store, url, l->set->password_file, &l->set->patience, err) ||
        smi_ch_store_check_shards(&l->store, err))
        return -1;
    l->room.dialect = l->store.shard[0].server.dialect;
    if (!l->set->dry) {
        l->ledger = smi_ch_ledger(&l->store, l->set->ledger, err);
        if (!l->ledger || smi_ch_store_make(&l->store, err))
            return -1;
    }
    if (l->set->pytorch) {
        l->documents = smi_ch_documents_open(&l->store, l->ledger, l->set->pytorch, l->set->replace, err);
        if (!l->documents || (!l->set->dry && smi_ch_documents_make(l->documents, err)))
            return -1;
    }
    if (read_stored_runs(l, err))
        return -1;
    return smi_ch_out_open(&l->out, &l->store, l->ledger, err);
}

static void end_load(struct smi_ch_import *l)
{
    smi_ch_out_close(&l->out);
    smi_ch_documents_close(l->documents);
    for (size_t i = 0; l->known && i < l->store.place.hosts; i++)
        smi_ch_stored_runs_fini(&l->known[i]);
    smi_mem_free(l->known);
    smi_mem_free(l->name);
    smi_ledger_close(l->ledger);
    smi_ch_store_close(&l->store);
    smi_ch_block_fini(&l->room);
    smi_mem_free(l);
}

struct smi_ch_import *smi_ch_import_open(const char *url, const struct smi_ch_settings *set,
                                         struct smi_err *err)
{
    struct smi_ch_import *l = smi_mem_new(1, sizeof *l);
    if (!l) {
        smi_err_nomem(err);
        return NULL;
    }
    l->set = set;
    if (open_load(l, url, err)) {
        end_load(l);
        return NULL;
    }
    return l;
}

/* ---- a run against what is known of it ---- */

struct taking {
    struct smi_ch_import *l;
    struct smi_ch_shard *shard;
    const struct smi_export_run *r;
    const struct smi_ch_stored_run *known; /* or NULL */
    uint64_t run;
    struct smi_ch_batches batches;
    uint64_t rows, fresh, marks;
    bool written; /* a row of runs is to be */
};

static int match_batch(void *self, const struct smi_ch_batch *batch, const struct smi_ch_block *rows,
                       struct smi_ch_stored_batch *known, struct smi_err *err)
{
    struct taking *t = self;
    (void)err;
    t->rows += batch->rows;
    for (unsigned m = 0; t->l->set->dry && m < SMI_METRIC_COUNT; m++)
        t->l->metric[m] |= rows->metric[m].rows > 0;
    if (known && known->there == known->rows)
        known->met = true;
    else
        t->fresh += batch->rows;
    return 0;
}

static int send_new_batch(void *self, const struct smi_ch_batch *batch, const struct smi_ch_block *rows,
                          struct smi_ch_stored_batch *known, struct smi_err *err)
{
    struct taking *t = self;
    t->rows += batch->rows;
    if (known && known->met)
        return 0;
    t->fresh += batch->rows;
    return smi_ch_out_batch(&t->l->out, rows, batch, err);
}

static int make_batches(struct taking *t, smi_ch_batch_fn *fn, struct smi_buf *sums, struct smi_err *err)
{
    const struct smi_ch_batches_make c = {.r = t->r,
                                          .run = t->run,
                                          .known = &t->batches,
                                          .batch = fn,
                                          .self = t,
                                          .sums = sums,
                                          .room = &t->l->room};
    t->fresh = t->rows = 0;
    return smi_ch_batches_make(&c, err);
}

/* Rows that the store has of this run, and that are none of its logs', as they are now. */
static uint64_t count_strange_rows(const struct taking *t)
{
    uint64_t n = 0;
    for (size_t i = 0; i < t->batches.n; i++)
        n += t->batches.list[i].met ? 0 : t->batches.list[i].there;
    return n;
}

static int compare_numbers(const void *x, const void *y)
{
    uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return (a > b) - (a < b);
}

/* What was stored once, and is not there: said once a shard, and loaded again. */
static int warn_missing_rows(struct taking *t, struct smi_buf *say, struct smi_err *err)
{
    size_t n = t->batches.n, shard = t->shard->server.shard;
    uint64_t *list, rows = 0;
    int rc;
    if (!t->l->ledger)
        return 0;
    list = smi_mem_new(n + 1, sizeof *list);
    if (!list)
        return smi_err_nomem(err);
    for (size_t i = 0; i < n; i++)
        list[i] = t->batches.list[i].batch;
    smi_sort(list, n, sizeof *list, compare_numbers);
    rc = smi_ledger_missing_rows(t->l->ledger, t->run, list, n, &rows, err);
    smi_mem_free(list);
    if (rc || !rows)
        return rc;
    if (!t->l->gone[shard]) {
        smi_buf_fmt(
            say,
            "ClickHouse %s:%d does not have rows any more that it had stored, as of %s: they are sent again",
            t->shard->server.to.host, t->shard->server.to.port, t->r->summary->run);
        smi_buf_add(say, "", 1);
        t->l->gone[shard] = true;
    }
    return smi_ledger_forget(t->l->ledger, t->run, err);
}

static int check_stored_rows(struct taking *t, struct smi_buf *say, struct smi_err *err)
{
    uint64_t odd;
    if (t->known && smi_ch_batches(&t->batches, t->shard, t->run, err))
        return -1;
    if (warn_missing_rows(t, say, err))
        return -1;
    if ((t->batches.n || t->l->set->dry) && make_batches(t, match_batch, NULL, err))
        return -1;
    odd = count_strange_rows(t);
    if (odd && !t->l->set->replace)
        return smi_err_set(err, SMI_EUSAGE,
                           "ClickHouse %.100s:%d has a run %.150s with %llu rows that are not in these "
                           "logs: --replace takes them out, and another database keeps both",
                           t->shard->server.to.host, t->shard->server.to.port, t->r->summary->run,
                           (unsigned long long)odd);
    return 0;
}

/* ---- a run into the store ---- */

/* Its sums, summary and partial. */
static int write_texts(struct taking *t, struct smi_ch_line *line, struct smi_err *err)
{
    uint64_t sum[3];
    smi_run_jsonl(&line->summary, t->r->summary);
    smi_buf_add(&line->partial, t->r->partial.p, t->r->partial.n);
    if (line->sums.failed || line->summary.failed || line->partial.failed)
        return smi_err_nomem(err);
    sum[0] = smi_digest_of(line->sums.p, line->sums.n);
    sum[1] = smi_digest_of(line->summary.p, line->summary.n);
    sum[2] = smi_digest_of(line->partial.p, line->partial.n);
    line->sum = smi_digest_of((const char *)sum, sizeof sum);
    return 0;
}

/* It is there already, as it is, and nobody was told otherwise. */
static bool is_up_to_date(const struct taking *t, const struct smi_ch_line *line)
{
    return !line->noted && t->known && t->known->loaded && strcmp(t->known->name, t->r->summary->run) == 0 &&
           !t->fresh && t->known->marks == t->marks && t->known->sum == line->sum &&
           t->known->samples == t->rows;
}

static int import_run(struct taking *t, struct smi_err *err)
{
    const struct smi_summary *s = t->r->summary;
    struct smi_ch_out *out = &t->l->out;
    int64_t now = smi_clock_utc_ms();
    uint64_t version = now < 0 ? 0 : (uint64_t)now;
    struct smi_buf sums = {0};
    const struct smi_ch_run_words words = {s->run, t->r->place, t->r->leaf, s->hostname ? s->hostname : ""};
    struct smi_ch_line *line;
    int rc;
    if (t->known && version <= t->known->version)
        version = t->known->version + 1;
    rc = smi_ch_out_run(out, t->run, version, &words, err);
    if (!rc && count_strange_rows(t)) /* from here on nobody may take it for whole */
        rc = smi_ch_out_mark_loading(out, t->run, err) ||
                     smi_ch_batches_delete(&t->batches, t->shard, t->run, err) ||
                     smi_ledger_forget(t->l->ledger, t->run, err)
                 ? -1
                 : 0;
    rc = rc ? rc : make_batches(t, send_new_batch, &sums, err);
    line = rc ? NULL : smi_ch_out_line(out, t->run);
    if (!rc) {
        line->samples = t->rows;
        line->sums = sums;
        sums = (struct smi_buf){0};
        rc = write_texts(t, line, err);
    }
    smi_buf_fini(&sums);
    if (rc)
        return rc;
    if (is_up_to_date(t, line)) {
        smi_ch_out_drop(out, t->run);
        return 0;
    }
    t->written = true;
    if ((t->marks || (t->known && t->known->marks)) && smi_ch_out_marks(out, t->run, t->r, err))
        return -1;
    return smi_ch_out_complete(out, t->run, err);
}

/* Takes a run out of the store: first it says so, so that nobody reads what is left of it if we are stopped.
 */
static int remove_run(struct smi_ch_import *l, size_t shard, const struct smi_ch_stored_run *k,
                      struct smi_err *err)
{
    const struct smi_ch_run_words words = {k->name, k->place, k->leaf, k->host};
    struct smi_ch_keyed none = {0}; /* of its marks stay */
    struct smi_ch_batches b = {0};
    struct smi_ch_line *line;
    char run[24];
    int rc = smi_ch_out_flush(&l->out, err) || smi_ch_out_run(&l->out, k->run, k->version + 1, &words, err)
                 ? -1
                 : 0;
    snprintf(run, sizeof run, "%llu", (unsigned long long)k->run);
    if (!rc) {
        line = smi_ch_out_line(&l->out, k->run);
        line->noted = line->removed = true;
        rc = smi_ch_out_complete(&l->out, k->run, err) || smi_ch_out_flush(&l->out, err) ? -1 : 0;
    }
    rc = rc || smi_ch_marks_send(&none, &l->store.shard[shard].server, l->ledger, run, err) ||
                 smi_ch_batches(&b, &l->store.shard[shard], k->run, err) ||
                 smi_ch_batches_delete(&b, &l->store.shard[shard], k->run, err) ||
                 smi_ledger_forget(l->ledger, k->run, err)
             ? -1
             : 0;
    smi_ch_batches_fini(&b);
    return rc;
}

/* Two runs of one name would be read as one: another that has it is in the way. */
static int resolve_name_clash(struct smi_ch_import *l, uint64_t run, const struct smi_export_run *r,
                              struct smi_err *err)
{
    size_t i = 0, n = l->names;
    while (i < n) { /* the first of this name */
        size_t at = i + (n - i) / 2;
        if (strcmp(l->name[at].run->name, r->summary->run) < 0)
            i = at + 1;
        else
            n = at;
    }
    for (; i < l->names && strcmp(l->name[i].run->name, r->summary->run) == 0; i++) {
        struct smi_ch_stored_run *other = l->name[i].run;
        if (other->run == run || other->removed)
            continue;
        if (!l->set->replace)
            return smi_err_set(
                err, SMI_EUSAGE,
                "there is a run %.100s in the store, of the logs in %.200s: --replace takes it "
                "out, and another database keeps both",
                other->name, other->place);
        if (!l->set->dry && remove_run(l, l->name[i].shard, other, err))
            return -1;
        other->removed = true;
    }
    return 0;
}

int smi_ch_import_run(struct smi_ch_import *l, const struct smi_export_run *r, struct smi_target_out *done,
                      struct smi_buf *say, struct smi_err *err)
{
    struct taking t = {.l = l, .r = r, .run = smi_ch_run(r->place, r->leaf)};
    size_t shard = smi_ch_shard(t.run, l->store.place.hosts);
    int rc;
    t.shard = &l->store.shard[shard];
    t.known = smi_ch_stored_run(&l->known[shard], t.run);
    for (size_t i = 0; i < r->inputs; i++)
        t.marks += r->input[i].marks;
    rc = resolve_name_clash(l, t.run, r, err) || check_stored_rows(&t, say, err) ? -1 : 0;
    if (!rc && !l->set->dry)
        rc = import_run(&t, err);
    if (!rc && l->documents)
        rc = smi_ch_documents_run(l->documents, r, done, say, err);
    done->rows += t.fresh;
    if (t.written || l->set->dry)
        done->marks += t.known && t.known->marks < t.marks ? t.marks - t.known->marks : t.known ? 0 : t.marks;
    done->runs += t.written || l->set->dry;
    smi_ch_batches_fini(&t.batches);
    return rc;
}

/* ---- the end ---- */

int smi_ch_import_close(struct smi_ch_import *l, bool keep, struct smi_err *err)
{
    int rc = 0;
    if (keep)
        rc = l->set->dry ? smi_ch_plan(l->set->plan, &l->store, l->metric, l->documents, err)
                         : smi_ch_out_flush(&l->out, err);
    end_load(l);
    return rc;
}
