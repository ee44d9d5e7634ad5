/* discover_names.c - how the runs that were found are called, whatever way their PATH was typed. */
#include "sweep/discover_private.h"

#include "base/text.h"
#include "summary/run.h"

#include <stdlib.h>
#include <string.h>

/* ---- PATHs as the file system has them ---- */

/* Asked of the same PATH for all runs below it. */
static const char *real_path(struct smi_discovery *g, const char *path)
{
    char *real;
    if (g->real_of == path)
        return g->real;
    real = realpath(path, NULL);
    g->real = smi_arena_text(&g->out->arena, real ? real : path, strlen(real ? real : path));
    g->real_of = g->real ? path : NULL;
    free(real); /* realpath's own */
    return g->real;
}

static const char *last_piece(const char *path)
{
    const char *slash = path ? strrchr(path, '/') : NULL;
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
    const char *real;
    if (!g->common)
        g->common = 1 + common_directory(g);
    real = real_path(g, path);
    return real ? real + g->common - 1 : NULL;
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
    return name && is_wandb_run(name, strlen(name)) ? up : dir;
}

/* The name of a PATH that is a run itself: its last piece, and where that is W&B's "files" the one before; of
 * a file in there both. */
static const char *name_of_path(struct smi_discovery *g, const char *path, bool file)
{
    static const char files[] = "/files";
    const char *real = real_path(g, path), *base = last_piece(real), *up, *end;
    struct smi_buf b = {0};
    if (!real || base == real)
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
    const char *given = given_name(c), *slash = name ? strrchr(name, '/') : NULL;
    struct smi_buf b = {0};
    if (!given || !name || *c->stem)
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
    n = name ? strlen(name) : 0;
    if (n > 1 && name[n - 1] == '/')
        name = smi_arena_text(&g->out->arena, name, n - 1);
    if (n)
        name = with_given_name(g, c, name);
    if (name && c->prefixed) {
        smi_buf_fmt(&b, "%s%s%s", distinguishing_path(g, path->self->name), n ? "/" : "", name);
        return smi_buf_keep(&b, &g->out->arena);
    }
    if (name && !n && given_name(c))
        return given_name(c);
    return !name || n ? name
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
 * behind. Returns how many were changed, or -1. */
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
        if (!(v[i].name = v[i].r->name))
            return -1;
    return changed;
}

int smi_discovery_settle_names(struct smi_discovery *g, struct smi_found_run *run)
{
    struct named *v = smi_mem_new(g->n, sizeof *v);
    int rc = v ? 1 : -1;
    for (size_t i = 0; v && i < g->n; i++)
        v[i] = (struct named){run[i].name, &g->cluster[i], &run[i]};
    for (bool first = true; rc > 0 && g->n; first = false)
        rc = add_distinguishing_prefix(g, v, first);
    smi_mem_free(v);
    return rc < 0 ? -1 : 0;
}
