#include "cmd/forms.h"

#include "base/clock.h"
#include "compare/earlier.h"

#include <stddef.h>
#include <string.h>

#define AT(field) offsetof(struct smi_settings, field)

const struct smi_opt smi_opts_voice[] = {
    {"json", 0, SMI_OPT_FLAG, AT(json), NULL, "The same as --format json"},
    {"output", 'o', SMI_OPT_TEXT, AT(output), "FILE", "Write to FILE instead of standard output"},
    {"all", 0, SMI_OPT_FLAG, AT(all), NULL, "Every run and every line, however many"},
    {"verbose", 'v', SMI_OPT_FLAG, AT(verbose), NULL, "Every warning"},
    {"quiet", 'q', SMI_OPT_FLAG, AT(quiet), NULL, "No warnings, and nothing where all is well"},
    {"threads", 'j', SMI_OPT_COUNT, AT(threads), "N", "Threads; never changes a result"},
    {"strict", 0, SMI_OPT_FLAG, AT(strict), NULL, "Exit with 1 if any row or file was doubtful"},
    {"color", 0, SMI_OPT_WORD, AT(color), "auto|always|never", "Colours (NO_COLOR is obeyed)"},
    {NULL, 0, SMI_OPT_FLAG, 0, NULL, NULL},
};

static int by_name(const struct smi_form *form, const char *name)
{
    for (int i = 0; form[i].name; i++)
        if (strcmp(form[i].name, name) == 0)
            return i;
    return -1;
}

static int by_ending(const struct smi_form *form, const char *path)
{
    size_t n = strlen(path), len;
    for (int i = 0; form[i].name; i++) {
        len = form[i].ending ? strlen(form[i].ending) : 0;
        if (len && n > len && strcmp(path + n - len, form[i].ending) == 0)
            return i;
    }
    return -1;
}

/* "table, json, junit, github" */
static const char *list(const struct smi_form *form, const char *what, char *to, size_t size)
{
    *to = 0;
    for (int i = 0; form[i].name; i++) {
        const char *word = strcmp(what, "name") == 0 ? form[i].name : form[i].ending;
        if (word && strlen(to) + strlen(word) + 3 < size)
            strcat(strcat(to, *to ? (*what == 'n' ? ", " : " ") : ""), word);
    }
    return to;
}

static int choose(const struct smi_settings *s, const struct smi_form *form, struct smi_err *err)
{
    const char *name = s->json ? "json" : s->format, *near;
    char words[128];
    int i = 0;
    if (s->json && s->format && strcmp(s->format, "json") != 0)
        return smi_err_set(err, SMI_EUSAGE, "--json and --format %.60s contradict each other", s->format);
    if (name && (i = by_name(form, name)) < 0) {
        near = smi_opt_nearest(name, form, sizeof *form, SIZE_MAX);
        return smi_err_set(err, SMI_EUSAGE, near ? "--format: there is no \"%.60s\"; did you mean %s?"
                                                 : "--format: there is no \"%.60s\" here; there are %s", name,
                           near ? near : list(form, "name", words, sizeof words));
    }
    if (!name && s->output && strcmp(s->output, "-") != 0 && (i = by_ending(form, s->output)) < 0)
        return smi_err_set(err, SMI_EUSAGE, "the ending of %.200s names no format (%s do): add --format NAME",
                           s->output, list(form, "ending", words, sizeof words));
    return i;
}

int smi_form_choose(struct smi_settings *s, const struct smi_form *form, struct smi_err *err)
{
    int i = choose(s, form, err);
    s->own_forms = true;
    return i < 0 || smi_settings_check(s, err) ? -1 : i;
}

/* A JSON holds what one row says of a run: of the other tables it would answer with nothing. */
static int check_tables(const char *path, const struct smi_ask *q, struct smi_err *err)
{
    static const char *const tables[] = {"gpus", "phases", "findings"};
    for (int i = 0; i < 3 && q->where; i++)
        if (strcasestr(q->where, tables[i]) && smi_side_kind(path) == SMI_SIDE_JSON)
            return smi_err_set(err, SMI_EUSAGE, "--where: %.200s is JSON, and has no table %s: give the logs", path,
                               tables[i]);
    return 0;
}

int smi_read_side(struct smi_sweep *s, const char *path, struct smi_settings *set, const char *cmd, int *doubt)
{
    struct smi_progress p = {.start_ms = smi_clock_now_ms()};
    struct smi_answer none = {0};
    struct smi_err err = {0};
    int rc;
    if (check_tables(path, &set->ask, &err))
        return smi_fail(&err, cmd);
    set->d.progress = set->quiet ? NULL : smi_progress;
    set->d.self = &p;
    rc = smi_side_read(s, path, &set->d, &set->o, &err);
    smi_progress_end(&p);
    if (rc) {
        smi_fail(&err, NULL);
        return err.code == SMI_ENOMEM ? SMI_EXIT_OUTPUT : SMI_EXIT_NOTHING;
    }
    *doubt |= smi_warn(s, set);
    rc = smi_ask_any(&set->ask) ? smi_choose(s, set, &none) : SMI_EXIT_OK;
    smi_answer_fini(&none);
    if (rc || (s->usable && s->n))
        return rc;
    smi_err_set(&err, SMI_EFORMAT, s->all ? "no run of %.300s is what was asked for" : "no usable log in %.300s", path);
    smi_fail(&err, NULL);
    return SMI_EXIT_NOTHING;
}
