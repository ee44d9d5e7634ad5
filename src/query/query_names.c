/* query_names.c - columns by the names that users type, and what they may have meant by those that do not
 * exist. */
#include "query/query_db.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* parameters in expressions by the names that people use: lr is optimizer.lr where no other
 * parameter ends so. */

/* --- the words of an expression --- */

static const char name_chars[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_$";

/* Behind what begins with the quote at p. */
static const char *skip_quoted(const char *p)
{
    char quote = *p++;
    while (*p && (*p != quote || p[1] == quote))
        p += *p == quote ? 2 : 1;
    return *p ? p + 1 : p;
}

static const char *skip_comment(const char *p)
{
    const char *end = *p == '-' ? strchr(p, '\n') : strstr(p + 2, "*/");
    return !end ? p + strlen(p) : end + (*p == '-' ? 1 : 2);
}

const char *smi_db_skip_name(const char *p)
{
    const char *from = p;
    for (;;) {
        size_t n = strspn(p, name_chars);
        if (*p == '"')
            p = skip_quoted(p);
        else if (n && !(*p >= '0' && *p <= '9'))
            p += n;
        else
            return from;
        if (*p != '.')
            return p;
        p++;
    }
}

bool smi_db_next_name(const char **p, struct smi_text *name)
{
    const char *at = *p, *end;
    while (*at) {
        end = smi_db_skip_name(at);
        if (end > at && end[strspn(end, " \t\r\n")] != '(') {
            *name = (struct smi_text){at, (size_t)(end - at)};
            *p = end;
            return true;
        }
        if (end > at)
            at = end;
        else if (*at == '\'')
            at = skip_quoted(at);
        else if (strncmp(at, "--", 2) == 0 || strncmp(at, "/*", 2) == 0)
            at = skip_comment(at);
        else if (strspn(at, name_chars)) /* a number */
            at += strspn(at, name_chars);
        else
            at++;
    }
    return false;
}

/* --- parameters --- */

static bool ends_with_part(const char *key, struct smi_text name)
{
    size_t n = strlen(key);
    return n > name.n && key[n - name.n - 1] == '.' && memcmp(key + n - name.n, name.p, name.n) == 0;
}

/* The i-th parameter of a sweep, NULL behind the last. */
static const char *key_at(const struct smi_sweep *s, size_t i)
{
    return i < s->ncommon                 ? s->common[i].key
           : i - s->ncommon < s->nvarying ? s->varying[i - s->ncommon]
                                          : NULL;
}

int smi_db_find_key(const struct smi_sweep *s, const char *opt, struct smi_text name, const char **key,
                    struct smi_err *err)
{
    const char *k;
    *key = NULL;
    for (size_t i = 0; (k = key_at(s, i)); i++)
        if (smi_text_is(name, k)) {
            *key = k;
            return 0;
        }
    for (size_t i = 0; name.n && (k = key_at(s, i)); i++) {
        if (!ends_with_part(k, name))
            continue;
        if (*key)
            return smi_err_set(err, SMI_EUSAGE, "--%s: %.*s may be the parameter %.100s or %.100s: say which",
                               opt, (int)(name.n < 100 ? name.n : 100), name.p, *key, k);
        *key = k;
    }
    return 0;
}

const char *smi_db_find_result(const struct smi_sweep *s, struct smi_text name)
{
    const char *found = NULL;
    size_t same = 0;
    for (size_t i = 0; i < s->nresults; i++) {
        if (smi_text_is(name, s->joined[i]))
            return s->joined[i];
        if (!name.n || !ends_with_part(s->joined[i], name))
            continue;
        found = s->joined[i];
        same++;
    }
    return same == 1 ? found : NULL;
}

static bool is_key_of(struct smi_text name, const struct smi_field_info *c, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (smi_text_is_nocase(name, c[i].key))
            return true;
    return false;
}

/* Does the name mean something else to the engine: a word of SQL, or a column, those of other tables where
 * the expression names one? */
static bool is_taken(const struct smi_sweep *s, const char *expr, struct smi_text name)
{
    static const char *const own[] = {"run", "rowid", "oid", "_rowid_", "wasted_h", "true", "false"};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (smi_text_is_nocase(name, own[i]))
            return true;
    for (size_t i = s->nresults; i < s->njoined; i++)
        if (smi_text_is_nocase(name, s->joined[i]))
            return true;
    return sqlite3_keyword_check(name.p, (int)name.n) || is_key_of(name, smi_run_fields, SMI_RUN_FIELDS) ||
           (strcasestr(expr, "gpus") && is_key_of(name, smi_gpu_fields, SMI_GPU_FIELDS)) ||
           (strcasestr(expr, "phases") && is_key_of(name, smi_phase_fields, SMI_PHASE_FIELDS)) ||
           (strcasestr(expr, "findings") && is_key_of(name, smi_finding_fields, SMI_FINDING_FIELDS));
}

/* Appends a column of runs whose name has a point. */
static void put_result(const char *column, struct smi_buf *to)
{
    smi_buf_str(to, "runs.");
    smi_db_quote(to, column);
}

/* Appends a name, as param."optimizer.lr" where it is that of a parameter which SQL would not find. */
static int put_name(const struct smi_sweep *s, const char *opt, const char *expr, struct smi_text name,
                    struct smi_buf *to, struct smi_err *err)
{
    struct smi_text plain = name;
    const char *key = NULL, *result = NULL;
    if (smi_text_starts_nocase(name, "param."))
        plain = (struct smi_text){name.p + 6, name.n - 6};
    if (!memchr(name.p, '"', name.n) && (plain.n < name.n || !is_taken(s, expr, plain)) &&
        smi_db_find_key(s, opt, plain, &key, err))
        return -1;
    if (!key && plain.n == name.n && !memchr(name.p, '"', name.n) && !is_taken(s, expr, name))
        result = smi_db_find_result(s, name);
    if (result && strchr(result, '.')) {
        put_result(result, to);
        return 0;
    }
    if (!key || (smi_text_is(plain, key) && !strchr(key, '.'))) {
        smi_buf_add(to, name.p, name.n);
    } else {
        smi_buf_str(to, "param.");
        smi_db_quote(to, key);
    }
    return 0;
}

const char *smi_db_resolve(const struct smi_sweep *s, const char *opt, const char *expr, struct smi_arena *a,
                           struct smi_err *err)
{
    const char *at = expr, *p = expr;
    struct smi_buf b = {0};
    struct smi_text name;
    const char *to;
    while (smi_db_next_name(&p, &name)) {
        smi_buf_add(&b, at, (size_t)(name.p - at));
        if (put_name(s, opt, expr, name, &b, err)) {
            smi_buf_fini(&b);
            return NULL;
        }
        at = p;
    }
    smi_buf_str(&b, at);
    to = smi_buf_keep(&b, a);
    return to;
}

enum { SLIP = 2 };

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

/* Parameters that differ in case only get numbers: LR, lr_2. */
static void name_param_column(struct smi_db *d, size_t i)
{
    struct smi_buf b = {0};
    smi_buf_str(&b, d->param[i].key);
    for (int n = 2; is_param_name_taken(d, i, b.p ? b.p : ""); n++) {
        smi_buf_clear(&b);
        smi_buf_fmt(&b, "%s_%d", d->param[i].key, n);
    }
    d->param[i].column = smi_buf_keep(&b, &d->arena);
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
        const char *dot = strrchr(d->param[i].key, '.'); /* lists may name the last part */
        if (!smi_db_mentions(d, d->param[i].key) && !(dot && dot[1] && smi_db_mentions(d, dot + 1)))
            continue;
        if (d->made == SMI_QUERY_PARAM_COLUMNS)
            d->left_out = true;
        else
            name_param_column(d, i);
        d->made += !d->left_out;
    }
}

static bool is_name_letter(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z');
}

/* Does the user name the parameter by its key? What runs have, too, with its table. */
static bool is_param_named(const char *expr, const char *key)
{
    size_t n = strlen(key);
    bool own = strcasecmp(key, "run") == 0;
    for (int i = 0; i < SMI_RUN_FIELDS; i++)
        own |= strcasecmp(key, smi_run_fields[i].key) == 0;
    for (const char *p = expr; (p = strstr(p, key)); p += n) {
        size_t at = (size_t)(p - expr);
        if ((at && is_name_letter(p[-1])) || is_name_letter(p[n]))
            continue;
        if (!own || (at > 5 && strncasecmp(p - 6, "param.", 6) == 0))
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
        smi_buf_fmt(said, "the parameter %s is param.%s in SQL, as param.%s is something else there", p->key,
                    p->column, p->key);
        smi_buf_char(said, 0);
    }
}

/* --- numbers in quotes --- */

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.\"";

/* The text before end, without the blanks at its own end. */
static struct smi_text before(const char *expr, const char *end)
{
    return smi_text_trim((struct smi_text){expr, (size_t)(end - expr)});
}

/* The name that is compared with what begins at p: "lr = '0.1'", "lr in ('0.1'"; its n is 0 where there is
 * none. */
static struct smi_text name_before(const char *expr, const char *p)
{
    struct smi_text t = before(expr, p);
    size_t n = t.n;
    if (n && t.p[n - 1] == '(') {
        t = before(expr, t.p + n - 1);
        n = t.n > 2 && strncasecmp(t.p + t.n - 2, "in", 2) == 0 ? t.n - 2 : 0;
    } else {
        while (n && strchr("=<>!", t.p[n - 1]))
            n--;
        n = n < t.n ? n : 0;
    }
    t = before(expr, t.p + n);
    for (n = t.n; n && strchr(letters, t.p[n - 1]);)
        n--;
    return (struct smi_text){t.p + n, t.n - n};
}

/* Is it a parameter or joined column of which runs have numbers, and none the text t? (Those of runs
 * themselves have types, by which the engine makes a number of such a text.) */
static bool is_text_never_equal(const struct smi_db *d, struct smi_text name, struct smi_text t)
{
    const struct smi_sweep *s = d->sweep;
    char key[128] = "";
    bool numbers = false;
    size_t n = 0;
    for (size_t i = smi_text_starts_nocase(name, "param.")  ? 6
                    : smi_text_starts_nocase(name, "runs.") ? 5
                                                            : 0;
         i < name.n; i++)
        if (name.p[i] != '"' && n + 1 < sizeof key)
            key[n++] = name.p[i];
    for (size_t i = 0; smi_sweep_has_run(s, i); i++)
        for (size_t k = 0; k < s->runs[i].nparams + s->runs[i].njoined; k++) {
            const struct smi_summary *run = &s->runs[i];
            const struct smi_param *p = k < run->nparams ? &run->params[k] : &run->joined[k - run->nparams];
            if (!p->text || strcasecmp(p->key, key) != 0)
                continue;
            if (!p->bare && smi_text_is(t, p->text))
                return false;
            numbers |= p->bare && smi_text_is_number(smi_text_of(p->text));
        }
    return numbers;
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

/* --- what users type --- */

static const char *const tables[] = {"runs", "param", "gpus", "phases", "findings"};

/* The name that is nearest to a word, of those that were offered. */
struct nearest {
    const char *word, *best;
    bool param; /* the best is a parameter's */
    int least;
};

enum { PART = SLIP + 1, TOLD = 10 /* columns that are shown of groups, and more */, FAR = PART + TOLD + 4 };

/* Has the name all parts of the word in their order, as gpu_util_mean_pct those of the metric gpu_util_pct?
 */
static bool has_parts(const char *name, const char *word)
{
    for (size_t n; *word; word += n + (word[n] == '_')) {
        char part[32];
        n = strcspn(word, "_");
        if (n == 0 || n >= sizeof part)
            return false;
        memcpy(part, word, n);
        part[n] = 0;
        name = strcasestr(name, part);
        if (!name)
            return false;
        name += n;
    }
    return true;
}

/* How far a name is from the word: 0 is the word itself, then comes a slip of the finger, then names that the
 * word is a part of, those first that people ask for most (shown: from 1) and that begin with it; then those
 * that have its parts; then two slips. */
static int name_distance(const char *word, const char *name, int shown)
{
    int d = smi_text_distance(word, name, SLIP + 1), len = (int)strlen(word);
    if (strcasecmp(word, name) == 0)
        return 0;
    if (d == 1 && len > 1)
        return d;
    if (len >= 3 && strcasestr(name, word))
        return PART + (shown && shown < TOLD ? shown : TOLD + (strncasecmp(name, word, (size_t)len) != 0));
    if (len >= 3 && has_parts(name, word))
        return FAR - 2;
    return d <= SLIP && d < (int)strlen(name) && d < len ? FAR - 1 : FAR;
}

/* The first of equals is kept. */
static void offer(struct nearest *n, const char *name, bool param, int shown)
{
    int d = name_distance(n->word, name, shown);
    if (d < n->least) {
        n->least = d;
        n->best = name;
        n->param = param;
    }
}

static void offer_all(struct nearest *n, const struct smi_field_info *c, size_t count)
{
    for (size_t i = 0; i < count; i++)
        offer(n, c[i].key, false, c[i].group_place);
}

static bool is_plain_name(const char *name)
{
    static const char word[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
    return !(*name >= '0' && *name <= '9') && !name[strspn(name, word)];
}

static void find_nearest_name(const struct smi_db *d, struct nearest *n, bool params_only)
{
    if (!params_only)
        offer(n, "wasted_h", false, 1);
    if (!params_only)
        offer_all(n, smi_run_fields, SMI_RUN_FIELDS);
    for (size_t i = 0; i < d->sweep->njoined && !params_only; i++)
        offer(n, d->sweep->joined[i], false, 1);
    for (size_t i = 0; i < d->params; i++)
        offer(n, d->param[i].key, true, 1);
    if (!params_only && strcasestr(d->asked.p, "gpus"))
        offer_all(n, smi_gpu_fields, SMI_GPU_FIELDS);
    if (!params_only && strcasestr(d->asked.p, "phases"))
        offer_all(n, smi_phase_fields, SMI_PHASE_FIELDS);
    if (!params_only && strcasestr(d->asked.p, "findings"))
        offer_all(n, smi_finding_fields, SMI_FINDING_FIELDS);
}

/* A parameter without its table: it is there, and only has to be joined. */
static int fail_param_not_joined(const char *opt, const char *name, const char *param, struct smi_err *err)
{
    struct smi_buf b = {0};
    int rc;
    if (is_plain_name(param))
        smi_buf_str(&b, param);
    else
        smi_db_quote(&b, param); /* the first error counts */
    rc = smi_err_set(err, SMI_EUSAGE,
                     "--%s: %.100s is in the table param: SELECT run, param.%.100s FROM runs JOIN "
                     "param USING (run)",
                     opt, name, b.p ? b.p : param);
    smi_buf_fini(&b);
    return rc;
}

int smi_db_no_column(const struct smi_db *d, const char *opt, const char *name, bool quoted,
                     struct smi_err *err)
{
    bool of_param = strncasecmp(name, "param.", 6) == 0;
    const char *dot = of_param ? name + 5 : quoted ? strrchr(name, '.') : NULL;
    struct nearest n = {.word = dot ? dot + 1 : name, .least = FAR};
    struct smi_buf b = {0};
    int rc;
    find_nearest_name(d, &n, of_param);
    if (d->sql && n.best && n.param && n.least == 0)
        return fail_param_not_joined(opt, name, n.best, err);
    if (n.best && n.param)
        smi_buf_str(&b, "param.");
    if (n.best && quoted && !is_plain_name(n.best))
        smi_db_quote(&b, n.best);
    else if (n.best)
        smi_buf_str(&b, n.best);
    if (n.best)
        rc = smi_err_set(err, SMI_EUSAGE, "--%s: there is no column \"%.100s\"; did you mean %.100s?", opt,
                         name, b.p ? b.p : "");
    else if (quoted && !of_param && !dot)
        rc = smi_err_set(err, SMI_EUSAGE,
                         "--%s: there is no column \"%.100s\" (a text is written '%.100s'); see "
                         "smilog list columns",
                         opt, name, name);
    else
        rc = smi_err_set(err, SMI_EUSAGE, "--%s: there is no column \"%.100s\"; see smilog list columns", opt,
                         name);
    smi_buf_fini(&b);
    return rc;
}

int smi_db_no_table(const char *opt, const char *name, struct smi_err *err)
{
    struct nearest n = {.word = name, .least = FAR};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        offer(&n, tables[i], false, 0);
    if (n.best)
        return smi_err_set(err, SMI_EUSAGE, "--%s: there is no table \"%.100s\"; did you mean %s?", opt, name,
                           n.best);
    return smi_err_set(err, SMI_EUSAGE,
                       "--%s: there is no table \"%.100s\"; there are runs, param, gpus, phases and "
                       "findings",
                       opt, name);
}

static int write_param_column(const struct smi_db *d, const char *opt, const struct smi_db_param *p,
                              struct smi_buf *to, struct smi_err *err)
{
    if (!p->column) /* it is mentioned, so it has one, but for the limit */
        return smi_err_set(err, SMI_EUSAGE, "--%s: more than %d parameters are asked for", opt,
                           SMI_QUERY_PARAM_COLUMNS);
    (void)d;
    smi_buf_str(to, "param.");
    smi_db_quote(to, p->column);
    return 0;
}

int smi_db_column(struct smi_db *d, const char *opt, struct smi_text name, struct smi_buf *to, bool *number,
                  struct smi_err *err)
{
    const struct smi_db_param *p = NULL;
    const char *key, *whole, *result;
    char *word = smi_arena_text(&d->arena, name.p, name.n);
    *number = true;
    if (strncasecmp(word, "runs.", 5) == 0)
        word += 5;
    for (int i = 0; i < SMI_RUN_FIELDS; i++)
        if (strcasecmp(word, smi_run_fields[i].key) == 0) {
            *number = smi_run_fields[i].kind != SMI_DATUM_TEXT;
            smi_buf_fmt(to, "runs.\"%s\"", smi_run_fields[i].key);
            return 0;
        }
    if (d->wasted && strcasecmp(word, "wasted_h") == 0) {
        smi_buf_str(to, "runs.\"wasted_h\"");
        return 0;
    }
    for (size_t i = 0; i < d->sweep->njoined; i++)
        if (strcmp(word, d->sweep->joined[i]) == 0) {
            smi_buf_str(to, "runs.");
            smi_db_quote(to, word);
            return 0;
        }
    whole = word;
    word += strncasecmp(word, "param.", 6) == 0 ? 6 : 0;
    if (smi_db_find_key(d->sweep, opt, smi_text_of(word), &key, err))
        return -1;
    p = key ? smi_db_param(d, key) : NULL;
    result = p || word != whole ? NULL : smi_db_find_result(d->sweep, smi_text_of(word));
    if (result) {
        smi_buf_str(to, "runs.");
        smi_db_quote(to, result);
        return 0;
    }
    return p ? write_param_column(d, opt, p, to, err) : smi_db_no_column(d, opt, whole, false, err);
}
