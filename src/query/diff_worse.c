/* diff_worse.c - which way of a column is worse. */
#include "query/diff.h"

#include <string.h>

#define SMI_WORSE_FIELD(name, less, least) {name, less, (int64_t)((least)*1000000)},
static const struct {
    const char *name;
    bool less;
    int64_t least;
} worse[] = {
#include "query/diff_worse.def"
};
#undef SMI_WORSE_FIELD

const char *smi_worse_field(size_t i)
{
    return i < sizeof worse / sizeof *worse ? worse[i].name : NULL;
}

int smi_worse_direction(const char *column, int64_t *least)
{
    for (size_t i = 0; i < sizeof worse / sizeof *worse; i++)
        if (strcmp(worse[i].name, column) == 0) {
            *least = worse[i].least;
            return worse[i].less ? -1 : 1;
        }
    *least = 0;
    return 0;
}
