/* run_params.h - the parameters of a run. */
#ifndef SMI_SUMMARY_RUN_PARAMS_H
#define SMI_SUMMARY_RUN_PARAMS_H

#include "summary/summary.h"

/* The run's value of a parameter, or of a column that was joined (key is the sweep's own text), or NULL. */
const struct smi_param *smi_run_param(const struct smi_summary *s, const char *key);
/* Whether the name says the parameter already: a piece "lr=0.1", "seed3" or "seed-3". */
bool smi_param_in_name(const char *name, const struct smi_param *q);
bool smi_param_is_repeat(const char *key); /* seed, rep, fold, trial */

#endif
