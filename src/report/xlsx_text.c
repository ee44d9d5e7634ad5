#include "report/xlsx_private.h"

#include <ctype.h>
#include <string.h>

static const char unknown[] = "\xEF\xBF\xBD"; /* U+FFFD */

/* Is this the way to write one character by its number, "_x0041_"? */
static bool is_escape(const char *p)
{
    if (p[0] != '_' || p[1] != 'x')
        return false;
    for (int i = 2; i < 6; i++)
        if (!isxdigit((unsigned char)p[i]))
            return false;
    return p[6] == '_';
}

/* U+FFFE and U+FFFF stand in no XML. */
static bool is_no_character(const char *p, size_t len)
{
    return len == 3 && memcmp(p, "\xEF\xBF", 2) == 0 && (unsigned char)p[2] >= 0xBE;
}

/* Appends the character at p, of len bytes (0: none is there); returns the UTF-16 units it takes. */
static size_t append_character(struct smi_buf *to, const char *p, size_t len)
{
    size_t n = to->n;
    if (len == 0 || is_no_character(p, len)) {
        smi_buf_str(to, unknown);
        return 1;
    }
    if (smi_text_unprintable(p, len) >= 0) {
        smi_buf_safe(to, (struct smi_text){p, len});
        return to->n - n;
    }
    if (is_escape(p)) {
        smi_buf_str(to, "_x005F_");
        return 7;
    }
    smi_buf_add(to, p, len);
    return len == 4 ? 2 : 1;
}

bool smi_xlsx_escape(struct smi_buf *to, const char *text, size_t most)
{
    enum { MARK = 48 };
    size_t left = strlen(text), units = 0, kept = to->n, keep_left = left, len, was;
    for (; left && !to->failed; text += len ? len : 1, left -= len ? len : 1) {
        len = smi_text_utf8(text, left);
        was = to->n;
        units += append_character(to, text, len);
        if (units <= most - MARK) {
            kept = to->n;
            keep_left = left - (len ? len : 1);
        }
        if (units > most) {
            to->n = was < kept ? was : kept;
            smi_buf_fmt(to, "… [cut: %zu bytes left out]", keep_left);
            return true;
        }
    }
    return false;
}

void smi_xlsx_escape_name(struct smi_buf *to, const char *name, size_t most)
{
    struct smi_buf b = {0};
    size_t units = 0, len;
    smi_buf_safe(&b, smi_text_of(name));
    for (const char *p = b.p ? b.p : ""; *p; p += len) {
        len = smi_text_utf8(p, strlen(p));
        len = len ? len : 1;
        units += len == 4 ? 2 : 1;
        if (units > most)
            break;
        if (strchr("[]:*?/\\'", *p))
            smi_buf_char(to, ' ');
        else if (is_no_character(p, len))
            smi_buf_str(to, unknown);
        else
            smi_buf_add(to, p, len);
    }
    if (units == 0)
        smi_buf_str(to, "-");
    to->failed |= b.failed;
    smi_buf_fini(&b);
}
