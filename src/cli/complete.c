#include "cli/complete.h"
#include "cli/commands.h"
#include "export/export.h"
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

static const char *target_prefix(size_t i)
{
    return smi_targets[i] ? smi_targets[i]->prefix : NULL;
}

/* What the tables call values of each kind, and where their words come from. */
static const struct {
    const char *arg;
    enum smi_value_kind kind;
    const void
        *names; /* n of them, stride bytes apart, each beginning with a const char * (NULL ends them), */
    size_t stride, n;
    const char *(*name)(size_t i); /* or name i, NULL behind the last, */
    unsigned of;                   /* or the outputs that are of one of these */
} known[] = {
    {"FILE", SMI_VALUE_FILE, .n = 0},
    {"FILE[:KEY]", SMI_VALUE_FILE, .n = 0},
    {"OUT", SMI_VALUE_FILE, .n = 0},
    {"DIR", SMI_VALUE_DIRECTORY, .n = 0},
    {"PROGRAM", SMI_VALUE_PROGRAM, .n = 0},
    {"OUTPUT", SMI_VALUE_WORDS, .of = SMI_OUTPUT_NUMBERS},
    {"PAGE", SMI_VALUE_WORDS, .of = SMI_OUTPUT_PAGES},
    {"FORMAT", SMI_VALUE_WORDS, smi_format_infos, sizeof *smi_format_infos, SMI_FMT_COUNT, NULL, 0},
    {"METRIC", SMI_VALUE_WORDS, smi_metrics, sizeof *smi_metrics, SMI_METRIC_COUNT, NULL, 0},
    {"TARGET", SMI_VALUE_PREFIX, .name = target_prefix},
    {"COMMAND", SMI_VALUE_WORDS, smi_commands, sizeof *smi_commands, SIZE_MAX, NULL, 0},
    {"EXPR", SMI_VALUE_WORDS, smi_run_fields, sizeof *smi_run_fields, SMI_RUN_FIELDS, NULL, 0},
    {"COL,...", SMI_VALUE_LIST, smi_run_fields, sizeof *smi_run_fields, SMI_RUN_FIELDS, NULL, 0},
    {"[-]COL,...", SMI_VALUE_LIST, smi_run_fields, sizeof *smi_run_fields, SMI_RUN_FIELDS, NULL, 0},
    {"FIELD,...", SMI_VALUE_LIST, .name = smi_column_query_name},
};

/* The words of row k of the table. */
static void add_known_words(struct smi_buf *to, size_t k)
{
    const char *name;
    for (size_t i = 0; i < known[k].n; i++) {
        memcpy(&name, (const char *)known[k].names + i * known[k].stride, sizeof name);
        if (!name)
            break;
        add_word(to, name);
    }
    for (size_t i = 0; known[k].name && (name = known[k].name(i)); i++)
        add_word(to, name);
    for (const struct smi_output *o = smi_outputs; o->name; o++)
        if (o->of & known[k].of)
            add_word(to, o->name);
}

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
            add_known_words(&v.words, i);
            return v;
        }
    if (arg && strchr(arg, '|')) {
        v.kind = SMI_VALUE_WORDS;
        add_literal_words(&v.words, arg);
    }
    return v;
}

void smi_values_write(struct smi_buf *to, struct smi_values v, const char *const form[SMI_VALUE_KINDS])
{
    const char *text = form[v.kind], *place = strchr(text, '%');
    if (place)
        smi_buf_fmt(to, "%.*s%s%s", (int)(place - text), text, v.words.p ? v.words.p : "", place + 1);
    else
        smi_buf_str(to, text);
    smi_buf_fini(&v.words);
}
