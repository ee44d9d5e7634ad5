/* walk_sniff.c - looks at the first bytes of one file: is it a log, and of which format? Never by its name.
 */
#include "sweep/walk.h"

#include "base/stream.h"
#include "base/file.h"
#include "formats/detect.h"
#include "formats/samples_runs.h"
#include "sweep/config.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Reads until buf holds `want` bytes or they end. Returns how many it holds, or -1. */
static ssize_t fill_buffer(struct smi_byte_source *from, char *buf, size_t n, size_t want,
                           struct smi_err *err)
{
    while (n < want) {
        ssize_t got = from->read(from, buf + n, want - n, err);
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        n += (size_t)got;
    }
    return (ssize_t)n;
}

/* buf holds the first n bytes of `from`. Returns how many it holds at the end, or -1. */
static ssize_t judge_bytes(char *buf, ssize_t n, struct smi_byte_source *from, struct smi_entry *e,
                           struct smi_detect *why, struct smi_err *err)
{
    size_t size = SMI_DETECT_FIRST;
    while (size && n >= 0 && !err->code) {
        n = fill_buffer(from, buf, (size_t)n, size, err);
        if (n >= 0)
            size = smi_detect_look(buf, (size_t)n, size, e->columns, &e->format, why, err);
    }
    return err->code ? -1 : n;
}

/* Compressed, UTF-16 or an archive: what it is decoded to is judged. */
static void judge_coded(char *buf, struct smi_byte_source *from, struct smi_entry *e, struct smi_detect *why,
                        struct smi_err *err)
{
    struct smi_stream *s = smi_stream_open(from, err);
    enum smi_container holds = s ? smi_stream_content(s) : SMI_CONTAINER_PLAIN;
    ssize_t n = s && holds == SMI_CONTAINER_PLAIN && e->format < 0
                    ? fill_buffer(smi_stream_source(s), buf, 0, SMI_DETECT_FIRST, err)
                    : -1;
    if (smi_container_is_archive(holds)) {
        e->kind = SMI_ENTRY_ARCHIVE;
        e->format = -1; /* --input-format is of files */
    } else if (holds != SMI_CONTAINER_PLAIN)
        snprintf(why->why, sizeof why->why, "%s data that was packed twice: not read",
                 smi_container_name(holds));
    if (n >= 0)
        judge_bytes(buf, n, smi_stream_source(s), e, why, err);
    if (n == 0 && smi_stream_warning(s))
        snprintf(why->why, sizeof why->why, "%s", smi_stream_warning(s));
    smi_stream_close(s);
}

static void look_into(int fd, char *buf, struct smi_entry *e, struct smi_detect *why, struct smi_err *err)
{
    struct smi_fd_source from = smi_fd_source_make(fd, e->name);
    ssize_t n = fill_buffer(&from.pull, buf, 0, SMI_DETECT_FIRST, err);
    bool plain = n >= 0 && smi_container_detect(buf, (size_t)n) == SMI_CONTAINER_PLAIN;
    if (plain && e->format < 0)
        judge_bytes(buf, n, &from.pull, e, why, err);
    else if (!plain && n >= 0 && lseek(fd, 0, SEEK_SET) == 0)
        judge_coded(buf, &from.pull, e, why, err);
}

bool smi_walk_is_recording(const char *name)
{
    static const char *const names[] = {"hw_metrics.csv", "hw_dmon.csv", "cpu_metrics.csv"};
    bool is = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        is |= strcmp(name, names[i]) == 0;
    return is;
}

/* The result, once the format is known. */
static void set_entry_kind(struct smi_entry *e, const struct smi_detect *why, const struct smi_err *bad,
                           bool named, struct smi_arena *texts, struct smi_err *err)
{
    const char *text = NULL;
    if (e->kind != SMI_ENTRY_STREAM && e->kind != SMI_ENTRY_ARCHIVE)
        e->kind = bad->code ? SMI_ENTRY_BAD : e->format >= 0 ? SMI_ENTRY_LOG : SMI_ENTRY_OTHER;
    e->bare = why->bare;
    if (*why->columns && !(e->columns = smi_arena_text(texts, why->columns, strlen(why->columns))))
        smi_err_nomem(err);
    e->messages = why->messages;
    e->broken = why->broken;
    if (e->kind == SMI_ENTRY_BAD)
        text = bad->text;
    else if (e->bare || (e->kind == SMI_ENTRY_OTHER && (named || why->broken)))
        text = why->why;
    if (text && !(e->text = smi_arena_text(texts, text, strlen(text))))
        smi_err_nomem(err);
}

void smi_walk_sniff(struct smi_entry *e, int dirfd, bool named, char *buf, struct smi_arena *texts,
                    struct smi_err *err)
{
    struct smi_file_info info;
    struct smi_detect why = {0};
    struct smi_err bad = {0};
    bool runs = false;
    int fd = named ? smi_file_open(dirfd, e->name, true, &info, &bad)
                   : smi_file_open_seen(dirfd, e->name, &info, &bad);
    if (fd >= 0 && !info.stream) {
        look_into(fd, buf, e, &why, &bad);
        runs = smi_samples_format(e->format) || smi_samples_has_runs(fd, e->name, e->format);
    }
    if (fd >= 0) {
        close(fd);
        e->dev = info.dev;
        e->ino = info.ino;
        if (info.stream)
            e->kind = SMI_ENTRY_STREAM;
    }
    set_entry_kind(e, &why, &bad, named || smi_walk_is_recording(e->name), texts, err);
    if (e->kind == SMI_ENTRY_LOG && runs)
        e->kind = SMI_ENTRY_ARCHIVE;
}

size_t smi_walk_sniff_bytes(struct smi_entry *e, struct smi_byte_source *from, bool named, char *buf,
                            struct smi_arena *texts, struct smi_err *err)
{
    struct smi_detect why = {0};
    struct smi_err bad = {0};
    ssize_t n = judge_bytes(buf, 0, from, e, &why, &bad);
    set_entry_kind(e, &why, &bad, named || smi_walk_is_recording(e->name), texts, err);
    return n < 0 ? 0 : (size_t)n;
}

void smi_config_sniff(struct smi_entry *e, struct smi_text head, struct smi_byte_source *from,
                      struct smi_arena *a, struct smi_err *err)
{
    int rank = smi_config_rank(e->name);
    struct smi_config *c;
    if (rank < 0)
        return;
    c = smi_arena_new(a, 1, sizeof *c);
    if (!c) {
        smi_err_nomem(err);
        return;
    }
    if (smi_config_read(c, rank, head, from, a, err))
        return;
    e->config = c;
    if (e->kind == SMI_ENTRY_OTHER)
        e->kind = SMI_ENTRY_CONFIG;
}

void smi_config_open(struct smi_entry *e, int dirfd, struct smi_arena *a, struct smi_err *err)
{
    struct smi_file_info info;
    struct smi_err bad = {0};
    struct smi_fd_source from;
    off_t tail;
    int fd = smi_file_open(dirfd, e->name, false, &info, &bad);
    if (fd < 0) /* gone meanwhile, or not ours to read */
        return;
    tail = (off_t)smi_config_tail(smi_config_rank(e->name));
    if (tail && info.size > tail)
        lseek(fd, info.size - tail, SEEK_SET); /* one that cannot is read from its beginning */
    from = smi_fd_source_make(fd, e->name);
    smi_config_sniff(e, (struct smi_text){"", 0}, &from.pull, a, err);
    close(fd);
}

void smi_jobs_open(struct smi_entry *e, int dirfd, struct smi_arena *a, struct smi_err *err)
{
    struct smi_config *c = smi_arena_new(a, 1, sizeof *c);
    struct smi_file_info info;
    struct smi_err bad = {0};
    struct smi_buf b = {0};
    char piece[16384];
    ssize_t n = 1;
    int fd = c ? smi_file_open(dirfd, e->name, false, &info, &bad) : -1;
    while (fd >= 0 && b.n < SMI_JOBS_BYTES && (n = smi_file_read(fd, piece, sizeof piece, e->name, &bad)) > 0)
        smi_buf_add(&b, piece, (size_t)n);
    if (fd >= 0)
        close(fd);
    if (!c || b.failed || smi_jobs_read((struct smi_text){b.p ? b.p : "", b.n}, a, &c->job, &c->jobs))
        smi_err_nomem(err);
    else if (c->jobs) {
        e->config = c;
        e->kind = SMI_ENTRY_CONFIG;
    }
    smi_buf_fini(&b);
}
