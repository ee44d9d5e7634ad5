/* json_run_private.h - values and names in JSON. */
#ifndef SMI_REPORT_JSON_RUN_PRIVATE_H
#define SMI_REPORT_JSON_RUN_PRIVATE_H

#include "base/json.h"
#include "summary/summary.h"

/* "key": number or null. */
static inline void smi_json_value(struct smi_json *j, const char *key, struct smi_value v)
{
    if (v.has) {
        smi_json_key_micro(j, smi_text_of(key), v.micro);
    } else {
        smi_json_key(j, key);
        smi_json_null(j);
    }
}
/* A name that may be bytes of any kind: name_bytes keeps what U+FFFD would lose. */
void smi_json_name(struct smi_json *j, const char *key, const char *s);

#endif
