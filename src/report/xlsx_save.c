/* xlsx_save.c - from temporary files to the file. The library speaks to standard error when it cannot write
 * its zip, and loses what it cannot write into temporary files: so the zip is made in memory, where it does
 * not fail, and looked at before it goes to its place by our own hand. */
#include "report/xlsx_private.h"

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* Bytes of rows, which become a fifth of that: beyond, the library writes the file, and may speak. */
enum { IN_MEMORY = 256 << 20 };

void smi_xlsx_open_target(struct smi_xlsx *x)
{
    x->fd = memfd_create("smilog.xlsx", MFD_CLOEXEC);
    snprintf(x->alias, sizeof x->alias, "/proc/self/fd/%d", x->fd);
    if (x->fd < 0 || access(x->alias, W_OK) == 0)
        return;
    close(x->fd);
    x->fd = -1;
}

/* The library does not look at what becomes of its temporary files: a full disk would cost rows without a
 * word. Here all rows have to be in them, and room be left for a copy of the largest, which is made on the
 * way into the zip. *all: bytes of rows. */
static int close_sheets(struct smi_xlsx *x, int64_t *all)
{
    struct statvfs v;
    int64_t largest = 0;
    int fd = -1;
    for (struct smi_xlsx_sheet *s = x->first; s; s = s->next) {
        FILE *f = s->ws->optimize_tmpfile;
        smi_lxw.lxw_worksheet_write_single_row(s->ws);
        errno = 0;
        if (fflush(f) != 0 || ferror(f))
            return smi_err_set(&x->err, SMI_EIO, "a temporary file: %s",
                               errno ? strerror(errno) : "it is not whole");
        s->bytes = ftello(f);
        largest = s->bytes > largest ? s->bytes : largest;
        *all += s->bytes;
        fd = fileno(f);
    }
    if (fd >= 0 && fstatvfs(fd, &v) == 0 && (uint64_t)v.f_bavail * v.f_frsize < (uint64_t)largest + (1 << 18))
        return smi_err_set(&x->err, SMI_EIO, "a temporary file: %s", strerror(ENOSPC));
    return 0;
}

static int fail_with_errno(struct smi_xlsx *x)
{
    return smi_err_set(&x->err, SMI_EIO, "%s", strerror(errno));
}

/* Copies the file in memory into `to`. */
static int copy_to_file(struct smi_xlsx *x, int to)
{
    struct smi_err err = {0};
    char piece[1 << 16];
    int64_t at = 0;
    ssize_t n;
    while ((n = pread(x->fd, piece, sizeof piece, at)) > 0) {
        if (smi_file_write(to, piece, (size_t)n, "", &err))
            return fail_with_errno(x);
        at += n;
    }
    return n < 0 ? fail_with_errno(x) : 0;
}

/* Has the library write the file at fd. */
static int make_in_memory(struct smi_xlsx *x, int fd)
{
    lxw_error e;
    errno = 0;
    e = smi_lxw.workbook_close(x->wb);
    x->wb = NULL;
    return smi_xlsx_error(x, e, "the file") ? -1 : smi_xlsx_verify(x, fd);
}

/* `to` is open for the file. What is too large for memory goes there at once, by the name that the library
 * has. */
static int save_to_file(struct smi_xlsx *x, int to)
{
    int64_t all = 0;
    if (close_sheets(x, &all))
        return -1;
    if (x->fd < 0)
        return make_in_memory(x, to);
    if (all > IN_MEMORY)
        return dup3(to, x->fd, O_CLOEXEC) < 0 ? fail_with_errno(x) : make_in_memory(x, to);
    return make_in_memory(x, x->fd) ? -1 : copy_to_file(x, to);
}

void smi_xlsx_save(struct smi_xlsx *x)
{
    int to =
        x->wb && !x->err.code ? open(x->path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0666) : -1;
    if (to >= 0)
        save_to_file(x, to);
    else if (!x->err.code)
        fail_with_errno(x);
    if (x->wb)
        smi_lxw.lxw_workbook_free(x->wb); /* without a file */
    x->wb = NULL;
    if (to >= 0 && close(to) != 0 && errno != EINTR)
        fail_with_errno(x);
    if (x->fd >= 0)
        close(x->fd);
}
