/* sniff.c - looks at the first bytes of one file: is it a log, and of which format? Never by its name. */
#include "discover/tree.h"

#include "base/file.h"
#include "detect/detect.h"

#include <string.h>
#include <unistd.h>

enum {
    HEAD = 4096, /* bytes looked at first */
    BINARY = 512 /* a NUL so early decides it (formats.md §9b) */
};

/* Reads until buf holds `want` bytes or the file ends. Returns how many it holds, or -1. */
static ssize_t fill(int fd, char *buf, size_t n, size_t want, const char *name, struct smi_err *err)
{
    while (n < want) {
        ssize_t got = smi_file_read(fd, buf + n, want - n, name, err);
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        n += (size_t)got;
    }
    return (ssize_t)n;
}

static void judge(char *buf, int fd, struct smi_entry *e, struct smi_detect *why, struct smi_err *err)
{
    ssize_t n;
    if (e->format >= 0 || (n = fill(fd, buf, 0, HEAD, e->name, err)) < 0)
        return;
    e->format = smi_detect(buf, (size_t)n, n < HEAD, why);
    if (e->format >= 0 || n < HEAD || why->ours || memchr(buf, 0, BINARY))
        return;
    n = fill(fd, buf, (size_t)n, SMI_SNIFF_BYTES, e->name, err);
    if (n < 0)
        return;
    memset(why, 0, sizeof *why);
    e->format = smi_detect(buf, (size_t)n, n < SMI_SNIFF_BYTES, why);
}

void smi_sniff(struct smi_entry *e, int dirfd, bool named, char *buf, struct smi_arena *texts,
               struct smi_err *err)
{
    struct smi_file_info info;
    struct smi_detect why = {0};
    struct smi_err bad = {0};
    const char *text = NULL;
    int fd = smi_file_open(dirfd, e->name, named, &info, &bad);
    if (fd >= 0 && !info.stream)
        judge(buf, fd, e, &why, &bad);
    if (fd >= 0)
        close(fd);
    e->kind = bad.code         ? SMI_ENTRY_BAD
              : info.stream    ? SMI_ENTRY_STREAM
              : e->format >= 0 ? SMI_ENTRY_LOG
                               : SMI_ENTRY_OTHER;
    e->bare = why.bare;
    e->messages = why.messages;
    if (e->kind == SMI_ENTRY_BAD)
        text = bad.text;
    else if (e->kind == SMI_ENTRY_OTHER && (named || why.messages))
        text = why.why;
    if (fd >= 0) {
        e->dev = info.dev;
        e->ino = info.ino;
    }
    if (text && !(e->text = smi_arena_text(texts, text, strlen(text))))
        smi_err_nomem(err);
}
