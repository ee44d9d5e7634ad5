/* output_form.h - the form of the output, for commands that have forms of their own: check and diff. */
#ifndef SMI_CLI_OUTPUT_FORM_H
#define SMI_CLI_OUTPUT_FORM_H

#include "cli/settings.h"
#include "report/output_form.h"

/* The place of the form that --format, --json or the ending of -o asks for, the first of them else; or -1
 * with err. Then checks all other settings, as smi_settings_check does. */
int smi_settings_choose_form(struct smi_settings *s, const struct smi_output_form *form, struct smi_err *err);

#endif
