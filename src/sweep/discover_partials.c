/* discover_partials.c - PATHs that hold no log but partial summaries: a sweep that was stored. Where there is
 * a log, partial summaries beside it are what smilog wrote of it, and passed over. */
#include "sweep/discover_private.h"

#include "base/stream.h"
#include "base/file.h"
#include "summary/partial.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* Does the file begin as a partial summary does, compressed or not? What cannot be read does not. */
static bool is_partial(const char *path)
{
    static const char begin[] = SMI_PARTIAL_BEGIN;
    char head[sizeof begin - 1];
    struct smi_file_info info;
    struct smi_err why = {0};
    size_t n = 0;
    ssize_t got = 1;
    int fd = smi_file_open(AT_FDCWD, path, false, &info, &why);
    struct smi_fd_source from = smi_fd_source_make(fd, path);
    struct smi_stream *s = fd < 0 ? NULL : smi_stream_open(&from.pull, &why);
    while (s && got > 0 && n < sizeof head) {
        got = smi_stream_read(s, head + n, sizeof head - n, &why);
        n += got > 0 ? (size_t)got : 0;
    }
    smi_stream_close(s);
    if (fd >= 0)
        close(fd);
    return n == sizeof head && memcmp(head, begin, n) == 0;
}

static int add_partial_path(struct smi_discovery *g, const char *path)
{
    if (!path)
        return -1;
    if (!is_partial(path))
        return 0;
    if (smi_mem_reserve(&g->stored, &g->stored_cap, g->nstored + 1, sizeof *g->stored))
        return -1;
    g->stored[g->nstored++] = path;
    return 0;
}

int smi_discovery_add_partials(struct smi_discovery *g, const struct smi_dir *t, const struct smi_entry *e)
{
    int rc = 0;
    if (e->kind == SMI_ENTRY_OTHER)
        return add_partial_path(g, smi_walk_path(&g->out->arena, NULL, t, e->name));
    if (e->kind != SMI_ENTRY_DIR || e->sub->archive || e->sub->looped)
        return 0;
    for (size_t i = 0; i < e->sub->entries && !rc; i++)
        rc = smi_discovery_add_partials(g, e->sub, &e->sub->entry[i]);
    return rc;
}
