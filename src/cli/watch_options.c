#include "cli/watch_options.h"

#include <stddef.h>

#define AT(field) offsetof(struct smi_watch_settings, field)

const struct smi_opt smi_opts_watch[] = {
    {"for", 0, SMI_OPT_TEXT, AT(duration), "TIME", "end after so long: 90, 90s, 10m, 2h, 1d"},
    {"plain", 0, SMI_OPT_FLAG, AT(plain), NULL, "a line an interval, no screen"},
    {"format", 0, SMI_OPT_TEXT, AT(format), "NAME", "plain, or jsonl: an object an interval"},
    {"listen", 0, SMI_OPT_TEXT, AT(listen), "[ADDRESS:]PORT",
     "a page for browsers, and /metrics for Prometheus (default address 127.0.0.1; port 0: any)"},
    {"names", 0, SMI_OPT_WORD, AT(names), "smilog|dcgm",
     "of the metrics for Prometheus: our own, or dcgm-exporter's where it has them"},
    {"rules", 0, SMI_OPT_TEXT, AT(rules), "FILE", "JSON of limits for the alerts of list alerts"},
    {"alert-exec", 0, SMI_OPT_TEXT, AT(command), "COMMAND",
     "run by a shell when an alert begins or ends: $SMILOG_TEXT, $SMILOG_ALERT (JSON)"},
    {"color", 0, SMI_OPT_WORD, AT(color), "auto|always|never", "of the table (default auto)"},
    {NULL, 0, 0, 0, NULL, NULL},
};
