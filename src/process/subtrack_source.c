/* subtrack_source.c - files of rows: CSV by libcsv, SQLite by its own library, told by how they begin. */
#include "process/subtrack_private.h"

#include "base/file.h"

#include <csv.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PIECE = 65536 };

static const char magic[] = "SQLite format 3"; /* with its NUL */

struct reader {
    struct smi_sub_source *source;
    smi_sub_row_fn *take;
    void *self;
    struct smi_buf bytes; /* of the cells of this row */
    size_t *end;          /* of each in bytes */
    struct smi_text *cell;
    size_t n, ends_cap, cells_cap, row;
    bool ending; /* the file is over: a row that comes now was never finished */
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

int smi_sub_skip_row(struct smi_sub_source *s, size_t row, const char *why, struct smi_err *err)
{
    s->odd++;
    return s->odd > SMI_SUB_WARNINGS
               ? 0
               : smi_sub_warn(s->notes, err, "%.*s: row %zu: %s", SMI_SUB_SHOWN, s->path, row, why);
}

int smi_sub_skipped_end(struct smi_sub_source *s, struct smi_err *err)
{
    return s->odd <= SMI_SUB_WARNINGS ? 0
                                      : smi_sub_warn(s->notes, err, "%.*s: %zu more such rows", SMI_SUB_SHOWN,
                                                     s->path, s->odd - SMI_SUB_WARNINGS);
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
    return r->take(r->self, r->cell, r->n, r->row, r->err);
}

static int warn_unfinished(struct reader *r)
{
    r->source->notes->torn++;
    return smi_sub_warn(r->source->notes, r->err, "%.*s: row %zu: unfinished last line", SMI_SUB_SHOWN,
                        r->source->path, r->row);
}

static void end_csv_row(int end, void *self)
{
    struct reader *r = self;
    (void)end;
    if (!r->rc) {
        r->row++;
        r->rc = r->ending ? warn_unfinished(r) : pass_row(r);
    }
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

/* The rows of the file, of which the first n bytes are in piece. */
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
    smi_sub_row_fn *take;
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

int smi_sub_read(struct smi_sub_source *s, const char *kind, const char *const *tables, size_t n,
                 smi_sub_row_fn *take, void *self, struct smi_err *err)
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
    return rc ? -1 : smi_sub_skipped_end(s, err);
}
