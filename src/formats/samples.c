/* Samples that smilog export --to csv: has written:
 *
 *     run,host,input,format,row,time,device,gpu,uuid,bus,name,gpu_util_pct,power_w
 *     seed3,pod-3,hw_metrics.csv,nvidia-smi-query,0,2026-07-03T22:10:46.109Z,gpu,0,GPU-1f,,NVIDIA
 * H100,97.0,412.6
 *
 * device: gpu, host, pooled, or mark: then the name is the JSON of a phase or an event. What stands behind
 * the eleven is a metric by its name (smilog list metrics), or passed over. An empty cell is no reading.
 *
 * and those of jsonl:, a reading, phase or event a line:
 *
 *     {"run": "seed3", "host": "pod-3", "input": "hw_metrics.csv", "format": "nvidia-smi-query", "row": 0,
 *      "time": "2026-07-03T22:10:46.109Z", "gpu": 0, "uuid": "GPU-1f..", "name": "NVIDIA H100",
 * "gpu_util_pct": 97.0}
 *     {"run": "seed3", "host": "pod-3", "input": "run.jsonl", "format": "runlog", "row": 0,
 *      "time": "2026-07-03T22:11:27.000Z", "phase": "compile", "seconds": 41.2, "data": {"step": 3}}
 *
 * A line with "gpu" is of a GPU, one without of the machine. Keys that are no metric of ours are named in a
 * warning. */
#include "formats/file_group.h"

#include "base/digest.h"
#include "base/file.h"
#include "base/mem.h"
#include "formats/json_line.h"
#include "formats/row_engine.h"

#include <stdlib.h>
#include <unistd.h>

enum { RUN, HOST, INPUT, FORMAT, ROW, TIME, DEVICE, GPU, UUID, BUS, NAME, OWN };
enum { WIDE = OWN + SMI_METRIC_COUNT };

static const char *const own[OWN + 1] = {"run",    "host", "input", "format", "row",  "time",
                                         "device", "gpu",  "uuid",  "bus",    "name", "machine"};

struct smi_reader {
    struct smi_lines lines; /* first: see lines.c */
    struct smi_text run;    /* of the first row, owned; or NULL */
    bool told;              /* that there are others */
    int16_t *main;          /* of each device, the host in front: number of its first format, + 1 */
    size_t cap;
    int64_t row; /* number of the row before, or -1 */
    struct smi_sample got;
    struct smi_json_values values; /* of CSV: of the mark at hand */
    size_t width;                  /* of CSV: cells of the header; 0: none yet */
    bool machines;                 /* the cell behind the own ones has machines */
    int16_t column[WIDE];          /* behind the own ones: a metric, or -1 */
    struct smi_text cell[WIDE];
    struct smi_buf plain; /* quoted cells without their quotes */
};

static bool is_own_run(struct smi_reader *r, struct smi_text run, struct smi_text line)
{
    if (!r->run.p)
        r->run = (struct smi_text){smi_mem_text(run.p, run.n), run.n};
    if (smi_text_equal(run, r->run))
        return true;
    if (smi_say_once(r->lines.account, &r->told))
        smi_account_warn(r->lines.account, SMI_LOG_WARNING_OTHER,
                         "rows of another run than %.100s: only those of "
                         "the first are read, export runs one by one",
                         r->run.p);
    return smi_line_reject(r->lines.account, SMI_REJECT_FOREIGN, line);
}

/* "00:10:46.109" in milliseconds; past midnight the hours count on. Returns 0 or -1. */
static int time_of_day(struct smi_text t, int64_t *ms)
{
    enum { TAIL = 10 /* ":10:46.109" */, HOURS = 9 /* digits at most */ };
    const char *p = t.p + (t.n > TAIL ? t.n - TAIL : 0);
    int64_t h, m, sec, part;
    if (t.n < TAIL + 2 || p[0] != ':' || p[3] != ':' || p[6] != '.')
        return -1;
    h = smi_cell_digits((struct smi_text){t.p, t.n - TAIL}, HOURS);
    m = smi_cell_digits((struct smi_text){p + 1, 2}, 2);
    sec = smi_cell_digits((struct smi_text){p + 4, 2}, 2);
    part = smi_cell_digits((struct smi_text){p + 7, 3}, 3);
    *ms = ((h * 60 + m) * 60 + sec) * 1000 + part;
    return h < 0 || m < 0 || m > 59 || sec < 0 || sec > 59 || part < 0 ? -1 : 0;
}

/* Returns 0, or -1: the text is no time. */
static int read_time(struct smi_lines *l, struct smi_text t, struct smi_sample *s)
{
    enum smi_time_base base = SMI_TIME_BASE_DAY;
    int64_t us;
    bool zoned = false;
    if (!t.n)
        return 0;
    if (time_of_day(t, &s->t_ms)) {
        if (smi_minute_parse(&l->minute, t, &us, &zoned))
            return -1;
        base = zoned ? SMI_TIME_BASE_UTC : SMI_TIME_BASE_LOCAL;
        s->t_ms = us / 1000;
    }
    s->timed = smi_lines_on_base(l, base);
    s->fine = s->t_ms % 1000 != 0; /* of whole seconds, two rows of one time are no duplicates */
    return 0;
}

static int device_of(struct smi_reader *r)
{
    const struct smi_text *cell = r->cell,
                          key[SMI_DEVICE_KEY_COUNT] = {
                              [SMI_DEVICE_KEY_INDEX] = cell[GPU],
                              [SMI_DEVICE_KEY_UUID] = cell[UUID],
                              [SMI_DEVICE_KEY_BUS] = cell[BUS],
                              [SMI_DEVICE_KEY_SERIAL] = r->machines ? cell[OWN] : (struct smi_text){NULL, 0}};
    int who;
    if (smi_text_is(cell[DEVICE], "host"))
        return SMI_DEVICE_HOST;
    if (smi_text_is(cell[DEVICE], "pooled") || !(cell[GPU].n || cell[UUID].n || cell[BUS].n))
        return SMI_DEVICE_POOL;
    who = smi_devices_find_key(r->lines.devices, key);
    if (who >= 0 && cell[NAME].n)
        smi_devices_set_name(r->lines.devices, who, cell[NAME]);
    return who;
}

/* Is the row of the log that the device's first row was of? */
static bool is_main(struct smi_reader *r, int who, int format)
{
    size_t at = who == SMI_DEVICE_HOST ? 0 : (size_t)who + 1;
    if (who < 0 && who != SMI_DEVICE_HOST)
        return true;
    smi_mem_reserve(&r->main, &r->cap, at + 1, sizeof *r->main);
    if (!r->main[at])
        r->main[at] = (int16_t)(format + 1);
    return r->main[at] == format + 1;
}

/* What the row says of itself is in r->cell. */
static int add_row(struct smi_reader *r, struct smi_text line)
{
    struct smi_lines *l = &r->lines;
    struct smi_sample *s = &r->got;
    const int64_t row = smi_cell_digits(r->cell[ROW], SMI_CELL_DIGITS);
    int format = 0;
    if (!s->n)
        return smi_line_reject(l->account, SMI_REJECT_BAD_NUMBER, line);
    if (read_time(l, r->cell[TIME], s))
        return smi_line_reject(l->account, SMI_REJECT_BAD_TIME, line);
    s->fine &= row <= r->row; /* an export leaves duplicates out: only of a doubled line there is one */
    r->row = row;
    s->who = device_of(r);
    while (format < SMI_FMT_COUNT && !smi_text_is(r->cell[FORMAT], smi_format_infos[format].name))
        format++; /* SMI_FMT_COUNT: of another version */
    if (!is_main(r, s->who, format)) {
        s->fine = false;
        s->shared = true;
        s->aside = format + 1;
        l->account->rows++;
    }
    return smi_lines_row(l, s);
}

int smi_samples_mark_read(struct smi_lines *l, struct smi_text time, const struct smi_json_value *entry,
                          struct smi_text line)
{
    struct smi_json_fields *const f = smi_json_fields(l);
    const struct smi_json_value *phase = SMI_JSON_GET(entry, "phase");
    struct smi_mark m = {.kind = phase ? SMI_MARK_PHASE : SMI_MARK_EVENT,
                         .name = smi_json_text_of(phase ? phase : SMI_JSON_GET(entry, "event"))};
    SMI_JSON_EACH (c, SMI_JSON_GET(entry, "data"))
        smi_json_field_add(f, c, true);
    SMI_JSON_EACH (c, SMI_JSON_GET(entry, "extra"))
        smi_json_field_add(f, c, false);
    return smi_json_mark(l, &m, time, SMI_JSON_GET(entry, "seconds"), f, line);
}

/* ---- CSV ---- */

static void bind_samples_csv_columns(struct smi_reader *r, size_t n)
{
    bool seen[SMI_METRIC_COUNT] = {false};
    r->lines.account->changes += r->width != 0 && r->width != n;
    r->width = n;
    r->machines = n > OWN && smi_text_is(r->cell[OWN], "machine");
    for (size_t i = OWN; i < n && i < WIDE; i++) {
        int metric = smi_metric_find(r->cell[i].p, r->cell[i].n);
        r->column[i] = (int16_t)(metric >= 0 && !seen[metric] ? metric : -1);
        if (metric >= 0)
            seen[metric] = true;
        else
            smi_account_unknown(r->lines.account, r->cell[i]);
    }
}

/* An export guards what a spreadsheet would take for a formula with a '. */
static struct smi_text strip_guard(struct smi_text t)
{
    bool guarded = t.n > 1 && *t.p == '\'' && strchr("=+-@\t\r", t.p[1]);
    return guarded ? smi_text_from(t, 1) : t;
}

static void add_samples_csv_readings(struct smi_reader *r)
{
    smi_sample_begin(&r->got);
    for (size_t i = OWN; i < r->width && i < WIDE; i++) {
        int64_t v;
        enum smi_cell_status what;
        if (r->column[i] < 0 || !r->cell[i].n)
            continue;
        what = smi_cell_number((unsigned)r->column[i], smi_units, 0, r->cell[i], &v);
        if (what == SMI_CELL_OK)
            smi_sample_add(&r->got, (unsigned)r->column[i], v);
        else
            smi_cell_count_lost(r->lines.account, what, (unsigned)r->column[i], r->cell[i]);
    }
}

static enum smi_sniff sniff_samples_csv(struct smi_text line)
{
    static const char names[] = "run,host,input,format,row,time,device,gpu,uuid,bus,name";
    const size_t n = sizeof names - 1;
    const bool begins = line.n >= n && memcmp(line.p, names, n) == 0;
    return begins && (line.n == n || line.p[n] == ',') ? SMI_SNIFF_YES : SMI_SNIFF_NO;
}

static int read_samples_csv_line(void *self, struct smi_text line)
{
    static const char *const devices[] = {"gpu", "host", "pooled", "mark", NULL};
    struct smi_reader *r = self;
    struct smi_text *cell = r->cell;
    const size_t n = smi_row_split(line, SMI_SPLIT_QUOTES | SMI_SPLIT_EXACT, cell, WIDE);
    smi_buf_clear(&r->plain);
    smi_buf_room(&r->plain, line.n + 1);
    for (size_t i = 0; i < n && i <= OWN && memchr(line.p, '"', line.n); i++)
        cell[i] = smi_row_unquote(&r->plain, cell[i]);
    if (sniff_samples_csv(line) == SMI_SNIFF_YES) {
        bind_samples_csv_columns(r, n);
        return smi_line_count(&r->lines.account->header);
    }
    if (r->width && n != r->width)
        return smi_line_reject(r->lines.account, SMI_REJECT_BAD_WIDTH, line);
    if (!r->width || !smi_text_is_one_of(cell[DEVICE], devices))
        return smi_line_reject(r->lines.account, SMI_REJECT_FOREIGN, line);
    if (!is_own_run(r, cell[RUN], line))
        return 0;
    if (smi_text_is(cell[DEVICE], "mark")) {
        const struct smi_json_value *entry = smi_json_line(cell[NAME], &r->values, r->lines.account);
        return entry ? smi_samples_mark_read(&r->lines, cell[TIME], entry, line) : 0;
    }
    for (size_t i = UUID; i < (size_t)OWN + r->machines; i++)
        cell[i] = strip_guard(cell[i]);
    add_samples_csv_readings(r);
    return add_row(r, line);
}

/* ---- JSON lines ---- */

static int read_samples_jsonl_entry(struct smi_reader *r, const struct smi_json_value *entry,
                                    struct smi_text line)
{
    const struct smi_json_value *run = SMI_JSON_GET(entry, "run"), *gpu = SMI_JSON_GET(entry, "gpu");
    if (!smi_json_is(run, SMI_JSON_STRING))
        return smi_line_reject(r->lines.account, SMI_REJECT_FOREIGN, line);
    if (!is_own_run(r, run->f.text, line))
        return 0;
    if (SMI_JSON_GET(entry, "phase") || SMI_JSON_GET(entry, "event"))
        return smi_samples_mark_read(&r->lines, smi_json_text_of(SMI_JSON_GET(entry, "time")), entry, line);
    memset(r->cell, 0, (OWN + 1) * sizeof *r->cell);
    r->machines = true;
    smi_sample_begin(&r->got);
    SMI_JSON_EACH (c, entry) {
        const int metric = smi_metric_find(c->f.key.p, c->f.key.n); /* a key comes once */
        size_t i = 0;
        while (i <= OWN && !smi_text_is(c->f.key, own[i]))
            i++;
        if (metric >= 0)
            smi_json_reading(&r->got, (unsigned)metric, 0, c, r->lines.account);
        else if (i > OWN)
            smi_account_unknown(r->lines.account, c->f.key);
        else if (i == ROW || i == GPU ? c->f.number && smi_text_span(c->f.text, "-0123456789") == c->f.text.n
                                      : c->kind == SMI_JSON_STRING)
            r->cell[i] = c->f.text;
    }
    r->cell[DEVICE] = smi_text_of(gpu ? "gpu" : "host");
    return add_row(r, line);
}

static enum smi_sniff sniff_samples_jsonl(struct smi_text line)
{
    static const char *const keys[] = {"\"run\"", "\"input\"", "\"format\"", "\"row\"", "\"time\""};
    struct smi_text t = smi_text_trim(line);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (!t.n || *t.p != '{' || !smi_json_has_key(t, keys[i], 0))
            return SMI_SNIFF_NO;
    return SMI_SNIFF_YES;
}

static void close_samples_reader(struct smi_reader *r)
{
    smi_buf_fini(&r->plain);
    smi_json_values_fini(&r->values);
    smi_mem_free((char *)r->run.p);
    smi_mem_free(r->main);
}

const struct smi_format smi_format_samples_csv = {
    .size = sizeof(struct smi_reader),
    .sniff = sniff_samples_csv,
    .line = read_samples_csv_line,
    .close = close_samples_reader,
};

const struct smi_format smi_format_samples_jsonl = {
    .size = sizeof(struct smi_reader),
    .sniff = sniff_samples_jsonl,
    .entry = read_samples_jsonl_entry,
    .close = close_samples_reader,
};

/* ---- a file of many runs as an archive: see file_group.h ---- */

enum { PIECE = 1 << 20 /* and of a line as much is looked at */, CELLS = 128 };

/* Lines that follow each other and are of one run, or a header that they stand below. */
struct stretch {
    int64_t at, n;
    size_t next; /* place of the next one of the run, + 1; 0: none */
};

struct run {
    struct smi_text name; /* owned; NULL: the first one before its name comes */
    int64_t header;       /* where the last header of its stretches begins; -1: they have none */
    size_t first, last;   /* its stretches, as above */
};

struct scan {
    int format;
    size_t place; /* of CodeCarbon's run_id in a row */
    struct smi_stream *from;
    int fd, kept; /* where the decoded bytes are; a file of $TMPDIR, or -1 */
    const char *name;
    struct run *run;
    size_t runs, run_cap;
    struct smi_map by_name;
    struct stretch *stretch;
    size_t n, cap;
    int64_t header, header_n; /* the last one; no bytes: there was none */
    size_t now;               /* the run of the line before; what stands in front of all is the first's */
    struct smi_buf text;      /* a name that was not written as it is */
    struct smi_json_values values; /* of a line that is written in another way than ours */
    struct smi_err *err;
};

bool smi_samples_format(int format)
{
    return format == SMI_FMT_SAMPLES_JSONL || format == SMI_FMT_SAMPLES_CSV;
}

static int count_run(void *self, const struct smi_archive_member *m, struct smi_err *err)
{
    (void)m;
    (void)err;
    ++*(size_t *)self;
    return 0;
}

bool smi_samples_has_runs(int fd, const char *name, int format)
{
    struct smi_err doubt = {0}, err = {0};
    size_t runs = 0;
    return format == SMI_FMT_CODECARBON &&
           smi_samples_walk(fd, name, format, count_run, &runs, &doubt, &err) == 0 && runs > 1;
}

/* ---- names ---- */

static bool has_name(const void *list, size_t place, const void *key)
{
    return smi_text_equal(((const struct run *)list)[place].name, *(const struct smi_text *)key);
}

static void add_run(struct scan *s)
{
    struct run *run = SMI_MEM_ADD(s->run, s->runs, s->run_cap);
    *run = (struct run){.header = -1};
}

/* Returns 0, or -1 with err: there are too many. */
static int select_run(struct scan *s, struct smi_text name)
{
    uint64_t hash = smi_hash_bytes(name.p, name.n);
    size_t at = smi_map_find(&s->by_name, hash, has_name, s->run, &name);
    if (at == SMI_MAP_NONE) {
        if (s->runs == SMI_ARCHIVE_MEMBERS_MAX)
            return smi_err_set(s->err, SMI_ELIMIT, "it holds more than %d runs",
                               (int)SMI_ARCHIVE_MEMBERS_MAX);
        if (s->run->name.p)
            add_run(s);
        at = s->runs - 1;
        s->run[at].name = (struct smi_text){smi_mem_text(name.p, name.n), name.n};
        smi_map_add(&s->by_name, hash, at);
    }
    s->now = at;
    return 0;
}

/* ---- whose a line is ---- */

/* As an export writes it: {"run": "lr=0.1/seed3", ... */
static bool run_in_front(struct smi_text line, struct smi_text *name)
{
    static const char front[] = "{\"run\": \"";
    size_t n = sizeof front - 1;
    const char *end;
    if (line.n <= n || memcmp(line.p, front, n) != 0)
        return false;
    end = memchr(line.p + n, '"', line.n - n);
    *name = (struct smi_text){line.p + n, end ? (size_t)(end - line.p) - n : 0};
    return end && !memchr(name->p, '\\', name->n) && smi_text_is_utf8(*name);
}

/* Is the line a header of the file's format? */
static bool read_header(struct scan *s, struct smi_text line)
{
    struct smi_text cell[CELLS];
    size_t n;
    if (s->format != SMI_FMT_CODECARBON)
        return s->format == SMI_FMT_SAMPLES_CSV && smi_format_samples_csv.sniff(line) == SMI_SNIFF_YES;
    n = smi_row_split(line, SMI_SPLIT_QUOTES, cell, CELLS);
    if (n > CELLS || smi_format_codecarbon.header(cell, n) < 0)
        return false;
    for (s->place = 0; !smi_text_is_nocase(cell[s->place], "run_id");)
        s->place++;
    return true;
}

static bool read_name(struct scan *s, struct smi_text line, struct smi_text *name)
{
    const unsigned how = SMI_SPLIT_QUOTES | (s->format == SMI_FMT_SAMPLES_CSV ? SMI_SPLIT_EXACT : 0);
    bool more = s->header_n > 0;
    if (s->format == SMI_FMT_SAMPLES_JSONL && !run_in_front(line, name))
        *name = smi_json_text_of(smi_json_parse(line, &s->values) ? SMI_JSON_GET(s->values.v, "run") : NULL);
    if (s->format == SMI_FMT_SAMPLES_JSONL)
        return name->p != NULL;
    for (size_t i = 0; more && i <= s->place; i++)
        more = smi_row_next_cell(&line, how, name);
    if (!more)
        return false;
    smi_buf_clear(&s->text);
    smi_buf_room(&s->text, name->n + 1);
    *name = strip_guard(smi_row_unquote(&s->text, *name));
    return name->n > 0 || s->format == SMI_FMT_SAMPLES_CSV;
}

/* ---- lines ---- */

static void add_stretch(struct scan *s, int64_t at, int64_t n)
{
    struct run *run = &s->run[s->now];
    struct stretch *last;
    if (s->header_n && run->header != s->header) {
        run->header = s->header;
        add_stretch(s, s->header, s->header_n);
    }
    last = run->last ? &s->stretch[run->last - 1] : NULL;
    if (last && last->at + last->n == at) {
        last->n += n;
        return;
    }
    *SMI_MEM_ADD(s->stretch, s->n, s->cap) = (struct stretch){at, n, 0};
    *(run->last ? &s->stretch[run->last - 1].next : &run->first) = s->n;
    run->last = s->n;
}

/* A line with its end, if that is there: n bytes at `at`, of which PIECE at most are at p. */
static int on_line(struct scan *s, const char *p, size_t n, int64_t at)
{
    const struct smi_text whole = {p, n};
    struct smi_text line = smi_text_trim(at ? whole : smi_line_without_bom(whole)), name;
    if (read_header(s, line)) {
        s->header = at;
        s->header_n = (int64_t)n;
        return 0;
    }
    if (read_name(s, line, &name) && select_run(s, name))
        return -1;
    add_stretch(s, at, (int64_t)n);
    return 0;
}

/* A line that is longer than the buffer is looked at where it begins. */
static int read_lines(struct scan *s, char *buf)
{
    int64_t at = 0;
    size_t n = 0, done, len;
    ssize_t got;
    bool inside = false; /* such a line */
    do {
        got = smi_stream_read(s->from, buf + n, PIECE - n, s->err);
        if (got < 0 ||
            (s->kept >= 0 && smi_file_write(s->kept, buf + n, (size_t)got, "a temporary file", s->err)))
            return -1;
        n += (size_t)got;
        for (done = 0; done < n; done += len) {
            const char *lf = memchr(buf + done, '\n', n - done);
            if (!lf && got && (done || n < PIECE))
                break;
            len = lf ? (size_t)(lf - buf) + 1 - done : n - done;
            if (inside)
                add_stretch(s, at + (int64_t)done, (int64_t)len);
            else if (on_line(s, buf + done, len, at + (int64_t)done))
                return -1;
            inside = !lf;
        }
        n -= done;
        at += (int64_t)done;
        memmove(buf, buf + done, n);
    } while (got);
    return 0;
}

/* ---- what there is ---- */

/* Without a run all is the file's. */
static int scan(struct scan *s)
{
    char *buf;
    int rc;
    if (!smi_stream_is_plain(s->from) && (s->kept = s->fd = smi_file_temp(s->err)) < 0)
        return -1;
    add_run(s);
    buf = smi_mem_raw(PIECE);
    rc = read_lines(s, buf);
    smi_mem_free(buf);
    if (rc || (!s->run->name.p && select_run(s, smi_text_of(s->name))))
        return -1;
    if (!s->n && s->header_n) /* a header alone is a log without rows */
        add_stretch(s, 0, 0);
    return 0;
}

/* ---- a run ---- */

struct member {
    struct smi_byte_source pull;
    const struct scan *s;
    size_t next; /* stretch, as struct stretch has it */
    int64_t at, left;
};

static ssize_t read_run(struct smi_byte_source *self, void *buf, size_t n, struct smi_err *err)
{
    struct member *m = (struct member *)self;
    ssize_t got;
    while (!m->left) {
        if (!m->next)
            return 0;
        m->at = m->s->stretch[m->next - 1].at;
        m->left = m->s->stretch[m->next - 1].n;
        m->next = m->s->stretch[m->next - 1].next;
    }
    got = smi_file_read_at(m->s->fd, buf, m->left < (int64_t)n ? (size_t)m->left : n, m->at, m->s->name, err);
    if (got > 0) {
        m->at += got;
        m->left -= got;
    }
    return got;
}

static int list_run_members(const struct scan *s, smi_archive_member_fn *fn, void *self)
{
    int rc = 0;
    for (size_t run = 0; !rc && run < s->runs; run++) {
        struct member m = {.pull = {.read = read_run}, .s = s, .next = s->run[run].first};
        struct smi_archive_member of = {
            .id = (int64_t)run + 1, .path = s->run[run].name.p, .kind = SMI_ARCHIVE_FILE};
        of.bytes = smi_stream_open(&m.pull, s->err);
        rc = of.bytes ? fn(self, &of, s->err) : -1;
        smi_stream_close(of.bytes);
    }
    return rc < 0 ? -1 : 0;
}

static void free_scan(struct scan *s)
{
    for (size_t i = 0; i < s->runs; i++)
        smi_mem_free((char *)s->run[i].name.p);
    smi_mem_free(s->run);
    smi_map_fini(&s->by_name);
    smi_mem_free(s->stretch);
    smi_buf_fini(&s->text);
    smi_json_values_fini(&s->values);
    if (s->kept >= 0)
        close(s->kept);
    smi_stream_close(s->from);
}

int smi_samples_walk(int fd, const char *name, int format, smi_archive_member_fn *fn, void *self,
                     struct smi_err *doubt, struct smi_err *err)
{
    struct smi_fd_source from = smi_fd_source_make(fd, name);
    struct smi_err why = {0};
    struct scan s = {.format = format, .fd = fd, .kept = -1, .name = name, .err = &why};
    int rc = 0;
    s.from = lseek(fd, 0, SEEK_SET) == 0 ? smi_stream_open(&from.pull, &why) : NULL;
    if (s.from && scan(&s) == 0) {
        const char *odd = smi_stream_warning(s.from);
        if (odd)
            smi_err_set(doubt, SMI_EFORMAT, "cannot be read to its end, %s", odd);
        s.err = err;
        rc = list_run_members(&s, fn, self);
    } else {
        smi_err_set(doubt, why.code ? why.code : SMI_EIO, "%s", why.code ? why.text : "cannot be read");
    }
    free_scan(&s);
    lseek(fd, 0, SEEK_SET);
    return rc;
}
