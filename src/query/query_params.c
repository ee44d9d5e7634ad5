/* query_params.c - parameters in expressions by the names that people use: lr is optimizer.lr where no other
 * parameter ends so. */
#include "query/query_db.h"

#include <string.h>
#include <strings.h>

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
static int put_result(const char *column, struct smi_buf *to, struct smi_err *err)
{
    smi_buf_str(to, "runs.");
    smi_db_quote(to, column);
    return to->failed ? smi_err_nomem(err) : 0;
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
    if (result && strchr(result, '.'))
        return put_result(result, to, err);
    if (!key || (smi_text_is(plain, key) && !strchr(key, '.'))) {
        smi_buf_add(to, name.p, name.n);
    } else {
        smi_buf_str(to, "param.");
        smi_db_quote(to, key);
    }
    return to->failed ? smi_err_nomem(err) : 0;
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
    if (!(to = smi_buf_keep(&b, a)))
        smi_err_nomem(err);
    return to;
}
