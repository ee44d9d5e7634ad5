/* query_join.c - adds the columns of a CSV file to the runs that its rows belong to. */
#include "query/query_db.h"
#include "summary/run_fields.h"
#include "summary/summary.h"
#include "base/buf.h"
#include "base/file.h"
#include "sweep/config.h"

#include <csv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { POWER_MAX = 1 << 30 };

/* A row of the file by its key. */
struct keyed {
    const char *key; /* in its normal form */
    size_t row;
};

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
    struct keyed *row; /* those with a key, sorted */
    size_t keyed;
    bool *used;           /* rows that belong to some run */
    size_t lone, several; /* runs without a row; with a key of several rows */
};

/* Appends to the sentences for the user: "FILE: TEXT". */
static void report(struct join *j, size_t n, const char *one, const char *many)
{
    if (n)
        smi_buf_fmt(j->said, "%s: %zu %s%c", j->path, n, n == 1 ? one : many, 0);
}

/* --- the file: small CSV with a head, whole in memory --- */

/* libcsv calls it for each cell and each row. */
static void on_csv_cell(void *p, size_t n, void *self)
{
    struct join *j = self;
    if (!j->name || j->at < j->columns) {
        smi_mem_reserve(&j->cell, &j->cap, j->cells + 1, sizeof *j->cell);
        j->cell[j->cells++] = n ? smi_arena_text(&j->arena, p, n) : NULL;
    }
    j->at++;
}

/* The head, and each row after it, which gets as many cells. */
static void on_csv_row(int end, void *self)
{
    struct join *j = self;
    char number[32];
    (void)end;
    if (j->name) {
        j->wide += j->at > j->columns;
        while (j->at < j->columns)
            on_csv_cell(NULL, 0, j);
        j->rows++;
    } else {
        j->columns = j->at;
        j->name = smi_arena_new(&j->arena, j->columns + 1, sizeof *j->name);
        for (size_t i = 0; i < j->columns; i++) {
            snprintf(number, sizeof number, "column%zu", i + 1);
            j->name[i] = j->cell[i] ? j->cell[i] : smi_arena_text(&j->arena, number, strlen(number));
        }
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
    if (smi_file_read_all(&b, j->path, SMI_QUERY_JOIN_BYTES, &why))
        rc = smi_err_set(err, SMI_EUSAGE, "--join: %s", why.text);
    else if (b.n > SMI_QUERY_JOIN_BYTES)
        rc = smi_err_set(err, SMI_EUSAGE, "--join: %.200s is larger than %d MiB", j->path,
                         SMI_QUERY_JOIN_BYTES >> 20);
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
    if (!rc && j->columns > SMI_QUERY_JOIN_COLUMNS)
        return smi_err_set(err, SMI_EUSAGE, "--join: %.200s has more than %d columns", j->path,
                           SMI_QUERY_JOIN_COLUMNS);
    return rc;
}

static const char **cell_at(const struct join *j, size_t row, size_t column)
{
    return &j->cell[row * j->columns + column];
}

/* --- numbers --- */

/* Meant as a number, but none in JSON: 0,5 .5 +3 50% */
static bool is_odd_number(const char *t)
{
    static const char digits[] = "0123456789";
    bool mark = strpbrk(t, ",.+%") != NULL;
    size_t n;
    t += *t == '-' || *t == '+';
    n = strspn(t, digits);
    t += n;
    if (*t == '.' || *t == ',') {
        n += strspn(t + 1, digits);
        t += 1 + strspn(t + 1, digits);
    }
    if (n && (*t == 'e' || *t == 'E')) {
        t += 1 + (t[1] == '-' || t[1] == '+');
        if (!strspn(t, digits))
            return false;
        t += strspn(t, digits);
    }
    return mark && n && !t[*t == '%'];
}

static bool is_no_number(const char *t)
{
    return !smi_text_is_bare(smi_text_of(t)) && (smi_text_is_nan(smi_text_of(t)) || is_odd_number(t));
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
        if (is_no_number(t)) {
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
        if (*cell_at(j, i, column) && is_no_number(*cell_at(j, i, column)))
            *cell_at(j, i, column) = NULL;
}

/* --- keys --- */

/* A number in one spelling: its digits without zeros at either end, and the power of ten: 0.10 and 1e-1 are
 * 1e-1. Any other text is itself. */
static const char *normal_key_text(struct smi_arena *a, const char *text, bool numbers)
{
    const char *exp = strpbrk(text, "eE"), *point = strchr(text, '.'), *p;
    long long power = exp ? strtoll(exp + 1, NULL, 10) : 0; /* checked: it is a number of JSON, */
    bool far = power > POWER_MAX || power < -POWER_MAX;     /* but one to add to without overflow? */
    char *to = smi_arena_new(a, strlen(text) + 32, 1);
    size_t n = 0, zeros = 0;
    if (!numbers || far || !smi_text_is_number(smi_text_of(text)))
        return strcpy(to, text);
    for (p = text + (*text == '-'); *p && p != exp; p++) {
        if (*p == '.')
            continue;
        power -= point && p > point;
        zeros = *p == '0' ? zeros + 1 : 0;
        if (n || *p != '0')
            to[n++] = *p;
    }
    zeros = zeros < n ? zeros : n;
    n -= zeros;
    if (!n)
        return strcpy(to, "0");
    snprintf(to + n, 32, "e%lld%s", power + (long long)zeros, *text == '-' ? "-" : "");
    return to;
}

static int compare_keyed_rows(const void *a, const void *b)
{
    const struct keyed *x = a, *y = b;
    int order = strcmp(x->key, y->key);
    return order ? order : (x->row > y->row) - (x->row < y->row);
}

static void key_rows(struct join *j)
{
    j->row = smi_arena_new(&j->arena, j->rows + 1, sizeof *j->row);
    j->used = smi_arena_new(&j->arena, j->rows + 1, sizeof *j->used);
    for (size_t i = 0; i < j->rows; i++) {
        const char *text = *cell_at(j, i, j->key);
        if (text && j->by_job && strchr(text, '.')) /* "4711.batch" is a step of 4711 */
            j->used[i] = true;
        else if (text)
            j->row[j->keyed++] = (struct keyed){normal_key_text(&j->arena, text, j->numbers), i};
    }
    smi_sort(j->row, j->keyed, sizeof *j->row, compare_keyed_rows);
}

/* The first row of a key; *n: the number of its rows. */
static const struct keyed *find_keyed_rows(const struct join *j, const char *key, size_t *n)
{
    size_t low = 0, high = j->keyed;
    while (low < high) {
        const size_t mid = low + (high - low) / 2;
        if (strcmp(j->row[mid].key, key) < 0)
            low = mid + 1;
        else
            high = mid;
    }
    for (*n = 0; low + *n < j->keyed && strcmp(j->row[low + *n].key, key) == 0; (*n)++)
        ;
    return &j->row[low];
}

/* The rows of the job whose number is in the name: of the task of an array, or of the whole. */
static const struct keyed *find_job_rows(struct join *j, const char *name, size_t *n)
{
    const struct keyed *found = NULL;
    struct smi_text id = {0};
    char text[64];
    for (*n = 0; !*n && smi_jobs_next_id(&name, &id);) {
        if (id.n >= sizeof text)
            continue;
        smi_text_copy(text, sizeof text, id);
        found = find_keyed_rows(j, text, n);
    }
    return found;
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

/* What of a run is compared, or NULL. t has room for a number. */
static const char *key_value_of_run(const struct join *j, const struct smi_summary *s,
                                    struct smi_field_values *row, char *t)
{
    const struct smi_param *p = j->param ? smi_run_param(s, j->param) : NULL;
    const struct smi_datum *v;
    if (j->param)
        return p ? p->text : NULL;
    smi_run_values_fill(row, s);
    v = &row->v[j->column];
    if (v->kind == SMI_DATUM_MICRO)
        smi_text_write_micro(t, v->n);
    else if (v->kind != SMI_DATUM_TEXT && v->kind != SMI_DATUM_NONE)
        smi_i128_write(t, v->n);
    return v->kind == SMI_DATUM_NONE ? NULL : v->kind == SMI_DATUM_TEXT ? v->text : t;
}

/* --- the columns --- */

static bool is_joined_name_taken(const char *const *joined, size_t n, const char *name)
{
    static const char *const own[] = {"rowid", "oid", "_rowid_"};
    bool taken = false;
    for (int i = 0; i < SMI_RUN_FIELDS; i++)
        taken |= strcasecmp(smi_run_fields[i].key, name) == 0;
    for (size_t i = 0; i < 3; i++)
        taken |= strcasecmp(own[i], name) == 0;
    for (size_t i = 0; i < n; i++)
        taken |= strcasecmp(joined[i], name) == 0;
    return taken;
}

/* Names that are taken get numbers. */
static void name_joined_columns(struct join *j)
{
    const char **joined = smi_arena_new(&j->sweep->arena, j->columns + j->sweep->nresults, sizeof *joined);
    size_t n = j->sweep->nresults;
    if (n)
        memcpy(joined, j->sweep->joined, n * sizeof *joined);
    for (size_t i = 0; i < j->columns; i++) {
        struct smi_buf b = {0};
        if (i == j->key)
            continue;
        smi_buf_str(&b, j->name[i]);
        for (int k = 2; is_joined_name_taken(joined, n, b.p); k++) {
            smi_buf_clear(&b);
            smi_buf_fmt(&b, "%s_%d", j->name[i], k);
        }
        if (strcmp(b.p, j->name[i]) != 0)
            smi_buf_fmt(j->said, "%s: its column %s is %s here%c", j->path, j->name[i], b.p, 0);
        joined[n++] = smi_buf_keep(&b, &j->sweep->arena);
    }
    j->sweep->joined = joined;
    j->sweep->njoined = n;
}

/* The cells of a row for a run; row: NULL, it has none. */
static void give_row_to_run(struct join *j, struct smi_summary *s, const struct keyed *row)
{
    struct smi_param *p = smi_arena_new(&j->sweep->arena, j->sweep->njoined + 1, sizeof *p);
    if (s->nfound)
        memcpy(p, s->joined, s->nfound * sizeof *p);
    for (size_t i = 0, n = s->nfound; i < j->columns; i++) {
        const char *text = row ? *cell_at(j, row->row, i) : NULL;
        if (i == j->key)
            continue;
        p[n].key = j->sweep->joined[n];
        p[n].text = text ? smi_arena_text(&j->sweep->arena, text, strlen(text)) : NULL;
        p[n++].bare = text && smi_text_is_bare(smi_text_of(text));
    }
    s->joined = p;
    s->njoined = j->sweep->njoined;
}

static void match_rows(struct join *j)
{
    struct smi_field_values row = {0};
    char t[SMI_MICRO_TEXT + SMI_I128_TEXT];
    for (size_t i = 0; smi_sweep_has_run(j->sweep, i); i++) {
        struct smi_summary *s = &j->sweep->runs[i];
        const char *value = j->by_job ? NULL : key_value_of_run(j, s, &row, t);
        size_t n = 0;
        const struct keyed *found =
            j->by_job ? find_job_rows(j, s->run, &n)
            : value   ? find_keyed_rows(j, normal_key_text(&j->arena, value, j->numbers), &n)
                      : NULL;
        give_row_to_run(j, s, n == 1 ? found : NULL);
        for (size_t k = 0; k < n; k++)
            j->used[found[k].row] = true;
        j->lone += n == 0;
        j->several += n > 1;
    }
    smi_field_values_fini(&row);
}

static void join_rows(struct join *j)
{
    size_t unused = 0;
    name_joined_columns(j);
    for (size_t k = 0; k < j->columns; k++)
        if (k != j->key)
            drop_odd_numbers(j, k);
    key_rows(j);
    match_rows(j);
    for (size_t i = 0; i < j->rows; i++)
        unused += !j->used[i];
    report(j, j->lone, "run has no row in it", "runs have no row in it");
    report(j, j->several, "run has several rows in it; none of them is joined",
           "runs have several rows in it; none of them is joined");
    report(j, unused, "of its rows belongs to no run", "of its rows belong to no run");
    report(j, j->wide, "of its rows has more cells than the head: what is too much is left out",
           "of its rows have more cells than the head: what is too much is left out");
}

int smi_query_join(struct smi_sweep *s, const char *arg, struct smi_buf *said, struct smi_err *err)
{
    struct join j = {.sweep = s, .said = said};
    const char *colon = access(arg, F_OK) ? strrchr(arg, ':') : NULL;
    int rc;
    j.path = smi_arena_text(&j.arena, arg, colon ? (size_t)(colon - arg) : strlen(arg));
    if (!*j.path || (colon && !colon[1]))
        rc = smi_err_set(err, SMI_EUSAGE, "--join needs FILE.csv or FILE.csv:KEY, not \"%.200s\"", arg);
    else
        rc = read_csv_file(&j, err) || choose_key(&j, colon ? colon + 1 : NULL, err) ? -1 : 0;
    if (!rc)
        join_rows(&j);
    smi_mem_free(j.cell);
    smi_arena_fini(&j.arena);
    return rc;
}
