/* The CPU log of the reference's sampler: UTC stamps, percent of all CPUs; usr includes nice.
 *
 *     timestamp,usr_pct,idle_pct
 *     2026-11-21T06:22:31.123+00:00,12.3,80.1
 *
 * Further columns may follow; they are not read. */
#include "base/clock.h"
#include "base/mem.h"
#include "format/format.h"
#include "format/lines.h"

#include <string.h>

enum { CELLS = 3 };

static const uint16_t metric_of[CELLS] = {0, SMI_CPU_USR, SMI_CPU_IDLE}; /* by place; 0: the time */

struct smi_reader {
    struct smi_lines lines; /* first: see smi_lines_read */
    size_t width;        /* cells of the header; 0: none yet */
};

/* The first three cells, trimmed; returns how many there are in all. */
static size_t cut(struct smi_text line, struct smi_text cell[CELLS])
{
    const char *p = line.p, *end = line.p + line.n, *comma;
    size_t n = 0;
    for (;; p = comma + 1) {
        comma = memchr(p, ',', (size_t)(end - p));
        if (n < CELLS)
            cell[n] = smi_text_trim((struct smi_text){p, (size_t)((comma ? comma : end) - p)});
        n++;
        if (!comma)
            return n;
    }
}

static bool is_header(const struct smi_text cell[CELLS], size_t n)
{
    return n >= CELLS && smi_text_same(cell[0], "timestamp") && smi_text_same(cell[1], "usr_pct") &&
           smi_text_same(cell[2], "idle_pct");
}

static int row(struct smi_reader *r, struct smi_text line, const struct smi_text cell[CELLS],
               struct smi_err *err)
{
    uint16_t metric[CELLS];
    int64_t v[CELLS], us;
    bool zoned;
    enum smi_cell what;
    struct smi_sample s = {.timed = true, .who = SMI_WHO_HOST, .metric = metric, .v = v};
    if (smi_clock_iso(cell[0], &us, &s.fine, &zoned))
        return smi_account_reject(r->lines.account, SMI_BAD_TIME, line, err);
    s.t_ms = us / 1000 - (us % 1000 < 0);
    for (int i = 1; i < CELLS; i++) {
        what = smi_cell_number(metric_of[i], cell[i], &v[s.n]);
        if (what == SMI_CELL_OK)
            metric[s.n++] = metric_of[i];
        else if (smi_cell_lost(r->lines.account, what, metric_of[i], cell[i], err))
            return -1;
    }
    if (!s.n)
        return smi_account_reject(r->lines.account, SMI_BAD_NUMBER, line, err);
    return r->lines.to->take(r->lines.to, &s, err);
}

/* A first line that is data is data: the header can be lost. */
static int on_line(void *self, struct smi_text line, struct smi_err *err)
{
    struct smi_reader *r = self;
    struct smi_text cell[CELLS];
    size_t n = cut(line, cell);
    int rc;
    if (is_header(cell, n)) {
        r->width = n;
        r->lines.account->header++;
        return 0;
    }
    if (n == 1 || cell[0].n == 0 || cell[0].p[0] < '0' || cell[0].p[0] > '9') {
        rc = smi_message_take(r->lines.account, line, err);
        if (rc)
            return rc < 0 ? -1 : 0;
    }
    if (n == 1)
        return smi_account_reject(r->lines.account, SMI_FOREIGN, line, err);
    if (n < CELLS || (r->width && n != r->width))
        return smi_account_reject(r->lines.account, SMI_BAD_WIDTH, line, err);
    return row(r, line, cell, err);
}

static enum smi_sniff sniff(struct smi_text line)
{
    struct smi_text cell[CELLS];
    return is_header(cell, cut(line, cell)) ? SMI_SNIFF_YES : SMI_SNIFF_NO;
}

static struct smi_reader *open(const struct smi_read_opts *o, struct smi_err *err)
{
    struct smi_reader *r = smi_mem_new(1, sizeof *r);
    if (!r) {
        smi_err_nomem(err);
        return NULL;
    }
    r->lines = (struct smi_lines){.account = o->account, .devices = o->devices, .line = on_line, .self = r,
                                 .begun = o->later};
    return r;
}

static enum smi_base base(const struct smi_reader *r)
{
    (void)r;
    return SMI_BASE_UTC;
}

static void close(struct smi_reader *r)
{
    if (r)
        smi_lines_fini(&r->lines);
    smi_mem_free(r);
}

const struct smi_format smi_format_cpu = {
    .name = "cpu-csv",
    .help = "CPU log of the reference's sampler: timestamp,usr_pct,idle_pct",
    .sniff = sniff,
    .open = open,
    .feed = smi_lines_read,
    .finish = smi_lines_end,
    .base = base,
    .close = close,
};
