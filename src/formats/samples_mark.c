#include "formats/samples_mark.h"

#include "base/clock.h"

static const int64_t seconds_max = 1000000000; /* of one phase, as in a RunLog: 31 years */

static void add_fields(struct smi_samples_mark *r, json_t *from, bool in_data)
{
    for (void *at = json_object_iter(from); at; at = json_object_iter_next(from, at)) {
        struct smi_field f;
        char digits[SMI_JSON_DIGITS];
        bool room = r->fields < SMI_SAMPLES_MARK_FIELDS;
        if (!smi_json_field(room ? &r->field[r->fields] : &f, room ? r->digits[r->fields] : digits,
                            json_object_iter_key(at), json_object_iter_value(at), in_data))
            continue;
        if (!room) {
            r->full = true;
            return;
        }
        r->fields++;
    }
}

int smi_samples_mark_read(struct smi_samples_mark *r, struct smi_lines *l, struct smi_text time,
                          json_t *entry, struct smi_text line, struct smi_err *err)
{
    const json_t *phase = json_object_get(entry, "phase");
    struct smi_mark m = {.kind = phase ? SMI_MARK_PHASE : SMI_MARK_EVENT,
                         .name = smi_json_string_of(phase ? phase : json_object_get(entry, "event")),
                         .field = r->field};
    bool fine, zoned;
    if (smi_clock_parse_iso(time, &m.t_us, &fine, &zoned))
        return smi_account_reject(l->account, SMI_REJECT_BAD_TIME, line, err);
    if (phase && (!smi_json_number(json_object_get(entry, "seconds"), &m.span_us) || m.span_us < 0 ||
                  m.span_us > seconds_max * 1000000))
        return smi_account_reject(l->account, SMI_REJECT_BAD_NUMBER, line, err);
    r->fields = 0;
    r->full = false;
    add_fields(r, json_object_get(entry, "data"), true);
    add_fields(r, json_object_get(entry, "extra"), false);
    m.fields = r->fields;
    l->account->rows++;
    if (r->full && smi_account_warn(l->account, SMI_LOG_WARNING_OTHER, err,
                                    "more than %d values: the rest is not read", SMI_SAMPLES_MARK_FIELDS))
        return -1;
    return l->to->mark ? l->to->mark(l->to, &m, err) : 0;
}
