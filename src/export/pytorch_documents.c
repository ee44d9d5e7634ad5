/* One line of a log becomes one line of the time series:
 *
 *     {"level": "record", "timestamp": 1739482605, "data": {"cpu": {...}, ...}, "cmd_names": [...], "error":
 * null, ...}
 *     {"created_at": 1739490000, "type": "utilization", "tags": ["record"], "time_stamp": 1739482605, "repo":
 * ..., "json_data": "{\"cpu\": {...}, ...}"}
 *
 * Lines that are no record are dropped, and so are records of an interval that failed. The uploader knows a
 * log by its first line; what of it names the job is not used, the caller's word counts. */
#include "export/pytorch.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/text.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* jansson parses. What it does not know, and Python does, is hidden from it behind U+0001, which no log has,
 * and if one has, is hidden as well:
 *
 *     in a string    \u0000                   "\u00010000": a key may hold it, too
 *                    \u0001                   "\u00010001": so that what follows a U+0001 is always four
 * digits \udcff without its pair  "\u0001dcff" for a value    NaN, 1e999, 99...9       {"\u0001": "NaN"}: it
 * is no string, or it could stand where a key has to
 *
 * The text of a hidden number is what Python prints: whole numbers have one spelling, and what no double
 * holds is Infinity. All other numbers are a 64 bit integer or a double, and these are printed as Python does
 * (base/text.h). */

enum {
    WHOLE_DIGITS = 4300 /* Python's own limit */,
    SAFE_DIGITS = 18,
    LONG_TEXT = 500 /* what text.h takes */
};

/* ---- reading ---- */

/* The four hexadecimal digits at p as a number, or -1. */
static int hex4(const char *p, const char *end)
{
    int v = 0;
    if (end - p < 4)
        return -1;
    for (int i = 0; i < 4; i++) {
        char c = (char)(p[i] | 32);
        if (p[i] >= '0' && p[i] <= '9')
            v = v * 16 + p[i] - '0';
        else if (c >= 'a' && c <= 'f')
            v = v * 16 + c - 'a' + 10;
        else
            return -1;
    }
    return v;
}

static int escape_at(const char *p, const char *end)
{
    return end - p >= 6 && p[0] == '\\' && p[1] == 'u' ? hex4(p + 2, end) : -1;
}

/* Copies the escape at p. Returns what is behind it. */
static const char *scan_escape(struct smi_buf *to, const char *p, const char *end)
{
    int code = escape_at(p, end), low;
    size_t n = code >= 0 ? 6 : end - p >= 2 ? 2 : 1;
    if (code >= 0xD800 && code < 0xDC00) {
        low = escape_at(p + 6, end);
        if (low >= 0xDC00 && low < 0xE000) {
            smi_buf_add(to, p, 12);
            return p + 12;
        }
    }
    if (code == 0 || code == 1 || (code >= 0xD800 && code < 0xE000))
        smi_buf_fmt(to, "\\u0001%04x", (unsigned)code);
    else
        smi_buf_add(to, p, n);
    return p + n;
}

/* Copies the string whose quote stands at p. Returns what is behind it. */
static const char *string(struct smi_buf *to, const char *p, const char *end)
{
    const char *from = p++;
    while (p < end && *p != '"') {
        if (*p != '\\') {
            p++;
            continue;
        }
        smi_buf_add(to, from, (size_t)(p - from));
        from = p = scan_escape(to, p, end);
    }
    p += p < end;
    smi_buf_add(to, from, (size_t)(p - from));
    return p;
}

static void append_hidden(struct smi_buf *to, const char *p, size_t n)
{
    smi_buf_str(to, "{\"\\u0001\":\"");
    smi_buf_add(to, p, n);
    smi_buf_str(to, "\"}");
}

/* Copies the number at p. Returns what is behind it. */
static const char *scan_number(struct smi_buf *to, const char *p, const char *end)
{
    const char *from = p;
    struct smi_text t;
    bool whole = true;
    double v;
    for (; p < end && *p && strchr("0123456789+-.eE", *p); p++)
        whole = whole && *p != '.' && *p != 'e' && *p != 'E';
    t = (struct smi_text){from, (size_t)(p - from)};
    if (!smi_text_is_number(t))
        smi_buf_add(to, t.p, t.n);
    else if (whole && t.n > SAFE_DIGITS && t.n - (*from == '-') <= WHOLE_DIGITS)
        append_hidden(to, t.p, t.n);
    else if (!whole && t.n < LONG_TEXT && smi_real_parse(t, &v) != 0)
        append_hidden(to, *from == '-' ? "-Infinity" : "Infinity", *from == '-' ? 9 : 8);
    else
        smi_buf_add(to, t.p, t.n);
    return p;
}

/* The text as jansson knows it. Returns how deep it is. */
static int hide_values(struct smi_buf *to, struct smi_text text)
{
    const char *p = text.p, *end = p + text.n;
    int depth = 0, deepest = 0;
    size_t n;
    smi_buf_clear(to);
    while (p < end) {
        if (*p == '"') {
            p = string(to, p, end);
        } else if ((n = smi_json_python_word((struct smi_text){p, (size_t)(end - p)})) > 0) {
            append_hidden(to, p, n);
            p += n;
        } else if (*p == '-' || (*p >= '0' && *p <= '9')) {
            p = scan_number(to, p, end);
        } else {
            depth += (*p == '{' || *p == '[') - (*p == '}' || *p == ']');
            deepest = depth > deepest ? depth : deepest;
            smi_buf_char(to, *p++);
        }
    }
    return deepest;
}

void smi_pytorch_json_load(struct smi_text text, struct smi_buf *room, json_t **value, json_error_t *why)
{
    int depth;
    *value = NULL;
    *why = (json_error_t){0};
    if (!smi_text_is_utf8(text)) {
        snprintf(why->text, sizeof why->text, "it is not UTF-8");
        return;
    }
    depth = hide_values(room, text);
    if (depth > SMI_JSON_DEPTH) {
        snprintf(why->text, sizeof why->text, "deeper than %d levels", SMI_JSON_DEPTH);
        return;
    }
    *value = json_loadb(room->n ? room->p : "", room->n, JSON_DECODE_ANY, why);
    return; /* a reason for everything but a lack of memory */
}

/* ---- writing ---- */

/* A character that is not itself. */
static void write_special(struct smi_buf *to, const char *p, size_t len)
{
    static const char letters[] = "\bb\ff\nn\rr\tt\"\"\\\\";
    for (const char *l = letters; *l; l += 2)
        if (*p == *l) {
            smi_buf_add(to, (char[]){'\\', l[1]}, 2);
            return;
        }
    smi_json_escape(to, p, len);
}

/* hidden: a U+0001 stands for the four digits behind it. */
static void write_quoted(struct smi_buf *to, struct smi_text t, bool hidden)
{
    smi_buf_char(to, '"');
    for (size_t i = 0, len; i < t.n; i += len) {
        len = smi_text_utf8(t.p + i, t.n - i);
        if (len == 0) {
            smi_buf_str(to, "\\ufffd");
            len = 1;
        } else if (hidden && t.p[i] == 1 && t.n - i >= 5) {
            smi_buf_str(to, "\\u");
            smi_buf_add(to, t.p + i + 1, 4);
            len = 5;
        } else if (len > 1 || t.p[i] < ' ' || strchr("\"\\\x7f", t.p[i])) {
            write_special(to, t.p + i, len);
        } else {
            smi_buf_char(to, t.p[i]);
        }
    }
    smi_buf_char(to, '"');
}

void smi_pytorch_json_quote(struct smi_buf *to, struct smi_text t)
{
    write_quoted(to, t, false);
}

void smi_pytorch_json_dump_string(struct smi_buf *to, struct smi_text t)
{
    write_quoted(to, t, true);
}

static struct smi_text hidden_text(const json_t *v)
{
    return (struct smi_text){json_string_value(v), json_string_length(v)};
}

static void write_scalar(struct smi_buf *to, const json_t *v)
{
    char text[SMI_REAL_TEXT];
    switch (json_typeof(v)) {
    case JSON_STRING:
        smi_pytorch_json_dump_string(to, hidden_text(v));
        return;
    case JSON_INTEGER:
        smi_buf_fmt(to, "%" JSON_INTEGER_FORMAT, json_integer_value(v));
        return;
    case JSON_REAL:
        smi_buf_add(to, text, smi_real_write(text, json_real_value(v)));
        return;
    default:
        smi_buf_str(to, json_is_true(v) ? "true" : json_is_false(v) ? "false" : "null");
    }
}

const char *smi_pytorch_json_wide(const json_t *v)
{
    const json_t *s = json_is_object(v) && json_object_size(v) == 1 ? json_object_get(v, "\x01") : NULL;
    return json_is_string(s) ? json_string_value(s) : NULL;
}

/* At most SMI_JSON_DEPTH deep. */
void smi_pytorch_json_dump(struct smi_buf *to, const json_t *value)
{
    const char *number_text = smi_pytorch_json_wide(value), *key;
    json_t *each;
    size_t i;
    if (number_text) {
        smi_buf_str(to, number_text);
    } else if (json_is_array(value)) {
        smi_buf_char(to, '[');
        json_array_foreach (value, i, each) {
            smi_buf_str(to, i ? ", " : "");
            smi_pytorch_json_dump(to, each);
        }
        smi_buf_char(to, ']');
    } else if (json_is_object(value)) {
        const char *comma = "";
        smi_buf_char(to, '{');
        json_object_foreach ((json_t *)(uintptr_t)value, key, each) {
            smi_buf_str(to, comma);
            smi_pytorch_json_dump_string(to, smi_text_of(key));
            smi_buf_str(to, ": ");
            smi_pytorch_json_dump(to, each);
            comma = ", ";
        }
        smi_buf_char(to, '}');
    } else {
        write_scalar(to, value);
    }
}

bool smi_pytorch_json_is_false(const json_t *v)
{
    if (smi_pytorch_json_wide(v))
        return false; /* a wide number is none, and neither is NaN */
    if (json_is_string(v))
        return json_string_length(v) == 0;
    if (json_is_number(v))
        return json_number_value(v) == 0;
    return !v || json_is_null(v) || json_is_false(v) || (json_is_array(v) && json_array_size(v) == 0) ||
           (json_is_object(v) && json_object_size(v) == 0);
}

/* Is there no file, or one that begins with magic? */
static int has_magic(const char *path, const char *magic, struct smi_err *err)
{
    char head[32];
    size_t n = strlen(magic);
    struct smi_file_info info;
    ssize_t got;
    int fd;
    if (access(path, F_OK) != 0 && errno == ENOENT)
        return 0;
    fd = smi_file_open(AT_FDCWD, path, false, &info, err);
    if (fd < 0)
        return -1;
    assert(n <= sizeof head);
    got = smi_file_read(fd, head, n, path, err);
    close(fd);
    if (got < 0)
        return -1;
    return (size_t)got == n && memcmp(head, magic, n) == 0
               ? 0
               : smi_err_set(err, SMI_EIO, "%.400s is there, and not of an earlier export", path);
}

int smi_pytorch_prepare(const char *path, const char *magic, struct smi_err *err)
{
    char *copy = smi_mem_text(path, strlen(path));
    int rc = has_magic(path, magic, err);
    for (char *p = copy + 1; *copy && !rc && (p = strchr(p, '/')) != NULL; p++) {
        *p = 0;
        if (mkdir(copy, 0777) && errno != EEXIST)
            rc = smi_err_set(err, SMI_EIO, "cannot make the directory %.300s: %s", copy, strerror(errno));
        *p = '/';
    }
    smi_mem_free(copy);
    return rc;
}

int smi_pytorch_gzip_open(struct smi_pytorch_gzip *g, const char *path, struct smi_err *err)
{
    int fd;
    memset(g, 0, sizeof *g);
    g->path = smi_mem_text(path, strlen(path));
    if (smi_pytorch_prepare(path, "\x1f\x8b", err) || smi_file_create(&g->out, path, err)) {
        smi_mem_free(g->path);
        g->path = NULL;
        return -1;
    }
    fd = dup(g->out.fd);
    g->z = fd < 0 ? NULL : gzdopen(fd, "wb6");
    if (g->z)
        return 0;
    if (fd >= 0)
        close(fd);
    smi_pytorch_gzip_close(g, false, err);
    return smi_err_set(err, SMI_EIO, "%.300s: %s", path, strerror(errno));
}

int smi_pytorch_gzip_put(struct smi_pytorch_gzip *g, const char *p, size_t n, struct smi_err *err)
{
    if (gzfwrite(p, 1, n, g->z) == n)
        return 0;
    return smi_err_set(err, SMI_EIO, "cannot write %.300s: %s", g->path, strerror(errno));
}

int smi_pytorch_gzip_close(struct smi_pytorch_gzip *g, bool keep, struct smi_err *err)
{
    int rc = 0;
    if (!g->path)
        return 0;
    if (g->z && gzclose(g->z) != Z_OK && keep)
        rc = smi_err_set(err, SMI_EIO, "cannot write %.300s: %s", g->path, strerror(errno));
    g->z = NULL;
    if (smi_file_close(&g->out, keep && !rc, err))
        rc = -1;
    smi_mem_free(g->path);
    g->path = NULL;
    return rc;
}

struct smi_pytorch_documents {
    const struct smi_pytorch_job *job;
    struct smi_account *account;
    struct smi_pytorch_lines lines;
    struct smi_buf room, json, document, path;
    struct smi_buf about; /* of the job, in every document: from "repo" to "job_name" */
    struct smi_buf first; /* of the metadata document: all behind that, and in front of end_at */
    struct smi_pytorch_gzip series;
    struct smi_pytorch_segments segments;
    int64_t end_at;
};

void smi_pytorch_path(struct smi_buf *to, const struct smi_pytorch_job *job, const char *collection,
                      const char *file)
{
    smi_buf_fmt(to, "%s/%s/v_1.5/%s/%" PRIu64 "/%" PRIu32 "/%" PRIu64 "/%s", job->dir, collection, job->repo,
                job->workflow_id, job->run_attempt, job->job_id, file);
}

/* ---- the first line ---- */

static bool is_string(const json_t *v, const char *text)
{
    return json_is_string(v) && strcmp(json_string_value(v), text) == 0;
}

/* A key of the metadata document that has a value of its own where the log has none. */
static void number_or_default(struct smi_pytorch_documents *d, const json_t *entry, const char *key,
                              const char *otherwise)
{
    const json_t *v = json_object_get(entry, key);
    smi_buf_fmt(&d->first, ", \"%s\": ", key);
    if (!v || json_is_null(v))
        smi_buf_str(&d->first, otherwise);
    else
        smi_pytorch_json_dump(&d->first, v);
}

static bool is_or_null(const json_t *v, int type)
{
    return !v || json_is_null(v) || (int)json_typeof(v) == type;
}

/* Why the entry is no metadata that the database takes, or NULL. */
static const char *metadata_error(const json_t *entry)
{
    if (!is_string(json_object_get(entry, "level"), "metadata"))
        return "its level is not \"metadata\"";
    if (!json_is_number(json_object_get(entry, "usage_collect_interval")))
        return "its usage_collect_interval is no number";
    if (!json_is_integer(json_object_get(entry, "start_at")))
        return "its start_at is no whole number";
    if (!is_or_null(json_object_get(entry, "gpu_count"), JSON_INTEGER) ||
        !is_or_null(json_object_get(entry, "cpu_count"), JSON_INTEGER))
        return "its gpu_count or cpu_count is no whole number";
    return is_or_null(json_object_get(entry, "gpu_type"), JSON_STRING) ? NULL : "its gpu_type is no string";
}

static int version_error(struct smi_pytorch_documents *d, const json_t *version, struct smi_err *err)
{
    smi_buf_clear(&d->json);
    if (version)
        smi_pytorch_json_dump(&d->json, version);
    if (!version)
        return smi_err_set(err, SMI_EFORMAT, "has no data_model_version, as logs from before the model 1.0");
    return smi_err_set(err, SMI_EFORMAT, "its data_model_version is %.40s, not 1.5", d->json.p);
}

static int read_metadata(struct smi_pytorch_documents *d, const json_t *entry, const char *why,
                         struct smi_err *err)
{
    const json_t *version = json_object_get(entry, "data_model_version");
    d->account->header++;
    if (!json_is_object(entry))
        return smi_err_set(err, SMI_EFORMAT, "line 1 is no metadata: %s", *why ? why : "it is no object");
    if (is_string(json_object_get(entry, "level"), "metadata") &&
        !(json_is_real(version) && json_real_value(version) == 1.5))
        return version_error(d, version, err);
    why = metadata_error(entry);
    if (why)
        return smi_err_set(err, SMI_EFORMAT, "line 1 is no metadata: %s", why);
    smi_buf_str(&d->first, ", \"usage_collect_interval\": ");
    smi_pytorch_float_dump(&d->first, json_object_get(entry, "usage_collect_interval"));
    smi_buf_str(&d->first, ", \"data_model_version\": \"1.5\"");
    number_or_default(d, entry, "gpu_count", "0");
    number_or_default(d, entry, "cpu_count", "0");
    number_or_default(d, entry, "gpu_type", "\"\"");
    smi_buf_fmt(&d->first, ", \"start_at\": %" JSON_INTEGER_FORMAT,
                json_integer_value(json_object_get(entry, "start_at")));
    return 0;
}

/* ---- the others ---- */

static void drop_line(struct smi_pytorch_documents *d, const char *why)
{
    d->account->rejected[SMI_REJECT_FOREIGN]++;
    smi_account_warn(d->account, SMI_REJECT_FOREIGN, "dropped: %s", why);
}

/* The interval failed: its error is a sentence, or anything that is not false to Python. */
static int write_error(struct smi_pytorch_documents *d, const json_t *why)
{
    d->account->messages++;
    smi_buf_clear(&d->json);
    smi_pytorch_json_dump(&d->json, why);
    smi_account_warn(d->account, SMI_LOG_WARNING_MESSAGE, "dropped, its interval failed: %.300s", d->json.p);
    return 0;
}

/* The document that is made: to its file, or to the sink. */
static int write_document(struct smi_pytorch_documents *d, struct smi_pytorch_gzip *g, struct smi_err *err)
{
    const struct smi_pytorch_sink *sink = d->job->sink;
    const struct smi_buf *b = &d->document;
    return sink ? sink->put(sink->self, d->job, g == &d->series, b->p, b->n, err)
                : smi_pytorch_gzip_put(g, b->p, b->n, err);
}

/* The document of a record, whose data stand in json. */
static int write_record(struct smi_pytorch_documents *d, int64_t at, struct smi_err *err)
{
    smi_buf_clear(&d->document);
    smi_buf_fmt(&d->document,
                "{\"created_at\": %" PRId64 ", \"type\": \"utilization\", \"tags\": [\"record\"], "
                "\"time_stamp\": %" PRId64 ", ",
                d->job->created_at, at);
    smi_buf_add(&d->document, d->about.p, d->about.n);
    smi_buf_str(&d->document, ", \"json_data\": ");
    smi_pytorch_json_quote(&d->document, (struct smi_text){d->json.p, d->json.n});
    smi_buf_str(&d->document, "}\n");
    return write_document(d, &d->series, err);
}

static const char *collection(const struct smi_pytorch_documents *d, const char *debug)
{
    return d->job->debug ? debug : debug + sizeof "debug_" - 1;
}

static int begin_documents(struct smi_pytorch_documents *d, struct smi_pytorch_gzip *g, const char *debug,
                           const char *file, struct smi_err *err)
{
    if (d->job->sink)
        return 0;
    smi_buf_clear(&d->path);
    smi_pytorch_path(&d->path, d->job, collection(d, debug), file);
    return smi_pytorch_gzip_open(g, d->path.p, err);
}

static int read_record(struct smi_pytorch_documents *d, const json_t *entry, struct smi_err *err)
{
    const json_t *at = json_object_get(entry, "timestamp"), *data = json_object_get(entry, "data"), *command;
    const json_t *error = json_object_get(entry, "error"), *commands = json_object_get(entry, "cmd_names");
    int64_t t;
    size_t i;
    if (!is_string(json_object_get(entry, "level"), "record")) {
        drop_line(d, "no record");
        return 0;
    }
    if (!json_is_integer(at)) {
        drop_line(d, "its timestamp is no whole number");
        return 0;
    }
    smi_buf_clear(&d->json);
    if (!data || json_is_null(data))
        smi_buf_str(&d->json, "{}");
    else if (!smi_pytorch_data_dump(&d->json, data)) {
        drop_line(d, "its data are not those of the model 1.5");
        return 0;
    }
    if (!smi_pytorch_json_is_false(error))
        return write_error(d, error);
    t = json_integer_value(at);
    if (d->account->rows == 0 && begin_documents(d, &d->series, "debug_util_timeseries", "time_series", err))
        return -1;
    d->end_at = d->account->rows == 0 || t > d->end_at ? t : d->end_at;
    d->account->rows++;
    json_array_foreach ((json_t *)(uintptr_t)commands, i, command)
        if (json_is_string(command) &&
            smi_pytorch_segments_add(
                &d->segments, (struct smi_text){json_string_value(command), json_string_length(command)}, t,
                err))
            return -1;
    return write_record(d, t, err);
}

static int too_long_line(struct smi_pytorch_documents *d, struct smi_err *err)
{
    if (d->account->lines == 1)
        return smi_err_set(err, SMI_EFORMAT, "line 1 is no metadata: longer than 16 MiB");
    d->account->rejected[SMI_REJECT_TOO_LONG]++;
    smi_account_warn(d->account, SMI_REJECT_TOO_LONG, "dropped: longer than 16 MiB");
    return 0;
}

static int read_line(void *self, struct smi_text line, bool too_long, struct smi_err *err)
{
    struct smi_pytorch_documents *d = self;
    json_error_t why;
    json_t *entry;
    int rc;
    d->account->lines++;
    if (too_long)
        return too_long_line(d, err);
    smi_pytorch_json_load(line, &d->room, &entry, &why);
    if (d->account->lines == 1)
        rc = read_metadata(d, entry, why.text, err);
    else if (smi_text_trim(line).n == 0)
        rc = (d->account->blank++, 0);
    else if (!entry) {
        drop_line(d, why.text);
        rc = 0;
    } else
        rc = read_record(d, entry, err);
    json_decref(entry);
    return rc;
}

/* ---- from beginning to end ---- */

struct smi_pytorch_documents *smi_pytorch_documents_open(const struct smi_pytorch_job *job,
                                                         struct smi_account *account)
{
    struct smi_pytorch_documents *d = smi_mem_new(1, sizeof *d);
    d->job = job;
    d->account = account;
    d->lines.line = read_line;
    d->lines.self = d;
    smi_buf_str(&d->about, "\"repo\": ");
    smi_pytorch_json_quote(&d->about, smi_text_of(job->repo));
    smi_buf_fmt(&d->about,
                ", \"workflow_id\": %" PRIu64 ", \"run_attempt\": %" PRIu32 ", \"job_id\": %" PRIu64,
                job->workflow_id, job->run_attempt, job->job_id);
    smi_buf_str(&d->about, ", \"workflow_name\": ");
    smi_pytorch_json_quote(&d->about, job->workflow_name);
    smi_buf_str(&d->about, ", \"job_name\": ");
    smi_pytorch_json_quote(&d->about, job->job_name);
    return d;
}

int smi_pytorch_documents_feed(struct smi_pytorch_documents *d, const char *p, size_t n, struct smi_err *err)
{
    return smi_pytorch_lines_feed(&d->lines, p, n, err);
}

static int write_metadata(struct smi_pytorch_documents *d, struct smi_pytorch_gzip *g, struct smi_err *err)
{
    struct smi_buf *to = &d->document;
    smi_buf_clear(to);
    smi_buf_fmt(to, "{\"created_at\": %" PRId64 ", ", d->job->created_at);
    smi_buf_add(to, d->about.p, d->about.n);
    smi_buf_add(to, d->first.p, d->first.n);
    smi_buf_fmt(to, ", \"end_at\": %" PRId64 ", \"segments\": ", d->end_at);
    smi_pytorch_segments_json(to, &d->segments);
    smi_buf_str(to, ", \"tags\": []}\n");
    return write_document(d, g, err);
}

int smi_pytorch_documents_end(struct smi_pytorch_documents *d, struct smi_err *err)
{
    struct smi_pytorch_gzip g = {0};
    int rc;
    if (smi_pytorch_lines_end(&d->lines, err))
        return -1;
    if (d->account->lines < 2)
        return smi_err_set(err, SMI_EFORMAT, "has fewer than two lines: nothing is written");
    if (d->account->rows == 0)
        return smi_err_set(err, SMI_EFORMAT, "has no valid record: nothing is written");
    rc = begin_documents(d, &g, "debug_util_metadata", "metadata", err) || write_metadata(d, &g, err);
    /* a reader that finds the metadata finds the time series */
    rc = rc || smi_pytorch_gzip_close(&d->series, true, err) ? -1 : 0;
    return smi_pytorch_gzip_close(&g, !rc, err) || rc ? -1 : 0;
}

void smi_pytorch_documents_free(struct smi_pytorch_documents *d)
{
    if (!d)
        return;
    smi_pytorch_gzip_close(&d->series, false, NULL);
    smi_pytorch_segments_fini(&d->segments);
    smi_buf_fini(&d->lines.keep);
    smi_buf_fini(&d->room);
    smi_buf_fini(&d->json);
    smi_buf_fini(&d->document);
    smi_buf_fini(&d->path);
    smi_buf_fini(&d->about);
    smi_buf_fini(&d->first);
    smi_mem_free(d);
}
