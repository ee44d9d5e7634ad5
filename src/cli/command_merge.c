/* command_merge.c - partial summaries to one. All or nothing: a sum with a part missing would look like a
 * result. */
#include "cli/write_result.h"
#include "cli/read_runs.h"
#include "cli/option.h"
#include "cli/warnings.h"
#include "cli/settings.h"
#include "cli/settings_file.h"
#include "export/stored.h"
#include "query/diff_side.h"
#include "query/ledger.h"

#include <fts.h>
#include <string.h>
#include <sys/stat.h>

static const struct smi_opt *const opts[] = {smi_opts_output,  smi_opts_filter,  smi_opts_query,
                                             smi_opts_summary, smi_opts_partial, NULL};

static int run_merge(int argc, char **argv);

const struct smi_cmd smi_cmd_merge = {
    .name = "merge",
    .args = "[OPTION]... FILE|DIR...",
    .takes = "FILE",
    .brief = "Merge partial summaries, or add up a ledger",
    .opts = opts,
    .run = run_merge,
};

/* ---- which files ---- */

struct parts {
    struct smi_arena names;
    const char **path; /* in the heap */
    size_t n, cap, ledgers;
};

static int add_part(struct parts *p, const char *path, enum smi_side_kind kind, struct smi_err *err)
{
    const char *name = smi_arena_text(&p->names, path, strlen(path));
    if (!name || smi_mem_reserve(&p->path, &p->cap, p->n + 1, sizeof *p->path))
        return smi_err_nomem(err);
    p->path[p->n++] = name;
    p->ledgers += kind == SMI_SIDE_LEDGER;
    return 0;
}

static int by_name(const FTSENT **a, const FTSENT **b)
{
    return smi_text_compare_natural((*a)->fts_name, (*b)->fts_name);
}

/* By its content; a ledger whose first row is broken, by its name. */
static int kind_of(const char *path, enum smi_side_kind *kind, struct smi_err *err)
{
    static const char ending[] = ".ledger";
    size_t n = strlen(path), end = sizeof ending - 1;
    int rc = smi_side_kind(path, kind, err);
    if (*kind == SMI_SIDE_LOGS && n > end && strcmp(path + n - end, ending) == 0)
        *kind = SMI_SIDE_LEDGER;
    return rc;
}

static int add_found(struct parts *p, const FTSENT *e, struct smi_err *err)
{
    enum smi_side_kind kind;
    if (e->fts_info == FTS_DNR || e->fts_info == FTS_ERR || e->fts_info == FTS_NS)
        return smi_err_set(err, SMI_EIO, "%.300s: %s", e->fts_path, strerror(e->fts_errno));
    if (e->fts_info != FTS_F)
        return 0;
    if (kind_of(e->fts_accpath, &kind, err))
        return -1;
    return kind == SMI_SIDE_PARTIAL || kind == SMI_SIDE_LEDGER ? add_part(p, e->fts_path, kind, err) : 0;
}

/* All partial summaries and ledgers below a directory. */
static int add_directory(struct parts *p, const char *path, struct smi_err *err)
{
    char *word = smi_mem_text(path, strlen(path)), *const root[] = {word, NULL};
    FTS *walk = word ? fts_open(root, FTS_PHYSICAL | FTS_NOCHDIR, by_name) : NULL;
    size_t before = p->n;
    int rc = walk ? 0 : smi_err_nomem(err);
    for (const FTSENT *e; !rc && (e = fts_read(walk));)
        rc = add_found(p, e, err);
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

static int find_parts(struct parts *p, char **path, int n, struct smi_err *err)
{
    struct stat st;
    int rc = 0;
    for (int i = 0; i < n && !rc; i++) {
        enum smi_side_kind kind = SMI_SIDE_LOGS;
        if (!smi_stored_has_prefix(path[i]) && stat(path[i], &st) == 0 && S_ISDIR(st.st_mode))
            rc = add_directory(p, path[i], err);
        else
            rc = kind_of(path[i], &kind, err) || add_part(p, path[i], kind, err) ? -1 : 0;
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
    if (smi_settings_file_has(ask.columns)) /* columns of runs */
        ask.columns = NULL;
    if (set->partial || (!set->writer->rows && !set->writer->rows_file))
        rc = smi_err_set(&err, SMI_EUSAGE, "rows of a ledger are files that can be joined: cat does it");
    rc = rc ? rc : smi_ledger_query(p->path, p->n, &ask, &rows, &said, &err);
    smi_print_sentences(&said, set);
    doubt = said.n > 0;
    smi_buf_fini(&said);
    rc = rc ? smi_fail_reading(&err, NULL) : smi_write_rows(&rows, set);
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
    rc = smi_stored_read(&s, p->path, p->n, set->d.run, NULL, &set->o, &err);
    if (rc) {
        smi_fail(&err, NULL);
        return err.code == SMI_ENOMEM ? SMI_EXIT_OUTPUT : SMI_EXIT_NOTHING;
    }
    doubt = smi_print_warnings(&s, set);
    rc = smi_write_result(&s, set);
    smi_sweep_fini(&s);
    return rc ? rc : doubt;
}

static int merge_paths(int n, char **path, const struct smi_settings *set)
{
    struct parts p = {.n = 0};
    struct smi_err err = {0};
    int rc;
    if (find_parts(&p, path, n, &err))
        rc = smi_fail_reading(&err, NULL);
    else
        rc = p.ledgers ? merge_ledgers(&p, set) : merge_partials(&p, set);
    smi_mem_free(p.path);
    smi_arena_fini(&p.names);
    return rc;
}

static int run_merge(int argc, char **argv)
{
    struct smi_settings set;
    struct smi_err err = {0};
    int rc;
    smi_settings_init(&set);
    rc = smi_opt_begin(&smi_cmd_merge, &argc, argv, &set);
    if (rc < 0 && argc < 2)
        smi_err_set(&err, SMI_EUSAGE, "merge needs the files or directories to merge");
    if (rc < 0 && (err.code || smi_settings_check(&set, &err) ||
                   smi_settings_check_overwrite(&set, (const char *const *)argv + 1, (size_t)argc - 1, &err)))
        rc = smi_fail(&err, "merge");
    else if (rc < 0)
        rc = merge_paths(argc - 1, argv + 1, &set);
    smi_settings_fini(&set);
    return rc;
}
