/* nvidia-smi dmon: one line per GPU and cycle, columns in the order of the letters given to -s.
 *
 *     # gpu     fb   bar1   ccpm     sm    mem    enc    dec    jpg    ofa
 *     # Idx     MB     MB     MB      %      %      %      %      %      %
 *         0     62      4      0      0      0      0      0      0      0
 *
 *     #Date        Time         gpu    pwr  gtemp  mtemp     sm    mem
 *     #YYYYMMDD    HH:MM:SS     Idx      W      C      C      %      %
 *      20260816    09:22:34       0      6     38      -      0      0
 *
 * The header comes again during a run; copied logs lose its '#'; --format csv puts commas between the cells.
 * Columns are bound by name, never by place: order and number differ with options, driver (formats.md §4). */
#include "formats/fault_text.h"
#include "formats/format.h"
#include "formats/lines.h"
#include "formats/nvidia_dmon_fast.h"

#include <string.h>

enum { COLUMNS = SMI_DMON_COLUMNS };

struct smi_reader {
    struct smi_lines lines; /* first: see smi_lines_read */
    struct smi_mon mon;
    struct smi_dmon_plan plan;
    struct smi_dmon_plain plain;
    struct smi_dmon_line names, units; /* of the log before, if this reader had one, and what they meant */
    struct smi_dmon_plan meant;
    struct smi_text cell[COLUMNS];
    uint16_t metric[SMI_SAMPLE_MAX];
    int64_t v[SMI_SAMPLE_MAX];
};

static bool blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Cells between blanks: how many, at most COLUMNS + 1; the first COLUMNS are filled. */
static size_t cut_blanks(struct smi_text line, struct smi_text *cell)
{
    const char *p = line.p, *end = p + line.n, *from;
    size_t n = 0;
    for (;;) {
        while (p < end && blank(*p))
            p++;
        if (p == end)
            return n;
        if (n == COLUMNS)
            return n + 1;
        for (from = p; p < end && !blank(*p);)
            p++;
        cell[n++] = (struct smi_text){from, (size_t)(p - from)};
    }
}

static size_t cut_commas(struct smi_text line, struct smi_text *cell)
{
    const char *p = line.p, *end = p + line.n, *comma;
    size_t n = 0;
    for (; n < COLUMNS; p = comma + 1) {
        comma = memchr(p, ',', (size_t)(end - p));
        cell[n++] = smi_text_trim((struct smi_text){p, (size_t)((comma ? comma : end) - p)});
        if (!comma)
            return n;
    }
    return n + 1;
}

static size_t cut(struct smi_text line, bool commas, struct smi_text *cell)
{
    return commas ? cut_commas(line, cell) : cut_blanks(line, cell);
}

static bool bound(const struct smi_dmon_plan *p, int metric)
{
    for (unsigned i = 0; i < p->n; i++)
        if (p->metric[i] == metric)
            return true;
    return false;
}

static void bind_column(struct smi_dmon_plan *p, struct smi_text name, int place)
{
    int metric;
    if (smi_text_is(name, "gpu") && p->gpu < 0)
        p->gpu = place;
    else if (smi_text_is(name, "Time"))
        p->at.time = place;
    else if (smi_text_is(name, "Date"))
        p->at.date = place;
    else if ((metric = smi_column_dmon(name)) >= 0 && p->n < SMI_SAMPLE_MAX && !bound(p, metric)) {
        p->place[p->n] = (uint16_t)place;
        p->metric[p->n++] = (uint16_t)metric;
    }
}

/* Decodes a header into p: `gpu` among the first three names, and names of dmon - one, or two if the '#' is
 * lost. A pid belongs to pmon. p->width stays 0 if it is no header. */
static void bind(struct smi_dmon_plan *p, struct smi_text line, bool hash, struct smi_text *cell)
{
    size_t n;
    *p = (struct smi_dmon_plan){.at = {-1, -1}, .gpu = -1, .commas = smi_mon_has_commas(line)};
    n = cut(line, p->commas, cell);
    if (n == 0 || n > COLUMNS || !smi_mon_leads(cell[0]))
        return;
    for (size_t i = 0; i < n; i++) {
        p->pmon = p->pmon || smi_text_is(cell[i], "pid");
        bind_column(p, cell[i], (int)i);
    }
    if (!p->pmon && p->gpu >= 0 && p->gpu < 3 && p->n >= (hash ? 1U : 2U))
        p->width = n;
}

static int on_header(struct smi_reader *r, struct smi_err *err)
{
    int rc = smi_mon_header(&r->mon, &r->plan.at, r->lines.account, err);
    smi_dmon_plain_bind(&r->plain, &r->plan, smi_mon_base(&r->plan.at) == r->mon.base);
    return rc;
}

/* What nearly all cells are: a short whole number (far from any limit). */
static bool whole_number(struct smi_text c, int64_t *v)
{
    int64_t x = 0;
    if (c.n == 0 || c.n > 6)
        return false;
    for (size_t i = 0; i < c.n; i++) {
        if (c.p[i] < '0' || c.p[i] > '9')
            return false;
        x = x * 10 + (c.p[i] - '0');
    }
    *v = x * 1000000;
    return true;
}

static int read_cells(struct smi_reader *r, struct smi_sample *s, struct smi_err *err)
{
    const struct smi_dmon_plan *p = &r->plan;
    for (unsigned i = 0; i < p->n; i++) {
        struct smi_text c = r->cell[p->place[i]];
        enum smi_cell what = SMI_CELL_OK;
        if (!whole_number(c, &r->v[s->n]))
            what = smi_cell_number(p->metric[i], c, &r->v[s->n]);
        if (what == SMI_CELL_OK)
            r->metric[s->n++] = p->metric[i];
        else if (smi_cell_lost(r->lines.account, what, p->metric[i], c, err))
            return -1;
    }
    return 0;
}

/* r->cell holds the cells of a row as wide as its header. */
static int row(struct smi_reader *r, struct smi_text line, struct smi_err *err)
{
    struct smi_sample s = {.metric = r->metric, .v = r->v};
    int64_t index;
    if (smi_mon_time(&r->mon, &r->plan.at, r->cell, &s))
        return smi_account_reject(r->lines.account, SMI_BAD_TIME, line, err);
    if (read_cells(r, &s, err))
        return -1;
    if (!s.n)
        return smi_account_reject(r->lines.account, SMI_BAD_NUMBER, line, err);
    if (smi_mon_gpu(&r->lines, r->cell[r->plan.gpu], &s, &index, err))
        return -1;
    return r->lines.to->take(r->lines.to, &s, err);
}

static int on_row(struct smi_reader *r, struct smi_text line, struct smi_err *err)
{
    if (r->plan.width && cut(line, r->plan.commas, r->cell) == r->plan.width)
        return row(r, line, err);
    return smi_mon_no_row(&r->mon, &r->lines, line, r->plan.width, err);
}

static void remember(struct smi_dmon_line *s, struct smi_text line)
{
    s->n = line.n <= sizeof s->text && line.n && line.p[line.n - 1] != '\r' ? line.n : 0; /* CR CR LF: its CR counts */
    memcpy(s->text, line.p, s->n);
}

static int on_units(struct smi_reader *r, struct smi_text line)
{
    remember(&r->plain.units, line);
    r->lines.account->header++;
    r->mon.told = false;
    return 0;
}

/* No row: a header, its units, a comment, a message, or foreign. */
static int on_other(struct smi_reader *r, struct smi_text line, struct smi_err *err)
{
    struct smi_dmon_plan fresh;
    bool hash;
    struct smi_text text = smi_mon_bare(line, &hash);
    if (smi_dmon_again(&r->plain.names, line.p, line.n) || smi_dmon_again(&r->plain.units, line.p, line.n)) {
        r->lines.account->header++;
        r->mon.told = false;
        return 0;
    }
    if (smi_dmon_again(&r->units, line.p, line.n))
        return on_units(r, line);
    if (smi_dmon_again(&r->names, line.p, line.n))
        fresh = r->meant;
    else
        bind(&fresh, text, hash, r->cell);
    if (fresh.width) {
        r->plan = fresh;
        r->lines.account->changes++;
        remember(&r->plain.names, line);
        return on_header(r, err);
    }
    if (text.n && cut(text, fresh.commas, r->cell) && smi_mon_is_units(r->cell[0]))
        return on_units(r, line);
    if (fresh.gpu >= 0 && (hash || fresh.pmon)) { /* pmon's, or none of our names: rows below are not ours */
        r->plan.width = r->plain.names.n = 0;
        r->plain.on = false;
        r->lines.account->changes++;
        return smi_account_reject(r->lines.account, SMI_FOREIGN, line, err);
    }
    return smi_mon_odd(&r->lines, line, hash, err);
}

/* "    0     50# gpu    pwr": a dmon was killed in the middle of a row, and the next one appended its header. */
static int on_glued(struct smi_reader *r, struct smi_text row, struct smi_text header, struct smi_err *err)
{
    struct smi_dmon_plan fresh;
    bool hash;
    struct smi_text names = smi_mon_bare(header, &hash);
    bind(&fresh, names, hash, r->cell);
    if (!fresh.width)
        return on_row(r, row, err);
    return smi_account_odd(r->lines.account, SMI_ODD_OTHER, err, "an unfinished row in front of a header: \"%.*s\"",
                           (int)(row.n - header.n < 60 ? row.n - header.n : 60), row.p) ||
                   on_other(r, header, err)
               ? -1
               : 0;
}

static int on_line(void *self, struct smi_text line, struct smi_err *err)
{
    const char *hash = memchr(line.p, '#', line.n);
    if (smi_mon_is_row(line))
        return hash ? on_glued(self, line, (struct smi_text){hash, (size_t)(line.p + line.n - hash)}, err)
                    : on_row(self, line, err);
    return on_other(self, line, err);
}

static ptrdiff_t on_rows(void *self, const char *p, size_t n, struct smi_err *err)
{
    struct smi_reader *r = self;
    return smi_dmon_plain_rows(&r->plain, &r->lines, p, n, err);
}

static enum smi_sniff sniff(struct smi_text line)
{
    struct smi_text cell[COLUMNS];
    struct smi_dmon_plan p;
    bool hash;
    struct smi_text text = smi_mon_bare(line, &hash);
    bind(&p, text, hash, cell);
    return p.width && p.n >= 2 ? SMI_SNIFF_YES : SMI_SNIFF_NO;
}

static struct smi_reader *open(const struct smi_read_opts *o, struct smi_err *err)
{
    struct smi_reader *r = smi_lines_open(sizeof *r, o, on_line, err);
    if (!r)
        return NULL;
    r->mon.name = "dmon";
    r->lines.rows = on_rows;
    return r;
}

static void again(struct smi_reader *r, const struct smi_read_opts *o)
{
    struct smi_dmon_plain *d = &r->plain;
    smi_lines_again(r, o);
    r->mon = (struct smi_mon){.name = r->mon.name};
    if (d->names.n) {
        remember(&r->names, (struct smi_text){d->names.text, d->names.n});
        r->meant = r->plan;
    }
    if (d->units.n)
        remember(&r->units, (struct smi_text){d->units.text, d->units.n});
    r->plan.width = d->names.n = d->units.n = 0;
    d->block.n = d->block.metrics = 0;
    d->on = false;
}

static enum smi_base base(const struct smi_reader *r)
{
    return r->mon.base;
}

static void close(struct smi_reader *r)
{
    if (!r)
        return;
    smi_plain_fini(&r->plain.block);
    smi_lines_close(r);
}

const struct smi_format smi_format_dmon = {
    .name = "dmon",
    .help = "nvidia-smi dmon, any -s, -o and --format csv",
    .sniff = sniff,
    .open = open,
    .again = again,
    .feed = smi_lines_read,
    .finish = smi_lines_end,
    .base = base,
    .close = close,
};
