#include "cli/complete.h"
#include "cli/commands.h"
#include "export/targets.h"
#include "formats/column.h"
#include "model/field.h"
#include "model/format_info.h"
#include "model/metric.h"
#include "report/output.h"

#include <string.h>

static void add_word(struct smi_buf *to, const char *word)
{
    smi_buf_fmt(to, "%s%s", to->n ? " " : "", word);
}

static void add_outputs(struct smi_buf *to)
{
    for (const struct smi_output *o = smi_outputs; o->name; o++)
        if (o->of & SMI_OUTPUT_NUMBERS)
            add_word(to, o->name);
}

static void add_pages(struct smi_buf *to)
{
    for (const struct smi_output *o = smi_outputs; o->name; o++)
        if (o->of & SMI_OUTPUT_PAGES)
            add_word(to, o->name);
}

static void add_formats(struct smi_buf *to)
{
    for (int i = 0; i < SMI_FMT_COUNT; i++)
        add_word(to, smi_format_infos[i].name);
}

static void add_metrics(struct smi_buf *to)
{
    for (int i = 0; i < SMI_METRIC_COUNT; i++)
        add_word(to, smi_metrics[i].key);
}

static void add_columns(struct smi_buf *to)
{
    for (int i = 0; i < SMI_RUN_FIELDS; i++)
        add_word(to, smi_run_fields[i].key);
}

static void add_query_fields(struct smi_buf *to)
{
    const char *name;
    for (size_t i = 0; (name = smi_column_query_name(i)); i++)
        add_word(to, name);
}

static void add_targets(struct smi_buf *to)
{
    for (size_t i = 0; smi_targets[i]; i++)
        add_word(to, smi_targets[i]->prefix);
}

static void add_commands(struct smi_buf *to)
{
    for (const struct smi_command *c = smi_commands; c->name; c++)
        add_word(to, c->name);
}

/* What the tables call values of each kind. */
static const struct {
    const char *arg;
    enum smi_value_kind kind;
    void (*add)(struct smi_buf *to);
} known[] = {
    {"FILE", SMI_VALUE_FILE, NULL},
    {"FILE[:KEY]", SMI_VALUE_FILE, NULL},
    {"OUT", SMI_VALUE_FILE, NULL},
    {"DIR", SMI_VALUE_DIRECTORY, NULL},
    {"PROGRAM", SMI_VALUE_PROGRAM, NULL},
    {"OUTPUT", SMI_VALUE_WORDS, add_outputs},
    {"PAGE", SMI_VALUE_WORDS, add_pages},
    {"FORMAT", SMI_VALUE_WORDS, add_formats},
    {"METRIC", SMI_VALUE_WORDS, add_metrics},
    {"TARGET", SMI_VALUE_PREFIX, add_targets},
    {"COMMAND", SMI_VALUE_WORDS, add_commands},
    {"EXPR", SMI_VALUE_WORDS, add_columns},
    {"COL,...", SMI_VALUE_LIST, add_columns},
    {"[-]COL,...", SMI_VALUE_LIST, add_columns},
    {"FIELD,...", SMI_VALUE_LIST, add_query_fields},
};

/* The words of "N|all" that are typed as they stand: all. */
static void add_literal_words(struct smi_buf *to, const char *arg)
{
    while (*arg) {
        size_t n = strcspn(arg, "|");
        if (*arg < 'A' || *arg > 'Z')
            smi_buf_fmt(to, "%s%.*s", to->n ? " " : "", (int)n, arg);
        arg += n + (arg[n] != 0);
    }
}

struct smi_values smi_values_of(const char *arg)
{
    struct smi_values v = {SMI_VALUE_FREE, {0}};
    for (size_t i = 0; arg && i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].arg, arg) == 0) {
            v.kind = known[i].kind;
            if (known[i].add)
                known[i].add(&v.words);
            return v;
        }
    if (arg && strchr(arg, '|')) {
        v.kind = SMI_VALUE_WORDS;
        add_literal_words(&v.words, arg);
    }
    return v;
}
