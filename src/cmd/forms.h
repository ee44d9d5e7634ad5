/* forms.h - what the commands share that have forms of their own: check and diff. */
#ifndef SMI_CMD_FORMS_H
#define SMI_CMD_FORMS_H

#include "cmd/settings.h"

/* A form of the output; rows end with a NULL name. */
struct smi_form {
    const char *name, *ending; /* --format NAME; ending of -o that chooses it, or NULL */
};

extern const struct smi_opt smi_opts_voice[]; /* -o, -q and the like; settings begin with a struct smi_settings */

/* The place of the form that --format, --json or the ending of -o asks for, the first of them else; or -1 with err.
 * Then checks all other settings, as smi_settings_check does. */
int smi_form_choose(struct smi_settings *s, const struct smi_form *form, struct smi_err *err);

/* Reads a side of a comparison (compare/earlier.h) and leaves of it the runs that are asked for. s is filled in any
 * case, to be ended. cmd: the command, for messages. Returns an smi_exit; *doubt becomes that of smi_warn if it is
 * one. */
int smi_read_side(struct smi_sweep *s, const char *path, struct smi_settings *set, const char *cmd, int *doubt);

#endif
