/* What a process is called: the driver prints the first text of /proc/PID/cmdline, as the process may have
 * changed it
 * ("ray::IDLE", a command line with its arguments in one text), a path or its last piece; pmon 15 bytes of
 * that. */
#include "process/tree_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

enum { SHORT = 15 /* bytes of a name that the kernel keeps, and pmon prints */ };

static struct smi_text last_piece(struct smi_text t)
{
    const char *slash = t.n ? memrchr(t.p, '/', t.n) : NULL;
    return slash ? (struct smi_text){slash + 1, t.n - (size_t)(slash + 1 - t.p)} : t;
}

static struct smi_text first_word(struct smi_text t)
{
    const char *blank = t.n ? memchr(t.p, ' ', t.n) : NULL;
    return blank ? (struct smi_text){t.p, (size_t)(blank - t.p)} : t;
}

/* One that was cut counts as far as it goes. */
static bool same_name(struct smi_text a, struct smi_text b)
{
    size_t n = a.n < b.n ? a.n : b.n;
    return n && (a.n == b.n || n == SHORT) && memcmp(a.p, b.p, n) == 0;
}

static bool fits_cut_name(struct smi_text name, struct smi_text other)
{
    return same_name(name, other) || same_name(last_piece(name), last_piece(other)) ||
           same_name(last_piece(first_word(name)), last_piece(first_word(other)));
}

/* The program that it runs: a link's text. */
static struct smi_text program_name(const struct smi_tree *t, int32_t pid, char *to, size_t size)
{
    static const char deleted[] = " (deleted)";
    char path[SMI_TREE_PATH];
    ssize_t n;
    snprintf(path, sizeof path, "%s/%d/exe", t->proc, (int)pid);
    n = readlink(path, to, size);
    if (n > (ssize_t)sizeof deleted &&
        memcmp(to + n - (sizeof deleted - 1), deleted, sizeof deleted - 1) == 0)
        n -= (ssize_t)sizeof deleted - 1;
    return (struct smi_text){to, n > 0 ? (size_t)n : 0};
}

enum smi_tree_name_matches smi_tree_name_matches(struct smi_tree *t, pid_t pid, const char *name)
{
    const struct smi_text is = smi_text_of(name);
    char link[SMI_TREE_LINE];
    struct smi_tree_stat s;
    struct smi_text line;
    ssize_t n;
    int fd;
    if (!is.n || smi_tree_stat_of(t, (int32_t)pid, -1, &s) != SMI_TREE_GOT)
        return SMI_TREE_NAME_UNKNOWN;
    if (fits_cut_name(is, smi_text_of(s.comm)) ||
        fits_cut_name(is, program_name(t, (int32_t)pid, link, sizeof link)))
        return SMI_TREE_NAMED_SO;
    fd = smi_tree_file(t, (int32_t)pid, "cmdline");
    n = fd < 0 ? 0 : pread(fd, t->buf, SMI_TREE_LINE, 0);
    if (fd >= 0)
        close(fd);
    line = (struct smi_text){t->buf, n > 0 ? strnlen(t->buf, (size_t)n) : 0};
    return fits_cut_name(is, line) ? SMI_TREE_NAMED_SO : SMI_TREE_NAMED_OTHERWISE;
}
