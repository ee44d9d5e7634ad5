/* xlsx_verify.c - reads the finished zip again. libxlsxwriter does not see that a write into one of its
 * temporary files fails, so a disk that fills up could cost rows without a word. Each sheet must have all
 * bytes of its rows, and all parts must be XML from beginning to end. Where a piece is missing whose ends fit
 * together, what says how many elements it holds (<cellXfs count="40">) must hold as many. */
#include "report/xlsx_private.h"

#include "base/digest.h"
#include "base/libarchive.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DEPTH = 32, TAG = 256 /* of a tag as much is looked at */ };

/* An element that is open. */
struct open {
    uint64_t name;          /* its digest */
    int64_t children, want; /* want: what its count says; -1: it says nothing */
};

/* A part being read, by pieces. */
struct part {
    int64_t rows, skip; /* bytes inside <sheetData>: to come, at hand */
    int depth;          /* elements that are open */
    struct open open[DEPTH];
    bool root, in, quoted,
        behind; /* it has begun; inside of a tag; of a value; the next tag ends <sheetData> */
    bool bad;
    char tag[TAG], last; /* as far as it fits; the last character that was read */
    size_t n;
};

/* Of the name in front of a tag's attributes. */
static uint64_t tag_name_hash(const char *tag)
{
    return smi_digest_of(tag, strcspn(tag, " /\t\r\n"));
}

/* What the attribute says, or -1. */
static int64_t tag_row_count(const char *tag)
{
    static const char attribute[] = " count=\"";
    const char *at = strstr(tag, attribute);
    return at ? strtoll(at + sizeof attribute - 1, NULL, 10) : -1;
}

static void begin_tag(struct part *p, bool empty)
{
    struct open e = {tag_name_hash(p->tag), 0, tag_row_count(p->tag)};
    if (p->depth > 0)
        p->open[p->depth - 1].children++;
    p->bad |= p->depth == DEPTH || (empty && e.want > 0);
    if (!empty && !p->bad)
        p->open[p->depth++] = e;
}

static void end_element(struct part *p)
{
    const struct open *e = p->depth > 0 ? &p->open[--p->depth] : NULL;
    p->bad |= !e || e->name != tag_name_hash(p->tag + 1) || (e->want >= 0 && e->want != e->children);
}

/* The tag is read: "sheetData", "/sheetData", "sheetData/", "?xml version..." */
static void end_tag(struct part *p)
{
    p->in = false;
    p->tag[p->n] = 0;
    if (*p->tag == '?')
        return;
    p->bad |= p->root && p->depth == 0;
    p->bad |= p->behind && strcmp(p->tag, "/sheetData") != 0;
    p->behind = false;
    p->root = true;
    if (*p->tag == '/')
        end_element(p);
    else
        begin_tag(p, p->last == '/');
    if (p->rows == 0 || strcmp(p->tag, "sheetData") != 0)
        return;
    p->skip = p->rows;
    p->rows = 0;
    p->behind = true;
}

static void take_character(struct part *p, char c)
{
    if (!p->in && c == '<') {
        p->in = true;
        p->n = 0;
        p->last = 0;
    } else if (!p->in) {
        p->bad |= p->depth == 0 && c != '\n';
    } else if (p->quoted || c == '"') {
        p->bad |= c == '<';
        p->quoted ^= c == '"';
        if (p->n < TAG - 1)
            p->tag[p->n++] = c;
    } else if (c == '>') {
        end_tag(p);
    } else {
        p->bad |= c == '<';
        if (p->n < TAG - 1)
            p->tag[p->n++] = c;
        p->last = c;
    }
}

/* Reads the part to its end: is it whole? */
static bool part_is_whole(struct archive *a, struct part *p)
{
    char piece[16384];
    ssize_t n;
    while ((n = smi_la.archive_read_data(a, piece, sizeof piece)) > 0 && !p->bad)
        for (ssize_t i = 0; i < n; i++)
            if (p->skip > 0) {
                int64_t k = p->skip < n - i ? p->skip : n - i;
                p->skip -= k;
                i += (ssize_t)k - 1;
            } else {
                take_character(p, piece[i]);
            }
    return n == 0 && !p->bad && p->root && !p->in && p->depth == 0 && p->rows == 0 && p->skip == 0;
}

/* The number in "xl/worksheets/sheet12.xml", or 0. */
static int sheet_number(const char *name)
{
    static const char front[] = "xl/worksheets/sheet";
    if (!name || strncmp(name, front, sizeof front - 1) != 0)
        return 0;
    return atoi(name + sizeof front - 1);
}

static const struct smi_xlsx_sheet *find_sheet(const struct smi_xlsx *x, int number)
{
    const struct smi_xlsx_sheet *s = number ? x->first : NULL;
    while (s && --number > 0)
        s = s->next;
    return s;
}

/* Sheets, if all parts are whole; else -1. */
static int count_sheets(const struct smi_xlsx *x, struct archive *a)
{
    struct archive_entry *entry;
    int n = 0, rc;
    while ((rc = smi_la.archive_read_next_header(a, &entry)) == ARCHIVE_OK || rc == ARCHIVE_WARN) {
        const struct smi_xlsx_sheet *s = find_sheet(x, sheet_number(smi_la.archive_entry_pathname(entry)));
        struct part p = {.rows = s ? s->bytes : 0};
        if (!part_is_whole(a, &p))
            return -1;
        n += s != NULL;
    }
    return rc == ARCHIVE_EOF ? n : -1;
}

int smi_xlsx_verify(struct smi_xlsx *x, int fd)
{
    enum { PIECE = 16384 };
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
