/* xlsx_verify.c - a check of the finished zip. libxlsxwriter ignores failed writes to its temporary files, so
 * a full disk could cost rows without a word: every part has to end with the tag that closes its first one,
 * and a sheet has to be larger than its rows. */
#include "report/xlsx_private.h"

#include "base/libarchive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PIECE = 16384, TAIL = 64 };

/* Writes the tag that closes the first element of a part: "</worksheet>". */
static void find_last_tag(char end[TAIL], const char *xml)
{
    const char *tag = strncmp(xml, "<?", 2) == 0 ? strstr(xml, "?>") : xml;
    tag = tag ? strchr(tag, '<') : NULL;
    if (tag)
        snprintf(end, TAIL, "</%.*s>", (int)strcspn(tag + 1, " />"), tag + 1);
}

/* Reads a part to its end. Returns whether it is whole and has more than `least` bytes. */
static bool part_is_whole(struct archive *a, int64_t least)
{
    char piece[TAIL + PIECE + 1], end[TAIL] = "";
    int64_t size = 0;
    size_t kept = 0;
    ssize_t n;
    while ((n = smi_la.archive_read_data(a, piece + kept, PIECE)) > 0) {
        kept += (size_t)n;
        piece[kept] = 0;
        if (size == 0)
            find_last_tag(end, piece);
        size += n;
        if (kept > TAIL)
            memmove(piece, piece + kept - TAIL, TAIL);
        kept = kept > TAIL ? TAIL : kept;
    }
    kept -= kept && piece[kept - 1] == '\n';
    piece[kept] = 0;
    return n == 0 && *end && size > least && kept >= strlen(end) &&
           strcmp(piece + kept - strlen(end), end) == 0;
}

/* The sheet that is the part "xl/worksheets/sheet12.xml", or NULL. */
static const struct smi_xlsx_sheet *find_sheet(const struct smi_xlsx *x, const char *part)
{
    static const char front[] = "xl/worksheets/sheet";
    const struct smi_xlsx_sheet *s = x->first;
    if (!part || strncmp(part, front, sizeof front - 1) != 0)
        return NULL;
    for (int i = atoi(part + sizeof front - 1); s && i > 1; i--)
        s = s->next;
    return s;
}

/* Returns the number of sheets, or -1 if a part is not whole. */
static int count_sheets(const struct smi_xlsx *x, struct archive *a)
{
    struct archive_entry *entry;
    int n = 0, rc;
    while ((rc = smi_la.archive_read_next_header(a, &entry)) == ARCHIVE_OK || rc == ARCHIVE_WARN) {
        const struct smi_xlsx_sheet *s = find_sheet(x, smi_la.archive_entry_pathname(entry));
        if (!part_is_whole(a, s ? s->bytes : 0))
            return -1;
        n += s != NULL;
    }
    return rc == ARCHIVE_EOF ? n : -1;
}

int smi_xlsx_verify(struct smi_xlsx *x, int fd)
{
    struct archive *a;
    int n = -1;
    if (smi_libarchive_open(&x->err))
        return -1;
    a = smi_la.archive_read_new();
    if (!a)
        return smi_err_nomem(&x->err);
    if (lseek(fd, 0, SEEK_SET) == 0 && smi_la.archive_read_support_format_zip_seekable(a) == ARCHIVE_OK &&
        smi_la.archive_read_open_fd(a, fd, PIECE) == ARCHIVE_OK)
        n = count_sheets(x, a);
    smi_la.archive_read_free(a);
    return n == x->sheets ? 0
                          : smi_err_set(&x->err, SMI_EIO, "what was written is not whole: no space left?");
}
