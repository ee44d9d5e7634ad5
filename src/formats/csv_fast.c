/* csv_fast.c - CSV logs whose rows are read many at once: nvidia-smi's queries, and our own samplers. */
#include "base/clock.h"
#include "formats/fast_block.h"

#include <stdio.h>

/* The fast path knows nvidia-smi's own stamps, and ours in UTC: not before the first row has proved to have
 * one. Nor does it know names without a key. */
static void bind_csv_fast(struct smi_row_reader *row)
{
    const bool own = row->table->flags & SMI_TABLE_HOST;
    if (row->clock.form == SMI_STAMP_DATE && row->plan.at[SMI_AT_TIME] >= 0 &&
        row->lines.base == (own ? SMI_TIME_BASE_UTC : SMI_TIME_BASE_LOCAL) && !smi_row_wants_names(row)) {
        if (!row->plan.keyed) /* its rows are not counted */
            row->named = SMI_NAMED_ROWS_MAX;
        smi_fast_bind(row, own ? SMI_FAST_ISO_STAMP : SMI_FAST_NVIDIA_STAMP, false);
    } else {
        smi_fast_off(row);
    }
}

/* Our own times without a zone are UTC. */
static int read_csv_time(struct smi_row_reader *row, struct smi_sample *s)
{
    const enum smi_stamp_form before = row->clock.form;
    const int at = row->plan.at[SMI_AT_TIME];
    if (at >= 0 && smi_row_time(row, row->cell[at], row->table->flags & SMI_TABLE_HOST, s))
        return -1;
    if (before != row->clock.form)
        bind_csv_fast(row);
    return 0;
}

#define CSV_READER .size = sizeof(struct smi_fast_reader), .fast = smi_fast_rows, .close = smi_fast_close

/* nvidia-smi --query-gpu=... --format=csv[,noheader][,nounits] -l S, as it lands in a file:
 *   timestamp, index, utilization.gpu [%], memory.used [MiB], power.draw [W]
 *   2026/07/03 22:11:09.763, 0, 100 %, 32362 MiB, 627.40 W
 * Any columns in any order; the header may be absent (the reference's nine columns then), or come again.
 * Plain rows take the fast path (fast_block.h); a row with anything else in it is cut into cells here. */

/* The reference's nine columns, of which the first is the time: what a headerless file of nine is read as. */
enum { REFERENCE = 9 };
static const uint16_t reference[REFERENCE] = {[1] = SMI_GPU_UTIL, SMI_MEM_UTIL, SMI_FB_USED, SMI_FB_TOTAL,
                                              SMI_POWER,          SMI_TEMP_GPU, SMI_CLK_SM,  SMI_CLK_MEM};

/* ---- headers ---- */

/* No cell begins with a digit, none behind the first is empty or quoted; at least one is a measurement; and a
 * cell has its unit behind it, or half of the cells are known names. */
bool smi_query_is_header(const struct smi_text *cell, size_t n)
{
    size_t known = 0, measures = 0;
    bool unit = false;
    n -= n > 1 && !cell[n - 1].n;                      /* a comma at the end */
    for (size_t i = n > 1 && !cell[0].n; i < n; i++) { /* pandas gives its row numbers no name */
        struct smi_query_column c;
        if (!cell[i].n || smi_is_digit(*cell[i].p) || memchr(cell[i].p, '"', cell[i].n) ||
            memchr(cell[i].p, '\t', cell[i].n))
            return false;
        smi_column_query(cell[i], &c);
        known += c.known || c.measures;
        measures += c.measures;
        unit |= cell[i].n > 3 && cell[i].p[cell[i].n - 1] == ']' && cell[i].p[0] != '[';
    }
    return measures > 0 && (unit || 2 * known >= n);
}

/* Do the cells fit the reference's nine columns? Its first is a time, and at most one other is no number. */
static bool fits_reference(const struct smi_text *cell, size_t n)
{
    int64_t v;
    bool fine;
    int fit = 0;
    if (n != REFERENCE || smi_clock_parse_stamp(cell[0], &v, &fine))
        return false;
    for (int i = 1; i < REFERENCE; i++)
        fit += smi_cell_number(reference[i], smi_units, 0, cell[i], &v) <= SMI_CELL_MISSING;
    return fit >= REFERENCE - 2;
}

/* As programs quote all cells: Export-Csv, QUOTE_ALL. A list in a source has blanks, or one name a line. */
static bool is_all_quoted(struct smi_text line)
{
    return line.p[line.n - 1] == '"' && memmem(line.p, line.n, "\",\"", 3) &&
           !memmem(line.p, line.n, ", ", 2);
}

static enum smi_sniff sniff_query(struct smi_text line)
{
    struct smi_text cell[SMI_FAST_CELLS];
    bool quoted = line.n > 1 && line.p[0] == '"' && (smi_is_digit(line.p[1]) || is_all_quoted(line)), fine;
    size_t n = smi_row_split(line, quoted ? SMI_SPLIT_QUOTES : 0, cell, SMI_FAST_CELLS);
    int64_t v;
    if (n > SMI_FAST_CELLS)
        return SMI_SNIFF_NO;
    if (smi_query_is_header(cell, n) || fits_reference(cell, n))
        return SMI_SNIFF_YES;
    if (n > 1 && cell[0].n > 4 && cell[0].p[4] == '/' && smi_clock_parse_stamp(cell[0], &v, &fine) == 0)
        return SMI_SNIFF_BARE;
    if (n > 1 && smi_cell_number(SMI_GPU_UTIL, smi_units, 0, cell[0], &v) == SMI_CELL_OK &&
        cell[0].p[cell[0].n - 1] == '%' &&
        smi_cell_number(SMI_FB_USED, smi_units, 0, cell[1], &v) == SMI_CELL_OK &&
        cell[1].p[cell[1].n - 1] == 'B')
        return SMI_SNIFF_BARE;
    return SMI_SNIFF_NO;
}

/* a: where columns that nvidia-smi does not have, and somebody put there, are to be named; or NULL. */
static void bind_query_columns(struct smi_row_plan *p, const struct smi_text *cell, size_t n,
                               struct smi_account *a)
{
    smi_row_plan_init(p, n);
    for (size_t i = 0; i < n; i++) {
        struct smi_query_column c;
        smi_column_query(cell[i], &c);
        smi_row_plan_add(p, c.kind, c.what, 0, i);
        if (a && !c.known && !c.kin && cell[i].n)
            smi_account_unknown(a, cell[i]);
    }
}

/* "2026/07/03 22:11:09.763, 0, 5timestamp, index, ...": a monitor was killed in the middle of a row, and the
 * next one appended its header. The rest of the line if it is one, else empty. */
static struct smi_text find_glued_header(struct smi_row_reader *row, struct smi_text line)
{
    const char *comma = row->header_n ? memchr(row->header, ',', row->header_n) : NULL;
    const struct smi_text first[] = {smi_text_of("timestamp,"),
                                     {row->header, comma ? (size_t)(comma + 1 - row->header) : 0}};
    for (size_t i = 0; i < 2 && line.n; i++) {
        const char *at = first[i].n ? memmem(line.p + 1, line.n - 1, first[i].p, first[i].n) : NULL;
        struct smi_text rest = {at, at ? (size_t)(line.p + line.n - at) : 0};
        size_t n = at ? smi_row_split(rest, 0, row->cell, SMI_FAST_CELLS) : 0;
        if (at && n <= SMI_FAST_CELLS && smi_query_is_header(row->cell, n))
            return rest;
    }
    return (struct smi_text){NULL, 0};
}

/* ---- lines ---- */

/* What the columns were told by: the shape of the rows, or a header below them, whose line is in front. */
static void tell_guess(struct smi_row_reader *row, const char **list)
{
    const char *line = ++*list;
    const size_t number = strspn(line, "0123456789");
    *list += number + (number > 0);
    if (!row->later)
        smi_account_warn(row->lines.account, SMI_LOG_WARNING_OTHER,
                         "no header: by the %s%.*s they are %s; name them with --input-columns if not",
                         number ? "header in line " : "shape of the rows", (int)number, line, *list);
}

/* The first line: a header, or the columns are known without one. */
static void use_known_columns(struct smi_row_reader *row, size_t n)
{
    struct smi_text cell[SMI_FAST_CELLS];
    struct smi_row_plan p;
    const char *list = row->wanted;
    if (!list && fits_reference(row->cell, n)) {
        smi_row_plan_init(&p, REFERENCE);
        for (size_t i = 0; i < REFERENCE; i++)
            smi_row_plan_add(&p, i ? SMI_COL_NUMBER : SMI_COL_TIME, reference[i], 0, i);
        smi_row_use(row, &p);
    }
    if (!list)
        return;
    if (*list == SMI_ROW_SHAPE_GUESS)
        tell_guess(row, &list);
    n = smi_row_split(smi_text_of(list), 0, cell, SMI_FAST_CELLS);
    if (n > SMI_FAST_CELLS) {
        row->lines.failed = true;
        smi_err_set(row->lines.err, SMI_EUSAGE, "--input-columns: more than %d names", SMI_FAST_CELLS);
        return;
    }
    bind_query_columns(&p, cell, n, NULL);
    smi_row_use(row, &p);
}

static int read_query_header(struct smi_row_reader *row, struct smi_text line, size_t n)
{
    struct smi_row_plan fresh;
    if (smi_row_has_wanted(row, n))
        return smi_row_header(row, line, &row->plan);
    if (row->plan.width && smi_row_same_header(row, line))
        return smi_row_count_header(row);
    bind_query_columns(&fresh, row->cell, n, row->lines.account);
    return smi_row_header(row, line, &fresh);
}

static int read_query_line(void *self, struct smi_text line)
{
    struct smi_row_reader *row = self;
    bool quoted = memchr(line.p, '"', line.n) != NULL;
    size_t n = smi_row_split(line, quoted ? SMI_SPLIT_QUOTES : 0, row->cell, SMI_FAST_CELLS);
    if (!row->plan.width)
        use_known_columns(row, n);
    if (row->plan.at[SMI_AT_NAME] < 0 || n < row->plan.width) /* else a comma more is one in the name */
        n = smi_row_end_comma(row, n);
    if (row->wanted && n + 1 == row->plan.width && row->plan.at[SMI_AT_TIME] == 0)
        n = smi_row_split_time(row->cell, n, row->lines.front);
    if (row->plan.at[SMI_AT_TIME] < 0) /* two times are of a torn row, and the one behind it */
        n = smi_row_take_time(row, n);
    if (!quoted && n > row->plan.width && n <= SMI_FAST_CELLS && !smi_query_is_header(row->cell, n))
        n = smi_row_rejoin(row, line, smi_row_rejoin_time(row, n), row->plan.at[SMI_AT_NAME]);
    if (n == row->plan.width && n > 2 && smi_is_digit(line.p[0])) /* no header or message is so */
        return smi_row_read(row, line);
    if (n <= SMI_FAST_CELLS && smi_query_is_header(row->cell, n))
        return read_query_header(row, line, n);
    return smi_row_line(row, line, n, line.p[0] == '#');
}

/* ---- the reader ---- */

static const struct smi_table query_table = {
    .flags = SMI_TABLE_FAULTS | SMI_TABLE_CELL_FAULTS | SMI_TABLE_BREAKS,
    .columns = SMI_FAST_CELLS,
    .time = read_csv_time,
    .glued = find_glued_header,
    .found = smi_fast_found,
    .bound = bind_csv_fast,
};

const struct smi_format smi_format_query = {
    CSV_READER,
    .sniff = sniff_query,
    .line = read_query_line,
    .whole = smi_row_is_whole,
    .table = &query_table,
};

/* The CPU log of the reference's sampler: UTC stamps, percent of all CPUs; usr includes nice.
 *
 *     timestamp,usr_pct,idle_pct
 *     2026-11-21T06:22:31.123+00:00,12.3,80.1
 *
 * Further columns may follow: those that are called as a metric of the machine (smilog list metrics: cpu_pct,
 * psi_io_pct, cgroup_ram_mib) are read, others are not. */

enum { COLUMNS = 64 /* cells that are looked at */, OWN = 3 };

static bool is_cpu_header(const struct smi_text *cell, size_t n)
{
    return n >= OWN && smi_text_is_nocase(cell[0], "timestamp") && smi_text_is_nocase(cell[1], "usr_pct") &&
           smi_text_is_nocase(cell[2], "idle_pct");
}

/* What a command and all that it started used, as `smilog run` records it: UTC stamps, then metrics of the
 * machine by their names (smilog list metrics), at least one of which is of the tree.
 *
 *     timestamp,tree_cpu_pct,tree_cpu_main_pct,tree_cpu_children_pct,tree_ram_mib,...
 *     2026-11-21T06:22:31.123+00:00,104.2,3.1,101.1,912.4,...
 *
 * An empty cell is a figure that could not be had. */
static bool is_process_header(const struct smi_text *cell, size_t n)
{
    bool tree = false;
    for (size_t i = 1; i < n && i < COLUMNS; i++)
        tree |=
            cell[i].n > 5 && memcmp(cell[i].p, "tree_", 5) == 0 && smi_metric_find(cell[i].p, cell[i].n) >= 0;
    return tree && smi_text_is_nocase(cell[0], "timestamp");
}

/* Behind the own columns of a CPU log, or the time of another: a metric of the machine by its name, or a
 * column that is named in a warning. */
static void bind_metrics(struct smi_account *a, struct smi_row_plan *p, const struct smi_text *cell, size_t n,
                         bool cpu)
{
    smi_row_plan_init(p, n);
    smi_row_plan_add(p, SMI_COL_TIME, 0, 0, 0);
    if (cpu) {
        smi_row_plan_add(p, SMI_COL_NUMBER, SMI_CPU_USR, 0, 1);
        smi_row_plan_add(p, SMI_COL_NUMBER, SMI_CPU_IDLE, 0, 2);
    }
    for (size_t i = cpu ? OWN : 1; i < n && i < COLUMNS; i++) {
        int m = smi_metric_find(cell[i].p, cell[i].n);
        if (m >= 0 && smi_metric_is_host((unsigned)m))
            smi_row_plan_add(p, SMI_COL_NUMBER, (unsigned)m, 0, i);
        else if (cell[i].n)
            smi_account_unknown(a, cell[i]);
    }
}

/* The first line of a CPU log may be data: its header can be lost. Then columns behind the third are not
 * known.
 */
static int read_metric_line(void *self, struct smi_text line)
{
    struct smi_row_reader *r = self;
    struct smi_row_plan fresh;
    bool cpu = r->lines.format == &smi_format_cpu_csv, begins;
    size_t n = smi_row_split(line, 0, r->cell, COLUMNS);
    if ((cpu ? is_cpu_header : is_process_header)(r->cell, n)) {
        bind_metrics(r->lines.account, &fresh, r->cell, n, cpu);
        return smi_row_header(r, line, &fresh);
    }
    if (cpu && !r->plan.width) {
        bind_metrics(r->lines.account, &fresh, r->cell, OWN, true);
        smi_row_use(r, &fresh);
    }
    if (r->header_n)
        n = smi_row_rejoin_time(r, n);
    begins = r->cell[0].n && smi_is_digit(r->cell[0].p[0]);
    if ((!begins || (cpu && n == 1)) && smi_message_count(r->lines.account, line))
        return 0;
    if (n == 1)
        return smi_row_reject(r, SMI_REJECT_FOREIGN, line);
    if (cpu && !r->header_n ? n < OWN : n != r->plan.width)
        return smi_row_reject(r, SMI_REJECT_BAD_WIDTH, line);
    return smi_row_read(r, line);
}

static const struct smi_table metric_table = {.flags = SMI_TABLE_HOST | SMI_TABLE_DATED,
                                              .columns = COLUMNS,
                                              .time = read_csv_time,
                                              .bound = bind_csv_fast};

/* A row whose header is lost: a time with a zone, and two shares with a point, which are no more than all. */
static bool is_cpu_row(const struct smi_text *cell, size_t n)
{
    const int64_t all = 100100000; /* each is rounded to 0.1 */
    int64_t us, share[2];
    bool fine, zoned;
    if (n != OWN || smi_clock_parse_iso(cell[0], &us, &fine, &zoned) || !zoned || cell[0].p[10] != 'T')
        return false;
    for (size_t i = 0; i < 2; i++)
        if (smi_text_parse_micro(cell[i + 1], &share[i]) || share[i] < 0 ||
            !memchr(cell[i + 1].p, '.', cell[i + 1].n))
            return false;
    return share[0] + share[1] <= all;
}

static int find_metric_header(const struct smi_text *cell, size_t n)
{
    if (is_cpu_header(cell, n) || is_cpu_row(cell, n))
        return SMI_FMT_CPU;
    return is_process_header(cell, n) ? SMI_FMT_PROCS : -1;
}

#define METRIC_FORMAT                                                                              \
    {                                                                                              \
        CSV_READER, .header = find_metric_header, .line = read_metric_line, .table = &metric_table \
    }

const struct smi_format smi_format_cpu_csv = METRIC_FORMAT;
const struct smi_format smi_format_process_csv = METRIC_FORMAT;
