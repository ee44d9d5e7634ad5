/* settings_options.c - the options that commands share. */
#include "cli/settings.h"

#include <stddef.h>

#define AT(field) offsetof(struct smi_settings, field)

const struct smi_opt smi_opts_output[] = {
    {"format", 0, SMI_OPT_TEXT, AT(format), "NAME",
     "table, json, jsonl, csv, md, xlsx, line, ledger; or by the ending of -o"},
    {"json", 0, SMI_OPT_FLAG, AT(json), NULL, "The same as --format json"},
    {"output", 'o', SMI_OPT_TEXT, AT(output), "FILE", "Write to FILE instead of standard output"},
    {"all", 0, SMI_OPT_FLAG, AT(all), NULL, "Every run, however many"},
    {"raw", 0, SMI_OPT_FLAG, AT(raw), NULL,
     "In CSV no ' before texts that begin like a formula: = + - @ tab CR"},
    {"verbose", 'v', SMI_OPT_FLAG, AT(verbose), NULL, "Every run in full, and every warning"},
    {"quiet", 'q', SMI_OPT_FLAG, AT(quiet), NULL, "No warnings"},
    {"threads", 'j', SMI_OPT_COUNT, AT(threads), "N", "Threads; never changes a result"},
    {"strict", 0, SMI_OPT_FLAG, AT(strict), NULL, "Exit with 1 if any row or file was doubtful"},
    {"color", 0, SMI_OPT_WORD, AT(color), "auto|always|never", "Colours (NO_COLOR is obeyed)"},
    {NULL, 0, SMI_OPT_FLAG, 0, NULL, NULL},
};

const struct smi_opt smi_opts_filter[] = {
    {"where", 0, SMI_OPT_TEXT, AT(ask.where), "EXPR",
     "Only the runs of which this holds: an SQL expression over columns"},
    {"join", 0, SMI_OPT_TEXT, AT(ask.join), "FILE[:KEY]",
     "Add the columns of a CSV file, by run name or by its column KEY"},
    {"since", 0, SMI_OPT_TEXT, AT(ask.since), "TIME",
     "Only runs that began at or after TIME: 2026-07-03T18:14Z, 7d"},
    {"until", 0, SMI_OPT_TEXT, AT(ask.until), "TIME", "Only runs that began before TIME"},
    {NULL, 0, SMI_OPT_FLAG, 0, NULL, NULL},
};

const struct smi_opt smi_opts_query[] = {
    {"sort", 0, SMI_OPT_TEXT, AT(ask.sort), "[-]COL,...", "In this order; - is descending"},
    {"columns", 0, SMI_OPT_TEXT, AT(ask.columns), "COL,...",
     "Only these columns: see list columns; param.NAME"},
    {"group-by", 0, SMI_OPT_TEXT, AT(ask.group_by), "COL,...",
     "A row a group: mean, sd and n of the columns"},
    {"sql", 0, SMI_OPT_TEXT, AT(ask.sql), "QUERY", "One SELECT over the tables of list columns"},
    {NULL, 0, SMI_OPT_FLAG, 0, NULL, NULL},
};

const struct smi_opt smi_opts_summary[] = {
    {"price-gpu-hour", 0, SMI_OPT_TEXT, AT(price_hour), "PRICES",
     "What a GPU-hour costs: 2.49, or by parts of names H100=2.49,A100=1.19; a number beside those is for "
     "all others"},
    {"price-kwh", 0, SMI_OPT_TEXT, AT(price_kwh), "N", "What a kWh costs"},
    {"gco2-kwh", 0, SMI_OPT_TEXT, AT(gco2), "N", "Grams of CO2 of a kWh"},
    {"run", 0, SMI_OPT_TEXT, AT(d.run), "NAME", "All is one run of this name"},
    {"gpus", 0, SMI_OPT_LIST, AT(gpus), "LIST", "Only these GPUs: indices, uuids, auto, all"},
    {"rules", 0, SMI_OPT_TEXT, AT(rules), "FILE", "JSON of limits for the rules of list rules"},
    {NULL, 0, SMI_OPT_FLAG, 0, NULL, NULL},
};

const struct smi_opt smi_opts_input[] = {
    {"tz", 0, SMI_OPT_TEXT, AT(tz), "ZONE", "Zone of the GPU logs: Europe/Berlin, UTC, +02:00"},
    {"interval", 0, SMI_OPT_MICRO, AT(o.interval_us), "S", "Seconds between rows of logs without times"},
    {"host", 0, SMI_OPT_TEXT, AT(o.host), "NAME", "The machine that the logs are from"},
    {"param", 0, SMI_OPT_LIST, AT(params), "NAME=VALUE", "A parameter of all runs: user=ada,account=astro"},
    {"gpu-count", 0, SMI_OPT_COUNT, AT(o.gpu_count), "N", "GPUs in logs that do not name them"},
    {"input-format", 0, SMI_OPT_TEXT, AT(input_format), "NAME",
     "Format of the files named: see list formats"},
    {"input-columns", 0, SMI_OPT_LIST, AT(columns), "LIST",
     "Columns of CSV files without a header, by nvidia-smi's names: timestamp,index,power.draw; - for one "
     "that is "
     "not read"},
    {"columns-from", 0, SMI_OPT_TEXT, AT(columns_from), "FILE",
     "Columns of any CSV or TSV, a line each: gpu_util_pct = \"GPU Load\" %"},
    {"idle-below", 0, SMI_OPT_MICRO, AT(o.idle_below), "PCT", "Utilisation up to this is idle (1)"},
    {"run-per", 0, SMI_OPT_WORD, AT(run_per), "auto|dir|file", "What makes a run"},
    {"name-pattern", 0, SMI_OPT_TEXT, AT(d.pattern), "PATTERN",
     "Parameters in names of runs: {model}_lr{lr}_seed{seed}"},
    {"follow-links", 0, SMI_OPT_FLAG, AT(d.follow_links), NULL, "Follow links inside directories"},
    {"cache", 0, SMI_OPT_TEXT, AT(d.cache), "FILE",
     "Keep summaries there: runs that did not change are not read again"},
    {NULL, 0, SMI_OPT_FLAG, 0, NULL, NULL},
};

const struct smi_opt smi_opts_partial[] = {
    {"partial", 0, SMI_OPT_FLAG, AT(partial), NULL, "Write partial summaries, for smilog merge"},
    {NULL, 0, SMI_OPT_FLAG, 0, NULL, NULL},
};

const struct smi_opt smi_opts_batch[] = {
    {"timeout", 0, SMI_OPT_MICRO, AT(timeout), "S", "Give up after so many seconds"},
    {"exit-zero", 0, SMI_OPT_FLAG, AT(exit_zero), NULL,
     "Status 0 whatever happens, and a line of --format line: for epilogs of batch systems"},
    {NULL, 0, SMI_OPT_FLAG, 0, NULL, NULL},
};

const struct smi_opt smi_opts_own_output[] = {
    {"json", 0, SMI_OPT_FLAG, AT(json), NULL, "The same as --format json"},
    {"output", 'o', SMI_OPT_TEXT, AT(output), "FILE", "Write to FILE instead of standard output"},
    {"all", 0, SMI_OPT_FLAG, AT(all), NULL, "Every run and every line, however many"},
    {"verbose", 'v', SMI_OPT_FLAG, AT(verbose), NULL, "Every warning"},
    {"quiet", 'q', SMI_OPT_FLAG, AT(quiet), NULL, "No warnings, and nothing where all is well"},
    {"threads", 'j', SMI_OPT_COUNT, AT(threads), "N", "Threads; never changes a result"},
    {"strict", 0, SMI_OPT_FLAG, AT(strict), NULL, "Exit with 1 if any row or file was doubtful"},
    {"color", 0, SMI_OPT_WORD, AT(color), "auto|always|never", "Colours (NO_COLOR is obeyed)"},
    {NULL, 0, SMI_OPT_FLAG, 0, NULL, NULL},
};

#undef AT
#define AT(field) offsetof(struct smi_watch_settings, field)

const struct smi_opt smi_opts_watch[] = {
    {"for", 0, SMI_OPT_TEXT, AT(duration), "TIME", "end after so long: 90, 90s, 10m, 2h, 1d"},
    {"plain", 0, SMI_OPT_FLAG, AT(plain), NULL, "a line an interval, no screen"},
    {"format", 0, SMI_OPT_TEXT, AT(format), "NAME", "plain, or jsonl: an object an interval"},
    {"listen", 0, SMI_OPT_TEXT, AT(listen), "[ADDRESS:]PORT",
     "a page for browsers, and /metrics for Prometheus (default address 127.0.0.1; port 0: any)"},
    {"allow-host", 0, SMI_OPT_TEXT, AT(allow), "NAME[,NAME]",
     "of --listen: it is called by that name, too (a service, a proxy, a full name)"},
    {"names", 0, SMI_OPT_WORD, AT(names), "smilog|dcgm",
     "of the metrics for Prometheus: our own, or dcgm-exporter's where it has them"},
    {"rules", 0, SMI_OPT_TEXT, AT(rules), "FILE", "JSON of limits for the alerts of list alerts"},
    {"alert-exec", 0, SMI_OPT_TEXT, AT(command), "COMMAND",
     "run by a shell when an alert begins or ends: $SMILOG_TEXT, $SMILOG_ALERT (JSON)"},
    {"color", 0, SMI_OPT_WORD, AT(color), "auto|always|never", "of the table (default auto)"},
    {NULL, 0, 0, 0, NULL, NULL},
};
