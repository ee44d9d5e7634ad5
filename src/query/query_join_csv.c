#include "query/query_join_csv.h"

#include "base/buf.h"
#include "base/file.h"

#include <csv.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct reader {
    struct smi_csv_file *f;
    const char **head; /* its cells, while they come */
    size_t heads, cap, at;
    bool headed, failed;
};

/* libcsv calls it for each cell and each row. */
static void on_csv_cell(void *p, size_t n, void *self)
{
    struct reader *r = self;
    struct smi_csv_file *f = r->f;
    const char *text = n && !r->failed ? smi_arena_text(&f->arena, p, n) : NULL;
    if (r->failed || (n && !text) ||
        (!r->headed && smi_mem_reserve(&r->head, &r->cap, r->heads + 1, sizeof *r->head))) {
        r->failed = true;
        return;
    }
    if (!r->headed)
        r->head[r->heads++] = text;
    else if (r->at < f->columns)
        f->cell[f->rows * f->columns + r->at] = text;
    r->at++;
}

static int read_csv_header(struct reader *r)
{
    struct smi_csv_file *f = r->f;
    char number[32];
    f->columns = r->heads;
    f->name = smi_arena_new(&f->arena, r->heads + 1, sizeof *f->name);
    for (size_t i = 0; f->name && i < r->heads; i++) {
        snprintf(number, sizeof number, "column%zu", i + 1);
        f->name[i] = r->head[i] ? r->head[i] : smi_arena_text(&f->arena, number, strlen(number));
        if (!f->name[i])
            return -1;
    }
    return f->name ? 0 : -1;
}

static void on_csv_row(int end, void *self)
{
    struct reader *r = self;
    struct smi_csv_file *f = r->f;
    (void)end;
    if (r->failed)
        return;
    if (!r->headed) {
        r->failed = read_csv_header(r) != 0;
        r->headed = true;
    } else {
        f->wide += r->at > f->columns;
        f->rows++;
    }
    r->at = 0;
    r->failed |= smi_mem_reserve(&f->cell, &f->cap, (f->rows + 1) * (f->columns + 1), sizeof *f->cell) != 0;
}

/* Behind the quote that closes what begins with the one at p, as libcsv takes it: of two the first says that
 * the second is meant, and one with text behind it is part of the cell. NULL: nothing closes it. */
static const char *find_closing_quote(const char *p, const char *end, unsigned char cut)
{
    const char *q;
    for (p++; (p = memchr(p, '"', (size_t)(end - p))); p++) {
        if (p + 1 < end && p[1] == '"') {
            p++;
            continue;
        }
        for (q = p + 1; q < end && (*q == ' ' || *q == '\t') && (unsigned char)*q != cut; q++)
            ;
        if (q == end || *q == '\n' || *q == '\r' || (unsigned char)*q == cut)
            return p + 1;
    }
    return NULL;
}

/* What cuts the cells of the head: what of these it has most of, outside of quotes. */
static unsigned char guess_separator(const char *p, size_t n)
{
    static const char all[] = ",;\t";
    size_t count[3] = {0}, best = 0;
    bool quoted = false;
    for (size_t i = 0; i < n && (quoted || p[i] != '\n'); i++) {
        quoted ^= p[i] == '"';
        for (size_t k = 0; k < 3 && !quoted; k++)
            count[k] += p[i] == all[k];
    }
    for (size_t k = 1; k < 3; k++)
        best = count[k] > count[best] ? k : best;
    return (unsigned char)all[best];
}

/* The line of a quote that nothing closes; 0: there is none. */
static size_t find_open_quote(const char *p, size_t n, unsigned char cut)
{
    const char *end = p + n, *next;
    size_t line = 1;
    bool begins = true; /* a cell: only there a quote is one */
    for (; p < end; p = next) {
        next = *p == '"' && begins ? find_closing_quote(p, end, cut) : p + 1;
        if (!next)
            return line;
        begins =
            *p == '\n' || *p == '\r' || (unsigned char)*p == cut || (begins && (*p == ' ' || *p == '\t'));
        for (; p < next; p++)
            line += *p == '\n';
    }
    return 0;
}

static int read_whole_csv(struct smi_buf *b, const char *path, size_t most, struct smi_err *err)
{
    struct smi_file_info info;
    struct smi_err why = {0};
    char piece[65536];
    ssize_t n = -1;
    int fd = smi_file_open(AT_FDCWD, path, true, &info, &why);
    while (fd >= 0 && b->n <= most && (n = smi_file_read(fd, piece, sizeof piece, path, &why)) > 0)
        smi_buf_add(b, piece, (size_t)n);
    if (fd >= 0)
        close(fd);
    if (b->failed)
        return smi_err_nomem(err);
    if (n < 0)
        return smi_err_set(err, SMI_EUSAGE, "--join: %s", why.text);
    if (b->n > most)
        return smi_err_set(err, SMI_EUSAGE, "--join: %.200s is larger than %zu MiB", path, most >> 20);
    return 0;
}

static int parse_csv(struct smi_csv_file *f, const char *path, struct smi_text t, struct smi_err *err)
{
    struct reader r = {.f = f};
    struct csv_parser csv;
    unsigned char cut = guess_separator(t.p, t.n);
    size_t open = find_open_quote(t.p, t.n, cut);
    if (open)
        return smi_err_set(err, SMI_EUSAGE, "--join: %.200s:%zu: a quote is not closed", path, open);
    if (csv_init(&csv, CSV_APPEND_NULL))
        return smi_err_nomem(err);
    csv_set_delim(&csv, cut);
    r.failed = csv_parse(&csv, t.p, t.n, on_csv_cell, on_csv_row, &r) != t.n || r.failed;
    r.failed = csv_fini(&csv, on_csv_cell, on_csv_row, &r) != 0 || r.failed;
    csv_free(&csv);
    smi_mem_free(r.head);
    return r.failed ? smi_err_nomem(err) : 0;
}

int smi_csv_file_read(struct smi_csv_file *f, const char *path, size_t most_bytes, size_t most_columns,
                      struct smi_err *err)
{
    struct smi_buf b = {0};
    struct smi_text t;
    int rc;
    *f = (struct smi_csv_file){0};
    rc = read_whole_csv(&b, path, most_bytes, err);
    if (!rc && b.n && (memchr(b.p, 0, b.n) || !smi_text_is_utf8((struct smi_text){b.p, b.n})))
        rc = smi_err_set(err, SMI_EUSAGE, "--join: %.200s is no CSV in UTF-8", path);
    t = (struct smi_text){b.p ? b.p : "", b.n};
    if (smi_text_starts_nocase(t, "\xEF\xBB\xBF"))
        t = (struct smi_text){t.p + 3, t.n - 3};
    rc = rc ? rc : parse_csv(f, path, t, err);
    if (!rc && !f->columns)
        rc = smi_err_set(err, SMI_EUSAGE, "--join: %.200s has no line with the names of columns", path);
    if (!rc && f->columns > most_columns)
        rc = smi_err_set(err, SMI_EUSAGE, "--join: %.200s has more than %zu columns", path, most_columns);
    smi_buf_fini(&b);
    return rc;
}

void smi_csv_file_fini(struct smi_csv_file *f)
{
    smi_mem_free(f->cell);
    smi_arena_fini(&f->arena);
    *f = (struct smi_csv_file){0};
}
