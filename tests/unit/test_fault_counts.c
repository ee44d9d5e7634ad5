/* test_fault_counts.c - logs that were good until one to five things happened to them. Every line must be
 * found in the account as what it is, and every row that nothing happened to must be read as it is in the
 * good log. Random cases from fixed seeds: SMILOG_FAULTS=N: so many logs (2,000); SMILOG_SEED=S: this one
 * alone; SMILOG_DUMP=FILE: where a log that fails is left. How often each fault was met is printed at the
 * end. */
#include "formats/format.h"
#include "rows_each.h"
#include "aggregate/ingest.h"
#include "aggregate/input_stats.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- chance ---- */

static uint64_t state;

static uint64_t draw(void)
{
    uint64_t z = state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static int between(int lo, int hi)
{
    return lo + (int)(draw() % (uint64_t)(hi - lo + 1));
}

/* ---- good logs ---- */

enum {
    LINES = 2000,
    TEXT = 8 << 20,
    EVENTS = 4 * LINES,
    FIRST = 8 /* rows in front of which nothing happens */
};

enum kind {
    HEADER,
    ROW,
    DUPLICATE,
    BLANK,
    MESSAGE,
    TORN,
    LONG,
    REJECTED,
    OPEN /* a row or not: both can be right */,
    WHOLE /* all of a line but its end: read or a torn tail */,
    KINDS
};

struct line {
    const char *p;
    size_t n;
    enum kind kind;
    int row;      /* its place among the rows of the good log, or -1 */
    bool touched; /* what it gives is not what it gave */
    bool lost;    /* a cell that says nothing is in it */
    bool fixed;   /* stays as it is: it comes again behind itself */
};

struct log {
    struct line line[LINES];
    int lines, rows;
    char *text;
    size_t used;
    bool crlf;
};

struct shape {
    const char *name;
    int format, gpus;      /* gpus: rows have no key, --gpu-count says how many */
    const char *header[2]; /* of the two layouts; a LF between lines; NULL: none */
    void (*row)(char *p, int layout, int i);
    int duplicates;   /* a row that comes at once again is one, and 2: the reader keeps it to itself */
    bool messages;    /* of nvidia-smi and shells are known */
    bool loose;       /* the last cell takes any text, or a line is read as far as it goes */
    bool pieces;      /* the end of a row can be a row */
    const char *lost; /* what stands for a reading that could not be had, or NULL */
    bool closed; /* a row shows that nothing of it is cut off: by a unit behind its last cell, by a brace */
};

static int clock_of(int i, char *p, const char *date)
{
    int s = i / 2;
    return sprintf(p, "%s%02d:%02d:%02d", date, 9 + s / 3600, s / 60 % 60, s % 60);
}

static void query_row(char *p, int layout, int i)
{
    p += clock_of(i, p, "2026/07/03 ");
    if (layout == 0)
        sprintf(p, ".763, %d, %d %%, %d MiB, %d.%02d W", i % 2, between(0, 100), between(0, 80000),
                between(60, 700), between(0, 99));
    else
        sprintf(p, ".763, %d, %d, %d.%02d W", i % 2, between(30, 90), between(60, 700), between(0, 99));
}

static void keyless_row(char *p, int layout, int i)
{
    p += clock_of(i, p, "2026/07/03 ");
    (void)layout;
    sprintf(p, ".%03d, %d %%, %d.%02d W", 100 + i % 2, between(0, 100), between(60, 700), between(0, 99));
}

static void reference_row(char *p, int layout, int i)
{
    p += clock_of(2 * i, p, "2026/07/03 ");
    (void)layout;
    sprintf(p, ".763, %d, %d, %d, 143771, %d.40, 52, 1980, 3201", between(0, 100), between(0, 9),
            between(0, 99999), between(60, 700));
}

static void dmon_row(char *p, int layout, int i)
{
    p += clock_of(i, p, " 20260703   ");
    sprintf(p, "      %d    %d     %d", i % 2, between(60, 700), layout ? between(30, 90) : between(0, 100));
}

static void bare_dmon_row(char *p, int layout, int i)
{
    sprintf(p, "    %d    %d     %d", i % 2, between(60, 700), layout ? between(30, 90) : between(0, 100));
}

static void pmon_row(char *p, int layout, int i)
{
    p += clock_of(i, p, " 20260703   ");
    (void)layout;
    sprintf(p, "      %d      %d     C     %d     %d    python train.py", i % 2, 100 + i % 2, between(0, 100),
            between(0, 100));
}

static void apps_row(char *p, int layout, int i)
{
    p += clock_of(i, p, "2026/07/03 ");
    (void)layout;
    sprintf(p, ".763, GPU-%d, %d, /usr/bin/python, %d MiB", i % 2, 100 + i % 2, between(1, 80000));
}

static void cpu_row(char *p, int layout, int i)
{
    p += clock_of(2 * i, p, "2026-07-03T");
    (void)layout;
    sprintf(p, ".763+00:00,%d.%d,%d.%d", between(0, 50), between(0, 9), between(0, 50), between(0, 9));
}

static void runlog_row(char *p, int layout, int i)
{
    p += sprintf(p, "{\"ts\": \"");
    p += clock_of(2 * i, p, "2026-07-03T");
    (void)layout;
    if (i % 2)
        sprintf(p, "+00:00\", \"type\": \"phase\", \"name\": \"fit %d\", \"seconds\": %d.5}", i,
                between(0, 99));
    else
        sprintf(p,
                "+00:00\", \"type\": \"event\", \"event\": \"step\", \"data\": {\"n\": %d, \"loss\": 0.%d}}",
                i, between(0, 99));
}

static void amd_metric_row(char *p, int layout, int i)
{
    (void)layout;
    sprintf(p, "%d,%d,%d,%d", 1787485761 + i / 2, i % 2, between(0, 100), between(30, 90));
}

static void amd_monitor_row(char *p, int layout, int i)
{
    (void)layout;
    sprintf(p, "%d,%d,%d", 1787485761 + i / 2, i % 2, between(0, 100));
}

static void rocm_row(char *p, int layout, int i)
{
    (void)layout;
    sprintf(p, "%d card%d,%d,%d.0", 1787485761 + i / 2, i % 2, between(0, 100), between(30, 90));
}

static void usage_row(char *p, int layout, int i)
{
    (void)layout;
    sprintf(p,
            "{\"level\": \"record\", \"time\": %d.25, \"cpu\": {\"avg\": %d.5, \"max\": 99}, \"gpu_list\": "
            "[{\"uuid\": "
            "\"GPU-1\", \"util_percent\": {\"avg\": %d.5, \"max\": 100}}]}",
            1730000005 + 5 * i, between(0, 90), between(0, 90));
}

static void dcgmi_row(char *p, int layout, int i)
{
    (void)layout;
    sprintf(p, "GPU %d     %d     %d.%d", i % 2, between(0, 100), between(60, 700), between(0, 9));
}

static void gpu_csv_row(char *p, int layout, int i)
{
    (void)layout;
    sprintf(p, "%d.5,%d,%d,%d", 1751500000 + i, between(0, 100), between(0, 100), between(0, 80000));
}

static const struct shape shapes[] = {
    {"query, by index",
     SMI_FMT_QUERY,
     0,
     {"timestamp, index, utilization.gpu [%], memory.used [MiB], power.draw [W]",
      "timestamp, index, temperature.gpu, power.draw [W]"},
     query_row,
     1,
     true,
     false,
     false,
     "[Unknown Error]",
     true},
    {"query, keyless",
     SMI_FMT_QUERY,
     2,
     {"timestamp, utilization.gpu [%], power.draw [W]"},
     keyless_row,
     0,
     true,
     false,
     false,
     "[Unknown Error]",
     true},
    {"query, the reference's columns",
     SMI_FMT_QUERY,
     1,
     {NULL},
     reference_row,
     0,
     true,
     false,
     false,
     "[N/A]",
     false},
    {"dmon -o DT",
     SMI_FMT_DMON,
     0,
     {"#Date       Time        gpu   pwr    sm\n#YYYYMMDD   HH:MM:SS    Idx     W     %",
      "#Date       Time        gpu   pwr  gtemp\n#YYYYMMDD   HH:MM:SS    Idx     W     C"},
     dmon_row,
     0,
     true,
     false,
     true,
     "-",
     false},
    {"dmon",
     SMI_FMT_DMON,
     0,
     {"# gpu   pwr    sm\n# Idx     W     %", "# gpu   pwr  gtemp\n# Idx     W     C"},
     bare_dmon_row,
     0,
     true,
     false,
     true,
     "-",
     false},
    {"pmon",
     SMI_FMT_PMON,
     0,
     {"#Date       Time        gpu    pid  type    sm   mem   command\n#YYYYMMDD   HH:MM:SS    Idx      #   "
      "C/G     %     %   "
      "name"},
     pmon_row,
     0,
     true,
     true,
     false,
     NULL,
     false},
    {"compute-apps",
     SMI_FMT_APPS,
     0,
     {"timestamp, gpu_uuid, pid, process_name, used_gpu_memory [MiB]"},
     apps_row,
     2,
     true,
     true,
     false,
     NULL,
     false},
    {"cpu", SMI_FMT_CPU, 0, {"timestamp,usr_pct,idle_pct"}, cpu_row, 0, true, false, false, "nan", false},
    {"runlog", SMI_FMT_RUNLOG, 0, {NULL}, runlog_row, 0, true, false, false, NULL, true},
    {"amd-smi metric",
     SMI_FMT_AMD_METRIC,
     0,
     {"timestamp,gpu,gfx_activity,hotspot"},
     amd_metric_row,
     0,
     true,
     false,
     false,
     "N/A",
     false},
    {"amd-smi monitor",
     SMI_FMT_AMD_MONITOR,
     0,
     {"timestamp,gpu,gfx"},
     amd_monitor_row,
     0,
     true,
     false,
     false,
     NULL,
     false},
    {"rocm-smi",
     SMI_FMT_ROCM,
     0,
     {"device,GPU use (%),Temperature (Sensor edge) (C)"},
     rocm_row,
     0,
     true,
     false,
     true,
     "N/A",
     false},
    {"usage-log", SMI_FMT_USAGE_LOG, 0, {NULL}, usage_row, 0, false, false, false, NULL, true},
    {"dcgmi",
     SMI_FMT_DCGMI,
     0,
     {"#Entity   GPUTL  POWER\nID                W"},
     dcgmi_row,
     0,
     true,
     false,
     true,
     "N/A",
     false},
    {"gpu-csv",
     SMI_FMT_GPU_CSV,
     1,
     {"timestamp,cpu_percent,gpu_util,vram_mb"},
     gpu_csv_row,
     0,
     true,
     false,
     false,
     NULL,
     false},
};

static struct line make(struct log *l, const char *p, size_t n, enum kind kind, int row)
{
    struct line line = {.p = l->text + l->used, .n = n, .kind = kind, .row = row};
    assert_true(l->used + n < TEXT);
    memcpy(l->text + l->used, p, n);
    l->used += n;
    return line;
}

static void insert(struct log *l, int at, struct line line)
{
    assert_true(l->lines < LINES);
    memmove(&l->line[at + 1], &l->line[at], sizeof line * (size_t)(l->lines - at));
    l->line[at] = line;
    l->lines++;
}

/* Returns the line behind it. */
static int insert_header(struct log *l, int at, const char *header)
{
    while (header && *header) {
        const char *end = strchrnul(header, '\n');
        insert(l, at++, make(l, header, (size_t)(end - header), HEADER, -1));
        header = *end ? end + 1 : end;
    }
    return at;
}

/* The second layout begins at a row somewhere, if there is one and chance will have it: a log that two
 * commands wrote. */
static bool make_log(struct log *l, const struct shape *s)
{
    char row[512];
    int rows = between(FIRST + 4, 120),
        other = s->header[1] && between(0, 2) == 0 ? between(FIRST, rows - 1) : rows;
    l->lines = l->rows = 0;
    l->used = 0;
    l->crlf = between(0, 9) == 0;
    insert_header(l, 0, s->header[0]);
    for (int i = 0; i < rows; i++) {
        if (i == other)
            insert_header(l, l->lines, s->header[1]);
        s->row(row, i >= other, i);
        insert(l, l->lines, make(l, row, strlen(row), ROW, l->rows++));
    }
    return other < rows;
}

/* ---- what is read ---- */

struct events {
    uint64_t hash[EVENTS];
    int n;
    struct smi_sink tee;
    struct smi_sink *to;
    const struct smi_devices *devices;
    bool keyless, sums, marks;
};

static uint64_t mix(uint64_t h, uint64_t v)
{
    h = (h ^ v) * 1099511628211u;
    return h ^ h >> 29;
}

static uint64_t mix_text(uint64_t h, const char *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        h = mix(h, (unsigned char)p[i]);
    return h;
}

static struct events *events_of(struct smi_sink *self)
{
    return (struct events *)((char *)self - offsetof(struct events, tee));
}

static void keep(struct events *e, uint64_t hash)
{
    assert_true(e->n < EVENTS);
    e->hash[e->n++] = hash;
}

static uint64_t mix_who(const struct events *e, uint64_t h, int who)
{
    const char *key;
    if (e->keyless)
        return h;
    if (who < 0)
        return mix(h, (uint64_t)who);
    for (int k = 0; k < SMI_DEVICE_KEY_COUNT; k++) {
        key = e->devices->list[who].key[k];
        h = key ? mix_text(h, key, strlen(key)) : h;
    }
    return h;
}

static int take(struct smi_sink *self, const struct smi_sample *s, struct smi_err *err)
{
    struct events *e = events_of(self);
    uint64_t h = mix_who(e, mix(1, (uint64_t)s->t_ms * s->timed * 2 + s->fine), s->who);
    (void)err;
    for (unsigned i = 0; i < s->n; i++)
        h = mix(mix(h, s->metric[i]), (uint64_t)s->v[i]);
    if (s->process)
        h = mix_text(mix(h, (uint64_t)s->process->pid * 8 + s->process->types), s->process->name.p,
                     s->process->name.n);
    if (!s->shared || s->process || !e->sums) /* else what processes add up to, which a lost row changes */
        keep(e, h);
    return 0;
}

static int mark(struct smi_sink *self, const struct smi_mark *m, struct smi_err *err)
{
    struct events *e = events_of(self);
    uint64_t h = mix(mix(2, (uint64_t)m->t_us), (uint64_t)m->span_us);
    if (m->kind != SMI_MARK_BREAK && e->marks) {
        h = mix_text(h, m->name.p, m->name.n);
        for (unsigned i = 0; i < m->fields; i++)
            h = mix_text(h, m->field[i].text.p, m->field[i].text.n);
        keep(e, h);
    }
    return e->to->mark ? e->to->mark(e->to, m, err) : 0;
}

static int rows(struct smi_sink *self, const struct smi_rows *r, struct smi_err *err)
{
    struct events *e = events_of(self);
    return rows_each(r, take, self, err) ? -1 : e->to->rows(e->to, r, err);
}

static int one_by_one(struct smi_sink *self, const struct smi_rows *r, struct smi_err *err)
{
    int rc = 0;
    for (unsigned i = 0; i < r->n && rc == 0; i++) {
        const struct smi_rows row = smi_rows_part(r, i, 1, NULL);
        rc = rows(self, &row, err);
    }
    return rc;
}

static int end(struct smi_sink *self, struct smi_err *err)
{
    struct events *e = events_of(self);
    return e->to->end ? e->to->end(e->to, err) : 0;
}

/* Reads the bytes in pieces (0: at once) and closes the part. */
static void read_log(const struct shape *s, const char *p, size_t n, int pieces, bool blocks,
                     struct events *e, struct smi_account *account)
{
    struct smi_input_stats *part = smi_input_stats_new("log", s->format);
    struct smi_err err = {0};
    struct smi_ingest *in;
    size_t some;
    e->n = 0;
    e->tee = (struct smi_sink){.rows = blocks ? rows : one_by_one, .mark = mark, .end = end};
    e->to = &part->sink;
    e->devices = &part->devices;
    e->keyless = s->gpus > 0;
    e->sums = s->loose;
    e->marks = s->format == SMI_FMT_RUNLOG;
    in = smi_ingest_open(&(struct smi_ingest_opts){.format = s->format,
                                                   .account = &part->account,
                                                   .gpu_count = s->gpus,
                                                   .devices = &part->devices,
                                                   .to = &e->tee});
    assert_non_null(in);
    for (; n; p += some, n -= some) {
        some = pieces ? (size_t)between(1, pieces) : n;
        some = some < n ? some : n;
        assert_int_equal(smi_ingest_feed(in, p, some, &err), 0);
    }
    assert_int_equal(smi_ingest_finish(in, &err), 0);
    smi_ingest_close(in);
    smi_input_stats_close(part);
    *account = part->account; /* its counts; the rest goes */
    smi_account_fini(&part->account);
    smi_input_stats_free(part);
}

/* ---- what happens ---- */

/* A row that nothing happened to, behind the first ones; -1: none. */
static int some_row(const struct log *l)
{
    for (int i = 0; i < 40; i++) {
        int at = between(0, l->lines - 1);
        if (l->line[at].kind == ROW && !l->line[at].touched && !l->line[at].fixed && l->line[at].row >= FIRST)
            return at;
    }
    return -1;
}

static void replace(struct log *l, int at, const char *p, size_t n, enum kind kind)
{
    l->line[at] = make(l, p, n, kind, -1);
    l->line[at].touched = true;
}

static enum kind junk_of(const struct shape *s)
{
    return s->loose ? OPEN : REJECTED;
}

static void foreign(struct log *l, const struct shape *s, int at)
{
    static const char *const texts[] = {"Traceback (most recent call last):",
                                        "  File \"train.py\", line 7, in <module>",
                                        "srun: error: node1: task 0: Killed",
                                        "\"",
                                        "a \"b",
                                        "}",
                                        "{",
                                        "[",
                                        "\xFF\xFE\xFD"};
    const char *t = texts[between(0, sizeof texts / sizeof *texts - 1)];
    insert(l, at, make(l, t, strlen(t), s->messages ? junk_of(s) : OPEN, -1));
}

/* The line of date(1) is the time of rows below it that have none. */
static bool has_dates(const struct shape *s)
{
    return !s->header[0] || strstr(s->header[0], "imestamp") || strstr(s->header[0], "Date");
}

static void message(struct log *l, const struct shape *s, int at)
{
    static const char *const texts[] = {("Unable to determine the device handle for GPU 0000:8C:00.0: GPU is "
                                         "lost.  Reboot the system to recover this GPU"),
                                        "nohup: ignoring input",
                                        "Failed to initialize NVML: Driver/library version mismatch",
                                        "No devices were found", "Tue Jun  9 09:00:01 UTC 2020"};
    const char *t = texts[between(0, sizeof texts / sizeof *texts - (has_dates(s) ? 1 : 2))];
    insert(l, at, make(l, t, strlen(t), s->messages ? MESSAGE : OPEN, -1));
}

static void blank(struct log *l, const struct shape *s, int at)
{
    static const char *const texts[] = {"", " ", "\t", "   \t "};
    const char *t = texts[between(0, 3)];
    (void)s;
    insert(l, at, make(l, t, strlen(t), BLANK, -1));
}

/* What a file system leaves where data never came to the disk: NULs alone, or in front of a row. */
static void nuls(struct log *l, const struct shape *s, int at)
{
    char t[1024] = {0};
    size_t n = (size_t)between(1, 400);
    bool row = between(0, 1);
    if (row)
        memcpy(t + n, l->line[at].p, l->line[at].n);
    replace(l, at, t, n + (row ? l->line[at].n : 0), junk_of(s));
}

/* The beginning of a row was in a page that never came to the disk. */
static void zeroed(struct log *l, const struct shape *s, int at)
{
    char t[1024];
    size_t n = (size_t)between((int)strspn(l->line[at].p, " ") + 1, (int)l->line[at].n);
    memcpy(t, l->line[at].p, l->line[at].n);
    memset(t, 0, n);
    replace(l, at, t, l->line[at].n, junk_of(s));
}

static void binary(struct log *l, const struct shape *s, int at)
{
    char t[300];
    size_t n = (size_t)between(8, sizeof t);
    for (size_t i = 0; i < n; i++)
        do
            t[i] = (char)between(0, 255);
        while (t[i] == '\n' || t[i] == '\r' || t[i] == '#');
    t[0] = (char)between(0x80, 0xFF);
    insert(l, at, make(l, t, n, junk_of(s), -1));
}

static void too_long(struct log *l, const struct shape *s, int at)
{
    struct line line = {.p = l->text + l->used,
                        .n = (size_t)SMI_LINE_MAX + (size_t)between(1, 5000),
                        .kind = LONG,
                        .row = -1};
    (void)s;
    assert_true(l->used + line.n < TEXT);
    memset(l->text + l->used, between(0, 1) ? '7' : ',', line.n);
    l->used += line.n;
    insert(l, at, line);
}

static void again(struct log *l, const struct shape *s, int at)
{
    struct line line = l->line[at];
    l->line[at].fixed = true;
    line.kind = s->duplicates ? DUPLICATE : ROW;
    line.touched = s->duplicates == 2;
    insert(l, at + 1, line);
}

static void header(struct log *l, const struct shape *s, int at)
{
    if (s->header[0] && !s->header[1])
        insert_header(l, at, s->header[0]);
    else
        blank(l, s, at);
}

/* The last cell says that nothing was to be had. */
static void lost_cell(struct log *l, const struct shape *s, int at)
{
    char t[1024];
    const struct line *line = &l->line[at];
    size_t from = line->n;
    char behind = memchr(line->p, ',', line->n) ? ',' : ' ';
    if (!s->lost)
        return;
    while (line->p[from - 1] != behind)
        from--;
    memcpy(t, line->p, from);
    strcpy(t + from, s->lost);
    replace(l, at, t, strlen(s->lost) + from, ROW);
    l->line[at].lost = true;
}

/* Two writers without a lock: one row goes into the middle of another. */
static void interleaved(struct log *l, const struct shape *s, int at)
{
    char t[2048];
    struct line a = l->line[at], b;
    size_t begin = strspn(a.p, " "), k;
    if (at + 1 >= l->lines || l->line[at + 1].kind != ROW || l->line[at + 1].touched || l->line[at + 1].fixed)
        return;
    b = l->line[at + 1];
    k = (size_t)between((int)begin + 1, (int)a.n);
    memcpy(t, a.p, k);
    memcpy(t + k, b.p, b.n);
    /* A piece of an epoch in front of another one: a time in milliseconds. */
    replace(l, at, t, k + b.n, strspn(a.p, "0123456789") == 10 && k < 10 ? OPEN : junk_of(s));
    memcpy(t, a.p + k, a.n - k);
    replace(l, at + 1, t, a.n - k, k == a.n ? BLANK : s->pieces ? OPEN : junk_of(s));
}

/* A row of which only the beginning was written before the next program began. */
static void cut_row(struct log *l, const struct shape *s, int at)
{
    char t[1024];
    const struct line *line = &l->line[at];
    size_t n = (size_t)between((int)strspn(line->p, " ") + 1, (int)line->n - 1);
    (void)s;
    memcpy(t, line->p, n);
    replace(l, at, t, n, OPEN);
}

typedef void fault_fn(struct log *l, const struct shape *s, int at);

static const struct {
    const char *name;
    fault_fn *fn;
    int often;
} faults[] = {
    {"a foreign line", foreign, 10},
    {"a message", message, 10},
    {"a blank line", blank, 5},
    {"NULs", nuls, 10},
    {"a row that begins with NULs", zeroed, 10},
    {"binary junk", binary, 10},
    {"a line of more than 1 MiB", too_long, 1},
    {"a row again", again, 10},
    {"the header again", header, 10},
    {"a lost cell", lost_cell, 10},
    {"two writers at once", interleaved, 10},
    {"a row cut short", cut_row, 10},
};
enum { FAULTS = sizeof faults / sizeof *faults };
static int64_t met[FAULTS + 3], logs_read, rows_kept;
static char story[512]; /* of the last case */

static void happen(struct log *l, const struct shape *s)
{
    int pick = between(0, 105), i = 0, at = some_row(l);
    while ((pick -= faults[i].often) >= 0)
        i++;
    if (at < 0)
        return;
    met[i]++;
    snprintf(story + strlen(story), sizeof story - strlen(story), " %s at line %d,", faults[i].name, at + 1);
    faults[i].fn(l, s, at);
}

/* ---- bytes ---- */

/* The last line lost its end, and of its text so many bytes. */
static void tear(struct line *line, const struct shape *s, size_t lost)
{
    if (!lost && line->kind == ROW && s->closed)
        return;
    line->kind = lost ? TORN : WHOLE;
    line->touched = true;
}

/* All lines, as long as they do not lose their end: by chance the file stops at a multiple of 4,096 bytes, or
 * in its last line. */
static size_t write_log(struct log *l, const struct shape *s, char *to, bool cut)
{
    size_t n = 0, most = (size_t)-1;
    int last = between(0, 3), i;
    if (cut && last == 0)
        most = 4096 * (size_t)between(1, 3);
    for (i = 0; i < l->lines && n < most; i++) {
        struct line *line = &l->line[i];
        memcpy(to + n, line->p, line->n);
        n += line->n;
        if (l->crlf)
            to[n++] = '\r';
        to[n++] = '\n';
        if (n > most && line->n + 2 < 1 << 20) {
            size_t end = 1 + (size_t)l->crlf;
            tear(line, s, n - most > end ? n - most - end : 0);
            n = most;
        } else if (n > most) {
            most = (size_t)-1;
        }
    }
    met[FAULTS] += i < l->lines;
    l->lines = i;
    if (cut && last == 1 && l->line[i - 1].kind == ROW) {
        size_t lost = (size_t)between(0, (int)l->line[i - 1].n - 1);
        n -= 1 + (size_t)l->crlf + lost;
        tear(&l->line[i - 1], s, lost);
        met[FAULTS + 1]++;
    }
    return n;
}

/* ---- judgement ---- */

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static const char *wrong(const char *what, int64_t is, int64_t least, int64_t most)
{
    static char said[128];
    if (is >= least && is <= most)
        return NULL;
    snprintf(said, sizeof said, "%s: %" PRId64 ", and must be %" PRId64 " to %" PRId64, what, is, least,
             most);
    return said;
}

static const char *judge_account(const struct log *l, const struct smi_account *a)
{
    int64_t n[KINDS] = {0}, lost = 0, open;
    const char *why;
    int64_t rejected =
        smi_account_rejected(a) - a->rejected[SMI_REJECT_TORN_TAIL] - a->rejected[SMI_REJECT_TOO_LONG];
    for (int i = 0; i < l->lines; i++) {
        n[l->line[i].kind]++;
        lost += l->line[i].lost && l->line[i].kind == ROW;
    }
    open = n[OPEN] + n[WHOLE];
    if (a->lines != a->header + a->rows + a->duplicates + a->blank + a->messages + smi_account_rejected(a))
        return "the account does not add up";
    if ((why = wrong("lost cells", a->cells_missing + a->cells_bad, lost, INT64_MAX)) ||
        (why = wrong("lines", a->lines, l->lines, l->lines)) ||
        (why = wrong("headers", a->header, n[HEADER], n[HEADER])) ||
        (why = wrong("blank lines", a->blank, n[BLANK], n[BLANK])) ||
        (why = wrong("messages", a->messages, n[MESSAGE], n[MESSAGE] + open)) || /* a row's date alone */
        (why = wrong("torn tails", a->rejected[SMI_REJECT_TORN_TAIL], n[TORN], n[TORN] + n[WHOLE])) ||
        (why = wrong("lines too long", a->rejected[SMI_REJECT_TOO_LONG], n[LONG], n[LONG])) ||
        (why = wrong("duplicates", a->duplicates, n[DUPLICATE], n[DUPLICATE] + n[WHOLE])) ||
        (why = wrong("rows", a->rows, n[ROW], n[ROW] + open)) ||
        (why = wrong("rejected", rejected, n[REJECTED], n[REJECTED] + open)))
        return why;
    return NULL;
}

/* Every row that nothing happened to gave what it gives in the good log, and there is no more than there can
 * be. */
static const char *judge_rows(const struct log *l, const struct events *good, struct events *bad, int per)
{
    static uint64_t want[EVENTS];
    int n = 0, more = 0, k = 0;
    for (int i = 0; i < l->lines; i++) {
        const struct line *line = &l->line[i];
        bool kept = (line->kind == ROW || line->kind == DUPLICATE) && !line->touched;
        for (int e = 0; kept && e < per; e++)
            want[n++] = good->hash[line->row * per + e];
        more += (line->kind == ROW && line->touched) || line->kind == OPEN || line->kind == WHOLE ? per : 0;
    }
    qsort(want, (size_t)n, sizeof *want, by_value);
    qsort(bad->hash, (size_t)bad->n, sizeof *bad->hash, by_value);
    for (int i = 0; i < n; i++, k++) {
        while (k < bad->n && bad->hash[k] < want[i])
            k++;
        if (k == bad->n || bad->hash[k] != want[i])
            return "a row that nothing happened to is not read, or not as it is in the good log";
    }
    rows_kept += n;
    return wrong("rows that were read", bad->n, n, n + more);
}

static struct log the_log;
static struct events good, bad;
static char *bytes;

static const char *run_case(uint64_t seed, const struct shape **shape, size_t *size)
{
    struct log *l = &the_log;
    struct smi_account a;
    const char *why;
    int per, n;
    state = seed;
    *shape = &shapes[between(0, sizeof shapes / sizeof *shapes - 1)];
    met[FAULTS + 2] += make_log(l, *shape);
    *size = write_log(l, *shape, bytes, false);
    read_log(*shape, bytes, *size, 0, false, &good, &a);
    why = judge_account(l, &a);
    per = good.n / l->rows;
    if (why || per * l->rows != good.n || per == 0)
        return why ? why : "the good log does not give the same for every row";
    *story = 0;
    n = between(1, 5);
    while (n--)
        happen(l, *shape);
    *size = write_log(l, *shape, bytes, true);
    read_log(*shape, bytes, *size, between(0, 1) ? between(1, 9000) : 0, between(0, 1), &bad, &a);
    why = judge_account(l, &a);
    return why ? why : judge_rows(l, &good, &bad, per);
}

static void report(uint64_t seed, const struct shape *s, const char *why, size_t size)
{
    const char *name = getenv("SMILOG_DUMP");
    FILE *f = name ? fopen(name, "wb") : NULL;
    printf("seed %" PRIu64 ", %s: %s;%s\n", seed, s->name, why, story);
    if (f) {
        fwrite(bytes, 1, size, f);
        fclose(f);
    }
}

static void test_faults(void **unused)
{
    const char *many = getenv("SMILOG_FAULTS"), *one = getenv("SMILOG_SEED");
    uint64_t first = one ? strtoull(one, NULL, 10) : 1, n = one ? 1 : many ? strtoull(many, NULL, 10) : 2000;
    int failed = 0;
    (void)unused;
    bytes = malloc(TEXT + 2 * LINES);
    the_log.text = malloc(TEXT);
    assert_true(bytes && the_log.text);
    for (uint64_t seed = first; seed < first + n && failed < 20; seed++) {
        const struct shape *s;
        size_t size = 0;
        const char *why = run_case(seed, &s, &size);
        logs_read++;
        if (why) {
            report(seed, s, why, size);
            failed++;
        }
    }
    free(bytes);
    free(the_log.text);
    printf("%" PRId64 " logs, %" PRId64 " rows that nothing happened to:", logs_read, rows_kept);
    for (int i = 0; i < FAULTS; i++)
        printf(" %s %" PRId64 ",", faults[i].name, met[i]);
    printf(" cut at 4,096 %" PRId64 ", torn %" PRId64 ", another header %" PRId64 "\n", met[FAULTS],
           met[FAULTS + 1], met[FAULTS + 2]);
    assert_int_equal(failed, 0);
    for (int i = 0; i < FAULTS + 3 && n >= 1000; i++)
        assert_true(met[i] > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_faults)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
