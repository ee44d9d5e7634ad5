/* man.h - man pages, from the tables of commands and options, the catalogue, and one text file a page (man/).
 */
#ifndef SMI_CLI_MAN_H
#define SMI_CLI_MAN_H

#include "cli/option.h"

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
/* The lines of a section of a page's text ("check"), without the last end of a line; none
 * if it is not there. */
struct smi_text smi_man_section(const char *name, const char *section);

/* Appends the page of a command or a topic (formats, json) as roff; of NULL: smilog(1). Returns 0, or -1 with
 * err SMI_EUSAGE. */
int smi_man_write(struct smi_buf *to, const char *name, struct smi_err *err);
/* Appends "smilog.1 smilog-check.1 ...": the files of all pages, a line each. */
void smi_man_list(struct smi_buf *to);

#endif
