/* discover_config.c - what all files beside the logs of a run say of its parameters: one list. */
#include "sweep/discover_private.h"

#include "base/file.h"
#include "summary/run.h"
#include "summary/run_notes.h"

#include <stdio.h>
#include <string.h>

/* One of the files that may hold parameters. */
struct beside {
    const struct smi_dir *dir;
    const struct smi_entry *e;
    size_t order;
};

/* Of the outputs of several jobs that of the last one counts: a run that went on after its first job. */
static int compare_config_rank(const void *x, const void *y)
{
    const struct beside *a = x, *b = y;
    int d = smi_config_rank(a->e->name) - smi_config_rank(b->e->name);
    if (!d && smi_config_is_job_output(a->e->name))
        d = smi_text_compare_natural(b->e->name, a->e->name);
    return d ? d : (a->order > b->order) - (a->order < b->order);
}

/* The directory of the run itself, save_dir "runs/detect/train2" or name "train2": it names the run, and is
 * no parameter. Another word that happens to be the same is one: mode "train" in a directory train. */
static bool is_own_directory(const struct smi_dir *top, const struct smi_param *p)
{
    const char *own = top->self ? top->name : "", *slash = p->text ? strrchr(p->text, '/') : NULL;
    size_t n = strlen(p->key), name = strlen("name");
    return p->text && !p->bare && strcmp(slash ? slash + 1 : p->text, own) == 0 &&
           (slash || (n >= name && strcmp(p->key + n - name, "name") == 0));
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

/* "time limit (slurm-4711.out)": a reason says where it comes from. */
static int add_fact(struct smi_params *all, const struct smi_param *fact, const char *file)
{
    struct smi_param with = *fact;
    struct smi_buf b = {0};
    if (strcmp(fact->key, SMI_FACT_REASON) != 0 || smi_params_has(all, smi_text_of(fact->key)))
        return smi_params_add(all, fact);
    smi_buf_fmt(&b, "%s (%s)", fact->text ? fact->text : "", file);
    with.text = smi_buf_keep(&b, all->a);
    return with.text ? smi_params_add(all, &with) : -1;
}

/* What the accounting says of the job, where nothing else does. */
static int add_accounted(struct smi_params *all, const struct smi_config_places *p)
{
    const struct smi_job *j = p->accounted;
    char code[16];
    struct smi_param fact[] = {{SMI_FACT_REASON, j ? j->reason : NULL, false},
                               {SMI_FACT_EXIT, code, false},
                               {SMI_FACT_STATE, j ? j->state : NULL, false}};
    if (!j || !j->state || smi_params_has(all, smi_text_of(SMI_FACT_STATE)))
        return 0;
    snprintf(code, sizeof code, "%d", j->exit_code);
    if ((j->reason && add_fact(all, &fact[0], p->account)) ||
        (j->exit_code >= 0 && add_fact(all, &fact[1], "")))
        return -1;
    return add_fact(all, &fact[2], "");
}

/* Slurm's accounting gives the reason if the files only give an exit status. */
static bool overrides_exit(const struct smi_job *j, const struct beside *file, size_t n)
{
    for (size_t i = 0; j && j->reason && !smi_reason_is_exit(j->reason) && i < n; i++)
        for (size_t k = 0; k < file[i].e->config->facts; k++)
            if (strcmp(file[i].e->config->fact[k].key, SMI_FACT_REASON) == 0)
                return smi_reason_is_exit(file[i].e->config->fact[k].text);
    return false;
}

/* One list of the facts in n files. Of the outputs of several jobs only the first counts: what those before
 * it say is not how the run ended. */
static int join_facts(struct smi_arena *a, struct smi_config_params *c, const struct beside *file, size_t n,
                      const struct smi_config_places *p)
{
    struct smi_params all = {.a = a};
    struct smi_param *list;
    bool job = false, ended;
    int rc = 0;
    if (overrides_exit(p->accounted, file, n))
        rc = add_accounted(&all, p);
    for (size_t i = 0; i < n && !rc; i++) {
        ended = job;
        job |= smi_config_is_job_output(file[i].e->name);
        for (size_t k = 0; k < file[i].e->config->facts && !rc && !ended; k++)
            rc = add_fact(&all, &file[i].e->config->fact[k], file[i].e->name);
    }
    rc = rc ? rc : add_accounted(&all, p);
    c->fact = list = smi_arena_new(a, all.shown + 1, sizeof *list);
    for (size_t i = 0; list && i < all.n; i++)
        if (all.list[i].text)
            list[c->facts++] = all.list[i];
    smi_mem_free(all.list);
    return rc || !list ? -1 : 0;
}

/* The same, and what is odd about them. */
static int join_configs(struct smi_arena *a, struct smi_config_params *c, struct beside *file, size_t n,
                        const struct smi_config_places *p)
{
    const struct smi_dir *top = p->top;
    smi_sort(file, n, sizeof *file, compare_config_rank);
    c->problem = smi_arena_new(a, n + 1, sizeof *c->problem);
    for (size_t i = 0; c->problem && i < n; i++)
        if (file[i].e->config->text) {
            struct smi_buf b = {0};
            smi_walk_path_append(&b, file[i].dir, top, false);
            smi_buf_fmt(&b, "%s: %s", file[i].e->name, file[i].e->config->text);
            if (!(c->problem[c->problems++] = smi_buf_keep(&b, a)))
                return -1;
        }
    return c->problem && !join_params(a, c, file, n, top) ? join_facts(a, c, file, n, p) : -1;
}

static size_t list_configs(const struct smi_dir *t, bool jobs, struct beside *file, size_t n)
{
    for (size_t i = 0; t && i < t->entries; i++)
        if (t->entry[i].config && !t->entry[i].config->jobs &&
            (jobs || !smi_config_is_job_output(t->entry[i].name))) {
            file[n] = (struct beside){t, &t->entry[i], n};
            n++;
        }
    return n;
}

int smi_config_params(struct smi_arena *a, const struct smi_config_places *p,
                      const struct smi_config_params **out)
{
    struct beside *file = smi_mem_new(p->top->entries + (p->below ? p->below->entries : 0) + 1, sizeof *file);
    struct smi_config_params *c = NULL;
    size_t n = 0;
    int rc = file ? 0 : -1;
    if (file) {
        n = list_configs(p->top, p->jobs, file, n);
        n = list_configs(p->below, p->jobs, file, n);
    }
    if (file && p->job && p->job->config) {
        file[n] = (struct beside){p->top, p->job, n};
        n++;
    }
    if ((n || p->accounted) && !(c = smi_arena_new(a, 1, sizeof *c)))
        rc = -1;
    if (c)
        rc = join_configs(a, c, file, n, p);
    *out = c;
    smi_mem_free(file);
    return rc;
}

/* ---- outputs of jobs ---- */

/* "4712" of "4712_3" */
static struct smi_text less_task(struct smi_text id)
{
    const char *task = memchr(id.p, '_', id.n);
    return task ? (struct smi_text){id.p, (size_t)(task - id.p)} : id;
}

static const struct smi_entry *find_job_numbered(const struct smi_dir *t, struct smi_text id)
{
    char name[64];
    if (id.n > 40)
        return NULL;
    snprintf(name, sizeof name, "slurm-%.*s.out", (int)id.n, id.p);
    return smi_dir_find(t, name);
}

const struct smi_entry *smi_discovery_find_job(const struct smi_dir *t, const char *name)
{
    const struct smi_entry *e = NULL;
    struct smi_text id;
    if (!t || !t->jobs)
        return NULL;
    while (!e && smi_jobs_next_id(&name, &id)) {
        e = find_job_numbered(t, id);
        e = e ? e : find_job_numbered(t, less_task(id));
    }
    return e;
}

static const struct smi_job *find_in_accounts(const struct smi_dir *t, const char *name,
                                              struct smi_config_places *p)
{
    const struct smi_job *j = NULL;
    struct smi_text id;
    for (size_t i = 0; i < t->entries && !j; i++) {
        const struct smi_config *c = t->entry[i].config;
        const char *at = smi_file_name(name);
        p->account = smi_file_name(t->entry[i].name);
        while (c && c->jobs && !j && smi_jobs_next_id(&at, &id)) {
            j = smi_jobs_find(c->job, c->jobs, id);
            j = j ? j : smi_jobs_find(c->job, c->jobs, less_task(id));
        }
    }
    return j;
}

static const struct smi_job *find_in_directory(const struct smi_dir *t, const char *name,
                                               const struct smi_entry *output, struct smi_config_places *p)
{
    const struct smi_job *j = t->accounts ? find_in_accounts(t, name, p) : NULL;
    return j || !t->accounts || !output ? j : find_in_accounts(t, output->name, p);
}

void smi_discovery_find_accounted(const struct smi_dir *t, const char *name, struct smi_config_places *p)
{
    const struct smi_entry *output = p->job;
    const struct smi_dir *above = NULL;
    for (size_t i = t->entries; p->jobs && t->jobs && !output && i-- > 0;)
        if (smi_config_is_job_output(t->entry[i].name))
            output = &t->entry[i];
    p->accounted = NULL;
    for (const struct smi_dir *up = t; up && !p->accounted; up = up->parent) {
        p->accounted = find_in_directory(up, name, output, p);
        above = up->above ? up->above : above;
    }
    for (const struct smi_dir *up = above; up && !p->accounted; up = up->above)
        p->accounted = find_in_directory(up, name, output, p);
}
