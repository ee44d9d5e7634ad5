/* sweep.h - the runs behind paths, and every figure of them by its name.
 *
 *     const char *path[] = {"out"};
 *     struct smilog_error err = {SMILOG_OK, ""};
 *     struct smilog_sweep *s = smilog_sweep_read(path, 1, NULL, &err);
 *     for (size_t i = 0; i < smilog_sweep_count(s); i++) {
 *         const struct smilog_record *run = smilog_sweep_run(s, i);
 *         double pct;
 *         if (smilog_number(run, "idle_pct", &pct))
 *             printf("%s: idle %.1f %%\n", smilog_text(run, "run"), pct);
 *     }
 *     smilog_sweep_free(s); */
#ifndef SMILOG_SWEEP_H
#define SMILOG_SWEEP_H

#include "options.h"

#ifdef __cplusplus
extern "C" {
#endif

struct smilog_sweep;

/* Finds the logs behind n paths (files, directories, archives, "-": standard input) and summarises every run
 * of them. o: or NULL; it is copied. smilog_sweep_warning names what could not be used. NULL with err:
 * SMILOG_EFORMAT (nothing is a log), SMILOG_EUSAGE. Free with smilog_sweep_free. */
SMI_API struct smilog_sweep *smilog_sweep_read(const char *const *path, size_t n,
                                               const struct smilog_options *o, struct smilog_error *err);
/* The sweep of all runs in n files of partial summaries (smilog_partial_write), or in databases
 * ("sqlite:FILE"), as if their logs had been read in one pass. NULL with err: SMILOG_EFORMAT, SMILOG_EIO,
 * SMILOG_EUSAGE. */
SMI_API struct smilog_sweep *smilog_sweep_merge(const char *const *path, size_t n,
                                                const struct smilog_options *o, struct smilog_error *err);
/* s may be NULL. Records and texts of s end with it. */
SMI_API void smilog_sweep_free(struct smilog_sweep *s);

/* Leaves only the runs that the options where, join, since, until ask for, in the order of sort. Records of s
 * end with this. Returns 0, or -1 with err SMILOG_EUSAGE; then s can only be freed. */
SMI_API int smilog_sweep_select(struct smilog_sweep *s, const struct smilog_options *o,
                                struct smilog_error *err);

/* Number of runs, in the order of their names. s may be NULL. */
SMI_API size_t smilog_sweep_count(const struct smilog_sweep *s);

/* One run, GPU, phase or finding: values by name. Borrowed from its sweep. */
struct smilog_record;

/* Run i, or NULL: there is no such run, or no memory. */
SMI_API const struct smilog_record *smilog_sweep_run(struct smilog_sweep *s, size_t i);
/* The run of this name, or NULL. */
SMI_API const struct smilog_record *smilog_sweep_find(struct smilog_sweep *s, const char *run);
/* GPUs, phases and findings of a run. */
enum smilog_kind { SMILOG_RUN, SMILOG_GPU, SMILOG_PHASE, SMILOG_FINDING };
SMI_API size_t smilog_run_count(const struct smilog_record *run, enum smilog_kind kind);
SMI_API const struct smilog_record *smilog_run_get(const struct smilog_record *run, enum smilog_kind kind,
                                                   size_t i);

/* The value of a field: its name as smilog list columns has it (of runs, GPUs, phases, findings), as
 * "energy_wh". A GPU has the statistics of its metrics, too: "power_w_mean". False: there is no reading, or
 * no such field. */
SMI_API bool smilog_number(const struct smilog_record *r, const char *field, double *value);
/* The same in whole millionths, exactly as it is printed. */
SMI_API bool smilog_micro(const struct smilog_record *r, const char *field, int64_t *micro);
/* The value of a text field; NULL: no value, or it is none. Borrowed from the sweep. */
SMI_API const char *smilog_text(const struct smilog_record *r, const char *field);

/* Parameters of a run, from its path, its RunLog and files beside it. */
SMI_API size_t smilog_param_count(const struct smilog_record *run);
SMI_API const char *smilog_param_name(const struct smilog_record *run, size_t i);
/* As it was written; NULL: the run has no such parameter. */
SMI_API const char *smilog_param(const struct smilog_record *run, const char *name);

/* Everything that is known of a run, as the JSON of summarize has it in "runs". Free with smilog_free. */
SMI_API char *smilog_run_json(const struct smilog_record *run, struct smilog_error *err);

/* Sums over all runs: duration_s, gpu_hours, energy_wh, idle_pct, peak_vram_mb, wasted_h, cost, wasted_cost,
 * co2_g, runs, failed, cut, no_data. False: no run has such a value. */
SMI_API bool smilog_total(const struct smilog_sweep *s, const char *field, double *value);

/* Files that could not be used, and what of the logs was doubtful, a sentence each. */
SMI_API size_t smilog_sweep_warning_count(const struct smilog_sweep *s);
SMI_API const char *smilog_sweep_warning(const struct smilog_sweep *s, size_t i);

/* The catalogue: names of fields with unit ("" if there is none) and meaning; NULL behind the last. */
SMI_API const char *smilog_field_name(enum smilog_kind kind, size_t i);
SMI_API const char *smilog_field_unit(enum smilog_kind kind, size_t i);
SMI_API const char *smilog_field_help(enum smilog_kind kind, size_t i);

#ifdef __cplusplus
}
#endif

#endif
