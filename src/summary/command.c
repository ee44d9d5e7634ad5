#include "summary/command.h"

enum { ROUNDED = 50000 /* a row of samples has one digit behind the point */ };

const struct smi_command_use smi_command_uses[SMI_COMMAND_USES] = {
    {"CPU", "of a core", true, true, {SMI_TREE_CPU, SMI_TREE_CPU_MAIN, SMI_TREE_CPU_CHILDREN}},
    {"memory", NULL, false, true, {SMI_TREE_RAM, SMI_TREE_RAM_MAIN, SMI_TREE_RAM_CHILDREN}},
    {"private memory", NULL, false, false, {SMI_TREE_RAM_PRIVATE, -1, -1}},
    {"shared memory", NULL, false, false, {SMI_TREE_RAM_SHARED, -1, -1}},
    {"GPU memory", NULL, false, true, {SMI_TREE_FB, SMI_TREE_FB_MAIN, SMI_TREE_FB_CHILDREN}},
    {"threads", NULL, false, false, {SMI_TREE_THREADS, SMI_TREE_THREADS_MAIN, SMI_TREE_THREADS_CHILDREN}},
    {"processes", NULL, false, true, {SMI_TREE_PROCS, -1, -1}},
};

struct smi_command_figures smi_command_figures(const struct smi_summary *s, const struct smi_command_use *u,
                                               enum smi_command_part part)
{
    struct smi_command_figures f = {.there = false};
    for (size_t i = 0; i < s->nhost; i++)
        if (s->host[i].metric == u->metric[part]) {
            f.mean = s->host[i].mean;
            f.max = s->host[i].max;
        }
    for (size_t i = 0; i < s->ntracked; i++) {
        const struct smi_tracked_figures *t = &s->tracked[i];
        if (t->metric != u->metric[part])
            continue;
        f.mean = t->mean.has ? t->mean : f.mean;
        f.max = t->max.has && (!f.max.has || t->max.micro + ROUNDED >= f.max.micro) ? t->max : f.max;
    }
    f.there = f.max.has || f.mean.has;
    return f;
}

bool smi_command_is_tracked(const struct smi_summary *s)
{
    bool some = s->command != NULL;
    for (int i = 0; i < SMI_COMMAND_USES && !some; i++)
        some = smi_command_figures(s, &smi_command_uses[i], SMI_COMMAND_ALL).there;
    return some;
}

/* The row and column of a metric; -1: it is in none. */
static int find_command_use(unsigned metric)
{
    for (int i = 0; i < SMI_COMMAND_USES; i++)
        for (int k = 0; k < SMI_COMMAND_PARTS; k++)
            if (smi_command_uses[i].metric[k] == (int)metric)
                return i * SMI_COMMAND_PARTS + k;
    return -1;
}

bool smi_command_is_metric(unsigned metric)
{
    return find_command_use(metric) >= 0;
}

bool smi_command_is_detail(unsigned metric)
{
    const int at = find_command_use(metric);
    return at >= 0 &&
           (at % SMI_COMMAND_PARTS != SMI_COMMAND_ALL || !smi_command_uses[at / SMI_COMMAND_PARTS].brief);
}
