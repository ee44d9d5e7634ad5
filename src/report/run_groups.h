/* run_groups.h - runs in an order, and runs that share a value of a parameter: the values, the sums of each
 * group. */
#ifndef SMI_REPORT_RUN_GROUPS_H
#define SMI_REPORT_RUN_GROUPS_H

#include "report/run_columns.h"

/* The different values of a parameter over all runs, in order of names. Returns how many. */
size_t smi_param_values(struct smi_text_arena *g, const char *key, const char ***out);
/* The same, of a parameter that may group runs unasked: half of them have it, or more, and its values gather
 * them, two or more to a value; else 0. */
enum { SMI_GROUP_VALUES_MAX = 200 };
size_t smi_param_group_values(struct smi_text_arena *g, const char *key, const char ***out);
/* Has it several values among runs with data? Without, its groups compare nothing. */
bool smi_param_compares(const struct smi_sweep *s, const char *key);
bool smi_param_is_rare(struct smi_text_arena *g,
                       const char *key); /* fewer than half of the runs have this parameter */

/* The place of a column in --group-by, from 0; -1: it is not asked for. */
int smi_group_by_place(const struct smi_render_options *look, const char *key);

/* What is averaged over the runs of a group: columns of run_column.def. */
enum { SMI_GROUP_MEASURES = 4 };
extern const int smi_group_measures[SMI_GROUP_MEASURES];

struct smi_run_group {
    const char *value; /* NULL: runs without the parameter, and those that are joined */
    const char *name;  /* the same to print */
    struct smi_total sum;
    struct smi_value vram, vram_total; /* of the run with the highest peak */
    bool out_of_memory;                /* that run ran out of memory */
    int64_t unknown_ms;
    struct {
        smi_i128 s1, s2; /* the sum of the values, and of their squares */
        int64_t n;
    } of[SMI_GROUP_MEASURES];
};

void smi_run_group_add(struct smi_run_group *p, const struct smi_summary *s);
/* Adds every run to the group of its value of the parameter, else to group[n]. */
void smi_run_groups_add(const struct smi_sweep *s, const char *key, struct smi_run_group *group, size_t n);
/* The n groups of the values, filled, and one for all other runs. NULL without memory. */
struct smi_run_group *smi_run_groups(struct smi_text_arena *g, const char *key, const char **value, size_t n);
/* Standard deviation of a measure, times the number of its runs. */
smi_i128 smi_run_group_deviation(const struct smi_run_group *p, int measure);

/* All runs of the sweep, in an arena; by_waste: those that wasted most first. NULL without memory. */
const struct smi_summary **smi_runs_in_order(struct smi_text_arena *g, struct smi_arena *arena,
                                             bool by_waste);

#endif
