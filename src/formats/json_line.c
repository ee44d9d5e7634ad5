#include "formats/json_line.h"

/* The reason without the library's words about where in the text. */
static int not_json(struct smi_account *a, const char *why, struct smi_err *err)
{
    a->rejected[SMI_REJECT_FOREIGN]++;
    return smi_account_warn(a, SMI_REJECT_FOREIGN, err, "not JSON: %s", why);
}

static int read_as_null(struct smi_account *a, size_t lost, struct smi_err *err)
{
    a->cells_missing += (int64_t)lost;
    return !lost ? 0
                 : smi_account_warn(a, SMI_LOG_WARNING_OTHER, err, "%zu value%s NaN or Infinity read as null",
                                    lost, lost == 1 ? "" : "s");
}

int smi_json_line(struct smi_text line, struct smi_buf *repaired, struct smi_account *a, json_t **entry,
                  struct smi_err *err)
{
    struct smi_text t = smi_text_trim(line);
    json_error_t why;
    size_t lost;
    int rc;
    *entry = NULL;
    if (!smi_text_is_utf8(t))
        return smi_account_reject(a, SMI_REJECT_BAD_ENCODING, line, err);
    if (smi_json_load(t, repaired, entry, &lost, &why, err))
        return -1;
    if (!*entry)
        return not_json(a, why.text, err);
    rc = read_as_null(a, lost, err);
    if (!rc && json_is_object(*entry))
        return 0;
    json_decref(*entry);
    *entry = NULL;
    return rc ? -1 : smi_account_reject(a, SMI_REJECT_FOREIGN, line, err);
}
