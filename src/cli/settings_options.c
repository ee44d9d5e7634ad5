/* settings_options.c - the options that commands share. */
#include "cli/settings.h"

#include <stddef.h>

#define AT(field) offsetof(struct smi_settings, field)

const struct smi_opt smi_opts_output[] = {
    {"format", 0, SMI_OPT_TEXT, AT(format), "OUTPUT",
     "table, json, jsonl, csv, md, xlsx, line or ledger (default: by the ending of -o)"},
    {"json", 0, SMI_OPT_FLAG, AT(json), NULL, "The same as --format json"},
    {"output", 'o', SMI_OPT_TEXT, AT(output), "FILE", "Write to FILE instead of standard output"},
    {"all", 0, SMI_OPT_FLAG, AT(all), NULL, "Print every run, however many there are"},
    {"raw", 0, SMI_OPT_FLAG, AT(raw), NULL, "Do not escape CSV cells that look like formulas"},
    {"verbose", 'v', SMI_OPT_FLAG, AT(verbose), NULL, "Print every run in full and every warning"},
    {"quiet", 'q', SMI_OPT_FLAG, AT(quiet), NULL, "Print no warnings"},
    {"threads", 'j', SMI_OPT_COUNT | SMI_OPT_SETTABLE, AT(threads), "N",
     "Number of threads (results do not depend on it)"},
    {"strict", 0, SMI_OPT_FLAG, AT(strict), NULL, SMI_STRICT_HELP},
    {"color", 0, SMI_OPT_WORD | SMI_OPT_SETTABLE, AT(color), "auto|always|never",
     "When to use colours (auto: in a terminal, unless NO_COLOR is set)"},
    {NULL, 0, SMI_OPT_FLAG, 0, NULL, NULL},
};

const struct smi_opt smi_opts_filter[] = {
    {"where", 0, SMI_OPT_TEXT, AT(ask.where), "EXPR",
     "Only runs for which this SQL expression over columns is true"},
    {"join", 0, SMI_OPT_TEXT, AT(ask.join), "FILE[:KEY]",
     "Add the columns of a CSV file to the runs, by run name or by KEY"},
    {"since", 0, SMI_OPT_TEXT, AT(ask.since), "TIME",
     "Only runs that began at or after TIME, such as 2026-07-03T18:14Z or 7d"},
    {"until", 0, SMI_OPT_TEXT, AT(ask.until), "TIME", "Only runs that began before TIME"},
    {NULL, 0, SMI_OPT_FLAG, 0, NULL, NULL},
};

const struct smi_opt smi_opts_query[] = {
    {"sort", 0, SMI_OPT_TEXT, AT(ask.sort), "[-]COL,...", "Sort by these columns; - means descending"},
    {"columns", 0, SMI_OPT_TEXT | SMI_OPT_SETTABLE, AT(ask.columns), "COL,...",
     "Print these columns only; see list columns. A parameter is param.NAME"},
    {"group-by", 0, SMI_OPT_TEXT, AT(ask.group_by), "COL,...",
     "Print one row per group: mean, sd and n of each column"},
    {"sql", 0, SMI_OPT_TEXT, AT(ask.sql), "QUERY", "Run one SELECT over the tables of list columns"},
    {NULL, 0, SMI_OPT_FLAG, 0, NULL, NULL},
};

const struct smi_opt smi_opts_summary[] = {
    {"price-gpu-hour", 0, SMI_OPT_TEXT | SMI_OPT_SETTABLE, AT(price_hour), "PRICES",
     "Price of a GPU-hour: 2.49, or by model: H100=2.49,A100=1.19. A number without a model is for all "
     "others"},
    {"price-kwh", 0, SMI_OPT_TEXT | SMI_OPT_SETTABLE, AT(price_kwh), "N", "Price of a kWh"},
    {"currency", 0, SMI_OPT_TEXT | SMI_OPT_SETTABLE, AT(currency), "WORD",
     "Currency of the prices, such as EUR (default $)"},
    {"gco2-kwh", 0, SMI_OPT_TEXT | SMI_OPT_SETTABLE, AT(gco2), "N", "CO2 per kWh, in grams"},
    {"run", 0, SMI_OPT_TEXT, AT(d.run), "NAME", "Treat all logs as one run with this name"},
    {"gpus", 0, SMI_OPT_LIST, AT(gpus), "LIST", "Use these GPUs only: indices, UUIDs, auto or all"},
    {"rules", 0, SMI_OPT_TEXT | SMI_OPT_SETTABLE, AT(rules), "FILE",
     "Limits for the rules of list rules, as JSON"},
    {NULL, 0, SMI_OPT_FLAG, 0, NULL, NULL},
};

const struct smi_opt smi_opts_input[] = {
    {"tz", 0, SMI_OPT_TEXT | SMI_OPT_SETTABLE, AT(tz), "ZONE",
     "Time zone of the GPU logs: Europe/Berlin, UTC or +02:00"},
    {"interval", 0, SMI_OPT_MICRO, AT(o.interval_us), "S", "Seconds between rows, for logs without times"},
    {"host", 0, SMI_OPT_TEXT, AT(o.host), "NAME", "Name of the machine that wrote the logs"},
    {"param", 0, SMI_OPT_LIST, AT(params), "NAME=VALUE",
     "Add parameters to all runs: user=ada,account=astro"},
    {"gpu-count", 0, SMI_OPT_COUNT, AT(o.gpu_count), "N", "Number of GPUs, for logs that do not name them"},
    {"input-format", 0, SMI_OPT_TEXT, AT(input_format), "FORMAT",
     "Format of the files named; see list formats"},
    {"input-columns", 0, SMI_OPT_LIST, AT(columns), "FIELD,...",
     "Columns of CSV files without a header, as nvidia-smi names them: timestamp,index,power.draw. - skips a "
     "column"},
    {"columns-from", 0, SMI_OPT_TEXT, AT(columns_from), "FILE",
     "Columns of any CSV or TSV, one per line: gpu_util_pct = \"GPU Load\" %"},
    {"idle-below", 0, SMI_OPT_MICRO | SMI_OPT_SETTABLE, AT(o.idle_below), "PCT",
     "GPU use up to this counts as idle (default 1)"},
    {"run-per", 0, SMI_OPT_WORD, AT(run_per), "auto|dir|file",
     "Make each directory or each file a run (auto: by the names of the logs)"},
    {"name-pattern", 0, SMI_OPT_TEXT, AT(d.pattern), "PATTERN",
     "Read parameters from run names: {model}_lr{lr}_seed{seed}"},
    {"follow-links", 0, SMI_OPT_FLAG, AT(d.follow_links), NULL, "Follow symbolic links inside directories"},
    {NULL, 0, SMI_OPT_FLAG, 0, NULL, NULL},
};

const struct smi_opt smi_opts_partial[] = {
    {"partial", 0, SMI_OPT_FLAG, AT(partial), NULL, "Write partial summaries for smilog merge"},
    {NULL, 0, SMI_OPT_FLAG, 0, NULL, NULL},
};

const struct smi_opt smi_opts_batch[] = {
    {"timeout", 0, SMI_OPT_MICRO, AT(timeout), "S", "Give up after S seconds"},
    {"exit-zero", 0, SMI_OPT_FLAG, AT(exit_zero), NULL,
     "Always exit 0 and print a line of --format line; for job epilogs"},
    {NULL, 0, SMI_OPT_FLAG, 0, NULL, NULL},
};

const struct smi_opt smi_opts_own_output[] = {
    {"json", 0, SMI_OPT_FLAG, AT(json), NULL, "The same as --format json"},
    {"output", 'o', SMI_OPT_TEXT, AT(output), "FILE", "Write to FILE instead of standard output"},
    {"all", 0, SMI_OPT_FLAG, AT(all), NULL, "Print every run and every line"},
    {"verbose", 'v', SMI_OPT_FLAG, AT(verbose), NULL, "Print every warning"},
    {"threads", 'j', SMI_OPT_COUNT | SMI_OPT_SETTABLE, AT(threads), "N",
     "Number of threads (results do not depend on it)"},
    {"strict", 0, SMI_OPT_FLAG, AT(strict), NULL, SMI_STRICT_HELP},
    {"color", 0, SMI_OPT_WORD | SMI_OPT_SETTABLE, AT(color), "auto|always|never",
     "When to use colours (auto: in a terminal, unless NO_COLOR is set)"},
    {NULL, 0, SMI_OPT_FLAG, 0, NULL, NULL},
};

#undef AT
#define AT(field) offsetof(struct smi_watch_settings, field)

const struct smi_opt smi_opts_watch[] = {
    {"for", 0, SMI_OPT_TEXT, AT(duration), "TIME", "Stop after TIME: 90, 90s, 10m, 2h or 1d"},
    {"plain", 0, SMI_OPT_FLAG, AT(plain), NULL, "Print one line per interval instead of a screen"},
    {"format", 0, SMI_OPT_TEXT, AT(format), "plain|jsonl", "jsonl: print one JSON object per interval"},
    {"json", 0, SMI_OPT_FLAG, AT(json), NULL, "The same as --format jsonl; with --once one object"},
    {"listen", 0, SMI_OPT_TEXT, AT(listen), "[ADDRESS:]PORT",
     "Serve a page for browsers, and /metrics for Prometheus (default address 127.0.0.1; port 0: any)"},
    {"allow-host", 0, SMI_OPT_TEXT, AT(allow), "NAME[,NAME]",
     "Further host names by which --listen may be called, such as that of a proxy"},
    {"names", 0, SMI_OPT_WORD, AT(names), "smilog|dcgm",
     "Names of the Prometheus metrics: smilog's, or dcgm-exporter's where they exist"},
    {"expect-gpus", 0, SMI_OPT_COUNT, AT(expect_gpus), "N", "Fewer than N GPUs are an alert"},
    {"rules", 0, SMI_OPT_TEXT | SMI_OPT_SETTABLE, AT(rules), "FILE",
     "Limits for the alerts of list alerts, as JSON"},
    {"alert-exec", 0, SMI_OPT_TEXT, AT(command), "COMMAND",
     "Run this shell command when an alert begins or ends: $SMILOG_TEXT, $SMILOG_ALERT (JSON)"},
    {"color", 0, SMI_OPT_WORD | SMI_OPT_SETTABLE, AT(color), "auto|always|never",
     "When to use colours (auto: in a terminal)"},
    {NULL, 0, 0, 0, NULL, NULL},
};
