/* query.c - what is asked, as statements: which runs, in which order, what of them. The expression of --where
 * is put into a WHERE of runs inside one of param: so a plain name is a column of runs, whatever the
 * parameters are called. */
#include "query/query.h"
#include "base/clock.h"
#include "base/file.h"
#include "query/query_db.h"
#include "sweep/config.h"

#include <csv.h>
#include <math.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <errno.h>
#include <unistd.h>

/* ---- the rows of an answer, each value as it is printed ---- */

size_t smi_real_text(char *to, double v)
{
    double whole = trunc(v), micro = nearbyint((v - whole) * 1e6);
    if (!isfinite(v)) /* no JSON has it */
        return 0;
    if (fabs(v) < 1e18 && (fabs(v) >= 1e-3 || fabs(micro / 1e6 - v) <= fabs(v) * 1e-15))
        return smi_text_write_micro(to, (smi_i128)whole * 1000000 + (smi_i128)micro);
    if (fabs(v) < 1e-20 || fabs(v) >= 1)
        sqlite3_snprintf(SMI_MICRO_TEXT, to, "%.15g", v);
    else /* "0.00000333333333333333": without an exponent */
        for (int n = snprintf(to, SMI_MICRO_TEXT, "%.*f", 14 - (int)floor(log10(fabs(v))), v);
             to[n - 1] == '0';)
            to[--n] = 0;
    return strlen(to);
}

static const char *blob_text(struct smi_arena *a, const unsigned char *p, int n)
{
    struct smi_buf b = {0};
    for (int i = 0; i < n; i++)
        smi_buf_fmt(&b, "%02x", p[i]);
    return smi_buf_keep(&b, a);
}

struct smi_value_text smi_db_value(struct smi_arena *a, sqlite3_stmt *st, int i)
{
    char t[SMI_MICRO_TEXT + SMI_I128_TEXT];
    const char *type = sqlite3_column_decltype(st, i);
    const int kind = sqlite3_column_type(st, i);
    type = type ? type : "";
    if (kind == SQLITE_NULL)
        return (struct smi_value_text){NULL, SMI_CELL_NULL};
    if (kind == SQLITE_INTEGER && strcmp(type, "BOOLEAN") == 0)
        return (struct smi_value_text){sqlite3_column_int(st, i) ? "true" : "false", SMI_CELL_BOOL};
    if (kind == SQLITE_INTEGER) {
        const int64_t n = sqlite3_column_int64(st, i);
        const size_t len =
            strcmp(type, SMI_DB_MICRO) == 0 ? smi_text_write_micro(t, n) : smi_i128_write(t, n);
        return (struct smi_value_text){smi_arena_text(a, t, len), SMI_CELL_NUMBER};
    }
    if (kind == SQLITE_FLOAT) {
        const double real = sqlite3_column_double(st, i);
        const size_t len = strncmp(type, SMI_DB_AS_WRITTEN, strlen(SMI_DB_AS_WRITTEN)) == 0
                               ? smi_real_write(t, real)
                               : smi_real_text(t, real);
        return (struct smi_value_text){len ? smi_arena_text(a, t, len) : NULL,
                                       len ? SMI_CELL_NUMBER : SMI_CELL_NULL};
    }
    const char *text = (const char *)sqlite3_column_text(st, i);
    return (struct smi_value_text){kind == SQLITE_BLOB
                                       ? blob_text(a, sqlite3_column_blob(st, i), sqlite3_column_bytes(st, i))
                                       : smi_copy_text(a, text),
                                   SMI_CELL_TEXT};
}

int smi_result_read(struct smi_result *r, struct smi_db *d, const char *opt, struct smi_buf *sql,
                    struct smi_err *err)
{
    sqlite3_stmt *st = smi_db_select(d, opt, sql, err);
    int rc;
    if (!st)
        return -1;
    r->columns = (size_t)sqlite3_column_count(st);
    r->name = smi_arena_new(&r->arena, r->columns, sizeof *r->name);
    for (size_t i = 0; i < r->columns; i++) /* they are keys in JSON */
        r->name[i] = smi_db_free_name(&r->arena, sqlite3_column_name(st, (int)i), r->name, i, strcmp);
    r->made = true;
    while ((rc = smi_db_step(d, opt, st, err)) > 0) {
        smi_mem_reserve(&r->cell, &r->cap, (r->n + 1) * r->columns, sizeof *r->cell);
        for (size_t i = 0; i < r->columns; i++)
            r->cell[r->n * r->columns + i] = smi_db_value(&r->arena, st, (int)i);
        r->n++;
    }
    return rc;
}

void smi_result_fini(struct smi_result *r)
{
    smi_mem_free(r->cell);
    smi_arena_fini(&r->arena);
    *r = (struct smi_result){0};
}

/* ---- joined files: the columns of a CSV file are added to the runs that its rows belong to ---- */

enum { JOIN_BYTES = 64 << 20, JOIN_COLUMNS = 1000 };

struct join {
    struct smi_sweep *sweep;
    struct smi_buf *said;
    const char *path;
    struct smi_arena arena;
    const char **name; /* of the columns; one without a name is column3 */
    const char **cell; /* rows * columns, in the heap; NULL: empty */
    size_t columns, rows, cells, cap;
    size_t at, wide;   /* cells of the current row; rows with more cells than the head */
    size_t key;        /* column of the file */
    bool by_job;       /* by the number of a job in the names of runs */
    int column;        /* of runs that is compared with it; -1: a parameter */
    const char *param; /* the parameter */
    bool numbers;      /* keys are compared as numbers */
    regex_t odd_number;
};

/* Appends to the sentences for the user: "FILE: TEXT: 2". */
static void report(struct join *j, size_t n, const char *text)
{
    if (n)
        smi_buf_fmt(j->said, "%s: %s: %zu%c", j->path, text, n, 0);
}

/* --- the file: small CSV with a head, whole in memory --- */

/* libcsv calls it for each cell and each row. */
static void on_csv_cell(void *p, size_t n, void *self)
{
    struct join *j = self;
    if (!j->name || j->at < j->columns) {
        *SMI_MEM_ADD(j->cell, j->cells, j->cap) = n ? smi_arena_text(&j->arena, p, n) : NULL;
    }
    j->at++;
}

/* The head, and each row after it, which gets as many cells. */
static void on_csv_row(int end, void *self)
{
    struct join *j = self;
    (void)end;
    if (j->name) {
        j->wide += j->at > j->columns;
        while (j->at < j->columns)
            on_csv_cell(NULL, 0, j);
        j->rows++;
    } else {
        j->columns = j->at;
        j->name = smi_arena_new(&j->arena, j->columns + 1, sizeof *j->name);
        for (size_t i = 0; i < j->columns; i++)
            j->name[i] = j->cell[i] ? j->cell[i] : smi_format_text(&j->arena, "column%zu", i + 1);
        j->cells = 0;
    }
    j->at = 0;
}

/* What cuts the cells of the head: what of these it has most of, outside of quotes. */
static unsigned char guess_separator(const char *p, size_t n)
{
    static const char all[] = ",;\t|"; /* the last one is sacct's */
    enum { SEPARATORS = sizeof all - 1 };
    size_t count[SEPARATORS] = {0}, best = 0;
    bool quoted = false;
    for (size_t i = 0; i < n && (quoted || p[i] != '\n'); i++) {
        quoted ^= p[i] == '"';
        for (size_t k = 0; k < SEPARATORS && !quoted; k++)
            count[k] += p[i] == all[k];
    }
    for (size_t k = 1; k < SEPARATORS; k++)
        best = count[k] > count[best] ? k : best;
    return (unsigned char)all[best];
}

/* A quote that nothing closes makes the rest of the file one cell: *open is the line of it, else 0. */
static void parse_csv(struct join *j, struct smi_text t, size_t *open)
{
    struct csv_parser csv;
    size_t line = 0;
    csv_init(&csv, CSV_APPEND_NULL);
    csv_set_delim(&csv, guess_separator(t.p, t.n));
    while (t.n) {
        const char *lf = memchr(t.p, '\n', t.n);
        const size_t n = lf ? (size_t)(lf - t.p) + 1 : t.n;
        line++;
        *open = csv.quoted ? *open : line;
        csv_parse(&csv, t.p, n, on_csv_cell, on_csv_row, j);
        t.p += n;
        t.n -= n;
    }
    csv_set_opts(&csv, CSV_STRICT | CSV_STRICT_FINI); /* only the end is strict */
    if (csv_fini(&csv, on_csv_cell, on_csv_row, j) == 0)
        *open = 0;
    csv_free(&csv);
}

/* Cells are cut at commas, semicolons, tabs or bars, whichever the head has most of. Returns 0, or -1 with
 * err (SMI_EUSAGE: it is no such file, or too large). */
static int read_csv_file(struct join *j, struct smi_err *err)
{
    struct smi_buf b = {0};
    struct smi_err why = {0};
    size_t open = 0;
    int rc = 0;
    if (smi_file_read_all(&b, j->path, JOIN_BYTES, &why))
        rc = smi_err_set(err, SMI_EUSAGE, "--join: %s", why.text);
    else if (b.n > JOIN_BYTES)
        rc = smi_err_set(err, SMI_EUSAGE, "--join: %.200s is larger than %d MiB", j->path, JOIN_BYTES >> 20);
    else if (smi_text_starts_nocase((struct smi_text){b.p, b.n}, "SQLite format 3"))
        rc = smi_err_set(err, SMI_EUSAGE,
                         "--join: %.200s is a SQLite database, not a CSV: of Optuna, write "
                         "study.trials_dataframe().to_csv()",
                         j->path);
    else if (b.n && (memchr(b.p, 0, b.n) || !smi_text_is_utf8((struct smi_text){b.p, b.n})))
        rc = smi_err_set(err, SMI_EUSAGE, "--join: %.200s is no CSV in UTF-8", j->path);
    if (!rc && b.n) {
        const size_t mark = smi_text_starts_nocase((struct smi_text){b.p, b.n}, "\xEF\xBB\xBF") ? 3 : 0;
        parse_csv(j, (struct smi_text){b.p + mark, b.n - mark}, &open);
    }
    smi_buf_fini(&b);
    if (open)
        return smi_err_set(err, SMI_EUSAGE, "--join: %.200s:%zu: a quote is not closed", j->path, open);
    if (!rc && !j->columns)
        return smi_err_set(err, SMI_EUSAGE, "--join: %.200s has no line with the names of columns", j->path);
    if (!rc && j->columns > JOIN_COLUMNS)
        return smi_err_set(err, SMI_EUSAGE, "--join: %.200s has more than %d columns", j->path, JOIN_COLUMNS);
    return rc;
}

static const char **cell_at(const struct join *j, size_t row, size_t column)
{
    return &j->cell[row * j->columns + column];
}

/* --- numbers --- */

/* Meant as a number, but none in JSON: 0,5 .5 +3 50%, and nan. */
static bool is_no_number(const struct join *j, const char *t)
{
    return !smi_text_is_bare(smi_text_of(t)) &&
           (smi_text_is_nan(smi_text_of(t)) ||
            (strpbrk(t, ",.+%") && regexec(&j->odd_number, t, 0, NULL, 0) == 0));
}

/* A text would be larger than every number, so that nan passed every limit. Such cells are absent where the
 * column has a number, or no other text. */
static void drop_odd_numbers(struct join *j, size_t column)
{
    size_t numbers = 0, texts = 0, odd = 0;
    const char *first = NULL;
    for (size_t i = 0; i < j->rows; i++) {
        const char *t = *cell_at(j, i, column);
        if (!t)
            continue;
        if (is_no_number(j, t)) {
            first = odd++ ? first : t;
            continue;
        }
        numbers += smi_text_is_number(smi_text_of(t));
        texts += !smi_text_is_bare(smi_text_of(t));
    }
    if (!odd || (!numbers && texts))
        return;
    smi_buf_fmt(j->said, "%s: of %s %zu cell%s no number%s, as \"%s\": absent%c", j->path, j->name[column],
                odd, odd == 1 ? " is" : "s are", odd == 1 ? "" : "s", first, 0);
    for (size_t i = 0; i < j->rows; i++)
        if (*cell_at(j, i, column) && is_no_number(j, *cell_at(j, i, column)))
            *cell_at(j, i, column) = NULL;
}

/* --- which column of the file, and what of the runs it is --- */

static const char *without_prefix(const char *name)
{
    return strncmp(name, "param.", 6) == 0 ? name + 6 : name;
}

static bool find_column(struct join *j, const char *name)
{
    for (size_t i = 0; i < j->columns; i++)
        if (strcmp(without_prefix(j->name[i]), name) == 0) {
            j->key = i;
            return true;
        }
    return false;
}

/* key: as the user named it; NULL: run, or JobID of sacct, or the first column. */
static int choose_key(struct join *j, const char *key, struct smi_err *err)
{
    const char *bare = key ? without_prefix(key) : NULL, *near;
    j->column = SMI_RUN_FIELD_RUN;
    if (!key) {
        j->by_job = !find_column(j, "run") && find_column(j, "JobID");
        return 0;
    }
    if (!find_column(j, bare)) {
        near = smi_text_nearest(key, j->name, sizeof *j->name, j->columns);
        return smi_err_set(err, SMI_EUSAGE, "--join: %.100s has no column \"%.100s\"%s%.100s%s", j->path, key,
                           near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
    }
    for (size_t i = 0; i < j->sweep->n && !j->param; i++)
        if (smi_run_param(&j->sweep->runs[i], bare)) {
            j->param = bare;
            j->column = -1;
        }
    for (int c = 0; bare == key && c < SMI_RUN_FIELDS; c++)
        if (strcmp(smi_run_fields[c].key, key) == 0) {
            j->param = NULL;
            j->column = c;
        }
    j->numbers = j->param || smi_run_fields[j->column].kind != SMI_DATUM_TEXT;
    return 0;
}

/* --- the columns --- */

/* Names that are taken get numbers. */
static void name_joined_columns(struct join *j)
{
    const size_t results = j->sweep->nresults;
    const char **taken = smi_arena_new(&j->arena, SMI_RUN_FIELDS + SMI_DB_ROWIDS + results + j->columns,
                                       sizeof *taken),
               **joined = smi_arena_new(&j->sweep->arena, j->columns + results, sizeof *joined);
    size_t n = 0, all = 0;
    for (; n < SMI_RUN_FIELDS; n++)
        taken[n] = smi_run_fields[n].key;
    for (size_t i = 0; i < SMI_DB_ROWIDS; i++)
        taken[n++] = smi_db_rowids[i];
    for (; all < results; all++)
        taken[n++] = joined[all] = j->sweep->joined[all];
    for (size_t i = 0; i < j->columns; i++) {
        const char *name = j->name[i];
        if (i == j->key)
            continue;
        taken[n] = joined[all] = smi_db_free_name(&j->sweep->arena, name, taken, n, strcasecmp);
        if (strcmp(taken[n], name) != 0)
            smi_buf_fmt(j->said, "%s: its column %s is %s here%c", j->path, name, taken[n], 0);
        n++;
        all++;
    }
    j->sweep->joined = joined;
    j->sweep->njoined = all;
}

/* The cells of a row for a run; SIZE_MAX: it has none. */
static void give_row_to_run(struct join *j, struct smi_summary *s, size_t row)
{
    struct smi_param *p = smi_arena_new(&j->sweep->arena, j->sweep->njoined + 1, sizeof *p);
    if (s->nfound)
        memcpy(p, s->joined, s->nfound * sizeof *p);
    for (size_t i = 0, n = s->nfound; i < j->columns; i++) {
        const char *text = row == SIZE_MAX ? NULL : *cell_at(j, row, i);
        if (i == j->key)
            continue;
        p[n].key = j->sweep->joined[n];
        p[n].text = smi_copy_text(&j->sweep->arena, text);
        p[n++].bare = text && smi_text_is_bare(smi_text_of(text));
    }
    s->joined = p;
    s->njoined = j->sweep->njoined;
}

/* --- rows and runs, by their keys --- */

/* nth: of the numbers in a name the first one counts that has a row. */
static const char match_keys[] =
    "CREATE TABLE hit AS SELECT * FROM "
    "(SELECT at, key, n, row, row_number() OVER (PARTITION BY at ORDER BY nth) AS first "
    "FROM run JOIN (SELECT key, count(*) AS n, min(row) AS row FROM csv GROUP BY key) USING (key)) "
    "WHERE first = 1";

/* Numbers are compared as numbers: 0.10 and 1e-1 are 0.1. */
static void bind_key(const struct join *j, sqlite3_stmt *put, int at, const char *text)
{
    smi_db_bind_text(put, at, text, text && j->numbers && smi_text_is_number(smi_text_of(text)));
}

/* Inserts the keys of the rows. Returns how many rows are of steps of jobs. */
static size_t add_row_keys(const struct join *j, struct smi_db *d)
{
    sqlite3_stmt *put = smi_db_prepare_insert(d, "csv", 2);
    size_t steps = 0;
    for (size_t i = 0; i < j->rows && !d->failed; i++) {
        const char *text = *cell_at(j, i, j->key);
        const bool step = text && j->by_job && strchr(text, '.'); /* "4711.batch" is a step of 4711 */
        steps += step;
        if (!text || step)
            continue;
        bind_key(j, put, 1, text);
        sqlite3_bind_int64(put, 2, (int64_t)i);
        smi_db_insert_row(d, put);
    }
    sqlite3_finalize(put);
    return steps;
}

/* What of the runs is compared: the numbers in the name, of the task of an array before the whole job; a
 * parameter; or a column. */
static void add_run_keys(const struct join *j, struct smi_db *d)
{
    sqlite3_stmt *put = smi_db_prepare_insert(d, "run", 3);
    struct smi_field_values row = {0};
    for (size_t i = 0; smi_sweep_has_run(j->sweep, i) && !d->failed; i++) {
        const struct smi_summary *s = &j->sweep->runs[i];
        const struct smi_param *p = j->param ? smi_run_param(s, j->param) : NULL;
        const char *name = s->run;
        struct smi_text id = {0};
        for (int nth = 0; j->by_job ? smi_jobs_next_id(&name, &id) : !nth; nth++) {
            sqlite3_bind_int64(put, 1, (int64_t)i);
            sqlite3_bind_int(put, 2, nth);
            if (j->by_job) {
                sqlite3_bind_text(put, 3, id.p, (int)id.n, SQLITE_STATIC);
            } else if (j->param) {
                bind_key(j, put, 3, p ? p->text : NULL);
            } else {
                smi_field_values_fill(&row, &smi_run_list, s, s);
                smi_db_bind(put, 3, &row.v[j->column]);
            }
            smi_db_insert_row(d, put);
        }
    }
    sqlite3_finalize(put);
    smi_field_values_fini(&row);
}

static int join_rows(struct join *j, struct smi_err *err)
{
    size_t lone = 0, several = 0, unused;
    struct smi_buf sql = {0};
    struct smi_db d = {0};
    sqlite3_stmt *st;
    int more;
    name_joined_columns(j);
    for (size_t k = 0; k < j->columns; k++)
        if (k != j->key)
            drop_odd_numbers(j, k);
    smi_db_begin(&d, ":memory:", err);
    smi_db_exec(&d, "CREATE TABLE csv(key, row); CREATE TABLE run(at, nth, key)");
    unused = j->rows - add_row_keys(j, &d);
    add_run_keys(j, &d);
    smi_db_exec(&d, match_keys);
    smi_buf_str(
        &sql,
        "SELECT at, n, row, (SELECT sum(n) FROM (SELECT DISTINCT key, n FROM hit)) FROM hit ORDER BY at");
    st = smi_db_select(&d, "join", &sql, err);
    more = smi_db_step(&d, "join", st, err);
    unused -= more > 0 ? (size_t)sqlite3_column_int64(st, 3) : 0;
    for (size_t i = 0; smi_sweep_has_run(j->sweep, i) && more >= 0; i++) {
        const bool found = more > 0 && sqlite3_column_int64(st, 0) == (int64_t)i,
                   one = found && sqlite3_column_int64(st, 1) == 1;
        give_row_to_run(j, &j->sweep->runs[i], one ? (size_t)sqlite3_column_int64(st, 2) : SIZE_MAX);
        lone += !found;
        several += found && !one;
        more = found ? smi_db_step(&d, "join", st, err) : more;
    }
    smi_db_close(&d);
    report(j, lone, "runs without a row in it");
    report(j, several, "runs with several rows in it, of which none is joined");
    report(j, unused, "rows that belong to no run");
    report(j, j->wide, "rows with more cells than the head: what is too much is left out");
    return more;
}

/* Reads "FILE.csv" or "FILE.csv:KEY" and fills joined of the sweep and its runs. A row belongs to the run
 * whose name is in its column KEY (run, or the first, if none is named); or, where runs have a column or a
 * parameter KEY, to those with the same value, numbers compared as numbers. Without KEY, the output of sacct
 * belongs to the runs whose names have the number of the job. A key of several rows joins none of them.
 * Columns whose names are taken get a number. said gets what did not match, and what was renamed. Returns 0,
 * or -1 with err. */
static int join_file(struct smi_sweep *s, const char *arg, struct smi_buf *said, struct smi_err *err)
{
    struct join j = {.sweep = s, .said = said};
    const char *colon = access(arg, F_OK) ? strrchr(arg, ':') : NULL;
    int rc;
    j.path = smi_arena_text(&j.arena, arg, colon ? (size_t)(colon - arg) : strlen(arg));
    if (!*j.path || (colon && !colon[1]))
        rc = smi_err_set(err, SMI_EUSAGE, "--join needs FILE.csv or FILE.csv:KEY, not \"%.200s\"", arg);
    else if (s->unread) /* it may be a pipe */
        rc = access(j.path, R_OK)
                 ? smi_err_set(err, SMI_EUSAGE, "--join: cannot open %.300s: %s", j.path, strerror(errno))
                 : 0;
    else
        rc = read_csv_file(&j, err) || choose_key(&j, colon ? colon + 1 : NULL, err) ? -1 : 0;
    if (regcomp(&j.odd_number, "^[-+]?([0-9]+[.,]?[0-9]*|[.,][0-9]+)([eE][-+]?[0-9]+)?%?$",
                REG_EXTENDED | REG_NOSUB))
        smi_mem_exhausted();
    if (!rc && !s->unread)
        rc = join_rows(&j, err);
    regfree(&j.odd_number);
    smi_mem_free(j.cell);
    smi_arena_fini(&j.arena);
    return rc;
}

/* ---- what is asked ---- */

bool smi_query_any(const struct smi_query *q)
{
    return q->where || q->sort || q->group_by || q->columns || q->sql || q->join || q->since || q->until;
}

static int check_query_texts(const struct smi_query *q, struct smi_err *err)
{
    const struct {
        const char *name, *text;
    } opt[] = {{"where", q->where}, {"sort", q->sort},   {"group-by", q->group_by}, {"columns", q->columns},
               {"sql", q->sql},     {"since", q->since}, {"until", q->until},       {"join", q->join}};
    for (size_t i = 0; i < sizeof opt / sizeof *opt; i++) {
        const char *list = i > 0 && i < 4 ? opt[i].text : NULL; /* of columns */
        struct smi_text word;
        if (opt[i].text && !smi_text_trim(smi_text_of(opt[i].text)).n)
            return smi_err_set(err, SMI_EUSAGE, "--%s is empty", opt[i].name);
        if (opt[i].text && !smi_text_is_utf8(smi_text_of(opt[i].text)))
            return smi_err_set(err, SMI_EUSAGE, "--%s is not UTF-8", opt[i].name);
        if (i < 4 && q->sql && opt[i].text)
            return smi_err_set(err, SMI_EUSAGE, "--%s cannot be used together with --sql", opt[i].name);
        while (smi_text_next_item(&list, &word))
            if (!word.n)
                return smi_err_set(err, SMI_EUSAGE, "--%s: a name is missing in \"%.100s\"", opt[i].name,
                                   opt[i].text);
    }
    return 0;
}

/* --- lists of columns --- */

bool smi_db_next_column(const char **list, struct smi_text *word, const char **order)
{
    if (!smi_text_next_item(list, word))
        return false;
    const size_t down = *order && word->n > 1 && *word->p == '-';
    *word = smi_text_from(*word, down);
    if (*order)
        *order = down ? " COLLATE names DESC NULLS LAST" : " COLLATE names NULLS LAST";
    return true;
}

/* --- the parts of a statement --- */

/* Appends ORDER BY, the sweep's own order being the last resort. */
static int add_order(struct smi_db *d, const struct smi_query *q, struct smi_buf *sql, struct smi_err *err)
{
    const char *list = q->sort, *order = "";
    struct smi_text word;
    bool number;
    smi_buf_str(sql, " ORDER BY ");
    while (smi_db_next_column(&list, &word, &order)) {
        if (smi_db_column(d, "sort", word, sql, &number, err))
            return -1;
        smi_buf_fmt(sql, "%s, ", order);
    }
    smi_buf_str(sql, "runs.rowid");
    return 0;
}

static void add_source(const struct smi_query *q, struct smi_buf *sql)
{
    smi_buf_str(sql, " FROM runs JOIN param ON param.rowid = runs.rowid");
    if (!q->where)
        return;
    smi_buf_str(sql,
                " WHERE runs.rowid IN (SELECT param.rowid FROM param WHERE EXISTS (SELECT 1 FROM runs WHERE "
                "runs.rowid = param.rowid AND (");
    smi_buf_str(sql, q->where);
    smi_buf_str(sql, "\n)))");
}

/* Which option an error of the whole statement comes from. */
static const char *option_of_statement(const struct smi_query *q)
{
    return q->where ? "where" : q->columns ? "columns" : q->group_by ? "group-by" : "sort";
}

/* --- runs --- */

static int choose_runs(struct smi_db *d, const struct smi_query *q, struct smi_err *err)
{
    size_t *order = smi_mem_new(d->sweep->n + 1, sizeof *order), n = 0;
    struct smi_buf b = {0};
    sqlite3_stmt *st;
    int rc;
    smi_buf_str(&b, "SELECT runs.rowid");
    add_source(q, &b);
    st = add_order(d, q, &b, err) ? NULL : smi_db_select(d, option_of_statement(q), &b, err);
    while ((rc = smi_db_step(d, option_of_statement(q), st, err)) > 0)
        order[n++] = (size_t)sqlite3_column_int64(st, 0) - 1;
    if (!rc)
        smi_sweep_select(d->sweep, order, n);
    smi_buf_fini(&b);
    smi_mem_free(order);
    return rc;
}

/* --- rows --- */

static void add_result_name(struct smi_db *d, struct smi_buf *sql, struct smi_text word, const char *suffix)
{
    smi_buf_str(sql, " AS ");
    smi_db_quote(sql, smi_format_text(&d->arena, "%.*s%s", (int)word.n, word.p, suffix));
}

/* Appends a column under the name that was typed, and a comma. */
static int add_result_column(struct smi_db *d, const char *opt, struct smi_text word, struct smi_buf *sql,
                             struct smi_err *err)
{
    bool number;
    if (smi_db_column(d, opt, word, sql, &number, err))
        return -1;
    add_result_name(d, sql, word, "");
    smi_buf_str(sql, ", ");
    return 0;
}

/* --- groups --- */

/* Mean, sd and n of a column; what is no number takes no part. */
static int add_group_stats(struct smi_db *d, struct smi_text word, struct smi_buf *sql, struct smi_err *err)
{
    struct smi_buf col = {0};
    bool number;
    int rc = smi_db_column(d, "columns", word, &col, &number, err);
    if (!rc && !number)
        rc = smi_err_set(err, SMI_EUSAGE, "--group-by needs columns of numbers: %.*s is text", (int)word.n,
                         word.p);
    if (!rc) {
        smi_buf_fmt(sql, "mean(%s)", col.p);
        add_result_name(d, sql, word, "_mean");
        smi_buf_fmt(sql, ", CASE WHEN sum(typeof(%s) IN ('integer', 'real')) > 1 THEN stddev(%s) END", col.p,
                    col.p);
        add_result_name(d, sql, word, "_sd");
        smi_buf_fmt(sql, ", sum(typeof(%s) IN ('integer', 'real'))", col.p);
        add_result_name(d, sql, word, "_n");
        smi_buf_str(sql, ", ");
    }
    smi_buf_fini(&col);
    return rc;
}

/* The name of a column by its place among those shown of groups, or NULL. GPU % is over time where all
 * runs have times. */
static const char *group_column_at(const struct smi_sweep *sweep, int place)
{
    if (place == 1 && !smi_headline_time_mean(&sweep->total.block).has)
        return smi_run_fields[SMI_RUN_FIELD_GPU_UTIL_MEAN].key;
    for (int i = 0; i < SMI_RUN_FIELDS; i++)
        if (smi_run_fields[i].group_place == place)
            return smi_run_fields[i].key;
    return NULL;
}

/* --sort is by the columns of the groups: sql is put around their statement. */
static void sort_groups(struct smi_db *d, const struct smi_query *q, struct smi_buf *sql)
{
    const char *list = q->sort, *order = "";
    struct smi_buf inner = *sql;
    struct smi_text word;
    *sql = (struct smi_buf){0};
    smi_buf_fmt(sql, "SELECT * FROM (%s) ORDER BY ", inner.p);
    smi_buf_fini(&inner);
    while (smi_db_next_column(&list, &word, &order)) {
        smi_db_quote(sql, smi_arena_text(&d->arena, word.p, word.n));
        smi_buf_fmt(sql, "%s, ", order);
    }
    smi_buf_str(sql, "1");
    d->groups = q->group_by;
}

/* --columns and --group-by: a row a run, or a group. */
static int make_rows(struct smi_db *d, const struct smi_query *q, struct smi_result *rows,
                     struct smi_err *err)
{
    const char *list = q->columns, *keys = q->group_by;
    struct smi_buf b = {0};
    struct smi_text word;
    int rc = 0;
    smi_buf_str(&b, "SELECT ");
    for (; !rc && smi_text_next_item(&keys, &word); rows->keys++)
        rc = add_result_column(d, "group-by", word, &b, err);
    smi_buf_str(&b, rows->keys ? "count(*) AS n, " : "");
    for (int place = 1; !list && group_column_at(d->sweep, place) && !rc; place++)
        rc = add_group_stats(d, smi_text_of(group_column_at(d->sweep, place)), &b, err);
    while (!rc && smi_text_next_item(&list, &word))
        rc = rows->keys ? add_group_stats(d, word, &b, err) : add_result_column(d, "columns", word, &b, err);
    b.n -= 2; /* the last comma */
    add_source(q, &b);
    for (size_t i = 1; i <= rows->keys; i++)
        smi_buf_fmt(&b, "%s%zu", i == 1 ? " GROUP BY " : ", ", i);
    for (size_t i = 1; i <= rows->keys; i++)
        smi_buf_fmt(&b, "%s%zu NULLS LAST", i == 1 ? " ORDER BY " : ", ", i);
    if (rows->keys && q->sort)
        sort_groups(d, q, &b);
    rc = rc || (!rows->keys && add_order(d, q, &b, err))
             ? -1
             : smi_result_read(rows, d, option_of_statement(q), &b, err);
    smi_buf_fini(&b);
    return rc;
}

/* --group-by gpu: what each GPU did, from run to run. Behind a row of nothing: there may be no GPU. */
static int list_gpu_uses(struct smi_db *d, const struct smi_sweep *s, struct smi_result *rows,
                         struct smi_err *err)
{
    struct smi_buf b = {0};
    int rc;
    smi_buf_str(
        &b,
        "WITH u(gpu, host, \"index\", runs, first, last, used_h, between_runs_h, longest_h, longest_from, "
        "longest_to) AS (VALUES (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)");
    for (const struct smi_gpu_use *u = s->use; u < s->use + s->nuse; u++) {
        const int64_t ms[4] = {u->first_ms, u->last_ms, u->longest_at_ms, u->longest_at_ms + u->longest_ms};
        char t[4][SMI_CLOCK_TEXT], *row;
        for (int i = 0; i < 4; i++)
            smi_clock_write(t[i], ms[i], s->use_zoned);
        row =
            sqlite3_mprintf(", (%Q, %Q, nullif(%d, -1), %lld, %Q, %Q, %lld / 3600000.0, %lld / 3600000.0, "
                            "%lld / 3600000.0, %Q, %Q)",
                            u->uuid, u->host, u->index, (long long)u->runs, t[0], t[1], (long long)u->used_ms,
                            (long long)(u->last_ms - u->first_ms - u->used_ms), (long long)u->longest_ms,
                            u->longest_ms ? t[2] : NULL, u->longest_ms ? t[3] : NULL);
        if (!row)
            smi_mem_exhausted();
        smi_buf_str(&b, row);
        sqlite3_free(row);
    }
    smi_buf_str(&b, ") SELECT * FROM u WHERE runs ORDER BY host, \"index\", gpu, first");
    rc = smi_result_read(rows, d, "group-by", &b, err);
    smi_buf_fini(&b);
    return rc;
}

/* --- the runs that began in a period --- */

/* A moment that a user names. */
struct query_time {
    bool zoned; /* zoned: it is in UTC; else it is what the clock of each run's GPU logs shows */
    int64_t ms;
};

enum { WEST_H = 12, EAST_H = 14, HOUR_MS = 3600000 }; /* the offsets that are in use: -12:00 to +14:00 */

/* "7d" */
static bool read_age(int64_t *ms, struct smi_text t)
{
    static const char letters[] = "smhdw";
    static const int64_t seconds[] = {1, 60, 3600, 86400, 604800};
    const char *unit = t.n > 1 ? strchr(letters, t.p[t.n - 1]) : NULL;
    int64_t micro;
    if (!unit || smi_text_parse_micro((struct smi_text){t.p, t.n - 1}, &micro) || micro < 0 ||
        micro > (int64_t)1000000 * 1000000)
        return false;
    *ms = (int64_t)((smi_i128)micro * seconds[unit - letters] / 1000);
    return true;
}

/* Reads "2026-07-03", "2026-07-03T18:14", "2026-07-03 18:14:05.5", each with Z or +02:00 after the time if
 * wanted, and "90m", "12h", "7d", "2w": that long before now. Returns 0, or -1 with err (opt names the
 * option). */
static int read_time(struct query_time *m, const char *opt, const char *text, int64_t now_ms,
                     struct smi_err *err)
{
    const struct smi_text t = smi_text_trim(smi_text_of(text));
    const bool day = t.n == 10, minutes = t.n >= 16 && t.p[13] == ':' && (t.n == 16 || t.p[16] != ':');
    const int whole = day ? 10 : minutes ? 16 : (int)t.n;
    char full[64]; /* with what was left out: "2026-07-03T00:00:00" */
    int64_t us, ms;
    bool fine;
    if (read_age(&ms, t)) {
        m->zoned = true;
        m->ms = now_ms - ms;
        return 0;
    }
    snprintf(full, sizeof full, "%.*s%s%.*s", whole, t.p, day || minutes ? &"T00:00:00"[whole - 10] : "",
             (int)t.n - whole, t.p + whole);
    if (t.n < 10 || t.n > 40 || smi_clock_parse_iso(smi_text_of(full), &us, &fine, &m->zoned))
        return smi_err_set(
            err, SMI_EUSAGE,
            "--%s needs a time as 2026-07-03, 2026-07-03T18:14 or 2026-07-03T18:14:05Z, or an age "
            "as 90m, 12h or 7d: not \"%.60s\"",
            opt, text);
    m->ms = us / 1000;
    return 0;
}

/* Is the run's start before the moment? 1, 0, or -1: that depends on its zone. */
static int is_run_before(const struct smi_summary *s, const struct query_time *m)
{
    if (!m->zoned) /* on the clock of its own logs */
        return s->start_ms + (s->zoned ? (int64_t)s->offset_s * 1000 : 0) < m->ms;
    if (s->zoned)
        return s->start_ms < m->ms;
    if (s->start_ms + (int64_t)WEST_H * HOUR_MS < m->ms)
        return 1;
    return s->start_ms - (int64_t)EAST_H * HOUR_MS >= m->ms ? 0 : -1;
}

static void report_left_out(struct smi_buf *said, size_t n, const char *text)
{
    if (n)
        smi_buf_fmt(said, "%zu run%s %s%c", n, n == 1 ? "" : "s", text, 0);
}

/* Of the sweep only those runs are left that began at or after since, and before until. A run whose zone is
 * not known is compared with a moment in UTC only where every zone gives the same answer. Left out, and told
 * in said: runs without a time, and those of which this is not known. Returns 0, or -1 with err. */
static int keep_period(struct smi_sweep *s, const struct smi_query *q, struct smi_buf *said,
                       struct smi_err *err)
{
    struct query_time since = {0}, until = {0};
    size_t *order, n = 0, timeless = 0, unknown = 0;
    if ((q->since && read_time(&since, "since", q->since, q->now_ms, err)) ||
        (q->until && read_time(&until, "until", q->until, q->now_ms, err)))
        return -1;
    order = smi_mem_new(s->n + 1, sizeof *order);
    for (size_t i = 0; smi_sweep_has_run(s, i); i++) {
        const struct smi_summary *r = &s->runs[i];
        const int early = !r->has_start ? 1
                          : q->since    ? is_run_before(r, &since)
                                        : 0,
                  in_time = q->until ? is_run_before(r, &until) : 1;
        timeless += !r->has_start;
        unknown += early != 1 && in_time != 0 && (early < 0 || in_time < 0);
        if (early == 0 && in_time == 1)
            order[n++] = i;
    }
    report_left_out(said, timeless, "left out: no time of a start is known (--since, --until)");
    report_left_out(
        said, unknown,
        "left out: the zone of the logs is not known, and the answer depends on it (--tz says it; a "
        "time without a zone is on the clock of the logs)");
    smi_sweep_select(s, order, n);
    smi_mem_free(order);
    return 0;
}

/* --- the answer --- */

/* These options were followed: do they leave no run? */
static void note_emptied(struct smi_sweep *s, const char *since, const char *until, const char *where)
{
    const char *const name[] = {"since", "until", "where"}, *const text[] = {since, until, where};
    struct smi_buf b = {0};
    if (s->n || !s->all || s->emptied)
        return;
    for (int i = 0; i < 3; i++)
        if (text[i])
            smi_buf_fmt(&b, "%s--%s '%.200s'", b.n ? " " : "", name[i], text[i]);
    s->emptied = smi_buf_keep(&b, &s->arena);
}

int smi_query_sweep(struct smi_sweep *s, const struct smi_query *q, struct smi_result *rows,
                    struct smi_buf *said, struct smi_err *err)
{
    const char *where = q->where;
    const bool gpus = q->group_by && strcmp(q->group_by, "gpu") == 0;
    struct smi_query asked = *q;
    struct smi_buf sql = {0};
    struct smi_db d;
    int rc;
    if (check_query_texts(q, err) || ((q->since || q->until) && keep_period(s, q, said, err)) ||
        (q->join && join_file(s, q->join, said, err)))
        return -1;
    if (q->since || q->until)
        note_emptied(s, q->since, q->until, NULL);
    if (((!q->where && !q->sort) || s->emptied) && !q->group_by && !q->columns && !q->sql)
        return 0; /* without a run there is no parameter that --where could name */
    rc = smi_db_open(&d, s, q, err);
    if (!rc && q->where && !(asked.where = smi_db_resolve(&d, "where", q->where, err)))
        rc = -1;
    q = &asked;
    smi_buf_str(&sql, q->sql ? q->sql : "");
    if (!rc && (q->where || q->sql)) /* as long as the runs are those that d knows */
        smi_db_report_names(&d, q->where ? q->where : q->sql, said);
    if (!rc)
        rc = q->sql                                 ? smi_result_read(rows, &d, "sql", &sql, err)
             : (q->group_by || q->columns) && !gpus ? make_rows(&d, q, rows, err)
                                                    : choose_runs(&d, q, err);
    if (!rc && gpus)
        rc = list_gpu_uses(&d, s, rows, err);
    if (!rc && where)
        note_emptied(s, NULL, NULL, where);
    if (!rc && d.left_out)
        smi_buf_fmt(said, "of %zu parameters the first %d have a column: name those you want instead of *%c",
                    d.params, SMI_QUERY_PARAM_COLUMNS, 0);
    smi_db_close(&d);
    smi_buf_fini(&sql);
    return rc ? -1 : 0;
}

int smi_query_check(const struct smi_query *q, struct smi_err *err)
{
    struct smi_sweep none = {.unread = true};
    struct smi_result rows = {0};
    struct smi_buf said = {0};
    struct smi_err why = {0};
    smi_query_sweep(&none, q, &rows, &said, &why);
    smi_result_fini(&rows);
    smi_buf_fini(&said);
    smi_sweep_fini(&none);
    return why.code && why.code != SMI_EFORMAT ? smi_err_set(err, why.code, "%s", why.text) : 0;
}
