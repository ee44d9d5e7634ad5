/* What went wrong in a part, as the partial says it:
 *   "now": 1720044646109, "faults": [["gpu_lost", 0, 0, "", 12, false, true, 1720044600000, 1720044646109]]
 */
#include "summary/partial_read_private.h"
#include "summary/partial_write_private.h"

#include <string.h>

enum { ID, WHO, CODE, BUS, N, OPEN, TIMED, FIRST, LAST, CELLS };

void smi_partial_write_errors(struct smi_json *j, const struct smi_input_stats *p)
{
    smi_json_key(j, "now");
    if (p->has_now)
        smi_json_int(j, p->now_ms);
    else
        smi_json_null(j);
    smi_json_key(j, "faults");
    smi_json_open(j, '[');
    for (size_t i = 0; i < p->faults.n; i++) {
        const struct smi_fault_count *f = &p->faults.list[i];
        smi_json_open(j, '[');
        smi_json_str(j, smi_faults[f->id].name);
        smi_json_int(j, f->who);
        smi_json_int(j, f->code);
        smi_json_str(j, f->bus);
        smi_json_int(j, f->n);
        smi_json_bool(j, f->open);
        smi_json_bool(j, f->timed);
        smi_json_int(j, f->first_ms);
        smi_json_int(j, f->last_ms);
        smi_json_close(j, ']');
    }
    smi_json_close(j, ']');
}

void smi_partial_read_errors(struct smi_partial_reader *g, const json_t *o, struct smi_input_stats *p)
{
    const json_t *now = json_object_get(o, "now"), *list = json_object_get(o, "faults");
    if (!json_is_null(now)) {
        p->has_now = true;
        p->now_ms = smi_partial_read_int(g, now);
    }
    for (size_t i = 0; i < json_array_size(list) && !g->bad; i++) {
        const json_t *v = json_array_get(list, i), *id = json_array_get(v, ID), *bus = json_array_get(v, BUS);
        struct smi_fault_count f = {.id = json_is_string(id) ? smi_fault_find(json_string_value(id)) : -1};
        int64_t who = smi_partial_read_int(g, json_array_get(v, WHO));
        if (json_array_size(v) != CELLS || f.id < 0 || who < -1 || who >= (int64_t)p->devices.n ||
            !json_is_string(bus) || json_string_length(bus) >= SMI_FAULT_BUS_MAX) {
            smi_partial_read_fail(g, "faults");
            return;
        }
        memcpy(f.bus, json_string_value(bus), json_string_length(bus));
        f.code = smi_partial_read_int(g, json_array_get(v, CODE));
        f.n = smi_partial_read_int(g, json_array_get(v, N));
        f.open = json_is_true(json_array_get(v, OPEN));
        f.timed = json_is_true(json_array_get(v, TIMED));
        f.first_ms = smi_partial_read_int(g, json_array_get(v, FIRST));
        f.last_ms = smi_partial_read_int(g, json_array_get(v, LAST));
        if (f.n < 1)
            smi_partial_read_fail(g, "faults");
        else if (!g->bad && smi_faults_join(&p->faults, &f, (int)who, g->err))
            g->bad = true;
    }
}
