/* The table that nvidia-smi prints when it is asked for nothing, once or again and again in one log:
 *
 *     Mon Jun  1 09:00:01 2026
 *     +-----------------------------------------------------------------------------+
 *     | NVIDIA-SMI 535.104.05   Driver Version: 535.104.05   CUDA Version: 12.2     |
 *     |-------------------------------+----------------------+----------------------+
 *     | GPU  Name        Persistence-M| Bus-Id        Disp.A | Volatile Uncorr. ECC |
 *     | Fan  Temp  Perf  Pwr:Usage/Cap|         Memory-Usage | GPU-Util  Compute M. |
 *     |                               |                      |               MIG M. |
 *     |===============================+======================+======================|
 *     |   0  NVIDIA A40          On   | 00000000:31:00.0 Off |                    0 |
 *     | N/A   43C    P0    97W / 300W |   1835MiB / 46068MiB |     29%      Default |
 *     |                               |                      |                  N/A |
 *     +-------------------------------+----------------------+----------------------+
 *
 * Widths, names and the number of lines of a GPU change from driver to driver, so the words of a box's head
 * tell what the words below them are. The line of ctime(3) right above the box is its time. Boxes of MIG
 * devices and of processes are counted and not read: instances are no GPUs, and a user may see only some
 * processes. All other lines are messages, as the output of a job has them. */
#include "base/clock.h"
#include "formats/row_engine.h"

enum { SEGMENTS = 4, HEAD_LINES = 3, WIDTH = 512, STAMP_MOST = 48, INDEX_DIGITS = 6 };
enum { STAMP, FIRST /* cell of the first name in the map */, CELLS = 24 };

struct stamp {
    struct smi_stamp at;
    char text[STAMP_MOST + 1]; /* empty: there is none */
};

enum box {
    BOX_NONE,   /* no head was seen */
    BOX_HEAD,   /* lines up to |=====| are a head */
    BOX_GPUS,   /* lines of GPUs */
    BOX_OTHER,  /* of MIG devices or processes */
    BOX_UNKNOWN /* of a driver whose head has other words */
};

struct smi_reader {
    struct smi_row_reader row; /* first: see row_engine.h */
    enum box box;
    bool others;          /* the head is of MIG devices or processes */
    unsigned heads, tall; /* lines of the head so far; of the head that counts */
    size_t segments;
    char head[HEAD_LINES][WIDTH + 1];
    unsigned lines; /* of the GPU at hand: the row needs all of them */
    char gpu[HEAD_LINES][WIDTH + 1];
    struct stamp above, time; /* of the line above, of the table */
    bool untimed;             /* the first table has no time, so the log has none */
};

/* ---- lines ---- */

static bool is_border(struct smi_text t)
{
    if (t.n < 8 || (*t.p != '+' && *t.p != '|') || (t.p[1] != '-' && t.p[1] != '='))
        return false;
    return smi_text_span(t, "-=+|") == t.n;
}

static bool is_boxed(struct smi_text t)
{
    return t.n > 2 && t.n <= WIDTH && *t.p == '|' && t.p[t.n - 1] == '|';
}

/* The texts between the bars. */
static size_t split_segments(struct smi_text t, struct smi_text *segment)
{
    const struct smi_text in = {t.p + 1, t.n < 2 ? 0 : t.n - 2}; /* it ends at a NUL byte */
    const size_t n = smi_row_split(in, SMI_SPLIT_AT('|'), segment, SEGMENTS);
    return n <= SEGMENTS ? n : 0;
}

/* ---- heads ---- */

/* The place of the next word of a head, which is taken off, in the map, and of how many columns it is the
 * name: two stand below it with a stroke between them. Returns 0: it says nothing. */
static size_t next_heading(struct smi_text *head, size_t *at)
{
    const struct smi_alias *list = smi_names_table.list;
    const struct smi_text word = smi_text_word(head);
    size_t n = 0;
    for (*at = 0; *at < smi_names_table.n && !smi_text_is(word, list[*at].name);)
        ++*at;
    while (*at + n < smi_names_table.n && smi_text_is(word, list[*at + n].name))
        n++;
    return n;
}

/* The head is whole: its words become the columns of the lines below. */
static void bind_head(struct smi_reader *r)
{
    struct smi_text segment[SEGMENTS];
    struct smi_row_plan p;
    smi_row_plan_init(&p, CELLS);
    smi_row_plan_add(&p, SMI_COL_TIME, 0, 0, STAMP);
    r->tall = r->heads;
    r->segments = 0;
    for (unsigned k = 0; k < r->tall; k++) {
        size_t n = split_segments(smi_text_of(r->head[k]), segment);
        if (k && n != r->segments)
            n = r->segments = 0;
        r->segments = n;
        for (size_t i = 0; i < n; i++)
            for (size_t at, names; (names = next_heading(&segment[i], &at));)
                for (size_t end = at + names; at < end; at++)
                    smi_row_plan_add(&p, smi_names_table.list[at].kind, smi_names_table.list[at].what, 0,
                                     at + FIRST);
    }
    if (!r->segments || p.at[SMI_AT_KEY + SMI_DEVICE_KEY_INDEX] < 0)
        p.width = 0;
    smi_row_use(&r->row, &p);
}

/* Does a box begin with a title, "| NVIDIA-SMI 535.104.05 ..." or "| Processes: ..."? *others: it is not of
 * GPUs. */
static bool is_title(struct smi_text t, bool *others)
{
    static const char *const titles[] = {"NVIDIA-SMI ",
                                         "Processes:", "Compute processes:", "MIG devices:", NULL};
    const char *const *is = titles;
    while (*is && !smi_text_starts_nocase(smi_text_trim(smi_text_from(t, 1)), *is))
        is++;
    *others = is > titles;
    return *is;
}

/* "| GPU  Name        Persistence-M| ..." */
static bool is_gpu_head(struct smi_text t)
{
    struct smi_text rest = {t.p + 1, t.n - 1};
    return smi_text_is(smi_text_word(&rest), "GPU") && smi_text_is(smi_text_word(&rest), "Name");
}

/* ---- rows ---- */

/* The lines of a GPU that were not followed by the rest of them. */
static int drop_gpu(struct smi_reader *r, enum smi_reject why)
{
    unsigned n = r->lines;
    r->lines = 0;
    if (!n)
        return 0;
    r->row.lines.account->rejected[why] += n - 1;
    return smi_line_reject(r->row.lines.account, why, smi_text_of(r->gpu[0]));
}

/* What stands below a segment of the head; words behind the last that it names are not read. */
static void read_segment(struct smi_text *cell, struct smi_text head, struct smi_text t)
{
    const bool lost = smi_cell_fault(t); /* "GPU is lost": the segment has nothing else */
    const struct smi_text fault = t;
    const char *dot, *blank;
    for (size_t at, names; (names = next_heading(&head, &at));) {
        const struct smi_alias *h = &smi_names_table.list[at];
        struct smi_text *to = &cell[at + FIRST];
        if (h->kind == SMI_COL_NAME) { /* "NVIDIA A40          On": a word follows that of "Persistence-M" */
            blank = smi_text_trim(head).n ? memrchr(t.p, ' ', t.n) : NULL;
            *to = blank ? smi_text_trim(smi_text_between(t.p, blank)) : t;
            return;
        }
        *to = lost ? fault : smi_text_word(&t);
        if (h->kind == SMI_COL_KEY && (dot = memchr(to->p, '.', to->n)) && dot + 2 < to->p + to->n)
            *to = smi_text_between(to->p, dot + 2); /* "00000000:01:00.0ERR!" */
        to->n -=
            h->kind == SMI_COL_ACTIVE && to->n && to->p[to->n - 1] == '*'; /* it changes at the next reset */
        if (names == 1)
            continue;
        smi_text_word(&t); /* the stroke */
        to[1] = lost ? fault : smi_text_word(&t);
    }
}

/* All lines of a GPU are there. */
static int read_gpu(struct smi_reader *r)
{
    struct smi_text segment[SEGMENTS], head[SEGMENTS];
    struct smi_text *cell = r->row.cell;
    memset(cell, 0, CELLS * sizeof *cell);
    cell[STAMP] = smi_text_of(r->time.text);
    for (unsigned k = 0; k < r->tall; k++) {
        if (split_segments(smi_text_of(r->gpu[k]), segment) != r->segments)
            return drop_gpu(r, SMI_REJECT_BAD_WIDTH);
        split_segments(smi_text_of(r->head[k]), head);
        for (size_t i = 0; i < r->segments; i++)
            read_segment(cell, head[i], segment[i]);
    }
    if (smi_cell_digits(cell[r->row.plan.at[SMI_AT_KEY + SMI_DEVICE_KEY_INDEX]], INDEX_DIGITS) < 0)
        return drop_gpu(r, SMI_REJECT_FOREIGN);
    r->lines = 0;
    r->row.lines.account->header += r->tall - 1;
    return smi_row_read(&r->row, smi_text_of(r->gpu[0]));
}

/* Behind the title of a box, which told whose it is: the line above a table is its time. */
static void begin_head(struct smi_reader *r, bool others)
{
    r->box = BOX_HEAD;
    r->heads = 0;
    r->others = others;
    drop_gpu(r, SMI_REJECT_BAD_WIDTH);
    if (others)
        return;
    r->time = r->above;
    *r->above.text = 0;
}

/* A line that is of no box: the time of the table below it, or anything. */
static int read_message(struct smi_reader *r, struct smi_text line)
{
    struct smi_text t = smi_text_trim(line);
    struct smi_stamp_clock c = {0};
    *r->above.text = 0;
    if (t.n > STAMP_MOST || smi_stamp_read_line(&c, t, &r->above.at) || !smi_stamp_has_day(c.form))
        return smi_message_pass(&r->row.lines, line);
    smi_text_copy(r->above.text, sizeof r->above.text, t);
    return smi_line_count(&r->row.lines.account->messages);
}

static int read_table_line(void *self, struct smi_text line)
{
    struct smi_reader *r = self;
    struct smi_text t = smi_text_trim(line), segment[SEGMENTS];
    bool others;
    if (is_border(t)) {
        if (t.p[1] == '=' && r->box == BOX_HEAD && !r->others)
            bind_head(r);
        if (t.p[1] == '=' && r->box == BOX_HEAD)
            r->box = r->others ? BOX_OTHER : r->row.plan.width ? BOX_GPUS : BOX_UNKNOWN;
        drop_gpu(r, SMI_REJECT_BAD_WIDTH);
        return smi_line_count(&r->row.lines.account->header);
    }
    if (!is_boxed(t))
        return read_message(r, line);
    if (is_title(t, &others)) {
        begin_head(r, others);
        return smi_line_count(&r->row.lines.account->header);
    }
    if (r->box != BOX_HEAD && is_gpu_head(t)) /* it lost its title */
        begin_head(r, false);
    if (r->box == BOX_HEAD && !r->others && r->heads < HEAD_LINES)
        smi_text_copy(r->head[r->heads++], WIDTH + 1, t);
    if (r->box == BOX_HEAD)
        return smi_line_count(&r->row.lines.account->header);
    if (r->box == BOX_GPUS && (t.n == strlen(r->head[0]) || split_segments(t, segment) == r->segments)) {
        smi_text_copy(r->gpu[r->lines++], WIDTH + 1, t);
        return r->lines == r->tall ? read_gpu(r) : 0;
    }
    if (r->box == BOX_UNKNOWN)
        return smi_row_headless(&r->row, t);
    return smi_line_count(&r->row.lines.account->messages);
}

/* ---- the reader ---- */

/* A log has times from its first table on, or none. */
static int read_table_time(struct smi_row_reader *row, struct smi_sample *s)
{
    struct smi_reader *r = (struct smi_reader *)row;
    r->untimed |= !*r->time.text && row->lines.base == SMI_TIME_BASE_NONE;
    if (r->untimed)
        return 0;
    s->t_ms = r->time.at.t_ms;
    s->fine = r->time.at.fine;
    s->timed = *r->time.text && smi_lines_on_base(&row->lines, r->time.at.base);
    return s->timed ? 0 : -1;
}

/* "45C", "30%", "22W", "8192MiB"; where ECC errors are not counted, "Off", and "On" where instances count
 * them. */
static enum smi_cell_status read_table_cell(struct smi_row_reader *row, const struct smi_row_column *c,
                                            struct smi_text t, int64_t *v)
{
    (void)row;
    if (c->what == SMI_ECC_UNCORR_VOL && t.n && (*t.p == 'O' || *t.p == 'D'))
        return SMI_CELL_MISSING;
    return smi_cell_number(c->what, smi_units, SMI_CELL_GLUED, t, v);
}

/* The lines of a box are nothing without their end. */
static void finish_table(struct smi_reader *r)
{
    drop_gpu(r, SMI_REJECT_TORN_TAIL);
}

/* The last line of a box needs no end: it is as long as the one above. */
static bool is_whole_border(void *self, struct smi_text line)
{
    const struct smi_reader *r = self;
    struct smi_text t = smi_text_trim(line);
    return is_border(t) && t.n == strlen(r->head[0]);
}

/* Job logs begin with a table, and have a log behind it. */
static enum smi_sniff sniff_table(struct smi_text line)
{
    struct smi_text t = smi_text_trim(line);
    return is_boxed(t) && is_gpu_head(t) ? SMI_SNIFF_LIKELY : SMI_SNIFF_NO;
}

const struct smi_format smi_format_table = {
    .size = sizeof(struct smi_reader),
    .sniff = sniff_table,
    .line = read_table_line,
    .finish = finish_table,
    .whole = is_whole_border,
    .table = &(const struct smi_table){.flags = SMI_TABLE_FAULTS | SMI_TABLE_CELL_FAULTS | SMI_TABLE_DEVICES,
                                       .columns = CELLS,
                                       .headless = "a table of nvidia-smi whose head is not known",
                                       .time = read_table_time,
                                       .cell = read_table_cell},
};

/* nvidia-smi --query-compute-apps=... --format=csv, one block of rows a call, one row a process and GPU:
 *
 *     timestamp, gpu_name, gpu_bus_id, gpu_serial, gpu_uuid, pid, process_name, used_gpu_memory [MiB]
 *     2026/07/03 22:11:09.916, NVIDIA H200, 00000000:83:00.0, 0000000000000, GPU-..., 10291, /root/memhog,
 * 2566 MiB
 *
 * All rows of a call have one time; a call that finds no process prints nothing. The name of a process may
 * hold commas: a row is read from both its ends. --query-accounted-apps prints the whole history of processes
 * with every call,
 * --query-retired-pages is known and has no readings. */

enum { COLUMNS = 64, PID_LEAST = 100 /* no index of a GPU */, PID_END = 1 << 22 /* no serial */ };

/* ---- headers ---- */

#define HAVE(cell, n, ...) smi_names_have(cell, n, (const char *const[]){__VA_ARGS__, NULL})

/* A pid alone could be any tool's; a memory that is used beside utilisations is a GPU's. */
static bool is_apps(const struct smi_text *cell, size_t n)
{
    if (HAVE(cell, n, "pid") &&
        HAVE(cell, n, "process_name", "used_gpu_memory", "used_memory", "gpu_uuid", "gpu_bus_id", "gpu_name"))
        return true;
    if (!HAVE(cell, n, "used_gpu_memory") && (!HAVE(cell, n, "used_memory") || HAVE(cell, n, "gpu")))
        return false;
    for (size_t i = 0; i < n; i++)
        if (smi_text_starts_nocase(cell[i], "utilization."))
            return false;
    return true;
}

static int find_apps_header(const struct smi_text *cell, size_t n)
{
    for (size_t i = 0; i < n; i++) /* names do not begin with a digit, and are never empty or quoted */
        if (n > COLUMNS || !cell[i].n || smi_is_digit(*cell[i].p) || memchr(cell[i].p, '"', cell[i].n))
            return -1;
    if (HAVE(cell, n, "max_memory_usage") && HAVE(cell, n, "pid", "gpu_uuid", "mem_utilization"))
        return SMI_FMT_ACCOUNTED;
    if (HAVE(cell, n, "retired_pages.address"))
        return SMI_FMT_RETIRED;
    return is_apps(cell, n) ? SMI_FMT_APPS : -1;
}

/* The plan of a row of compute apps without a header; what stands between its time and its pid are keys if
 * they look like nothing else. A name without a path could be any word, or that of a GPU behind its index: a
 * key and a pid tell. Returns whether it is one. */
static bool bind_apps_row(struct smi_row_plan *p, const struct smi_text *cell, size_t n)
{
    const struct smi_text *last = &cell[n - 1];
    struct smi_text name;
    int64_t us, pid;
    bool fine;
    if (n < 4 || n > COLUMNS || smi_clock_parse_stamp(cell[0], &us, &fine))
        return false;
    name = last[-1];
    pid = smi_cell_digits(last[-2], SMI_CELL_DIGITS);
    smi_row_plan_init(p, n);
    smi_row_plan_add(p, SMI_COL_TIME, 0, 0, 0);
    smi_row_plan_add(p, SMI_COL_PLACE, SMI_AT_PID, 0, n - 3);
    smi_row_plan_add(p, SMI_COL_PLACE, SMI_AT_PROCESS, 0, n - 2);
    smi_row_plan_add(p, SMI_COL_NUMBER, SMI_FB_USED, 0, n - 1);
    for (size_t i = 1; i + 3 < n; i++) {
        const bool uuid = smi_text_starts_nocase(cell[i], "GPU-");
        if (uuid || smi_cell_bus(cell[i]))
            smi_row_plan_add(p, SMI_COL_KEY, uuid ? SMI_DEVICE_KEY_UUID : SMI_DEVICE_KEY_BUS, 0, i);
    }
    return pid >= 0 &&
           (smi_text_is(name, "[Not Found]") || !name.n || memchr(name.p, '/', name.n) ||
            memchr(name.p, '\\', name.n) ||
            (p->keyed && pid >= PID_LEAST && pid < PID_END && !smi_cell_model(name))) &&
           last->n > 4 && memcmp(last->p + last->n - 4, " MiB", 4) == 0;
}

/* ---- lines ---- */

/* n cells of a line that is no row. */
static int read_apps_other_line(struct smi_row_reader *r, struct smi_text line, size_t n)
{
    if (r->plan.width && n != 1)
        return smi_row_other(r, line, false, SMI_REJECT_BAD_WIDTH);
    if (!smi_is_digit(line.p[0]))
        return smi_row_other(r, line, false, SMI_REJECT_FOREIGN);
    return smi_row_headless(r, line);
}

static int read_apps_line(void *self, struct smi_text line)
{
    struct smi_row_reader *r = self;
    struct smi_row_plan fresh;
    size_t n = smi_row_split(line, 0, r->cell, COLUMNS);
    if (!smi_is_digit(line.p[0])) {
        int kind = find_apps_header(r->cell, n);
        if (kind >= 0 &&
            smi_formats[kind] == r->lines.format) { /* perhaps the same once more: another call */
            smi_row_plan_init(&fresh, n);
            smi_row_plan_names(&fresh, r->table, r->cell, n);
            smi_row_header(r, line, &fresh);
            r->cycle.has_memory = r->plan.n > 0;
            return r->plan.at[SMI_AT_TIME] < 0 ? smi_row_end_cycle(r) : 0;
        }
        if (kind >= 0 || (n <= COLUMNS && smi_query_is_header(r->cell, n))) {
            r->plan.width = r->header_n = 0; /* another list: rows below it are not ours */
            return smi_row_reject(r, SMI_REJECT_FOREIGN, line);
        }
        if (smi_message_is_known(line))
            return read_apps_other_line(r, line, n);
    }
    n = smi_row_rejoin(r, line, smi_row_rejoin_time(r, n), r->plan.at[SMI_AT_PROCESS]);
    if (!r->plan.width && r->lines.format == &smi_format_apps && !r->header_n &&
        bind_apps_row(&fresh, r->cell, n)) {
        r->plan = fresh;
        r->cycle.has_memory = true;
    }
    if (!r->plan.width || n != r->plan.width || (n == 2 && smi_row_is_message(r, line)))
        return read_apps_other_line(r, line, n);
    return smi_row_read(r, line);
}

/* ---- the formats ---- */

static int find_apps_header_or_row(const struct smi_text *cell, size_t n)
{
    struct smi_row_plan p;
    int kind = find_apps_header(cell, n);
    return kind < 0 && bind_apps_row(&p, cell, n) ? SMI_FMT_APPS : kind;
}

#define APPS_TABLE                                                                                \
    .names = {&smi_names_apps, &smi_names_query}, .columns = COLUMNS, .time = smi_row_time_stamp, \
    .headless = "rows without a header of this log above them"
#define APPS_FORMAT \
    .size = sizeof(struct smi_row_reader), .header = find_apps_header_or_row, .line = read_apps_line

static const struct smi_table apps = {APPS_TABLE, .flags = SMI_TABLE_CYCLES | SMI_TABLE_BARE,
                                      .process = true};
static const struct smi_table accounted = {APPS_TABLE, .flags = SMI_TABLE_BARE, .process = true};
static const struct smi_table retired = {APPS_TABLE, .flags = SMI_TABLE_COUNTED};

const struct smi_format smi_format_apps = {APPS_FORMAT, .whole = smi_row_is_whole, .table = &apps};
const struct smi_format smi_format_accounted = {APPS_FORMAT, .table = &accounted};
const struct smi_format smi_format_retired = {APPS_FORMAT, .table = &retired};
