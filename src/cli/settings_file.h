/* settings_file.h - a user's own settings: a JSON object of options with their values, {"tz": "UTC",
 * "price-kwh": 0.3}. $SMILOG_CONFIG names the file, empty: none; else it is $XDG_CONFIG_HOME/smilog.json or
 * ~/.config/smilog.json, if that is there. Its keys are the options that are SMI_OPT_SETTABLE. */
#ifndef SMI_CLI_SETTINGS_FILE_H
#define SMI_CLI_SETTINGS_FILE_H

#include "cli/option.h"

struct smi_file_setting {
    const struct smi_opt *opt;
    const char *text; /* the value, as it would be typed */
    int line;         /* of the file, from 1 on */
};

/* Reads the file, the first time. Returns 0, or -1 with err SMI_EUSAGE, which names file and key. */
int smi_settings_file_load(struct smi_err *err);
/* The file that was read, or NULL. */
const char *smi_settings_file_path(void);
/* What the file says of the option of this name, or NULL. */
const struct smi_file_setting *smi_settings_file_find(const char *name);
/* Does this value of a setting come from the file? */
bool smi_settings_file_has(const char *text);
/* The tables of the options that may be set; NULL ends them. */
extern const struct smi_opt *const smi_settings_file_tables[];

#endif
