#include "base/container.h"

#include "base/wandb.h"

#include <string.h>

enum { TAR_BLOCK = 512, SUM = 148, SUM_BYTES = 8 };

static const struct {
    const char *bytes;
    size_t n;
    enum smi_container is;
} magics[] = {
    {"\x1F\x8B\x08", 3, SMI_CONTAINER_GZIP},
    {"\x28\xB5\x2F\xFD", 4, SMI_CONTAINER_ZSTD},
    {"\xFD"
     "7zXZ",
     6, SMI_CONTAINER_XZ},
    {"PK\x03\x04", 4, SMI_CONTAINER_ZIP},
    {"PK\x05\x06", 4, SMI_CONTAINER_ZIP}, /* empty */
    {"\xFF\xFE", 2, SMI_CONTAINER_UTF16LE},
    {"\xFE\xFF", 2, SMI_CONTAINER_UTF16BE},
    {SMI_WANDB_MAGIC, sizeof SMI_WANDB_MAGIC - 1, SMI_CONTAINER_WANDB},
};

/* "BZh9" and then a block (pi) or the end of an empty stream (its square root). */
static bool is_bzip2(const char *p, size_t n)
{
    return n >= 10 && memcmp(p, "BZh", 3) == 0 && p[3] >= '1' && p[3] <= '9' &&
           (memcmp(p + 4, "1AY&SY", 6) == 0 || memcmp(p + 4, "\x17\x72\x45\x38\x50\x90", 6) == 0);
}

/* A frame to be passed over stands in front of what pzstd and others write: 50 2A 4D 18 to 5F 2A 4D 18. */
static bool is_skippable_zstd(const char *p, size_t n)
{
    return n >= 4 && ((unsigned char)p[0] & 0xF0) == 0x50 && memcmp(p + 1, "\x2A\x4D\x18", 3) == 0;
}

/* The octal number of a header's checksum; -1 if it is none. */
static long read_octal(const char *p, size_t n)
{
    long v = 0;
    size_t i = 0, digits = 0;
    while (i < n && p[i] == ' ')
        i++;
    for (; i < n && p[i] >= '0' && p[i] <= '7'; i++, digits++)
        v = 8 * v + (p[i] - '0');
    return digits && (i == n || p[i] == 0 || p[i] == ' ') ? v : -1;
}

/* By the checksum alone: headers older than POSIX have no other mark. Some programs summed signed bytes. */
static bool is_tar(const char *p, size_t n)
{
    const unsigned char *u = (const unsigned char *)p;
    unsigned sum = SUM_BYTES * ' ', high = 0; /* all bytes, and those above 127 */
    long want;
    if (n < TAR_BLOCK || !p[0] || (want = read_octal(p + SUM, SUM_BYTES)) < 0)
        return false;
    for (size_t i = 0; i < TAR_BLOCK; i++) {
        sum += u[i];
        high += u[i] >> 7;
    }
    for (size_t i = SUM; i < SUM + SUM_BYTES; i++) { /* blanks stand for the sum itself */
        sum -= u[i];
        high -= u[i] >> 7;
    }
    return want == (long)sum || want == (long)sum - 256 * (long)high;
}

/* Logs begin with a letter, a digit, a brace, a blank: nothing above does but for Z and P. */
static bool cannot_be_magic(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '{' || c == '#';
}

enum smi_container smi_container_detect(const char *p, size_t n)
{
    if (n > SUM && cannot_be_magic(*p) && read_octal(p + SUM, n - SUM < SUM_BYTES ? n - SUM : SUM_BYTES) < 0)
        return SMI_CONTAINER_PLAIN;
    for (size_t i = 0; i < sizeof magics / sizeof *magics; i++)
        if (n >= magics[i].n && memcmp(p, magics[i].bytes, magics[i].n) == 0)
            return magics[i].is;
    if (is_bzip2(p, n))
        return SMI_CONTAINER_BZIP2;
    if (is_skippable_zstd(p, n))
        return SMI_CONTAINER_ZSTD;
    return is_tar(p, n) ? SMI_CONTAINER_TAR : SMI_CONTAINER_PLAIN;
}

bool smi_container_is_packed(enum smi_container c)
{
    return c >= SMI_CONTAINER_GZIP && c <= SMI_CONTAINER_BZIP2;
}

bool smi_container_is_archive(enum smi_container c)
{
    return c == SMI_CONTAINER_TAR || c == SMI_CONTAINER_ZIP;
}

const char *smi_container_name(enum smi_container c)
{
    static const char *const names[] = {
        [SMI_CONTAINER_PLAIN] = "plain",    [SMI_CONTAINER_GZIP] = "gzip",
        [SMI_CONTAINER_ZSTD] = "zstd",      [SMI_CONTAINER_XZ] = "xz",
        [SMI_CONTAINER_BZIP2] = "bzip2",    [SMI_CONTAINER_UTF16LE] = "UTF-16",
        [SMI_CONTAINER_UTF16BE] = "UTF-16", [SMI_CONTAINER_WANDB] = "W&B",
        [SMI_CONTAINER_TAR] = "tar",        [SMI_CONTAINER_ZIP] = "zip",
    };
    return names[c];
}
