/* A run that has a usage_log.txt is exported as it is: every number as the monitor wrote it. Of any other
 * run, and where another interval is asked for, such a log is made first, and lies beside the documents. */
#include "export/pytorch_target.h"

#include "base/file.h"
#include "base/mem.h"
#include "export/pytorch_documents.h"
#include "export/pytorch_gzip.h"
#include "export/pytorch_log_readings.h"
#include "export/pytorch_run_readings.h"
#include "model/format_info.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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
    if (!o || !(o->dir = smi_mem_text(dir, strlen(dir)))) {
        smi_err_nomem(err);
    } else if (smi_pytorch_ids_read(&o->ids, set, err) == 0) {
        o->sink = sink;
        return &o->out;
    }
    if (o)
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
    struct smi_pytorch_documents *d = smi_pytorch_documents_open(job, &a, err);
    int rc = d ? smi_export_text(r, input, feed_documents, d, err) : -1;
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
    int rc = w->buf.failed ? smi_err_nomem(err) : 0;
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
    int rc = -1;
    smi_pytorch_path(&path, job, "usage_log", "usage_log.txt");
    if (path.failed)
        smi_err_nomem(err);
    else if (o->sink)
        rc = 0;
    else
        rc = smi_pytorch_prepare(path.p, "{\"level\": \"metadata\"", err) ||
                     smi_file_create(&w.file, path.p, err)
                 ? -1
                 : 0;
    if (!rc) {
        w.path = o->sink ? NULL : path.p;
        w.documents = smi_pytorch_documents_open(job, &a, err);
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
    bool failed;
    smi_buf_fmt(&made, "%s/usage_log/v_1.5/", dir ? dir : "");
    for (size_t i = 0; i < r->inputs; i++) {
        smi_buf_clear(&path);
        smi_buf_fmt(&path, "%s/%s", r->place, r->input[i].path);
        to[n] = r->input[i];
        n += o->sink || made.failed || path.failed || !dir || strncmp(path.p, made.p, made.n) != 0;
    }
    failed = made.failed || path.failed || (!o->sink && !dir && errno == ENOMEM);
    smi_buf_fini(&made);
    smi_buf_fini(&path);
    free(dir);
    return failed ? -1 : n;
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
    int64_t n = input ? without_made(o, r, input) : -1;
    int rc = n < 0 ? smi_err_nomem(err) : 0;
    own.input = input;
    own.inputs = (size_t)n;
    if (!rc && (n || !r->inputs))
        rc = export_one_run(o, &own, say, err);
    if (!rc && say->failed)
        rc = smi_err_nomem(err);
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
