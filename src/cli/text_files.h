/* text_files.h - the text files of man/ and completions/ that are built into the program
 * (scripts/build/embed.sh).
 */
#ifndef SMI_CLI_TEXT_FILES_H
#define SMI_CLI_TEXT_FILES_H

#include <stddef.h>

/* man: the files of man/, one behind the other, each behind a line "PAGE name". The others: what completions
 * of a shell begin with. */
extern const unsigned char smi_asset_man[], smi_asset_bash[], smi_asset_zsh[], smi_asset_fish[];
extern const size_t smi_asset_man_n, smi_asset_bash_n, smi_asset_zsh_n, smi_asset_fish_n;
extern const char smi_asset_man_hash[], smi_asset_bash_hash[], smi_asset_zsh_hash[], smi_asset_fish_hash[];

#endif
