/* row_split.c - a line in cells, and cells that are one after all or none. */
#include "formats/row_engine.h"

#include <string.h>

/* Behind the quote or bracket that closes what opens at p, or p if nothing does. */
static const char *skip_closed(const char *p, const char *end, unsigned how)
{
    const char *q = p;
    if ((how & SMI_SPLIT_LISTS) && *p == '[')
        q = memchr(p, ']', (size_t)(end - p));
    if ((how & SMI_SPLIT_QUOTES) && *p == '"') {
        do
            q = q + 1 < end ? memchr(q + 1, '"', (size_t)(end - q - 1)) : NULL;
        while (q && q + 1 < end && q[1] == '"' && ++q);
        return q ? q + 1 : end;
    }
    return q ? q : p;
}

static const char *cell_end(const char *p, const char *end, unsigned how)
{
    const char *comma;
    char at = how >> 8 ? (char)(how >> 8) : ',';
    while (how && p < end && (*p == ' ' || *p == '\t') && *p != at)
        p++;
    if (how && p < end)
        p = skip_closed(p, end, how);
    comma = p < end ? memchr(p, at, (size_t)(end - p)) : NULL;
    return comma ? comma : end;
}

/* A quoted cell is lent without its quotes: nothing that is read has quotes inside. */
static struct smi_text strip_quotes(struct smi_text t)
{
    t = smi_text_trim(t);
    if (t.n >= 2 && *t.p == '"' && t.p[t.n - 1] == '"')
        t = smi_text_trim((struct smi_text){t.p + 1, t.n - 2});
    return t;
}

static size_t split_blanks(struct smi_text t, struct smi_text *cell, size_t most)
{
    size_t n = 0;
    struct smi_text word;
    for (; n <= most && (word = smi_text_word(&t)).n; n++)
        if (n < most)
            cell[n] = word;
    return n;
}

size_t smi_row_split(struct smi_text line, unsigned how, struct smi_text *cell, size_t most)
{
    const char *p = line.p, *end = line.p + line.n, *stop;
    if (how & SMI_SPLIT_BLANKS)
        return split_blanks(line, cell, most);
    for (size_t n = 0;; p = stop + 1) {
        struct smi_text t;
        stop = cell_end(p, end, how);
        t = (struct smi_text){p, (size_t)(stop - p)};
        if (n < most)
            cell[n] = how & SMI_SPLIT_QUOTES ? strip_quotes(t) : smi_text_trim(t);
        n++;
        if (stop == end)
            return n;
    }
}

/* Does a cell behind that of the time end in another date? A row was torn, and the next one stands behind it.
 * A cell that is a date and nothing more is one of a column of times. */
static bool holds_next_row(const struct smi_row_reader *r, size_t n)
{
    int at = r->plan.at[SMI_AT_TIME];
    for (size_t i = (size_t)at + 1; at >= 0 && i < n && i < r->table->columns; i++) {
        struct smi_stamp_clock c = {0};
        struct smi_stamp s;
        size_t len = r->cell[at].n;
        struct smi_text tail = {r->cell[i].p + r->cell[i].n - len, len};
        if (len && r->cell[i].n > len && smi_stamp_read(&c, tail, &s) == 0 && smi_stamp_has_day(c.form) &&
            c.form != SMI_STAMP_EPOCH)
            return true;
    }
    return false;
}

size_t smi_row_rejoin(struct smi_row_reader *r, struct smi_text line, size_t n, int at)
{
    size_t width = r->plan.width;
    const char *end = line.p + line.n, *p = end;
    struct smi_text *whole;
    if (!width || n <= width || at < 0 || holds_next_row(r, n))
        return n;
    whole = &r->cell[at];
    for (size_t i = width - 1; i > (size_t)at;
         i--, end = --p) { /* from the right: there may be more than have room */
        while (p[-1] != ',')
            p--;
        r->cell[i] = smi_text_trim((struct smi_text){p, (size_t)(end - p)});
    }
    *whole = smi_text_trim((struct smi_text){whole->p, (size_t)(end - whole->p)});
    return width;
}

size_t smi_row_end_comma(const struct smi_row_reader *r, size_t n)
{
    size_t width = r->plan.width;
    if (width && n == width + 1 && n <= r->table->columns && !r->cell[n - 1].n)
        return width;
    if (n && n + 1 == width && n < r->table->columns && r->header_n && r->header[r->header_n - 1] == ',') {
        r->cell[n] = (struct smi_text){"", 0};
        return width;
    }
    return n;
}
