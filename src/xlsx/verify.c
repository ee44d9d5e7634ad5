/* verify.c - what was written, looked at again: by the directory at its end, which stands behind all parts. */
#include "xlsx/inner.h"

#include <archive.h>
#include <archive_entry.h>
#include <stdlib.h>
#include <string.h>

/* The number in "xl/worksheets/sheet12.xml", or 0. */
static int sheet_number(const char *name)
{
    static const char front[] = "xl/worksheets/sheet";
    if (!name || strncmp(name, front, sizeof front - 1) != 0)
        return 0;
    return atoi(name + sizeof front - 1);
}

static const struct smi_xlsx_sheet *find(const struct smi_xlsx *x, int number)
{
    const struct smi_xlsx_sheet *s = x->first;
    while (s && --number > 0)
        s = s->next;
    return s;
}

/* Sheets whose part is at least as long as its rows. */
static int count(const struct smi_xlsx *x, struct archive *a)
{
    struct archive_entry *entry;
    int n = 0, rc;
    while ((rc = archive_read_next_header(a, &entry)) == ARCHIVE_OK || rc == ARCHIVE_WARN) {
        int number = sheet_number(archive_entry_pathname(entry));
        const struct smi_xlsx_sheet *s = number ? find(x, number) : NULL;
        n += s && archive_entry_size_is_set(entry) && archive_entry_size(entry) > s->bytes;
    }
    return rc == ARCHIVE_EOF ? n : -1;
}

int smi_xlsx_verify(struct smi_xlsx *x)
{
    enum { PIECE = 16384 };
    struct archive *a = archive_read_new();
    int n = -1;
    if (!a)
        return smi_err_nomem(&x->err);
    if (archive_read_support_format_zip_seekable(a) == ARCHIVE_OK &&
        archive_read_open_filename(a, x->path, PIECE) == ARCHIVE_OK)
        n = count(x, a);
    archive_read_free(a);
    return n == x->sheets ? 0 : smi_err_set(&x->err, SMI_EIO, "what was written is not whole");
}
