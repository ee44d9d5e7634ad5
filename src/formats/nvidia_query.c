/* nvidia-smi --query-gpu=... --format=csv[,noheader][,nounits] -l S, as it lands in a file:
 *   timestamp, index, utilization.gpu [%], memory.used [MiB], power.draw [W]
 *   2026/07/03 22:11:09.763, 0, 100 %, 32362 MiB, 627.40 W
 * Any columns in any order; the header may be absent (the reference's nine columns then), or come again.
 * Plain rows take the fast road (query_plain.h); a row with anything else in it is cut into cells here. */
#include "base/clock.h"
#include "base/mem.h"
#include "formats/fault_text.h"
#include "formats/lines.h"
#include "formats/nvidia_query_fast.h"

#include <csv.h>
#include <string.h>

struct smi_reader {
    struct smi_lines lines; /* first: see smi_lines_read */
    const char *wanted;     /* --input-columns */
    bool later;             /* rows stood in front: without a header they are the reference's */
    struct smi_query_plan plan;
    char *header; /* the line that the plan comes from, or NULL */
    size_t header_n, header_cap;
    struct smi_text *cell;
    char *quoted; /* cells of a row that libcsv took apart */
    size_t quoted_n, quoted_cap, cells;
    bool no_memory; /* for them */
    struct csv_parser csv;
    struct smi_query_fast plain;
    struct smi_text key[SMI_DEVICE_KEY_COUNT + 1]; /* and the name */
    uint16_t metric[SMI_SAMPLE_MAX];
    int64_t v[SMI_SAMPLE_MAX];
    unsigned n;
    int64_t fault[SMI_FAULT_COUNT]; /* of the row: its code, or -1 */
    bool faulty;                    /* there is one */
};

/* ---- rows ---- */

/* Whom the row is about. Returns 0, or -1 with err. */
static int find_who(struct smi_reader *r, struct smi_sample *s, struct smi_err *err)
{
    struct smi_text name = r->key[SMI_DEVICE_KEY_COUNT];
    bool some = false;
    for (int k = 0; k < SMI_DEVICE_KEY_COUNT; k++)
        some |= r->key[k].n > 0;
    s->who = some ? smi_devices_find_key(r->lines.devices, r->key, err) : SMI_DEVICE_POOL;
    if (s->who == -1)
        return -1;
    if (s->who >= 0 && name.n && !r->lines.devices->list[s->who].name &&
        smi_devices_set_name(r->lines.devices, s->who, name, err))
        return -1;
    if (s->who >= 0 && smi_query_fast_learn(&r->plain, r->key, s->who, r->lines.devices->changes))
        return smi_err_nomem(err);
    return 0;
}

static int send_query_row(struct smi_reader *r, int64_t t_ms, bool fine, struct smi_err *err)
{
    struct smi_sample s = {.t_ms = t_ms,
                           .timed = r->plan.time >= 0,
                           .fine = fine,
                           .who = SMI_DEVICE_KEYLESS,
                           .n = r->n,
                           .metric = r->metric,
                           .v = r->v};
    if (r->plan.keyed && find_who(r, &s, err))
        return -1;
    for (int i = 0; i < SMI_FAULT_COUNT && r->faulty; i++)
        if (r->fault[i] >= 0 && smi_fault_report(r->lines.to, &s, i, r->fault[i], err))
            return -1;
    return r->n ? smi_sink_row(r->lines.to, &s, err) : 0;
}

static int mark_query_break(struct smi_reader *r, struct smi_err *err)
{
    const struct smi_mark m = {.kind = SMI_MARK_BREAK};
    return r->lines.to->mark && !r->plan.keyed ? r->lines.to->mark(r->lines.to, &m, err) : 0;
}

/* A header, perhaps the same once more. */
static int rebind_query_header(struct smi_reader *r, struct smi_text line, size_t n, struct smi_err *err)
{
    if (r->header_n == line.n && r->header && memcmp(r->header, line.p, line.n) == 0)
        return 0;
    if (smi_mem_reserve(&r->header, &r->header_cap, line.n, 1))
        return smi_err_nomem(err);
    memcpy(r->header, line.p, line.n);
    r->header_n = line.n;
    r->lines.account->changes++;
    memset(r->key, 0, sizeof r->key);
    if (smi_query_bind(&r->plan, line, r->cell, n, err))
        return -1;
    smi_query_fast_bind(&r->plain, &r->plan);
    return 0;
}

/* "2026/07/03 22:11:09.763, 0, 5timestamp, index, ...": a monitor was killed in the middle of a row, and the
 * next one appended its header. The rest of the line if it is one, else empty. */
static struct smi_text header_behind(struct smi_reader *r, struct smi_text line, size_t *n)
{
    const char *comma = r->header ? memchr(r->header, ',', r->header_n) : NULL;
    const struct smi_text first[] = {smi_text_of("timestamp,"),
                                     {r->header, comma ? (size_t)(comma + 1 - r->header) : 0}};
    for (size_t i = 0; i < 2 && line.n; i++) {
        const char *at = first[i].n ? memmem(line.p + 1, line.n - 1, first[i].p, first[i].n) : NULL;
        struct smi_text rest = {at, at ? (size_t)(line.p + line.n - at) : 0};
        if (at && (*n = smi_query_split(rest, r->cell)) <= SMI_QUERY_COLUMNS &&
            smi_query_is_header(r->cell, *n))
            return rest;
    }
    return (struct smi_text){NULL, 0};
}

static int reject_query_line(struct smi_reader *r, enum smi_reject why, struct smi_text line,
                             struct smi_err *err)
{
    struct smi_account *a = r->lines.account;
    size_t n;
    struct smi_text header = header_behind(r, line, &n);
    if (!header.n)
        return smi_account_reject(a, why, line, err) || mark_query_break(r, err) ? -1 : 0;
    a->header++;
    return smi_account_warn(a, SMI_LOG_WARNING_OTHER, err, "an unfinished row in front of a header: \"%.*s\"",
                            (int)(line.n - header.n < 60 ? line.n - header.n : 60), line.p) ||
                   rebind_query_header(r, header, n, err) || mark_query_break(r, err)
               ? -1
               : 0;
}

/* A named reason and the mask may say the same: each metric once, the first one counts. */
static bool has_reading(const struct smi_reader *r, unsigned metric)
{
    for (unsigned i = 0; i < r->n; i++)
        if (r->metric[i] == metric)
            return true;
    return false;
}

static void note_fault(struct smi_reader *r, int fault, int64_t code)
{
    if (fault < 0 || code < 0)
        return;
    for (int i = 0; i < SMI_FAULT_COUNT && !r->faulty; i++)
        r->fault[i] = -1;
    r->faulty = true;
    r->fault[fault] = code;
}

static void read_alarm(struct smi_reader *r, unsigned fault, struct smi_text cell)
{
    note_fault(r, (int)fault, smi_cell_alarm(fault, cell));
    note_fault(r, smi_cell_fault_id(cell), 0);
}

/* One cell of a row that is not plain. Returns 0, or -1 with err. */
static int read_query_cell(struct smi_reader *r, const struct smi_query_column *c, struct smi_text cell,
                           struct smi_err *err)
{
    uint64_t mask;
    enum smi_cell_status what = SMI_CELL_BAD;
    int64_t *v = &r->v[r->n];
    if (c->kind == SMI_COL_NUMBER) {
        what = smi_cell_number(c->what, cell, v);
    } else if (smi_cell_missing(cell)) {
        what = SMI_CELL_MISSING;
    } else if (c->kind == SMI_COL_ACTIVE) {
        *v = smi_text_is_nocase(cell, "Active") ? 1000000 : 0;
        what = *v || smi_text_is_nocase(cell, "Not Active") ? SMI_CELL_OK : SMI_CELL_BAD;
    } else if (c->kind == SMI_COL_PSTATE) {
        struct smi_text digits = {cell.p + 1, cell.n - 1};
        what = cell.p[0] == 'P' && cell.n <= 3 && smi_text_parse_micro(digits, v) == 0 ? SMI_CELL_OK
                                                                                       : SMI_CELL_BAD;
    } else if (c->kind == SMI_COL_MASK && smi_cell_mask(cell, &mask) == 0) {
        for (unsigned i = 0; i < SMI_THROTTLE_COUNT; i++) {
            if (has_reading(r, SMI_THROTTLE_FIRST + i))
                continue;
            r->metric[r->n] = (uint16_t)(SMI_THROTTLE_FIRST + i);
            r->v[r->n++] = (mask >> i & 1) ? 1000000 : 0;
        }
        return 0;
    }
    for (unsigned i = 0; c->kind == SMI_COL_MASK && i < SMI_THROTTLE_COUNT; i++)
        smi_account_request(r->lines.account, SMI_THROTTLE_FIRST + i);
    if (what == SMI_CELL_MISSING)
        note_fault(r, smi_cell_fault_id(cell), 0);
    if (what != SMI_CELL_OK)
        return smi_cell_count_lost(r->lines.account, what, c->what, cell, err);
    r->metric[r->n++] = c->what;
    return 0;
}

/* The GPU is named as its row does it: a lost one may have no other cell left. */
static int tell_faults(struct smi_reader *r, struct smi_err *err)
{
    static const enum smi_device_key order[] = {SMI_DEVICE_KEY_INDEX, SMI_DEVICE_KEY_GPU, SMI_DEVICE_KEY_BUS,
                                                SMI_DEVICE_KEY_UUID, SMI_DEVICE_KEY_SERIAL};
    struct smi_text who = {NULL, 0}, when = {NULL, 0};
    for (size_t i = 0; i < sizeof order / sizeof *order && who.n == 0; i++)
        who = r->key[order[i]];
    if (r->plan.time >= 0)
        when = r->cell[r->plan.time];
    for (size_t i = 0; i < r->plan.columns; i++)
        if (r->plan.column[i].kind >= SMI_COL_NUMBER && smi_cell_fault(r->cell[i]) &&
            smi_account_fault(r->lines.account, who, r->cell[i], when, err))
            return -1;
    return 0;
}

/* The general road: the row's cells are in r->cell. */
static int read_query_cells(struct smi_reader *r, struct smi_text line, struct smi_err *err)
{
    int64_t us = 0;
    bool fine = false;
    if (r->plan.time >= 0 && smi_clock_parse_stamp(r->cell[r->plan.time], &us, &fine))
        return reject_query_line(r, SMI_REJECT_BAD_TIME, line, err);
    r->n = 0;
    r->faulty = false;
    memset(r->key, 0, sizeof r->key);
    for (size_t i = 0; i < r->plan.columns; i++) {
        const struct smi_query_column *c = &r->plan.column[i];
        struct smi_text cell = r->cell[i];
        if (c->kind == SMI_COL_KEY && !smi_cell_missing(cell))
            r->key[c->what] = cell;
        else if (c->kind == SMI_COL_NAME && !smi_cell_missing(cell))
            r->key[SMI_DEVICE_KEY_COUNT] = cell;
        else if (c->kind == SMI_COL_ALARM)
            read_alarm(r, c->what, cell);
        else if (c->kind == SMI_COL_ACTIVE && has_reading(r, c->what))
            continue;
        else if (c->kind >= SMI_COL_NUMBER && read_query_cell(r, c, cell, err))
            return -1;
    }
    if (r->faulty && (tell_faults(r, err) || (r->n == 0 && send_query_row(r, us / 1000, fine, err))))
        return -1;
    if (r->n == 0)
        return reject_query_line(r, SMI_REJECT_BAD_NUMBER, line, err);
    return send_query_row(r, us / 1000, fine, err);
}

/* ---- lines ---- */

static void on_cell(void *p, size_t n, void *self)
{
    struct smi_reader *r = self;
    if (r->no_memory || (r->no_memory = smi_mem_reserve(&r->quoted, &r->quoted_cap, r->quoted_n + n + 1, 1)))
        return;
    if (r->cells < SMI_QUERY_COLUMNS) {
        memcpy(r->quoted + r->quoted_n, p, n);
        r->cell[r->cells] = (struct smi_text){NULL, n}; /* placed when the buffer no longer moves */
        r->quoted_n += n;
    }
    r->cells++;
}

/* A line with quotes: libcsv knows RFC 4180. Returns the number of cells; 0 without memory. */
static size_t split_quoted(struct smi_reader *r, struct smi_text line)
{
    size_t at = 0;
    r->cells = r->quoted_n = 0;
    r->no_memory = csv_parse(&r->csv, line.p, line.n, on_cell, NULL, r) != line.n || r->no_memory;
    csv_fini(&r->csv, on_cell, NULL, r);
    if (r->no_memory)
        return 0;
    for (size_t i = 0; i < r->cells && i < SMI_QUERY_COLUMNS; i++) {
        size_t n = r->cell[i].n;
        r->cell[i] = smi_text_trim((struct smi_text){r->quoted + at, n});
        at += n;
    }
    return r->cells;
}

/* Too many cells, and one column may hold commas: what is too much belongs to it. */
static size_t rejoin_query_commas(const struct smi_reader *r, size_t n)
{
    size_t extra = n - r->plan.columns, at = (size_t)r->plan.name;
    if (n > SMI_QUERY_COLUMNS)
        return n;
    r->cell[at].n = (size_t)(r->cell[at + extra].p + r->cell[at + extra].n - r->cell[at].p);
    memmove(&r->cell[at + 1], &r->cell[at + 1 + extra], (n - at - 1 - extra) * sizeof *r->cell);
    return r->plan.columns;
}

/* The first line: a header, or the columns are known without one. */
static int first_plan(struct smi_reader *r, size_t n, struct smi_err *err)
{
    struct smi_text cell[SMI_QUERY_COLUMNS];
    const char *list = r->wanted;
    if (!list && smi_query_fits_reference(r->cell, n))
        list = smi_query_reference;
    if (!list)
        return 0;
    n = smi_query_split(smi_text_of(list), cell);
    if (n > SMI_QUERY_COLUMNS)
        return smi_err_set(err, SMI_EUSAGE, "--input-columns: more than %d names", SMI_QUERY_COLUMNS);
    if (smi_query_bind(&r->plan, smi_text_of(list), cell, n, err))
        return -1;
    smi_query_fast_bind(&r->plain, &r->plan);
    return 0;
}

static int read_query_other_line(struct smi_reader *r, struct smi_text line, size_t n, struct smi_err *err)
{
    int message;
    if (n <= SMI_QUERY_COLUMNS && smi_query_is_header(r->cell, n)) {
        r->lines.account->header++;
        return rebind_query_header(r, line, n, err) || mark_query_break(r, err) ? -1 : 0;
    }
    message = smi_message_report(&r->lines, line, err);
    if (message == 0 && line.p[0] == '#') { /* a comment, or another monitor's header: no row of ours */
        r->lines.account->messages++;
        message = 1;
    }
    if (message)
        return message < 0 ? -1 : mark_query_break(r, err);
    return reject_query_line(
        r, n == 1 || (r->plan.columns == 0 && !r->later) ? SMI_REJECT_FOREIGN : SMI_REJECT_BAD_WIDTH, line,
        err);
}

static int read_query_line(void *self, struct smi_text line, struct smi_err *err)
{
    struct smi_reader *r = self;
    bool quoted = memchr(line.p, '"', line.n) != NULL;
    size_t n = quoted ? split_quoted(r, line) : smi_query_split(line, r->cell);
    if (!n)
        return smi_err_nomem(err);
    if (!r->plan.columns && first_plan(r, n, err))
        return -1;
    if (r->plan.columns && n > r->plan.columns && r->plan.name >= 0 && !quoted)
        n = rejoin_query_commas(r, n);
    if (n != r->plan.columns || n > SMI_QUERY_COLUMNS)
        return read_query_other_line(r, line, n, err);
    if ((line.p[0] < '0' || line.p[0] > '9') &&
        (smi_query_is_header(r->cell, n) || smi_message_is_known(line)))
        return read_query_other_line(r, line, n, err);
    return read_query_cells(r, line, err);
}

/* ---- the door ---- */

static ptrdiff_t read_query_rows_fast(void *self, const char *p, size_t n, struct smi_err *err)
{
    struct smi_reader *r = self;
    return smi_query_fast_rows(&r->plain, &r->lines, p, n, err);
}

static void close_query_reader(struct smi_reader *r)
{
    if (!r)
        return;
    csv_free(&r->csv);
    smi_query_fast_fini(&r->plain);
    smi_query_plan_fini(&r->plan);
    smi_mem_free(r->cell);
    smi_mem_free(r->quoted);
    smi_mem_free(r->header);
    smi_lines_close(r);
}

static struct smi_reader *open_query_reader(const struct smi_read_opts *o, struct smi_err *err)
{
    struct smi_reader *r = smi_lines_open(sizeof *r, o, read_query_line, err);
    if (!r)
        return NULL;
    r->lines.rows = read_query_rows_fast;
    r->wanted = o->columns;
    r->later = o->later;
    smi_query_plan_reset(&r->plan);
    r->cell = smi_mem_new(SMI_QUERY_COLUMNS, sizeof *r->cell);
    if (r->cell && csv_init(&r->csv, CSV_APPEND_NULL) == 0)
        return r;
    smi_err_nomem(err);
    smi_mem_free(r->cell);
    smi_lines_close(r);
    return NULL;
}

static void reset_query_reader(struct smi_reader *r, const struct smi_read_opts *o)
{
    smi_lines_reset(r, o);
    r->wanted = o->columns;
    r->later = o->later;
    smi_query_plan_reset(&r->plan);
    r->header_n = 0;
    r->no_memory = false;
    memset(r->key, 0, sizeof r->key);
    r->plain.plan = NULL;
    r->plain.devices = 0;
    r->plain.block.n = r->plain.block.metrics = 0;
}

static enum smi_time_base query_time_base(const struct smi_reader *r)
{
    return r->plan.time >= 0 ? SMI_TIME_BASE_LOCAL : SMI_TIME_BASE_NONE;
}

const struct smi_format smi_format_query = {
    .name = "nvidia-smi-query",
    .help = "nvidia-smi --query-gpu=... --format=csv",
    .sniff = smi_query_sniff,
    .open = open_query_reader,
    .again = reset_query_reader,
    .feed = smi_lines_read,
    .finish = smi_lines_end,
    .base = query_time_base,
    .close = close_query_reader,
};
