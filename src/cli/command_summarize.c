/* command_summarize.c - smilog summarize, report and merge */
#include "cli/settings.h"
#include "export/stored.h"

#include <errno.h>
#include <fts.h>
#include <sys/stat.h>
#include <unistd.h>

/* partial summaries to one. All or nothing: a sum with a part missing would look like a
 * result. */

/* ---- which files ---- */

struct parts {
    struct smi_arena names;
    const char **path; /* in the heap */
    size_t n, cap, ledgers;
};

static void add_part(struct parts *p, const char *path, enum smi_side_kind kind)
{
    const char *name = smi_arena_text(&p->names, path, strlen(path));
    *SMI_MEM_ADD(p->path, p->n, p->cap) = name;
    p->ledgers += kind == SMI_SIDE_LEDGER;
}

static int by_name(const FTSENT **a, const FTSENT **b)
{
    return smi_text_compare_natural((*a)->fts_name, (*b)->fts_name);
}

/* By its content; a ledger whose first row is broken, by its name. */
static enum smi_side_kind kind_of(const char *path)
{
    static const char ending[] = ".ledger";
    size_t n = strlen(path), end = sizeof ending - 1;
    enum smi_side_kind kind = smi_side_kind(path);
    return kind == SMI_SIDE_LOGS && n > end && strcmp(path + n - end, ending) == 0 ? SMI_SIDE_LEDGER : kind;
}

/* All partial summaries and ledgers below a directory. */
static int add_directory(struct parts *p, const char *path, struct smi_err *err)
{
    char *word = smi_mem_text(path, strlen(path)), *const root[] = {word, NULL};
    FTS *walk = fts_open(root, FTS_PHYSICAL | FTS_NOCHDIR, by_name);
    size_t before = p->n;
    int rc = walk ? 0 : smi_err_set(err, SMI_EIO, "%.200s: %s", path, strerror(errno));
    for (const FTSENT *e; !rc && (e = fts_read(walk));) {
        enum smi_side_kind kind = SMI_SIDE_LOGS;
        if (e->fts_info == FTS_DNR || e->fts_info == FTS_ERR || e->fts_info == FTS_NS)
            rc = smi_err_set(err, SMI_EIO, "%.300s: %s", e->fts_path, strerror(e->fts_errno));
        else if (e->fts_info == FTS_F)
            kind = kind_of(e->fts_accpath);
        if (!rc && (kind == SMI_SIDE_PARTIAL || kind == SMI_SIDE_LEDGER))
            add_part(p, e->fts_path, kind);
    }
    if (walk)
        fts_close(walk);
    smi_mem_free(word);
    if (!rc && p->n == before)
        rc = smi_err_set(err, SMI_EFORMAT,
                         "%.200s holds no partial summary and no ledger: smilog summarize "
                         "takes directories of logs",
                         path);
    return rc;
}

static int find_parts(struct parts *p, const char *const *path, size_t n, struct smi_err *err)
{
    struct stat st;
    int rc = 0;
    for (size_t i = 0; i < n && !rc; i++) {
        if (!smi_stored_has_prefix(path[i]) && stat(path[i], &st) == 0 && S_ISDIR(st.st_mode))
            rc = add_directory(p, path[i], err);
        else
            add_part(p, path[i], kind_of(path[i]));
    }
    if (!rc && p->ledgers && p->ledgers < p->n)
        rc = smi_err_set(err, SMI_EFORMAT,
                         "%zu of %zu files are ledgers, and the others are not: merge them apart", p->ledgers,
                         p->n);
    return rc;
}

/* ---- merging ---- */

static int merge_ledgers(const struct parts *p, const struct smi_settings *set)
{
    struct smi_result rows = {0};
    struct smi_buf said = {0};
    struct smi_err err = {0};
    struct smi_query ask = set->ask;
    bool doubt;
    int rc = 0;
    ask.prices = set->o.prices;
    ask.columns = smi_settings_file_has(ask.columns) ? NULL : ask.columns; /* columns of runs */
    if (set->partial || (!set->writer->rows && !set->writer->rows_file))
        rc = smi_err_set(&err, SMI_EUSAGE, "rows of a ledger are files that can be joined: cat does it");
    rc = rc ? rc : smi_ledger_query(p->path, p->n, &ask, &rows, &said, &err);
    smi_print_sentences(&said, set);
    doubt = said.n > 0;
    smi_buf_fini(&said);
    rc = rc ? smi_fail_reading(&err) : smi_write_rows(&rows, set);
    smi_result_fini(&rows);
    return rc ? rc : doubt && set->strict ? SMI_EXIT_WARNING : SMI_EXIT_OK;
}

static int merge_partials(const struct parts *p, const struct smi_settings *set)
{
    struct smi_sweep s;
    struct smi_err err = {0};
    int rc, doubt;
    if (set->partial)
        return smi_merge_partials(p->path, p->n, set);
    if (smi_stored_read(&s, p->path, p->n, set->d.run, &set->o, NULL, NULL, &err)) {
        smi_fail(&err, NULL);
        return SMI_EXIT_NOTHING;
    }
    doubt = smi_print_warnings(&s, set);
    rc = smi_write_result(&s, set);
    smi_sweep_fini(&s);
    return rc ? rc : doubt;
}

static int merge_paths(const char *const *path, size_t n, struct smi_settings *set)
{
    struct parts p = {.n = 0};
    struct smi_err err = {0};
    int rc;
    if (find_parts(&p, path, n, &err))
        rc = smi_fail_reading(&err);
    else
        rc = p.ledgers ? merge_ledgers(&p, set) : merge_partials(&p, set);
    smi_mem_free(p.path);
    smi_arena_fini(&p.names);
    return rc;
}

static int check_parts(struct smi_settings *set, const char *const *path, size_t n, struct smi_err *err)
{
    (void)path;
    return n ? smi_settings_check(set, err)
             : smi_err_set(err, SMI_EUSAGE, "merge needs the files or directories to merge");
}

int smi_command_merge(int argc, char **argv)
{
    struct smi_settings set;
    smi_settings_init(&set);
    return smi_run_command(&smi_commands[SMI_COMMAND_MERGE], argc, argv, &set, check_parts, merge_paths);
}

/* ---- paths to runs to pages for people ---- */

int smi_command_report(int argc, char **argv)
{
    struct smi_settings set;
    smi_settings_init(&set);
    set.pages = true;
    return smi_run_command(&smi_commands[SMI_COMMAND_REPORT], argc, argv, &set, NULL, smi_read_and_write);
}

/* ---- paths to runs to numbers ---- */

/* Each run goes out as soon as it is its turn. */
static int write_partials_in_order(const char *const *path, size_t n, struct smi_settings *set)
{
    struct smi_progress p = {.start_ms = smi_clock_now_ms()};
    struct smi_document_file out = {.documents = 0};
    struct smi_sweep s;
    struct smi_err err = {0};
    int rc = smi_text_file_open(&out.file, set->output ? set->output : "-", &err), doubt;
    int64_t usable;
    bool stored;
    if (rc)
        return smi_fail(&err, NULL);
    /* the lines would go through that of the progress */
    if (!set->partial && !set->look.quiet && !isatty(out.file.file.fd))
        set->d.progress = smi_progress;
    set->d.self = &p;
    set->d.stored = true;
    if (smi_sweep_documents(&s, path, n, &set->d, &set->o, smi_document_put, &out, &err))
        rc = -1;
    if (!rc && set->partial)
        smi_partial_write_end(&out.file.text, out.documents);
    rc |= smi_text_file_close(&out.file, !rc && s.usable, &err);
    smi_progress_end(&p);
    stored = !rc && s.nstored;
    if (rc)
        doubt = err.code == SMI_EFORMAT ? smi_fail_reading(&err) : smi_fail(&err, NULL);
    else
        doubt = stored ? 0 : smi_print_warnings(&s, set);
    usable = rc ? 1 : s.usable;
    smi_sweep_fini(&s);
    if (stored)
        return smi_read_and_write(path, n, set);
    return usable ? doubt : smi_fail_no_input(path, n, set);
}

static int summarize_paths(const char *const *path, size_t n, struct smi_settings *set)
{
    bool lines = set->partial || (set->writer->lines && !smi_query_any(&set->ask));
    for (size_t i = 0; i < n; i++)
        lines = lines && !smi_is_stored_path(path[i]);
    return (lines ? write_partials_in_order : smi_read_and_write)(path, n, set);
}

int smi_command_summarize(int argc, char **argv)
{
    struct smi_settings set;
    bool zero = false; /* nothing that is wrong with the other words has another status */
    int rc;
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        zero |= strcmp(argv[i], "--exit-zero") == 0;
    smi_settings_init(&set);
    rc = smi_run_command(&smi_commands[SMI_COMMAND_SUMMARIZE], argc, argv, &set, NULL, summarize_paths);
    return zero ? SMI_EXIT_OK : rc;
}
