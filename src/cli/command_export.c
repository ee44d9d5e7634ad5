/* command_export.c - paths to runs to samples, somewhere else. */
#include "cli/settings.h"
#include "export/stored.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { FIRST = 5 /* warnings of a target that are printed */ };

/* ---- what was typed ---- */

static int check_settings(struct smi_settings *shared, const char *const *path, size_t n, struct smi_err *err)
{
    struct smi_export_settings *set = (struct smi_export_settings *)shared;
    static const struct smi_export_settings none;
    struct smi_buf typed = {0}; /* the options for documents */
    bool given;
    set->to = set->given.n ? set->given.p : NULL;
    if (!set->to)
        return smi_err_set(err, SMI_EUSAGE, "export needs a target for the samples: --to TARGET");
    if (strlen(set->to) + 1 < set->given.n)
        return smi_err_set(err, SMI_EUSAGE, "--to %.100s and --to %.100s: one at a time", set->to,
                           set->to + strlen(set->to) + 1);
    for (size_t i = 0; smi_targets[i] && !set->target; i++)
        if (strncmp(set->to, smi_targets[i]->prefix, strlen(smi_targets[i]->prefix)) == 0)
            set->target = smi_targets[i];
    if (!set->target) {
        struct smi_buf forms = {0};
        for (size_t i = 0; smi_targets[i]; i++)
            smi_buf_fmt(&forms, "%s%s", i ? ", " : "", smi_targets[i]->form);
        smi_err_set(err, SMI_EUSAGE, "--to %.*s: there is no such target; there are %s",
                    (int)(strcspn(set->to, ":") < 100 ? strcspn(set->to, ":") : 100), set->to, forms.p);
        smi_buf_fini(&forms);
        return -1;
    }
    if (set->target != &smi_target_pytorch && set->pytorch.debug)
        return smi_err_set(err, SMI_EUSAGE, "--debug is for --to pytorch:DIR");
    smi_buf_str(&typed, set->documents ? " --pytorch" : "");
    smi_opt_write_given(&typed, "y", set, &none);
    given = typed.n > 0;
    if (set->target != &smi_target_pytorch && !set->target->store && given)
        smi_err_set(err, SMI_EUSAGE, "%.*s is for --to %sclickhouse://HOST/DATABASE",
                    (int)strcspn(typed.p + 1, " "), typed.p + 1, set->documents ? "" : "pytorch:DIR and ");
    smi_buf_fini(&typed);
    if (err->code)
        return -1;
    if (set->target == &smi_target_pytorch && set->documents)
        return smi_err_set(err, SMI_EUSAGE, "--pytorch is for --to clickhouse://HOST/DATABASE");
    if (set->target == &smi_target_pytorch || given)
        set->more.pytorch = &set->pytorch;
    set->where = set->to + strlen(set->target->prefix);
    if (!*set->where)
        return smi_err_set(err, SMI_EUSAGE, "--to %.100s: what comes behind it? %s", set->to,
                           set->target->form);
    if (!set->target->store &&
        (set->more.password_file || (set->more.replace && set->target != &smi_target_pytorch)))
        return smi_err_set(err, SMI_EUSAGE,
                           "--to %.100s: --password-file and --replace are for other targets", set->to);
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
    if (smi_settings_check(shared, err))
        return -1;
    shared->d.output = shared->to;
    shared->d.output_opt = "--to";
    return 0;
}

/* ---- one run after the other ---- */

struct job {
    const struct smi_export_settings *set;
    struct smi_target_out *to; /* NULL: a dry run */
    const char **name;         /* of the runs that are wanted, sorted; NULL: all */
    size_t n;
    struct smi_target_out done; /* what was written; of a dry run, what would be */
    uint64_t said;              /* sentences of the target for the user */
    struct smi_buf plan;        /* what it would do */
};

static int count_row(void *self, const struct smi_run_row *row, struct smi_err *err)
{
    struct job *j = self;
    (void)row, (void)err;
    j->done.rows++;
    return 0;
}

static int export_run(void *self, const struct smi_export_run *r, struct smi_err *err)
{
    struct job *j = self;
    struct smi_buf said = {0}, told = {0};
    int rc;
    j->done.runs += !j->to; /* a dry run */
    for (size_t i = 0; !j->to && i < r->inputs; i++) {
        if (smi_export_rows(r, i, 0, count_row, j, err))
            return -1;
        j->done.marks += r->input[i].marks;
    }
    if (!j->to)
        return 0;
    rc = j->set->target->run(j->to, r, &said, err);
    for (size_t at = 0; at < said.n; at += strlen(said.p + at) + 1)
        if (!j->set->s.look.quiet && (j->said++ < FIRST || j->set->s.look.verbose))
            smi_add_warning(&told, said.p + at);
    smi_tell(&told);
    smi_buf_fini(&said);
    return rc;
}

/* The names of the runs that are asked for. Of the sweep that is read for it nothing else is used: what is
 * exported is of the second reading. Returns an smi_exit. */
static int choose_export_runs(struct job *j, struct smi_sweep *s, const char *const *path, size_t n,
                              struct smi_export_settings *set)
{
    struct smi_err err = {0};
    int rc;
    if (smi_read_runs(s, path, n, &set->s, &err))
        return smi_fail(&err, NULL);
    rc = smi_choose_runs(s, &set->s);
    j->name = rc ? NULL : smi_mem_new(s->n, sizeof *j->name);
    for (j->n = 0; !rc && j->n < s->n; j->n++)
        j->name[j->n] = s->runs[j->n].run;
    if (j->n)
        qsort(j->name, j->n, sizeof *j->name, smi_compare_strings);
    return rc;
}

/* How much was done, for people; a dry run has nothing else to say, and where that cannot be written it has
 * failed. Returns an smi_exit. */
static int print_export_report(const struct job *j)
{
    struct smi_buf b = {0};
    const bool written = !j->set->dry_run;
    const unsigned long long runs = j->done.runs, rows = j->done.rows, marks = j->done.marks,
                             documents = j->done.documents;
    smi_buf_add(&b, j->plan.p ? j->plan.p : "", j->plan.n);
    smi_buf_str(&b, written ? "smilog: " : "");
    smi_buf_safe(&b, smi_text_of(j->set->to));
    smi_buf_fmt(&b, ": %llu run%s, %llu row%s, %llu mark%s", runs, runs == 1 ? "" : "s", rows,
                rows == 1 ? "" : "s", marks, marks == 1 ? "" : "s");
    if (j->set->target->store && j->set->more.pytorch)
        smi_buf_fmt(&b, ", %llu document%s", documents, documents == 1 ? "" : "s");
    smi_buf_str(&b, written ? " written\n" : "\n");
    if (!written)
        return smi_print(&b);
    smi_tell(&b);
    return SMI_EXIT_OK;
}

static int export_runs(struct job *j, const char *const *path, size_t n, struct smi_export_settings *set)
{
    const struct smi_target *t = set->target;
    /* of which logs the target wants the bytes: a store only for documents */
    const uint64_t texts = t->store && !set->more.pytorch ? 0 : t->texts;
    const struct smi_export to = {j->name, j->n, export_run, j, texts};
    struct smi_progress p = {.start_ms = smi_clock_now_ms()};
    struct smi_sweep s = {0};
    struct smi_buf more = {0};
    struct smi_err err = {0};
    bool stream = strcmp(set->where, "-") == 0;
    int rc = 0, doubt = 0;
    set->more.plan = set->dry_run ? &j->plan : NULL;
    /* a dry run has no target, but for one that can tell more than how much there is */
    j->to = set->dry_run && !t->store ? NULL : t->open(t, set->where, &set->more, &err);
    if (err.code)
        return smi_fail(&err, "export");
    set->s.d.progress = set->s.look.quiet || (stream && isatty(1)) ? NULL : smi_progress;
    set->s.d.self = &p;
    rc = smi_export(&s, path, n, &set->s.d, &set->s.o, &to, &err);
    smi_progress_end(&p);
    if (j->to) {
        j->done = *j->to;
        rc |= t->close(j->to, !rc && (s.usable || j->name), &err);
    }
    if (j->said > FIRST && !set->s.look.verbose)
        smi_buf_fmt(&more, "smilog: warning: %llu more of these (-v tells all)\n",
                    (unsigned long long)(j->said - FIRST));
    smi_tell(&more);
    doubt = rc ? smi_fail(&err, "export") : smi_print_warnings(&s, &set->s);
    if (rc && err.code == SMI_EFORMAT) /* what was read is of no use to the target: no failure to write */
        doubt = SMI_EXIT_NOTHING;
    if (!doubt && j->done.doubts && set->s.strict)
        doubt = SMI_EXIT_WARNING;
    if (!rc && !s.usable && !j->name && !(to.texts && j->to && j->done.runs))
        doubt = smi_fail_no_input(path, n, &set->s);
    else if (!rc && (set->dry_run || (!set->s.look.quiet && !stream)))
        rc = print_export_report(j);
    smi_sweep_fini(&s);
    return rc > 0 ? rc : doubt;
}

static int export_paths(const char *const *path, size_t n, struct smi_settings *shared)
{
    struct smi_export_settings *set = (struct smi_export_settings *)shared;
    struct job j = {.set = set};
    struct smi_sweep chosen = {0};
    int rc = smi_query_any(&set->s.ask) ? choose_export_runs(&j, &chosen, path, n, set) : 0;
    rc = rc ? rc : export_runs(&j, path, n, set);
    smi_mem_free(j.name);
    smi_buf_fini(&j.plan);
    smi_sweep_fini(&chosen);
    return rc;
}

int smi_command_export(int argc, char **argv)
{
    struct smi_export_settings set = {0};
    int rc;
    smi_settings_init(&set.s);
    set.s.of = 0;
    rc = smi_run_command(&smi_commands[SMI_COMMAND_EXPORT], argc, argv, &set.s, check_settings, export_paths);
    smi_buf_fini(&set.given);
    return rc;
}
