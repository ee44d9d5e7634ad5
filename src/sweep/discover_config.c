/* discover_config.c - what all files beside the logs of a run say of its parameters: one list. */
#include "sweep/discover_private.h"

#include <stdlib.h>

/* One of the files that may hold parameters. */
struct beside {
    const struct smi_dir *dir;
    const struct smi_entry *e;
    size_t order;
};

static int compare_config_rank(const void *x, const void *y)
{
    const struct beside *a = x, *b = y;
    int d = smi_config_rank(a->e->name) - smi_config_rank(b->e->name);
    return d ? d : (a->order > b->order) - (a->order < b->order);
}

/* The directory of the run itself, "train2" or "runs/detect/train2": it names the run, and is no parameter.
 */
static bool is_own_directory(const struct smi_dir *top, const struct smi_param *p)
{
    const char *name = top->self ? top->self->name : "", *slash = p->text ? strrchr(p->text, '/') : NULL;
    return p->text && !p->bare && strcmp(slash ? slash + 1 : p->text, name) == 0;
}

/* One list of what n files say, the one that counts most first. Behind one that is not known to its end
 * nobody can tell what counts. top: the directory of the run. */
static int join_params(struct smi_arena *a, struct smi_config_params *c, const struct beside *file, size_t n,
                       const struct smi_dir *top)
{
    struct smi_params all = {.a = a};
    struct smi_param *list;
    bool said = false;
    int rc = 0;
    for (size_t i = 0; i < n && !rc && !said; i++) {
        const struct smi_config *from = file[i].e->config;
        for (size_t k = 0; k < from->n && !rc; k++)
            rc = smi_params_add(&all, &from->param[k]);
        said = from->over;
    }
    if (all.over && !said)
        c->problem[c->problems++] =
            "more than 256 parameters in the files of the run: the first of them count";
    c->param = list = smi_arena_new(a, all.shown + 1, sizeof *list);
    for (size_t i = 0; list && i < all.n; i++)
        if (all.list[i].text && !is_own_directory(top, &all.list[i]))
            list[c->n++] = all.list[i];
    smi_mem_free(all.list);
    return rc || !list ? -1 : 0;
}

/* The same, and what is odd about them. top: the directory of the run. */
static int join_configs(struct smi_arena *a, struct smi_config_params *c, struct beside *file, size_t n,
                        const struct smi_dir *top)
{
    qsort(file, n, sizeof *file, compare_config_rank);
    c->problem = smi_arena_new(a, n + 1, sizeof *c->problem);
    for (size_t i = 0; c->problem && i < n; i++)
        if (file[i].e->config->text) {
            struct smi_buf b = {0};
            smi_walk_path_append(&b, file[i].dir, top, false);
            smi_buf_fmt(&b, "%s: %s", file[i].e->name, file[i].e->config->text);
            if (!(c->problem[c->problems++] = smi_buf_keep(&b, a)))
                return -1;
        }
    return c->problem ? join_params(a, c, file, n, top) : -1;
}

static size_t list_configs(const struct smi_dir *t, struct beside *file, size_t n)
{
    for (size_t i = 0; i < t->entries; i++)
        if (t->entry[i].kind == SMI_ENTRY_CONFIG) {
            file[n] = (struct beside){t, &t->entry[i], n};
            n++;
        }
    return n;
}

int smi_config_params(struct smi_arena *a, const struct smi_dir *top, const struct smi_dir *below,
                      const struct smi_config_params **out)
{
    struct beside *file = smi_mem_new(top->entries + (below ? below->entries : 0), sizeof *file);
    struct smi_config_params *c = NULL;
    size_t n = file ? list_configs(top, file, 0) : 0;
    int rc = file ? 0 : -1;
    if (file && below)
        n = list_configs(below, file, n);
    if (n && !(c = smi_arena_new(a, 1, sizeof *c)))
        rc = -1;
    if (c)
        rc = join_configs(a, c, file, n, top);
    *out = c;
    smi_mem_free(file);
    return rc;
}
