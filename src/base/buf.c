/* buf.c - buffers that grow with their text, and the texts of errors */
#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>

enum { DRAIN = 1 << 16 };

void smi_buf_grow(struct smi_buf *b, size_t n)
{
    if (b->drain && b->n >= DRAIN) {
        b->drain(b->self, b->p, b->n);
        b->n = 0;
    }
    if (n >= SIZE_MAX - b->n)
        smi_mem_exhausted();
    smi_mem_reserve(&b->p, &b->cap, b->n + n + 1, 1);
}

void smi_buf_add(struct smi_buf *b, const char *p, size_t n)
{
    char *to = smi_buf_room(b, n);
    if (n)
        memcpy(to, p, n);
    to[n] = 0;
    b->n += n;
}

void smi_buf_str(struct smi_buf *b, const char *s)
{
    smi_buf_add(b, s, strlen(s));
}

void smi_buf_char(struct smi_buf *b, char c)
{
    smi_buf_add(b, &c, 1);
}

void smi_buf_vfmt(struct smi_buf *b, const char *fmt, va_list ap)
{
    va_list again;
    char *to = smi_buf_room(b, 0);
    size_t space = b->cap - b->n;
    int n;
    va_copy(again, ap);
    n = vsnprintf(to, space, fmt, ap);
    if (n < 0) /* more than 2 GiB */
        smi_mem_exhausted();
    if ((size_t)n >= space)
        vsnprintf(smi_buf_room(b, (size_t)n), (size_t)n + 1, fmt, again);
    b->n += (size_t)n;
    va_end(again);
}

void smi_buf_fmt(struct smi_buf *b, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    smi_buf_vfmt(b, fmt, ap);
    va_end(ap);
}

/* Does a backslash here look like what an escaped byte becomes? */
static bool looks_escaped(struct smi_text t, size_t i)
{
    return t.p[i] == '\\' && t.n - i > 3 && t.p[i + 1] == 'x' && isxdigit((unsigned char)t.p[i + 2]) &&
           isxdigit((unsigned char)t.p[i + 3]);
}

/* backslashes: those that look escaped are escaped, too. */
static void append_escaped(struct smi_buf *b, struct smi_text t, bool backslashes)
{
    size_t i = 0, from = 0, len, j;
    while (i < t.n) {
        /* nearly all there is */
        if (t.p[i] >= 0x20 && t.p[i] < 0x7F && !(backslashes && looks_escaped(t, i))) {
            i++;
            continue;
        }
        len = smi_text_utf8(t.p + i, t.n - i);
        if (len && t.p[i] != '\\' && smi_text_unprintable(t.p + i, len) < 0) {
            i += len;
            continue;
        }
        smi_buf_add(b, t.p + from, i - from);
        for (j = 0; j < (len ? len : 1); j++, i++)
            smi_buf_fmt(b, "\\x%02x", (unsigned char)t.p[i]);
        from = i;
    }
    if (i > from)
        smi_buf_add(b, t.p + from, i - from);
}

void smi_buf_safe(struct smi_buf *b, struct smi_text t)
{
    append_escaped(b, t, false);
}

void smi_buf_name(struct smi_buf *b, struct smi_text t)
{
    append_escaped(b, t, true);
}

void smi_buf_percent(struct smi_buf *b, struct smi_text t, const char *keep)
{
    for (size_t i = 0; i < t.n; i++) {
        unsigned char c = (unsigned char)t.p[i];
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || smi_is_digit((char)c);
        if (plain || (c && (strchr("-._~", c) || strchr(keep, c))))
            smi_buf_char(b, (char)c);
        else
            smi_buf_fmt(b, "%%%02X", c);
    }
}

void smi_buf_hex(struct smi_buf *b, const char *s)
{
    for (; *s; s++)
        smi_buf_fmt(b, "%02x", (unsigned char)*s);
}

void smi_buf_utf8(struct smi_buf *b, const char *s)
{
    size_t left = strlen(s), n;
    const bool valid = smi_text_is_utf8((struct smi_text){s, left});
    for (const char *p = s; left; p += n, left -= n) {
        const size_t good = smi_text_utf8(p, left);
        n = good ? good : 1;
        smi_buf_add(b, good ? p : "\xEF\xBF\xBD", good ? n : 3);
    }
    if (valid)
        return;
    smi_buf_str(b, " [");
    smi_buf_hex(b, s);
    smi_buf_char(b, ']');
}

void smi_buf_clear(struct smi_buf *b)
{
    b->n = 0;
    if (b->p)
        b->p[0] = 0;
}

const char *smi_buf_keep(struct smi_buf *b, struct smi_arena *a)
{
    const char *text = smi_arena_text(a, b->p ? b->p : "", b->n);
    smi_buf_fini(b);
    return text;
}

void smi_buf_fini(struct smi_buf *b)
{
    smi_mem_free(b->p);
    *b = (struct smi_buf){0};
}

/* ---- errors ---- */

int smi_err_set(struct smi_err *err, int code, const char *fmt, ...)
{
    va_list ap;
    if (!err || err->code)
        return -1;
    err->code = code;
    va_start(ap, fmt);
    vsnprintf(err->text, sizeof err->text, fmt, ap);
    va_end(ap);
    return -1;
}

const char *smi_exit_text(char to[SMI_EXIT_TEXT], int64_t code)
{
    const char *name = code > 128 && code < 256 ? sigabbrev_np((int)code - 128) : NULL;
    if (name)
        snprintf(to, SMI_EXIT_TEXT, "killed by SIG%s", name);
    else
        snprintf(to, SMI_EXIT_TEXT, "exit status %" PRId64, code);
    return to;
}
