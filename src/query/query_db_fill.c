/* query_db_fill.c - the tables: runs and param have a row a run, with the same rowid, the run's place in the
 * sweep; gpus and phases are filled where they are asked for. Of what there may be thousands, parameters and
 * metrics, only that becomes a column which is mentioned. */
#include "query/query_db.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

static const char *const types[] = {"", "INTEGER", "REAL", "BOOLEAN", "TEXT COLLATE names"};

static void begin_create_table(struct smi_buf *b, const char *table)
{
    smi_buf_fmt(b, "CREATE TABLE %s(run TEXT COLLATE names", table);
}

static void add_create_column(struct smi_buf *b, const char *name, const char *type)
{
    smi_buf_str(b, ", ");
    smi_db_quote(b, name);
    smi_buf_fmt(b, " %s", type);
}

static void add_create_columns(struct smi_buf *b, const struct smi_field_info *c, int n)
{
    for (int i = 0; i < n; i++)
        add_create_column(b, c[i].key, types[c[i].kind]);
}

static int finish_create_table(struct smi_db *d, struct smi_buf *b, struct smi_err *err)
{
    int rc;
    smi_buf_char(b, ')');
    rc = smi_db_exec(d, b, err);
    smi_buf_fini(b);
    return rc;
}

/* --- runs --- */

static int insert_runs(struct smi_db *d, struct smi_err *err)
{
    struct smi_field_values row = {0};
    sqlite3_stmt *st = smi_db_prepare_insert(d, "runs", SMI_RUN_FIELDS + d->sweep->njoined + d->wasted, err);
    int rc = st ? 0 : -1;
    for (size_t i = 0; smi_sweep_has_run(d->sweep, i) && !rc; i++) {
        if (smi_run_values_fill(&row, &d->sweep->runs[i]))
            rc = smi_err_nomem(err);
        for (int k = 0; k < SMI_RUN_FIELDS && !rc; k++)
            smi_db_bind(st, k + 1, &row.v[k]);
        for (size_t k = 0; k < d->sweep->njoined && !rc; k++) {
            const struct smi_param *p = &d->sweep->runs[i].joined[k];
            smi_db_bind_text(d, st, SMI_RUN_FIELDS + 1 + (int)k, p->text, p->bare);
        }
        if (d->wasted)
            smi_db_bind(st, SMI_RUN_FIELDS + 1 + (int)d->sweep->njoined, &row.v[SMI_RUN_FIELD_WASTED_TOTAL]);
        rc = rc ? rc : smi_db_insert_row(d, st, err);
    }
    smi_field_values_fini(&row);
    sqlite3_finalize(st);
    return rc;
}

/* wasted_h is what everybody calls the total of the waste: a column where it is mentioned and means nothing
 * else. */
static void choose_wasted(struct smi_db *d)
{
    d->wasted = strcasestr(d->asked.p, "wasted_h") != NULL;
    for (size_t i = 0; i < d->sweep->njoined; i++)
        d->wasted &= strcasecmp(d->sweep->joined[i], "wasted_h") != 0;
}

static int fill_runs(struct smi_db *d, struct smi_err *err)
{
    struct smi_buf b = {0};
    choose_wasted(d);
    begin_create_table(&b, "runs");
    add_create_columns(&b, smi_run_fields + 1, SMI_RUN_FIELDS - 1);
    for (size_t i = 0; i < d->sweep->njoined; i++)
        add_create_column(&b, d->sweep->joined[i], SMI_DB_AS_WRITTEN " COLLATE names");
    if (d->wasted)
        add_create_column(&b, "wasted_h", types[SMI_DATUM_MICRO]);
    return finish_create_table(d, &b, err) ? -1 : insert_runs(d, err);
}

/* --- param --- */

/* A parameter that is a number in some runs, or no text in any, is absent where it says nan: as a text that
 * would be larger than every number. */
static void note_param_kinds(struct smi_db *d)
{
    for (size_t i = 0; smi_sweep_has_run(d->sweep, i) && d->made; i++)
        for (size_t k = 0; k < d->sweep->runs[i].nparams; k++) {
            struct smi_text text = smi_text_of(d->sweep->runs[i].params[k].text);
            struct smi_db_param *p = smi_db_param(d, d->sweep->runs[i].params[k].key);
            if (p && p->column && smi_text_is_number(text))
                p->numbers = true;
            else if (p && p->column && !smi_text_is_bare(text) && !smi_text_is_nan(text))
                p->texts = true;
        }
}

/* at[i]: the column of parameter i. Of a parameter that a run gives twice the first counts. */
static void bind_params(struct smi_db *d, sqlite3_stmt *st, const struct smi_summary *s, const int *at)
{
    if (d->keyed)
        sqlite3_bind_text(st, 1, s->run, -1, SQLITE_STATIC);
    for (size_t i = s->nparams; i-- > 0 && d->made;) {
        const struct smi_db_param *p = smi_db_param(d, s->params[i].key);
        bool none = p && (p->numbers || !p->texts) && smi_text_is_nan(smi_text_of(s->params[i].text));
        if (p && p->column)
            smi_db_bind_text(d, st, at[p - d->param], none ? NULL : s->params[i].text, s->params[i].bare);
    }
}

static int insert_params(struct smi_db *d, const int *at, struct smi_err *err)
{
    sqlite3_stmt *st = smi_db_prepare_insert(d, "param", d->made + d->keyed, err);
    int rc = st ? 0 : -1;
    for (size_t i = 0; smi_sweep_has_run(d->sweep, i) && !rc; i++) {
        bind_params(d, st, &d->sweep->runs[i], at);
        rc = smi_db_insert_row(d, st, err);
    }
    sqlite3_finalize(st);
    return rc;
}

static int fill_params(struct smi_db *d, struct smi_err *err)
{
    struct smi_buf b = {0};
    int *at, columns = 0;
    if (smi_db_name_params(d) || !(at = smi_arena_new(&d->arena, d->params + 1, sizeof *at)))
        return smi_err_nomem(err);
    note_param_kinds(d);
    smi_buf_str(&b, "CREATE TABLE param(");
    if (d->keyed) {
        smi_buf_str(&b, "run TEXT COLLATE names");
        columns++;
    }
    for (size_t i = 0; i < d->params; i++)
        if (d->param[i].column) {
            smi_buf_str(&b, columns ? ", " : "");
            smi_db_quote(&b, d->param[i].column);
            smi_buf_str(&b, d->param[i].numbers || d->param[i].texts ? " " SMI_DB_AS_WRITTEN " COLLATE names"
                                                                     : " BOOLEAN");
            at[i] = ++columns;
        }
    return finish_create_table(d, &b, err) ? -1 : insert_params(d, at, err);
}

int smi_db_fill_runs(struct smi_db *d, struct smi_err *err)
{
    return fill_runs(d, err) || fill_params(d, err) ? -1 : 0;
}

/* Without an index it is once through the table for each run. */
static int index_by_run(struct smi_db *d, const char *table, struct smi_err *err)
{
    struct smi_buf b = {0};
    smi_buf_fmt(&b, "CREATE INDEX %s_run ON %s(run", table, table);
    return finish_create_table(d, &b, err);
}

/* --- gpus --- */

/* The columns of metrics: metric and statistic; of a state its share, as statistic -1. */
struct stat_column {
    unsigned metric;
    int stat;
};

struct stat_columns {
    struct stat_column *of;
    size_t n, cap;
    int at[SMI_METRIC_COUNT]; /* the first of a metric */
};

static void write_stat_name(struct smi_buf *b, unsigned metric, const char *stat)
{
    smi_buf_clear(b);
    smi_buf_fmt(b, "%s_%s", smi_metrics[metric].key, stat);
    for (size_t i = 0; !b->failed && i < b->n; i++)
        b->p[i] = b->p[i] == '.' ? '_' : b->p[i];
}

static bool is_throttle_metric(unsigned metric)
{
    return metric >= SMI_THROTTLE_FIRST && metric < SMI_THROTTLE_FIRST + SMI_THROTTLE_COUNT;
}

/* Is anything known of the metric? A * asks for no more. */
static bool is_measured(const struct smi_db *d, unsigned metric)
{
    for (size_t i = 0; smi_sweep_has_run(d->sweep, i); i++)
        for (size_t g = 0; g < d->sweep->runs[i].ngpus; g++) {
            const struct smi_gpu *gpu = &d->sweep->runs[i].gpus[g];
            if (is_throttle_metric(metric) && gpu->throttles)
                return true;
            for (size_t k = 0; k < gpu->nstats; k++)
                if (gpu->stats[k].metric == metric)
                    return true;
        }
    return false;
}

static int add_stat(struct smi_db *d, struct stat_columns *c, struct smi_buf *sql, unsigned metric, int stat)
{
    struct smi_buf name = {0};
    int rc = 0;
    write_stat_name(&name, metric, stat < 0 ? "pct" : smi_gpu_stat_names[stat]);
    if (!name.failed && smi_db_mentions(d, name.p) &&
        (strcasestr(d->asked.p, name.p) || is_measured(d, metric))) {
        rc = smi_mem_reserve(&c->of, &c->cap, c->n + 1, sizeof *c->of);
        if (!rc) {
            c->of[c->n++] = (struct stat_column){metric, stat};
            add_create_column(sql, name.p, stat == 0 ? "INTEGER" : "REAL"); /* 0: the count */
        }
    }
    rc = name.failed ? -1 : rc;
    smi_buf_fini(&name);
    return rc;
}

static int choose_stats(struct smi_db *d, struct stat_columns *c, struct smi_buf *sql)
{
    for (unsigned m = 0; m < SMI_METRIC_COUNT && !smi_metric_is_host(m); m++) {
        if (is_throttle_metric(m) && add_stat(d, c, sql, m, -1))
            return -1;
        for (int k = 0; k < SMI_GPU_STATS; k++)
            if (smi_gpu_stat_fits(m, k) && add_stat(d, c, sql, m, k))
                return -1;
    }
    return 0;
}

static struct smi_datum share_of(const struct smi_gpu *g, unsigned metric)
{
    const char *reason = smi_metrics[metric].key + strlen("throttle.");
    for (size_t i = 0; i < g->throttles; i++)
        if (strcmp(g->throttle[i].reason, reason) == 0)
            return (struct smi_datum){g->throttle[i].pct.has ? SMI_DATUM_MICRO : SMI_DATUM_NONE,
                                      g->throttle[i].pct.micro, NULL};
    return (struct smi_datum){0};
}

static void bind_stats(sqlite3_stmt *st, const struct stat_columns *c, const struct smi_gpu *g)
{
    for (size_t i = 0; i < c->n; i++) {
        struct smi_datum v = {0};
        if (c->of[i].stat < 0)
            v = share_of(g, c->of[i].metric);
        for (size_t k = 0; c->of[i].stat >= 0 && k < g->nstats; k++)
            if (g->stats[k].metric == c->of[i].metric)
                v = smi_gpu_stat(&g->stats[k], c->of[i].stat);
        smi_db_bind(st, 2 + SMI_GPU_FIELDS + (int)i, &v);
    }
}

/* A table with a row for each of a list that every run has; it is filled if the query mentions it. */
struct list {
    const char *table;
    const struct smi_member_list *members;
    size_t of, n,
        size; /* where the list and its length lie in struct smi_summary, and the bytes of an item */
};
#define LIST(table, members, of, n)                                                        \
    {                                                                                      \
        table, members, offsetof(struct smi_summary, of), offsetof(struct smi_summary, n), \
            sizeof *((struct smi_summary *)0)->of                                          \
    }
static const struct list gpus = LIST("gpus", &smi_gpu_list, gpus, ngpus),
                         lists[] = {LIST("phases", &smi_phase_list, phases, nphases),
                                    LIST("findings", &smi_finding_list, findings, nfindings)};

/* stats: more columns, of gpus; or NULL. */
static int insert_items(struct smi_db *d, const struct list *l, const struct smi_summary *s, sqlite3_stmt *st,
                        const struct stat_columns *stats, struct smi_err *err)
{
    const char *item = *(const char *const *)(const void *)((const char *)s + l->of);
    size_t n = *(const size_t *)(const void *)((const char *)s + l->n);
    struct smi_field_values row = {0};
    int rc = 0;
    for (; n-- > 0 && !rc; item += l->size) {
        smi_field_values_fill(&row, l->members, s, item);
        sqlite3_bind_text(st, 1, s->run, -1, SQLITE_STATIC);
        for (int k = 0; k < l->members->fields; k++)
            smi_db_bind(st, 2 + k, &row.v[k]);
        if (stats)
            bind_stats(st, stats, (const void *)item);
        rc = smi_db_insert_row(d, st, err);
    }
    return rc;
}

static int insert_list(struct smi_db *d, const struct list *l, const struct stat_columns *stats,
                       struct smi_err *err)
{
    size_t columns = 1 + (size_t)l->members->fields + (stats ? stats->n : 0);
    sqlite3_stmt *st = smi_db_prepare_insert(d, l->table, columns, err);
    int rc = st ? 0 : -1;
    for (size_t i = 0; smi_sweep_has_run(d->sweep, i) && !rc; i++)
        rc = insert_items(d, l, &d->sweep->runs[i], st, stats, err);
    sqlite3_finalize(st);
    return rc ? rc : index_by_run(d, l->table, err);
}

static int fill_list(struct smi_db *d, const struct list *l, struct stat_columns *stats, struct smi_err *err)
{
    bool asked = strcasestr(d->asked.p, l->table) != NULL;
    struct smi_buf b = {0};
    int rc;
    begin_create_table(&b, l->table);
    add_create_columns(&b, l->members->info, l->members->fields);
    rc = stats && asked && choose_stats(d, stats, &b) ? smi_err_nomem(err) : 0;
    rc = finish_create_table(d, &b, rc ? NULL : err) || rc ? -1 : 0;
    return rc || !asked ? rc : insert_list(d, l, stats, err);
}

int smi_db_fill_lists(struct smi_db *d, struct smi_err *err)
{
    struct stat_columns stats = {0};
    int rc = fill_list(d, &gpus, &stats, err);
    for (size_t i = 0; i < sizeof lists / sizeof *lists && !rc; i++)
        rc = fill_list(d, &lists[i], NULL, err);
    smi_mem_free(stats.of);
    return rc;
}
