/* A change as other programs read it. */
#include "live/alert.h"
#include "base/clock.h"
#include "base/json.h"

static void put_time(struct smi_json *j, const char *key, int64_t t_ms)
{
    char text[SMI_CLOCK_TEXT];
    smi_clock_write(text, t_ms, true);
    smi_json_key_str(j, key, text);
}

static void put_value(struct smi_json *j, const char *key, int64_t micro, bool has)
{
    smi_json_key_number(j, key, has, micro);
}

int smi_alert_json(struct smi_buf *to, const struct smi_alert_change *c, const char *host, const char *run)
{
    const struct smi_alert_rule *r = c->rule;
    bool limited = r->limit != SMI_ALERT_NO_LIMIT;
    struct smi_json j;
    smi_json_begin(&j, to);
    smi_json_open(&j, '{');
    put_time(&j, "timestamp", c->t_ms);
    smi_json_key_str(&j, "host", host);
    smi_json_key_str(&j, "run", run);
    smi_json_key_str(&j, "rule", r->key);
    smi_json_key(&j, "gpu_index");
    if (c->gpu >= 0)
        smi_json_int(&j, c->gpu);
    else
        smi_json_null(&j);
    smi_json_key_str(&j, "uuid", c->uuid);
    smi_json_key_str(&j, "monitor", r->of_source ? c->subject : NULL);
    smi_json_key_str(&j, "from", c->begins ? "ok" : r->word);
    smi_json_key_str(&j, "to", c->begins ? r->word : "ok");
    put_time(&j, "since", c->from_ms);
    put_value(&j, "value", c->value, limited && c->begins);
    put_value(&j, "threshold", r->limit, limited);
    smi_json_key_str(&j, "unit", *r->unit ? r->unit : NULL);
    smi_json_key_str(&j, "text", c->text);
    smi_json_close(&j, '}');
    return to->failed ? -1 : 0;
}
