/* discover_headers.c - a log was rotated while its monitor went on: only its oldest part has a header. */
#include "sweep/discover_private.h"

#include "base/file.h"
#include "base/stream.h"
#include "formats/file_group.h"
#include "formats/format.h"
#include "formats/row_shape.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { HEADER = 8192 /* bytes of the longest */ };

/* Its first line, less a byte order mark and comments above it; or NULL. buf: HEADER bytes. */
static char *read_first_line(const char *path, char *buf)
{
    struct smi_file_info info;
    struct smi_err err = {0};
    int fd = smi_file_open_seen(AT_FDCWD, path, &info, &err);
    struct smi_fd_source from = smi_fd_source_make(fd, path);
    struct smi_stream *s = fd < 0 || info.stream ? NULL : smi_stream_open(&from.pull, &err);
    size_t n = 0;
    ssize_t some = 1;
    while (s && some > 0 && n < HEADER - 1) {
        some = smi_stream_read(s, buf + n, HEADER - 1 - n, &err);
        n += some > 0 ? (size_t)some : 0;
    }
    smi_stream_close(s);
    if (fd >= 0)
        close(fd);
    buf[n] = 0;
    if (strncmp(buf, "\xEF\xBB\xBF", 3) == 0)
        buf += 3;
    while (*buf == '#') {
        buf += strcspn(buf, "\n");
        buf += *buf == '\n';
    }
    buf[strcspn(buf, "\r\n")] = 0;
    return *buf ? buf : NULL;
}

static bool is_header(const char *line)
{
    return (*line < '0' || *line > '9') &&
           smi_formats[SMI_FMT_QUERY]->sniff(smi_text_of(line)) == SMI_SNIFF_YES;
}

static size_t count_commas(const char *line)
{
    size_t n = 0;
    for (; *line; line++)
        n += *line == ',';
    return n;
}

/* Are the columns of this log told by the shape of its rows, or by nothing? */
static bool lacks_header(const struct smi_entry *e)
{
    return e->kind == SMI_ENTRY_LOG && !e->inside &&
           (e->bare || (e->columns && *e->columns == SMI_ROW_SHAPE_GUESS));
}

/* e: of t. Returns 1 if it took the header of the other one, 0, or -1 without memory. */
static int lend_header(struct smi_discovery *g, const struct smi_dir *t, struct smi_entry *e,
                       const struct smi_entry *other)
{
    char buf[HEADER], own[HEADER];
    const char *path, *header, *row;
    if (other->kind != SMI_ENTRY_LOG || other->inside || other->format != SMI_FMT_QUERY ||
        lacks_header(other) || !smi_file_group_same_log(e->name, other->name))
        return 0;
    path = smi_walk_path(&g->out->arena, NULL, t, other->name);
    header = path ? read_first_line(path, buf) : NULL;
    if (!header || !is_header(header))
        return path ? 0 : -1;
    path = smi_walk_path(&g->out->arena, NULL, t, e->name);
    row = path ? read_first_line(path, own) : NULL;
    if (!row || count_commas(row) != count_commas(header))
        return path ? 0 : -1;
    e->columns = smi_arena_text(&g->out->arena, header, strlen(header));
    e->bare = false;
    return e->columns ? 1 : -1;
}

int smi_discovery_lend_headers(struct smi_discovery *g, const struct smi_dir *t,
                               const struct smi_file_group_member *log, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct smi_entry *e = (struct smi_entry *)log[i].entry;
        int rc = 0;
        for (size_t k = 0; k < n && !rc && lacks_header(e); k++)
            rc = lend_header(g, t, e, log[k].entry);
        if (rc < 0)
            return -1;
    }
    return 0;
}
