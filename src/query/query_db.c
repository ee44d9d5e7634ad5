/* query_db.c - the engine: opened in memory, filled by one transaction, then locked. Two walls stand around
 * it: what is asked is one statement that SQLite itself calls reading, and the authorizer lets only a
 * SELECT's own actions through. A name in double quotes is a column and nothing else, so that a misspelt one
 * is an error and never a text. */
#include "query/query_db.h"
#include "aggregate/counts.h"
#include "base/int128.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* finds the column for a name that a user types, and suggests one for a name that does not
 * exist. SQLite says which name of an expression is unknown, and where it stands. */

/* The parameter of this key, or NULL. */
static struct smi_db_param *param_of_key(const struct smi_db *d, const char *key)
{
    const struct smi_db_param wanted = {.key = key};
    return d->params ? bsearch(&wanted, d->param, d->params, sizeof wanted, smi_compare_strings) : NULL;
}

/* The table of runs, and those with a row for each item of a list that every run has. */
struct list {
    const char *table;
    const struct smi_member_list *members;
    size_t of, n, size; /* where the list and its length lie in struct smi_summary; bytes of an item */
};
#define LIST(table, members, of, n)                                                        \
    {                                                                                      \
        table, members, offsetof(struct smi_summary, of), offsetof(struct smi_summary, n), \
            sizeof *((struct smi_summary *)0)->of                                          \
    }
enum { LISTS = 4 };
static const struct list lists[LISTS] = {{"runs", &smi_run_list, 0, 0, 0},
                                         LIST("gpus", &smi_gpu_list, gpus, ngpus),
                                         LIST("phases", &smi_phase_list, phases, nphases),
                                         LIST("findings", &smi_finding_list, findings, nfindings)};

static bool mentions(const struct smi_db *d, const char *name)
{
    return strcasestr(d->asked.p, name) || strchr(d->asked.p, '*') || strchr(name, '"');
}

/* --- the column of a name --- */

/* How many of n names, each at the beginning of a structure, end in this one after a point; part: two of
 * them, or NULL. */
static size_t find_part(const void *names, size_t stride, size_t n, const char *name,
                        const char *const *part[2])
{
    size_t found = 0;
    part[0] = part[1] = NULL;
    for (size_t i = 0; i < n && found < 2; i++) {
        const char *const *key = (const void *)((const char *)names + i * stride);
        const char *end = strlen(*key) > strlen(name) ? *key + strlen(*key) - strlen(name) : NULL;
        if (*name && end && end[-1] == '.' && strcmp(end, name) == 0)
            part[found++] = key;
    }
    return found;
}

/* The parameter of this name, or the only one that ends in it after a point: lr is optimizer.lr. *p is NULL
 * if there is none. Returns 0, or -1 with err: there are several. */
static int find_param(const struct smi_db *d, const char *opt, const char *name,
                      const struct smi_db_param **p, struct smi_err *err)
{
    const char *const *part[2];
    *p = param_of_key(d, name);
    for (size_t i = 0; i < d->params && !*p; i++)
        if (d->param[i].column && strcasecmp(d->param[i].column, name) == 0)
            *p = &d->param[i];
    if (!*p && find_part(d->param, sizeof *d->param, d->params, name, part) > 1)
        return smi_err_set(err, SMI_EUSAGE, "--%s: %.100s may be the parameter %.100s or %.100s: say which",
                           opt, name, *part[0], *part[1]);
    *p = *p ? *p : (const void *)part[0];
    return 0;
}

/* The column of runs with this name, or NULL. */
static const char *find_run_column(const struct smi_db *d, const char *name, bool *number)
{
    for (int i = 0; i < SMI_RUN_FIELDS; i++)
        if (strcasecmp(name, smi_run_fields[i].key) == 0) {
            *number = smi_run_fields[i].kind != SMI_DATUM_TEXT;
            return smi_run_fields[i].key;
        }
    for (size_t i = 0; i < d->sweep->njoined; i++)
        if (strcmp(name, d->sweep->joined[i]) == 0)
            return d->sweep->joined[i];
    return d->wasted && strcasecmp(name, "wasted_h") == 0 ? "wasted_h" : NULL;
}

/* Appends the column of a name, and says whether there is one. Returns 0, or -1 with err. */
static int add_column(struct smi_db *d, const char *opt, const char *name, struct smi_buf *to, bool *number,
                      bool *found, struct smi_err *err)
{
    const bool param = strncasecmp(name, "param.", 6) == 0;
    const char *column = param ? NULL : find_run_column(d, name, number), *const * part[2];
    const struct smi_db_param *p = NULL;
    if (!column && find_param(d, opt, param ? name + 6 : name, &p, err))
        return -1;
    if (p && !p->column) /* it is mentioned, so only the limit can be why */
        return smi_err_set(err, SMI_EUSAGE, "--%s: more than %d parameters are asked for", opt,
                           SMI_QUERY_PARAM_COLUMNS);
    if (!column && !p && !param &&
        find_part(d->sweep->joined, sizeof *d->sweep->joined, d->sweep->nresults, name, part) == 1)
        column = *part[0];
    *found = column || p;
    if (*found) {
        smi_buf_str(to, p ? "param." : "runs.");
        smi_db_quote(to, p ? p->column : column);
    }
    return 0;
}

int smi_db_column(struct smi_db *d, const char *opt, struct smi_text word, struct smi_buf *to, bool *number,
                  struct smi_err *err)
{
    const char *name = smi_arena_text(&d->arena, word.p, word.n);
    bool found = false;
    *number = true;
    name += strncasecmp(name, "runs.", 5) == 0 ? 5 : 0;
    if (add_column(d, opt, name, to, number, &found, err))
        return -1;
    return found ? 0 : smi_db_no_column(d, opt, name, false, err);
}

/* --- the names of an expression --- */

static bool is_name_char(char c)
{
    return c == '_' || c == '$' || (unsigned char)c >= 0x80 || (c >= '0' && c <= '9') ||
           ((c | 32) >= 'a' && (c | 32) <= 'z');
}

bool smi_db_is_name(struct smi_text t)
{
    size_t n = 0;
    while (n < t.n && (t.p[n] == '.' || is_name_char(t.p[n])))
        n++;
    return t.n && (n == t.n || (t.p[n] == '"' && memchr(t.p + n + 1, '"', t.n - n - 1) == t.p + t.n - 1));
}

/* The name in sql that the last error of the engine is about: one that is no column, or one with so many
 * points that it is no SQL; n = 0 if it is about something else. */
static struct smi_text name_of_error(const struct smi_db *d, const char *sql)
{
    const char *message = sqlite3_errmsg(d->db);
    const int offset = sqlite3_error_offset(d->db);
    const char *from = sql + (offset < 0 ? 0 : offset), *end = from;
    if (offset < 0 || (strncmp(message, "no such column: ", 16) != 0 && *from != '.'))
        return (struct smi_text){0};
    while (from > sql && (from[-1] == '.' || is_name_char(from[-1])))
        from--;
    while (*end == '.' || is_name_char(*end))
        end++;
    return (struct smi_text){from, (size_t)(end - from)};
}

/* Puts the column of the name that the engine does not know in the place of the name. Returns 1 if it did, 0
 * if there is no such column, or -1 with err. */
static int replace_unknown_name(struct smi_db *d, const char *opt, struct smi_buf *sql, struct smi_err *err)
{
    struct smi_text t = name_of_error(d, sql->p);
    struct smi_buf fixed = {0};
    bool number, found = false;
    int rc;
    if (!t.n)
        return 0;
    smi_buf_add(&fixed, sql->p, (size_t)(t.p - sql->p));
    rc = add_column(d, opt, smi_arena_text(&d->arena, t.p, t.n), &fixed, &number, &found, err);
    smi_buf_str(&fixed, t.p + t.n);
    if (!rc && found) {
        smi_buf_fini(sql);
        *sql = fixed;
        return 1;
    }
    smi_buf_fini(&fixed);
    return !rc && d->sweep && d->sweep->unread ? smi_db_no_column(d, opt, "", true, err) : rc;
}

/* Is a number in quotes none of a column that has it, as of one with numbers and texts such as 007? */
static bool misses_number(struct smi_db *d, const char *expr)
{
    const size_t reads = d->nreads;
    bool some = false;
    for (const char *p = expr; (p = strchr(p, '\'')) && !some; p++) {
        const int n = (int)strspn(p + 1, "0123456789.eE+-");
        for (size_t i = 0; n && p[n + 1] == '\'' && i < reads && !some; i++) {
            const char *table = d->read[i].param ? "param" : "runs", *column = d->read[i].column;
            char *sql = sqlite3_mprintf("SELECT 1 FROM %s WHERE \"%w\" = %.*s AND \"%w\" <> '%.*s'", table,
                                        column, n, p + 1, column, n, p + 1);
            sqlite3_stmt *st = NULL;
            some =
                sqlite3_prepare_v2(d->db, sql, -1, &st, NULL) == SQLITE_OK && sqlite3_step(st) == SQLITE_ROW;
            sqlite3_finalize(st);
            sqlite3_free(sql);
        }
    }
    d->nreads = reads;
    return some;
}

const char *smi_db_resolve(struct smi_db *d, const char *opt, const char *expr, struct smi_err *err)
{
    static const char before[] = "SELECT 1 FROM param WHERE EXISTS (SELECT 1 FROM runs WHERE CASE WHEN ",
                      after[] = "\n THEN 1 END)";
    struct smi_buf sql = {0};
    const char *resolved;
    sqlite3_stmt *st = NULL;
    int rc = 1;
    smi_buf_str(&sql, before);
    smi_buf_str(&sql, expr);
    smi_buf_str(&sql, after);
    while (rc > 0 && sqlite3_prepare_v2(d->db, sql.p, -1, &st, NULL))
        rc = replace_unknown_name(d, opt, &sql, err);
    sqlite3_finalize(st);
    if (rc < 0) {
        smi_buf_fini(&sql);
        return NULL;
    }
    resolved = smi_arena_text(&d->arena, sql.p + strlen(before), sql.n - strlen(before) - strlen(after));
    d->nreads = 0;
    st = smi_db_select(d, opt, &sql, err);
    sqlite3_finalize(st);
    if (st && misses_number(d, resolved))
        return smi_err_set(err, SMI_EUSAGE, "--%s: a number beside texts is written without quotes", opt),
               NULL;
    return st ? resolved : NULL;
}

/* For the authorizer: an expression reads this column. */
static void note_read(struct smi_db *d, const char *table, const char *column)
{
    const bool param = strcmp(table, "param") == 0;
    const bool name = strcasecmp(column, "run") == 0 && (!param || d->sql);
    if ((!param && strcmp(table, "runs") != 0) || d->nreads == SMI_DB_READS || name || !*column ||
        strcasecmp(column, "rowid") == 0)
        return;
    for (size_t i = 0; i < d->nreads; i++)
        if (d->read[i].param == param && strcmp(d->read[i].column, column) == 0)
            return;
    d->read[d->nreads].param = param;
    d->read[d->nreads++].column = smi_copy_text(&d->arena, column);
}

/* --- columns of parameters --- */

const char *const smi_db_rowids[SMI_DB_ROWIDS] = {"rowid", "oid", "_rowid_"};

const char *smi_db_free_name(struct smi_arena *a, const char *name, const char *const *taken, size_t n,
                             int (*compare)(const char *, const char *))
{
    const char *text = smi_copy_text(a, name);
    for (size_t i = 0, number = 2; i < n; i++)
        if (compare(taken[i], text) == 0) {
            text = smi_format_text(a, "%s_%zu", name, number++);
            i = SIZE_MAX; /* from the first again */
        }
    return text;
}

/* The column of param with the name of the run. A SELECT of the user's joins by param.run; anything else
 * means the parameter by it. */
static const char *key_of_params(const struct smi_db *d)
{
    return d->sql ? "run" : " ";
}

/* Gives those parameters a column that are asked for. */
static void name_params(struct smi_db *d)
{
    const char **taken = smi_arena_new(&d->arena, d->params + SMI_DB_ROWIDS + 1, sizeof *taken);
    size_t n = 0;
    for (; n < SMI_DB_ROWIDS; n++)
        taken[n] = smi_db_rowids[n];
    taken[n++] = key_of_params(d);
    for (size_t i = 0; i < d->params; i++) {
        const char *dot = strrchr(d->param[i].key, '.'); /* lists may name the last part */
        if (!mentions(d, d->param[i].key) && !(dot && dot[1] && mentions(d, dot + 1)))
            continue;
        if (d->made == SMI_QUERY_PARAM_COLUMNS) {
            d->left_out = true;
            return;
        }
        d->param[i].column =
            smi_db_free_name(&d->arena, d->param[i].key, taken, n, strcasecmp); /* LR, lr_2 */
        taken[n++] = d->param[i].column;
        d->made++;
    }
}

void smi_db_report_names(struct smi_db *d, const char *expr, struct smi_buf *said)
{
    bool number;
    for (const struct smi_db_param *p = d->param; p < d->param + d->params; p++) {
        const char *name = smi_format_text(&d->arena, "param.%s", p->key),
                   *meant = find_run_column(d, p->key, &number) ? name : p->key;
        if (p->column && strcmp(p->column, p->key) != 0 && strstr(expr, meant) && !strstr(expr, p->column))
            smi_buf_fmt(said, "the parameter %s is param.%s in SQL, as %s is something else there%c", p->key,
                        p->column, name, 0);
    }
}

/* --- suggestions --- */

/* The name that is nearest to a word, out of those that were offered. */
struct nearest {
    const char *word, *best;
    bool param; /* the best is a parameter's */
    int distance;
};

/* Distances: 0 is the word itself, 1 one slip of the finger. Then come names that have the parts of the word
 * in their order, as gpu_util_mean_pct those of gpu_util_pct: first those that groups show (their places,
 * from 1), then others; two slips. */
enum { SLIP = 2, PLACES = 10, TWO_SLIPS = SLIP + PLACES + 1, FAR };

static int name_distance(const char *word, const char *name, int place)
{
    const int d = smi_text_distance(word, name, SLIP + 1), len = (int)strlen(word);
    char like[64];
    const bool fits = len >= 3 && snprintf(like, sizeof like, "%%%s%%", word) < (int)sizeof like;
    for (char *p = fits ? strchr(like, '_') : NULL; p; p = strchr(p, '_'))
        *p = '%';
    if (strcasecmp(word, name) == 0)
        return 0;
    if (d == 1 && len > 1)
        return d;
    if (fits && sqlite3_strlike(like, name, 0) == 0)
        return SLIP + (place && place < PLACES ? place : PLACES);
    return d <= SLIP && d < (int)strlen(name) && d < len ? TWO_SLIPS : FAR;
}

/* Of equals the first is kept. */
static void offer(struct nearest *n, const char *name, bool param, int place)
{
    const int d = name_distance(n->word, name, place);
    if (d < n->distance)
        *n = (struct nearest){n->word, name, param, d};
}

static void offer_fields(struct nearest *n, const struct smi_field_info *c, size_t count)
{
    for (size_t i = 0; i < count; i++)
        offer(n, c[i].key, false, c[i].group_place);
}

static void find_nearest_name(const struct smi_db *d, struct nearest *n, bool params_only)
{
    if (!params_only) {
        offer(n, "wasted_h", false, 1);
        offer_fields(n, smi_run_fields, SMI_RUN_FIELDS);
    }
    for (size_t i = 0; i < d->sweep->njoined && !params_only; i++)
        offer(n, d->sweep->joined[i], false, 1);
    for (size_t i = 0; i < d->params; i++)
        offer(n, d->param[i].key, true, 1);
    for (size_t i = 1; i < LISTS && !params_only; i++)
        if (strcasestr(d->asked.p, lists[i].table))
            offer_fields(n, lists[i].members->info, (size_t)lists[i].members->fields);
}

/* The sentence says what there is not, and is ended; instead: what follows where no name is near. Returns -1.
 */
static int fail_with_nearest(struct smi_buf *sentence, const struct nearest *n, const char *instead,
                             struct smi_err *err)
{
    if (n->best)
        smi_buf_fmt(sentence, "; did you mean %s%.100s?", n->param ? "param." : "", n->best);
    smi_err_set(err, SMI_EUSAGE, "%s%s", sentence->p, n->best ? "" : instead);
    smi_buf_fini(sentence);
    return -1;
}

int smi_db_no_column(struct smi_db *d, const char *opt, const char *name, bool quoted, struct smi_err *err)
{
    const bool of_param = strncasecmp(name, "param.", 6) == 0;
    const char *dot = of_param ? name + 5 : quoted ? strrchr(name, '.') : NULL;
    struct nearest n = {.word = dot ? dot + 1 : name, .distance = FAR};
    struct smi_buf b = {0};
    if (d->sweep && d->sweep->unread)
        return smi_err_set(err, SMI_EFORMAT, "the logs say whether there is %.100s", name);
    if (d->sweep)
        find_nearest_name(d, &n, of_param);
    else
        offer_fields(&n, smi_ledger_fields, quoted ? SMI_LEDGER_KEYS : SMI_LEDGER_FIELDS);
    for (const char *p = n.best && quoted ? n.best : ""; *p; p++)
        if (!is_name_char(*p) || *p == '$' || (unsigned char)*p >= 0x80 || smi_is_digit(*n.best)) {
            smi_db_quote(&b, n.best); /* as SQL has it */
            n.best = smi_buf_keep(&b, &d->arena);
            break;
        }
    if (d->sql && n.best && n.param && n.distance == 0)
        return smi_err_set(
            err, SMI_EUSAGE,
            "--%s: %.100s is in the table param: SELECT run, param.%.100s FROM runs JOIN param "
            "USING (run)",
            opt, name, n.best);
    smi_buf_fmt(&b, "--%s: %s \"%.100s\"", opt, d->sweep ? "there is no column" : "a ledger has no column",
                name);
    if (!n.best && quoted && !of_param && !dot)
        smi_buf_fmt(&b, " (a text is written '%.100s')", name);
    return fail_with_nearest(&b, &n, "; see smilog list columns", err);
}

int smi_query_find_number(struct smi_text word, bool worse, struct smi_err *err)
{
    char name[64];
    struct nearest n = {.word = name, .distance = FAR};
    struct smi_buf b = {0};
    smi_text_copy(name, sizeof name, word);
    for (int i = 0; i < SMI_RUN_FIELDS; i++) {
        const struct smi_field_info *f = &smi_run_fields[i];
        if (!(worse ? f->worse : f->kind == SMI_DATUM_INT || f->kind == SMI_DATUM_MICRO))
            continue;
        if (smi_text_is_nocase(word, f->key))
            return i;
        offer(&n, f->key, false, f->group_place);
    }
    smi_buf_fmt(&b,
                worse ? "--tolerance: \"%s\" is no column that can become worse"
                      : "--columns: there is no column \"%s\" of numbers",
                name);
    return fail_with_nearest(&b, &n, worse ? "" : "; see smilog list columns", err);
}

/* the aggregates that SQLite lacks: mean, stddev, median, p95. Of numbers only: NULL
 * and texts take no part; of none the result is NULL. */

/* The numbers of a group. */
struct values {
    double *v;
    size_t n, cap;
};

enum {
    MEAN,
    STDDEV,                /* else a percentile of so many percent */
    WHOLE_MAX = 1000000000 /* below it a real tells millionths apart, and no sum of squares is too large */
};

static void values_step(sqlite3_context *c, int argc, sqlite3_value **argv)
{
    struct values *s = sqlite3_aggregate_context(c, sizeof *s);
    const int type = sqlite3_value_type(argv[0]);
    (void)argc;
    if (s && (type == SQLITE_INTEGER || type == SQLITE_FLOAT))
        *SMI_MEM_ADD(s->v, s->n, s->cap) = sqlite3_value_double(argv[0]);
}

/* Mean or standard deviation of the whole group, as that of a metric (docs/numbers.md §1 and §2): of whole
 * millionths exact, rounded once; else by Welford's way. */
static double spread_of(const struct values *s, bool mean)
{
    struct smi_counts_figures f = {.n = (int64_t)s->n};
    double middle = 0, far = 0;
    bool whole = true;
    for (size_t i = 0; i < s->n; i++) {
        const double x = s->v[i], micro = nearbyint(x * 1e6), d = x - middle;
        middle += d / (double)(i + 1);
        far += d * (x - middle);
        whole = whole && fabs(x) < WHOLE_MAX && micro / 1e6 == x;
        f.sum += whole ? (int64_t)micro : 0;
        f.sum2 += whole ? (smi_i128)(int64_t)micro * (int64_t)micro : 0;
    }
    if (!whole)
        return mean ? middle : sqrt(far / (double)s->n);
    return (double)(mean ? (int64_t)smi_i128_div(f.sum, f.n) : smi_counts_stddev(&f)) / 1e6;
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Between two values by their distance (docs/numbers.md §2, numpy's default). */
static double percentile_of(struct values *s, int percent)
{
    const struct smi_percentile p = smi_percentile_place((int64_t)s->n, percent);
    smi_sort(s->v, s->n, sizeof *s->v, compare_doubles);
    return p.part ? s->v[p.i] + (s->v[p.i + 1] - s->v[p.i]) * (double)p.part / 100 : s->v[p.i];
}

static void values_end(sqlite3_context *c)
{
    const int what = *(const int *)sqlite3_user_data(c);
    struct values *s = sqlite3_aggregate_context(c, 0);
    if (!s || !s->n)
        return;
    sqlite3_result_double(c, what > STDDEV ? percentile_of(s, what) : spread_of(s, what == MEAN));
    smi_mem_free(s->v);
}

static int add_functions(sqlite3 *db)
{
    static const struct {
        const char *name;
        int what;
    } of[] = {{"mean", MEAN}, {"stddev", STDDEV}, {"median", 50}, {"p95", 95}};
    int rc = 0;
    for (size_t i = 0; i < sizeof of / sizeof *of && !rc; i++)
        rc = sqlite3_create_function_v2(db, of[i].name, 1,
                                        SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
                                        (void *)(uintptr_t)&of[i].what, NULL, values_step, values_end, NULL);
    return rc;
}

/* the tables: runs and param have a row a run, with the same rowid, the run's place in the
 * sweep; gpus and phases are filled where they are asked for. Of what there may be thousands, parameters and
 * metrics, only that becomes a column which is mentioned. */

static const char *const types[] = {"", "INTEGER", "REAL", "BOOLEAN", "TEXT COLLATE names"};

static void add_create_column(struct smi_buf *b, const char *name, const char *type)
{
    smi_buf_str(b, ", ");
    smi_db_quote(b, name);
    smi_buf_fmt(b, " %s", type);
}

static void create_table(struct smi_db *d, struct smi_buf *columns)
{
    smi_buf_char(columns, ')');
    smi_db_exec(d, columns->p);
    smi_buf_fini(columns);
}

/* What a value is to the engine: SQLITE_INTEGER, in *whole, and so on. A number that does not fit is an id,
 * and so a text. */
static int kind_of_text(const char *text, bool bare, int64_t *whole, double *real)
{
    smi_i128 n;
    if (!text || (bare && strcmp(text, "null") == 0))
        return SQLITE_NULL;
    if (bare && smi_i128_parse(text, strlen(text), &n) == 0 && n == (int64_t)n) {
        *whole = (int64_t)n;
        return SQLITE_INTEGER;
    }
    return bare && strpbrk(text, ".eE") && smi_real_parse(smi_text_of(text), real) == 0 ? SQLITE_FLOAT
                                                                                        : SQLITE_TEXT;
}

void smi_db_bind_text(sqlite3_stmt *st, int at, const char *text, bool bare)
{
    int64_t whole = 0;
    double real = 0;
    const int kind = kind_of_text(text, bare, &whole, &real);
    if (kind == SQLITE_INTEGER)
        sqlite3_bind_int64(st, at, whole);
    else if (kind == SQLITE_FLOAT)
        sqlite3_bind_double(st, at, real);
    else if (kind == SQLITE_TEXT && bare && (*text == 't' || *text == 'f'))
        sqlite3_bind_int(st, at, *text == 't');
    else if (kind == SQLITE_TEXT)
        sqlite3_bind_text(st, at, text, -1, SQLITE_TRANSIENT);
}

/* --- the kinds of values of a column --- */

enum { INTS = 1 << SQLITE_INTEGER, REALS = 1 << SQLITE_FLOAT, IDS = 1 };
#define WHOLE ((int64_t)1 << 53) /* a real holds every whole number below */

/* Adds the kind of a value: true and nan say nothing. IDS: texts such as 007, which the engine would make
 * numbers, and numbers that no real holds. */
static void note_kind(unsigned *kinds, const struct smi_param *v)
{
    int64_t whole = 0;
    double real;
    const int kind = kind_of_text(v->text, v->bare, &whole, &real);
    if (kind == SQLITE_NULL || smi_text_is_nan(smi_text_of(v->text)) ||
        (v->bare && (*v->text == 't' || *v->text == 'f')))
        return;
    *kinds |= 1u << kind;
    if ((kind == SQLITE_TEXT && !v->text[strspn(v->text, "0123456789.eE+- ")]) || whole > WHOLE ||
        whole < -WHOLE)
        *kinds |= IDS;
}

/* The declared type. The engine compares a column of numbers with '0.1' as with 0.1. */
static const char *type_of_kinds(unsigned kinds)
{
    return !kinds                                     ? "BOOLEAN"
           : kinds & IDS || !(kinds & (INTS | REALS)) ? SMI_DB_AS_WRITTEN "_BLOB COLLATE names"
           : kinds & REALS                            ? SMI_DB_AS_WRITTEN "_REAL COLLATE names"
                                                      : SMI_DB_AS_WRITTEN "_INT COLLATE names";
}

/* --- param --- */

static void fill_params(struct smi_db *d)
{
    struct smi_buf b = {0};
    sqlite3_stmt *st;
    int *at = smi_arena_new(&d->arena, d->params + 1, sizeof *at), columns = 1; /* at: of each parameter */
    name_params(d);
    for (size_t i = 0; smi_sweep_has_run(d->sweep, i) && d->made; i++)
        for (size_t k = 0; k < d->sweep->runs[i].nparams; k++) {
            struct smi_db_param *p = param_of_key(d, d->sweep->runs[i].params[k].key);
            if (p && p->column)
                note_kind(&p->kinds, &d->sweep->runs[i].params[k]);
        }
    smi_buf_str(&b, "CREATE TABLE param(");
    smi_buf_fmt(&b, "\"%s\" TEXT COLLATE names", key_of_params(d));
    for (size_t i = 0; i < d->params; i++)
        if (d->param[i].column) {
            add_create_column(&b, d->param[i].column, type_of_kinds(d->param[i].kinds));
            at[i] = ++columns;
        }
    create_table(d, &b);
    st = smi_db_prepare_insert(d, "param", (size_t)columns);
    for (size_t i = 0; smi_sweep_has_run(d->sweep, i); i++) {
        const struct smi_summary *s = &d->sweep->runs[i];
        sqlite3_bind_text(st, 1, s->run, -1, SQLITE_STATIC);
        for (size_t k = s->nparams; k-- > 0 && d->made;) { /* of two of a name the first counts */
            const struct smi_db_param *p = param_of_key(d, s->params[k].key);
            /* As a text nan would be larger than every number. */
            bool none = p && (p->kinds & (INTS | REALS) || !p->kinds) &&
                        smi_text_is_nan(smi_text_of(s->params[k].text));
            if (p && p->column)
                smi_db_bind_text(st, at[p - d->param], none ? NULL : s->params[k].text, s->params[k].bare);
        }
        smi_db_insert_row(d, st);
    }
    sqlite3_finalize(st);
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
};

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
            if ((is_throttle_metric(metric) && gpu->throttles) || smi_gpu_stats(gpu, metric))
                return true;
        }
    return false;
}

static void add_stat(struct smi_db *d, struct stat_columns *c, struct smi_buf *sql, unsigned metric, int stat)
{
    struct smi_buf name = {0};
    smi_buf_fmt(&name, "%s_%s", smi_metrics[metric].key, stat < 0 ? "pct" : smi_gpu_stat_names[stat]);
    for (size_t i = 0; i < name.n; i++)
        name.p[i] = name.p[i] == '.' ? '_' : name.p[i];
    if (mentions(d, name.p) && (strcasestr(d->asked.p, name.p) || is_measured(d, metric))) {
        *SMI_MEM_ADD(c->of, c->n, c->cap) = (struct stat_column){metric, stat};
        add_create_column(sql, name.p, stat == 0 ? "INTEGER" : "REAL"); /* 0: the count */
    }
    smi_buf_fini(&name);
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

static void bind_stats(sqlite3_stmt *st, int at, const struct stat_columns *c, const struct smi_gpu *g)
{
    for (size_t i = 0; i < c->n; i++) {
        const struct smi_stats *s = smi_gpu_stats(g, c->of[i].metric);
        const struct smi_datum v = c->of[i].stat < 0 ? share_of(g, c->of[i].metric)
                                   : s               ? smi_gpu_stat(s, c->of[i].stat)
                                                     : (struct smi_datum){0};
        smi_db_bind(st, ++at, &v);
    }
}

/* Inserts the items of a run: of the table of runs itself. */
static void insert_items(struct smi_db *d, const struct list *l, const struct smi_summary *s,
                         sqlite3_stmt *st, const struct stat_columns *stats)
{
    const bool runs = l == lists;
    const char *item = runs ? (const char *)s : *(const char *const *)(const void *)((const char *)s + l->of);
    struct smi_field_values row = {0};
    for (size_t n = runs ? 1 : *(const size_t *)(const void *)((const char *)s + l->n); n > 0; n--) {
        int at = 0;
        smi_field_values_fill(&row, l->members, s, item);
        if (!runs)
            sqlite3_bind_text(st, ++at, s->run, -1, SQLITE_STATIC);
        for (int k = 0; k < l->members->fields; k++)
            smi_db_bind(st, ++at, &row.v[k]);
        for (size_t k = 0; runs && k < s->njoined; k++)
            smi_db_bind_text(st, ++at, s->joined[k].text, s->joined[k].bare);
        bind_stats(st, at, stats, (const void *)item);
        item += l->size;
        smi_db_insert_row(d, st);
    }
    smi_field_values_fini(&row);
}

/* Runs, and the tables that are asked for. */
static void fill_list(struct smi_db *d, const struct list *l)
{
    const bool runs = l == lists, asked = runs || strcasestr(d->asked.p, l->table);
    struct stat_columns stats = {0};
    struct smi_buf b = {0};
    sqlite3_stmt *st;
    smi_buf_fmt(&b, "CREATE TABLE %s(run TEXT COLLATE names", l->table);
    for (int i = runs; i < l->members->fields; i++)
        add_create_column(&b, l->members->info[i].key,
                          strcmp(l->members->info[i].key, "state") == 0 ? "TEXT COLLATE NOCASE"
                                                                        : types[l->members->info[i].kind]);
    if (runs) /* what everybody calls the total of the waste, if it means nothing else */
        d->wasted = strcasestr(d->asked.p, "wasted_h") != NULL;
    for (size_t i = 0; runs && i < d->sweep->njoined; i++) {
        unsigned kinds = 0;
        for (size_t k = 0; smi_sweep_has_run(d->sweep, k); k++)
            if (i < d->sweep->runs[k].njoined)
                note_kind(&kinds, &d->sweep->runs[k].joined[i]);
        add_create_column(&b, d->sweep->joined[i], type_of_kinds(kinds));
        d->wasted &= strcasecmp(d->sweep->joined[i], "wasted_h") != 0;
    }
    if (runs && d->wasted)
        add_create_column(&b, "wasted_h", "REAL AS (wasted_total_h)");
    for (unsigned m = 0; asked && l->members == &smi_gpu_list && !smi_metric_is_host(m); m++)
        for (int k = is_throttle_metric(m) ? -1 : 0; k < SMI_GPU_STATS; k++)
            if (k < 0 || smi_gpu_stat_fits(m, k))
                add_stat(d, &stats, &b, m, k);
    create_table(d, &b);
    st = asked ? smi_db_prepare_insert(d, l->table,
                                       (size_t)l->members->fields + (runs ? d->sweep->njoined : 1 + stats.n))
               : NULL;
    for (size_t i = 0; asked && smi_sweep_has_run(d->sweep, i); i++)
        insert_items(d, l, &d->sweep->runs[i], st, &stats);
    sqlite3_finalize(st);
    smi_mem_free(stats.of);
    if (asked && !runs) {
        smi_buf_fmt(&b, "CREATE INDEX %s_run ON %s(run", l->table,
                    l->table); /* else each run reads all of it */
        create_table(d, &b);
    }
}

enum { LENGTH_MAX = 64 << 20, SQL_MAX = 1 << 20 };

static void fail_engine(struct smi_db *d)
{
    if (!d->db || sqlite3_errcode(d->db) == SQLITE_NOMEM)
        smi_mem_exhausted();
    smi_err_set(d->err, SMI_ELIMIT, "the table of runs could not be made: %s", sqlite3_errmsg(d->db));
    d->failed = true;
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
    else if (action == SQLITE_READ) {
        note_read(d, a, b);
        return strncasecmp(a, "sqlite_", 7) == 0 ? SQLITE_DENY : SQLITE_OK;
    } else if (action == SQLITE_SELECT || action == SQLITE_FUNCTION || action == SQLITE_RECURSIVE)
        return SQLITE_OK;
    return SQLITE_DENY;
}

/* --- texts in the order in which people sort names; the same only if every byte is --- */

static int collate_names(void *self, int n, const void *p, int m, const void *q)
{
    struct smi_buf *both = self;
    int order;
    smi_buf_clear(both);
    smi_buf_add(both, p, (size_t)n);
    smi_buf_char(both, 0);
    smi_buf_add(both, q, (size_t)m);
    order = smi_text_compare_natural(both->p, both->p + n + 1);
    order = order ? order : memcmp(p, q, (size_t)(n < m ? n : m));
    return order ? order : n - m;
}

/* --- making it --- */

void smi_db_begin(struct smi_db *d, const char *file, struct smi_err *err)
{
    d->err = err;
    if (sqlite3_open_v2(file, &d->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
                        NULL)) {
        fail_engine(d);
        return;
    }
    sqlite3_db_config(d->db, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
    sqlite3_db_config(d->db, SQLITE_DBCONFIG_DQS_DDL, 0, NULL);
    sqlite3_db_config(d->db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
    sqlite3_db_config(d->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_limit(d->db, SQLITE_LIMIT_LENGTH, LENGTH_MAX);
    sqlite3_limit(d->db, SQLITE_LIMIT_SQL_LENGTH, SQL_MAX);
    if (sqlite3_set_authorizer(d->db, authorize, d) || add_functions(d->db) ||
        sqlite3_create_collation(d->db, "names", SQLITE_UTF8, &d->names, collate_names))
        fail_engine(d);
    smi_db_exec(d, *file ? "PRAGMA temp_store=MEMORY" : "PRAGMA temp_store=FILE");
    smi_db_exec(d, "PRAGMA journal_mode=OFF;PRAGMA synchronous=OFF;BEGIN");
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
    smi_db_begin(d, ":memory:", err);
    d->param = smi_arena_new(&d->arena, s->ncommon + s->nvarying + 1, sizeof *d->param);
    for (size_t i = 0; i < s->ncommon; i++)
        d->param[d->params++].key = s->common[i].key;
    for (size_t i = 0; i < s->nvarying; i++)
        d->param[d->params++].key = s->varying[i];
    smi_sort(d->param, d->params, sizeof *d->param, smi_compare_strings);
    fill_list(d, &lists[0]);
    fill_params(d);
    for (size_t i = 1; i < LISTS; i++)
        fill_list(d, &lists[i]);
    smi_db_exec(d, "COMMIT");
    sqlite3_limit(d->db, SQLITE_LIMIT_ATTACHED, 0);
    sqlite3_db_config(d->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    d->locked = true;
    return d->failed ? -1 : 0;
}

void smi_db_close(struct smi_db *d)
{
    sqlite3_close(d->db);
    smi_buf_fini(&d->asked);
    smi_buf_fini(&d->names);
    smi_arena_fini(&d->arena);
    *d = (struct smi_db){0};
}

void smi_db_exec(struct smi_db *d, const char *sql)
{
    if (!d->failed && sqlite3_exec(d->db, sql, NULL, NULL, NULL))
        fail_engine(d);
}

sqlite3_stmt *smi_db_prepare_insert(struct smi_db *d, const char *table, size_t columns)
{
    struct smi_buf b = {0};
    sqlite3_stmt *st = NULL;
    smi_buf_fmt(&b, "INSERT INTO %s VALUES (?", table);
    for (size_t i = 1; i < columns; i++)
        smi_buf_str(&b, ",?");
    smi_buf_char(&b, ')');
    if (!d->failed && sqlite3_prepare_v2(d->db, b.p, (int)b.n, &st, NULL))
        fail_engine(d);
    smi_buf_fini(&b);
    return st;
}

void smi_db_insert_row(struct smi_db *d, sqlite3_stmt *st)
{
    if (d->failed)
        return;
    if (sqlite3_step(st) != SQLITE_DONE || sqlite3_reset(st))
        fail_engine(d);
    sqlite3_clear_bindings(st);
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
    const char *text = sqlite3_errmsg(d->db);
    int code = sqlite3_errcode(d->db);
    if (d->refused)
        return smi_err_set(err, SMI_EUSAGE, "--%s only reads: %s is refused", opt, d->refused);
    if (code == SQLITE_AUTH || strcmp(text, "not authorized") == 0)
        return smi_err_set(err, SMI_EUSAGE, "--%s only reads, with one SELECT: this is refused (%.200s)", opt,
                           text);
    if (strncmp(text, "no such column: ", 16) == 0 && d->groups)
        return smi_err_set(err, SMI_EUSAGE,
                           "--sort: the groups have no column \"%.100s\"; they have %.60s, n and COL_mean, "
                           "COL_sd, COL_n of each column",
                           text + 16, d->groups);
    if (strncmp(text, "no such column: ", 16) == 0)
        return smi_db_no_column(d, opt, text + 16, true, err);
    if (strncmp(text, "no such table: ", 15) == 0)
        return smi_err_set(
            err, SMI_EUSAGE,
            "--%s: there is no table \"%.100s\"; there are runs, param, gpus, phases and findings", opt,
            text + 15);
    if (strncmp(text, "no such function: ", 18) == 0)
        return smi_err_set(
            err, SMI_EUSAGE,
            "--%s: there is no function \"%.60s\"; besides SQLite's own there are mean, stddev, "
            "median and p95",
            opt, text + 18);
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

sqlite3_stmt *smi_db_select(struct smi_db *d, const char *opt, struct smi_buf *sql, struct smi_err *err)
{
    sqlite3_stmt *st = NULL;
    const char *tail = NULL;
    bool fits = false;
    if (sql->n > SQL_MAX)
        smi_err_set(err, SMI_EUSAGE, "--%s is longer than %d bytes", opt, SQL_MAX);
    else if (sqlite3_prepare_v2(d->db, sql->p, -1, &st, &tail))
        bad_statement(d, opt, err);
    else if (!st)
        smi_err_set(err, SMI_EUSAGE, "--%s is empty: it needs a SELECT", opt);
    else if (!sqlite3_stmt_readonly(st) || sqlite3_stmt_isexplain(st) || sqlite3_column_count(st) == 0)
        smi_err_set(err, SMI_EUSAGE, "--%s only reads, with one SELECT", opt);
    else if (has_second_statement(d, tail))
        smi_err_set(err, SMI_EUSAGE, "--%s takes one SELECT, and there is more behind it: %.60s", opt, tail);
    else
        fits = true;
    smi_buf_fini(sql);
    if (fits)
        return st;
    sqlite3_finalize(st);
    return NULL;
}

int smi_db_step(struct smi_db *d, const char *opt, sqlite3_stmt *st, struct smi_err *err)
{
    const bool run = !d->sweep || !d->sweep->unread; /* else it is only looked at */
    const int rc = !st ? SQLITE_ERROR : run ? sqlite3_step(st) : SQLITE_DONE;
    if (rc == SQLITE_ROW)
        return 1;
    if (rc != SQLITE_DONE && st)
        bad_statement(d, opt, err);
    sqlite3_finalize(st);
    return rc == SQLITE_DONE ? 0 : -1;
}
