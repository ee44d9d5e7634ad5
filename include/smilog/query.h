/* query.h - questions to a sweep: columns, groups, SQL; two sweeps side by side; limits that have to hold. */
#ifndef SMILOG_QUERY_H
#define SMILOG_QUERY_H

#include "sweep.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Rows of a table. */
struct smilog_result;

/* Answers the options columns, group-by or sql. where, sort and the others of smilog_sweep_select choose runs
 * of s, which keeps only these. NULL with err: SMILOG_EUSAGE. Free with smilog_result_free. */
SMI_API struct smilog_result *smilog_query(struct smilog_sweep *s, const struct smilog_options *o,
                                           struct smilog_error *err);
SMI_API size_t smilog_result_rows(const struct smilog_result *r);
SMI_API size_t smilog_result_columns(const struct smilog_result *r);
/* NULL: there is no such column. Borrowed. */
SMI_API const char *smilog_result_name(const struct smilog_result *r, size_t column);
/* A value as it is printed; NULL: no value. Borrowed. */
SMI_API const char *smilog_result_text(const struct smilog_result *r, size_t row, size_t column);
/* False: no value, or it is no number. */
SMI_API bool smilog_result_number(const struct smilog_result *r, size_t row, size_t column, double *value);
/* The rows as table, json, jsonl, csv or md. NULL with err; free with smilog_free. */
SMI_API char *smilog_result_render(const struct smilog_result *r, const char *format,
                                   struct smilog_error *err);
SMI_API void smilog_result_free(struct smilog_result *r);

/* Compares sweep a with sweep b and tells changes from noise: table, json, csv or md. o: columns, width,
 * all; or NULL. NULL with err; free with smilog_free. */
SMI_API char *smilog_diff(const struct smilog_sweep *a, const struct smilog_sweep *b, const char *format,
                          const struct smilog_options *o, struct smilog_error *err);

enum smilog_verdict { SMILOG_HOLDS, SMILOG_BROKEN, SMILOG_UNMEASURABLE };
/* Is expr, SQL over the columns of runs as 'idle_pct > 10', true of no run? *report, unless report is NULL,
 * becomes the verdicts as JSON; free it with smilog_free. Returns a smilog_verdict, or -1 with err.
 * SMILOG_UNMEASURABLE: nothing is broken, but a run has no value. */
SMI_API int smilog_check(struct smilog_sweep *s, const char *expr, char **report, struct smilog_error *err);

#ifdef __cplusplus
}
#endif

#endif
