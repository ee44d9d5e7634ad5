/* command_subtrack.c - gpu_tracker's sub-tracking: many files to one, what blocks of code used, sessions side
 * by side. */
#include "base/file.h"
#include "base/json_load.h"
#include "cli/write_result.h"
#include "cli/option.h"
#include "process/subtrack.h"

#include <stddef.h>
#include <string.h>

struct settings {
    const char *output, *track, *rows, *config;
    struct smi_buf sessions; /* NAME=PATH, each with its NUL */
    int form, stat;          /* -1: not given */
    bool json, quiet, strict;
};

#define AT(field) offsetof(struct settings, field)

static const struct smi_opt voice[] = {
    {"format", 'f', SMI_OPT_WORD, AT(form), "text|json",
     "Output format (default: json if FILE ends in .json, else text)"},
    {"json", 0, SMI_OPT_FLAG, AT(json), NULL, "The same as --format json"},
    {"output", 'o', SMI_OPT_TEXT, AT(output), "FILE", "Write to FILE instead of standard output"},
    {"quiet", 'q', SMI_OPT_FLAG, AT(quiet), NULL, "Print no warnings"},
    {"strict", 0, SMI_OPT_FLAG, AT(strict), NULL,
     "Exit with status 1 if there is a warning; a cut last line alone does not count"},
    {NULL, 0, SMI_OPT_FLAG, 0, NULL, NULL},
};
static const struct smi_opt of_combine[] = {
    {"output", 'o', SMI_OPT_TEXT, AT(output), "OUT", "File to create, .csv or .sqlite; it must not exist"},
    {"stf", 0, SMI_OPT_TEXT, AT(output), "OUT", "gpu_tracker's name for --output"},
    {"quiet", 'q', SMI_OPT_FLAG, AT(quiet), NULL, "Print no warnings"},
    {"strict", 0, SMI_OPT_FLAG, AT(strict), NULL,
     "Exit with status 1 if there is a warning; a cut last line alone does not count"},
    {NULL, 0, SMI_OPT_FLAG, 0, NULL, NULL},
};
static const struct smi_opt of_analyze[] = {
    {"tracking-file", 0, SMI_OPT_TEXT, AT(track), "FILE", "Samples of the session (gpu_tracker --tf)"},
    {"subtracking-file", 0, SMI_OPT_TEXT, AT(rows), "FILE", "Begin and end of code blocks; see combine"},
    {"tf", 0, SMI_OPT_TEXT, AT(track), "FILE", "gpu_tracker's name for --tracking-file"},
    {"stf", 0, SMI_OPT_TEXT, AT(rows), "FILE", "gpu_tracker's name for --subtracking-file"},
    {NULL, 0, SMI_OPT_FLAG, 0, NULL, NULL},
};
static const struct smi_opt of_compare[] = {
    {"map", 'm', SMI_OPT_EACH, AT(sessions), "NAME=FILE",
     "A session: output of analyze --format json. Repeat it for each session"},
    {"stat", 0, SMI_OPT_WORD, AT(stat), "min|max|mean|std", "Statistic to compare (default mean)"},
    {"config", 0, SMI_OPT_TEXT, AT(config), "FILE",
     "{\"file_path_map\": {NAME: FILE, ...}, \"statistic\": \"max\"}; -m adds to it, --stat wins"},
    {"cconfig", 0, SMI_OPT_TEXT, AT(config), "FILE", "gpu_tracker's name for --config"},
    {NULL, 0, SMI_OPT_FLAG, 0, NULL, NULL},
};

static const struct smi_cmd combine = {
    .name = "subtrack combine",
    .args = "-o OUT FILE...",
    .takes = "FILE",
    .opts = (const struct smi_opt *const[]){of_combine, NULL},
};
static const struct smi_cmd analyze = {
    .name = "subtrack analyze",
    .args = "--tracking-file FILE --subtracking-file FILE ...",
    .opts = (const struct smi_opt *const[]){of_analyze, voice, NULL},
};
static const struct smi_cmd compare = {
    .name = "subtrack compare",
    .args = "-m NAME=FILE... [OPTION]...",
    .opts = (const struct smi_opt *const[]){of_compare, voice, NULL},
};

static int run(int argc, char **argv);

const struct smi_cmd smi_cmd_subtrack = {
    .name = "subtrack",
    .args = "combine|analyze|compare [OPTION]... [FILE]...",
    .brief = "Report what blocks of code used (gpu_tracker)",
    .opts = (const struct smi_opt *const[]){NULL},
    .words = (const struct smi_cmd *const[]){&combine, &analyze, &compare, NULL},
    .run = run,
};

/* ---- in and out ---- */

/* Says what went wrong while files were read. Returns an smi_exit. */
static int fail_reading(const struct smi_err *err)
{
    int rc = smi_fail(err, NULL);
    return err->code == SMI_ENOMEM || err->code == SMI_EUSAGE ? rc : SMI_EXIT_NOTHING;
}

/* Prints the warnings, and ends them. Returns the status that they ask for. */
static int print_subtrack_warnings(struct smi_sub_warnings *notes, const struct settings *set)
{
    struct smi_buf b = {0};
    int rc = notes->n > notes->torn && set->strict ? SMI_EXIT_WARNING : SMI_EXIT_OK;
    for (const char *p = notes->text.p; notes->n && !set->quiet; p += strlen(p) + 1, notes->n--)
        smi_add_warning(&b, p);
    smi_tell(&b);
    smi_buf_fini(&notes->text);
    return rc;
}

/* What is written must be none of what is read. */
static int check_subtrack_overwrite(const struct settings *set, const char *path, struct smi_err *err)
{
    if (smi_is_same_file(set->output, path))
        return smi_err_set(err, SMI_EUSAGE, "-o %.300s: is an input of this command", set->output);
    return 0;
}

static bool wants_json(const struct settings *set)
{
    size_t n = set->output ? strlen(set->output) : 0;
    return set->json || set->form == 1 ||
           (set->form < 0 && n > 5 && strcmp(set->output + n - 5, ".json") == 0);
}

/* Writes the text, and ends it. Returns an smi_exit. */
static int write_subtrack_output(struct smi_buf *text, const struct settings *set)
{
    return smi_write_text(text, &(struct smi_settings){.output = set->output});
}

static int check_output(const struct settings *set, struct smi_err *err)
{
    if (set->output && !*set->output)
        return smi_err_set(err, SMI_EUSAGE, "-o: the name of the file is empty: a variable that is not set?");
    if (set->json && set->form == 0)
        return smi_err_set(err, SMI_EUSAGE, "--json and --format text contradict each other");
    return 0;
}

/* ---- combine ---- */

static int run_combine(int argc, char **argv, struct settings *set)
{
    struct smi_sub_rows rows = {0};
    struct smi_sub_warnings notes = {0};
    struct smi_err err = {0};
    int rc = check_output(set, &err), doubt;
    if (!rc && !set->output)
        rc = smi_err_set(&err, SMI_EUSAGE, "combine needs -o OUT: the file to make");
    if (!rc && argc < 2)
        rc = smi_err_set(&err, SMI_EUSAGE, "combine needs the files to combine, or their directory");
    if (rc || smi_sub_rows_check(set->output, &err))
        return smi_fail(&err, "subtrack");
    rc = smi_sub_rows_collect(&rows, (const char *const *)argv + 1, (size_t)argc - 1, &notes, &err);
    doubt = print_subtrack_warnings(&notes, set);
    if (rc)
        rc = fail_reading(&err);
    else if (smi_sub_rows_write(&rows, set->output, &err))
        rc = smi_fail(&err, NULL);
    smi_sub_rows_fini(&rows);
    return rc ? rc : doubt;
}

/* ---- analyze ---- */

static int analyze_files(const struct settings *set, struct smi_sub_track *track, struct smi_sub_rows *rows)
{
    struct smi_sub_results found = {0};
    struct smi_sub_warnings notes = {0};
    struct smi_err err = {0};
    struct smi_buf text = {0};
    int rc = smi_sub_track_read(track, set->track, &notes, &err) ||
             smi_sub_rows_read(rows, set->rows, &notes, &err) ||
             smi_sub_analyze(&found, track, rows, set->rows, &err),
        doubt = print_subtrack_warnings(&notes, set);
    if (rc) {
        rc = fail_reading(&err);
    } else {
        (wants_json(set) ? smi_sub_json : smi_sub_text)(&text, &found);
        rc = write_subtrack_output(&text, set);
    }
    smi_sub_results_fini(&found);
    return rc ? rc : doubt;
}

static int run_analyze(int argc, char **argv, struct settings *set)
{
    struct smi_sub_track track = {0};
    struct smi_sub_rows rows = {0};
    struct smi_err err = {0};
    int rc = check_output(set, &err);
    if (!rc && argc > 1)
        rc =
            smi_err_set(&err, SMI_EUSAGE, "analyze takes its files by options: what is \"%.100s\"?", argv[1]);
    if (!rc && (!set->track || !set->rows))
        rc = smi_err_set(&err, SMI_EUSAGE, "analyze needs %s FILE",
                         set->track ? "--subtracking-file" : "--tracking-file");
    if (!rc && strcmp(set->track, "-") == 0 && strcmp(set->rows, "-") == 0)
        rc = smi_err_set(&err, SMI_EUSAGE, "standard input can be one of the files only");
    if (rc || check_subtrack_overwrite(set, set->track, &err) ||
        check_subtrack_overwrite(set, set->rows, &err))
        return smi_fail(&err, "subtrack");
    rc = analyze_files(set, &track, &rows);
    smi_sub_track_fini(&track);
    smi_sub_rows_fini(&rows);
    return rc;
}

/* ---- compare ---- */

/* The sessions of --config and -m, each name once: {NAME: PATH}. */
static int add_session(json_t *map, const char *name, const char *path, struct smi_err *err)
{
    return json_object_set_new(map, name, json_string(path)) ? smi_err_nomem(err) : 0;
}

static int read_subtrack_config(struct settings *set, json_t *map, struct smi_err *err)
{
    json_t *config, *files, *path;
    const char *key, *word;
    int rc = smi_json_load_file("--config", set->config, &config, err), i = 0;
    if (rc)
        return rc;
    files = json_object_get(config, "file_path_map");
    word = json_string_value(json_object_get(config, "statistic"));
    if (json_object_get(config, "file_path_map") && !json_is_object(files))
        rc = smi_err_set(err, SMI_EUSAGE, "--config %.200s: file_path_map is no object", set->config);
    json_object_foreach (files, key, path)
        if (!rc && !json_is_string(path))
            rc = smi_err_set(err, SMI_EUSAGE, "--config %.200s: the path of %.60s is no text", set->config,
                             key);
        else if (!rc)
            rc = add_session(map, key, json_string_value(path), err);
    while (word && i < SMI_SUB_STATS && strcmp(word, smi_sub_stats[i]) != 0)
        i++;
    if (!rc && json_object_get(config, "statistic") && (!word || i == SMI_SUB_STATS))
        rc = smi_err_set(err, SMI_EUSAGE, "--config %.200s: statistic is one of min, max, mean, std%s%.60s",
                         set->config, word ? ", not " : "", word ? word : "");
    if (set->stat < 0 && word)
        set->stat = i;
    json_decref(config);
    return rc;
}

static int read_subtrack_sessions(struct settings *set, json_t *map, struct smi_err *err)
{
    char *word, *eq;
    for (size_t at = 0, next; at < set->sessions.n; at = next) {
        word = set->sessions.p + at;
        next = at + strlen(word) + 1;
        eq = strchr(word, '=');
        if (!eq || eq == word || !eq[1])
            return smi_err_set(err, SMI_EUSAGE, "-m needs NAME=FILE, not \"%.100s\"", word);
        *eq = 0;
        if (!smi_text_is_utf8(smi_text_of(word)) || !smi_text_is_utf8(smi_text_of(eq + 1)))
            return smi_err_set(err, SMI_EUSAGE, "-m %.100s: is not UTF-8", word);
        if (add_session(map, word, eq + 1, err))
            return -1;
    }
    return 0;
}

static int compare_files(const struct settings *set, json_t *map)
{
    struct smi_sub_comparison c = {0};
    struct smi_sub_warnings notes = {0};
    struct smi_err err = {0};
    struct smi_buf text = {0};
    const char *name;
    json_t *path;
    int rc = 0, doubt;
    json_object_foreach (map, name, path)
        rc = rc ? rc : smi_sub_session_read(&c, name, json_string_value(path), &err);
    rc = rc || smi_sub_match(&c, &notes, &err);
    doubt = print_subtrack_warnings(&notes, set);
    if (rc) {
        rc = fail_reading(&err);
    } else {
        (wants_json(set) ? smi_sub_compare_json : smi_sub_compare_text)(&text, &c,
                                                                        (enum smi_sub_stat)set->stat);
        rc = write_subtrack_output(&text, set);
    }
    smi_sub_comparison_fini(&c);
    return rc ? rc : doubt;
}

static int run_compare(int argc, char **argv, struct settings *set)
{
    struct smi_err err = {0};
    json_t *map = json_object(), *path;
    const char *name;
    int rc = map ? check_output(set, &err) : smi_err_nomem(&err);
    if (!rc && argc > 1)
        rc = smi_err_set(&err, SMI_EUSAGE, "compare takes its files as -m NAME=FILE: what is \"%.100s\"?",
                         argv[1]);
    rc = rc ? rc : set->config ? read_subtrack_config(set, map, &err) : 0;
    rc = rc ? rc : read_subtrack_sessions(set, map, &err);
    if (!rc && !json_object_size(map))
        rc = smi_err_set(&err, SMI_EUSAGE, "compare needs sessions: -m NAME=FILE, for each");
    json_object_foreach (map, name, path)
        rc = rc ? rc : check_subtrack_overwrite(set, json_string_value(path), &err);
    rc = rc ? rc : check_subtrack_overwrite(set, set->config, &err);
    set->stat = set->stat < 0 ? SMI_SUB_MEAN : set->stat;
    rc = rc ? smi_fail(&err, "subtrack") : compare_files(set, map);
    json_decref(map);
    return rc;
}

/* ---- the words ---- */

static const struct {
    const char *name;
    const struct smi_cmd *cmd;
    int (*run)(int argc, char **argv, struct settings *set);
} words[] = {
    {"combine", &combine, run_combine},
    {"analyze", &analyze, run_analyze},
    {"compare", &compare, run_compare},
};

enum { WORDS = sizeof words / sizeof *words };

static int run_subtrack_command(int i, int argc, char **argv)
{
    struct settings set = {.form = -1, .stat = -1};
    struct smi_err err = {0};
    int rc = smi_opt_parse(words[i].cmd, &argc, argv, &set, &err);
    if (rc > 0)
        rc = smi_opt_print_help(words[i].cmd);
    else
        rc = rc ? smi_fail(&err, "subtrack") : words[i].run(argc, argv, &set);
    smi_buf_fini(&set.sessions);
    return rc;
}

static int run(int argc, char **argv)
{
    struct smi_err err = {0};
    const char *word = argc > 1 ? argv[1] : NULL, *near;
    if (word && (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0))
        return smi_opt_print_help(&smi_cmd_subtrack);
    for (int i = 0; word && i < WORDS; i++)
        if (strcmp(words[i].name, word) == 0)
            return run_subtrack_command(i, argc - 1, argv + 1);
    near = word ? smi_text_nearest(word, words, sizeof *words, WORDS) : NULL;
    smi_err_set(&err, SMI_EUSAGE, "subtrack needs one of combine, analyze, compare%s%.60s%s%s%s",
                word ? ", not " : "", word ? word : "", near ? "; did you mean " : "", near ? near : "",
                near ? "?" : "");
    return smi_fail(&err, "subtrack");
}
