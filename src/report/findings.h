/* findings.h - what the rules say, a row for each rule. */
#ifndef SMI_REPORT_FINDINGS_H
#define SMI_REPORT_FINDINGS_H

#include "report/text_report.h"

enum { SMI_ADVICE_RUNS = 5 /* named with it */ };

/* All findings of one rule. */
struct smi_advice {
    int rule;
    enum smi_level level; /* the highest */
    int64_t ms;
    struct smi_value cost;
    size_t runs, findings;
    const struct smi_finding *low, *high; /* those with the least and the largest value */
    struct {
        const struct smi_summary *run;
        const struct smi_finding *of; /* the largest of it */
        int64_t ms;
    } top[SMI_ADVICE_RUNS]; /* most GPU time first */
    size_t named;
};

/* Those of n runs: waste and errors first, then what could be better; of these most GPU time first. Returns
 * how many; the list lives as long as the arena. */
size_t smi_advice_list(struct smi_text_arena *g, const struct smi_summary *runs, size_t n,
                       struct smi_advice **out);
/* The finding whose words stand for all: the largest; of what is at most so much the one with the most, for
 * then it holds for all, and so does the advice. */
const struct smi_finding *smi_advice_words(const struct smi_advice *a);
/* Its words, "GPU 1 unused, and 2 more"; safe. */
const char *smi_advice_text(struct smi_text_arena *g, const struct smi_advice *a);
/* Begins a table of the findings of a run; false: it has none. */
bool smi_finding_table(struct smi_report_table *t, struct smi_text_arena *g, const struct smi_summary *s);

#endif
