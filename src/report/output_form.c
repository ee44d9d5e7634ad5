#include "report/output_form.h"

#include <string.h>

static struct smi_output_form form_at(const void *table, size_t stride, int i)
{
    struct smi_output_form f;
    memcpy(&f, (const char *)table + (size_t)i * stride, sizeof f);
    return f;
}

int smi_output_form_by_name(const void *table, size_t stride, const char *name)
{
    struct smi_output_form f;
    for (int i = 0; (f = form_at(table, stride, i)).name; i++)
        if (strcmp(f.name, name) == 0)
            return i;
    return -1;
}

int smi_output_form_by_ending(const void *table, size_t stride, const char *path)
{
    struct smi_output_form f;
    size_t n = strlen(path), len;
    for (int i = 0; (f = form_at(table, stride, i)).name; i++) {
        len = f.ending ? strlen(f.ending) : 0;
        if (len && n > len && strcmp(path + n - len, f.ending) == 0)
            return i;
    }
    return -1;
}
