#include "export/pytorch_settings.h"

#include "base/clock.h"

#include <inttypes.h>
#include <string.h>

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
