/* nvidia-smi pmon: one line per GPU and process, cycle after cycle.
 *
 *     # gpu         pid   type     sm    mem    enc    dec    jpg    ofa     fb   ccpm    command
 *     # Idx           #    C/G      %      %      %      %      %      %     MB     MB    name
 *         0      11345     C     99     10      -      -      -      -  15690      0    gpu_burn
 *         1          -     -      -      -      -      -      -      -      -      -    -
 *
 * -o puts Date and Time in front, as dmon does. A line of dashes is a GPU without processes. Nothing stands
 * between cycles: a new one begins with another time, with a lower GPU, or with a process that was there
 * already. The command is the rest of the line and may hold blanks. Columns are bound by name (formats.md
 * §5.1). */
#include "formats/fault_text.h"
#include "formats/format.h"
#include "formats/lines.h"
#include "formats/poll_cycle.h"
#include "formats/nvidia_monitor.h"

#include <string.h>

enum { COLUMNS = 64, PID_DIGITS = 10 };

/* What a header says of the rows below it. */
struct plan {
    size_t width; /* cells of a row; 0: no header that we can read */
    struct smi_nvidia_monitor_time_columns at;
    int gpu, pid, type, command; /* places, or -1 */
    bool commas;                 /* --format csv */
    unsigned n;                  /* columns that carry readings: their place and metric */
    uint16_t place[COLUMNS], metric[COLUMNS];
};

struct smi_reader {
    struct smi_lines lines; /* first: see smi_lines_read */
    struct smi_nvidia_monitor mon;
    int64_t last_gpu; /* index of the row before, or -1 */
    struct plan plan;
    struct smi_poll_cycle round;
    struct smi_text cell[COLUMNS];
    uint16_t metric[COLUMNS];
    int64_t v[COLUMNS];
};

static bool is_pmon_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* The next cell, taken off t; false at the end. */
static bool next_pmon_cell(struct smi_text *t, bool commas, struct smi_text *cell)
{
    const char *end, *stop;
    if (!t->p) /* the last comma is behind us */
        return false;
    end = t->p + t->n;
    if (commas) {
        stop = memchr(t->p, ',', t->n);
        *cell = smi_text_trim((struct smi_text){t->p, (size_t)((stop ? stop : end) - t->p)});
        *t = stop ? (struct smi_text){stop + 1, (size_t)(end - stop - 1)} : (struct smi_text){NULL, 0};
        return true;
    }
    *t = smi_text_trim(*t);
    if (!t->n)
        return false;
    for (stop = t->p; stop < end && !is_pmon_blank(*stop);)
        stop++;
    *cell = (struct smi_text){t->p, (size_t)(stop - t->p)};
    *t = (struct smi_text){stop, (size_t)(end - stop)};
    return true;
}

/* The cells of a line, at most `most`; the last one is all that is left. Returns how many. */
static size_t split_pmon_cells(struct smi_text line, bool commas, size_t most, struct smi_text *cell)
{
    struct smi_text t = line;
    size_t n = 0;
    while (n + 1 < most && next_pmon_cell(&t, commas, &cell[n]))
        n++;
    t = t.p ? smi_text_trim(t) : t;
    if (n + 1 == most && t.n)
        cell[n++] = t;
    return n;
}

static bool pmon_metric_is_bound(const struct plan *p, int metric)
{
    for (unsigned i = 0; i < p->n; i++)
        if (p->metric[i] == metric)
            return true;
    return false;
}

static void bind_pmon_column(struct plan *p, struct smi_text name, int place)
{
    struct {
        const char *name;
        int *place;
    } const own[] = {{"gpu", &p->gpu},      {"pid", &p->pid},      {"type", &p->type},
                     {"Date", &p->at.date}, {"Time", &p->at.time}, {"command", &p->command}};
    int metric;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        if (!smi_text_is(name, own[i].name))
            continue;
        if (*own[i].place < 0)
            *own[i].place = place;
        return;
    }
    metric = smi_column_dmon(name);
    if (metric < 0 || pmon_metric_is_bound(p, metric))
        return;
    p->place[p->n] = (uint16_t)place;
    p->metric[p->n++] = (uint16_t)metric;
}

/* Decodes a header into p: `gpu` among the first three names, a pid, and a type or command. p->width stays 0
 * if it is none. */
static void bind_pmon_columns(struct plan *p, struct smi_text line, struct smi_text *cell)
{
    size_t n;
    *p = (struct plan){.at = {-1, -1},
                       .gpu = -1,
                       .pid = -1,
                       .type = -1,
                       .command = -1,
                       .commas = smi_nvidia_monitor_has_commas(line)};
    n = split_pmon_cells(line, p->commas, COLUMNS, cell);
    if (n == 0 || n == COLUMNS || !smi_nvidia_monitor_is_first_name(cell[0]))
        return;
    for (size_t i = 0; i < n; i++)
        bind_pmon_column(p, cell[i], (int)i);
    if (p->gpu >= 0 && p->gpu < 3 && p->pid >= 0 && (p->type >= 0 || p->command == (int)n - 1))
        p->width = n;
}

static int read_pmon_cells(struct smi_reader *r, struct smi_sample *s, struct smi_err *err)
{
    const struct plan *p = &r->plan;
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

/* "C", "C+G", "M+C": bits of smi_process. */
static unsigned types_of(struct smi_text t)
{
    unsigned types = 0;
    for (size_t i = 0; i < t.n; i++)
        types |= t.p[i] == 'C'   ? SMI_PROC_COMPUTE
                 : t.p[i] == 'G' ? SMI_PROC_GRAPHICS
                 : t.p[i] == 'M' ? SMI_PROC_MPS
                                 : 0u;
    return types;
}

/* Who the row is about. Returns false if its pid is neither a number nor a dash. */
static bool read_pmon_process(const struct smi_reader *r, const struct smi_sample *s, struct smi_process *q)
{
    const struct plan *p = &r->plan;
    struct smi_text pid = r->cell[p->pid];
    *q = (struct smi_process){.pid = smi_nvidia_monitor_digits(pid, PID_DIGITS), .life_ms = -1};
    if (p->type >= 0)
        q->types = types_of(r->cell[p->type]);
    if (p->command >= 0 && !smi_cell_missing(r->cell[p->command]))
        q->name = r->cell[p->command];
    q->none = q->pid < 0 && !q->name.n && !s->n;
    return q->pid >= 0 || smi_cell_missing(pid);
}

/* r->cell holds the cells of a row as wide as its header. */
static int read_pmon_row(struct smi_reader *r, struct smi_text line, struct smi_err *err)
{
    struct smi_process q;
    struct smi_sample s = {.metric = r->metric, .v = r->v, .process = &q};
    int64_t gpu;
    bool lower;
    if (smi_nvidia_monitor_time(&r->mon, &r->plan.at, r->cell, &s))
        return smi_account_reject(r->lines.account, SMI_REJECT_BAD_TIME, line, err);
    if (read_pmon_cells(r, &s, err))
        return -1;
    if (!read_pmon_process(r, &s, &q))
        return smi_account_reject(r->lines.account, SMI_REJECT_BAD_NUMBER, line, err);
    if (smi_nvidia_monitor_gpu(&r->lines, r->cell[r->plan.gpu], &s, &gpu, err))
        return -1;
    lower = gpu >= 0 && gpu < r->last_gpu;
    r->last_gpu = gpu;
    return smi_poll_cycle_add(&r->round, &s, lower, r->lines.to, err);
}

static int check_pmon_row(struct smi_reader *r, struct smi_text line, struct smi_err *err)
{
    size_t most = r->plan.command == (int)r->plan.width - 1 ? r->plan.width : r->plan.width + 1;
    if (r->plan.width && split_pmon_cells(line, r->plan.commas, most, r->cell) == r->plan.width)
        return read_pmon_row(r, line, err);
    return smi_nvidia_monitor_bad_row(&r->mon, &r->lines, line, r->plan.width, err);
}

/* No row: a header, its units, a comment, a message, or foreign. */
static int read_pmon_other_line(struct smi_reader *r, struct smi_text line, struct smi_err *err)
{
    struct plan fresh;
    bool hash;
    struct smi_text text = smi_nvidia_monitor_strip_hash(line, &hash);
    bind_pmon_columns(&fresh, text, r->cell);
    if (fresh.width) {
        r->plan = fresh;
        r->round.has_memory = pmon_metric_is_bound(&fresh, SMI_FB_USED);
        return smi_nvidia_monitor_header(&r->mon, &fresh.at, r->lines.account, err);
    }
    if (text.n && split_pmon_cells(text, fresh.commas, COLUMNS, r->cell) &&
        smi_nvidia_monitor_is_units(r->cell[0])) {
        r->lines.account->header++;
        return 0;
    }
    if (fresh.gpu >= 0 && hash) { /* dmon's: rows below are not ours */
        r->plan.width = 0;
        return smi_account_reject(r->lines.account, SMI_REJECT_FOREIGN, line, err);
    }
    return smi_nvidia_monitor_other_line(&r->lines, line, hash, err);
}

static int read_pmon_line(void *self, struct smi_text line, struct smi_err *err)
{
    return smi_nvidia_monitor_is_row(line) ? check_pmon_row(self, line, err)
                                           : read_pmon_other_line(self, line, err);
}

static enum smi_sniff sniff_pmon(struct smi_text line)
{
    struct smi_text cell[COLUMNS];
    struct plan p;
    bool hash;
    struct smi_text text = smi_nvidia_monitor_strip_hash(line, &hash);
    bind_pmon_columns(&p, text, cell);
    return p.width ? SMI_SNIFF_YES : SMI_SNIFF_NO;
}

static struct smi_reader *open_pmon_reader(const struct smi_read_opts *o, struct smi_err *err)
{
    struct smi_reader *r = smi_lines_open(sizeof *r, o, read_pmon_line, err);
    if (!r)
        return NULL;
    r->mon.name = "pmon";
    r->last_gpu = -1;
    r->round.account = o->account;
    return r;
}

static int finish_pmon(struct smi_reader *r, struct smi_sink *to, struct smi_err *err)
{
    return smi_lines_end(r, to, err) || smi_poll_cycle_end(&r->round, to, err) ? -1 : 0;
}

static enum smi_time_base pmon_time_base(const struct smi_reader *r)
{
    return r->mon.base;
}

static void close_pmon_reader(struct smi_reader *r)
{
    if (!r)
        return;
    smi_poll_cycle_fini(&r->round);
    smi_lines_close(r);
}

const struct smi_format smi_format_pmon = {
    .name = "pmon",
    .help = "nvidia-smi pmon, any -s, -o and driver: processes",
    .whole = true, /* a round of rows must not be cut */
    .sniff = sniff_pmon,
    .open = open_pmon_reader,
    .feed = smi_lines_read,
    .finish = finish_pmon,
    .base = pmon_time_base,
    .close = close_pmon_reader,
};
