/* command_export.c - paths to runs to samples, somewhere else. */
#include "cli/command_export.h"

#include "base/clock.h"
#include "base/file.h"
#include "cli/write_result.h"
#include "cli/read_runs.h"
#include "cli/message.h"
#include "cli/warnings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FIRST = 5 /* sentences of a target that are told */ };

static int run(int argc, char **argv);

const struct smi_cmd smi_cmd_export = {
    .name = "export",
    .args = "[OPTION]... [PATH]... --to T",
    .help = "The samples themselves, on one clock and attributed to their GPUs, for databases\n"
            "and other tools.",
    .examples = "  smilog export out/ --to sqlite:runs.db          add what is new to a database\n"
                "  smilog export out/ --to csv:samples.csv         one wide table\n"
                "  smilog export out/ --to jsonl:samples.jsonl     a line of JSON a reading\n"
                "  smilog export --where 'idle_pct > 10' out/ --to jsonl:- | head\n"
                "  smilog export out/ --to clickhouse://db1,db2/runs\n"
                "  smilog export --dry-run out/ --to jsonl:-       how much there is\n\n"
                "T is one of\n"
                "  sqlite:FILE         tables of a SQLite file, for SQL\n"
                "  csv:FILE|-          one wide table, a column a metric, for pandas and DuckDB\n"
                "  jsonl:FILE|-        a line of JSON a reading, phase and event\n"
                "  openmetrics:FILE|-  history for Prometheus (promtool takes it in)\n"
                "  pytorch:DIR         what PyTorch CI keeps of its jobs, from any run\n"
                "  clickhouse://[USER@]HOST[:PORT][,HOST...]/DATABASE   (clickhouses: TLS)\n"
                "                      a table of runs and one of samples; several hosts are\n"
                "                      its shards; --pytorch: with PyTorch CI's two tables\n\n"
                "A file is whole or not there; - is standard output.\n",
    .opts = smi_export_opts,
    .run = run,
};

/* ---- one run after the other ---- */

struct job {
    const struct smi_export_settings *set;
    struct smi_target_out *to; /* NULL: a dry run */
    const char **name;         /* of the runs that are wanted, sorted; NULL: all */
    size_t n;
    uint64_t runs, rows, marks; /* of a dry run */
    uint64_t documents;
    uint64_t said;       /* sentences of the target for the user */
    struct smi_buf plan; /* what it would do */
};

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool is_run_chosen(void *self, const char *run)
{
    const struct job *j = self;
    return j->n && bsearch(&run, j->name, j->n, sizeof *j->name, compare_names);
}

static void print_text(struct smi_buf *b)
{
    if (b->n)
        smi_file_write(2, b->p, b->n, "standard error", NULL);
    smi_buf_fini(b);
}

/* The first sentences for the user, each with its NUL. */
static void print_run_warnings(struct job *j, const struct smi_buf *said)
{
    struct smi_buf b = {0};
    for (size_t at = 0; at < said->n; at += strlen(said->p + at) + 1) {
        if (j->set->s.quiet || (j->said++ >= FIRST && !j->set->s.verbose))
            continue;
        smi_buf_str(&b, "smilog: warning: ");
        smi_buf_safe(&b, smi_text_of(said->p + at));
        smi_buf_char(&b, '\n');
    }
    print_text(&b);
}

static void print_more_warnings(const struct job *j)
{
    struct smi_buf b = {0};
    if (j->said > FIRST && !j->set->s.verbose)
        smi_buf_fmt(&b, "smilog: warning: %llu more of these (-v tells all)\n",
                    (unsigned long long)(j->said - FIRST));
    print_text(&b);
}

static int count_row(void *self, const struct smi_export_row *row, struct smi_err *err)
{
    struct job *j = self;
    (void)row, (void)err;
    j->rows++;
    return 0;
}

static int count_run_rows(struct job *j, const struct smi_export_run *r, struct smi_err *err)
{
    j->runs++;
    for (size_t i = 0; i < r->inputs; i++) {
        if (smi_export_rows(r, i, 0, count_row, j, err))
            return -1;
        j->marks += r->input[i].marks;
    }
    return 0;
}

static int export_run(void *self, const struct smi_export_run *r, struct smi_err *err)
{
    struct job *j = self;
    struct smi_buf said = {0};
    int rc;
    if (!j->to) /* a dry run */
        return count_run_rows(j, r, err);
    rc = j->set->target->run(j->to, r, &said, err);
    print_run_warnings(j, &said);
    smi_buf_fini(&said);
    return rc;
}

/* The names of the runs that are asked for. Of the sweep that is read for it nothing else is used: what is
 * exported is of the second reading. Returns an smi_exit. */
static int choose_export_runs(struct job *j, struct smi_sweep *s, const char *const *path, size_t n,
                              struct smi_export_settings *set)
{
    struct smi_result rows = {0};
    struct smi_err err = {0};
    int rc;
    if (smi_read_runs(s, path, n, &set->s, &err))
        return smi_fail(&err, NULL);
    rc = smi_apply_query(s, &set->s, &rows);
    smi_result_fini(&rows);
    j->name = rc ? NULL : smi_mem_new(s->n, sizeof *j->name);
    if (!rc && !j->name)
        return smi_err_nomem(&err), smi_fail(&err, NULL);
    for (j->n = 0; !rc && j->n < s->n; j->n++)
        j->name[j->n] = s->runs[j->n].run;
    if (j->n)
        qsort(j->name, j->n, sizeof *j->name, compare_names);
    return rc;
}

/* How much was done, for people; a dry run has nothing else to say, and where that cannot be written it has
 * failed. Returns an smi_exit. */
static int print_export_report(const struct job *j, const struct smi_target_out *done)
{
    struct smi_buf b = {0};
    unsigned long long runs = done ? done->runs : j->runs, rows = done ? done->rows : j->rows,
                       marks = done ? done->marks : j->marks;
    char documents[40] = "";
    int rc = 0;
    if (j->set->more.pytorch)
        snprintf(documents, sizeof documents, ", %llu document%s", (unsigned long long)j->documents,
                 j->documents == 1 ? "" : "s");
    smi_buf_add(&b, j->plan.p ? j->plan.p : "", j->plan.n);
    smi_buf_str(&b, done ? "smilog: " : "");
    smi_buf_safe(&b, smi_text_of(j->set->to));
    smi_buf_fmt(&b, ": %llu run%s, %llu row%s, %llu mark%s%s%s\n", runs, runs == 1 ? "" : "s", rows,
                rows == 1 ? "" : "s", marks, marks == 1 ? "" : "s", documents, done ? " written" : "");
    if (!done)
        rc = smi_print(&b);
    else if (b.n)
        smi_file_write(2, b.p, b.n, "standard error", NULL);
    smi_buf_fini(&b);
    return rc;
}

/* A dry run has no target, but for one that can tell more than how much there is. Returns 0, or -1 with err.
 */
static int open_export_target(struct job *j, struct smi_export_settings *set, struct smi_err *err)
{
    const struct smi_target *t = set->target;
    set->more.dry = set->dry_run;
    set->more.plan = &j->plan;
    if (set->dry_run && !t->open_with)
        return 0;
    j->to = t->open_with ? t->open_with(set->where, &set->more, err) : t->open(set->where, err);
    if (!j->to)
        return -1;
    if (t != &smi_target_pytorch || !smi_pytorch_target_set(j->to, &set->pytorch, err))
        return 0;
    t->close(j->to, false, NULL);
    return -1;
}

/* What was read is of no use to the target: that is no failure to write. */
static int fail_export(const struct smi_err *err)
{
    int rc = smi_fail(err, "export");
    return err->code == SMI_EFORMAT ? SMI_EXIT_NOTHING : rc;
}

/* Of which logs the target wants the bytes: a store only for documents. */
static uint32_t texts_for(const struct smi_export_settings *set)
{
    return set->target->open_with && !set->more.pytorch ? 0 : set->target->texts;
}

static int export_runs(struct job *j, const char *const *path, size_t n, struct smi_export_settings *set)
{
    const struct smi_export to = {j->name ? is_run_chosen : NULL, export_run, j, texts_for(set)};
    struct smi_progress p = {.start_ms = smi_clock_now_ms()};
    struct smi_target_out done = {0};
    struct smi_sweep s = {0};
    struct smi_err err = {0};
    bool stream = strcmp(set->where, "-") == 0;
    int rc = 0, doubt = 0;
    if (open_export_target(j, set, &err))
        return smi_fail(&err, "export");
    set->s.d.progress = set->s.quiet || (stream && isatty(1)) ? NULL : smi_progress;
    set->s.d.self = &p;
    rc = smi_export(&s, path, n, &set->s.d, &set->s.o, &to, &err);
    smi_progress_end(&p);
    if (j->to) {
        done = *j->to;
        if (set->dry_run)
            j->runs = done.runs, j->rows = done.rows, j->marks = done.marks;
        j->documents = done.documents;
        rc |= set->target->close(j->to, !rc && (s.usable || j->name), &err);
    }
    print_more_warnings(j);
    doubt = rc ? fail_export(&err) : smi_print_warnings(&s, &set->s);
    if (!doubt && done.doubts && set->s.strict)
        doubt = SMI_EXIT_WARNING;
    if (!rc && !s.usable && !j->name && !(to.texts && done.runs))
        doubt = smi_fail_no_input(path, n, &set->s);
    else if (!rc && (set->dry_run || (!set->s.quiet && !stream)))
        rc = print_export_report(j, set->dry_run ? NULL : &done);
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

static int run_with(const char *const *path, size_t n, struct smi_export_settings *set)
{
    struct smi_err err = {0};
    if (smi_export_settings_check(set, path, n, &err) || smi_settings_check(&set->s, &err) ||
        smi_settings_check_overwrite(&set->s, path, n, &err))
        return smi_fail(&err, "export");
    set->s.d.output = set->s.to;
    set->s.d.output_opt = "--to";
    return export_paths(path, n, &set->s);
}

static int run(int argc, char **argv)
{
    static const char *const here[] = {"."};
    struct smi_export_settings set = {0};
    struct smi_buf help = {0};
    struct smi_err err = {0};
    int rc;
    smi_settings_init(&set.s);
    set.s.own_forms = true;
    rc = smi_opt_parse(&smi_cmd_export, &argc, argv, &set, &err);
    for (int i = 1; !rc && i < argc; i++)
        if (!*argv[i])
            rc = smi_err_set(&err, SMI_EUSAGE, "a PATH is empty: a variable that is not set?");
    if (rc > 0) {
        smi_opt_help(&help, &smi_cmd_export);
        rc = smi_print(&help);
    } else if (rc) {
        rc = smi_fail(&err, "export");
    } else {
        rc = argc < 2 ? run_with(here, 1, &set)
                      : run_with((const char *const *)argv + 1, (size_t)argc - 1, &set);
    }
    smi_buf_fini(&set.given);
    smi_settings_fini(&set.s);
    return rc;
}
