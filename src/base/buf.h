/* buf.h - a growing buffer for output. */
#pragma once

#include "base/text.h"

#include <stdarg.h>

struct smi_buf {
    char *p; /* n bytes, NUL-terminated once anything was added */
    size_t n, cap;
    /* or NULL; else takes the content when there is much of it: */
    void (*drain)(void *self, const char *p, size_t n);
    void *self; /* n begins at 0 again */
};

/* Makes room for n more bytes and a NUL: for smi_buf_room. */
void smi_buf_grow(struct smi_buf *b, size_t n);
/* Where n more bytes and a NUL may be written: the caller writes them, and adds to b->n. */
static inline char *smi_buf_room(struct smi_buf *b, size_t n)
{
    if (b->cap - b->n <= n)
        smi_buf_grow(b, n);
    return b->p + b->n;
}
void smi_buf_add(struct smi_buf *b, const char *p, size_t n);
void smi_buf_str(struct smi_buf *b, const char *s);
void smi_buf_char(struct smi_buf *b, char c);
void smi_buf_vfmt(struct smi_buf *b, const char *fmt, va_list ap);
void smi_buf_fmt(struct smi_buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Untrusted text made safe for a terminal and a plain-text file: control bytes, DEL, C1, bidi and zero-width
 * characters and bytes that are not UTF-8 become \xNN. What is safe already stays as it is. */
void smi_buf_safe(struct smi_buf *b, struct smi_text t);
/* The same of a name, which is not safe yet: a backslash that would read as such a \xNN becomes \x5c. */
void smi_buf_name(struct smi_buf *b, struct smi_text t);
/* Percent-encodes t: ASCII letters, digits, -._~ and the characters of `keep` stay, any other byte becomes
 * %XX. */
void smi_buf_percent(struct smi_buf *b, struct smi_text t, const char *keep);
/* Appends s, which is valid UTF-8 then: each bad byte becomes U+FFFD, and behind it stand all bytes in hex,
 * so that different texts stay different: "a\xff" is "a\uFFFD [61ff]". */
void smi_buf_utf8(struct smi_buf *b, const char *s);
/* Appends its bytes as hexadecimal digits. */
void smi_buf_hex(struct smi_buf *b, const char *s);
void smi_buf_clear(struct smi_buf *b);
void smi_buf_fini(struct smi_buf *b);
/* The content of b as a text of the arena; b is ended. */
struct smi_arena;
const char *smi_buf_keep(struct smi_buf *b, struct smi_arena *a);
