/* join_optuna.c - the trials of an Optuna study (optuna.storages.RDBStorage, study.db) as the CSV that --join
 * reads:
 *
 *     trial,study,state,value,lr,optimizer,user.run
 *     0,resnet,COMPLETE,0.81,0.1,sgd,exp/trial_0
 *
 * A column for each objective (value, value_1), parameter and user attribute. */
#include "base/json_load.h"
#include "base/sql.h"
#include "query/query_db.h"

#include <stdio.h>
#include <string.h>

enum { TRIALS = 200000, NAMES = 300, STEPS = 200 /* millions of the engine's, at most */ };

struct study {
    struct smi_sql sql;
    struct smi_buf *to;
    struct smi_arena a;
    int millions;
};

struct names {
    const char *list[NAMES];
    size_t n;
};

/* sqlite3_progress_handler: what a file that wants to be endless may do ends here. */
static int count_steps(void *self)
{
    struct study *s = self;
    return ++s->millions > STEPS;
}

/* Behind a comma. */
static void add_cell(struct smi_buf *to, const char *text)
{
    smi_buf_str(to, ",");
    if (!text || !*text)
        return;
    smi_buf_char(to, '"');
    for (; *text; text++)
        smi_buf_add(to, *text == '"' ? "\"\"" : text, *text == '"' ? 2 : 1);
    smi_buf_char(to, '"');
}

static int list_names(struct study *s, struct names *names, const char *sql, struct smi_err *err)
{
    sqlite3_stmt *st = smi_sql_bind(&s->sql, err, sql, "");
    int rc;
    while ((rc = smi_sql_next(&s->sql, st, err)) > 0) {
        const char *text = (const char *)sqlite3_column_text(st, 0);
        const char *name = smi_arena_text(&s->a, text ? text : "", text ? strlen(text) : 0);
        if (!name) {
            sqlite3_finalize(st);
            return smi_err_nomem(err);
        }
        names->list[names->n++] = name; /* the statement has a LIMIT */
    }
    return rc;
}

/* What a parameter's number v, written so, means: {"name": "CategoricalDistribution", "attributes":
 * {"choices": ["adam", "sgd"]}} has the place of a choice. */
static void add_param(struct study *s, double v, const char *text, const char *distribution)
{
    json_t *o = distribution ? json_loads(distribution, JSON_DECODE_ANY, NULL) : NULL;
    const json_t *choices = json_object_get(json_object_get(o, "attributes"), "choices"),
                 *choice = v >= 0 && v < 1e6 ? json_array_get(choices, (size_t)v) : NULL;
    char digits[SMI_JSON_DIGITS];
    if (json_is_number(choice)) {
        digits[smi_json_digits(choice, digits)] = 0;
        add_cell(s->to, digits);
    } else if (choice)
        add_cell(s->to, json_is_string(choice) ? json_string_value(choice)
                        : json_is_true(choice) ? "true"
                        : json_is_null(choice) ? "null"
                                               : "false");
    else
        add_cell(s->to, text);
    json_decref(o);
}

/* A JSON text without its quotes; any other JSON as it is. */
static void add_json(struct smi_buf *to, const char *text)
{
    json_t *v = text ? json_loads(text, JSON_DECODE_ANY, NULL) : NULL;
    add_cell(to, json_is_string(v) ? json_string_value(v) : text);
    json_decref(v);
}

/* The cell of one trial that a statement gives: a number, with the distribution of a parameter or without; or
 * JSON. */
static int add_value(struct study *s, const char *sql, int64_t trial, const char *name, struct smi_err *err)
{
    sqlite3_stmt *st = smi_sql_bind(&s->sql, err, sql, "it", trial, name);
    int rc = smi_sql_next(&s->sql, st, err), type;
    if (rc <= 0) {
        add_cell(s->to, NULL);
        return rc;
    }
    type = sqlite3_column_type(st, 0);
    if (type == SQLITE_FLOAT || type == SQLITE_INTEGER)
        add_param(s, sqlite3_column_double(st, 0), (const char *)sqlite3_column_text(st, 0),
                  sqlite3_column_count(st) > 1 ? (const char *)sqlite3_column_text(st, 1) : NULL);
    else
        add_json(s->to, (const char *)sqlite3_column_text(st, 0));
    sqlite3_finalize(st);
    return 0;
}

static int add_trial(struct study *s, sqlite3_stmt *st, const struct names *objectives,
                     const struct names *params, const struct names *attributes, struct smi_err *err)
{
    const int64_t trial = sqlite3_column_int64(st, 0);
    int rc = 0;
    smi_buf_fmt(s->to, "%lld", (long long)sqlite3_column_int64(st, 1));
    add_cell(s->to, (const char *)sqlite3_column_text(st, 2));
    add_cell(s->to, (const char *)sqlite3_column_text(st, 3));
    for (size_t i = 0; i < objectives->n && !rc; i++)
        rc = add_value(s, "SELECT value FROM trial_values WHERE trial_id = ? AND objective = ?", trial,
                       objectives->list[i], err);
    for (size_t i = 0; i < params->n && !rc; i++)
        rc = add_value(
            s,
            "SELECT param_value, distribution_json FROM trial_params WHERE trial_id = ? AND param_name = ?",
            trial, params->list[i], err);
    for (size_t i = 0; i < attributes->n && !rc; i++)
        rc = add_value(s, "SELECT value_json FROM trial_user_attributes WHERE trial_id = ? AND key = ?",
                       trial, attributes->list[i], err);
    smi_buf_char(s->to, '\n');
    return rc ? rc : s->to->failed ? smi_err_nomem(err) : 0;
}

static int write_trials(struct study *s, struct smi_err *err)
{
    struct names objectives = {.n = 0}, params = {.n = 0}, attributes = {.n = 0};
    sqlite3_stmt *st;
    int rc;
    if (list_names(s, &objectives, "SELECT DISTINCT objective FROM trial_values ORDER BY 1 LIMIT 20", err) ||
        list_names(s, &params, "SELECT DISTINCT param_name FROM trial_params ORDER BY 1 LIMIT 300", err) ||
        list_names(s, &attributes, "SELECT DISTINCT key FROM trial_user_attributes ORDER BY 1 LIMIT 300",
                   err))
        return -1;
    smi_buf_str(s->to, "trial,study,state");
    for (size_t i = 0; i < objectives.n; i++)
        smi_buf_fmt(s->to, i ? ",value_%zu" : ",value", i);
    for (size_t i = 0; i < params.n; i++)
        add_cell(s->to, params.list[i]);
    for (size_t i = 0; i < attributes.n; i++) {
        struct smi_buf name = {0};
        smi_buf_fmt(&name, "user.%s", attributes.list[i]);
        s->to->failed |= name.failed;
        add_cell(s->to, name.p);
        smi_buf_fini(&name);
    }
    smi_buf_char(s->to, '\n');
    st = smi_sql_bind(
        &s->sql, err,
        "SELECT trial_id, number, study_name, state FROM trials LEFT JOIN studies USING (study_id) "
        "ORDER BY trial_id LIMIT ?",
        "i", (int64_t)TRIALS);
    while ((rc = smi_sql_next(&s->sql, st, err)) > 0)
        if (add_trial(s, st, &objectives, &params, &attributes, err)) {
            sqlite3_finalize(st);
            return -1;
        }
    return rc;
}

int smi_query_optuna(struct smi_buf *to, const char *path, struct smi_err *err)
{
    struct study s = {.to = to, .sql.name = path};
    struct smi_err why = {0};
    struct smi_buf uri = {0};
    int rc = -1;
    smi_buf_str(&uri, "file:");
    smi_buf_percent(&uri, smi_text_of(path), "/");
    smi_buf_str(&uri, "?mode=ro");
    if (uri.failed || sqlite3_open_v2(uri.p, &s.sql.db,
                                      SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI, NULL)) {
        smi_sql_error(&s.sql, &why);
    } else {
        sqlite3_db_config(s.sql.db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
        sqlite3_db_config(s.sql.db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
        sqlite3_limit(s.sql.db, SQLITE_LIMIT_LENGTH, 1 << 20);
        sqlite3_progress_handler(s.sql.db, 1000000, count_steps, &s);
        rc = write_trials(&s, &why);
    }
    sqlite3_close(s.sql.db);
    smi_buf_fini(&uri);
    smi_arena_fini(&s.a);
    if (rc == 0)
        return to->failed ? smi_err_nomem(err) : 0;
    return why.code == SMI_ENOMEM
               ? smi_err_nomem(err)
               : smi_err_set(err, SMI_EUSAGE, "--join: %.150s is no study of Optuna: %.200s", path, why.text);
}
