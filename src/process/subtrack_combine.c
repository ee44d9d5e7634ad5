/* subtrack_combine.c - rows of many sub-tracking files as one. */
#include "base/json.h"
#include "base/real.h"
#include "process/subtrack.h"

#include "base/file.h"

#include <errno.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/stat.h>

enum { CSV, DATABASE };
enum { PIECE = 1 << 16 /* bytes that are written at once */ };

static int file_ending(const char *path)
{
    static const char *const endings[] = {".csv", ".sqlite"};
    size_t n = strlen(path);
    for (int i = 0; i < 2; i++)
        if (n > strlen(endings[i]) && strcmp(path + n - strlen(endings[i]), endings[i]) == 0)
            return i;
    return -1;
}

int smi_sub_rows_check(const char *path, struct smi_err *err)
{
    struct stat st;
    if (file_ending(path) < 0)
        return smi_err_set(err, SMI_EUSAGE, "%.*s: its name has to end in .csv or .sqlite", SMI_SUB_SHOWN,
                           path);
    if (lstat(path, &st) == 0)
        return smi_err_set(err, SMI_EIO, "%.*s: is there already, and is not overwritten", SMI_SUB_SHOWN,
                           path);
    return errno == ENOENT
               ? 0
               : smi_err_set(err, SMI_EIO, "cannot create %.*s: %s", SMI_SUB_SHOWN, path, strerror(errno));
}

/* Quoted where it has to be. */
static void write_csv_cell(struct smi_buf *to, const char *text)
{
    if (!strpbrk(text, ",\"\r\n")) {
        smi_buf_str(to, text);
        return;
    }
    smi_buf_char(to, '"');
    for (const char *p = text; *p; p++) {
        if (*p == '"')
            smi_buf_char(to, '"');
        smi_buf_char(to, *p);
    }
    smi_buf_char(to, '"');
}

static int write_csv(const struct smi_sub_rows *r, struct smi_file_out *out, struct smi_err *err)
{
    struct smi_buf b = {0};
    char time[SMI_REAL_TEXT];
    int rc = 0;
    smi_buf_str(&b, "process_id,code_block_name,position,timestamp\n");
    for (size_t i = 0; i < r->n && !rc; i++) {
        const struct smi_sub_row *row = &r->row[i];
        smi_real_write(time, row->t);
        smi_buf_fmt(&b, "%lld,", (long long)row->pid);
        write_csv_cell(&b, row->name);
        smi_buf_fmt(&b, ",%d,%s\n", row->position, time);
        if (b.failed || b.n < PIECE)
            continue;
        rc = smi_file_write(out->fd, b.p, b.n, out->path, err);
        smi_buf_clear(&b);
    }
    if (!rc)
        rc = b.failed ? smi_err_nomem(err) : smi_file_write(out->fd, b.p, b.n, out->path, err);
    smi_buf_fini(&b);
    return rc;
}

static int insert_rows(const struct smi_sub_rows *r, sqlite3 *db)
{
    sqlite3_stmt *st = NULL;
    int code = sqlite3_exec(db,
                            "BEGIN; CREATE TABLE data (process_id INTEGER, code_block_name VARCHAR, "
                            "position INTEGER, timestamp FLOAT)",
                            NULL, NULL, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_prepare_v2(db, "INSERT INTO data VALUES (?, ?, ?, ?)", -1, &st, NULL);
    for (size_t i = 0; i < r->n && code == SQLITE_OK; i++) {
        const struct smi_sub_row *row = &r->row[i];
        code = sqlite3_bind_int64(st, 1, row->pid);
        code = code ? code : sqlite3_bind_text(st, 2, row->name, -1, SQLITE_STATIC);
        code = code ? code : sqlite3_bind_int(st, 3, row->position);
        code = code ? code : sqlite3_bind_double(st, 4, row->t);
        code = code ? code : sqlite3_step(st);
        code = code == SQLITE_DONE ? sqlite3_reset(st) : code;
    }
    sqlite3_finalize(st);
    return code ? code : sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
}

/* The database is made in memory and written at once: a reader never sees half of it. */
static int write_database(const struct smi_sub_rows *r, struct smi_file_out *out, struct smi_err *err)
{
    sqlite3 *db = NULL;
    sqlite3_int64 n = 0;
    unsigned char *all = NULL;
    int rc, code = sqlite3_open(":memory:", &db);
    if (code == SQLITE_OK)
        code = insert_rows(r, db);
    if (code == SQLITE_OK)
        all = sqlite3_serialize(db, "main", &n, 0);
    if (all)
        rc = smi_file_write(out->fd, (const char *)all, (size_t)n, out->path, err);
    else
        rc = code == SQLITE_OK || (code & 0xFF) == SQLITE_NOMEM
                 ? smi_err_nomem(err)
                 : smi_err_set(err, SMI_EIO, "cannot write %.*s: %s", SMI_SUB_SHOWN, out->path,
                               sqlite3_errmsg(db));
    sqlite3_free(all);
    sqlite3_close(db);
    return rc;
}

int smi_sub_rows_write(const struct smi_sub_rows *r, const char *path, struct smi_err *err)
{
    struct smi_file_out out = {.fd = -1};
    int rc;
    if (smi_sub_rows_check(path, err) || smi_file_create(&out, path, err))
        return -1;
    rc = file_ending(path) == CSV ? write_csv(r, &out, err) : write_database(r, &out, err);
    return smi_file_close(&out, rc == 0, err) || rc ? -1 : 0;
}
