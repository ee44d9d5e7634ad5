/* GPU logs that people write by hand around nvidia-smi or NVML: a header of their own words, a time in front.
 *
 *     timestamp,gpu_index,temperature_C,utilization_gpu_percent,power_W
 *     2025-09-24T03:48:33.493Z,0, 38, 100, 387.26
 *
 * Columns are bound by the words of their names (gpu_csv_names.h), units come from the name or from the cell.
 * A number without a known unit is not read; a warning says so. Times are of any form
 * (stamp.h); the first row decides which base the log has. */
#include "formats/column_map.h"
#include "formats/gpu_csv_names.h"
#include "formats/row_engine.h"

#include <string.h>

enum { STAMP = 64, CLOCK = 18 /* bytes of a time of day with nanoseconds */ };

struct smi_reader {
    struct smi_row_reader row;                             /* first: see row_engine.h */
    struct smi_gpu_csv_column column[SMI_GPU_CSV_COLUMNS]; /* by place */
    bool warned[SMI_GPU_CSV_COLUMNS];                      /* of a column without a unit */
    bool utc;                                              /* the header says that times are */
    bool mapped;                                           /* --columns-from is given: */
    struct smi_column_map map;
};

/* "# timestamp,gpu_util": some write their header as a comment. */
static struct smi_text strip_comment(struct smi_text line)
{
    struct smi_text t = smi_text_trim(line);
    return t.n && *t.p == '#' ? smi_text_trim((struct smi_text){t.p + 1, t.n - 1}) : t;
}

/* Makes the plan of r->column, which are n. A date alone is a time; beside one it stands in front of it. */
static void bind_gpu_csv_columns(struct smi_reader *r, struct smi_row_plan *p, size_t n)
{
    smi_row_plan_init(p, n);
    r->utc = false;
    memset(r->warned, 0, sizeof r->warned);
    for (size_t i = 0; i < n; i++) {
        const struct smi_gpu_csv_column *c = &r->column[i];
        bool time = c->kind == SMI_COL_TIME;
        smi_row_plan_add(p,
                         time                        ? SMI_COL_PLACE
                         : c->kind == SMI_COL_PSTATE ? SMI_COL_NUMBER
                                                     : c->kind,
                         !time     ? c->what
                         : c->date ? SMI_AT_DATE
                                   : SMI_AT_TIME,
                         0, i);
        r->utc |= time && c->utc;
        if (time)
            r->row.clock.unit = c->per_s;
    }
    if (p->at[SMI_AT_TIME] < 0) {
        p->at[SMI_AT_TIME] = p->at[SMI_AT_DATE];
        p->at[SMI_AT_DATE] = -1;
    }
}

/* ---- rows ---- */

/* The time of the row, alone or behind its date. */
static int read_gpu_csv_time(struct smi_row_reader *row, struct smi_sample *s)
{
    bool utc = ((const struct smi_reader *)row)->utc;
    char text[STAMP];
    struct smi_text t, d;
    if (row->plan.at[SMI_AT_TIME] < 0)
        return 0;
    t = row->cell[row->plan.at[SMI_AT_TIME]];
    if (row->plan.at[SMI_AT_DATE] < 0 || t.n > CLOCK || !memchr(t.p, ':', t.n))
        return smi_row_time(row, t, utc, s);
    d = row->cell[row->plan.at[SMI_AT_DATE]];
    if (d.n + t.n + 1 >= STAMP)
        return -1;
    memcpy(text, d.p, d.n);
    text[d.n] = ' ';
    memcpy(text + d.n + 1, t.p, t.n);
    return smi_row_time(row, (struct smi_text){text, d.n + 1 + t.n}, utc, s);
}

/* "GPU 0", "cuda:1" and "1" are an index; any other text is a name of its own. */
static struct smi_text index_of(struct smi_text t)
{
    static const char *const fronts[] = {"gpu", "cuda", "card", "nvidia", "device"};
    for (size_t i = 0; i < sizeof fronts / sizeof *fronts; i++) {
        size_t n = strlen(fronts[i]);
        if (!smi_text_starts_nocase(t, fronts[i]))
            continue;
        for (; n < t.n && (t.p[n] == ' ' || t.p[n] == ':' || t.p[n] == '_' || t.p[n] == '-');)
            n++;
        if (n < t.n && t.p[n] >= '0' && t.p[n] <= '9')
            return (struct smi_text){t.p + n, t.n - n};
    }
    return t;
}

static struct smi_text read_gpu_csv_key(struct smi_row_reader *row, enum smi_device_key key,
                                        struct smi_text cell)
{
    (void)row;
    if (smi_cell_missing(cell))
        return (struct smi_text){NULL, 0};
    return key >= SMI_DEVICE_KEY_INDEX ? index_of(cell) : cell;
}

/* No GPU has so many KiB or GiB in all; those of today have so many MiB. */
static bool total_is_mib(const struct smi_row_reader *row)
{
    const int64_t least = 8192000000, most = 192000000000;
    int64_t v;
    for (unsigned i = 0; i < row->plan.n; i++)
        if (row->plan.column[i].what == SMI_FB_TOTAL)
            return smi_text_parse_micro(row->cell[row->plan.column[i].place], &v) == 0 && v >= least &&
                   v <= most;
    return false;
}

static enum smi_cell_status read_gpu_csv_cell(struct smi_row_reader *row, const struct smi_row_column *c,
                                              struct smi_text t, int64_t *v)
{
    const struct smi_gpu_csv_column *own = &((struct smi_reader *)row)->column[c->place];
    if (own->kind == SMI_COL_NUMBER && own->dimension == SMI_DIM_NONE)
        return smi_cell_number(own->what, t, v);
    if (own->kind != SMI_COL_PSTATE) {
        enum smi_cell_status what = smi_gpu_csv_cell(own, t, v);
        bool mib = what == SMI_CELL_NO_UNIT && own->dimension == SMI_DIM_MEMORY && total_is_mib(row);
        return mib ? SMI_CELL_OK : what;
    }
    if (t.n > 1 && t.n < 4 && (*t.p | 32) == 'p')
        t = (struct smi_text){t.p + 1, t.n - 1};
    return smi_cell_number(SMI_PSTATE, t, v);
}

/* That a number has no unit is said once for each column. */
static int count_lost_cell(struct smi_row_reader *row, const struct smi_row_column *c,
                           enum smi_cell_status what, struct smi_text t, struct smi_err *err)
{
    struct smi_reader *r = (struct smi_reader *)row;
    if (what != SMI_CELL_NO_UNIT)
        return smi_cell_count_lost(row->lines.account, what, c->what, t, err);
    row->lines.account->cells_bad++;
    if (r->warned[c->place])
        return 0;
    r->warned[c->place] = true;
    row->lines.account->changes++; /* read in pieces, each would say it once more */
    return smi_account_warn(row->lines.account, SMI_LOG_WARNING_OTHER, err,
                            "column %d (%s) has no unit and is not read", c->place + 1,
                            smi_metrics[c->what].key);
}

/* ---- lines ---- */

static int warn_of_vague_names(struct smi_reader *r, struct smi_err *err)
{
    for (size_t i = 0; i < r->row.plan.width; i++) {
        struct smi_text t = r->row.cell[i];
        if (r->column[i].vague &&
            smi_account_warn(r->row.lines.account, SMI_LOG_WARNING_OTHER, err, "column %zu (%.*s): %s", i + 1,
                             t.n < 40 ? (int)t.n : 40, t.p, r->column[i].vague))
            return -1;
    }
    return 0;
}

/* --input-columns: names as a header would have them. */
static int use_wanted_columns(struct smi_reader *r, struct smi_err *err)
{
    struct smi_row_plan p;
    size_t n = smi_row_split(smi_text_of(r->row.wanted), SMI_SPLIT_QUOTES, r->row.cell, SMI_GPU_CSV_COLUMNS);
    if (n > SMI_GPU_CSV_COLUMNS)
        return smi_err_set(err, SMI_EUSAGE, "--input-columns: more than %d names", SMI_GPU_CSV_COLUMNS);
    smi_gpu_csv_header(r->row.cell, n, r->column);
    bind_gpu_csv_columns(r, &p, n);
    smi_row_use(&r->row, &p);
    return 0;
}

static int read_gpu_csv_header(struct smi_reader *r, struct smi_text line, size_t n,
                               const struct smi_gpu_csv_column *column, struct smi_err *err)
{
    struct smi_row_plan fresh;
    size_t unknown = 0;
    if (smi_row_same_header(&r->row, line))
        return smi_row_count_header(&r->row, err);
    memcpy(r->column, column, n * sizeof *column);
    bind_gpu_csv_columns(r, &fresh, n);
    if (smi_row_header(&r->row, line, &fresh, err) || warn_of_vague_names(r, err))
        return -1;
    for (size_t i = 0; i < n; i++)
        if (!column[i].known && r->row.cell[i].n)
            r->row.cell[unknown++] = r->row.cell[i];
    return smi_account_unknown(r->row.lines.account, r->row.cell, unknown, err);
}

/* A header that has all names of the map; or, where it has none, a row that has its numbers. */
static int read_mapped_columns(struct smi_reader *r, struct smi_text line, size_t n,
                               const struct smi_gpu_csv_column *column, struct smi_err *err)
{
    struct smi_row_plan fresh;
    if (r->map.named ? smi_row_same_header(&r->row, line) : r->row.plan.width == n)
        return r->map.named ? smi_row_count_header(&r->row, err) : 0;
    memcpy(r->column, column, n * sizeof *column);
    bind_gpu_csv_columns(r, &fresh, n);
    if (r->map.named)
        return smi_row_header(&r->row, line, &fresh, err);
    smi_row_use(&r->row, &fresh);
    return 0;
}

static int read_mapped_line(struct smi_reader *r, struct smi_text line, struct smi_err *err)
{
    struct smi_gpu_csv_column column[SMI_GPU_CSV_COLUMNS];
    struct smi_row_reader *row = &r->row;
    struct smi_text t = strip_comment(line);
    bool comment = *smi_text_trim(line).p == '#';
    size_t n = smi_column_map_split(&r->map, t, row->cell);
    if (smi_column_map_bind(&r->map, row->cell, n, column)) {
        if (read_mapped_columns(r, line, n, column, err))
            return -1;
        if (r->map.named)
            return 0;
    } else {
        n = smi_row_end_comma(row, n);
    }
    if (row->plan.width && n == row->plan.width && !comment && !smi_row_is_message(row, line))
        return smi_row_read(row, line, err);
    return smi_row_other(row, line, comment,
                         n == 1 || !row->plan.width ? SMI_REJECT_FOREIGN : SMI_REJECT_BAD_WIDTH, err);
}

static int read_gpu_csv_line(void *self, struct smi_text line, struct smi_err *err)
{
    struct smi_gpu_csv_column column[SMI_GPU_CSV_COLUMNS];
    struct smi_reader *r = self;
    struct smi_row_reader *row = &r->row;
    struct smi_text t = strip_comment(line);
    bool comment = *smi_text_trim(line).p == '#';
    size_t n;
    if (r->mapped)
        return read_mapped_line(r, line, err);
    if (row->wanted && !row->plan.width && use_wanted_columns(r, err))
        return -1;
    n = smi_row_split(t, SMI_SPLIT_QUOTES, row->cell, SMI_GPU_CSV_COLUMNS);
    if (smi_gpu_csv_header(row->cell, n, column)) {
        int rc = smi_row_has_wanted(row, n, err);
        return rc < 0 ? -1
               : rc   ? smi_row_header(row, line, &row->plan, err)
                      : read_gpu_csv_header(r, line, n, column, err);
    }
    n = smi_row_end_comma(row, smi_row_rejoin_time(row, n));
    n = smi_row_drop_time(row, n, err);
    if (!n || !(n = smi_row_take_time(row, n, err)))
        return -1;
    if (row->plan.width && n == row->plan.width && t.n && !comment && !smi_row_is_message(row, line))
        return smi_row_read(row, line, err);
    return smi_row_other(row, line, comment,
                         n == 1 || !row->plan.width ? SMI_REJECT_FOREIGN : SMI_REJECT_BAD_WIDTH, err);
}

static enum smi_sniff sniff_gpu_csv(struct smi_text line)
{
    struct smi_gpu_csv_column column[SMI_GPU_CSV_COLUMNS];
    struct smi_text cell[SMI_GPU_CSV_COLUMNS + 1];
    size_t n = smi_row_split(strip_comment(line), SMI_SPLIT_QUOTES, cell, SMI_GPU_CSV_COLUMNS);
    return smi_gpu_csv_header(cell, n, column) ? SMI_SNIFF_YES : SMI_SNIFF_NO;
}

static int open_gpu_csv(struct smi_reader *r, const struct smi_read_opts *o, struct smi_err *err)
{
    if (!smi_column_map_is(o->columns))
        return 0;
    if (smi_column_map_read(&r->map, o->columns, "", err))
        return -1;
    r->mapped = true;
    r->row.split = r->map.split;
    r->row.lines.whole = true; /* the user named its columns */
    return 0;
}

static const struct smi_table table = {
    .flags = SMI_TABLE_FAULTS | SMI_TABLE_BREAKS,
    .columns = SMI_GPU_CSV_COLUMNS,
    .time = read_gpu_csv_time,
    .cell = read_gpu_csv_cell,
    .lost = count_lost_cell,
    .key = read_gpu_csv_key,
};

const struct smi_format smi_format_gpu_csv = {
    .size = sizeof(struct smi_reader),
    .sniff = sniff_gpu_csv,
    .line = read_gpu_csv_line,
    .whole = smi_row_is_whole,
    .open = open_gpu_csv,
    .table = &table,
};
