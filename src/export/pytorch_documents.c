/* One line of a log becomes one line of the time series:
 *
 *     {"level": "record", "timestamp": 1739482605, "data": {"cpu": {...}, ...}, "cmd_names": [...], "error":
 * null, ...}
 *     {"created_at": 1739490000, "type": "utilization", "tags": ["record"], "time_stamp": 1739482605, "repo":
 * ..., "json_data": "{\"cpu\": {...}, ...}"}
 *
 * Lines that are no record are dropped, and so are records of an interval that failed. The uploader knows a
 * log by its first line; what of it names the job is not used, the caller's word counts. */
#include "export/pytorch_documents.h"

#include "base/mem.h"
#include "export/pytorch_data.h"
#include "export/pytorch_gzip.h"
#include "export/pytorch_lines.h"
#include "export/pytorch_json.h"
#include "export/pytorch_segments.h"

#include <inttypes.h>

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
    if (d->json.failed)
        return smi_err_nomem(err);
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
    return d->first.failed ? smi_err_nomem(err) : 0;
}

/* ---- the others ---- */

static int drop_line(struct smi_pytorch_documents *d, const char *why, struct smi_err *err)
{
    d->account->rejected[SMI_REJECT_FOREIGN]++;
    return smi_account_warn(d->account, SMI_REJECT_FOREIGN, err, "dropped: %s", why);
}

/* The interval failed: its error is a sentence, or anything that is not false to Python. */
static int write_error(struct smi_pytorch_documents *d, const json_t *why, struct smi_err *err)
{
    d->account->messages++;
    smi_buf_clear(&d->json);
    smi_pytorch_json_dump(&d->json, why);
    if (d->json.failed)
        return smi_err_nomem(err);
    return smi_account_warn(d->account, SMI_LOG_WARNING_MESSAGE, err, "dropped, its interval failed: %.300s",
                            d->json.p);
}

/* The document that is made: to its file, or to the sink. */
static int write_document(struct smi_pytorch_documents *d, struct smi_pytorch_gzip *g, struct smi_err *err)
{
    const struct smi_pytorch_sink *sink = d->job->sink;
    const struct smi_buf *b = &d->document;
    if (b->failed)
        return smi_err_nomem(err);
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
    if (d->json.failed || d->about.failed)
        return smi_err_nomem(err);
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
    return d->path.failed ? smi_err_nomem(err) : smi_pytorch_gzip_open(g, d->path.p, err);
}

static int read_record(struct smi_pytorch_documents *d, const json_t *entry, struct smi_err *err)
{
    const json_t *at = json_object_get(entry, "timestamp"), *data = json_object_get(entry, "data"), *command;
    const json_t *error = json_object_get(entry, "error"), *commands = json_object_get(entry, "cmd_names");
    int64_t t;
    size_t i;
    if (!is_string(json_object_get(entry, "level"), "record"))
        return drop_line(d, "no record", err);
    if (!json_is_integer(at))
        return drop_line(d, "its timestamp is no whole number", err);
    smi_buf_clear(&d->json);
    if (!data || json_is_null(data))
        smi_buf_str(&d->json, "{}");
    else if (!smi_pytorch_data_dump(&d->json, data))
        return drop_line(d, "its data are not those of the model 1.5", err);
    if (!smi_pytorch_json_is_false(error))
        return write_error(d, error, err);
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
    return smi_account_warn(d->account, SMI_REJECT_TOO_LONG, err, "dropped: longer than 16 MiB");
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
    if (smi_pytorch_json_load(line, &d->room, &entry, &why, err))
        return -1;
    if (d->account->lines == 1)
        rc = read_metadata(d, entry, why.text, err);
    else if (smi_text_trim(line).n == 0)
        rc = (d->account->blank++, 0);
    else if (!entry)
        rc = drop_line(d, why.text, err);
    else
        rc = read_record(d, entry, err);
    json_decref(entry);
    return rc;
}

/* ---- from beginning to end ---- */

struct smi_pytorch_documents *smi_pytorch_documents_open(const struct smi_pytorch_job *job,
                                                         struct smi_account *account, struct smi_err *err)
{
    struct smi_pytorch_documents *d = smi_mem_new(1, sizeof *d);
    if (!d) {
        smi_err_nomem(err);
        return NULL;
    }
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
