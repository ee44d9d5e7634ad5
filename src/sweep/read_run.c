/* read_run.c - the logs of one run, opened, unpacked and read to statistics. */
#include "sweep/read_run.h"
#include "aggregate/ingest.h"
#include "base/digest.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/stream.h"
#include "formats/file_group.h"
#include "model/metric.h"
#include "summary/gpus.h"
#include "sweep/walk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the logs of one run while they are looked at and read ---- */

/* One file of the run while it is looked at. */
struct run_file {
    const struct smi_found_file *f;
    int fd;
    struct smi_file_info info;
    bool skip;
    bool hashed;
    uint64_t hash;                     /* of the content, if hashed */
    const struct run_file *twin;       /* a log before it with the same content; or NULL */
    char *all;                         /* all its bytes, as of a small log, in the room or in */
    char *held;                        /* its own memory; or NULL */
    bool coded;                        /* compressed or UTF-16: it is decoded as it is read */
    const struct smi_archived_log *in; /* where it was unpacked to; or NULL */
    struct smi_archived_log own;       /* that of a coded one, once it had to be looked at, */
    int unpacked;                      /* and the file, + 1; or 0 */
    bool marks;                        /* its phases and events are read, and nothing else */
    bool marked;                       /* they are known already */
    bool counted;                      /* its rows are to be counted before they are read, small as it is */
    struct smi_time_range_probe look;  /* at its ends */
};

struct reader {
    struct smi_read_buffers *room; /* borrowed; or NULL: no log is held */
    struct smi_run *run;
    const struct smi_options *o;
    struct run_file *file;
    size_t n;
    size_t unpacked; /* bytes of packed logs that are held */
};

const char smi_read_no_header[] =
    "query CSV without a header, and not the nine reference columns: --input-columns LIST names them";

enum {
    PIECE = 262144,
    UNPACKED = 8 << 20,     /* bytes of a packed log that is unpacked into memory, */
    UNPACKED_ALL = 64 << 20 /* and of all of a run */
};

bool smi_read_is_encoded(int fd)
{
    char head[SMI_CONTAINER_MAGIC];
    ssize_t n = smi_file_read_at(fd, head, sizeof head, 0, "", NULL);
    return n > 0 && smi_container_detect(head, (size_t)n) != SMI_CONTAINER_PLAIN;
}

struct smi_stream *smi_read_open(struct smi_byte_source *from, struct smi_err *err)
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

enum { SMALL = 1 << 17 /* bytes of a log that is held */ };

static const struct smi_format_info *info_of(const struct run_file *f)
{
    return &smi_format_infos[f->f->format];
}

static void add_problem(struct reader *r, const struct run_file *f, const char *why)
{
    smi_run_add_problem(r->run, "%s: %s", f->f->shown, why);
    r->run->unread = r->run->unread ? r->run->unread : SMI_UNREAD;
}

/* As it lies. */
static struct smi_file_view raw_view(const struct run_file *f)
{
    return (struct smi_file_view){.fd = f->in ? f->in->fd : f->fd,
                                  .name = f->f->path,
                                  .all = f->all,
                                  .n = f->info.size,
                                  .part = f->in && !f->all,
                                  .from = f->in ? f->in->from : 0};
}

ssize_t smi_read_view(struct smi_byte_source *self, void *buf, size_t n, struct smi_err *err)
{
    struct smi_view_source *s = (struct smi_view_source *)self;
    struct smi_stream_rest *rest = s->rest;
    const ssize_t got = smi_file_view_read(&s->view, buf, n, s->at, err);
    size_t left;
    s->at += got > 0 ? got : 0;
    if (got || !rest)
        return got;
    left = rest->n - rest->at < n ? rest->n - rest->at : n;
    memcpy(buf, rest->piece + rest->at, left);
    rest->at += left;
    return left ? (ssize_t)left : smi_stream_read(rest->s, buf, n, err);
}

/* Into memory, or, what is large, into a file: that waits until it is wanted. Where there is no room, and
 * where its bytes are bad, it is read as a stream later, which also says what is bad. */
static void unpack_coded(struct reader *r, struct run_file *f, bool wanted)
{
    struct smi_view_source from = {.pull = {.read = smi_read_view}, .view = raw_view(f)};
    struct smi_err why = {0};
    struct smi_stream *s = smi_read_open(&from.pull, &why);
    struct smi_buf b = {0};
    const size_t most = r->unpacked < UNPACKED_ALL ? UNPACKED : 0;
    ssize_t n = s ? 1 : -1;
    int rc = -1;
    while (n > 0 && b.n <= most) {
        n = smi_stream_read(s, smi_buf_room(&b, SMI_UNPACK_BYTES / 2), SMI_UNPACK_BYTES / 2, &why);
        b.n += n > 0 ? (size_t)n : 0;
    }
    if (n == 0) {
        smi_buf_str(&b, "");
        f->own = (struct smi_archived_log){.fd = -1, .size = (int64_t)b.n};
        snprintf(f->own.doubt, sizeof f->own.doubt, "%s", smi_stream_warning(s) ? smi_stream_warning(s) : "");
        r->unpacked += b.n;
        f->all = f->held = b.p;
        rc = 0;
    } else if (n > 0 && wanted) {
        rc = smi_unpack(&f->own, &f->unpacked, s, b.p, (ssize_t)b.n, NULL, &why);
        f->all = rc ? f->all : NULL;
        if (rc > 0)
            add_problem(r, f, why.text);
    }
    if (!rc) {
        f->in = &f->own;
        f->coded = f->hashed = false;
        f->info.size = f->own.size;
    }
    if (!f->held)
        smi_buf_fini(&b);
    smi_stream_close(s);
}

/* A log that is no stream, at any place. A coded one is unpacked for it, if that is wanted and there is room;
 * else nothing of it can be read. */
static struct smi_file_view view_of(struct reader *r, struct run_file *f, bool wanted)
{
    if (f->coded && wanted && !f->skip)
        unpack_coded(r, f, true);
    return f->coded ? (struct smi_file_view){.fd = -1, .name = f->f->path} : raw_view(f);
}

static struct smi_ingest_opts ingest_opts(const struct reader *r, const struct run_file *f)
{
    return (struct smi_ingest_opts){
        .format = f->f->format, .columns = f->f->columns, .gpu_count = r->o->gpu_count};
}

/* Made once, and only for files of equal size. What cannot be read is like nothing else. */
static uint64_t content_hash(struct run_file *f)
{
    const struct smi_file_view view = raw_view(f);
    struct smi_digest digest = smi_digest_init(0);
    char piece[SMI_UNPACK_BYTES / 4];
    int64_t at = 0;
    ssize_t n = 0;
    if (f->hashed)
        return f->hash;
    for (; at <= f->info.size && (n = smi_file_view_read(&view, piece, sizeof piece, at, NULL)) > 0; at += n)
        smi_digest_add(&digest, piece, (size_t)n);
    f->hash = n == 0 && at == f->info.size ? smi_digest_value(&digest) : (uint64_t)(uintptr_t)f;
    f->hashed = true;
    return f->hash;
}

/* A small log is read at once: it is looked at more than once before its rows can be. Short of what its size
 * says, it is left to be read as it comes. */
static void read_small_log(struct reader *r, struct run_file *f)
{
    struct smi_read_buffers *room = r->room;
    const struct smi_file_view view = raw_view(f);
    size_t n = f->info.size > SMALL ? SMALL + 1 : (size_t)f->info.size, got = 0;
    ssize_t some = 1;
    if (!room || n == 0 || n > SMALL || n > SMI_READ_BUFFER_BYTES - room->used)
        return;
    if (!room->p)
        room->p = smi_mem_raw(SMI_READ_BUFFER_BYTES);
    f->all = room->p + room->used;
    while (got < n && (some = smi_file_view_read(&view, f->all + got, n - got, (int64_t)got, NULL)) > 0)
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
    smi_kept_counts_fini(&room->kept);
}

/* By size and content, which is read where sizes are equal; those of one content in the order of names. */
static int compare_content(const void *x, const void *y)
{
    struct run_file *a = *(struct run_file *const *)x, *b = *(struct run_file *const *)y;
    int d = (a->info.size > b->info.size) - (a->info.size < b->info.size);
    d = d || a == b ? d : (content_hash(a) > content_hash(b)) - (content_hash(a) < content_hash(b));
    return d ? d : (a > b) - (a < b);
}

/* Finds logs with the content of one before them: all n are files, or members of archives. */
static void find_copies(struct run_file **v, size_t n)
{
    smi_sort(v, n, sizeof *v, compare_content);
    for (size_t i = 0, first = 0; i < n; i++) {
        if (v[i]->info.size != v[first]->info.size ||
            (i > first && content_hash(v[i]) != content_hash(v[first])))
            first = i;
        for (size_t k = first; k < i && !v[i]->twin; k++) {
            const int one = smi_file_group_gpu(v[i]->f->path), other = smi_file_group_gpu(v[k]->f->path);
            const bool same =
                v[i]->info.ino && v[i]->info.dev == v[k]->info.dev && v[i]->info.ino == v[k]->info.ino;
            if (!v[k]->twin &&
                (same || one < 0 || other < 0 || one == other)) /* else two GPUs did the same */
                v[i]->twin = v[k];
        }
    }
}

static void drop_twins(struct reader *r)
{
    struct run_file **v = smi_mem_new(r->n, sizeof *v);
    size_t n = 0;
    for (struct run_file *f = r->file; f < r->file + r->n; f++) {
        bool beside = false; /* log.csv is among the logs in front of log.csv.gz, in the order of names */
        for (const struct run_file *b = f; f->coded && !beside && b-- > r->file;) {
            if (strncmp(f->f->path, b->f->path, strlen(b->f->path)) != 0)
                break;
            beside = smi_file_group_is_packed_of(f->f->path, b->f->path);
        }
        if (beside)
            unpack_coded(r, f, true);
        if (!f->skip && f->info.size)
            v[n++] = f;
    }
    find_copies(v, n);
    for (struct run_file *f = r->file; f < r->file + r->n; f++) {
        f->skip |= f->twin != NULL;
        if (f->twin)
            smi_run_add_problem(r->run, "%s: the same content as %s, given twice: counted once", f->f->shown,
                                f->twin->f->shown);
    }
    smi_mem_free(v);
}

static void open_files(struct reader *r, const struct smi_found_run *found)
{
    r->file = smi_mem_new(found->files, sizeof *r->file);
    r->n = found->files;
    for (size_t i = 0; i < r->n; i++) {
        struct run_file *f = &r->file[i];
        struct smi_err why = {0};
        f->f = &found->file[i];
        f->fd = -1;
        f->in = f->f->inside;
        f->info.size = f->in ? f->in->size : 0;
        if (f->f->bare)
            smi_err_set(&why, SMI_EFORMAT, "%s", smi_read_no_header);
        else if (f->in && f->in->rest && !f->in->rest->s)
            smi_err_set(&why, SMI_EFORMAT,
                        "came as a stream, which is too long to be kept for a second reading");
        else if (!f->in)
            f->fd = f->f->format == SMI_FMT_MLFLOW ? smi_mlflow_open(f->f->path, &f->info, &why)
                    : f->f->seen ? smi_file_open_seen(AT_FDCWD, f->f->path, false, &f->info, &why)
                                 : smi_file_open(AT_FDCWD, f->f->path, true, &f->info, &why);
        f->skip = why.code != 0;
        if (f->skip) {
            add_problem(r, f, why.text);
            r->run->unread = f->f->bare ? SMI_UNREAD_COLUMNS : r->run->unread;
            continue;
        }
        read_small_log(r, f);
        f->coded =
            !f->in && (f->all ? smi_container_detect(f->all, (size_t)f->info.size) != SMI_CONTAINER_PLAIN
                              : smi_read_is_encoded(f->fd));
        if (f->coded && f->info.size <= UNPACKED / 4)
            unpack_coded(r, f, false);
    }
    drop_twins(r);
}

/* Makes the run, with what is known of it before a log is read: name, parameters, problems. */
static void describe_run(struct smi_run *run, const struct smi_found_run *found, const struct smi_options *o)
{
    const char *list = o->params;
    char name[SMI_PARAM_GIVEN_MAX + 1], *value;
    struct smi_text word;
    *run = (struct smi_run){0};
    run->name = smi_copy_text(&run->texts, found->name);
    run->host = smi_copy_text(&run->texts, o->host);
    while (smi_text_next_item(&list, &word)) { /* those of --param stand in front of all others, and win */
        smi_text_copy(name, sizeof name, word);
        value = strchr(name, '=');
        if (!value || !value[1]) /* what has no value is none */
            continue;
        *value++ = 0;
        smi_run_add_param(run, name, value, smi_text_is_bare(smi_text_of(value)), false);
    }
    for (size_t i = 0; i < found->params; i++)
        smi_run_add_param(run, found->param[i].key, found->param[i].text, found->param[i].bare, false);
    for (size_t i = 0; i < found->configs; i++)
        smi_run_add_param(run, found->config[i].key, found->config[i].text, found->config[i].bare, true);
    for (size_t i = 0; i < found->facts; i++)
        smi_run_add_fact(run, found->fact[i].key, found->fact[i].text, found->fact[i].bare);
    for (size_t i = 0; i < found->problems; i++)
        smi_run_add_problem(run, "%s", found->problem[i]);
}

enum { PIECES_MAX = 64 };

/* ---- reading ---- */

static struct smi_device_stats_opts track_opts(const struct reader *r, const struct run_file *f,
                                               const struct smi_assigned_times *g)
{
    bool utc = f->look.utc || g->how == SMI_TIMES_SPREAD || (g->how && g->base == SMI_TIME_BASE_UTC);
    bool joined = utc || (r->run->has_offset && !(g->how && g->base == SMI_TIME_BASE_DAY));
    return smi_run_stats_opts(r->run, r->o, utc, joined);
}

/* Whether and how the offset may change inside an input. */
static struct smi_local_clock_opts wall_opts(const struct reader *r, const struct run_file *f)
{
    bool local = !f->look.utc && info_of(f)->base != SMI_TIME_BASE_UTC && r->run->has_offset,
         given = r->o->has_offset, set = given && (r->o->zone || r->o->fixed);
    for (size_t i = 0; i < r->run->log.events; i++) /* it tells that the clock was set: no summer time */
        set |= strcmp(r->run->log.event[i].name, "clock") == 0;
    return (struct smi_local_clock_opts){local && given ? r->o->zone : NULL, local && !set};
}

/* A large log in several pieces at once. Returns 1 if it was read so, 0 if it has to be read in one, -1. */
static int read_pieces(struct reader *r, struct run_file *f, struct smi_err *why)
{
    const struct smi_assigned_times none = {0};
    int64_t least = r->o->piece_bytes ? r->o->piece_bytes : 4 << 20;
    struct smi_chunks c = {f->fd,           f->info.size,      f->f->path,
                           f->f->shown,     ingest_opts(r, f), track_opts(r, f, &none),
                           wall_opts(r, f), r->o->threads};
    struct smi_input_stats *p;
    int rc;
    c.track.kept = NULL; /* several threads */
    if (f->coded || f->in || r->o->scratch || info_of(f)->whole || (info_of(f)->marks && info_of(f)->rows))
        return 0;
    if (f->info.size / least < c.threads)
        c.threads = (unsigned)(f->info.size / least);
    if (c.threads > PIECES_MAX)
        c.threads = PIECES_MAX;
    if (c.threads < 2)
        return 0;
    rc = smi_chunks_read(&c, &p, why);
    if (rc == 1 && p->base == SMI_TIME_BASE_UTC && !f->look.utc && info_of(f)->base != SMI_TIME_BASE_UTC) {
        f->look.utc = true; /* known only now: other phases are theirs */
        smi_input_stats_free(p);
        return 0;
    }
    if (rc == 1)
        smi_run_add_part(r->run, p);
    return rc;
}

/* Stands in front of the part of a log whose base of times is known when its first row with a time comes. */
struct late {
    struct smi_sink sink;
    const struct reader *r;
    struct run_file *f;
    struct smi_input_stats *part;
    const struct smi_ingest *in;
    bool told;
};

static int late_rows(struct smi_sink *self, const struct smi_rows *r, struct smi_err *err)
{
    struct late *l = (struct late *)self;
    enum smi_time_base base = smi_ingest_base(l->in);
    if (!l->told) {
        if (base != SMI_TIME_BASE_NONE)
            l->f->look.utc = base == SMI_TIME_BASE_UTC;
        l->part->opts = track_opts(l->r, l->f, &l->part->given);
        l->part->wall_opts = wall_opts(l->r, l->f);
    }
    l->told = base != SMI_TIME_BASE_NONE;
    return l->part->sink.rows(&l->part->sink, r, err);
}

static int late_mark(struct smi_sink *self, const struct smi_mark *m, struct smi_err *err)
{
    struct late *l = (struct late *)self;
    return l->part->sink.mark(&l->part->sink, m, err);
}

/* Reads `from` to its end through the door, whatever it is packed in. Returns 0, or -1 with err. */
static int feed_stream(struct smi_ingest *in, struct smi_byte_source *from, bool marks, int64_t *size,
                       uint64_t *hash, char doubt[SMI_SOURCE_WARNING], struct smi_err *err)
{
    struct smi_stream *s = smi_read_open(from, err);
    char *piece = s ? smi_mem_raw(PIECE) : NULL;
    struct smi_digest digest = smi_digest_init(0);
    ssize_t n = -1;
    int rc = piece ? 0 : -1;
    *size = 0;
    if (s && marks)
        smi_stream_leave_samples(s);
    while (rc == 0 && (n = smi_stream_read(s, piece, PIECE, err)) > 0) {
        *size += n;
        if (hash)
            smi_digest_add(&digest, piece, (size_t)n);
        rc = smi_ingest_feed(in, piece, (size_t)n, err);
    }
    if (rc == 0 && n == 0 && smi_stream_warning(s))
        snprintf(doubt, SMI_SOURCE_WARNING, "%s", smi_stream_warning(s));
    if (hash)
        *hash = smi_digest_value(&digest);
    smi_mem_free(piece);
    smi_stream_close(s);
    return rc || n < 0 ? -1 : smi_ingest_finish(in, err);
}

/* All bytes of the file through the door. That they end too early is said once. */
static int feed_file(struct reader *r, const struct run_file *f, struct smi_ingest *in, int64_t *size,
                     uint64_t *hash, struct smi_err *why)
{
    struct smi_stream_rest *rest = f->in ? f->in->rest : NULL;
    struct smi_view_source from = {.pull = {.read = smi_read_view}, .view = raw_view(f), .rest = rest};
    char doubt[SMI_SOURCE_WARNING] = "";
    int rc;
    hash = info_of(f)->marks || r->o->scratch ? hash : NULL;
    *size = f->info.size;
    if (!f->coded && f->all && !rest)
        rc = smi_ingest_memory(in, f->all, (size_t)f->info.size, hash, why);
    else
        rc = feed_stream(in, &from.pull, f->marks, size, hash, doubt, why);
    if (f->in)
        snprintf(doubt, sizeof doubt, "%s",
                 rest ? smi_stream_warning(rest->s) ? smi_stream_warning(rest->s) : "" : f->in->doubt);
    if (rest)
        smi_stream_rest_end(rest);
    if (rc)
        return -1;
    if (*doubt && !f->marked)
        add_problem(r, f, doubt);
    return 0;
}

/* the zone of local times, before a row is joined (docs/numbers.md §6). */

/* times for logs that have none, from the logs beside them (docs/numbers.md §6):
 * dmon without -o, dmon -o T, and what --interval says. */

enum { FEW_BYTES = 70000 /* bytes in which there are rarely more rows than SMI_COUNTS_FEW */ };

static const int64_t day_ms = 86400000,
                     dated_ms = 365 * (int64_t)86400000; /* what is earlier is a time of day */

/* Times on one clock. */
struct span {
    bool some, utc;
    int64_t first_ms, last_ms;
};

/* A local time on the clock of the run. */
static int64_t is_on_the_clock(const struct reader *r, int64_t t_ms)
{
    const struct smi_local_clock_opts o = {.zone = r->o->has_offset ? r->o->zone : NULL};
    struct smi_local_clock w = {0};
    smi_local_clock_read(&w, &o, &t_ms);
    return t_ms;
}

/* GPU logs with dates come first: they were made beside it. Then what is in UTC. */
static struct span span_of_other_logs(const struct reader *r, bool as_printed)
{
    struct span local = {0}, utc = {.utc = true};
    for (size_t i = 0; i < r->n; i++) {
        const struct run_file *f = &r->file[i];
        const bool printed = f->look.utc || as_printed;
        struct span *s = f->look.utc ? &utc : &local;
        int64_t first = f->look.first_ms, last = f->look.last_ms;
        if (!f->look.timed || first < dated_ms)
            continue;
        first = printed ? first : is_on_the_clock(r, first);
        last = printed ? last : is_on_the_clock(r, last);
        /* The clock of a log may have stepped back: its last row before its first. */
        smi_widen(&s->some, &s->first_ms, &s->last_ms, first < last ? first : last,
                  first < last ? last : first);
    }
    if (!utc.some && r->run->log.entries)
        smi_widen(&utc.some, &utc.first_ms, &utc.last_ms, r->run->log.first_us / 1000,
                  r->run->log.last_us / 1000);
    return local.some ? local : utc;
}

/* Reads all of f into a part that is no part of the run. Returns whether that could be done. */
static bool read_apart(struct reader *r, struct run_file *f, struct smi_input_stats *p)
{
    struct smi_ingest_opts o = ingest_opts(r, f);
    struct smi_err why = {0}; /* other trouble comes again with the rows */
    struct smi_ingest *in;
    int64_t size;
    int rc;
    o.account = &p->account;
    o.devices = &p->devices;
    o.to = &p->sink;
    in = smi_ingest_open(&o);
    rc = f->in && f->in->rest ? -1 : feed_file(r, f, in, &size, NULL, &why);
    smi_ingest_close(in);
    return rc == 0;
}

static void give_spread(struct reader *r, struct run_file *f, struct smi_assigned_times *g)
{
    struct span s = span_of_other_logs(r, false);
    int64_t shift = s.utc ? 0 : (int64_t)r->run->offset_s * 1000;
    /* Of a small log the rows may be few enough to be kept until all are there. */
    const bool few = !f->counted && !f->coded && f->info.size <= FEW_BYTES && !(f->in && f->in->rest);
    bool counted = few;
    if (!s.some || (!s.utc && !r->run->has_offset))
        return;
    if (!few) { /* how many rows each device has is to be known before the first of them is given a time */
        struct smi_input_stats *p = smi_input_stats_new(f->f->path, f->f->format);
        counted = read_apart(r, f, p) && smi_input_stats_count(p, g);
        smi_input_stats_free(p);
    }
    if (!counted) /* it has times, or cannot be read */
        return;
    g->how = SMI_TIMES_SPREAD;
    g->start_us = (s.first_ms - shift) * 1000;
    g->span_us = (s.last_ms - s.first_ms) * 1000;
}

/* Which times the rows of f get that have none, or no date. */
static void give_times(struct reader *r, struct run_file *f, struct smi_assigned_times *g)
{
    bool dmon = f->f->format == SMI_FMT_DMON, untimed = !f->look.timed && !f->look.utc;
    if (!info_of(f)->rows)
        return;
    if (f->look.timed && !f->look.utc && !f->look.elapsed && f->look.first_ms < dated_ms) {
        /* the day on which it begins nearest to the beginning of the others: it may be the one before
         * midnight */
        const struct span s = span_of_other_logs(r, true);
        const int64_t here_ms = s.first_ms + (s.utc ? (int64_t)r->run->offset_s * 1000 : 0),
                      far = here_ms - f->look.first_ms + day_ms / 2, days = far / day_ms - (far % day_ms < 0);
        if (s.some && (!s.utc || r->run->has_offset))
            *g = (struct smi_assigned_times){
                .how = SMI_TIMES_DATE, .base = SMI_TIME_BASE_LOCAL, .start_us = days * day_ms * 1000};
    } else if (untimed && r->o->interval_us) {
        const struct span s = span_of_other_logs(r, false);
        *g = (struct smi_assigned_times){.how = SMI_TIMES_STEPS,
                                         .base = !s.some ? SMI_TIME_BASE_DAY
                                                 : s.utc ? SMI_TIME_BASE_UTC
                                                         : SMI_TIME_BASE_LOCAL,
                                         .start_us = s.first_ms * 1000,
                                         .step_us = r->o->interval_us};
    } else if (untimed && dmon && /* estimated times are for phases */
               (r->run->log.phases.spans || r->run->log.phases.over))
        give_spread(r, f, g);
}

/* Has the zone to be inferred, and is there anything to infer it from; or has a log perhaps no times of its
 * own, and gets them from those beside it? Else nothing is read for it. */
static bool wants_times(const struct reader *r)
{
    bool local = false, utc = r->run->log.entries > 0;
    for (size_t i = 0; i < r->n; i++) {
        const struct run_file *f = &r->file[i];
        if (f->skip || !info_of(f)->rows)
            continue;
        local |= info_of(f)->base != SMI_TIME_BASE_UTC;
        utc |= info_of(f)->base != SMI_TIME_BASE_LOCAL;
        if ((f->f->format == SMI_FMT_DMON && r->n > 1) || r->o->interval_us)
            return true;
    }
    return local && utc && !r->o->has_offset && !r->run->log.has_offset;
}

static void probe_all_ends(struct reader *r)
{
    bool wanted = wants_times(r);
    for (size_t i = 0; i < r->n; i++) {
        struct run_file *f = &r->file[i];
        struct smi_ingest_opts o = ingest_opts(r, f);
        struct smi_file_view at;
        if (f->skip || !info_of(f)->rows)
            continue;
        at = view_of(r, f, wanted || info_of(f)->base == SMI_TIME_BASE_NONE);
        smi_time_range_probe(&f->look, &at, &o, wanted);
    }
}

/* Two offsets in use are 15 min apart or more: a second one comes within 3 intervals only of a log that is
 * sampled as slowly as SLOW_MS. LINE_MS: so much time a line (which may be that of one of 29 GPUs, and half
 * of the intervals may be short) makes it worth a look at the intervals. */
enum { SLOW_MS = 290000, LINE_MS = 5000, LINES_OF = 1024 };

/* How long the lines are is seen in the first of them. */
static bool may_be_slow(struct reader *r, struct run_file *f)
{
    char head[LINES_OF];
    struct smi_file_view at;
    int64_t span = f->look.last_ms - f->look.first_ms, lines = 1, n;
    if (!f->look.timed || (span >= 0 && span < SLOW_MS))
        return false;
    at = view_of(r, f, true);
    n = smi_file_view_read(&at, head, sizeof head, 0, NULL);
    for (const char *lf = head; n > 0 && (lf = memchr(lf, '\n', (size_t)(head + n - lf))); lf++)
        lines++;
    return span < 0 || n <= 0 || span / (f->info.size * lines / n + 1) >= LINE_MS;
}

/* Has it local times with a date, by which a zone can be told? */
static bool tells_zone(const struct run_file *f)
{
    return f->look.timed && !f->look.utc && f->look.first_ms > dated_ms;
}

/* Can a clock have been set between two local times? That is done in the nights to Friday, Saturday and
 * Sunday. */
static bool may_be_set(int64_t first, int64_t last)
{
    enum { THURSDAY = 4 }; /* as 1970 began, if Sunday is 0 */
    const int64_t hour = 3600000;
    for (int64_t day = first / day_ms; day * day_ms - hour <= last; day++)
        if (day * day_ms + 4 * hour >= first && ((day + THURSDAY) % 7 >= 5 || (day + THURSDAY) % 7 == 0))
            return true;
    return false;
}

/* By how much the clock is set between the first row of a log and its last. Returns false if it cannot be
 * read for that. */
static bool set_inside(struct reader *r, struct run_file *f, int64_t *ms)
{
    struct smi_input_stats *p = smi_input_stats_new(f->f->shown, f->f->format);
    bool read;
    *ms = 0;
    p->wall_opts.steps = true;
    read = read_apart(r, f, p);
    for (size_t i = 0; i < p->walls; i++)
        if (llabs(p->wall[i].ahead) > llabs(*ms))
            *ms = p->wall[i].ahead;
    smi_input_stats_free(p);
    return read;
}

/* The offset follows from the last times (or by the whole range: not by_last); the run's is that of the first
 * ones. They are one if the clock was not set in between. Returns false if that is not known. */
static bool back_to_first(struct reader *r, const struct span *g, bool by_last)
{
    int64_t set;
    for (size_t i = 0; i < r->n; i++) {
        struct run_file *f = &r->file[i];
        if (!tells_zone(f))
            continue;
        if (!set_inside(r, f, &set))
            return false;
        if (!set)
            continue;
        if (!by_last || f->look.first_ms != g->first_ms || f->look.last_ms != g->last_ms)
            return false;
        r->run->offset_s -= (int)(set / 1000);
        by_last = false; /* once */
    }
    return true;
}

/* docs/numbers.md §6. The intervals are only looked for when the first times alone, within 10 s, do not tell.
 */
static bool infer(struct reader *r)
{
    struct span g = {0}, u = {0};
    const struct smi_runlog *log = &r->run->log;
    int64_t iv = 0, miss;
    bool slow = false;
    for (size_t i = 0; i < r->n; i++) {
        struct run_file *f = &r->file[i];
        slow = slow || may_be_slow(r, f);
        if (f->look.timed && f->look.utc)
            smi_widen(&u.some, &u.first_ms, &u.last_ms, f->look.first_ms, f->look.last_ms);
        else if (tells_zone(f))
            smi_widen(&g.some, &g.first_ms, &g.last_ms, f->look.first_ms, f->look.last_ms);
    }
    if (log->entries)
        smi_widen(&u.some, &u.first_ms, &u.last_ms, log->first_ts_us / 1000, log->last_ts_us / 1000);
    if (!g.some || !u.some)
        return false;
    if (!slow && smi_zone_nearest(g.first_ms - u.first_ms, 10000, &r->run->offset_s))
        return true;
    for (size_t i = 0; i < r->n; i++)
        if (r->file[i].look.timed) {
            struct smi_ingest_opts o = ingest_opts(r, &r->file[i]);
            const struct smi_file_view at = view_of(r, &r->file[i], true);
            int64_t own = 0;
            smi_interval_probe(&at, &o, &own);
            iv = own > iv ? own : iv;
        }
    if (!smi_zone_infer(g.first_ms, g.last_ms, u.first_ms, u.last_ms, iv, &r->run->offset_s))
        return false;
    miss = llabs(g.first_ms - u.first_ms - (int64_t)r->run->offset_s * 1000);
    if (miss <= 10000 || miss <= 3 * iv || !may_be_set(g.first_ms, g.last_ms))
        return true;
    miss = llabs(g.last_ms - u.last_ms - (int64_t)r->run->offset_s * 1000);
    return back_to_first(r, &g, miss <= 10000 || 2 * miss <= 3 * iv);
}

/* Settles the run's zone: given, recorded by a RunLog that was read, or inferred from the ends of the logs.
 */
static void settle_zone(struct reader *r)
{
    struct smi_run *run = r->run;
    probe_all_ends(r);
    run->has_offset = r->o->has_offset || run->log.has_offset || infer(r);
    if (r->o->has_offset) {
        run->offset_s = r->o->offset_s;
        run->zone_from = SMI_ZONE_GIVEN;
        if (r->o->zone)
            run->zone = smi_copy_text(&run->texts, r->o->zone->name);
    } else if (run->log.has_offset) {
        run->offset_s = run->log.offset_s;
        run->zone_from = SMI_ZONE_RUNLOG;
    } else {
        run->offset_s = run->has_offset ? run->offset_s : 0;
        run->zone_from = run->has_offset ? SMI_ZONE_INFERRED : SMI_ZONE_NONE;
    }
}

/* ---- the parts of a run ---- */

/* What is known of the part when all bytes have come. Returns 1, 0 if the file has to be read again, its rows
 * counted first, or -1 with why. */
static int settle_part(struct smi_input_stats *p, const struct smi_ingest *in)
{
    const enum smi_time_base base = smi_ingest_base(in);
    const bool counted = base == SMI_TIME_BASE_NONE && p->given.how == SMI_TIMES_STEPS && p->timed;
    int rc;
    p->format = smi_ingest_format(in);
    p->base = counted || p->given.how == SMI_TIMES_DATE ? p->given.base : base;
    if (p->given.how == SMI_TIMES_STEPS && base != SMI_TIME_BASE_NONE)
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
    return rc;
}

/* Rows were counted by --interval, and others have times: it is read again, as a log with times. */
static bool read_again_with_times(struct run_file *f, const struct smi_input_stats *p,
                                  const struct smi_ingest *in)
{
    const enum smi_time_base base = smi_ingest_base(in);
    if (p->given.how != SMI_TIMES_STEPS || !p->unsure || base == SMI_TIME_BASE_NONE || (f->in && f->in->rest))
        return false;
    f->look = (struct smi_time_range_probe){.utc = base == SMI_TIME_BASE_UTC,
                                            .elapsed = base == SMI_TIME_BASE_ELAPSED,
                                            .timed = true,
                                            .first_ms = base == SMI_TIME_BASE_DAY ? p->first_ms : p->last_ms,
                                            .last_ms = p->last_ms};
    return true;
}

/* All of the file into p, a fresh part of it. Same returns. */
static int fill_part(struct reader *r, struct run_file *f, struct smi_input_stats *p, struct smi_err *why)
{
    struct late late = {.sink = {.rows = late_rows, .mark = late_mark}, .r = r, .f = f, .part = p};
    struct smi_ingest_opts o = ingest_opts(r, f);
    struct smi_ingest *in;
    uint64_t hash = 0;
    int rc;
    p->opts = track_opts(r, f, &p->given);
    p->wall_opts = wall_opts(r, f);
    o.account = &p->account;
    o.devices = &p->devices;
    o.to = info_of(f)->base != SMI_TIME_BASE_UTC ? &late.sink : &p->sink;
    o.copy = p->tape ? &p->tape->text : NULL;
    o.copied = r->o->texts;
    late.in = in = smi_ingest_open(&o);
    rc = feed_file(r, f, in, &p->size, &hash, why);
    p->hash = info_of(f)->marks ? hash : 0;
    if (p->tape)
        p->tape->digest = hash;
    if (rc == 0 && !read_again_with_times(f, p, in))
        rc = settle_part(p, in);
    smi_ingest_close(in);
    return rc;
}

/* Reads one file into a part of the run. Its own trouble becomes a problem. */
static void read_file(struct reader *r, struct run_file *f)
{
    struct smi_err why = {0};
    struct smi_input_stats *p;
    struct smi_assigned_times given = {0};
    int rc;
    give_times(r, f, &given);
    if (!given.how && (rc = read_pieces(r, f, &why))) {
        if (rc < 0)
            add_problem(r, f, why.text);
        return;
    }
    p = smi_input_stats_new(f->f->shown, f->f->format);
    p->given = given;
    if (r->o->scratch)
        p->tape = smi_row_spool_new(r->o->scratch);
    rc = fill_part(r, f, p, &why);
    if (rc > 0) {
        smi_run_add_part(r->run, p);
        return;
    }
    smi_input_stats_free(p);
    if (rc == 0) {
        f->counted = true;
        read_file(r, f);
        return;
    }
    add_problem(r, f, why.text);
}

/* Reads the logs with rows, or those without. */
static void read_all_files(struct reader *r, bool rows)
{
    for (size_t i = 0; i < r->n; i++) {
        struct run_file *f = &r->file[i];
        size_t parts = r->run->parts;
        if (f->skip || info_of(f)->rows != rows)
            continue;
        f->skip = true;
        read_file(r, f);
        if (!f->marked && r->run->parts > parts)
            smi_runlog_merge(&r->run->log, &r->run->part[parts]->log);
    }
}

void smi_read_run(struct smi_run *run, const struct smi_found_run *found, const struct smi_options *o,
                  struct smi_read_buffers *room)
{
    struct reader r = {.run = run, .o = o, .room = room};
    bool rows = false;
    describe_run(run, found, o);
    run->kept = room ? &room->kept : NULL;
    if (room)
        room->used = 0;
    open_files(&r, found);
    read_all_files(&r, false);
    for (size_t i = 0; i < r.n; i++) {
        struct run_file *f = &r.file[i];
        struct smi_input_stats *p;
        if (f->skip || !info_of(f)->marks || !info_of(f)->rows)
            continue;
        /* of a log that has rows and phases the phases alone: no row can be read before all of them are known
         */
        p = smi_input_stats_new(f->f->shown, f->f->format);
        f->marks = true;
        f->marked = read_apart(&r, f, p);
        f->marks = false;
        if (f->marked)
            smi_runlog_merge(&run->log, &p->log);
        smi_input_stats_free(p);
    }
    settle_zone(&r);
    for (size_t i = 0; i < r.n; i++)
        rows |= !r.file[i].skip && info_of(&r.file[i])->rows;
    if (rows) /* phases are looked up for rows only */
        smi_phases_index(&run->log.phases);
    read_all_files(&r, true);
    for (size_t i = 0; i < r.n; i++) {
        if (r.file[i].fd >= 0)
            close(r.file[i].fd);
        if (r.file[i].unpacked)
            close(r.file[i].unpacked - 1);
        smi_mem_free(r.file[i].held);
    }
    smi_mem_free(r.file);
}
