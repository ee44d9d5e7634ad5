/* option.h - commands and their options as tables of rows; parsing, help and "did you mean" come from the
 * rows. */
#pragma once

#include "base/buf.h"
#include "base/err.h"

#define SMI_STRICT_HELP                                                                                \
    "Exit with status 1 if a row or a file could not be used, or GPUs could not be told apart; a cut " \
    "last line alone does not count"

/* What the shell gets. */
enum smi_exit {
    SMI_EXIT_OK = 0,
    SMI_EXIT_WARNING = 1, /* --strict, and something was doubtful */
    SMI_EXIT_BROKEN = 1,  /* check: a limit is broken */
    SMI_EXIT_USAGE = 2,
    SMI_EXIT_NOTHING = 3,     /* no usable input at all, or a PATH that cannot be opened */
    SMI_EXIT_OUTPUT = 4,      /* the output could not be written, or live --once has none */
    SMI_EXIT_UNMEASURABLE = 5 /* check: no limit is broken, but a run has no value for one */
};

enum smi_opt_kind {
    SMI_OPT_FLAG,  /* bool: becomes true */
    SMI_OPT_TEXT,  /* const char * */
    SMI_OPT_LIST,  /* struct smi_buf: given again, the words come behind a comma */
    SMI_OPT_COUNT, /* int from 1 on */
    SMI_OPT_MICRO, /* int64_t: millionths, not negative */
    SMI_OPT_WORD,  /* int: place of the word in arg, which reads "auto|dir|file" */
    SMI_OPT_EACH,  /* struct smi_buf: given again, the words come behind each other, each with its NUL */
    SMI_OPT_SETTABLE = 16 /* beside one of these: the settings file may have it */
};

struct smi_opt {
    const char *name; /* without the dashes; NULL ends the table */
    char letter;      /* its short form, or 0 */
    unsigned kind;    /* an smi_opt_kind, and SMI_OPT_SETTABLE */
    size_t offset;    /* of its field in the command's settings */
    const char *arg;  /* what the help calls its value; NULL for flags */
    const char *help;
    const char *of; /* the groups that have it, a letter each */
};

static inline enum smi_opt_kind smi_opt_kind(const struct smi_opt *o)
{
    return (enum smi_opt_kind)(o->kind & ~(unsigned)SMI_OPT_SETTABLE);
}

/* A command. man/ has its help, notes and examples (SMI_MAN_HELP). */
struct smi_cmd {
    const char *name, *args; /* args: as the usage line shows them */
    const char *takes;       /* kind of its words, as an option's arg: FILE, COMMAND, a|b; or NULL */
    const char *brief;       /* one line, for the list of commands */
    const char *groups;      /* of its options, a letter each (option.def) */
    bool rest;               /* the first word that is no option ends them: the rest is another command's */
    int (*run)(int argc, char **argv); /* argv[0] is the command's name; returns an smi_exit */
};

/* --help, which every command has beside its tables. */
extern const struct smi_opt smi_opt_of_help;

/* The option of the command behind o, group by group; the first if o is NULL; NULL at the end. */
const struct smi_opt *smi_opt_next(const struct smi_cmd *cmd, const struct smi_opt *o);
/* The option of the command with this letter, or with this name if letter is 0; or NULL. */
const struct smi_opt *smi_opt_find(const struct smi_cmd *cmd, struct smi_text name, char letter);
/* The name of its option that is nearest to word (smi_text_nearest), of those with this flag (0: any). */
const char *smi_opt_nearest(const struct smi_cmd *cmd, const char *word, unsigned flag);

/* If an earlier version had this command or option ("subtrack", "--name"): returns -1 with err, which names
 * what to use instead. Returns 0 if not. */
int smi_opt_fail_removed(const char *name, struct smi_err *err);

/* Reads argv into the fields of settings, which keep their values where no option names them. The words that
 * are no options come out at the front of argv (from 1 on), *argc of them with argv[0]; "--" ends options.
 * Options that are not typed have the values of the settings file.
 * Returns 0; 1 if --help was asked for; -1 with err SMI_EUSAGE. */
int smi_opt_parse(const struct smi_cmd *cmd, int *argc, char **argv, void *settings, struct smi_err *err);

/* Gives the option the value that is typed behind it (of a flag: NULL). Returns 0, or -1 with err SMI_EUSAGE.
 */
int smi_opt_set(const struct smi_opt *o, const char *value, void *settings, struct smi_err *err);

/* As smi_opt_parse, and prints the help or the error. Returns -1 to go on, else the smi_exit to end with. */
int smi_opt_begin(const struct smi_cmd *cmd, int *argc, char **argv, void *settings);

/* Appends the value that an option has in settings, quoted for a shell; nothing if there is none. */
void smi_opt_write_value(struct smi_buf *to, const struct smi_opt *o, const void *settings);

/* Appends " --name value" for every option of these groups whose field is not as in defaults, quoted for a
 * shell: what makes the same result again. */
void smi_opt_write_given(struct smi_buf *to, const char *groups, const void *settings, const void *defaults);

/* Appends a word as a shell takes it back. */
void smi_opt_quote(struct smi_buf *to, const char *word, size_t n);

/* Prints usage, examples and options. Returns an smi_exit. */
int smi_opt_print_help(const struct smi_cmd *cmd);

/* Prints "smilog: text" on standard error and gives the exit code for err; after an error of usage also which
 * help to try: that of the command cmd, of smilog itself for "", none for NULL. */
int smi_fail(const struct smi_err *err, const char *cmd);
/* The same, but appends the text to b. */
int smi_fail_text(struct smi_buf *b, const struct smi_err *err, const char *cmd);
/* Writes text to standard error, and ends b. */
void smi_tell(struct smi_buf *b);
/* Appends "smilog: warning: text", safe, as a line. */
void smi_add_warning(struct smi_buf *b, const char *text);
/* Writes text to standard output, and ends b. Returns an smi_exit. */
int smi_print(struct smi_buf *b);

/* ---- the table of commands ---- */

#define SMI_COMMAND(id, name, ...) SMI_COMMAND_##id,
enum smi_command {
#include "cli/command.def"
};
#define SMI_COMMAND(id, name, ...) int smi_command_##name(int argc, char **argv);
#include "cli/command.def"
extern const struct smi_cmd smi_commands[]; /* by smi_command; a NULL name ends it */

/* The command of that name, or NULL with err. */
const struct smi_cmd *smi_command_find(const char *name, struct smi_err *err);
/* Appends what smilog is for and the list of its commands. */
void smi_write_usage(struct smi_buf *to);
/* Appends what the last of n words behind "smilog" may become: a line "KIND AT", what the shell does behind
 * the first AT bytes of that word (for program: the number of the word with its name), then lines
 * "WORD<tab>HELP". Nothing if the first word is no command. */
void smi_complete(struct smi_buf *to, int n, char **words);

/* ---- man pages, from the tables of commands and options, the catalogue, and one text file a page (man/)
 * ---- */

/* The text files of man/, one behind the other, each behind a line "PAGE name", and the files of
 * completions/, all built into the program (scripts/build/embed.sh). */
extern const unsigned char smi_asset_man[], smi_asset_bash[], smi_asset_zsh[], smi_asset_fish[];
extern const size_t smi_asset_man_n, smi_asset_bash_n, smi_asset_zsh_n, smi_asset_fish_n;
extern const char smi_asset_man_hash[], smi_asset_bash_hash[], smi_asset_zsh_hash[], smi_asset_fish_hash[];

/* Sections of man/ that the help of a command has, too: what it does, in a sentence or more; paragraphs and
 * indented lines "term  text"; lines, each indented by two: command, two blanks or more, remark. */
#define SMI_MAN_HELP "HELP"
#define SMI_MAN_NOTES "HELP NOTES"
#define SMI_MAN_EXAMPLES "HELP EXAMPLES"
