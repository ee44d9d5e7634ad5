/* export.c - hands the rows of all runs to a target, and writes text files. */
#include "export/export.h"
#include "base/clock.h"
#include "base/digest.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/sql.h"
#include "summary/findings.h"
#include "summary/gpus.h"
#include "sweep/walk.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 1 << 16 /* bytes that are written at once */ };

int smi_text_file_open(struct smi_text_file *s, const char *where, struct smi_err *err)
{
    *s = (struct smi_text_file){0};
    return smi_file_create(&s->file, where, err);
}

int smi_text_file_write(struct smi_text_file *s, const char *p, size_t n, struct smi_err *err)
{
    return smi_file_write(s->file.fd, p, n, s->file.path ? s->file.path : "standard output", err);
}

static int write_text(struct smi_text_file *s, struct smi_err *err)
{
    int rc = smi_text_file_write(s, s->text.p, s->text.n, err);
    smi_buf_clear(&s->text);
    return rc;
}

int smi_text_file_flush(struct smi_text_file *s, struct smi_err *err)
{
    return s->text.n >= PIECE ? write_text(s, err) : 0;
}

int smi_text_file_close(struct smi_text_file *s, bool keep, struct smi_err *err)
{
    int rc = keep ? write_text(s, err) : 0;
    rc = smi_file_close(&s->file, keep && !rc, err) || rc ? -1 : 0;
    smi_buf_fini(&s->text);
    return rc;
}

int smi_text_file_put(const char *where, struct smi_buf *text, struct smi_err *err)
{
    struct smi_text_file s;
    int rc = smi_text_file_open(&s, where, err);
    if (rc) {
        smi_buf_fini(text);
        return -1;
    }
    s.text = *text;
    *text = (struct smi_buf){0};
    return smi_text_file_close(&s, true, err);
}

const struct smi_target *const smi_targets[] = {&smi_target_sqlite,
                                                &smi_target_csv,
                                                &smi_target_jsonl,
                                                &smi_target_openmetrics,
                                                &smi_target_pytorch,
                                                &smi_target_clickhouse,
                                                NULL};

struct door {
    const struct smi_export *to;
    const struct smi_options *o;
    struct smi_spill_file scratch;
    uint64_t gpus_meant; /* as smi_summary.gpus_meant, of all runs */
    struct smi_inode_set
        done; /* runs, by the digests of place and leaf: no second one may take their place */
};

/* The text in valid UTF-8, as other systems want it. */
static const char *valid_text(struct smi_arena *a, const char *text)
{
    struct smi_buf b = {0};
    smi_buf_utf8(&b, text);
    return smi_buf_keep(&b, a);
}

/* ---- a run as targets see it ---- */

/* The logs of a run in the order of its summary. Names as other systems get them: different ones stay
 * different. */
static struct smi_export_input *list_inputs(struct smi_arena *a, const struct smi_run *run,
                                            const struct smi_summary *s)
{
    struct smi_export_input *in = smi_arena_new(a, run->parts + 1, sizeof *in);
    for (size_t i = 0; i < run->parts; i++) {
        const struct smi_input_stats *p = run->part[i];
        const bool to_utc = p->base == SMI_TIME_BASE_LOCAL && s->zoned;
        const int64_t shift_ms = to_utc ? p->opts.shift_us / 1000 : 0;
        in[i] = (struct smi_export_input){.path = valid_text(a, p->path),
                                          .format = smi_format_infos[p->format].name,
                                          .kind = p->format,
                                          .rows = p->tape->rows,
                                          .marks = p->tape->marks,
                                          .base = to_utc ? SMI_TIME_BASE_UTC : p->base,
                                          .counts = &s->inputs[i],
                                          .first_ms = p->timed ? p->begin_ms - shift_ms : INT64_MIN,
                                          .part = p,
                                          .shift_ms = shift_ms};
    }
    return in;
}

static uint64_t digest_text(const char *text)
{
    return smi_digest_of(text, strlen(text));
}

static int export_run(void *self, const struct smi_found *found, size_t i, struct smi_run *run,
                      struct smi_text partial, struct smi_err *err)
{
    struct door *d = self;
    struct smi_arena a = {0};
    struct smi_summary s = {0};
    const struct smi_found_file *f = found->run[i].files ? found->run[i].file : NULL;
    const char *slash, *dir = "-", *real = NULL; /* dir: where its logs are */
    int rc = 0;
    if (d->scratch.err.code) /* rows are missing: the reader went on as if it were the log's own trouble */
        rc = smi_err_set(err, d->scratch.err.code, "%s", d->scratch.err.text);
    rc = rc ? rc : smi_run_build(&s, run, d->o, err);
    if (!rc) {
        d->gpus_meant |= s.gpus_meant;
        s.path = smi_sweep_run_path(&s, found, i);
        s.place = i;
        if (f && !(f->inside && f->inside->archive == SMI_NO_ARCHIVE)) {
            dir = f->inside ? found->archive[f->inside->archive] : smi_directory_of(&a, f->path);
            real = smi_real_path(&a, dir); /* NULL: it has just been moved */
        }
        slash = f && f->inside ? NULL : strrchr(s.run, '/');
        s.hostname = s.hostname ? valid_text(&a, s.hostname) : NULL;
        s.run = valid_text(&a, s.run);
        struct smi_export_run r = {.summary = &s,
                                   .place = valid_text(&a, real ? real : dir),
                                   .leaf = slash ? valid_text(&a, slash + 1) : s.run,
                                   .partial = partial,
                                   .input = list_inputs(&a, run, &s),
                                   .inputs = run->parts,
                                   .machines = smi_summary_has_machines(&s)};
        if (!smi_inode_set_add(&d->done, digest_text(r.place), digest_text(r.leaf)))
            r.leaf = s.run; /* another run has its last piece */
        const uint64_t both[] = {digest_text(r.place), digest_text(r.leaf)};
        r.id = smi_digest_of((const char *)both, sizeof both);
        rc = d->to->run(d->to->self, &r, err);
    }
    smi_summary_fini(&s);
    smi_arena_fini(&a);
    return rc;
}

int smi_export(struct smi_sweep *out, const char *const *path, size_t n, const struct smi_discover_opts *d,
               const struct smi_options *o, const struct smi_export *to, struct smi_err *err)
{
    struct smi_options own = *o;
    struct door door = {.to = to, .o = &own};
    const struct smi_run_visitor each = {to->name, to->n, export_run, &door};
    int rc;
    own.scratch = &door.scratch;
    own.texts = to->texts;
    own.threads = 1;
    own.skip_series = 0;
    own.text = NULL;
    own.timelines = 0;
    rc = smi_sweep_each(out, path, n, d, &own, &each, err);
    out->gpus_meant = door.gpus_meant;
    smi_spill_file_fini(&door.scratch);
    smi_inode_set_fini(&door.done);
    return rc;
}

void smi_export_warn(struct smi_buf *say, const struct smi_export_run *r, const char *fmt, ...)
{
    const char *run = r->summary->run, *path = r->summary->path;
    const bool is_path = path && strcmp(smi_file_name(path), smi_file_name(run)) == 0; /* or a log in it */
    va_list args;
    va_start(args, fmt);
    smi_buf_fmt(say, "%.200s: ", is_path ? path : run);
    smi_buf_vfmt(say, fmt, args);
    smi_buf_add(say, "", 1);
    va_end(args);
}

/* ---- rows and marks ---- */

int smi_export_rows(const struct smi_export_run *r, size_t i, uint64_t from, smi_run_row_fn *fn, void *self,
                    struct smi_err *err)
{
    const struct smi_export_input *in = &r->input[i];
    const struct smi_run_rows rows = {r->summary,   in->counts, in->part, in->base != SMI_TIME_BASE_NONE,
                                      in->shift_ms, from,       fn,       self};
    return smi_run_rows_play(&rows, err);
}

struct play {
    uint64_t from;
    smi_export_mark_fn *fn;
    void *self;
    struct smi_buf data, extra; /* of the mark at hand */
};

/* What a mark says of its own, as a JSON object, or NULL. */
static const char *write_fields(struct smi_buf *to, const struct smi_mark *m, bool in_data)
{
    /* what the log itself says of every entry; all else is the writer's own */
    static const char *const keys[] = {"ts", "type", "name", "event", "seconds"};
    struct smi_json j;
    bool some = false, own;
    smi_buf_clear(to);
    smi_json_begin(&j, to);
    for (unsigned i = 0; i < m->fields; i++) {
        const struct smi_field *f = &m->field[i];
        own = f->in_data != in_data || !f->text.p;
        for (size_t k = 0; k < sizeof keys / sizeof *keys && !in_data; k++)
            own |= smi_text_is(f->key, keys[k]);
        if (own)
            continue;
        if (!some)
            smi_json_open(&j, '{');
        some = true;
        smi_json_key_text(&j, f->key);
        if (f->quoted || !(smi_text_is_bare(f->text) || smi_text_is(f->text, "null"))) {
            smi_json_text(&j, f->text);
            continue;
        }
        smi_buf_add(to, f->text.p, f->text.n);
        j.keyed = false;
    }
    if (some)
        smi_json_close(&j, '}');
    return some ? to->p : NULL;
}

static int pass_mark(void *self, uint64_t ordinal, const struct smi_mark *m, struct smi_err *err)
{
    struct play *p = self;
    struct smi_export_mark mark = {.ordinal = ordinal, .of = m};
    if (ordinal < p->from)
        return 0;
    mark.kind = m->kind == SMI_MARK_PHASE ? "phase" : "event";
    mark.data = write_fields(&p->data, m, true);
    mark.extra = write_fields(&p->extra, m, false);
    return p->fn(p->self, &mark, err);
}

int smi_export_marks(const struct smi_export_run *r, size_t i, uint64_t from, smi_export_mark_fn *fn,
                     void *self, struct smi_err *err)
{
    struct play p = {.from = from, .fn = fn, .self = self};
    const struct smi_row_spool_callbacks calls = {.mark = pass_mark, .self = &p};
    const int rc = from < r->input[i].marks ? smi_row_spool_replay(r->input[i].part->tape, &calls, err) : 0;
    smi_buf_fini(&p.data);
    smi_buf_fini(&p.extra);
    return rc;
}

int smi_export_text(const struct smi_export_run *r, size_t i, smi_export_text_fn *fn, void *self,
                    struct smi_err *err)
{
    struct smi_block_list_cursor at = {.of = &r->input[i].part->tape->text};
    int rc;
    while ((rc = smi_block_list_more(&at, err)) > 0 && (rc = fn(self, at.p, at.n, err)) == 0)
        at.n = 0;
    smi_block_list_cursor_fini(&at);
    return rc;
}

/* ---- the readings of a run that count ---- */

static bool has_time(const struct smi_export_readings *e, const struct smi_run_row *row)
{
    return !e->utc || (row->timed && e->r->input[e->input].base == SMI_TIME_BASE_UTC);
}

static int rank_row(void *self, const struct smi_run_row *row, struct smi_err *err)
{
    struct smi_export_readings *e = self;
    (void)err;
    e->timeless += !has_time(e, row);
    for (unsigned i = 0; has_time(e, row) && i < row->n; i++) {
        int *best = &e->rank[row->gpu + 1][row->metric[i]],
            rank = smi_metric_format_rank(e->r->input[e->input].kind, row->metric[i]);
        *best = rank < *best ? rank : *best;
    }
    return 0;
}

static int pass_row(void *self, const struct smi_run_row *row, struct smi_err *err)
{
    struct smi_export_readings *e = self;
    const int kind = e->r->input[e->input].kind, *rank = e->rank[row->gpu + 1];
    uint16_t metric[SMI_SAMPLE_MAX];
    int64_t v[SMI_SAMPLE_MAX];
    struct smi_run_row own = *row;
    own.n = 0;
    own.metric = metric;
    own.v = v;
    for (unsigned i = 0; has_time(e, row) && i < row->n; i++)
        if (smi_metric_format_rank(kind, row->metric[i]) == rank[row->metric[i]]) {
            metric[own.n] = row->metric[i];
            v[own.n++] = row->v[i];
        }
    return own.n ? e->row(e->self, &own, err) : 0;
}

/* By format, those of one by their first time. */
static int compare_inputs(const void *x, const void *y, void *of)
{
    const size_t i = *(const size_t *)x, k = *(const size_t *)y;
    const struct smi_export_input *in = of, *a = &in[i], *b = &in[k];
    int d = (a->kind > b->kind) - (a->kind < b->kind);
    d = d ? d : (a->first_ms > b->first_ms) - (a->first_ms < b->first_ms);
    return d ? d : (i > k) - (i < k);
}

int smi_export_each_reading(struct smi_export_readings *e, struct smi_target_out *to, struct smi_buf *say,
                            struct smi_err *err)
{
    const struct smi_export_run *r = e->r;
    const size_t n = (r->summary->ngpus + 1) * SMI_METRIC_COUNT;
    size_t *order = smi_mem_new(r->inputs + 1, sizeof *order);
    int rc = 0;
    e->rank = smi_mem_new(n, sizeof **e->rank);
    for (size_t i = 0; i < n; i++)
        e->rank[i / SMI_METRIC_COUNT][i % SMI_METRIC_COUNT] = INT_MAX;
    for (e->input = 0; !rc && e->input < r->inputs; e->input++) {
        order[e->input] = e->input;
        rc = smi_export_rows(r, e->input, 0, rank_row, e, err);
    }
    if (!rc && !e->utc)
        qsort_r(order, r->inputs, sizeof *order, compare_inputs, (void *)(uintptr_t)r->input);
    for (size_t i = 0; !rc && i < r->inputs; i++) {
        e->input = order[i];
        if (e->begin)
            e->begin(e->self);
        rc = smi_export_rows(r, e->input, 0, pass_row, e, err);
        rc = !rc && e->mark ? smi_export_marks(r, e->input, 0, e->mark, e->self, err) : rc;
    }
    if (e->timeless)
        smi_export_warn(say, r, "%llu rows have no time in UTC and are left out%s",
                        (unsigned long long)e->timeless, r->summary->zoned ? "" : " (--tz gives their zone)");
    to->doubts += e->timeless;
    smi_mem_free(e->rank);
    smi_mem_free(order);
    return rc;
}

/* ---- points that come in any order, given back in the order of time: SQLite sorts those that are not ----
 */

int smi_sorted_points_add(struct smi_sorted_points *p, int64_t t_ms, int64_t v, uint64_t tag,
                          struct smi_err *err)
{
    struct smi_sorted_point point = {t_ms, v, tag};
    p->mixed |= p->n && t_ms < p->last_ms;
    p->last_ms = t_ms;
    p->n++;
    return smi_block_list_add(&p->chain, (const char *)&point, sizeof point, err);
}

void smi_sorted_points_fini(struct smi_sorted_points *p)
{
    smi_block_list_fini(&p->chain);
}

/* The next point of those in the cursor. Returns 1, 0 at the end, or -1 with err. */
static int read_point(struct smi_block_list_cursor *from, struct smi_sorted_point *to, struct smi_err *err)
{
    int rc = smi_block_list_more(from, err);
    return rc > 0 && smi_block_list_read(from, (char *)to, sizeof *to, err) ? -1 : rc;
}

/* By way of a table in a temporary file. */
static int sort_points(struct smi_block_list_cursor *from, smi_sorted_point_fn *fn, void *self,
                       struct smi_err *err)
{
    static const char table[] = "PRAGMA temp_store=FILE; PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;"
                                "BEGIN; CREATE TABLE point(t_ms, v, tag)";
    struct smi_sql s = {NULL, "a temporary file"};
    struct smi_sorted_point point;
    sqlite3_stmt *put = NULL, *st;
    int rc = sqlite3_open("", &s.db) ? smi_sql_error(&s, err) : smi_sql_run(&s, table, err);
    if (!rc && !(put = smi_sql_prepare(&s, "INSERT INTO point VALUES(?,?,?)", err)))
        rc = -1;
    while (!rc && (rc = read_point(from, &point, err)) > 0) {
        sqlite3_bind_int64(put, 1, point.t_ms);
        sqlite3_bind_int64(put, 2, point.v);
        sqlite3_bind_int64(put, 3, (int64_t)point.tag);
        rc = smi_sql_step(&s, put, err);
    }
    sqlite3_finalize(put);
    st = rc ? NULL : smi_sql_prepare(&s, "SELECT t_ms, v, tag FROM point ORDER BY t_ms, rowid", err);
    while (!rc && (rc = smi_sql_next(&s, st, err)) > 0) {
        point = (struct smi_sorted_point){sqlite3_column_int64(st, 0), sqlite3_column_int64(st, 1),
                                          (uint64_t)sqlite3_column_int64(st, 2)};
        rc = fn(self, &point, err);
        if (rc)
            sqlite3_finalize(st);
    }
    sqlite3_close(s.db);
    return rc;
}

int smi_sorted_points_each(struct smi_sorted_points *p, smi_sorted_point_fn *fn, void *self,
                           struct smi_err *err)
{
    struct smi_block_list_cursor from = {.of = &p->chain};
    struct smi_sorted_point point;
    int rc = p->mixed ? sort_points(&from, fn, self, err) : 0;
    while (!rc && !p->mixed && (rc = read_point(&from, &point, err)) > 0)
        rc = fn(self, &point, err);
    smi_block_list_cursor_fini(&from);
    return rc;
}
