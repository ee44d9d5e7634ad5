/* Limits of alerts as the user wants them. */
#include "live/alert.h"
#include "summary/rule_file.h"

#include <string.h>

enum { LONGEST_S = 7 * 86400 };

static int set_limit(const struct smi_rule_file *f, size_t rule, const json_t *v)
{
    struct smi_alert_rule *r = (struct smi_alert_rule *)f->self + rule;
    int64_t micro;
    if (r->limit == SMI_ALERT_NO_LIMIT)
        return smi_rule_file_wrong(f, rule, "has no limit");
    if (!smi_json_number(v, &micro) || micro <= 0)
        return smi_rule_file_wrong(f, rule, "the limit has to be a number above 0");
    if (strcmp(r->unit, "%") == 0 && micro > 100 * (int64_t)1000000)
        return smi_rule_file_wrong(f, rule, "the limit is a percentage: above 0, to 100");
    r->limit = micro;
    return 0;
}

static int set_of_rule(const struct smi_rule_file *f, size_t rule, size_t setting, const json_t *v)
{
    struct smi_alert_rule *r = (struct smi_alert_rule *)f->self + rule;
    int64_t micro;
    if (setting == 0)
        return set_limit(f, rule, v);
    if (!smi_json_number(v, &micro) || micro < 0 || micro > (int64_t)LONGEST_S * 1000000)
        return smi_rule_file_wrong(f, rule, "on_s and off_s are seconds, up to a week");
    *(setting == 1 ? &r->on_ms : &r->off_ms) = micro / 1000;
    return 0;
}

static void turn_rule(const struct smi_rule_file *f, size_t rule, bool on)
{
    ((struct smi_alert_rule *)f->self + rule)->off = !on;
}

int smi_alerts_load(struct smi_alert_rule rules[SMI_ALERT_RULES], const char *path, struct smi_err *err)
{
    static const char *const settings[] = {"limit", "on_s", "off_s"};
    const char *key[SMI_ALERT_RULES];
    const struct smi_rule_file f = {
        path, "alert",         "alerts",    "alert ",  settings, 3,  "limit, on_s, off_s",
        key,  SMI_ALERT_RULES, set_of_rule, turn_rule, rules,    err};
    json_t *object = NULL, *alerts;
    int rc = smi_json_load_file("--rules", path, &object, err);
    for (int i = 0; i < SMI_ALERT_RULES; i++)
        key[i] = smi_alert_rules[i].key;
    alerts = rc ? NULL : json_object_get(object, "alerts");
    if (alerts && !json_is_object(alerts))
        rc = smi_err_set(err, SMI_EUSAGE,
                         "--rules %.200s: \"alerts\" has to be an object; see smilog list alerts", path);
    if (rc == 0 && alerts)
        rc = smi_rule_file_apply(&f, alerts, NULL);
    json_decref(object);
    return rc;
}
