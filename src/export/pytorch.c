/* pytorch.c - `smilog export --to pytorch:DIR`: what PyTorch CI keeps of its jobs, from any run. A run that
 * has a usage_log.txt is exported as it is; of any other run, and where another interval is asked for, such a
 * log is made first, and lies beside the documents. */
#include "export/pytorch.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { INTERVAL_MS = 5000 };

#define JOB "%" PRIu64 "/%" PRIu32 "/%" PRIu64 /* as in paths */

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

struct file {
    struct smi_file_out out;
    gzFile z; /* NULL: it is not open */
};

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
    struct file file[SMI_PYTORCH_KINDS];
    struct smi_buf path;
};

static int read_settings(struct out *o, const struct smi_pytorch_settings *s, struct smi_err *err)
{
    uint64_t attempt = 1, created = (uint64_t)smi_clock_utc_ms() / 1000;
    o->set = *s;
    o->job.repo = s->repo ? s->repo : "pytorch/pytorch";
    if (!is_repo(o->job.repo))
        return smi_err_set(err, SMI_EUSAGE, "--repo %.100s: names like pytorch/pytorch are", o->job.repo);
    if (option_value("--workflow-run-id", s->workflow_id, UINT64_MAX, &o->job.workflow_id, err) ||
        option_value("--job-id", s->job_id, UINT64_MAX, &o->job.job_id, err) ||
        option_value("--run-attempt", s->run_attempt, UINT32_MAX, &attempt, err) ||
        option_value("--created-at", s->created_at, UINT32_MAX, &created, err))
        return -1;
    if (s->interval_us && (s->interval_us < 1000000 || s->interval_us > 86400000000))
        return smi_err_set(err, SMI_EUSAGE, "--log-interval: from 1 to 86400 seconds");
    o->job.run_attempt = (uint32_t)attempt;
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
    got = smi_file_read(fd, head, strlen(magic), path, err);
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
    smi_buf_fmt(&o->path, "%s/%s%s/v_1.5/%s/%" PRIu64 "/%" PRIu32 "/%" PRIu64 "/%s", o->dir,
                o->set.debug && kind != SMI_PYTORCH_LOG ? "debug_" : "", places[kind].collection, job->repo,
                job->workflow_id, job->run_attempt, job->job_id, places[kind].name);
}

static int has_files(void *self, const struct smi_pytorch_job *job, struct smi_err *err)
{
    set_path(self, job, SMI_PYTORCH_METADATA);
    return is_there(self, places[SMI_PYTORCH_METADATA].magic, err);
}

static int open_file(struct out *o, struct file *f, enum smi_pytorch_kind kind, struct smi_err *err)
{
    int fd;
    if (is_there(o, places[kind].magic, err) < 0)
        return -1;
    for (char *p = o->path.p + 1; (p = strchr(p, '/')) != NULL; p++) {
        *p = 0;
        if (mkdir(o->path.p, 0777) && errno != EEXIST)
            return smi_err_set(err, SMI_EIO, "cannot make the directory %.300s: %s", o->path.p,
                               strerror(errno));
        *p = '/';
    }
    if (smi_file_create(&f->out, o->path.p, err))
        return -1;
    fd = dup(f->out.fd);
    f->z = fd < 0 ? NULL : gzdopen(fd, places[kind].mode);
    if (f->z)
        return 0;
    if (fd >= 0)
        close(fd);
    smi_file_close(&f->out, false, NULL);
    return smi_err_set(err, SMI_EIO, "%.300s: %s", o->path.p, strerror(errno));
}

static int put_file(void *self, const struct smi_pytorch_job *job, enum smi_pytorch_kind kind,
                    struct smi_text line, struct smi_err *err)
{
    struct out *o = self;
    struct file *f = &o->file[kind];
    if (!f->z) {
        set_path(o, job, kind);
        if (open_file(o, f, kind, err))
            return -1;
    }
    return gzfwrite(line.p, 1, line.n, f->z) == line.n
               ? 0
               : smi_err_set(err, SMI_EIO, "cannot write %.300s: %s", f->out.path, strerror(errno));
}

/* The metadata gets into its place last. */
static int end_files(void *self, bool keep, struct smi_err *err)
{
    struct out *o = self;
    int rc = 0;
    for (struct file *f = o->file; f < o->file + SMI_PYTORCH_KINDS; f++) {
        if (!f->z)
            continue;
        if (gzclose(f->z) != Z_OK && keep && !rc)
            rc = smi_err_set(err, SMI_EIO, "cannot write %.300s: %s", f->out.path, strerror(errno));
        f->z = NULL;
        rc = smi_file_close(&f->out, keep && !rc, err) || rc ? -1 : 0;
    }
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
    uint64_t attempt = o->job.run_attempt;
    *job = o->job;
    if (!o->set.workflow_id && !get_number(job_name(r, NULL, "workflow_id"), UINT64_MAX, &job->workflow_id))
        return smi_err_set(err, SMI_EUSAGE,
                           "%.200s does not say which workflow run it is of: --workflow-run-id",
                           r->summary->run);
    if (!o->set.job_id && !get_number(job_name(r, NULL, "job_id"), UINT64_MAX, &job->job_id))
        return smi_err_set(err, SMI_EUSAGE, "%.200s does not say which job it is of: --job-id",
                           r->summary->run);
    if (!o->set.run_attempt)
        (void)get_number(job_name(r, NULL, "run_attempt"), UINT32_MAX, &attempt);
    job->run_attempt = (uint32_t)attempt;
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
    size_t logs = 0, said;
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
        smi_pytorch_warn(say, r, "skipped, job " JOB " is there already: --replace writes it again",
                         job.workflow_id, job.run_attempt, job.job_id);
        o->skipped++;
        return 0;
    }
    if (logs && r->inputs > 1)
        smi_pytorch_warn(say, r, "%.200s is exported, and none of the run's other logs", r->input[log].path);
    said = say->n;
    while (rc >= 0) {
        struct smi_err why = {0};
        say->n = said;
        rc = smi_pytorch_write(&job, o->sink, r, log, log < 0 && !interval_ms ? INTERVAL_MS : interval_ms,
                               say, &o->out, &why);
        rc = o->sink->end(o->sink->self, !rc, &why) || rc ? -1 : 0;
        o->out.runs += !rc;
        if (!rc || !o->sink->again || !o->sink->again(o->sink->self, &why))
            return rc ? smi_err_set(err, why.code, "%s", why.text) : 0;
        rc = 0;
    }
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
        smi_pytorch_warn(say, r, "%s", why.text);
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
    o->files = (struct smi_pytorch_sink){has_files, put_file, end_files, .self = o, .log = true};
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
