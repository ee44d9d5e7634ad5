/* pytorch.c - documents for PyTorch's dashboards: settings, names, data and the target */
#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/text.h"
#include "export/pytorch.h"
#include "model/format_info.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_name(const void *list, size_t place, const void *key)
{
    const struct smi_pytorch_run_name *c = (const struct smi_pytorch_run_name *)list + place;
    const struct smi_text *name = key;
    return c->n == name->n && memcmp(c->p, name->p, name->n) == 0;
}

int smi_pytorch_names_find(struct smi_pytorch_names *s, struct smi_text name, size_t *number,
                           struct smi_err *err)
{
    uint64_t hash = smi_hash_bytes(name.p, name.n);
    char *copy;
    *number = smi_map_find(&s->map, hash, is_name, s->list, &name);
    if (*number != SMI_MAP_NONE)
        return 0;
    if (s->n >= SMI_PYTORCH_NAMES)
        return smi_err_set(err, SMI_ELIMIT, "more than %d different commands", SMI_PYTORCH_NAMES);
    smi_mem_reserve(&s->list, &s->cap, s->n + 1, sizeof *s->list);
    copy = smi_mem_text(name.p, name.n);
    smi_map_add(&s->map, hash, s->n);
    *number = s->n++;
    s->list[*number] = (struct smi_pytorch_run_name){copy, name.n};
    return 0;
}

void smi_pytorch_names_fini(struct smi_pytorch_names *s)
{
    for (size_t i = 0; i < s->n; i++)
        smi_mem_free(s->list[i].p);
    smi_mem_free(s->list);
    smi_map_fini(&s->map);
    *s = (struct smi_pytorch_names){0};
}

/* {"gpu_usage": [], "cpu": {"avg": 5, "note": "x"}} becomes
 *
 *     {"cpu": {"avg": 5.0, "max": null, "raw": null}, "memory": null, "gpu_usage": []} */

enum { END, FLOAT, TEXT, OBJECT, LIST = 8 /* added: of such values */ };

/* A field of a dataclass. */
struct field {
    const char *key;
    int kind;
    const struct field *of; /* an object's */
};

static const struct field stats[] = {
    {"avg", FLOAT, NULL}, {"max", FLOAT, NULL}, {"raw", LIST + FLOAT, NULL}, {0}};
static const struct field gpu[] = {{"uuid", TEXT, NULL},
                                   {"util_percent", OBJECT, stats},
                                   {"mem_util_percent", OBJECT, stats},
                                   {"allocated_mem_percent", OBJECT, stats},
                                   {"allocated_mem_value", OBJECT, stats},
                                   {"total_mem_value", FLOAT, NULL},
                                   {0}};
static const struct field record[] = {
    {"cpu", OBJECT, stats}, {"memory", OBJECT, stats}, {"gpu_usage", LIST + OBJECT, gpu}, {0}};

bool smi_pytorch_float_dump(struct smi_buf *to, const json_t *value)
{
    const char *wide = smi_pytorch_json_wide(value);
    char text[SMI_REAL_TEXT];
    double v = json_number_value(value);
    if (!wide && !json_is_number(value))
        return false;
    if (wide && strpbrk(wide, "NI")) { /* NaN, Infinity */
        smi_buf_str(to, wide);
        return true;
    }
    if (wide && smi_real_parse(smi_text_of(wide), &v) != 0)
        return false;
    smi_buf_add(to, text, smi_real_write(text, v));
    return true;
}

static bool write_object(struct smi_buf *to, const struct field *of, const json_t *object);

static bool write_value(struct smi_buf *to, const struct field *f, const json_t *v)
{
    switch (f->kind % LIST) {
    case FLOAT:
        return smi_pytorch_float_dump(to, v);
    case TEXT:
        smi_pytorch_json_dump(to, v);
        return json_is_string(v);
    default:
        return write_object(to, f->of, v);
    }
}

static bool write_field(struct smi_buf *to, const struct field *f, const json_t *v)
{
    const json_t *each;
    size_t i;
    if (!v || json_is_null(v)) {
        smi_buf_str(to, "null");
        return true;
    }
    if (f->kind < LIST)
        return write_value(to, f, v);
    smi_buf_char(to, '[');
    json_array_foreach ((json_t *)(uintptr_t)v, i, each) {
        smi_buf_str(to, i ? ", " : "");
        if (!write_value(to, f, each))
            return false;
    }
    smi_buf_char(to, ']');
    return json_is_array(v);
}

static bool write_object(struct smi_buf *to, const struct field *of, const json_t *object)
{
    if (!json_is_object(object) || smi_pytorch_json_wide(object))
        return false;
    for (const struct field *f = of; f->kind != END; f++) {
        smi_buf_fmt(to, "%s\"%s\": ", f == of ? "{" : ", ", f->key);
        if (!write_field(to, f, json_object_get(object, f->key)))
            return false;
    }
    smi_buf_char(to, '}');
    return true;
}

bool smi_pytorch_data_dump(struct smi_buf *to, const json_t *data)
{
    return write_object(to, record, data);
}

/* The segments of the command of this name, which may be new; or NULL with err. */
static struct smi_pytorch_spans *name_spans(struct smi_pytorch_segments *s, struct smi_text name,
                                            struct smi_err *err)
{
    size_t i;
    if (smi_pytorch_names_find(&s->names, name, &i, err))
        return NULL;
    smi_mem_reserve(&s->of, &s->cap, i + 1, sizeof *s->of);
    return &s->of[i];
}

/* Are these two at most SMI_PYTORCH_GAP apart? b is not before a. */
static bool is_near(int64_t a, int64_t b)
{
    return (uint64_t)b - (uint64_t)a <= SMI_PYTORCH_GAP;
}

int smi_pytorch_segments_add(struct smi_pytorch_segments *s, struct smi_text name, int64_t at,
                             struct smi_err *err)
{
    struct smi_pytorch_spans *c;
    struct smi_pytorch_segment *g;
    size_t i;
    if (name.n < 6 || memcmp(name.p, "python", 6) != 0)
        return 0;
    c = name_spans(s, name, err);
    if (!c)
        return -1;
    for (i = c->n; i > 0 && c->list[i - 1].start > at; i--) /* nearly always the last one */
        ;
    g = c->n ? c->list + i : NULL; /* begins after `at`; the one before it does not */
    if (i > 0 && (at <= g[-1].end || is_near(g[-1].end, at))) {
        if (at > g[-1].end)
            g[-1].end = at;
        if (i < c->n && is_near(g[-1].end, g->start)) { /* two become one */
            g[-1].end = g->end;
            memmove(g, g + 1, (c->n - i - 1) * sizeof *g);
            c->n--;
        }
        return 0;
    }
    if (i < c->n && is_near(at, g->start)) {
        g->start = at;
        return 0;
    }
    smi_mem_reserve(&c->list, &c->cap, c->n + 1, sizeof *c->list);
    memmove(c->list + i + 1, c->list + i, (c->n - i) * sizeof *c->list);
    c->list[i] = (struct smi_pytorch_segment){at, at};
    c->n++;
    return 0;
}

void smi_pytorch_segments_json(struct smi_buf *to, const struct smi_pytorch_segments *s)
{
    const char *comma = "";
    smi_buf_char(to, '[');
    for (size_t i = 0; i < s->names.n; i++)
        for (size_t k = 0; k < s->of[i].n; k++) {
            smi_buf_fmt(to, "%s{\"level\": \"CMD_PYTHON\", \"name\": ", comma);
            smi_pytorch_json_dump_string(to, (struct smi_text){s->names.list[i].p, s->names.list[i].n});
            smi_buf_fmt(to, ", \"start_at\": %" PRId64 ", \"end_at\": %" PRId64 ", \"extra_info\": {}}",
                        s->of[i].list[k].start, s->of[i].list[k].end);
            comma = ", ";
        }
    smi_buf_char(to, ']');
}

void smi_pytorch_segments_fini(struct smi_pytorch_segments *s)
{
    for (size_t i = 0; i < s->names.n && i < s->cap; i++)
        smi_mem_free(s->of[i].list);
    smi_mem_free(s->of);
    smi_pytorch_names_fini(&s->names);
    *s = (struct smi_pytorch_segments){0};
}

static int pass_line(struct smi_pytorch_lines *l, struct smi_err *err)
{
    struct smi_text line = {l->keep.n ? l->keep.p : "", l->keep.n};
    bool too_long = l->skipping;
    int rc;
    line.n -= line.n && line.p[line.n - 1] == '\r';
    rc = l->line(l->self, too_long ? (struct smi_text){"", 0} : line, too_long, err);
    l->skipping = false;
    smi_buf_clear(&l->keep);
    return rc;
}

int smi_pytorch_lines_feed(struct smi_pytorch_lines *l, const char *p, size_t n, struct smi_err *err)
{
    const char *end = p + n, *lf;
    while (p < end) {
        lf = memchr(p, '\n', (size_t)(end - p));
        n = (size_t)((lf ? lf : end) - p);
        l->skipping = l->skipping || l->keep.n + n > SMI_PYTORCH_LINE;
        if (!l->skipping)
            smi_buf_add(&l->keep, p, n);
        if (lf && pass_line(l, err))
            return -1;
        p += n + (lf != NULL);
    }
    return 0;
}

int smi_pytorch_lines_end(struct smi_pytorch_lines *l, struct smi_err *err)
{
    return l->keep.n || l->skipping ? pass_line(l, err) : 0;
}

enum { INTERVAL_MS = 5000 };

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

const char *smi_pytorch_settings_given(const struct smi_pytorch_settings *s)
{
    return s->repo            ? "--repo"
           : s->workflow_id   ? "--workflow-run-id"
           : s->run_attempt   ? "--run-attempt"
           : s->job_id        ? "--job-id"
           : s->workflow_name ? "--workflow-name"
           : s->job_name      ? "--job-name"
           : s->created_at    ? "--created-at"
           : s->interval_us   ? "--log-interval"
           : s->debug         ? "--debug"
                              : NULL;
}

int smi_pytorch_ids_read(struct smi_pytorch_ids *ids, const struct smi_pytorch_settings *s,
                         struct smi_err *err)
{
    uint64_t attempt = 1, created = (uint64_t)smi_clock_utc_ms() / 1000;
    ids->set = *s;
    if (!ids->set.repo)
        ids->set.repo = "pytorch/pytorch";
    if (!is_repo(ids->set.repo))
        return smi_err_set(err, SMI_EUSAGE, "--repo %.100s: names like pytorch/pytorch are", ids->set.repo);
    if (option_value("--workflow-run-id", s->workflow_id, UINT64_MAX, &ids->workflow_id, err) ||
        option_value("--job-id", s->job_id, UINT64_MAX, &ids->job_id, err) ||
        option_value("--run-attempt", s->run_attempt, UINT32_MAX, &attempt, err) ||
        option_value("--created-at", s->created_at, UINT32_MAX, &created, err))
        return -1;
    if (s->interval_us && (s->interval_us < 1000000 || s->interval_us > 86400000000))
        return smi_err_set(err, SMI_EUSAGE, "--log-interval: from 1 to 86400 seconds");
    ids->run_attempt = (uint32_t)attempt;
    ids->created_at = (int64_t)created;
    ids->interval_ms = s->interval_us ? s->interval_us / 1000 : INTERVAL_MS;
    return 0;
}

/* ---- what the run says ---- */

static const char *run_parameter(const struct smi_export_run *r, const char *key)
{
    for (size_t i = 0; i < r->summary->nparams; i++)
        if (strcmp(r->summary->params[i].key, key) == 0)
            return r->summary->params[i].text;
    return NULL;
}

int smi_pytorch_identify(struct smi_pytorch_job *job, const struct smi_pytorch_ids *ids, const char *dir,
                         const struct smi_export_run *r, struct smi_err *err)
{
    const char *workflow = run_parameter(r, "workflow_id"), *id = run_parameter(r, "job_id"), *name;
    uint64_t attempt = ids->run_attempt;
    *job = (struct smi_pytorch_job){.dir = dir,
                                    .repo = ids->set.repo,
                                    .workflow_id = ids->workflow_id,
                                    .job_id = ids->job_id,
                                    .created_at = ids->created_at,
                                    .debug = ids->set.debug};
    if (!ids->set.workflow_id && !(workflow && get_number(workflow, UINT64_MAX, &job->workflow_id)))
        return smi_err_set(err, SMI_EUSAGE,
                           "%.200s does not say which workflow run it is of: --workflow-run-id",
                           r->summary->run);
    if (!ids->set.job_id && !(id && get_number(id, UINT64_MAX, &job->job_id)))
        return smi_err_set(err, SMI_EUSAGE, "%.200s does not say which job it is of: --job-id",
                           r->summary->run);
    if (!ids->set.run_attempt && (name = run_parameter(r, "run_attempt")) != NULL)
        (void)get_number(name, UINT32_MAX, &attempt);
    job->run_attempt = (uint32_t)attempt;
    name = ids->set.workflow_name ? ids->set.workflow_name : run_parameter(r, "workflow_name");
    job->workflow_name = smi_text_of(name ? name : "");
    name = ids->set.job_name ? ids->set.job_name : run_parameter(r, "job_name");
    job->job_name = smi_text_of(name ? name : "");
    return 0;
}

/* A run that has a usage_log.txt is exported as it is: every number as the monitor wrote it. Of any other
 * run, and where another interval is asked for, such a log is made first, and lies beside the documents. */

enum { PIECE = 1 << 16, DIGITS = 24 };

struct out {
    struct smi_target_out out;           /* first */
    char *dir;                           /* empty: */
    const struct smi_pytorch_sink *sink; /* what takes the documents */
    struct smi_pytorch_ids ids;
    struct smi_pytorch_names jobs; /* that were written */
};

/* ---- from beginning to end ---- */

/* dir: empty where a sink takes the documents. */
static struct smi_target_out *new_target(const char *dir, const struct smi_pytorch_sink *sink,
                                         const struct smi_pytorch_settings *set, struct smi_err *err)
{
    struct out *o = smi_mem_new(1, sizeof *o);
    o->dir = smi_mem_text(dir, strlen(dir));
    if (smi_pytorch_ids_read(&o->ids, set, err) == 0) {
        o->sink = sink;
        return &o->out;
    }
    smi_mem_free(o->dir);
    smi_mem_free(o);
    return NULL;
}

static struct smi_target_out *open_target(const struct smi_target *target, const char *where,
                                          const struct smi_target_set *set, struct smi_err *err)
{
    struct stat st;
    (void)target;
    if (stat(where, &st) == 0 && !S_ISDIR(st.st_mode)) {
        smi_err_set(err, SMI_EUSAGE, "--to pytorch:%.300s: is not a directory", where);
        return NULL;
    }
    return new_target(where, NULL, set->pytorch, err);
}

struct smi_target_out *smi_pytorch_target_open(const struct smi_pytorch_sink *sink,
                                               const struct smi_pytorch_settings *set, struct smi_err *err)
{
    return new_target("", sink, set, err);
}

/* ---- which job ---- */

/* Two runs of one job would be one file. */
static int claim_job(struct out *o, const struct smi_export_run *r, const struct smi_pytorch_job *job,
                     struct smi_err *err)
{
    char text[3 * DIGITS];
    size_t n = o->jobs.n, at;
    int len = snprintf(text, sizeof text, "%" PRIu64 "/%" PRIu32 "/%" PRIu64, job->workflow_id,
                       job->run_attempt, job->job_id);
    if (smi_pytorch_names_find(&o->jobs, (struct smi_text){text, (size_t)len}, &at, err))
        return -1;
    return at == n ? 0
                   : smi_err_set(err, SMI_EUSAGE,
                                 "%.200s is not the only run of job %s: each job has one, by "
                                 "--workflow-run-id, --run-attempt and --job-id",
                                 r->summary->run, text);
}

/* ---- a log as it is ---- */

/* What became of its lines. */
static void warn_dropped(struct smi_buf *say, const struct smi_export_run *r, const char *path,
                         const struct smi_account *a)
{
    int64_t kept[SMI_LOG_WARNING_COUNT] = {0};
    for (size_t i = 0; i < a->problems; i++) {
        if (strcmp(path, smi_pytorch_run_name(r)) == 0) {
            smi_buf_fmt(say, "%s:%" PRId64 ": %s", path, a->problem[i].line, a->problem[i].text);
            smi_buf_add(say, "", 1);
        } else {
            smi_pytorch_warn(say, r, "%.200s:%" PRId64 ": %s", path, a->problem[i].line, a->problem[i].text);
        }
        kept[a->problem[i].kind]++;
    }
    for (int k = 0; k < SMI_LOG_WARNING_COUNT; k++)
        if (a->said[k] > kept[k])
            smi_pytorch_warn(say, r, "%" PRId64 " more lines like that were dropped", a->said[k] - kept[k]);
}

static int feed_documents(void *self, const char *p, size_t n, struct smi_err *err)
{
    return smi_pytorch_documents_feed(self, p, n, err);
}

static int write_log_documents(struct out *o, const struct smi_export_run *r, size_t input,
                               const struct smi_pytorch_job *job, struct smi_buf *say, struct smi_err *err)
{
    struct smi_account a = {0};
    struct smi_pytorch_documents *d = smi_pytorch_documents_open(job, &a);
    int rc = smi_export_text(r, input, feed_documents, d, err);
    rc = rc ? rc : smi_pytorch_documents_end(d, err);
    smi_pytorch_documents_free(d);
    if (!rc || err->code == SMI_EFORMAT)
        warn_dropped(say, r, r->input[input].path, &a);
    o->out.rows += rc ? 0 : (uint64_t)a.rows;
    smi_account_fini(&a);
    return rc;
}

/* ---- a log that is made ---- */

struct writer {
    struct smi_pytorch_documents *documents;
    struct smi_file_out file;
    const char *path; /* NULL: it is not kept */
    struct smi_buf buf;
};

static int flush_log(struct writer *w, struct smi_err *err)
{
    int rc = 0;
    if (!rc && w->buf.n && w->path)
        rc = smi_file_write(w->file.fd, w->buf.p, w->buf.n, w->path, err);
    smi_buf_clear(&w->buf);
    return rc;
}

static int append_log_line(void *self, const char *p, size_t n, struct smi_err *err)
{
    struct writer *w = self;
    smi_buf_add(&w->buf, p, n);
    if (w->buf.n >= PIECE && flush_log(w, err))
        return -1;
    return smi_pytorch_documents_feed(w->documents, p, n, err);
}

/* The log, and the documents of it. */
static int write_made(struct out *o, struct smi_pytorch_usage_log *m, const struct smi_pytorch_job *job,
                      struct smi_err *err)
{
    struct smi_account a = {0};
    struct smi_buf path = {0};
    struct writer w = {0};
    int rc = 0;
    smi_pytorch_path(&path, job, "usage_log", "usage_log.txt");
    if (!o->sink)
        rc = smi_pytorch_prepare(path.p, "{\"level\": \"metadata\"", err) ||
                     smi_file_create(&w.file, path.p, err)
                 ? -1
                 : 0;
    if (!rc) {
        w.path = o->sink ? NULL : path.p;
        w.documents = smi_pytorch_documents_open(job, &a);
        rc = !w.documents || smi_pytorch_usage_log_write(m, append_log_line, &w, err) || flush_log(&w, err) ||
                     smi_pytorch_documents_end(w.documents, err)
                 ? -1
                 : 0;
        rc = (w.path && smi_file_close(&w.file, !rc, err)) || rc ? -1 : 0;
    }
    o->out.rows += rc ? 0 : (uint64_t)a.rows;
    smi_pytorch_documents_free(w.documents);
    smi_account_fini(&a);
    smi_buf_fini(&w.buf);
    smi_buf_fini(&path);
    return rc;
}

/* log: the input that is a usage_log.txt, or -1. Of a log from before the model 1.0 the rows are taken. */
static int make_documents(struct out *o, const struct smi_export_run *r, int log,
                          const struct smi_pytorch_job *job, struct smi_buf *say, struct smi_err *err)
{
    char workflow_id[DIGITS], job_id[DIGITS];
    struct smi_pytorch_usage_log m = {.workflow_id = workflow_id,
                                      .job_id = job_id,
                                      .workflow_name = job->workflow_name,
                                      .job_name = job->job_name,
                                      .interval_ms = o->ids.interval_ms,
                                      .collect_us = 1000000,
                                      .gpu_type = ""};
    struct smi_arena room = {0};
    int rc;
    snprintf(workflow_id, sizeof workflow_id, "%" PRIu64, job->workflow_id);
    snprintf(job_id, sizeof job_id, "%" PRIu64, job->job_id);
    rc = log < 0 ? 0 : smi_pytorch_log_readings(&m, &room, r, (size_t)log, err);
    if (!rc && !m.n)
        rc = smi_pytorch_run_readings(&m, &room, r, say, &o->out.doubts, err);
    rc = rc ? rc : write_made(o, &m, job, err);
    smi_pytorch_usage_log_fini(&m);
    smi_arena_fini(&room);
    return rc;
}

/* ---- runs ---- */

/* The input that is a usage_log.txt, or -1. */
static int find_log(const struct smi_export_run *r, size_t *logs)
{
    int at = -1;
    *logs = 0;
    for (size_t i = 0; i < r->inputs; i++)
        if (r->input[i].kind == SMI_FMT_USAGE_LOG) {
            at = (int)i;
            ++*logs;
        }
    return at;
}

static int write_run_documents(struct out *o, const struct smi_export_run *r, struct smi_buf *say,
                               struct smi_err *err)
{
    struct smi_pytorch_job job;
    size_t logs;
    int log = find_log(r, &logs);
    if (smi_pytorch_identify(&job, &o->ids, o->dir, r, err) || claim_job(o, r, &job, err))
        return -1;
    job.sink = o->sink;
    if (logs > 1)
        return smi_err_set(err, SMI_EFORMAT, "has %zu usage logs, and a job has one: --run-per=file", logs);
    if (logs && r->inputs > 1)
        smi_pytorch_warn(say, r, "%.200s is exported, and none of the run's other logs", r->input[log].path);
    if (log < 0 || o->ids.set.interval_us)
        return make_documents(o, r, log, &job, say, err);
    return write_log_documents(o, r, (size_t)log, &job, say, err);
}

/* The inputs of the run without logs that an earlier export to the same directory has made: where DIR lies
 * among the runs, they would be found, and be runs of their own or parts of others. Returns how many are
 * left, or -1. */
static int64_t without_made(const struct out *o, const struct smi_export_run *r, struct smi_export_input *to)
{
    char *dir = o->sink ? NULL : realpath(o->dir, NULL); /* the system's own memory, not base/mem's */
    struct smi_buf made = {0}, path = {0};
    int64_t n = 0;
    if (!o->sink && !dir && errno == ENOMEM)
        smi_mem_exhausted();
    smi_buf_fmt(&made, "%s/usage_log/v_1.5/", dir ? dir : "");
    for (size_t i = 0; i < r->inputs; i++) {
        smi_buf_clear(&path);
        smi_buf_fmt(&path, "%s/%s", r->place, r->input[i].path);
        to[n] = r->input[i];
        n += o->sink || !dir || strncmp(path.p, made.p, made.n) != 0;
    }
    smi_buf_fini(&made);
    smi_buf_fini(&path);
    free(dir);
    return n;
}

/* A log that is none of the model 1.5, or without a valid record, costs its run; the others go on. */
static int export_one_run(struct out *o, const struct smi_export_run *r, struct smi_buf *say,
                          struct smi_err *err)
{
    struct smi_err why = {0};
    int rc = write_run_documents(o, r, say, &why);
    if (!rc) {
        o->out.runs++;
        return 0;
    }
    if (why.code != SMI_EFORMAT && why.code != SMI_ELIMIT)
        return smi_err_set(err, why.code, "%s", why.text);
    o->out.doubts++;
    smi_pytorch_warn(say, r, "%s", why.text);
    return 0;
}

static int export_run(struct smi_target_out *self, const struct smi_export_run *r, struct smi_buf *say,
                      struct smi_err *err)
{
    struct out *o = (struct out *)self;
    struct smi_export_run own = *r;
    struct smi_export_input *input = smi_mem_new(r->inputs + 1, sizeof *input);
    int64_t n = without_made(o, r, input);
    int rc = 0;
    own.input = input;
    own.inputs = (size_t)n;
    if (n || !r->inputs)
        rc = export_one_run(o, &own, say, err);
    smi_mem_free(input);
    return rc;
}

static int close_target(struct smi_target_out *self, bool keep, struct smi_err *err)
{
    struct out *o = (struct out *)self;
    int rc = 0;
    if (keep && !o->out.runs)
        rc = smi_err_set(err, SMI_EFORMAT, "pytorch:%.200s: nothing is written%s", o->dir,
                         o->out.doubts ? "" : ", for all logs are its own");
    smi_pytorch_names_fini(&o->jobs);
    smi_mem_free(o->dir);
    smi_mem_free(o);
    return rc;
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
