/* params.c - which parameters are shown where: those of all runs in the head, those that differ as columns. */
#include "table/table.h"

#include <string.h>

enum {
    COLUMNS_SHOWN = 4, /* in a window */
    HEAD_SHOWN = 12,
    TEXT_SHOWN = 32,   /* bytes of a value in the head of a window: longer ones are texts, not settings */
    NAMES_SAID = 6
};

static bool in_all_names(const struct smi_summary *const *run, size_t n, const char *key)
{
    for (size_t i = 0; i < n; i++) {
        const struct smi_param *p = smi_run_param(run[i], key);
        if (p && p->text && !smi_param_in_name(run[i]->run, p))
            return false;
    }
    return true;
}

int smi_param_columns(struct smi_page *g, const struct smi_summary *const *run, size_t n, const char **key,
                      bool *hidden)
{
    const struct smi_sweep *s = g->sweep;
    const char **value;
    int columns = 0, shown = 0;
    for (size_t k = 0; k < s->nvarying; k++) {
        if (in_all_names(run, n, s->varying[k]))
            continue;
        hidden[columns] = g->look->width && (shown == COLUMNS_SHOWN || smi_values_of(g, s->varying[k], &value) < 2);
        shown += !hidden[columns];
        key[columns++] = s->varying[k];
    }
    for (size_t k = 0; k < s->njoined; k++) {
        hidden[columns] = g->look->width && shown == COLUMNS_SHOWN;
        shown += !hidden[columns];
        key[columns++] = s->joined[k];
    }
    return columns;
}

const char *smi_params_hidden(struct smi_page *g, const struct smi_column *col, int params)
{
    const char *list = "";
    int n = 0;
    for (int i = params; i > 0; i--) {
        n += col[i - 1].hidden;
        if (col[i - 1].hidden)
            list = smi_page_fmt(g, ", %s%s", col[i - 1].head, list);
    }
    if (n <= NAMES_SAID)
        return list;
    list = "";
    for (int i = 0, told = 0; i < params && told < NAMES_SAID; i++)
        if (col[i].hidden) {
            list = smi_page_fmt(g, "%s, %s", list, col[i].head);
            told++;
        }
    return smi_page_fmt(g, "%s, %d more parameters", list, n - NAMES_SAID);
}

void smi_params_head(struct smi_page *g)
{
    const struct smi_sweep *s = g->sweep;
    size_t shown = 0;
    for (size_t i = 0; i < s->ncommon; i++) {
        const char *key = smi_page_safe(g, s->common[i].key);
        if (g->look->width && (shown == HEAD_SHOWN || strlen(s->common[i].text) > TEXT_SHOWN))
            continue;
        smi_page_words(g, shown++ ? 1 : 3, smi_page_fmt(g, "%s=%s", key, smi_page_safe(g, s->common[i].text)), 0);
    }
    if (shown < s->ncommon)
        smi_page_words(g, shown ? 1 : 3, smi_page_fmt(g, "(%zu more parameters: --json)", s->ncommon - shown), 0);
}
