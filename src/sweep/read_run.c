#include "sweep/read_run.h"

#include "aggregate/chunks.h"
#include "aggregate/ingest.h"
#include "summary/run_times.h"
#include "sweep/read_files.h"
#include "sweep/read_stream.h"

#include <string.h>
#include <unistd.h>

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
    c.ingest.shelf = NULL; /* of this thread alone */
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
    if (rc == 1 && smi_run_add_part(r->run, p, why)) {
        smi_input_stats_free(p);
        rc = -1;
    }
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
    return *u.doubt && first ? smi_run_add_problem(r->run, why, "%s: %s", f->f->shown, u.doubt) : 0;
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
    rc = smi_input_stats_spread(p, why);
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
                            off_t at, struct smi_stream_copy *s, struct smi_err *why)
{
    if (f->marked || p->format < 0 || !smi_format_infos[p->format].marks || !smi_format_infos[p->format].rows)
        return 1;
    if (!rewind_log(f, at, s))
        return f->info.stream &&
                       smi_run_add_problem(r->run, why,
                                           "%s: cannot be kept and read again, its phases have no rows: %s",
                                           f->f->shown, s->lost.text)
                   ? -1
                   : 1;
    f->marked = true;
    return smi_runlog_merge(&r->run->log, &p->log, why) || smi_phases_index(&r->run->log.phases, why) ? -1
                                                                                                      : 0;
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
    spool.in = late.in = in = smi_ingest_open(&o, why);
    rc = in ? feed_file(r, f, in, &p->size, &hash, why) : -1;
    p->hash = smi_read_file_source(f)->marks ? hash : 0;
    if (p->tape)
        p->tape->digest = hash;
    if (rc == 0 && !read_again_with_times(f, p, in, at, &spool))
        rc = settle_part(f, p, in, why);
    if (rc == 1 && (stream || f->f->format < 0))
        rc = read_second_time(r, f, p, at, &spool, why);
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
    if (!given.how && (rc = read_pieces(r, f, &why)))
        return rc > 0 ? 0 : why.code == SMI_ENOMEM ? smi_err_nomem(r->err) : smi_read_add_problem(r, f, &why);
    p = smi_input_stats_new(f->f->shown, f->f->format);
    if (!p) {
        smi_mem_free(given.rows);
        return smi_err_nomem(r->err);
    }
    p->given = given;
    p->tap = r->o->tap;
    if (r->o->scratch && !(p->tape = smi_row_spool_new(r->o->scratch))) {
        smi_input_stats_free(p);
        return smi_err_nomem(r->err);
    }
    p->spares = r->room ? &r->room->spares : NULL;
    rc = fill_part(r, f, p, &why);
    if (rc > 0 && smi_run_add_part(r->run, p, r->err) == 0) {
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
    return why.code == SMI_ENOMEM ? smi_err_nomem(r->err) : smi_read_add_problem(r, f, &why);
}

int smi_read_file_alone(struct smi_run_reader *r, struct smi_run_file *f, const struct smi_ingest_opts *o)
{
    struct smi_err why = {0};
    struct smi_ingest *in = smi_ingest_open(o, &why);
    int64_t size;
    uint64_t hash;
    int rc = in ? feed_file(r, f, in, &size, &hash, &why) : -1;
    smi_ingest_close(in);
    if (rc == 0 && lseek(f->fd, 0, SEEK_SET) == 0)
        return 1;
    return why.code == SMI_ENOMEM ? smi_err_nomem(r->err) : 0; /* other trouble comes again with the rows */
}

/* Of a log that has rows and phases, the phases alone: no row can be read before all of them are known. */
static int read_marks(struct smi_run_reader *r, struct smi_run_file *f)
{
    struct smi_input_stats *p = smi_input_stats_new(f->f->shown, f->f->format);
    struct smi_ingest_opts o = smi_read_opts(r, f);
    int rc;
    if (!p)
        return smi_err_nomem(r->err);
    o.account = &p->account;
    o.devices = &p->devices;
    o.to = &p->sink;
    rc = smi_read_file_alone(r, f, &o);
    f->marked = rc > 0;
    if (rc > 0)
        rc = smi_runlog_merge(&r->run->log, &p->log, r->err);
    smi_input_stats_free(p);
    return rc;
}

/* What a walk through an archive has kept of a log: all, if it has no rows. */
static int take_marks(struct smi_run_reader *r, struct smi_run_file *f)
{
    struct smi_input_stats *p = f->f->inside->marks;
    f->waits = smi_read_file_source(f)->rows || r->o->scratch;
    f->marked = p != NULL;
    if (p && smi_runlog_merge(&r->run->log, &p->log, r->err))
        return -1;
    if (!p || f->waits)
        return 0;
    smi_mem_free(p->path);
    p->path = smi_mem_text(f->f->shown, strlen(f->f->shown));
    if (!p->path || smi_run_add_part(r->run, p, r->err))
        return smi_err_nomem(r->err);
    f->part = p;
    f->f->inside->marks = NULL; /* the run's now */
    return 0;
}

static int read_phases(struct smi_run_reader *r)
{
    for (size_t i = 0; i < r->n; i++) {
        struct smi_run_file *f = &r->file[i];
        if (!f->skip && f->f->inside && take_marks(r, f))
            return -1;
        if (!f->skip && !f->f->inside && !f->info.stream && smi_read_file_source(f)->marks &&
            smi_read_file_source(f)->rows && read_marks(r, f))
            return -1;
    }
    return 0;
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
        if (!f->marked && r->run->parts > parts &&
            smi_runlog_merge(&r->run->log, &r->run->part[parts]->log, r->err))
            return -1;
    }
    return 0;
}

/* ---- the run ---- */

/* They are looked up for rows only. */
static int index_phases(struct smi_run_reader *r)
{
    for (size_t i = 0; i < r->n; i++)
        if (!r->file[i].skip && smi_read_file_source(&r->file[i])->rows)
            return smi_phases_index(&r->run->log.phases, r->err);
    return 0;
}

int smi_read_begin(struct smi_run_reader *r, struct smi_run *run, const struct smi_found_run *found,
                   const struct smi_options *o, struct smi_read_buffers *room, struct smi_err *err)
{
    int rc = smi_read_describe(run, found, o, err);
    *r = (struct smi_run_reader){.run = run, .o = o, .room = room, .err = err};
    if (room)
        room->used = 0;
    if (rc == 0)
        rc = smi_read_open(r, found) || read_all_files(r, false) || read_phases(r);
    if (rc == 0)
        rc = smi_read_zone(r) || index_phases(r);
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

int smi_read_end(struct smi_run_reader *r)
{
    int rc = 0;
    for (size_t i = 0; i < r->n && !rc; i++)
        if (r->file[i].waits && !r->file[i].skip)
            rc = smi_run_add_problem(r->run, r->err, "%s: is not in its archive any more",
                                     r->file[i].f->shown);
    order_parts(r);
    smi_read_close(r);
    return rc;
}

int smi_read_run(struct smi_run *run, const struct smi_found_run *found, const struct smi_options *o,
                 struct smi_read_buffers *room, struct smi_err *err)
{
    struct smi_run_reader r;
    int rc = smi_read_begin(&r, run, found, o, room, err);
    return smi_read_end(&r) || rc ? -1 : 0;
}
