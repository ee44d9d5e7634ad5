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
    struct smi_nvidia_monitor mon;
    struct smi_dmon_plan plan;
    struct smi_dmon_fast plain;
    struct smi_dmon_line names, units; /* of the log before, if this reader had one, and what they meant */
    struct smi_dmon_plan meant;
    struct smi_text cell[COLUMNS];
    uint16_t metric[SMI_SAMPLE_MAX];
    int64_t v[SMI_SAMPLE_MAX];
};

static bool is_dmon_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Cells between blanks: how many, at most COLUMNS + 1; the first COLUMNS are filled. */
static size_t cut_blanks(struct smi_text line, struct smi_text *cell)
{
    const char *p = line.p, *end = p + line.n, *from;
    size_t n = 0;
    for (;;) {
        while (p < end && is_dmon_blank(*p))
            p++;
        if (p == end)
            return n;
        if (n == COLUMNS)
            return n + 1;
        for (from = p; p < end && !is_dmon_blank(*p);)
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

static size_t split_dmon_cells(struct smi_text line, bool commas, struct smi_text *cell)
{
    return commas ? cut_commas(line, cell) : cut_blanks(line, cell);
}

static bool dmon_metric_is_bound(const struct smi_dmon_plan *p, int metric)
{
    for (unsigned i = 0; i < p->n; i++)
        if (p->metric[i] == metric)
            return true;
    return false;
}

static void bind_dmon_column(struct smi_dmon_plan *p, struct smi_text name, int place)
{
    int metric;
    if (smi_text_is(name, "gpu") && p->gpu < 0)
        p->gpu = place;
    else if (smi_text_is(name, "Time"))
        p->at.time = place;
    else if (smi_text_is(name, "Date"))
        p->at.date = place;
    else if ((metric = smi_column_dmon(name)) >= 0 && p->n < SMI_SAMPLE_MAX &&
             !dmon_metric_is_bound(p, metric)) {
        p->place[p->n] = (uint16_t)place;
        p->metric[p->n++] = (uint16_t)metric;
    }
}

/* Decodes a header into p: `gpu` among the first three names, and names of dmon - one, or two if the '#' is
 * lost. A pid belongs to pmon. p->width stays 0 if it is no header. */
static void bind_dmon_columns(struct smi_dmon_plan *p, struct smi_text line, bool hash, struct smi_text *cell)
{
    size_t n;
    *p = (struct smi_dmon_plan){.at = {-1, -1}, .gpu = -1, .commas = smi_nvidia_monitor_has_commas(line)};
    n = split_dmon_cells(line, p->commas, cell);
    if (n == 0 || n > COLUMNS || !smi_nvidia_monitor_is_first_name(cell[0]))
        return;
    for (size_t i = 0; i < n; i++) {
        p->pmon = p->pmon || smi_text_is(cell[i], "pid");
        bind_dmon_column(p, cell[i], (int)i);
    }
    if (!p->pmon && p->gpu >= 0 && p->gpu < 3 && p->n >= (hash ? 1U : 2U))
        p->width = n;
}

static int read_dmon_header(struct smi_reader *r, struct smi_err *err)
{
    int rc = smi_nvidia_monitor_header(&r->mon, &r->plan.at, r->lines.account, err);
    smi_dmon_fast_bind(&r->plain, &r->plan, smi_nvidia_monitor_base(&r->plan.at) == r->mon.base);
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

static int read_dmon_cells(struct smi_reader *r, struct smi_sample *s, struct smi_err *err)
{
    const struct smi_dmon_plan *p = &r->plan;
    for (unsigned i = 0; i < p->n; i++) {
        struct smi_text c = r->cell[p->place[i]];
        enum smi_cell_status what = SMI_CELL_OK;
        if (!whole_number(c, &r->v[s->n]))
            what = smi_cell_number(p->metric[i], c, &r->v[s->n]);
        if (what == SMI_CELL_OK)
            r->metric[s->n++] = p->metric[i];
        else if (smi_cell_count_lost(r->lines.account, what, p->metric[i], c, err))
            return -1;
    }
    return 0;
}

/* r->cell holds the cells of a row as wide as its header. */
static int row(struct smi_reader *r, struct smi_text line, struct smi_err *err)
{
    struct smi_sample s = {.metric = r->metric, .v = r->v};
    int64_t index;
    if (smi_nvidia_monitor_time(&r->mon, &r->plan.at, r->cell, &s))
        return smi_account_reject(r->lines.account, SMI_REJECT_BAD_TIME, line, err);
    if (read_dmon_cells(r, &s, err))
        return -1;
    if (!s.n)
        return smi_account_reject(r->lines.account, SMI_REJECT_BAD_NUMBER, line, err);
    if (smi_nvidia_monitor_gpu(&r->lines, r->cell[r->plan.gpu], &s, &index, err))
        return -1;
    return smi_sink_row(r->lines.to, &s, err);
}

static int check_dmon_row(struct smi_reader *r, struct smi_text line, struct smi_err *err)
{
    if (r->plan.width && split_dmon_cells(line, r->plan.commas, r->cell) == r->plan.width)
        return row(r, line, err);
    return smi_nvidia_monitor_bad_row(&r->mon, &r->lines, line, r->plan.width, err);
}

static void remember_dmon_header(struct smi_dmon_line *s, struct smi_text line)
{
    s->n = line.n <= sizeof s->text && line.n && line.p[line.n - 1] != '\r' ? line.n
                                                                            : 0; /* CR CR LF: its CR counts */
    memcpy(s->text, line.p, s->n);
}

static int on_units(struct smi_reader *r, struct smi_text line)
{
    remember_dmon_header(&r->plain.units, line);
    r->lines.account->header++;
    r->mon.told = false;
    return 0;
}

/* No row: a header, its units, a comment, a message, or foreign. */
static int read_dmon_other_line(struct smi_reader *r, struct smi_text line, struct smi_err *err)
{
    struct smi_dmon_plan fresh;
    bool hash;
    struct smi_text text = smi_nvidia_monitor_strip_hash(line, &hash);
    if (smi_dmon_line_same(&r->plain.names, line.p, line.n) ||
        smi_dmon_line_same(&r->plain.units, line.p, line.n)) {
        r->lines.account->header++;
        r->mon.told = false;
        return 0;
    }
    if (smi_dmon_line_same(&r->units, line.p, line.n))
        return on_units(r, line);
    if (smi_dmon_line_same(&r->names, line.p, line.n))
        fresh = r->meant;
    else
        bind_dmon_columns(&fresh, text, hash, r->cell);
    if (fresh.width) {
        r->plan = fresh;
        r->lines.account->changes++;
        remember_dmon_header(&r->plain.names, line);
        return read_dmon_header(r, err);
    }
    if (text.n && split_dmon_cells(text, fresh.commas, r->cell) && smi_nvidia_monitor_is_units(r->cell[0]))
        return on_units(r, line);
    if (fresh.gpu >= 0 && (hash || fresh.pmon)) { /* pmon's, or none of our names: rows below are not ours */
        r->plan.width = r->plain.names.n = 0;
        r->plain.on = false;
        r->lines.account->changes++;
        return smi_account_reject(r->lines.account, SMI_REJECT_FOREIGN, line, err);
    }
    return smi_nvidia_monitor_other_line(&r->lines, line, hash, err);
}

/* "    0     50# gpu    pwr": a dmon was killed in the middle of a row, and the next one appended its header.
 */
static int on_glued(struct smi_reader *r, struct smi_text row, struct smi_text header, struct smi_err *err)
{
    struct smi_dmon_plan fresh;
    bool hash;
    struct smi_text names = smi_nvidia_monitor_strip_hash(header, &hash);
    bind_dmon_columns(&fresh, names, hash, r->cell);
    if (!fresh.width)
        return check_dmon_row(r, row, err);
    return smi_account_warn(r->lines.account, SMI_LOG_WARNING_OTHER, err,
                            "an unfinished row in front of a header: \"%.*s\"",
                            (int)(row.n - header.n < 60 ? row.n - header.n : 60), row.p) ||
                   read_dmon_other_line(r, header, err)
               ? -1
               : 0;
}

static int read_dmon_line(void *self, struct smi_text line, struct smi_err *err)
{
    const char *hash = memchr(line.p, '#', line.n);
    if (smi_nvidia_monitor_is_row(line))
        return hash ? on_glued(self, line, (struct smi_text){hash, (size_t)(line.p + line.n - hash)}, err)
                    : check_dmon_row(self, line, err);
    return read_dmon_other_line(self, line, err);
}

static ptrdiff_t read_dmon_rows_fast(void *self, const char *p, size_t n, struct smi_err *err)
{
    struct smi_reader *r = self;
    return smi_dmon_fast_rows(&r->plain, &r->lines, p, n, err);
}

static enum smi_sniff sniff_dmon(struct smi_text line)
{
    struct smi_text cell[COLUMNS];
    struct smi_dmon_plan p;
    bool hash;
    struct smi_text text = smi_nvidia_monitor_strip_hash(line, &hash);
    bind_dmon_columns(&p, text, hash, cell);
    return p.width && p.n >= 2 ? SMI_SNIFF_YES : SMI_SNIFF_NO;
}

static struct smi_reader *open_dmon_reader(const struct smi_read_opts *o, struct smi_err *err)
{
    struct smi_reader *r = smi_lines_open(sizeof *r, o, read_dmon_line, err);
    if (!r)
        return NULL;
    r->mon.name = "dmon";
    r->lines.rows = read_dmon_rows_fast;
    return r;
}

static void reset_dmon_reader(struct smi_reader *r, const struct smi_read_opts *o)
{
    struct smi_dmon_fast *d = &r->plain;
    smi_lines_reset(r, o);
    r->mon = (struct smi_nvidia_monitor){.name = r->mon.name};
    if (d->names.n) {
        remember_dmon_header(&r->names, (struct smi_text){d->names.text, d->names.n});
        r->meant = r->plan;
    }
    if (d->units.n)
        remember_dmon_header(&r->units, (struct smi_text){d->units.text, d->units.n});
    r->plan.width = d->names.n = d->units.n = 0;
    d->block.n = d->block.metrics = 0;
    d->on = false;
}

static enum smi_time_base dmon_time_base(const struct smi_reader *r)
{
    return r->mon.base;
}

static void close_dmon_reader(struct smi_reader *r)
{
    if (!r)
        return;
    smi_fast_block_fini(&r->plain.block);
    smi_lines_close(r);
}

const struct smi_format smi_format_dmon = {
    .name = "dmon",
    .help = "nvidia-smi dmon, any -s, -o and --format csv",
    .sniff = sniff_dmon,
    .open = open_dmon_reader,
    .again = reset_dmon_reader,
    .feed = smi_lines_read,
    .finish = smi_lines_end,
    .base = dmon_time_base,
    .close = close_dmon_reader,
};
