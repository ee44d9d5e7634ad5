#include "summary/rule_file.h"

#include "summary/findings.h"

#include <string.h>

/* "--rules FILE: there is no WHAT "word"; did you mean NEAR?", one of n words. Returns -1. */
static int report_unknown(const struct smi_rule_file *f, const char *what, const char *word,
                          const char *const *words, size_t n)
{
    const char *near = smi_text_nearest(word, words, sizeof *words, n);
    if (near)
        return smi_err_set(f->err, SMI_EUSAGE, "--rules %.200s: there is no %s \"%.60s\"; did you mean %s?",
                           f->path, what, word, near);
    return smi_err_set(f->err, SMI_EUSAGE, "--rules %.200s: there is no %s \"%.60s\"; see smilog list %s",
                       f->path, what, word, f->list);
}

int smi_rule_file_wrong(const struct smi_rule_file *f, size_t rule, const char *what)
{
    return smi_err_set(f->err, SMI_EUSAGE, "--rules %.200s: %s%s: %s", f->path, f->lead, f->key[rule], what);
}

static size_t place_of(const char *word, const char *const *words, size_t n)
{
    size_t i = 0;
    while (i < n && strcmp(words[i], word) != 0)
        i++;
    return i;
}

static int set_all(const struct smi_rule_file *f, size_t rule, json_t *object)
{
    const char *key;
    json_t *v;
    json_object_foreach (object, key, v) {
        size_t i = place_of(key, f->settings, f->settings_n);
        if (i == f->settings_n)
            return report_unknown(f, "setting", key, f->settings, f->settings_n);
        if (f->set(f, rule, i, v))
            return -1;
    }
    return 0;
}

static int set_rule(const struct smi_rule_file *f, size_t rule, json_t *v)
{
    char text[120];
    if (json_is_boolean(v)) {
        f->turn(f, rule, json_is_true(v));
        return 0;
    }
    if (json_is_number(v))
        return f->set(f, rule, 0, v);
    if (json_is_object(v))
        return set_all(f, rule, v);
    snprintf(text, sizeof text, "needs a number (its limit), false, or an object of %s", f->settings_text);
    return smi_rule_file_wrong(f, rule, text);
}

int smi_rule_file_apply(const struct smi_rule_file *f, json_t *object, const char *skip)
{
    const char *key;
    json_t *v;
    json_object_foreach (object, key, v) {
        size_t i = place_of(key, f->key, f->rules);
        if (skip && strcmp(key, skip) == 0)
            continue;
        if (i == f->rules)
            return report_unknown(f, f->kind, key, f->key, f->rules);
        if (set_rule(f, i, v))
            return -1;
    }
    return 0;
}

/* ---- of findings ---- */

static int set_limit(const struct smi_rule_file *f, size_t rule, const json_t *v)
{
    struct smi_rule *r = (struct smi_rule *)f->self + rule;
    int64_t micro;
    if (r->limit == SMI_LIMIT_NONE)
        return smi_rule_file_wrong(f, rule,
                                   r->check == smi_rules[SMI_RULE_UNUSED].check
                                       ? "its limit is that of --idle-below"
                                       : "has no limit");
    if (!smi_json_number(v, &micro) || micro < 0)
        return smi_rule_file_wrong(f, rule, "the limit has to be a number that is not negative");
    if (strcmp(r->unit, "%") == 0 && micro > 100 * (int64_t)1000000)
        return smi_rule_file_wrong(f, rule, "the limit is a percentage: 0 to 100");
    r->limit = micro;
    return 0;
}

static int set_level(const struct smi_rule_file *f, size_t rule, const json_t *v)
{
    enum { LEVELS = SMI_LEVEL_ERROR + 1 };
    const char *word = json_string_value(v);
    size_t i = word ? place_of(word, smi_level_names, LEVELS) : 0;
    if (!word)
        return smi_rule_file_wrong(f, rule, "the level is one of \"info\", \"warn\", \"strong\", \"error\"");
    if (i == LEVELS)
        return report_unknown(f, "level", word, smi_level_names, LEVELS);
    ((struct smi_rule *)f->self + rule)->level = (enum smi_level)i;
    return 0;
}

static int set_least(const struct smi_rule_file *f, size_t rule, const json_t *v)
{
    int64_t micro;
    if (!smi_json_number(v, &micro) || micro < 0 || micro % 1000000 || micro / 1000000 > INT32_MAX)
        return smi_rule_file_wrong(f, rule, "least_s has to be a whole number of seconds");
    ((struct smi_rule *)f->self + rule)->least_s = micro / 1000000;
    return 0;
}

static int set_of_rule(const struct smi_rule_file *f, size_t rule, size_t setting, const json_t *v)
{
    return setting == 0   ? set_limit(f, rule, v)
           : setting == 1 ? set_level(f, rule, v)
                          : set_least(f, rule, v);
}

static void turn_rule(const struct smi_rule_file *f, size_t rule, bool on)
{
    ((struct smi_rule *)f->self + rule)->off = !on;
}

int smi_rules_load(struct smi_rule rules[SMI_RULE_COUNT], const char *path, struct smi_err *err)
{
    static const char *const settings[] = {"limit", "level", "least_s"};
    const char *key[SMI_RULE_COUNT];
    const struct smi_rule_file f = {
        path, "rule",         "rules",     "",        settings, 3,  "limit, level, least_s",
        key,  SMI_RULE_COUNT, set_of_rule, turn_rule, rules,    err};
    json_t *object = NULL;
    int rc = smi_json_load_file("--rules", path, &object, err);
    for (int i = 0; i < SMI_RULE_COUNT; i++)
        key[i] = smi_rules[i].key;
    if (rc == 0)
        rc = smi_rule_file_apply(&f, object, "alerts"); /* those are of the moment: live/alert_limits.c */
    json_decref(object);
    return rc;
}
