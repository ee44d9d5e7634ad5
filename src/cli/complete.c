/* complete.c - smilog complete -- WORDS: the words that the last of WORDS may become, for completions/ */
#include "cli/option.h"
#include "export/export.h"
#include "formats/column.h"
#include "report/output.h"

static const char *target_prefix(size_t i)
{
    return smi_targets[i] ? smi_targets[i]->prefix : NULL;
}

/* What the shell does behind the first `at` characters of the word. */
static const char FILES[] = "files", DIRECTORIES[] = "directories", PROGRAM[] = "program",
                  WORDS[] = "words", /* offers the words of the lines below */
    PARTS[] = "parts";               /* the same, without a blank behind a word */

/* What the tables call values (struct smi_opt.arg), what the shell does for them, and where words come from.
 */
static const struct {
    const char *arg, *kind;
    const void
        *names; /* n of them, stride bytes apart, each beginning with a const char * (NULL ends them), */
    size_t stride, n;
    const char *(*name)(size_t i); /* or name i, NULL behind the last, */
    unsigned of;                   /* or the outputs that are of one of these */
    bool list;                     /* words with commas between; a - may stand before the first */
} known[] = {
    {.arg = "FILE", .kind = FILES},
    {.arg = "FILE[:KEY]", .kind = FILES},
    {.arg = "OUT", .kind = FILES},
    {.arg = "DIR", .kind = DIRECTORIES},
    {.arg = "OUTPUT", .kind = WORDS, .of = SMI_OUTPUT_NUMBERS},
    {.arg = "PAGE", .kind = WORDS, .of = SMI_OUTPUT_PAGES},
    {"FORMAT", WORDS, smi_format_infos, sizeof *smi_format_infos, SMI_FMT_COUNT, NULL, 0, false},
    {"METRIC", WORDS, smi_metrics, sizeof *smi_metrics, SMI_METRIC_COUNT, NULL, 0, false},
    {.arg = "TARGET", .kind = PARTS, .name = target_prefix},
    {"COMMAND", WORDS, smi_commands, sizeof *smi_commands, SIZE_MAX, NULL, 0, false},
    {"EXPR", WORDS, smi_run_fields, sizeof *smi_run_fields, SMI_RUN_FIELDS, NULL, 0, false},
    {"COL,...", PARTS, smi_run_fields, sizeof *smi_run_fields, SMI_RUN_FIELDS, NULL, 0, true},
    {"[-]COL,...", PARTS, smi_run_fields, sizeof *smi_run_fields, SMI_RUN_FIELDS, NULL, 0, true},
    {.arg = "FIELD,...", .kind = PARTS, .name = smi_column_query_name, .list = true},
};

static void begin(struct smi_buf *to, const char *kind, size_t at)
{
    smi_buf_fmt(to, "%s %zu\n", kind, at);
}

/* Offers name if the word goes on with it behind its first `at` characters. */
static void offer(struct smi_buf *to, const char *word, size_t at, struct smi_text name, const char *help)
{
    const size_t n = strlen(word + at);
    if (n <= name.n && memcmp(word + at, name.p, n) == 0)
        smi_buf_fmt(to, "%.*s%.*s\t%s\n", (int)at, word, (int)name.n, name.p, help);
}

/* The values of row k of the table. */
static void offer_known(struct smi_buf *to, size_t k, const char *word, size_t at)
{
    const char *name, *comma = known[k].list ? strrchr(word + at, ',') : NULL,
                      *colon = strchr(word + at, ':');
    if (comma)
        at = (size_t)(comma - word) + 1;
    else if (known[k].list && word[at] == '-')
        at++;
    if (known[k].name == target_prefix && colon) { /* sqlite:FILE */
        begin(to, FILES, (size_t)(colon - word) + 1);
        return;
    }
    begin(to, known[k].kind, at);
    for (size_t i = 0; i < known[k].n; i++) {
        memcpy(&name, (const char *)known[k].names + i * known[k].stride, sizeof name);
        if (!name)
            break;
        offer(to, word, at, smi_text_of(name), "");
    }
    for (size_t i = 0; known[k].name && (name = known[k].name(i)); i++)
        offer(to, word, at, smi_text_of(name), "");
    for (const struct smi_output *o = smi_outputs; o->name; o++)
        if (o->of & known[k].of)
            offer(to, word, at, smi_text_of(o->name), o->help);
}

/* The values of arg ("FILE", "auto|dir"; NULL: none). */
static void offer_values(struct smi_buf *to, const char *arg, const char *word, size_t at)
{
    for (size_t k = 0; arg && k < sizeof known / sizeof *known; k++)
        if (strcmp(known[k].arg, arg) == 0) {
            offer_known(to, k, word, at);
            return;
        }
    begin(to, WORDS, at);
    arg = arg && strchr(arg, '|') ? arg : "";
    while (*arg) {
        const size_t n = strcspn(arg, "|");
        if (*arg < 'A' || *arg > 'Z') /* "N|all": N stands for a number */
            offer(to, word, at, (struct smi_text){arg, n}, "");
        arg += n + (arg[n] != 0);
    }
}

static void offer_options(struct smi_buf *to, const struct smi_cmd *cmd, const char *word)
{
    begin(to, WORDS, 0);
    if (word[1] && word[1] != '-')
        return;
    word = word[1] ? word : "--";
    for (const struct smi_opt *o = NULL; (o = smi_opt_next(cmd, o));)
        offer(to, word, 2, smi_text_of(o->name), o->help);
    offer(to, word, 2, smi_text_of(smi_opt_of_help.name), smi_opt_of_help.help);
}

/* The option with a value that the word names, or NULL. *at: where its value begins, or 0: it is the next
 * word. */
static const struct smi_opt *find_option(const struct smi_cmd *cmd, const char *word, size_t *at)
{
    const bool is_long = word[1] == '-';
    const size_t n = is_long ? strcspn(word, "=") : 2;
    const struct smi_opt *o = smi_opt_find(cmd, (struct smi_text){word + 2, n - 2}, is_long ? 0 : word[1]);
    *at = word[n] ? n + is_long : 0;
    return o && o->arg ? o : NULL;
}

/* Completes the last of the n words behind the name of a command. */
static void complete_argument(struct smi_buf *to, const struct smi_cmd *cmd, int n, char **words)
{
    const struct smi_opt *o = NULL; /* its value is the next word */
    const char *word = words[0];
    bool ended = false;
    size_t at = 0;
    for (int i = 0; i < n; i++) {
        const bool is_value = o != NULL, is_option = !is_value && !ended && *words[i] == '-';
        word = words[i];
        if (cmd->rest && !is_value && !is_option) {
            begin(to, PROGRAM, (size_t)i + 1);
            return;
        }
        if (i == n - 1)
            break;
        o = is_option && word[1] ? find_option(cmd, word, &at) : NULL;
        o = at ? NULL : o;
        ended |= is_option && strcmp(word, "--") == 0;
    }
    if (o) {
        offer_values(to, o->arg, word, 0);
        return;
    }
    if (*word != '-' || ended) {
        offer_values(to, cmd->takes, word, 0);
        return;
    }
    o = word[1] ? find_option(cmd, word, &at) : NULL;
    if (o && at)
        offer_values(to, o->arg, word, at);
    else
        offer_options(to, cmd, word);
}

void smi_complete(struct smi_buf *to, int n, char **words)
{
    const struct smi_cmd *cmd = n > 1 ? smi_command_find(words[0], &(struct smi_err){0}) : NULL;
    if (cmd)
        complete_argument(to, cmd, n - 1, words + 1);
    if (n != 1)
        return;
    begin(to, WORDS, 0);
    for (const struct smi_cmd *c = smi_commands; c->name; c++)
        offer(to, words[0], 0, smi_text_of(c->name), c->brief);
    offer(to, words[0], 0, smi_text_of("--help"), smi_opt_of_help.help);
    offer(to, words[0], 0, smi_text_of("--version"), "");
}
