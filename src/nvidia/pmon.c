/* nvidia-smi pmon: one line per GPU and process, cycle after cycle.
 *
 *     # gpu         pid   type     sm    mem    enc    dec    jpg    ofa     fb   ccpm    command
 *     # Idx           #    C/G      %      %      %      %      %      %     MB     MB    name
 *         0      11345     C     99     10      -      -      -      -  15690      0    gpu_burn
 *         1          -     -      -      -      -      -      -      -      -      -    -
 *
 * -o puts Date and Time in front, as dmon does. A line of dashes is a GPU without processes. Nothing stands between
 * cycles: a new one begins with another time, with a lower GPU, or with a process that was there already. The
 * command is the rest of the line and may hold blanks. Columns are bound by name (formats.md §5.1). */
#include "base/clock.h"
#include "base/mem.h"
#include "format/fault.h"
#include "format/format.h"
#include "format/lines.h"
#include "format/round.h"

#include <string.h>

enum { COLUMNS = 64, DAY_MS = 86400000 };

/* What a header says of the rows below it. */
struct plan {
    size_t width;                    /* cells of a row; 0: no header that we can read */
    int date, time, gpu, pid, type, command; /* places, or -1 */
    bool commas;                     /* --format csv */
    unsigned n;                      /* columns that carry readings: their place and metric */
    uint16_t place[COLUMNS], metric[COLUMNS];
};

struct smi_reader {
    struct smi_lines lines; /* first: see smi_lines_read */
    enum smi_base base;
    bool told;              /* that rows without a header are of no use */
    int64_t clock_ms, days_ms; /* -o T: the last time of day, and the days before it */
    int64_t last_gpu;       /* index of the row before, or -1 */
    struct plan plan;
    struct smi_round round;
    struct smi_text cell[COLUMNS];
    uint16_t metric[COLUMNS];
    int64_t v[COLUMNS];
};

static bool blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The next cell, taken off t; false at the end. */
static bool next_cell(struct smi_text *t, bool commas, struct smi_text *cell)
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
    for (stop = t->p; stop < end && !blank(*stop);)
        stop++;
    *cell = (struct smi_text){t->p, (size_t)(stop - t->p)};
    *t = (struct smi_text){stop, (size_t)(end - stop)};
    return true;
}

/* The cells of a line, at most `most`; the last one is all that is left. Returns how many. */
static size_t cut(struct smi_text line, bool commas, size_t most, struct smi_text *cell)
{
    struct smi_text t = line;
    size_t n = 0;
    while (n + 1 < most && next_cell(&t, commas, &cell[n]))
        n++;
    t = t.p ? smi_text_trim(t) : t;
    if (n + 1 == most && t.n)
        cell[n++] = t;
    return n;
}

/* The line without a '#' in front; *hash says whether there was one. */
static struct smi_text bare(struct smi_text line, bool *hash)
{
    struct smi_text t = smi_text_trim(line);
    *hash = t.n && *t.p == '#';
    return *hash ? smi_text_trim((struct smi_text){t.p + 1, t.n - 1}) : t;
}

static bool bound(const struct plan *p, int metric)
{
    for (unsigned i = 0; i < p->n; i++)
        if (p->metric[i] == metric)
            return true;
    return false;
}

static void bind_column(struct plan *p, struct smi_text name, int place)
{
    struct {
        const char *name;
        int *place;
    } const own[] = {{"gpu", &p->gpu}, {"pid", &p->pid},         {"type", &p->type},
                     {"Date", &p->date}, {"Time", &p->time}, {"command", &p->command}};
    int metric;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        if (!smi_text_is(name, own[i].name))
            continue;
        if (*own[i].place < 0)
            *own[i].place = place;
        return;
    }
    metric = smi_column_dmon(name);
    if (metric < 0 || bound(p, metric))
        return;
    p->place[p->n] = (uint16_t)place;
    p->metric[p->n++] = (uint16_t)metric;
}

/* Decodes a header into p: `gpu` among the first three names, a pid, and a type or command. p->width stays 0 if it
 * is none. */
static void bind(struct plan *p, struct smi_text line, struct smi_text *cell)
{
    const char *comma = memchr(line.p, ',', line.n);
    size_t n;
    *p = (struct plan){.date = -1, .time = -1, .gpu = -1, .pid = -1, .type = -1, .command = -1,
                       .commas = comma && memchr(comma + 1, ',', (size_t)(line.p + line.n - comma - 1))};
    n = cut(line, p->commas, COLUMNS, cell);
    if (n == 0 || n == COLUMNS)
        return;
    if (!smi_text_is(cell[0], "gpu") && !smi_text_is(cell[0], "Time") && !smi_text_is(cell[0], "Date"))
        return;
    for (size_t i = 0; i < n; i++)
        bind_column(p, cell[i], (int)i);
    if (p->gpu >= 0 && p->gpu < 3 && p->pid >= 0 && (p->type >= 0 || p->command == (int)n - 1))
        p->width = n;
}

static bool is_units(struct smi_text cell)
{
    return smi_text_is(cell, "Idx") || smi_text_is(cell, "HH:MM:SS") || smi_text_is(cell, "YYYYMMDD");
}

/* -o D alone gives days, and no interval can be told from days. */
static enum smi_base base_of(const struct plan *p)
{
    if (p->time < 0)
        return SMI_BASE_NONE;
    return p->date < 0 ? SMI_BASE_DAY : SMI_BASE_LOCAL;
}

/* The first header with times decides for the input: times of day and dates cannot be joined. */
static int on_header(struct smi_reader *r, struct smi_err *err)
{
    enum smi_base b = base_of(&r->plan);
    r->lines.account->header++;
    r->told = false;
    r->round.has_memory = bound(&r->plan, SMI_FB_USED);
    if (b != SMI_BASE_NONE && r->base == SMI_BASE_NONE)
        r->base = b;
    if (b != SMI_BASE_NONE && b != r->base)
        return smi_account_odd(r->lines.account, SMI_ODD_OTHER, err,
                               "a header with times of another kind: the times below it are not read");
    return 0;
}

/* The day turns where the clock goes back by more than 12 h; a smaller step is a clock that was set. */
static int64_t over_midnight(struct smi_reader *r, int64_t ms)
{
    if (r->clock_ms - ms > DAY_MS / 2)
        r->days_ms += DAY_MS;
    r->clock_ms = ms;
    return r->days_ms + ms;
}

static int read_time(struct smi_reader *r, struct smi_sample *s)
{
    const struct plan *p = &r->plan;
    int64_t day = 0, ms = 0;
    if (p->date >= 0 && smi_clock_date8(r->cell[p->date], &day))
        return -1;
    if (p->time < 0)
        return 0;
    if (smi_clock_hms(r->cell[p->time], &ms))
        return -1;
    s->timed = base_of(p) == r->base;
    s->t_ms = p->date < 0 ? over_midnight(r, ms) : day + ms;
    return 0;
}

static int read_cells(struct smi_reader *r, struct smi_sample *s, struct smi_err *err)
{
    const struct plan *p = &r->plan;
    for (unsigned i = 0; i < p->n; i++) {
        struct smi_text c = r->cell[p->place[i]];
        enum smi_cell what = smi_cell_number(p->metric[i], c, &r->v[s->n]);
        if (what == SMI_CELL_OK)
            r->metric[s->n++] = p->metric[i];
        else if (smi_cell_lost(r->lines.account, what, p->metric[i], c, err))
            return -1;
    }
    return 0;
}

/* A whole number, or -1. */
static int64_t whole(struct smi_text c)
{
    int64_t v = 0;
    if (c.n == 0 || c.n > 10)
        return -1;
    for (size_t i = 0; i < c.n; i++) {
        if (!digit(c.p[i]))
            return -1;
        v = v * 10 + (c.p[i] - '0');
    }
    return v;
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
static bool read_process(const struct smi_reader *r, const struct smi_sample *s, struct smi_process *q)
{
    const struct plan *p = &r->plan;
    struct smi_text pid = r->cell[p->pid];
    *q = (struct smi_process){.pid = whole(pid), .life_ms = -1};
    if (p->type >= 0)
        q->types = types_of(r->cell[p->type]);
    if (p->command >= 0 && !smi_cell_missing(r->cell[p->command]))
        q->name = r->cell[p->command];
    q->none = q->pid < 0 && !q->name.n && !s->n;
    return q->pid >= 0 || smi_cell_missing(pid);
}

/* `gpu` is the NVML index. Returns 0, or -1 with err. */
static int read_gpu(struct smi_reader *r, struct smi_sample *s, int64_t *index, struct smi_err *err)
{
    struct smi_text key[SMI_KEY_COUNT] = {{0}}, c = r->cell[r->plan.gpu];
    s->who = SMI_WHO_POOL;
    *index = c.n <= 6 ? whole(c) : -1;
    if (*index < 0) {
        r->lines.account->cells_missing += smi_text_is(c, "-");
        r->lines.account->cells_bad += !smi_text_is(c, "-");
        return 0;
    }
    key[SMI_KEY_INDEX] = c;
    s->who = smi_devices_key(r->lines.devices, key, err);
    return s->who == -1 ? -1 : 0;
}

/* r->cell holds the cells of a row as wide as its header. */
static int row(struct smi_reader *r, struct smi_text line, struct smi_err *err)
{
    struct smi_process q;
    struct smi_sample s = {.metric = r->metric, .v = r->v, .process = &q};
    int64_t gpu;
    bool lower;
    if (read_time(r, &s))
        return smi_account_reject(r->lines.account, SMI_BAD_TIME, line, err);
    if (read_cells(r, &s, err))
        return -1;
    if (!read_process(r, &s, &q))
        return smi_account_reject(r->lines.account, SMI_BAD_NUMBER, line, err);
    if (read_gpu(r, &s, &gpu, err))
        return -1;
    lower = gpu >= 0 && gpu < r->last_gpu;
    r->last_gpu = gpu;
    return smi_round_take(&r->round, &s, lower, r->lines.to, err);
}

/* Each row is counted; the reason is said once. */
static int headless(struct smi_reader *r, struct smi_err *err)
{
    r->lines.account->rejected[SMI_FOREIGN]++;
    if (r->told)
        return 0;
    r->told = true;
    return smi_account_odd(r->lines.account, SMI_ODD_OTHER, err,
                           "rows without a pmon header above them: their columns are not known");
}

static int on_row(struct smi_reader *r, struct smi_text line, struct smi_err *err)
{
    size_t most = r->plan.command == (int)r->plan.width - 1 ? r->plan.width : r->plan.width + 1;
    int rc;
    if (r->plan.width && cut(line, r->plan.commas, most, r->cell) == r->plan.width)
        return row(r, line, err);
    rc = smi_message_tell(&r->lines, line, err); /* a date, a ruler */
    if (rc)
        return rc < 0 ? -1 : 0;
    return r->plan.width ? smi_account_reject(r->lines.account, SMI_BAD_WIDTH, line, err) : headless(r, err);
}

/* No row: a header, its units, a comment, a message, or foreign. */
static int on_other(struct smi_reader *r, struct smi_text line, struct smi_err *err)
{
    struct plan fresh;
    bool hash;
    struct smi_text text = bare(line, &hash);
    int rc;
    bind(&fresh, text, r->cell);
    if (fresh.width) {
        r->plan = fresh;
        return on_header(r, err);
    }
    if (text.n && cut(text, fresh.commas, COLUMNS, r->cell) && is_units(r->cell[0])) {
        r->lines.account->header++;
        return 0;
    }
    if (fresh.gpu >= 0 && hash) { /* dmon's: rows below are not ours */
        r->plan.width = 0;
        return smi_account_reject(r->lines.account, SMI_FOREIGN, line, err);
    }
    rc = hash ? 1 : smi_message_tell(&r->lines, line, err);
    r->lines.account->messages += hash;
    return rc ? (rc < 0 ? -1 : 0) : smi_account_reject(r->lines.account, SMI_FOREIGN, line, err);
}

static int on_line(void *self, struct smi_text line, struct smi_err *err)
{
    size_t i = 0;
    while (i < line.n && blank(line.p[i]))
        i++;
    if (i < line.n && (digit(line.p[i]) || line.p[i] == '-'))
        return on_row(self, line, err);
    return on_other(self, line, err);
}

static enum smi_sniff sniff(struct smi_text line)
{
    struct smi_text cell[COLUMNS];
    struct plan p;
    bool hash;
    struct smi_text text = bare(line, &hash);
    bind(&p, text, cell);
    return p.width ? SMI_SNIFF_YES : SMI_SNIFF_NO;
}

static struct smi_reader *open(const struct smi_read_opts *o, struct smi_err *err)
{
    struct smi_reader *r = smi_mem_new(1, sizeof *r);
    if (!r) {
        smi_err_nomem(err);
        return NULL;
    }
    r->last_gpu = -1;
    r->round.account = o->account;
    r->lines = (struct smi_lines){.account = o->account, .devices = o->devices, .line = on_line, .self = r,
                                  .begun = o->later};
    return r;
}

static int finish(struct smi_reader *r, struct smi_sink *to, struct smi_err *err)
{
    return smi_lines_end(r, to, err) || smi_round_end(&r->round, to, err) ? -1 : 0;
}

static enum smi_base base(const struct smi_reader *r)
{
    return r->base;
}

static void close(struct smi_reader *r)
{
    if (!r)
        return;
    smi_lines_fini(&r->lines);
    smi_round_fini(&r->round);
    smi_mem_free(r);
}

const struct smi_format smi_format_pmon = {
    .name = "pmon",
    .help = "nvidia-smi pmon, any -s, -o and driver: processes",
    .whole = true, /* a round of rows must not be cut */
    .sniff = sniff,
    .open = open,
    .feed = smi_lines_read,
    .finish = finish,
    .base = base,
    .close = close,
};
