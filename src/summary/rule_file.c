/* Rules as the user wants them: a JSON file of limits, levels and lengths. */
#include "base/json_load.h"
#include "summary/findings.h"

#include <string.h>

static const char *const settings[] = {"limit", "level", "least_s"};
enum { SETTINGS = sizeof settings / sizeof *settings, LEVELS = SMI_LEVEL_ERROR + 1 };

/* The file that is read, for messages. */
struct source {
    const char *path;
    struct smi_err *err;
};

/* "--rules FILE: there is no WHAT "word"; did you mean NEAR?" */
static int unknown_word_error(const struct source *f, const char *what, const char *word, const char *near)
{
    return smi_err_set(f->err, SMI_EUSAGE, "--rules %.200s: there is no %s \"%.60s\"%s%s%s", f->path, what,
                       word, near ? "; did you mean " : "; see smilog list rules", near ? near : "",
                       near ? "?" : "");
}

static int wrong_value_error(const struct source *f, const struct smi_rule *r, const char *what)
{
    return smi_err_set(f->err, SMI_EUSAGE, "--rules %.200s: %s: %s", f->path, r->key, what);
}

static int set_limit(const struct source *f, struct smi_rule *r, const json_t *v)
{
    int64_t micro;
    if (r->limit == SMI_LIMIT_NONE)
        return wrong_value_error(f, r,
                                 r->check == smi_rules[SMI_RULE_UNUSED].check
                                     ? "its limit is that of --idle-below"
                                     : "has no limit");
    if (!smi_json_number(v, &micro) || micro < 0)
        return wrong_value_error(f, r, "the limit has to be a number that is not negative");
    if (strcmp(r->unit, "%") == 0 && micro > 100 * (int64_t)1000000)
        return wrong_value_error(f, r, "the limit is a percentage: 0 to 100");
    r->limit = micro;
    return 0;
}

static int set_level(const struct source *f, struct smi_rule *r, const json_t *v)
{
    const char *word = json_string_value(v);
    if (!word)
        return wrong_value_error(f, r, "the level is one of \"info\", \"warn\", \"strong\", \"error\"");
    for (int i = 0; i < LEVELS; i++)
        if (strcmp(word, smi_level_names[i]) == 0) {
            r->level = (enum smi_level)i;
            return 0;
        }
    return unknown_word_error(f, "level", word, smi_text_nearest(word, smi_level_names, LEVELS));
}

static int set_least(const struct source *f, struct smi_rule *r, const json_t *v)
{
    int64_t micro;
    if (!smi_json_number(v, &micro) || micro < 0 || micro % 1000000 || micro / 1000000 > INT32_MAX)
        return wrong_value_error(f, r, "least_s has to be a whole number of seconds");
    r->least_s = micro / 1000000;
    return 0;
}

static int set_all(const struct source *f, struct smi_rule *r, json_t *object)
{
    static int (*const set[SETTINGS])(const struct source *, struct smi_rule *,
                                      const json_t *) = {set_limit, set_level, set_least}; /* as settings */
    const char *key;
    json_t *v;
    json_object_foreach (object, key, v) {
        int i = 0;
        while (i < SETTINGS && strcmp(settings[i], key))
            i++;
        if (i == SETTINGS)
            return unknown_word_error(f, "setting", key, smi_text_nearest(key, settings, SETTINGS));
        if (set[i](f, r, v))
            return -1;
    }
    return 0;
}

static int set_rule(const struct source *f, struct smi_rule *r, json_t *v)
{
    if (json_is_boolean(v)) {
        r->off = !json_is_true(v);
        return 0;
    }
    if (json_is_number(v))
        return set_limit(f, r, v);
    return json_is_object(v)
               ? set_all(f, r, v)
               : wrong_value_error(
                     f, r, "wants a number (its limit), false, or an object of limit, level, least_s");
}

static int set_rules(const struct source *f, struct smi_rule *rules, json_t *object)
{
    const char *names[SMI_RULE_COUNT], *key;
    json_t *v;
    for (int i = 0; i < SMI_RULE_COUNT; i++)
        names[i] = smi_rules[i].key;
    json_object_foreach (object, key, v) {
        int i = smi_rule_find(key);
        if (strcmp(key, "alerts") == 0) /* of the moment: live/alert_limits.c */
            continue;
        if (i < 0)
            return unknown_word_error(f, "rule", key, smi_text_nearest(key, names, SMI_RULE_COUNT));
        if (set_rule(f, &rules[i], v))
            return -1;
    }
    return 0;
}

int smi_rules_load(struct smi_rule rules[SMI_RULE_COUNT], const char *path, struct smi_err *err)
{
    const struct source f = {path, err};
    json_t *object = NULL;
    int rc = smi_json_load_file("--rules", path, &object, err);
    rc = rc ? rc : set_rules(&f, rules, object);
    json_decref(object);
    return rc;
}
