/* What a command and all that it started used, as `smilog run` records it: UTC stamps, then metrics of the
 * machine by their names (smilog list metrics), at least one of which is of the tree.
 *
 *     timestamp,tree_cpu_pct,tree_cpu_main_pct,tree_cpu_children_pct,tree_ram_mib,...
 *     2026-11-21T06:22:31.123+00:00,104.2,3.1,101.1,912.4,...
 *
 * An empty cell is a figure that could not be had. */
#include "formats/format.h"
#include "formats/metric_csv.h"

#include <string.h>

struct smi_reader {
    struct smi_lines lines; /* first: see smi_lines_read */
    struct smi_metric_csv columns;
};

static bool is_process_csv_header(const struct smi_text *cell, size_t n)
{
    bool tree = false;
    for (size_t i = 1; i < n && i < SMI_METRIC_CSV_COLUMNS; i++)
        tree |=
            cell[i].n > 5 && memcmp(cell[i].p, "tree_", 5) == 0 && smi_metric_find(cell[i].p, cell[i].n) >= 0;
    return tree && smi_text_is_nocase(cell[0], "timestamp");
}

static int read_process_csv_line(void *self, struct smi_text line, struct smi_err *err)
{
    struct smi_reader *r = self;
    struct smi_text cell[SMI_METRIC_CSV_COLUMNS];
    size_t n = smi_metric_csv_split(line, cell);
    int rc;
    if (is_process_csv_header(cell, n)) {
        r->lines.account->changes += smi_metric_csv_bind(&r->columns, cell, n, 1);
        r->lines.account->header++;
        return 0;
    }
    if (!smi_metric_csv_begins_row(cell) && (rc = smi_message_count(r->lines.account, line, err)))
        return rc < 0 ? -1 : 0;
    if (n == 1)
        return smi_account_reject(r->lines.account, SMI_REJECT_FOREIGN, line, err);
    if (n != r->columns.width)
        return smi_account_reject(r->lines.account, SMI_REJECT_BAD_WIDTH, line, err);
    return smi_metric_csv_row(&r->columns, &r->lines, line, cell, n, err);
}

static enum smi_sniff sniff_process_csv(struct smi_text line)
{
    struct smi_text cell[SMI_METRIC_CSV_COLUMNS];
    return is_process_csv_header(cell, smi_metric_csv_split(line, cell)) ? SMI_SNIFF_YES : SMI_SNIFF_NO;
}

static struct smi_reader *open_process_csv_reader(const struct smi_read_opts *o, struct smi_err *err)
{
    return smi_lines_open(sizeof(struct smi_reader), o, read_process_csv_line, err);
}

static void reset_process_csv_reader(struct smi_reader *r, const struct smi_read_opts *o)
{
    smi_lines_reset(r, o);
    r->columns.width = 0;
}

static enum smi_time_base process_csv_time_base(const struct smi_reader *r)
{
    (void)r;
    return SMI_TIME_BASE_UTC;
}

const struct smi_format smi_format_process_csv = {
    .name = "procs-csv",
    .help = "What smilog run says of a command and all that it started: timestamp, then metrics of the tree",
    .sniff = sniff_process_csv,
    .open = open_process_csv_reader,
    .again = reset_process_csv_reader,
    .feed = smi_lines_read,
    .finish = smi_lines_end,
    .base = process_csv_time_base,
    .close = smi_lines_close,
};
