/* sqlite_target.c - the file, and a run's own rows in it. */
#include "export/sqlite_target.h"

#include "base/clock.h"
#include "base/mem.h"
#include "export/sqlite_private.h"
#include "summary/run_fields.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- statements ---- */

void smi_sqlite_warn(struct smi_sqlite_out *o, const char *fmt, ...)
{
    char text[480];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    smi_buf_fmt(o->say, "%.200s: %s", o->r->summary->run, text);
    smi_buf_add(o->say, "", 1);
}

/* ---- which run ---- */

/* The number of the run of this place and name; 0: there is none. Returns 0, or -1 with err. */
static int select_run(struct smi_sqlite_out *o, const char *place, const char *leaf, int64_t *run,
                      struct smi_err *err)
{
    sqlite3_stmt *st =
        smi_sql_bind(&o->sql, err, "SELECT id FROM runs WHERE place=? AND leaf=?", "tt", place, leaf);
    int rc = smi_sql_next(&o->sql, st, err);
    *run = rc > 0 ? sqlite3_column_int64(st, 0) : 0;
    if (rc > 0)
        sqlite3_finalize(st);
    return rc < 0 ? -1 : 0;
}

static int add_run(struct smi_sqlite_out *o, const char *place, const char *leaf, struct smi_err *err)
{
    int rc = smi_sql_do(&o->sql, err, "INSERT INTO runs(place, leaf, name, state) VALUES(?,?,?,'')", "ttt",
                        place, leaf, o->r->summary->run);
    o->run = sqlite3_last_insert_rowid(o->sql.db);
    o->changed = true;
    return rc;
}

static int find_or_add_run(struct smi_sqlite_out *o, struct smi_err *err)
{
    const char *place = o->r->place, *leaf = o->r->leaf;
    int rc = select_run(o, place, leaf, &o->run, err), fresh = 1;
    if (!rc && o->run)
        fresh = smi_inode_set_add(&o->done, 0, (uint64_t)o->run);
    if (!fresh) { /* another run of this export has that name there */
        leaf = o->r->summary->run;
        rc = select_run(o, place, leaf, &o->run, err);
    }
    if (!rc && !o->run)
        rc = add_run(o, place, leaf, err);
    if (!rc && (fresh < 0 || smi_inode_set_add(&o->done, 0, (uint64_t)o->run) < 0))
        rc = smi_err_nomem(err);
    return rc;
}

/* ---- its GPUs ---- */

/* Is it one of the GPUs before the one at `place`? Those that only a serial number tells apart are alike
 * here. */
static bool run_is_done(const struct smi_sqlite_out *o, size_t place, int64_t number)
{
    for (size_t i = 0; i < place; i++)
        if (o->gpu[i] == number)
            return true;
    return false;
}

static int64_t gpu_index(const struct smi_gpu *g)
{
    return g->index < 0 ? -1 : g->index;
}

/* The number that this GPU has in the file; 0: none. */
static int select_gpu(struct smi_sqlite_out *o, size_t place, int64_t *number, struct smi_err *err)
{
    const struct smi_gpu *g = &o->r->summary->gpus[place];
    sqlite3_stmt *st =
        smi_sql_bind(&o->sql, err,
                     "SELECT gpu FROM gpus WHERE run=? AND idx IS nullif(?, -1) AND uuid IS ? "
                     "AND bus IS ? AND name IS ? AND pooled=? ORDER BY gpu",
                     "iittti", o->run, gpu_index(g), g->uuid, g->bus, g->name, (int64_t)g->pooled);
    int rc = 0;
    *number = 0;
    while (!*number && (rc = smi_sql_next(&o->sql, st, err)) > 0)
        if (!run_is_done(o, place, sqlite3_column_int64(st, 0)))
            *number = sqlite3_column_int64(st, 0);
    if (*number)
        sqlite3_finalize(st);
    return rc < 0 ? -1 : 0;
}

static int insert_gpu(struct smi_sqlite_out *o, const struct smi_gpu *g, int64_t *number, struct smi_err *err)
{
    sqlite3_stmt *st =
        smi_sql_bind(&o->sql, err,
                     "INSERT INTO gpus VALUES(?1, (SELECT ifnull(max(gpu), 0) + 1 FROM gpus "
                     "WHERE run=?1), nullif(?2, -1), ?3, ?4, ?5, ?6) RETURNING gpu",
                     "iittti", o->run, gpu_index(g), g->uuid, g->bus, g->name, (int64_t)g->pooled);
    int rc = smi_sql_next(&o->sql, st, err);
    *number = rc > 0 ? sqlite3_column_int64(st, 0) : 0;
    o->changed = true;
    if (rc > 0)
        sqlite3_finalize(st);
    return rc > 0 ? 0 : -1;
}

static int find_or_add_gpus(struct smi_sqlite_out *o, struct smi_err *err)
{
    const struct smi_summary *s = o->r->summary;
    smi_mem_free(o->gpu);
    o->gpu = smi_mem_new(s->ngpus, sizeof *o->gpu);
    if (!o->gpu)
        return smi_err_nomem(err);
    for (size_t i = 0; i < s->ngpus; i++)
        if (select_gpu(o, i, &o->gpu[i], err) || (!o->gpu[i] && insert_gpu(o, &s->gpus[i], &o->gpu[i], err)))
            return -1;
    return 0;
}

/* ---- what is said of it ---- */

/* Is the partial that is stored another one? Then all that is said of the run is written again. */
static int is_changed_row(struct smi_sqlite_out *o, bool *news, struct smi_err *err)
{
    sqlite3_stmt *st = smi_sql_bind(&o->sql, err, "SELECT partial FROM summaries WHERE run=?", "i", o->run);
    const struct smi_text *p = &o->r->partial;
    int rc = smi_sql_next(&o->sql, st, err);
    *news = rc <= 0 || (size_t)sqlite3_column_bytes(st, 0) != p->n ||
            memcmp(sqlite3_column_text(st, 0), p->p, p->n) != 0;
    if (rc > 0)
        sqlite3_finalize(st);
    return rc < 0 ? -1 : 0;
}

static void bind_text(sqlite3_stmt *st, int at, const char *text)
{
    sqlite3_bind_text(st, at, text, -1, SQLITE_STATIC); /* NULL: null */
}

static void bind_datum(sqlite3_stmt *st, int at, const struct smi_datum *v)
{
    if (v->kind == SMI_DATUM_MICRO)
        sqlite3_bind_double(st, at, (double)v->n / 1e6);
    else if (v->kind == SMI_DATUM_TEXT)
        bind_text(st, at, v->text);
    else if (v->kind == SMI_DATUM_NONE)
        sqlite3_bind_null(st, at);
    else
        sqlite3_bind_int64(st, at, v->n);
}

/* The columns that the catalogue of fields adds to the table. */
static int prepare_figures(struct smi_sqlite_out *o, sqlite3_stmt **st, struct smi_err *err)
{
    struct smi_buf sql = {0};
    smi_buf_str(&sql, "UPDATE runs SET name=?, host=?, state=?, time_base=?, start=?, \"end\"=?");
    for (int i = 0; i < SMI_RUN_FIELDS; i++)
        if (smi_run_fields[i].stored)
            smi_buf_fmt(&sql, ", %s=?", smi_run_fields[i].key);
    smi_buf_str(&sql, " WHERE id=?");
    *st = sql.failed ? NULL : smi_sql_prepare(&o->sql, sql.p, err);
    if (sql.failed)
        smi_err_nomem(err);
    smi_buf_fini(&sql);
    return *st ? 0 : -1;
}

static int write_figures(struct smi_sqlite_out *o, struct smi_err *err)
{
    const struct smi_summary *s = o->r->summary;
    struct smi_field_values row = {0};
    const enum smi_run_field_id time[] = {SMI_RUN_FIELD_START, SMI_RUN_FIELD_END};
    sqlite3_stmt *st;
    int at = 0, rc;
    if (prepare_figures(o, &st, err))
        return -1;
    bind_text(st, ++at, s->run);
    bind_text(st, ++at, s->hostname);
    bind_text(st, ++at, smi_state_names[s->state]);
    bind_text(st, ++at, s->time_base);
    rc = smi_run_values_fill(&row, s) ? smi_err_nomem(err) : 0;
    for (int i = 0; i < 2; i++)
        bind_datum(st, ++at, &row.v[time[i]]);
    for (int i = 0; i < SMI_RUN_FIELDS; i++)
        if (smi_run_fields[i].stored)
            bind_datum(st, ++at, &row.v[i]);
    sqlite3_bind_int64(st, ++at, o->run);
    rc = rc ? rc : smi_sql_step(&o->sql, st, err);
    sqlite3_finalize(st);
    smi_field_values_fini(&row);
    return rc;
}

static int write_params(struct smi_sqlite_out *o, struct smi_err *err)
{
    const struct smi_summary *s = o->r->summary;
    int rc = smi_sql_do(&o->sql, err, "DELETE FROM params WHERE run=?", "i", o->run);
    for (size_t i = 0; !rc && i < s->nparams; i++)
        rc = smi_sql_do(&o->sql, err, "INSERT OR REPLACE INTO params VALUES(?,?,?)", "itt", o->run,
                        s->params[i].key, s->params[i].text);
    return rc;
}

static int write_partial(struct smi_sqlite_out *o, struct smi_err *err)
{
    sqlite3_stmt *st = smi_sql_prepare(&o->sql, "INSERT OR REPLACE INTO summaries VALUES(?,?,?)", err);
    int rc;
    if (!st)
        return -1;
    sqlite3_bind_int64(st, 1, o->run);
    bind_text(st, 2, SMI_PARTIAL_SCHEMA);
    sqlite3_bind_text64(st, 3, o->r->partial.p, o->r->partial.n, SQLITE_STATIC, SQLITE_UTF8);
    rc = smi_sql_step(&o->sql, st, err);
    sqlite3_finalize(st);
    return rc;
}

/* GPUs that no row is of any more; numbers are not used again while the run has rows. */
static int delete_gone_gpus(struct smi_sqlite_out *o, struct smi_err *err)
{
    struct smi_buf sql = {0};
    int rc;
    smi_buf_str(&sql, "DELETE FROM gpus WHERE run=? AND gpu NOT IN (0");
    for (size_t i = 0; i < o->r->summary->ngpus; i++)
        smi_buf_fmt(&sql, ",%lld", (long long)o->gpu[i]);
    smi_buf_str(&sql, ")");
    rc = sql.failed ? smi_err_nomem(err) : smi_sql_do(&o->sql, err, sql.p, "i", o->run);
    smi_buf_fini(&sql);
    return rc;
}

static int write_run_rows(struct smi_sqlite_out *o, struct smi_err *err)
{
    bool news = false;
    if (find_or_add_run(o, err) || find_or_add_gpus(o, err) || is_changed_row(o, &news, err))
        return -1;
    o->changed |= news;
    if (smi_sqlite_inputs(o, err))
        return -1;
    if (!o->changed)
        return 0;
    return write_figures(o, err) || write_params(o, err) || write_partial(o, err) || delete_gone_gpus(o, err)
               ? -1
               : 0;
}

/* ---- the target ---- */

static int write_run_sqlite(struct smi_target_out *self, const struct smi_export_run *r, struct smi_buf *say,
                            struct smi_err *err)
{
    struct smi_sqlite_out *o = (struct smi_sqlite_out *)self;
    int rc;
    o->r = r;
    o->say = say;
    o->changed = false;
    o->rows = o->marks = 0;
    if (smi_sql_run(&o->sql, "BEGIN IMMEDIATE", err))
        return -1;
    rc = write_run_rows(o, err);
    if (!rc)
        rc = smi_sql_run(&o->sql, "COMMIT", err);
    if (rc) {
        sqlite3_exec(o->sql.db, "ROLLBACK", NULL, NULL, NULL);
        return -1;
    }
    self->runs += o->changed;
    self->rows += o->rows;
    self->marks += o->marks;
    return 0;
}

static int close_target(struct smi_target_out *self, bool keep, struct smi_err *err)
{
    struct smi_sqlite_out *o = (struct smi_sqlite_out *)self;
    (void)keep, (void)err; /* what is committed is right, whatever came then */
    sqlite3_finalize(o->put_row);
    sqlite3_finalize(o->put_mark);
    smi_sqlite_close(&o->sql);
    smi_buf_fini(&o->text);
    smi_mem_free(o->gpu);
    smi_inode_set_fini(&o->done);
    smi_mem_free(o->name);
    smi_mem_free(o);
    return 0;
}

static struct smi_target_out *open_target(const char *where, struct smi_err *err)
{
    struct smi_sqlite_out *o = smi_mem_new(1, sizeof *o);
    if (!o || !(o->name = smi_mem_text(where, strlen(where)))) {
        smi_mem_free(o);
        smi_err_nomem(err);
        return NULL;
    }
    if (strcmp(where, "-") == 0)
        smi_err_set(err, SMI_EUSAGE, "sqlite: wants the name of a file");
    else if (!smi_sqlite_open(&o->sql, o->name, true, err) && !smi_sqlite_columns(o, err))
        return &o->base;
    close_target(&o->base, false, NULL);
    return NULL;
}

const struct smi_target smi_target_sqlite = {
    .prefix = "sqlite:",
    .form = "sqlite:FILE",
    .help = "tables of a SQLite file, which summarize, report, check and diff read back",
    .open = open_target,
    .run = write_run_sqlite,
    .close = close_target,
    .file = true,
};
