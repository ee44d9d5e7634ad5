/* amd-smi monitor --csv, metric --csv and process --csv, once or with -w: a block for each sample, with its
 * header (CRLF), and an empty line behind it.
 *
 *     'CTRL' + 'C' to stop watching output:
 *     timestamp,gpu,xcp,power_usage,hotspot_temperature,gfx_clk,gfx,mem,vram_used,vram_total
 *     1786553852,0,0,238,37,95,0,0,283,294896
 *
 * Cells have no units; texts with commas are quoted ("['N/A', 'N/A']"), on Windows lists are not: [0, 0].
 * Times are whole seconds, UTC; without -w there are none. Columns follow the options, so they are bound by
 * name at every header. Chips that are parted (xcp) print further rows of a GPU that carry no more than what
 * is not read here: passed over. monitor without options gives memory in GiB with one decimal, and in whole
 * MiB otherwise. process has a row for each process of each GPU, or one that says that a GPU has none:
 *
 *     timestamp,gpu,name,pid,gtt_mem,cpu_mem,vram_mem,mem_usage,gfx,enc,process_info
 *     1786553852,0,python3,4711,2097152,0,1073741824,1075838976,0,0,N/A
 *     1786553852,1,N/A,N/A,N/A,N/A,N/A,N/A,N/A,N/A,No running processes detected */
#include "formats/row_engine.h"

enum { COLUMNS = 512, INDEX_DIGITS = 6, INDEX = SMI_AT_KEY + SMI_DEVICE_KEY_INDEX };

struct smi_reader {
    struct smi_row_reader row; /* first: see row_engine.h */
    bool passed;               /* rows of processes among those of GPUs */
};

/* ---- headers ---- */

static bool begins_header(const struct smi_text *cell, size_t n)
{
    return smi_text_is_nocase(cell[0], "gpu") ||
           (n > 1 && smi_text_is_nocase(cell[0], "timestamp") && smi_text_is_nocase(cell[1], "gpu"));
}

/* The tables of amd-smi: they give `mem` another meaning. A header that has words of several is of the last.
 */
static const struct {
    const struct smi_names *names;
    const struct smi_format *format;
    int id;
} tables[] = {{&smi_names_amd_monitor, &smi_format_amd_monitor, SMI_FMT_AMD_MONITOR},
              {&smi_names_amd_process, &smi_format_amd_process, SMI_FMT_AMD_PROCESS},
              {&smi_names_amd_metric, &smi_format_amd_metric, SMI_FMT_AMD_METRIC}};

/* The place of the table that a header proves, or -1. */
static int table_of(const struct smi_text *cell, size_t n)
{
    for (int k = 2; k >= 0; k--)
        for (size_t i = 0; i < n; i++) {
            const struct smi_alias *a = smi_names_find(tables[k].names, cell[i]);
            if (a && (a->word & SMI_WORD_PROOF))
                return k;
        }
    return -1;
}

static int own_table(const struct smi_row_reader *r)
{
    int k = 2;
    while (k && r->lines.format != tables[k].format)
        k--;
    return k;
}

/* p->width stays 0 if the rows below are another table's, or nobody's. Returns whether they are of processes,
 * which stand among those of GPUs. */
static bool bind_amd_columns(struct smi_row_plan *p, int table, const struct smi_text *cell, size_t n)
{
    int proved = table_of(cell, n);
    smi_row_plan_init(p, 0);
    for (size_t i = 0; i < n; i++) {
        smi_row_plan_name(p, tables[table].names, cell[i], i);
        smi_row_plan_name(p, &smi_names_amd_row, cell[i], i);
    }
    if (tables[table].format != &smi_format_amd_process &&
        (p->at[SMI_AT_PID] >= 0 || p->at[SMI_AT_INFO] >= 0))
        return true;
    if (proved == table || (proved < 0 && p->n))
        p->width = n;
    return false;
}

/* ---- rows ---- */

/* monitor's memory: whole MiB have no point, and no GPU has 2 TiB. */
static bool in_gib(const struct smi_row_reader *r)
{
    int64_t v;
    for (unsigned i = 0; i < r->plan.n && own_table(r) == 0; i++) {
        struct smi_text total = r->cell[r->plan.column[i].place];
        if (r->plan.column[i].what == SMI_FB_TOTAL)
            return total.n && memchr(total.p, '.', total.n) && smi_text_parse_micro(total, &v) == 0 &&
                   v < (int64_t)2048 * 1000000;
    }
    return false;
}

static enum smi_cell_status read_amd_cell(struct smi_row_reader *r, const struct smi_row_column *c,
                                          struct smi_text cell, int64_t *v)
{
    enum smi_cell_status what = smi_amd_row_cell(r, c, cell, v);
    if (what == SMI_CELL_OK && (c->what == SMI_FB_USED || c->what == SMI_FB_TOTAL) && in_gib(r))
        *v *= 1024;
    return what;
}

static struct smi_text read_amd_key(struct smi_row_reader *r, enum smi_device_key key, struct smi_text cell)
{
    (void)r;
    (void)key;
    return smi_cell_digits(cell, INDEX_DIGITS) >= 0 ? cell : (struct smi_text){NULL, 0};
}

/* The second and further rows of a parted GPU have no readings. */
static bool is_further_part(struct smi_row_reader *r)
{
    int part = r->plan.at[SMI_AT_PART];
    if (part < 0 || smi_cell_digits(r->cell[part], INDEX_DIGITS) < 0 || smi_text_is(r->cell[part], "0"))
        return false;
    for (unsigned i = 0; i < r->plan.n; i++)
        if (!smi_amd_missing(r->cell[r->plan.column[i].place]))
            return false;
    return true;
}

static struct smi_text process_text(const struct smi_row_reader *r, unsigned at)
{
    int place = r->plan.at[at];
    return place < 0 || smi_amd_missing(r->cell[place]) ? (struct smi_text){"", 0} : r->cell[place];
}

static bool read_amd_process(struct smi_row_reader *r, const struct smi_sample *s, struct smi_process *q)
{
    int info = r->plan.at[SMI_AT_INFO];
    *q = (struct smi_process){.pid = -1, .life_ms = -1};
    q->none = info >= 0 && smi_text_is_nocase(r->cell[info], "No running processes detected");
    if (q->none)
        return true;
    q->name = process_text(r, SMI_AT_PROCESS);
    return smi_row_pid(process_text(r, SMI_AT_PID), &q->pid) && (q->pid >= 0 || s->n);
}

/* ---- lines ---- */

/* A line of n cells that is no header. */
static int read_amd_row(struct smi_reader *r, struct smi_text line, size_t n, struct smi_err *err)
{
    struct smi_row_reader *row = &r->row;
    size_t width = row->plan.width;
    bool digit = smi_is_digit(*smi_text_trim(line).p);
    if (r->passed && digit) {
        row->lines.account->messages++;
        return 0;
    }
    if (width && n > width)
        n = smi_row_rejoin_time(row,
                                smi_row_split(line, SMI_SPLIT_QUOTES | SMI_SPLIT_LISTS, row->cell, COLUMNS));
    if (width && n == width && (digit || !smi_row_is_message(row, line)))
        return smi_row_read(row, line, err);
    return smi_row_other(row, line, false, width && digit ? SMI_REJECT_BAD_WIDTH : SMI_REJECT_FOREIGN, err);
}

static int read_amd_header(struct smi_reader *r, struct smi_text line, size_t n, struct smi_err *err)
{
    struct smi_row_reader *row = &r->row;
    struct smi_row_plan fresh;
    if (smi_row_end_cycle(row, err))
        return -1;
    r->passed = bind_amd_columns(&fresh, own_table(row), row->cell, n);
    if (fresh.width) {
        int rc = smi_row_header(row, line, &fresh, err);
        row->cycle.has_memory = true;
        return rc;
    }
    smi_row_use(row, &fresh);
    row->lines.account->changes++;
    if (!r->passed) /* metric below monitor, or no name that we know */
        return smi_row_reject(row, SMI_REJECT_FOREIGN, line, err);
    row->lines.account->messages++;
    return 0;
}

static int read_amd_line(void *self, struct smi_text line, struct smi_err *err)
{
    struct smi_reader *r = self;
    size_t n;
    if (r->row.plan.width && smi_row_same_header(&r->row, line)) /* it comes again in front of every sample */
        return smi_row_end_cycle(&r->row, err) || smi_row_count_header(&r->row, err) ? -1 : 0;
    n = smi_row_split(line, SMI_SPLIT_QUOTES, r->row.cell, COLUMNS);
    if (n <= COLUMNS && begins_header(r->row.cell, n))
        return read_amd_header(r, line, n, err);
    return read_amd_row(r, line, n, err);
}

/* ---- the formats ---- */

/* amd-smi puts no blank behind its commas: what has one is somebody's own CSV, or nvidia-smi's. */
static enum smi_sniff sniff_commas(struct smi_text line)
{
    return memmem(line.p, line.n, ", ", 2) ? SMI_SNIFF_NO : SMI_SNIFF_YES;
}

static int find_amd_header(const struct smi_text *cell, size_t n)
{
    int k = n <= COLUMNS && begins_header(cell, n) ? table_of(cell, n) : -1;
    return k < 0 ? -1 : tables[k].id;
}

#define AMD_FORMAT(of_table)                                                                 \
    {                                                                                        \
        .size = sizeof(struct smi_reader), .sniff = sniff_commas, .header = find_amd_header, \
        .split = SMI_SPLIT_QUOTES, .line = read_amd_line, .table = of_table                  \
    }

static const struct smi_table gpus = {.flags = SMI_TABLE_DATED,
                                      .columns = COLUMNS,
                                      .time = smi_row_time_stamp,
                                      .cell = read_amd_cell,
                                      .key = read_amd_key,
                                      .passed = is_further_part};
static const struct smi_table processes = {.flags = SMI_TABLE_CYCLES | SMI_TABLE_DATED,
                                           .columns = COLUMNS,
                                           .time = smi_row_time_stamp,
                                           .cell = read_amd_cell,
                                           .key = read_amd_key,
                                           .process = read_amd_process};

const struct smi_format smi_format_amd_metric = AMD_FORMAT(&gpus);
const struct smi_format smi_format_amd_monitor = AMD_FORMAT(&gpus);
const struct smi_format smi_format_amd_process = AMD_FORMAT(&processes);
