/* discover_jobs.c - runs of which nothing but Slurm's accounting tells: where no PATH has a log, each job in
 * it is a run with its state and times, and without readings. */
#include "sweep/discover_private.h"

#include "base/clock.h"
#include "base/file.h"
#include "summary/run.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { FACTS = 7 };

bool smi_discovery_has_jobs(const struct smi_dir *t)
{
    bool has = false;
    for (size_t i = 0; i < t->entries && !has; i++)
        has = (t->entry[i].config && t->entry[i].config->jobs) ||
              (t->entry[i].sub && smi_discovery_has_jobs(t->entry[i].sub));
    return has;
}

static int add_fact(struct smi_discovery *g, struct smi_config_params *c, struct smi_param *list,
                    const char *key, const char *text)
{
    if (!text || !*text)
        return 0;
    list[c->facts].key = key;
    list[c->facts].text = smi_arena_text(&g->out->arena, text, strlen(text));
    return list[c->facts++].text ? 0 : -1;
}

/* "time limit (sacct.txt)"; of a job without an end "running (sacct.txt)" */
static int add_reason(struct smi_discovery *g, struct smi_config_params *c, struct smi_param *list,
                      const struct smi_job *j, const char *file)
{
    char word[64], text[320];
    smi_text_copy(word, sizeof word, smi_text_of(j->word ? j->word : ""));
    for (char *p = word; *p; p++)
        *p = (char)(*p >= 'A' && *p <= 'Z' ? *p + 'a' - 'A' : *p == '_' ? ' ' : *p);
    if (j->state && !j->reason)
        return 0;
    snprintf(text, sizeof text, "%s (%.200s)", j->reason ? j->reason : word, smi_file_name(file));
    return add_fact(g, c, list, SMI_FACT_REASON, text);
}

/* An end that is not known yet is that of the answer: so long the job had run. */
static int add_times(struct smi_discovery *g, struct smi_config_params *c, struct smi_param *list,
                     const struct smi_job *j)
{
    int64_t start = j->start_ms, end = j->end_ms, elapsed = j->elapsed_s;
    char from[SMI_CLOCK_TEXT] = "", to[SMI_CLOCK_TEXT] = "", span[32] = "";
    if (start && !end && elapsed >= 0)
        end = start + elapsed * 1000;
    if (start && end >= start) {
        elapsed = elapsed < 0 ? (end - start) / 1000 : elapsed;
        smi_clock_write(from, start, j->utc);
        smi_clock_write(to, end, j->utc);
    }
    if (elapsed > 0 || (elapsed == 0 && start)) /* it has begun */
        snprintf(span, sizeof span, "%" PRId64, elapsed);
    return add_fact(g, c, list, SMI_FACT_START, from) || add_fact(g, c, list, SMI_FACT_END, to) ||
           add_fact(g, c, list, SMI_FACT_DURATION, span);
}

static int describe_job(struct smi_discovery *g, struct smi_cluster *to, const struct smi_job *j,
                        const char *file)
{
    struct smi_arena *a = &g->out->arena;
    struct smi_config_params *c = smi_arena_new(a, 1, sizeof *c);
    struct smi_param *fact = smi_arena_new(a, FACTS, sizeof *fact),
                     *param = smi_arena_new(a, 1, sizeof *param);
    char code[16] = "", gpus[16];
    if (!c || !fact || !param)
        return -1;
    to->config = c;
    c->fact = fact;
    c->param = param;
    if (j->exit_code >= 0)
        snprintf(code, sizeof code, "%d", j->exit_code);
    if (j->gpus >= 0) {
        snprintf(gpus, sizeof gpus, "%d", j->gpus);
        *param = (struct smi_param){"alloc_gpus", smi_arena_text(a, gpus, strlen(gpus)), true};
        c->n = 1;
        if (!param->text)
            return -1;
    }
    return add_fact(g, c, fact, SMI_FACT_STATE, j->state ? j->state : "unknown") ||
                   add_fact(g, c, fact, SMI_FACT_EXIT, code) || add_reason(g, c, fact, j, file) ||
                   add_fact(g, c, fact, SMI_FACT_HOST, j->start_ms ? j->node : NULL) ||
                   add_times(g, c, fact, j)
               ? -1
               : 0;
}

/* "train_4711" */
static const char *name_job(struct smi_discovery *g, const struct smi_job *j)
{
    struct smi_buf b = {0};
    smi_buf_fmt(&b, "%s%s%s", j->name ? j->name : "", j->name ? "_" : "", j->id);
    return smi_buf_keep(&b, &g->out->arena);
}

/* The files in the order in which they are met; of a job in several of them the last one counts. */
struct accounts {
    struct smi_cluster_file *list;
    size_t n, cap;
};

static int collect_accounts(struct accounts *l, const struct smi_dir *t)
{
    int rc = 0;
    for (size_t i = 0; i < t->entries && !rc; i++) {
        const struct smi_entry *e = &t->entry[i];
        if (e->sub)
            rc = collect_accounts(l, e->sub);
        else if (e->config && e->config->jobs &&
                 !(rc = smi_mem_reserve(&l->list, &l->cap, l->n + 1, sizeof *l->list)))
            l->list[l->n++] = (struct smi_cluster_file){t, e};
    }
    return rc;
}

static bool comes_again(const struct accounts *l, size_t file, const char *id)
{
    for (size_t i = file + 1; i < l->n; i++)
        if (smi_jobs_find(l->list[i].entry->config->job, l->list[i].entry->config->jobs, smi_text_of(id)))
            return true;
    return false;
}

static int add_account(struct smi_discovery *g, const struct accounts *l, size_t file)
{
    const struct smi_entry *e = l->list[file].entry;
    int rc = 0;
    for (size_t i = 0; i < e->config->jobs && !rc; i++) {
        const struct smi_job *j = &e->config->job[i];
        struct smi_cluster *c;
        if (comes_again(l, file, j->id))
            continue;
        c = smi_discovery_add_cluster(g, l->list[file].dir, "");
        rc = c && (c->name = name_job(g, j)) && !smi_cluster_add(c, l->list[file].dir, e)
                 ? describe_job(g, c, j, e->name)
                 : -1;
    }
    return rc;
}

int smi_discovery_add_jobs(struct smi_discovery *g, const struct smi_dir *t)
{
    struct accounts l = {0};
    int rc = collect_accounts(&l, t);
    for (size_t i = 0; i < l.n && !rc; i++)
        rc = add_account(g, &l, i);
    smi_mem_free(l.list);
    return rc;
}
