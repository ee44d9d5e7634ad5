/* query_db.c - the engine: opened in memory, filled by one transaction, then locked. Two walls stand around
 * it: what is asked is one statement that SQLite itself calls reading, and the authorizer lets only a
 * SELECT's own actions through. A name in double quotes is a column and nothing else, so that a misspelt one
 * is an error and never a text. */
#include "query/query_db.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LENGTH_MAX = 64 << 20, SQL_MAX = 1 << 20 };

static int fail_engine(struct smi_db *d, struct smi_err *err)
{
    int code = d->db ? sqlite3_errcode(d->db) : SQLITE_NOMEM;
    if (code == SQLITE_NOMEM || code == SQLITE_OK) /* what is ours had no memory */
        return smi_err_nomem(err);
    return smi_err_set(err, SMI_ELIMIT, "the table of runs could not be made: %s", sqlite3_errmsg(d->db));
}

/* --- the second wall --- */

static int authorize(void *self, int action, const char *a, const char *b, const char *database,
                     const char *trigger)
{
    struct smi_db *d = self;
    (void)database, (void)trigger;
    if (!d->locked)
        return SQLITE_OK;
    if (action == SQLITE_FUNCTION && strcasecmp(b, "load_extension") == 0)
        d->refused = "load_extension";
    else if (action == SQLITE_READ)
        return strncasecmp(a, "sqlite_", 7) == 0 ? SQLITE_DENY : SQLITE_OK;
    else if (action == SQLITE_SELECT || action == SQLITE_FUNCTION || action == SQLITE_RECURSIVE)
        return SQLITE_OK;
    return SQLITE_DENY;
}

/* --- texts in the order in which people sort names; the same only if every byte is --- */

static const char *terminate_text(char *room, size_t size, const void *p, int n, char **heap)
{
    *heap = NULL;
    if ((size_t)n < size) {
        memcpy(room, p, (size_t)n);
        room[n] = 0;
        return room;
    }
    return *heap = smi_mem_text(p, (size_t)n);
}

static int collate_bytes(int n, const void *p, int m, const void *q)
{
    int order = memcmp(p, q, (size_t)(n < m ? n : m));
    return order ? order : (n > m) - (n < m);
}

static int collate_names(void *self, int n, const void *p, int m, const void *q)
{
    char a[256], b[256], *x, *y;
    const char *s = terminate_text(a, sizeof a, p, n, &x), *t = terminate_text(b, sizeof b, q, m, &y);
    int order = s && t ? smi_text_compare_natural(s, t) : 0;
    (void)self;
    smi_mem_free(x);
    smi_mem_free(y);
    return order ? order : collate_bytes(n, p, m, q);
}

/* --- making it --- */

static int prepare_engine(struct smi_db *d, struct smi_err *err)
{
    static const char start[] =
        "PRAGMA temp_store=MEMORY;PRAGMA journal_mode=OFF;PRAGMA synchronous=OFF;BEGIN";
    if (sqlite3_open_v2(":memory:", &d->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
                        NULL))
        return fail_engine(d, err);
    sqlite3_db_config(d->db, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
    sqlite3_db_config(d->db, SQLITE_DBCONFIG_DQS_DDL, 0, NULL);
    sqlite3_db_config(d->db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
    sqlite3_db_config(d->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_limit(d->db, SQLITE_LIMIT_LENGTH, LENGTH_MAX);
    sqlite3_limit(d->db, SQLITE_LIMIT_SQL_LENGTH, SQL_MAX);
    if (sqlite3_set_authorizer(d->db, authorize, d) || smi_db_functions(d->db) ||
        sqlite3_create_collation(d->db, "names", SQLITE_UTF8, NULL, collate_names) ||
        sqlite3_exec(d->db, start, NULL, NULL, NULL))
        return fail_engine(d, err);
    return 0;
}

static int compare_written_value(const void *a, const void *b)
{
    const struct smi_db_written *x = a, *y = b;
    return x->v < y->v ? -1 : x->v > y->v ? 1 : (x->at > y->at) - (x->at < y->at);
}

static int lock_engine(struct smi_db *d, struct smi_err *err)
{
    if (sqlite3_exec(d->db, "COMMIT", NULL, NULL, NULL))
        return fail_engine(d, err);
    if (d->failed)
        return smi_err_nomem(err);
    sqlite3_finalize(d->to_real);
    d->to_real = NULL;
    if (d->nwritten)
        qsort(d->written, d->nwritten, sizeof *d->written, compare_written_value);
    sqlite3_limit(d->db, SQLITE_LIMIT_ATTACHED, 0);
    sqlite3_db_config(d->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    d->locked = true;
    return 0;
}

static int compare_param_key(const void *a, const void *b)
{
    return strcmp(((const struct smi_db_param *)a)->key, ((const struct smi_db_param *)b)->key);
}

struct smi_db_param *smi_db_param(const struct smi_db *d, const char *key)
{
    const struct smi_db_param wanted = {.key = key};
    return d->params ? bsearch(&wanted, d->param, d->params, sizeof wanted, compare_param_key) : NULL;
}

static int list_params(struct smi_db *d, struct smi_err *err)
{
    const struct smi_sweep *s = d->sweep;
    d->param = smi_arena_new(&d->arena, s->ncommon + s->nvarying + 1, sizeof *d->param);
    if (!d->param)
        return smi_err_nomem(err);
    for (size_t i = 0; i < s->ncommon; i++)
        d->param[d->params++].key = s->common[i].key;
    for (size_t i = 0; i < s->nvarying; i++)
        d->param[d->params++].key = s->varying[i];
    if (d->params)
        qsort(d->param, d->params, sizeof *d->param, compare_param_key);
    return 0;
}

int smi_db_open(struct smi_db *d, struct smi_sweep *s, const struct smi_query *q, struct smi_err *err)
{
    const char *text[] = {q->where, q->sort, q->group_by, q->columns, q->sql};
    *d = (struct smi_db){.sweep = s, .sql = q->sql != NULL};
    for (size_t i = 0; i < sizeof text / sizeof *text; i++)
        if (text[i]) {
            smi_buf_str(&d->asked, text[i]);
            smi_buf_char(&d->asked, '\n');
        }
    smi_buf_char(&d->asked, '\n');
    if (d->asked.failed)
        return smi_err_nomem(err);
    return prepare_engine(d, err) || list_params(d, err) || smi_db_fill_runs(d, err) ||
                   smi_db_fill_lists(d, err) || lock_engine(d, err)
               ? -1
               : 0;
}

void smi_db_close(struct smi_db *d)
{
    sqlite3_finalize(d->to_real);
    sqlite3_close(d->db);
    smi_mem_free(d->written);
    smi_buf_fini(&d->asked);
    smi_arena_fini(&d->arena);
    *d = (struct smi_db){0};
}

int smi_db_exec(struct smi_db *d, const struct smi_buf *sql, struct smi_err *err)
{
    if (sql->failed)
        return smi_err_nomem(err);
    return sqlite3_exec(d->db, sql->p, NULL, NULL, NULL) ? fail_engine(d, err) : 0;
}

sqlite3_stmt *smi_db_prepare_insert(struct smi_db *d, const char *table, size_t columns, struct smi_err *err)
{
    struct smi_buf b = {0};
    sqlite3_stmt *st = NULL;
    smi_buf_fmt(&b, "INSERT INTO %s VALUES (?", table);
    for (size_t i = 1; i < columns; i++)
        smi_buf_str(&b, ",?");
    smi_buf_char(&b, ')');
    if (b.failed || sqlite3_prepare_v2(d->db, b.p, (int)b.n, &st, NULL))
        fail_engine(d, err);
    smi_buf_fini(&b);
    return st;
}

int smi_db_insert_row(struct smi_db *d, sqlite3_stmt *st, struct smi_err *err)
{
    if (sqlite3_step(st) != SQLITE_DONE || sqlite3_reset(st))
        return fail_engine(d, err);
    sqlite3_clear_bindings(st);
    return 0;
}

void smi_db_bind(sqlite3_stmt *st, int at, const struct smi_datum *v)
{
    if (v->kind == SMI_DATUM_TEXT)
        sqlite3_bind_text(st, at, v->text, -1, SQLITE_TRANSIENT);
    else if (v->kind == SMI_DATUM_MICRO)
        sqlite3_bind_double(st, at, (double)v->n / 1e6);
    else if (v->kind != SMI_DATUM_NONE)
        sqlite3_bind_int64(st, at, v->n);
}

/* A number with a point or an exponent: the engine reads it, in no locale. */
static double parse_real(struct smi_db *d, const char *text)
{
    double v;
    if (!d->to_real && sqlite3_prepare_v2(d->db, "SELECT CAST(? AS REAL)", -1, &d->to_real, NULL))
        return 0;
    sqlite3_bind_text(d->to_real, 1, text, -1, SQLITE_STATIC);
    v = sqlite3_step(d->to_real) == SQLITE_ROW ? sqlite3_column_double(d->to_real, 0) : 0;
    sqlite3_reset(d->to_real);
    return v;
}

/* Keeps how a real was written, where that is not how it would be printed. */
static void note_written(struct smi_db *d, const char *text, double v)
{
    char t[SMI_MICRO_TEXT + SMI_I128_TEXT];
    t[smi_real_text(t, v)] = 0;
    if (strcmp(t, text) == 0)
        return;
    if (smi_mem_reserve(&d->written, &d->cap, d->nwritten + 1, sizeof *d->written)) {
        d->failed = true;
        return;
    }
    d->written[d->nwritten] = (struct smi_db_written){v, text, d->nwritten};
    d->nwritten++;
}

const char *smi_db_as_written(const struct smi_db *d, double v)
{
    size_t low = 0, high = d->nwritten, mid;
    while (low < high) {
        mid = low + (high - low) / 2;
        if (d->written[mid].v < v)
            low = mid + 1;
        else
            high = mid;
    }
    return low < d->nwritten && d->written[low].v == v ? d->written[low].text : NULL;
}

void smi_db_bind_text(struct smi_db *d, sqlite3_stmt *st, int at, const char *text, bool bare)
{
    smi_i128 whole;
    double v;
    if (!text || (bare && strcmp(text, "null") == 0)) {
        sqlite3_bind_null(st, at);
    } else if (bare && (*text == 't' || *text == 'f')) {
        sqlite3_bind_int(st, at, *text == 't');
    } else if (bare && smi_i128_parse(text, strlen(text), &whole) == 0 && whole == (int64_t)whole) {
        sqlite3_bind_int64(st, at, (int64_t)whole);
    } else if (bare && strpbrk(text, ".eE") &&
               isfinite(parse_real(d, text))) { /* too large: it stays a text */
        v = parse_real(d, text);
        sqlite3_bind_double(st, at, v);
        note_written(d, text, v);
    } else {
        sqlite3_bind_text(st, at, text, -1, SQLITE_TRANSIENT); /* a whole number that does not fit is an id */
    }
}

bool smi_db_mentions(const struct smi_db *d, const char *name)
{
    return strcasestr(d->asked.p, name) || strchr(d->asked.p, '*') || strchr(name, '"');
}

void smi_db_quote(struct smi_buf *to, const char *name)
{
    smi_buf_char(to, '"');
    for (; *name; name++)
        smi_buf_add(to, *name == '"' ? "\"\"" : name, *name == '"' ? 2 : 1);
    smi_buf_char(to, '"');
}

/* --- asking it --- */

/* What the engine says of a statement in the user's words. */
static int bad_statement(struct smi_db *d, const char *opt, struct smi_err *err)
{
    const char *text = sqlite3_errmsg(d->db), *name;
    int code = sqlite3_errcode(d->db);
    if (code == SQLITE_NOMEM)
        return smi_err_nomem(err);
    if (d->refused)
        return smi_err_set(err, SMI_EUSAGE, "--%s only reads: %s is refused", opt, d->refused);
    if (code == SQLITE_AUTH || strcmp(text, "not authorized") == 0)
        return smi_err_set(err, SMI_EUSAGE, "--%s only reads, with one SELECT: this is refused (%.200s)", opt,
                           text);
    if (strncmp(text, "no such column: ", 16) == 0)
        return smi_db_no_column(d, opt, text + 16, true, err);
    if (strncmp(text, "no such table: ", 15) == 0)
        return smi_db_no_table(opt, text + 15, err);
    if (strncmp(text, "no such function: ", 18) == 0) {
        name = text + 18;
        return smi_err_set(err, SMI_EUSAGE,
                           "--%s: there is no function \"%.60s\"; besides SQLite's own there are "
                           "mean, stddev, median and p95",
                           opt, name);
    }
    if (strcmp(text, "near \"THEN\": syntax error") == 0 && !strcasestr(d->asked.p ? d->asked.p : "", "then"))
        text = "incomplete expression"; /* smilog itself appends the word THEN */
    return smi_err_set(err, SMI_EUSAGE, "--%s: %.300s", opt, text);
}

/* Is there something behind a statement that is no comment? */
static bool has_second_statement(struct smi_db *d, const char *tail)
{
    sqlite3_stmt *st = NULL;
    bool some = false;
    while (*tail && !some) {
        some = sqlite3_prepare_v2(d->db, tail, -1, &st, &tail) != SQLITE_OK || st;
        sqlite3_finalize(st);
    }
    return some;
}

static sqlite3_stmt *prepare_select(struct smi_db *d, const char *opt, const char *sql, struct smi_err *err)
{
    sqlite3_stmt *st = NULL;
    const char *tail;
    if (strlen(sql) > SQL_MAX)
        smi_err_set(err, SMI_EUSAGE, "--%s is longer than %d bytes", opt, SQL_MAX);
    else if (sqlite3_prepare_v2(d->db, sql, -1, &st, &tail))
        bad_statement(d, opt, err);
    else if (!st)
        smi_err_set(err, SMI_EUSAGE, "--%s is empty: it needs a SELECT", opt);
    else if (!sqlite3_stmt_readonly(st) || sqlite3_stmt_isexplain(st) || sqlite3_column_count(st) == 0)
        smi_err_set(err, SMI_EUSAGE, "--%s only reads, with one SELECT", opt);
    else if (has_second_statement(d, tail))
        smi_err_set(err, SMI_EUSAGE, "--%s takes one SELECT, and there is more behind it: %.60s", opt, tail);
    else
        return st;
    sqlite3_finalize(st);
    return NULL;
}

sqlite3_stmt *smi_db_select(struct smi_db *d, const char *opt, struct smi_buf *sql, struct smi_err *err)
{
    sqlite3_stmt *st = NULL;
    if (sql->failed)
        smi_err_nomem(err);
    else
        st = prepare_select(d, opt, sql->p, err);
    smi_buf_fini(sql);
    return st;
}

int smi_db_check_expression(struct smi_db *d, const char *opt, const char *expr, struct smi_err *err)
{
    struct smi_buf b = {0};
    sqlite3_stmt *st;
    smi_buf_str(&b, "SELECT 1 FROM param WHERE EXISTS (SELECT 1 FROM runs WHERE CASE WHEN ");
    smi_buf_str(&b, expr);
    smi_buf_str(&b, "\n THEN 1 END)");
    st = smi_db_select(d, opt, &b, err);
    sqlite3_finalize(st);
    return st ? 0 : -1;
}

int smi_db_step(struct smi_db *d, const char *opt, sqlite3_stmt *st, struct smi_err *err)
{
    int rc = sqlite3_step(st);
    if (rc == SQLITE_ROW)
        return 1;
    return rc == SQLITE_DONE ? 0 : bad_statement(d, opt, err);
}
