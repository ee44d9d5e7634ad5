/* query_names.c - finds the column for a name that a user types, and suggests one for a name that does not
 * exist. SQLite says which name of an expression is unknown, and where it stands. */
#include "query/query_db.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* --- the column of a name --- */

static bool ends_with_part(const char *key, const char *name)
{
    size_t n = strlen(key), m = strlen(name);
    return m && n > m && key[n - m - 1] == '.' && strcmp(key + n - m, name) == 0;
}

/* The parameter of this name, or the only one that ends in it after a point: lr is optimizer.lr. *p is NULL
 * if there is none. Returns 0, or -1 with err: there are several. */
static int find_param(const struct smi_db *d, const char *opt, const char *name,
                      const struct smi_db_param **p, struct smi_err *err)
{
    *p = smi_db_param(d, name);
    for (size_t i = 0; i < d->params && !*p; i++)
        if (d->param[i].column && strcasecmp(d->param[i].column, name) == 0)
            *p = &d->param[i];
    for (size_t i = 0, found = 0; i < d->params && !(*p && !found); i++) {
        if (!ends_with_part(d->param[i].key, name))
            continue;
        if (found++)
            return smi_err_set(err, SMI_EUSAGE,
                               "--%s: %.100s may be the parameter %.100s or %.100s: say which", opt, name,
                               (*p)->key, d->param[i].key);
        *p = &d->param[i];
    }
    return 0;
}

/* The same of the columns of results; NULL if there is none, or several. */
static const char *find_result(const struct smi_sweep *s, const char *name)
{
    const char *found = NULL;
    for (size_t i = 0; i < s->nresults; i++) {
        if (!ends_with_part(s->joined[i], name))
            continue;
        if (found)
            return NULL;
        found = s->joined[i];
    }
    return found;
}

/* The column of runs with this name, or NULL. */
static const char *find_run_column(const struct smi_db *d, const char *name, bool *number)
{
    for (int i = 0; i < SMI_RUN_FIELDS; i++)
        if (strcasecmp(name, smi_run_fields[i].key) == 0) {
            *number = smi_run_fields[i].kind != SMI_DATUM_TEXT;
            return smi_run_fields[i].key;
        }
    if (d->wasted && strcasecmp(name, "wasted_h") == 0)
        return "wasted_h";
    for (size_t i = 0; i < d->sweep->njoined; i++)
        if (strcmp(name, d->sweep->joined[i]) == 0)
            return d->sweep->joined[i];
    return NULL;
}

/* Appends the column of a name, and says whether there is one. Returns 0, or -1 with err. */
static int add_column(struct smi_db *d, const char *opt, const char *name, struct smi_buf *to, bool *number,
                      bool *found, struct smi_err *err)
{
    const bool param = strncasecmp(name, "param.", 6) == 0;
    const char *column = param ? NULL : find_run_column(d, name, number);
    const struct smi_db_param *p = NULL;
    if (!column && find_param(d, opt, param ? name + 6 : name, &p, err))
        return -1;
    if (p && !p->column) /* it is mentioned, so only the limit can be why */
        return smi_err_set(err, SMI_EUSAGE, "--%s: more than %d parameters are asked for", opt,
                           SMI_QUERY_PARAM_COLUMNS);
    if (!column && !p && !param)
        column = find_result(d->sweep, name);
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
    return rc;
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
    return st ? resolved : NULL;
}

void smi_db_note_read(struct smi_db *d, const char *table, const char *column)
{
    const bool param = strcmp(table, "param") == 0;
    const bool name = strcasecmp(column, "run") == 0 && (!param || d->keyed);
    if ((!param && strcmp(table, "runs") != 0) || d->nreads == SMI_DB_READS || name || !*column ||
        strcasecmp(column, "rowid") == 0)
        return;
    for (size_t i = 0; i < d->nreads; i++)
        if (d->read[i].param == param && strcmp(d->read[i].column, column) == 0)
            return;
    d->read[d->nreads].param = param;
    d->read[d->nreads++].column = smi_arena_text(&d->arena, column, strlen(column));
}

/* --- columns of parameters --- */

/* Is it the name of a column already, as SQLite compares names? */
static bool is_param_name_taken(const struct smi_db *d, size_t before, const char *name)
{
    static const char *const own[] = {"rowid", "oid", "_rowid_"};
    if (d->keyed && strcasecmp("run", name) == 0)
        return true;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (strcasecmp(own[i], name) == 0)
            return true;
    for (size_t i = 0; i < before; i++)
        if (d->param[i].column && strcasecmp(d->param[i].column, name) == 0)
            return true;
    return false;
}

/* A SELECT of the user's joins by param.run; anything else means the parameter by it, if there is one. */
static bool is_keyed(const struct smi_db *d)
{
    for (size_t i = 0; i < d->params && !d->sql; i++)
        if (strcasecmp(d->param[i].key, "run") == 0 && smi_db_mentions(d, d->param[i].key))
            return false;
    return true;
}

void smi_db_name_params(struct smi_db *d)
{
    d->keyed = is_keyed(d);
    for (size_t i = 0; i < d->params; i++) {
        struct smi_buf b = {0};
        const char *dot = strrchr(d->param[i].key, '.'); /* lists may name the last part */
        if (!smi_db_mentions(d, d->param[i].key) && !(dot && dot[1] && smi_db_mentions(d, dot + 1)))
            continue;
        if (d->made == SMI_QUERY_PARAM_COLUMNS) {
            d->left_out = true;
            return;
        }
        smi_buf_str(&b, d->param[i].key);
        for (int n = 2; is_param_name_taken(d, i, b.p ? b.p : ""); n++) { /* LR, lr_2 */
            smi_buf_clear(&b);
            smi_buf_fmt(&b, "%s_%d", d->param[i].key, n);
        }
        d->param[i].column = smi_buf_keep(&b, &d->arena);
        d->made++;
    }
}

/* Does the expression name the parameter by its key? What runs have too is named with its table. */
static bool is_param_named(const char *expr, const char *key)
{
    const size_t n = strlen(key);
    bool own = false;
    for (int i = 0; i < SMI_RUN_FIELDS; i++)
        own |= strcasecmp(key, smi_run_fields[i].key) == 0;
    for (const char *p = expr; (p = strstr(p, key)); p += n) {
        if ((p > expr && is_name_char(p[-1])) || is_name_char(p[n]))
            continue;
        if (!own || (p - expr > 5 && strncasecmp(p - 6, "param.", 6) == 0))
            return true;
    }
    return false;
}

void smi_db_report_names(const struct smi_db *d, const char *expr, struct smi_buf *said)
{
    for (size_t i = 0; i < d->params; i++) {
        const struct smi_db_param *p = &d->param[i];
        if (!p->column || strcmp(p->column, p->key) == 0 || !is_param_named(expr, p->key))
            continue;
        smi_buf_fmt(said, "the parameter %s is param.%s in SQL, as param.%s is something else there%c",
                    p->key, p->column, p->key, 0);
    }
}

/* --- numbers in quotes --- */

/* The name that is compared with the text at p: "lr = '0.1'", "lr in ('0.1'"; n is 0 if there is none. */
static struct smi_text name_before(const char *expr, const char *p)
{
    struct smi_text t = smi_text_trim((struct smi_text){expr, (size_t)(p - expr)});
    size_t n = t.n;
    if (n && t.p[n - 1] == '(') {
        t = smi_text_trim((struct smi_text){expr, n - 1});
        n = t.n > 2 && strncasecmp(t.p + t.n - 2, "in", 2) == 0 ? t.n - 2 : 0;
    } else {
        while (n && strchr("=<>!", t.p[n - 1]))
            n--;
        n = n < t.n ? n : 0;
    }
    t = smi_text_trim((struct smi_text){expr, n});
    for (n = t.n; n && (strchr(".\"", t.p[n - 1]) || is_name_char(t.p[n - 1]));)
        n--;
    return (struct smi_text){t.p + n, t.n - n};
}

/* Have runs numbers in this column, which the engine does not compare with texts, and none the text? */
static bool is_text_never_equal(const struct smi_db *d, struct smi_text name, struct smi_text text)
{
    char *sql =
        sqlite3_mprintf("SELECT sum(typeof(%.*s) IN ('integer', 'real') AND %.*s <> (CAST(%.*s AS TEXT) "
                        "|| '')) > 0 AND NOT max(%.*s = '%.*s') FROM runs JOIN param ON param.rowid = "
                        "runs.rowid",
                        (int)name.n, name.p, (int)name.n, name.p, (int)name.n, name.p, (int)name.n, name.p,
                        (int)text.n, text.p);
    sqlite3_stmt *st = NULL;
    bool never = sqlite3_prepare_v2(d->db, sql, -1, &st, NULL) == SQLITE_OK &&
                 sqlite3_step(st) == SQLITE_ROW && sqlite3_column_int(st, 0);
    sqlite3_finalize(st);
    sqlite3_free(sql);
    return never;
}

const char *smi_db_quoted_number(const struct smi_db *d, const char *expr, size_t *n)
{
    const char *p = expr, *end;
    for (; *(p += strcspn(p, "'\"")); p = end + 1) {
        struct smi_text name = *p == '\'' ? name_before(expr, p) : (struct smi_text){0};
        if (!(end = strchr(p + 1, *p)))
            return NULL;
        *n = (size_t)(end - p) - 1;
        if (name.n && smi_text_is_number((struct smi_text){p + 1, *n}) &&
            is_text_never_equal(d, name, (struct smi_text){p + 1, *n}))
            return p + 1;
    }
    return NULL;
}

/* --- suggestions --- */

/* The name that is nearest to a word, out of those that were offered. */
struct nearest {
    const char *word, *best;
    bool param; /* the best is a parameter's */
    int distance;
};

/* Distances: 0 is the word itself, 1 one slip of the finger. Then come names that the word is a part of,
 * first those that groups show (their places, from 1), then those that begin with it; names that have its
 * parts; two slips. */
enum { SLIP = 2, PART = 3, PLACES = 10, FAR = PART + PLACES + 4 };

/* Has the name all parts of the word in their order, as gpu_util_mean_pct those of the metric gpu_util_pct?
 */
static bool has_parts(const char *name, const char *word)
{
    char part[32];
    for (size_t n; *word && name; word += n + (word[n] == '_')) {
        n = strcspn(word, "_");
        if (n == 0 || n >= sizeof part)
            return false;
        smi_text_copy(part, sizeof part, (struct smi_text){word, n});
        name = strcasestr(name, part);
        name += name ? n : 0;
    }
    return name != NULL;
}

static int name_distance(const char *word, const char *name, int place)
{
    const int d = smi_text_distance(word, name, SLIP + 1), len = (int)strlen(word);
    if (strcasecmp(word, name) == 0)
        return 0;
    if (d == 1 && len > 1)
        return d;
    if (len >= 3 && strcasestr(name, word))
        return PART +
               (place && place < PLACES ? place : PLACES + (strncasecmp(name, word, (size_t)len) != 0));
    if (len >= 3 && has_parts(name, word))
        return FAR - 2;
    return d <= SLIP && d < (int)strlen(name) && d < len ? FAR - 1 : FAR;
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
    for (size_t i = 0; i < SMI_DB_LISTS && !params_only; i++)
        if (strcasestr(d->asked.p, smi_db_lists[i].table))
            offer_fields(n, smi_db_lists[i].members->info, (size_t)smi_db_lists[i].members->fields);
}

/* Appends a name as SQL has it. */
static void add_sql_name(struct smi_buf *to, const char *name)
{
    const char *p = name;
    while (is_name_char(*p) && *p != '$' && (unsigned char)*p < 0x80)
        p++;
    if (*p || (*name >= '0' && *name <= '9'))
        smi_db_quote(to, name);
    else
        smi_buf_str(to, name);
}

int smi_db_no_column(const struct smi_db *d, const char *opt, const char *name, bool quoted,
                     struct smi_err *err)
{
    const bool of_param = strncasecmp(name, "param.", 6) == 0;
    const char *dot = of_param ? name + 5 : quoted ? strrchr(name, '.') : NULL;
    struct nearest n = {.word = dot ? dot + 1 : name, .distance = FAR};
    struct smi_buf b = {0};
    const char *none = d->sweep ? "there is no column" : "a ledger has no column";
    if (d->sweep)
        find_nearest_name(d, &n, of_param);
    else
        offer_fields(&n, smi_ledger_fields, quoted ? SMI_LEDGER_KEYS : SMI_LEDGER_FIELDS);
    if (n.best)
        (quoted ? add_sql_name : smi_buf_str)(&b, n.best);
    if (d->sql && n.best && n.param && n.distance == 0)
        smi_err_set(err, SMI_EUSAGE,
                    "--%s: %.100s is in the table param: SELECT run, param.%.100s FROM runs JOIN param "
                    "USING (run)",
                    opt, name, b.p);
    else if (n.best)
        smi_err_set(err, SMI_EUSAGE, "--%s: %s \"%.100s\"; did you mean %s%.100s?", opt, none, name,
                    n.param ? "param." : "", b.p);
    else if (quoted && !of_param && !dot)
        smi_err_set(err, SMI_EUSAGE,
                    "--%s: %s \"%.100s\" (a text is written '%.100s'); see smilog list columns", opt, none,
                    name, name);
    else
        smi_err_set(err, SMI_EUSAGE, "--%s: %s \"%.100s\"; see smilog list columns", opt, none, name);
    smi_buf_fini(&b);
    return -1;
}

int smi_query_no_number(struct smi_text word, bool worse, struct smi_err *err)
{
    char name[64];
    struct nearest n = {.word = name, .distance = FAR};
    smi_text_copy(name, sizeof name, word);
    for (int i = 0; i < SMI_RUN_FIELDS; i++) {
        const enum smi_datum_kind kind = smi_run_fields[i].kind;
        if (worse ? smi_run_fields[i].worse : kind == SMI_DATUM_INT || kind == SMI_DATUM_MICRO)
            offer(&n, smi_run_fields[i].key, false, smi_run_fields[i].group_place);
    }
    return smi_err_set(err, SMI_EUSAGE,
                       worse ? "--tolerance: \"%s\" is no column that can become worse%s%s%s"
                             : "--columns: there is no column \"%s\" of numbers%s%s%s",
                       name,
                       n.best  ? "; did you mean "
                       : worse ? ""
                               : "; see smilog list columns",
                       n.best ? n.best : "", n.best ? "?" : "");
}

int smi_db_no_table(const char *opt, const char *name, struct smi_err *err)
{
    struct nearest n = {.word = name, .distance = FAR};
    offer(&n, "runs", false, 0);
    offer(&n, "param", false, 0);
    for (size_t i = 0; i < SMI_DB_LISTS; i++)
        offer(&n, smi_db_lists[i].table, false, 0);
    if (n.best)
        return smi_err_set(err, SMI_EUSAGE, "--%s: there is no table \"%.100s\"; did you mean %s?", opt, name,
                           n.best);
    return smi_err_set(err, SMI_EUSAGE,
                       "--%s: there is no table \"%.100s\"; there are runs, param, gpus, phases and findings",
                       opt, name);
}
