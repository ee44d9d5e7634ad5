/* Limits of alerts as the user wants them. */
#include "live/alert.h"
#include "base/json_load.h"

#include <string.h>

static const char *const settings[] = {"limit", "on_s", "off_s"};
enum { SETTINGS = sizeof settings / sizeof *settings, LONGEST_S = 7 * 86400 };

struct source {
    const char *path;
    struct smi_err *err;
};

static int report_unknown(const struct source *f, const char *what, const char *word, const char *near)
{
    return smi_err_set(f->err, SMI_EUSAGE, "--rules %.200s: there is no %s \"%.60s\"%s%s%s", f->path, what,
                       word, near ? "; did you mean " : "; see smilog list alerts", near ? near : "",
                       near ? "?" : "");
}

static int report_invalid(const struct source *f, const struct smi_alert_rule *r, const char *what)
{
    return smi_err_set(f->err, SMI_EUSAGE, "--rules %.200s: alert %s: %s", f->path, r->key, what);
}

static int set_limit(const struct source *f, struct smi_alert_rule *r, const json_t *v)
{
    int64_t micro;
    if (r->limit == SMI_ALERT_NO_LIMIT)
        return report_invalid(f, r, "has no limit");
    if (!smi_json_number(v, &micro) || micro <= 0)
        return report_invalid(f, r, "the limit has to be a number above 0");
    if (strcmp(r->unit, "%") == 0 && micro > 100 * (int64_t)1000000)
        return report_invalid(f, r, "the limit is a percentage: above 0, to 100");
    r->limit = micro;
    return 0;
}

static int set_time(const struct source *f, struct smi_alert_rule *r, const json_t *v, int64_t *ms)
{
    int64_t micro;
    if (!smi_json_number(v, &micro) || micro < 0 || micro > (int64_t)LONGEST_S * 1000000)
        return report_invalid(f, r, "on_s and off_s are seconds, up to a week");
    *ms = micro / 1000;
    return 0;
}

static int set_all(const struct source *f, struct smi_alert_rule *r, json_t *object)
{
    const char *key;
    json_t *v;
    json_object_foreach (object, key, v) {
        int i = 0, rc;
        while (i < SETTINGS && strcmp(settings[i], key) != 0)
            i++;
        if (i == SETTINGS)
            return report_unknown(f, "setting", key, smi_text_nearest(key, settings, SETTINGS));
        rc = i == 0 ? set_limit(f, r, v) : set_time(f, r, v, i == 1 ? &r->on_ms : &r->off_ms);
        if (rc)
            return -1;
    }
    return 0;
}

static int set_rule(const struct source *f, struct smi_alert_rule *r, json_t *v)
{
    if (json_is_boolean(v)) {
        r->off = !json_is_true(v);
        return 0;
    }
    if (json_is_number(v))
        return set_limit(f, r, v);
    return json_is_object(v)
               ? set_all(f, r, v)
               : report_invalid(f, r,
                                "wants a number (its limit), false, or an object of limit, on_s, off_s");
}

static int set_rules(const struct source *f, struct smi_alert_rule *rules, json_t *object)
{
    const char *names[SMI_ALERT_RULES], *key;
    json_t *v;
    for (int i = 0; i < SMI_ALERT_RULES; i++)
        names[i] = smi_alert_rules[i].key;
    json_object_foreach (object, key, v) {
        int i = 0;
        while (i < SMI_ALERT_RULES && strcmp(names[i], key) != 0)
            i++;
        if (i == SMI_ALERT_RULES)
            return report_unknown(f, "alert", key, smi_text_nearest(key, names, SMI_ALERT_RULES));
        if (set_rule(f, &rules[i], v))
            return -1;
    }
    return 0;
}

int smi_alerts_load(struct smi_alert_rule rules[SMI_ALERT_RULES], const char *path, struct smi_err *err)
{
    const struct source f = {path, err};
    json_t *object = NULL, *alerts;
    int rc = smi_json_load_file("--rules", path, &object, err);
    alerts = rc ? NULL : json_object_get(object, "alerts");
    if (alerts && !json_is_object(alerts))
        rc = smi_err_set(err, SMI_EUSAGE,
                         "--rules %.200s: \"alerts\" has to be an object; see smilog list alerts", path);
    if (rc == 0 && alerts)
        rc = set_rules(&f, rules, alerts);
    json_decref(object);
    return rc;
}
