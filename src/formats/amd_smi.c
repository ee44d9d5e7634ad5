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
#include "formats/amd_columns.h"
#include "base/mem.h"
#include "formats/format.h"
#include "formats/lines.h"
#include "formats/poll_cycle.h"

#include <string.h>

/* What a header says of the rows below it. */
struct plan {
    size_t width;        /* cells of a row; 0: no header that we can read */
    int time, gpu, xcp;  /* places, or -1 */
    int pid, name, info; /* of a process; info: that there is none */
    int total;           /* the place of the memory's size, or -1 */
    bool passed;         /* rows of processes among those of GPUs */
    unsigned n;          /* columns that carry readings */
    uint16_t place[SMI_SAMPLE_MAX];
    struct smi_amd_column column[SMI_SAMPLE_MAX];
};

struct smi_reader {
    struct smi_lines lines; /* first: see smi_lines_read */
    enum smi_amd_table table;
    enum smi_time_base base;
    char *header; /* the line that the plan comes from: it comes again before every sample */
    size_t header_n, header_cap;
    struct plan plan;
    struct smi_poll_cycle round; /* of processes */
    struct smi_text cell[SMI_AMD_COLUMNS];
    uint16_t metric[SMI_SAMPLE_MAX];
    int64_t v[SMI_SAMPLE_MAX];
};

/* ---- headers ---- */

static bool begins_header(const struct smi_text *cell, size_t n)
{
    return smi_text_is_nocase(cell[0], "gpu") ||
           (n > 1 && smi_text_is_nocase(cell[0], "timestamp") && smi_text_is_nocase(cell[1], "gpu"));
}

static enum smi_amd_table table_of(const struct smi_text *cell, size_t n)
{
    enum smi_amd_table table = SMI_AMD_NONE, t;
    for (size_t i = 0; i < n; i++) {
        t = smi_amd_table_of_name(cell[i]);
        table = t > table ? t : table;
    }
    return table;
}

/* Two columns of one metric: the first counts. */
static void bind_amd_column(struct plan *p, const struct smi_amd_column *c, size_t place)
{
    if (c->kind != SMI_COL_NUMBER || p->n == SMI_SAMPLE_MAX)
        return;
    for (unsigned i = 0; i < p->n; i++)
        if (p->column[i].what == c->what)
            return;
    if (c->what == SMI_FB_TOTAL)
        p->total = (int)place;
    p->place[p->n] = (uint16_t)place;
    p->column[p->n++] = *c;
}

/* p->width stays 0 if the rows below are another table's, or nobody's. */
static void bind_amd_columns(struct plan *p, enum smi_amd_table table, const struct smi_text *cell, size_t n)
{
    enum smi_amd_table proved = table_of(cell, n);
    struct {
        const char *name;
        int *place;
    } const own[] = {{"timestamp", &p->time}, {"gpu", &p->gpu},   {"xcp", &p->xcp},
                     {"pid", &p->pid},        {"name", &p->name}, {"process_info", &p->info}};
    *p = (struct plan){.time = -1, .gpu = -1, .xcp = -1, .pid = -1, .name = -1, .info = -1, .total = -1};
    for (size_t i = 0; i < n; i++) {
        struct smi_amd_column c = smi_amd_column(table, cell[i]);
        bind_amd_column(p, &c, i);
        for (size_t k = 0; k < sizeof own / sizeof *own; k++)
            if (smi_text_is_nocase(cell[i], own[k].name))
                *own[k].place = (int)i;
    }
    p->passed = table != SMI_AMD_PROCESS && (p->pid >= 0 || p->info >= 0);
    if (!p->passed && (proved == table || (proved == SMI_AMD_NONE && p->n)))
        p->width = n;
}

static int remember_amd_header(struct smi_reader *r, struct smi_text line, struct smi_err *err)
{
    if (smi_mem_reserve(&r->header, &r->header_cap, line.n, 1))
        return smi_err_nomem(err);
    memcpy(r->header, line.p, line.n);
    r->header_n = line.n;
    r->lines.account->changes++;
    return 0;
}

/* ---- rows ---- */

/* The first time decides for the input; what stands on another base cannot be joined to it. Returns -1 if the
 * cell is no time. */
static int read_amd_time(struct smi_reader *r, struct smi_sample *s)
{
    enum smi_time_base base;
    if (r->plan.time < 0)
        return 0;
    if (smi_amd_time(r->cell[r->plan.time], &s->t_ms, &s->fine, &base))
        return -1;
    if (r->base == SMI_TIME_BASE_NONE)
        r->base = base;
    s->timed = base == r->base;
    return 0;
}

/* Whole MiB have no point, and no GPU has 2 TiB. */
static bool in_gib(const struct smi_reader *r)
{
    struct smi_text total;
    int64_t v;
    if (r->table != SMI_AMD_MONITOR || r->plan.total < 0)
        return false;
    total = r->cell[r->plan.total];
    return total.n && memchr(total.p, '.', total.n) && smi_text_parse_micro(total, &v) == 0 &&
           v < (int64_t)2048 * 1000000;
}

static int read_amd_cells(struct smi_reader *r, struct smi_sample *s, struct smi_err *err)
{
    const struct plan *p = &r->plan;
    bool gib = in_gib(r);
    for (unsigned i = 0; i < p->n; i++) {
        struct smi_text c = r->cell[p->place[i]];
        uint16_t m = p->column[i].what;
        enum smi_cell_status what = smi_amd_cell(&p->column[i], c, &r->v[s->n]);
        if (what != SMI_CELL_OK) {
            if (smi_cell_count_lost(r->lines.account, what, m, c, err))
                return -1;
            continue;
        }
        if (gib && (m == SMI_FB_USED || m == SMI_FB_TOTAL))
            r->v[s->n] *= 1024;
        r->metric[s->n++] = m;
    }
    return 0;
}

static bool is_amd_index(struct smi_text t)
{
    for (size_t i = 0; i < t.n; i++)
        if (t.p[i] < '0' || t.p[i] > '9')
            return false;
    return t.n > 0 && t.n <= 6;
}

static int read_amd_device(struct smi_reader *r, struct smi_sample *s, struct smi_err *err)
{
    struct smi_text key[SMI_DEVICE_KEY_COUNT] = {{0}};
    key[SMI_DEVICE_KEY_INDEX] = r->cell[r->plan.gpu];
    s->who = is_amd_index(key[SMI_DEVICE_KEY_INDEX]) ? smi_devices_find_key(r->lines.devices, key, err)
                                                     : SMI_DEVICE_POOL;
    return s->who == -1 ? -1 : 0;
}

/* The second and further rows of a parted GPU. */
static bool is_further(const struct smi_reader *r)
{
    const struct smi_text *xcp = r->plan.xcp < 0 ? NULL : &r->cell[r->plan.xcp];
    return xcp && is_amd_index(*xcp) && !smi_text_is(*xcp, "0");
}

/* Who the row is about. False if it does not tell. */
static bool read_amd_process(const struct smi_reader *r, const struct smi_sample *s, struct smi_process *q)
{
    const struct smi_text none = {"", 0};
    const struct smi_text info = r->plan.info < 0 ? none : r->cell[r->plan.info];
    const struct smi_text pid = r->plan.pid < 0 ? none : r->cell[r->plan.pid];
    const struct smi_text name = r->plan.name < 0 ? none : r->cell[r->plan.name];
    int64_t micro = -1000000;
    *q = (struct smi_process){
        .pid = -1, .life_ms = -1, .none = smi_text_is_nocase(info, "No running processes detected")};
    if (q->none)
        return true;
    if (!smi_amd_missing(pid) &&
        (smi_text_parse_micro(pid, &micro) || micro < 0 || micro % 1000000 || micro / 1000000 > UINT32_MAX))
        return false;
    q->pid = micro < 0 ? -1 : micro / 1000000;
    q->name = smi_amd_missing(name) ? none : name;
    return q->pid >= 0 || s->n;
}

static int process_row(struct smi_reader *r, struct smi_sample *s, struct smi_text line, struct smi_err *err)
{
    struct smi_process q;
    if (!read_amd_process(r, s, &q))
        return smi_account_reject(r->lines.account, SMI_REJECT_BAD_NUMBER, line, err);
    s->process = &q;
    s->n = q.none ? 0 : s->n;
    return read_amd_device(r, s, err) ? -1 : smi_poll_cycle_add(&r->round, s, false, r->lines.to, err);
}

/* r->cell holds the cells of a row as wide as its header. */
static int read_amd_row(struct smi_reader *r, struct smi_text line, struct smi_err *err)
{
    struct smi_sample s = {.metric = r->metric, .v = r->v};
    int64_t junk = r->lines.account->cells_bad + r->lines.account->out_of_range;
    if (read_amd_time(r, &s))
        return smi_account_reject(r->lines.account, SMI_REJECT_BAD_TIME, line, err);
    if (read_amd_cells(r, &s, err))
        return -1;
    if (r->table == SMI_AMD_PROCESS)
        return process_row(r, &s, line, err);
    if (!s.n && is_further(r) && junk == r->lines.account->cells_bad + r->lines.account->out_of_range) {
        r->lines.account->messages++;
        return 0;
    }
    if (!s.n)
        return smi_account_reject(r->lines.account, SMI_REJECT_BAD_NUMBER, line, err);
    return read_amd_device(r, &s, err) ? -1 : smi_sink_row(r->lines.to, &s, err);
}

static int check_amd_row(struct smi_reader *r, struct smi_text line, struct smi_err *err)
{
    size_t n;
    int rc;
    if (r->plan.passed) {
        r->lines.account->messages++;
        return 0;
    }
    n = r->plan.width ? smi_amd_split(line, false, r->cell) : 0;
    if (r->plan.width && n > r->plan.width)
        n = smi_amd_split(line, true, r->cell);
    if (n && n == r->plan.width)
        return read_amd_row(r, line, err);
    rc = smi_message_count(r->lines.account, line, err); /* a date */
    if (rc)
        return rc < 0 ? -1 : 0;
    return smi_account_reject(r->lines.account, r->plan.width ? SMI_REJECT_BAD_WIDTH : SMI_REJECT_FOREIGN,
                              line, err);
}

/* ---- lines ---- */

static int read_amd_header(struct smi_reader *r, struct smi_text line, size_t n, struct smi_err *err)
{
    bind_amd_columns(&r->plan, r->table, r->cell, n);
    if (smi_poll_cycle_end(&r->round, r->lines.to, err) || remember_amd_header(r, line, err))
        return -1;
    if (!r->plan.width && !r->plan.passed) /* metric below monitor, or no name that we know */
        return smi_account_reject(r->lines.account, SMI_REJECT_FOREIGN, line, err);
    ++*(r->plan.passed ? &r->lines.account->messages : &r->lines.account->header);
    return 0;
}

static int read_amd_line(void *self, struct smi_text line, struct smi_err *err)
{
    struct smi_reader *r = self;
    struct smi_text t = smi_text_trim(line);
    size_t n;
    int rc;
    if (*t.p >= '0' && *t.p <= '9')
        return check_amd_row(r, line, err);
    if (r->plan.width && line.n == r->header_n && memcmp(line.p, r->header, line.n) == 0) {
        r->lines.account->header++;
        return smi_poll_cycle_end(&r->round, r->lines.to, err);
    }
    n = smi_amd_split(t, false, r->cell);
    if (n <= SMI_AMD_COLUMNS && begins_header(r->cell, n))
        return read_amd_header(r, line, n, err);
    rc = smi_message_count(r->lines.account, line, err);
    return rc ? (rc < 0 ? -1 : 0) : smi_account_reject(r->lines.account, SMI_REJECT_FOREIGN, line, err);
}

/* ---- the door ---- */

/* amd-smi puts no blank behind its commas: what has one is somebody's own CSV, or nvidia-smi's. */
static bool is_header_of(struct smi_text line, enum smi_amd_table table)
{
    struct smi_text cell[SMI_AMD_COLUMNS];
    size_t n = smi_amd_split(line, false, cell);
    return n <= SMI_AMD_COLUMNS && begins_header(cell, n) && !memmem(line.p, line.n, ", ", 2) &&
           table_of(cell, n) == table;
}

static enum smi_sniff sniff_metric(struct smi_text line)
{
    return is_header_of(line, SMI_AMD_METRIC) ? SMI_SNIFF_YES : SMI_SNIFF_NO;
}

static enum smi_sniff sniff_monitor(struct smi_text line)
{
    return is_header_of(line, SMI_AMD_MONITOR) ? SMI_SNIFF_YES : SMI_SNIFF_NO;
}

static struct smi_reader *open_amd_reader(const struct smi_read_opts *o, enum smi_amd_table table,
                                          struct smi_err *err)
{
    struct smi_reader *r = smi_lines_open(sizeof *r, o, read_amd_line, err);
    if (!r)
        return NULL;
    r->table = table;
    r->round = (struct smi_poll_cycle){.account = o->account, .has_memory = true};
    return r;
}

static enum smi_sniff sniff_process(struct smi_text line)
{
    return is_header_of(line, SMI_AMD_PROCESS) ? SMI_SNIFF_YES : SMI_SNIFF_NO;
}

static struct smi_reader *open_metric(const struct smi_read_opts *o, struct smi_err *err)
{
    return open_amd_reader(o, SMI_AMD_METRIC, err);
}

static struct smi_reader *open_monitor(const struct smi_read_opts *o, struct smi_err *err)
{
    return open_amd_reader(o, SMI_AMD_MONITOR, err);
}

static struct smi_reader *open_process(const struct smi_read_opts *o, struct smi_err *err)
{
    return open_amd_reader(o, SMI_AMD_PROCESS, err);
}

static int finish_amd(struct smi_reader *r, struct smi_sink *to, struct smi_err *err)
{
    return smi_lines_end(r, to, err) || smi_poll_cycle_end(&r->round, to, err) ? -1 : 0;
}

static enum smi_time_base base(const struct smi_reader *r)
{
    return r->base;
}

static void close_amd_reader(struct smi_reader *r)
{
    if (!r)
        return;
    smi_mem_free(r->header);
    smi_poll_cycle_fini(&r->round);
    smi_lines_close(r);
}

const struct smi_format smi_format_amd_metric = {
    .name = "amd-smi-metric",
    .help = "amd-smi metric --csv",
    .sniff = sniff_metric,
    .open = open_metric,
    .feed = smi_lines_read,
    .finish = finish_amd,
    .base = base,
    .close = close_amd_reader,
};

const struct smi_format smi_format_amd_monitor = {
    .name = "amd-smi-monitor",
    .help = "amd-smi monitor --csv, of all versions",
    .sniff = sniff_monitor,
    .open = open_monitor,
    .feed = smi_lines_read,
    .finish = finish_amd,
    .base = base,
    .close = close_amd_reader,
};

const struct smi_format smi_format_amd_process = {
    .name = "amd-smi-process",
    .help = "amd-smi process --csv: processes",
    .whole = true,
    .sniff = sniff_process,
    .open = open_process,
    .feed = smi_lines_read,
    .finish = finish_amd,
    .base = base,
    .close = close_amd_reader,
};
