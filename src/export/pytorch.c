/* pytorch.c - `smilog export --to pytorch:DIR`: what PyTorch CI keeps of its jobs, from any run. A run that
 * has a usage_log.txt is exported as it is; of any other run, and where another interval is asked for, such a
 * log is made first, and lies beside the documents.
 *
 * All documents are made of the lines of a usage log:
 *     {"level": "record", "timestamp": 1739482605, "data": {"cpu": {...}, ...}, "cmd_names": [...], "error":
 * null, ...}
 *     {"created_at": 1739490000, "type": "utilization", "tags": ["record"], "time_stamp": 1739482605, "repo":
 * ..., "json_data": "{\"cpu\": {...}, ...}"}
 *
 * A usage log is read by the rules of PyTorch's uploader: lines that are no record are dropped, and so are
 * records of an interval that failed. It knows a log by its first line; which job it is of, the caller says.
 */
#include "export/pytorch.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "formats/json_line.h"
#include "model/metric.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { GAP = 60 /* seconds; a longer one ends a segment */, DROPPED = 1000 /* lines that are named */ };
enum { INTERVAL_MS = 5000 /* of a log that is made */ };

/* What the data of a record have, in this order; each value may be null, but for what lists have. */
enum kind { END, NUMBER, STRING, NUMBERS, OBJECT, OBJECTS };
struct member {
    enum kind kind;
    const char *key;
    const struct member *of; /* of an object */
};
static const struct member stats_members[] = {{NUMBER, "avg", NULL},
                                              {NUMBER, "max", NULL},
                                              {NUMBERS, "raw", NULL},
                                              {0}},
                           gpu_members[] = {{STRING, "uuid", NULL},
                                            {OBJECT, "util_percent", stats_members},
                                            {OBJECT, "mem_util_percent", stats_members},
                                            {OBJECT, "allocated_mem_percent", stats_members},
                                            {OBJECT, "allocated_mem_value", stats_members},
                                            {NUMBER, "total_mem_value", NULL},
                                            {0}},
                           data_members[] = {{OBJECT, "cpu", stats_members},
                                             {OBJECT, "memory", stats_members},
                                             {OBJECTS, "gpu_usage", gpu_members},
                                             {0}};

/* When records named a command. */
struct span {
    size_t rank;      /* of the command: in the order in which records had them */
    int64_t from, to; /* seconds since 1970 */
};

/* A usage log that becomes documents. */
struct documents {
    struct smi_pytorch_documents *to;
    const struct smi_export_run *r;
    struct smi_buf *say;
    struct smi_buf keep; /* the line at hand, as far as it is there */
    bool skipping;       /* it is too long */
    uint64_t lines, dropped;
    struct smi_json_values values; /* of the line */
    /* the documents so far: */
    struct smi_buf names, about,
        machine; /* what they say of the job, and the first line: members of an object */
    int64_t end_at;
    json_t *command; /* of each command, as JSON, the place of its last span */
    struct span *span;
    size_t spans, cap;
    struct smi_buf data, line, text; /* data: of the record at hand, JSON */
};

/* ---- texts ---- */

/* Writes a text of a line. Python writes the bytes of a command that are not UTF-8 as halves of surrogate
 * pairs: "\u0001dcff" (smi_json_values.marks) is "\udcff" again. */
static void write_shown(struct smi_json *j, struct smi_text t)
{
    struct smi_buf *to = j->to;
    size_t k = to->n;
    smi_json_text(j, t);
    for (size_t i = k; i < to->n;) {
        size_t n = to->p[i] == '\\' ? 2 : 1;
        bool mark = strncmp(to->p + i, "\\u0001", 6) == 0;
        memmove(to->p + k, to->p + i, n);
        k += n;
        i += mark ? 6 : n;
    }
    to->n = k;
    to->p[k] = 0;
}

/* Text as JSON; shown: it is of a usage log. Returns it. */
static const char *set_json(struct smi_buf *to, struct smi_text t, bool shown)
{
    struct smi_json j;
    smi_buf_clear(to);
    smi_json_begin(&j, to);
    (shown ? write_shown : smi_json_text)(&j, t);
    return to->p;
}

/* ---- the data of a record ---- */

static bool is_null(const struct smi_json_value *v)
{
    return !v || (v->kind == SMI_JSON_NULL && !v->f.micro);
}

/* A number as Python's float() of it. Returns false if v is none, or a whole number that is too large. */
static bool read_number(const struct smi_json_value *v, double *number)
{
    if (smi_json_is(v, SMI_JSON_NULL) && v->f.micro) { /* a word of Python's */
        *number = v->f.micro == 3 ? NAN : v->f.micro == 8 ? INFINITY : -INFINITY;
        return true;
    }
    if (!smi_json_is(v, SMI_JSON_NUMBER))
        return false;
    *number = strtod(v->f.text.p, NULL);
    return isfinite(*number) || !v->exact;
}

/* Is it a float that any program writes as it stands there? */
static bool is_plain(const struct smi_json_value *v)
{
    const struct smi_text t = v->f.text;
    return v->kind == SMI_JSON_NUMBER && t.n < SMI_REAL_TEXT && memchr(t.p, '.', t.n) &&
           smi_text_span(t, "-.0123456789") == t.n;
}

static bool read_whole(const struct smi_json_value *v, int64_t *number)
{
    smi_i128 n;
    if (!smi_json_is(v, SMI_JSON_NUMBER) || smi_i128_parse(v->f.text.p, v->f.text.n, &n))
        return false;
    *number = (int64_t)n;
    return *number == n;
}

/* Is it false to Python: null, false, zero, or empty? */
static bool is_false(const struct smi_json_value *v)
{
    double number;
    return is_null(v) || (read_number(v, &number) && number == 0) ||
           (v->kind == SMI_JSON_WORD && smi_text_is(v->f.text, "false")) ||
           (v->kind == SMI_JSON_STRING && !v->f.text.n) || (v->kind >= SMI_JSON_OBJECT && v->size == 1);
}

static void write_number(struct smi_json *j, double v)
{
    const double micro = nearbyint(v * 1e6);
    char text[SMI_REAL_TEXT];
    if (fabs(micro) < 1e15 && micro / 1e6 == v)
        smi_json_micro(j, (smi_i128)micro);
    else if (isfinite(v) && smi_real_write(text, v))
        smi_json_raw(j, text);
    else
        smi_json_raw(j, isnan(v) ? "NaN" : v < 0 ? "-Infinity" : "Infinity");
}

/* Writes a value. Returns whether it is of this kind. */
static bool copy_value(struct smi_json *j, const struct member *m, const struct smi_json_value *v)
{
    const struct member element = {m->kind == NUMBERS ? NUMBER : OBJECT, NULL, m->of};
    const bool object = m->kind == OBJECT;
    char text[SMI_REAL_TEXT];
    double number = 0;
    bool ok;
    if (is_null(v)) {
        smi_json_null(j);
        return true;
    }
    if (m->kind == NUMBER && is_plain(v)) {
        smi_text_copy(text, sizeof text, v->f.text);
        smi_json_raw(j, text);
        return true;
    }
    if (m->kind == NUMBER) {
        ok = read_number(v, &number);
        write_number(j, number);
        return ok;
    }
    if (m->kind == STRING) {
        write_shown(j, smi_json_text_of(v));
        return smi_json_is(v, SMI_JSON_STRING);
    }
    ok = smi_json_is(v, object ? SMI_JSON_OBJECT : SMI_JSON_LIST);
    smi_json_open(j, object ? '{' : '[');
    for (const struct member *of = m->of; object && ok && of->kind; of++) {
        smi_json_key(j, of->key);
        ok = copy_value(j, of, SMI_JSON_GET(v, of->key));
    }
    SMI_JSON_EACH (each, ok && !object ? v : NULL)
        ok = copy_value(j, &element, each) && !is_null(each) && ok;
    smi_json_close(j, object ? '}' : ']');
    return ok;
}

/* ---- documents ---- */

/* A record at this time names the command, which is JSON. */
static int add_command(struct documents *d, const char *command, int64_t at, struct smi_err *err)
{
    const json_t *place = json_object_get(d->command, command);
    struct span *last = place ? &d->span[json_integer_value(place)] : NULL;
    const size_t rank = last ? last->rank : json_object_size(d->command);
    if (last && at >= last->from && (smi_i128)at - last->to <= GAP) {
        last->to = at > last->to ? at : last->to;
        return 0;
    }
    if (rank >= SMI_PYTORCH_NAMES)
        return smi_err_set(err, SMI_ELIMIT, "more than %d different commands", SMI_PYTORCH_NAMES);
    json_object_set_new_nocheck(d->command, command, json_integer((json_int_t)d->spans));
    *SMI_MEM_ADD(d->span, d->spans, d->cap) = (struct span){rank, at, at};
    return 0;
}

static int compare_spans(const void *a, const void *b)
{
    const struct span *x = a, *y = b;
    return x->rank != y->rank ? (x->rank > y->rank) - (x->rank < y->rank)
                              : (x->from > y->from) - (x->from < y->from);
}

/* The segments of all commands, into d->data. */
static void write_segments(struct documents *d)
{
    const struct span *s = d->span, *const end = d->spans ? s + d->spans : s;
    size_t rank = 0;
    const char *command;
    json_t *place;
    smi_sort(d->span, d->spans, sizeof *d->span, compare_spans);
    smi_buf_clear(&d->data);
    json_object_foreach (d->command, command, place) { /* in the order in which they were added */
        while (s < end && s->rank == rank) {
            const int64_t from = s->from;
            int64_t to = s->to;
            while (++s < end && s->rank == rank && (smi_i128)s->from - to <= GAP)
                to = s->to > to ? s->to : to;
            smi_buf_fmt(&d->data,
                        "%s{\"level\": \"CMD_PYTHON\", \"name\": %s, \"start_at\": %" PRId64
                        ", \"end_at\": %" PRId64 ", \"extra_info\": {}}",
                        d->data.n ? ", " : "[", command, from, to);
        }
        rank++;
    }
    smi_buf_str(&d->data, d->data.n ? "]" : "[]");
}

static int put_metadata(struct documents *d, struct smi_err *err)
{
    if (!d->to->records)
        return smi_err_set(err, SMI_EFORMAT, "has no valid record: nothing is written");
    write_segments(d);
    if (d->to->flat)
        set_json(&d->text, (struct smi_text){d->data.p, d->data.n}, false);
    smi_buf_clear(&d->line);
    smi_buf_fmt(&d->line,
                "{\"created_at\": %" PRIu64 ", %s, %s, \"end_at\": %" PRId64 ", \"%s\": %s, \"tags\": []}\n",
                d->to->job->created_at, d->about.p, d->machine.p, d->end_at,
                d->to->flat ? "segments_json" : "segments", d->to->flat ? d->text.p : d->data.p);
    return smi_block_list_add(&d->to->of[SMI_PYTORCH_METADATA], d->line.p, d->line.n, err);
}

/* ---- a usage log ---- */

static int drop_line(struct documents *d, const char *why, const char *more)
{
    if (d->dropped++ < DROPPED)
        smi_export_warn(d->say, d->r, "line %" PRIu64 " is dropped: %s%.300s", d->lines, why, more);
    return 0;
}

static int read_record(struct documents *d, const struct smi_json_value *entry, struct smi_err *err)
{
    static const struct member record_data = {OBJECT, NULL, data_members};
    const struct smi_json_value *data = SMI_JSON_GET(entry, "data"), *error = SMI_JSON_GET(entry, "error"),
                                *names = SMI_JSON_GET(entry, "cmd_names");
    struct smi_json j;
    int64_t at;
    if (!smi_text_is(smi_json_text_of(SMI_JSON_GET(entry, "level")), "record"))
        return drop_line(d, "no record", "");
    if (!read_whole(SMI_JSON_GET(entry, "timestamp"), &at))
        return drop_line(d, "its timestamp is no whole number", "");
    smi_buf_clear(&d->data);
    smi_json_begin(&j, &d->data);
    if (is_null(data))
        smi_buf_str(&d->data, "{}");
    else if (!copy_value(&j, &record_data, data))
        return drop_line(d, "its data are not those of the model 1.5", "");
    if (!is_false(error))
        return drop_line(d, "its interval failed: ", set_json(&d->text, error->f.text, true));
    SMI_JSON_EACH (name, smi_json_is(names, SMI_JSON_LIST) ? names : NULL)
        if (smi_json_text_of(name).n >= 6 && memcmp(name->f.text.p, "python", 6) == 0 &&
            add_command(d, set_json(&d->text, name->f.text, true), at, err))
            return -1;
    d->end_at = !d->to->records++ || at > d->end_at ? at : d->end_at;
    set_json(&d->text, (struct smi_text){d->data.p, d->data.n}, false);
    smi_buf_clear(&d->line);
    smi_buf_fmt(&d->line,
                "{\"created_at\": %" PRIu64 ", \"type\": \"utilization\", \"tags\": [\"record\"], "
                "\"time_stamp\": %" PRId64 ", %s, \"json_data\": %s}\n",
                d->to->job->created_at, at, d->about.p, d->text.p);
    return smi_block_list_add(&d->to->of[SMI_PYTORCH_SERIES], d->line.p, d->line.n, err);
}

static int read_metadata(struct documents *d, const struct smi_json_value *entry, struct smi_err *err)
{
    const struct smi_json_value *version = SMI_JSON_GET(entry, "data_model_version"),
                                *gpus = SMI_JSON_GET(entry, "gpu_count"),
                                *cpus = SMI_JSON_GET(entry, "cpu_count"),
                                *type = SMI_JSON_GET(entry, "gpu_type");
    const struct smi_text said = !version            ? smi_text_of("missing")
                                 : version->f.quoted ? smi_text_of("a text")
                                                     : version->f.text;
    struct smi_json j;
    double number;
    int64_t start, gpu_count = 0, cpu_count = 0;
    if (!smi_text_is(smi_json_text_of(SMI_JSON_GET(entry, "level")), "metadata"))
        return smi_err_set(err, SMI_EFORMAT, "line 1 is no metadata");
    if (!read_number(version, &number) || number != 1.5)
        return smi_err_set(err, SMI_EFORMAT, "its data_model_version is %.*s, not 1.5",
                           (int)smi_text_prefix(said, 40).n, said.p);
    if (!read_number(SMI_JSON_GET(entry, "usage_collect_interval"), &number) ||
        !read_whole(SMI_JSON_GET(entry, "start_at"), &start) ||
        (!is_null(gpus) && !read_whole(gpus, &gpu_count)) ||
        (!is_null(cpus) && !read_whole(cpus, &cpu_count)) ||
        (!is_null(type) && !smi_json_is(type, SMI_JSON_STRING)))
        return smi_err_set(err, SMI_EFORMAT, "line 1 is no metadata of the model 1.5");
    smi_buf_str(&d->machine, "\"usage_collect_interval\": ");
    smi_json_begin(&j, &d->machine);
    write_number(&j, number);
    smi_buf_fmt(&d->machine,
                ", \"data_model_version\": \"1.5\", \"gpu_count\": %" PRId64 ", \"cpu_count\": %" PRId64
                ", \"gpu_type\": %s, \"start_at\": %" PRId64,
                gpu_count, cpu_count, set_json(&d->text, smi_json_text_of(type), true), start);
    return 0;
}

/* The line in keep. */
static int read_line(struct documents *d, struct smi_err *err)
{
    const struct smi_text line = {d->keep.n ? d->keep.p : "", d->keep.n};
    const struct smi_json_value *entry =
        !d->skipping && smi_json_parse(line, &d->values) ? d->values.v : NULL;
    int rc = 0;
    if (++d->lines == 1)
        rc = read_metadata(d, entry, err);
    else if (entry)
        rc = read_record(d, entry, err);
    else if (d->skipping || smi_text_strip(line, " \t\r").n)
        drop_line(d, d->skipping ? "longer than 16 MiB" : "no JSON", "");
    d->skipping = false;
    smi_buf_clear(&d->keep);
    return rc;
}

/* To Python a last line without an end is a line, and so is an empty one. */
static int feed_log(void *self, const char *p, size_t n, struct smi_err *err)
{
    struct documents *d = self;
    const char *end = p + n, *lf;
    while (p < end) {
        lf = memchr(p, '\n', (size_t)(end - p));
        n = (size_t)((lf ? lf : end) - p);
        d->skipping = d->skipping || d->keep.n + n > SMI_PYTORCH_LINE;
        if (!d->skipping)
            smi_buf_add(&d->keep, p, n);
        if (lf && read_line(d, err))
            return -1;
        p += n + (lf != NULL);
    }
    return 0;
}

/* ---- a usage log of readings ---- */

/* The monitor is a Python program: its numbers are doubles, added up one after the other, divided, and
 * rounded to two decimals half to even. So are these, so that the same samples give the same numbers. */

/* What a point is of; its tag is that and its device, 0 for the machine. */
enum {
    UTIL, /* statistics of a GPU, as in gpu_members; the machine has the first two, of data_members */
    MEM_UTIL,
    FB_PCT,
    FB_USED,
    FB_TOTAL,
    STATS,
    CPU = 0,
    MEMORY,
    COMMAND_BEGINS = STATS, /* whose value is its place in commands */
    COMMAND_ENDS,
    PEAK = 8, /* added: the largest within an interval; it counts for max, and is not listed */
    DEVICE = 16,
    OF_GPU = 16, /* added in the table below */
    OF_HOST = 32
};

static const uint8_t what_of[SMI_METRIC_COUNT] = {
    [SMI_GPU_UTIL] = OF_GPU + UTIL,
    [SMI_GPU_UTIL_PEAK] = OF_GPU + UTIL + PEAK,
    [SMI_MEM_UTIL] = OF_GPU + MEM_UTIL,
    [SMI_MEM_UTIL_PEAK] = OF_GPU + MEM_UTIL + PEAK,
    [SMI_FB_USED_PCT] = OF_GPU + FB_PCT,
    [SMI_FB_USED] = OF_GPU + FB_USED,
    [SMI_FB_TOTAL] = OF_GPU + FB_TOTAL,
    [SMI_FB_USED_PEAK] = OF_GPU + FB_USED + PEAK,
    [SMI_CPU_PCT] = OF_HOST + CPU,
    [SMI_CPU_PEAK] = OF_HOST + CPU + PEAK,
    [SMI_CPU_IDLE] = OF_HOST + CPU,
    [SMI_RAM_PCT] = OF_HOST + MEMORY,
    [SMI_RAM_PEAK] = OF_HOST + MEMORY + PEAK,
};

/* The readings of a statistic in the interval at hand. */
struct stats {
    double *raw;
    size_t n, cap;
    bool has_max;
    double max; /* of FB_TOTAL the last one, which stays */
};

/* What the monitor would have seen. */
struct monitor {
    struct documents *log;
    const struct smi_export_run *r;
    struct smi_export_readings from;
    struct smi_sorted_points points;
    int64_t first_ms, last_ms, start_ms; /* of the readings; of the log */
    struct stats (*stats)[STATS];        /* of the machine, then the GPUs */
    struct smi_buf commands;             /* as JSON, each with its NUL */
    json_t *running;                     /* how often those run that the record names */
    int64_t command;                     /* that the recording at hand runs, or -1 */
    int64_t k, last, interval_ms;        /* the number of the record, and of the last one */
    bool some;                           /* it has a reading */
};

/* psutil's cpu_percent, which the monitor prints, is what is neither idle nor waiting for disks. Where a log
 * has the idle time alone, waiting counts as busy: it cannot be told apart. */
static int add_row(void *self, const struct smi_run_row *row, struct smi_err *err)
{
    struct monitor *m = self;
    const int pct = m->from.rank[0][SMI_CPU_PCT], idle = m->from.rank[0][SMI_CPU_IDLE];
    int64_t waiting = 0;
    bool has_pct = false;
    for (unsigned i = 0; i < row->n; i++) {
        waiting = row->metric[i] == SMI_CPU_IOWAIT ? row->v[i] : waiting;
        has_pct |= row->metric[i] == SMI_CPU_PCT;
    }
    for (unsigned i = 0; i < row->n; i++) {
        const unsigned metric = row->metric[i], what = what_of[metric];
        int64_t v = row->v[i];
        if (!(what & (row->gpu < 0 ? OF_HOST : OF_GPU)) || (metric == SMI_CPU_PCT && pct > idle))
            continue; /* the first format has it */
        if (metric == SMI_CPU_IDLE) {
            if (idle > pct || has_pct)
                continue;
            v = v + waiting < 100000000 ? 100000000 - v - waiting : 0;
        }
        m->first_ms = row->t_ms < m->first_ms ? row->t_ms : m->first_ms;
        m->last_ms = row->t_ms > m->last_ms ? row->t_ms : m->last_ms;
        if (smi_sorted_points_add(&m->points, row->t_ms, v, (uint32_t)(row->gpu + 1) * DEVICE + what % DEVICE,
                                  err))
            return -1;
    }
    return 0;
}

/* The monitor looks at the name of the process, too: a shell that runs Python is not Python. */
bool smi_pytorch_is_named(struct smi_text command)
{
    struct smi_text rest = command, program = smi_text_word(&rest);
    const char *slash = program.n ? memrchr(program.p, '/', program.n) : NULL;
    if (slash)
        program = smi_text_from(program, (size_t)(slash - program.p));
    return (program.n && memmem(program.p, program.n, "python", 6)) ||
           (command.n && memmem(command.p, command.n, "pytest", 6));
}

/* A command begins, which runs if the monitor would name it. */
static int begin_command(struct monitor *m, struct smi_text command, int64_t t_ms, struct smi_err *err)
{
    const char *json = set_json(&m->log->text, command, false);
    m->command = -1;
    if (!smi_pytorch_is_named(command))
        return 0;
    if (m->commands.n > SMI_PYTORCH_COMMANDS)
        return smi_err_set(err, SMI_ELIMIT, "more than %d bytes of commands", SMI_PYTORCH_COMMANDS);
    m->command = (int64_t)m->commands.n;
    smi_buf_add(&m->commands, json, strlen(json) + 1);
    return smi_sorted_points_add(&m->points, t_ms, m->command, COMMAND_BEGINS, err);
}

static int end_command(struct monitor *m, int64_t t_ms, struct smi_err *err)
{
    const int64_t command = m->command;
    m->command = -1;
    return command < 0 ? 0 : smi_sorted_points_add(&m->points, t_ms, command, COMMAND_ENDS, err);
}

static void begin_input(void *self)
{
    struct monitor *m = self;
    m->command = -1; /* a command that never ends was killed, or runs on */
}

/* A recording knows its command: {"type": "event", "event": "start", "data": {..., "command": "python3
 * x.py"}}; a usage log has phases, and says when it began. */
static int add_mark(void *self, const struct smi_export_mark *mark, struct smi_err *err)
{
    struct monitor *m = self;
    const struct smi_mark *of = mark->of;
    const int64_t t_ms = of->t_us / 1000 - (of->t_us % 1000 < 0);
    const bool log = m->r->input[m->from.input].kind == SMI_FMT_USAGE_LOG,
               start = smi_text_is(of->name, "start"),
               stop = smi_text_is(of->name, "stop") || smi_text_is(of->name, "end");
    if (of->kind == SMI_MARK_PHASE)
        return log && (begin_command(m, of->name, t_ms - of->span_us / 1000, err) ||
                       end_command(m, t_ms, err))
                   ? -1
                   : 0;
    if (log && smi_text_is(of->name, "metadata"))
        m->start_ms = t_ms / 1000 * 1000;
    if ((start || stop) && end_command(m, t_ms, err))
        return -1;
    for (unsigned i = 0; start && i < of->fields && m->command < 0; i++)
        if (of->field[i].in_data && smi_text_is(of->field[i].key, "command") &&
            begin_command(m, of->field[i].text, t_ms, err))
            return -1;
    return 0;
}

/* ---- the first line ---- */

/* What was typed, else a parameter of the run, among which a usage_log.txt's own are, or "". */
static const char *said(const struct smi_export_run *r, const char *typed, const char *key)
{
    const struct smi_param *p = smi_run_param(r->summary, key);
    return typed ? typed : p ? p->text : "";
}

/* A number above zero that the usage log says of the machine, in millionths; or else `other`. */
static int64_t number_of(const struct smi_export_run *r, bool log, const char *key, int64_t other)
{
    int64_t micro;
    return log && smi_json_text_number(smi_text_of(said(r, NULL, key)), &micro) && micro > 0 ? micro : other;
}

/* UUID, bus ID or number. */
static const char *gpu_name(const struct smi_export_run *r, size_t i, char number[32])
{
    const struct smi_gpu *gpu = &r->summary->gpus[i];
    snprintf(number, 32, "gpu%lld", (long long)(gpu->index >= 0 ? gpu->index : (int64_t)i));
    return gpu->uuid ? gpu->uuid : gpu->bus ? gpu->bus : gpu->pooled ? "gpus" : number;
}

/* The line in keep is part of the log that is made. */
static int put_log_line(struct documents *d, struct smi_err *err)
{
    return smi_block_list_add(&d->to->of[SMI_PYTORCH_LOG], d->keep.p, d->keep.n, err) || read_line(d, err)
               ? -1
               : 0;
}

static int put_log_metadata(struct monitor *m, struct smi_err *err)
{
    const struct smi_export_run *r = m->r;
    const struct smi_pytorch_job *job = m->log->to->job;
    const size_t gpus = r->summary->ngpus;
    const char *type;
    char interval[SMI_MICRO_TEXT], cpus[SMI_I128_TEXT] = "null", number[32];
    bool log = false, amd = false;
    int64_t collect = 0, cpu_count;
    for (size_t i = 0; i < r->inputs; i++) {
        const struct smi_input *counts = r->input[i].counts;
        const int id = r->input[i].kind;
        log = log || id == SMI_FMT_USAGE_LOG;
        amd = amd || (id >= SMI_FMT_AMD_METRIC && id <= SMI_FMT_ROCM_JSON);
        if (counts->interval_s.has && counts->interval_s.micro > 0 && (!collect || counts->gpu))
            collect = counts->interval_s.micro;
    }
    for (size_t i = 0; i < gpus; i++)
        if (!r->summary->gpus[i].uuid) {
            smi_export_warn(m->log->say, r, "no uuid is known of a GPU: it is called \"%s\" in its place",
                            gpu_name(r, i, number));
            break;
        }
    type = log ? said(r, NULL, "gpu_type") : "";
    type = *type ? type : !gpus ? "" : amd ? "amdsmi" : "pynvml";
    smi_text_write_micro(interval, number_of(r, log, "usage_collect_interval", collect ? collect : 1000000));
    cpu_count = number_of(r, log, "cpu_count", r->summary->cpus * INT64_C(1000000)) / 1000000;
    if (cpu_count > 0)
        smi_i128_write(cpus, cpu_count);
    smi_buf_fmt(&m->log->keep,
                "{\"level\": \"metadata\", \"workflow_id\": \"%" PRIu64 "\", \"job_id\": \"%" PRIu64
                "\", %s, \"usage_collect_interval\": %s, \"data_model_version\": 1.5, \"start_at\": %" PRId64
                ", \"gpu_count\": %" PRId64 ", \"cpu_count\": %s, \"gpu_type\": %s, \"error\": null}\n",
                job->workflow_id, job->job_id, m->log->names.p, interval, m->start_ms / 1000,
                number_of(r, log, "gpu_count", (int64_t)gpus * 1000000) / 1000000, cpus,
                set_json(&m->log->text, smi_text_of(type), false));
    return put_log_line(m->log, err);
}

/* ---- readings into records ---- */

/* raw: it is listed, and not the largest of an interval alone. */
static void add_reading(struct stats *s, double v, bool raw)
{
    s->max = s->has_max && s->max > v ? s->max : v;
    s->has_max = true;
    if (raw)
        *SMI_MEM_ADD(s->raw, s->n, s->cap) = v;
}

/* The readings, which empties them. */
static void write_stats(struct smi_json *j, const char *key, struct stats *s)
{
    double sum = 0;
    for (size_t i = 0; i < s->n; i++)
        sum += s->raw[i];
    smi_json_key_open(j, key, '{');
    if (s->n) {
        smi_json_key(j, "avg");
        write_number(j, smi_real_round(sum / (double)s->n, 2));
        smi_json_key(j, "max");
        write_number(j, smi_real_round(s->max, 2));
        smi_json_key_open(j, "raw", '[');
        for (size_t i = 0; i < s->n; i++)
            write_number(j, s->raw[i]);
        smi_json_close(j, ']');
    } else {
        smi_buf_str(j->to, "\"avg\": null, \"max\": null, \"raw\": null");
    }
    smi_json_close(j, '}');
    s->n = 0;
    s->has_max = false;
}

static void write_gpu(struct monitor *m, struct smi_json *j, size_t i)
{
    struct stats *s = m->stats[i + 1], *used = &s[FB_USED], *pct = &s[FB_PCT];
    const double total = s[FB_TOTAL].max;
    const bool share = !pct->n && total > 0; /* of its memory: no log has it */
    char number[32];
    if (share && used->has_max)
        add_reading(pct, used->max / total * 100, false);
    for (size_t k = 0; share && k < used->n; k++)
        add_reading(pct, used->raw[k] / total * 100, true);
    smi_json_open(j, '{');
    smi_json_key_str(j, "uuid", gpu_name(m->r, i, number));
    for (int k = 0; k < FB_TOTAL; k++)
        write_stats(j, gpu_members[1 + k].key, &s[k]);
    smi_json_key_number(j, "total_mem_value", s[FB_TOTAL].has_max, (smi_i128)nearbyint(total * 1e6));
    smi_json_close(j, '}');
}

static void write_data(struct monitor *m, struct smi_json *j)
{
    const size_t gpus = m->r->summary->ngpus;
    smi_json_open(j, '{');
    for (int k = 0; k < 2; k++)
        write_stats(j, data_members[k].key, &m->stats[0][k]);
    if (gpus) {
        smi_json_key_open(j, "gpu_usage", '[');
        for (size_t i = 0; i < gpus; i++)
            write_gpu(m, j, i);
        smi_json_close(j, ']');
    } else {
        smi_json_key_str(j, "gpu_usage", NULL);
    }
    smi_json_close(j, '}');
}

/* How long the monitor would have taken is not known. */
static int finish_record(struct monitor *m, struct smi_err *err)
{
    struct smi_buf *to = &m->log->keep;
    const char *command, *before = "";
    struct smi_json j;
    json_t *n;
    void *next;
    smi_buf_fmt(to, "{\"level\": \"record\", \"timestamp\": %" PRId64 ", \"data\": ",
                (m->start_ms + ++m->k * m->interval_ms) / 1000);
    smi_json_begin(&j, to);
    if (m->some)
        write_data(m, &j);
    smi_buf_str(to, m->some ? ", \"cmd_names\": [" : "null, \"cmd_names\": null");
    json_object_foreach_safe(m->running, next, command, n)
    {
        if (m->some)
            smi_buf_fmt(to, "%s%s", before, command);
        before = ", ";
        if (json_integer_value(n) == 0)
            json_object_del(m->running, command);
    }
    smi_buf_str(to, m->some ? "]" : "");
    smi_buf_str(to, ", \"error\": null, \"log_duration\": \"0.00 ms\", \"logs\": []}\n");
    m->some = false;
    return put_log_line(m->log, err);
}

static int take_point(void *self, const struct smi_sorted_point *p, struct smi_err *err)
{
    struct monitor *m = self;
    const unsigned what = p->tag % DEVICE;
    struct stats *s = &m->stats[p->tag / DEVICE][what % PEAK % STATS];
    while (m->k <= m->last &&
           p->t_ms - m->start_ms > (m->k + 1) * m->interval_ms) /* it ends at its record's time */
        if (finish_record(m, err))
            return -1;
    if (m->k > m->last)
        return 0;
    if (what == COMMAND_BEGINS || what == COMMAND_ENDS) {
        const char *command = m->commands.p + p->v;
        const json_int_t n = json_integer_value(json_object_get(m->running, command));
        json_object_set_new_nocheck(m->running, command,
                                    json_integer(what == COMMAND_BEGINS ? n + 1 : n - 1));
        return 0;
    }
    m->some = true;
    s->has_max = s->has_max && what != FB_TOTAL; /* of totals the last one counts */
    add_reading(s, (double)p->v / 1e6, what < FB_TOTAL);
    return 0;
}

static int put_records(struct monitor *m, struct smi_err *err)
{
    const int64_t from = m->first_ms - (m->first_ms % 1000 + 1000) % 1000;
    if (m->last_ms < m->first_ms)
        return smi_err_set(err, SMI_EFORMAT,
                           "has no reading of a GPU, the CPUs or the memory that has a time in UTC");
    m->start_ms = from < m->start_ms ? from : m->start_ms;
    m->last = m->last_ms <= m->start_ms ? 0 : (m->last_ms - m->start_ms - 1) / m->interval_ms;
    if (m->last >= SMI_PYTORCH_RECORDS)
        return smi_err_set(err, SMI_ELIMIT,
                           "its readings span %" PRId64 " records of %.3f s, more than %d: "
                           "use a longer --log-interval",
                           m->last + 1, (double)m->interval_ms / 1000, SMI_PYTORCH_RECORDS);
    if (put_log_metadata(m, err) || smi_sorted_points_each(&m->points, take_point, m, err))
        return -1;
    while (m->k <= m->last)
        if (finish_record(m, err))
            return -1;
    return 0;
}

static int make_log(struct documents *d, int64_t interval_ms, struct smi_target_out *done,
                    struct smi_err *err)
{
    const size_t gpus = d->r->summary->ngpus;
    struct monitor m = {
        .log = d,
        .r = d->r,
        .from = {.r = d->r, .utc = true, .begin = begin_input, .row = add_row, .mark = add_mark, .self = &m},
        .points.chain.of = &d->to->spill,
        .first_ms = INT64_MAX,
        .last_ms = INT64_MIN,
        .start_ms = INT64_MAX,
        .interval_ms = interval_ms};
    int rc;
    m.stats = smi_mem_new(gpus + 1, sizeof *m.stats);
    m.running = json_object();
    rc = smi_export_each_reading(&m.from, done, d->say, err) || put_records(&m, err) ? -1 : 0;
    for (size_t i = 0; i < (gpus + 1) * STATS; i++)
        smi_mem_free(m.stats[i / STATS][i % STATS].raw);
    smi_mem_free(m.stats);
    smi_buf_fini(&m.commands);
    json_decref(m.running);
    smi_sorted_points_fini(&m.points);
    return rc;
}

/* ---- from beginning to end ---- */

void smi_pytorch_documents_fini(struct smi_pytorch_documents *d)
{
    for (int k = 0; k < SMI_PYTORCH_KINDS; k++)
        smi_block_list_fini(&d->of[k]);
    smi_spill_file_fini(&d->spill);
}

int smi_pytorch_make(struct smi_pytorch_documents *to, const struct smi_export_run *r, int log,
                     int64_t interval_ms, struct smi_buf *say, struct smi_target_out *done,
                     struct smi_err *err)
{
    const struct smi_pytorch_job *job = to->job;
    struct documents d = {.to = to, .r = r, .say = say, .values.marks = true, .command = json_object()};
    struct smi_buf *const bufs[] = {&d.keep, &d.names, &d.about, &d.machine, &d.data, &d.line, &d.text};
    int rc;
    for (int k = 0; k < SMI_PYTORCH_KINDS; k++)
        to->of[k].of = &to->spill;
    smi_buf_fmt(&d.names, "\"workflow_name\": %s, ",
                set_json(&d.text, smi_text_of(job->workflow_name), false));
    smi_buf_fmt(&d.names, "\"job_name\": %s", set_json(&d.text, smi_text_of(job->job_name), false));
    smi_buf_fmt(&d.about,
                "\"repo\": \"%s\", \"workflow_id\": %" PRIu64 ", \"run_attempt\": %" PRIu64
                ", \"job_id\": %" PRIu64 ", %s",
                job->repo, job->workflow_id, job->run_attempt, job->job_id, d.names.p);
    rc = interval_ms ? make_log(&d, interval_ms, done, err)
                     : smi_export_text(r, (size_t)log, feed_log, &d, err);
    if (!rc && (d.keep.n || d.skipping)) /* a last line without an end */
        rc = read_line(&d, err);
    if (d.dropped > DROPPED)
        smi_export_warn(say, r, "%" PRIu64 " more lines like that were dropped", d.dropped - DROPPED);
    rc = rc ? rc : put_metadata(&d, err);
    done->rows += rc ? 0 : to->records;
    done->documents += rc ? 0 : to->records + 1;
    for (size_t i = 0; i < sizeof bufs / sizeof *bufs; i++)
        smi_buf_fini(bufs[i]);
    smi_json_values_fini(&d.values);
    json_decref(d.command);
    smi_mem_free(d.span);
    return rc;
}

/* ---- the target: which job a run is of, and where its documents go ---- */

struct out {
    struct smi_target_out out; /* first */
    const struct smi_pytorch_sink *sink;
    struct smi_pytorch_settings set;
    bool replace;
    uint64_t skipped;
    struct smi_pytorch_job job; /* what was typed, or its defaults */
    json_t *jobs;               /* so far: members are their ids */
    /* the sink of a directory: */
    struct smi_pytorch_sink files;
    const char *dir;
    char *real; /* its path, if it was there: the system's own memory, not base/mem's */
    struct smi_buf path;
};

/* ---- what was typed ---- */

/* A whole number, from 0 to most. */
static bool get_number(const char *text, uint64_t most, uint64_t *to)
{
    smi_i128 v;
    if (smi_i128_parse(text, strlen(text), &v) || v < 0 || v > most || strchr("+-", *text))
        return false;
    *to = (uint64_t)v;
    return true;
}

/* Leaves *to as it is where nothing was typed. */
static int option_value(const char *name, const char *text, uint64_t most, uint64_t *to, struct smi_err *err)
{
    if (!text || get_number(text, most, to))
        return 0;
    return smi_err_set(err, SMI_EUSAGE, "%s %.100s: not a whole number from 0 to %" PRIu64, name, text, most);
}

/* "pytorch/pytorch": it becomes a part of paths. */
static bool is_repo(const char *repo)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
    for (const char *p = repo;; p++) {
        size_t n = strspn(p, letters);
        if (!n || n > 200 || (n <= 2 && strspn(p, ".") >= n))
            return false;
        p += n;
        if (*p != '/')
            return !*p;
    }
}

static int read_settings(struct out *o, const struct smi_pytorch_settings *s, struct smi_err *err)
{
    o->set = *s;
    o->job.created_at = (uint64_t)smi_clock_utc_ms() / 1000;
    o->job.run_attempt = 1;
    o->job.repo = s->repo ? s->repo : "pytorch/pytorch";
    if (!is_repo(o->job.repo))
        return smi_err_set(err, SMI_EUSAGE, "--repo %.100s: names like pytorch/pytorch are", o->job.repo);
    if (option_value("--workflow-run-id", s->workflow_id, UINT64_MAX, &o->job.workflow_id, err) ||
        option_value("--job-id", s->job_id, UINT64_MAX, &o->job.job_id, err) ||
        option_value("--run-attempt", s->run_attempt, UINT32_MAX, &o->job.run_attempt, err) ||
        option_value("--created-at", s->created_at, UINT32_MAX, &o->job.created_at, err))
        return -1;
    if (s->interval_us && (s->interval_us < 1000000 || s->interval_us > 86400000000))
        return smi_err_set(err, SMI_EUSAGE, "--log-interval: from 1 to 86400 seconds");
    return 0;
}

/* The job of a run; all that it has is borrowed. Two runs of one job would be one file. */
static int identify_job(struct out *o, struct smi_pytorch_job *job, const struct smi_export_run *r,
                        struct smi_err *err)
{
    const struct smi_pytorch_settings *s = &o->set;
    const char *missing;
    *job = o->job;
    missing = !get_number(said(r, s->workflow_id, "workflow_id"), UINT64_MAX, &job->workflow_id)
                  ? "workflow run it is of: --workflow-run-id"
              : !get_number(said(r, s->job_id, "job_id"), UINT64_MAX, &job->job_id) ? "job it is of: --job-id"
                                                                                    : NULL;
    if (missing)
        return smi_err_set(err, SMI_EUSAGE, "%.200s does not say which %s", r->summary->run, missing);
    (void)get_number(said(r, s->run_attempt, "run_attempt"), UINT32_MAX, &job->run_attempt);
    job->workflow_name = said(r, s->workflow_name, "workflow_name");
    job->job_name = said(r, s->job_name, "job_name");
    snprintf(job->id, sizeof job->id, "%" PRIu64 "/%" PRIu64 "/%" PRIu64, job->workflow_id, job->run_attempt,
             job->job_id);
    if (json_object_get(o->jobs, job->id))
        return smi_err_set(err, SMI_EUSAGE,
                           "%.200s is not the only run of job %s: each job has one, by "
                           "--workflow-run-id, --run-attempt and --job-id",
                           r->summary->run, job->id);
    json_object_set_new(o->jobs, job->id, json_true());
    return 0;
}

/* ---- files below a directory ---- */

static const struct {
    const char *collection, *name, *mode, *begin;
} places[SMI_PYTORCH_KINDS] = {
    [SMI_PYTORCH_SERIES] = {"util_timeseries", "time_series", "wb1", "{\"created_at\": "},
    [SMI_PYTORCH_LOG] = {"usage_log", "usage_log.txt", "wbT", "{\"level\": \"metadata\""},
    [SMI_PYTORCH_METADATA] = {"util_metadata", "metadata", "wb1", "{\"created_at\": "}};

/* Sets o->path. Returns 1 if the file is there, 0 if not, or -1 with err: it is of no earlier export. */
static int find_file(struct out *o, const struct smi_pytorch_job *job, enum smi_pytorch_kind kind,
                     struct smi_err *err)
{
    const struct smi_text begin = smi_text_of(places[kind].begin);
    struct smi_buf head = {0};
    int rc = 0;
    smi_buf_clear(&o->path);
    smi_buf_fmt(&o->path, "%s/%s%s/v_1.5/%s/%s/%s", o->dir,
                o->set.debug && kind != SMI_PYTORCH_LOG ? "debug_" : "", places[kind].collection, job->repo,
                job->id, places[kind].name);
    if (access(o->path.p, F_OK) == 0 || errno != ENOENT)
        rc = smi_file_load(&head, AT_FDCWD, o->path.p, (int64_t)begin.n, err) ? -1 : 1;
    if (rc > 0 && !smi_text_equal((struct smi_text){head.p, head.n}, begin))
        rc = smi_err_set(err, SMI_EIO, "%.400s is there, and not of an earlier export", o->path.p);
    smi_buf_fini(&head);
    return rc;
}

static int has_files(void *self, const struct smi_pytorch_job *job, struct smi_err *err)
{
    return find_file(self, job, SMI_PYTORCH_METADATA, err);
}

/* Makes the file at o->path and its directories, to be written. */
static int create_file(struct out *o, struct smi_file_out *f, struct smi_err *err)
{
    for (char *p = o->path.p + 1; (p = strchr(p, '/')) != NULL; p++) {
        *p = 0;
        if (mkdir(o->path.p, 0777) && errno != EEXIST)
            return smi_file_error(err, "make the directory", o->path.p, strerror(errno));
        *p = '/';
    }
    return smi_file_create(f, o->path.p, err);
}

static int write_file(const struct smi_file_out *f, const char *mode, const struct smi_block_list *lines,
                      struct smi_err *err)
{
    struct smi_block_list_cursor at = {.of = lines};
    gzFile z = gzopen(f->tmp, mode);
    bool ok = z != NULL;
    int rc = 0;
    while (ok && (rc = smi_block_list_more(&at, err)) > 0) {
        ok = gzfwrite(at.p, 1, at.n, z) == at.n;
        at.n = 0;
    }
    smi_block_list_cursor_fini(&at);
    ok = z && gzclose(z) == Z_OK && ok;
    return ok ? rc : smi_file_error(err, "write", f->path, strerror(errno));
}

/* All are written before the first gets into its place, and the metadata does last. */
static int put_files(void *self, const struct smi_pytorch_documents *d, struct smi_err *err)
{
    struct out *o = self;
    struct smi_file_out file[SMI_PYTORCH_KINDS];
    int n = 0, rc = 0;
    for (int kind = 0; kind < SMI_PYTORCH_KINDS && !rc; kind++) {
        if (!d->of[kind].blocks && !d->of[kind].n)
            continue;
        rc = find_file(o, d->job, kind, err) < 0 || create_file(o, &file[n], err) ? -1 : 0;
        rc = rc ? rc : write_file(&file[n++], places[kind].mode, &d->of[kind], err);
    }
    for (int i = 0; i < n; i++)
        rc = smi_file_close(&file[i], !rc, err) || rc ? -1 : 0;
    return rc;
}

/* ---- runs ---- */

static int write_run(struct out *o, const struct smi_export_run *r, struct smi_buf *say, struct smi_err *err)
{
    struct smi_pytorch_job job;
    struct smi_pytorch_documents made = {.job = &job, .flat = o->sink->flat};
    int64_t interval_ms = o->set.interval_us / 1000;
    size_t logs = 0;
    int log = -1, rc;
    for (size_t i = 0; i < r->inputs; i++)
        if (r->input[i].kind == SMI_FMT_USAGE_LOG) {
            log = (int)i;
            logs++;
        }
    if (identify_job(o, &job, r, err))
        return -1;
    if (logs > 1)
        return smi_err_set(err, SMI_EFORMAT, "has %zu usage logs, and a job has one: --run-per=file", logs);
    rc = o->sink->has(o->sink->self, &job, err);
    if (rc > 0 && !o->replace) {
        smi_export_warn(say, r, "skipped, job %s is there already: --replace writes it again", job.id);
        o->skipped++;
        return 0;
    }
    if (logs && r->inputs > 1)
        smi_export_warn(say, r, "%.200s is exported, and none of the run's other logs", r->input[log].path);
    interval_ms = logs || interval_ms ? interval_ms : INTERVAL_MS;
    if (rc >= 0)
        rc = smi_pytorch_make(&made, r, log, interval_ms, say, &o->out, err);
    rc = rc ? rc : o->sink->put(o->sink->self, &made, err);
    o->out.runs += !rc;
    smi_pytorch_documents_fini(&made);
    return rc;
}

/* Has an earlier export to the same directory made this log? Where DIR lies among the runs, they are found,
 * and would be runs of their own or parts of others. */
static bool is_made(struct out *o, const char *place, const char *path)
{
    const size_t n = o->real ? strlen(o->real) : 0;
    smi_buf_clear(&o->path);
    smi_buf_fmt(&o->path, "%s/%s", place, path);
    return n && strncmp(o->path.p, o->real, n) == 0 && strncmp(o->path.p + n, "/usage_log/v_1.5/", 17) == 0;
}

/* A log that is none of the model 1.5, or without a valid record, costs its run; the others go on. */
static int export_run(struct smi_target_out *self, const struct smi_export_run *r, struct smi_buf *say,
                      struct smi_err *err)
{
    struct out *o = (struct out *)self;
    struct smi_export_run own = *r;
    struct smi_export_input *input = smi_mem_new(r->inputs + 1, sizeof *input);
    struct smi_err why = {0};
    own.input = input;
    own.inputs = 0;
    for (size_t i = 0; i < r->inputs; i++)
        if (!is_made(o, r->place, r->input[i].path))
            input[own.inputs++] = r->input[i];
    if (own.inputs || !r->inputs)
        (void)write_run(o, &own, say, &why);
    smi_mem_free(input);
    if (why.code && why.code != SMI_EFORMAT && why.code != SMI_ELIMIT)
        return smi_err_set(err, why.code, "%s", why.text);
    if (why.code) {
        o->out.doubts++;
        smi_export_warn(say, r, "%s", why.text);
    }
    return 0;
}

/* ---- from beginning to end ---- */

static int close_target(struct smi_target_out *self, bool keep, struct smi_err *err)
{
    struct out *o = (struct out *)self;
    int rc = 0;
    if (keep && !o->out.runs && !o->skipped)
        rc = smi_err_set(err, SMI_EFORMAT, "pytorch:%.200s: nothing is written%s", o->dir,
                         o->out.doubts ? "" : ", for all logs are its own");
    json_decref(o->jobs);
    smi_buf_fini(&o->path);
    free(o->real);
    smi_mem_free(o);
    return rc;
}

static struct smi_target_out *open_target(const struct smi_target *target, const char *where,
                                          const struct smi_target_set *set, struct smi_err *err)
{
    struct out *o = smi_mem_new(1, sizeof *o);
    (void)target;
    o->files = (struct smi_pytorch_sink){has_files, put_files, o, .flat = false};
    o->sink = set->sink ? set->sink : &o->files;
    o->dir = where;
    o->replace = set->replace;
    o->jobs = json_object();
    smi_buf_fmt(&o->path, "%s/.", where);
    o->real = set->sink ? NULL : realpath(o->path.p, NULL);
    if (!set->sink && !o->real && errno != ENOENT)
        smi_err_set(err, SMI_EUSAGE, "--to pytorch:%.300s: %s", where, strerror(errno));
    else if (read_settings(o, set->pytorch, err) == 0)
        return &o->out;
    (void)close_target(&o->out, false, NULL);
    return NULL;
}

const struct smi_target smi_target_pytorch = {
    .prefix = "pytorch:",
    .form = "pytorch:DIR",
    .help = "the documents of PyTorch CI's database, below a directory",
    .open = open_target,
    .run = export_run,
    .close = close_target,
    .texts = (uint64_t)1 << SMI_FMT_USAGE_LOG,
};
