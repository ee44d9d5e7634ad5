/* check_expression.c - limits that are SQL: of each run, is the expression true, not true, or is it not known
 * (NULL)? */
#include "query/query_db.h"
#include "query/check.h"
#include "summary/summary.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* --- expressions --- */

static const struct {
    const char *option, *name, *sql;
    bool least;
} limits[SMI_CHECK_LIMITS] = {
#define SMI_CHECK_LIMIT(id, option, arg, name, sql, least, help) {option, name, sql, least},
#include "query/check_limit.def"
#undef SMI_CHECK_LIMIT
};

static const char fail_if[] = "fail-if"; /* the option */

enum { FIRST_VALUE = 1 }; /* column of the statement, after the verdict */

struct expr {
    const char *option;                                 /* for messages */
    const char *text;                                   /* what has to hold */
    const char *fails;                                  /* SQL that is true of a run that breaks it */
    const char *name[SMI_DB_READS], *sql[SMI_DB_READS]; /* what it is about */
    int values;
    bool simple; /* name[0] against a limit: the value is ranked by its distance */
    bool least;
    int64_t limit;
};

/* --- the short forms --- */

static struct expr option_limit(struct smi_check *c, int id, int64_t limit)
{
    struct smi_buf text = {0}, fails = {0};
    char number[SMI_MICRO_TEXT];
    smi_check_number(number, limit);
    smi_buf_fmt(&text, "%s %s %s", limits[id].name, limits[id].least ? ">=" : "<=", number);
    smi_buf_fmt(&fails, "%s %s %s", limits[id].sql, limits[id].least ? "<" : ">", number);
    return (struct expr){.option = limits[id].option,
                         .text = smi_buf_keep(&text, &c->arena),
                         .fails = smi_buf_keep(&fails, &c->arena),
                         .name = {limits[id].name},
                         .sql = {limits[id].sql},
                         .values = 1,
                         .simple = true,
                         .least = limits[id].least,
                         .limit = limit};
}

/* --- expressions --- */

/* "NAME op NUMBER" and nothing else has a text of its own, and its values are compared with the limit. */
static bool read_comparison(struct smi_check *c, struct expr *x, const char *text)
{
    static const struct {
        const char *op, *not_op;
        bool least;
    } ops[] = {{"<=", ">", true},   {">=", "<", false}, {"<>", "=", false}, {"!=", "=", false},
               {"==", "!=", false}, {"<", ">=", true},  {">", "<=", false}, {"=", "!=", false}};
    const char *p = text + strcspn(text, "<>=!");
    const struct smi_text name = smi_text_trim((struct smi_text){text, (size_t)(p - text)});
    struct smi_text number;
    struct smi_buf b = {0};
    size_t i = 0;
    while (i < sizeof ops / sizeof *ops && strncmp(p, ops[i].op, strlen(ops[i].op)) != 0)
        i++;
    if (i == sizeof ops / sizeof *ops || x->values != 1 || !smi_db_is_name(name))
        return false;
    number = smi_text_trim(smi_text_of(p + strlen(ops[i].op)));
    if (smi_text_parse_micro(number, &x->limit))
        return false;
    x->least = ops[i].least;
    smi_buf_fmt(&b, "%.*s %s %.*s", (int)name.n, name.p, ops[i].not_op, (int)number.n, number.p);
    x->text = smi_buf_keep(&b, &c->arena);
    return true;
}

/* Finds the columns that the expression is about, and what has to hold. */
static int resolve_expression(struct smi_check *c, struct smi_db *d, struct expr *x, struct smi_err *err)
{
    const struct smi_text t = smi_text_trim(smi_text_of(x->fails));
    struct smi_buf b = {0};
    const char *fails = smi_db_resolve(d, fail_if, x->fails, err);
    if (!fails)
        return -1;
    for (; x->values < (int)d->nreads; x->values++) {
        const char *column = d->read[x->values].column;
        smi_buf_str(&b, d->read[x->values].param ? "param." : "runs.");
        smi_db_quote(&b, column);
        x->sql[x->values] = smi_buf_keep(&b, &c->arena);
        smi_buf_fmt(&b, "param.%s", column);
        x->name[x->values] = strcasestr(x->fails, b.p) ? smi_arena_text(&c->arena, b.p, b.n)
                                                       : smi_arena_text(&c->arena, column, strlen(column));
        smi_buf_fini(&b);
    }
    x->simple = read_comparison(c, x, x->fails);
    x->fails = fails;
    if (x->simple)
        return 0;
    smi_buf_fmt(&b, "not (%.*s)", (int)t.n, t.p);
    x->text = smi_buf_keep(&b, &c->arena);
    return 0;
}

/* --- asking --- */

/* The verdict, and the values. A name without a prefix is a column of the runs inside, else a parameter. */
static sqlite3_stmt *prepare_expression(struct smi_db *d, const struct expr *x, struct smi_err *err)
{
    struct smi_buf b = {0};
    smi_buf_fmt(&b,
                "SELECT (SELECT CASE WHEN (%s\n) THEN %d WHEN (%s\n) IS NULL THEN %d ELSE %d END FROM runs "
                "WHERE runs.rowid = param.rowid)",
                x->fails, SMI_VERDICT_BROKEN, x->fails, SMI_VERDICT_UNMEASURABLE, SMI_VERDICT_HOLDS);
    for (int i = 0; i < x->values; i++)
        smi_buf_fmt(&b, ", %s", x->sql[i]);
    smi_buf_str(&b, " FROM param JOIN runs ON runs.rowid = param.rowid ORDER BY param.rowid");
    return smi_db_select(d, x->option, &b, err);
}

/* --- what comes out --- */

static int value_digits(const struct expr *x, int i)
{
    size_t len = strlen(x->name[i]);
    bool known = x->option != fail_if;
    for (int k = 0; k < SMI_RUN_FIELDS && !known; k++)
        known = strcasecmp(x->name[i], smi_run_fields[k].key) == 0;
    if (len > 2 && strcmp(x->name[i] + len - 2, "_h") == 0)
        return 2;
    return known ? 1 : 6;
}

/* With one decimal (hours: two; of what others measured all), or as many as it takes to be told from the
 * limit, and from nothing. */
static const char *shorten_value(struct smi_check *c, const struct expr *x, int i, const char *number)
{
    char t[SMI_MICRO_TEXT];
    int64_t micro, shown;
    size_t n = 0;
    if (!strchr(number, '.') || smi_text_parse_micro(smi_text_of(number), &micro))
        return number;
    for (int digits = value_digits(x, i); digits <= 6; digits++) {
        n = digits < 6 ? smi_text_write_fixed(t, micro, digits) : smi_text_write_micro(t, micro);
        if (smi_text_parse_micro((struct smi_text){t, n}, &shown) || shown == micro ||
            (shown != 0 && !(x->simple && shown == x->limit)))
            break;
    }
    return smi_arena_text(&c->arena, t, n);
}

/* A value of the statement as text; "" for none. */
static const char *value_text(struct smi_check *c, sqlite3_stmt *st, int i)
{
    char t[SMI_MICRO_TEXT];
    const int type = sqlite3_column_type(st, FIRST_VALUE + i);
    const char *text = type == SQLITE_NULL ? "" : (const char *)sqlite3_column_text(st, FIRST_VALUE + i);
    if (type == SQLITE_FLOAT)
        return smi_arena_text(&c->arena, t, smi_real_text(t, sqlite3_column_double(st, FIRST_VALUE + i)));
    return smi_arena_text(&c->arena, text, strlen(text));
}

static void note_broken_case(struct smi_check *c, const struct expr *x, sqlite3_stmt *st,
                             struct smi_check_case *k)
{
    const int type = x->values ? sqlite3_column_type(st, FIRST_VALUE) : SQLITE_NULL;
    struct smi_buf b = {0};
    k->rank = (double)smi_wasted_ms(&c->sweep->runs[k->run].waste);
    if (x->simple && (type == SQLITE_INTEGER || type == SQLITE_FLOAT)) {
        k->number = value_text(c, st, 0);
        k->value = shorten_value(c, x, 0, k->number);
        k->rank = sqlite3_column_double(st, FIRST_VALUE) * (x->least ? -1 : 1);
    } else if (x->simple) {
        k->value = value_text(c, st, 0);
    } else if (x->values) { /* "idle_pct 52.9, wasted_h 1.06" */
        for (int i = 0; i < x->values; i++) {
            const char *t = shorten_value(c, x, i, value_text(c, st, i));
            smi_buf_fmt(&b, "%s%s %s", i ? ", " : "", x->name[i], *t ? t : "-");
        }
        k->value = smi_buf_keep(&b, &c->arena);
    }
}

/* A text against a limit that is a number: SQL would call it larger than any. */
static bool is_value_text(const struct expr *x, sqlite3_stmt *st)
{
    return x->simple && sqlite3_column_type(st, FIRST_VALUE) == SQLITE_TEXT;
}

/* The first column that is known for a part of the GPU time only: no limit that it keeps has been judged. */
static int partial_column(const struct smi_check *c, const struct expr *x, size_t run)
{
    int i = 0;
    while (i < x->values && !smi_check_is_part(&c->sweep->runs[run], x->name[i]))
        i++;
    return i;
}

/* The column to blame: the first without a value, else the first that is known in part. */
static void note_unmeasurable_case(struct smi_check *c, const struct expr *x, sqlite3_stmt *st,
                                   struct smi_check_case *k)
{
    struct smi_buf b = {0};
    int i = 0;
    if (is_value_text(x, st)) {
        smi_buf_fmt(&b, "%s is no number: %.60s", x->name[0], value_text(c, st, 0));
        k->why = smi_buf_keep(&b, &c->arena);
        return;
    }
    while (i < x->values && sqlite3_column_type(st, FIRST_VALUE + i) != SQLITE_NULL)
        i++;
    if (i == x->values)
        i = partial_column(c, x, k->run);
    k->why = smi_check_missing_reason(c, k->run, i < x->values ? x->name[i] : NULL);
}

static int judge_expression(struct smi_check *c, struct smi_db *d, struct expr *x, struct smi_err *err)
{
    struct smi_check_limit *l;
    sqlite3_stmt *st;
    size_t n;
    int rc = x->text ? 0 : resolve_expression(c, d, x, err);
    const char *quoted = !rc && x->option == fail_if ? smi_db_quoted_number(d, x->fails, &n) : NULL;
    if (quoted) /* no gate passes because a number was compared with a text */
        return smi_err_set(err, SMI_EUSAGE,
                           "--fail-if: '%.*s' in quotes is a text, and equal to no number: it is written "
                           "without them",
                           (int)(n < 60 ? n : 60), quoted);
    if (rc)
        return -1;
    l = smi_check_add_limit(c, x->text);
    st = prepare_expression(d, x, err);
    rc = st ? 1 : -1;
    for (size_t i = 0; rc > 0 && (rc = smi_db_step(d, x->option, st, err)) > 0; i++) {
        struct smi_check_case *k = &l->of[i];
        k->verdict = (enum smi_verdict)sqlite3_column_int(st, 0);
        if (is_value_text(x, st) ||
            (k->verdict == SMI_VERDICT_HOLDS && partial_column(c, x, k->run) < x->values))
            k->verdict = SMI_VERDICT_UNMEASURABLE;
        if (k->verdict == SMI_VERDICT_BROKEN)
            note_broken_case(c, x, st, k);
        if (k->verdict == SMI_VERDICT_UNMEASURABLE)
            note_unmeasurable_case(c, x, st, k);
    }
    sqlite3_finalize(st);
    return rc;
}

/* --- all of them --- */

int smi_check_sql(struct smi_check *c, const int64_t limit[SMI_CHECK_LIMITS], const char *expr, size_t n,
                  struct smi_err *err)
{
    struct expr *x;
    struct smi_buf asked = {0};
    struct smi_db d = {0};
    size_t most = SMI_CHECK_LIMITS, all = 0;
    int rc = 0;
    for (size_t at = 0; at < n; at += strlen(expr + at) + 1)
        most++;
    x = smi_arena_new(&c->arena, most, sizeof *x);
    for (int i = 0; i < SMI_CHECK_LIMITS; i++)
        if (limit[i] >= 0)
            x[all++] = option_limit(c, i, limit[i]);
    for (size_t at = 0; at < n; at += strlen(expr + at) + 1) {
        const struct smi_text t = smi_text_of(expr + at);
        x[all++] = (struct expr){.option = fail_if, .fails = expr + at};
        if (!rc && !smi_text_trim(t).n)
            rc = smi_err_set(err, SMI_EUSAGE, "--fail-if is empty");
        if (!rc && !smi_text_is_utf8(t))
            rc = smi_err_set(err, SMI_EUSAGE, "--fail-if is not UTF-8");
    }
    for (size_t i = 0; i < all; i++)
        smi_buf_fmt(&asked, "%s\n", x[i].fails);
    if (!rc && all)
        rc = smi_db_open(&d, c->sweep, &(struct smi_query){.where = asked.p}, err);
    for (size_t i = 0; i < all && !rc; i++)
        rc = judge_expression(c, &d, &x[i], err);
    smi_db_close(&d);
    smi_buf_fini(&asked);
    return rc;
}
