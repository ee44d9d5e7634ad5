/* command_list.c - what there is, straight from the tables. */
#include "summary/findings.h"
#include "cli/settings.h"

#include <stdio.h>
#include <stdlib.h>

static void list_metrics(struct smi_buf *b)
{
    static const char *const kinds[] = {"gauge", "counter", "state"};
    smi_buf_fmt(b, "%-40s %-5s %-8s %s\n", "METRIC", "UNIT", "KIND", "MEANING");
    for (int i = 0; i < SMI_METRIC_COUNT; i++) {
        const struct smi_metric *m = &smi_metrics[i];
        smi_buf_fmt(b, "%-40s %-5s %-8s %s\n", m->key, *m->unit ? m->unit : "-", kinds[m->kind], m->help);
    }
}

static void list_formats(struct smi_buf *b)
{
    for (int i = 0; i < SMI_FMT_COUNT; i++)
        smi_buf_fmt(b, "%-18s %s\n", smi_format_infos[i].name, smi_format_infos[i].help);
}

static void list_outputs(struct smi_buf *b)
{
    for (const struct smi_output *o = smi_outputs; o->name; o++)
        smi_buf_fmt(b, "%-8s %-8s %s\n", o->name, o->ending ? o->ending : "-", o->help);
}

static void write_column(struct smi_buf *b, const char *table, const char *name, enum smi_datum_kind kind,
                         const char *unit, const char *help)
{
    static const char *const types[] = {"", "integer", "real", "boolean", "text"};
    smi_buf_fmt(b, "%-7s %-22s %-8s %-5s %s\n", table, name, types[kind], *unit ? unit : "-", help);
}

static void list_table_columns(struct smi_buf *b, const char *table, const struct smi_field_info *f, size_t n)
{
    if (strcmp(table, "runs") != 0 && strcmp(table, "ledger") != 0)
        write_column(b, table, "run", SMI_DATUM_TEXT, "", "The run that it is of: as runs.run");
    for (size_t i = 0; i < n; i++)
        write_column(b, table, f[i].key, f[i].kind, f[i].unit, f[i].help);
}

static void list_columns(struct smi_buf *b)
{
    smi_buf_fmt(b, "%-7s %-22s %-8s %-5s %s\n", "TABLE", "COLUMN", "TYPE", "UNIT", "MEANING");
    list_table_columns(b, "runs", smi_run_fields, SMI_RUN_FIELDS);
    list_table_columns(b, "param", NULL, 0);
    write_column(b, "param", "NAME", SMI_DATUM_TEXT, "",
                 "Each parameter by its own name: a number, or text; one row a run");
    list_table_columns(b, "gpus", smi_gpu_fields, SMI_GPU_FIELDS);
    write_column(
        b, "gpus", "METRIC_STAT", SMI_DATUM_MICRO, "",
        "Of each gauge of list metrics (. as _): count mean min max stddev p1 p5 p25 p50 p75 p95 p99, of "
        "some time_mean");
    write_column(b, "gpus", "COUNTER_STAT", SMI_DATUM_MICRO, "",
                 "Of each counter: count first last increase");
    write_column(b, "gpus", "throttle_REASON_pct", SMI_DATUM_MICRO, "%",
                 "Share of time of a reason of slowdown");
    list_table_columns(b, "phases", smi_phase_fields, SMI_PHASE_FIELDS);
    list_table_columns(b, "findings", smi_finding_fields, SMI_FINDING_FIELDS);
    list_table_columns(b, "ledger", smi_ledger_fields, SMI_LEDGER_FIELDS);
}

/* "60 s", "25", as it would be typed; fresh behind what stands in b. */
static void write_limit(struct smi_buf *b, int64_t micro, const char *unit)
{
    char t[SMI_MICRO_TEXT];
    const size_t n = smi_text_write_micro(t, micro);
    smi_buf_fmt(b, "%.*s%s%s", (int)(n - (strstr(t, ".0") ? 2u : 0u)), t, *unit ? " " : "", unit);
}

/* A sentence with its limits in the place of {limit} and {at}: "A GPU was idle for 60 s or more between
 * work". */
static void write_sentence(struct smi_buf *b, const struct smi_rule *r)
{
    struct smi_buf limit = {0}, at = {0}, text = {0};
    write_limit(&limit, r->limit, r->unit);
    write_limit(&at, r->at * 1000000, "");
    const struct smi_rule_word word[] = {{"{limit}", limit.p}, {"{at}", at.p}};
    smi_rule_text(&text, r->sentence, word, 2);
    smi_buf_str(b, text.p);
    smi_buf_fini(&limit);
    smi_buf_fini(&at);
    smi_buf_fini(&text);
}

static void list_rules(struct smi_buf *b)
{
    struct smi_rule_table table;
    struct smi_err err = {0};
    (void)smi_rules_load(&table, NULL, &err);
    smi_buf_fmt(b, "%-21s %-7s %-6s %-5s  %s\n", "RULE", "OF", "LEVEL", "LEAST", "WHAT IT SAYS: WHAT TO DO");
    for (int i = 0; i < SMI_RULES; i++) {
        const struct smi_rule *r = &table.rule[i];
        smi_buf_fmt(b, "%-21s %-7s %-6s %3lld s  ", r->key, r->word ? "alert" : "finding",
                    smi_level_names[r->level], (long long)(r->word ? r->on_ms / 1000 : r->least_s));
        write_sentence(b, r);
        if (r->advice)
            smi_buf_fmt(b, ": %s", r->advice);
        if (r->word)
            smi_buf_fmt(b, " (%s)", r->word);
        if (r->off_ms)
            smi_buf_fmt(b, "; over when that has ended for %lld s", (long long)(r->off_ms / 1000));
        smi_buf_char(b, '\n');
    }
    smi_buf_fmt(
        b,
        "a finding is what a run shows; LEAST: seconds of readings without which it says nothing; none "
        "says anything of a GPU with less than %d readings\n"
        "an alert is what live and follow say; LEAST: seconds for which it has to hold (--once waits for "
        "nothing: it judges the readings of the moment); (WORD): in lines of --plain\n"
        "--rules FILE sets other limits\n"
        "compile speaks of phases that have one of these as a whole word of their name, as jit_step and "
        "JitStep:\n ",
        SMI_RULE_SAMPLES);
    for (const char *const *w = smi_rules[SMI_RULE_COMPILE].phase_words; *w; w++)
        smi_buf_fmt(b, " %s", *w);
    smi_buf_str(b, "\n  (warmup, warm-up: only as the whole name, as learning rates have one too)\n");
}

/* [{"rule": "stall", "of": "finding", "level": "warn", "unit": "s", "side": "from", "limit": 60.0, "at":
 * null, "least_s": 300, "samples": 10, "on_s": 0.0, "off_s": 0.0, "short": null, "text": "...", "help":
 * "...", "advice": "...", "words": []}, ...]; text, advice and words are of findings, on_s, off_s and short
 * of alerts. */
static void list_rules_json(struct smi_buf *b)
{
    static const char *const side[] = {"below", "from", "above"}; /* as smi_side */
    struct smi_rule_table table;
    struct smi_err err = {0};
    struct smi_json j;
    struct smi_buf help = {0};
    (void)smi_rules_load(&table, NULL, &err);
    smi_json_begin(&j, b);
    smi_json_open(&j, '[');
    for (int i = 0; i < SMI_RULES; i++) {
        const struct smi_rule *r = &table.rule[i];
        const char *const *w = r->phase_words;
        smi_buf_clear(&help);
        write_sentence(&help, r);
        smi_json_open(&j, '{');
        smi_json_key_str(&j, "rule", r->key);
        smi_json_key_str(&j, "of", r->word ? "alert" : "finding");
        smi_json_key_str(&j, "level", smi_level_names[r->level]);
        smi_json_key_str(&j, "unit", *r->unit ? r->unit : NULL);
        smi_json_key_str(&j, "side", r->limit == SMI_LIMIT_NONE ? NULL : side[r->side]);
        smi_json_key_number(&j, "limit", r->limit != SMI_LIMIT_NONE, r->limit);
        smi_json_key_optional(&j, "at", r->at != SMI_LIMIT_NONE, r->at);
        smi_json_key_int(&j, "least_s", r->least_s);
        smi_json_key_int(&j, "samples", r->word ? 0 : SMI_RULE_SAMPLES);
        smi_json_key_micro(&j, smi_text_of("on_s"), r->on_ms * 1000);
        smi_json_key_micro(&j, smi_text_of("off_s"), r->off_ms * 1000);
        smi_json_key_str(&j, "short", r->word);
        smi_json_key_str(&j, "text", r->word ? NULL : r->text);
        smi_json_key_str(&j, "help", help.p);
        smi_json_key_str(&j, "advice", r->advice);
        smi_json_key_open(&j, "words", '[');
        while (w && *w)
            smi_json_str(&j, *w++);
        smi_json_close(&j, ']');
        smi_json_close(&j, '}');
    }
    smi_json_close(&j, ']');
    smi_buf_fini(&help);
    smi_buf_char(b, '\n');
}

static void list_schemas(struct smi_buf *b)
{
    const char *name;
    smi_buf_fmt(b, "%-8s %s\n", "SCHEMA", "OF");
    for (size_t i = 0; (name = smi_json_schema_name(i)); i++)
        smi_buf_fmt(b, "%-8s %s\n", name, smi_json_schema_help(i));
}

static void list_settings(struct smi_buf *b)
{
    const char *named = getenv("SMILOG_CONFIG"), *no_color = getenv("NO_COLOR");
    struct smi_settings defaults;
    struct smi_buf value = {0}; /* of an option that nobody set */
    smi_settings_init(&defaults);
    smi_buf_fmt(b, "settings file: %s%s\n\n%-15s %-22s %s\n",
                smi_settings_file_path() ? smi_settings_file_path() : "none",
                named ? " ($SMILOG_CONFIG)" : "", "SETTING", "VALUE", "FROM");
    for (const struct smi_opt *o = NULL; (o = smi_opt_next(&smi_settings_file, o));) {
        const struct smi_file_setting *s = smi_settings_file_find(o->name);
        if (!(o->kind & SMI_OPT_SETTABLE))
            continue;
        const bool plain = no_color && *no_color && strcmp(o->name, "color") == 0;
        smi_buf_clear(&value);
        smi_opt_write_value(&value, o, &defaults);
        smi_buf_fmt(b, "%-15s %-22s %s\n", o->name,
                    s         ? s->text
                    : plain   ? "never"
                    : value.n ? value.p
                              : "-",
                    s       ? s->where
                    : plain ? "$NO_COLOR"
                            : "default");
    }
    smi_buf_fini(&value);
    smi_settings_fini(&defaults);
}

static const struct {
    const char *name;
    void (*print)(struct smi_buf *b);
    void (*json)(struct smi_buf *b); /* or NULL */
} topics[] = {{"metrics", list_metrics, NULL},        {"formats", list_formats, NULL},
              {"outputs", list_outputs, NULL},        {"columns", list_columns, NULL},
              {"rules", list_rules, list_rules_json}, {"alerts", list_rules, list_rules_json},
              {"schema", list_schemas, NULL},         {"settings", list_settings, NULL}};

enum { TOPICS = sizeof topics / sizeof *topics };

int smi_command_list(int argc, char **argv)
{
    struct smi_err err = {0};
    struct smi_list_settings set = {0};
    struct smi_buf b = {0};
    const char *name, *near;
    int i = 0, rc = smi_opt_begin(&smi_commands[SMI_COMMAND_LIST], &argc, argv, &set);
    if (rc >= 0)
        return rc;
    if (argc == 3 && strcmp(argv[1], "schema") == 0) {
        for (size_t k = 0; !b.n && (name = smi_json_schema_name(k)); k++)
            if (strcmp(name, argv[2]) == 0)
                smi_json_schema_write(&b, k);
        if (!b.n)
            smi_err_set(&err, SMI_EUSAGE, "there is no schema %.60s; smilog list schema lists them", argv[2]);
    } else if (argc != 2) {
        smi_err_set(&err, SMI_EUSAGE,
                    "list needs one of metrics, formats, outputs, columns, rules, alerts, schema, settings");
    } else {
        while (i < TOPICS && strcmp(topics[i].name, argv[1]) != 0)
            i++;
        near = smi_text_nearest(argv[1], topics, sizeof *topics, TOPICS);
        if (i == TOPICS)
            smi_err_set(&err, SMI_EUSAGE, "there is no list of %.60s%s%s%s", argv[1],
                        near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
        else if (set.json && !topics[i].json)
            smi_err_set(&err, SMI_EUSAGE, "list %s has no --json", argv[1]);
        else if (strcmp(argv[1], "settings") != 0 || smi_settings_file_load(&err) == 0)
            (set.json ? topics[i].json : topics[i].print)(&b);
    }
    return err.code ? smi_fail(&err, "list") : smi_print(&b);
}
