/* complete.h - completions for shells, from the tables of commands and options. */
#ifndef SMI_CLI_COMPLETE_H
#define SMI_CLI_COMPLETE_H

#include "cli/option.h"

/* What can stand where the help says FILE, COL,... or a|b: of an option or of a command's own words. */
enum smi_value_kind {
    SMI_VALUE_FREE, /* anything: nothing is offered */
    SMI_VALUE_FILE,
    SMI_VALUE_DIRECTORY,
    SMI_VALUE_PROGRAM, /* a command of the shell, with its own words behind it */
    SMI_VALUE_WORDS,   /* one of `words` */
    SMI_VALUE_PREFIX,  /* one of `words`, which end in a colon or slash, and a file behind it */
    SMI_VALUE_LIST,    /* some of `words`, with commas between; a - may stand in front of the first */
    SMI_VALUE_KINDS
};
struct smi_values {
    enum smi_value_kind kind;
    struct smi_buf words; /* "table json csv" */
};

/* The values of arg ("FILE", "a|b"; NULL: none). End them with smi_buf_fini(&v.words). */
struct smi_values smi_values_of(const char *arg);
/* Appends what a shell has for the kind of v, with the words in the place of its %, and ends v. */
void smi_values_write(struct smi_buf *to, struct smi_values v, const char *const form[SMI_VALUE_KINDS]);

/* Appends the completions of smilog for bash, zsh or fish. */
void smi_complete_bash(struct smi_buf *to);
void smi_complete_zsh(struct smi_buf *to);
void smi_complete_fish(struct smi_buf *to);

#endif
