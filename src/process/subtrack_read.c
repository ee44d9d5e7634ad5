#include "base/file.h"
#include "base/json.h"
#include "base/real.h"
#include "process/subtrack.h"

#include <csv.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WARNINGS_MAX = 5 /* of one file */ };

/* Takes a row: a header or readings. number: for messages; the first row of a CSV file has 1, and so has the
 * first row of readings in a database. Returns 0, or -1 with err. */
typedef int row_fn(void *self, const struct smi_text *cell, size_t n, size_t number, struct smi_err *err);

struct sub_source {
    const char *path;
    struct smi_sub_warnings *notes;
    size_t odd; /* rows that were left out */
    /* Is a last row whole that has no line end? NULL: never. */
    bool (*whole)(void *self, const struct smi_text *cell, size_t n);
};

/* ---- files of rows ---- */

/* CSV by libcsv, SQLite by its own library, told by how they begin. */

enum { PIECE = 65536 };

static const char magic[] = "SQLite format 3"; /* with its NUL */

struct reader {
    struct sub_source *source;
    row_fn *take;
    void *self;
    struct smi_buf bytes; /* of the cells of this row */
    size_t *end;          /* of each in bytes */
    struct smi_text *cell;
    size_t n, ends_cap, cells_cap, row;
    bool ending; /* the file is over: a row that comes now has no line end */
    struct smi_err *err;
    int rc;
};

int smi_sub_warn(struct smi_sub_warnings *notes, struct smi_err *err, const char *fmt, ...)
{
    char text[512];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    smi_buf_add(&notes->text, text, strlen(text) + 1);
    notes->n++;
    return notes->text.failed ? smi_err_nomem(err) : 0;
}

/* A row that is none: noted, of the first few. Returns 0, or -1 with err. */
static int skip_row(struct sub_source *s, size_t row, const char *why, struct smi_err *err)
{
    s->odd++;
    return s->odd > WARNINGS_MAX
               ? 0
               : smi_sub_warn(s->notes, err, "%.*s: row %zu: %s", SMI_SUB_SHOWN, s->path, row, why);
}

/* Says how many more there were. */
static int end_skipped(struct sub_source *s, struct smi_err *err)
{
    return s->odd <= WARNINGS_MAX ? 0
                                  : smi_sub_warn(s->notes, err, "%.*s: %zu more such rows", SMI_SUB_SHOWN,
                                                 s->path, s->odd - WARNINGS_MAX);
}

/* Blanks around cells are part of them. */
static int is_no_blank(unsigned char c)
{
    (void)c;
    return 0;
}

static void end_csv_cell(void *p, size_t n, void *self)
{
    struct reader *r = self;
    if (r->rc)
        return;
    if (n)
        smi_buf_add(&r->bytes, p, n);
    if (r->bytes.failed || smi_mem_reserve(&r->end, &r->ends_cap, r->n + 1, sizeof *r->end)) {
        r->rc = smi_err_nomem(r->err);
        return;
    }
    r->end[r->n++] = r->bytes.n;
}

static int pass_row(struct reader *r)
{
    static const char mark[] = "\xEF\xBB\xBF"; /* of the byte order */
    size_t from = 0;
    if (smi_mem_reserve(&r->cell, &r->cells_cap, r->n, sizeof *r->cell))
        return smi_err_nomem(r->err);
    for (size_t i = 0; i < r->n; from = r->end[i++])
        r->cell[i] = (struct smi_text){r->bytes.p ? r->bytes.p + from : "", r->end[i] - from};
    if (r->row == 1 && smi_text_starts_nocase(r->cell[0], mark))
        r->cell[0] = (struct smi_text){r->cell[0].p + 3, r->cell[0].n - 3};
    if (r->ending && !(r->source->whole && r->source->whole(r->self, r->cell, r->n))) {
        r->source->notes->torn++;
        return smi_sub_warn(r->source->notes, r->err, "%.*s: row %zu: unfinished last line", SMI_SUB_SHOWN,
                            r->source->path, r->row);
    }
    return r->take(r->self, r->cell, r->n, r->row, r->err);
}

static void end_csv_row(int end, void *self)
{
    struct reader *r = self;
    (void)end;
    r->row++;
    if (!r->rc)
        r->rc = pass_row(r);
    smi_buf_clear(&r->bytes);
    r->n = 0;
}

static int parse_piece(struct reader *r, struct csv_parser *csv, const char *p, size_t n)
{
    if (csv_parse(csv, p, n, end_csv_cell, end_csv_row, r) != n && !r->rc)
        r->rc = smi_err_nomem(r->err);
    if (!r->rc && csv_get_buffer_size(csv) > SMI_SUB_ROW_MAX)
        r->rc = smi_err_set(r->err, SMI_EFORMAT,
                            "%.*s: row %zu: a quote is not closed, or it is longer than %d MiB",
                            SMI_SUB_SHOWN, r->source->path, r->row + 1, SMI_SUB_ROW_MAX >> 20);
    return r->rc;
}

/* The rows of the file; piece holds its first n bytes. */
static int read_csv(struct reader *r, int fd, char *piece, ssize_t n)
{
    struct csv_parser csv;
    if (csv_init(&csv, 0))
        return smi_err_nomem(r->err);
    csv_set_space_func(&csv, is_no_blank);
    while (n > 0 && parse_piece(r, &csv, piece, (size_t)n) == 0)
        n = smi_file_read(fd, piece, PIECE, r->source->path, r->err);
    if (n < 0)
        r->rc = -1;
    r->ending = true;
    if (!r->rc && csv_fini(&csv, end_csv_cell, end_csv_row, r) != 0 && !r->rc)
        r->rc = smi_err_nomem(r->err);
    csv_free(&csv);
    smi_buf_fini(&r->bytes);
    smi_mem_free(r->end);
    smi_mem_free(r->cell);
    return r->rc;
}

/* ---- SQLite ---- */

struct database {
    sqlite3 *db;
    const char *path, *kind;
    struct smi_buf bytes;  /* the texts of a row */
    struct smi_text *cell; /* n of them */
    size_t n, cap;
    row_fn *take;
    void *self;
};

static int database_error(const struct database *d, int code, struct smi_err *err)
{
    if ((code & 0xFF) == SQLITE_NOMEM)
        return smi_err_nomem(err);
    return smi_err_set(err, SMI_EFORMAT, "%.*s: is no %s: %s", SMI_SUB_SHOWN, d->path, d->kind,
                       d->db ? sqlite3_errmsg(d->db) : sqlite3_errstr(code));
}

/* Appends a value as a CSV file would have it, exactly. */
static void put_value(struct smi_buf *to, sqlite3_stmt *st, int at)
{
    char text[SMI_REAL_TEXT];
    const char *p = NULL;
    if (sqlite3_column_type(st, at) == SQLITE_FLOAT) {
        smi_real_write(text, sqlite3_column_double(st, at));
        smi_buf_str(to, text);
        return;
    }
    p = (const char *)sqlite3_column_text(st, at);
    if (p)
        smi_buf_add(to, p, (size_t)sqlite3_column_bytes(st, at));
}

/* Passes the names of a table's columns on, or the row at hand. */
static int pass_record(struct database *d, sqlite3_stmt *st, bool names, size_t number, struct smi_err *err)
{
    size_t n = (size_t)sqlite3_column_count(st), from = 0;
    if (smi_mem_reserve(&d->cell, &d->cap, n, sizeof *d->cell))
        return smi_err_nomem(err);
    smi_buf_clear(&d->bytes);
    for (size_t i = 0; i < n; from = d->bytes.n, i++) {
        if (names)
            smi_buf_str(&d->bytes, sqlite3_column_name(st, (int)i));
        else
            put_value(&d->bytes, st, (int)i);
        d->cell[i] = (struct smi_text){NULL, d->bytes.n - from};
    }
    if (d->bytes.failed || smi_buf_grow(&d->bytes, 1))
        return smi_err_nomem(err);
    for (size_t i = 0, at = 0; i < n; at += d->cell[i++].n)
        d->cell[i].p = d->bytes.p + at;
    return d->take(d->self, d->cell, n, number, err);
}

static int read_table(struct database *d, const char *table, bool first_only, struct smi_err *err)
{
    char sql[80];
    sqlite3_stmt *st = NULL;
    size_t number = 0;
    int code, rc;
    snprintf(sql, sizeof sql, "SELECT * FROM %s", table);
    code = sqlite3_prepare_v2(d->db, sql, -1, &st, NULL);
    rc = code == SQLITE_OK ? pass_record(d, st, true, 0, err) : database_error(d, code, err);
    while (!rc && !(first_only && number) && (code = sqlite3_step(st)) == SQLITE_ROW)
        rc = pass_record(d, st, false, ++number, err);
    if (!rc && code != SQLITE_DONE && code != SQLITE_ROW)
        rc = database_error(d, code, err);
    if (!rc && first_only && !number)
        rc = smi_err_set(err, SMI_EFORMAT, "%.*s: is no %s: %s has no row", SMI_SUB_SHOWN, d->path, d->kind,
                         table);
    sqlite3_finalize(st);
    return rc;
}

static int read_database(struct database *d, const char *const *tables, size_t n, struct smi_err *err)
{
    struct smi_buf name = {0};
    int code, rc;
    smi_buf_fmt(&name, "%s%s", *d->path == '/' ? "" : "./", d->path); /* no word that SQLite knows */
    code = name.failed ? SQLITE_NOMEM : sqlite3_open_v2(name.p, &d->db, SQLITE_OPEN_READONLY, NULL);
    smi_buf_fini(&name);
    if (code == SQLITE_OK)
        code = sqlite3_db_config(d->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    rc = code == SQLITE_OK ? 0 : database_error(d, code, err);
    for (size_t i = 0; i < n && !rc; i++)
        rc = read_table(d, tables[i], i + 1 < n, err);
    sqlite3_close(d->db);
    smi_buf_fini(&d->bytes);
    smi_mem_free(d->cell);
    return rc;
}

/* Reads the file at s->path, CSV or SQLite by its content, and calls take for every row. Of a database the
 * rows are those of a CSV file with the same content: of each table its columns' names, then its rows; of
 * every table but the last the first row alone. kind: what the file should be, for messages. Returns 0, or -1
 * with err. */
static int read_rows(struct sub_source *s, const char *kind, const char *const *tables, size_t n,
                     row_fn *take, void *self, struct smi_err *err)
{
    struct reader r = {.source = s, .take = take, .self = self, .err = err};
    struct database d = {.path = s->path, .kind = kind, .take = take, .self = self};
    struct smi_file_info info;
    char *piece = smi_mem_raw(PIECE);
    int fd = piece ? smi_file_open(AT_FDCWD, s->path, true, &info, err) : smi_err_nomem(err), rc = -1;
    ssize_t got = fd < 0 ? -1 : smi_file_read(fd, piece, PIECE, s->path, err);
    if (got >= (ssize_t)sizeof magic && memcmp(piece, magic, sizeof magic) == 0)
        rc = read_database(&d, tables, n, err);
    else if (got >= 0)
        rc = read_csv(&r, fd, piece, got);
    if (fd >= 0)
        close(fd);
    smi_mem_free(piece);
    return rc ? -1 : end_skipped(s, err);
}

/* Finds the places of n columns among the cells. Returns the name of one that is missing, or NULL. */
static const char *find_columns(const struct smi_usage_column *column, size_t n, const struct smi_text *cell,
                                size_t cells, size_t *place)
{
    for (size_t k = 0; k < n; k++) {
        size_t i = 0;
        while (i < cells && !smi_text_is(cell[i], column[k].name))
            i++;
        if (i == cells)
            return column[k].name;
        place[k] = i;
    }
    return NULL;
}

/* ---- a tracking file ---- */

/* A tracking file: what never changes, and a row an instant. See formats/gpu_tracker.c
 * for how it looks. */

static const char track_kind[] = "tracking file";

enum { TIMESTAMP = SMI_USAGE_COLUMNS - 1 };

struct track_reader {
    struct sub_source source; /* first */
    struct smi_sub_track *track;
    enum { NAMES, VALUES, HEADER, ROWS } next;
    size_t fixed[SMI_USAGE_STATIC], fixed_width;
    size_t place[SMI_USAGE_COLUMNS], width;
};

static int missing_column(const struct track_reader *r, const char *name, struct smi_err *err)
{
    return smi_err_set(err, SMI_EFORMAT, "%.*s: is no %s: it has no column %s", SMI_SUB_SHOWN, r->source.path,
                       track_kind, name);
}

static bool is_missing(struct smi_text t)
{
    return !t.n || smi_text_is_nan(t) || smi_text_is_nocase(t, "null") || smi_text_is_nocase(t, "none");
}

/* A value that never changes, as what it is written. Returns 0, or -1 without memory. */
static int read_static_cell(struct smi_sub_track *t, struct smi_text cell, struct smi_usage_cell *to)
{
    smi_i128 whole;
    *to = (struct smi_usage_cell){.kind = SMI_USAGE_NONE};
    if (is_missing(cell))
        return 0;
    if (smi_i128_parse(cell.p, cell.n, &whole) == 0 && whole >= INT64_MIN && whole <= INT64_MAX) {
        to->kind = SMI_USAGE_COUNT;
        to->count = (int64_t)whole;
    } else if (smi_real_parse(cell, &to->real) == 0) {
        to->kind = SMI_USAGE_REAL;
    } else {
        to->kind = SMI_USAGE_WORD;
        to->word = smi_arena_text(&t->arena, cell.p, cell.n);
    }
    return to->kind == SMI_USAGE_WORD && !to->word ? -1 : 0;
}

static int read_values(struct track_reader *r, const struct smi_text *cell, size_t n, struct smi_err *err)
{
    if (n != r->fixed_width)
        return smi_err_set(err, SMI_EFORMAT,
                           "%.*s: is no %s: its second row has not as many cells as the first", SMI_SUB_SHOWN,
                           r->source.path, track_kind);
    for (int k = 0; k < SMI_USAGE_STATIC; k++)
        if (read_static_cell(r->track, cell[r->fixed[k]], &r->track->fixed[k]))
            return smi_err_nomem(err);
    return 0;
}

static int read_reading(struct track_reader *r, const struct smi_text *cell, size_t n, size_t number,
                        struct smi_err *err)
{
    double *v;
    char why[128];
    if (smi_mem_reserve(&r->track->row, &r->track->cap, r->track->n + 1, sizeof *r->track->row))
        return smi_err_nomem(err);
    v = r->track->row[r->track->n];
    if (n != r->width)
        return skip_row(&r->source, number, "another number of cells than the header has", err);
    for (int k = 0; k < SMI_USAGE_COLUMNS; k++) {
        struct smi_text c = cell[r->place[k]];
        v[k] = (double)NAN;
        if (is_missing(c) || smi_real_parse(c, &v[k]) == 0)
            continue;
        snprintf(why, sizeof why, "%s is no number%s", smi_usage_columns[k].name,
                 k == TIMESTAMP ? "" : ": taken as missing");
        if (skip_row(&r->source, number, why, err))
            return -1;
        if (k == TIMESTAMP)
            return 0;
    }
    if (isnan(v[TIMESTAMP]))
        return skip_row(&r->source, number, "it has no timestamp", err);
    r->track->n++;
    return 0;
}

static int read_track_row(void *self, const struct smi_text *cell, size_t n, size_t number,
                          struct smi_err *err)
{
    struct track_reader *r = self;
    const char *missing = NULL;
    if (r->next == ROWS)
        return read_reading(r, cell, n, number, err);
    if (r->next == VALUES && read_values(r, cell, n, err))
        return -1;
    if (r->next == NAMES) {
        missing = find_columns(smi_usage_statics, SMI_USAGE_STATIC, cell, n, r->fixed);
        r->fixed_width = n;
    } else if (r->next == HEADER) {
        missing = find_columns(smi_usage_columns, SMI_USAGE_COLUMNS, cell, n, r->place);
        r->width = n;
    }
    r->next++;
    return missing ? missing_column(r, missing, err) : 0;
}

int smi_sub_track_read(struct smi_sub_track *t, const char *path, struct smi_sub_warnings *notes,
                       struct smi_err *err)
{
    static const char *const tables[] = {"static_data", "data"};
    struct track_reader r = {.source = {.path = path, .notes = notes}, .track = t};
    int rc = read_rows(&r.source, track_kind, tables, 2, read_track_row, &r, err);
    if (rc == 0 && r.next != ROWS)
        rc = smi_err_set(err, SMI_EFORMAT, "%.*s: is no %s: it ends before its rows begin", SMI_SUB_SHOWN,
                         path, track_kind);
    return rc;
}

void smi_sub_track_fini(struct smi_sub_track *t)
{
    smi_mem_free(t->row);
    smi_arena_fini(&t->arena);
    *t = (struct smi_sub_track){0};
}

/* ---- a sub-tracking file ---- */

/* A sub-tracking file to rows, and rows to a sub-tracking file.
 *
 *     process_id,code_block_name,position,timestamp
 *     1723811,train.py:12,0,1745449609.7528222
 *     1723811,train.py:12,1,1745449613.5325918 */

enum { PID, NAME, POSITION, TIME, COLUMNS };

static const struct smi_usage_column columns[COLUMNS] = {{"process_id", SMI_USAGE_COUNT},
                                                         {"code_block_name", SMI_USAGE_WORD},
                                                         {"position", SMI_USAGE_COUNT},
                                                         {"timestamp", SMI_USAGE_REAL}};
static const char rows_kind[] = "sub-tracking file";

struct rows_reader {
    struct sub_source source; /* first */
    struct smi_sub_rows *rows;
    size_t place[COLUMNS], width; /* of each column among the cells; width 0: no header yet */
};

/* Where a name stands, or would have to. */
static size_t find_name(const struct smi_sub_rows *r, struct smi_text t, bool *there)
{
    size_t low = 0, high = r->names;
    *there = false;
    while (low < high) {
        size_t mid = low + (high - low) / 2, n = strlen(r->name[mid]);
        int c = memcmp(r->name[mid], t.p, n < t.n ? n : t.n);
        c = c ? c : n < t.n ? -1 : n > t.n;
        if (c == 0) {
            *there = true;
            return mid;
        }
        if (c < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

/* The name, kept once; NULL without memory. */
static const char *keep_name(struct smi_sub_rows *r, struct smi_text t)
{
    bool there;
    size_t at = find_name(r, t, &there);
    const char *copy;
    if (there)
        return r->name[at];
    if (smi_mem_reserve(&r->name, &r->names_cap, r->names + 1, sizeof *r->name) ||
        !(copy = smi_arena_text(&r->arena, t.p, t.n)))
        return NULL;
    memmove(&r->name[at + 1], &r->name[at], (r->names - at) * sizeof *r->name);
    r->name[at] = copy;
    r->names++;
    return copy;
}

static int append_row(struct rows_reader *r, struct smi_sub_row row, struct smi_text name,
                      struct smi_err *err)
{
    struct smi_sub_rows *to = r->rows;
    row.name = keep_name(to, name);
    if (!row.name || smi_mem_reserve(&to->row, &to->cap, to->n + 1, sizeof *to->row))
        return smi_err_nomem(err);
    to->row[to->n++] = row;
    return 0;
}

/* Why it is no row; NULL: it is one. */
static const char *parse_row(const struct rows_reader *r, const struct smi_text *cell,
                             struct smi_sub_row *row)
{
    struct smi_text pid = cell[r->place[PID]], name = cell[r->place[NAME]];
    struct smi_text position = cell[r->place[POSITION]];
    smi_i128 v;
    if (smi_i128_parse(pid.p, pid.n, &v) || v < INT64_MIN || v > INT64_MAX)
        return "process_id is no whole number";
    row->pid = (int64_t)v;
    if (!name.n || memchr(name.p, 0, name.n))
        return "code_block_name is empty";
    if (!smi_text_is(position, "0") && !smi_text_is(position, "1"))
        return "position is neither 0 nor 1";
    row->position = *position.p == '1';
    return smi_real_parse(cell[r->place[TIME]], &row->t) ? "timestamp is no number" : NULL;
}

static int read_sub_row(void *self, const struct smi_text *cell, size_t n, size_t number, struct smi_err *err)
{
    struct rows_reader *r = self;
    struct smi_sub_row row = {0};
    const char *why = "another number of cells than the first line has";
    if (!r->width && find_columns(columns, COLUMNS, cell, n, r->place))
        return smi_err_set(err, SMI_EFORMAT,
                           "%.*s: is no %s: its first line has to name process_id, code_block_name, "
                           "position and timestamp",
                           SMI_SUB_SHOWN, r->source.path, rows_kind);
    if (!r->width) {
        r->width = n;
        return 0;
    }
    if (n == r->width &&
        smi_text_is(cell[r->place[PID]], columns[PID].name)) /* files put behind each other */
        return 0;
    if (n == r->width)
        why = parse_row(r, cell, &row);
    return why ? skip_row(&r->source, number, why, err) : append_row(r, row, cell[r->place[NAME]], err);
}

/* What may be cut off behind the point of a time is less than 0.1 s. */
static bool is_sub_row_whole(void *self, const struct smi_text *cell, size_t n)
{
    const struct rows_reader *r = self;
    struct smi_sub_row row;
    return n == r->width && r->place[TIME] == n - 1 && !parse_row(r, cell, &row) &&
           memchr(cell[n - 1].p, '.', cell[n - 1].n - 1);
}

int smi_sub_rows_read(struct smi_sub_rows *to, const char *path, struct smi_sub_warnings *notes,
                      struct smi_err *err)
{
    static const char *const tables[] = {"data"};
    struct rows_reader r = {.source = {.path = path, .notes = notes, .whole = is_sub_row_whole}, .rows = to};
    int rc = read_rows(&r.source, rows_kind, tables, 1, read_sub_row, &r, err);
    if (rc == 0 && !r.width)
        rc = smi_err_set(err, SMI_EFORMAT, "%.*s: is no %s: it is empty", SMI_SUB_SHOWN, path, rows_kind);
    return rc;
}

void smi_sub_rows_fini(struct smi_sub_rows *r)
{
    smi_mem_free(r->row);
    smi_mem_free(r->name);
    smi_arena_fini(&r->arena);
    *r = (struct smi_sub_rows){0};
}

/* ---- several sub-tracking files ---- */

/* The files that are to be combined: those named, and those in directories that are
 * named. */

struct work {
    struct smi_sub_rows *rows;
    struct smi_sub_warnings *notes;
    struct smi_file_info *seen; /* what was read: nothing counts twice */
    size_t n, cap;
};

/* Was the file read already? Returns 1, 0, or -1 with err. */
static int seen_before(struct work *w, const char *path, struct smi_err *err)
{
    struct smi_file_info id;
    if (!smi_file_id(path, &id))
        return 0;
    for (size_t i = 0; i < w->n; i++)
        if (w->seen[i].dev == id.dev && w->seen[i].ino == id.ino)
            return smi_sub_warn(w->notes, err, "%.*s: is given twice, and read once", SMI_SUB_SHOWN, path)
                       ? -1
                       : 1;
    if (smi_mem_reserve(&w->seen, &w->cap, w->n + 1, sizeof *w->seen))
        return smi_err_nomem(err);
    w->seen[w->n++] = id;
    return 0;
}

/* A file of a directory that is none is passed over. Returns 1 if it was read, 0, or -1 with err. */
static int try_file(struct work *w, const char *path, struct smi_err *err)
{
    struct smi_err why = {0};
    size_t before = w->rows->n;
    int seen = seen_before(w, path, err);
    if (seen)
        return seen;
    if (smi_sub_rows_read(w->rows, path, w->notes, &why) == 0)
        return 1;
    w->rows->n = before;
    if (why.code == SMI_ENOMEM)
        return smi_err_nomem(err);
    return smi_sub_warn(w->notes, err, "passed over: %s", why.text);
}

/* The names of the regular files of a directory, in order. Returns 0, or -1 with err. */
static int list_directory(const char *path, struct smi_arena *arena, const char ***name, size_t *n,
                          struct smi_err *err)
{
    size_t cap = 0;
    struct smi_buf b = {0};
    const struct dirent *d;
    struct stat st;
    int rc = 0;
    DIR *dir = opendir(path);
    if (!dir)
        return smi_err_set(err, SMI_EIO, "cannot open %.*s: %s", SMI_SUB_SHOWN, path, strerror(errno));
    while (!rc && (d = readdir(dir))) {
        smi_buf_clear(&b);
        smi_buf_fmt(&b, "%s%s%s", path, path[strlen(path) - 1] == '/' ? "" : "/", d->d_name);
        if (b.failed || smi_mem_reserve(name, &cap, *n + 1, sizeof **name))
            rc = smi_err_nomem(err);
        else if (*d->d_name != '.' && stat(b.p, &st) == 0 && S_ISREG(st.st_mode) &&
                 !((*name)[(*n)++] = smi_arena_text(arena, b.p, b.n)))
            rc = smi_err_nomem(err);
    }
    closedir(dir);
    smi_buf_fini(&b);
    if (!rc)
        smi_sort(*name, *n, sizeof **name, smi_compare_strings);
    return rc;
}

/* Are the rows from `next` on those before it, from `last` on: of the same file as CSV and as a database? */
static bool repeats_rows(const struct smi_sub_rows *r, size_t last, size_t next)
{
    bool same = r->n > next && r->n - next == next - last;
    for (size_t i = next; i < r->n && same; i++) {
        const struct smi_sub_row *a = &r->row[i - next + last], *b = &r->row[i];
        same = a->pid == b->pid && a->position == b->position && a->t >= b->t && a->t <= b->t &&
               strcmp(a->name, b->name) == 0;
    }
    return same;
}

static int collect_directory(struct work *w, const char *path, struct smi_err *err)
{
    struct smi_arena arena = {0};
    const char **name = NULL;
    size_t n = 0, last = w->rows->n;
    int rc = list_directory(path, &arena, &name, &n, err), got = 0, some = 0;
    for (size_t i = 0; !rc && i < n; i++) {
        const size_t next = w->rows->n;
        got = try_file(w, name[i], err);
        some |= got > 0;
        rc = got < 0 ? -1 : 0;
        if (repeats_rows(w->rows, last, next)) {
            w->rows->n = next;
            rc = smi_sub_warn(w->notes, err, "passed over: %.*s: has the rows of the file before it",
                              SMI_SUB_SHOWN, name[i]);
        } else if (w->rows->n > next) {
            last = next;
        }
    }
    if (!rc && !some)
        rc = smi_err_set(err, SMI_EFORMAT, "%.*s: has no sub-tracking file", SMI_SUB_SHOWN, path);
    smi_mem_free(name);
    smi_arena_fini(&arena);
    return rc;
}

int smi_sub_rows_collect(struct smi_sub_rows *r, const char *const *path, size_t n,
                         struct smi_sub_warnings *notes, struct smi_err *err)
{
    struct work w = {.rows = r, .notes = notes};
    struct stat st;
    int rc = 0, seen;
    for (size_t i = 0; !rc && i < n; i++) {
        if (stat(path[i], &st) == 0 && S_ISDIR(st.st_mode)) {
            rc = collect_directory(&w, path[i], err);
            continue;
        }
        seen = seen_before(&w, path[i], err);
        rc = seen < 0 ? -1 : seen ? 0 : smi_sub_rows_read(r, path[i], notes, err);
    }
    smi_mem_free(w.seen);
    return rc;
}
