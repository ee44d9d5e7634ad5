/* The CPU log of the reference's sampler: UTC stamps, percent of all CPUs; usr includes nice.
 *
 *     timestamp,usr_pct,idle_pct
 *     2026-11-21T06:22:31.123+00:00,12.3,80.1
 *
 * Further columns may follow: those that are called as a metric of the machine (smilog list metrics: cpu_pct,
 * psi_io_pct, cgroup_ram_mib) are read, others are not. */
#include "base/clock.h"
#include "formats/fast_block.h"

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

/* Behind the own columns of a CPU log, or the time of another: a metric of the machine by its name. */
static void bind_metrics(struct smi_row_plan *p, const struct smi_text *cell, size_t n, bool cpu)
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
    }
}

/* The first line of a CPU log may be data: its header can be lost. Then columns behind the third are not
 * known.
 */
static int read_metric_line(void *self, struct smi_text line, struct smi_err *err)
{
    struct smi_row_reader *r = self;
    struct smi_row_plan fresh;
    bool cpu = r->lines.format == &smi_format_cpu_csv, begins;
    size_t n = smi_row_split(line, 0, r->cell, COLUMNS);
    int rc = 0;
    if ((cpu ? is_cpu_header : is_process_header)(r->cell, n)) {
        bind_metrics(&fresh, r->cell, n, cpu);
        return smi_row_header(r, line, &fresh, err);
    }
    if (cpu && !r->plan.width) {
        bind_metrics(&fresh, r->cell, OWN, true);
        smi_row_use(r, &fresh);
    }
    if (r->header_n)
        n = smi_row_rejoin_time(r, n);
    begins = r->cell[0].n && smi_is_digit(r->cell[0].p[0]);
    if (!begins || (cpu && n == 1))
        rc = smi_message_count(r->lines.account, line);
    if (rc)
        return rc < 0 ? -1 : 0;
    if (n == 1)
        return smi_row_reject(r, SMI_REJECT_FOREIGN, line, err);
    if (cpu && !r->header_n ? n < OWN : n != r->plan.width)
        return smi_row_reject(r, SMI_REJECT_BAD_WIDTH, line, err);
    return smi_row_read(r, line, err);
}

/* The fast path knows our own stamps: not before the first row has proved to have one. */
static void bind_metric_fast(struct smi_row_reader *row)
{
    struct smi_csv_fast *fast = &((struct smi_csv_reader *)row)->fast;
    if (row->clock.form == SMI_STAMP_DATE && row->lines.base == SMI_TIME_BASE_UTC)
        smi_csv_fast_bind(fast, &row->plan, SMI_STAMP_ISO, true);
    else
        smi_csv_fast_off(fast);
}

/* Without a zone they are UTC. */
static int read_metric_time(struct smi_row_reader *row, struct smi_sample *s)
{
    enum smi_stamp_form before = row->clock.form;
    if (smi_row_time(row, row->cell[0], true, s))
        return -1;
    if (before != SMI_STAMP_DATE && row->clock.form == SMI_STAMP_DATE)
        bind_metric_fast(row);
    return 0;
}

static const struct smi_table table = {.flags = SMI_TABLE_HOST | SMI_TABLE_DATED,
                                       .columns = COLUMNS,
                                       .time = read_metric_time,
                                       .bound = bind_metric_fast};

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

#define METRIC_FORMAT                                                                           \
    {                                                                                           \
        SMI_CSV_READER, .header = find_metric_header, .line = read_metric_line, .table = &table \
    }

const struct smi_format smi_format_cpu_csv = METRIC_FORMAT;
const struct smi_format smi_format_process_csv = METRIC_FORMAT;
