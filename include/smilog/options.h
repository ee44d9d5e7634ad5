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
 * behind it there, for a flag true or false. Both are copied; a second value replaces the first.
 * The options are those that smilog summarize --help shows for reading, prices, rules, the choice of runs and
 * columns, and of the others all, raw, threads (default: the number of CPUs, 4 at most), samples (of smilog
 * report), and width (columns of a text table; default: no limit). If tz is the name of a zone, the variable
 * TZ of the environment has its value for a moment while logs begin to be read: no other thread may use the
 * environment then. Returns 0, or -1 with err SMILOG_EUSAGE: there is no such option, or it takes no such
 * value. */
SMI_API int smilog_options_set(struct smilog_options *o, const char *name, const char *value,
                               struct smilog_error *err);
/* o may be NULL. */
SMI_API void smilog_options_free(struct smilog_options *o);

#ifdef __cplusplus
}
#endif

#endif
