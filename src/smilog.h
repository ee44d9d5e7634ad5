/* smilog.h - libsmilog: logs of GPU runs to numbers.  cc app.c $(pkg-config --cflags --libs smilog)
 *
 *     const char *path[] = {"out"};
 *     struct smi_discover_opts d = {.format = -1, .threads = 4};
 *     struct smi_options o = {.idle_below = 1000000};      // 1 %, in millionths
 *     struct smi_sweep s;
 *     struct smi_err err = {0};
 *     if (smi_sweep_read(&s, path, 1, &d, &o, &err))
 *         return fprintf(stderr, "%s\n", err.text), 1;
 *     for (size_t i = 0; i < s.n; i++)
 *         printf("%s: %s\n", s.runs[i].run, smi_state_names[s.runs[i].state]);
 *     smi_sweep_fini(&s);
 *
 * The library keeps no global state, never prints and never exits. A call that fails returns -1 and fills
 * err. */
#ifndef SMILOG_H
#define SMILOG_H

#include "base/version.h"

#include "query/query.h"
#include "base/err.h"
#include "formats/detect.h"
#include "report/output.h"
#include "model/metric.h"
#include "model/sink.h"
#include "summary/partial.h"
#include "summary/run.h"
#include "summary/summary.h"
#include "sweep/discover.h"
#include "sweep/sweep.h"
#include "live/host.h"
#include "process/tree.h"
#include "live/runlog_write.h"
#include "live/runlog_start.h"
#include "process/tracker.h"

#endif
