#include "base/utf16.h"

#include <string.h>

enum { ODD = 0xFFFD, BOM = 0xFEFF, UNIT = 8 /* bytes that one may become */ };

static size_t write_utf8(char *to, uint32_t c)
{
    if (c < 0x80) {
        to[0] = (char)c;
        return 1;
    }
    if (c < 0x800) {
        to[0] = (char)(0xC0 | c >> 6);
        to[1] = (char)(0x80 | (c & 63));
        return 2;
    }
    if (c < 0x10000) {
        to[0] = (char)(0xE0 | c >> 12);
        to[1] = (char)(0x80 | (c >> 6 & 63));
        to[2] = (char)(0x80 | (c & 63));
        return 3;
    }
    to[0] = (char)(0xF0 | c >> 18);
    to[1] = (char)(0x80 | (c >> 12 & 63));
    to[2] = (char)(0x80 | (c >> 6 & 63));
    to[3] = (char)(0x80 | (c & 63));
    return 4;
}

/* One unit becomes up to two characters at `to`. */
static size_t decode_unit(struct smi_utf16 *u, uint32_t c, char *to)
{
    size_t n = 0;
    bool low = c >= 0xDC00 && c < 0xE000;
    if (u->high && low) {
        c = 0x10000 + ((u->high - 0xD800) << 10) + (c - 0xDC00);
        low = false;
    } else if (u->high) {
        n = write_utf8(to, ODD);
    }
    u->high = 0;
    if (c >= 0xD800 && c < 0xDC00)
        u->high = c;
    else if (u->begun || c != BOM)
        n += write_utf8(to + n, low ? ODD : c);
    u->begun = true;
    return n;
}

/* Whole units into in[]. Returns 0, or -1 with err. */
static int fill_input(struct smi_utf16 *u, struct smi_err *err)
{
    ssize_t got;
    u->n -= u->at;
    memmove(u->in, u->in + u->at, u->n);
    u->at = 0;
    while (u->n < 2 && !u->ended) {
        got = u->made.from->read(u->made.from, u->in + u->n, sizeof u->in - u->n, err);
        if (got < 0)
            return -1;
        u->ended = got == 0;
        u->n += (size_t)got;
    }
    return 0;
}

/* What one more unit, or the end, gives at `to`. Returns how many bytes, or -1 with err. */
static ssize_t decode_next(struct smi_utf16 *u, char *to, struct smi_err *err)
{
    const unsigned char *p;
    size_t n = 0;
    if (u->n - u->at < 2 && fill_input(u, err))
        return -1;
    p = u->in + u->at;
    if (u->n - u->at >= 2) {
        u->at += 2;
        return (ssize_t)decode_unit(u, u->big ? (uint32_t)p[0] << 8 | p[1] : (uint32_t)p[1] << 8 | p[0], to);
    }
    if (u->high || u->at < u->n)
        n = write_utf8(to, ODD);
    u->high = 0;
    u->at = u->n;
    return (ssize_t)n;
}

static int fill_utf8(struct smi_made_source *self, struct smi_err *err)
{
    struct smi_utf16 *u = (struct smi_utf16 *)self;
    ssize_t got;
    self->p = u->out;
    while (self->n + UNIT <= sizeof u->out) {
        got = decode_next(u, u->out + self->n, err);
        if (got < 0)
            return -1;
        self->n += (size_t)got;
        if (!got && u->ended && u->at == u->n && !u->high)
            break;
    }
    return 0;
}

void smi_utf16_open(struct smi_utf16 *u, struct smi_byte_source *from, bool big)
{
    *u = (struct smi_utf16){.big = big};
    smi_made_source_open(&u->made, from, true, fill_utf8);
}
