/* partial_file.c - files of partial summaries: a document a line, and behind the last one a line that says
 * how many they are, so that a file that was cut between two of them is seen. Files may be joined: each
 * brings its end. */
#include "base/stream.h"
#include "base/file.h"
#include "summary/merge_queue.h"
#include "summary/partial_checksum_private.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

const struct smi_text smi_partial_checksum_begin = {
    "{\"schema\": \"" SMI_PARTIAL_SCHEMA "\", \"sum\": \"",
    sizeof "{\"schema\": \"" SMI_PARTIAL_SCHEMA "\", \"sum\": \"" - 1};
static const char end_begin[] = "{\"schema\": \"" SMI_PARTIAL_SCHEMA "\", \"documents\": ";

bool smi_partial_is_current(const char *text, size_t n)
{
    size_t most = n < smi_partial_checksum_begin.n ? n : smi_partial_checksum_begin.n;
    return memcmp(text, smi_partial_checksum_begin.p, most) == 0;
}

uint64_t smi_partial_checksum(uint64_t sum, const char *p, size_t n)
{
    const uint64_t basis = 0xcbf29ce484222325u, prime = 0x100000001b3u;
    sum ^= basis; /* of no bytes: 0 */
    for (size_t i = 0; i < n; i++)
        sum = (sum ^ (unsigned char)p[i]) * prime;
    return sum ^ basis;
}

uint64_t smi_partial_document_sum(const char *p, size_t n)
{
    static const char schema[] = SMI_PARTIAL_SCHEMA;
    return smi_partial_checksum(smi_partial_checksum(0, schema, sizeof schema - 1), p, n);
}

void smi_partial_checksum_text(char *to, uint64_t sum)
{
    snprintf(to, SMI_PARTIAL_CHECKSUM_TEXT, "%016llx", (unsigned long long)sum);
}

void smi_partial_end_add(struct smi_partial_end *e, const char *text, size_t n)
{
    e->sum = smi_partial_checksum(e->sum, text, n);
    for (const char *end = text + n; (text = memchr(text, '\n', (size_t)(end - text))); text++)
        e->n++;
}

void smi_partial_write_end(struct smi_buf *to, const struct smi_partial_end *e)
{
    static const char schema[] = SMI_PARTIAL_SCHEMA;
    smi_buf_fmt(to, "%s%llu, \"sum\": \"%016llx\"}\n", end_begin, (unsigned long long)e->n,
                (unsigned long long)smi_partial_checksum(e->sum, schema, sizeof schema - 1));
}

/* One file, of lines of any length. */
struct input {
    const char *name;
    struct smi_buf line;
    size_t number;                /* of documents so far */
    struct smi_partial_end since; /* the last end */
};

static int read_end_line(struct input *in, struct smi_err *err)
{
    struct smi_buf want = {0};
    bool right;
    smi_partial_write_end(&want, &in->since);
    right = want.n == in->line.n + 1 && memcmp(want.p, in->line.p, in->line.n) == 0;
    in->since = (struct smi_partial_end){0};
    smi_buf_fini(&want);
    if (!right)
        return smi_err_set(err, SMI_EFORMAT,
                           "%.200s: behind document %zu: broken partial summary: documents are "
                           "missing, or their end was changed",
                           in->name, in->number);
    return 0;
}

static int add_document_line(struct smi_merge_queue *p, struct input *in, struct smi_err *err)
{
    int rc = in->line.failed ? smi_err_nomem(err) : 0;
    if (!rc && smi_text_starts_nocase((struct smi_text){in->line.p, in->line.n}, end_begin)) {
        rc = read_end_line(in, err);
    } else if (!rc && in->line.n) {
        rc = smi_merge_queue_add(p, in->line.p, in->line.n, in->name, ++in->number, err);
        smi_partial_end_add(&in->since, in->line.p, in->line.n);
        smi_partial_end_add(&in->since, "\n", 1);
    }
    smi_buf_clear(&in->line);
    return rc;
}

static int add_bytes(struct smi_merge_queue *p, struct input *in, const char *at, size_t n,
                     struct smi_err *err)
{
    for (const char *end = at + n, *lf; at < end; at = lf + 1) {
        lf = memchr(at, '\n', (size_t)(end - at));
        smi_buf_add(&in->line, at, (size_t)((lf ? lf : end) - at));
        if (in->line.n > SMI_PARTIAL_MAX)
            return smi_err_set(err, SMI_ELIMIT,
                               "%.200s: document %zu: no partial summary: a line of more than %d MiB",
                               in->name, in->number + 1, SMI_PARTIAL_MAX >> 20);
        if (!lf)
            break;
        if (add_document_line(p, in, err))
            return -1;
    }
    return 0;
}

/* Behind the last byte. */
static int add_last_line(struct smi_merge_queue *p, struct input *in, const char *doubt, struct smi_err *err)
{
    if (doubt)
        return smi_err_set(err, SMI_EFORMAT, "%.200s: %.200s", in->name, doubt);
    if (in->line.n) { /* a cut one says what it is */
        if (smi_merge_queue_add(p, in->line.p, in->line.n, in->name, in->number + 1, err))
            return -1;
        return smi_err_set(err, SMI_EFORMAT,
                           "%.200s: document %zu: broken partial summary: cut, its end is missing", in->name,
                           in->number + 1);
    }
    if (in->since.n)
        return smi_err_set(err, SMI_EFORMAT,
                           "%.200s: behind document %zu: broken partial summary: cut, the line that "
                           "says how many documents there are is missing",
                           in->name, in->number);
    if (!in->number)
        return smi_err_set(err, SMI_EFORMAT, "%.300s: is empty, and no partial summary", in->name);
    return 0;
}

int smi_merge_queue_add_file(struct smi_merge_queue *p, const char *path, struct smi_err *err)
{
    struct input in = {.name = strcmp(path, "-") == 0 ? "standard input" : path};
    struct smi_file_info info;
    char piece[65536];
    ssize_t n = 0;
    int fd = smi_file_open(AT_FDCWD, path, true, &info, err), rc;
    struct smi_fd_source from = smi_fd_source_make(fd, in.name);
    struct smi_stream *s = fd < 0 ? NULL : smi_stream_open(&from.pull, err);
    for (rc = s ? 0 : -1; !rc && (n = smi_stream_read(s, piece, sizeof piece, err)) > 0;)
        rc = add_bytes(p, &in, piece, (size_t)n, err);
    if (!rc)
        rc = n < 0 ? -1 : add_last_line(p, &in, smi_stream_warning(s), err);
    smi_stream_close(s);
    if (fd >= 0)
        close(fd);
    smi_buf_fini(&in.line);
    return rc;
}
