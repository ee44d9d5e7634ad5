#include "live/record_file.h"

#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int smi_record_file_open(struct smi_record_file *r, const char *path, int heads, int64_t most, int keep,
                         struct smi_err *err)
{
    *r = (struct smi_record_file){
        .heads = heads, .left = heads, .most = most, .rotate_at = most, .keep = keep, .dir = AT_FDCWD};
    r->path = smi_mem_text(path, strlen(path));
    return r->path ? 0 : smi_err_nomem(err);
}

void smi_record_file_begin(struct smi_record_file *r)
{
    smi_buf_clear(&r->part);
    smi_buf_clear(&r->next);
    r->skipping = false;
    r->left = r->heads;
}

static int64_t lines_of(const char *p, size_t n)
{
    int64_t lines = 0;
    for (const char *end = p + n; (p = memchr(p, '\n', (size_t)(end - p))); p++)
        lines++;
    return lines;
}

/* NAME.K, or NAME itself for -1. */
static const char *part_name(const struct smi_record_file *r, int k, char *room)
{
    snprintf(room, PATH_MAX, k < 0 ? "%s" : "%s.%d", r->path, k);
    return room;
}

static int rename_part(const struct smi_record_file *r, int from, int to)
{
    char a[PATH_MAX], b[PATH_MAX];
    return renameat(r->dir, part_name(r, from, a), r->dir, part_name(r, to, b)) == 0 ? 0 : errno;
}

/* As logrotate does it: NAME becomes NAME.1, NAME.1 becomes NAME.2 and so on, up to a number that is free.
 * Where there are enough, the oldest part is replaced. NAME leaves first, as NAME.0: if that fails, no part
 * moves; if a later step fails, it comes back. Returns 0 or an errno. */
static int put_aside(const struct smi_record_file *r)
{
    char name[PATH_MAX];
    int k = 1, rc = rename_part(r, -1, 0);
    if (rc)
        return rc;
    while (k != r->keep && faccessat(r->dir, part_name(r, k, name), F_OK, AT_SYMLINK_NOFOLLOW) == 0)
        k++;
    for (; k > 0 && !rc; k--)
        rc = rename_part(r, k - 1, k);
    if (rc)
        (void)rename_part(r, 0, -1);
    return rc;
}

/* Puts the file aside and begins another one, with the header, unless n bytes find room: the file may be
 * another one than at the last write. */
static void rotate(struct smi_record_file *r, size_t n)
{
    struct smi_err err = {0};
    if (smi_append_check(&r->to, &err) || r->to.size + (int64_t)n <= r->rotate_at)
        return;
    r->stuck = put_aside(r);
    r->rotate_at = r->stuck ? r->to.size + r->most : r->most;
    if (!r->stuck)
        (void)smi_append_renew(&r->to, &err); /* else the next line tries again */
}

static void write_lines(struct smi_record_file *r, const char *p, size_t n)
{
    struct smi_err err = {0};
    if (n == 0)
        return;
    if (!r->to.path && smi_append_open_at(&r->to, r->dir, r->path, &err) == 0)
        r->to.head = &r->head;
    if (r->most && r->to.path && r->to.size && r->to.size + (int64_t)n > r->rotate_at)
        rotate(r, n);
    if (!r->to.path || smi_append_line(&r->to, p, n, &err)) {
        r->full = true;
        r->lost += lines_of(p, n);
        snprintf(r->why, sizeof r->why, "%.150s", err.text);
        return;
    }
    r->full = false;
}

/* A line of the header: when all of it is there, it is written if it is new. */
static int read_header(struct smi_record_file *r, const char *p, size_t n)
{
    smi_buf_add(&r->next, p, n);
    if (--r->left > 0 || r->next.failed)
        return r->next.failed ? -1 : 0;
    if (r->next.n == r->head.n && memcmp(r->next.p, r->head.p, r->head.n) == 0)
        return 0;
    smi_buf_clear(&r->head);
    smi_buf_add(&r->head, r->next.p, r->next.n);
    write_lines(r, r->head.p, r->head.n);
    return r->head.failed ? -1 : 0;
}

/* Whole lines, each with its end. */
static int record_lines(struct smi_record_file *r, const char *p, size_t n)
{
    const char *end = p + n;
    while (r->left > 0 && p < end) {
        const char *nl = memchr(p, '\n', (size_t)(end - p));
        if (read_header(r, p, (size_t)(nl + 1 - p)))
            return -1;
        p = nl + 1;
    }
    write_lines(r, p, (size_t)(end - p));
    return 0;
}

/* The beginning of a line, which waits for its end. */
static int keep_part(struct smi_record_file *r, const char *p, size_t n)
{
    if (!r->skipping && r->part.n + n > SMI_RECORDED_LINE_MAX) {
        r->cut++;
        r->skipping = true;
        smi_buf_clear(&r->part);
    }
    if (!r->skipping && n)
        smi_buf_add(&r->part, p, n);
    return r->part.failed ? -1 : 0;
}

int smi_record_file_put(struct smi_record_file *r, const char *p, size_t n)
{
    const char *end = p + n, *first = memchr(p, '\n', n), *last = memrchr(p, '\n', n);
    int rc = 0;
    if (first && (r->skipping || r->part.n)) { /* the end of what waits */
        if (keep_part(r, p, (size_t)(first + 1 - p)))
            return -1;
        if (!r->skipping)
            rc = record_lines(r, r->part.p, r->part.n);
        smi_buf_clear(&r->part);
        r->skipping = false;
        p = first + 1;
    }
    if (rc == 0 && last && last >= p) {
        rc = record_lines(r, p, (size_t)(last + 1 - p));
        p = last + 1;
    }
    return rc == 0 && p < end ? keep_part(r, p, (size_t)(end - p)) : rc;
}

void smi_record_file_close(struct smi_record_file *r)
{
    smi_append_close(&r->to);
    smi_buf_fini(&r->part);
    smi_buf_fini(&r->head);
    smi_buf_fini(&r->next);
    smi_mem_free(r->path);
    *r = (struct smi_record_file){0};
}
