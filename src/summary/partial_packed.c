#include "summary/partial_packed_private.h"

static const char letters[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_";

enum { BITS = 5, MORE = 1 << BITS, MOST = 126 };

void smi_packed_write(struct smi_buf *to, smi_u128 v)
{
    for (; v >= MORE; v >>= BITS)
        smi_buf_char(to, letters[(unsigned)(v & (MORE - 1)) + MORE]);
    smi_buf_char(to, letters[(unsigned)v]);
}

void smi_packed_write_signed(struct smi_buf *to, smi_i128 v)
{
    smi_packed_write(to, v < 0 ? ((smi_u128) - (v + 1) << 1) + 1 : (smi_u128)v << 1);
}

static int letter_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'A' && c <= 'Z')
        return c - 'A' + 10;
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 36;
    return c == '-' ? 62 : c == '_' ? 63 : -1;
}

smi_u128 smi_packed_read(struct smi_packed *from)
{
    smi_u128 v = 0;
    for (unsigned shift = 0; !from->bad; shift += BITS) {
        int place = from->left.n && shift < MOST ? letter_value(*from->left.p) : -1;
        unsigned digit = (unsigned)place & (MORE - 1);
        if (place < 0 || (shift > MOST - BITS && digit >> (MOST - shift)))
            break;
        from->left.p++;
        from->left.n--;
        v |= (smi_u128)digit << shift;
        if (place < MORE)
            return v;
    }
    from->bad = true;
    return 0;
}

smi_i128 smi_packed_read_signed(struct smi_packed *from)
{
    smi_u128 v = smi_packed_read(from);
    return v & 1 ? -(smi_i128)(v >> 1) - 1 : (smi_i128)(v >> 1);
}

int64_t smi_packed_read_upto(struct smi_packed *from, int64_t most)
{
    smi_u128 v = smi_packed_read(from);
    from->bad |= v > (smi_u128)most;
    return from->bad ? 0 : (int64_t)v;
}

int64_t smi_greatest_divisor(int64_t a, int64_t b)
{
    uint64_t x = a < 0 ? -(uint64_t)a : (uint64_t)a, y = b < 0 ? -(uint64_t)b : (uint64_t)b, rest;
    for (; y; y = rest) {
        rest = x % y;
        x = y;
    }
    return x > INT64_MAX ? 1 : (int64_t)x;
}
