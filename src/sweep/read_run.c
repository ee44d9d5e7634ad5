/* read_run.c - the logs of one run, opened, unpacked and read to statistics. */
#include "sweep/read_run.h"
#include "aggregate/chunks.h"
#include "aggregate/ingest.h"
#include "base/clock.h"
#include "base/digest.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/stream.h"
#include "formats/file_group.h"
#include "formats/samples.h"
#include "model/format_info.h"
#include "summary/gpus.h"
#include "sweep/walk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PIECE = 262144 };

bool smi_read_is_encoded(int fd)
{
    char head[SMI_CONTAINER_MAGIC];
    ssize_t n = smi_file_read_at(fd, head, sizeof head, 0, "", NULL);
    return n > 0 && smi_container_detect(head, (size_t)n) != SMI_CONTAINER_PLAIN;
}

/* NULL with err for bytes that are neither text nor to be unpacked once more, too. */
static struct smi_stream *open_stream(struct smi_byte_source *from, struct smi_err *err)
{
    struct smi_stream *s = smi_stream_open(from, err);
    enum smi_container c = s ? smi_stream_content(s) : SMI_CONTAINER_PLAIN;
    if (c == SMI_CONTAINER_PLAIN)
        return s;
    smi_err_set(err, SMI_EFORMAT,
                smi_container_is_archive(c) ? "a %s archive, which can be read from a file, not from a stream"
                                            : "%s data that was packed twice: not read",
                smi_container_name(c));
    smi_stream_close(s);
    return NULL;
}

int smi_read_stream(struct smi_ingest *in, struct smi_byte_source *from, bool hash,
                    struct smi_read_stream_result *out, struct smi_err *err)
{
    struct smi_stream *s = open_stream(from, err);
    char *piece = s ? smi_mem_raw(PIECE) : NULL;
    struct smi_digest digest = smi_digest_init(0);
    ssize_t n = -1;
    int rc = piece ? 0 : -1;
    *out = (struct smi_read_stream_result){0};
    while (rc == 0 && (n = smi_stream_read(s, piece, PIECE, err)) > 0) {
        out->size += n;
        if (hash)
            smi_digest_add(&digest, piece, (size_t)n);
        rc = smi_ingest_feed(in, piece, (size_t)n, err);
    }
    if (rc == 0 && n == 0 && smi_stream_warning(s))
        snprintf(out->doubt, sizeof out->doubt, "%s", smi_stream_warning(s));
    rc = rc || n < 0 ? -1 : smi_ingest_finish(in, err);
    out->hash = hash ? smi_digest_value(&digest) : 0;
    smi_mem_free(piece);
    smi_stream_close(s);
    return rc;
}

int smi_read_stream_ends(int fd, const char *name, int64_t *size, struct smi_err *err)
{
    struct smi_fd_source from = smi_fd_source_make(fd, name);
    struct smi_stream *s = open_stream(&from.pull, err);
    struct smi_file_ends e = {0};
    char *piece = smi_mem_raw(PIECE);
    ssize_t n = -1;
    int made = -1;
    smi_file_ends_open(&e);
    while (s && (n = smi_stream_read(s, piece, PIECE, err)) > 0)
        smi_file_ends_add(&e, piece, (size_t)n);
    if (n == 0) {
        made = smi_file_ends_make_file(&e, err);
        *size = e.size;
    }
    lseek(fd, 0, SEEK_SET);
    smi_file_ends_fini(&e);
    smi_mem_free(piece);
    smi_stream_close(s);
    return made;
}

/* ---- a stream that is kept while it is read ---- */

/* Is the log of a kind that is not read twice? */
static bool is_copy_done(const struct smi_stream_copy *s)
{
    int format = smi_ingest_format(s->in);
    return !s->whatever && format >= 0 && !(smi_format_infos[format].rows && smi_format_infos[format].marks);
}

static void keep_bytes(struct smi_stream_copy *s, const char *p, size_t n)
{
    int rc = s->fd < 0 && (s->fd = smi_file_temp(&s->lost)) < 0 ? -1 : 0;
    s->size += (int64_t)n;
    if (!rc && s->size > SMI_STREAM_COPY_MAX)
        rc = smi_err_set(&s->lost, SMI_ELIMIT, "more than %lld MiB", (long long)(SMI_STREAM_COPY_MAX >> 20));
    s->over = rc || smi_file_write(s->fd, p, n, "a temporary file", &s->lost);
}

static ssize_t read_kept(struct smi_byte_source *self, void *buf, size_t n, struct smi_err *err)
{
    struct smi_stream_copy *s = (struct smi_stream_copy *)self;
    ssize_t got = s->from.pull.read(&s->from.pull, buf, n, err);
    s->over |= is_copy_done(s);
    if (got > 0 && !s->over)
        keep_bytes(s, buf, (size_t)got);
    return got;
}

struct smi_byte_source *smi_stream_copy_open(struct smi_stream_copy *s, int fd, const char *name)
{
    *s =
        (struct smi_stream_copy){.pull = {.read = read_kept}, .from = smi_fd_source_make(fd, name), .fd = -1};
    return &s->pull;
}

int smi_stream_copy_take(struct smi_stream_copy *s)
{
    int fd = s->fd;
    if (s->over)
        return -1;
    if (fd < 0 || lseek(fd, 0, SEEK_SET) != 0)
        return smi_err_set(&s->lost, SMI_EIO, "a temporary file: %s", strerror(errno));
    s->fd = -1;
    return fd;
}

void smi_stream_copy_fini(struct smi_stream_copy *s)
{
    if (s->fd >= 0)
        close(s->fd);
    s->fd = -1;
}

enum { SMALL = 1 << 17 /* bytes of a log that is held */ };

const struct smi_format_info *smi_read_file_source(const struct smi_run_file *f)
{
    static const struct smi_format_info unknown = {.rows = true};
    return f->f->format < 0 ? &unknown : &smi_format_infos[f->f->format];
}

struct smi_ingest_opts smi_read_opts(const struct smi_run_reader *r, const struct smi_run_file *f)
{
    return (struct smi_ingest_opts){
        .format = f->f->format, .columns = f->f->columns, .gpu_count = r->o->gpu_count};
}

void smi_read_add_problem(struct smi_run_reader *r, const struct smi_run_file *f, const struct smi_err *why)
{
    smi_run_add_problem(r->run, "%s: %s", f->f->shown, why->text);
}

/* Made once, and only for files of equal size. What cannot be read is like nothing else. */
static uint64_t content_hash(struct smi_run_file *f)
{
    char buf[65536];
    struct smi_digest digest = smi_digest_init(0);
    const struct smi_file_view whole = {.fd = f->fd, .name = f->f->path, .all = f->all, .n = f->info.size};
    int64_t at = 0;
    ssize_t n;
    if (f->f->inside)
        return f->f->inside->hash;
    if (f->hashed)
        return f->hash;
    while ((n = smi_file_view_read(&whole, buf, sizeof buf, at, NULL)) > 0) {
        smi_digest_add(&digest, buf, (size_t)n);
        at += n;
    }
    f->hashed = true;
    return f->hash = n < 0 ? (uint64_t)(uintptr_t)f : smi_digest_value(&digest);
}

/* gpu0.csv and gpu1.csv: two GPUs that did the same. */
static bool has_other_gpu(const struct smi_run_file *a, const struct smi_run_file *b)
{
    int one = smi_file_group_gpu(a->f->path), other = smi_file_group_gpu(b->f->path);
    return one >= 0 && other >= 0 && one != other;
}

/* Of what it is unpacked to. */
static bool has_content(const struct smi_run_file *packed, uint64_t want)
{
    char buf[65536];
    struct smi_digest digest = smi_digest_init(0);
    struct smi_fd_source from = smi_fd_source_make(packed->fd, packed->f->path);
    struct smi_err err = {0};
    struct smi_stream *s = smi_stream_open(&from.pull, &err);
    ssize_t n = -1;
    while (s && (n = smi_stream_read(s, buf, sizeof buf, &err)) > 0)
        smi_digest_add(&digest, buf, (size_t)n);
    smi_stream_close(s);
    return lseek(packed->fd, 0, SEEK_SET) == 0 && n == 0 && smi_digest_value(&digest) == want;
}

/* log.csv.gz, of log.csv beside it. */
static bool is_packed_twin(const struct smi_run_file *packed, struct smi_run_file *plain)
{
    return packed->coded && packed->fd >= 0 && !plain->coded &&
           smi_file_group_is_packed_of(packed->f->path, plain->f->path) &&
           has_content(packed, content_hash(plain));
}

/* Both are files, or members of archives. */
static bool have_same_content(struct smi_run_file *a, struct smi_run_file *b)
{
    bool same_file = a->info.ino && a->info.dev == b->info.dev && a->info.ino == b->info.ino;
    if (a->info.stream || b->info.stream || a->info.size == 0 || (!same_file && has_other_gpu(a, b)))
        return false;
    if (is_packed_twin(a, b))
        return true;
    return a->info.size == b->info.size && (same_file || content_hash(a) == content_hash(b));
}

/* A small log is read at once: it is looked at more than once before its rows can be. Short of what its size
 * says, it is left to be read as it comes. */
static void read_small_log(struct smi_run_reader *r, struct smi_run_file *f)
{
    struct smi_read_buffers *room = r->room;
    size_t n = f->info.size > SMALL ? SMALL + 1 : (size_t)f->info.size, got = 0;
    ssize_t some = 1;
    if (f->info.stream || !room || n == 0 || n > SMALL || n > SMI_READ_BUFFER_BYTES - room->used)
        return;
    if (!room->p)
        room->p = smi_mem_raw(SMI_READ_BUFFER_BYTES);
    f->all = room->p + room->used;
    while (got < n &&
           (some = smi_file_read_at(f->fd, f->all + got, n - got, (int64_t)got, f->f->path, NULL)) > 0)
        got += (size_t)some;
    if (got == n)
        room->used += n;
    else
        f->all = NULL;
}

void smi_read_buffers_fini(struct smi_read_buffers *room)
{
    smi_mem_free(room->p);
    smi_buf_fini(&room->document);
    smi_arena_fini(&room->summary);
}

static void drop_twins(struct smi_run_reader *r)
{
    for (size_t i = 0; i < r->n; i++) {
        struct smi_run_file *a = &r->file[i];
        for (size_t k = 0; k < i && !a->skip; k++) {
            struct smi_run_file *b = &r->file[k];
            if (b->skip || !have_same_content(a, b))
                continue;
            a->skip = true;
            smi_run_add_problem(r->run, "%s: the same content as %s, given twice: counted once", a->f->shown,
                                b->f->shown);
        }
    }
}

void smi_read_open(struct smi_run_reader *r, const struct smi_found_run *found)
{
    r->file = smi_mem_new(found->files, sizeof *r->file);
    r->n = found->files;
    for (size_t i = 0; i < r->n; i++) {
        struct smi_run_file *f = &r->file[i];
        struct smi_err why = {0};
        f->f = &found->file[i];
        f->fd = f->ends = -1;
        f->skip = f->f->bare;
        r->run->columns_unknown |= f->skip;
        if (f->skip)
            smi_run_add_problem(r->run,
                                "%s: query CSV without a header, and not the nine reference "
                                "columns: --input-columns LIST names them",
                                f->f->shown);
        if (f->skip)
            continue;
        if (f->f->inside) {
            f->coded = true;
            f->info.size = f->f->inside->size;
            continue;
        }
        f->fd = f->f->format == SMI_FMT_MLFLOW ? smi_mlflow_open(f->f->path, &f->info, &why)
                : f->f->seen                   ? smi_file_open_seen(AT_FDCWD, f->f->path, &f->info, &why)
                                               : smi_file_open(AT_FDCWD, f->f->path, true, &f->info, &why);
        f->skip = f->fd < 0;
        if (f->fd >= 0)
            read_small_log(r, f);
        f->coded = f->all ? smi_container_detect(f->all, (size_t)f->info.size) != SMI_CONTAINER_PLAIN
                          : f->fd >= 0 && !f->info.stream && smi_read_is_encoded(f->fd);
        if (f->skip)
            smi_read_add_problem(r, f, &why);
    }
    drop_twins(r);
}

void smi_read_close(struct smi_run_reader *r)
{
    for (size_t i = 0; i < r->n; i++) {
        if (r->file[i].fd >= 0)
            close(r->file[i].fd);
        if (r->file[i].ends >= 0)
            close(r->file[i].ends);
    }
    smi_mem_free(r->file);
}

/* Those of --param stand in front of all others, and win. What has no value is none. */
static void add_given_params(struct smi_run *run, const char *list)
{
    struct smi_text word;
    char name[SMI_PARAM_GIVEN_MAX + 1], *value;
    while (smi_text_next_item(&list, &word)) {
        smi_text_copy(name, sizeof name, word);
        value = strchr(name, '=');
        if (!value || !value[1])
            continue;
        *value++ = 0;
        smi_run_add_param(run, name, value, smi_text_is_bare(smi_text_of(value)), false);
    }
}

/* Makes the run, with what is known of it before a log is read: name, parameters, problems. */
static void describe_run(struct smi_run *run, const struct smi_found_run *found, const struct smi_options *o)
{
    *run = (struct smi_run){0};
    run->name = smi_mem_text(found->name, strlen(found->name));
    run->host = o->host ? smi_mem_text(o->host, strlen(o->host)) : NULL;
    add_given_params(run, o->params);
    for (size_t i = 0; i < found->params; i++)
        smi_run_add_param(run, found->param[i].key, found->param[i].text, found->param[i].bare, false);
    for (size_t i = 0; i < found->configs; i++)
        smi_run_add_param(run, found->config[i].key, found->config[i].text, found->config[i].bare, true);
    for (size_t i = 0; i < found->facts; i++)
        smi_run_add_fact(run, found->fact[i].key, found->fact[i].text, found->fact[i].bare);
    for (size_t i = 0; i < found->problems; i++)
        smi_run_add_problem(run, "%s", found->problem[i]);
}

/* A member that a run waits for. */
struct want {
    int64_t id;
    size_t archive, run, file;
};

/* A run on its way. */
struct flight {
    struct smi_run_reader read;
    struct smi_run run;
};

struct unit {
    const struct smi_found *found;
    size_t unit;
    const struct smi_options *o;
    smi_run_fn *fn;
    void *self;
    struct want *want; /* in the order of archives and ids */
    size_t n, cap, at;
    struct flight **flight; /* a place for each run of the sweep; NULL: not begun, or done */
    bool *done;
    struct smi_err *err;
};

static int compare_member_place(const void *x, const void *y)
{
    const struct want *a = x, *b = y;
    if (a->archive != b->archive)
        return a->archive < b->archive ? -1 : 1;
    return (a->id > b->id) - (a->id < b->id);
}

static void list_members(struct unit *u)
{
    for (size_t i = 0; i < u->found->runs; i++) {
        const struct smi_found_run *r = &u->found->run[i];
        for (size_t k = 0; k < r->files && r->unit == u->unit; k++) {
            const struct smi_archived_log *in = r->file[k].inside;
            if (!in || !(u->o->scratch || smi_format_infos[r->file[k].format].rows))
                continue;
            smi_mem_reserve(&u->want, &u->cap, u->n + 1, sizeof *u->want);
            u->want[u->n++] = (struct want){in->id, in->archive, i, k};
        }
    }
    smi_sort(u->want, u->n, sizeof *u->want, compare_member_place);
}

static int begin_run(struct unit *u, size_t run)
{
    struct flight *f = u->flight[run] = smi_mem_new(1, sizeof *f);
    return smi_read_begin(&f->read, &f->run, &u->found->run[run], u->o, NULL, u->err);
}

static int end_run(struct unit *u, size_t run)
{
    struct flight *f = u->flight[run];
    int rc = 0;
    smi_read_end(&f->read);
    if (!u->err->code)
        rc = u->fn(u->self, run, &f->run, u->err);
    smi_run_fini(&f->run);
    smi_mem_free(f);
    u->flight[run] = NULL;
    u->done[run] = true;
    return rc;
}

/* Members come in the order of ids, and so do the wants. */
static int read_archive_member(void *self, const struct smi_archive_member *m, struct smi_err *err)
{
    struct unit *u = self;
    size_t archive = u->want[u->at].archive;
    (void)err; /* u->err is the same */
    for (; u->at < u->n && u->want[u->at].archive == archive && u->want[u->at].id <= m->id; u->at++) {
        const struct want *w = &u->want[u->at];
        struct flight *f;
        if (u->done[w->run] || w->id != m->id || m->kind != SMI_ARCHIVE_FILE)
            continue; /* a twin; or the archive is another one by now: smi_read_end says what is missing */
        if (!u->flight[w->run] && begin_run(u, w->run))
            return -1;
        f = u->flight[w->run];
        if (f->read.file[w->file].waits && !f->read.file[w->file].skip &&
            smi_read_member(&f->read, w->file, smi_stream_source(m->bytes)))
            return -1;
        if (!smi_read_waiting(&f->read) && end_run(u, w->run))
            return -1;
    }
    return u->at == u->n || u->want[u->at].archive != archive;
}

/* What the walk doubts was said when it was walked for the first time. */
static int read_archive(struct unit *u, size_t archive)
{
    const char *path = u->found->archive[archive].path;
    struct smi_file_info info;
    struct smi_err doubt = {0};
    int samples = u->found->archive[archive].samples, kept = u->found->archive[archive].kept, rc = 0;
    int fd = kept >= 0 ? kept : smi_file_open(AT_FDCWD, path, false, &info, &doubt);
    if (fd >= 0) {
        rc = samples >= 0 ? smi_samples_walk(fd, path, samples, read_archive_member, u, &doubt, u->err)
                          : smi_archive_walk(fd, path, read_archive_member, u, &doubt, u->err);
        if (fd != kept)
            close(fd);
    }
    while (!rc && u->at < u->n && u->want[u->at].archive == archive)
        u->at++;
    return rc;
}

static int read_rest(struct unit *u)
{
    for (size_t i = 0; i < u->found->runs; i++) {
        if (u->found->run[i].unit != u->unit || u->done[i])
            continue;
        if ((!u->flight[i] && begin_run(u, i)) || end_run(u, i))
            return -1;
    }
    return 0;
}

int smi_read_archives(const struct smi_found *found, size_t unit, const struct smi_options *o, smi_run_fn *fn,
                      void *self, struct smi_err *err)
{
    struct unit u = {.found = found, .unit = unit, .o = o, .fn = fn, .self = self, .err = err};
    int rc;
    u.flight = smi_mem_new(found->runs, sizeof *u.flight);
    u.done = smi_mem_new(found->runs, sizeof *u.done);
    list_members(&u);
    rc = 0;
    while (!rc && u.at < u.n)
        rc = read_archive(&u, u.want[u.at].archive);
    if (!rc)
        rc = read_rest(&u);
    for (size_t i = 0; u.flight && i < found->runs; i++)
        if (u.flight[i]) /* something went wrong */
            end_run(&u, i);
    smi_mem_free(u.want);
    smi_mem_free(u.flight);
    smi_mem_free(u.done);
    return rc;
}

enum { PIECES_MAX = 64 };

/* ---- reading ---- */

static struct smi_device_stats_opts track_opts(const struct smi_run_reader *r, const struct smi_run_file *f,
                                               const struct smi_assigned_times *g)
{
    bool utc = f->look.utc || g->how == SMI_TIMES_SPREAD || (g->how && g->base == SMI_TIME_BASE_UTC);
    bool joined = utc || (r->run->has_offset && !(g->how && g->base == SMI_TIME_BASE_DAY));
    return (struct smi_device_stats_opts){r->o->idle_below, joined ? &r->run->log.phases : NULL,
                                          utc ? 0 : (int64_t)r->run->offset_s * 1000000, r->o->skip_series,
                                          NULL};
}

/* Whether and how the offset may change inside an input. */
static struct smi_local_clock_opts wall_opts(const struct smi_run_reader *r, const struct smi_run_file *f)
{
    bool local = !f->look.utc && smi_read_file_source(f)->base != SMI_TIME_BASE_UTC && r->run->has_offset;
    bool given = r->o->has_offset;
    return (struct smi_local_clock_opts){local && given ? r->o->zone : NULL,
                                         local && !(given && (r->o->zone || r->o->fixed))};
}

/* A large log in several pieces at once. Returns 1 if it was read so, 0 if it has to be read in one, -1. */
static int read_pieces(struct smi_run_reader *r, struct smi_run_file *f, struct smi_err *why)
{
    const struct smi_assigned_times none = {0};
    int64_t least = r->o->piece_bytes ? r->o->piece_bytes : 4 << 20;
    struct smi_chunks c = {f->fd,           f->info.size,        f->f->path,
                           f->f->shown,     smi_read_opts(r, f), track_opts(r, f, &none),
                           wall_opts(r, f), r->o->threads};
    struct smi_input_stats *p;
    int rc;
    if (f->info.stream || f->coded || f->f->format < 0 || r->o->scratch ||
        smi_format_infos[f->f->format].whole ||
        (smi_read_file_source(f)->marks && smi_read_file_source(f)->rows))
        return 0;
    if (f->info.size / least < c.threads)
        c.threads = (unsigned)(f->info.size / least);
    if (c.threads > PIECES_MAX)
        c.threads = PIECES_MAX;
    if (c.threads < 2)
        return 0;
    rc = smi_chunks_read(&c, &p, why);
    if (rc == 1 && p->base == SMI_TIME_BASE_UTC && !f->look.utc &&
        smi_read_file_source(f)->base != SMI_TIME_BASE_UTC) {
        f->look.utc = true; /* known only now: other phases are theirs */
        smi_input_stats_free(p);
        return 0;
    }
    if (rc == 1)
        smi_run_add_part(r->run, p);
    if (rc == 1)
        f->part = p;
    return rc;
}

/* Stands in front of the part of a log whose base of times is known when its first row with a time comes. */
struct late {
    struct smi_sink sink;
    const struct smi_run_reader *r;
    struct smi_run_file *f;
    struct smi_input_stats *part;
    const struct smi_ingest *in;
    bool told;
};

/* The base of its times, as far as a row was read. */
static enum smi_time_base time_base_of(const struct smi_input_stats *p, const struct smi_ingest *in)
{
    enum smi_time_base base = smi_ingest_base(in);
    bool counted = base == SMI_TIME_BASE_NONE && p->given.how == SMI_TIMES_STEPS && p->timed;
    return counted || p->given.how == SMI_TIMES_DATE ? p->given.base : base;
}

static int late_rows(struct smi_sink *self, const struct smi_rows *r, struct smi_err *err)
{
    struct late *l = (struct late *)self;
    enum smi_time_base base = smi_ingest_base(l->in);
    if (!l->told && l->part->tap) {
        l->part->timed = true; /* if it is, at --interval */
        l->part->base = time_base_of(l->part, l->in);
        l->part->timed = false;
    } else if (!l->told) {
        if (base != SMI_TIME_BASE_NONE)
            l->f->look.utc = base == SMI_TIME_BASE_UTC;
        l->part->opts = track_opts(l->r, l->f, &l->part->given);
        l->part->wall_opts = wall_opts(l->r, l->f);
    }
    l->told = l->part->tap || base != SMI_TIME_BASE_NONE;
    return l->part->sink.rows(&l->part->sink, r, err);
}

static int late_mark(struct smi_sink *self, const struct smi_mark *m, struct smi_err *err)
{
    struct late *l = (struct late *)self;
    return l->part->sink.mark(&l->part->sink, m, err);
}

/* All bytes of the file through the door. That they end too early is said once. */
static int feed_file(struct smi_run_reader *r, const struct smi_run_file *f, struct smi_ingest *in,
                     int64_t *size, uint64_t *hash, struct smi_err *why)
{
    struct smi_fd_source fd = smi_fd_source_make(f->fd, f->f->path);
    struct smi_read_stream_result u;
    bool first = !f->marked || f->f->inside, marks = smi_read_file_source(f)->marks,
         digest = marks || r->o->scratch;
    *size = f->info.stream ? INT64_MAX : f->info.size;
    if (!f->coded && f->all)
        return smi_ingest_memory(in, f->all, (size_t)f->info.size, digest ? hash : NULL, why);
    if (!f->coded && !f->info.stream)
        return smi_ingest_fd(in, f->fd, f->f->path, size, digest ? hash : NULL, why);
    if (smi_read_stream(in, f->from ? f->from : &fd.pull, digest, &u, why))
        return -1;
    *size = u.size;
    *hash = digest ? u.hash : 0;
    if (*u.doubt && first)
        smi_run_add_problem(r->run, "%s: %s", f->f->shown, u.doubt);
    return 0;
}

/* What is known of the part when all bytes have come. Returns 1, 0 if the file has to be read again, its rows
 * counted first, or -1 with why. */
static int settle_part(const struct smi_run_file *f, struct smi_input_stats *p, const struct smi_ingest *in,
                       struct smi_err *why)
{
    int rc;
    p->format = smi_ingest_format(in);
    p->base = time_base_of(p, in);
    if (p->given.how == SMI_TIMES_STEPS && smi_ingest_base(in) != SMI_TIME_BASE_NONE)
        p->given.how = SMI_TIMES_NONE; /* its rows have times of their own, as the probe of a file sees */
    for (size_t i = 0; i < p->devices.n; i++)
        p->keyed |= p->devices.list[i].ordinal < 0;
    if (p->base >= SMI_TIME_BASE_DAY)
        p->opts.phases = NULL;
    if (p->given.how != SMI_TIMES_SPREAD || p->given.rows)
        return 1;
    rc = smi_input_stats_spread(p);
    if (rc > 0 && p->account.rows == 0) /* nothing was spread */
        p->given.how = SMI_TIMES_NONE;
    return rc == 0 && lseek(f->fd, 0, SEEK_SET) != 0
               ? smi_err_set(why, SMI_EIO, "%s: cannot be read twice", f->f->path)
               : rc;
}

/* Puts a log back to `at`, or a stream to what was kept of it, which is a file then. */
static bool rewind_log(struct smi_run_file *f, off_t at, struct smi_stream_copy *s)
{
    int fd;
    if (!f->info.stream)
        return lseek(f->fd, at, SEEK_SET) >= 0;
    fd = smi_stream_copy_take(s);
    if (fd < 0)
        return false;
    close(f->fd);
    f->fd = fd;
    f->info.stream = false;
    f->coded = smi_read_is_encoded(fd);
    return true;
}

/* Rows were counted by --interval, and others have times: it is read again, as a log with times. */
static bool read_again_with_times(struct smi_run_file *f, const struct smi_input_stats *p,
                                  const struct smi_ingest *in, off_t at, struct smi_stream_copy *s)
{
    enum smi_time_base base = smi_ingest_base(in);
    if (p->given.how != SMI_TIMES_STEPS || !p->unsure || base == SMI_TIME_BASE_NONE || f->f->inside ||
        !rewind_log(f, at, s))
        return false;
    f->look = (struct smi_time_range_probe){.utc = base == SMI_TIME_BASE_UTC,
                                            .elapsed = base == SMI_TIME_BASE_ELAPSED,
                                            .timed = true,
                                            .first_ms = base == SMI_TIME_BASE_DAY ? p->first_ms : p->last_ms,
                                            .last_ms = p->last_ms};
    return true;
}

/* Standard input has ended. If its log has rows and phases, these are known now, and the rows are read again,
 * from `at` or from what was kept of a stream. Returns 0 if so, 1, or -1 with why. */
static int read_second_time(struct smi_run_reader *r, struct smi_run_file *f, const struct smi_input_stats *p,
                            off_t at, struct smi_stream_copy *s)
{
    if (f->marked || p->format < 0 || !smi_format_infos[p->format].marks || !smi_format_infos[p->format].rows)
        return 1;
    if (!rewind_log(f, at, s)) {
        if (f->info.stream)
            smi_run_add_problem(r->run, "%s: cannot be kept and read again, its phases have no rows: %s",
                                f->f->shown, s->lost.text);
        return 1;
    }
    f->marked = true;
    smi_runlog_merge(&r->run->log, &p->log);
    smi_phases_index(&r->run->log.phases);
    return 0;
}

/* All of the file into p, a fresh part of it. Same returns. */
static int fill_part(struct smi_run_reader *r, struct smi_run_file *f, struct smi_input_stats *p,
                     struct smi_err *why)
{
    struct late late = {.sink = {.rows = late_rows, .mark = late_mark}, .r = r, .f = f, .part = p};
    struct smi_ingest_opts o = smi_read_opts(r, f);
    struct smi_stream_copy spool;
    struct smi_ingest *in;
    bool stream = f->info.stream;
    uint64_t hash = 0;
    off_t at = stream || f->f->format >= 0 ? 0 : lseek(f->fd, 0, SEEK_CUR);
    int rc;
    p->opts = track_opts(r, f, &p->given);
    p->wall_opts = wall_opts(r, f);
    o.account = &p->account;
    o.devices = &p->devices;
    o.to = f->info.stream || smi_read_file_source(f)->base != SMI_TIME_BASE_UTC || p->tap ? &late.sink
                                                                                          : &p->sink;
    o.copy = p->tape ? &p->tape->text : NULL;
    o.copied = r->o->texts;
    if (stream)
        f->from = smi_stream_copy_open(&spool, f->fd, f->f->path);
    spool.whatever = p->given.how == SMI_TIMES_STEPS;
    spool.in = late.in = in = smi_ingest_open(&o);
    rc = in ? feed_file(r, f, in, &p->size, &hash, why) : -1;
    p->hash = smi_read_file_source(f)->marks ? hash : 0;
    if (p->tape)
        p->tape->digest = hash;
    if (rc == 0 && !read_again_with_times(f, p, in, at, &spool))
        rc = settle_part(f, p, in, why);
    if (rc == 1 && (stream || f->f->format < 0))
        rc = read_second_time(r, f, p, at, &spool);
    if (stream) {
        f->from = NULL;
        smi_stream_copy_fini(&spool);
    }
    smi_ingest_close(in);
    return rc;
}

/* Reads one file into a part of the run. Its own trouble becomes a problem; only memory stops the run. */
static int read_file(struct smi_run_reader *r, struct smi_run_file *f)
{
    struct smi_err why = {0};
    struct smi_input_stats *p;
    struct smi_assigned_times given = {0};
    int rc = smi_read_given_times(r, f, &given);
    if (rc)
        return -1;
    if (!given.how && (rc = read_pieces(r, f, &why))) {
        if (rc < 0)
            smi_read_add_problem(r, f, &why);
        return 0;
    }
    p = smi_input_stats_new(f->f->shown, f->f->format);
    p->given = given;
    p->tap = r->o->tap;
    if (r->o->scratch)
        p->tape = smi_row_spool_new(r->o->scratch);
    rc = fill_part(r, f, p, &why);
    if (rc > 0) {
        smi_run_add_part(r->run, p);
        f->part = p;
        return 0;
    }
    smi_input_stats_free(p);
    if (rc == 0) {
        f->counted = true;
        return read_file(r, f);
    }
    if (rc > 0)
        return -1;
    smi_read_add_problem(r, f, &why);
    return 0;
}

int smi_read_file_alone(struct smi_run_reader *r, struct smi_run_file *f, const struct smi_ingest_opts *o)
{
    struct smi_err why = {0};
    struct smi_ingest *in = smi_ingest_open(o);
    int64_t size;
    uint64_t hash;
    int rc = feed_file(r, f, in, &size, &hash, &why);
    smi_ingest_close(in);
    if (rc == 0 && lseek(f->fd, 0, SEEK_SET) == 0)
        return 1;
    return 0; /* other trouble comes again with the rows */
}

/* Of a log that has rows and phases, the phases alone: no row can be read before all of them are known. */
static void read_marks(struct smi_run_reader *r, struct smi_run_file *f)
{
    struct smi_input_stats *p = smi_input_stats_new(f->f->shown, f->f->format);
    struct smi_ingest_opts o = smi_read_opts(r, f);
    o.account = &p->account;
    o.devices = &p->devices;
    o.to = &p->sink;
    f->marked = smi_read_file_alone(r, f, &o) > 0;
    if (f->marked)
        smi_runlog_merge(&r->run->log, &p->log);
    smi_input_stats_free(p);
}

/* What a walk through an archive has kept of a log: all, if it has no rows. */
static void take_marks(struct smi_run_reader *r, struct smi_run_file *f)
{
    struct smi_input_stats *p = f->f->inside->marks;
    f->waits = smi_read_file_source(f)->rows || r->o->scratch;
    f->marked = p != NULL;
    if (p)
        smi_runlog_merge(&r->run->log, &p->log);
    if (!p || f->waits)
        return;
    smi_mem_free(p->path);
    p->path = smi_mem_text(f->f->shown, strlen(f->f->shown));
    smi_run_add_part(r->run, p);
    f->part = p;
    f->f->inside->marks = NULL; /* the run's now */
}

static void read_phases(struct smi_run_reader *r)
{
    for (size_t i = 0; i < r->n; i++) {
        struct smi_run_file *f = &r->file[i];
        if (!f->skip && f->f->inside)
            take_marks(r, f);
        else if (!f->skip && !f->info.stream && smi_read_file_source(f)->marks &&
                 smi_read_file_source(f)->rows)
            read_marks(r, f);
    }
}

/* Reads the logs with rows, or those without. */
static int read_all_files(struct smi_run_reader *r, bool rows)
{
    for (size_t i = 0; i < r->n; i++) {
        struct smi_run_file *f = &r->file[i];
        size_t parts = r->run->parts;
        if (f->skip || f->f->inside || smi_read_file_source(f)->rows != rows)
            continue;
        f->skip = true;
        if (read_file(r, f))
            return -1;
        if (!f->marked && r->run->parts > parts)
            smi_runlog_merge(&r->run->log, &r->run->part[parts]->log);
    }
    return 0;
}

/* ---- the run ---- */

/* They are looked up for rows only. */
static void index_phases(struct smi_run_reader *r)
{
    for (size_t i = 0; i < r->n; i++)
        if (!r->file[i].skip && smi_read_file_source(&r->file[i])->rows) {
            smi_phases_index(&r->run->log.phases);
            return;
        }
}

int smi_read_begin(struct smi_run_reader *r, struct smi_run *run, const struct smi_found_run *found,
                   const struct smi_options *o, struct smi_read_buffers *room, struct smi_err *err)
{
    int rc;
    describe_run(run, found, o);
    *r = (struct smi_run_reader){.run = run, .o = o, .room = room, .err = err};
    if (room)
        room->used = 0;
    smi_read_open(r, found);
    rc = read_all_files(r, false);
    if (rc == 0) {
        read_phases(r);
        rc = smi_read_zone(r);
    }
    if (rc == 0)
        index_phases(r);
    if (rc == 0)
        rc = read_all_files(r, true);
    return rc ? -1 : 0;
}

size_t smi_read_waiting(const struct smi_run_reader *r)
{
    size_t n = 0;
    for (size_t i = 0; i < r->n; i++)
        n += r->file[i].waits && !r->file[i].skip;
    return n;
}

int smi_read_member(struct smi_run_reader *r, size_t file, struct smi_byte_source *from)
{
    struct smi_run_file *f = &r->file[file];
    int rc;
    f->from = from;
    rc = read_file(r, f);
    f->from = NULL;
    f->waits = false;
    return rc;
}

/* Members come in the order of their archive: the parts are put in that of the names, as if they were files.
 */
static void order_parts(struct smi_run_reader *r)
{
    size_t n = 0, all = 0;
    for (size_t i = 0; i < r->n; i++)
        all += r->file[i].part != NULL;
    for (int rows = 0; rows < 2; rows++)
        for (size_t i = 0; i < r->n; i++)
            if (all == r->run->parts && r->file[i].part && smi_read_file_source(&r->file[i])->rows == rows)
                r->run->part[n++] = r->file[i].part;
}

void smi_read_end(struct smi_run_reader *r)
{
    for (size_t i = 0; i < r->n; i++)
        if (r->file[i].waits && !r->file[i].skip)
            smi_run_add_problem(r->run, "%s: is not in its archive any more", r->file[i].f->shown);
    order_parts(r);
    smi_read_close(r);
}

int smi_read_run(struct smi_run *run, const struct smi_found_run *found, const struct smi_options *o,
                 struct smi_read_buffers *room, struct smi_err *err)
{
    struct smi_run_reader r;
    int rc = smi_read_begin(&r, run, found, o, room, err);
    smi_read_end(&r);
    return rc ? -1 : 0;
}
