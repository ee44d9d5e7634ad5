/* Samples that smilog export --to csv: has written:
 *
 *     run,host,input,format,row,time,device,gpu,uuid,bus,name,gpu_util_pct,power_w
 *     seed3,pod-3,hw_metrics.csv,nvidia-smi-query,0,2026-07-03T22:10:46.109Z,gpu,0,GPU-1f,,NVIDIA
 * H100,97.0,412.6
 *
 * device: gpu, host, pooled, or mark: then the name is the JSON of a phase or an event. What stands behind
 * the eleven is a metric by its name (smilog list metrics), or passed over. An empty cell is no reading. */
#include "base/buf.h"
#include "formats/row_engine.h"
#include "formats/samples.h"

#include <string.h>

enum {
    RUN,
    HOST,
    INPUT,
    FORMAT,
    ROW,
    TIME,
    DEVICE,
    GPU,
    UUID,
    BUS,
    NAME,
    OWN,
    WIDE = OWN + SMI_METRIC_COUNT
};

static const char *const own[OWN] = {"run",    "host", "input", "format", "row", "time",
                                     "device", "gpu",  "uuid",  "bus",    "name"};

struct smi_reader {
    struct smi_lines lines; /* first: see lines.c */
    struct smi_samples_reader back;
    size_t width;         /* cells of the header; 0: none yet */
    int16_t column[WIDE]; /* behind the own ones: a metric, or -1 */
    struct smi_text cell[WIDE];
    struct smi_buf plain; /* quoted cells without their quotes */
    struct smi_buf repaired;
    struct smi_json_fields mark;
};

/* ---- cells ---- */

/* All cells of the line. Returns how many there are, WIDE at most in r->cell. */
static size_t split_samples_csv_cells(struct smi_reader *r, struct smi_text line)
{
    size_t n = smi_row_split(line, SMI_SPLIT_QUOTES | SMI_SPLIT_EXACT, r->cell, WIDE);
    smi_buf_clear(&r->plain);
    smi_buf_room(&r->plain, line.n + 1);
    for (size_t i = 0; i < n && i < OWN && memchr(line.p, '"', line.n); i++)
        r->cell[i] = smi_row_unquote(&r->plain, r->cell[i]);
    return n;
}

static bool is_samples_csv_header(const struct smi_text *cell, size_t n)
{
    for (size_t i = 0; i < OWN; i++)
        if (i >= n || !smi_text_is(cell[i], own[i]))
            return false;
    return true;
}

static void bind_samples_csv_columns(struct smi_reader *r, size_t n)
{
    bool seen[SMI_METRIC_COUNT] = {false};
    r->lines.account->changes += r->width != 0 && r->width != n;
    r->width = n;
    for (size_t i = OWN; i < n && i < WIDE; i++) {
        int metric = smi_metric_find(r->cell[i].p, r->cell[i].n);
        r->column[i] = (int16_t)(metric >= 0 && !seen[metric] ? metric : -1);
        if (metric >= 0)
            seen[metric] = true;
    }
}

/* ---- rows ---- */

/* An export guards what a spreadsheet would take for a formula with a '. */
static struct smi_text samples_csv_json_text(struct smi_text t)
{
    bool guarded = t.n > 1 && *t.p == '\'' && strchr("=+-@\t\r", t.p[1]);
    return guarded ? (struct smi_text){t.p + 1, t.n - 1} : t;
}

static void add_samples_csv_readings(struct smi_reader *r)
{
    for (size_t i = OWN; i < r->width && i < WIDE; i++) {
        int64_t v;
        enum smi_cell_status what;
        if (r->column[i] < 0 || !r->cell[i].n)
            continue;
        what = smi_cell_number((unsigned)r->column[i], r->cell[i], &v);
        if (what == SMI_CELL_OK)
            smi_samples_reader_read(&r->back, (unsigned)r->column[i], v);
        else
            smi_cell_count_lost(r->lines.account, what, (unsigned)r->column[i], r->cell[i]);
    }
}

static int read_samples_csv_mark(struct smi_reader *r, struct smi_text line, struct smi_err *err)
{
    json_t *entry;
    int rc = 0;
    smi_json_line(r->cell[NAME], &r->repaired, r->lines.account, &entry);
    if (entry)
        rc = smi_samples_mark_read(&r->mark, &r->lines, r->cell[TIME], entry, line, err);
    json_decref(entry);
    return rc;
}

static int check_samples_csv_row(struct smi_reader *r, struct smi_text line, struct smi_err *err)
{
    struct smi_samples_row row = {.format = r->cell[FORMAT],
                                  .time = r->cell[TIME],
                                  .index = r->cell[GPU],
                                  .uuid = samples_csv_json_text(r->cell[UUID]),
                                  .bus = samples_csv_json_text(r->cell[BUS]),
                                  .name = samples_csv_json_text(r->cell[NAME]),
                                  .host = smi_text_is(r->cell[DEVICE], "host"),
                                  .pooled = smi_text_is(r->cell[DEVICE], "pooled"),
                                  .row = smi_cell_digits(r->cell[ROW], SMI_CELL_DIGITS)};
    bool mark = smi_text_is(r->cell[DEVICE], "mark");
    int mine;
    if (!row.host && !row.pooled && !mark && !smi_text_is(r->cell[DEVICE], "gpu")) {
        smi_account_reject(r->lines.account, SMI_REJECT_FOREIGN, line);
        return 0;
    }
    mine = smi_samples_reader_is_own_run(&r->back, &r->lines, r->cell[RUN], line);
    if (mine <= 0)
        return mine;
    if (mark)
        return read_samples_csv_mark(r, line, err);
    add_samples_csv_readings(r);
    return smi_samples_reader_add(&r->back, &r->lines, &row, line, err);
}

static int read_samples_csv_line(void *self, struct smi_text line, struct smi_err *err)
{
    struct smi_reader *r = self;
    size_t n = split_samples_csv_cells(r, line);
    if (is_samples_csv_header(r->cell, n)) {
        bind_samples_csv_columns(r, n);
        r->lines.account->header++;
        return 0;
    }
    if (!r->width) {
        smi_account_reject(r->lines.account, SMI_REJECT_FOREIGN, line);
        return 0;
    }
    if (n == r->width)
        return check_samples_csv_row(r, line, err);
    smi_account_reject(r->lines.account, SMI_REJECT_BAD_WIDTH, line);
    return 0;
}

static enum smi_sniff sniff_samples_csv(struct smi_text line)
{
    const char *p = line.p;
    for (size_t i = 0; i < OWN; i++) {
        size_t n = strlen(own[i]), left = line.n - (size_t)(p - line.p);
        if (left < n || memcmp(p, own[i], n) != 0 || (left > n && p[n] != ',') || (left == n && i + 1 < OWN))
            return SMI_SNIFF_NO;
        p += n + (left > n);
    }
    return SMI_SNIFF_YES;
}

static void close_samples_csv_reader(struct smi_reader *r)
{
    smi_buf_fini(&r->plain);
    smi_buf_fini(&r->repaired);
    smi_samples_reader_fini(&r->back);
}

const struct smi_format smi_format_samples_csv = {
    .size = sizeof(struct smi_reader),
    .sniff = sniff_samples_csv,
    .line = read_samples_csv_line,
    .close = close_samples_csv_reader,
};
