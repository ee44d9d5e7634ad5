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
#include "formats/nvidia_dmon_fast.h"

#include <string.h>

enum { INDEX = SMI_AT_KEY + SMI_DEVICE_KEY_INDEX, OTHER_MONITOR = SMI_AT_PID };

struct smi_reader {
    struct smi_nvidia_monitor mon; /* first: see row_engine.h */
    struct smi_dmon_fast fast;
};

/* Decodes a header into p: `gpu` among the first three names, and names of dmon - one, or two if the '#' is
 * lost. A pid belongs to pmon. p->width stays 0 if it is no header. */
static void bind_dmon_columns(struct smi_row_plan *p, struct smi_text line, bool hash, struct smi_text *cell)
{
    static const struct smi_alias pid = {"pid", SMI_COL_PLACE, OTHER_MONITOR, 0};
    size_t n = smi_nvidia_monitor_bind(p, &pid, 1, line, cell, SMI_DMON_COLUMNS);
    if (p->at[OTHER_MONITOR] < 0 && p->at[INDEX] >= 0 && p->at[INDEX] < 3 && p->n >= (hash ? 1U : 2U))
        p->width = n;
}

static int read_dmon_row(struct smi_reader *r, struct smi_text line, struct smi_err *err)
{
    struct smi_row_reader *row = &r->mon.row;
    size_t width = row->plan.width;
    if (!width)
        return smi_row_headless(row, line, err);
    if (smi_row_split(line, row->plan.commas ? 0 : SMI_SPLIT_BLANKS, row->cell, SMI_DMON_COLUMNS) != width)
        return smi_row_other(row, line, false, SMI_REJECT_BAD_WIDTH, err);
    return smi_row_read(row, line, err);
}

/* No row: a header, its units, a comment, a message, or foreign. */
static int read_dmon_other_line(struct smi_reader *r, struct smi_text line, struct smi_err *err)
{
    struct smi_row_reader *row = &r->mon.row;
    struct smi_row_plan fresh;
    bool hash;
    struct smi_text text = smi_nvidia_monitor_strip_hash(line, &hash);
    if (row->plan.width && smi_row_same_header(row, line))
        return smi_row_count_header(row, err);
    bind_dmon_columns(&fresh, text, hash, row->cell);
    if (fresh.width)
        return smi_nvidia_monitor_header(&r->mon, line, &fresh, err);
    if (smi_nvidia_monitor_is_units(text)) {
        smi_dmon_fast_units(&r->fast, line);
        return smi_row_count_header(row, err);
    }
    if (fresh.at[INDEX] >= 0 && (hash || fresh.at[OTHER_MONITOR] >= 0)) /* pmon's, or none of our names */
        return smi_nvidia_monitor_foreign(&r->mon, line, err);
    return smi_nvidia_monitor_other(&r->mon, line, hash, err);
}

/* "    0     50# gpu    pwr": a dmon was killed in the middle of a row, and the next one appended its header.
 */
static int read_glued_dmon_header(struct smi_reader *r, struct smi_text row, struct smi_text header,
                                  struct smi_err *err)
{
    struct smi_row_plan fresh;
    bool hash;
    struct smi_text names = smi_nvidia_monitor_strip_hash(header, &hash);
    bind_dmon_columns(&fresh, names, hash, r->mon.row.cell);
    if (!fresh.width)
        return read_dmon_row(r, row, err);
    return smi_row_unfinished(&r->mon.row, row, header, err) || read_dmon_other_line(r, header, err) ? -1 : 0;
}

static int read_dmon_line(void *self, struct smi_text line, struct smi_err *err)
{
    const char *hash = memchr(line.p, '#', line.n);
    if (!smi_nvidia_monitor_is_row(line))
        return read_dmon_other_line(self, line, err);
    if (!hash)
        return read_dmon_row(self, line, err);
    return read_glued_dmon_header(self, line, (struct smi_text){hash, (size_t)(line.p + line.n - hash)}, err);
}

static ptrdiff_t read_dmon_rows_fast(void *self, const char *p, size_t n, struct smi_err *err)
{
    struct smi_reader *r = self;
    return smi_dmon_fast_rows(&r->fast, &r->mon.row, p, n, err);
}

static void bind_dmon_fast(struct smi_row_reader *row)
{
    struct smi_reader *r = (struct smi_reader *)row;
    smi_dmon_fast_bind(&r->fast, &row->plan, smi_nvidia_monitor_base(&row->plan) == row->base);
}

static enum smi_sniff sniff_dmon(struct smi_text line)
{
    struct smi_text cell[SMI_DMON_COLUMNS];
    struct smi_row_plan p;
    bool hash;
    struct smi_text text = smi_nvidia_monitor_strip_hash(line, &hash);
    bind_dmon_columns(&p, text, hash, cell);
    return p.width && p.n >= 2 ? SMI_SNIFF_YES : SMI_SNIFF_NO;
}

static void reset_dmon_reader(struct smi_reader *r, const struct smi_read_opts *o)
{
    (void)o;
    r->mon.clock_ms = r->mon.days_ms = 0;
    smi_dmon_fast_reset(&r->fast);
}

static void close_dmon_reader(struct smi_reader *r)
{
    smi_fast_block_fini(&r->fast.block);
}

static const struct smi_table table = {
    .flags = SMI_TABLE_FAULTS,
    .columns = SMI_DMON_COLUMNS,
    .headless = "rows without a dmon header above them: their columns are not known",
    .time = smi_nvidia_monitor_time,
    .key = smi_nvidia_monitor_key,
    .bound = bind_dmon_fast,
};

const struct smi_format smi_format_dmon = {
    .size = sizeof(struct smi_reader),
    .sniff = sniff_dmon,
    .line = read_dmon_line,
    .fast = read_dmon_rows_fast,
    .table = &table,
    .reusable = true,
    .reset = reset_dmon_reader,
    .close = close_dmon_reader,
};
