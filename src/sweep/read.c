#include "sweep/read.h"

#include "ingest/chunks.h"
#include "ingest/ingest.h"
#include "summary/times.h"
#include "sweep/files.h"
#include "sweep/unpack.h"

#include <string.h>
#include <unistd.h>

enum { PIECES_MAX = 64 };

/* ---- reading ---- */

static struct smi_track_opts track_opts(const struct read *r, const struct file *f)
{
    return (struct smi_track_opts){r->o->idle_below, f->look.utc || r->run->has_offset ? &r->run->log.phases : NULL,
                                   f->look.utc ? 0 : (int64_t)r->run->offset_s * 1000000};
}

/* Whether and how the offset may change inside an input. */
static struct smi_wall_opts wall_opts(const struct read *r, const struct file *f)
{
    bool local = !f->look.utc && smi_file_kind(f)->base != SMI_BASE_UTC && r->run->has_offset;
    bool given = r->o->has_offset;
    return (struct smi_wall_opts){local && given ? r->o->zone : NULL, local && !(given && (r->o->zone || r->o->fixed))};
}

/* A large log in several pieces at once. Returns 1 if it was read so, 0 if it has to be read in one, -1. */
static int read_pieces(struct read *r, struct file *f, struct smi_err *why)
{
    int64_t least = r->o->piece_bytes ? r->o->piece_bytes : 4 << 20;
    struct smi_chunks c = {f->fd, f->info.size, f->f->path, f->f->shown, smi_read_opts(r, f), track_opts(r, f),
                           wall_opts(r, f), r->o->threads};
    struct smi_part *p;
    int rc;
    if (f->info.stream || f->coded || f->f->format < 0 || smi_file_kind(f)->marks || smi_formats[f->f->format]->whole)
        return 0;
    if (f->info.size / least < c.threads)
        c.threads = (unsigned)(f->info.size / least);
    if (c.threads > PIECES_MAX)
        c.threads = PIECES_MAX;
    if (c.threads < 2)
        return 0;
    rc = smi_chunks_read(&c, &p, why);
    if (rc == 1 && smi_run_part(r->run, p, why)) {
        smi_part_free(p);
        rc = -1;
    }
    return rc;
}

/* Stands in front of the part of a log that was not looked at: the base of its times is known when its first row comes. */
struct late {
    struct smi_sink sink;
    const struct read *r;
    struct file *f;
    struct smi_part *part;
    const struct smi_ingest *in;
    bool told;
};

static int late_take(struct smi_sink *self, const struct smi_sample *s, struct smi_err *err)
{
    struct late *l = (struct late *)self;
    if (!l->told) {
        l->f->look.utc = smi_ingest_base(l->in) == SMI_BASE_UTC;
        l->part->opts = track_opts(l->r, l->f);
        l->part->wall_opts = wall_opts(l->r, l->f);
        l->told = true;
    }
    return l->part->sink.take(&l->part->sink, s, err);
}

static int late_mark(struct smi_sink *self, const struct smi_mark *m, struct smi_err *err)
{
    struct late *l = (struct late *)self;
    return l->part->sink.mark(&l->part->sink, m, err);
}

/* All bytes of the file through the door. That they end too early is said once. */
static int feed(struct read *r, const struct file *f, struct smi_ingest *in, struct smi_part *p, struct smi_err *why)
{
    struct smi_pull_fd from = smi_pull_of_fd(f->fd, f->f->path);
    struct smi_unpacked u;
    if (!f->coded && !f->info.stream)
        return smi_ingest_fd(in, f->fd, f->f->path, &p->size, smi_file_kind(f)->marks ? &p->hash : NULL, why);
    if (smi_unpack(in, &from.pull, smi_file_kind(f)->marks, &u, why))
        return -1;
    p->size = u.size;
    p->hash = smi_file_kind(f)->marks ? u.hash : 0;
    return *u.doubt && !f->marked ? smi_run_problem(r->run, why, "%s: %s", f->f->shown, u.doubt) : 0;
}

/* Reads one file into a part of the run. Its own trouble becomes a problem; only memory stops the run. */
static int read_file(struct read *r, struct file *f)
{
    struct smi_err why = {0};
    struct smi_ingest_opts o = smi_read_opts(r, f);
    struct late late = {.sink = {.take = late_take, .mark = late_mark}, .r = r, .f = f};
    struct smi_part *p;
    struct smi_ingest *in;
    int rc = read_pieces(r, f, &why);
    if (rc)
        return rc > 0 ? 0 : why.code == SMI_ENOMEM ? smi_err_nomem(r->err) : smi_read_unusable(r, f, &why);
    p = smi_part_new(f->f->shown, f->f->format);
    if (!p)
        return smi_err_nomem(r->err);
    p->opts = track_opts(r, f);
    p->wall_opts = wall_opts(r, f);
    o.account = &p->account;
    o.devices = &p->devices;
    o.to = f->info.stream || f->f->format < 0 ? &late.sink : &p->sink;
    in = smi_ingest_open(&o, &why);
    late.part = p;
    late.in = in;
    rc = in ? feed(r, f, in, p, &why) : -1;
    if (rc == 0) {
        p->format = smi_ingest_format(in);
        p->base = smi_ingest_base(in);
        for (size_t i = 0; i < p->devices.n; i++)
            p->keyed |= p->devices.list[i].ordinal < 0;
        if (p->base == SMI_BASE_DAY)
            p->opts.phases = NULL;
    }
    smi_ingest_close(in);
    if (rc == 0 && smi_run_part(r->run, p, r->err) == 0)
        return 0;
    smi_part_free(p);
    if (rc == 0)
        return -1;
    return why.code == SMI_ENOMEM ? smi_err_nomem(r->err) : smi_read_unusable(r, f, &why);
}

/* Of a log that has rows and phases, the phases alone: no row can be read before all of them are known. */
static int read_marks(struct read *r, struct file *f)
{
    struct smi_err why = {0};
    struct smi_part *p = smi_part_new(f->f->shown, f->f->format);
    struct smi_ingest_opts o = smi_read_opts(r, f);
    struct smi_ingest *in;
    int rc;
    if (!p)
        return smi_err_nomem(r->err);
    o.account = &p->account;
    o.devices = &p->devices;
    o.to = &p->sink;
    in = smi_ingest_open(&o, &why);
    rc = in ? feed(r, f, in, p, &why) : -1;
    f->marked = rc == 0 && lseek(f->fd, 0, SEEK_SET) == 0;
    if (f->marked)
        rc = smi_runlog_merge(&r->run->log, &p->log, r->err);
    else
        rc = why.code == SMI_ENOMEM ? smi_err_nomem(r->err) : 0; /* other trouble comes again with the rows */
    smi_ingest_close(in);
    smi_part_free(p);
    return rc;
}

static int read_phases(struct read *r)
{
    for (size_t i = 0; i < r->n; i++) {
        struct file *f = &r->file[i];
        if (!f->skip && !f->info.stream && smi_file_kind(f)->marks && smi_file_kind(f)->rows && read_marks(r, f))
            return -1;
    }
    return 0;
}

/* Reads the logs with rows, or those without. What a stream says of phases is known only now: they have no figures. */
static int read_all(struct read *r, bool rows)
{
    for (size_t i = 0; i < r->n; i++) {
        struct file *f = &r->file[i];
        size_t parts = r->run->parts;
        if (f->skip || smi_file_kind(f)->rows != rows)
            continue;
        f->skip = true;
        if (read_file(r, f))
            return -1;
        if (!f->marked && r->run->parts > parts && smi_runlog_merge(&r->run->log, &r->run->part[parts]->log, r->err))
            return -1;
    }
    return 0;
}

/* ---- the run ---- */

static int describe(struct smi_run *run, const struct smi_found_run *found, struct smi_err *err)
{
    *run = (struct smi_run){0};
    run->name = smi_mem_text(found->name, strlen(found->name));
    if (!run->name)
        return smi_err_nomem(err);
    for (size_t i = 0; i < found->params; i++)
        if (smi_run_add_param(run, found->param[i].key, found->param[i].text, found->param[i].number, err))
            return -1;
    return 0;
}

int smi_read_run(struct smi_run *run, const struct smi_found_run *found, const struct smi_options *o, struct smi_err *err)
{
    struct read r = {.run = run, .o = o, .err = err};
    int rc = describe(run, found, err);
    if (rc == 0)
        rc = smi_read_open(&r, found) || read_all(&r, false) || read_phases(&r);
    if (rc == 0) {
        rc = smi_read_zone(&r) || smi_phases_index(&run->log.phases, err) ? -1 : 0;
    }
    if (rc == 0)
        rc = read_all(&r, true);
    smi_read_close(&r);
    return rc ? -1 : 0;
}
