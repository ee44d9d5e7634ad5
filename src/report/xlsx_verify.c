/* xlsx_verify.c - reads the finished zip again. libxlsxwriter does not see that a write into one of its
 * temporary files fails, so a disk that fills up could cost rows without a word. Each sheet must have all
 * bytes of its rows, and all parts must be XML from beginning to end. Where a piece is missing whose ends fit
 * together, what says how many elements it holds (<cellXfs count="40">) must hold as many. */
#include "report/xlsx_private.h"

#include "base/libarchive.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A tag of an element, without its brackets: "xf id="1"/". */
struct tag {
    const char *p;
    size_t n;
};

/* An element that is open: its name, its children so far, and how many it says that it has (-1: nothing). */
struct element {
    struct tag name;
    int64_t children, count;
};

static struct tag name_of(struct tag t)
{
    size_t n = 0;
    while (n < t.n && !strchr(" /\t\r\n", t.p[n]))
        n++;
    return (struct tag){t.p, n};
}

static int64_t count_of(struct tag t)
{
    static const char attribute[] = " count=\"";
    const char *at = memmem(t.p, t.n, attribute, sizeof attribute - 1);
    return at ? strtoll(at + sizeof attribute - 1, NULL, 10) : -1;
}

/* The next tag, with as many quotation marks as it needs, or one of no bytes. The library escapes every
 * bracket that is none of a tag. */
static struct tag next_tag(const char *p, const char *end)
{
    const char *open = memchr(p, '<', (size_t)(end - p)), *close;
    size_t quotes = 0;
    close = open ? memchr(open, '>', (size_t)(end - open)) : NULL;
    if (!close || memchr(open + 1, '<', (size_t)(close - open - 1)))
        return (struct tag){0};
    for (const char *q = open; q < close; q++)
        quotes += *q == '"';
    return (struct tag){open + 1, quotes % 2 ? 0 : (size_t)(close - open - 1)};
}

/* Are these bytes, which end with a 0, XML from beginning to end? */
static bool xml_is_whole(const char *p, const char *end)
{
    enum { DEPTH = 32 };
    struct element open[DEPTH + 1] = {{.count = 1}}; /* the first stands for the part, which has a root */
    int depth = 0;
    for (; p + strspn(p, "\n") < end; p++) {
        const struct tag tag = next_tag(p, end), name = name_of(tag);
        if (tag.n == 0 || (depth == 0 && tag.p != p + strspn(p, "\n") + 1))
            return false;
        p = tag.p + tag.n;
        if (*tag.p == '?')
            continue;
        if (*tag.p != '/') {
            if (depth == DEPTH)
                return false;
            open[depth].children++;
            open[++depth] = (struct element){name, 0, count_of(tag)};
        }
        if (*tag.p == '/' || p[-1] == '/') {
            const struct element *e = &open[depth--];
            const struct tag ended = *tag.p == '/' ? (struct tag){tag.p + 1, tag.n - 1} : name;
            if (depth < 0 || ended.n != e->name.n || memcmp(ended.p, e->name.p, ended.n) != 0 ||
                (e->count >= 0 && e->count != e->children))
                return false;
        }
    }
    return depth == 0 && open[0].children == 1;
}

/* Reads a part into b, without the bytes that are rows of a sheet, of which all must be there. */
static bool read_part(struct archive *a, struct smi_buf *b, int64_t rows)
{
    static const char begin[] = "<sheetData>", end[] = "</sheetData>";
    const bool sheet = rows > 0;
    char piece[16384], *at = NULL;
    ssize_t n;
    smi_buf_clear(b);
    while ((n = smi_la.archive_read_data(a, piece, sizeof piece)) > 0 && !b->failed) {
        int64_t skip = at && rows < n ? rows : at ? n : 0;
        smi_buf_add(b, piece + skip, (size_t)(n - skip));
        rows -= skip;
        if (at || rows == 0 || b->failed || !(at = memmem(b->p, b->n, begin, sizeof begin - 1)))
            continue;
        at += sizeof begin - 1;
        skip = b->p + b->n - at;
        skip = rows < skip ? rows : skip;
        b->n -= (size_t)skip;
        memmove(at, at + skip, (size_t)(b->p + b->n - at));
        rows -= skip;
    }
    smi_buf_char(b, 0);
    return n == 0 && rows == 0 && !b->failed &&
           (!sheet || strncmp(strstr(b->p, begin) + sizeof begin - 1, end, sizeof end - 1) == 0);
}

/* The sheet whose part this is, "xl/worksheets/sheet12.xml"; NULL: another part. */
static const struct smi_xlsx_sheet *find_sheet(const struct smi_xlsx *x, const char *name)
{
    static const char front[] = "xl/worksheets/sheet";
    const struct smi_xlsx_sheet *s = x->first;
    if (!name || strncmp(name, front, sizeof front - 1) != 0)
        return NULL;
    for (int number = atoi(name + sizeof front - 1); s && number > 1; number--)
        s = s->next;
    return s;
}

/* Sheets, if all parts are whole; else -1. */
static int count_sheets(struct smi_xlsx *x, struct archive *a)
{
    struct archive_entry *entry;
    int n = 0, rc;
    while ((rc = smi_la.archive_read_next_header(a, &entry)) == ARCHIVE_OK || rc == ARCHIVE_WARN) {
        const struct smi_xlsx_sheet *s = find_sheet(x, smi_la.archive_entry_pathname(entry));
        if (!read_part(a, &x->text, s ? s->bytes : 0) || !xml_is_whole(x->text.p, x->text.p + x->text.n - 1))
            return -1;
        n += s != NULL;
    }
    return rc == ARCHIVE_EOF ? n : -1;
}

int smi_xlsx_verify(struct smi_xlsx *x)
{
    enum { PIECE = 16384 };
    struct archive *a;
    int n = -1;
    if (smi_libarchive_open(&x->err))
        return -1;
    a = smi_la.archive_read_new();
    if (!a)
        return smi_err_nomem(&x->err);
    if (lseek(x->fd, 0, SEEK_SET) == 0 && smi_la.archive_read_support_format_zip_seekable(a) == ARCHIVE_OK &&
        smi_la.archive_read_open_fd(a, x->fd, PIECE) == ARCHIVE_OK)
        n = count_sheets(x, a);
    smi_la.archive_read_free(a);
    if (x->text.failed)
        return smi_err_nomem(&x->err);
    return n == x->sheets ? 0
                          : smi_err_set(&x->err, SMI_EIO, "what was written is not whole: no space left?");
}
