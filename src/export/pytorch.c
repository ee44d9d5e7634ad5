/* pytorch.c - `smilog export --to pytorch:DIR`: what PyTorch CI keeps of its jobs, from any run. A run that
 * has a usage_log.txt is exported as it is; of any other run, and where another interval is asked for, such a
 * log is made first, and lies beside the documents.
 *
 * Records, from the lines of a usage log or from readings, become documents:
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
#include "base/json.h"
#include "base/mem.h"
#include "formats/json_line.h"
#include "model/metric.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { HIGH = 0xD800 >> 10, LOW }; /* halves of a surrogate pair: their upper bits */
enum { GAP = 60 /* seconds; a longer one ends a segment */, DROPPED = 1000 /* lines that are named */ };

/* The statistics of a GPU; the machine has the first two. */
enum { UTIL, MEM_UTIL, FB_PCT, FB_USED, STATS, CPU = 0, MEMORY };

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

/* The readings of a statistic in the interval at hand. */
struct stats {
    json_t *raw; /* or NULL: there are none */
    bool has_max;
    double max;
};

struct device {
    json_t *uuid;
    bool has_total;
    double total;
    struct stats stats[STATS];
};

/* When records named a command. */
struct span {
    size_t rank, name;
    int64_t from, to; /* seconds since 1970 */
};

/* A command. */
struct name {
    char *json;
    size_t rank;      /* in the order in which records had them, from 1 on; 0: none had it */
    size_t last;      /* its last span */
    uint32_t running; /* how often it runs at the record at hand */
    bool shown;       /* it is among the commands of that */
};

struct documents {
    struct smi_pytorch_documents *to;
    const struct smi_export_run *r;
    struct smi_buf *say;
    struct smi_target_out *done;
    const char *path; /* of the usage log */
    /* what a usage log says of the machine: */
    double interval_s;
    bool has_start;
    int64_t start_at, gpu_count, cpu_count;
    struct smi_buf gpu_type; /* JSON */
    /* the documents so far: */
    int64_t end_at;
    uint64_t lines, dropped;
    struct name *name;
    size_t names, cap;
    json_t *map;       /* of a command its place in names */
    struct span *span; /* in any order */
    size_t ranks, spans, span_cap;
    size_t *command, commands, command_cap; /* places in names, of the record at hand */
    struct smi_buf workflow_name, job_name, keep, room, repaired, data,
        line;              /* keep: the beginning of a line; data: the record's */
    bool skipping, hidden; /* the line is too long; some of it is hidden (load_line) */
    /* readings: */
    struct device *device; /* the machine, then the GPUs */
    struct smi_metric_source source;
    size_t input; /* at hand */
    struct smi_sorted_points points;
    bool some, timed; /* there are readings in the record, or at all */
    int64_t first_ms, last_ms, interval_ms, start_ms;
    int64_t k, last; /* the number of the record, and of the last one */
    int64_t running; /* the command that runs, or -1 */
    uint64_t untimed;
};

/* ---- the lines of a usage log as JSON ---- */

/* The code of the escape \uNNNN that t begins with, or -1. */
static int escape_code(struct smi_text t)
{
    char digits[5] = {0};
    if (t.n < 6 || memcmp(t.p, "\\u", 2) != 0)
        return -1;
    memcpy(digits, t.p + 2, 4);
    return strspn(digits, "0123456789abcdefABCDEF") == 4 ? (int)strtol(digits, NULL, 16) : -1;
}

/* Python writes the bytes of a command that are not UTF-8 as halves of surrogate pairs, which jansson does
 * not know, nor a NUL in a key. If it refuses a line, these are put behind U+0001, and it is read again:
 * "\udcff" as "\u0001dcff"; and a U+0001 of the line itself as "\u00010001". */
static void hide_surrogates(struct smi_buf *to, struct smi_text line)
{
    smi_buf_clear(to);
    for (size_t n; line.n; line = smi_text_from(line, n)) {
        int code = escape_code(line), low = code >> 10 == HIGH ? escape_code(smi_text_from(line, 6)) : -1;
        bool pair = low >> 10 == LOW;
        n = pair ? 12 : code >= 0 ? 6 : *line.p == '\\' && line.n > 1 ? 2 : 1;
        if (!pair && (code == 0 || code == 1 || code >> 10 == HIGH || code >> 10 == LOW))
            smi_buf_fmt(to, "\\u0001%04x", (unsigned)code);
        else
            smi_buf_add(to, line.p, n);
    }
}

/* A fresh reference, or NULL with the reason in `why`. */
static json_t *load_line(struct documents *d, struct smi_text line, json_error_t *why)
{
    json_t *v;
    smi_json_load(line, &d->repaired, &v, NULL, why);
    d->hidden = !v && memmem(line.p, line.n, "\\u", 2);
    if (d->hidden) {
        hide_surrogates(&d->room, line);
        smi_json_load((struct smi_text){d->room.p, d->room.n}, &d->repaired, &v, NULL, why);
    }
    return v;
}

/* Appends a string as JSON again. */
static void write_string(const struct documents *d, struct smi_buf *to, struct smi_text t)
{
    struct smi_json j;
    size_t k = to->n;
    smi_json_begin(&j, to);
    smi_json_text(&j, t);
    for (size_t i = k; d->hidden && i < to->n;) { /* "\u0001dcff" is "\udcff" again */
        size_t n = to->p[i] == '\\' ? 2 : 1;
        bool mark = strncmp(to->p + i, "\\u0001", 6) == 0;
        memmove(to->p + k, to->p + i, n);
        k += n;
        i += mark ? 6 : n;
    }
    to->n = d->hidden ? k : to->n;
    to->p[to->n] = 0;
}

/* The same, by itself. Returns it. */
static const char *set_string(const struct documents *d, struct smi_buf *to, struct smi_text t)
{
    smi_buf_clear(to);
    write_string(d, to, t);
    return to->p;
}

static bool is_null(const json_t *v)
{
    return !v || json_is_null(v);
}

/* ---- the data of a record ---- */

/* What stands in the place of a number that jansson does not know, or NULL. */
static const json_t *kept_number(const json_t *v)
{
    return json_object_get(v, "\x01");
}

/* A number as Python's float() of it. Returns false if v is none, or a whole number that is too large. */
static bool read_number(const json_t *v, double *number)
{
    const char *kept = json_string_value(kept_number(v));
    struct smi_text t = smi_text_of(kept ? kept : "");
    *number = kept ? strtod(kept, NULL) : json_number_value(v);
    return kept ? smi_json_python_word(t) == t.n ||
                      (smi_text_is_number(t) && (isfinite(*number) || strpbrk(kept, ".eE")))
                : json_is_number(v);
}

static void write_number(struct smi_buf *to, double v)
{
    const double micro = nearbyint(v * 1e6);
    char *text = smi_buf_room(to, 64);
    if (fabs(micro) < 1e15 && micro / 1e6 == v)
        smi_text_write_micro(text, (smi_i128)micro);
    else if (isfinite(v))
        smi_real_write(text, v);
    else
        strcpy(text, isnan(v) ? "NaN" : v < 0 ? "-Infinity" : "Infinity");
    to->n += strlen(text);
}

static bool copy_object(struct documents *d, const struct member *of, const json_t *v);

/* Appends a value to d->data. Returns whether it is of this kind. */
static bool copy_value(struct documents *d, const struct member *m, json_t *v)
{
    const struct member element = {m->kind == NUMBERS ? NUMBER : OBJECT, m->key, m->of};
    bool ok = json_is_array(v);
    double number;
    json_t *each;
    size_t i;
    if (is_null(v)) {
        smi_buf_str(&d->data, "null");
        return true;
    }
    if (m->kind == NUMBER) {
        ok = read_number(v, &number);
        write_number(&d->data, number);
        return ok;
    }
    if (m->kind == OBJECT)
        return copy_object(d, m->of, v);
    if (m->kind == STRING) {
        write_string(d, &d->data, smi_json_string_of(v));
        return json_is_string(v);
    }
    smi_buf_char(&d->data, '[');
    json_array_foreach (v, i, each) {
        smi_buf_str(&d->data, i ? ", " : "");
        ok = copy_value(d, &element, each) && !is_null(each) && ok;
    }
    smi_buf_char(&d->data, ']');
    return ok;
}

static bool copy_object(struct documents *d, const struct member *of, const json_t *v)
{
    bool ok = json_is_object(v) && !kept_number(v);
    for (const struct member *m = of; m->kind && ok; m++) {
        smi_buf_fmt(&d->data, "%s\"%s\": ", m == of ? "{" : ", ", m->key);
        ok = copy_value(d, m, json_object_get(v, m->key));
    }
    smi_buf_char(&d->data, '}');
    return ok;
}

static bool copy_data(struct documents *d, const json_t *data)
{
    smi_buf_clear(&d->data);
    smi_buf_str(&d->data, is_null(data) ? "{}" : "");
    return is_null(data) || copy_object(d, data_members, data);
}

/* ---- a record of a usage log ---- */

/* The place of a command, which may be new. */
static int find_name(struct documents *d, const char *json, size_t *place, struct smi_err *err)
{
    const json_t *there = json_object_get(d->map, json);
    *place = there ? (size_t)json_integer_value(there) : d->names;
    if (there)
        return 0;
    if (d->names >= SMI_PYTORCH_NAMES)
        return smi_err_set(err, SMI_ELIMIT, "more than %d different commands", SMI_PYTORCH_NAMES);
    json_object_set_new_nocheck(d->map, json, json_integer((json_int_t)d->names));
    SMI_MEM_ADD(d->name, d->names, d->cap)->json = smi_mem_text(json, strlen(json));
    return 0;
}

static bool is_python(const char *json)
{
    return strncmp(json, "\"python", 7) == 0;
}

/* Is it false to Python: null, false, zero, or empty? */
static bool is_false(const json_t *v)
{
    return json_is_number(v)
               ? json_number_value(v) == 0
               : !json_is_true(v) && !json_string_length(v) && !json_array_size(v) && !json_object_size(v);
}

/* About as json.dumps prints it. */
static const char *write_any(struct documents *d, const json_t *v)
{
    const size_t flags = JSON_ENCODE_ANY | JSON_ENSURE_ASCII, n = json_dumpb(v, NULL, 0, flags);
    smi_buf_clear(&d->room);
    d->room.n = json_dumpb(v, smi_buf_room(&d->room, n), n, flags);
    d->room.p[d->room.n] = 0;
    return d->room.p;
}

static int drop_line(struct documents *d, const char *fmt, const char *why)
{
    const char *run = d->r->summary->path ? d->r->summary->path : d->r->summary->run;
    if (d->dropped++ >= DROPPED)
        return 0;
    if (strcmp(run, d->path) != 0)
        smi_buf_fmt(d->say, "%s: ", run);
    smi_buf_fmt(d->say, "%s:%" PRIu64 ": dropped", d->path, d->lines);
    smi_buf_fmt(d->say, "%s: %.300s", fmt, why);
    smi_buf_add(d->say, "", 1);
    return 0;
}

static int put_record(struct documents *d, int64_t at, struct smi_err *err);

static int read_record(struct documents *d, const json_t *entry, struct smi_err *err)
{
    const json_t *at = json_object_get(entry, "timestamp"), *error = json_object_get(entry, "error"), *each;
    size_t i, place;
    if (!smi_text_is(smi_json_string_of(json_object_get(entry, "level")), "record"))
        return drop_line(d, "", "no record");
    if (!json_is_integer(at))
        return drop_line(d, "", "its timestamp is no whole number");
    if (!copy_data(d, json_object_get(entry, "data")))
        return drop_line(d, "", "its data are not those of the model 1.5");
    if (!is_false(error))
        return drop_line(d, ", its interval failed", write_any(d, error));
    d->commands = 0;
    json_array_foreach ((json_t *)(uintptr_t)json_object_get(entry, "cmd_names"), i, each) {
        if (!json_is_string(each) || !is_python(set_string(d, &d->room, smi_json_string_of(each))))
            continue; /* it becomes no segment */
        if (find_name(d, d->room.p, &place, err))
            return -1;
        *SMI_MEM_ADD(d->command, d->commands, d->command_cap) = place;
    }
    return put_record(d, json_integer_value(at), err);
}

static bool is_null_or(const json_t *entry, const char *key, json_type type)
{
    const json_t *v = json_object_get(entry, key);
    return is_null(v) || json_typeof(v) == type;
}

static int read_metadata(struct documents *d, const json_t *entry, const char *why, struct smi_err *err)
{
    const json_t *version = json_object_get(entry, "data_model_version"),
                 *start = json_object_get(entry, "start_at"),
                 *interval = json_object_get(entry, "usage_collect_interval"),
                 *type = json_object_get(entry, "gpu_type");
    bool metadata = smi_text_is(smi_json_string_of(json_object_get(entry, "level")), "metadata");
    if (metadata && !version)
        return smi_err_set(err, SMI_EFORMAT, "has no data_model_version, as logs from before the model 1.0");
    if (metadata && !(json_is_real(version) && json_real_value(version) == 1.5))
        return smi_err_set(err, SMI_EFORMAT, "its data_model_version is %.40s, not 1.5",
                           write_any(d, version));
    why = !json_is_object(entry)      ? *why ? why : "it is no object"
          : !metadata                 ? "its level is not \"metadata\""
          : !json_is_number(interval) ? "its usage_collect_interval is no number"
          : !json_is_integer(start)   ? "its start_at is no whole number"
          : !is_null_or(entry, "gpu_count", JSON_INTEGER) || !is_null_or(entry, "cpu_count", JSON_INTEGER)
              ? "its gpu_count or cpu_count is no whole number"
          : !is_null_or(entry, "gpu_type", JSON_STRING) ? "its gpu_type is no string"
                                                        : NULL;
    if (why)
        return smi_err_set(err, SMI_EFORMAT, "line 1 is no metadata: %s", why);
    d->start_at = json_integer_value(start);
    d->interval_s = json_number_value(interval);
    d->gpu_count = json_integer_value(json_object_get(entry, "gpu_count"));
    d->cpu_count = json_integer_value(json_object_get(entry, "cpu_count"));
    if (json_is_string(type))
        set_string(d, &d->gpu_type, smi_json_string_of(type));
    return 0;
}

/* The line in keep. */
static int read_line(struct documents *d, struct smi_err *err)
{
    struct smi_text line = {d->keep.n ? d->keep.p : "", d->keep.n};
    json_error_t why = {.text = "longer than 16 MiB"};
    json_t *entry = NULL;
    int rc = 0;
    line.n -= line.n && line.p[line.n - 1] == '\r';
    if (!d->skipping) {
        *why.text = 0;
        entry = load_line(d, line, &why);
    }
    if (++d->lines == 1)
        rc = read_metadata(d, entry, why.text, err);
    else if (entry)
        rc = read_record(d, entry, err);
    else if (d->skipping || smi_text_trim(line).n)
        drop_line(d, "", why.text);
    json_decref(entry);
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

/* ---- documents ---- */

/* Appends d->data, which is JSON, as a string. */
static void write_data_string(struct documents *d)
{
    struct smi_json j;
    smi_json_begin(&j, &d->line);
    smi_json_text(&j, (struct smi_text){d->data.p, d->data.n});
}

/* All documents begin alike. */
static void begin_document(struct documents *d, const char *fmt, int64_t at)
{
    const struct smi_pytorch_job *job = d->to->job;
    smi_buf_fmt(&d->line, "{\"created_at\": %" PRId64, job->created_at);
    if (fmt)
        smi_buf_fmt(&d->line, "%s%" PRId64, fmt, at);
    smi_buf_fmt(&d->line,
                ", \"repo\": \"%s\", \"workflow_id\": %" PRIu64 ", \"run_attempt\": %" PRIu64
                ", \"job_id\": %" PRIu64 ", \"workflow_name\": %s, \"job_name\": %s",
                job->repo, job->workflow_id, job->run_attempt, job->job_id, d->workflow_name.p,
                d->job_name.p);
}

static int put_line(struct documents *d, enum smi_pytorch_kind kind, const char *end, struct smi_err *err)
{
    int rc;
    smi_buf_str(&d->line, end);
    d->to->of[kind].of = &d->to->spill;
    rc = smi_block_list_add(&d->to->of[kind], d->line.p, d->line.n, err);
    smi_buf_clear(&d->line);
    return rc;
}

/* A record at this time names the command. */
static void add_span(struct documents *d, size_t name, int64_t at)
{
    struct name *c = &d->name[name];
    struct span *last = c->rank ? &d->span[c->last] : NULL;
    if (last && at >= last->from && (at <= last->to || (uint64_t)at - (uint64_t)last->to <= GAP)) {
        last->to = at > last->to ? at : last->to;
        return;
    }
    c->rank = last ? c->rank : ++d->ranks;
    c->last = d->spans;
    *SMI_MEM_ADD(d->span, d->spans, d->span_cap) = (struct span){c->rank, name, at, at};
}

static int put_record(struct documents *d, int64_t at, struct smi_err *err)
{
    d->end_at = !d->to->records++ || at > d->end_at ? at : d->end_at;
    for (size_t i = 0; i < d->commands; i++)
        if (is_python(d->name[d->command[i]].json))
            add_span(d, d->command[i], at);
    begin_document(d, ", \"type\": \"utilization\", \"tags\": [\"record\"], \"time_stamp\": ", at);
    smi_buf_str(&d->line, ", \"json_data\": ");
    write_data_string(d);
    return put_line(d, SMI_PYTORCH_SERIES, "}\n", err);
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
    smi_sort(d->span, d->spans, sizeof *d->span, compare_spans);
    smi_buf_clear(&d->data);
    smi_buf_char(&d->data, '[');
    while (s < end) {
        const struct span *first = s++;
        int64_t to = first->to;
        for (;
             s < end && s->rank == first->rank && (s->from <= to || (uint64_t)s->from - (uint64_t)to <= GAP);
             s++)
            to = s->to > to ? s->to : to;
        smi_buf_fmt(&d->data,
                    "%s{\"level\": \"CMD_PYTHON\", \"name\": %s, \"start_at\": %" PRId64
                    ", \"end_at\": %" PRId64 ", \"extra_info\": {}}",
                    d->data.n > 1 ? ", " : "", d->name[first->name].json, first->from, to);
    }
    smi_buf_char(&d->data, ']');
}

static int put_metadata(struct documents *d, struct smi_err *err)
{
    if (!d->to->records)
        return smi_err_set(err, SMI_EFORMAT, "has no valid record: nothing is written");
    write_segments(d);
    begin_document(d, NULL, 0);
    smi_buf_str(&d->line, ", \"usage_collect_interval\": ");
    write_number(&d->line, d->interval_s);
    smi_buf_fmt(&d->line,
                ", \"data_model_version\": \"1.5\", \"gpu_count\": %" PRId64 ", \"cpu_count\": %" PRId64
                ", \"gpu_type\": %s, \"start_at\": %" PRId64 ", \"end_at\": %" PRId64 ", \"%s\": ",
                d->gpu_count, d->cpu_count, d->gpu_type.p, d->start_at, d->end_at,
                d->to->flat ? "segments_json" : "segments");
    if (d->to->flat)
        write_data_string(d);
    else
        smi_buf_add(&d->line, d->data.p, d->data.n);
    return put_line(d, SMI_PYTORCH_METADATA, ", \"tags\": []}\n", err);
}

/* The first line of a usage log that is made. */
static int put_log_metadata(struct documents *d, struct smi_err *err)
{
    char cpus[24] = "null";
    if (d->cpu_count > 0)
        snprintf(cpus, sizeof cpus, "%" PRId64, d->cpu_count);
    smi_buf_fmt(&d->line,
                "{\"level\": \"metadata\", \"workflow_id\": \"%" PRIu64 "\", \"job_id\": \"%" PRIu64
                "\", \"workflow_name\": %s, \"job_name\": %s",
                d->to->job->workflow_id, d->to->job->job_id, d->workflow_name.p, d->job_name.p);
    smi_buf_str(&d->line, ", \"usage_collect_interval\": ");
    write_number(&d->line, d->interval_s);
    smi_buf_fmt(&d->line,
                ", \"data_model_version\": 1.5, \"start_at\": %" PRId64 ", \"gpu_count\": %" PRId64
                ", \"cpu_count\": %s, \"gpu_type\": %s",
                d->start_at, d->gpu_count, cpus, d->gpu_type.p);
    return put_line(d, SMI_PYTORCH_LOG, ", \"error\": null}\n", err);
}

/* A record of it; how long the monitor would have taken is not known. */
static int put_log_record(struct documents *d, int64_t at, struct smi_err *err)
{
    smi_buf_fmt(&d->line,
                "{\"level\": \"record\", \"timestamp\": %" PRId64 ", \"data\": %s, \"cmd_names\": %s", at,
                d->some ? d->data.p : "null", d->some ? "[" : "null");
    for (size_t i = 0; d->some && i < d->commands; i++)
        smi_buf_fmt(&d->line, "%s%s", i ? ", " : "", d->name[d->command[i]].json);
    smi_buf_str(&d->line, d->some ? "]" : "");
    return put_line(d, SMI_PYTORCH_LOG, ", \"error\": null, \"log_duration\": \"0.00 ms\", \"logs\": []}\n",
                    err);
}

/* ---- readings ---- */

/* The monitor is a Python program: its numbers are doubles, added up one after the other, divided, and
 * rounded to two decimals half to even. So are these, so that the same samples give the same numbers. */

/* What a point is of, beside the statistics. Its tag is that and its device, 0 for the machine. */
enum {
    FB_TOTAL = STATS,
    COMMAND_BEGINS, /* whose value is its place in names */
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

/* The reading of a metric in a row, or `other`. */
static int64_t reading_of(const struct smi_run_row *row, unsigned metric, int64_t other)
{
    for (unsigned i = 0; i < row->n; i++)
        if (row->metric[i] == metric)
            return row->v[i];
    return other;
}

/* psutil's cpu_percent, which the monitor prints, is what is neither idle nor waiting for disks. Where a log
 * has the idle time alone, waiting counts as busy: it cannot be told apart. */
static int add_row(void *self, const struct smi_run_row *row, struct smi_err *err)
{
    struct documents *d = self;
    const struct smi_metric_source *s = &d->source;
    const int pct = s->rank[0][SMI_CPU_PCT], idle = s->rank[0][SMI_CPU_IDLE];
    for (unsigned i = 0; i < row->n; i++) {
        unsigned metric = row->metric[i], what = what_of[metric];
        bool is_idle = metric == SMI_CPU_IDLE;
        int64_t v = row->v[i];
        if (!(what & (row->gpu < 0 ? OF_HOST : OF_GPU)) ||
            (is_idle && reading_of(row, SMI_CPU_PCT, INT64_MIN) != INT64_MIN))
            continue;
        d->untimed += !row->timed;
        if (!row->timed || !smi_metric_source_feeds(s, d->input, row->gpu, metric) ||
            (metric == SMI_CPU_PCT && pct > idle) || (is_idle && idle > pct)) /* the first format has it */
            continue;
        if (is_idle)
            v = 100000000 - v - reading_of(row, SMI_CPU_IOWAIT, 0);
        d->first_ms = !d->timed || row->t_ms < d->first_ms ? row->t_ms : d->first_ms;
        d->last_ms = !d->timed || row->t_ms > d->last_ms ? row->t_ms : d->last_ms;
        d->timed = true;
        if (smi_sorted_points_add(&d->points, row->t_ms, is_idle && v < 0 ? 0 : v,
                                  (uint32_t)(row->gpu + 1) * DEVICE + what % DEVICE, err))
            return -1;
    }
    return 0;
}

static bool contains_word(struct smi_text t, const char *word)
{
    return t.n && memmem(t.p, t.n, word, strlen(word)) != NULL;
}

/* The monitor looks at the name of the process, too: a shell that runs Python is not Python. */
bool smi_pytorch_is_named(struct smi_text command)
{
    struct smi_text rest = command, program = smi_text_word(&rest);
    const char *slash = program.n ? memrchr(program.p, '/', program.n) : NULL;
    if (slash)
        program = (struct smi_text){slash + 1, (size_t)(program.p + program.n - slash - 1)};
    return contains_word(program, "python") || contains_word(command, "pytest");
}

/* A command that the monitor would name begins; *place: -1 if it would not. */
static int begin_command(struct documents *d, struct smi_text command, int64_t t_ms, int64_t *place,
                         struct smi_err *err)
{
    size_t at;
    *place = -1;
    if (!smi_pytorch_is_named(command))
        return 0;
    if (find_name(d, set_string(d, &d->room, command), &at, err))
        return -1;
    *place = (int64_t)at;
    return smi_sorted_points_add(&d->points, t_ms, *place, COMMAND_BEGINS, err);
}

static int end_command(struct documents *d, int64_t t_ms, int64_t *place, struct smi_err *err)
{
    int rc = *place < 0 ? 0 : smi_sorted_points_add(&d->points, t_ms, *place, COMMAND_ENDS, err);
    *place = -1;
    return rc;
}

/* A recording knows its command: {"type": "event", "event": "start", "data": {..., "command": "python3
 * x.py"}}; a usage log has phases. */
static int add_mark(void *self, const struct smi_export_mark *mark, struct smi_err *err)
{
    struct documents *d = self;
    const struct smi_mark *m = mark->of;
    int64_t t_ms = m->t_us / 1000 - (m->t_us % 1000 < 0), place;
    bool log = d->r->input[d->input].kind == SMI_FMT_USAGE_LOG, event = m->kind == SMI_MARK_EVENT;
    bool start = event && smi_text_is(m->name, "start"),
         stop = event && (smi_text_is(m->name, "stop") || smi_text_is(m->name, "end"));
    bool metadata = log && event && smi_text_is(m->name, "metadata");
    if (metadata) {
        d->has_start = true;
        d->start_at = t_ms / 1000;
    }
    for (const struct smi_field *f = m->field; metadata && f < m->field + m->fields; f++) {
        int64_t micro = 0; /* what it says of the machine */
        (void)smi_json_text_number(f->text, &micro);
        if (smi_text_is(f->key, "usage_collect_interval") && micro > 0)
            d->interval_s = (double)micro / 1e6;
        else if (smi_text_is(f->key, "gpu_count"))
            d->gpu_count = micro / 1000000;
        else if (smi_text_is(f->key, "cpu_count"))
            d->cpu_count = micro / 1000000;
        else if (smi_text_is(f->key, "gpu_type"))
            set_string(d, &d->gpu_type, f->text);
    }
    if (log && m->kind == SMI_MARK_PHASE)
        return begin_command(d, m->name, t_ms - m->span_us / 1000, &place, err)
                   ? -1
                   : end_command(d, t_ms, &place, err);
    if ((start || stop) && end_command(d, t_ms, &d->running, err))
        return -1;
    for (unsigned i = 0; start && i < m->fields && d->running < 0; i++)
        if (m->field[i].in_data && smi_text_is(m->field[i].key, "command") &&
            begin_command(d, m->field[i].text, t_ms, &d->running, err))
            return -1;
    return 0;
}

static int read_run(struct documents *d, struct smi_err *err)
{
    const struct smi_export_run *r = d->r;
    int rc = smi_metric_source_init(&d->source, r, true, err);
    for (d->input = 0; !rc && d->input < r->inputs; d->input++)
        if (r->input[d->input].base == SMI_TIME_BASE_UTC)
            rc = smi_export_rows(r, d->input, 0, add_row, d, err);
    smi_metric_source_fini(&d->source);
    for (d->input = 0; !rc && d->input < r->inputs; d->input++) {
        d->running = -1; /* a command that never ends was killed, or runs on */
        rc = smi_export_marks(r, d->input, 0, add_mark, d, err);
    }
    return rc;
}

/* ---- the machine ---- */

/* GPUs by their UUID, bus ID or number. */
static void name_gpus(struct documents *d)
{
    const struct smi_summary *s = d->r->summary;
    const char *first = NULL;
    d->device = smi_mem_new(s->ngpus + 1, sizeof *d->device);
    for (size_t i = 0; i < s->ngpus; i++) {
        const struct smi_gpu *gpu = &s->gpus[i];
        char number[32];
        const char *name = gpu->uuid ? gpu->uuid : gpu->bus ? gpu->bus : gpu->pooled ? "gpus" : number;
        snprintf(number, sizeof number, "gpu%lld", (long long)(gpu->index >= 0 ? gpu->index : (int64_t)i));
        d->device[i + 1].uuid = json_stringn_nocheck(name, strlen(name));
        if (!gpu->uuid && !first)
            first = json_string_value(d->device[i + 1].uuid);
    }
    if (first)
        smi_export_warn(d->say, d->r, "no uuid is known of a GPU: it is called %s in its place",
                        set_string(d, &d->room, smi_text_of(first)));
}

static void describe_machine(struct documents *d)
{
    const struct smi_export_run *r = d->r;
    int64_t collect = 0;
    bool amd = false;
    for (size_t i = 0; i < r->inputs; i++) {
        const struct smi_input *counts = r->input[i].counts;
        int id = r->input[i].kind;
        amd = amd || (id >= SMI_FMT_AMD_METRIC && id <= SMI_FMT_ROCM_JSON);
        if (counts->interval_s.has && counts->interval_s.micro > 0 && (!collect || counts->gpu))
            collect = counts->interval_s.micro;
    }
    d->interval_s = collect ? (double)collect / 1e6 : 1;
    d->cpu_count = r->summary->cpus;
    d->gpu_count = (int64_t)r->summary->ngpus;
    set_string(d, &d->gpu_type, smi_text_of(!d->gpu_count ? "" : amd ? "amdsmi" : "pynvml"));
}

/* Says what is left out. Returns 0, or -1 with err if nothing is left. */
static int report_left_out(const struct documents *d, struct smi_err *err)
{
    const char *const why[] = {"rows are left out, the zone of their times is not known: --tz",
                               "rows are left out, they have no times, or times without a date",
                               "readings are left out, they have no time"};
    uint64_t n[] = {0, 0, d->untimed};
    for (size_t i = 0; i < d->r->inputs; i++)
        if (d->r->input[i].base != SMI_TIME_BASE_UTC)
            n[d->r->input[i].base != SMI_TIME_BASE_LOCAL] += d->r->input[i].rows;
    if (!d->timed)
        return smi_err_set(err, SMI_EFORMAT, "%s",
                           n[0]   ? "the zone of its times is not known: --tz"
                           : n[1] ? "its rows have no times, or times without a date"
                                  : "has no reading of a GPU, the CPUs or the memory that has a time");
    for (int i = 0; i < 3; i++)
        if (n[i])
            smi_export_warn(d->say, d->r, "%" PRIu64 " %s", n[i], why[i]);
    d->done->doubts += n[0] || n[1] || n[2];
    return 0;
}

/* ---- readings into records ---- */

static void note_max(struct stats *s, double v)
{
    s->max = s->has_max && s->max > v ? s->max : v;
    s->has_max = true;
}

static void add_raw(struct stats *s, double v)
{
    note_max(s, v);
    s->raw = s->raw ? s->raw : json_array();
    json_array_append_new(s->raw, json_real(v));
}

/* The readings as JSON, which empties them. */
static json_t *take_stats(struct stats *s)
{
    const struct stats all = *s;
    double sum = 0;
    json_t *each;
    size_t i;
    *s = (struct stats){0};
    json_array_foreach (all.raw, i, each)
        sum += json_real_value(each);
    return all.raw ? json_pack("{s:f,s:f,s:o}", "avg", smi_real_round(sum / (double)i, 2), "max",
                               smi_real_round(all.max, 2), "raw", all.raw)
                   : json_object();
}

static json_t *take_gpu(struct device *x)
{
    struct stats *used = &x->stats[FB_USED], *pct = &x->stats[FB_PCT];
    const bool share = !pct->raw && x->has_total && x->total > 0; /* of its memory: no log has it */
    json_t *gpu = json_pack("{s:O}", "uuid", x->uuid), *each;
    size_t i;
    if (share && used->has_max)
        note_max(pct, used->max / x->total * 100);
    json_array_foreach (share ? used->raw : NULL, i, each)
        add_raw(pct, json_real_value(each) / x->total * 100);
    for (int k = 0; k < STATS; k++)
        json_object_set_new(gpu, gpu_members[1 + k].key, take_stats(&x->stats[k]));
    if (x->has_total)
        json_object_set_new(gpu, "total_mem_value", json_real(x->total));
    return gpu;
}

static int finish_record(struct documents *d, struct smi_err *err)
{
    const int64_t at = (d->start_ms + ++d->k * d->interval_ms) / 1000;
    const size_t commands = d->commands, gpus = d->r->summary->ngpus;
    json_t *data = d->some ? json_object() : NULL, *list = d->some && gpus ? json_array() : NULL;
    size_t kept = 0;
    int rc;
    for (size_t i = 1; list && i <= gpus; i++)
        json_array_append_new(list, take_gpu(&d->device[i]));
    for (int k = 0; d->some && k < 2; k++)
        json_object_set_new(data, data_members[k].key, take_stats(&d->device->stats[k]));
    if (list)
        json_object_set_new(data, "gpu_usage", list);
    copy_data(d, data);
    json_decref(data);
    d->commands = d->some ? commands : 0;
    rc = put_record(d, at, err) || put_log_record(d, at, err) ? -1 : 0;
    d->some = false;
    for (size_t i = 0; i < commands; i++) { /* those that have ended go */
        struct name *name = &d->name[d->command[i]];
        name->shown = name->running > 0;
        if (name->shown)
            d->command[kept++] = d->command[i];
    }
    d->commands = kept;
    return rc;
}

static int take_point(void *self, const struct smi_sorted_point *p, struct smi_err *err)
{
    struct documents *d = self;
    struct device *device = &d->device[p->tag / DEVICE];
    unsigned what = p->tag % DEVICE;
    struct stats *s = &device->stats[what % STATS];
    double v = (double)p->v / 1e6;
    while (d->k <= d->last &&
           p->t_ms - d->start_ms > (d->k + 1) * d->interval_ms) /* it ends at its record's time */
        if (finish_record(d, err))
            return -1;
    if (d->k > d->last)
        return 0;
    if (what == COMMAND_BEGINS && d->name[p->v].running++ == 0 && !d->name[p->v].shown) {
        d->name[p->v].shown = true;
        *SMI_MEM_ADD(d->command, d->commands, d->command_cap) = (size_t)p->v;
    }
    if (what == COMMAND_ENDS)
        d->name[p->v].running--;
    if (what == COMMAND_BEGINS || what == COMMAND_ENDS)
        return 0;
    d->some = true;
    if (what == FB_TOTAL) {
        device->has_total = true;
        device->total = v;
    } else if (what & PEAK) {
        note_max(s, v);
    } else {
        add_raw(s, v);
    }
    return 0;
}

static int make_records(struct documents *d, struct smi_err *err)
{
    describe_machine(d);
    name_gpus(d);
    if (d->r->summary->ngpus > SMI_PYTORCH_GPUS)
        return smi_err_set(err, SMI_ELIMIT, "has more than %d GPUs", SMI_PYTORCH_GPUS);
    d->points.chain.of = &d->to->spill;
    if (read_run(d, err) || report_left_out(d, err))
        return -1;
    d->start_ms = d->first_ms - (d->first_ms % 1000 + 1000) % 1000;
    if (d->has_start && d->start_at < d->start_ms / 1000)
        d->start_ms = d->start_at * 1000;
    d->start_at = d->start_ms / 1000;
    d->last = d->last_ms <= d->start_ms ? 0 : (d->last_ms - d->start_ms - 1) / d->interval_ms;
    if (d->last >= SMI_PYTORCH_RECORDS)
        return smi_err_set(err, SMI_ELIMIT,
                           "its readings span %" PRId64 " records of %.3f s, more than %d: "
                           "use a longer --log-interval",
                           d->last + 1, (double)d->interval_ms / 1000, SMI_PYTORCH_RECORDS);
    if (put_log_metadata(d, err) || smi_sorted_points_each(&d->points, take_point, d, err))
        return -1;
    while (d->k <= d->last)
        if (finish_record(d, err))
            return -1;
    return 0;
}

/* ---- from beginning to end ---- */

static void free_documents(struct documents *d)
{
    struct smi_buf *const bufs[] = {&d->gpu_type, &d->workflow_name, &d->job_name, &d->keep,
                                    &d->room,     &d->repaired,      &d->data,     &d->line};
    for (size_t g = 0; d->device && g <= d->r->summary->ngpus; g++) {
        json_decref(d->device[g].uuid);
        for (int i = 0; i < STATS; i++)
            json_decref(d->device[g].stats[i].raw);
    }
    for (size_t i = 0; i < d->names; i++)
        smi_mem_free(d->name[i].json);
    for (size_t i = 0; i < sizeof bufs / sizeof *bufs; i++)
        smi_buf_fini(bufs[i]);
    smi_mem_free(d->device);
    smi_mem_free(d->command);
    smi_mem_free(d->name);
    json_decref(d->map);
    smi_mem_free(d->span);
    smi_sorted_points_fini(&d->points);
}

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
    struct documents d = {.to = to,
                          .r = r,
                          .say = say,
                          .done = done,
                          .interval_ms = interval_ms,
                          .map = json_object(),
                          .path = log < 0 ? "" : r->input[log].path};
    int rc;
    set_string(&d, &d.gpu_type, smi_text_of(""));
    write_string(&d, &d.workflow_name, smi_text_of(to->job->workflow_name));
    write_string(&d, &d.job_name, smi_text_of(to->job->job_name));
    rc = interval_ms ? make_records(&d, err) : smi_export_text(r, (size_t)log, feed_log, &d, err);
    if (!rc && (d.keep.n || d.skipping)) /* a last line without an end */
        rc = read_line(&d, err);
    if (d.dropped > DROPPED)
        smi_export_warn(say, r, "%" PRIu64 " more lines like that were dropped", d.dropped - DROPPED);
    if (!rc && !interval_ms && d.lines < 2)
        rc = smi_err_set(err, SMI_EFORMAT, "has fewer than two lines: nothing is written");
    rc = rc ? rc : put_metadata(&d, err);
    done->rows += rc ? 0 : to->records;
    done->documents += rc ? 0 : to->records + 1;
    free_documents(&d);
    return rc;
}

/* ---- the target: which job a run is of, and where its documents go ---- */

enum { INTERVAL_MS = 5000 };

#define JOB "%" PRIu64 "/%" PRIu64 "/%" PRIu64 /* as in paths */

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

struct out {
    struct smi_target_out out; /* first */
    const struct smi_pytorch_sink *sink;
    struct smi_pytorch_settings set;
    bool replace;
    uint64_t skipped;
    struct smi_pytorch_job job;   /* what was typed, or its defaults */
    struct smi_pytorch_job *done; /* the jobs so far */
    size_t n, cap;
    struct smi_pytorch_sink files; /* the sink of a directory: */
    const char *dir;
    struct smi_buf path;
};

static int read_settings(struct out *o, const struct smi_pytorch_settings *s, struct smi_err *err)
{
    uint64_t created = (uint64_t)smi_clock_utc_ms() / 1000;
    o->set = *s;
    o->job.run_attempt = 1;
    o->job.repo = s->repo ? s->repo : "pytorch/pytorch";
    if (!is_repo(o->job.repo))
        return smi_err_set(err, SMI_EUSAGE, "--repo %.100s: names like pytorch/pytorch are", o->job.repo);
    if (option_value("--workflow-run-id", s->workflow_id, UINT64_MAX, &o->job.workflow_id, err) ||
        option_value("--job-id", s->job_id, UINT64_MAX, &o->job.job_id, err) ||
        option_value("--run-attempt", s->run_attempt, UINT32_MAX, &o->job.run_attempt, err) ||
        option_value("--created-at", s->created_at, UINT32_MAX, &created, err))
        return -1;
    if (s->interval_us && (s->interval_us < 1000000 || s->interval_us > 86400000000))
        return smi_err_set(err, SMI_EUSAGE, "--log-interval: from 1 to 86400 seconds");
    o->job.created_at = (int64_t)created;
    return 0;
}

/* ---- files below a directory ---- */

static const struct {
    const char *collection, *name, *mode, *magic;
} places[SMI_PYTORCH_KINDS] = {
    [SMI_PYTORCH_SERIES] = {"util_timeseries", "time_series", "wb1", "\x1f\x8b"},
    [SMI_PYTORCH_LOG] = {"usage_log", "usage_log.txt", "wbT", "{\"level\": \"metadata\""},
    [SMI_PYTORCH_METADATA] = {"util_metadata", "metadata", "wb1", "\x1f\x8b"}};

/* Returns 1 if the file at o->path is there, 0 if not, or -1 with err: it does not begin with magic. */
static int is_there(const struct out *o, const char *magic, struct smi_err *err)
{
    const char *path = o->path.p;
    char head[32];
    struct smi_file_info info;
    ssize_t got;
    int fd;
    if (access(path, F_OK) != 0 && errno == ENOENT)
        return 0;
    fd = smi_file_open(AT_FDCWD, path, false, &info, err);
    if (fd < 0)
        return -1;
    got = smi_file_read_at(fd, head, strlen(magic), -1, path, err);
    close(fd);
    if (got < 0)
        return -1;
    return (size_t)got == strlen(magic) && memcmp(head, magic, (size_t)got) == 0
               ? 1
               : smi_err_set(err, SMI_EIO, "%.400s is there, and not of an earlier export", path);
}

static void set_path(struct out *o, const struct smi_pytorch_job *job, enum smi_pytorch_kind kind)
{
    smi_buf_clear(&o->path);
    smi_buf_fmt(&o->path, "%s/%s%s/v_1.5/%s/%" PRIu64 "/%" PRIu64 "/%" PRIu64 "/%s", o->dir,
                o->set.debug && kind != SMI_PYTORCH_LOG ? "debug_" : "", places[kind].collection, job->repo,
                job->workflow_id, job->run_attempt, job->job_id, places[kind].name);
}

static int has_files(void *self, const struct smi_pytorch_job *job, struct smi_err *err)
{
    set_path(self, job, SMI_PYTORCH_METADATA);
    return is_there(self, places[SMI_PYTORCH_METADATA].magic, err);
}

/* Makes the file at o->path and its directories, to be written. */
static int create_file(struct out *o, struct smi_file_out *f, struct smi_err *err)
{
    for (char *p = o->path.p + 1; (p = strchr(p, '/')) != NULL; p++) {
        *p = 0;
        if (mkdir(o->path.p, 0777) && errno != EEXIST)
            return smi_err_set(err, SMI_EIO, "cannot make the directory %.300s: %s", o->path.p,
                               strerror(errno));
        *p = '/';
    }
    return smi_file_create(f, o->path.p, err);
}

static int write_file(const struct smi_file_out *f, const char *mode, const struct smi_block_list *lines,
                      struct smi_err *err)
{
    struct smi_block_list_cursor at = {.of = lines};
    const int fd = dup(f->fd);
    gzFile z = fd < 0 ? NULL : gzdopen(fd, mode);
    bool ok = z != NULL;
    int rc = 0;
    while (ok && (rc = smi_block_list_more(&at, err)) > 0) {
        ok = gzfwrite(at.p, 1, at.n, z) == at.n;
        at.n = 0;
    }
    smi_block_list_cursor_fini(&at);
    if (!z && fd >= 0)
        close(fd);
    if ((z && gzclose(z) != Z_OK) || !ok)
        rc = smi_err_set(err, SMI_EIO, "cannot write %.300s: %s", f->path, strerror(errno));
    return rc;
}

/* All are written before the first gets into its place, and the metadata does last. */
static int put_files(void *self, const struct smi_pytorch_documents *d, struct smi_err *err)
{
    struct out *o = self;
    struct smi_file_out file[SMI_PYTORCH_KINDS];
    int n = 0, rc = 0;
    for (int kind = 0; kind < SMI_PYTORCH_KINDS && !rc; kind++) {
        if (!d->of[kind].of)
            continue;
        set_path(o, d->job, kind);
        rc = is_there(o, places[kind].magic, err) < 0 || create_file(o, &file[n], err) ? -1 : 0;
        rc = rc ? rc : write_file(&file[n++], places[kind].mode, &d->of[kind], err);
    }
    for (int i = 0; i < n; i++)
        rc = smi_file_close(&file[i], !rc, err) || rc ? -1 : 0;
    return rc;
}

/* ---- which job ---- */

/* What was typed, else a parameter of the run, among which a usage_log.txt's own are. */
static const char *job_name(const struct smi_export_run *r, const char *typed, const char *key)
{
    const struct smi_param *p = smi_run_param(r->summary, key);
    return typed ? typed : p ? p->text : "";
}

/* The job of a run; all that it has is borrowed. Two runs of one job would be one file. */
static int identify_job(struct out *o, struct smi_pytorch_job *job, const struct smi_export_run *r,
                        struct smi_err *err)
{
    *job = o->job;
    if (!o->set.workflow_id && !get_number(job_name(r, NULL, "workflow_id"), UINT64_MAX, &job->workflow_id))
        return smi_err_set(err, SMI_EUSAGE,
                           "%.200s does not say which workflow run it is of: --workflow-run-id",
                           r->summary->run);
    if (!o->set.job_id && !get_number(job_name(r, NULL, "job_id"), UINT64_MAX, &job->job_id))
        return smi_err_set(err, SMI_EUSAGE, "%.200s does not say which job it is of: --job-id",
                           r->summary->run);
    if (!o->set.run_attempt)
        (void)get_number(job_name(r, NULL, "run_attempt"), UINT32_MAX, &job->run_attempt);
    job->workflow_name = job_name(r, o->set.workflow_name, "workflow_name");
    job->job_name = job_name(r, o->set.job_name, "job_name");
    for (const struct smi_pytorch_job *k = o->done; k < o->done + o->n; k++)
        if (k->job_id == job->job_id && k->workflow_id == job->workflow_id &&
            k->run_attempt == job->run_attempt)
            return smi_err_set(err, SMI_EUSAGE,
                               "%.200s is not the only run of job " JOB ": each job has one, by "
                               "--workflow-run-id, --run-attempt and --job-id",
                               r->summary->run, job->workflow_id, job->run_attempt, job->job_id);
    *SMI_MEM_ADD(o->done, o->n, o->cap) = *job;
    return 0;
}

/* ---- runs ---- */

static int write_run(struct out *o, const struct smi_export_run *r, struct smi_buf *say, struct smi_err *err)
{
    const int64_t interval_ms = o->set.interval_us / 1000;
    struct smi_pytorch_job job;
    struct smi_pytorch_documents made = {.job = &job, .flat = o->sink->flat};
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
        smi_export_warn(say, r, "skipped, job " JOB " is there already: --replace writes it again",
                        job.workflow_id, job.run_attempt, job.job_id);
        o->skipped++;
        return 0;
    }
    if (logs && r->inputs > 1)
        smi_export_warn(say, r, "%.200s is exported, and none of the run's other logs", r->input[log].path);
    if (rc >= 0)
        rc = smi_pytorch_make(&made, r, log, log < 0 && !interval_ms ? INTERVAL_MS : interval_ms, say,
                              &o->out, err);
    rc = rc ? rc : o->sink->put(o->sink->self, &made, err);
    o->out.runs += !rc;
    smi_pytorch_documents_fini(&made);
    return rc;
}

/* The inputs of the run without logs that an earlier export to the same directory has made: where DIR lies
 * among the runs, they would be found, and be runs of their own or parts of others. Returns how many are
 * left. */
static size_t without_made(const struct out *o, const struct smi_export_run *r, struct smi_export_input *to)
{
    char *dir = o->dir ? realpath(o->dir, NULL) : NULL; /* the system's own memory, not base/mem's */
    struct smi_buf made = {0}, path = {0};
    size_t n = 0;
    smi_buf_fmt(&made, "%s/usage_log/v_1.5/", dir ? dir : "");
    for (size_t i = 0; i < r->inputs; i++) {
        smi_buf_clear(&path);
        smi_buf_fmt(&path, "%s/%s", r->place, r->input[i].path);
        to[n] = r->input[i];
        n += !dir || strncmp(path.p, made.p, made.n) != 0;
    }
    smi_buf_fini(&made);
    smi_buf_fini(&path);
    free(dir);
    return n;
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
    own.inputs = without_made(o, r, input);
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
    smi_mem_free(o->done);
    smi_buf_fini(&o->path);
    smi_mem_free(o);
    return rc;
}

struct smi_target_out *smi_pytorch_target_open(const char *dir, const struct smi_pytorch_sink *sink,
                                               const struct smi_target_set *set, struct smi_err *err)
{
    struct out *o = smi_mem_new(1, sizeof *o);
    o->files = (struct smi_pytorch_sink){has_files, put_files, o, .flat = false};
    o->sink = sink ? sink : &o->files;
    o->dir = dir;
    o->replace = set->replace;
    if (read_settings(o, set->pytorch, err) == 0)
        return &o->out;
    smi_mem_free(o);
    return NULL;
}

static struct smi_target_out *open_target(const struct smi_target *target, const char *where,
                                          const struct smi_target_set *set, struct smi_err *err)
{
    struct stat st;
    (void)target;
    if (stat(where, &st) != 0 || S_ISDIR(st.st_mode))
        return smi_pytorch_target_open(where, NULL, set, err);
    smi_err_set(err, SMI_EUSAGE, "--to pytorch:%.300s: is not a directory", where);
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
