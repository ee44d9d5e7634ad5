/* command_export_options.c - the options of an export, and the target that they name. */
#include "cli/command_export.h"

#include "export/targets.h"
#include "export/stored.h"

#include <stddef.h>
#include <string.h>

/* What T may be in --to T. */
static const struct smi_target *const targets[] = {
    &smi_target_sqlite,  &smi_target_csv,        &smi_target_jsonl,      &smi_target_openmetrics,
    &smi_target_pytorch, &smi_target_clickhouse, &smi_target_clickhouses};
enum { TARGETS = sizeof targets / sizeof *targets };

#define AT(field) offsetof(struct smi_export_settings, field)

static const struct smi_opt own[] = {
    {"to", 0, SMI_OPT_EACH, AT(given), "T", "Where the samples go: see above"},
    {"dry-run", 0, SMI_OPT_FLAG, AT(dry_run), NULL,
     "Read all, write nothing, and tell what would be written"},
    {"password-file", 0, SMI_OPT_TEXT, AT(more.password_file), "FILE",
     "Of ClickHouse: its first line; else SMILOG_CLICKHOUSE_PASSWORD"},
    {"replace", 0, SMI_OPT_FLAG, AT(more.replace), NULL,
     "Of ClickHouse: a run that is there from other logs is taken out first"},
    {"pytorch", 0, SMI_OPT_FLAG, AT(documents), NULL,
     "Of ClickHouse: PyTorch CI's two tables, too; the options of pytorch below mean it, too"},
    {"verbose", 'v', SMI_OPT_FLAG, AT(s.verbose), NULL, "Every warning"},
    {"quiet", 'q', SMI_OPT_FLAG, AT(s.quiet), NULL, "No warnings, and nothing where all is well"},
    {"threads", 'j', SMI_OPT_COUNT, AT(s.threads), "N", "Threads that look for logs; never changes a result"},
    {"strict", 0, SMI_OPT_FLAG, AT(s.strict), NULL, "Exit with 1 if any row or file was doubtful"},
    {NULL, 0, SMI_OPT_FLAG, 0, NULL, NULL},
};

/* Of documents of PyTorch's CI: of --to pytorch: and ClickHouse's tables. */
static const struct smi_opt pytorch[] = {
    {"workflow-run-id", 0, SMI_OPT_TEXT, AT(pytorch.workflow_id), "N",
     "pytorch: workflow run (default: the log's)"},
    {"run-attempt", 0, SMI_OPT_TEXT, AT(pytorch.run_attempt), "N", "pytorch: its attempt (default: 1)"},
    {"job-id", 0, SMI_OPT_TEXT, AT(pytorch.job_id), "N", "pytorch: the job (default: the log's)"},
    {"workflow-name", 0, SMI_OPT_TEXT, AT(pytorch.workflow_name), "NAME",
     "pytorch: the name of the workflow (default: the log's)"},
    {"job-name", 0, SMI_OPT_TEXT, AT(pytorch.job_name), "NAME",
     "pytorch: the name of the job (default: the log's)"},
    {"repo", 0, SMI_OPT_TEXT, AT(pytorch.repo), "NAME", "pytorch: the repository (default: pytorch/pytorch)"},
    {"created-at", 0, SMI_OPT_TEXT, AT(pytorch.created_at), "SECONDS", "pytorch: created_at (default: now)"},
    {"log-interval", 0, SMI_OPT_MICRO, AT(pytorch.interval_us), "SECONDS",
     "pytorch: make the log anew, a record in so many seconds (default: 5, where there is no usage log)"},
    {"debug", 0, SMI_OPT_FLAG, AT(pytorch.debug), NULL, "pytorch: the collections begin with debug_"},
    {NULL, 0, SMI_OPT_FLAG, 0, NULL, NULL},
};

const struct smi_opt *const smi_export_opts[] = {
    own, pytorch, smi_opts_filter, smi_opts_summary, smi_opts_input, NULL};

static int fail_no_target(const char *to, struct smi_err *err)
{
    struct smi_buf b = {0};
    int rc;
    for (size_t i = 0; i < TARGETS; i++)
        smi_buf_fmt(&b, "%s%s", i ? ", " : "", targets[i]->form);
    rc = smi_err_set(err, SMI_EUSAGE, "--to %.*s: there is no such target; there are %s",
                     (int)(strcspn(to, ":") < 100 ? strcspn(to, ":") : 100), to, b.p ? b.p : "");
    smi_buf_fini(&b);
    return rc;
}

int smi_export_settings_check(struct smi_export_settings *set, const char *const *path, size_t n,
                              struct smi_err *err)
{
    const char *given;
    set->to = set->given.n ? set->given.p : NULL;
    if (!set->to)
        return smi_err_set(err, SMI_EUSAGE, "export wants to know where the samples go: --to T");
    if (strlen(set->to) + 1 < set->given.n)
        return smi_err_set(err, SMI_EUSAGE, "--to %.100s and --to %.100s: one at a time", set->to,
                           set->to + strlen(set->to) + 1);
    for (size_t i = 0; i < TARGETS && !set->target; i++)
        if (strncmp(set->to, targets[i]->prefix, strlen(targets[i]->prefix)) == 0)
            set->target = targets[i];
    if (!set->target)
        return fail_no_target(set->to, err);
    if (set->target != &smi_target_pytorch && set->pytorch.debug)
        return smi_err_set(err, SMI_EUSAGE, "--debug is for --to pytorch:DIR");
    given = set->documents ? "--pytorch" : smi_pytorch_settings_given(&set->pytorch);
    if (set->target != &smi_target_pytorch && !set->target->open_with && given)
        return smi_err_set(err, SMI_EUSAGE, "%s is for --to %sclickhouse://HOST/DATABASE", given,
                           set->documents ? "" : "pytorch:DIR and ");
    if (set->target == &smi_target_pytorch && set->documents)
        return smi_err_set(err, SMI_EUSAGE, "--pytorch is for --to clickhouse://HOST/DATABASE");
    if (set->target->open_with && given)
        set->more.pytorch = &set->pytorch;
    set->where = set->to + strlen(set->target->prefix);
    if (!*set->where)
        return smi_err_set(err, SMI_EUSAGE, "--to %.100s: what comes behind it? %s", set->to,
                           set->target->form);
    if (!set->target->open_with && (set->more.password_file || set->more.replace))
        return smi_err_set(err, SMI_EUSAGE, "--to %.100s: --password-file and --replace are of ClickHouse",
                           set->to);
    for (size_t i = 0; i < n; i++)
        if (smi_stored_has_prefix(path[i]))
            return smi_err_set(err, SMI_EUSAGE,
                               "%.100s: export reads logs; a stored sweep is for summarize, report, "
                               "check, diff and merge",
                               path[i]);
    for (size_t i = 0; i < n && smi_query_any(&set->s.ask); i++)
        if (strcmp(path[i], "-") == 0)
            return smi_err_set(err, SMI_EUSAGE,
                               "--where, --join, --since and --until read the runs twice: standard "
                               "input comes once");
    set->s.to = set->target->file && !set->dry_run ? set->where : NULL;
    return 0;
}
