#include "summary/run_params.h"

#include <string.h>

const struct smi_param *smi_run_param(const struct smi_summary *s, const char *key)
{
    for (size_t i = 0; i < s->njoined; i++)
        if (s->joined[i].key == key) /* the sweep's own text: a parameter may have the same name */
            return &s->joined[i];
    for (size_t i = 0; i < s->nparams; i++)
        if (strcmp(s->params[i].key, key) == 0)
            return &s->params[i];
    return NULL;
}

bool smi_param_in_name(const char *name, const struct smi_param *q)
{
    size_t n = strlen(q->key), len = strlen(q->text);
    for (const char *p = name; n && (p = strstr(p, q->key)); p++) {
        const char *v = p + n + (p[n] && strchr("=-_", p[n]));
        if (p > name && !strchr("/,_-+ ", p[-1]))
            continue;
        if (strncmp(v, q->text, len) == 0 && (v[len] == 0 || strchr("/,_-+ ", v[len])))
            return true;
    }
    return false;
}

bool smi_param_is_repeat(const char *key)
{
    static const char *const names[] = {"seed", "rep", "fold", "trial", "random_seed", "random_state"};
    const char *dot = strrchr(key, '.');
    key = dot && dot[1] ? dot + 1 : key; /* of train.seed */
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (smi_text_is_nocase(smi_text_of(key), names[i]))
            return true;
    return false;
}
