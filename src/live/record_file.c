#include "live/record_file.h"

#include "base/mem.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

int smi_record_file_open(struct smi_record_file *r, const char *path, int heads, int64_t most, int keep,
                         struct smi_err *err)
{
    *r = (struct smi_record_file){.heads = heads, .most = most, .keep = keep};
    if (access(path, F_OK) == 0)
        return smi_err_set(err, SMI_EUSAGE, "%s is there already", path);
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

/* As logrotate does it: NAME.1 becomes NAME.2 and so on, then NAME becomes NAME.1. Where there are enough,
 * the oldest part is replaced. Parts that somebody packed or took away are not missed. */
static int put_aside(struct smi_record_file *r)
{
    struct smi_buf from = {0}, to = {0};
    int rc = 0, k = r->keep && r->parts >= r->keep ? r->keep - 1 : r->parts;
    r->parts = k + 1;
    for (; k >= 0; k--) {
        smi_buf_clear(&from);
        smi_buf_clear(&to);
        smi_buf_fmt(&from, k ? "%s.%d" : "%s", r->path, k);
        smi_buf_fmt(&to, "%s.%d", r->path, k + 1);
        rc = from.failed || to.failed ? -1 : rename(from.p, to.p);
    }
    smi_buf_fini(&from);
    smi_buf_fini(&to);
    return rc;
}

/* Puts the file aside and begins another one, with the header. */
static void rotate(struct smi_record_file *r)
{
    struct smi_err err = {0};
    if (put_aside(r))
        return;
    smi_append_close(&r->to);
    r->bytes = 0;
    r->open = smi_append_open(&r->to, r->path, &err) == 0;
    if (r->open && r->head.n && smi_append_line(&r->to, r->head.p, r->head.n, &err) == 0)
        r->bytes = (int64_t)r->head.n;
}

static void write_lines(struct smi_record_file *r, const char *p, size_t n)
{
    struct smi_err err = {0};
    if (n == 0)
        return;
    if (!r->open && smi_append_open(&r->to, r->path, &err) == 0)
        r->open = true;
    if (r->most && r->bytes && r->bytes + (int64_t)n > r->most)
        rotate(r);
    if (!r->open || smi_append_line(&r->to, p, n, &err)) {
        r->full = true;
        r->lost += lines_of(p, n);
        snprintf(r->why, sizeof r->why, "%.150s", err.text);
        return;
    }
    r->full = false;
    r->bytes += (int64_t)n;
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
    if (r->open)
        smi_append_close(&r->to);
    smi_buf_fini(&r->part);
    smi_buf_fini(&r->head);
    smi_buf_fini(&r->next);
    smi_mem_free(r->path);
    *r = (struct smi_record_file){0};
}
