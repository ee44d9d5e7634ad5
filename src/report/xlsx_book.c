/* xlsx_book.c - a workbook from its beginning to its file. */
#include "report/xlsx_private.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/version.h"
#include "base/lazy.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* ---- from temporary files to the file. The library speaks to standard error when it cannot write its zip,
 * and loses what it cannot write into temporary files: so the zip is made in memory, where it does not fail,
 * and looked at before it goes to its place by our own hand. ---- */

/* Bytes of rows, which become a fifth of that: beyond, the library writes the file, and may speak. */
enum { IN_MEMORY = 256 << 20 };

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

/* Writes the file. What is too large for memory goes there at once, by the name that the library has. */
static int save_book(struct smi_xlsx *x, int to)
{
    int64_t all = 0;
    lxw_error e;
    if (close_sheets(x, &all))
        return -1;
    if (all > IN_MEMORY && dup3(to, x->fd, O_CLOEXEC) < 0)
        return fail_with_errno(x);
    errno = 0;
    e = smi_lxw.workbook_close(x->wb);
    x->wb = NULL;
    if (smi_xlsx_error(x, e, "the file") || smi_xlsx_verify(x))
        return -1;
    return all > IN_MEMORY ? 0 : copy_to_file(x, to);
}

/* ---- a workbook from its beginning to its file. ---- */

enum { PROPERTY = 200 /* characters of a property of the document: Excel takes 255 */ };

int smi_xlsx_error(struct smi_xlsx *x, lxw_error e, const char *what)
{
    int no = errno;
    if (e == LXW_NO_ERROR)
        return 0;
    if (e == LXW_ERROR_MEMORY_MALLOC_FAILED)
        return smi_err_nomem(&x->err);
    if ((e == LXW_ERROR_CREATING_TMPFILE || e == LXW_ERROR_CREATING_XLSX_FILE ||
         e == LXW_ERROR_ZIP_FILE_OPERATION || e == LXW_ERROR_ZIP_FILE_ADD || e == LXW_ERROR_ZIP_CLOSE) &&
        no)
        return smi_err_set(&x->err, SMI_EIO, "%s: %s", what, strerror(no));
    return smi_err_set(&x->err, SMI_EIO, "%s: %s", what, smi_lxw.lxw_strerror(e));
}

bool smi_xlsx_failed(const struct smi_xlsx *x)
{
    return x->err.code != 0;
}

int smi_xlsx_fail(struct smi_xlsx *x, int code, const char *text)
{
    return smi_err_set(&x->err, code, "%s", text);
}

int64_t smi_xlsx_texts_cut(const struct smi_xlsx *x)
{
    return x->cut;
}

char *smi_xlsx_escaped(struct smi_xlsx *x, const char *text, size_t most)
{
    smi_buf_clear(&x->text);
    x->cut += smi_xlsx_escape(&x->text, text ? text : "", most);
    smi_buf_str(&x->text, ""); /* an empty text is one */
    if (x->text.failed)
        smi_err_nomem(&x->err);
    return x->err.code ? NULL : x->text.p;
}

static void set_properties(struct smi_xlsx *x, const char *title, int64_t now_ms)
{
    static char author[] = "smilog " SMILOG_VERSION;
    lxw_doc_properties p = {.author = author, .company = NULL, .created = (time_t)(now_ms / 1000)};
    p.title = smi_xlsx_escaped(x, title, PROPERTY); /* which it copies */
    if (p.title)
        smi_xlsx_error(x, smi_lxw.workbook_set_properties(x->wb, &p), "the workbook's properties");
}

void smi_xlsx_set_currency(struct smi_xlsx *x, const char *currency)
{
    x->currency = currency;
}

int smi_xlsx_open(struct smi_xlsx **out, const char *path, const char *title, int64_t now_ms,
                  struct smi_err *err)
{
    lxw_workbook_options o = {.constant_memory = LXW_TRUE};
    struct smi_xlsx *x;
    char alias[32]; /* the library takes names only, and copies it */
    *out = NULL;
    if (smi_libxlsx_open(err))
        return -1;
    x = *out = smi_mem_new(1, sizeof *x);
    if (!x)
        return smi_err_nomem(err);
    x->none.x = x;
    x->path = smi_mem_text(path, strlen(path));
    x->fd = memfd_create("smilog.xlsx", MFD_CLOEXEC);
    snprintf(alias, sizeof alias, "/proc/self/fd/%d", x->fd);
    x->wb = x->path ? smi_lxw.workbook_new_opt(alias, &o) : NULL;
    if (x->fd < 0)
        fail_with_errno(x);
    else if (!x->wb)
        smi_err_nomem(&x->err);
    else
        set_properties(x, title, now_ms);
    if (!x->err.code)
        return 0;
    smi_xlsx_close(x, err);
    *out = NULL;
    return -1;
}

/* --- sheets --- */

static bool sheet_name_is_taken(const struct smi_xlsx *x, const char *name)
{
    for (const struct smi_xlsx_sheet *s = x->first; s; s = s->next)
        if (strcasecmp(s->name, name) == 0)
            return true;
    return false;
}

/* The escaped name, with a number if there is one like it. */
static void append_sheet_name(const struct smi_xlsx *x, struct smi_buf *b, const char *name)
{
    enum { NUMBER = 6 };
    smi_xlsx_escape_name(b, name, SMI_XLSX_NAME);
    for (int n = 2; !b->failed && sheet_name_is_taken(x, b->p); n++) {
        smi_buf_clear(b);
        smi_xlsx_escape_name(b, name, SMI_XLSX_NAME - NUMBER);
        smi_buf_fmt(b, " %d", n);
    }
}

static int add_sheet(struct smi_xlsx *x, struct smi_xlsx_sheet *s, const char *name)
{
    lxw_error e = smi_lxw.workbook_validate_sheet_name(x->wb, name);
    if (e != LXW_NO_ERROR)
        return smi_err_set(&x->err, SMI_EIO, "the sheet \"%s\": %s", name, smi_lxw.lxw_strerror(e));
    errno = 0;
    s->ws = smi_lxw.workbook_add_worksheet(x->wb, name);
    if (s->ws && s->ws->optimize_tmpfile)
        return 0;
    s->ws = NULL;
    return smi_err_set(&x->err, SMI_EIO, "a temporary file: %s", errno ? strerror(errno) : "no memory");
}

struct smi_xlsx_sheet *smi_xlsx_sheet(struct smi_xlsx *x, const char *name)
{
    struct smi_buf b = {0};
    struct smi_xlsx_sheet *s = x->err.code ? NULL : smi_mem_new(1, sizeof *s);
    if (!s) {
        smi_err_nomem(&x->err);
        return &x->none;
    }
    s->x = x;
    append_sheet_name(x, &b, name);
    s->name = b.failed ? NULL : smi_mem_text(b.p, b.n);
    smi_buf_fini(&b);
    if (!s->name || add_sheet(x, s, s->name)) {
        smi_err_nomem(&x->err);
        smi_mem_free(s->name);
        smi_mem_free(s);
        return &x->none;
    }
    *(x->last ? &x->last->next : &x->first) = s;
    x->last = s;
    x->sheets++;
    return s;
}

const char *smi_xlsx_name(const struct smi_xlsx_sheet *s)
{
    return s->name ? s->name : "-";
}

/* --- the end --- */

static void free_book(struct smi_xlsx *x)
{
    struct smi_xlsx_sheet *next;
    if (x->wb)
        smi_lxw.lxw_workbook_free(x->wb); /* without a file */
    if (x->fd >= 0)
        close(x->fd);
    for (struct smi_xlsx_sheet *s = x->first; s; s = next) {
        next = s->next;
        smi_mem_free(s->name);
        smi_mem_free(s);
    }
    smi_buf_fini(&x->text);
    smi_mem_free(x->path);
    smi_mem_free(x);
}

int smi_xlsx_close(struct smi_xlsx *x, struct smi_err *err)
{
    int rc = 0, to = -1;
    if (!x)
        return 0;
    if (!x->err.code && (to = open(x->path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0666)) < 0)
        fail_with_errno(x);
    if (to >= 0) {
        save_book(x, to);
        if (close(to) != 0 && errno != EINTR)
            fail_with_errno(x);
    }
    if (x->err.code)
        rc = smi_err_set(err, x->err.code, "%s", x->err.text);
    free_book(x);
    return rc;
}

struct smi_libxlsx smi_lxw;

int smi_libxlsx_open(struct smi_err *err)
{
    return smi_lazy_open(SMI_LIBXLSXWRITER, &smi_lxw, err);
}
