/* A run that has a usage_log.txt is exported as it is: every number as the monitor wrote it. Of any other run, and
 * where another interval is asked for, such a log is made first, and lies beside the documents. */
#include "pytorch/target.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "pytorch/documents.h"
#include "pytorch/gzip.h"
#include "pytorch/log_readings.h"
#include "pytorch/run_readings.h"
#include "sample/source.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { INTERVAL_MS = 5000, PIECE = 1 << 16, DIGITS = 24 };

struct out {
    struct smi_target_out out; /* first */
    char *dir;
    struct smi_pytorch_settings set;
    int64_t created_at, interval_ms;
    uint64_t workflow_id, job_id;
    uint32_t run_attempt;
    struct smi_pytorch_names jobs; /* that were written */
    uint64_t failed;               /* runs that nothing was made of */
};

/* ---- settings ---- */

/* A whole number, from 0 to most. */
static bool get_number(const char *text, uint64_t most, uint64_t *to)
{
    smi_i128 v;
    if (smi_wide_get(text, strlen(text), &v) || v < 0 || v > most || strchr("+-", *text))
        return false;
    *to = (uint64_t)v;
    return true;
}

static int option(const char *name, const char *text, uint64_t most, uint64_t *to, struct smi_err *err)
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

const char *smi_pytorch_given(const struct smi_pytorch_settings *s)
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

int smi_pytorch_set(struct smi_target_out *target, const struct smi_pytorch_settings *s, struct smi_err *err)
{
    struct out *o = (struct out *)target;
    uint64_t attempt = 1, created = (uint64_t)smi_clock_wall_ms() / 1000;
    o->set = *s;
    if (!o->set.repo)
        o->set.repo = "pytorch/pytorch";
    if (!is_repo(o->set.repo))
        return smi_err_set(err, SMI_EUSAGE, "--repo %.100s: names like pytorch/pytorch are", o->set.repo);
    if (option("--workflow-run-id", s->workflow_id, UINT64_MAX, &o->workflow_id, err) ||
        option("--job-id", s->job_id, UINT64_MAX, &o->job_id, err) ||
        option("--run-attempt", s->run_attempt, UINT32_MAX, &attempt, err) ||
        option("--created-at", s->created_at, UINT32_MAX, &created, err))
        return -1;
    if (s->interval_us && (s->interval_us < 1000000 || s->interval_us > 86400000000))
        return smi_err_set(err, SMI_EUSAGE, "--log-interval: from 1 to 86400 seconds");
    o->run_attempt = (uint32_t)attempt;
    o->created_at = (int64_t)created;
    o->interval_ms = s->interval_us ? s->interval_us / 1000 : INTERVAL_MS;
    return 0;
}

static struct smi_target_out *open_target(const char *where, struct smi_err *err)
{
    struct out *o = smi_mem_new(1, sizeof *o);
    struct stat st;
    char *dir = smi_mem_text(where, strlen(where));
    if (!o || !dir) {
        smi_err_nomem(err);
    } else if (stat(dir, &st) == 0 && !S_ISDIR(st.st_mode)) {
        smi_err_set(err, SMI_EUSAGE, "--to pytorch:%.300s: is not a directory", dir);
    } else {
        o->out.target = &smi_target_pytorch;
        o->dir = dir;
        return &o->out;
    }
    smi_mem_free(dir);
    smi_mem_free(o);
    return NULL;
}

/* ---- which job ---- */

static const char *parameter(const struct smi_export_run *r, const char *key)
{
    for (size_t i = 0; i < r->summary->nparams; i++)
        if (strcmp(r->summary->params[i].key, key) == 0)
            return r->summary->params[i].text;
    return NULL;
}

/* What was typed, else what the run's parameters say, among which a usage_log.txt's own are. */
static int identify(const struct out *o, const struct smi_export_run *r, struct smi_pytorch_job *job,
                    struct smi_err *err)
{
    const char *workflow = parameter(r, "workflow_id"), *id = parameter(r, "job_id"), *name;
    uint64_t attempt = o->run_attempt;
    *job = (struct smi_pytorch_job){.dir = o->dir, .repo = o->set.repo, .workflow_id = o->workflow_id,
                                    .job_id = o->job_id, .created_at = o->created_at, .debug = o->set.debug};
    if (!o->set.workflow_id && !(workflow && get_number(workflow, UINT64_MAX, &job->workflow_id)))
        return smi_err_set(err, SMI_EUSAGE, "%.200s does not say which workflow run it is of: --workflow-run-id",
                           r->summary->run);
    if (!o->set.job_id && !(id && get_number(id, UINT64_MAX, &job->job_id)))
        return smi_err_set(err, SMI_EUSAGE, "%.200s does not say which job it is of: --job-id", r->summary->run);
    if (!o->set.run_attempt && (name = parameter(r, "run_attempt")) != NULL)
        (void)get_number(name, UINT32_MAX, &attempt);
    job->run_attempt = (uint32_t)attempt;
    name = o->set.workflow_name ? o->set.workflow_name : parameter(r, "workflow_name");
    job->workflow_name = smi_text_of(name ? name : "");
    name = o->set.job_name ? o->set.job_name : parameter(r, "job_name");
    job->job_name = smi_text_of(name ? name : "");
    return 0;
}

/* Two runs of one job would be one file. */
static int is_new(struct out *o, const struct smi_export_run *r, const struct smi_pytorch_job *job,
                  struct smi_err *err)
{
    char text[3 * DIGITS];
    size_t n = o->jobs.n, at;
    int len = snprintf(text, sizeof text, "%" PRIu64 "/%" PRIu32 "/%" PRIu64, job->workflow_id, job->run_attempt,
                       job->job_id);
    if (smi_pytorch_names_find(&o->jobs, (struct smi_text){text, (size_t)len}, &at, err))
        return -1;
    return at == n ? 0
                   : smi_err_set(err, SMI_EUSAGE, "%.200s is not the only run of job %s: each job has one, by "
                                 "--workflow-run-id, --run-attempt and --job-id", r->summary->run, text);
}

/* ---- a log as it is ---- */

/* What became of its lines. */
static void tell(struct smi_buf *say, const struct smi_export_run *r, const char *path, const struct smi_account *a)
{
    int64_t kept[SMI_ODD_COUNT] = {0};
    for (size_t i = 0; i < a->problems; i++) {
        if (strcmp(path, smi_pytorch_name(r)) == 0) {
            smi_buf_fmt(say, "%s:%" PRId64 ": %s", path, a->problem[i].line, a->problem[i].text);
            smi_buf_add(say, "", 1);
        } else {
            smi_pytorch_say(say, r, "%.200s:%" PRId64 ": %s", path, a->problem[i].line, a->problem[i].text);
        }
        kept[a->problem[i].kind]++;
    }
    for (int k = 0; k < SMI_ODD_COUNT; k++)
        if (a->said[k] > kept[k])
            smi_pytorch_say(say, r, "%" PRId64 " more lines like that were dropped", a->said[k] - kept[k]);
}

static int feed_documents(void *self, const char *p, size_t n, struct smi_err *err)
{
    return smi_pytorch_documents_feed(self, p, n, err);
}

static int put_log(struct out *o, const struct smi_export_run *r, size_t input, const struct smi_pytorch_job *job,
                   struct smi_buf *say, struct smi_err *err)
{
    struct smi_account a = {0};
    struct smi_pytorch_documents *d = smi_pytorch_documents_open(job, &a, err);
    int rc = d ? smi_export_text(r, input, feed_documents, d, err) : -1;
    rc = rc ? rc : smi_pytorch_documents_end(d, err);
    smi_pytorch_documents_free(d);
    if (!rc || err->code == SMI_EFORMAT)
        tell(say, r, r->input[input].path, &a);
    o->out.rows += rc ? 0 : (uint64_t)a.rows;
    smi_account_fini(&a);
    return rc;
}

/* ---- a log that is made ---- */

struct writer {
    struct smi_pytorch_documents *documents;
    struct smi_file_out file;
    const char *path;
    struct smi_buf buf;
};

static int flush(struct writer *w, struct smi_err *err)
{
    int rc = w->buf.failed ? smi_err_nomem(err) : 0;
    if (!rc && w->buf.n)
        rc = smi_file_put(w->file.fd, w->buf.p, w->buf.n, w->path, err);
    smi_buf_clear(&w->buf);
    return rc;
}

static int put_line(void *self, const char *p, size_t n, struct smi_err *err)
{
    struct writer *w = self;
    smi_buf_add(&w->buf, p, n);
    if (w->buf.n >= PIECE && flush(w, err))
        return -1;
    return smi_pytorch_documents_feed(w->documents, p, n, err);
}

/* The log, and the documents of it. */
static int write_made(struct out *o, struct smi_pytorch_made *m, const struct smi_pytorch_job *job,
                      struct smi_err *err)
{
    struct smi_account a = {0};
    struct smi_buf path = {0};
    struct writer w = {0};
    int rc = -1;
    smi_pytorch_path(&path, job, "usage_log", "usage_log.txt");
    if (path.failed)
        smi_err_nomem(err);
    else
        rc = smi_pytorch_directories(path.p, err) || smi_file_create(&w.file, path.p, err) ? -1 : 0;
    if (!rc) {
        w.path = path.p;
        w.documents = smi_pytorch_documents_open(job, &a, err);
        rc = !w.documents || smi_pytorch_made_write(m, put_line, &w, err) || flush(&w, err) ||
                     smi_pytorch_documents_end(w.documents, err)
                 ? -1
                 : 0;
        rc = smi_file_close(&w.file, !rc, err) || rc ? -1 : 0;
    }
    o->out.rows += rc ? 0 : (uint64_t)a.rows;
    smi_pytorch_documents_free(w.documents);
    smi_account_fini(&a);
    smi_buf_fini(&w.buf);
    smi_buf_fini(&path);
    return rc;
}

static int feed_readings(void *self, const char *p, size_t n, struct smi_err *err)
{
    return smi_pytorch_log_readings_feed(self, p, n, err);
}

/* log: the input that is a usage_log.txt, or -1. Of a log from before the model 1.0 the rows are taken. */
static int make(struct out *o, const struct smi_export_run *r, int log, const struct smi_pytorch_job *job,
                struct smi_buf *say, struct smi_err *err)
{
    char workflow_id[DIGITS], job_id[DIGITS];
    struct smi_pytorch_made m = {.workflow_id = workflow_id, .job_id = job_id, .workflow_name = job->workflow_name,
                                 .job_name = job->job_name, .interval_ms = o->interval_ms, .collect_us = 1000000,
                                 .gpu_type = ""};
    struct smi_arena room = {0};
    struct smi_pytorch_log_readings *l = log < 0 ? NULL : smi_pytorch_log_readings_open(&m, err);
    int rc = log >= 0 && !l ? -1 : 0;
    snprintf(workflow_id, sizeof workflow_id, "%" PRIu64, job->workflow_id);
    snprintf(job_id, sizeof job_id, "%" PRIu64, job->job_id);
    if (l)
        rc = rc || smi_export_text(r, (size_t)log, feed_readings, l, err) || smi_pytorch_log_readings_end(l, err)
                 ? -1
                 : 0;
    if (!rc && !m.n)
        rc = smi_pytorch_run_readings(&m, &room, r, say, err);
    rc = rc ? rc : write_made(o, &m, job, err);
    smi_pytorch_made_fini(&m);
    smi_pytorch_log_readings_free(l);
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
        if (strcmp(r->input[i].format, smi_sources[SMI_FMT_USAGE_LOG].name) == 0) {
            at = (int)i;
            ++*logs;
        }
    return at;
}

static int put(struct out *o, const struct smi_export_run *r, struct smi_buf *say, struct smi_err *err)
{
    struct smi_pytorch_job job;
    size_t logs;
    int log = find_log(r, &logs);
    if (identify(o, r, &job, err) || is_new(o, r, &job, err))
        return -1;
    if (logs > 1)
        return smi_err_set(err, SMI_EFORMAT, "has %zu usage logs, and a job has one: --run-per=file", logs);
    if (logs && r->inputs > 1)
        smi_pytorch_say(say, r, "%.200s is exported, and none of the run's other logs", r->input[log].path);
    return log < 0 || o->set.interval_us ? make(o, r, log, &job, say, err) : put_log(o, r, (size_t)log, &job, say, err);
}

/* A log that is none of the model 1.5, or without a valid record, costs its run; the others go on. */
static int take_run(struct smi_target_out *self, const struct smi_export_run *r, struct smi_buf *say,
                    struct smi_err *err)
{
    struct out *o = (struct out *)self;
    struct smi_err why = {0};
    int rc = put(o, r, say, &why);
    if (!rc) {
        o->out.runs++;
    } else if (why.code == SMI_EFORMAT || why.code == SMI_ELIMIT) {
        o->failed++;
        smi_pytorch_say(say, r, "%s", why.text);
    } else {
        return smi_err_set(err, why.code, "%s", why.text);
    }
    return say->failed ? smi_err_nomem(err) : 0;
}

static int close_target(struct smi_target_out *self, bool keep, struct smi_err *err)
{
    struct out *o = (struct out *)self;
    int rc = 0;
    if (keep && o->failed && !o->out.runs)
        rc = smi_err_set(err, SMI_EFORMAT, "pytorch:%.200s: nothing is written", o->dir);
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
    .run = take_run,
    .close = close_target,
    .texts = (uint32_t)1 << SMI_FMT_USAGE_LOG,
};
