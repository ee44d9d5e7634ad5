/* command_log.c - a line more in a RunLog, from any shell script. */
#include "base/mem.h"
#include "cli/option.h"
#include "live/recorder.h"

enum { FILE_AT = 1, WHAT_AT, NAME_AT };

/* The words come out at the front of argv, *argc of them. Options stand before the name of the phase or
 * event; behind it words may begin with a dash, and only --help is one. Returns as smi_opt_parse. */
static int parse_log_words(int *argc, char **argv, struct smi_err *err)
{
    int kept = 1, rc = 0;
    bool ended = false;
    for (int i = 1; i < *argc && !rc; i++) {
        char *word[] = {argv[0], argv[i], NULL};
        int two = 2;
        if (!ended && strcmp(argv[i], "--") == 0)
            ended = true;
        else if (!ended && argv[i][0] == '-' && argv[i][1] &&
                 (kept < NAME_AT || strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0))
            rc = smi_opt_parse(&smi_commands[SMI_COMMAND_LOG], &two, word, NULL, err);
        else
            argv[kept++] = argv[i];
    }
    *argc = kept;
    return rc;
}

/* "KEY=VALUE" or "KEY:=JSON"; the word is cut. */
static int parse_log_value(char *word, struct smi_runlog_value *v, struct smi_err *err)
{
    char *eq = strchr(word, '=');
    bool json = eq && eq > word && eq[-1] == ':';
    if (!eq || eq - json == word)
        return smi_err_set(err, SMI_EUSAGE, "log needs KEY=VALUE, not \"%.100s\"", word);
    eq[-json] = 0;
    *v = (struct smi_runlog_value){word, json ? SMI_RUNLOG_JSON : SMI_RUNLOG_WORD, eq + 1, 0, 0};
    return 0;
}

/* "41.2"; also ".5", as bc writes it, and "1e3". */
static int parse_log_seconds(const char *word, double *seconds, struct smi_err *err)
{
    if (smi_real_parse(smi_text_of(word), seconds) || *seconds < 0)
        return smi_err_set(err, SMI_EUSAGE, "a phase lasts 0 to 1000000000 seconds, not \"%.60s\"", word);
    return 0;
}

/* Returns whether it is a phase (1) or an event (0), or -1 with err. */
static int check_log_words(int argc, char **argv, struct smi_err *err)
{
    static const char *const whats[] = {"event", "phase"};
    const char *near;
    if (argc <= WHAT_AT)
        return smi_err_set(err, SMI_EUSAGE, "log needs FILE phase NAME SECONDS, or FILE event NAME");
    for (int i = 0; i < 2; i++)
        if (strcmp(argv[WHAT_AT], whats[i]) == 0)
            return argc > NAME_AT + i ? i
                                      : smi_err_set(err, SMI_EUSAGE, "log FILE %s needs %s", whats[i],
                                                    i ? "NAME SECONDS" : "NAME");
    near = smi_text_nearest(argv[WHAT_AT], whats, sizeof *whats, 2);
    return smi_err_set(err, SMI_EUSAGE, "behind FILE log needs phase or event, not \"%.60s\"%s%s%s",
                       argv[WHAT_AT], near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
}

/* The line that the words say, in `line`. */
static int compose_log_line(int argc, char **argv, struct smi_runlog_value *value, struct smi_buf *line,
                            struct smi_err *err)
{
    double seconds = 0;
    int phase = check_log_words(argc, argv, err), n = 0;
    if (phase < 0 || (phase && parse_log_seconds(argv[NAME_AT + 1], &seconds, err)))
        return -1;
    for (int i = NAME_AT + 1 + phase; i < argc; i++)
        if (parse_log_value(argv[i], &value[n++], err))
            return -1;
    return phase ? smi_runlog_put_phase(line, argv[NAME_AT], seconds, value, err)
                 : smi_runlog_put_event(line, argv[NAME_AT], value, err);
}

/* No file is made before all words are known to be good. */
static int append_log_line(int argc, char **argv, struct smi_err *err)
{
    struct smi_append to = {.fd = -1};
    struct smi_buf line = {0};
    struct smi_runlog_value *value = smi_mem_new((size_t)argc, sizeof *value);
    int rc = compose_log_line(argc, argv, value, &line, err);
    rc = rc ? rc : smi_runlog_open(&to, argv[FILE_AT], err);
    rc = smi_runlog_append(&to, &line, rc, err);
    smi_append_close(&to);
    smi_mem_free(value);
    return rc;
}

int smi_command_log(int argc, char **argv)
{
    struct smi_err err = {0};
    int rc = parse_log_words(&argc, argv, &err);
    if (rc > 0)
        return smi_opt_print_help(&smi_commands[SMI_COMMAND_LOG]);
    rc = rc ? rc : append_log_line(argc, argv, &err);
    return rc ? smi_fail(&err, "log") : SMI_EXIT_OK;
}
