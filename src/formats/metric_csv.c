#include "formats/metric_csv.h"

#include "base/clock.h"
#include "formats/format.h"

#include <string.h>

size_t smi_metric_csv_split(struct smi_text line, struct smi_text cell[SMI_METRIC_CSV_COLUMNS])
{
    const char *p = line.p, *end = line.p + line.n, *comma;
    size_t n = 0;
    for (;; p = comma + 1) {
        comma = memchr(p, ',', (size_t)(end - p));
        if (n < SMI_METRIC_CSV_COLUMNS)
            cell[n] = smi_text_trim((struct smi_text){p, (size_t)((comma ? comma : end) - p)});
        n++;
        if (!comma)
            return n;
    }
}

bool smi_metric_csv_bind(struct smi_metric_csv *s, const struct smi_text *cell, size_t n, size_t from)
{
    bool known[SMI_METRIC_COUNT] = {false}, other = s->width != n;
    for (size_t i = 1; i < from; i++)
        known[s->metric[i]] = true;
    for (size_t i = from; i < n && i < SMI_METRIC_CSV_COLUMNS; i++) {
        int m = smi_metric_find(cell[i].p, cell[i].n);
        if (m < 0 || !smi_metric_is_host((unsigned)m) || known[m])
            m = -1;
        else
            known[m] = true;
        other |= s->metric[i] != m;
        s->metric[i] = (int16_t)m;
    }
    s->width = n;
    return other;
}

bool smi_metric_csv_begins_row(const struct smi_text *cell)
{
    return cell[0].n && cell[0].p[0] >= '0' && cell[0].p[0] <= '9';
}

int smi_metric_csv_row(const struct smi_metric_csv *s, struct smi_lines *lines, struct smi_text line,
                       const struct smi_text *cell, size_t n, struct smi_err *err)
{
    uint16_t metric[SMI_METRIC_CSV_COLUMNS];
    int64_t v[SMI_METRIC_CSV_COLUMNS], us;
    bool zoned;
    enum smi_cell_status what;
    struct smi_sample row = {.timed = true, .who = SMI_DEVICE_HOST, .metric = metric, .v = v};
    if (smi_clock_parse_iso(cell[0], &us, &row.fine, &zoned))
        return smi_account_reject(lines->account, SMI_REJECT_BAD_TIME, line, err);
    row.t_ms = us / 1000 - (us % 1000 < 0);
    for (size_t i = 1; i < n && i < SMI_METRIC_CSV_COLUMNS; i++) {
        int m = s->metric[i];
        if (m < 0)
            continue;
        what = smi_cell_number((unsigned)m, cell[i], &v[row.n]);
        if (what == SMI_CELL_OK)
            metric[row.n++] = (uint16_t)m;
        else if (smi_cell_count_lost(lines->account, what, (unsigned)m, cell[i], err))
            return -1;
    }
    if (!row.n)
        return smi_account_reject(lines->account, SMI_REJECT_BAD_NUMBER, line, err);
    return smi_sink_row(lines->to, &row, err);
}
