#include "process/usage_private.h"

#include "base/file.h"
#include "base/mem.h"
#include "base/real.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SHOWN = 300 }; /* bytes of a path in a message */

static int file_error(struct smi_err *err, const char *verb, const char *path)
{
    return smi_err_set(err, SMI_EIO, "cannot %s %.*s: %s", verb, SHOWN, path, strerror(errno));
}

static bool ends_with(const char *path, const char *ending)
{
    size_t n = strlen(path), k = strlen(ending);
    return n >= k && strcmp(path + n - k, ending) == 0;
}

/* ---- CSV ---- */

static void write_csv_cells(struct smi_buf *to, const struct smi_usage_cell *cell, int n)
{
    char text[SMI_REAL_TEXT + SMI_I128_TEXT];
    for (int i = 0; i < n; i++) {
        *text = 0;
        if (cell[i].kind == SMI_USAGE_COUNT)
            smi_i128_write(text, cell[i].count);
        else if (cell[i].kind == SMI_USAGE_REAL)
            smi_real_write(text, cell[i].real);
        smi_buf_fmt(to, "%s%s", i ? "," : "", cell[i].kind == SMI_USAGE_WORD ? cell[i].word : text);
    }
    smi_buf_str(to, "\r\n");
}

static void write_csv_names(struct smi_buf *to, const struct smi_usage_column *column, int n)
{
    for (int i = 0; i < n; i++)
        smi_buf_fmt(to, "%s%s", i ? "," : "", column[i].name);
    smi_buf_str(to, "\r\n");
}

/* Writes f->line. What a full disk cuts short is taken back. */
static int append_line(struct smi_usage_file *f, struct smi_err *err)
{
    off_t size = lseek(f->fd, 0, SEEK_END);
    if (f->line.failed)
        return smi_err_nomem(err);
    if (size < 0)
        return file_error(err, "write", f->path);
    if (smi_file_write(f->fd, f->line.p, f->line.n, f->path, err) == 0)
        return 0;
    (void)!ftruncate(f->fd, size);
    return -1;
}

static int begin_csv(struct smi_usage_file *f, struct smi_err *err)
{
    struct smi_usage_cell cell[SMI_USAGE_STATIC];
    smi_usage_static_cells(cell, &f->machine, &f->units);
    write_csv_names(&f->line, smi_usage_statics, SMI_USAGE_STATIC);
    write_csv_cells(&f->line, cell, SMI_USAGE_STATIC);
    write_csv_names(&f->line, smi_usage_columns, SMI_USAGE_COLUMNS);
    return append_line(f, err);
}

/* ---- the file ---- */

/* A journal beside a file that is gone would be played back into the new one. */
static int remove_old(const char *path, struct smi_err *err)
{
    static const char *const beside[] = {"", "-journal", "-wal", "-shm"};
    struct smi_buf name = {0};
    struct stat st;
    int rc = 0;
    if (lstat(path, &st) != 0)
        return errno == ENOENT ? 0 : file_error(err, "look at", path);
    if (!S_ISREG(st.st_mode))
        return smi_err_set(err, SMI_EIO, "%.*s: is no regular file, and is not overwritten", SHOWN, path);
    for (size_t i = 0; !rc && i < (ends_with(path, ".sqlite") ? 4 : 1); i++) {
        smi_buf_clear(&name);
        smi_buf_fmt(&name, "%s%s", path, beside[i]);
        if (name.failed)
            rc = smi_err_nomem(err);
        else if (unlink(name.p) != 0 && errno != ENOENT)
            rc = file_error(err, "overwrite", name.p);
    }
    smi_buf_fini(&name);
    return rc;
}

static int create_file(struct smi_usage_file *f, struct smi_err *err)
{
    struct stat st;
    f->fd = open(f->path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC | O_NOCTTY, 0666);
    if (f->fd < 0 && errno == EEXIST)
        return smi_err_set(err, SMI_EIO, "the tracking file %.*s is there already: --overwrite replaces it",
                           SHOWN, f->path);
    if (f->fd < 0 || fstat(f->fd, &st) != 0)
        return file_error(err, "create", f->path);
    f->dev = st.st_dev;
    f->ino = st.st_ino;
    return 0;
}

int smi_usage_file_open(struct smi_usage_file *f, const char *path, bool overwrite,
                        const struct smi_usage_machine *m, const struct smi_usage_units *units,
                        struct smi_err *err)
{
    bool csv = ends_with(path, ".csv");
    *f = (struct smi_usage_file){.machine = *m, .units = *units, .fd = -1};
    if (!csv && !ends_with(path, ".sqlite"))
        return smi_err_set(err, SMI_EUSAGE, "the tracking file %.*s: its name has to end in .csv or .sqlite",
                           SHOWN, path);
    if (!(f->path = smi_mem_text(path, strlen(path))))
        return smi_err_nomem(err);
    if ((overwrite && remove_old(path, err)) || create_file(f, err))
        return -1;
    if (csv)
        return begin_csv(f, err);
    close(f->fd);
    f->fd = -1;
    return smi_usage_db_begin(f, err);
}

static int check_file_exists(const struct smi_usage_file *f, struct smi_err *err)
{
    struct stat st;
    if (stat(f->path, &st) == 0 && st.st_dev == f->dev && st.st_ino == f->ino)
        return 0;
    return smi_err_set(err, SMI_EIO, "the tracking file %.*s was removed while it was written", SHOWN,
                       f->path);
}

int smi_usage_file_add(struct smi_usage_file *f, const struct smi_usage_sample *s, struct smi_err *err)
{
    struct smi_usage_cell cell[SMI_USAGE_COLUMNS];
    if (check_file_exists(f, err))
        return -1;
    smi_usage_cells(cell, s, &f->machine, &f->units);
    if (f->db)
        return smi_usage_db_add(f, cell, err);
    smi_buf_clear(&f->line);
    write_csv_cells(&f->line, cell, SMI_USAGE_COLUMNS);
    return append_line(f, err);
}

int smi_usage_file_close(struct smi_usage_file *f, struct smi_err *err)
{
    int rc = f->path ? smi_usage_db_end(f, err) : 0;
    if (f->path && f->fd >= 0 && close(f->fd) != 0 && errno != EINTR)
        rc = file_error(err, "write", f->path);
    smi_mem_free(f->path);
    smi_buf_fini(&f->line);
    *f = (struct smi_usage_file){.fd = -1};
    return rc;
}
