/* side.c - which kind a side is, and the way to its runs. */
#include "compare/earlier.h"

#include "base/file.h"
#include "partial/partial.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { HEAD = 256 };

static int read_partial(struct smi_sweep *out, const char *path, const struct smi_options *o, struct smi_err *err)
{
    struct smi_partials p = {0};
    int rc = smi_partials_file(&p, path, NULL, err);
    rc = rc ? rc : smi_sweep_merge(out, &p, o, err);
    smi_partials_fini(&p);
    if (!rc) {
        out->usable = (int64_t)out->n;
        out->title = smi_arena_text(&out->arena, path, strlen(path));
    }
    return rc ? rc : out->title ? 0 : smi_err_nomem(err);
}

enum smi_side_kind smi_side_kind(const char *path)
{
    static const char *const words[] = {"{", "\"schema\"", ":", "\"smilog"};
    struct smi_file_info info;
    char head[HEAD], *p = head;
    ssize_t n;
    int fd = strcmp(path, "-") == 0 ? -1 : smi_file_open(AT_FDCWD, path, false, &info, NULL);
    if (fd < 0)
        return SMI_SIDE_LOGS;
    n = smi_file_read(fd, head, sizeof head - 1, path, NULL);
    close(fd);
    head[n > 0 ? n : 0] = 0;
    for (int i = 0; i < 4; i++) {
        p += strspn(p, " \t\r\n");
        if (strncmp(p, words[i], strlen(words[i])) != 0)
            return SMI_SIDE_LOGS;
        p += strlen(words[i]);
    }
    return *p == '/' ? SMI_SIDE_JSON : *p == '-' ? SMI_SIDE_PARTIAL : SMI_SIDE_LOGS;
}

int smi_side_read(struct smi_sweep *out, const char *path, const struct smi_discover_opts *d,
                  const struct smi_options *o, struct smi_err *err)
{
    enum smi_side_kind kind = smi_side_kind(path);
    int rc;
    memset(out, 0, sizeof *out);
    if (kind == SMI_SIDE_LOGS)
        return smi_sweep_read(out, &path, 1, d, o, err);
    rc = kind == SMI_SIDE_JSON ? smi_earlier_read(out, path, err) : read_partial(out, path, o, err);
    if (rc)
        smi_sweep_fini(out);
    return rc;
}
