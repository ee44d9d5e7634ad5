#include "cli/output_form.h"

#include <string.h>

/* "table, json, junit, github" */
static const char *list_forms(const struct smi_output_form *form, const char *what, char *to, size_t size)
{
    *to = 0;
    for (int i = 0; form[i].name; i++) {
        const char *word = strcmp(what, "name") == 0 ? form[i].name : form[i].ending;
        if (word && strlen(to) + strlen(word) + 3 < size)
            strcat(strcat(to, *to ? (*what == 'n' ? ", " : " ") : ""), word);
    }
    return to;
}

static int choose_form(const struct smi_settings *s, const struct smi_output_form *form, struct smi_err *err)
{
    const char *name = s->json ? "json" : s->format, *near;
    char words[128];
    int i = 0;
    if (s->json && s->format && strcmp(s->format, "json") != 0)
        return smi_err_set(err, SMI_EUSAGE, "--json and --format %.60s contradict each other", s->format);
    if (name && (i = smi_output_form_by_name(form, sizeof *form, name)) < 0) {
        near = smi_opt_nearest(name, form, sizeof *form, SIZE_MAX);
        return smi_err_set(err, SMI_EUSAGE,
                           near ? "--format: there is no \"%.60s\"; did you mean %s?"
                                : "--format: there is no \"%.60s\" here; there are %s",
                           name, near ? near : list_forms(form, "name", words, sizeof words));
    }
    if (s->output && !*s->output)
        return smi_err_set(err, SMI_EUSAGE, "-o: the name of the file is empty: a variable that is not set?");
    if (!name && s->output && strcmp(s->output, "-") != 0)
        i = smi_output_form_by_ending(form, sizeof *form, s->output);
    if (i < 0)
        return smi_err_set(err, SMI_EUSAGE, "the ending of %.200s names no format (%s do): add --format NAME",
                           s->output, list_forms(form, "ending", words, sizeof words));
    return i;
}

int smi_settings_choose_form(struct smi_settings *s, const struct smi_output_form *form, struct smi_err *err)
{
    int i = choose_form(s, form, err);
    s->own_forms = true;
    return i < 0 || smi_settings_check(s, err) ? -1 : i;
}
