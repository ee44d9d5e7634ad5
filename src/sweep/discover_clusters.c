/* discover_clusters.c - which logs make up a run, and what is not used: walks the finished tree in the order
 * of names, so that the result is the same for any number of threads. */
#include "base/file.h"
#include "base/text.h"
#include "formats/format.h"
#include "formats/file_group.h"
#include "summary/run.h"
#include "sweep/discover_private.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- how the runs that were found are called, whatever way their PATH was typed ---- */

/* ---- PATHs as the file system has them ---- */

/* Asked of the same PATH for all runs below it. */
static const char *real_path(struct smi_discovery *g, const char *path)
{
    char *real;
    if (g->real_of == path)
        return g->real;
    real = realpath(path, NULL);
    g->real = smi_arena_text(&g->out->arena, real ? real : path, strlen(real ? real : path));
    g->real_of = path;
    free(real); /* realpath's own */
    return g->real;
}

static const char *last_piece(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

const char *smi_discovery_base_name(struct smi_discovery *g, const char *path)
{
    return last_piece(real_path(g, path));
}

/* How many bytes of the real names of all PATHs lead to the directory that holds them all. */
static size_t common_directory(struct smi_discovery *g)
{
    const char *first = NULL;
    size_t n = 0;
    for (size_t i = 0; i < g->root->entries; i++) {
        const char *real =
            g->root->entry[i].kind == SMI_ENTRY_STREAM ? NULL : real_path(g, g->root->entry[i].name);
        size_t most = real ? (size_t)(last_piece(real) - real) : 0, same = 0;
        if (!real)
            continue;
        if (!first)
            n = most;
        first = first ? first : real;
        while (same < n && same < most && first[same] == real[same])
            same++;
        while (same && first[same - 1] != '/')
            same--;
        n = same;
    }
    return n;
}

/* "exp2/logs" of a PATH whose last pieces are these, another PATH being exp1/logs. */
static const char *distinguishing_path(struct smi_discovery *g, const char *path)
{
    if (!g->common)
        g->common = 1 + common_directory(g);
    return real_path(g, path) + g->common - 1;
}

/* ---- directories of W&B: run-20260301_100000-a1b2c3d4/files ---- */

static bool is_wandb_run(const char *name, size_t n)
{
    static const char form[] = "run-dddddddd_dddddd-";
    if (n > 8 && strncmp(name, "offline-", 8) == 0)
        name += 8, n -= 8;
    for (size_t i = 0; i < sizeof form - 1; i++)
        if (i >= n || (form[i] == 'd' ? name[i] < '0' || name[i] > '9' : name[i] != form[i]))
            return false;
    return true;
}

/* The directory that a run is named by. */
static const struct smi_dir *naming_dir(struct smi_discovery *g, const struct smi_dir *dir)
{
    const struct smi_dir *up = dir->parent;
    const char *name;
    if (!up->parent || strcmp(dir->self->name, "files") != 0 || smi_dir_has_log(up))
        return dir;
    name = up->parent->parent ? up->self->name : smi_discovery_base_name(g, up->self->name);
    return is_wandb_run(name, strlen(name)) ? up : dir;
}

/* The name of a PATH that is a run itself: its last piece, and where that is W&B's "files" the one before; of
 * a file in there both. */
static const char *name_of_path(struct smi_discovery *g, const char *path, bool file)
{
    static const char files[] = "/files";
    const char *real = real_path(g, path), *base = last_piece(real), *up, *end;
    struct smi_buf b = {0};
    if (base == real)
        return real;
    end = file ? base - 1 : real + strlen(real);
    for (up = end - real > (long)strlen(files) ? end - strlen(files) : real; up > real && up[-1] != '/';)
        up--;
    if (up == real || strncmp(end - strlen(files), files, strlen(files)) != 0 ||
        !is_wandb_run(up, (size_t)(end - up) - strlen(files)))
        return base;
    smi_buf_add(&b, up, (size_t)(end - up) - strlen(files));
    smi_buf_fmt(&b, "%s%s", file ? "/" : "", file ? base : "");
    return smi_buf_keep(&b, &g->out->arena);
}

/* ---- runs ---- */

/* What people call the run, as the file beside its log says, or NULL. */
static const char *given_name(const struct smi_cluster *c)
{
    for (size_t i = 0; c->config && i < c->config->facts; i++)
        if (strcmp(c->config->fact[i].key, SMI_FACT_NAME) == 0)
            return c->config->fact[i].text;
    return NULL;
}

/* "0/bright-cod-123" of 0/1f0c.., where a file says so. */
static const char *with_given_name(struct smi_discovery *g, const struct smi_cluster *c, const char *name)
{
    const char *given = given_name(c), *slash = strrchr(name, '/');
    struct smi_buf b = {0};
    if (!given || *c->stem)
        return name;
    smi_buf_add(&b, name, slash ? (size_t)(slash + 1 - name) : 0);
    smi_buf_str(&b, given);
    return smi_buf_keep(&b, &g->out->arena);
}

/* "run3" of out/run3/hw.csv below the PATH out; the real base name of a PATH that is a run itself. */
const char *smi_discovery_run_name(struct smi_discovery *g, const struct smi_cluster *c)
{
    const struct smi_entry *e = c->file[0].entry;
    const struct smi_dir *path = c->dir;
    struct smi_buf b = {0};
    const char *name;
    size_t n;
    if (g->o->run)
        return smi_arena_text(&g->out->arena, g->o->run, strlen(g->o->run));
    if (!c->dir->parent && e->kind == SMI_ENTRY_STREAM)
        return smi_walk_path(&g->out->arena, NULL, c->dir, e->name);
    if (!c->dir->parent) /* a file */
        return c->prefixed ? distinguishing_path(g, e->name) : name_of_path(g, e->name, true);
    while (path->parent->parent)
        path = path->parent;
    smi_walk_path_append(&b, naming_dir(g, c->dir), path, true);
    smi_buf_str(&b, c->stem);
    name = smi_buf_keep(&b, &g->out->arena);
    n = strlen(name);
    if (n > 1 && name[n - 1] == '/')
        name = smi_arena_text(&g->out->arena, name, n - 1);
    if (n)
        name = with_given_name(g, c, name);
    if (c->prefixed) {
        smi_buf_fmt(&b, "%s%s%s", distinguishing_path(g, path->self->name), n ? "/" : "", name);
        return smi_buf_keep(&b, &g->out->arena);
    }
    if (!n && given_name(c))
        return given_name(c);
    return n          ? name
           : path->as ? smi_arena_text(&g->out->arena, path->as, strlen(path->as))
                      : name_of_path(g, path->self->name, false);
}

struct named {
    const char *name;
    struct smi_cluster *c;
    struct smi_found_run *r;
};

static int by_cluster_name(const void *x, const void *y)
{
    const struct named *a = x, *b = y;
    int d = strcmp(a->name, b->name);
    return d ? d : (a->c > b->c) - (a->c < b->c);
}

/* One look over all names. first: equal names get what tells their PATHs apart in front; later: a number
 * behind. Returns how many were changed. */
static int add_distinguishing_prefix(struct smi_discovery *g, struct named *v, bool first)
{
    int changed = 0;
    smi_sort(v, g->n, sizeof *v, by_cluster_name);
    for (size_t i = 0, end; i < g->n; i = end) {
        for (end = i + 1; end < g->n && strcmp(v[end].name, v[i].name) == 0;)
            end++;
        for (size_t k = first ? i : i + 1; k < end && end - i > 1; k++) {
            struct smi_buf b = {0};
            smi_buf_fmt(&b, "%s (%zu)", v[i].name, k - i + 1);
            v[k].c->prefixed = true;
            v[k].r->name = first ? smi_discovery_run_name(g, v[k].c) : smi_buf_keep(&b, &g->out->arena);
            smi_buf_fini(&b);
            changed++;
        }
    }
    for (size_t i = 0; i < g->n; i++)
        v[i].name = v[i].r->name;
    return changed;
}

void smi_discovery_settle_names(struct smi_discovery *g, struct smi_found_run *run)
{
    struct named *v = smi_mem_new(g->n, sizeof *v);
    for (size_t i = 0; i < g->n; i++)
        v[i] = (struct named){run[i].name, &g->cluster[i], &run[i]};
    for (bool first = true; g->n && add_distinguishing_prefix(g, v, first) > 0; first = false)
        ;
    smi_mem_free(v);
}

enum { PASSED_KEPT = 1000, BESIDE_SHOWN = 4 };

void smi_walk_path_append(struct smi_buf *b, const struct smi_dir *dir, const struct smi_dir *from, bool as)
{
    if (dir == from || !dir->parent)
        return;
    smi_walk_path_append(b, dir->parent, from, as);
    smi_buf_str(b, as && dir->as ? dir->as : dir->self->name);
    if (b->n && b->p[b->n - 1] != '/')
        smi_buf_char(b, '/');
}

const char *smi_walk_path(struct smi_arena *a, const struct smi_dir *from, const struct smi_dir *dir,
                          const char *name)
{
    struct smi_buf b = {0};
    const char *to;
    smi_walk_path_append(&b, dir, from, false);
    smi_buf_str(&b, name);
    to = smi_buf_keep(&b, a);
    /* ./a/b of "." reads better as a/b */
    return !from && strncmp(to, "./", 2) == 0 && to[2] && strcmp(to + 2, "-") != 0 ? to + 2 : to;
}

/* ---- trouble ---- */

void smi_discovery_add_error(struct smi_discovery *g, const char *path, const char *text, bool fatal)
{
    smi_mem_reserve(&g->trouble, &g->trouble_cap, g->troubles + 1, sizeof *g->trouble);
    g->trouble[g->troubles++] = (struct smi_input_warning){path, text, fatal, 0};
}

static void add_trouble_fmt(struct smi_discovery *g, const char *path, bool fatal, const char *fmt,
                            const char *arg)
{
    struct smi_buf b = {0};
    smi_buf_fmt(&b, fmt, arg);
    smi_discovery_add_error(g, path, smi_buf_keep(&b, &g->out->arena), fatal);
}

/* A regular file that is no log: no trouble, unless somebody named it, it has the name of a recording, or it
 * holds a monitor's last words. */
static void pass_over(struct smi_discovery *g, const struct smi_dir *dir, const struct smi_entry *e)
{
    const char *path = smi_walk_path(&g->out->arena, NULL, dir, e->name);
    if (!dir->parent || e->messages || smi_walk_is_recording(e->name)) {
        add_trouble_fmt(g, path, false, "cannot be used: %s", e->text ? e->text : "not a log");
        return;
    }
    g->out->passed_over++;
    if (g->out->npassed == PASSED_KEPT)
        return;
    smi_mem_reserve(&g->passed, &g->passed_cap, g->out->npassed + 1, sizeof *g->passed);
    g->passed[g->out->npassed++] = path;
}

/* ---- clusters ---- */

struct smi_cluster *smi_discovery_add_cluster(struct smi_discovery *g, const struct smi_dir *dir,
                                              const char *stem)
{
    smi_mem_reserve(&g->cluster, &g->cap, g->n + 1, sizeof *g->cluster);
    g->cluster[g->n] = (struct smi_cluster){.dir = dir, .stem = stem};
    return &g->cluster[g->n++];
}

void smi_cluster_add(struct smi_cluster *c, const struct smi_dir *dir, const struct smi_entry *e)
{
    smi_mem_reserve(&c->file, &c->cap, c->files + 1, sizeof *c->file);
    c->file[c->files++] = (struct smi_cluster_file){dir, e};
}

static bool cluster_has_gpu_log(const struct smi_cluster *c)
{
    for (size_t i = 0; i < c->files; i++)
        if (c->file[i].entry->format >= 0 && smi_format_infos[c->file[i].entry->format].gpu)
            return true;
    return false;
}

/* A directory with a RunLog or CPU CSV, whose GPU logs lie in a directory below: one run, named for the
 * upper. */
static void take_in_only_descendant(struct smi_discovery *g, const struct smi_dir *t, size_t first)
{
    struct smi_config_places places = {.top = t, .jobs = true};
    struct smi_cluster *below, *own;
    if (g->n != first + 2)
        return;
    below = g->cluster + first;
    own = below + 1;
    places.below = below->dir;
    places.job = t->self && !t->jobs ? smi_discovery_find_job(smi_dir_above(t), t->name) : NULL;
    if (own->dir != t || *own->stem || cluster_has_gpu_log(own) || g->o->per != SMI_RUN_AUTO)
        return;
    for (size_t i = 0; i < below->files; i++)
        smi_cluster_add(own, below->file[i].dir, below->file[i].entry);
    if (t->self)
        smi_discovery_find_accounted(t, t->name, &places);
    if (below->config || places.job || places.accounted)
        own->config = smi_config_params(&g->out->arena, &places);
    smi_mem_free(below->file);
    *below = *own;
    g->n--;
}

static int open_entry(struct smi_discovery *g, const struct smi_dir *t, const struct smi_entry *e)
{
    struct smi_file_info info;
    struct smi_err err = {0};
    const char *path = smi_walk_path(&g->out->arena, NULL, t, e->name);
    return !e->inside ? smi_file_open_seen(AT_FDCWD, path, &info, &err) : -1;
}

/* Does the log begin with all bytes of the other one, or hold the same? */
static bool has_beginning(struct smi_discovery *g, const struct smi_dir *t, const struct smi_entry *log,
                          const struct smi_entry *other)
{
    char a[16384], b[sizeof a];
    struct smi_err err = {0};
    int whole = open_entry(g, t, log), part = open_entry(g, t, other);
    bool same = whole >= 0 && part >= 0;
    ssize_t n = 0;
    while (same && (n = smi_file_read(part, b, sizeof b, other->name, &err)) > 0) {
        ssize_t got = 0, more = 1;
        for (; got < n && more > 0; got += more > 0 ? more : 0)
            more = smi_file_read(whole, a + got, (size_t)(n - got), log->name, &err);
        same = got == n && memcmp(a, b, (size_t)n) == 0;
    }
    if (whole >= 0)
        close(whole);
    if (part >= 0)
        close(part);
    return same && n == 0;
}

/* gpu.csv~, gpu.csv.bak: the log beside it, if it begins with the same bytes; or NULL. A backup of other
 * rows, as of a log that was moved away before a restart, is a log. */
static const char *find_backed_up(struct smi_discovery *g, const struct smi_dir *t, const struct smi_entry *e)
{
    static const char *const endings[] = {"~", ".bak", ".orig", ".swp"};
    size_t n = strlen(e->name), end = 0;
    for (size_t i = 0; i < sizeof endings / sizeof *endings && !end; i++)
        end = n > strlen(endings[i]) && strcmp(e->name + n - strlen(endings[i]), endings[i]) == 0
                  ? strlen(endings[i])
                  : 0;
    for (size_t i = 0; i < t->entries && end; i++)
        if (t->entry[i].kind == SMI_ENTRY_LOG &&
            smi_text_is((struct smi_text){e->name, n - end}, t->entry[i].name))
            return has_beginning(g, t, &t->entry[i], e) ? t->entry[i].name : NULL;
    return NULL;
}

/* Returns how many. A log that is reached by its own name, or by the name of a link too, counts once: not by
 * that of the link. */
static size_t list_logs(struct smi_discovery *g, const struct smi_dir *t, struct smi_file_group_member *log)
{
    size_t n = 0;
    for (size_t i = 0; i < t->entries; i++) {
        const struct smi_entry *e = &t->entry[i];
        const char *of;
        if (e->kind != SMI_ENTRY_LOG || (e->linked && !smi_inode_set_add(&g->logs, e->dev, e->ino)))
            continue;
        of = find_backed_up(g, t, e);
        if (!of)
            log[n++] = (struct smi_file_group_member){e->name, e->format, e, ""};
        else if (!e->named)
            add_trouble_fmt(g, smi_walk_path(&g->out->arena, NULL, t, e->name), false,
                            "is a backup of %s, which has its rows: not read", of);
        else /* A backup that is a PATH, perhaps twice, is a run of its own. */
            for (struct smi_entry *path = t->path; path; path = path->named)
                path->akin &= path->dev != e->dev || path->ino != e->ino;
    }
    return n;
}

/* All logs that are no links, before the first link. */
static void note_logs(struct smi_discovery *g, const struct smi_dir *t)
{
    for (size_t i = 0; i < t->entries; i++) {
        const struct smi_entry *e = &t->entry[i];
        if (e->kind == SMI_ENTRY_LOG && !e->linked)
            smi_inode_set_add(&g->logs, e->dev, e->ino);
        if (e->sub)
            note_logs(g, e->sub);
    }
}

/* W&B keeps run-ID.wandb beside a directory `files` with what else it knows of the run. */
static const struct smi_dir *find_wandb_files(const struct smi_dir *t)
{
    const struct smi_dir *files = NULL;
    bool wandb = false;
    for (size_t i = 0; i < t->entries; i++) {
        const struct smi_entry *e = &t->entry[i];
        wandb |= e->kind == SMI_ENTRY_LOG && e->format == SMI_FMT_WANDB;
        if (e->sub && strcmp(e->name, "files") == 0)
            files = e->sub;
    }
    return wandb ? files : NULL;
}

/* One run: the logs of one stem; what never became a log counts where there is no other. Beside a PATH only
 * those count that are akin by their names, but for a RunLog, which joins all that the directory joins. What
 * --input-format and --run say is of the PATHs. */
static void add_group(struct smi_discovery *g, const struct smi_dir *t,
                      const struct smi_file_group_member *log, size_t n,
                      const struct smi_config_params *config)
{
    const struct smi_entry *lost = NULL;
    struct smi_cluster *c = NULL;
    bool joined = g->o->per == SMI_RUN_DIR;
    for (size_t i = 0; i < n; i++)
        joined |= log[i].format == SMI_FMT_RUNLOG;
    for (size_t i = 0; i < n; i++) {
        const struct smi_entry *e = log[i].entry;
        if (t->beside && !e->named && (!(joined || e->akin) || g->o->format >= 0 || g->o->run))
            continue;
        if (!smi_entry_is_log(e)) {
            lost = lost ? lost : e;
            continue;
        }
        c = c ? c : smi_discovery_add_cluster(g, t, log[i].stem);
        c->config = config;
        smi_cluster_add(c, t, e);
        if (e->bare && !g->out->bare++) {
            g->bare_text = e->text;
            g->bare = smi_walk_path(&g->out->arena, NULL, t, e->name);
        }
    }
    if (!c)
        smi_discovery_add_lost(g, t, n > 1 && !*log->stem ? lost->name : log->stem, lost);
}

/* The output of the job of n logs: one of them, or one whose number is in their name. */
static const struct smi_entry *find_job_of(const struct smi_dir *t, const struct smi_file_group_member *log,
                                           size_t n, bool alone)
{
    for (size_t i = 0; i < n; i++)
        if (smi_config_is_job_output(((const struct smi_entry *)log[i].entry)->name))
            return log[i].entry;
    return alone ? smi_discovery_find_job(smi_dir_above(t), t->self ? t->name : "")
                 : smi_discovery_find_job(t, log->stem);
}

static bool has_named(const struct smi_file_group_member *log, size_t n)
{
    bool has = false;
    for (size_t i = 0; i < n; i++)
        has |= log[i].entry->named != NULL;
    return has;
}

/* Makes runs of the n logs of t, which are in the order of their stems. */
static void add_groups(struct smi_discovery *g, const struct smi_dir *t,
                       const struct smi_file_group_member *log, size_t n)
{
    struct smi_config_places places = {.top = t, .below = find_wandb_files(t)};
    const struct smi_config_params *shared = NULL, *own = NULL;
    bool known = false, alone;
    size_t end;
    for (size_t i = 0; i < n; i = end) {
        for (end = i + 1; end < n && strcmp(log[end].stem, log[i].stem) == 0;)
            end++;
        if (t->beside && !has_named(log + i, end - i))
            continue;
        places.jobs = i == 0 && end == n && !*log->stem;
        places.job = places.jobs && t->jobs ? NULL : find_job_of(t, log + i, end - i, places.jobs);
        smi_discovery_find_accounted(t, *log[i].stem ? log[i].stem : t->self ? t->name : "", &places);
        alone = places.job || places.accounted;
        if (alone || !known)
            *(alone ? &own : &shared) = smi_config_params(&g->out->arena, &places);
        known |= !alone;
        smi_discovery_lend_headers(g, t, log + i, end - i);
        add_group(g, t, log + i, end - i, alone ? own : shared);
    }
}

/* Makes clusters of the logs that lie directly in t. */
static void group_logs(struct smi_discovery *g, const struct smi_dir *t)
{
    struct smi_file_group_member *log = smi_mem_new(t->entries, sizeof *log);
    size_t n = list_logs(g, t, log);
    if (g->o->per != SMI_RUN_DIR && !t->samples && g->o->format < 0)
        n = smi_discovery_list_broken(t, log, n);
    if (n > 1 && g->o->per == SMI_RUN_AUTO && !t->samples)
        smi_file_group_name_runs(&g->out->arena, log, n);
    for (size_t i = 0; i < n && (g->o->per == SMI_RUN_FILE || t->samples); i++)
        log[i].stem = log[i].name;
    add_groups(g, t, log, n);
    smi_mem_free(log);
}

static void gather_tree(struct smi_discovery *g, const struct smi_dir *t);

/* An archive without a log, that nobody named, is one more file that is none: datasets and checkpoints are
 * archives too, and what is odd in them is not our business. */
static void gather_archive(struct smi_discovery *g, const struct smi_dir *t, const struct smi_entry *e)
{
    struct smi_buf b = {0};
    size_t runs = g->n, troubles = g->troubles, npassed = g->out->npassed;
    int64_t passed = g->out->passed_over, links = g->out->links;
    gather_tree(g, e->sub);
    if (e->sub->mlflow) {
        smi_buf_fmt(&b, "%zu run%s of MLflow's file store in it: not read from archives, unpack it",
                    e->sub->mlflow, e->sub->mlflow == 1 ? "" : "s");
        smi_discovery_add_error(g, smi_walk_path(&g->out->arena, NULL, t, e->name),
                                smi_buf_keep(&b, &g->out->arena), false);
    }
    if (g->n > runs) {
        smi_mem_reserve(&g->archive, &g->archive_cap, g->archives + 1, sizeof *g->archive);
        e->sub->index = g->archives;
        g->archive[g->archives++] = e->sub;
    } else if (t->parent && !e->sub->mlflow) {
        g->troubles = troubles;
        g->out->npassed = npassed;
        g->out->passed_over = passed;
        g->out->links = links;
        pass_over(g, t, e);
    }
}

/* Do the files of t belong to the run in the directory above? */
static bool is_used_above(const struct smi_dir *t)
{
    return t->parent && t->parent->parent && strcmp(t->self->name, "files") == 0 &&
           find_wandb_files(t->parent) == t;
}

static void gather_entry(struct smi_discovery *g, const struct smi_dir *t, const struct smi_entry *e)
{
    struct smi_skipped_links *l = e->link == SMI_LINK_LOOP     ? &g->loop
                                  : e->link == SMI_LINK_BROKEN ? &g->broken
                                                               : NULL;
    if (e->kind == SMI_ENTRY_DIR && e->sub->archive)
        gather_archive(g, t, e);
    else if (e->kind == SMI_ENTRY_DIR)
        gather_tree(g, e->sub);
    else if (e->kind == SMI_ENTRY_BAD)
        smi_discovery_add_error(g, smi_walk_path(&g->out->arena, NULL, t, e->name),
                                smi_arena_text(&g->out->arena, e->text, strlen(e->text)), !t->parent);
    else if (e->kind == SMI_ENTRY_LINK && l && !l->n++)
        l->first = smi_walk_path(&g->out->arena, NULL, t, e->name);
    else if (e->kind == SMI_ENTRY_CONFIG) { /* the output of a job may be that of a run below */
        if (!e->config->jobs && !smi_config_is_hydra(e->name) && !smi_config_is_job_output(e->name) &&
            !smi_dir_has_log(t) && !is_used_above(t))
            pass_over(g, t, e);
    } else if (e->kind == SMI_ENTRY_OTHER && !(t->parent && smi_config_is_hydra(e->name)))
        pass_over(g, t, e);
}

/* All runs of a directory and those below it. The first way to a directory counts. */
static void gather_tree(struct smi_discovery *g, const struct smi_dir *t)
{
    size_t first = g->n;
    if (t->looped || !smi_inode_set_add(&g->seen, t->dev, t->ino))
        return;
    g->out->links += t->links;
    if (t->text)
        smi_discovery_add_error(g, smi_walk_path(&g->out->arena, NULL, t->parent, t->self->name),
                                smi_arena_text(&g->out->arena, t->text, strlen(t->text)), !t->parent->parent);
    for (size_t i = 0; i < t->entries; i++)
        gather_entry(g, t, &t->entry[i]);
    group_logs(g, t);
    take_in_only_descendant(g, t, first);
}

static void note_again(struct smi_discovery *g, const struct smi_dir *root, const struct smi_entry *e)
{
    smi_discovery_add_warning(g, smi_walk_path(&g->out->arena, NULL, root, e->name),
                              "is given twice, and counts once", true);
}

/* What is read of these runs though it is no PATH. */
static void note_beside(struct smi_discovery *g, const struct smi_dir *t, const struct smi_cluster *c)
{
    for (size_t i = 0; i < c->files; i++) {
        const struct smi_cluster_file *f = &c->file[i];
        if (f->entry->named || g->besides++ >= BESIDE_SHOWN)
            continue;
        smi_buf_str(&g->beside, g->besides > 1 ? ", " : "");
        smi_buf_safe(&g->beside, smi_text_of(smi_walk_path(&g->out->arena, t, f->dir, f->entry->name)));
    }
}

/* The runs of the directory t to which its PATHs belong. Other logs there are ignored. */
static void gather_beside(struct smi_discovery *g, const struct smi_dir *t)
{
    size_t first = g->n, below, troubles = g->troubles, npassed = g->out->npassed;
    int64_t passed = g->out->passed_over;
    struct smi_buf b = {0};
    if (!smi_inode_set_add(&g->seen, t->dev, t->ino))
        return;
    for (size_t i = 0; i < t->entries && t->below; i++)
        if (t->entry[i].sub)
            gather_tree(g, t->entry[i].sub);
    below = g->n - first;
    group_logs(g, t);
    take_in_only_descendant(g, t, first);
    if (below != 1 || g->n != first + 1) { /* those below are runs of their own */
        for (size_t i = first; i < first + below; i++)
            smi_mem_free(g->cluster[i].file);
        g->n -= below;
        memmove(g->cluster + first, g->cluster + first + below, (g->n - first) * sizeof *g->cluster);
    }
    g->troubles = troubles;
    g->out->npassed = npassed;
    g->out->passed_over = passed;
    for (size_t i = first; i < g->n; i++)
        note_beside(g, t, &g->cluster[i]);
    if (!t->text)
        return;
    smi_buf_fmt(&b, "%s: only the logs in it that are named are read", t->text);
    smi_discovery_add_warning(g, smi_walk_path(&g->out->arena, NULL, t->parent, t->self->name),
                              smi_buf_keep(&b, &g->out->arena), false);
}

static void gather_file(struct smi_discovery *g, const struct smi_dir *root, const struct smi_entry *e)
{
    bool in = strcmp(e->name, "-") == 0; /* standard input: no file has this identity */
    if (!smi_inode_set_add(&g->seen, in ? UINT64_MAX : e->dev, in ? UINT64_MAX : e->ino))
        note_again(g, root, e);
    else if (e->bare)
        add_trouble_fmt(g, smi_walk_path(&g->out->arena, NULL, root, e->name), true, "%s", e->text);
    else
        smi_cluster_add(smi_discovery_add_cluster(g, root, e->name), root, e);
}

static void gather_path(struct smi_discovery *g, const struct smi_dir *root, const struct smi_entry *e)
{
    size_t runs = g->n, troubles = g->troubles, seen = g->seen.n, stored = g->nstored;
    int64_t passed = g->out->passed_over;
    char count[48];
    if (e->again) {
        note_again(g, root, e);
        return;
    }
    if (e->sub && e->sub->beside)
        return;
    if (e->kind == SMI_ENTRY_LOG || e->kind == SMI_ENTRY_STREAM) {
        gather_file(g, root, e);
        return;
    }
    if (g->o->stored && e->kind == SMI_ENTRY_OTHER)
        smi_discovery_add_partials(g, root, e);
    if (g->nstored > stored)
        return;
    if (e->kind == SMI_ENTRY_OTHER && e->broken) { /* named by the user: its log was to be there */
        if (smi_inode_set_add(&g->seen, e->dev, e->ino))
            smi_discovery_add_lost(g, root, e->name, e);
        else
            note_again(g, root, e);
        return;
    }
    gather_entry(g, root, e);
    if (e->sub)
        smi_discovery_find_lost(g, e->sub);
    if (g->o->stored && g->n == runs)
        smi_discovery_add_partials(g, root, e);
    if (g->nstored > stored || e->kind != SMI_ENTRY_DIR || g->n > runs || g->troubles > troubles ||
        g->seen.n == seen) /* another PATH has led there already */
        return;
    snprintf(count, sizeof count, "%lld%s", (long long)(g->out->passed_over - passed),
             g->out->passed_over > passed ? "; -v names them" : "");
    add_trouble_fmt(g, smi_walk_path(&g->out->arena, NULL, root, e->name), false,
                    "holds no log (files looked at: %s)", count);
}

/* A PATH that is of a run of its directory, or a backup and a run of its own. */
static void gather_named(struct smi_discovery *g, const struct smi_dir *root, const struct smi_entry *e,
                         size_t directories)
{
    const size_t at = smi_inode_set_find(&g->seen, e->beside->dev, e->beside->ino);
    if (e->kind != SMI_ENTRY_LOG && !e->broken)
        return;
    if (!e->akin)
        gather_file(g, root, e);
    else if (!smi_inode_set_add(&g->seen, e->dev, e->ino) || at < directories)
        note_again(g, root, e);
}

void smi_discovery(struct smi_discovery *g, const struct smi_walk *w)
{
    const struct smi_dir *root = &w->root;
    size_t directories;
    if (g->o->follow_links)
        note_logs(g, root);
    smi_discovery_collect_names(&g->names, root);
    for (size_t i = 0; i < root->entries; i++)
        if (!root->entry[i].beside)
            gather_path(g, root, &root->entry[i]);
    directories = g->seen.n;
    for (size_t i = 0; i < root->entries; i++)
        if (root->entry[i].sub && root->entry[i].sub->beside)
            gather_beside(g, root->entry[i].sub);
    for (size_t i = 0; i < root->entries; i++)
        if (root->entry[i].beside)
            gather_named(g, root, &root->entry[i], directories);
    if (g->besides > BESIDE_SHOWN)
        smi_buf_fmt(&g->beside, " and %zu more", g->besides - BESIDE_SHOWN);
    if (g->besides)
        g->out->beside = smi_buf_keep(&g->beside, &g->out->arena);
}

void smi_discovery_fini(struct smi_discovery *g)
{
    for (size_t i = 0; i < g->n; i++)
        smi_mem_free(g->cluster[i].file);
    smi_mem_free(g->cluster);
    smi_mem_free(g->trouble);
    smi_mem_free(g->note);
    smi_mem_free(g->archive);
    smi_mem_free(g->passed);
    smi_mem_free(g->stored);
    smi_inode_set_fini(&g->seen);
    smi_inode_set_fini(&g->logs);
    smi_inode_set_fini(&g->lost);
    smi_map_fini(&g->names.map);
    smi_mem_free(g->names.list);
    smi_buf_fini(&g->beside);
}
