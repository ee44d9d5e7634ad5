/* nvidia-smi --query-compute-apps=... --format=csv, one block of rows a call, one row a process and GPU:
 *
 *     timestamp, gpu_name, gpu_bus_id, gpu_serial, gpu_uuid, pid, process_name, used_gpu_memory [MiB]
 *     2026/07/03 22:11:09.916, NVIDIA H200, 00000000:83:00.0, 0000000000000, GPU-..., 10291, /root/memhog,
 * 2566 MiB
 *
 * All rows of a call have one time; a call that finds no process prints nothing. The name of a process may
 * hold commas: a row is read from both its ends. --query-accounted-apps prints the whole history of processes
 * with every call,
 * --query-retired-pages is known and has no readings. Source: formats.md §5.2 to §5.4. */
#include "base/clock.h"
#include "base/mem.h"
#include "formats/lines.h"
#include "formats/poll_cycle.h"
#include "formats/nvidia_apps_plan.h"
#include "formats/nvidia_query_plan.h"

#include <string.h>

enum { HEADER = 2048, MILLION = 1000000 };

struct smi_reader {
    struct smi_lines lines; /* first: see smi_lines_read */
    int format;             /* which of the three */
    bool told;              /* that rows without a header are of no use */
    bool timed;
    struct smi_apps_plan plan;
    struct smi_poll_cycle round;
    size_t header_n; /* the header as it was: it may come again; 0: longer than is kept */
    char header[HEADER];
    struct smi_text cell[SMI_APPS_COLUMNS];
    uint16_t metric[4];
    int64_t v[4];
};

static int reject_apps_line(struct smi_reader *r, enum smi_reject why, struct smi_text line,
                            struct smi_err *err)
{
    return smi_account_reject(r->lines.account, why, line, err);
}

/* Too many cells: what is too much belongs to the name of the process. Returns how many there are then. */
static size_t rejoin_apps_commas(struct smi_reader *r, size_t n)
{
    size_t extra = n - r->plan.width, at = (size_t)r->plan.process;
    if (r->plan.process < 0 || n > SMI_APPS_COLUMNS)
        return n;
    r->cell[at].n = (size_t)(r->cell[at + extra].p + r->cell[at + extra].n - r->cell[at].p);
    r->cell[at] = smi_text_trim(r->cell[at]);
    memmove(&r->cell[at + 1], &r->cell[at + 1 + extra], (n - at - 1 - extra) * sizeof *r->cell);
    return r->plan.width;
}

/* A name with more commas than there is room for: its row is cut from the right. */
static size_t split_apps_cells(struct smi_reader *r, struct smi_text line)
{
    size_t n = smi_apps_split(line, r->cell), right = r->plan.width - 1 - (size_t)r->plan.process;
    const char *p = line.p + line.n, *end = p;
    if (n <= SMI_APPS_COLUMNS || !r->plan.width || r->plan.process < 0)
        return r->plan.width && n > r->plan.width ? rejoin_apps_commas(r, n) : n;
    for (size_t i = 0; i < right; end = --p, i++) {
        while (p[-1] != ',')
            p--;
        r->cell[r->plan.width - 1 - i] = smi_text_trim((struct smi_text){p, (size_t)(end - p)});
    }
    r->cell[r->plan.process].n = (size_t)(end - r->cell[r->plan.process].p);
    r->cell[r->plan.process] = smi_text_trim(r->cell[r->plan.process]);
    return r->plan.width;
}

/* ---- rows ---- */

static struct smi_text cell_at(const struct smi_reader *r, int place)
{
    return place < 0 || smi_cell_missing(r->cell[place]) ? (struct smi_text){NULL, 0} : r->cell[place];
}

static int read_apps_cells(struct smi_reader *r, struct smi_sample *s, struct smi_err *err)
{
    const struct smi_apps_plan *p = &r->plan;
    for (unsigned i = 0; i < p->n; i++) {
        struct smi_text c = r->cell[p->place[i]];
        enum smi_cell_status what = smi_cell_number(p->metric[i], c, &r->v[s->n]);
        if (what == SMI_CELL_OK)
            r->metric[s->n++] = p->metric[i];
        else if (smi_cell_count_lost(r->lines.account, what, p->metric[i], c, err))
            return -1;
    }
    return 0;
}

/* "153712 ms", or 0 while it runs. */
static int64_t life_of(struct smi_text c)
{
    int64_t micro;
    if (c.n > 3 && memcmp(c.p + c.n - 3, " ms", 3) == 0)
        c.n -= 3;
    return smi_text_parse_micro(c, &micro) == 0 && micro > 0 ? micro / MILLION : 0;
}

/* Who the row is about. Returns false if nothing of it can be used. */
static bool read_apps_process(const struct smi_reader *r, const struct smi_sample *s, struct smi_process *q)
{
    struct smi_text pid = cell_at(r, r->plan.pid);
    int64_t micro = -MILLION;
    bool bad = pid.n && (smi_text_parse_micro(pid, &micro) || micro < 0 || micro % MILLION ||
                         micro / MILLION > UINT32_MAX);
    *q = (struct smi_process){
        .pid = bad ? -1 : micro / MILLION, .name = cell_at(r, r->plan.process), .life_ms = -1};
    if (r->format == SMI_FMT_ACCOUNTED)
        q->life_ms = r->plan.life < 0 ? 0 : life_of(r->cell[r->plan.life]);
    if (bad)
        return false;
    return r->plan.pid >= 0 || s->n || !r->plan.n || smi_cell_missing(r->cell[r->plan.place[0]]);
}

/* The row's device, and its model's name. Returns 0, or -1 with err. */
static int read_apps_device(struct smi_reader *r, struct smi_sample *s, struct smi_err *err)
{
    struct smi_text key[SMI_DEVICE_KEY_COUNT] = {{NULL, 0}}, name = cell_at(r, r->plan.gpu_name);
    bool some = false;
    for (int k = 0; k < SMI_DEVICE_KEY_COUNT; k++) {
        key[k] = cell_at(r, r->plan.key[k]);
        some |= key[k].n > 0;
    }
    s->who = some ? smi_devices_find_key(r->lines.devices, key, err) : SMI_DEVICE_POOL;
    if (s->who == -1)
        return -1;
    return s->who >= 0 && name.n ? smi_devices_set_name(r->lines.devices, s->who, name, err) : 0;
}

/* r->cell holds the cells of a row as wide as its header. */
static int read_apps_row(struct smi_reader *r, struct smi_text line, struct smi_err *err)
{
    struct smi_process q;
    struct smi_sample s = {.metric = r->metric, .v = r->v, .process = &q};
    int64_t us = 0;
    if (r->plan.time >= 0 && smi_clock_parse_stamp(r->cell[r->plan.time], &us, &s.fine))
        return reject_apps_line(r, SMI_REJECT_BAD_TIME, line, err);
    if (r->format == SMI_FMT_RETIRED) {
        r->lines.account->rows++;
        return 0;
    }
    s.timed = r->plan.time >= 0;
    s.t_ms = us / 1000;
    if (read_apps_cells(r, &s, err))
        return -1;
    if (!read_apps_process(r, &s, &q))
        return reject_apps_line(r, SMI_REJECT_BAD_NUMBER, line, err);
    if (read_apps_device(r, &s, err))
        return -1;
    r->timed |= s.timed;
    if (r->format == SMI_FMT_ACCOUNTED)
        return smi_sink_row(r->lines.to, &s, err);
    return smi_poll_cycle_add(&r->round, &s, false, r->lines.to, err);
}

/* ---- lines ---- */

/* A header, perhaps the same once more: another call. */
static int read_apps_header(struct smi_reader *r, struct smi_text line, size_t n, struct smi_err *err)
{
    r->lines.account->header++;
    r->told = false;
    if (!(r->header_n && r->header_n == line.n && memcmp(r->header, line.p, line.n) == 0)) {
        r->header_n = line.n <= HEADER ? line.n : 0;
        memcpy(r->header, line.p, r->header_n);
        smi_apps_bind(&r->plan, r->cell, n);
        r->round.has_memory = r->plan.n > 0;
    }
    return r->plan.time < 0 ? smi_poll_cycle_end(&r->round, r->lines.to, err) : 0;
}

/* Each row is counted; the reason is said once. */
static int count_apps_row_without_header(struct smi_reader *r, struct smi_text line, struct smi_err *err)
{
    if (!line.n || line.p[0] < '0' || line.p[0] > '9')
        return reject_apps_line(r, SMI_REJECT_FOREIGN, line, err);
    r->lines.account->rejected[SMI_REJECT_FOREIGN]++;
    if (r->told)
        return 0;
    r->told = true;
    return smi_account_warn(r->lines.account, SMI_LOG_WARNING_OTHER, err,
                            "rows without a header of this log above them");
}

/* n cells of a line that is no row. */
static int read_apps_other_line(struct smi_reader *r, struct smi_text line, size_t n, struct smi_err *err)
{
    int rc = smi_message_count(r->lines.account, line, err);
    if (rc)
        return rc < 0 ? -1 : 0;
    return r->plan.width == 0 || n == 1 ? count_apps_row_without_header(r, line, err)
                                        : reject_apps_line(r, SMI_REJECT_BAD_WIDTH, line, err);
}

static bool begins_with_digit(struct smi_text line)
{
    return line.p[0] >= '0' && line.p[0] <= '9';
}

static int read_apps_line(void *self, struct smi_text line, struct smi_err *err)
{
    struct smi_reader *r = self;
    size_t n;
    if (!begins_with_digit(line)) {
        int kind;
        n = smi_apps_split(line, r->cell);
        kind = smi_apps_header(r->cell, n);
        if (kind == r->format)
            return read_apps_header(r, line, n, err);
        if (kind >= 0 ||
            (n <= SMI_APPS_COLUMNS && smi_query_is_header(r->cell, n))) { /* rows below are not ours */
            r->plan.width = r->header_n = 0;
            return reject_apps_line(r, SMI_REJECT_FOREIGN, line, err);
        }
        if (smi_message_is_known(line))
            return read_apps_other_line(r, line, n, err);
    }
    n = split_apps_cells(r, line);
    if (!r->plan.width && r->format == SMI_FMT_APPS && !r->header_n && smi_apps_row(r->cell, n)) {
        smi_apps_bind_row(&r->plan, r->cell, n);
        r->round.has_memory = true;
    }
    return r->plan.width && n == r->plan.width ? read_apps_row(r, line, err)
                                               : read_apps_other_line(r, line, n, err);
}

/* ---- the door ---- */

static int kind_of(struct smi_text line)
{
    struct smi_text cell[SMI_APPS_COLUMNS];
    size_t n = smi_apps_split(line, cell);
    int kind = smi_apps_header(cell, n);
    return kind < 0 && smi_apps_row(cell, n) ? SMI_FMT_APPS : kind;
}

static enum smi_sniff sniff_apps(struct smi_text line)
{
    return kind_of(line) == SMI_FMT_APPS ? SMI_SNIFF_YES : SMI_SNIFF_NO;
}

static enum smi_sniff sniff_accounted(struct smi_text line)
{
    return kind_of(line) == SMI_FMT_ACCOUNTED ? SMI_SNIFF_YES : SMI_SNIFF_NO;
}

static enum smi_sniff sniff_retired(struct smi_text line)
{
    return kind_of(line) == SMI_FMT_RETIRED ? SMI_SNIFF_YES : SMI_SNIFF_NO;
}

static struct smi_reader *open_as(int format, const struct smi_read_opts *o, struct smi_err *err)
{
    struct smi_reader *r = smi_lines_open(sizeof *r, o, read_apps_line, err);
    if (!r)
        return NULL;
    r->format = format;
    r->round.account = o->account;
    return r;
}

static struct smi_reader *open_apps(const struct smi_read_opts *o, struct smi_err *err)
{
    return open_as(SMI_FMT_APPS, o, err);
}

static struct smi_reader *open_accounted(const struct smi_read_opts *o, struct smi_err *err)
{
    return open_as(SMI_FMT_ACCOUNTED, o, err);
}

static struct smi_reader *open_retired(const struct smi_read_opts *o, struct smi_err *err)
{
    return open_as(SMI_FMT_RETIRED, o, err);
}

static int finish_apps(struct smi_reader *r, struct smi_sink *to, struct smi_err *err)
{
    return smi_lines_end(r, to, err) || smi_poll_cycle_end(&r->round, to, err) ? -1 : 0;
}

static enum smi_time_base apps_time_base(const struct smi_reader *r)
{
    return r->plan.time >= 0 || r->timed ? SMI_TIME_BASE_LOCAL : SMI_TIME_BASE_NONE;
}

static void close_apps_reader(struct smi_reader *r)
{
    if (!r)
        return;
    smi_poll_cycle_fini(&r->round);
    smi_lines_close(r);
}

const struct smi_format smi_format_apps = {
    .name = "compute-apps",
    .help = "nvidia-smi --query-compute-apps=... --format=csv: processes",
    .whole = true,
    .sniff = sniff_apps,
    .open = open_apps,
    .feed = smi_lines_read,
    .finish = finish_apps,
    .base = apps_time_base,
    .close = close_apps_reader,
};

const struct smi_format smi_format_accounted = {
    .name = "accounted-apps",
    .help = "nvidia-smi --query-accounted-apps=... --format=csv: processes that ended",
    .whole = true,
    .sniff = sniff_accounted,
    .open = open_accounted,
    .feed = smi_lines_read,
    .finish = finish_apps,
    .base = apps_time_base,
    .close = close_apps_reader,
};

const struct smi_format smi_format_retired = {
    .name = "retired-pages",
    .help = "nvidia-smi --query-retired-pages=... --format=csv: known, has no readings",
    .whole = true,
    .sniff = sniff_retired,
    .open = open_retired,
    .feed = smi_lines_read,
    .finish = finish_apps,
    .base = apps_time_base,
    .close = close_apps_reader,
};
