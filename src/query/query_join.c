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

/* --- the file: small CSV with a head, whole in memory --- */

struct csv_file {
    struct smi_arena arena;
    const char **name; /* of the columns; one without a name is column3 */
    size_t columns;
    const char **cell; /* rows * columns, in the heap; NULL: empty */
    size_t rows, cap;
    size_t wide; /* rows with more cells than the head has: what is too much is left out */
};

struct reader {
    struct csv_file *f;
    const char **head; /* its cells, while they come */
    size_t heads, cap, at;
    bool headed, failed;
};

/* libcsv calls it for each cell and each row. */
static void on_csv_cell(void *p, size_t n, void *self)
{
    struct reader *r = self;
    struct csv_file *f = r->f;
    const char *text = n && !r->failed ? smi_arena_text(&f->arena, p, n) : NULL;
    if (r->failed)
        return;
    if (!r->headed) {
        smi_mem_reserve(&r->head, &r->cap, r->heads + 1, sizeof *r->head);
        r->head[r->heads++] = text;
    } else if (r->at < f->columns) {
        f->cell[f->rows * f->columns + r->at] = text;
    }
    r->at++;
}

static int read_csv_header(struct reader *r)
{
    struct csv_file *f = r->f;
    char number[32];
    f->columns = r->heads;
    f->name = smi_arena_new(&f->arena, r->heads + 1, sizeof *f->name);
    for (size_t i = 0; f->name && i < r->heads; i++) {
        snprintf(number, sizeof number, "column%zu", i + 1);
        f->name[i] = r->head[i] ? r->head[i] : smi_arena_text(&f->arena, number, strlen(number));
        if (!f->name[i])
            return -1;
    }
    return f->name ? 0 : -1;
}

static void on_csv_row(int end, void *self)
{
    struct reader *r = self;
    struct csv_file *f = r->f;
    (void)end;
    if (r->failed)
        return;
    if (!r->headed) {
        r->failed = read_csv_header(r) != 0;
        r->headed = true;
    } else {
        f->wide += r->at > f->columns;
        f->rows++;
    }
    r->at = 0;
    smi_mem_reserve(&f->cell, &f->cap, (f->rows + 1) * (f->columns + 1), sizeof *f->cell);
}

/* Behind the quote that closes what begins with the one at p, as libcsv takes it: of two the first says that
 * the second is meant, and one with text behind it is part of the cell. NULL: nothing closes it. */
static const char *find_closing_quote(const char *p, const char *end, unsigned char cut)
{
    const char *q;
    for (p++; (p = memchr(p, '"', (size_t)(end - p))); p++) {
        if (p + 1 < end && p[1] == '"') {
            p++;
            continue;
        }
        for (q = p + 1; q < end && (*q == ' ' || *q == '\t') && (unsigned char)*q != cut; q++)
            ;
        if (q == end || *q == '\n' || *q == '\r' || (unsigned char)*q == cut)
            return p + 1;
    }
    return NULL;
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

/* The line of a quote that nothing closes; 0: there is none. */
static size_t find_open_quote(const char *p, size_t n, unsigned char cut)
{
    const char *end = p + n, *next;
    size_t line = 1;
    bool begins = true; /* a cell: only there a quote is one */
    for (; p < end; p = next) {
        next = *p == '"' && begins ? find_closing_quote(p, end, cut) : p + 1;
        if (!next)
            return line;
        begins =
            *p == '\n' || *p == '\r' || (unsigned char)*p == cut || (begins && (*p == ' ' || *p == '\t'));
        for (; p < next; p++)
            line += *p == '\n';
    }
    return 0;
}

static int read_whole_csv(struct smi_buf *b, const char *path, size_t most, struct smi_err *err)
{
    struct smi_err why = {0};
    if (smi_file_read_all(b, path, most, &why))
        return smi_err_set(err, SMI_EUSAGE, "--join: %s", why.text);
    if (b->n > most)
        return smi_err_set(err, SMI_EUSAGE, "--join: %.200s is larger than %zu MiB", path, most >> 20);
    return 0;
}

static int parse_csv(struct csv_file *f, const char *path, struct smi_text t, struct smi_err *err)
{
    struct reader r = {.f = f};
    struct csv_parser csv;
    unsigned char cut = guess_separator(t.p, t.n);
    size_t open = find_open_quote(t.p, t.n, cut);
    if (open)
        return smi_err_set(err, SMI_EUSAGE, "--join: %.200s:%zu: a quote is not closed", path, open);
    csv_init(&csv, CSV_APPEND_NULL);
    csv_set_delim(&csv, cut);
    r.failed = csv_parse(&csv, t.p, t.n, on_csv_cell, on_csv_row, &r) != t.n || r.failed;
    r.failed = csv_fini(&csv, on_csv_cell, on_csv_row, &r) != 0 || r.failed;
    csv_free(&csv);
    smi_mem_free(r.head);
    return 0;
}

/* Cells are cut at commas, semicolons or tabs, whichever the head has most of; RFC 4180 quotes, a byte order
 * mark and empty lines are no matter. Returns 0, or -1 with err (SMI_EUSAGE: it is none, or too large). */
static int read_csv_file(struct csv_file *f, const char *path, size_t most_bytes, size_t most_columns,
                         struct smi_err *err)
{
    struct smi_buf b = {0};
    struct smi_text t;
    int rc;
    *f = (struct csv_file){0};
    rc = read_whole_csv(&b, path, most_bytes, err);
    if (!rc && smi_text_starts_nocase((struct smi_text){b.p, b.n}, "SQLite format 3"))
        rc = smi_err_set(err, SMI_EUSAGE,
                         "--join: %.200s is a SQLite database, not a CSV: of Optuna, write "
                         "study.trials_dataframe().to_csv()",
                         path);
    if (!rc && b.n && (memchr(b.p, 0, b.n) || !smi_text_is_utf8((struct smi_text){b.p, b.n})))
        rc = smi_err_set(err, SMI_EUSAGE, "--join: %.200s is no CSV in UTF-8", path);
    t = (struct smi_text){b.p ? b.p : "", b.n};
    if (smi_text_starts_nocase(t, "\xEF\xBB\xBF"))
        t = (struct smi_text){t.p + 3, t.n - 3};
    rc = rc ? rc : parse_csv(f, path, t, err);
    if (!rc && !f->columns)
        rc = smi_err_set(err, SMI_EUSAGE, "--join: %.200s has no line with the names of columns", path);
    if (!rc && f->columns > most_columns)
        rc = smi_err_set(err, SMI_EUSAGE, "--join: %.200s has more than %zu columns", path, most_columns);
    smi_buf_fini(&b);
    return rc;
}

static void free_csv_file(struct csv_file *f)
{
    smi_mem_free(f->cell);
    smi_arena_fini(&f->arena);
    *f = (struct csv_file){0};
}

/* --- its columns beside those of the runs --- */

enum { POWER_MAX = 1 << 30 };

/* A row of the file by its key. */
struct keyed {
    const char *key; /* in its normal form */
    size_t row;
};

struct join {
    struct smi_sweep *sweep;
    struct csv_file file;
    const char *path;
    size_t key;        /* column of the file */
    bool by_job;       /* by the number of a job in the names of runs */
    int column;        /* of runs that is compared with it; -1: a parameter */
    const char *param; /* the parameter */
    struct keyed *row; /* those with a key, sorted */
    size_t rows;
    bool *used;           /* rows that belong to some run */
    bool *figures;        /* of the file's columns: they hold numbers, and what is none in them is absent */
    size_t lone, several; /* runs without a row; with a key of several rows */
};

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
static int report_figure_values(struct join *j, struct smi_buf *said)
{
    struct csv_file *f = &j->file;
    j->figures = smi_arena_new(&f->arena, f->columns + 1, sizeof *j->figures);
    for (size_t k = 0; j->figures && k < f->columns; k++) {
        size_t numbers = 0, texts = 0, none = 0;
        const char *first = NULL;
        for (size_t i = 0; i < f->rows && k != j->key; i++) {
            const char *t = f->cell[i * f->columns + k];
            if (!t)
                continue;
            numbers += smi_text_is_number(smi_text_of(t));
            none += is_no_number(t);
            texts += !smi_text_is_bare(smi_text_of(t)) && !is_no_number(t);
            first = first || !is_no_number(t) ? first : t;
        }
        j->figures[k] = none && (numbers || !texts);
        if (!j->figures[k])
            continue;
        smi_buf_fmt(said, "%s: of %s %zu cell%s no number%s, as \"%s\": absent", j->path, f->name[k], none,
                    none == 1 ? " is" : "s are", none == 1 ? "" : "s", first);
        smi_buf_char(said, 0);
    }
    return j->figures ? 0 : -1;
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

static int key_rows(struct join *j, bool numbers)
{
    struct csv_file *f = &j->file;
    j->row = smi_arena_new(&f->arena, f->rows + 1, sizeof *j->row);
    j->used = smi_arena_new(&f->arena, f->rows + 1, sizeof *j->used);
    for (size_t i = 0; j->row && j->used && i < f->rows; i++) {
        const char *text = f->cell[i * f->columns + j->key];
        const char *key = text ? normal_key_text(&f->arena, text, numbers) : NULL;
        if (text && !key)
            return -1;
        if (key && j->by_job && strchr(key, '.')) /* "4711.batch" is a step of 4711 */
            j->used[i] = true;
        else if (key)
            j->row[j->rows++] = (struct keyed){key, i};
    }
    if (j->rows)
        qsort(j->row, j->rows, sizeof *j->row, compare_keyed_rows);
    return j->row && j->used ? 0 : -1;
}

/* The first row of a key; *n: how many there are. */
static const struct keyed *find_keyed_rows(const struct join *j, const char *key, size_t *n)
{
    size_t low = 0, high = j->rows, mid;
    while (low < high) {
        mid = low + (high - low) / 2;
        if (strcmp(j->row[mid].key, key) < 0)
            low = mid + 1;
        else
            high = mid;
    }
    for (*n = 0; low + *n < j->rows && strcmp(j->row[low + *n].key, key) == 0; (*n)++)
        ;
    return &j->row[low];
}

/* --- which column of the file, and what of the runs it is --- */

static int fail_no_key(const struct csv_file *f, const char *path, const char *key, struct smi_err *err)
{
    const char *near = NULL;
    int least = 3, d;
    for (size_t i = 0; i < f->columns; i++)
        if ((d = smi_text_distance(key, f->name[i], least)) < least && d < (int)strlen(f->name[i])) {
            least = d;
            near = f->name[i];
        }
    return smi_err_set(err, SMI_EUSAGE, "--join: %.100s has no column \"%.100s\"%s%.100s%s", path, key,
                       near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
}

bool smi_query_has_param(const struct smi_sweep *s, struct smi_text key)
{
    for (size_t i = 0; i < s->ncommon; i++)
        if (smi_text_is(key, s->common[i].key))
            return true;
    for (size_t i = 0; i < s->nvarying; i++)
        if (smi_text_is(key, s->varying[i]))
            return true;
    return false;
}

static const char *without_prefix(const char *name)
{
    return strncmp(name, "param.", 6) == 0 ? name + 6 : name;
}

static bool find_column(struct join *j, const char *name)
{
    for (size_t i = 0; i < j->file.columns; i++)
        if (strcmp(without_prefix(j->file.name[i]), name) == 0) {
            j->key = i;
            return true;
        }
    return false;
}

/* Of a file that nobody has said the key of. */
static void choose_known_key(struct join *j)
{
    j->key = 0;
    j->by_job = !find_column(j, "run") && find_column(j, "JobID");
}

static int choose_key(struct join *j, const char *key, struct smi_err *err)
{
    const char *bare = key ? without_prefix(key) : NULL;
    j->column = SMI_RUN_FIELD_RUN;
    if (!key) {
        choose_known_key(j);
        return 0;
    }
    if (!find_column(j, bare))
        return fail_no_key(&j->file, j->path, key, err);
    for (int c = 0; bare == key && c < SMI_RUN_FIELDS; c++)
        if (strcmp(smi_run_fields[c].key, key) == 0) {
            j->column = c;
            return 0;
        }
    if (smi_query_has_param(j->sweep, smi_text_of(bare))) {
        j->param = bare;
        j->column = -1;
    }
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
    for (int i = 0; i < SMI_RUN_FIELDS; i++)
        if (strcasecmp(smi_run_fields[i].key, name) == 0)
            return true;
    for (size_t i = 0; i < 3; i++)
        if (strcasecmp(own[i], name) == 0)
            return true;
    for (size_t i = 0; i < n; i++)
        if (strcasecmp(joined[i], name) == 0)
            return true;
    return false;
}

static const char *name_joined_column(struct join *j, const char *const *joined, size_t n, const char *want,
                                      struct smi_buf *said)
{
    struct smi_buf b = {0};
    const char *name;
    smi_buf_str(&b, want);
    for (int k = 2; is_joined_name_taken(joined, n, b.p); k++) {
        smi_buf_clear(&b);
        smi_buf_fmt(&b, "%s_%d", want, k);
    }
    name = smi_buf_keep(&b, &j->sweep->arena);
    if (strcmp(name, want) != 0) {
        smi_buf_fmt(said, "%s: its column %s is %s here", j->path, want, name);
        smi_buf_char(said, 0);
    }
    return name;
}

static int name_joined_columns(struct join *j, struct smi_buf *said)
{
    const struct csv_file *f = &j->file;
    const char **joined = smi_arena_new(&j->sweep->arena, f->columns + j->sweep->nresults, sizeof *joined);
    size_t n = j->sweep->nresults;
    if (n)
        memcpy(joined, j->sweep->joined, n * sizeof *joined);
    for (size_t i = 0; i < f->columns; i++) {
        if (i == j->key)
            continue;
        joined[n] = name_joined_column(j, joined, n, f->name[i], said);
        if (!joined[n++])
            return -1;
    }
    j->sweep->joined = joined;
    j->sweep->njoined = n;
    return 0;
}

/* The cells of a row for a run; row: NULL, it has none. */
static int give_row_to_run(struct join *j, struct smi_summary *s, const struct keyed *row)
{
    const struct csv_file *f = &j->file;
    struct smi_param *p = smi_arena_new(&j->sweep->arena, j->sweep->njoined + 1, sizeof *p);
    if (s->nfound)
        memcpy(p, s->joined, s->nfound * sizeof *p);
    for (size_t i = 0, n = s->nfound; i < f->columns; i++) {
        const char *text = row ? f->cell[row->row * f->columns + i] : NULL;
        if (i == j->key)
            continue;
        text = text && j->figures[i] && is_no_number(text) ? NULL : text;
        p[n].key = j->sweep->joined[n];
        p[n].text = text ? smi_arena_text(&j->sweep->arena, text, strlen(text)) : NULL;
        p[n].bare = text && smi_text_is_bare(smi_text_of(text));
        if (text && !p[n].text)
            return -1;
        n++;
    }
    s->joined = p;
    s->njoined = j->sweep->njoined;
    return 0;
}

/* The rows of the job whose number is in the name: of the task of an array, or of the whole. */
static const struct keyed *find_job_rows(struct join *j, const char *name, size_t *n)
{
    const struct keyed *found = NULL;
    struct smi_text id;
    char text[64];
    for (*n = 0; !*n && smi_jobs_next_id(&name, &id);) {
        if (id.n >= sizeof text)
            continue;
        smi_text_copy(text, sizeof text, id);
        found = find_keyed_rows(j, text, n);
        if (!*n && strchr(text, '_')) {
            *strchr(text, '_') = 0;
            found = find_keyed_rows(j, text, n);
        }
    }
    return found;
}

static int match_rows(struct join *j, bool numbers)
{
    struct smi_field_values row = {0};
    char t[SMI_MICRO_TEXT + SMI_I128_TEXT];
    int rc = 0;
    for (size_t i = 0; smi_sweep_has_run(j->sweep, i) && !rc; i++) {
        struct smi_summary *s = &j->sweep->runs[i];
        const char *value = j->by_job ? NULL : key_value_of_run(j, s, &row, t),
                   *key = value ? normal_key_text(&j->file.arena, value, numbers) : NULL;
        size_t n = 0;
        const struct keyed *found = j->by_job ? find_job_rows(j, s->run, &n)
                                    : key     ? find_keyed_rows(j, key, &n)
                                              : NULL;
        rc = (value && !key) ? -1 : give_row_to_run(j, s, n == 1 ? found : NULL);
        for (size_t k = 0; k < n; k++)
            j->used[found[k].row] = true;
        j->lone += n == 0;
        j->several += n > 1;
    }
    smi_field_values_fini(&row);
    return rc;
}

static void report_join(const struct join *j, struct smi_buf *said)
{
    size_t unused = 0;
    const struct {
        const size_t *n;
        const char *one, *many;
    } what[] = {{&j->lone, "run has no row in it", "runs have no row in it"},
                {&j->several, "run has several rows in it; none of them is joined",
                 "runs have several rows in it; none of them is joined"},
                {&unused, "of its rows belongs to no run", "of its rows belong to no run"},
                {&j->file.wide, "of its rows has more cells than the head: what is too much is left out",
                 "of its rows have more cells than the head: what is too much is left out"}};
    for (size_t i = 0; i < j->file.rows; i++)
        unused += !j->used[i];
    for (size_t i = 0; i < sizeof what / sizeof *what; i++)
        if (*what[i].n) {
            smi_buf_fmt(said, "%s: %zu %s", j->path, *what[i].n,
                        *what[i].n == 1 ? what[i].one : what[i].many);
            smi_buf_char(said, 0);
        }
}

int smi_query_join(struct smi_sweep *s, const char *arg, struct smi_buf *said, struct smi_err *err)
{
    struct join j = {.sweep = s};
    const char *colon = access(arg, F_OK) ? strrchr(arg, ':') : NULL;
    char *path = smi_mem_text(arg, colon ? (size_t)(colon - arg) : strlen(arg));
    int rc = 0;
    bool numbers;
    if (!rc && (!*path || (colon && !colon[1])))
        rc = smi_err_set(err, SMI_EUSAGE, "--join needs FILE.csv or FILE.csv:KEY, not \"%.200s\"", arg);
    j.path = path;
    rc = rc ? rc : read_csv_file(&j.file, path, SMI_QUERY_JOIN_BYTES, SMI_QUERY_JOIN_COLUMNS, err);
    rc = rc ? rc : choose_key(&j, colon ? colon + 1 : NULL, err);
    numbers = !rc && (j.param || smi_run_fields[j.column].kind != SMI_DATUM_TEXT);
    if (!rc) {
        name_joined_columns(&j, said);
        report_figure_values(&j, said);
        key_rows(&j, numbers);
        match_rows(&j, numbers);
        report_join(&j, said);
    }
    free_csv_file(&j.file);
    smi_mem_free(path);
    return rc;
}
