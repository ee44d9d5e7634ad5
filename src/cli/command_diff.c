/* command_diff.c - two sides, read with the same settings, and what changed from one to the other. */
#include "cli/settings.h"

/* "--columns cost: no run of A has a value; ...": of columns that were asked for and are not listed. */
static void warn_absent_columns(const struct smi_diff *d)
{
    static const char *const needs[] = {
        [SMI_PRICE_NONE] = "",
        [SMI_PRICE_MONEY] =
            "; it needs a price of these GPUs or of their energy, see --price-gpu-hour and --price-kwh",
        [SMI_PRICE_CO2] = "; it needs energy and --gco2-kwh"};
    struct smi_buf b = {0};
    for (size_t i = 0; i < d->absent; i++) {
        const struct smi_absent_column *e = &d->empty[i];
        smi_buf_str(&b, "smilog: warning: --columns ");
        smi_buf_safe(&b, smi_text_of(e->name));
        smi_buf_fmt(&b, ": no %s has a value%s\n",
                    e->has[0] && e->has[1] ? "pair of runs"
                    : e->has[0]            ? "paired run of B"
                    : e->has[1]            ? "paired run of A"
                                           : "paired run of A or B",
                    e->has[0] && e->has[1] ? " on both sides" : needs[e->price]);
    }
    smi_tell(&b);
}

static int write_diff(const struct smi_sweep *s, const struct smi_pairs *p,
                      const struct smi_diff_settings *set)
{
    struct smi_render_options look = smi_render_options_of(&set->s);
    struct smi_diff d = {0};
    struct smi_buf text = {0};
    struct smi_err err = {0};
    int rc = smi_diff_make(&d, &s[0], &s[1], p, set->columns.p, &err);
    if (!rc)
        set->s.form->diff(&text, &d, &look);
    rc = rc ? smi_fail(&err, "diff") : smi_write_text(&text, &set->s);
    if (!rc && set->columns.n && !set->s.look.quiet)
        warn_absent_columns(&d);
    smi_buf_fini(&text);
    smi_diff_fini(&d);
    return rc;
}

/* Runs that do not match: what they are called on either side, and what makes them match. */
static int fail_unmatched(const struct smi_sweep *s)
{
    enum { SOME = 3 /* names that tell what a side looks like */ };
    struct smi_err err = {0};
    struct smi_buf text = {0};
    smi_err_set(&err, SMI_EFORMAT, "no run of %.200s matches one of %.200s, by name or by parameters",
                s[0].title, s[1].title);
    smi_fail(&err, NULL);
    for (int k = 0; k < 2; k++) {
        smi_buf_fmt(&text, "  %c has %zu run%s", 'A' + k, s[k].n, s[k].n == 1 ? "" : "s");
        for (size_t i = 0; i < s[k].n && i < SOME; i++) {
            smi_buf_str(&text, i ? ", " : ": ");
            smi_buf_name(&text, smi_text_of(s[k].runs[i].run));
        }
        if (s[k].n > SOME)
            smi_buf_fmt(&text, " and %zu more", s[k].n - SOME);
        smi_buf_char(&text, '\n');
    }
    smi_buf_str(&text,
                "  Name the directories whose runs have the same names below them, or let --repeats "
                "NAME leave out\n  a parameter that tells the sides apart; two single runs are always a "
                "pair.\n");
    smi_tell(&text);
    return SMI_EXIT_NOTHING;
}

static int diff_paths(const char *const *path, size_t n, struct smi_settings *shared)
{
    const struct smi_diff_settings *set = (struct smi_diff_settings *)shared;
    struct smi_sweep s[2] = {0};
    struct smi_pairs p = {0};
    struct smi_err err = {0};
    int doubt = 0, rc = smi_read_side(&s[0], path[0], shared, "diff", &doubt);
    rc = rc ? rc : smi_read_side(&s[1], path[1], shared, "diff", &doubt);
    (void)n;
    if (!rc)
        smi_warn_one_run(path[0], path[1], &s[0], &s[1], &set->s);
    if (!rc && smi_pairs_make(&p, &s[0], &s[1], set->repeats.p, false, &err))
        rc = smi_fail(&err, NULL);
    else if (!rc)
        rc = p.n ? write_diff(s, &p, set) : fail_unmatched(s);
    smi_pairs_fini(&p);
    smi_sweep_fini(&s[0]);
    smi_sweep_fini(&s[1]);
    return rc ? rc : doubt;
}

static int check_sides(struct smi_settings *set, const char *const *path, size_t n, struct smi_err *err)
{
    if (n != 2)
        return smi_err_set(err, SMI_EUSAGE,
                           "diff needs two sides, A and B: a run, a directory, a log or a JSON each");
    if (strcmp(path[0], "-") == 0 && strcmp(path[1], "-") == 0)
        return smi_err_set(err, SMI_EUSAGE, "standard input can be one side only");
    return smi_settings_check(set, err);
}

int smi_command_diff(int argc, char **argv)
{
    struct smi_diff_settings set = {0};
    int rc;
    smi_settings_init(&set.s);
    set.s.of = SMI_OUTPUT_DIFF;
    rc = smi_run_command(&smi_commands[SMI_COMMAND_DIFF], argc, argv, &set.s, check_sides, diff_paths);
    smi_buf_fini(&set.columns);
    smi_buf_fini(&set.repeats);
    return rc;
}
