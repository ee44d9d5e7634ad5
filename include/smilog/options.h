/* options.h - how logs are read, which runs are wanted, and how they are written: the options of the command
 * line. */
#ifndef SMILOG_OPTIONS_H
#define SMILOG_OPTIONS_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

struct smilog_options;

/* No option is set. NULL without memory. Free with smilog_options_free. */
SMI_API struct smilog_options *smilog_options_new(void);
/* Sets an option by its name on the command line of smilog, without the two dashes; value is what stands
 * behind it there. Both are copied. reading: tz, interval, host, gpu-count, input-format, input-columns,
 * columns-from, idle-below, run-per (auto, dir, file), follow-links (true, false), run, gpus, threads
 * (default: the number of CPUs, 4 at most) prices:  price-gpu-hour, price-kwh, gco2-kwh; rules choice: where,
 * join, since, until, sort tables:  columns, group-by, sql writing: all (true, false), samples, width (of a
 * text table in columns; default: no limit) Returns 0, or -1 with err SMILOG_EUSAGE: there is no such option,
 * or it takes no such value. */
SMI_API int smilog_options_set(struct smilog_options *o, const char *name, const char *value,
                               struct smilog_error *err);
/* o may be NULL. */
SMI_API void smilog_options_free(struct smilog_options *o);

#ifdef __cplusplus
}
#endif

#endif
