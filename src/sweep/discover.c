/* discover.c - makes runs of what the walk has found: which logs belong together, under which name
 * (docs/numbers.md §8). */
#include "sweep/discover.h"

#include "sweep/discover_private.h"
#include "formats/file_group.h"
#include "sweep/archived_log.h"

#include <string.h>
#include <unistd.h>

enum {
    OTHERS =
        16 /* see smi_walk_opts: with those that are called most alike, a directory's runs are told apart */
};

static int by_shown(const void *x, const void *y)
{
    const struct smi_found_file *a = x, *b = y;
    return smi_text_compare_natural(a->shown, b->shown);
}

static size_t archive_of(const struct smi_dir *dir)
{
    while (!dir->archive)
        dir = dir->parent;
    return dir->index;
}

/* "all.jsonl": what holds the run, whose own name would say nothing new. */
static const char *samples_file(struct smi_discovery *g, const struct smi_dir *dir)
{
    const char *name = dir->self->name;
    return dir->parent->parent || strcmp(name, "-") == 0 ? smi_arena_text(&g->out->arena, name, strlen(name))
                                                         : smi_discovery_base_name(g, name);
}

static int fill_files(struct smi_discovery *g, const struct smi_cluster *c, struct smi_found_run *r)
{
    bool all = g->o->run != NULL; /* files of many directories: the whole way is shown */
    struct smi_found_file *f = smi_arena_new(&g->out->arena, c->files, sizeof *f);
    r->file = f;
    for (size_t k = 0, i = 0; f && k < c->files; k++) {
        const struct smi_dir *dir = c->file[k].dir;
        const struct smi_entry *e = c->file[k].entry;
        if (!smi_entry_is_log(e))
            continue;
        f[i].path = smi_walk_path(&g->out->arena, NULL, dir, e->name);
        f[i].shown = all                           ? f[i].path
                     : dir->samples                ? samples_file(g, dir)
                     : dir->parent                 ? smi_walk_path(&g->out->arena, c->dir, dir, e->name)
                     : e->kind == SMI_ENTRY_STREAM ? f[i].path
                                                   : smi_discovery_base_name(g, e->name);
        f[i].format = e->kind == SMI_ENTRY_STREAM ? g->o->format : e->format;
        f[i].bare = e->bare;
        f[i].columns = !e->columns || e->columns == g->o->columns
                           ? g->o->columns
                           : smi_arena_text(&g->out->arena, e->columns, strlen(e->columns));
        f[i].seen = e->kind == SMI_ENTRY_LOG && dir->parent;
        f[i].inside = e->inside;
        if (e->inside)
            e->inside->archive = archive_of(dir);
        if (!f[i].path || !f[i].shown || (e->columns && !f[i].columns))
            return -1;
        r->files = ++i;
    }
    smi_sort(f, r->files, sizeof *f, by_shown);
    return f ? 0 : -1;
}

/* What key=value pieces may stand in, into b: the PATH as given, its real name, the way below it, the run's
 * stem. */
static const char *param_text(struct smi_discovery *g, const struct smi_cluster *c, struct smi_buf *b)
{
    const struct smi_dir *path = c->dir;
    const char *stem = c->stem;
    if (g->o->run)
        return g->o->run;
    smi_buf_clear(b);
    while (path->parent && path->parent->parent)
        path = path->parent;
    if (!path->parent)
        stem = smi_file_group_stem(&g->out->arena, c->file[0].entry->name);
    else
        smi_buf_fmt(b, "%s/%s/", path->as ? path->as : path->self->name,
                    path->as ? path->as : smi_discovery_base_name(g, path->self->name));
    smi_walk_path_append(b, c->dir, path, true);
    smi_buf_str(b, stem ? stem : "");
    return b->failed ? NULL : b->p;
}

static int by_run_name(const void *x, const void *y)
{
    const struct smi_found_run *a = x, *b = y;
    return smi_text_compare_natural(a->name, b->name);
}

static void copy_config(struct smi_found_run *r, const struct smi_config_params *c)
{
    if (!c)
        return;
    r->config = c->param;
    r->configs = c->n;
    r->fact = c->fact;
    r->facts = c->facts;
    r->problem = c->problem;
    r->problems = c->problems;
}

/* --name-pattern */
static int read_names(struct smi_discovery *g, struct smi_found_run *run)
{
    struct smi_buf b = {0};
    int is = 0, any = 0;
    for (size_t i = 0; i < g->n && is >= 0; i++) {
        is = smi_pattern_params(&g->out->arena, g->o->pattern, run[i].name, &run[i].param, &run[i].params);
        any |= is;
    }
    if (is < 0 || any)
        return is < 0 ? -1 : 0;
    smi_buf_fmt(&b, "no run has a name of the form %s; one is %s", g->o->pattern, run->name);
    return smi_discovery_add_warning(g, "--name-pattern", smi_buf_keep(&b, &g->out->arena), false);
}

/* A PATH that is a file was to be a log. */
static bool is_crashed(const struct smi_cluster *c)
{
    return c->dir->parent && !c->dir->beside && !smi_entry_is_log(c->file[0].entry);
}

static int make_runs(struct smi_discovery *g)
{
    struct smi_found *out = g->out;
    struct smi_found_run *run = smi_arena_new(&out->arena, g->n + 1, sizeof *run);
    char **name = smi_arena_new(&out->arena, g->n + 1, sizeof *name);
    struct smi_buf b = {0};
    int rc = run && name ? 0 : -1;
    for (size_t i = 0; !rc && i < g->n; i++) {
        const char *text = param_text(g, &g->cluster[i], &b);
        run[i].name = smi_discovery_run_name(g, &g->cluster[i]);
        run[i].crashed = is_crashed(&g->cluster[i]);
        copy_config(&run[i], g->cluster[i].config);
        if (!run[i].name || !text || fill_files(g, &g->cluster[i], &run[i]) ||
            smi_path_params(&out->arena, text, &run[i].param, &run[i].params, NULL) ||
            !(name[i] = smi_arena_text(&out->arena, text, strlen(text))))
            rc = -1;
    }
    smi_buf_fini(&b);
    if (rc || smi_discovery_settle_names(g, run))
        return -1;
    if (g->n && (g->o->pattern ? read_names(g, run) : smi_discovery_name_words(&out->arena, run, name, g->n)))
        return -1;
    if (g->n)
        smi_sort(run, g->n, sizeof *run, by_run_name);
    out->run = run;
    out->runs = g->n;
    return 0;
}

/* --run NAME: all logs of all PATHs are one run. */
static int unite_clusters(struct smi_discovery *g)
{
    struct smi_cluster *one = g->cluster;
    for (; g->n > 1; g->n--) {
        struct smi_cluster *c = &g->cluster[g->n - 1];
        if (smi_mem_reserve(&one->file, &one->cap, one->files + c->files, sizeof *one->file))
            return -1;
        memcpy(one->file + one->files, c->file, c->files * sizeof *c->file);
        one->files += c->files;
        smi_mem_free(c->file);
        one->config = NULL; /* of several runs: nobody's in particular */
    }
    return 0;
}

/* Archives with a run in common get one number; each run gets that of its archives. */
static void number_units(struct smi_found *out, struct smi_found_archive *archive)
{
    for (size_t i = 0; i < out->archives; i++)
        archive[i].unit = i + 1;
    for (int again = 1; again >= 0;
         again--) /* the second time all runs see what the later ones have joined */
        for (size_t i = 0; i < out->runs; i++) {
            struct smi_found_run *r = (struct smi_found_run *)&out->run[i];
            r->unit = 0;
            for (size_t k = 0; k < r->files; k++) {
                size_t unit = r->file[k].inside ? archive[r->file[k].inside->archive].unit : r->unit;
                for (size_t j = 0; r->unit && unit != r->unit && j < out->archives; j++)
                    archive[j].unit = archive[j].unit == unit ? r->unit : archive[j].unit;
                r->unit = r->unit ? r->unit : unit;
            }
        }
}

static int keep_archives(struct smi_discovery *g, struct smi_walk *w)
{
    struct smi_found *out = g->out;
    struct smi_found_archive *archive = smi_arena_new(&out->arena, g->archives + 1, sizeof *archive);
    for (size_t i = 0; archive && i < g->archives; i++) {
        archive[i].path = smi_walk_path(&out->arena, NULL, g->archive[i]->parent, g->archive[i]->self->name);
        archive[i].samples = g->archive[i]->samples ? g->archive[i]->self->format : -1;
        archive[i].kept = g->archive[i]->self->kept - 1; /* its owner is out, now */
        g->archive[i]->self->kept = 0;
        out->archives = i + 1;
        out->archive = archive;
        if (!archive[i].path)
            return -1;
    }
    if (!archive)
        return -1;
    number_units(out, archive);
    for (int i = 0; i < SMI_WALK_THREADS; i++) /* what the runs point to outlives the walk */
        while (w->inside[i]) {
            struct smi_archived_log *in = w->inside[i];
            w->inside[i] = in->next;
            in->next = out->inside;
            out->inside = in;
        }
    return 0;
}

/* Of the first of n files; one and many: the words that say it of the others. */
static int report_first(struct smi_discovery *g, const char *path, const char *text, int64_t n,
                        const char *one, const char *many)
{
    struct smi_buf b = {0};
    if (!n)
        return 0;
    smi_buf_str(&b, text);
    if (n > 1)
        smi_buf_fmt(&b, " (so %s %lld other%s)", n > 2 ? many : one, (long long)n - 1, n > 2 ? "s" : "");
    if (smi_discovery_add_error(g, path, smi_buf_keep(&b, &g->out->arena), false))
        return -1;
    g->trouble[g->troubles - 1].more = n - 1;
    return 0;
}

static int report_files(struct smi_discovery *g)
{
    return report_first(g, g->bare, g->bare_text, g->out->bare, "has", "have") ||
           report_first(g, g->loop.first, "a link that leads back to where it is: not followed", g->loop.n,
                        "is", "are") ||
           report_first(g, g->broken.first, "a link that leads nowhere: not followed", g->broken.n, "is",
                        "are");
}

/* A copy in the arena; NULL without memory. */
static const void *keep_list(struct smi_discovery *g, const void *list, size_t n, size_t size)
{
    void *to = smi_arena_new(&g->out->arena, n + 1, size);
    if (to && n)
        memcpy(to, list, n * size);
    return to;
}

static int keep_lists(struct smi_discovery *g)
{
    struct smi_found *out = g->out;
    out->nstored = g->nstored;
    out->nnotes = g->notes;
    out->ntrouble = g->troubles;
    out->stored = keep_list(g, g->stored, g->nstored, sizeof *g->stored);
    out->note = keep_list(g, g->note, g->notes, sizeof *g->note);
    out->trouble = keep_list(g, g->trouble, g->troubles, sizeof *g->trouble);
    out->passed = keep_list(g, g->passed, out->npassed, sizeof *g->passed);
    return out->stored && out->note && out->trouble && out->passed ? 0 : -1;
}

int smi_discover(struct smi_found *out, const char *const *path, size_t n, const struct smi_discover_opts *o,
                 struct smi_err *err)
{
    const size_t others = o->per == SMI_RUN_FILE || o->run ? 0 : o->per == SMI_RUN_DIR ? SIZE_MAX : OTHERS;
    const struct smi_walk_opts walk = {o->format,       o->columns, o->gpu_count, o->threads,
                                       o->follow_links, others,     o->progress,  o->self};
    struct smi_walk w;
    struct smi_discovery g = {.out = out, .o = o, .root = &w.root};
    int rc;
    memset(out, 0, sizeof *out);
    rc = smi_walk(&w, path, n, &walk, err);
    if (!rc &&
        (smi_discovery(&g, &w) || (o->run && unite_clusters(&g)) || make_runs(&g) || report_files(&g) ||
         smi_discovery_check_clusters(&g) || keep_lists(&g) || keep_archives(&g, &w)))
        rc = smi_err_nomem(err);
    smi_discovery_fini(&g);
    smi_walk_fini(&w);
    if (rc)
        smi_found_fini(out);
    return rc;
}

void smi_found_fini(struct smi_found *f)
{
    for (size_t i = 0; i < f->archives; i++)
        if (f->archive[i].kept >= 0)
            close(f->archive[i].kept);
    smi_arena_fini(&f->arena);
    smi_archived_logs_free(f->inside);
    memset(f, 0, sizeof *f);
}

bool smi_found_run_is_stream(const struct smi_found_run *r)
{
    for (size_t i = 0; i < r->files; i++)
        if (strcmp(r->file[i].path, "-") == 0)
            return true;
    return false;
}
