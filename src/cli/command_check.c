/* command_check.c - a gate: paths to runs, limits that have to hold of each, a verdict in the exit status. */
#include "cli/settings.h"

enum { NAMES = 64 << 20 /* bytes of --expect-runs FILE */ };

static int apply_limits(struct smi_check *c, const struct smi_sweep *base,
                        const struct smi_check_settings *set, struct smi_err *err)
{
    if (smi_check_sql(c, set->limit, set->fail_if.p, set->fail_if.n, err))
        return -1;
    if (set->fail_on >= 0)
        smi_check_findings(c, (enum smi_level)set->fail_on);
    if (set->baseline && smi_check_baseline(c, base, set->tolerance.p, err))
        return -1;
    smi_check_expected(c, (size_t)set->expect, (struct smi_text){set->names.p, set->names.n});
    smi_check_close(c);
    return 0;
}

static int write_verdict(struct smi_sweep *s, const struct smi_sweep *base,
                         const struct smi_check_settings *set)
{
    struct smi_check c = {.sweep = s, .allow_missing = set->allow_missing};
    struct smi_render_options look = smi_render_options_of(&set->s);
    struct smi_buf text = {0};
    struct smi_err err = {0};
    int rc;
    if (apply_limits(&c, base, set, &err)) {
        rc = smi_fail(&err, "check");
    } else {
        set->s.form->check(&text, &c, &look);
        rc = smi_write_text(&text, &set->s);
    }
    if (!rc)
        rc = c.broken || (set->complete && s->left_out) ? SMI_EXIT_BROKEN
             : smi_check_has_unmeasurable(&c)           ? SMI_EXIT_UNMEASURABLE
                                                        : SMI_EXIT_OK;
    smi_buf_fini(&text);
    smi_check_fini(&c);
    return rc;
}

/* A gate that nothing came to is not passed. */
static int fail_nothing_to_check(const struct smi_sweep *s, const char *const *path, size_t n,
                                 const struct smi_settings *set)
{
    struct smi_err err = {0}, why = {0};
    if (s->emptied)
        smi_err_set(&err, SMI_EFORMAT, "nothing to check: %s leaves none of %zu runs", s->emptied, s->all);
    smi_explain_no_input(path, n, set, &why);
    smi_err_set(&err, SMI_EFORMAT, "nothing to check: %s", why.text);
    return smi_fail_reading(&err);
}

static int check_runs(const char *const *path, size_t n, struct smi_settings *shared)
{
    struct smi_check_settings *set = (struct smi_check_settings *)shared;
    struct smi_sweep s, base = {0};
    struct smi_err err = {0};
    int rc, doubt, base_doubt = 0; /* of the baseline's doubts its own summary spoke */
    if (smi_read_runs(&s, path, n, &set->s, &err))
        return smi_fail_reading(&err);
    doubt = smi_print_warnings(&s, &set->s);
    rc = smi_choose_runs(&s, &set->s);
    if (!rc && !(s.usable && s.n))
        rc = fail_nothing_to_check(&s, path, n, &set->s);
    if (!rc && set->baseline)
        rc = smi_read_side(&base, set->baseline, &set->s, "check", &base_doubt);
    if (!rc && n == 1 && set->baseline)
        smi_warn_one_run(path[0], set->baseline, &s, &base, &set->s);
    if (!rc)
        rc = write_verdict(&s, &base, set);
    smi_sweep_fini(&base);
    smi_sweep_fini(&s);
    return rc ? rc : doubt;
}

static int check_settings(struct smi_settings *shared, const char *const *path, size_t n, struct smi_err *err)
{
    struct smi_check_settings *set = (struct smi_check_settings *)shared;
    if (set->complete)
        smi_buf_fmt(&set->fail_if, "incomplete IS NOT NULL%c", 0);
    bool any = set->fail_if.n || set->fail_on >= 0 || set->baseline || set->expect || set->expect_runs;
    struct smi_err why = {0};
    int rc;
    if (set->tolerance.n && !set->baseline)
        return smi_err_set(err, SMI_EUSAGE, "--tolerance is for --baseline FILE");
    for (size_t i = 0; set->baseline && i < n; i++)
        if (strcmp(set->baseline, "-") == 0 && strcmp(path[i], "-") == 0)
            return smi_err_set(err, SMI_EUSAGE,
                               "standard input can be the baseline or what is checked, not both");
    for (int i = 0; i < SMI_CHECK_LIMITS; i++)
        any |= set->limit[i] >= 0;
    if (set->limit[SMI_LIMIT_EXPECT_GPUS] % 1000000 > 0)
        return smi_err_set(err, SMI_EUSAGE, "--expect-gpus needs a whole number of GPUs");
    if (!any)
        return smi_err_set(err, SMI_EUSAGE,
                           "check needs a limit, for example --max-idle-pct 10 or --fail-on warn");
    if (set->expect_runs && smi_file_read_all(&set->names, set->expect_runs, NAMES, &why))
        return smi_err_set(err, SMI_EUSAGE, "--expect-runs: %s", why.text);
    if (set->names.n > NAMES)
        return smi_err_set(err, SMI_EUSAGE, "--expect-runs: %.300s has more than 64 MiB", set->expect_runs);
    rc = smi_settings_check(shared, err);
    rc = rc ? rc : smi_check_sql_options(set->limit, set->fail_if.p, set->fail_if.n, err);
    return rc || !set->baseline ? rc : smi_settings_check_overwrite(shared, &set->baseline, 1, err);
}

int smi_command_check(int argc, char **argv)
{
    struct smi_check_settings set = {.fail_on = -1};
    int rc;
    smi_settings_init(&set.s);
    set.s.of = SMI_OUTPUT_CHECK;
    for (int i = 0; i < SMI_CHECK_LIMITS; i++)
        set.limit[i] = -1;
    rc = smi_run_command(&smi_commands[SMI_COMMAND_CHECK], argc, argv, &set.s, check_settings, check_runs);
    smi_buf_fini(&set.fail_if);
    smi_buf_fini(&set.tolerance);
    smi_buf_fini(&set.names);
    return rc;
}
