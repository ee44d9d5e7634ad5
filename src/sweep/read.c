#include "sweep/read.h"

#include "ingest/chunks.h"
#include "ingest/ingest.h"
#include "summary/times.h"
#include "sweep/files.h"
#include "sweep/unpack.h"

#include <string.h>
#include <unistd.h>

enum { PIECES_MAX = 64, HEAD = 65536 };

/* What is known of its format; of a stream nothing yet. */
static const struct smi_source_info *kind(const struct file *f)
{
    static const struct smi_source_info unknown = {.rows = true};
    return f->f->format < 0 ? &unknown : &smi_sources[f->f->format];
}

/* ---- reading ---- */

static struct smi_ingest_opts ingest_opts(const struct read *r, const struct file *f)
{
    return (struct smi_ingest_opts){.format = f->f->format, .columns = r->o->columns, .gpu_count = r->o->gpu_count};
}

static struct smi_track_opts track_opts(const struct read *r, const struct file *f)
{
    return (struct smi_track_opts){r->o->idle_below, f->utc || r->run->has_offset ? &r->run->log.phases : NULL,
                                   f->utc ? 0 : (int64_t)r->run->offset_s * 1000000};
}

/* Whether and how the offset may change inside an input. */
static struct smi_wall_opts wall_opts(const struct read *r, const struct file *f)
{
    bool local = f->f->format != SMI_FMT_CPU && f->f->format != SMI_FMT_RUNLOG && r->run->has_offset;
    bool given = r->o->has_offset;
    return (struct smi_wall_opts){local && given ? r->o->zone : NULL, local && !(given && (r->o->zone || r->o->fixed))};
}

/* A large log in several pieces at once. Returns 1 if it was read so, 0 if it has to be read in one, -1. */
static int read_pieces(struct read *r, struct file *f, struct smi_err *why)
{
    int64_t least = r->o->piece_bytes ? r->o->piece_bytes : 4 << 20;
    struct smi_chunks c = {f->fd, f->info.size, f->f->path, f->f->shown, ingest_opts(r, f), track_opts(r, f),
                           wall_opts(r, f), r->o->threads};
    struct smi_part *p;
    int rc;
    if (f->info.stream || f->coded || f->f->format < 0 || kind(f)->marks)
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

/* All bytes of the file through the door. That they end too early is said once. */
static int feed(struct read *r, const struct file *f, struct smi_ingest *in, struct smi_part *p, struct smi_err *why)
{
    struct smi_pull_fd from = smi_pull_of_fd(f->fd, f->f->path);
    struct smi_unpacked u;
    if (!f->coded && !f->info.stream)
        return smi_ingest_fd(in, f->fd, f->f->path, &p->size, kind(f)->marks ? &p->hash : NULL, why);
    if (smi_unpack(in, &from.pull, kind(f)->marks, &u, why))
        return -1;
    p->size = u.size;
    p->hash = kind(f)->marks ? u.hash : 0;
    return *u.doubt && !f->marked ? smi_run_problem(r->run, why, "%s: %s", f->f->shown, u.doubt) : 0;
}

/* Reads one file into a part of the run. Its own trouble becomes a problem; only memory stops the run. */
static int read_file(struct read *r, struct file *f)
{
    struct smi_err why = {0};
    struct smi_ingest_opts o = ingest_opts(r, f);
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
    o.to = &p->sink;
    in = smi_ingest_open(&o, &why);
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
    struct smi_ingest_opts o = ingest_opts(r, f);
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
        if (!f->skip && !f->info.stream && kind(f)->marks && kind(f)->rows && read_marks(r, f))
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
        if (f->skip || kind(f)->rows != rows)
            continue;
        f->skip = true;
        if (read_file(r, f))
            return -1;
        if (!f->marked && r->run->parts > parts && smi_runlog_merge(&r->run->log, &r->run->part[parts]->log, r->err))
            return -1;
    }
    return 0;
}

/* ---- the zone, before a row is joined ---- */

/* Where the two ends of the log can be read, or -1. A coded log is read through for it: only where they are wanted. */
static int look_at(struct file *f)
{
    if (f->coded && f->ends < 0)
        f->ends = smi_unpacked_ends(f->fd, f->f->path, &f->info.size, NULL);
    return f->coded ? f->ends : f->fd;
}

/* The beginning of a log, read for what it tells: NULL if it cannot be read. */
static struct smi_part *beginning(const struct read *r, struct file *f, enum smi_base *base)
{
    struct smi_part *p = smi_part_new(f->f->shown, f->f->format);
    struct smi_ingest_opts o = ingest_opts(r, f);
    struct smi_ingest *in = NULL;
    char *buf = smi_mem_new(HEAD, 1);
    ssize_t n = p && buf ? smi_file_read_at(look_at(f), buf, HEAD, 0, f->f->path, NULL) : -1;
    bool ok = false;
    if (n > 0) {
        o.account = &p->account;
        o.devices = &p->devices;
        o.to = &p->sink;
        in = smi_ingest_open(&o, NULL);
    }
    if (in && smi_ingest_feed(in, buf, (size_t)n, NULL) == 0 && smi_ingest_finish(in, NULL) == 0) {
        *base = smi_ingest_base(in);
        ok = true;
    }
    smi_ingest_close(in);
    smi_mem_free(buf);
    if (ok)
        return p;
    smi_part_free(p);
    return NULL;
}

static bool is_utc(const struct read *r, struct file *f)
{
    enum smi_base base = kind(f)->base;
    if (base == SMI_BASE_NONE)
        smi_part_free(beginning(r, f, &base));
    return base == SMI_BASE_UTC;
}

/* Has the zone to be inferred, and is there anything to infer it from? Else no coded log is read through for it. */
static bool wants_times(const struct read *r)
{
    bool local = false, utc = r->run->log.entries > 0;
    for (size_t i = 0; i < r->n; i++) {
        const struct file *f = &r->file[i];
        if (f->skip || f->info.stream || f->f->format < 0 || !kind(f)->rows)
            continue;
        local |= kind(f)->base != SMI_BASE_UTC;
        utc |= kind(f)->base != SMI_BASE_LOCAL;
    }
    return local && utc && !r->o->has_offset && !r->run->log.has_offset;
}

static int peek(struct read *r)
{
    bool wanted = wants_times(r);
    for (size_t i = 0; i < r->n; i++) {
        struct file *f = &r->file[i];
        int rc;
        if (f->skip || f->info.stream || f->f->format < 0 || !kind(f)->rows)
            continue;
        f->utc = is_utc(r, f);
        if (f->coded && !wanted)
            continue;
        rc = smi_ingest_peek(look_at(f), f->f->path, f->f->format, r->o->columns, f->info.size, &f->first_ms, &f->last_ms, NULL);
        f->peeked = rc == 1;
    }
    return 0;
}

struct range {
    bool some;
    int64_t first, last;
};

static void widen(struct range *g, int64_t first, int64_t last)
{
    if (!g->some || first < g->first)
        g->first = first;
    if (!g->some || last > g->last)
        g->last = last;
    g->some = true;
}

/* The interval at which a log was sampled, from its first 64 KiB; 0 if they do not tell. */
static int64_t interval_of(const struct read *r, struct file *f)
{
    enum smi_base base;
    struct smi_part *p = beginning(r, f, &base);
    struct smi_counts_view v = {0};
    int64_t ms = 0;
    if (p && smi_part_close(p, NULL) == 0 && smi_counts_view(&p->dts, &v) == 0 && v.n)
        ms = smi_view_at(&v, (v.n - 1) / 2);
    smi_mem_free(v.list);
    smi_part_free(p);
    return ms;
}

/* Two offsets in use are 15 min apart or more: a second one comes within 3 intervals only of a log that is sampled this
 * slowly. ROW_BYTES: longer than the rows of most logs, so that slowness is rather suspected than missed; only then are
 * the intervals looked for. */
enum { SLOW_MS = 290000, ROW_BYTES = 400 };

/* numbers.md §6. The intervals are only looked for when the first times alone, within 10 s, do not tell. */
static bool infer(struct read *r)
{
    struct range g = {0}, u = {0};
    const struct smi_runlog *log = &r->run->log;
    int64_t iv = 0;
    bool slow = false;
    for (size_t i = 0; i < r->n; i++) {
        const struct file *f = &r->file[i];
        slow |= f->peeked && (f->last_ms - f->first_ms) / (f->info.size / ROW_BYTES + 1) >= SLOW_MS;
        if (f->peeked && f->utc)
            widen(&u, f->first_ms, f->last_ms);
        else if (f->peeked && f->first_ms > 86400000LL * 365) /* a date, not a time of day */
            widen(&g, f->first_ms, f->last_ms);
    }
    if (log->entries)
        widen(&u, log->first_ts_us / 1000, log->last_ts_us / 1000);
    if (!g.some || !u.some)
        return false;
    if (!slow && smi_zone_nearest(g.first - u.first, 10000, &r->run->offset_s))
        return true;
    for (size_t i = 0; i < r->n; i++)
        if (r->file[i].peeked && interval_of(r, &r->file[i]) > iv)
            iv = interval_of(r, &r->file[i]);
    return smi_zone_infer(g.first, g.last, u.first, u.last, iv, &r->run->offset_s) == 1;
}

static int zone(struct read *r)
{
    struct smi_run *run = r->run;
    run->has_offset = true;
    if (r->o->has_offset) {
        run->offset_s = r->o->offset_s;
        run->zone_from = "--tz";
        if (r->o->zone && !(run->zone = smi_mem_text(r->o->zone->name, strlen(r->o->zone->name))))
            return smi_err_nomem(r->err);
    } else if (run->log.has_offset) {
        run->offset_s = run->log.offset_s;
        run->zone_from = "the run log";
    } else if (infer(r)) {
        run->zone_from = "inferred";
    } else {
        run->has_offset = false;
        run->offset_s = 0;
        run->zone_from = NULL;
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
        peek(&r);
        rc = zone(&r) || smi_phases_index(&run->log.phases, err) ? -1 : 0;
    }
    if (rc == 0)
        rc = read_all(&r, true);
    smi_read_close(&r);
    return rc ? -1 : 0;
}
