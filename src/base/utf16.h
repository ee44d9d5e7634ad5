/* utf16.h - UTF-16 text to UTF-8. */
#ifndef SMI_BASE_UTF16_H
#define SMI_BASE_UTF16_H

#include "base/byte_source.h"

#include <stdbool.h>
#include <stdint.h>

struct smi_utf16 {
    struct smi_made_source made; /* its UTF-8, without the byte order mark */
    bool big;                    /* the high byte comes first */
    bool begun;                  /* the byte order mark is behind us */
    bool ended;
    uint32_t high; /* the first half of a pair whose second has not come yet; or 0 */
    unsigned char in[4096];
    size_t n, at;
    char out[4096];
};
/* Half a pair, and half a unit at the end, become U+FFFD: as in the Encoding Standard's UTF-16 decoder. */
void smi_utf16_open(struct smi_utf16 *u, struct smi_byte_source *from, bool big);

#endif
