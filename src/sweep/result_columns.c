/* result_columns.c - what runs say of themselves that is no parameter (smi_summary.results) as columns that
 * every run has, in the order of names. */
#include "sweep/sweep_private.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 1000 };

static int compare_name(const void *a, const void *b)
{
    return smi_text_compare_natural(*(const char *const *)a, *(const char *const *)b);
}

/* All names, each once. Returns NULL without memory. */
static const char **list_names(const struct smi_sweep *s, size_t all, size_t *n)
{
    const char **name = smi_mem_new(all, sizeof *name);
    size_t given = 0;
    *n = 0;
    for (size_t i = 0; name && i < s->n; i++)
        for (size_t k = 0; k < s->runs[i].nresults; k++)
            name[given++] = s->runs[i].results[k].key;
    if (given)
        smi_sort(name, given, sizeof *name, compare_name);
    for (size_t i = 0; i < given; i++)
        if (!*n || strcmp(name[*n - 1], name[i]) != 0)
            name[(*n)++] = name[i];
    *n = *n < COLUMNS ? *n : COLUMNS;
    return name;
}

/* Both lists are in the order of names. */
static int set_cells(struct smi_sweep *s, struct smi_summary *run)
{
    struct smi_param *p = smi_arena_new(&s->arena, s->njoined, sizeof *p);
    for (size_t i = 0, k = 0; p && i < s->njoined; i++) {
        p[i] = (struct smi_param){.key = s->joined[i]};
        while (k < run->nresults && smi_text_compare_natural(run->results[k].key, s->joined[i]) < 0)
            k++;
        if (k < run->nresults && strcmp(run->results[k].key, s->joined[i]) == 0) {
            p[i].text = run->results[k].text;
            p[i].bare = run->results[k].bare;
        }
    }
    run->joined = p;
    run->njoined = run->nfound = s->njoined;
    return p ? 0 : -1;
}

int smi_sweep_results(struct smi_sweep *s, struct smi_err *err)
{
    size_t all = 0;
    const char **name, **kept;
    for (size_t i = 0; i < s->n; i++)
        all += s->runs[i].nresults;
    if (!all)
        return 0;
    name = list_names(s, all, &s->njoined);
    kept = name ? smi_arena_new(&s->arena, s->njoined, sizeof *kept) : NULL;
    for (size_t i = 0; kept && i < s->njoined; i++)
        if (!(kept[i] = smi_arena_text(&s->arena, name[i], strlen(name[i]))))
            kept = NULL;
    smi_mem_free(name);
    s->joined = kept;
    s->nresults = s->njoined;
    for (size_t i = 0; kept && i < s->n; i++)
        if (set_cells(s, &s->runs[i]))
            kept = NULL;
    return kept ? 0 : smi_err_nomem(err);
}
