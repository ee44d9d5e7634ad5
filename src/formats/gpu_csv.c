/* GPU logs that people write by hand around nvidia-smi or NVML: a header of their own words, a time in front.
 *
 *     timestamp,gpu_index,temperature_C,utilization_gpu_percent,power_W
 *     2025-09-24T03:48:33.493Z,0, 38, 100, 387.26
 *
 * Columns are bound by the words of their names (gpu_names.h), units come from the name or from the cell. A
 * number whose unit is told nowhere is not read, and that is said. Times are UTC since 1970, ISO with or
 * without a zone, or nvidia-smi's stamps; the first row decides which base the log has. */
#include "formats/gpu_csv_names.h"

#include "base/mem.h"
#include "formats/fault_text.h"
#include "formats/format.h"
#include "formats/lines.h"

#include <string.h>

enum { STAMP = 64 };

struct plan {
    size_t columns;       /* 0: no header yet */
    int time, date, name; /* places, or -1 */
    bool keyed, utc;
    struct smi_gpu_csv_column column[SMI_GPU_CSV_COLUMNS];
};

struct smi_reader {
    struct smi_lines lines; /* first: see smi_lines_read */
    const char *wanted;     /* --input-columns */
    struct plan plan;
    bool silent[SMI_GPU_CSV_COLUMNS]; /* columns without a unit that were told of */
    enum smi_time_base base;
    char *header; /* the line that the plan comes from */
    size_t header_n, header_cap;
    struct smi_text cell[SMI_GPU_CSV_COLUMNS + 1];
    struct smi_text key[SMI_DEVICE_KEY_COUNT];
    uint16_t metric[SMI_SAMPLE_MAX];
    int64_t v[SMI_SAMPLE_MAX];
};

/* The cell at p, and where it ends: in front of a comma or at the end. A quoted cell may hold commas. */
static const char *next_gpu_csv_cell(const char *p, const char *end, struct smi_text *cell)
{
    const char *from = p, *stop;
    while (p < end && (*p == ' ' || *p == '\t'))
        p++;
    if (p < end && *p == '"') {
        for (from = ++p; p < end && (*p != '"' || (p + 1 < end && p[1] == '"'));)
            p += *p == '"' ? 2 : 1;
        stop = p < end ? p : end;
        *cell = smi_text_trim((struct smi_text){from, (size_t)(stop - from)});
        p = p < end ? memchr(p, ',', (size_t)(end - p)) : NULL;
        return p ? p : end;
    }
    p = p < end ? memchr(p, ',', (size_t)(end - p)) : NULL;
    p = p ? p : end;
    *cell = smi_text_trim((struct smi_text){from, (size_t)(p - from)});
    return p;
}

/* How many cells, at most SMI_GPU_CSV_COLUMNS + 1. */
static size_t split_gpu_csv_cells(struct smi_text line, struct smi_text *cell)
{
    const char *p = line.p, *end = p + line.n;
    for (size_t n = 0;; p++) {
        p = next_gpu_csv_cell(p, end, &cell[n++]);
        if (p == end || n > SMI_GPU_CSV_COLUMNS)
            return n;
    }
}

/* "# timestamp,gpu_util": some write their header as a comment. */
static struct smi_text strip_gpu_csv_comment(struct smi_text line)
{
    struct smi_text t = smi_text_trim(line);
    return t.n && *t.p == '#' ? smi_text_trim((struct smi_text){t.p + 1, t.n - 1}) : t;
}

static void bind_gpu_csv_columns(struct plan *p, size_t n)
{
    p->columns = n;
    p->time = p->date = p->name = -1;
    p->keyed = p->utc = false;
    for (size_t i = 0; i < n; i++) {
        const struct smi_gpu_csv_column *c = &p->column[i];
        if (c->kind == SMI_COL_TIME) {
            *(c->date ? &p->date : &p->time) = (int)i;
            p->utc |= c->utc;
        }
        p->keyed |= c->kind == SMI_COL_KEY;
        if (c->kind == SMI_COL_NAME)
            p->name = (int)i;
    }
    if (p->time < 0) {
        p->time = p->date;
        p->date = -1;
    }
}

static int mark_gpu_csv_break(struct smi_reader *r, struct smi_err *err)
{
    const struct smi_mark m = {.kind = SMI_MARK_BREAK};
    return r->lines.to->mark && !r->plan.keyed ? r->lines.to->mark(r->lines.to, &m, err) : 0;
}

static int reject_gpu_csv_line(struct smi_reader *r, enum smi_reject why, struct smi_text line,
                               struct smi_err *err)
{
    return smi_account_reject(r->lines.account, why, line, err) || mark_gpu_csv_break(r, err) ? -1 : 0;
}

/* ---- rows ---- */

/* The time of the row, alone or behind its date. */
static int read_gpu_csv_stamp(const struct smi_reader *r, int64_t *t_ms, bool *fine, bool *utc)
{
    char text[STAMP];
    struct smi_text t = r->cell[r->plan.time], d;
    if (smi_gpu_csv_time(t, t_ms, fine, utc) == 0)
        return 0;
    if (r->plan.date < 0)
        return -1;
    d = r->cell[r->plan.date];
    if (d.n + t.n + 1 >= STAMP)
        return -1;
    memcpy(text, d.p, d.n);
    text[d.n] = ' ';
    memcpy(text + d.n + 1, t.p, t.n);
    return smi_gpu_csv_time((struct smi_text){text, d.n + 1 + t.n}, t_ms, fine, utc);
}

/* All times of a log stand on the base of its first row. Returns 0, or -1: no time, or one of another base.
 */
static int read_gpu_csv_time(struct smi_reader *r, struct smi_sample *s)
{
    enum smi_time_base base;
    bool utc;
    if (r->plan.time < 0)
        return 0;
    if (read_gpu_csv_stamp(r, &s->t_ms, &s->fine, &utc))
        return -1;
    base = utc || r->plan.utc ? SMI_TIME_BASE_UTC : SMI_TIME_BASE_LOCAL;
    if (r->base == SMI_TIME_BASE_NONE)
        r->base = base;
    s->timed = base == r->base;
    return s->timed ? 0 : -1;
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

/* Who the row is about. Returns 0, or -1 with err. */
static int read_who(struct smi_reader *r, struct smi_sample *s, struct smi_err *err)
{
    struct smi_text name = {NULL, 0};
    bool some = false;
    s->who = SMI_DEVICE_KEYLESS;
    if (!r->plan.keyed)
        return 0;
    memset(r->key, 0, sizeof r->key);
    for (size_t i = 0; i < r->plan.columns; i++) {
        const struct smi_gpu_csv_column *c = &r->plan.column[i];
        if (c->kind != SMI_COL_KEY || smi_cell_missing(r->cell[i]))
            continue;
        r->key[c->what] = c->what >= SMI_DEVICE_KEY_INDEX ? index_of(r->cell[i]) : r->cell[i];
        some = true;
    }
    s->who = some ? smi_devices_find_key(r->lines.devices, r->key, err) : SMI_DEVICE_POOL;
    if (r->plan.name >= 0 && !smi_cell_missing(r->cell[r->plan.name]))
        name = r->cell[r->plan.name];
    if (s->who >= 0 && name.n && smi_devices_set_name(r->lines.devices, s->who, name, err))
        return -1;
    return s->who == -1 ? -1 : 0;
}

/* Said once for each column. */
static int no_unit(struct smi_reader *r, size_t i, struct smi_err *err)
{
    r->lines.account->cells_bad++;
    if (r->silent[i])
        return 0;
    r->silent[i] = true;
    r->lines.account->changes++; /* read in pieces, each would say it once more */
    return smi_account_warn(r->lines.account, SMI_LOG_WARNING_OTHER, err,
                            "column %zu (%s): no unit is told: not read", i + 1,
                            smi_metrics[r->plan.column[i].what].key);
}

static int read_gpu_csv_cells(struct smi_reader *r, struct smi_sample *s, struct smi_err *err)
{
    for (size_t i = 0; i < r->plan.columns; i++) {
        const struct smi_gpu_csv_column *c = &r->plan.column[i];
        struct smi_text t = r->cell[i];
        enum smi_cell_status what;
        bool told = true;
        if (c->kind == SMI_COL_NUMBER)
            what = smi_gpu_csv_cell(c, t, &r->v[s->n], &told);
        else if (c->kind == SMI_COL_PSTATE)
            what = t.n > 1 && t.n < 4 && (*t.p | 32) == 'p'
                       ? smi_cell_number(SMI_PSTATE, (struct smi_text){t.p + 1, t.n - 1}, &r->v[s->n])
                       : smi_cell_number(SMI_PSTATE, t, &r->v[s->n]);
        else
            continue;
        if (what == SMI_CELL_OK)
            r->metric[s->n++] = c->what;
        else if (told ? smi_cell_count_lost(r->lines.account, what, c->what, t, err) : no_unit(r, i, err))
            return -1;
    }
    return 0;
}

static int read_gpu_csv_row(struct smi_reader *r, struct smi_text line, struct smi_err *err)
{
    struct smi_sample s = {.metric = r->metric, .v = r->v};
    if (read_gpu_csv_time(r, &s))
        return reject_gpu_csv_line(r, SMI_REJECT_BAD_TIME, line, err);
    if (read_gpu_csv_cells(r, &s, err))
        return -1;
    if (!s.n)
        return reject_gpu_csv_line(r, SMI_REJECT_BAD_NUMBER, line, err);
    if (read_who(r, &s, err))
        return -1;
    return smi_sink_row(r->lines.to, &s, err);
}

/* ---- lines ---- */

static int tell_vague(struct smi_reader *r, struct smi_err *err)
{
    for (size_t i = 0; i < r->plan.columns; i++) {
        struct smi_text t = r->cell[i];
        if (r->plan.column[i].vague &&
            smi_account_warn(r->lines.account, SMI_LOG_WARNING_OTHER, err, "column %zu (%.*s): %s not read",
                             i + 1, t.n < 40 ? (int)t.n : 40, t.p, r->plan.column[i].vague))
            return -1;
    }
    return 0;
}

/* A header, perhaps the same once more: rows stand in the same columns then. */
static int rebind_gpu_csv_header(struct smi_reader *r, struct smi_text line, size_t n,
                                 const struct smi_gpu_csv_column *column, struct smi_err *err)
{
    r->lines.account->header++;
    if (r->header_n == line.n && r->header && memcmp(r->header, line.p, line.n) == 0)
        return mark_gpu_csv_break(r, err);
    if (smi_mem_reserve(&r->header, &r->header_cap, line.n, 1))
        return smi_err_nomem(err);
    memcpy(r->header, line.p, line.n);
    r->header_n = line.n;
    r->lines.account->changes++;
    memset(r->silent, 0, sizeof r->silent);
    memcpy(r->plan.column, column, n * sizeof *column);
    bind_gpu_csv_columns(&r->plan, n);
    return tell_vague(r, err) || mark_gpu_csv_break(r, err) ? -1 : 0;
}

/* --input-columns: names as a header would have them. */
static int bind_wanted(struct smi_reader *r, struct smi_err *err)
{
    size_t n = split_gpu_csv_cells(smi_text_of(r->wanted), r->cell);
    if (n > SMI_GPU_CSV_COLUMNS)
        return smi_err_set(err, SMI_EUSAGE, "--input-columns: more than %d names", SMI_GPU_CSV_COLUMNS);
    smi_gpu_csv_header(r->cell, n, r->plan.column);
    bind_gpu_csv_columns(&r->plan, n);
    r->wanted = NULL;
    return 0;
}

static bool begins_gpu_csv_name(const struct smi_text *cell)
{
    return cell->n && (*cell->p < '0' || *cell->p > '9');
}

static int read_gpu_csv_line(void *self, struct smi_text line, struct smi_err *err)
{
    struct smi_gpu_csv_column column[SMI_GPU_CSV_COLUMNS];
    struct smi_reader *r = self;
    struct smi_text t = strip_gpu_csv_comment(line);
    size_t n;
    int rc;
    if (r->wanted && !r->plan.columns && bind_wanted(r, err))
        return -1;
    n = split_gpu_csv_cells(t, r->cell);
    if (begins_gpu_csv_name(r->cell) && n <= SMI_GPU_CSV_COLUMNS && smi_gpu_csv_header(r->cell, n, column))
        return rebind_gpu_csv_header(r, line, n, column, err);
    if (r->plan.columns && n == r->plan.columns && t.n && *t.p != '#' && t.p == smi_text_trim(line).p &&
        !smi_message_is_known(line))
        return read_gpu_csv_row(r, line, err);
    rc = smi_message_report(&r->lines, line, err);
    if (rc == 0 && *smi_text_trim(line).p == '#') {
        r->lines.account->messages++;
        rc = 1;
    }
    if (rc)
        return rc < 0 ? -1 : mark_gpu_csv_break(r, err);
    return reject_gpu_csv_line(r, n == 1 || !r->plan.columns ? SMI_REJECT_FOREIGN : SMI_REJECT_BAD_WIDTH,
                               line, err);
}

static enum smi_sniff sniff_gpu_csv(struct smi_text line)
{
    struct smi_gpu_csv_column column[SMI_GPU_CSV_COLUMNS];
    struct smi_text cell[SMI_GPU_CSV_COLUMNS + 1];
    return smi_gpu_csv_header(cell, split_gpu_csv_cells(strip_gpu_csv_comment(line), cell), column)
               ? SMI_SNIFF_YES
               : SMI_SNIFF_NO;
}

static struct smi_reader *open_gpu_csv_reader(const struct smi_read_opts *o, struct smi_err *err)
{
    struct smi_reader *r = smi_lines_open(sizeof *r, o, read_gpu_csv_line, err);
    if (!r)
        return NULL;
    r->wanted = o->columns;
    return r;
}

static enum smi_time_base base(const struct smi_reader *r)
{
    return r->base;
}

static void close_gpu_csv_reader(struct smi_reader *r)
{
    if (!r)
        return;
    smi_mem_free(r->header);
    smi_lines_close(r);
}

const struct smi_format smi_format_gpu_csv = {
    .name = "gpu-csv",
    .help = "hand-made GPU logs: timestamp,gpu_util(%),vram_used_mb,power_W and the like",
    .sniff = sniff_gpu_csv,
    .open = open_gpu_csv_reader,
    .feed = smi_lines_read,
    .finish = smi_lines_end,
    .base = base,
    .close = close_gpu_csv_reader,
};
