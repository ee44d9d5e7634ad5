/* partial_text.c - texts in a partial, and names that are not UTF-8: as JSON has only such texts, these are
 * their bytes in hex, in an array: ["636166e9"]. Two runs whose names differ in such a byte stay two. */
#include "summary/partial_read_private.h"
#include "summary/partial_write_private.h"

#include <string.h>

void smi_partial_write_text(struct smi_json *j, const char *s)
{
    static const char hex[] = "0123456789abcdef";
    if (!s || smi_text_is_utf8(smi_text_of(s))) {
        smi_json_str(j, s);
        return;
    }
    smi_json_open(j, '[');
    smi_json_raw(j, "\"");
    for (; *s; s++) {
        smi_buf_char(j->to, hex[(unsigned char)*s >> 4]);
        smi_buf_char(j->to, hex[*s & 15]);
    }
    smi_buf_char(j->to, '"');
    smi_json_close(j, ']');
}

void smi_partial_write_key_text(struct smi_json *j, const char *key, const char *s)
{
    smi_json_key(j, key);
    smi_partial_write_text(j, s);
}

static int nibble(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Two digits a byte, and none of them 0; NULL and wrong if it is something else. */
static char *get_bytes(struct smi_partial_reader *g, const char *hex)
{
    size_t n = hex ? strlen(hex) : 0;
    char *t = n && n % 2 == 0 ? smi_mem_text(hex, n / 2) : NULL;
    bool good = true;
    if (!t) {
        if (n && n % 2 == 0)
            return smi_partial_read_nomem(g);
        smi_partial_read_fail(g, "a text");
        return NULL;
    }
    for (size_t i = 0; i < n / 2 && good; i++) {
        int high = nibble(hex[2 * i]), low = nibble(hex[2 * i + 1]);
        good = high >= 0 && low >= 0 && (high || low);
        t[i] = (char)(high * 16 + low);
    }
    if (good)
        return t;
    smi_mem_free(t);
    smi_partial_read_fail(g, "a text");
    return NULL;
}

char *smi_partial_read_text(struct smi_partial_reader *g, const json_t *v)
{
    char *t;
    if (json_is_array(v))
        return get_bytes(g, json_string_value(json_array_get(v, 0)));
    t = json_is_string(v) ? smi_mem_text(json_string_value(v), json_string_length(v)) : NULL;
    if (json_is_string(v) && !t)
        smi_partial_read_nomem(g);
    return t;
}
